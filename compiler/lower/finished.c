/* finished.c: steps around a product that its tiles do themselves.
 *
 *     fill(0, S)               lanes begin with 0
 *     product(A, B, S)         ..
 *     f(S, bias, C)            what is stored of an element is f of it, and is stored to C: S is nowhere
 *
 * or
 *
 *     scale(beta, C)           lanes begin with beta times what C has there
 *     product(A, B, C)
 *
 * So such steps take no kernel, and no pass over memory: the step's call opens nothing, and the view of what the
 * product's tiles hold has the step beside it (Plane.begins, Plane.ends), which is inlined where an element is loaded,
 * or stored.
 *
 * Requires tiles in registers, of which each element is one lane's; a step that sets each element of what it writes,
 * in loops over all of them, and reads that element and the product's at the same place alone, and nothing that the
 * product writes or reads while others write. Keeps: what each element is computed from, and its order; sums are of the
 * element's type, as memory between the steps would have them. */
#include "lower/finished.h"

#include "lower/inline.h"

/* ---- what a step does ---- */

/* Is it how large a container is there, or one that is declared to be as large? */
static bool is_extent(const Tree *size, const Symbol *of, int dimension) {
  size = tree_uncast(size);
  if (size->op != OP_SIZE || size->kid[0]->op != OP_REF) return false;
  const Symbol *s = size->kid[0]->symbol;
  return s == of ? size->dimension == dimension : shape_is_same(s, size->dimension, of, dimension);
}

/* The one assignment of an element, in loops over all of them, the outermost first; NULL: it is another step. */
static const Tree *assignment(const Codelet *c, const Symbol **index, int *rank) {
  const Tree *t = c && c->kind == CLASS_AUTONOMOUS ? c->body : NULL, *end[MOST_DIMENSIONS];
  for (*rank = 0; t && ((t->op == OP_SEQ && t->nkids == 1) || t->op == OP_FOR);) {
    if (t->op == OP_FOR && (*rank == MOST_DIMENSIONS || !tree_counts(t, &index[*rank], &end[*rank]))) return NULL;
    *rank += t->op == OP_FOR;
    t = t->op == OP_SEQ ? t->kid[0] : t->kid[3];
  }
  if (!t || t->op != OP_ASSIGN || t->compound || t->kid[0]->op != OP_INDEX) return NULL;
  const Tree *to = t->kid[0]->kid[0];
  if (to->op != OP_REF || to->symbol->kind != SYMBOL_PARAM || to->symbol->atomic) return NULL;
  if (to->symbol->rank != *rank) return NULL;
  for (int d = 0; d < *rank; d++)
    if (!is_extent(end[d], to->symbol, d)) return NULL;
  return t;
}

/* Is it an element at the loops' own indices? */
static bool is_own(const Tree *t, const Symbol *const *index, int rank) {
  if (t->op != OP_INDEX || t->nkids != 1 + rank) return false;
  for (int d = 0; d < rank; d++) {
    const Tree *at = tree_uncast(t->kid[1 + d]);
    if (at->op != OP_REF || at->symbol != index[d]) return false;
  }
  return true;
}

/* References to a symbol; of those the elements at the loops' own indices. */
typedef struct Mentions { const Symbol *of, *const *index; int rank, all, own; } Mentions;
static bool count(void *context, const Tree *t) {
  Mentions *m = context;
  m->all += t->op == OP_REF && t->symbol == m->of;
  m->own += t->op == OP_INDEX && t->kid[0]->op == OP_REF && t->kid[0]->symbol == m->of && is_own(t, m->index, m->rank);
  return true;
}

static bool mentions_own(const Tree *t, const Symbol *s, const Symbol *const *index, int rank) {
  Mentions m = {s, index, rank, 0, 0};
  tree_visit(t, count, &m);
  return m.all == m.own;
}

static int mentions(const Tree *t, const Symbol *s) {
  Mentions m = {.of = s};
  tree_visit(t, count, &m);
  return m.all;
}

/* Does it make each element of what it writes of that of parameter `own', and of what it was itself? */
static bool makes_elements(const Spectrum *s, int own, ElementStep *to) {
  const Codelet *c = spectrum_reference(s);
  int rank;
  *to = (ElementStep){.codelet = c};
  to->assign = assignment(c, to->index, &rank);
  if (!to->assign || own >= c->nparams) return false;
  to->own = c->params[own];
  const Tree *place = to->assign->kid[0];
  return to->own->rank == rank && rank >= PLANE && is_own(place, to->index, rank) &&
         mentions_own(to->assign, to->own, to->index, rank) &&
         mentions_own(to->assign, place->kid[0]->symbol, to->index, rank);
}

/* Does the spectrum set all elements of its one container to 0? */
static bool sets_to_zero(const Spectrum *s) {
  const Codelet *c = spectrum_reference(s);
  const Symbol *index[MOST_DIMENSIONS];
  int rank;
  const Tree *t = c && c->nparams == 1 ? assignment(c, index, &rank) : NULL;
  const Tree *value = tree_uncast(t ? t->kid[1] : NULL);
  return value && ((value->op == OP_INT && !value->number) || (value->op == OP_FLOAT && value->real == 0));
}

/* ---- which steps are done so ---- */

/* Are tiles of what that argument of the step is held in registers, all that is added to each element by one lane? */
static bool holds_all(const PlanNode *step, int argument, bool units) {
  const PlanNode *work = plan_work(step);
  PlanTiles t;
  if (plan_tiled(step) != work || work->combine != COMBINE_NONE || !plan_tiles(work, &t)) return false;
  if (!t.reduces || t.sum || plan_tiles_share(&t) || t.param[t.written] != argument) return false;
  if (!units && (t.multiplies || t.several)) return false;
  const Symbol *to = work->rule->codelet->params[argument];
  return (to->atomic == ATOMIC_ADD || to->atomic == ATOMIC_SUB) && t.block->traversal >= TRAVERSE_HELD;
}

/* Behind which statement of the codelet's own text does it stand? -1: in a loop. */
static int statement_of(const Codelet *c, const Tree *call) {
  for (int i = 0; i < c->body->nkids; i++)
    if (c->body->kid[i]->op == OP_RUN && c->body->kid[i]->kid[0] == call) return i;
  return -1;
}

/* Are both calls a grid's steps of a GPU, the second right behind the first? */
static bool are_neighbours(const Lowering *l, const PlanNode *n, const Steps *steps, int first) {
  if (l->plan->machine->is_cpu || !n->rule->level->can.launched || plan_steps_by(n)) return false;
  if (first < 0 || first + 1 >= steps->n) return false;
  const int at = statement_of(n->rule->codelet, steps->call[first]);
  return at >= 0 && statement_of(n->rule->codelet, steps->call[first + 1]) == at + 1;
}

/* The only argument of a call that is that container; -1: there is none, or more than one. */
static int only(const Tree *call, const Symbol *s) {
  int found = -1;
  for (int i = 0; i < call->nkids; i++) {
    if (mentions(call->kid[i], s) == 0) continue;
    if (found >= 0 || call->kid[i]->op != OP_REF) return -1;
    found = i;
  }
  return found;
}

/* The argument that stands for what the step writes. */
static const Symbol *written_by(const Tree *call, const ElementStep *s) {
  for (int i = 0; i < s->codelet->nparams && i < call->nkids; i++)
    if (s->codelet->params[i] == s->assign->kid[0]->kid[0]->symbol && call->kid[i]->op == OP_REF)
      return call->kid[i]->symbol;
  return NULL;
}

/* Is number k of the product's arguments what the step begins, or ends: does each of its elements become what that
 * step makes of it? */
static bool makes_of(const Tree *step, const Tree *product, int k, ElementStep *s) {
  const Symbol *held = product->kid[k]->op == OP_REF ? product->kid[k]->symbol : NULL;
  const int own = held && only(product, held) == k ? only(step, held) : -1;
  if (own < 0 || !makes_elements(step->spectrum, own, s)) return false;
  const Symbol *to = written_by(step, s);
  return to && (to == held || (only(product, to) < 0 && mentions(product, to) == 0 && only(step, to) >= 0));
}

int finished_by_last(const Lowering *l, const PlanNode *n, const Steps *steps, int i) {
  if (!are_neighbours(l, n, steps, i - 1)) return -1;
  const Tree *call = steps->call[i], *last = steps->call[i - 1];
  const Codelet *c = n->rule->codelet;
  for (int k = 0; k < last->nkids; k++) {
    ElementStep s;
    if (!holds_all(n->kid[i - 1], k, false) || !makes_of(call, last, k, &s)) continue;
    const Symbol *held = last->kid[k]->symbol;
    if (written_by(call, &s) == held) return k;
    /* it is nowhere then: is that all that is made of it? */
    bool zero;
    int all = mentions(call, held) + mentions(last, held);
    if (i >= 2 && finished_by_next(l, n, steps, i - 2, &zero) == k) all += mentions(steps->call[i - 2], held);
    if (held->kind == SYMBOL_LOCAL && mentions(c->body, held) == all) return k;
  }
  return -1;
}

int finished_by_next(const Lowering *l, const PlanNode *n, const Steps *steps, int i, bool *zero) {
  if (!are_neighbours(l, n, steps, i) || finished_by_last(l, n, steps, i) >= 0) return -1;
  const Tree *call = steps->call[i], *next = steps->call[i + 1];
  *zero = sets_to_zero(call->spectrum);
  for (int k = 0; k < next->nkids; k++) {
    ElementStep s;
    if (!holds_all(n->kid[i + 1], k, *zero) || next->kid[k]->op != OP_REF) continue;
    if (*zero && call->kid[0]->op == OP_REF && call->kid[0]->symbol == next->kid[k]->symbol) return k;
    if (!*zero && makes_of(call, next, k, &s) && written_by(call, &s) == next->kid[k]->symbol) return k;
  }
  return -1;
}

const ElementStep *finished_step(Lowering *l, const Tree *call, const Tree *by, int argument, const Arguments *in) {
  ElementStep *s = arena_one(l->a, ElementStep);
  makes_of(call, by, argument, s);
  s->in = *in;
  return s;
}

/* ---- statements ---- */

/* The elements of a parameter, as what stands for all that are read. */
typedef struct Replacing { const Symbol *of; Symbol *by; } Replacing;
static Tree *replace(Arena *a, Tree *t, const Replacing *x) {
  Tree *kids[MOST_OPERANDS];
  if (t->op == OP_INDEX && t->kid[0]->op == OP_REF && t->kid[0]->symbol == x->of) return tree_ref(a, x->by);
  if (!t->nkids) return t;
  for (int i = 0; i < t->nkids; i++) kids[i] = replace(a, t->kid[i], x);
  return tree_with_kids(a, t, kids, t->nkids);
}

/* What the names of the step's codelet stand for, for a lane's element. */
static Environment environment(Realising *r, Tiles *t, const ElementStep *s) {
  Arena *a = r->l->a;
  const View *part = tiles_operand(t, t->plan.written);
  Environment e = inline_environment(r->l, s->codelet, &s->in, s->codelet->body, &t->lane);
  for (int d = 0; d < t->plan.rank; d++) {
    const LaneTile *x = &t->of[d];
    Tree *at = x->group || x->unit ? t->at[d] : build_mul(a, iterations_number(r, t->axis[t->plan.own[d]]), x->step);
    Tree *index = build_add(a, x->first, at), *from = part->plane.from[d];
    index = from ? build_add(a, from, index) : build_cast(a, TYPE_INDEX, index);
    inline_bind(r->l, &e, s->index[d], index, NULL);
  }
  return e;
}

/* The step's expression of an element that is `own'. */
static Tree *made_of(Realising *r, Tiles *t, const ElementStep *s, Tree *own) {
  Arena *a = r->l->a;
  Environment e = environment(r, t, s);
  Symbol *stands = symbol_new(a, SYMBOL_LOCAL, s->own->name, s->own->type);
  inline_bind(r->l, &e, stands, own, NULL);
  Tree *value = replace(a, s->assign->kid[1], &(Replacing){s->own, stands});
  return build_cast(a, s->assign->kid[0]->type, inline_expression(r->l, &e, value));
}

static const Plane *plane_of(const Tiles *t) { return &tiles_operand(t, t->plan.written)->plane; }

bool finished_any(const Tiles *t) { return plane_of(t)->begins || plane_of(t)->ends; }

Tree *finished_begin(Realising *r, Tiles *t, Tree *memory) {
  const ElementStep *s = plane_of(t)->begins;
  return s ? made_of(r, t, s, memory) : memory;
}

Tree *finished_store(Realising *r, Tiles *t, Tree *place, Tree *held, bool adds) {
  Arena *a = r->l->a;
  const ElementStep *s = plane_of(t)->ends;
  Tree *value = place->type == held->type ? held : build_cast(a, place->type, held);
  if (adds) value = build_add(a, finished_begin(r, t, place), value);
  if (!s) return build_assign(a, place, value);
  Environment e = environment(r, t, s);
  value = made_of(r, t, s, value);
  return build_assign(a, inline_expression(r->l, &e, (Tree *)s->assign->kid[0]), value);
}
