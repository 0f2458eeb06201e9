/* spread.c: parts of a given number that several of the grid's workers share.
 *
 * Few long segments, or the few long rows of a matrix, leave most of a machine without work where each is one block's,
 * or one lane's. So each is cut once more. The pieces' results go to the workspace, and a second kernel combines them;
 * or they are accumulated atomically where the part's result is stored, which a kernel before set to the identity.
 * How many pieces there are follows from the sizes and the number of blocks alone.
 *
 *   a grid      has many blocks: some have each part's pieces, as many as there is room for. A part's results lie side by
 *               side, and a block combines them. Where blocks have slices of neighbouring parts (slices.c), a piece's
 *               results lie side by side, and are combined in slices once more
 *   a process   has few threads: all share every part, each with a piece of all. A piece's results lie side by side, so
 *               that no two threads store in one cache line, and lanes combine those of neighbouring parts: they are the
 *               rows of a matrix whose columns are contiguous */
#include "ir/operator.h"
#include "lower/lowering.h"

static Tree *most_blocks(Lowering *l) { return tree_ref(l->a, program_constant(l->program, "blocks")->symbol); }

static bool is_process(const Lowering *l) { return l->plan->machine->is_cpu; }

/* Do a piece's results of neighbouring parts lie side by side? */
static bool by_pieces(const Lowering *l) { return is_process(l) || plan_slices(l->plan->root); }

/* Declares how many groups of the grid's blocks there are, which have a piece each of the same parts, and how many blocks
 * a group is. */
static Tree *groups_of_blocks(Lowering *l, Tree *some, Tree *elements) {
  Arena *a = l->a;
  Tree *enough = build_mul(a, tree_ref(a, l->threads), build_index(a, l->plan->machine->measured.lane_elements));
  Tree *groups = lowering_size(l, "groups", some);
  Tree *room = build_div(a, most_blocks(l), groups);
  Tree *wanted = build_ceil_div(a, build_div(a, elements, groups), enough);
  l->spread.pieces = lowering_size(l, "pieces", build_max(a, build_min(a, room, wanted), build_index(a, 1)));
  return groups;
}

Tree *spread_begin(Lowering *l, const PlanNode *n, Tree *parts, Tree *some, Tree *elements) {
  Arena *a = l->a;
  Tree *groups = build_index(a, 1);
  lowering_comment(l, "each part is shared: %s", lowering_source(l, n->rule->codelet));
  if (is_process(l)) l->spread.pieces = lowering_size(l, "pieces", build_min(a, some, most_blocks(l)));
  else groups = groups_of_blocks(l, some, elements);
  if (n->combine == COMBINE_ATOMIC) return groups;
  Symbol *partial = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, "partial"), n->rule->spectrum->result);
  partial->pointer = true;
  l->program->partial = partial;
  l->program->workspace_elements = build_mul(a, parts, l->spread.pieces);
  return groups;
}

Tree *spread_number(Lowering *l) {
  Tree *block = build_lane(l->a, OP_BLOCK_ID);
  l->spread.piece = block;
  if (is_process(l)) return build_index(l->a, 0);
  l->spread.piece = lowering_size(l, "piece", tree_binary(l->a, OP_REM, TYPE_INDEX, block, l->spread.pieces));
  return lowering_size(l, "group", build_div(l->a, block, l->spread.pieces));
}

/* Where in the workspace the result of a part's piece stands. */
static Tree *place_of(Lowering *l, Tree *part, Tree *piece) {
  Arena *a = l->a;
  return by_pieces(l) ? build_add(a, build_mul(a, piece, l->alike.parts), part)
                      : build_add(a, build_mul(a, part, l->spread.pieces), piece);
}

void spread_identities(Lowering *l, const PlanNode *n, Tree *parts, Environment *e, Statements *sizes,
                       Statements *launches) {
  Arena *a = l->a;
  const Spectrum *s = n->rule->spectrum;
  Tree *threads = tree_ref(a, l->threads);
  l->to = sizes;
  Tree *blocks = build_min(a, build_ceil_div(a, parts, threads), most_blocks(l));
  blocks = lowering_size(l, "beginning", build_max(a, blocks, build_index(a, 1)));
  kernel_open(l, "identity", "The results start at the operator's identity.");
  int names = l->names.n;
  Statements body = {0}, inner = {0};
  Symbol *part = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, "part"), TYPE_INDEX);
  l->to = &inner;
  Tree *place = lowering_own_place(l, e, tree_ref(a, part)).place;
  lowering_add(l, build_assign(a, place, operator_identity(a, s->op, s->result)));
  Tree *first = build_add(a, build_mul(a, build_lane(a, OP_BLOCK_ID), threads), build_lane(a, OP_THREAD));
  vec_push(a, &body, build_for(a, part, first, parts, build_mul(a, blocks, threads), tree_seq(a, inner.at, inner.n),
                               UNROLL_FREE));
  l->names.n = names;
  kernel_close(l, &body, launches, blocks, threads);
}

/* Where the result of the piece goes; `whole': where that of its part does. */
static Destination own_destination(Lowering *l, const PlanNode *n, const Destination *whole) {
  if (n->combine == COMBINE_ATOMIC)
    return (Destination){.kind = TO_ATOMIC, .place = whole->place, .scope = SCOPE_DEVICE,
                         .atomic = operator_atomic_of_map(n->rule->codelet)};
  Tree *own = place_of(l, l->given_part, l->spread.piece);
  return (Destination){.kind = TO_PLACE, .place = build_element(l->a, l->program->partial, own)};
}

void spread_lower(Lowering *l, const PlanNode *n, const Place *p, Arguments *in, const Destination *whole) {
  lowering_comment(l, "%s: %s, one piece of many", p->level->name, lowering_source(l, n->rule->codelet));
  Environment e = inline_environment(l, n->rule->codelet, in, NULL, p);
  Regroup r = lowering_regroup(l, n, &e, l->spread.pieces);
  if (l->failed) return;
  if (p->level->real == REAL_BLOCK && plan_reads_in_slots(n->kid[0])) grid_keep_grain(l, &r, grid_declare_grain(l));
  Arguments piece = lowering_parts(l, &r, &e, l->spread.piece, "piece");
  Destination to = own_destination(l, n, whole);
  lowering_node(l, n->kid[0], p, &piece, &to);
}

/* Each block goes from part to part. */
static Tree *combine_by_blocks(Lowering *l, const PlanNode *n, Tree *parts, Environment *e, Statements *body) {
  Arena *a = l->a;
  Statements inner = {0};
  const Level *block = n->kid[1]->rule->level;
  Tree *blocks = build_max(a, build_min(a, parts, most_blocks(l)), build_index(a, 1));
  blocks = lowering_size(l, "combining", blocks);
  kernel_open(l, "combine", arena_printf(a, "Each %s combines what the pieces of its parts gave.", block->name));
  int names = l->names.n;
  Symbol *part = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, "part"), TYPE_INDEX);
  Place place = lowering_place(l, block);
  View all = view_of_memory(l, l->program->partial, l->spread.pieces);
  all.begin = place_of(l, tree_ref(a, part), build_index(a, 0));
  all.end = build_add(a, all.begin, l->spread.pieces);
  Arguments of_all = lowering_of(&all);
  Destination to = lowering_own_place(l, e, tree_ref(a, part));
  l->to = &inner;
  lowering_node(l, n->kid[1], &place, &of_all, &to);
  Statements turn = l->start; /* shared variables begin anew with every part */
  l->start = (Statements){0};
  for (int i = 0; i < inner.n; i++) vec_push(a, &turn, inner.at[i]);
  vec_push(a, body, build_for(a, part, build_lane(a, OP_BLOCK_ID), parts, blocks, tree_seq(a, turn.at, turn.n),
                              UNROLL_FREE));
  l->names.n = names;
  return blocks;
}

/* A map over the rows of the pieces' results, as if a codelet's text had it. */
static Regroup rows_of_results(Lowering *l, Environment *e) {
  Arena *a = l->a;
  View *results = arena_one(a, View);
  *results = view_of_memory(l, l->program->partial, l->alike.parts);
  results->columns = l->spread.pieces;
  results->row_step = build_index(a, 1);
  results->column_step = l->alike.parts;
  e->own = l->program->partial;
  e->own_view = results;
  Tree *map = tree_new(a, OP_MAP, TYPE_VOID, (SourceRange){0}, 1);
  map->kid[0] = tree_unary(a, OP_ROWS, TYPE_VOID, tree_ref(a, l->program->partial));
  return (Regroup){.map = map, .parts = l->alike.parts, .few = true};
}

/* Each thread takes neighbouring parts, a lane each. */
static Tree *combine_by_lanes(Lowering *l, const PlanNode *n, Environment e, Statements *body) {
  Arena *a = l->a;
  const Level *lane = n->kid[1]->rule->level, *thread = level_below(n->rule->below);
  PlanNode each = {.rule = n->rule, .kid = {n->kid[1]}, .nkids = 1};
  Tree *own, *many, *parts = l->alike.parts;
  lowering_workers(l, lane, &own, &many);
  Tree *worth = build_ceil_div(a, build_mul(a, parts, l->spread.pieces), grid_enough_work(l));
  Tree *some = build_max(a, build_min(a, worth, most_blocks(l)), build_index(a, 1));
  some = lowering_size(l, "combining", some);
  Tree *share = build_mul(a, build_ceil_div(a, parts, build_mul(a, some, many)), many);
  share = lowering_size(l, "combined", share);
  const char *note = "Each %s combines what the pieces of its share of the parts gave, one part a %s.";
  kernel_open(l, "combine", arena_printf(a, note, thread->name, lane->name));
  int names = l->names.n;
  l->to = body;
  Regroup r = rows_of_results(l, &e);
  Place place = lowering_place(l, lane);
  Tree *first = lowering_size(l, "first", build_mul(a, build_lane(a, OP_BLOCK_ID), share));
  Tree *last = lowering_size(l, "last", build_min(a, build_add(a, first, share), parts));
  shares_lower(l, &each, &place, &r, &e, &(Shares){.first = first, .end = last, .many = many, .own = own});
  l->names.n = names;
  return some;
}

/* Each block takes neighbouring parts, as one that has slices of them does. */
static Tree *combine_by_slices(Lowering *l, const PlanNode *n, Environment e, Statements *body) {
  Arena *a = l->a;
  PlanNode each = {.rule = n->rule, .kid = {n->kid[1]}, .nkids = 1};
  Regroup r = rows_of_results(l, &e);
  Tree *beside = slices_parts(l, &r, &e), *parts = l->alike.parts;
  Tree *some = build_max(a, build_min(a, build_ceil_div(a, parts, beside), most_blocks(l)), build_index(a, 1));
  some = lowering_size(l, "combining", some);
  kernel_open(l, "combine", "Each block combines what the pieces of neighbouring parts gave.");
  int names = l->names.n;
  l->to = body;
  Tree *first = build_mul(a, build_lane(a, OP_BLOCK_ID), beside);
  slices_shares(l, &each, &r, &e, first, build_mul(a, some, beside));
  l->names.n = names;
  return some;
}

void spread_finish(Lowering *l, const PlanNode *n, Tree *parts, Environment *e, Statements *sizes,
                   Statements *launches) {
  Statements body = {0};
  l->to = sizes;
  Tree *blocks = is_process(l)                 ? combine_by_lanes(l, n, *e, &body)
                 : plan_slices(l->plan->root) ? combine_by_slices(l, n, *e, &body)
                                              : combine_by_blocks(l, n, parts, e, &body);
  kernel_close(l, &body, launches, blocks, tree_ref(l->a, l->threads));
}
