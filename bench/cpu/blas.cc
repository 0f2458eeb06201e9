// blas.cc: OpenBLAS, if this machine has it: opened when the comparison runs, so nothing needs it to build.
#include "loops.h"

#include <dlfcn.h>

#include <cstdlib>

namespace {

void *library(std::string *why) {
  const char *named = std::getenv("TGC_OPENBLAS");
  const char *const usual[] = {named && *named ? named : "libopenblas.so.0", "libopenblas.so"};
  for (int i = 0; i < (named && *named ? 1 : 2); i++)
    if (void *opened = dlopen(usual[i], RTLD_NOW | RTLD_LOCAL)) return opened;
  *why = std::string("OpenBLAS is not installed (") + usual[0] + "; TGC_OPENBLAS names it)";
  return nullptr;
}

template <typename F>
F function(const char *name, std::string *why) {
  static void *const opened = library(why);
  void *found = opened ? dlsym(opened, name) : nullptr;
  if (!found && why->empty()) *why = opened ? std::string("OpenBLAS has no ") + name : "OpenBLAS is not installed";
  return (F)found;
}

#if defined LOOPS_dot
const char *const names[] = {"cblas_sdot", "cblas_ddot"};
template <typename T> T (*call)(int, const T *, int, const T *, int);
template <typename T>
void run(const Slot *o, uint64_t calls) {
  for (uint64_t i = 0; i < calls; i++)
    *(T *)o[3].pointer = call<T>((int)o[1].size, (const T *)o[0].pointer, 1, (const T *)o[2].pointer, 1);
}
#elif defined LOOPS_axpy
const char *const names[] = {"cblas_saxpy", "cblas_daxpy"};
template <typename T> void (*call)(int, T, const T *, int, T *, int);
template <typename T>
void run(const Slot *o, uint64_t calls) {
  for (uint64_t i = 0; i < calls; i++)
    call<T>((int)o[2].size, *(const T *)o[0].number, (const T *)o[1].pointer, 1, (T *)o[3].pointer, 1);
}
#elif defined LOOPS_gemv || defined LOOPS_gemv_columns
enum { ROW_MAJOR = 101, COLUMN_MAJOR = 102, NO_TRANS = 111 };
const char *const names[] = {"cblas_sgemv", "cblas_dgemv"};
template <typename T> void (*call)(int, int, int, int, T, const T *, int, const T *, int, T, T *, int);
template <typename T>
void run(const Slot *o, uint64_t calls) {
#if defined LOOPS_gemv
  const int order = ROW_MAJOR;
#else
  const int order = COLUMN_MAJOR;
#endif
  for (uint64_t i = 0; i < calls; i++)
    call<T>(order, NO_TRANS, (int)o[1].size, (int)o[2].size, (T)1, (const T *)o[0].pointer, (int)o[3].size,
            (const T *)o[4].pointer, 1, (T)0, (T *)o[5].pointer, 1);
}
#else
#define NOTHING 1
#endif

} // namespace

#ifdef NOTHING
BlasCalls *blas_of(const char *, std::string *why) {
  *why = "OpenBLAS has no function that does this";
  return nullptr;
}
#else
BlasCalls *blas_of(const char *type, std::string *why) {
  const std::string name = type;
  if (name == "float") return (call<float> = function<decltype(call<float>)>(names[0], why)) ? run<float> : nullptr;
  if (name == "double") return (call<double> = function<decltype(call<double>)>(names[1], why)) ? run<double> : nullptr;
  *why = "OpenBLAS has no functions for " + name;
  return nullptr;
}
#endif
