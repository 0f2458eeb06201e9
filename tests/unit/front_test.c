/* The front end: listings as trees, broken input as diagnostics, classes, operators, coverage. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "front/front.h"
#include "golden.h"
#include "ir/operator.h"
#include "ir/signature.h"

static const char *types[] = {"int", "float", "double"};

typedef struct Parsed { Arena *a; Diagnostics *d; Unit *u; } Parsed;

/* What the first line asks for: `// operator: NAME'; NULL: nothing. */
static const char *operator_of_file(Arena *a, const SourceFile *f) {
  static const char asks[] = "// operator: ";
  if (strncmp(f->text, asks, sizeof asks - 1) != 0) return NULL;
  const char *name = f->text + sizeof asks - 1;
  return arena_strndup(a, name, strcspn(name, "\n"));
}

typedef SourceFile *Make(Arena *a, const char *what, Diagnostics *d);

static Parsed parse_file(Make *make, const char *what) {
  Parsed p = {.a = arena_new()};
  p.d = diagnostics_new(p.a);
  SourceFile *f = make(p.a, what, p.d);
  if (f) p.u = front_parse(p.a, f, types, 3, operator_of_file(p.a, f), p.d);
  return p;
}

static SourceFile *from_text(Arena *a, const char *text, Diagnostics *d) {
  (void)d;
  SourceFile *f = arena_one(a, SourceFile);
  *f = (SourceFile){.path = "test.cdl", .text = arena_strdup(a, text), .size = strlen(text)};
  return f;
}

static Parsed parse_text(const char *text) { return parse_file(from_text, text); }

static void end(Parsed *p) { arena_free(p->a); }

/* Does some diagnostic at that level say this? */
static bool says(const Parsed *p, DiagnosticLevel level, const char *what) {
  for (int i = 0; i < p->d->list.n; i++)
    if (p->d->list.at[i].level == level && strstr(p->d->list.at[i].message, what)) return true;
  return false;
}

static const char *trees(Parsed *p) {
  static const char *const kinds[] = {"autonomous", "cooperative", "compound"};
  Buffer b = buffer_new(p->a);
  for (int i = 0; i < p->u->nspectra; i++) {
    const Spectrum *s = p->u->spectra[i];
    buffer_printf(&b, "spectrum %s: %s\n", s->name, operator_name(s->op));
    for (int k = 0; k < s->ncodelets; k++) {
      buffer_printf(&b, "\n%c %s, %s\n", s->codelets[k]->letter, s->codelets[k]->tag, kinds[s->codelets[k]->kind]);
      tree_print(&b, s->codelets[k]->body, 0);
    }
  }
  return b.text;
}

static void listings_parse_as_printed(void **state) {
  (void)state;
  static const char *const names[] = {"micro-2", "cgo-1", "cgo-3"};
  for (int i = 0; i < 3; i++) {
    char in[64], out[64];
    snprintf(in, sizeof in, "tests/listings/%s.cdl", names[i]);
    snprintf(out, sizeof out, "tests/golden/front/%s.tree", names[i]);
    Parsed p = parse_file(golden_codelets, in);
    if (!p.u) fail_msg("%s", golden_diagnostics(p.a, p.d, 0));
    golden_compare(p.a, out, trees(&p));
    end(&p);
  }
}

static void shipped_codelets_parse(void **state) {
  (void)state;
  static const char *const names[] = {"codelets/sum.cdl", "examples/max.cdl"};
  for (int i = 0; i < 2; i++) {
    Parsed p = parse_file(golden_codelets, names[i]);
    if (!p.u) fail_msg("%s", golden_diagnostics(p.a, p.d, 0));
    const Spectrum *s = p.u->spectra[0];
    assert_int_equal(s->op, i == 0 ? OPERATOR_ADD : OPERATOR_MAX);
    assert_int_equal(s->result, TYPE_ELEM);
    for (int k = 0; k < s->ncodelets; k++) {
      assert_true(s->codelets[k]->generic);
      if (!tree_verify(s->codelets[k]->body, FORM_CODELET, s->codelets[k]->params, s->codelets[k]->nparams,
                       "front", p.d))
        fail_msg("%s", golden_diagnostics(p.a, p.d, 0));
    }
    end(&p);
  }
}

/* A codelet's parameters as they are declared. */
static void print_parameters(Buffer *b, const Codelet *k) {
  buffer_puts(b, "(");
  for (int i = 0; i < k->nparams; i++) {
    const Symbol *s = k->params[i];
    if (i) buffer_puts(b, ", ");
    for (int dim = 0; dim < s->rank; dim++) {
      const Symbol *same = shape_same(&s->shape[dim]);
      if (same) buffer_printf(b, "__like(%s, %d) ", same->name, s->shape[dim].dim[0]);
      else if (s->shape[dim].said) buffer_puts(b, "__shape ");
    }
    if (s->by_columns) buffer_puts(b, "__by_columns ");
    if (s->atomic) buffer_printf(b, "__accum(%s) ", atomic_name(s->atomic));
    else if (s->writable) buffer_puts(b, "__mutable ");
    if (s->rank) buffer_printf(b, "Array<%d, %s> %s", s->rank, type_name(s->type), s->name);
    else buffer_printf(b, "%s %s", type_name(s->type), s->name);
  }
  buffer_puts(b, ")\n");
}

/* All but sum, which sum.cdl has. */
static const char *trees_and_parameters(Parsed *p) {
  static const char *const kinds[] = {"autonomous", "cooperative", "compound"};
  Buffer b = buffer_new(p->a);
  for (int i = 0; i < p->u->nspectra; i++) {
    const Spectrum *s = p->u->spectra[i];
    if (i > 0 && strcmp(s->name, "sum") == 0) continue;
    buffer_printf(&b, "%sspectrum %s: %s\n", i ? "\n" : "", s->name, operator_name(s->op));
    for (int k = 0; k < s->ncodelets; k++) {
      const Codelet *c = s->codelets[k];
      buffer_printf(&b, "\n%s, %s%s ", c->tag, kinds[c->kind], c->keeps_order ? " in order" : "");
      print_parameters(&b, c);
      tree_print(&b, c->body, 0);
    }
  }
  return b.text;
}

static void codelets_of_several_containers_parse(void **state) {
  (void)state;
  static const char *const names[] = {
      "codelets/vadd", "codelets/saxpy", "codelets/dot", "codelets/segmented_sum", "codelets/segmented_sum_offsets",
      "codelets/scan", "codelets/exclusive_scan", "codelets/gemv", "codelets/gemv_columns", "codelets/histogram",
      "codelets/segmented_scan", "codelets/segmented_scan_offsets", "codelets/gemm", "codelets/jacobi",
      "codelets/transpose", "codelets/convolve", "codelets/convolve2",
      "codelets/column_sums", "codelets/row_max", "codelets/row_arg_max", "codelets/ger", "codelets/syrk",
      "codelets/jacobi3", "codelets/gemm_batched", "codelets/gemm_avx2", "codelets/gemm_avx512", "codelets/dot_bytes",
      "codelets/gemm_scaled", "codelets/softmax", "codelets/logsumexp", "codelets/layer_norm", "codelets/spmv",
      "codelets/copy_if", "codelets/unique", "codelets/run_length", "codelets/kmeans_assign", "codelets/kmeans_update",
      "codelets/kmeans_turn",
      "codelets/sort_bit", "codelets/kmeans", "codelets/sort", "codelets/sort_pairs", "codelets/bfs",
      "codelets/bfs_edges", "codelets/bfs_queue", "codelets/bfs_both", "codelets/sssp",
      "tests/listings/views", "tests/listings/sums", "tests/listings/stores", "tests/listings/stencils"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char in[64], out[64];
    snprintf(in, sizeof in, "%s.cdl", names[i]);
    snprintf(out, sizeof out, "tests/golden/front/%s.tree", strrchr(names[i], '/') + 1);
    Parsed p = parse_file(golden_codelets, in);
    for (int s = 0; p.u && s < p.u->nspectra; s++)
      for (int k = 0; k < p.u->spectra[s]->ncodelets; k++) {
        const Codelet *c = p.u->spectra[s]->codelets[k];
        if (c->kind == CLASS_COMPOUND) front_compound(c, p.d);
        tree_verify(c->body, FORM_CODELET, c->params, c->nparams, "front", p.d);
      }
    if (!p.u || p.d->errors) fail_msg("%s: %s", in, golden_diagnostics(p.a, p.d, 0));
    golden_compare(p.a, out, trees_and_parameters(&p));
    end(&p);
  }
}

/* What the composition would leave out of a compound codelet, or never end with. */
static void compound_codelets_say_what_is_carried_out(void **state) {
  (void)state;
  static const char head[] =
      "template <typename T> __codelet T sum(const Array<1,T> in) { T a = 0;"
      " for (int i = 0; i < in.Size(); i++) a += in[i]; return a; }\n"
      "template <typename T> __codelet void fill(T v, __mutable Array<1,T> y) { y[0] = v; }\n"
      "template <typename T> __codelet T twice(T v) { return v + v; }\n"
      "template <typename T> __codelet __tag(x) %s { __tunable unsigned p; unsigned n = y.Size();\n%s }\n";
  static const char returns[] = "T sum(const Array<1,T> y)", fills[] = "void fill(T v, __mutable Array<1,T> y)";
#define PARTS "partition(y, p, sequence(0, 1, p), sequence(p), sequence(n))"
  static const struct { const char *signature, *body, *error;
  } rows[] = {
      {returns, "return sum(map(sum<T>, " PARTS "));", NULL},
      {returns, "return sum(transform(twice<T>, y));", NULL},
      {returns, "T all = sum(take(y, n)); return all;", NULL},
      {returns,
       "Map m(sum<T>, " PARTS "); Map k(sum<T>, partition(m, p, sequence(0, 1, p), sequence(p), sequence(p)));"
       " return sum(k);",
       NULL},
      {returns, "return sum(y);", "returns a spectrum of its map"},
      {returns, "return sum(map(sum<T>, " PARTS ")) + 1;", "returns a spectrum of its map"},
      {returns, "T all = 1 + sum(take(y, n)); return all;", "`p' has no value, and is no number of parts"},
      {returns, "Map m(sum<T>, " PARTS "); T all = sum(m); T more = sum(take(y, n)); return more;",
       "`sum' is applied beside a map"},
      {returns, "Map m(sum<T>, " PARTS "); return sum(take(y, n));", "the results of `m' are not used"},
      {returns, "Map m(sum<T>, " PARTS "); m.atomicAdd(); return sum(map(sum<T>, " PARTS "));", "several maps"},
      {fills, "map(fill<T>, v, " PARTS ");", NULL},
      {fills, "Array<1,T> c(p); fill<T>(v, c); map(fill<T>, elements(c), " PARTS ");", NULL},
      {fills, "fill<T>(v, y);", "applies itself to all of its containers"},
      {fills, "map(fill<T>, v, " PARTS "); y[0] = v;", "declarations, a map and a return only"},
  };
#undef PARTS
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[2048];
    snprintf(text, sizeof text, head, rows[i].signature, rows[i].body);
    Parsed p = parse_text(text);
    if (!p.u) fail_msg("%s: %s", rows[i].body, golden_diagnostics(p.a, p.d, 0));
    Codelet *c = unit_spectrum(p.u, strstr(rows[i].signature, "sum") ? "sum" : "fill")->codelets[1];
    assert_int_equal(front_compound(c, p.d), rows[i].error == NULL);
    if (rows[i].error && !says(&p, DIAG_ERROR, rows[i].error))
      fail_msg("%s: %s", rows[i].body, golden_diagnostics(p.a, p.d, 0));
    for (int k = 0; k < p.d->list.n; k++) assert_non_null(p.d->list.at[k].where.file);
    end(&p);
  }
}

/* Halos and left-out elements are fine where parts are only read and nothing is combined. */
static void parts_that_are_read_may_overlap(void **state) {
  (void)state;
  Parsed p = parse_text("template <typename T> __codelet void f(const Array<1,T> x, __mutable Array<1,T> y) {"
                        " y[0] = x[0]; }\n"
                        "template <typename T> __codelet __tag(halo) void f(const Array<1,T> x,"
                        " __mutable Array<1,T> y) { __tunable unsigned p; unsigned n = x.Size();\n"
                        "map(f<T>, partition(x, p, sequence(0, 1, n), sequence(1), sequence(3, 1, n)),\n"
                        "partition(y, p, sequence(0, 1, p), sequence(p), sequence(y.Size()))); }\n");
  if (!p.u) fail_msg("%s", golden_diagnostics(p.a, p.d, 0));
  assert_true(says(&p, DIAG_REMARK, "parts have elements in common") ||
              says(&p, DIAG_REMARK, "the parts do not cover all of their container"));
  end(&p);
}

/* The first spectrum is what is compiled: the first that is declared, whoever calls whom, and no function. */
static void spectra_stand_in_order(void **state) {
  (void)state;
  Parsed p = parse_text("template <typename T> __codelet T mul(T a, T b) { return a * b; }\n"
                        "template <typename T> __codelet T dot(const Array<1,T> x, const Array<1,T> y);\n"
                        "template <typename T> __codelet T sum(const Array<1,T> in) { return in[0]; }\n"
                        "template <typename T> __codelet T dot(const Array<1,T> x, const Array<1,T> y) {"
                        " return sum(transform(mul<T>, zip(x, y))); }\n");
  if (!p.u) fail_msg("%s", golden_diagnostics(p.a, p.d, 0));
  assert_string_equal(p.u->spectra[0]->name, "dot");
  assert_string_equal(p.u->spectra[1]->name, "sum");
  assert_string_equal(p.u->spectra[2]->name, "mul");
  end(&p);
}

/* A number that one codelet counts with is a size in all of them, and in those that pass it on. */
static void numbers_that_count_are_sizes(void **state) {
  (void)state;
  Parsed p = parse_text("template <typename T> __codelet T f(const Array<1,T> in, unsigned n, int k) { T a = 0;"
                        " for (unsigned i = 0; i < n; i++) a += in[i] * k; return a; }\n"
                        "template <typename T> __codelet __tag(b) T f(const Array<1,T> in, unsigned m, int k) {"
                        " return in[0] * k; }\n"
                        "template <typename T> __codelet T g(const Array<1,T> in, unsigned n, int k) {"
                        " return f(in, n, k); }\n");
  if (!p.u) fail_msg("%s", golden_diagnostics(p.a, p.d, 0));
  for (int i = 0; i < 3; i++) {
    const Codelet *c = i < 2 ? p.u->spectra[0]->codelets[i] : p.u->spectra[1]->codelets[0];
    assert_int_equal(c->params[1]->type, TYPE_INDEX);
    assert_int_equal(c->params[2]->type, TYPE_INT);
  }
  end(&p);
}

static void scans_have_operators(void **state) {
  (void)state;
  static const struct { const char *start, *step; OperatorKind op; } rows[] = {
      {"carry", "a += in[i]; out[i] = a;", OPERATOR_ADD}, {"carry", "out[i] = a; a = max(a, in[i]);", OPERATOR_MAX},
      {"carry", "int x = in[i]; out[i] = a; a += x;", OPERATOR_ADD},
      {"carry", "a += in[i]; out[i] = 2 * a;", OPERATOR_NONE}, {"carry", "a += in[i]; out[0] = a;", OPERATOR_NONE},
      {"carry", "a += in[i]; if (i > 0) out[i] = a;", OPERATOR_NONE}, {"carry", "a += in[i];", OPERATOR_NONE},
      {"carry", "a += in[i] * in[i]; out[i] = a;", OPERATOR_NONE}, {"5", "a += in[i]; out[i] = a;", OPERATOR_NONE},
      {"carry + 1", "a += in[i]; out[i] = a;", OPERATOR_NONE}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[512];
    snprintf(text, sizeof text,
             "__codelet int scan(const Array<1,int> in, int carry, __mutable Array<1,int> out) { int a = %s;"
             " for (int i = 0; i < in.Size(); i++) { %s } return a; }", rows[i].start, rows[i].step);
    Parsed p = parse_text(text);
    if (!p.u) fail_msg("%s", golden_diagnostics(p.a, p.d, 0));
    assert_int_equal(p.u->spectra[0]->op, rows[i].op);
    end(&p);
  }
}

/* An exclusive scan stores what it has before it accumulates, whatever stands around these two. */
static void scans_that_exclude(void **state) {
  (void)state;
  static const struct { const char *loop; bool excludes; } rows[] = {
      {"for (int i = 0; i < in.Size(); i++) { out[i] = a; a += in[i]; }", true},
      {"for (int i = 0; i < in.Size(); i++) { a += in[i]; out[i] = a; }", false},
      {"for (int i = 0; i < in.Size(); i++) { int x = in[i]; out[i] = a; a += x; }", true},
      {"int i = 0; while (i < in.Size()) { int x = in[i]; a += x; out[i] = a; i++; }", false},
      {"int i = 0; while (i < in.Size()) { out[i] = a; a += in[i]; i++; }", true}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[512];
    snprintf(text, sizeof text, "__codelet int scan(const Array<1,int> in, int carry, __mutable Array<1,int> out) {"
             " int a = carry; %s return a; }", rows[i].loop);
    Parsed p = parse_text(text);
    if (!p.u) fail_msg("%s", golden_diagnostics(p.a, p.d, 0));
    assert_int_equal(p.u->spectra[0]->op, OPERATOR_ADD);
    assert_int_equal(spectrum_excludes(p.u->spectra[0]), rows[i].excludes);
    end(&p);
  }
}

static void the_printed_strided_partition_is_reported(void **state) {
  (void)state;
  Parsed p = parse_file(golden_codelets, "tests/listings/micro-2d-printed.cdl");
  assert_null(p.u);
  golden_compare(p.a, "tests/golden/front/micro-2d-printed.txt", golden_diagnostics(p.a, p.d, 0));
  end(&p);
}

static void broken_input_is_located(void **state) {
  (void)state;
  Arena *a = arena_new();
  int n;
  const char **files = golden_files(a, "tests/errors", ".cdl", &n);
  assert_true(n >= 20);
  for (int i = 0; i < n; i++) {
    Parsed p = parse_file(golden_codelets, files[i]);
    if (p.u) fail_msg("%s parses", files[i]);
    assert_true(p.d->errors > 0);
    for (int k = 0; k < p.d->list.n; k++) assert_non_null(p.d->list.at[k].where.file);
    const char *expected = arena_printf(a, "%.*s.expected", (int)(strlen(files[i]) - 4), files[i]);
    golden_compare(p.a, expected, golden_diagnostics(p.a, p.d, 0));
    end(&p);
  }
  arena_free(a);
}

static void deep_nesting_is_refused(void **state) {
  (void)state;
  Arena *a = arena_new();
  Buffer b = buffer_new(a);
  buffer_puts(&b, "__codelet int f(const Array<1,int> in) { return ");
  buffer_fill(&b, '(', 100000);
  Parsed p = parse_text(b.text);
  assert_null(p.u);
  assert_true(says(&p, DIAG_ERROR, "nested too deep"));
  end(&p);
  arena_free(a);
}

static void a_megabyte_parses(void **state) {
  (void)state;
  Arena *a = arena_new();
  Buffer b = buffer_new(a);
  buffer_puts(&b, "__codelet int f(const Array<1,int> in) {\n  int s = 0;\n");
  while (b.length < 1000000) buffer_puts(&b, "  // a long comment that says nothing at all about the codelet\n");
  for (int i = 0; i < 2000; i++) buffer_puts(&b, "  s = 0;\n");
  buffer_puts(&b, "  for (int i = 0; i < in.Size(); i++) s += in[i];\n  return s;\n}\n");
  Parsed p = parse_text(b.text);
  assert_non_null(p.u);
  assert_int_equal(p.u->spectra[0]->op, OPERATOR_ADD);
  end(&p);
  arena_free(a);
}

static const char loop[] =
    "__codelet %s f(const Array<1,%s> in) { %s a%s; for (int i = 0; i < in.Size(); i++) %s; return a; }";

/* A loop that adds up is a reduction, too, if it begins with nothing, and is all there is. */
static void lone_totals_are_reductions(void **state) {
  static const struct { const char *start, *statement; bool total; } all[] = {
      {"0", "a += x[i]", true}, {"0", "a += x[i] * x[i]", true}, {"0", "if (x[i] > 3) a += 2 * x[i]", true},
      {"1", "a *= x[i]", true}, {"lowest<int>()", "a = max(a, x[i])", true},
      {"1", "a += x[i]", false}, {"0", "a = x[i] - a", false}, {"0", "a += x[i / 2]", false}};
  (void)state;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    char text[512];
    snprintf(text, sizeof text, "__codelet int f(const Array<1,int> x) { int a = %s; "
             "for (unsigned i = 0; i < x.Size(); ++i) %s; return a; }", all[i].start, all[i].statement);
    Parsed p = parse_text(text);
    if (!p.u) fail_msg("%s", golden_diagnostics(p.a, p.d, 0));
    const Spectrum *s = p.u->spectra[0];
    const bool total = strcmp(s->codelets[s->ncodelets - 1]->tag, "totalled") == 0;
    if (total != all[i].total) fail_msg("%s: %s", text, s->codelets[s->ncodelets - 1]->tag);
    end(&p);
  }
}

static OperatorKind operator_from(const char *start, const char *statement) {
  char text[512];
  snprintf(text, sizeof text, loop, "int", "int", "int", start, statement);
  Parsed p = parse_text(text);
  if (!p.u) fail_msg("%s", golden_diagnostics(p.a, p.d, 0));
  OperatorKind op = p.u->spectra[0]->op;
  end(&p);
  return op;
}

static OperatorKind operator_found(const char *statement) { return operator_from(" = 0", statement); }

static const Spectrum *instance(const Unit *u, const char *name) {
  for (int i = 0; i < u->nspectra; i++)
    if (strcmp(u->spectra[i]->name, name) == 0) return u->spectra[i];
  fail_msg("no spectrum %s", name);
  return NULL;
}

/* Each has codelets of its own, read from the same text; what nobody has named an operator for is left out. */
static void named_operators_are_spectra_of_their_own(void **state) {
  (void)state;
  Parsed p = parse_text(
      "template <typename T> __codelet T f(const Array<1, T> x);\n"
      "template <typename T> struct __monoid(associative) Last {\n"
      "  struct One { T value; int any; };\n  static One id() { return {0, 0}; }\n"
      "  static One op(One a, One b) { return b.any ? b : a; }\n  static One lift(T x) { return {x, 1}; }\n"
      "  static T finish(One a) { return a.value; }\n};\n"
      "template <typename M, typename T> __codelet T fold(const Array<1, T> in) {\n"
      "  T all = M::id();\n  for (unsigned i = 0; i < in.Size(); ++i) all = M::op(all, in[i]);\n  return all;\n}\n"
      "template <typename T> __codelet T f(const Array<1, T> x) {\n"
      "  T most = fold<Max, T>(x);\n  return most - fold<Min, T>(x) + fold<Last, T>(x);\n}\n"
      "__codelet int g(const Array<1, int> x) { return fold<Last, int>(x); }\n");
  if (!p.u) fail_msg("%s", golden_diagnostics(p.a, p.d, 0));
  assert_null(unit_spectrum(p.u, "fold"));
  assert_int_equal(instance(p.u, "fold_max")->op, OPERATOR_MAX);
  assert_int_equal(instance(p.u, "fold_min")->op, OPERATOR_MIN);
  assert_int_equal(instance(p.u, "fold_last")->result, TYPE_ELEM);
  const Spectrum *states = instance(p.u, "fold_last_states");
  assert_int_equal(states->op, OPERATOR_USER);
  assert_int_equal(states->result, TYPE_STATE);
  assert_true(states->codelets[0]->generic);
  int fixed = 0;
  for (int i = 0; i < p.u->nspectra; i++) fixed += p.u->spectra[i]->result == TYPE_FIXED_STATE;
  assert_int_equal(fixed, 2); /* one that makes states of ints, and one of these */
  end(&p);
}

static void operators_are_told_from_accumulations(void **state) {
  (void)state;
  assert_int_equal(operator_found("a += in[i]"), OPERATOR_ADD);
  assert_int_equal(operator_found("a = in[i] + a"), OPERATOR_ADD);
  assert_int_equal(operator_from(" = 1", "a *= in[i]"), OPERATOR_MUL);
  assert_int_equal(operator_found("a ^= in[i]"), OPERATOR_XOR);
  assert_int_equal(operator_found("a = max(a, in[i])"), OPERATOR_MAX);
  assert_int_equal(operator_found("a = in[i] > a ? in[i] : a"), OPERATOR_MAX);
  assert_int_equal(operator_found("a = in[i] > a ? a : in[i]"), OPERATOR_MIN);
  assert_int_equal(operator_found("if (in[i] < a) a = in[i]"), OPERATOR_MIN);
}

static void what_is_no_reduction_has_no_operator(void **state) {
  (void)state;
  assert_int_equal(operator_found("a += in[i] * in[i]"), OPERATOR_NONE);
  assert_int_equal(operator_found("a -= in[i]"), OPERATOR_NONE);
  assert_int_equal(operator_found("a += in[i] + 1"), OPERATOR_NONE);
  assert_int_equal(operator_found("a = in[i]"), OPERATOR_NONE);
  assert_int_equal(operator_found("if (in[i] > 3) a += in[i]"), OPERATOR_NONE);
  assert_int_equal(operator_found("{ a += in[i]; a *= in[i]; }"), OPERATOR_NONE);
  assert_int_equal(operator_found("a = in[i] > a ? in[i] : 0"), OPERATOR_NONE);
}

/* The operator of a codelet of ints with that body around `int a = 0;' and `return a;'. */
static OperatorKind operator_of_body(const char *statements) {
  char text[512];
  snprintf(text, sizeof text, "__codelet int f(const Array<1,int> in) { int a = 0; %s return a; }", statements);
  Parsed p = parse_text(text);
  if (!p.u) fail_msg("%s: %s", statements, golden_diagnostics(p.a, p.d, 0));
  OperatorKind op = p.u->spectra[0]->op;
  end(&p);
  return op;
}

static void every_element_once_however_it_is_written(void **state) {
  (void)state;
  static const char *const once[] = {
      "for (int i = 0; i != in.Size(); i += in.Stride()) a += in[i];",
      "for (unsigned i = in.Size(); i > 0; --i) a += in[i - 1];",
      "for (int i = in.Size() - 1; i >= 0; --i) a += in[i];",
      "for (int i = 1; i <= in.Size(); ++i) a += in[i - 1];",
      "for (int i = 0; i < in.Size(); ++i) a += in[in.Size() - 1 - i];",
      "for (int i = 0; in.Size() > i; i = i + 1) { int x = in[i]; a = x + a; }",
      "int i = 0; while (i < in.Size()) { unsigned here = i; i++; a += in[here]; }",
      "int n = in.Size(); int j = 5; for (int i = 0; i < n; ++i) { j = i; a += in[j]; }",
      "int h = in.Size() / 3; for (int i = 0; i < h; ++i) a += in[i]; for (int i = h; i < in.Size(); ++i) a += in[i];"};
  for (size_t i = 0; i < sizeof once / sizeof *once; i++)
    if (operator_of_body(once[i]) != OPERATOR_ADD) fail_msg("no reduction: %s", once[i]);
}

static void loops_that_are_no_reduction(void **state) {
  (void)state;
#define UP "for (int i = 0; i < in.Size(); ++i) "
  static const char *const others[] = {
      "for (int i = 0; i < in.Size(); i += 2) a += in[i];", "for (int i = 0; i < in.Size(); i *= 2) a += in[i];",
      "for (int i = 1; i < in.Size(); ++i) a += in[i];", "for (int i = 0; i <= in.Size(); ++i) a += in[i];",
      "for (int i = 0; i < in.Size() - 1; ++i) a += in[i];", "for (int i = 0; i < 10; ++i) a += in[i];",
      "for (int i = 0; i < in.Size() && i < 99; ++i) a += in[i];",
      "for (int i = in.Size() - 1; i > 0; --i) a += in[i];",
      UP "a += in[0];", UP "a += in[i / 2];", UP "a += in[in.Size() - i];", UP "{ a += in[i]; ++i; }",
      UP "a += in[i]; " UP "a += in[i];", "for (int k = 0; k < 2; ++k) " UP "a += in[i];",
      UP "{ a += in[i]; a += in[i]; }", UP "if (i != 3) a += in[i];", UP "{ if (in[i] == 7) break; a += in[i]; }",
      UP "{ a += in[i]; if (a > 100) a = 100; }", UP "a += in[i]; a *= 2;", UP "a += in[i]; a = 0;",
      UP "{ int x = in[i]; x = 1; a += x; }", "int x = in[0]; " UP "a += x;",
      UP "{ int j = i; j = j + 1; a += in[j]; }",
      "int j = 0; " UP "{ a += in[j]; j = i; }", "int b = 0; " UP "{ a += in[i]; b += in[i]; } a = b;",
      "int n = in.Size(); for (int i = 0; i < n; ++i) { a += in[i]; n = n - 1; }",
      "int h = in.Size() / 3; for (int i = 0; i < h; ++i) a += in[i];"
      " for (int i = h + 1; i < in.Size(); ++i) a += in[i];",
      "for (int i = 0; i < 1; ++i) a += in[i]; for (int i = 1; i < in.Size(); ++i) a += in[i];",
      "int first = in[0]; a = first; " UP "a = max(a, in[i]);"};
#undef UP
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (operator_of_body(others[i]) != OPERATOR_NONE) fail_msg("taken for a reduction: %s", others[i]);
}

/* max() passes over a NaN. A comparison with one fails: what is kept then has to be the accumulator. */
static void comparisons_that_let_nan_through(void **state) {
  (void)state;
  static const struct { const char *statement; OperatorKind of_ints, of_reals; } rows[] = {
      {"a = in[i] > a ? in[i] : a", OPERATOR_MAX, OPERATOR_MAX},
      {"a = a <= in[i] ? in[i] : a", OPERATOR_MAX, OPERATOR_MAX},
      {"if (a > in[i]) a = in[i]", OPERATOR_MIN, OPERATOR_MIN},
      {"a = in[i] <= a ? a : in[i]", OPERATOR_MAX, OPERATOR_NONE},
      {"a = a > in[i] ? a : in[i]", OPERATOR_MAX, OPERATOR_NONE},
      {"a = a < in[i] ? a : in[i]", OPERATOR_MIN, OPERATOR_NONE}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (int real = 0; real < 3; real++) {
      char text[512];
      const char *type = real == 0 ? "int" : real == 1 ? "float" : "T";
      snprintf(text, sizeof text, loop, type, type, type, " = 0", rows[i].statement);
      Arena *a = arena_new();
      Parsed p = parse_text(arena_printf(a, "%s%s", real == 2 ? "template <typename T> " : "", text));
      if (!p.u) fail_msg("%s", golden_diagnostics(p.a, p.d, 0));
      assert_int_equal(p.u->spectra[0]->op, real ? rows[i].of_reals : rows[i].of_ints);
      end(&p);
      arena_free(a);
    }
}

static void accumulators_hold_their_elements(void **state) {
  (void)state;
  static const struct { const char *accumulator, *element; OperatorKind op; } rows[] = {
      {"int", "float", OPERATOR_NONE}, {"double", "float", OPERATOR_ADD}, {"long", "int", OPERATOR_ADD}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[512];
    snprintf(text, sizeof text, loop, rows[i].accumulator, rows[i].element, rows[i].accumulator, " = 0", "a += in[i]");
    Parsed p = parse_text(text);
    if (!p.u) fail_msg("%s", golden_diagnostics(p.a, p.d, 0));
    assert_int_equal(p.u->spectra[0]->op, rows[i].op);
    end(&p);
  }
}

/* Every part starts so, an empty one too: a sum from 5 would add 5 a lane. The greatest of any constant is it again. */
static void accumulators_start_at_the_identity(void **state) {
  (void)state;
  assert_int_equal(operator_from(" = 5", "a += in[i]"), OPERATOR_NONE);
  assert_int_equal(operator_from("", "a += in[i]"), OPERATOR_NONE);
  assert_int_equal(operator_from("; a = 0", "a += in[i]"), OPERATOR_ADD);
  assert_int_equal(operator_from("; a = 1", "a += in[i]"), OPERATOR_NONE);
  assert_int_equal(operator_from(" = 0", "a *= in[i]"), OPERATOR_NONE);
  assert_int_equal(operator_from(" = 1", "a ^= in[i]"), OPERATOR_NONE);
  assert_int_equal(operator_from(" = in.Size()", "a += in[i]"), OPERATOR_NONE);
  assert_int_equal(operator_from(" = in[0]", "a = max(a, in[i])"), OPERATOR_NONE);
  assert_int_equal(operator_from(" = -7", "a = max(a, in[i])"), OPERATOR_MAX);
}

static void sizes_are_64_bits_wide(void **state) {
  (void)state;
  Parsed p = parse_text("__codelet int f(const Array<1,int> in) { unsigned len = in.Size(); int half = len / 2;"
                        " int a = 0; int n = 3; for (unsigned i = 0; i < half; i++) a += in[i];"
                        " for (int k = half; k < len; k++) a += in[k]; return a; }");
  if (!p.u) fail_msg("%s", golden_diagnostics(p.a, p.d, 0));
  Buffer b = buffer_new(p.a);
  tree_print(&b, p.u->spectra[0]->codelets[0]->body, 0);
  assert_non_null(strstr(b.text, "Index len"));
  assert_non_null(strstr(b.text, "Index half"));
  assert_non_null(strstr(b.text, "Index i"));
  assert_non_null(strstr(b.text, "Index k"));
  assert_non_null(strstr(b.text, "int a"));
  assert_non_null(strstr(b.text, "int n"));
  end(&p);
}

static void generic_code_keeps_its_type_apart(void **state) {
  (void)state;
  Parsed p = parse_text("template <typename E> __codelet E f(const Array<1, E> in) { E a = 0; float x = 2; "
                        "double y = x; for (int i = 0; i < in.Size(); i++) a += in[i]; return a; }");
  if (!p.u) fail_msg("%s", golden_diagnostics(p.a, p.d, 0));
  Buffer b = buffer_new(p.a);
  tree_print(&b, p.u->spectra[0]->codelets[0]->body, 0);
  assert_non_null(strstr(b.text, "T a = 0"));
  assert_non_null(strstr(b.text, "float x"));
  assert_non_null(strstr(b.text, "double y"));
  end(&p);
}

/* T is what each of them is applied for: in what they apply themselves, in functions, and where C++ deduces it. */
static void codelets_of_certain_types_apply_generic_ones(void **state) {
  (void)state;
  Parsed p = parse_text("__codelet float f(const Array<1, int> x, const Array<1, float> y);\n"
                        "template <typename T> __codelet T part(T x) { return x * 0.5; }\n"
                        "template <typename T> __codelet __tag(one) T sum(const Array<1, T> in) { T a = 0;"
                        " for (int i = 0; i < in.Size(); i++) a += part(in[i]); return a; }\n"
                        "template <typename T> __codelet __tag(some) T sum(const Array<1, T> in) {"
                        " return sum<T>(take(in, 4)); }\n"
                        "__codelet float f(const Array<1, int> x, const Array<1, float> y) {"
                        " return (float)part(sum(x)) * sum<float>(y); }\n");
  if (!p.u) fail_msg("%s", golden_diagnostics(p.a, p.d, 0));
  const Spectrum *generic = unit_spectrum(p.u, "sum"), *of[2] = {NULL, NULL};
  assert_int_equal(generic->result, TYPE_ELEM);
  int n = 0;
  for (int i = 0; i < p.u->nspectra; i++)
    if (p.u->spectra[i]->instance_of == generic) of[n++] = p.u->spectra[i];
  assert_int_equal(n, 2);
  assert_int_equal(of[0]->result, TYPE_INT);
  assert_int_equal(of[1]->result, TYPE_FLOAT);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(of[i]->ncodelets, 2);
    assert_ptr_equal(of[i]->codelets[1]->body->kid[0]->kid[0]->spectrum, of[i]);
  }
  Buffer b = buffer_new(p.a);
  for (int i = 0; i < 2; i++) tree_print(&b, of[i]->codelets[0]->body, 0);
  tree_print(&b, p.u->spectra[0]->codelets[0]->body, 0);
  assert_non_null(strstr(b.text, "int a = 0"));
  assert_non_null(strstr(b.text, "float a = 0"));
  assert_null(strstr(b.text, "T"));
  end(&p);
}

static void environments_and_tags(void **state) {
  (void)state;
  Parsed p = parse_text("__codelet __env(sm_60, sm_90) __tag(fast) int f(const Array<1,int> in) { return in[0]; }\n"
                        "__codelet int f(const Array<1,int> in) { return in[0]; }\n"
                        "__codelet int f(const Array<1,int> in) { return in[1]; }\n");
  if (!p.u) fail_msg("%s", golden_diagnostics(p.a, p.d, 0));
  const Spectrum *s = p.u->spectra[0];
  assert_int_equal(s->codelets[0]->nenv, 2);
  assert_string_equal(s->codelets[0]->env[1], "sm_90");
  assert_string_equal(s->codelets[0]->tag, "fast");
  assert_string_equal(s->codelets[1]->tag, "serial");
  assert_string_equal(s->codelets[2]->tag, "serial2");
  end(&p);
}

static void data_dependent_partitions_are_not_judged(void **state) {
  (void)state;
  Parsed p = parse_text("__codelet int f(const Array<1,int> in) { int a = 0;"
                        " for (int i = 0; i < in.Size(); i++) a += in[i]; return a; }\n"
                        "__codelet __tag(odd) int f(const Array<1,int> in) { __tunable int p; int w = in[0]; "
                        "return f(map(f, partition(in, p, sequence(0, w, in.Size()), sequence(1),"
                        " sequence(w, w, in.Size())))); }\n");
  if (!p.u) fail_msg("%s", golden_diagnostics(p.a, p.d, 0));
  assert_true(says(&p, DIAG_REMARK, "cannot tell whether the parts cover"));
  end(&p);
}

/* `__shared int a, b': both are. */
static void qualifiers_are_of_every_declarator(void **state) {
  (void)state;
  Parsed p = parse_text("__codelet int each(const Array<1, int> in) {\n"
                        "  int s = 0;\n"
                        "  for (int i = 0; i < in.Size(); ++i) s += in[i];\n"
                        "  return s;\n"
                        "}\n"
                        "__codelet __coop int each(const Array<1, int> in) {\n"
                        "  Vector v();\n"
                        "  __shared int a[32], b[32];\n"
                        "  a[v.ThreadId()] = v.ThreadId() < in.Size() ? in[v.ThreadId()] : 0;\n"
                        "  b[v.ThreadId()] = a[31 - v.ThreadId()];\n"
                        "  return b[0];\n"
                        "}\n");
  assert_non_null(p.u);
  const char *text = trees(&p);
  assert_non_null(strstr(text, "__shared int a[32]"));
  assert_non_null(strstr(text, "__shared int b[32]"));
  end(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(qualifiers_are_of_every_declarator),
      cmocka_unit_test(listings_parse_as_printed),
      cmocka_unit_test(shipped_codelets_parse),
      cmocka_unit_test(the_printed_strided_partition_is_reported),
      cmocka_unit_test(broken_input_is_located),
      cmocka_unit_test(deep_nesting_is_refused),
      cmocka_unit_test(a_megabyte_parses),
      cmocka_unit_test(lone_totals_are_reductions),
      cmocka_unit_test(named_operators_are_spectra_of_their_own),
      cmocka_unit_test(operators_are_told_from_accumulations),
      cmocka_unit_test(what_is_no_reduction_has_no_operator),
      cmocka_unit_test(every_element_once_however_it_is_written),
      cmocka_unit_test(loops_that_are_no_reduction),
      cmocka_unit_test(comparisons_that_let_nan_through),
      cmocka_unit_test(accumulators_hold_their_elements),
      cmocka_unit_test(accumulators_start_at_the_identity),
      cmocka_unit_test(sizes_are_64_bits_wide),
      cmocka_unit_test(generic_code_keeps_its_type_apart),
      cmocka_unit_test(codelets_of_certain_types_apply_generic_ones),
      cmocka_unit_test(environments_and_tags),
      cmocka_unit_test(data_dependent_partitions_are_not_judged),
      cmocka_unit_test(codelets_of_several_containers_parse),
      cmocka_unit_test(compound_codelets_say_what_is_carried_out),
      cmocka_unit_test(parts_that_are_read_may_overlap),
      cmocka_unit_test(spectra_stand_in_order),
      cmocka_unit_test(numbers_that_count_are_sizes),
      cmocka_unit_test(scans_have_operators),
      cmocka_unit_test(scans_that_exclude),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
