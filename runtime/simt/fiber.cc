// fiber.cc: switching stacks.
#include "fiber.h"

#include <stdint.h>

namespace simt {

#if defined(__x86_64__)

// Only what a called function must keep is saved: six registers and the return address.
asm(R"(
.text
.type simt_switch_stack,@function
simt_switch_stack:
  push %rbp
  push %rbx
  push %r12
  push %r13
  push %r14
  push %r15
  mov %rsp,(%rdi)
  mov %rsi,%rsp
  pop %r15
  pop %r14
  pop %r13
  pop %r12
  pop %rbx
  pop %rbp
  ret
.size simt_switch_stack,.-simt_switch_stack
)");
extern "C" void simt_switch_stack(void **save, void *to);

void fiber_prepare(Fiber *f, char *stack, void (*entry)()) {
  // Stacks at multiples of 64 KiB would share the same few lines of the cache: each starts a little lower.
  size_t colour = ((uintptr_t)stack / stack_bytes % 61) * 64;
  void **top = (void **)(((uintptr_t)(stack + stack_bytes - 64 - colour)) & ~(uintptr_t)15);
  *--top = nullptr; // entry() never returns; the word keeps its frame aligned
  *--top = (void *)entry;
  for (int i = 0; i < 6; i++) *--top = nullptr;
  f->stack_pointer = top;
}

void fiber_switch(Fiber *from, Fiber *to) { simt_switch_stack(&from->stack_pointer, to->stack_pointer); }

#else

void fiber_prepare(Fiber *f, char *stack, void (*entry)()) {
  getcontext(&f->context);
  f->context.uc_stack.ss_sp = stack;
  f->context.uc_stack.ss_size = stack_bytes;
  f->context.uc_link = nullptr;
  makecontext(&f->context, entry, 0);
}

void fiber_switch(Fiber *from, Fiber *to) { swapcontext(&from->context, &to->context); }

#endif

} // namespace simt
