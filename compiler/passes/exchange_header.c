/* exchange_header.c: conditions (1) and (2) of CGO Fig. 4, on `for (start; condition; step)'.
 *
 * All lanes of a vector run the same turns when start and condition are made of constants, MaxSize() and Size(), and
 * the step is by a constant. The offset has to stay at 0 or above, so that a shuffle's lane is on the side of it that
 * the index says; being below MaxSize() as well spares an xor its guard. */
#include "passes/exchange.h"


/* Only constants, MaxSize(), Size() and the loop's variable. */
static bool from_vector(const LaneFacts *f, const Tree *t, const Symbol *loop) {
  t = lane_strip(f, t);
  if (t->op == OP_INT || t->op == OP_BOOL || t->op == OP_VECTOR_MAX || t->op == OP_VECTOR_SIZE) return true;
  if (t->op == OP_REF) return t->symbol == loop;
  bool arithmetic = (t->op >= OP_ADD && t->op <= OP_NE) || t->op == OP_NEG;
  for (int i = 0; i < t->nkids; i++) arithmetic = arithmetic && from_vector(f, t->kid[i], loop);
  return arithmetic;
}

static bool names_vector(const LaneFacts *f, const Tree *t) {
  return lane_find(f, t, OP_VECTOR_MAX) || lane_find(f, t, OP_VECTOR_SIZE);
}

/* A step of the loop: `i op= k', k a constant. */
static bool step_of(const Tree *step, const Symbol *i, Op *op, int64_t *by) {
  if (step->op != OP_ASSIGN || step->kid[0]->op != OP_REF || step->kid[0]->symbol != i) return false;
  const Tree *amount = step->kid[1];
  *op = step->compound;
  if (!step->compound) { /* i = i op k */
    if (amount->nkids != 2 || amount->kid[0]->op != OP_REF || amount->kid[0]->symbol != i) return false;
    *op = amount->op;
    amount = amount->kid[1];
  }
  return tree_constant(amount, by);
}

static bool counts_up(Op op, int64_t by) {
  return (op == OP_ADD && by >= 1) || (op == OP_MUL && by >= 2) || (op == OP_SHL && by >= 1 && by < 31);
}

static bool counts_down(Op op, int64_t by) {
  return (op == OP_SUB && by >= 1) || (op == OP_DIV && by >= 2) || (op == OP_SHR && by >= 1 && by < 31);
}

/* MaxSize() (or Size(), which is not more) less something, or a part of it. */
static bool is_below_max(const LaneFacts *f, const Tree *t) {
  t = lane_strip(f, t);
  if (t->nkids != 2) return false;
  const Tree *x = lane_strip(f, t->kid[0]);
  int64_t k;
  if ((x->op != OP_VECTOR_MAX && x->op != OP_VECTOR_SIZE) || !tree_constant(lane_strip(f, t->kid[1]), &k)) return false;
  return (t->op == OP_DIV && k >= 2) || (t->op == OP_SHR && k >= 1 && k < 31) || (t->op == OP_SUB && k >= 1);
}

/* Does the condition `i op limit' keep i from going below 0, counting down by `step'? */
static bool stops_at_zero(const Symbol *i, Op op, const Tree *limit, Op step, int64_t by) {
  int64_t k;
  if (!tree_constant(limit, &k)) return false;
  if (op == OP_NE) return k == 0 && (step != OP_SUB || by == 1);
  bool positive = op == OP_GT ? k >= 0 : op == OP_GE && k >= 1;
  if (type_is_unsigned(i->type)) return positive && (step != OP_SUB || by == 1); /* else it may wrap around */
  return positive || (op == OP_GT && k == -1) || (op == OP_GE && k == 0);
}

static bool starts_from_zero(const LaneFacts *f, const Tree *start) {
  int64_t k;
  start = lane_strip(f, start);
  if (tree_constant(start, &k)) return k >= 0;
  if (!lane_is_width(f, start) && !is_below_max(f, start)) return false;
  return start->op != OP_SUB || (tree_constant(lane_strip(f, start->kid[1]), &k) && k == 1);
}

static Op mirrored(Op op) {
  return op == OP_LT ? OP_GT : op == OP_LE ? OP_GE : op == OP_GT ? OP_LT : op == OP_GE ? OP_LE : op;
}

bool exchange_header(const LaneFacts *f, const Tree *loop, LoopHeader *h, Refusal *why) {
  static const char *const bounds = "the loop's bounds do not come from the Vector's MaxSize() or Size()";
  const Tree *init = loop->kid[0], *condition = loop->kid[1], *step = loop->kid[2], *start = NULL;
  bool declares = init && init->op == OP_DECLARE && init->nkids;
  bool assigns = init && init->op == OP_ASSIGN && init->kid[0]->op == OP_REF && !init->compound;
  if (!condition || !step || (!declares && !assigns)) return exchange_refuse(why, loop, bounds);
  h->variable = declares ? init->symbol : init->kid[0]->symbol;
  start = declares ? init->kid[0] : init->kid[1];
  const Symbol *i = h->variable;
  const Tree *all = lane_find(f, condition, OP_COOP_DIM);
  if (!all) all = lane_find(f, start, OP_COOP_DIM);
  if (all)
    return exchange_refuse(why, all, "the exchange crosses vectors: the loop's bounds come from all lanes, coopDim()");
  bool whole = i->type == TYPE_INT || i->type == TYPE_LONG || i->type == TYPE_INDEX || type_is_unsigned(i->type);
  if (i->kind != SYMBOL_LOCAL || i->array || !whole) return exchange_refuse(why, loop, bounds);
  if (condition->op < OP_LT || condition->op > OP_NE) return exchange_refuse(why, condition, bounds);
  if (!from_vector(f, start, i)) return exchange_refuse(why, start, bounds);
  if (!from_vector(f, condition, i)) return exchange_refuse(why, condition, bounds);
  if (!names_vector(f, start) && !names_vector(f, condition)) return exchange_refuse(why, condition, bounds);

  Op op = condition->op;
  const Tree *left = lane_strip(f, condition->kid[0]), *limit = condition->kid[1];
  if (left->op != OP_REF || left->symbol != i) {
    limit = condition->kid[0];
    left = lane_strip(f, condition->kid[1]);
    op = mirrored(op);
  }
  if (left->op != OP_REF || left->symbol != i || tree_mentions(limit, i))
    return exchange_refuse(why, condition, bounds);
  limit = lane_strip(f, limit);

  Op move;
  int64_t by;
  if (!step_of(step, i, &move, &by))
    return exchange_refuse(why, step, "the loop's variable does not move by a constant");
  const Tree *changed = exchange_write(loop->kid[3], i);
  if (changed) return exchange_refuse(why, changed, "the loop's variable changes inside the loop");
  if (counts_down(move, by)) {
    if (!starts_from_zero(f, start)) return exchange_refuse(why, start, "the loop's variable may be negative");
    if (!stops_at_zero(i, op, limit, move, by))
      return exchange_refuse(why, condition, "the loop's variable may become negative");
    h->below_max = is_below_max(f, start);
    return true;
  }
  if (!counts_up(move, by)) return exchange_refuse(why, step, "the loop's variable does not move by a constant");
  if (!starts_from_zero(f, start)) return exchange_refuse(why, start, "the loop's variable may be negative");
  if (op != OP_LT && op != OP_LE) return exchange_refuse(why, condition, bounds);
  h->below_max = op == OP_LT ? lane_is_width(f, limit) || is_below_max(f, limit) : is_below_max(f, limit);
  return true;
}
