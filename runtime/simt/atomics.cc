// atomics.cc: atomics. Only one lane runs at a time, so a plain update is atomic; what is checked is who else touches
// the word, and in which scope (shadow.cc). Some give way to another lane first, so that their order varies.
#include "machine.h"

#include "include/cuda_runtime.h"

static void before(const void *place, size_t bytes, simt::Access scope, const void *caller, int line) {
  if (!simt::machine.running) return;
  const bool global = scope == simt::ATOMIC_DEVICE && simt::in_arena((uintptr_t)place);
  if (simt::options.shuffled && global && simt::random_below(2))
    simt::step_aside();
  else if (simt::options.shuffled && simt::machine.block->ready_count && simt::random_below(4) == 0) {
    simt::make_ready(simt::machine.running);
    simt::give_way();
  }
  simt::before_access(place, bytes, scope, caller, line);
}

// Somebody may be spinning on the word, until another lane changes it.
static void after(bool changed, const void *place, int line) {
  if (!simt::machine.running) return;
  if (changed) {
    simt::machine.fruitless = 0;
    return;
  }
  simt::look_again(place, (uintptr_t)line);
  if (!simt::machine.block->ready_count) return;
  simt::make_ready(simt::machine.running);
  simt::give_way();
}

#define CALLER ((char *)__builtin_return_address(0) - 1)
#define DEFINE(name, T, scope, result)                    \
  T name(T *place, T value, int line) {                   \
    before(place, sizeof(T), simt::scope, CALLER, line);  \
    const T found = *place;                               \
    *place = result;                                      \
    simt::machine.fruitless = 0;                          \
    return found;                                         \
  }
#define DEFINE_SWAP(name, T, scope)                       \
  T name(T *place, T expected, T value, int line) {       \
    before(place, sizeof(T), simt::scope, CALLER, line);  \
    const T found = *place;                               \
    if (found == expected) *place = value;                \
    after(found == expected && value != found, place, line); \
    return found;                                         \
  }
#define ATOMIC(name, T, result)          \
  DEFINE(name, T, ATOMIC_DEVICE, result) \
  DEFINE(name##_block, T, ATOMIC_BLOCK, result)
#define ATOMIC_SWAP(T)                      \
  DEFINE_SWAP(atomicCAS, T, ATOMIC_DEVICE)  \
  DEFINE_SWAP(atomicCAS_block, T, ATOMIC_BLOCK)
#include "atomics.def"
