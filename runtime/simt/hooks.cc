// hooks.cc: what clang's and gcc's -fsanitize=thread calls for every load and store. Linked in place of the sanitizer's
// own library: kernels are compiled with -fsanitize=thread and linked without it.
#include <string.h>

#include "simt.h"

#define HOOK extern "C" __attribute__((used)) void
#define CALLER ((char *)__builtin_return_address(0) - 1)
#define HOOKS(n)                                                                                             \
  HOOK __tsan_read##n(void *p) { simt::before_access(p, n, simt::READ, CALLER, 0); }                         \
  HOOK __tsan_write##n(void *p) { simt::before_access(p, n, simt::WRITE, CALLER, 0); }                       \
  HOOK __tsan_unaligned_read##n(void *p) { simt::before_access(p, n, simt::READ, CALLER, 0); }               \
  HOOK __tsan_unaligned_write##n(void *p) { simt::before_access(p, n, simt::WRITE, CALLER, 0); }             \
  HOOK __tsan_volatile_read##n(void *p) { simt::before_access(p, n, simt::READ, CALLER, 0); }                \
  HOOK __tsan_volatile_write##n(void *p) { simt::before_access(p, n, simt::WRITE, CALLER, 0); }              \
  HOOK __tsan_unaligned_volatile_read##n(void *p) { simt::before_access(p, n, simt::READ, CALLER, 0); }      \
  HOOK __tsan_unaligned_volatile_write##n(void *p) { simt::before_access(p, n, simt::WRITE, CALLER, 0); }    \
  HOOK __tsan_read_write##n(void *p) {                                                                       \
    simt::before_access(p, n, simt::READ, CALLER, 0);                                                        \
    simt::before_access(p, n, simt::WRITE, CALLER, 0);                                                       \
  }                                                                                                          \
  HOOK __tsan_unaligned_read_write##n(void *p) {                                                             \
    simt::before_access(p, n, simt::READ, CALLER, 0);                                                        \
    simt::before_access(p, n, simt::WRITE, CALLER, 0);                                                       \
  }
HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)

HOOK __tsan_init() {}
HOOK __tsan_func_entry(void *) {}
HOOK __tsan_func_exit() {}
HOOK __tsan_vptr_update(void *, void *) {}
HOOK __tsan_vptr_read(void *) {}
HOOK __tsan_read_range(void *p, size_t n) { simt::before_access(p, n, simt::READ, CALLER, 0); }
HOOK __tsan_write_range(void *p, size_t n) { simt::before_access(p, n, simt::WRITE, CALLER, 0); }

extern "C" __attribute__((used)) void *__tsan_memcpy(void *to, const void *from, size_t n) {
  simt::before_access(from, n, simt::READ, CALLER, 0);
  simt::before_access(to, n, simt::WRITE, CALLER, 0);
  return memcpy(to, from, n);
}
extern "C" __attribute__((used)) void *__tsan_memmove(void *to, const void *from, size_t n) {
  simt::before_access(from, n, simt::READ, CALLER, 0);
  simt::before_access(to, n, simt::WRITE, CALLER, 0);
  return memmove(to, from, n);
}
extern "C" __attribute__((used)) void *__tsan_memset(void *to, int byte, size_t n) {
  simt::before_access(to, n, simt::WRITE, CALLER, 0);
  return memset(to, byte, n);
}
