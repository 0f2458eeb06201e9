/* What the texts of each machine and type have, and do not have; that they are the same from run to run. */
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

/* A spectrum that returns nothing accumulates T's atomically all the same. */
static void atomics_of_what_returns_nothing(void **state) {
  (void)state;
  Options o = {.file = "codelets/gemv.cdl", .arch = "sm_90", .keep = "30", .types = "cfloat"};
  Compilation c = compiled(&o);
  int found = 0;
  for (int i = 0; i < c.output.nvariants; i++)
    found += strstr(compiled_text(&c, &c.output.variants[i]), "atomic_add_block(complex<float> *place") != NULL;
  assert_true(found > 0);
  arena_free(c.arena);
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
      filled |= strstr(compiled_text(&c, &c.output.variants[i]), "    wide[s] = ") != NULL;
    assert_int_equal(filled, !rows[k].guarded);
    arena_free(c.arena);
  }
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
      const char *text = compiled_text(&c, &c.output.variants[i]);
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
    const char *text = compiled_text(&c, compiled_plan(&c, plan));
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
    const char *text = compiled_text(&c, &c.output.variants[i]), *called = strstr(text, " = OF(max)(");
    calls += called != NULL;
    if (called && !strstr(text, "static inline T OF(max)(T x, T y)")) fail_msg("%s", text);
  }
  assert_true(calls > 0);
  arena_free(c.arena);
}

/* The kernels' text of a file's variants, with `unsigned' called int and without a number's u. */
static const char *signed_text(Arena *a, const char *file) {
  Options o = {.file = file, .arch = "sm_90", .keep = "24", .types = "int"};
  Compilation c = {.arena = a, .options = &o, .diagnostics = diagnostics_new(a)};
  if (!compile_variants(&c)) fail_msg("%s", golden_diagnostics(a, c.diagnostics, 0));
  Buffer b = buffer_new(a);
  for (int i = 0; i < c.output.nvariants; i++)
    for (const char *at = strstr(compiled_text(&c, &c.output.variants[i]), "\n#include"); *at; at++) {
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
      cmocka_unit_test(atomics_of_what_returns_nothing),
      cmocka_unit_test(only_where_they_are_asked_for),
      cmocka_unit_test(what_has_no_identity_is_guarded),
      cmocka_unit_test(places_for_posts),
      cmocka_unit_test(pointers_of_grids_that_overlap),
      cmocka_unit_test(atomics_follow_the_machine),
      cmocka_unit_test(what_only_an_atomic_calls_is_there),
      cmocka_unit_test(loops_that_count_by_unsigned),
      cmocka_unit_test(two_runs_are_the_same),
      cmocka_unit_test(no_path_of_this_machine_in_the_text),
      cmocka_unit_test(every_shipped_machine),
      cmocka_unit_test(an_operator_for_programs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
