/* operator.c: which monoid a spectrum's codelets compute, told from how its autonomous codelets accumulate.
 *
 * Only `accumulator = accumulator o in[i]' will do: what is accumulated must be the element itself, since the
 * combination of partial results applies the same spectrum to them. A sum of squares is no reduction in this sense.
 *
 * A scan, `T scan(const Array<1, T> in, T carry, __mutable Array<1, T> out)', starts at what is carried into it, which
 * is the identity where nothing is. Other spectra of several containers have no operator, which is nothing to remark
 * on: their results are not combined by themselves. */
#include "front/front.h"
#include "ir/function.h"
#include "ir/operator.h"

typedef struct Accumulation {
  const Symbol *container;
  const Symbol *result;   /* what is returned */
  OperatorKind found;
  const Tree *start;      /* its first value, and the statement that gives it */
  const Tree *at, *strange, *started;
} Accumulation;

static bool is_element(const Accumulation *x, const Tree *t) {
  return t->op == OP_INDEX && t->kid[0]->op == OP_REF && t->kid[0]->symbol == x->container;
}

static bool is_result(const Accumulation *x, const Tree *t) { return t->op == OP_REF && t->symbol == x->result; }

/* a o b with one of them the accumulator and the other the element. */
static bool joins(const Accumulation *x, const Tree *a, const Tree *b) {
  return (is_result(x, a) && is_element(x, b)) || (is_result(x, b) && is_element(x, a));
}

/* `in[i] > acc ? in[i] : acc' and its kin. */
static OperatorKind choice(const Accumulation *x, const Tree *condition, const Tree *then, const Tree *otherwise) {
  bool greater = condition->op == OP_GT || condition->op == OP_GE,
       less = condition->op == OP_LT || condition->op == OP_LE;
  if (!(greater || less) || !joins(x, condition->kid[0], condition->kid[1]) || !joins(x, then, otherwise))
    return OPERATOR_NONE;
  bool keeps_first = tree_equal(condition->kid[0], then);
  return greater == keeps_first ? OPERATOR_MAX : OPERATOR_MIN;
}

static OperatorKind of_assignment(const Accumulation *x, const Tree *t) {
  const Tree *value = t->kid[1];
  if (t->number != 0) return is_element(x, value) ? operator_of((Op)t->number) : OPERATOR_NONE;
  if (value->op == OP_COND) return choice(x, value->kid[0], value->kid[1], value->kid[2]);
  if (value->nkids == 2 && joins(x, value->kid[0], value->kid[1])) return operator_of(value->op);
  return OPERATOR_NONE;
}

/* Does the statement `if (in[i] > acc) acc = in[i];' select? */
static OperatorKind of_branch(const Accumulation *x, const Tree *t) {
  if (t->nkids != 2 || t->kid[1]->op != OP_SEQ || t->kid[1]->nkids != 1) return OPERATOR_NONE;
  const Tree *assign = t->kid[1]->kid[0];
  if (assign->op != OP_ASSIGN || assign->number != 0 || !is_result(x, assign->kid[0]) || !is_element(x, assign->kid[1]))
    return OPERATOR_NONE;
  return choice(x, t->kid[0], assign->kid[1], assign->kid[0]);
}

static void take(Accumulation *x, const Tree *t, OperatorKind op) {
  if (op == OPERATOR_NONE || (x->found != OPERATOR_NONE && x->found != op)) {
    if (!x->strange) x->strange = t;
    return;
  }
  x->found = op;
  x->at = t;
}

static void begin(Accumulation *x, const Tree *t, const Tree *value) {
  x->start = value;
  x->started = t;
}

/* Is it the operator's neutral value? Where x o x is x any constant will do: it counts once, however often it comes. */
static bool neutral(OperatorKind op, const Tree *t) {
  int64_t number;
  if (t->op == OP_REF && t->symbol->kind == SYMBOL_PARAM) return true; /* what a scan is given to start with */
  if (tree_contains(t, OP_INDEX) || tree_contains(t, OP_SIZE)) return false;
  if (op != OPERATOR_ADD && op != OPERATOR_MUL && op != OPERATOR_XOR) return true;
  int64_t wanted = op == OPERATOR_MUL;
  if (t->op == OP_CAST) return neutral(op, t->kid[0]);
  if (t->op == OP_FLOAT) return t->real == (double)wanted;
  return tree_constant(t, &number) && number == wanted;
}

static bool visit(void *context, const Tree *t) {
  Accumulation *x = context;
  if (t->op == OP_DECLARE && t->symbol == x->result) begin(x, t, t->nkids ? t->kid[0] : NULL);
  if (t->op == OP_IF && tree_mentions(t, x->container)) {
    OperatorKind op = of_branch(x, t);
    if (op != OPERATOR_NONE) { take(x, t, op); return false; }
    if (!x->strange) x->strange = t;
  }
  if (t->op == OP_ASSIGN && is_result(x, t->kid[0])) {
    if (t->number == 0 && !tree_mentions(t->kid[1], x->result) && !tree_contains(t->kid[1], OP_INDEX)) {
      begin(x, t, t->kid[1]);
      return false;
    }
    take(x, t, of_assignment(x, t));
  }
  return true;
}

static const char *identity_text(OperatorKind op) {
  switch (op) {
    case OPERATOR_MUL: return "1";
    case OPERATOR_AND: return "-1";
    case OPERATOR_MAX: return "lowest<T>()";
    case OPERATOR_MIN: return "highest<T>()";
    default: return "0";
  }
}

static const Symbol *returned(const Codelet *k) {
  const Tree *last = k->body->nkids ? k->body->kid[k->body->nkids - 1] : NULL;
  return last && last->op == OP_RETURN && last->nkids && last->kid[0]->op == OP_REF ? last->kid[0]->symbol : NULL;
}

/* One container that is read, and perhaps a carry and what is written: a reduction or a scan. */
static bool may_accumulate(const Spectrum *s) {
  if (!s->ncodelets || s->result == TYPE_VOID || function_is(s)) return false;
  const Codelet *k = s->codelets[0];
  return k->nparams == 1 || (k->nparams == 3 && !k->params[0]->writable && !k->params[1]->rank && k->params[2]->rank &&
                             k->params[2]->writable && !k->params[2]->atomic);
}

OperatorKind front_operator(const Spectrum *s, Diagnostics *d) {
  OperatorKind found = OPERATOR_NONE;
  if (!may_accumulate(s)) return OPERATOR_NONE;
  for (int i = 0; i < s->ncodelets; i++) {
    const Codelet *k = s->codelets[i];
    if (k->kind != CLASS_AUTONOMOUS || k->nparams == 0 || !k->params[0]->rank) continue;
    Accumulation x = {.container = k->params[0], .result = returned(k)};
    if (x.result) tree_visit(k->body, visit, &x);
    if (x.strange) {
      diagnostics_remark(d, REMARK_MISSED, "operator", x.strange->where,
                         "no known operator: this is not `result = result o %s[i]' with one o throughout",
                         x.container->name);
      return OPERATOR_NONE;
    }
    if (x.found == OPERATOR_NONE || (found != OPERATOR_NONE && found != x.found)) {
      diagnostics_remark(d, REMARK_MISSED, "operator", k->where,
                         x.found == OPERATOR_NONE
                             ? "no known operator: nothing is accumulated over the elements"
                             : "no known operator: the codelets of `%s' accumulate differently",
                         s->name);
      return OPERATOR_NONE;
    }
    if (!x.start || !neutral(x.found, x.start)) {
      diagnostics_remark(d, REMARK_MISSED, "operator", x.started ? x.started->where : k->where,
                         "no known operator: every part would start so, and an empty one end so; "
                         "start at its identity, %s", identity_text(x.found));
      return OPERATOR_NONE;
    }
    found = x.found;
    diagnostics_remark(d, REMARK_PASSED, "operator", x.at->where, "`%s' is a %s by %s", s->name,
                       k->nparams == 1 ? "reduction" : "scan", operator_name(found));
  }
  return found;
}
