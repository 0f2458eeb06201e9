/* scan.c: scans of what a block's lanes hold in registers (MICRO VI-C).
 *
 * A tile is read once and written once; in between it is in registers, `items' a lane, 16 bytes in a row:
 *
 *     warp 0: | lane 0: 16 bytes | lane 1 | .. | lane 31 |     row 0
 *             | lane 0: 16 bytes | lane 1 | .. | lane 31 |     row 1 ..
 *     warp 1: ..
 *
 * They are 16 bytes as they are written: of elements that are lifted, as halves are, fewer are read. Were they 16 as
 * read, lanes would write every other 16.
 *
 * What a plan says of it is followed node by node: an autonomous codelet scans a lane's items in place; scan-scan-add
 * scans each worker's part, then the parts' totals, and adds to each part what stands before it; a sliding codelet
 * takes a warp's rows, or a block's tiles, one after another, each with the total so far.
 *
 * Over the blocks of a grid a slide has two ways. A block posts its tile's total before it knows what stands before it.
 * Then it looks back at what the blocks before it have posted, until it meets one that knew, and posts the total so
 * far; or the first block to begin, the scanner, tells all others, from what they have posted, what stands before them.
 * Tiles are taken in the order in which blocks begin, so that all that a block waits for have begun: whichever blocks
 * there are at once, the first of them waits for nobody. */
#include "ir/monoid.h"
#include "ir/operator.h"
#include "lower/scan.h"

/* ---- pieces ---- */

static Tree *identity(Scan *s) { return operator_identity(s->l->a, s->spectrum->op, s->type); }

static Tree *combined(Scan *s, Tree *x, Tree *y) {
  return tree_binary(s->l->a, operator_op(s->spectrum->op), s->type, x, y);
}

Tree *scan_fixed(Scan *s, const char *name, Type type, Tree *value) {
  return tree_ref(s->l->a, lowering_fixed(s->l, name, type, value));
}

static Symbol *variable(Scan *s, const char *name, Tree *value) {
  Symbol *made = symbol_new(s->l->a, SYMBOL_LOCAL, lowering_name(s->l, name), s->type);
  lowering_add(s->l, build_declare(s->l->a, made, value));
  return made;
}

static Tree *shuffled(Scan *s, Tree *value, ShuffleMode mode, Tree *by) {
  Tree *t = tree_binary(s->l->a, OP_SHUFFLE, s->type, value, by);
  t->number = mode;
  return t;
}

Tree *scan_number(Scan *s, int64_t n) { return tree_int(s->l->a, TYPE_INT, n); }

Tree *scan_choice(Scan *s, Type type, Tree *condition, Tree *then, Tree *otherwise) {
  Tree *t = tree_new(s->l->a, OP_COND, type, (SourceRange){0}, 3);
  t->kid[0] = condition;
  t->kid[1] = then;
  t->kid[2] = otherwise;
  return t;
}

/* for (k = 0; k < count; ++k), written out, around statements. */
typedef struct Loop { Statements inner, *outer, start; int names; Symbol *k; } Loop;

static Tree *loop_open(Scan *s, Loop *b, const char *name, Type type) {
  Lowering *l = s->l;
  *b = (Loop){.outer = l->to, .start = l->start, .names = l->names.n};
  l->start = (Statements){0}; /* shared variables begin anew with every turn */
  b->k = symbol_new(l->a, SYMBOL_LOCAL, lowering_name(l, name), type);
  l->to = &b->inner;
  return tree_ref(l->a, b->k);
}

/* Returns the loop. */
static Tree *loop_close(Scan *s, Loop *b, Tree *count, ForUnroll unroll) {
  Lowering *l = s->l;
  Arena *a = l->a;
  Statements all = l->start;
  for (int i = 0; i < b->inner.n; i++) vec_push(a, &all, b->inner.at[i]);
  l->to = b->outer;
  l->start = b->start;
  l->names.n = b->names;
  Type type = b->k->type;
  Tree *loop = build_for(a, b->k, tree_int(a, type, 0), count, tree_int(a, type, 1), tree_seq(a, all.at, all.n), unroll);
  lowering_add(l, loop);
  return loop;
}

static View *items_of(Scan *s, const Tile *t) {
  Arena *a = s->l->a;
  View *v = arena_one(a, View);
  *v = (View){.base = t->items, .begin = t->first, .step = build_index(a, 1), .size = t->count};
  v->end = build_add(a, t->first, t->count);
  return v;
}

/* ---- what the codelets do ---- */

static bool is_scan_map(const Spectrum *s, const Tree *t) { return t->op == OP_MAP && t->spectrum == s; }

typedef struct FindAdd { const Spectrum *scan; const Tree *found; } FindAdd;

static bool find_add(void *context, const Tree *t) {
  FindAdd *f = context;
  if (t->op == OP_MAP_RUN && !is_scan_map(f->scan, t->kid[0])) f->found = t->kid[0];
  return !f->found;
}

/* The last step of scan-scan-add, on each lane's own items: its codelet, with what stands before them. */
static void add_before(Scan *s, const Codelet *c, const Place *p, const Tile *t, Tree *before) {
  FindAdd f = {s->spectrum, NULL};
  tree_visit(c->body, find_add, &f);
  const Codelet *add = NULL;
  for (int i = 0; f.found && i < f.found->spectrum->ncodelets && !add; i++)
    if (f.found->spectrum->codelets[i]->kind == CLASS_AUTONOMOUS) add = f.found->spectrum->codelets[i];
  if (!add || add->nparams > MOST_OPERANDS) {
    lowering_fail(s->l, c->where, "it does not say how what stands before a part is added to it");
    return;
  }
  Arguments in = {.n = add->nparams};
  for (int i = 0; i < add->nparams; i++) {
    if (add->params[i]->rank) in.at[i].view = items_of(s, t);
    else in.at[i].number = before;
  }
  Place lane = *p;
  lane.leader = NULL;
  Destination nowhere = {.kind = TO_NOWHERE};
  inline_codelet(s->l, add, &add->plain, &lane, &in, &nowhere);
}

static Tree *scan_part(Scan *s, const PlanNode *n, const Place *p, const Tile *t, const Before *before);

/* What is read where each element is stored before it is read: the items as they are. */
static View *kept_items(Scan *s, const Tile *t) {
  Arena *a = s->l->a;
  Symbol *kept = symbol_new(a, SYMBOL_LOCAL, lowering_name(s->l, "kept"), s->type);
  kept->array = kept->writable = true;
  kept->length = t->count;
  lowering_add(s->l, build_declare(a, kept, NULL));
  Loop b;
  Tree *k = loop_open(s, &b, "k", TYPE_INT);
  lowering_add(s->l, build_assign(a, build_element(a, kept, k), build_element(a, t->items, build_add(a, t->first, k))));
  loop_close(s, &b, t->count, UNROLL_ALL);
  Tile all = {kept, scan_number(s, 0), t->count};
  return items_of(s, &all);
}

/* An autonomous codelet: one lane's items, in place. Returns their total. */
static Tree *by_lane(Scan *s, const PlanNode *n, const Place *p, const Tile *t) {
  View *own = spectrum_excludes(s->spectrum) ? kept_items(s, t) : items_of(s, t);
  Arguments in = {.at = {{.view = own}, {.number = identity(s)}, {.view = items_of(s, t)}}, .n = 3};
  Destination to = {.kind = TO_REGISTER, .name = "total"};
  inline_codelet(s->l, n->rule->codelet, &n->rule->codelet->plain, p, &in, &to);
  return tree_ref(s->l->a, to.value);
}

/* A cooperative codelet: lane i's value of `in' is element i. Returns each lane's own prefix. */
static Tree *by_lanes(Scan *s, const PlanNode *n, const Place *p, View *in) {
  while (!n->rule->codelet) n = n->kid[0]; /* one of the next level acts for all: here each does the same */
  const Codelet *c = n->rule->codelet;
  const Form *form = n->shuffled ? &c->shuffled : &c->plain;
  Symbol *upto = variable(s, spectrum_excludes(c->spectrum) ? "before" : "upto", identity(s));
  View out = {.register_of = upto, .count = in->register_of ? in->count : view_size(s->l, in)};
  Arguments args = {.at = {{.view = in}, {.number = identity(s)}, {.view = &out}}, .n = 3};
  Destination nowhere = {.kind = TO_NOWHERE};
  lowering_comment(s->l, "%s: %s%s", p->level->name, lowering_source(s->l, c),
                   n->shuffled ? ", exchanging registers" : "");
  inline_codelet(s->l, c, form, p, &args, &nowhere);
  return tree_ref(s->l->a, upto);
}

/* What stands before the block's tile; every lane has it afterwards. */
static Tree *among_blocks(Scan *s, const Blocks *b, Tree *total) {
  Lowering *l = s->l;
  Arena *a = l->a;
  Symbol *carry = lowering_shared(l, "carry", s->type, NULL);
  Tree *kids[] = {b->words, b->tiles, b->tile, b->ticket, total, b->each};
  int nkids = b->each ? 6 : 5;
  Tree *ask = tree_new(a, b->scanner ? OP_PRIOR_TOTAL : OP_LOOK_BACK, s->type, (SourceRange){0}, nkids);
  for (int i = 0; i < nkids; i++) ask->kid[i] = kids[i];
  ask->number = s->spectrum->op;
  lowering_comment(l, b->scanner ? "the first warp posts the tile's total, and waits for what stands before it"
                                 : "the first warp looks back at what stands before the tile");
  Statements inner = {0}, *outer = l->to;
  l->to = &inner;
  Tree *found = scan_fixed(s, "found", s->type, ask);
  Tree *first = build_compare(a, OP_EQ, build_lane(a, OP_LANE), scan_number(s, 0));
  lowering_add(l, build_if(a, first, build_assign(a, tree_ref(a, carry), found)));
  l->to = outer;
  Tree *warp = build_compare(a, OP_EQ, build_lane(a, OP_WARP), scan_number(s, 0));
  lowering_add(l, build_if(a, warp, tree_seq(a, inner.at, inner.n)));
  return tree_equal(s->carry, identity(s)) ? tree_ref(a, carry) : combined(s, s->carry, tree_ref(a, carry));
}

/* What stands before a part whose total is known; NULL: nothing. */
static Tree *known_before(Scan *s, const Before *before, Tree *total) {
  return before->blocks ? among_blocks(s, before->blocks, total) : before->value;
}

/* What the last lane of a vector has. */
static Tree *of_last(Scan *s, const Place *p, Tree *value) {
  Arena *a = s->l->a;
  Tree *last = build_sub(a, p->lanes, scan_number(s, 1));
  if (p->level->real == REAL_SUBWARP) /* lanes are a warp's, where they exchange */
    last = build_add(a, build_mul(a, build_div(a, build_lane(a, OP_LANE), p->lanes), p->lanes), last);
  return scan_fixed(s, "all", s->type, shuffled(s, value, SHUFFLE_INDEX, last));
}

/* Scan-scan-add over the lanes of a warp: their totals are exchanged. Returns the total with what stands before. */
static Tree *over_lanes(Scan *s, const PlanNode *n, const Place *p, const Tile *t, const Before *before) {
  Lowering *l = s->l;
  Place lane = lowering_place(l, n->axis.second ? n->axis.second : n->axis.level);
  Tree *part = by_lane(s, n->kid[0], &lane, t);
  Symbol *own = part->symbol;
  View all = {.register_of = own, .count = p->lanes};
  Tree *above = by_lanes(s, n->kid[1], p, &all);
  Tree *total = of_last(s, p, combined(s, above, part));
  Tree *stands = known_before(s, before, total);
  add_before(s, n->rule->codelet, p, t, stands ? scan_fixed(s, "before", s->type, combined(s, stands, above)) : above);
  return stands ? scan_fixed(s, "sum", s->type, combined(s, stands, total)) : total;
}

/* Scan-scan-add over a block's warps: every warp scans their totals for itself. */
static Tree *over_warps(Scan *s, const PlanNode *n, const Tile *t, const Before *before) {
  Lowering *l = s->l;
  Arena *a = l->a;
  Place warp = lowering_place(l, n->axis.level);
  Tree *part = scan_part(s, n->kid[0], &warp, t, &(Before){0});
  if (l->failed) return NULL;
  Tree *warps = build_div(a, tree_ref(a, l->threads), scan_number(s, l->plan->machine->vector_width));
  Symbol *totals = lowering_shared(l, "totals", s->type, warps);
  Tree *own = build_lane(a, OP_WARP);
  lowering_add(l, build_if(a, warp.leader, build_assign(a, build_element(a, totals, own), part)));
  View all = view_of_memory(l, totals, warps);
  Tree *each = by_lanes(s, n->kid[1], &warp, &all);
  Tree *one = scan_choice(s, s->type, build_compare(a, OP_LT, warp.lane, warps), build_element(a, totals, warp.lane),
                     identity(s));
  Tree *all_warps = combined(s, each, scan_fixed(s, "one", s->type, one)), *last = build_sub(a, warps, scan_number(s, 1));
  Tree *total = scan_fixed(s, "all", s->type, shuffled(s, all_warps, SHUFFLE_INDEX, last));
  Tree *above = scan_fixed(s, "above", s->type, shuffled(s, each, SHUFFLE_INDEX, own));
  Tree *stands = known_before(s, before, total);
  add_before(s, n->rule->codelet, &warp, t, stands ? scan_fixed(s, "before", s->type, combined(s, stands, above)) : above);
  return stands ? scan_fixed(s, "sum", s->type, combined(s, stands, total)) : total;
}

/* A warp's rows one after another. */
static Tree *over_rows(Scan *s, const PlanNode *n, const Place *p, const Tile *t, const Before *before) {
  Lowering *l = s->l;
  Arena *a = l->a;
  Symbol *sum = variable(s, "running", before->value ? before->value : identity(s));
  Loop b;
  Tree *k = loop_open(s, &b, "row", TYPE_INT);
  Tile row = {t->items, build_add(a, t->first, build_mul(a, k, s->per)), s->per};
  Tree *total = scan_part(s, n->kid[0], p, &row, &(Before){.value = tree_ref(a, sum)});
  if (l->failed) return NULL;
  lowering_add(l, build_assign(a, tree_ref(a, sum), total));
  loop_close(s, &b, s->loads, UNROLL_ALL);
  return tree_ref(a, sum);
}

/* A cooperative codelet on one item of every lane. */
static Tree *over_items(Scan *s, const PlanNode *n, const Place *p, const Tile *t, const Before *before) {
  Lowering *l = s->l;
  Arena *a = l->a;
  Tree *item = build_element(a, t->items, t->first);
  Symbol *own = variable(s, "own", item);
  View all = {.register_of = own, .count = p->lanes};
  Tree *upto = by_lanes(s, n, p, &all), *total, *own_upto = upto;
  if (spectrum_excludes(s->spectrum)) own_upto = combined(s, upto, tree_ref(a, own));
  if (p->level->real == REAL_BLOCK) {
    Symbol *shared = lowering_shared(l, "all", s->type, NULL);
    Tree *is_last = build_compare(a, OP_EQ, p->lane, build_sub(a, p->lanes, scan_number(s, 1)));
    lowering_add(l, build_if(a, is_last, build_assign(a, tree_ref(a, shared), own_upto)));
    total = tree_ref(a, shared);
  } else total = of_last(s, p, own_upto);
  Tree *stands = known_before(s, before, total);
  lowering_add(l, build_assign(a, item, stands ? combined(s, stands, upto) : upto));
  return stands ? scan_fixed(s, "sum", s->type, combined(s, stands, total)) : total;
}

static Tree *scan_part(Scan *s, const PlanNode *n, const Place *p, const Tile *t, const Before *before) {
  const Codelet *c = n->rule->codelet;
  if (c && c->kind == CLASS_COOPERATIVE) return over_items(s, n, p, t, before);
  if (c && c->kind == CLASS_COMPOUND) {
    lowering_comment(s->l, "%s: %s", p->level->name, lowering_source(s->l, c));
    if (n->rule->slides) return over_rows(s, n, p, t, before);
    if (n->axis.real == REAL_WARP && !n->axis.second) return over_warps(s, n, t, before);
    return over_lanes(s, n, p, t, before);
  }
  lowering_fail(s->l, s->spectrum->where, "a tile is scanned by its lanes together");
  return NULL;
}

/* ---- tiles ---- */

/* Where a lane's items lie: item k of row r at offset + r * apart + k of the tile. */
typedef struct Layout { Tree *offset, *apart; } Layout;

static Layout layout_of(Scan *s, const PlanNode *n, const Place *p) {
  Arena *a = s->l->a;
  const Codelet *c = n->rule->codelet;
  Tree *items = build_mul(a, s->loads, s->per);
  if (c->kind == CLASS_COOPERATIVE) return (Layout){p->lane, p->lanes};
  if (n->rule->slides) return (Layout){build_mul(a, p->lane, s->per), build_mul(a, p->lanes, s->per)};
  if (n->axis.real == REAL_WARP && !n->axis.second) {
    Place warp = lowering_place(s->l, n->axis.level);
    Layout inner = layout_of(s, n->kid[0], &warp);
    inner.offset = build_add(a, build_mul(a, build_lane(a, OP_WARP), build_mul(a, warp.lanes, items)), inner.offset);
    return inner;
  }
  return (Layout){build_mul(a, p->lane, items), s->per};
}

/* Reads or writes a tile element by element, those of the container alone or, where it holds them, all. */
static void move_items(Scan *s, const Layout *y, Symbol *items, Tree *at, bool all, bool store) {
  Lowering *l = s->l;
  Arena *a = l->a;
  const View *v = store ? s->out : s->in;
  Loop b;
  Tree *k = loop_open(s, &b, "k", TYPE_INT), *own = build_element(a, items, k);
  Tree *row = build_mul(a, build_div(a, k, s->per), y->apart);
  Tree *in_row = s->single ? scan_number(s, 0) : tree_binary(a, OP_REM, TYPE_INT, k, s->per);
  Tree *i = scan_fixed(s, "i", TYPE_INDEX, build_add(a, build_add(a, at, row), in_row));
  Tree *within = build_both(a, build_compare(a, OP_GE, i, build_index(a, 0)),
                             build_compare(a, OP_LT, i, s->size));
  if (all && store) lowering_add(l, build_assign(a, view_element(l, v, i), own));
  else if (all) lowering_add(l, build_assign(a, own, view_element(l, v, i)));
  else if (store) lowering_add(l, build_if(a, within, build_assign(a, view_element(l, v, i), own)));
  else lowering_add(l, build_assign(a, own, scan_choice(s, s->type, within, view_element(l, v, i), identity(s))));
  loop_close(s, &b, items->length, UNROLL_ALL);
}

/* The same a row at a time. */
static void move_wide(Scan *s, const Layout *y, Symbol *items, Tree *at, bool store) {
  Lowering *l = s->l;
  Arena *a = l->a;
  const View *v = store ? s->out : s->in;
  Tree *rows = s->loads, *per = s->per;
  bool lifted = !store && v->base->type != s->type;
  Loop b;
  Symbol *stored = items;
  if (lifted) {
    stored = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, "wide"), v->base->type);
    stored->array = stored->writable = true;
    stored->length = items->length;
    lowering_add(l, build_declare(a, stored, NULL));
  }
  Tree *r = loop_open(s, &b, "row", TYPE_INT);
  Tree *move = tree_new(a, store ? OP_STORE_WIDE : OP_LOAD_WIDE, TYPE_VOID, (SourceRange){0}, 2);
  move->kid[store] = build_element(a, stored, build_mul(a, r, per));
  Tree *where = build_add(a, at, build_mul(a, r, y->apart));
  move->kid[!store] = build_element(a, v->base, build_add(a, v->begin, where));
  move->number = store ? WIDE_ANYWHERE : lifted ? WIDE_ROW : WIDE_ALIGNED;
  lowering_add(l, move);
  loop_close(s, &b, rows, UNROLL_ALL);
  if (lifted) {
    Tree *k = loop_open(s, &b, "k", TYPE_INT);
    View held = {.base = stored, .begin = build_index(a, 0), .step = build_index(a, 1)};
    lowering_add(l, build_assign(a, build_element(a, items, k), view_element(l, &held, k)));
    loop_close(s, &b, items->length, UNROLL_ALL);
  }
}

/* Do neighbouring elements lie side by side in memory? Those of a view are computed one by one. */
static bool is_run(const View *v) { return v->kind == VIEW_MEMORY && build_is(v->step, 1); }

/* Reads or writes the tile's elements, a lane's first one at `at'; those outside of the container are left out where it
 * is not `whole'. */
static void move_tile(Scan *s, const Layout *y, Symbol *items, Tree *at, Tree *whole, bool store) {
  Lowering *l = s->l;
  Arena *a = l->a;
  if (!whole) { /* 4 bytes of neighbouring lanes are read together anyway */
    move_items(s, y, items, at, false, store);
    return;
  }
  Statements wide = {0}, guarded = {0}, *outer = l->to;
  l->to = &wide;
  if (s->single || !is_run(store ? s->out : s->in)) move_items(s, y, items, at, true, store); /* a whole vector */
  else move_wide(s, y, items, at, store);
  l->to = &guarded;
  move_items(s, y, items, at, false, store);
  l->to = outer;
  Tree *t = build_if(a, whole, tree_seq(a, wide.at, wide.n));
  lowering_add(l, tree_with_kids(a, t, (Tree *[]){t->kid[0], t->kid[1], tree_seq(a, guarded.at, guarded.n)}, 3));
}

/* Does each lane hold single elements, which a cooperative codelet exchanges? */
static bool is_single(const PlanNode *tile) {
  while (tile->rule->codelet->kind == CLASS_COMPOUND) tile = tile->kid[0];
  return tile->rule->codelet->kind == CLASS_COOPERATIVE;
}

static bool has_rows(const PlanNode *n) {
  return n->rule->slides || (n->nkids > 0 && has_rows(n->kid[0]));
}

Scan scan_of(Lowering *l, const PlanNode *n, Arguments *in) {
  const SizeVar *v = NULL;
  for (int i = 0; i < l->plan->machine->nlevels; i++)
    if (l->plan->machine->levels[i].real == REAL_THREAD) v = &l->plan->sizes.at[1 + i];
  Scan s = {.l = l, .spectrum = n->rule->spectrum, .type = n->rule->spectrum->result};
  s.in = in->at[0].view;
  s.out = in->at[2].view;
  s.carry = in->at[1].number;
  s.size = view_size(l, s.in);
  bool rows = !is_single(n->kid[0]) || has_rows(n->kid[0]); /* else one item of every lane */
  s.loads = rows ? tree_ref(l->a, lowering_constant(l, "loads", "rows of a tile", v, TYPE_INT)->symbol)
                 : tree_int(l->a, TYPE_INT, 1);
  s.rows = is_run(s.in) ? s.in : s.out;
  s.single = is_single(n->kid[0]);
  s.width = build_width(l->a, s.type);
  return s;
}

void scan_declare_row(Scan *s) { s->per = s->single ? scan_number(s, 1) : scan_fixed(s, "per", TYPE_INT, s->width); }

Tree *scan_tile_size(Scan *s, Tree *threads) {
  return build_mul(s->l->a, threads, build_mul(s->l->a, s->loads, s->per));
}

Tree *scan_lead(Scan *s) {
  Arena *a = s->l->a;
  if (s->single) return build_index(a, 0);
  Tree *ahead = tree_unary(a, OP_TO_ALIGNED, TYPE_INDEX, build_element(a, s->rows->base, s->rows->begin));
  if (s->rows->base->type == TYPE_STORED) ahead = tree_binary(a, OP_REM, TYPE_INDEX, ahead, s->per);
  return tree_binary(a, OP_REM, TYPE_INDEX, build_sub(a, s->per, ahead), s->per);
}

Tree *scan_tile(Scan *s, const PlanNode *n, const Place *p, Tree *begin, const Before *before) {
  Lowering *l = s->l;
  Arena *a = l->a;
  Symbol *items = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, "item"), s->type);
  items->array = items->writable = true;
  items->length = build_mul(a, s->loads, s->per);
  bool cpu = l->plan->machine->is_cpu, guarded = s->single && !cpu; /* element by element */
  bool own = !guarded && !cpu && p->level->real != REAL_BLOCK; /* of a warp's short part some lanes hold whole rows */
  Layout y = layout_of(s, n, p);
  Tree *at = own ? scan_fixed(s, "at", TYPE_INDEX, build_add(a, begin, y.offset)) : NULL;
  Tree *rows = build_mul(a, build_sub(a, s->loads, scan_number(s, 1)), y.apart);
  Tree *first = own ? at : begin;
  Tree *end = own ? build_add(a, build_add(a, at, rows), s->per) : build_add(a, begin, scan_tile_size(s, p->lanes));
  Tree *inside = NULL;
  if (!guarded)
    inside = scan_fixed(s, "whole", TYPE_BOOL,
                        build_both(a, build_compare(a, OP_GE, first, build_index(a, 0)),
                                    build_compare(a, OP_LE, end, s->size)));
  lowering_add(l, build_declare(a, items, NULL));
  if (!own) at = scan_fixed(s, "at", TYPE_INDEX, build_add(a, begin, y.offset));
  move_tile(s, &y, items, at, inside, false);
  Tile t = {items, scan_number(s, 0), items->length};
  Tree *total = scan_part(s, n, p, &t, before);
  if (l->failed) return NULL;
  move_tile(s, &y, items, at, inside, true);
  return total;
}

/* ---- one place slides over all tiles ---- */

void scan_lower(Lowering *l, const PlanNode *n, const Place *p, Arguments *in, Destination *to) {
  Arena *a = l->a;
  if (!n->rule->slides || n->rule->map != STEP_SERIALIZE) {
    lowering_fail(l, n->rule->codelet->where, "a place scans a container of any size tile by tile");
    return;
  }
  Scan s = scan_of(l, n, in);
  Tree *there = l->there;
  if (there) s.size = scan_choice(&s, TYPE_INDEX, there, s.size, build_index(a, 0)); /* who repeats a part writes nothing */
  l->there = NULL;
  lowering_comment(l, "%s: %s, tile by tile", p->level->name, lowering_source(l, n->rule->codelet));
  scan_declare_row(&s);
  if (s.size->op != OP_REF) s.size = scan_fixed(&s, "elements", TYPE_INDEX, s.size);
  Tree *lead = scan_fixed(&s, "lead", TYPE_INDEX, scan_lead(&s)), *size = scan_tile_size(&s, p->lanes);
  Tree *all = build_add(a, s.size, lead);
  Tree *tiles = scan_fixed(&s, "tiles", TYPE_INDEX, build_ceil_div(a, all, size));
  Symbol *sum = variable(&s, "sum", in->at[1].number);
  Loop b;
  Tree *k = loop_open(&s, &b, "tile", TYPE_INDEX);
  Tree *begin = scan_fixed(&s, "begin", TYPE_INDEX, build_sub(a, build_mul(a, k, size), lead));
  Tree *total = scan_tile(&s, n->kid[0], p, begin, &(Before){.value = tree_ref(a, sum)});
  if (l->failed) return;
  lowering_add(l, build_assign(a, tree_ref(a, sum), total));
  Tree *loop = loop_close(&s, &b, tiles, UNROLL_NONE);
  if (p->level->real == REAL_SUBWARP) /* all of a warp's lanes exchange together: those beyond their end, nothing */
    loop->kid[1] = tree_unary(a, OP_ANY, TYPE_BOOL, loop->kid[1]);
  l->there = there;
  if (to->kind != TO_NOWHERE) lowering_deliver(l, p, tree_ref(a, sum), to);
}
