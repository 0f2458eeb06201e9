/* lane_facts.c: variance, single-assignment variables, sums. Conservative: what it cannot tell varies by lane. */
#include "passes/lane_facts.h"

#include "ir/operator.h"
#include "passes/facts.h"

/* ---- variance ---- */

static LocalFact *fact_of(const LaneFacts *f, const Symbol *s) {
  for (int i = 0; i < f->locals.n; i++)
    if (f->locals.at[i].symbol == s) return &f->locals.at[i];
  return NULL;
}

static LaneVariance most(LaneVariance x, LaneVariance y) { return x > y ? x : y; }

LaneVariance lane_variance(const LaneFacts *f, const Tree *t) {
  if (!t) return SAME;
  LaneVariance v = SAME;
  switch (t->op) {
    case OP_VECTOR_THREAD: case OP_VECTOR_LANE: case OP_ALIKE: case OP_SHUFFLE: case OP_CALL: case OP_MAP:
      return BY_LANE;
    case OP_VECTOR_ID: case OP_VECTOR_SIZE: return BY_VECTOR; /* the last vector may be short */
    case OP_REF:
      if (t->symbol->kind == SYMBOL_LOCAL) {
        const LocalFact *k = fact_of(f, t->symbol);
        return k ? k->variance : BY_LANE;
      }
      return SAME; /* parameters; and all lanes load a shared variable at once */
    default: break;
  }
  for (int i = 0; i < t->nkids; i++) v = most(v, lane_variance(f, t->kid[i]));
  return v;
}

typedef struct Collecting { LaneFacts *f; bool changed; } Collecting;

static bool collect(void *context, const Tree *t) {
  Collecting *c = context;
  if (t->op == OP_DECLARE && t->symbol->kind == SYMBOL_LOCAL) {
    LocalFact k = {t->symbol, t->nkids ? t->kid[0] : NULL, 0, SAME};
    vec_push(c->f->arena, &c->f->locals, k);
  }
  return op_is_statement(t->op);
}

static const Symbol *written(const Tree *t) {
  if (t->op != OP_ASSIGN && t->op != OP_ATOMIC) return NULL;
  const Tree *place = t->kid[0]->op == OP_INDEX ? t->kid[0]->kid[0] : t->kid[0];
  return place->op == OP_REF ? place->symbol : NULL;
}

static bool count(void *context, const Tree *t) {
  Collecting *c = context;
  LocalFact *k = written(t) ? fact_of(c->f, written(t)) : NULL;
  if (k) k->assignments++;
  return op_is_statement(t->op);
}

static void raise(Collecting *c, const Symbol *s, LaneVariance v) {
  LocalFact *k = fact_of(c->f, s);
  if (!k || k->variance >= v) return;
  k->variance = v;
  c->changed = true;
}

static void spread(Collecting *c, const Tree *t, LaneVariance control) {
  if (!t) return;
  switch (t->op) {
    case OP_DECLARE:
      if (t->nkids) raise(c, t->symbol, lane_variance(c->f, t->kid[0]));
      break;
    case OP_ASSIGN: case OP_ATOMIC:
      if (written(t)) {
        LaneVariance v = most(control, lane_variance(c->f, t->kid[1]));
        if (t->kid[0]->op == OP_INDEX) v = most(v, lane_variance(c->f, t->kid[0]->kid[1]));
        raise(c, written(t), v);
      }
      break;
    case OP_IF: case OP_WHILE: {
      LaneVariance inner = most(control, lane_variance(c->f, t->kid[0]));
      for (int i = 1; i < t->nkids; i++) spread(c, t->kid[i], inner);
      break;
    }
    case OP_FOR: {
      spread(c, t->kid[0], control);
      LaneVariance inner = most(control, lane_variance(c->f, t->kid[1]));
      spread(c, t->kid[2], inner);
      spread(c, t->kid[3], inner);
      break;
    }
    case OP_SEQ:
      for (int i = 0; i < t->nkids; i++) spread(c, t->kid[i], control);
      break;
    case OP_RETURN: case OP_BREAK: case OP_CONTINUE:
      if (control == BY_LANE && !c->f->ragged) c->f->ragged = t;
      break;
    default: break;
  }
}

LaneFacts lane_facts(Arena *a, const Tree *body) {
  LaneFacts f = {.arena = a};
  Collecting c = {&f, true};
  tree_visit(body, collect, &c);
  tree_visit(body, count, &c);
  while (c.changed) { /* variances only rise: at most two rounds a variable */
    c.changed = false;
    spread(&c, body, SAME);
  }
  return f;
}

/* ---- what a variable is short for ---- */


/* Does its value stay the same from here on? */
static bool is_fixed(const LaneFacts *f, const Tree *t) {
  if (t->op == OP_INDEX || t->op == OP_CALL || t->op == OP_MAP || t->op == OP_SHUFFLE || t->op == OP_ALIKE)
    return false;
  if (t->op == OP_REF) {
    if (t->symbol->kind == SYMBOL_PARAM) return !t->symbol->writable;
    const LocalFact *k = t->symbol->kind == SYMBOL_LOCAL ? fact_of(f, t->symbol) : NULL;
    return k && k->init && k->assignments == 0 && is_fixed(f, k->init);
  }
  for (int i = 0; i < t->nkids; i++)
    if (!is_fixed(f, t->kid[i])) return false;
  return true;
}

const Tree *lane_strip(const LaneFacts *f, const Tree *t) {
  for (;;) {
    if (t->op == OP_CAST && facts_is_integer(t->type) && facts_is_integer(t->kid[0]->type)) t = t->kid[0];
    else if (t->op == OP_REF && t->symbol->kind == SYMBOL_LOCAL && facts_is_integer(t->symbol->type) && is_fixed(f, t))
      t = fact_of(f, t->symbol)->init;
    else return t;
  }
}

/* Equal after lane_strip, types aside. */
static bool same(const LaneFacts *f, const Tree *x, const Tree *y) {
  if (!x || !y) return x == y;
  x = lane_strip(f, x);
  y = lane_strip(f, y);
  if (x->op != y->op || x->nkids != y->nkids) return false;
  if (x->nkids == 0) {
    if (x->op == OP_INT || x->op == OP_BOOL) return x->number == y->number;
    if (x->op == OP_REF) return x->symbol == y->symbol;
    return x->op == OP_FLOAT || x->op == OP_LIMIT ? tree_equal(x, y) : true;
  }
  if (x->op == OP_CALL || x->op == OP_MAP || x->op == OP_CAST || x->op == OP_SHUFFLE) return tree_equal(x, y);
  for (int i = 0; i < x->nkids; i++)
    if (!same(f, x->kid[i], y->kid[i])) return false;
  return true;
}

bool lane_is_first_vector(const LaneFacts *f, const Tree *t) {
  if (t->op == OP_LAND) return lane_is_first_vector(f, t->kid[0]) || lane_is_first_vector(f, t->kid[1]);
  if (t->op != OP_EQ) return false;
  const Tree *x = lane_strip(f, t->kid[0]), *y = lane_strip(f, t->kid[1]);
  if (x->op == OP_INT) { const Tree *z = x; x = y; y = z; }
  return x->op == OP_VECTOR_ID && y->op == OP_INT && y->number == 0;
}

const Tree *lane_find(const LaneFacts *f, const Tree *t, Op op) {
  const Tree *s = lane_strip(f, t);
  if (s->op == op) return t;
  for (int i = 0; i < s->nkids; i++) {
    const Tree *found = lane_find(f, s->kid[i], op);
    if (found) return found->where.file ? found : t;
  }
  return NULL;
}

bool lane_is_width(const LaneFacts *f, const Tree *t) {
  t = lane_strip(f, t);
  return t->op == OP_VECTOR_MAX || t->op == OP_VECTOR_SIZE;
}

bool lane_is_identity(const LaneFacts *f, const Tree *t, OperatorKind op) {
  return operator_is_identity(op, lane_strip(f, t));
}

/* ---- sums ---- */

/* Beyond this a constant is no lane's number, and products could overflow. */
enum { LARGEST = 1 << 30 };

static bool small(int64_t x) { return x > -LARGEST && x < LARGEST; }

static void add_other(const LaneFacts *f, LaneSum *s, const Tree *t, int64_t factor) {
  for (int i = 0; i < s->others.n; i++)
    if (same(f, s->others.at[i].tree, t)) {
      s->others.at[i].factor += factor;
      return;
    }
  LaneTerm term = {t, factor};
  vec_push(f->arena, &s->others, term);
}

static bool is_id_times_max(const LaneFacts *f, const Tree *t) {
  const Tree *x = lane_strip(f, t->kid[0]), *y = lane_strip(f, t->kid[1]);
  return (x->op == OP_VECTOR_ID && y->op == OP_VECTOR_MAX) || (x->op == OP_VECTOR_MAX && y->op == OP_VECTOR_ID);
}

static void add(const LaneFacts *f, LaneSum *s, const Tree *t, int64_t factor, const Symbol *loop) {
  t = lane_strip(f, t);
  if (!small(factor) || !facts_is_integer(t->type)) { add_other(f, s, t, 1); return; }
  switch (t->op) {
    case OP_INT:
      if (small(t->number) && small(t->number * factor)) s->constant += t->number * factor;
      else add_other(f, s, t, factor);
      return;
    case OP_ADD: case OP_SUB:
      add(f, s, t->kid[0], factor, loop);
      add(f, s, t->kid[1], t->op == OP_ADD ? factor : -factor, loop);
      return;
    case OP_NEG: add(f, s, t->kid[0], -factor, loop); return;
    case OP_MUL: {
      if (is_id_times_max(f, t)) { s->factor[PART_ID_MAX] += factor; return; }
      const Tree *x = lane_strip(f, t->kid[0]), *y = lane_strip(f, t->kid[1]);
      if (y->op == OP_INT && small(y->number)) add(f, s, x, factor * y->number, loop);
      else if (x->op == OP_INT && small(x->number)) add(f, s, y, factor * x->number, loop);
      else add_other(f, s, t, factor);
      return;
    }
    case OP_REF:
      if (t->symbol == loop && loop) s->factor[PART_LOOP] += factor;
      else add_other(f, s, t, factor);
      return;
    case OP_VECTOR_THREAD: s->factor[PART_THREAD] += factor; return;
    case OP_VECTOR_LANE: s->factor[PART_LANE] += factor; return;
    case OP_VECTOR_ID: s->factor[PART_ID] += factor; return;
    case OP_VECTOR_SIZE: s->factor[PART_SIZE] += factor; return;
    case OP_VECTOR_MAX: s->factor[PART_MAX] += factor; return;
    default: add_other(f, s, t, factor);
  }
}

/* The same sum in one way only. */
static void settle(LaneSum *s, LaneContext c) {
  int64_t *k = s->factor;
  if (k[PART_ID_MAX] != 0 && k[PART_ID_MAX] == k[PART_LANE]) {
    k[PART_THREAD] += k[PART_LANE];
    k[PART_ID_MAX] = k[PART_LANE] = 0;
  }
  if (c.first_vector) {
    LanePart other = c.as == PART_LANE ? PART_THREAD : PART_LANE;
    k[c.as] += k[other];
    k[other] = k[PART_ID] = k[PART_ID_MAX] = 0;
  }
}

LaneSum lane_sum(const LaneFacts *f, const Tree *t, LaneContext c) {
  LaneSum s = {0};
  add(f, &s, t, 1, c.loop);
  settle(&s, c);
  return s;
}

LaneSum lane_sum_minus(const LaneFacts *f, LaneSum x, LaneSum y) {
  LaneSum s = x;
  s.others.at = NULL;
  s.others.n = s.others.capacity = 0;
  for (int i = 0; i < x.others.n; i++) add_other(f, &s, x.others.at[i].tree, x.others.at[i].factor);
  for (int i = 0; i < y.others.n; i++) add_other(f, &s, y.others.at[i].tree, -y.others.at[i].factor);
  s.constant -= y.constant;
  for (int i = 0; i < PART_COUNT; i++) s.factor[i] -= y.factor[i];
  return s;
}

bool lane_sum_is_constant(const LaneSum *s) {
  for (int i = 0; i < PART_COUNT; i++)
    if (s->factor[i]) return false;
  for (int i = 0; i < s->others.n; i++)
    if (s->others.at[i].factor) return false;
  return true;
}
