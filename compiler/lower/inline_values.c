/* inline_values.c: what the names of a codelet's text stand for where it is inlined, and its expressions.
 *
 * Names are renamed where they would clash; the container becomes positions in memory. */
#include "ir/operator.h"
#include "ir/signature.h"
#include "lower/inline.h"

static const Binding *binding(const Environment *e, const Symbol *s) {
  for (int i = e->bound.n - 1; i >= 0; i--)
    if (e->bound.at[i].from == s) return &e->bound.at[i];
  return NULL;
}

void inline_bind(Lowering *l, Environment *e, const Symbol *from, Tree *to, Tree *offset) {
  Binding b = {from, to, offset};
  vec_push(l->a, &e->bound, b);
}

Environment inline_environment(Lowering *l, const Codelet *c, const Arguments *in, const Tree *body, const Place *p) {
  Environment e = {.codelet = c, .arguments = *in, .body = body, .place = p};
  for (int i = 0; i < c->nparams && i < in->n; i++) {
    if (!in->at[i].view) inline_bind(l, &e, c->params[i], in->at[i].number, NULL);
    else if (!e.container) {
      e.container = c->params[i];
      e.view = in->at[i].view;
    }
  }
  return e;
}

View *inline_container(const Environment *e, const Symbol *s) {
  if (s == e->container) return e->view;
  if (s == e->private) return e->private_view;
  for (int i = 0; i < e->between.n; i++)
    if (e->between.at[i].from == s) return e->between.at[i].to;
  for (int i = 0; e->codelet && i < e->codelet->nparams; i++)
    if (e->codelet->params[i] == s) return e->arguments.at[i].view;
  return NULL;
}

/* How many a view takes of a container: no more than there are, and none where there would be fewer: the text's
 * x.Size() - 1 of no elements; `begins': it begins so far on, which is never before the container. */
static Tree *count_in(Lowering *l, Environment *e, Tree *t, Tree *size, bool begins) {
  Tree *count = inline_expression(l, e, t);
  int64_t many;
  if (count->op == OP_SUB || (begins && !tree_constant(count, &many)))
    count = build_max(l->a, count, build_index(l->a, 0));
  return build_min(l->a, count, size);
}

/* Is it none, or all: a choice between these? What is cast to fewer bits may be neither. */
static bool is_none_or_all(const Tree *count, const Tree *size) {
  int64_t n;
  while (count->op == OP_CAST && (count->type == TYPE_INDEX || count->type == TYPE_LONG)) count = count->kid[0];
  if (count->op == OP_COND) return is_none_or_all(count->kid[1], size) && is_none_or_all(count->kid[2], size);
  return tree_equal(count, size) || (tree_constant(count, &n) && n == 0);
}

/* .. where that is in the device's memory: kernels look it up. */
static Tree *count_in_memory(Lowering *l, Environment *e, Tree *t, Tree *size) {
  Arena *a = l->a;
  Tree *count = build_cast(a, TYPE_INDEX, inline_expression(l, e, t));
  if (!is_none_or_all(count, size)) count = build_min(a, build_max(a, count, build_index(a, 0)), size);
  return lowering_count(l, "filled", count, size);
}

/* Positions begin, begin + step, .. of others: of `whole' the first, all but the first, or every so many. */
static View *run_of(Lowering *l, Environment *e, const Tree *t, View *whole) {
  Arena *a = l->a;
  View *made = view_new(l, *whole);
  Tree *size = view_size(l, whole);
  if (t->op == OP_TAKE && !l->now.kernel && tree_contains(t->kid[1], OP_INDEX)) {
    made->size = count_in_memory(l, e, t->kid[1], size);
    made->end = build_add(a, whole->begin, build_mul(a, made->size, whole->step));
    return made;
  }
  if (t->op == OP_TAKE) {
    made->size = count_in(l, e, t->kid[1], size, false);
    made->end = build_add(a, whole->begin, build_mul(a, made->size, whole->step));
    return made;
  }
  made->spread = NULL; /* whose elements are another worker's run */
  if (t->op == OP_SHIFT) {
    Tree *lacks = count_in(l, e, t->kid[1], size, true);
    made->size = build_sub(a, size, lacks);
    made->begin = build_add(a, whole->begin, build_mul(a, lacks, whole->step));
    return made;
  }
  Tree *each = build_max(a, inline_expression(l, e, t->kid[1]), build_index(a, 1)); /* 0 is taken for 1 */
  made->size = build_ceil_div(a, size, each);
  made->end = build_add(a, whole->begin, build_mul(a, size, whole->step));
  made->step = build_mul(a, whole->step, each);
  return made;
}

/* Gathered from positions n - 1, n - 2, .. */
static View *reversed(Lowering *l, View *whole) {
  View down = view_of_memory(l, NULL, view_size(l, whole));
  down.step = build_index(l->a, -1);
  down.source = (Source){.kind = VIEW_IOTA, .number = build_sub(l->a, down.size, build_index(l->a, 1))};
  View *made = view_new(l, view_of_memory(l, NULL, down.size));
  made->source = (Source){.kind = VIEW_GATHER, .of = {whole, view_new(l, down)}, .nof = 2};
  return made;
}

/* Of each dimension so many elements, from one on. */
static View *box_of(Lowering *l, Environment *e, const Tree *t, View *whole) {
  Arena *a = l->a;
  View *made = view_new(l, *whole);
  made->spread = NULL;
  for (int d = 0; 1 + 2 * d < t->nkids; d++) {
    Tree *start = inline_expression(l, e, t->kid[1 + 2 * d]);
    *view_extent_of(made, d) = inline_expression(l, e, t->kid[2 + 2 * d]);
    made->begin = build_add(a, made->begin, build_mul(a, start, *view_step_of(made, d)));
  }
  made->plane.box = made->begin;
  made->end = made->plane.columns ? NULL : build_add(a, made->begin, build_mul(a, made->size, made->step));
  return made;
}

View *inline_view(Lowering *l, Environment *e, const Tree *t) {
  View *of[MOST_OPERANDS], *made;
  switch (t->op) {
    case OP_REF: return inline_container(e, t->symbol);
    case OP_TRANSFORM:
      for (int i = 0; i < t->nkids; i++)
        if (!(of[i] = inline_view(l, e, t->kid[i]))) return NULL;
      return view_transform(l, t->spectrum, of, t->nkids);
    case OP_TAKE: case OP_SHIFT: case OP_EVERY: case OP_REVERSE:
      of[0] = inline_view(l, e, t->kid[0]);
      if (!of[0]) return NULL;
      return t->op == OP_REVERSE ? reversed(l, of[0]) : run_of(l, e, t, of[0]);
    case OP_BOX: return (of[0] = inline_view(l, e, t->kid[0])) ? box_of(l, e, t, of[0]) : NULL;
    case OP_REPEAT: case OP_IOTA: case OP_GENERATE: {
      made = arena_one(l->a, View);
      Tree *size = inline_expression(l, e, t->kid[t->nkids - 1]);
      *made = view_of_memory(l, NULL, size);
      made->source.kind = t->op == OP_REPEAT ? VIEW_REPEAT : t->op == OP_IOTA ? VIEW_IOTA : VIEW_GENERATE;
      if (t->op == OP_GENERATE) made->source.function = t->spectrum;
      else made->source.number = inline_expression(l, e, t->kid[0]);
      return made;
    }
    case OP_GATHER: {
      View *positions = inline_view(l, e, t->kid[1]);
      of[0] = inline_view(l, e, t->kid[0]);
      if (!of[0] || !positions) return NULL;
      of[1] = positions;
      made = view_transform(l, NULL, &positions, 1);
      made->source.kind = VIEW_GATHER;
      made->source.of[1] = made->source.of[0];
      made->source.of[0] = of[0];
      made->source.nof = 2;
      return made;
    }
    default: return NULL;
  }
}

bool inline_is_whole(const View *v) {
  return v->source.kind == VIEW_MEMORY && v->source.base && v->source.base->pointer && !v->spread &&
         !v->plane.columns && build_is(v->begin, 0) && build_is(v->step, 1);
}

void inline_by_position(Lowering *l, Environment *e, const View *v, Tree *place) {
  for (int i = 0; i < e->arguments.n; i++) {
    View *old = e->arguments.at[i].view;
    if (!old || old->plane.columns || !view_aligned(old, v)) continue;
    View *at = arena_one(l->a, View);
    *at = view_like(&(View){.begin = build_index(l->a, 0), .end = old->end, .step = build_index(l->a, 1)}, old);
    at->size = view_size(l, old); /* of another length, perhaps: elements and positions are counted apart */
    at->place = place;
    e->arguments.at[i].view = at;
    at->by_position = !inline_is_whole(old);
    if (old == e->view) e->view = at;
  }
}

/* ---- expressions ---- */

typedef struct Rewriting {
  Lowering *l;
  Environment *e;
} Rewriting;

/* warp * 32 + lane is the thread's number. */
Tree *inline_slice_index(Lowering *l, Tree *offset, Tree *index) {
  bool by_warps = offset->op == OP_MUL && offset->kid[0]->op == OP_WARP && build_is(offset->kid[1], 32);
  if (by_warps && index->op == OP_LANE) return build_lane(l->a, OP_THREAD);
  if (by_warps && (index->op == OP_ADD || index->op == OP_SUB) && index->kid[0]->op == OP_LANE)
    return tree_binary(l->a, index->op, index->type, build_lane(l->a, OP_THREAD), index->kid[1]);
  return build_add(l->a, offset, index);
}

static Tree *element(Rewriting *r, Tree *t) {
  const Symbol *array = t->kid[0]->op == OP_REF ? t->kid[0]->symbol : NULL;
  const View *v = array ? inline_container(r->e, array) : NULL;
  if (v) {
    Tree *made = view_element_at(r->l, v, &t->kid[1], t->nkids - 1);
    const bool any = r->l->plan && array->kind == SYMBOL_PARAM && array->atomic == ATOMIC_ANY;
    return any ? tree_unary(r->l->a, OP_SEE_ANY, made->type, made) : made;
  }
  for (int i = r->e->bound.n - 1; array && i >= 0; i--) { /* the REF is renamed by now */
    const Binding *b = &r->e->bound.at[i];
    if (b->offset && b->to->op == OP_REF && b->to->symbol == array)
      return build_element(r->l->a, b->to->symbol, inline_slice_index(r->l, b->offset, t->kid[1]));
  }
  return t;
}

bool inline_carries_nothing(const Environment *e, const Tree *t) {
  const Spectrum *s = e->codelet ? e->codelet->spectrum : NULL;
  const Symbol *carry = s && spectrum_is_scan(s) ? e->codelet->params[1] : NULL;
  const Binding *b = carry ? binding(e, carry) : NULL;
  while (t->op == OP_CAST && b && t != b->to) t = t->kid[0];
  return b && (t == b->to || (t->op == OP_REF && t->symbol == carry)) && operator_is_identity(s->op, b->to);
}

/* The identity and x combined are x. */
static Tree *without_identity(const Environment *e, Tree *t) {
  const Spectrum *s = e->codelet ? e->codelet->spectrum : NULL;
  if (!s || t->type != s->result || t->nkids != 2 || t->op != operator_op(s->op)) return t;
  for (int i = 0; i < 2; i++)
    if (inline_carries_nothing(e, t->kid[i])) return t->kid[1 - i];
  return t;
}

/* How far apart the caller's elements lie, whatever part of them this is: of what is a copy, the copied ones. */
static Tree *apart(Rewriting *r, Tree *t) {
  const View *v = t->kid[0]->op == OP_REF ? inline_container(r->e, t->kid[0]->symbol) : NULL;
  while (v && v->plane.copied) v = v->plane.copied;
  const Signature *s = &r->l->program->signature;
  for (int i = 0; v && i < s->n; i++)
    if (s->at[i].kind == OPERAND_ARRAY && s->at[i].symbol == v->source.base)
      return lowering_stride(r->l, &s->at[i], (int)t->dimension);
  lowering_fail(r->l, t->where, "how far apart its elements lie is not known here");
  return build_index(r->l->a, 1);
}

static Tree *rewrite(void *context, Arena *a, Tree *t) {
  Rewriting *r = context;
  const Place *p = r->e->place;
  switch (t->op) {
    case OP_REF: {
      const Binding *b = binding(r->e, t->symbol);
      return b ? b->to : t;
    }
    case OP_SIZE: {
      View *v = inline_view(r->l, r->e, t->kid[0]);
      if (!v) return t;
      return view_extent(r->l, v, (int)t->dimension);
    }
    case OP_STRIDE: return build_index(a, 1);
    case OP_APART: return apart(r, t);
    case OP_INDEX: return element(r, t);
    case OP_CLAIM: /* it looks for itself */
      return t->kid[0]->op == OP_SEE_ANY
                 ? tree_with_kids(a, t, (Tree *[]){t->kid[0]->kid[0], t->kid[1], t->kid[2]}, 3) : t;
    case OP_VECTOR_SIZE: /* blocks are whole vectors */
    case OP_VECTOR_MAX: return tree_int(a, TYPE_INT, p->width);
    case OP_VECTOR_THREAD: return p->lane;
    case OP_VECTOR_LANE: return p->vectors ? build_lane(a, OP_LANE) : p->lane;
    case OP_VECTOR_ID: return p->vectors ? build_lane(a, OP_WARP) : tree_int(a, TYPE_INT, 0);
    case OP_COOP_DIM: return p->lanes;
    case OP_ADD:
      if (type_is_whole(t->type) && build_is(t->kid[1], 0)) return t->kid[0];
      break;
    default: break;
  }
  return without_identity(r->e, t);
}

/* What a function of the C compiler's is handed: where an element is in memory, behind which the others lie as they do
 * in the caller's container. Composition sees to it (compose/natives.c). */
static bool check_address(void *context, const Tree *t) {
  Rewriting *r = context;
  if (t->op != OP_ADDRESS) return true;
  const Symbol *s = t->kid[0]->kid[0]->symbol;
  View *v = inline_container(r->e, s);
  bool fits = v && v->source.kind == VIEW_MEMORY && v->source.base && v->source.base->pointer &&
              !v->source.register_of && !v->source.copying && !v->source.interleaved && !v->plane.copied;
  fits = fits && build_is(*view_step_of(v, s->rank - 1), 1);
  fits = fits && (!s->atomic || !r->l->plan || v->plane.alone);
  if (!fits) lowering_fail(r->l, t->where, "a function is handed elements that do not lie side by side");
  return false;
}

Tree *inline_expression(Lowering *l, Environment *e, Tree *t) {
  Rewriting r = {l, e};
  tree_visit(t, check_address, &r);
  return tree_rewrite(l->a, t, rewrite, &r);
}

/* ---- declarations ---- */

static Symbol *renamed(Lowering *l, Environment *e, Symbol *s) {
  Symbol *copy = arena_one(l->a, Symbol);
  *copy = *s;
  copy->name = lowering_name(l, s->name);
  if (s->length) copy->length = inline_expression(l, e, s->length);
  inline_bind(l, e, s, tree_ref(l->a, copy), NULL);
  return copy;
}

void inline_declaration(Lowering *l, Environment *e, const Tree *t) {
  Tree *init = t->nkids ? inline_expression(l, e, t->kid[0]) : NULL;
  Tree *there = init && init->op == OP_CLAIM ? lowering_there(l) : NULL;
  if (there) init = build_both(l->a, there, init);
  /* const Index len = n; says nothing new */
  bool fixed = !tree_assigns(e->body, t->symbol);
  /* it stays what it is now */
  bool lasting = init && (t->kid[0]->op != OP_REF || !tree_assigns(e->body, t->kid[0]->symbol));
  bool alias = fixed && lasting && t->symbol->type == TYPE_INDEX && (init->op == OP_REF || init->op == OP_INT);
  if (alias) { inline_bind(l, e, t->symbol, init, NULL); return; }
  Symbol *s = renamed(l, e, t->symbol);
  Tree *declare = build_declare(l->a, s, init);
  declare->where = t->where;
  lowering_add(l, declare);
  /* A variable that holds the container's size stands for it from here on. */
  if (init && fixed && e->view && !e->view->source.register_of && e->view->size && tree_equal(init, e->view->size) &&
      s->type == TYPE_INDEX)
    e->view->size = tree_ref(l->a, s);
}
