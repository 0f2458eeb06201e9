// Loads and stores of 16 bytes, of elements of 1 to 8 bytes, at multiples of 16 and elsewhere.
//
// mutant: misaligned load: if ((uintptr_t)from % 16 == 0) => if ((uintptr_t)from % 4 == 0)
// mutant: misaligned store: if ((uintptr_t)to % 16 == 0) => if ((uintptr_t)to % 4 == 0)
// mutant: a row further on: const Row row = *(const Row *)from; => const Row row = *(const Row *)(from + 1);
// mutant: misaligned 8 bytes: (uintptr_t)from % 8 == 0 => (uintptr_t)from % 4 == 0
// mutant: the same 16 bytes again: ((const uint4 *)from)[i] => ((const uint4 *)from)[0]
// mutant: one too few: for (int i = 0; i < count; ++i) => for (int i = 0; i + 1 < count; ++i)
// mutant: the first multiple: (16 - (uintptr_t)from % 16) % 16 => (16 - (uintptr_t)from % 16)
// mutant: another element: wide.element[i] = from[i] => wide.element[i] = from[0]
#include "device_test.h"

#include "wide.cuh"

enum { N = 64 };

template <typename E> __global__ void copy(const E *in, E *out, E *once, E *row) {
  constexpr int wide = 16 / (int)sizeof(E);
  const Index lead = to_aligned(in), at = threadIdx.x * wide;
  E some[wide];
  load_wide_anywhere(some, in + at);
  store_wide_anywhere(out + at, some);
  if (lead + at + wide > N) return;
  load_wide_once(some, in + lead + at);
  store_wide_anywhere(once + at, some);
  float four[4];
  load_row<float>(some, in + lead + at); // fills 16 bytes' worth of floats: four elements
  for (int i = 0; i < 4; i++) four[i] = (float)some[i];
  for (int i = 0; i < 4; i++) row[threadIdx.x * 4 + i] = (E)four[i];
}

template <typename E, int COUNT> __global__ void several(const E *in, E *out) {
  const int at = threadIdx.x * COUNT;
  E some[COUNT];
  load_several(some, in + at, COUNT);
  for (int i = 0; i < COUNT; i++) out[at + i] = some[i];
}

template <typename E, int COUNT> static bool right_several(size_t offset) {
  E *in = (E *)simt::place(N * sizeof(E), offset), *out = zeroed<E>(N);
  for (int i = 0; i < N; i++) in[i] = (E)(i + 1);
  simt::freeze(in);
  if (!launched(several<E, COUNT>, 1, N / COUNT, in, out)) return false;
  for (int i = 0; i < N; i++)
    if (out[i] != in[i]) return false;
  return true;
}

template <typename E> static bool right(size_t offset) {
  E *in = (E *)simt::place(N * sizeof(E), offset), *out = (E *)simt::place(N * sizeof(E), offset);
  E *once = zeroed<E>(N), *row = zeroed<E>(N);
  constexpr int wide = 16 / (int)sizeof(E);
  const int lead = (int)((16 - offset % 16) % 16 / sizeof(E));
  for (int i = 0; i < N; i++) in[i] = (E)(i + 1);
  simt::freeze(in);
  if (!launched(copy<E>, 1, N / wide, in, out, once, row)) return false;
  for (int i = 0; i < N; i++)
    if (out[i] != in[i]) return false;
  for (int t = 0; lead + (t + 1) * wide <= N; t++) {
    for (int i = 0; i < wide; i++)
      if (once[t * wide + i] != in[lead + t * wide + i]) return false;
    for (int i = 0; i < 4 && i < wide; i++)
      if (row[t * 4 + i] != in[lead + t * wide + i]) return false;
  }
  return true;
}

int main() {
  return each_seed([] {
    return right<float>(0) && right<float>(4) && right<float>(8) && right<short>(2) && right<unsigned char>(5) &&
           right_several<int, 2>(0) && right_several<int, 2>(4) && right_several<int, 8>(0) && right_several<int, 8>(8) &&
           right_several<short, 4>(2) && right_several<double, 2>(8);
  });
}
