/* Where positions of 64 bits would be other numbers than C++'s unsigned ones: refused where it shows, only there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "front/front.h"

typedef struct Row { const char *body, *at; } Row; /* at: the text that the error points to; NULL: there is none */

/* Each is the body of a loop over the elements x[i], unless it says otherwise. */
static const Row in_a_loop[] = {
    {"unsigned k = i - 1; y[i] = k > 5 ? 7 : x[k];", "k"},
    {"y[i] = i - 1 < 5 ? 7 : x[i];", "i - 1"},
    {"y[i] = x[(i - 1) % x.Size()];", "i - 1"},
    {"y[i] = (i - 3) / 2;", "i - 3"},
    {"y[i] = (i - 3) >> 1;", "i - 3"},
    {"y[i] = max(i - 3, 2u);", "i - 3"},
    {"float f = i - 1; y[i] = f > 2.0f ? 1 : 0;", "i - 1"},
    {"long far = i - 1; y[i] = far < 0 ? 1 : 0;", "i - 1"},
    {"y[i] = x.Size() + (i - 1) > 3 ? 1 : 0;", "x.Size() + (i - 1)"},
    {"unsigned k = x[i]; if (k < x.Size()) y[k] = 1;", "k"},
    {"int d = x[i] - 2; if (i + d < x.Size()) y[i + d] = 1;", "i + d"},
    {"unsigned k = i; k -= 2; y[i] = k < x.Size() ? 1 : 0;", "k"},
    {"unsigned k = 0 - i; y[i] = k < x.Size() ? 1 : 0;", "k"},
    {"int len = x.Size(); y[i] = i < len - 40 ? 1 : 0;", "len - 40"},
    {"y[(i * 2654435761u) % x.Size()] = 1;", "i * 2654435761u"},
    {"y[(i << 20) % x.Size()] = 1;", "i << 20"},
    {"unsigned h = i; for (int k = 0; k < 4; ++k) h = h * 31 + k; y[h % x.Size()] = 1;", "h"},
    {"unsigned h = i; for (int k = 0; k < 4; ++k) h ^= h << 5; y[h % x.Size()] = 1;", "h"},
    {"unsigned h = x[i]; h = (h ^ 5u) * 16777619u; y[h % x.Size()] = 1;", "h"},
    {"unsigned h = ~i; y[h % x.Size()] = 1;", "h"},
    {"unsigned k = i; k--; y[i] = k == 4294967295u ? x[0] : x[k];", "k"},
    {"y[i] = i - 1 != ~0u ? 1 : 0;", "i - 1"},
    {"unsigned u = unsigned(x[i]); y[i] = i - 1 == u ? 1 : 0;", "i - 1"},
    {"unsigned u = unsigned(x[i]), v = u + 1; y[i] = i - 1 == v ? 1 : 0;", "i - 1"},
    {"y[i] = i - 1 == hash(i) ? 1 : 0;", "i - 1"},
    {"unsigned k = i - 1; y[i] = k == 0 || k == 5 ? 1 : 0;", NULL},
    {"unsigned k = i - 1; y[i] = k == -1 ? 1 : 0;", "k"},
    {"for (unsigned j = 0; j < x.Size(); ++j) if (j == i - 1) y[i] = x[j];", NULL},
    {"y[i] = i > 0 && i - 1 == hash(i) ? 1 : 0;", NULL},
    {"unsigned k = i - 1; if (i > 0) y[i] = x[k];", NULL},
    {"y[i] = i > 0 ? x[i - 1] : 0;", NULL},
    {"y[i] = i > 0 && i - 1 < 5 ? 1 : 0;", NULL},
    {"y[i] = i == 0 || i - 1 < 5 ? 1 : 0;", NULL},
    {"y[i] = i != 0 ? (i - 1) / 2 : 0;", NULL},
    {"if (i >= 4) y[i] = (i - 4) % 3; else y[i] = 0;", NULL},
    {"if (!(i < 4)) { y[i] = (i - 4) % 3; }", NULL},
    {"unsigned len = x.Size(); y[i] = x[(len - 1 - i) / 2];", NULL},
    {"unsigned len = x.Size(), rest = len - i; y[i] = rest / 2;", NULL},
    {"y[i] = (i - i % 4) / 4;", NULL},
    {"unsigned half = i / 2; y[i] = i - half > 2 ? 1 : 0;", NULL},
    {"y[(i - 1) & 7] = 1;", NULL},
    {"int k = i - 1; y[i] = k < 0 ? 0 : x[k];", NULL},
    {"unsigned k = i; while (k > 0 && x[k - 1] > 3) k = k - 1; y[i] = k < 3 ? 1 : 0;", NULL},
    {"for (unsigned k = 1; k < x.Size(); ++k) y[i] = (k - 1) / 2;", NULL},
    {"for (unsigned k = i; k > 0 && i - k < 5; --k) y[i] = x[k - 1];", NULL},
    {"for (unsigned k = x.Size(); k > 0; --k) y[k - 1] = k < 3 ? 1 : 0;", NULL},
    {"unsigned s = 1; while (s < x.Size()) s = s * 2; y[i] = s / 2;", NULL},
    {"for (unsigned s = 1; s < x.Size(); s *= 2) y[i] = s % 3;", NULL},
    {"unsigned h = unsigned(x[i]) * 2654435761u; y[h % x.Size()] = 1;", NULL},
    {"y[hash(i) % x.Size()] = 1;", NULL},
    {"long k = i; k = k - 1; y[i] = k > 5 ? 7 : 0;", NULL},
    {"unsigned u = unsigned(x[i]) - 3u; y[i] = u > 5u ? 1 : 0;", NULL}};

static const Row alone[] = {
    {"for (unsigned i = x.Size() - 1; i < x.Size(); --i) y[i] = 1;", "i"},
    {"unsigned len = x.Size(); for (unsigned i = 0; i < len - 1; ++i) y[i] = x[i + 1];", "len - 1"},
    {"unsigned len = x.Size(); for (unsigned i = 0; i + 1 < len; ++i) y[i] = x[i + 1];", NULL},
    {"for (unsigned i = 0; i < x.Size() - 1; ++i) y[i] = x[i + 1];", NULL},
    {"for (int i = x.Size() - 1; i >= 0; --i) y[i] = 1;", NULL},
    {"unsigned last = x.Size() - 1; y[last] = 1;", NULL}};

/* What is cut: of n parts of x, one an element. */
static const Row cut[] = {
    {"Map m(total, partition(x, n - 1, sequence(0, 1, n), sequence(1), sequence(1, 1, n))); m.to(y);", "n - 1"},
    {"Map m(total, partition(x, n, sequence(n - 2, 1, n), sequence(1), sequence(1, 1, n))); m.to(y);", "n - 2"},
    {"Map m(total, partition(x, n, sequence(0, 1, n), sequence(n - 2), sequence(1, 1, n))); m.to(y);", "n - 2"},
    {"Sequence s(0, 1, n - 2); Map m(total, partition(x, n, s, sequence(1), sequence(1, 1, n))); m.to(y);", "n - 2"},
    {"Sequence s(x, n - 2, 1, n); Map m(total, partition(x, n, s, sequence(1), sequence(1, 1, n))); m.to(y);", "n - 2"},
    {"Map m(total, partition(x, n, sequence(n << 16, 1, n), sequence(1), sequence(1, 1, n))); m.to(y);", "n << 16"},
    {"unsigned k = n - 2; Map m(total, partition(x, n, sequence(k), sequence(1), sequence(n))); m.to(y);", "k"},
    {"int k = total(shift(x, n - 2)); y[0] = k;", "n - 2"},
    {"int k = total(take(x, n - 2)); y[0] = k;", "n - 2"},
    {"int k = total(iota(5, n - 1)); y[0] = k;", "n - 1"},
    {"Map m(total, partition(x, n, sequence(0, 1, n), sequence(1), sequence(1, 1, n + 1))); m.to(y);", NULL},
    {"Map m(total, partition(x, n, sequence(-1, 1, n), sequence(1), sequence(2, 1, n))); m.to(y);", NULL},
    {"Map m(total, partition(x, n, sequence(0, 1, n), sequence(1), sequence(n - n / 2, 1, n))); m.to(y);", NULL},
    {"long k = x.Size(); Map m(total, partition(x, n, sequence(k - 2), sequence(1), sequence(n))); m.to(y);", NULL},
    {"int k = n - 2; Map m(total, partition(x, n, sequence(k), sequence(1), sequence(n))); m.to(y);", NULL},
    {"int k = total(shift(x, x.Size() - 2)); y[0] = k;", NULL},
    {"int k = total(take(x, n - 1)) + total(shift(x, n - 1)); y[0] = k;", NULL},
    {"Map m(total, partition(x, n - 1, sequence(x, 0, 1, n - 1), sequence(1), sequence(x, 1, 1, n))); m.to(y);", NULL},
    {"Map m(total, partition(x, n - 1, sequence(x, 0, 1, n - 1), sequence(1), sequence(n))); m.to(y);", "n - 1"},
    {"if (n > 2) { Sequence s(n - 2, 1, n); Map m(total, partition(x, n, s, sequence(1), sequence(n))); m.to(y); }",
     NULL}};

static void check(const Row *row, const char *format) {
  Arena *a = arena_new();
  Diagnostics *d = diagnostics_new(a);
  const char *head = "__codelet unsigned hash(unsigned h) { return h * 2654435761u; }\n"
                     "__codelet int total(const Array<1, int> in) {\n  int sum = 0;\n"
                     "  for (int i = 0; i < in.Size(); ++i) sum += in[i];\n  return sum;\n}\n"
                     "__codelet void f(const Array<1, int> x, __like(x) __mutable Array<1, int> y) {\n";
  const char *text = arena_printf(a, "%s%s", head, arena_printf(a, format, row->body));
  static const char *types[] = {"int"};
  const SourceFile file = {.path = "made.cdl", .text = text, .size = strlen(text)};
  const Unit *u = front_parse(a, &file, types, 1, NULL, d);
  if (!row->at) {
    if (!u) fail_msg("refused: %s: %s", row->body, d->list.n ? d->list.at[0].message : "?");
  } else {
    int first = 0; /* behind remarks */
    while (first < d->list.n && d->list.at[first].level != DIAG_ERROR) first++;
    if (u || first == d->list.n) fail_msg("not refused: %s", row->body);
    const Diagnostic *x = &d->list.at[first];
    if (!strstr(x->message, "where C++ wraps")) fail_msg("%s: %s", row->body, x->message);
    assert_non_null(x->hint);
    const char *at = arena_strndup(a, x->where.file->text + x->where.begin, x->where.end - x->where.begin);
    if (strcmp(at, row->at) != 0) fail_msg("%s: at `%s', not `%s'", row->body, at, row->at);
  }
  arena_free(a);
}

static void what_shows_is_refused(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof in_a_loop / sizeof *in_a_loop; i++)
    check(&in_a_loop[i], "  for (unsigned i = 0; i < x.Size(); ++i) {\n    %s\n  }\n}\n");
  for (size_t i = 0; i < sizeof alone / sizeof *alone; i++) check(&alone[i], "  %s\n}\n");
  for (size_t i = 0; i < sizeof cut / sizeof *cut; i++) check(&cut[i], "  unsigned n = x.Size();\n  %s\n}\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_shows_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
