/* order.c: does an atomic codelet combine the elements of its container in their order?
 *
 *   requires  a body in codelet form, shared atomics explicit; what it accumulates by is a user's operator
 *   keeps     all of it: this pass only looks
 *
 * The codelet is run, lane by lane, in lockstep, on elements of which nothing is known but where they stand: a value
 * is the run of neighbouring elements that were combined to it. The operator joins two runs that meet; anything else
 * is out of order. In order is a codelet whose result is all elements from the first to the last, for every number of
 * them and of lanes that is tried. What is refused so: CGO 1(c)'s tree, which pairs lane 0 with lane 16; MICRO 2(b),
 * which has left and right the other way round; atomics. */
#include <string.h>

#include "ir/operator.h"
#include "passes/codelet_passes.h"

enum { MOST_TURNS = 1 << 14, MOST_LENGTH = 1 << 16, MOST_VALUES = 1 << 20, FEW_ELEMENTS = 70, MANY_LANES = 1024 };

typedef enum Kind { NUMBER, RUN, MIXED } Kind;

/* A number; or the elements from begin to below end, none when they are equal; or some in no order. */
typedef struct Value { Kind kind; int64_t number, begin, end; } Value;

typedef struct Variable {
  const Symbol *symbol;
  Value *at;      /* by lane, unless it is shared; by element of an array */
  int64_t length; /* elements of an array; 1 */
} Variable;

typedef struct Run {
  Arena *a;
  const Codelet *codelet;
  int64_t lanes, width, elements;
  VEC(Variable) variables;
  bool *active;
  Value *assigned;   /* by lane: what an assignment stores */
  int turns;         /* of all loops, so far */
  Value result;      /* lane 0's */
  const char *why;   /* it cannot be told; NULL so far */
} Run;

static Value number(int64_t n) { return (Value){.kind = NUMBER, .number = n}; }
static Value run_of(int64_t begin, int64_t end) { return (Value){.kind = RUN, .begin = begin, .end = end}; }

static Value unknown(Run *r, const char *why) {
  if (!r->why) r->why = why;
  return (Value){.kind = MIXED};
}

static Value joined(Value x, Value y) {
  if (x.kind == RUN && x.begin == x.end) return y;
  if (y.kind == RUN && y.begin == y.end) return x;
  if (x.kind == RUN && y.kind == RUN && x.end == y.begin) return run_of(x.begin, y.end);
  return (Value){.kind = MIXED};
}

static Variable *variable(Run *r, const Symbol *s) {
  for (int i = r->variables.n - 1; i >= 0; i--)
    if (r->variables.at[i].symbol == s) return &r->variables.at[i];
  return NULL;
}

static bool is_shared(const Symbol *s) { return s->kind == SYMBOL_SHARED; }

static Value evaluate(Run *r, const Tree *t, int64_t lane);

static Value *place(Run *r, const Tree *t, int64_t lane) {
  const Tree *base = t->op == OP_INDEX ? t->kid[0] : t;
  Variable *v = base->op == OP_REF ? variable(r, base->symbol) : NULL;
  Value index = t->op == OP_INDEX ? evaluate(r, t->kid[1], lane) : number(0);
  if (!v || index.kind != NUMBER || index.number < 0 || index.number >= v->length) {
    unknown(r, "it reaches outside of an array");
    return NULL;
  }
  return &v->at[(is_shared(v->symbol) ? 0 : lane * v->length) + index.number];
}

static Value arithmetic(Run *r, Op op, int64_t x, int64_t y) {
  switch (op) {
    case OP_ADD: return number((int64_t)((uint64_t)x + (uint64_t)y));
    case OP_SUB: return number((int64_t)((uint64_t)x - (uint64_t)y));
    case OP_MUL: return number((int64_t)((uint64_t)x * (uint64_t)y));
    case OP_DIV: if (y && !(y == -1 && x == INT64_MIN)) return number(x / y); break;
    case OP_REM: if (y && y != -1) return number(x % y); break;
    case OP_SHL: if (y >= 0 && y < 63 && x >= 0) return number((int64_t)((uint64_t)x << y)); break;
    case OP_SHR: if (y >= 0 && y < 64) return number(x >> y); break;
    case OP_AND: return number(x & y);
    case OP_OR: return number(x | y);
    case OP_XOR: return number(x ^ y);
    case OP_LT: return number(x < y);
    case OP_LE: return number(x <= y);
    case OP_GT: return number(x > y);
    case OP_GE: return number(x >= y);
    case OP_EQ: return number(x == y);
    case OP_NE: return number(x != y);
    case OP_MIN: return number(x < y ? x : y);
    case OP_MAX: return number(x > y ? x : y);
    default: break;
  }
  return unknown(r, "it computes something of which the order cannot be told");
}

static Value element(Run *r, const Tree *t, int64_t lane) {
  if (t->kid[0]->op == OP_REF && t->kid[0]->symbol == r->codelet->params[0]) {
    Value i = evaluate(r, t->kid[1], lane);
    if (i.kind != NUMBER || i.number < 0 || i.number >= r->elements)
      return unknown(r, "it reads outside of its container");
    return run_of(i.number, i.number + 1);
  }
  Value *v = place(r, t, lane);
  return v ? *v : (Value){.kind = MIXED};
}

/* Only operators of a user's do not commute: whatever else is known of the codelet, it combines by that one. */
static Value evaluate(Run *r, const Tree *t, int64_t lane) {
  if (t->type == TYPE_ELEM && t->op == operator_op(OPERATOR_USER))
    return joined(evaluate(r, t->kid[0], lane), evaluate(r, t->kid[1], lane));
  if (t->type == TYPE_ELEM && operator_is_identity(OPERATOR_USER, t)) return run_of(0, 0);
  switch (t->op) {
    case OP_INT: case OP_BOOL: return number(t->number);
    case OP_REF: { Value *v = place(r, t, lane); return v ? *v : (Value){.kind = MIXED}; }
    case OP_INDEX: return element(r, t, lane);
    case OP_SIZE: return number(r->elements);
    case OP_STRIDE: return number(1);
    case OP_VECTOR_SIZE: case OP_VECTOR_MAX: return number(r->width);
    case OP_VECTOR_THREAD: return number(lane);
    case OP_VECTOR_LANE: return number(lane % r->width);
    case OP_VECTOR_ID: return number(lane / r->width);
    case OP_COOP_DIM: return number(r->lanes);
    case OP_CAST: return evaluate(r, t->kid[0], lane);
    default: break;
  }
  Value x = t->nkids ? evaluate(r, t->kid[0], lane) : number(0);
  if (x.kind != NUMBER || t->nkids == 0) return unknown(r, "it does more with elements than combine them");
  if (t->op == OP_COND) return evaluate(r, t->kid[x.number ? 1 : 2], lane);
  if (t->op == OP_LAND) return x.number ? evaluate(r, t->kid[1], lane) : x;
  if (t->op == OP_LOR) return x.number ? x : evaluate(r, t->kid[1], lane);
  if (t->op == OP_NEG) return arithmetic(r, OP_SUB, 0, x.number);
  if (t->op == OP_NOT) return number(!x.number);
  if (t->op == OP_BNOT) return number(~x.number);
  Value y = t->nkids == 2 ? evaluate(r, t->kid[1], lane) : number(0);
  if (y.kind != NUMBER || t->nkids != 2) return unknown(r, "it does more with elements than combine them");
  return arithmetic(r, t->op, x.number, y.number);
}

/* ---- statements, in lockstep ---- */

static void run(Run *r, const Tree *t);

/* tmp[in.Size()] has one element a lane. */
static int64_t length_of(Run *r, const Symbol *s) {
  if (!s->array) return 1;
  if (tree_contains(s->length, OP_SIZE) || tree_contains(s->length, OP_COOP_DIM)) return r->lanes;
  Value n = evaluate(r, s->length, 0);
  return n.kind == NUMBER && n.number > 0 && n.number <= MOST_LENGTH ? n.number : 0;
}

static void declare(Run *r, const Tree *t) {
  const Symbol *s = t->symbol;
  Variable made = {.symbol = s, .length = length_of(r, s)};
  int64_t copies = is_shared(s) ? 1 : r->lanes;
  if (!made.length) { unknown(r, "the length of an array cannot be told"); return; }
  Variable *known = variable(r, s); /* of an earlier turn of a loop */
  if (known && known->length == made.length) made.at = known->at;
  else if (copies * made.length > MOST_VALUES) { unknown(r, "it has more variables than can be followed"); return; }
  else made.at = arena_many(r->a, Value, copies * made.length);
  for (int64_t i = 0; i < copies * made.length && !t->nkids; i++) made.at[i] = run_of(0, 0);
  for (int64_t lane = 0; lane < r->lanes && t->nkids; lane++)
    if (r->active[lane]) made.at[lane] = evaluate(r, t->kid[0], lane);
  if (!known || known->at != made.at) vec_push(r->a, &r->variables, made);
}

/* All lanes load, then all store. */
static void assign(Run *r, const Tree *t) {
  Value *values = r->assigned;
  Tree whole = *t;
  whole.op = (Op)t->number;
  whole.type = t->kid[0]->type;
  for (int64_t lane = 0; lane < r->lanes; lane++)
    if (r->active[lane]) values[lane] = evaluate(r, t->number ? &whole : t->kid[1], lane);
  for (int64_t lane = 0; lane < r->lanes && !r->why; lane++) {
    if (!r->active[lane]) continue;
    Value *to = place(r, t->kid[0], lane);
    if (to) *to = values[lane];
  }
}

/* Which of the active lanes the condition holds for; true when it does for any. */
static bool test(Run *r, const Tree *condition, bool *holds) {
  bool any = false;
  for (int64_t lane = 0; lane < r->lanes; lane++) {
    bool active = r->active[lane]; /* which may be what `holds' was before */
    holds[lane] = false;
    if (!active) continue;
    Value v = evaluate(r, condition, lane);
    if (v.kind != NUMBER) { unknown(r, "a branch depends on elements"); return false; }
    holds[lane] = v.number != 0;
    any |= holds[lane];
  }
  return any;
}

static void branch(Run *r, const Tree *t) {
  bool *outer = r->active, *then = arena_many(r->a, bool, r->lanes), *otherwise = arena_many(r->a, bool, r->lanes);
  bool any = test(r, t->kid[0], then), any_other = false;
  for (int64_t lane = 0; lane < r->lanes; lane++) any_other |= otherwise[lane] = outer[lane] && !then[lane];
  r->active = then;
  if (any) run(r, t->kid[1]);
  r->active = otherwise;
  if (any_other && t->nkids > 2) run(r, t->kid[2]);
  r->active = outer;
}

static void loop(Run *r, const Tree *condition, const Tree *step, const Tree *body) {
  bool *outer = r->active, *holds = arena_many(r->a, bool, r->lanes);
  while (!r->why && test(r, condition, holds)) {
    if (r->turns++ == MOST_TURNS) unknown(r, "its loops do not end soon");
    r->active = holds;
    run(r, body);
    if (step && !r->why) run(r, step);
  }
  r->active = outer;
}

static void run(Run *r, const Tree *t) {
  if (r->why) return;
  switch (t->op) {
    case OP_SEQ:
      for (int i = 0; i < t->nkids; i++) run(r, t->kid[i]);
      break;
    case OP_DECLARE: declare(r, t); break;
    case OP_ASSIGN: assign(r, t); break;
    case OP_IF: branch(r, t); break;
    case OP_FOR:
      run(r, t->kid[0]);
      loop(r, t->kid[1], t->kid[2], t->kid[3]);
      break;
    case OP_WHILE: loop(r, t->kid[0], NULL, t->kid[1]); break;
    case OP_RETURN: r->result = evaluate(r, t->kid[0], 0); break;
    case OP_ATOMIC: unknown(r, "its lanes accumulate atomically, in any order"); break;
    default: unknown(r, "it holds a statement of which the order cannot be told");
  }
}

/* NULL when all elements were combined in their order; else why not. */
static const char *try(Arena *scratch, const Codelet *c, int64_t lanes, int64_t width, int64_t elements) {
  arena_reset(scratch);
  Run r = {.a = scratch, .codelet = c, .lanes = lanes, .width = width, .elements = elements};
  r.active = arena_many(scratch, bool, lanes);
  r.assigned = arena_many(scratch, Value, lanes);
  for (int64_t i = 0; i < lanes; i++) r.active[i] = true;
  r.result = (Value){.kind = MIXED};
  run(&r, c->plain.body);
  if (r.why) return r.why;
  bool all = r.result.kind == RUN && r.result.end - r.result.begin == elements && (!elements || r.result.begin == 0);
  return all ? NULL : "it combines them in another order";
}

typedef struct Failure { const char *why; int64_t elements, lanes; } Failure;

static bool fails(Arena *scratch, const Codelet *c, int64_t lanes, int64_t width, int64_t elements, Failure *f) {
  *f = (Failure){try(scratch, c, lanes, width, elements), elements, lanes};
  return f->why != NULL;
}

/* Every number of elements for a few lanes; some for many. */
static bool lanes_fail(Arena *scratch, const Codelet *c, int64_t lanes, int64_t width, Failure *f) {
  static const int64_t some[] = {1, 31, 32, 33, 63, 65, 95, 96, 500, 993, 1023, 1024};
  if (c->lanes_max && lanes > c->lanes_max) return false;
  if (lanes <= FEW_ELEMENTS) {
    for (int64_t n = 0; n <= lanes; n++)
      if (fails(scratch, c, lanes, width, n, f)) return true;
    return false;
  }
  for (size_t i = 0; i < sizeof some / sizeof *some; i++)
    if (some[i] <= lanes && fails(scratch, c, lanes, width, some[i], f)) return true;
  return false;
}

bool pass_order(const Codelet *c, int vector_width, Diagnostics *d) {
  Arena *scratch = arena_new();
  Failure f = {0};
  bool failed = false;
  if (c->kind == CLASS_AUTONOMOUS)
    for (int64_t n = 0; n <= FEW_ELEMENTS && !failed; n++) failed = fails(scratch, c, 1, 1, n, &f);
  else {
    const int64_t many[] = {vector_width, 2 * vector_width, 3 * vector_width, MANY_LANES};
    for (int64_t width = 2; width < vector_width && !failed; width *= 2)
      failed = lanes_fail(scratch, c, width, width, &f);
    for (size_t i = 0; i < sizeof many / sizeof *many && !failed; i++)
      failed = lanes_fail(scratch, c, many[i], vector_width, &f);
  }
  if (failed)
    diagnostics_remark(d, REMARK_MISSED, "order", c->where,
                       "`%s' does not keep the order of the elements: with %lld of "
                       "them in %lld lane%s, %s", c->tag, (long long)f.elements, (long long)f.lanes,
                       f.lanes == 1 ? "" : "s", f.why);
  else diagnostics_remark(d, REMARK_PASSED, "order", c->where, "`%s' keeps the order of the elements", c->tag);
  arena_free(scratch);
  return !failed;
}
