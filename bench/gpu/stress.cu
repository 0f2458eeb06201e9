// stress.cu: a generated library under load on the GPU.
//
//   load       two host threads with two streams each call every function, of all types, on random sizes, each call in
//              the stream's own workspace or one of the pool, and now and then as a graph that is captured, replayed,
//              updated and destroyed while the others go on; every result is compared. A graph is destroyed when it
//              has ended: drivers hang where one of overlapping kernels is destroyed before (destroyed_graph.cu)
//   failures   every runtime call of every function fails once (failures.h), also while a graph is captured
//   memory     the device's memory is used up: calls that need the pool fail or are right, and are right again after
//   leaks      what the pool and the device hold afterwards is what they held before
//
// Built by bench/gpu_check.sh stress: one binary, a table, exit status 0 when nothing was wrong.
//
//   stress [CALLS] [SEED] [running]     10000 calls, seed 1; with `running', graphs are destroyed while they run
#include <atomic>
#include <chrono>
#include <cstring>
#include <mutex>
#include <thread>

#include "failures.h"

#ifndef STRESS_LARGEST
#define STRESS_LARGEST 20 // problems have up to 2^20 elements; 17 at least
#endif

namespace {

constexpr uint64_t most = 1ull << STRESS_LARGEST;
constexpr size_t slack = 32u << 20; // what the runtime may keep for itself
constexpr int problems_of_a_type = 160, streams_of_a_thread = 2, slots = 128, threads = 2, each_graph = 24;

struct Tally {
  std::atomic<long> calls{0}, results{0}, graphs{0}, updated{0}, complaints{0};
};

struct Random {
  uint64_t state;
  uint64_t below(uint64_t n) { return mixed(state++) % n; }
};

// A type with its elements on the device and problems solved; nobody writes to it while threads run.
struct Loaded {
  Type type;
  char *in;
  std::vector<Problem> problems;
  size_t workspace; // so many bytes that any entry's call needs
};

// As many small sizes as large ones: 0, then each power of two alike.
uint64_t random_size(Random &r) {
  const uint64_t bits = r.below(STRESS_LARGEST + 1);
  return bits == 0 ? r.below(2) : (1ull << (bits - 1)) + r.below(1ull << (bits - 1));
}

Loaded load(Type &&t, Random &r) {
  Loaded l = {std::move(t), nullptr, {}, 1};
  CUDA(cudaMalloc((void **)&l.in, l.type.elements.size()));
  CUDA(cudaMemcpy(l.in, l.type.elements.data(), l.type.elements.size(), cudaMemcpyHostToDevice));
  for (int i = 0; i < problems_of_a_type; i++) {
    const uint64_t n = random_size(r), at = r.below(most - n + 1);
    l.problems.push_back(l.type.solve(l.type, at, n));
    for (const Entry &e : l.type.entries) {
      size_t bytes = 0;
      if (!e.own_workspace) continue;
      CUDA(e.call(nullptr, &bytes, l.in, n, nullptr, nullptr));
      if (bytes > l.workspace) l.workspace = bytes;
    }
  }
  return l;
}

// ---- one stream ----

struct Pending {
  const Loaded *type;
  const Entry *entry;
  Problem problem;
};

// A stream with a workspace of its own and places for results. Whoever is last to write a place is compared.
struct Lane {
  cudaStream_t stream;
  void *workspace;
  size_t room;
  char *results; // 8 bytes a slot
  Pending pending[slots];
  int used = 0;

  explicit Lane(size_t bytes) : room(bytes) {
    CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CUDA(cudaMalloc(&workspace, bytes));
    CUDA(cudaMalloc((void **)&results, slots * 8));
    CUDA(workspace_init(workspace, bytes, stream));
    CUDA(cudaMemsetAsync(results, 0x5a, slots * 8, stream));
  }
  void close() {
    CUDA(cudaStreamDestroy(stream));
    CUDA(cudaFree(workspace));
    CUDA(cudaFree(results));
  }
  char *place(int slot) const { return results + 8 * slot; }
  cudaError_t queue(const Pending &c, int slot) {
    size_t bytes = room;
    pending[slot] = c;
    return c.entry->call(workspace, &bytes, c.type->in + c.problem.at * c.type->type.bytes, c.problem.n, place(slot),
                         stream);
  }
};

// Says what streams wait for that do not come to an end, and gives up.
struct Watch {
  std::atomic<const char *> phase{"the beginning"};
  std::atomic<long> progress{0};
  std::mutex mutex;
  std::vector<Lane *> lanes;

  void begin(const char *what) {
    phase = what;
    ++progress;
  }
  void tell() {
    std::lock_guard<std::mutex> lock(mutex);
    std::printf("FAILED: no end of %s\n", phase.load());
    for (size_t i = 0; i < lanes.size(); i++) {
      const cudaError_t status = cudaStreamQuery(lanes[i]->stream);
      std::printf("  stream %zu: %s; queued since it was last waited for:\n", i, cudaGetErrorName(status));
      for (int k = 0; k < lanes[i]->used && status != cudaSuccess; k++)
        std::printf("    %s n=%llu\n", lanes[i]->pending[k].entry->name.c_str(),
                    (unsigned long long)lanes[i]->pending[k].problem.n);
    }
    std::fflush(stdout);
    std::_Exit(4);
  }
  void watch(int seconds) {
    for (long seen = -1;; std::this_thread::sleep_for(std::chrono::seconds(seconds))) {
      if (seen == progress) tell();
      seen = progress;
    }
  }
};

Watch watch;

struct Worker {
  const std::vector<Loaded> *types;
  std::vector<Lane> lanes;
  Random random;
  Tally *tally;
  long left;
  bool waits; // before it destroys a graph

  void complain(const Pending &c, const char *what, cudaError_t error) {
    if (++tally->complaints <= 40)
      std::printf("FAILED %s n=%llu at %llu: %s: %s\n", c.entry->name.c_str(), (unsigned long long)c.problem.n,
                  (unsigned long long)c.problem.at, what, cudaGetErrorName(error));
  }

  // The library's own functions three times of four.
  Pending draw() {
    const Loaded &t = (*types)[random.below(types->size())];
    const size_t own = t.type.library, all = t.type.entries.size();
    const size_t i = random.below(4) || all == own ? random.below(own) : own + random.below(all - own);
    return {&t, &t.type.entries[i], t.problems[random.below(t.problems.size())]};
  }

  void compare(Lane &l) {
    char got[slots * 8];
    const cudaError_t error = cudaStreamSynchronize(l.stream);
    if (error != cudaSuccess) {
      std::printf("FAILED: a stream: %s\n", cudaGetErrorString(error));
      std::exit(3);
    }
    CUDA(cudaMemcpyAsync(got, l.results, sizeof got, cudaMemcpyDeviceToHost, l.stream));
    CUDA(cudaMemsetAsync(l.results, 0x5a, slots * 8, l.stream));
    CUDA(cudaStreamSynchronize(l.stream));
    for (int i = 0; i < l.used; i++, tally->results++)
      if (!l.pending[i].type->type.right(l.pending[i].problem, got + 8 * i))
        complain(l.pending[i], "a wrong result", cudaSuccess);
    l.used = 0;
  }

  void call(Lane &l) {
    if (l.used == slots) compare(l);
    const Pending c = draw();
    const cudaError_t error = l.queue(c, l.used);
    tally->calls++;
    left--;
    if (error != cudaSuccess) complain(c, "the call", error);
    else l.used++;
  }

  // A graph of the calls c, from a slot on; NULL when it cannot be captured.
  cudaGraph_t capture(Lane &l, const std::vector<Pending> &calls, int slot) {
    cudaGraph_t graph = nullptr;
    CUDA(cudaStreamBeginCapture(l.stream, cudaStreamCaptureModeThreadLocal));
    for (size_t i = 0; i < calls.size(); i++) {
      const cudaError_t error = l.queue(calls[i], slot + (int)i);
      if (error != cudaSuccess) complain(calls[i], "a call in a graph", error);
    }
    const cudaError_t error = cudaStreamEndCapture(l.stream, &graph);
    if (error != cudaSuccess) complain(calls[0], "the capture", error);
    return error == cudaSuccess ? graph : nullptr;
  }

  void destroy(Lane &l, cudaGraphExec_t exec) {
    if (waits) CUDA(cudaStreamSynchronize(l.stream));
    CUDA(cudaGraphExecDestroy(exec));
  }

  // Captured, replayed, made to do the same functions' calls on other problems, replayed, destroyed.
  void graph(Lane &l) {
    std::vector<Pending> calls;
    cudaGraphExec_t exec = nullptr;
    const int count = 1 + (int)random.below(3);
    if (l.used + 2 * count > slots) compare(l);
    for (int i = 0; i < count; i++) calls.push_back(draw());
    for (int round = 0; round < 2; round++) {
      for (Pending &c : calls) c.problem = c.type->problems[random.below(c.type->problems.size())];
      const cudaGraph_t g = capture(l, calls, l.used);
      if (!g) return;
      cudaGraphExecUpdateResultInfo info;
      if (exec && cudaGraphExecUpdate(exec, g, &info) == cudaSuccess) tally->updated++;
      else { // another variant serves that size, or memory of the pool is among its nodes
        (void)cudaGetLastError();
        if (exec) destroy(l, exec);
        exec = nullptr;
        const cudaError_t error = cudaGraphInstantiate(&exec, g, 0);
        if (error != cudaSuccess) return complain(calls[0], "a graph's instance", error);
      }
      CUDA(cudaGraphDestroy(g));
      for (uint64_t k = 1 + random.below(3); k > 0; k--, tally->calls += count)
        if (const cudaError_t error = cudaGraphLaunch(exec, l.stream)) complain(calls[0], "a replay", error);
      l.used += count;
      left -= count;
    }
    destroy(l, exec);
    tally->graphs++;
  }

  void work() {
    for (long i = 1; left > 0; i++) {
      Lane &l = lanes[random.below(lanes.size())];
      ++watch.progress;
      if (i % each_graph == 0) graph(l);
      else call(l);
      if (random.below(200) == 0) compare(l);
    }
    for (Lane &l : lanes) compare(l);
  }
};

void put_under_load(const std::vector<Loaded> &types, long calls, uint64_t seed, bool waits, Tally *tally) {
  size_t room = 1;
  std::vector<Worker> workers(threads);
  std::vector<std::thread> running;
  for (const Loaded &t : types) room = t.workspace > room ? t.workspace : room;
  for (int i = 0; i < threads; i++) {
    workers[i] = {&types, {}, {mixed(seed * 97 + i)}, tally, calls / threads, waits};
    for (int k = 0; k < streams_of_a_thread; k++) workers[i].lanes.emplace_back(room);
  }
  CUDA(cudaDeviceSynchronize());
  for (Worker &w : workers)
    for (Lane &l : w.lanes) watch.lanes.push_back(&l);
  for (Worker &w : workers) running.emplace_back([&w] { w.work(); });
  for (std::thread &t : running) t.join();
  watch.mutex.lock();
  watch.lanes.clear();
  watch.mutex.unlock();
  for (Worker &w : workers)
    for (Lane &l : w.lanes) l.close();
}

// ---- failures while a graph is captured ----

// What was captured before the failure is thrown away; the next call is right.
void fail_in_capture(Bench &b, const Entry &e, const Problem &p, Failures *f) {
  size_t bytes = 1;
  if (e.own_workspace) CUDA(b.run(e, p, nullptr, &bytes));
  const int calls = call_well(b, e, p, bytes, f, 0, "a call before the capture");
  for (int k = 1; k <= calls; k++) {
    size_t passed = bytes;
    cudaGraph_t graph = nullptr;
    CUDA(cudaStreamBeginCapture(b.stream, cudaStreamCaptureModeThreadLocal));
    injection::arm(k, false);
    const cudaError_t error = b.run(e, p, b.workspace, &passed);
    f->expect(error == injection::state.error && error != cudaSuccess, e, p, k, "another error, in a capture");
    injection::arm(0, false);
    f->expect(cudaStreamEndCapture(b.stream, &graph) == cudaSuccess && graph, e, p, k, "the capture goes on");
    if (graph) CUDA(cudaGraphDestroy(graph));
    f->injected++;
    call_well(b, e, p, bytes, f, k, "the next call after a capture that failed");
  }
}

void fail_all(const std::vector<Loaded> &types, Failures *f) {
  static const uint64_t sizes[] = {0, 1, 1025, 100003, most - 3};
  cudaStream_t stream;
  CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (const Loaded &l : types) {
    const Type &t = l.type;
    Bench b(t, stream);
    fail_init(b, t.entries[0], f);
    for (size_t i = 0; i < t.entries.size(); i++)
      for (uint64_t n : sizes) {
        ++watch.progress;
        if (i >= t.library && n != 1025 && n != most - 3) continue;
        const Problem p = t.solve(t, n % 4, n - n % 4);
        fail_each(b, t.entries[i], p, f);
        fail_in_capture(b, t.entries[i], p, f);
      }
  }
  CUDA(cudaStreamDestroy(stream));
}

// ---- memory ----

cudaMemPool_t pool_of_device() {
  int device;
  cudaMemPool_t pool;
  CUDA(cudaGetDevice(&device));
  CUDA(cudaDeviceGetDefaultMemPool(&pool, device));
  return pool;
}

uint64_t pool_uses(cudaMemPoolAttr what) {
  uint64_t bytes = 0;
  CUDA(cudaMemPoolGetAttribute(pool_of_device(), what, &bytes));
  return bytes;
}

size_t free_memory() {
  size_t free, all;
  int device;
  CUDA(cudaDeviceSynchronize());
  CUDA(cudaGetDevice(&device));
  CUDA(cudaDeviceGraphMemTrim(device));
  CUDA(cudaMemPoolTrimTo(pool_of_device(), 0));
  CUDA(cudaMemGetInfo(&free, &all));
  return free;
}

// Each function of the pool, once; `is_short': there may be no memory.
void call_pool(const std::vector<Loaded> &types, std::vector<Bench> &benches, bool is_short, Failures *f,
               long *refused) {
  for (size_t k = 0; k < types.size(); k++)
    for (size_t i = 0; i < types[k].type.library; i++) {
      const Entry &e = types[k].type.entries[i];
      const Problem p = types[k].problems[0];
      if (e.own_workspace) continue;
      benches[k].spoil();
      const cudaError_t error = benches[k].run(e, p, nullptr, nullptr);
      const bool none = is_short && error == cudaErrorMemoryAllocation;
      f->expect(none || (error == cudaSuccess && benches[k].right(p)), e, p, 0,
                is_short ? "while memory is short" : "before or after memory is short");
      f->expect(injection::state.outstanding == 0, e, p, 0, "memory of the pool is not given back");
      *refused += none;
      if (none) (void)cudaGetLastError();
    }
}

// All of the device's memory is taken, by pieces that halve.
void use_up_memory(const std::vector<Loaded> &types, Failures *f, long *refused) {
  std::vector<void *> taken;
  std::vector<Bench> benches;
  benches.reserve(types.size()); // a bench stays where it is
  for (const Loaded &l : types) benches.emplace_back(l.type);
  call_pool(types, benches, false, f, refused);
  (void)free_memory();
  for (size_t piece = 1ull << 36; piece >= 4096; piece /= 2)
    for (void *p; cudaMalloc(&p, piece) == cudaSuccess;) taken.push_back(p);
  (void)cudaGetLastError();
  call_pool(types, benches, true, f, refused);
  for (void *p : taken) CUDA(cudaFree(p));
  call_pool(types, benches, false, f, refused);
}

} // namespace

int main(int argc, char **argv) {
  const long calls = argc > 1 ? std::atol(argv[1]) : 10000;
  const uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  const bool waits = argc <= 3 || std::strcmp(argv[3], "running") != 0;
  Random random = {mixed(seed)};
  Tally tally;
  Failures failures;
  std::vector<Loaded> types;
  long functions = 0, refused = 0;
  for (Type &t : all_types(most)) {
    functions += (long)t.entries.size();
    types.push_back(load(std::move(t), random));
  }

  const char *patience = std::getenv("STRESS_SECONDS"); // without any progress
  const int seconds = patience ? std::atoi(patience) : 60;
  std::thread([seconds] { watch.watch(seconds); }).detach();
  watch.begin("the first load");
  put_under_load(types, calls / 10, seed + 1, waits, &tally); // all kernels are loaded, all pools made
  watch.begin("the first failures");
  fail_all(types, &failures);
  const size_t before = free_memory();
  watch.begin("the load");
  put_under_load(types, calls, seed, waits, &tally);
  watch.begin("the failures");
  fail_all(types, &failures);
  watch.begin("the want of memory");
  use_up_memory(types, &failures, &refused);
  const size_t after = free_memory();
  const uint64_t used = pool_uses(cudaMemPoolAttrUsedMemCurrent);
  const uint64_t reserved = pool_uses(cudaMemPoolAttrReservedMemCurrent);
  const bool kept = used == 0 && before <= after + slack && injection::state.outstanding == 0;
  const cudaError_t last = cudaGetLastError();
  for (const Loaded &l : types) CUDA(cudaFree(l.in));

  std::printf("%-34s %ld of %zu types\n", "functions", functions, types.size());
  std::printf("%-34s %ld\n", "calls on four streams", tally.calls.load());
  std::printf("%-34s %ld\n", "results compared", tally.results.load());
  std::printf("%-34s %ld, %ld times updated in place\n", "graphs", tally.graphs.load(), tally.updated.load());
  std::printf("%-34s %ld\n", "runtime calls that failed", failures.injected);
  std::printf("%-34s %ld\n", "calls refused", failures.refused);
  std::printf("%-34s %ld\n", "calls refused for want of memory", refused);
  std::printf("%-34s %llu used, %llu reserved\n", "bytes of the pool at the end", (unsigned long long)used,
              (unsigned long long)reserved);
  std::printf("%-34s %lld\n", "bytes of the device lost", (long long)before - (long long)after);
  std::printf("%-34s %s\n", "the last error", cudaGetErrorName(last));
  std::printf("%-34s %ld%s\n", "complaints", tally.complaints + failures.complaints + !kept,
              kept ? "" : " (memory is not given back)");
  return tally.complaints || failures.complaints || !kept || last != cudaSuccess;
}
