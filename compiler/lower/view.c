/* view.c: containers as positions in memory. A part of a part is again begin, end and step.
 *
 * Views that are computed have positions too: those of the containers that they are made of where these are alike, else
 * the elements' numbers. */
#include "ir/function.h"
#include "ir/monoid.h"
#include "lower/lowering.h"

View *view_new(Lowering *l, View v) {
  View *made = arena_one(l->a, View);
  *made = v;
  return made;
}

/* begin < end ? (end - begin - 1) / step + 1 : 0, or end - begin where the step is 1. */
Tree *view_size(Lowering *l, View *v) {
  Arena *a = l->a;
  if (v->size) return v->size;
  Tree *span = build_sub(a, v->end, v->begin);
  if (build_is(v->step, 1)) return v->size = span;
  Tree *many = build_add(a, build_div(a, build_sub(a, span, build_index(a, 1)), v->step), build_index(a, 1));
  return v->size = build_choice(a, build_compare(a, OP_LT, v->begin, v->end), many, build_index(a, 0));
}

Tree *view_in_base(Lowering *l, const View *v, Tree *position) {
  return v->source.origin ? build_add(l->a, v->source.origin, position) : position;
}

View *view_from_origin(Lowering *l, View *v) {
  const Source *s = &v->source;
  const bool run =
      s->kind == VIEW_MEMORY && s->base && s->base->pointer && !s->register_of && !s->copying && !s->interleaved;
  if (!run || v->plane.columns || v->spread || v->line.first || v->line.counted) return v;
  if (!build_is(v->step, 1) || build_is(v->begin, 0)) return v;
  View *made = view_new(l, (View){.source = *s, .begin = build_index(l->a, 0), .step = v->step});
  made->source.origin = view_in_base(l, v, v->begin);
  made->size = made->end = view_size(l, v);
  return made;
}

/* What is stored as what is accumulated. */
static Tree *lifted(Lowering *l, Tree *element, Tree *place) {
  const Monoid *m = l->program->monoid;
  if (!m || !m->lifts) return tree_unary(l->a, OP_CAST, TYPE_ELEM, element);
  Tree *t = tree_new(l->a, OP_LIFT, TYPE_ELEM, element->where, m->lifts_place ? 2 : 1);
  t->kid[0] = element;
  if (m->lifts_place) t->kid[1] = place;
  return t;
}

/* An element of a view that another one is made of, at the same place of the whole. */
static Tree *element_of(Lowering *l, const View *v, const View *whole, Tree *position) {
  View one = *v;
  if (!one.place && whole->place) /* which is where it stands in the whole: its own positions may begin elsewhere */
    one.place = build_add(l->a, v->begin, build_mul(l->a, whole->place, v->step));
  return view_element(l, &one, position);
}

static Tree *computed(Lowering *l, const View *v, Tree *position) {
  Tree *of[MOST_OPERANDS];
  switch (v->source.kind) {
    case VIEW_TRANSFORM:
      for (int i = 0; i < v->source.nof; i++) of[i] = element_of(l, v->source.of[i], v, position);
      return function_apply(l->a, v->source.function, of, v->source.nof);
    case VIEW_REPEAT: return v->source.number;
    case VIEW_IOTA: return build_add(l->a, v->source.number, position);
    case VIEW_GENERATE: return function_apply(l->a, v->source.function, &position, 1);
    case VIEW_GATHER: return view_element(l, v->source.of[0], element_of(l, v->source.of[1], v, position));
    case VIEW_MEMORY: case VIEW_HANDED: break;
  }
  return NULL;
}

static bool is_of_positions(const View *v) { return v->source.kind == VIEW_IOTA || v->source.kind == VIEW_GENERATE; }

Tree *view_element(Lowering *l, const View *v, Tree *index) {
  if (v->source.register_of) return tree_ref(l->a, v->source.register_of);
  Tree *position = build_add(l->a, v->begin, build_mul(l->a, index, v->step));
  if (v->source.kind != VIEW_MEMORY) return computed(l, v, v->place && is_of_positions(v) ? v->place : position);
  Tree *element = build_element(l->a, v->source.base, view_in_base(l, v, position));
  return element->type == TYPE_STORED ? lifted(l, element, v->place ? v->place : position) : element;
}

Tree *view_element_of_plane(Lowering *l, const View *v, Tree *row, Tree *column) {
  Arena *a = l->a;
  row = build_mul(a, v->plane.at[0] ? v->plane.at[0] : row, v->plane.row_step);
  column = build_mul(a, v->plane.at[1] ? v->plane.at[1] : column, v->plane.column_step);
  View at = {.source.base = v->source.base, .begin = v->begin, .step = build_index(a, 1)};
  return view_element(l, &at, build_add(a, row, column));
}

Tree **view_extent_of(View *v, int dimension) {
  return dimension == 0 ? &v->size : dimension == 1 ? &v->plane.columns : &v->plane.deep[dimension - 2].size;
}

Tree **view_step_of(View *v, int dimension) {
  if (dimension > 1) return &v->plane.deep[dimension - 2].step;
  return dimension == 1 ? &v->plane.column_step : v->plane.columns ? &v->plane.row_step : &v->step;
}

Tree *view_extent(Lowering *l, View *v, int dimension) {
  return dimension == 0 ? view_size(l, v) : *view_extent_of(v, dimension);
}

Tree *view_elements(Lowering *l, View *v) {
  Tree *all = view_size(l, v);
  for (int d = 1; d < view_rank(v); d++) all = build_mul(l->a, all, view_extent(l, v, d));
  return all;
}

int view_rank(const View *v) {
  int rank = v->plane.columns ? 2 : 1;
  while (rank > 1 && rank < MOST_RANK && v->plane.deep[rank - 2].size) rank++;
  return rank;
}

Tree *view_element_at(Lowering *l, const View *v, Tree *const *at, int n) {
  if (n == 1) return view_element(l, v, at[0]);
  if (n == 2) return view_element_of_plane(l, v, at[0], at[1]);
  Tree *position = build_index(l->a, 0);
  for (int d = 0; d < n; d++) {
    Tree *index = d < MOST_DIMENSIONS && v->plane.at[d] ? v->plane.at[d] : at[d];
    position = build_add(l->a, position, build_mul(l->a, index, *view_step_of((View *)v, d)));
  }
  const View all = {.source.base = v->source.base, .begin = v->begin, .step = build_index(l->a, 1)};
  return view_element(l, &all, position);
}

View view_of_memory(Lowering *l, Symbol *base, Tree *size) {
  Tree *none = build_index(l->a, 0), *one = build_index(l->a, 1);
  return (View){.source.base = base, .begin = none, .end = size, .step = one, .size = size};
}

View view_of_array(Lowering *l, Symbol *base, Tree *const *extents, int rank, Tree *step) {
  View v = view_of_memory(l, base, extents[0]);
  for (int d = rank - 1; d >= 0; d--) {
    if (d) *view_extent_of(&v, d) = extents[d];
    if (rank > 1) v.plane.columns = extents[1]; /* which say that the rows have a step of their own */
    *view_step_of(&v, d) = step;
    step = build_mul(l->a, step, extents[d]);
  }
  if (rank == 1) v.end = build_mul(l->a, v.step, extents[0]);
  return v;
}

bool view_aligned(const View *v, const View *w) {
  return !v->source.register_of && !w->source.register_of && tree_equal(v->begin, w->begin) &&
         tree_equal(v->step, w->step);
}

View view_like(const View *part, const View *v) {
  View made = *part;
  made.source = v->source;
  made.source.register_of = part->source.register_of;
  return made;
}

/* Its elements from its own position 0 on: its positions are those of the view that it is a part of. */
static View *by_position(Lowering *l, const View *v) {
  View *made = view_new(l, *v);
  made->begin = build_index(l->a, 0);
  made->step = build_index(l->a, 1);
  return made;
}

View *view_transform(Lowering *l, const Spectrum *function, View **of, int n) {
  View *made = view_new(l, (View){.source.kind = VIEW_TRANSFORM, .source.function = function, .source.nof = n});
  bool alike = true;
  for (int i = 1; i < n; i++) alike = alike && view_aligned(of[0], of[i]);
  for (int i = 0; i < n; i++) made->source.of[i] = alike ? by_position(l, of[i]) : of[i];
  made->size = view_size(l, of[0]);
  made->begin = alike ? of[0]->begin : build_index(l->a, 0);
  made->step = alike ? of[0]->step : build_index(l->a, 1);
  made->end = alike ? of[0]->end : made->size;
  if (alike) made->spread = of[0]->spread;
  return made;
}

/* Is `x` at least the container's size, whatever that is: len, len + 1? */
static bool reaches_end(const Tree *x, const Tree *size) {
  if (tree_equal(x, size)) return true;
  int64_t more;
  return x->op == OP_ADD && tree_equal(x->kid[0], size) && tree_constant(x->kid[1], &more) && more >= 0;
}

/* Value number `worker` of a sequence, before saturation. */
static Tree *sequence_value(Lowering *l, const Tree *s, Tree *worker) {
  if (s->nkids == 1) return s->kid[0];
  return build_add(l->a, s->kid[0], build_mul(l->a, worker, s->kid[1]));
}

/* Does sequence(start, inc, end) run short within its `parts` values? sequence(0, 1, p) does not. */
static bool saturates(const Tree *s, const Tree *parts) {
  if (s->nkids == 1) return false;
  return !(build_is(s->kid[0], 0) && build_is(s->kid[1], 1) && tree_equal(s->kid[2], parts));
}

/* The position of element number `index`, never beyond the view's end when `clip`. */
static Tree *position(Lowering *l, View *v, Tree *index, bool clip) {
  Tree *at = build_add(l->a, v->begin, build_mul(l->a, index, v->step));
  return clip ? build_min(l->a, at, v->end) : at;
}

static Tree *named(Lowering *l, const char *who, const char *what, Tree *value) {
  if (value->op == OP_REF || value->op == OP_INT) return value;
  return lowering_size(l, arena_printf(l->a, "%s_%s", who, what), value);
}

const NestAxis *view_spread(Lowering *l, Tree *origin, Tree *worker, Tree *workers) {
  NestAxis *all = nest_dimension(l->a, "n", ROLE_MAP, origin, NULL);
  return nest_split_workers(l->a, all, "lane", workers, NULL, worker);
}

bool view_cut_alike(const Tree *x, const Tree *y) {
  for (int i = 1; i < 5; i++)
    if (!tree_equal(tree_sequence(x->kid[i]), tree_sequence(y->kid[i]))) return false;
  return true;
}

View view_part(Lowering *l, View *v, Tree *worker, const Cut *cut, const char *who) {
  const Tree *start = cut->start, *inc = cut->inc, *end = cut->end;
  Tree *size = view_size(l, v);
  View part = view_like(&(View){0}, v);

  /* A start beyond the end makes an empty part; clipping it keeps its size from being negative. A start that cannot
   * saturate may still lie beyond a short container: loops stop at once, and view_size knows. */
  Tree *first = sequence_value(l, start, worker);
  bool clip = saturates(start, cut->parts);
  if (clip && !reaches_end(start->kid[2], size)) first = build_min(l->a, first, start->kid[2]);
  part.step = build_mul(l->a, inc->kid[0], v->step);
  part.begin = named(l, who, "begin", position(l, v, first, clip || build_is(part.step, 1)));

  /* Ends are clipped to the container; len and len + 1 are the container's own end. */
  if (end->nkids == 1 && reaches_end(end->kid[0], size)) part.end = v->end;
  else {
    Tree *last = sequence_value(l, end, worker);
    if (end->nkids == 3 && !reaches_end(end->kid[2], size)) last = build_min(l->a, last, end->kid[2]);
    part.end = named(l, who, "end", position(l, v, last, true));
  }
  bool strided =
      end->nkids == 1 && part.end == v->end && !clip && start->nkids == 3 && tree_equal(inc->kid[0], cut->parts);
  if (strided && build_is(v->step, 1)) part.spread = view_spread(l, v->begin, worker, cut->parts);
  return part;
}
