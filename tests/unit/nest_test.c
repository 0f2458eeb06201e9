/* nest_test.c: nests made by hand: splits cover, the printer says what there is, the verifier names each thing that is
 * broken. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ir/build.h"
#include "ir/nest.h"

/* The sum of a container by the lanes of a block, 16 bytes at a time, in slots that a join combines. */
typedef struct Sum {
  Arena *a;
  Diagnostics *d;
  NestAxis *rounds, *lane, *wide, *load, *slot;
  NestValue *in, *tile, *sum;
  NestNode *all, *round, *copy, *stage, *join;
} Sum;

static Tree *named(Arena *a, const char *name) { return tree_ref(a, symbol_new(a, SYMBOL_CONSTANT, name, TYPE_INDEX)); }

/* over(x, over(y, over(z, stage))) */
static NestNode *over3(Arena *a, NestAxis *x, NestAxis *y, NestAxis *z, NestNode *stage) {
  return nest_over(a, x, nest_over(a, y, nest_over(a, z, stage)));
}

static Sum sum_new(void) {
  static Codelet codelet = {.tag = "serial"};
  static int plan, container;
  Arena *a = arena_new();
  Sum s = {.a = a, .d = diagnostics_new(a)};
  Tree *threads = named(a, "threads"), *per = named(a, "per");
  s.rounds = nest_dimension(a, "n", ROLE_REDUCE, build_index(a, 0), named(a, "n"));
  s.rounds->name = "i";
  s.lane = nest_split(a, s.rounds, "lane", threads, BINDING_WORKERS);
  nest_bind(s.lane, BINDING_WORKERS, "thread", build_lane(a, OP_THREAD));
  s.wide = nest_split(a, s.lane, "wide", per, BINDING_WIDE);
  s.load = nest_split(a, s.rounds, "k", named(a, "loads"), BINDING_UNROLL);
  s.slot = nest_again(a, s.wide, "s", BINDING_UNROLL, TAIL_NONE);
  s.in = nest_value(a, "in", NEST_MEMORY);
  s.in->view = (struct View *)&container;
  s.tile = nest_value(a, "wide", NEST_REGISTERS);
  s.tile->of = s.in;
  nest_keep(a, s.tile, s.load);
  nest_keep(a, s.tile, s.wide);
  s.sum = nest_value(a, "accum", NEST_REGISTERS);
  nest_keep(a, s.sum, s.slot);
  nest_partial(a, s.sum, s.slot);
  nest_partial(a, s.sum, s.lane);
  s.copy = nest_stage(a, STAGE_COPY, NULL);
  nest_access(a, s.copy, s.tile, USE_WRITE);
  nest_access(a, s.copy, s.in, USE_READ);
  s.stage = nest_stage(a, STAGE_CODELET, &codelet);
  nest_access(a, s.stage, s.tile, USE_READ);
  nest_access(a, s.stage, s.sum, USE_ACCUMULATE);
  s.round = nest_over(a, s.rounds, over3(a, s.load, s.lane, s.wide, s.copy));
  nest_add(a, s.round, over3(a, s.load, s.lane, s.slot, s.stage));
  vec_push(a, &s.round->home, s.tile);
  s.all = nest_node(a, NEST_SEQ, NULL);
  vec_push(a, &s.all->home, s.sum);
  nest_add(a, s.all, s.round);
  NestNode *by = nest_node(a, NEST_OPEN, "serial");
  by->plan = (struct PlanNode *)&plan;
  s.join = nest_add(a, s.all, nest_join(a, s.sum, s.slot, WAY_CODELET, by));
  return s;
}

static void a_sum_is_a_nest(void **state) {
  (void)state;
  Sum s = sum_new();
  assert_true(nest_verify(s.all, s.d));
  Buffer text = buffer_new(s.a);
  nest_print(&text, s.all);
  assert_string_equal(text.text,
                      "in order\n"
                      "  home accum[n.s], partial over n.s, n.lane\n"
                      "  n.i loop(reduce of 0 .. n; ((threads * per) * loads)), clip\n"
                      "    home wide[n.k, n.wide] of in\n"
                      "    n.k unroll(loads; (threads * per))\n"
                      "      n.lane thread(threads; per)\n"
                      "        n.wide wide(per; 1)\n"
                      "          copy wide[n.k, n.wide] <- in\n"
                      "    n.k unroll(loads; (threads * per))\n"
                      "      n.lane thread(threads; per)\n"
                      "        n.s unroll(per; 1)\n"
                      "          stage serial: reads wide[n.k, n.wide] accumulates accum[n.s]\n"
                      "  join accum[n.s] over n.s\n"
                      "    plan serial\n");
  arena_free(s.a);
}

/* Rows four at a time, whose axis goes below the loop over columns; the rest of theirs is around that nest. Without it
 * rows are left out. */
static void an_axis_is_sunk(void **state) {
  (void)state;
  Sum s = sum_new();
  Arena *a = s.a;
  NestAxis *turn = nest_dimension(a, "rows", ROLE_MAP, build_index(a, 0), named(a, "rows"));
  NestAxis *row = nest_split(a, turn, "row", build_index(a, 4), BINDING_UNROLL);
  turn->name = "turn";
  nest_keep(a, s.sum, row);
  s.all->kids.at[0] = nest_sink(a, s.round, row, s.lane);
  NestNode *around = nest_over(a, turn, nest_over(a, row, NULL));
  assert_false(nest_verify(s.all, s.d));
  nest_add(a, around->kids.at[0], s.all);
  s.d = diagnostics_new(a);
  assert_true(nest_verify(s.all, s.d));
  Buffer text = buffer_new(a);
  nest_print(&text, around);
  assert_string_equal(text.text,
                      "rows.turn loop(map of 0 .. rows; 4), clip\n"
                      "  rows.row unroll(4; 1)\n"
                      "    in order\n"
                      "      home accum[n.s, rows.row], partial over n.s, n.lane\n"
                      "      together rows.row\n"
                      "        n.i loop(reduce of 0 .. n; ((threads * per) * loads)), clip\n"
                      "          home wide[n.k, n.wide] of in\n"
                      "          n.k unroll(loads; (threads * per))\n"
                      "            rows.row unroll(4; 1)\n"
                      "              n.lane thread(threads; per)\n"
                      "                n.wide wide(per; 1)\n"
                      "                  copy wide[n.k, n.wide] <- in\n"
                      "          n.k unroll(loads; (threads * per))\n"
                      "            rows.row unroll(4; 1)\n"
                      "              n.lane thread(threads; per)\n"
                      "                n.s unroll(per; 1)\n"
                      "                  stage serial: reads wide[n.k, n.wide] accumulates accum[n.s, rows.row]\n"
                      "      join accum[n.s, rows.row] over n.s\n"
                      "        plan serial\n");
  arena_free(a);
}

/* A loop of the host's that a kernel in it ends; one that stands outside, or no word to say so, is an error. */
static void a_kernel_ends_a_loop(void **state) {
  (void)state;
  Sum s = sum_new();
  Arena *a = s.a;
  NestAxis *turn = nest_dimension(a, "turn", ROLE_ORDER, build_index(a, 0), named(a, "turns"));
  turn->binding = BINDING_HOST;
  turn->left = named(a, "left");
  turn->endless = true;
  const NestKernel leave = {.name = "leave", .blocks = build_index(a, 1), .leaves = turn};
  NestNode *kernel = nest_kernel(a, &leave), *all = nest_node(a, NEST_SEQ, NULL);
  nest_add(a, kernel, nest_sync(a, named(a, "sync")));
  nest_add(a, all, nest_over(a, turn, kernel));
  assert_true(nest_verify(all, s.d));
  Buffer text = buffer_new(a);
  nest_print(&text, all);
  assert_string_equal(text.text, "in order\n"
                                 "  turn host(order of 0 .. turns; 1; until left), clip\n"
                                 "    kernel leave, blocks 1, may leave turn\n"
                                 "      ref\n");
  turn->left = NULL;
  assert_false(nest_verify(all, s.d));
  turn->left = named(a, "left");
  s.d = diagnostics_new(a);
  NestNode *alone = nest_kernel(a, &leave);
  nest_add(a, alone, nest_sync(a, named(a, "sync")));
  assert_false(nest_verify(alone, s.d));
  arena_free(a);
}

/* ---- each thing that can be wrong ---- */

static void forgets_lanes(Sum *s) {
  NestNode *load = s->round->kids.at[1];
  load->kids.at[0] = load->kids.at[0]->kids.at[0];
}
static void strides_overlap(Sum *s) { s->lane->stride = build_index(s->a, 1); }
static void strides_leave_gaps(Sum *s) { s->load->stride = build_mul(s->a, s->load->stride, build_index(s->a, 2)); }
static void ends_early(Sum *s) { s->rounds->extent = build_index(s->a, 7); }
static void meets_again(Sum *s) { s->wide->extent = NULL; }

static void same_workers_twice(Sum *s) { nest_bind(s->load, BINDING_WORKERS, "thread", s->lane->number); }
static void no_number(Sum *s) { s->lane->number = NULL; }
static void number_of_a_loop(Sum *s) { s->load->number = build_index(s->a, 0); }

static void skewed_by_nothing(Sum *s) { s->load->binding = BINDING_SKEWED; }

static void in_order_by_workers(Sum *s) { s->rounds->dim->role = ROLE_ORDER; }
static void scan_by_workers(Sum *s) { s->rounds->dim->role = ROLE_SCAN; }
static void lanes_forgotten(Sum *s) { s->sum->partial.n = 1; }
static void copies_forgotten(Sum *s) {
  s->sum->partial.at[0] = s->lane;
  s->sum->partial.n = 1;
}

static void no_join(Sum *s) { s->all->kids.n = 1; }
static void joined_twice(Sum *s) {
  NestNode *again = nest_add(s->a, s->all, nest_node(s->a, NEST_JOIN, NULL));
  again->join = s->join->join;
  nest_add(s->a, again, s->join->kids.at[0]);
}
static void join_of_what_is_whole(Sum *s) { s->join->join->over = s->load; }
static void join_by_nobody(Sum *s) { s->join->kids.n = 0; }
static void atomics_on_copies(Sum *s) {
  s->join->join->way = WAY_ATOMIC;
  s->join->kids.n = 0;
}
static void codelet_on_no_copies(Sum *s) { s->sum->kept.n = 0; }
static void join_inside(Sum *s) {
  s->all->kids.n = 1;
  nest_add(s->a, s->round->kids.at[1]->kids.at[0]->kids.at[0], s->join);
}
static void read_while_partial(Sum *s) { nest_access(s->a, s->stage, s->sum, USE_READ); }
static void join_that_lanes_miss(Sum *s) {
  NestAxis *warp = nest_dimension(s->a, "parts", ROLE_MAP, build_index(s->a, 0), named(s->a, "parts"));
  nest_bind(warp, BINDING_WORKERS, "warp", build_lane(s->a, OP_WARP));
  warp->tail = TAIL_GUARD;
  s->all = nest_over(s->a, warp, s->all);
}

/* One thread of the block acts for all. */
static NestAxis *first_thread(Sum *s) {
  NestAxis *one = nest_workers(s->a, "workers", ROLE_MAP, named(s->a, "threads"), "thread", build_lane(s->a, OP_RANK));
  one->tail = TAIL_FIRST;
  one->exists = build_compare(s->a, OP_EQ, one->number, build_index(s->a, 0));
  return one;
}
static void joins_for_all(Sum *s) {
  s->join->join->over = s->lane;
  nest_keep(s->a, s->sum, s->lane);
  s->all = nest_over(s->a, first_thread(s), s->all);
}
static void joins_for_all_above(Sum *s) {
  s->join->join->over = s->lane;
  nest_keep(s->a, s->sum, s->lane);
  nest_over(s->a, first_thread(s), s->all);
}
static void nobody_acts(Sum *s) {
  NestAxis *one = first_thread(s);
  one->exists = NULL;
  s->all = nest_over(s->a, one, s->all);
}
static void a_loop_acts(Sum *s) { s->rounds->tail = TAIL_FIRST; }
static void only_one_has_it(Sum *s) {
  NestNode *end = nest_stage(s->a, STAGE_DELIVER, NULL);
  nest_access(s->a, end, s->sum, USE_READ);
  NestNode *both = nest_node(s->a, NEST_SEQ, NULL);
  both->home = s->all->home;
  s->all->home.n = 0;
  nest_add(s->a, both, nest_over(s->a, first_thread(s), s->all));
  nest_add(s->a, both, end);
  s->all = both;
}

static void lives_elsewhere(Sum *s) { s->round->home.n = 0; vec_push(s->a, &s->round->kids.at[0]->home, s->tile); }
static void lives_twice(Sum *s) { vec_push(s->a, &s->round->kids.at[0]->home, s->tile); }
static void memory_of_nothing(Sum *s) { s->in->view = NULL; }

static void copy_reads_twice(Sum *s) { s->copy->stage->at.at[0].use = USE_READ; }
static void combines_one_copy(Sum *s) { s->copy->stage->kind = STAGE_COMBINE; }
static void combines_into_nothing(Sum *s) {
  s->copy->stage->kind = STAGE_COMBINE;
  s->copy->stage->at.n = 1;
}
static void result_of_nothing(Sum *s) {
  s->copy->stage->kind = STAGE_RESULT;
  s->copy->stage->at.n = 1;
}
static void codelet_of_nothing(Sum *s) {
  s->stage->stage->kind = STAGE_WHOLE;
  s->stage->stage->codelet = NULL;
}
static void delivers_nothing(Sum *s) {
  s->stage->stage->kind = STAGE_DELIVER;
  s->stage->stage->at.n = 0;
}
static void tells_nothing(Sum *s) { s->stage->stage->kind = STAGE_SYNC; }
static void unless_what(Sum *s) {
  NestNode *both = nest_node(s->a, NEST_UNLESS, NULL);
  nest_add(s->a, both, nest_node(s->a, NEST_SEQ, NULL));
  nest_add(s->a, both, s->all);
  s->all = both;
}
static void stage_has_kids(Sum *s) { nest_add(s->a, s->stage, nest_node(s->a, NEST_SEQ, NULL)); }
static void stage_of_nothing(Sum *s) { s->stage->stage->codelet = NULL; }
static void flag_of_one_case(Sum *s) {
  NestNode *when = nest_when(s->a, named(s->a, "once"), s->all, NULL);
  when->kids.n = 1;
  s->all = when;
}
static void plan_of_nothing(Sum *s) { s->join->kids.at[0]->plan = NULL; }
static void axis_of_nothing(Sum *s) { s->round->kids.n = 0; }

static const struct { void (*breaks)(Sum *s); const char *said; } broken[] = {
    {forgets_lanes, "elements are left out or met twice"},
    {strides_overlap, "elements are left out or met twice"},
    {strides_leave_gaps, "elements are left out or met twice"},
    {ends_early, "no axis goes as far as the dimension"},
    {meets_again, "elements are left out or met twice"},
    {same_workers_twice, "its workers have another axis"},
    {no_number, "workers and skewed axes have a number, others none"},
    {skewed_by_nothing, "workers and skewed axes have a number, others none"},
    {number_of_a_loop, "workers and skewed axes have a number, others none"},
    {in_order_by_workers, "what goes on in order is bound to workers"},
    {scan_by_workers, "what stands before is a scan's, and all of these have it"},
    {lanes_forgotten, "nothing says that it is partial"},
    {copies_forgotten, "nothing says that it is partial"},
    {no_join, "no join over what it is partial over"},
    {joined_twice, "it is joined twice"},
    {join_of_what_is_whole, "a join over what is not partial"},
    {join_by_nobody, "one kid that combines, or a way that needs none"},
    {atomics_on_copies, "atomics join what is kept once"},
    {codelet_on_no_copies, "atomics join what is kept once"},
    {join_inside, "a join within what it joins"},
    {read_while_partial, "it is read while it is partial"},
    {join_that_lanes_miss, "workers miss the exchange of a join"},
    {joins_for_all, "workers miss the exchange of a join"},
    {joins_for_all_above, "workers miss the exchange of a join"},
    {nobody_acts, "one worker acts for all, and nothing says which"},
    {a_loop_acts, "one worker acts for all, and nothing says which"},
    {only_one_has_it, "one worker alone has it"},
    {lives_elsewhere, "it is used outside of its home"},
    {lives_twice, "it has a home within its home"},
    {memory_of_nothing, "memory without a container"},
    {copy_reads_twice, "a copy writes one value and reads another"},
    {combines_one_copy, "what is combined has no copies"},
    {combines_into_nothing, "a copy writes one value and reads another"},
    {result_of_nothing, "a copy writes one value and reads another"},
    {codelet_of_nothing, "a stage without a codelet"},
    {delivers_nothing, "one value is delivered"},
    {tells_nothing, "workers tell one another nothing"},
    {unless_what, "it is not said when one of two is left out"},
    {stage_has_kids, "a stage has accesses and nothing below it"},
    {stage_of_nothing, "a stage without a codelet"},
    {flag_of_one_case, "a flag has two cases"},
    {plan_of_nothing, "no plan's node"},
    {axis_of_nothing, "an axis without iterations"},
};

static void what_is_broken_is_named(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
    Sum s = sum_new();
    broken[i].breaks(&s);
    assert_false(nest_verify(s.all, s.d));
    assert_int_equal(s.d->list.n, 1);
    if (!strstr(s.d->list.at[0].message, broken[i].said)) fail_msg("%s: %s", broken[i].said, s.d->list.at[0].message);
    arena_free(s.a);
  }
}

/* Parts for the warps of several blocks, turn by turn. */
static void parts_are_covered(void **state) {
  (void)state;
  for (int broken = 0; broken < 3; broken++) {
    static int plan;
    Arena *a = arena_new();
    Diagnostics *d = diagnostics_new(a);
    NestAxis *turn = nest_dimension(a, "parts", ROLE_MAP, build_index(a, 0), named(a, "rows"));
    NestAxis *block = nest_split(a, turn, "block", named(a, "blocks"), BINDING_WORKERS);
    NestAxis *warp = nest_split(a, block, "warp", named(a, "warps"), BINDING_IN_STEP);
    nest_bind(block, BINDING_WORKERS, "block", build_lane(a, OP_BLOCK_ID));
    nest_bind(warp, BINDING_IN_STEP, "warp", build_lane(a, broken == 2 ? OP_BLOCK_ID : OP_WARP));
    warp->tail = TAIL_REPEAT;
    NestNode *each = nest_node(a, NEST_OPEN, "a part"), *inner = nest_over(a, warp, each);
    each->plan = (struct PlanNode *)&plan;
    NestNode *all = nest_over(a, turn, broken == 1 ? inner : nest_over(a, block, inner));
    assert_int_equal(nest_verify(all, d), !broken);
    if (!broken) {
      Buffer text = buffer_new(a);
      nest_print(&text, all);
      assert_string_equal(text.text, "parts loop(map of 0 .. rows; (blocks * warps)), clip\n"
                                     "  parts.block block(blocks; warps)\n"
                                     "    parts.warp warp in step(warps; 1), repeat\n"
                                     "      plan a part\n");
    }
    arena_free(a);
  }
}

/* One thread acts for all: a warp's first one for its lanes alone, who are joined above. */
static void one_acts_for_all(void **state) {
  (void)state;
  Sum s = sum_new();
  NestAxis *warp = nest_workers(s.a, "workers", ROLE_MAP, named(s.a, "warps"), "warp", build_lane(s.a, OP_WARP));
  warp->tail = TAIL_FIRST;
  warp->exists = build_compare(s.a, OP_EQ, warp->number, build_index(s.a, 0));
  NestNode *all = nest_over(s.a, warp, s.all);
  assert_true(nest_verify(all, s.d));
  Buffer text = buffer_new(s.a);
  nest_print(&text, all);
  assert_ptr_equal(strstr(text.text, "workers warp(map of 0 .. warps; 1), first\n  in order\n"), text.text);
  arena_free(s.a);
}

/* Parts that each lane has several of at once, and what is found again from a plan's node below them. */
static void axes_above_are_found(void **state) {
  (void)state;
  static int plan;
  Arena *a = arena_new();
  Diagnostics *d = diagnostics_new(a);
  NestAxis *turn = nest_dimension(a, "parts", ROLE_MAP, build_index(a, 0), named(a, "rows"));
  NestAxis *own = nest_split(a, turn, "own", named(a, "many"), BINDING_IN_STEP);
  nest_bind(own, BINDING_IN_STEP, "thread", build_lane(a, OP_LANE));
  NestAxis *slots = nest_dimension(a, "slots", ROLE_MAP, build_index(a, 0), named(a, "per"));
  NestAxis *slot = nest_again(a, slots, "s", BINDING_UNROLL, TAIL_REPEAT);
  slots->binding = BINDING_WIDE;
  NestNode *each = nest_node(a, NEST_OPEN, "parts"), *one = nest_node(a, NEST_OPEN, "one");
  each->plan = one->plan = (struct PlanNode *)&plan;
  NestNode *all = nest_over(a, turn, nest_over(a, own, nest_over(a, slots, each)));
  nest_add(a, each, nest_over(a, slot, one));
  assert_ptr_equal(nest_above(each, BINDING_WIDE), slots);
  assert_ptr_equal(nest_above(one, BINDING_UNROLL), slot);
  assert_ptr_equal(nest_above(one, BINDING_IN_STEP), own);
  assert_ptr_equal(nest_above(one, BINDING_LOOP), turn);
  assert_null(nest_above(one, BINDING_WORKERS));
  assert_null(nest_above(all, BINDING_IN_STEP));
  assert_true(tree_equal(nest_extent(a, slot), nest_extent(a, slots)));
  assert_false(nest_verify(all, d)); /* in one nest slots would be met twice */
  each->kids.n = 0;
  assert_true(nest_verify(all, d));
  arena_free(a);
}

/* A tile's total is one number, wherever in the tile it is delivered; a copy there is of elements, and leaves some out.
 */
static void a_number_in_a_tile_is_no_element(void **state) {
  (void)state;
  static int container;
  for (int copies = 0; copies < 2; copies++) {
    Arena *a = arena_new();
    Diagnostics *d = diagnostics_new(a);
    NestAxis *tile = nest_dimension(a, "n", ROLE_MAP, build_index(a, 0), named(a, "n"));
    nest_split(a, tile, "item", named(a, "items"), BINDING_UNROLL);
    nest_bind(tile, BINDING_WORKERS, "block", build_lane(a, OP_BLOCK_ID));
    NestValue *memory = nest_value(a, "out", NEST_MEMORY);
    memory->view = (struct View *)&container;
    NestNode *stage = nest_stage(a, copies ? STAGE_COPY : STAGE_DELIVER, NULL);
    if (copies) nest_access(a, stage, memory, USE_WRITE);
    nest_access(a, stage, memory, USE_READ);
    assert_int_equal(nest_verify(nest_over(a, tile, stage), d), !copies);
    assert_true(tree_equal(nest_extent(a, tile), build_ceil_div(a, tile->dim->end, tile->stride)));
    arena_free(a);
  }
}

/* ---- edits ---- */

/* Strides of a dimension's axes, the outermost first: "a * b, b, 1". */
static const char *strides(Arena *a, const NestDim *d) {
  Buffer b = buffer_new(a);
  for (int i = 0; i < d->axes.n; i++) {
    if (i) buffer_puts(&b, ", ");
    tree_print(&b, d->axes.at[i]->stride, 0);
  }
  return b.text;
}

static void a_split_keeps_the_radix(void **state) {
  (void)state;
  Arena *a = arena_new();
  NestAxis *i = nest_dimension(a, "n", ROLE_MAP, build_index(a, 0), named(a, "n"));
  assert_string_equal(strides(a, i->dim), "1");
  NestAxis *lane = nest_split(a, i, "lane", named(a, "t"), BINDING_UNROLL);
  assert_string_equal(strides(a, i->dim), "t, 1");
  nest_split(a, lane, "wide", named(a, "p"), BINDING_UNROLL);
  assert_string_equal(strides(a, i->dim), "(t * p), p, 1");
  nest_split(a, i, "k", named(a, "l"), BINDING_UNROLL);
  assert_string_equal(strides(a, i->dim), "((t * p) * l), (t * p), p, 1");
  assert_string_equal(i->dim->axes.at[1]->name, "k");
  nest_split(a, lane, "two", build_index(a, 2), BINDING_UNROLL);
  assert_string_equal(strides(a, i->dim), "(((t * p) * l) * 2), ((t * p) * 2), (p * 2), p, 1");
  arena_free(a);
}

/* However a dimension is cut, whatever order its axes stand in: it is covered. */
static void what_is_split_is_covered(void **state) {
  (void)state;
  static Codelet codelet = {.tag = "serial"};
  static int container;
  for (unsigned seed = 1; seed < 200; seed++) {
    Arena *a = arena_new();
    Diagnostics *d = diagnostics_new(a);
    unsigned random = seed * 2654435761u;
    NestAxis *first = nest_dimension(a, "n", ROLE_MAP, build_index(a, 0), named(a, "n"));
    for (int i = 0; i < 5; i++) {
      random = random * 1664525u + 1013904223u;
      NestAxis *at = first->dim->axes.at[(random >> 16) % (unsigned)first->dim->axes.n];
      Tree *extent = (random >> 8) & 1 ? build_index(a, (random >> 12) % 4 + 1) : named(a, "x");
      nest_split(a, at, "x", extent, BINDING_UNROLL);
    }
    NestNode *all = nest_stage(a, STAGE_CODELET, &codelet);
    NestValue *in = nest_value(a, "in", NEST_MEMORY);
    in->view = (struct View *)&container;
    nest_access(a, all, in, USE_READ);
    VEC(NestAxis *) left = {0};
    for (int i = 0; i < first->dim->axes.n; i++) vec_push(a, &left, first->dim->axes.at[i]);
    while (left.n) {
      random = random * 1664525u + 1013904223u;
      const int k = (int)((random >> 16) % (unsigned)left.n);
      all = nest_over(a, left.at[k], all);
      left.at[k] = left.at[--left.n];
    }
    assert_true(nest_verify(all, d));
    NestAxis *any = first->dim->axes.at[1 + random % 5]; /* no factor is 7 */
    any->stride = build_mul(a, any->stride, build_index(a, 7));
    assert_false(nest_verify(all, d));
    arena_free(a);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_sum_is_a_nest),
      cmocka_unit_test(a_kernel_ends_a_loop),
      cmocka_unit_test(an_axis_is_sunk),
      cmocka_unit_test(what_is_broken_is_named),
      cmocka_unit_test(parts_are_covered),
      cmocka_unit_test(one_acts_for_all),
      cmocka_unit_test(axes_above_are_found), cmocka_unit_test(a_number_in_a_tile_is_no_element),
      cmocka_unit_test(a_split_keeps_the_radix),
      cmocka_unit_test(what_is_split_is_covered),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
