// gemv.cu: which variant serves which size. Made by tgc from sum.cdl for sm_60; this text is yours.
#include "gemv.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

// Notes, for gemv_error_text, why a call failed; gives the error back.
extern "C" cudaError_t gemv_failed(cudaError_t error, const char *format, ...);
// What can be told of a call's arguments before anything is queued. Without a workspace only the size is asked for.
extern "C" cudaError_t gemv_arguments(const char *who, const void *workspace, const size_t *workspace_bytes,
                                   uint64_t rows, uint64_t columns, uint64_t leading,
                                   const void *A, size_t A_aligned, const void *x, size_t x_aligned,
                                   const void *y, size_t y_aligned);
// Says why a variant refused a call whose arguments were right: it needs so many bytes; 0: it cannot serve so many.
extern "C" cudaError_t gemv_refused(const char *who, cudaError_t error, uint64_t n, const void *workspace,
                                 size_t bytes, size_t need);
extern "C" {
extern const gemv_configuration gemv_aa11bb22_configurations[];
cudaError_t gemv_aa11bb22_float(const gemv_configuration *c, void *workspace, size_t *workspace_bytes, const float *A, uint64_t rows, uint64_t columns, uint64_t leading, const float *x, float *y, cudaStream_t stream);
cudaError_t gemv_aa11bb22_int8(const gemv_configuration *c, void *workspace, size_t *workspace_bytes, const signed char *A, uint64_t rows, uint64_t columns, uint64_t leading, const signed char *x, int *y, cudaStream_t stream);
}

extern "C" const gemv_variant gemv_variants[] = {
  {"aa11bb22", "grid.tiled(block.tree, block.tree)", "baseline", "gpu_to_gpu", gemv_aa11bb22_configurations, gemv_aa11bb22_float, gemv_aa11bb22_int8},
};
extern "C" const int gemv_variant_count = 1;

namespace {

// Of this thread's last call that failed.
struct Failure {
  cudaError_t error;
  char text[256];
};
thread_local Failure failure;

bool lies_at(const void *place, size_t multiple) { return (uintptr_t)place % multiple == 0; }

} // namespace

extern "C" cudaError_t gemv_failed(cudaError_t error, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(failure.text, sizeof failure.text, format, arguments);
  va_end(arguments);
  return failure.error = error;
}

extern "C" const char *gemv_error_text(cudaError_t error) {
  return error != cudaSuccess && error == failure.error ? failure.text : cudaGetErrorString(error);
}

extern "C" cudaError_t gemv_arguments(const char *who, const void *workspace, const size_t *workspace_bytes,
                                   uint64_t rows, uint64_t columns, uint64_t leading,
                                   const void *A, size_t A_aligned, const void *x, size_t x_aligned,
                                   const void *y, size_t y_aligned) {
  const cudaError_t wrong = cudaErrorInvalidValue;
  failure.error = cudaSuccess;
  if (workspace_bytes == nullptr) return gemv_failed(wrong, "%s: workspace_bytes is NULL", who);
  if (rows > INT64_MAX) return gemv_failed(wrong, "%s: rows = %llu is more than any memory holds", who, (unsigned long long)rows);
  if (columns > INT64_MAX) return gemv_failed(wrong, "%s: columns = %llu is more than any memory holds", who, (unsigned long long)columns);
  if (leading > INT64_MAX) return gemv_failed(wrong, "%s: leading = %llu is more than any memory holds", who, (unsigned long long)leading);
  if (leading < columns)
    return gemv_failed(wrong, "%s: leading = %llu is less than columns = %llu", who, (unsigned long long)leading,
                     (unsigned long long)columns);
  if (rows > 0 && leading > INT64_MAX / rows)
    return gemv_failed(wrong, "%s: rows * leading is more than any memory holds", who);
  if (workspace == nullptr) return cudaSuccess;
  if (!lies_at(workspace, 16)) return gemv_failed(wrong, "%s: workspace is not aligned to 16 bytes", who);
  if (A == nullptr && rows > 0 && columns > 0)
    return gemv_failed(wrong, "%s: A is NULL, and rows = %llu, columns = %llu", who, (unsigned long long)rows,
                     (unsigned long long)columns);
  if (!lies_at(A, A_aligned)) return gemv_failed(wrong, "%s: A is not aligned to %zu bytes", who, A_aligned);
  if (x == nullptr && columns > 0) return gemv_failed(wrong, "%s: x is NULL, and columns = %llu", who, (unsigned long long)columns);
  if (!lies_at(x, x_aligned)) return gemv_failed(wrong, "%s: x is not aligned to %zu bytes", who, x_aligned);
  if (y == nullptr && rows > 0) return gemv_failed(wrong, "%s: y is NULL, and rows = %llu", who, (unsigned long long)rows);
  if (!lies_at(y, y_aligned)) return gemv_failed(wrong, "%s: y is not aligned to %zu bytes", who, y_aligned);
  return cudaSuccess;
}

extern "C" cudaError_t gemv_refused(const char *who, cudaError_t error, uint64_t n, const void *workspace,
                                 size_t bytes, size_t need) {
  const unsigned long long many = n;
  if (need == 0 && error == cudaErrorInvalidValue)
    return gemv_failed(error, "%s: %llu elements are too large for the variant that serves it", who, many);
  if (workspace != nullptr && bytes < need)
    return gemv_failed(error, "%s: the workspace has %zu bytes, and %llu elements need %zu", who, bytes, many,
                     need);
  return gemv_failed(error, "%s: launching for %llu elements: %s", who, many, cudaGetErrorString(error));
}

namespace {

// What a range may ask of a call beside its size.
enum {
  ROWS_ALIGNED = 1, // rows of all matrices that are only read begin at multiples of 16 bytes
};

// Up to so many elements, that function in that configuration.
template <typename F> struct Range {
  uint64_t up_to;
  int when, past; // what it asks of a call; so many ask for the same, from this one on
  F run;
  gemv_configuration c;
};
typedef decltype(gemv_variant::run_float) float_function;
typedef decltype(gemv_variant::run_int8) int8_function;

// table: begin. Up to so many elements, where a call is so, that variant: threads, loads, blocks; 0 is its own.
const Range<float_function> float_ranges[] = {
  {UINT64_MAX, 0, 1, gemv_aa11bb22_float, {   0,  0,    0}},
};
const Range<int8_function> int8_ranges[] = {
  {UINT64_MAX, 0, 1, gemv_aa11bb22_int8, {   0,  0,    0}},
};
// table: end

// Those in use: the ranges above, or what was loaded at run time.
enum { MOST_RANGES = 512 };
Range<float_function> float_loaded[MOST_RANGES];
const Range<float_function> *float_in_use = float_ranges;
Range<int8_function> int8_loaded[MOST_RANGES];
const Range<int8_function> *int8_in_use = int8_ranges;

// The first that has room for a call and asks for nothing that it is not; the last is for any.
template <typename F> const Range<F> *range_of(const Range<F> *r, uint64_t n, int like) {
  for (;;) {
    if (r->when & ~like) r += r->past;
    else if (n > r->up_to) ++r;
    else return r;
  }
}

const gemv_variant *variant_of(const char *id) {
  for (int i = 0; i < gemv_variant_count; i++)
    if (std::strcmp(gemv_variants[i].id, id) == 0) return &gemv_variants[i];
  return nullptr;
}

// What behind a size says what a range asks of a call, ",aligned,tall"; false: no call of these functions tells that.
bool read_conditions(const char *text, int *when) {
  static const struct { const char *word; int like; } all[] = {
    {",aligned", ROWS_ALIGNED},
  };
  const int many = sizeof all / sizeof *all;
  for (*when = 0; *text != 0;) {
    const size_t n = 1 + std::strcspn(text + 1, ",");
    int i = 0;
    while (i < many && !(std::strlen(all[i].word) == n && std::strncmp(all[i].word, text, n) == 0)) ++i;
    if (i == many || (*when & all[i].like)) return false;
    *when |= all[i].like;
    text += n;
  }
  return true;
}

// Adds a range to those of its type; false where sizes do not ascend, where one ahead asks for no more, or there are too
// many.
template <typename F> bool add_range(Range<F> *to, int *count, uint64_t up_to, int when, F run, const gemv_configuration &c) {
  if (*count == MOST_RANGES) return false;
  const int before = *count - 1;
  for (int i = 0; i <= before; ++i)
    if ((to[i].when & ~when) == 0 && (to[i].when != when || to[before].when != when)) return false;
  if (*count > 0 && to[before].when == when && to[before].up_to >= up_to) return false;
  to[(*count)++] = {up_to, when, 1, run, c};
  for (int i = *count - 1; i > 0 && to[i - 1].when == when; --i) ++to[i - 1].past;
  return true;
}

// Does the function have that configuration?
template <typename F> bool compiled(F run, const gemv_configuration &c) {
  size_t bytes = 0;
  return run(&c, nullptr, &bytes, nullptr, 0, 0, 0, nullptr, nullptr, nullptr) == cudaSuccess;
}

void use_compiled_ranges() {
  float_in_use = float_ranges;
  int8_in_use = int8_ranges;
}

// The rest of a line that is longer than its buffer.
void skip_line(std::FILE *file) {
  for (int c; (c = std::fgetc(file)) != EOF && c != '\n';) {}
}

} // namespace

// Reads `type up_to variant threads loads blocks' a line; # begins a comment.
extern "C" cudaError_t gemv_load_table(const char *path) {
  std::FILE *file = path ? std::fopen(path, "r") : nullptr;
  if (file == nullptr)
    return gemv_failed(cudaErrorInvalidValue, "cannot read the table `%.200s'", path ? path : "");
  use_compiled_ranges();
  int count[2] = {0};
  bool ok = true;
  int number = 0;
  char line[512];
  while (ok && std::fgets(line, sizeof line, file) != nullptr) {
    ++number;
    if (std::strchr(line, '\n') == nullptr) skip_line(file);
    line[std::strcspn(line, "#\n")] = 0;
    char type[sizeof line], up_to[80], id[32], more, *end = up_to;
    long long blocks = 0;
    gemv_configuration c = {0, 0, 0};
    const int fields = std::sscanf(line, "%511s %79s %31s %d %d %lld %c", type, up_to, id,
                                   &c.threads, &c.loads, &blocks, &more);
    if (fields <= 0) continue;
    c.blocks = blocks;
    const gemv_variant *v = fields == 6 ? variant_of(id) : nullptr;
    int when = 0;
    char *const comma = std::strchr(up_to, ',');
    const bool known = comma == nullptr || read_conditions(comma, &when);
    if (comma != nullptr) *comma = 0;
    const bool any = std::strcmp(up_to, "inf") == 0;
    const uint64_t n = any ? UINT64_MAX : std::strtoull(up_to, &end, 10);
    ok = v != nullptr && (any || (up_to[0] >= '0' && up_to[0] <= '9' && *end == 0));
    ok = ok && known;
    if (ok && std::strcmp(type, "float") == 0) ok = add_range(float_loaded, &count[0], n, when, v->run_float, c) && compiled(v->run_float, c);
    if (ok && std::strcmp(type, "int8") == 0) ok = add_range(int8_loaded, &count[1], n, when, v->run_int8, c) && compiled(v->run_int8, c);
  }
  std::fclose(file);
  if (!ok)
    return gemv_failed(cudaErrorInvalidConfiguration, "line %d of the table `%.120s': "
                     "no row, or out of order, or a variant or configuration that is not here", number, path);
  if (ok && count[0] > 0) ok = float_loaded[count[0] - 1].when == 0;
  ok = ok && (count[0] == 0 || float_loaded[count[0] - 1].up_to == UINT64_MAX);
  if (ok && count[1] > 0) ok = int8_loaded[count[1] - 1].when == 0;
  ok = ok && (count[1] == 0 || int8_loaded[count[1] - 1].up_to == UINT64_MAX);
  if (!ok)
    return gemv_failed(cudaErrorInvalidConfiguration, "the table `%.120s' lacks a type's last row, inf", path);
  if (count[0] > 0) float_in_use = float_loaded;
  if (count[1] > 0) int8_in_use = int8_loaded;
  return cudaSuccess;
}

namespace {

cudaError_t read_environment() {
  const char *table = std::getenv("TGC_TABLE"), *pinned = std::getenv("TGC_VARIANT");
  if (table != nullptr && *table && !(pinned != nullptr && *pinned)) return gemv_load_table(table);
  if (pinned == nullptr || *pinned == 0) return cudaSuccess;
  char id[32] = "";
  int end[4] = {0, 0, 0, 0};
  long long blocks = 0;
  gemv_configuration c = {0, 0, 0};
  const int fields = std::sscanf(pinned, "%31[^:]%n:%d%n:%d%n:%lld%n", id, &end[0],
                                   &c.threads, &end[1], &c.loads, &end[2], &blocks, &end[3]);
  c.blocks = blocks;
  const gemv_variant *v = fields >= 1 && pinned[end[fields - 1]] == 0 ? variant_of(id) : nullptr;
  if (v == nullptr) return cudaErrorInvalidConfiguration;
  float_loaded[0] = {UINT64_MAX, 0, 1, v->run_float, c};
  float_in_use = float_loaded;
  int8_loaded[0] = {UINT64_MAX, 0, 1, v->run_int8, c};
  int8_in_use = int8_loaded;
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
  return gemv_failed(environment(), "%s: what %s names is not in this library", who, which);
}

} // namespace

extern "C" cudaError_t gemv_float(void *workspace, size_t *workspace_bytes, const float *A, uint64_t rows, uint64_t columns, uint64_t leading, const float *x, float *y, cudaStream_t stream) {
  cudaError_t error = gemv_arguments("gemv_float", workspace, workspace_bytes, rows, columns, leading, A, alignof(decltype(*A)), x,
                                  alignof(decltype(*x)), y,
                                  alignof(decltype(*y)));
  if (error == cudaSuccess) error = in_environment("gemv_float");
  if (error != cudaSuccess) return error;
  const int like_ = (((uintptr_t)A | leading * sizeof *A) % 16 == 0 ? ROWS_ALIGNED : 0);
  const Range<float_function> *range_ = range_of(float_in_use, rows * columns, like_);
  error = range_->run(&range_->c, workspace, workspace_bytes, A, rows, columns, leading, x, y, stream);
  if (error == cudaSuccess && workspace == nullptr) { // pointers may be others when it is there
    const Range<float_function> *other_ = range_of(float_in_use, rows * columns, like_ ^ ROWS_ALIGNED);
    size_t bytes_ = 0;
    if (other_ != range_ && other_->run(&other_->c, nullptr, &bytes_, A, rows, columns, leading, x, y, stream) == cudaSuccess && bytes_ > *workspace_bytes) *workspace_bytes = bytes_;
  }
  if (error == cudaSuccess) return error;
  size_t need = 0;
  if (range_->run(&range_->c, nullptr, &need, A, rows, columns, leading, x, y, stream) != cudaSuccess) need = 0;
  return gemv_refused("gemv_float", error, rows * columns, workspace, *workspace_bytes, need);
}

extern "C" cudaError_t gemv_float_async(const float *A, uint64_t rows, uint64_t columns, uint64_t leading, const float *x, float *y, cudaStream_t stream) {
  alignas(16) static char ready_[16];
  void *workspace = nullptr;
  size_t bytes_ = sizeof ready_;
  cudaError_t error = gemv_arguments("gemv_float_async", ready_, &bytes_, rows, columns, leading, A, alignof(decltype(*A)), x,
                                  alignof(decltype(*x)), y,
                                  alignof(decltype(*y)));
  if (error == cudaSuccess) error = gemv_float(nullptr, &bytes_, A, rows, columns, leading, x, y, stream);
  if (error != cudaSuccess) return error;
  error = cudaMallocAsync(&workspace, bytes_, stream);
  if (error != cudaSuccess)
    return gemv_failed(error, "gemv_float_async: %zu bytes of workspace: %s", bytes_, cudaGetErrorString(error));
  error = gemv_workspace_init(workspace, bytes_, stream);
  if (error == cudaSuccess) error = gemv_float(workspace, &bytes_, A, rows, columns, leading, x, y, stream);
  const cudaError_t freed_ = cudaFreeAsync(workspace, stream);
  return error != cudaSuccess ? error : freed_;
}

extern "C" cudaError_t gemv_int8(void *workspace, size_t *workspace_bytes, const signed char *A, uint64_t rows, uint64_t columns, uint64_t leading, const signed char *x, int *y, cudaStream_t stream) {
  cudaError_t error = gemv_arguments("gemv_int8", workspace, workspace_bytes, rows, columns, leading, A, alignof(decltype(*A)), x,
                                  alignof(decltype(*x)), y,
                                  alignof(decltype(*y)));
  if (error == cudaSuccess) error = in_environment("gemv_int8");
  if (error != cudaSuccess) return error;
  const int like_ = (((uintptr_t)A | leading * sizeof *A) % 16 == 0 ? ROWS_ALIGNED : 0);
  const Range<int8_function> *range_ = range_of(int8_in_use, rows * columns, like_);
  error = range_->run(&range_->c, workspace, workspace_bytes, A, rows, columns, leading, x, y, stream);
  if (error == cudaSuccess && workspace == nullptr) { // pointers may be others when it is there
    const Range<int8_function> *other_ = range_of(int8_in_use, rows * columns, like_ ^ ROWS_ALIGNED);
    size_t bytes_ = 0;
    if (other_ != range_ && other_->run(&other_->c, nullptr, &bytes_, A, rows, columns, leading, x, y, stream) == cudaSuccess && bytes_ > *workspace_bytes) *workspace_bytes = bytes_;
  }
  if (error == cudaSuccess) return error;
  size_t need = 0;
  if (range_->run(&range_->c, nullptr, &need, A, rows, columns, leading, x, y, stream) != cudaSuccess) need = 0;
  return gemv_refused("gemv_int8", error, rows * columns, workspace, *workspace_bytes, need);
}

extern "C" cudaError_t gemv_int8_async(const signed char *A, uint64_t rows, uint64_t columns, uint64_t leading, const signed char *x, int *y, cudaStream_t stream) {
  alignas(16) static char ready_[16];
  void *workspace = nullptr;
  size_t bytes_ = sizeof ready_;
  cudaError_t error = gemv_arguments("gemv_int8_async", ready_, &bytes_, rows, columns, leading, A, alignof(decltype(*A)), x,
                                  alignof(decltype(*x)), y,
                                  alignof(decltype(*y)));
  if (error == cudaSuccess) error = gemv_int8(nullptr, &bytes_, A, rows, columns, leading, x, y, stream);
  if (error != cudaSuccess) return error;
  error = cudaMallocAsync(&workspace, bytes_, stream);
  if (error != cudaSuccess)
    return gemv_failed(error, "gemv_int8_async: %zu bytes of workspace: %s", bytes_, cudaGetErrorString(error));
  error = gemv_workspace_init(workspace, bytes_, stream);
  if (error == cudaSuccess) error = gemv_int8(workspace, &bytes_, A, rows, columns, leading, x, y, stream);
  const cudaError_t freed_ = cudaFreeAsync(workspace, stream);
  return error != cudaSuccess ? error : freed_;
}

// A workspace starts with a counter of blocks, which every call leaves at zero.
extern "C" cudaError_t gemv_workspace_init(void *workspace, size_t workspace_bytes, cudaStream_t stream) {
  if (workspace == nullptr || workspace_bytes == 0)
    return gemv_failed(cudaErrorInvalidValue, "gemv_workspace_init: there is no workspace");
  return cudaMemsetAsync(workspace, 0, workspace_bytes < 16 ? workspace_bytes : 16, stream);
}
