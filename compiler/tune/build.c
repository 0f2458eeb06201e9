/* build.c: nvcc. A shared object a variant, compiled for all of its configurations, and the measuring process; both
 * stay in a cache folder under names that tell what went into them, so that only what changed is compiled again. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/jobs.h"
#include "support/hash.h"
#include "tune/tune.h"

enum { SECONDS = 600 };

static bool fits(const Tunable *t, int64_t value) {
  return value >= t->min && (t->max == 0 || value <= t->max) && (t->multiple <= 1 || value % t->multiple == 0);
}

/* The values of a tunable that are tried: its own and powers of two. */
static int values(const Tunable *t, const int *powers, int n, int *to) {
  int count = 0;
  if (!t->present) { to[count++] = 0; return count; }
  to[count++] = (int)t->preset;
  for (int i = 0; i < n; i++)
    if (fits(t, powers[i]) && powers[i] != t->preset) to[count++] = powers[i];
  return count;
}

Configurations build_configurations(Arena *a, const TunedVariant *v) {
  static const int threads[] = {64, 128, 256, 512, 1024}, loads[] = {1, 2, 4, 8, 16};
  int t[8], l[8], nt = values(&v->threads, threads, 5, t), nl = values(&v->loads, loads, 5, l);
  Configurations all = {0};
  for (int i = 0; i < nt; i++)
    for (int j = 0; j < nl; j++) {
      Configuration c = {t[i], l[j], 0};
      vec_push(a, &all, c);
    }
  return all;
}

static void list(Buffer *to, const TunedVariant *v) {
  Configurations all = build_configurations(to->arena, v);
  for (int i = 0; i < all.n; i++) {
    buffer_printf(to, " C(%d", all.at[i].threads);
    if (v->loads.present) buffer_printf(to, ", %d", all.at[i].loads);
    buffer_puts(to, ")");
  }
}

static bool write_text(const char *path, const char *text) {
  FILE *f = fopen(path, "w");
  if (!f) return false;
  bool ok = fputs(text, f) >= 0;
  return fclose(f) == 0 && ok;
}

/* ---- the measuring process ---- */

typedef struct One { Job ended; bool done; } One;

static void keep(Job *job) {
  One *one = job->context;
  one->ended = *job;
  one->done = true;
}

/* Compiles to a name beside, which becomes `target' when it is whole. */
static const char *const *command(Arena *a, const BuildOptions *o, int compute, const char *from, const char *to,
                                  const char *include, bool shared) {
  const char **argv = arena_many(a, const char *, 20);
  int n = 0;
  argv[n++] = o->nvcc;
  argv[n++] = "-std=c++17";
  argv[n++] = "-O3";
  argv[n++] = arena_printf(a, "-arch=sm_%d", compute);
  argv[n++] = "-cudart";
  argv[n++] = "shared";
  if (shared) {
    argv[n++] = "-shared";
    argv[n++] = "-Xcompiler";
    argv[n++] = "-fPIC";
  } else {
    argv[n++] = "-ldl";
    argv[n++] = "-Xcompiler";
    argv[n++] = "-pthread";
  }
  if (include) argv[n++] = arena_printf(a, "-I%s", include);
  argv[n++] = "-o";
  argv[n++] = to;
  argv[n++] = from;
  return argv;
}

static void no_compiler(const BuildOptions *o, Diagnostics *d) {
  diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, "tuning needs the CUDA toolkit; TGC_NVCC names its compiler",
                  "cannot run `%s'", o->nvcc);
}

const char *build_worker(Arena *a, const BuildOptions *o, const Folder *f, Diagnostics *d) {
  SourceFile *text = source_read(a, o->source);
  if (!text) {
    diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, "set TGC_DATA_DIR to the folder that holds `runtime'",
                    "cannot read `%s'", o->source);
    return NULL;
  }
  const char *target = arena_printf(a, "%s/measure-%016" PRIx64 "-sm_%d", o->cache, hash_text(HASH_START, text->text),
                                    f->compute);
  if (access(target, X_OK) == 0) return target;
  const char *beside = arena_printf(a, "%s.%ld", target, (long)getpid());
  One one = {0};
  const char *const *argv = command(a, o, f->compute, o->source, beside, NULL, false);
  Job job = {.argv = argv, .timeout = SECONDS, .done = keep, .context = &one};
  Jobs *jobs = jobs_new(a, 1);
  jobs_add(jobs, &job, false);
  jobs_run(jobs, NULL, NULL);
  if (one.done && one.ended.status == 0 && rename(beside, target) == 0) return target;
  unlink(beside);
  if (!one.done)
    diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, NULL, "interrupted");
  else if (one.ended.status == JOB_NOT_STARTED)
    no_compiler(o, d);
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
  else {
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
    const char *stem = arena_printf(a, "%s/%s-%s-%016" PRIx64 "-sm_%d", o->cache, v->id, v->text_hash,
                                    hash_text(HASH_START, text.text), f->compute);
    Object *object = arena_one(a, Object);
    *object = (Object){&b, v, arena_printf(a, "%s.%ld.cu", stem, (long)getpid()),
                       arena_printf(a, "%s.%ld", stem, (long)getpid()), arena_printf(a, "%s.so", stem)};
    if (access(object->target, R_OK) == 0) { v->object = object->target; continue; }
    if (!write_text(object->source, text.text)) {
      diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, NULL, "cannot write `%s': %s", object->source, strerror(errno));
      return false;
    }
    const char *const *argv = command(a, o, f->compute, object->source, object->beside, f->dir, true);
    Job job = {.argv = argv, .timeout = SECONDS, .done = built, .context = object};
    jobs_add(jobs, &job, false);
    b.all++;
  }
  if (jobs_run(jobs, tell, &b) != 0) return false;
  if (b.not_started) no_compiler(o, d);
  return !b.not_started;
}
