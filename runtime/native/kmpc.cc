// kmpc.cc: what clang makes of OpenMP's pragmas calls these. A pragma that needs another does not link.
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include "openmp.h"

namespace {

// An outlined region: its thread's number twice, by address, then pointers to what it shares.
typedef void Region(int *number, int *again, ...);
enum { MOST_SHARED = 16 };
struct Call {
  Region *region;
  void *shared[MOST_SHARED];
};

void enter(void *call) {
  const Call &c = *(const Call *)call;
  void *const *s = c.shared;
  int number = openmp::number(), again = number;
  // More than it takes does no harm: the caller clears them.
  c.region(&number, &again, s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[8], s[9], s[10], s[11], s[12], s[13],
           s[14], s[15]);
}

thread_local int pushed; // threads that the next region asks for

// schedule(static), each thread one part as large as any: only that is asked for.
template <typename N>
void first_and_last(int32_t schedule, int32_t *is_last, N *first, N *last, N *stride, N step) {
  if (schedule != 34) abort();
  const N size = openmp::threads(), own = openmp::number();
  const N trips = step > 0 ? (*last < *first ? 0 : (*last - *first) / step + 1) : (*first - *last) / -step + 1;
  const N small = trips / size, more = trips % size;
  const N begin = own * small + (own < more ? own : more), count = small + (own < more ? 1 : 0);
  *is_last = trips > 0 && count > 0 && begin + count == trips;
  *stride = trips * step;
  *last = *first + (begin + count - 1) * step;
  *first += begin * step;
}

} // namespace

extern "C" {

void __kmpc_fork_call(void *, int32_t count, Region *region, ...) {
  Call call = {region, {}};
  if (count > MOST_SHARED) abort();
  va_list shared;
  va_start(shared, region);
  for (int i = 0; i < count; i++) call.shared[i] = va_arg(shared, void *);
  va_end(shared);
  const int asked = pushed;
  pushed = 0;
  openmp::parallel(asked, enter, &call);
}

int32_t __kmpc_global_thread_num(void *) { return openmp::number(); }
void __kmpc_push_num_threads(void *, int32_t, int32_t threads) { pushed = threads; }

void __kmpc_for_static_init_4(void *, int32_t, int32_t schedule, int32_t *is_last, int32_t *first, int32_t *last,
                              int32_t *stride, int32_t step, int32_t) {
  first_and_last(schedule, is_last, first, last, stride, step);
}
void __kmpc_for_static_init_8(void *, int32_t, int32_t schedule, int32_t *is_last, int64_t *first, int64_t *last,
                              int64_t *stride, int64_t step, int64_t) {
  first_and_last(schedule, is_last, first, last, stride, step);
}
void __kmpc_for_static_init_8u(void *, int32_t, int32_t schedule, int32_t *is_last, uint64_t *first, uint64_t *last,
                               int64_t *stride, int64_t step, int64_t) {
  first_and_last(schedule, is_last, (int64_t *)first, (int64_t *)last, stride, step);
}
void __kmpc_for_static_fini(void *, int32_t) {}

void __kmpc_barrier(void *, int32_t) { openmp::barrier(); }
int32_t __kmpc_single(void *, int32_t) { return openmp::first_here(); }
void __kmpc_end_single(void *, int32_t) {}
int32_t __kmpc_master(void *, int32_t) { return openmp::number() == 0; }
void __kmpc_end_master(void *, int32_t) {}
void __kmpc_flush(void *) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

void __kmpc_critical(void *, int32_t, void **name) { openmp::lock(name); }
void __kmpc_end_critical(void *, int32_t, void **name) { openmp::unlock(name); }

} // extern "C"
