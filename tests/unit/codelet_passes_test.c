/* codelet_passes_test.c: the passes on codelets: what they find, what they refuse and why, and that what they make
 * computes the same.
 *
 *   tests/passes/{shuffle,shared,map}/NAME.cdl   input; NAME.expected: its remarks and errors, one a line
 *   lockstep.h                                   the oracle: every accepted rewrite runs against the written body */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "front/front.h"
#include "lockstep.h"
#include "passes/codelet_passes.h"

enum { WIDTH = 32 };
#ifdef __SANITIZE_ADDRESS__
enum { ROUNDS = 4 }; /* whether the results are right is seen without sanitizers */
#else
enum { ROUNDS = 12 }; /* each number of warps full, none, then random sizes */
#endif

/* ---- help ---- */

static const char *root(void) {
  const char *dir = getenv("TGC_SOURCE_DIR");
  return dir ? dir : ".";
}

typedef struct Parsed {
  Arena *arena;
  Diagnostics *diagnostics;
  Unit *unit; /* NULL after an error of the front end */
  bool ok;    /* the passes found no error */
} Parsed;

static Parsed parsed_file(SourceFile *file, Arena *a) {
  static const char *types[] = {"int"};
  Parsed p = {.arena = a, .diagnostics = diagnostics_new(a)};
  p.unit = front_parse(a, file, types, 1, NULL, p.diagnostics);
  p.ok = p.unit && codelet_passes_run(a, p.unit, WIDTH, 1024, p.diagnostics);
  return p;
}

static Parsed parse_path(const char *path) {
  Arena *a = arena_new();
  SourceFile *file = source_read(a, path);
  if (!file) fail_msg("cannot read %s", path);
  return parsed_file(file, a);
}

static Parsed parse_text(const char *text) {
  Arena *a = arena_new();
  SourceFile *file = arena_one(a, SourceFile);
  file->path = "made.cdl";
  file->text = arena_strdup(a, text);
  file->size = strlen(text);
  return parsed_file(file, a);
}

static Parsed parse_ours(const char *path) {
  Arena *a = arena_new();
  SourceFile *file = source_read(a, arena_printf(a, "%s/%s", root(), path));
  if (!file) fail_msg("cannot read %s", path);
  return parsed_file(file, a);
}

static const Codelet *tagged(const Parsed *p, const char *tag) {
  for (int s = 0; p->unit && s < p->unit->nspectra; s++)
    for (int k = 0; k < p->unit->spectra[s]->ncodelets; k++)
      if (strcmp(p->unit->spectra[s]->codelets[k]->tag, tag) == 0) return p->unit->spectra[s]->codelets[k];
  fail_msg("no codelet `%s'", tag);
  return NULL;
}

static void quit(Parsed *p) { arena_free(p->arena); }

static uint64_t random_next(uint64_t *state) {
  *state += 0x9e3779b97f4a7c15u;
  uint64_t z = *state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* ---- remarks ---- */

static bool is_ours(const Diagnostic *d) {
  if (d->level == DIAG_ERROR) return true;
  static const char *const passes[] = {"shuffle", "shared-atomic", "map-atomic"};
  for (int i = 0; d->pass && i < 3; i++)
    if (strcmp(d->pass, passes[i]) == 0) return true;
  return false;
}

static const char *remarks(const Parsed *p) {
  Buffer b = buffer_new(p->arena);
  for (int i = 0; i < p->diagnostics->list.n; i++) {
    const Diagnostic *d = &p->diagnostics->list.at[i];
    if (!is_ours(d)) continue;
    if (d->where.file->nparts && source_part(d->where.file, d->where.begin)->by) continue; /* a shipped file's */
    int line = 0, column = 0;
    source_position(d->where.file, d->where.begin, &line, &column);
    const char *kind = d->level == DIAG_ERROR ? "error" : d->remark == REMARK_PASSED ? "passed" : "missed";
    buffer_printf(&b, "%d:%d: %s: %s\n", line, column, kind, d->message);
  }
  return b.length ? b.text : "";
}

static const char *expected_for(Arena *a, const char *path, const char *ending) {
  const char *name = arena_printf(a, "%.*s%s", (int)(strlen(path) - strlen(".cdl")), path, ending);
  SourceFile *f = source_read(a, name);
  return f ? f->text : NULL;
}

/* ---- the oracle ---- */

typedef struct Comparison { int64_t *written, *other; const char *fault; bool same; } Comparison;

static Comparison compare(Arena *a, const Codelet *c, const Tree *other, int lanes, const int64_t *in, int64_t n) {
  Comparison r = {arena_many(a, int64_t, lanes), arena_many(a, int64_t, lanes), NULL, false};
  LockstepRun x = {lanes, WIDTH, in, n, r.written, NULL}, y = {lanes, WIDTH, in, n, r.other, NULL};
  lockstep_run(a, c, c->body, &x);
  lockstep_run(a, c, other, &y);
  r.fault = x.fault;
  if (x.fault) return r; /* the codelet itself does what it must not */
  if (y.fault) print_error("the rewritten body: %s\n", y.fault);
  r.same = !y.fault && memcmp(r.written, r.other, sizeof(int64_t) * (size_t)lanes) == 0;
  return r;
}

static void print_body(const Codelet *c, const Tree *body) {
  Arena *a = arena_new();
  Buffer b = buffer_new(a);
  tree_print(&b, body, 0);
  print_error("%s:\n%s\n", c->tag, b.text);
  arena_free(a);
}

static int64_t reduced(OperatorKind op, const int64_t *in, int64_t n) {
  int64_t r = op == OPERATOR_MAX ? INT32_MIN : op == OPERATOR_MIN ? INT32_MAX : 0;
  for (int64_t i = 0; i < n; i++)
    r = op == OPERATOR_MAX ? (in[i] > r ? in[i] : r) : op == OPERATOR_MIN ? (in[i] < r ? in[i] : r) : r + in[i];
  return r;
}

/* Runs plain and shuffled form against the written body, over several sizes; with `total`, lane 0 against the
 * sequential reduction as well. The number of runs in which the codelet was well-defined. */
static int check_forms(const Codelet *c, bool total, uint64_t *seed, int rounds) {
  int runs = 0;
  if (!c->plain.body) return 0;
  bool coop = c->kind == CLASS_COOPERATIVE;
  for (int round = 0; round < rounds; round++) {
    Arena *a = arena_new();
    int lanes = coop ? WIDTH * (1 + round % 8) : WIDTH;
    int64_t n = round < 8 ? lanes - (round & 1) : (int64_t)(random_next(seed) % (uint64_t)(lanes + 1));
    if (round == 9) n = 0;
    int64_t *in = arena_many(a, int64_t, n + 1);
    for (int64_t i = 0; i < n; i++) in[i] = (int64_t)(random_next(seed) % 2001) - 1000;
    const Tree *forms[2] = {c->plain.body, c->shuffled.body};
    for (int f = 0; f < 2; f++) {
      if (!forms[f]) continue;
      Comparison r = compare(a, c, forms[f], lanes, in, n);
      if (r.fault && total) fail_msg("%s: %s", c->tag, r.fault);
      if (r.fault) continue;
      if (!r.same || (total && r.other[0] != reduced(c->spectrum->op, in, n))) {
        print_body(c, c->body);
        print_body(c, forms[f]);
        fail_msg("%s: %d lanes, %lld elements: not the same", c->tag, lanes, (long long)n);
      }
      runs++;
    }
    arena_free(a);
  }
  return runs;
}

static void check_unit(const Parsed *p, bool total) {
  uint64_t seed = 7;
  for (int s = 0; s < p->unit->nspectra; s++)
    for (int k = 0; k < p->unit->spectra[s]->ncodelets; k++)
      check_forms(p->unit->spectra[s]->codelets[k], total, &seed, ROUNDS);
}

/* ---- tests ---- */

static void test_files(const char *folder, int at_least) {
  glob_t found;
  Arena *names = arena_new();
  assert_int_equal(glob(arena_printf(names, "%s/tests/passes/%s/*.cdl", root(), folder), 0, NULL, &found), 0);
  int different = 0;
  for (size_t i = 0; i < found.gl_pathc; i++) {
    const char *path = found.gl_pathv[i], *name = strrchr(path, '/') + 1;
    Parsed p = parse_path(path);
    const char *said = remarks(&p), *wanted = expected_for(p.arena, path, ".expected");
    bool hit = strncmp(name, "hit-", 4) == 0 || strcmp(name, "worked-example.cdl") == 0;
    bool refused = strstr(said, ": missed:") || strstr(said, ": error:");
    if (!wanted || strcmp(said, wanted) != 0) {
      print_error("%s says:\n%sexpected:\n%s", path, said, wanted ? wanted : "(no file)\n");
      different++;
    }
    if (hit == refused) {
      print_error("%s: a hit that is refused, or a near miss that is not\n", path);
      different++;
    }
    if (p.ok) check_unit(&p, false);
    quit(&p);
  }
  assert_int_equal(different, 0);
  assert_true((int)found.gl_pathc >= at_least);
  globfree(&found);
  arena_free(names);
}

static void shuffle_files(void **state) { (void)state; test_files("shuffle", 106); }
static void shared_files(void **state) { (void)state; test_files("shared", 18); }
static void map_files(void **state) { (void)state; test_files("map", 14); }

static void check_form(const Parsed *p, const char *tag, int shuffles, int atomics, int arrays_plain,
                       int arrays_shuffled, int64_t lanes) {
  const Codelet *c = tagged(p, tag);
  assert_int_equal(c->plain.shuffles, 0);
  assert_int_equal(c->plain.shared_atomics, atomics);
  assert_int_equal(c->plain.shared_arrays, arrays_plain);
  assert_int_equal(c->shuffled.shuffles, shuffles);
  assert_int_equal(c->shuffled.body != NULL, shuffles > 0);
  if (shuffles) assert_int_equal(c->shuffled.shared_atomics, atomics);
  if (shuffles) assert_int_equal(c->shuffled.shared_arrays, arrays_shuffled);
  assert_int_equal(c->lanes_max, lanes);
}

static void shipped_codelets(void **state) {
  (void)state;
  Parsed p = parse_ours("codelets/sum.cdl");
  assert_true(p.ok);
  check_form(&p, "tree", 2, 0, 2, 1, 1024);
  check_form(&p, "shared_V1", 0, 1, 1, 0, 0);
  check_form(&p, "shared_V2", 1, 1, 2, 1, 0);
  check_form(&p, "kog", 0, 0, 1, 0, 0);
  check_form(&p, "butterfly", 2, 0, 2, 1, 1024);
  const MapChoice tiled = tagged(&p, "tiled")->results;
  assert_true(tiled.atomic && tiled.spectrum && tiled.op == ATOMIC_ADD);
  check_unit(&p, true);
  quit(&p);
}

/* CGO Figs. 1 and 3, MICRO Fig. 2: both loops of 1(c) are found, and all of them add up. */
static void listings(void **state) {
  (void)state;
  static const struct { const char *path; int shuffles; } files[] = {
      {"tests/listings/cgo-1.cdl", 2}, {"tests/listings/cgo-3.cdl", 1}, {"tests/listings/micro-2.cdl", 0}};
  for (int i = 0; i < 3; i++) {
    Parsed p = parse_ours(files[i].path);
    assert_true(p.ok);
    int shuffles = 0;
    for (int k = 0; k < p.unit->spectra[0]->ncodelets; k++)
      shuffles += p.unit->spectra[0]->codelets[k]->shuffled.shuffles;
    assert_int_equal(shuffles, files[i].shuffles);
    check_unit(&p, true);
    quit(&p);
  }
}

/* The hits of the atomic pass compute what their spectrum says. */
static void atomics_add_up(void **state) {
  (void)state;
  static const char *const names[] = {"assign", "compound", "spelled-out", "array", "first-lanes", "sub", "max", "min"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char path[96];
    snprintf(path, sizeof path, "tests/passes/shared/hit-%s.cdl", names[i]);
    Parsed p = parse_ours(path);
    assert_true(p.ok);
    check_unit(&p, true);
    quit(&p);
  }
}

/* What docs/explanations/passes.md shows. */
static void worked_example(void **state) {
  (void)state;
  Parsed p = parse_ours("tests/passes/shuffle/worked-example.cdl");
  assert_true(p.ok);
  const Codelet *c = tagged(&p, "shared_V2");
  Buffer b = buffer_new(p.arena);
  buffer_puts(&b, "// as written\n");
  tree_print(&b, c->body, 0);
  buffer_puts(&b, "// plain\n");
  tree_print(&b, c->plain.body, 0);
  buffer_puts(&b, "// shuffled\n");
  tree_print(&b, c->shuffled.body, 0);
  SourceFile *golden = source_read(p.arena,
                                   arena_printf(p.arena, "%s/tests/golden/shuffle-worked-example.txt", root()));
  assert_non_null(golden);
  assert_string_equal(b.text, golden->text);
  quit(&p);
}

static const char *coop_head = "__codelet int sum(const Array<1,int> in) {\n  int a = 0;\n"
                               "  for (unsigned i = 0; i < in.Size(); ++i) a += in[i];\n  return a;\n}\n";

static int64_t lanes_of(const char *body) {
  Arena *a = arena_new();
  Parsed p = parse_text(arena_printf(a, "%s__codelet __coop __tag(c) int sum(const Array<1,int> in) {\n"
                                        "  Vector v();\n%s}\n",
                                     coop_head, body));
  if (!p.ok) fail_msg("%s", remarks(&p));
  int64_t lanes = tagged(&p, "c")->lanes_max;
  quit(&p);
  arena_free(a);
  return lanes;
}

static void lanes(void **state) {
  (void)state;
  assert_int_equal(lanes_of("  __shared int t[64];\n  t[v.ThreadId()] = 1;\n  return t[0];\n"), 64);
  assert_int_equal(lanes_of("  __shared int t[64];\n  t[v.ThreadId() + 8] = 1;\n  return t[0];\n"), 56);
  assert_int_equal(
      lanes_of("  __shared int t[64];\n  if (v.ThreadId() + 1 <= 64)\n    t[v.ThreadId()] = 1;\n  return t[0];\n"), 0);
  assert_int_equal(
      lanes_of("  __shared int t[64];\n  if (in.Size() > 1 && 60 > v.ThreadId())\n    t[v.ThreadId() + 4] = 1;\n"
               "  return t[0];\n"),
      0);
  assert_int_equal(lanes_of("  __shared int t[64];\n  if (v.ThreadId() < 61)\n    t[v.ThreadId() + 4] = 1;\n  else\n"
                            "    t[v.ThreadId()] = 2;\n  return t[0];\n"), 60);
  assert_int_equal(lanes_of("  __shared int t[in.Size()];\n  t[v.ThreadId()] = 1;\n  return t[0];\n"), 0);
  assert_int_equal(lanes_of("  __shared int t[coopDim()];\n  t[coopIdx()] = 1;\n  return t[0];\n"), 0);
  assert_int_equal(lanes_of("  __shared int t[v.MaxSize()];\n  t[v.VectorId()] = v.VectorId();\n"
                            "  return t[0];\n"), 1024);
  assert_int_equal(lanes_of("  __shared int t[4];\n  t[v.VectorId()] = v.VectorId();\n  return t[0];\n"), 128);
  assert_int_equal(lanes_of("  __shared int t[v.MaxSize()];\n  t[v.LaneId()] = 1;\n  return t[0];\n"), 0);
  assert_int_equal(lanes_of("  __shared int t[v.MaxSize()];\n  if (v.VectorId() == 0)\n    t[v.ThreadId()] = 1;\n"
                            "  return t[0];\n"), 0);
  assert_int_equal(lanes_of("  __shared int t[2 * v.MaxSize()];\n  __shared int u[v.MaxSize()];\n"
                            "  t[v.ThreadId()] = 1;\n  u[v.VectorId()] = 1;\n  return t[0];\n"), 64);
}

/* ---- random codelets ---- */

#ifdef __SANITIZE_ADDRESS__
enum { RANDOM_FILES = 1, MANY_FILES = 2 }; /* of 40 codelets; each takes ten times as long */
#else
enum { RANDOM_FILES = 2, MANY_FILES = 10 };
#endif

#define PICK(list, usual) pick(list, sizeof(list) / sizeof *(list), seed, usual)

/* Mostly the first, the proper one. */
static const char *pick(const char *const *list, size_t n, uint64_t *seed, int usual) {
  if ((int)(random_next(seed) % 100) < usual) return list[0];
  return list[random_next(seed) % n];
}

static void random_codelet(Buffer *b, int number, uint64_t *seed) {
  static const char *const kinds[] = {"int", "unsigned"};
  static const char *const starts[] = {"v.MaxSize() / 2", "1", "v.MaxSize() - 1", "v.MaxSize()", "16", "0",
                                       "v.MaxSize() / 4", "3"};
  static const char *const ends[] = {"o > 0", "o < v.MaxSize()", "o <= v.MaxSize() / 2", "o <= v.MaxSize()",
                                     "o >= 1", "o > 1", "o != 0", "v.Size() > o", "o >= 0"};
  static const char *const steps[] = {"o /= 2", "o *= 2", "o -= 1", "o += 1", "o += 3", "o >>= 1", "o <<= 1",
                                      "o -= 3", "o = o / 3"};
  static const char *const guards[] = {"v.LaneId() + o < v.Size()", "v.LaneId() >= o",
                                       "(v.LaneId() ^ o) < v.Size()", "o < 40", "v.LaneId() + o <= v.Size()",
                                       "v.ThreadId() + o < coopDim()", "v.ThreadId() >= o", "v.LaneId() > o",
                                       "v.LaneId() + o < v.MaxSize() - 1", "v.LaneId() - o >= 0",
                                       "!(v.LaneId() + o >= v.Size())", "o + 1 + v.LaneId() <= v.Size()",
                                       "v.LaneId() + o < v.Size() && val > 0", "v.LaneId() >= o || val > 0"};
  static const char *const indices[] = {"v.ThreadId() + o", "v.ThreadId() - o", "v.ThreadId() ^ o", "v.LaneId() + o",
                                        "v.ThreadId() + o + 1", "v.ThreadId() + 2 * o",
                                        "v.VectorId() * v.MaxSize() + (v.LaneId() ^ o)",
                                        "o + v.LaneId() + v.MaxSize() * v.VectorId()", "v.LaneId() ^ o"};
  static const char *const sums[] = {"val += G ? R : 0", "if (G) val += R", "val = max(val, G ? R : 0)",
                                     "val = (G ? R : 1) - val", "val += R", "val += G ? 0 : R",
                                     "val += (G ? R : 3) * 2", "int t = G ? R : 0; val += t",
                                     "int t = R; val += G ? t : 1", "int t = G ? R : 0; t += val; val = t"};
  static const char *const stores[] = {"tmp[v.ThreadId()] = val",
                                       "if (v.LaneId() < 20) tmp[v.ThreadId()] = val",
                                       "tmp[v.LaneId()] = val", "tmp[v.ThreadId() + 1] = val",
                                       "tmp[v.ThreadId()] = val + 1", "tmp[v.ThreadId()] += val",
                                       "if (v.VectorId() == 0) tmp[v.ThreadId()] = val"};
  static const char *const nothing[] = {"", "val += 1;", "if (o == 2) val = 0;", "if (v.VectorId() == 1) val -= 1;"};
  static const char *const entries[] = {"tmp[v.ThreadId()] = val;", "",
                                        "tmp[v.ThreadId()] = val; val = val + 1;",
                                        "val = tmp[v.ThreadId()];", "if (val > 0) tmp[v.ThreadId()] = val;",
                                        "tmp[v.ThreadId()] = val; if (v.LaneId() == 3) tmp[4] = 9;",
                                        "tmp[v.ThreadId()] = val; if (val < 0) val = 0;",
                                        "tmp[v.LaneId() + v.VectorId() * v.MaxSize()] = val;",
                                        "tmp[v.ThreadId()] = 2 * val;"};
  static const char *const arounds[] = {"", "if (v.VectorId() == 0)", "if (v.LaneId() < 16)",
                                        "if (in.Size() > 40)", "if (v.VectorId() > 0)",
                                        "for (int k = 0; k < 2; k += 1)", "if (val > 0)",
                                        "for (int k = 0; k < v.VectorId(); k += 1)"};
  static const char *const results[] = {"val", "val + tmp[v.ThreadId()]", "val + tmp[v.LaneId()]"};
  static const char *const befores[] = {"", "val += 1;", "tmp[v.ThreadId()] = val;"};
  int usual = 75;
  bool up = random_next(seed) % 2, other = random_next(seed) % 3 == 0;
  const char *guard = other ? guards[1] : PICK(guards, usual), *index = other ? indices[1] : PICK(indices, usual);
  buffer_printf(b, "__codelet __coop __tag(r%d) int sum(const Array<1,int> in) {\n  Vector v();\n"
                   "  __shared int tmp[in.Size() + 96];\n", number);
  buffer_puts(b, "  int val = v.ThreadId() < in.Size() ? in[v.ThreadId()] : 0;\n");
  /* One pick a statement: the order of a call's arguments is the C compiler's choice. */
  const char *entry = PICK(entries, usual), *around = PICK(arounds, usual), *kind = PICK(kinds, usual);
  const char *start = up ? "1" : PICK(starts, usual), *end = up ? "o < v.MaxSize()" : PICK(ends, usual);
  const char *step = up ? "o *= 2" : PICK(steps, usual), *before = PICK(befores, 90), *sum = PICK(sums, usual);
  const char *store = PICK(stores, 85), *after = PICK(nothing, 90), *result = PICK(results, 60);
  buffer_printf(b, "  %s\n  %s {\n    for (%s o = %s; %s; %s) {\n      %s\n      ", entry, around, kind,
                start, end, step, before);
  for (; *sum; sum++) {
    if (*sum == 'G') buffer_printf(b, "(%s)", guard);
    else if (*sum == 'R') buffer_printf(b, "tmp[%s]", index);
    else buffer_putn(b, sum, 1);
  }
  buffer_printf(b, ";\n      %s;\n      %s\n    }\n  }\n  return %s;\n}\n", store, after, result);
}

/* Whatever the pass accepts among these computes the same in every lane. */
static void random_codelets(void **state) {
  (void)state;
  uint64_t made = 1, seed = 99;
  int accepted = 0, refused = 0, runs = 0;
  const int files = getenv("TGC_LONG") ? MANY_FILES : RANDOM_FILES;
  for (int file = 0; file < files; file++) {
    Arena *a = arena_new();
    Buffer b = buffer_new(a);
    buffer_puts(&b, coop_head);
    for (int i = 0; i < 40; i++) random_codelet(&b, i, &made);
    Parsed p = parse_text(b.text);
    if (!p.ok) fail_msg("%s\n%s", remarks(&p), b.text);
    for (int k = 0; k < p.unit->spectra[0]->ncodelets; k++) {
      const Codelet *c = p.unit->spectra[0]->codelets[k];
      if (c->shuffled.body) {
        accepted++;
        runs += check_forms(c, false, &seed, ROUNDS);
      } else refused++;
    }
    quit(&p);
    arena_free(a);
  }
  print_message("%d accepted, %d refused, %d runs\n", accepted, refused, runs);
  assert_true(accepted >= 4 * files && refused >= 10 * files && runs >= 3 * ROUNDS * files);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shuffle_files), cmocka_unit_test(shared_files),   cmocka_unit_test(map_files),
      cmocka_unit_test(shipped_codelets), cmocka_unit_test(listings),    cmocka_unit_test(atomics_add_up),
      cmocka_unit_test(worked_example), cmocka_unit_test(lanes),         cmocka_unit_test(random_codelets),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
