/* check.c: tgc check DIR: options in, the parts in order, exit status out. What is printed is printed here and by
 * check_report.c. */
#include "driver/check.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver/check_parts.h"
#include "support/manifest.h"
#include "support/manifest_file.h"
#include "support/paths.h"
#include "support/nearest.h"

enum { DONE = 0, FAILED = 1, MISUSE = 2, INTERRUPTED = 130 };

/* ---- the command line ---- */

typedef struct CheckOption {
  const char *name, *argument, *what;
  char kind; /* 'b' a switch, 'i' a number, 's' text, 'l' a list of numbers */
  size_t field;
} CheckOption;

static const CheckOption rows[] = {
  {"--variant", "ID", "only the variants whose id begins so", 's', offsetof(CheckOptions, variant)},
  {"--sizes", "A,B,..", "how many elements (around each variant's tiles and ranges, around the codelets' numbers, and at random)", 'l', 0},
  {"--seed", "N", "draws the random sizes of an earlier check again (the clock's)", 'i', offsetof(CheckOptions, seed)},
  {"--seeds", "N", "orders and data sets to try with each small size (3)", 'i', offsetof(CheckOptions, seeds)},
  {"--orders", "N", "calls with each data set, each in another order (2)", 'i', offsetof(CheckOptions, orders)},
  {"--jobs", "N", "processes at a time (the processors there are)", 'i', offsetof(CheckOptions, jobs)},
  {"--timeout", "SECONDS", "that one run may take (60)", 'i', offsetof(CheckOptions, timeout)},
  {"--plain", "", "do not watch memory accesses: quicker, finds less", 'b', offsetof(CheckOptions, plain)},
  {"--sanitize", "NAMES", "of a CPU: what watches, thread or address or thread,address (thread)", 's',
   offsetof(CheckOptions, sanitize)},
  {"--flags", "TEXT", "of a CPU: what its C compiler is told (-O3, and its vectors if they are here)", 's', offsetof(CheckOptions, flags)},
  {"--no-codelets", "", "leave out the run of each codelet by itself", 'b', offsetof(CheckOptions, no_codelets)},
  {"--device", "", "on a GPU, with nvcc, instead of the CPU", 'b', offsetof(CheckOptions, device)},
  {"--compile", "", "only compile, for every machine from the manifest's own on", 'b', offsetof(CheckOptions, compile)},
  {"--all", "", "print every failure, not the first few", 'b', offsetof(CheckOptions, all)},
  {"--keep", "", "keep the harness's folder and say where it is", 'b', offsetof(CheckOptions, keep)},
};
enum { ROWS = sizeof rows / sizeof *rows };

static int misuse(const char *why) {
  fprintf(stderr, "tgc check: %s\n`tgc check --help' tells how it is used.\n", why);
  return MISUSE;
}

static void print_help(void) {
  printf("tgc check DIR: runs every variant in DIR on the CPU against the sequential codelet.\n\noptions\n");
  for (int i = 0; i < ROWS; i++) {
    char left[40];
    snprintf(left, sizeof left, "%s %s", rows[i].name, rows[i].argument);
    printf("  %-20s %s\n", left, rows[i].what);
  }
  printf("\nExit status: 0 all passed, 1 something failed, 2 misuse of the command line.\n");
}

/* "1,33,1000" as texts. */
static bool read_sizes(Arena *a, CheckOptions *o, const char *list) {
  CheckSizes found = {0};
  for (;;) {
    size_t n = strcspn(list, ",");
    if (n == 0 || n > 10 || strspn(list, "0123456789") != n) return false;
    const unsigned long long size = strtoull(list, NULL, 10);
    if (size > 100000000) return false;
    vec_push(a, &found, (int64_t)size);
    if (!list[n]) break;
    list += n + 1;
  }
  o->sizes = found;
  return true;
}

static const char *set_option(Arena *a, CheckOptions *o, const CheckOption *r, const char *value) {
  char *place = (char *)o + r->field, *end;
  long n;
  switch (r->kind) {
    case 'b': *(bool *)place = true; return NULL;
    case 's': *(const char **)place = value; return NULL;
    case 'l':
      if (read_sizes(a, o, value)) return NULL;
      return arena_printf(a, "`%s' wants numbers up to 100000000 with commas between, not `%s'", r->name, value);
    default:
      n = strtol(value, &end, 10);
      if (*end || n < 1 || n > 10000)
        return arena_printf(a, "`%s' wants a number from 1 to 10000, not `%s'", r->name, value);
      *(int *)place = (int)n;
      return NULL;
  }
}

static const char *read_option(Arena *a, CheckOptions *o, int argc, char **argv, int *i) {
  const char *text = argv[*i], *value = NULL;
  size_t n = strcspn(text, "=");
  const CheckOption *r = NULL;
  const char *names[ROWS];
  for (int k = 0; k < ROWS; k++) {
    names[k] = rows[k].name;
    if (strlen(rows[k].name) == n && strncmp(rows[k].name, text, n) == 0) r = &rows[k];
  }
  if (!r) {
    const char *near = nearest_name(text, names, ROWS);
    return near ? arena_printf(a, "unknown option `%s'; did you mean `%s'?", text, near)
                : arena_printf(a, "unknown option `%s'", text);
  }
  if (r->kind == 'b' && text[n]) return arena_printf(a, "`%s' takes no value", r->name);
  if (r->kind == 'b') return set_option(a, o, r, NULL);
  if (text[n] == '=') value = text + n + 1;
  else if (*i + 1 < argc) value = argv[++*i];
  if (!value || !*value) return arena_printf(a, "`%s' needs a value: %s", r->name, r->argument);
  return set_option(a, o, r, value);
}

static const char *read_options(Arena *a, CheckOptions *o, int argc, char **argv, bool *help) {
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  *o = (CheckOptions){.seeds = 3, .orders = 2, .timeout = 60,
                      .jobs = processors < 1 ? 1 : processors > 64 ? 64 : (int)processors};
  for (int i = 0; i < argc; i++) {
    const char *why = NULL;
    if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) *help = true;
    else if (argv[i][0] == '-') why = read_option(a, o, argc, argv, &i);
    else if (o->dir) why = arena_printf(a, "more than one folder: `%s' and `%s'", o->dir, argv[i]);
    else o->dir = argv[i];
    if (why) return why;
  }
  if (*help) return NULL;
  if (!o->dir) return "which folder? `tgc FILE.cdl --arch NAME -o DIR' writes one";
  if (o->jobs > 256) o->jobs = 256;
  if (o->device && o->compile) return "`--device' and `--compile' are two different checks";
  if (o->device && o->plain) return "`--plain' is for the CPU";
  if (o->sanitize && o->plain) return "`--plain' leaves out what `--sanitize' asks for";
  const char *s = o->sanitize;
  if (s && strcmp(s, "thread") && strcmp(s, "address") && strcmp(s, "thread,address") && strcmp(s, "address,thread"))
    return arena_printf(a, "`--sanitize' wants `thread', `address' or both, not `%s'", s);
  return NULL;
}

/* ---- the temporary folder ---- */

static bool make_temporary(Check *c) {
  const char *base = getenv("TMPDIR");
  char *path = arena_printf(c->arena, "%s/tgc-check-XXXXXX", base && *base ? base : "/tmp");
  if (mkdtemp(path)) {
    c->temporary = path;
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
    fprintf(stderr, "tgc check: the harness is in %s\n", c->temporary);
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
  if (!c->simt) {
    diagnostics_add(c->diagnostics, DIAG_ERROR, (SourceRange){0}, "TGC_RUNTIME_DIR names it",
                    "the CPU executor's folder `runtime/simt' is nowhere to be found");
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
  int status = FAILED, signal = 0;
  c->started = c->last_progress = check_clock();
  if (prepare(c)) {
    signal = jobs_run(c->jobs, check_progress, c);
    check_progress_end();
    if (signal) fprintf(stderr, "tgc check: interrupted\n");
    else if (!c->broken) {
      check_print(c, stdout);
      status = c->failures.n || check_wrong_codelets(c) ? FAILED : DONE;
    }
  }
  remove_temporary(c);
  diagnostics_print(c->diagnostics, stderr, 0, isatty(STDERR_FILENO));
  if (fflush(stdout) != 0 && status == DONE) status = FAILED;
  return signal ? INTERRUPTED : status;
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
  int n = manifest_folders(a, o->dir, &folders, d), status = n ? DONE : FAILED;
  bool any = n < 2;
  for (int i = 0; i < n && status != INTERRUPTED; i++) {
    if (n > 1 && o->variant && !has_variant(a, folders[i], o->variant)) continue;
    any = true;
    Check c = {.arena = a, .options = *o, .diagnostics = diagnostics_new(a)};
    c.options.dir = folders[i];
    if (n > 1) {
      printf("%s%s\n", i ? "\n" : "", folders[i]);
      fflush(stdout);
    }
    int one = run(&c);
    if (one > status) status = one;
  }
  if (!any) {
    diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, "the manifests and `tgc --list' have the ids",
                    "no machine of `%s' has a variant `%s'", o->dir, o->variant);
    status = FAILED;
  }
  diagnostics_print(d, stderr, 0, isatty(STDERR_FILENO));
  return status;
}

int verb_check(int argc, char **argv) {
  int own = argc > 0 && strcmp(argv[0], "check") == 0 ? 1 : argc > 1 ? 2 : argc;
  bool help = false;
  Arena *a = arena_new();
  CheckOptions o;
  const char *why = read_options(a, &o, argc - own, argv + own, &help);
  int status = DONE;
  if (why) status = misuse(why);
  else if (help) print_help();
  else status = run_each(a, &o);
  arena_free(a);
  return status;
}
