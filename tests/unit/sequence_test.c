/* A grid's steps: texts of their kernels and of the host's part, and which plans there are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compiled.h"
#include "golden.h"

static const char *text_of(const Compilation *c, const Variant *v) {
  Buffer b = buffer_new(c->arena);
  emit_variant(&b, &c->output, v);
  return b.text;
}

/* Numbers that later kernels begin with, one that a kernel of one thread makes of them; containers between the steps,
 * and loops of the host's: counted, and such as a kernel ends; and one that is one kernel. */
static void texts_of_grids(void **state) {
  (void)state;
  static const struct { const char *golden, *file, *spectrum, *arch, *plan; } rows[] = {
      {"steps-grid.cu", "codelets/logsumexp.cdl", "logsumexp_row", "sm_90",
       "grid.steps=(grid.tiled!atomic(block.strided/all(thread.strided(ilp.serial; thread.serial); block.tree+shuffle)); "
       "grid.tiled!atomic(block.strided/all(thread.strided(ilp.serial; thread.serial); block.tree+shuffle)))"},
      {"steps-leave.cu", "tests/simt/codelets/leaving.cdl", NULL, "sm_90",
       "grid.steps=(grid>block.strided/all(thread.strided(ilp.serial)); "
       "grid>block.strided/all(thread.strided(ilp.serial)); grid>block.strided/all(thread.strided(ilp.serial; "
       "thread.serial); block.tree+shuffle); grid>block.strided/all(thread.strided(ilp.serial)); "
       "grid>block>warp>thread.serial; grid>block.strided/all(thread.strided(ilp.serial; thread.serial); "
       "block.tree+shuffle); grid>block.strided/all(thread.strided(ilp.serial)); "
       "grid>block.strided/all(thread.strided(ilp.serial; thread.serial); block.tree+shuffle))"},
      {"steps-stay.cu", "codelets/bfs_edges.cdl", NULL, "sm_90",
       "grid.steps!persistent=(grid.tiled(block.strided/all(thread.strided(ilp.serial))); "
       "grid.tiled(block.strided/all(thread.strided(ilp.serial))); "
       "grid.tiled(block.strided/all(thread.strided(ilp.serial))))"},
      {"steps-queues.cu", "codelets/bfs_queue.cdl", NULL, "sm_90",
       "grid.steps!persistent=(grid>block>warp>thread.serial; grid.tiled(block.strided/all(thread.strided(ilp.serial))); "
       "grid>block>warp>thread.serial; grid.each/all-threads(thread.serial); grid>block>warp>thread.serial; "
       "grid.each/all-threads(thread.serial); grid>block>warp>thread.serial; grid.each/all-threads(thread.serial))"},
      {"steps-leave.c", "tests/simt/codelets/leaving.cdl", NULL, "avx2",
       "process.steps=(process>thread.strided(lane.strided(ilp.serial)); "
       "process>thread.strided(lane.strided(ilp.serial)); process>thread.strided(lane.strided(ilp.serial; "
       "lane.serial); thread.tree); process>thread.strided(lane.strided(ilp.serial)); "
       "process>thread>lane.serial; process>thread.strided(lane.strided(ilp.serial; lane.serial); thread.tree); "
       "process>thread.strided(lane.strided(ilp.serial)); process>thread.strided(lane.strided(ilp.serial; "
       "lane.serial); thread.tree))"},
      {"steps-loop.cu", "codelets/kmeans.cdl", NULL, "sm_60",
       "grid.steps=(grid.each/all-threads!rows(thread.serial); grid.strided(block.strided/all(thread.serial)); "
       "grid.tiled(block.own/all(thread.serial; block.strided/all(thread.serial); block.strided/all(thread.serial))); "
       "grid.strided(block.strided/all(thread.serial)))"},
      {"steps-loop.c", "codelets/kmeans.cdl", NULL, "avx2",
       "process.steps=(process.each/all-lanes(lane.serial); process.strided(thread.strided(lane.serial)); "
       "process.tiled(thread.own_tiles(lane.serial; thread.strided(lane.serial); thread.strided(lane.serial))); "
       "process.strided(thread.strided(lane.serial)))"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Options o = {.file = rows[i].file, .spectrum = rows[i].spectrum, .arch = rows[i].arch, .types = "float",
                 .table = "none"};
    Compilation c = COMPILED_PLAN(&o, rows[i].plan);
    golden_compare(c.arena, arena_printf(c.arena, "tests/golden/emit/%s", rows[i].golden),
                   text_of(&c, compiled_plan(&c, rows[i].plan)));
    arena_free(c.arena);
  }
}

/* Steps in a loop, or with a container between them, are a grid's; one whose size a step decides is not. */
static void who_takes_them(void **state) {
  (void)state;
  static const struct { const char *file, *spectrum; bool grid, others; } rows[] = {
      {"codelets/kmeans.cdl", NULL, true, false}, {"codelets/logsumexp.cdl", "logsumexp_row", true, true},
      {"tests/simt/codelets/steps.cdl", "pinch", false, true}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Options o = {.file = rows[i].file, .spectrum = rows[i].spectrum, .arch = "sm_60", .types = "float", .table = "none"};
    Compilation c = compiled(&o);
    bool grid = false, others = false;
    for (int k = 0; k < c.output.nvariants; k++) {
      const char *text = c.output.variants[k].plan->text;
      const bool steps = strncmp(text, "grid.steps", 10) == 0 || strncmp(text, "grid.fused", 10) == 0;
      *(steps ? &grid : &others) = true;
    }
    assert_int_equal(grid, rows[i].grid);
    assert_int_equal(others, rows[i].others);
    arena_free(c.arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(texts_of_grids), cmocka_unit_test(who_takes_them)};
  return cmocka_run_group_tests_name("sequence", tests, NULL, NULL);
}
