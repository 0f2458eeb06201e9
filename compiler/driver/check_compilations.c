/* check_compilations.c: a check's compilations, in its temporary folder, by way of ccache where there is one; and the
 * headers that many of them begin with, compiled once.
 *
 * The standard library's headers and those that execute codelets take half of the time that a sequential codelet
 * takes, and a quarter of a unit's. clang writes them as an object of their own (a precompiled header), which ccache
 * keeps from one check to the next. Without ccache that would not pay: a check has too few units. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver/check_parts.h"
#include "emit/emit.h"
#include "support/paths.h"

typedef struct Compilation {
  Check *check;
  Job job;
  const CheckHeaders *headers; /* that it begins with; NULL: its text alone */
  bool cached, first;
} Compilation;

struct CheckHeaders {
  Check *check;
  const char *object;
  bool done, failed;
  VEC(Compilation *) waiting;
};

static void queue(Compilation *one);

/* ---- one compilation ---- */

static void compiled(Job *job) {
  Compilation *one = job->context;
  const bool refused = job->status == JOB_NOT_STARTED ||
                       (job->status != 0 && job->output.length && strstr(job->output.text, "ccache: "));
  if (one->cached && refused) { /* perhaps for want of a folder to keep it in */
    one->cached = false;
    queue(one);
    return;
  }
  if (one->headers && job->status > 0) { /* whatever is wrong is said of the text alone */
    one->headers = NULL;
    queue(one);
    return;
  }
  job->context = one->job.context;
  one->job.done(job);
}

/* ccache looks at the files that the compiler says it read: it has no preprocessor run first, and the folder's name,
 * which differs each time, is in none of them. Of compiled headers it has to be told that their macros are theirs. */
static void queue(Compilation *one) {
  static const char *const by_ccache[] = {"env", "CCACHE_DEPEND=1", "CCACHE_NOHASHDIR=1",
                                          "CCACHE_SLOPPINESS=pch_defines,time_macros", "ccache"};
  Check *c = one->check;
  Words words = {0};
  if (one->cached) words_push(c->arena, &words, by_ccache, sizeof by_ccache / sizeof *by_ccache);
  const char *compiler = one->job.argv[0];
  char here[4096];
  if (compiler[0] != '/' && strchr(compiler, '/') && getcwd(here, sizeof here))
    compiler = arena_printf(c->arena, "%s/%s", here, compiler);
  PUSH(c->arena, &words, compiler);
  if (one->headers) PUSH(c->arena, &words, "-include-pch", one->headers->object);
  for (const char *const *word = one->job.argv + 1; *word; word++) PUSH(c->arena, &words, *word);
  if (one->cached) PUSH(c->arena, &words, "-MD");
  PUSH(c->arena, &words, NULL);
  Job job = one->job;
  job.argv = words.at;
  job.folder = c->temporary;
  job.timeout = CHECK_COMPILE_SECONDS;
  job.done = compiled;
  job.context = one;
  jobs_add(c->jobs, &job, one->first);
}

static bool has_ccache(const Check *c) { return !c->options.device && check_in_path("ccache") && check_in_path("env"); }

void check_queue_compilation(Check *c, const Job *job, CheckHeaders *headers, bool first) {
  Compilation *one = arena_one(c->arena, Compilation);
  *one = (Compilation){.check = c, .job = *job, .cached = has_ccache(c), .first = first};
  if (headers && !headers->failed) one->headers = headers;
  if (one->headers && !headers->done) vec_push(c->arena, &headers->waiting, one);
  else queue(one);
}

/* ---- headers ---- */

static void headers_done(Job *job) {
  CheckHeaders *h = job->context;
  h->check->steps_done++;
  h->done = true;
  h->failed = job->status != 0;
  for (int i = 0; i < h->waiting.n; i++) {
    if (h->failed) h->waiting.at[i]->headers = NULL;
    queue(h->waiting.at[i]);
  }
}

CheckHeaders *check_queue_headers(Check *c, const char *const *words, const char *header, const char *name) {
  if (!header || !c->clang || !has_ccache(c)) return NULL;
  CheckHeaders *h = arena_one(c->arena, CheckHeaders);
  *h = (CheckHeaders){.check = c, .object = arena_printf(c->arena, "%s.pch", name)};
  Words own = {0};
  for (; *words; words++) {
    if (strcmp(*words, "-c") == 0 || strcmp(*words, "-o") == 0) words++; /* and what it names */
    else PUSH(c->arena, &own, *words);
  }
  PUSH(c->arena, &own, "-include", "check/harness.h", "-x", "c++-header", header, "-o", h->object, "-Xclang",
       "-fno-pch-timestamp", NULL); /* the same bytes each time */
  Job job = {.argv = own.at, .done = headers_done, .context = h};
  c->steps++;
  check_queue_compilation(c, &job, NULL, true);
  return h;
}

/* Does a file say just this? */
static bool says(const char *path, const char *text) {
  FILE *f = fopen(path, "r");
  bool same = f != NULL;
  for (; same && *text; text++) same = getc(f) == (unsigned char)*text;
  same = same && getc(f) == EOF;
  if (f) fclose(f);
  return same;
}

const char *check_witness_header(Check *c) {
  static const char *const places[] = {"../../witness", "../../include/tgc/witness"}; /* beside the source; installed */
  const char *entry = NULL;
  for (size_t i = 0; i < sizeof places / sizeof *places && !entry; i++) {
    const char *folder = arena_printf(c->arena, "%s/%s", c->simt, places[i]);
    bool same = true;
    for (const struct EmbeddedFile *w = emit_witness_files; w->path && same; w++)
      same = says(arena_printf(c->arena, "%s/%s", c->dir, w->path), w->text) &&
             says(arena_printf(c->arena, "%s%s", folder, strchr(w->path, '/')), w->text);
    char *found = same ? realpath(arena_printf(c->arena, "%s/entry.h", folder), NULL) : NULL;
    if (found) entry = arena_strdup(c->arena, found);
    free(found);
  }
  return entry;
}
