/* build.c: the compiler. A shared object a variant, compiled for all of its configurations, and the measuring process;
 * both stay in a cache folder under names that tell what went into them: only what changed is compiled again. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/hash.h"
#include "support/target.h"
#include "tune/tune.h"

enum { SECONDS = 600 };

/* ---- configurations ---- */

typedef VEC(int64_t) Values;

/* The values of a tunable that are tried: its own first, then powers of two that it may have. Lanes come in whole
 * vectors: of these all powers; of what is in flight, or a tile, those that are small and some that are not. */
static Values values_of(Arena *a, const Tunable *t) {
  static const int64_t by_vectors[] = {64, 128, 256, 512, 1024}, by_ones[] = {1, 2, 4, 8, 16, 64, 256, 1024};
  const bool vectors = t->multiple > 1;
  const int64_t *powers = vectors ? by_vectors : by_ones;
  const size_t n = vectors ? sizeof by_vectors / sizeof *by_vectors : sizeof by_ones / sizeof *by_ones;
  Values all = {0};
  vec_push(a, &all, t->value);
  for (size_t i = 0; i < n; i++)
    if (powers[i] != t->value && tunable_takes(t, powers[i])) vec_push(a, &all, powers[i]);
  return all;
}

/* Each is compiled: where there are too many together every second value of the longest list goes, but for a tunable's
 * own. */
static int64_t thin_out(Values *all, int n) {
  enum { MOST_CONFIGURATIONS = 64 };
  for (;;) {
    int64_t product = 1;
    int longest = 0;
    for (int i = 0; i < n; i++) {
      product *= all[i].n;
      if (all[i].n > all[longest].n) longest = i;
    }
    if (product <= MOST_CONFIGURATIONS) return product;
    Values *v = &all[longest];
    int kept = 1;
    for (int i = 2; i < v->n; i += 2) v->at[kept++] = v->at[i];
    v->n = kept;
  }
}

static Configurations all_of(Arena *a, const TunedVariant *v) {
  const int n = v->compiled.n;
  Values *values = arena_many(a, Values, n);
  Configurations all = {0};
  for (int i = 0; i < n; i++) values[i] = values_of(a, &v->compiled.at[i]);
  const int64_t product = thin_out(values, n);
  for (int64_t k = 0; k < product; k++) {
    Tunables one = {0};
    int64_t rest = k;
    for (int i = n - 1; i >= 0; rest /= values[i].n, i--)
      tunables_set(a, &one, v->compiled.at[i].name, values[i].at[rest % values[i].n]);
    vec_push(a, &all, one);
  }
  return all;
}

const Configurations *build_configurations(Arena *a, TunedVariant *v) {
  Configurations *made = v->configurations ? NULL : arena_one(a, Configurations);
  if (made) {
    *made = all_of(a, v);
    v->configurations = made;
  }
  return v->configurations;
}

static void list(Buffer *to, TunedVariant *v) {
  const Configurations *all = build_configurations(to->arena, v);
  for (int k = 0; k < all->n && v->compiled.n; k++) {
    for (int i = 0; i < v->compiled.n; i++)
      buffer_printf(to, "%s%" PRId64, i ? ", " : " C(", tunables_value(&all->at[k], v->compiled.at[i].name));
    buffer_puts(to, ")");
  }
}

static bool write_text(const char *path, const char *text) {
  FILE *f = fopen(path, "w");
  if (!f) return false;
  bool ok = fputs(text, f) >= 0;
  return fclose(f) == 0 && ok;
}

/* ---- the compiler's command line ---- */

typedef struct One { Job ended; bool done; } One;

static void keep(Job *job) {
  One *one = job->context;
  one->ended = *job;
  one->done = true;
}

/* Up to the sources. It compiles to a name beside, which becomes the target when it is whole. */
static Words command(Arena *a, const BuildOptions *o, int compute, const char *to) {
  Words w = {0};
  const char *arch = arena_printf(a, "-arch=%s", target_of_compute(a, compute));
  PUSH(a, &w, o->nvcc, "-std=c++17", "-O3", arch, "-cudart", "shared", "-o", to);
  return w;
}

static void no_compiler(const BuildOptions *o, const Folder *f, const char *compiler, Diagnostics *d) {
  if (f->cpu)
    diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, "tuning on a CPU needs compilers of C and C++; TGC_CC and TGC_CXX "
                    "name them", "cannot run `%s'", compiler);
  else diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, "tuning needs the CUDA toolkit; TGC_NVCC names its compiler",
                  "cannot run `%s'", o->nvcc);
}

/* ---- the measuring process ---- */

/* Random numbers of the process's own serve these; for other operators it takes the folder's text. */
static bool has_numbers(const char *operation) {
  static const char *const all[] = {"", "add", "max", "min"}; /* "": no operator, which it says */
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (strcmp(all[i], operation) == 0) return true;
  return false;
}

static bool is_users(const Folder *f) { return strcmp(f->operation, "user") == 0; }

/* A line for each element type: its operator, as runtime/measure/operands.h wants it. */
static const char *table_of_types(Arena *a, const Folder *f) {
  Buffer b = buffer_new(a);
  buffer_printf(&b, "// The operator of %s, a table of its element types. Made by tgc tune.\n#include \"%s.h\"\n"
                    "#include \"measure/operands.h\"\n", f->spectrum, f->spectrum);
  buffer_puts(&b, is_users(f) ? "#include \"check/types.h\"\n#include \"check/operator.h\"\n"
                              : "#include \"check/reference.cc\"\n");
  buffer_printf(&b, "#ifndef CHECK_OPERATION\n#define CHECK_OPERATION \"%s\"\n#endif\n"
                    "const char *const check::operation = CHECK_OPERATION;\n"
                    "const bool check::zeros_have_signs = false;\nconst bool check::numbers_alone = false;\n"
                    "const measure::Operands measure::operands[] = {\n", f->operation);
  for (int i = 0; i < f->ntypes; i++) {
    const char *t = f->types[i], *s = f->spectrum;
    if (is_users(f)) buffer_printf(&b, "    MEASURE_USER(\"%s\", %s_operator::Of_%s, %s_%s),\n", t, s, t, s, t);
    else buffer_printf(&b, "    MEASURE_CODELET(\"%s\", %s_reference_%s, %s_%s),\n", t, s, t, s, t);
  }
  buffer_printf(&b, "};\nconst int measure::operand_count = %d;\n", f->ntypes);
  return b.text;
}

/* What goes into the measuring process: sources are compiled, the others are included by them. `lost': what to do where
 * it cannot be read. */
typedef struct Part { const char *path, *lost; bool source; } Part;
typedef VEC(Part) Parts;

static void add_parts(Arena *a, Parts *to, const char *folder, const char *lost, bool sources,
                      const char *const *names) {
  for (; *names; names++) {
    Part p = {arena_printf(a, "%s/%s", folder, *names), lost, sources};
    vec_push(a, to, p);
  }
}

static const char no_runtime[] = "set TGC_DATA_DIR to the folder that holds `runtime'";

static Parts parts_of_cpu_worker(Arena *a, const BuildOptions *o, const Folder *f) {
  static const char *const sources[] = {"measure/cpu.cc", "measure/arrays.cc", "measure/cpu_machine.cc", NULL},
                    *const headers[] = {"measure/cpu.h", "measure/arrays.h", "measure/failure.h", NULL},
                    *const reference[] = {"check/reference.cc", "check/codelets.h", NULL},
                    *const users[] = {"check/types.h", "check/operator.h", NULL},
                    *const own[] = {"measure/own.h", "simt/check/harness.h", "simt/check/data.h",
                                    "simt/check/layout.h", NULL},
                    *const own_sources[] = {"simt/check/data.cc", "simt/check/layout.cc", NULL};
  static const char lost[] = "compile it again with this tgc";
  Parts p = {0};
  add_parts(a, &p, o->runtime, no_runtime, false, headers);
  add_parts(a, &p, f->dir, lost, false, reference);
  if (is_users(f)) {
    add_parts(a, &p, f->dir, lost, false, users);
    add_parts(a, &p, o->runtime, no_runtime, false, own);
    add_parts(a, &p, o->runtime, no_runtime, true, own_sources);
  }
  add_parts(a, &p, o->runtime, no_runtime, true, sources);
  return p;
}

static Parts parts_of_worker(Arena *a, const BuildOptions *o, const Folder *f) {
  static const char *const numbers[] = {"measure/numbers.cu", NULL}, *const process[] = {"measure/measure.cu", NULL},
                    *const folder[] = {"measure/folder.cu", "simt/check/data.cc", "simt/check/layout.cc", NULL},
                    *const reduction[] = {"measure/reduction.cu", NULL},
                    *const arrays[] = {"measure/arrays.cu", "measure/difference.cu", "measure/arrays.cc", NULL},
                    *const of_arrays[] = {"measure/arrays.h", "measure/arrays_cuda.h", "measure/difference.h",
                                           NULL},
                    *const header[] = {"measure/measure.h", "measure/failure.h", NULL},
                    *const headers[] = {"measure/operands.h", "simt/check/harness.h", "simt/check/data.h",
                                        "simt/check/layout.h", NULL},
                    *const reference[] = {"check/reference.cc", "check/codelets.h", NULL},
                    *const users[] = {"check/types.h", "check/operator.h", NULL};
  static const char lost[] = "compile it again with this tgc";
  Parts p = {0};
  const bool has = has_numbers(f->operation);
  add_parts(a, &p, o->runtime, no_runtime, false, header);
  if (f->operands) {
    add_parts(a, &p, o->runtime, no_runtime, false, of_arrays);
    add_parts(a, &p, f->dir, lost, false, reference);
  } else if (!has) {
    add_parts(a, &p, o->runtime, no_runtime, false, headers);
    add_parts(a, &p, f->dir, lost, false, is_users(f) ? users : reference);
  }
  add_parts(a, &p, o->runtime, no_runtime, true, f->operands ? arrays : has ? numbers : folder);
  if (!f->operands) add_parts(a, &p, o->runtime, no_runtime, true, reduction);
  add_parts(a, &p, o->runtime, no_runtime, true, process);
  return p;
}

/* Of all texts; false: one cannot be read. */
static bool hash_parts(Arena *a, const Parts *parts, uint64_t *hash, Diagnostics *d) {
  for (int i = 0; i < parts->n; i++) {
    const Part *p = &parts->at[i];
    SourceFile *text = source_read(a, p->path);
    if (!text) {
      diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, p->lost, "cannot read `%s'", p->path);
      return false;
    }
    *hash = hash_text(*hash, text->text);
  }
  return true;
}

static const char *const *worker_command(Arena *a, const BuildOptions *o, const Folder *f, const Parts *parts,
                                         const char *table, const char *to) {
  Words w = f->cpu ? cpu_worker_command(a, o, f, to) : command(a, o, f->compute, to);
  if (f->cpu) PUSH(a, &w, table);
  else PUSH(a, &w, "-ldl", "-Xcompiler", "-pthread");
  if (f->operands && !f->cpu) PUSH(a, &w, "-Xcompiler", "-fopenmp");
  if (table && !f->cpu)
    PUSH(a, &w, "-Xcompiler", "-ffp-contract=off", arena_printf(a, "-I%s", f->dir), arena_printf(a, "-I%s", o->runtime),
         arena_printf(a, "-I%s/simt", o->runtime), table);
  for (int i = 0; i < parts->n; i++)
    if (parts->at[i].source) vec_push(a, &w, parts->at[i].path);
  if (f->cpu) PUSH(a, &w, "-ldl");
  vec_push(a, &w, NULL);
  return w.at;
}

const char *build_worker(Arena *a, const BuildOptions *o, const Folder *f, Diagnostics *d) {
  const Parts parts = f->cpu ? parts_of_cpu_worker(a, o, f) : parts_of_worker(a, o, f);
  const char *text = f->operands ? operands_table(a, f) : has_numbers(f->operation) ? NULL : table_of_types(a, f);
  uint64_t hash = text ? hash_text(HASH_START, text) : HASH_START;
  if (!hash_parts(a, &parts, &hash, d)) return NULL;
  const char *for_what = f->cpu ? "cpu" : arena_printf(a, "sm_%d", f->compute);
  const char *target = arena_printf(a, "%s/measure-%016" PRIx64 "-%s", o->cache, hash, for_what);
  if (access(target, X_OK) == 0) return target;
  const char *beside = arena_printf(a, "%s.%ld", target, (long)getpid());
  const char *table = text ? arena_printf(a, "%s.%s", beside, f->cpu ? "cc" : "cu") : NULL;
  if (table && !write_text(table, text)) {
    diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, NULL, "cannot write `%s': %s", table, strerror(errno));
    return NULL;
  }
  One one = {0};
  Job job = {.argv = worker_command(a, o, f, &parts, table, beside), .timeout = SECONDS, .done = keep, .context = &one};
  Jobs *jobs = jobs_new(a, 1);
  jobs_add(jobs, &job, false);
  jobs_run(jobs, NULL, NULL);
  if (table) unlink(table);
  if (one.done && one.ended.status == 0 && rename(beside, target) == 0) return target;
  unlink(beside);
  if (!one.done)
    diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, NULL, "interrupted");
  else if (one.ended.status == JOB_NOT_STARTED)
    no_compiler(o, f, o->cxx, d);
  else
    diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, NULL, "the measuring process does not compile:\n%s",
                    one.ended.output.text ? one.ended.output.text : "");
  return NULL;
}

/* ---- the variants ---- */

typedef struct Building {
  Arena *arena;
  int done, all, failed;
  bool not_started;
  const char *lost;  /* what was compiled and could not be kept, and why; NULL: nothing */
  int lost_errno;
  void (*tick)(void *context, int done, int all, int failed);
  void *context;
} Building;

typedef struct Object { Building *building; TunedVariant *variant; const char *source, *beside, *target; } Object;

/* The line that tells the error; NULL where the compiler was killed, by another or for memory, which says nothing of
 * the text. */
static const char *what_was_said(Arena *a, const Job *job) {
  if (job->status == JOB_TIMED_OUT) return arena_printf(a, "no end after %d s", job->timeout);
  if (job->status < 0) return NULL;
  const char *text = job->output.length ? job->output.text : "", *at = strstr(text, "error");
  if (!at) at = text;
  while (at > text && at[-1] != '\n') at--;
  size_t n = strcspn(at, "\n");
  return n ? arena_strndup(a, at, n) : arena_printf(a, "status %d", job->status);
}

static void built(Job *job) {
  Object *o = job->context;
  Building *b = o->building;
  b->done++;
  if (job->status == JOB_NOT_STARTED) b->not_started = true;
  if (job->status == 0 && rename(o->beside, o->target) == 0) o->variant->object = o->target;
  else if (job->status == 0) {
    b->lost = o->target;
    b->lost_errno = errno;
    unlink(o->beside);
  } else {
    o->variant->broken = true;
    o->variant->why = what_was_said(b->arena, job);
    b->failed++;
    unlink(o->beside);
  }
  unlink(o->source);
}

static void tell(void *context) {
  Building *b = context;
  if (b->tick) b->tick(b->context, b->done, b->all, b->failed);
}

bool build_variants(Arena *a, const BuildOptions *o, const Folder *f, void (*tick)(void *, int, int, int),
                    void *context, Diagnostics *d) {
  Building b = {.arena = a, .tick = tick, .context = context};
  Jobs *jobs = jobs_new(a, o->jobs);
  for (int i = 0; i < f->nvariants; i++) {
    TunedVariant *v = &f->variants[i];
    if (v->object || v->broken) continue;
    Buffer text = buffer_new(a);
    buffer_printf(&text, "#define %s(C)", v->macro);
    list(&text, v);
    buffer_printf(&text, "\n#include \"%s\"\n", v->file);
    const char *stem = arena_printf(a, "%s/%s-%s-%016" PRIx64 "-%s", o->cache, v->id, v->text_hash,
                                    hash_text(HASH_START, text.text), o->target);
    Object *object = arena_one(a, Object);
    *object = (Object){&b, v, arena_printf(a, "%s.%ld.%s", stem, (long)getpid(), f->suffix),
                       arena_printf(a, "%s.%ld", stem, (long)getpid()), arena_printf(a, "%s.so", stem)};
    if (access(object->target, R_OK) == 0) { v->object = object->target; continue; }
    if (!write_text(object->source, text.text)) {
      diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, NULL, "cannot write `%s': %s", object->source, strerror(errno));
      return false;
    }
    Words w = f->cpu ? cpu_variant_command(a, o, f, object->beside) : command(a, o, f->compute, object->beside);
    PUSH(a, &w, "-shared");
    if (!f->cpu) PUSH(a, &w, "-Xcompiler");
    PUSH(a, &w, "-fPIC", arena_printf(a, "-I%s", f->dir), object->source, NULL);
    Job job = {.argv = w.at, .timeout = SECONDS, .done = built, .context = object};
    jobs_add(jobs, &job, false);
    b.all++;
  }
  if (jobs_run(jobs, tell, &b) != 0) return false;
  if (b.not_started) no_compiler(o, f, strcmp(f->suffix, "c") == 0 ? o->cc : o->cxx, d);
  else if (b.lost)
    diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, NULL, "cannot write `%s': %s", b.lost, strerror(b.lost_errno));
  return !b.not_started && !b.lost;
}
