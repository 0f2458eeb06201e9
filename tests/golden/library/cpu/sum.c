// sum.c: which variant serves which size. Made by tgc from sum.cdl for avx2; this text is yours.
#include "sum.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __GNUC__
#define APART __attribute__((noinline))
#else
#define APART
#endif

// Notes, for sum_error_text, why a call failed; gives the error back.
static int sum_failed(int error, const char *format, ...);
// What can be told of a call's arguments before anything is done. Without a workspace only the size is asked for.
static int sum_arguments(const char *who, const void *workspace, const size_t *workspace_bytes, uint64_t n,
                                   const void *in, size_t in_aligned, const void *out, size_t out_aligned);
// Says why a variant refused a call whose arguments were right: it needs so many bytes; 0: it cannot serve so many.
static int sum_refused(const char *who, int error, uint64_t n, const void *workspace,
                                 size_t bytes, size_t need);
extern const sum_configuration sum_aa11bb22_configurations[];
int sum_aa11bb22_int(const sum_configuration *c, void *workspace, size_t *workspace_bytes, const int *in, uint64_t n, int *out);
int sum_aa11bb22_double(const sum_configuration *c, void *workspace, size_t *workspace_bytes, const double *in, uint64_t n, double *out);
extern const sum_configuration sum_aa33cc44_configurations[];
int sum_aa33cc44_int(const sum_configuration *c, void *workspace, size_t *workspace_bytes, const int *in, uint64_t n, int *out);
int sum_aa33cc44_double(const sum_configuration *c, void *workspace, size_t *workspace_bytes, const double *in, uint64_t n, double *out);

const sum_variant sum_variants[] = {
  {"aa11bb22", "grid.tiled(block.tree, block.tree)", "baseline", "gpu_to_gpu", sum_aa11bb22_configurations, sum_aa11bb22_int, sum_aa11bb22_double},
  {"aa33cc44", "grid.tiled!atomic(block.tree+shuffle)", "shuffle", "not_guaranteed", sum_aa33cc44_configurations, sum_aa33cc44_int, sum_aa33cc44_double},
};
const int sum_variant_count = 2;

// Of this thread's last call that failed.
static _Thread_local struct {
  int error;
  char text[256];
} failure;

// Has a call failed, in any thread? Until then none has one to forget.
static int any_failed;
static inline bool has_failed(void) {
  int known;
#pragma omp atomic read
  known = any_failed;
  return known;
}

static bool lies_at(const void *place, size_t multiple) { return (uintptr_t)place % multiple == 0; }

static int sum_failed(int error, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(failure.text, sizeof failure.text, format, arguments);
  va_end(arguments);
#pragma omp atomic write
  any_failed = 1;
  return failure.error = error;
}

const char *sum_error_text(int error) {
  return error != 0 && error == failure.error ? failure.text : strerror(error);
}
// Its value is the error, which is not 0: compilers can tell where they see which.
#define sum_failed(error, ...) (sum_failed(error, __VA_ARGS__), (error))

static int sum_arguments(const char *who, const void *workspace, const size_t *workspace_bytes, uint64_t n,
                                   const void *in, size_t in_aligned, const void *out, size_t out_aligned) {
  const int wrong = EINVAL;
  failure.error = 0;
  if (workspace_bytes == NULL) return sum_failed(wrong, "%s: workspace_bytes is NULL", who);
  if (n > INT64_MAX) return sum_failed(wrong, "%s: n = %llu is more than any memory holds", who, (unsigned long long)n);
  if (workspace == NULL) return 0;
  if (!lies_at(workspace, 16)) return sum_failed(wrong, "%s: workspace is not aligned to 16 bytes", who);
  if (out == NULL) return sum_failed(wrong, "%s: out is NULL", who);
  if (!lies_at(out, out_aligned))
    return sum_failed(wrong, "%s: out is not aligned to %zu bytes", who, out_aligned);
  if (in == NULL && n > 0) return sum_failed(wrong, "%s: in is NULL, and n = %llu", who, (unsigned long long)n);
  if (!lies_at(in, in_aligned)) return sum_failed(wrong, "%s: in is not aligned to %zu bytes", who, in_aligned);
  return 0;
}

static int sum_refused(const char *who, int error, uint64_t n, const void *workspace,
                                 size_t bytes, size_t need) {
  const unsigned long long many = n;
  if (need == 0 && error == EINVAL)
    return sum_failed(error, "%s: n = %llu is too large for the variant that serves it", who, many);
  if (workspace != NULL && bytes < need)
    return sum_failed(error, "%s: the workspace has %zu bytes, and n = %llu needs %zu", who, bytes, many,
                     need);
  return sum_failed(error, "%s: running for n = %llu: %s", who, many, strerror(error));
}

// Is there surely nothing wrong with a call's arguments?
static inline bool is_sound(const void *workspace, const size_t *workspace_bytes, uint64_t n,
                                   const void *in, size_t in_aligned, const void *out, size_t out_aligned) {
  return workspace_bytes != NULL && workspace != NULL && in != NULL && n <= INT64_MAX && out != NULL &&
         ((uintptr_t)workspace % 16 | (uintptr_t)in % in_aligned | (uintptr_t)out % out_aligned) == 0;
}

// Up to so many elements, that variant in that configuration.
typedef struct Range {
  uint64_t up_to;
  const sum_variant *variant;
  sum_configuration c;
} Range;

// The variants by their places in the table above.
enum { V_aa11bb22, V_aa33cc44 };

// table: begin. Up to so many elements, that variant: threads, loads, blocks; 0 is its own.
static const Range int_ranges[] = {
  {      4096, sum_variants + V_aa11bb22, {   0,  0,    0}},
  {UINT64_MAX, sum_variants + V_aa33cc44, {   0,  0,    0}},
};
static const Range double_ranges[] = {
  {UINT64_MAX, sum_variants + V_aa33cc44, { 512,  0,   56}},
};
// table: end

// Those in use: the ranges above, or what was loaded at run time.
enum { MOST_RANGES = 96 };
static Range int_loaded[MOST_RANGES];
static const Range *int_in_use = int_ranges;
static Range double_loaded[MOST_RANGES];
static const Range *double_in_use = double_ranges;

static const Range *range_of(const Range *r, uint64_t n) {
  while (n > r->up_to) ++r;
  return r;
}

// What variants that need no workspace do apart from what they check, in a configuration.
typedef int sum_int_work(int64_t blocks, const int *in, uint64_t n, int *out);
sum_int_work *sum_aa33cc44_int_work(const sum_configuration *c);
static sum_int_work *(*const int_works[sizeof sum_variants / sizeof *sum_variants])(
    const sum_configuration *c) = {
  [V_aa33cc44] = sum_aa33cc44_int_work,
};

// .. which of them no call is refused by: the work alone, in so many parts; else NULL.
typedef struct int_shortcut {
  uint64_t up_to;
  sum_int_work *work;
  int64_t blocks;
} int_shortcut;
static int_shortcut int_shortcuts[MOST_RANGES];
static void use_int(const Range *ranges) {
  int_in_use = ranges;
  for (int i = 0; i < MOST_RANGES; i++) {
    const Range *r = ranges + i;
    int_shortcut *s = int_shortcuts + i;
    const bool alone = int_works[r->variant - sum_variants] != NULL && r->up_to <= INT64_MAX / 4;
    s->up_to = r->up_to;
    s->work = alone ? int_works[r->variant - sum_variants](&r->c) : NULL;
    s->blocks = r->c.blocks;
    if (r->up_to == UINT64_MAX) break;
  }
}

// What variants that need no workspace do apart from what they check, in a configuration.
typedef int sum_double_work(int64_t blocks, const double *in, uint64_t n, double *out);
sum_double_work *sum_aa33cc44_double_work(const sum_configuration *c);
static sum_double_work *(*const double_works[sizeof sum_variants / sizeof *sum_variants])(
    const sum_configuration *c) = {
  [V_aa33cc44] = sum_aa33cc44_double_work,
};

// .. which of them no call is refused by: the work alone, in so many parts; else NULL.
typedef struct double_shortcut {
  uint64_t up_to;
  sum_double_work *work;
  int64_t blocks;
} double_shortcut;
static double_shortcut double_shortcuts[MOST_RANGES];
static void use_double(const Range *ranges) {
  double_in_use = ranges;
  for (int i = 0; i < MOST_RANGES; i++) {
    const Range *r = ranges + i;
    double_shortcut *s = double_shortcuts + i;
    const bool alone = double_works[r->variant - sum_variants] != NULL && r->up_to <= INT64_MAX / 4;
    s->up_to = r->up_to;
    s->work = alone ? double_works[r->variant - sum_variants](&r->c) : NULL;
    s->blocks = r->c.blocks;
    if (r->up_to == UINT64_MAX) break;
  }
}

static const sum_variant *variant_of(const char *id) {
  for (int i = 0; i < sum_variant_count; i++)
    if (strcmp(sum_variants[i].id, id) == 0) return &sum_variants[i];
  return NULL;
}

// Adds a range to those of its type; false where sizes do not ascend, or there are too many.
static bool add_range(Range *to, int *count, uint64_t up_to, const sum_variant *v, sum_configuration c) {
  if (*count == MOST_RANGES || (*count > 0 && to[*count - 1].up_to >= up_to)) return false;
  to[*count].up_to = up_to;
  to[*count].variant = v;
  to[*count].c = c;
  ++*count;
  return true;
}

// Does the variant have that configuration?
static bool compiled_int(const sum_variant *v, sum_configuration c) {
  size_t bytes = 0;
  return v->run_int(&c, NULL, &bytes, NULL, 0, NULL) == 0;
}
static bool compiled_double(const sum_variant *v, sum_configuration c) {
  size_t bytes = 0;
  return v->run_double(&c, NULL, &bytes, NULL, 0, NULL) == 0;
}

static void use_compiled_ranges(void) {
  use_int(int_ranges);
  use_double(double_ranges);
}

// The rest of a line that is longer than its buffer.
static void skip_line(FILE *file) {
  for (int c; (c = fgetc(file)) != EOF && c != '\n';) {}
}

// Reads `type up_to variant threads loads blocks' a line; # begins a comment.
int sum_load_table(const char *path) {
  FILE *file = path ? fopen(path, "r") : NULL;
  if (file == NULL)
    return sum_failed(EINVAL, "cannot read the table `%.200s'", path ? path : "");
  use_compiled_ranges();
  int count[2] = {0};
  bool ok = true;
  int number = 0;
  char line[512];
  while (ok && fgets(line, sizeof line, file) != NULL) {
    ++number;
    if (strchr(line, '\n') == NULL) skip_line(file);
    line[strcspn(line, "#\n")] = 0;
    char type[sizeof line], up_to[32], id[32], more, *end = up_to;
    long long blocks = 0;
    sum_configuration c = {0, 0, 0};
    const int fields = sscanf(line, "%511s %31s %31s %d %d %lld %c", type, up_to, id,
                                   &c.threads, &c.loads, &blocks, &more);
    if (fields <= 0) continue;
    c.blocks = blocks;
    const sum_variant *v = fields == 6 ? variant_of(id) : NULL;
    const bool any = strcmp(up_to, "inf") == 0;
    const uint64_t n = any ? UINT64_MAX : strtoull(up_to, &end, 10);
    ok = v != NULL && (any || (up_to[0] >= '0' && up_to[0] <= '9' && *end == 0));
    if (ok && strcmp(type, "int") == 0) ok = add_range(int_loaded, &count[0], n, v, c) && compiled_int(v, c);
    if (ok && strcmp(type, "double") == 0) ok = add_range(double_loaded, &count[1], n, v, c) && compiled_double(v, c);
  }
  fclose(file);
  if (!ok)
    return sum_failed(ENOTSUP, "line %d of the table `%.120s': "
                     "no row, or out of order, or a variant or configuration that is not here", number, path);
  ok = ok && (count[0] == 0 || int_loaded[count[0] - 1].up_to == UINT64_MAX);
  ok = ok && (count[1] == 0 || double_loaded[count[1] - 1].up_to == UINT64_MAX);
  if (!ok)
    return sum_failed(ENOTSUP, "the table `%.120s' lacks a type's last row, inf", path);
  if (count[0] > 0) use_int(int_loaded);
  if (count[1] > 0) use_double(double_loaded);
  return 0;
}

static int read_environment(void) {
  const char *table = getenv("TGC_TABLE"), *pinned = getenv("TGC_VARIANT");
  if (table != NULL && *table && !(pinned != NULL && *pinned)) return sum_load_table(table);
  if (pinned == NULL || *pinned == 0) return 0;
  char id[32] = "";
  int end[4] = {0, 0, 0, 0};
  long long blocks = 0;
  sum_configuration c = {0, 0, 0};
  const int fields = sscanf(pinned, "%31[^:]%n:%d%n:%d%n:%lld%n", id, &end[0],
                                   &c.threads, &end[1], &c.loads, &end[2], &blocks, &end[3]);
  c.blocks = blocks;
  const sum_variant *v = fields >= 1 && pinned[end[fields - 1]] == 0 ? variant_of(id) : NULL;
  if (v == NULL) return ENOTSUP;
  int count;
  count = 0;
  add_range(int_loaded, &count, UINT64_MAX, v, c);
  use_int(int_loaded);
  count = 0;
  add_range(double_loaded, &count, UINT64_MAX, v, c);
  use_double(double_loaded);
  return 0;
}

// Has that been done, and is all that it names here?
static int may_begin;

// Read once, at the first call.
static int environment(void) {
  static int known, result;
#pragma omp critical(sum_environment)
  if (!known) {
    result = read_environment();
    known = 1;
    use_int(int_in_use);
    use_double(double_in_use);
    if (result == 0) {
#pragma omp atomic write seq_cst
      may_begin = 1;
    }
  }
  return result;
}

static inline bool has_begun(void) {
  int known;
#pragma omp atomic read seq_cst
  known = may_begin;
  return known;
}
static int in_environment(const char *who) {
  if (environment() == 0) return 0;
  const char *pinned = getenv("TGC_VARIANT");
  const char *which = pinned != NULL && *pinned ? "TGC_VARIANT" : "TGC_TABLE";
  return sum_failed(environment(), "%s: what %s names is not in this library", who, which);
}

// A call that something may be wrong with, that is the first one, or that has a failure to forget.
APART static int checked_int(void *workspace, size_t *workspace_bytes, const int *in, uint64_t n, int *out) {
  int error = sum_arguments("sum_int", workspace, workspace_bytes, n, in, _Alignof(int), out,
                                  _Alignof(int));
  if (error == 0 && !has_begun()) error = in_environment("sum_int");
  if (error != 0) return error;
  const Range *range_ = range_of(int_in_use, n);
  error = range_->variant->run_int(&range_->c, workspace, workspace_bytes, in, n, out);
  if (error == 0) return 0;
  size_t need = 0;
  if (range_->variant->run_int(&range_->c, NULL, &need, in, n, out) != 0) need = 0;
  return sum_refused("sum_int", error, n, workspace, *workspace_bytes, need);
}

int sum_int(void *workspace, size_t *workspace_bytes, const int *in, uint64_t n, int *out) {
  if (has_begun() && !has_failed() && is_sound(workspace, workspace_bytes, n, in, _Alignof(int), out,
                                  _Alignof(int))) {
    const int_shortcut *shortcut_ = int_shortcuts;
    while (n > shortcut_->up_to) ++shortcut_;
    if (shortcut_->work != NULL && *workspace_bytes > 0) return shortcut_->work(shortcut_->blocks, in, n, out);
  }
  return checked_int(workspace, workspace_bytes, in, n, out);
}

// A call that something may be wrong with, that is the first one, or that has a failure to forget.
APART static int checked_double(void *workspace, size_t *workspace_bytes, const double *in, uint64_t n, double *out) {
  int error = sum_arguments("sum_double", workspace, workspace_bytes, n, in, _Alignof(double), out,
                                  _Alignof(double));
  if (error == 0 && !has_begun()) error = in_environment("sum_double");
  if (error != 0) return error;
  const Range *range_ = range_of(double_in_use, n);
  error = range_->variant->run_double(&range_->c, workspace, workspace_bytes, in, n, out);
  if (error == 0) return 0;
  size_t need = 0;
  if (range_->variant->run_double(&range_->c, NULL, &need, in, n, out) != 0) need = 0;
  return sum_refused("sum_double", error, n, workspace, *workspace_bytes, need);
}

int sum_double(void *workspace, size_t *workspace_bytes, const double *in, uint64_t n, double *out) {
  if (has_begun() && !has_failed() && is_sound(workspace, workspace_bytes, n, in, _Alignof(double), out,
                                  _Alignof(double))) {
    const double_shortcut *shortcut_ = double_shortcuts;
    while (n > shortcut_->up_to) ++shortcut_;
    if (shortcut_->work != NULL && *workspace_bytes > 0) return shortcut_->work(shortcut_->blocks, in, n, out);
  }
  return checked_double(workspace, workspace_bytes, in, n, out);
}

// Every call leaves at zero what a workspace starts with.
int sum_workspace_init(void *workspace, size_t workspace_bytes) {
  if (workspace == NULL || workspace_bytes == 0)
    return sum_failed(EINVAL, "sum_workspace_init: there is no workspace");
  memset(workspace, 0, workspace_bytes < 16 ? workspace_bytes : 16);
  return 0;
}
