/* trial.c: an atomic codelet is run: the statements of its body in turn, each by all lanes that come by; all load, then
 * all store. */
#include "passes/trial.h"

#include <math.h>

#include "ir/operator.h"

enum { MOST_TURNS = 1 << 14, MOST_LENGTH = 1 << 16, MOST_VALUES = 1 << 20 };

typedef TrialValue Value;

typedef struct Variable {
  const Symbol *symbol;
  Value *at;      /* by lane, unless it is one for all; by element of an array */
  int64_t length; /* elements of an array; 1 */
} Variable;

typedef struct Run {
  Arena *a;
  const Trial *trial;
  OperatorKind op;   /* the spectrum's */
  int64_t lanes;
  VEC(Variable) variables;
  bool *active;
  Value *assigned;   /* by lane: what an assignment stores */
  int words;         /* of a set */
  int turns;         /* of all loops, so far */
  Value result;
  const char *why;
  bool outside;
} Run;

static Value number(int64_t n) { return (Value){.kind = TRIAL_NUMBER, .number = n}; }
static Value run_of(int64_t begin, int64_t end) {
  return (Value){.kind = TRIAL_RUN, .begin = (int32_t)begin, .end = (int32_t)end};
}
static Value mixed(void) { return (Value){.kind = TRIAL_MIXED}; }

static Value unknown(Run *r, const char *why) {
  if (!r->why) r->why = why;
  return mixed();
}

/* Only that one, or none (-1). */
static Value set_of(Run *r, int64_t one) {
  uint64_t *bits = arena_many(r->a, uint64_t, r->words);
  if (one >= 0) bits[one / 64] |= UINT64_C(1) << (one % 64);
  return (Value){.kind = TRIAL_SET, .set = bits};
}

/* The i-th of the elements that are handed in, of all containers and numbers together. */
static Value handed_in(Run *r, int64_t i) {
  switch (r->trial->what) {
    case TRIAL_OF_PLACES: return run_of(i, i + 1);
    case TRIAL_OF_SETS: return set_of(r, i);
    default: return number(r->trial->number((uint64_t)i));
  }
}

/* ---- operators ---- */

static Value joined(Value x, Value y) {
  if (x.kind == TRIAL_RUN && x.begin == x.end) return y;
  if (y.kind == TRIAL_RUN && y.begin == y.end) return x;
  if (x.kind == TRIAL_RUN && y.kind == TRIAL_RUN && x.end == y.begin) return run_of(x.begin, y.end);
  return mixed();
}

static Value united(Run *r, Value x, Value y) {
  uint64_t *bits = arena_many(r->a, uint64_t, r->words);
  for (int i = 0; i < r->words; i++) bits[i] = x.set[i] | y.set[i];
  return (Value){.kind = TRIAL_SET, .set = bits};
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
  return unknown(r, "it computes something whose order cannot be determined");
}

/* Two values by an operator. Only users' do not commute: whatever else is known of a codelet, it combines by that. */
static Value combined(Run *r, Op op, Value x, Value y) {
  static const char more[] = "it does more with elements than combine them";
  if (r->trial->what == TRIAL_OF_PLACES && op == OP_APPLY) return joined(x, y);
  if (x.kind == TRIAL_SET && y.kind == TRIAL_SET && op == operator_op(r->op)) return united(r, x, y);
  if (x.kind != TRIAL_NUMBER || y.kind != TRIAL_NUMBER) return unknown(r, more);
  return arithmetic(r, op == OP_APPLY ? OP_ADD : op, x.number, y.number);
}

/* What a shared variable starts with. */
static Value identity(Run *r) {
  if (r->trial->what == TRIAL_OF_PLACES) return run_of(0, 0);
  if (r->trial->what == TRIAL_OF_SETS) return set_of(r, -1);
  static const int64_t of[] = {[OPERATOR_MUL] = 1, [OPERATOR_MAX] = INT64_MIN, [OPERATOR_MIN] = INT64_MAX,
                               [OPERATOR_AND] = -1, [OPERATOR_USER] = 0};
  return number(of[r->op]);
}

/* ---- expressions ---- */

static Variable *variable(Run *r, const Symbol *s) {
  for (int i = r->variables.n - 1; i >= 0; i--)
    if (r->variables.at[i].symbol == s) return &r->variables.at[i];
  return NULL;
}

/* One for all lanes? */
static bool is_common(const Symbol *s) { return s->kind == SYMBOL_SHARED || s->rank > 0; }

static Value evaluate(Run *r, const Tree *t, int64_t lane);

static Value *place(Run *r, const Tree *t, int64_t lane) {
  const Tree *base = t->op == OP_INDEX ? t->kid[0] : t;
  Variable *v = base->op == OP_REF ? variable(r, base->symbol) : NULL;
  Value index = t->op == OP_INDEX ? evaluate(r, t->kid[1], lane) : number(0);
  if (!v || index.kind != TRIAL_NUMBER || index.number < 0 || index.number >= v->length) {
    r->outside |= v && !r->why && index.kind == TRIAL_NUMBER;
    unknown(r, v && v->symbol->rank ? "it reads outside of its container" : "it reaches outside of an array");
    return NULL;
  }
  return &v->at[(is_common(v->symbol) ? 0 : lane * v->length) + index.number];
}

static Value read(Run *r, const Tree *t, int64_t lane) {
  Value *v = place(r, t, lane);
  return v ? *v : mixed();
}

/* Scaled, so that it is one among numbers that are whole: what is done with it is, on both sides of a comparison. */
static Value real(double x) {
  enum { SCALE = 4093 };
  if (!(fabs(x) < 1e12)) return number(x < 0 ? INT64_MIN : INT64_MAX);
  return number(x == floor(x) ? (int64_t)x : (int64_t)floor(x * SCALE));
}

static Value evaluate(Run *r, const Tree *t, int64_t lane) {
  const Trial *trial = r->trial;
  bool numbers = trial->what == TRIAL_OF_NUMBERS;
  if (t->op == OP_IDENTITY && (t->type == TYPE_ELEM || type_is_state(t->type))) return identity(r);
  if (trial->what == TRIAL_OF_SETS && t->type == TYPE_ELEM && operator_is_identity(r->op, t)) return identity(r);
  switch (t->op) {
    case OP_INT: case OP_BOOL: return number(t->number);
    case OP_FLOAT: if (numbers) return real(t->real); break;
    case OP_LIMIT: if (numbers) return number(t->limit == LIMIT_LOWEST ? INT64_MIN : INT64_MAX); break;
    case OP_REF: case OP_INDEX: return read(r, t, lane);
    case OP_SIZE: return number(trial->elements);
    case OP_STRIDE: return number(1);
    case OP_VECTOR_SIZE: case OP_VECTOR_MAX: return number(trial->width);
    case OP_VECTOR_THREAD: return number(lane);
    case OP_VECTOR_LANE: return number(lane % trial->width);
    case OP_VECTOR_ID: return number(lane / trial->width);
    case OP_COOP_DIM: return number(r->lanes);
    case OP_CAST: return evaluate(r, t->kid[0], lane);
    default: break;
  }
  Value x = t->nkids ? evaluate(r, t->kid[0], lane) : mixed();
  if (t->nkids == 2 && t->op != OP_LAND && t->op != OP_LOR)
    return combined(r, t->op, x, evaluate(r, t->kid[1], lane));
  if (x.kind != TRIAL_NUMBER) return unknown(r, "it does more with elements than combine them");
  switch (t->op) {
    case OP_COND: return evaluate(r, t->kid[x.number ? 1 : 2], lane);
    case OP_LAND: return x.number ? evaluate(r, t->kid[1], lane) : x;
    case OP_LOR: return x.number ? x : evaluate(r, t->kid[1], lane);
    case OP_NEG: return arithmetic(r, OP_SUB, 0, x.number);
    case OP_NOT: return number(!x.number);
    case OP_BNOT: return number(~x.number);
    default: return unknown(r, "it does more with elements than combine them");
  }
}

/* ---- statements, in lockstep ---- */

static void run(Run *r, const Tree *t);

/* tmp[in.Size()] has one element a lane. */
static int64_t length_of(Run *r, const Symbol *s) {
  if (!s->array) return 1;
  if (tree_contains(s->length, OP_SIZE) || tree_contains(s->length, OP_COOP_DIM)) return r->lanes;
  Value n = evaluate(r, s->length, 0);
  return n.kind == TRIAL_NUMBER && n.number > 0 && n.number <= MOST_LENGTH ? n.number : 0;
}

static void declare(Run *r, const Tree *t) {
  const Symbol *s = t->symbol;
  Variable made = {.symbol = s, .length = length_of(r, s)};
  int64_t copies = is_common(s) ? 1 : r->lanes;
  if (!made.length) { unknown(r, "the length of an array is not known"); return; }
  Variable *known = variable(r, s); /* of an earlier turn of a loop */
  if (known && known->length == made.length) made.at = known->at;
  else if (copies * made.length > MOST_VALUES) { unknown(r, "it has more variables than can be followed"); return; }
  else made.at = arena_many(r->a, Value, copies * made.length);
  const Value start = identity(r);
  for (int64_t i = 0; i < copies * made.length && !t->nkids; i++) made.at[i] = start;
  for (int64_t lane = 0; lane < r->lanes && t->nkids; lane++)
    if (r->active[lane]) made.at[lane] = evaluate(r, t->kid[0], lane);
  if (!known || known->at != made.at) vec_push(r->a, &r->variables, made);
}

/* All lanes load, then all store; contributions to a container (__accum) come one after the other. */
static void assign(Run *r, const Tree *t) {
  Value *values = r->assigned;
  Tree whole = *t;
  whole.op = t->compound;
  whole.type = t->kid[0]->type;
  const Tree *value = t->compound ? &whole : t->kid[1],
             *base = t->kid[0]->op == OP_INDEX ? t->kid[0]->kid[0] : t->kid[0];
  const bool in_order = base->op == OP_REF && base->symbol->rank && base->symbol->atomic;
  for (int64_t lane = 0; lane < r->lanes && !in_order; lane++)
    if (r->active[lane]) values[lane] = evaluate(r, value, lane);
  for (int64_t lane = 0; lane < r->lanes && !r->why; lane++) {
    if (!r->active[lane]) continue;
    if (in_order) values[lane] = evaluate(r, value, lane);
    Value *to = place(r, t->kid[0], lane);
    if (to) *to = values[lane];
  }
}

static void accumulate(Run *r, const Tree *t) {
  if (r->trial->what == TRIAL_OF_PLACES) { unknown(r, "its lanes accumulate atomically, in any order"); return; }
  const AtomicOp atomic = t->atomic;
  const Op op = atomic == ATOMIC_SUB ? OP_SUB : operator_op(operator_of_atomic(atomic));
  for (int64_t lane = 0; lane < r->lanes && !r->why; lane++) {
    if (!r->active[lane]) continue;
    Value *to = place(r, t->kid[0], lane);
    if (to) *to = combined(r, op, *to, evaluate(r, t->kid[1], lane));
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
    if (v.kind != TRIAL_NUMBER) { unknown(r, "a branch depends on elements"); return false; }
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
  while (!r->why && condition && test(r, condition, holds)) {
    if (r->turns++ == MOST_TURNS) unknown(r, "its loops do not end soon");
    r->active = holds;
    run(r, body);
    if (step && !r->why) run(r, step);
  }
  if (!condition) unknown(r, "its loops do not end soon");
  r->active = outer;
}

static void run(Run *r, const Tree *t) {
  if (r->why || !t) return;
  switch (t->op) {
    case OP_SEQ:
      for (int i = 0; i < t->nkids; i++) run(r, t->kid[i]);
      break;
    case OP_DECLARE: declare(r, t); break;
    case OP_ASSIGN: assign(r, t); break;
    case OP_ATOMIC: accumulate(r, t); break;
    case OP_IF: branch(r, t); break;
    case OP_FOR:
      run(r, t->kid[0]);
      loop(r, t->kid[1], t->kid[2], t->kid[3]);
      break;
    case OP_WHILE: loop(r, t->kid[0], NULL, t->kid[1]); break;
    case OP_RETURN: if (t->nkids) r->result = evaluate(r, t->kid[0], 0); break;
    default: unknown(r, "it has a statement whose order cannot be determined");
  }
}

/* ---- what is handed in ---- */

static bool is_handed(const Trial *trial, int i) { return trial->what != TRIAL_OF_PLACES || i == 0; }

static int64_t length_of_parameter(const Trial *trial, const Symbol *p) { return p->rank ? trial->elements : 1; }

static TrialValue *const *hand_in(Run *r) {
  const Codelet *c = r->trial->codelet;
  TrialValue **written = arena_many(r->a, TrialValue *, c->nparams);
  int64_t handed = 0;
  for (int i = 0; i < c->nparams && is_handed(r->trial, i); i++)
    handed += length_of_parameter(r->trial, c->params[i]);
  r->words = (int)((handed + 63) / 64);
  handed = 0;
  for (int i = 0; i < c->nparams && is_handed(r->trial, i); i++) {
    const Symbol *p = c->params[i];
    if (p->rank > 1) { unknown(r, "it takes a container of two dimensions"); break; }
    const int64_t n = length_of_parameter(r->trial, p), copies = is_common(p) ? 1 : r->lanes;
    Variable v = {.symbol = p, .length = n, .at = arena_many(r->a, Value, n * copies + 1)};
    for (int64_t k = 0; k < n * copies; k++) v.at[k] = handed_in(r, handed + (p->rank ? k : 0));
    handed += n;
    if (p->rank && p->writable) written[i] = v.at;
    vec_push(r->a, &r->variables, v);
  }
  return written;
}

void trial_run(Arena *a, Trial *t) {
  Run r = {.a = a, .trial = t, .op = t->codelet->spectrum->op, .lanes = t->lanes};
  r.active = arena_many(a, bool, t->lanes);
  r.assigned = arena_many(a, Value, t->lanes);
  for (int64_t i = 0; i < t->lanes; i++) r.active[i] = true;
  r.result = mixed();
  t->containers = hand_in(&r);
  run(&r, t->body);
  t->result = r.result;
  t->words = r.words;
  t->why = r.why;
  t->outside = r.outside;
}
