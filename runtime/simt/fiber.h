// fiber.h: stacks to switch between: a dozen instructions on x86-64, ucontext elsewhere.
#ifndef TGC_SIMT_FIBER_H
#define TGC_SIMT_FIBER_H

#include <stddef.h>

#if !defined(__x86_64__)
#include <ucontext.h>
#endif

namespace simt {

struct Fiber {
#if defined(__x86_64__)
  void *stack_pointer;
#else
  ucontext_t context;
#endif
};

constexpr size_t stack_bytes = 64 * 1024;

// Makes `f` ready to run entry() on `stack` (stack_bytes, aligned to them) when it is first switched to.
void fiber_prepare(Fiber *f, char *stack, void (*entry)());
// Suspends the running fiber as `from` and resumes `to`.
void fiber_switch(Fiber *from, Fiber *to);
// The stack that the caller runs on.
inline char *fiber_stack() { return (char *)((size_t)__builtin_frame_address(0) & ~(stack_bytes - 1)); }

} // namespace simt

#endif
