// Lanes of several blocks append to a queue, by themselves and by way of their block's shared memory: each element is
// there once, and nothing beyond the queue's room.
//
// mutant: counts without an atomic: return atomicAdd(count, (Word)1); => return (*count)++;
// mutant: writes what there is no room for: if (at < (unsigned long long)room) queue[at] = value; => queue[at] = value;
// mutant: writes beyond the block's place: if (at < most) here[at] = value;\n  else => here[at] = value;\n  if (at >= most)
// mutant: loses what the block has no place for: else append<T>(count, value, queue, room); => ;
// mutant: appends before all have: Word;\n  __syncthreads(); => Word;
// mutant: goes on before the place is known: (Word)many);\n  __syncthreads(); => (Word)many);
// mutant: does not begin again: if (threadIdx.x == 0) held[0] = 0; => ;
// mutant: begins again too early: here[i];\n  __syncthreads(); => here[i];
// mutant: writes what the block held beyond the room: if (*first + i < (unsigned long long)room) queue => queue
#include "device_test.h"

#include "append.cuh"

template <typename C> __global__ void append_alone(C *count, int *queue, Index room, int each) {
  const int who = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < each; i++)
    if ((who + i) % 3 != 0) append<int>(count, who * each + i, queue, room);
}

template <typename C> __global__ void append_together(C *count, int *queue, Index room, int each) {
  __shared__ int held[4];
  __shared__ int here[40];
  const int who = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) held[0] = 0;
  __syncthreads();
  for (int i = 0; i < each; i++) {
    if ((who + i) % 3 != 0) append_here<int>(held, here, 40, count, who * each + i, queue, room);
    append_held<int>(held, here, 40, count, queue, room);
  }
}

template <typename C> bool all_there(void (*kernel)(C *, int *, Index, int), int room) {
  const int blocks = 3, threads = 64, each = 3, all = blocks * threads * each;
  C *count = zeroed<C>(1);
  int *queue = zeroed<int>((size_t)(room ? room : 1)), *seen = zeroed<int>(all);
  if (!launched(kernel, blocks, threads, count, queue, (Index)room, each) || count[0] != C(all / 3 * 2)) return false;
  for (int i = 0; i < room && i < all / 3 * 2; i++) {
    const int who = queue[i] / each, at = queue[i] % each;
    if (queue[i] < 0 || queue[i] >= all || (who + at) % 3 == 0 || seen[queue[i]]++) return false;
  }
  return true;
}

int main() {
  return each_seed([] {
    for (int room : {384, 400, 100, 0})
      if (!all_there<int>(append_alone<int>, room) || !all_there<long long>(append_alone<long long>, room) ||
          !all_there<int>(append_together<int>, room) || !all_there<unsigned>(append_together<unsigned>, room))
        return false;
    return true;
  });
}
