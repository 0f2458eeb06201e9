/* jam_test.c: turns of a loop side by side do what they do one after another. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "kernel_run.h"
#include "kernel_text.h"
#include "passes/jam.h"

enum { LANES = 32 };

/* The first loop over `turn' is one over parts. */
static bool mark(void *context, const Tree *t) {
  bool *marked = context;
  if (!*marked && t->op == OP_FOR && strcmp(t->kid[0]->symbol->name, "turn") == 0) {
    ((Tree *)t)->unroll = UNROLL_JAM;
    *marked = true;
  }
  return !*marked;
}

typedef struct Jammed { Arena *a; Kernel *kernel; Diagnostics *d; Tree *body; } Jammed;

static Jammed jammed(const char *text) {
  Jammed j = {.a = arena_new()};
  bool marked = false;
  j.kernel = kernel_text_read(j.a, text);
  j.d = diagnostics_new(j.a);
  tree_visit(j.kernel->body, mark, &marked);
  assert_true(marked);
  j.body = pass_jam(j.a, j.kernel, j.kernel->body, j.d);
  assert_true(tree_verify(j.body, FORM_KERNEL, j.kernel->params, j.kernel->nparams, "jam", j.d));
  return j;
}

static const char *with_turns(Arena *a, const char *from, const char *below, const char *body, const char *behind) {
  return arena_printf(a, "for (Index turn = %s; turn < %s; turn += 1) { %s } %s", from, below, body, behind);
}

#define SUM "int sum = 0; for (Index i = 0; i < 9; i += 1) { sum += in[turn * 9 + i] * in[i]; } out[turn] = sum;"

/* What the turns do; is the loop over `i' run by all of them together? */
static const struct { const char *body; bool together; } bodies[] = {
    {SUM, true},
    {"int part[3]; for (int k = 0; k < 3; k += 1) { part[k] = k; }"
     " for (Index i = 0; i < 9; i += 3) { for (int k = 0; k < 3; k += 1) { part[k] += in[turn * 9 + i + k]; } }"
     " out[turn] = part[0] + 2 * part[1] + 5 * part[2];", true},
    {"const Index at = turn * 5; int sum = 0; for (Index i = 0; i < 4; i += 1) { const int x = in[at + i];"
     " sum += x * x; } out[turn] = sum;", true},
    {"int sum = 0; if (a > 0) { for (Index i = 0; i < 4; i += 1) { sum += in[turn + i]; } } else { sum = in[turn]; }"
     " out[turn] = sum; out[turn + 100] = sum * 2;", true},
    {"int sum = 0; Index i = 0; for (; i + 4 < 9; i += 4) { for (int k = 0; k < 4; k += 1)"
     " { sum += in[turn * 3 + i + k]; } } for (; i < 9; i += 1) { sum += 3 * in[turn * 3 + i]; } out[turn] = sum;", true},
    {"int last = 0; for (Index i = 0; i < 5; i += 1) { last = in[turn + i] - last; out[turn + 20 * i] = last; }", true},
    /* all do the same: it is done once, between what each does by itself */
    {"int all = a; out[turn] = all + in[turn]; all += 7; out[turn + 100] = all + in[turn];"
     " for (Index i = 0; i < 3; i += 1) { all += in[i]; out[turn + 200] = all; }", true},
    /* they go different ways */
    {"int sum = 0; for (Index i = 0; i < turn; i += 1) { sum += in[i]; } out[turn] = sum;", false},
    {"int sum = 0; const Index end = in[turn] + 9; for (Index i = 2; i < end; i += 1) { sum += in[i]; }"
     " out[turn] = sum;", false},
    {"int sum = 0; for (Index i = 0; i < 9; i += 1) { if (sum > 9) break; sum += in[turn + i]; } out[turn] = sum;", false},
    {"int sum = 1; int i = 3; if (in[turn] > 3) { i = 1; } for (; i < 9; i += 1) { sum += in[i]; } out[turn] = sum;",
     false},
    {"int sum = 9; while (sum > in[turn]) { sum -= 2; } for (Index i = 0; i < 2; i += 1) { sum += in[turn + i]; }"
     " out[turn] = sum;", true},
    {"int sum = 0; for (Index i = 0; i < 3; i += 1) { if (in[turn + i] > 2) { sum += 1; } else { sum -= i; } }"
     " out[turn] = sum;", true},
    /* what each of them adds counts */
    {"out[turn] = in[turn]; atomicAdd(out[300], 1); out[301] += 2;", false},
};

static void each_does_what_it_did(void **state) {
  (void)state;
  static const struct { const char *from, *below; } turns[] = {{"0", "0"}, {"5", "8"}, {"0", "4"}, {"3", "14"}, {"9", "25"}};
  for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
    for (size_t k = 0; k < sizeof turns / sizeof *turns; k++) {
      Arena *a = arena_new();
      Jammed j = jammed(with_turns(a, turns[k].from, turns[k].below, bodies[i].body, "out[400] = b;"));
      const char *text = kernel_text_print(j.a, j.body);
      if (!strstr(text, "turn + 4) <= ")) fail_msg("turns come one by one in\n%s", text);
      RunResult want = kernel_run_lockstep(j.a, j.kernel, j.kernel->body, LANES);
      RunResult got = kernel_run_lockstep(j.a, j.kernel, j.body, LANES);
      if (want.fault || got.fault) fail_msg("%s in\n%s", want.fault ? want.fault : got.fault, text);
      if (memcmp(want.out, got.out, sizeof want.out) != 0) fail_msg("another result from\n%s", text);
      arena_free(a);
      arena_free(j.a);
    }
}

/* A loop over rows inside of a loop over i, in the turns that go side by side. */
static void what_is_common_is_read_once(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
    Arena *a = arena_new();
    Jammed j = jammed(with_turns(a, "0", "64", bodies[i].body, ""));
    const char *text = kernel_text_print(j.a, j.body);
    bool together = false, inside = false;
    int depth = 0, of_loop = 0;
    for (const char *line = text, *next; *line && (next = strchr(line, '\n')) != NULL; line = next + 1) {
      const char *first = line + strspn(line, " "), *over_i = strstr(first, "i < "), *more = strstr(first, "i + 4");
      depth = (int)(first - line);
      if (inside && depth <= of_loop) inside = false;
      if (inside && strncmp(first, "for (int row", 12) == 0) together = true;
      bool loop = strncmp(first, "for (", 5) == 0 && ((over_i && over_i < next) || (more && more < next));
      if (!inside && loop) {
        inside = true;
        of_loop = depth;
      }
    }
    if (together != bodies[i].together) fail_msg("are turns together? %d in\n%s", together, text);
    arena_free(a);
    arena_free(j.a);
  }
}

static void a_text(void **state) {
  (void)state;
  Arena *a = arena_new();
  Jammed j = jammed(with_turns(a, "a", "b", SUM, ""));
  assert_string_equal(
      kernel_text_print(j.a, j.body),
      "Index turn = a;\n"
      "for (; ((turn + 4) <= b); turn += 4) {\n"
      "  int sum[4];\n"
      "  for (int row = 0; (row < 4); row += 1) {\n"
      "    sum[row] = 0;\n"
      "  }\n"
      "  for (Index i = 0; (i < 9); i += 1) {\n"
      "    for (int row = 0; (row < 4); row += 1) {\n"
      "      sum[row] += (in[(((turn + row) * 9) + i)] * in[i]);\n"
      "    }\n"
      "  }\n"
      "  for (int row = 0; (row < 4); row += 1) {\n"
      "    out[(turn + row)] = sum[row];\n"
      "  }\n"
      "}\n"
      "for (; (turn < b); turn += 1) {\n"
      "  int sum = 0;\n"
      "  for (Index i = 0; (i < 9); i += 1) {\n"
      "    sum += (in[((turn * 9) + i)] * in[i]);\n"
      "  }\n"
      "  out[turn] = sum;\n"
      "}\n");
  arena_free(a);
  arena_free(j.a);
}

/* What has no element for each of the turns keeps them apart, and a remark says so. */
static void what_is_shared_keeps_them_apart(void **state) {
  (void)state;
  static const char *const shared[] = {
      "kept = in[turn]; for (Index i = 0; i < 3; i += 1) { out[turn * 3 + i] = in[i] + kept; }",
      "for (Index i = 0; i < 3; i += 1) { kept = (i == 0 ? 0 : kept) + in[turn + i]; out[turn * 3 + i] = kept; }",
      "if (in[turn] > 3) continue; out[turn] = 1; for (Index i = 0; i < 3; i += 1) { out[turn + 99] = in[i]; }"};
  for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
    Arena *a = arena_new();
    Jammed j = jammed(arena_printf(a, "int kept = 0; %s", with_turns(a, "0", "9", shared[i], "")));
    assert_string_equal(kernel_text_print(j.a, j.body), kernel_text_print(j.a, j.kernel->body));
    assert_int_equal(j.d->list.n, 1);
    assert_non_null(strstr(j.d->list.at[0].message, "parts go one by one"));
    arena_free(a);
    arena_free(j.a);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_does_what_it_did),
                                     cmocka_unit_test(what_is_common_is_read_once), cmocka_unit_test(a_text),
                                     cmocka_unit_test(what_is_shared_keeps_them_apart)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
