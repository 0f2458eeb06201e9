/* axpy.h: axpy on a GPU. Made by tgc from sum.cdl for sm_60; this text is yours.
 *
 * Calls are asynchronous: they queue work on `stream`, synchronise nothing, copy nothing to the host, and may be captured
 * in a graph.
 *
 *   a  a number
 *   x  n elements, read
 *   n  number of elements of x, y
 *   y  n elements, read and written
 *
 * Arrays are in device memory aligned to their element type. Outputs must not overlap inputs. Functions return a
 * cudaError_t. cudaErrorInvalidValue: a workspace too small, n too large.
 *
 * Dispatch by size (axpy.table): from a table that does not say where it was measured.
 *
 * Workspace: call with workspace = NULL to get in *workspace_bytes the size that a call of n needs; allocate it in device
 * memory (aligned as cudaMalloc does); call again. Concurrent calls (on several streams) need a workspace each. */
#ifndef TGC_AXPY_H
#define TGC_AXPY_H

#include <cuda_fp16.h>
#include <cuComplex.h>
#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

cudaError_t axpy_float(void *workspace, size_t *workspace_bytes, float a, const float *x, uint64_t n, float *y, cudaStream_t stream);
cudaError_t axpy_half(void *workspace, size_t *workspace_bytes, float a, const __half *x, uint64_t n, float *y, cudaStream_t stream);
cudaError_t axpy_cfloat(void *workspace, size_t *workspace_bytes, cuFloatComplex a, const cuFloatComplex *x, uint64_t n, cuFloatComplex *y, cudaStream_t stream);

/* Initialises a workspace. Once is enough: every successful call leaves it ready for the next. */
cudaError_t axpy_workspace_init(void *workspace, size_t workspace_bytes, cudaStream_t stream);

/* Replaces the compiled ranges of sizes by those of a file, such as NAME.table (columns: type, up_to, variant, threads,
 * loads, blocks). Do not call it concurrently with other functions. The environment does the same before the
 * first call: TGC_TABLE names a file; TGC_VARIANT=id[:threads[:loads[:blocks]]] selects one variant for every size.
 * cudaErrorInvalidConfiguration: this library has no such variant or configuration; the compiled ranges apply again. */
cudaError_t axpy_load_table(const char *path);

/* The same without a workspace of the caller's: it is taken from and given back to the device's memory pool,
 * in stream order. */
cudaError_t axpy_float_async(float a, const float *x, uint64_t n, float *y, cudaStream_t stream);
cudaError_t axpy_half_async(float a, const __half *x, uint64_t n, float *y, cudaStream_t stream);
cudaError_t axpy_cfloat_async(cuFloatComplex a, const cuFloatComplex *x, uint64_t n, cuFloatComplex *y, cudaStream_t stream);

/* A message for this thread's last failed call; for any other error code, CUDA's text. Valid until
 * the thread's next call. */
const char *axpy_error_text(cudaError_t error);

#ifndef AXPY_CONFIGURATION
#define AXPY_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct axpy_configuration {
  int threads, loads;
  int64_t blocks;
} axpy_configuration;
#endif

/* Every variant, for tests and tuners; each takes its own workspace. A configuration that is NULL is the variant's own;
 * one that was not compiled gives cudaErrorInvalidConfiguration. */
typedef struct axpy_variant {
  const char *id, *plan, *category, *determinism;
  const axpy_configuration *configurations; /* those compiled, the variant's own first; zeros end them */
  cudaError_t (*run_float)(const axpy_configuration *c, void *workspace, size_t *workspace_bytes, float a, const float *x, uint64_t n, float *y, cudaStream_t stream);
  cudaError_t (*run_half)(const axpy_configuration *c, void *workspace, size_t *workspace_bytes, float a, const __half *x, uint64_t n, float *y, cudaStream_t stream);
  cudaError_t (*run_cfloat)(const axpy_configuration *c, void *workspace, size_t *workspace_bytes, cuFloatComplex a, const cuFloatComplex *x, uint64_t n, cuFloatComplex *y, cudaStream_t stream);
} axpy_variant;
extern const axpy_variant axpy_variants[];
extern const int axpy_variant_count;

#ifdef __cplusplus
}
#endif

#endif
