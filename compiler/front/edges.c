/* edges.c: a stencil's text may say what is beyond an edge:
 *
 *     A(max(i - 1, 0), j), A((i + 1) % A.Size(0), j), i > 0 ? A(i - 1, j) : 0
 *
 * Where no edge is near that comes to nothing: A(i - 1, j), from row 1 on, to the last but one. Here is what is left
 * of the text there, and where `there' is: each minimum, maximum, remainder and comparison that a loop's variable is
 * in, once and as it is, says from where on, or up to where, it is decided. A comparison with a number is as it is for
 * large indices, one with a size as it is for small ones. */
#include "front/edges.h"

typedef struct Edges {
  Arena *a;
  Stencil loops;       /* the codelet's, and where no edge is near */
  bool any, refused;
} Edges;

/* ---- where ---- */

static Size less_one(Size x) {
  x.plus--;
  return x;
}

static Size and_one(Size x) {
  x.plus++;
  return x;
}

/* From there on alone. */
static void begin_at(Edges *e, int loop, Size from) {
  StencilLoop *own = &e->loops.own[loop];
  const Size more = size_difference(&from, &own->from);
  e->any = true;
  e->refused |= !size_is_number(&more);
  if (more.plus > 0) own->from = from;
}

static void end_at(Edges *e, int loop, Size to) {
  StencilLoop *own = &e->loops.own[loop];
  const Size less = size_difference(&own->to, &to);
  e->any = true;
  e->refused |= !size_is_number(&less);
  if (less.plus > 0) own->to = to;
}

/* A place that is not below zero there. */
static void demand(Edges *e, const Size *x) {
  const Stencil *s = &e->loops;
  const Size none = size_constant(0);
  const Size least = stencil_bound(s, x, false), negative = size_difference(&none, &least);
  Size turned = size_difference(&none, x);
  const int up = stencil_loop_in(s, x), down = stencil_loop_in(s, &turned);
  if (up != NO_LOOP && up != MOST_RANK) begin_at(e, up, negative);
  else if (down != NO_LOOP && down != MOST_RANK) end_at(e, down, and_one(least));
  else e->refused = true;
}

/* ---- what is left ---- */

static bool has_own(const Edges *e, const Size *x) { return x->known && stencil_loop_in(&e->loops, x) != NO_LOOP; }

/* The smaller one, or the larger, is that in which the loop's variable is. */
static Tree *limited(Edges *e, Tree *t) {
  for (int i = 0; i < 2; i++) {
    const Size mine = stencil_linear(&e->loops, t->kid[i]), other = stencil_linear(&e->loops, t->kid[1 - i]);
    if (!other.known || !has_own(e, &mine) || has_own(e, &other)) continue;
    const Size room = t->op == OP_MAX ? size_difference(&mine, &other) : size_difference(&other, &mine);
    demand(e, &room);
    return t->kid[i];
  }
  return t;
}

/* (i + n - 1) % n is i - 1, (i + 1) % n is i + 1. */
static Tree *remainder_of(Edges *e, Tree *t) {
  const Size of = stencil_linear(&e->loops, t->kid[0]), by = stencil_linear(&e->loops, t->kid[1]);
  if (!has_own(e, &of) || !by.known || by.n != 1 || by.plus || by.at[0].times != 1 || has_own(e, &by)) return t;
  int64_t turns = 0;
  for (int i = 0; i < of.n; i++)
    if (of.at[i].of == by.at[0].of && of.at[i].dim == by.at[0].dim) turns = of.at[i].times;
  const Size place = size_sum(of, &by, -turns), left = size_difference(&by, &place), room = less_one(left);
  demand(e, &place);
  demand(e, &room);
  Tree *made = t->kid[0];
  for (int64_t k = 0; k < turns && turns <= 4; k++)
    made = tree_binary(e->a, OP_SUB, TYPE_INDEX, made, tree_clone(e->a, t->kid[1]));
  e->refused |= turns < 0 || turns > 4;
  return made;
}

enum { FALSE_THERE, TRUE_THERE, NOT_KNOWN };

static Op turned(Op op) {
  return op == OP_LT ? OP_GT : op == OP_LE ? OP_GE : op == OP_GT ? OP_LT : op == OP_GE ? OP_LE : op;
}

/* i OP m: m is of the first elements, or of the last ones. */
static int compared(Edges *e, Op op, const Tree *t) {
  const Stencil *s = &e->loops;
  const Size x = stencil_linear(s, t->kid[0]), y = stencil_linear(s, t->kid[1]), none = size_constant(0);
  Size d = size_difference(&x, &y);
  if (!d.known) return NOT_KNOWN;
  if (stencil_loop_in(s, &d) == MOST_RANK) d = size_difference(&none, &d), op = turned(op);
  const int loop = stencil_loop_in(s, &d);
  if (loop == NO_LOOP || loop == MOST_RANK) return NOT_KNOWN;
  const Size low = stencil_bound(s, &d, false), high = stencil_bound(s, &d, true);
  const Size most = size_difference(&none, &low), least = size_difference(&none, &high); /* of m */
  const Size of_last = size_difference(&s->own[loop].to, &least);
  const bool above = op == OP_LE || op == OP_GT, not_it = op == OP_EQ || op == OP_NE;
  if (size_is_number(&most) && size_is_number(&least)) {
    begin_at(e, loop, above || not_it ? and_one(most) : most);
    return op == OP_GT || op == OP_GE || op == OP_NE ? TRUE_THERE : FALSE_THERE;
  }
  if (!size_is_number(&of_last)) return NOT_KNOWN;
  end_at(e, loop, above ? and_one(least) : least);
  return op == OP_LT || op == OP_LE || op == OP_NE ? TRUE_THERE : FALSE_THERE;
}

static int truth(Edges *e, const Tree *t) {
  if (t->op == OP_CAST) return truth(e, t->kid[0]);
  if (t->op == OP_NOT) {
    const int is = truth(e, t->kid[0]);
    return is == NOT_KNOWN ? is : !is;
  }
  if (t->op == OP_LAND || t->op == OP_LOR) {
    const int decides = t->op == OP_LOR, x = truth(e, t->kid[0]), y = truth(e, t->kid[1]);
    if (x == decides || y == decides) return decides;
    return x == NOT_KNOWN || y == NOT_KNOWN ? NOT_KNOWN : !decides;
  }
  return t->op >= OP_LT && t->op <= OP_NE ? compared(e, t->op, t) : NOT_KNOWN;
}

static Tree *without(Edges *e, Tree *t);

static Tree *decided(Edges *e, Tree *t) {
  const bool any = e->any;
  const int is = truth(e, t->kid[0]);
  if (is == NOT_KNOWN) {
    e->any = any;
    return NULL;
  }
  if (is == TRUE_THERE) return without(e, t->kid[1]);
  return t->nkids == 3 && t->kid[2] ? without(e, t->kid[2]) : tree_seq(e->a, NULL, 0);
}

static Tree *without(Edges *e, Tree *t) {
  Stencil *s = &e->loops;
  Tree *of = t->op == OP_IF || t->op == OP_COND ? decided(e, t) : NULL;
  if (of) return of;
  StencilLoop loop;
  bool own = false;
  for (int i = 0; i < s->nown; i++) own |= s->own[i].at == t;
  if (!own && t->op == OP_FOR && stencil_loop(s, t, &loop) && s->ninner < MOST_STENCIL_LOOPS)
    s->inner[s->ninner++] = loop;
  Tree **kids = arena_many(e->a, Tree *, t->nkids);
  int n = 0;
  for (int i = 0; i < t->nkids; i++) {
    kids[n] = t->kid[i] && !(own && i < 3) ? without(e, t->kid[i]) : t->kid[i];
    if (!(t->op == OP_SEQ && kids[n]->op == OP_SEQ && !kids[n]->nkids)) n++; /* nothing is left of it */
  }
  Tree *made = t->nkids ? tree_with_kids(e->a, t, kids, n) : t;
  if (t->op == OP_MIN || t->op == OP_MAX) return limited(e, made);
  return t->op == OP_REM && type_is_whole(t->type) ? remainder_of(e, made) : made;
}

const Codelet *edges_without(Arena *a, const Codelet *c, StencilLoop *within) {
  Edges e = {.a = a};
  if (!stencil_loops(a, c, &e.loops)) return NULL;
  Codelet *k = arena_one(a, Codelet);
  *k = *c;
  k->body = without(&e, e.loops.codelet->body);
  for (int i = 0; i < e.loops.nown; i++) within[i] = e.loops.own[i];
  return e.any && !e.refused ? k : NULL;
}
