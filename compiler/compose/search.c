/* search.c: all plans for a spectrum on a machine (MICRO IV-A, Fig. 7), and which of them are kept.
 *
 * Fig. 7 expands every compose of every candidate, iteration by iteration, and takes all combinations: subproblem.c
 * does, from the top level on. */
#include <stdlib.h>
#include <string.h>

#include "compose/expand.h"
#include "ir/operator.h"

/* Candidates that one subproblem passes on, by default and with `--keep all'; second kernels a first one is
 * paired with; plans that are kept, and more of them where there are clusters. */
enum { BEAM = 48, BEAM_ALL = 160, SECOND_KERNELS = 4, SECOND_KERNELS_ALL = 12, KEEP = 48, KEEP_MORE_WITH_CLUSTERS = 4 };

static int by_category(const void *x, const void *y) {
  const Plan *a = *(Plan *const *)x, *b = *(Plan *const *)y;
  if (a->category != b->category) return a->category < b->category ? -1 : 1;
  return strcmp(a->text, b->text);
}

/* So many that the plans of a machine without its optional levels are among them, and those without atomics for parts
 * that are shared, or without equal shares. With sub-warps there is one more for one block, and one for a cluster; of
 * many parts that sub-warps have, a few for each kind of sub-warp. There is one more for scans in three kernels, and
 * a few of what a matrix unit computes. */
static int default_keep(const Arch *m, const Plans *plans) {
  int clusters = 0, subwarps = 0, of_parts = 0;
  for (int i = 0; i < m->nlevels; i++) {
    clusters |= m->levels[i].can.reaches;
    if (!m->levels[i].can.factor) continue;
    subwarps = 1;
    of_parts += KEEP_PARTS_OF_A_FACTOR;
  }
  bool have_parts = false, have_three = false;
  int more = 0;
  for (int i = 0; i < plans->list.n; i++) {
    const Level *worker = plan_worker_of_parts(plans->list.at[i]->root);
    have_parts |= worker && worker->can.factor;
    have_three |= plan_scans_twice(plans->list.at[i]->root);
    more += plan_accumulates_pieces(plans->list.at[i]->root) || plan_is_equal(plans->list.at[i]->root) ||
            (plan_is_bounded(plans->list.at[i]->root) && !plan_is_bounded_in_block(plans->list.at[i]->root));
  }
  return KEEP + more + clusters * KEEP_MORE_WITH_CLUSTERS + subwarps * (1 + clusters) +
         (have_parts ? of_parts : 0) + (have_three ? KEEP_OF_THREE_KERNELS : 0) + keep_units(plans);
}

/* Enough for every level on the way down, and to regroup at two of them; steps take one more. */
static int default_iterations(const Arch *m, const Rules *program) {
  int levels = 0, steps = 0;
  for (int i = 0; i < m->nlevels; i++) levels += !m->levels[i].can.factor;
  for (int i = 0; i < program->list.n; i++) steps |= program->list.at[i]->in_steps;
  return levels + 2 + steps;
}

static void no_plan(Search *x, SearchReport *report) {
  const char *hint =
      x->iterations < x->m->nlevels
          ? arena_printf(x->a, "%d iteration%s not reach the lowest of %d levels", x->iterations,
                         x->iterations == 1 ? " does" : "s do", x->m->nlevels)
          : "some codelet must compute at every level that work is left to; `--trace' says what was tried";
  diagnostics_add(x->d, DIAG_ERROR, x->s->where, hint, "no plan for `%s' on %s completes", x->s->name, x->m->name);
  trace_report(x, &(Plans){0}, report);
}

/* Leaves out plans that do not keep what is asked for. */
static bool keep_promise(Search *x, Plans *plans, Determinism least) {
  int all = plans->list.n;
  Determinism most = DETERMINISM_NOT_GUARANTEED;
  plans->list.n = 0;
  for (int i = 0; i < all; i++) {
    Plan *p = plans->list.at[i];
    if (p->determinism > most) most = p->determinism;
    if (p->determinism >= least) plans->list.at[plans->list.n++] = p;
  }
  if (plans->list.n < all) trace_reason(x, "less deterministic than `--determinism' asks for", all - plans->list.n);
  if (plans->list.n) return true;
  diagnostics_add(x->d, DIAG_ERROR, x->s->where,
                  arena_printf(x->a, "the most that one keeps is %s; `tgc explain' tells why", determinism_name(most)),
                  "no plan for `%s' on %s is %s", x->s->name, x->m->name, determinism_name(least));
  return false;
}

/* Does the spectrum combine nothing that somebody would have to know? One lane does all of it, or its codelets say by
 * which atomic. */
static bool says_all(const Spectrum *s) {
  bool all = true;
  for (int i = 0; i < s->ncodelets; i++) {
    const Codelet *c = s->codelets[i];
    all &= c->kind == CLASS_AUTONOMOUS || (c->results.atomic && !c->results.spectrum);
  }
  return all;
}

/* The spectrum of which it is not known what it computes, though it is a reduction of one container and the one asked
 * for, or parts' results are combined by it. NULL: there is none. */
static const Spectrum *combines_unknown(const Search *x, const Spectrum *s) {
  bool reduces = s->result != TYPE_VOID && s->codelets[0]->nparams == 1 && !expand_has_application(x, s) &&
                 !expand_has_steps(x, s);
  if (reduces && s->op == OPERATOR_NONE && !says_all(s)) return s;
  for (int i = 0; i < x->rules.list.n; i++) {
    const Rule *r = x->rules.list.at[i];
    bool combines = rule_composed(r, 0) == r->spectrum && (r->slides || rule_composed(r, 1) == r->spectrum);
    if (combines && r->spectrum->op == OPERATOR_NONE) return r->spectrum;
  }
  return NULL;
}

/* Why there is nothing to search; after an error false. */
static bool may_search(const Search *x, const SearchOptions *o) {
  const Spectrum *s = x->s, *unknown = o->space ? NULL : combines_unknown(x, s);
  if (unknown)
    diagnostics_add(x->d, DIAG_ERROR, unknown->unknown_why ? unknown->unknown_at : unknown->where,
                    unknown->unknown_hint,
                    "it is not known which operator `%s' reduces by, so partial results cannot be combined%s%s",
                    unknown->name, unknown->unknown_why ? ": " : "", unknown->unknown_why ? unknown->unknown_why : "");
  else if (o->space && s->atom > REFUSE_WIDEST_ATOMIC)
    diagnostics_add(x->d, DIAG_ERROR, s->where, "leave out `--space'", "the space `%s' is of atomics, and %s", o->space,
                    refuse_too_wide);
  else
    return true;
  return false;
}

/* Its tiles are more than a block has room for. */
static void refuse_tiles(Search *x, const Plan *p, const char *why) {
  trace_reason(x, "the smallest tiles are more than a block's shared memory", 1);
  diagnostics_remark(x->d, REMARK_MISSED, "plan", x->s->where, "%s is left out: %s", p->text, why);
}

/* All that there are. False after an error. */
static bool find_all(Search *x, const SearchOptions *o, Plans *out) {
  if (o->space) {
    if (!space_plans(x->a, x->s, x->m, &x->rules, out, x->d)) return false;
    x->considered = out->list.n;
    return true;
  }
  PlanNodes roots = *expand(x, x->s, &x->m->levels[0], (Context){0}, x->iterations);
  for (int i = 0; i < roots.n; i++) {
    const char *why;
    Plan *p = plan_finish(x->a, roots.at[i], x->s, x->m);
    if (!p) trace_reason(x, "no block size is correct for all of its codelets", 1);
    else if (plan_has_room(x->a, p, &why)) vec_push(x->a, &out->list, p);
    else refuse_tiles(x, p, why);
  }
  return true;
}

/* How many of so many plans are kept; -1: all. */
static int number_to_keep(Search *x, const SearchOptions *o, const Plans *all) {
  const int n = all->list.n, keep = o->keep ? o->keep : o->space ? -1 : default_keep(x->m, all);
  if (keep >= 0 || !o->limit || n <= o->limit) return keep;
  diagnostics_add(x->d, DIAG_WARNING, (SourceRange){0}, arena_printf(x->a, "`--keep all --limit %d' keeps them all", n),
                  "`%s' has %d plans on %s: `--keep all' keeps the best %d", x->s->name, n, x->m->name, o->limit);
  return o->limit;
}

Plans plan_search(Arena *a, const Spectrum *s, const Arch *m, const SearchOptions *o, SearchReport *report,
                  Diagnostics *d) {
  const bool all = o->keep < 0, wide = all || o->keep > KEEP;
  Search x = {.a = a, .s = s, .m = m, .d = d, .trace = o->trace, .all = all, .beam = wide ? BEAM_ALL : BEAM,
              .seconds = wide ? SECOND_KERNELS_ALL : SECOND_KERNELS, .apply = expand_rule};
  Plans out = {0};
  Rules program = rules_extract(a, s);
  x.iterations = o->iterations > 0 ? o->iterations : default_iterations(m, &program);
  x.rules = rules_specialise(a, &program, m);
  if (!may_search(&x, o) || !find_all(&x, o, &out)) return (Plans){0};
  report->complete = out.list.n;
  if (out.list.n == 0) {
    no_plan(&x, report);
    return out;
  }
  if (!keep_promise(&x, &out, o->determinism)) {
    trace_report(&x, &out, report);
    return (Plans){0};
  }
  keep_plans(a, &out, number_to_keep(&x, o, &out));
  plan_number(a, &out);
  qsort(out.list.at, (size_t)out.list.n, sizeof *out.list.at, by_category);
  if (report->complete > out.list.n) trace_reason(&x, "beyond what `--keep' asks for", report->complete - out.list.n);
  trace_report(&x, &out, report);
  if (!o->space) fates_report(a, m, &program, &x.fates, &out, d);
  return out;
}
