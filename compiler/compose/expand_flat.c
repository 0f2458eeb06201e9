/* expand_flat.c: maps over parts of any lengths, which return nothing, whose elements a warp's lanes share
 * (lower/flat.c): each lane runs the codelet on one element at a time, whichever part that belongs to.
 *
 * So may be done what another codelet of the spectrum says that any number of workers may do: each of p has every p-th
 * element, and else what all have. With as many workers as there are elements each has one. */
#include "compose/search.h"

typedef struct FindMaps { const Tree *map; int maps; } FindMaps;

static bool find_maps(void *context, const Tree *t) {
  FindMaps *f = context;
  if (t->op == OP_MAP || t->op == OP_SLIDE) {
    f->map = t;
    f->maps++;
  }
  if (t->op == OP_DECLARE && t->symbol->kind == SYMBOL_MAP) tree_visit(t->symbol->init, find_maps, f);
  return t->op != OP_MAP;
}

/* The codelet's one map; NULL: it has none, or several. */
static const Tree *map_of(const Codelet *c) {
  FindMaps f = {NULL, 0};
  tree_visit(c->body, find_maps, &f);
  return f.maps == 1 && f.map->op == OP_MAP ? f.map : NULL;
}

/* Does a codelet of the spectrum give any p workers every p-th element, and what all have as it is? */
static bool workers_are_free(const Spectrum *s) {
  for (int i = 0; i < s->ncodelets; i++) {
    const Codelet *c = s->codelets[i];
    const Tree *map = c->kind == CLASS_COMPOUND && c->strides ? map_of(c) : NULL;
    bool free = map && map->spectrum == s && map->nkids == c->nparams;
    for (int k = 0; free && k < map->nkids; k++) {
      const bool part = map->kid[k]->op == OP_PARTITION || map->kid[k]->op == OP_PARTS;
      const Tree *x = part ? map->kid[k]->kid[0] : map->kid[k];
      free = x->op == OP_REF && x->symbol == c->params[k];
    }
    if (free) return true;
  }
  return false;
}

/* Are its parts runs of neighbouring elements, those of all its partitions the same? */
static bool maps_runs(const Tree *map) {
  const Tree *first = NULL;
  for (int i = 0; i < map->nkids; i++) {
    const Tree *t = map->kid[i];
    if (t->op == OP_ROWS || t->op == OP_COLUMNS || t->op == OP_PARTS) return false;
    if (t->op != OP_PARTITION) continue;
    int64_t inc;
    const Tree *step = tree_sequence(t->kid[3]);
    if (step->nkids != 1 || !tree_constant(step->kid[0], &inc) || inc != 1) return false;
    for (int k = 1; first && k < t->nkids; k++)
      if (!tree_equal(t->kid[k], first->kid[k])) return false;
    first = t;
  }
  return first;
}

/* Does it do nothing but go through its elements? Then it does nothing where there is none. */
static bool only_counts(const Codelet *c) {
  const Symbol *i;
  const Tree *end;
  if (c->kind != CLASS_AUTONOMOUS || !c->nparams || !c->params[0]->rank || c->body->nkids != 1) return false;
  return tree_counts(c->body->kid[0], &i, &end) && end->op == OP_SIZE && end->kid[0]->op == OP_REF &&
         end->kid[0]->symbol == c->params[0];
}

PlanNode *expand_flat(Arena *a, const Arch *m, const PlanNode *map) {
  const Rule *r = map->rule;
  const Codelet *each = map->nkids ? map->kid[0]->rule->codelet : NULL;
  const bool lanes = r->level->can.launched && r->explicit_count && r->parts->can.lanes == LANES_ONE && !r->slides;
  const bool exchange = m->shared_bytes_block > 0 && !m->one_vector;
  if (!lanes || r->map != STEP_SPLIT || !exchange) return NULL;
  if (!each || each->spectrum->result != TYPE_VOID || !only_counts(each)) return NULL;
  const Tree *text = map_of(r->codelet);
  if (!text || !maps_runs(text) || !workers_are_free(each->spectrum)) return NULL;
  PlanNode *n = arena_one(a, PlanNode);
  *n = *map;
  n->traversal = TRAVERSE_FLAT;
  return n;
}
