/* What comes out: the text of chosen variants, the same from run to run, for every machine. */
#define _POSIX_C_SOURCE 200809L

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "compiled.h"
#include "golden.h"

#ifdef __SANITIZE_ADDRESS__
enum { MACHINES_APART = 10 }; /* oldest and newest: each takes six times as long */
#else
enum { MACHINES_APART = 1 };
#endif

static const char *text_of(const Compilation *c, const Variant *v) {
  Buffer b = buffer_new(c->arena);
  emit_variant(&b, &c->output, v);
  return b.text;
}

static const char *everything(const Compilation *c) {
  Buffer b = buffer_new(c->arena);
  emit_header(&b, &c->output);
  emit_dispatch(&b, &c->output);
  emit_from(&b, &c->output);
  emit_counted(&b, &c->output);
  emit_cmake(&b, &c->output);
  emit_reference(&b, &c->output);
  emit_manifest(&b, &c->output);
  for (int i = 0; i < c->output.nvariants; i++) emit_variant(&b, &c->output, &c->output.variants[i]);
  return b.text;
}

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
                   text_of(&c, &c.output.variants[i]));
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
  golden_compare(c.arena, "tests/golden/emit/micro-11.cu", text_of(&c, v));
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
  const char *text = text_of(&c, v), *at = text;
  for (size_t i = 0; i < sizeof in_order / sizeof *in_order; i++) {
    at = strstr(at, in_order[i]);
    if (!at) fail_msg("no `%s' behind what stands before it in\n%s", in_order[i], text);
  }
  golden_compare(c.arena, "tests/golden/emit/micro-10.c", text);
  arena_free(c.arena);
}

/* A spectrum that returns nothing accumulates T's atomically all the same. */
static void atomics_of_what_returns_nothing(void **state) {
  (void)state;
  Options o = {.file = "codelets/gemv.cdl", .arch = "sm_90", .keep = "30", .types = "cfloat"};
  Compilation c = compiled(&o);
  int found = 0;
  for (int i = 0; i < c.output.nvariants; i++)
    found += strstr(text_of(&c, &c.output.variants[i]), "atomic_add_block(complex<float> *place") != NULL;
  assert_true(found > 0);
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
                   text_of(&c, compiled_plan(&c, rows[i].plan)));
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
  golden_compare(c.arena, "tests/golden/emit/cpu-copy.c", text_of(&c, compiled_plan(&c, plan)));
  arena_free(c.arena);
}

/* Lanes' rows of a matrix: blocks of them are copied, and transposed. */
static void rows_for_a_cpu(void **state) {
  (void)state;
  Options o = {.file = "codelets/gemv.cdl", .arch = "avx2", .types = "float,double,half"};
  const char *const plan = "process.each/all-lanes!transposed(lane.serial)";
  Compilation c = COMPILED_PLAN(&o, plan);
  const Variant *v = compiled_plan(&c, plan);
  golden_compare(c.arena, "tests/golden/emit/cpu-rows.c", text_of(&c, v));
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
    const char *text = text_of(&c, compiled_plan(&c, of[i].plan));
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
                       text_of(&c, &c.output.variants[i]));
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
      golden_compare(c.arena, "tests/golden/emit/subwarp.cu", text_of(&c, &c.output.variants[i]));
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
      golden_compare(c.arena, "tests/golden/emit/subwarp-scan.cu", text_of(&c, &c.output.variants[i]));
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
                   text_of(&c, compiled_plan(&c, plans[k])));
  arena_free(c.arena);
}

/* A cluster for each of as many parts as there are. */
static void a_cluster_for_each_part(void **state) {
  (void)state;
  Options o = {.file = "codelets/segmented_sum_offsets.cdl", .arch = "sm_90", .types = "float"};
  const char *plan = "grid.each(cluster.tiled(block.strided/all(thread.strided(ilp.serial; thread.serial);"
                     " block.tree+shuffle); cluster>block.tree+shuffle))";
  Compilation c = COMPILED_PLAN(&o, plan);
  golden_compare(c.arena, "tests/golden/emit/cluster-parts.cu", text_of(&c, compiled_plan(&c, plan)));
  arena_free(c.arena);
}

/* Rows that are one round of loads each have a text of their own, in which the vector is loaded before all of them. */
static void rows_of_one_round(void **state) {
  (void)state;
  Options o = {.file = "codelets/gemv.cdl", .arch = "sm_90", .types = "double"};
  const char *plan = "grid.each/all-warp/8s(warp/8.products=warp/8.strided(thread.strided(ilp.serial;"
                     " thread.serial); warp/8.tree+shuffle))";
  Compilation c = COMPILED_PLAN(&o, plan);
  golden_compare(c.arena, "tests/golden/emit/even-rows.cu", text_of(&c, compiled_plan(&c, plan)));
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
                   text_of(&c, compiled_plan(&c, rows[i].plan)));
    arena_free(c.arena);
  }
}

/* A scan's results are places, which a map has as they are found: by a block's tile in registers, by a thread's lane. */
static void handed_places(void **state) {
  (void)state;
  static const struct { const char *arch, *plan, *golden; } rows[] = {
      {"sm_90", "grid.placed=grid.sliding!look_back(block.scan_scan_add(warp.sliding/loop(warp.kogge_stone+shuffle); "
       "block>warp.kogge_stone+shuffle))", "handed.cu"},
      {"avx2", "process.placed=process.sliding!chained(thread>lane.serial; "
       "thread.strided!atomic(lane.strided(ilp.serial; lane.serial)))", "handed.c"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Options o = {.file = "codelets/copy_if.cdl", .arch = rows[i].arch, .types = "float", .table = "none"};
    Compilation c = COMPILED_PLAN(&o, rows[i].plan);
    golden_compare(c.arena, arena_printf(c.arena, "tests/golden/emit/%s", rows[i].golden),
                   text_of(&c, compiled_plan(&c, rows[i].plan)));
    arena_free(c.arena);
  }
}

/* Spectra one after another: a warp's lanes have a step's number by a shuffle, a block's from shared memory; those that read
 * what others wrote wait. Rows that are one round of loads are read once. */
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
      {"codelets/logsumexp.cdl",
       "grid.each(block.steps=(block.strided/all(thread.serial; block.tree); block.strided/all(thread.serial; "
       "block.tree)))",
       "steps-block"},
      {"tests/simt/codelets/steps.cdl",
       "grid.each(block.steps=(block.strided/all(thread.serial; block.tree); block.strided/all(thread.serial; "
       "block.tree); "
       "block.strided/all(thread.serial); block>warp>thread.serial; block.strided/all(thread.serial; block.tree); "
       "block.strided/all(thread.serial; block.tree); block.strided/all(thread.serial); "
       "block.strided/all(thread.serial; block.tree)))",
       "steps-wait"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Options o = {.file = rows[i].file, .arch = "sm_80", .types = i == 3 ? "int" : "float", .table = "none"};
    Compilation c = COMPILED_PLAN(&o, rows[i].plan);
    golden_compare(c.arena, arena_printf(c.arena, "tests/golden/emit/%s.cu", rows[i].golden),
                   text_of(&c, compiled_plan(&c, rows[i].plan)));
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
    assert_null(strstr(text_of(&c, compiled_plan(&c, rows[i].plan)), "bool even"));
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
  golden_compare(c.arena, "tests/golden/emit/slices.cu", text_of(&c, compiled_plan(&c, plan)));
  arena_free(c.arena);
}

/* Segments of any lengths, whose elements blocks have equal shares of: three kernels. Threads of a process search where
 * theirs begin. */
static void equal_shares(void **state) {
  (void)state;
  static const struct { const char *arch, *plan, *golden; } rows[] = {
      {"sm_80", "grid.each/equal-warp/8s(warp/8.strided(thread.serial; warp/8.tree+shuffle); warp.strided(thread.serial; "
                "warp.tree+shuffle))", "equal-shares.cu"},
      {"avx2", "process.each/equal-threads(thread>lane.serial; thread.strided(lane.serial; thread.tree+shuffle))",
       "equal-shares.c"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Options o = {.file = "codelets/segmented_sum_offsets.cdl", .arch = rows[i].arch, .types = "float", .table = "none"};
    Compilation c = COMPILED_PLAN(&o, rows[i].plan);
    golden_compare(c.arena, arena_printf(c.arena, "tests/golden/emit/%s", rows[i].golden),
                   text_of(&c, compiled_plan(&c, rows[i].plan)));
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
  golden_compare(c.arena, "tests/golden/emit/spread-atomic.cu", text_of(&c, compiled_plan(&c, plan)));
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
                   text_of(&c, compiled_plan(&c, plan)));
    arena_free(c.arena);
  }
}

/* Text for numbers has no word of complex ones, and shuffles as CUDA has them. */
static void only_where_they_are_asked_for(void **state) {
  (void)state;
  Options o = {.file = "codelets/sum.cdl", .arch = "sm_90", .types = "int8,half:double,uint64"}, p = o;
  p.types = "double,cdouble";
  Compilation c = compiled(&o), d = compiled(&p);
  const char *numbers = everything(&c), *complex = everything(&d);
  assert_null(strstr(numbers, "omplex"));
  assert_null(strstr(numbers, "shuffle_down"));
  assert_non_null(strstr(complex, "#include <cuComplex.h>"));
  assert_null(strstr(complex, "__shfl_down_sync(0xffffffff, val"));
  assert_non_null(strstr(complex, "shuffle_down(val, "));
  assert_non_null(strstr(complex, "\"workspace_head\": 49168,"));
  assert_non_null(strstr(complex, "\"cdouble\": 512")); /* a result for each warp of a block, in shared memory */
  arena_free(c.arena);
  arena_free(d.arena);
}

/* The identity of max over int is no value of a byte: what was not loaded is left out, not taken for one. */
static void what_has_no_identity_is_guarded(void **state) {
  (void)state;
  static const struct { const char *types; bool guarded; } rows[] = {
      {"int8", true}, {"int:int64", true}, {"uint8", false}, {"half", false}, {"int", false}, {"int,int16", true}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    Options o = {.file = "examples/max.cdl", .arch = "sm_60", .types = rows[k].types, .keep = "8"};
    Compilation c = compiled(&o);
    bool filled = false;
    for (int i = 0; i < c.output.nvariants; i++)
      filled |= strstr(text_of(&c, &c.output.variants[i]), "    wide[s] = ") != NULL;
    assert_int_equal(filled, !rows[k].guarded);
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
  golden_compare(c.arena, "tests/golden/emit/post-1.cu", text_of(&c, compiled_plan(&c, plan)));
  arena_free(c.arena);
}

/* There are places for so many blocks: none may be asked to post that has none. */
static void places_for_posts(void **state) {
  (void)state;
  static const struct { const char *arch; bool posts; } machines[] = {
      {"sm_35", false}, {"sm_60", false}, {"sm_70", true}, {"sm_120", true}};
  for (size_t m = 0; m < sizeof machines / sizeof *machines; m++) {
    Options o = {.file = "codelets/sum.cdl", .arch = machines[m].arch, .types = "double", .keep = "100"};
    Compilation c = compiled(&o);
    int posting = 0, head = machines[m].posts ? 32784 : 16;
    for (int i = 0; i < c.output.nvariants; i++) {
      const Program *p = c.output.variants[i].program;
      assert_int_equal(p->workspace_head, head);
      assert_int_equal(p->posts != NULL, strstr(c.output.variants[i].plan->text, "!post") != NULL);
      if (!p->posts) continue;
      posting++;
      const ProgramConstant *blocks = program_constant(p, "blocks");
      /* it lacks where a block serves a limited number of elements: n says how many there are */
      assert_non_null(blocks);
      assert_int_equal(blocks->tunable.max, 2048);
      assert_in_range(blocks->tunable.value, 1, 2048);
    }
    assert_int_equal(posting > 0, machines[m].posts);
    Buffer manifest = buffer_new(c.arena), library = buffer_new(c.arena);
    emit_manifest(&manifest, &c.output);
    emit_dispatch(&library, &c.output);
    assert_non_null(strstr(manifest.text, arena_printf(c.arena, "\"workspace_head\": %d,", head)));
    const char *zeroed = arena_printf(c.arena, "workspace_bytes < %d ? workspace_bytes : %d", head, head);
    assert_non_null(strstr(library.text, zeroed));
    arena_free(c.arena);
  }
}

/* How many of all kernels have the word in their first line. */
static int kernels_with(const char *text, const char *word, int *all) {
  int n = 0;
  *all = 0;
  for (const char *k = text; (k = strstr(k, "\n__global__ ")) != NULL; k++) {
    const char *end = strchr(k + 1, '\n'), *found = strstr(k, word);
    n += found && found < end;
    (*all)++;
  }
  return n;
}

/* Grids that overlap earlier ones: what those still store may not be loaded ahead of the wait for them. */
static void pointers_of_grids_that_overlap(void **state) {
  (void)state;
  static const struct { const char *arch; bool overlap; } machines[] = {{"sm_80", false}, {"sm_90", true}};
  for (int m = 0; m < 2; m++) {
    Options o = {.file = "codelets/sum.cdl", .arch = machines[m].arch, .types = "int"};
    Compilation c = compiled(&o);
    for (int i = 0; i < c.output.nvariants; i++) {
      const char *text = text_of(&c, &c.output.variants[i]);
      int all, with = kernels_with(text, "*__restrict__ ", &all);
      assert_int_equal(with, machines[m].overlap ? 0 : all);
      assert_true(all > 0);
      assert_int_equal(strstr(text, "after_earlier_grids();") != NULL, machines[m].overlap);
    }
    arena_free(c.arena);
  }
}

/* double atomics by CAS below sm_60, native from there; block scope from sm_60. */
static void atomics_follow_the_machine(void **state) {
  (void)state;
  static const char *const machines[] = {"sm_35", "sm_52", "sm_60", "sm_90"};
  for (int m = 0; m < 4; m++) {
    Options o = {.file = "codelets/sum.cdl", .arch = machines[m], .space = "cgo", .types = "int,double"};
    const char *const plan = "grid.tiled!atomic(block.shared_V1)";
    Compilation c = COMPILED_PLAN(&o, plan);
    const char *text = text_of(&c, compiled_plan(&c, plan));
    assert_int_equal(strstr(text, "atomicCAS") != NULL, m < 2);
    assert_int_equal(strstr(text, "atomicAdd_block") != NULL, m >= 2);
    arena_free(c.arena);
  }
}

/* On a CPU an atomic maximum is a maximum in a critical section: its function is there though nothing else calls it. */
static void what_only_an_atomic_calls_is_there(void **state) {
  (void)state;
  Options o = {.file = "examples/max.cdl", .arch = "avx2", .types = "int", .keep = "40"};
  Compilation c = compiled(&o);
  int calls = 0;
  for (int i = 0; i < c.output.nvariants; i++) {
    const char *text = text_of(&c, &c.output.variants[i]), *called = strstr(text, " = OF(max)(");
    calls += called != NULL;
    if (called && !strstr(text, "static inline T OF(max)(T x, T y)")) fail_msg("%s", text);
  }
  assert_true(calls > 0);
  arena_free(c.arena);
}

static void float_max_is_done_by_more_than_a_cast(void **state) {
  (void)state;
  Options o = {.file = "examples/max.cdl", .arch = "sm_60", .levels = "grid,block,thread", .types = "float",
               .keep = "200"};
  const char *const plan = "grid.tiled!atomic(block.shared)";
  Compilation c = COMPILED_PLAN(&o, plan);
  golden_compare(c.arena, "tests/golden/emit/max-float.cu",
                 text_of(&c, compiled_plan(&c, plan)));
  arena_free(c.arena);
}

/* The kernels' text of a file's variants, with `unsigned' called int and without a number's u. */
static const char *signed_text(Arena *a, const char *file) {
  Options o = {.file = file, .arch = "sm_90", .keep = "24", .types = "int"};
  Compilation c = {.arena = a, .options = &o, .diagnostics = diagnostics_new(a)};
  if (!compile_variants(&c)) fail_msg("%s", golden_diagnostics(a, c.diagnostics, 0));
  Buffer b = buffer_new(a);
  for (int i = 0; i < c.output.nvariants; i++)
    for (const char *at = strstr(text_of(&c, &c.output.variants[i]), "\n#include"); *at; at++) {
      bool word = strncmp(at, "unsigned", 8) == 0, suffix = *at == 'u' && at[-1] >= '0' && at[-1] <= '9';
      if (word) buffer_puts(&b, "int");
      else if (!suffix) buffer_putn(&b, at, 1);
      if (word) at += 7;
    }
  return b.text;
}

/* Barriers, shuffles, narrow trees and the warp's own reduction, whatever sort of number a loop counts by. */
static void loops_that_count_by_unsigned(void **state) {
  (void)state;
  Arena *a = arena_new();
  const char *file = golden_path(a, "codelets/sum.cdl");
  SourceFile *f = source_read(a, file);
  Buffer changed = buffer_new(a);
  for (const char *at = f->text, *next; at; at = next) {
    next = strstr(at + 1, "for (int ");
    buffer_putn(&changed, at, next ? (size_t)(next - at) : strlen(at));
    if (!next) break;
    buffer_puts(&changed, "for (unsigned ");
    next += strlen("for (int ");
  }
  char folder[] = "/tmp/tgc-unsigned-XXXXXX";
  assert_non_null(mkdtemp(folder));
  const char *path = arena_printf(a, "%s/sum.cdl", folder); /* comments have its name */
  FILE *to = fopen(path, "w");
  assert_true(to && fputs(changed.text, to) >= 0 && fclose(to) == 0);
  const char *want = signed_text(a, file), *got = signed_text(a, path);
  unlink(path);
  rmdir(folder);
  assert_non_null(strstr(want, "__reduce_add_sync"));
  assert_non_null(strstr(want, "__syncwarp()"));
  size_t same = 0;
  while (want[same] && want[same] == got[same]) same++;
  if (want[same] != got[same]) fail_msg("%.200s\nis not\n%.200s", &got[same], &want[same]);
  arena_free(a);
}

static void two_runs_are_the_same(void **state) {
  (void)state;
  Options o = {.file = "codelets/sum.cdl", .arch = "sm_75"}, again = o;
  Compilation c = compiled(&o), d = compiled(&again);
  assert_string_equal(everything(&c), everything(&d));
  arena_free(c.arena);
  arena_free(d.arena);
}

static void no_path_of_this_machine_in_the_text(void **state) {
  (void)state;
  Options o = {.file = "codelets/sum.cdl", .arch = "sm_75"};
  Compilation c = compiled(&o);
  const char *root = golden_path(c.arena, "");
  assert_null(strstr(everything(&c), root));
  arena_free(c.arena);
}

static void every_shipped_machine(void **state) {
  (void)state;
  static const char *const machines[] = {"sm_35", "sm_52", "sm_60", "sm_70", "sm_75", "sm_80", "sm_86",
                                         "sm_89", "sm_90", "sm_100", "sm_120"};
  for (size_t m = 0; m < sizeof machines / sizeof *machines; m += MACHINES_APART) {
    Options o = {.file = "codelets/sum.cdl", .arch = machines[m], .types = "int"};
    Compilation c = compiled(&o);
    assert_in_range(c.output.nvariants, 40, 64);
    arena_free(c.arena);
  }
}

static const char *operator_text(const Compilation *c) {
  Buffer b = buffer_new(c->arena);
  emit_monoid_operator(&b, &c->output);
  return b.text;
}

/* What programs call of an operator has one shape, whatever its declaration leaves out. */
static void an_operator_for_programs(void **state) {
  (void)state;
  const Options of_reduce = {.file = "codelets/reduce.cdl", .arch = "sm_90", .keep = "1"};
  Options o = of_reduce;
  o.operation = "ArgMax";
  o.types = "float,int8";
  Compilation c = compiled(&o);
  const char *text = operator_text(&c);
  assert_non_null(strstr(text, "\nnamespace reduce_arg_max_operator {\n"));
  assert_non_null(strstr(text, "\nstruct Of_float {\n  typedef ::reduce_arg_max_operator::ArgMax<float> Operator;\n"
                               "  typedef float Element;\n"));
  assert_non_null(strstr(text, "\nstruct Of_int8 {\n  typedef ::reduce_arg_max_operator::ArgMax<int> Operator;\n"
                               "  typedef signed char Element;\n"));
  assert_non_null(strstr(text, "commutes = true, takes_place = true;"));
  assert_non_null(strstr(text, "lift(Element x, long long place) { return Operator::lift(x, place); }"));
  assert_non_null(strstr(text, "finish(State a) { return a; }"));
  assert_null(strstr(text, "example"));
  arena_free(c.arena);
  o = of_reduce;
  o.operation = "ReproducibleSum";
  o.types = "double";
  c = compiled(&o);
  text = operator_text(&c);
  assert_non_null(strstr(text, "takes_place = false;"));
  assert_non_null(strstr(text, "lift(Element x, long long) { return Operator::lift(x); }"));
  assert_non_null(strstr(text, "Result finish(State a) { return Operator::finish(a); }"));
  arena_free(c.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(letters_l_to_p),
      cmocka_unit_test(the_structure_of_micro_fig_11),
      cmocka_unit_test(the_structure_of_micro_fig_10),
      cmocka_unit_test(atomics_of_what_returns_nothing),
      cmocka_unit_test(texts_for_a_cpu),
      cmocka_unit_test(a_copy_for_a_cpu),
      cmocka_unit_test(rows_for_a_cpu),
      cmocka_unit_test(a_transposed_copy),
      cmocka_unit_test(every_level_of_a_gpu),
      cmocka_unit_test(warps_combined_by_a_subwarp),
      cmocka_unit_test(segments_scanned_by_subwarps),
      cmocka_unit_test(blocks_of_a_cluster),
      cmocka_unit_test(a_cluster_for_each_part),
      cmocka_unit_test(rows_of_one_round), cmocka_unit_test(gathered_rows),
      cmocka_unit_test(handed_places),
      cmocka_unit_test(equal_shares),
      cmocka_unit_test(steps_of_a_row), cmocka_unit_test(rows_of_more_than_is_read), cmocka_unit_test(rows_in_slices),
      cmocka_unit_test(pieces_added_up),
      cmocka_unit_test(bytes_and_complex_numbers),
      cmocka_unit_test(only_where_they_are_asked_for),
      cmocka_unit_test(what_has_no_identity_is_guarded),
      cmocka_unit_test(results_that_are_posted),
      cmocka_unit_test(places_for_posts),
      cmocka_unit_test(pointers_of_grids_that_overlap),
      cmocka_unit_test(atomics_follow_the_machine),
      cmocka_unit_test(what_only_an_atomic_calls_is_there),
      cmocka_unit_test(float_max_is_done_by_more_than_a_cast),
      cmocka_unit_test(loops_that_count_by_unsigned),
      cmocka_unit_test(two_runs_are_the_same),
      cmocka_unit_test(no_path_of_this_machine_in_the_text),
      cmocka_unit_test(every_shipped_machine),
      cmocka_unit_test(an_operator_for_programs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
