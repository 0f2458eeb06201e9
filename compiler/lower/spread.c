/* spread.c: parts of a given number that several of the grid's workers share.
 *
 * Few long segments, or the few long rows of a matrix, leave most of a machine without work where each is one block's,
 * or one lane's. So each is cut once more, into as many pieces as there is room for blocks; the pieces' results go to the
 * workspace, those of a part side by side, and a second kernel has a block combine them. How many pieces there are
 * follows from the sizes and the number of blocks alone. */
#include "lower/lowering.h"

static Tree *most_blocks(Lowering *l) { return tree_ref(l->a, program_constant(l->program, "blocks")->symbol); }

Tree *spread_begin(Lowering *l, const PlanNode *n, Tree *parts, Tree *some, Tree *elements) {
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
  return groups;
}

Tree *spread_number(Lowering *l) {
  Tree *block = build_lane(l->a, OP_BLOCK_ID);
  l->spread.piece = lowering_size(l, "piece", tree_binary(l->a, OP_REM, TYPE_INDEX, block, l->spread.pieces));
  return lowering_size(l, "group", build_div(l->a, block, l->spread.pieces));
}

/* The results of a part's pieces begin there. */
static Tree *first_of(Lowering *l, Tree *part) { return build_mul(l->a, part, l->spread.pieces); }

void spread_lower(Lowering *l, const PlanNode *n, const Place *p, Arguments *in) {
  Arena *a = l->a;
  lowering_comment(l, "%s: %s, one piece of many", p->level->name, lowering_source(l, n->rule->codelet));
  Environment e = inline_environment(l, n->rule->codelet, in, NULL, p);
  Regroup r = lowering_regroup(l, n, &e, l->spread.pieces);
  if (l->failed) return;
  if (p->level->real == REAL_BLOCK && plan_reads_in_slots(n->kid[0])) grid_keep_grain(l, &r, grid_declare_grain(l));
  Arguments piece = lowering_parts(l, &r, &e, l->spread.piece, "piece");
  Tree *own = build_add(a, first_of(l, l->given_part), l->spread.piece);
  Destination to = {.kind = TO_PLACE, .place = build_element(a, l->program->partial, own)};
  lowering_node(l, n->kid[0], p, &piece, &to);
}

void spread_finish(Lowering *l, const PlanNode *n, Tree *parts, Environment *e, Statements *sizes,
                   Statements *launches) {
  Arena *a = l->a;
  Statements body = {0}, inner = {0};
  const Level *block = n->kid[1]->rule->level;
  l->to = sizes;
  Tree *blocks = build_max(a, build_min(a, parts, most_blocks(l)), build_index(a, 1));
  blocks = lowering_size(l, "combining", blocks);
  kernel_open(l, "combine", arena_printf(a, "Each %s combines what the pieces of its parts gave.", block->name));
  int names = l->names.n;
  Symbol *part = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, "part"), TYPE_INDEX);
  Place place = lowering_place(l, block);
  View all = view_of_memory(l, l->program->partial, l->spread.pieces);
  all.begin = first_of(l, tree_ref(a, part));
  all.end = build_add(a, all.begin, l->spread.pieces);
  Arguments of_all = lowering_of(&all);
  Destination to = lowering_own_place(l, e, tree_ref(a, part));
  l->to = &inner;
  lowering_node(l, n->kid[1], &place, &of_all, &to);
  Statements turn = l->start; /* shared variables begin anew with every part */
  l->start = (Statements){0};
  for (int i = 0; i < inner.n; i++) vec_push(a, &turn, inner.at[i]);
  vec_push(a, &body, build_for(a, part, build_lane(a, OP_BLOCK_ID), parts, blocks, tree_seq(a, turn.at, turn.n),
                               UNROLL_FREE));
  l->names.n = names;
  kernel_close(l, &body, launches, blocks, tree_ref(a, l->threads));
}
