/* roles.c: walks the codelets of a spectrum, and of those that they call, for what they do with their containers. */
#include "ir/roles.h"
#include "ir/build.h"

enum { DEEPEST = 8 }; /* calls in calls */

/* A variable whose value is made of an element of the operand `from', and what positions that is. */
typedef struct Loaded { const Symbol *variable; const Tree *value; int from; Reach reach; } Loaded;

/* The variable of a loop between constants. */
typedef struct Counter { const Symbol *variable; int64_t first, last; } Counter;

/* What positions in a container are: below the size of this operand (-1: not known), or, where each of its words is of
 * `each' of that operand's elements, such positions divided by `each'. */
typedef struct Room { int operand; int64_t each; } Room;

/* What stands for a codelet's parameter: one of the spectrum's operands, whole or a part of it; -1: none. */
typedef struct Walk {
  Arena *a;
  const Signature *signature;
  OperandRole *roles;
  const Codelet *codelet;
  const int *operand;  /* by parameter */
  const Room *like;    /* .. of one that is none, an operand of as many elements */
  const bool *whole;   /* is it all of that operand? */
  int depth;
  VEC(Loaded) loaded;
  VEC(Counter) counters;
  VEC(int) asked;      /* operands whose elements the conditions around this tree ask about */
} Walk;

static void walk(Walk *w, const Tree *t);

/* ---- containers ---- */

/* A sequence or a map by name stands for what it was declared as. */
static const Tree *meant(const Tree *t) {
  if (t->op != OP_REF) return t;
  bool named = t->symbol->kind == SYMBOL_SEQUENCE || t->symbol->kind == SYMBOL_MAP;
  return named && t->symbol->init ? t->symbol->init : t;
}

static int parameter(const Walk *w, const Symbol *s) {
  for (int i = 0; i < w->codelet->nparams; i++)
    if (w->codelet->params[i] == s) return i;
  return -1;
}

/* The operand that a view is made of; of gathered elements the positions, since there are as many, or, where these are
 * no operand, what they are gathered from. *whole: is it all of that? */
static int container(const Walk *w, const Tree *t, bool *whole) {
  t = meant(t);
  *whole = false;
  switch (t->op) {
    case OP_REF: {
      int p = t->symbol->rank ? parameter(w, t->symbol) : -1;
      if (p >= 0) *whole = w->whole[p];
      return p >= 0 ? w->operand[p] : -1;
    }
    case OP_PARTITION: case OP_PARTS: case OP_BOX: case OP_ROWS: case OP_COLUMNS: case OP_ZIP: {
      int found = t->nkids ? container(w, t->kid[0], whole) : -1;
      if (t->op != OP_ZIP) *whole = false;
      return found;
    }
    default: {
      const ViewRow *view = op_view(t->op);
      int found = view && view->of >= 0 && view->of < t->nkids ? container(w, t->kid[view->of], whole) : -1;
      if (view && !view->whole) *whole = false;
      if (found >= 0 || t->op != OP_GATHER) return found;
      const int gathered = container(w, t->kid[0], whole);
      *whole = false;
      return gathered;
    }
  }
}

/* (size + each - 1) / each: so many words hold the elements. Gives the size; NULL: it is no such quotient. */
static const Tree *in_words(const Tree *length, int64_t *each) {
  int64_t more;
  if (length->op != OP_DIV || !tree_constant(length->kid[1], each)) return NULL;
  const Tree *sum = tree_uncast(length->kid[0]);
  const bool rounds_up = sum->op == OP_ADD && tree_constant(sum->kid[1], &more) && more == *each - 1;
  return rounds_up ? sum->kid[0] : NULL;
}

/* Of the operand that a container is, or of one of as many elements. */
static Room room_of(const Walk *w, const Tree *t) {
  const Room none = {-1, 1};
  bool whole;
  const int found = container(w, t, &whole);
  if (found >= 0 || t->op != OP_REF || !t->symbol->rank) return (Room){found, 1};
  const int p = parameter(w, t->symbol);
  if (p >= 0) return w->like[p];
  const Tree *length = tree_uncast(t->symbol->kind == SYMBOL_LOCAL ? t->symbol->length : NULL);
  int64_t each = 1;
  const Tree *all = tree_uncast(length ? in_words(length, &each) : NULL);
  if (!all) each = 1;
  else length = all;
  if (!length || length->op != OP_SIZE || length->dimension != 0) return none;
  const Room of = room_of(w, length->kid[0]);
  return of.each == 1 ? (Room){of.operand, each} : none;
}

/* What positions in a container are below the size of; -1: not known. */
static int room(const Walk *w, const Tree *t) {
  const Room of = room_of(w, t);
  return of.each == 1 ? of.operand : -1;
}

static bool holds_integers(const Operand *x) {
  Type t = x->symbol->type;
  return t == TYPE_INT || t == TYPE_UINT || t == TYPE_LONG || t == TYPE_ULONG || t == TYPE_INDEX || t == TYPE_ELEM ||
         t == TYPE_STORED;
}

/* The first thing that is found of an operand stays, but offsets are more than places, and these than indices. What is
 * written, too, and read before, has indices at most: of itself, as parents are those of parents. */
static void note_role(Walk *w, int operand, Role role, int of, int dimension) {
  if (operand < 0 || of < 0 || (operand == of && role != ROLE_INDICES)) return;
  const Operand *x = &w->signature->at[operand];
  OperandRole *r = &w->roles[operand];
  static const int more[] = {[ROLE_DATA] = 0, [ROLE_INDICES] = 1, [ROLE_LENGTHS] = 1, [ROLE_ENDS] = 1,
                             [ROLE_PLACES] = 2, [ROLE_OFFSETS] = 3, [ROLE_QUEUE] = 4, [ROLE_COUNTER] = 4};
  if (x->kind != OPERAND_ARRAY || !holds_integers(x)) return;
  if (x->written && (role != ROLE_INDICES || !x->read)) return;
  if (more[role] <= more[r->role] && role != ROLE_OFFSETS) return;
  r->role = role;
  r->of = of;
  const int rank = operand_rank(&w->signature->at[of]);
  r->dimension = dimension < 0 ? rank - 1 : dimension; /* of a line: mostly a row */
}

/* ---- elements as positions ---- */

typedef struct Mention { const Walk *walk; int operand; } Mention;

static bool mentions_element(void *context, const Tree *t) {
  Mention *m = context;
  bool whole;
  if (t->op == OP_INDEX && m->operand < 0) m->operand = container(m->walk, t->kid[0], &whole);
  for (int i = 0; i < m->walk->loaded.n && t->op == OP_REF && m->operand < 0; i++)
    if (m->walk->loaded.at[i].variable == t->symbol) m->operand = m->walk->loaded.at[i].from;
  return m->operand < 0;
}

/* The operand whose element takes part in a value; -1: none does. */
static int element_in(const Walk *w, const Tree *value) {
  Mention m = {w, -1};
  tree_visit(value, mentions_element, &m);
  return m.operand;
}

/* What an element has to be that is a position in this container. */
static Role role_in(const Tree *c) {
  return c->op == OP_REF && c->symbol->atomic == ATOMIC_ONCE ? ROLE_PLACES : ROLE_INDICES;
}

/* A number between constants, which loops count between. */
static bool between(const Walk *w, const Tree *t, int64_t *low, int64_t *high) {
  t = tree_uncast(t);
  for (int i = w->counters.n - 1; i >= 0 && t->op == OP_REF; i--)
    if (w->counters.at[i].variable == t->symbol) {
      *low = w->counters.at[i].first;
      *high = w->counters.at[i].last;
      return true;
    }
  if (!tree_constant(t, low)) return false;
  *high = *low;
  return true;
}

enum { FARTHEST = 1 << 20 }; /* more is no neighbour */

/* Which positions a value is that is made of one element; .every 0: more is done with it than is known here. */
static Reach reach_of(const Walk *w, const Tree *t) {
  const Reach none = {0};
  int64_t low, high;
  switch (t->op) {
    case OP_CAST: return reach_of(w, t->kid[0]);
    case OP_INDEX: return (Reach){1, 0, 0};
    case OP_REF:
      for (int i = w->loaded.n - 1; i >= 0; i--)
        if (w->loaded.at[i].variable == t->symbol) return w->loaded.at[i].reach;
      return none;
    case OP_ADD: case OP_SUB: case OP_MUL: {
      const bool right = between(w, t->kid[1], &low, &high);
      if (!right && (t->op == OP_SUB || !between(w, t->kid[0], &low, &high))) return none;
      const Reach of = reach_of(w, t->kid[right ? 0 : 1]);
      if (!of.every || low < -FARTHEST || high > FARTHEST || of.every > FARTHEST) return none;
      if (t->op == OP_ADD) return (Reach){of.every, of.low + low, of.high + high};
      if (t->op == OP_SUB) return (Reach){of.every, of.low - high, of.high - low};
      return low == high && low > 0 ? (Reach){of.every * low, of.low * low, of.high * low} : none;
    }
    default: return none;
  }
}

/* An element as it is, by the variable that it was loaded to, or by itself. */
static bool is_element(const Walk *w, const Tree *t) {
  const Reach r = reach_of(w, t);
  return r.every == 1 && r.low == 0 && r.high == 0;
}

/* Also these positions: all of them have to be in the container. */
static void note_reach(Walk *w, int operand, int of, int dimension, Reach reach) {
  OperandRole *r = &w->roles[operand];
  const Signature *s = w->signature;
  OperandRole other = {.of = of, .dimension = dimension < 0 ? operand_rank(&s->at[of]) - 1 : dimension};
  if (r->role != ROLE_INDICES && r->role != ROLE_PLACES) return;
  if (r->of != of && role_into(s, r) != role_into(s, &other) && s->at[r->of].size[0] != s->at[of].size[0]) return;
  for (int i = 0; i < w->asked.n; i++)
    if (w->asked.at[i] == operand) reach.every = 0;
  if (!reach.every) reach = (Reach){1, 0, 0};
  if (!r->reach.every) r->reach = reach;
  if (reach.every > r->reach.every) r->reach.every = reach.every;
  if (reach.low < r->reach.low) r->reach.low = reach.low;
  if (reach.high > r->reach.high) r->reach.high = reach.high;
}

/* The element whose word that is: e / each, e >> its logarithm; NULL: it is none. */
static const Tree *element_of_word(const Tree *position, int64_t each) {
  int64_t by;
  position = tree_uncast(position);
  if (each == 1) return position;
  if (position->nkids != 2 || !tree_constant(position->kid[1], &by)) return NULL;
  const bool shifts = position->op == OP_SHR && by >= 0 && by < 32 && INT64_C(1) << by == each;
  return shifts || (position->op == OP_DIV && by == each) ? position->kid[0] : NULL;
}

/* A position in the container, by an element. */
static void note_index(Walk *w, const Tree *position, const Tree *of, int dimension) {
  const Room r = room_of(w, of);
  position = element_of_word(position, r.each);
  if (!position) return;
  const int operand = element_in(w, position), into = r.operand;
  const bool strict = operand >= 0 && (operand == into || w->signature->at[operand].written);
  if (operand < 0 || into < 0 || (strict && !is_element(w, position))) return;
  note_role(w, operand, role_in(of), into, dimension);
  note_reach(w, operand, into, dimension, reach_of(w, position));
}

static void note_variable(Walk *w, const Symbol *s, const Tree *value) {
  int from = s->rank || s->kind == SYMBOL_MAP || s->kind == SYMBOL_SEQUENCE ? -1 : element_in(w, value);
  if (from >= 0) vec_push(w->a, &w->loaded, ((Loaded){s, value, from, reach_of(w, value)}));
}

/* What a variable was given. */
static const Tree *value_of(const Walk *w, const Tree *t) {
  t = tree_uncast(t);
  for (int i = w->loaded.n - 1; i >= 0 && t->op == OP_REF; i--)
    if (w->loaded.at[i].variable == t->symbol) return w->loaded.at[i].value;
  return t;
}

/* ---- sizes ---- */

/* The size operand that an expression is: a size of a whole container, or a number of the caller's; -1: none. */
static int size_operand(const Walk *w, const Tree *t) {
  t = tree_uncast(t);
  if (t->op == OP_SIZE) {
    bool whole;
    int array = container(w, t->kid[0], &whole);
    if (array < 0 || !whole) return -1;
    const Operand *x = &w->signature->at[array];
    return t->dimension >= 0 && t->dimension < MOST_SIZES ? x->size[t->dimension] : -1;
  }
  if (t->op != OP_REF) return -1;
  int p = parameter(w, t->symbol);
  bool is_size = p >= 0 && !t->symbol->rank && w->operand[p] >= 0 &&
                 w->signature->at[w->operand[p]].kind == OPERAND_SIZE;
  if (is_size) return w->operand[p];
  const Tree *value = p < 0 ? tree_declared(w->codelet->body, t->symbol) : NULL; /* const Index s = out.Size(); */
  return value && !tree_assigns(w->codelet->body, t->symbol) ? size_operand(w, value) : -1;
}

static bool depends_on(const Walk *w, int size, int on) {
  const OperandRole *r = &w->roles[size];
  if (size == on) return true;
  for (int i = 0; i < 2 && r->rule.said; i++)
    if (r->rule.factor[i] >= 0 && depends_on(w, r->rule.factor[i], on)) return true;
  return r->rule.said && r->rule.more && depends_on(w, r->rule.addend, on);
}

/* It is x * y + plus; y -1: x + plus. What `__shape' says is known before, and stays. */
static void note_rule(Walk *w, int size, int x, int y, int64_t plus) {
  OperandRole *r = &w->roles[size];
  if (size < 0 || x < 0 || r->rule.said || depends_on(w, x, size)) return;
  if (y >= 0 && (depends_on(w, y, size) || x == y)) return;
  r->rule = (SizeRule){true, 1, plus, {x, y}, 0, -1};
}

/* partition(in, parts, sequence(0, size, ..), ..), all parts being as many as results that are stored. */
static void note_equal_parts(Walk *w, int array, int parts, const Tree *start) {
  int64_t first;
  int step = start->nkids == 3 ? size_operand(w, start->kid[1]) : -1;
  int all = w->signature->at[array].size[0];
  if (step < 0 || parts < 0 || all < 0 || w->signature->at[array].size[1] >= 0) return;
  if (tree_constant(start->kid[0], &first) && first == 0) note_rule(w, all, step, parts, 0);
}

/* sequence(off, 0, 1, ..) in a partition into `parts'. */
static void note_offsets(Walk *w, int array, int parts, const Tree *sequence) {
  bool whole;
  int offsets = container(w, sequence->kid[0], &whole);
  if (offsets < 0 || array < 0) return;
  note_role(w, offsets, ROLE_OFFSETS, array, 0);
  if (whole && parts >= 0 && w->roles[offsets].role == ROLE_OFFSETS)
    note_rule(w, w->signature->at[offsets].size[0], parts, -1, 1);
}

static void note_partition(Walk *w, const Tree *t) {
  bool whole;
  int array = container(w, t->kid[0], &whole), parts = size_operand(w, t->kid[1]);
  for (int i = 2; i < t->nkids; i++) {
    const Tree *sequence = meant(t->kid[i]);
    if (sequence->op != OP_SEQUENCE) continue;
    if (sequence->nkids == 4) note_offsets(w, array, parts, sequence);
    else if (i == 2 && array >= 0 && whole) note_equal_parts(w, array, parts, sequence);
  }
}

/* ---- calls ---- */

/* What is passed to another spectrum, in its codelets. The spectrum's own are walked anyway. */
static void walk_called(Walk *w, const Tree *t) {
  const Spectrum *s = t->spectrum;
  if (!s || s == w->codelet->spectrum || w->depth == DEEPEST) return;
  int n = t->nkids;
  int *operand = arena_many(w->a, int, n + 1);
  Room *like = arena_many(w->a, Room, n + 1);
  bool *whole = arena_many(w->a, bool, n + 1);
  for (int i = 0; i < n; i++) {
    const Tree *x = meant(t->kid[i]);
    operand[i] = container(w, x, &whole[i]);
    like[i] = room_of(w, x);
    if (operand[i] < 0) operand[i] = size_operand(w, x);
  }
  for (int i = 0; i < s->ncodelets; i++) {
    if (s->codelets[i]->nparams != n) continue;
    Walk inner = {.a = w->a, .signature = w->signature, .roles = w->roles, .codelet = s->codelets[i],
                  .operand = operand, .like = like, .whole = whole, .depth = w->depth + 1};
    walk(&inner, s->codelets[i]->body);
  }
}

/* ---- trees ---- */

/* The container whose size is in it. */
static int size_in(const Walk *w, const Tree *t) {
  bool whole;
  int found = t->op == OP_SIZE ? container(w, t->kid[0], &whole) : -1;
  for (int i = 0; i < t->nkids && found < 0; i++) found = size_in(w, t->kid[i]);
  return found;
}

/* The container that has an element at this variable's position, in a tree: an operand, or -1. */
typedef struct Indexed { const Walk *walk; const Symbol *by; int operand; } Indexed;

static bool find_indexed(void *context, const Tree *t) {
  Indexed *x = context;
  for (int i = 1; t->op == OP_INDEX && t->nkids == 2 && i < t->nkids && x->operand < 0; i++) {
    const Tree *position = tree_uncast(t->kid[i]);
    if (position->op == OP_REF && position->symbol == x->by) x->operand = room(x->walk, t->kid[0]);
  }
  return x->operand < 0;
}

/* The position after that one: off[v], off[v + 1]. */
static bool is_next(const Tree *first, const Tree *second) {
  int64_t one;
  first = tree_uncast(first);
  second = tree_uncast(second);
  if (first->op != OP_INDEX || second->op != OP_INDEX || first->nkids != 2 || second->nkids != 2) return false;
  const Tree *next = second->kid[1], *at = first->kid[1];
  next = tree_uncast(next);
  at = tree_uncast(at);
  return next->op == OP_ADD && tree_constant(next->kid[1], &one) && one == 1 && tree_equal(next->kid[0], at);
}

/* x of max(x, 0). */
static const Tree *from_zero(const Tree *t) {
  t = tree_uncast(t);
  return t->op == OP_MAX && build_is(t->kid[1], 0) ? t->kid[0] : t;
}

/* for (e = off[v]; e < min(off[v + 1], columns.Size()); ..); for (e = off[v]; e < off[v + 1]; ..) .. columns[e] ..;
 * max(off[v], 0) in place of off[v] */
static void note_run(Walk *w, const Tree *loop) {
  const Tree *first = loop->kid[0], *condition = loop->kid[1];
  if (!first || first->op != OP_DECLARE || !first->nkids || !condition || condition->op != OP_LT) return;
  const int offsets = element_in(w, first->kid[0]);
  const Tree *end = tree_uncast(condition->kid[1]);
  if (offsets < 0 || element_in(w, end) != offsets) return;
  if (end->op == OP_MIN) {
    note_role(w, offsets, ROLE_OFFSETS, size_in(w, end), 0);
    return;
  }
  Indexed x = {w, first->symbol, -1};
  if (is_next(value_of(w, from_zero(first->kid[0])), value_of(w, end))) tree_visit(loop->kid[3], find_indexed, &x);
  if (x.operand < 0 || w->signature->at[x.operand].size[1] >= 0) return;
  note_role(w, offsets, ROLE_OFFSETS, x.operand, 0);
  w->roles[offsets].within |= w->roles[offsets].role == ROLE_OFFSETS;
}

/* The element that a value is: in[i], by a variable too; NULL: it is none. */
static const Tree *element_of(const Walk *w, const Tree *t) {
  t = value_of(w, t);
  t = tree_uncast(t);
  return t->op == OP_INDEX && t->nkids == 2 ? t : NULL;
}

/* Elements of two arrays at the same position. */
static bool side_by_side(const Tree *x, const Tree *y) {
  if (!x || !y) return false;
  const Tree *i = x->kid[1], *k = y->kid[1];
  i = tree_uncast(i);
  k = tree_uncast(k);
  return tree_equal(i, k) && !tree_equal(x->kid[0], y->kid[0]);
}

/* One of a sum's two sides is an element beside that one: gives it, and *other: the other side. NULL: neither is. */
static const Tree *element_beside(const Walk *w, const Tree *sum, const Tree *beside, const Tree **other) {
  sum = tree_uncast(sum);
  for (int i = 0; i < 2 && sum->op == OP_ADD; i++) {
    const Tree *found = element_of(w, sum->kid[i]);
    *other = sum->kid[1 - i];
    *other = tree_uncast(*other);
    if (side_by_side(found, beside)) return found;
  }
  return NULL;
}

/* in[starts[i] + k], of a loop over k below an element beside starts[i]. */
typedef struct Begun { const Walk *walk; const Symbol *by; const Tree *length, *start; int into; } Begun;

static bool find_begun(void *context, const Tree *t) {
  Begun *b = context;
  const Tree *other;
  if (b->start || t->op != OP_INDEX || t->nkids != 2) return !b->start;
  const Tree *start = element_beside(b->walk, value_of(b->walk, t->kid[1]), b->length, &other);
  if (start && other->op == OP_REF && other->symbol == b->by) {
    b->start = start;
    b->into = room(b->walk, t->kid[0]);
  }
  return !b->start;
}

static void note_begun(Walk *w, const Tree *start, const Tree *with, Role role, int into) {
  bool whole;
  const int starts = container(w, start->kid[0], &whole), others = container(w, with->kid[0], &whole);
  if (starts < 0 || others < 0 || into < 0 || w->signature->at[into].size[1] >= 0) return;
  note_role(w, starts, ROLE_INDICES, into, 0);
  note_reach(w, starts, into, 0, (Reach){1, 0, 0});
  if (w->roles[starts].role == ROLE_INDICES) note_role(w, others, role, starts, 0);
}

/* Runs that two arrays give: for (k = 0; k < lengths[i]; ..) in[starts[i] + k]; for (e = starts[i];
 * e < starts[i] + lengths[i]; ..) in[e]; for (e = starts[i]; e < ends[i]; ..) in[e] */
static void note_given_run(Walk *w, const Tree *loop) {
  const Tree *first = loop->kid[0], *condition = loop->kid[1], *other;
  int64_t from;
  if (!first || first->op != OP_DECLARE || !first->nkids || !condition || condition->op != OP_LT) return;
  const Tree *end = condition->kid[1], *limit = element_of(w, end), *start = element_of(w, first->kid[0]);
  if (limit && tree_constant(first->kid[0], &from) && from == 0) {
    Begun b = {w, first->symbol, limit, NULL, -1};
    tree_visit(loop->kid[3], find_begun, &b);
    if (b.start) note_begun(w, b.start, limit, ROLE_LENGTHS, b.into);
    return;
  }
  const Tree *length = start && !limit ? element_beside(w, value_of(w, end), start, &other) : NULL;
  if (length) {
    const Tree *again = element_of(w, other);
    if (!again || !tree_equal(again, start)) return;
  } else if (!side_by_side(start, limit)) return;
  Indexed x = {w, first->symbol, -1};
  tree_visit(loop->kid[3], find_indexed, &x);
  note_begun(w, start, length ? length : limit, length ? ROLE_LENGTHS : ROLE_ENDS, x.operand);
}

/* for (k = -1; k <= 1; ++k) */
static void note_counter(Walk *w, const Tree *loop) {
  const Tree *first = loop->kid[0], *condition = loop->kid[1];
  int64_t from, to;
  if (!first || first->op != OP_DECLARE || !first->nkids || !tree_constant(first->kid[0], &from) || !condition) return;
  if ((condition->op != OP_LT && condition->op != OP_LE) || !tree_constant(condition->kid[1], &to)) return;
  const Tree *counted = tree_uncast(condition->kid[0]);
  if (counted->op != OP_REF || counted->symbol != first->symbol) return;
  vec_push(w->a, &w->counters, ((Counter){first->symbol, from, to - (condition->op == OP_LT)}));
}

static void look_at(Walk *w, const Tree *t) {
  bool whole;
  switch (t->op) {
    case OP_INDEX:
      for (int d = 0; d < t->nkids - 1; d++)
        note_index(w, t->kid[1 + d], t->kid[0], t->nkids > 2 ? d : -1);
      break;
    case OP_GATHER:
      note_role(w, container(w, t->kid[1], &whole), ROLE_INDICES, room(w, t->kid[0]), -1);
      break;
    case OP_FOR:
      note_counter(w, t);
      note_run(w, t);
      note_given_run(w, t);
      break;
    case OP_PARTITION: note_partition(w, t); break;
    case OP_CALL: case OP_MAP: walk_called(w, t); break;
    case OP_DECLARE:
      if (t->nkids) note_variable(w, t->symbol, t->kid[0]);
      if (t->symbol->init) walk(w, t->symbol->init);
      break;
    case OP_ASSIGN:
      if (t->kid[0]->op == OP_REF) note_variable(w, t->kid[0]->symbol, t->kid[1]);
      break;
    default: break;
  }
}

/* What is reached under a condition that asks about an element is not reached by every element. */
static bool ask(void *context, const Tree *t) {
  Walk *w = context;
  const bool element = t->op == OP_INDEX || t->op == OP_REF;
  const int operand = element ? element_in(w, t) : -1;
  if (operand >= 0) vec_push(w->a, &w->asked, operand);
  return true;
}

static void walk(Walk *w, const Tree *t) {
  if (!t) return;
  look_at(w, t);
  const int asked = w->asked.n;
  const bool first = t->op == OP_IF || t->op == OP_COND || t->op == OP_WHILE || t->op == OP_LAND || t->op == OP_LOR;
  for (int i = 0; i < t->nkids; i++) {
    walk(w, t->kid[i]);
    if (first && i == 0) tree_visit(t->kid[0], ask, w);
  }
  w->asked.n = asked;
}

int role_into(const Signature *s, const OperandRole *r) {
  if (r->of < 0 || operand_rank(&s->at[r->of]) < 2) return r->of;
  return s->at[r->of].size[r->dimension];
}

static void note_queues(const Signature *s, OperandRole *roles) {
  for (int i = 0; i < s->n; i++) {
    const Symbol *queue = s->at[i].kind == OPERAND_ARRAY ? s->at[i].param : NULL;
    const Operand *counter = queue && queue->counter ? signature_operand(s, queue->counter, -1) : NULL;
    if (!counter) continue;
    const int k = (int)(counter - s->at);
    roles[i] = (OperandRole){.role = ROLE_QUEUE, .of = k, .rule = roles[i].rule};
    roles[k] = (OperandRole){.role = ROLE_COUNTER, .of = i, .rule = roles[k].rule};
  }
}

OperandRole *roles_of(Arena *a, const Spectrum *s, const Signature *signature) {
  OperandRole *roles = arena_many(a, OperandRole, signature->n + 1);
  for (int i = 0; i < signature->n; i++) {
    const Operand *x = &signature->at[i];
    roles[i] = (OperandRole){.of = -1, .rule = x->kind == OPERAND_SIZE && x->rule.said ? x->rule
                                               : (SizeRule){.factor = {-1, -1}, .addend = -1}};
  }
  const Codelet *declared = s->codelets[0];
  note_queues(signature, roles);
  for (int i = 0; i < s->ncodelets; i++) {
    const Codelet *c = s->codelets[i];
    int *operand = arena_many(a, int, c->nparams + 1);
    Room *like = arena_many(a, Room, c->nparams + 1);
    bool *whole = arena_many(a, bool, c->nparams + 1);
    for (int p = 0; p < c->nparams && p < declared->nparams; p++) {
      const Symbol *param = declared->params[p];
      const Operand *x = signature_operand(signature, param, -1);
      operand[p] = x ? (int)(x - signature->at) : -1;
      like[p] = (Room){operand[p], 1};
      whole[p] = true;
    }
    Walk w = {.a = a, .signature = signature, .roles = roles, .codelet = c, .operand = operand, .like = like,
              .whole = whole};
    walk(&w, c->body);
  }
  return roles;
}
