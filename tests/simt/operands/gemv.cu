// gemv: y = A x, a row a lane.
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

namespace gemv_right {

constexpr int lanes = 64;

__global__ void gemv(const float *__restrict__ A, long long rows, long long columns, long long leading,
                     const float *__restrict__ x, float *__restrict__ y) {
  const long long row = (long long)blockIdx.x * lanes + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (long long k = 0; k < columns; k++) sum += A[row * leading + k] * x[k];
  y[row] = sum;
}

} // namespace gemv_right

extern "C" cudaError_t gemv_right_float(const void *, void *workspace, size_t *bytes, const float *A, uint64_t rows,
                                        uint64_t columns, uint64_t leading, const float *x, float *y,
                                        cudaStream_t stream) {
  if (workspace == nullptr) {
    *bytes = 1;
    return cudaSuccess;
  }
  if (rows == 0) return cudaSuccess;
  long long m = (long long)rows, n = (long long)columns, apart = (long long)leading;
  void *args[] = {&A, &m, &n, &apart, &x, &y};
  return cudaLaunchKernel(gemv_right::gemv, dim3((unsigned)((rows + gemv_right::lanes - 1) / gemv_right::lanes)),
                          dim3(gemv_right::lanes), args, 0, stream);
}
