/* own.c: containers of a codelet's own, in shared memory (CGO III-B).
 *
 *     Array<1, unsigned> own(bins.Size());
 *     map(histogram<T>, partition(in, ..), own);     the lanes of a block contribute to it by atomics of the block
 *     merge<T>(own, bins);                           and then it is merged into what all blocks contribute to
 *
 * With copies, neighbouring lanes contribute to different ones, and these are added up before the merge. A container
 * that is larger than the array is left out: the lanes contribute to what it would have been merged into. */
#include "ir/operator.h"
#include "lower/lowering.h"

const Symbol *own_container(const Codelet *c) {
  for (int i = 0; i < c->body->nkids; i++) {
    const Tree *t = c->body->kid[i];
    if (t->op == OP_DECLARE && t->symbol->kind == SYMBOL_LOCAL && t->symbol->rank) return t->symbol;
  }
  return NULL;
}

/* for (i = lane; i < size; i += lanes) own[i] = identity; */
static void clear_own(Lowering *l, const Place *p, Symbol *own, Tree *size, OperatorKind op) {
  Arena *a = l->a;
  Symbol *i = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, "i"), TYPE_INDEX);
  l->names.n--;
  Tree *store = build_assign(a, build_element(a, own, tree_ref(a, i)), operator_identity(a, op, own->type));
  lowering_add(l, build_for(a, i, p->lane, size, p->lanes, tree_seq(a, &store, 1), UNROLL_FREE));
}

/* for (i = lane; i < size; i += lanes) all[i] = own[i * copies] + own[i * copies + 1] .. */
static Symbol *gather_copies(Lowering *l, const Place *p, Symbol *own, Tree *size, Tree *most, int copies,
                             OperatorKind op) {
  Arena *a = l->a;
  Symbol *i = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, "i"), TYPE_INDEX);
  Symbol *k = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, "k"), TYPE_INT);
  Symbol *sum = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, "sum"), own->type);
  l->names.n -= 3;
  Symbol *all = lowering_shared(l, "all", own->type, most);
  Tree *first = build_mul(a, tree_ref(a, i), build_index(a, copies));
  Tree *ring = tree_binary(a, OP_REM, TYPE_INT, build_add(a, tree_ref(a, k), p->lane), tree_int(a, TYPE_INT, copies));
  Tree *each = build_element(a, own, build_add(a, first, ring)); /* lanes begin in banks of their own */
  Tree *add = build_assign(a, tree_ref(a, sum), tree_binary(a, operator_op(op), own->type, tree_ref(a, sum), each));
  Tree *inner = build_for(a, k, tree_int(a, TYPE_INT, 0), tree_int(a, TYPE_INT, copies), tree_int(a, TYPE_INT, 1),
                          tree_seq(a, &add, 1), UNROLL_FREE);
  Tree *body[] = {build_declare(a, sum, operator_identity(a, op, own->type)), inner,
                  build_assign(a, build_element(a, all, tree_ref(a, i)), tree_ref(a, sum))};
  lowering_add(l, build_for(a, i, p->lane, size, p->lanes, tree_seq(a, body, 3), UNROLL_FREE));
  return all;
}

/* The call behind the map: what becomes of the container. */
static const Tree *call_behind(const Codelet *c) {
  for (int i = 0; i < c->body->nkids; i++)
    if (c->body->kid[i]->op == OP_RUN) return c->body->kid[i]->kid[0];
  return NULL;
}

void own_lower(Lowering *l, const PlanNode *n, const Place *p, Arguments *in, Destination *to) {
  enum { MOST_BYTES = 32 << 10, NARROW = 4, WIDE = 8 };
  Arena *a = l->a;
  const Codelet *c = n->rule->codelet;
  const Symbol *own = own_container(c);
  const Tree *call = call_behind(c);
  Environment e = inline_environment(l, c, in, NULL, p);
  lowering_comment(l, "%s > thread: %s, in shared memory", p->level->name, lowering_source(l, c));
  Regroup r = lowering_regroup(l, n, &e, p->lanes);
  View *merged = call && call->nkids == 2 ? inline_view(l, &e, call->kid[1]) : NULL;
  if (l->failed) return;
  if (!merged) { lowering_fail(l, c->where, "it does not say what its own container is merged into"); return; }
  OperatorKind op = operator_of_atomic(c->params[c->nparams - 1]->atomic);
  Tree *size = inline_expression(l, &e, own->length), *most;
  bool narrow = own->type == TYPE_INT || own->type == TYPE_UINT || own->type == TYPE_FLOAT;
  int copies = n->copies > 1 ? n->copies : 1, room = MOST_BYTES / (narrow ? NARROW : WIDE);
  most = build_index(a, room / copies);
  Symbol *shared = lowering_shared(l, own->name, own->type, build_index(a, room));
  View held = view_of_memory(l, shared, size), mine = held;
  if (copies > 1) { /* element i of copy c at i * copies + c */
    Tree *apart = build_index(a, copies);
    mine.begin = tree_binary(a, OP_REM, TYPE_INT, p->lane, tree_int(a, TYPE_INT, copies));
    mine.step = apart;
    mine.end = build_mul(a, size, apart);
  }
  e.own = own;
  Place lane = lowering_place(l, n->rule->parts);
  Statements branch[2] = {{0}, {0}}, *outer = l->to;
  int names = l->names.n;
  for (int fits = 1; fits >= 0; fits--) {
    l->to = &branch[!fits];
    e.own_view = fits ? &mine : merged;
    if (fits) clear_own(l, p, shared, build_mul(a, size, build_index(a, copies)), op);
    Arguments part = lowering_parts(l, &r, &e, p->lane, "thread");
    Destination nowhere = {.kind = TO_NOWHERE};
    lowering_node(l, n->kid[0], &lane, &part, &nowhere);
    if (fits) {
      if (copies > 1) held = view_of_memory(l, gather_copies(l, p, shared, size, most, copies, op), size);
      Arguments both = {.at = {{.view = &held}, {.view = merged}}, .n = 2};
      lowering_node(l, n->kid[1], p, &both, to);
    }
    l->names.n = names;
  }
  l->to = outer;
  Tree *t = build_if(a, build_compare(a, OP_LE, size, most), tree_seq(a, branch[0].at, branch[0].n));
  lowering_add(l, tree_with_kids(a, t, (Tree *[]){t->kid[0], t->kid[1], tree_seq(a, branch[1].at, branch[1].n)}, 3));
}
