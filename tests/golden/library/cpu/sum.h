/* sum.h: sum on a CPU. Made by tgc from sum.cdl for avx2; this text is yours.
 *
 * A call returns when its work is done, by as many threads as OpenMP has. Several threads may call at a time. `in` holds
 * n elements at any alignment that their type allows; `out` gets one. n = 0 gives the operator's identity. Errors come
 * back as those of errno.h, 0: none; EINVAL: a workspace too small, n too large.
 *
 * Dispatch by size (sum.table): from a table that does not say where it was measured.
 *
 * Workspace: call with workspace = NULL to learn in *workspace_bytes how many bytes a call of n needs; allocate them
 * (aligned as malloc does); call again. One workspace serves one call at a time: calls that may overlap (of two threads)
 * need one each. */
#ifndef TGC_SUM_H
#define TGC_SUM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

int sum_int(void *workspace, size_t *workspace_bytes, const int *in, uint64_t n, int *out);
int sum_double(void *workspace, size_t *workspace_bytes, const double *in, uint64_t n, double *out);

/* Makes a new workspace ready; every successful call leaves it ready for the next. */
int sum_workspace_init(void *workspace, size_t workspace_bytes);

/* Takes ranges of sizes from a file (type, up_to, variant, threads, loads, blocks: NAME.table is one) in place of those that were
 * compiled; not while calls are made. The environment does the same before the first call: TGC_TABLE names such a file,
 * TGC_VARIANT=id[:threads[:loads[:blocks]]] has one variant serve every size. What names no variant or configuration of
 * this library gives ENOTSUP, and the compiled ranges serve again. */
int sum_load_table(const char *path);

/* Why this thread's last call of these functions failed, in words; of another error, strerror's. The text stays until the
 * thread's next call. */
const char *sum_error_text(int error);

/* On a CPU `threads' are a vector's lanes, of which the machine has so many; `loads' vectors that are in flight;
 * `blocks' how many parts the work has at most, a thread's each, where 0 is as many as there are processors. */
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
