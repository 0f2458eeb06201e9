/* exchange.c: the conditions of CGO Fig. 4, made sound.
 *
 * In the paper's order: (1) the loop's bounds come from the Vector, (2) its variable moves by a constant (both in
 * exchange_header.c); (3) the body reads one element of a shared array and accumulates it in a local variable; (4) the
 * element is the lane's own slot plus, minus or xor the loop's variable; (5..7) every lane then stores the variable in
 * its own slot. Beyond the paper: the sign of the index, not of the step, is the direction; a guard keeps the read in
 * the vector; nothing comes between the store and the next read, nor is the slot another value when the loop begins
 * (exchange_entry.c); all lanes of a vector run the loop. Then the element that is read is the variable of the lane it
 * belongs to. */
#include "passes/exchange.h"
#include "ir/operator.h"

/* ---- small questions ---- */

bool exchange_refuse(Refusal *why, const Tree *at, const char *reason) {
  why->reason = reason;
  why->where = at->where;
  return false;
}

typedef struct WriteSearch { const Symbol *symbol; const Tree *found; } WriteSearch;

static bool find_write(void *context, const Tree *t) {
  WriteSearch *w = context;
  if (t->op == OP_ASSIGN || t->op == OP_ATOMIC) {
    const Tree *place = t->kid[0]->op == OP_INDEX ? t->kid[0]->kid[0] : t->kid[0];
    if (place->op == OP_REF && place->symbol == w->symbol && !w->found) w->found = t;
  }
  if (t->op == OP_DECLARE && t->symbol == w->symbol && t->symbol->kind == SYMBOL_LOCAL && !w->found) w->found = t;
  return op_is_statement(t->op) && !w->found;
}

const Tree *exchange_write(const Tree *t, const Symbol *s) {
  WriteSearch w = {s, NULL};
  tree_visit(t, find_write, &w);
  return w.found;
}

LaneContext exchange_slots(const Frame *f, const Symbol *loop) {
  return (LaneContext){.loop = loop, .first_vector = f->first_vector, .as = PART_THREAD};
}

/* A lane's own slot: ThreadId(), and at most a constant that stays the same. */
static bool is_own_slot(const LaneFacts *f, const LaneSum *s) {
  for (int i = 0; i < PART_COUNT; i++)
    if (i != PART_MAX && s->factor[i] != (i == PART_THREAD)) return false;
  for (int i = 0; i < s->others.n; i++) {
    const Tree *t = s->others.at[i].tree;
    bool fixed = t->op == OP_SIZE || t->op == OP_COOP_DIM || (t->op == OP_REF && t->symbol->kind == SYMBOL_PARAM);
    if (s->others.at[i].factor && (!fixed || lane_variance(f, t) != SAME)) return false;
  }
  return true;
}

/* ---- which arrays a loop reads ---- */

typedef struct ArraySearch { Symbol **arrays; int n, most; } ArraySearch;

static void note_array(ArraySearch *s, Symbol *x) {
  if (x->kind != SYMBOL_SHARED || !x->array) return;
  for (int i = 0; i < s->n; i++)
    if (s->arrays[i] == x) return;
  if (s->n < s->most) s->arrays[s->n++] = x;
}

static void find_arrays(ArraySearch *s, const Tree *t) {
  if (!t || t->op == OP_FOR || t->op == OP_WHILE) return;
  bool stores = t->op == OP_ASSIGN && t->compound == 0 && t->kid[0]->op == OP_INDEX;
  if (t->op == OP_INDEX && t->kid[0]->op == OP_REF) note_array(s, t->kid[0]->symbol);
  if (stores) find_arrays(s, t->kid[0]->kid[1]);
  for (int i = stores ? 1 : 0; i < t->nkids; i++) find_arrays(s, t->kid[i]);
}

int exchange_arrays(const Tree *loop, Symbol **arrays, int most) {
  ArraySearch s = {arrays, 0, most};
  find_arrays(&s, loop->kid[3]);
  return s.n;
}

/* ---- (3): the read and its guard ---- */

enum { MOST_GUARDS = 8 };

typedef struct Guards {
  const Tree *condition[MOST_GUARDS];
  bool holds[MOST_GUARDS]; /* the read happens where the condition is true, or where it is false */
  int n;
} Guards;

static bool path_to(const Tree *t, const Tree *read, Guards *g) {
  if (t == read) return true;
  for (int i = 0; i < t->nkids; i++) {
    int outer = g->n;
    bool guarded = i > 0 && (t->op == OP_COND || t->op == OP_IF || t->op == OP_LAND || t->op == OP_LOR);
    if (guarded && g->n < MOST_GUARDS) {
      g->condition[g->n] = t->kid[0];
      g->holds[g->n++] = t->op == OP_LAND || (t->op != OP_LOR && i == 1);
    }
    if (t->kid[i] && path_to(t->kid[i], read, g)) return true;
    g->n = outer;
  }
  return false;
}

typedef struct ReadSearch { const Symbol *array; const Tree *read, *again; } ReadSearch;

static void find_reads(ReadSearch *s, const Tree *t) {
  if (!t) return;
  if (tree_is_element_of(t, s->array)) {
    if (s->read) s->again = t;
    else s->read = t;
  }
  bool store = t->op == OP_ASSIGN && tree_is_element_of(t->kid[0], s->array);
  if (store) find_reads(s, t->kid[0]->kid[1]);
  for (int i = store ? 1 : 0; i < t->nkids; i++) find_reads(s, t->kid[i]);
}

/* The assignment that has the read in it: the statement itself, or alone under an `if'. */
static const Tree *accumulation(const Tree *statement) {
  while (statement->op == OP_IF || statement->op == OP_SEQ) {
    if (statement->op == OP_IF && statement->nkids != 2) return NULL;
    if (statement->op == OP_SEQ && statement->nkids != 1) return NULL;
    statement = statement->kid[statement->op == OP_IF ? 1 : 0];
  }
  return statement->op == OP_ASSIGN ? statement : NULL;
}

typedef struct StoreSearch { const Symbol *array; const Tree *store, *other; } StoreSearch;

static bool find_store(void *context, const Tree *t) {
  StoreSearch *s = context;
  if ((t->op == OP_ASSIGN || t->op == OP_ATOMIC) && tree_is_element_of(t->kid[0], s->array)) {
    if (s->store) s->other = t;
    else s->store = t;
  }
  return op_is_statement(t->op);
}

/* What the turn stores in the array, when that is a local variable; or NULL. */
static Symbol *stored_variable(const Tree *body, const Symbol *array) {
  StoreSearch w = {array, NULL, NULL};
  tree_visit(body, find_store, &w);
  const Tree *value = w.store && w.store->op == OP_ASSIGN ? w.store->kid[1] : NULL;
  bool local = value && value->op == OP_REF && value->symbol->kind == SYMBOL_LOCAL && !value->symbol->array;
  return local ? value->symbol : NULL;
}

/* The local variable that a turn keeps the value read in, by another name than that of what it stores; or NULL. */
static const Symbol *named_read(const Tree *statement) {
  bool declares = statement->op == OP_DECLARE && statement->symbol->kind == SYMBOL_LOCAL && !statement->symbol->array;
  bool assigns = statement->op == OP_ASSIGN && !statement->compound && statement->kid[0]->op == OP_REF &&
                 statement->kid[0]->symbol->kind == SYMBOL_LOCAL;
  return declares ? statement->symbol : assigns ? statement->kid[0]->symbol : NULL;
}

static bool find_read(const Tree *loop, Exchange *x, Refusal *why) {
  const Tree *body = loop->kid[3];
  ReadSearch s = {x->array, NULL, NULL};
  find_reads(&s, body);
  if (s.again) return exchange_refuse(why, s.again, "the array is read more than once in the loop");
  if (!s.read) return exchange_refuse(why, loop, "the array is only read where it is written");
  x->read = s.read;
  x->statement = -1;
  for (int i = 0; i < body->nkids; i++) {
    Guards g = {.n = 0};
    if (path_to(body->kid[i], s.read, &g)) x->statement = i;
  }
  const Tree *a = x->statement >= 0 ? accumulation(body->kid[x->statement]) : NULL;
  const Symbol *named = x->statement >= 0 ? named_read(body->kid[x->statement]) : NULL;
  Symbol *stored = stored_variable(body, x->array);
  if (named && stored && stored != named && !tree_mentions(body->kid[x->statement], stored)) {
    x->value = stored; /* T other = guard ? array[..] : 0; and what becomes of that is the turn's own */
    return true;
  }
  if (!a) return exchange_refuse(why, s.read, "the value read is not accumulated in a local variable");
  if (a->kid[0]->op == OP_INDEX)
    return exchange_refuse(why, a, "the value read is accumulated in an array, not in a local variable");
  Symbol *v = a->kid[0]->symbol;
  bool adds_to_itself = a->compound != 0 || tree_mentions(a->kid[1], v);
  if (v->kind != SYMBOL_LOCAL || v->array || !adds_to_itself || tree_mentions(s.read, v))
    return exchange_refuse(why, a, "the value read is not accumulated in a local variable");
  x->value = v;
  return true;
}

/* ---- (5) to (7): the store ---- */

static const Tree *leaving(const Tree *t) {
  if (t->op == OP_BREAK || t->op == OP_CONTINUE || t->op == OP_RETURN) return t;
  for (int i = 0; i < t->nkids; i++) {
    const Tree *found = t->kid[i] && op_is_statement(t->kid[i]->op) ? leaving(t->kid[i]) : NULL;
    if (found) return found;
  }
  return NULL;
}

static bool check_store(const ExchangeSearch *s, const Tree *loop, const Frame *f, Exchange *x, Refusal *why) {
  const Tree *body = loop->kid[3];
  StoreSearch w = {x->array, NULL, NULL};
  tree_visit(body, find_store, &w);
  if (!w.store)
    return exchange_refuse(why, body->kid[x->statement], "the accumulated value is not stored back in the array");
  if (w.other) return exchange_refuse(why, w.other, "the array is written more than once in the loop");
  int at = -1;
  for (int i = 0; i < body->nkids; i++)
    if (body->kid[i] == w.store) at = i;
  if (at < 0) return exchange_refuse(why, w.store, "not every lane makes the store in every iteration of the loop");
  if (w.store->op != OP_ASSIGN || w.store->compound)
    return exchange_refuse(why, w.store, "the store is no plain assignment");
  if (at < x->statement) return exchange_refuse(why, w.store, "the store comes before the read, not after it");
  const Tree *stored = w.store->kid[1], *bare = stored->op == OP_CAST ? stored->kid[0] : stored;
  if (bare->op != OP_REF || bare->symbol != x->value)
    return exchange_refuse(why, stored, "what is stored is not the variable that accumulates");
  if (stored != bare || x->array->type != x->value->type)
    return exchange_refuse(why, w.store, "the array's elements are of another type than the variable");
  x->own = lane_sum(&s->facts, w.store->kid[0]->kid[1], exchange_slots(f, x->offset));
  if (!is_own_slot(&s->facts, &x->own))
    return exchange_refuse(why, w.store->kid[0]->kid[1], "the store is not to the lane's own slot, ThreadId()");
  for (int i = 0; i < body->nkids; i++) {
    if (i >= x->statement && i <= at) continue;
    const Tree *changed = exchange_write(body->kid[i], x->value);
    if (changed) return exchange_refuse(why, changed, "the variable changes between its store and the next read");
  }
  const Tree *out = leaving(body);
  if (out) return exchange_refuse(why, out, "the loop may be left in the middle");
  return true;
}

/* ---- (4): the index ---- */

static bool only_offset(const LaneSum *d, int64_t factor) {
  LaneSum rest = *d;
  rest.factor[PART_LOOP] -= factor;
  return lane_sum_is_constant(&rest) && rest.constant == 0;
}

/* own slot with ThreadId() ^ offset for ThreadId(): gives the xor tree. */
static const Tree *xor_of(const ExchangeSearch *s, const Frame *f, const Exchange *x, const LaneSum *index) {
  const LaneFacts *facts = &s->facts;
  for (int i = 0; i < index->others.n; i++) {
    const Tree *t = index->others.at[i].tree;
    if (t->op != OP_XOR || index->others.at[i].factor != 1) continue;
    for (int side = 0; side < 2; side++) {
      const Tree *by = lane_strip(facts, t->kid[side]);
      if (by->op != OP_REF || by->symbol != x->offset) continue;
      LaneSum lane = lane_sum(facts, t->kid[1 - side], exchange_slots(f, x->offset));
      LaneSum without = *index;
      without.others.at = NULL;
      without.others.n = without.others.capacity = 0;
      for (int k = 0; k < index->others.n; k++)
        if (k != i) vec_push(s->arena, &without.others, index->others.at[k]);
      bool of_thread = lane.factor[PART_THREAD] == 1, of_lane = lane.factor[PART_LANE] == 1;
      LaneSum bare = lane;
      bare.factor[PART_THREAD] = bare.factor[PART_LANE] = 0;
      if (!lane_sum_is_constant(&bare) || bare.constant || of_thread == of_lane) continue;
      if (of_thread) without.factor[PART_THREAD]++;
      else if (without.factor[PART_ID_MAX] == 1) { without.factor[PART_ID_MAX] = 0; without.factor[PART_THREAD]++; }
      LaneSum d = lane_sum_minus(facts, without, x->own);
      if (lane_sum_is_constant(&d) && d.constant == 0) return t;
    }
  }
  return NULL;
}

static bool check_index(const ExchangeSearch *s, const Frame *f, Exchange *x, Refusal *why) {
  const LaneFacts *facts = &s->facts;
  const Tree *place = x->read->kid[1];
  LaneSum index = lane_sum(facts, place, exchange_slots(f, x->offset));
  LaneSum d = lane_sum_minus(facts, index, x->own);
  if (only_offset(&d, 1)) { x->mode = SHUFFLE_DOWN; return true; }
  if (only_offset(&d, -1)) { x->mode = SHUFFLE_UP; return true; }
  if (xor_of(s, f, x, &index)) { x->mode = SHUFFLE_XOR; return true; }
  bool thread = lane_find(facts, place, OP_VECTOR_THREAD), lane = lane_find(facts, place, OP_VECTOR_LANE);
  if (!f->first_vector && lane_find(facts, place, OP_VECTOR_ID))
    return exchange_refuse(why, place, "the index depends on VectorId()");
  if (!tree_mentions(place, x->offset))
    return exchange_refuse(why, place, "the index does not depend on the loop's variable");
  if (!thread && !lane) return exchange_refuse(why, place, "the index does not depend on ThreadId()");
  if (!thread && !f->first_vector)
    return exchange_refuse(why, place, "the index depends only on LaneId(): vectors share that slot");
  d.constant = 0;
  if (only_offset(&d, 1) || only_offset(&d, -1))
    return exchange_refuse(why, place, "the index is not counted from the slot that the store writes");
  return exchange_refuse(why, place, "the index is not ThreadId() plus, minus or xor the loop's variable");
}

/* ---- the guard ---- */

static const Tree *subtracts(const Tree *t) {
  int64_t k;
  if ((t->op == OP_SUB || t->op == OP_NEG) && !tree_constant(t, &k)) return t;
  for (int i = 0; i < t->nkids; i++) {
    const Tree *found = subtracts(t->kid[i]);
    if (found) return found;
  }
  return NULL;
}

/* Unsigned differences wrap around, so that `LaneId() - offset >= 0' says nothing. MaxSize() - 1 does not wrap. */
static bool wraps(const Tree *comparison) {
  bool has_unsigned = type_is_unsigned(comparison->kid[0]->type) || type_is_unsigned(comparison->kid[1]->type);
  for (int i = 0; i < 2; i++) {
    const Tree *t = subtracts(comparison->kid[i]);
    bool of_size = t && t->op == OP_SUB && (t->kid[0]->op == OP_VECTOR_SIZE || t->kid[0]->op == OP_VECTOR_MAX) &&
                   t->kid[1]->op == OP_INT && t->kid[1]->number <= 1;
    if (t && !of_size && has_unsigned) return true;
  }
  return false;
}

/* x - y for `x > y' and so on: the comparison says that this is positive. */
static bool positive_of(const LaneFacts *f, const Tree *t, bool holds, LaneContext c, LaneSum *s) {
  if (t->op < OP_LT || t->op > OP_GE || wraps(t)) return false;
  LaneSum x = lane_sum(f, t->kid[0], c), y = lane_sum(f, t->kid[1], c);
  Op op = holds ? t->op : t->op == OP_LT ? OP_GE : t->op == OP_LE ? OP_GT : t->op == OP_GT ? OP_LE : OP_LT;
  *s = op == OP_LT || op == OP_LE ? lane_sum_minus(f, y, x) : lane_sum_minus(f, x, y);
  if (op == OP_LE || op == OP_GE) s->constant++;
  return true;
}

static bool implies(const LaneFacts *f, const Tree *t, bool holds, const Exchange *x, LaneContext c) {
  t = lane_strip(f, t);
  if (t->op == OP_NOT) return implies(f, t->kid[0], !holds, x, c);
  if ((t->op == OP_LAND && holds) || (t->op == OP_LOR && !holds))
    return implies(f, t->kid[0], holds, x, c) || implies(f, t->kid[1], holds, x, c);
  if (x->mode == SHUFFLE_XOR) { /* (LaneId() ^ offset) < Size() */
    if (!holds || t->op != OP_LT || !lane_is_width(f, t->kid[1])) return false;
    const Tree *target = lane_strip(f, t->kid[0]);
    if (target->op != OP_XOR) return false;
    const Tree *p = lane_strip(f, target->kid[0]), *q = lane_strip(f, target->kid[1]);
    if (q->op != OP_REF) { const Tree *swap = p; p = q; q = swap; }
    bool lane = p->op == OP_VECTOR_LANE || (c.first_vector && p->op == OP_VECTOR_THREAD);
    return lane && q->op == OP_REF && q->symbol == x->offset;
  }
  LaneSum said;
  if (!positive_of(f, t, holds, c, &said)) return false;
  for (int i = 0; i < 2; i++) {
    LaneSum needed = {0}; /* positive: Size() - LaneId() - offset, or LaneId() - offset + 1 */
    bool down = x->mode == SHUFFLE_DOWN;
    needed.factor[PART_LANE] = down ? -1 : 1;
    needed.factor[PART_LOOP] = -1;
    if (down) needed.factor[i == 0 ? PART_SIZE : PART_MAX] = 1;
    else needed.constant = 1;
    LaneSum slack = lane_sum_minus(f, needed, said);
    if (lane_sum_is_constant(&slack) && slack.constant >= 0) return true;
  }
  return false;
}

static bool check_guard(const ExchangeSearch *s, const Frame *f, const Tree *loop, const Exchange *x, bool below_max,
                        Refusal *why) {
  const LaneFacts *facts = &s->facts;
  Guards g = {.n = 0};
  LaneContext c = {.loop = x->offset, .first_vector = f->first_vector, .as = PART_LANE};
  path_to(loop->kid[3]->kid[x->statement], x->read, &g);
  if (x->mode == SHUFFLE_XOR && below_max) return true;
  for (int i = 0; i < g.n; i++)
    if (implies(facts, g.condition[i], g.holds[i], x, c)) return true;
  if (x->mode == SHUFFLE_XOR) return exchange_refuse(why, x->read, "the loop's variable is not below MaxSize()");
  if (g.n == 0) return exchange_refuse(why, x->read, "no guard keeps the read inside the vector");
  const Tree *guard = g.condition[g.n - 1];
  if (!f->first_vector && lane_find(facts, guard, OP_VECTOR_THREAD))
    return exchange_refuse(why, guard, "the guard tests ThreadId(), not LaneId(): the exchange crosses vectors");
  return exchange_refuse(why, guard, x->mode == SHUFFLE_DOWN ? "the guard is not LaneId() + offset < Size()"
                                                    : "the guard is not LaneId() >= offset");
}

/* ---- all of it ---- */

/* The one statement of the body that changes the variable; NULL: there are none or several. */
static const Tree *only_change(const Tree *body, const Symbol *v) {
  const Tree *found = NULL;
  for (int i = 0; i < body->nkids; i++) {
    if (!exchange_write(body->kid[i], v)) continue;
    if (found) return NULL;
    found = body->kid[i];
  }
  return found;
}

/* Is it `value op= guard ? read : identity' (or under an `if'), op being the spectrum's operator? What is read may have
 * a name of its own. */
static bool keeps_identity(const ExchangeSearch *s, const Tree *loop, const Exchange *x) {
  OperatorKind said, whole = s->codelet->spectrum->op;
  const Tree *body = loop->kid[3], *read = body->kid[x->statement], *change = only_change(body, x->value);
  const Tree *sums = change ? accumulation(change) : NULL, *added = sums ? operator_accumulated(sums, &said) : NULL;
  if (!added || said != whole) return false;
  bool named = read->op == OP_DECLARE && added->op == OP_REF && added->symbol == read->symbol;
  if (named && !tree_assigns(body, read->symbol)) added = read->kid[0];
  if (added == x->read) return true;
  return added->op == OP_COND && added->kid[1] == x->read && lane_is_identity(&s->facts, added->kid[2], whole);
}

bool exchange_recognise(ExchangeSearch *s, const Tree *loop, const Frame *f, Symbol *array, Exchange *x, Refusal *why) {
  LoopHeader h = {0};
  *x = (Exchange){.loop = loop, .array = array};
  if (!exchange_header(&s->facts, loop, &h, why)) return false;
  x->offset = h.variable;
  if (array->atomic) return exchange_refuse(why, loop, "the array is written atomically");
  if (!find_read(loop, x, why) || !check_store(s, loop, f, x, why) || !check_index(s, f, x, why)) return false;
  if (!check_guard(s, f, loop, x, h.below_max, why)) return false;
  const Tree *between = loop->kid[3];
  for (int i = 0; i < between->nkids; i++) { /* what else the turn does, it does without the array */
    const Tree *t = between->kid[i];
    bool store = t->op == OP_ASSIGN && tree_is_element_of(t->kid[0], array);
    if (i != x->statement && !store && tree_mentions(t, array))
      return exchange_refuse(why, t, "the array is used otherwise in the loop");
  }
  if (!exchange_entry(s, f, x, why)) return false;
  if (f->divider)
    return exchange_refuse(why, f->divider, "a condition around the loop divides the lanes of a vector");
  if (s->facts.ragged) return exchange_refuse(why, s->facts.ragged, "some lanes of a vector may have left by here");
  x->keeps_identity = keeps_identity(s, loop, x);
  return true;
}

/* ---- one read behind an exchange ---- */

/* The value of a declaration or a plain assignment. */
static const Tree *value_given(const Tree *t) {
  if (t->op == OP_DECLARE && t->symbol->kind == SYMBOL_LOCAL && !t->symbol->array && t->nkids) return t->kid[0];
  return t->op == OP_ASSIGN && t->kid[0]->op == OP_REF ? t->kid[1] : NULL;
}

static void find_element(const Tree *t, const Symbol *array, const Tree **read, int *reads) {
  if (tree_is_element_of(t, array)) {
    *read = t;
    ++*reads;
  }
  for (int i = 0; i < t->nkids; i++) find_element(t->kid[i], array, read, reads);
}

/* Does the guard say that the lane `distance' on is one of the vector's? */
static bool stays_within(const LaneFacts *facts, const Tree *guard, bool holds, const Exchange *x, LaneContext c) {
  LaneSum said;
  if (!positive_of(facts, guard, holds, c, &said)) return false;
  for (int i = 0; i < 2; i++) {
    LaneSum needed = {0};
    bool down = x->mode == SHUFFLE_DOWN;
    needed.factor[PART_LANE] = down ? -1 : 1;
    if (down) needed.factor[i == 0 ? PART_SIZE : PART_MAX] = 1;
    needed.constant = (down ? 0 : 1) - x->distance;
    LaneSum slack = lane_sum_minus(facts, needed, said);
    if (lane_sum_is_constant(&slack) && slack.constant >= 0) return true;
  }
  return false;
}

bool exchange_read(ExchangeSearch *s, const Tree *statement, const Frame *f, Exchange *x, Refusal *why) {
  const Tree *value = value_given(statement);
  int reads = 0;
  const Exchange *last = NULL;
  *x = (Exchange){.loop = statement, .statement = -1};
  for (int i = 0; value && i < s->found.n && !reads; i++) {
    last = &s->found.at[s->found.n - 1 - i];
    find_element(value, last->array, &x->read, &reads);
  }
  if (!reads) return false;
  if (reads > 1) return exchange_refuse(why, x->read, "the array is read more than once in the statement");
  x->array = last->array;
  x->value = last->value;
  x->own = last->own;
  LaneSum index = lane_sum(&s->facts, x->read->kid[1], exchange_slots(f, NULL));
  LaneSum d = lane_sum_minus(&s->facts, index, x->own);
  if (!lane_sum_is_constant(&d))
    return exchange_refuse(why, x->read, "the index is not a constant number of lanes away");
  x->mode = d.constant < 0 ? SHUFFLE_UP : SHUFFLE_DOWN;
  x->distance = d.constant < 0 ? -d.constant : d.constant;
  Guards g = {.n = 0};
  LaneContext c = {.first_vector = f->first_vector, .as = PART_LANE};
  path_to(value, x->read, &g);
  bool within = x->distance == 0;
  for (int i = 0; i < g.n && !within; i++)
    within = stays_within(&s->facts, lane_strip(&s->facts, g.condition[i]), g.holds[i], x, c);
  if (!within) return exchange_refuse(why, x->read, "no guard keeps the read inside the vector");
  if (!exchange_entry(s, f, x, why)) return false;
  if (f->divider)
    return exchange_refuse(why, f->divider, "a condition around the read divides the lanes of a vector");
  if (s->facts.ragged) return exchange_refuse(why, s->facts.ragged, "some lanes of a vector may have left by here");
  return true;
}
