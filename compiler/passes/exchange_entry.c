/* exchange_entry.c: what a shared array holds when an exchange begins (the condition that CGO Fig. 4 forgets).
 *
 * Looks back from the loop for what made array[own slot] and the variable the same: a store of the variable to the
 * slot, a load of it from there, or an earlier exchange of both. A guarded load, val = k <= n / MaxSize() ? a[k] : 0,
 * needs a proof that the elements it leaves out are the identity: in CGO Fig. 1(c) they were written by vectors that
 * have no element of the container, or by none. */
#include "passes/exchange.h"

/* The statement before the one at `at`, going out of branches but not of loops; NULL at the end. */
static const Tree *step_back(const Frame **f, int *index) {
  while (*f) {
    if (*index > 0) return (*f)->seq->kid[--*index];
    if ((*f)->repeated) return NULL;
    *f = (*f)->up;
    if (*f) *index = (*f)->index;
  }
  return NULL;
}

static bool own_element(const ExchangeSearch *s, const Frame *f, const Exchange *x, const Tree *t) {
  if (t->op != OP_INDEX || t->kid[0]->op != OP_REF || t->kid[0]->symbol != x->array) return false;
  LaneSum slot = lane_sum(&s->facts, t->kid[1], exchange_slots(f, NULL));
  LaneSum d = lane_sum_minus(&s->facts, slot, x->own);
  return lane_sum_is_constant(&d) && d.constant == 0;
}

/* The value that a statement gives to a local variable, or NULL. */
static const Tree *given(const Tree *t, const Symbol *v) {
  if (t->op == OP_DECLARE && t->symbol == v && t->nkids) return t->kid[0];
  if (t->op == OP_ASSIGN && !t->compound && t->kid[0]->op == OP_REF && t->kid[0]->symbol == v) return t->kid[1];
  return NULL;
}

/* ---- a guarded load ---- */

/* Of the container that the lanes have elements of. */
static bool is_size(const ExchangeSearch *s, const Tree *t) {
  t = lane_strip(&s->facts, t);
  return t->op == OP_SIZE && t->kid[0]->op == OP_REF && t->kid[0]->symbol == s->codelet->params[0];
}
static bool is_max(const LaneFacts *f, const Tree *t) { return lane_strip(f, t)->op == OP_VECTOR_MAX; }

/* in.Size() / MaxSize(), or with coopDim(). */
static bool is_quotient(const ExchangeSearch *s, const Tree *t) {
  const LaneFacts *f = &s->facts;
  t = lane_strip(f, t);
  if (t->op != OP_DIV || !is_max(f, t->kid[1])) return false;
  return is_size(s, t->kid[0]) || lane_strip(f, t->kid[0])->op == OP_COOP_DIM;
}

/* (in.Size() + MaxSize() - 1) / MaxSize(), or coopDim() / MaxSize(). */
static bool is_quotient_up(const ExchangeSearch *x, const Tree *t) {
  const LaneFacts *f = &x->facts;
  t = lane_strip(f, t);
  if (t->op != OP_DIV || !is_max(f, t->kid[1])) return false;
  if (lane_strip(f, t->kid[0])->op == OP_COOP_DIM) return true;
  LaneSum s = lane_sum(f, t->kid[0], (LaneContext){0});
  bool one_size = s.others.n == 1 && is_size(x, s.others.at[0].tree) && s.others.at[0].factor == 1;
  if (!one_size || s.factor[PART_MAX] != 1 || s.constant != -1) return false;
  s.others.n = 0;
  s.factor[PART_MAX] = 0;
  s.constant = 0;
  return lane_sum_is_constant(&s);
}

/* Where the guard fails, k being the lane, is k * MaxSize() >= in.Size()? (Or is k no vector's number?) */
static bool fails_beyond_container(const ExchangeSearch *s, const Tree *guard) {
  guard = lane_strip(&s->facts, guard);
  if (guard->op != OP_LT && guard->op != OP_LE) return false;
  const Tree *k = lane_strip(&s->facts, guard->kid[0]), *limit = guard->kid[1];
  if (k->op != OP_VECTOR_THREAD && k->op != OP_VECTOR_LANE) return false;
  return guard->op == OP_LE ? is_quotient(s, limit) : is_quotient_up(s, limit);
}

/* Is the variable the identity, at statement `index` of `f`, in every lane of each vector without an element of the
 * container? By induction from where it got in[ThreadId()] or the identity; exchanges within a vector keep it so. */
static bool identity_without_elements(const ExchangeSearch *s, const Frame *f, int index, const Symbol *v) {
  const LaneFacts *facts = &s->facts;
  OperatorKind op = s->codelet->spectrum->op;
  for (const Tree *t; (t = step_back(&f, &index));) {
    bool exchanged = false;
    for (int i = 0; i < s->found.n; i++)
      exchanged = exchanged || (s->found.at[i].loop == t && s->found.at[i].value == v && s->found.at[i].keeps_identity);
    if (exchanged) continue;
    const Tree *value = given(t, v);
    if (value && lane_is_identity(facts, value, op)) return true;
    if (value && value->op == OP_COND && value->kid[0]->op == OP_LT && lane_is_identity(facts, value->kid[2], op))
      return lane_strip(facts, value->kid[0]->kid[0])->op == OP_VECTOR_THREAD && is_size(s, value->kid[0]->kid[1]);
    if (value || exchange_write(t, v)) return false;
  }
  return false;
}

/* The only write to the array before the load. */
typedef struct Writer {
  const ExchangeSearch *search;
  const Symbol *array;
  const Tree *load;      /* where to stop */
  bool stopped, several, in_loop;
  const Tree *write;
  bool by_first_lanes, identity;
} Writer;

static bool is_first_lane(const LaneFacts *f, const Tree *t) {
  if (t->op != OP_EQ) return false;
  const Tree *x = lane_strip(f, t->kid[0]), *y = lane_strip(f, t->kid[1]);
  return (x->op == OP_VECTOR_LANE && y->op == OP_INT && y->number == 0) ||
         (y->op == OP_VECTOR_LANE && x->op == OP_INT && x->number == 0);
}

static void find_writer(Writer *w, const Tree *t, const Frame *up, bool first_lane, bool in_loop) {
  if (!t || w->stopped) return;
  if (t == w->load) { w->stopped = true; w->in_loop = w->in_loop || in_loop; return; }
  if (t->op == OP_SEQ) {
    for (int i = 0; i < t->nkids && !w->stopped; i++) {
      Frame here = {.up = up, .seq = t, .index = i, .repeated = in_loop};
      find_writer(w, t->kid[i], &here, first_lane, in_loop);
    }
    return;
  }
  if (t->op == OP_IF || t->op == OP_FOR || t->op == OP_WHILE) {
    bool first = first_lane || (t->op == OP_IF && is_first_lane(&w->search->facts, t->kid[0]));
    for (int i = 1; i < t->nkids; i++)
      if (t->kid[i]) find_writer(w, t->kid[i], up, i == 1 && first, in_loop || t->op != OP_IF);
    return;
  }
  if (!op_is_statement(t->op) || exchange_write(t, w->array) != t) return;
  if (w->write) w->several = true;
  w->write = t;
  w->by_first_lanes = first_lane;
  w->in_loop = in_loop;
  if (t->op == OP_ASSIGN && !t->compound && t->kid[1]->op == OP_REF)
    w->identity = identity_without_elements(w->search, up, up->index, t->kid[1]->symbol);
}

/* Are the elements that the guard leaves out the identity? */
static bool left_out_is_identity(const ExchangeSearch *s, const Exchange *x, const Tree *load, const Tree *guard) {
  if (!fails_beyond_container(s, guard) || s->codelet->spectrum->op == OPERATOR_NONE) return false;
  Writer w = {.search = s, .array = x->array, .load = load};
  find_writer(&w, s->body, NULL, false, false);
  if (!w.stopped || w.several || w.in_loop) return false;
  if (!w.write) return true; /* all of it still is as it began */
  const Tree *place = w.write->kid[0];
  bool by_vectors = place->op == OP_INDEX && lane_strip(&s->facts, place->kid[1])->op == OP_VECTOR_ID;
  return by_vectors && w.by_first_lanes && w.identity;
}

/* ---- the search ---- */

/* Another local variable, of the same type? */
static bool is_copy(const Tree *value, const Symbol *of) {
  return value->op == OP_REF && value->symbol->kind == SYMBOL_LOCAL && !value->symbol->array &&
         value->symbol->type == of->type;
}

bool exchange_entry(ExchangeSearch *s, const Frame *f, const Exchange *x, Refusal *why) {
  static const char *const missing = "on entry the array's slot does not hold the variable";
  int index = f->index;
  const Symbol *v = x->value; /* or, further back, what that was a copy of */
  for (const Tree *t; (t = step_back(&f, &index));) {
    for (int i = 0; i < s->found.n; i++) {
      const Exchange *e = &s->found.at[i];
      if (e->loop != t || e->array != x->array || e->value != v) continue;
      LaneSum d = lane_sum_minus(&s->facts, e->own, x->own);
      if (lane_sum_is_constant(&d) && d.constant == 0) return true;
    }
    bool stores = t->op == OP_ASSIGN && !t->compound && own_element(s, f, x, t->kid[0]);
    if (stores && t->kid[1]->op == OP_REF && t->kid[1]->symbol == v) return true;
    const Tree *value = given(t, v);
    if (value && own_element(s, f, x, value)) return true;
    if (value && value->op == OP_COND && own_element(s, f, x, value->kid[1]) && f->first_vector &&
        lane_is_identity(&s->facts, value->kid[2], s->codelet->spectrum->op)) {
      if (left_out_is_identity(s, x, t, value->kid[0])) return true;
      return exchange_refuse(why, value->kid[0], 
                             "on entry the lanes that the guard leaves out may differ from the array");
    }
    if (value && is_copy(value, v)) {
      v = value->symbol;
      continue;
    }
    const Tree *changed = exchange_write(t, v);
    if (changed || (t->op == OP_DECLARE && t->symbol == v))
      return exchange_refuse(why, changed ? changed : t,
                             "on entry the array's slot does not hold the variable, which is set here and not stored");
    changed = exchange_write(t, x->array);
    if (changed && t != changed)
      return exchange_refuse(why, changed, "the array is not written by every lane before the loop");
    if (changed)
      return exchange_refuse(why, changed, "on entry the array's slot holds what this wrote, not the variable");
  }
  return exchange_refuse(why, x->loop, missing);
}
