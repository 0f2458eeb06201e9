/* main.c: tgc tune. Builds the variants of a folder, measures them on the GPU or the CPU at hand, and writes what
 * serves which size best into the folder. docs/explanations/tuning.md tells how it is used. */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "command/command.h"
#include "support/paths.h"
#include "support/terminal.h"
#include "tune/tune.h"

enum { DONE = 0, FAILED = 1 };

/* What was asked for: the arguments, and what was made of them. */
typedef struct TuneOptions {
  TuneArguments given;
  const char *dir;
  bool quiet, verbose, json;
  double seconds; /* of `--timeout' */
  int at_once;    /* of `--jobs' */
} TuneOptions;

static volatile sig_atomic_t stopped;
static void on_signal(int number) { stopped = number; }
static bool interrupted(void) { return stopped != 0; }

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- options ---- */

static int misuse(const char *why) { return command_misuse(command_by_name("tune"), why); }

/* Seconds, up to a day. */
static bool seconds_of(const char *s, double *seconds) {
  char *end;
  *seconds = strtod(s, &end);
  return end > s && *end == '\0' && *seconds > 0 && *seconds <= 86400;
}

static bool jobs_of(const char *s, int *jobs) {
  enum { MOST_JOBS = 1024 };
  char *end;
  long n = strtol(s, &end, 10);
  *jobs = (int)n;
  return end > s && *end == '\0' && n >= 1 && n <= MOST_JOBS;
}

/* ---- progress ---- */

typedef struct Progress {
  bool terminal, quiet;
  double began, last;
  double from, share; /* this type's part of the whole */
  const char *what;
} Progress;

static void show(Progress *p, double fraction, const char *what) {
  double t = now(), every = p->terminal ? 0.1 : 5;
  if (p->quiet || (t - p->last < every && fraction < 1)) return;
  p->last = t;
  double left = fraction > 0.02 ? (t - p->began) * (1 - fraction) / fraction : -1;
  char text[64] = "";
  if (left >= 0) snprintf(text, sizeof text, ", %.0f s left", left);
  if (p->terminal) {
    enum { WIDTH = 30 };
    int full = (int)(WIDTH * fraction);
    fprintf(stderr, "\r\033[K[%.*s%*s] %3.0f %% %s%s", full, "##############################", WIDTH - full, "",
            100 * fraction, what, text);
    if (fraction >= 1) fprintf(stderr, "\n");
  } else fprintf(stderr, "tgc tune: %.0f %%, %s%s\n", 100 * fraction, what, text);
  fflush(stderr);
}

static void searching(void *context, double fraction, const char *what) {
  Progress *p = context;
  show(p, p->from + p->share * fraction, what);
}

static void building(void *context, int done, int all, int failed) {
  Progress *p = context;
  char what[96];
  snprintf(what, sizeof what, "compiled %d of %d variants%s", done, all, failed ? ", some fail" : "");
  if (all) show(p, p->from + p->share * done / all, what);
}

/* ---- the run ---- */

typedef struct Run {
  Arena *a;
  const TuneOptions *o;
  Folder folder;
  Diagnostics *d;
  Database *db;
  DeviceInfo device;
  const char **types;
  int ntypes;
  Shapes shapes; /* as they are listed; then all that are measured */
  Objective objective;
  Determinism determinism; /* of floating results, at least */
  unsigned conditions; /* of a table's rows: calls that meet them and calls that do not are measured apart */
  const char *path, *cache; /* of the database, and of what is compiled */
  Progress progress;
} Run;

static int fail(Run *r, const char *hint, const char *message) {
  diagnostics_add(r->d, DIAG_ERROR, (SourceRange){0}, hint, "%s", message);
  return FAILED;
}

static bool unwritable(Run *r, const char *why) {
  fail(r, NULL, arena_printf(r->a, "cannot write the database `%s': %s", r->path, why));
  return false;
}

static bool is_picked(const Run *r, const char *type) {
  for (int i = 0; i < r->ntypes; i++)
    if (strcmp(r->types[i], type) == 0) return true;
  return false;
}

static bool pick_types(Run *r) {
  r->types = arena_many(r->a, const char *, r->folder.ntypes);
  if (!r->o->given.types) {
    for (int i = 0; i < r->folder.ntypes; i++) r->types[r->ntypes++] = r->folder.types[i];
    return true;
  }
  const char *s = r->o->given.types;
  do {
    size_t n = strcspn(s, ",");
    const char *name = arena_strndup(r->a, s, n), *found = NULL;
    for (int i = 0; i < r->folder.ntypes; i++)
      if (strcmp(r->folder.types[i], name) == 0) found = r->folder.types[i];
    if (!found) return fail(r, NULL, arena_printf(r->a, "the folder has no type `%s'", name)), false;
    if (!is_picked(r, found)) r->types[r->ntypes++] = found;
    s += n + (s[n] == ',');
  } while (*s);
  return true;
}

/* The table that the folder has; the rows of the types that are not tuned now stay. */
static bool read_before(Run *r, Table *before, Table *t) {
  const char *path = arena_printf(r->a, "%s/%s.table", r->folder.dir, r->folder.spectrum);
  SourceFile *s = source_read(r->a, path);
  if (!s) {
    fail(r, "compile it again with this tgc", arena_printf(r->a, "cannot read `%s': %s", path, strerror(errno)));
    return false;
  }
  *before = (Table){0};
  if (!table_read(r->a, s, before, r->d)) return false;
  for (int i = 0; i < before->rows.n; i++) {
    if (!is_picked(r, before->rows.at[i].type)) vec_push(r->a, &t->rows, before->rows.at[i]);
  }
  return true;
}

static const char *today(Arena *a) {
  time_t t = time(NULL);
  struct tm tm;
  char text[16];
  strftime(text, sizeof text, "%Y-%m-%d", gmtime_r(&t, &tm));
  return arena_strdup(a, text);
}

static const char *heading(const Run *r) {
  const DeviceInfo *d = &r->device;
  if (r->folder.cpu)
    return arena_printf(r->a, "%s, measured on %s%s%s%s, %s -O3 %s, %s", r->folder.spectrum, d->name,
                        *d->more ? " (" : "", d->more, *d->more ? ")" : "", d->toolkit, d->driver, today(r->a));
  return arena_printf(r->a, "%s, measured on %s, compute capability %d.%d, driver %s, CUDA %s, %s", r->folder.spectrum,
                      d->name, d->compute / 10, d->compute % 10, d->driver, d->toolkit, today(r->a));
}

/* The rows of the table as JSON, with the keys of the manifest's `dispatch'. */
static int print_rows(Arena *a, const Table *t, const Tunables *members) {
  json_t *all = json_array();
  for (int i = 0; i < t->rows.n; i++) {
    const TableRow *row = &t->rows.at[i];
    json_t *one = json_pack("{s:s, s:s, s:s}", "type", row->type, "up_to", table_size(a, row), "variant", row->variant);
    for (int k = 0; k < members->n; k++)
      json_object_set_new(one, members->at[k].name, json_integer(tunables_value(&row->set, members->at[k].name)));
    if (one) json_array_append_new(all, one);
  }
  json_t *table = json_pack("{s:s, s:o}", "measured", t->heading, "rows", all);
  if (table) json_dumpf(table, stdout, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
  puts("");
  json_decref(table);
  return DONE;
}

/* A type of which nothing could be measured. */
static int nothing_measured(Run *r, const Search *s, const char *type) {
  int others = 0;
  for (int k = FAILED_LAUNCH; k <= FAILED_TIMEOUT; k++) others += k == FAILED_WRONG ? 0 : s->failures[k];
  const char *message = arena_printf(r->a, "no variant could be measured for `%s'", type);
  if (!s->failures[FAILED_WRONG] || others) return fail(r, "`--retry' measures again what has failed", message);
  return fail(r, "`tgc check' shows what differs from the sequential codelet's results, and where", message);
}

/* What was found of one type by calls of one kind. */
typedef struct Found { const char *type; Calls calls; SizeFindings *at; int n; } Found;
typedef VEC(Found) AllFound;

/* The rows of a type: those that were measured, and of the table before those for other calls. */
static bool rows_of_type(Run *r, const char *type, const AllFound *all, const Table *before, Table *t) {
  const unsigned replaced = r->conditions ? 0 : rows_replaced(&r->folder, before, type);
  if (!r->conditions) rows_keep(r->a, &r->folder, before, type, replaced, false, t);
  for (int i = 0; i < all->n; i++) {
    const Found *f = &all->at[i];
    const int had = t->rows.n;
    if (strcmp(f->type, type) != 0 || !f->n) continue;
    ranges_add(r->a, &r->folder, t, type, r->conditions ? f->calls.like : replaced, f->at, f->n, r->objective);
    if (t->rows.n == had && !f->calls.like) return false;
  }
  if (!r->conditions) rows_keep(r->a, &r->folder, before, type, replaced, true, t);
  return true;
}

static int write_tables(Run *r, const Search *s, const AllFound *all) {
  Table t = {.heading = heading(r)}, before;
  if (!read_before(r, &before, &t)) return FAILED;
  for (int i = 0; i < r->ntypes; i++)
    if (!rows_of_type(r, r->types[i], all, &before, &t)) return nothing_measured(r, s, r->types[i]);
  if (!folder_rewrite(r->a, &r->folder, &t, r->d)) return FAILED;
  for (int i = 0; i < all->n; i++)
    before_compare(r->a, &before, r->device.name, all->at[i].type, all->at[i].at, all->at[i].n, r->d);
  Buffer b = buffer_new(r->a);
  table_print(&b, &t);
  if (r->o->json) return print_rows(r->a, &t, &r->folder.members);
  if (!r->o->quiet) fputs(b.text, stdout);
  return DONE;
}

/* ---- variants that do not compile: failures without a type, a size, a configuration ---- */

/* Those that are known not to, with their text as it is, by this toolkit. */
static void recall_broken(Run *r) {
  for (int i = 0; i < r->folder.nvariants; i++) {
    Candidate c = {.variant = &r->folder.variants[i]};
    Measured m;
    if (!database_find(r->db, &r->device, &r->folder, "", &c, (Shape){0}, "", 0, &m)) continue;
    if (m.failed != FAILED_COMPILE) continue;
    c.variant->broken = true;
    c.variant->why = m.message;
  }
}

static bool record_broken(Run *r) {
  for (int i = 0; i < r->folder.nvariants; i++) {
    Candidate c = {.variant = &r->folder.variants[i]};
    Measured m = {.failed = FAILED_COMPILE, .message = c.variant->why}, known;
    if (!c.variant->broken || !c.variant->why) continue;
    if (database_find(r->db, &r->device, &r->folder, "", &c, (Shape){0}, "", 0, &known) && known.failed) continue;
    if (!database_store(r->db, &r->device, &r->folder, "", &c, (Shape){0}, 0, &m))
      return unwritable(r, database_error(r->db));
  }
  return true;
}

static int broken(const Run *r) {
  int n = 0;
  for (int i = 0; i < r->folder.nvariants; i++) n += r->folder.variants[i].broken;
  return n;
}

static const char *program_named(const char *variable, const char *usual) {
  const char *named = getenv(variable);
  return named && *named ? named : usual;
}

/* What a CPU is told apart by is known once the measuring process runs on it. */
static void look_at_device(Run *r, BuildOptions *b) {
  if (r->folder.cpu) {
    if (!r->device.more) r->device.more = "";
    r->device.driver = b->options;
    b->target = cpu_target(r->a, b, &r->device);
    return;
  }
  b->target = arena_printf(r->a, "sm_%d", r->folder.compute);
  if (r->device.compute / 10 != r->folder.compute / 10)
    diagnostics_add(r->d, DIAG_WARNING, (SourceRange){0}, NULL,
                    "the folder was written for %s, and this is a %s of compute capability %d.%d",
                    r->folder.machine, r->device.name, r->device.compute / 10, r->device.compute % 10);
}

static int prepare(Run *r, Worker **w) {
  const char *runtime = path_of_data(r->a, "runtime");
  BuildOptions b = {.nvcc = program_named("TGC_NVCC", "nvcc"),
                    .cc = program_named("TGC_CC", "cc"),
                    .cxx = program_named("TGC_CXX", "c++"),
                    .options = r->o->given.flags ? r->o->given.flags : r->folder.options,
                    .cache = r->cache,
                    .jobs = r->o->at_once,
                    .runtime = runtime ? runtime : "runtime"};
  if (mkdir(r->cache, 0777) != 0 && errno != EEXIST)
    return fail(r, NULL, arena_printf(r->a, "cannot make `%s': %s", r->cache, strerror(errno)));
  const char *program = build_worker(r->a, &b, &r->folder, r->d);
  if (!program) return FAILED;
  *w = worker_new(r->a, &r->folder, program, &r->device, r->d);
  if (!*w) return FAILED;
  look_at_device(r, &b);
  r->progress.from = 0;
  r->progress.share = 0.3;
  recall_broken(r);
  if (!build_variants(r->a, &b, &r->folder, building, &r->progress, r->d))
    return r->d->errors ? FAILED : fail(r, "the same command continues from here", "interrupted");
  if (!record_broken(r)) return FAILED;
  if (broken(r) < r->folder.nvariants) return DONE;
  const char *why = r->folder.nvariants ? r->folder.variants[0].why : "the folder has none";
  return fail(r, "`--retry' measures again what has failed",
              arena_printf(r->a, "no variant compiles: %s", why ? why : "the compiler was killed"));
}

/* .. each that failed to compile, with the reason. */
static void list_broken(const Run *r) {
  for (int i = 0; i < r->folder.nvariants; i++)
    if (r->folder.variants[i].broken)
      fprintf(stderr, "tgc tune: variant %s does not compile: %s\n", r->folder.variants[i].id,
              r->folder.variants[i].why ? r->folder.variants[i].why : "the compiler was killed");
}

static void summary(const Run *r, const Search *s) {
  if (r->o->verbose) list_broken(r);
  if (r->o->quiet) return;
  fprintf(stderr, "tgc tune: %d measured, %d from the database", s->measured, s->known);
  if (broken(r)) fprintf(stderr, ", %d variant%s not compile", broken(r), broken(r) == 1 ? " does" : "s do");
  for (int k = FAILED_LAUNCH; k <= FAILED_TIMEOUT; k++)
    if (s->failures[k]) fprintf(stderr, ", %d failed (%s)", s->failures[k], failure_names[k]);
  if (r->device.meeting > 0) fprintf(stderr, ", barrier %.2f us", r->device.meeting);
  fprintf(stderr, ", %.0f s\n", now() - r->progress.began);
}

/* What was listed, or what is usual on the device. */
static void pick_shapes(Run *r) {
  const Shapes sizes = r->shapes;
  if (r->o->given.shapes || (r->o->given.sizes && !r->folder.by_shape)) return;
  r->shapes = (Shapes){0};
  shapes_usual(r->a, &r->folder, &r->device, &sizes, &r->shapes);
}

static int measure_all(Run *r) {
  Worker *w = NULL;
  int status = prepare(r, &w);
  if (status != DONE) { if (w) worker_free(w); return status; }
  pick_shapes(r);
  Search s = {.arena = r->a, .folder = &r->folder, .device = &r->device, .database = r->db, .worker = w,
              .determinism = r->determinism, .objective = r->objective,
              .shapes = r->shapes,
              .timeout = r->o->seconds, .progress = searching, .context = &r->progress, .interrupted = interrupted};
  AllFound all = {0};
  Calls calls[MOST_CALLS];
  const int apart = calls_apart(r->conditions, calls);
  bool whole = true;
  for (int i = 0; i < r->ntypes * apart && whole; i++) {
    Found f = {.type = r->types[i / apart], .calls = calls[i % apart]};
    s.shapes = calls_shapes(r->a, &r->folder, &r->shapes, f.calls);
    f.n = s.shapes.n;
    f.at = arena_many(r->a, SizeFindings, f.n);
    r->progress.from = 0.3 + 0.7 * i / (r->ntypes * apart);
    r->progress.share = 0.7 / (r->ntypes * apart);
    whole = search_type(&s, f.type, f.at);
    vec_push(r->a, &all, f);
  }
  worker_free(w);
  if (whole) show(&r->progress, 1, "measured");
  else if (r->progress.terminal) fputs("\n", stderr);
  summary(r, &s);
  if (!s.unwritable && !database_commit(r->db)) s.unwritable = database_error(r->db);
  if (s.unwritable) return unwritable(r, s.unwritable), FAILED;
  if (!whole)
    return fail(r, "the same command continues from here",
                stopped ? "interrupted" : "the measuring process cannot be started any more");
  return write_tables(r, &s, &all);
}

/* Options that say nothing of such a folder. */
static const char *fit_options(Run *r) {
  const TuneOptions *o = r->o;
  const bool cpu = r->folder.cpu;
  if (cpu && o->given.objective) return "`--objective' is for GPUs: a call on a CPU returns when its work is done";
  if (!cpu && o->given.flags) return "`--flags' is for CPUs";
  if (o->given.shapes && !r->folder.by_shape)
    return "`--shapes' is for spectra with a result for each of many rows or segments";
  if (r->conditions & ~r->folder.conditions) {
    Buffer words = buffer_new(r->a);
    conditions_print(&words, r->conditions & ~r->folder.conditions, ", ");
    return arena_printf(r->a, "no call of `%s' tells: %s", r->folder.spectrum, words.text);
  }
  if (cpu) r->objective = OBJECTIVE_GRAPH;
  return NULL;
}

static int run(Run *r) {
  const TuneOptions *o = r->o;
  if (!folder_read(r->a, o->dir, &r->folder, r->d) || !pick_types(r)) return FAILED;
  const char *why = fit_options(r);
  if (why) return misuse(why);
  r->path = o->given.database ? o->given.database : arena_printf(r->a, "%s/tune.db", o->dir);
  r->cache = arena_printf(r->a, "%s.cache", r->path);
  r->db = database_open(r->a, r->path, r->d);
  if (!r->db) return FAILED;
  if (o->given.retry) database_forget_failures(r->db);
  if (o->given.merge) {
    int64_t added = database_merge(r->db, o->given.merge, r->d);
    if (added >= 0) printf("%" PRId64 " rows added from %s\n", added, o->given.merge);
    return added >= 0 ? DONE : FAILED;
  }
  return measure_all(r);
}

/* What its arguments mean. NULL, or why they cannot be. */
static const char *read_values(Run *r, TuneOptions *o) {
  static const char *const objectives[] = {
      [OBJECTIVE_ALL] = "all", [OBJECTIVE_GRAPH] = "graph", [OBJECTIVE_STREAM] = "stream"};
  const TuneArguments *given = &o->given;
  Arena *a = r->a;
  o->dir = given->operands.at[0];
  o->quiet = r->progress.quiet = given->quiet != NULL;
  o->verbose = given->verbose != NULL;
  o->json = given->json != NULL;
  if (o->quiet && o->verbose) return "`--quiet' and `--verbose' contradict each other";
  if (given->sizes && !shapes_of(a, given->sizes, false, &r->shapes))
    return arena_printf(a, "`--sizes' takes numbers as in 64,2^10,2^6..2^30, not `%.60s'", given->sizes);
  if (given->sizes && given->shapes) return "`--sizes' and `--shapes' contradict each other: give one of them";
  if (given->shapes && !shapes_of(a, given->shapes, true, &r->shapes))
    return arena_printf(a, "`--shapes' takes shapes as in 2^4x2^20,2^8x1, not `%.60s'", given->shapes);
  if (given->conditions && !(r->conditions = calls_conditions(given->conditions)))
    return arena_printf(a, "`--conditions' takes some of aligned,tall,wide, not `%.60s'", given->conditions);
  if (given->determinism) determinism_by_name(given->determinism, &r->determinism);
  if (given->timeout && !seconds_of(given->timeout, &o->seconds))
    return arena_printf(a, "`--timeout' takes seconds, up to a day, not `%.60s'", given->timeout);
  if (given->jobs && !jobs_of(given->jobs, &o->at_once))
    return arena_printf(a, "`--jobs' takes a number from 1 to 1024, not `%.60s'", given->jobs);
  for (size_t i = 0; given->objective && i < sizeof objectives / sizeof *objectives; i++)
    if (strcmp(objectives[i], given->objective) == 0) r->objective = (Objective)i;
  return NULL;
}

static int tune(Run *r, TuneOptions *o) {
  const char *why = read_values(r, o);
  if (why) return misuse(why);
  signal(SIGINT, on_signal);
  signal(SIGTERM, on_signal);
  const int status = run(r);
  if (r->db) database_close(r->db);
  diagnostics_print(r->d, stderr, 0, terminal_color(o->given.color, STDERR_FILENO));
  return status;
}

int main(int argc, char **argv) {
  const Command *c = command_by_name("tune");
  Arena *a = arena_new();
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  TuneOptions o = {.seconds = 30, .at_once = processors > 0 ? (int)processors : 1};
  Run r = {.a = a, .o = &o, .d = diagnostics_new(a), .determinism = DETERMINISM_RUN_TO_RUN,
           .progress = {.terminal = isatty(STDERR_FILENO), .began = now()}};
  const char *why = command_parse(a, c, argc - 1, argv + 1, &o.given);
  int status = DONE;
  if (why) status = command_misuse(c, why);
  else if (o.given.help) {
    Buffer text = buffer_new(a);
    command_help(&text, c, terminal_text_columns());
    if (fputs(text.text, stdout) == EOF || fflush(stdout) != 0) status = FAILED;
  } else status = tune(&r, &o);
  arena_free(a);
  return status;
}
