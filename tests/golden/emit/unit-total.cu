// segmented_sum, variant ed174679: grid.each(block.tiled(warp.unit; block.tree+shuffle))
// Made by tgc from segmented_sum.cdl for sm_80; this text is yours.
//
// shuffle, 1 kernel, determinism run_to_run: the order in which a matrix unit adds products is specific to the machine
// batch-invariant: the order does not depend on what else is computed
//
//   grid: regroups by `each', over its blocks (G4)
//     each part: block: regroups by `tiled', over its warps (B8)
//       each part: warp: computes by `unit' (W12)
//       results: block: computes by `tree', exchanging registers (B10)
//
// codelets
//   each         segmented_sum.cdl:44
//   tiled        sum_steps.cdl:18
//   unit         segmented_sum.cdl:62
//   tree         sum_steps.cdl:47
#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
#ifndef SEGMENTED_SUM_ED174679_CONFIGURATIONS
#define SEGMENTED_SUM_ED174679_CONFIGURATIONS(C) C(256)
#endif

#ifndef SEGMENTED_SUM_CONFIGURATION
#define SEGMENTED_SUM_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct segmented_sum_configuration {
  int threads, loads;
  int64_t blocks;
} segmented_sum_configuration;
#endif

namespace segmented_sum_ed174679 {

typedef long long Index; // sizes and positions

__host__ __device__ constexpr Index min_index(Index x, Index y) { return x < y ? x : y; }

__host__ __device__ constexpr Index max_index(Index x, Index y) { return x > y ? x : y; }

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

// C += A B, of lanes' elements.
__device__ __forceinline__ void multiply(float *sums, const __nv_bfloat16 *of_a, const __nv_bfloat16 *of_b) {
#pragma unroll
  for (int k = 0; k < 16 / 16; ++k)
#pragma unroll
    for (int i = 0; i < 16 / 16; ++i) {
      float *c = sums + 2 * i;
      unsigned a[16 * 16 / 32 / packed<__nv_bfloat16>], b[8 * 16 / 32 / packed<__nv_bfloat16>];
      memcpy(a, of_a + k * (16 / 2) + i, sizeof a);
      memcpy(b, of_b + k * (16 / 4), sizeof b);
#if defined(__CUDACC__) || defined(__CUDA_ARCH__)
      asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else // tgc check's executor
      simt::multiply<__nv_bfloat16, 16, 16>(c, a, b);
#endif
    }
}

// First distance of an exchange over this many lanes: half of the next power of two.
__host__ __device__ constexpr int half_of(int lanes) {
  return lanes > 16 ? 16 : lanes > 8 ? 8 : lanes > 4 ? 4 : lanes > 2 ? 2 : lanes > 1 ? 1 : 0;
}

// Each block processes its share of the parts.
template <typename E, typename T, int threads>
__global__ void __launch_bounds__(threads, 1) segmented_sum_blocks(Index out_n, Index p, Index length, Index n, const E *__restrict__ in, T *__restrict__ out) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  __shared__ T parts[threads / 32];
  // grid > block: each (segmented_sum.cdl:44), one part per block
  for (Index turn = block; turn < out_n; turn += p) {
    const Index part_begin = min_index(turn * length, n);
    const Index part_end = min_index(length + turn * length, n);
    // block > warp: tiled (sum_steps.cdl:18), one part per warp
    Index len = part_end - part_begin;
    Index tile = (len + threads / 32 - 1) / (threads / 32);
    const Index warp_begin = min_index(part_begin + warp * tile, part_end);
    const Index warp_end = min_index(part_begin + (tile + warp * tile), part_end);
    // warp: unit (segmented_sum.cdl:62), rows times a constant by its matrix unit
    const Index lead = min_index(to_aligned(&in[warp_begin]) % 8, warp_end - warp_begin);
    const Index rows = (warp_end - warp_begin - lead + 31) / 32;
    const Index whole = (warp_end - warp_begin - lead) / 32 / 64;
    E ones[8];
    #pragma unroll
    for (int r = 0; r < 8; ++r)
      ones[r] = (E)1;
    T total = lane / 4 < lead ? (T)in[warp_begin + lane / 4] : (T)0;
    T sums[16];
    #pragma unroll
    for (int g = 0; g < 4; ++g) {
      #pragma unroll
      for (int r = 0; r < 4; ++r)
        sums[g * 4 + r] = (T)0;
    }
    #pragma unroll 1
    for (Index tile2 = 0; tile2 < whole; ++tile2) {
      #pragma unroll 1
      for (Index k = 0; k < 1; ++k) {
        const Index first = lead + ((tile2 * 64 + lane / 4) * 32 + (k * 32 + lane % 4 * 8));
        E near[64];
        #pragma unroll
        for (int g = 0; g < 4; ++g) {
          #pragma unroll
          for (int half = 0; half < 2; ++half) {
            const Index at = first + (g * 16 + half * 8) * 32;
            #pragma unroll
            for (int q = 0; q < (8 / (16 / (int)sizeof(E))); ++q)
              load_wide(&near[g * 16 + half * 8 + q * (16 / (int)sizeof(E))], &in[warp_begin + (at + q * (16 / (int)sizeof(E)))]);
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
    }
    #pragma unroll
    for (int g = 0; g < 4; ++g) {
      total += sums[g * 4];
      total += sums[g * 4 + 2];
    }
    T sums2[4];
    #pragma unroll
    for (int g = 0; g < 1; ++g) {
      #pragma unroll
      for (int r = 0; r < 4; ++r)
        sums2[g * 4 + r] = (T)0;
    }
    #pragma unroll 1
    for (Index tile3 = whole * 4; tile3 < ((rows + 15) / 16); ++tile3) {
      #pragma unroll 1
      for (Index k = 0; k < 1; ++k) {
        E near[16];
        #pragma unroll
        for (int g = 0; g < 1; ++g) {
          #pragma unroll
          for (int half = 0; half < 2; ++half) {
            const Index row = tile3 * 16 + lane / 4 + (g * 16 + half * 8);
            const Index column = k * 32 + lane % 4 * 8;
            const Index at = lead + (row * 32 + column);
            const Index left = row < rows ? min_index(32 - column, warp_end - warp_begin - at) : 0;
            if (left >= 8) {
              #pragma unroll
              for (int q = 0; q < (8 / (16 / (int)sizeof(E))); ++q)
                load_wide(&near[g * 16 + half * 8 + q * (16 / (int)sizeof(E))], &in[warp_begin + (at + q * (16 / (int)sizeof(E)))]);
            }
            else {
              #pragma unroll
              for (int q = 0; q < 8; ++q)
                near[g * 16 + half * 8 + q] = q < left ? in[warp_begin + (at + q)] : (E)0;
            }
          }
        }
        #pragma unroll
        for (int g = 0; g < 1; ++g) {
          #pragma unroll
          for (int s = 0; s < 2; ++s) {
            E part[8];
            part_of_a(&part[0], &near[g * 16 + s * 4], 8);
            multiply(&sums2[g * 4], &part[0], &ones[s * 4]);
          }
        }
      }
    }
    #pragma unroll
    for (int g = 0; g < 1; ++g) {
      total += sums2[g * 4];
      total += sums2[g * 4 + 2];
    }
    total += __shfl_xor_sync(0xffffffff, total, 4);
    total += __shfl_xor_sync(0xffffffff, total, 8);
    total += __shfl_xor_sync(0xffffffff, total, 16);
    __syncthreads();
    if (lane == 0)
      parts[warp] = total;
    // block: tree (sum_steps.cdl:47), exchanging registers
    __syncthreads();
    T val = thread < (threads / 32) ? parts[thread] : T(0);
    for (int offset = half_of(threads / 32); offset > 0; offset /= 2) {
      T other = __shfl_down_sync(0xffffffff, val, offset);
      val += other;
    }
    if (thread == 0)
      out[turn] = val;
  }
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename E, typename T, int threads>
cudaError_t run(Index blocks, void *workspace, size_t *workspace_bytes, const E *in, Index n, Index size, T *out, Index out_n, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  if (n < 0 || size < 0 || out_n < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid > block: each (segmented_sum.cdl:44), one part per block
  Index length = min_index(size, n);
  const Index p = min_index(max_index(out_n, 1), blocks);
  const size_t need = 1; // none, but never zero
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  {
    void *args[] = {&out_n, (void *)&p, &length, &n, &in, &out};
    const cudaError_t error = cudaLaunchKernel(segmented_sum_blocks<E, T, threads>, dim3((unsigned)p), dim3(threads), args, 0, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
template <typename E, typename T>
cudaError_t configured(const segmented_sum_configuration *c, void *workspace, size_t *workspace_bytes, const E *in, Index n, Index size, T *out, Index out_n, cudaStream_t stream) {
  const segmented_sum_configuration own = {0, 0, 0};
  if (c == nullptr) c = &own;
  const Index blocks = c->blocks ? c->blocks : 1024; // maximum number of blocks, 1 to 2147483647
  if (blocks < 1 || blocks > 2147483647) return cudaErrorInvalidConfiguration;
#define RUN(THREADS) if (serves(THREADS, c->threads)) return run<E, T, THREADS>(blocks, workspace, workspace_bytes, in, n, size, out, out_n, stream);
  SEGMENTED_SUM_ED174679_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace segmented_sum_ed174679

#define ROW(THREADS) {THREADS, 0, 1024},
// Those that were compiled; zeros end them.
extern "C" const segmented_sum_configuration segmented_sum_ed174679_configurations[];
const segmented_sum_configuration segmented_sum_ed174679_configurations[] = {SEGMENTED_SUM_ED174679_CONFIGURATIONS(ROW) {0, 0, 0}};
#undef ROW

extern "C" cudaError_t segmented_sum_ed174679_bfloat16(const segmented_sum_configuration *c, void *workspace, size_t *workspace_bytes, const __nv_bfloat16 *in, uint64_t n, uint64_t size, float *out, uint64_t out_n, cudaStream_t stream) {
  return segmented_sum_ed174679::configured<__nv_bfloat16, float>(c, workspace, workspace_bytes, in, (segmented_sum_ed174679::Index)n, (segmented_sum_ed174679::Index)size, out, (segmented_sum_ed174679::Index)out_n, stream);
}
