/* launch_passes_test.c: what leaves a kernel for its launcher (hoist), which steps the last block of the one before
 * them does (last-block), and where a kernel waits for earlier grids (dependent-launch). */
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
#include "passes/last_block.h"

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

/* ---- steps that the last block does ---- */

/* Of a call with two sizes, n and m: a step of two containers whose blocks follow from n (n) or m (N; s: with shared
 * memory), of one container and m (m), or of one thread (1). All of them in a loop, where there is a `(' before. */
typedef struct Call { Arena *a; Program *p; Symbol *n, *m, *turns, *threads; } Call;

static Symbol *operand(Call *c, const char *name, Type type) {
  Symbol *s = symbol_new(c->a, SYMBOL_LOCAL, name, type);
  c->p->signature.at[c->p->signature.n++] = (Operand){.kind = OPERAND_SIZE, .symbol = s};
  return s;
}

static Tree *launched(Call *c, char of, int number) {
  const char *text = of == 's'   ? "shared int t[32]; t[lane] = 0; out[block] = t[lane];"
                     : of == 'm' ? "out[block] = 1;"
                                 : "out[block] = in[thread];";
  Kernel *k = kernel_text_read(c->a, text);
  k->name = arena_printf(c->a, "%c%d", of, number);
  if (of == 'm') k->params++, k->nparams--; /* `in' is the first */
  if (of == '1') k->threads = NULL;
  else k->threads = c->threads = c->threads ? c->threads : k->threads;
  c->p->kernels[c->p->nkernels++] = k;
  Tree *launch = tree_new(c->a, OP_LAUNCH, TYPE_VOID, (SourceRange){0}, 2);
  launch->kernel = k;
  launch->kid[0] = of == '1' ? build_index(c->a, 1) : tree_ref(c->a, of == 'n' ? c->n : c->m);
  launch->kid[1] = build_index(c->a, 32);
  return tree_seq(c->a, &launch, 1);
}

/* How the launches are printed, without what each is given. */
static const char *host_text(Arena *a, const Tree *t) {
  if (t->op == OP_LAUNCH) return arena_printf(a, "%s ", t->kernel->name);
  const char *all = t->op == OP_FOR ? "for(" : t->op == OP_IF ? "if(" : "";
  for (int i = t->op == OP_FOR ? 3 : t->op == OP_IF ? 1 : 0; i < t->nkids; i++)
    if (t->op == OP_SEQ || t->op == OP_FOR || t->op == OP_IF)
      all = arena_printf(a, "%s%s", all, host_text(a, t->kid[i]));
  if (t->op == OP_DECLARE) all = arena_printf(a, "%s ", t->symbol->name);
  return *all && t->op != OP_SEQ && t->op != OP_DECLARE ? arena_printf(a, "%s)", all) : all;
}

static void led(bool able, const char *steps, const char *expected, const char *kernels) {
  Call c = {.a = arena_new()};
  c.p = arena_one(c.a, Program);
  c.p->kernels = arena_many(c.a, Kernel *, 8);
  c.p->signature.at = arena_many(c.a, Operand, 8);
  c.p->needs_workspace = true;
  c.n = operand(&c, "n", TYPE_INDEX);
  c.m = operand(&c, "m", TYPE_INDEX);
  c.turns = operand(&c, "turns", TYPE_INT);
  c.p->sizes = tree_seq(c.a, NULL, 0);
  Tree *all[8];
  int n = 0;
  const bool loop = *steps == '(';
  for (const char *s = steps + loop; *s; s++) all[n++] = launched(&c, *s, (int)(s - steps));
  Tree *body = tree_seq(c.a, all, n);
  Symbol *k = symbol_new(c.a, SYMBOL_LOCAL, "k", TYPE_INT);
  Tree *zero = tree_int(c.a, TYPE_INT, 0), *one = tree_int(c.a, TYPE_INT, 1);
  if (loop) body = build_for(c.a, k, zero, tree_ref(c.a, c.turns), one, body);
  c.p->launches = tree_seq(c.a, &body, 1);
  pass_last_block(c.a, c.p, &(Arch){.can.dependent_launch = able});
  assert_string_equal(host_text(c.a, c.p->launches), expected);
  const char *left = "";
  Diagnostics *d = diagnostics_new(c.a);
  for (int i = 0; i < c.p->nkernels; i++) {
    Kernel *one_of = c.p->kernels[i];
    const bool more = tree_contains(one_of->body, OP_ARRIVE);
    left = arena_printf(c.a, "%s%s%s ", left, one_of->name, more ? "+" : "");
    assert_true(!more || tree_verify(one_of->body, FORM_KERNEL, one_of->params, one_of->nparams, "last-block", d));
  }
  assert_string_equal(left, kernels);
  arena_free(c.a);
}

static void is_led(const char *steps, const char *expected, const char *kernels) {
  led(false, steps, expected, kernels);
}

static void small_steps_are_the_last_blocks(void **state) {
  (void)state;
  is_led("n1", "n0 ", "n0+ ");                                    /* one thread's */
  is_led("nm", "few n0 if(m1 )", "n0+ m1 ");                      /* few blocks, which the host sees */
  is_led("nm1", "few n0 if(m1 )if(12 )", "n0+ m1 12 ");
  is_led("(mnm", "few if(m1 )for(if(m1 )more n2 if(m3 ))", "m1 n2+ m3 "); /* what the next iteration begins with, too */
  is_led("(1n", "if(11 )for(more n2 )", "11 n2+ ");
  is_led("nmnm", "few few2 n0 if(m1 )n2 if(m3 )", "n0+ m1 n2+ m3 ");
}

static void others_are_launched(void **state) {
  (void)state;
  is_led("nn", "n0 n1 ", "n0 n1 ");             /* as many as the large one's */
  is_led("mm", "m0 m1 ", "m0 m1 ");
  is_led("mn", "m0 n1 ", "m0 n1 ");             /* the other way round */
  is_led("nN", "n0 N1 ", "n0 N1 ");             /* as many containers */
  led(true, "n1", "n0 11 ", "n0 11 ");          /* launches overlap */
  is_led("1n", "10 n1 ", "10 n1 ");             /* nothing stands before it */
  is_led("ns", "n0 s1 ", "n0 s1 ");             /* shared memory of its own */
  is_led("(nnm1n", "few for(n1 n2 if(m3 )if(14 )n5 )", "n1 n2+ m3 14 n5 ");
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
      cmocka_unit_test(small_steps_are_the_last_blocks),
      cmocka_unit_test(others_are_launched),
      cmocka_unit_test(waits_before_global_memory),
      cmocka_unit_test(older_machines_do_not),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
