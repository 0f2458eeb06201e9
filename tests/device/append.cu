// Lanes of several blocks append to a queue, by themselves and by way of their block's shared memory: each element is
// there once, and nothing beyond the queue's room.
//
// mutant: counts without an atomic: return atomicAdd(count, (Word)1); => return (*count)++;
// mutant: writes what there is no room for: if (at < (unsigned long long)room) queue[at] = value; => queue[at] = value;
// mutant: writes beyond the warp's share: if (at < share) here => here
// mutant: loses what the warp has no place for: else append<T>(count, value, queue, room); => ;
// mutant: takes another warp's share: here[warp * share + at] = value; => here[at] = value;
// mutant: appends before all have: lane = (int)threadIdx.x % 32;\n  __syncwarp(); => lane = (int)threadIdx.x % 32;
// mutant: each lane has a place of its own: first = __shfl_sync(0xffffffff, first, 0); => ;
// mutant: does not begin again: if (lane == 0) held[warp] = 0; => ;
// mutant: begins again too early: here[warp * share + i];\n    __syncwarp(); => here[warp * share + i];
// mutant: goes on before it has begun again: = 0;\n  }\n  __syncwarp(); => = 0;\n  }
// mutant: takes one place for several: (Word)many) : 0, left => (Word)1) : 0, left
// mutant: takes several without an atomic: (Index)atomicAdd((Word *)count, (Word)many) : 0, left => (Index)((*count += (C)many) - (C)many) : 0, left
// mutant: stores several beyond the room: taken[3] = many < left ? many : left; => taken[3] = many;
// mutant: stores none: taken[3] = many < left ? many : left; => taken[3] = 0;
// mutant: takes the share for endless: left = at < share ? share - at : 0, here => left = share, here
// mutant: takes no places for the rest: reserve(count, many - here, taken, room); => reserve(count, (Index)0, taken, room);
// mutant: takes places for all: reserve(count, many - here, taken, room); => reserve(count, many, taken, room);
// mutant: has another warp's share: taken[0] = warp * share + at; => taken[0] = at;
// mutant: has all there: taken[1] = here; => taken[1] = many;
// mutant: writes what the warp held beyond the room: if (first + i < (unsigned long long)room) queue => queue
#include "device_test.h"

#include "append.cuh"

template <typename C> __global__ void append_alone(C *count, int *queue, Index room, int each) {
  const int who = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < each; i++)
    if ((who + i) % 3 != 0) append<int>(count, who * each + i, queue, room);
}

template <typename C> __global__ void append_together(C *count, int *queue, Index room, int each) {
  __shared__ int held[2];
  __shared__ int here[80];
  const int who = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x % 32 == 0) held[threadIdx.x / 32] = 0;
  __syncwarp();
  for (int i = 0; i < each; i++) {
    if ((who + i) % 3 != 0) append_here<int>(held, here, 40, count, who * each + i, queue, room);
    append_held<int>(held, here, 40, 30, count, queue, room);
  }
  append_held<int>(held, here, 40, 1, count, queue, room);
}

// A lane has from none up to so many elements more than its warp's share holds.
__device__ int many_of(int who, int each) { return who * 7 % (each + 1); }

template <typename C> __global__ void reserve_alone(C *count, int *queue, Index room, int each) {
  const int who = blockIdx.x * blockDim.x + threadIdx.x;
  Index taken[4];
  reserve(count, many_of(who, each), taken, room);
  for (int i = 0; i < taken[3]; i++) queue[taken[2] + i] = who * each + i;
}

template <typename C> __global__ void reserve_together(C *count, int *queue, Index room, int each) {
  __shared__ int held[2];
  __shared__ int here[80];
  const int who = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x % 32 == 0) held[threadIdx.x / 32] = 0;
  __syncwarp();
  for (int part = 0; part < 2; part++) {
    const int from = part * many_of(who, each) / 2, to = (part + 1) * many_of(who, each) / 2;
    Index taken[4];
    reserve_here(count, to - from, taken, room, held, 40);
    for (int i = 0; i < taken[1]; i++) here[taken[0] + i] = who * each + from + i;
    for (int i = 0; i < taken[3]; i++) queue[taken[2] + i] = who * each + from + (int)taken[1] + i;
    append_held<int>(held, here, 40, 30, count, queue, room);
  }
  append_held<int>(held, here, 40, 1, count, queue, room);
}

template <typename C> bool all_reserved(void (*kernel)(C *, int *, Index, int), int room, int each) {
  const int blocks = 3, threads = 64;
  int all = 0;
  for (int who = 0; who < blocks * threads; who++) all += many_of(who, each);
  C *count = zeroed<C>(1);
  int *queue = zeroed<int>((size_t)(room ? room : 1)), *seen = zeroed<int>((size_t)(blocks * threads * each));
  for (int i = 0; i < room; i++) queue[i] = -1;
  if (!launched(kernel, blocks, threads, count, queue, (Index)room, each) || count[0] != C(all)) return false;
  for (int i = 0; i < room; i++) {
    if (i >= all && queue[i] == -1) continue;
    if (i >= all || queue[i] < 0 || queue[i] >= blocks * threads * each) return false;
    if (queue[i] % each >= many_of(queue[i] / each, each) || seen[queue[i]]++) return false;
  }
  return true;
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
    for (int room : {30000, 400, 0})
      for (int each : {1, 3, 130})
        if (!all_reserved<int>(reserve_alone<int>, room, each) ||
            !all_reserved<long long>(reserve_alone<long long>, room, each) ||
            !all_reserved<int>(reserve_together<int>, room, each) ||
            !all_reserved<unsigned>(reserve_together<unsigned>, room, each))
          return false;
    return true;
  });
}
