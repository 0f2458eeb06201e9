/* kernel_text.c: a small reader of kernel form. */
#include "kernel_text.h"
#include "ir/operator.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct Reader {
  Arena *a;
  const char *at;
  Kernel *kernel;
  VEC(Symbol *) scope;
} Reader;

static void wrong(Reader *r, const char *what) { fail_msg("kernel text: expected %s at `%.30s'", what, r->at); }

static void blanks(Reader *r) {
  while (isspace((unsigned char)*r->at)) r->at++;
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Takes a word or a sign if it is next. */
static bool take(Reader *r, const char *s) {
  blanks(r);
  size_t n = strlen(s);
  if (strncmp(r->at, s, n) != 0) return false;
  if (is_word(s[0]) && is_word(r->at[n])) return false;
  r->at += n;
  return true;
}

static void need(Reader *r, const char *s) {
  if (!take(r, s)) wrong(r, s);
}

static const char *word(Reader *r) {
  blanks(r);
  const char *start = r->at;
  while (is_word(*r->at)) r->at++;
  if (r->at == start) wrong(r, "a name");
  return arena_strndup(r->a, start, (size_t)(r->at - start));
}

static bool type(Reader *r, Type *t) {
  static const struct { const char *name; Type type; } types[] = {{"int", TYPE_INT}, {"unsigned", TYPE_UINT},
      {"bool", TYPE_BOOL}, {"Index", TYPE_INDEX}, {"float", TYPE_FLOAT}, {"T", TYPE_ELEM}};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (take(r, types[i].name)) { *t = types[i].type; return true; }
  return false;
}

static Tree *expression(Reader *r, int strength);

static Tree *leaf(Reader *r, Op op, Type t) { return tree_new(r->a, op, t, (SourceRange){0}, 0); }

static Tree *number(Reader *r) {
  char *end;
  const char *start = r->at;
  Tree *t = tree_int(r->a, TYPE_INT, strtoll(start, &end, 10));
  if (*end == '.') {
    t->op = OP_FLOAT;
    t->type = TYPE_FLOAT;
    t->real = strtod(start, &end);
  }
  r->at = end;
  return t;
}

static Tree *pair(Reader *r, Op op, Type t) {
  need(r, "(");
  Tree *x = expression(r, 0);
  need(r, ",");
  Tree *y = expression(r, 0);
  need(r, ")");
  return tree_binary(r->a, op, t ? t : x->type, x, y);
}

/* half_of(x), reduce_add(x) .., reduces<T>; or NULL. */
static Tree *of_warp(Reader *r) {
  Type of = TYPE_VOID;
  if (take(r, "reduces")) {
    need(r, "<");
    if (!type(r, &of)) wrong(r, "a type");
    need(r, ">");
    Tree *t = leaf(r, OP_REDUCES, TYPE_BOOL);
    t->element = of;
    return t;
  }
  int op = -1;
  if (take(r, "half_of")) op = OPERATOR_NONE;
  for (int k = OPERATOR_ADD; k <= OPERATOR_XOR && op < 0; k++)
    if (take(r, arena_printf(r->a, "reduce_%s", operator_name((OperatorKind)k)))) op = k;
  if (op < 0) return NULL;
  need(r, "(");
  Tree *x = expression(r, 0), *t = tree_unary(r->a, op ? OP_REDUCE : OP_HALF, x->type, x);
  need(r, ")");
  t->combines = op;
  return t;
}

static Tree *name(Reader *r) {
  static const char *const shuffles[] = {"shuffle_down", "shuffle_up", "shuffle_xor", "shuffle_index"};
  if (take(r, "thread")) return leaf(r, OP_THREAD, TYPE_INT);
  if (take(r, "lane")) return leaf(r, OP_LANE, TYPE_INT);
  if (take(r, "warp")) return leaf(r, OP_WARP, TYPE_INT);
  if (take(r, "block")) return leaf(r, OP_BLOCK_ID, TYPE_INDEX);
  if (take(r, "rank")) return leaf(r, OP_RANK, TYPE_INT);
  for (int i = 0; i < 2; i++)
    if (take(r, i ? "true" : "false")) {
      Tree *t = leaf(r, OP_BOOL, TYPE_BOOL);
      t->number = i;
      return t;
    }
  if (take(r, "min")) return pair(r, OP_MIN, TYPE_VOID);
  if (take(r, "max")) return pair(r, OP_MAX, TYPE_VOID);
  for (int i = 0; i < 4; i++)
    if (take(r, shuffles[i])) {
      Tree *t = pair(r, OP_SHUFFLE, TYPE_VOID);
      t->mode = i;
      return t;
    }
  Tree *t = of_warp(r);
  if (t) return t;
  const char *text = word(r);
  for (int i = r->scope.n - 1; i >= 0; i--)
    if (strcmp(r->scope.at[i]->name, text) == 0) return tree_ref(r->a, r->scope.at[i]);
  fail_msg("kernel text: `%s' is not declared", text);
  return NULL;
}

static Tree *primary(Reader *r) {
  blanks(r);
  Tree *t;
  Type cast;
  if (isdigit((unsigned char)*r->at)) t = number(r);
  else if (take(r, "!")) return tree_unary(r->a, OP_NOT, TYPE_BOOL, primary(r));
  else if (take(r, "-")) {
    t = primary(r);
    return tree_unary(r->a, OP_NEG, t->type, t);
  } else if (take(r, "(")) {
    if (type(r, &cast)) {
      need(r, ")");
      return tree_unary(r->a, OP_CAST, cast, primary(r));
    }
    t = expression(r, 0);
    need(r, ")");
  } else t = name(r);
  while (take(r, "[")) {
    t = tree_binary(r->a, OP_INDEX, t->type, t, expression(r, 0));
    need(r, "]");
  }
  return t;
}

static const struct { const char *sign; Op op; int strength; bool truth; } signs[] = {
    {"||", OP_LOR, 1, true}, {"&&", OP_LAND, 2, true}, {"==", OP_EQ, 6, true}, {"!=", OP_NE, 6, true},
    {"<<", OP_SHL, 8, false}, {">>", OP_SHR, 8, false}, {"<=", OP_LE, 7, true}, {">=", OP_GE, 7, true},
    {"<", OP_LT, 7, true}, {">", OP_GT, 7, true}, {"|", OP_OR, 3, false}, {"^", OP_XOR, 4, false},
    {"&", OP_AND, 5, false}, {"+", OP_ADD, 9, false}, {"-", OP_SUB, 9, false}, {"*", OP_MUL, 10, false},
    {"/", OP_DIV, 10, false}, {"%", OP_REM, 10, false}};
enum { SIGNS = sizeof signs / sizeof *signs };

static int next_sign(Reader *r) {
  blanks(r);
  for (int i = 0; i < SIGNS; i++) {
    size_t n = strlen(signs[i].sign);
    if (strncmp(r->at, signs[i].sign, n) == 0 && (r->at[n] != '=' || signs[i].truth)) return i;
  }
  return -1;
}

static Tree *expression(Reader *r, int strength) {
  Tree *x = primary(r);
  for (;;) {
    int i = next_sign(r);
    if (i < 0 || signs[i].strength <= strength) break;
    r->at += strlen(signs[i].sign);
    Tree *y = expression(r, signs[i].strength);
    Type t = signs[i].truth ? TYPE_BOOL : x->type == TYPE_INDEX || y->type == TYPE_INDEX ? TYPE_INDEX : x->type;
    x = tree_binary(r->a, signs[i].op, t, x, y);
  }
  if (strength == 0 && take(r, "?")) {
    Tree *c = tree_new(r->a, OP_COND, TYPE_VOID, (SourceRange){0}, 3);
    c->kid[0] = x;
    c->kid[1] = expression(r, 0);
    need(r, ":");
    c->kid[2] = expression(r, 0);
    c->type = c->kid[1]->type;
    return c;
  }
  return x;
}

static Tree *declaration(Reader *r, SymbolKind kind, Type t, bool constant) {
  Symbol *s = symbol_new(r->a, kind, word(r), t);
  s->constant = constant;
  if (take(r, "[")) {
    s->array = true;
    s->length = expression(r, 0);
    need(r, "]");
  }
  Tree *init = take(r, "=") ? expression(r, 0) : NULL;
  Tree *d = tree_new(r->a, OP_DECLARE, TYPE_VOID, (SourceRange){0}, init ? 1 : 0);
  d->symbol = s;
  if (init) d->kid[0] = init;
  vec_push(r->a, &r->scope, s);
  return d;
}

/* A declaration, an assignment, or an atomic: what ends in a semicolon. */
static Tree *simple(Reader *r) {
  static const char *const atomics[] = {"", "atomicAdd", "atomicSub", "atomicMax", "atomicMin"};
  Type t;
  bool shared = take(r, "shared"), constant = take(r, "const");
  if (type(r, &t)) return declaration(r, shared ? SYMBOL_SHARED : SYMBOL_LOCAL, t, constant);
  for (int i = 1; i < 5; i++)
    if (take(r, atomics[i])) {
      Tree *x = pair(r, OP_ATOMIC, TYPE_VOID);
      x->type = TYPE_VOID;
      x->atomic = i;
      x->scope = SCOPE_BLOCK;
      return x;
    }
  if (take(r, "push")) {
    Tree *x = pair(r, OP_PUSH, TYPE_VOID);
    x->type = TYPE_VOID;
    return x;
  }
  Tree *place = primary(r), *x;
  Op op = OP_INT;
  for (int i = 0; i < SIGNS && op == OP_INT; i++) {
    blanks(r);
    size_t n = strlen(signs[i].sign);
    if (!signs[i].truth && strncmp(r->at, signs[i].sign, n) == 0 && r->at[n] == '=') {
      op = signs[i].op;
      r->at += n;
    }
  }
  need(r, "=");
  x = tree_binary(r->a, OP_ASSIGN, TYPE_VOID, place, expression(r, 0));
  x->compound = op == OP_INT ? 0 : op;
  return x;
}

static Tree *statement(Reader *r);

static Tree *statements(Reader *r, bool braces) {
  VEC(Tree *) list = {0};
  int outer = r->scope.n;
  blanks(r);
  while (*r->at && *r->at != '}') {
    Tree *t = statement(r);
    vec_push(r->a, &list, t);
    blanks(r);
  }
  if (braces) {
    need(r, "}");
    r->scope.n = outer;
  }
  return tree_seq(r->a, list.at, list.n);
}

static Tree *body(Reader *r) {
  if (take(r, "{")) return statements(r, true);
  Tree *t = statement(r);
  return tree_seq(r->a, &t, 1);
}

/* barrier(warp), cluster_arrive(relaxed) ..; or NULL. */
static Tree *barrier(Reader *r) {
  if (take(r, "barrier")) {
    Tree *t = leaf(r, OP_BARRIER, TYPE_VOID);
    need(r, "(");
    t->scope = take(r, "warp") ? SCOPE_WARP : take(r, "cluster") ? SCOPE_CLUSTER : SCOPE_BLOCK;
    if (t->scope == SCOPE_BLOCK) need(r, "block"); /* which is a name elsewhere */
    need(r, ")");
    return t;
  }
  bool arrives = take(r, "cluster_arrive");
  if (!arrives && !take(r, "cluster_wait")) return NULL;
  Tree *t = leaf(r, arrives ? OP_CLUSTER_ARRIVE : OP_CLUSTER_WAIT, TYPE_VOID);
  need(r, "(");
  t->relaxed = arrives && take(r, "relaxed");
  need(r, ")");
  return t;
}

static Tree *statement(Reader *r) {
  blanks(r);
  if (take(r, "//")) {
    Tree *t = leaf(r, OP_COMMENT, TYPE_VOID);
    size_t n = strcspn(r->at, "\n");
    t->text = arena_strndup(r->a, r->at + (*r->at == ' '), n - (*r->at == ' '));
    r->at += n;
    return t;
  }
  if (take(r, "{")) return statements(r, true);
  if (take(r, "if")) {
    Tree *kids[3] = {0};
    need(r, "(");
    kids[0] = expression(r, 0);
    need(r, ")");
    kids[1] = body(r);
    int n = take(r, "else") ? 3 : 2;
    if (n == 3) kids[2] = body(r);
    return tree_with_kids(r->a, &(Tree){.op = OP_IF, .type = TYPE_VOID}, kids, n);
  }
  if (take(r, "for")) {
    Tree *kids[4] = {0};
    int outer = r->scope.n;
    need(r, "(");
    if (!take(r, ";")) {
      kids[0] = simple(r);
      need(r, ";");
    }
    kids[1] = expression(r, 0);
    need(r, ";");
    kids[2] = simple(r);
    need(r, ")");
    kids[3] = body(r);
    r->scope.n = outer;
    return tree_with_kids(r->a, &(Tree){.op = OP_FOR, .type = TYPE_VOID}, kids, 4);
  }
  if (take(r, "while")) {
    Tree *kids[2];
    need(r, "(");
    kids[0] = expression(r, 0);
    need(r, ")");
    kids[1] = body(r);
    return tree_with_kids(r->a, &(Tree){.op = OP_WHILE, .type = TYPE_VOID}, kids, 2);
  }
  Tree *t;
  if (take(r, "break")) t = leaf(r, OP_BREAK, TYPE_VOID);
  else if (take(r, "continue")) t = leaf(r, OP_CONTINUE, TYPE_VOID);
  else if (!(t = barrier(r))) t = simple(r);
  need(r, ";");
  return t;
}

static Symbol *given(Reader *r, SymbolKind kind, const char *text, Type t) {
  Symbol *s = symbol_new(r->a, kind, text, t);
  vec_push(r->a, &r->scope, s);
  return s;
}

Kernel *kernel_text_read(Arena *a, const char *text) {
  Reader r = {.a = a, .at = text};
  r.kernel = arena_one(a, Kernel);
  r.kernel->name = "test";
  Symbol *threads = given(&r, SYMBOL_CONSTANT, "threads", TYPE_INT);
  threads->min = 64;
  threads->max = 1024;
  threads->multiple = 32;
  r.kernel->threads = threads;
  given(&r, SYMBOL_PARAM, "in", TYPE_INT)->pointer = true;
  given(&r, SYMBOL_PARAM, "out", TYPE_INT)->pointer = true;
  given(&r, SYMBOL_PARAM, "n", TYPE_INDEX);
  given(&r, SYMBOL_PARAM, "a", TYPE_INT);
  given(&r, SYMBOL_PARAM, "b", TYPE_INT);
  given(&r, SYMBOL_PARAM, "x", TYPE_FLOAT);
  given(&r, SYMBOL_PARAM, "y", TYPE_FLOAT);
  r.kernel->nparams = r.scope.n - 1;
  r.kernel->params = arena_many(a, Symbol *, r.kernel->nparams);
  for (int i = 0; i < r.kernel->nparams; i++) r.kernel->params[i] = r.scope.at[i + 1];
  r.kernel->body = statements(&r, false);
  if (*r.at) wrong(&r, "the end");
  return r.kernel;
}

const char *kernel_text_print(Arena *a, const Tree *t) {
  Buffer b = buffer_new(a);
  for (int i = 0; i < t->nkids; i++) tree_print(&b, t->kid[i], 0);
  return b.text;
}
