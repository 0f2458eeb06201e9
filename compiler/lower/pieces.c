/* pieces.c: what a plan gives of a piece of a part, for those who say later where that goes (equal.c, bounded.c).
 *
 * Requires a plan that gives a number. Keeps: it is in a variable of all lanes where one of them alone has it, and else
 * where the plan leaves it. */
#include "lower/maps.h"

/* Has one worker alone, who acts for all, what the plan gives? */
static bool one_finds(const PlanNode *n) {
  n = plan_work(n);
  if (!n->rule->codelet || n->combine == COMBINE_ATOMIC) return true;
  return n->nkids > 1 && one_finds(n->kid[1]);
}

NestValue *pieces_result(Lowering *l, NestNode *home, const char *name, const PlanNode *plan, Type type) {
  NestValue *v = nest_value(l->a, name, NEST_REGISTERS);
  vec_push(l->a, &home->home, v);
  if (!one_finds(plan)) return v;
  v->symbol = symbol_new(l->a, SYMBOL_LOCAL, lowering_name(l, name), type);
  v->now = tree_ref(l->a, v->symbol);
  lowering_add(l, build_declare(l->a, v->symbol, NULL));
  return v;
}

Destination *pieces_to(Lowering *l, NestValue *v) {
  Destination *to = arena_one(l->a, Destination);
  *to = (Destination){.kind = v->now ? TO_PLACE : TO_REGISTER, .place = v->now, .value = v};
  return to;
}
