// bfs_edges, variant a82c2db5: grid.steps!persistent=(grid.tiled(block.strided/all(thread.strided(ilp.serial))); grid.tiled(block.strided/all(thread.strided(ilp.serial))); grid.tiled(block.strided/all(thread.strided(ilp.serial))))
// Made by tgc from bfs_edges.cdl for sm_90; this text is yours.
//
// baseline, 3 kernels, determinism not_guaranteed: if several values are written to one place (__accum(Any)), any one of them stays
// not batch-invariant: which one stays depends on the order of arrival
//
//   grid: `steps' takes 3 steps, those of a loop in one launch (G2)
//     step 1: grid: regroups by `tiled', over its blocks (G5)
//       each part: block: regroups by `strided', over its lanes (B6x)
//         each part: thread: regroups by `strided', over its register slots (T6)
//           each part: ilp: computes by `serial' (I4)
//     step 2: grid: regroups by `tiled', over its blocks (G5)
//       each part: block: regroups by `strided', over its lanes (B6x)
//         each part: thread: regroups by `strided', over its register slots (T6)
//           each part: ilp: computes by `serial' (I4)
//     step 3: grid: regroups by `tiled', over its blocks (G9)
//       each part: block: regroups by `strided', over its lanes (B10x)
//         each part: thread: regroups by `strided', over its register slots (T10)
//           each part: ilp: computes by `serial' (I8)
//
// codelets
//   steps        bfs_edges.cdl:48
//   tiled        bfs_steps.cdl:11
//   strided      bfs_steps.cdl:11
//   serial       bfs_steps.cdl:11
//   tiled        bfs_edges.cdl:30
//   strided      bfs_edges.cdl:39
//   serial       bfs_edges.cdl:18
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads, loads); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
//   loads: 16-byte loads in flight, 1 to 16
#ifndef BFS_EDGES_A82C2DB5_CONFIGURATIONS
#define BFS_EDGES_A82C2DB5_CONFIGURATIONS(C) C(512, 2)
#endif

#ifndef BFS_EDGES_CONFIGURATION
#define BFS_EDGES_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct bfs_edges_configuration {
  int threads, loads;
  int64_t blocks;
} bfs_edges_configuration;
#endif

namespace bfs_edges_a82c2db5 {

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

// A word of as many bytes.
template <int bytes> struct Place;
template <> struct Place<4> { typedef unsigned Word; };
template <> struct Place<8> { typedef unsigned long long Word; };

template <typename T> __device__ __forceinline__ void set_any(T *to, T value) {
  union { T value; typename Place<sizeof(T)>::Word word; } bits = {value};
#ifdef __CUDA_ARCH__
  *(volatile typename Place<sizeof(T)>::Word *)to = bits.word;
#else
  atomicExch((typename Place<sizeof(T)>::Word *)to, bits.word);
#endif
}

template <typename T> __device__ __forceinline__ T see_any(T *from) {
  union { typename Place<sizeof(T)>::Word word; T value; } bits;
#ifdef __CUDA_ARCH__
  bits.word = *(volatile typename Place<sizeof(T)>::Word *)from;
#else
  bits.word = atomicCAS((typename Place<sizeof(T)>::Word *)from, 0, 0);
#endif
  return bits.value;
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

// How many blocks of so many threads run at once.
template <typename Kernel> inline cudaError_t blocks_at_once(Kernel *kernel, int threads, Index *blocks) {
  int device = 0, units = 0, resident = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&units, cudaDevAttrMultiProcessorCount, device);
  if (error == cudaSuccess) error = 
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, (const void *)kernel, threads, 0);
  *blocks = (Index)units * resident;
  return error == cudaSuccess && *blocks < 1 ? cudaErrorInvalidConfiguration : error;
}

// A cooperative launch: it fails where not all blocks would run at once, instead of waiting forever.
inline cudaLaunchAttribute all_at_once() {
  cudaLaunchAttribute together = {};
  together.id = cudaLaunchAttributeCooperative;
  together.val.cooperative = 1;
  return together;
}

// `met` is a word, zero before the kernel and after it: how often blocks have come to meetings of all. `due`, which
// each block has, is how often they have when the meetings so far are over. One thread of a block comes, and waits, for
// all of them. Before sm_70 there is no load that acquires: fences do it.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
__device__ __forceinline__ void come(unsigned *met) {
  asm volatile("red.release.gpu.add.u32 [%0], 1;" ::"l"(met) : "memory");
}

__device__ __forceinline__ unsigned have_come(unsigned *met) {
  unsigned n;
  asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(n) : "l"(met) : "memory");
  return n;
}

__device__ __forceinline__ void wait_for(unsigned *met, unsigned due) {
  while ((int)(have_come(met) - due) < 0) {}
}
#else
__device__ __forceinline__ void come(unsigned *met) {
  __threadfence();
  atomicAdd(met, 1u);
}

__device__ __forceinline__ void wait_for(unsigned *met, unsigned due) {
  while ((int)(atomicCAS(met, 0u, 0u) - due) < 0) {}
  __threadfence();
}
#endif


// All blocks come, and wait here for one another: each sees what the others have stored before.
__device__ __forceinline__ void meet(unsigned *met, unsigned &due) {
  due += gridDim.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    come(met);
    wait_for(met, due);
  }
  __syncthreads();
}

// There is no other meeting: the last block leaves the word zero.
__device__ __forceinline__ void disperse(unsigned *met, unsigned due) {
  if (threadIdx.x == 0 && atomicAdd(met, 1u) == due + gridDim.x - 1) atomicExch(met, 0u);
}

// Each block processes its part.
template <int threads, int loads, bool once>
__global__ void __launch_bounds__(threads, 1) bfs_edges_blocks(Index whole_tile, Index levels_n, int *levels, long long source, Index ahead) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  // grid > block: tiled (bfs_steps.cdl:11), one part per block
  const Index block_begin = min_index(block * whole_tile, levels_n);
  const Index block_end = min_index(whole_tile + block * whole_tile, levels_n);
  // block > thread: strided (bfs_steps.cdl:11), one part per thread
  // thread > ilp: strided (bfs_steps.cdl:11), each with its register slots; serial (bfs_steps.cdl:11)
  const int per = 16 / (int)sizeof(int);
  const Index aligned = min_index(block_begin + ahead, block_end);
  const Index ragged = aligned + (block_end - aligned) / per * per;
  Index i = aligned + thread * per;
  after_earlier_grids();
  if (!once) {
    const Index many = aligned + (block_end - aligned) / (threads * per * loads) * (threads * per * loads);
    #pragma unroll 1
    for (; i < many; i += threads * per * loads) {
      int wide[loads * per];
      #pragma unroll
      for (int k = 0; k < loads; ++k) {
        #pragma unroll
        for (int s = 0; s < per; ++s)
          wide[k * per + s] = i + k * (threads * per) + s == source ? 0 : -1;
      }
      #pragma unroll
      for (int k = 0; k < loads; ++k)
        store_wide(&levels[i + k * (threads * per)], &wide[k * per]);
    }
  }
  // the last round; with it what lies before the first and after the last 16 bytes
  const int left2 = (int)(ragged - i);
  int wide[loads * per];
  const int head = (int)(aligned - block_begin);
  const Index end = thread < head ? block_begin + thread : ragged + (thread - head);
  if (end < block_end)
    levels[end] = end == source ? 0 : -1;
  #pragma unroll
  for (int k = 0; k < loads; ++k) {
    #pragma unroll
    for (int s = 0; s < per; ++s) {
      if (k * (threads * per) < left2)
        wide[k * per + s] = i + k * (threads * per) + s == source ? 0 : -1;
    }
  }
  #pragma unroll
  for (int k = 0; k < loads; ++k) {
    if (k * (threads * per) < left2)
      store_wide(&levels[i + k * (threads * per)], &wide[k * per]);
  }
}

// Each block processes its part.
template <int threads, int loads, bool once>
__global__ void __launch_bounds__(threads, 1) bfs_edges_blocks2(Index whole_tile2, int *last, Index ahead) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  // grid > block: tiled (bfs_steps.cdl:11), one part per block
  const Index block_begin = min_index(block * whole_tile2, 1);
  const Index block_end = min_index(whole_tile2 + block * whole_tile2, 1);
  // block > thread: strided (bfs_steps.cdl:11), one part per thread
  // thread > ilp: strided (bfs_steps.cdl:11), each with its register slots; serial (bfs_steps.cdl:11)
  const int per = 16 / (int)sizeof(int);
  const Index aligned = min_index(block_begin + ahead, block_end);
  const Index ragged = aligned + (block_end - aligned) / per * per;
  Index i = aligned + thread * per;
  after_earlier_grids();
  if (!once) {
    const Index many = aligned + (block_end - aligned) / (threads * per * loads) * (threads * per * loads);
    #pragma unroll 1
    for (; i < many; i += threads * per * loads) {
      int wide[loads * per];
      #pragma unroll
      for (int k = 0; k < loads; ++k) {
        #pragma unroll
        for (int s = 0; s < per; ++s)
          wide[k * per + s] = i + k * (threads * per) + s == 0 ? 0 : -1;
      }
      #pragma unroll
      for (int k = 0; k < loads; ++k)
        store_wide(&last[i + k * (threads * per)], &wide[k * per]);
    }
  }
  // the last round; with it what lies before the first and after the last 16 bytes
  const int left2 = (int)(ragged - i);
  int wide[loads * per];
  const int head = (int)(aligned - block_begin);
  const Index end = thread < head ? block_begin + thread : ragged + (thread - head);
  if (end < block_end)
    last[end] = end == 0 ? 0 : -1;
  #pragma unroll
  for (int k = 0; k < loads; ++k) {
    #pragma unroll
    for (int s = 0; s < per; ++s) {
      if (k * (threads * per) < left2)
        wide[k * per + s] = i + k * (threads * per) + s == 0 ? 0 : -1;
    }
  }
  #pragma unroll
  for (int k = 0; k < loads; ++k) {
    if (k * (threads * per) < left2)
      store_wide(&last[i + k * (threads * per)], &wide[k * per]);
  }
}

// All turns of a loop: its blocks run at once, and wait for one another before each step.
template <int threads, int loads>
__global__ void __launch_bounds__(threads, threads < 1024 ? 1024 / threads : 1) bfs_edges_turns(Index levels_n, unsigned *met, int *last, Index p3, Index whole_tile3, Index n, const int *tails, bool once2, int *levels, const int *heads) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  unsigned due = 0u;
  unsigned since = 0u;
  {
    for (Index level = 0; level < levels_n; ++level) {
      if ((since & 1u) != 0u) {
        meet(met, due);
        since = 0u;
      }
      if (last[0] < level)
        break;
      // Each block processes its part.
      meet(met, due);
      for (Index step_block = block; step_block < p3; step_block += (Index)gridDim.x) {
        bool any = false;
        // grid > block: tiled (bfs_edges.cdl:30), one part per block
        const Index block_begin = min_index(step_block * whole_tile3, n);
        const Index block_end = min_index(whole_tile3 + step_block * whole_tile3, n);
        // block > thread: strided (bfs_edges.cdl:39), one part per thread
        // thread > ilp: strided (bfs_edges.cdl:39), each with its register slots; serial (bfs_edges.cdl:18)
        const int per = 16 / (int)sizeof(int);
        const Index ahead = to_aligned(&tails[0]);
        const Index aligned = min_index(block_begin + ahead, block_end);
        const Index ragged = aligned + (block_end - aligned) / per * per;
        Index i = aligned + thread * per;
        if (!once2) {
          const Index many = aligned + (block_end - aligned) / (threads * per * loads) * (threads * per * loads);
          #pragma unroll 1
          for (; i < many; i += threads * per * loads) {
            int wide[loads * per];
            #pragma unroll
            for (int k = 0; k < loads; ++k)
              load_wide(&wide[k * per], &tails[i + k * (threads * per)]);
            int seen[loads * per];
            #pragma unroll
            for (int k = 0; k < loads; ++k) {
              #pragma unroll
              for (int s = 0; s < per; ++s) {
                if (level >= 0)
                  seen[k * per + s] = see_any(&levels[wide[k * per + s]]);
              }
            }
            #pragma unroll
            for (int k = 0; k < loads; ++k) {
              #pragma unroll
              for (int s = 0; s < per; ++s) {
                if (level >= 0 && (seen[k * per + s] == level)) {
                  if (see_any(&levels[heads[i + k * (threads * per) + s]]) < 0) {
                    set_any<int>(&levels[heads[i + k * (threads * per) + s]], level + 1);
                    any = true;
                  }
                }
              }
            }
          }
        }
        // the last round; with it what lies before the first and after the last 16 bytes
        const int left2 = (int)(ragged - i);
        int wide[loads * per];
        #pragma unroll
        for (int k = 0; k < loads; ++k) {
          if (k * (threads * per) < left2)
            load_wide(&wide[k * per], &tails[i + k * (threads * per)]);
        }
        const int head = (int)(aligned - block_begin);
        const Index end = thread < head ? block_begin + thread : ragged + (thread - head);
        if (end < block_end) {
          if (level >= 0 && (see_any(&levels[tails[end]]) == level)) {
            if (see_any(&levels[heads[end]]) < 0) {
              set_any<int>(&levels[heads[end]], level + 1);
              any = true;
            }
          }
        }
        int seen2[loads * per];
        #pragma unroll
        for (int k = 0; k < loads; ++k) {
          #pragma unroll
          for (int s = 0; s < per; ++s) {
            if (k * (threads * per) < left2) {
              if (level >= 0)
                seen2[k * per + s] = see_any(&levels[wide[k * per + s]]);
            }
          }
        }
        #pragma unroll
        for (int k = 0; k < loads; ++k) {
          #pragma unroll
          for (int s = 0; s < per; ++s) {
            if (k * (threads * per) < left2) {
              if (level >= 0 && (seen2[k * per + s] == level)) {
                if (see_any(&levels[heads[i + k * (threads * per) + s]]) < 0) {
                  set_any<int>(&levels[heads[i + k * (threads * per) + s]], level + 1);
                  any = true;
                }
              }
            }
          }
        }
        const bool any_of_all = __syncthreads_or(any);
        if (any_of_all && (thread == 0))
          set_any<int>(last, level + 1);
      }
      since |= 1u;
    }
  }
  disperse(met, due);
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <int threads, int loads>
cudaError_t run(Index blocks, void *workspace, size_t *workspace_bytes, const int *tails, Index n, const int *heads, long long source, int *levels, Index levels_n, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  static_assert(loads >= 1 && loads <= 16, "loads: 16-byte loads in flight, 1 to 16");
  if (n < 0 || levels_n < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid: steps (bfs_edges.cdl:48)
  if (1 < 0)
    return cudaErrorInvalidValue;
  // grid > block: tiled (bfs_steps.cdl:11), one part per block
  const int grain = 32 * (16 / (int)sizeof(int));
  const Index p = min_index(max_index((levels_n + grain - 1) / grain, 1), blocks);
  const Index whole_tile = ((levels_n + p - 1) / p + grain - 1) / grain * grain;
  // grid > block: tiled (bfs_steps.cdl:11), one part per block
  const int grain2 = 32 * (16 / (int)sizeof(int));
  const Index p2 = min_index(max_index((1 + grain2 - 1) / grain2, 1), blocks);
  const Index whole_tile2 = ((1 + p2 - 1) / p2 + grain2 - 1) / grain2 * grain2;
  // grid > block: tiled (bfs_edges.cdl:30), one part per block
  const int grain3 = 32 * (16 / (int)sizeof(int));
  const Index p3 = min_index(max_index((n + grain3 - 1) / grain3, 1), blocks);
  const Index whole_tile3 = ((n + p3 - 1) / p3 + grain3 - 1) / grain3 * grain3;
  const size_t need = 32784 + ((size_t)1 * sizeof(int) + 15) / 16 * 16 + (size_t)1 * sizeof(int);
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  unsigned *met = (unsigned *)((char *)workspace + 8);
  int *left = (int *)((char *)workspace + 32784);
  int *last = (int *)((char *)left + ((size_t)1 * sizeof(int) + 15) / 16 * 16);
  {
    const bool once = whole_tile <= (threads * loads * (16 / (int)sizeof(int)));
    const Index ahead = to_aligned(&levels[0]);
    cudaLaunchAttribute early = may_begin_early();
    const cudaLaunchConfig_t grid = {dim3((unsigned)p), dim3(threads), 0, stream, &early, 1};
    const cudaError_t error = cudaLaunchKernelEx(&grid, once ? bfs_edges_blocks<threads, loads, true> : bfs_edges_blocks<threads, loads, false>, whole_tile, levels_n, levels, source, ahead);
    if (error != cudaSuccess) return error;
  }
  {
    const bool once = whole_tile2 <= (threads * loads * (16 / (int)sizeof(int)));
    const Index ahead = to_aligned(&last[0]);
    cudaLaunchAttribute early = may_begin_early();
    const cudaLaunchConfig_t grid = {dim3((unsigned)p2), dim3(threads), 0, stream, &early, 1};
    const cudaError_t error = cudaLaunchKernelEx(&grid, once ? bfs_edges_blocks2<threads, loads, true> : bfs_edges_blocks2<threads, loads, false>, whole_tile2, last, ahead);
    if (error != cudaSuccess) return error;
  }
  {
    const bool once2 = whole_tile3 <= (threads * loads * (16 / (int)sizeof(int)));
    Index at_once = 0;
    const cudaError_t allowed = blocks_at_once(bfs_edges_turns<threads, loads>, threads, &at_once);
    if (allowed != cudaSuccess) return allowed;
    if (at_once > p3) at_once = p3;
    cudaLaunchAttribute how = all_at_once();
    const cudaLaunchConfig_t grid = {dim3((unsigned)at_once), dim3(threads), 0, stream, &how, 1};
    const cudaError_t error = cudaLaunchKernelEx(&grid, bfs_edges_turns<threads, loads>, levels_n, met, last, p3, whole_tile3, n, tails, once2, levels, heads);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
cudaError_t configured(const bfs_edges_configuration *c, void *workspace, size_t *workspace_bytes, const int *tails, Index n, const int *heads, long long source, int *levels, Index levels_n, cudaStream_t stream) {
  const bfs_edges_configuration own = {0, 0, 0};
  if (c == nullptr) c = &own;
  const Index blocks = c->blocks ? c->blocks : 264; // maximum number of blocks, 1 to 2147483647
  if (blocks < 1 || blocks > 2147483647) return cudaErrorInvalidConfiguration;
#define RUN(THREADS, LOADS) if (serves(THREADS, c->threads) && serves(LOADS, c->loads)) return run<THREADS, LOADS>(blocks, workspace, workspace_bytes, tails, n, heads, source, levels, levels_n, stream);
  BFS_EDGES_A82C2DB5_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace bfs_edges_a82c2db5

#define ROW(THREADS, LOADS) {THREADS, LOADS, 264},
// Those that were compiled; zeros end them.
extern "C" const bfs_edges_configuration bfs_edges_a82c2db5_configurations[];
const bfs_edges_configuration bfs_edges_a82c2db5_configurations[] = {BFS_EDGES_A82C2DB5_CONFIGURATIONS(ROW) {0, 0, 0}};
#undef ROW

extern "C" cudaError_t bfs_edges_a82c2db5_float(const bfs_edges_configuration *c, void *workspace, size_t *workspace_bytes, const int *tails, uint64_t n, const int *heads, long long source, int *levels, uint64_t levels_n, cudaStream_t stream) {
  return bfs_edges_a82c2db5::configured(c, workspace, workspace_bytes, tails, (bfs_edges_a82c2db5::Index)n, heads, source, levels, (bfs_edges_a82c2db5::Index)levels_n, stream);
}
