// segmented_scan, variant f1b8a6cd: grid.rows=grid.tiles(block.tiles(warp.unit))
// Made by tgc from segmented_scan.cdl for sm_90; this text is yours.
//
// baseline, 1 kernel, determinism run_to_run: the order in which a matrix unit adds products is specific to the machine
// batch-invariant: the order does not depend on what else is computed
//
//   grid: `rows' applies (G4)
//     grid: regroups by `tiles', over its blocks (G14)
//       each part: block: regroups by `tiles', over its warps (B14)
//         each part: warp: computes by `unit' (W15)
//
// codelets
//   rows         segmented_scan.cdl:41
//   tiles        row_scans.cdl:11
//   unit         row_scans.cdl:26
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>
#include <limits>

// The configurations that are compiled, C(threads, unit_k); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
//   unit_k: elements of a row at once, 16, 32 or 64
#ifndef SEGMENTED_SCAN_F1B8A6CD_CONFIGURATIONS
#define SEGMENTED_SCAN_F1B8A6CD_CONFIGURATIONS(C) C(256, 16)
#endif

#ifndef SEGMENTED_SCAN_CONFIGURATION
#define SEGMENTED_SCAN_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct segmented_scan_configuration {
  int threads, loads;
  int64_t blocks;
  int unit_k;
} segmented_scan_configuration;
#endif

namespace segmented_scan_f1b8a6cd {

typedef long long Index; // sizes and positions

__host__ __device__ constexpr Index min_index(Index x, Index y) { return x < y ? x : y; }

__host__ __device__ constexpr Index max_index(Index x, Index y) { return x > y ? x : y; }

// The lowest and highest value of a type: infinities where it has them.
template <typename T> constexpr T lowest_value = std::numeric_limits<T>::has_infinity
                                                  ? -std::numeric_limits<T>::infinity()
                                                  : std::numeric_limits<T>::lowest();
template <typename T> constexpr T highest_value = std::numeric_limits<T>::has_infinity
                                                     ? std::numeric_limits<T>::infinity()
                                                     : std::numeric_limits<T>::max();
template <typename T> __host__ __device__ constexpr T lowest() { return lowest_value<T>; }
template <typename T> __host__ __device__ constexpr T highest() { return highest_value<T>; }

// Number of elements up to the next 16-byte boundary.
template <typename E> __host__ __device__ __forceinline__ Index to_aligned(const E *from) {
  return (Index)((16 - (uintptr_t)from % 16) % 16 / sizeof(E));
}

// As many elements as 16 bytes of T have, in one load; `from` is aligned to their size.
template <typename T, typename E> __device__ __forceinline__ void load_row(E *to, const E *from) {
  struct alignas(16 / sizeof(T) * sizeof(E)) Row {
    E element[16 / sizeof(T)];
  };
  const Row row = *(const Row *)from;
#pragma unroll
  for (int i = 0; i < (int)(16 / sizeof(T)); ++i)
    to[i] = row.element[i];
}

// A 16-byte store; `to` is aligned to 16 bytes. The compiler splits a plain store when single elements are stored
// next to it.
template <typename E> __device__ __forceinline__ void store_wide(E *to, const E *from) {
  union {
    uint4 bits;
    E element[16 / sizeof(E)];
  } wide;
#pragma unroll
  for (int i = 0; i < (int)(16 / sizeof(E)); ++i)
    wide.element[i] = from[i];
  __stwb((uint4 *)to, wide.bits);
}

// Programmatic dependent launch: the grid may start while the previous one in the stream still runs.
inline cudaLaunchAttribute may_begin_early() {
  cudaLaunchAttribute early = {};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  return early;
}

// Waits until the previous grid has finished and its stores are visible. The kernel's pointers are not __restrict__:
// the compiler could move loads through them above this call.
__device__ __forceinline__ void after_earlier_grids() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
#endif
}

// Elements in a register of a matrix unit.
template <typename E> constexpr int packed = sizeof(E) < 4 ? 4 / (int)sizeof(E) : 1;

// Of a lane's 4 neighbours in a row, and `below' further on in the one 8 rows below: its elements of the 16 x 16 of A whose
// inner dimension is in this order: lane by lane the first lane's 4, the second one's. B, read so, gives the same product.
template <typename E> __device__ __forceinline__ void part_of_a(E *to, const E *from, int below) {
#pragma unroll
  for (int e = 0; e < 8; ++e) {
    const int part = e / packed<E>;
    to[e] = from[part % 2 * below + part / 2 * packed<E> + e % packed<E>];
  }
}

// A lane's neighbours, as words: what one instruction loads, or masks, is not taken apart.
template <typename E, int near> union Near {
  unsigned word[near * sizeof(E) / 4];
  E element[near];
};

// `near` neighbours, which lie at a multiple of 16 bytes, or of their size, all at once; where they are not there, zeros.
template <int near, typename E> __device__ __forceinline__ void load_near(E *to, const E *from, bool there) {
  constexpr int words = near * sizeof(E) / 4;
  Near<E, near> x;
#pragma unroll
  for (int i = 0; i < words; ++i)
    x.word[i] = 0;
  if (there) {
#pragma unroll
    for (int i = 0; i < words; i += 4) {
      if constexpr (words < 4) {
        const uint2 two = *(const uint2 *)from;
        x.word[i] = two.x, x.word[i + 1] = two.y;
      } else {
        const uint4 four = ((const uint4 *)from)[i / 4];
        x.word[i] = four.x, x.word[i + 1] = four.y, x.word[i + 2] = four.z, x.word[i + 3] = four.w;
      }
    }
  }
#pragma unroll
  for (int e = 0; e < near; ++e)
    to[e] = x.element[e];
}

// Of these the ones from `first` on, up to `end`, zeros in place of the others; where some of them are there, but they were
// not read together, one by one.
template <int near, typename E>
__device__ __forceinline__ void keep_near(E *to, const E *from, int first, int end, bool read) {
  constexpr int words = near * sizeof(E) / 4, in_a_word = sizeof(E) < 4 ? 4 / (int)sizeof(E) : 1;
  Near<E, near> x;
#pragma unroll
  for (int e = 0; e < near; ++e)
    x.element[e] = to[e];
  if (first < end && (first > 0 || end < near || !read)) {
    if (!read) {
#pragma unroll
      for (int e = 0; e < near; ++e)
        if (e >= first && e < end) x.element[e] = from[e];
    }
#pragma unroll
    for (int i = 0; i < words; ++i) {
      unsigned mask = 0;
#pragma unroll
      for (int k = 0; k < in_a_word; ++k) {
        const int e = i * 4 / (int)sizeof(E) + k;
        if (e >= first && e < end) mask |= in_a_word > 1 ? 0xffffu << 16 * k : ~0u;
      }
      x.word[i] &= mask;
    }
  }
#pragma unroll
  for (int e = 0; e < near; ++e)
    to[e] = x.element[e];
}

// C += A B, of lanes' elements.
__device__ __forceinline__ void multiply(float *sums, const __half *of_a, const __half *of_b) {
#pragma unroll
  for (int k = 0; k < 16 / 16; ++k)
#pragma unroll
    for (int i = 0; i < 16 / 16; ++i) {
      float *c = sums + 2 * i;
      unsigned a[16 * 16 / 32 / packed<__half>], b[8 * 16 / 32 / packed<__half>];
      memcpy(a, of_a + k * (16 / 2) + i, sizeof a);
      memcpy(b, of_b + k * (16 / 4), sizeof b);
#if defined(__CUDACC__) || defined(__CUDA_ARCH__)
      asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else // tgc check's executor
      simt::multiply<__half, 16, 16>(c, a, b);
#endif
    }
}

// C += A B, of lanes' elements.
__device__ __forceinline__ void multiply(double *sums, const double *of_a, const double *of_b) {
#pragma unroll
  for (int k = 0; k < 16 / 8; ++k)
#pragma unroll
    for (int i = 0; i < 16 / 16; ++i) {
      double *c = sums + 2 * i;
      const double *a = of_a + k * (8 / 2) + i, *b = of_b + k * (8 / 4);
#if defined(__CUDACC__) || defined(__CUDA_ARCH__)
      asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
#else // tgc check's executor
      simt::multiply<double, 16, 8>(c, a, b);
#endif
    }
}

// Each block processes its part.
template <typename E, typename T, int threads, int unit_k>
__global__ void __launch_bounds__(threads, 1) segmented_scan_blocks(Index tile, Index n, Index size, const E *in, T *out) {
  const Index block = blockIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  // grid > block: tiles (row_scans.cdl:11), one part per block
  const Index block_begin = min_index(block * tile, n);
  const Index block_end = min_index(tile + block * tile, n);
  // block > warp: tiles (row_scans.cdl:11), one part per warp
  Index len = block_end - block_begin;
  Index length2 = max_index(min_index(size, len), 1);
  Index segments2 = (len + length2 - 1) / length2;
  Index tile2 = (segments2 + threads / 32 - 1) / (threads / 32) * length2;
  const Index warp_begin = min_index(block_begin + warp * tile2, block_end);
  const Index warp_end = min_index(block_begin + (tile2 + warp * tile2), block_end);
  // warp: unit (row_scans.cdl:26), rows times a constant by its matrix unit
  const Index columns = max_index(min_index(size, warp_end - warp_begin), 1);
  const Index rows = (warp_end - warp_begin + columns - 1) / columns;
  const int together = (int)((columns < 128 && (columns < 16 || columns % 4 != 0)) ? min_index(16 / max_index(min_index(columns & -columns, 16), 1), 8) : 1);
  const int period = together > 1 ? (int)columns : 16;
  const Index length3 = columns * together;
  const Index many = together == 8 ? (rows + 7) / 8 : together == 4 ? (rows + 3) / 4 : together == 2 ? (rows + 1) / 2 : rows;
  after_earlier_grids();
  const bool wide = length3 % 4 == 0 && (to_aligned(&in[warp_begin]) % 4 == 0);
  const bool wide_out = length3 % 4 == 0 && (to_aligned(&out[warp_begin]) % 4 == 0);
  const int beside = unit_k / 16;
  const int tall = 64 / beside;
  const Index whole = (wide && ((together == 1 || length3 == 16) && (length3 % unit_k == 0)) && wide_out) ? (many * length3 <= (warp_end - warp_begin) ? many : (warp_end - warp_begin) / length3) / tall : 0;
  const Index shift = -to_aligned(&in[warp_begin]) & 3;
  const Index slack = length3 % 4 == 0 ? shift : 3;
  const int behind_last = (int)max_index(min_index(warp_end - warp_begin - many * length3, 4), -1073741824);
  const int behind_both = (int)max_index(min_index(warp_end - warp_begin - (many - 1) * length3, 4), -1073741824);
  const int inverse = 1048576 / period + 1;
  const bool wide_too = (shift + to_aligned(&out[warp_begin])) % (16 / (int)sizeof(T)) == 0;
  E ones[4];
  E triangle[8];
  #pragma unroll
  for (int r = 0; r < 4; ++r)
    ones[r] = (E)1;
  #pragma unroll
  for (int j = 0; j < 2; ++j) {
    #pragma unroll
    for (int r = 0; r < 4; ++r)
      triangle[j * 4 + r] = (lane % 4 * 4 + r <= (lane / 4 / 2 * 4 + j * 2 + lane / 4 % 2) && (lane % 4 * 4 + r >= ((lane / 4 / 2 * 4 + j * 2 + lane / 4 % 2) & -period))) ? (E)1 : (E)0;
  }
  #pragma unroll 1
  for (Index tile3 = 0; tile3 < whole; ++tile3) {
    T sums[16];
    #pragma unroll
    for (int g = 0; g < 4; ++g) {
      #pragma unroll
      for (int r = 0; r < 4; ++r)
        sums[g * 4 + r] = (T)0;
    }
    #pragma unroll 1
    for (Index k = 0; k < ((length3 + unit_k - 1) / unit_k); ++k) {
      const Index first = (tile3 * tall + lane / 4) * length3 + (k * unit_k + lane % 4 * 4);
      E near[32];
      #pragma unroll
      for (int g = 0; g < 4; ++g) {
        #pragma unroll
        for (int half = 0; half < 2; ++half) {
          const Index at = first + (g / beside * 16 + half * 8) * length3 + g % beside * 16;
          #pragma unroll
          for (int q = 0; q < (4 / (16 / (int)sizeof(T))); ++q)
            load_row<T>(&near[g * 8 + half * 4 + q * (16 / (int)sizeof(T))], &in[warp_begin + (at + q * (16 / (int)sizeof(T)))]);
        }
      }
      T next[16];
      #pragma unroll
      for (int g = 0; g < 4; ++g) {
        #pragma unroll
        for (int r = 0; r < 4; ++r)
          next[g * 4 + r] = g % beside == 0 ? sums[(g + beside - 1) * 4 + r] : next[(g - 1) * 4 + r];
        #pragma unroll
        for (int s = 0; s < 1; ++s) {
          E part[8];
          part_of_a(&part[0], &near[g * 8 + s * 4], 4);
          multiply(&next[g * 4], &part[0], &ones[s * 4]);
        }
      }
      bool own_finite = true;
      #pragma unroll
      for (int q = 0; q < 8; ++q)
        own_finite = own_finite && (fabs(next[q * 2]) < highest<T>());
      const bool finite = !__any_sync(0xffffffff, !own_finite);
      #pragma unroll
      for (int g = 0; g < 4; ++g) {
        T made[8];
        if (finite) {
          #pragma unroll
          for (int j = 0; j < 2; ++j) {
            #pragma unroll
            for (int r = 0; r < 4; ++r)
              made[j * 4 + r] = g % beside == 0 ? sums[(g + beside - 1) * 4 + r] : next[(g - 1) * 4 + r];
            #pragma unroll
            for (int s = 0; s < 1; ++s) {
              E part[8];
              part_of_a(&part[0], &near[g * 8 + s * 4], 4);
              multiply(&made[j * 4], &part[0], &triangle[j * 4 + s * 4]);
            }
          }
        }
        else {
          #pragma unroll
          for (int half = 0; half < 2; ++half) {
            T first2 = g % beside == 0 ? sums[(g + beside - 1) * 4 + half * 2] : next[(g - 1) * 4 + half * 2];
            T total = (T)0;
            #pragma unroll 1
            for (int turn = 0; turn < 4; ++turn) {
              total = first2;
              int place = ((int)(k * unit_k) + g % beside * 16 + lane % 4 * 4) % period;
              if (together > 1 && (place == 0))
                total = (T)0;
              total += (T)near[g * 8 + half * 4];
              made[half * 2] = total;
              place = place + 1 == period ? 0 : place + 1;
              if (together > 1 && (place == 0))
                total = (T)0;
              total += (T)near[g * 8 + half * 4 + 1];
              made[half * 2 + 1] = total;
              place = place + 1 == period ? 0 : place + 1;
              if (together > 1 && (place == 0))
                total = (T)0;
              total += (T)near[g * 8 + half * 4 + 2];
              made[4 + half * 2] = total;
              place = place + 1 == period ? 0 : place + 1;
              if (together > 1 && (place == 0))
                total = (T)0;
              total += (T)near[g * 8 + half * 4 + 3];
              made[4 + half * 2 + 1] = total;
              T before = __shfl_up_sync(0xffffffff, total, 1);
              if (lane % 4 > 0)
                first2 = before;
            }
            T all = __shfl_sync(0xffffffff, total, lane | 3);
            next[g * 4 + half * 2] = all;
            next[g * 4 + (half * 2 + 1)] = all;
          }
        }
        #pragma unroll
        for (int half = 0; half < 2; ++half) {
          const Index at = first + (g / beside * 16 + half * 8) * length3 + g % beside * 16;
          {
            T row[4];
            #pragma unroll
            for (int q = 0; q < 4; ++q)
              row[q] = made[q / 2 * 4 + half * 2 + q % 2];
            #pragma unroll
            for (int q = 0; q < (4 / (16 / (int)sizeof(T))); ++q)
              store_wide(&out[warp_begin + (at + q * (16 / (int)sizeof(T)))], &row[q * (16 / (int)sizeof(T))]);
          }
        }
      }
      #pragma unroll
      for (int g = 0; g < 4; ++g) {
        #pragma unroll
        for (int r = 0; r < 4; ++r)
          sums[g * 4 + r] = next[g * 4 + r];
      }
    }
  }
  E ones2[beside * 4];
  E triangle2[8];
  #pragma unroll
  for (int c2 = 0; c2 < beside; ++c2) {
    #pragma unroll
    for (int r = 0; r < 4; ++r)
      ones2[c2 * 4 + r] = (E)1;
  }
  #pragma unroll
  for (int j = 0; j < 2; ++j) {
    #pragma unroll
    for (int r = 0; r < 4; ++r)
      triangle2[j * 4 + r] = (lane % 4 * 4 + r <= (lane / 4 / 2 * 4 + j * 2 + lane / 4 % 2) && (lane % 4 * 4 + r >= ((lane / 4 / 2 * 4 + j * 2 + lane / 4 % 2) & -period))) ? (E)1 : (E)0;
  }
  #pragma unroll 1
  for (Index tile4 = whole * (tall / tall); tile4 < ((many + tall - 1) / tall); ++tile4) {
    T sums[16];
    #pragma unroll
    for (int g = 0; g < 4; ++g) {
      #pragma unroll
      for (int r = 0; r < 4; ++r)
        sums[g * 4 + r] = (T)0;
    }
    #pragma unroll 1
    for (Index k = 0; k < ((length3 + slack + unit_k - 1) / unit_k); ++k) {
      const Index first = (tile4 * tall + lane / 4) * length3 + (k * unit_k + lane % 4 * 4);
      const int ahead = (int)min_index(length3 - (k * unit_k + lane % 4 * 4), 1073741824);
      const int rows_left = (int)min_index(many - (tile4 * tall + lane / 4), tall);
      E near[32];
      #pragma unroll
      for (int g = 0; g < 4; ++g) {
        #pragma unroll
        for (int half = 0; half < 2; ++half) {
          const int down = g / beside * 16 + half * 8;
          const int behind = (int)((tile4 * tall + lane / 4 + down) * length3 + shift) & 3;
          const Index at = first + down * length3 + g % beside * 16 - behind;
          const int left = down < rows_left ? ahead - g % beside * 16 + behind : 0;
          const int more = down == rows_left - 1 ? behind_last : down == rows_left - 2 ? behind_both : 4;
          const int room = left + more;
          load_near<4>(&near[g * 8 + half * 4], &in[warp_begin + at], left > 0 && ((down + g % beside * 16 > 0 || first >= behind) && (room >= 4)));
        }
      }
      T next[16];
      int border[beside];
      #pragma unroll
      for (int g = 0; g < 4; ++g) {
        #pragma unroll
        for (int half = 0; half < 2; ++half) {
          const int down = g / beside * 16 + half * 8;
          const int behind = (int)((tile4 * tall + lane / 4 + down) * length3 + shift) & 3;
          const int skip = (g % beside * 16 == 0 && (k * unit_k + lane % 4 * 4 == 0)) ? behind : 0;
          const Index at = first + down * length3 + g % beside * 16 - behind;
          const int left = down < rows_left ? ahead - g % beside * 16 + behind : 0;
          const int more = down == rows_left - 1 ? behind_last : down == rows_left - 2 ? behind_both : 4;
          const int room = left + more;
          keep_near<4>(&near[g * 8 + half * 4], &in[warp_begin + at], skip, left < room ? left : room, left > 0 && ((down + g % beside * 16 > 0 || first >= behind) && (room >= 4)));
        }
      }
      #pragma unroll
      for (int c2 = 0; c2 < beside; ++c2)
        border[c2] = ((((int)(k * unit_k) + c2 * 16 - (int)shift - 1) * inverse) >> 20) * period + period - ((int)(k * unit_k) + c2 * 16 - (int)shift);
      if (together > 1) {
        #pragma unroll
        for (int c2 = 0; c2 < beside; ++c2) {
          #pragma unroll
          for (int r = 0; r < 4; ++r)
            ones2[c2 * 4 + r] = (int)(k * unit_k) + c2 * 16 - (int)shift + (lane % 4 * 4 + r) >= (((((int)(k * unit_k) + c2 * 16 - (int)shift + 15) * inverse) >> 20) * period) ? (E)1 : (E)0;
        }
      }
      #pragma unroll
      for (int g = 0; g < 4; ++g) {
        #pragma unroll
        for (int r = 0; r < 4; ++r)
          next[g * 4 + r] = together == 1 || 15 < border[g % beside] ? g % beside == 0 ? sums[(g + beside - 1) * 4 + r] : next[(g - 1) * 4 + r] : (T)0;
        #pragma unroll
        for (int s = 0; s < 1; ++s) {
          E part[8];
          part_of_a(&part[0], &near[g * 8 + s * 4], 4);
          multiply(&next[g * 4], &part[0], &ones2[g % beside * 4 + s * 4]);
        }
      }
      bool own_finite = true;
      #pragma unroll
      for (int q = 0; q < 8; ++q)
        own_finite = own_finite && (fabs(next[q * 2]) < highest<T>());
      const bool finite = !__any_sync(0xffffffff, !own_finite);
      #pragma unroll
      for (int g = 0; g < 4; ++g) {
        T made[8];
        if (together > 1) {
          #pragma unroll
          for (int j = 0; j < 2; ++j) {
            #pragma unroll
            for (int r = 0; r < 4; ++r)
              triangle2[j * 4 + r] = (lane % 4 * 4 + r <= (lane / 4 / 2 * 4 + j * 2 + lane / 4 % 2) && ((int)(k * unit_k) + g % beside * 16 - (int)shift + (lane % 4 * 4 + r) >= (((((int)(k * unit_k) + g % beside * 16 - (int)shift + (lane / 4 / 2 * 4 + j * 2 + lane / 4 % 2)) * inverse) >> 20) * period))) ? (E)1 : (E)0;
          }
        }
        if (finite) {
          #pragma unroll
          for (int j = 0; j < 2; ++j) {
            #pragma unroll
            for (int r = 0; r < 4; ++r)
              made[j * 4 + r] = together == 1 || lane % 4 * 4 + j * 2 + r % 2 < border[g % beside] ? g % beside == 0 ? sums[(g + beside - 1) * 4 + r] : next[(g - 1) * 4 + r] : (T)0;
            #pragma unroll
            for (int s = 0; s < 1; ++s) {
              E part[8];
              part_of_a(&part[0], &near[g * 8 + s * 4], 4);
              multiply(&made[j * 4], &part[0], &triangle2[j * 4 + s * 4]);
            }
          }
        }
        else {
          #pragma unroll
          for (int half = 0; half < 2; ++half) {
            T first2 = g % beside == 0 ? sums[(g + beside - 1) * 4 + half * 2] : next[(g - 1) * 4 + half * 2];
            T total = (T)0;
            #pragma unroll 1
            for (int turn = 0; turn < 4; ++turn) {
              total = first2;
              int place = ((int)(k * unit_k) + g % beside * 16 - (int)shift + lane % 4 * 4) % period;
              if (together > 1 && (place == 0))
                total = (T)0;
              total += (T)near[g * 8 + half * 4];
              made[half * 2] = total;
              place = place + 1 == period ? 0 : place + 1;
              if (together > 1 && (place == 0))
                total = (T)0;
              total += (T)near[g * 8 + half * 4 + 1];
              made[half * 2 + 1] = total;
              place = place + 1 == period ? 0 : place + 1;
              if (together > 1 && (place == 0))
                total = (T)0;
              total += (T)near[g * 8 + half * 4 + 2];
              made[4 + half * 2] = total;
              place = place + 1 == period ? 0 : place + 1;
              if (together > 1 && (place == 0))
                total = (T)0;
              total += (T)near[g * 8 + half * 4 + 3];
              made[4 + half * 2 + 1] = total;
              T before = __shfl_up_sync(0xffffffff, total, 1);
              if (lane % 4 > 0)
                first2 = before;
            }
            T all = __shfl_sync(0xffffffff, total, lane | 3);
            next[g * 4 + half * 2] = all;
            next[g * 4 + (half * 2 + 1)] = all;
          }
        }
        #pragma unroll
        for (int half = 0; half < 2; ++half) {
          const int down = g / beside * 16 + half * 8;
          const int behind = (int)((tile4 * tall + lane / 4 + down) * length3 + shift) & 3;
          const int skip = (g % beside * 16 == 0 && (k * unit_k + lane % 4 * 4 == 0)) ? behind : 0;
          const Index at = first + down * length3 + g % beside * 16 - behind;
          const int left = down < rows_left ? ahead - g % beside * 16 + behind : 0;
          const int more = down == rows_left - 1 ? behind_last : down == rows_left - 2 ? behind_both : 4;
          const int room = left + more;
          if (wide_too && (left >= 4 && (skip == 0) && (room >= 4))) {
            T row[4];
            #pragma unroll
            for (int q = 0; q < 4; ++q)
              row[q] = made[q / 2 * 4 + half * 2 + q % 2];
            #pragma unroll
            for (int q = 0; q < (4 / (16 / (int)sizeof(T))); ++q)
              store_wide(&out[warp_begin + (at + q * (16 / (int)sizeof(T)))], &row[q * (16 / (int)sizeof(T))]);
          }
          else {
            #pragma unroll
            for (int q = 0; q < 4; ++q) {
              if (q < left && (q >= skip) && (q < room))
                out[warp_begin + (at + q)] = made[q / 2 * 4 + half * 2 + q % 2];
            }
          }
        }
      }
      #pragma unroll
      for (int g = 0; g < 4; ++g) {
        #pragma unroll
        for (int r = 0; r < 4; ++r)
          sums[g * 4 + r] = next[g * 4 + r];
      }
    }
  }
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename E, typename T, int threads, int unit_k>
cudaError_t run(Index blocks, void *workspace, size_t *workspace_bytes, const E *in, Index n, Index size, T *out, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  static_assert(unit_k >= 16 && unit_k <= 64 && (unit_k == 16 || unit_k == 32 || unit_k == 64), "unit_k: elements of a row at once, 16, 32 or 64");
  if (n < 0 || size < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid > block: tiles (row_scans.cdl:11), one part per block
  const Index tiles = threads / 32 * max_index(16 * (4 / (unit_k / 16)) * max_index(max_index(min_index(size, n), 1) * ((max_index(min_index(size, n), 1) < 128 && (max_index(min_index(size, n), 1) < 16 || max_index(min_index(size, n), 1) % 4 != 0)) ? min_index(16 / max_index(min_index(max_index(min_index(size, n), 1) & -max_index(min_index(size, n), 1), 16), 1), 8) : 1), unit_k), 1024);
  const Index p = min_index(max_index((n + tiles * min_index(max_index(n / (tiles * 2112), 1), 4) - 1) / (tiles * min_index(max_index(n / (tiles * 2112), 1), 4)), 1), blocks);
  Index length = max_index(min_index(size, n), 1);
  Index segments = (n + length - 1) / length;
  Index tile = (segments + p - 1) / p * length;
  const size_t need = 1; // none, but never zero
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  {
    cudaLaunchAttribute early = may_begin_early();
    const cudaLaunchConfig_t grid = {dim3((unsigned)p), dim3(threads), 0, stream, &early, 1};
    const cudaError_t error = cudaLaunchKernelEx(&grid, segmented_scan_blocks<E, T, threads, unit_k>, tile, n, size, in, out);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
template <typename E, typename T>
cudaError_t configured(const segmented_scan_configuration *c, void *workspace, size_t *workspace_bytes, const E *in, Index n, Index size, T *out, cudaStream_t stream) {
  const segmented_scan_configuration own = {0, 0, 0, 0};
  if (c == nullptr) c = &own;
  const Index blocks = c->blocks ? c->blocks : 1024; // maximum number of blocks, 1 to 2147483647
  if (blocks < 1 || blocks > 2147483647) return cudaErrorInvalidConfiguration;
#define RUN(THREADS, UNIT_K) if (serves(THREADS, c->threads) && serves(UNIT_K, c->unit_k)) return run<E, T, THREADS, UNIT_K>(blocks, workspace, workspace_bytes, in, n, size, out, stream);
  SEGMENTED_SCAN_F1B8A6CD_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace segmented_scan_f1b8a6cd

#define ROW(THREADS, UNIT_K) {THREADS, 0, 1024, UNIT_K},
// Those that were compiled; zeros end them.
extern "C" const segmented_scan_configuration segmented_scan_f1b8a6cd_configurations[];
const segmented_scan_configuration segmented_scan_f1b8a6cd_configurations[] = {SEGMENTED_SCAN_F1B8A6CD_CONFIGURATIONS(ROW) {0, 0, 0, 0}};
#undef ROW

extern "C" cudaError_t segmented_scan_f1b8a6cd_half(const segmented_scan_configuration *c, void *workspace, size_t *workspace_bytes, const __half *in, uint64_t n, uint64_t size, float *out, cudaStream_t stream) {
  return segmented_scan_f1b8a6cd::configured<__half, float>(c, workspace, workspace_bytes, in, (segmented_scan_f1b8a6cd::Index)n, (segmented_scan_f1b8a6cd::Index)size, out, stream);
}

extern "C" cudaError_t segmented_scan_f1b8a6cd_double(const segmented_scan_configuration *c, void *workspace, size_t *workspace_bytes, const double *in, uint64_t n, uint64_t size, double *out, cudaStream_t stream) {
  return segmented_scan_f1b8a6cd::configured<double, double>(c, workspace, workspace_bytes, in, (segmented_scan_f1b8a6cd::Index)n, (segmented_scan_f1b8a6cd::Index)size, out, stream);
}
