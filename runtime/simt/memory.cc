// memory.cc: "device" memory: regions of one reserved arena, red zones between them; and the host's CUDA calls.
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <algorithm>
#include <memory>

#include "machine.h"
#include "work.h"

namespace simt {

constexpr size_t red_zone = 256;

uintptr_t arena_begin;
static char *arena;
static size_t arena_used;
static std::vector<std::unique_ptr<Region>> regions; // ascending
static Region *last_hit;

Region *region_at(uintptr_t place) {
  if (last_hit && place >= last_hit->begin && place < last_hit->end) return last_hit;
  for (auto &r : regions)
    if (place >= r->begin && place < r->end && !r->freed) return last_hit = r.get();
  return nullptr;
}

const Region *region_near(uintptr_t place) {
  const Region *best = nullptr;
  uintptr_t best_distance = 0;
  for (auto &r : regions) {
    uintptr_t distance = place < r->begin ? r->begin - place : place >= r->end ? place - r->end : 0;
    if (best && distance >= best_distance) continue;
    best = r.get();
    best_distance = distance;
  }
  return best;
}

void forget_touches() {
  for (auto &r : regions)
    for (Cell &c : r->cells) {
      uint8_t written = c.written;
      c = Cell();
      c.written = written;
    }
}

static void make_cells(Region *r) {
  uintptr_t first_word = r->begin & ~(uintptr_t)3;
  r->cells.assign(options.hooked ? (r->end - first_word + 3) / 4 + 1 : 0, Cell());
}

void *place(size_t bytes, size_t offset) {
  if (!arena)
    arena = (char *)mmap(nullptr, arena_bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (arena == MAP_FAILED) arena = nullptr;
  arena_begin = (uintptr_t)arena;
  size_t at = (arena_used + red_zone + 255) / 256 * 256 + offset;
  if (!arena || at + bytes + 2 * red_zone > arena_bytes) return nullptr;
  auto r = std::make_unique<Region>();
  r->begin = (uintptr_t)arena + at;
  r->end = r->begin + bytes;
  r->frozen = r->freed = false;
  make_cells(r.get());
  arena_used = at + bytes;
  regions.push_back(std::move(r));
  memset(arena + at, 0xFF, bytes);
  return arena + at;
}

static Region *region_of(void *place) {
  for (auto &r : regions)
    if (r->begin == (uintptr_t)place && !r->freed) return r.get();
  return nullptr;
}

void freeze(void *place) {
  if (Region *r = region_of(place)) {
    r->frozen = true;
    r->cells.clear();
    r->cells.shrink_to_fit();
  }
}

void poison(void *place) {
  if (Region *r = region_of(place)) {
    r->frozen = false;
    make_cells(r);
    memset(place, 0xFF, r->end - r->begin);
  }
}

void release_all() {
  regions.clear();
  last_hit = nullptr;
  arena_used = 0;
}

// What the host writes counts as written. Out of bounds: false, nothing is done.
static bool host_access(const void *place, size_t bytes, bool writes) {
  if (!in_arena((uintptr_t)place)) return true;
  Region *r = region_at((uintptr_t)place);
  if (bytes == 0) return true;
  if (!r || (uintptr_t)place + bytes > r->end || (writes && r->frozen)) return false;
  if (!writes || r->cells.empty()) return true;
  uintptr_t base = r->begin & ~(uintptr_t)3;
  for (uintptr_t a = (uintptr_t)place; a < (uintptr_t)place + bytes; a++)
    r->cells[(a - base) >> 2].written |= (uint8_t)(1u << ((a - base) & 3));
  return true;
}

} // namespace simt

// ---- CUDA's names ----

struct ErrorText {
  cudaError_t error;
  const char *name, *text;
};
static const ErrorText error_texts[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {cudaErrorNoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {cudaErrorNoKernelImageForDevice, "cudaErrorNoKernelImageForDevice",
     "no kernel image is available for execution on the device"},
    {cudaErrorLaunchTimeout, "cudaErrorLaunchTimeout", "the launch timed out and was terminated"},
    {cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "unspecified launch failure"},
};

static const ErrorText *error_text(cudaError_t error) {
  for (const ErrorText &t : error_texts)
    if (t.error == error) return &t;
  return nullptr;
}

extern "C" {

const char *cudaGetErrorName(cudaError_t error) {
  const ErrorText *t = error_text(error);
  return t ? t->name : "unrecognized error code";
}
const char *cudaGetErrorString(cudaError_t error) {
  const ErrorText *t = error_text(error);
  return t ? t->text : "unrecognized error code";
}
cudaError_t cudaGetLastError(void) { return cudaSuccess; }
cudaError_t cudaPeekAtLastError(void) { return cudaSuccess; }

cudaError_t cudaFuncSetAttribute(const void *kernel, cudaFuncAttribute attribute, int value) {
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0) return cudaErrorInvalidValue;
  simt::machine.allowed[kernel] = (size_t)value;
  return cudaSuccess;
}

// Those of all multiprocessors are as many as blocks can run by turns.
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *, int threads, size_t) {
  if (threads < 1 || threads > (int)simt::max_lanes) return cudaErrorInvalidValue;
  return *blocks = 1, cudaSuccess;
}

cudaError_t cudaGetDevice(int *device) { return *device = 0, cudaSuccess; }
cudaError_t cudaSetDevice(int device) { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; }
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device) {
  if (device != 0) return cudaErrorInvalidDevice;
  *properties = {"the CPU executor"};
  return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int *count) { return *count = 1, cudaSuccess; }

// TGC_SIMT_COMPUTE=90 makes the device one of compute capability 9.0.
static int compute_capability() {
  const char *wanted = getenv("TGC_SIMT_COMPUTE");
  return wanted && *wanted ? atoi(wanted) : 60;
}

// A small device: few multiprocessors, so that grids made to fill it stay quick here.
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device) {
  if (device != 0) return cudaErrorInvalidDevice;
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock: *value = 1024; break;
    case cudaDevAttrMaxGridDimX: *value = 0x7fffffff; break;
    case cudaDevAttrMaxSharedMemoryPerBlock: *value = 48 * 1024; break;
    case cudaDevAttrWarpSize: *value = 32; break;
    case cudaDevAttrMultiProcessorCount: *value = (int)simt::blocks_at_once(); break;
    case cudaDevAttrMaxThreadsPerMultiProcessor: *value = 2048; break;
    case cudaDevAttrComputeCapabilityMajor: *value = compute_capability() / 10; break;
    case cudaDevAttrComputeCapabilityMinor: *value = compute_capability() % 10; break;
    default: return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize(void) { return cudaSuccess; }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }

cudaError_t cudaMalloc(void **place, size_t bytes) {
  *place = simt::place(bytes, 0);
  return *place ? cudaSuccess : cudaErrorMemoryAllocation;
}
cudaError_t cudaFree(void *place) {
  if (!place) return cudaSuccess;
  simt::Region *r = simt::region_of(place);
  if (!r) return cudaErrorInvalidValue;
  r->freed = true;
  r->cells.clear();
  simt::last_hit = nullptr;
  return cudaSuccess;
}
cudaError_t cudaMallocAsync(void **place, size_t bytes, cudaStream_t) { return cudaMalloc(place, bytes); }
cudaError_t cudaMemset(void *place, int byte, size_t bytes) {
  if (!simt::host_access(place, bytes, true)) return cudaErrorInvalidValue;
  memset(place, byte, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void *place, int byte, size_t bytes, cudaStream_t stream) {
  return simt::do_or_capture(stream, [=] { return cudaMemset(place, byte, bytes); });
}
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind) {
  if (!simt::host_access(from, bytes, false) || !simt::host_access(to, bytes, true)) return cudaErrorInvalidValue;
  memmove(to, from, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return simt::do_or_capture(stream, [=] { return cudaMemcpy(to, from, bytes, kind); });
}

} // extern "C"
