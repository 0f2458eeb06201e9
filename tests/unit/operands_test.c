/* Programs with other operands than in, n, out, made by hand: all that is printed of them, which simt/operands runs;
 * and what codelets take for granted of their operands. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "example_output.h"
#include "golden.h"
#include "ir/roles.h"

/* ---- trees ---- */

static Arena *a; /* of the test that runs */

static Tree *leaf(Op op, Type type) { return tree_new(a, op, type, (SourceRange){0}, 0); }
static Tree *number(int64_t n) { return tree_int(a, TYPE_INDEX, n); }
static Tree *at(Symbol *array, Tree *i) { return tree_binary(a, OP_INDEX, array->type, tree_ref(a, array), i); }
static Tree *two(Op op, Type type, Tree *x, Tree *y) { return tree_binary(a, op, type, x, y); }

static Tree *with(Op op, Type type, int n, ...) {
  Tree *t = tree_new(a, op, type, (SourceRange){0}, n);
  va_list kids;
  va_start(kids, n);
  for (int i = 0; i < n; i++) t->kid[i] = va_arg(kids, Tree *);
  va_end(kids);
  return t;
}

static Tree *assign(Op op, Tree *place, Tree *value) {
  Tree *t = two(OP_ASSIGN, TYPE_VOID, place, value);
  t->compound = op == OP_INT ? 0 : op;
  return t;
}

static Tree *declare(Symbol *s, Tree *value) {
  Tree *t = tree_new(a, OP_DECLARE, TYPE_VOID, (SourceRange){0}, value ? 1 : 0);
  t->symbol = s;
  if (value) t->kid[0] = value;
  return t;
}

static Tree *seq(int n, ...) {
  Tree *kids[4];
  va_list all;
  va_start(all, n);
  for (int i = 0; i < n; i++) kids[i] = va_arg(all, Tree *);
  va_end(all);
  return tree_seq(a, kids, n);
}

/* for (Index i = 0; i < n; ++i) body */
static Tree *loop(Symbol *i, Tree *n, Tree *body) {
  return with(OP_FOR, TYPE_VOID, 4, declare(i, number(0)), two(OP_LT, TYPE_BOOL, tree_ref(a, i), n),
              assign(OP_ADD, tree_ref(a, i), number(1)), body);
}

static Symbol *local(const char *name, Type type, bool constant) {
  Symbol *s = symbol_new(a, SYMBOL_LOCAL, name, type);
  s->constant = constant;
  return s;
}

/* ---- spectra ---- */

static Symbol *container(const char *name, Type type, int rank, bool writable, Symbol *like, int like_dim) {
  Symbol *s = symbol_new(a, SYMBOL_PARAM, name, type);
  s->rank = rank;
  s->writable = writable;
  if (like) s->shape[0] = (ShapeRule){.said = true, .times = 1, .of = {like}, .dim = {like_dim}};
  return s;
}

static Spectrum *spectrum(const char *name, Tree *body, int n, ...) {
  Spectrum *s = arena_one(a, Spectrum);
  Codelet *c = arena_one(a, Codelet);
  s->name = name;
  s->result = TYPE_VOID;
  s->codelets = arena_one(a, Codelet *);
  s->codelets[s->ncodelets++] = c;
  c->spectrum = s;
  c->tag = "serial";
  c->generic = true;
  c->params = arena_many(a, Symbol *, n);
  va_list params;
  va_start(params, n);
  for (; c->nparams < n; c->nparams++) c->params[c->nparams] = va_arg(params, Symbol *);
  va_end(params);
  c->body = body ? body : tree_seq(a, NULL, 0);
  return s;
}

/* ---- outputs ---- */

typedef struct Made {
  Output *output;
  Program *program;
} Made;

static Symbol *operand(const Program *p, const char *name) {
  for (int i = 0; i < p->signature.n; i++)
    if (strcmp(p->signature.at[i].symbol->name, name) == 0) return p->signature.at[i].symbol;
  fail_msg("no operand %s", name);
  return NULL;
}

static Program *program(const Spectrum *s) {
  Program *p = arena_one(a, Program);
  p->name = s->name;
  p->id = "aa11bb22";
  p->generic = true;
  p->element = TYPE_STORED;
  p->result = TYPE_VOID;
  p->signature = signature_of(a, s, TYPE_STORED, TYPE_VOID);
  p->sizes = p->launches = tree_seq(a, NULL, 0);
  p->workspace_head = WORKSPACE_COUNTER;
  p->kernels = arena_one(a, Kernel *);
  return p;
}

static Kernel *kernel(Program *p, Tree *body) {
  Kernel *k = arena_one(a, Kernel);
  k->name = arena_printf(a, "%s_blocks", p->name);
  k->params = arena_many(a, Symbol *, p->signature.n);
  for (; k->nparams < p->signature.n; k->nparams++) k->params[k->nparams] = p->signature.at[k->nparams].symbol;
  k->body = body;
  p->kernels[p->nkernels++] = k;
  return k;
}

/* A lane for each of `work' things, of which the body is for number i. */
static void a_lane_each(Program *p, Symbol *work, Symbol *i, Tree *body) {
  Symbol *threads = symbol_new(a, SYMBOL_CONSTANT, "threads", TYPE_INT), *blocks = local("blocks", TYPE_INDEX, true);
  p->constants = arena_one(a, ProgramConstant);
  p->constants[p->nconstants++] = (ProgramConstant){
      .symbol = threads, .tunable = {.name = "threads", .value = 128, .min = 32, .max = 1024, .multiple = 32,
                                     .what = "lanes of a block"}};
  Tree *lane = two(OP_ADD, TYPE_INDEX, two(OP_MUL, TYPE_INDEX, leaf(OP_BLOCK_ID, TYPE_INDEX), tree_ref(a, threads)),
                   leaf(OP_THREAD, TYPE_INT));
  Tree *guard = with(OP_IF, TYPE_VOID, 2, two(OP_LT, TYPE_BOOL, tree_ref(a, i), tree_ref(a, work)), body);
  Kernel *k = kernel(p, seq(2, declare(i, lane), guard));
  k->threads = threads;
  Tree *up = two(OP_ADD, TYPE_INDEX, tree_ref(a, work), two(OP_SUB, TYPE_INDEX, tree_ref(a, threads), number(1)));
  Tree *most = two(OP_MAX, TYPE_INDEX, number(1), two(OP_DIV, TYPE_INDEX, up, tree_ref(a, threads)));
  p->sizes = seq(1, declare(blocks, most));
  Tree *launch = tree_new(a, OP_LAUNCH, TYPE_VOID, (SourceRange){0}, 2 + k->nparams);
  launch->kernel = k;
  launch->kid[0] = tree_ref(a, blocks);
  launch->kid[1] = tree_ref(a, threads);
  for (int n = 0; n < k->nparams; n++) launch->kid[2 + n] = tree_ref(a, k->params[n]);
  p->launches = seq(1, seq(1, launch));
}

static Made made(const Spectrum *s, Program *p, const char *types) {
  Output *o = example_output(a);
  o->spectrum = s;
  o->name = o->library = o->usual = s->name;
  o->ntypes = 0;
  o->types = arena_many(a, const ElementType *, 4);
  o->table = (Table){0};
  for (const char *t = types; *t; t += strcspn(t, ",") + (t[strcspn(t, ",")] == ',')) {
    const ElementType *e = element_by_name(arena_strndup(a, t, strcspn(t, ",")));
    TableRow row = {.type = e->name, .up_to = UINT64_MAX, .variant = p->id};
    o->types[o->ntypes++] = e;
    vec_push(a, &o->table.rows, row);
  }
  o->nvariants = 1;
  o->variants[0].program = p;
  o->variants[0].types = o->types;
  o->variants[0].ntypes = o->ntypes;
  o->variants[0].text = buffer_new(a);
  emit_variant(&o->variants[0].text, o, &o->variants[0]);
  return (Made){o, p};
}

/* y[i] = a * (T)x[i] + y[i] */
static Tree *axpy_element(const Program *p, Symbol *i) {
  Symbol *y = operand(p, "y");
  Tree *x = tree_unary(a, OP_CAST, TYPE_ELEM, at(operand(p, "x"), tree_ref(a, i)));
  Tree *product = two(OP_MUL, TYPE_ELEM, tree_ref(a, operand(p, "a")), x);
  return seq(1, assign(OP_INT, at(y, tree_ref(a, i)), two(OP_ADD, TYPE_ELEM, product, at(y, tree_ref(a, i)))));
}

static Made axpy(void) {
  Symbol *x = container("x", TYPE_ELEM, 1, false, NULL, 0), *y = container("y", TYPE_ELEM, 1, true, x, 0);
  Tree *first = assign(OP_ADD, at(y, number(0)), at(x, number(0))); /* enough to tell that y is read */
  Spectrum *s = spectrum("axpy", seq(1, first), 3, symbol_new(a, SYMBOL_PARAM, "a", TYPE_ELEM), x, y);
  Program *p = program(s);
  Symbol *i = local("i", TYPE_INDEX, true);
  a_lane_each(p, operand(p, "n"), i, axpy_element(p, i));
  return made(s, p, "float,half,cfloat");
}

/* T sum = 0; for (k ..) sum += (T)A[row * leading + k] * (T)x[k]; y[row] = sum; */
static Tree *gemv_row(const Program *p, Symbol *row) {
  Symbol *k = local("k", TYPE_INDEX, false), *sum = local("sum", TYPE_ELEM, false);
  Tree *place = two(OP_ADD, TYPE_INDEX, two(OP_MUL, TYPE_INDEX, tree_ref(a, row), tree_ref(a, operand(p, "leading"))),
                    tree_ref(a, k));
  Tree *product = two(OP_MUL, TYPE_ELEM, tree_unary(a, OP_CAST, TYPE_ELEM, at(operand(p, "A"), place)),
                      tree_unary(a, OP_CAST, TYPE_ELEM, at(operand(p, "x"), tree_ref(a, k))));
  return seq(3, declare(sum, tree_int(a, TYPE_ELEM, 0)),
             loop(k, tree_ref(a, operand(p, "columns")), seq(1, assign(OP_ADD, tree_ref(a, sum), product))),
             assign(OP_INT, at(operand(p, "y"), tree_ref(a, row)), tree_ref(a, sum)));
}

static Made gemv(void) {
  Symbol *A = container("A", TYPE_ELEM, 2, false, NULL, 0);
  Spectrum *s = spectrum("gemv", NULL, 3, A, container("x", TYPE_ELEM, 1, false, A, 1),
                         container("y", TYPE_ELEM, 1, true, A, 0));
  Program *p = program(s);
  Symbol *i = local("row", TYPE_INDEX, true);
  a_lane_each(p, operand(p, "rows"), i, gemv_row(p, i));
  return made(s, p, "float,int8");
}

/* ---- what is printed ---- */

static void compare(const Made *m, const char *file, const Buffer *text) {
  golden_compare(a, arena_printf(a, "tests/golden/operands/%s/%s", m->output->name, file), text->text);
}

static void whole_folder(Made m) {
  Buffer header = buffer_new(a), dispatch = buffer_new(a), manifest = buffer_new(a);
  emit_header(&header, m.output);
  emit_dispatch(&dispatch, m.output);
  emit_manifest(&manifest, m.output);
  compare(&m, arena_printf(a, "%s.h", m.output->name), &header);
  compare(&m, arena_printf(a, "%s.cu", m.output->name), &dispatch);
  compare(&m, "manifest.json", &manifest);
  compare(&m, "variants/aa11bb22.cu", &m.output->variants[0].text);
  assert_false(output_starts_from(m.output));
  assert_false(output_counts(m.output));
}

static void a_number_and_an_array_that_is_read_and_written(void **state) {
  (void)state;
  whole_folder(axpy());
}

static void rows_and_columns(void **state) {
  (void)state;
  whole_folder(gemv());
}

/* ---- roles ---- */

static Tree *partition(Tree *of, Tree *parts, Tree *start, Tree *inc, Tree *end) {
  return with(OP_PARTITION, TYPE_CONTAINER, 5, of, parts, start, inc, end);
}

static Tree *size_of(Symbol *s) { return tree_unary(a, OP_SIZE, TYPE_INDEX, tree_ref(a, s)); }

/* map(sum, parts).to(out), by name. */
static Tree *map_to(Spectrum *each, Tree *parts, Symbol *out) {
  Tree *map = with(OP_MAP, TYPE_CONTAINER, 1, parts);
  map->spectrum = each;
  Symbol *m = symbol_new(a, SYMBOL_MAP, "m", TYPE_CONTAINER);
  m->init = map;
  return seq(2, declare(m, NULL), with(OP_MAP_TO, TYPE_VOID, 2, tree_ref(a, m), tree_ref(a, out)));
}

static Spectrum *summing(void) { return spectrum("sum", NULL, 1, container("in", TYPE_ELEM, 1, false, NULL, 0)); }

/* segmented_sum(in, size, out): in.Size() = size * out.Size() */
static void equal_segments(void **state) {
  (void)state;
  Symbol *in = container("in", TYPE_ELEM, 1, false, NULL, 0), *out = container("out", TYPE_ELEM, 1, true, NULL, 0);
  Symbol *size = symbol_new(a, SYMBOL_PARAM, "size", TYPE_INDEX);
  Tree *starts = with(OP_SEQUENCE, TYPE_CONTAINER, 3, number(0), tree_ref(a, size), size_of(in));
  Tree *ends = with(OP_SEQUENCE, TYPE_CONTAINER, 3, tree_ref(a, size), tree_ref(a, size), size_of(in));
  Tree *parts = partition(tree_ref(a, in), size_of(out), starts, with(OP_SEQUENCE, TYPE_CONTAINER, 1, number(1)), ends);
  Spectrum *s = spectrum("segmented_sum", map_to(summing(), parts, out), 3, in, size, out);
  Signature g = signature_of(a, s, TYPE_ELEM, TYPE_VOID); /* in, n, size, out, out_n */
  const OperandRole *roles = roles_of(a, s, &g);
  assert_int_equal(g.n, 5);
  assert_true(roles[1].rule.said);
  assert_int_equal(roles[1].rule.factor[0], 2);
  assert_int_equal(roles[1].rule.factor[1], 4);
  assert_int_equal(roles[1].rule.plus, 0);
  assert_int_equal(roles[0].role, ROLE_DATA);
}

/* sparse(value, column, off, x, y): off and column hold positions, and off one more than there are results. */
static void offsets_and_indices(void **state) {
  (void)state;
  Symbol *value = container("value", TYPE_ELEM, 1, false, NULL, 0);
  Symbol *column = container("column", TYPE_INT, 1, false, value, 0);
  Symbol *off = container("off", TYPE_LONG, 1, false, NULL, 0), *x = container("x", TYPE_ELEM, 1, false, NULL, 0);
  Symbol *y = container("y", TYPE_ELEM, 1, true, NULL, 0);
  Symbol *many = local("many", TYPE_INDEX, true), *starts = symbol_new(a, SYMBOL_SEQUENCE, "starts", TYPE_CONTAINER);
  starts->init = with(OP_SEQUENCE, TYPE_CONTAINER, 4, tree_ref(a, off), number(0), number(1), tree_ref(a, many));
  Tree *ends = with(OP_SEQUENCE, TYPE_CONTAINER, 4, tree_ref(a, off), number(1), number(1), size_of(off));
  Tree *gathered = with(OP_GATHER, TYPE_CONTAINER, 2, tree_ref(a, x), tree_ref(a, column));
  Tree *parts = partition(gathered, tree_ref(a, many), tree_ref(a, starts),
                          with(OP_SEQUENCE, TYPE_CONTAINER, 1, number(1)), ends);
  Tree *body = seq(3, declare(many, size_of(y)), declare(starts, NULL), map_to(summing(), parts, y));
  Spectrum *s = spectrum("sparse", body, 5, value, column, off, x, y);
  Signature g = signature_of(a, s, TYPE_ELEM, TYPE_VOID); /* value, n, column, off, off_n, x, x_n, y, y_n */
  const OperandRole *roles = roles_of(a, s, &g);
  assert_int_equal(g.n, 9);
  assert_int_equal(roles[2].role, ROLE_INDICES);
  assert_int_equal(roles[2].of, 5);
  assert_int_equal(roles[3].role, ROLE_OFFSETS);
  assert_int_equal(roles[3].of, 2);
  assert_true(roles[4].rule.said);
  assert_int_equal(roles[4].rule.factor[0], 8);
  assert_int_equal(roles[4].rule.plus, 1);
  assert_int_equal(roles[0].role, ROLE_DATA);
  assert_false(roles[6].rule.said);
}

/* Sizes that `__shape' says: one that is another is not passed; what it says of others is known of the operands. */
static void shapes(void **state) {
  (void)state;
  Symbol *A = container("A", TYPE_ELEM, 2, false, NULL, 0), *B = container("B", TYPE_ELEM, 2, false, A, 1);
  Symbol *y = container("y", TYPE_ELEM, 1, true, NULL, 0), *w = container("w", TYPE_ELEM, 1, false, NULL, 0);
  y->shape[0] = (ShapeRule){.said = true, .times = 2, .plus = -3, .of = {A, B}, .dim = {0, 1}};
  w->shape[0] = (ShapeRule){.said = true, .plus = 5};
  Spectrum *s = spectrum("shaped", seq(0), 4, A, B, y, w);
  Signature g = signature_of(a, s, TYPE_ELEM, TYPE_VOID); /* A rows columns leading B B_columns B_leading y y_n w w_n */
  const OperandRole *roles = roles_of(a, s, &g);
  assert_int_equal(g.n, 11);
  assert_int_equal(g.at[4].size[0], 2);
  assert_int_equal(g.at[4].size[1], 5);
  assert_false(roles[5].rule.said);
  assert_true(roles[8].rule.said);
  assert_int_equal(roles[8].rule.times, 2);
  assert_int_equal(roles[8].rule.plus, -3);
  assert_int_equal(roles[8].rule.factor[0], 1);
  assert_int_equal(roles[8].rule.factor[1], 5);
  assert_true(roles[10].rule.said);
  assert_int_equal(roles[10].rule.factor[0], -1);
}

/* histogram(in, bins), whose samples go through a variable and a called spectrum. */
static void samples_of_a_histogram(void **state) {
  (void)state;
  Symbol *bins = container("bins", TYPE_UINT, 1, true, NULL, 0), *in = container("in", TYPE_INT, 1, false, NULL, 0);
  Symbol *sample = local("sample", TYPE_INT, true), *i = local("i", TYPE_INDEX, false);
  Tree *count = assign(OP_ADD, at(bins, tree_ref(a, sample)), tree_int(a, TYPE_UINT, 1));
  Tree *each = seq(2, declare(sample, at(in, tree_ref(a, i))), count);
  Spectrum *counting = spectrum("counting", loop(i, size_of(in), each), 2, in, bins);
  Symbol *all = container("in", TYPE_INT, 1, false, NULL, 0), *into = container("bins", TYPE_UINT, 1, true, NULL, 0);
  Tree *one = with(OP_SEQUENCE, TYPE_CONTAINER, 1, number(1));
  Tree *parts = partition(tree_ref(a, all), number(8), one, one, one);
  Tree *call = with(OP_MAP, TYPE_CONTAINER, 2, parts, tree_ref(a, into));
  call->spectrum = counting;
  Spectrum *s = spectrum("histogram", seq(1, tree_unary(a, OP_MAP_RUN, TYPE_VOID, call)), 2, all, into);
  Signature g = signature_of(a, s, TYPE_ELEM, TYPE_VOID); /* in, n, bins, bins_n */
  const OperandRole *roles = roles_of(a, s, &g);
  assert_int_equal(roles[0].role, ROLE_INDICES);
  assert_int_equal(roles[0].of, 2);
  assert_int_equal(roles[2].role, ROLE_DATA);
}

/* near(at, x, off, y): x[at[i] - 1] and x[3 * at[i] + 4]; a loop from off[i] to below off[i + 1] in x. */
static void neighbours_of_indices(void **state) {
  (void)state;
  Symbol *by = container("at", TYPE_INT, 1, false, NULL, 0), *x = container("x", TYPE_ELEM, 1, false, NULL, 0);
  Symbol *off = container("off", TYPE_INT, 1, false, NULL, 0), *y = container("y", TYPE_ELEM, 1, true, NULL, 0);
  Symbol *i = local("i", TYPE_INDEX, false), *e = local("e", TYPE_INT, false);
  Tree *triple = two(OP_MUL, TYPE_INT, number(3), at(by, tree_ref(a, i)));
  Tree *before = at(x, two(OP_SUB, TYPE_INT, at(by, tree_ref(a, i)), number(1)));
  Tree *behind = at(x, two(OP_ADD, TYPE_INT, triple, number(4)));
  Tree *next = at(off, two(OP_ADD, TYPE_INDEX, tree_ref(a, i), number(1)));
  Tree *run = with(OP_FOR, TYPE_VOID, 4, declare(e, at(off, tree_ref(a, i))), two(OP_LT, TYPE_BOOL, tree_ref(a, e), next),
                   assign(OP_ADD, tree_ref(a, e), number(1)),
                   assign(OP_ADD, at(y, tree_ref(a, i)), at(x, tree_ref(a, e))));
  Tree *each = seq(2, assign(OP_INT, at(y, tree_ref(a, i)), two(OP_ADD, TYPE_ELEM, before, behind)), run);
  Spectrum *s = spectrum("near", loop(i, size_of(y), each), 4, by, x, off, y);
  Signature g = signature_of(a, s, TYPE_ELEM, TYPE_VOID); /* at, at_n, x, x_n, off, off_n, y, y_n */
  const OperandRole *roles = roles_of(a, s, &g);
  assert_int_equal(roles[0].role, ROLE_INDICES);
  assert_int_equal(roles[0].of, 2);
  assert_int_equal(roles[0].reach.every, 3);
  assert_int_equal(roles[0].reach.low, -1);
  assert_int_equal(roles[0].reach.high, 4);
  assert_int_equal(roles[4].role, ROLE_OFFSETS);
  assert_int_equal(roles[4].of, 2);
  assert_true(roles[4].within);
}

/* marked(to, x): bits of x's elements in a container of words between steps, asked for by elements of `to'; and what is
 * divided by something else is no element's word. */
static void elements_in_words(void **state) {
  (void)state;
  for (int by = 4; by <= 5; by++) {
    Symbol *to = container("to", TYPE_INT, 1, false, NULL, 0), *x = container("x", TYPE_ELEM, 1, true, NULL, 0);
    Symbol *i = local("i", TYPE_INDEX, false), *marks = local("marks", TYPE_UINT, false);
    marks->rank = 1;
    marks->length = two(OP_DIV, TYPE_INDEX, two(OP_ADD, TYPE_INDEX, size_of(x), number(31)), number(32));
    Tree *word = at(marks, two(OP_SHR, TYPE_INT, at(to, tree_ref(a, i)), number(by)));
    Spectrum *s = spectrum("marked", loop(i, size_of(to), assign(OP_ADD, at(x, tree_ref(a, i)), word)), 2, to, x);
    Signature g = signature_of(a, s, TYPE_ELEM, TYPE_VOID); /* to, to_n, x, x_n */
    const OperandRole *roles = roles_of(a, s, &g);
    assert_int_equal(roles[0].role, by == 5 ? ROLE_INDICES : ROLE_DATA);
    assert_int_equal(roles[0].of, by == 5 ? 2 : -1);
  }
}

/* Where a condition asks about the element, its neighbours need not be there. */
static void neighbours_that_are_asked_for(void **state) {
  (void)state;
  Symbol *by = container("at", TYPE_INT, 1, false, NULL, 0), *x = container("x", TYPE_ELEM, 1, false, NULL, 0);
  Symbol *y = container("y", TYPE_ELEM, 1, true, NULL, 0), *i = local("i", TYPE_INDEX, false);
  Tree *next = two(OP_ADD, TYPE_INT, at(by, tree_ref(a, i)), number(1));
  Tree *store = assign(OP_INT, at(y, tree_ref(a, i)), at(x, next));
  Tree *each = with(OP_IF, TYPE_VOID, 2, two(OP_LT, TYPE_BOOL, next, size_of(x)), store);
  Spectrum *s = spectrum("near", loop(i, size_of(y), each), 3, by, x, y);
  Signature g = signature_of(a, s, TYPE_ELEM, TYPE_VOID);
  const OperandRole *roles = roles_of(a, s, &g);
  assert_int_equal(roles[0].role, ROLE_INDICES);
  assert_int_equal(roles[0].reach.every, 1);
  assert_int_equal(roles[0].reach.high, 0);
}

static int begin(void **state) {
  (void)state;
  a = arena_new();
  return 0;
}

static int end(void **state) {
  (void)state;
  arena_free(a);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(a_number_and_an_array_that_is_read_and_written, begin, end),
      cmocka_unit_test_setup_teardown(rows_and_columns, begin, end),
      cmocka_unit_test_setup_teardown(equal_segments, begin, end),
      cmocka_unit_test_setup_teardown(shapes, begin, end),
      cmocka_unit_test_setup_teardown(offsets_and_indices, begin, end),
      cmocka_unit_test_setup_teardown(samples_of_a_histogram, begin, end),
      cmocka_unit_test_setup_teardown(neighbours_of_indices, begin, end),
      cmocka_unit_test_setup_teardown(elements_in_words, begin, end),
      cmocka_unit_test_setup_teardown(neighbours_that_are_asked_for, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
