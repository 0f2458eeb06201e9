/* privatise.c: containers of a codelet's own, in shared memory (CGO III-B), as nests.
 *
 *     Array<2, T> own(sums.Size(0), sums.Size(1));
 *     map(f<T>, partition(in, ..), own);             the lanes of a block contribute to it by atomics of the block
 *     merge<T>(own, sums);                           and then it is merged into what all blocks contribute to
 *
 *     when all of them fit, in as many copies as the plan has
 *       elements loop x lane      own is the operator's identity
 *       parts lane                the plan of a part accumulates it, or the lane's copy: neighbours have different ones
 *       join over copies          elements loop x lane: they are added up
 *       the plan that merges
 *     else when one copy fits     the same with one, in the same memory
 *     else                        they are left out
 *       parts lane                the plan of a part accumulates what they would have been merged into; parts are those
 *                                 of the spectrum's codelet whose lanes read side by side, if it has one: own
 *                                 containers are whole, so a lane of those has whole rows
 *
 * A codelet may have several, of any number of dimensions each: the elements lie in the order of a row-major container,
 * and all copies of one beside one another.
 *
 * Requires containers that are merged into what blocks contribute to. Keeps what is contributed. Breaks its order. */
#include "ir/operator.h"
#include "ir/owned.h"
#include "lower/maps.h"

/* One container. */
typedef struct Own {
  const Symbol *symbol;
  OperatorKind op;
  Tree *extents[MOST_RANK], *size;     /* its elements, by dimension, and all of them */
  NestValue *own, *combined, *merged;  /* the copies; what is merged, into what */
} Own;

typedef struct Private Private;
struct Private {
  Lowering *l;
  const PlanNode *node;
  const Place *place;
  Regroup regroup;
  Environment e, each;                 /* `each': .. as a lane contributes to its own containers */
  Owned owned;
  Own of[MOST_OPERANDS];
  Tree *number, *many;                 /* the workers: this one's number, and how many there are */
  Tree *copies;                        /* NULL: there is one */
  NestAxis *parts, *copy;              /* the workers; of a copy, and which copy is theirs; NULL: there is one */
  Destination *to;
  const Work *work;                    /* what the node is opened with */
  Private *fewer;                      /* .. with one copy, where so many do not fit; NULL: with none */
  Tree *fits;                          /* do they? */
};

/* ---- the nest ---- */

static void cut_parts(Private *p) {
  Arena *a = p->l->a;
  const char *level = p->place->level->name;
  const int copies = p->node->copies;
  p->parts = nest_workers(a, "parts", ROLE_REDUCE, p->many, level, p->number);
  if (copies == COPIES_OF_WARPS) {
    p->copies = p->many;
    p->copy = nest_split_workers(a, p->parts, "copy", p->many, level, p->number);
    p->parts->number = build_index(a, 0);
  } else if (copies > 1) {
    p->copies = tree_int(a, TYPE_INT, copies);
    Tree *own = tree_binary(a, OP_REM, TYPE_INT, p->number, p->copies);
    p->copy = nest_split_workers(a, p->parts, "copy", p->copies, level, own);
    p->parts->number = build_div(a, p->number, p->copies);
  }
}

static NestValue *array(Private *p, const char *name, Type type, Tree *room, Tree *size) {
  NestValue *v = nest_shared(p->l->a, NULL, name, type, room);
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

/* A container of its own as its codelet knows it, of the worker's copy. Neighbouring lanes have copies side by side,
 * whose element i stands at i * copies + the copy's number; warps' copies lie one behind the other, since a warp's
 * lanes share one. */
static View *container_of(const Private *p, const Own *o, const NestValue *v, const NestAxis *copy) {
  Arena *a = p->l->a;
  Tree *step = copy && !v->copy_stride ? copy->extent : build_index(a, 1);
  View *made = view_new(p->l, view_of_array(p->l, v->view->source.base, o->extents, o->symbol->rank, step));
  if (copy)
    made->begin = v->copy_stride ? build_mul(a, build_cast(a, TYPE_INDEX, copy->number), v->copy_stride) : copy->number;
  made->end = copy && v->copy_stride ? build_add(a, made->begin, o->size) : v->view->end;
  return made;
}

/* All that the plans below it accumulate. */
static void accesses(const Private *p, NestNode *n, bool own) {
  for (int i = 0; i < n->kids.n; i++) accesses(p, n->kids.at[i], own);
  for (int k = 0; n->kind == NEST_OPEN && k < p->owned.n; k++)
    nest_access(p->l->a, n, own ? p->of[k].own : p->of[k].merged, USE_ACCUMULATE);
}

/* As many parts as the text says: workers go through their shares of them. */
static NestNode *shares_into(Private *p, bool own, const Place *lane) {
  Map *m = arena_one(p->l->a, Map);
  PlanNode *n = arena_one(p->l->a, PlanNode);
  *n = *p->node;
  if (!own) n->traversal = TRAVERSE_PLAIN; /* rows are copied once only */
  *m = (Map){.l = p->l, .node = n, .regroup = p->regroup, .e = own ? p->each : p->e, .place = *p->place, .sub = *lane};
  const Shares all = {.first = build_index(p->l->a, 0), .end = p->regroup.parts, .many = p->many, .own = p->number};
  return shares_open(m, &all);
}

static NestNode *parts_into(Private *p, bool own) {
  Arena *a = p->l->a;
  const Place lane = lowering_place(p->l, p->node->rule->parts);
  const bool shares = p->node->rule->explicit_count;
  Environment *e = own ? &p->each : &p->e;
  for (int k = 0; k < p->owned.n; k++) {
    const Own *o = &p->of[k];
    View *v = own ? container_of(p, o, o->own, p->copy) : o->merged->view;
    vec_push(a, &e->between, ((Standing){o->symbol, v}));
  }
  NestNode *made;
  if (shares) made = shares_into(p, own, &lane);
  else {
    made = open_plan(p->l, p->node->kid[0], &lane, NULL, NULL);
    made->work->part = (Part){.cut = &p->regroup, .e = e, .which = p->number, .who = lane.level->name};
  }
  accesses(p, made, own);
  /* those who share are numbered below, and so are their copies, if each has one */
  const bool numbered = shares && (!p->copy || tree_equal(p->copy->number, p->number));
  NestAxis *const all[] = {p->parts, p->copy};
  for (int i = p->copy != NULL; i >= 0; i--) {
    for (int k = 0; k < p->owned.n; k++) nest_partial(a, own ? p->of[k].own : p->of[k].merged, all[i]);
    if (!numbered) made = nest_over(a, all[i], made);
  }
  return made;
}

static int cuts_of(const Codelet *c) {
  const Tree *map = plan_map_of(c);
  int most = 0;
  for (int i = 0; map && i < map->nkids; i++) {
    const int n = tree_cuts(map->kid[i]);
    if (n > most) most = n;
  }
  return most;
}

/* The codelet of the spectrum that maps the same over more cuts, of which lanes have every so many. */
static const Codelet *side_by_side(const Codelet *own) {
  const Spectrum *s = own->spectrum;
  const Tree *map = plan_map_of(own);
  for (int i = 0; map && i < s->ncodelets; i++) {
    const Codelet *c = s->codelets[i];
    const Tree *other = plan_map_of(c);
    if (!other || c == own || other->spectrum != map->spectrum || plan_tiling_of(c) != TILING_STRIDED) continue;
    if (cuts_of(c) > cuts_of(own)) return c;
  }
  return NULL;
}

/* The parts of that codelet, contributing to own containers or to the common ones. Its cuts number the workers. */
static NestNode *parts_beside(Private *p, const Codelet *c, bool own) {
  Arena *a = p->l->a;
  Rule *r = arena_one(a, Rule);
  PlanNode *n = arena_one(a, PlanNode);
  *r = *p->node->rule;
  r->codelet = c;
  r->privatises = false;
  r->tiling = TILING_STRIDED;
  *n = (PlanNode){.rule = r, .kid = {p->node->kid[0]}, .nkids = 1, .axis = p->node->axis, .sync = p->node->sync};
  Arguments in = p->work->in;
  for (int k = 0; k < p->owned.n && own; k++) {
    const Symbol *into = p->owned.merge[k]->kid[1]->symbol;
    for (int i = 0; i < in.n; i++)
      if (p->node->rule->codelet->params[i] == into) in.at[i].view = container_of(p, &p->of[k], p->of[k].own, p->copy);
  }
  NestNode *made = open_plan(p->l, n, p->place, &in, p->to);
  accesses(p, made, own);
  NestAxis *const all[] = {p->parts, p->copy};
  for (int i = p->copy != NULL; i >= 0; i--) {
    for (int k = 0; k < p->owned.n; k++) nest_partial(a, own ? p->of[k].own : p->of[k].merged, all[i]);
    made = nest_over(a, all[i], made);
  }
  return made;
}

/* What workers do. */
static NestNode *parts_of(Private *p, bool own) {
  const bool rows = p->node->traversal != TRAVERSE_PLAIN || p->l->plan->machine->is_cpu;
  const Codelet *c = rows || p->node->rule->explicit_count ? NULL : side_by_side(p->node->rule->codelet);
  return c ? parts_beside(p, c, own) : parts_into(p, own);
}

/* The copies become one. */
static void add_up(Private *p, const Own *o, NestNode *to) {
  Arena *a = p->l->a;
  nest_add(a, to, nest_join(a, o->own, p->parts, WAY_ATOMIC, NULL));
  if (!p->copy) return;
  vec_push(a, &to->home, o->combined);
  NestNode *by = over_elements(p, o->size, nest_operate(a, STAGE_COMBINE, o->op, o->combined, o->own));
  nest_add(a, to, nest_join(a, o->own, p->copy, WAY_LANES, by));
}

static NestNode *nest_of(Private *p) {
  Arena *a = p->l->a;
  NestNode *own = nest_node(a, NEST_SEQ, NULL);
  for (int k = 0; k < p->owned.n; k++) {
    NestValue *v = p->of[k].own;
    vec_push(a, &own->home, v);
    nest_add(a, own, over_elements(p, v->view->end, nest_operate(a, STAGE_FILL, p->of[k].op, v, NULL)));
  }
  nest_add(a, own, parts_of(p, true));
  for (int k = 0; k < p->owned.n; k++) add_up(p, &p->of[k], own);
  for (int k = 0; k < p->owned.n; k++) {
    const Own *o = &p->of[k];
    View *from = container_of(p, o, o->combined, NULL);
    const Arguments both = {.at = {{.view = from}, {.view = o->merged->view}}, .n = 2};
    NestNode *merge = nest_add(a, own, open_plan(p->l, p->node->kid[1 + p->owned.call[k]], p->place, &both, p->to));
    nest_access(a, merge, o->combined, USE_READ);
  }
  return nest_when(a, p->fits, own, p->fewer ? nest_of(p->fewer) : parts_of(p, false));
}

/* ---- the map ---- */

enum { WIDE_LOAD = 16 }; /* bytes */

/* Beside rows there is as much as a tunable says, in kilobytes. */
static Tree *tuned(const Private *p) {
  return plan_tunes_own(p->node) ? lowering_tunable(p->l, plan_own_name) : tree_int(p->l->a, TYPE_INT, 1);
}

/* How many elements of a container a block's shared memory holds, divided by so many; of a tunable one, a kilobyte of
 * it. */
static int64_t room_for(const Private *p, Type type, int share, int shares, int64_t by) {
  enum { NARROW = 4, WIDE = 8 };
  const Figures *f = &p->l->plan->machine->measured;
  const int64_t most = plan_tunes_own(p->node) ? 1024 : p->owned.n > 1 ? f->own_bytes_several : f->own_bytes;
  const int64_t bytes = most / shares * share;
  const bool narrow = type == TYPE_INT || type == TYPE_UINT || type == TYPE_FLOAT;
  const int widest = p->l->plan->spectrum->widest;
  if (type == TYPE_ELEM) return bytes / (widest <= WIDE_LOAD ? WIDE_LOAD : widest) / by;
  return bytes / WIDE_LOAD / by * (WIDE_LOAD / (narrow ? NARROW : WIDE)); /* what is behind begins at such a multiple */
}

/* .. in elements, of a type that is known where the text is compiled. */
static Tree *in_elements(const Private *p, Type type, int64_t room) {
  Arena *a = p->l->a;
  Tree *many = build_mul(a, build_index(a, room), build_cast(a, TYPE_INDEX, tuned(p)));
  const bool loads = type == TYPE_ELEM && p->l->plan->spectrum->widest <= WIDE_LOAD;
  return loads ? build_mul(a, many, build_cast(a, TYPE_INDEX, build_width(a, type))) : many;
}

/* Its elements, and where its copies are. */
static bool declare(Private *p, int k, int shares) {
  enum { FEW_WARPS = 8 };
  Lowering *l = p->l;
  Arena *a = l->a;
  Own *o = &p->of[k];
  const Symbol *s = o->symbol = p->owned.container[k];
  if (!p->owned.merge[k]) return lowering_fail(l, s->where, "it does not say what its own container is merged into");
  const Tree *into = p->owned.merge[k]->kid[1];
  const bool warps = p->node->copies == COPIES_OF_WARPS;
  View *merged = inline_view(l, &p->e, into);
  if (!merged) return lowering_fail(l, into->where, "this is not a container here");
  const AtomicOp given = into->symbol->atomic;
  o->op = operator_of_atomic(given == ATOMIC_SUB ? ATOMIC_ADD : given); /* what was taken off adds up */
  for (int d = 0; d < s->rank; d++) {
    o->extents[d] = inline_expression(l, &p->e, symbol_extent(s, d));
    o->size = d ? build_mul(a, o->size, o->extents[d]) : o->extents[d];
  }
  if (o->size->op != OP_REF && o->size->op != OP_INT && s->rank > 1)
    o->size = lowering_size(l, arena_printf(a, "%s_size", s->name), o->size);
  Tree *all = p->copies ? build_mul(a, o->size, build_cast(a, TYPE_INDEX, p->copies)) : o->size;
  Tree *room = in_elements(p, s->type, room_for(p, s->type, s->rank, shares, 1));
  const int64_t by = warps ? FEW_WARPS : p->node->copies > 1 ? p->node->copies : 1;
  Tree *most = in_elements(p, s->type, room_for(p, s->type, s->rank, shares, by)); /* of one */
  o->own = o->combined = array(p, s->name, s->type, room, all);
  const char *name = p->owned.n > 1 ? arena_printf(a, "all_%s", s->name) : "all";
  if (p->copy) o->combined = array(p, name, s->type, most, o->size);
  if (p->copy) nest_keep(a, o->own, p->copy);
  if (warps) o->own->copy_stride = o->size;
  o->merged = nest_value(a, merged->source.base->name, NEST_MEMORY);
  o->merged->view = merged;
  Tree *fit = build_compare(a, OP_LE, o->size, most);
  if (warps) fit = tree_binary(a, OP_LAND, TYPE_BOOL, fit, build_compare(a, OP_LE, all, room));
  p->fits = p->fits ? tree_binary(a, OP_LAND, TYPE_BOOL, p->fits, fit) : fit;
  return true;
}

/* The same with one copy each, which has the memory of all. */
static Private *with_one(const Private *p) {
  Arena *a = p->l->a;
  Private *q = arena_one(a, Private);
  PlanNode *n = arena_one(a, PlanNode);
  *n = *p->node;
  n->copies = 1;
  n->traversal = TRAVERSE_PLAIN; /* rows are copied once only */
  *q = *p;
  q->node = n;
  q->copies = q->fits = NULL;
  q->copy = NULL;
  cut_parts(q);
  for (int k = 0; k < q->owned.n; k++) {
    Own *o = &q->of[k];
    const Symbol *array = p->of[k].own->symbol;
    o->own = o->combined = nest_value(a, array->name, NEST_SHARED);
    o->own->view = view_new(p->l, view_of_memory(p->l, p->of[k].own->symbol, o->size));
    o->merged = nest_value(a, o->merged->name, NEST_MEMORY);
    o->merged->view = p->of[k].merged->view;
    Tree *fit = build_compare(a, OP_LE, o->size, array->length);
    q->fits = q->fits ? tree_binary(a, OP_LAND, TYPE_BOOL, q->fits, fit) : fit;
  }
  q->each = q->e;
  return q;
}

NestNode *privatise_open(Lowering *l, const PlanNode *n, Work *w) {
  Arena *a = l->a;
  const Codelet *c = n->rule->codelet;
  const Place *place = &w->place;
  Private *p = arena_one(a, Private);
  *p = (Private){.l = l, .node = n, .place = place, .to = w->to, .work = w,
                 .e = inline_environment(l, c, &w->in, NULL, place), .owned = owned_of(c)};
  const char *source = lowering_source(l, c), *above = place->level->name, *below = n->rule->parts->name;
  if (l->plan->machine->is_cpu)
    lowering_comment(l, "%s: %s, in %s of its own", above, source, p->owned.n > 1 ? "arrays" : "an array");
  else lowering_comment(l, "%s > %s: %s, in shared memory", above, below, source);
  p->number = place->lane;
  p->many = place->lanes;
  if (plan_private_by_vector(n->rule)) lowering_workers(l, n->rule->parts, &p->number, &p->many);
  p->regroup = lowering_regroup(l, n, &p->e, p->many);
  int shares = 0;
  for (int k = 0; k < p->owned.n; k++) shares += p->owned.container[k]->rank;
  cut_parts(p);
  for (int k = 0; k < p->owned.n && !l->failed; k++) declare(p, k, shares);
  if (l->failed) return NULL;
  p->each = p->e;
  const bool few = n->copies > 1 && !l->plan->machine->is_cpu;
  p->fewer = few ? with_one(p) : NULL;
  return nest_of(p);
}
