/* maps.c: a compound codelet's map over a level's workers as a nest: each worker has one part, and a join makes one of
 * what they found.
 *
 *     kernel identity           only where blocks accumulate the result: it starts at the operator's identity
 *       fill
 *     kernel blocks             of a grid; below it there is one already
 *       parts block             the workers, the lanes of several levels at once too
 *         the plan of a part
 *       join parts              joins.c has the ways; a next launch stands behind the kernel
 *         the plan that combines
 *
 * A scan whose parts are summed up first (MICRO's reduce, scan, scan) is cut there: the join scans the sums, and a
 * kernel more scans each part, from what stands before it. Everything is read twice, and nobody waits for anybody but
 * the end of a grid. Both times a part is the same tile: as many elements as the block that scans it takes in so many
 * iterations. There are no more of them than blocks, nor than sums that the one block can scan.
 *
 * For a grid the host's part comes first: how many blocks there are, and how long their parts.
 *
 * Requires a map that is combined, or stored, as the plan's node says. Keeps the order of parts where a codelet
 * combines their results; atomics have none. */
#include "ir/operator.h"
#include "lower/cuts.h"
#include "lower/maps.h"
#include "lower/realise.h"
#include "lower/scan.h"

/* Are parts summed up, and then scanned, in kernels of their own? */
static bool scans(const Map *m) { return plan_scans_twice(m->node); }

/* ---- the nest ---- */

const char *maps_comment(const Map *m) {
  const Rule *r = m->node->rule;
  const char *above = r->level->name, *below = m->sub.level->name, *source = lowering_source(m->l, r->codelet);
  const char *what = r->slides ? "%s > %s: %s, the next tile to the next %s" : "%s > %s: %s, one part per %s";
  return arena_printf(m->l->a, what, above, below, source, below);
}

/* Where the container begins that the map's first parts are cut from; NULL: it is a view that the map's text makes. */
static Tree *first_from(Map *m) {
  const Tree *cut = m->regroup.first && m->regroup.first->nkids ? m->regroup.first->kid[0] : NULL;
  const View *whole = cut && cut->op == OP_REF ? inline_view(m->l, &m->e, cut) : NULL;
  return whole ? whole->begin : NULL;
}

/* What the plan does with a part. */
static NestNode *part_of(Map *m, const PlanNode *n, const Regroup *cut, Destination *to) {
  const NestAxis *x = m->workers;
  NestNode *made = open_plan(m->l, n, &m->sub, NULL, to);
  Work *w = made->work;
  w->part = (Part){.cut = cut, .e = &m->e, .which = x->number ? x->number : x->at, .most = m->tile};
  w->part.who = m->node->rule->explicit_count || !x->number ? "part" : m->sub.level->name;
  w->block = m->sub.level->real == REAL_BLOCK;
  if (w->block) w->part.from = first_from(m);
  return made;
}

static NestNode *identity(Map *m) {
  Arena *a = m->l->a;
  const char *note = "Sets the accumulator to the operator's identity.";
  const NestKernel k = {.name = "identity", .note = note, .blocks = build_index(a, 1), .alone = true};
  NestNode *made = nest_kernel(a, &k);
  nest_add(a, made, nest_operate(a, STAGE_FILL, m->node->rule->spectrum->op, m->results, NULL));
  return made;
}

/* Each block scans its part, from what stands before it, in a kernel more. */
static NestNode *scanned(Map *m, const NestKernel *kernel) {
  Lowering *l = m->l;
  Arena *a = l->a;
  const NestKernel again = {.name = "parts", .blocks = kernel->blocks,
                            .note = grid_worded(l, "Each %s scans its part, starting from its prefix.", m->sub.level)};
  NestNode *made = nest_kernel(a, &again);
  NestNode *part = part_of(m, m->node->kid[2], &m->again, NULL);
  part->work->again = joins_open_again;
  part->work->begun = m;
  made->comment = maps_comment(m);
  nest_add(a, made, nest_over(a, m->workers, part));
  return made;
}

NestNode *maps_nest(Map *m, const NestKernel *kernel) {
  Lowering *l = m->l;
  Arena *a = l->a;
  const PlanNode *n = m->node;
  const NestWay way = joins_way(n);
  NestNode *all = nest_node(a, NEST_SEQ, NULL), *inner = all;
  if (kernel && way == WAY_ATOMIC && m->results) nest_add(a, all, identity(m));
  if (kernel) {
    inner = nest_add(a, all, nest_kernel(a, kernel));
    inner->comment = maps_comment(m);
  }
  if (m->results) vec_push(a, m->results->space == NEST_MEMORY ? &all->home : &inner->home, m->results);
  else m->each = lowering_place_of(l, &m->e, m->workers->number ? m->workers->number : m->workers->at);
  const bool cut = m->regroup.cuts && m->workers->number;
  NestAxis *over = m->workers;
  NestNode *parts = cut ? cuts_over(l, &m->regroup, m->workers, inner, m->results, &over)
                        : nest_add(a, inner, nest_over(a, m->workers, NULL));
  joins_begin(m, parts);
  NestNode *part = nest_add(a, parts, part_of(m, n->kid[0], &m->regroup, &m->each));
  if (!m->results) return all;
  nest_access(a, part, m->results, USE_ACCUMULATE);
  NestNode *join = nest_join(a, m->results, over, way, joins_by(m, way));
  nest_add(a, way == WAY_LAUNCH ? all : inner, join);
  if (way == WAY_ATOMIC && !kernel) nest_add(a, inner, open_deliver(l, &m->place, m->results, m->to));
  if (!scans(m)) return all;
  join->join->to = nest_value(a, "before", NEST_REGISTERS);
  nest_add(a, all, scanned(m, kernel));
  return all;
}

Map *maps_of(Lowering *l, const PlanNode *n, const Level *below, const Work *w) {
  Map *m = arena_one(l->a, Map);
  *m = (Map){.l = l, .node = n, .place = w->place, .sub = lowering_place(l, below), .to = w->to};
  /* a block does both */
  if (w->place.level->real == REAL_GRID || n->rule->level->real == REAL_CLUSTER) m->place = m->sub;
  m->e = inline_environment(l, n->rule->codelet, &w->in, NULL, &w->place);
  return m;
}

NestAxis *maps_workers(const Map *m, Tree *number, Tree *many) {
  const bool scan = scans(m) || joins_way(m->node) == WAY_CHAIN;
  const NestRole role = scan ? ROLE_SCAN : m->node->combine == COMBINE_NONE || m->regroup.cuts ? ROLE_MAP : ROLE_REDUCE;
  return nest_workers(m->l->a, "parts", role, many, m->sub.level->name, number);
}

/* ---- a level below the grid ---- */

NestNode *maps_open(Lowering *l, const PlanNode *n, Work *w) {
  Arena *a = l->a;
  const Level *below = n->axis.second ? n->axis.second : n->axis.level;
  Map *m = maps_of(l, n, below, w);
  Tree *number = w->place.lane, *many = w->place.lanes;
  if (below->real == REAL_WARP) lowering_workers(l, below, &number, &many);
  lowering_comment(l, "%s", maps_comment(m));
  m->regroup = lowering_regroup(l, n, &m->e, many);
  if (l->failed) return NULL;
  if (n->rule->explicit_count) {
    const Shares all = {.first = build_index(a, 0), .end = m->regroup.parts, .many = many, .own = number};
    return shares_open(m, &all);
  }
  m->workers = maps_workers(m, number, many);
  if (n->traversal == TRAVERSE_HALVES) m->workers->bytes = (int)l->plan->machine->measured.half_bytes;
  if (n->combine != COMBINE_NONE) joins_declare(m, joins_way(n));
  return maps_nest(m, NULL);
}

NestNode *maps_open_loop(Lowering *l, const PlanNode *n, Work *w) {
  Arena *a = l->a;
  const Codelet *c = n->rule->codelet;
  const long long count = l->plan->sizes.at[n->axis.size].tunable.value;
  const bool combines = n->combine == COMBINE_SPECTRUM;
  Map *m = maps_of(l, n, n->axis.level, w);
  lowering_comment(l, "%s: %s, %lld parts one after another", w->place.level->name, lowering_source(l, c), count);
  m->regroup = lowering_regroup(l, n, &m->e, build_index(a, count));
  if (l->failed) return NULL;
  m->workers = nest_dimension(a, "parts", combines ? ROLE_REDUCE : ROLE_MAP, build_index(a, 0), m->regroup.parts);
  nest_count(a, m->workers, "k", combines ? TYPE_INT : TYPE_INDEX);
  if (combines) joins_declare(m, WAY_CODELET);
  else lowering_name(l, "part");
  return maps_nest(m, NULL);
}

/* ---- a grid ---- */

/* What the map cuts, or else the first container: lanes may all read a short one first. */
static View *divided(const Map *m, const Arguments *in) {
  const Codelet *c = m->node->rule->codelet;
  const Tree *map = plan_map_of(c);
  for (int i = 0; map && i < map->nkids; i++) {
    const Tree *of = map->kid[i]->op == OP_PARTITION ? map->kid[i]->kid[0] : NULL;
    for (int k = 0; of && of->op == OP_REF && k < c->nparams && k < in->n; k++)
      if (c->params[k] == of->symbol && in->at[k].view) return in->at[k].view;
  }
  return lowering_container(in);
}

/* How many blocks there are, by name: as many as parts are worth, and no more than the tunable says. */
static Symbol *declare_blocks(Map *m, const Arguments *in, Tree *served, Tree *grain) {
  Lowering *l = m->l;
  Arena *a = l->a;
  const Tunable *v = &l->plan->sizes.at[m->node->axis.size].tunable;
  Tree *size = view_size(l, divided(m, in)), *unit = unit_rows_worth(l, m->node, in, &m->place);
  Tree *each = served ? served : grain ? grain : unit ? unit : grid_enough_work(l);
  Tree *wanted = build_max(a, build_ceil_div(a, size, each), build_index(a, 1));
  if (!served) {
    Tunable of_posting = *v;
    int places = posting_blocks(l->plan->spectrum->widest);
    if (of_posting.max > places || of_posting.max <= 0) of_posting.max = places;
    if (of_posting.value > places) of_posting.value = places;
    if (plan_sync(m->node) == SYNC_POST) v = &of_posting;
    const ProgramConstant *most = lowering_constant(l, v, grid_most_workers(l), TYPE_INDEX);
    wanted = build_min(a, wanted, tree_ref(a, most->symbol));
  }
  Tree *sums = scans(m) ? lowering_serves(l, m->node->kid[1], m->node->rule->level) : NULL;
  if (sums) wanted = build_min(a, wanted, sums);
  Symbol *p = lowering_fixed(l, "p", TYPE_INDEX, wanted);
  if (served) grid_refuse_above(l, tree_ref(a, p), build_index(a, l->plan->machine->grid_max));
  return p;
}

static const char *note_of(const Map *m, NestWay way) {
  static const char *const notes[] = {
      [WAY_CODELET] = "", [WAY_ATOMIC] = "Each %s reduces its part and adds it to the accumulator.",
      [WAY_LAUNCH] = "Each %s reduces its part.",
      [WAY_TICKET] = "Each %s reduces its part; the last one to finish combines the results.",
      [WAY_POST] = "Each %s reduces its part; the last one to start combines the results."};
  const char *note = m->node->combine == COMBINE_NONE ? "Each %s processes its part." : notes[way];
  return grid_worded(m->l, scans(m) ? "Each %s computes the total of its part." : note, m->sub.level);
}

/* Elements that a block scans in an iteration. */
static Tree *declare_iteration(Map *m, Arguments *in) {
  Lowering *l = m->l;
  Scan s = scan_of(l, m->node->kid[2], in);
  return lowering_size(l, "turn", scan_tile_size(&s, tree_ref(l->a, l->now.threads)));
}

/* How the codelet cuts its container, into parts of whole grains where these are gone through as a whole. */
static bool cut(Map *m, Symbol *p, Tree *grain, bool whole) {
  Lowering *l = m->l;
  const bool cpu = l->plan->machine->is_cpu;
  m->regroup = lowering_regroup(l, m->node, &m->e, tree_ref(l->a, p));
  if (scans(m)) m->again = lowering_regroup_again(l, m->node, &m->e);
  if (l->failed) return false;
  whole = whole && (scans(m) || lowering_cut_once(&m->regroup));
  if (whole && cpu && !grain && grid_tile(&m->regroup)) grain = grid_declare_grain(l);
  m->tile = whole && grain ? grid_keep_grain(l, &m->regroup, grain) : NULL;
  m->again.start = m->regroup.start;
  m->again.end = m->regroup.end;
  return true;
}

NestNode *maps_open_grid(Lowering *l, const PlanNode *n, Work *w) {
  Arena *a = l->a;
  const bool cpu = l->plan->machine->is_cpu;
  Map *m = maps_of(l, n, n->rule->below, w);
  if (scans(m) && !joins_carried(m)) return NULL;
  Tree *served = scans(m) ? NULL : lowering_serves(l, n->kid[0], n->rule->below);
  View *container = lowering_container(&w->in);
  const bool whole = scans(m) || (!served && plan_is_vectorised(n->kid[0]));
  view_size(l, container);
  lowering_comment(l, "%s", maps_comment(m));
  Tree *grain = !whole || (cpu && !scans(m)) ? NULL
                : scans(m) && !cpu           ? declare_iteration(m, &w->in)
                                             : grid_declare_grain(l);
  Symbol *p = declare_blocks(m, &w->in, served, cpu ? NULL : grain);
  if (!cut(m, p, grain, whole)) return NULL;
  m->workers = maps_workers(m, build_lane(a, OP_BLOCK_ID), tree_ref(a, p));
  const NestWay way = joins_way(n);
  if (n->combine != COMBINE_NONE) joins_declare(m, way);
  const char *name = scans(m) ? "sums" : grid_plural(l, n->rule->below);
  return maps_nest(m, &(NestKernel){.name = name, .note = note_of(m, way), .blocks = tree_ref(a, p)});
}
