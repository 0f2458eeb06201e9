/* check_report.c: failures gathered, progress, and the summary. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "driver/check_parts.h"

enum { SHOWN_A_VARIANT = 3, SHOWN = 30 };

double check_clock(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- failures ---- */

void check_fail(Check *c, CheckVariant *v, CheckFailure f) {
  const char **texts[] = {&f.type, &f.sizes, &f.seed, &f.offset, &f.data, &f.got, &f.want, &f.what, &f.program};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (!*texts[i] || !**texts[i]) *texts[i] = "-";
  f.variant = v;
  v->failures++;
  vec_push(c->arena, &c->failures, f);
}

/* The nine fields of a "fail" line. */
static void take_failure(Check *c, CheckVariant *v, const char *program, const char *line, size_t length) {
  char *field[9], *rest = arena_strndup(c->arena, line, length);
  for (int i = 0; i < 9; i++) {
    char *tab = i < 8 && rest ? strchr(rest, '\t') : NULL;
    if (tab) *tab = '\0';
    field[i] = rest ? rest : "-";
    rest = tab ? tab + 1 : NULL;
  }
  check_fail(c, v, (CheckFailure){.kind = field[0], .type = field[1], .sizes = field[2], .seed = field[3],
                                  .offset = field[4], .data = field[5], .got = field[6], .want = field[7],
                                  .what = field[8], .program = program});
}

void check_take_output(Check *c, CheckVariant *v, const Job *job, const char *program) {
  const char *text = job->output.length ? job->output.text : "";
  int before = v->failures;
  while (*text) {
    size_t n = strcspn(text, "\n");
    if (strncmp(text, "fail ", 5) == 0) take_failure(c, v, program, text + 5, n - 5);
    else if (strncmp(text, "done ", 5) == 0) v->runs += atol(text + 5);
    text += n + (text[n] == '\n');
  }
  if (--v->programs == 0) {
    v->ended = true;
    c->ended++;
  }
  if (job->status == 0 || v->failures > before) return; /* what ended it has said so */
  const char *how = job->status < 0 ? arena_printf(c->arena, "ended by signal %d", -job->status)
                                    : arena_printf(c->arena, "exit status %d", job->status);
  check_fail(c, v, (CheckFailure){.kind = "crash", .what = how, .program = program});
}

/* ---- progress ---- */


static int failed_variants(const Check *c) {
  int n = 0;
  for (int i = 0; i < c->nvariants; i++) n += c->variants[i].failures > 0;
  return n;
}

/* A compilation takes about as long as two variants run. */
static double share_done(const Check *c) {
  double all = 2.0 * c->steps + (c->options.compile ? 0 : c->nvariants);
  double done = 2.0 * c->steps_done + (c->options.compile ? 0 : c->ended);
  return all > 0 ? done / all : 1;
}

static void print_progress(const Check *c, bool terminal) {
  double share = share_done(c), spent = check_clock() - c->started;
  char left[40] = "";
  if (share > 0.05) snprintf(left, sizeof left, ", %.0f s left", spent / share - spent);
  if (terminal) {
    char bar[21];
    for (int i = 0; i < 20; i++) bar[i] = i < (int)(20 * share) ? '#' : '.';
    bar[20] = '\0';
    fprintf(stderr, "\r\033[K[%s] compiled %d of %d, checked %d of %d variants, %d failed%s", bar,
            c->steps_done, c->steps, c->ended, c->nvariants, failed_variants(c), left);
  } else {
    fprintf(stderr, "tgc check: compiled %d of %d, checked %d of %d variants, %d failed%s\n", c->steps_done, c->steps,
            c->ended, c->nvariants, failed_variants(c), left);
  }
  fflush(stderr);
}

/* On a terminal a bar several times a second, elsewhere a line every ten seconds. */
void check_progress(void *context) {
  Check *c = context;
  bool terminal = isatty(STDERR_FILENO);
  double now = check_clock();
  if (now - c->last_progress < (terminal ? 0.1 : 10)) return;
  c->last_progress = now;
  print_progress(c, terminal);
}

void check_progress_end(void) {
  if (isatty(STDERR_FILENO)) fprintf(stderr, "\r\033[K");
}

/* ---- the summary ---- */

static void print_failure(const CheckFailure *f, FILE *to) {
  fprintf(to, "%s: %s", f->variant->id, f->kind);
  if (strcmp(f->type, "-") != 0)
    fprintf(to, ", %s, %s, seed %s, offset %s, %s data", f->type, f->sizes, f->seed, f->offset, f->data);
  if (strcmp(f->program, "-") != 0) fprintf(to, ", compiled with %s", f->program);
  fprintf(to, "\n");
  if (strcmp(f->want, "-") != 0) fprintf(to, "    got %s, want %s\n", f->got, f->want);
  if (strcmp(f->what, "-") != 0) fprintf(to, "    %s\n", f->what);
}

/* By variant; without --all a few of each, and of all. */
static void print_failures(const Check *c, FILE *to) {
  int shown = 0, left = 0;
  for (int i = 0; i < c->nvariants; i++) {
    int of_variant = 0;
    for (int k = 0; k < c->failures.n; k++) {
      const CheckFailure *f = &c->failures.at[k];
      if (f->variant != &c->variants[i]) continue;
      if (!c->options.all && (++of_variant > SHOWN_A_VARIANT || shown >= SHOWN)) { left++; continue; }
      print_failure(f, to);
      shown++;
    }
  }
  if (left) fprintf(to, "and %d more; `--all' shows them, `--variant ID' one variant's\n", left);
  if (shown) fprintf(to, "\n");
}

static void print_categories(const Check *c, FILE *to) {
  fprintf(to, "%-16s %8s %8s %8s\n", "category", "variants", "runs", "failed");
  long runs = 0;
  for (int i = 0; i < c->nvariants; i++) {
    const char *category = c->variants[i].category;
    bool seen = false;
    for (int k = 0; k < i; k++) seen |= strcmp(c->variants[k].category, category) == 0;
    if (seen) continue;
    int variants = 0, failed = 0;
    long of_category = 0;
    for (int k = i; k < c->nvariants; k++) {
      const CheckVariant *v = &c->variants[k];
      if (strcmp(v->category, category) != 0) continue;
      variants++;
      failed += v->failures > 0;
      of_category += v->runs;
    }
    fprintf(to, "%-16s %8d %8ld %8d\n", category, variants, of_category, failed);
    runs += of_category;
  }
  fprintf(to, "%-16s %8d %8ld %8d\n", "all", c->nvariants, runs, failed_variants(c));
}

int check_wrong_codelets(const Check *c) {
  int n = 0;
  for (int i = 0; i < c->codelets.n; i++) n += c->codelets.at[i].wrong != NULL;
  return n;
}

static void print_codelets(const Check *c, FILE *to) {
  const int wrong = check_wrong_codelets(c);
  int idle = 0; /* no problem that was drawn is one of its spectrum's */
  for (int i = 0; i < c->codelets.n; i++) {
    const CheckCodelet *x = &c->codelets.at[i];
    if (x->wrong) fprintf(to, "%s: codelet %s of %s, by itself: wrong, %s\n", x->where, x->name, x->spectrum, x->wrong);
    else if (!x->runs) {
      fprintf(to, "%s: codelet %s of %s was not run by itself: what was drawn breaks its promises\n", x->where, x->name,
              x->spectrum);
      idle++;
    }
  }
  if (c->codelets.n)
    fprintf(to, "%d of %d codelets, run by themselves, agree with the sequential one\n%s", c->codelets.n - wrong - idle,
            c->codelets.n, wrong ? "\n" : "");
}

/* With -v. */
static void print_variants(const Check *c, FILE *to) {
  for (int i = 0; i < c->nvariants; i++) {
    const CheckVariant *v = &c->variants[i];
    fprintf(to, "%s  %s, %ld runs, %d failed: %s\n", v->id, v->category, v->runs, v->failures, v->plan);
  }
  fputs("\n", to);
}

static void print_text(const Check *c, FILE *to) {
  const int failed = failed_variants(c);
  if (c->options.quiet) {
    print_failures(c, to);
    return;
  }
  print_codelets(c, to);
  if (c->options.seed && !c->options.sizes.n && !c->options.compile && !c->options.quick)
    fprintf(to, "random sizes: repeat them with --seed %d\n", c->options.seed);
  if (c->options.verbose) print_variants(c, to);
  print_failures(c, to);
  print_categories(c, to);
  const char *where = c->options.compile ? "" : c->options.device ? c->device_arch : "the CPU";
  fprintf(to, "%d of %d variants of %s %s%s in %.1f s\n", c->nvariants - failed, c->nvariants, c->spectrum,
          c->options.compile ? "compile" : "passed on ", where, check_clock() - c->started);
  const int wrong = check_wrong_codelets(c);
  if (wrong) fprintf(to, "but %d codelet%s wrong, above\n", wrong, wrong > 1 ? "s are" : " is");
  if (c->lacking)
    fprintf(to, "skipped: %d more variant%s for machines with %s, which this one is not\n", c->lacking,
            c->lacking > 1 ? "s are" : " is", c->lacks);
  if (c->left_out)
    fprintf(to, "a sample: %d more variants were not checked; without `--quick' all are checked\n", c->left_out);
}

/* ---- JSON ---- */

static json_t *text_or_null(const char *s) { return strcmp(s, "-") == 0 ? json_null() : json_string(s); }

static json_t *failure_json(const CheckFailure *f) {
  return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "variant", f->variant->id, "kind", f->kind, "type",
                   text_or_null(f->type), "sizes", text_or_null(f->sizes), "seed", text_or_null(f->seed), "data",
                   text_or_null(f->data), "got", text_or_null(f->got), "want", text_or_null(f->want), "what",
                   text_or_null(f->what));
}

/* What a program printed need not be UTF-8: such texts are left out. */
static void append(json_t *array, json_t *one) {
  if (one) json_array_append_new(array, one);
}

static json_t *report_json(const Check *c) {
  json_t *variants = json_array(), *failures = json_array(), *codelets = json_array();
  for (int i = 0; i < c->nvariants; i++) {
    const CheckVariant *v = &c->variants[i];
    append(variants, json_pack("{s:s, s:s, s:s, s:I, s:b}", "id", v->id, "plan", v->plan, "category", v->category,
                               "runs", (json_int_t)v->runs, "passed", v->failures == 0));
  }
  for (int i = 0; i < c->failures.n; i++) append(failures, failure_json(&c->failures.at[i]));
  for (int i = 0; i < c->codelets.n; i++) {
    const CheckCodelet *x = &c->codelets.at[i];
    append(codelets, json_pack("{s:s, s:s, s:s, s:I, s:b}", "spectrum", x->spectrum, "codelet", x->name, "where",
                               x->where, "runs", (json_int_t)x->runs, "passed", x->wrong == NULL));
  }
  return json_pack("{s:s, s:s, s:s, s:b, s:I, s:I, s:f, s:o, s:o, s:o}", "folder", c->options.dir, "spectrum",
                   c->spectrum, "machine", c->machine, "passed", !c->failures.n && !check_wrong_codelets(c), "seed",
                   (json_int_t)c->options.seed, "skipped", (json_int_t)c->lacking, "seconds",
                   check_clock() - c->started, "codelets", codelets, "variants", variants, "failures", failures);
}

bool check_print(const Check *c, FILE *to) {
  if (!c->options.json) {
    print_text(c, to);
    return true;
  }
  json_t *all = report_json(c);
  const bool ok = all && json_dumpf(all, to, JSON_INDENT(2) | JSON_PRESERVE_ORDER) == 0 && fputs("\n", to) != EOF;
  json_decref(all);
  return ok;
}
