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
 * their parts, and a join (carry.c), which tells each what stands before it: an autonomous codelet scans a lane's items
 * in place; scan-scan-add scans each worker's part, then the parts' totals, and adds to each part what stands before
 * it; a sliding codelet takes a warp's rows, or a block's tiles, one after another, each with the total so far.
 *
 * Requires a tile whose plan's nodes scan. Keeps the elements' order. Breaks their grouping. */
#include "ir/monoid.h"
#include "ir/operator.h"
#include "lower/handed.h"
#include "lower/scan.h"

/* ---- the dimension ---- */

static bool is_over_warps(const PlanNode *n) { return n->axis.real == REAL_WARP && !n->axis.second; }

static void cut(Scan *s, const PlanNode *n, const Place *p, NestAxis *of) {
  Arena *a = s->l->a;
  const Codelet *c = n->rule->codelet;
  if (c->rows) s->unit = c;
  const bool warps = c->kind == CLASS_COMPOUND && !n->rule->slides && is_over_warps(n);
  if (warps) {
    const Place warp = lowering_place(s->l, n->axis.level);
    Tree *many = build_div(a, tree_ref(a, s->l->now.threads), warp.lanes);
    s->warp = nest_split_workers(a, of, "warp", many, warp.level->name, build_lane(a, OP_WARP));
    cut(s, n->kid[0], &warp, s->warp);
    s->warp->stride = scan_tile_size(s, warp.lanes);
    return;
  }
  const bool rows_first = c->kind == CLASS_COOPERATIVE || n->rule->slides || s->unit;
  s->by_rows = rows_first;
  if (rows_first) s->row = of = nest_split(a, of, "row", s->loads, BINDING_UNROLL);
  s->lane = of = nest_split_workers(a, of, "lane", p->lanes, arch_lane(s->l->plan->machine)->name, p->lane);
  if (!rows_first) s->row = of = nest_split(a, of, "row", s->loads, BINDING_UNROLL);
  s->item = nest_split(a, of, "item", s->per, BINDING_UNROLL);
}

/* ---- nodes: what is carried from part to part is a join, `to' what stands before a part, NULL: nothing; `from' the
 * total so far, with the part ---- */

static void joined(Scan *s, NestNode *at, NestJoin how, NestNode *by) {
  nest_partial(s->l->a, how.from, how.over);
  NestNode *join = nest_add(s->l->a, at, nest_join(s->l->a, how.from, how.over, how.way, by));
  *join->join = how;
}

/* The loop goes on with that. */
static void carry(Scan *s, NestNode *loop, const NestJoin *carried) {
  carried->to->symbol->constant = false;
  joined(s, loop, *carried, NULL);
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

/* A number is added to all items. */
static NestNode *added_before(Scan *s, const Codelet *c, NestValue *number) {
  NestNode *stage = nest_stage(s->l->a, STAGE_WHOLE, adds_before(s, c));
  nest_access(s->l->a, stage, s->items, USE_WRITE);
  nest_access(s->l->a, stage, number, USE_READ);
  return scan_on_items(s, stage);
}

static void open_part(Scan *s, const PlanNode *n, NestNode *to, const NestJoin *carried);

/* A warp's rows one after another. */
static void scan_rows(Scan *s, const PlanNode *n, NestNode *to, const NestJoin *carried) {
  Arena *a = s->l->a;
  const bool tile = s->counts && carried->over == s->tile; /* what stands before it comes last */
  Tree *first = carried->to && !tile ? carried->to->now : operator_identity(a, s->spectrum->op, s->type);
  NestValue *running = nest_number(s->l->a, to, "running", s->type, first);
  NestAxis *x = nest_again(a, s->row, "row", BINDING_LOOP, TAIL_NONE);
  scan_count(s, x, TYPE_INT, s->loads);
  NestNode *row = nest_add(a, to, nest_over(a, x, NULL));
  const NestJoin each = {.from = scan_lives(s, row, "sum", NEST_REGISTERS), .over = x, .way = WAY_CARRY, .to = running};
  s->in_row = true;
  open_part(s, n->kid[0], row, &each);
  s->in_row = false;
  carry(s, row, &each);
  if (tile) {
    s->stands = carried->to;
    s->total = scan_lives(s, s->home, "counted", NEST_REGISTERS);
    nest_add(a, to, scan_told(s, s->total, NULL, running));
  }
  if (!tile) nest_add(a, to, scan_told(s, carried->from, NULL, running));
}

/* What a warp's matrix unit has of a part: the sums of its rows; once it is known what stands before it (NULL:
 * nothing), the items. Nothing has to be added to them. */
static void unit_sums(Scan *s, NestNode *to, NestValue *total) {
  NestNode *stage = nest_stage(s->l->a, STAGE_WHOLE, s->unit);
  nest_access(s->l->a, stage, s->parts, USE_WRITE);
  nest_access(s->l->a, stage, s->stored, USE_READ);
  nest_add(s->l->a, to, scan_on_items(s, stage));
  nest_add(s->l->a, to, scan_told(s, total, NULL, s->parts));
}

static NestNode *unit_scanned(Scan *s, NestValue *before) {
  NestNode *stage = nest_stage(s->l->a, STAGE_WHOLE, s->unit);
  nest_access(s->l->a, stage, s->items, USE_WRITE);
  nest_access(s->l->a, stage, s->stored, USE_READ);
  nest_access(s->l->a, stage, s->parts, USE_READ);
  nest_access(s->l->a, stage, s->whole, USE_READ);
  if (before) nest_access(s->l->a, stage, before, USE_READ);
  return scan_on_items(s, stage);
}

/* A warp's own tile. */
static void open_unit(Scan *s, NestNode *to, const NestJoin *carried) {
  NestValue *stands = carried->to, *all = stands ? scan_lives(s, to, "all", NEST_REGISTERS) : carried->from;
  unit_sums(s, to, all);
  nest_add(s->l->a, to, unit_scanned(s, stands));
  if (stands) nest_add(s->l->a, to, scan_told(s, carried->from, stands, all));
}

/* The first stage of a part: its workers' totals. */
static NestNode *open_totals(Scan *s, const PlanNode *n, NestValue *totals) {
  Arena *a = s->l->a;
  const Codelet *c = n->rule->codelet;
  if (c->kind == CLASS_COOPERATIVE) return scan_on_items(s, scan_told(s, totals, NULL, s->items));
  if (!is_over_warps(n) && s->again) return rescan_totals(s, n, totals);
  if (!is_over_warps(n)) {
    NestNode *all = nest_node(a, NEST_SEQ, NULL), *stage = nest_stage(a, STAGE_WHOLE, n->kid[0]->rule->codelet);
    NestValue *read = s->items;
    if (spectrum_excludes(s->spectrum)) { /* each element is stored before it is read: the items as they are */
      read = scan_tile(s, all, "kept", s->items->of, s->type);
      nest_add(a, all, scan_copied(s, read, s->items, TAIL_NONE, false));
    }
    nest_access(a, stage, s->items, USE_WRITE);
    nest_access(a, stage, totals, USE_ACCUMULATE);
    nest_access(a, stage, read, USE_READ);
    nest_add(a, all, scan_on_items(s, stage));
    return all;
  }
  NestNode *each = nest_over(a, s->warp, NULL);
  NestValue *part = scan_lives(s, each, "part", NEST_REGISTERS);
  s->in_warp = true;
  if (s->unit) unit_sums(s, each, part);
  else open_part(s, n->kid[0], each, &(NestJoin){.from = part});
  s->in_warp = false;
  nest_add(a, each, scan_told(s, totals, NULL, part));
  return each;
}

/* Workers' parts, a join of their totals, and what stands before each, which goes into its items. */
static void open_joined(Scan *s, const PlanNode *n, NestNode *to, const NestJoin *carried) {
  Arena *a = s->l->a;
  const Codelet *c = n->rule->codelet;
  const bool items = c->kind == CLASS_COOPERATIVE, warps = !items && is_over_warps(n);
  NestAxis *over = warps ? s->warp : s->lane;
  const char *name = warps ? "totals" : items ? "own" : "total";
  NestValue *totals = scan_lives(s, to, name, warps ? NEST_SHARED : NEST_REGISTERS);
  NestValue *above = scan_lives(s, to, "above", NEST_REGISTERS), *stands = carried->to;
  NestValue *all = stands ? scan_lives(s, to, "all", NEST_REGISTERS) : carried->from;
  nest_keep(a, totals, over);
  nest_add(a, to, open_totals(s, n, totals));
  joined(s, to, (NestJoin){.from = totals, .over = over, .way = WAY_CODELET, .to = above, .all = all},
         open_plan(s->l, items ? n : n->kid[1], &(Place){0}, NULL, NULL));
  if (stands && carried->way != WAY_CARRY)
    joined(s, to, (NestJoin){.from = all, .over = carried->over, .way = carried->way, .to = stands}, NULL);
  NestValue *ahead = stands;
  if (s->counts && carried->over == s->tile) { /* what stands before it comes last */
    s->stands = stands;
    s->total = scan_lives(s, s->home, "counted", NEST_REGISTERS);
    nest_add(a, to, scan_told(s, s->total, NULL, all));
    ahead = NULL;
  }
  if (items) nest_add(a, to, scan_on_items(s, scan_told(s, s->items, ahead, above)));
  else {
    NestValue *number = ahead ? scan_lives(s, to, "before", NEST_REGISTERS) : above;
    if (ahead) nest_add(a, to, scan_told(s, number, ahead, above));
    if (s->again) rescan_before(s, to, number);
    else nest_add(a, to, s->unit ? unit_scanned(s, number) : added_before(s, c, number));
  }
  if (stands && (ahead || !s->counts)) nest_add(a, to, scan_told(s, carried->from, stands, all));
}

static void open_part(Scan *s, const PlanNode *n, NestNode *to, const NestJoin *carried) {
  const Codelet *c = n->rule->codelet;
  if (s->unit && c == s->unit) {
    open_unit(s, to, carried);
    return;
  }
  if (!c || c->kind == CLASS_AUTONOMOUS) {
    lowering_fail(s->l, s->spectrum->where, "a tile is scanned by its lanes together");
    return;
  }
  if (c->kind == CLASS_COMPOUND) {
    const char *what = arena_printf(s->l->a, "%s: %s", n->rule->level->name, lowering_source(s->l, c));
    to = nest_add(s->l->a, to, nest_node(s->l->a, NEST_SEQ, what));
  }
  (n->rule->slides ? scan_rows : open_joined)(s, n, to, carried);
}

/* ---- tiles ---- */

/* The same of a lane's rows that a matrix unit has, side by side, from memory. */
static NestNode *loaded_for_unit(Scan *s, NestValue *memory) {
  NestNode *stage = nest_stage(s->l->a, STAGE_WHOLE, s->unit);
  nest_access(s->l->a, stage, s->stored, USE_WRITE);
  nest_access(s->l->a, stage, memory, USE_READ);
  nest_access(s->l->a, stage, s->whole, USE_READ);
  return scan_on_items(s, stage);
}

static NestNode *stage_of(NestNode *n) { return n->kind == NEST_STAGE ? n : stage_of(n->kids.at[0]); }

/* Reads or writes the tile's elements; those outside of the container are left out where it is not `whole'. */
static NestNode *move_tile(Scan *s, NestValue *memory, const NestValue *whole, bool store) {
  NestValue *items = s->unit && !store ? s->stored : s->items;
  NestValue *to = store ? memory : items, *from = store ? items : memory;
  if (s->unit && !store && scan_is_run(memory->view)) return loaded_for_unit(s, memory);
  NestNode *guarded = scan_copied(s, to, from, TAIL_IDENTITY, false), *all = NULL;
  if (s->counts && store) nest_access(s->l->a, stage_of(guarded), s->stands, USE_READ);
  if (!whole) return guarded; /* 4 bytes of neighbouring lanes are read together anyway */
  const bool rows = !s->single && scan_is_run(memory->view);
  const bool lifted = rows && !store && !s->unit && memory->view->source.base->type != s->type;
  if (!lifted) all = scan_copied(s, to, from, TAIL_NONE, rows);
  else {
    all = nest_node(s->l->a, NEST_SEQ, NULL);
    NestValue *stored = scan_tile(s, all, "wide", memory, TYPE_VOID);
    nest_add(s->l->a, all, scan_copied(s, stored, memory, TAIL_NONE, true));
    nest_add(s->l->a, all, scan_copied(s, s->items, stored, TAIL_NONE, false));
  }
  return nest_when(s->l->a, whole->now, all, guarded);
}

/* What its matrix unit reads, and says of that. */
static void open_for_unit(Scan *s, NestNode *to, NestValue *in) {
  enum { PARTS = 5 };
  const View *v = in->view;
  if (v->source.kind != VIEW_MEMORY || v->source.base->type != TYPE_STORED)
    lowering_fail(s->l, s->unit->where, "a matrix unit multiplies elements in memory");
  s->stored = scan_tile(s, to, "wide", in, TYPE_STORED);
  s->parts = scan_lives(s, to, "part", NEST_REGISTERS);
  s->parts->of = in;
  s->parts->type = s->type;
  nest_keep(s->l->a, s->parts, nest_unrolled(s->l->a, "p", scan_number(s, PARTS)));
}

/* The work on one tile, which begins at `from', as kids of the tiles' axis. */
static void open_tile(Scan *s, const PlanNode *n, const Place *p, NestNode *to, Tree *from, const NestJoin *carried) {
  Arena *a = s->l->a;
  const bool cpu = s->l->plan->machine->is_cpu, guarded = s->single && !cpu; /* element by element */
  const bool own = !guarded && !cpu && p->level->real != REAL_BLOCK; /* of a warp's short part some lanes hold whole
                                                                        rows */
  NestValue *in = scan_memory_of(s, s->in), *out = scan_memory_of(s, s->out), *whole = NULL, *at = NULL;
  NestValue *begin = nest_number(s->l->a, to, "begin", TYPE_INDEX, from);
  Tree *offset = build_mul(a, s->lane->number, s->lane->stride);
  if (s->warp) offset = build_add(a, build_mul(a, s->warp->number, s->warp->stride), offset);
  Tree *first = build_add(a, begin->now, offset), *end = build_add(a, begin->now, s->tile->stride);
  if (own) {
    at = nest_number(s->l->a, to, "at", TYPE_INDEX, first);
    Tree *rows = build_mul(a, build_sub(a, s->loads, scan_number(s, 1)), s->row->stride);
    end = build_add(a, build_add(a, at->now, rows), s->per);
  }
  if (!guarded)
    whole =
        nest_number(s->l->a, to, "whole", TYPE_BOOL, tails_holds(s->l, s->tile->dim, own ? at->now : begin->now, end));
  const bool at_once = s->unit && scan_is_run(s->out); /* rows are stored as they are made: no registers hold all */
  s->whole = whole;
  s->place = p;
  s->home = to;
  s->items = at_once ? out : scan_tile(s, to, "item", in, s->type);
  if (s->unit) open_for_unit(s, to, in);
  if (!own) at = nest_number(s->l->a, to, "at", TYPE_INDEX, first);
  s->lane->at = at->now;
  nest_add(a, to, s->again ? rescan_load(s, to, in, whole) : move_tile(s, in, whole, false));
  open_part(s, n, to, carried);
  if (s->again) rescan_store(s, to, out, whole);
  else if (!at_once) nest_add(a, to, move_tile(s, out, whole, true));
  if (s->counts) nest_add(a, to, scan_told(s, carried->from, s->stands, s->total));
}

NestNode *scan_by_tiles(Scan *s, const PlanNode *n, const Place *p, Tree *lead, Tree *many, NestValue **total) {
  Lowering *l = s->l;
  Arena *a = l->a;
  NestNode *all = nest_node(a, NEST_SEQ, NULL);
  s->tile = nest_dimension(a, "n", ROLE_SCAN, build_index(a, 0), s->size);
  s->tile->name = "tile";
  s->tile->dim->op = s->spectrum;
  s->warp = NULL;
  s->before.n = 0;
  cut(s, n->kid[0], p, s->tile);
  s->tile->stride = scan_tile_size(s, p->lanes);
  if (many) scan_count(s, s->tile, TYPE_INDEX, many);
  else nest_bind(s->tile, BINDING_WORKERS, p->level->name, s->blocks.tile);
  s->tile->unroll = UNROLL_NONE;
  s->tile->tail = many ? TAIL_CLIP : TAIL_NONE;
  if (p->level->real == REAL_SUBWARP) s->tile->tail = TAIL_IDENTITY; /* all of a warp's lanes exchange together */
  NestValue *before = many ? nest_number(s->l->a, all, "sum", s->spectrum->result, s->carry)
                           : scan_lives(s, all, "stands", NEST_REGISTERS);
  NestNode *tiles = nest_add(a, all, nest_over(a, s->tile, NULL));
  const NestJoin carried = {.from = scan_lives(s, tiles, "sum", NEST_REGISTERS), .over = s->tile, .to = before,
                            .way = many ? WAY_CARRY : s->blocks.scanner ? WAY_SCANNER : WAY_LOOK_BACK};
  Tree *own = s->blocks.each ? s->blocks.own : s->tile->number;
  open_tile(s, n->kid[0], p, tiles, build_sub(a, build_mul(a, own, s->tile->stride), lead), &carried);
  if (many) carry(s, tiles, &carried);
  *total = many ? before : carried.from;
  all->opened = arena_one(a, Opened);
  *all->opened = (Opened){.l = l, .scan = s};
  return l->failed ? NULL : all;
}

/* Does each lane hold single elements, which a cooperative codelet exchanges? */
static bool is_single(const PlanNode *tile) {
  while (tile->rule->codelet->kind == CLASS_COMPOUND) tile = tile->kid[0];
  return tile->rule->codelet->kind == CLASS_COOPERATIVE;
}

static bool has_rows(const PlanNode *n) {
  return n->rule->slides || (n->nkids > 0 && has_rows(n->kid[0]));
}

/* A lane has as many elements of a row as 16 bytes of what is read hold. Of turns, which are made of what is read, as
 * many as of one of a turn's two numbers: a row's lanes exchange their totals, and fewer elements are more rows. */
static Type type_of_row(const Scan *s) {
  if (s->source) return s->source->source.base->type;
  const bool turns = type_is_state(s->type) && monoid_is_of_loops(s->spectrum->monoid);
  return turns ? monoid_number(s->spectrum->monoid, s->type) : s->type;
}

Scan scan_of(Lowering *l, const PlanNode *n, Arguments *in) {
  const Spectrum *spectrum = n->rule->spectrum;
  const Tunable *v = &l->plan->sizes.at[1 + arch_lane(l->plan->machine)->depth].tunable;
  Scan s = {.l = l, .spectrum = spectrum, .type = spectrum->result, .in = in->at[0].view, .carry = in->at[1].number,
            .out = in->at[2].view, .size = view_size(l, in->at[0].view), .single = is_single(n->kid[0])};
  const bool rows = !s.single || has_rows(n->kid[0]); /* else one item of every lane */
  s.loads = rows ? tree_ref(l->a, lowering_constant(l, v, "rows of a tile", TYPE_INT)->symbol)
                 : scan_number(&s, 1);
  rescan_settle(&s);
  s.rows = s.source ? s.source : scan_is_run(s.in) ? s.in : s.out;
  s.per = s.single ? scan_number(&s, 1) : build_width(l->a, type_of_row(&s));
  s.width = s.per;
  return s;
}

Tree *scan_tile_size(Scan *s, Tree *threads) {
  return build_mul(s->l->a, threads, build_mul(s->l->a, s->loads, s->per));
}

Tree *scan_lead(Scan *s) {
  Arena *a = s->l->a;
  if (s->single || !scan_is_run(s->rows)) return build_index(a, 0); /* rows begin anywhere */
  Tree *ahead = tree_unary(a, OP_TO_ALIGNED, TYPE_INDEX, build_element(a, s->rows->source.base, s->rows->begin));
  if (s->rows->source.base->type == TYPE_STORED) ahead = tree_binary(a, OP_REM, TYPE_INDEX, ahead, s->per);
  return tree_binary(a, OP_REM, TYPE_INDEX, build_sub(a, s->per, ahead), s->per);
}

NestNode *scan_deliver_last(Lowering *l, Place worker, Tree *tile, Tree *tiles, NestValue *total, Tree *place) {
  Tree *is_last = build_compare(l->a, OP_EQ, tile, build_sub(l->a, tiles, build_index(l->a, 1)));
  Destination *to = arena_one(l->a, Destination);
  *to = (Destination){.kind = TO_PLACE, .place = place};
  worker.leader = worker.leader ? build_both(l->a, worker.leader, is_last) : is_last;
  return open_deliver(l, &worker, total, to);
}

/* ---- one place slides over all tiles ---- */

NestNode *scan_open(Lowering *l, const PlanNode *n, Work *w) {
  Arena *a = l->a;
  const Place *p = &w->place;
  if (!n->rule->slides || n->rule->map != STEP_SERIALIZE) {
    lowering_fail(l, n->rule->codelet->where, "a place scans a container of any size tile by tile");
    return NULL;
  }
  Scan *s = arena_one(a, Scan);
  *s = scan_of(l, n, &w->in);
  Tree *there = lowering_there(l);
  if (there) s->size = build_choice(a, there, s->size, build_index(a, 0)); /* who repeats a part writes nothing */
  lowering_comment(l, "%s: %s, tile by tile", p->level->name, lowering_source(l, n->rule->codelet));
  if (!s->single) s->per = scan_fixed(s, "per", TYPE_INT, s->per);
  if (s->size->op != OP_REF) s->size = scan_fixed(s, "elements", TYPE_INDEX, s->size);
  Tree *lead = scan_fixed(s, "lead", TYPE_INDEX, scan_lead(s)), *size = scan_tile_size(s, p->lanes);
  Tree *many = scan_fixed(s, "tiles", TYPE_INDEX, build_ceil_div(a, build_add(a, s->size, lead), size));
  NestValue *sum;
  NestNode *all = scan_by_tiles(s, n, p, lead, many, &sum);
  if (all && w->to && w->to->kind != TO_NOWHERE) nest_add(a, all, open_deliver(l, p, sum, w->to));
  return all;
}
