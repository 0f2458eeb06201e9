/* greatest.h: greatest on a GPU. Made by tgc from max.cdl for sm_60; this text is yours.
 *
 * Calls are asynchronous: they queue work on `stream`, synchronise nothing, copy nothing to the host, and may be captured
 * in a graph. `in` holds n elements in device memory, aligned to their type; `out` gets one. n = 0 gives the operator's
 * identity. Functions return a cudaError_t. cudaErrorInvalidValue: a workspace too small, n too large.
 *
 * Dispatch by size (greatest.table): not measured on this machine: run `tgc tune'.
 *
 * Workspace: call with workspace = NULL to get in *workspace_bytes the size that a call of n needs; allocate it in device
 * memory (aligned as cudaMalloc does); call again. Concurrent calls (on several streams) need a workspace each. */
#ifndef TGC_GREATEST_H
#define TGC_GREATEST_H

#include <cuda_fp16.h>
#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

cudaError_t greatest_half(void *workspace, size_t *workspace_bytes, const __half *in, uint64_t n, float *out, cudaStream_t stream);
cudaError_t greatest_float(void *workspace, size_t *workspace_bytes, const float *in, uint64_t n, float *out, cudaStream_t stream);
cudaError_t greatest_int64(void *workspace, size_t *workspace_bytes, const long long *in, uint64_t n, long long *out, cudaStream_t stream);

/* Initialises a workspace. Once is enough: every successful call leaves it ready for the next. */
cudaError_t greatest_workspace_init(void *workspace, size_t workspace_bytes, cudaStream_t stream);

/* Replaces the compiled ranges of sizes by those of a file, such as NAME.table (columns: type, up_to, variant, threads,
 * loads, blocks). Do not call it concurrently with other functions. The environment does the same before the
 * first call: TGC_TABLE names a file; TGC_VARIANT=id[:threads[:loads[:blocks]]] selects one variant for every size.
 * cudaErrorInvalidConfiguration: this library has no such variant or configuration; the compiled ranges apply again. */
cudaError_t greatest_load_table(const char *path);

/* The same without a workspace of the caller's: it is taken from and given back to the device's memory pool,
 * in stream order. */
cudaError_t greatest_half_async(const __half *in, uint64_t n, float *out, cudaStream_t stream);
cudaError_t greatest_float_async(const float *in, uint64_t n, float *out, cudaStream_t stream);
cudaError_t greatest_int64_async(const long long *in, uint64_t n, long long *out, cudaStream_t stream);

/* Starts from a value: out = init combined with the reduction, init on the left. */
cudaError_t greatest_half_from(void *workspace, size_t *workspace_bytes, const __half *in, uint64_t n, float init,
    float *out, cudaStream_t stream);
cudaError_t greatest_float_from(void *workspace, size_t *workspace_bytes, const float *in, uint64_t n, float init,
    float *out, cudaStream_t stream);
cudaError_t greatest_int64_from(void *workspace, size_t *workspace_bytes, const long long *in, uint64_t n, long long init,
    long long *out, cudaStream_t stream);

/* The number of elements is read from device memory when the work runs; above `most' it counts as `most'. So a captured
 * graph can be replayed with other numbers. Query the workspace with `most'. */
cudaError_t greatest_half_counted(void *workspace, size_t *workspace_bytes, const __half *in, const uint64_t *n,
    uint64_t most, float *out, cudaStream_t stream);
cudaError_t greatest_float_counted(void *workspace, size_t *workspace_bytes, const float *in, const uint64_t *n,
    uint64_t most, float *out, cudaStream_t stream);
cudaError_t greatest_int64_counted(void *workspace, size_t *workspace_bytes, const long long *in, const uint64_t *n,
    uint64_t most, long long *out, cudaStream_t stream);

/* A message for this thread's last failed call; for any other error code, CUDA's text. Valid until
 * the thread's next call. */
const char *greatest_error_text(cudaError_t error);

#ifndef GREATEST_CONFIGURATION
#define GREATEST_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct greatest_configuration {
  int threads, loads;
  int64_t blocks;
} greatest_configuration;
#endif

/* Every variant, for tests and tuners; each takes its own workspace. A configuration that is NULL is the variant's own;
 * one that was not compiled gives cudaErrorInvalidConfiguration. */
typedef struct greatest_variant {
  const char *id, *plan, *category, *determinism;
  const greatest_configuration *configurations; /* those compiled, the variant's own first; zeros end them */
  cudaError_t (*run_half)(const greatest_configuration *c, void *workspace, size_t *workspace_bytes, const __half *in, uint64_t n, float *out, cudaStream_t stream);
  cudaError_t (*run_float)(const greatest_configuration *c, void *workspace, size_t *workspace_bytes, const float *in, uint64_t n, float *out, cudaStream_t stream);
  cudaError_t (*run_int64)(const greatest_configuration *c, void *workspace, size_t *workspace_bytes, const long long *in, uint64_t n, long long *out, cudaStream_t stream);
} greatest_variant;
extern const greatest_variant greatest_variants[];
extern const int greatest_variant_count;

#ifdef __cplusplus
}
#endif

#endif
