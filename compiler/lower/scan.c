/* scan.c: scans of what a block's lanes hold in registers, as nests (MICRO VI-C).
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
 * The dimension is cut into tiles, and these as a tile's plan is: each of its nodes is an axis, whose iterations scan
 * their parts, and a join (carry.c), which tells each what stands before it: an autonomous codelet scans a lane's items in
 * place; scan-scan-add scans each worker's part, then the parts' totals, and adds to each part what stands before it; a
 * sliding codelet takes a warp's rows, or a block's tiles, one after another, each with the total so far. */
#include "ir/operator.h"
#include "lower/scan.h"

/* ---- the dimension ---- */

static bool is_over_warps(const PlanNode *n) { return n->axis.real == REAL_WARP && !n->axis.second; }

static void cut(Scan *s, const PlanNode *n, const Place *p, NestAxis *of) {
  Arena *a = s->l->a;
  const Codelet *c = n->rule->codelet;
  const bool warps = c->kind == CLASS_COMPOUND && !n->rule->slides && is_over_warps(n);
  if (warps) {
    const Place warp = lowering_place(s->l, n->axis.level);
    Tree *many = build_div(a, tree_ref(a, s->l->now.threads), warp.lanes);
    s->warp = nest_split_workers(a, of, "warp", many, warp.level->name, build_lane(a, OP_WARP));
    cut(s, n->kid[0], &warp, s->warp);
    s->warp->stride = scan_tile_size(s, warp.lanes);
    return;
  }
  const bool rows_first = c->kind == CLASS_COOPERATIVE || n->rule->slides;
  if (rows_first) s->row = of = nest_split(a, of, "row", s->loads, BINDING_UNROLL);
  s->lane = of = nest_split_workers(a, of, "lane", p->lanes, s->lanes->name, p->lane);
  if (!rows_first) s->row = of = nest_split(a, of, "row", s->loads, BINDING_UNROLL);
  s->item = nest_split(a, of, "item", s->per, BINDING_UNROLL);
}

/* What stands before a part, and what all of it gives. `value': that is known, and carried, or another way gives it once the
 * part's total is known; NULL: nothing stands before it. */
typedef struct Before { NestValue *value; NestWay way; NestValue *all; } Before;

/* ---- nodes ---- */

static NestValue *lives(Scan *s, NestNode *at, const char *name, NestSpace space) {
  NestValue *v = nest_value(s->l->a, name, space);
  vec_push(s->l->a, &at->home, v);
  return v;
}

/* A number, which begins as that. */
static NestValue *number(Scan *s, NestNode *at, const char *name, Type type, Tree *is) {
  NestValue *v = lives(s, at, name, NEST_REGISTERS);
  v->is = is;
  v->symbol = symbol_new(s->l->a, SYMBOL_LOCAL, name, type);
  v->symbol->constant = true;
  v->now = tree_ref(s->l->a, v->symbol);
  return v;
}

/* A tile of memory. */
static NestValue *tile(Scan *s, NestNode *to, const char *name, NestValue *memory) {
  NestValue *made = lives(s, to, name, NEST_REGISTERS);
  made->of = memory;
  nest_keep(s->l->a, made, s->row);
  nest_keep(s->l->a, made, s->item);
  return made;
}

/* So many of this lane's items. */
static View *items_view(Scan *s, Symbol *items, Tree *first, Tree *many) {
  View *v = view_new(s->l, (View){.source.base = items, .begin = first, .step = build_index(s->l->a, 1), .size = many});
  v->end = build_add(s->l->a, first, many);
  return v;
}

/* The axis counts iterations, by a variable of its name. */
static void count(Scan *s, NestAxis *x, Type type, Tree *many) {
  x->many = many;
  x->number = tree_ref(s->l->a, symbol_new(s->l->a, SYMBOL_LOCAL, x->name, type));
  x->unroll = UNROLL_ALL;
}

static NestNode *by_workers(Scan *s, NestNode *inner) {
  inner = nest_over(s->l->a, s->lane, inner);
  return s->warp && !s->in_warp ? nest_over(s->l->a, s->warp, inner) : inner;
}

/* A stage on each lane's items: within rows on those of the one at hand. */
static NestNode *on_items(Scan *s, NestNode *stage) {
  Arena *a = s->l->a;
  NestNode *inner = nest_over(a, nest_again(a, s->item, "item", BINDING_CODELET, TAIL_NONE), stage);
  if (s->held == s->items) inner = nest_over(a, nest_again(a, s->row, "row", BINDING_CODELET, TAIL_NONE), inner);
  return by_workers(s, inner);
}

/* A copy of the items at hand: one by one, or, `wide', a row of a lane's at a time. */
static NestNode *copied(Scan *s, NestValue *to, NestValue *from, NestTail tail, bool wide) {
  Arena *a = s->l->a;
  const View *held = s->held->view;
  const bool row = s->held != s->items;
  NestAxis *x = nest_again(a, row ? s->item : s->row, wide ? "row" : "k", BINDING_LOOP, tail);
  NestAxis *item = nest_again(a, s->item, wide ? "wide" : "item", wide ? BINDING_WIDE : BINDING_CODELET, TAIL_NONE);
  NestNode *copy = open_copy(a, to, from), *loop = nest_over(a, x, row ? copy : nest_over(a, item, copy));
  count(s, x, TYPE_INT, wide ? s->loads : held->size);
  Tree *k = wide ? build_mul(a, x->number, s->per) : x->number, *in_row = scan_number(s, 0);
  if (!s->single && !wide) in_row = tree_binary(a, OP_REM, TYPE_INT, k, s->per);
  for (int i = 0; i < 2; i++) {
    NestAccess *access = &copy->stage->at.at[i];
    access->index = access->value == s->held ? build_add(a, held->begin, k) : k;
    if (access->value->space != NEST_MEMORY) continue;
    Tree *which = wide ? x->number : build_div(a, k, s->per);
    Tree *at = build_add(a, build_add(a, s->at, build_mul(a, which, s->row->stride)), in_row);
    access->index = wide ? at : number(s, loop, "i", TYPE_INDEX, at)->now;
  }
  return by_workers(s, loop);
}

static void joined(Scan *s, NestNode *at, const NestJoin *how, NestNode *by) {
  NestNode *join = nest_add(s->l->a, at, nest_join(s->l->a, how->from, how->over, how->way, by));
  *join->join = *how;
}

/* The loop goes on with `all' in `to'. */
static void carry(Scan *s, NestNode *loop, NestValue *all, NestValue *to) {
  to->symbol->constant = false;
  nest_partial(s->l->a, all, loop->axis);
  joined(s, loop, &(NestJoin){.from = all, .over = loop->axis, .way = WAY_CARRY, .to = to}, NULL);
}

/* A stage, and what it accesses. */
static NestNode *stage_of(Scan *s, StageKind kind, const Codelet *c, const NestAccess *at, int n) {
  NestNode *stage = nest_stage(s->l->a, kind, c);
  for (int i = 0; i < n; i++) nest_access(s->l->a, stage, at[i].value, at[i].use);
  return stage;
}

static NestNode *told(Scan *s, NestValue *to, NestValue *from) {
  return stage_of(s, STAGE_NUMBER, NULL, (NestAccess[]){{to, USE_WRITE, NULL}, {from, USE_READ, NULL}}, 2);
}

/* ---- what the plan's nodes do with a part ---- */

/* The codelet of scan-scan-add that adds what stands before a part to it: its second map's. */
static const Codelet *adds_before(Scan *s, const Codelet *c) {
  const Tree *map = lowering_second_map(c);
  const Codelet *add = NULL;
  for (int i = 0; map && i < map->spectrum->ncodelets && !add; i++)
    if (map->spectrum->codelets[i]->kind == CLASS_AUTONOMOUS) add = map->spectrum->codelets[i];
  if (!add || add->nparams > MOST_OPERANDS)
    lowering_fail(s->l, c->where, "it does not say how what stands before a part is added to it");
  return add;
}

static void open_part(Scan *s, const PlanNode *n, NestNode *to, const Before *before);

/* A warp's rows one after another. */
static void scan_rows(Scan *s, const PlanNode *n, NestNode *to, const Before *before) {
  Arena *a = s->l->a;
  Tree *first = before->value ? before->value->now : operator_identity(a, s->spectrum->op, s->type);
  NestValue *running = number(s, to, "running", s->type, first);
  NestAxis *x = nest_again(a, s->row, "row", BINDING_LOOP, TAIL_NONE);
  count(s, x, TYPE_INT, s->loads);
  NestNode *row = nest_add(a, to, nest_over(a, x, NULL));
  const Before each = {.value = running, .way = WAY_CARRY, .all = lives(s, row, "all", NEST_REGISTERS)};
  s->held = lives(s, row, "row", NEST_REGISTERS);
  s->held->of = s->items;
  s->held->symbol = s->items->symbol;
  s->held->view = items_view(s, s->items->symbol, build_mul(a, x->number, s->per), s->per);
  nest_keep(a, s->held, s->item);
  open_part(s, n->kid[0], row, &each);
  s->held = s->items;
  carry(s, row, each.all, running);
  nest_add(a, to, told(s, before->all, running));
}

/* What is read where each element is stored before it is read: the items as they are. */
static NestValue *keep(Scan *s, NestNode *to) {
  Arena *a = s->l->a;
  NestValue *kept = lives(s, to, "kept", NEST_REGISTERS);
  *kept = *s->held;
  kept->name = "kept";
  kept->of = s->items->of;
  kept->symbol = symbol_new(a, SYMBOL_LOCAL, kept->name, s->type);
  kept->view = items_view(s, kept->symbol, scan_number(s, 0), s->held->view->size);
  nest_add(a, to, copied(s, kept, s->held, TAIL_NONE, false));
  return kept;
}

/* The first stage of a part: its workers' totals. */
static NestNode *open_totals(Scan *s, const PlanNode *n, NestValue *totals) {
  Arena *a = s->l->a;
  const Codelet *c = n->rule->codelet;
  if (c->kind == CLASS_COOPERATIVE) return on_items(s, told(s, totals, s->held));
  if (!is_over_warps(n)) {
    NestNode *all = nest_node(a, NEST_SEQ, NULL);
    NestValue *read = spectrum_excludes(s->spectrum) ? keep(s, all) : s->held;
    const NestAccess at[] = {{s->held, USE_WRITE, NULL}, {totals, USE_ACCUMULATE, NULL}, {read, USE_READ, NULL}};
    nest_add(a, all, on_items(s, stage_of(s, STAGE_CODELET, n->kid[0]->rule->codelet, at, 3)));
    return all;
  }
  NestNode *each = nest_over(a, s->warp, NULL);
  NestValue *part = lives(s, each, "part", NEST_REGISTERS);
  s->in_warp = true;
  open_part(s, n->kid[0], each, &(Before){.all = part});
  s->in_warp = false;
  nest_add(a, each, told(s, totals, part));
  return each;
}

/* Workers' parts, a join of their totals, and what stands before each, which goes into its items. */
static void open_joined(Scan *s, const PlanNode *n, NestNode *to, const Before *before) {
  Arena *a = s->l->a;
  const Codelet *c = n->rule->codelet;
  const bool items = c->kind == CLASS_COOPERATIVE, warps = !items && is_over_warps(n);
  NestAxis *over = warps ? s->warp : s->lane;
  NestValue *totals = lives(s, to, warps ? "totals" : items ? "own" : "total", warps ? NEST_SHARED : NEST_REGISTERS);
  NestValue *above = lives(s, to, "above", NEST_REGISTERS), *all = before->all;
  nest_keep(a, totals, over);
  nest_partial(a, totals, over);
  nest_add(a, to, open_totals(s, n, totals));
  const NestJoin join = {.from = totals, .over = over, .way = WAY_CODELET, .to = above, .all = all};
  joined(s, to, &join, open_plan(s->l, items ? n : n->kid[1], NULL, USE_READ));
  if (before->value && before->way != WAY_CARRY) {
    const NestJoin outer = {.from = all, .over = s->tile, .way = before->way, .to = before->value};
    nest_partial(a, all, s->tile);
    joined(s, to, &outer, NULL);
  }
  const Codelet *add = items ? NULL : adds_before(s, c);
  const NestAccess at[] = {{s->held, USE_WRITE, NULL}, {above, USE_READ, NULL}, {all, USE_ACCUMULATE, NULL},
                           {before->value, USE_READ, NULL}};
  nest_add(a, to, on_items(s, stage_of(s, items ? STAGE_NUMBER : STAGE_CODELET, add, at, before->value ? 4 : 3)));
}

static void open_part(Scan *s, const PlanNode *n, NestNode *to, const Before *before) {
  const Codelet *c = n->rule->codelet;
  if (!c || c->kind == CLASS_AUTONOMOUS) {
    lowering_fail(s->l, s->spectrum->where, "a tile is scanned by its lanes together");
    return;
  }
  if (c->kind == CLASS_COMPOUND) {
    const char *what = arena_printf(s->l->a, "%s: %s", n->rule->level->name, lowering_source(s->l, c));
    to = nest_add(s->l->a, to, nest_node(s->l->a, NEST_SEQ, what));
  }
  (n->rule->slides ? scan_rows : open_joined)(s, n, to, before);
}

/* ---- tiles ---- */

/* Do neighbouring elements lie side by side in memory? Those of a view are computed one by one. */
static bool is_run(const View *v) { return v->source.kind == VIEW_MEMORY && build_is(v->step, 1); }

/* Reads or writes the tile's elements; those outside of the container are left out where it is not `whole'. */
static NestNode *move_tile(Scan *s, NestValue *memory, const NestValue *whole, bool store) {
  NestValue *to = store ? memory : s->items, *from = store ? s->items : memory;
  NestNode *guarded = copied(s, to, from, TAIL_IDENTITY, false), *all = NULL;
  if (!whole) return guarded; /* 4 bytes of neighbouring lanes are read together anyway */
  const bool rows = !s->single && is_run(memory->view);
  if (!rows || store || memory->view->source.base->type == s->type) all = copied(s, to, from, TAIL_NONE, rows);
  else { /* lifted */
    all = nest_node(s->l->a, NEST_SEQ, NULL);
    NestValue *stored = tile(s, all, "wide", memory);
    nest_add(s->l->a, all, copied(s, stored, memory, TAIL_NONE, true));
    nest_add(s->l->a, all, copied(s, s->items, stored, TAIL_NONE, false));
  }
  return nest_when(s->l->a, whole->now, all, guarded);
}

static NestValue *memory_of(Scan *s, View *v) {
  return open_memory(s->l->a, v->source.kind == VIEW_MEMORY ? v->source.base->name : "view", v);
}

/* The work on one tile, which begins at `from', as kids of the tiles' axis. */
static void open_tile(Scan *s, const PlanNode *n, const Place *p, NestNode *to, Tree *from, const Before *before) {
  Arena *a = s->l->a;
  const bool cpu = s->l->plan->machine->is_cpu, guarded = s->single && !cpu; /* element by element */
  const bool own = !guarded && !cpu && p->level->real != REAL_BLOCK; /* of a warp's short part some lanes hold whole rows */
  NestValue *in = memory_of(s, s->in), *out = memory_of(s, s->out), *whole = NULL, *at = NULL;
  NestValue *begin = number(s, to, "begin", TYPE_INDEX, from);
  Tree *offset = build_mul(a, s->lane->number, s->lane->stride);
  if (s->warp) offset = build_add(a, build_mul(a, s->warp->number, s->warp->stride), offset);
  Tree *first = build_add(a, begin->now, offset), *end = build_add(a, begin->now, s->tile->stride);
  if (own) {
    at = number(s, to, "at", TYPE_INDEX, first);
    Tree *rows = build_mul(a, build_sub(a, s->loads, scan_number(s, 1)), s->row->stride);
    end = build_add(a, build_add(a, at->now, rows), s->per);
  }
  if (!guarded)
    whole = number(s, to, "whole", TYPE_BOOL, tails_holds(s->l, s->tile->dim, own ? at->now : begin->now, end));
  s->items = s->held = tile(s, to, "item", in);
  s->items->symbol = symbol_new(a, SYMBOL_LOCAL, "item", s->type);
  s->items->view = items_view(s, s->items->symbol, scan_number(s, 0), build_mul(a, s->loads, s->per));
  if (!own) at = number(s, to, "at", TYPE_INDEX, first);
  s->at = at->now;
  nest_add(a, to, move_tile(s, in, whole, false));
  open_part(s, n, to, before);
  nest_add(a, to, move_tile(s, out, whole, true));
}

NestValue *scan_by_tiles(Scan *s, const PlanNode *n, const Place *p, Tree *lead, Tree *many) {
  Lowering *l = s->l;
  Arena *a = l->a;
  NestNode *all = nest_node(a, NEST_SEQ, NULL);
  Before before = {.way = many ? WAY_CARRY : s->blocks.scanner ? WAY_SCANNER : WAY_LOOK_BACK};
  s->tile = nest_dimension(a, "n", ROLE_SCAN, build_index(a, 0), s->size);
  s->tile->name = "tile";
  s->tile->dim->op = s->spectrum;
  s->warp = NULL;
  cut(s, n->kid[0], p, s->tile);
  s->tile->stride = scan_tile_size(s, p->lanes);
  if (many) count(s, s->tile, TYPE_INDEX, many);
  else nest_bind(s->tile, BINDING_WORKERS, p->level->name, s->blocks.tile);
  s->tile->unroll = UNROLL_NONE;
  s->tile->tail = many ? TAIL_CLIP : TAIL_NONE;
  if (p->level->real == REAL_SUBWARP) s->tile->tail = TAIL_IDENTITY; /* all of a warp's lanes exchange together */
  before.value = many ? number(s, all, "sum", s->type, s->carry) : lives(s, all, "stands", NEST_REGISTERS);
  NestNode *tiles = nest_add(a, all, nest_over(a, s->tile, NULL));
  before.all = lives(s, tiles, "all", NEST_REGISTERS);
  Tree *own = s->blocks.each ? s->blocks.own : s->tile->number;
  open_tile(s, n->kid[0], p, tiles, build_sub(a, build_mul(a, own, s->tile->stride), lead), &before);
  if (many) carry(s, tiles, before.all, before.value);
  if (l->failed) return NULL;
  realise(l, NULL, all, &(Carrying){.call = carry_node, .context = s});
  return many ? before.value : before.all;
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
  Scan s = {.l = l, .spectrum = n->rule->spectrum, .type = n->rule->spectrum->result};
  for (int i = 0; i < l->plan->machine->nlevels; i++)
    if (l->plan->machine->levels[i].real == REAL_THREAD) s.lanes = &l->plan->machine->levels[i];
  s.in = in->at[0].view;
  s.out = in->at[2].view;
  s.carry = in->at[1].number;
  s.size = view_size(l, s.in);
  const Tunable *v = s.lanes ? &l->plan->sizes.at[1 + s.lanes->depth].tunable : NULL;
  bool rows = !is_single(n->kid[0]) || has_rows(n->kid[0]); /* else one item of every lane */
  s.loads = rows ? tree_ref(l->a, lowering_constant(l, v, "rows of a tile", TYPE_INT)->symbol)
                 : tree_int(l->a, TYPE_INT, 1);
  s.rows = is_run(s.in) ? s.in : s.out;
  s.single = is_single(n->kid[0]);
  s.per = s.single ? scan_number(&s, 1) : build_width(l->a, s.type);
  return s;
}

Tree *scan_tile_size(Scan *s, Tree *threads) {
  return build_mul(s->l->a, threads, build_mul(s->l->a, s->loads, s->per));
}

Tree *scan_lead(Scan *s) {
  Arena *a = s->l->a;
  if (s->single) return build_index(a, 0);
  Tree *ahead = tree_unary(a, OP_TO_ALIGNED, TYPE_INDEX, build_element(a, s->rows->source.base, s->rows->begin));
  if (s->rows->source.base->type == TYPE_STORED) ahead = tree_binary(a, OP_REM, TYPE_INDEX, ahead, s->per);
  return tree_binary(a, OP_REM, TYPE_INDEX, build_sub(a, s->per, ahead), s->per);
}

void scan_deliver_last(Lowering *l, Place worker, Tree *tile, Tree *tiles, Tree *total, Tree *place) {
  Tree *is_last = build_compare(l->a, OP_EQ, tile, build_sub(l->a, tiles, build_index(l->a, 1)));
  worker.leader = worker.leader ? build_both(l->a, worker.leader, is_last) : is_last;
  lowering_deliver(l, &worker, total, &(Destination){.kind = TO_PLACE, .place = place});
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
  if (there) s.size = build_choice(a, there, s.size, build_index(a, 0)); /* who repeats a part writes nothing */
  l->there = NULL;
  lowering_comment(l, "%s: %s, tile by tile", p->level->name, lowering_source(l, n->rule->codelet));
  if (!s.single) s.per = scan_fixed(&s, "per", TYPE_INT, s.per);
  if (s.size->op != OP_REF) s.size = scan_fixed(&s, "elements", TYPE_INDEX, s.size);
  Tree *lead = scan_fixed(&s, "lead", TYPE_INDEX, scan_lead(&s)), *size = scan_tile_size(&s, p->lanes);
  Tree *many = scan_fixed(&s, "tiles", TYPE_INDEX, build_ceil_div(a, build_add(a, s.size, lead), size));
  const NestValue *sum = scan_by_tiles(&s, n, p, lead, many);
  l->there = there;
  if (!l->failed && to->kind != TO_NOWHERE) lowering_deliver(l, p, sum->now, to);
}
