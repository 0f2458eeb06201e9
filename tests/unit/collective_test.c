/* collective_test.c: exchanges of a warp that become narrower, or one instruction; and above all those that must
 * not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernel_run.h"
#include "kernel_text.h"
#include "passes/trim_exchange.h"
#include "passes/reduce.h"

/* The second step of a block: threads / 32 values, behind them the identity. */
#define CLEAR "shared T p[32]; if (thread < 32) p[thread] = 0; "
#define STORE "T v = in[thread]; if (lane == 0) p[warp] = v; barrier(block); "
#define LOAD "v = p[lane]; "
#define TREE(first) "for (int o = " first "; o > 0; o /= 2) { T w = shuffle_down(v, o); v += w; } "
#define USE "if (thread == 0) out[0] = v;"

typedef struct Bench { Arena *a; Diagnostics *d; Kernel *k; } Bench;

static Bench bench(const char *text) {
  Arena *a = arena_new();
  return (Bench){a, diagnostics_new(a), kernel_text_read(a, text)};
}

/* What the pass made is sound, and computes what the text did, whatever the block's size. */
static void same_results(const Bench *b, const Tree *body) {
  assert_true(tree_verify(body, FORM_KERNEL, b->k->params, b->k->nparams, "pass", b->d));
  for (int lanes = 64; lanes <= RUN_LANES; lanes += 32) {
    RunResult want = kernel_run_lockstep(b->a, b->k, b->k->body, lanes);
    RunResult got = kernel_run_lockstep(b->a, b->k, body, lanes);
    assert_null(want.fault);
    if (got.fault) fail_msg("%s", got.fault);
    if (memcmp(want.out, got.out, sizeof want.out) != 0)
      fail_msg("another result with %d lanes from\n%s", lanes, kernel_text_print(b->a, body));
  }
}

static void says(const Bench *b, const char *part) {
  for (int i = 0; i < b->d->list.n; i++)
    if (strstr(b->d->list.at[i].message, part)) return;
  for (int i = 0; i < b->d->list.n; i++) print_error("said: %s\n", b->d->list.at[i].message);
  fail_msg("nobody said: %s", part);
}

static void gives(const Bench *b, const Tree *body, const char *expected) {
  Kernel *e = kernel_text_read(b->a, expected);
  assert_string_equal(kernel_text_print(b->a, body), kernel_text_print(b->a, e->body));
  same_results(b, body);
}

/* ---- trimmed exchanges ---- */

static void narrows(const char *text, const char *expected) {
  Bench b = bench(text);
  gives(&b, pass_trim_exchange(b.a, b.k, b.k->body, b.d), expected);
  arena_free(b.a);
}

static void stays_wide(const char *text, const char *reason) {
  Bench b = bench(text);
  gives(&b, pass_trim_exchange(b.a, b.k, b.k->body, b.d), text);
  says(&b, reason);
  arena_free(b.a);
}

/* .. of a kernel that is not run here: it has several blocks. */
static void stays_wide_unrun(const char *text, const char *reason) {
  Bench b = bench(text);
  assert_string_equal(kernel_text_print(b.a, pass_trim_exchange(b.a, b.k, b.k->body, b.d)),
                      kernel_text_print(b.a, b.k->body));
  says(&b, reason);
  arena_free(b.a);
}

static void as_many_lanes_as_warps(void **state) {
  (void)state;
  narrows(CLEAR STORE LOAD TREE("16") USE, CLEAR STORE LOAD TREE("half_of(threads / 32)") USE);
  narrows(CLEAR STORE "if (warp == 0) { " LOAD TREE("16") "}" USE,
          CLEAR STORE "if (warp == 0) { " LOAD TREE("half_of(threads / 32)") "}" USE);
  narrows("shared T p[threads]; p[thread] = 0; " STORE LOAD TREE("16") USE,
          "shared T p[threads]; p[thread] = 0; " STORE LOAD TREE("half_of(threads / 32)") USE);
  narrows("shared T p[64]; for (int i = thread; i < 64; i += threads) { p[i] = 0; } " STORE LOAD TREE("16") USE,
          "shared T p[64]; for (int i = thread; i < 64; i += threads) { p[i] = 0; } "
          STORE LOAD TREE("half_of(threads / 32)") USE);
  narrows(CLEAR STORE LOAD "for (unsigned o = 16; o > 0; o /= 2) { T w = shuffle_down(v, o); v += w; } " USE,
          CLEAR STORE LOAD
          "for (unsigned o = half_of(threads / 32); o > 0; o /= 2) { T w = shuffle_down(v, o); v += w; } " USE);
  narrows(CLEAR STORE LOAD "for (int o = 1; o < 32; o *= 2) { T w = shuffle_xor(v, o); v += w; } " USE,
          CLEAR STORE LOAD
          "for (int o = 1; o <= half_of(threads / 32); o *= 2) { T w = shuffle_xor(v, o); v += w; } " USE);
}

static void lanes_behind_a_guard(void **state) {
  (void)state;
  narrows("T v = thread < threads / 32 ? in[thread] : 0; " TREE("16") USE,
          "T v = thread < threads / 32 ? in[thread] : 0; " TREE("half_of(threads / 32)") USE);
  narrows("T v = lane < 5 ? in[thread] : 0; " TREE("16") USE, "T v = lane < 5 ? in[thread] : 0; " TREE("4") USE);
  narrows("T v = lane < 1 ? in[thread] : 0; " TREE("16") USE, "T v = lane < 1 ? in[thread] : 0; " TREE("0") USE);
  stays_wide("T v = lane < 17 ? in[thread] : 0; " TREE("16") USE, "as narrow already");
  stays_wide("T v = lane < 8 ? in[thread] : 0; " TREE("4") USE, "as narrow already");
  stays_wide("T v = lane < a ? in[thread] : 0; " TREE("16") USE, "known only when it runs");
  stays_wide("T v = lane < 5 ? in[thread] : 1; " TREE("16") USE, "the value is not the identity");
  stays_wide("T v = lane > 5 ? in[thread] : 0; " TREE("16") USE, "every lane may hold");
  stays_wide("T v = lane < 5 ? in[thread] : 0; v += 1; " TREE("16") USE, "every lane may hold");
  stays_wide("T v = lane < 5 ? in[thread] : 0; if (lane == 7) v = 3; " TREE("16") USE, "every lane may hold");
  stays_wide("T v = lane < 5 ? in[thread] : 0; for (int i = 0; i < 2; i += 1) { " TREE("16")
             "if (thread == 0) out[i] = v; v = in[thread]; }",
             "every lane may hold");
  stays_wide("T v = lane < 5 ? in[thread] : 0; "
             "for (int o = 16; o > 0; o /= 2) { T w = shuffle_down(v, o); v = max(v, w); } " USE,
             "the value is not the identity");
}

static void arrays_that_hold_more(void **state) {
  (void)state;
  static const char *const other = "written by others than one warp";
  stays_wide(CLEAR "p[lane] = 5; " STORE LOAD TREE("16") USE, other);
  stays_wide(CLEAR STORE "if (thread == 9) p[warp + 20] = 7; " LOAD TREE("16") USE, other);
  stays_wide(CLEAR "atomicAdd(p[lane], 1); " STORE LOAD TREE("16") USE, other);
  stays_wide_unrun(CLEAR "push(p[rank], 7); " STORE LOAD TREE("16") USE, other); /* into the first block's, from all */
  stays_wide("shared T p[32]; if (thread < 32) p[thread] = 1; " STORE LOAD TREE("16") USE, other);
  static const char *const cleared = "does not surely begin";
  stays_wide("shared T p[32]; " STORE LOAD TREE("16") USE, cleared);
  stays_wide("shared T p[32]; if (thread < 31) p[thread] = 0; " STORE LOAD TREE("16") USE, cleared);
  stays_wide("shared T p[32]; if (a > 1) { if (thread < 32) p[thread] = 0; } " STORE LOAD TREE("16") USE, cleared);
  stays_wide("shared T p[256]; p[thread] = 0; " STORE LOAD TREE("16") USE, cleared);
  stays_wide("shared T p[32]; " STORE LOAD TREE("16") USE " if (thread < 32) p[thread] = 0;", cleared);
  stays_wide(CLEAR STORE "v = p[31 - lane]; " TREE("16") USE, "every lane may hold");
  stays_wide(CLEAR STORE "v = p[lane]; v += 1; " TREE("16") USE, "every lane may hold");
}

static void results_of_other_lanes(void **state) {
  (void)state;
  static const char *const reader = "another lane than lane 0";
  stays_wide(CLEAR STORE LOAD "for (int o = 16; o > 0; o /= 2) { T w = shuffle_xor(v, o); v += w; } out[thread] = v;",
             reader);
  stays_wide(CLEAR STORE LOAD TREE("16") "if (thread == 1) out[0] = v;", reader);
  stays_wide(CLEAR STORE LOAD TREE("16") "if (warp == 0) out[lane] = v;", reader);
  stays_wide(CLEAR STORE LOAD TREE("16") "if (lane == 0) out[0] = 1; else out[thread] = v;", reader);
  stays_wide(CLEAR STORE LOAD TREE("16") "T x = shuffle_xor(v, 1); out[thread] = x;", reader);
  stays_wide(CLEAR STORE LOAD TREE("16") TREE("16") USE, reader);
  stays_wide(CLEAR STORE LOAD TREE("16") "if (warp == 0) { v = 3; out[7] = v; } out[thread] = v;", reader);
  stays_wide(CLEAR STORE "for (int i = 0; i < 2; i += 1) { out[thread] = v; " LOAD TREE("16") "}", reader);
  stays_wide(CLEAR STORE "for (int i = 0; i < 3; i += 1) { " LOAD TREE("16")
             "if (i > 0) break; v = 1; } out[thread] = v;", reader);
  narrows(CLEAR STORE LOAD TREE("16") "if (lane == 0) out[warp] = v; v = 3; out[9] = v;",
          CLEAR STORE LOAD TREE("half_of(threads / 32)") "if (lane == 0) out[warp] = v; v = 3; out[9] = v;");
  narrows(CLEAR STORE "for (int i = 0; i < 2; i += 1) { " LOAD TREE("16")
          "if (thread == 0) out[i] = v; v = in[thread]; }",
          CLEAR STORE "for (int i = 0; i < 2; i += 1) { " LOAD TREE("half_of(threads / 32)")
          "if (thread == 0) out[i] = v; v = in[thread]; }");
}

static void other_exchanges(void **state) {
  (void)state;
  static const char *const offsets = "powers of two";
  stays_wide(CLEAR STORE LOAD "for (int o = 31; o > 0; o /= 2) { T w = shuffle_down(v, o); v += w; } " USE, offsets);
  stays_wide(CLEAR STORE LOAD "for (int o = 16; o > 1; o /= 2) { T w = shuffle_down(v, o); v += w; } " USE, offsets);
  stays_wide(CLEAR STORE LOAD "for (int o = 16; o > 0; o /= 4) { T w = shuffle_down(v, o); v += w; } " USE, offsets);
  stays_wide(CLEAR STORE LOAD "for (int o = 16; o > 0; o -= 1) { T w = shuffle_down(v, o); v += w; } " USE, offsets);
  stays_wide(CLEAR STORE LOAD "for (int o = 2; o < 32; o *= 2) { T w = shuffle_xor(v, o); v += w; } " USE, offsets);
  stays_wide(CLEAR STORE LOAD "for (int o = 16; o > 0; o /= 2) { T w = shuffle_up(v, o); v += w; } " USE, "scan");
  stays_wide(CLEAR STORE LOAD "for (int o = 16; o > 0; o /= 2) { T w = shuffle_down(v, o + 1); v += w; } " USE,
             "by the loop's variable");
  stays_wide(CLEAR STORE LOAD "for (int o = 16; o > 0; o /= 2) { T w = shuffle_down(v, o); v -= w; } " USE,
             "none of a reduction");
  stays_wide(CLEAR STORE LOAD "for (int o = 16; o > 0; o /= 2) { T w = shuffle_down(v, o); v = v + w * 2; } " USE,
             "what another lane had");
  stays_wide(CLEAR STORE LOAD "for (int o = 16; o > 0; o /= 2) { T w = shuffle_down(v, o); v += w; out[o] = 1; } " USE,
             "more than one exchange");
}

/* What the end of the warp keeps out never reaches lane 0; other guards do keep lanes out. */
static void guards(void **state) {
  (void)state;
  static const char *const plain = "T v = in[thread]; "
                                   "for (int o = 16; o > 0; o /= 2) { T w = shuffle_down(v, o); v += w; } " USE;
  static const char *const wrong = "not that of the warp's end";
  narrows("T v = in[thread]; "
          "for (int o = 16; o > 0; o /= 2) { T w = shuffle_down(v, o); v += lane + o < 32 ? w : 0; } " USE, plain);
  narrows("T v = in[thread]; "
          "for (int o = 16; o > 0; o /= 2) { T w = shuffle_down(v, o); v += o + lane <= 31 ? w : 0; } " USE, plain);
  narrows("T v = in[thread]; "
          "for (int o = 16; o > 0; o /= 2) { T w = shuffle_down(v, o); if (lane + o < 32) v += w; } " USE,
          "T v = in[thread]; for (int o = 16; o > 0; o /= 2) { T w = shuffle_down(v, o); { v += w; } } " USE);
  stays_wide("T v = in[thread]; "
             "for (int o = 16; o > 0; o /= 2) { T w = shuffle_down(v, o); v += lane + o < 31 ? w : 0; } " USE, wrong);
  stays_wide("T v = in[thread]; "
             "for (int o = 16; o > 0; o /= 2) { T w = shuffle_down(v, o); v += lane < 4 ? w : 0; } " USE, wrong);
  stays_wide("T v = in[thread]; "
             "for (int o = 16; o > 0; o /= 2) { T w = shuffle_down(v, o); if (lane < 3) v += w; } " USE, wrong);
  stays_wide("T v = in[thread]; "
             "for (int o = 16; o > 0; o /= 2) { T w = shuffle_down(v, o); v += lane + o < 32 ? w : 1; } " USE,
             "the value is not the identity");
  stays_wide("T v = in[thread]; "
             "for (int o = 16; o > 0; o /= 2) { T w = shuffle_down(v, o); v += lane + o < 32 ? w : 0; } "
             "out[thread] = v;",
             "another lane than lane 0");
}

/* In a sub-warp the guard counts its lanes; each one's first lane may read the result. */
static void guards_of_subwarps(void **state) {
  (void)state;
#define EIGHT(first, combination) \
  "T v = in[thread]; for (int o = " first "; o > 0; o /= 2) { T w = shuffle_down(v, o); " combination " } "
  static const char wrong[] = "not that of the warp's end";
  narrows(EIGHT("4", "v += lane % 8 + o < 8 ? w : 0;") USE, EIGHT("4", "v += w;") USE);
  narrows(EIGHT("4", "v += lane % 8 + o < 8 ? w : 0;") "if (lane == 0) out[thread] = v;",
          EIGHT("4", "v += w;") "if (lane == 0) out[thread] = v;");
  narrows(EIGHT("4", "v += lane % 8 + o < 8 ? w : 0;") "if (lane % 8 == 0) out[thread] = v;",
          EIGHT("4", "v += w;") "if (lane % 8 == 0) out[thread] = v;");
  stays_wide(EIGHT("4", "v += lane % 8 + o < 8 ? w : 0;") "if (lane % 4 == 0) out[thread] = v;",
             "another lane than lane 0");
  stays_wide(EIGHT("16", "v += lane + o < 32 ? w : 0;") "if (lane % 8 == 0) out[thread] = v;",
             "another lane than lane 0");
  stays_wide(EIGHT("16", "v += lane % 8 + o < 8 ? w : 0;") USE, wrong); /* 16 and 8 reach other sub-warps */
  stays_wide(EIGHT("4", "v += lane % 8 + o < 7 ? w : 0;") USE, wrong);
  stays_wide(EIGHT("4", "v += lane % 6 + o < 6 ? w : 0;") USE, wrong);
  stays_wide(EIGHT("4", "v += thread % 8 + o < 9 ? w : 0;") USE, wrong);
#undef EIGHT
}

/* ---- reduce ---- */

static const Arch has = {.can = {.reduce_sync = true}}, lacks = {0};

static Tree *reduced(const Bench *b, const Arch *machine, const char *types) {
  const ElementType *list[4];
  ReduceTarget target = {machine, list, 0};
  char *names = arena_strdup(b->a, types);
  for (char *name = strtok(names, ","); name; name = strtok(NULL, ",")) list[target.ntypes++] = element_by_name(name);
  return pass_reduce(b->a, &target, b->k->body, b->d);
}

static void reduces_for(const char *types, const char *text, const char *expected) {
  Bench b = bench(text);
  gives(&b, reduced(&b, &has, types), expected);
  arena_free(b.a);
}

static void stays_for(const char *types, const Arch *machine, const char *text, const char *reason) {
  Bench b = bench(text);
  gives(&b, reduced(&b, machine, types), text);
  says(&b, reason);
  arena_free(b.a);
}

static void stays_loop(const char *text, const char *reason) { stays_for("int", &has, text, reason); }

static void one_instruction(void **state) {
  (void)state;
  reduces_for("int,uint", "T v = in[thread]; " TREE("16") USE, "T v = in[thread]; v = reduce_add(v); " USE);
  reduces_for("float,int", "T v = in[thread]; " TREE("16") USE,
              "T v = in[thread]; if (reduces<T>) { v = reduce_add(v); } else { " TREE("16") "} " USE);
  reduces_for("float", "int v = in[thread]; "
                       "for (int o = 16; o > 0; o /= 2) { int w = shuffle_down(v, o); v = min(w, v); } " USE,
              "int v = in[thread]; v = reduce_min(v); " USE);
  reduces_for("int", "T v = in[thread]; "
                     "for (int o = 16; o > 0; o >>= 1) { T w = shuffle_xor(v, o); v = max(v, w); } out[thread] = v;",
              "T v = in[thread]; v = reduce_max(v); out[thread] = v;");
  reduces_for("int", "T v = in[thread]; "
                     "for (int o = 1; o <= 16; o <<= 1) { T w = shuffle_xor(v, o); v &= w; } out[thread] = v;",
              "T v = in[thread]; v = reduce_and(v); out[thread] = v;");
  reduces_for("int", "T v = in[thread]; for (int o = 16; o != 0; o /= 2) { T w = shuffle_down(v, o); v |= w; } " USE,
              "T v = in[thread]; v = reduce_or(v); " USE);
  reduces_for("int", "T v = in[thread]; for (int o = 16; o >= 1; o /= 2) { T w = shuffle_down(v, o); v ^= w; } " USE,
              "T v = in[thread]; v = reduce_xor(v); " USE);
}

static void no_instruction(void **state) {
  (void)state;
  stays_for("int", &lacks, "T v = in[thread]; " TREE("16") USE, "the machine has none");
  stays_for("float,double", &has, "T v = in[thread]; " TREE("16") USE, "32-bit integer");
  stays_for("int64", &has, "T v = in[thread]; " TREE("16") USE, "32-bit integer");
  stays_loop("T v = in[thread]; " TREE("8") USE, "not all lanes");
  stays_loop("T v = in[thread]; for (int o = 1; o < 16; o *= 2) { T w = shuffle_xor(v, o); v += w; } " USE,
             "not all lanes");
  stays_loop("T v = in[thread]; "
             "for (int o = 16; o > 0; o /= 2) { T w = shuffle_down(v, o); v += lane + o < 31 ? w : 0; } " USE,
             "not that of the warp's end");
  stays_loop("T v = in[thread]; "
             "for (int o = 16; o > 0; o /= 2) { T w = shuffle_down(v, o); if (lane < 8) v += w; } " USE,
             "not that of the warp's end");
  stays_loop("T v = in[thread]; for (int o = 16; o > 0; o /= 2) { T w = shuffle_down(v, o); v -= w; } " USE,
             "none of a reduction");
  stays_loop("T v = in[thread]; for (int o = 16; o > 0; o /= 2) { T w = shuffle_down(v, o); v = w - v; } " USE,
             "none of a reduction");
  stays_loop("T v = in[thread]; for (int o = 16; o > 0; o /= 2) { T w = shuffle_down(v, o); v *= w; } " USE,
             "by multiplication");
  stays_loop("T v = in[thread]; " TREE("16") "out[thread] = v;", "another lane than lane 0");
  stays_loop("T v = in[thread]; for (int o = 16; o > 0; o /= 2) { T w = shuffle_up(v, o); v += w; } " USE, "scan");
  stays_loop("T v = in[thread]; T x = 1; for (int o = 16; o > 0; o /= 2) { T w = shuffle_down(x, o); v += w; } " USE,
             "more than one");
  stays_loop("int v = in[thread]; for (int o = 16; o > 0; o /= 2) { unsigned w = shuffle_down(v, o); v += w; } " USE,
             "changes the type");
}

/* ---- both, on random kernels ---- */

typedef struct Writer { Buffer to; unsigned seed; int names; } Writer;

static unsigned pick(Writer *w, unsigned n) {
  w->seed = w->seed * 1664525u + 1013904223u;
  return (w->seed >> 8) % n;
}

#define PICK(w, ...) \
  (((const char *const[]){__VA_ARGS__})[pick(w, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))])

static void write_exchange(Writer *w) {
  int n = ++w->names;
  const char *mode = PICK(w, "down", "down", "down", "xor", "xor", "up");
  const char *combine = PICK(w, "v += %s;", "v += %s;", "v = max(v, %s);", "v = %s ^ v;", "v = v | %s;", "v -= %s;");
  const char *what = PICK(w, "x", "x", "x", "(lane + o < 32 ? x : 0)", "(lane + o < 32 ? x : 0)",
                          "(lane + o < 31 ? x : 0)");
  buffer_printf(&w->to, "for (%s) { T x%d = shuffle_%s(v, o); ",
                PICK(w, "int o = 16; o > 0; o /= 2", "int o = 16; o > 0; o /= 2", "int o = 16; o >= 1; o >>= 1",
                     "int o = 1; o < 32; o *= 2", "int o = 8; o > 0; o /= 2", "int o = 16; o > 1; o /= 2",
                     "int o = 1; o <= 8; o *= 2"), n, mode);
  for (const char *c = combine; *c; c++) {
    if (c[0] != '%') { buffer_printf(&w->to, "%c", *c); continue; }
    c++;
    for (const char *x = what; *x; x++) buffer_printf(&w->to, *x == 'x' ? "x%d" : "%c", *x == 'x' ? n : *x);
  }
  buffer_puts(&w->to, " } ");
}

static void write_step(Writer *w, int depth) {
  Buffer *to = &w->to;
  switch (pick(w, depth ? 7 : 5)) {
    case 0:
      buffer_puts(to, PICK(w, "v = p[lane]; ", "v = p[lane]; ", "v = p[thread]; ", "v = lane < 5 ? in[thread] : 0; ",
                           "v = lane < threads / 32 ? in[thread] : 0; ", "v = thread < 3 ? in[lane] : 0; ",
                           "v = in[thread]; ", "v = p[31 - lane]; ", "if (warp == 0) { v = p[lane]; } "));
      return;
    case 1: case 2: write_exchange(w); return;
    case 3:
      buffer_puts(to, PICK(w, "if (lane == 0) out[thread] = v; ", "if (thread == 0) out[300] = v; ",
                           "out[thread] = v; ", "if (lane == 0) { y += v; } ", "y = v; ",
                           "if (lane == 1) out[200] = v; ",
                           "y += shuffle_index(v, 0); ", "if (lane == 0 && a > 1) out[310] = v; else y += 1; "));
      return;
    case 4:
      buffer_puts(to, PICK(w, "v += 1; ", "if (lane == 7) v = 4; ", "v = y; ", "if (lane == 0) p[warp] = v; "));
      return;
    case 5: buffer_printf(to, "for (int i%d = 0; i%d < 2; i%d += 1) { ", w->names, w->names, w->names); break;
    default: buffer_puts(to, PICK(w, "if (warp == 0) { ", "if (a > 1) { ", "if (a > 9) { ")); break;
  }
  w->names++;
  for (unsigned n = 1 + pick(w, 4); n > 0; n--) write_step(w, depth - 1);
  if (pick(w, 8) == 0) buffer_puts(to, "if (a > 1) { v += 2; } ");
  buffer_puts(to, "} ");
}

static const char *random_text(Arena *a, unsigned seed) {
  Writer w = {buffer_new(a), seed * 2654435761u, 0};
  buffer_puts(&w.to, PICK(&w, "shared T p[threads]; p[thread] = 0; ",
                          "shared T p[threads]; if (thread < 32) p[thread] = 0; "));
  buffer_puts(&w.to, "T v = in[thread]; T y = 0; if (lane == 0) p[warp] = v; barrier(block); ");
  for (unsigned n = 3 + pick(&w, 5); n > 0; n--) write_step(&w, 2);
  buffer_puts(&w.to, PICK(&w, "if (thread == 0) out[400] = v; ", "if (lane == 0) out[thread] = v; ", ""));
  buffer_puts(&w.to, "out[thread + 128] = y;");
  return w.to.text;
}

#ifdef __SANITIZE_ADDRESS__
enum { RANDOM_KERNELS = 100, MANY_KERNELS = 100 }; /* each takes four times as long */
#else
enum { RANDOM_KERNELS = 200, MANY_KERNELS = 1000 };
#endif

static void random_kernels(void **state) {
  (void)state;
  int changed = 0;
  const unsigned n = getenv("TGC_LONG") ? MANY_KERNELS : RANDOM_KERNELS;
  for (unsigned seed = 1; seed <= n; seed++) {
    Bench b = bench("");
    b.k = kernel_text_read(b.a, random_text(b.a, seed));
    Tree *small = reduced(&b, &has, "int"), *either = reduced(&b, &has, "int,float");
    same_results(&b, small);
    same_results(&b, pass_trim_exchange(b.a, b.k, b.k->body, b.d));
    same_results(&b, pass_trim_exchange(b.a, b.k, small, b.d));
    same_results(&b, pass_trim_exchange(b.a, b.k, either, b.d));
    for (int i = 0; i < b.d->list.n; i++) changed += b.d->list.at[i].remark == REMARK_PASSED;
    arena_free(b.a);
  }
  assert_true(changed > (int)n / 2);
}

/* A CPU's vector has other lanes than a warp: a guard is of its end, or it stays; and every lane holds a value. */
static void vectors_of_a_cpu(void **state) {
  (void)state;
  static const struct { int lanes; const char *first, *end; bool goes; } rows[] = {
      {8, "4", "8", true}, {16, "8", "16", true}, {4, "2", "4", true}, {16, "4", "16", true},
      {16, "4", "8", false}, {8, "4", "16", false}, {8, "4", "32", false}, {8, "8", "8", false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Arena *a = arena_new();
    const char *guarded = arena_printf(a, "lane + o < %s ? w : 0", rows[i].end);
    const char *text = "T v = lane < 3 ? in[lane] : 0; "
                       "for (int o = %s; o > 0; o /= 2) { T w = shuffle_down(v, o); v += %s; } " USE;
    Bench b = bench(arena_printf(a, text, rows[i].first, guarded));
    b.k->vector = rows[i].lanes;
    b.k->threads->min = b.k->threads->max = rows[i].lanes;
    const Kernel *want = kernel_text_read(a, arena_printf(a, text, rows[i].first, rows[i].goes ? "w" : guarded));
    assert_string_equal(kernel_text_print(b.a, pass_trim_exchange(b.a, b.k, b.k->body, b.d)),
                        kernel_text_print(a, want->body));
    arena_free(b.a);
    arena_free(a);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(as_many_lanes_as_warps), cmocka_unit_test(lanes_behind_a_guard),
                                     cmocka_unit_test(arrays_that_hold_more),  cmocka_unit_test(results_of_other_lanes),
                                     cmocka_unit_test(other_exchanges),        cmocka_unit_test(guards),
                                     cmocka_unit_test(guards_of_subwarps),     cmocka_unit_test(vectors_of_a_cpu),
                                     cmocka_unit_test(one_instruction),        cmocka_unit_test(no_instruction),
                                     cmocka_unit_test(random_kernels)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
