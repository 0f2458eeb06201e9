/* printer.c: kernel form as text, as far as CUDA and C agree. Parentheses where precedence asks for them, and a few for
 * readers. */
#include "emit/printer.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- expressions ---- */

static int precedence(const Printer *p, const Tree *t) {
  switch (t->op) {
    case OP_COND: return CONDITIONAL;
    case OP_LOR: return LOGICAL_OR;
    case OP_LAND: return LOGICAL_AND;
    case OP_OR: return BIT_OR;
    case OP_XOR: return BIT_XOR;
    case OP_AND: return BIT_AND;
    case OP_EQ: case OP_NE: return EQUALITY;
    case OP_LT: case OP_LE: case OP_GT: case OP_GE: return RELATION;
    case OP_SHL: case OP_SHR: return SHIFT;
    case OP_ADD: case OP_SUB: return SUM;
    case OP_MUL: case OP_DIV: case OP_REM: case OP_WIDTH: case OP_ORDER_SIZE: return PRODUCT;
    case OP_NEG: case OP_NOT: case OP_BNOT: case OP_CAST: case OP_ADDRESS: case OP_PULL: return PREFIX;
    case OP_INT: case OP_FLOAT: return t->type == TYPE_ELEM && p->dialect->constant[0] == '(' ? PREFIX : POSTFIX;
    default: return POSTFIX;
  }
}

/* Mixed && and ||, shifts and bit operators get parentheses that C does not ask for: compilers warn without them. */
static bool wants_parentheses(int inner, int around) {
  if (inner == LOGICAL_AND && around == LOGICAL_OR) return true;
  if (around >= BIT_OR && around <= BIT_AND && inner != around && inner < PREFIX) return true;
  return around == SHIFT && inner < PREFIX && inner > SHIFT;
}

bool print_is_whole(const Tree *t) {
  if (t->type != TYPE_FLOAT && t->type != TYPE_DOUBLE) return false;
  if (t->op == OP_COND) return print_is_whole(t->kid[1]) && print_is_whole(t->kid[2]);
  return t->op == OP_INT || (t->op == OP_NEG && print_is_whole(t->kid[0]));
}

static void infix(const Printer *p, const Tree *t, int strength) {
  const bool whole = print_is_whole(t->kid[0]) && print_is_whole(t->kid[1]); /* 1 / 2 is 0 in C */
  if (whole) buffer_printf(p->to, "(%s)", type_name(t->kid[0]->type));
  print_expression(p, t->kid[0], whole ? PREFIX : strength);
  buffer_printf(p->to, " %s ", op_spelling(t->op));
  print_expression(p, t->kid[1], strength + 1);
}

void print_call(const Printer *p, const char *name, const Tree *t) {
  buffer_printf(p->to, "%s(", name);
  for (int i = 0; i < t->nkids; i++) {
    if (i) buffer_puts(p->to, ", ");
    print_expression(p, t->kid[i], LOOSEST);
  }
  buffer_puts(p->to, ")");
}

/* A literal, converted to T where the type is T. */
static void constant(const Printer *p, const Tree *t, const char *number) {
  if (t->type == TYPE_ELEM) buffer_printf(p->to, p->dialect->constant, number);
  else buffer_puts(p->to, number);
}

static void integer(const Printer *p, const Tree *t) {
  char text[40];
  if (t->type == TYPE_BOOL) { buffer_puts(p->to, t->number ? "true" : "false"); return; }
  bool is_unsigned = t->type == TYPE_UINT || t->type == TYPE_ULONG;
  bool fits = t->number >= INT32_MIN && t->number <= (t->type == TYPE_UINT ? (int64_t)UINT32_MAX : INT32_MAX);
  bool is_long = !fits || t->type == TYPE_LONG || t->type == TYPE_ULONG;
  snprintf(text, sizeof text, "%" PRId64 "%s%s", t->number, is_unsigned ? "u" : "", is_long ? "ll" : "");
  constant(p, t, text);
}

static void real(const Printer *p, const Tree *t) {
  char text[40];
  int n = snprintf(text, sizeof text, "%.17g", t->real);
  bool whole = !strpbrk(text, ".einf");
  snprintf(text + n, sizeof text - (size_t)n, "%s%s", whole ? ".0" : "", t->type == TYPE_FLOAT ? "f" : "");
  constant(p, t, text);
}

/* -x, and -(-x): two signs in a row are a decrement. */
static void negation(const Printer *p, const Tree *t) {
  const Tree *x = t->kid[0];
  bool sign = x->op == OP_NEG || (x->op == OP_INT && x->number < 0) || (x->op == OP_FLOAT && signbit(x->real));
  buffer_puts(p->to, "-");
  print_expression(p, x, sign ? POSTFIX + 1 : PREFIX);
}

static void print_unparenthesised(const Printer *p, const Tree *t, int strength) {
  if (p->dialect->expression(p, t)) return;
  switch (t->op) {
    case OP_INT:
      if (type_is_state(t->type)) buffer_printf(p->to, "%s()", type_name(t->type)); /* all zeros */
      else integer(p, t);
      break;
    case OP_FLOAT: real(p, t); break;
    case OP_BOOL: buffer_puts(p->to, t->number ? "true" : "false"); break;
    case OP_REF: buffer_puts(p->to, t->symbol->name); break;
    case OP_LANE: buffer_puts(p->to, "lane"); break;
    case OP_NEG: negation(p, t); break;
    case OP_NOT: case OP_BNOT: case OP_ADDRESS:
      buffer_puts(p->to, op_spelling(t->op));
      print_expression(p, t->kid[0], strength);
      break;
    case OP_NATIVE: print_call(p, p->dialect->native(p, t), t); break;
    case OP_CAST: buffer_printf(p->to, "(%s)", type_name(t->type)); print_expression(p, t->kid[0], strength); break;
    case OP_COND:
      print_expression(p, t->kid[0], strength + 1);
      buffer_puts(p->to, " ? ");
      print_expression(p, t->kid[1], strength);
      buffer_puts(p->to, " : ");
      print_expression(p, t->kid[2], strength);
      break;
    case OP_INDEX:
      print_expression(p, t->kid[0], strength);
      buffer_puts(p->to, "[");
      print_expression(p, t->kid[1], LOOSEST);
      buffer_puts(p->to, "]");
      break;
    case OP_FIELD:
      print_expression(p, t->kid[0], strength);
      buffer_printf(p->to, ".%s", t->text);
      break;
    case OP_APPLY: case OP_IDENTITY: case OP_LIFT: case OP_STATE: case OP_FINISH:
      buffer_printf(p->to, "%s::", state_operator(t->op == OP_FINISH ? t->kid[0]->type : t->type));
      print_call(p, op_spelling(t->op), t);
      break;
    default:
      if (op_function(t->op)) print_call(p, op_spelling(t->op), t);
      else infix(p, t, strength);
  }
}

void print_expression(const Printer *p, const Tree *t, int around) {
  int strength = precedence(p, t);
  bool parens = strength < around || wants_parentheses(strength, around);
  if (parens) buffer_puts(p->to, "(");
  print_unparenthesised(p, t, strength);
  if (parens) buffer_puts(p->to, ")");
}

/* Constants of T are not converted, unless compilers would warn of their sign. */
void print_value(const Printer *p, const Tree *t) {
  if (t->op == OP_INT && t->type == TYPE_ELEM && t->number >= 0) buffer_printf(p->to, "%" PRId64, t->number);
  else print_expression(p, t, LOOSEST);
}

void print_address(const Printer *p, const Tree *place) {
  int64_t at;
  if (place->op == OP_INDEX && tree_constant(place->kid[1], &at) && at == 0) {
    print_expression(p, place->kid[0], LOOSEST);
    return;
  }
  buffer_puts(p->to, "&");
  print_expression(p, place, PREFIX);
}

/* ---- statements ---- */

static void statement(const Printer *p, const Tree *t, int indent);

void print_variable(const Printer *p, const Symbol *s, const char *restrict_) {
  buffer_printf(p->to, "%s %s%s%s", type_name(s->type), s->pointer ? "*" : "", s->pointer ? restrict_ : "", s->name);
}

static void declaration(const Printer *p, const Tree *t) {
  Buffer *to = p->to;
  const Symbol *s = t->symbol;
  if (s->asked) {
    buffer_printf(to, "SHARED_ARRAY(%s, %s, ", type_name(s->type), s->name);
    print_expression(p, s->length, LOOSEST);
    if (!s->behind) buffer_puts(to, ", shared_memory)");
    else {
      buffer_printf(to, ", %s + ", s->behind->name);
      print_expression(p, s->behind->length, LOOSEST);
      buffer_puts(to, ")");
    }
    return;
  }
  if (s->kind == SYMBOL_SHARED) buffer_puts(to, p->dialect->shared);
  if (s->aligned) buffer_printf(to, "__align__(%d) ", s->swizzled ? 1024 : 16);
  if (s->room) {
    buffer_printf(to, "alignas(64) %s %s[", type_name(s->type), s->room);
    print_expression(p, s->length, LOOSEST);
    buffer_printf(to, "];\n  %2$s *const %1$s = (%2$s *)unseen(%3$s)", s->name, type_name(s->type),
                  s->room); /* at a kernel's head */
    return;
  }
  if (s->constant && t->nkids) buffer_puts(to, "const ");
  print_variable(p, s, "");
  if (s->array) {
    buffer_puts(to, "[");
    print_expression(p, s->length, LOOSEST);
    buffer_puts(to, "]");
  }
  if (s->type == TYPE_BOXES) buffer_puts(to, " = {}");
  if (t->nkids) {
    buffer_puts(to, " = ");
    print_value(p, t->kid[0]);
  }
}

/* x = y, x += y, ++x */
static void assignment(const Printer *p, const Tree *t) {
  int64_t by;
  bool step = (t->compound == OP_ADD || t->compound == OP_SUB) && t->kid[0]->type != TYPE_ELEM &&
              tree_constant(t->kid[1], &by) && by == 1;
  if (step) {
    buffer_puts(p->to, t->compound == OP_ADD ? "++" : "--");
    print_expression(p, t->kid[0], LOOSEST);
    return;
  }
  print_expression(p, t->kid[0], LOOSEST);
  buffer_printf(p->to, " %s= ", t->compound ? op_spelling(t->compound) : "");
  print_value(p, t->kid[1]);
}

static void print_simple(const Printer *p, const Tree *t) {
  if (!t) return;
  if (t->op == OP_DECLARE) declaration(p, t);
  else if (t->op == OP_ASSIGN) assignment(p, t);
  else print_expression(p, t, LOOSEST);
}

static bool fits_one_line(const Tree *t) {
  static const Op short_ones[] = {OP_ASSIGN, OP_ATOMIC, OP_PUSH, OP_POST, OP_LOAD_WIDE, OP_LOAD_SEVERAL, OP_STORE_WIDE,
                                  OP_COPY_AHEAD, OP_COPY_ROWS, OP_COPY_PANEL, OP_COPY_CHUNK, OP_LOAD_A, OP_LOAD_B,
                                  OP_PART_OF_A, OP_LOAD_NEAR, OP_KEEP_NEAR, OP_MULTIPLY, OP_MULTIPLY_TILE,
                                  OP_MULTIPLY_GROUP, OP_FETCH_AHEAD,
                                  OP_LOAD_WORDS, OP_TAKE_WORDS,
                                  OP_OPEN_PANELS, OP_AWAIT_ROOM, OP_FREE_PANEL, OP_DELIVER_BOXES, OP_AWAIT_READS,
                                  OP_STORE_PAIR, OP_UNIT_SUMS,
                                  OP_UNIT_SCAN,
                                  OP_UNIT_LOAD, OP_UNIT_STORE, OP_RESERVE, OP_NATIVELY, OP_LOAD_RUN, OP_STORE_RUN,
                                  OP_RETURN, OP_GIVE_UP, OP_BREAK, OP_CONTINUE};
  if (t->op == OP_SEQ) return t->nkids == 1 && fits_one_line(t->kid[0]);
  for (size_t i = 0; i < sizeof short_ones / sizeof *short_ones; i++)
    if (t->op == short_ones[i]) return true;
  return false;
}

void print_body(const Printer *p, const Tree *t, int indent) {
  if (fits_one_line(t)) {
    buffer_puts(p->to, "\n");
    statement(p, t->op == OP_SEQ ? t->kid[0] : t, indent + 1);
    return;
  }
  buffer_puts(p->to, " {\n");
  print_statements(p, t, indent + 1);
  buffer_fill(p->to, ' ', 2 * indent);
  buffer_puts(p->to, "}\n");
}

static void conditional(const Printer *p, const Tree *t, int indent) {
  /* the other branch may not compile for T */
  buffer_puts(p->to, t->kid[0]->op == OP_REDUCES ? "if constexpr (" : "if (");
  print_expression(p, t->kid[0], LOOSEST);
  buffer_puts(p->to, ")");
  bool otherwise = t->nkids > 2 && t->kid[2];
  print_body(p, t->kid[1], indent);
  if (!otherwise) return;
  buffer_fill(p->to, ' ', 2 * indent);
  buffer_puts(p->to, "else");
  print_body(p, t->kid[2], indent);
}

static void loop(const Printer *p, const Tree *t, int indent) {
  if (t->unroll && p->dialect->unrolls) {
    buffer_printf(p->to, "#pragma unroll%s\n", t->unroll == UNROLL_NONE ? " 1" : t->unroll == UNROLL_FEW ? " 8" : "");
    buffer_fill(p->to, ' ', 2 * indent);
  }
  buffer_puts(p->to, "for (");
  print_simple(p, t->kid[0]);
  buffer_puts(p->to, "; ");
  print_simple(p, t->kid[1]);
  buffer_puts(p->to, "; ");
  print_simple(p, t->kid[2]);
  buffer_puts(p->to, ")");
  print_body(p, t->kid[3], indent);
}

/* Of the statement's line in its codelet; lines.c leads back. */
static void line_directive(const Printer *p, const Tree *t) {
  int line, column;
  source_position(t->where.file, t->where.begin, &line, &column);
  const char *path = source_path(t->where.file, t->where.begin);
  const bool relative = path[0] != '/' && *p->line_folder;
  buffer_printf(p->to, "#line %d \"%s%s%s\"\n", line, relative ? p->line_folder : "", relative ? "/" : "", path);
}

static void statement(const Printer *p, const Tree *t, int indent) {
  Buffer *to = p->to;
  if (p->line_folder && t->where.file && t->op != OP_SEQ) line_directive(p, t);
  buffer_fill(to, ' ', 2 * indent);
  if (p->dialect->statement(p, t, indent)) return;
  switch (t->op) {
    case OP_DECLARE: case OP_ASSIGN: print_simple(p, t); buffer_puts(to, ";\n"); break;
    case OP_IF: conditional(p, t, indent); break;
    case OP_FOR: loop(p, t, indent); break;
    case OP_WHILE:
      buffer_puts(to, "while (");
      print_expression(p, t->kid[0], LOOSEST);
      buffer_puts(to, ")");
      print_body(p, t->kid[1], indent);
      break;
    case OP_SEQ:
      buffer_puts(to, "{\n");
      print_statements(p, t, indent + 1);
      buffer_fill(to, ' ', 2 * indent);
      buffer_puts(to, "}\n");
      break;
    case OP_RETURN:
      buffer_puts(to, "return");
      if (t->nkids || !p->kernel) buffer_puts(to, " ");
      if (t->nkids) print_expression(p, t->kid[0], LOOSEST);
      else if (!p->kernel) buffer_puts(to, p->dialect->invalid);
      buffer_puts(to, ";\n");
      break;
    case OP_NATIVELY: print_expression(p, t->kid[0], LOOSEST); buffer_puts(to, ";\n"); break;
    case OP_BREAK: buffer_puts(to, "break;\n"); break;
    case OP_CONTINUE: buffer_puts(to, "continue;\n"); break;
    case OP_COMMENT: buffer_printf(to, "// %s\n", t->text); break;
    default: print_expression(p, t, LOOSEST); buffer_puts(to, ";\n");
  }
}

void print_statements(const Printer *p, const Tree *seq, int indent) {
  if (seq->op != OP_SEQ) { statement(p, seq, indent); return; }
  for (int i = 0; i < seq->nkids; i++) statement(p, seq->kid[i], indent);
}

/* ---- kernels ---- */

typedef struct Wanted { const Symbol *symbol; bool found; } Wanted;

static bool note_use(void *context, const Tree *t) {
  Wanted *w = context;
  if (t->op == OP_REF && t->symbol == w->symbol) w->found = true;
  if (t->op == OP_DECLARE && t->symbol->length) tree_visit(t->symbol->length, note_use, w);
  return true;
}

int kernel_cases(const Kernel *k) {
  int n = 0;
  while (n < MOST_CASES && k->cases[n]) n++;
  return n;
}

bool kernel_takes(const Kernel *k, const ProgramConstant *c) {
  Wanted w = {.symbol = c->symbol, .found = k->threads == c->symbol};
  if (!c->tunable.at_launch) tree_visit(k->body, note_use, &w);
  return !c->tunable.at_launch && w.found;
}
