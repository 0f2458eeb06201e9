/* driver.c: the verbs. What is printed is printed here. */
#include "driver/driver.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "driver/check.h"
#include "driver/compile.h"
#include "driver/explain.h"
#include "driver/paths.h"
#include "arch/listing.h"

enum { DONE = 0, BAD_INPUT = 1, MISUSE = 2 };

static int misuse(const char *why) {
  fprintf(stderr, "tgc: %s\n`tgc --help' tells how it is used.\n", why);
  return MISUSE;
}

static unsigned remark_kinds(const Options *o) {
  if (!o->remarks) return 0;
  if (strcmp(o->remarks, "passed") == 0) return REMARK_PASSED;
  if (strcmp(o->remarks, "missed") == 0) return REMARK_MISSED;
  return REMARK_PASSED | REMARK_MISSED;
}

static void print_diagnostics(const Compilation *c) {
  diagnostics_print(c->diagnostics, stderr, remark_kinds(c->options), isatty(STDERR_FILENO));
}

static bool print_text(const Buffer *b) {
  return b->length == 0 || fwrite(b->text, 1, b->length, stdout) == b->length;
}

static int terminal_width(void) {
  struct winsize w;
  return isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col >= 40 ? w.ws_col : 80;
}

static void print_times(const Compilation *c) {
  const Times *t = &c->times;
  fprintf(stderr, "parse %.1f ms, compose %.1f ms, lower %.1f ms, passes %.1f ms (", 1e3 * t->parse, 1e3 * t->compose,
          1e3 * t->lower, 1e3 * t->passes);
  for (int i = 0; passes_name(i); i++) fprintf(stderr, "%s%s %.1f", i ? ", " : "", passes_name(i), 1e3 * t->each_pass.seconds[i]);
  struct rusage used = {0};
  getrusage(RUSAGE_SELF, &used);
  fprintf(stderr, "), emit %.1f ms, write %.1f ms; %d variants, %.1f MB\n", 1e3 * t->emit, 1e3 * t->write,
          c->output.nvariants, (double)used.ru_maxrss / 1024);
}

static int count_option(const char *text, const char *special, const char *name, char why[160]) {
  if (!text || (special && strcmp(text, special) == 0)) return 0;
  char *end;
  long n = strtol(text, &end, 10);
  if (*end == '\0' && n >= 1 && n <= 1000000) return 0;
  snprintf(why, 160, "`%s' wants a number from 1 to 1000000, not `%.60s'", name, text);
  return 1;
}

static const char *check_options(Arena *a, const Options *o) {
  char why[160];
  if (count_option(o->iterations, NULL, "--iterations", why) || count_option(o->keep, "all", "--keep", why))
    return arena_strdup(a, why);
  if (o->list && *o->list && strcmp(o->list, "json") != 0) return "`--list' knows one other form: `--list=json'";
  if (o->remarks && *o->remarks && strcmp(o->remarks, "passed") != 0 && strcmp(o->remarks, "missed") != 0 &&
      strcmp(o->remarks, "all") != 0)
    return "`--remarks' wants passed, missed or all";
  if (o->space && !space_levels(o->space)) return arena_printf(a, "unknown space `%s'; there is `cgo'", o->space);
  for (const char *s = o->without; s && *s;) {
    size_t n = strcspn(s, ",");
    bool known = false;
    for (int i = 0; passes_name(i); i++)
      known |= passes_optional(i) && strlen(passes_name(i)) == n && strncmp(passes_name(i), s, n) == 0;
    if (!known) return arena_printf(a, "`%.*s' is no pass that can be left out (simplify, fold)", (int)n, s);
    s += n + (s[n] == ',');
  }
  return NULL;
}

/* ---- tgc FILE ---- */

static int compile_and_show(Compilation *c) {
  const Options *o = c->options;
  Buffer text = buffer_new(c->arena);
  if (!compile_variants(c)) return BAD_INPUT;
  if (o->out && !compile_write(c, o->out)) return BAD_INPUT;
  if (o->trace) print_text(&c->report.trace);
  print_text(&c->dump);
  if (o->list && strcmp(o->list, "json") == 0) emit_manifest(&text, &c->output);
  else if (o->list) emit_listing(&text, &c->output, terminal_width());
  print_text(&text);
  if (o->pruned) print_text(&c->report.pruned);
  if (o->time) print_times(c);
  if (o->out && !o->list)
    printf("%d variants of %s for %s in %s\n", c->output.nvariants, c->output.spectrum->name, c->output.machine->name, o->out);
  return fflush(stdout) == 0 ? DONE : BAD_INPUT;
}

static int verb_compile(Arena *a, const Options *o) {
  if (!o->file) return misuse("no input file");
  if (!o->arch) return misuse("which machine? `--arch NAME' (tgc archs lists them)");
  if (!o->out && !o->list && !o->trace && !o->pruned && !o->print_after && !o->time && !o->remarks)
    return misuse("what is to be done? `-o DIR' writes the variants, `--list' lists them");
  Compilation c = {.arena = a, .options = o, .diagnostics = diagnostics_new(a)};
  int status = compile_and_show(&c);
  print_diagnostics(&c);
  if (status != DONE && c.diagnostics->errors == 0) fprintf(stderr, "tgc: cannot write the output\n");
  return status;
}

/* ---- tgc rules FILE ---- */

static int verb_rules(Arena *a, const Options *o) {
  if (!o->file) return misuse("no input file");
  Compilation c = {.arena = a, .options = o, .diagnostics = diagnostics_new(a)};
  bool ok = compile_front(&c);
  print_diagnostics(&c);
  if (!ok) return BAD_INPUT;
  Buffer text = buffer_new(a);
  Rules program = rules_extract(a, c.output.spectrum);
  rules_print(&text, &program);
  if (c.output.machine) {
    Rules special = rules_specialise(a, &program, c.output.machine);
    buffer_puts(&text, "\n");
    rules_print(&text, &special);
  }
  return print_text(&text) ? DONE : BAD_INPUT;
}

/* ---- tgc archs ---- */

static int verb_archs(Arena *a) {
  const char *dir = path_of_data(a, "archspec");
  Diagnostics *d = diagnostics_new(a);
  int n = 0;
  const char **names = dir ? arch_names(a, dir, &n) : NULL;
  const Arch **machines = arena_many(a, const Arch *, n);
  int loaded = 0;
  for (int i = 0; i < n; i++) {
    const Arch *m = arch_load(a, names[i], dir, d);
    if (m) machines[loaded++] = m;
  }
  Buffer text = buffer_new(a);
  arch_print_table(&text, machines, loaded);
  print_text(&text);
  diagnostics_print(d, stderr, 0, isatty(STDERR_FILENO));
  if (!dir) fprintf(stderr, "tgc: the machines' folder `archspec' is nowhere to be found; set TGC_DATA_DIR\n");
  return dir && d->errors == 0 ? DONE : BAD_INPUT;
}

static int with_options(int argc, char **argv, int (*verb)(Arena *, const Options *)) {
  Arena *a = arena_new();
  Options o;
  const char *why = NULL;
  int status;
  if (!options_parse(a, argc, argv, &o, &why)) status = misuse(why);
  else if (o.help) {
    Buffer text = buffer_new(a);
    options_help(&text);
    print_text(&text);
    status = DONE;
  } else if (o.version) {
    printf("tgc %s\n", TGC_VERSION);
    status = DONE;
  } else if ((why = check_options(a, &o)) != NULL) status = misuse(why);
  else status = verb(a, &o);
  arena_free(a);
  return status;
}

int driver_main(int argc, char **argv) {
  signal(SIGPIPE, SIG_IGN);
  const char *verb = argc > 1 ? argv[1] : "";
  if (strcmp(verb, "rules") == 0) return with_options(argc - 1, argv + 1, verb_rules);
  if (strcmp(verb, "explain") == 0) return verb_explain(argc, argv);
  if (strcmp(verb, "check") == 0) return verb_check(argc, argv);
  if (strcmp(verb, "archs") == 0) {
    if (argc > 2) return misuse("`tgc archs' takes no arguments");
    Arena *a = arena_new();
    int status = verb_archs(a);
    arena_free(a);
    return status;
  }
  if (argc < 2) return misuse("no input file");
  return with_options(argc, argv, verb_compile);
}
