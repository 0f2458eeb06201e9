/* Maps over cuts: their nests, their text, and whether contributions need atomics. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compiled.h"
#include "golden.h"
#include "ir/nest.h"

static void texts_of_maps_over_cuts(void **state) {
  (void)state;
  static const struct { const char *golden, *file, *arch, *types, *plan; } rows[] = {
      {"gemm.cu", "codelets/gemm.cdl", "sm_60", "float,half", "grid.tiled(block.tiled/all(thread.panels/loop(thread.serial)))"},
      {"gemm-split.cu", "codelets/gemm.cdl", "sm_60", "double", "grid.panels(block.tiled(warp.tiled(thread.serial)))"},
      {"gemm-staged.cu", "codelets/gemm.cdl", "sm_60", "float", "grid.tiled(block.tiled/all!staged(thread.panels/loop(thread.serial)))"},
      {"gemm-prefetched.cu", "codelets/gemm.cdl", "sm_60", "double",
       "grid.tiled(block.strided/all!prefetched(thread.panels/loop(thread.serial)))"},
      {"gemm-partial.cu", "codelets/gemm.cdl", "sm_60", "float",
       "grid.split!partial(block.tiled/all!staged(thread.panels/loop(thread.serial)))"},
      {"gemm-piped.cu", "codelets/gemm.cdl", "sm_80", "float", "grid.tiled(block.tiled/all!piped(thread.panels/loop(thread.serial)))"},
      {"gemm-unit.cu", "codelets/gemm.cdl", "sm_90", "half,double", "grid.tiled(block.tiled!piped(warp.panels/loop(warp.unit)))"},
      {"gemm-bulk.cu", "codelets/gemm.cdl", "sm_90", "half", "grid.tiled(block.tiled!bulk(warp.panels/loop(warp.unit)))"},
      {"gemm-producer.cu", "codelets/gemm.cdl", "sm_90", "half", "grid.tiled(block.tiled!producer(warp.panels/loop(warp.unit)))"},
      {"gemm-producer-words.cu", "codelets/gemm.cdl", "sm_90", "tf32",
       "grid.tiled(block.tiled!producer(warp.panels/loop(warp.unit)))"},
      {"gemm-unit-narrow.cu", "codelets/gemm.cdl", "sm_80", "tf32,int8", "grid.tiled(block.tiled!piped(warp.panels/loop(warp.unit)))"},
      {"gemm-bulk-words.cu", "codelets/gemm.cdl", "sm_90", "tf32", "grid.tiled(block.tiled!bulk(warp.panels/loop(warp.unit)))"},
      {"gemm-unit-partial.cu", "codelets/gemm.cdl", "sm_75", "half",
       "grid.split!partial(block.tiled!prefetched(warp.panels/loop(warp.unit)))"},
      {"gemm-unit-quads.cu", "codelets/gemm.cdl", "sm_70", "half",
       "grid.tiled(block.tiled!prefetched(warp.panels/loop(warp.unit)))"},
      {"gemm-batched.cu", "codelets/gemm_batched.cdl", "sm_80", "float",
       "grid.tiled(block.strided/all!piped(thread.panels/loop(thread.serial)))"},
      {"gemm-batched-unit.cu", "codelets/gemm_batched.cdl", "sm_80", "half",
       "grid.tiled(block.tiled!piped(warp.panels/loop(warp.unit)))"},
      {"gemm-batched-bulk.cu", "codelets/gemm_batched.cdl", "sm_90", "half",
       "grid.tiled(block.tiled!bulk(warp.panels/loop(warp.unit)))"},
      {"gemm-held.cu", "codelets/gemm.cdl", "sm_60", "int", "grid.tiled(block.strided/all!held(thread.serial))"},
      {"transpose-staged.cu", "codelets/transpose.cdl", "sm_90", "double", "grid.tiled(block.strided/all!staged(thread.serial))"},
      {"jacobi-staged.cu", "codelets/jacobi.cdl", "sm_60", "float", "grid.tiled(block.tiled/all!staged(thread.serial))"},
      {"convolve2-staged.cu", "codelets/convolve2.cdl", "sm_60", "float", "grid.tiled(block.tiled/all!staged(thread.serial))"},
      {"jacobi-windowed.cu", "codelets/jacobi.cdl", "sm_90", "float", "grid.tiled(block.tiled/all!windowed(thread.serial))"},
      {"convolve2-windowed.cu", "codelets/convolve2.cdl", "sm_60", "double",
       "grid.tiled(block.tiled/all!windowed(thread.serial))"},
      {"convolve2-streamed.cu", "codelets/convolve2.cdl", "sm_60", "double",
       "grid.tiled(block.tiled/all!streamed(thread.serial))"},
      {"jacobi3-streamed.cu", "codelets/jacobi3.cdl", "sm_90", "float", "grid.tiled(block.tiled/all!streamed(thread.serial))"},
      {"stream_outputs.cu", "tests/simt/codelets/stream_outputs.cdl", "sm_90", "float",
       "grid.inside=grid.tiled(block.tiled/all!streamed(thread.serial))"},
      {"jacobi3-staged.cu", "codelets/jacobi3.cdl", "sm_60", "float", "grid.tiled(block.tiled/all!staged(thread.serial))"},
      {"syrk-staged.cu", "codelets/syrk.cdl", "sm_60", "double",
       "grid.products=grid.tiled(block.tiled/all!staged(thread.panels/loop(thread.serial)))"},
      {"jacobi3.cu", "codelets/jacobi3.cdl", "sm_60", "float", "grid.tiled(block.tiled/all(thread.serial))"},
      {"convolve.cu", "codelets/convolve.cdl", "sm_60", "float", "grid.windows/all-threads(thread.serial)"},
      {"cpu-gemm.c", "codelets/gemm.cdl", "avx2", "float,double", "process.tiled(thread.tiled!packed(lane.panels/loop(lane.serial)))"},
      {"cpu-jacobi.c", "codelets/jacobi.cdl", "avx2", "float", "process.tiled(thread.tiled(lane.serial))"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Options o = {.file = rows[i].file, .arch = rows[i].arch, .keep = "all", .types = rows[i].types};
    Compilation c = COMPILED_PLAN(&o, rows[i].plan);
    golden_compare(c.arena, arena_printf(c.arena, "tests/golden/emit/%s", rows[i].golden),
                   compiled_text(&c, compiled_plan(&c, rows[i].plan)));
    arena_free(c.arena);
  }
}

/* Windows are streamed that have planes, or four rows more than a lane has results, or who knows how many. */
static void windows_of_several_rows_are_streamed(void **state) {
  (void)state;
  static const struct { const char *file; bool streamed; } rows[] = {
      {"codelets/jacobi3.cdl", true},
      {"codelets/convolve2.cdl", true},
      {"codelets/jacobi.cdl", false},
      {"codelets/convolve.cdl", false},
      {"tests/simt/codelets/window_loops.cdl", false},
      {"tests/simt/codelets/window_outputs.cdl", false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Options o = {.file = rows[i].file, .arch = "sm_90", .keep = "all", .types = "float"};
    Compilation c = compiled(&o);
    bool streamed = false;
    for (int k = 0; k < c.output.nvariants; k++) streamed |= strstr(c.output.variants[k].plan->text, "!streamed") != NULL;
    assert_int_equal(streamed, rows[i].streamed);
    arena_free(c.arena);
  }
}

/* The first guess streams planes of calls whose rows are aligned, of shipped stencils and of insides. */
static void planes_are_streamed_where_rows_are_aligned(void **state) {
  (void)state;
  static const char *const files[] = {"codelets/jacobi3.cdl", "tests/simt/codelets/stream_outputs.cdl"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    Options o = {.file = files[i], .arch = "sm_90", .types = "float", .table = "none"};
    Compilation c = compiled(&o);
    const Table *t = &c.output.table;
    assert_int_equal(t->rows.n, 2);
    for (int k = 0; k < t->rows.n; k++) {
      const bool aligned = t->rows.at[k].when & ROWS_ALIGNED;
      const char *plan = output_variant(&c.output, t->rows.at[k].variant)->plan->text;
      assert_int_equal(aligned, k == 0);
      assert_non_null(strstr(plan, aligned ? "!streamed" : "!windowed"));
    }
    arena_free(c.arena);
  }
}

/* A tile may be as large as fits beside the least of the others; of extents together the compiler of CUDA sees, by
 * type, which fit. */
static void tiles_fit_a_block(void **state) {
  (void)state;
  static const struct { const char *types, *plan; int64_t most; int arrays; } rows[] = {
      {"double", "grid.tiled(block.tiled/all!staged(thread.panels/loop(thread.serial)))", 256, 2},
      {"double,cdouble", "grid.tiled(block.tiled/all!prefetched(thread.panels/loop(thread.serial)))", 128, 2},
      {"double,cdouble", "grid.tiled(block.tiled/all!held(thread.panels/loop(thread.serial)))", 256, 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Options o = {.file = "codelets/gemm.cdl", .arch = "sm_60", .keep = "all", .types = rows[i].types};
    Compilation c = COMPILED_PLAN(&o, rows[i].plan);
    const Program *p = compiled_plan(&c, rows[i].plan)->program;
    const ProgramConstant *m = program_constant(p, "tile_m");
    assert_int_equal(m->tunable.max, rows[i].most);
    assert_true(tunable_takes(&m->tunable, rows[i].most) && !tunable_takes(&m->tunable, 2 * rows[i].most));
    assert_int_equal(p->nshared, rows[i].arrays);
    assert_int_equal(p->most_shared, 48 << 10);
    const char *left_out = "if constexpr (shared_bytes<T, THREADS, TILE_M, TILE_N, LANES, TILE_K>() <= 49152)";
    assert_int_equal(strstr(compiled_text(&c, compiled_plan(&c, rows[i].plan)), left_out) != NULL, rows[i].arrays > 0);
    arena_free(c.arena);
  }
}

/* Tiles that a CPU's threads pack: a panel of rows for the second cache, in the order of C, of this codelet alone and
 * whatever it computes. */
static void tiles_are_packed_for_caches(void **state) {
  (void)state;
  static const struct { const char *file, *spectrum, *arch, *types, *by_columns, *rows; int64_t many; } rows[] = {
      {"codelets/gemm.cdl", NULL, "avx2", "float", NULL, "tile_m", 384},
      {"codelets/gemm.cdl", NULL, "avx2", "float,double", NULL, "tile_m", 192},
      {"codelets/gemm.cdl", NULL, "avx2", "double", "C", "tile_n", 192},
      {"codelets/gemm.cdl", NULL, "avx512", "double", "A,B", "tile_m", 384},
      {"codelets/gemm.cdl", NULL, "avx2", "cdouble", NULL, "tile_m", 96},
      {"tests/native/codelets/packed.cdl", "min_plus", "avx2", "double", NULL, "tile_m", 192},
      {"tests/native/codelets/packed.cdl", "squared", "neon", "float", "D", "tile_n", 384},
      {"tests/native/codelets/packed.cdl", "weighted", "avx2", "double", "X,W", "tile_m", 192}};
  const char *plan = "process.tiled(thread.tiled!packed(lane.panels/loop(lane.serial)))";
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Options o = {.file = rows[i].file, .arch = rows[i].arch, .types = rows[i].types, .by_columns = rows[i].by_columns,
                 .spectrum = rows[i].spectrum, .table = "none"};
    Compilation c = COMPILED_PLAN(&o, plan);
    const Variant *v = compiled_plan(&c, plan);
    assert_int_equal(program_constant(v->program, rows[i].rows)->tunable.value, rows[i].many);
    assert_int_equal(v->plan->determinism, DETERMINISM_RUN_TO_RUN);
    assert_true(v->plan->batch_invariant);
    arena_free(c.arena);
  }
}

/* Integers are summed up in any order, so that nothing is said of fused products; what has no panels, reads a halo, or
 * asks for a part's size is not packed. */
static void tiles_that_are_not_packed(void **state) {
  (void)state;
  Options o = {.file = "codelets/gemm.cdl", .arch = "avx2", .types = "int", .table = "none"};
  const char *plan = "process.tiled(thread.tiled!packed(lane.panels/loop(lane.serial)))";
  Compilation c = COMPILED_PLAN(&o, plan);
  assert_int_equal(compiled_plan(&c, plan)->plan->determinism, DETERMINISM_SEQUENTIAL);
  arena_free(c.arena);
  static const char *const others[] = {"codelets/jacobi.cdl", "codelets/transpose.cdl", "codelets/ger.cdl",
                                       "codelets/convolve2.cdl"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    Options of = {.file = others[i], .arch = "avx2", .types = "float", .keep = "all", .table = "none"};
    Compilation d = compiled(&of);
    for (int k = 0; k < d.output.nvariants; k++) assert_null(strstr(d.output.variants[k].plan->text, "!packed"));
    arena_free(d.arena);
  }
}

/* What a block has in shared memory, in the manifest, with lengths that the kernel's head declares. */
static void shared_bytes_of_tiles(void **state) {
  (void)state;
  Options o = {.file = "codelets/gemm.cdl", .arch = "sm_90", .types = "half", .table = "none"};
  const char *plan = "grid.tiled(block.tiled!piped(warp.panels/loop(warp.unit)))";
  Compilation c = COMPILED_PLAN(&o, plan);
  Buffer b = buffer_new(c.arena);
  emit_manifest_variant(&b, &c.output, (int)(compiled_plan(&c, plan) - c.output.variants));
  const int halves = 3 * (64 * (16 + 8) + 16 * (64 + 8)); /* stages, rows of A and of B with their padding */
  if (!strstr(b.text, arena_printf(c.arena, "\"half\": %d", 2 * halves))) fail_msg("not %d bytes:\n%s", 2 * halves, b.text);
  arena_free(c.arena);
}

/* What plain loops say of halos is what shipped codelets say: of each the loops alone have the same plans. */
static void plain_loops_have_the_plans_of_cuts(void **state) {
  (void)state;
  static const struct { const char *file, *spectrum; } rows[] = {
      {"codelets/jacobi.cdl", "five"}, {"codelets/jacobi3.cdl", "seven"}, {"codelets/convolve2.cdl", "weights"}};
  static const char *const machines[] = {"sm_60", "sm_90", "avx2"};
  for (size_t i = 0; i < sizeof rows / sizeof *rows * 3; i++) {
    Options cut = {.file = rows[i / 3].file, .arch = machines[i % 3], .types = "float", .keep = "all", .table = "none"};
    Options plain = cut;
    plain.file = "tests/simt/codelets/plain_stencils.cdl";
    plain.spectrum = rows[i / 3].spectrum;
    Compilation c = compiled(&cut), p = compiled(&plain);
    assert_int_equal(c.output.nvariants, p.output.nvariants);
    for (int k = 0; k < c.output.nvariants; k++)
      assert_string_equal(c.output.variants[k].plan->text, p.output.variants[k].plan->text);
    arena_free(p.arena);
    arena_free(c.arena);
  }
}

/* Each cut is an axis, whose parts are a share of the workers' number. */
static void an_axis_for_each_cut(void **state) {
  (void)state;
  Options o = {.file = "codelets/transpose.cdl", .arch = "sm_60", .keep = "all", .types = "int"};
  const char *plan = "grid.tiled(block>warp.tiled(thread.serial))";
  Compilation c = COMPILED_PLAN(&o, plan);
  Buffer b = buffer_new(c.arena);
  nest_print(&b, compiled_plan(&c, plan)->program->nest);
  static const char *const in_order[] = {"i block(map of 0 .. p; 1)", "j block(map of 0 .. q; 1)",
                                         "i thread(map of 0 .. 4; 1)", "j thread(map of 0 .. 8; 1)"};
  const char *at = b.text;
  for (size_t i = 0; i < sizeof in_order / sizeof *in_order; i++)
    if (!(at = strstr(at, in_order[i]))) fail_msg("no `%s' behind what stands before it in\n%s", in_order[i], b.text);
  arena_free(c.arena);
}

/* What one worker alone contributes to is added to; and then the order is the sequential codelet's. */
static void atomics_where_workers_share(void **state) {
  (void)state;
  Options o = {.file = "codelets/gemm.cdl", .arch = "sm_60", .keep = "all", .types = "float"};
  Compilation c = compiled(&o);
  int alone = 0, shared = 0, partial = 0;
  for (int i = 0; i < c.output.nvariants; i++) {
    const Variant *v = &c.output.variants[i];
    const char *plan = v->plan->text, *text = compiled_text(&c, v);
    const bool copies = strstr(plan, "!partial(") != NULL;
    static const char *const share[] = {"panels(", "panels/all(", "split(", "split/all("};
    bool splits = false;
    for (size_t k = 0; k < sizeof share / sizeof *share; k++) splits |= strstr(plan, share[k]) != NULL;
    if (copies) { /* each block's contributions are its own, and are added in order */
      assert_null(strstr(text, "atomicAdd(&C"));
      assert_int_equal(v->plan->determinism, DETERMINISM_GPU_TO_GPU);
      assert_int_equal(v->plan->kernels, 2);
      assert_false(v->plan->batch_invariant);
      Buffer drawing = buffer_new(c.arena);
      plan_print_dot(&drawing, v->plan);
      assert_non_null(strstr(drawing.text, "second kernel"));
      partial++;
      continue;
    }
    const bool held = splits && strchr(plan, '!'); /* in registers, where a lane adds */
    const bool plain = strstr(text, "] += ") || strstr(text, "] = own");
    if ((!held && splits == plain) || splits != (strstr(text, "atomicAdd(&C") != NULL))
      fail_msg("%s:\n%s", plan, text);
    assert_int_equal(v->plan->determinism, splits ? DETERMINISM_NOT_GUARANTEED : DETERMINISM_SEQUENTIAL);
    assert_int_equal(v->plan->category, splits ? CATEGORY_GLOBAL_ATOMIC : CATEGORY_BASELINE);
    shared += splits;
    alone += !splits;
  }
  assert_true(alone > 20 && shared > 20 && partial > 3);
  arena_free(c.arena);
}

/* Where a warp has a unit for all types, of what is staged alone; in an order of its own. */
static void matrix_units_for_their_types(void **state) {
  (void)state;
  static const struct { const char *arch, *types, *keep, *why; } rows[] = {
      {"sm_60", "half", NULL, "the machine has no matrix unit"}, /* the first that has any is sm_70 */
      {"sm_75", "double", NULL, "the matrix unit of sm_75 does not multiply `double'"},
      {"avx2", "double", NULL, "the machine has no matrix unit"},
      {"sm_90", "double", "1", "none of the plans that are kept divides the tile of a block"},
      {"sm_90", "float", NULL, "the matrix unit of sm_90 does not multiply `float'"},
      {"sm_70", "int8", NULL, "the matrix unit of sm_70 does not multiply `int8'"}, {"sm_70", "half", NULL, NULL},
      {"sm_75", "half,int8,uint8", NULL, NULL}, {"sm_80", "half,bfloat16,double", NULL, NULL}, {"sm_90", "double", NULL, NULL},
      {"sm_75", "half,half16", NULL, NULL}, {"sm_90", "half16,double", NULL, NULL}, {"sm_80", "tf32,int8", NULL, NULL}, {"sm_90", "tf32", NULL, NULL}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Options o = {.file = "codelets/gemm.cdl", .arch = rows[i].arch, .types = rows[i].types, .keep = rows[i].keep};
    Compilation c = compiled(&o);
    int units = 0;
    for (int k = 0; k < c.output.nvariants; k++) {
      const Plan *p = c.output.variants[k].plan;
      if (!strstr(p->text, ".unit")) continue;
      units++;
      assert_non_null(strstr(p->text, "(block.tiled!"));
      assert_non_null(strstr(p->text, "(warp.panels/loop(warp.unit)))"));
      assert_true(p->determinism <= DETERMINISM_RUN_TO_RUN);
      assert_int_equal(p->batch_invariant, strncmp(p->text, "grid.tiled", 10) == 0);
    }
    assert_int_equal(units > 0, rows[i].why == NULL);
    bool said = false;
    for (int k = 0; k < c.diagnostics->list.n; k++)
      said |= rows[i].why && strstr(c.diagnostics->list.at[k].message, "`unit'") && strstr(c.diagnostics->list.at[k].message, rows[i].why);
    if (rows[i].why && !said) fail_msg("%s, %s: no remark that %s", rows[i].arch, rows[i].types, rows[i].why);
    arena_free(c.arena);
  }
}

/* Groups of warps multiply bytes, and words, where they lie along the inner dimension: both operands, or one. */
static void groups_for_their_layouts(void **state) {
  (void)state;
  static const struct { const char *types, *by_columns; bool groups; } rows[] = {
      {"half", NULL, true}, {"half16", NULL, false}, {"half,bfloat16", "A", true}, {"tf32", NULL, true}, {"tf32", "A", false}, {"int8,uint8", "B", true},
      {"int8", NULL, false}, {"int8", "A", false}, {"int8", "A,B", false}, {"int8", "B,C", true}, {"half,int8", "B", true},
      {"half,tf32", NULL, true}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Options o = {.file = "codelets/gemm.cdl", .arch = "sm_90", .types = rows[i].types, .by_columns = rows[i].by_columns,
                 .table = "none"};
    Compilation c = compiled(&o);
    bool groups = false;
    for (int k = 0; k < c.output.nvariants; k++) groups |= strstr(c.output.variants[k].plan->text, "!bulk") != NULL;
    if (groups != rows[i].groups) fail_msg("%s by %s: %d", rows[i].types, rows[i].by_columns, groups);
    arena_free(c.arena);
  }
  const char *plan = "grid.tiled(block.tiled!bulk(warp.panels/loop(warp.unit)))";
  Options bytes = {.file = "codelets/gemm.cdl", .arch = "sm_90", .types = "int8", .by_columns = "B", .table = "none"};
  Compilation c = COMPILED_PLAN(&bytes, plan);
  golden_compare(c.arena, "tests/golden/emit/gemm-bulk-bytes.cu", compiled_text(&c, compiled_plan(&c, plan)));
  arena_free(c.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(texts_of_maps_over_cuts), cmocka_unit_test(plain_loops_have_the_plans_of_cuts),
                                     cmocka_unit_test(an_axis_for_each_cut),
      cmocka_unit_test(matrix_units_for_their_types), cmocka_unit_test(groups_for_their_layouts),
      cmocka_unit_test(shared_bytes_of_tiles), cmocka_unit_test(tiles_fit_a_block),
                                     cmocka_unit_test(planes_are_streamed_where_rows_are_aligned),
      cmocka_unit_test(windows_of_several_rows_are_streamed),
      cmocka_unit_test(tiles_are_packed_for_caches), cmocka_unit_test(tiles_that_are_not_packed),
                                     cmocka_unit_test(atomics_where_workers_share)};
  return cmocka_run_group_tests_name("cuts", tests, NULL, NULL);
}
