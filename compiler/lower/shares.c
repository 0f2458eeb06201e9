/* shares.c: maps whose parts are as many as the text says, as nests: places of a level go through their shares of the parts,
 * turn by turn.
 *
 *     parts.turn      a loop; of a CPU's lanes in pieces: whole vectors of parts, then what is less than one
 *       parts.group   groups of workers that take turns: the grid's blocks
 *         parts.own   workers in step: all of them take as many turns, so that they can exchange
 *           a part    the plan's node for one part
 *
 * Workers of the last turn may have no part; the tail of `own' says what becomes of them (idle.c). Nobody delivers what they
 * find. Keeps what each part's worker computes. */
#include "lower/block.h"
#include "lower/realise.h"

typedef struct Parts {
  Lowering *l;
  const PlanNode *map;
  NestAxis *slots;
  const Place *sub;
  const Regroup *regroup;
  Environment *e;
} Parts;

/* One turn of a worker: what the plan's node does with its part. */
static void turn(void *context, NestNode *n, Tree *at) {
  const Parts *p = context;
  Lowering *l = p->l;
  NestAxis *own = nest_above(n, BINDING_IN_STEP);
  Tree *which = at, *exists = NULL, *there_before = l->there; /* exists: is it a part? NULL: it is */
  if (p->slots) which = tails_first_slot(l, at, own->number, p->slots->dim->end, p->regroup->parts);
  else if (!build_is(own->number, 0)) {
    which = lowering_size(l, "k", build_add(l->a, at, own->number));
    if (own->tail != TAIL_NONE) exists = tails_part_exists(l, which, p->regroup->parts);
  }
  const NestTail tail = exists ? own->tail : TAIL_NONE;
  Block b;
  if (tail == TAIL_GUARD) block_open(l, &b);
  if (tail == TAIL_REPEAT) {
    which = tails_or_last_part(l, which, p->regroup->parts);
    l->there = exists;
  }
  if (!p->regroup->few || p->slots) own->at = which;
  Regroup these = *p->regroup;
  these.within |= own->tail == TAIL_NONE || tail == TAIL_GUARD || tail == TAIL_REPEAT || p->slots;
  these.copied = p->map->placement == PLACEMENT_TRANSPOSED && own->tail == TAIL_NONE ? at : NULL;
  Arguments handed = lowering_parts(l, &these, p->e, which, "part");
  Destination each = lowering_own_place(l, p->e, which);
  Place place = *p->sub;
  if (exists && tail != TAIL_GUARD) place.leader = place.leader ? build_both(l->a, place.leader, exists) : exists;
  if (tail == TAIL_EMPTY) tails_empty(l, p->regroup, &handed, exists);
  lowering_node(l, p->map->kid[0], &place, &handed, &each);
  l->there = there_before;
  own->at = NULL;
  if (tail == TAIL_GUARD) block_close_guarded(l, &b, exists);
}

/* May a turn of lanes take several vectors? It does where a lane goes through a row by itself and neighbours' elements
 * lie side by side, as those of a column do: then more of a column is read while one is there. Many of them are a run in
 * memory as long as a page; what their lanes accumulate then lies in the cache. */
static bool takes_vectors(const Parts *p) {
  enum { MOST = 1024 };
  Lowering *l = p->l;
  const Regroup *r = p->regroup;
  const PlanNode *spread = plan_spread(p->map);
  const Codelet *each = plan_work((spread ? spread : p->map)->kid[0])->rule->codelet;
  if (p->map->placement == PLACEMENT_TRANSPOSED) return false; /* the rows that are copied are one vector's */
  if (r->few || p->sub->level->real != REAL_THREAD || !each || each->kind != CLASS_AUTONOMOUS) return false;
  for (int i = 0; i < r->map->nkids; i++) {
    const Tree *t = r->map->kid[i];
    View *v = t->op == OP_ROWS || t->op == OP_COLUMNS ? inline_view(l, p->e, t->kid[0]) : NULL;
    if (!v || !build_is(t->op == OP_ROWS ? v->plane.row_step : v->plane.column_step, 1)) continue;
    Tunable size = l->plan->sizes.at[1 + p->sub->level->depth].tunable;
    size.value = l->plan->machine->measured.loads_alone;
    size.max = MOST;
    lowering_constant(l, &size, "vectors in flight", TYPE_INT);
    return true;
  }
  return false;
}

/* What is below the loop over turns. */
static NestNode *workers(const Parts *p, NestAxis *group, const NestAxis *own, NestTail tail) {
  Arena *a = p->l->a;
  NestNode *each = open_plan(p->l, p->map->kid[0], NULL, USE_READ);
  if (p->slots) each = nest_over(a, p->slots, each);
  NestNode *made = nest_over(a, nest_again(a, own, own->name, own->binding, tail), each);
  return group ? nest_over(a, group, made) : made;
}

/* A vector whose lanes all have a part does the same in all of them; then there is one whose lanes may not. */
static NestNode *in_vectors(const Parts *p, NestAxis *turns, const NestAxis *own, NestTail tail) {
  Arena *a = p->l->a;
  NestNode *pieces = nest_node(a, NEST_PIECES, NULL);
  NestAxis *rest = nest_again(a, turns, turns->name, BINDING_LOOP, TAIL_GUARD);
  pieces->axis = turns;
  turns->until = UNTIL_WHOLE;
  turns->tail = TAIL_NONE;
  turns->unroll = takes_vectors(p) ? UNROLL_VECTORS : UNROLL_FREE;
  rest->until = UNTIL_ONCE;
  nest_add(a, pieces, nest_over(a, turns, workers(p, NULL, own, TAIL_NONE)));
  nest_add(a, pieces, nest_over(a, rest, workers(p, NULL, own, tail)));
  return pieces;
}

void shares_lower(Lowering *l, const PlanNode *n, const Place *sub, const Regroup *r, Environment *e, const Shares *s) {
  Arena *a = l->a;
  Parts p = {l, n, s->slots, sub, r, e};
  const bool cpu = l->plan->machine->is_cpu, alone = build_is(s->own, 0);
  NestAxis *turns = nest_dimension(a, "parts", ROLE_MAP, s->first, s->end), *group = NULL;
  turns->dim->each = s->each;
  turns->name = s->turn ? s->turn : "turn";
  if (s->groups) group = nest_split_workers(a, turns, "group", s->groups, "group", s->group);
  NestAxis *own = nest_split(a, group ? group : turns, "own", s->many, BINDING_IN_STEP);
  nest_bind(own, BINDING_IN_STEP, sub->level->name, s->own);
  NestTail tail = s->slots ? TAIL_REPEAT : alone ? TAIL_CLIP : idle_tail(n, r, sub);
  NestNode *all;
  if (cpu && !alone) all = in_vectors(&p, turns, own, tail);
  else {
    turns->unroll = n->jammed ? UNROLL_JAM : UNROLL_FREE;
    all = nest_over(a, turns, workers(&p, group, own, cpu ? TAIL_NONE : tail)); /* alone, every turn has a part */
  }
  realise(l, NULL, all, &(Carrying){.call = turn, .context = &p});
}
