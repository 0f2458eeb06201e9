/* stencil.c: loops that store each element of containers once, of what lies around it in others:
 *
 *     for (i = 1; i + 1 < A.Size(0); ++i)
 *       for (j = 1; j + 1 < A.Size(1); ++j)
 *         B(i, j) = A(i - 1, j) + A(i + 1, j) + ..;
 *
 * Each index is a loop's variable, and how far that is from it is known: a constant, or a variable of a loop inside,
 * whose bounds are constants and sizes. Of a container that is cut nothing is read that nobody is sure it has. No turn
 * may know of another, or of where it is: whoever asks that is cut by positions (stores.c). */
#include "front/stencil.h"

#include "front/divide.h"
#include "front/loops.h"

/* ---- places ---- */

const StencilLoop *stencil_inner(const Stencil *x, const Symbol *index) {
  for (int i = 0; i < x->ninner; i++)
    if (x->inner[i].index == index) return &x->inner[i];
  return NULL;
}

static int own_loop(const Stencil *x, const Symbol *index) {
  for (int i = 0; i < x->nown; i++)
    if (x->own[i].index == index) return i;
  return NO_LOOP;
}

static Size scaled(const Size *x, int64_t times) { return size_sum(size_constant(0), x, times); }

typedef struct Declares { const Symbol *symbol; const Tree *found; } Declares;

static bool find_declared(void *context, const Tree *t) {
  Declares *d = context;
  if (t->op == OP_DECLARE && t->symbol == d->symbol) d->found = t;
  return !d->found;
}

static const Tree *declared(const Tree *in, const Symbol *s) {
  Declares d = {s, NULL};
  tree_visit(in, find_declared, &d);
  return d.found;
}

/* What a variable that never changes is; else itself, of a loop. */
static Size variable(const Stencil *x, const Symbol *s) {
  if (own_loop(x, s) != NO_LOOP || stencil_inner(x, s)) return size_once(s, NO_DIMENSION);
  if (s->kind != SYMBOL_LOCAL || s->array || !type_is_whole(s->type) || tree_assigns(x->codelet->body, s))
    return (Size){0};
  const Tree *is = declared(x->codelet->body, s);
  return is && is->nkids ? stencil_linear(x, is->kid[0]) : (Size){0};
}

Size stencil_linear(const Stencil *x, const Tree *t) {
  int64_t number;
  if (tree_constant(t, &number)) return size_constant(number);
  if (t->op == OP_CAST && type_is_whole(t->type)) return stencil_linear(x, t->kid[0]);
  if (t->op == OP_REF) return variable(x, t->symbol);
  if (t->op == OP_SIZE && t->kid[0]->op == OP_REF && t->kid[0]->symbol->kind == SYMBOL_PARAM)
    return size_of_parameter(t->kid[0]->symbol, t->dimension);
  if (t->op != OP_ADD && t->op != OP_SUB && t->op != OP_MUL) return (Size){0};
  const Size left = stencil_linear(x, t->kid[0]), right = stencil_linear(x, t->kid[1]);
  if (!left.known || !right.known) return (Size){0};
  if (t->op != OP_MUL) return size_sum(left, &right, t->op == OP_ADD ? 1 : -1);
  if (size_is_number(&left)) return scaled(&right, left.plus);
  return size_is_number(&right) ? scaled(&left, right.plus) : (Size){0};
}

/* A size counts as one at least: where it says how far a loop goes, and there were none, the
 * codelet's own loops would go beyond a container. */
bool stencil_natural(const Size *x) {
  bool natural = x->known;
  int64_t least = x->plus;
  for (int i = 0; i < x->n; i++) {
    natural &= x->at[i].times >= 0 && x->at[i].dim != NO_DIMENSION;
    least += x->at[i].times;
  }
  return natural && least >= 0;
}

int stencil_loop_in(const Stencil *x, const Size *place) {
  int found = NO_LOOP;
  for (int i = 0; i < place->n; i++) {
    if (place->at[i].dim != NO_DIMENSION) continue;
    const int loop = own_loop(x, place->at[i].of);
    if (loop == NO_LOOP) continue;
    if (found != NO_LOOP || place->at[i].times != 1) return MOST_RANK;
    found = loop;
  }
  return found;
}

Size stencil_bound(const Stencil *x, const Size *place, bool most) {
  Size to = size_constant(place->plus);
  const Size one = size_constant(1);
  for (int i = 0; i < place->n; i++) {
    const SizeTerm *t = &place->at[i];
    const Size itself = size_once(t->of, t->dim);
    if (t->dim != NO_DIMENSION) to = size_sum(to, &itself, t->times);
    else if (own_loop(x, t->of) == NO_LOOP) {
      const StencilLoop *loop = stencil_inner(x, t->of);
      Size end = loop->from;
      if ((t->times > 0) == most) end = size_sum(loop->to, &one, -1);
      to = size_sum(to, &end, t->times);
    }
  }
  return to;
}

/* ---- loops ---- */

static bool has_own_names(const Size *x) {
  for (int i = 0; i < x->n; i++)
    if (x->at[i].dim == NO_DIMENSION) return true;
  return false;
}

bool stencil_loop(const Stencil *x, const Tree *t, StencilLoop *loop) {
  LoopHead head;
  if (!loops_head(x->a, t, &head) || head.step != 1) return false;
  *loop = (StencilLoop){t, head.index, stencil_linear(x, head.begin), stencil_linear(x, head.end)};
  return loop->from.known && loop->to.known && !has_own_names(&loop->from) && !has_own_names(&loop->to);
}

/* Loops in one another, around a body; sizes may have names before them. */
static bool find_own_loops(Stencil *x, int rank) {
  const Tree *t = x->codelet->body;
  while (x->nown < rank) {
    for (; t->op == OP_SEQ && t->nkids; t = t->kid[t->nkids - 1])
      for (int i = 0; i < t->nkids - 1; i++)
        if (t->kid[i]->op != OP_DECLARE || t->kid[i]->symbol->array || t->kid[i]->symbol->kind != SYMBOL_LOCAL)
          return false;
    StencilLoop loop;
    if (!stencil_loop(x, t, &loop)) return false;
    x->own[x->nown++] = loop;
    t = t->kid[3];
  }
  x->body = t;
  return true;
}

/* ---- what a turn does ---- */

static bool find_uses(void *context, const Tree *t);

static void look(Stencil *x, const Tree *t) { tree_visit(t, find_uses, x); }

static bool is_alias(const Stencil *x, const Symbol *s) {
  for (int i = 0; i < x->naliases; i++)
    if (x->alias[i] == s) return true;
  return false;
}

/* A variable that nobody changes, and that stands for a place: indices are looked at. */
static bool add_alias(Stencil *x, const Tree *t) {
  if (t->op != OP_DECLARE || !t->nkids || x->naliases == MOST_STENCIL_LOOPS) return false;
  const Size place = variable(x, t->symbol);
  if (!place.known || stencil_loop_in(x, &place) == NO_LOOP) return false;
  x->alias[x->naliases++] = t->symbol;
  return true;
}

/* Widens a bound; false: nobody knows which of both is the farther one. */
static bool widen(Size *to, const Size *by, bool most) {
  const Size more = size_difference(by, to), less = size_difference(to, by);
  if (!stencil_natural(&more) && !stencil_natural(&less)) return false;
  if (stencil_natural(&more) == most) *to = *by;
  return true;
}

static bool find_sizes(void *context, const Tree *t) {
  Stencil *x = context;
  const int p = t->op == OP_SIZE && t->kid[0]->op == OP_REF ? divide_place(x->codelet, t->kid[0]->symbol) : -1;
  if (p >= 0) x->asked[p][t->dimension] = true;
  return true;
}

static bool add_reach(Stencil *x, int p, int d, const Tree *index) {
  const Size place = stencil_linear(x, index);
  tree_visit(index, find_sizes, x);
  StencilReach *r = &x->of[p][d];
  const int loop = place.known ? stencil_loop_in(x, &place) : NO_LOOP;
  if (!place.known) look(x, index); /* of data alone, or it is refused there */
  if (loop == MOST_RANK || (x->seen[p][d] && r->loop != loop)) return false;
  const Size least = stencil_bound(x, &place, false), most = stencil_bound(x, &place, true);
  const bool first = !x->seen[p][d];
  x->seen[p][d] = true;
  r->loop = loop;
  if (loop == NO_LOOP) return true;
  if (first) r->least = least, r->most = most;
  return least.known && most.known && widen(&r->least, &least, false) && widen(&r->most, &most, true);
}

static void look_into_loop(Stencil *x, const Tree *t) {
  StencilLoop loop;
  const bool known = stencil_loop(x, t, &loop);
  if (known && x->ninner < MOST_STENCIL_LOOPS) x->inner[x->ninner++] = loop;
  x->depth++;
  for (int i = 0; i < t->nkids; i++)
    if (t->kid[i]) look(x, t->kid[i]);
  x->depth--;
}

static bool find_uses(void *context, const Tree *t) {
  Stencil *x = context;
  x->ok &= !divide_never(t) && (t->op != OP_BREAK || x->depth);
  if (x->ok && t->op == OP_ASSIGN) x->ok = divide_keeps_to_turn(x->body, t->kid[0]);
  if (!x->ok || add_alias(x, t)) return false;
  if (t->op == OP_FOR || t->op == OP_WHILE) {
    look_into_loop(x, t);
    return false;
  }
  const Tree *of = t->op == OP_INDEX || t->op == OP_SIZE ? t->kid[0] : NULL;
  const int p = of && of->op == OP_REF ? divide_place(x->codelet, of->symbol) : -1;
  if (t->op == OP_SIZE) {
    if (p >= 0) x->sized[p][t->dimension] = true;
    return false;
  }
  if (t->op == OP_REF) x->ok &= !t->symbol->rank && own_loop(x, t->symbol) == NO_LOOP && !is_alias(x, t->symbol);
  if (p < 0) return x->ok;
  for (int d = 0; d < t->nkids - 1 && x->ok; d++) x->ok &= add_reach(x, p, d, t->kid[1 + d]);
  return false;
}

/* ---- cuts ---- */

Size stencil_turns(const Stencil *x, int loop) { return size_difference(&x->own[loop].to, &x->own[loop].from); }

Size stencil_halo(const Stencil *x, int param, int dimension) {
  return size_difference(&x->of[param][dimension].most, &x->of[param][dimension].least);
}

Size stencil_extent(const Stencil *x, int param, int dimension) {
  const Size turns = stencil_turns(x, x->of[param][dimension].loop), halo = stencil_halo(x, param, dimension);
  return size_sum(turns, &halo, 1);
}

Size stencil_start(const Stencil *x, int param, int dimension) {
  return size_sum(x->own[x->of[param][dimension].loop].from, &x->of[param][dimension].least, 1);
}

/* What is stored has an element for each turn, and no other turn has to do with it. */
static bool is_stored_once(const Stencil *x, int p) {
  const Symbol *s = x->codelet->params[p];
  const Size none = size_constant(0);
  for (int d = 0; d < s->rank; d++) {
    const StencilReach *r = &x->of[p][d];
    if (r->loop == NO_LOOP || !size_is_same(&r->least, &none) || !size_is_same(&r->most, &none)) return false;
  }
  return s->rank == x->nown;
}

/* Are all elements there that its parts have? */
static bool is_within(const Stencil *x, int p, int d) {
  const Size start = stencil_start(x, p, d), extent = stencil_extent(x, p, d);
  const Size have = size_of_parameter(x->codelet->params[p], d), end = size_sum(start, &extent, 1);
  const Size left = size_difference(&have, &end);
  return stencil_natural(&start) && stencil_natural(&left);
}

static bool find_cuts(const Stencil *x) {
  const Codelet *c = x->codelet;
  for (int p = 0; p < c->nparams; p++) {
    const Symbol *s = c->params[p];
    if (s->writable && !is_stored_once(x, p)) return false;
    for (int d = 0; d < s->rank; d++) {
      if (x->of[p][d].loop == NO_LOOP) continue;
      if (x->sized[p][d] || !is_within(x, p, d)) return false;
      for (int k = 0; k < d; k++) /* a diagonal */
        if (x->of[p][k].loop == x->of[p][d].loop) return false;
    }
  }
  return true;
}

/* Of the containers that are stored, which are alike, how many dimensions they have; 0: they are none. */
static int rank_of(const Codelet *c) {
  int rank = 0;
  for (int i = 0; i < c->nparams; i++) {
    const Symbol *s = c->params[i];
    if (s->atomic || s->counter || (s->writable && rank && s->rank != rank)) return 0;
    if (s->writable) rank = s->rank;
  }
  return rank;
}

bool stencil_loops(Arena *a, const Codelet *c, Stencil *x) {
  Codelet *sized = arena_one(a, Codelet);
  *sized = *c;
  if (c->body) sized->body = loops_sized(a, c);
  *x = (Stencil){.a = a, .codelet = sized, .ok = true};
  for (int p = 0; p < MOST_OPERANDS; p++)
    for (int d = 0; d < MOST_RANK; d++) x->of[p][d].loop = NO_LOOP;
  const int rank = rank_of(c);
  return rank && c->body && !c->nenv && !c->matrix && !c->native && !c->elements && !c->coop_declared &&
         !c->tunables.n && c->spectrum->result == TYPE_VOID && find_own_loops(x, rank);
}

bool stencil_find(Arena *a, const Codelet *c, const StencilLoop *within, Stencil *x) {
  if (!stencil_loops(a, c, x)) return false;
  for (int i = 0; within && i < x->nown; i++) x->own[i].from = within[i].from, x->own[i].to = within[i].to;
  for (const Tree *t = x->codelet->body; t != x->body; t = t->op == OP_FOR ? t->kid[3] : t->kid[t->nkids - 1])
    for (int i = 0; t->op == OP_SEQ && i < t->nkids - 1; i++) look(x, t->kid[i]);
  look(x, x->body);
  return x->ok && find_cuts(x);
}
