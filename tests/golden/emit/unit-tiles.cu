// tile_sums, variant c4ed05ce: grid.tiles(block>warp.unit)
// Made by tgc from unit_rows.cdl for sm_75; this text is yours.
//
// baseline, 1 kernel, determinism run_to_run: a matrix unit adds products in an order that is its machine's own
// batch-invariant: the order does not depend on what else is computed
//
//   grid: regroups by `tiles', over its blocks (G3)
//     each part: block: one warp acts for all (B1)
//       warp: computes by `unit' (W4)
//
// codelets
//   tiles        unit_rows.cdl:19
//   unit         unit_rows.cdl:28
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
#ifndef TILE_SUMS_C4ED05CE_CONFIGURATIONS
#define TILE_SUMS_C4ED05CE_CONFIGURATIONS(C) C(256)
#endif

#ifndef TILE_SUMS_CONFIGURATION
#define TILE_SUMS_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct tile_sums_configuration {
  int threads, loads;
  int64_t blocks;
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

// Elements in a register of a matrix unit.
template <typename E> constexpr int packed = sizeof(E) < 4 ? 4 / (int)sizeof(E) : 1;

// Of a lane's 4 neighbours in a row and in the one 8 rows below: its elements of the 16 x 16 of A whose inner dimension is in
// this order: lane by lane the first lane's 4, the second one's. B, read so, gives the same product.
template <typename E> __device__ __forceinline__ void part_of_a(E *to, const E *from) {
#pragma unroll
  for (int e = 0; e < 8; ++e) {
    const int part = e / packed<E>;
    to[e] = from[part % 2 * 4 + part / 2 * packed<E> + e % packed<E>];
  }
}

// C += A B, of lanes' elements.
__device__ __forceinline__ void multiply(float *sums, const __half *of_a, const __half *of_b) {
#pragma unroll
  for (int k = 0; k < 16 / 8; ++k)
#pragma unroll
    for (int i = 0; i < 16 / 16; ++i) {
      float *c = sums + 2 * i;
      unsigned a[16 * 8 / 32 / packed<__half>], b[8 * 8 / 32 / packed<__half>];
      memcpy(a, of_a + k * (8 / 2) + i, sizeof a);
      memcpy(b, of_b + k * (8 / 4), sizeof b);
#if defined(__CUDACC__) || defined(__CUDA_ARCH__)
      asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]));
#else // tgc check's executor
      simt::multiply<__half, 16, 8>(c, a, b);
#endif
    }
}

// Each block processes its part.
template <typename E, typename T, int threads>
__global__ void __launch_bounds__(threads, 1) tile_sums_blocks(Index many, Index n, Index out_n, const E *__restrict__ in, T *__restrict__ out) {
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
    const bool wide = columns % 4 == 0 && (to_aligned(&in[block_begin]) % 4 == 0);
    E ones[4];
    #pragma unroll
    for (int r = 0; r < 4; ++r)
      ones[r] = (E)1;
    for (Index tile = 0; tile < ((rows + 63) / 64); ++tile) {
      T sums[16];
      #pragma unroll
      for (int g = 0; g < 4; ++g) {
        #pragma unroll
        for (int r = 0; r < 4; ++r)
          sums[g * 4 + r] = (T)0;
      }
      for (Index k = 0; k < ((columns + 15) / 16); ++k) {
        const bool whole = wide && ((tile + 1) * 64 <= rows) && ((k + 1) * 16 <= columns) && (((tile + 1) * 64 - 1) * columns + (k + 1) * 16 <= (block_end - block_begin));
        E near[32];
        if (whole) {
          #pragma unroll
          for (int g = 0; g < 4; ++g) {
            #pragma unroll
            for (int half = 0; half < 2; ++half) {
              const Index at = (tile * 64 + g * 16 + (half * 8 + lane / 4)) * columns + (k * 16 + lane % 4 * 4);
              #pragma unroll
              for (int q = 0; q < (4 / (16 / (int)sizeof(T))); ++q)
                load_row<T>(&near[g * 8 + half * 4 + q * (16 / (int)sizeof(T))], &in[block_begin + (at + q * (16 / (int)sizeof(T)))]);
            }
          }
        }
        #pragma unroll
        for (int g = 0; g < 4; ++g) {
          if (!whole) {
            #pragma unroll
            for (int half = 0; half < 2; ++half) {
              const Index row = tile * 64 + g * 16 + (half * 8 + lane / 4);
              const Index column = k * 16 + lane % 4 * 4;
              const Index at = row * columns + column;
              const Index left = row < rows ? min_index(columns - column, block_end - block_begin - at) : 0;
              if (wide && (left >= 4)) {
                #pragma unroll
                for (int q = 0; q < (4 / (16 / (int)sizeof(T))); ++q)
                  load_row<T>(&near[g * 8 + half * 4 + q * (16 / (int)sizeof(T))], &in[block_begin + (at + q * (16 / (int)sizeof(T)))]);
              }
              else {
                #pragma unroll
                for (int q = 0; q < 4; ++q)
                  near[g * 8 + half * 4 + q] = q < left ? in[block_begin + (at + q)] : (E)0;
              }
            }
          }
          E part[8];
          part_of_a(&part[0], &near[g * 8]);
          multiply(&sums[g * 4], &part[0], &ones[0]);
        }
      }
      #pragma unroll
      for (int g = 0; g < 4; ++g) {
        #pragma unroll
        for (int half = 0; half < 2; ++half) {
          const Index row = tile * 64 + g * 16 + half * 8 + lane / 4;
          if (lane % 4 == 0 && (row < rows))
            out[block_begin2 + row] = sums[g * 4 + half * 2];
        }
      }
    }
  }
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename E, typename T, int threads>
cudaError_t run(Index blocks, void *workspace, size_t *workspace_bytes, const E *in, Index n, T *out, Index out_n, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  if (n < 0 || out_n < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid > block: tiles (unit_rows.cdl:19), one part per block
  const Index p = min_index(max_index((n + threads - 1) / threads, 1), blocks);
  Index many = (out_n + p - 1) / p;
  const size_t need = 1; // none, but never zero
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  {
    void *args[] = {&many, &n, &out_n, &in, &out};
    const cudaError_t error = cudaLaunchKernel(tile_sums_blocks<E, T, threads>, dim3((unsigned)p), dim3(threads), args, 0, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
template <typename E, typename T>
cudaError_t configured(const tile_sums_configuration *c, void *workspace, size_t *workspace_bytes, const E *in, Index n, T *out, Index out_n, cudaStream_t stream) {
  const tile_sums_configuration own = {0, 0, 0};
  if (c == nullptr) c = &own;
  const Index blocks = c->blocks ? c->blocks : 1024; // maximum number of blocks, 1 to 2147483647
  if (blocks < 1 || blocks > 2147483647) return cudaErrorInvalidConfiguration;
#define RUN(THREADS) if (serves(THREADS, c->threads)) return run<E, T, THREADS>(blocks, workspace, workspace_bytes, in, n, out, out_n, stream);
  TILE_SUMS_C4ED05CE_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace tile_sums_c4ed05ce

#define ROW(THREADS) {THREADS, 0, 1024},
// Those that were compiled; zeros end them.
extern "C" const tile_sums_configuration tile_sums_c4ed05ce_configurations[];
const tile_sums_configuration tile_sums_c4ed05ce_configurations[] = {TILE_SUMS_C4ED05CE_CONFIGURATIONS(ROW) {0, 0, 0}};
#undef ROW

extern "C" cudaError_t tile_sums_c4ed05ce_half(const tile_sums_configuration *c, void *workspace, size_t *workspace_bytes, const __half *in, uint64_t n, float *out, uint64_t out_n, cudaStream_t stream) {
  return tile_sums_c4ed05ce::configured<__half, float>(c, workspace, workspace_bytes, in, (tile_sums_c4ed05ce::Index)n, out, (tile_sums_c4ed05ce::Index)out_n, stream);
}
