/* tables.h: ranges that replace the compiled ones at run time, from a file or the environment. Pieces of one
 * function are pasted in this order; those marked * once for each type, the NUMBERth of TYPES.
 *
 *   FIND                 variant_of, add_range
 *   HAS *                CPU: COMPILED: has the variant that configuration?
 *   USE_COMPILED         use_compiled_ranges
 *   USE_COMPILED_TYPE *
 *   READ                 NAME(load_table), up to the parsed row
 *   ROW *                adds a row to its type's ranges
 *   END_OF_ROWS
 *   WHOLE *              checks that the ranges are complete
 *   LACKS
 *   TAKE *               takes them in use
 *   PIN                  read_environment: TGC_TABLE names a table; TGC_VARIANT=id[:threads[:loads[:blocks]]] pins one
 *                        variant for all sizes; with OTHERS, [:name=8].. behind it
 *   PIN_TYPE *
 *   ONCE                 environment: reads it once
 *   ONCE_TYPE *          CPU: takes the ranges in use
 *   ASK                  in_environment
 *   BY_SHAPE             ranges are of shapes
 *   CONDITIONS           ranges say what they ask of a call, of what ALIGNED and SIDES calls can tell
 *   NOTHING              operands of an empty call
 *   PARTIAL              some variants are not for all types
 *   ONLINE               what is loaded ends online selection (online.h)
 *   OTHERS               has a configuration other members: those MEMBERS of c, whose names are NAMES
 *   NO_CONFIGURATION     a configuration that sets nothing
 */
#include "errors.h"
#include "ranges.h"
#ifndef FIND
#define FIND 1
#define HAS 1
#define USE_COMPILED 1
#define USE_COMPILED_TYPE 1
#define READ 1
#define ROW 1
#define END_OF_ROWS 1
#define WHOLE 1
#define LACKS 1
#define TAKE 1
#define PIN 1
#define PIN_TYPE 1
#define ONCE 1
#define ONCE_TYPE 1
#define ASK 1
#endif
#ifndef NUMBER
#define NUMBER 0
#define TYPES 1
#define NOTHING NIL, 0, NIL
#endif
#ifndef OTHERS
#define OTHERS 0
#define NAMES
#define MEMBERS
#define NO_CONFIGURATION {0, 0, 0}
#endif
// ---- pasted from here on ----
#if FIND

PRIVATE const NAME(variant) *variant_of(const char *id) {
  for (int i = 0; i < NAME(variant_count); i++)
    if (STD(strcmp)(NAME(variants)[i].id, id) == 0) return &NAME(variants)[i];
  return NIL;
}
#if OTHERS

// Sets what stands as name=8, words between blanks or colons; false: the text is none of these.
PRIVATE bool set_others(NAME(configuration) *c, const char *text) {
  static const char *const names[] = {NAMES};
  int *const members[] = {MEMBERS};
  const int many = sizeof names / sizeof *names, most = 1024;
  while (*(text += STD(strspn)(text, " \t\r:")) != 0) {
    const size_t n = STD(strcspn)(text, "=");
    int i = 0;
    while (i < many && !(STD(strlen)(names[i]) == n && STD(strncmp)(names[i], text, n) == 0)) ++i;
    if (i == many || text[n] != '=' || text[n + 1] < '0' || text[n + 1] > '9') return false;
    char *end = NIL;
    const long value = STD(strtol)(text + n + 1, &end, 10);
    if (value > most || STD(strchr)(" \t\r:", *end) == NIL) return false;
    *members[i] = (int)value;
    text = end;
  }
  return true;
}
#endif

#if CONDITIONS
// What behind a size says what a range asks of a call, ",aligned,tall"; false: no call of these functions tells that.
PRIVATE bool read_conditions(const char *text, int *when) {
  static const struct { const char *word; int like; } all[] = {
#if ALIGNED
    {",aligned", ROWS_ALIGNED},
#endif
#if SIDES
    {",tall", RESULTS_TALL}, {",wide", RESULTS_WIDE},
#endif
  };
  const int many = sizeof all / sizeof *all;
  for (*when = 0; *text != 0;) {
    const size_t n = 1 + STD(strcspn)(text + 1, ",");
    int i = 0;
    while (i < many && !(STD(strlen)(all[i].word) == n && STD(strncmp)(all[i].word, text, n) == 0)) ++i;
    if (i == many || (*when & all[i].like)) return false;
    *when |= all[i].like;
    text += n;
  }
#if SIDES
  return (*when & (RESULTS_TALL | RESULTS_WIDE)) != (RESULTS_TALL | RESULTS_WIDE);
#else
  return true;
#endif
}

#endif
#if CONDITIONS
// Adds a range to those of its type; false where sizes do not ascend, where one ahead asks for no more, or there are too
// many.
#else
// Adds a range to those of its type; false where sizes do not ascend, or there are too many.
#endif
#if CUDA
template <typename F> bool add_range(Range<F> *to, int *count, ROOM_PARAMETERS, F run, const NAME(configuration) &c) {
#else
static bool add_range(Range *to, int *count, ROOM_PARAMETERS, const NAME(variant) *v, NAME(configuration) c) {
#endif
#if CONDITIONS
  if (*count == MOST_RANGES) return false;
  const int before = *count - 1;
  for (int i = 0; i <= before; ++i)
    if ((to[i].when & ~when) == 0 && (to[i].when != when || to[before].when != when)) return false;
#if BY_SHAPE
  if (*count > 0 && to[before].when == when) {
    const bool more = to[before].up_to == up_to && to[before].count < most;
    const bool any = when != 0 || to[before].count == UINT64_MAX; // may another size follow?
    if (!more && !(any && to[before].up_to < up_to)) return false;
  }
#else
  if (*count > 0 && to[before].when == when && to[before].up_to >= up_to) return false;
#endif
#elif BY_SHAPE
  if (*count == MOST_RANGES || (*count > 0 && (to[*count - 1].count == UINT64_MAX ? to[*count - 1].up_to >= up_to
                                                     : to[*count - 1].up_to != up_to || to[*count - 1].count >= most))) return false;
#else
  if (*count == MOST_RANGES || (*count > 0 && to[*count - 1].up_to >= up_to)) return false;
#endif
#if BY_SHAPE && CONDITIONS && CUDA
  to[(*count)++] = {up_to, most, 1, when, 1, run, c};
#elif CONDITIONS && CUDA
  to[(*count)++] = {up_to, when, 1, run, c};
#elif BY_SHAPE && CUDA
  to[(*count)++] = {up_to, most, 1, run, c};
#elif CUDA
  to[(*count)++] = {up_to, run, c};
#else
  to[*count].up_to = up_to;
#if BY_SHAPE
  to[*count].count = most;
  to[*count].rows = 1;
#endif
#if CONDITIONS
  to[*count].when = when;
  to[*count].past = 1;
#endif
  to[*count].variant = v;
  to[*count].c = c;
  ++*count;
#endif
#if CONDITIONS
  for (int i = *count - 1; i > 0 && to[i - 1].when == when; --i) ++to[i - 1].past;
#endif
#if BY_SHAPE && CONDITIONS
  for (int i = *count - 1; i > 0 && to[i - 1].up_to == up_to && to[i - 1].when == when; --i) ++to[i - 1].rows;
#elif BY_SHAPE
  for (int i = *count - 1; i > 0 && to[i - 1].up_to == up_to; --i) ++to[i - 1].rows;
#endif
  return true;
}

#if CUDA
// Does the function have that configuration?
template <typename F> bool compiled(F run, const NAME(configuration) &c) {
  size_t bytes = 0;
#if PARTIAL
  if (run == nullptr) return false; // the variant is for other types
#endif
  return run(&c, nullptr, &bytes, NOTHING, nullptr) == cudaSuccess;
}
#else
// Does the variant have that configuration?
#endif
#endif
#if HAS && !CUDA
static bool COMPILED(const NAME(variant) *v, NAME(configuration) c) {
  size_t bytes = 0;
  return v->RUN(&c, NULL, &bytes, NOTHING) == 0;
}
#endif
#if USE_COMPILED

PRIVATE void use_compiled_ranges(NO_PARAMETERS) {
#endif
#if USE_COMPILED_TYPE
#if CUDA
  OF_TYPE(in_use) = OF_TYPE(ranges);
#else
  USE_TYPE(OF_TYPE(ranges));
#endif
#endif
#if READ
}

// The rest of a line that is longer than its buffer.
PRIVATE void skip_line(STD(FILE) *file) {
  for (int c; (c = STD(fgetc)(file)) != EOF && c != '\n';) {}
}
#if CUDA

} // namespace
#endif

// Reads `type up_to variant threads loads blocks' a line; # begins a comment.
PUBLIC ERROR NAME(load_table)(const char *path) {
  STD(FILE) *file = path ? STD(fopen)(path, "r") : NIL;
  if (file == NIL)
    return NAME(failed)(INVALID, "cannot read the table `%.200s'", path ? path : "");
#if ONLINE
  end_selection();
#endif
  use_compiled_ranges();
  int count[TYPES] = {0};
  bool ok = true;
  int number = 0;
  char line[512];
  while (ok && STD(fgets)(line, sizeof line, file) != NIL) {
    ++number;
    if (STD(strchr)(line, '\n') == NIL) skip_line(file);
    line[STD(strcspn)(line, "#\n")] = 0;
#if OTHERS && CONDITIONS
    char type[sizeof line], up_to[80], id[32], *end = up_to;
    int rest = 0;
#elif OTHERS
    char type[sizeof line], up_to[48], id[32], *end = up_to;
    int rest = 0;
#elif CONDITIONS
    char type[sizeof line], up_to[80], id[32], more, *end = up_to;
#elif BY_SHAPE
    char type[sizeof line], up_to[48], id[32], more, *end = up_to;
#else
    char type[sizeof line], up_to[32], id[32], more, *end = up_to;
#endif
    long long blocks = 0;
    NAME(configuration) c = NO_CONFIGURATION;
#if OTHERS && CONDITIONS
    const int fields = STD(sscanf)(line, "%511s %79s %31s %d %d %lld %n", type, up_to, id,
                                   &c.threads, &c.loads, &blocks, &rest);
#elif OTHERS
    const int fields = STD(sscanf)(line, "%511s %47s %31s %d %d %lld %n", type, up_to, id,
                                   &c.threads, &c.loads, &blocks, &rest);
#elif CONDITIONS
    const int fields = STD(sscanf)(line, "%511s %79s %31s %d %d %lld %c", type, up_to, id,
                                   &c.threads, &c.loads, &blocks, &more);
#elif BY_SHAPE
    const int fields = STD(sscanf)(line, "%511s %47s %31s %d %d %lld %c", type, up_to, id,
                                   &c.threads, &c.loads, &blocks, &more);
#else
    const int fields = STD(sscanf)(line, "%511s %31s %31s %d %d %lld %c", type, up_to, id,
                                   &c.threads, &c.loads, &blocks, &more);
#endif
    if (fields <= 0) continue;
    c.blocks = blocks;
#if OTHERS
    const NAME(variant) *v = fields == 6 && set_others(&c, line + rest) ? variant_of(id) : NIL;
#else
    const NAME(variant) *v = fields == 6 ? variant_of(id) : NIL;
#endif
#if CONDITIONS
    int when = 0;
    char *const comma = STD(strchr)(up_to, ',');
    const bool known = comma == NIL || read_conditions(comma, &when);
    if (comma != NIL) *comma = 0;
#endif
#if BY_SHAPE
    const bool any = STD(strncmp)(up_to, "inf", 3) == 0;
    const uint64_t n = any ? UINT64_MAX : STD(strtoull)(up_to, &end, 10);
    if (any) end = up_to + 3;
    const bool counts = *end == 'x' && up_to[0] != '0' && end[1] >= '1' && end[1] <= '9';
    const uint64_t most = counts ? STD(strtoull)(end + 1, &end, 10) : UINT64_MAX;
    ok = v != NIL && (any || (up_to[0] >= '0' && up_to[0] <= '9')) && *end == 0 && counts == (most < UINT64_MAX);
#else
    const bool any = STD(strcmp)(up_to, "inf") == 0;
    const uint64_t n = any ? UINT64_MAX : STD(strtoull)(up_to, &end, 10);
    ok = v != NIL && (any || (up_to[0] >= '0' && up_to[0] <= '9' && *end == 0));
#endif
#if CONDITIONS
    ok = ok && known;
#endif
#endif
#if ROW
#if CUDA
    if (ok && std::strcmp(type, "TYPE") == 0) ok = add_range(OF_TYPE(loaded), &count[NUMBER], ROOM, v->RUN, c) && compiled(v->RUN, c);
#else
    if (ok && strcmp(type, "TYPE") == 0) ok = add_range(OF_TYPE(loaded), &count[NUMBER], ROOM, v, c) && COMPILED(v, c);
#endif
#endif
#if END_OF_ROWS
  }
  STD(fclose)(file);
  if (!ok)
    return NAME(failed)(MISSING, "line %d of the table `%.120s': "
                     "no row, or out of order, or a variant or configuration that is not here", number, path);
#endif
#if WHOLE
#if CONDITIONS
  if (ok && count[NUMBER] > 0) ok = OF_TYPE(loaded)[count[NUMBER] - 1].when == 0;
#endif
#if BY_SHAPE
  if (ok && count[NUMBER] > 0)
    ok = OF_TYPE(loaded)[count[NUMBER] - 1].up_to == UINT64_MAX && OF_TYPE(loaded)[count[NUMBER] - 1].count == UINT64_MAX;
#else
  ok = ok && (count[NUMBER] == 0 || OF_TYPE(loaded)[count[NUMBER] - 1].up_to == UINT64_MAX);
#endif
#endif
#if LACKS
  if (!ok)
    return NAME(failed)(MISSING, "the table `%.120s' lacks a type's last row, inf", path);
#endif
#if TAKE
#if CUDA
  if (count[NUMBER] > 0) OF_TYPE(in_use) = OF_TYPE(loaded);
#else
  if (count[NUMBER] > 0) USE_TYPE(OF_TYPE(loaded));
#endif
#endif
#if PIN
  return SUCCESS;
}

#if CUDA
namespace {

#endif
PRIVATE ERROR read_environment(NO_PARAMETERS) {
  const char *table = STD(getenv)("TGC_TABLE"), *pinned = STD(getenv)("TGC_VARIANT");
  if (table != NIL && *table && !(pinned != NIL && *pinned)) return NAME(load_table)(table);
  if (pinned == NIL || *pinned == 0) return SUCCESS;
  char id[32] = "";
  int end[4] = {0, 0, 0, 0};
  long long blocks = 0;
  NAME(configuration) c = NO_CONFIGURATION;
  const int fields = STD(sscanf)(pinned, "%31[^:]%n:%d%n:%d%n:%lld%n", id, &end[0],
                                   &c.threads, &end[1], &c.loads, &end[2], &blocks, &end[3]);
  c.blocks = blocks;
#if OTHERS
  const NAME(variant) *v = fields >= 1 && set_others(&c, pinned + end[fields - 1]) ? variant_of(id) : NIL;
#else
  const NAME(variant) *v = fields >= 1 && pinned[end[fields - 1]] == 0 ? variant_of(id) : NIL;
#endif
  if (v == NIL) return MISSING;
#if !CUDA
  int count;
#endif
#endif
#if PIN_TYPE
#if CUDA && CONDITIONS && BY_SHAPE
  OF_TYPE(loaded)[0] = {UINT64_MAX, UINT64_MAX, 1, 0, 1, v->RUN, c};
#elif CUDA && CONDITIONS
  OF_TYPE(loaded)[0] = {UINT64_MAX, 0, 1, v->RUN, c};
#elif CUDA && BY_SHAPE
  OF_TYPE(loaded)[0] = {UINT64_MAX, UINT64_MAX, 1, v->RUN, c};
#elif CUDA
  OF_TYPE(loaded)[0] = {UINT64_MAX, v->RUN, c};
#endif
#if CUDA && PARTIAL
  if (v->RUN != nullptr) OF_TYPE(in_use) = OF_TYPE(loaded);
#elif CUDA
  OF_TYPE(in_use) = OF_TYPE(loaded);
#else
  count = 0;
  add_range(OF_TYPE(loaded), &count, ANY_ROOM, v, c);
  USE_TYPE(OF_TYPE(loaded));
#endif
#endif
#if ONCE
  return SUCCESS;
}

#if !CUDA
// Has that been done, and is all that it names here?
static int may_begin;

#endif
// Read once, at the first call.
PRIVATE ERROR environment(NO_PARAMETERS) {
#if CUDA
  static const cudaError_t result = read_environment();
  return result;
#else
  static int known, result;
#pragma omp critical(NAME(environment))
  if (!known) {
    result = read_environment();
    known = 1;
#endif
#endif
#if ONCE_TYPE && !CUDA
    USE_TYPE(OF_TYPE(in_use));
#endif
#if ASK
#if !CUDA
    if (result == 0) {
#pragma omp atomic write seq_cst
      may_begin = 1;
    }
  }
  return result;
#endif
}
#if !CUDA

static inline bool has_begun(void) {
  int known;
#pragma omp atomic read seq_cst
  known = may_begin;
  return known;
}
#endif
PRIVATE ERROR in_environment(const char *who) {
  if (environment() == SUCCESS) return SUCCESS;
  const char *pinned = STD(getenv)("TGC_VARIANT");
  const char *which = pinned != NIL && *pinned ? "TGC_VARIANT" : "TGC_TABLE";
  return NAME(failed)(environment(), "%s: what %s names is not in this library", who, which);
}
#if CUDA

} // namespace
#endif
#endif
