/* print.c: trees as C-like text, for people, dumps and golden tests. */
#include <inttypes.h>

#include "ir/native.h"
#include "ir/operator.h"

static const char *const shuffle_names[] = {"down", "up", "xor", "index"};
static const char *const scope_names[] = {"none", "warp", "block", "cluster", "device"};

static void expression(Buffer *to, const Tree *t);

static void list(Buffer *to, const Tree *t, int from) {
  for (int i = from; i < t->nkids; i++) {
    if (i > from) buffer_puts(to, ", ");
    expression(to, t->kid[i]);
  }
}

static void call(Buffer *to, const char *name, const Tree *t) {
  buffer_printf(to, "%s(", name);
  list(to, t, 0);
  buffer_puts(to, ")");
}

static void choice(Buffer *to, const Tree *t) {
  buffer_puts(to, "(");
  expression(to, t->kid[0]);
  buffer_puts(to, " ? ");
  expression(to, t->kid[1]);
  buffer_puts(to, " : ");
  expression(to, t->kid[2]);
  buffer_puts(to, ")");
}

static void shuffle(Buffer *to, const Tree *t) {
  const char *of = t->words ? "words_" : "";
  call(to, arena_printf(to->arena, "shuffle_%s%s", of, shuffle_names[t->mode]), t);
}

/* x[i], A(i, j) */
static void element(Buffer *to, const Tree *t) {
  expression(to, t->kid[0]);
  buffer_puts(to, t->nkids > 2 ? "(" : "[");
  list(to, t, 1);
  buffer_puts(to, t->nkids > 2 ? ")" : "]");
}

static void expression(Buffer *to, const Tree *t) {
  if (!t) { buffer_puts(to, "<null>"); return; }
  switch (t->op) {
    case OP_INT: buffer_printf(to, "%" PRId64, t->number); break;
    case OP_BOOL: buffer_puts(to, t->number ? "true" : "false"); break;
    case OP_FLOAT: buffer_printf(to, "%.17g", t->real); break;
    case OP_LIMIT:
      buffer_printf(to, "%s<%s>()", t->limit == LIMIT_LOWEST ? "lowest" : "highest", type_name(t->type));
      break;
    case OP_REF: buffer_puts(to, t->symbol->name); break;
    case OP_NEG: case OP_NOT: case OP_BNOT: case OP_ADDRESS:
      buffer_puts(to, t->op == OP_NEG ? "-" : op_spelling(t->op));
      expression(to, t->kid[0]);
      break;
    case OP_WIDTH: buffer_printf(to, "width<%s>", type_name(t->element)); break;
    case OP_TO_ALIGNED: case OP_SEE_ANY: case OP_ANY: case OP_FUSED: case OP_ARRIVE: case OP_BEGIN: case OP_COLLECT:
    case OP_HALF: case OP_IN_BOXES: case OP_COMES_LAST: case OP_ANY_OF_BLOCK: case OP_CLAIM:
      call(to, op_spelling(t->op), t);
      break;
    case OP_COND: choice(to, t); break;
    case OP_CAST: buffer_printf(to, "(%s)", type_name(t->type)); expression(to, t->kid[0]); break;
    case OP_INDEX: element(to, t); break;
    case OP_FIELD: expression(to, t->kid[0]); buffer_printf(to, ".%s", t->text); break;
    case OP_SHUFFLE: shuffle(to, t); break;
    case OP_REDUCE: call(to, arena_printf(to->arena, "reduce_%s", operator_name(t->combines)), t); break;
    case OP_REDUCES: case OP_ORDER_SIZE: buffer_printf(to, "%s<%s>", op_spelling(t->op), type_name(t->element)); break;
    case OP_CALL: call(to, t->spectrum->name, t); break;
    case OP_NATIVE: call(to, t->native->name, t); break;
    case OP_SPECTRUM: buffer_puts(to, t->spectrum->name); break;
    case OP_MAP: case OP_TRANSFORM: case OP_GENERATE: case OP_SLIDE:
      buffer_printf(to, "%s(%s, ", op_spelling(t->op), t->spectrum->name);
      list(to, t, 0);
      buffer_puts(to, ")");
      break;
    case OP_APPLY: case OP_IDENTITY: case OP_LIFT: case OP_STATE: case OP_FINISH: case OP_MIN: case OP_MAX:
    case OP_SIZE: case OP_APART:
      if (t->dimension) {
        buffer_printf(to, "%s(", op_spelling(t->op));
        expression(to, t->kid[0]);
        buffer_printf(to, ", %d)", t->dimension);
        break;
      }
      call(to, op_spelling(t->op), t);
      break;
    case OP_CUT: call(to, t->nkids == 2 ? "tiles" : "cut", t); break;
    case OP_PARTITION: case OP_PARTS: case OP_HALO: case OP_WHOLE: case OP_SEQUENCE: case OP_STRIDE:
    case OP_ROWS: case OP_COLUMNS: case OP_ELEMENTS: case OP_BOX:
    case OP_BESIDE:
    case OP_ZIP: case OP_ALIKE: case OP_POPCOUNT: case OP_ORDER_BITS:
      call(to, op_spelling(t->op), t);
      break;
    case OP_VECTOR_SIZE: case OP_VECTOR_MAX: case OP_VECTOR_THREAD: case OP_VECTOR_LANE: case OP_VECTOR_ID:
    case OP_COOP_DIM: buffer_printf(to, "%s()", op_spelling(t->op)); break;
    case OP_THREAD: case OP_LANE: case OP_WARP: case OP_BLOCK_ID: case OP_CLUSTER_ID: case OP_RANK: case OP_GRID_DIM:
      buffer_puts(to, op_spelling(t->op));
      break;
    default:
      if (op_view(t->op) || op_function(t->op)) call(to, op_spelling(t->op), t);
      else if (t->nkids == 2) {
        buffer_puts(to, "(");
        expression(to, t->kid[0]);
        buffer_printf(to, " %s ", op_spelling(t->op));
        expression(to, t->kid[1]);
        buffer_puts(to, ")");
      } else buffer_printf(to, "<%s>", op_spelling(t->op));
  }
}

static void declaration(Buffer *to, const Tree *t) {
  static const char *const kinds[] = {"param ", "",          "__tunable ", "__shared ",
                                      "Map ",   "Sequence ", "Cut ",       "constant "};
  const Symbol *s = t->symbol;
  buffer_puts(to, kinds[s->kind]);
  if (s->atomic) buffer_printf(to, "__atomic%s ", atomic_name(s->atomic));
  if (s->constant) buffer_puts(to, "const ");
  if (s->kind == SYMBOL_LOCAL && s->rank) buffer_printf(to, "Array<%d, %s> ", s->rank, type_name(s->type));
  else if (s->kind != SYMBOL_MAP && s->kind != SYMBOL_SEQUENCE && s->kind != SYMBOL_CUT)
    buffer_printf(to, "%s ", type_name(s->type));
  buffer_puts(to, s->name);
  for (int d = 0; d < s->rank && s->length; d++) {
    buffer_puts(to, d ? ", " : "(");
    expression(to, symbol_extent(s, d));
    if (d == s->rank - 1) buffer_puts(to, ")");
  }
  if (s->array) {
    buffer_puts(to, "[");
    if (s->length) expression(to, s->length);
    buffer_puts(to, "]");
  }
  const Tree *init = t->nkids ? t->kid[0] : s->init;
  if (init) { buffer_puts(to, " = "); expression(to, init); }
  buffer_puts(to, ";\n");
}

static void statement(Buffer *to, const Tree *t, int indent);

/* An assignment without its semicolon, as a for header wants it too. */
static void assignment(Buffer *to, const Tree *t) {
  expression(to, t->kid[0]);
  buffer_printf(to, " %s= ", t->compound ? op_spelling(t->compound) : "");
  expression(to, t->kid[1]);
}

static void header_part(Buffer *to, const Tree *t) {
  if (!t) return;
  if (t->op == OP_ASSIGN) assignment(to, t);
  else if (t->op == OP_DECLARE) {
    buffer_printf(to, "%s %s", type_name(t->symbol->type), t->symbol->name);
    if (t->nkids) { buffer_puts(to, " = "); expression(to, t->kid[0]); }
  } else expression(to, t);
}

static void body(Buffer *to, const Tree *t, int indent) {
  buffer_puts(to, "{\n");
  if (t && t->op == OP_SEQ)
    for (int i = 0; i < t->nkids; i++) statement(to, t->kid[i], indent + 1);
  else if (t) statement(to, t, indent + 1);
  buffer_fill(to, ' ', 2 * indent);
  buffer_puts(to, "}");
}

static void for_loop(Buffer *to, const Tree *t, int indent) {
  for (int i = 0; i < 3; i++) {
    buffer_puts(to, i ? "; " : "for (");
    header_part(to, t->kid[i]);
  }
  buffer_puts(to, ") ");
  body(to, t->kid[3], indent);
  buffer_puts(to, "\n");
}

static void while_loop(Buffer *to, const Tree *t, int indent) {
  buffer_puts(to, "while ");
  expression(to, t->kid[0]);
  buffer_puts(to, " ");
  body(to, t->kid[1], indent);
  buffer_puts(to, "\n");
}

static void statement(Buffer *to, const Tree *t, int indent) {
  buffer_fill(to, ' ', 2 * indent);
  switch (t->op) {
    case OP_SEQ: body(to, t, indent); buffer_puts(to, "\n"); break;
    case OP_DECLARE: declaration(to, t); break;
    case OP_ASSIGN: assignment(to, t); buffer_puts(to, ";\n"); break;
    case OP_IF:
      buffer_puts(to, "if ");
      expression(to, t->kid[0]);
      buffer_puts(to, " ");
      body(to, t->kid[1], indent);
      if (t->nkids > 2 && t->kid[2]) { buffer_puts(to, " else "); body(to, t->kid[2], indent); }
      buffer_puts(to, "\n");
      break;
    case OP_FOR: for_loop(to, t, indent); break;
    case OP_WHILE: while_loop(to, t, indent); break;
    case OP_LANES:
      buffer_printf(to, "%s ", op_spelling(t->op));
      if (t->vectors == LANES_OF_VECTORS || t->vectors == LANES_OF_STREAMS) buffer_puts(to, "* loads ");
      if (t->vectors < LANES_OF_STREAMS) buffer_printf(to, "* %d ", -t->vectors);
      if (t->bytes) buffer_printf(to, "by %d bytes ", t->bytes);
      if (t->nkids > 1) { buffer_puts(to, "below "); expression(to, t->kid[1]); buffer_puts(to, " "); }
      body(to, t->kid[0], indent);
      buffer_puts(to, "\n");
      break;
    case OP_RETURN:
      buffer_puts(to, "return");
      if (t->nkids) { buffer_puts(to, " "); expression(to, t->kid[0]); }
      buffer_puts(to, ";\n");
      break;
    case OP_BREAK: buffer_puts(to, "break;\n"); break;
    case OP_CONTINUE: buffer_puts(to, "continue;\n"); break;
    case OP_ATOMIC:
      buffer_printf(to, "atomic%s_%s(", atomic_name(t->atomic), scope_names[t->scope]);
      list(to, t, 0);
      buffer_puts(to, ");\n");
      break;
    case OP_MAP_ATOMIC:
      expression(to, t->kid[0]);
      buffer_printf(to, ".atomic%s();\n", atomic_name(t->atomic));
      break;
    case OP_MAP_TO:
      expression(to, t->kid[0]);
      buffer_puts(to, ".to(");
      expression(to, t->kid[1]);
      buffer_puts(to, ");\n");
      break;
    case OP_MAP_RUN: case OP_RUN: case OP_NATIVELY: expression(to, t->kid[0]); buffer_puts(to, ";\n"); break;
    case OP_COMMENT: buffer_printf(to, "// %s\n", t->text); break;
    case OP_BARRIER: buffer_printf(to, "barrier(%s);\n", scope_names[t->scope]); break;
    case OP_AFTER_GRIDS: buffer_puts(to, "after_earlier_grids;\n"); break;
    case OP_LAUNCH: buffer_puts(to, "launch("); list(to, t, 0); buffer_puts(to, ");\n"); break;
    case OP_LOAD_WIDE: case OP_LOAD_SEVERAL: case OP_STORE_WIDE: case OP_EXCHANGE: case OP_LOAD_ROWS: case OP_PUSH:
    case OP_LOAD_RUN: case OP_STORE_RUN:
    case OP_POST: case OP_LOAD_A: case OP_LOAD_B: case OP_PART_OF_A: case OP_MULTIPLY: case OP_MULTIPLY_TILE:
    case OP_LOAD_NEAR: case OP_KEEP_NEAR: case OP_COPY_AHEAD: case OP_COPY_ROWS: case OP_CLOSE_COPIES:
    case OP_AWAIT_COPIES: case OP_OPEN_PANELS: case OP_COPY_PANEL: case OP_COPY_CHUNK: case OP_AWAIT_PANEL:
    case OP_MULTIPLY_GROUP: case OP_OPEN_PRODUCTS: case OP_AWAIT_PRODUCTS: case OP_STORE_PAIR: case OP_UNIT_SUMS:
    case OP_UNIT_SCAN: case OP_UNIT_LOAD: case OP_UNIT_STORE: case OP_LOAD_WORDS: case OP_TAKE_WORDS:
    case OP_AWAIT_ROOM: case OP_FREE_PANEL: case OP_DELIVER_BOXES: case OP_AWAIT_READS:
    case OP_BEGIN_SUMS: case OP_FETCH_AHEAD:
      call(to, op_spelling(t->op), t);
      buffer_puts(to, ";\n");
      break;
    case OP_CLUSTER_ARRIVE: case OP_CLUSTER_WAIT:
      buffer_printf(to, "%s(%s);\n", op_spelling(t->op), t->op == OP_CLUSTER_ARRIVE && t->relaxed ? "relaxed" : "");
      break;
    default: expression(to, t); buffer_puts(to, ";\n");
  }
}

void tree_print(Buffer *to, const Tree *t, int indent) {
  if (!t) return;
  if (op_is_statement(t->op)) statement(to, t, indent);
  else expression(to, t);
}
