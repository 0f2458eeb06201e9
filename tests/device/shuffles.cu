// Values of 12 and 2 bytes take each of the four ways that a warp's values go.
//
// mutant: half of the lanes: HARDWARE(0xffffffff => HARDWARE(0x0000ffff
// mutant: one word: k < (int)(sizeof moved.word / sizeof(unsigned)) => k < 1
// mutant: no distance: moved.word[k], LANE) => moved.word[k], 0)
#include "device_test.h"

#include "shuffles.cuh"
#undef WORDS
#define WORDS 0
#undef NAME
#undef HARDWARE
#define NAME shuffle_up
#define HARDWARE __shfl_up_sync
#include "shuffles.cuh"
#undef NAME
#undef HARDWARE
#define NAME shuffle_xor
#define HARDWARE __shfl_xor_sync
#include "shuffles.cuh"
#undef NAME
#undef HARDWARE
#define NAME shuffle
#define HARDWARE __shfl_sync
#include "shuffles.cuh"

template <typename V> struct Made;
template <> struct Made<short> {
  static __device__ short of(int lane) { return (short)(300 * lane); }
  static __device__ bool is(short v, int lane) { return v == of(lane); }
};
struct Three { int a, b, c; };
template <> struct Made<Three> {
  static __device__ Three of(int lane) { return {lane, -lane, 7 * lane}; }
  static __device__ bool is(Three v, int lane) { return v.a == lane && v.b == -lane && v.c == 7 * lane; }
};

template <typename V> __global__ void exchange(bool *right) {
  const int lane = threadIdx.x;
  const V own = Made<V>::of(lane);
  const V down = shuffle_down(own, 3), up = shuffle_up(own, 5), across = shuffle_xor(own, 9), given = shuffle(own, 17);
  right[lane] = (lane + 3 >= 32 || Made<V>::is(down, lane + 3)) && (lane < 5 || Made<V>::is(up, lane - 5)) &&
                Made<V>::is(across, lane ^ 9) && Made<V>::is(given, 17);
}

template <typename V> static bool all_right() {
  bool *right = zeroed<bool>(32), all = true;
  if (!launched(exchange<V>, 1, 32, right)) return false;
  for (int i = 0; i < 32; i++) all &= right[i];
  return all;
}

int main() {
  return each_seed([] { return all_right<short>() && all_right<Three>(); });
}
