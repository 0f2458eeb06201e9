/* library_test.c: what a generated library has beside its variants: functions that start from a value, programs that
 * read how many elements there are, and the text above several machines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "driver/machines.h"
#include "example_output.h"
#include "golden.h"
#include "passes/counted.h"

static Machines compile(Arena *a, Options *o) {
  Diagnostics *d = diagnostics_new(a);
  Machines m;
  o->file = golden_path(a, o->file);
  if (!machines_compile(a, o, &m, d)) fail_msg("%s", golden_diagnostics(a, d, 0));
  return m;
}

typedef void (*Printer)(Buffer *to, const Output *o);

static const char *text_of(Arena *a, Printer print, const Output *o) {
  Buffer b = buffer_new(a);
  print(&b, o);
  return b.text;
}

static bool is_parameter(const Kernel *k, const Symbol *s) {
  for (int i = 0; i < k->nparams; i++)
    if (k->params[i] == s) return true;
  return false;
}

/* Of every plan that is kept: kernels that mention n declare it, from a count of theirs, and are whole. */
static void counted_programs_are_whole(void **state) {
  (void)state;
  static const char *const machines[] = {"sm_35", "sm_60", "sm_80", "sm_90"};
  for (size_t k = 0; k < sizeof machines / sizeof *machines; k++) {
    Arena *a = arena_new();
    Options o = {.file = "codelets/sum.cdl", .arch = machines[k], .types = "int,half", .keep = "60"};
    Machines m = compile(a, &o);
    const Output *out = &m.each[0].output;
    int reading = 0;
    for (int v = 0; v < out->nvariants; v++) {
      const Program *from = out->variants[v].program, *p = counted_program(a, from);
      assert_int_equal(p->nkernels, from->nkernels);
      assert_non_null(p->count);
      for (int i = 0; i < p->nkernels; i++) {
        const Kernel *kernel = p->kernels[i];
        Diagnostics *d = diagnostics_new(a);
        if (!tree_verify(kernel->body, FORM_KERNEL, kernel->params, kernel->nparams, "counted", d))
          fail_msg("%s: %s", out->variants[v].plan->text, golden_diagnostics(a, d, 0));
        assert_false(is_parameter(kernel, from->n));
        if (!tree_mentions(kernel->body, from->n)) continue;
        reading++;
        assert_string_equal(kernel->params[kernel->nparams - 2]->name, "count");
        assert_string_equal(kernel->params[kernel->nparams - 1]->name, "most");
      }
    }
    assert_true(reading >= out->nvariants);
    for (int v = 0; v < out->nvariants; v++) { /* the variants are as they were */
      Buffer b = buffer_new(a);
      emit_variant(&b, out, &out->variants[v]);
      assert_string_equal(b.text, out->variants[v].text.text);
    }
    arena_free(a);
  }
}

/* One of each way to combine blocks' results. */
static void counted_text(void **state) {
  (void)state;
  Arena *a = arena_new();
  Options o = {.file = "codelets/sum.cdl", .arch = "sm_90", .types = "int", .table = "none", .keep = "30"};
  Machines m = compile(a, &o);
  golden_compare(a, "tests/golden/library/sum_counted.cu", text_of(a, emit_counted, &m.each[0].output));
  arena_free(a);
}

static void from_text(void **state) {
  (void)state;
  Arena *a = arena_new();
  Options o = {.file = "examples/max.cdl", .arch = "sm_60", .types = "half,float,int64", .keep = "4"};
  Machines m = compile(a, &o);
  golden_compare(a, "tests/golden/library/greatest_from.cu", text_of(a, emit_from, &m.each[0].output));
  golden_compare(a, "tests/golden/library/greatest.h", text_of(a, emit_header, &m.each[0].output));
  golden_compare(a, "tests/golden/library/greatest.cu", text_of(a, emit_dispatch, &m.each[0].output));
  golden_compare(a, "tests/golden/library/CMakeLists.txt", text_of(a, emit_cmake, &m.each[0].output));
  arena_free(a);
}

/* Of a CPU: what an output made by hand has around its variants, so that plans may change. */
static void text_in_c(void **state) {
  (void)state;
  Arena *a = arena_new();
  const Output *o = example_cpu_output(a);
  assert_false(output_starts_from(o));
  assert_false(output_counts(o));
  golden_compare(a, "tests/golden/library/cpu/sum.h", text_of(a, emit_header, o));
  golden_compare(a, "tests/golden/library/cpu/sum.c", text_of(a, emit_dispatch, o));
  golden_compare(a, "tests/golden/library/cpu/CMakeLists.txt", text_of(a, emit_cmake, o));
  arena_free(a);
}

static void assert_has(const char *text, const char *part) {
  if (!strstr(text, part)) fail_msg("`%s' is not in:\n%s", part, text);
}

/* .. and of several operands, of types that C and CUDA name in their own ways, and of an operator of the user's. */
static void other_text_in_c(void **state) {
  (void)state;
  Arena *a = arena_new();
  Options matrix = {.file = "codelets/gemv.cdl", .arch = "avx2", .types = "half,cfloat:cdouble", .table = "none",
                    .keep = "1"};
  Machines m = compile(a, &matrix);
  const char *header = text_of(a, emit_header, &m.each[0].output);
  assert_has(header, "__extension__ typedef _Float16 tgc_half;\n");
  assert_has(header, "int gemv_cfloat_cdouble(void *workspace, size_t *workspace_bytes, const tgc_cfloat *A, ");
  assert_has(header, " tgc_cdouble *y);\n");
  const char *text = text_of(a, emit_dispatch, &m.each[0].output);
  assert_has(text, "_Alignof(tgc_half)");
  assert_has(text, "_Alignof(tgc_cdouble)");
  Options user = {.file = "codelets/reduce.cdl", .arch = "avx2", .types = "float", .operation = "ArgMax", .keep = "1"};
  m = compile(a, &user);
  text = text_of(a, emit_dispatch, &m.each[0].output);
  assert_has(text, "// reduce_arg_max.cc: ");
  assert_has(text, "static thread_local struct");
  assert_has(text, "alignof(reduce_arg_max_State_float)");
  assert_has(text_of(a, emit_cmake, &m.each[0].output), "LANGUAGES CXX");
  arena_free(a);
}

static void several_machines(void **state) {
  (void)state;
  Arena *a = arena_new();
  Options o = {.file = "codelets/sum.cdl", .arch = "sm_90,sm_60", .types = "float", .keep = "2"};
  Machines m = compile(a, &o);
  static void (*const printers[])(Buffer *, const MachineOutputs *) = {
      emit_machines_header, emit_machines_dispatch, emit_machines_cmake, emit_machines_manifest};
  static const char *const files[] = {"sum.h", "sum.cu", "CMakeLists.txt", "manifest.json"};
  assert_int_equal(m.n, 2);
  assert_string_equal(m.outputs.name, "sum");
  assert_string_equal(m.each[0].output.name, "sum_sm_60");
  for (int i = 0; i < 4; i++) {
    Buffer b = buffer_new(a);
    printers[i](&b, &m.outputs);
    golden_compare(a, arena_printf(a, "tests/golden/library/machines/%s", files[i]), b.text);
  }
  arena_free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counted_programs_are_whole), cmocka_unit_test(counted_text), cmocka_unit_test(from_text),
      cmocka_unit_test(text_in_c), cmocka_unit_test(other_text_in_c), cmocka_unit_test(several_machines),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
