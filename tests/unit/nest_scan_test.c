/* nest_scan_test.c: nests of scans made by hand: lanes' totals are joined, tiles carried; the verifier names what is
 * missing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ir/build.h"
#include "ir/nest.h"

/* The scan of a container by a warp: each lane scans its item, the lanes' totals are scanned, what stands before them
 * added. */
typedef struct Scan {
  Arena *a;
  Diagnostics *d;
  NestAxis *tile, *lane;
  NestValue *item, *total, *above, *all, *sum;
  NestNode *nest, *loop, *join, *carry, *add;
} Scan;

static Tree *named(Arena *a, const char *name) { return tree_ref(a, symbol_new(a, SYMBOL_LOCAL, name, TYPE_INDEX)); }

static NestValue *lives(Scan *s, NestNode *at, const char *name) {
  NestValue *v = nest_value(s->a, name, NEST_REGISTERS);
  vec_push(s->a, &at->home, v);
  return v;
}

static NestNode *by_lanes(Scan *s, NestNode *to, StageKind kind, const Codelet *c) {
  NestNode *stage = nest_stage(s->a, kind, c);
  nest_add(s->a, to, nest_over(s->a, s->lane, stage));
  return stage;
}

static Scan scan_new(void) {
  static Codelet serial = {.tag = "serial"}, add = {.tag = "add"};
  static int plan, container;
  Arena *a = arena_new();
  Scan s = {.a = a, .d = diagnostics_new(a)};
  s.tile = nest_dimension(a, "n", ROLE_SCAN, build_index(a, 0), named(a, "n"));
  s.tile->name = "tile";
  s.tile->many = named(a, "tiles");
  s.tile->number = named(a, "tile");
  s.lane = nest_split(a, s.tile, "lane", build_index(a, 32), BINDING_WORKERS);
  nest_bind(s.lane, BINDING_WORKERS, "thread", build_lane(a, OP_LANE));
  s.nest = nest_node(a, NEST_SEQ, NULL);
  s.loop = nest_add(a, s.nest, nest_over(a, s.tile, NULL));
  s.sum = lives(&s, s.nest, "sum");
  s.sum->is = build_index(a, 0);
  s.total = lives(&s, s.loop, "total");
  s.above = lives(&s, s.loop, "above");
  s.all = lives(&s, s.loop, "all");
  s.item = nest_value(a, "in", NEST_MEMORY);
  s.item->view = (struct View *)&container;
  nest_keep(a, s.total, s.lane);
  nest_partial(a, s.total, s.lane);
  nest_partial(a, s.all, s.tile);
  NestNode *scans = by_lanes(&s, s.loop, STAGE_CODELET, &serial);
  nest_access(a, scans, s.item, USE_WRITE);
  nest_access(a, scans, s.total, USE_ACCUMULATE);
  NestNode *by = nest_node(a, NEST_OPEN, "kogge_stone");
  by->plan = (struct PlanNode *)&plan;
  s.join = nest_add(a, s.loop, nest_join(a, s.total, s.lane, WAY_CODELET, by));
  s.join->join->to = s.above;
  s.join->join->all = s.all;
  s.add = by_lanes(&s, s.loop, STAGE_CODELET, &add);
  nest_access(a, s.add, s.item, USE_WRITE);
  nest_access(a, s.add, s.above, USE_READ);
  nest_access(a, s.add, s.sum, USE_READ);
  s.carry = nest_add(a, s.loop, nest_join(a, s.all, s.tile, WAY_CARRY, NULL));
  s.carry->join->to = s.sum;
  return s;
}

static void a_scan_is_a_nest(void **state) {
  (void)state;
  Scan s = scan_new();
  assert_true(nest_verify(s.nest, s.d));
  Buffer text = buffer_new(s.a);
  nest_print(&text, s.nest);
  assert_string_equal(text.text, "in order\n"
                                 "  home sum = 0\n"
                                 "  n.tile loop(tiles: scan of 0 .. n; 32), clip\n"
                                 "    home total[n.lane], partial over n.lane\n"
                                 "    home above\n"
                                 "    home all, partial over n.tile\n"
                                 "    n.lane thread(32; 1)\n"
                                 "      stage serial: writes in accumulates total[n.lane]\n"
                                 "    join total[n.lane] over n.lane -> above, all\n"
                                 "      plan kogge_stone\n"
                                 "    n.lane thread(32; 1)\n"
                                 "      stage add: writes in reads above reads sum\n"
                                 "    join all over n.tile, carried -> sum\n");
  arena_free(s.a);
}

/* Of a grid's blocks: they look back, once the tile's total is known. */
static void blocks_look_back(void **state) {
  (void)state;
  for (int scanner = 0; scanner < 2; scanner++) {
    Scan s = scan_new();
    s.tile->many = NULL;
    s.tile->tail = TAIL_NONE;
    nest_bind(s.tile, BINDING_WORKERS, "block", named(s.a, "tile"));
    s.sum->is = NULL;
    s.carry->join->way = scanner ? WAY_SCANNER : WAY_LOOK_BACK;
    s.loop->kids.at[3] = s.loop->kids.at[2];
    s.loop->kids.at[2] = s.carry;
    assert_true(nest_verify(s.nest, s.d));
    arena_free(s.a);
  }
}

/* ---- each thing that can be wrong ---- */

static void lanes_not_joined(Scan *s) {
  s->loop->kids.at[1] = nest_node(s->a, NEST_SEQ, NULL);
  s->total->partial.n = 0;
  s->add->stage->at.n = 1;
  s->all->is = s->sum->is;
}
static void tiles_not_carried(Scan *s) { s->loop->kids.n = 3; }
static void read_before_the_join(Scan *s) {
  NestNode *add = s->loop->kids.at[2];
  s->loop->kids.at[2] = s->join;
  s->loop->kids.at[1] = add;
}
static void workers_carry(Scan *s) {
  s->tile->many = NULL;
  s->tile->tail = TAIL_NONE;
  nest_bind(s->tile, BINDING_WORKERS, "block", named(s->a, "tile"));
}
static void a_loop_looks_back(Scan *s) { s->carry->join->way = WAY_LOOK_BACK; }
static void carried_nowhere(Scan *s) { s->carry->join->to = NULL; }
static void carried_outside(Scan *s) {
  s->loop->kids.n = 3;
  vec_push(s->a, &s->nest->home, s->all);
  s->loop->home.n = 2;
  nest_add(s->a, s->nest, s->carry);
}
static void carried_by_a_codelet(Scan *s) { nest_add(s->a, s->carry, s->join->kids.at[0]); }
static void counts_without_a_number(Scan *s) { s->tile->number = NULL; }

static const struct { void (*breaks)(Scan *s); const char *said; } broken[] = {
    {lanes_not_joined, "no join says what stands before each iteration of a scan"},
    {tiles_not_carried, "no join says what stands before each iteration of a scan"},
    {read_before_the_join, "it is read before anything gives it"},
    {workers_carry, "a loop carries, workers ask one another"},
    {a_loop_looks_back, "a loop carries, workers ask one another"},
    {carried_nowhere, "what stands before is a scan's"},
    {carried_outside, "a join outside of the iterations that it is part of"},
    {carried_by_a_codelet, "one kid that combines, or a way that needs none"},
    {counts_without_a_number, "workers and skewed axes have a number, others none"},
};

static void what_is_broken_is_named(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
    Scan s = scan_new();
    broken[i].breaks(&s);
    if (nest_verify(s.nest, s.d)) fail_msg("taken: %s", broken[i].said);
    assert_int_equal(s.d->list.n, 1);
    if (!strstr(s.d->list.at[0].message, broken[i].said)) fail_msg("%s: %s", broken[i].said, s.d->list.at[0].message);
    arena_free(s.a);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_scan_is_a_nest),
      cmocka_unit_test(blocks_look_back),
      cmocka_unit_test(what_is_broken_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
