/* rounds.c: does a cooperative codelet go through its container round by round, whatever that has?
 *
 *   requires  a cooperative body, as written
 *   keeps     all of it: this pass only looks
 *
 *   for (unsigned i = coopIdx(); i < in.Size(); i += coopDim())    each lane in step with all others
 *   for (unsigned i = 0; i < in.Size(); i += 4 * coopDim())        a tile of four elements a lane in each round
 *
 * Others hold one element a lane, and composition gives them no more. */
#include "passes/codelet_passes.h"

typedef struct Rounds { const Symbol *container; const Tree *loop; } Rounds;

static const Tree *without_casts(const Tree *t) {
  while (t && t->op == OP_CAST) t = t->kid[0];
  return t;
}

static bool find_loop(void *context, const Tree *t) {
  Rounds *r = context;
  if (t->op != OP_FOR || !t->kid[1] || !t->kid[2] || r->loop) return !r->loop;
  const Tree *below = t->kid[1], *step = t->kid[2];
  const Tree *end = below->op == OP_LT ? without_casts(below->kid[1]) : NULL;
  const bool all = end && end->op == OP_SIZE && end->kid[0]->op == OP_REF && end->kid[0]->symbol == r->container;
  const bool by_lanes = step->op == OP_ASSIGN && step->compound == OP_ADD && tree_contains(step->kid[1], OP_COOP_DIM);
  if (all && by_lanes) r->loop = t;
  return true;
}

bool pass_rounds(const Codelet *c, Diagnostics *d) {
  Rounds r = {0};
  for (int i = 0; i < c->nparams && !r.container; i++)
    if (c->params[i]->rank) r.container = c->params[i];
  if (r.container) tree_visit(c->body, find_loop, &r);
  if (r.loop)
    diagnostics_remark(d, REMARK_PASSED, "rounds", r.loop->where, "`%s' serves any number of elements: its lanes go "
                       "through `%s' round by round", c->tag ? c->tag : c->spectrum->name, r.container->name);
  return r.loop != NULL;
}
