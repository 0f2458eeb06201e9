/* in_step.c: which part a worker has in an iteration, and what it does where there is none for it (idle.c has
 * told which tail).
 *
 * Requires an axis of workers in step, with the plan of a part below. Keeps what each part's worker computes: nobody
 * delivers what a worker without a part has found. */
#include "lower/stages.h"

/* The plan's node below, or below the parts that each worker has at once. */
static const NestNode *plan_below(const NestNode *n) {
  n = n->kids.at[0];
  return n->kind == NEST_AXIS && n->axis->binding == BINDING_WIDE ? n->kids.at[0] : n;
}

bool in_step_applies(const NestNode *n) {
  const NestNode *plan = plan_below(n);
  return n->axis->binding == BINDING_IN_STEP && plan->kind == NEST_OPEN && plan->work->part.cut;
}

void in_step_begin(Lowering *l, InStep *t, const NestNode *n, Tree *at) {
  Arena *a = l->a;
  NestAxis *own = n->axis;
  const NestNode *plan = plan_below(n);
  const NestAxis *slots = plan->above == n ? NULL : plan->above->axis;
  Work *w = plan->work;
  const Regroup *r = w->part.cut;
  const NestAxis *row = nest_above(n, BINDING_UNROLL);
  if (row && row->dim == own->dim) /* of several that are taken together */
    at = build_add(a, at, build_mul(a, row->at, row->stride));
  Tree *which = at, *exists = NULL; /* exists: is it a part? NULL: it is */
  if (slots) which = tails_first_register(l, at, own->number, slots->dim->end, r->parts);
  else if (!build_is(own->number, 0)) {
    which = lowering_size(l, "k", build_add(a, at, own->number));
    if (own->tail != TAIL_NONE) exists = tails_part_exists(l, which, r->parts);
  }
  const NestTail tail = exists ? own->tail : TAIL_NONE;
  t->exists = tail == TAIL_GUARD ? exists : NULL;
  if (t->exists) block_open(l, &t->guarded);
  if (tail == TAIL_REPEAT) which = tails_or_last_part(l, which, r->parts);
  own->exists = tail == TAIL_REPEAT ? exists : NULL;
  own->at = r->few && !slots ? NULL : which;
  Regroup *these = arena_one(a, Regroup);
  *these = *r;
  these->within |= own->tail == TAIL_NONE || tail == TAIL_GUARD || tail == TAIL_REPEAT || slots;
  these->copied = w->part.transposed && own->tail == TAIL_NONE ? at : NULL;
  w->part.cut = these;
  w->part.which = which;
  w->part.exists = tail == TAIL_EMPTY ? exists : NULL;
  if (exists && tail != TAIL_GUARD) w->place.leader = w->place.leader ? build_both(a, w->place.leader, exists) : exists;
  *w->to = lowering_place_of(l, w->part.e, which);
}

void in_step_end(Lowering *l, InStep *t, const NestNode *n) {
  n->axis->exists = n->axis->at = NULL;
  if (t->exists) block_close_guarded(l, &t->guarded, t->exists);
}
