/* c.c: kernel form as C11 with OpenMP: the dialect of C. The text is instantiated for each element type and unroll
 * factor by including itself (c_text.c): T is a macro, and OF(name) a function's name in one instance. A kernel is a
 * function that one thread calls; the lanes of its vector are loops. */
#include "emit/printer.h"
#include "ir/build.h"

const char *c_order_bits(Type type) {
  switch (type) {
    case TYPE_ELEM: return "ORDER_BITS";
    case TYPE_UINT: return "order_bits_uint";
    case TYPE_ULONG: return "order_bits_uint64";
    case TYPE_LONG: case TYPE_INDEX: return "order_bits_int64";
    case TYPE_FLOAT: return "order_bits_float";
    case TYPE_DOUBLE: return "order_bits_double";
    default: return "order_bits_int";
  }
}

const char *c_minmax(Arena *a, Op op, Type type) {
  static const char *const suffixes[TYPE_COUNT] = {
      [TYPE_INT] = "_of_int", [TYPE_UINT] = "_unsigned", [TYPE_LONG] = "_long", [TYPE_ULONG] = "_unsigned_long",
      [TYPE_FLOAT] = "_of_float", [TYPE_DOUBLE] = "_of_double"}; /* max_int is OF(max) of int */
  if (type == TYPE_ELEM) return op == OP_MIN ? "OF(min)" : "OF(max)";
  return arena_printf(a, "%s%s", op == OP_MIN ? "min" : "max", suffixes[type] ? suffixes[type] : "_index");
}

const char *c_limit(Type type, Limit limit) {
  static const struct { Type type; const char *limit[2]; } rows[] = {
      {TYPE_INT, {"INT_MIN", "INT_MAX"}}, {TYPE_UINT, {"0u", "UINT_MAX"}}, {TYPE_LONG, {"LLONG_MIN", "LLONG_MAX"}},
      {TYPE_ULONG, {"0ull", "ULLONG_MAX"}}, {TYPE_FLOAT, {"-INFINITY", "INFINITY"}},
      {TYPE_DOUBLE, {"-(double)INFINITY", "(double)INFINITY"}}, {TYPE_INDEX, {"LLONG_MIN", "LLONG_MAX"}},
      {TYPE_ELEM, {"LOWEST", "HIGHEST"}}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].type == type) return rows[i].limit[limit];
  return "0"; /* a type without an order, which no kernel asks for */
}

bool c_lane_function(Op op) {
  return op == OP_EXP || op == OP_EXP2 || op == OP_EXPM1 || op == OP_TANH || op == OP_LOG;
}

/* sqrtf(x), sqrt(x); of T REAL(sqrt)(x), a macro of the text. lane_exp is the text's own exp. C has no rsqrt. */
static void function(const Printer *p, const Tree *t) {
  Arena *a = p->to->arena;
  const bool reciprocal = t->op == OP_RSQRT;
  const char *name = reciprocal ? op_spelling(OP_SQRT) : op_spelling(t->op);
  if (c_lane_function(t->op)) name = arena_printf(a, "lane_%s", name);
  if (t->type == TYPE_ELEM) name = arena_printf(a, "REAL(%s)", name);
  else if (t->type == TYPE_FLOAT) name = arena_printf(a, "%sf", name);
  if (reciprocal) buffer_puts(p->to, "(1 / ");
  print_call(p, name, t);
  if (reciprocal) buffer_puts(p->to, ")");
}

static bool c_expression_of_dialect(const Printer *p, const Tree *t) {
  switch (t->op) {
    case OP_LIMIT: buffer_puts(p->to, c_limit(t->type, t->limit)); break;
    case OP_BLOCK_ID: buffer_puts(p->to, "thread"); break;
    case OP_GRID_DIM: buffer_puts(p->to, "team"); break;
    case OP_WIDTH: buffer_printf(p->to, "16 / (int)sizeof(%s)", type_name(t->element)); break;
    case OP_MIN: case OP_MAX: print_call(p, c_minmax(p->to->arena, t->op, t->type), t); break;
    case OP_POPCOUNT: print_call(p, "__builtin_popcount", t); break;
    case OP_ORDER_BITS: print_call(p, c_order_bits(t->kid[0]->type), t); break;
    case OP_ORDER_SIZE: buffer_printf(p->to, "8 * (int)sizeof(%s)", type_name(t->element)); break;
    case OP_FUSED: print_call(p, "FUSED", t); break;
    case OP_NEXT_TILE: print_call(p, op_spelling(t->op), t); break;
    case OP_SEE_ANY:
      if (program_is_cpp(p->program)) buffer_printf(p->to, "(*(volatile %s *)", type_name(t->type)); /* C++ */
      else buffer_printf(p->to, "atomic_load_explicit((_Atomic(%s) *)", type_name(t->type));
      print_address(p, t->kid[0]);
      buffer_puts(p->to, program_is_cpp(p->program) ? ")" : ", memory_order_relaxed)");
      break;
    case OP_CLAIM:
      buffer_puts(p->to, "__sync_bool_compare_and_swap(");
      print_address(p, t->kid[0]);
      for (int i = 1; i < t->nkids; i++) {
        buffer_printf(p->to, ", (%s)", type_name(t->kid[0]->type));
        print_expression(p, t->kid[i], PREFIX);
      }
      buffer_puts(p->to, ")");
      break;
    case OP_CHAIN: print_call(p, "OF(chain)", t); break;
    default:
      if (!op_function(t->op)) return false;
      function(p, t);
  }
  return true;
}

/* ---- statements ---- */

static const Symbol *base_symbol(const Tree *place) {
  if (place->op == OP_INDEX) place = place->kid[0];
  return place->op == OP_REF ? place->symbol : NULL;
}

/* A variable that holds only the identity, or the minimum (maximum) of itself and another value, is never NaN. Then
 * `y < x ? y : x' needs no test for NaN: a NaN y leaves x as it is. */
typedef struct Accumulator { const Symbol *symbol; Op op; bool begins, no; } Accumulator;

static void note_value(Accumulator *x, const Tree *value) {
  bool itself = value->op == x->op && base_symbol(value->kid[0]) == x->symbol;
  if (value->op == OP_LIMIT) x->begins = true;
  else if (!itself) x->no = true;
}

static bool note_values(void *context, const Tree *t) {
  Accumulator *x = context;
  if (t->op == OP_DECLARE && t->symbol == x->symbol && t->nkids) note_value(x, t->kid[0]);
  if (t->op == OP_ASSIGN && base_symbol(t->kid[0]) == x->symbol) note_value(x, t->kid[1]);
  if ((t->op == OP_EXCHANGE || t->op == OP_LOAD_ROWS) && base_symbol(t->kid[0]) == x->symbol) x->no = true;
  return !x->no;
}

/* Is the assignment x = min(x, y) of such a variable? It compiles to one instruction. */
static bool is_minmax_accumulation(const Printer *p, const Tree *t) {
  const Tree *value = t->kid[1];
  bool selects = (value->op == OP_MIN || value->op == OP_MAX) && value->type == TYPE_ELEM && !t->compound;
  const Symbol *s = selects ? base_symbol(t->kid[0]) : NULL;
  if (!p->kernel || !s || s->kind != SYMBOL_LOCAL || !tree_equal(t->kid[0], value->kid[0])) return false;
  Accumulator x = {.symbol = s, .op = value->op};
  tree_visit(p->kernel->body, note_values, &x);
  return x.begins && !x.no;
}

static void print_minmax_accumulation(const Printer *p, const Tree *t) {
  print_expression(p, t->kid[0], LOOSEST);
  buffer_puts(p->to, " = ");
  print_call(p, t->kid[1]->op == OP_MIN ? "OF(lesser)" : "OF(greater)", t->kid[1]);
  buffer_puts(p->to, ";\n");
}

/* An atomic as a plain statement: total = max(total, x), or total += x. */
static Tree *read_modify_write(const Printer *p, const Tree *t) {
  Arena *a = p->to->arena;
  static const Op ops[ATOMIC_COUNT] = {[ATOMIC_ADD] = OP_ADD, [ATOMIC_SUB] = OP_SUB, [ATOMIC_MUL] = OP_MUL,
                                       [ATOMIC_MIN] = OP_MIN, [ATOMIC_MAX] = OP_MAX, [ATOMIC_AND] = OP_AND,
                                       [ATOMIC_OR] = OP_OR, [ATOMIC_XOR] = OP_XOR,
                                       [ATOMIC_USER] = OP_APPLY};
  Op op = ops[t->atomic];
  bool compound = op != OP_MIN && op != OP_MAX && op != OP_APPLY;
  Tree *value = t->kid[1];
  if (!compound) value = tree_binary(a, op, t->kid[0]->type, t->kid[0], t->kid[1]);
  Tree *made = tree_binary(a, OP_ASSIGN, TYPE_VOID, t->kid[0], value);
  if (compound) made->compound = op;
  return made;
}

/* { Index at; .. { at = count[0]; count[0] += 1; } if (at is in the queue) queue[at] = value; } */
static void append(const Printer *p, const Tree *t, int indent) {
  Buffer *to = p->to;
  buffer_puts(to, "{\n");
  buffer_fill(to, ' ', 2 * indent + 2);
  buffer_puts(to, "Index appended;\n#pragma omp atomic capture\n");
  buffer_fill(to, ' ', 2 * indent + 2);
  buffer_puts(to, "appended = ");
  print_expression(p, t->kid[0], PREFIX);
  buffer_puts(to, "++;\n");
  buffer_fill(to, ' ', 2 * indent + 2);
  buffer_puts(to, "if ((unsigned long long)appended < (unsigned long long)(");
  print_expression(p, t->kid[3], LOOSEST);
  buffer_puts(to, ")) ");
  print_expression(p, t->kid[2]->kid[0], POSTFIX);
  buffer_puts(to, "[appended");
  if (!build_is(t->kid[2]->kid[1], 0)) {
    buffer_puts(to, " + ");
    print_expression(p, t->kid[2]->kid[1], PREFIX);
  }
  buffer_puts(to, "] = ");
  print_expression(p, t->kid[1], LOOSEST);
  buffer_puts(to, ";\n");
  buffer_fill(to, ' ', 2 * indent);
  buffer_puts(to, "}\n");
}

/* Lanes of one thread run in order; between threads it is an OpenMP atomic or a critical section. The section is
 * named: a caller may be inside the unnamed one. */
static void atomic(const Printer *p, const Tree *t, int indent) {
  if (t->atomic == ATOMIC_ANY) {
    buffer_puts(p->to, "#pragma omp atomic write\n");
    buffer_fill(p->to, ' ', 2 * indent);
    Tree *store = tree_binary(p->to->arena, OP_ASSIGN, TYPE_VOID, t->kid[0], t->kid[1]);
    print_statements(p, store, 0);
    return;
  }
  if (t->atomic == ATOMIC_APPEND) {
    append(p, t, indent);
    return;
  }
  Tree *change = read_modify_write(p, t);
  if (t->scope != SCOPE_DEVICE) {
    print_statements(p, change, 0);
    return;
  }
  buffer_puts(p->to, "{\n");
  buffer_fill(p->to, ' ', 2 * indent + 2);
  buffer_puts(p->to, "if (alone) ");
  print_statements(p, change, 0);
  buffer_fill(p->to, ' ', 2 * indent + 2);
  buffer_puts(p->to, "else\n");
  buffer_fill(p->to, ' ', 2 * indent + 4);
  const bool own = !(p->program->helpers & HELPER(t->atomic, t->scope));
  if (own) buffer_puts(p->to, "#pragma omp atomic\n");
  else buffer_printf(p->to, "#pragma omp critical(%s_%s)\n", p->program->name, p->program->id);
  buffer_fill(p->to, ' ', 2 * indent + 4);
  print_statements(p, change, 0);
  buffer_fill(p->to, ' ', 2 * indent);
  buffer_puts(p->to, "}\n");
}

static bool find_atomic(void *context, const Tree *t) {
  bool *found = context;
  *found |= t->op == OP_ATOMIC && t->scope == SCOPE_DEVICE && t->atomic != ATOMIC_ANY && t->atomic != ATOMIC_APPEND;
  return !*found;
}

bool c_adds_for_all(const Kernel *k) {
  bool found = false;
  tree_visit(k->body, find_atomic, &found);
  return found;
}

static bool prevents_vectors(void *context, const Tree *t) {
  bool *found = context;
  *found |= t->op == OP_ATOMIC || t->op == OP_SEE_ANY || t->op == OP_CLAIM || t->op == OP_FOR || t->op == OP_WHILE ||
            t->op == OP_APPLY || t->op == OP_NATIVE;
  return true;
}

/* The loop over a vector's lanes. */
static void lane_loop(const Printer *p, const Tree *t, int indent) {
  const Kernel *k = p->kernel;
  bool one_by_one = false;
  tree_visit(t->kid[0], prevents_vectors, &one_by_one);
  if (!one_by_one) {
    buffer_puts(p->to, "#pragma omp simd");
    if (t->bytes) buffer_printf(p->to, " simdlen(%d / sizeof(T))", t->bytes);
    buffer_puts(p->to, "\n");
    buffer_fill(p->to, ' ', 2 * indent);
  }
  const bool in_flight = t->vectors == LANES_OF_VECTORS || t->vectors == LANES_OF_STREAMS;
  const int vectors = t->vectors < 0 && !in_flight ? -t->vectors : 1;
  buffer_puts(p->to, "for (int lane = 0; lane < ");
  if (t->nkids > 1) print_expression(p, t->kid[1], LOOSEST);
  else buffer_printf(p->to, "%d", kernel_vector(k) * vectors);
  if (in_flight && t->nkids < 2) buffer_puts(p->to, " * loads");
  buffer_puts(p->to, "; ++lane)");
  print_body(p, t->kid[0], indent);
}

static bool is_one(const Tree *t) {
  int64_t n;
  return tree_constant(t, &n) && n == 1;
}

/* Who calls a kernel: its number, how many do, and whether no other thread runs meanwhile: then atomics are plain. */
typedef struct Caller { const char *thread, *team; bool alone; } Caller;
static const Caller one = {"0", "1", true}, each_alone = {"thread", NULL, true}, each = {"thread", NULL, false};

/* `flag': the value of the kernel's compile-time flag, if it has one. */
static void call_instance(const Printer *p, const Tree *t, const char *flag, const Caller *by) {
  const char *before = "";
  buffer_printf(p->to, "OF(%s)(", t->kernel->name);
  if (c_adds_for_all(t->kernel)) {
    buffer_puts(p->to, by->alone ? "true" : "false");
    before = ", ";
  }
  if (t->kernel->flag) {
    buffer_printf(p->to, "%s%s", before, flag);
    before = ", ";
  }
  if (tree_contains(t->kernel->body, OP_BLOCK_ID)) {
    buffer_printf(p->to, "%s%s", before, by->thread);
    before = ", ";
  }
  if (tree_contains(t->kernel->body, OP_GRID_DIM)) {
    buffer_printf(p->to, "%s%s", before, by->team);
    before = ", ";
  }
  for (int i = 2; i < t->nkids; i++) {
    buffer_puts(p->to, before);
    print_expression(p, t->kid[i], LOOSEST);
    before = ", ";
  }
  buffer_puts(p->to, ")");
}

static void call(const Printer *p, const Tree *t, const Caller *by) {
  if (t->kernel->flag) {
    buffer_printf(p->to, "%s ? ", t->kernel->flag->name);
    call_instance(p, t, "true", by);
    buffer_puts(p->to, " : ");
  }
  call_instance(p, t, "false", by);
  buffer_puts(p->to, ";\n");
}

/* Dynamic: threads take tiles one by one; the kernel is told how many threads there are. */
static void launch_dynamic(const Printer *p, const Tree *t, int indent) {
  buffer_puts(p->to, "#pragma omp parallel num_threads(at_once(");
  print_expression(p, t->kid[0], LOOSEST);
  buffer_puts(p->to, "))\n");
  buffer_fill(p->to, ' ', indent);
  call(p, t, &(Caller){"omp_get_thread_num()", "omp_get_num_threads()", false});
}

/* Static: one iteration for each block of the grid, several to a thread where there are fewer threads. */
static void launch_static(const Printer *p, const Tree *t, int indent) {
  buffer_puts(p->to, "#pragma omp parallel for schedule(static) num_threads(at_once(");
  print_expression(p, t->kid[0], LOOSEST);
  buffer_puts(p->to, "))\n");
  buffer_fill(p->to, ' ', indent);
  buffer_puts(p->to, "for (Index thread = 0; thread < ");
  print_expression(p, t->kid[0], RELATION + 1);
  buffer_puts(p->to, "; ++thread)\n");
  buffer_fill(p->to, ' ', indent + 2);
  call(p, t, &each);
}

/* An array that the thread has for all blocks that it takes. */
static void handed(const Printer *p, const Symbol *s, int indent) {
  buffer_fill(p->to, ' ', indent);
  buffer_printf(p->to, "alignas(64) %s %s[", type_name(s->type), s->name);
  print_expression(p, s->length, LOOSEST);
  buffer_puts(p->to, "];\n");
}

static void line(const Printer *p, int indent, const char *text) {
  buffer_fill(p->to, ' ', indent);
  buffer_puts(p->to, text);
}

static void hand_arrays(const Printer *p, const Kernel *k, int indent) {
  for (int i = 0; i < k->nparams; i++)
    if (k->params[i]->handed) handed(p, k->params[i], indent);
}

/* By turns: threads take the blocks one by one, and have arrays of their own for all of them. One thread needs no team,
 * which takes half a microsecond to come together. */
static void launch_by_turns(const Printer *p, const Tree *t, int indent) {
  const Kernel *k = t->kernel;
  buffer_puts(p->to, "const int team = at_once(");
  print_expression(p, k->takers, LOOSEST);
  buffer_puts(p->to, ");\n");
  line(p, indent, "if (team == 1) {\n");
  hand_arrays(p, k, indent + 2);
  line(p, indent + 2, "for (Index thread = 0; thread < ");
  print_expression(p, t->kid[0], RELATION + 1);
  buffer_puts(p->to, "; ++thread)\n");
  line(p, indent + 4, "");
  call(p, t, &each_alone);
  line(p, indent, "}\n");
  line(p, indent, "else {\n");
  line(p, indent + 2, "Index next_part = 0; // the first part that no thread has taken\n");
  line(p, indent + 2, "#pragma omp parallel num_threads(team)\n");
  line(p, indent + 2, "{\n");
  hand_arrays(p, k, indent + 4);
  line(p, indent + 4, "for (;;) {\n");
  line(p, indent + 6, "Index thread;\n");
  line(p, indent + 6, "#pragma omp atomic capture\n");
  line(p, indent + 6, "thread = next_part++;\n");
  line(p, indent + 6, "if (thread >= ");
  print_expression(p, t->kid[0], RELATION + 1);
  buffer_puts(p->to, ") break;\n");
  line(p, indent + 6, "");
  call(p, t, &each);
  line(p, indent + 4, "}\n");
  line(p, indent + 2, "}\n");
  line(p, indent, "}\n");
}

/* Where one thread takes all blocks nobody else adds to what they share. */
static void launch_alone(const Printer *p, const Tree *t, int indent) {
  buffer_puts(p->to, "if (at_once(");
  print_expression(p, t->kid[0], LOOSEST);
  buffer_puts(p->to, ") == 1) // no thread is woken\n");
  line(p, 2 * indent + 2, "for (Index thread = 0; thread < ");
  print_expression(p, t->kid[0], RELATION + 1);
  buffer_puts(p->to, "; ++thread)\n");
  line(p, 2 * indent + 4, "");
  call(p, t, &each_alone);
}

/* A grid of one block is a plain call, without a parallel region. */
static void launch(const Printer *p, const Tree *t, int indent) {
  Buffer *to = p->to;
  if (t->kernel->takers) { launch_by_turns(p, t, 2 * indent); return; }
  if (is_one(t->kid[0])) { call(p, t, &one); return; }
  const bool dynamic = tree_contains(t->kernel->body, OP_GRID_DIM);
  if (!dynamic && c_adds_for_all(t->kernel)) launch_alone(p, t, indent);
  else {
    buffer_puts(to, "if (");
    print_expression(p, t->kid[0], RELATION + 1);
    buffer_puts(to, " == 1) // no thread is woken\n");
    buffer_fill(to, ' ', 2 * indent + 2);
    call(p, t, &one);
  }
  buffer_fill(to, ' ', 2 * indent);
  buffer_puts(to, "else {\n");
  buffer_fill(to, ' ', 2 * indent + 2);
  (dynamic ? launch_dynamic : launch_static)(p, t, 2 * indent + 2);
  buffer_fill(to, ' ', 2 * indent);
  buffer_puts(to, "}\n");
}

/* EXCHANGE(other, val, (1, 2, 3, 3), (5, ..)): the source lane of each lane, of the vector's low and high half.
 * EXCHANGE is for T, EXCHANGE_4 and EXCHANGE_8 for numbers of so many bytes, EXCHANGE_ANY for other types. */
static void exchange(const Printer *p, const Tree *t) {
  const Type type = t->kid[0]->type;
  const bool four = type == TYPE_INT || type == TYPE_UINT || type == TYPE_FLOAT;
  const bool eight = type == TYPE_LONG || type == TYPE_ULONG || type == TYPE_INDEX || type == TYPE_DOUBLE;
  int lanes = t->nkids - 2;
  buffer_printf(p->to, "EXCHANGE%s(", type == TYPE_ELEM ? "" : four ? "_4" : eight ? "_8" : "_ANY");
  print_expression(p, t->kid[0], LOOSEST);
  buffer_puts(p->to, ", ");
  print_expression(p, t->kid[1], LOOSEST);
  for (int i = 0; i < lanes; i++) {
    buffer_puts(p->to, i == 0 ? ", (" : i == lanes / 2 ? "), (" : ", ");
    print_expression(p, t->kid[2 + i], LOOSEST);
  }
  buffer_puts(p->to, "));\n");
}

/* LOAD_ROWS(row, A + i, leading) for T, LOAD_ROWS_ANY for other types. */
static void load_rows(const Printer *p, const Tree *t) {
  buffer_puts(p->to, t->kid[0]->type == TYPE_ELEM ? "LOAD_ROWS(" : "LOAD_ROWS_ANY(");
  print_expression(p, t->kid[0], LOOSEST);
  buffer_puts(p->to, ", ");
  print_address(p, t->kid[1]);
  buffer_puts(p->to, ", ");
  print_expression(p, t->kid[2], LOOSEST);
  buffer_puts(p->to, ");\n");
}

static void enumerator(const Printer *p, const Tree *t) {
  buffer_printf(p->to, "enum { %s = ", t->symbol->name);
  print_expression(p, t->kid[0], LOOSEST);
  buffer_puts(p->to, " };\n");
}

static bool c_statement_of_dialect(const Printer *p, const Tree *t, int indent) {
  switch (t->op) {
    case OP_DECLARE:
      if (!t->symbol->enumerated) return false;
      enumerator(p, t);
      break;
    case OP_ASSIGN:
      if (!is_minmax_accumulation(p, t)) return false;
      print_minmax_accumulation(p, t);
      break;
    case OP_ATOMIC: atomic(p, t, indent); break;
    case OP_LANES: lane_loop(p, t, indent); break;
    case OP_EXCHANGE: exchange(p, t); break;
    case OP_LOAD_ROWS: load_rows(p, t); break;
    case OP_LAUNCH: launch(p, t, indent); break;
    case OP_GIVE_UP: buffer_puts(p->to, "return ETIMEDOUT;\n"); break;
    default: return false;
  }
  return true;
}

static const Dialect c = {c_expression_of_dialect, c_statement_of_dialect, "(T)%s", "", "EINVAL", false,
                          emit_native_name};

void c_expression(Buffer *to, const Tree *t) {
  Printer p = {.to = to, .dialect = &c};
  print_expression(&p, t, LOOSEST);
}

void c_statements(Buffer *to, const Tree *seq, int indent, const Program *program, const char *line_folder) {
  Printer p = {.to = to, .program = program, .line_folder = line_folder, .dialect = &c};
  print_statements(&p, seq, indent);
}

void c_kernel(Buffer *to, const Kernel *k, const Program *program, const char *line_folder) {
  Printer p = {to, program, k, line_folder, &c};
  const char *before = "";
  bool waits = tree_contains(k->body, OP_CHAIN); /* other threads store to the arrays meanwhile */
  if (k->note) buffer_printf(to, "// %s\n", k->note);
  bool apart = false;
  for (int i = 0; i < k->nparams; i++) apart |= k->params[i]->handed;
  const bool alone = c_adds_for_all(k);
  buffer_printf(to, "static %svoid OF(%s)(", k->flag || alone ? "FOR_EACH_CALL " : apart ? "APART " : "", k->name);
  if (alone) {
    buffer_puts(to, "bool alone");
    before = ", ";
  }
  if (k->flag) {
    buffer_printf(to, "%sbool %s", before, k->flag->name);
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
    if (s->handed) buffer_printf(to, "%s *restrict %s", type_name(s->type), s->name);
    else print_variable(&p, s, waits ? "" : "restrict ");
    before = ", ";
  }
  buffer_puts(to, ") {\n");
  print_statements(&p, k->body, 1);
  buffer_puts(to, "}\n");
}
