/* variants.c: plans as variants: lowered, passed, printed.
 *
 * A few variants are kept whole until the folder is written. Of many, each is printed as soon as its passes are done,
 * its text and what the manifest says of it wait on disk, and its trees go (an arena a variant, reset). Those that the
 * table may name are kept: their texts list the configurations that it names, and NAME_counted.cu is made from their
 * trees. */
#include "driver/compile_parts.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lower/lower.h"

enum { KEPT_WHOLE = 256 }; /* up to so many all are */

bool compile_no_spool(Compilation *c) {
  return compile_refuse(c, (SourceRange){0}, "TMPDIR names another place; `--keep 200' needs none",
                        arena_printf(c->arena, "the temporary file for many variants failed: %s",
                                     strerror(errno)));
}

/* Where trees live that are kept, those of a variant that is put away, and those of a pass. */
typedef struct Arenas { Arena *kept, *own, *scratch; } Arenas;

/* NULL after an error in `d`: this plan cannot be carried out. */
static Program *lower_one(Compilation *c, const TypeSet *set, Arena *a, Arena *scratch, const Plan *plan,
                          Diagnostics *d) {
  const Output *o = &c->output;
  PassOptions passes = {.print_after = c->options->print_after, .without = c->options->without,
                        .fuses = plan->determinism < DETERMINISM_GPU_TO_GPU};
  double start = compile_clock();
  Program *program = lower_plan(a, plan, o->name, d);
  double lowered = compile_clock();
  c->times.lower += lowered - start;
  if (!program || !passes_run(a, scratch, program, o->machine, set->types.at, set->types.n, &passes,
                              &c->times.each_pass, &c->dump, d))
    return NULL;
  c->times.passes += compile_clock() - lowered;
  return program;
}

void compile_in_columns(const Compilation *c, Buffer *text) {
  const int columns = c->options->columns ? atoi(c->options->columns) : 0; /* none: 0 */
  if (columns) emit_in_columns(text, columns);
}

static void print_one(Compilation *c, Arena *a, Variant *v) {
  double start = compile_clock();
  v->text = buffer_new(a);
  emit_variant(&v->text, &c->output, v);
  compile_in_columns(c, &v->text);
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

/* ---- plans that cannot be carried out ---- */

typedef struct LeftOut {
  const Plan *first;
  const Diagnostic *why; /* of the first */
  int n;
} LeftOut;

static const Diagnostic *first_error(const Diagnostics *d) {
  for (int i = 0; i < d->list.n; i++)
    if (d->list.at[i].level == DIAG_ERROR) return &d->list.at[i];
  return NULL;
}

/* A plan's lowering or passes refuse it: the others go on without it. */
static void leave_out(Compilation *c, LeftOut *out, const Plan *plan, Diagnostics *why) {
  const Diagnostic *error = first_error(why);
  diagnostics_remark(c->diagnostics, REMARK_MISSED, "plan", error->where, "%s is left out: %s", plan->text,
                     error->message);
  if (!out->n++) { out->first = plan; out->why = error; }
}

/* What is said of those that were; false: no plan is left, which is an error. */
static bool report_left_out(Compilation *c, const LeftOut *out, int of) {
  if (!out->n) return true;
  const bool all = out->n == of;
  const char *hint =
      all ? (out->why->hint ? out->why->hint : "a larger `--keep', or `--keep all', tries more plans")
          : "`--remarks=missed' names them, each with its reason";
  if (all)
    diagnostics_add(c->diagnostics, DIAG_ERROR, out->why->where, hint, "%s%s cannot be carried out: %s",
                    out->first->text, of > 1 ? ", as all other plans," : "", out->why->message);
  else
    diagnostics_add(c->diagnostics, DIAG_NOTE, out->why->where, hint,
                    "%d of %d plans cannot be carried out and %s left out: %s", out->n, of, out->n == 1 ? "is" : "are",
                    out->why->message);
  return !all;
}

/* ---- all of them ---- */

/* A table may name variants that were put away, when it no longer has one that was left out: their trees are needed. */
static bool take_back_of(Compilation *c, const TypeSet *set, const Table *guess, const Arenas *at) {
  Output *o = &c->output;
  type_sets_note(c, set);
  for (int i = 0; i < o->nvariants; i++) {
    Variant *v = &o->variants[i];
    const bool own = v->types == set->types.at;
    if (!own || !v->written.spool || !compile_may_choose(c, guess, v->plan->id)) continue;
    Program *program = lower_one(c, set, at->kept, at->scratch, v->plan, c->diagnostics);
    if (!program) return false;
    *v = (Variant){.plan = v->plan, .program = program, .types = v->types, .ntypes = v->ntypes};
  }
  return true;
}

static bool take_back(Compilation *c, const Arenas *at) {
  const Table guess = compile_guess(c);
  bool ok = true;
  for (int i = 0; i < c->sets.n && ok; i++) ok = take_back_of(c, &c->sets.at[i], &guess, at);
  return ok;
}

static bool is_asked_for(const Compilation *c, const Plan *plan, const Table *guess) {
  if (!c->only || !c->output.nvariants || compile_may_choose(c, guess, plan->id)) return true;
  for (const char *const *name = c->only; *name; name++)
    if (strcmp(*name, plan->text) == 0 || strcmp(*name, plan->id) == 0) return true;
  return false;
}

/* All plans, while they become variants. */
typedef struct All {
  const Arenas *at;
  Table guess;
  LeftOut out;
  bool whole; /* all are kept whole */
} All;

/* A plan as a variant, if it can be carried out. False after an error. */
static bool lower_as_variant(Compilation *c, All *x, const TypeSet *set, Plan *plan, Plans *carried) {
  Output *o = &c->output;
  const Arenas *at = x->at;
  const bool whole = x->whole || !o->nvariants || compile_may_choose(c, &x->guess, plan->id);
  Diagnostics *said = diagnostics_new(c->arena);
  Program *program = lower_one(c, set, whole ? at->kept : at->own, at->scratch, plan, said);
  if (!program && diagnostics_have_internal(said)) {
    diagnostics_join(c->diagnostics, said);
    return false;
  }
  if (!program) {
    leave_out(c, &x->out, plan, said);
    return true;
  }
  diagnostics_join(c->diagnostics, said);
  vec_push(c->arena, &carried->list, plan);
  Variant *v = &o->variants[o->nvariants++];
  *v = (Variant){.plan = plan, .program = program, .types = set->types.at, .ntypes = set->types.n};
  if (o->nvariants == 1 && !compile_read_table(c)) return false;
  if (whole) return true;
  if (!put_away(c, at->own, v)) return false;
  arena_reset(at->own);
  return true;
}

/* A set's plans that are asked for, and that no wider set has. */
static bool lower_set(Compilation *c, All *x, TypeSet *set) {
  Plans carried = {0};
  type_sets_note(c, set);
  for (int i = 0; i < set->plans.list.n; i++) {
    Plan *plan = set->plans.list.at[i];
    if (!is_asked_for(c, plan, &x->guess)) continue;
    const Variant *same = output_variant(&c->output, plan->id);
    if (same && variant_is_for(same, set->types.at[0]->name)) {
      vec_push(c->arena, &carried.list, plan);
      continue;
    }
    if (!type_sets_wants(set, c, plan) && !compile_may_choose(c, &x->guess, plan->id)) continue;
    if (same) type_sets_rename(c, set, plan);
    if (!lower_as_variant(c, x, set, plan, &carried)) return false;
  }
  if (!c->only) set->plans = carried; /* else those that were found: the table is chosen among all */
  return true;
}

static bool lower_each(Compilation *c, const Arenas *at) {
  const int n = type_sets_plans(c).list.n;
  All x = {.at = at, .guess = compile_guess(c), .whole = c->whole || n <= KEPT_WHOLE};
  for (int i = 0; i < c->sets.n; i++)
    if (!lower_set(c, &x, &c->sets.at[i])) return false;
  type_sets_note(c, c->sets.at);
  c->plans = c->sets.at[0].plans;
  return report_left_out(c, &x.out, n) && (!x.out.n || take_back(c, at));
}

/* Where we are, as a #line directive can name it; "": it cannot. */
static const char *line_folder(Arena *a) {
  char here[PATH_MAX];
  if (!getcwd(here, sizeof here)) return "";
  for (const char *s = here; *s; s++)
    if ((unsigned char)*s < ' ' || *s == 127 || *s == '"' || *s == '\\') return "";
  return arena_strdup(a, here);
}

bool compile_plans(Compilation *c) {
  Output *o = &c->output;
  const Plans all = type_sets_plans(c);
  int most = 0; /* the same plan may be a variant of several sets */
  for (int i = 0; i < c->sets.n; i++) most += c->sets.at[i].plans.list.n;
  o->variants = arena_many(c->arena, Variant, most);
  o->line_folder = c->options->line ? line_folder(c->arena) : NULL;
  if (!c->only) output_plan_members(c->arena, o, &all); /* else some of them have variants, and only their own */
  c->dump = buffer_new(c->arena);
  const Arenas at = {c->arena, arena_new(), arena_new()};
  bool ok = lower_each(c, &at);
  arena_free(at.scratch);
  arena_free(at.own);
  if (!ok) return false;
  compile_choose(c);
  const Plans carried = type_sets_plans(c);
  if (c->options->online) o->order = choose_order(c->arena, &carried);
  for (int i = 0; i < o->nvariants; i++)
    if (!o->variants[i].written.spool) print_one(c, c->arena, &o->variants[i]);
  return true;
}
