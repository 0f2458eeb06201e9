/* main.c: the greatest of a million numbers. */
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>

#include "greatest.h"

enum { N = 1000000 };

int main(void) {
  int *host = malloc(N * sizeof *host), result = 0;
  void *in = NULL, *out = NULL;
  for (int i = 0; i < N; i++) host[i] = (int)((long long)i * 7919 % 999983);
  cudaError_t error = cudaMalloc(&in, N * sizeof *host);
  if (error == cudaSuccess) error = cudaMalloc(&out, sizeof result);
  if (error == cudaSuccess) error = cudaMemcpy(in, host, N * sizeof *host, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) error = greatest_int_async(in, N, out, NULL);
  if (error == cudaSuccess) error = cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
  if (error != cudaSuccess) fprintf(stderr, "greatest: %s\n", greatest_error_text(error));
  else printf("the greatest of %d numbers is %d, found by the kernels for %s\n", N, result, greatest_machine());
  cudaFree(in);
  cudaFree(out);
  free(host);
  return error != cudaSuccess;
}
