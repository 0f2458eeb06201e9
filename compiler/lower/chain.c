/* chain.c: a scan by the threads of a process, as a nest (MICRO VI-C, sliding).
 *
 * Threads take tiles in order, each as large as stays in a core's cache. Of its tile a thread sums up the total first,
 * which reads it from memory; then it waits for what stands before it, passes on what stands before the next one, and
 * scans the tile, which is in the cache by now: memory is read once and written once, as by one thread alone.
 *
 *     thread 0: | total 0 | scan 0        | total 2 | scan 2        |
 *     thread 1: | total 1 | . scan 1        | total 3 | scan 3        |
 *                         ^ waits for what stands before tile 1
 *
 * Each thread has as many tiles as each other one, unless they became small. Each begins with the tile of its own number,
 * which its core's cache has from the call before where all are no larger than the caches; from there on it takes the next
 * that nobody has, since cores are not equally fast at what comes from memory.
 *
 * Where the plan says so the thread first copies its tile into an array of its own, and reads it there both times: a
 * view's elements, which are computed or gathered, are so but once (MICRO V).
 *
 * A tile that is waited for has been taken, or a thread of the team begins with it, and so have those before it: whoever runs,
 * the first of them waits for nobody. So all comes to an end, with the same bits, however many threads there are, and
 * whichever of them rest; those behind a tile wait meanwhile. */
#include "ir/operator.h"
#include "lower/maps.h"
#include "lower/scan.h"

/* ---- a copy ---- */

/* A part's elements, no more than `most', in an array of the thread's own, where they are yet to be copied. */
static View *copy_of(Lowering *l, View *from, Tree *most, Type type) {
  Arena *a = l->a;
  Symbol *copy = lowering_shared(l, "copy", type, most);
  copy->room = lowering_name(l, arena_printf(a, "%s_room", copy->name));
  Tree *size = view_size(l, from);
  if (size->op != OP_REF) size = lowering_size(l, "elements", size);
  View *made = view_new(l, view_of_memory(l, copy, size));
  made->source.copying = arena_one(a, Copying);
  made->source.copying->from = from;
  return made;
}

/* Copies all of them, a vector at a time. */
static void copy_all(Map *m, View *copy) {
  Lowering *l = m->l;
  Arena *a = l->a;
  const int names = l->now.names.n;
  NestAxis *i = nest_dimension(a, "n", ROLE_MAP, build_index(a, 0), copy->end);
  NestAxis *lane = nest_split(a, i, "lane", m->sub.lanes, BINDING_IN_STEP);
  nest_bind(lane, BINDING_IN_STEP, "lane", m->sub.lane);
  NestAxis *less = nest_again(a, i, i->name = "i", BINDING_LOOP, TAIL_NONE);
  i->until = UNTIL_WHOLE;
  i->tail = TAIL_NONE;
  less->until = UNTIL_ONCE;
  NestValue *from = open_memory(a, "original", (View *)copy->source.copying->from);
  NestNode *stage = open_copy(a, open_memory(a, copy->source.base->name, copy), from);
  NestNode *all = nest_node(a, NEST_PIECES, arena_printf(a, "%s: what is read twice is copied", m->sub.level->name));
  all->axis = i;
  nest_add(a, all, nest_over(a, i, nest_over(a, lane, stage)));
  nest_add(a, all, nest_over(a, less, nest_over(a, nest_again(a, lane, "lane", BINDING_IN_STEP, TAIL_GUARD), stage)));
  realise(l, NULL, all, &(Carrying){0});
  l->now.names.n = names;
}

/* ---- a tile ---- */

/* The tile's total. A copy is made by whoever sums up, where that sees to it, else first. */
static void sum_up(Map *m) {
  Lowering *l = m->l;
  const PlanNode *n = m->node;
  Symbol *sum = lowering_shared(l, "total", n->rule->spectrum->result, NULL);
  m->each = (Destination){.kind = TO_PLACE, .place = tree_ref(l->a, sum)};
  m->handed = lowering_parts(l, &m->regroup, &m->e, m->workers->number, "tile");
  if (l->failed) return;
  View **tile = &m->handed.at[0].view;
  if (n->placement == PLACEMENT_COPYING) *tile = copy_of(l, *tile, m->tile, sum->type);
  Arguments whole = lowering_of(*tile);
  Statements total = {0}, *outer = l->to;
  l->to = &total;
  lowering_node(l, n->kid[1], &m->sub, &whole, &m->each);
  l->to = outer;
  if ((*tile)->source.copying && !(*tile)->source.copying->made) copy_all(m, *tile);
  else if ((*tile)->source.copying)
    lowering_comment(l, "%s: what is read twice is copied the first time", m->sub.level->name);
  for (int i = 0; i < total.n; i++) lowering_add(l, total.at[i]);
  (*tile)->source.copying = NULL;
}

static void scan(Map *m) {
  Arguments scanned = {.at = {m->handed.at[0], {.number = m->before}, m->handed.at[1]}, .n = 3};
  Destination of_all = {.kind = m->to->place ? TO_REGISTER : TO_NOWHERE, .name = "last"};
  lowering_node(m->l, m->node->kid[0], &m->sub, &scanned, &of_all);
  if (!m->to->place || m->l->failed) return;
  Tree *last = tree_ref(m->l->a, of_all.value);
  scan_deliver_last(m->l, m->sub, m->workers->number, m->workers->many, last, m->to->place);
}

/* What a chain does with a tile: first its total, then its scan. */
static void part(Map *m, const NestNode *n) { (n->plan == m->node->kid[0] ? scan : sum_up)(m); }

/* ---- the grid ---- */

/* Workers begin with the tile of their own number, and go on with the next one that nobody has. */
static NestAxis *workers_of(const Map *m, Tree *tiles) {
  Arena *a = m->l->a;
  Symbol *number = symbol_new(a, SYMBOL_LOCAL, "tile", TYPE_INDEX);
  NestAxis *made = maps_workers(m, tree_ref(a, number), tiles);
  made->name = number->name;
  made->many = tiles;
  made->first = build_lane(a, OP_BLOCK_ID);
  Tree *next = tree_unary(a, OP_NEXT_TILE, TYPE_INDEX, tree_ref(a, m->l->program->tickets));
  made->next = build_add(a, build_lane(a, OP_GRID_DIM), next);
  return made;
}

void chain_lower_grid(Lowering *l, const PlanNode *n, Arguments *in, Tree *place, Statements *sizes,
                      Statements *launches) {
  Arena *a = l->a;
  const Figures *figures = &l->plan->machine->measured;
  const Level *below = n->rule->below;
  Destination to = {.kind = TO_PLACE, .place = place};
  Map m = {.l = l, .node = n, .to = &to, .launches = launches, .before = in->at[1].number, .sub = {.level = below}, .part = part};
  l->to = sizes;
  lowering_comment(l, "%s", maps_comment(&m));
  const Tunable *v = &l->plan->sizes.at[n->axis.size].tunable;
  Tree *most = tree_ref(a, lowering_constant(l, v, grid_most_workers(l), TYPE_INDEX)->symbol);
  Tree *elements = view_size(l, in->at[0].view), *lanes = tree_ref(a, l->now.threads);
  const int64_t large = n->placement == PLACEMENT_COPYING ? figures->copy_vectors : figures->tile_vectors;
  m.tile = build_mul(a, lanes, tree_int(a, TYPE_INT, large));
  Tree *rounds = lowering_size(l, "rounds", build_ceil_div(a, elements, build_mul(a, m.tile, most)));
  Tree *fewest = build_ceil_div(a, elements, build_mul(a, lanes, tree_int(a, TYPE_INT, figures->tile_fewest)));
  Tree *many = build_min(a, build_mul(a, rounds, most), fewest);
  Tree *tiles = lowering_size(l, "tiles", build_max(a, many, build_index(a, 1)));
  Tree *p = lowering_size(l, "p", build_min(a, tiles, most));
  m.place = m.sub = lowering_place(l, below);
  m.e = inline_environment(l, n->rule->codelet, in, NULL, NULL);
  m.regroup = lowering_regroup(l, n, &m.e, tiles);
  if (l->failed) return;
  grid_keep_grain(l, &m.regroup, grid_declare_grain(l));
  l->program->tickets = lowering_pointer(l, "tickets", TYPE_ULONG);
  l->program->workspace_tiles = tiles;
  l->program->chained_by = n->rule->spectrum->op;
  m.workers = workers_of(&m, tiles);
  const char *note = grid_worded(l, "Each %s takes tiles: the total of one, what stands before it, its scan.", below);
  maps_carry_out(&m, &(NestKernel){.name = grid_plural(l, below), .note = note, .blocks = p});
}
