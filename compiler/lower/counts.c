/* counts.c: scans of flags whose results are handed on to a map, as in stream compaction.
 *
 *   narrow  each flag is 0 or 1, so what stands before an element within its tile is less than a tile has elements: 32
 *           bits hold it, whatever the text says. Only what stands before the tile is as wide as the result. A lane
 *           keeps half as many registers, and exchanges one word instead of two
 *   held    flags are computed of elements in memory. A lane loads these 16 bytes at a time, and holds them in
 *           registers until the map has had them: they are not read again
 *
 * Requires, of what becomes narrow, an operator that adds. Keeps every value. Breaks: variables have another type than
 * in the codelet's text. */
#include "lower/counts.h"

/* ---- flags ---- */

static bool is_flag(const Tree *t) {
  int64_t number;
  switch (t->op) {
    case OP_CAST: return is_flag(t->kid[0]);
    case OP_COND: return is_flag(t->kid[1]) && is_flag(t->kid[2]);
    case OP_LT: case OP_LE: case OP_GT: case OP_GE: case OP_EQ: case OP_NE: case OP_LAND: case OP_LOR: case OP_NOT:
    case OP_BOOL: return true;
    default: return tree_constant(t, &number) && (number == 0 || number == 1);
  }
}

bool counts_flags(Lowering *l, const View *v) {
  return v->source.kind == VIEW_TRANSFORM && is_flag(view_element(l, v, build_index(l->a, 0)));
}

/* ---- what flags are computed of ---- */

/* `at': the element's number in the view; then its position in what is found. */
static const View *find_source(Lowering *l, const View *v, Tree **at) {
  const Source *s = &v->source;
  if (s->register_of || !build_is(v->step, 1)) return NULL;
  *at = build_add(l->a, v->begin, build_mul(l->a, *at, v->step));
  if (s->kind == VIEW_MEMORY) {
    const bool run = s->base && s->base->pointer && !s->copying && !s->interleaved && !v->plane.columns;
    return run && s->base->type != TYPE_BOOL ? v : NULL;
  }
  for (int i = 0; s->kind == VIEW_TRANSFORM && i < s->nof; i++) {
    Tree *there = *at;
    const View *found = find_source(l, s->of[i], &there);
    if (found) {
      *at = there;
      return found;
    }
  }
  return NULL;
}

View *counts_source(Lowering *l, View *v) {
  Tree *at = build_index(l->a, 0);
  const View *found = l->plan->spectrum->unaligned || v->source.kind == VIEW_MEMORY ? NULL : find_source(l, v, &at);
  if (!found) return NULL;
  View made = view_of_memory(l, found->source.base, view_size(l, v));
  made.begin = view_in_base(l, found, at);
  made.end = build_add(l->a, made.begin, made.size);
  return view_new(l, made);
}

Tree *counts_element(Lowering *l, const View *v, Tree *index) {
  const View *found = find_source(l, v, &index);
  return found ? build_element(l->a, found->source.base, view_in_base(l, found, index)) : NULL;
}

typedef struct Replacing { const Tree *element; Tree *held; } Replacing;

static Tree *by_held(void *context, Arena *a, Tree *t) {
  const Replacing *x = context;
  (void)a;
  return tree_equal(t, x->element) ? x->held : t;
}

Tree *counts_of_held(Lowering *l, Tree *t, const Tree *element, Tree *held) {
  return tree_rewrite(l->a, t, by_held, &(Replacing){element, held});
}

typedef struct Near { const Tree *element; Symbol *tile; Tree *k, *per; } Near;

/* in[max(i - 1, 0)], or in[i - 1], of in[i]: how far before it; 0: it is another one's. */
static int64_t is_before(const Tree *t, const Tree *element) {
  int64_t by;
  if (t->op != OP_INDEX || t->nkids != 2 || !tree_equal(t->kid[0], element->kid[0])) return 0;
  const Tree *at = t->kid[1];
  if (at->op == OP_MAX && build_is(at->kid[1], 0)) at = at->kid[0];
  const bool less = at->op == OP_SUB && tree_equal(at->kid[0], element->kid[1]) && tree_constant(at->kid[1], &by);
  return less && by > 0 ? by : 0;
}

static Tree *by_near(void *context, Arena *a, Tree *t) {
  const Near *x = context;
  const int64_t by = is_before(t, x->element);
  if (!by) return t;
  Tree *number = tree_int(a, TYPE_INT, by), *in_row = tree_binary(a, OP_REM, TYPE_INT, x->k, x->per);
  Tree *held = build_element(a, x->tile, tree_binary(a, OP_SUB, TYPE_INT, x->k, number));
  return build_choice(a, build_compare(a, OP_GE, in_row, number), held, t);
}

Tree *counts_near_held(Lowering *l, Tree *t, const Tree *element, Symbol *tile, Tree *k, Tree *per) {
  return tree_rewrite(l->a, t, by_near, &(Near){element, tile, k, per});
}

/* ---- 32 bits ---- */

static Tree *narrower(void *context, Arena *a, Tree *t) {
  const Type wide = *(const Type *)context;
  if (t->op == OP_DECLARE && t->symbol->type == wide) t->symbol->type = TYPE_INT;
  if (t->type != wide || tree_is_extent(t)) return t;
  for (int i = 0; t->op != OP_INDEX && i < t->nkids; i++)
    if (t->kid[i] && t->kid[i]->type == wide) return t;
  Tree *made = tree_with_kids(a, t, t->kid, t->nkids);
  made->type = TYPE_INT;
  return made;
}

Form counts_narrow(Lowering *l, const Form *form, Type wide) {
  Form made = *form;
  made.body = tree_rewrite(l->a, tree_clone(l->a, form->body), narrower, &wide);
  return made;
}
