/* What is promised of a codelet that applies a spectrum to a view. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "plans.h"

/* A view that is summed from the first to the last has the sequential codelet's bits where that does the same. */
static void a_view_in_another_order_is_not_sequential(void **state) {
  (void)state;
  static const struct { const char *loop, *view; bool sequential; } rows[] = {
      {"for (unsigned i = 0; i < x.Size(); ++i) all += x[i] * y[i];", "transform(mul, zip(x, y))", true},
      {"for (unsigned i = 0; i < y.Size(); i += y.Stride()) all += x[i] * y[i];", "transform(mul, zip(x, y))", true},
      {"for (unsigned i = 0; i < x.Size(); ++i) all += x[i];", "x", true},
      {"for (unsigned i = 0; i < x.Size(); ++i) all += mul(x[i], mul(y[i], w));",
       "transform(mul, zip(x, transform(mul, zip(y, repeat(w, x.Size())))))", true},
      {"for (long i = x.Size() - 1; i >= 0; --i) all += x[i] * y[i];", "transform(mul, zip(x, y))", false},
      {"for (unsigned i = 0; i < x.Size(); ++i) all += x[x.Size() - 1 - i] * y[i];", "transform(mul, zip(x, y))",
       false},
      {"for (unsigned i = 0; i < x.Size(); ++i) all += x[i] * x[i];", "transform(mul, zip(x, y))", false},
      {"for (unsigned i = 0; i < x.Size(); ++i) all -= x[i] * y[i];", "transform(mul, zip(x, y))", false},
      {"for (unsigned i = 1; i < x.Size(); ++i) all += x[i] * y[i];", "transform(mul, zip(x, y))", false},
      {"for (unsigned i = 0; i < x.Size(); i += 2) all += x[i] * y[i];", "transform(mul, zip(x, y))", false},
      {"for (unsigned i = 0; i < x.Size(); ++i) all += x[i];", "take(x, x.Size())", false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Arena *a = arena_new();
    const char *text = arena_printf(
        a, "__codelet float f(const Array<1, float> x, __like(x) const Array<1, float> y, float w);\n"
           "__codelet float mul(float a, float b) { return a * b; }\n"
           "__codelet __tag(serial) float f(const Array<1, float> x, __like(x) const Array<1, float> y, float w) {\n"
           "  float all = 0;\n  %s\n  return all;\n}\n"
           "__codelet __tag(view) float f(const Array<1, float> x, __like(x) const Array<1, float> y, float w) {\n"
           "  return sum(%s);\n}\n"
           "__codelet __tag(serial) float sum(const Array<1, float> in) {\n  unsigned len = in.Size();\n"
           "  float all = 0;\n  for (unsigned i = 0; i < len; ++i) all += in[i];\n  return all;\n}\n",
        rows[i].loop, rows[i].view);
    Diagnostics *d = diagnostics_new(a);
    const Unit *u = spectra_parse_text(a, text, NULL, d);
    assert_non_null(u);
    for (int k = 0; k < u->nspectra; k++) u->spectra[k]->real = true;
    Found f = plans_of(a, u->spectra[0], spectra_machine(a, "sm_60", NULL), (SearchOptions){.keep = -1});
    const Plan *p = plans_named(&f, "grid.view=grid>block>warp>thread.serial");
    if (!p) fail_msg("no such plan of %s", rows[i].loop);
    if (p->determinism != (rows[i].sequential ? DETERMINISM_SEQUENTIAL : DETERMINISM_GPU_TO_GPU))
      fail_msg("%s: %s", rows[i].loop, determinism_name(p->determinism));
    plans_end(&f);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_view_in_another_order_is_not_sequential)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
