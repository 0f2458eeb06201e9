/* maps.c: a compound codelet's map over a level's workers as a nest: each worker has one part, and a join makes one of what
 * they found.
 *
 *     kernel identity           only where blocks accumulate the result: it starts at the operator's identity
 *       fill
 *     kernel blocks             of a grid; below it there is one already
 *       parts block             the workers, the lanes of several levels at once too
 *         the plan of a part
 *       join parts              joins.c has the ways; a next launch stands behind the kernel
 *         the plan that combines
 *
 * A scan whose parts are summed up first (MICRO's reduce, scan, scan) is cut there: the join scans the sums, and a kernel more
 * scans each part, from what stands before it. Everything is read twice, and nobody waits for anybody but the end of a grid.
 * Both times a part is the same tile: as many elements as the block that scans it takes in so many turns. There are no more
 * of them than blocks, nor than sums that the one block can scan.
 *
 * For a grid the host's part comes first: how many blocks there are, and how long their parts. */
#include "ir/operator.h"
#include "lower/cuts.h"
#include "lower/maps.h"
#include "lower/scan.h"

/* Are parts summed up, and then scanned, in kernels of their own? */
static bool scans(const Map *m) { return plan_scans_twice(m->node); }

/* ---- the nest ---- */

const char *maps_comment(const Map *m) {
  const Rule *r = m->node->rule;
  const char *above = r->level->name, *below = m->sub.level->name, *source = lowering_source(m->l, r->codelet);
  const char *what = r->slides ? "%s > %s: %s, the next tile for the next %s" : "%s > %s: %s, one part a %s";
  return arena_printf(m->l->a, what, above, below, source, below);
}

static NestValue *results_of(const Map *m, NestWay way) {
  Arena *a = m->l->a;
  const Program *p = m->l->program;
  const bool grid = m->node->rule->level->real == REAL_GRID;
  const Symbol *memory = !grid ? NULL : way == WAY_POST ? p->posts : p->partial;
  if (grid && way == WAY_ATOMIC) memory = m->to->place->kid[0]->symbol;
  const bool lanes = way == WAY_CODELET && m->sub.level->real != REAL_WARP;
  const NestSpace space = memory ? NEST_MEMORY : lanes ? NEST_REGISTERS : NEST_SHARED;
  NestValue *v = nest_value(a, memory ? memory->name : "results", space);
  Tree *many = way == WAY_ATOMIC ? build_index(a, 1) : m->workers->dim->end;
  if (memory) v->view = view_new(m->l, view_of_memory(m->l, (Symbol *)memory, many));
  if (way != WAY_ATOMIC && way != WAY_CHAIN) nest_keep(a, v, m->workers);
  nest_partial(a, v, m->workers);
  return v;
}

/* The parts, and what makes one of their results. */
static NestNode *map_nest(Map *m, const NestKernel *kernel) {
  Lowering *l = m->l;
  Arena *a = l->a;
  const PlanNode *n = m->node;
  const NestWay way = joins_way(n);
  const bool one_block = way == WAY_TICKET || way == WAY_POST || way == WAY_PUSH, chain = way == WAY_CHAIN;
  NestNode *all = nest_node(a, NEST_SEQ, NULL), *inner = all;
  NestValue *results = n->combine == COMBINE_NONE && !chain ? NULL : results_of(m, way), *before = NULL;
  if (results) vec_push(a, &all->home, results);
  if (kernel && way == WAY_ATOMIC && results) {
    const char *note = "The accumulator starts at the operator's identity.";
    const NestKernel identity = {.name = "identity", .note = note, .blocks = build_index(a, 1), .alone = true};
    NestNode *first = nest_add(a, all, nest_kernel(a, &identity));
    nest_add(a, first, nest_operate(a, STAGE_FILL, n->rule->spectrum->op, results, NULL));
  }
  if (kernel) {
    inner = nest_add(a, all, nest_kernel(a, kernel));
    inner->comment = maps_comment(m);
  }
  NestNode *each = open_plan(l, n->kid[chain], results, USE_ACCUMULATE);
  const bool cut = m->regroup.cuts && m->workers->number;
  NestNode *parts = nest_add(a, inner, cut ? cuts_over(l, &m->regroup, m->workers, each) : nest_over(a, m->workers, each));
  if (!results) return all;
  const PlanNode *by = way == WAY_ATOMIC || chain ? NULL : one_block ? n->kid[1]->kid[0] : n->kid[1];
  NestNode *kid = by ? open_plan(l, by, NULL, USE_READ) : NULL;
  if (scans(m) || chain) vec_push(a, &all->home, before = nest_value(a, "before", NEST_REGISTERS));
  NestNode *join = nest_join(a, results, m->workers, way, kid);
  join->join->to = before;
  nest_add(a, chain ? parts : way == WAY_LAUNCH ? all : inner, join);
  if (chain) nest_add(a, parts, open_plan(l, n->kid[0], before, USE_READ));
  if (!scans(m)) return all;
  const NestKernel again = {.name = "parts", .blocks = kernel->blocks,
                            .note = grid_worded(l, "Each %s scans its part, from what stands before it.", m->sub.level)};
  inner = nest_add(a, all, nest_kernel(a, &again));
  inner->comment = maps_comment(m);
  nest_add(a, inner, nest_over(a, m->workers, open_plan(l, n->kid[2], before, USE_READ)));
  return all;
}

/* ---- carrying it out ---- */

/* Where the container begins that the map's first parts are cut from; NULL: it is a view that the map's text makes. */
static Tree *first_from(Map *m) {
  const Tree *cut = m->regroup.first && m->regroup.first->nkids ? m->regroup.first->kid[0] : NULL;
  const View *whole = cut && cut->op == OP_REF ? inline_view(m->l, &m->e, cut) : NULL;
  return whole ? whole->begin : NULL;
}

static void part(Map *m, const NestNode *n, Tree *which) {
  Lowering *l = m->l;
  const bool grid = m->node->rule->level->real == REAL_GRID, again = n->plan != m->node->kid[0];
  if (grid) joins_begin(m);
  const char *who = m->node->rule->given || !m->workers->number ? "part" : m->sub.level->name;
  Arguments handed = lowering_parts(l, again ? &m->again : &m->regroup, &m->e, which, who);
  if (l->failed) return;
  if (again) joins_take(m, &handed);
  if (again) m->each = (Destination){.kind = TO_NOWHERE};
  if (m->node->combine == COMBINE_NONE) m->each = lowering_own_place(l, &m->e, which);
  else if (m->results) m->each = (Destination){.kind = TO_PLACE, .place = build_element(l->a, m->results, which)};
  else if (!grid) joins_declare(m, joins_way(m->node));
  if (m->sub.level->real == REAL_BLOCK) {
    l->now.part = lowering_container(&handed);
    l->now.part_most = m->tile;
    l->now.part_from = first_from(m);
  }
  lowering_node(l, n->plan, &m->sub, &handed, &m->each);
}

static void carry_out(void *context, NestNode *n, Tree *at) {
  Map *m = context;
  if (n->kind == NEST_JOIN) joins_combine(m, n);
  else if (m->part) m->part(m, n);
  else part(m, n, m->workers->number ? m->workers->number : at);
}

void maps_carry_out(Map *m, const NestKernel *kernel) {
  const Carrying by = {.call = carry_out, .context = m, .launches = m->launches};
  realise(m->l, NULL, map_nest(m, kernel), &by);
}

NestAxis *maps_workers(const Map *m, Tree *number, Tree *many) {
  const bool scan = scans(m) || joins_way(m->node) == WAY_CHAIN;
  const NestRole role = scan ? ROLE_SCAN : m->node->combine == COMBINE_NONE ? ROLE_MAP : ROLE_REDUCE;
  return nest_workers(m->l->a, "parts", role, many, m->sub.level->name, number);
}

/* ---- a level below the grid ---- */

void maps_lower(Lowering *l, const PlanNode *n, const Place *p, Arguments *in, Destination *to) {
  Arena *a = l->a;
  const Level *below = n->axis.second ? n->axis.second : n->axis.level;
  Map m = {.l = l, .node = n, .place = *p, .to = to};
  m.e = inline_environment(l, n->rule->codelet, in, NULL, p);
  m.sub = lowering_place(l, below);
  Tree *number = p->lane, *many = p->lanes;
  if (below->real == REAL_WARP) lowering_workers(l, below, &number, &many);
  l->now.kernel->halves |= n->halves;
  lowering_comment(l, "%s", maps_comment(&m));
  m.regroup = lowering_regroup(l, n, &m.e, many);
  if (l->failed) return;
  if (n->rule->given) {
    const Shares all = {.first = build_index(a, 0), .end = m.regroup.parts, .many = many, .own = number};
    shares_lower(l, n, &m.sub, &m.regroup, &m.e, &all);
    return;
  }
  m.workers = maps_workers(&m, number, many);
  maps_carry_out(&m, NULL);
}

void maps_lower_loop(Lowering *l, const PlanNode *n, const Place *p, Arguments *in, Destination *to) {
  Arena *a = l->a;
  const Codelet *c = n->rule->codelet;
  const long long count = l->plan->sizes.at[n->axis.size].preset;
  const bool combines = n->combine == COMBINE_SPECTRUM;
  Map m = {.l = l, .node = n, .place = *p, .sub = lowering_place(l, n->axis.level), .to = to};
  m.e = inline_environment(l, c, in, NULL, p);
  lowering_comment(l, "%s: %s, %lld parts one after another", p->level->name, lowering_source(l, c), count);
  m.regroup = lowering_regroup(l, n, &m.e, build_index(a, count));
  if (l->failed) return;
  m.workers = nest_dimension(a, "parts", combines ? ROLE_REDUCE : ROLE_MAP, build_index(a, 0), m.regroup.parts);
  m.workers->name = "k";
  m.workers->counter = combines ? TYPE_INT : TYPE_VOID;
  if (combines) m.results = lowering_array(l, "part", n->kid[0]->rule->spectrum->result, m.regroup.parts);
  else lowering_name(l, "part");
  maps_carry_out(&m, NULL);
}

/* ---- a grid ---- */

/* How many blocks there are, by name: as many as parts are worth, and no more than the tunable says. */
static Symbol *declare_blocks(Map *m, View *container, Tree *served, Tree *grain) {
  Lowering *l = m->l;
  Arena *a = l->a;
  const SizeVar *v = &l->plan->sizes.at[m->node->axis.size];
  Tree *size = view_size(l, container);
  Tree *each = served ? served : grain ? grain : grid_enough_work(l);
  Tree *wanted = build_max(a, build_ceil_div(a, size, each), build_index(a, 1));
  if (!served) {
    SizeVar of_posting = *v;
    int places = posting_blocks(l->plan->spectrum->widest);
    if (of_posting.max > places || of_posting.max <= 0) of_posting.max = places;
    if (of_posting.preset > places) of_posting.preset = places;
    if (plan_sync(m->node) == SYNC_POST) v = &of_posting;
    const ProgramConstant *most = lowering_constant(l, "blocks", grid_most_workers(l), v, TYPE_INDEX);
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
      [WAY_TICKET] = "Each %s reduces its part; the last one combines the results.",
      [WAY_POST] = "Each %s reduces its part; the last one to begin combines the results."};
  const char *note = m->node->combine == COMBINE_NONE ? "Each %s does its part." : notes[way];
  return grid_worded(m->l, scans(m) ? "Each %s sums up its part." : note, m->sub.level);
}

/* Elements that a block scans in a turn. */
static Tree *declare_turn(Map *m, Arguments *in) {
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

void maps_lower_grid(Lowering *l, const PlanNode *n, Arguments *in, Tree *place, Statements *sizes,
                     Statements *launches) {
  Arena *a = l->a;
  const bool cpu = l->plan->machine->is_cpu;
  Destination to = {.kind = TO_PLACE, .place = place};
  Map m = {.l = l, .node = n, .to = &to, .sizes = sizes, .launches = launches};
  m.sub = (Place){.level = n->rule->below};
  m.e = inline_environment(l, n->rule->codelet, in, NULL, NULL);
  if (scans(&m) && !joins_own(&m)) return;
  Tree *served = scans(&m) ? NULL : lowering_serves(l, n->kid[0], n->rule->below);
  View *container = lowering_container(in);
  const bool whole = scans(&m) || (!served && plan_reads_in_slots(n->kid[0]));
  view_size(l, container);
  l->to = sizes;
  lowering_comment(l, "%s", maps_comment(&m));
  Tree *grain = !whole || (cpu && !scans(&m)) ? NULL : scans(&m) && !cpu ? declare_turn(&m, in) : grid_declare_grain(l);
  Symbol *p = declare_blocks(&m, container, served, cpu ? NULL : grain);
  if (!cut(&m, p, grain, whole)) return;
  m.place = m.sub = lowering_place(l, n->rule->below);
  m.workers = maps_workers(&m, build_lane(a, OP_BLOCK_ID), tree_ref(a, p));
  const NestWay way = joins_way(n);
  if (n->combine != COMBINE_NONE) joins_declare(&m, way);
  const char *name = scans(&m) ? "sums" : grid_plural(l, n->rule->below);
  maps_carry_out(&m, &(NestKernel){.name = name, .note = note_of(&m, way), .blocks = tree_ref(a, p)});
}
