/* variants.c: plans as variants: lowered, passed, printed.
 *
 * A few variants are kept whole until the folder is written. Of many, each is printed as soon as its passes are done, its
 * text and what the manifest says of it wait on disk, and its trees go (an arena a variant, reset). Those that the table
 * may name are kept: their texts list the configurations that it names, and NAME_counted.cu is made from their trees. */
#include "driver/compile_parts.h"

#include <errno.h>
#include <string.h>

#include "lower/lower.h"

enum { KEPT_WHOLE = 256 }; /* up to so many all are */

bool compile_no_spool(Compilation *c) {
  return compile_refuse(c, (SourceRange){0}, "TMPDIR names another place; `--keep 200' needs none",
                        arena_printf(c->arena, "the texts of many variants wait in a temporary file, which failed: %s",
                                     strerror(errno)));
}

static Program *lower_one(Compilation *c, Arena *a, Arena *scratch, const Plan *plan) {
  const Output *o = &c->output;
  PassOptions passes = {.print_after = c->options->print_after, .without = c->options->without,
                        .fuses = plan->determinism < DETERMINISM_GPU_TO_GPU};
  double start = compile_clock();
  Program *program = lower_plan(a, plan, o->name, c->diagnostics);
  double lowered = compile_clock();
  c->times.lower += lowered - start;
  if (!program || !passes_run(a, scratch, program, o->machine, o->types, o->ntypes, &passes, &c->times.each_pass,
                              &c->dump, c->diagnostics))
    return NULL;
  c->times.passes += compile_clock() - lowered;
  return program;
}

static void print_one(Compilation *c, Arena *a, Variant *v) {
  double start = compile_clock();
  v->text = buffer_new(a);
  emit_variant(&v->text, &c->output, v);
  c->times.emit += compile_clock() - start;
}

/* Prints a variant and keeps an outline of it; what it has in the arena `own' is not used again. */
static bool put_away(Compilation *c, Arena *own, Variant *v) {
  if (!c->spool && !(c->spool = spool_new())) return compile_no_spool(c);
  print_one(c, own, v);
  double start = compile_clock();
  Buffer entry = buffer_new(own);
  emit_manifest_entry(&entry, &c->output, v);
  if (!spool_add(c->spool, v->text.text, v->text.length, &v->written) ||
      !spool_add(c->spool, entry.text, entry.length, &v->entry))
    return compile_no_spool(c);
  v->text = (Buffer){0};
  v->program = program_outline(c->arena, v->program);
  c->times.emit += compile_clock() - start;
  return true;
}

static bool lower_each(Compilation *c, Arena *own, Arena *scratch) {
  Output *o = &c->output;
  const int n = c->plans.list.n;
  const Table guess = compile_guess(c);
  for (int i = 0; i < n; i++) {
    const Plan *plan = c->plans.list.at[i];
    const bool whole = c->whole || n <= KEPT_WHOLE || i == 0 || compile_may_choose(c, &guess, plan->id);
    Program *program = lower_one(c, whole ? c->arena : own, scratch, plan);
    if (!program) return false;
    Variant *v = &o->variants[o->nvariants++];
    *v = (Variant){.plan = plan, .program = program};
    if (i == 0 && !compile_read_table(c)) return false;
    if (whole) continue;
    if (!put_away(c, own, v)) return false;
    arena_reset(own);
  }
  return true;
}

bool compile_plans(Compilation *c) {
  Output *o = &c->output;
  o->variants = arena_many(c->arena, Variant, c->plans.list.n);
  o->line_directives = c->options->line != NULL;
  c->dump = buffer_new(c->arena);
  Arena *own = arena_new(), *scratch = arena_new();
  bool ok = lower_each(c, own, scratch);
  arena_free(scratch);
  arena_free(own);
  if (!ok) return false;
  compile_choose(c);
  for (int i = 0; i < o->nvariants; i++)
    if (!o->variants[i].written.spool) print_one(c, c->arena, &o->variants[i]);
  return true;
}
