/* Which loops of a plain nest are cut (front/independent.c), and the near misses: a value that goes from turn to turn,
 * an element that two turns meet. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "front/front.h"
#include "front/independent.h"

static const char *types[] = {"int", "float"};

/* The loops of the text's codelet that may be cut: "i j". */
static const char *cut_in(Arena *a, const char *text) {
  Diagnostics *d = diagnostics_new(a);
  SourceFile *f = arena_one(a, SourceFile);
  *f = (SourceFile){.path = "test.cdl", .text = arena_strdup(a, text), .size = strlen(text)};
  const Unit *u = front_parse(a, f, types, 2, NULL, d);
  if (!u) fail_msg("%s: %s", text, d->list.n ? d->list.at[0].message : "");
  Independent x;
  const char *names = "";
  if (!independent_find(a, u->spectra[0]->codelets[0], &x)) return names;
  for (int i = 0; i < x.loops.ndimensions; i++) {
    const Counting *first = &x.loops.loop[x.loops.dimension[i].first];
    names = arena_printf(a, "%s%s%s", names, *names ? " " : "", first->head.index->name);
  }
  return names;
}

typedef struct Case { const char *cut, *body; } Case;

#define AB "template <typename T> __codelet void f(const Array<2, T> A, __like(A) __mutable Array<2, T> B, int m) {"
#define X1 "template <typename T> __codelet void f(const Array<1, T> x, __like(x) __mutable Array<1, T> y, int m) {"
#define AXY                                                                                                           \
  "template <typename T> __codelet void f(const Array<2, T> A, __shape(A.Size(0)) __mutable Array<1, T> x, "         \
  "__like(A) __mutable Array<2, T> B) {"
#define ROWS "for (unsigned i = 0; i < A.Size(0); ++i) "
#define COLUMNS "for (unsigned j = 0; j < A.Size(1); ++j) "

static void check(const char *head, const Case *cases, size_t n) {
  for (size_t i = 0; i < n; i++) {
    Arena *a = arena_new();
    const char *found = cut_in(a, arena_printf(a, "%s %s }", head, cases[i].body));
    if (strcmp(found, cases[i].cut) != 0) fail_msg("%s: cut `%s', not `%s'", cases[i].body, found, cases[i].cut);
    arena_free(a);
  }
}

#define CHECK(head, cases) check(head, cases, sizeof cases / sizeof *(cases))

/* One dimension carries, the other is cut. */
static void carried_loops_stay(void **state) {
  (void)state;
  static const Case cases[] = {
    {"j", COLUMNS "{ T run = 0; " ROWS "{ run += A(i, j); B(i, j) = run; } }"},
    {"i", ROWS "{ T run = 0; " COLUMNS "{ run += A(i, j); B(i, j) = run; } }"},
    {"j", ROWS COLUMNS "if (i == 0) B(i, j) = A(i, j); else B(i, j) = B(i - 1, j) + A(i, j);"},
    {"j", COLUMNS "B(0, j) = A(0, j); for (unsigned i = 1; i < A.Size(0); ++i) " COLUMNS
          "B(i, j) = B(i - 1, j) + A(i, j);"},
    {"j", "T run = 0; " ROWS "{ run += A(i, 0); " COLUMNS "B(i, j) = run * A(i, j); }"},
    {"j", "for (int t = 0; t < m; ++t) " ROWS COLUMNS "B(i, j) = A(i, j) + B(i / 2, j);"},
    {"i j", "for (int t = 0; t < m; ++t) " ROWS COLUMNS "B(i, j) = A(i, j) + 2 * B(i, j);"},
    {"j i", COLUMNS "{ unsigned i = 0; while (i < A.Size(0)) { B(i, j) = A(i, j); i += 1; } }"},
    {"i", ROWS "B(i, i % A.Size(1)) = A(i, 0);"},
    {"j", ROWS "{ if (A(i, 0) < 0) break; " COLUMNS "B(i, j) = A(i, j); }"},
    {"j", ROWS COLUMNS "{ if (A(i, j) < 0) continue; B(i, j) = B(0, j); }"},
  };
  CHECK(AB, cases);
}

/* Heads of loops, and sizes in variables. */
static void heads_are_read(void **state) {
  (void)state;
  static const Case cases[] = {
    {"i j", "unsigned n = B.Size(0); long l = A.Size(1) - 1; for (unsigned i = 0; i < n; ++i) for (long j = 0; j <= l; "
            "++j) B(i, j) = A(i, j);"},
    {"i j", "for (unsigned i = 0; i != A.Size(0); ++i) for (unsigned j = 0; A.Size(1) > j; j += 1) B(i, j) = A(i, j);"},
    {"i j", "for (int i = (int)A.Size(0) - 1; i >= 0; --i) for (int j = (int)A.Size(1) - 1; j > -1; j -= 1) B(i, j) = "
            "A(i, j);"},
    {"i j", "for (unsigned i = 0; i < A.Size(0); i += 2) for (unsigned j = 1; j < A.Size(1); j += 3) B(i, j) = 1;"},
    {"i j", "for (unsigned i = A.Size(0); i > 0; --i) " COLUMNS "B(i - 1, j) = A(i - 1, j);"},
    {"i j", "for (unsigned i = 1; i < A.Size(0); ++i) " COLUMNS "B(i, j) = A(i - 1, j);"},
    {"i j", ROWS "for (unsigned j = 0; j < i; ++j) B(i, j) = A(j, i);"},
    {"i j", "unsigned n = min(A.Size(0), A.Size(1)); for (unsigned i = 0; i < n; ++i) for (unsigned j = 0; j < n; ++j) "
            "B(i, j) = A(j, i);"},
    {"i", ROWS "for (unsigned j = 1; j < A.Size(1); j *= 2) B(i, j) = A(i, j);"},
    {"i", ROWS "{ T a = A(i, 0); for (unsigned j = 0; j < A.Size(1) && a > 0; ++j) { a -= 1; B(i, j) = a; } }"},
  };
  CHECK(AB, cases);
}

/* What two turns meet, or hand on: nothing is cut. */
static void dependences_are_seen(void **state) {
  (void)state;
  static const Case cases[] = {
    {"", "T run = 0; " ROWS COLUMNS "{ run += A(i, j); B(i, j) = run; }"},
    {"", ROWS COLUMNS "B(i, j) = i > 0 && j > 0 ? B(i - 1, j - 1) + A(i, j) : A(i, j);"},
    {"", ROWS COLUMNS "B(i, j) = A(i, j) + B(j % A.Size(0), i % A.Size(1));"},
    {"", ROWS COLUMNS "B(i / 2, j / 2) = A(i, j);"},
    {"", "unsigned n = 0; " ROWS COLUMNS "if (A(i, j) > 0) { B(n / A.Size(1), n % A.Size(1)) = A(i, j); n += 1; }"},
    {"", ROWS COLUMNS "B(i, j) = A(i, j); " ROWS COLUMNS "B(i, j) += B(A.Size(0) - 1 - i, A.Size(1) - 1 - j);"},
    {"", ROWS "{ " COLUMNS "{ if (A(i, j) < 0) break; B(i, j) = 1; } if (A(i, 0) > 0) break; }"},
    {"", "T a[4]; " ROWS COLUMNS "{ a[j % 4] = A(i, j); B(i, j) = a[0]; }"},
    {"", "for (unsigned k = 0; k < A.Size(0); ++k) " ROWS COLUMNS "B(i, j) = min(B(i, j), B(i, k) + B(k, j));"},
    {"", ROWS COLUMNS "{ B(i, j) = A(i, j); B(0, 0) = A(i, j); }"},
    {"", ROWS COLUMNS "{ T a = B(A.Size(0) - 1 - i, A.Size(1) - 1 - j); B(i, j) = a; }"},
    {"", "for (unsigned i = 0; i < A.Size(0); i += 1) { for (unsigned j = 0; j < A.Size(1); j += 1) { B(i, j) = 1; "
         "if (A(i, j) > 0) j += 1; } if (A(i, 0) > 0) i += 1; }"},
    {"", "for (unsigned i = 0; i + 1 < A.Size(0); i += 2) for (unsigned j = 0; j + 1 < A.Size(1); j += 2) { B(i, j) = "
         "A(i, j); B(i + 1, j + 1) = A(i, j); }"},
  };
  CHECK(AB, cases);
}

/* .. along one dimension, where the other may still be cut. */
static void one_dimension_of_two(void **state) {
  (void)state;
  static const Case cases[] = {
    {"j", "for (unsigned i = 0; i + 1 < A.Size(0); i += 2) " COLUMNS
          "{ B(i, j) = A(i + 1, j); B(i + 1, j) = A(i, j); }"},
    {"i", ROWS COLUMNS "{ if (j > 0) B(i, j) = B(i, j - 1); if (A(i, j) < 0) B(i, 0) = 1; }"},
    {"i", ROWS COLUMNS "{ if (A(i, j) < 0) break; B(i, j) = 1; }"},
    {"j", "unsigned n = 0; " ROWS "{ " COLUMNS "B(n, j) = A(i, j); if (A(i, 0) > 0) n += 1; }"},
    {"i", ROWS "{ T best = A(i, 0); " COLUMNS "{ B(i, j) = best; best = max(best, A(i, j)); } }"},
    {"i", ROWS COLUMNS "B(i, j) = A(i, j) + B(i, A.Size(1) - 1 - j);"},
    {"i", ROWS "{ T sum = 0; " COLUMNS "sum += A(i, j); " COLUMNS "B(i, j) = A(i, j) / sum; }"},
    {"i", ROWS "{ T top = lowest<T>(); " COLUMNS "top = max(top, A(i, j)); " COLUMNS "B(i, j) = A(i, j) - top; }"},
    {"i", ROWS "{ T sum = 0; " COLUMNS "{ sum += A(i, j); B(i, j) = sum; } }"},
    {"i", ROWS "{ T sum = 0; " COLUMNS "sum = sum * m + A(i, j); " COLUMNS "B(i, j) = sum; }"},
    {"i", ROWS "{ T sum = 0; " COLUMNS "sum += A(i, j); " COLUMNS "B(i, j) = B(i, A.Size(1) - 1 - j) + sum; }"},
    {"i", ROWS "{ T sum = 0; " COLUMNS "sum += A(i, j); " COLUMNS "B(i, j) = sum + i; }"},
    {"", "T sum = 0; " COLUMNS "sum += A(0, j); " ROWS COLUMNS "B(i, j) = A(i, j) / sum;"},
  };
  CHECK(AB, cases);
}

/* Of one dimension; an element that another loop has stored; the loop around that stores the same again. */
static void vectors(void **state) {
  (void)state;
  static const Case cases[] = {
    {"i", "for (unsigned i = 0; i < x.Size(); ++i) y[i] = x[i]; for (unsigned k = 0; k < x.Size(); ++k) "
           "y[k] = 2 * y[k];"},
    {"", "for (unsigned i = 0; i < x.Size(); ++i) y[i] = x[i]; for (unsigned k = 1; k < x.Size(); ++k) "
           "y[k] += y[k - 1];"},
    {"", "for (unsigned i = 0; i < x.Size(); ++i) for (unsigned k = 0; k < x.Size(); ++k) y[i] += y[k];"},
    {"k", "for (unsigned i = 0; i < x.Size(); ++i) for (unsigned k = 0; k < x.Size(); ++k) y[k] += x[i];"},
    {"", "for (unsigned i = 0; i < x.Size(); ++i) { y[i] = x[i]; for (unsigned k = 0; k < x.Size(); ++k) y[k] += 1; }"},
    {"", "for (unsigned i = 1; i < x.Size(); ++i) y[i] = y[i - 1] + x[i];"},
    {"", "for (unsigned i = 0; i + 1 < x.Size(); ++i) y[i] = y[i + 1] + x[i];"},
    {"", "for (unsigned i = 0; i < x.Size(); ++i) y[2 * i % x.Size()] = x[i];"},
    {"", "for (unsigned i = 0; i < x.Size(); ++i) y[m] = x[i];"},
    {"i", "for (unsigned i = 0; i + 1 < x.Size(); ++i) y[i] = x[i + 1];"},
    {"", "for (unsigned i = 0; i < x.Size(); ++i) { y[i] = x[i]; if (i > 3) y[i - 3] = 0; }"},
    {"i", "for (unsigned i = 0; i < x.Size(); ++i) { T a[3]; for (int k = 0; k < 3; ++k) a[k] = k * x[i]; "
          "y[i] = a[m % 3]; }"},
    {"i", "T last = 0; for (unsigned i = 0; i < x.Size(); ++i) { y[i] = last; last = x[i]; }"},
    {"", "for (unsigned i = 0; i < m; ++i) for (unsigned k = 0; k < x.Size(); ++k) { if (x[k] < 0) break; y[k] = 1; }"},
  };
  CHECK(X1, cases);
}

/* Two containers are stored: cut where both have the loop. */
static void several_stored(void **state) {
  (void)state;
  static const Case cases[] = {
    {"i", ROWS "{ x[i] = A(i, 0); " COLUMNS "B(i, j) = x[i] + A(i, j); }"},
    {"i", ROWS COLUMNS "{ x[i] = A(i, j); B(i, j) = A(i, j); }"},
    {"i", ROWS "x[i] = A(i, 0); " ROWS COLUMNS "B(i, j) = x[i];"},
    {"", ROWS "{ x[i] = A(i, 0); " COLUMNS "B(i, j) = x[0]; }"},
    {"", ROWS "{ x[i] = 1; B(A.Size(0) - 1 - i, 0) = 2; }"},
    {"", COLUMNS "{ x[0] = A(0, j); " ROWS "B(i, j) = x[0]; }"},
  };
  CHECK(AXY, cases);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(carried_loops_stay), cmocka_unit_test(heads_are_read),  cmocka_unit_test(dependences_are_seen),
    cmocka_unit_test(one_dimension_of_two), cmocka_unit_test(vectors),       cmocka_unit_test(several_stored),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
