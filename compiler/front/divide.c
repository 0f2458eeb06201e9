/* divide.c: trees of codelets that cut containers, as their text would have them. */
#include "front/divide.h"

#include <string.h>

Symbol *divide_parameter(Arena *a, const Codelet *from, Symbol *const *copies, const Symbol *s) {
  Symbol *copy = arena_one(a, Symbol);
  *copy = *s;
  for (int d = 0; d < MOST_RANK; d++)
    for (int k = 0; k < SHAPE_SIZES; k++)
      for (int p = 0; p < from->nparams && s->shape[d].of[k]; p++)
        if (from->params[p] == s->shape[d].of[k]) copy->shape[d].of[k] = copies[p];
  return copy;
}

static Tree *sequence(Arena *a, Tree *start, Tree *inc, Tree *end) {
  Tree *t = tree_new(a, OP_SEQUENCE, TYPE_INDEX, (SourceRange){0}, end ? 3 : 1);
  t->kid[0] = start;
  if (end) t->kid[1] = inc, t->kid[2] = end;
  return t;
}

/* tiles(p, n); cut(p, sequence(0, 1, p), sequence(p), sequence(n)). */
static Tree *cut_of(Arena *a, Symbol *parts, Tree *size, bool strided) {
  Tree *t = tree_new(a, OP_CUT, TYPE_INDEX, (SourceRange){0}, strided ? 4 : 2);
  t->kid[0] = tree_ref(a, parts);
  t->kid[1] = size;
  if (!strided) return t;
  t->kid[1] = sequence(a, tree_int(a, TYPE_INDEX, 0), tree_int(a, TYPE_INDEX, 1), tree_ref(a, parts));
  t->kid[2] = sequence(a, tree_ref(a, parts), NULL, NULL);
  t->kid[3] = sequence(a, size, NULL, NULL);
  return t;
}

static Symbol *local(Arena *a, DivideStatements *to, SymbolKind kind, const char *name, Tree *init) {
  Symbol *s = symbol_new(a, kind, name, TYPE_INDEX);
  s->declared = TYPE_UINT;
  s->init = init;
  Tree *t = tree_new(a, OP_DECLARE, TYPE_VOID, (SourceRange){0}, 0);
  t->symbol = s;
  vec_push(a, to, t);
  return s;
}

Symbol *divide_cut(Arena *a, DivideStatements *to, const char *const *names, Tree *size, bool strided) {
  Symbol *parts = local(a, to, SYMBOL_TUNABLE, names[0], NULL);
  return local(a, to, SYMBOL_CUT, names[1], cut_of(a, parts, size, strided));
}

Tree *divide_size(Arena *a, Symbol *of, int dimension) {
  Tree *t = tree_unary(a, OP_SIZE, TYPE_INDEX, tree_ref(a, of));
  t->dimension = dimension;
  return t;
}

Tree *divide_container(Arena *a, Symbol *of, Symbol *const *cut) {
  bool any = false;
  for (int d = 0; d < of->rank; d++) any |= cut[d] != NULL;
  if (!any) return tree_ref(a, of);
  Tree *t = tree_new(a, OP_PARTS, TYPE_CONTAINER, of->where, 1 + of->rank);
  t->kid[0] = tree_ref(a, of);
  for (int d = 0; d < of->rank; d++)
    t->kid[1 + d] = cut[d] ? tree_ref(a, cut[d]) : tree_new(a, OP_WHOLE, TYPE_INDEX, of->where, 0);
  return t;
}

void divide_map(Arena *a, DivideStatements *to, Spectrum *f, Tree *const *arguments, int n) {
  Tree *map = tree_new(a, OP_MAP, TYPE_CONTAINER, (SourceRange){0}, n);
  map->spectrum = f;
  for (int i = 0; i < n; i++) map->kid[i] = arguments[i];
  vec_push(a, to, tree_unary(a, OP_MAP_RUN, TYPE_VOID, map));
}

/* ---- what is divided ---- */

int divide_place(const Codelet *c, const Symbol *s) {
  for (int i = 0; i < c->nparams; i++)
    if (c->params[i] == s) return i;
  return -1;
}

bool divide_counts(const Tree *t, DivideLoop *loop) {
  const Tree *end;
  if (!tree_counts(t, &loop->index, &end) || tree_assigns(t->kid[3], loop->index)) return false;
  while (end->op == OP_CAST) end = end->kid[0];
  if (end->op != OP_SIZE || end->kid[0]->op != OP_REF || end->kid[0]->symbol->kind != SYMBOL_PARAM) return false;
  loop->of = end->kid[0]->symbol;
  loop->dimension = end->dimension;
  return true;
}

bool divide_never(const Tree *t) {
  static const Op never[] = {OP_CALL, OP_MAP, OP_SLIDE, OP_RUN, OP_MAP_RUN, OP_MAP_TO, OP_MAP_ATOMIC, OP_RETURN,
                             OP_ATOMIC, OP_SHUFFLE, OP_APART, OP_NATIVE, OP_ADDRESS, OP_CLAIM, OP_ALIKE,
                             OP_VECTOR_SIZE, OP_VECTOR_MAX, OP_VECTOR_THREAD, OP_VECTOR_LANE, OP_VECTOR_ID,
                             OP_COOP_DIM};
  for (size_t i = 0; i < sizeof never / sizeof *never; i++)
    if (t->op == never[i]) return true;
  return op_view(t->op) || (t->op == OP_DECLARE && t->symbol->kind != SYMBOL_LOCAL);
}

/* ---- spectra ---- */

typedef struct Mapped { const Spectrum *spectrum; bool found; } Mapped;

static bool find_mapped(void *context, const Tree *t) {
  Mapped *m = context;
  m->found |= t->op == OP_MAP && t->spectrum == m->spectrum;
  if (t->op == OP_DECLARE && t->symbol->init) tree_visit(t->symbol->init, find_mapped, m);
  return !m->found;
}

bool divide_is_mapped(const Unit *u, const Spectrum *s) {
  Mapped m = {s, false};
  for (int i = 0; i < u->nspectra; i++)
    for (int k = 0; k < u->spectra[i]->ncodelets; k++) tree_visit(u->spectra[i]->codelets[k]->body, find_mapped, &m);
  return m.found;
}


Spectrum *divide_spectrum(Arena *a, Unit *u, const Spectrum *of, const char *what) {
  const char *name = arena_printf(a, "%s_%s", of->name, what);
  for (int n = 2; unit_spectrum(u, name); n++) name = arena_printf(a, "%s_%s%d", of->name, what, n);
  Spectrum *s = unit_add(a, u, name, of->where);
  s->result = TYPE_VOID;
  return s;
}

void divide_add(Arena *a, Spectrum *s, Codelet *k) {
  Codelet **more = arena_many(a, Codelet *, s->ncodelets + 1);
  for (int i = 0; i < s->ncodelets; i++) more[i] = s->codelets[i];
  more[s->ncodelets++] = k;
  s->codelets = more;
}

Codelet *divide_codelet(Arena *a, const Codelet *from, Spectrum *s, const char *tag) {
  Codelet *k = arena_one(a, Codelet);
  *k = *from;
  k->spectrum = s;
  k->tag = tag;
  k->coop_declared = false;
  k->params = arena_many(a, Symbol *, k->nparams);
  for (int i = 0; i < k->nparams; i++) k->params[i] = divide_parameter(a, from, k->params, from->params[i]);
  return k;
}

const char *divide_tag(Arena *a, const Spectrum *s, const char *tag) {
  for (int i = 0; i < s->ncodelets; i++)
    if (s->codelets[i]->tag && strcmp(s->codelets[i]->tag, tag) == 0) return arena_printf(a, "%s_parts", tag);
  return tag;
}
