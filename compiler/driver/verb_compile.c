/* verb_compile.c: tgc compile FILE..: options in, the pipeline, what was asked for out. */
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "driver/compile.h"
#include "driver/depfile.h"
#include "driver/machines.h"
#include "driver/spectra.h"
#include "driver/verbs.h"
#include "support/terminal.h"

static unsigned remark_kinds(const Options *o) {
  if (!o->remarks) return 0;
  if (strcmp(o->remarks, "passed") == 0) return REMARK_PASSED;
  if (strcmp(o->remarks, "missed") == 0) return REMARK_MISSED;
  return REMARK_PASSED | REMARK_MISSED;
}

static void say(const Diagnostics *d, const Options *o) {
  if (o->quiet) verbs_say(d, o->color, true);
  else diagnostics_print(d, stderr, remark_kinds(o), terminal_color(o->color, STDERR_FILENO));
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

/* What was written, where, and whether its dispatch is a guess. */
static void say_written(Buffer *to, const Compilation *c) {
  const Options *o = c->options;
  const char *folder = c->several ? c->output.machine->name : c->beside ? c->library : "";
  const char *out = arena_printf(to->arena, "%s%s%s", o->out, *folder ? "/" : "", folder);
  int guessed = 0;
  buffer_printf(to, "%d variant%s of %s for %s in %s\n", c->output.nvariants, c->output.nvariants == 1 ? "" : "s",
                c->library, c->output.machine->name, out);
  if (c->output.table.rows.n) output_table_origin(to->arena, &c->output, &guessed);
  const char *unused = c->output.table.unused;
  if (guessed) buffer_printf(to, "not measured on this machine: run `tgc tune %s'", out);
  if (guessed && unused) buffer_printf(to, " (the table that was measured is not used for %s)", unused);
  if (guessed) buffer_puts(to, "\n");
}

/* All that was asked for, in the order in which it came to be. */
static bool show(Buffer *to, Compilation *c) {
  const Options *o = c->options;
  if (o->trace) buffer_putn(to, c->report.trace.text, c->report.trace.length);
  buffer_putn(to, c->dump.text, c->dump.length);
  if (o->list && strcmp(o->list, "json") == 0 && !c->several && !c->beside) {
    if (!emit_manifest(to, &c->output)) return compile_no_spool(c);
  } else if (o->list && !*o->list) emit_listing(to, &c->output, terminal_columns());
  if (o->pruned) buffer_putn(to, c->report.pruned.text, c->report.pruned.length);
  if (o->out && !o->list && !o->quiet)
    say_written(to, c);
  return true;
}

/* Of what failed there is the search alone to tell of, as far as it came. */
static void show_search(const Compilation *c) {
  Buffer text = buffer_new(c->arena);
  if (c->options->trace && c->report.trace.length) buffer_putn(&text, c->report.trace.text, c->report.trace.length);
  if (c->options->pruned && c->report.pruned.length) buffer_putn(&text, c->report.pruned.text, c->report.pruned.length);
  verbs_print(&text);
}

/* Does it ask for something that is printed, so that nothing is written unless -o says where? */
static bool only_prints(const Options *o) {
  return o->list || o->trace || o->pruned || o->print_after || ((o->time || o->remarks) && !o->verbose);
}

static int compile(Arena *a, const Options *o) {
  Machines m;
  Diagnostics *d = diagnostics_new(a);
  bool ok = machines_compile(a, o, &m, d) && (!o->out || machines_write(a, &m, o->out, d));
  if (ok && o->depfile) ok = depfile_write(a, m.each[0].output.file, o->depfile, d);
  Buffer text = buffer_new(a);
  for (int i = 0; ok && i < m.n; i++) ok = show(&text, &m.each[i]);
  if (ok && m.n > 1 && o->list && *o->list) emit_machines_manifest(&text, &m.outputs);
  int status = ok ? verbs_print(&text) : STATUS_FAILED;
  for (int i = 0; !ok && i < m.n; i++) show_search(&m.each[i]);
  for (int i = 0; ok && o->time && i < m.n; i++) print_times(&m.each[i]);
  machines_end(&m);
  say(d, o);
  return status;
}

static int compile_spectra(Arena *a, const Options *o) {
  Spectra s;
  Diagnostics *d = diagnostics_new(a);
  bool ok = spectra_compile(a, o, &s, d) && (!o->out || spectra_write(a, &s, o->out, d));
  if (ok && o->depfile) ok = depfile_write(a, s.each[0].output.file, o->depfile, d);
  Buffer text = buffer_new(a);
  for (int i = 0; ok && i < s.n; i++) {
    if (i && o->list && !*o->list) buffer_puts(&text, "\n");
    ok = show(&text, &s.each[i]);
  }
  if (ok && o->list && *o->list) emit_spectra_manifest(&text, &s.outputs);
  const int status = ok ? verbs_print(&text) : STATUS_FAILED;
  for (int i = 0; !ok && i < s.n; i++) show_search(&s.each[i]);
  for (int i = 0; ok && o->time && i < s.n; i++) print_times(&s.each[i]);
  spectra_end(&s);
  say(d, o);
  return status;
}

int verb_compile(Arena *a, const CompileArguments *given) {
  Options o;
  const char *why = options_read(a, given, &o);
  if (!why && !o.arch) why = "no target machine: add `--arch cpu', or a name that `tgc archs' lists";
  if (why) return verbs_misuse("compile", why);
  if (!o.out && !only_prints(&o)) o.out = "out";
  return spectra_are_several(&o) ? compile_spectra(a, &o) : compile(a, &o);
}
