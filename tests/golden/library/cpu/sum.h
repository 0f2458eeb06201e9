/* sum.h: sum on a CPU. Made by tgc from sum.cdl for avx2; this text is yours.
 *
 * Calls are synchronous and use OpenMP's threads. Several threads may call concurrently. `in` holds n elements, aligned
 * to their type; `out` gets one. n = 0 gives the operator's identity. Functions return 0 or a code of errno.h. EINVAL: a
 * workspace too small, n too large.
 *
 * Dispatch by size (sum.table): from a table that does not say where it was measured.
 *
 * Workspace: call with workspace = NULL to get in *workspace_bytes the size that a call of n needs; allocate it (aligned
 * as malloc does); call again. Concurrent calls (of several threads) need a workspace each. */
#ifndef TGC_SUM_H
#define TGC_SUM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

int sum_int(void *workspace, size_t *workspace_bytes, const int *in, uint64_t n, int *out);
int sum_double(void *workspace, size_t *workspace_bytes, const double *in, uint64_t n, double *out);

/* Initialises a workspace. Once is enough: every successful call leaves it ready for the next. */
int sum_workspace_init(void *workspace, size_t workspace_bytes);

/* Replaces the compiled ranges of sizes by those of a file, such as NAME.table (columns: type, up_to, variant, threads,
 * loads, blocks). Do not call it concurrently with other functions. The environment does the same before the
 * first call: TGC_TABLE names a file; TGC_VARIANT=id[:threads[:loads[:blocks]]] selects one variant for every size.
 * ENOTSUP: this library has no such variant or configuration; the compiled ranges apply again. */
int sum_load_table(const char *path);

/* A message for this thread's last failed call; for any other error code, strerror's text. Valid until
 * the thread's next call. */
const char *sum_error_text(int error);

/* On a CPU: `threads' is the number of lanes of a vector, `loads' the number of vectors in flight,
 * `blocks' the maximum number of threads, 0: one per processor. */
#ifndef SUM_CONFIGURATION
#define SUM_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct sum_configuration {
  int threads, loads;
  int64_t blocks;
} sum_configuration;
#endif

/* Every variant, for tests and tuners; each takes its own workspace. A configuration that is NULL is the variant's own;
 * one that was not compiled gives ENOTSUP. */
typedef struct sum_variant {
  const char *id, *plan, *category, *determinism;
  const sum_configuration *configurations; /* those compiled, the variant's own first; zeros end them */
  int (*run_int)(const sum_configuration *c, void *workspace, size_t *workspace_bytes, const int *in, uint64_t n, int *out);
  int (*run_double)(const sum_configuration *c, void *workspace, size_t *workspace_bytes, const double *in, uint64_t n, double *out);
} sum_variant;
extern const sum_variant sum_variants[];
extern const int sum_variant_count;

#ifdef __cplusplus
}
#endif

#endif
