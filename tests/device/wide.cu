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
// mutant: no shift by 8 bytes: bytes & 8 ? word[i + 2] => bytes & 8 ? word[i]
// mutant: no shift by a word: bytes & 4 ? word[i + 1] => bytes & 4 ? word[i]
// mutant: no shift in a word: >> bytes % 4 * 8 => >> 0
// mutant: too few vectors: (n * (int)sizeof(E) + most + 15) / 16 => (n * (int)sizeof(E) + 15) / 16
// mutant: a vector that ends beyond: alignment == 16 && n * (int)sizeof(E) < 16 * i + 16 => false
// mutant: the rest begins with its words: word[four] = ((const unsigned *)from)[four] => word[four] = *(const unsigned *)from
// mutant: the rest begins with its elements: from[some * 4 / (int)sizeof(E) + i] => from[i]
// mutant: the words before: element_in<E>(word + least, i) => element_in<E>(word, i)
// mutant: the whole shift again: alignment>(word, bytes % 4) => alignment>(word, bytes)
// mutant: the first ones are there: (!aligned || i >= before) => true
// mutant: whole, but for the first ones: (!aligned || before <= 0) => true
// mutant: the lane before: __shfl_down_sync(0xffffffff, word[i], 1) => __shfl_up_sync(0xffffffff, word[i], 1)
// mutant: nobody is next: if (lane + 1 >= lanes) next = 0; => if (lane + 1 == lanes) next = n;
// mutant: nobody stores the first ones: if (lane == 0) => if (lane < 0)
// mutant: the first vector again: uint4{word[i], word[i + 1], => uint4{word[0], word[1],
// mutant: the other's vector: odd ? taken : word[i + k] => odd ? word[i + k] : taken
// mutant: a vector further on: odd ? words / 4 - 1 : 0 => odd ? words / 4 : 0
// mutant: its own place: odd ? 1 : words / 4 => 1
// mutant: a vector that is not whole: has >= n && next >= ahead => has >= n
// mutant: not the next lane's: has < n ? has : n + next => has
// mutant: rows begin at 16 bytes: if (apart % wide == 0) => if (apart % half == 0)
// mutant: rows begin at 8 bytes: else if (apart % half == 0) => else if (true)
// mutant: the first 8 bytes again: halves.bits[1] = ((const uint2 *)from)[1] => halves.bits[1] = ((const uint2 *)from)[0]
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

// Rows so far apart, the first at a multiple of 16 bytes: a lane loads what one begins with.
template <typename E> __global__ void rows(const E *in, E *out, int apart) {
  constexpr int wide = 16 / (int)sizeof(E);
  E some[wide];
  load_wide_apart(some, in + threadIdx.x * apart, apart);
  for (int i = 0; i < wide; i++) out[threadIdx.x * wide + i] = some[i];
}

template <typename E> static bool right_apart() {
  constexpr int wide = 16 / (int)sizeof(E), lanes = 4;
  for (int apart = 1; apart <= 2 * wide + 1; apart++) {
    const int all = (lanes - 1) * apart + wide;
    E *in = (E *)simt::place(all * sizeof(E), 0), *out = zeroed<E>(lanes * wide);
    for (int i = 0; i < all; i++) in[i] = (E)(i + 1);
    simt::freeze(in);
    if (!launched(rows<E>, 1, lanes, (const E *)in, out, apart)) return false;
    for (int i = 0; i < lanes * wide; i++)
      if (out[i] != in[i / wide * apart + i % wide]) return false;
  }
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

// Rows of LANES lanes, a group of so many vectors each, from one offset to another.
template <typename E, int LANES, bool ALIGNED, int VECTORS>
__global__ void runs(const E *in, E *out, int apart, int many) {
  constexpr int group = VECTORS * 16 / (int)sizeof(E), more = 3;
  const int lane = threadIdx.x % LANES, row = threadIdx.x / LANES, left = many - lane * group;
  const int has = left < 0 ? 0 : left < group ? left : group;
  float some[group + more];
  E own[group];
  if (has == group) load_run<group + more, ALIGNED ? group : 1, -1>(some, in + row * apart + lane * group);
  for (int i = 0; i < group; i++) own[i] = i < has ? (E)(some[i] + some[i + more]) : (E)77;
  store_run<group, ALIGNED>(out + row * apart + lane * group, own, lane, LANES, left, 0);
}

template <typename E, int LANES, bool ALIGNED, int VECTORS = 1>
static bool right_runs(size_t in_offset, size_t out_offset) {
  constexpr int group = VECTORS * 16 / (int)sizeof(E), rows = 32 / LANES, all = 32 * group + 64;
  for (int many = 0; many <= LANES; many++) { // whole groups: a lane loads what it reads with no condition
    const int apart = LANES * group + (ALIGNED ? 0 : 1);
    E *in = (E *)simt::place(all * sizeof(E), in_offset), *out = (E *)simt::place(all * sizeof(E), out_offset);
    for (int i = 0; i < all; i++) in[i] = (E)(i % 50), out[i] = (E)99;
    simt::freeze(in);
    if (!launched(runs<E, LANES, ALIGNED, VECTORS>, 1, 32, (const E *)in + 16, out + 16, apart, many * group))
      return false;
    for (int i = 0; i < all; i++) {
      const int row = (i - 16) / apart, at = (i - 16) % apart;
      const bool written = i >= 16 && row < rows && at < many * group;
      if (out[i] != (E)(written ? in[i] + in[i + 3] : 99)) return false;
    }
  }
  return true;
}

// A vector and so many elements more, behind which there is nothing.
template <typename E, int MORE> __global__ void rests(const E *in, E *out) {
  constexpr int each = 16 / (int)sizeof(E);
  float some[each + MORE];
  load_run<each + MORE, each, -1>(some, in);
  for (int i = 0; i < each + MORE; i++) out[i] = (E)some[i];
}

template <typename E, int MORE> static bool right_rest() {
  constexpr int all = 16 / (int)sizeof(E) + MORE;
  E *in = (E *)simt::place(all * sizeof(E), 0), *out = zeroed<E>(all);
  for (int i = 0; i < all; i++) in[i] = (E)(i + 1);
  simt::freeze(in);
  if (!launched(rests<E, MORE>, 1, 1, (const E *)in, out)) return false;
  for (int i = 0; i < all; i++)
    if (out[i] != in[i]) return false;
  return true;
}

// Rows that begin with `early` elements which are not there, and whose groups are as far from 16 bytes as each other's.
template <typename E, int VECTORS> __global__ void begins(const E *in, E *out, int apart, int many, int early) {
  constexpr int group = VECTORS * 16 / (int)sizeof(E), more = 3;
  const int lane = threadIdx.x % 8, row = threadIdx.x / 8;
  const E *from = in + row * apart + lane * group;
  float some[group + more];
  E own[group];
  switch ((int)((uintptr_t)in % 16 / 4)) {
    case 0: load_run<group + more, 1, 0>(some, from); break;
    case 1: load_run<group + more, 1, 1>(some, from); break;
    case 2: load_run<group + more, 1, 2>(some, from); break;
    default: load_run<group + more, 1, 3>(some, from);
  }
  for (int i = 0; i < group; i++) own[i] = (E)(some[i] + some[i + more]);
  store_run<group, true>(out + row * apart + lane * group, own, lane, 8, many - lane * group, early - lane * group);
}

template <typename E, int VECTORS = 1> static bool right_begins(size_t offset) {
  constexpr int group = VECTORS * 16 / (int)sizeof(E), apart = 8 * group + 16, all = 4 * apart + 64;
  for (int early = 0; early < 16 / (int)sizeof(E); early++)
    for (int many = 8 * group - 2; many <= 8 * group; many++) {
      E *in = (E *)simt::place(all * sizeof(E), offset), *out = (E *)simt::place(all * sizeof(E), 0);
      for (int i = 0; i < all; i++) in[i] = (E)(i % 50), out[i] = (E)99;
      simt::freeze(in);
      if (!launched(begins<E, VECTORS>, 1, 32, (const E *)in + 16, out + 16, apart, many, early)) return false;
      for (int i = 0; i < all; i++) {
        const int at = (i - 16) % apart;
        const bool written = i >= 16 && i < 16 + 4 * apart && at >= early && at < many;
        if (out[i] != (E)(written ? in[i] + in[i + 3] : 99)) return false;
      }
    }
  return true;
}

// A lane with a part of a group ends a row; what it has not is not stored.
template <typename E, int VECTORS> __global__ void ends(E *out, int many) {
  constexpr int group = VECTORS * 16 / (int)sizeof(E);
  const int lane = threadIdx.x % 8, left = many - lane * group;
  E own[group];
  for (int i = 0; i < group; i++) own[i] = (E)(lane * group + i);
  E *to = out + threadIdx.x / 8 * 200 + lane * group;
  store_run<group, false>(to, own, lane, 8, left, 0);
}

// Rows that lie one behind the other: none stores the next one's elements.
template <typename E, int VECTORS> __global__ void chain(E *out, int many) {
  constexpr int group = VECTORS * 16 / (int)sizeof(E);
  E own[group];
  for (int i = 0; i < group; i++) own[i] = (E)(threadIdx.x * group + i);
  store_run<group, false>(out + threadIdx.x * group, own, threadIdx.x % 8, 8, many - (int)threadIdx.x * group, 0);
}

template <typename E, int VECTORS> static bool right_chain(size_t offset) {
  for (int many = 0; many <= 32 * VECTORS * (16 / (int)sizeof(E)); many += 7) {
    E *out = (E *)simt::place(800 * sizeof(E), offset);
    for (int i = 0; i < 800; i++) out[i] = (E)1999;
    if (!launched(chain<E, VECTORS>, 1, 32, out, many)) return false;
    for (int i = 0; i < 800; i++)
      if (out[i] != (E)(i < many ? i : 1999)) return false;
  }
  return true;
}

template <typename E, int VECTORS = 1> static bool right_ends(size_t offset) {
  for (int many = 0; many <= 8 * VECTORS * (16 / (int)sizeof(E)); many++) {
    E *out = (E *)simt::place(800 * sizeof(E), offset);
    for (int i = 0; i < 800; i++) out[i] = (E)199;
    if (!launched(ends<E, VECTORS>, 1, 32, out, many)) return false;
    for (int i = 0; i < 800; i++)
      if (out[i] != (E)(i % 200 < many ? i % 200 : 199)) return false;
  }
  return true;
}

int main() {
  return each_seed([] {
    if (!right_rest<float, 1>() || !right_rest<float, 2>() || !right_rest<float, 3>() || !right_rest<double, 1>() ||
        !right_rest<short, 1>() || !right_rest<short, 3>() || !right_rest<short, 5>() || !right_rest<signed char, 15>() ||
        !right_rest<float, 4>())
      return false;
    if (!right_runs<float, 32, true>(0, 0) || !right_runs<float, 8, false>(4, 8) ||
        !right_runs<float, 16, false>(12, 4) || !right_runs<short, 8, false>(2, 10) ||
        !right_runs<short, 16, false>(14, 0) || !right_runs<double, 8, false>(8, 8) ||
        !right_runs<unsigned char, 8, false>(5, 11) || !right_ends<float>(4) || !right_ends<short>(6) ||
        !right_runs<float, 8, true, 2>(0, 0) || !right_runs<float, 16, false, 3>(8, 12) ||
        !right_runs<short, 8, false, 2>(6, 2) || !right_runs<double, 16, false, 2>(8, 8) ||
        !right_ends<float, 2>(12) || !right_ends<double, 3>(8) || !right_chain<float, 1>(4) || !right_chain<int, 2>(8))
      return false;
    if (!right_begins<float>(0) || !right_begins<float>(4) || !right_begins<float, 2>(12) || !right_begins<float>(8) ||
        !right_begins<short>(6) || !right_begins<double, 2>(8))
      return false;
    if (!right_apart<float>() || !right_apart<short>() || !right_apart<double>()) return false;
    return right<float>(0) && right<float>(4) && right<float>(8) && right<short>(2) && right<unsigned char>(5) &&
           right_several<int, 2>(0) && right_several<int, 2>(4) && right_several<int, 8>(0) &&
           right_several<int, 8>(8) &&
           right_several<short, 4>(2) && right_several<double, 2>(8);
  });
}
