/* operator.c: the table of operators, and trees that are made or told by it. */
#include "ir/operator.h"

#include <ctype.h>
#include <string.h>

typedef enum Identity { IS_NUMBER, IS_LOWEST, IS_HIGHEST, IS_USERS } Identity;

typedef struct Operator {
  const char *name, *word;
  Op op;
  AtomicOp atomic;               /* accumulates by it */
  Identity identity;             /* what changes nothing: a number, a limit of the type, what the user's id() gives */
  int number;
  bool associative, commutative; /* of the numbers that values stand for; of the user's: as it declares */
  bool rounded;                  /* of floats it rounds: (x o y) o z and x o (y o z) differ */
} Operator;

static const Operator operators[] = {
    [OPERATOR_NONE] = {"none", "",        OP_COUNT, ATOMIC_NONE, IS_NUMBER,   0, false, false, true},
    [OPERATOR_ADD]  = {"add",  "Sum",     OP_ADD,   ATOMIC_ADD,  IS_NUMBER,   0, true,  true,  true},
    [OPERATOR_MUL]  = {"mul",  "Product", OP_MUL,   ATOMIC_MUL,  IS_NUMBER,   1, true,  true,  true},
    [OPERATOR_MAX]  = {"max",  "Max",     OP_MAX,   ATOMIC_MAX,  IS_LOWEST,   0, true,  true,  false},
    [OPERATOR_MIN]  = {"min",  "Min",     OP_MIN,   ATOMIC_MIN,  IS_HIGHEST,  0, true,  true,  false},
    [OPERATOR_AND]  = {"and",  "And",     OP_AND,   ATOMIC_AND,  IS_NUMBER,  -1, true,  true,  false},
    [OPERATOR_OR]   = {"or",   "Or",      OP_OR,    ATOMIC_OR,   IS_NUMBER,   0, true,  true,  false},
    [OPERATOR_XOR]  = {"xor",  "Xor",     OP_XOR,   ATOMIC_XOR,  IS_NUMBER,   0, true,  true,  false},
    [OPERATOR_USER] = {"user", "",        OP_APPLY, ATOMIC_USER, IS_USERS,    0, true,  false, true},
};
enum { COUNT = sizeof operators / sizeof *operators };

const char *operator_word(OperatorKind op) { return operators[op].word; }
Op operator_op(OperatorKind op) { return operators[op].op; }

OperatorKind operator_by_name(const char *word) {
  for (int i = 0; i < COUNT; i++)
    if (operators[i].word[0] && strcmp(operators[i].word, word) == 0) return (OperatorKind)i;
  return OPERATOR_NONE;
}

const char *operator_suffix(Arena *a, const char *word) {
  Buffer b = buffer_new(a);
  for (const char *at = word; *at; at++) {
    bool begins = at == word || (isupper((unsigned char)*at) && islower((unsigned char)at[-1]));
    buffer_printf(&b, "%s%c", begins ? "_" : "", tolower((unsigned char)*at));
  }
  return b.text;
}

const char *operator_name(OperatorKind op) { return operators[op].name; }

AtomicOp operator_atomic(OperatorKind op) { return operators[op].atomic; }

static bool find_map_atomic(void *context, const Tree *t) {
  AtomicOp *found = context;
  if (t->op == OP_MAP_ATOMIC) *found = t->atomic;
  return op_is_statement(t->op);
}

AtomicOp operator_atomic_of_map(const Codelet *c) {
  AtomicOp found = ATOMIC_NONE;
  tree_visit(c->body, find_map_atomic, &found);
  return found;
}

OperatorKind operator_of(Op op) {
  for (int i = 1; i < COUNT; i++)
    if (operators[i].op == op) return (OperatorKind)i;
  return OPERATOR_NONE;
}

OperatorKind operator_of_atomic(AtomicOp op) {
  for (int i = 1; i < COUNT && op != ATOMIC_NONE; i++)
    if (operators[i].atomic == op) return (OperatorKind)i;
  return OPERATOR_NONE; /* subtraction is no monoid */
}

/* ---- order ---- */

bool operator_is_exact(OperatorKind op, bool floating) {
  const Operator *o = &operators[op];
  return o->associative && o->commutative && !(floating && o->rounded);
}

static bool is_element(Type t) { return t == TYPE_ELEM || t == TYPE_STORED || t == TYPE_FLOAT || t == TYPE_DOUBLE; }

static bool find_comparison(void *context, const Tree *t) {
  const Tree **found = context;
  bool compares = t->op == OP_LT || t->op == OP_LE || t->op == OP_GT || t->op == OP_GE || t->op == OP_EQ ||
                  t->op == OP_NE;
  if (!*found && compares && is_element(t->kid[0]->type) && is_element(t->kid[1]->type)) *found = t;
  return !*found;
}

const Tree *operator_compared(const Spectrum *s) {
  const Tree *found = NULL;
  for (int i = 0; i < s->ncodelets; i++) tree_visit(s->codelets[i]->body, find_comparison, &found);
  return found;
}

/* ---- trees ---- */

Tree *operator_identity(Arena *a, OperatorKind op, Type type) {
  const Operator *o = &operators[op];
  Tree *t = tree_int(a, type, o->number);
  if (o->identity == IS_NUMBER) return t;
  t->op = o->identity == IS_USERS ? OP_IDENTITY : OP_LIMIT;
  t->limit = o->identity == IS_HIGHEST ? LIMIT_HIGHEST : LIMIT_LOWEST;
  return t;
}

/* Does one of the casts widen what is not negative there, or mean another type's limit? */
static bool keeps_extremes(const Tree *t) {
  const Type type = t->type;
  bool limit = tree_contains(t, OP_LIMIT);
  for (; t->op == OP_CAST; t = t->kid[0]) {
    Type from = t->kid[0]->type;
    if (from != type && (limit || from == TYPE_UINT || from == TYPE_BOOL)) return false;
  }
  return true;
}

bool operator_is_identity(OperatorKind op, const Tree *t) {
  const Operator *o = &operators[op];
  if (o->identity == IS_USERS) return t->op == OP_IDENTITY;
  bool extreme = o->identity != IS_NUMBER || o->number < 0;
  if (op == OPERATOR_NONE || (extreme && !keeps_extremes(t))) return false;
  t = tree_uncast(t);
  if (o->identity != IS_NUMBER)
    return t->op == OP_LIMIT && t->limit == (o->identity == IS_LOWEST ? LIMIT_LOWEST : LIMIT_HIGHEST);
  if (t->op == OP_FLOAT) return t->real == o->number;
  return (t->op == OP_INT || t->op == OP_BOOL) && t->number == o->number;
}

const Tree *operator_accumulated(const Tree *t, OperatorKind *op) {
  if (t->op != OP_ASSIGN || t->kid[0]->op != OP_REF) return NULL;
  const Tree *value = t->kid[1];
  *op = operator_of(t->compound ? t->compound : value->op);
  if (*op == OPERATOR_NONE || t->compound) return *op == OPERATOR_NONE ? NULL : value;
  bool left = tree_equal(value->kid[0], t->kid[0]), right = tree_equal(value->kid[1], t->kid[0]);
  return left == right ? NULL : value->kid[left ? 1 : 0];
}
