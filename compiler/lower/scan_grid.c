/* scan_grid.c: scans that slide over the blocks of a grid: a tile a block, of one container or of each of many parts
 * (MICRO VI-C). carry.c says how blocks learn what stands before their tiles. */
#include "lower/scan.h"

/* What a grid's tiles are of: one container, or one of many parts for each `each' of them. */
typedef struct Tiles {
  Scan s;
  const PlanNode *root, *slide; /* the plan's, and the node whose map has the tiles */
  Tree *blocks, *lead;          /* `lead': of one container */
  const Regroup *parts;
  Environment *e;
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
  program->words = lowering_pointer(l, "words", TYPE_ULONG);
  program->workspace_tiles = tiles;
  t->s.blocks.scanner = plan_slides_by(t->slide) == SYNC_POST;
  t->blocks = t->s.blocks.scanner ? build_add(a, tiles, build_index(a, 1)) : tiles;
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
  Arguments part = lowering_parts(l, t->parts, t->e, k, "part");
  Place block = lowering_place(l, t->slide->rule->level);
  for (const PlanNode *n = t->root->kid[0]; n != t->slide; n = n->kid[0])
    part = lowering_applied(l, n->rule->codelet, &block, &part);
  if (l->failed) return;
  *s = scan_of(l, t->slide, &part);
  s->per = per;
  s->blocks = blocks;
  if (s->size->op != OP_REF) s->size = lowering_size(l, "elements", s->size);
  s->blocks.own = build_sub(a, blocks.tile, build_mul(a, k, blocks.each));
  t->lead = lowering_size(l, "lead", scan_lead(s));
}

/* A block takes the tile of the number as which it has begun; of a scanner's that of the one before. */
static void take_tile(Tiles *t, const Place *block) {
  Scan *s = &t->s;
  Lowering *l = s->l;
  Arena *a = l->a;
  Symbol *taken = lowering_shared(l, "taken", TYPE_ULONG, NULL);
  Tree *take = tree_binary(a, OP_TICKET, TYPE_ULONG, tree_ref(a, l->program->tickets), t->blocks);
  lowering_add(l, build_if(a, block->leader, build_assign(a, tree_ref(a, taken), take)));
  s->blocks.ticket = scan_fixed(s, "ticket", TYPE_ULONG, tree_ref(a, taken));
  Tree *begun = build_cast(a, TYPE_INDEX, build_cast(a, TYPE_UINT, s->blocks.ticket));
  s->blocks.tile = lowering_size(l, "tile", t->s.blocks.scanner ? build_sub(a, begun, build_index(a, 1)) : begun);
}

/* In the kernel: a tile a block, in the order in which they begin. */
static void block(void *context, NestNode *plan, Tree *at) {
  Tiles *t = context;
  Scan *s = &t->s;
  Lowering *l = s->l;
  Arena *a = l->a;
  Statements work = {0}, *outer = l->to;
  (void)plan, (void)at;
  const Place block = lowering_place(l, t->slide->rule->parts);
  if (!s->single) s->per = scan_fixed(s, "per", TYPE_INT, s->per);
  l->now.kernel->kept = build_mul(a, block.lanes, s->loads);
  l->now.kernel->kept_type = s->type;
  l->now.kernel->lane_registers = (int)l->plan->machine->registers_lane;
  take_tile(t, &block);
  if (t->s.blocks.scanner) l->to = &work;
  if (s->blocks.each) enter_part(t);
  const NestValue *all = l->failed ? NULL : scan_by_tiles(s, t->slide, &block, t->lead, NULL);
  if (t->place && all) scan_deliver_last(l, block, s->blocks.tile, s->blocks.tiles, all->now, t->place);
  l->to = outer;
  if (!t->s.blocks.scanner || l->failed) return;
  Tree *kids[] = {tree_ref(a, l->program->words), s->blocks.tiles, s->blocks.ticket, s->blocks.each};
  Tree *tell = build_tree(a, OP_SCANNER, TYPE_VOID, kids, s->blocks.each ? 4 : 3);
  Tree *is_scanner = build_compare(a, OP_LT, s->blocks.tile, build_index(a, 0));
  lowering_add(l, build_either(a, is_scanner, tell, tree_seq(a, work.at, work.n)));
}

static void carry_out(Tiles *t, const Level *below, Statements *launches) {
  Lowering *l = t->s.l;
  Arena *a = l->a;
  const char *note = t->s.blocks.scanner ? "Each block scans a tile; the first to begin tells them what stands before it."
                                : "Each block scans a tile, and looks back at those before it.";
  NestNode *kernel = nest_kernel(a, &(NestKernel){.name = "tiles", .note = note, .blocks = t->blocks});
  kernel->comment = arena_printf(a, "%s > %s: %s, one tile a %s, in the order in which they begin",
                                 l->plan->root->rule->level->name, below->name,
                                 lowering_source(l, t->slide->rule->codelet), below->name);
  nest_add(a, kernel, open_plan(l, t->slide, NULL, USE_READ));
  realise(l, NULL, kernel, &(Carrying){block, t, launches});
}

void scan_lower_grid(Lowering *l, const PlanNode *n, Arguments *in, Tree *place, Statements *sizes,
                     Statements *launches) {
  Arena *a = l->a;
  const Level *below = n->rule->below;
  Tiles t = {.s = scan_of(l, n, in), .root = n, .slide = n, .place = place};
  Scan *s = &t.s;
  l->to = sizes;
  lowering_comment(l, "%s > %s: %s, one tile a %s", n->rule->level->name, below->name,
                   lowering_source(l, n->rule->codelet), below->name);
  t.lead = lowering_size(l, "lead", scan_lead(s));
  Tree *size = scan_tile_size(s, tree_ref(a, l->now.threads));
  declare_tiles(&t, build_ceil_div(a, build_add(a, s->size, t.lead), size));
  carry_out(&t, below, launches);
}

void scan_lower_parts(Lowering *l, const PlanNode *n, Arguments *in, Statements *sizes, Statements *launches) {
  Arena *a = l->a;
  const PlanNode *slide = plan_spread(n);
  const Level *block = slide->rule->level;
  l->to = sizes;
  lowering_comment(l, "%s > %s: %s, and its tiles: %s, one a %s", n->rule->level->name, block->name,
                   lowering_source(l, n->rule->codelet), lowering_source(l, slide->rule->codelet), block->name);
  Environment e = inline_environment(l, n->rule->codelet, in, NULL, NULL);
  Regroup r = lowering_regroup(l, n, &e, NULL);
  Tree *length = l->failed ? NULL : grid_tile(&r);
  if (!length) {
    lowering_fail(l, n->rule->codelet->where, "how long its parts are is not known when a grid is launched");
    return;
  }
  Tiles t = {.s = scan_of(l, slide, in), .root = n, .slide = slide, .parts = &r, .e = &e};
  Scan *s = &t.s;
  Tree *most_lead = build_sub(a, s->per, build_index(a, 1)); /* a part may begin anywhere */
  Tree *size = lowering_size(l, "tile", scan_tile_size(s, tree_ref(a, l->now.threads)));
  Tree *each = build_ceil_div(a, build_add(a, build_min(a, length, view_size(l, s->in)), most_lead), size);
  s->blocks.each = lowering_size(l, "each", build_max(a, each, build_index(a, 1)));
  declare_tiles(&t, build_mul(a, r.parts, s->blocks.each));
  carry_out(&t, block, launches);
}
