/* compound.c: what a compound codelet may say for the composition to carry it out.
 *
 * Sizes, one map over a partition of the container, and what becomes of the map's results: composition takes a codelet
 * apart into these. It would leave out anything else, so anything else is refused. */
#include "front/front.h"

typedef struct Maps { const Tree *first; int n; } Maps;

static bool count_maps(void *context, const Tree *t) {
  Maps *m = context;
  if (t->op == OP_DECLARE && t->symbol->init) tree_visit(t->symbol->init, count_maps, m);
  if (t->op == OP_MAP && m->n++ == 0) m->first = t;
  return true;
}

/* `f(m)' or `f(map(..))': a spectrum of a map's results. */
static bool combines(const Tree *t) {
  if (t->op != OP_CALL || t->nkids != 1) return false;
  const Tree *x = t->kid[0];
  return x->op == OP_MAP || (x->op == OP_REF && x->symbol->kind == SYMBOL_MAP);
}

static void check_statement(const Tree *t, Diagnostics *d) {
  bool size = t->op == OP_DECLARE && t->symbol->kind == SYMBOL_LOCAL;
  if (t->op == OP_RETURN && t->nkids && !combines(t->kid[0]))
    diagnostics_add(d, DIAG_ERROR, t->kid[0]->where, "return f(map)",
                    "a compound codelet returns a spectrum of its map");
  else if (t->op != OP_RETURN && t->op != OP_DECLARE && t->op != OP_MAP_ATOMIC)
    diagnostics_add(d, DIAG_ERROR, t->where, "give sizes their values where they are declared: `unsigned tile = ..;'",
                    "a compound codelet has declarations, a map and a return only");
  else if (size && (!t->nkids || t->symbol->array || tree_contains(t->kid[0], OP_CALL)))
    diagnostics_add(d, DIAG_ERROR, t->where, "`unsigned tile = ..;', made of sizes and tunables",
                    "`%s' has no value before the map", t->symbol->name);
}

bool front_compound(const Codelet *c, Diagnostics *d) {
  int before = d->errors;
  for (int i = 0; i < c->body->nkids; i++) check_statement(c->body->kid[i], d);
  if (d->errors > before) return false;
  Maps maps = {0};
  tree_visit(c->body, count_maps, &maps);
  if (maps.n == 1) return true;
  diagnostics_add(d, DIAG_ERROR, maps.n ? maps.first->where : c->where, "one map, then one spectrum of its results",
                  maps.n ? "a compound codelet with several maps is not supported" : "a compound codelet needs a map");
  return false;
}
