/* borders.c: a stencil whose text says what is beyond an edge (edges.c) is one without edges in the box where none is
 * near (stencils.c), and what stores.c makes of it, by positions, in the strips around that: of the first dimension
 * those before the box and behind it, of the next one what is beside the box, and so on.
 *
 *     for (i ..) for (j ..) B(i, j) = A(max(i - 1, 0), j) + A(i, min(j + 1, A.Size(1) - 1));
 *
 *     void f(A, B) {
 *       f_inside(box(A, 0, n, 0, m), box(B, 1, n - 1, 0, m - 1));
 *       f_at(iota(0, 1), iota(0, m), A, box(B, 0, 1, 0, m));
 *       f_at(iota(1, n - 1), iota(m - 1, 1), A, box(B, 1, n - 1, m - 1, 1));
 *     } */
#include "front/borders.h"

#include "front/divide.h"
#include "front/edges.h"
#include "front/stencils.h"

/* Iterations of one loop: where they begin, and how many they are. */
typedef struct Run { Tree *begin, *count; } Run;

typedef struct Borders {
  Arena *a;
  Codelet *made;       /* what is added */
  const Tree *call;    /* of the spectrum of positions, for all */
  const Stencil *all, *inside; /* the stencil, and where no edge is near */
  Tree *low[MOST_RANK], *high[MOST_RANK], *size[MOST_RANK]; /* where that begins and ends; iterations in all */
} Borders;

static Tree *zero(Arena *a) { return tree_int(a, TYPE_INDEX, 0); }

static Tree *less(Arena *a, Tree *x, Tree *y) { return tree_binary(a, OP_SUB, TYPE_INDEX, x, y); }

static bool is_none(const Size *x) { return size_is_number(x) && x->plus == 0; }

/* Is there anything beside the box on that side of a loop? */
static bool has_strip(const Borders *b, int loop, bool behind) {
  const StencilLoop *whole = &b->all->own[loop], *inner = &b->inside->own[loop];
  const Size beside = behind ? size_difference(&whole->to, &inner->to) : size_difference(&inner->from, &whole->from);
  return !is_none(&beside);
}

/* Where the box begins and ends, which is within what there is. */
static void find_box(Borders *b) {
  Arena *a = b->a;
  for (int k = 0; k < b->all->nown; k++) {
    const StencilLoop *inner = &b->inside->own[k];
    b->size[k] = stencils_size(a, b->all, b->made, &b->all->own[k].to);
    b->low[k] = zero(a);
    if (has_strip(b, k, false))
      b->low[k] = tree_binary(a, OP_MIN, TYPE_INDEX, stencils_size(a, b->all, b->made, &inner->from), b->size[k]);
    b->high[k] = b->size[k];
    if (has_strip(b, k, true))
      b->high[k] = tree_binary(a, OP_MAX, TYPE_INDEX, b->low[k], stencils_size(a, b->all, b->made, &inner->to));
  }
}

static Run run_of(const Borders *b, int loop, int strip, bool behind) {
  Arena *a = b->a;
  if (loop > strip) return (Run){zero(a), b->size[loop]};
  if (loop < strip) return (Run){b->low[loop], less(a, b->high[loop], b->low[loop])};
  return behind ? (Run){b->high[loop], less(a, b->size[loop], b->high[loop])} : (Run){zero(a), b->low[loop]};
}

/* Of the codelet that cuts what is called: which loop's cut a dimension of an argument has, as cuts stand in the order
 * of loops; NO_LOOP: it is whole. */
static int cut_of(const Codelet *tiled, const Tree *part, int dimension) {
  const Symbol *cut = part->op == OP_PARTS ? tree_cut(part->kid[1 + dimension]) : NULL;
  int loop = 0;
  for (int i = 0; cut && i < tiled->body->nkids; i++) {
    const Tree *t = tiled->body->kid[i];
    if (t->op != OP_DECLARE || t->symbol->kind != SYMBOL_CUT) continue;
    if (t->symbol == cut) return loop;
    loop++;
  }
  return NO_LOOP;
}

static Tree *box(const Borders *b, Symbol *s, const Tree *part, int strip, bool behind) {
  Arena *a = b->a;
  if (part->op != OP_PARTS) return tree_ref(a, s);
  Tree *made = tree_new(a, OP_BOX, TYPE_CONTAINER, s->where, 1 + 2 * s->rank);
  made->kid[0] = tree_ref(a, s);
  for (int d = 0; d < s->rank; d++) {
    const int loop = cut_of(b->call->spectrum->codelets[1], part, d);
    const Run run = loop == NO_LOOP ? (Run){zero(a), divide_size(a, s, d)} : run_of(b, loop, strip, behind);
    made->kid[1 + 2 * d] = tree_clone(a, run.begin);
    made->kid[2 + 2 * d] = tree_clone(a, run.count);
  }
  return made;
}

/* By which loop's positions an argument of the call is. */
static int positions_of(const Borders *b, const Tree *map, int argument) {
  const bool counts = b->call->kid[argument]->op == OP_IOTA;
  return counts ? cut_of(b->call->spectrum->codelets[1], map->kid[argument], 0) : NO_LOOP;
}

/* What is called for all, for a strip. */
static Tree *strip_of(const Borders *b, const Codelet *parts, int strip, bool behind) {
  Arena *a = b->a;
  const Tree *map = b->call->spectrum->codelets[1]->body;
  map = map->kid[map->nkids - 1]->kid[0];
  Tree *call = tree_new(a, OP_CALL, TYPE_VOID, b->made->where, b->call->nkids);
  call->spectrum = b->call->spectrum;
  for (int i = 0; i < call->nkids; i++) {
    const Tree *given = b->call->kid[i];
    const int loop = positions_of(b, map, i), p = given->op == OP_REF ? divide_place(parts, given->symbol) : -1;
    if (loop != NO_LOOP) {
      const Run run = run_of(b, loop, strip, behind);
      call->kid[i] = tree_binary(a, OP_IOTA, TYPE_INDEX, tree_clone(a, run.begin), tree_clone(a, run.count));
    } else if (p >= 0) call->kid[i] = box(b, b->made->params[p], map->kid[i], strip, behind);
    else { /* a size */
      const int of = divide_place(parts, given->kid[0]->symbol);
      call->kid[i] = divide_size(a, b->made->params[of], given->dimension);
    }
  }
  Tree *run = tree_unary(a, OP_RUN, TYPE_VOID, call);
  run->where = b->made->where;
  return run;
}

/* The call of a spectrum of positions, which is all that the codelet does; NULL: it is none. */
static const Tree *call_of(const Codelet *parts) {
  const Tree *run = parts->body && parts->body->nkids == 1 ? parts->body->kid[0] : NULL;
  const Tree *call = run && run->op == OP_RUN && run->kid[0]->op == OP_CALL ? run->kid[0] : NULL;
  if (!call || call->spectrum->ncodelets < 2 || call->kid[0]->op != OP_IOTA) return NULL;
  const Tree *tiled = call->spectrum->codelets[1]->body;
  const Tree *last = tiled->nkids ? tiled->kid[tiled->nkids - 1] : NULL;
  return last && last->op == OP_MAP_RUN && last->kid[0]->nkids == call->nkids ? call : NULL;
}

static void divide(Arena *a, Unit *u, Spectrum *s) {
  const Codelet *c = s->codelets[0], *parts = s->codelets[1];
  StencilLoop within[MOST_RANK];
  Stencil all, inside;
  const Tree *call = call_of(parts);
  const Codelet *rest = call ? edges_without(a, c, within) : NULL;
  if (!rest || !stencil_loops(a, c, &all)) return;
  if (!stencil_find(a, rest, within, &inside) || !stencils_reach(&inside)) return;
  for (int k = 0; k < all.nown; k++)
    if (!is_none(&all.own[k].from)) return;
  Spectrum *box = stencils_inside(a, u, s, &inside);
  if (!box) return;
  Borders b = {.a = a, .call = call, .all = &all, .inside = &inside};
  b.made = divide_codelet(a, c, s, divide_tag(a, s, "edges"));
  find_box(&b);
  DivideStatements steps = {0};
  vec_push(a, &steps, stencils_call(a, &inside, b.made, box));
  for (int k = 0; k < all.nown; k++)
    for (int behind = 0; behind < 2; behind++)
      if (has_strip(&b, k, behind)) vec_push(a, &steps, strip_of(&b, parts, k, behind));
  b.made->body = tree_seq(a, steps.at, steps.n);
  b.made->body->where = c->body->where;
  divide_add(a, s, b.made);
}

void borders_divide(Arena *a, Unit *u) {
  const int n = u->nspectra;
  for (int i = 0; i < n; i++)
    if (u->spectra[i]->ncodelets == 2) divide(a, u, u->spectra[i]);
}
