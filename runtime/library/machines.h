/* machines.h: a library for several machines: picks the machine whose kernels serve the current device. */
#include "alone.h"
#include <atomic>
#include <cstdio>
#ifndef LIBRARY
#define LIBRARY example
static const int compute[] = {80, 90};
enum { NONE = -1, MACHINES = 2 };
#endif
// ---- pasted from here on ----
// Of this thread: the machine of its last call, or, none being right, why.
thread_local int called = NONE;
thread_local char why[128];
thread_local cudaError_t why_of = cudaSuccess;

cudaError_t failed(cudaError_t error, const char *what, int major, int minor) {
  std::snprintf(why, sizeof why, major ? "LIBRARY: %s (compute capability %d.%d)" : "LIBRARY: %s", what, major,
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
