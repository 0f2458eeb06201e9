/* votes.c: do all lanes of a vector vote together?
 *
 *   requires  a cooperative body, as written
 *   keeps     all of it: this pass only looks
 *
 * v.Alike(x, bits) compares the numbers of all lanes of a vector. Under a condition that divides these, or in a loop
 * that they leave at different times, some have none. */
#include "passes/codelet_passes.h"
#include "passes/lane_facts.h"

typedef struct Votes { LaneFacts facts; Diagnostics *d; bool ok; } Votes;

static void walk(Votes *v, const Tree *t, bool divided) {
  if (!t) return;
  if (t->op == OP_ALIKE && divided && v->ok) {
    diagnostics_add(v->d, DIAG_ERROR, t->where, "vote before the branch", "all lanes of a vector vote together");
    v->ok = false;
  }
  const bool branch = t->op == OP_IF || t->op == OP_COND || t->op == OP_LAND || t->op == OP_LOR, loop = t->op == OP_FOR;
  const Tree *condition = branch || t->op == OP_WHILE ? t->kid[0] : loop ? t->kid[1] : NULL;
  const bool divides = condition && lane_variance(&v->facts, condition) == BY_LANE;
  for (int i = 0; i < t->nkids; i++) walk(v, t->kid[i], divided || (divides && (i > 0 || t->op == OP_WHILE)));
}

bool pass_votes(Arena *a, const Codelet *c, Diagnostics *d) {
  Votes v = {.d = d, .ok = true};
  if (!tree_contains(c->body, OP_ALIKE)) return true;
  v.facts = lane_facts(a, c->body);
  walk(&v, c->body, false);
  return v.ok;
}
