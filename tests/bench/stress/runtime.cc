// runtime.cc: the stand-in for the CUDA runtime. FAKE_BUG names something that goes wrong now and then: `result' (a
// kernel's), `update' (of a graph, that does nothing), `leak' (memory of the pool that stays).
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "cuda_runtime_api.h"

typedef std::vector<std::function<void()>> Work;

struct Graph {
  Work work;
  std::vector<std::shared_ptr<void>> memory; // of the pool, as long as the graph or an instance lives
};
struct Instance {
  Graph graph;
};
struct Stream {
  Graph *captured = nullptr;
};

static std::mutex mutex;
static const size_t all_memory = 64u << 20;
static size_t taken, of_pool;
static std::map<void *, size_t> places;
static thread_local cudaError_t last;

#define LOCKED const std::lock_guard<std::mutex> lock(mutex)

static bool now_and_then(const char *bug, int each) {
  static int count;
  const char *wanted = std::getenv("FAKE_BUG");
  return wanted && std::strcmp(wanted, bug) == 0 && ++count % each == 0;
}

static cudaError_t fails(cudaError_t error) { return last = error; }

static void *take(size_t bytes) {
  bytes = (bytes + 4095) / 4096 * 4096;
  if (bytes > all_memory - taken) return nullptr;
  void *place = std::malloc(bytes);
  places[place] = bytes;
  taken += bytes;
  return place;
}

static size_t give_back(void *place) {
  const size_t bytes = places.at(place);
  places.erase(place);
  taken -= bytes;
  std::free(place);
  return bytes;
}

static cudaError_t queue(Stream *s, std::function<void()> what) {
  LOCKED;
  if (s && s->captured) s->captured->work.push_back(what);
  else what();
  return cudaSuccess;
}

extern "C" {

const char *cudaGetErrorName(cudaError_t error) { return error == cudaSuccess ? "cudaSuccess" : "an error"; }
const char *cudaGetErrorString(cudaError_t error) { return cudaGetErrorName(error); }
cudaError_t cudaGetLastError(void) {
  const cudaError_t error = last;
  last = cudaSuccess;
  return error;
}
cudaError_t cudaGetDevice(int *device) { return *device = 0, cudaSuccess; }
cudaError_t cudaDeviceSynchronize(void) { return cudaSuccess; }
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int) { return *pool = nullptr, cudaSuccess; }
cudaError_t cudaDeviceGraphMemTrim(int) { return cudaSuccess; }
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t, cudaMemPoolAttr, void *value) {
  LOCKED;
  return *(uint64_t *)value = of_pool, cudaSuccess;
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t) { return cudaSuccess; }
cudaError_t cudaMemGetInfo(size_t *free, size_t *all) {
  LOCKED;
  *free = all_memory - taken;
  return *all = all_memory, cudaSuccess;
}

cudaError_t cudaMalloc(void **place, size_t bytes) {
  LOCKED;
  return (*place = take(bytes)) ? cudaSuccess : fails(cudaErrorMemoryAllocation);
}
cudaError_t cudaFree(void *place) {
  LOCKED;
  if (place) give_back(place);
  return cudaSuccess;
}
cudaError_t cudaMallocAsync(void **place, size_t bytes, cudaStream_t) {
  LOCKED;
  if (!(*place = take(bytes))) return fails(cudaErrorMemoryAllocation);
  of_pool += places[*place];
  return cudaSuccess;
}
static void free_of_pool(void *place) { of_pool -= give_back(place); }
cudaError_t cudaFreeAsync(void *place, cudaStream_t s) {
  LOCKED;
  if (now_and_then("leak", 100)) return cudaSuccess;
  if (s && s->captured) s->captured->memory.emplace_back(place, free_of_pool);
  else free_of_pool(place);
  return cudaSuccess;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind) {
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind, cudaStream_t s) {
  return queue(s, [=] { std::memcpy(to, from, bytes); });
}
cudaError_t cudaMemsetAsync(void *to, int byte, size_t bytes, cudaStream_t s) {
  return queue(s, [=] { std::memset(to, byte, bytes); });
}

static cudaError_t launch(const void *kernel, void **arguments, cudaStream_t s) {
  std::vector<uint64_t> values(KERNEL_ARGUMENTS);
  for (int i = 0; i < KERNEL_ARGUMENTS; i++) std::memcpy(&values[i], arguments[i], sizeof values[i]);
  return queue(s, [=] {
    ((Kernel)kernel)(values.data());
    if (now_and_then("result", 1000)) ++*(char *)values[0];
  });
}
cudaError_t cudaLaunchKernel(const void *kernel, dim3, dim3, void **arguments, size_t, cudaStream_t s) {
  return launch(kernel, arguments, s);
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *how, const void *kernel, void **arguments) {
  return launch(kernel, arguments, how->stream);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, unsigned) { return *s = new Stream, cudaSuccess; }
cudaError_t cudaStreamDestroy(cudaStream_t s) { return delete s, cudaSuccess; }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamQuery(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamBeginCapture(cudaStream_t s, cudaStreamCaptureMode) {
  return s->captured = new Graph, cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t s, cudaGraph_t *graph) {
  *graph = s->captured;
  return s->captured = nullptr, cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *instance, cudaGraph_t graph, unsigned long long) {
  return *instance = new Instance{*graph}, cudaSuccess;
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t instance, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *) {
  LOCKED;
  Graph *g = &instance->graph;
  if (!g->memory.empty() || !graph->memory.empty() || g->work.size() != graph->work.size())
    return fails(cudaErrorGraphExecUpdateFailure);
  if (!now_and_then("update", 4)) *g = *graph;
  return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t instance, cudaStream_t) {
  LOCKED;
  for (const std::function<void()> &each : instance->graph.work) each();
  return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t instance) {
  LOCKED;
  return delete instance, cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  LOCKED;
  return delete graph, cudaSuccess;
}

} // extern "C"
