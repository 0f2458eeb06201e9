// bfs_queue, variant 2f6ef1db: grid.steps!persistent=(grid>block>warp>thread.serial; grid.tiled(block.strided/all(thread.strided(ilp.serial))); grid>block>warp>thread.serial; grid.each/all-threads(thread.serial); grid>block>warp>thread.serial; grid.each/all-threads(thread.serial); grid>block>warp>thread.serial; grid.each/all-threads(thread.serial))
// Made by tgc from bfs_queue.cdl for sm_90; this text is yours.
//
// shared-atomic, 3 kernels, determinism not_guaranteed: elements are appended to a queue in the order of arrival
// not batch-invariant: their order depends on the order of arrival
//
//   grid: `steps' takes 8 steps, those of a loop in one launch (G2)
//     step 1: grid: one block acts for all (G3)
//       block: one warp acts for all (B3)
//         warp: one thread acts for all (W3)
//           thread: computes by `serial' (T4)
//     step 2: grid: regroups by `tiled', over its blocks (G7)
//       each part: block: regroups by `strided', over its lanes (B8x)
//         each part: thread: regroups by `strided', over its register slots (T8)
//           each part: ilp: computes by `serial' (I6)
//     step 3: grid: one block acts for all (G9)
//       block: one warp acts for all (B9)
//         warp: one thread acts for all (W9)
//           thread: computes by `serial' (T10)
//     step 4: grid: regroups by `each', over its lanes (G14xT)
//       each part: thread: computes by `serial' (T16)
//     step 5: grid: one block acts for all (G9)
//       block: one warp acts for all (B9)
//         warp: one thread acts for all (W9)
//           thread: computes by `serial' (T10)
//     step 6: grid: regroups by `each', over its lanes (G14xT)
//       each part: thread: computes by `serial' (T16)
//     step 7: grid: one block acts for all (G9)
//       block: one warp acts for all (B9)
//         warp: one thread acts for all (W9)
//           thread: computes by `serial' (T10)
//     step 8: grid: regroups by `each', over its lanes (G14xT)
//       each part: thread: computes by `serial' (T16)
//
// codelets
//   steps        bfs_queue.cdl:153
//   serial       bfs_queue.cdl:46
//   tiled        bfs_queue.cdl:66
//   strided      bfs_queue.cdl:76
//   serial       bfs_queue.cdl:53
//   serial       bfs_queue.cdl:41
//   each         bfs_queue.cdl:141
//   serial       bfs_queue.cdl:86
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
#ifndef BFS_QUEUE_2F6EF1DB_CONFIGURATIONS
#define BFS_QUEUE_2F6EF1DB_CONFIGURATIONS(C) C(512)
#endif

#ifndef BFS_QUEUE_CONFIGURATION
#define BFS_QUEUE_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct bfs_queue_configuration {
  int threads, loads;
  int64_t blocks;
} bfs_queue_configuration;
#endif

namespace bfs_queue_2f6ef1db {

typedef long long Index; // sizes and positions

__host__ __device__ constexpr Index min_index(Index x, Index y) { return x < y ? x : y; }

__host__ __device__ constexpr Index max_index(Index x, Index y) { return x > y ? x : y; }

// What counts is an integer of as many bytes.
template <int bytes> struct Counter;
template <> struct Counter<4> { typedef unsigned Word; };
template <> struct Counter<8> { typedef unsigned long long Word; };

// The next place: of so many, where they are counted.
template <typename Word> __device__ __forceinline__ Word next_place(Word *count) {
#ifdef __CUDA_ARCH__
  const unsigned lanes = __activemask(), before = lanes & ((1u << threadIdx.x % 32) - 1);
  Word at = 0;
  if (before == 0) at = atomicAdd(count, (Word)__popc(lanes));
  return __shfl_sync(lanes, at, __ffs((int)lanes) - 1) + (Word)__popc(before);
#else
  return atomicAdd(count, (Word)1);
#endif
}

template <typename T, typename C>
__device__ __forceinline__ void append(C *count, T value, T *queue, Index room) {
  const unsigned long long at = next_place((typename Counter<sizeof(C)>::Word *)count);
  if (at < (unsigned long long)room) queue[at] = value;
}

// Into the warp's share of `here', elements of the block's, of which held[warp] are taken; beyond it as above.
template <typename T, typename C>
__device__ __forceinline__ void append_here(int *held, T *here, int share, C *count, T value, T *queue, Index room) {
  const int warp = (int)threadIdx.x / 32, at = next_place(&held[warp]);
  if (at < share) here[warp * share + at] = value;
  else append<T>(count, value, queue, room);
}

// All lanes of the warp: what it has there goes to the queue, if it is enough.
template <typename T, typename C>
__device__ __forceinline__ void append_held(int *held, T *here, int share, int enough, C *count, T *queue, Index room) {
  typedef typename Counter<sizeof(C)>::Word Word;
  const int warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32;
  __syncwarp();
  const int many = held[warp] < share ? held[warp] : share;
  if (many >= enough) {
    Word first = 0;
    if (lane == 0) first = atomicAdd((Word *)count, (Word)many);
    first = __shfl_sync(0xffffffff, first, 0);
#pragma unroll 1
    for (int i = lane; i < many; i += 32)
      if (first + i < (unsigned long long)room) queue[first + i] = here[warp * share + i];
    __syncwarp();
    if (lane == 0) held[warp] = 0;
  }
  __syncwarp();
}

// A lane's places for so many elements: taken[1] of its warp's share of `here` from taken[0] on, and taken[3] of the
// queue's from taken[2] on, as far as it has room.
template <typename C> __device__ __forceinline__ void reserve(C *count, Index many, Index *taken, Index room) {
  typedef typename Counter<sizeof(C)>::Word Word;
  const Index at = many > 0 ? (Index)atomicAdd((Word *)count, (Word)many) : 0, left = at < room ? room - at : 0;
  taken[0] = taken[1] = 0;
  taken[2] = at;
  taken[3] = many < left ? many : left;
}

// What the share has no room for gets places of the queue.
template <typename C>
__device__ __forceinline__ void reserve_here(C *count, Index many, Index *taken, Index room, int *held, int share) {
  const int warp = (int)threadIdx.x / 32, at = many <= share ? atomicAdd(&held[warp], (int)many) : share;
  const Index left = at < share ? share - at : 0, here = many < left ? many : left;
  reserve(count, many - here, taken, room);
  taken[0] = warp * share + at;
  taken[1] = here;
}

// A word of as many bytes.
template <int bytes> struct Place;
template <> struct Place<4> { typedef unsigned Word; };
template <> struct Place<8> { typedef unsigned long long Word; };

template <typename T> __device__ __forceinline__ T see_any(T *from) {
  union { typename Place<sizeof(T)>::Word word; T value; } bits;
#ifdef __CUDA_ARCH__
  bits.word = *(volatile typename Place<sizeof(T)>::Word *)from;
#else
  bits.word = atomicCAS((typename Place<sizeof(T)>::Word *)from, 0, 0);
#endif
  return bits.value;
}

template <typename T> __device__ __forceinline__ bool claim(T *at, T unset, T value) {
  typedef typename Place<sizeof(T)>::Word Word;
  union { T value; Word word; } from = {unset}, to = {value};
  return atomicCAS((Word *)at, from.word, to.word) == from.word;
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

// All turns of a loop: its blocks run at once, and wait for one another before each step.
template <int threads>
__global__ void __launch_bounds__(threads, threads < 1024 ? 1024 / threads : 1) bfs_queue_turns(int *as, int *bs, unsigned *met, Index p, Index whole_tile, Index levels_n, int *levels, long long source, const int *offsets, Index columns_n, Index *a, Index a_size, int *cs, Index p2, const int *columns, Index *b, Index b_size, Index p3, Index *c2, Index c_size, Index p4) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  unsigned due = 0u;
  unsigned since = 0u;
  __shared__ __align__(16) int held2[32];
  __shared__ __align__(16) Index here2[16 / (int)sizeof(Index) * 2048];
  // One block works for the whole grid.
  if (block == 0) {
    // block > warp: one warp acts for all
    if (warp == 0) {
      // warp > thread: one thread acts for all
      if (lane == 0) {
        // thread: serial (bfs_queue.cdl:46)
        as[0] = 0;
        bs[0] = 0;
      }
    }
  }
  // Each block processes its part.
  meet(met, due);
  for (Index step_block = block; step_block < p; step_block += (Index)gridDim.x) {
    if (lane == 0)
      held2[warp] = 0;
    __syncwarp();
    // grid > block: tiled (bfs_queue.cdl:66), one part per block
    const Index block_begin = min_index(step_block * whole_tile, levels_n);
    const Index block_end = min_index(whole_tile + step_block * whole_tile, levels_n);
    // block > thread: strided (bfs_queue.cdl:76), one part per thread
    const Index thread_begin = block_begin + thread;
    // thread: strided (bfs_queue.cdl:76), 2 parts one after another
    for (Index k = 0; k < 2; ++k) {
      const Index part_begin = thread_begin + k * threads;
      // ilp: serial (bfs_queue.cdl:53)
      for (Index v = part_begin; v < block_end; v += 2 * threads) {
        levels[v] = v == source ? 0 : -1;
        if (v == source) {
          const Index first_of_all = (Index)max(offsets[v], 0);
          const Index end_of_all = min_index((Index)offsets[v + 1], columns_n);
          if (first_of_all < end_of_all) {
            if (end_of_all - first_of_all <= 64)
              append_here<Index>(held2, here2, 16 / (int)sizeof(Index) * 2048 / (threads / 32), as, (first_of_all << 31) + min_index(offsets[v + 1] - first_of_all, 64) - 1, a, a_size);
            else {
              Index taken[4];
              reserve_here(&as[0], (end_of_all - first_of_all + 64 - 1) / 64, taken, a_size, held2, 16 / (int)sizeof(Index) * 2048 / (threads / 32));
              Index e2 = first_of_all;
              for (Index i = 0; i < taken[1]; ++i) {
                here2[taken[0] + i] = (e2 << 31) + min_index(offsets[v + 1] - e2, 64) - 1;
                e2 += 64;
              }
              for (Index i2 = 0; i2 < taken[3]; ++i2) {
                a[taken[2] + i2] = (e2 << 31) + min_index(offsets[v + 1] - e2, 64) - 1;
                e2 += 64;
              }
            }
          }
        }
      }
      append_held<Index>(held2, here2, 16 / (int)sizeof(Index) * 2048 / (threads / 32), 16 / (int)sizeof(Index) * 2048 / (threads / 32) / 2, as, a, a_size);
    }
    append_held<Index>(held2, here2, 16 / (int)sizeof(Index) * 2048 / (threads / 32), 1, as, a, a_size);
  }
  meet(met, due);
  {
    for (Index level = 0; level < levels_n; level += 3) {
      if ((since & 513u) != 0u) {
        meet(met, due);
        since = 0u;
      }
      if (as[0] <= 0)
        break;
      since |= 8u;
      // One block works for the whole grid.
      if ((since & 2u) != 0u) {
        meet(met, due);
        since = 0u;
      }
      if (block == 0) {
        // block > warp: one warp acts for all
        if (warp == 0) {
          // warp > thread: one thread acts for all
          if (lane == 0) {
            // thread: serial (bfs_queue.cdl:41)
            cs[0] = 0;
          }
        }
      }
      since |= 64u;
      // Each block processes its share of the parts.
      const Index filled = min_index(max_index((Index)as[0], 0), a_size);
      since |= 16u;
      if (filled != 0) {
        if ((since & 4u) != 0u) {
          meet(met, due);
          since = 0u;
        }
        for (Index step_block2 = block; step_block2 < p2; step_block2 += (Index)gridDim.x) {
          if (lane == 0)
            held2[warp] = 0;
          __syncwarp();
          // grid > thread: each (bfs_queue.cdl:141), one part per thread
          for (Index turn = step_block2 * threads; turn < filled; turn += p2 * threads) {
            const Index k = turn + thread;
            const Index offset = max_index((a[min_index(k, filled - 1)] >> 31) + (a[min_index(k, filled - 1)] & 2147483647) + 1, 0);
            const Index offset2 = max_index(a[min_index(k, filled - 1)] >> 31, 0);
            const Index part_begin = min_index(offset2, columns_n);
            const Index part_end = min_index(offset, columns_n);
            const Index until = k < filled ? part_end : part_begin;
            // thread: serial (bfs_queue.cdl:86)
            for (Index e = part_begin; e < until; ++e) {
              Index to = columns[e];
              if (see_any(&levels[to]) < 0) {
                const bool claimed = claim<int>(&levels[to], -1, level + 1);
                if (claimed) {
                  Index first = offsets[to];
                  Index behind = offsets[to + 1];
                  Index most2 = max_index((behind - first + 511) / 512, 64);
                  if (first < behind) {
                    if (behind - first <= most2)
                      append_here<Index>(held2, here2, 16 / (int)sizeof(Index) * 2048 / (threads / 32), bs, (first << 31) + min_index(behind - first, most2) - 1, b, b_size);
                    else {
                      Index taken[4];
                      reserve_here(&bs[0], (behind - first + most2 - 1) / most2, taken, b_size, held2, 16 / (int)sizeof(Index) * 2048 / (threads / 32));
                      Index at2 = first;
                      for (Index i = 0; i < taken[1]; ++i) {
                        here2[taken[0] + i] = (at2 << 31) + min_index(behind - at2, most2) - 1;
                        at2 += most2;
                      }
                      for (Index i2 = 0; i2 < taken[3]; ++i2) {
                        b[taken[2] + i2] = (at2 << 31) + min_index(behind - at2, most2) - 1;
                        at2 += most2;
                      }
                    }
                  }
                }
              }
            }
            append_held<Index>(held2, here2, 16 / (int)sizeof(Index) * 2048 / (threads / 32), 16 / (int)sizeof(Index) * 2048 / (threads / 32) / 2, bs, b, b_size);
          }
          append_held<Index>(held2, here2, 16 / (int)sizeof(Index) * 2048 / (threads / 32), 1, bs, b, b_size);
        }
        since |= 32u;
      }
      // One block works for the whole grid.
      if ((since & 24u) != 0u) {
        meet(met, due);
        since = 0u;
      }
      if (block == 0) {
        // block > warp: one warp acts for all
        if (warp == 0) {
          // warp > thread: one thread acts for all
          if (lane == 0) {
            // thread: serial (bfs_queue.cdl:41)
            as[0] = 0;
          }
        }
      }
      since |= 512u;
      // Each block processes its share of the parts.
      if ((since & 36u) != 0u) {
        meet(met, due);
        since = 0u;
      }
      const Index filled2 = min_index(max_index((Index)bs[0], 0), b_size);
      since |= 128u;
      if (filled2 != 0) {
        if ((since & 64u) != 0u) {
          meet(met, due);
          since = 0u;
        }
        for (Index step_block3 = block; step_block3 < p3; step_block3 += (Index)gridDim.x) {
          if (lane == 0)
            held2[warp] = 0;
          __syncwarp();
          // grid > thread: each (bfs_queue.cdl:141), one part per thread
          for (Index turn = step_block3 * threads; turn < filled2; turn += p3 * threads) {
            const Index k = turn + thread;
            const Index offset = max_index((b[min_index(k, filled2 - 1)] >> 31) + (b[min_index(k, filled2 - 1)] & 2147483647) + 1, 0);
            const Index offset2 = max_index(b[min_index(k, filled2 - 1)] >> 31, 0);
            const Index part_begin = min_index(offset2, columns_n);
            const Index part_end = min_index(offset, columns_n);
            const Index until = k < filled2 ? part_end : part_begin;
            // thread: serial (bfs_queue.cdl:86)
            for (Index e = part_begin; e < until; ++e) {
              Index to = columns[e];
              if (see_any(&levels[to]) < 0) {
                const bool claimed = claim<int>(&levels[to], -1, level + 1 + 1);
                if (claimed) {
                  Index first = offsets[to];
                  Index behind = offsets[to + 1];
                  Index most2 = max_index((behind - first + 511) / 512, 64);
                  if (first < behind) {
                    if (behind - first <= most2)
                      append_here<Index>(held2, here2, 16 / (int)sizeof(Index) * 2048 / (threads / 32), cs, (first << 31) + min_index(behind - first, most2) - 1, c2, c_size);
                    else {
                      Index taken[4];
                      reserve_here(&cs[0], (behind - first + most2 - 1) / most2, taken, c_size, held2, 16 / (int)sizeof(Index) * 2048 / (threads / 32));
                      Index at2 = first;
                      for (Index i = 0; i < taken[1]; ++i) {
                        here2[taken[0] + i] = (at2 << 31) + min_index(behind - at2, most2) - 1;
                        at2 += most2;
                      }
                      for (Index i2 = 0; i2 < taken[3]; ++i2) {
                        c2[taken[2] + i2] = (at2 << 31) + min_index(behind - at2, most2) - 1;
                        at2 += most2;
                      }
                    }
                  }
                }
              }
            }
            append_held<Index>(held2, here2, 16 / (int)sizeof(Index) * 2048 / (threads / 32), 16 / (int)sizeof(Index) * 2048 / (threads / 32) / 2, cs, c2, c_size);
          }
          append_held<Index>(held2, here2, 16 / (int)sizeof(Index) * 2048 / (threads / 32), 1, cs, c2, c_size);
        }
        since |= 256u;
      }
      // One block works for the whole grid.
      if ((since & 128u) != 0u) {
        meet(met, due);
        since = 0u;
      }
      if (block == 0) {
        // block > warp: one warp acts for all
        if (warp == 0) {
          // warp > thread: one thread acts for all
          if (lane == 0) {
            // thread: serial (bfs_queue.cdl:41)
            bs[0] = 0;
          }
        }
      }
      since |= 4u;
      // Each block processes its share of the parts.
      if ((since & 320u) != 0u) {
        meet(met, due);
        since = 0u;
      }
      const Index filled3 = min_index(max_index((Index)cs[0], 0), c_size);
      since |= 2u;
      if (filled3 != 0) {
        if ((since & 512u) != 0u) {
          meet(met, due);
          since = 0u;
        }
        for (Index step_block4 = block; step_block4 < p4; step_block4 += (Index)gridDim.x) {
          if (lane == 0)
            held2[warp] = 0;
          __syncwarp();
          // grid > thread: each (bfs_queue.cdl:141), one part per thread
          for (Index turn = step_block4 * threads; turn < filled3; turn += p4 * threads) {
            const Index k = turn + thread;
            const Index offset = max_index((c2[min_index(k, filled3 - 1)] >> 31) + (c2[min_index(k, filled3 - 1)] & 2147483647) + 1, 0);
            const Index offset2 = max_index(c2[min_index(k, filled3 - 1)] >> 31, 0);
            const Index part_begin = min_index(offset2, columns_n);
            const Index part_end = min_index(offset, columns_n);
            const Index until = k < filled3 ? part_end : part_begin;
            // thread: serial (bfs_queue.cdl:86)
            for (Index e = part_begin; e < until; ++e) {
              Index to = columns[e];
              if (see_any(&levels[to]) < 0) {
                const bool claimed = claim<int>(&levels[to], -1, level + 2 + 1);
                if (claimed) {
                  Index first = offsets[to];
                  Index behind = offsets[to + 1];
                  Index most2 = max_index((behind - first + 511) / 512, 64);
                  if (first < behind) {
                    if (behind - first <= most2)
                      append_here<Index>(held2, here2, 16 / (int)sizeof(Index) * 2048 / (threads / 32), as, (first << 31) + min_index(behind - first, most2) - 1, a, a_size);
                    else {
                      Index taken[4];
                      reserve_here(&as[0], (behind - first + most2 - 1) / most2, taken, a_size, held2, 16 / (int)sizeof(Index) * 2048 / (threads / 32));
                      Index at2 = first;
                      for (Index i = 0; i < taken[1]; ++i) {
                        here2[taken[0] + i] = (at2 << 31) + min_index(behind - at2, most2) - 1;
                        at2 += most2;
                      }
                      for (Index i2 = 0; i2 < taken[3]; ++i2) {
                        a[taken[2] + i2] = (at2 << 31) + min_index(behind - at2, most2) - 1;
                        at2 += most2;
                      }
                    }
                  }
                }
              }
            }
            append_held<Index>(held2, here2, 16 / (int)sizeof(Index) * 2048 / (threads / 32), 16 / (int)sizeof(Index) * 2048 / (threads / 32) / 2, as, a, a_size);
          }
          append_held<Index>(held2, here2, 16 / (int)sizeof(Index) * 2048 / (threads / 32), 1, as, a, a_size);
        }
        since |= 1u;
      }
    }
  }
  disperse(met, due);
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <int threads>
cudaError_t run(Index blocks, void *workspace, size_t *workspace_bytes, const int *offsets, Index n, const int *columns, Index columns_n, long long source, int *levels, Index levels_n, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  if (n < 0 || columns_n < 0 || levels_n < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid: steps (bfs_queue.cdl:153)
  const Index a_size = levels_n + columns_n / 64;
  if (a_size < 0)
    return cudaErrorInvalidValue;
  const Index b_size = levels_n + columns_n / 64;
  if (b_size < 0)
    return cudaErrorInvalidValue;
  const Index c_size = levels_n + columns_n / 64;
  if (c_size < 0)
    return cudaErrorInvalidValue;
  if (1 < 0)
    return cudaErrorInvalidValue;
  if (1 < 0)
    return cudaErrorInvalidValue;
  if (1 < 0)
    return cudaErrorInvalidValue;
  // grid > block: tiled (bfs_queue.cdl:66), one part per block
  const int grain = 32 * (16 / (int)sizeof(int));
  const Index p = min_index(max_index((levels_n + grain - 1) / grain, 1), blocks);
  const Index whole_tile = ((levels_n + p - 1) / p + grain - 1) / grain * grain;
  // grid > thread: each (bfs_queue.cdl:141), one part per thread
  const Index p2 = min_index(max_index((a_size + threads - 1) / threads, 1), blocks);
  // grid > thread: each (bfs_queue.cdl:141), one part per thread
  const Index p3 = min_index(max_index((b_size + threads - 1) / threads, 1), blocks);
  // grid > thread: each (bfs_queue.cdl:141), one part per thread
  const Index p4 = min_index(max_index((c_size + threads - 1) / threads, 1), blocks);
  const size_t need = 32784 + ((size_t)1 * sizeof(int) + 15) / 16 * 16 + ((size_t)a_size * sizeof(Index) + 15) / 16 * 16 + ((size_t)b_size * sizeof(Index) + 15) / 16 * 16 + ((size_t)c_size * sizeof(Index) + 15) / 16 * 16 + ((size_t)1 * sizeof(int) + 15) / 16 * 16 + ((size_t)1 * sizeof(int) + 15) / 16 * 16 + (size_t)1 * sizeof(int);
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  unsigned *met = (unsigned *)((char *)workspace + 8);
  int *left = (int *)((char *)workspace + 32784);
  Index *a = (Index *)((char *)left + ((size_t)1 * sizeof(int) + 15) / 16 * 16);
  Index *b = (Index *)((char *)a + ((size_t)a_size * sizeof(Index) + 15) / 16 * 16);
  Index *c2 = (Index *)((char *)b + ((size_t)b_size * sizeof(Index) + 15) / 16 * 16);
  int *as = (int *)((char *)c2 + ((size_t)c_size * sizeof(Index) + 15) / 16 * 16);
  int *bs = (int *)((char *)as + ((size_t)1 * sizeof(int) + 15) / 16 * 16);
  int *cs = (int *)((char *)bs + ((size_t)1 * sizeof(int) + 15) / 16 * 16);
  {
    Index at_once = 0;
    const cudaError_t allowed = blocks_at_once(bfs_queue_turns<threads>, threads, &at_once);
    if (allowed != cudaSuccess) return allowed;
    if (at_once > max_index(max_index(max_index(p, p2), p3), p4)) at_once = max_index(max_index(max_index(p, p2), p3), p4);
    cudaLaunchAttribute how = all_at_once();
    const cudaLaunchConfig_t grid = {dim3((unsigned)at_once), dim3(threads), 0, stream, &how, 1};
    const cudaError_t error = cudaLaunchKernelEx(&grid, bfs_queue_turns<threads>, as, bs, met, p, whole_tile, levels_n, levels, source, offsets, columns_n, a, a_size, cs, p2, columns, b, b_size, p3, c2, c_size, p4);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
cudaError_t configured(const bfs_queue_configuration *c, void *workspace, size_t *workspace_bytes, const int *offsets, Index n, const int *columns, Index columns_n, long long source, int *levels, Index levels_n, cudaStream_t stream) {
  const bfs_queue_configuration own = {0, 0, 0};
  if (c == nullptr) c = &own;
  const Index blocks = c->blocks ? c->blocks : 264; // maximum number of blocks, 1 to 2147483647
  if (blocks < 1 || blocks > 2147483647) return cudaErrorInvalidConfiguration;
#define RUN(THREADS) if (serves(THREADS, c->threads)) return run<THREADS>(blocks, workspace, workspace_bytes, offsets, n, columns, columns_n, source, levels, levels_n, stream);
  BFS_QUEUE_2F6EF1DB_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace bfs_queue_2f6ef1db

#define ROW(THREADS) {THREADS, 0, 264},
// Those that were compiled; zeros end them.
extern "C" const bfs_queue_configuration bfs_queue_2f6ef1db_configurations[];
const bfs_queue_configuration bfs_queue_2f6ef1db_configurations[] = {BFS_QUEUE_2F6EF1DB_CONFIGURATIONS(ROW) {0, 0, 0}};
#undef ROW

extern "C" cudaError_t bfs_queue_2f6ef1db_float(const bfs_queue_configuration *c, void *workspace, size_t *workspace_bytes, const int *offsets, uint64_t n, const int *columns, uint64_t columns_n, long long source, int *levels, uint64_t levels_n, cudaStream_t stream) {
  return bfs_queue_2f6ef1db::configured(c, workspace, workspace_bytes, offsets, (bfs_queue_2f6ef1db::Index)n, columns, (bfs_queue_2f6ef1db::Index)columns_n, source, levels, (bfs_queue_2f6ef1db::Index)levels_n, stream);
}
