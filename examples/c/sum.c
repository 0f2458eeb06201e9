/* sum.c: the sum of n numbers, in C, with a workspace of the program's own.
 *
 *   tgc codelets/sum.cdl --arch sm_80 --types float -o out/
 *   nvcc -std=c++17 -arch=sm_80 -I out -o sum examples/c/sum.c $(find out -name '*.cu')
 *   ./sum 1000000 */
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>

#include "sum.h"

/* What a call of that size needs, allocated and made ready. */
static cudaError_t make_workspace(uint64_t n, void **workspace, size_t *bytes) {
  cudaError_t error = sum_float(NULL, bytes, NULL, n, NULL, NULL);
  if (error == cudaSuccess) error = cudaMalloc(workspace, *bytes);
  if (error == cudaSuccess) error = sum_workspace_init(*workspace, *bytes, NULL);
  return error;
}

int main(int argc, char **argv) {
  const uint64_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000;
  float *host = malloc(n * sizeof *host + 1), plain = 0, from = 0;
  void *in = NULL, *out = NULL, *workspace = NULL;
  size_t bytes = 0;
  if (!host) return 1;
  for (uint64_t i = 0; i < n; i++) host[i] = (float)(i % 10);

  cudaError_t error = cudaMalloc(&in, n * sizeof *host + 1);
  if (error == cudaSuccess) error = cudaMalloc(&out, sizeof(float));
  if (error == cudaSuccess) error = cudaMemcpy(in, host, n * sizeof *host, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) error = make_workspace(n, &workspace, &bytes);

  /* The same workspace serves any number of calls, one after the other. */
  if (error == cudaSuccess) error = sum_float(workspace, &bytes, in, n, out, NULL);
  if (error == cudaSuccess) error = cudaMemcpy(&plain, out, sizeof plain, cudaMemcpyDeviceToHost);
  if (error == cudaSuccess) error = sum_float_from(workspace, &bytes, in, n, 0.5f, out, NULL);
  if (error == cudaSuccess) error = cudaMemcpy(&from, out, sizeof from, cudaMemcpyDeviceToHost);

  if (error != cudaSuccess) fprintf(stderr, "sum: %s\n", sum_error_text(error));
  else printf("%llu numbers: %.1f; from 0.5: %.1f\n", (unsigned long long)n, plain, from);
  cudaFree(workspace);
  cudaFree(out);
  cudaFree(in);
  free(host);
  return error != cudaSuccess;
}
