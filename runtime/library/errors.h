/* errors.h: error messages. They are defined in NAME.cu, for a CPU in NAME.c, and declared in the other files of
 * the folder.
 *
 *   DECLARATIONS   of the three functions; PARAMETERS: the operands, with the space before them; BEGUN: queued, or done
 *   STATE          a thread's last failure
 *   DEFINITIONS    NAME(failed), NAME(error_text)
 *   REFUSED        NAME(refused); MANY, IS, NEED, ELEMENTS: words around the number of elements; OR_UNLIKE: mismatched sizes
 *                  are another reason; DOING: launching, or running
 *   SHORTCUTS      a flag tells whether any call has failed: access to a thread-local variable of a shared library is a
 *                  function call, which takes as long as 32 elements
 */
#include "alone.h"
#ifndef DECLARATIONS
#define DECLARATIONS 1
#define STATE 1
#define DEFINITIONS 1
#define REFUSED 1
#endif
#ifndef PARAMETERS
#define PARAMETERS uint64_t n, const void *in, size_t in_aligned, const void *out, size_t out_aligned
#define BEGUN queued
#define MANY
#define IS
#define NEED
#define ELEMENTS
#define OR_UNLIKE
#define DOING launching
#endif
// ---- pasted from here on ----
#if DECLARATIONS
// Notes, for NAME(error_text), why a call failed; gives the error back.
SHARED ERROR NAME(failed)(ERROR error, const char *format, ...);
// What can be told of a call's arguments before anything is BEGUN. Without a workspace only the size is asked for.
SHARED ERROR NAME(arguments)(const char *who, const void *workspace, const size_t *workspace_bytes,PARAMETERS);
// Says why a variant refused a call whose arguments were right: it needs so many bytes; 0: it cannot serve so many.
SHARED ERROR NAME(refused)(const char *who, ERROR error, uint64_t n, const void *workspace,
                                 size_t bytes, size_t need);
#endif
#if STATE

#if CUDA
namespace {

#endif
// Of this thread's last call that failed.
#if CUDA
struct Failure {
  cudaError_t error;
  char text[256];
};
thread_local Failure failure;
#else
static OF_THREAD struct {
  int error;
  char text[256];
} failure;
#endif
#if SHORTCUTS

// Has a call failed, in any thread? Until then none has one to forget.
static int any_failed;
static inline bool has_failed(void) {
  int known;
#pragma omp atomic read
  known = any_failed;
  return known;
}
#endif
#endif
#if DEFINITIONS

PRIVATE bool lies_at(const void *place, size_t multiple) { return (uintptr_t)place % multiple == 0; }
#if CUDA

} // namespace
#endif

SHARED ERROR NAME(failed)(ERROR error, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  STD(vsnprintf)(failure.text, sizeof failure.text, format, arguments);
  va_end(arguments);
#if SHORTCUTS
#pragma omp atomic write
  any_failed = 1;
#endif
  return failure.error = error;
}

PUBLIC const char *NAME(error_text)(ERROR error) {
  return error != SUCCESS && error == failure.error ? failure.text : IN_WORDS(error);
}
#endif
#if REFUSED

SHARED ERROR NAME(refused)(const char *who, ERROR error, uint64_t n, const void *workspace,
                                 size_t bytes, size_t need) {
  const unsigned long long many = n;
  if (need == 0 && error == INVALID)
    return NAME(failed)(error, "%s: MANY##%llu##IS too large for the variant that serves it##OR_UNLIKE", who, many);
  if (workspace != NIL && bytes < need)
    return NAME(failed)(error, "%s: the workspace has %zu bytes, and MANY##%llu##NEED %zu", who, bytes, many,
                     need);
  return NAME(failed)(error, "%s: DOING for MANY##%llu##ELEMENTS: %s", who, many, IN_WORDS(error));
}
#endif
