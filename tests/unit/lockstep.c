/* lockstep.c: see lockstep.h. Simple rather than fast: a value is an int64 a lane, a mask a bool a lane. */
#include "lockstep.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_STATEMENTS = 5000, RUBBISH = 0x5a5a5a5a };

typedef struct Store {
  const Symbol *symbol;
  int64_t length;  /* elements (a lane's, of a local one) */
  int64_t *at;     /* shared: length values; local: lanes * length */
} Store;

typedef struct Machine {
  Arena *a;
  const Codelet *c;
  LockstepRun *r;
  VEC(Store) stores;
  bool *gone;      /* lanes that returned */
  int steps;
} Machine;

/* Lanes that left the loop around, or this turn of it. */
typedef struct Loop { bool *broken, *continued; } Loop;

static void fault(Machine *m, const char *what) {
  if (!m->r->fault) m->r->fault = what;
}

static Store *store_of(Machine *m, const Symbol *s) {
  for (int i = m->stores.n - 1; i >= 0; i--)
    if (m->stores.at[i].symbol == s) return &m->stores.at[i];
  fault(m, "a variable that was not declared");
  return NULL;
}

/* ---- values ---- */

static int64_t as_type(int64_t x, Type t) {
  if (t == TYPE_INT) return (int32_t)(uint32_t)x;
  if (t == TYPE_UINT) return (uint32_t)x;
  if (t == TYPE_BOOL) return x != 0;
  return x;
}

/* What C converts both operands to. */
static Type common(Type x, Type y) {
  if (x == TYPE_ULONG || y == TYPE_ULONG) return TYPE_ULONG;
  if (x == TYPE_INDEX || y == TYPE_INDEX || x == TYPE_LONG || y == TYPE_LONG) return TYPE_INDEX;
  if (x == TYPE_UINT || y == TYPE_UINT) return TYPE_UINT;
  return x == TYPE_INT && y == TYPE_INT ? TYPE_INT : TYPE_ELEM;
}

static int64_t arithmetic(Machine *m, Op op, Type t, int64_t x, int64_t y) {
  x = as_type(x, t);
  y = as_type(y, t);
  switch (op) {
    case OP_ADD: return as_type((int64_t)((uint64_t)x + (uint64_t)y), t);
    case OP_SUB: return as_type((int64_t)((uint64_t)x - (uint64_t)y), t);
    case OP_MUL: return as_type((int64_t)((uint64_t)x * (uint64_t)y), t);
    case OP_DIV: case OP_REM:
      if (y == 0) { fault(m, "division by zero"); return 0; }
      if (y == -1) return op == OP_DIV ? as_type((int64_t)(0 - (uint64_t)x), t) : 0;
      return op == OP_DIV ? x / y : x % y;
    case OP_SHL: return as_type((int64_t)((uint64_t)x << (y & 63)), t);
    case OP_SHR: return x >> (y & 63);
    case OP_AND: return x & y;
    case OP_OR: return x | y;
    case OP_XOR: return as_type(x ^ y, t);
    case OP_LT: return t == TYPE_ULONG ? (uint64_t)x < (uint64_t)y : x < y;
    case OP_LE: return t == TYPE_ULONG ? (uint64_t)x <= (uint64_t)y : x <= y;
    case OP_GT: return t == TYPE_ULONG ? (uint64_t)x > (uint64_t)y : x > y;
    case OP_GE: return t == TYPE_ULONG ? (uint64_t)x >= (uint64_t)y : x >= y;
    case OP_EQ: return x == y;
    case OP_NE: return x != y;
    case OP_MIN: return x < y ? x : y;
    case OP_MAX: return x > y ? x : y;
    default: fault(m, "an operator that the interpreter lacks"); return 0;
  }
}

static int64_t limit_of(Type t, int64_t which) {
  if (t == TYPE_INT) return which == LIMIT_LOWEST ? INT32_MIN : INT32_MAX;
  if (t == TYPE_UINT) return which == LIMIT_LOWEST ? 0 : UINT32_MAX;
  return which == LIMIT_LOWEST ? INT64_MIN : INT64_MAX;
}

static int64_t evaluate(Machine *m, const Tree *t, int lane);

static int64_t *element(Machine *m, const Tree *place, int lane) {
  const Tree *base = place->op == OP_INDEX ? place->kid[0] : place;
  Store *s = base->op == OP_REF ? store_of(m, base->symbol) : NULL;
  static int64_t nowhere;
  nowhere = 0;
  if (!s) { fault(m, "no place"); return &nowhere; }
  int64_t i = place->op == OP_INDEX ? evaluate(m, place->kid[1], lane) : 0;
  if (i < 0 || i >= s->length) { fault(m, "an index out of bounds"); return &nowhere; }
  return &s->at[(s->symbol->kind == SYMBOL_SHARED ? 0 : (int64_t)lane * s->length) + i];
}

static int64_t shuffled(Machine *m, const Tree *t, int lane) {
  int in_vector = lane % m->r->width;
  int64_t by = evaluate(m, t->kid[1], lane), source = in_vector;
  switch (t->mode) {
    case SHUFFLE_DOWN: source = in_vector + by; break;
    case SHUFFLE_UP: source = in_vector - by; break;
    case SHUFFLE_XOR: source = in_vector ^ by; break;
    case SHUFFLE_INDEX: source = by; break;
  }
  if (source < 0 || source >= m->r->width) return RUBBISH;
  return evaluate(m, t->kid[0], lane - in_vector + (int)source);
}

static int64_t evaluate(Machine *m, const Tree *t, int lane) {
  const LockstepRun *r = m->r;
  if (r->fault) return 0;
  switch (t->op) {
    case OP_INT: case OP_BOOL: return t->number;
    case OP_FLOAT: return (int64_t)t->real;
    case OP_LIMIT: return limit_of(t->type, t->limit);
    case OP_REF: return *element(m, t, lane);
    case OP_NEG: return as_type(-evaluate(m, t->kid[0], lane), t->type);
    case OP_NOT: return !evaluate(m, t->kid[0], lane);
    case OP_BNOT: return as_type(~evaluate(m, t->kid[0], lane), t->type);
    case OP_CAST: return as_type(evaluate(m, t->kid[0], lane), t->type);
    case OP_LAND: return evaluate(m, t->kid[0], lane) && evaluate(m, t->kid[1], lane);
    case OP_LOR: return evaluate(m, t->kid[0], lane) || evaluate(m, t->kid[1], lane);
    case OP_COND: return evaluate(m, t->kid[evaluate(m, t->kid[0], lane) ? 1 : 2], lane);
    case OP_INDEX:
      if (t->kid[0]->op == OP_REF && t->kid[0]->symbol == m->c->params[0]) {
        int64_t i = evaluate(m, t->kid[1], lane);
        if (i < 0 || i >= r->size) { fault(m, "an index beyond the container"); return 0; }
        return r->in[i];
      }
      return *element(m, t, lane);
    case OP_SIZE: return r->size;
    case OP_STRIDE: return 1;
    case OP_VECTOR_SIZE: case OP_VECTOR_MAX: return r->width;
    case OP_VECTOR_THREAD: return lane;
    case OP_VECTOR_LANE: return lane % r->width;
    case OP_VECTOR_ID: return lane / r->width;
    case OP_COOP_DIM: return r->lanes;
    case OP_SHUFFLE: return shuffled(m, t, lane);
    default:
      if (t->nkids != 2) { fault(m, "an expression that the interpreter lacks"); return 0; }
      Type both = t->op >= OP_LT && t->op <= OP_NE ? common(t->kid[0]->type, t->kid[1]->type) : t->type;
      return arithmetic(m, t->op, both, evaluate(m, t->kid[0], lane), evaluate(m, t->kid[1], lane));
  }
}

/* A shuffle that only some lanes of a vector reach, by the mask or inside an expression, is a fault. */
static bool divides(const Tree *t, bool conditional) {
  if (t->op == OP_SHUFFLE && conditional) return true;
  bool branches = t->op == OP_COND || t->op == OP_LAND || t->op == OP_LOR;
  for (int i = 0; i < t->nkids; i++)
    if (t->kid[i] && divides(t->kid[i], conditional || (branches && i > 0))) return true;
  return false;
}

static void check_shuffles(Machine *m, const Tree *t, const bool *mask) {
  if (!tree_contains(t, OP_SHUFFLE)) return;
  if (divides(t, false)) fault(m, "a shuffle inside a conditional expression");
  for (int v = 0; v < m->r->lanes; v += m->r->width)
    for (int i = 1; i < m->r->width; i++)
      if (mask[v + i] != mask[v]) fault(m, "a shuffle that part of a vector runs");
}

/* The values of an expression in all active lanes; the caller frees them. */
static int64_t *values(Machine *m, const Tree *t, const bool *mask) {
  int64_t *v = calloc((size_t)m->r->lanes, sizeof *v);
  check_shuffles(m, t, mask);
  for (int i = 0; i < m->r->lanes; i++)
    if (mask[i]) v[i] = evaluate(m, t, i);
  return v;
}

/* ---- statements ---- */

static void execute(Machine *m, const Tree *t, bool *mask, Loop *loop);

static int64_t identity(Machine *m, const Symbol *s) {
  switch (m->c->spectrum->op) {
    case OPERATOR_MUL: return 1;
    case OPERATOR_AND: return -1;
    case OPERATOR_MAX: return limit_of(s->type, LIMIT_LOWEST);
    case OPERATOR_MIN: return limit_of(s->type, LIMIT_HIGHEST);
    default: return 0;
  }
}

static void declare(Machine *m, const Tree *t, const bool *mask) {
  const Symbol *s = t->symbol;
  Store fresh = {s, 1, NULL};
  int64_t *first = t->nkids ? values(m, t->kid[0], mask) : NULL;
  bool shared = s->kind == SYMBOL_SHARED;
  if (s->array) { /* shared arrays are sized by the lanes: in.Size() means one element a lane */
    int64_t size = m->r->size;
    if (shared) m->r->size = m->r->lanes;
    fresh.length = evaluate(m, s->length, 0);
    m->r->size = size;
  }
  if (fresh.length < 0 || fresh.length > 1 << 20) { fault(m, "an array of no sensible length"); fresh.length = 0; }
  int64_t n = shared ? fresh.length : fresh.length * m->r->lanes;
  for (int i = 0; i < m->stores.n; i++) /* declared again in another turn */
    if (m->stores.at[i].symbol == s && m->stores.at[i].length == fresh.length) fresh.at = m->stores.at[i].at;
  if (!fresh.at) fresh.at = arena_many(m->a, int64_t, n);
  for (int64_t i = 0; shared && i < n; i++) fresh.at[i] = identity(m, s);
  for (int i = 0; first && i < m->r->lanes; i++)
    if (mask[i]) fresh.at[i] = as_type(first[i], s->type);
  free(first);
  for (int i = 0; i < m->stores.n; i++)
    if (m->stores.at[i].symbol == s) { m->stores.at[i] = fresh; return; }
  vec_push(m->a, &m->stores, fresh);
}

static int64_t combine(Machine *m, AtomicOp op, Type t, int64_t x, int64_t y) {
  static const Op ops[] = {[ATOMIC_ADD] = OP_ADD, [ATOMIC_SUB] = OP_SUB, [ATOMIC_MAX] = OP_MAX, [ATOMIC_MIN] = OP_MIN};
  return arithmetic(m, ops[op], t, x, y);
}

/* What an assignment to an atomic variable contributes, when it is as written: x = v, x += v, x = x + v,
 * x = max(x, v). */
static const Tree *contributed(const Tree *t) {
  const Tree *v = t->kid[1];
  bool spells = !t->compound && v->nkids == 2 && v->op != OP_INDEX;
  if (spells && tree_equal(v->kid[0], t->kid[0])) return v->kid[1];
  if (spells && tree_equal(v->kid[1], t->kid[0])) return v->kid[0];
  return v;
}

static void assign(Machine *m, const Tree *t, const bool *mask) {
  int lanes = m->r->lanes;
  const Tree *place = t->kid[0], *root = place->op == OP_INDEX ? place->kid[0] : place;
  AtomicOp atomic = t->op == OP_ATOMIC ? t->atomic : root->op == OP_REF ? root->symbol->atomic : ATOMIC_NONE;
  int64_t *value = values(m, atomic && t->op == OP_ASSIGN ? contributed(t) : t->kid[1], mask);
  int64_t **at = calloc((size_t)lanes, sizeof *at), *result = calloc((size_t)lanes, sizeof *result);
  for (int i = 0; i < lanes; i++) {
    if (!mask[i]) continue;
    at[i] = element(m, place, i);
    result[i] = !atomic && t->compound ? arithmetic(m, t->compound, place->type, *at[i], value[i])
                                     : as_type(value[i], place->type);
  }
  for (int i = 0; i < lanes && !m->r->fault; i++) {
    if (!mask[i]) continue;
    if (atomic) { *at[i] = combine(m, atomic, place->type, *at[i], value[i]); continue; }
    for (int k = 0; k < i && root->symbol->kind == SYMBOL_SHARED; k++)
      if (mask[k] && at[k] == at[i] && result[k] != result[i])
        fault(m, "two lanes store different values in one place");
    *at[i] = result[i];
  }
  free(value);
  free(at);
  free(result);
}

static bool any(const Machine *m, const bool *mask) {
  for (int i = 0; i < m->r->lanes; i++)
    if (mask[i]) return true;
  return false;
}

/* The caller frees it. */
static bool *narrowed(Machine *m, const bool *mask, const int64_t *condition, bool holds) {
  bool *r = calloc((size_t)m->r->lanes, sizeof *r);
  for (int i = 0; i < m->r->lanes; i++) r[i] = mask[i] && (condition[i] != 0) == holds;
  return r;
}

static void turns(Machine *m, const Tree *condition, const Tree *step, const Tree *body, const bool *mask) {
  size_t lanes = (size_t)m->r->lanes;
  Loop loop = {calloc(lanes, 1), calloc(lanes, 1)};
  bool *running = malloc(lanes), *inside = malloc(lanes);
  memcpy(running, mask, lanes);
  for (;;) {
    if (++m->steps > MOST_STATEMENTS) fault(m, "a loop without an end");
    int64_t *c = values(m, condition, running);
    for (size_t i = 0; i < lanes; i++) running[i] = running[i] && c[i];
    free(c);
    if (m->r->fault || !any(m, running)) break;
    memcpy(inside, running, lanes);
    memset(loop.continued, 0, lanes);
    execute(m, body, inside, &loop);
    for (size_t i = 0; i < lanes; i++) running[i] = running[i] && !loop.broken[i] && !m->gone[i];
    if (!step) continue;
    memcpy(inside, running, lanes);
    execute(m, step, inside, NULL);
  }
  free(loop.broken);
  free(loop.continued);
  free(running);
  free(inside);
}

/* Lanes that leave are taken out of the mask, so that what follows does not run in them. */
static void execute(Machine *m, const Tree *t, bool *mask, Loop *loop) {
  int lanes = m->r->lanes;
  if (!t || m->r->fault || !any(m, mask)) return;
  if (++m->steps > MOST_STATEMENTS) { fault(m, "too many steps"); return; }
  switch (t->op) {
    case OP_SEQ:
      for (int i = 0; i < t->nkids; i++) execute(m, t->kid[i], mask, loop);
      return;
    case OP_COMMENT: return;
    case OP_DECLARE: declare(m, t, mask); return;
    case OP_ASSIGN: case OP_ATOMIC: assign(m, t, mask); return;
    case OP_IF: {
      int64_t *c = values(m, t->kid[0], mask);
      bool *then = narrowed(m, mask, c, true), *otherwise = narrowed(m, mask, c, false);
      execute(m, t->kid[1], then, loop);
      if (t->nkids > 2) execute(m, t->kid[2], otherwise, loop);
      for (int i = 0; i < lanes; i++) mask[i] = then[i] || otherwise[i];
      free(c);
      free(then);
      free(otherwise);
      return;
    }
    case OP_FOR: {
      bool *header = malloc((size_t)lanes);
      memcpy(header, mask, (size_t)lanes);
      execute(m, t->kid[0], header, NULL);
      free(header);
      turns(m, t->kid[1], t->kid[2], t->kid[3], mask);
      break;
    }
    case OP_WHILE: turns(m, t->kid[0], NULL, t->kid[1], mask); break;
    case OP_BREAK: case OP_CONTINUE:
      for (int i = 0; i < lanes; i++) {
        if (!mask[i]) continue;
        (t->op == OP_BREAK ? loop->broken : loop->continued)[i] = true;
        mask[i] = false;
      }
      return;
    case OP_RETURN: {
      int64_t *v = values(m, t->kid[0], mask);
      for (int i = 0; i < lanes; i++) {
        if (!mask[i]) continue;
        m->r->returned[i] = v[i];
        m->gone[i] = true;
        mask[i] = false;
      }
      free(v);
      return;
    }
    default: fault(m, "a statement that the interpreter lacks"); return;
  }
  for (int i = 0; i < lanes; i++) mask[i] = mask[i] && !m->gone[i];
}

bool lockstep_run(Arena *a, const Codelet *c, const Tree *body, LockstepRun *run) {
  Machine m = {.a = a, .c = c, .r = run, .gone = arena_many(a, bool, run->lanes)};
  bool *mask = arena_many(a, bool, run->lanes);
  run->fault = NULL;
  for (int i = 0; i < run->lanes; i++) {
    mask[i] = true;
    run->returned[i] = 0;
  }
  execute(&m, body, mask, NULL);
  for (int i = 0; i < run->lanes && !run->fault; i++)
    if (!m.gone[i]) run->fault = "a lane without a result";
  return run->fault == NULL;
}
