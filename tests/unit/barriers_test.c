/* barriers_test.c: where barriers go, as text; random kernels, run in lockstep and on their own, must agree. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernel_run.h"
#include "kernel_text.h"
#include "passes/kernel_passes.h"

#ifdef __SANITIZE_ADDRESS__
enum { ORDERS = 4 }; /* whether the results are right is seen without sanitizers */
#else
enum { ORDERS = 20 };
#endif
enum { LANES = 128, FEW = 64 };

static Tree *ordered(Arena *a, const Kernel *k, Diagnostics *d) {
  bool apart;
  Tree *t = pass_barriers(a, k, k->body, &apart, d);
  if (!t) return NULL;
  assert_true(tree_verify(t, FORM_KERNEL, k->params, k->nparams, "barriers", d));
  return t;
}

/* The ordered kernel does in any order what the lockstep one does. */
static void agrees(Arena *a, const Kernel *k, const Tree *t, const char *text) {
  RunResult want = kernel_run_lockstep(a, k, k->body, LANES);
  for (unsigned seed = 1; seed <= ORDERS; seed++) {
    RunResult got = kernel_run_apart(a, k, t, LANES, seed);
    if (got.fault) fail_msg("%s in\n%s\nwhich came from\n%s", got.fault, kernel_text_print(a, t), text);
    if (memcmp(got.out, want.out, sizeof want.out) != 0)
      fail_msg("another result from\n%s\nwhich came from\n%s", kernel_text_print(a, t), text);
  }
}

typedef struct Without { int number, seen; } Without;

static Tree *drop_barrier(void *context, Arena *a, Tree *t) {
  Without *w = context;
  if (t->op != OP_SEQ) return t;
  Tree *copy = tree_with_kids(a, t, t->kid, t->nkids);
  copy->nkids = 0;
  for (int i = 0; i < t->nkids; i++)
    if (t->kid[i]->op != OP_BARRIER || w->seen++ != w->number) copy->kid[copy->nkids++] = t->kid[i];
  return copy;
}

/* Each barrier is needed: without it, there is a race. */
static void minimal(Arena *a, const Kernel *k, Tree *t) {
  for (int number = 0;; number++) {
    Without w = {number, 0};
    Tree *fewer = tree_rewrite(a, t, drop_barrier, &w);
    if (w.seen <= number) break;
    bool noticed = false;
    for (unsigned seed = 1; seed <= ORDERS && !noticed; seed++)
      noticed = kernel_run_apart(a, k, fewer, LANES, seed).fault != NULL;
    if (!noticed) fail_msg("barrier number %d is not needed in\n%s", number + 1, kernel_text_print(a, t));
  }
}

/* With `all_needed`, on these lanes and parameters each barrier makes a difference. */
static void placed(const char *text, const char *expected, bool all_needed) {
  Arena *a = arena_new();
  Kernel *k = kernel_text_read(a, text), *e = kernel_text_read(a, expected);
  Diagnostics *d = diagnostics_new(a);
  Tree *t = ordered(a, k, d);
  if (!t) fail_msg("refused: %s", d->list.at[0].message);
  assert_string_equal(kernel_text_print(a, t), kernel_text_print(a, e->body));
  agrees(a, k, t, text);
  if (all_needed) minimal(a, k, t);
  arena_free(a);
}

static void becomes(const char *text, const char *expected) { placed(text, expected, true); }

static void stays(const char *text) { becomes(text, text); }

static void refused(const char *text, const char *message) {
  Arena *a = arena_new();
  Kernel *k = kernel_text_read(a, text);
  Diagnostics *d = diagnostics_new(a);
  bool apart;
  assert_null(pass_barriers(a, k, k->body, &apart, d));
  assert_non_null(strstr(d->list.at[d->list.n - 1].message, message));
  arena_free(a);
}

#define SHARED "shared int t[threads]; shared int p[32]; shared int s; int v = in[thread]; "

static void same_lane(void **state) {
  (void)state;
  stays(SHARED "t[thread] = v; v += t[thread]; out[thread] = v;");
  stays(SHARED "t[warp * 32 + lane] = v; v += t[thread]; out[thread] = v;");
  stays(SHARED "if (thread == 0) s = v; if (thread == 0) out[0] = s;");
  stays(SHARED "if (lane == 0) p[warp] = v; if (lane == 0) out[warp] = p[warp];");
  stays(SHARED "for (int i = thread; i < threads; i += threads) t[i] = 0; t[thread] = v; out[thread] = t[thread];");
  stays("shared int t[4 * threads]; int v = in[thread]; for (int s = 0; s < 4; s += 1) { t[thread + s * threads] = v; }"
        " for (int s = 0; s < 4; s += 1) { v += t[thread + s * threads]; } out[thread] = v;");
  stays(SHARED "if (thread < 32) t[thread] = v; out[thread] = thread >= 32 ? t[thread] : 0;");
}

/* Each thread stores its own elements, THREAD and multiples of the block's size; what comes then reads some. */
#define FILLED "shared int t[4 * threads]; int v = in[thread]; " \
  "for (int s = 0; s < 4; s += 1) { t[thread + s * threads] = v + s; } "
#define READ(index) "for (int s = 0; s < 3; s += 1) { v += t[" index "]; } out[thread] = v;"

static void reads_own(const char *rest) {
  Arena *a = arena_new();
  stays(arena_printf(a, "%s%s", FILLED, rest));
  arena_free(a);
}

static void reads_of_others(const char *rest) {
  Arena *a = arena_new();
  becomes(arena_printf(a, "%s%s", FILLED, rest), arena_printf(a, "%sbarrier(block); %s", FILLED, rest));
  arena_free(a);
}

/* Whatever the multiple is, and though it is another one in every thread. */
static void a_threads_own_elements(void **state) {
  (void)state;
  reads_own(READ("thread + s * threads"));
  reads_own(READ("threads * s + thread"));
  reads_own(READ("warp * 32 + s * threads + lane"));
  reads_own(READ("thread + (3 - s) * threads"));
  reads_own(READ("thread + ((lane + s) & 3) * threads"));
  reads_own(READ("thread + (in[thread] & 3) * threads"));
  reads_own(READ("thread + 2 * (s / 2 * threads)"));
  reads_own("for (int s = 0; s > -4; s -= 1) { v += t[thread - s * threads]; } out[thread] = v;");
  reads_own("for (int i = thread; i < 4 * threads; i += threads) { v += t[i]; } out[thread] = v;");
  reads_own("for (int i = thread; i < 4 * threads; i += threads) { int k = i; v += t[k]; } out[thread] = v;");
}

/* What looks like them, but is another thread's. */
static void no_elements_of_its_own(void **state) {
  (void)state;
  reads_of_others(READ("thread + s * 32"));
  reads_of_others(READ("thread + s * (threads / 2)"));
  reads_of_others(READ("thread + s * threads + 1"));
  reads_of_others(READ("thread + s * threads - (thread & 1)"));
  reads_of_others(READ("thread + (b & 7) + s * threads"));
  reads_of_others(READ("thread + (in[thread] & 1) + s * threads"));
  reads_of_others(READ("(thread ^ 1) + s * threads"));
  reads_of_others(READ("thread + lane + s * threads"));
  reads_of_others(READ("2 * thread + s * threads"));
  reads_of_others(READ("threads - 1 - thread + s * threads"));
  reads_of_others(READ("lane + s * threads"));
  reads_of_others(READ("lane + 32 * (warp / 2) + s * threads"));
  reads_of_others(READ("lane + 64 * (warp / 2) + s * threads"));
  reads_of_others(READ("s * threads"));
  reads_of_others(READ("thread + s * threads / 2"));
  reads_of_others(READ("(thread + s * threads) / 2"));
  reads_of_others(READ("thread + (s * threads / 4 & 64)"));
}

/* Loops that do not go from THREAD in steps of the block's size, or not by that alone. */
static void strides_that_are_none(void **state) {
  (void)state;
#define SUM " { v += t[i]; } out[thread] = v;"
  reads_of_others("for (int i = thread; i < 4 * threads; i += 32)" SUM);
  reads_of_others("for (int i = thread; i < 4 * threads; i += threads / 2)" SUM);
  reads_of_others("for (int i = thread + 1; i < 4 * threads; i += threads)" SUM);
  reads_of_others("for (int i = lane; i < 4 * threads; i += threads)" SUM);
  reads_of_others("for (int i = thread * 2; i < 4 * threads; i += threads)" SUM);
  reads_of_others("for (int i = thread; i < 4 * threads; i += threads) { v += t[i ^ 1]; } out[thread] = v;");
  reads_of_others("for (int i = thread; i < 2 * threads; i += threads) { v += t[2 * i]; } out[thread] = v;");
  reads_of_others("for (int i = thread; i < 3 * threads; i += threads) { v += t[i + (b & 7)]; } out[thread] = v;");
  reads_of_others("for (int i = thread; i < 3 * threads; i += threads) { v += t[i + 1]; } out[thread] = v;");
  reads_of_others("for (bool i = thread; true; i += threads) { v += t[i]; break; } out[thread] = v;");
  reads_of_others("for (int i = thread; i < 2 * threads; i += threads) { int k = in[i] & 7; v += t[k]; }"
                  " out[thread] = v;");
  reads_of_others("for (int i = thread; i < 4 * threads; i += threads) { i = i ^ 1; v += t[i]; } out[thread] = v;");
  reads_of_others("for (int i = thread; i < 3 * threads; i += threads) { v += t[i]; if (lane == 3) i += 1; }"
                  " out[thread] = v;");
  reads_of_others("for (int i = thread; i < 3 * threads; i += threads) { for (int k = 0; k < 2; k += 1)"
                  " { v += t[i]; i += 1; } } out[thread] = v;");
}

/* Rows that are longer than the columns that lanes have: whatever the rows are. */
#define COLUMNS "shared int t[320]; int v = in[thread]; for (int d = thread; d < 64; d += threads) {" \
  " for (int w = 0; w < 4; w += 1) { t[w * 64 + d] = v + w; } } "
#define COLUMN(most, index) "for (int d = thread; d < " most "; d += threads) { for (int w = 0; w < 4; w += 1)" \
  " { v += t[" index "]; } } out[thread] = v;"
static void a_lanes_own_columns(void **state) {
  (void)state;
  static const char *const own[] = {COLUMN("64", "w * 64 + d"), COLUMN("64", "(3 - w) * 64 + d"),
                                    COLUMN("60", "(in[thread] & 1) * 128 + d"), COLUMN("64", "d + 64 * (lane & 3)"),
                                    COLUMN("64", "d + 64")};
  static const char *const others[] = {COLUMN("64", "w * 32 + d"),      COLUMN("65", "w * 64 + d"),
                                       COLUMN("64", "w * 64 + (d ^ 1)"), COLUMN("64", "w * 64 + 63 - d"),
                                       COLUMN("32", "w * 64 + 2 * d"),  COLUMN("64", "w * 64 + d + 1")};
  Arena *a = arena_new();
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) stays(arena_printf(a, "%s%s", COLUMNS, own[i]));
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    placed(arena_printf(a, "%s%s", COLUMNS, others[i]),
           arena_printf(a, "%sbarrier(block); %s", COLUMNS, others[i]), false);
  arena_free(a);
}

/* A product of 32 bits without a sign wraps, and is then no multiple of 96 threads. */
static void a_product_that_wraps(void **state) {
  (void)state;
#define WRAPS "v += t[thread + (Index)((unsigned)(a & 3) * threads)]; out[thread] = v;"
  placed(FILLED WRAPS, FILLED "barrier(block); " WRAPS, false);
}

static void one_warp(void **state) {
  (void)state;
  becomes(SHARED "t[thread] = v; v += lane + 4 < 32 ? t[thread + 4] : 0; out[thread] = v;",
          SHARED "t[thread] = v; barrier(warp); v += lane + 4 < 32 ? t[thread + 4] : 0; out[thread] = v;");
  becomes(SHARED "t[thread] = v; v += lane >= 4 ? t[thread - 4] : 0; out[thread] = v;",
          SHARED "t[thread] = v; barrier(warp); v += lane >= 4 ? t[thread - 4] : 0; out[thread] = v;");
  becomes(SHARED "t[thread] = v; v += t[thread ^ 5]; out[thread] = v;",
          SHARED "t[thread] = v; barrier(warp); v += t[thread ^ 5]; out[thread] = v;");
  becomes(SHARED "if (lane == 0) p[warp] = v; v += p[warp]; out[thread] = v;",
          SHARED "if (lane == 0) p[warp] = v; barrier(warp); v += p[warp]; out[thread] = v;");
  becomes(SHARED "if (warp == 0) { p[lane] = v; v += p[31 - lane]; } out[thread] = v;",
          SHARED "if (warp == 0) { p[lane] = v; barrier(warp); v += p[31 - lane]; } out[thread] = v;");
  becomes(SHARED "if (thread < 32) { p[thread] = v; v += p[31 - thread]; } out[thread] = v;",
          SHARED "if (thread < 32) { p[thread] = v; barrier(warp); v += p[31 - thread]; } out[thread] = v;");
}

static void the_block(void **state) {
  (void)state;
  becomes(SHARED "t[thread] = v; v += t[thread ^ 32]; out[thread] = v;",
          SHARED "t[thread] = v; barrier(block); v += t[thread ^ 32]; out[thread] = v;");
  becomes(SHARED "if (lane == 0) p[warp] = v; if (warp == 0) { v = lane < threads / 32 ? p[lane] : 0; }"
                 " out[thread] = v;",
          SHARED "if (lane == 0) p[warp] = v; barrier(block); if (warp == 0) { v = lane < threads / 32 ? p[lane] : 0; }"
                 " out[thread] = v;");
  becomes(SHARED "if (thread == 0) s = 0; atomicAdd(s, v); out[thread] = s;",
          SHARED "if (thread == 0) s = 0; barrier(block); atomicAdd(s, v); barrier(block); out[thread] = s;");
  /* one that serves two */
  becomes(SHARED "if (thread == 0) s = 7; t[thread] = v; v += s; v += t[threads - 1 - thread]; out[thread] = v;",
          SHARED "if (thread == 0) s = 7; t[thread] = v; barrier(block); v += s; v += t[threads - 1 - thread];"
                 " out[thread] = v;");
  becomes(SHARED "t[thread] = v; if (lane == 0) p[warp] = v; v += lane < 31 ? t[thread + 1] : 0;"
                 " v += lane < threads / 32 ? p[lane] : 0; out[thread] = v;",
          SHARED "t[thread] = v; if (lane == 0) p[warp] = v; barrier(warp); v += lane < 31 ? t[thread + 1] : 0;"
                 " barrier(block); v += lane < threads / 32 ? p[lane] : 0; out[thread] = v;");
}

static void loops(void **state) {
  (void)state;
  becomes(SHARED "t[thread] = v; for (int o = 16; o > 0; o /= 2) {"
                 " v += lane + o < 32 ? t[thread + o] : 0; t[thread] = v; } out[thread] = v;",
          SHARED "t[thread] = v; for (int o = 16; o > 0; o /= 2) { barrier(warp);"
                 " v += lane + o < 32 ? t[thread + o] : 0; barrier(warp); t[thread] = v; } out[thread] = v;");
  becomes(SHARED "t[thread] = v; for (int o = threads / 2; o > 0; o /= 2) {"
                 " if (thread < o) t[thread] += t[thread + o]; } if (thread == 0) out[0] = t[0];",
          SHARED "t[thread] = v; for (int o = threads / 2; o > 0; o /= 2) { barrier(block);"
                 " if (thread < o) t[thread] += t[thread + o]; } if (thread == 0) out[0] = t[0];");
  /* once, before the loop */
  becomes(SHARED "t[thread] = v; for (int i = 0; i < 4; i += 1) { v += t[(thread + i * 32) % threads]; }"
                 " out[thread] = v;",
          SHARED "t[thread] = v; barrier(block); for (int i = 0; i < 4; i += 1)"
                 " { v += t[(thread + i * 32) % threads]; } out[thread] = v;");
  /* a loop that may not run orders nothing for what comes behind it; one that runs does */
#define EXCHANGE "v += t[thread ^ 32]; "
#define ORDERED_EXCHANGE "barrier(block); v += t[thread ^ 32]; barrier(block); "
  placed(SHARED "if (thread == 0) s = 1; for (int i = 0; i < b - 5; i += 1) { " EXCHANGE "t[thread] = v; } v += s;"
         " out[thread] = v;",
         SHARED "if (thread == 0) s = 1; for (int i = 0; i < b - 5; i += 1) { " ORDERED_EXCHANGE "t[thread] = v; }"
         " barrier(block); v += s; out[thread] = v;", false);
  becomes(SHARED "if (thread == 0) s = 1; for (int i = 0; i < 3; i += 1) { " EXCHANGE "t[thread] = v; } v += s;"
          " out[thread] = v;",
          SHARED "if (thread == 0) s = 1; for (int i = 0; i < 3; i += 1) { " ORDERED_EXCHANGE "t[thread] = v; } v += s;"
          " out[thread] = v;");
  /* the condition of the loop */
  becomes(SHARED "if (thread == 0) s = 3; while (s > 0) { if (thread == 0) s -= 1; v += 1; } out[thread] = v;",
          SHARED "if (thread == 0) s = 3; barrier(block); while (s > 0) { barrier(block);"
                 " if (thread == 0) s -= 1; v += 1; barrier(block); } out[thread] = v;");
}

/* Two buffers or more, which a loop goes through by turns: what is in one is read while another is filled. */
#define BUFFERS "shared int r[384]; int v = in[thread]; "
#define NEXT(k) "r[" k " * 128 + (thread + 1) % 128]"

static void buffers_by_turns(void **state) {
  (void)state;
#define FILL "r[k % 2 * 128 + thread % 128] = v; "
#define TAKE "v += " NEXT("k % 2") "; "
#define TURNS(body) BUFFERS "for (int k = 0; k < 6; k += 1) { " body "} out[thread] = v;"
  becomes(TURNS(FILL TAKE), TURNS(FILL "barrier(block); " TAKE));
  becomes(TURNS("r[(k & 1) * 128 + thread % 128] = v; v += " NEXT("(k & 1)") "; "),
          TURNS("r[(k & 1) * 128 + thread % 128] = v; barrier(block); v += " NEXT("(k & 1)") "; "));
  /* filled while the one before is read */
  becomes(BUFFERS "r[thread % 128] = v; for (int k = 0; k < 6; k += 1) { r[(k + 1) % 2 * 128 + thread % 128] = v; " TAKE "} out[thread] = v;",
          BUFFERS "r[thread % 128] = v; for (int k = 0; k < 6; k += 1) { barrier(block); r[(k + 1) % 2 * 128 + thread % 128] = v; " TAKE
                  "} out[thread] = v;");
  /* three, of which each is read two turns after it is filled: a barrier orders it all */
  becomes(TURNS("r[(k + 2) % 3 * 128 + thread % 128] = v; v += " NEXT("k % 3") "; "),
          TURNS("barrier(block); r[(k + 2) % 3 * 128 + thread % 128] = v; v += " NEXT("k % 3") "; "));
#define BOTH(loop, fill, take, behind) \
  becomes(BUFFERS loop fill take behind, BUFFERS loop "barrier(block); " fill "barrier(block); " take behind)
  /* the same one at every turn */
  BOTH("for (int k = 0; k < 12; k += 2) { ", FILL, TAKE, "} out[thread] = v;");
  /* nobody knows which: the counter is changed otherwise, or moves by what is not known */
  BOTH("for (int k = 0; k < 6; k += 1) { ", FILL, TAKE, "if (b > 0) k += 1; } out[thread] = v;");
  placed(BUFFERS "for (int k = 0; k < 12; k += b) { " FILL TAKE "} out[thread] = v;",
         BUFFERS "for (int k = 0; k < 12; k += b) { barrier(block); " FILL "barrier(block); " TAKE "} out[thread] = v;", false);
  /* not of one length; buffers that overlap */
  placed(TURNS("r[k % 2 * 128 + thread % 128] = v; v += " NEXT("k % 3") "; "),
         TURNS("barrier(block); r[k % 2 * 128 + thread % 128] = v; barrier(block); v += " NEXT("k % 3") "; "), false);
  placed(TURNS("r[k % 2 * 64 + thread] = v; v += r[k % 2 * 64 + (thread + 1) % threads]; "),
         TURNS("barrier(block); r[k % 2 * 64 + thread] = v; barrier(block); v += r[k % 2 * 64 + (thread + 1) % threads]; "), false);
  /* what the loop leaves, a second run of it finds */
  becomes(BUFFERS "for (int j = 0; j < 2; j += 1) { for (int k = 0; k < 3; k += 1) { " FILL TAKE "} } out[thread] = v;",
          BUFFERS "for (int j = 0; j < 2; j += 1) { barrier(block); for (int k = 0; k < 3; k += 1) { " FILL "barrier(block); " TAKE
                  "} } out[thread] = v;");
}

static void divergent(void **state) {
  (void)state;
  becomes(SHARED "t[thread] = v; if (thread < 40) v += t[thread + 64]; out[thread] = v;",
          SHARED "t[thread] = v; barrier(block); if (thread < 40) v += t[thread + 64]; out[thread] = v;");
  becomes(SHARED "t[thread] = v; barrier(block); if (thread >= 5) t[thread] += t[thread - 5]; out[thread] = t[thread];",
          SHARED "t[thread] = v; barrier(block); int value; if (thread >= 5) { value = t[thread - 5]; } barrier(block);"
                 " if (thread >= 5) { t[thread] += value; } out[thread] = t[thread];");
  becomes(SHARED "t[thread] = v; t[thread] += t[thread ^ 3]; out[thread] = t[thread];",
          SHARED "t[thread] = v; barrier(warp); int value = t[thread ^ 3]; barrier(warp); t[thread] += value;"
                 " out[thread] = t[thread];");
  becomes(SHARED "if (thread < 40) { t[thread] = v; v = t[39 - thread]; } out[thread] = v;",
          SHARED "if (thread < 40) { t[thread] = v; } barrier(block); if (thread < 40) { v = t[39 - thread]; }"
                 " out[thread] = v;");
  becomes(SHARED "if (thread < 48) { t[thread] = v; for (int i = 0; i < 3; i += 1)"
                 " { v += t[47 - thread]; t[thread] = v; } } out[thread] = v;",
          SHARED "if (thread < 48) { t[thread] = v; } for (int i = 0; i < 3; i += 1) { barrier(block);"
                 " if (thread < 48) { v += t[47 - thread]; } barrier(block); if (thread < 48) { t[thread] = v; } }"
                 " out[thread] = v;");
}

/* ---- clusters: nothing here runs more than one block, so only texts are compared ---- */

static const char *printed(Arena *a, const char *text) { return kernel_text_print(a, kernel_text_read(a, text)->body); }

static void orders_blocks(const char *text, const char *expected) {
  Arena *a = arena_new();
  Kernel *k = kernel_text_read(a, text);
  Diagnostics *d = diagnostics_new(a);
  Tree *t = ordered(a, k, d);
  if (!t) fail_msg("refused: %s", d->list.at[0].message);
  assert_string_equal(kernel_text_print(a, t), printed(a, expected));
  arena_free(a);
}

#define PARTS SHARED "shared int parts[8]; "
#define HEAD "shared int parts[8]; int v = in[thread]; "
#define MEET "barrier(cluster); "
#define PUSH "if (thread == 0) push(parts[rank], v); "
#define COMBINE "if (rank == 0) { if (thread < 8) out[thread] = parts[thread]; }"

/* The first block has begun before others store there, has all they stored when it reads, and ends behind that. */
static void a_push_is_between_barriers_of_the_cluster(void **state) {
  (void)state;
  orders_blocks(PARTS PUSH COMBINE, PARTS MEET PUSH MEET COMBINE);
  orders_blocks(PARTS PUSH, PARTS MEET PUSH "barrier(cluster);");
  orders_blocks(PARTS "push(parts[rank], v); v = 1; push(parts[rank], v);",
                PARTS "barrier(cluster); push(parts[rank], v); v = 1; barrier(cluster); push(parts[rank], v); "
                      "barrier(cluster);");
  orders_blocks(PARTS "out[thread] = v;", PARTS "out[thread] = v;");
}

/* Not all blocks come to a barrier in a branch of the first one: it stands before it. */
static void a_barrier_of_the_cluster_is_met_by_all_blocks(void **state) {
  (void)state;
  orders_blocks(PARTS "if (rank == 1) { " PUSH "}",
                PARTS "barrier(cluster); if (rank == 1) { " PUSH "} barrier(cluster);");
  orders_blocks(PARTS PUSH COMBINE " " PUSH,
                PARTS MEET PUSH MEET COMBINE " barrier(cluster); " PUSH "barrier(cluster);");
}

/* A cluster's barrier may become a relaxed arrival at the kernel's beginning: what a block needs stays the block's. */
static void a_block_keeps_its_own_barriers(void **state) {
  (void)state;
#define TOTAL "if (thread == 0) s = 0; barrier(block); atomicAdd(s, v); "
  orders_blocks(PARTS "if (thread == 0) s = 0; atomicAdd(s, v); if (thread == 0) push(parts[rank], s);",
                PARTS TOTAL MEET "barrier(block); if (thread == 0) push(parts[rank], s); barrier(cluster);");
  orders_blocks(PARTS "if (thread == 0) s = 0; atomicAdd(s, v); push(parts[rank], s);",
                PARTS TOTAL "barrier(block); barrier(cluster); push(parts[rank], s); barrier(cluster);");
  orders_blocks(PARTS "t[thread] = v; v = t[thread ^ 32]; " PUSH COMBINE,
                PARTS "t[thread] = v; barrier(block); v = t[thread ^ 32]; barrier(cluster); " PUSH MEET COMBINE);
}

static void in_halves(const char *text, const char *expected) {
  Arena *a = arena_new();
  Kernel *k = kernel_text_read(a, text);
  Tree *t = pass_cluster(a, k->body);
  Diagnostics *d = diagnostics_new(a);
  assert_true(tree_verify(t, FORM_KERNEL, k->params, k->nparams, "cluster", d));
  assert_string_equal(kernel_text_print(a, t), printed(a, expected));
  arena_free(a);
}

static void first_and_last_barrier_in_halves(void **state) {
  (void)state;
#define LAST "cluster_arrive(); if (rank == 0) { cluster_wait(); if (thread < 8) out[thread] = parts[thread]; }"
  in_halves(PARTS MEET PUSH MEET COMBINE,
            "shared int t[threads]; shared int p[32]; shared int s; cluster_arrive(relaxed); int v = in[thread]; "
            "shared int parts[8]; cluster_wait(); " PUSH LAST);
  in_halves(HEAD "v += 1; barrier(cluster); " PUSH "// then\n barrier(cluster);\n// all\n" COMBINE,
            "shared int parts[8]; cluster_arrive(relaxed); int v = in[thread]; v += 1; cluster_wait(); " PUSH
            "// then\n cluster_arrive();\n// all\n"
            "if (rank == 0) { cluster_wait(); if (thread < 8) out[thread] = parts[thread]; }");
}

/* The halves of one barrier stand together where something else than work on the block's own memory lies around it. */
static void both_halves_together(void **state) {
  (void)state;
#define WHOLE "cluster_arrive(); cluster_wait(); "
#define BEGIN "shared int parts[8]; cluster_arrive(relaxed); int v = in[thread]; cluster_wait(); "
  const char *const own = HEAD "parts[lane] = 0; barrier(cluster); " PUSH MEET COMBINE;
  in_halves(own, HEAD "parts[lane] = 0; " WHOLE PUSH LAST);
  in_halves(HEAD MEET PUSH MEET PUSH MEET COMBINE,
            BEGIN PUSH WHOLE PUSH LAST);
  in_halves(HEAD MEET PUSH MEET COMBINE " out[9] = 1;",
            BEGIN PUSH WHOLE COMBINE " out[9] = 1;");
  in_halves(HEAD MEET PUSH MEET COMBINE " else out[9] = 1;",
            BEGIN PUSH WHOLE COMBINE " else out[9] = 1;");
  in_halves(HEAD MEET PUSH MEET "if (parts[0] > 1) out[0] = 1;",
            BEGIN PUSH WHOLE "if (parts[0] > 1) out[0] = 1;");
  in_halves(HEAD "if (a > 1) { barrier(cluster); " PUSH "} barrier(cluster); " COMBINE,
            HEAD "if (a > 1) { " WHOLE PUSH "} " LAST);
  in_halves(HEAD MEET COMBINE, BEGIN COMBINE);
  /* the first block must not end before it has waited, whatever it has left to do */
  in_halves(HEAD MEET PUSH MEET "if (a > 9) out[0] = 1;",
            BEGIN PUSH WHOLE "if (a > 9) out[0] = 1;");
  in_halves(HEAD MEET PUSH MEET "if (rank == 1) out[0] = 1;",
            BEGIN PUSH WHOLE "if (rank == 1) out[0] = 1;");
  in_halves("int v = in[thread]; out[thread] = v;", "int v = in[thread]; out[thread] = v;");
}

static void refusals(void **state) {
  (void)state;
  refused(SHARED "for (int i = 0; i < thread; i += 1) { t[thread] = v; v += t[threads - 1 - thread]; }",
          "lanes that exchange data do not run this loop together");
  refused(SHARED "if (thread < 7) v = shuffle_down(v, 1); out[thread] = v;", "internal");
}

#ifdef __SANITIZE_ADDRESS__
enum { RANDOM_KERNELS = 12, MANY_KERNELS = 30 }; /* each takes ten times as long */
#else
enum { RANDOM_KERNELS = 100, MANY_KERNELS = 500 };
#endif

static void random_kernels(void **state) {
  (void)state;
  const unsigned n = getenv("TGC_LONG") ? MANY_KERNELS : RANDOM_KERNELS;
  for (unsigned seed = 1; seed <= n; seed++) {
    Arena *a = arena_new();
    const char *text = kernel_run_random(a, seed);
    Kernel *k = kernel_text_read(a, text);
    Diagnostics *d = diagnostics_new(a);
    Tree *t = ordered(a, k, d);
    if (!t) fail_msg("refused: %s\n%s", d->list.at[d->list.n - 1].message, text);
    RunResult want = kernel_run_lockstep(a, k, k->body, FEW);
    Tree *folded = pass_fold(a, k, k->body);
    RunResult same = kernel_run_lockstep(a, k, folded, FEW);
    if (memcmp(same.out, want.out, sizeof want.out) != 0)
      fail_msg("folding changed\n%s\nto\n%s", text, kernel_text_print(a, folded));
    Tree *all = pass_fold(a, k, ordered(a, &(Kernel){.name = k->name, .params = k->params, .nparams = k->nparams,
                                                     .threads = k->threads, .body = folded}, d));
    for (unsigned order = 1; order <= 3; order++)
      for (int i = 0; i < 2; i++) {
        RunResult got = kernel_run_apart(a, k, i ? all : t, FEW, order);
        if (got.fault) fail_msg("%s in\n%s\nwhich came from\n%s", got.fault, kernel_text_print(a, i ? all : t), text);
        if (memcmp(got.out, want.out, sizeof want.out) != 0)
          fail_msg("another result from\n%s\nwhich came from\n%s", kernel_text_print(a, i ? all : t), text);
      }
    arena_free(a);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(same_lane), cmocka_unit_test(a_threads_own_elements), cmocka_unit_test(no_elements_of_its_own),
      cmocka_unit_test(strides_that_are_none), cmocka_unit_test(a_lanes_own_columns),
      cmocka_unit_test(a_product_that_wraps), cmocka_unit_test(one_warp),
      cmocka_unit_test(the_block), cmocka_unit_test(loops), cmocka_unit_test(buffers_by_turns),
      cmocka_unit_test(divergent), cmocka_unit_test(a_push_is_between_barriers_of_the_cluster),
      cmocka_unit_test(a_barrier_of_the_cluster_is_met_by_all_blocks), cmocka_unit_test(a_block_keeps_its_own_barriers),
      cmocka_unit_test(first_and_last_barrier_in_halves), cmocka_unit_test(both_halves_together),
      cmocka_unit_test(refusals), cmocka_unit_test(random_kernels)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
