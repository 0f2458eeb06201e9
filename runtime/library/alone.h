/* alone.h: what a file of this folder finds around it where it is pasted, for those who read or compile it alone:
 * as CUDA, where the compiler is one of C++, or as C for a CPU. The language's words, and those that stand for
 * names, are parameters of all files (emit/template.c). */
#ifndef TGC_LIBRARY_ALONE_H
#define TGC_LIBRARY_ALONE_H

#ifdef __cplusplus
#include <cuda_runtime.h>
#include <stdint.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#define CUDA 1
#define ERROR cudaError_t
#define SUCCESS cudaSuccess
#define INVALID cudaErrorInvalidValue
#define MISSING cudaErrorInvalidConfiguration
#define IN_WORDS(error) cudaGetErrorString(error)
#define NIL nullptr
#define STD(x) std::x
#define PUBLIC extern "C"
#define SHARED extern "C"
#define PRIVATE
#define NO_PARAMETERS
#define STREAM , cudaStream_t stream
#else
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define CUDA 0
#define ERROR int
#define SUCCESS 0
#define INVALID EINVAL
#define MISSING ENOTSUP
#define IN_WORDS(error) strerror(error)
#define NIL NULL
#define STD(x) x
#define PUBLIC
#define SHARED static
#define PRIVATE static
#define NO_PARAMETERS void
#define OF_THREAD _Thread_local
#define STREAM
#endif

#ifndef BY_SHAPE
#define BY_SHAPE 0  /* are variants picked by shapes? */
#endif
#ifndef CONDITIONS
#define CONDITIONS 0 /* do ranges ask for more than a size? */
#endif
#ifndef ALIGNED
#define ALIGNED CONDITIONS /* can calls tell whether rows are aligned? */
#define SIDES CONDITIONS   /* .. results tall or wide? */
#define SKEW 16
#endif
#ifndef TURNS
#define TURNS 0 /* may ranges be rivals, with tiles of EXTENTS? */
#endif
#if TURNS
#define RANK 2
#define EXTENTS c.loads, c.loads
#define PANEL c.loads
#define SIDES_OF_CALL n, 1, n
#define ADDED 64
#define UNITS 4
#endif
/* What finds a range, as parameters. */
#ifndef KEYS
#if BY_SHAPE && CONDITIONS
#define KEYS uint64_t n, uint64_t count, int like
#elif BY_SHAPE
#define KEYS uint64_t n, uint64_t count
#elif CONDITIONS
#define KEYS uint64_t n, int like
#else
#define KEYS uint64_t n
#endif
#endif
/* What a range has room for, as parameters and as arguments; and those of a range that serves all. */
#ifndef ROOM
#if BY_SHAPE && CONDITIONS && TURNS
#define ROOM_PARAMETERS uint64_t up_to, uint64_t most, int when, int turn
#define ROOM n, most, when, turn
#define ANY_ROOM UINT64_MAX, UINT64_MAX, 0, 0
#elif CONDITIONS && TURNS
#define ROOM_PARAMETERS uint64_t up_to, int when, int turn
#define ROOM n, when, turn
#define ANY_ROOM UINT64_MAX, 0, 0
#elif BY_SHAPE && CONDITIONS
#define ROOM_PARAMETERS uint64_t up_to, uint64_t most, int when
#define ROOM n, most, when
#define ANY_ROOM UINT64_MAX, UINT64_MAX, 0
#elif BY_SHAPE
#define ROOM_PARAMETERS uint64_t up_to, uint64_t most
#define ROOM n, most
#define ANY_ROOM UINT64_MAX, UINT64_MAX
#elif CONDITIONS
#define ROOM_PARAMETERS uint64_t up_to, int when
#define ROOM n, when
#define ANY_ROOM UINT64_MAX, 0
#else
#define ROOM_PARAMETERS uint64_t up_to
#define ROOM n
#define ANY_ROOM UINT64_MAX
#endif
#endif
#ifndef ONLINE
#define ONLINE 0 /* are there functions that select while a program runs? */
#endif
#if ONLINE && CUDA
void end_selection();
#elif ONLINE
static void end_selection(void);
#endif
#ifndef SHORTCUTS
#define SHORTCUTS 0 /* do variants of a CPU do their work alone? */
#endif

/* Names of the library `example', of its element type float, and of the functions of that type. */
#define NAME(x) example_##x
#define OF_TYPE(x) float_##x
#define RUN run_float
#define USE_TYPE use_float
#define COMPILED compiled_float
#define CHECKED checked_float
#define WORK example_float_work

typedef struct example_configuration {
  int threads, loads;
  int64_t blocks;
} example_configuration;
typedef struct example_variant {
  const char *id;
  ERROR (*run_float)(const example_configuration *c, void *workspace, size_t *workspace_bytes, const float *in, uint64_t n, float *out
                     STREAM);
  const char *determinism;
} example_variant;
extern const example_variant example_variants[2];
extern const int example_variant_count;
typedef int example_float_work(int64_t blocks, const float *in, uint64_t n, float *out);

#ifdef __cplusplus
extern "C" cudaError_t example_workspace_init(void *workspace, size_t workspace_bytes, cudaStream_t stream);
namespace {
typedef decltype(example_variant::run_float) float_function;
}
#else
static example_float_work *(*const float_works[2])(const example_configuration *c);
static inline bool is_sound(const void *workspace, const size_t *workspace_bytes, uint64_t n, const void *in, size_t in_aligned,
                            const void *out, size_t out_aligned) {
  (void)n, (void)in_aligned, (void)out_aligned;
  return workspace && workspace_bytes && in && out;
}
#endif

#endif
