/* handed.c: a scan's results that a map has one by one, recognised in a codelet's text. */
#include "ir/handed.h"

typedef struct Found { const Tree *call, *map; int calls, maps; } Found;

static bool find(void *context, const Tree *t) {
  Found *f = context;
  if (t->op == OP_CALL) f->call = t, f->calls++;
  if (t->op == OP_MAP) f->map = t, f->maps++;
  if (t->op == OP_SLIDE) f->maps = 2;
  if (t->op == OP_DECLARE && t->symbol->init) tree_visit(t->symbol->init, find, f);
  return true;
}

static bool is(const Tree *t, const Symbol *s) { return t->op == OP_REF && t->symbol == s; }

/* Does it stand alone, as the last one of a scan's arguments? */
static bool is_scanned_into(const Tree *call, const Symbol *s) {
  for (int i = 0; i < call->nkids; i++)
    if (is(call->kid[i], s) != (i == 2)) return false;
  return call->nkids == 3;
}

/* Has each part an element of it, and of others no more than that? */
static bool is_by_elements(const Tree *map, const Symbol *s) {
  bool found = false;
  for (int i = 0; i < map->nkids; i++) {
    const Tree *x = map->kid[i];
    if (x->op == OP_PARTITION || x->op == OP_PARTS || x->op == OP_ROWS || x->op == OP_COLUMNS) return false;
    if (x->op == OP_ELEMENTS && is(x->kid[0], s)) found = true;
    else if (tree_mentions(x, s)) return false;
  }
  return found;
}

Handed handed_of(const Codelet *c) {
  Handed h = {0};
  Found f = {0};
  if (c->kind != CLASS_COMPOUND) return h;
  for (int i = 0; i < c->body->nkids; i++) {
    const Tree *t = c->body->kid[i];
    if (t->op != OP_DECLARE || t->symbol->kind != SYMBOL_LOCAL || !t->symbol->rank) continue;
    if (h.declare) return (Handed){0};
    h.declare = t;
  }
  tree_visit(c->body, find, &f);
  if (!h.declare || f.calls != 1 || f.maps != 1) return (Handed){0};
  const Symbol *own = h.declare->symbol;
  bool scanned = false, runs = false; /* one before the other */
  for (int i = 0; i < c->body->nkids; i++) {
    const Tree *t = c->body->kid[i];
    scanned |= (t->op == OP_DECLARE || t->op == OP_RUN) && t->nkids && t->kid[0] == f.call;
    runs |= t->op == OP_MAP_RUN && t->kid[0] == f.map && scanned;
  }
  if (!runs || !is_scanned_into(f.call, own) || !is_by_elements(f.map, own)) return (Handed){0};
  return (Handed){own, h.declare, f.call, f.map};
}
