/* check.c: tgc check [DIR]: options in, the parts in order, exit status out. What is printed is printed here and by
 * check_report.c. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver/check_parts.h"
#include "driver/verbs.h"
#include "support/manifest.h"
#include "support/manifest_file.h"
#include "support/paths.h"

/* ---- the command line ---- */

/* "1,33,2^10": false where one is no number, or too large. */
static bool read_sizes(Arena *a, CheckOptions *o, const char *list) {
  enum { MOST = 100000000 };
  for (const char *s = list;; s++) {
    char *end;
    if (*s < '0' || *s > '9') return false;
    unsigned long long size = strtoull(s, &end, 10);
    if (*end == '^') {
      const char *power = end + 1;
      const unsigned long k = *power >= '0' && *power <= '9' ? strtoul(power, &end, 10) : 64;
      if (size != 2 || k > 26) return false;
      size = 1ull << k;
    }
    if (size > MOST) return false;
    vec_push(a, &o->sizes, (int64_t)size);
    if (!*end) return true;
    if (*end != ',') return false;
    s = end;
  }
}

/* A number of the command line. NULL: it is one, or not given. */
static const char *read_number(Arena *a, const char *name, const char *text, int *number) {
  if (!text) return NULL;
  char *end;
  const long n = strtol(text, &end, 10);
  *number = (int)n;
  if (*text >= '0' && *text <= '9' && !*end && n >= 1 && n <= 10000) return NULL;
  return arena_printf(a, "`%s' takes a number from 1 to 10000, not `%.60s'", name, text);
}

static const char *contradiction(Arena *a, const CheckOptions *o) {
  if (o->device && o->compile) return "`--device' and `--compile' are two different checks";
  if (o->device && o->plain) return "`--plain' is for the CPU";
  if (o->quick && (o->device || o->compile)) return "`--quick' is for the CPU";
  if (o->quick && o->sizes.n) return "`--quick' has sizes of its own: leave out `--sizes'";
  if (o->sanitize && o->plain) return "`--plain' leaves out what `--sanitize' asks for";
  if (o->quiet && o->verbose) return "`--quiet' and `--verbose' contradict each other";
  const char *s = o->sanitize;
  if (s && strcmp(s, "thread") && strcmp(s, "address") && strcmp(s, "thread,address") && strcmp(s, "address,thread"))
    return arena_printf(a, "`--sanitize' takes thread, address or both, not `%.60s'", s);
  return NULL;
}

static const char *read_options(Arena *a, const CheckArguments *given, CheckOptions *o) {
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  *o = (CheckOptions){.seeds = 3, .orders = 2, .timeout = 60,
                      .jobs = processors < 1 ? 1 : processors > 64 ? 64 : (int)processors,
                      .dir = given->operands.at[0], .variant = given->variant, .flags = given->flags,
                      .sanitize = given->sanitize, .color = given->color, .quick = given->quick != NULL,
                      .plain = given->plain != NULL, .device = given->device != NULL,
                      .compile = given->compile != NULL, .all = given->all != NULL, .keep = given->keep_harness != NULL,
                      .no_codelets = given->no_codelets != NULL, .json = given->json != NULL,
                      .quiet = given->quiet != NULL, .verbose = given->verbose != NULL};
  const struct { const char *name, *text; int *number; } numbers[] = {
      {"--seed", given->seed, &o->seed}, {"--seeds", given->seeds, &o->seeds}, {"--orders", given->orders, &o->orders},
      {"--timeout", given->timeout, &o->timeout}, {"--jobs", given->jobs, &o->jobs}};
  const char *why = NULL;
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers && !why; i++)
    why = read_number(a, numbers[i].name, numbers[i].text, numbers[i].number);
  if (!why && given->sizes && !read_sizes(a, o, given->sizes))
    why = arena_printf(a, "`--sizes' takes numbers up to 100000000, as in 0,33,2^10, not `%.60s'", given->sizes);
  if (why) return why;
  if (o->jobs > 256) o->jobs = 256;
  if (o->quick && !given->seeds) o->seeds = 1;
  return contradiction(a, o);
}

/* ---- the temporary folder ---- */

/* Compilers run in the temporary folder. */
static const char *absolute(Check *c, const char *path) {
  char *found = realpath(path, NULL);
  const char *kept = found ? arena_strdup(c->arena, found) : path;
  free(found);
  return kept;
}

static bool make_temporary(Check *c) {
  const char *base = getenv("TMPDIR");
  char *path = arena_printf(c->arena, "%s/tgc-check-XXXXXX", base && *base ? base : "/tmp");
  if (mkdtemp(path)) {
    c->temporary = absolute(c, path);
    return true;
  }
  diagnostics_add(c->diagnostics, DIAG_ERROR, (SourceRange){0}, "TMPDIR names another place",
                  "cannot make the folder `%s'", path);
  return false;
}

/* It is flat: we made every file in it. */
static void remove_temporary(Check *c) {
  if (!c->temporary) return;
  if (c->options.keep) {
    fprintf(stderr, "tgc: the harness is in %s\n", c->temporary);
    return;
  }
  DIR *d = opendir(c->temporary);
  for (struct dirent *e; d && (e = readdir(d)) != NULL;)
    if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
      unlink(arena_printf(c->arena, "%s/%s", c->temporary, e->d_name));
  if (d) closedir(d);
  rmdir(c->temporary);
}

/* ---- the check ---- */

/* What is for folders of another family than this one. */
static bool options_fit(Check *c) {
  const CheckOptions *o = &c->options;
  const char *other = c->native ? o->device ? "--device" : o->compile ? "--compile" : NULL
                                : o->sanitize ? "--sanitize" : o->flags ? "--flags" : NULL;
  if (!other) return true;
  diagnostics_add(c->diagnostics, DIAG_ERROR, (SourceRange){0}, NULL, "`%s' is of a %s, and `%s' is for %s", o->dir,
                  c->native ? "CPU" : "GPU", other, c->native ? "GPUs" : "CPUs");
  return false;
}

static bool prepare(Check *c) {
  const char *at = getenv("TGC_RUNTIME_DIR");
  c->simt = at ? at : path_of_data(c->arena, "runtime/simt");
  if (c->simt) {
    c->simt = absolute(c, c->simt);
  } else {
    diagnostics_add(c->diagnostics, DIAG_ERROR, (SourceRange){0}, "TGC_RUNTIME_DIR names it",
                    "cannot find the CPU executor's folder `runtime/simt'");
    return false;
  }
  if (!check_read(c) || !options_fit(c) || !make_temporary(c)) return false;
  check_set_sizes(c);
  c->jobs = jobs_new(c->arena, c->options.jobs);
  if (c->options.compile) return check_queue_compile(c);
  if (c->native) return check_find_c_compiler(c) && check_queue_native(c);
  if (c->options.device ? !check_find_device(c) : (c->compiler = check_find_compiler(c)) == NULL) return false;
  if (c->options.device) c->options.jobs = 1; /* one GPU */
  return check_queue(c);
}

static int run(Check *c) {
  int status = STATUS_FAILED, signal = 0;
  c->started = c->last_progress = check_clock();
  if (prepare(c)) {
    signal = jobs_run(c->jobs, c->options.quiet ? NULL : check_progress, c);
    check_progress_end();
    if (signal) fprintf(stderr, "tgc: interrupted\n");
    else if (!c->broken) {
      if (!check_print(c, stdout)) c->failures.n++;
      status = c->failures.n || check_wrong_codelets(c) ? STATUS_FAILED : STATUS_DONE;
    }
  }
  remove_temporary(c);
  verbs_say(c->diagnostics, c->options.color, c->options.quiet);
  if (fflush(stdout) != 0 && status == STATUS_DONE) status = STATUS_FAILED;
  return signal ? STATUS_INTERRUPTED : status;
}

/* Has the folder a variant whose id begins so? */
static bool has_variant(Arena *a, const char *dir, const char *id) {
  json_t *j = manifest_read(a, dir, diagnostics_new(a));
  const json_t *variants = json_object_get(j, KEY_VARIANTS);
  bool found = !j; /* what is wrong with it is told by who reads it next */
  for (size_t i = 0; i < json_array_size(variants); i++) {
    const char *one = json_string_value(json_object_get(json_array_get(variants, i), KEY_ID));
    found |= strncmp(one, id, strlen(id)) == 0;
  }
  json_decref(j);
  return found;
}

/* The folder, or those of its machines in turn. */
static int run_each(Arena *a, const CheckOptions *o) {
  Diagnostics *d = diagnostics_new(a);
  const char **folders;
  int n = manifest_folders(a, o->dir, &folders, d), status = n ? STATUS_DONE : STATUS_FAILED;
  bool any = n < 2, begun = false; /* several reports are a JSON array */
  for (int i = 0; i < n && status != STATUS_INTERRUPTED; i++) {
    if (n > 1 && o->variant && !has_variant(a, folders[i], o->variant)) continue;
    any = true;
    Check c = {.arena = a, .options = *o, .diagnostics = diagnostics_new(a)};
    c.options.dir = folders[i];
    if (n > 1 && o->json) fputs(begun ? ",\n" : "[\n", stdout);
    begun = true;
    if (n > 1 && !o->json && !o->quiet) {
      printf("%s%s\n", i ? "\n" : "", folders[i]);
      fflush(stdout);
    }
    int one = run(&c);
    if (one > status) status = one;
  }
  if (n > 1 && o->json && begun) fputs("]\n", stdout);
  if (!any) {
    diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, "the manifests list the ids",
                    "no machine of `%s' has a variant `%s'", o->dir, o->variant);
    status = STATUS_FAILED;
  }
  verbs_say(d, o->color, o->quiet);
  return status;
}

int verb_check(Arena *a, const CheckArguments *given) {
  CheckOptions o;
  const char *why = read_options(a, given, &o);
  return why ? verbs_misuse("check", why) : run_each(a, &o);
}
