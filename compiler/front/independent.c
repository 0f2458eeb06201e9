/* independent.c: which loops may be cut? A part is all of the codelet, with fewer turns of these loops, in their order.
 *
 *     for (j ..) { T run = 0; for (i ..) { run += A(i, j); B(i, j) = run; } }          j
 *     for (j ..) B(0, j) = A(0, j);
 *     for (i = 1 ..) for (j ..) B(i, j) = B(i - 1, j) + A(i, j);                       both loops over j, as one
 *
 * Loops are one *dimension* if their variables are the index of the same dimension of a container that is stored. It
 * can be divided where
 *   - each access of each container that is stored, loads too, is by such a variable, in the same dimension of the
 *     container: so no element belongs to two parts;
 *   - variables that change in such a loop are declared in it: so no value goes from turn to turn;
 *   - none of them stands in another, and none is left early;
 *   - no other loop is work that each part would do again: each loop stands in one of these, or around one.
 * What stands outside of these loops is done by each part: it stores nothing, and comes to the same in each. Any other
 * loop may carry values, and stays a loop of the part. */
#include "front/independent.h"

#include <string.h>

#include "front/loop_sums.h"

/* ---- accesses ---- */

/* An element of a parameter: the loops whose variables are its indices. */
typedef struct Access { int param, by[MOST_RANK]; int64_t shift[MOST_RANK]; const Tree *at; } Access;

typedef struct Search {
  Arena *a;
  Independent *of;
  Divisible *x;               /* its loops */
  VEC(Access) accesses;
  VEC(const Tree *) assigned; /* what is assigned to */
  int within;                 /* the innermost counting loop */
  bool ok;
} Search;

static bool find_uses(void *context, const Tree *t);

static void visit_kids(Search *s, const Tree *t) {
  for (int i = 0; i < t->nkids && s->ok; i++)
    if (t->kid[i]) tree_visit(t->kid[i], find_uses, s);
}

static void note_access(Search *s, const Tree *t, int param) {
  Access access = {.param = param, .at = t};
  for (int d = 0; d < t->nkids - 1; d++) access.by[d] = divisible_loop_shifted(s->x, t->kid[1 + d], &access.shift[d]);
  vec_push(s->a, &s->accesses, access);
  for (int d = 1; d < t->nkids; d++) tree_visit(t->kid[d], find_uses, s);
}

static bool find_uses(void *context, const Tree *t) {
  Search *s = context;
  Divisible *x = s->x;
  s->ok &= !divide_never(t);
  if (!s->ok || t->op == OP_SIZE || t->op == OP_STRIDE) return false;
  if (t->op == OP_ASSIGN) vec_push(s->a, &s->assigned, t->kid[0]);
  LoopHead head;
  if (t->op == OP_FOR && x->nloops < MOST_COUNTING && loops_head(s->a, t, &head)) {
    const int before = s->within;
    x->loop[x->nloops] = (Counting){.at = t, .head = head, .within = before, .dimension = NO_DIMENSION};
    s->within = x->nloops++;
    visit_kids(s, t);
    s->within = before;
    return false;
  }
  if (t->op == OP_REF && t->symbol->rank) s->ok = false; /* of a container nothing but elements */
  const int p = t->op == OP_INDEX && t->kid[0]->op == OP_REF ? divide_place(x->codelet, t->kid[0]->symbol) : -1;
  if (p >= 0) note_access(s, t, p);
  return s->ok && p < 0;
}

/* ---- a loop by itself ---- */

/* The break that leaves it. */
static const Tree *leaves(const Tree *t) {
  if (t->op == OP_BREAK) return t;
  if (t->op == OP_FOR || t->op == OP_WHILE) return NULL;
  const Tree *found = NULL;
  for (int i = 0; i < t->nkids && !found; i++)
    if (t->kid[i]) found = leaves(t->kid[i]);
  return found;
}

typedef struct Ends { const Codelet *codelet; bool ok; } Ends;

/* Numbers, sizes, and elements of what is only read. */
static bool find_end(void *context, const Tree *t) {
  Ends *e = context;
  const int p = t->op == OP_INDEX && t->kid[0]->op == OP_REF ? divide_place(e->codelet, t->kid[0]->symbol) : 0;
  if (t->op == OP_INDEX) e->ok &= p >= 0 && !e->codelet->params[p]->writable;
  if (t->op == OP_REF) e->ok &= !t->symbol->array;
  return e->ok && t->op != OP_SIZE;
}

static bool refuse(Search *s, const Tree *where, const char *why) {
  if (!s->of->why) s->of->why = why, s->of->where = where;
  return false;
}

/* Is each turn of its own, as far as variables go, and the loop's ends? */
static bool keeps_to_turns(Search *s, const Counting *l) {
  Divisible *x = s->x;
  const Tree *body = l->at->kid[3], *left = leaves(body);
  const char *name = l->head.index->name;
  if (left)
    return refuse(s, left, arena_printf(s->a, "the loop over `%s' is left early: later turns depend on this", name));
  for (int i = 0; i < s->assigned.n; i++) {
    const Symbol *of = divide_changed(s->assigned.at[i]);
    if (!tree_holds(body, s->assigned.at[i]) || divide_keeps_to_turn(body, s->assigned.at[i])) continue;
    return refuse(s, s->assigned.at[i],
                  arena_printf(s->a, "`%s' goes from turn to turn of the loop over `%s': if it need not, declare it in "
                               "that loop", of ? of->name : "a value", name));
  }
  Ends e = {x->codelet, true};
  tree_visit(l->head.begin, find_end, &e);
  tree_visit(l->head.end, find_end, &e);
  return e.ok;
}

/* ---- dimensions ---- */

/* By stored container and its dimension: is each access by a loop's variable, each loop's with one shift? Then these
 * loops are one group. */
typedef struct Groups {
  int group[MOST_COUNTING];                       /* of loops: the least of those that it is with */
  int of[MOST_OPERANDS][MOST_RANK];               /* of stored containers; -1: none */
  const Tree *strange[MOST_OPERANDS][MOST_RANK];  /* an access by something else */
} Groups;

static void join(Groups *g, int n, int x, int y) {
  const int from = g->group[x] > g->group[y] ? g->group[x] : g->group[y];
  const int to = g->group[x] < g->group[y] ? g->group[x] : g->group[y];
  for (int i = 0; i < n; i++)
    if (g->group[i] == from) g->group[i] = to;
}

static bool is_stored(const Symbol *s) { return s->rank && s->writable; }

/* The same shift for each access by one loop: which of two dimensions comes first has it. */
static bool shifts_agree(Search *s, int p, int d) {
  Counting before[MOST_COUNTING];
  memcpy(before, s->x->loop, sizeof before);
  for (int i = 0; i < s->accesses.n; i++) {
    const Access *one = &s->accesses.at[i];
    if (one->param != p) continue;
    Counting *l = &s->x->loop[one->by[d]];
    if (l->shifted && l->shift != one->shift[d]) {
      memcpy(s->x->loop, before, sizeof before);
      return false;
    }
    l->shifted = true;
    l->shift = one->shift[d];
  }
  return true;
}

static void group_dimension(Search *s, Groups *g, int p, int d) {
  int first = -1;
  for (int i = 0; i < s->accesses.n; i++) {
    const Access *one = &s->accesses.at[i];
    if (one->param == p && one->by[d] < 0) { g->strange[p][d] = one->at; return; }
    if (one->param == p && first < 0) first = one->by[d];
  }
  if (first < 0) return;
  if (!shifts_agree(s, p, d)) {
    for (int i = 0; i < s->accesses.n; i++)
      if (s->accesses.at[i].param == p && s->accesses.at[i].shift[d]) g->strange[p][d] = s->accesses.at[i].at;
    return;
  }
  for (int i = 0; i < s->accesses.n; i++)
    if (s->accesses.at[i].param == p) join(g, s->x->nloops, first, s->accesses.at[i].by[d]);
  g->of[p][d] = first;
}

static Groups grouped(Search *s) {
  const Codelet *c = s->x->codelet;
  Groups g;
  memset(&g, 0, sizeof g);
  memset(g.of, NO_DIMENSION, sizeof g.of);
  for (int i = 0; i < s->x->nloops; i++) g.group[i] = i;
  for (int p = 0; p < c->nparams; p++)
    for (int d = 0; is_stored(c->params[p]) && d < c->params[p]->rank; d++) group_dimension(s, &g, p, d);
  for (int p = 0; p < c->nparams; p++)
    for (int d = 0; d < MOST_RANK; d++)
      if (g.of[p][d] >= 0) g.of[p][d] = g.group[g.of[p][d]];
  return g;
}

/* The first dimension of the container that the group has; -1. */
static int dimension_in(const Groups *g, int p, int group) {
  for (int d = 0; d < MOST_RANK; d++)
    if (g->of[p][d] == group) return d;
  return -1;
}

static bool stands_in(const Divisible *x, int loop, int other) {
  for (int i = x->loop[loop].within; i >= 0; i = x->loop[i].within)
    if (i == other) return true;
  return false;
}

/* Each container that is stored has the dimension, and declares it to be as long. */
static bool all_have(Search *s, const Groups *g, int group, Dimension *found) {
  const Codelet *c = s->x->codelet;
  *found = (Dimension){.first = group, .cut = true};
  for (int p = 0; p < c->nparams; p++) {
    const Symbol *to = c->params[p];
    if (!is_stored(to)) continue;
    const int d = dimension_in(g, p, group);
    const char *name = s->x->loop[group].head.index->name;
    if (d < 0) {
      const Tree *at = NULL;
      for (int k = 0; k < to->rank && !at; k++) at = g->strange[p][k];
      return refuse(s, at ? at : s->x->loop[group].at,
                    arena_printf(s->a, "another turn of the loop over `%s' may meet the same element of `%s'", name,
                                 to->name));
    }
    if (!found->of) *found = (Dimension){.of = to, .dim = d, .first = group, .cut = true};
    else if (!shape_is_same(to, d, found->of, found->dim))
      return refuse(s, s->x->loop[group].at,
                    arena_printf(s->a, "it is not declared that `%s' is as long as `%s' where `%s' is the index: "
                                 "__shape, or __like", to->name, found->of->name, name));
  }
  return found->of != NULL;
}

typedef struct Outside { const Divisible *x; const Groups *groups; int group; const Tree *found; } Outside;

static bool holds_loop(const Outside *o, const Tree *t) {
  for (int i = 0; i < o->x->nloops; i++)
    if (o->groups->group[i] == o->group && tree_holds(t, o->x->loop[i].at)) return true;
  return false;
}

/* A loop that stands in none of the group's, and around none. */
static bool find_outside(void *context, const Tree *t) {
  Outside *o = context;
  if (t->op != OP_FOR && t->op != OP_WHILE) return !o->found;
  for (int i = 0; i < o->x->nloops; i++)
    if (o->groups->group[i] == o->group && o->x->loop[i].at == t) return false;
  if (!holds_loop(o, t)) o->found = t;
  return !o->found;
}

static bool can_divide(Search *s, const Groups *g, int group, Dimension *found) {
  Divisible *x = s->x;
  for (int i = 0; i < x->nloops; i++)
    for (int k = 0; k < x->nloops && g->group[i] == group; k++)
      if (g->group[k] == group && stands_in(x, i, k))
        return refuse(s, x->loop[i].at, "two loops, one in the other, index the same dimension");
  for (int i = 0; i < x->nloops; i++)
    if (g->group[i] == group && !keeps_to_turns(s, &x->loop[i])) return false;
  Outside o = {x, g, group, NULL};
  tree_visit(x->body, find_outside, &o);
  if (o.found) return refuse(s, o.found, "each part would do this loop again: a spectrum of its own, in steps");
  return all_have(s, g, group, found);
}

/* ---- what goes with them ---- */

static void note_whole(Divisible *x, Counting *l, const Dimension *d) {
  int64_t begin;
  const bool down = l->head.step < 0; /* from size - 1, while > -1 */
  const Tree *first = down ? l->head.end : l->head.begin, *last = down ? l->head.begin : l->head.end;
  if (l->shift || (l->head.step != 1 && l->head.step != -1)) return;
  first = tree_uncast(first);
  if (!tree_constant(first, &begin) || begin != (down ? -1 : 0)) return;
  int64_t less = 0;
  if (down && (last->op == OP_SUB || last->op == OP_ADD) && tree_constant(last->kid[1], &less)) {
    if (last->op == OP_ADD) less = -less;
    last = last->kid[0];
  }
  last = tree_uncast(last);
  l->all = less == down && last->op == OP_SIZE && last->kid[0]->op == OP_REF &&
           divide_place(x->codelet, last->kid[0]->symbol) >= 0 &&
           shape_is_same(last->kid[0]->symbol, last->dimension, d->of, d->dim);
}

/* Others are cut where each of their accesses has the variable of such a loop, and they are as long. */
static void find_cuts(Search *s, const Groups *g) {
  Divisible *x = s->x;
  const Codelet *c = x->codelet;
  for (int p = 0; p < c->nparams; p++)
    for (int d = 0; d < c->params[p]->rank; d++) {
      int of = NO_DIMENSION;
      bool ok = true;
      for (int i = 0; i < s->accesses.n && ok; i++) {
        const Access *one = &s->accesses.at[i];
        if (one->param != p) continue;
        const Counting *l = one->by[d] >= 0 ? &x->loop[one->by[d]] : NULL;
        ok = l && l->dimension >= 0 && l->shift == one->shift[d] && (of < 0 || of == l->dimension);
        if (ok) of = l->dimension;
      }
      const Dimension *found = &x->dimension[ok && of >= 0 ? of : 0];
      if (!ok || of < 0 || !shape_is_same(c->params[p], d, found->of, found->dim)) of = NO_DIMENSION;
      if (of >= 0 && is_stored(c->params[p]) && dimension_in(g, p, x->dimension[of].first) != d) of = NO_DIMENSION;
      x->of[p][d] = of;
    }
  for (int p = 0; p < c->nparams; p++) /* a diagonal */
    for (int d = 0; d < c->params[p]->rank && !is_stored(c->params[p]); d++)
      for (int k = d + 1; k < c->params[p]->rank; k++)
        if (x->of[p][d] >= 0 && x->of[p][k] == x->of[p][d]) x->of[p][d] = x->of[p][k] = NO_DIMENSION;
}

static bool can_have_parts(const Codelet *c) {
  bool stored = false;
  for (int i = 0; i < c->nparams; i++) {
    const Symbol *s = c->params[i];
    if (s->atomic || s->counter || (s->writable && !s->rank)) return false;
    stored |= is_stored(s);
  }
  return stored && c->body && !c->nenv && !c->matrix && !c->native && !c->elements && !c->coop_declared &&
         !c->tunables.n && c->spectrum->result == TYPE_VOID;
}

/* Nothing can be divided, since nothing is stored by loops' variables. */
static void explain(Search *s, const Groups *g) {
  const Codelet *c = s->x->codelet;
  for (int p = 0; p < c->nparams && s->x->nloops; p++)
    for (int d = 0; d < c->params[p]->rank && is_stored(c->params[p]); d++)
      if (g->strange[p][d])
        refuse(s, g->strange[p][d],
               arena_printf(s->a, "turns may meet the same element of `%s': in some dimension each access needs one "
                            "loop's variable as its index", c->params[p]->name));
}

bool independent_find(Arena *a, const Codelet *c, Independent *of) {
  Divisible *x = &of->loops;
  *of = (Independent){.loops = {.codelet = c}};
  memset(x->of, NO_DIMENSION, sizeof x->of);
  if (!can_have_parts(c)) return false;
  x->body = loops_sized(a, c);
  Search s = {.a = a, .of = of, .x = x, .within = -1, .ok = true};
  tree_visit(x->body, find_uses, &s);
  if (!s.ok) return false;
  const Groups g = grouped(&s);
  for (int i = 0; i < x->nloops; i++) {
    Dimension *d = &x->dimension[x->ndimensions];
    bool any = false;
    for (int p = 0; p < c->nparams && g.group[i] == i; p++) any |= dimension_in(&g, p, i) >= 0;
    if (!any || !can_divide(&s, &g, i, d)) continue;
    for (int k = 0; k < x->nloops; k++) {
      if (g.group[k] != i) continue;
      x->loop[k].dimension = x->ndimensions;
      note_whole(x, &x->loop[k], d);
    }
    if (++x->ndimensions == MOST_RANK) break;
  }
  if (x->ndimensions) find_cuts(&s, &g);
  else explain(&s, &g);
  return x->ndimensions > 0;
}
