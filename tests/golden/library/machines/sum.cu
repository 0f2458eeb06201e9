// sum.cu: which machine's kernels serve the current device. Made by tgc from sum.cdl for sm_60, sm_90; this text is yours.
#include "sum.h"

#include "sm_60/sum_sm_60.h"
#include "sm_90/sum_sm_90.h"

#include <atomic>
#include <cstdio>

namespace {

// The machines' compute capabilities, ascending.
const int compute[] = {60, 90};
enum { NONE = -1, MACHINES = 2 };

// Of this thread: the machine of its last call, or, none being right, why.
thread_local int called = NONE;
thread_local char why[128];
thread_local cudaError_t why_of = cudaSuccess;

cudaError_t failed(cudaError_t error, const char *what, int major, int minor) {
  std::snprintf(why, sizeof why, major ? "sum: %s (compute capability %d.%d)" : "sum: %s", what, major,
                minor);
  return why_of = error;
}

// What has been found out of each device: 0: nothing yet; else its machine + 1.
enum { DEVICES = 64 };
std::atomic<int> found[DEVICES];

// The current device's machine. Any thread may ask.
cudaError_t pick(int *machine) {
  int device = 0, major = 0, minor = 0;
  why_of = cudaSuccess;
  cudaError_t error = cudaGetDevice(&device);
  if (error != cudaSuccess) return failed(error, cudaGetErrorString(error), 0, 0);
  const int known = device < DEVICES ? found[device].load(std::memory_order_relaxed) : 0;
  *machine = called = known - 1;
  if (known > 0) return cudaSuccess;
  error = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
  if (error != cudaSuccess) return failed(error, cudaGetErrorString(error), 0, 0);
  int newest = NONE;
  while (newest + 1 < MACHINES && compute[newest + 1] <= 10 * major + minor) ++newest;
  *machine = called = newest;
  if (newest == NONE)
    return failed(cudaErrorNoKernelImageForDevice, "every machine of the library is newer than the device", major, minor);
  if (device < DEVICES) found[device].store(newest + 1, std::memory_order_relaxed);
  return cudaSuccess;
}

} // namespace

extern "C" cudaError_t sum_float(void *workspace, size_t *workspace_bytes, const float *in, uint64_t n, float *out, cudaStream_t stream) {
  int machine;
  const cudaError_t error = pick(&machine);
  if (error != cudaSuccess) return error;
  switch (machine) {
    case 0: return sum_sm_60_float(workspace, workspace_bytes, in, n, out, stream);
    default: return sum_sm_90_float(workspace, workspace_bytes, in, n, out, stream);
  }
}

extern "C" cudaError_t sum_float_from(void *workspace, size_t *workspace_bytes, const float *in, uint64_t n, float init,
    float *out, cudaStream_t stream) {
  int machine;
  const cudaError_t error = pick(&machine);
  if (error != cudaSuccess) return error;
  switch (machine) {
    case 0: return sum_sm_60_float_from(workspace, workspace_bytes, in, n, init, out, stream);
    default: return sum_sm_90_float_from(workspace, workspace_bytes, in, n, init, out, stream);
  }
}

extern "C" cudaError_t sum_float_counted(void *workspace, size_t *workspace_bytes, const float *in, const uint64_t *n,
    uint64_t most, float *out, cudaStream_t stream) {
  int machine;
  const cudaError_t error = pick(&machine);
  if (error != cudaSuccess) return error;
  switch (machine) {
    case 0: return sum_sm_60_float_counted(workspace, workspace_bytes, in, n, most, out, stream);
    default: return sum_sm_90_float_counted(workspace, workspace_bytes, in, n, most, out, stream);
  }
}

extern "C" cudaError_t sum_float_async(const float *in, uint64_t n, float *out, cudaStream_t stream) {
  int machine;
  const cudaError_t error = pick(&machine);
  if (error != cudaSuccess) return error;
  switch (machine) {
    case 0: return sum_sm_60_float_async(in, n, out, stream);
    default: return sum_sm_90_float_async(in, n, out, stream);
  }
}

extern "C" cudaError_t sum_workspace_init(void *workspace, size_t workspace_bytes, cudaStream_t stream) {
  int machine;
  const cudaError_t error = pick(&machine);
  if (error != cudaSuccess) return error;
  switch (machine) {
    case 0: return sum_sm_60_workspace_init(workspace, workspace_bytes, stream);
    default: return sum_sm_90_workspace_init(workspace, workspace_bytes, stream);
  }
}

extern "C" cudaError_t sum_load_table(const char *path) {
  int machine;
  const cudaError_t error = pick(&machine);
  if (error != cudaSuccess) return error;
  switch (machine) {
    case 0: return sum_sm_60_load_table(path);
    default: return sum_sm_90_load_table(path);
  }
}

extern "C" const char *sum_error_text(cudaError_t error) {
  if (error != cudaSuccess && error == why_of) return why;
  switch (called) {
    case 0: return sum_sm_60_error_text(error);
    case 1: return sum_sm_90_error_text(error);
    default: return cudaGetErrorString(error);
  }
}

extern "C" const char *sum_machine(void) {
  static const char *const names[] = {"sm_60", "sm_90"};
  int machine;
  return pick(&machine) == cudaSuccess ? names[machine] : nullptr;
}
