// online.cc: online selection of a generated library of sums for GPUs (out/sum.cu, --online), on a GPU that is made up here: variants
// say how long they take, a stream's work takes its time behind the program's, events happen when it has come to them.
//
// stubs.inc has a line for each variant, STUB(id, microseconds). Nothing here lets a program wait for the GPU.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "sum.h"

// ---- a GPU ----

struct CUstream_st {
  double busy_until = 0; // microseconds
  bool capturing = false;
};
struct CUevent_st {
  double at = -1;
};

static std::mutex gpu;
static double now = 0;           // the program's time
static double call_takes = 5;    // of the program, for each call
static const double queue = 20000;
static cudaError_t last = cudaSuccess;
static int records = 0, questions = 0, made = 0, refuse_events = 0;
static std::atomic<int> wrong{0};

extern "C" {
const char *cudaGetErrorString(cudaError_t) { return "an error"; }
cudaError_t cudaMallocAsync(void **p, size_t n, cudaStream_t) { return *p = std::malloc(n), cudaSuccess; }
cudaError_t cudaFreeAsync(void *p, cudaStream_t) { return std::free(p), cudaSuccess; }
cudaError_t cudaMemsetAsync(void *p, int byte, size_t n, cudaStream_t) { return std::memset(p, byte, n), cudaSuccess; }
cudaError_t cudaGetDevice(int *device) { return *device = 0, cudaSuccess; }
cudaError_t cudaGetDeviceCount(int *many) { return *many = 1, cudaSuccess; }
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *is, int) { return std::strcpy(is->name, "Made Up 1"), cudaSuccess; }
cudaError_t cudaPeekAtLastError(void) { return last; }
cudaError_t cudaGetLastError(void) {
  const cudaError_t error = last;
  last = cudaSuccess;
  return error;
}
static thread_local cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *other) { return std::swap(mode, *other), cudaSuccess; }
cudaError_t cudaStreamIsCapturing(cudaStream_t s, cudaStreamCaptureStatus *status) {
  *status = s->capturing ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t *e) {
  if (mode != cudaStreamCaptureModeRelaxed) ++wrong;
  if (refuse_events) return cudaErrorMemoryAllocation;
  ++made;
  return *e = new CUevent_st, cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t e) { return delete e, cudaSuccess; }
cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s) {
  const std::lock_guard<std::mutex> hold(gpu);
  if (s->capturing) ++wrong;
  ++records;
  e->at = s->busy_until > now ? s->busy_until : now;
  return cudaSuccess;
}
cudaError_t cudaEventQuery(cudaEvent_t e) {
  const std::lock_guard<std::mutex> hold(gpu);
  if (mode != cudaStreamCaptureModeRelaxed) ++wrong; // another thread may capture
  ++questions;
  return e->at <= now ? cudaSuccess : last = cudaErrorNotReady;
}
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to) {
  const std::lock_guard<std::mutex> hold(gpu);
  if (from->at < 0 || to->at > now) ++wrong;
  return *ms = (float)((to->at - from->at) / 1e3), cudaSuccess;
}
}

static std::string served; // by which variant the last call was

template <typename T>
static cudaError_t serve(const char *id, double takes, const sum_configuration *c, void *workspace, size_t *bytes, uint64_t n, T *out,
                         cudaStream_t s) {
  if (c->threads < 0) return cudaErrorInvalidConfiguration;
  if (!workspace) return *bytes = 16, cudaSuccess;
  const std::lock_guard<std::mutex> hold(gpu);
  now += call_takes;
  if (s->busy_until > now + queue) now = s->busy_until - queue; // launches are queued up to a limit
  s->busy_until = (s->busy_until > now ? s->busy_until : now) + takes;
  *out = (T)n;
  served = id;
  return cudaSuccess;
}

#define STUB_OF(id, T, takes)                                                                                                     \
  extern "C" cudaError_t sum_##id##_##T(const sum_configuration *c, void *workspace, size_t *bytes, const T *, uint64_t n, T *out, \
                                        cudaStream_t s) {                                                                          \
    return serve(#id, takes, c, workspace, bytes, n, out, s);                                                                      \
  }
#define STUB(id, takes)                                                        \
  extern "C" const sum_configuration sum_##id##_configurations[] = {{0, 0, 0}}; \
  STUB_OF(id, int, takes) STUB_OF(id, float, takes)
#include "stubs.inc"

// ---- a program ----

alignas(16) static char workspaces[8][64];

template <typename T>
static std::string calls(cudaError_t (*sum)(void *, size_t *, const T *, uint64_t, T *, cudaStream_t), CUstream_st *s, int many,
                         uint64_t n, int thread = 0) {
  static const T in[1] = {};
  for (int i = 0; i < many; i++) {
    T out = 0;
    size_t bytes = sizeof workspaces[0];
    if (sum(workspaces[thread], &bytes, in, n, &out, s) != cudaSuccess || out != (T)n) ++wrong;
  }
  return served;
}

static void expect(bool holds, const char *what) {
  if (!holds) std::printf("%s\n", what), ++wrong;
}

static void refused(cudaError_t error, cudaError_t with, const char *part) {
  if (error == with && std::strstr(sum_error_text(error), part)) return;
  std::printf("%d, not %d: `%s', not `%s'\n", error, with, sum_error_text(error), part);
  ++wrong;
}

static void alone(const char *fastest, const char *slow_id) {
  CUstream_st s;
  refused(sum_select_online(-1, "run_to_run"), cudaErrorInvalidValue, "sum_select_online: candidates = -1");
  refused(sum_select_online(99, "run_to_run"), cudaErrorInvalidValue, "candidates = 99");
  refused(sum_select_online(4, nullptr), cudaErrorInvalidValue, "NULL");
  refused(sum_select_online(4, "quick"), cudaErrorInvalidValue, "`quick'");
  refused(sum_select_save("x.table"), cudaErrorInvalidValue, "selection is off");
  const std::string usual = calls(sum_float, &s, 20, 5000);
  expect(records == 0 && questions == 0, "events without selection");
  expect(sum_select_online(32, "not_guaranteed") == cudaSuccess, "select");
  refused(sum_select_save(nullptr), cudaErrorInvalidValue, "no path");
  refused(sum_select_save("no/such/folder/x"), cudaErrorInvalidValue, "cannot write `no/such/folder/x'");
  // nothing while a stream captures: the table's variant
  CUstream_st capturing;
  capturing.capturing = true;
  expect(calls(sum_float, &capturing, 5, 5000) == usual && records == 0, "in a capture");
  expect(calls(sum_float, &s, 1, 5000) == usual && records == 0, "the first call");
  const double before = now;
  calls(sum_float, &s, 8, 5000);
  expect(records > 0 && now - before == 8 * call_takes, "timed, without waiting");
  const int recorded = records;
  calls(sum_float, &capturing, 5, 5000);
  expect(records == recorded, "nothing is timed in a capture");
  last = cudaErrorInvalidValue; // of the program's own, which it has not looked at
  calls(sum_float, &s, 50, 5000);
  expect(last == cudaErrorInvalidValue, "a program's error is its own");
  last = cudaSuccess;
  const std::string kept = calls(sum_float, &s, 20000, 5000);
  expect(kept == fastest, "the fastest stays");
  expect(last == cudaSuccess, "no error is left behind");
  const int known = records, asked = questions;
  expect(calls(sum_float, &s, 100, 5100) == kept && records == known && questions == asked, "once it is known nobody asks");
  expect(calls(sum_float, &capturing, 1, 5000) == kept, "a capture has it");
  expect(calls(sum_float, &s, 1, 500000) != kept || usual == kept, "another class begins with the table's");
  expect(made <= 128, "events are used again");
  expect(sum_select_save("saved.table") == cudaSuccess, "saved");
  expect(sum_select_online(0, nullptr) == cudaSuccess && calls(sum_float, &s, 1, 5000) == usual, "off");
  expect(sum_load_table("saved.table") == cudaSuccess, "loaded");
  expect(calls(sum_float, &s, 1, 4096) == kept && calls(sum_float, &s, 1, 8191) == kept, "a table has it");
  expect(sum_select_online(32, "not_guaranteed") == cudaSuccess && sum_select_forget() == cudaSuccess, "forget");
  (void)slow_id;
  float out = 0, in[1] = {};
  expect(sum_float_async(in, 300, &out, &s) == cudaSuccess && out == 300, "async");
  refuse_events = 1; // no event: no times, and calls all the same
  expect(calls(sum_int, &s, 200, 77).size() > 0, "without events");
}

static void together() {
  CUstream_st s[4];
  if (sum_select_online(8, "not_guaranteed") != cudaSuccess) ++wrong;
  std::vector<std::thread> all;
  for (int t = 0; t < 4; t++)
    all.emplace_back([&, t] {
      static const float in[1] = {};
      for (int i = 0; i < 1500; i++) {
        float out = 0;
        size_t bytes = sizeof workspaces[0];
        const uint64_t n = 1000u << (t % 2);
        if (sum_float(workspaces[t], &bytes, in, n, &out, &s[t]) != cudaSuccess || out != (float)n) ++wrong;
        if (t == 3 && i % 500 == 250) sum_select_forget();
        if (t == 2 && i % 500 == 300 && sum_select_save("together.table") != cudaSuccess) ++wrong;
      }
    });
  for (std::thread &t : all) t.join();
}

// Calls that take no longer than the events around them: two are timed, and more once there were thousands.
static void short_calls(const char *fastest) {
  CUstream_st s;
  expect(sum_select_online(4, "not_guaranteed") == cudaSuccess, "select");
  calls(sum_float, &s, 1000, 5000);
  expect(records == 4, "of 1000 short calls other than two are timed");
  expect(calls(sum_float, &s, 40000, 5000) == fastest && records > 8, "later the fastest is found");
}

int main(int argc, char **argv) {
  if (argc > 2) alone(argv[1], argv[2]);
  else if (argc > 1) short_calls(argv[1]);
  else together();
  std::printf("%d wrong\n", wrong.load());
  return wrong != 0;
}
