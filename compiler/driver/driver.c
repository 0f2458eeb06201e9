/* driver.c: the verbs. What is printed is printed here. */
#include "driver/driver.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "driver/bench.h"
#include "driver/check.h"
#include "driver/compile.h"
#include "driver/explain.h"
#include "driver/machines.h"
#include "driver/tune.h"
#include "support/paths.h"
#include "arch/listing.h"
#include "support/nearest.h"

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

/* Prints what a verb has to print; the status that follows. A reader that has seen enough (head) needs no words. */
static int print_text(const Buffer *b) {
  if (fwrite(b->text, 1, b->length, stdout) == b->length && fflush(stdout) == 0) return DONE;
  if (errno != EPIPE) fprintf(stderr, "tgc: error: cannot write to standard output: %s\n", strerror(errno));
  return BAD_INPUT;
}

static int terminal_width(void) {
  struct winsize w;
  return isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col >= 40 ? w.ws_col : 80;
}

static void print_times(const Compilation *c) {
  const Times *t = &c->times;
  fprintf(stderr, "parse %.1f ms, compose %.1f ms, lower %.1f ms, passes %.1f ms (", 1e3 * t->parse, 1e3 * t->compose,
          1e3 * t->lower, 1e3 * t->passes);
  for (int i = 0; passes_name(i); i++)
    fprintf(stderr, "%s%s %.1f", i ? ", " : "", passes_name(i), 1e3 * t->each_pass.seconds[i]);
  struct rusage used = {0};
  getrusage(RUSAGE_SELF, &used);
  fprintf(stderr, "), emit %.1f ms, write %.1f ms; %d variants, %.1f MB\n", 1e3 * t->emit, 1e3 * t->write,
          c->output.nvariants, (double)used.ru_maxrss / 1024);
}

/* ---- tgc FILE ---- */

/* All that was asked for, in the order in which it came to be. */
static bool show(Buffer *to, Compilation *c) {
  const Options *o = c->options;
  if (o->trace) buffer_putn(to, c->report.trace.text, c->report.trace.length);
  buffer_putn(to, c->dump.text, c->dump.length);
  if (o->list && strcmp(o->list, "json") == 0 && !c->several) {
    if (!emit_manifest(to, &c->output)) return compile_no_spool(c);
  } else if (o->list && !*o->list) emit_listing(to, &c->output, terminal_width());
  if (o->pruned) buffer_putn(to, c->report.pruned.text, c->report.pruned.length);
  if (o->out && !o->list)
    buffer_printf(to, "%d variants of %s for %s in %s%s%s\n", c->output.nvariants, c->library, c->output.machine->name,
                  o->out, c->several ? "/" : "", c->several ? c->output.machine->name : "");
  return true;
}

static int verb_compile(Arena *a, const Options *o) {
  if (!o->file) return misuse("no input file");
  if (!o->arch) return misuse("which machine? `--arch NAME' (tgc archs lists them)");
  if (!o->out && !o->list && !o->trace && !o->pruned && !o->print_after && !o->time && !o->remarks)
    return misuse("what is to be done? `-o DIR' writes the variants, `--list' lists them");
  Machines m;
  Diagnostics *d = diagnostics_new(a);
  bool ok = machines_compile(a, o, &m, d) && (!o->out || machines_write(a, &m, o->out, d));
  Buffer text = buffer_new(a);
  for (int i = 0; ok && i < m.n; i++) ok = show(&text, &m.each[i]);
  if (ok && m.n > 1 && o->list && *o->list) emit_machines_manifest(&text, &m.outputs);
  int status = ok ? print_text(&text) : BAD_INPUT;
  for (int i = 0; ok && o->time && i < m.n; i++) print_times(&m.each[i]);
  machines_end(&m);
  diagnostics_print(d, stderr, remark_kinds(o), isatty(STDERR_FILENO));
  return status;
}

/* ---- tgc rules FILE ---- */

static int verb_rules(Arena *a, const Options *o) {
  if (!o->file) return misuse("no input file");
  if (o->arch && strchr(o->arch, ',')) return misuse("`tgc rules' takes one machine at a time");
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
  return print_text(&text);
}

/* ---- tgc archs ---- */

static int verb_archs(Arena *a) {
  const char *dir = path_of_data(a, "archspec");
  Diagnostics *d = diagnostics_new(a);
  int n = 0;
  const char **names = dir ? arch_names(a, dir, &n) : NULL;
  const Arch **machines = arena_many(a, const Arch *, n + 1);
  int loaded = 0;
  for (int i = 0; dir && i <= n; i++) { /* the last is the host */
    const Arch *m = arch_load(a, i < n ? names[i] : "cpu", dir, d);
    if (m) machines[loaded++] = m;
  }
  Buffer text = buffer_new(a);
  arch_print_table(&text, machines, loaded);
  int status = print_text(&text);
  diagnostics_print(d, stderr, 0, isatty(STDERR_FILENO));
  if (!dir) fprintf(stderr, "tgc: the machines' folder `archspec' is nowhere to be found; set TGC_DATA_DIR\n");
  return dir && d->errors == 0 ? status : BAD_INPUT;
}

static int with_options(int argc, char **argv, int (*verb)(Arena *, const Options *)) {
  Arena *a = arena_new();
  Options o;
  const char *why = NULL;
  int status;
  if (!options_parse(a, argc, argv, &o, &why)) status = misuse(why);
  else if (o.help || o.version) {
    Buffer text = buffer_new(a);
    if (o.help) options_help(&text);
    else buffer_printf(&text, "tgc %s\n", TGC_VERSION);
    status = print_text(&text);
  } else if ((why = options_check(a, &o)) != NULL) status = misuse(why);
  else status = verb(a, &o);
  arena_free(a);
  return status;
}

/* A verb that was mistyped would be taken for a file that is not there. */
static int mistyped_verb(const char *word) {
  static const char *const verbs[] = {"rules", "explain", "check", "tune", "bench", "archs"};
  if (strpbrk(word, "./-") || access(word, F_OK) == 0) return DONE;
  const char *near = nearest_name(word, verbs, sizeof verbs / sizeof *verbs);
  if (!near) return DONE;
  fprintf(stderr, "tgc: there is no verb `%s'; did you mean `%s'?\n`tgc --help' tells how it is used.\n", word, near);
  return MISUSE;
}

int driver_main(int argc, char **argv) {
  signal(SIGPIPE, SIG_IGN); /* a write that fails is told by its error, */
  signal(SIGXFSZ, SIG_IGN); /* so that nothing half-written stays behind */
  const char *verb = argc > 1 ? argv[1] : "";
  if (strcmp(verb, "rules") == 0) return with_options(argc - 1, argv + 1, verb_rules);
  if (strcmp(verb, "explain") == 0) return verb_explain(argc, argv);
  if (strcmp(verb, "check") == 0) return verb_check(argc, argv);
  if (strcmp(verb, "tune") == 0) return verb_tune(argc, argv);
  if (strcmp(verb, "bench") == 0) return verb_bench(argc, argv);
  if (strcmp(verb, "archs") == 0) {
    if (argc > 2) return misuse("`tgc archs' takes no arguments");
    Arena *a = arena_new();
    int status = verb_archs(a);
    arena_free(a);
    return status;
  }
  if (argc < 2) return misuse("no input file");
  if (mistyped_verb(verb)) return MISUSE;
  return with_options(argc, argv, verb_compile);
}
