/* rounds.c: does a cooperative codelet go through its container round by round, whatever that has?
 *
 *   requires  a cooperative body, as written
 *   keeps     all of it: this pass only looks
 *
 *   for (unsigned i = coopIdx(); i < in.Size(); i += coopDim())    each lane in step with all others
 *   for (unsigned i = 0; i < in.Size(); i += 4 * coopDim())        a tile of four elements a lane in each round
 *
 * Others hold one element a lane, and composition gives them no more. Where each lane goes through all of the first
 * container, whatever its number, that says nothing of lanes: rounds through another one will do. */
#include "passes/codelet_passes.h"

/* `container': the one that rounds go through; NULL: any. */
typedef struct Rounds { const Symbol *container; const Tree *loop; } Rounds;

static bool find_loop(void *context, const Tree *t) {
  Rounds *r = context;
  if (t->op != OP_FOR || !t->kid[1] || !t->kid[2] || r->loop) return !r->loop;
  const Tree *below = t->kid[1], *step = t->kid[2];
  const Tree *end = below->op == OP_LT ? tree_uncast(below->kid[1]) : NULL;
  const bool all = end && end->op == OP_SIZE && end->kid[0]->op == OP_REF &&
                   (!r->container || end->kid[0]->symbol == r->container);
  const bool by_lanes = step->op == OP_ASSIGN && step->compound == OP_ADD && tree_contains(step->kid[1], OP_COOP_DIM);
  if (all && by_lanes) r->loop = t;
  return true;
}

/* Reads of a container: are all of them in loops over all of its elements, x[j]? */
typedef struct Whole { const Symbol *of; VEC(const Symbol *) counters; bool no, any; Arena *a; } Whole;

static bool find_reads(void *context, const Tree *t) {
  Whole *w = context;
  const Symbol *i;
  const Tree *end;
  if (tree_is_extent(t)) return false;
  if (tree_counts(t, &i, &end)) vec_push(w->a, &w->counters, i);
  const bool element = t->op == OP_INDEX && t->kid[0]->op == OP_REF && t->kid[0]->symbol == w->of;
  if (t->op == OP_REF && t->symbol == w->of) w->no = true;
  if (!element) return true;
  const Tree *at = tree_uncast(t->kid[1]);
  bool all = false;
  for (int k = 0; k < w->counters.n; k++) all |= at->op == OP_REF && at->symbol == w->counters.at[k];
  w->no |= !all;
  w->any = true;
  return false;
}

/* Does each lane read the container from its first element to its last? */
static bool reads_whole(const Codelet *c, const Symbol *container) {
  Arena *a = arena_new();
  Whole w = {.of = container, .a = a};
  tree_visit(c->body, find_reads, &w);
  arena_free(a);
  return w.any && !w.no && container->rank == 1;
}

bool pass_rounds(const Codelet *c, Diagnostics *d) {
  Rounds r = {0};
  for (int i = 0; i < c->nparams && !r.container; i++)
    if (c->params[i]->rank) r.container = c->params[i];
  if (!r.container) return false;
  tree_visit(c->body, find_loop, &r);
  if (!r.loop && reads_whole(c, r.container)) {
    r.container = NULL;
    tree_visit(c->body, find_loop, &r);
  }
  if (r.loop)
    diagnostics_remark(d, REMARK_PASSED, "rounds", r.loop->where, "`%s' serves any number of elements: its lanes go "
                       "through `%s' round by round", c->tag ? c->tag : c->spectrum->name,
                       tree_uncast(r.loop->kid[1]->kid[1])->kid[0]->symbol->name);
  return r.loop != NULL;
}
