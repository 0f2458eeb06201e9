/* slots_even.c: parts of a given number, segments or rows, of which each is one whole round of loads.
 *
 * Nothing lies before the first multiple of 16 bytes then, nothing is left behind the last, and no loop goes round: where
 * a warp, or less, has part after part, such instructions are what it does most of its time. And of what is the same for
 * all parts, the vector that a matrix's rows are multiplied by, a lane needs the same elements every time: it loads them
 * once. The launcher sees whether it is so, for all of a kernel's parts at once. */
#include "lower/slots.h"

/* Where a leaf's elements of that part begin; NULL: the host cannot tell. */
static Tree *beginning(Lowering *l, const Round *r, const Leaf *leaf, int64_t number) {
  Arena *a = l->a;
  Tree *part = build_index(a, number);
  Tree *origin = leaf->begin ? build_with(a, leaf->begin, l->given_part->symbol, part) : build_index(a, 0);
  Tree *from = slots_is_given(r->in->from) ? r->in->from : build_mul(a, part, l->alike.apart);
  return slots_is_given(origin) ? build_add(a, origin, from) : NULL;
}

/* Do all parts begin at multiples of 16 bytes: does the first one, and are the others as far apart? */
static bool add_aligned(Lowering *l, const Round *r, Tree **when) {
  Arena *a = l->a;
  for (int i = 0; i < r->leaves->n; i++) {
    Tree *before = NULL;
    for (int64_t number = 0; number <= 1; number++) {
      Tree *at = beginning(l, r, &r->leaves->at[i], number);
      if (!at) return false;
      if (before && tree_equal(before, at)) continue;
      before = at;
      Tree *element = build_element(a, r->leaves->at[i].view->base, at);
      Tree *ahead = tree_unary(a, OP_TO_ALIGNED, TYPE_INDEX, element);
      *when = build_both(a, *when, build_compare(a, OP_EQ, ahead, build_index(a, 0)));
    }
  }
  return true;
}

/* Are the lanes of a warp, or fewer, those that a whole part is given to? */
static bool is_of_parts(const Lowering *l, const PlanNode *n) {
  const PlanNode *root = plan_work(l->plan->root);
  const Level *worker = plan_worker_of_parts(root);
  if (!worker || worker->can.lanes != LANES_FIXED) return false;
  const PlanNode *part = plan_work(root->kid[0]);
  return part->rule->codelet && part->nkids > 0 && part->kid[0] == n;
}

Symbol *slots_even_flag(Lowering *l, const PlanNode *n, const Round *r) {
  Arena *a = l->a;
  int64_t lanes;
  const bool numbered = l->given_part && l->given_part->op == OP_REF;
  if (!numbered || !l->alike.elements || l->kernel->flag || !is_of_parts(l, n)) return NULL;
  if (!tree_constant(r->in->workers, &lanes)) return NULL;
  Tree *width = build_width(a, r->leaves->at[0].view->base->type);
  Tree *round = build_mul(a, build_mul(a, r->in->workers, r->loads), width);
  Tree *when = build_compare(a, OP_EQ, l->alike.elements, round);
  if (l->alike.when) when = build_both(a, when, l->alike.when); /* few elements each by now: their product is small */
  if (!add_aligned(l, r, &when)) return NULL;
  Symbol *even = symbol_new(a, SYMBOL_CONSTANT, lowering_name(l, "even"), TYPE_BOOL);
  even->constant = true;
  l->kernel->flag = even;
  l->kernel->even_lanes = (int)lanes;
  l->flag_when = when;
  return even;
}

void slots_load_ahead(Lowering *l, const Round *r, Symbol *flag) {
  Arena *a = l->a;
  Statements *here = l->to;
  Symbol *per = NULL;
  l->to = l->before;
  for (int i = 0; i < r->leaves->n; i++) {
    Leaf *leaf = &r->leaves->at[i];
    const bool same = slots_is_given(r->in->from) && (!leaf->begin || slots_is_given(leaf->begin));
    if (!same || leaf->written || leaf->view->base->type != r->leaves->at[0].view->base->type) continue;
    if (!per) per = lowering_fixed(l, "width", TYPE_INT, build_width(a, leaf->view->base->type));
    Tree *width = tree_ref(a, per);
    leaf->ahead = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, "same"), leaf->view->base->type);
    leaf->ahead->array = leaf->ahead->writable = true;
    leaf->ahead->length = build_mul(a, r->loads, width);
    Symbol *k = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, "k"), TYPE_INT);
    Tree *turn = tree_ref(a, k);
    Tree *own = build_add(a, r->in->from, build_mul(a, r->in->worker, width));
    Tree *at = build_add(a, own, build_mul(a, turn, build_mul(a, r->in->workers, width)));
    Tree *load = tree_new(a, OP_LOAD_WIDE, TYPE_VOID, (SourceRange){0}, 2);
    load->kid[0] = build_element(a, leaf->ahead, build_mul(a, turn, width));
    load->kid[1] = build_element(a, leaf->view->base, leaf->begin ? build_add(a, leaf->begin, at) : at);
    load->number = WIDE_ALIGNED;
    lowering_add(l, build_declare(a, leaf->ahead, NULL));
    Tree *all = build_for(a, k, tree_int(a, TYPE_INT, 0), r->loads, tree_int(a, TYPE_INT, 1), load, UNROLL_ALL);
    lowering_add(l, build_if(a, tree_ref(a, flag), all));
  }
  l->to = here;
}
