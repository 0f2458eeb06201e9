// row_arg_max, variant 80321dd4: grid.each(block.place=(block.states=block.tiled/spread(block.strided/all(thread.strided(ilp.serial; thread.serial); block.tree+shuffle); block.strided/all(thread.serial; block.tree+shuffle))))
// Made by tgc from row_arg_max.cdl for sm_80; this text is yours.
//
// shuffle, 2 kernels, determinism gpu_to_gpu: a lane runs another codelet than the sequential one, which may round differently
// batch-invariant: results are combined only in the order that a codelet gives
//
//   grid: regroups by `each', over its blocks (G3)
//     each part: block: `place' takes 1 steps (B5)
//       step 1: block: `states' applies (B7)
//         block: regroups by `tiled', over its share of the grid (B10g)
//           each part: block: regroups by `strided', over its lanes (B11x)
//             each part: thread: regroups by `strided', over its register slots (T11)
//               each part: ilp: computes by `serial' (I9)
//               results: thread: computes by `serial' (T9)
//             results: block: computes by `tree', exchanging registers (B12)
//           results: block: regroups by `strided', over its lanes (B11x)
//             each part: thread: computes by `serial' (T9)
//             results: block: computes by `tree', exchanging registers (B12)
//
// codelets
//   each         row_arg_max.cdl:35
//   place        row_arg_max.cdl:11
//   states       row_arg_max.cdl:12
//   tiled        reduce.cdl:162
//   strided      reduce.cdl:174
//   serial       reduce.cdl:152
//   tree         reduce.cdl:185
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>
#include <limits>

// The configurations that are compiled, C(threads, loads); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
//   loads: 16-byte loads in flight, 1 to 16
#ifndef ROW_ARG_MAX_80321DD4_CONFIGURATIONS
#define ROW_ARG_MAX_80321DD4_CONFIGURATIONS(C) C(512, 2)
#endif

#ifndef ROW_ARG_MAX_CONFIGURATION
#define ROW_ARG_MAX_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct row_arg_max_configuration {
  int threads, loads;
  int64_t blocks;
} row_arg_max_configuration;
#endif

namespace row_arg_max_80321dd4 {

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

// Operators that codelets name, as row_arg_max.cdl has it.
template <typename T>
struct ArgMax {
  struct State {
    T value;
    long long place;
  };
  __host__ __device__ static State id() { return {lowest<T>(), -1}; }
  __host__ __device__ static State op(State a, State b) {
    bool first = b.place < 0 || (a.place >= 0 && a.place < b.place);
    return a.value > b.value || (a.value == b.value && first) ? a : b;
  }
  __host__ __device__ static State lift(T x, long long place) { return x == x ? State{x, place} : id(); }
};
template <typename Element> using Operator1 = ArgMax<Element>;
template <typename Element> using State1 = decltype(Operator1<Element>::id());

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

// A value as the 32-bit words that shuffles move.
template <typename V> union Words {
  V value;
  unsigned word[(sizeof(V) + sizeof(unsigned) - 1) / sizeof(unsigned)];
};

// __shfl_down_sync, for values of any size.
template <typename V> __device__ __forceinline__ V shuffle_down(V value, int by) {
  Words<V> moved;
  moved.value = value;
#pragma unroll
  for (int k = 0; k < (int)(sizeof moved.word / sizeof(unsigned)); k++)
    moved.word[k] = __shfl_down_sync(0xffffffff, moved.word[k], by);
  return moved.value;
}

// Each block processes one piece of each of its parts.
template <typename T, int threads, int loads>
__global__ void __launch_bounds__(threads, 1) row_arg_max_blocks(Index pieces, Index rows, Index p, Index columns, const T *__restrict__ A, Index leading, State1<T> *__restrict__ partial) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  __shared__ State1<T> partial2[32];
  // grid > block: each (row_arg_max.cdl:35), one part per block
  const Index piece = block % pieces;
  const Index group = block / pieces;
  for (Index turn = group; turn < rows; turn += p) {
    if (thread < 32)
      partial2[thread] = Operator1<T>::id();
    // block: place (row_arg_max.cdl:11)
    // block: tiled (reduce.cdl:162), one piece of many
    Index tile = (columns + pieces - 1) / pieces;
    const int grain = threads * (16 / (int)sizeof(T));
    const Index whole_tile = (tile + grain - 1) / grain * grain;
    const Index piece_begin = min_index(piece * whole_tile, columns);
    const Index piece_end = min_index(whole_tile + piece * whole_tile, columns);
    // block > thread: strided (reduce.cdl:174), one part per thread
    // thread > ilp: strided (reduce.cdl:174), each with its register slots; serial (reduce.cdl:152)
    const int per = 16 / (int)sizeof(T);
    State1<T> accum[per];
    #pragma unroll
    for (int s = 0; s < per; ++s)
      accum[s] = Operator1<T>::id();
    const Index ahead = to_aligned(&A[turn * leading + piece_begin]);
    const Index aligned = min_index(piece_begin + ahead, piece_end);
    const Index ragged = aligned + (piece_end - aligned) / per * per;
    Index i = aligned + thread * per;
    const Index many = aligned + (piece_end - aligned) / (threads * per * loads) * (threads * per * loads);
    #pragma unroll 1
    for (; i < many; i += threads * per * loads) {
      T wide[loads * per];
      #pragma unroll
      for (int k = 0; k < loads; ++k)
        load_wide(&wide[k * per], &A[turn * leading + (i + k * (threads * per))]);
      #pragma unroll
      for (int k = 0; k < loads; ++k) {
        #pragma unroll
        for (int s = 0; s < per; ++s)
          accum[s] = Operator1<T>::op(accum[s], Operator1<T>::lift(wide[k * per + s], i + k * (threads * per) + s));
      }
    }
    // the last round
    const int left = (int)(ragged - i);
    if (left > 0) {
      T wide[loads * per];
      #pragma unroll
      for (int k = 0; k < loads; ++k) {
        if (k * (threads * per) < left)
          load_wide(&wide[k * per], &A[turn * leading + (i + k * (threads * per))]);
      }
      #pragma unroll
      for (int k = 0; k < loads; ++k) {
        #pragma unroll
        for (int s = 0; s < per; ++s) {
          if (k * (threads * per) < left)
            accum[s] = Operator1<T>::op(accum[s], Operator1<T>::lift(wide[k * per + s], i + k * (threads * per) + s));
        }
      }
    }
    // what lies before the first and after the last 16 bytes
    const int head = (int)(aligned - piece_begin);
    const Index end = thread < head ? piece_begin + thread : ragged + (thread - head);
    if (end < piece_end)
      accum[0] = Operator1<T>::op(accum[0], Operator1<T>::lift(A[turn * leading + end], end));
    // thread: serial (reduce.cdl:152)
    State1<T> accum2 = Operator1<T>::id();
    #pragma unroll
    for (Index i2 = 0; i2 < per; ++i2)
      accum2 = Operator1<T>::op(accum2, accum[i2]);
    // block: tree (reduce.cdl:185), exchanging registers
    State1<T> val = accum2;
    for (int offset = 16; offset > 0; offset /= 2) {
      State1<T> other = shuffle_down(val, offset);
      val = Operator1<T>::op(val, other);
    }
    if (threads > 32) {
      __syncthreads();
      if (lane == 0)
        partial2[warp] = val;
      __syncthreads();
      if (warp == 0) {
        val = partial2[lane];
        for (int offset = 16; offset > 0; offset /= 2) {
          State1<T> other = shuffle_down(val, offset);
          val = Operator1<T>::op(val, other);
        }
      }
    }
    if (thread == 0)
      partial[turn * pieces + piece] = val;
  }
}

// Each block combines the partial results of its parts and finishes them.
template <typename T, int threads>
__global__ void __launch_bounds__(threads, 1) row_arg_max_combine(Index rows, Index combining, Index pieces, State1<T> *__restrict__ partial, Index *__restrict__ y) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  __shared__ State1<T> reduce_arg_max_found;
  __shared__ State1<T> partial2[32];
  for (Index part = block; part < rows; part += combining) {
    if (thread < 32)
      partial2[thread] = Operator1<T>::id();
    // block: place (row_arg_max.cdl:11)
    // block > thread: strided (reduce.cdl:174), one part per thread
    const Index thread_begin = part * pieces + thread;
    // thread: serial (reduce.cdl:152)
    State1<T> accum = Operator1<T>::id();
    for (Index i = thread_begin; i < (part * pieces + pieces); i += threads)
      accum = Operator1<T>::op(accum, partial[i]);
    // block: tree (reduce.cdl:185), exchanging registers
    State1<T> val = accum;
    for (int offset = 16; offset > 0; offset /= 2) {
      State1<T> other = shuffle_down(val, offset);
      val = Operator1<T>::op(val, other);
    }
    if (threads > 32) {
      __syncthreads();
      if (lane == 0)
        partial2[warp] = val;
      __syncthreads();
      if (warp == 0) {
        val = partial2[lane];
        for (int offset = 16; offset > 0; offset /= 2) {
          State1<T> other = shuffle_down(val, offset);
          val = Operator1<T>::op(val, other);
        }
      }
    }
    __syncthreads();
    if (thread == 0)
      reduce_arg_max_found = val;
    __syncthreads();
    const State1<T> reduce_arg_max = reduce_arg_max_found;
    const Index result = reduce_arg_max.place;
    if (thread == 0)
      y[part] = result;
  }
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename T, int threads, int loads>
cudaError_t run(Index blocks, void *workspace, size_t *workspace_bytes, const T *A, Index rows, Index columns, Index leading, Index *y, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  static_assert(loads >= 1 && loads <= 16, "loads: 16-byte loads in flight, 1 to 16");
  if (rows < 0 || columns < 0 || leading < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid > block: each (row_arg_max.cdl:35), one part per block
  // each part is shared: tiled (reduce.cdl:162)
  const Index groups = max_index(rows, 1);
  const Index pieces = max_index(min_index(blocks / groups, (rows * columns / groups + threads * 4 - 1) / (threads * 4)), 1);
  const Index p = min_index(groups, blocks);
  const Index combining = max_index(min_index(rows, blocks), 1);
  const size_t need = 49168 + (size_t)rows * pieces * sizeof(State1<T>);
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  State1<T> *partial = (State1<T> *)((char *)workspace + 49168);
  {
    void *args[] = {(void *)&pieces, &rows, (void *)&p, &columns, &A, &leading, &partial};
    const cudaError_t error = cudaLaunchKernel(row_arg_max_blocks<T, threads, loads>, dim3((unsigned)(p * pieces)), dim3(threads), args, 0, stream);
    if (error != cudaSuccess) return error;
  }
  {
    void *args[] = {&rows, (void *)&combining, (void *)&pieces, &partial, &y};
    const cudaError_t error = cudaLaunchKernel(row_arg_max_combine<T, threads>, dim3((unsigned)combining), dim3(threads), args, 0, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
template <typename T>
cudaError_t configured(const row_arg_max_configuration *c, void *workspace, size_t *workspace_bytes, const T *A, Index rows, Index columns, Index leading, Index *y, cudaStream_t stream) {
  const row_arg_max_configuration own = {0, 0, 0};
  if (c == nullptr) c = &own;
  const Index blocks = c->blocks ? c->blocks : 216; // maximum number of blocks, 1 to 2147483647
  if (blocks < 1 || blocks > 2147483647) return cudaErrorInvalidConfiguration;
#define RUN(THREADS, LOADS) if (serves(THREADS, c->threads) && serves(LOADS, c->loads)) return run<T, THREADS, LOADS>(blocks, workspace, workspace_bytes, A, rows, columns, leading, y, stream);
  ROW_ARG_MAX_80321DD4_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace row_arg_max_80321dd4

#define ROW(THREADS, LOADS) {THREADS, LOADS, 216},
// Those that were compiled; zeros end them.
extern "C" const row_arg_max_configuration row_arg_max_80321dd4_configurations[];
const row_arg_max_configuration row_arg_max_80321dd4_configurations[] = {ROW_ARG_MAX_80321DD4_CONFIGURATIONS(ROW) {0, 0, 0}};
#undef ROW

extern "C" cudaError_t row_arg_max_80321dd4_float(const row_arg_max_configuration *c, void *workspace, size_t *workspace_bytes, const float *A, uint64_t rows, uint64_t columns, uint64_t leading, long long *y, cudaStream_t stream) {
  return row_arg_max_80321dd4::configured<float>(c, workspace, workspace_bytes, A, (row_arg_max_80321dd4::Index)rows, (row_arg_max_80321dd4::Index)columns, (row_arg_max_80321dd4::Index)leading, y, stream);
}
