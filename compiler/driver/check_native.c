/* check_native.c: from a CPU's variants to runs. Each is compiled as C with OpenMP, once for each way that is asked
 * for, and linked with the harness and an OpenMP of our own (runtime/native).
 *
 *   support: OpenMP, harness, references.cc -----------------+
 *                                                            +--> a program for each way --> a run for each variant
 *   batch: a few variants in each way; then a table of ------+
 *          those that compile
 *
 * The first way is that of a user's build; the others have a sanitizer watch. */
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/personality.h>
#endif

#include "driver/check_parts.h"
#include "emit/emit.h"

enum { BATCH_VARIANTS = 8, MOST_WAYS = 3, MOST_FLAGS = 32 };

/* A way to compile variants. */
typedef struct Way {
  const char *name;                /* in files' names */
  const char *shown;               /* in reports */
  const char *flags[MOST_FLAGS];   /* NULL ends them */
} Way;

typedef struct Build Build;

typedef struct Batch {
  Build *build;
  int number, first, count; /* of the variants */
  int compiling, linked;
  const char *programs[MOST_WAYS];
  bool compiled, linking;
} Batch;

struct Build {
  Check *check;
  Way ways[MOST_WAYS];
  int nways;
  CheckSupport support;
  VEC(Batch *) batches;
};

/* ---- compilers ---- */

/* A sanitizer's library is one for both. */
static const char *const pairs[][2] = {{"gcc", "g++"}, {"clang-19", "clang++-19"}, {"clang", "clang++"}, {"cc", "c++"}};
enum { PAIRS = sizeof pairs / sizeof *pairs };

static const char *partner(const char *one, int which) {
  const char *slash = strrchr(one, '/');
  for (int i = 0; i < PAIRS; i++)
    if (strcmp(slash ? slash + 1 : one, pairs[i][which]) == 0 && check_in_path(pairs[i][1 - which]))
      return pairs[i][1 - which];
  return NULL;
}

bool check_find_c_compiler(Check *c) {
  const char *named[2] = {getenv("TGC_CC"), getenv("TGC_CXX")};
  const char *const variables[2] = {"TGC_CC", "TGC_CXX"};
  for (int k = 0; k < 2; k++) {
    if (!named[k] || check_in_path(named[k])) continue;
    diagnostics_add(c->diagnostics, DIAG_ERROR, (SourceRange){0}, NULL, "%s is `%s', which cannot be run", variables[k],
                    named[k]);
    return false;
  }
  for (int k = 0; k < 2; k++)
    if (!named[k] && named[1 - k]) named[k] = partner(named[1 - k], 1 - k);
  for (int i = 0; i < PAIRS && !(named[0] && named[1]); i++) {
    if (!check_in_path(pairs[i][0]) || !check_in_path(pairs[i][1])) continue;
    for (int k = 0; k < 2; k++)
      if (!named[k]) named[k] = pairs[i][k];
  }
  c->c_compiler = named[0];
  c->compiler = named[1];
  c->cxx = !getenv("TGC_CXX") && !getenv("TGC_CC") && check_in_path("clang++-19") ? "clang++-19" : c->compiler;
  c->clang = c->cxx && strstr(c->cxx, "clang") != NULL;
  if (c->c_compiler && c->compiler) return true;
  diagnostics_add(c->diagnostics, DIAG_ERROR, (SourceRange){0},
                  "install gcc and g++, or name others in TGC_CC and TGC_CXX", "no C and C++ compilers were found");
  return false;
}

/* ---- ways ---- */

/* Words between blanks. */
static void add_flags(Check *c, Way *w, const char *text) {
  int n = 0;
  while (w->flags[n]) n++;
  for (text += strspn(text, " "); *text && n + 1 < MOST_FLAGS; text += strspn(text, " ")) {
    size_t length = strcspn(text, " ");
    w->flags[n++] = arena_strndup(c->arena, text, length);
    text += length;
  }
}

/* Has this machine the vectors of that one? */
static bool has_vectors_of(const char *machine) {
#if defined(__x86_64__)
  if (strcmp(machine, "avx2") == 0) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (strcmp(machine, "avx512") == 0)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#elif defined(__aarch64__)
  if (strcmp(machine, "neon") == 0) return true;
#endif
  return false;
}

const char *check_feature(const char *word) {
#if defined(__x86_64__)
#define HAS(name, options) \
  if (strcmp(word, #name) == 0) return __builtin_cpu_supports(#name) ? options : NULL;
  HAS(sse2, "-msse2")
  HAS(avx2, "-mavx2 -mfma")
  HAS(fma, "-mfma")
  HAS(avx512f, "-mavx512f -mfma")
  HAS(avx512bw, "-mavx512bw -mfma")
  HAS(avx512dq, "-mavx512dq -mfma")
  HAS(avx512vl, "-mavx512vl -mfma")
#undef HAS
  if (strcmp(word, "avx512") == 0)
    return has_vectors_of(word) ? "-mavx512f -mavx512bw -mavx512dq -mavx512vl -mfma" : NULL;
#elif defined(__aarch64__)
  if (strcmp(word, "neon") == 0) return "";
#endif
  return NULL;
}

/* As the folder's CMakeLists.txt has it; the text is portable, so that a machine without the vectors runs it too. */
static const char *flags_of(Check *c) {
  if (c->options.flags) return arena_printf(c->arena, "-O3 %s", c->options.flags);
  return has_vectors_of(c->machine) ? arena_printf(c->arena, "-O3 %s", emit_options_for(c->machine, 0)) : "-O3";
}

static bool sanitizes(const Check *c, const char *what) {
  if (c->options.plain) return false;
  return strstr(c->options.sanitize ? c->options.sanitize : "thread", what) != NULL;
}

static void choose_alternatives(Build *b) {
  static const char *const sanitizers[] = {"thread", "address"};
  Check *c = b->check;
  Way *w = &b->ways[b->nways++];
  w->name = "own";
  w->shown = flags_of(c);
  add_flags(c, w, w->shown);
  for (int i = 0; i < 2; i++) {
    if (!sanitizes(c, sanitizers[i])) continue;
    w = &b->ways[b->nways++];
    w->name = sanitizers[i];
    w->shown = arena_printf(c->arena, "-fsanitize=%s,undefined", w->name);
    add_flags(c, w, arena_printf(c->arena, "-O1 -g1 %s -fsanitize-recover=%s", w->shown,
                                 i == 0 ? "undefined" : "undefined,address"));
  }
}

/* ---- texts ---- */

/* Has the variant mathematical functions of its own (runtime/cpu/functions.h)? Their bits are other than those of C's,
 * by which the sequential codelet is run. */
static bool has_functions(const CheckVariant *v) {
  char line[256];
  bool found = false;
  FILE *f = fopen(v->file, "r");
  while (f && !found && fgets(line, sizeof line, f)) found = strncmp(line, "// Functions of lanes", 21) == 0;
  if (f) fclose(f);
  return found;
}

static const char *promise_of(const CheckVariant *v) {
  CheckVariant as_checked = *v;
  if (v->promise == DETERMINISM_SEQUENTIAL && has_functions(v)) as_checked.promise = DETERMINISM_GPU_TO_GPU;
  return check_promise(&as_checked);
}

/* The functions are declared as the folder's header has them in the table of variants. */
static bool write_table(Check *c, const Batch *u, const char *path) {
  Buffer b = buffer_new(c->arena);
  int rows = 0;
  buffer_puts(&b, "// A few variants, a table of them. Made by tgc check.\n#include \"check/harness.h\"\n");
  check_include_types(c, &b);
  buffer_printf(&b, "#include \"%s/%s.h\"\n\nextern \"C\" {\n", c->link, c->spectrum);
  for (int i = 0; i < u->count; i++) {
    const CheckVariant *v = &c->variants[u->first + i];
    if (v->failures) continue;
    buffer_printf(&b, "extern const %s_configuration %s_%s_configurations[];\n", c->spectrum, c->spectrum, v->id);
    for (int k = 0; k < v->nfunctions; k++)
      buffer_printf(&b, "std::remove_pointer_t<decltype(%s_variant::run_%s)> %s;\n", c->spectrum, v->functions[k].type,
                    v->functions[k].name);
  }
  buffer_puts(&b, "}\n\nconst check::Entry check::entries[] = {\n");
  for (int i = 0; i < u->count; i++) {
    const CheckVariant *v = &c->variants[u->first + i];
    for (int k = 0; !v->failures && k < v->nfunctions; k++, rows++)
      buffer_printf(&b, "  CHECK_CONFIGURED(\"%s\", \"%s\", check::%s, %s, %s_%s_configurations),\n", v->id,
                    v->functions[k].type, promise_of(v), v->functions[k].name, c->spectrum, v->id);
  }
  buffer_printf(&b, "};\nconst int check::entry_count = %d;\n", rows);
  return check_write_text(c, path, &b);
}

/* ---- runs ---- */

static int way_number(const Job *job) { return job->number % MOST_WAYS; }

static void run_done(Job *job) {
  const Build *b = job->context;
  check_take_output(b->check, &b->check->variants[job->number / MOST_WAYS], job, b->ways[way_number(job)].shown);
}

static void queue_runs(Batch *u, int way) {
  Check *c = u->build->check;
  for (int i = 0; i < u->count; i++) {
    const CheckVariant *v = &c->variants[u->first + i];
    if (v->ended) continue;
    Words a = {0};
    PUSH(c->arena, &a, u->programs[way], v->id, arena_printf(c->arena, "%d", c->options.seeds),
             arena_printf(c->arena, "%d", c->options.orders), arena_printf(c->arena, "%d", c->options.timeout));
    check_push_sizes(c, &a, &v->sizes);
    PUSH(c->arena, &a, NULL);
    Job job = {.argv = a.at, .done = run_done, .context = u->build, .number = (u->first + i) * MOST_WAYS + way};
    jobs_add(c->jobs, &job, true);
  }
}

/* ---- links ---- */

static void link_done(Job *job) {
  Batch *u = job->context;
  Check *c = u->build->check;
  c->steps_done++;
  if (job->status == 0) queue_runs(u, way_number(job));
  else check_break_off(c, job, "the harness does not link");
}

static const char *object_name(const Build *b, int variant, int way) {
  return arena_printf(b->check->arena, "v%d-%s.o", variant, b->ways[way].name);
}

static void link_when_ready(Batch *u) {
  Build *b = u->build;
  Check *c = b->check;
  if (!u->compiled || u->linking || b->support.left) return;
  u->linking = true;
  for (int way = 0; way < b->nways; way++) {
    u->programs[way] = check_temporary(c, arena_printf(c->arena, "u%d-%s", u->number, b->ways[way].name));
    Words a = {0};
    PUSH(c->arena, &a, c->compiler, "-o", u->programs[way],
         check_temporary(c, arena_printf(c->arena, "u%d.o", u->number)));
    for (int i = 0; i < u->count; i++)
      if (!c->variants[u->first + i].ended) PUSH(c->arena, &a, check_temporary(c, object_name(b, u->first + i, way)));
    words_push(c->arena, &a, b->support.objects.at, b->support.objects.n);
    for (int i = 0; b->ways[way].flags[i]; i++) PUSH(c->arena, &a, b->ways[way].flags[i]);
    PUSH(c->arena, &a, "-pthread", "-lm", NULL);
    Job job = {.argv = a.at, .timeout = CHECK_COMPILE_SECONDS, .done = link_done, .context = u, .number = way};
    jobs_add(c->jobs, &job, true);
  }
}

/* ---- compilations ---- */

static const char *const *compile_cxx(Check *c, const char *source, const char *object) {
  Words a = {0};
  PUSH(c->arena, &a, c->cxx, "-std=c++17", "-O2", "-g1", "-fPIE", "-w", "-fno-strict-aliasing", "-ffp-contract=off",
       "-DTGC_NATIVE", "-I", c->simt, "-I", arena_printf(c->arena, "%s/include", c->simt), "-c", source, "-o", object,
       NULL);
  return a.at;
}

static void table_done(Job *job) {
  Batch *u = job->context;
  Check *c = u->build->check;
  c->steps_done++;
  u->compiled = job->status == 0;
  if (u->compiled) link_when_ready(u);
  else check_break_off(c, job, "the folder's header does not have the variants' functions");
}

/* Those that compile go on. */
static void queue_table(Batch *u) {
  Check *c = u->build->check;
  bool any = false;
  for (int i = 0; i < u->count; i++) {
    CheckVariant *v = &c->variants[u->first + i];
    v->ended = v->failures > 0;
    c->ended += v->ended;
    v->programs = u->build->nways;
    any |= !v->ended;
  }
  if (!any) {
    c->steps_done += 1 + u->build->nways;
    return;
  }
  const char *source = arena_printf(c->arena, "u%d.cc", u->number);
  if (!write_table(c, u, check_temporary(c, source))) {
    c->broken = true;
    jobs_cancel(c->jobs);
    return;
  }
  Job job = {.argv = compile_cxx(c, source, arena_printf(c->arena, "u%d.o", u->number)), .done = table_done,
             .context = u};
  check_queue_compilation(c, &job, NULL, true);
}

static void variant_done(Job *job) {
  Batch *u = job->context;
  Check *c = u->build->check;
  c->steps_done++;
  if (job->status != 0)
    check_fail(c, &c->variants[job->number / MOST_WAYS],
               (CheckFailure){.kind = "compile", .what = check_first_error(c, job),
                              .program = u->build->ways[way_number(job)].shown});
  if (--u->compiling == 0) queue_table(u);
}

static void queue_variant(Batch *u, int number, int way) {
  Check *c = u->build->check;
  const CheckVariant *v = &c->variants[number];
  const char *dot = strrchr(v->file, '.');
  bool is_c = dot && strcmp(dot, ".c") == 0;
  Words a = {0};
  PUSH(c->arena, &a, is_c ? c->c_compiler : c->compiler, is_c ? "-std=c11" : "-std=c++17", "-fopenmp", "-fPIE", "-w",
           "-ffp-contract=off", "-fwrapv", "-DCGROUP=\"\"", /* no quota: processors are made up */
           "-I", arena_printf(c->arena, "%s/../native/include", c->simt));
  for (int i = 0; u->build->ways[way].flags[i]; i++) PUSH(c->arena, &a, u->build->ways[way].flags[i]);
  Way own = {0};
  add_flags(c, &own, v->features);
  for (int i = 0; own.flags[i]; i++) PUSH(c->arena, &a, own.flags[i]);
  if (v->configurations) PUSH(c->arena, &a, v->configurations);
  PUSH(c->arena, &a, "-c", check_linked(c, v->file), "-o", object_name(u->build, number, way), NULL);
  Job job = {.argv = a.at, .done = variant_done, .context = u, .number = number * MOST_WAYS + way};
  c->steps++;
  u->compiling++;
  check_queue_compilation(c, &job, NULL, false);
}

static void queue_batch(Build *b, int first, int count) {
  Check *c = b->check;
  Batch *u = arena_one(c->arena, Batch);
  *u = (Batch){.build = b, .number = b->batches.n, .first = first, .count = count};
  vec_push(c->arena, &b->batches, u);
  c->steps += 1 + b->nways;
  for (int i = 0; i < count; i++)
    for (int way = 0; way < b->nways; way++) queue_variant(u, first + i, way);
}

static void support_ready(void *context) {
  Build *b = context;
  check_link_codelets(&b->support);
  for (int i = 0; i < b->batches.n; i++) link_when_ready(b->batches.at[i]);
}

bool check_queue_native(Check *c) {
  static const char *const parts[] = {"../native/openmp", "../native/gomp", "../native/kmpc"};
  Build *b = arena_one(c->arena, Build);
  *b = (Build){.check = c, .support = {c, compile_cxx, support_ready, b}};
#ifdef __linux__
  personality(ADDR_NO_RANDOMIZE); /* for our children: a ThreadSanitizer may not know where a kernel puts things */
#endif
  choose_alternatives(b);
  if (!check_queue_support(&b->support, parts, sizeof parts / sizeof *parts) || !check_queue_codelets(&b->support))
    return false;
  int size = c->nvariants / (2 * c->options.jobs) + 1;
  if (size > BATCH_VARIANTS) size = BATCH_VARIANTS;
  for (int i = 0; i < c->nvariants; i += size) queue_batch(b, i, c->nvariants - i < size ? c->nvariants - i : size);
  return true;
}
