/* contributions.c: do several workers contribute (__accum) to the same elements of a container? Where they do, they
 * accumulate atomically, in the order of arrival. Where they do not, one worker adds to what is its own, in its
 * codelet's order.
 *
 * Known of spectra with codelets that cut, of containers of several dimensions, which are cut by cuts or handed on
 * whole. All others are taken to be shared, as they mostly are. */
#include "compose/search.h"
#include "ir/steps.h"

static bool find_applied(void *context, const Tree *t) {
  const Tree **found = context;
  if (*found) return false;
  if (t->op == OP_MAP || t->op == OP_CALL) *found = t;
  if (t->op == OP_DECLARE && t->symbol->kind == SYMBOL_MAP) tree_visit(t->symbol->init, find_applied, context);
  return !*found;
}

static bool has_cut(const Tree *parts, const Symbol *cut) {
  for (int d = 1; d < parts->nkids; d++)
    if (tree_cut(parts->kid[d]) == cut) return true;
  return false;
}

/* Is it cut by all cuts of the map? Then parts have nothing in common. */
static bool is_cut_by_all(const Tree *map, const Tree *parts) {
  for (int i = 0; i < map->nkids; i++)
    for (int d = 1; map->kid[i]->op == OP_PARTS && d < map->kid[i]->nkids; d++) {
      const Symbol *cut = tree_cut(map->kid[i]->kid[d]);
      if (cut && !has_cut(parts, cut)) return false;
    }
  return true;
}

/* Between a codelet's steps it is the workers' who take these, and nobody else's. */
static bool is_between(const Tree *container) {
  return container->op == OP_REF && container->symbol->kind == SYMBOL_LOCAL && container->symbol->rank >= 2;
}

static bool meets(const Codelet *c, const Sharing *s, const Tree *container) {
  if (is_between(container)) return false;
  for (int i = 0; i < c->nparams && container->op == OP_REF; i++)
    if (c->params[i] == container->symbol) return c->params[i]->rank < 2 || s->of[i];
  return true;
}

static Sharing all_meet(bool so) {
  Sharing all = {{false}};
  for (int i = 0; i < MOST_OPERANDS; i++) all.of[i] = so;
  return all;
}

Sharing contributions_all(void) { return all_meet(true); }

Sharing contributions_at_root(const Spectrum *s) { return all_meet(!s->cuts); }

/* Whatever is applied to what is shared is shared, too: most plans have nothing else. */
static bool all_shared(const Sharing *s) {
  for (int i = 0; i < MOST_OPERANDS; i++)
    if (!s->of[i]) return false;
  return true;
}

Sharing contributions_below(const PlanNode *n, const Sharing *s) {
  const Codelet *c = n->rule->codelet;
  const Tree *applied = NULL;
  Sharing below = *s;
  if (!c || c->kind != CLASS_COMPOUND || all_shared(s)) return below;
  if (plan_in_steps(n)) return all_meet(true); /* each has its own arguments: contributions_of_step */
  tree_visit(c->body, find_applied, &applied);
  const bool several =
      applied && applied->op == OP_MAP && n->rule->map != STEP_SERIALIZE && !plan_adds_copies(n);
  for (int i = 0; applied && i < applied->nkids && i < MOST_OPERANDS; i++) {
    const Tree *x = applied->kid[i];
    const bool parts = x->op == OP_PARTS;
    below.of[i] = meets(c, s, parts ? x->kid[0] : x) || (several && !(parts && is_cut_by_all(applied, x)));
  }
  return below;
}

/* The steps' workers are those of the whole, one step after another. */
Sharing contributions_of_step(const PlanNode *n, const Sharing *s, int step) {
  const Codelet *c = n->rule->codelet;
  const Steps steps = steps_of(c);
  if (all_shared(s) || step >= steps.n) return all_meet(true);
  Sharing of = all_meet(true);
  const Tree *call = steps.call[step];
  for (int i = 0; i < call->nkids && i < MOST_OPERANDS; i++) of.of[i] = meets(c, s, call->kid[i]);
  return of;
}

bool contributions_share(const PlanNode *n) {
  if (!n->rule->spectrum->cuts) return false;
  const Sharing none = {{false}}, below = contributions_below(n, &none);
  const Codelet *c = plan_work(n->kid[0])->rule->spectrum->codelets[0];
  for (int i = 0; i < c->nparams; i++)
    if (c->params[i]->rank > 1 && c->params[i]->atomic && below.of[i]) return true;
  return false;
}

bool contributions_meet(const Codelet *c, const Sharing *s, int i) {
  return c->kind == CLASS_COOPERATIVE || c->params[i]->rank < 2 || s->of[i];
}

/* Do parts along that cut, which is no tiles', contribute to the same elements? */
static bool is_reordered(const Tree *map, const Symbol *cut) {
  const Codelet *of = map->spectrum->codelets[0];
  if (cut->init->nkids == 2) return false;
  for (int i = 0; i < map->nkids && i < of->nparams; i++)
    if (of->params[i]->atomic && !(map->kid[i]->op == OP_PARTS && has_cut(map->kid[i], cut))) return true;
  return false;
}

bool contributions_reorder(const PlanNode *n) {
  const Codelet *c = n->rule->codelet;
  const Tree *applied = NULL;
  if (!c || n->rule->map != STEP_SERIALIZE) return false;
  tree_visit(c->body, find_applied, &applied);
  for (int i = 0; applied && i < applied->nkids; i++)
    for (int d = 1; applied->kid[i]->op == OP_PARTS && d < applied->kid[i]->nkids; d++) {
      const Symbol *cut = tree_cut(applied->kid[i]->kid[d]);
      if (cut && is_reordered(applied, cut)) return true;
    }
  return false;
}
