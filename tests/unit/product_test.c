/* `mma(A, B, C)': which codelets may say it. cuts_test.c has what becomes of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "front/front.h"
#include "golden.h"

static bool says(const Diagnostics *d, const char *what) {
  for (int i = 0; i < d->list.n; i++)
    if (d->list.at[i].level == DIAG_ERROR && strstr(d->list.at[i].message, what)) return true;
  return false;
}

/* A matrix unit multiplies two containers, and adds to a third: all that its codelet has. */
static void products_of_a_unit(void **state) {
  (void)state;
  static const char head[] = "template <typename T> __codelet void f(const Array<2, T> A, __shape(A.Size(1), _) const Array<2, T> B, "
                             "__shape(A.Size(0), B.Size(1)) %s Array<2, T> C%s) { %s }\n";
  static const char adds[] = "__accum(Add)";
  static const struct { const char *to, *more, *body, *error; } rows[] = {
      {adds, "", "mma(A, B, C);", NULL},
      {adds, "", "mma(B, A, C);", "`B' and `A'"}, /* whose sizes do not fit */
      {adds, ", T alpha", "mma(A, B, C);", "this codelet has 4"},
      {adds, ", const Array<2, T> D", "mma(A, D, C);", "sizes are not said to fit: `A' and `D'"},
      {adds, "", "mma(A, A, C);", "`A' is both factors"},
      {adds, "", "mma(C, B, C);", "`C' is read and added to"},
      {"__accum(Sub)", "", "mma(A, B, C);", "a matrix unit adds to `C'"},
      {"__mutable", "", "mma(A, B, C);", "a matrix unit adds to `C'"},
      {adds, "", "mma(A, B, A);", "no matching function"},
      {adds, "", "mma(A, 2, C);", "no matching function"},
      {adds, "", "mma(A, B, C); mma(A, B, C);", "is not the only statement"},
      {adds, "", "for (unsigned i = 0; i < 2; ++i) mma(A, B, C);", "is not the only statement"},
      {adds, "", "return mma(A, B, C);", "codelets do not have this call"},
      {adds, "", "Array<2, T> D = A; mma(D, B, C);", "codelets have no variables of type"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Arena *a = arena_new();
    Diagnostics *d = diagnostics_new(a);
    const char *text = arena_printf(a, head, rows[i].to, rows[i].more, rows[i].body), *types[] = {"int", "double"};
    SourceFile f = {.path = "test.cdl", .text = arena_strdup(a, text), .size = strlen(text)};
    const Unit *u = front_parse(a, &f, types, 2, NULL, d);
    if ((u != NULL) != (rows[i].error == NULL) || (rows[i].error && !says(d, rows[i].error)))
      fail_msg("%s: %s", rows[i].body, golden_diagnostics(a, d, 0));
    for (int k = 0; k < d->list.n; k++) assert_non_null(d->list.at[k].where.file);
    arena_free(a);
  }
}

/* .. of a batch, whose matrices lie behind one another; one of both factors may be the same for all. */
static void products_of_batches(void **state) {
  (void)state;
  static const char text[] = "template <typename T> __codelet void f(const Array<%d, T> A, %s const Array<%d, T> B, "
                             "%s __accum(Add) Array<%d, T> C) { mma(A, B, C); }\n";
  static const struct { int a, b, c; const char *shape_b, *shape_c, *error; } rows[] = {
      {3, 3, 3, "__shape(A.Size(0), A.Size(2), _)", "__shape(A.Size(0), A.Size(1), B.Size(2))", NULL},
      {3, 2, 3, "__shape(A.Size(2), _)", "__shape(A.Size(0), A.Size(1), B.Size(1))", NULL},
      {2, 3, 3, "__shape(_, A.Size(1), _)", "__shape(B.Size(0), A.Size(0), B.Size(2))", NULL},
      {3, 3, 3, "__shape(A.Size(0), _, A.Size(2))", "__shape(A.Size(0), A.Size(1), B.Size(1))", "as many columns as `A'"},
      {3, 2, 3, "__shape(A.Size(2), _)", "", "sizes are not said to fit: `A' and `C'"},
      {2, 2, 2, "__shape(A.Size(1), _)", "__shape(A.Size(0), _)", "sizes are not said to fit: `B' and `C'"},
      {2, 2, 3, "", "", "no matching function"}, {3, 3, 2, "", "", "no matching function"},
      {4, 4, 4, "", "", "no matching function"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Arena *a = arena_new();
    Diagnostics *d = diagnostics_new(a);
    const char *own = arena_printf(a, text, rows[i].a, rows[i].shape_b, rows[i].b, rows[i].shape_c, rows[i].c), *types[] = {"int", "double"};
    SourceFile f = {.path = "test.cdl", .text = arena_strdup(a, own), .size = strlen(own)};
    const Unit *u = front_parse(a, &f, types, 2, NULL, d);
    if ((u != NULL) != (rows[i].error == NULL) || (rows[i].error && !says(d, rows[i].error)))
      fail_msg("%d %d %d: %s", rows[i].a, rows[i].b, rows[i].c, golden_diagnostics(a, d, 0));
    arena_free(a);
  }
}

/* Rows of a container, times ones or a triangle, are another container. */
static void products_of_rows(void **state) {
  (void)state;
  static const char head[] = "template <typename T> __codelet void f(const Array<1, T> in, unsigned size, __mutable "
                             "Array<1, T> out%s) { %s }\n";
  static const struct { const char *more, *body, *error; } rows[] = {
      {"", "mma(matrix(in, size), ones<T>(), matrix(out, 1));", NULL},
      {"", "mma(matrix(in, 64), ones<T>(), matrix(out, 1));", NULL},
      {"", "mma(matrix(in, size), triangle<T>(), matrix(out, size));", NULL},
      {"", "mma(matrix(in, max(size, 4u)), triangle<T>(), matrix(out, max(size, 4u)));", NULL},
      {"", "mma(matrix(in, size), ones<T>(), matrix(out, 8));", "by ones each row has one sum"},
      {"", "mma(matrix(in, size), ones<T>(), matrix(out, size));", "by ones each row has one sum"},
      {"", "mma(matrix(in, size), triangle<T>(), matrix(out, 1));", "a triangle makes as many sums of a row"},
      {"", "mma(matrix(in, 0), ones<T>(), matrix(out, 1));", "a row of 0 elements"},
      {"", "mma(matrix(in, size), matrix(in, size), matrix(out, 1));", "rows are multiplied by a constant matrix"},
      {"", "mma(ones<T>(), matrix(in, size), matrix(out, 1));", "are containers seen as matrices"},
      {"", "mma(matrix(out, size), ones<T>(), matrix(out, 1));", "a matrix unit writes to `out'"},
      {"", "mma(matrix(in, size), ones<T>(), matrix(in, 1));", "a matrix unit writes to `in'"},
      {", __accum(Add) Array<1, T> sums", "mma(matrix(in, size), ones<T>(), matrix(sums, 1));", "writes to `sums'"},
      {"", "mma(matrix(take(in, 4), size), ones<T>(), matrix(out, 1));", "multiplies a codelet's parameters"},
      {", const Array<2, T> A", "mma(A, ones<T>(), matrix(out, 1));", "are containers seen as matrices"},
      {"", "mma(matrix(in, size), ones<T>(), matrix(out, 1)); out[0] = 0;", "is not the only statement"},
      {"", "mma(matrix(in), ones<T>(), matrix(out, 1));", "decides what is summed up"},
      {"", "out[0] = mma(ones<T>(), matrix(in), ones<T>());", "codelets do not have this call"},
      {"", "out[0] = matrix(in, size)(0, 0);", "`matrix' stands in mma() alone"},
      {"", "out[0] = ones<T>()(0, 0);", "`ones' stands in mma() alone"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Arena *a = arena_new();
    Diagnostics *d = diagnostics_new(a);
    const char *text = arena_printf(a, head, rows[i].more, rows[i].body), *types[] = {"int", "double"};
    SourceFile f = {.path = "test.cdl", .text = arena_strdup(a, text), .size = strlen(text)};
    const Unit *u = front_parse(a, &f, types, 2, NULL, d);
    if ((u != NULL) != (rows[i].error == NULL) || (rows[i].error && !says(d, rows[i].error)))
      fail_msg("%s: %s", rows[i].body, golden_diagnostics(a, d, 0));
    for (int k = 0; k < d->list.n; k++) assert_non_null(d->list.at[k].where.file);
    arena_free(a);
  }
}

/* .. and all of them, which is what the codelet returns; their scan. */
static void products_of_all(void **state) {
  (void)state;
  static const char total[] = "const Array<1, T> in", scan[] = "const Array<1, T> in, T carry, __mutable Array<1, T> out";
  static const struct { const char *given, *body, *error; } rows[] = {
      {total, "return mma(ones<T>(), matrix(in), ones<T>());", NULL},
      {total, "return mma(ones<T>(), matrix(in, 16), ones<T>());", "that of any matrix of them"},
      {total, "return mma(ones<T>(), matrix(take(in, 4)), ones<T>());", "multiplies a codelet's parameters"},
      {total, "return mma(ones<T>(), ones<T>(), ones<T>());", "that of any matrix of them"},
      {total, "T x = 1; return mma(ones<T>(), matrix(in), ones<T>());", "is not the only statement"},
      {total, "return 2 * mma(ones<T>(), matrix(in), ones<T>());", "codelets do not have this call"},
      {scan, "return mma(carry, matrix(in), triangle<T>(), matrix(out));", NULL},
      {scan, "return mma(carry, matrix(in, 16), triangle<T>(), matrix(out));", "that of any matrix of them"},
      {scan, "return mma(carry, matrix(in), triangle<T>(), matrix(out, 16));", "that of any matrix of them"},
      {scan, "return mma(carry, matrix(in), ones<T>(), matrix(out));", "a product by a triangle of ones"},
      {scan, "return mma(carry + carry, matrix(in), triangle<T>(), matrix(out));", "begins with a parameter"},
      {scan, "return mma(carry, matrix(out), triangle<T>(), matrix(out));", "a matrix unit writes to `out'"},
      {scan, "return mma(carry, matrix(in), triangle<T>(), matrix(in));", "a matrix unit writes to `in'"},
      {scan, "return carry + mma(carry, matrix(in), triangle<T>(), matrix(out));", "codelets do not have this call"},
      {scan, "out[0] = 0; return mma(carry, matrix(in), triangle<T>(), matrix(out));", "is not the only statement"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Arena *a = arena_new();
    Diagnostics *d = diagnostics_new(a);
    const char *types[] = {"int", "double"};
    const char *text = arena_printf(a, "template <typename T> __codelet T f(%s) { %s }\n", rows[i].given, rows[i].body);
    SourceFile f = {.path = "test.cdl", .text = arena_strdup(a, text), .size = strlen(text)};
    const Unit *u = front_parse(a, &f, types, 2, NULL, d);
    if ((u != NULL) != (rows[i].error == NULL) || (rows[i].error && !says(d, rows[i].error)))
      fail_msg("%s: %s", rows[i].body, golden_diagnostics(a, d, 0));
    arena_free(a);
  }
}

/* A matrix unit adds up: what the sequential codelet combines otherwise is no product. */
static void products_add(void **state) {
  (void)state;
  static const char total[] = "template <typename T> __codelet T f(const Array<1, T> in) { T x = %s; for (unsigned i = 0; "
                              "i < in.Size(); ++i) x = %s; return x; }\ntemplate <typename T> __codelet T f(const "
                              "Array<1, T> in) { return mma(ones<T>(), matrix(in), ones<T>()); }\n";
  static const char rows_of[] = "template <typename T> __codelet void f(const Array<1, T> in, __mutable Array<1, T> out) { "
                                "for (unsigned s = 0; s < out.Size(); ++s) { T x = %s; for (unsigned i = s * 64; i < min(s "
                                "* 64 + 64, in.Size()); ++i) x = %s; out[s] = x; } }\ntemplate <typename T> __codelet void "
                                "f(const Array<1, T> in, __mutable Array<1, T> out) { mma(matrix(in, 64), ones<T>(), "
                                "matrix(out, 1)); }\n";
  static const struct { const char *begin, *next, *error; } rows[] = {
      {"0", "x + in[i]", NULL}, {"0", "in[i] + x", NULL}, {"lowest<T>()", "max(x, in[i])", "accumulates by max"},
      {"highest<T>()", "min(in[i], x)", "accumulates by min"}, {"1", "x * in[i]", "accumulates by mul"}};
  for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
    Arena *a = arena_new();
    Diagnostics *d = diagnostics_new(a);
    const char *types[] = {"int", "double"}, *form = i % 2 ? rows_of : total, *error = rows[i / 2].error;
    const char *text = arena_printf(a, form, rows[i / 2].begin, rows[i / 2].next);
    SourceFile f = {.path = "test.cdl", .text = arena_strdup(a, text), .size = strlen(text)};
    const Unit *u = front_parse(a, &f, types, 2, NULL, d);
    if ((u != NULL) != (error == NULL) || (error && !says(d, error)))
      fail_msg("%s: %s", text, golden_diagnostics(a, d, 0));
    arena_free(a);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(products_of_a_unit), cmocka_unit_test(products_of_rows), cmocka_unit_test(products_of_batches),
                                     cmocka_unit_test(products_of_all), cmocka_unit_test(products_add)};
  return cmocka_run_group_tests_name("products", tests, NULL, NULL);
}
