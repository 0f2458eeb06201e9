/* rescan_stages.c: a lane's row, scanned for its total, and again for its results; and what rows have put side by side.
 *
 * Requires rescan.c's nests. Keeps what a map stores. */
#include "ir/operator.h"
#include "lower/counts.h"
#include "lower/handed.h"
#include "lower/rescan_stages.h"
#include "lower/scan.h"

/* Where the results of a row go: to a map, whose codelet has each with what is held of its operands. */
typedef struct Rescan {
  const Scan *scan;
  Tree *first, *at;     /* the row's first item in registers, and its position */
  const NestDim *ends;  /* some of its elements may be outside; NULL: none is */
  bool reads;           /* flags are computed of more than is held: they are kept */
  Handover how;
} Rescan;

/* The flag of element i, a row's item. */
static Tree *flag_of(const Scan *s, Tree *i, Tree *item) {
  Tree *flag = view_element(s->l, s->in, i), *held = s->held ? build_element(s->l->a, s->held->symbol, item) : NULL;
  return held ? counts_of_held(s->l, flag, counts_element(s->l, s->in, i), held) : flag;
}

static bool find_memory(void *context, const Tree *t) {
  bool *found = context;
  *found |= t->op == OP_INDEX && t->kid[0]->op == OP_REF && t->kid[0]->symbol->pointer;
  return true;
}

static bool reads_memory(const Tree *t) {
  bool found = false;
  tree_visit(t, find_memory, &found);
  return found;
}

/* .. once more, in place of the register that had it. */
static Tree *flag_again(void *context, Arena *a, Tree *t) {
  const Rescan *x = context;
  const Scan *s = x->scan;
  if (t->op != OP_INDEX || t->kid[0]->op != OP_REF || t->kid[0]->symbol != s->items->symbol) return t;
  Tree *i = build_add(a, x->at, build_sub(a, t->kid[1], x->first)), *flag = flag_of(s, i, t->kid[1]);
  return x->ends ? build_choice(a, tails_within(s->l, x->ends, i), flag, tree_int(a, TYPE_INT, 0)) : flag;
}

static void put_again(Lowering *l, const View *v, Tree *index, Tree *value, const Handover *none) {
  Arena *a = l->a;
  const Rescan *x = v->source.handing->row;
  const Scan *s = x->scan;
  Tree *item = build_add(a, v->begin, build_mul(a, index, v->step));
  Tree *i = lowering_size(l, "i", build_add(a, x->at, build_sub(a, item, x->first)));
  Handover how = x->how;
  Block b;
  (void)none;
  if (s->held) {
    how.element = counts_element(l, s->in, i);
    how.held = build_element(a, s->held->symbol, item);
  }
  if (x->reads) {
    how.flag = view_element(l, s->in, i);
    how.is = build_element(a, s->items->symbol, item);
  }
  if (how.part != HANDED_SIDE_BY_SIDE) value = iterations_added(l, s->stands->now, value);
  if (x->ends) block_open(l, &b);
  handed_put(l, s->out, i, value, &how);
  if (x->ends) block_close_guarded(l, &b, tails_within(l, x->ends, i));
}

static void put_nowhere(Lowering *l, const View *v, Tree *index, Tree *value, const Handover *how) {
  (void)l, (void)v, (void)index, (void)value, (void)how;
}

/* What stands before a row within its tile. */
static Tree *before_row(Realising *r) {
  const Scan *s = r->o->scan;
  Tree *all = s->bases ? iterations_in_tile(r, s->bases) : NULL;
  for (int i = 0; i < s->before.n; i++)
    all = all ? tree_binary(r->l->a, operator_op(s->spectrum->op), s->type, s->before.at[i]->now, all)
              : s->before.at[i]->now;
  return all;
}

/* What each map's argument that is stored to side by side is, while it is in shared memory. */
static Symbol *const *beside(Realising *r) {
  Lowering *l = r->l;
  Scan *s = r->o->scan;
  Symbol **made = arena_many(l->a, Symbol *, MOST_OPERANDS);
  for (int k = 0; k < MOST_OPERANDS; k++) {
    NestValue *v = s->beside[k];
    if (v && !v->symbol) {
      Tree *items = build_mul(l->a, s->place->lanes, build_mul(l->a, s->loads, s->width));
      v->symbol = lowering_shared(l, v->name, s->handed[k]->source.base->type, items);
      v->symbol->exclusive = v->symbol->aligned = true; /* each flag that is set has its own place */
    }
    made[k] = v ? v->symbol : NULL;
  }
  return made;
}

/* A lane's row: its total, or its results again. */
void rescan_row(Realising *r, const NestStage *s) {
  Lowering *l = r->l;
  const Codelet *c = s->codelet;
  Scan *scan = r->o->scan;
  NestValue *to = s->at.at[0].value, found = {.name = "total"};
  const bool total = s->at.at[0].use == USE_ACCUMULATE;
  View *read = iterations_in_registers(r, s->at.at[1].value), *out = view_new(l, *read);
  Rescan x = {.scan = scan, .first = read->begin, .at = total ? NULL : iterations_position(r)};
  const Handing nowhere = {.put = put_nowhere}, again = {.put = put_again, .row = &x};
  if (r->otherwise) x.ends = scan->tile->dim;
  x.reads = reads_memory(flag_of(scan, build_index(l->a, 0), read->begin));
  if (!total && scan->compacts) x.how.part = to->space == NEST_SHARED ? HANDED_SIDE_BY_SIDE : HANDED_REST;
  if (x.how.part == HANDED_SIDE_BY_SIDE) x.how.beside = beside(r);
  out->source = (Source){.kind = VIEW_HANDED, .handing = total ? &nowhere : &again};
  Tree *number = total ? operator_identity(l->a, c->spectrum->op, scan->type) : before_row(r);
  Arguments in = {.n = c->nparams};
  for (int i = 0; i < c->nparams; i++)
    in.at[i] = c->params[i]->rank ? (Argument){.view = i ? out : read} : (Argument){.number = number};
  const Place lane = lowering_place(l, arch_lane(l->plan->machine));
  const Form narrow = scan->counts ? counts_narrow(l, &c->plain, c->spectrum->result) : c->plain;
  Destination result = {.kind = total ? TO_REGISTER : TO_NOWHERE, .value = &found};
  const int from = l->to->n;
  inline_codelet(l, c, &narrow, &lane, &in, &result);
  if (total) to->now = found.now;
  for (int i = from; i < l->to->n && !total && !x.reads; i++)
    l->to->at[i] = tree_rewrite(l->a, l->to->at[i], flag_again, &x);
}

/* What a tile's rows have put side by side in shared memory, to where it belongs. */
void rescan_store_beside(Realising *r, const NestStage *s) {
  Lowering *l = r->l;
  Arena *a = l->a;
  const Scan *scan = r->o->scan;
  const View *to = s->at.at[0].value->view;
  Symbol *k = block_counter(l, "k", TYPE_INT);
  Tree *number = tree_ref(a, k), *place = iterations_added(l, scan->stands->now, number);
  Tree *from = build_element(a, s->at.at[1].value->symbol, number);
  Tree *store = build_assign(a, iterations_as_it_lies(l, to, place), from);
  lowering_add(l, build_for(a, k, scan->place->lane, scan->total->now, scan->place->lanes, tree_seq(a, &store, 1)));
}
