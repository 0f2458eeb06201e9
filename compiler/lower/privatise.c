/* privatise.c: containers of a codelet's own, in shared memory (CGO III-B), as nests.
 *
 *     Array<1, unsigned> own(bins.Size());
 *     map(histogram<T>, partition(in, ..), own);     the lanes of a block contribute to it by atomics of the block
 *     merge<T>(own, bins);                           and then it is merged into what all blocks contribute to
 *
 *     when it fits
 *       elements loop x lane      own is the operator's identity
 *       parts lane                the plan of a part accumulates it, or the lane's copy: neighbours have different ones
 *       join over copies          elements loop x lane: they are added up
 *       the plan that merges
 *     else                        it is left out
 *       parts lane                the plan of a part accumulates what it would have been merged into */
#include "ir/operator.h"
#include "lower/realise.h"

typedef struct Private {
  Lowering *l;
  const PlanNode *node;
  const Place *place;
  Regroup regroup;
  Environment e, each;                 /* `each': .. as a lane contributes to its own container */
  OperatorKind op;
  Tree *size;                          /* elements of the container */
  NestAxis *parts, *copy;              /* the lanes; of a copy, and which copy is theirs: NULL: there is one */
  NestValue *own, *combined, *merged;  /* the copies; what is merged, into what */
  Destination *to;
} Private;

/* The call behind the map: what becomes of the container. */
static const Tree *call_behind(const Codelet *c) {
  for (int i = 0; i < c->body->nkids; i++)
    if (c->body->kid[i]->op == OP_RUN) return c->body->kid[i]->kid[0];
  return NULL;
}

/* ---- the nest ---- */

static void cut_parts(Private *p, int copies) {
  Arena *a = p->l->a;
  const Place *all = p->place;
  p->parts = nest_workers(a, "parts", ROLE_REDUCE, all->lanes, all->level->name, all->lane);
  if (copies < 2) return;
  Tree *many = tree_int(a, TYPE_INT, copies), *own = tree_binary(a, OP_REM, TYPE_INT, all->lane, many);
  p->copy = nest_split_workers(a, p->parts, "copy", many, all->level->name, own);
  p->parts->number = build_div(a, all->lane, many);
}

static NestValue *array(Private *p, const char *name, Type type, int64_t room, Tree *size) {
  NestValue *v = nest_shared(p->l->a, NULL, name, type, build_index(p->l->a, room));
  v->view = view_new(p->l, view_of_memory(p->l, v->symbol, size));
  return v;
}

static NestNode *over_elements(const Private *p, Tree *size, NestNode *stage) {
  const Place *all = p->place;
  NestAxis *i = nest_dimension(p->l->a, "elements", ROLE_MAP, build_index(p->l->a, 0), size);
  i->name = "i";
  NestAxis *lane = nest_split_workers(p->l->a, i, "lane", all->lanes, all->level->name, all->lane);
  return nest_over(p->l->a, i, nest_over(p->l->a, lane, stage));
}

/* The lane's copy: its element i stands at i * copies + the copy's number. */
static View *of_lane(const Private *p, const NestValue *v) {
  if (!v->kept.n) return v->view;
  View *made = view_new(p->l, *v->view);
  made->begin = p->copy->number;
  made->step = p->copy->extent;
  made->size = p->size;
  return made;
}

static NestNode *parts_into(const Private *p, NestValue *v, Environment *e) {
  NestAxis *const all[] = {p->parts, p->copy};
  const Place lane = lowering_place(p->l, p->node->rule->parts);
  e->own_view = of_lane(p, v);
  NestNode *made = open_plan(p->l, p->node->kid[0], &lane, NULL, NULL);
  made->work->part = (Part){.cut = &p->regroup, .e = e, .which = p->place->lane, .who = "thread"};
  nest_access(p->l->a, made, v, USE_ACCUMULATE);
  for (int i = p->copy != NULL; i >= 0; i--) {
    nest_partial(p->l->a, v, all[i]);
    made = nest_over(p->l->a, all[i], made);
  }
  return made;
}

static NestNode *nest_of(Private *p, Tree *fits) {
  Arena *a = p->l->a;
  NestNode *own = nest_node(a, NEST_SEQ, NULL);
  vec_push(a, &own->home, p->own);
  nest_add(a, own, over_elements(p, p->own->view->end, nest_operate(a, STAGE_FILL, p->op, p->own, NULL)));
  nest_add(a, own, parts_into(p, p->own, &p->each));
  nest_add(a, own, nest_join(a, p->own, p->parts, WAY_ATOMIC, NULL));
  if (p->copy) {
    vec_push(a, &own->home, p->combined);
    NestNode *by = over_elements(p, p->size, nest_operate(a, STAGE_COMBINE, p->op, p->combined, p->own));
    nest_add(a, own, nest_join(a, p->own, p->copy, WAY_LANES, by));
  }
  const Arguments both = {.at = {{.view = p->combined->view}, {.view = p->merged->view}}, .n = 2};
  NestNode *merge = nest_add(a, own, open_plan(p->l, p->node->kid[1], p->place, &both, p->to));
  nest_access(a, merge, p->combined, USE_READ);
  return nest_when(a, fits, own, parts_into(p, p->merged, &p->e));
}

/* ---- the map ---- */

NestNode *privatise_open(Lowering *l, const PlanNode *n, Work *w) {
  enum { MOST_BYTES = 32 << 10, NARROW = 4, WIDE = 8 };
  Arena *a = l->a;
  const Codelet *c = n->rule->codelet;
  const Symbol *own = rules_own_container(c);
  const Tree *call = call_behind(c);
  const Place *place = &w->place;
  Private *p = arena_one(a, Private);
  *p = (Private){.l = l, .node = n, .place = place, .to = w->to, .e = inline_environment(l, c, &w->in, NULL, place)};
  const bool cpu = l->plan->machine->is_cpu;
  lowering_comment(l, cpu ? "%s: %s, in an array of its own" : "%s > thread: %s, in shared memory", place->level->name,
                   lowering_source(l, c));
  p->regroup = lowering_regroup(l, n, &p->e, place->lanes);
  View *merged = call && call->nkids == 2 ? inline_view(l, &p->e, call->kid[1]) : NULL;
  if (l->failed) return NULL;
  if (!merged) {
    lowering_fail(l, c->where, "it does not say what its own container is merged into");
    return NULL;
  }
  p->op = operator_of_atomic(c->params[c->nparams - 1]->atomic);
  p->size = inline_expression(l, &p->e, own->length);
  p->e.own = own;
  const bool narrow = own->type == TYPE_INT || own->type == TYPE_UINT || own->type == TYPE_FLOAT;
  const int copies = n->copies > 1 ? n->copies : 1, room = MOST_BYTES / (narrow ? NARROW : WIDE);
  cut_parts(p, copies);
  p->own = p->combined = array(p, own->name, own->type, room, build_mul(a, p->size, build_index(a, copies)));
  if (p->copy) p->combined = array(p, "all", own->type, room / copies, p->size);
  if (p->copy) nest_keep(a, p->own, p->copy);
  p->merged = nest_value(a, merged->source.base->name, NEST_MEMORY);
  p->merged->view = merged;
  p->each = p->e;
  return nest_of(p, build_compare(a, OP_LE, p->size, build_index(a, room / copies)));
}
