// axpy.cu: which variant serves which size. Made by tgc from sum.cdl for sm_60; this text is yours.
#include "axpy.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

// Notes, for axpy_error_text, why a call failed; gives the error back.
extern "C" cudaError_t axpy_failed(cudaError_t error, const char *format, ...);
// What can be told of a call's arguments before anything is queued. Without a workspace only the size is asked for.
extern "C" cudaError_t axpy_arguments(const char *who, const void *workspace, const size_t *workspace_bytes, uint64_t n,
                                   const void *x, size_t x_aligned, const void *y, size_t y_aligned);
// Says why a variant refused a call whose arguments were right: it needs so many bytes; 0: it cannot serve so many.
extern "C" cudaError_t axpy_refused(const char *who, cudaError_t error, uint64_t n, const void *workspace,
                                 size_t bytes, size_t need);
extern "C" {
extern const axpy_configuration axpy_aa11bb22_configurations[];
cudaError_t axpy_aa11bb22_float(const axpy_configuration *c, void *workspace, size_t *workspace_bytes, float a, const float *x, uint64_t n, float *y, cudaStream_t stream);
cudaError_t axpy_aa11bb22_half(const axpy_configuration *c, void *workspace, size_t *workspace_bytes, float a, const __half *x, uint64_t n, float *y, cudaStream_t stream);
cudaError_t axpy_aa11bb22_cfloat(const axpy_configuration *c, void *workspace, size_t *workspace_bytes, cuFloatComplex a, const cuFloatComplex *x, uint64_t n, cuFloatComplex *y, cudaStream_t stream);
}

extern "C" const axpy_variant axpy_variants[] = {
  {"aa11bb22", "grid.tiled(block.tree, block.tree)", "baseline", "gpu_to_gpu", axpy_aa11bb22_configurations, axpy_aa11bb22_float, axpy_aa11bb22_half, axpy_aa11bb22_cfloat},
};
extern "C" const int axpy_variant_count = 1;

namespace {

// Of this thread's last call that failed.
struct Failure {
  cudaError_t error;
  char text[256];
};
thread_local Failure failure;

bool lies_at(const void *place, size_t multiple) { return (uintptr_t)place % multiple == 0; }

} // namespace

extern "C" cudaError_t axpy_failed(cudaError_t error, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(failure.text, sizeof failure.text, format, arguments);
  va_end(arguments);
  return failure.error = error;
}

extern "C" const char *axpy_error_text(cudaError_t error) {
  return error != cudaSuccess && error == failure.error ? failure.text : cudaGetErrorString(error);
}

extern "C" cudaError_t axpy_arguments(const char *who, const void *workspace, const size_t *workspace_bytes, uint64_t n,
                                   const void *x, size_t x_aligned, const void *y, size_t y_aligned) {
  const cudaError_t wrong = cudaErrorInvalidValue;
  failure.error = cudaSuccess;
  if (workspace_bytes == nullptr) return axpy_failed(wrong, "%s: workspace_bytes is NULL", who);
  if (n > INT64_MAX) return axpy_failed(wrong, "%s: n = %llu is more than any memory holds", who, (unsigned long long)n);
  if (workspace == nullptr) return cudaSuccess;
  if (!lies_at(workspace, 16)) return axpy_failed(wrong, "%s: workspace is not aligned to 16 bytes", who);
  if (x == nullptr && n > 0) return axpy_failed(wrong, "%s: x is NULL, and n = %llu", who, (unsigned long long)n);
  if (!lies_at(x, x_aligned)) return axpy_failed(wrong, "%s: x is not aligned to %zu bytes", who, x_aligned);
  if (y == nullptr && n > 0) return axpy_failed(wrong, "%s: y is NULL, and n = %llu", who, (unsigned long long)n);
  if (!lies_at(y, y_aligned)) return axpy_failed(wrong, "%s: y is not aligned to %zu bytes", who, y_aligned);
  return cudaSuccess;
}

extern "C" cudaError_t axpy_refused(const char *who, cudaError_t error, uint64_t n, const void *workspace,
                                 size_t bytes, size_t need) {
  const unsigned long long many = n;
  if (need == 0 && error == cudaErrorInvalidValue)
    return axpy_failed(error, "%s: n = %llu is too large for the variant that serves it", who, many);
  if (workspace != nullptr && bytes < need)
    return axpy_failed(error, "%s: the workspace has %zu bytes, and n = %llu needs %zu", who, bytes, many,
                     need);
  return axpy_failed(error, "%s: launching for n = %llu: %s", who, many, cudaGetErrorString(error));
}

namespace {

// Up to so many elements, that function in that configuration.
template <typename F> struct Range {
  uint64_t up_to;
  F run;
  axpy_configuration c;
};
typedef decltype(axpy_variant::run_float) float_function;
typedef decltype(axpy_variant::run_half) half_function;
typedef decltype(axpy_variant::run_cfloat) cfloat_function;

// table: begin. Up to so many elements, that variant: threads, loads, blocks; 0 is its own.
const Range<float_function> float_ranges[] = {
  {UINT64_MAX, axpy_aa11bb22_float, {   0,  0,    0}},
};
const Range<half_function> half_ranges[] = {
  {UINT64_MAX, axpy_aa11bb22_half, {   0,  0,    0}},
};
const Range<cfloat_function> cfloat_ranges[] = {
  {UINT64_MAX, axpy_aa11bb22_cfloat, {   0,  0,    0}},
};
// table: end

// Those in use: the ranges above, or what was loaded at run time.
enum { MOST_RANGES = 96 };
Range<float_function> float_loaded[MOST_RANGES];
const Range<float_function> *float_in_use = float_ranges;
Range<half_function> half_loaded[MOST_RANGES];
const Range<half_function> *half_in_use = half_ranges;
Range<cfloat_function> cfloat_loaded[MOST_RANGES];
const Range<cfloat_function> *cfloat_in_use = cfloat_ranges;

template <typename F> const Range<F> *range_of(const Range<F> *r, uint64_t n) {
  while (n > r->up_to) ++r;
  return r;
}

const axpy_variant *variant_of(const char *id) {
  for (int i = 0; i < axpy_variant_count; i++)
    if (std::strcmp(axpy_variants[i].id, id) == 0) return &axpy_variants[i];
  return nullptr;
}

// Adds a range to those of its type; false where sizes do not ascend, or there are too many.
template <typename F> bool add_range(Range<F> *to, int *count, uint64_t up_to, F run, const axpy_configuration &c) {
  if (*count == MOST_RANGES || (*count > 0 && to[*count - 1].up_to >= up_to)) return false;
  to[(*count)++] = {up_to, run, c};
  return true;
}

// Does the function have that configuration?
template <typename F> bool compiled(F run, const axpy_configuration &c) {
  size_t bytes = 0;
  return run(&c, nullptr, &bytes, {}, nullptr, 0, nullptr, nullptr) == cudaSuccess;
}

void use_compiled_ranges() {
  float_in_use = float_ranges;
  half_in_use = half_ranges;
  cfloat_in_use = cfloat_ranges;
}

// The rest of a line that is longer than its buffer.
void skip_line(std::FILE *file) {
  for (int c; (c = std::fgetc(file)) != EOF && c != '\n';) {}
}

} // namespace

// Reads `type up_to variant threads loads blocks' a line; # begins a comment.
extern "C" cudaError_t axpy_load_table(const char *path) {
  std::FILE *file = path ? std::fopen(path, "r") : nullptr;
  if (file == nullptr)
    return axpy_failed(cudaErrorInvalidValue, "cannot read the table `%.200s'", path ? path : "");
  use_compiled_ranges();
  int count[3] = {0};
  bool ok = true;
  int number = 0;
  char line[512];
  while (ok && std::fgets(line, sizeof line, file) != nullptr) {
    ++number;
    if (std::strchr(line, '\n') == nullptr) skip_line(file);
    line[std::strcspn(line, "#\n")] = 0;
    char type[sizeof line], up_to[32], id[32], more, *end = up_to;
    long long blocks = 0;
    axpy_configuration c = {0, 0, 0};
    const int fields = std::sscanf(line, "%511s %31s %31s %d %d %lld %c", type, up_to, id,
                                   &c.threads, &c.loads, &blocks, &more);
    if (fields <= 0) continue;
    c.blocks = blocks;
    const axpy_variant *v = fields == 6 ? variant_of(id) : nullptr;
    const bool any = std::strcmp(up_to, "inf") == 0;
    const uint64_t n = any ? UINT64_MAX : std::strtoull(up_to, &end, 10);
    ok = v != nullptr && (any || (up_to[0] >= '0' && up_to[0] <= '9' && *end == 0));
    if (ok && std::strcmp(type, "float") == 0) ok = add_range(float_loaded, &count[0], n, v->run_float, c) && compiled(v->run_float, c);
    if (ok && std::strcmp(type, "half") == 0) ok = add_range(half_loaded, &count[1], n, v->run_half, c) && compiled(v->run_half, c);
    if (ok && std::strcmp(type, "cfloat") == 0) ok = add_range(cfloat_loaded, &count[2], n, v->run_cfloat, c) && compiled(v->run_cfloat, c);
  }
  std::fclose(file);
  if (!ok)
    return axpy_failed(cudaErrorInvalidConfiguration, "line %d of the table `%.120s': "
                     "no row, or out of order, or a variant or configuration that is not here", number, path);
  ok = ok && (count[0] == 0 || float_loaded[count[0] - 1].up_to == UINT64_MAX);
  ok = ok && (count[1] == 0 || half_loaded[count[1] - 1].up_to == UINT64_MAX);
  ok = ok && (count[2] == 0 || cfloat_loaded[count[2] - 1].up_to == UINT64_MAX);
  if (!ok)
    return axpy_failed(cudaErrorInvalidConfiguration, "the table `%.120s' lacks a type's last row, inf", path);
  if (count[0] > 0) float_in_use = float_loaded;
  if (count[1] > 0) half_in_use = half_loaded;
  if (count[2] > 0) cfloat_in_use = cfloat_loaded;
  return cudaSuccess;
}

namespace {

cudaError_t read_environment() {
  const char *table = std::getenv("TGC_TABLE"), *pinned = std::getenv("TGC_VARIANT");
  if (table != nullptr && *table && !(pinned != nullptr && *pinned)) return axpy_load_table(table);
  if (pinned == nullptr || *pinned == 0) return cudaSuccess;
  char id[32] = "";
  int end[4] = {0, 0, 0, 0};
  long long blocks = 0;
  axpy_configuration c = {0, 0, 0};
  const int fields = std::sscanf(pinned, "%31[^:]%n:%d%n:%d%n:%lld%n", id, &end[0],
                                   &c.threads, &end[1], &c.loads, &end[2], &blocks, &end[3]);
  c.blocks = blocks;
  const axpy_variant *v = fields >= 1 && pinned[end[fields - 1]] == 0 ? variant_of(id) : nullptr;
  if (v == nullptr) return cudaErrorInvalidConfiguration;
  float_loaded[0] = {UINT64_MAX, v->run_float, c};
  float_in_use = float_loaded;
  half_loaded[0] = {UINT64_MAX, v->run_half, c};
  half_in_use = half_loaded;
  cfloat_loaded[0] = {UINT64_MAX, v->run_cfloat, c};
  cfloat_in_use = cfloat_loaded;
  return cudaSuccess;
}

// Read once, at the first call.
cudaError_t environment() {
  static const cudaError_t result = read_environment();
  return result;
}
cudaError_t in_environment(const char *who) {
  if (environment() == cudaSuccess) return cudaSuccess;
  const char *pinned = std::getenv("TGC_VARIANT");
  const char *which = pinned != nullptr && *pinned ? "TGC_VARIANT" : "TGC_TABLE";
  return axpy_failed(environment(), "%s: what %s names is not in this library", who, which);
}

} // namespace

extern "C" cudaError_t axpy_float(void *workspace, size_t *workspace_bytes, float a, const float *x, uint64_t n, float *y, cudaStream_t stream) {
  cudaError_t error = axpy_arguments("axpy_float", workspace, workspace_bytes, n, x, alignof(decltype(*x)), y,
                                  alignof(decltype(*y)));
  if (error == cudaSuccess) error = in_environment("axpy_float");
  if (error != cudaSuccess) return error;
  const Range<float_function> *range_ = range_of(float_in_use, n);
  error = range_->run(&range_->c, workspace, workspace_bytes, a, x, n, y, stream);
  if (error == cudaSuccess) return error;
  size_t need = 0;
  if (range_->run(&range_->c, nullptr, &need, a, x, n, y, stream) != cudaSuccess) need = 0;
  return axpy_refused("axpy_float", error, n, workspace, *workspace_bytes, need);
}

extern "C" cudaError_t axpy_float_async(float a, const float *x, uint64_t n, float *y, cudaStream_t stream) {
  alignas(16) static char ready_[16];
  void *workspace = nullptr;
  size_t bytes_ = sizeof ready_;
  cudaError_t error = axpy_arguments("axpy_float_async", ready_, &bytes_, n, x, alignof(decltype(*x)), y,
                                  alignof(decltype(*y)));
  if (error == cudaSuccess) error = axpy_float(nullptr, &bytes_, a, x, n, y, stream);
  if (error != cudaSuccess) return error;
  error = cudaMallocAsync(&workspace, bytes_, stream);
  if (error != cudaSuccess)
    return axpy_failed(error, "axpy_float_async: %zu bytes of workspace: %s", bytes_, cudaGetErrorString(error));
  error = axpy_workspace_init(workspace, bytes_, stream);
  if (error == cudaSuccess) error = axpy_float(workspace, &bytes_, a, x, n, y, stream);
  const cudaError_t freed_ = cudaFreeAsync(workspace, stream);
  return error != cudaSuccess ? error : freed_;
}

extern "C" cudaError_t axpy_half(void *workspace, size_t *workspace_bytes, float a, const __half *x, uint64_t n, float *y, cudaStream_t stream) {
  cudaError_t error = axpy_arguments("axpy_half", workspace, workspace_bytes, n, x, alignof(decltype(*x)), y,
                                  alignof(decltype(*y)));
  if (error == cudaSuccess) error = in_environment("axpy_half");
  if (error != cudaSuccess) return error;
  const Range<half_function> *range_ = range_of(half_in_use, n);
  error = range_->run(&range_->c, workspace, workspace_bytes, a, x, n, y, stream);
  if (error == cudaSuccess) return error;
  size_t need = 0;
  if (range_->run(&range_->c, nullptr, &need, a, x, n, y, stream) != cudaSuccess) need = 0;
  return axpy_refused("axpy_half", error, n, workspace, *workspace_bytes, need);
}

extern "C" cudaError_t axpy_half_async(float a, const __half *x, uint64_t n, float *y, cudaStream_t stream) {
  alignas(16) static char ready_[16];
  void *workspace = nullptr;
  size_t bytes_ = sizeof ready_;
  cudaError_t error = axpy_arguments("axpy_half_async", ready_, &bytes_, n, x, alignof(decltype(*x)), y,
                                  alignof(decltype(*y)));
  if (error == cudaSuccess) error = axpy_half(nullptr, &bytes_, a, x, n, y, stream);
  if (error != cudaSuccess) return error;
  error = cudaMallocAsync(&workspace, bytes_, stream);
  if (error != cudaSuccess)
    return axpy_failed(error, "axpy_half_async: %zu bytes of workspace: %s", bytes_, cudaGetErrorString(error));
  error = axpy_workspace_init(workspace, bytes_, stream);
  if (error == cudaSuccess) error = axpy_half(workspace, &bytes_, a, x, n, y, stream);
  const cudaError_t freed_ = cudaFreeAsync(workspace, stream);
  return error != cudaSuccess ? error : freed_;
}

extern "C" cudaError_t axpy_cfloat(void *workspace, size_t *workspace_bytes, cuFloatComplex a, const cuFloatComplex *x, uint64_t n, cuFloatComplex *y, cudaStream_t stream) {
  cudaError_t error = axpy_arguments("axpy_cfloat", workspace, workspace_bytes, n, x, alignof(decltype(*x)), y,
                                  alignof(decltype(*y)));
  if (error == cudaSuccess) error = in_environment("axpy_cfloat");
  if (error != cudaSuccess) return error;
  const Range<cfloat_function> *range_ = range_of(cfloat_in_use, n);
  error = range_->run(&range_->c, workspace, workspace_bytes, a, x, n, y, stream);
  if (error == cudaSuccess) return error;
  size_t need = 0;
  if (range_->run(&range_->c, nullptr, &need, a, x, n, y, stream) != cudaSuccess) need = 0;
  return axpy_refused("axpy_cfloat", error, n, workspace, *workspace_bytes, need);
}

extern "C" cudaError_t axpy_cfloat_async(cuFloatComplex a, const cuFloatComplex *x, uint64_t n, cuFloatComplex *y, cudaStream_t stream) {
  alignas(16) static char ready_[16];
  void *workspace = nullptr;
  size_t bytes_ = sizeof ready_;
  cudaError_t error = axpy_arguments("axpy_cfloat_async", ready_, &bytes_, n, x, alignof(decltype(*x)), y,
                                  alignof(decltype(*y)));
  if (error == cudaSuccess) error = axpy_cfloat(nullptr, &bytes_, a, x, n, y, stream);
  if (error != cudaSuccess) return error;
  error = cudaMallocAsync(&workspace, bytes_, stream);
  if (error != cudaSuccess)
    return axpy_failed(error, "axpy_cfloat_async: %zu bytes of workspace: %s", bytes_, cudaGetErrorString(error));
  error = axpy_workspace_init(workspace, bytes_, stream);
  if (error == cudaSuccess) error = axpy_cfloat(workspace, &bytes_, a, x, n, y, stream);
  const cudaError_t freed_ = cudaFreeAsync(workspace, stream);
  return error != cudaSuccess ? error : freed_;
}

// A workspace starts with a counter of blocks, which every call leaves at zero.
extern "C" cudaError_t axpy_workspace_init(void *workspace, size_t workspace_bytes, cudaStream_t stream) {
  if (workspace == nullptr || workspace_bytes == 0)
    return axpy_failed(cudaErrorInvalidValue, "axpy_workspace_init: there is no workspace");
  return cudaMemsetAsync(workspace, 0, workspace_bytes < 16 ? workspace_bytes : 16, stream);
}
