/* divide.c: trees of codelets that cut containers, as their text would have them. */
#include "front/divide.h"

#include <string.h>

#include "front/loop_sums.h"

Symbol *divide_parameter(Arena *a, const Codelet *from, Symbol *const *copies, const Symbol *s) {
  Symbol *copy = arena_one(a, Symbol);
  *copy = *s;
  for (int d = 0; d < MOST_RANK; d++)
    for (int k = 0; k < SHAPE_SIZES; k++)
      for (int p = 0; p < from->nparams && s->shape[d].of[k]; p++)
        if (from->params[p] == s->shape[d].of[k]) copy->shape[d].of[k] = copies[p];
  if (s->counter) copy->counter = copies[divide_place(from, s->counter)];
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

Symbol *divide_own(Arena *a, DivideStatements *to, Symbol *of, const char *name) {
  Symbol *s = symbol_new(a, SYMBOL_LOCAL, name, of->type);
  s->rank = of->rank;
  s->writable = true;
  s->where = of->where;
  Tree *sizes[MOST_RANK];
  for (int d = 0; d < of->rank; d++) sizes[d] = divide_size(a, of, d);
  s->length = sizes[0];
  if (of->rank > 1) {
    s->length = tree_new(a, OP_EXTENTS, TYPE_INDEX, of->where, of->rank);
    memcpy(s->length->kid, sizes, (size_t)of->rank * sizeof *sizes);
  }
  Tree *t = tree_new(a, OP_DECLARE, TYPE_VOID, of->where, 0);
  t->symbol = s;
  vec_push(a, to, t);
  return s;
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

Tree *divide_loop(Arena *a, Symbol *i, Tree *size, Tree *body) {
  Tree *t = tree_new(a, OP_FOR, TYPE_VOID, (SourceRange){0}, 4);
  t->kid[0] = tree_unary(a, OP_DECLARE, TYPE_VOID, tree_int(a, TYPE_INDEX, 0));
  t->kid[0]->symbol = i;
  t->kid[1] = tree_binary(a, OP_LT, TYPE_BOOL, tree_ref(a, i), size);
  t->kid[2] = tree_binary(a, OP_ASSIGN, TYPE_VOID, tree_ref(a, i), tree_int(a, TYPE_INDEX, 1));
  t->kid[2]->compound = OP_ADD;
  t->kid[3] = tree_seq(a, &body, 1);
  return t;
}

/* ---- what is divided ---- */

int divide_place(const Codelet *c, const Symbol *s) {
  for (int i = 0; i < c->nparams; i++)
    if (c->params[i] == s) return i;
  return -1;
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

const Symbol *divide_changed(const Tree *place) {
  const Tree *of = place->op == OP_INDEX ? place->kid[0] : place;
  return of->op == OP_REF ? of->symbol : NULL;
}

bool divide_keeps_to_turn(const Tree *turn, const Tree *place) {
  const Symbol *s = divide_changed(place);
  if (s && s->kind == SYMBOL_PARAM) return s->rank && place->op == OP_INDEX;
  return s && s->kind == SYMBOL_LOCAL && loop_declares(turn, s);
}

/* ---- spectra ---- */

typedef struct Shared { const Spectrum *spectrum; bool found; } Shared;

static bool find_tunable(void *context, const Tree *t) {
  bool *found = context;
  const Symbol *s = t->op == OP_REF ? t->symbol : NULL;
  *found |= s && s->kind == SYMBOL_TUNABLE;
  if (s && s->init && (s->kind == SYMBOL_CUT || s->kind == SYMBOL_SEQUENCE)) tree_visit(s->init, find_tunable, found);
  return !*found;
}

static bool find_shared(void *context, const Tree *t) {
  Shared *x = context;
  if ((t->op == OP_MAP || t->op == OP_SLIDE) && t->spectrum == x->spectrum) tree_visit(t, find_tunable, &x->found);
  if (t->op == OP_DECLARE && t->symbol->init) tree_visit(t->symbol->init, find_shared, x);
  return !x->found;
}

bool divide_is_shared_out(const Unit *u, const Spectrum *s) {
  Shared x = {s, false};
  for (int i = 0; i < u->nspectra; i++)
    for (int k = 0; k < u->spectra[i]->ncodelets; k++) tree_visit(u->spectra[i]->codelets[k]->body, find_shared, &x);
  return x.found;
}

typedef struct Applied { const Spectrum *spectrum; bool found; } Applied;

static bool find_applied(void *context, const Tree *t) {
  Applied *x = context;
  x->found |= (t->op == OP_MAP || t->op == OP_CALL || t->op == OP_SLIDE) && t->spectrum == x->spectrum;
  if (t->op == OP_DECLARE && t->symbol->init) tree_visit(t->symbol->init, find_applied, x);
  return !x->found;
}

/* Does it do no more than give containers other names (flat.c)? */
static bool gives_names(const Codelet *c) {
  for (int i = 0; i < c->body->nkids; i++)
    if (c->body->kid[i]->op == OP_DECLARE && c->body->kid[i]->symbol->within) return true;
  return false;
}

bool divide_is_applied(const Unit *u, const Spectrum *s) {
  Applied x = {s, false};
  for (int i = 0; i < u->nspectra; i++)
    for (int k = 0; k < u->spectra[i]->ncodelets; k++)
      if (!gives_names(u->spectra[i]->codelets[k])) tree_visit(u->spectra[i]->codelets[k]->body, find_applied, &x);
  return x.found;
}

bool divide_is_left(const Unit *u, const Spectrum *s) {
  return divide_is_shared_out(u, s) || divide_is_applied(u, s);
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

void divide_say_sizes(Codelet *k, const int (*of)[MOST_RANK]) {
  for (int p = 0; p < k->nparams; p++)
    for (int d = 0; d < k->params[p]->rank; d++) {
      ShapeRule *r = &k->params[p]->shape[d], like = {.said = false};
      bool keeps = of[p][d] < 0;
      for (int n = 0; n < SHAPE_SIZES; n++)
        if (r->of[n]) keeps &= of[divide_place(k, r->of[n])][r->dim[n]] < 0;
      for (int other = 0; other < p && of[p][d] >= 0 && !like.said; other++)
        for (int e = 0; e < k->params[other]->rank && !like.said; e++)
          if (of[other][e] == of[p][d])
            like = (ShapeRule){.said = true, .times = 1, .of = {k->params[other]}, .dim = {e}};
      if (!keeps) *r = like;
    }
}

bool divide_sizes_fit(const Codelet *c, const int (*of)[MOST_RANK]) {
  for (int p = 0; p < c->nparams; p++)
    for (int d = 0; d < c->params[p]->rank; d++) {
      const ShapeRule *r = &c->params[p]->shape[d];
      const Symbol *same = shape_same(r);
      if (of[p][d] >= 0 && r->said && (!same || of[divide_place(c, same)][r->dim[0]] != of[p][d])) return false;
      for (int n = 0; n < SHAPE_SIZES && of[p][d] < 0; n++)
        if (r->of[n] && of[divide_place(c, r->of[n])][r->dim[n]] >= 0) return false;
    }
  return true;
}
