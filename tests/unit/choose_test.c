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

/* Tiles of products are as large as there are results for: what was measured of `syrk', whose operands are both
 * transposed as they are copied. Results in long rows keep the plan's own tile, and doubles of the widest tile would
 * take all registers. */
static void tiles_grow_with_results(void **state) {
  (void)state;
  static const struct { const char *file, *type; uint64_t rows; unsigned like; int64_t threads, wide; } cases[] = {
      {"codelets/syrk.cdl", "float", 256, 0, 64, 32},
      {"codelets/syrk.cdl", "float", 512, 0, 64, 32},
      {"codelets/syrk.cdl", "float", 1000, 0, 0, 128},
      {"codelets/syrk.cdl", "float", 1024, 0, 0, 128},
      {"codelets/syrk.cdl", "float", 2000, 0, 256, 256},
      {"codelets/syrk.cdl", "float", 2048, 0, 256, 256},
      {"codelets/syrk.cdl", "float", 4096, 0, 256, 256},
      {"codelets/syrk.cdl", "double", 4096, 0, 0, 128},
      {"codelets/gemm.cdl", "float", 4096, ROWS_ALIGNED, 256, 256},
      {"codelets/gemm.cdl", "float", 4096, RESULTS_WIDE, 0, 0},
      {"codelets/gemm_scaled.cdl", "float", 2048, 0, 256, 256}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const uint64_t n = cases[i].rows;
    Options o = {.file = cases[i].file, .arch = "sm_90", .types = cases[i].type, .table = "none"};
    Compilation c = compiled(&o);
    const uint64_t size = output_by_shape(&c.output) ? n : n * n;
    const TableRow *row = table_row(&c.output.table, cases[i].type, size, n * n, cases[i].like);
    assert_non_null(row);
    const int64_t threads = tunables_value(&row->set, "threads"), wide = tunables_value(&row->set, "tile_n");
    if (threads != cases[i].threads || wide != cases[i].wide)
      fail_msg("%s, %s, %d rows: %d threads, tile_n=%d", cases[i].file, cases[i].type, (int)n, (int)threads, (int)wide);
    arena_free(c.arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_the_text_is_compiled_with),
      cmocka_unit_test(what_a_call_chooses),
      cmocka_unit_test(guesses_for_a_gpu),
      cmocka_unit_test(tiles_grow_with_results),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
