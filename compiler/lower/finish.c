/* finish.c: how the results of a grid's blocks come together in the kernel that made them.
 *
 * By ticket: each block stores its result and counts itself in; the last one to arrive sees what all have stored.
 *
 * Posted: each block counts itself in when it begins, while its loads are under way. The last one to begin collects: it
 * waits for each block's result, which comes with a mark in the same word, so that nothing else need be ordered. All
 * that it waits for have begun, and wait for nobody: however the blocks are put on the machine, they get through. One
 * trip to memory and back is left of the ticket's three. */
#include "lower/lowering.h"

static Symbol *pointer(Lowering *l, const char *name, Type type) {
  Symbol *s = symbol_new(l->a, SYMBOL_LOCAL, lowering_name(l, name), type);
  s->pointer = true;
  return s;
}

/* What one block does with the results of all. */
static void combine(Lowering *l, const PlanNode *n, const Place *block, View *all, Tree *when, Tree *place,
                    Statements *before) {
  Statements inner = {0}, *outer = l->to;
  int names = l->names.n;
  for (int i = 0; before && i < before->n; i++) vec_push(l->a, &inner, before->at[i]);
  l->to = &inner;
  Destination to = {.kind = TO_PLACE, .place = place};
  Arguments of_all = lowering_of(all);
  lowering_node(l, n, block, &of_all, &to);
  l->to = outer;
  l->names.n = names;
  lowering_add(l, build_if(l->a, when, tree_seq(l->a, inner.at, inner.n)));
}

/* Its leader has stored the block's own result and now counts it in: what is stored before is seen by the last one. */
static void by_ticket(Lowering *l, const PlanNode *n, const Place *block, Symbol *blocks, Tree *place) {
  Arena *a = l->a;
  View all = view_of_memory(l, l->program->partial, tree_ref(a, blocks));
  l->program->arrived = pointer(l, "arrived", TYPE_UINT);
  Symbol *last = lowering_shared(l, "last", TYPE_BOOL, NULL);
  Tree *arrive = tree_binary(a, OP_ARRIVE, TYPE_BOOL, tree_ref(a, l->program->arrived), tree_ref(a, blocks));
  lowering_comment(l, "the last block to arrive combines the results");
  lowering_add(l, build_if(a, block->leader, build_assign(a, tree_ref(a, last), arrive)));
  combine(l, n, block, &all, tree_ref(a, last), place, NULL);
}

/* Every lane takes its share of the results into shared memory; there they are a container like any other. */
static Tree *collect(Lowering *l, const Place *block, Symbol *blocks, Symbol *parts) {
  Arena *a = l->a;
  Symbol *i = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, "i"), TYPE_INDEX);
  Tree *taken = tree_binary(a, OP_COLLECT, parts->type, tree_ref(a, l->program->posts), tree_ref(a, i));
  Tree *store = build_assign(a, build_element(a, parts, tree_ref(a, i)), taken);
  return build_for(a, i, block->lane, tree_ref(a, blocks), block->lanes, store, UNROLL_FREE);
}

static void posted(Lowering *l, const PlanNode *n, const Place *block, Symbol *blocks, Tree *place) {
  Arena *a = l->a;
  Symbol *last = lowering_shared(l, "last", TYPE_BOOL, NULL);
  Tree *most = build_index(a, posting_blocks(l->plan->spectrum->widest));
  Symbol *parts = lowering_shared(l, "parts", l->program->result, most);
  View all = view_of_memory(l, parts, tree_ref(a, blocks));
  lowering_comment(l, "the last block to begin combines the results");
  lowering_add(l, build_if(a, block->leader, build_assign(a, tree_ref(a, last), tree_ref(a, l->begun_last))));
  Statements before = {0};
  vec_push(a, &before, collect(l, block, blocks, parts));
  combine(l, n, block, &all, tree_ref(a, last), place, &before);
}

void finish_begin(Lowering *l, SyncKind how, const Place *block, Symbol *blocks) {
  Arena *a = l->a;
  if (how != SYNC_POST) return;
  l->program->arrived = pointer(l, "begun", TYPE_UINT);
  l->begun_last = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, "begun_last"), TYPE_BOOL);
  Tree *begin = tree_binary(a, OP_BEGIN, TYPE_BOOL, tree_ref(a, l->program->arrived), tree_ref(a, blocks));
  lowering_add(l, build_declare(a, l->begun_last, tree_int(a, TYPE_BOOL, 0)));
  lowering_add(l, build_if(a, block->leader, build_assign(a, tree_ref(a, l->begun_last), begin)));
}

Destination finish_destination(Lowering *l, SyncKind how) {
  Tree *block = build_lane(l->a, OP_BLOCK_ID);
  if (how == SYNC_POST) {
    l->program->posts = pointer(l, "posts", TYPE_ULONG);
    return (Destination){.kind = TO_POST, .place = build_element(l->a, l->program->posts, block)};
  }
  l->program->partial = pointer(l, "partial", l->program->result);
  return (Destination){.kind = TO_PLACE, .place = build_element(l->a, l->program->partial, block)};
}

void finish_lower(Lowering *l, SyncKind how, const PlanNode *n, const Place *block, Symbol *blocks, Tree *place) {
  if (lowering_serves(l, n->kid[0], block->level)) {
    lowering_fail(l, l->plan->spectrum->where, "one block cannot serve any number of results so");
    return;
  }
  (how == SYNC_POST ? posted : by_ticket)(l, n->kid[0], block, blocks, place);
}
