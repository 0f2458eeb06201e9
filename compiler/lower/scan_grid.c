/* scan_grid.c: scans that slide over the blocks of a grid: a tile a block, of one container or of each of many parts
 * (MICRO VI-C). scan.c says how blocks learn what stands before their tiles. */
#include "lower/scan.h"

static Symbol *pointer(Lowering *l, const char *name, Type type) {
  Symbol *s = symbol_new(l->a, SYMBOL_LOCAL, lowering_name(l, name), type);
  s->pointer = true;
  return s;
}

/* What a grid's tiles are of: one container, or one of many parts for each `each' of them. */
typedef struct Tiles {
  const PlanNode *root, *slide; /* the plan's, and the node whose map has the tiles */
  Tree *tiles, *lead;           /* `lead': of one container */
  Tree *each;                   /* NULL: one container */
  const Regroup *parts;
  Environment *e;
  Tree *place;                  /* where the total of all goes; NULL: nobody asks for it */
} Tiles;

/* Declares, for the host, how many tiles there are: no more than blocks of a grid. */
static Tree *declare_tiles(Scan *s, Tree *many) {
  Lowering *l = s->l;
  Arena *a = l->a;
  Program *program = l->program;
  Tree *tiles = scan_fixed(s, "tiles", TYPE_INDEX, build_max(a, many, build_index(a, 1)));
  grid_refuse_above(l, tiles, build_index(a, l->plan->machine->grid_max));
  program->tickets = pointer(l, "tickets", TYPE_ULONG);
  program->words = pointer(l, "words", TYPE_ULONG);
  program->workspace_tiles = tiles;
  return tiles;
}

/* Of many parts: the one that tile number `tile' is of, as what is scanned; gives the tile's number among that part's. */
static Tree *enter_part(Scan *s, const Tiles *t, Tree *tile) {
  Lowering *l = s->l;
  Arena *a = l->a;
  /* there are no more tiles than blocks of a grid: 32 bits hold them, and are divided sooner */
  Tree *before = build_div(a, build_cast(a, TYPE_UINT, tile), build_cast(a, TYPE_UINT, t->each));
  Tree *k = scan_fixed(s, "k", TYPE_INDEX, before);
  Arguments part = lowering_parts(l, t->parts, t->e, k, "part");
  Place block = lowering_place(l, t->slide->rule->level);
  for (const PlanNode *n = t->root->kid[0]; n != t->slide; n = n->kid[0])
    part = lowering_applied(l, n->rule->codelet, &block, &part);
  if (l->failed) return NULL;
  Tree *per = s->per;
  *s = scan_of(l, t->slide, &part);
  s->per = per;
  if (s->size->op != OP_REF) s->size = scan_fixed(s, "elements", TYPE_INDEX, s->size);
  return build_sub(a, tile, build_mul(a, k, t->each));
}

/* The kernel: a tile a block, in the order in which they begin. */
static void tiles_kernel(Scan *s, const Tiles *t, Statements *launches) {
  Lowering *l = s->l;
  Arena *a = l->a;
  Program *program = l->program;
  const PlanNode *n = t->slide;
  const Level *grid = l->plan->root->rule->level, *below = t->each ? n->rule->level : n->rule->below;
  Statements body = {0}, work = {0};
  bool scanner = plan_slides_by(n) == SYNC_POST;
  const char *note = scanner ? "Each block scans a tile; the first to begin tells them what stands before it."
                             : "Each block scans a tile, and looks back at those before it.";
  Kernel *kernel = kernel_open(l, "tiles", note);
  int names = l->names.n;
  l->to = &body;
  lowering_comment(l, "%s > %s: %s, one tile a %s, in the order in which they begin", grid->name, below->name,
                   lowering_source(l, n->rule->codelet), below->name);
  Place block = lowering_place(l, below);
  scan_declare_row(s);
  Tree *size = scan_tile_size(s, block.lanes);
  kernel->kept = build_mul(a, block.lanes, s->loads);
  kernel->kept_type = s->type;
  kernel->lane_registers = (int)l->plan->machine->registers_lane;
  Tree *blocks = scanner ? build_add(a, t->tiles, build_index(a, 1)) : t->tiles;
  Symbol *shared = lowering_shared(l, "taken", TYPE_ULONG, NULL);
  Tree *take = tree_binary(a, OP_TICKET, TYPE_ULONG, tree_ref(a, program->tickets), blocks);
  lowering_add(l, build_if(a, block.leader, build_assign(a, tree_ref(a, shared), take)));
  Tree *ticket = scan_fixed(s, "ticket", TYPE_ULONG, tree_ref(a, shared));
  Tree *begun = build_cast(a, TYPE_INDEX, build_cast(a, TYPE_UINT, ticket));
  Tree *tile = scan_fixed(s, "tile", TYPE_INDEX, scanner ? build_sub(a, begun, build_index(a, 1)) : begun);
  if (scanner) l->to = &work;
  Tree *own = t->each ? enter_part(s, t, tile) : tile;
  if (l->failed) return;
  Tree *lead = t->each ? scan_fixed(s, "lead", TYPE_INDEX, scan_lead(s)) : t->lead;
  Tree *begin = scan_fixed(s, "begin", TYPE_INDEX, build_sub(a, build_mul(a, own, size), lead));
  const Blocks all = {tree_ref(a, program->words), t->tiles, tile, ticket, t->each, scanner};
  Tree *total = scan_tile(s, n->kid[0], &block, begin, &(Before){.blocks = &all});
  if (l->failed) return;
  if (t->place) {
    Place last = block;
    last.leader = build_both(a, block.leader, build_compare(a, OP_EQ, tile, build_sub(a, t->tiles, build_index(a, 1))));
    lowering_deliver(l, &last, total, &(Destination){.kind = TO_PLACE, .place = t->place});
  }
  if (scanner) {
    Tree *tell = tree_new(a, OP_SCANNER, TYPE_VOID, (SourceRange){0}, t->each ? 4 : 3);
    tell->kid[0] = tree_ref(a, program->words);
    tell->kid[1] = t->tiles;
    tell->kid[2] = ticket;
    if (t->each) tell->kid[3] = t->each;
    l->to = &body;
    Tree *is_scanner = build_compare(a, OP_LT, tile, build_index(a, 0));
    Tree *either = build_if(a, is_scanner, tell);
    lowering_add(l, tree_with_kids(a, either, (Tree *[]){either->kid[0], either->kid[1],
                                                         tree_seq(a, work.at, work.n)}, 3));
  }
  l->names.n = names;
  kernel_close(l, &body, launches, blocks, tree_ref(a, l->threads));
}

void scan_lower_grid(Lowering *l, const PlanNode *n, Arguments *in, Tree *place, Statements *sizes,
                     Statements *launches) {
  Arena *a = l->a;
  const Level *below = n->rule->below;
  Scan s = scan_of(l, n, in);
  l->to = sizes;
  lowering_comment(l, "%s > %s: %s, one tile a %s", n->rule->level->name, below->name,
                   lowering_source(l, n->rule->codelet), below->name);
  s.per = s.single ? scan_number(&s, 1) : s.width;
  Tree *lead = scan_fixed(&s, "lead", TYPE_INDEX, scan_lead(&s));
  Tree *size = scan_tile_size(&s, tree_ref(a, l->threads));
  Tree *tiles = declare_tiles(&s, build_ceil_div(a, build_add(a, s.size, lead), size));
  tiles_kernel(&s, &(Tiles){.root = n, .slide = n, .tiles = tiles, .lead = lead, .place = place}, launches);
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
  Scan s = scan_of(l, slide, in);
  s.per = s.single ? scan_number(&s, 1) : s.width;
  Tree *most_lead = build_sub(a, s.per, build_index(a, 1)); /* a part may begin anywhere */
  Tree *size = lowering_size(l, "tile", scan_tile_size(&s, tree_ref(a, l->threads)));
  Tree *each = build_ceil_div(a, build_add(a, build_min(a, length, view_size(l, s.in)), most_lead), size);
  each = scan_fixed(&s, "each", TYPE_INDEX, build_max(a, each, build_index(a, 1)));
  Tree *tiles = declare_tiles(&s, build_mul(a, r.parts, each));
  tiles_kernel(&s, &(Tiles){.root = n, .slide = slide, .tiles = tiles, .each = each, .parts = &r, .e = &e}, launches);
}
