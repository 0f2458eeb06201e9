/* carry.c: what goes from part to part of a scan: the stages on a lane's items, and the joins that tell each part what
 * stands before it.
 *
 *   carried     by a loop, in a register
 *   a codelet   scans the totals of a warp's lanes, or of a block's warps, each of which does so for itself
 *   look-back   a block posts its tile's total before it knows what stands before it. Then it looks back at what the blocks
 *               before it have posted, until it meets one that knew, and posts the total so far
 *   a scanner   the first block to begin tells all others, from what they have posted, what stands before them
 *
 * Tiles are taken in the order in which blocks begin, so that all that a block waits for have begun: whichever blocks there
 * are at once, the first of them waits for nobody. */
#include "ir/operator.h"
#include "lower/block.h"
#include "lower/scan.h"

static Tree *identity(Scan *s) { return operator_identity(s->l->a, s->spectrum->op, s->type); }

static Tree *combined(Scan *s, Tree *x, Tree *y) {
  return tree_binary(s->l->a, operator_op(s->spectrum->op), s->type, x, y);
}

static Symbol *variable(Scan *s, const char *name, Tree *value) {
  Symbol *made = symbol_new(s->l->a, SYMBOL_LOCAL, lowering_name(s->l, name), s->type);
  lowering_add(s->l, build_declare(s->l->a, made, value));
  return made;
}

static Tree *shuffled(Scan *s, Tree *value, Tree *from) {
  Tree *t = tree_binary(s->l->a, OP_SHUFFLE, s->type, value, from);
  t->mode = SHUFFLE_INDEX;
  return t;
}

static Tree *is_first(Scan *s, Op lane) {
  return build_compare(s->l->a, OP_EQ, build_lane(s->l->a, lane), scan_number(s, 0));
}

/* ---- stages ---- */

/* What the second and the third access of a stage, or the join before it, say of the items: what stands before them. */
static Tree *before_of(Scan *s, const NestStage *x, bool by_name) {
  const NestValue *above = x->at.at[1].value, *stands = x->at.n > 3 ? x->at.at[3].value : NULL;
  if (!stands) return above->now;
  Tree *both = combined(s, stands->now, above->now);
  return by_name ? scan_fixed(s, "before", s->type, both) : both;
}

/* The total of all, with what stands before it from here on. */
static void count_in(Scan *s, const NestStage *x) {
  NestValue *all = x->at.at[2].value;
  if (x->at.n > 3) all->now = scan_fixed(s, "sum", s->type, combined(s, x->at.at[3].value->now, all->now));
}

/* An autonomous codelet on this lane's items, in place. The first one scans from the identity, and gives a total; the one
 * that adds has what stands before. */
static void by_lane(Scan *s, const NestStage *x) {
  const Codelet *c = x->codelet;
  View *items = x->at.at[0].value->view, *read = x->at.at[x->at.n - 1].value->view;
  const bool adds = x->at.at[1].use == USE_READ;
  Tree *number = adds ? before_of(s, x, true) : identity(s);
  Arguments in = {.n = c->nparams};
  for (int i = 0; i < c->nparams; i++) {
    if (!c->params[i]->rank) in.at[i].number = number;
    else in.at[i].view = i == 0 && !adds ? read : items;
  }
  Place lane = lowering_place(s->l, s->lanes);
  Destination to = {.kind = adds ? TO_NOWHERE : TO_REGISTER, .name = "total"};
  inline_codelet(s->l, c, &c->plain, &lane, &in, &to);
  if (adds) count_in(s, x);
  else x->at.at[1].value->now = tree_ref(s->l->a, to.value);
}

/* 16 bytes, as they are written, of memory, or of a tile. */
static void copy_row(Scan *s, const NestStage *x) {
  Arena *a = s->l->a;
  const bool store = x->at.at[0].value->space == NEST_MEMORY;
  const View *memory = x->at.at[!store].value->view;
  Tree *there = build_element(a, memory->source.base, build_add(a, memory->begin, x->at.at[!store].index));
  Tree *own = build_element(a, x->at.at[store].value->symbol, x->at.at[store].index);
  Tree *move = tree_binary(a, store ? OP_STORE_WIDE : OP_LOAD_WIDE, TYPE_VOID, store ? there : own, store ? own : there);
  move->move = store ? WIDE_ANYWHERE : memory->source.base->type == s->type ? WIDE_ALIGNED : WIDE_ROW;
  lowering_add(s->l, move);
}

/* An element of memory or of a tile. Where it may be outside of the dimension, stores leave it out, and loads give the
 * identity. */
static void copy(Scan *s, const NestNode *n) {
  Lowering *l = s->l;
  Tree *element[2], *exists = NULL;
  const NestAxis *loop = nest_above(n, BINDING_LOOP);
  if (n->above->axis->binding == BINDING_WIDE) { copy_row(s, n->stage); return; }
  for (int i = 0; i < 2; i++) {
    const NestAccess *x = &n->stage->at.at[i];
    const View held = {.source.base = x->value->symbol, .begin = build_index(l->a, 0), .step = build_index(l->a, 1)};
    element[i] = view_element(l, x->value->of ? &held : x->value->view, x->index);
    if (i == 0 && x->value->of) element[i] = build_element(l->a, x->value->symbol, x->index);
    if (!x->value->of && loop->tail == TAIL_IDENTITY) exists = tails_within(l, loop->dim, x->index);
  }
  const bool load = exists && n->stage->at.at[0].value->of;
  if (load) element[1] = build_choice(l->a, exists, element[1], identity(s));
  Tree *store = build_assign(l->a, element[0], element[1]);
  lowering_add(l, exists && !load ? build_if(l->a, exists, store) : store);
}

/* Of an item of each lane, and of totals. */
static void number(Scan *s, const NestStage *x) {
  Lowering *l = s->l;
  Arena *a = l->a;
  NestValue *to = x->at.at[0].value, *from = x->at.at[1].value;
  if (to->space == NEST_SHARED) {
    const NestAxis *warp = to->kept.at[0];
    to->symbol = lowering_shared(l, to->name, s->type, warp->extent);
    Tree *own = build_assign(a, build_element(a, to->symbol, warp->number), from->now);
    lowering_add(l, build_if(a, is_first(s, OP_LANE), own));
  } else if (to->of) {
    Tree *item = build_element(a, to->view->source.base, to->view->begin);
    lowering_add(l, build_assign(a, item, before_of(s, x, false)));
    count_in(s, x);
  } else if (!from->of) to->now = from->now;
  else to->now = tree_ref(a, variable(s, to->name, build_element(a, from->view->source.base, from->view->begin)));
}

/* ---- joins ---- */

/* A cooperative codelet: lane i's value of `in' is element i. Returns each lane's own prefix. */
static Tree *by_lanes(Scan *s, const PlanNode *n, const Place *p, View *in) {
  const Codelet *c = n->rule->codelet;
  const Form *form = n->shuffled ? &c->shuffled : &c->plain;
  Symbol *upto = variable(s, spectrum_excludes(c->spectrum) ? "before" : "upto", identity(s));
  View out = {.source.register_of = upto, .size = in->source.register_of ? in->size : view_size(s->l, in)};
  Arguments args = {.at = {{.view = in}, {.number = identity(s)}, {.view = &out}}, .n = 3};
  Destination nowhere = {.kind = TO_NOWHERE};
  lowering_comment(s->l, "%s: %s%s", p->level->name, lowering_source(s->l, c),
                   n->shuffled ? ", exchanging registers" : "");
  inline_codelet(s->l, c, form, p, &args, &nowhere);
  return tree_ref(s->l->a, upto);
}

/* What the last of so many lanes has. */
static Tree *of_last(Scan *s, const Place *p, Tree *many, Tree *value) {
  Arena *a = s->l->a;
  Tree *last = build_sub(a, many, scan_number(s, 1));
  if (p->level->real == REAL_BLOCK) {
    Symbol *shared = lowering_shared(s->l, "all", s->type, NULL);
    lowering_add(s->l, build_if(a, build_compare(a, OP_EQ, p->lane, last), build_assign(a, tree_ref(a, shared), value)));
    return tree_ref(a, shared);
  }
  if (p->level->real == REAL_SUBWARP) /* lanes are a warp's, where they exchange */
    last = build_add(a, build_mul(a, build_div(a, build_lane(a, OP_LANE), many), many), last);
  return scan_fixed(s, "all", s->type, shuffled(s, value, last));
}

/* Lanes' totals, or items; of warps each scans all of them for itself. */
static void by_codelet(Scan *s, const NestNode *join) {
  Arena *a = s->l->a;
  const NestJoin *j = join->join;
  const PlanNode *n = join->kids.at[0]->plan;
  while (!n->rule->codelet) n = n->kid[0]; /* one of the next level acts for all: here each does the same */
  const Place p = lowering_place(s->l, n->rule->level);
  const bool warps = j->from->space == NEST_SHARED;
  View totals = {.source.register_of = warps ? NULL : j->from->now->symbol, .size = p.lanes};
  if (warps) totals = view_of_memory(s->l, j->from->symbol, j->over->extent);
  Tree *each = by_lanes(s, n, &p, &totals), *own = j->from->now;
  if (warps) {
    Tree *one = build_element(a, j->from->symbol, p.lane), *exists = tails_part_exists(s->l, p.lane, j->over->extent);
    own = scan_fixed(s, "one", s->type, build_choice(a, exists, one, identity(s)));
  }
  Tree *upto = spectrum_excludes(n->rule->codelet->spectrum) ? combined(s, each, own) : each;
  j->all->now = of_last(s, &p, j->over->extent, upto);
  j->to->now = warps ? scan_fixed(s, "above", s->type, shuffled(s, each, j->over->number)) : each;
}

/* What stands before the block's tile; every lane has it afterwards. */
static void among_blocks(Scan *s, const NestJoin *j) {
  Lowering *l = s->l;
  Arena *a = l->a;
  const Blocks *b = &s->blocks;
  const bool scanner = j->way == WAY_SCANNER;
  Symbol *carry = lowering_shared(l, "carry", s->type, NULL);
  Tree *kids[] = {tree_ref(a, l->program->words), b->tiles, b->tile, b->ticket, j->from->now, b->each};
  Tree *ask = build_tree(a, scanner ? OP_PRIOR_TOTAL : OP_LOOK_BACK, s->type, kids, b->each ? 6 : 5);
  ask->combines = s->spectrum->op;
  lowering_comment(l, scanner ? "the first warp posts the tile's total, and waits for what stands before it"
                              : "the first warp looks back at what stands before the tile");
  Statements inner = {0}, *outer = l->to;
  l->to = &inner;
  Tree *found = scan_fixed(s, "found", s->type, ask);
  lowering_add(l, build_if(a, is_first(s, OP_LANE), build_assign(a, tree_ref(a, carry), found)));
  l->to = outer;
  lowering_add(l, build_if(a, is_first(s, OP_WARP), tree_seq(a, inner.at, inner.n)));
  Tree *told = tree_ref(a, carry);
  j->to->now = tree_equal(s->carry, identity(s)) ? told : combined(s, s->carry, told);
}

void carry_node(void *context, NestNode *n, Tree *at) {
  Scan *s = context;
  (void)at;
  if (s->l->failed) return;
  if (n->kind == NEST_STAGE && n->stage->kind == STAGE_COPY) copy(s, n);
  else if (n->kind == NEST_STAGE) (n->stage->kind == STAGE_NUMBER ? number : by_lane)(s, n->stage);
  else if (n->join->way == WAY_CODELET) by_codelet(s, n);
  else if (n->join->way == WAY_CARRY) lowering_add(s->l, build_assign(s->l->a, n->join->to->now, n->join->from->now));
  else among_blocks(s, n->join);
}
