/* conditions.c: which variant a library of gemm picks for each call. Its variants are stand-ins (STAND_INS, which
 * tests/cli/conditions.py writes): each notes that it was called, and needs a workspace of its own size. No operand is
 * ever read.
 *
 *   conditions [-t TABLE] < calls      a call a line: rows columns leading B_columns B_leading C_leading, and how many
 *                                      elements beyond a multiple of 64 bytes A, B and C begin
 *
 * For each call: the variant, its first tunable, and those of the same call when all pointers are NULL and a workspace's
 * size is asked for. With -t ranges are loaded from there; what is wrong with it is the only line then. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gemm.h"

#ifdef __cplusplus
#define STREAM , (cudaStream_t)NULL
#define WITH_STREAM , cudaStream_t stream
#define ERROR cudaError_t
#define REFUSED cudaErrorInvalidValue
#define DONE cudaSuccess
extern "C" {
cudaError_t cudaMemsetAsync(void *, int, size_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaMallocAsync(void **, size_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaFreeAsync(void *, cudaStream_t) { return cudaSuccess; }
const char *cudaGetErrorString(cudaError_t) { return "refused"; }
}
#else
#include <errno.h>
#define STREAM
#define WITH_STREAM
#define ERROR int
#define REFUSED EINVAL
#define DONE 0
#endif

static const char *called;
static int threads;

static ERROR note(const char *id, size_t need, const gemm_configuration *c, const void *workspace, size_t *bytes) {
  called = id;
  threads = c->threads;
  if (workspace == NULL) *bytes = need;
  return *bytes < need ? REFUSED : DONE;
}

#include STAND_INS

typedef struct Call { uint64_t rows, columns, leading, B_columns, B_leading, C_leading; int at[3]; } Call;

static ELEMENT *pointer(size_t bytes, const Call *c, int i) {
  return (ELEMENT *)((uintptr_t)1 << 20 | ((uintptr_t)c->at[i] * bytes));
}

static int call(const Call *c, void *workspace, size_t *bytes, int nothing) {
  ELEMENT *A = nothing ? NULL : pointer(ELEMENT_BYTES, c, 0), *B = nothing ? NULL : pointer(ELEMENT_BYTES, c, 1);
  float *C = nothing ? NULL : (float *)pointer(sizeof(float), c, 2);
  called = "none";
  return (int)FUNCTION(workspace, bytes, A, c->rows, c->columns, c->leading, B, c->B_columns, c->B_leading, C,
                       c->C_leading STREAM);
}

int main(int argc, char **argv) {
  static char workspace[64];
  Call c;
  const ERROR loaded = argc > 2 ? gemm_load_table(argv[2]) : DONE;
  if (loaded != DONE) {
    printf("%s\n", gemm_error_text(loaded));
    return 0;
  }
  while (scanf("%" SCNu64 "%" SCNu64 "%" SCNu64 "%" SCNu64 "%" SCNu64 "%" SCNu64 "%d%d%d", &c.rows, &c.columns, &c.leading,
               &c.B_columns, &c.B_leading, &c.C_leading, &c.at[0], &c.at[1], &c.at[2]) == 9) {
    size_t bytes = 0;
    if (call(&c, NULL, &bytes, 1) != DONE) printf("size: %s\n", gemm_error_text(REFUSED));
    void *aligned = workspace + (64 - (uintptr_t)workspace % 64) % 64 % 16;
    if (call(&c, aligned, &bytes, 0) != DONE) printf("%s\n", gemm_error_text(REFUSED));
    else printf("%s %d\n", called, threads);
  }
  return 0;
}
