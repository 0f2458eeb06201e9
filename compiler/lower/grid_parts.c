/* grid_parts.c: a grid's map over as many parts as its text says, as a nest: blocks go through their shares of them.
 *
 * Few long segments, or the few long rows of a matrix, leave most of a machine without work where each is one block's,
 * or one lane's. So each is split once more (split-K): several blocks have a piece each. The pieces' results go to the
 * workspace, and a second kernel combines them; or they are accumulated atomically where the part's result is stored,
 * which a kernel before set to the identity. How many there are follows from the sizes and the number of blocks alone.
 *
 *     kernel identity           only where pieces accumulate
 *       parts loop x block x thread: fill
 *     kernel blocks
 *       pieces block            only where parts are split: block = group * pieces + piece
 *         the plan of the map   opens a nest for a share of the parts: shares.c
 *     join pieces               atomic, or by the next launch: a kernel whose parts are rows of the pieces' results
 *
 *   a grid      has many blocks: some have each part's pieces, as many as there is room for. A part's results lie side
 *               by side, and a block combines them. Where lanes have neighbouring parts (interleave.c), a piece's
 *               results lie side by side, and are combined in slices once more
 *   a process   has few threads: all share every part, each with a piece of all. A piece's results lie side by side, so
 *               that no two threads store in one cache line, and lanes combine those of neighbouring parts: they are
 *               the rows of a matrix whose columns are contiguous
 *
 * Where pieces are those of a part's only step, what is behind that is done once they are combined: the second kernel
 * opens the plan of a part again, which finds the pieces' results where it would cut the part.
 *
 * Requires as many parts as the text says, whose results are stored. Keeps a part's order: its pieces are combined
 * in theirs. Those that accumulate atomically have none. */
#include "ir/operator.h"
#include "lower/maps.h"

typedef struct GridParts {
  Map m;                   /* results: of all pieces */
  const PlanNode *split;   /* the map that cuts each part once more; NULL: there is none */
  Shares s;                /* many, own: of workers in step below the blocks */
  Tree *groups;            /* of blocks */
  Tree *share;             /* neighbouring parts of a group; NULL: groups iterate */
  const View *memory;      /* of slots: whose neighbouring parts' elements lie side by side; NULL: each has one part */
  NestAxis *pieces;        /* of a split part; NULL: it is not split */
  View *found;             /* in the kernel that combines pieces of a step: their results; NULL: it is another */
} GridParts;

static Tree *most_blocks(Lowering *l) { return tree_ref(l->a, program_constant(l->program, "blocks")->symbol); }

static Tree *at_least_one(Lowering *l, Tree *x) { return build_max(l->a, x, build_index(l->a, 1)); }

static Tree *no_more_than_blocks(Lowering *l, const char *name, Tree *wanted) {
  return lowering_size(l, name, at_least_one(l, build_min(l->a, wanted, most_blocks(l))));
}

/* Of each group as many neighbouring parts, on the host. */
static Tree *share_of(const GridParts *g, const char *name) {
  Arena *a = g->m.l->a;
  Tree *iterations = build_ceil_div(a, g->m.regroup.parts, build_mul(a, g->groups, g->s.many));
  return lowering_size(g->m.l, name, build_mul(a, iterations, g->s.many));
}

/* ---- what all parts have in common ---- */

static NestEach each_of(Lowering *l, const Regroup *r, Environment *e, View *container) {
  for (int i = 0; i < r->map->nkids && !r->first; i++) {
    const Tree *t = r->map->kid[i];
    const bool row = t->op == OP_ROWS;
    const View *v = row || t->op == OP_COLUMNS ? inline_view(l, e, t->kid[0]) : NULL;
    if (!v) continue;
    if (!build_is(row ? v->plane.column_step : v->plane.row_step, 1)) break;
    return row ? (NestEach){v->plane.columns, v->plane.row_step, NULL}
               : (NestEach){v->size, v->plane.column_step, NULL};
  }
  Tree *tile = r->first && lowering_cut_once(r) ? grid_tile(r) : NULL;
  if (!tile) return (NestEach){NULL, NULL, NULL};
  Tree *when = build_compare(l->a, OP_LE, build_mul(l->a, r->parts, tile), view_size(l, container));
  return (NestEach){tile, tile, when};
}

/* ---- pieces ---- */

/* Results of pieces: a part's are a row. */
static NestValue *results_of(GridParts *g) {
  Lowering *l = g->m.l;
  Symbol *partial = lowering_pointer(l, "partial", g->split->rule->spectrum->result);
  Tree *parts = g->m.regroup.parts, *pieces = g->pieces->dim->end, *one = build_index(l->a, 1);
  const bool by_pieces = l->plan->machine->is_cpu || g->memory;
  l->program->partial = partial;
  program_add_array(l->a, l->program, partial, build_mul(l->a, parts, pieces));
  NestValue *v = nest_value(l->a, "partial", NEST_MEMORY);
  v->view = view_new(l, view_of_memory(l, partial, parts));
  v->view->plane.columns = pieces;
  v->view->plane.row_step = by_pieces ? one : pieces;
  v->view->plane.column_step = by_pieces ? parts : one;
  nest_keep(l->a, v, g->pieces);
  return v;
}

/* On the host: how many blocks share each part: as many as the grid may have, where each has something to do. Returns
 * how many groups there are, which were to be `some': blocks of a group have a piece each of the same parts. On a CPU,
 * `some' are as many threads as the elements are worth, and all of them share every part. */
static Tree *split_parts(GridParts *g, Tree *some, Tree *elements) {
  Lowering *l = g->m.l;
  Arena *a = l->a;
  Tree *groups = build_index(a, 1), *pieces, *number = build_lane(a, OP_BLOCK_ID);
  lowering_comment(l, "each part is shared: %s", lowering_source(l, g->split->rule->codelet));
  if (l->plan->machine->is_cpu) pieces = lowering_size(l, "pieces", build_min(a, some, most_blocks(l)));
  else {
    Tree *enough = build_mul(a, tree_ref(a, l->now.threads), build_index(a, l->plan->machine->measured.lane_elements));
    groups = lowering_size(l, "groups", some);
    Tree *room = build_div(a, most_blocks(l), groups);
    Tree *wanted = build_ceil_div(a, build_div(a, elements, groups), enough);
    pieces = lowering_size(l, "pieces", at_least_one(l, build_min(a, room, wanted)));
    number = tree_binary(a, OP_REM, TYPE_INDEX, number, pieces);
  }
  g->pieces = nest_workers(a, "pieces", ROLE_REDUCE, pieces, "block", number);
  if (g->split->combine != COMBINE_ATOMIC) g->m.results = results_of(g);
  else {
    g->m.results = nest_value(a, "result", NEST_MEMORY);
    g->m.results->view = lowering_stored(l, &g->m.e);
  }
  nest_partial(a, g->m.results, g->pieces);
  return groups;
}

static NestNode *identities(const GridParts *g) {
  Lowering *l = g->m.l;
  Arena *a = l->a;
  Tree *threads = tree_ref(a, l->now.threads), *parts = g->m.regroup.parts;
  Tree *blocks = no_more_than_blocks(l, "beginning", build_ceil_div(a, parts, threads));
  const NestKernel k = {.name = "identity", .note = "Sets the results to the operator's identity.", .blocks = blocks};
  NestAxis *part = nest_dimension(a, "part", ROLE_MAP, build_index(a, 0), parts);
  NestAxis *block = nest_split_workers(a, part, "block", blocks, "block", build_lane(a, OP_BLOCK_ID));
  NestAxis *thread = nest_split_workers(a, block, "thread", threads, "thread", build_lane(a, OP_THREAD));
  NestNode *fill = nest_operate(a, STAGE_FILL, g->split->rule->spectrum->op, g->m.results, NULL);
  NestNode *kernel = nest_kernel(a, &k);
  nest_add(a, kernel, nest_over(a, part, nest_over(a, block, nest_over(a, thread, fill))));
  return kernel;
}

/* The axis of pieces, above the plan whose results these are. */
static const NestNode *pieces_above(const NestNode *n) {
  while (n->kind != NEST_AXIS || n->axis->binding != BINDING_WORKERS || n->axis->dim->role != ROLE_REDUCE) n = n->above;
  return n;
}

static Open open_share;

/* The map whose kernel is open. */
static const GridParts *map_above(const NestNode *n) {
  while (n->kind != NEST_OPEN || n->work->again != open_share) n = n->above;
  return n->work->begun;
}

bool grid_parts_combine(const Lowering *l) { return map_above(l->nest)->found != NULL; }

/* What the pieces of a part gave, as one. */
static NestNode *open_combination(Lowering *l, const PlanNode *n, const GridParts *g, const Work *w) {
  Arena *a = l->a;
  Environment e = {.private = g->found->source.base, .private_view = g->found};
  Tree *map = tree_new(a, OP_MAP, TYPE_VOID, (SourceRange){0}, 1);
  map->kid[0] = tree_unary(a, OP_ROWS, TYPE_VOID, tree_ref(a, (Symbol *)e.private));
  const Regroup rows = {.map = map, .parts = g->m.regroup.parts, .within = true, .few = true};
  const Arguments row = lowering_parts(l, &rows, &e, lowering_axis_of_parts(l)->at, "part");
  return open_plan(l, n->kid[1], &w->place, &row, w->to);
}

NestNode *grid_parts_open_piece(Lowering *l, const PlanNode *n, Work *w) {
  Arena *a = l->a;
  const GridParts *g = map_above(l->nest);
  if (g->found) return open_combination(l, n, g, w);
  const NestNode *above = pieces_above(l->nest);
  const View *all = above->kids.at[0]->stage->at.at[0].value->view;
  Tree *number = above->axis->number;
  lowering_comment(l, "%s: %s, one piece of many", w->place.level->name, lowering_source(l, n->rule->codelet));
  Environment e = inline_environment(l, n->rule->codelet, &w->in, NULL, &w->place);
  Regroup r = lowering_regroup(l, n, &e, above->axis->dim->end);
  if (l->failed) return NULL;
  if (w->place.level->real == REAL_BLOCK && plan_is_vectorised(n->kid[0]))
    grid_keep_grain(l, &r, grid_declare_grain(l));
  const Arguments piece = lowering_parts(l, &r, &e, number, "piece");
  Destination *to = arena_one(a, Destination);
  *to = (Destination){.kind = TO_ATOMIC, .place = w->to->place, .scope = SCOPE_DEVICE};
  if (n->combine == COMBINE_ATOMIC) to->atomic = operator_atomic_of_map(n->rule->codelet);
  else {
    Tree *row = build_mul(a, lowering_axis_of_parts(l)->at, all->plane.row_step);
    Tree *column = build_mul(a, number, all->plane.column_step);
    const bool by_pieces = build_is(all->plane.row_step, 1);
    Tree *at = by_pieces ? build_add(a, column, row) : build_add(a, row, column);
    *to = (Destination){.kind = TO_PLACE, .place = build_element(a, all->source.base, at)};
  }
  return open_plan(l, n->kid[0], &w->place, &piece, to);
}

/* ---- kernels ---- */

/* A group's share of the parts. */
static NestNode *open_share(Lowering *l, const PlanNode *n, Work *w) {
  (void)n;
  Arena *a = l->a;
  GridParts *g = w->begun;
  Tree *number = build_lane(a, OP_BLOCK_ID);
  if (g->pieces && g->pieces->number->op == OP_REM) {
    g->pieces->number = lowering_size(l, "piece", g->pieces->number);
    number = lowering_size(l, "group", build_div(a, number, g->pieces->dim->end));
  } else if (g->pieces) number = build_index(a, 0);
  Shares *s = &g->s;
  s->first = build_index(a, 0);
  s->end = g->m.regroup.parts;
  if (g->share) { /* neighbouring parts */
    s->first = lowering_size(l, "first", build_mul(a, number, g->share));
    s->end = lowering_size(l, "last", build_min(a, build_add(a, s->first, g->share), g->m.regroup.parts));
  } else {
    s->groups = g->groups;
    s->group = number;
  }
  if (g->memory) s->slots = interleave_vector(l, &g->m.regroup, &g->m.e, &s->own);
  return shares_open(&g->m, s);
}

/* One whose groups of blocks go through their shares of the parts. */
static NestNode *kernel(GridParts *g, const char *name, const char *note) {
  Lowering *l = g->m.l;
  Arena *a = l->a;
  Tree *blocks = g->pieces ? build_mul(a, g->groups, g->pieces->dim->end) : g->groups;
  NestNode *made = nest_kernel(a, &(NestKernel){.name = name, .note = note, .blocks = blocks});
  NestNode *plan = open_plan(l, g->m.node, &g->m.sub, NULL, NULL);
  plan->work->again = open_share;
  plan->work->begun = g;
  if (g->m.results) nest_access(a, plan, g->m.results, USE_ACCUMULATE);
  nest_add(a, made, g->pieces ? nest_over(a, g->pieces, plan) : plan);
  return made;
}

/* The same of pieces of a part's only step: the map as it is, where that step finds their results. */
static NestNode *combine_steps(const GridParts *whole) {
  Lowering *l = whole->m.l;
  GridParts *g = arena_one(l->a, GridParts);
  *g = (GridParts){.m = {.l = l, .node = whole->m.node, .e = whole->m.e, .regroup = whole->m.regroup},
                   .found = whole->m.results->view, .s.iteration = "part"};
  g->m.regroup.within = true;
  g->m.sub = lowering_place(l, whole->split->kid[1]->rule->level);
  lowering_workers(l, g->m.sub.level, &g->s.own, &g->s.many);
  g->groups = no_more_than_blocks(l, "combining", g->m.regroup.parts);
  return kernel(g, "combine", arena_printf(l->a, "Each %s combines the partial results of its parts and finishes them.",
                                           g->m.sub.level->name));
}

/* The kernel that combines the results of each part's pieces: a map over their rows, as if a codelet's text had it.
 * Each block goes from part to part, or takes neighbouring ones in slices; each thread of a process does, a lane
 * each. */
static NestNode *combine(const GridParts *whole) {
  Lowering *l = whole->m.l;
  Arena *a = l->a;
  const PlanNode *split = whole->split;
  if (split != plan_work(whole->m.node->kid[0])) return combine_steps(whole);
  Tree *parts = whole->m.regroup.parts;
  PlanNode *each = arena_one(a, PlanNode);
  *each = (PlanNode){.rule = split->rule, .kid = {split->kid[1]}, .nkids = 1};
  GridParts *made = arena_one(a, GridParts), g = {.m = {.l = l, .node = each, .e = whole->m.e}, .s.iteration = "part"};
  Symbol *partial = whole->m.results->view->source.base;
  g.m.e.private = partial;
  g.m.e.private_view = whole->m.results->view;
  Tree *map = tree_new(a, OP_MAP, TYPE_VOID, (SourceRange){0}, 1);
  map->kid[0] = tree_unary(a, OP_ROWS, TYPE_VOID, tree_ref(a, partial));
  g.m.regroup = (Regroup){.map = map, .parts = parts, .few = true};
  g.m.sub = lowering_place(l, split->kid[1]->rule->level);
  lowering_workers(l, g.m.sub.level, &g.s.own, &g.s.many);
  const char *note = "Each block combines the partial results of neighbouring parts.";
  if (l->plan->machine->is_cpu) {
    Tree *worth = build_ceil_div(a, build_mul(a, parts, whole->pieces->dim->end), grid_enough_work(l));
    g.groups = no_more_than_blocks(l, "combining", worth);
    g.share = share_of(&g, "combined");
    g.s.iteration = NULL;
    note = arena_printf(a, "Each %s combines the partial results of its share of the parts, one %s for each part.",
                        level_below(split->rule->below)->name, g.m.sub.level->name);
  } else if (whole->memory) {
    g.s.iteration = NULL;
    g.memory = g.m.e.private_view;
    g.s.many = partial->type == whole->memory->source.base->type ? whole->s.many : interleave_parts(l, g.memory);
    g.groups = no_more_than_blocks(l, "combining", build_ceil_div(a, parts, g.s.many));
  } else {
    g.m.regroup.within = true;
    g.groups = no_more_than_blocks(l, "combining", parts);
    note = arena_printf(a, "Each %s combines the partial results of its parts.", g.m.sub.level->name);
  }
  *made = g;
  return kernel(made, "combine", note);
}

/* ---- the host ---- */

static const char *note_of(const GridParts *g, const Level *blocks) {
  const bool adds = g->split && g->split->combine == COMBINE_ATOMIC;
  static const char *const notes[] = {
      "Each %s processes its share of the parts.", "Each %s processes one piece of each of its parts.",
      "Each %s processes one piece of each of its parts, and combines the partial results."};
  return grid_worded(g->m.l, notes[adds ? 2 : g->split != NULL], blocks);
}

/* The kernels: of the identity, of the parts or their pieces, and what makes one of each part's. */
static NestNode *kernels(GridParts *g, const char *name, const char *note, const char *comment) {
  Arena *a = g->m.l->a;
  const bool adds = g->split && g->split->combine == COMBINE_ATOMIC;
  NestNode *all = nest_node(a, NEST_SEQ, NULL);
  if (g->m.results) vec_push(a, &all->home, g->m.results);
  if (adds) nest_add(a, all, identities(g));
  nest_add(a, all, kernel(g, name, note))->comment = comment;
  if (!g->pieces) return all;
  NestNode *by = adds ? NULL : combine(g);
  nest_add(a, all, nest_join(a, g->m.results, g->pieces, adds ? WAY_ATOMIC : WAY_LAUNCH, by));
  return all;
}

NestNode *grid_parts_open(Lowering *l, const PlanNode *n, Work *w) {
  Arena *a = l->a;
  const Codelet *c = n->rule->codelet;
  const Level *below = n->rule->parts, *blocks = grid_level_of_blocks(l);
  const bool cpu = l->plan->machine->is_cpu;
  View *container = lowering_container(&w->in);
  const bool slots = plan_slices(n) != NULL;
  GridParts *g = arena_one(a, GridParts);
  *g = (GridParts){.m = {.l = l, .node = n}, .split = plan_spread(n)};
  const char *what = arena_printf(a, "%s > %s: %s, %s per %s", n->rule->level->name, below->name, lowering_source(l, c),
                                  slots ? "16 bytes of neighbouring parts" : "one part", below->name);
  if (n->combine != COMBINE_NONE) {
    lowering_fail(l, c->where, "results of as many parts as the text says are stored, not combined");
    return NULL;
  }
  lowering_comment(l, "%s", what);
  g->m.e = inline_environment(l, c, &w->in, NULL, NULL);
  g->m.regroup = lowering_regroup(l, n, &g->m.e, NULL);
  if (l->failed) return NULL;
  Tree *parts = g->m.regroup.parts;
  g->s.each = each_of(l, &g->m.regroup, &g->m.e, container);
  lowering_constant(l, &l->plan->sizes.at[n->axis.size].tunable, grid_most_workers(l), TYPE_INDEX);
  g->m.sub = lowering_place(l, below);
  lowering_workers(l, below, &g->s.own, &g->s.many);
  if (n->traversal == TRAVERSE_FLAT) flat_workers(l, &g->s);
  if (slots) g->s.many = interleave_parts(l, g->memory = interleave_memory(l, &g->m.regroup, &g->m.e));
  Tree *some = build_ceil_div(a, parts, g->s.many);
  if (cpu) {
    Tree *worth = build_ceil_div(a, view_elements(l, container), grid_enough_work(l));
    some = g->split ? worth : build_min(a, some, worth);
  }
  some = at_least_one(l, some);
  if (g->split) some = split_parts(g, some, view_elements(l, container));
  const bool one_group = build_is(some, 1); /* each part is shared by all */
  if (one_group) lowering_name(l, "p"); /* which no kernel's text has for something else */
  g->groups = one_group ? some : lowering_size(l, "p", build_min(a, some, most_blocks(l)));
  if (cpu && !one_group) g->share = share_of(g, "share");
  return kernels(g, grid_plural(l, blocks), note_of(g, blocks), what);
}
