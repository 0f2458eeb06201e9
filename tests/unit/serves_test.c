/* serves_test.c: for which numbers of lanes a cooperative codelet is right, what is said of it, and that plans offer no
 * others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "plans.h"
#include "spectra.h"

/* ---- help ---- */

typedef struct Parsed { Arena *a; Diagnostics *d; Unit *u; const Codelet *c; } Parsed;

/* The serial codelet of that operation, and a cooperative one. */
static Parsed parse(const char *start, const char *combine, const char *body) {
  Parsed p = {.a = arena_new()};
  p.d = diagnostics_new(p.a);
  p.u = spectra_parse_text(p.a, arena_printf(p.a,
      "template <typename T>\n__codelet __tag(serial) T f(const Array<1, T> in) {\n  T x = %s;\n"
      "  for (unsigned i = 0; i < in.Size(); ++i) {\n    T y = in[i];\n    x = %s;\n  }\n  return x;\n}\n"
      "template <typename T>\n__codelet __tag(tiled) T f(const Array<1, T> in) {\n  __tunable unsigned p;\n"
      "  unsigned n = (in.Size() + p - 1) / p;\n"
      "  return f(map(f, partition(in, p, sequence(0, n, in.Size()), sequence(1), sequence(n, n, in.Size()))));\n}\n"
      "template <typename T>\n__codelet __coop __tag(c) T f(const Array<1, T> in) {\n  Vector v();\n"
      "  unsigned id = coopIdx();\n"
      "%s}\n", start, combine, body), NULL, p.d);
  p.c = p.u->spectra[0]->codelets[2];
  return p;
}

static const char *said(const Parsed *p) {
  for (int i = 0; i < p->d->list.n; i++)
    if (p->d->list.at[i].pass && strcmp(p->d->list.at[i].pass, "lanes") == 0) return p->d->list.at[i].message;
  return "";
}

/* "32 64 128": of whole vectors; "": any. */
static const char *numbers(const Parsed *p) {
  Buffer b = buffer_new(p->a);
  for (int i = 0; i < p->c->lanes.n; i++)
    if (p->c->lanes.at[i] >= 32) buffer_printf(&b, "%s%lld", b.length ? " " : "", (long long)p->c->lanes.at[i]);
  return b.length ? b.text : "";
}

static void check(const char *start, const char *combine, const char *body, const char *expected, const char *remark) {
  Parsed p = parse(start, combine, body);
  assert_string_equal(numbers(&p), expected);
  assert_string_equal(said(&p), remark);
  arena_free(p.a);
}

static void check_sum(const char *body, const char *expected, const char *remark) {
  check("0", "x + y", body, expected, remark);
}

#define POWERS "32 64 128 256 512 1024"
#define LOADED "  __shared T tmp[coopDim()];\n  tmp[id] = id < in.Size() ? in[id] : 0;\n"
#define PAIRS \
  LOADED "  __shared_atomicAdd T all;\n  unsigned half = coopDim() / 2 / v.Size() * v.Size();\n" \
  "  if (id < half) tmp[id] += tmp[id + half];\n  if (id < half) all = tmp[id];\n  return all;\n"
#define HALVING(from) \
  LOADED "  for (unsigned s = " from "; s > 0; s /= 2) {\n    if (id < s) tmp[id] += tmp[id + s];\n  }\n" \
         "  return tmp[0];\n"

static const char powers[] =
    "`c' is correct only for 32, 64, 128, 256, 512 or 1024 lanes: with 96 its result is not that of `serial'";

/* ---- what serves ---- */

static void halving(void **state) {
  (void)state;
  check_sum(HALVING("coopDim() / 2"), POWERS, powers);
}

static void others(void **state) {
  (void)state;
  /* halves that are rounded up meet every lane */
  check_sum(LOADED "  for (unsigned n = coopDim(); n > 1; n = (n + 1) / 2) {\n"
            "    if (id + (n + 1) / 2 < n) tmp[id] += tmp[id + (n + 1) / 2];\n  }\n  return tmp[0];\n", "", "");
  check_sum(PAIRS, "64 128 192 256 320 384 448 512 576 640 704 768 832 896 960 1024",
            "`c' is correct only for multiples of 64 lanes: with 32 its result is not that of `serial'");
  /* one vector's sum */
  check_sum(HALVING("v.Size() / 2"), "32",
            "`c' is correct only for 32 lanes: with 96 its result is not that of `serial'");
  /* right for none: that is no matter of lanes */
  check_sum(HALVING("coopDim() / 4"), "", "");
}

/* A greatest element that is lost shows in few containers; one that comes twice in none. */
static void maxima(void **state) {
  (void)state;
  static const char load[] = "  __shared T tmp[coopDim()];\n  tmp[id] = id < in.Size() ? in[id] : lowest<T>();\n";
  Arena *a = arena_new();
  check("lowest<T>()", "max(x, y)", arena_printf(a, "%s  for (unsigned s = coopDim() / 2; s > 0; s /= 2) {\n"
        "    if (id < s) tmp[id] = max(tmp[id], tmp[id + s]);\n  }\n  return tmp[0];\n", load), POWERS, powers);
  check("lowest<T>()", "max(x, y)", arena_printf(a, "%s  for (unsigned s = coopDim() / 2; s > 0; s /= 2) {\n"
        "    if (id < s) tmp[id] = tmp[id + s] > tmp[id] ? tmp[id + s] : tmp[id];\n  }\n  return tmp[0];\n", load),
        POWERS, powers);
  check("lowest<T>()", "max(x, y)", arena_printf(a, "%s  for (unsigned s = 1; s < coopDim(); s *= 2)\n"
        "    tmp[id] = max(tmp[id], tmp[id + s < coopDim() ? id + s : coopDim() - 1]);\n"
        "  return tmp[0];\n", load), "", "");
  arena_free(a);
}

/* Elements that are written count, and a number that is handed in. */
/* Of a type of its own, whose zero is no identity that is known as one: random numbers soon have all bits, whoever is
 * lost. */
static void bits(void **state) {
  (void)state;
  static const char *const operators[][2] = {{"|", "0"}, {"&", "-1"}};
  for (int i = 0; i < 2; i++) {
    Parsed p = {.a = arena_new()};
    const char *op = operators[i][0], *start = operators[i][1];
    p.d = diagnostics_new(p.a);
    p.u = spectra_parse_text(p.a, arena_printf(p.a,
        "__codelet __tag(serial) int f(const Array<1, int> in) {\n  int x = %s;\n"
        "  for (unsigned i = 0; i < in.Size(); ++i)\n    x %s= in[i];\n  return x;\n}\n"
        "__codelet __coop __tag(c) int f(const Array<1, int> in) {\n  __shared int tmp[coopDim()];\n"
        "  unsigned me = coopIdx();\n  tmp[me] = me < in.Size() ? in[me] : int(%s);\n"
        "  for (unsigned s = coopDim() / 2; s > 0; s /= 2) {\n    if (me < s)\n      tmp[me] %s= tmp[me + s];\n  }\n"
        "  return tmp[0];\n}\n", start, op, start, op), NULL, p.d);
    p.c = p.u->spectra[0]->codelets[1];
    assert_string_equal(numbers(&p), "32 64 128 256 512 1024");
    arena_free(p.a);
  }
}

static void scans(void **state) {
  (void)state;
  static const char blelloch[] =
      "template <typename T>\n__codelet __tag(serial)\n"
      "T scan(const Array<1, T> in, T carry, __like(in) __mutable Array<1, T> out) {\n  T x = carry;\n"
      "  for (unsigned i = 0; i < in.Size(); ++i) {\n    out[i] = x;\n    x += in[i];\n  }\n  return x;\n}\n"
      "template <typename T>\n__codelet __coop __tag(c)\n"
      "T scan(const Array<1, T> in, T carry, __like(in) __mutable Array<1, T> out) {\n"
      "  __shared T tmp[coopDim()];\n  __shared T total;\n  unsigned id = coopIdx();\n"
      "  tmp[id] = id < in.Size() ? in[id] : 0;\n"
      "  for (unsigned s = 1; s < coopDim(); s *= 2) {\n    if ((id + 1) % (2 * s) == 0) tmp[id] += tmp[id - s];\n  }\n"
      "  if (id == 0) total = carry + tmp[coopDim() - 1];\n"
      "  if (id == 0) tmp[coopDim() - 1] = 0;\n"
      "  for (unsigned s = coopDim() / 2; s > 0; s /= 2) {\n"
      "    if ((id + 1) % (2 * s) == 0) {\n      T below = tmp[id - s];\n      tmp[id - s] = tmp[id];\n"
      "      tmp[id] += below;\n    }\n  }\n"
      "  if (id < in.Size()) out[id] = carry + tmp[id];\n  return total;\n}\n";
  Parsed p = {.a = arena_new()};
  p.d = diagnostics_new(p.a);
  p.u = spectra_parse_text(p.a, blelloch, NULL, p.d);
  p.c = p.u->spectra[0]->codelets[1];
  assert_string_equal(numbers(&p), POWERS);
  arena_free(p.a);
}

/* What comes with tgc serves any number of lanes. */
static void shipped_codelets(void **state) {
  (void)state;
  static const struct { const char *file, *operation; } rows[] = {
      {"codelets/sum.cdl", NULL},       {"codelets/scan.cdl", NULL},        {"codelets/exclusive_scan.cdl", NULL},
      {"codelets/reduce.cdl", "Max"},   {"codelets/reduce.cdl", "Moments"}, {"codelets/dot.cdl", NULL},
      {"codelets/gemv.cdl", NULL},      {"examples/max.cdl", NULL}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Arena *a = arena_new();
    Unit *u = spectra_parse_source(a, golden_source(a, rows[i].file), rows[i].operation, diagnostics_new(a));
    for (int s = 0; s < u->nspectra; s++)
      for (int k = 0; k < u->spectra[s]->ncodelets; k++) assert_int_equal(u->spectra[s]->codelets[k]->lanes.n, 0);
    arena_free(a);
  }
}

/* ---- what is offered ---- */

/* The lanes of a block of each plan with that in its text. */
static void check_offer(const Found *f, const char *part, int64_t min, int64_t multiple, int listed) {
  int n = 0;
  for (int i = 0; i < f->plans.list.n; i++) {
    const Tunable *v = &f->plans.list.at[i]->sizes.at[0].tunable;
    if (!strstr(f->plans.list.at[i]->text, part)) continue;
    n++;
    assert_int_equal(v->min, min);
    assert_int_equal(v->multiple, multiple);
    assert_int_equal(v->among.n, listed);
    assert_true(number_list_has(v->among, v->value) && v->value % v->multiple == 0);
  }
  assert_true(n > 0);
}

static void plans_offer_no_others(void **state) {
  (void)state;
  const SearchOptions all = {.keep = -1};
  Parsed p = parse("0", "x + y", HALVING("coopDim() / 2"));
  Found f = plans_of(p.a, p.u->spectra[0], spectra_machine(p.a, "sm_60", NULL), all);
  check_offer(&f, "block.c", 32, 32, 6);
  assert_true(plans_with(&f, "warp.c") > 0);
  arena_free(p.a);
  p = parse("0", "x + y", PAIRS);
  f = plans_of(p.a, p.u->spectra[0], spectra_machine(p.a, "sm_60", NULL), all);
  check_offer(&f, "block.c", 64, 64, 0);
  assert_int_equal(plans_with(&f, "warp.c"), 0); /* which has 32 */
  arena_free(p.a);
  p = parse("0", "x + y", HALVING("v.Size() / 2"));
  f = plans_of(p.a, p.u->spectra[0], spectra_machine(p.a, "sm_60", NULL), all);
  check_offer(&f, "block.c", 32, 32, 0);
  arena_free(p.a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(halving),
      cmocka_unit_test(others),
      cmocka_unit_test(maxima),
      cmocka_unit_test(bits),
      cmocka_unit_test(scans),
      cmocka_unit_test(shipped_codelets),
      cmocka_unit_test(plans_offer_no_others),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
