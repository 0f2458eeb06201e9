/* launch_passes_test.c: what leaves a kernel for its launcher (hoist), and where a kernel waits for earlier grids
 * (dependent-launch). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "kernel_text.h"
#include "ir/build.h"
#include "passes/hoist.h"
#include "passes/dependent_launch.h"

/* A program of the one kernel and its launch. */
static Program *program_of(Arena *a, Kernel *k) {
  Program *p = arena_one(a, Program);
  p->kernels = arena_one(a, Kernel *);
  p->kernels[p->nkernels++] = k;
  Tree *launch = tree_new(a, OP_LAUNCH, TYPE_VOID, (SourceRange){0}, 2 + k->nparams);
  launch->kernel = k;
  launch->kid[0] = launch->kid[1] = build_index(a, 1);
  for (int i = 0; i < k->nparams; i++) launch->kid[2 + i] = tree_ref(a, k->params[i]);
  p->launches = tree_seq(a, &launch, 1);
  return p;
}

/* The kernel keeps `stays', the host's part declares so many constants, and the kernel gets so many parameters more. */
static void hoists(const char *text, const char *stays, int declared, int passed) {
  Arena *a = arena_new(), *scratch = arena_new();
  Kernel *k = kernel_text_read(a, text);
  Program *p = program_of(a, k);
  int params = k->nparams;
  pass_hoist(scratch, a, p);
  const Tree *launch = p->launches->kid[p->launches->nkids - 1];
  assert_int_equal(launch->op, OP_LAUNCH);
  assert_int_equal(p->launches->nkids - 1, declared);
  assert_int_equal(k->nparams - params, passed);
  assert_int_equal(launch->nkids, 2 + k->nparams);
  assert_string_equal(kernel_text_print(a, k->body), stays);
  Diagnostics *d = diagnostics_new(a);
  assert_true(tree_verify(k->body, FORM_KERNEL, k->params, k->nparams, "hoist", d));
  arena_free(scratch);
  arena_free(a);
}

static void stays(const char *text) {
  Arena *a = arena_new();
  hoists(text, kernel_text_print(a, kernel_text_read(a, text)->body), 0, 0);
  arena_free(a);
}

static void divisions_by_parameters_go(void **state) {
  (void)state;
  hoists("const Index whole = n / 4 * 4; out[thread + whole] = 1;", "out[(threadIdx.x + whole)] = 1;\n", 1, 1);
  hoists("const Index half = n / 2; const Index quarter = half / 2 + a; out[quarter] = 1;", "out[quarter] = 1;\n",
         2, 1);
  hoists("const int per = 4; const Index whole = n / per; out[whole] = 1;", "const int per = 4;\nout[whole] = 1;\n",
         1, 1);
}

static void what_varies_or_costs_nothing_stays(void **state) {
  (void)state;
  stays("const Index mine = (n + thread) / 4; out[mine] = 1;");            /* a lane's own */
  stays("const Index mine = (n + block) / 4; out[mine] = 1;");             /* a block's own */
  stays("const Index more = n + 1; out[more] = 1;");                       /* costs what a parameter costs */
  stays("const Index size = threads / 2; out[size] = 1;");                 /* the compiler of the text knows it */
  stays("const T first = in[0]; out[0] = first;");                         /* memory is not read by the host */
  stays("if (a > 0) { const Index half = n / 2; out[half] = 1; }");        /* not surely run */
  stays("Index moving = n / 2; moving = moving + 1; out[moving] = 1;");    /* no constant */
}

/* ---- dependent launches ---- */

static void waits(bool able, const char *text, const char *expected) {
  Arena *a = arena_new();
  Kernel *k = kernel_text_read(a, text);
  Arch machine = {.can.dependent_launch = able};
  pass_dependent_launch(a, program_of(a, k), &machine);
  assert_string_equal(kernel_text_print(a, k->body), expected);
  assert_int_equal(k->overlaps, strstr(expected, "after_earlier_grids") != NULL);
  arena_free(a);
}

static void waits_before_global_memory(void **state) {
  (void)state;
  waits(true, "shared int t[32]; t[lane] = 0; int v = in[thread]; out[thread] = v;",
        "__shared int t[32];\nt[lane] = 0;\nafter_earlier_grids;\nint v = in[threadIdx.x];\nout[threadIdx.x] = v;\n");
  waits(true, "if (thread == 0) out[0] = 1;", "after_earlier_grids;\nif (threadIdx.x == 0) {\n  out[0] = 1;\n}\n");
  waits(true, "int s = a + 1; for (int i = 0; i < s; i += 1) { out[i] = 1; }",
        "int s = (a + 1);\nafter_earlier_grids;\nfor (int i = 0; (i < s); i += 1) {\n  out[i] = 1;\n}\n");
}

static void older_machines_do_not(void **state) {
  (void)state;
  waits(false, "out[0] = 1;", "out[0] = 1;\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(divisions_by_parameters_go),
      cmocka_unit_test(what_varies_or_costs_nothing_stays),
      cmocka_unit_test(waits_before_global_memory),
      cmocka_unit_test(older_machines_do_not),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
