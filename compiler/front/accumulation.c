/* accumulation.c: does an autonomous codelet go through its container once, combining every element with what it has?
 *
 *   T a = 0;
 *   for (unsigned i = 0; i < in.Size(); ++i)     or while; or downwards, of which in[i - 1] is read; or with a variable
 *     a += in[i];                                that holds in[i], i, or in.Size()
 *   return a;
 *
 * One turn of the loop is followed with positions as sums t i + n in.Size() + k cut + c, where i is the loop's variable
 * as the turn begins, and the cut a variable like in.Size() / 2. So it is known which element a turn reads, by how much
 * i moves, and what the first and the last turn's elements are: 0 and in.Size() - 1, or the other way round; or there
 * are two loops, one on each side of the cut. What cannot be followed is no reduction: then nothing is regrouped by it,
 * and the codelet remains what it is, a sequential one. */
#include "front/accumulation.h"

#include "ir/operator.h"

/* t times the loop's variable, n times in.Size(), k times the cut, and c; unless it is not known. */
typedef struct Position { bool known; int64_t t, n, k, c; } Position;

/* What a local variable stands for: a position, or the element at that position. */
typedef struct Known { const Symbol *symbol; bool element; Position at; } Known;

/* The elements from `from' to below `to', which is no less. */
typedef struct Range { Position from, to; } Range;

enum { MOST_KNOWN = 32, MOST_RANGES = 4, LARGEST = 1 << 30 };

static const Position unknown = {false, 0, 0, 0, 0}, zero = {true, 0, 0, 0, 0}, one = {true, 0, 0, 0, 1},
                      variable = {true, 1, 0, 0, 0}, size = {true, 0, 1, 0, 0}, middle = {true, 0, 0, 1, 0};

typedef struct Loop {
  const Codelet *codelet;
  const Symbol *container, *result, *stored; /* stored: what a scan writes; NULL: there is none */
  const Symbol *cut;                         /* NULL: there is none */
  Known known[MOST_KNOWN];
  int nknown;
  Range ranges[MOST_RANGES];                 /* one a loop; `loop' is the last */
  int nranges;
  const Tree *loop;
  const Tree *at;                            /* what accumulates in this turn; NULL: nothing yet */
  Position read, written;                    /* of this turn; known once there was one */
  bool touched;                              /* `read' is of the statement at hand */
  Accumulation *x;
} Loop;

static void refuse(Loop *l, const Tree *at, const char *why) {
  if (l->x->why) return;
  l->x->why = why;
  l->x->strange = at;
}

/* ---- positions ---- */

static Position sum(Position x, Position y, int64_t factor) {
  Position s = {x.known && y.known, x.t + factor * y.t, x.n + factor * y.n, x.k + factor * y.k, x.c + factor * y.c};
  const int64_t all[] = {s.t, s.n, s.k, s.c};
  for (int i = 0; i < 4; i++)
    if (all[i] <= -LARGEST || all[i] >= LARGEST) return unknown;
  return s.known ? s : unknown;
}

static bool same(Position x, Position y) {
  return x.known && y.known && x.t == y.t && x.n == y.n && x.k == y.k && x.c == y.c;
}

static const Known *known(const Loop *l, const Symbol *s) {
  for (int i = 0; i < l->nknown; i++)
    if (l->known[i].symbol == s) return &l->known[i];
  return NULL;
}

static void know(Loop *l, const Tree *t, const Symbol *s, bool element, Position at) {
  int i = 0;
  while (i < l->nknown && l->known[i].symbol != s) i++;
  if (i == MOST_KNOWN) { refuse(l, t, "it has more variables than can be followed"); return; }
  if (i == l->nknown) l->nknown++;
  l->known[i] = (Known){s, element, at};
}

static Position position(const Loop *l, const Tree *t) {
  Position x, y;
  int64_t c;
  switch (t->op) {
    case OP_STRIDE: return one;
    case OP_SIZE: {
      bool own = t->kid[0]->op == OP_REF && t->kid[0]->symbol == l->container;
      return own ? size : unknown;
    }
    case OP_REF: {
      const Known *k = known(l, t->symbol);
      return k && !k->element ? k->at : unknown;
    }
    case OP_CAST: return t->type == TYPE_INDEX || t->type == TYPE_LONG ? position(l, t->kid[0]) : unknown;
    case OP_NEG: return sum(zero, position(l, t->kid[0]), -1);
    case OP_ADD: case OP_SUB:
      x = position(l, t->kid[0]);
      y = position(l, t->kid[1]);
      return sum(x, y, t->op == OP_ADD ? 1 : -1);
    case OP_INT: break;
    default: return unknown;
  }
  return tree_constant(t, &c) && c > -LARGEST && c < LARGEST ? (Position){.known = true, .c = c} : unknown;
}

/* in.Size() / 2, or by any other number: at least 0, at most in.Size(), which is all that has to be known of it. */
static bool is_cut(const Loop *l, const Tree *t) {
  int64_t parts;
  return t->op == OP_DIV && same(position(l, t->kid[0]), size) && tree_constant(t->kid[1], &parts) && parts >= 1;
}

/* ---- what is accumulated ---- */

static bool is_element(Loop *l, const Tree *t) {
  Position at = unknown;
  if (t->op == OP_REF) {
    const Known *k = known(l, t->symbol);
    if (!k || !k->element) return false;
    at = k->at;
  } else {
    bool own = t->op == OP_INDEX && t->nkids == 2 && t->kid[0]->op == OP_REF && t->kid[0]->symbol == l->container;
    if (!own) return false;
    at = position(l, t->kid[1]);
  }
  if (!at.known) refuse(l, t, "cannot determine which element this is");
  else if (l->touched && !same(at, l->read)) refuse(l, t, "it reads two elements in one iteration");
  l->read = at;
  l->touched = true;
  return true;
}

static bool is_result(const Loop *l, const Tree *t) { return t->op == OP_REF && t->symbol == l->result; }

/* a o b with one of them the accumulator and the other the element. */
static bool joins(Loop *l, const Tree *a, const Tree *b) {
  return (is_result(l, a) && is_element(l, b)) || (is_result(l, b) && is_element(l, a));
}

/* `in[i] > acc ? in[i] : acc' and its kin. Where the comparison fails, as it does with a NaN, the accumulator stays as
 * it is; else a NaN is taken, and the next element takes its place. */
static OperatorKind choice(Loop *l, const Tree *condition, const Tree *then, const Tree *otherwise) {
  bool greater = condition->op == OP_GT || condition->op == OP_GE,
       less = condition->op == OP_LT || condition->op == OP_LE;
  if (!(greater || less) || !joins(l, condition->kid[0], condition->kid[1]) || !joins(l, then, otherwise))
    return OPERATOR_NONE;
  if (is_result(l, then)) l->x->keeps_nan = condition;
  bool keeps_first = is_result(l, condition->kid[0]) == is_result(l, then);
  return greater == keeps_first ? OPERATOR_MAX : OPERATOR_MIN;
}

static OperatorKind of_assignment(Loop *l, const Tree *t) {
  const Tree *value = t->kid[1];
  if (t->compound != 0) return is_element(l, value) ? operator_of(t->compound) : OPERATOR_NONE;
  if (value->op == OP_COND) return choice(l, value->kid[0], value->kid[1], value->kid[2]);
  if (value->nkids == 2 && joins(l, value->kid[0], value->kid[1])) return operator_of(value->op);
  return OPERATOR_NONE;
}

/* Does the statement `if (in[i] > acc) acc = in[i];' select? */
static OperatorKind of_branch(Loop *l, const Tree *t) {
  if (t->nkids != 2 || t->kid[1]->op != OP_SEQ || t->kid[1]->nkids != 1) return OPERATOR_NONE;
  const Tree *assign = t->kid[1]->kid[0];
  if (assign->op != OP_ASSIGN || assign->compound != 0 || !is_result(l, assign->kid[0]) ||
      !is_element(l, assign->kid[1]))
    return OPERATOR_NONE;
  return choice(l, t->kid[0], assign->kid[1], assign->kid[0]);
}

static void accumulate(Loop *l, const Tree *t) {
  l->touched = false;
  OperatorKind op = t->op == OP_IF ? of_branch(l, t) : of_assignment(l, t);
  if (op == OPERATOR_NONE) {
    l->x->changes = t->op != OP_IF;
    refuse(l, t, t->op == OP_IF ? "this happens in some iterations only, or selects otherwise than `max' and `min' do"
                                : "this is not `result = result o element' with an operator o");
    return;
  }
  if (l->at) refuse(l, t, "it accumulates twice in one iteration");
  if (l->nranges && l->x->op != op) refuse(l, t, "its loops accumulate differently");
  l->x->op = op;
  l->x->at = l->at = t;
}

/* ---- one turn ---- */

/* `i += 1', or by any other statement. */
static void move(Loop *l, const Tree *t) {
  const Symbol *s = t->kid[0]->symbol;
  const Known *k = known(l, s);
  Position by = position(l, t->kid[1]), now = unknown;
  if (t->compound == 0) now = by;
  else if (k && (t->compound == OP_ADD || t->compound == OP_SUB)) now = sum(k->at, by, t->compound == OP_ADD ? 1 : -1);
  if (!now.known) refuse(l, t, "cannot determine which elements the loop visits");
  know(l, t, s, false, now);
}

/* What a scan leaves beside an element: the accumulator, before or after. */
static void store(Loop *l, const Tree *t) {
  const Tree *place = t->kid[0];
  if (l->written.known) refuse(l, t, "it stores twice in one iteration");
  if (t->compound || !is_result(l, t->kid[1])) refuse(l, t, "what it stores is not what it has accumulated");
  l->written = place->nkids == 2 ? position(l, place->kid[1]) : unknown;
  if (!l->written.known) refuse(l, t, "cannot determine where it stores this");
}

static void declare(Loop *l, const Tree *t) {
  const Symbol *s = t->symbol;
  if (s->array) return;
  l->touched = false;
  bool element = t->nkids && s->type == l->result->type && is_element(l, t->kid[0]);
  if (element && tree_assigns(l->codelet->body, s)) refuse(l, t, "this variable of an element's value changes");
  bool cut = t->nkids && s->type == TYPE_INDEX && !l->cut && is_cut(l, t->kid[0]) && !tree_assigns(l->codelet->body, s);
  if (cut) l->cut = s;
  know(l, t, s, element, element ? l->read : cut ? middle : t->nkids && type_is_whole(s->type) ? position(l, t->kid[0])
                                                                                          : unknown);
}

static void turn(Loop *l, const Tree *t) {
  if (!t || l->x->why) return;
  const Symbol *given = t->op == OP_ASSIGN && t->kid[0]->op == OP_REF ? t->kid[0]->symbol : NULL;
  switch (t->op) {
    case OP_SEQ:
      for (int i = 0; i < t->nkids; i++) turn(l, t->kid[i]);
      break;
    case OP_DECLARE: declare(l, t); break;
    case OP_COMMENT: break;
    case OP_BREAK: case OP_CONTINUE: case OP_RETURN: refuse(l, t, "the loop may be left before its end"); break;
    case OP_FOR: case OP_WHILE: refuse(l, t, "a loop in the loop over the elements"); break;
    case OP_IF: accumulate(l, t); break;
    case OP_ASSIGN:
      if (given == l->result) accumulate(l, t);
      else if (given && known(l, given) && !known(l, given)->element) move(l, t);
      else if (t->kid[0]->op == OP_INDEX && t->kid[0]->kid[0]->op == OP_REF && l->stored &&
               t->kid[0]->kid[0]->symbol == l->stored)
        store(l, t);
      else refuse(l, t, "the loop does more than to accumulate its elements");
      break;
    default: refuse(l, t, "the loop does more than to accumulate its elements");
  }
}

/* ---- the loop ---- */

/* The first variable in a loop's condition that changes in the loop. */
static const Symbol *find_variable(const Tree *condition, const Tree *body, const Tree *step) {
  if (condition->op == OP_REF)
    return tree_assigns(body, condition->symbol) || (step && tree_assigns(step, condition->symbol)) ? condition->symbol
                                                                                                    : NULL;
  for (int i = 0; i < condition->nkids; i++) {
    const Symbol *found = find_variable(condition->kid[i], body, step);
    if (found) return found;
  }
  return NULL;
}

/* What the condition says to be positive; of `i != n' the difference. */
static Position asked(const Loop *l, const Tree *t) {
  if (t->op < OP_LT || t->op > OP_NE || t->op == OP_EQ) return unknown;
  Position x = position(l, t->kid[0]), y = position(l, t->kid[1]);
  bool below = t->op == OP_LT || t->op == OP_LE;
  Position d = below ? sum(y, x, -1) : sum(x, y, -1);
  return t->op == OP_LE || t->op == OP_GE ? sum(d, one, 1) : d;
}

/* The loop's variable behind its last turn: the first value for which what is asked is not positive. */
static Position behind(Position asks, int64_t by) {
  if (!asks.known || asks.t != -by) return unknown;
  asks.t = 0;
  return by == 1 ? asks : sum(zero, asks, -1);
}

/* A position where the loop's variable is `i'. */
static Position with(Position x, Position i) {
  int64_t t = x.t;
  x.t = 0;
  return sum(x, i, t);
}

/* The elements that are read while i goes from `start' to before `end' by 1 or -1. */
static Range range_of(const Loop *l, Position start, Position end, int64_t by) {
  Position first = with(l->read, start), last = with(l->read, sum(end, one, -by));
  if (l->read.t != 1 && l->read.t != -1) return (Range){unknown, unknown};
  return l->read.t == by ? (Range){first, sum(last, one, 1)} : (Range){last, sum(first, one, 1)};
}

/* Variables that change in the loop hold at its begin what is not followed. */
static void forget_changing(Loop *l, const Tree *body, const Tree *step) {
  for (int i = 0; i < l->nknown; i++)
    if (tree_assigns(body, l->known[i].symbol) || tree_assigns(step, l->known[i].symbol)) l->known[i].at = unknown;
}

static void loop(Loop *l, const Tree *t) {
  static const char *const lost = "cannot determine which elements the loop visits";
  const Tree *condition = t->kid[t->op == OP_FOR ? 1 : 0], *step = t->op == OP_FOR ? t->kid[2] : NULL;
  const Tree *body = t->kid[t->nkids - 1];
  if (t->op == OP_FOR) turn(l, t->kid[0]);
  const Symbol *i = condition ? find_variable(condition, body, step) : NULL;
  const Known *k = i ? known(l, i) : NULL;
  if (!k || k->element || !k->at.known || i->type != TYPE_INDEX) { refuse(l, condition ? condition : t, lost); return; }
  if (l->nranges == MOST_RANGES || (l->stored && l->nranges)) { refuse(l, t, "more than one loop"); return; }
  Position start = k->at;
  forget_changing(l, body, step);
  know(l, t, i, false, variable);
  Position asks = asked(l, condition);
  l->at = NULL;
  l->read = l->written = unknown;
  turn(l, body);
  turn(l, step);
  if (l->x->why) return;
  if (!l->at) { refuse(l, t, "nothing is accumulated over the elements"); return; }
  Position moved = sum(known(l, i)->at, variable, -1);
  int64_t by = same(moved, one) ? 1 : same(moved, sum(zero, one, -1)) ? -1 : 0;
  if (condition->op == OP_NE && asks.t == by) asks = sum(zero, asks, -1);
  Position end = by ? behind(asks, by) : unknown;
  l->loop = t;
  l->ranges[l->nranges++] = range_of(l, start, end, by);
  forget_changing(l, body, step);
  know(l, t, i, false, end);
  if (l->stored && (!same(l->written, l->read) || l->read.t != by))
    refuse(l, t, "a scan stores one result beside each element, first to last");
}

/* Is every element in one of the loops' ranges: 0 to size, or to the cut and from there to size? */
static bool all_once(const Loop *l) {
  bool used[MOST_RANGES] = {false};
  Position at = zero;
  for (int n = 0; n < l->nranges; n++) {
    int next = 0;
    while (next < l->nranges && (used[next] || !same(l->ranges[next].from, at))) next++;
    if (next == l->nranges) return false;
    used[next] = true;
    at = l->ranges[next].to;
    if (!same(at, middle) && n < l->nranges - 1) return false;
  }
  return same(at, size);
}

/* ---- the codelet ---- */

/* Does the accumulator hold every element, or, of integers that wrap around, what is left of it? An int that adds up
 * floats cuts each of them off. */
static bool holds_elements(Type accumulator, Type element, OperatorKind op) {
  if (accumulator == element || accumulator == TYPE_FLOAT || accumulator == TYPE_DOUBLE) return true;
  if (!type_is_whole(accumulator) || !type_is_whole(element)) return false;
  bool selects = op == OPERATOR_MAX || op == OPERATOR_MIN;
  return !selects || (accumulator == TYPE_LONG && element != TYPE_ULONG && element != TYPE_INDEX);
}

static const Symbol *returned(const Codelet *k) {
  const Tree *last = k->body->nkids ? k->body->kid[k->body->nkids - 1] : NULL;
  return last && last->op == OP_RETURN && last->nkids && last->kid[0]->op == OP_REF ? last->kid[0]->symbol : NULL;
}

static void begin(Loop *l, const Tree *t, const Tree *value) {
  l->x->start = value;
  l->x->started = t;
}

/* A statement outside of the loops. */
static void outside(Loop *l, const Tree *t) {
  const Symbol *given = t->op == OP_ASSIGN && t->kid[0]->op == OP_REF ? t->kid[0]->symbol : NULL;
  if (l->x->why) return;
  switch (t->op) {
    case OP_SEQ:
      for (int i = 0; i < t->nkids; i++) outside(l, t->kid[i]);
      break;
    case OP_FOR: case OP_WHILE: loop(l, t); break;
    case OP_RETURN: case OP_COMMENT: break;
    case OP_DECLARE:
      if (t->symbol == l->result) begin(l, t, t->nkids ? t->kid[0] : NULL);
      else declare(l, t);
      break;
    case OP_ASSIGN:
      if (given == l->result && !l->nranges && !t->compound && !tree_mentions(t->kid[1], given)) begin(l, t, t->kid[1]);
      else if (given && given != l->result && known(l, given) && !known(l, given)->element) move(l, t);
      else refuse(l, t, "something else than the loop changes what it accumulates");
      break;
    default: refuse(l, t, "something else than a loop over the elements");
  }
}

Accumulation accumulation_of(const Codelet *k) {
  Accumulation x = {.op = OPERATOR_NONE};
  Loop l = {.codelet = k, .container = k->params[0], .result = returned(k), .x = &x};
  if (k->nparams == 3) l.stored = k->params[2];
  if (!l.result) refuse(&l, NULL, "its result is not a variable in which it accumulates");
  else if (l.result->type != k->spectrum->result || l.result->kind != SYMBOL_LOCAL || l.result->array)
    refuse(&l, NULL, "it accumulates in another type than its result's");
  else outside(&l, k->body);
  if (!x.at) refuse(&l, NULL, "nothing is accumulated over the elements");
  else if (!x.why && !all_once(&l)) refuse(&l, l.loop, "the loop does not go through every element once");
  if (!x.why && !holds_elements(l.result->type, l.container->type, x.op))
    refuse(&l, x.at, "it accumulates in another type than the elements'");
  if (x.why) x.op = OPERATOR_NONE;
  return x;
}
