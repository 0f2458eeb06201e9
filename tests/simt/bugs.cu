// bugs.cu: one kernel a bug, and the same kernel without it: what the executor must find, each time, and must not.
//
// Compiled with the executor's hooks; run by bugs_test.cc. `bug' chooses at compile time what is wrong.
#include <cuda_runtime.h>

#include "bugs.h"

constexpr int threads = 128;

// Tree in shared memory.
template <int bug>
__global__ void tree(const int *in, long long n, int *out) {
  __shared__ int values[threads];
  __shared__ int next_to_it[threads];
  const int thread = threadIdx.x;
  const long long i = (long long)blockIdx.x * threads + thread;
  if (bug != UNWRITTEN || thread != 77) values[thread] = i < n ? in[i] : 0;
  if (thread < 32) next_to_it[thread] = 0;
  for (int step = threads / 2; step > 0; step /= 2) {
    if (bug != NO_BARRIER) __syncthreads();
    if (thread < step) values[thread] += values[thread + (bug == PAST_SHARED && step == threads / 2 ? step + 1 : step)];
    if (bug == DIVERGENT_BARRIER && step == 32 && thread < step) __syncthreads();
  }
  if (bug == PLAIN_UPDATE) {
    if (thread == 0) *out += values[0];
  } else if (thread == 0) atomicAdd(bug == PAST_OUTPUT ? out + 1 : out, values[0] + next_to_it[0]);
}

// Shuffles, a partial a warp in shared memory.
template <int bug>
__global__ void shuffles(const int *in, long long n, int *out) {
  __shared__ int partial[threads / 32];
  const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
  const long long i = (long long)blockIdx.x * threads + thread;
  int value = i < n || bug == PAST_INPUT ? in[i] : 0;
  if (bug == MISALIGNED && i == 0) { // the input lies 4 bytes behind a multiple of 256
    uint4 four;
    four = *(const uint4 *)in;
    value += (int)four.x;
  }
  if (bug == DIVERGENT_SHUFFLE && lane < 16) value += __shfl_down_sync(0xffffffff, value, 16);
  for (int step = bug == DIVERGENT_SHUFFLE ? 8 : 16; step > 0; step /= 2) {
    if (bug == OUTSIDE_MASK) {
      if (lane < 16) value += __shfl_down_sync(0x0000ffff, value, step);
    } else value += __shfl_down_sync(0xffffffff, value, step);
  }
  if (lane == 0) partial[warp] = value;
  __syncthreads();
  if (thread == 0) {
    value = 0;
    for (int w = 0; w < threads / 32; w++) value += partial[w];
    atomicAdd(out, value);
  }
}

// A warp's tree in shared memory, with and without warp barriers.
template <int bug>
__global__ void warp_tree(const int *in, long long n, int *out) {
  __shared__ int values[threads];
  const int thread = threadIdx.x, lane = thread % 32;
  const long long i = (long long)blockIdx.x * threads + thread;
  int value = i < n ? in[i] : 0;
  values[thread] = value;
  for (int step = 16; step > 0; step /= 2) {
    if (bug != NO_WARP_BARRIER) __syncwarp();
    if (lane < step) value += values[thread + step];
    __syncwarp();
    values[thread] = value;
  }
  if (lane == 0) atomicAdd(out, value);
}

// The last block to finish combines the partials of all: they must be fenced before the ticket is taken.
template <int bug>
__global__ void ticketed(const int *in, long long n, int *partial, unsigned *ticket, int *out) {
  __shared__ int total;
  __shared__ bool last;
  const int thread = threadIdx.x;
  const long long i = (long long)blockIdx.x * threads + thread;
  if (thread == 0) total = 0;
  __syncthreads();
  atomicAdd_block(&total, i < n ? in[i] : 0);
  __syncthreads();
  if (thread == 0) {
    if (bug == EARLY_FENCE) __threadfence();
    partial[blockIdx.x] = total;
    if (bug != EARLY_FENCE && bug != NO_FENCE && bug != LATE_FENCE) __threadfence();
    last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
    if (bug == LATE_FENCE) __threadfence();
  }
  if (bug != NO_TICKET_BARRIER) __syncthreads();
  if (!last) return;
  int sum = 0;
  for (unsigned b = thread; b < gridDim.x; b += threads) sum += partial[b];
  if (bug == BLOCK_SCOPE) atomicAdd_block(out, sum);
  else atomicAdd(out, sum);
}

// The same, but warps take the tickets: the last of all, which knows of those of its own block by that alone.
template <int bug>
__global__ void ticketed_warps(const int *in, long long n, int *partial, unsigned *ticket, int *out) {
  const int lane = threadIdx.x % 32;
  const unsigned warp = blockIdx.x * (threads / 32) + threadIdx.x / 32, warps = gridDim.x * (threads / 32);
  const long long i = (long long)blockIdx.x * threads + threadIdx.x;
  int value = i < n ? in[i] : 0;
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffff, value, step);
  unsigned before = 0;
  if (lane == 0) {
    if (bug == EARLY_FENCE) __threadfence();
    partial[warp] = value;
    if (bug != EARLY_FENCE && bug != NO_FENCE && bug != LATE_FENCE) __threadfence();
    before = atomicInc(ticket, warps - 1);
    if (bug == LATE_FENCE) __threadfence();
  }
  before = __shfl_sync(0xffffffff, before, 0);
  if (bug != NO_WARP_BARRIER) __syncwarp();
  if (before != warps - 1) return;
  int sum = 0;
  for (unsigned w = lane; w < warps; w += 32) sum += partial[w];
  atomicAdd(out, sum);
}

// Atomics of block scope on one word from many blocks.
template <int bug>
__global__ void scoped(const int *in, long long n, int *out) {
  const long long i = (long long)blockIdx.x * threads + threadIdx.x;
  if (i >= n) return;
  if (bug == BLOCK_SCOPE) atomicAdd_block(out, in[i]);
  else atomicAdd(out, in[i]);
}

// A lane waits for a flag that no other will set.
template <int bug>
__global__ void waiting(const int *in, long long n, int *out) {
  const int thread = threadIdx.x;
  if (bug == DEADLOCK && thread % 32 == 0 && thread > 0) __syncwarp(0x3);
  __syncthreads();
  const long long i = (long long)blockIdx.x * threads + thread;
  if (i < n) atomicAdd(out, in[i]);
}

// Launched while the grid ahead may still run: nothing global may be touched before the wait.
template <int bug>
__global__ void overlapping(const int *in, long long n, int *out) {
  const long long i = (long long)blockIdx.x * threads + threadIdx.x;
  int value = bug == LATE_WAIT && i < n ? in[i] : 0;
  if (bug != NO_WAIT) cudaGridDependencySynchronize();
  if (bug != LATE_WAIT && i < n) value = in[i];
  atomicAdd(out, value);
}

template <int bug>
static void start_early(unsigned blocks, Memory m) {
  cudaLaunchAttribute early = {};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  const cudaLaunchConfig_t grid = {dim3(blocks), dim3(threads), 0, nullptr, &early, 1};
  cudaLaunchKernelEx(&grid, overlapping<bug>, m.in, m.n, m.out);
}

// Each block of a cluster stores its total in the first one's shared memory, which adds them up.
template <int bug>
__global__ void clustered(const int *in, long long n, int *out) {
  __shared__ int parts[8];
  __shared__ int total;
  const int thread = threadIdx.x;
  const unsigned rank = __clusterRelativeBlockRank(), blocks = __clusterSizeInBlocks();
  if (bug != NOT_BEGUN && bug != NEVER_ARRIVES) __cluster_barrier_arrive_relaxed();
  if (bug == ARRIVES_TWICE) __cluster_barrier_arrive();
  const long long i = (long long)blockIdx.x * threads + thread;
  if (thread == 0) total = 0;
  __syncthreads();
  atomicAdd_block(&total, i < n ? in[i] : 0);
  __syncthreads();
  if (bug != NOT_BEGUN) __cluster_barrier_wait();
  const unsigned to = bug == OUTSIDE_CLUSTER && rank == 1 ? blocks : 0;
  int *place = (int *)__cluster_map_shared_rank(&parts[rank], to);
  if (bug == PAST_PARTS) place += 8;
  if (bug == LATE_STORE) __cluster_barrier_arrive();
  if (thread == 0) *place = total;
  if (bug == RELAXED) __cluster_barrier_arrive_relaxed();
  else if (bug == BLOCK_BARRIER) __syncthreads();
  else if (bug != LATE_STORE) {
    if (bug == NEVER_COMES && rank == 1 && thread < 32) __syncthreads();
    __cluster_barrier_arrive();
  }
  if (bug == NEVER_COMES && rank == 1) {
    __cluster_barrier_wait();
    __syncthreads();
  }
  if (rank != 0 || bug == ENDS_EARLY) return;
  if (bug != READS_AT_ONCE && bug != BLOCK_BARRIER) __cluster_barrier_wait();
  if (thread == 0)
    for (unsigned b = 0; b < blocks; b++) atomicAdd(out, parts[b]);
}

template <int bug>
static void start_clusters(unsigned blocks, Memory m) {
  const unsigned size = bug == TOO_MANY ? 16 : 4, whole = (blocks + size - 1) / size * size;
  cudaLaunchAttribute cluster = {};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim.x = size;
  cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
  const cudaLaunchConfig_t grid = {dim3(bug == UNEVEN ? whole + 1 : whole), dim3(threads), 0, nullptr, &cluster, 1};
  cudaLaunchKernelEx(&grid, clustered<bug>, m.in, m.n, m.out);
}

// Each block posts its total, with a mark; one that knows that all others have begun waits for them.
template <int bug>
__global__ void posted(const int *in, long long n, unsigned long long *posts, unsigned *begun, int *out) {
  __shared__ int total;
  __shared__ bool collects;
  const int thread = threadIdx.x;
  const long long i = (long long)blockIdx.x * threads + thread;
  if (thread == 0) {
    total = 0;
    const unsigned before = atomicInc(begun, gridDim.x - 1);
    collects = before == (bug == FIRST_COLLECTS ? 0 : gridDim.x - 1);
  }
  __syncthreads();
  atomicAdd_block(&total, i < n ? in[i] : 0);
  if (bug != EARLY_POST) __syncthreads();
  if (thread == 0 && (bug != NOBODY_POSTS || blockIdx.x != 1))
    atomicExch(&posts[blockIdx.x], 1ull << 32 | (unsigned)total);
  if (!collects) return;
  const unsigned blocks = bug == BEYOND_POSTS ? gridDim.x + 1 : gridDim.x;
  for (unsigned b = thread; b < blocks; b += threads) {
    unsigned long long word = atomicCAS(&posts[b], 0ull, 0ull);
    while (bug != DOES_NOT_WAIT && word >> 32 == 0) word = atomicCAS(&posts[b], 0ull, 0ull);
    atomicExch(&posts[b], 0ull);
    atomicAdd(out, (int)(unsigned)word);
  }
}

template <typename... P, typename... A>
static void start(void (*kernel)(P...), unsigned blocks, A... arguments) {
  void *places[] = {&arguments...};
  cudaLaunchKernel(kernel, dim3(blocks), dim3(threads), places, 0, nullptr);
}

template <int bug>
static void run(Shape shape, Memory m) {
  const unsigned blocks = (unsigned)((m.n + threads - 1) / threads);
  switch (shape) {
    case TREE: start(tree<bug>, blocks, m.in, m.n, m.out); break;
    case SHUFFLES: start(shuffles<bug>, blocks, m.in, m.n, m.out); break;
    case WARP_TREE: start(warp_tree<bug>, blocks, m.in, m.n, m.out); break;
    case TICKETED: start(ticketed<bug>, blocks, m.in, m.n, m.partial, m.ticket, m.out); break;
    case TICKETED_WARPS: start(ticketed_warps<bug>, blocks, m.in, m.n, m.partial, m.ticket, m.out); break;
    case SCOPED: start(scoped<bug>, blocks, m.in, m.n, m.out); break;
    case CLUSTERED: start_clusters<bug>(blocks, m); break;
    case OVERLAPPING: start_early<bug>(blocks, m); break;
    case POSTED: start(posted<bug>, blocks, m.in, m.n, m.posts, m.ticket, m.out); break;
    case WAITING: start(waiting<bug>, blocks, m.in, m.n, m.out); break;
  }
}

void run_kernel(Shape shape, Bug bug, Memory m) {
  switch (bug) {
#define BUG(name) case name: run<name>(shape, m); break;
    BUGS(BUG)
#undef BUG
  }
}
