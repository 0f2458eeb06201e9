/* c.c: kernel form as C11 with OpenMP: what C has that CUDA has not. The text is included once for each element type,
 * and for each number of vectors in flight; T is a macro, and OF(name) is the name that a function has there
 * (c_text.c). A kernel is a function that a thread of the process calls; the lanes of its vector are loops. */
#include "emit/printer.h"

const char *c_least_of(Arena *a, Op op, Type type) {
  static const char *const suffixes[TYPE_COUNT] = {
      [TYPE_INT] = "_int", [TYPE_UINT] = "_unsigned", [TYPE_LONG] = "_long", [TYPE_ULONG] = "_unsigned_long",
      [TYPE_FLOAT] = "_float", [TYPE_DOUBLE] = "_double"};
  if (type == TYPE_ELEM) return op == OP_MIN ? "OF(min)" : "OF(max)";
  return arena_printf(a, "%s%s", op == OP_MIN ? "least" : "greatest", suffixes[type] ? suffixes[type] : "");
}

const char *c_limit_of(Type type, Limit limit) {
  static const struct { Type type; const char *limit[2]; } rows[] = {
      {TYPE_INT, {"INT_MIN", "INT_MAX"}}, {TYPE_UINT, {"0u", "UINT_MAX"}}, {TYPE_LONG, {"LLONG_MIN", "LLONG_MAX"}},
      {TYPE_ULONG, {"0ull", "ULLONG_MAX"}}, {TYPE_FLOAT, {"-INFINITY", "INFINITY"}},
      {TYPE_DOUBLE, {"-(double)INFINITY", "(double)INFINITY"}}, {TYPE_INDEX, {"LLONG_MIN", "LLONG_MAX"}},
      {TYPE_ELEM, {"LOWEST", "HIGHEST"}}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].type == type) return rows[i].limit[limit];
  return "0"; /* no order, and nothing asks */
}

static bool c_own_expression(const Printer *p, const Tree *t) {
  switch (t->op) {
    case OP_LIMIT: buffer_puts(p->to, c_limit_of(t->type, (Limit)t->number)); break;
    case OP_BLOCK_ID: buffer_puts(p->to, "thread"); break;
    case OP_GRID_DIM: buffer_puts(p->to, "team"); break;
    case OP_MIN: case OP_MAX: print_call(p, c_least_of(p->to->arena, t->op, t->type), t); break;
    case OP_FUSED: print_call(p, "FUSED", t); break;
    case OP_NEXT_TILE: print_call(p, op_spelling(t->op), t); break;
    case OP_CHAIN: print_call(p, "OF(chain)", t); break;
    default: return false;
  }
  return true;
}

/* ---- statements ---- */

static const Symbol *symbol_of(const Tree *place) {
  if (place->op == OP_INDEX) place = place->kid[0];
  return place->op == OP_REF ? place->symbol : NULL;
}

/* Is all that a variable is ever given the operator's identity, or the lesser, the greater, of itself and another one?
 * Then it is a number: with what is none, it stays as it is. */
typedef struct Accumulator { const Symbol *symbol; Op op; bool begins, no; } Accumulator;

static void give(Accumulator *x, const Tree *value) {
  bool itself = value->op == x->op && symbol_of(value->kid[0]) == x->symbol;
  if (value->op == OP_LIMIT) x->begins = true;
  else if (!itself) x->no = true;
}

static bool look_at_values(void *context, const Tree *t) {
  Accumulator *x = context;
  if (t->op == OP_DECLARE && t->symbol == x->symbol && t->nkids) give(x, t->kid[0]);
  if (t->op == OP_ASSIGN && symbol_of(t->kid[0]) == x->symbol) give(x, t->kid[1]);
  if ((t->op == OP_EXCHANGE || t->op == OP_LOAD_ROWS) && symbol_of(t->kid[0]) == x->symbol) x->no = true;
  return !x->no;
}

/* x = min(x, y) of such a variable is one instruction. */
static bool accumulates(const Printer *p, const Tree *t) {
  const Tree *value = t->kid[1];
  bool selects = (value->op == OP_MIN || value->op == OP_MAX) && value->type == TYPE_ELEM && !t->number;
  const Symbol *s = selects ? symbol_of(t->kid[0]) : NULL;
  if (!p->kernel || !s || s->kind != SYMBOL_LOCAL || !tree_equal(t->kid[0], value->kid[0])) return false;
  Accumulator x = {.symbol = s, .op = value->op};
  tree_visit(p->kernel->body, look_at_values, &x);
  return x.begins && !x.no;
}

static void accumulate(const Printer *p, const Tree *t) {
  print_expression(p, t->kid[0], LOOSEST);
  buffer_puts(p->to, " = ");
  print_call(p, t->kid[1]->op == OP_MIN ? "OF(lesser)" : "OF(greater)", t->kid[1]);
  buffer_puts(p->to, ";\n");
}

/* total = max(total, x), or total += x. */
static Tree *updated(const Printer *p, const Tree *t) {
  Arena *a = p->to->arena;
  static const Op ops[ATOMIC_COUNT] = {[ATOMIC_ADD] = OP_ADD, [ATOMIC_SUB] = OP_SUB, [ATOMIC_MUL] = OP_MUL,
                                       [ATOMIC_MIN] = OP_MIN, [ATOMIC_MAX] = OP_MAX, [ATOMIC_AND] = OP_AND,
                                       [ATOMIC_OR] = OP_OR, [ATOMIC_XOR] = OP_XOR,
                                       [ATOMIC_USER] = OP_APPLY};
  Op op = ops[t->number];
  bool compound = op != OP_MIN && op != OP_MAX && op != OP_APPLY;
  Tree *value = t->kid[1];
  if (!compound) value = tree_binary(a, op, t->kid[0]->type, t->kid[0], t->kid[1]);
  Tree *made = tree_binary(a, OP_ASSIGN, TYPE_VOID, t->kid[0], value);
  if (compound) made->number = op;
  return made;
}

/* The lanes of a thread take turns; threads have OpenMP see to it that they do. The lock has a name of its own: a
 * caller may hold that of sections without one. */
static void atomic(const Printer *p, const Tree *t, int indent) {
  if (t->scope == SCOPE_DEVICE) {
    bool own = !(p->program->helpers & HELPER(t->number, t->scope));
    if (own) buffer_puts(p->to, "#pragma omp atomic\n");
    else buffer_printf(p->to, "#pragma omp critical(%s_%s)\n", p->program->name, p->program->id);
    buffer_fill(p->to, ' ', 2 * indent);
  }
  print_statements(p, updated(p, t), 0);
}

static bool stops_vectors(void *context, const Tree *t) {
  bool *found = context;
  *found |= t->op == OP_ATOMIC || t->op == OP_FOR || t->op == OP_WHILE || t->op == OP_APPLY;
  return true;
}

/* A region's loop. Where several runs of memory are read side by side, smaller vectors may get more from it
 * (half_bytes), and the plan may say so (!halves). */
static void lanes(const Printer *p, const Tree *t, int indent) {
  enum { LANE_BYTES = 4 };
  const Kernel *k = p->kernel;
  bool one_by_one = false;
  tree_visit(t->kid[0], stops_vectors, &one_by_one);
  if (!one_by_one) {
    const int half = p->program->half_bytes;
    const bool larger = kernel_vector(k) > half / LANE_BYTES && p->program->widest <= half;
    const bool halves = larger && (k->halves || t->number == LANES_OF_STREAMS);
    buffer_puts(p->to, "#pragma omp simd");
    if (halves) buffer_printf(p->to, " simdlen(%d / sizeof(T))", half);
    buffer_puts(p->to, "\n");
    buffer_fill(p->to, ' ', 2 * indent);
  }
  const bool in_flight = t->number == LANES_OF_VECTORS || t->number == LANES_OF_STREAMS;
  const int vectors = t->number < 0 && !in_flight ? (int)-t->number : 1;
  buffer_printf(p->to, "for (int lane = 0; lane < %d", kernel_vector(k) * vectors);
  if (in_flight) buffer_puts(p->to, " * loads");
  buffer_puts(p->to, "; ++lane)");
  print_body(p, t->kid[0], indent);
}

static bool is_one(const Tree *t) {
  int64_t n;
  return tree_constant(t, &n) && n == 1;
}

/* `flag' is "true" or "false" where the kernel has one. */
static void call_with(const Printer *p, const Tree *t, const char *flag, const char *thread, const char *team) {
  const char *before = "";
  buffer_printf(p->to, "OF(%s)(", t->kernel->name);
  if (t->kernel->flag) {
    buffer_puts(p->to, flag);
    before = ", ";
  }
  if (tree_contains(t->kernel->body, OP_BLOCK_ID)) {
    buffer_printf(p->to, "%s%s", before, thread);
    before = ", ";
  }
  if (tree_contains(t->kernel->body, OP_GRID_DIM)) {
    buffer_printf(p->to, "%s%s", before, team);
    before = ", ";
  }
  for (int i = 2; i < t->nkids; i++) {
    buffer_puts(p->to, before);
    print_expression(p, t->kid[i], LOOSEST);
    before = ", ";
  }
  buffer_puts(p->to, ")");
}

static void call(const Printer *p, const Tree *t, const char *thread, const char *team) {
  if (t->kernel->flag) {
    buffer_printf(p->to, "%s ? ", t->kernel->flag->name);
    call_with(p, t, "true", thread, team);
    buffer_puts(p->to, " : ");
  }
  call_with(p, t, "false", thread, team);
  buffer_puts(p->to, ";\n");
}

/* Threads that share out tiles by themselves: the team is as large as it comes. */
static void launch_team(const Printer *p, const Tree *t, int indent) {
  buffer_puts(p->to, "#pragma omp parallel num_threads(at_once(");
  print_expression(p, t->kid[0], LOOSEST);
  buffer_puts(p->to, "))\n");
  buffer_fill(p->to, ' ', indent);
  call(p, t, "omp_get_thread_num()", "omp_get_num_threads()");
}

/* .. that have a worker's work each, or several workers' one after the other. */
static void launch_workers(const Printer *p, const Tree *t, int indent) {
  buffer_puts(p->to, "#pragma omp parallel for schedule(static) num_threads(at_once(");
  print_expression(p, t->kid[0], LOOSEST);
  buffer_puts(p->to, "))\n");
  buffer_fill(p->to, ' ', indent);
  buffer_puts(p->to, "for (Index thread = 0; thread < ");
  print_expression(p, t->kid[0], RELATION + 1);
  buffer_puts(p->to, "; ++thread)\n");
  buffer_fill(p->to, ' ', indent + 2);
  call(p, t, "thread", NULL);
}

/* One worker is a call: no thread is woken for it. */
static void launch(const Printer *p, const Tree *t, int indent) {
  Buffer *to = p->to;
  if (is_one(t->kid[0])) { call(p, t, "0", "1"); return; }
  buffer_puts(to, "if (");
  print_expression(p, t->kid[0], RELATION + 1);
  buffer_puts(to, " == 1) // no thread is woken\n");
  buffer_fill(to, ' ', 2 * indent + 2);
  call(p, t, "0", "1");
  buffer_fill(to, ' ', 2 * indent);
  buffer_puts(to, "else {\n");
  buffer_fill(to, ' ', 2 * indent + 2);
  (tree_contains(t->kernel->body, OP_GRID_DIM) ? launch_team : launch_workers)(p, t, 2 * indent + 2);
  buffer_fill(to, ' ', 2 * indent);
  buffer_puts(to, "}\n");
}

/* EXCHANGE(other, val, (1, 2, 3, 3), (5, ..)): whose element each lane of the vector's first half takes, of its second.
 * EXCHANGE is of T's; other types have EXCHANGE_ANY. */
static void exchange(const Printer *p, const Tree *t) {
  int lanes = t->nkids - 2;
  buffer_puts(p->to, t->kid[0]->type == TYPE_ELEM ? "EXCHANGE(" : "EXCHANGE_ANY(");
  print_expression(p, t->kid[0], LOOSEST);
  buffer_puts(p->to, ", ");
  print_expression(p, t->kid[1], LOOSEST);
  for (int i = 0; i < lanes; i++) {
    buffer_puts(p->to, i == 0 ? ", (" : i == lanes / 2 ? "), (" : ", ");
    print_expression(p, t->kid[2 + i], LOOSEST);
  }
  buffer_puts(p->to, "));\n");
}

/* LOAD_ROWS(row, A + i, leading), by the type of the elements. */
static void load_rows(const Printer *p, const Tree *t) {
  buffer_puts(p->to, t->kid[0]->type == TYPE_ELEM ? "LOAD_ROWS(" : "LOAD_ROWS_ANY(");
  print_expression(p, t->kid[0], LOOSEST);
  buffer_puts(p->to, ", ");
  print_address(p, t->kid[1]);
  buffer_puts(p->to, ", ");
  print_expression(p, t->kid[2], LOOSEST);
  buffer_puts(p->to, ");\n");
}

static bool c_own_statement(const Printer *p, const Tree *t, int indent) {
  switch (t->op) {
    case OP_ASSIGN:
      if (!accumulates(p, t)) return false;
      accumulate(p, t);
      break;
    case OP_ATOMIC: atomic(p, t, indent); break;
    case OP_LANES: lanes(p, t, indent); break;
    case OP_EXCHANGE: exchange(p, t); break;
    case OP_LOAD_ROWS: load_rows(p, t); break;
    case OP_LAUNCH: launch(p, t, indent); break;
    default: return false;
  }
  return true;
}

static const Dialect c = {c_own_expression, c_own_statement, "(T)%s", "", "EINVAL", false};

void c_expression(Buffer *to, const Tree *t) {
  Printer p = {.to = to, .dialect = &c};
  print_expression(&p, t, LOOSEST);
}

void c_statements(Buffer *to, const Tree *seq, int indent, const Program *program, bool line_directives) {
  Printer p = {.to = to, .program = program, .line_directives = line_directives, .dialect = &c};
  print_statements(&p, seq, indent);
}

void c_kernel(Buffer *to, const Kernel *k, const Program *program, bool line_directives) {
  Printer p = {to, program, k, line_directives, &c};
  const char *before = "";
  bool waits = tree_contains(k->body, OP_CHAIN); /* others store there meanwhile */
  if (k->note) buffer_printf(to, "// %s\n", k->note);
  buffer_printf(to, "static %svoid OF(%s)(", k->flag ? "FOR_EACH_CALL " : "", k->name);
  if (k->flag) {
    buffer_printf(to, "bool %s", k->flag->name);
    before = ", ";
  }
  if (tree_contains(k->body, OP_BLOCK_ID)) {
    buffer_printf(to, "%sIndex thread", before);
    before = ", ";
  }
  if (tree_contains(k->body, OP_GRID_DIM)) {
    buffer_printf(to, "%sIndex team", before);
    before = ", ";
  }
  for (int i = 0; i < k->nparams; i++) {
    const Symbol *s = k->params[i];
    buffer_printf(to, "%s%s", before, s->pointer && s->constant ? "const " : "");
    print_variable(&p, s, waits ? "" : "restrict ");
    before = ", ";
  }
  buffer_puts(to, ") {\n");
  print_statements(&p, k->body, 1);
  buffer_puts(to, "}\n");
}
