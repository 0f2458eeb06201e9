/* Golden texts of chosen plans. emitted_test.c has what holds for all texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compiled.h"
#include "golden.h"

/* CGO Fig. 6 (l) to (p), whose Listings 1 to 4 these are, made right. */
static void letters_l_to_p(void **state) {
  (void)state;
  Options o = {.file = "codelets/sum.cdl", .arch = "sm_60", .space = "cgo", .types = "float"};
  Compilation c = compiled(&o);
  int seen = 0;
  for (int i = 0; i < c.output.nvariants; i++) {
    const Plan *p = c.output.variants[i].plan;
    if (!p->letter) continue;
    seen++;
    golden_compare(c.arena, arena_printf(c.arena, "tests/golden/emit/cgo-%s.cu", p->letter),
                   compiled_text(&c, &c.output.variants[i]));
  }
  assert_int_equal(seen, 5);
  arena_free(c.arena);
}

/* MICRO Fig. 11's structure, with tails clipped and without its race. */
static void the_structure_of_micro_fig_11(void **state) {
  (void)state;
  Options o = {.file = "tests/listings/micro-2.cdl", .arch = "sm_35", .levels = "grid,block,thread", .keep = "400"};
  const char *const plan = "grid.asso_tiled(block.stride_tiled(thread.serial; block.kog); "
                                   "grid>block.stride_tiled(thread.serial; block.kog))";
  Compilation c = COMPILED_PLAN(&o, plan);
  const Variant *v = compiled_plan(&c, plan);
  golden_compare(c.arena, "tests/golden/emit/micro-11.cu", compiled_text(&c, v));
  arena_free(c.arena);
}

/* MICRO Fig. 10's structure with lanes below its threads: adjacent tiles for threads, of which lanes take every eighth
 * element; all join, and one goes on alone. */
static void the_structure_of_micro_fig_10(void **state) {
  (void)state;
  static const char *const in_order[] = {"thread * tile", "i += 8", "in[i + lane]", "#pragma omp parallel for",
                                         "OF(sum_threads)(thread, ", "OF(sum_one_thread)("};
  Options o = {.file = "tests/listings/micro-2.cdl", .arch = "avx2", .levels = "process,thread,lane", .keep = "all",
               .types = "int"};
  const char *const plan = "process.asso_tiled(thread.stride_tiled(lane.serial; thread.kog); "
                                   "process>thread.stride_tiled(lane.serial; thread.kog))";
  Compilation c = COMPILED_PLAN(&o, plan);
  const Variant *v = compiled_plan(&c, plan);
  const char *text = compiled_text(&c, v), *at = text;
  for (size_t i = 0; i < sizeof in_order / sizeof *in_order; i++) {
    at = strstr(at, in_order[i]);
    if (!at) fail_msg("no `%s' behind what stands before it in\n%s", in_order[i], text);
  }
  golden_compare(c.arena, "tests/golden/emit/micro-10.c", text);
  arena_free(c.arena);
}

/* On a CPU: lanes go by half vectors, a vector's lanes exchange what they have, vectors are in flight, threads scan
 * tiles in a chain, rows whose elements lie side by side are taken several vectors at a time, others four at once,
 * threads share columns or a segment, reals have a lesser one whatever their order, operators of the user's are C++. */
static void texts_for_a_cpu(void **state) {
  (void)state;
  static const struct { const char *golden, *file, *operation, *types, *arch, *plan; } rows[] = {
      {"cpu-halves.c", "codelets/dot.cdl", NULL, "float,cdouble", "avx512",
       "process.products=process>thread.strided!halves(lane.strided(ilp.serial; lane.serial); thread.tree+shuffle)"},
      {"cpu-sum.c", "codelets/sum.cdl", NULL, "float,cfloat", "avx2",
       "process.tiled!atomic(thread.strided(lane.strided(ilp.serial; lane.serial); thread.tree+shuffle))"},
      {"cpu-scan.c", "codelets/scan.cdl", NULL, "int,double", "avx2",
       "process.whole=process.sliding!chained(thread.sliding/loop(thread.kogge_stone+shuffle); "
       "thread.strided(lane.strided(ilp.serial; lane.serial); thread.tree))"},
      {"cpu-gemv.c", "codelets/gemv_columns.cdl", NULL, "float", "avx2", "process.each/all-lanes(lane.serial)"},
      {"cpu-jammed.c", "codelets/gemv.cdl", NULL, "float", "avx2",
       "process.each!jammed(thread.products=thread.strided(lane.strided(ilp.serial; lane.serial); "
       "thread.butterfly+shuffle))"},
      {"cpu-columns.c", "codelets/gemv_columns.cdl", NULL, "float", "avx2",
       "process.each/all-lanes(lane.products=lane.tiled/spread(lane.serial; lane.serial))"},
      {"cpu-segments.c", "codelets/segmented_sum.cdl", NULL, "float", "avx2",
       "process.each(thread.tiled/spread(thread.strided(lane.strided(ilp.serial; lane.serial); thread.tree+shuffle); "
       "lane.serial))"},
      {"cpu-min.c", "codelets/reduce.cdl", "Min", "float,uint8", "avx2",
       "process>thread.strided(lane.strided(ilp.serial; lane.serial); thread.tree+shuffle)"},
      {"cpu-argmax.cc", "codelets/reduce.cdl", "ArgMax", "float", "avx2",
       "process>thread.strided(lane.strided(ilp.serial; lane.serial); thread.tree+shuffle)"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Options o = {.file = rows[i].file, .arch = rows[i].arch, .keep = "400", .types = rows[i].types,
                 .operation = rows[i].operation};
    Compilation c = COMPILED_PLAN(&o, rows[i].plan);
    golden_compare(c.arena, arena_printf(c.arena, "tests/golden/emit/%s", rows[i].golden),
                   compiled_text(&c, compiled_plan(&c, rows[i].plan)));
    arena_free(c.arena);
  }
}

/* What is gathered is so once, into a copy of a thread's own, which its scan reads. */
static void a_copy_for_a_cpu(void **state) {
  (void)state;
  Options o = {.file = "tests/native/codelets/view_scans.cdl", .spectrum = "gathered_scan", .arch = "avx2",
               .types = "float"};
  const char *plan = "process.elsewhere=process.sliding!chained!copy(thread.sliding/loop(thread.kogge_stone); "
                     "thread.strided!atomic(lane.strided(ilp.serial; lane.serial)))";
  Compilation c = COMPILED_PLAN(&o, plan);
  golden_compare(c.arena, "tests/golden/emit/cpu-copy.c", compiled_text(&c, compiled_plan(&c, plan)));
  arena_free(c.arena);
}

/* Lanes' rows of a matrix: blocks of them are copied, and transposed. */
static void rows_for_a_cpu(void **state) {
  (void)state;
  Options o = {.file = "codelets/gemv.cdl", .arch = "avx2", .types = "float,double,half"};
  const char *const plan = "process.each/all-lanes!transposed(lane.serial)";
  Compilation c = COMPILED_PLAN(&o, plan);
  const Variant *v = compiled_plan(&c, plan);
  golden_compare(c.arena, "tests/golden/emit/cpu-rows.c", compiled_text(&c, v));
  arena_free(c.arena);
}

/* Rows that are copied, and transposed, are one vector's, though what is written lies side by side; and what
 * declarations do not say of sizes, the host function asks, once and in both of the languages. */
static void a_transposed_copy(void **state) {
  (void)state;
  static const struct { const char *arch, *plan, *rows, *columns; } of[] = {
      {"avx2", "process.each/all-lanes!transposed(lane.serial)", "if (rows != B_columns)\n    return EINVAL",
       "if (columns != B_rows)\n    return EINVAL"},
      {"sm_80", "grid.each/all-threads(thread.serial)", "if (rows != B_columns)\n    return cudaErrorInvalidValue",
       "if (columns != B_rows)\n    return cudaErrorInvalidValue"}};
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    Options o = {.file = "tests/listings/transpose.cdl", .arch = of[i].arch, .types = "float"};
    Compilation c = COMPILED_PLAN(&o, of[i].plan);
    const char *text = compiled_text(&c, compiled_plan(&c, of[i].plan));
    assert_true(i || strstr(text, "LOAD_ROWS(row, &A[turn * leading + i], leading)"));
    assert_null(strstr(text, "8 * loads"));
    assert_non_null(strstr(text, of[i].rows));
    assert_non_null(strstr(text, of[i].columns));
    arena_free(c.arena);
  }
}

static void every_level_of_a_gpu(void **state) {
  (void)state;
  static const char *const plans[] = {
      "grid>block.tiled!atomic(warp.strided(thread.strided(ilp.serial; thread.serial); warp.tree))",
      "grid.tiled!atomic(block.strided/all(thread.serial; block.shared_V2))",
      "grid.tiled!atomic(block.strided/all(thread.strided(ilp.serial; thread.serial); block.tree+shuffle))", NULL};
  Options o = {.file = "codelets/sum.cdl", .arch = "sm_70", .keep = "300", .types = "int"};
  Compilation c = compiled_plans(&o, plans);
  int found = 0;
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < c.output.nvariants; i++)
      if (strcmp(c.output.variants[i].plan->text, plans[k]) == 0) {
        found++;
        golden_compare(c.arena, arena_printf(c.arena, "tests/golden/emit/levels-%d.cu", k + 1),
                       compiled_text(&c, &c.output.variants[i]));
      }
  assert_int_equal(found, 3);
  arena_free(c.arena);
}

/* Eight warps' results, combined by a vector of eight lanes: the last exchange begins with four, and needs no guard. */
static void warps_combined_by_a_subwarp(void **state) {
  (void)state;
  Options o = {.file = "codelets/sum.cdl", .arch = "sm_80", .types = "int"};
  Compilation c = COMPILED_PLAN(&o, "55b3a74a");
  int found = 0;
  for (int i = 0; i < c.output.nvariants; i++)
    if (strcmp(c.output.variants[i].plan->id, "55b3a74a") == 0) {
      found++;
      golden_compare(c.arena, "tests/golden/emit/subwarp.cu", compiled_text(&c, &c.output.variants[i]));
    }
  assert_int_equal(found, 1);
  arena_free(c.arena);
}

/* Sub-warps that scan: all of a warp's lanes go on while one has a tile, and exchange within their own eight. */
static void segments_scanned_by_subwarps(void **state) {
  (void)state;
  Options o = {.file = "codelets/segmented_scan.cdl", .arch = "sm_90", .types = "half", .table = "none"};
  Compilation c = COMPILED_PLAN(&o, "c5e13643");
  int found = 0;
  for (int i = 0; i < c.output.nvariants; i++)
    if (strcmp(c.output.variants[i].plan->id, "c5e13643") == 0) {
      found++;
      golden_compare(c.arena, "tests/golden/emit/subwarp-scan.cu", compiled_text(&c, &c.output.variants[i]));
    }
  assert_int_equal(found, 1);
  arena_free(c.arena);
}

/* A cluster's barriers in halves, behind shuffles and behind a block's atomics. */
static void blocks_of_a_cluster(void **state) {
  (void)state;
  static const char *const plans[] = {
      "grid>cluster.tiled(block.strided/all(thread.strided(ilp.serial; thread.serial); block.tree+shuffle);"
      " cluster>block.tree+shuffle)",
      "grid>cluster.tiled(block.strided/all!atomic(thread.strided(ilp.serial; thread.serial)); cluster>block.tree)",
      NULL};
  Options o = {.file = "codelets/sum.cdl", .arch = "sm_90", .types = "int"};
  Compilation c = compiled_plans(&o, plans);
  for (int k = 0; k < 2; k++)
    golden_compare(c.arena, arena_printf(c.arena, "tests/golden/emit/cluster-%d.cu", k + 1),
                   compiled_text(&c, compiled_plan(&c, plans[k])));
  arena_free(c.arena);
}

/* A cluster for each of as many parts as there are. */
static void a_cluster_for_each_part(void **state) {
  (void)state;
  Options o = {.file = "codelets/segmented_sum_offsets.cdl", .arch = "sm_90", .types = "float"};
  const char *plan = "grid.each(cluster.tiled(block.strided/all(thread.strided(ilp.serial; thread.serial);"
                     " block.tree+shuffle); cluster>block.tree+shuffle))";
  Compilation c = COMPILED_PLAN(&o, plan);
  golden_compare(c.arena, "tests/golden/emit/cluster-parts.cu", compiled_text(&c, compiled_plan(&c, plan)));
  arena_free(c.arena);
}

/* Rows that are one round of loads each have a text of their own, in which the vector is loaded before all of them. */
static void rows_of_one_round(void **state) {
  (void)state;
  Options o = {.file = "codelets/gemv.cdl", .arch = "sm_90", .types = "double"};
  const char *plan = "grid.each/all-warp/8s(warp/8.products=warp/8.strided(thread.strided(ilp.serial;"
                     " thread.serial); warp/8.tree+shuffle))";
  Compilation c = COMPILED_PLAN(&o, plan);
  golden_compare(c.arena, "tests/golden/emit/even-rows.cu", compiled_text(&c, compiled_plan(&c, plan)));
  arena_free(c.arena);
}

/* What is gathered: a lane loads several elements before it uses the first one; positions are loaded as wide as what is
 * multiplied. */
static void gathered_rows(void **state) {
  (void)state;
  static const struct { const char *plan, *golden; } rows[] = {
      {"grid.each/all-warp/8s(warp/8.products=warp/8.strided(thread.serial; warp/8.tree+shuffle))", "gathered-elements"},
      {"grid.each/all-threads(thread.products=thread.serial)", "gathered-alone"},
      {"grid.each/all-warps(warp.products=warp.strided(thread.strided(ilp.serial; thread.serial); warp.tree+shuffle))",
       "gathered-wide"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Options o = {.file = "codelets/spmv.cdl", .arch = "sm_90", .types = "float", .table = "none"};
    Compilation c = COMPILED_PLAN(&o, rows[i].plan);
    golden_compare(c.arena, arena_printf(c.arena, "tests/golden/emit/%s.cu", rows[i].golden),
                   compiled_text(&c, compiled_plan(&c, rows[i].plan)));
    arena_free(c.arena);
  }
}

/* A scan hands its results, which are places, to a map as it finds them: a block's tile in registers, or by shared
 * memory, a thread's lane. */
static void handed_places(void **state) {
  (void)state;
  static const struct { const char *arch, *plan, *golden; } rows[] = {
      {"sm_90", "grid.placed=grid.sliding!look_back(block.scan_scan_add(warp.sliding/loop(warp.kogge_stone+shuffle); "
       "block>warp.kogge_stone+shuffle))", "handed.cu"},
      {"sm_90", "grid.placed=grid.sliding!look_back!compacted(block.scan_scan_add(warp.sliding/loop(warp.scan_scan_add("
       "thread.serial; warp.kogge_stone+shuffle)); block>warp.kogge_stone+shuffle))", "handed-compacted.cu"},
      {"avx2", "process.placed=process.sliding!chained(thread>lane.serial; "
       "thread.strided!atomic(lane.strided(ilp.serial; lane.serial)))", "handed.c"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Options o = {.file = "codelets/copy_if.cdl", .arch = rows[i].arch, .types = "float", .table = "none"};
    Compilation c = COMPILED_PLAN(&o, rows[i].plan);
    golden_compare(c.arena, arena_printf(c.arena, "tests/golden/emit/%s", rows[i].golden),
                   compiled_text(&c, compiled_plan(&c, rows[i].plan)));
    arena_free(c.arena);
  }
}

/* Spectra one after another: a warp's lanes have a step's number by a shuffle, a block's from shared memory; those that
 * read what others wrote wait. Rows that are one round of loads are read once. */
static void steps_of_a_row(void **state) {
  (void)state;
  static const struct { const char *file, *plan, *golden;
  } rows[] = {
      {"codelets/softmax.cdl",
       "grid.each/all-warps(warp.steps=(warp.strided(thread.serial; warp.tree+shuffle); "
       "warp.strided(thread.serial; warp.tree+shuffle); warp.strided(thread.serial)))",
       "steps-warp"},
      {"codelets/layer_norm.cdl",
       "grid.each/all-warps(warp.steps=(warp.strided(thread.strided(ilp.serial; thread.serial); warp.tree+shuffle); "
       "warp.strided(thread.strided(ilp.serial; thread.serial); warp.tree+shuffle); "
       "warp.strided(thread.strided(ilp.serial))))",
       "steps-held"},
      {"codelets/softmax.cdl",
       "grid.each(block.steps=(block.strided/all(thread.serial; block.tree); block.strided/all(thread.serial; "
       "block.tree); block.strided/all(thread.serial)))",
       "steps-block"},
      {"codelets/row_arg_max.cdl",
       "grid.each(block.place=(block.states=block.tiled/spread(block.strided/all(thread.strided(ilp.serial; "
       "thread.serial); block.tree+shuffle); block.strided/all(thread.serial; block.tree+shuffle))))",
       "steps-pieces"},
      {"tests/simt/codelets/steps.cdl",
       "grid.each(block.steps=(block.strided/all(thread.serial; block.tree); block.strided/all(thread.serial; "
       "block.tree); "
       "block.strided/all(thread.serial); block>warp>thread.serial; block.strided/all(thread.serial; block.tree); "
       "block.strided/all(thread.serial; block.tree); block.strided/all(thread.serial); "
       "block.strided/all(thread.serial; block.tree)))",
       "steps-wait"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Options o = {.file = rows[i].file, .arch = "sm_80", .types = i == 4 ? "int" : "float", .table = "none"};
    Compilation c = COMPILED_PLAN(&o, rows[i].plan);
    golden_compare(c.arena, arena_printf(c.arena, "tests/golden/emit/%s.cu", rows[i].golden),
                   compiled_text(&c, compiled_plan(&c, rows[i].plan)));
    arena_free(c.arena);
  }
}

/* .. but for a row of which each lane has a tile, or the codelet a view of some elements. */
static void rows_of_more_than_is_read(void **state) {
  (void)state;
  static const struct { const char *file, *plan;
  } rows[] = {{"codelets/row_max.cdl",
               "grid.each/all-warps(warp.tiled(thread.strided(ilp.serial; thread.serial); warp.tree+shuffle))"},
              {"tests/simt/codelets/half_rows.cdl",
               "grid.compound/all-warps(warp.compound=warp.strided(thread.strided(ilp.serial; thread.serial); "
               "warp.tree+shuffle))"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Options o = {.file = rows[i].file, .arch = "sm_90", .types = "float", .table = "none"};
    Compilation c = COMPILED_PLAN(&o, rows[i].plan);
    assert_null(strstr(compiled_text(&c, compiled_plan(&c, rows[i].plan)), "bool even"));
    arena_free(c.arena);
  }
}

/* Neighbouring rows: a load has an element of each, and the block's warps have slices of all. */
static void rows_in_slices(void **state) {
  (void)state;
  Options o = {.file = "codelets/gemv_columns.cdl", .arch = "sm_90", .types = "double", .table = "none"};
  const char *plan = "grid.each/all-threads(thread.products=thread.tiled/spread(thread.strided/slices(thread.serial; "
                     "thread.serial); thread.tiled/slices(thread.serial; thread.serial)))";
  Compilation c = COMPILED_PLAN(&o, plan);
  golden_compare(c.arena, "tests/golden/emit/slices.cu", compiled_text(&c, compiled_plan(&c, plan)));
  arena_free(c.arena);
}

/* Segments of any lengths, whose elements blocks have equal shares of: three kernels. Threads of a process search where
 * theirs begin. */
static void equal_shares(void **state) {
  (void)state;
  static const struct { const char *arch, *plan, *golden; } rows[] = {
      {"sm_80", "grid.each/equal-warp/8s(warp/8.strided(thread.serial; warp/8.tree+shuffle); warp.strided(thread.serial; "
                "warp.tree+shuffle))", "equal-shares.cu"},
      {"sm_90", "grid.each/bounded-warp/8s(warp/8.strided(thread.serial; warp/8.tree+shuffle); warp.strided(thread.serial; "
                "warp.tree+shuffle); warp.strided(thread.serial; warp.tree+shuffle))", "bounded-parts.cu"},
      {"sm_90", "grid.each/bounded-warp/8s!in_block(warp/8.strided(thread.serial; warp/8.tree+shuffle); "
                "block.strided/all(thread.serial; block.tree+shuffle))", "bounded-in-block.cu"},
      {"avx2", "process.each/equal-threads(thread>lane.serial; thread.strided(lane.serial; thread.tree+shuffle))",
       "equal-shares.c"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Options o = {.file = "codelets/segmented_sum_offsets.cdl", .arch = rows[i].arch, .types = "float", .table = "none"};
    Compilation c = COMPILED_PLAN(&o, rows[i].plan);
    golden_compare(c.arena, arena_printf(c.arena, "tests/golden/emit/%s", rows[i].golden),
                   compiled_text(&c, compiled_plan(&c, rows[i].plan)));
    arena_free(c.arena);
  }
}

/* Segments that blocks share, whose sums start at the identity in a kernel of their own, and are added to. */
static void pieces_added_up(void **state) {
  (void)state;
  Options o = {.file = "codelets/segmented_sum.cdl", .arch = "sm_60", .types = "double", .table = "none"};
  const char *plan = "grid.each(block.tiled/spread!atomic(block.strided/all(thread.strided(ilp.serial; thread.serial); "
                     "block.tree+shuffle)))";
  Compilation c = COMPILED_PLAN(&o, plan);
  golden_compare(c.arena, "tests/golden/emit/spread-atomic.cu", compiled_text(&c, compiled_plan(&c, plan)));
  arena_free(c.arena);
}

/* Sixteen elements a load, lifted to int; complex numbers, shuffled by words and added part by part. */
static void bytes_and_complex_numbers(void **state) {
  (void)state;
  static const struct { const char *types, *golden; } rows[] = {{"int8", "int8"}, {"cfloat", "complex"}};
  for (int k = 0; k < 2; k++) {
    Options o = {.file = "codelets/sum.cdl", .arch = "sm_60", .types = rows[k].types};
    const char *plan = "grid.tiled!atomic(block.strided/all(thread.strided(ilp.serial; thread.serial);"
                       " block.tree+shuffle))";
    Compilation c = COMPILED_PLAN(&o, plan);
    golden_compare(c.arena, arena_printf(c.arena, "tests/golden/emit/%s.cu", rows[k].golden),
                   compiled_text(&c, compiled_plan(&c, plan)));
    arena_free(c.arena);
  }
}

/* Blocks post their results to the last one that begins. */
static void results_that_are_posted(void **state) {
  (void)state;
  Options o = {.file = "codelets/sum.cdl", .arch = "sm_80", .types = "int,double"};
  const char *plan = "grid.tiled!post(block.strided/all!atomic(thread.strided(ilp.serial; thread.serial));"
                     " grid>block.strided/all!atomic(thread.serial))";
  Compilation c = COMPILED_PLAN(&o, plan);
  golden_compare(c.arena, "tests/golden/emit/post-1.cu", compiled_text(&c, compiled_plan(&c, plan)));
  arena_free(c.arena);
}

static void float_max_is_done_by_more_than_a_cast(void **state) {
  (void)state;
  Options o = {.file = "examples/max.cdl", .arch = "sm_60", .levels = "grid,block,thread", .types = "float",
               .keep = "200"};
  const char *const plan = "grid.tiled!atomic(block.shared)";
  Compilation c = COMPILED_PLAN(&o, plan);
  golden_compare(c.arena, "tests/golden/emit/max-float.cu",
                 compiled_text(&c, compiled_plan(&c, plan)));
  arena_free(c.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(letters_l_to_p),
      cmocka_unit_test(the_structure_of_micro_fig_11),
      cmocka_unit_test(the_structure_of_micro_fig_10),
      cmocka_unit_test(texts_for_a_cpu),
      cmocka_unit_test(a_copy_for_a_cpu),
      cmocka_unit_test(rows_for_a_cpu),
      cmocka_unit_test(a_transposed_copy),
      cmocka_unit_test(every_level_of_a_gpu),
      cmocka_unit_test(warps_combined_by_a_subwarp),
      cmocka_unit_test(segments_scanned_by_subwarps),
      cmocka_unit_test(blocks_of_a_cluster),
      cmocka_unit_test(a_cluster_for_each_part),
      cmocka_unit_test(rows_of_one_round),
      cmocka_unit_test(gathered_rows),
      cmocka_unit_test(handed_places),
      cmocka_unit_test(steps_of_a_row),
      cmocka_unit_test(rows_of_more_than_is_read),
      cmocka_unit_test(rows_in_slices),
      cmocka_unit_test(equal_shares),
      cmocka_unit_test(pieces_added_up),
      cmocka_unit_test(bytes_and_complex_numbers),
      cmocka_unit_test(results_that_are_posted),
      cmocka_unit_test(float_max_is_done_by_more_than_a_cast),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
