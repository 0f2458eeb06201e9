/* choose_test.c: which rows of a measured table can serve, whatever folder it was measured for; which plans are guessed
 * where nothing is measured. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compiled.h"
#include "driver/compile_parts.h"
#include "example_output.h"

enum { UNBOUNDED = 0 };

static Compilation compilation(void) {
  Compilation c = {.arena = arena_new()};
  c.output = *example_output(c.arena);
  return c;
}

/* Gives the first variant a number of blocks too, which the call chooses: at least 2, `most' of them. */
static void add_blocks(Compilation *c, int64_t most) {
  Program *p = arena_one(c->arena, Program);
  *p = *c->output.variants[0].program;
  ProgramConstant blocks = {.symbol = symbol_new(c->arena, SYMBOL_CONSTANT, "blocks", TYPE_INDEX),
                            .tunable = {.name = "blocks", .at_launch = true, .value = 8, .min = 2, .max = most}};
  ProgramConstant *both = arena_many(c->arena, ProgramConstant, 2);
  both[0] = p->constants[0];
  both[1] = blocks;
  p->constants = both;
  p->nconstants = 2;
  c->output.variants[0].program = p;
}

/* Of a row that sets the variant's tunables so. */
static void says(const Compilation *c, const char *set, const char *wanted) {
  TableRow row = {.type = "int", .variant = "aa11bb22"};
  assert_true(tunables_parse(c->arena, set, &row.set));
  const char *why = compile_why_not(c, &row);
  if (!wanted) assert_null(why);
  else assert_string_equal(why, wanted);
}

static void what_the_text_is_compiled_with(void **state) {
  (void)state;
  Compilation c = compilation();
  static const char range[] = "`threads' of variant aa11bb22 is 32 to 1024, a multiple of 32, not ";
  says(&c, "loads=7 blocks=7", NULL); /* its own; it has no other */
  says(&c, "threads=32", NULL);
  says(&c, "threads=1024", NULL);
  says(&c, "threads=1000", arena_printf(c.arena, "%s1000", range));
  says(&c, "threads=2048", arena_printf(c.arena, "%s2048", range));
  says(&c, "threads=16", arena_printf(c.arena, "%s16", range));
  assert_string_equal(compile_why_not(&c, &(TableRow){.variant = "00000000"}),
                      "variant 00000000 is not among those that are kept");
  assert_string_equal(compile_why_not(&c, &(TableRow){.type = "half", .variant = "aa11bb22"}),
                      "variant aa11bb22 is for other types");
  arena_free(c.arena);
}

static void what_a_call_chooses(void **state) {
  (void)state;
  Compilation c = compilation();
  add_blocks(&c, UNBOUNDED);
  says(&c, "blocks=1073741824", NULL);
  says(&c, "blocks=1", "`blocks' of variant aa11bb22 is at least 2, not 1");
  add_blocks(&c, 100);
  says(&c, "blocks=100", NULL);
  says(&c, "blocks=101", "`blocks' of variant aa11bb22 is 2 to 100, not 101");
  arena_free(c.arena);
}

/* Products are a matrix unit's where it takes the type. Parts that a codelet of one lane goes through have a lane each,
 * however long they are, and are copied together: a warp would leave them to one of its lanes. Of private containers
 * there are many copies. Of steps, each has workers of its own. */
static void guesses_for_a_gpu(void **state) {
  (void)state;
  static const struct { const char *file, *types, *begins; } rows[] = {
      {"codelets/gemm.cdl", "half", "grid.tiled(block.tiled!bulk(warp.panels/loop(warp.unit)))"},
      {"codelets/gemm_batched.cdl", "bfloat16", "grid.tiled(block.tiled!bulk(warp.panels/loop(warp.unit)))"},
      {"codelets/gemm_batched.cdl", "float", "grid.tiled(block.strided/all!piped(thread.panels/loop(thread.serial)))"},
      {"codelets/kmeans_assign.cdl", "float", "grid.each/all-threads!run(thread.serial)"},
      {"codelets/kmeans_turn.cdl", "float", "grid.tiled(block.own_points*32/all!run(thread.serial; "},
      {"tests/simt/codelets/lines_between.cdl", "float",
       "grid.steps=(grid.map/all-warps(warp.compound=warp.strided(thread.strided(ilp.serial; thread.serial); warp.tree+shuffle)); "
       "grid.map/all-threads(thread.compound=thread.tiled/spread(thread."}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Options o = {.file = rows[i].file, .arch = "sm_90", .types = rows[i].types, .table = "none"};
    Compilation c = compiled(&o);
    const TableRow *row = table_row(&c.output.table, rows[i].types, 100000, 1000000, 0);
    assert_non_null(row);
    const char *text = output_variant(&c.output, row->variant)->plan->text;
    if (strncmp(text, rows[i].begins, strlen(rows[i].begins)) != 0) fail_msg("%s: not %s", text, rows[i].begins);
    arena_free(c.arena);
  }
}

/* A tile's extent; plain loops have names of their own. */
static uint64_t extent_of(const Tunables *set, const char *name, const char *in_loops) {
  const int64_t n = tunables_value(set, name);
  return (uint64_t)(n ? n : tunables_value(set, in_loops));
}

/* What a library does with rivals: the one by which the multiprocessor with the most tiles is done first. */
static const TableRow *first_of_rivals(const Table *t, const TableRow *r, uint64_t m, uint64_t n, uint64_t inner,
                                       uint64_t units) {
  enum { ADDED = 64 };
  const TableRow *found = r;
  double least = 0;
  for (int i = (int)(r - t->rows.at); i < t->rows.n && table_rivals(r, &t->rows.at[i]); i++) {
    const Tunables *set = &t->rows.at[i].set;
    const uint64_t high = extent_of(set, "tile_m", "tile_i"), wide = extent_of(set, "tile_n", "tile_j");
    const uint64_t tiles = ((m + high - 1) / high) * ((n + wide - 1) / wide);
    const double waits = 48.0 / (double)tunables_value(set, "threads");
    const uint64_t blocks = (uint64_t)tunables_value(set, "blocks"), shares = blocks > tiles ? blocks / tiles : 1;
    const double each = (double)inner / (double)shares + (blocks ? ADDED : 0);
    const double time = (double)t->rows.at[i].turn * ((double)((tiles * shares + units - 1) / units) + waits) * each;
    if (i > (int)(r - t->rows.at) && time >= least) continue;
    least = time;
    found = &t->rows.at[i];
  }
  return found;
}

/* Tiles of products are as large as there are results for, and as narrow as these are: what was measured of `syrk',
 * whose operands are both transposed as they are copied. Doubles of the widest tile would take all registers. */
static void tiles_grow_with_results(void **state) {
  (void)state;
  static const struct { const char *file, *type; uint64_t m, n, k; int64_t high, wide; bool shares; } cases[] = {
      {"codelets/syrk.cdl", "float", 256, 256, 256, 32, 32, true},
      {"codelets/syrk.cdl", "float", 512, 512, 512, 64, 128, true},
      {"codelets/syrk.cdl", "float", 1000, 1000, 1000, 64, 128, false},
      {"codelets/syrk.cdl", "float", 1024, 1024, 1024, 64, 128, false},
      {"codelets/syrk.cdl", "float", 2000, 2000, 2000, 128, 256, false},
      {"codelets/syrk.cdl", "float", 2048, 2048, 2048, 128, 256, false},
      {"codelets/syrk.cdl", "float", 4096, 4096, 4096, 128, 256, false},
      {"codelets/syrk.cdl", "double", 4096, 4096, 4096, 64, 128, false},
      {"codelets/syrk.cdl", "float", 300, 300, 3000, 64, 64, true}, /* few long rows: blocks share them */
      {"codelets/syrk.cdl", "double", 64, 64, 100000, 64, 64, true},
      {"tests/strangers/pairwise.cdl", "float", 512, 512, 512, 32, 32, false},
      {"tests/strangers/pairwise.cdl", "float", 64, 64, 100000, 64, 64, true},
      {"codelets/gemm.cdl", "float", 4096, 4096, 4096, 128, 256, false},
      {"codelets/gemm.cdl", "float", 524288, 16, 524288, 256, 16, false},
      {"codelets/gemm.cdl", "float", 16, 524288, 16, 16, 256, false},
      {"codelets/gemm.cdl", "float", 2048, 2048, 2048, 128, 256, false},
      {"codelets/gemm.cdl", "float", 2360, 1832, 2360, 64, 128, false}, /* 152 of 128 x 256 would take two turns */
      {"codelets/gemm_scaled.cdl", "float", 2048, 2048, 2048, 128, 256, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const uint64_t m = cases[i].m, n = cases[i].n, k = cases[i].k;
    Options o = {.file = cases[i].file, .arch = "sm_90", .types = cases[i].type, .table = "none"};
    Compilation c = compiled(&o);
    const TableRow *row = table_row(&c.output.table, cases[i].type, output_by_shape(&c.output) ? k : m * k, m * n, 0);
    assert_non_null(row);
    row = first_of_rivals(&c.output.table, row, m, n, k, (uint64_t)c.output.machine->units);
    const int64_t high = (int64_t)extent_of(&row->set, "tile_m", "tile_i");
    const int64_t wide = (int64_t)extent_of(&row->set, "tile_n", "tile_j");
    const int64_t blocks = tunables_value(&row->set, "blocks");
    if (high != cases[i].high || wide != cases[i].wide || (blocks > 0) != cases[i].shares)
      fail_msg("%s, %s, %d x %d x %d: %d x %d, %d blocks", cases[i].file, cases[i].type, (int)m, (int)n, (int)k, (int)high,
               (int)wide, (int)blocks);
    arena_free(c.arena);
  }
}

/* Steps of which one works on rows are picked by these: how many columns there are decides which variant serves. Edges of
 * a graph's vertices are no rows. */
static void steps_of_rows_have_shapes(void **state) {
  (void)state;
  static const struct { const char *file, *spectrum, *type; bool shaped; } cases[] = {
      {"codelets/kmeans.cdl", "kmeans", "float", true},
      {"codelets/kmeans.cdl", "kmeans", "double", true},
      {"codelets/bfs.cdl", "bfs", "int", false},
      {"codelets/sort.cdl", "sort", "int", false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Options o = {.file = cases[i].file, .spectrum = cases[i].spectrum, .arch = "sm_90", .types = cases[i].type};
    Compilation c = compiled(&o);
    if (output_by_shape(&c.output) != cases[i].shaped) fail_msg("%s: by %s", cases[i].spectrum, "another size");
    if (i == 0) {
      const TableRow *few = table_row(&c.output.table, "float", 34, 494020, 0),
                     *many = table_row(&c.output.table, "float", 62, 278383, 0);
      assert_true(few && many && tunables_value(&few->set, "row_k") == 35 && tunables_value(&many->set, "row_k") == 65);
    }
    arena_free(c.arena);
  }
}

/* Few long parts that are scanned are shared by blocks; many are a block's each, however long. */
static void few_long_parts_are_shared(void **state) {
  (void)state;
  static const struct { uint64_t elements, parts; const char *by; int64_t threads; } cases[] = {
      {4096, 16, "block.sliding/loop", 0},      {16384, 16, "block.sliding/loop", 256},
      {1 << 20, 16, "sliding/spread!scanner", 96}, {1 << 18, 132, "sliding/spread!scanner", 96},
      {1 << 18, 133, "block.sliding/loop", 256}, {1 << 24, 200, "sliding/spread!scanner", 96}};
  Options o = {.file = "codelets/segmented_scan.cdl", .arch = "sm_90", .types = "float", .table = "none"};
  Compilation c = compiled(&o);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const TableRow *row = table_row(&c.output.table, "float", cases[i].elements, cases[i].parts, 0);
    assert_non_null(row);
    if (!strstr(row->comment, cases[i].by) || tunables_value(&row->set, "threads") != cases[i].threads)
      fail_msg("%d x %d: %s", (int)cases[i].elements, (int)cases[i].parts, row->comment);
  }
  arena_free(c.arena);
}

/* Where calls tell no sides of results, since a library selects while it runs, one of rivals stands for all. */
static void rivals_of_a_library_that_selects(void **state) {
  (void)state;
  Options o = {.file = "codelets/gemm.cdl", .arch = "sm_90", .types = "float", .table = "none", .online = "yes"};
  Compilation c = compiled(&o);
  for (int i = 0; i < c.output.table.rows.n; i++) assert_int_equal(c.output.table.rows.at[i].turn, 0);
  for (int i = 1; i < c.output.table.rows.n; i++)
    assert_string_not_equal(table_size(c.arena, &c.output.table.rows.at[i]),
                            table_size(c.arena, &c.output.table.rows.at[i - 1]));
  arena_free(c.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_the_text_is_compiled_with),
      cmocka_unit_test(what_a_call_chooses),
      cmocka_unit_test(guesses_for_a_gpu),
      cmocka_unit_test(tiles_grow_with_results), cmocka_unit_test(steps_of_rows_have_shapes),
      cmocka_unit_test(rivals_of_a_library_that_selects), cmocka_unit_test(few_long_parts_are_shared),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
