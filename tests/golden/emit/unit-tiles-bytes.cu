// tile_sums, variant c4ed05ce: grid.tiles(block>warp.unit)
// Made by tgc from unit_rows.cdl for sm_75; this text is yours.
//
// baseline, 1 kernel, determinism run_to_run: the order in which a matrix unit adds products is specific to the machine
// batch-invariant: the order does not depend on what else is computed
//
//   grid: regroups by `tiles', over its blocks (G3)
//     each part: block: one warp acts for all (B1)
//       warp: computes by `unit' (W4)
//
// codelets
//   tiles        unit_rows.cdl:19
//   unit         unit_rows.cdl:28
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads, unit_k); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
//   unit_k: elements of a row at once, 32, 64 or 128
#ifndef TILE_SUMS_C4ED05CE_CONFIGURATIONS
#define TILE_SUMS_C4ED05CE_CONFIGURATIONS(C) C(256, 32)
#endif

#ifndef TILE_SUMS_CONFIGURATION
#define TILE_SUMS_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct tile_sums_configuration {
  int threads, loads;
  int64_t blocks;
  int unit_k;
} tile_sums_configuration;
#endif

namespace tile_sums_c4ed05ce {

typedef long long Index; // sizes and positions

__host__ __device__ constexpr Index min_index(Index x, Index y) { return x < y ? x : y; }

__host__ __device__ constexpr Index max_index(Index x, Index y) { return x > y ? x : y; }

// Number of elements up to the next 16-byte boundary.
template <typename E> __host__ __device__ __forceinline__ Index to_aligned(const E *from) {
  return (Index)((16 - (uintptr_t)from % 16) % 16 / sizeof(E));
}

// Elements in a register of a matrix unit.
template <typename E> constexpr int packed = sizeof(E) < 4 ? 4 / (int)sizeof(E) : 1;

// Of a lane's 4 neighbours in a row, and `below' further on in the one 8 rows below: its elements of the 16 x 16 of A whose
// inner dimension is in this order: lane by lane the first lane's 4, the second one's. B, read so, gives the same product.
template <typename E> __device__ __forceinline__ void part_of_a(E *to, const E *from, int below) {
  memcpy(to, from, 4); // words, which are not taken apart
  memcpy(to + 4, from + below, 4);
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
  memcpy(to, x.word, sizeof x.word);
}

// Of these the ones from `first` on, up to `end`, zeros in place of the others; where some of them are there, but they were
// not read together, one by one.
template <int near, typename E>
__device__ __forceinline__ void keep_near(E *to, const E *from, int first, int end, bool read) {
  constexpr int words = near * sizeof(E) / 4, in_a_word = sizeof(E) < 4 ? 4 / (int)sizeof(E) : 1;
  Near<E, near> x;
  memcpy(x.word, to, sizeof x.word);
  if (first < end && (first > 0 || end < near || !read)) {
    if (!read) {
#pragma unroll
      for (int i = 0; i < words; ++i) {
        x.word[i] = 0;
#pragma unroll 1
        for (int e = i * in_a_word; e < (i + 1) * in_a_word; ++e) // few registers
          if (e >= first && e < end) x.word[i] |= (unsigned)(unsigned char)from[e] << 8 * (e % in_a_word);
      }
    }
#pragma unroll
    for (int i = 0; i < words; ++i) {
      unsigned mask = 0;
#pragma unroll
      for (int k = 0; k < in_a_word; ++k) {
        const int e = i * 4 / (int)sizeof(E) + k;
        if (e >= first && e < end) mask |= 0xffu << 8 * k;
      }
      x.word[i] &= mask;
    }
  }
  memcpy(to, x.word, sizeof x.word);
}

// C += A B, of lanes' elements.
__device__ __forceinline__ void multiply(int *sums, const signed char *of_a, const signed char *of_b) {
#pragma unroll
  for (int k = 0; k < 16 / 16; ++k)
#pragma unroll
    for (int i = 0; i < 16 / 8; ++i) {
      int *c = sums + 2 * i;
      unsigned a[8 * 16 / 32 / packed<signed char>], b[8 * 16 / 32 / packed<signed char>];
      memcpy(a, of_a + k * (16 / 2) + i * packed<signed char>, sizeof a);
      memcpy(b, of_b + k * (16 / 4), sizeof b);
#if defined(__CUDACC__) || defined(__CUDA_ARCH__)
      asm("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
      : "+r"(c[0]), "+r"(c[1])
      : "r"(a[0]), "r"(b[0]));
#else // tgc check's executor
      simt::multiply<signed char, 8, 16>(c, a, b);
#endif
    }
}

// Each block processes its part.
template <typename E, typename T, int threads, int unit_k>
__global__ void __launch_bounds__(threads, threads < 512 ? 512 / threads : 1) tile_sums_blocks(Index many, Index n, Index out_n, const E *__restrict__ in, T *__restrict__ out) {
  const Index block = blockIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  // grid > block: tiles (unit_rows.cdl:19), one part per block
  const Index block_begin = min_index(block * (many * 64), n);
  const Index block_end = min_index(many * 64 + block * (many * 64), n);
  const Index block_begin2 = min_index(block * many, out_n);
  const Index block_end2 = min_index(many + block * many, out_n);
  // block > warp: one warp acts for all
  if (warp == 0) {
    // warp: unit (unit_rows.cdl:28), rows times a constant by its matrix unit
    const Index columns = min_index(64, block_end - block_begin);
    const Index rows = block_end2 - block_begin2;
    const int together = (int)min_index(32 / max_index(min_index(columns & -columns, 32), 1), 8);
    const int period = together > 1 ? (int)columns : 32;
    const Index length = columns * together;
    const Index many2 = together == 8 ? (rows + 7) / 8 : together == 4 ? (rows + 3) / 4 : together == 2 ? (rows + 1) / 2 : rows;
    const bool wide = length % 8 == 0 && (to_aligned(&in[block_begin]) % 8 == 0);
    const int beside = unit_k / 32;
    const int tall = 64 / beside;
    const Index whole = (wide && ((together == 1 || length == 32) && (length % unit_k == 0) && (length > 0))) ? ((many2 * together > rows ? many2 - 1 : many2) * length <= (block_end - block_begin) ? many2 * together > rows ? many2 - 1 : many2 : (block_end - block_begin) / length) / tall : 0;
    const Index shift = -to_aligned(&in[block_begin]) & 7;
    const Index slack = length % 8 == 0 ? shift : 7;
    const Index there = many2 * length - (block_end - block_begin) < length ? many2 : (block_end - block_begin + max_index(length, 1) - 1) / max_index(length, 1);
    const int behind_last = (int)max_index(min_index(block_end - block_begin - there * length, 8), -1073741824);
    const int behind_both = (int)max_index(min_index(block_end - block_begin - (there - 1) * length, 8), -1073741824);
    E ones[8];
    #pragma unroll
    for (int r = 0; r < 8; ++r)
      ones[r] = (lane % 4 * 8 + r >= (lane / 4 * period) && (lane % 4 * 8 + r < (lane / 4 * period + period))) ? (E)1 : (E)0;
    #pragma unroll 1
    for (Index tile = 0; tile < whole; ++tile) {
      T sums[16];
      #pragma unroll
      for (int g = 0; g < 4; ++g) {
        #pragma unroll
        for (int r = 0; r < 4; ++r)
          sums[g * 4 + r] = (T)0;
      }
      #pragma unroll 1
      for (Index k = 0; k < ((length + unit_k - 1) / unit_k); ++k) {
        const Index first = (tile * tall + lane / 4) * length + (k * unit_k + lane % 4 * 8);
        E near[64];
        #pragma unroll
        for (int g = 0; g < 4; ++g) {
          #pragma unroll
          for (int half = 0; half < 2; ++half) {
            const Index at = first + (g / beside * 16 + half * 8) * length + g % beside * 32;
            load_near<8>(&near[g * 16 + half * 8], &in[block_begin + at], true);
          }
        }
        #pragma unroll
        for (int g = 0; g < 4; ++g) {
          #pragma unroll
          for (int s = 0; s < 2; ++s) {
            E part[8];
            part_of_a(&part[0], &near[g * 16 + s * 4], 8);
            multiply(&sums[g * 4], &part[0], &ones[s * 4]);
          }
        }
      }
      #pragma unroll
      for (int g = 0; g < 4; ++g) {
        if (g % beside == 0 && (lane % 4 * 2 < together)) {
          #pragma unroll
          for (int half = 0; half < 2; ++half) {
            const Index rows_from = (tile * tall + lane / 4) * together + lane % 4 * 2 + (g / beside * 16 + half * 8) * together;
            #pragma unroll
            for (int e = 0; e < 2; ++e) {
              T sum = sums[g * 4 + (half * 2 + e)];
              #pragma unroll
              for (int next = 0; next < (beside - 1); ++next)
                sum += sums[(g + next + 1) * 4 + (half * 2 + e)];
              if (lane % 4 * 2 + e < together)
                out[block_begin2 + (rows_from + e)] = sum;
            }
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
    for (Index tile2 = whole * (tall / tall); tile2 < ((many2 + tall - 1) / tall); ++tile2) {
      T sums[16];
      #pragma unroll
      for (int g = 0; g < 4; ++g) {
        #pragma unroll
        for (int r = 0; r < 4; ++r)
          sums[g * 4 + r] = (T)0;
      }
      #pragma unroll 1
      for (Index k = 0; k < ((length + slack + unit_k - 1) / unit_k); ++k) {
        const Index first = (tile2 * tall + lane / 4) * length + (k * unit_k + lane % 4 * 8);
        const int ahead = (int)min_index(length - (k * unit_k + lane % 4 * 8), 1073741824);
        const int rows_left = (int)min_index(there - (tile2 * tall + lane / 4), tall);
        const bool within = (k > 0 || slack == 0) && ((k + 1) * unit_k <= length) && ((tile2 + 1) * tall * length <= (block_end - block_begin));
        if (within) {
          E near[64];
          #pragma unroll
          for (int g = 0; g < 4; ++g) {
            #pragma unroll
            for (int half = 0; half < 2; ++half) {
              const int down = g / beside * 16 + half * 8;
              const int behind = (int)((tile2 * tall + lane / 4 + down) * length + shift) & 7;
              const Index at = first + down * length + g % beside * 32 - behind;
              load_near<8>(&near[g * 16 + half * 8], &in[block_begin + at], true);
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
              const int behind = (int)((tile2 * tall + lane / 4 + down) * length + shift) & 7;
              const Index at = first + down * length + g % beside * 32 - behind;
              const int left = down < rows_left ? ahead - g % beside * 32 + behind : 0;
              const int more = down == rows_left - 1 ? behind_last : down == rows_left - 2 ? behind_both : 8;
              const int room = left + more;
              load_near<8>(&near[g * 16 + half * 8], &in[block_begin + at], left > 0 && ((down + g % beside * 32 > 0 || first >= behind) && (room >= 8)));
            }
          }
          #pragma unroll
          for (int g = 0; g < 4; ++g) {
            #pragma unroll
            for (int half = 0; half < 2; ++half) {
              const int down = g / beside * 16 + half * 8;
              const int behind = (int)((tile2 * tall + lane / 4 + down) * length + shift) & 7;
              const int skip = (g % beside * 32 == 0 && (k * unit_k + lane % 4 * 8 == 0)) ? behind : 0;
              const Index at = first + down * length + g % beside * 32 - behind;
              const int left = down < rows_left ? ahead - g % beside * 32 + behind : 0;
              const int more = down == rows_left - 1 ? behind_last : down == rows_left - 2 ? behind_both : 8;
              const int room = left + more;
              keep_near<8>(&near[g * 16 + half * 8], &in[block_begin + at], skip, left < room ? left : room, left > 0 && ((down + g % beside * 32 > 0 || first >= behind) && (room >= 8)));
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
            const Index rows_from = (tile2 * tall + lane / 4) * together + lane % 4 * 2 + (g / beside * 16 + half * 8) * together;
            #pragma unroll
            for (int e = 0; e < 2; ++e) {
              T sum = sums[g * 4 + (half * 2 + e)];
              #pragma unroll
              for (int next = 0; next < (beside - 1); ++next)
                sum += sums[(g + next + 1) * 4 + (half * 2 + e)];
              if (lane % 4 * 2 + e < together && (rows_from + e < rows))
                out[block_begin2 + (rows_from + e)] = sum;
            }
          }
        }
      }
    }
  }
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename E, typename T, int threads, int unit_k>
cudaError_t run(Index blocks, void *workspace, size_t *workspace_bytes, const E *in, Index n, T *out, Index out_n, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  static_assert(unit_k >= 32 && unit_k <= 128 && (unit_k == 32 || unit_k == 64 || unit_k == 128), "unit_k: elements of a row at once, 32, 64 or 128");
  if (n < 0 || out_n < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid > block: tiles (unit_rows.cdl:19), one part per block
  const Index tiles = threads / 32 * max_index(16 * (4 / (unit_k / 32)) * max_index(min_index(64, n) * (min_index(64, n) < 256 ? min_index(32 / max_index(min_index(min_index(64, n) & -min_index(64, n), 32), 1), 8) : 1), unit_k), 2048);
  const Index p = min_index(max_index((n + tiles * min_index(max_index(n / (tiles * 640), 1), 8) - 1) / (tiles * min_index(max_index(n / (tiles * 640), 1), 8)), 1), blocks);
  Index many = (out_n + p - 1) / p;
  const size_t need = 1; // none, but never zero
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  {
    void *args[] = {&many, &n, &out_n, &in, &out};
    const cudaError_t error = cudaLaunchKernel(tile_sums_blocks<E, T, threads, unit_k>, dim3((unsigned)p), dim3(threads), args, 0, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
template <typename E, typename T>
cudaError_t configured(const tile_sums_configuration *c, void *workspace, size_t *workspace_bytes, const E *in, Index n, T *out, Index out_n, cudaStream_t stream) {
  const tile_sums_configuration own = {0, 0, 0, 0};
  if (c == nullptr) c = &own;
  const Index blocks = c->blocks ? c->blocks : 1024; // maximum number of blocks, 1 to 2147483647
  if (blocks < 1 || blocks > 2147483647) return cudaErrorInvalidConfiguration;
#define RUN(THREADS, UNIT_K) if (serves(THREADS, c->threads) && serves(UNIT_K, c->unit_k)) return run<E, T, THREADS, UNIT_K>(blocks, workspace, workspace_bytes, in, n, out, out_n, stream);
  TILE_SUMS_C4ED05CE_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace tile_sums_c4ed05ce

#define ROW(THREADS, UNIT_K) {THREADS, 0, 1024, UNIT_K},
// Those that were compiled; zeros end them.
extern "C" const tile_sums_configuration tile_sums_c4ed05ce_configurations[];
const tile_sums_configuration tile_sums_c4ed05ce_configurations[] = {TILE_SUMS_C4ED05CE_CONFIGURATIONS(ROW) {0, 0, 0, 0}};
#undef ROW

extern "C" cudaError_t tile_sums_c4ed05ce_int8(const tile_sums_configuration *c, void *workspace, size_t *workspace_bytes, const signed char *in, uint64_t n, int *out, uint64_t out_n, cudaStream_t stream) {
  return tile_sums_c4ed05ce::configured<signed char, int>(c, workspace, workspace_bytes, in, (tile_sums_c4ed05ce::Index)n, out, (tile_sums_c4ed05ce::Index)out_n, stream);
}
