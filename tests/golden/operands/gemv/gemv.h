/* gemv.h: gemv on a GPU. Made by tgc from sum.cdl for sm_60; this text is yours.
 *
 * Calls are asynchronous: they queue work on `stream`, synchronise nothing, copy nothing to the host, and may be captured
 * in a graph.
 *
 *   A        rows * columns elements, row-major, read
 *   rows     number of rows of A, and number of elements of y
 *   columns  number of columns of A, and number of elements of x
 *   leading  leading dimension of A: the distance between rows, in elements
 *   x        columns elements, read
 *   y        rows elements, written
 *
 * Arrays are in device memory aligned to their element type. Outputs must not overlap inputs. Functions return a
 * cudaError_t. cudaErrorInvalidValue: a workspace too small, rows, columns or leading too large.
 *
 * Dispatch by size (gemv.table): from a table that does not say where it was measured.
 *
 * Workspace: call with workspace = NULL to get in *workspace_bytes the size that a call of rows, columns and leading
 * needs; allocate it in device memory (aligned as cudaMalloc does); call again. Concurrent calls (on several streams)
 * need a workspace each. */
#ifndef TGC_GEMV_H
#define TGC_GEMV_H

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

cudaError_t gemv_float(void *workspace, size_t *workspace_bytes, const float *A, uint64_t rows, uint64_t columns, uint64_t leading, const float *x, float *y, cudaStream_t stream);
cudaError_t gemv_int8(void *workspace, size_t *workspace_bytes, const signed char *A, uint64_t rows, uint64_t columns, uint64_t leading, const signed char *x, int *y, cudaStream_t stream);

/* Initialises a workspace. Once is enough: every successful call leaves it ready for the next. */
cudaError_t gemv_workspace_init(void *workspace, size_t workspace_bytes, cudaStream_t stream);

/* Replaces the compiled ranges of sizes by those of a file, such as NAME.table (columns: type, up_to, variant, threads,
 * loads, blocks). Do not call it concurrently with other functions. The environment does the same before the
 * first call: TGC_TABLE names a file; TGC_VARIANT=id[:threads[:loads[:blocks]]] selects one variant for every size.
 * cudaErrorInvalidConfiguration: this library has no such variant or configuration; the compiled ranges apply again. */
cudaError_t gemv_load_table(const char *path);

/* The same without a workspace of the caller's: it is taken from and given back to the device's memory pool,
 * in stream order. */
cudaError_t gemv_float_async(const float *A, uint64_t rows, uint64_t columns, uint64_t leading, const float *x, float *y, cudaStream_t stream);
cudaError_t gemv_int8_async(const signed char *A, uint64_t rows, uint64_t columns, uint64_t leading, const signed char *x, int *y, cudaStream_t stream);

/* A message for this thread's last failed call; for any other error code, CUDA's text. Valid until
 * the thread's next call. */
const char *gemv_error_text(cudaError_t error);

#ifndef GEMV_CONFIGURATION
#define GEMV_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct gemv_configuration {
  int threads, loads;
  int64_t blocks;
} gemv_configuration;
#endif

/* Every variant, for tests and tuners; each takes its own workspace. A configuration that is NULL is the variant's own;
 * one that was not compiled gives cudaErrorInvalidConfiguration. */
typedef struct gemv_variant {
  const char *id, *plan, *category, *determinism;
  const gemv_configuration *configurations; /* those compiled, the variant's own first; zeros end them */
  cudaError_t (*run_float)(const gemv_configuration *c, void *workspace, size_t *workspace_bytes, const float *A, uint64_t rows, uint64_t columns, uint64_t leading, const float *x, float *y, cudaStream_t stream);
  cudaError_t (*run_int8)(const gemv_configuration *c, void *workspace, size_t *workspace_bytes, const signed char *A, uint64_t rows, uint64_t columns, uint64_t leading, const signed char *x, int *y, cudaStream_t stream);
} gemv_variant;
extern const gemv_variant gemv_variants[];
extern const int gemv_variant_count;

#ifdef __cplusplus
}
#endif

#endif
