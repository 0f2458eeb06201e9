// segmented_sum, variant 7e80dca2: grid.tiles(block.tiles(warp.unit))
// Made by tgc from segmented_sum.cdl for sm_80; this text is yours.
//
// baseline, 1 kernel, determinism run_to_run: the order in which a matrix unit adds products is specific to the machine
// batch-invariant: the order does not depend on what else is computed
//
//   grid: regroups by `tiles', over its blocks (G3)
//     each part: block: regroups by `tiles', over its warps (B3)
//       each part: warp: computes by `unit' (W5)
//
// codelets
//   tiles        segmented_sum.cdl:30
//   unit         segmented_sum.cdl:55
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>
#include <limits>

// The configurations that are compiled, C(threads, unit_k); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
//   unit_k: elements of a row at once, 32, 64 or 128
#ifndef SEGMENTED_SUM_7E80DCA2_CONFIGURATIONS
#define SEGMENTED_SUM_7E80DCA2_CONFIGURATIONS(C) C(256, 32)
#endif

#ifndef SEGMENTED_SUM_CONFIGURATION
#define SEGMENTED_SUM_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct segmented_sum_configuration {
  int threads, loads;
  int64_t blocks;
  int unit_k;
} segmented_sum_configuration;
#endif

namespace segmented_sum_7e80dca2 {

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

// A 16-byte load; `from` is aligned to 16 bytes.
template <typename E> __device__ __forceinline__ void load_wide(E *to, const E *from) {
  union {
    uint4 bits;
    E element[16 / sizeof(E)];
  } wide;
  wide.bits = *(const uint4 *)from;
#pragma unroll
  for (int i = 0; i < (int)(16 / sizeof(E)); ++i)
    to[i] = wide.element[i];
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

// Each block processes its part.
template <typename E, typename T, int threads, int unit_k>
__global__ void __launch_bounds__(threads, threads < 512 ? 512 / threads : 1) segmented_sum_blocks(Index tile, Index n, Index segments, Index out_n, Index size, const E *__restrict__ in, T *__restrict__ out) {
  const Index block = blockIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  // grid > block: tiles (segmented_sum.cdl:30), one part per block
  const Index block_begin = min_index(block * tile, n);
  const Index block_end = min_index(tile + block * tile, n);
  const Index block_begin2 = min_index(block * segments, out_n);
  const Index block_end2 = min_index(segments + block * segments, out_n);
  // block > warp: tiles (segmented_sum.cdl:30), one part per warp
  Index segments2 = (block_end2 - block_begin2 + threads / 32 - 1) / (threads / 32);
  Index len = block_end - block_begin;
  Index tile2 = segments2 * min_index(size, len);
  const Index warp_begin = min_index(block_begin + warp * tile2, block_end);
  const Index warp_end = min_index(block_begin + (tile2 + warp * tile2), block_end);
  const Index warp_begin2 = min_index(block_begin2 + warp * segments2, block_end2);
  const Index warp_end2 = min_index(block_begin2 + (segments2 + warp * segments2), block_end2);
  // warp: unit (segmented_sum.cdl:55), rows times a constant by its matrix unit
  const Index columns = min_index(size, warp_end - warp_begin);
  const Index rows = warp_end2 - warp_begin2;
  const int together = (int)(columns < 256 ? min_index(32 / max_index(min_index(columns & -columns, 32), 1), 8) : 1);
  const int period = together > 1 ? (int)columns : 32;
  const Index length = columns * together;
  const Index many = together == 8 ? (rows + 7) / 8 : together == 4 ? (rows + 3) / 4 : together == 2 ? (rows + 1) / 2 : rows;
  const bool wide = length % 8 == 0 && (to_aligned(&in[warp_begin]) % 8 == 0);
  const int beside = unit_k / 32;
  const int tall = 64 / beside;
  const Index whole = (wide && ((together == 1 || length == 32) && (length % unit_k == 0) && (length > 0))) ? ((many * together > rows ? many - 1 : many) * length <= (warp_end - warp_begin) ? many * together > rows ? many - 1 : many : (warp_end - warp_begin) / length) / tall : 0;
  const Index shift = -to_aligned(&in[warp_begin]) & 7;
  const Index slack = length % 8 == 0 ? shift : 7;
  const Index there = many * length - (warp_end - warp_begin) < length ? many : (warp_end - warp_begin + max_index(length, 1) - 1) / max_index(length, 1);
  const int behind_last = (int)max_index(min_index(warp_end - warp_begin - there * length, 8), -1073741824);
  const int behind_both = (int)max_index(min_index(warp_end - warp_begin - (there - 1) * length, 8), -1073741824);
  E ones[4];
  #pragma unroll
  for (int r = 0; r < 4; ++r)
    ones[r] = (lane % 4 * 8 + r / 2 * 4 >= (lane / 4 * period) && (lane % 4 * 8 + r / 2 * 4 < (lane / 4 * period + period))) ? (E)1 : (E)0;
  #pragma unroll 1
  for (Index tile3 = 0; tile3 < whole; ++tile3) {
    T sums[32];
    #pragma unroll
    for (int g = 0; g < 8; ++g) {
      #pragma unroll
      for (int r = 0; r < 4; ++r)
        sums[g * 4 + r] = (T)0;
    }
    #pragma unroll 1
    for (Index k = 0; k < ((length + unit_k - 1) / unit_k); ++k) {
      const Index first = (tile3 * tall + lane / 4) * length + (k * unit_k + lane % 4 * 8);
      E near[64];
      #pragma unroll
      for (int g = 0; g < 8; ++g) {
        #pragma unroll
        for (int half = 0; half < 1; ++half) {
          const Index at = first + g / beside * 8 * length + g % beside * 32;
          #pragma unroll
          for (int q = 0; q < (8 / (16 / (int)sizeof(E))); ++q)
            load_wide(&near[g * 8 + q * (16 / (int)sizeof(E))], &in[warp_begin + (at + q * (16 / (int)sizeof(E)))]);
        }
      }
      #pragma unroll
      for (int g = 0; g < 8; ++g)
        multiply(&sums[g * 4], &near[g * 8], &ones[0]);
    }
    #pragma unroll
    for (int g = 0; g < 8; ++g) {
      sums[g * 4] += sums[g * 4 + 2];
      sums[g * 4 + 1] += sums[g * 4 + 3];
    }
    if (lane % 4 * 2 < together) {
      #pragma unroll
      for (int g = 0; g < 8; ++g) {
        if (g % beside == 0) {
          #pragma unroll
          for (int half = 0; half < 1; ++half) {
            const Index rows_from = (tile3 * tall + lane / 4) * together + lane % 4 * 2 + g / beside * 8 * together;
            #pragma unroll
            for (int e = 0; e < 2; ++e) {
              T sum = sums[g * 4 + (half * 2 + e)];
              #pragma unroll
              for (int next = 0; next < (beside - 1); ++next)
                sum += sums[(g + next + 1) * 4 + (half * 2 + e)];
              if (lane % 4 * 2 + e < together)
                out[warp_begin2 + (rows_from + e)] = sum;
            }
          }
        }
      }
    }
    bool own_finite = true;
    #pragma unroll
    for (int q = 0; q < 16; ++q)
      own_finite = own_finite && (fabs(sums[q / 2 * 4 + q % 2]) < highest<T>());
    const bool finite = !__any_sync(0xffffffff, together > 1 && !own_finite);
    if (!finite) {
      __syncwarp();
      const Index first_row = tile3 * (tall * together);
      #pragma unroll 1
      for (int i = 0; i < ((tall * together + 32 - 1) / 32); ++i) {
        const Index row = first_row + (lane + i * 32);
        if (lane + i * 32 < (tall * together) && (row < rows) && !(fabs(out[warp_begin2 + row]) < highest<T>())) {
          T sum = (T)0;
          const Index begin = row * columns;
          #pragma unroll 1
          for (int q = 0; q < min_index(columns, warp_end - warp_begin - begin); ++q)
            sum += (T)in[warp_begin + (begin + q)];
          out[warp_begin2 + row] = sum;
        }
      }
    }
  }
  E ones2[beside * 8];
  #pragma unroll
  for (int c2 = 0; c2 < beside; ++c2) {
    #pragma unroll
    for (int r = 0; r < 8; ++r)
      ones2[c2 * 8 + r] = (lane % 4 * 8 + r >= (lane / 4 * period) && (lane % 4 * 8 + r < (lane / 4 * period + period))) ? (E)1 : (E)0;
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
    for (Index k = 0; k < ((length + slack + unit_k - 1) / unit_k); ++k) {
      const Index first = (tile4 * tall + lane / 4) * length + (k * unit_k + lane % 4 * 8);
      const int ahead = (int)min_index(length - (k * unit_k + lane % 4 * 8), 1073741824);
      const int rows_left = (int)min_index(there - (tile4 * tall + lane / 4), tall);
      const bool within = (k > 0 || slack == 0) && ((k + 1) * unit_k <= length) && ((tile4 + 1) * tall * length <= (warp_end - warp_begin));
      if (within) {
        E near[64];
        #pragma unroll
        for (int g = 0; g < 4; ++g) {
          #pragma unroll
          for (int half = 0; half < 2; ++half) {
            const int down = g / beside * 16 + half * 8;
            const int behind = (int)((tile4 * tall + lane / 4 + down) * length + shift) & 7;
            const Index at = first + down * length + g % beside * 32 - behind;
            #pragma unroll
            for (int q = 0; q < (8 / (16 / (int)sizeof(E))); ++q)
              load_wide(&near[g * 16 + half * 8 + q * (16 / (int)sizeof(E))], &in[warp_begin + (at + q * (16 / (int)sizeof(E)))]);
          }
        }
        if (together > 1) {
          #pragma unroll
          for (int c2 = 0; c2 < beside; ++c2) {
            #pragma unroll
            for (int r = 0; r < 8; ++r)
              ones2[c2 * 8 + r] = ((int)(k * unit_k) + c2 * 32 - (int)shift + (lane % 4 * 8 + r) >= (lane / 4 * period) && ((int)(k * unit_k) + c2 * 32 - (int)shift + (lane % 4 * 8 + r) < (lane / 4 * period + period))) ? (E)1 : (E)0;
          }
        }
        #pragma unroll
        for (int g = 0; g < 4; ++g) {
          #pragma unroll
          for (int s = 0; s < 2; ++s) {
            E part[8];
            part_of_a(&part[0], &near[g * 16 + s * 4], 8);
            multiply(&sums[g * 4], &part[0], &ones2[g % beside * 8 + s * 4]);
          }
        }
      }
      else {
        E near[64];
        #pragma unroll
        for (int g = 0; g < 4; ++g) {
          #pragma unroll
          for (int half = 0; half < 2; ++half) {
            const int down = g / beside * 16 + half * 8;
            const int behind = (int)((tile4 * tall + lane / 4 + down) * length + shift) & 7;
            const Index at = first + down * length + g % beside * 32 - behind;
            const int left = down < rows_left ? ahead - g % beside * 32 + behind : 0;
            const int more = down == rows_left - 1 ? behind_last : down == rows_left - 2 ? behind_both : 8;
            const int room = left + more;
            load_near<8>(&near[g * 16 + half * 8], &in[warp_begin + at], left > 0 && ((down + g % beside * 32 > 0 || first >= behind) && (room >= 8)));
          }
        }
        #pragma unroll
        for (int g = 0; g < 4; ++g) {
          #pragma unroll
          for (int half = 0; half < 2; ++half) {
            const int down = g / beside * 16 + half * 8;
            const int behind = (int)((tile4 * tall + lane / 4 + down) * length + shift) & 7;
            const int skip = (g % beside * 32 == 0 && (k * unit_k + lane % 4 * 8 == 0)) ? behind : 0;
            const Index at = first + down * length + g % beside * 32 - behind;
            const int left = down < rows_left ? ahead - g % beside * 32 + behind : 0;
            const int more = down == rows_left - 1 ? behind_last : down == rows_left - 2 ? behind_both : 8;
            const int room = left + more;
            keep_near<8>(&near[g * 16 + half * 8], &in[warp_begin + at], skip, left < room ? left : room, left > 0 && ((down + g % beside * 32 > 0 || first >= behind) && (room >= 8)));
          }
        }
        if (together > 1) {
          #pragma unroll
          for (int c2 = 0; c2 < beside; ++c2) {
            #pragma unroll
            for (int r = 0; r < 8; ++r)
              ones2[c2 * 8 + r] = ((int)(k * unit_k) + c2 * 32 - (int)shift + (lane % 4 * 8 + r) >= (lane / 4 * period) && ((int)(k * unit_k) + c2 * 32 - (int)shift + (lane % 4 * 8 + r) < (lane / 4 * period + period))) ? (E)1 : (E)0;
          }
        }
        #pragma unroll
        for (int g = 0; g < 4; ++g) {
          #pragma unroll
          for (int s = 0; s < 2; ++s) {
            E part[8];
            part_of_a(&part[0], &near[g * 16 + s * 4], 8);
            multiply(&sums[g * 4], &part[0], &ones2[g % beside * 8 + s * 4]);
          }
        }
      }
    }
    #pragma unroll
    for (int g = 0; g < 4; ++g) {
      if (g % beside == 0 && (lane % 4 * 2 < together)) {
        #pragma unroll
        for (int half = 0; half < 2; ++half) {
          const Index rows_from = (tile4 * tall + lane / 4) * together + lane % 4 * 2 + (g / beside * 16 + half * 8) * together;
          #pragma unroll
          for (int e = 0; e < 2; ++e) {
            T sum = sums[g * 4 + (half * 2 + e)];
            #pragma unroll
            for (int next = 0; next < (beside - 1); ++next)
              sum += sums[(g + next + 1) * 4 + (half * 2 + e)];
            if (lane % 4 * 2 + e < together && (rows_from + e < rows))
              out[warp_begin2 + (rows_from + e)] = sum;
          }
        }
      }
    }
    bool own_finite = true;
    #pragma unroll
    for (int q = 0; q < 16; ++q)
      own_finite = own_finite && (fabs(sums[q]) < highest<T>());
    const bool finite = !__any_sync(0xffffffff, together > 1 && !own_finite);
    if (!finite) {
      __syncwarp();
      const Index first_row = tile4 * (tall * together);
      #pragma unroll 1
      for (int i = 0; i < ((tall * together + 32 - 1) / 32); ++i) {
        const Index row = first_row + (lane + i * 32);
        if (lane + i * 32 < (tall * together) && (row < rows) && !(fabs(out[warp_begin2 + row]) < highest<T>())) {
          T sum = (T)0;
          const Index begin = row * columns;
          #pragma unroll 1
          for (int q = 0; q < min_index(columns, warp_end - warp_begin - begin); ++q)
            sum += (T)in[warp_begin + (begin + q)];
          out[warp_begin2 + row] = sum;
        }
      }
    }
  }
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename E, typename T, int threads, int unit_k>
cudaError_t run(Index blocks, void *workspace, size_t *workspace_bytes, const E *in, Index n, Index size, T *out, Index out_n, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  static_assert(unit_k >= 32 && unit_k <= 128 && (unit_k == 32 || unit_k == 64 || unit_k == 128), "unit_k: elements of a row at once, 32, 64 or 128");
  if (n < 0 || size < 0 || out_n < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid > block: tiles (segmented_sum.cdl:30), one part per block
  const Index tiles = threads / 32 * max_index(16 * (4 / (unit_k / 32)) * max_index(min_index(size, n) * (min_index(size, n) < 256 ? min_index(32 / max_index(min_index(min_index(size, n) & -min_index(size, n), 32), 1), 8) : 1), unit_k), 2048);
  const Index p = min_index(max_index((n + tiles * min_index(max_index(n / (tiles * 1728), 1), 8) - 1) / (tiles * min_index(max_index(n / (tiles * 1728), 1), 8)), 1), blocks);
  Index segments = (out_n + p - 1) / p;
  Index tile = segments * min_index(size, n);
  const size_t need = 1; // none, but never zero
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  {
    void *args[] = {&tile, &n, &segments, &out_n, &size, &in, &out};
    const cudaError_t error = cudaLaunchKernel(segmented_sum_blocks<E, T, threads, unit_k>, dim3((unsigned)p), dim3(threads), args, 0, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
template <typename E, typename T>
cudaError_t configured(const segmented_sum_configuration *c, void *workspace, size_t *workspace_bytes, const E *in, Index n, Index size, T *out, Index out_n, cudaStream_t stream) {
  const segmented_sum_configuration own = {0, 0, 0, 0};
  if (c == nullptr) c = &own;
  const Index blocks = c->blocks ? c->blocks : 1024; // maximum number of blocks, 1 to 2147483647
  if (blocks < 1 || blocks > 2147483647) return cudaErrorInvalidConfiguration;
#define RUN(THREADS, UNIT_K) if (serves(THREADS, c->threads) && serves(UNIT_K, c->unit_k)) return run<E, T, THREADS, UNIT_K>(blocks, workspace, workspace_bytes, in, n, size, out, out_n, stream);
  SEGMENTED_SUM_7E80DCA2_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace segmented_sum_7e80dca2

#define ROW(THREADS, UNIT_K) {THREADS, 0, 1024, UNIT_K},
// Those that were compiled; zeros end them.
extern "C" const segmented_sum_configuration segmented_sum_7e80dca2_configurations[];
const segmented_sum_configuration segmented_sum_7e80dca2_configurations[] = {SEGMENTED_SUM_7E80DCA2_CONFIGURATIONS(ROW) {0, 0, 0, 0}};
#undef ROW

extern "C" cudaError_t segmented_sum_7e80dca2_half(const segmented_sum_configuration *c, void *workspace, size_t *workspace_bytes, const __half *in, uint64_t n, uint64_t size, float *out, uint64_t out_n, cudaStream_t stream) {
  return segmented_sum_7e80dca2::configured<__half, float>(c, workspace, workspace_bytes, in, (segmented_sum_7e80dca2::Index)n, (segmented_sum_7e80dca2::Index)size, out, (segmented_sum_7e80dca2::Index)out_n, stream);
}
