/* scan_grid.c: scans that slide over the blocks of a grid: a tile a block, of one container or of each of many parts
 * (MICRO VI-C). carry.c says how blocks learn what stands before their tiles.
 *
 * Requires a grid's codelet that slides. Keeps the order of the tiles. */
#include "lower/scan.h"

/* What a grid's tiles are of: one container, or one of many parts for each `each' of them. */
typedef struct Tiles {
  Scan s;
  const PlanNode *root, *slide; /* the plan's, and the node whose map has the tiles */
  Tree *blocks, *lead;          /* `lead': of one container */
  Regroup parts;
  Environment e;
  Tree *place;                  /* where the total of all goes; NULL: nobody asks for it */
} Tiles;

/* Declares, for the host, how many tiles there are: no more than blocks of a grid. */
static void declare_tiles(Tiles *t, Tree *many) {
  Lowering *l = t->s.l;
  Arena *a = l->a;
  Program *program = l->program;
  Tree *tiles = t->s.blocks.tiles = lowering_size(l, "tiles", build_max(a, many, build_index(a, 1)));
  grid_refuse_above(l, tiles, build_index(a, l->plan->machine->grid_max));
  program->tickets = lowering_pointer(l, "tickets", TYPE_ULONG);
  program->words = lowering_pointer(l, "posted", TYPE_ULONG);
  program->workspace_tiles = tiles;
  program->totals = t->slide->rule->spectrum->result;
  t->s.blocks.scanner = plan_slides_by(t->slide) == SYNC_POST;
  t->blocks = t->s.blocks.scanner ? build_add(a, tiles, build_index(a, 1)) : tiles;
}

/* What a part's node that slides is applied to. */
static Arguments part_of(Tiles *t, Tree *k) {
  Lowering *l = t->s.l;
  Arguments part = lowering_parts(l, &t->parts, &t->e, k, "part");
  Place block = lowering_place(l, t->slide->rule->level);
  for (const PlanNode *n = t->root->kid[0]; n != t->slide; n = n->kid[0])
    part = lowering_applied(l, n->rule->codelet, &block, &part);
  return part;
}

/* Of many parts: the one that this block's tile is of, as what is scanned. */
static void enter_part(Tiles *t) {
  Scan *s = &t->s;
  Lowering *l = s->l;
  Arena *a = l->a;
  const Blocks blocks = s->blocks;
  /* there are no more tiles than blocks of a grid: 32 bits hold them, and are divided sooner */
  Tree *before = build_div(a, build_cast(a, TYPE_UINT, blocks.tile), build_cast(a, TYPE_UINT, blocks.each));
  Tree *k = lowering_size(l, "k", before), *per = s->per;
  Arguments part = part_of(t, k);
  if (l->failed) return;
  *s = scan_of(l, t->slide, &part);
  s->per = per;
  s->blocks = blocks;
  if (s->size->op != OP_REF) s->size = lowering_size(l, "elements", s->size);
  s->blocks.own = build_sub(a, blocks.tile, build_mul(a, k, blocks.each));
  t->lead = lowering_size(l, "lead", scan_lead(s));
}

/* A block takes the tile of the number as which it has begun; of a scanner's that of the one before. */
static NestNode *take_tile(Tiles *t, Work *w, NestNode *to) {
  Scan *s = &t->s;
  Lowering *l = s->l;
  Arena *a = l->a;
  NestNode *all = nest_node(a, NEST_SEQ, NULL);
  NestValue *taken = nest_shared(a, to, "taken", TYPE_ULONG, NULL);
  Tree *take = tree_binary(a, OP_TICKET, TYPE_ULONG, tree_ref(a, l->program->tickets), t->blocks);
  NestNode *sync = nest_add(a, to, nest_sync(a, build_if(a, w->place.leader, build_assign(a, taken->now, take))));
  nest_access(a, sync, taken, USE_WRITE);
  s->blocks.ticket = nest_number(a, all, "ticket", TYPE_ULONG, taken->now)->now;
  Tree *begun = build_cast(a, TYPE_INDEX, build_cast(a, TYPE_UINT, s->blocks.ticket));
  if (s->blocks.scanner) begun = build_sub(a, begun, build_index(a, 1));
  s->blocks.tile = nest_number(a, all, "tile", TYPE_INDEX, begun)->now;
  return nest_add(a, to, all);
}

/* The scanner has no tile, and tells the others. */
static NestNode *tell(const Tiles *t, NestNode *work) {
  const Blocks *b = &t->s.blocks;
  Arena *a = t->s.l->a;
  Tree *kids[] = {tree_ref(a, t->s.l->program->words), b->tiles, b->ticket, b->each};
  NestNode *tell = nest_sync(a, build_tree(a, OP_SCANNER, TYPE_VOID, kids, b->each ? 4 : 3));
  return nest_when(a, build_compare(a, OP_LT, b->tile, build_index(a, 0)), tell, work);
}

/* Rows of 16 bytes that a block keeps while it waits. A lane of a matrix unit keeps its elements, which are narrower
 * than what they are added up in, and sums of rows. */
static Tree *kept_rows(Scan *s, Tree *lanes) {
  Arena *a = s->l->a;
  if (s->again) return rescan_kept(s, lanes);
  Tree *rows = build_mul(a, lanes, s->loads);
  if (!s->unit) return rows;
  return build_div(a, build_mul(a, rows, tree_int(a, TYPE_INT, 3)), tree_int(a, TYPE_INT, 4));
}

static NestNode *open_tile(Lowering *l, const PlanNode *n, Work *w) {
  Tiles *t = w->begun;
  Scan *s = &t->s;
  NestValue *all;
  if (s->blocks.each) enter_part(t);
  NestNode *made = l->failed ? NULL : scan_by_tiles(s, n, &w->place, t->lead, NULL, &all);
  l->now.kernel->kept = kept_rows(s, w->place.lanes);
  if (t->place && made) /* below the tile, whose total it is */
    nest_add(l->a, made->kids.at[0], scan_deliver_last(l, w->place, s->blocks.tile, s->blocks.tiles, all, t->place));
  return made;
}

static NestNode *open_block(Lowering *l, const PlanNode *n, Work *w) {
  Arena *a = l->a;
  Tiles *t = w->begun;
  Scan *s = &t->s;
  NestNode *made = nest_node(a, NEST_SEQ, NULL);
  if (!s->single) s->per = scan_fixed(s, "per", TYPE_INT, s->per);
  l->now.kernel->kept_type = s->type;
  l->now.kernel->lane_registers = s->again ? 0 : (int)l->plan->machine->registers_lane;
  NestNode *work = open_plan(l, n, &w->place, NULL, NULL), *in = take_tile(t, w, made);
  work->work->again = open_tile;
  work->work->begun = t;
  nest_add(a, in, s->blocks.scanner ? tell(t, work) : work);
  return made;
}

static NestNode *kernel_of(Tiles *t, const Level *below) {
  Lowering *l = t->s.l;
  Arena *a = l->a;
  const char *note = t->s.blocks.scanner ? "Each block scans a tile; the first to start computes every tile's prefix."
                                : "Each block scans a tile, and finds its prefix by decoupled look-back.";
  NestNode *kernel = nest_kernel(a, &(NestKernel){.name = "tiles", .note = note, .blocks = t->blocks});
  const Place block = lowering_place(l, t->slide->rule->parts);
  NestNode *work = nest_add(a, kernel, open_plan(l, t->slide, &block, NULL, NULL));
  work->work->again = open_block;
  work->work->begun = t;
  kernel->comment = arena_printf(a, "%s > %s: %s, one tile per %s, in the order in which they begin",
                                 l->plan->root->rule->level->name, below->name,
                                 lowering_source(l, t->slide->rule->codelet), below->name);
  return kernel;
}

NestNode *scan_open_grid(Lowering *l, const PlanNode *n, Work *w) {
  Arena *a = l->a;
  const Level *below = n->rule->below;
  Tiles *t = arena_one(a, Tiles);
  *t = (Tiles){.s = scan_of(l, n, &w->in), .root = n, .slide = n, .place = w->to->place};
  Scan *s = &t->s;
  s->compacts = n->traversal == TRAVERSE_COMPACTED;
  lowering_comment(l, "%s > %s: %s, one tile per %s", n->rule->level->name, below->name,
                   lowering_source(l, n->rule->codelet), below->name);
  t->lead = lowering_size(l, "lead", scan_lead(s));
  Tree *size = scan_tile_size(s, tree_ref(a, l->now.threads));
  declare_tiles(t, build_ceil_div(a, build_add(a, s->size, t->lead), size));
  return kernel_of(t, below);
}

/* How many elements each line of a matrix has; NULL: parts are no lines. */
static Tree *line_length(Tiles *t) {
  const Tree *map = t->parts.map;
  for (int i = 0; i < map->nkids && !t->parts.first; i++) {
    const Op op = map->kid[i]->op;
    if (op != OP_ROWS && op != OP_COLUMNS) continue;
    const View *v = inline_view(t->s.l, &t->e, map->kid[i]->kid[0]);
    return op == OP_ROWS ? v->plane.columns : v->size;
  }
  return NULL;
}

NestNode *scan_open_parts(Lowering *l, const PlanNode *n, Work *w) {
  Arena *a = l->a;
  const PlanNode *slide = plan_spread(n);
  const Level *block = slide->rule->level;
  Tiles *t = arena_one(a, Tiles);
  lowering_comment(l, "%s > %s: %s, and its tiles: %s, one per %s", n->rule->level->name, block->name,
                   lowering_source(l, n->rule->codelet), lowering_source(l, slide->rule->codelet), block->name);
  *t = (Tiles){.root = n, .slide = slide, .e = inline_environment(l, n->rule->codelet, &w->in, NULL, NULL)};
  t->parts = lowering_regroup(l, n, &t->e, NULL);
  t->s.l = l;
  Tree *line = l->failed ? NULL : line_length(t), *length = l->failed ? NULL : line ? line : grid_tile(&t->parts);
  if (!length) {
    lowering_fail(l, n->rule->codelet->where, "how long its parts are is not known when a grid is launched");
    return NULL;
  }
  t->parts.within = line != NULL; /* all lines are as long, be there any or none */
  Arguments first = line ? part_of(t, build_index(a, 0)) : w->in;
  t->parts.within = false;
  if (l->failed) return NULL;
  t->s = scan_of(l, slide, &first);
  Scan *s = &t->s;
  Tree *elements = line ? line : build_min(a, length, view_size(l, s->in));
  Tree *most_lead = build_sub(a, s->per, build_index(a, 1)); /* a part may begin anywhere */
  Tree *size = lowering_size(l, "tile", scan_tile_size(s, tree_ref(a, l->now.threads)));
  Tree *each = build_ceil_div(a, build_add(a, elements, most_lead), size);
  s->blocks.each = lowering_size(l, "each", build_max(a, each, build_index(a, 1)));
  declare_tiles(t, build_mul(a, t->parts.parts, s->blocks.each));
  return kernel_of(t, block);
}
