/* chained_scan.c: a scan by the threads of a process, as a nest (MICRO VI-C, sliding).
 *
 * Threads take tiles in order, each as large as stays in a core's cache. Of its tile a thread sums up the total first,
 * which reads it from memory; then it waits for what stands before it, passes on what stands before the next one, and
 * scans the tile, which is in the cache by now: memory is read once and written once, as by one thread alone.
 *
 *     thread 0: | total 0 | scan 0        | total 2 | scan 2        |
 *     thread 1: | total 1 | . scan 1        | total 3 | scan 3        |
 *                         ^ waits for what stands before tile 1
 *
 * Each thread has as many tiles as each other one, unless they became small. Each begins with the tile of its own
 * number, which its core's cache has from the call before where all are no larger than the caches; from there on it
 * takes the next that nobody has, since cores are not equally fast at what comes from memory.
 *
 * Where the plan says so the thread first copies its tile into an array of its own, and reads it there both times: a
 * view's elements, which are computed or gathered, are so but once (MICRO V).
 *
 * A tile that is waited for has been taken, or a thread of the team begins with it, and so have those before it:
 * whoever runs, the first of them waits for nobody. So all comes to an end, with the same bits, however many threads
 * there are, and whichever of them rest; those behind a tile wait meanwhile.
 *
 * Requires a codelet that slides over a process, and names what sums a part up. Keeps the elements' order. */
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
static NestNode *copy_all(const Map *m, View *copy) {
  Arena *a = m->l->a;
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
  return all;
}

/* ---- a tile ---- */

/* The tile's total. A copy is made by whoever sums up, where that sees to it, else first. */
static NestNode *open_total(Lowering *l, const PlanNode *n, Work *w) {
  Map *m = w->begun;
  Arena *a = l->a;
  View **tile = &m->handed.at[0].view;
  m->handed = w->in;
  if (m->node->traversal == TRAVERSE_COPYING) *tile = copy_of(l, *tile, m->tile, m->node->rule->spectrum->result);
  Arguments whole = lowering_of(*tile);
  NestNode *total = open_plan(l, n, &m->sub, &whole, &m->each);
  if (!(*tile)->source.copying) return total;
  const char *said = arena_printf(a, "%s: what is read twice is copied the first time", m->sub.level->name);
  NestNode *made = nest_node(a, NEST_UNLESS, said);
  made->made = &(*tile)->source.copying->made;
  nest_add(a, made, copy_all(m, *tile));
  nest_add(a, made, total);
  return made;
}

static NestNode *open_scan(Lowering *l, const PlanNode *n, Work *w) {
  Map *m = w->begun;
  Arena *a = l->a;
  m->handed.at[0].view->source.copying = NULL; /* it is made */
  Arguments scanned = {.at = {m->handed.at[0], {.number = w->in.at[0].number}, m->handed.at[1]}, .n = 3};
  if (!m->to->place) return open_plan(l, n, &m->sub, &scanned, NULL);
  Destination *to = arena_one(a, Destination);
  NestNode *made = nest_node(a, NEST_SEQ, NULL);
  if (n->rule->codelet) {
    *to = (Destination){.kind = TO_REGISTER, .value = nest_value(a, "last", NEST_REGISTERS)};
    vec_push(a, &made->home, to->value);
  } else { /* of one lane, whose variables end with its work */
    NestValue *last = nest_shared(a, made, "last", m->node->rule->spectrum->result, NULL);
    *to = (Destination){.kind = TO_PLACE, .value = last, .place = last->now};
  }
  NestNode *scan = nest_add(a, made, open_plan(l, n, &m->sub, &scanned, to));
  nest_access(a, scan, to->value, USE_WRITE);
  nest_add(a, made, scan_deliver_last(l, m->sub, m->workers->number, m->workers->many, to->value, m->to->place));
  return made;
}

/* What a chain does with a tile: first its total, then, from what stands before it, its scan. */
static NestNode *nest_of(Map *m, const NestKernel *k, Tree *before) {
  Lowering *l = m->l;
  Arena *a = l->a;
  const Spectrum *s = m->node->rule->spectrum;
  NestNode *kernel = nest_kernel(a, k), *tile = nest_add(a, kernel, nest_over(a, m->workers, NULL));
  NestValue *total = nest_shared(a, tile, "total", s->result, NULL);
  nest_partial(a, total, m->workers);
  kernel->comment = maps_comment(m);
  m->each = (Destination){.kind = TO_PLACE, .place = total->now};
  NestNode *sum = nest_add(a, tile, open_plan(l, m->node->kid[1], &m->sub, NULL, &m->each));
  sum->work->part = (Part){.cut = &m->regroup, .e = &m->e, .which = m->workers->number, .who = "tile"};
  nest_access(a, sum, total, USE_ACCUMULATE);
  NestNode *join = nest_add(a, tile, nest_join(a, total, m->workers, WAY_CHAIN, NULL));
  NestNode *rest = nest_add(a, tile, nest_node(a, NEST_SEQ, NULL));
  Tree *kids[] = {tree_ref(a, l->program->tickets), m->workers->number, before, total->now};
  Tree *asks = build_tree(a, OP_CHAIN, s->result, kids, 4);
  asks->combines = s->op;
  join->join->to = nest_number(a, rest, "before", s->result, asks);
  const Arguments stands = {.at = {{.number = join->join->to->now}}, .n = 1};
  NestNode *scan = nest_add(a, rest, open_plan(l, m->node->kid[0], &m->sub, &stands, NULL));
  nest_access(a, scan, join->join->to, USE_READ);
  sum->work->again = open_total;
  scan->work->again = open_scan;
  sum->work->begun = scan->work->begun = m;
  return kernel;
}

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

NestNode *chained_scan_open(Lowering *l, const PlanNode *n, Work *w) {
  Arena *a = l->a;
  const Figures *figures = &l->plan->machine->measured;
  const Level *below = n->rule->below;
  Map *m = maps_of(l, n, below, w);
  lowering_comment(l, "%s", maps_comment(m));
  const Tunable *v = &l->plan->sizes.at[n->axis.size].tunable;
  Tree *most = tree_ref(a, lowering_constant(l, v, grid_most_workers(l), TYPE_INDEX)->symbol);
  Tree *elements = view_size(l, w->in.at[0].view), *lanes = tree_ref(a, l->now.threads);
  const int64_t large = n->traversal == TRAVERSE_COPYING ? figures->copy_vectors : figures->tile_vectors;
  m->tile = build_mul(a, lanes, tree_int(a, TYPE_INT, large));
  Tree *rounds = lowering_size(l, "rounds", build_ceil_div(a, elements, build_mul(a, m->tile, most)));
  Tree *fewest = build_ceil_div(a, elements, build_mul(a, lanes, tree_int(a, TYPE_INT, figures->tile_fewest)));
  Tree *many = build_min(a, build_mul(a, rounds, most), fewest);
  Tree *tiles = lowering_size(l, "tiles", build_max(a, many, build_index(a, 1)));
  Tree *p = lowering_size(l, "p", build_min(a, tiles, most));
  m->regroup = lowering_regroup(l, n, &m->e, tiles);
  if (l->failed) return NULL;
  grid_keep_grain(l, &m->regroup, grid_declare_grain(l));
  l->program->tickets = lowering_pointer(l, "tickets", TYPE_ULONG);
  l->program->workspace_tiles = tiles;
  l->program->chained_by = n->rule->spectrum->op;
  l->program->totals = n->rule->spectrum->result;
  m->workers = workers_of(m, tiles);
  const char *note =
      grid_worded(l, "Each %s takes tiles in turn: it computes the total, waits for the prefix, and scans.", below);
  return nest_of(m, &(NestKernel){.name = grid_plural(l, below), .note = note, .blocks = p}, w->in.at[1].number);
}
