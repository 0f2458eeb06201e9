/* calls.h: the functions that users call. Each checks its arguments, finds the range of its size, and calls that
 * variant.
 *
 *   NOT_INLINED   CPU: APART, an attribute
 *   SIZED         FUNCTION. SIGNATURE: its parameters; OPERANDS: their names, in CUDA with the stream; LOOKED_AT: the arguments
 *                 of NAME(arguments); WORK_SIZE: the number of elements; SIZE: that, or the elements of each part and the
 *                 number of parts; LIKE: with CONDITIONS, what else ranges may ask of the call
 *   SHORTCUTS     CPU: on a few elements the overhead of a call counts: FUNCTION calls a shortcut directly if its arguments
 *                 are surely valid, else CHECKED, which is not inlined. FIND_SHORTCUT: finds that of a call, shortcut_
 *   POOLED        CUDA: ASYNC, of ASYNC_SIGNATURE. Arguments are checked before memory is allocated, with `ready_' as workspace
 *   ONLINE        while selection is on, online.h serves the call
 *   READY         NAME(workspace_init); SAYS: the layout of a workspace's head; BYTES: how many of it are zero
 */
#if ONLINE
#include "saving.h"
#else
#include "tables.h"
#endif
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
#if CONDITIONS
#define LIKE (uintptr_t)in % 16 == 0 ? ROWS_ALIGNED : 0
#define FIND_SHORTCUT while (n > shortcut_->up_to || shortcut_->when != 0) shortcut_ += shortcut_->when != 0 ? shortcut_->past : 1;
#else
#define FIND_SHORTCUT while (n > shortcut_->up_to) ++shortcut_;
#endif
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
#if ONLINE
  if (selects_among() > 0) return OF_TYPE(online)(workspace, workspace_bytes, OPERANDS);
#endif
#if TURNS
  const int like_ = LIKE;
  const uint64_t sides_[] = {SIDES_OF_CALL};
  const Range<OF_TYPE(function)> *range_ = first_of_rivals(range_of(OF_TYPE(in_use), SIZE, like_), sides_);
#elif CONDITIONS
  const int like_ = LIKE;
  const Range<OF_TYPE(function)> *range_ = range_of(OF_TYPE(in_use), SIZE, like_);
#else
  const Range<OF_TYPE(function)> *range_ = range_of(OF_TYPE(in_use), SIZE);
#endif
  error = range_->run(&range_->c, workspace, workspace_bytes, OPERANDS);
#if CONDITIONS && ALIGNED
  if (error == SUCCESS && workspace == NIL) { // pointers may be others when it is there
#if TURNS
    const Range<OF_TYPE(function)> *other_ = first_of_rivals(range_of(OF_TYPE(in_use), SIZE, like_ ^ ROWS_ALIGNED), sides_);
#else
    const Range<OF_TYPE(function)> *other_ = range_of(OF_TYPE(in_use), SIZE, like_ ^ ROWS_ALIGNED);
#endif
    size_t bytes_ = 0;
    if (other_ != range_ && other_->run(&other_->c, NIL, &bytes_, OPERANDS) == SUCCESS && bytes_ > *workspace_bytes) *workspace_bytes = bytes_;
  }
#endif
  if (error == SUCCESS) return error;
  size_t need = 0;
  if (range_->run(&range_->c, NIL, &need, OPERANDS) != SUCCESS) need = 0;
#else
  if (error == 0 && !has_begun()) error = in_environment("FUNCTION");
  if (error != 0) return error;
#if ONLINE
  if (selects_among() > 0) return OF_TYPE(online)(workspace, workspace_bytes, OPERANDS);
#endif
#if CONDITIONS
  const int like_ = LIKE;
  const Range *range_ = range_of(OF_TYPE(in_use), SIZE, like_);
#else
  const Range *range_ = range_of(OF_TYPE(in_use), SIZE);
#endif
  error = range_->variant->RUN(&range_->c, workspace, workspace_bytes, OPERANDS);
#if CONDITIONS && ALIGNED
  if (error == 0 && workspace == NULL) { // pointers may be others when it is there
    const Range *other_ = range_of(OF_TYPE(in_use), SIZE, like_ ^ ROWS_ALIGNED);
    size_t bytes_ = 0;
    if (other_ != range_ && other_->variant->RUN(&other_->c, NULL, &bytes_, OPERANDS) == 0 && bytes_ > *workspace_bytes) *workspace_bytes = bytes_;
  }
#endif
  if (error == 0) return 0;
  size_t need = 0;
  if (range_->variant->RUN(&range_->c, NULL, &need, OPERANDS) != 0) need = 0;
#endif
  return NAME(refused)("FUNCTION", error, WORK_SIZE, workspace, *workspace_bytes, need);
}
#endif
#if SIZED && SHORTCUTS

PUBLIC ERROR FUNCTION(SIGNATURE) {
#if ONLINE
  if (has_begun() && selects_among() == 0 && !has_failed() && is_sound(workspace, workspace_bytes, LOOKED_AT)) {
#else
  if (has_begun() && !has_failed() && is_sound(workspace, workspace_bytes, LOOKED_AT)) {
#endif
    const OF_TYPE(shortcut) *shortcut_ = OF_TYPE(shortcuts);
    FIND_SHORTCUT
    if (shortcut_->work != NULL && *workspace_bytes > 0) return shortcut_->work(shortcut_->blocks, OPERANDS);
  }
  return CHECKED(workspace, workspace_bytes, OPERANDS);
}
#endif
#if POOLED

PUBLIC ERROR ASYNC(ASYNC_SIGNATURE) {
  alignas(16) static char ready_[16];
  void *workspace = nullptr;
  size_t bytes_ = sizeof ready_;
  cudaError_t error = NAME(arguments)("ASYNC", ready_, &bytes_, LOOKED_AT);
  if (error == cudaSuccess) error = FUNCTION(nullptr, &bytes_, OPERANDS);
  if (error != cudaSuccess) return error;
  error = cudaMallocAsync(&workspace, bytes_, stream);
  if (error != cudaSuccess)
    return NAME(failed)(error, "ASYNC: %zu bytes of workspace: %s", bytes_, cudaGetErrorString(error));
  error = NAME(workspace_init)(workspace, bytes_, stream);
  if (error == cudaSuccess) error = FUNCTION(workspace, &bytes_, OPERANDS);
  const cudaError_t freed_ = cudaFreeAsync(workspace, stream);
  return error != cudaSuccess ? error : freed_;
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
