/* fates.c: what became of each codelet in a search: which plans use it, or why none does. */
#include <string.h>

#include "compose/search.h"

void fates_note(Arena *a, CodeletFates *all, const Codelet *c, const char *refused) {
  CodeletFate *x = NULL;
  for (int i = 0; i < all->n && !x; i++)
    if (all->at[i].codelet == c) x = &all->at[i];
  if (!c) return; /* devolution */
  if (!x) {
    CodeletFate fate = {.codelet = c};
    vec_push(a, all, fate);
    x = &all->at[all->n - 1];
  }
  if (!refused) x->applied = true;
  else if (!x->why) x->why = refused;
}

static bool uses(const PlanNode *n, const Codelet *c) {
  if (n->rule->codelet == c) return true;
  for (int i = 0; i < n->nkids; i++)
    if (uses(n->kid[i], c)) return true;
  return false;
}

static bool is_used(const Plans *kept, const Codelet *c) {
  for (int i = 0; i < kept->list.n; i++)
    if (uses(kept->list.at[i]->root, c)) return true;
  return false;
}

static void report(const Codelet *c, const Arch *m, const CodeletFate *fate, Diagnostics *d) {
  static const char kept[] = "the plans that have it are not kept; `--pruned' counts why, `--keep all' keeps them";
  static const char tiles[] = "none of the plans that are kept divides the tile of a block among its warps and adds to "
                              "it panel by panel, as the codelets of `gemm.cdl' do; `--keep all' keeps all plans";
  const char *why = !natives_for_machine(c, m) ? "its __env names other machines"
                    : c->lanes_max && c->lanes_max < m->vector_width
                        ? "its arrays have fewer elements than a vector has lanes"
                    : c->matrix && !m->nmatrix ? "the machine has no matrix unit"
                    : !fate                    ? "no plan applies it"
                    : fate->applied            ? c->matrix && !c->rows ? tiles : kept
                    : fate->why                ? fate->why
                                               : "no level can carry it out";
  diagnostics_remark(d, REMARK_MISSED, "unused", c->where, "no plan uses `%s' of `%s': %s", c->tag, c->spectrum->name,
                     why);
}

/* Is an element read, or stored to where the counter says? What is stored elsewhere is what the loop finds. */
static bool takes_elements(const Tree *t, const Symbol *counter) {
  const bool stores = t->op == OP_ASSIGN && !t->compound && t->kid[0]->op == OP_INDEX;
  const Tree *to = stores ? t->kid[0] : NULL;
  if (t->op == OP_INDEX || (to && counter && tree_mentions(to, counter))) return true;
  for (int i = to ? 1 : 0; i < t->nkids; i++)
    if (t->kid[i] && takes_elements(t->kid[i], counter)) return true;
  for (int i = 1; to && i < to->nkids; i++)
    if (takes_elements(to->kid[i], counter)) return true;
  return false;
}

static bool loops_over_elements(const Tree *t) {
  const Tree *begin = t->op == OP_FOR ? t->kid[0] : NULL;
  if (t->op == OP_FOR || t->op == OP_WHILE)
    return takes_elements(t, begin && begin->op == OP_DECLARE ? begin->symbol : NULL);
  for (int i = 0; i < t->nkids; i++)
    if (t->kid[i] && loops_over_elements(t->kid[i])) return true;
  return false;
}

/* Does it go through its containers? A reduction does, and how to divide that is known: others have to be told. */
static bool is_long(const Codelet *c) {
  return c->spectrum->op == OPERATOR_NONE && c->kind == CLASS_AUTONOMOUS && tree_contains(c->body, OP_SIZE) &&
         loops_over_elements(c->body);
}

/* What one lane does for the whole machine; NULL: there is no such work. */
static const PlanNode *alone(const PlanNode *n) {
  const PlanNode *found = NULL;
  if (plan_in_steps(n))
    for (int i = 0; i < n->nkids && !found; i++) found = alone(n->kid[i]);
  if (plan_in_steps(n)) return found;
  while (plan_applies(n) || (!n->rule->codelet && n->nkids == 1)) n = n->kid[0];
  return n->rule->codelet && !n->nkids && is_long(n->rule->codelet) ? n : NULL;
}

/* Who has written a plain loop is told that no plan divides it. */
static void note_alone(const Plans *kept, Diagnostics *d) {
  const PlanNode *n = NULL;
  for (int i = kept->list.n - 1; i >= 0; i--)
    if (!(n = alone(kept->list.at[i]->root))) return;
  if (!n) return;
  const Codelet *c = n->rule->codelet;
  diagnostics_add(d, DIAG_NOTE, c->where, NULL, "one %s does all that `%s' of `%s' does", n->rule->level->name, c->tag,
                  c->spectrum->name);
}

void fates_report(Arena *a, const Arch *m, const Rules *program, const CodeletFates *all, const Plans *kept,
                  Diagnostics *d) {
  note_alone(kept, d);
  VEC(const Codelet *) told = {0};
  for (int i = 0; i < program->list.n; i++) {
    const Codelet *c = program->list.at[i]->codelet;
    bool again = !c || is_used(kept, c);
    for (int k = 0; k < told.n; k++) again |= told.at[k] == c;
    if (again) continue;
    vec_push(a, &told, c);
    const CodeletFate *fate = NULL;
    for (int k = 0; k < all->n; k++)
      if (all->at[k].codelet == c) fate = &all->at[k];
    report(c, m, fate, d);
  }
}
