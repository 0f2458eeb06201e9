/* spread.c: parts of a given number that several of the grid's workers share.
 *
 * Few long segments, or the few long rows of a matrix, leave most of a machine without work where each is one block's,
 * or one lane's. So each is cut once more, into as many pieces as there is room for blocks; the pieces' results go to the
 * workspace, those of a part side by side, and a second kernel has a block combine them. How many pieces there are
 * follows from the sizes and the number of blocks alone. */
#include "lower/lowering.h"

static Tree *most_blocks(Lowering *l) { return tree_ref(l->a, program_constant(l->program, "blocks")->symbol); }

void spread_begin(Lowering *l, const PlanNode *n, Tree *parts, Tree *some, Tree *elements) {
  enum { ELEMENTS_A_LANE = 4 }; /* that are worth another piece */
  Arena *a = l->a;
  lowering_comment(l, "each part is shared: %s", lowering_source(l, n->rule->codelet));
  Tree *enough = build_mul(a, tree_ref(a, l->threads), build_index(a, ELEMENTS_A_LANE));
  Tree *groups = lowering_size(l, "groups", some);
  Tree *room = build_div(a, most_blocks(l), groups);
  Tree *wanted = build_ceil_div(a, build_div(a, elements, groups), enough);
  l->spread.pieces = lowering_size(l, "pieces", build_max(a, build_min(a, room, wanted), build_index(a, 1)));
  Symbol *partial = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, "partial"), n->rule->spectrum->result);
  partial->pointer = true;
  l->program->partial = partial;
  l->program->workspace_elements = build_mul(a, parts, l->spread.pieces);
}

Tree *spread_number(Lowering *l) {
  Tree *block = build_lane(l->a, OP_BLOCK_ID);
  l->spread.piece = lowering_size(l, "piece", tree_binary(l->a, OP_REM, TYPE_INDEX, block, l->spread.pieces));
  return lowering_size(l, "group", build_div(l->a, block, l->spread.pieces));
}

static void lower_piece(Lowering *l, const PlanNode *n, const Place *p, Arguments *in, Tree *first) {
  Arena *a = l->a;
  Environment e = inline_environment(l, n->rule->codelet, in, NULL, p);
  Regroup r = lowering_regroup(l, n, &e, l->spread.pieces);
  if (l->failed) return;
  if (p->level->real == REAL_BLOCK && plan_reads_in_slots(n->kid[0])) grid_keep_grain(l, &r, grid_declare_grain(l));
  Arguments piece = lowering_parts(l, &r, &e, l->spread.piece, "piece");
  Destination to = {.kind = TO_PLACE,
                    .place = build_element(a, l->program->partial, build_add(a, first, l->spread.piece))};
  lowering_node(l, n->kid[0], p, &piece, &to);
}

void spread_lower(Lowering *l, const PlanNode *n, const Place *p, Arguments *in, Destination *to) {
  Arena *a = l->a;
  Tree *first = build_mul(a, l->given_part, l->spread.pieces);
  lowering_comment(l, "%s: %s, %s", p->level->name, lowering_source(l, n->rule->codelet),
                   l->spread.piece ? "one piece of many" : "the results of all pieces");
  if (l->spread.piece) {
    lower_piece(l, n, p, in, first);
    return;
  }
  View all = view_of_memory(l, l->program->partial, l->spread.pieces);
  all.begin = first;
  all.end = build_add(a, first, l->spread.pieces);
  Arguments of_all = lowering_of(&all);
  lowering_node(l, n->kid[1], p, &of_all, to);
}

void spread_finish(Lowering *l, const PlanNode *root, const Regroup *r, Environment *e, Statements *sizes,
                   Statements *launches) {
  Arena *a = l->a;
  Statements body = {0};
  const Level *block = plan_spread(root)->kid[1]->rule->level;
  l->to = sizes;
  Tree *combining = build_max(a, build_min(a, r->parts, most_blocks(l)), build_index(a, 1));
  combining = lowering_size(l, "combining", combining);
  l->spread.piece = NULL;
  kernel_open(l, "combine", arena_printf(a, "Each %s combines what the pieces of its parts gave.", block->name));
  int names = l->names.n;
  l->to = &body;
  Place place = lowering_place(l, block);
  Shares turns = {build_lane(a, OP_BLOCK_ID), r->parts, combining, build_index(a, 0)};
  lowering_shares(l, root, &place, r, e, &turns);
  l->names.n = names;
  kernel_close(l, &body, launches, combining, tree_ref(a, l->threads));
}
