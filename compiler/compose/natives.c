/* natives.c: where codelets that are for certain machines (__env) apply, and functions of the C compiler's that they
 * hand addresses of elements to (ir/native.h).
 *
 * Such a function goes through memory as it lies. So the part that it is handed is adjacent elements, or rows and
 * columns that are; nobody else contributes to what it contributes to, which it does without atomics; and it is one
 * lane's work alone: a CPU's lanes would call it one after another, each for less than a vector. */
#include <string.h>

#include "compose/search.h"
#include "ir/native.h"

bool natives_for_machine(const Codelet *c, const Arch *m) {
  if (!c || !c->nenv) return true;
  for (int i = 0; i < c->nenv; i++)
    if (arch_is_called(m, c->env[i])) return true;
  return false;
}

static bool is_parameter(const Tree *t) { return t->op == OP_REF && t->symbol->kind == SYMBOL_PARAM; }

static bool is_one(const Tree *sequence) {
  int64_t by;
  return sequence && sequence->nkids == 1 && tree_constant(sequence->kid[0], &by) && by == 1;
}

/* Are the elements of a part neighbours in memory, but for rows of it? */
static bool stays_together(const Tree *x) {
  if (!x->nkids || is_parameter(x)) return true;
  if (!is_parameter(x->kid[0])) return false;
  if (x->op == OP_PARTITION) return is_one(tree_sequence(x->kid[3]));
  if (x->op != OP_PARTS) return x->op == OP_ROWS && !x->kid[0]->symbol->by_columns;
  for (int d = 1; d < x->nkids; d++) {
    const Symbol *cut = tree_cut(x->kid[d]);
    if (cut && !plan_cut_is_tiles(cut)) return false;
  }
  return true;
}

static bool is_cut_by(const Tree *x, const Symbol *cut) {
  bool found = false;
  for (int d = 1; d < x->nkids && x->op == OP_PARTS; d++) found |= tree_cut(x->kid[d]) == cut;
  return found;
}

/* Has each part what is contributed to, `x', for itself? It is cut by all cuts of the map. */
static bool is_exclusive(const Tree *map, const Tree *x) {
  if (x->op != OP_PARTS) return false;
  for (int i = 0; i < map->nkids; i++)
    for (int d = 1; d < map->kid[i]->nkids && map->kid[i]->op == OP_PARTS; d++) {
      const Symbol *cut = tree_cut(map->kid[i]->kid[d]);
      if (cut && !is_cut_by(x, cut)) return false;
    }
  return true;
}

bool natives_stay_together(const Rule *r, const Arch *m) {
  const Tree *map = r->codelet ? plan_map_of(r->codelet) : NULL;
  const bool loop = r->map == STEP_SERIALIZE;
  if (!map || map->spectrum->ncodelets == 0) return true;
  if (!loop && (r->map != STEP_DISTRIBUTE || (m->one_vector && r->parts->can.lanes == LANES_ONE))) return false;
  const Codelet *of = map->spectrum->codelets[0];
  for (int i = 0; i < map->nkids && i < of->nparams; i++) {
    if (!of->params[i]->rank) continue;
    if (!stays_together(map->kid[i])) return false;
    if (of->params[i]->atomic && !loop && !is_exclusive(map, map->kid[i])) return false;
  }
  return true;
}

static bool find_view(void *context, const Tree *t) {
  bool *found = context;
  *found |= op_view(t->op) != NULL;
  return !*found;
}

bool natives_see_memory(const Codelet *c) {
  bool views = false;
  tree_visit(c->body, find_view, &views);
  return !views;
}

static bool find_address(void *context, const Tree *t) {
  const Symbol **found = context;
  if (t->op == OP_ADDRESS && !*found) *found = t->kid[0]->kid[0]->symbol;
  return !*found;
}

const char *natives_refused(const Codelet *c, bool together) {
  const Symbol *found = NULL;
  if (!c->native) return NULL;
  tree_visit(c->body, find_address, &found);
  if (!found) return NULL;
  for (int i = 0; i < c->nparams; i++)
    if (c->params[i]->by_columns || (c->params[i]->atomic && c->params[i]->rank < 2))
      return "functions of the C compiler's go through rows, and what they alone contribute to";
  return together ? NULL
                  : "functions of the C compiler's go through a part as it lies in memory, alone: here it is apart, in "
                    "several lanes, or contributed to by others";
}
