/* when.c: flags of a kernel that the launcher computes, because it sees the sizes: the text is compiled for both cases.
 *
 * A kernel has one flag at most: the first nest that asks gets it. It may have cases besides.
 *
 * Requires sizes that the launcher has. Keeps: the text is right whether the flag is set or not. */
#include "lower/realise.h"

/* The kernel's flag by that name, which holds when `when' does. */
Symbol *when_flag(Lowering *l, const char *name, Tree *when) {
  Symbol *s = symbol_new(l->a, SYMBOL_CONSTANT, lowering_name(l, name), TYPE_BOOL);
  s->constant = true;
  l->now.kernel->flag = s;
  l->now.kernel->flag_when = when;
  return s;
}

Symbol *when_case(Lowering *l, const char *name, Tree *when) {
  Kernel *k = l->now.kernel;
  int n = 0;
  while (n < MOST_CASES && k->cases[n]) n++;
  if (n == MOST_CASES) return NULL;
  Symbol *s = symbol_new(l->a, SYMBOL_CONSTANT, lowering_name(l, name), TYPE_BOOL);
  s->constant = true;
  k->cases[n] = s;
  k->cases_when[n] = when;
  return s;
}

bool when_is_whole_part(const Lowering *l, const View *in) {
  const NestKernel *k = lowering_kernel(l);
  const View *part = k && k->part && k->most ? k->part->view : NULL;
  return part && tree_equal(in->spread->dim->origin, part->begin) && tree_equal(in->end, part->end);
}

Symbol *when_once(const Opened *o) {
  Lowering *l = o->l;
  const NestAxis *workers = o->kept.in->spread;
  if (l->now.kernel->flag || !when_is_whole_part(l, o->kept.in)) return NULL;
  Tree *width = build_width(l->a, o->runs.at[0].value->view->source.base->type); /* `per' is the kernel's own */
  Tree *most = build_mul(l->a, build_mul(l->a, workers->extent, o->load->extent), width);
  return when_flag(l, "once", build_compare(l->a, OP_LE, lowering_kernel(l)->most, most));
}

/* Where nothing is left of a run, and the loop is not passed by, compilers keep the slots in registers from their
 * beginning to their end: what another way through the text may have set they look up in memory. */
Symbol *when_whole(const Opened *o) {
  Lowering *l = o->l;
  Arena *a = l->a;
  const View *in = o->kept.in;
  Tree *elements = build_sub(a, in->end, in->spread->dim->origin);
  Tree *round = build_mul(a, in->spread->extent, o->load->extent);
  if (!runs_are_known(elements)) return NULL;
  Tree *none_left = build_compare(a, OP_EQ, tree_binary(a, OP_REM, TYPE_INDEX, elements, round), build_index(a, 0));
  Tree *when = build_both(a, build_compare(a, OP_GE, elements, round), none_left);
  if (!l->now.kernel->flag) return when_flag(l, "whole", when);
  const bool jams = lowering_work(l)->traversal == TRAVERSE_JAMMED; /* parts together, and then one by one */
  const bool again = jams && tree_equal(l->now.kernel->flag_when, when);
  return again ? l->now.kernel->flag : NULL;
}

/* Where a run's elements of that part begin; NULL: the host cannot tell. */
static Tree *beginning(const Opened *o, const NestValue *v, int64_t number) {
  Lowering *l = o->l;
  Arena *a = l->a;
  const NestAxis *parts = lowering_axis_of_parts(l);
  Tree *part = build_index(a, number), *from = o->kept.in->spread->dim->origin;
  Tree *origin = v->begin ? build_with(a, v->begin, parts->at->symbol, part) : build_index(a, 0);
  if (!runs_are_known(from)) from = build_mul(a, part, parts->dim->each.stride);
  return runs_are_known(origin) ? build_add(a, origin, from) : NULL;
}

/* Do all parts begin at multiples of 16 bytes: does the first one, and are the others as far apart? */
static bool add_aligned(const Opened *o, Tree **when) {
  Arena *a = o->l->a;
  for (int i = 0; i < o->runs.n; i++) {
    const NestValue *v = o->runs.at[i].value;
    Tree *before = NULL;
    for (int64_t number = 0; number <= 1; number++) {
      Tree *at = beginning(o, v, number);
      if (!at) return false;
      if (before && tree_equal(before, at)) continue;
      before = at;
      Tree *ahead = tree_unary(a, OP_TO_ALIGNED, TYPE_INDEX, build_element(a, v->view->source.base, at));
      *when = build_both(a, *when, build_compare(a, OP_EQ, ahead, build_index(a, 0)));
    }
  }
  return true;
}

/* Are the lanes of a warp, or fewer, those that a whole part is given to? */
static bool is_of_parts(const Opened *o) {
  const PlanNode *root = lowering_work(o->l);
  const Level *worker = plan_worker_of_parts(root);
  if (!worker || worker->can.lanes != LANES_FIXED) return false;
  const PlanNode *part = plan_work(root->kid[0]);
  return part->rule->codelet && part->nkids > 0 && part->kid[0] == o->plan;
}

/* The same of all containers that steps go through from their beginnings on. */
static bool add_rows(const Opened *o, const Held *h, Tree **when) {
  Opened rows = *o;
  rows.runs = (Runs){0};
  for (int i = 0; i < h->in->n; i++) {
    if (!held_is_row(h->in->at[i].view)) continue;
    Run x = {.value = open_memory(o->l->a, "row", h->in->at[i].view)};
    x.value->begin = h->in->at[i].view->source.origin;
    vec_push(o->l->a, &rows.runs, x);
  }
  return add_aligned(&rows, when);
}

/* What the worker of a part has been handed: the plan's node right below the parts' axis. */
static const View *part_of(const Lowering *l) {
  const NestNode *part = NULL, *n = l->nest;
  for (; n && !(n->kind == NEST_AXIS && n->axis->binding == BINDING_IN_STEP); n = n->above)
    if (n->kind == NEST_OPEN) part = n;
  return n && part ? lowering_container(&part->work->in) : NULL;
}

/* Does the run go through as many elements as the part has, and not through a view of some of them? */
bool when_has_all(const Opened *o) {
  Lowering *l = o->l;
  View *part = (View *)part_of(l);
  const View *in = o->kept.in;
  if (!part) return false;
  Tree *origin = in->spread->dim->origin;
  return (tree_equal(origin, part->begin) && tree_equal(in->end, part->end)) ||
         tree_equal(in->end, build_add(l->a, origin, view_size(l, part)));
}

/* Steps that hold rows have two cases: parts are no longer than a round, and whole loads at multiples of 16 bytes;
 * or no longer than a round. */
static void hold_less(const Opened *o, Held *h, const NestEach *each, Tree *width) {
  Lowering *l = o->l;
  Arena *a = l->a;
  Tree *less = build_compare(a, OP_LE, each->elements, h->round), *wide = less;
  if (each->when) wide = less = build_both(a, less, each->when);
  Tree *rest = tree_binary(a, OP_REM, TYPE_INDEX, each->elements, width);
  wide = build_both(a, wide, build_compare(a, OP_EQ, rest, build_index(a, 0)));
  if (add_rows(o, h, &wide)) h->wide = when_case(l, "wide", wide);
  h->less = when_case(l, "less", less);
  l->now.kernel->cases_instead = true;
}

Symbol *when_even(const Opened *o) {
  Lowering *l = o->l;
  Arena *a = l->a;
  const NestAxis *workers = o->kept.in->spread;
  int64_t lanes;
  const NestAxis *parts = lowering_axis_of_parts(l);
  const NestEach *each = parts && parts->at->op == OP_REF ? &parts->dim->each : NULL;
  Held *h = held_by(o);
  if (!each || !each->elements || (l->now.kernel->flag && !(h && h->flag))) return NULL;
  if (!(h || is_of_parts(o)) || !when_has_all(o)) return NULL;
  if (!tree_constant(workers->extent, &lanes)) lanes = 0;
  if (!lanes && !h) return NULL;
  Tree *width = build_width(a, o->runs.at[0].value->view->source.base->type);
  Tree *round = build_mul(a, build_mul(a, workers->extent, o->load->extent), width);
  if (h && h->flag) return tree_equal(h->round, round) ? h->flag : NULL;
  Tree *when = build_compare(a, OP_EQ, each->elements, round);
  if (each->when) when = build_both(a, when, each->when); /* few elements each by now: their product is small */
  if (!(h ? add_rows(o, h, &when) : add_aligned(o, &when))) return NULL;
  l->now.kernel->even_lanes = (int)lanes;
  Symbol *flag = when_flag(l, "even", when);
  if (!h) return flag;
  h->flag = flag;
  h->round = round;
  h->lanes = workers->extent;
  hold_less(o, h, each, width);
  return flag;
}
