/* sum.h: sum on a GPU: sm_60, sm_90, each with kernels of its own. Made by tgc from sum.cdl; this text is yours.
 *
 * A call goes to the newest of these machines that is not newer than the current device;
 * cudaErrorNoKernelImageForDevice: all of them are. What each function does, and which variants a machine has, its own
 * header says: sm_60/sum_sm_60.h. Ask for a workspace's size, and make it ready, on the device that uses it. */
#ifndef TGC_SUM_H
#define TGC_SUM_H

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

cudaError_t sum_float(void *workspace, size_t *workspace_bytes, const float *in, uint64_t n, float *out, cudaStream_t stream);
cudaError_t sum_float_from(void *workspace, size_t *workspace_bytes, const float *in, uint64_t n, float init,
    float *out, cudaStream_t stream);
cudaError_t sum_float_counted(void *workspace, size_t *workspace_bytes, const float *in, const uint64_t *n,
    uint64_t most, float *out, cudaStream_t stream);
cudaError_t sum_float_async(const float *in, uint64_t n, float *out, cudaStream_t stream);
cudaError_t sum_workspace_init(void *workspace, size_t workspace_bytes, cudaStream_t stream);
cudaError_t sum_load_table(const char *path);

/* Why this thread's last call of these functions failed; of another error, CUDA's words. */
const char *sum_error_text(cudaError_t error);

/* The machine whose kernels serve the current device: "sm_60"; NULL: none does. */
const char *sum_machine(void);

#ifdef __cplusplus
}
#endif

#endif
