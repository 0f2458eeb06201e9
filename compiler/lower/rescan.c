/* rescan.c: rows of a tile that lanes scan twice: once for their totals, and again from what stands before them, when
 * that is known.
 *
 *   wide   | what flags are computed of |   16 bytes of a lane's row, `loads' rows
 *   base   | b0 | b1 | ..               |   what stands before each of its rows, within the tile
 *
 * So a lane keeps what it has loaded, and one number a row, in place of its results. A block waits for what stands
 * before its tile with fewer registers, and more blocks wait at once: memory is not idle meanwhile. Tiles are of flags
 * (counts.h) whose results are handed on to a map: its codelet has each result as it is found again.
 *
 * What that codelet stores side by side (handed.h) may be stored in shared memory first, at its place within the tile.
 * Then the block's lanes store all of it to memory together, neighbours to neighbouring places, and while the first
 * warp waits for what stands before the tile, others are through with theirs.
 *
 * Requires lanes that scan rows by an autonomous codelet. Keeps the elements' order. Breaks their grouping. */
#include "lower/counts.h"
#include "lower/handed.h"
#include "lower/scan.h"

static bool is_long(Type t) { return t == TYPE_LONG || t == TYPE_ULONG || t == TYPE_INDEX; }

void rescan_settle(Scan *s) {
  Lowering *l = s->l;
  if (l->plan->machine->is_cpu || !handed_is(s->out)) return;
  s->counts = s->spectrum->op == OPERATOR_ADD && is_long(s->spectrum->result) && counts_flags(l, s->in);
  if (s->counts) s->type = TYPE_INT;
  s->again = s->counts && !s->single;
  if (s->again) s->source = counts_source(l, s->in);
}

/* ---- loads ---- */

NestNode *rescan_load(Scan *s, NestNode *to, NestValue *in, const NestValue *whole) {
  Arena *a = s->l->a;
  NestNode *each[] = {nest_node(a, NEST_SEQ, NULL), nest_node(a, NEST_SEQ, NULL)};
  NestValue *memory = s->source ? scan_memory_of(s, s->source) : NULL;
  if (memory) s->held = scan_tile(s, to, "wide", memory, TYPE_VOID);
  if (s->by_rows) {
    s->bases = scan_lives(s, to, "base", NEST_REGISTERS);
    s->bases->of = in;
    s->bases->type = s->type;
    nest_keep(a, s->bases, s->row);
  }
  for (int i = 0; i < 2; i++) {
    const NestTail tail = i ? TAIL_IDENTITY : TAIL_NONE;
    if (memory) nest_add(a, each[i], scan_copied(s, s->held, memory, tail, i == 0));
    nest_add(a, each[i], scan_copied(s, s->items, in, tail, false));
  }
  return nest_when(a, whole->now, each[0], each[1]);
}

/* A row is four registers, and a fifth for what stands before it. Of a multiprocessor's 256 KB of registers 160
 * count. */
Tree *rescan_kept(Scan *s, Tree *lanes) {
  enum { ROW = 5, OTHERS = 24, ALL = 32 /* of so many registers, for rows of 16 bytes: */, COUNTED = 5 };
  Arena *a = s->l->a;
  Tree *own = build_add(a, build_mul(a, s->loads, scan_number(s, ROW)), scan_number(s, OTHERS));
  Tree *all = build_mul(a, build_mul(a, lanes, own), scan_number(s, COUNTED));
  return build_div(a, all, scan_number(s, ALL));
}

/* ---- totals, and what stands before rows ---- */

NestNode *rescan_totals(Scan *s, const PlanNode *n, NestValue *totals) {
  s->rows_by = n->kid[0]->rule->codelet;
  NestNode *stage = nest_stage(s->l->a, STAGE_WHOLE, s->rows_by);
  nest_access(s->l->a, stage, totals, USE_ACCUMULATE);
  nest_access(s->l->a, stage, s->items, USE_READ);
  return scan_on_items(s, stage);
}

void rescan_before(Scan *s, NestNode *to, NestValue *number) {
  NestValue *before = s->in_row ? s->bases : scan_lives(s, s->home, "ahead", NEST_REGISTERS);
  nest_add(s->l->a, to, scan_told(s, before, NULL, number));
  if (!s->in_row) vec_push(s->l->a, &s->before, before);
}

/* ---- results ---- */

/* Each row again, to whom its results go. */
static NestNode *rows_again(Scan *s, NestValue *to) {
  Arena *a = s->l->a;
  NestNode *stage = nest_stage(a, STAGE_WHOLE, s->rows_by);
  nest_access(a, stage, to, USE_WRITE);
  nest_access(a, stage, s->items, USE_READ);
  if (s->held) nest_access(a, stage, s->held, USE_READ);
  if (s->bases) nest_access(a, stage, s->bases, USE_READ);
  for (int i = 0; i < s->before.n; i++) nest_access(a, stage, s->before.at[i], USE_READ);
  for (int k = 0; to->space == NEST_SHARED && k < MOST_OPERANDS; k++)
    if (s->beside[k] && s->beside[k] != to) nest_access(a, stage, s->beside[k], USE_WRITE);
  NestNode *inner = nest_over(a, nest_again(a, s->item, "item", BINDING_CODELET, TAIL_NONE), stage);
  if (s->by_rows) {
    NestNode *row = nest_node(a, NEST_SEQ, NULL);
    nest_add(a, row, inner);
    inner = nest_over(a, nest_again(a, s->row, "row", BINDING_UNROLL, TAIL_NONE), row);
  } else inner = nest_over(a, nest_again(a, s->row, "row", BINDING_CODELET, TAIL_NONE), inner);
  return scan_by_workers(s, inner);
}

static void add_rows(Scan *s, NestNode *to, NestValue *of, const NestValue *whole) {
  nest_add(s->l->a, to, nest_when(s->l->a, whole->now, rows_again(s, of), rows_again(s, of)));
}

/* What is stored side by side, and then all else. */
static void add_beside(Scan *s, NestNode *to, NestValue *out, const NestValue *whole) {
  Arena *a = s->l->a;
  NestValue *first = NULL;
  for (int k = 0; k < MOST_OPERANDS; k++) {
    if (!s->handed[k]) continue;
    s->beside[k] = scan_lives(s, to, arena_printf(a, "beside_%s", s->handed[k]->source.base->name), NEST_SHARED);
    if (!first) first = s->beside[k];
  }
  add_rows(s, to, first, whole);
  for (int k = 0; k < MOST_OPERANDS; k++) {
    View *stored = (View *)s->handed[k];
    if (stored) nest_add(a, to, open_copy(a, open_memory(a, stored->source.base->name, stored), s->beside[k]));
  }
  if (handed_has_rest(s->out)) add_rows(s, to, out, whole);
}

void rescan_store(Scan *s, NestNode *to, NestValue *out, const NestValue *whole) {
  if (!s->compacts) add_rows(s, to, out, whole);
  else if (spectrum_excludes(s->spectrum) && handed_is_side_by_side(s->l, s->out, s->in, s->handed))
    add_beside(s, to, out, whole);
  else lowering_fail(s->l, s->spectrum->where, "what the map stores where a flag is set is not side by side");
}
