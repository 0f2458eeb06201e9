/* Rows of a container, times a constant, by a warp's matrix unit: which plans have it, where there is none, their text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compiled.h"
#include "golden.h"
#include "ir/nest.h"

static const char *text_of(const Compilation *c, const Variant *v) {
  Buffer b = buffer_new(c->arena);
  emit_variant(&b, &c->output, v);
  return b.text;
}

#define UNIT_SCAN "grid.whole=grid.sliding!look_back(block.scan_scan_add(warp.unit; block>warp.kogge_stone+shuffle))"

static void texts_of_rows(void **state) {
  (void)state;
  static const struct { const char *golden, *file, *arch, *types, *plan; } rows[] = {
      {"unit-sums.cu", "codelets/segmented_sum.cdl", "sm_80", "half", "grid.tiles(block.tiles(warp.unit))"},
      {"unit-scans.cu", "codelets/segmented_scan.cdl", "sm_90", "half,double", "grid.rows=grid.tiles(block.tiles(warp.unit))"},
      {"unit-total.cu", "codelets/segmented_sum.cdl", "sm_80", "bfloat16",
       "grid.each(block.tiled(warp.unit; block.tree+shuffle))"},
      {"unit-tile-scan.cu", "codelets/scan.cdl", "sm_90", "half", UNIT_SCAN},
      {"unit-tiles.cu", "tests/simt/codelets/unit_rows.cdl", "sm_75", "half", "grid.tiles(block>warp.unit)"},
      {"unit-tiles-quads.cu", "tests/simt/codelets/unit_rows.cdl", "sm_70", "half", "grid.tiles(block>warp.unit)"},
      {"unit-tiles-bytes.cu", "tests/simt/codelets/unit_rows.cdl", "sm_75", "int8", "grid.tiles(block>warp.unit)"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Options o = {.file = rows[i].file, .arch = rows[i].arch, .keep = "all", .types = rows[i].types, .table = "none"};
    Compilation c = COMPILED_PLAN(&o, rows[i].plan);
    golden_compare(c.arena, arena_printf(c.arena, "tests/golden/emit/%s", rows[i].golden),
                   text_of(&c, compiled_plan(&c, rows[i].plan)));
    arena_free(c.arena);
  }
}

/* Where a warp has a unit for all types, and what is multiplied is in memory; else a remark says why not. */
static void units_for_their_types(void **state) {
  (void)state;
  static const struct { const char *arch, *types, *why; } rows[] = {
      {"sm_60", "half", "the machine has no matrix unit"}, /* the first that has any is sm_70 */
      {"sm_70", "bfloat16", "the matrix unit of sm_70 does not multiply `bfloat16'"},
      {"sm_75", "double", "the matrix unit of sm_75 does not multiply `double'"},
      {"sm_90", "float", "the matrix unit of sm_90 does not multiply `float'"},
      {"sm_90", "half:double", "the matrix unit of sm_90 does not multiply `half_double'"},
      {"avx2", "double", "the machine has no matrix unit"},
      {"sm_70", "int8", "the matrix unit of sm_70 does not multiply `int8'"},
      {"sm_75", "int8,uint8", NULL}, {"sm_90", "uint8", NULL},
      {"sm_70", "half", NULL}, {"sm_75", "half", NULL}, {"sm_80", "half,bfloat16,double", NULL}, {"sm_90", "double", NULL}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Options o = {.file = "codelets/segmented_sum.cdl", .arch = rows[i].arch, .types = rows[i].types, .table = "none"};
    Compilation c = compiled(&o);
    int units = 0;
    bool said = false;
    for (int k = 0; k < c.output.nvariants; k++) {
      const Plan *p = c.output.variants[k].plan;
      if (!strstr(p->text, "unit")) continue;
      units++;
      assert_non_null(strstr(p->text, "warp.unit"));
      assert_int_equal(p->determinism, DETERMINISM_RUN_TO_RUN);
    }
    assert_int_equal(units > 0, rows[i].why == NULL);
    for (int k = 0; k < c.diagnostics->list.n; k++) {
      const char *said_of = c.diagnostics->list.at[k].message;
      said |= rows[i].why && strstr(said_of, "`unit'") && strstr(said_of, rows[i].why);
    }
    if (rows[i].why && !said) fail_msg("%s, %s: no remark that %s", rows[i].arch, rows[i].types, rows[i].why);
    arena_free(c.arena);
  }
}

/* What a warp has of a tile that is scanned: of elements of 16 bits, which are in memory. */
static void units_for_tiles(void **state) {
  (void)state;
  static const struct { const char *arch, *types, *why; } rows[] = {
      {"sm_60", "half", "the machine has no matrix unit"},
      {"sm_80", "double", "where elements have 16 bits"},
      {"sm_80", "int8", "where elements have 16 bits"},
      {"sm_70", "half", NULL}, {"sm_75", "half", NULL}, {"sm_90", "half,bfloat16", NULL}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Options o = {.file = "codelets/scan.cdl", .arch = rows[i].arch, .types = rows[i].types, .table = "none"};
    Compilation c = compiled(&o);
    bool said = false, units = false;
    for (int k = 0; k < c.output.nvariants; k++) units |= strstr(c.output.variants[k].plan->text, "warp.unit") != NULL;
    for (int k = 0; k < c.diagnostics->list.n; k++) {
      const char *text = c.diagnostics->list.at[k].message;
      said |= rows[i].why && strstr(text, "`unit'") && strstr(text, rows[i].why);
    }
    assert_int_equal(units, rows[i].why == NULL);
    if (rows[i].why && !said) fail_msg("%s, %s: no remark that %s", rows[i].arch, rows[i].types, rows[i].why);
    arena_free(c.arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(texts_of_rows), cmocka_unit_test(units_for_their_types),
                                     cmocka_unit_test(units_for_tiles)};
  return cmocka_run_group_tests_name("unit_rows", tests, NULL, NULL);
}
