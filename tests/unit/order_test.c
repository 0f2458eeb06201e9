/* order_test.c: which codelets keep the order of their elements, and what is said of those that do not.
 *
 * The shipped ones; and near misses, each of them one change away from a codelet that keeps it. All are compiled with
 * an operator that does not commute: of others nobody asks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "spectra.h"

/* ---- help ---- */

/* Of two numbers the second one's digits behind the first one's. */
static const char monoid[] =
    "struct __monoid(associative) Behind {\n"
    "  struct State { unsigned digits, places; };\n"
    "  static State id() { return {0, 0}; }\n"
    "  static State op(State a, State b) { return {(a.digits << b.places) | b.digits, a.places + b.places}; }\n"
    "};\n";

static const char serial[] =
    "template <typename M, typename T>\n"
    "__codelet __tag(serial) T f(const Array<1, T> in) {\n"
    "  T all = M::id();\n"
    "  for (unsigned i = 0; i < in.Size(); ++i) all = M::op(all, in[i]);\n"
    "  return all;\n"
    "}\n";

typedef struct Parsed { Arena *a; Diagnostics *d; Unit *u; } Parsed;

static Parsed parse(const char *text, const char *operation) {
  Parsed p = {.a = arena_new()};
  p.d = diagnostics_new(p.a);
  p.u = spectra_parse_text(p.a, text, operation, p.d);
  return p;
}

static void end(Parsed *p) { arena_free(p->a); }

static const Codelet *tagged(const Parsed *p, const char *tag) {
  for (int i = 0; i < p->u->spectra[0]->ncodelets; i++)
    if (strcmp(p->u->spectra[0]->codelets[i]->tag, tag) == 0) return p->u->spectra[0]->codelets[i];
  fail_msg("no codelet `%s'", tag);
  return NULL;
}

/* What the pass says of the codelet with that tag; NULL: nothing. */
static const Diagnostic *remark(const Parsed *p, const char *tag) {
  const char *start = arena_printf(p->a, "`%s' ", tag);
  for (int i = 0; i < p->d->list.n; i++) {
    const Diagnostic *x = &p->d->list.at[i];
    if (x->pass && strcmp(x->pass, "order") == 0 && strncmp(x->message, start, strlen(start)) == 0) return x;
  }
  return NULL;
}

/* `why' NULL: it keeps the order; else the end of the remark. */
static void check(const Parsed *p, const char *tag, const char *why) {
  const Diagnostic *r = remark(p, tag);
  if (!r) fail_msg("nothing is said of `%s'", tag);
  if (tagged(p, tag)->keeps_order != !why) fail_msg("%s", r->message);
  assert_int_equal(r->remark, why ? REMARK_MISSED : REMARK_PASSED);
  const char *expected = why ? arena_printf(p->a, "`%s' does not keep the order of the elements: with %s", tag, why)
                             : arena_printf(p->a, "`%s' keeps the order of the elements", tag);
  assert_string_equal(r->message, expected);
}

/* The cooperative codelet with that body, beside a serial one. */
static void check_body(const char *body, const char *why) {
  Arena *a = arena_new();
  Parsed p = parse(arena_printf(a, "%s%stemplate <typename M, typename T>\n"
                                   "__codelet __coop __tag(c) T f(const Array<1, T> in) {\n%s}\n",
                                monoid, serial, body), "Behind");
  check(&p, "serial", NULL);
  check(&p, "c", why);
  end(&p);
  arena_free(a);
}

static void check_serial(const char *loop, const char *why) {
  Arena *a = arena_new();
  Parsed p = parse(arena_printf(a, "%stemplate <typename M, typename T>\n"
                                   "__codelet __tag(c) T f(const Array<1, T> in) {\n  T all = M::id();\n  %s\n"
                                   "  return all;\n}\n",
                                monoid, loop), "Behind");
  check(&p, "c", why);
  end(&p);
  arena_free(a);
}

/* ---- tests ---- */

static const char *shipped(Arena *a) {
  return arena_printf(a, "%s%s", monoid, golden_source(a, "codelets/reduce.cdl")->text);
}

#define ORDER "it combines them in another order"

static void shipped_codelets(void **state) {
  (void)state;
  Arena *a = arena_new();
  Parsed p = parse(shipped(a), "Behind");
  static const struct { const char *tag, *why; } rows[] = {
      {"serial", NULL},
      {"ordered", NULL},
      {"kog", NULL},
      {"tree", "3 of them in 4 lanes, " ORDER},
      {"butterfly", "3 of them in 4 lanes, " ORDER},
      {"shared_V1", "0 of them in 2 lanes, its lanes accumulate atomically, in any order"},
      {"shared_V2", "3 of them in 4 lanes, " ORDER}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) check(&p, rows[i].tag, rows[i].why);
  assert_true(tagged(&p, "tiled")->keeps_order);
  assert_false(tagged(&p, "strided")->keeps_order);
  end(&p);
  arena_free(a);
}

/* The remark stands at the codelet's name. */
static void the_remark_is_located(void **state) {
  (void)state;
  Arena *a = arena_new();
  Parsed p = parse(shipped(a), "Behind");
  const Diagnostic *r = remark(&p, "tree");
  assert_non_null(r);
  assert_ptr_equal(r->where.file, p.u->file);
  assert_int_equal(r->where.begin, tagged(&p, "tree")->where.begin);
  assert_memory_equal(p.u->file->text + r->where.begin, "reduce(", 7);
  end(&p);
  arena_free(a);
}

/* With an operator that commutes nobody asks. */
static void operators_that_commute(void **state) {
  (void)state;
  Arena *a = arena_new();
  static const char *const names[] = {"Sum", "Max", "ArgMax"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    Parsed p = parse(shipped(a), names[i]);
    assert_null(remark(&p, "serial"));
    assert_null(remark(&p, "tree"));
    end(&p);
  }
  arena_free(a);
}

static void serial_loops(void **state) {
  (void)state;
  check_serial("for (unsigned i = 0; i < in.Size(); ++i) all = M::op(all, in[i]);", NULL);
  check_serial("for (unsigned i = in.Size(); i > 0; --i) all = M::op(in[i - 1], all);", NULL); /* twice the other way */
  check_serial("for (unsigned i = in.Size(); i > 0; --i) all = M::op(all, in[i - 1]);", "2 of them in 1 lane, " ORDER);
  check_serial("for (unsigned i = 0; i < in.Size(); ++i) all = M::op(in[i], all);", "2 of them in 1 lane, " ORDER);
  check_serial("for (unsigned i = 0; i + 1 < in.Size(); ++i) all = M::op(all, in[i]);", "1 of them in 1 lane, " ORDER);
  check_serial("for (unsigned i = 1; i < in.Size(); ++i) all = M::op(all, in[i]);", "1 of them in 1 lane, " ORDER);
  check_serial("for (unsigned i = 0; i < in.Size(); i += 2) all = M::op(all, in[i]);", "2 of them in 1 lane, " ORDER);
  check_serial("for (unsigned i = 0; i < in.Size() && i < 69; ++i) all = M::op(all, in[i]);",
               "70 of them in 1 lane, " ORDER);
  check_serial("for (unsigned i = 0; i <= in.Size(); ++i) all = M::op(all, in[i]);",
               "0 of them in 1 lane, it reads outside of its container");
}

/* Kogge and Stone's scan, with its guard, its operands and its result in place of %s. */
static const char *scan(Arena *a, const char *guard, const char *value, const char *result) {
  return arena_printf(a, "  __shared T tmp[coopDim()];\n  unsigned id = coopIdx();\n"
                         "  tmp[id] = id < in.Size() ? in[id] : M::id();\n"
                         "  for (unsigned s = 1; s < coopDim(); s *= 2) {\n"
                         "    if (%s) tmp[id] = %s;\n  }\n  return %s;\n", guard, value, result);
}

static void scans(void **state) {
  (void)state;
  static const char right[] = "M::op(tmp[id - s], tmp[id])", last[] = "tmp[coopDim() - 1]";
  Arena *a = arena_new();
  check_body(scan(a, "id >= s", right, last), NULL);
  /* MICRO 2(b) as it is printed. */
  check_body(scan(a, "id >= s", "M::op(tmp[id], tmp[id - s])", last), "2 of them in 2 lanes, " ORDER);
  check_body(scan(a, "id > s", right, last), "1 of them in 2 lanes, " ORDER);
  check_body(scan(a, "id >= s + 1", right, last), "1 of them in 2 lanes, " ORDER);
  check_body(scan(a, "id >= s && id < 40", right, last),
             NULL); /* which loses elements, but not of the 32 that it serves */
  check_body(scan(a, "id + 1 >= s", right, last), "0 of them in 2 lanes, it reaches outside of an array");
  check_body(scan(a, "id >= s", right, "tmp[coopDim() - 2]"), "2 of them in 2 lanes, " ORDER);
  check_body(scan(a, "id >= s", right, "tmp[0]"), "2 of them in 2 lanes, " ORDER);
  arena_free(a);
}

/* Two loops of a tree: their headers and the second one's guard. */
static const char *tree(Arena *a, const char *first, const char *second, const char *guard, const char *operands) {
  return arena_printf(
      a, "  Vector v();\n  __shared T partial[v.MaxSize()];\n  __shared T tmp[in.Size()];\n"
         "  T val = v.ThreadId() < in.Size() ? in[v.ThreadId()] : M::id();\n  tmp[v.ThreadId()] = val;\n"
         "  for (%s) {\n"
         "    val = M::op(%s);\n    tmp[v.ThreadId()] = val;\n  }\n"
         "  if (in.Size() > v.MaxSize()) {\n    if (v.LaneId() == 0) partial[v.VectorId()] = val;\n"
         "    if (v.VectorId() == 0) {\n      val = partial[v.LaneId()];\n      partial[v.ThreadId()] = val;\n"
         "      for (%s) {\n"
         "        val = M::op(val, %s ? partial[v.ThreadId() + offset] : M::id());\n"
         "        partial[v.ThreadId()] = val;\n      }\n    }\n  }\n  return val;\n", first, operands, second, guard);
}

static void trees(void **state) {
  (void)state;
  static const char leaves[] = "int offset = 1; offset < v.MaxSize(); offset *= 2";
  static const char halves[] = "int offset = v.MaxSize() / 2; offset > 0; offset /= 2";
  static const char guard[] = "v.LaneId() + offset < v.Size()";
  static const char above[] = "v.LaneId() + offset < v.Size() ? tmp[v.ThreadId() + offset] : M::id()";
  Arena *a = arena_new();
  const char *right = arena_printf(a, "val, %s", above), *exchanged = arena_printf(a, "%s, val", above);
  check_body(tree(a, leaves, leaves, guard, right), NULL);
  check_body(tree(a, halves, leaves, guard, right), "3 of them in 4 lanes, " ORDER);
  check_body(tree(a, leaves, leaves, guard, exchanged), "2 of them in 2 lanes, " ORDER);
  /* What only shows with several vectors: of three, the last one's result comes before the second's. */
  check_body(tree(a, leaves, halves, guard, right), "65 of them in 96 lanes, " ORDER);
  /* Results of more than 16 vectors are lost: it serves no more. */
  check_body(tree(a, leaves, leaves, "v.LaneId() + offset < 16", right), NULL);
  check_body(tree(a, leaves, "int offset = 1; offset < v.MaxSize() / 2; offset *= 2", guard, right), NULL);
  arena_free(a);
}

/* What would take long, or memory without end, is given up soon. */
static void loops_without_end(void **state) {
  (void)state;
  static const char loaded[] = "  T val = coopIdx() < in.Size() ? in[coopIdx()] : M::id();\n";
  static const char *const endless[] = {
      "for (unsigned i = 0; i < 1; i += 0) x++;", "for (unsigned i = 0; i < 4000000; ++i) x += i;",
      "for (unsigned i = 0; i < 4000; ++i)\n for (unsigned j = 0; j < 4000; ++j) x += i * j;",
      "for (unsigned i = 0; i < 300; ++i)\n for (unsigned j = 0; j < i; ++j)\n for (unsigned k = 0; k < j; ++k) x++;"};
  Arena *a = arena_new();
  for (size_t i = 0; i < sizeof endless / sizeof *endless; i++) {
    const char *all = arena_printf(a, "%s  unsigned x = 0;\n  %s\n  return val;\n", loaded, endless[i]);
    check_body(all, "0 of them in 2 lanes, its loops do not end soon");
  }
  check_body(arena_printf(a, "%s  unsigned big[60000];\n  __shared T tmp[coopDim()];\n  tmp[coopIdx()] = val;\n"
                             "  val = M::id();\n  for (unsigned i = 0; i < in.Size(); ++i) val = M::op(val, tmp[i]);\n"
                             "  return val;\n", loaded),
             "0 of them in 32 lanes, it has more variables than can be followed");
  arena_free(a);
}

/* Atomics come in any order; what is done to elements besides the operator is not followed. */
static void other_statements(void **state) {
  (void)state;
  check_serial("for (unsigned i = 0; i + 1 < in.Size(); i += 2) all = M::op(all, M::op(in[i], in[i + 1]));",
               "1 of them in 1 lane, " ORDER);
  check_body("  __shared_atomic(M) T total;\n  T val = coopIdx() < in.Size() ? in[coopIdx()] : M::id();\n"
             "  total = val;\n  return total;\n",
             "0 of them in 2 lanes, its lanes accumulate atomically, in any order");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shipped_codelets),       cmocka_unit_test(the_remark_is_located),
      cmocka_unit_test(operators_that_commute), cmocka_unit_test(serial_loops),
      cmocka_unit_test(scans),                  cmocka_unit_test(trees),
      cmocka_unit_test(loops_without_end),      cmocka_unit_test(other_statements),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
