/* calls.h: the functions that users call. Each looks at its arguments, finds the range that they are in, and calls that variant.
 *
 *   NOT_INLINED   of a CPU: how compilers keep a function out of those that call it
 *   SIZED         FUNCTION, or what its shortest way leaves to it. SIGNATURE: its parameters; OPERANDS: their names, in CUDA with
 *                 the stream; LOOKED_AT: what is looked at of them; WORK_SIZE: how much there is to do; SIZE: what ranges are of:
 *                 that, or the work for each part and how many parts there are
 *   SHORTCUTS     of a CPU, where variants do their work alone: what a call of a few elements waits for is the way to it. A call
 *                 that nothing can be wrong with has the shortest one, and what any other needs is in a function of its own.
 *                 FIND_SHORTCUT: that of a call, s
 *   POOLED        in CUDA: ASYNC, of ASYNC_SIGNATURE. What is wrong with the pointers is found before memory is asked for:
 *                 `ready' stands for a workspace
 *   READY         NAME(workspace_init); SAYS: what a workspace begins with; BYTES: how many of it are zero
 */
#include "tables.h"
#ifndef SIZED
#define NOT_INLINED !CUDA
#define SIZED 1
#define POOLED CUDA
#define READY 1
#endif
#ifndef FUNCTION
#define FUNCTION example_float
#define ASYNC example_float_async
#define SIGNATURE void *workspace, size_t *workspace_bytes, ASYNC_SIGNATURE
#if CUDA
#define ASYNC_SIGNATURE const float *in, uint64_t n, float *out, cudaStream_t stream
#define OPERANDS in, n, out, stream
#else
#define ASYNC_SIGNATURE const float *in, uint64_t n, float *out
#define OPERANDS in, n, out
#endif
#define LOOKED_AT n, in, sizeof *in, out, sizeof *out
#define WORK_SIZE n
#if BY_SHAPE
#define SIZE n, 1
#else
#define SIZE n
#endif
#define FIND_SHORTCUT while (n > s->up_to) ++s;
#define SAYS
#define BYTES workspace_bytes
#endif
// ---- pasted from here on ----
#if NOT_INLINED
#ifdef __GNUC__
#define APART __attribute__((noinline))
#else
#define APART
#endif

#endif
#if SIZED && SHORTCUTS

// A call that something may be wrong with, that is the first one, or that has a failure to forget.
APART static int CHECKED(SIGNATURE) {
#elif SIZED

PUBLIC ERROR FUNCTION(SIGNATURE) {
#endif
#if SIZED
  ERROR error = NAME(arguments)("FUNCTION", workspace, workspace_bytes, LOOKED_AT);
#if CUDA
  if (error == SUCCESS) error = in_environment("FUNCTION");
  if (error != SUCCESS) return error;
  const Range<OF_TYPE(function)> *r = range_of(OF_TYPE(in_use), SIZE);
  error = r->run(&r->c, workspace, workspace_bytes, OPERANDS);
  if (error == SUCCESS) return error;
  size_t need = 0;
  if (r->run(&r->c, NIL, &need, OPERANDS) != SUCCESS) need = 0;
#else
  if (error == 0 && !has_begun()) error = in_environment("FUNCTION");
  if (error != 0) return error;
  const Range *r = range_of(OF_TYPE(in_use), SIZE);
  error = r->variant->RUN(&r->c, workspace, workspace_bytes, OPERANDS);
  if (error == 0) return 0;
  size_t need = 0;
  if (r->variant->RUN(&r->c, NULL, &need, OPERANDS) != 0) need = 0;
#endif
  return NAME(refused)("FUNCTION", error, WORK_SIZE, workspace, *workspace_bytes, need);
}
#endif
#if SIZED && SHORTCUTS

PUBLIC ERROR FUNCTION(SIGNATURE) {
  if (has_begun() && !has_failed() && is_sound(workspace, workspace_bytes, LOOKED_AT)) {
    const OF_TYPE(shortcut) *s = OF_TYPE(shortcuts);
    FIND_SHORTCUT
    if (s->work != NULL && *workspace_bytes > 0) return s->work(s->blocks, OPERANDS);
  }
  return CHECKED(workspace, workspace_bytes, OPERANDS);
}
#endif
#if POOLED

PUBLIC ERROR ASYNC(ASYNC_SIGNATURE) {
  alignas(16) static char ready[16];
  void *workspace = nullptr;
  size_t bytes = sizeof ready;
  cudaError_t error = NAME(arguments)("ASYNC", ready, &bytes, LOOKED_AT);
  if (error == cudaSuccess) error = FUNCTION(nullptr, &bytes, OPERANDS);
  if (error != cudaSuccess) return error;
  error = cudaMallocAsync(&workspace, bytes, stream);
  if (error != cudaSuccess)
    return NAME(failed)(error, "ASYNC: %zu bytes of workspace: %s", bytes, cudaGetErrorString(error));
  error = NAME(workspace_init)(workspace, bytes, stream);
  if (error == cudaSuccess) error = FUNCTION(workspace, &bytes, OPERANDS);
  const cudaError_t freed = cudaFreeAsync(workspace, stream);
  return error != cudaSuccess ? error : freed;
}
#endif
#if READY

// SAYS
#if CUDA
PUBLIC ERROR NAME(workspace_init)(void *workspace, size_t workspace_bytes, cudaStream_t stream) {
#else
PUBLIC ERROR NAME(workspace_init)(void *workspace, size_t workspace_bytes) {
#endif
  if (workspace == NIL || workspace_bytes == 0)
    return NAME(failed)(INVALID, "NAME(workspace_init): there is no workspace");
#if CUDA
  return cudaMemsetAsync(workspace, 0, BYTES, stream);
#else
  memset(workspace, 0, BYTES);
  return 0;
#endif
}
#endif
