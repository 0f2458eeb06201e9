/* iterations.c: which iterations of a nest's axes are being written: realise.c enters and leaves them, stages ask. */
#include "lower/stages.h"

void iterations_enter(Realising *r, const NestAxis *axis, Tree *number) {
  Iteration at = {.axis = axis, .number = number};
  vec_push(r->l->a, &r->above, at);
}

void iterations_enter_both(Realising *r, const NestAxis *outer, const NestAxis *inner, Tree *number) {
  Arena *a = r->l->a;
  const bool one = build_is(inner->extent, 1);
  iterations_enter(r, outer, build_div(a, number, inner->extent));
  iterations_enter(r, inner, one ? tree_int(a, TYPE_INT, 0) : tree_binary(a, OP_REM, TYPE_INT, number, inner->extent));
  r->above.at[r->above.n - 1].of_both = number;
}

void iterations_leave(Realising *r, int depth) { r->above.n = depth; }

bool iterations_have(const Realising *r, const NestAxis *axis) {
  for (int i = 0; i < r->above.n; i++)
    if (r->above.at[i].axis == axis) return true;
  return false;
}

Tree *iterations_number(const Realising *r, const NestAxis *axis) {
  for (int i = r->above.n - 1; i >= 0; i--)
    if (r->above.at[i].axis == axis) return r->above.at[i].number;
  return tree_int(r->l->a, TYPE_INT, 0);
}

/* ---- what is meant in them ---- */

static bool is_same_factor(const NestAxis *x, const NestAxis *y) {
  return x->dim == y->dim && tree_equal(x->stride, y->stride) && tree_equal(x->extent, y->extent);
}

static const Iteration *iteration_of(const Realising *r, const NestAxis *axis) {
  for (int i = r->above.n - 1; i >= 0; i--)
    if (is_same_factor(r->above.at[i].axis, axis)) return &r->above.at[i];
  return NULL;
}

/* Which iteration of the axis, or of the same factor, is written; NULL: it is not among those above. */
Tree *iterations_number_of(const Realising *r, const NestAxis *axis) {
  const Iteration *at = iteration_of(r, axis);
  return at ? at->number : NULL;
}

/* Where in an array that is kept by these axes its element of this iteration is. */
Tree *iterations_in_array(const Realising *r, NestAxis *const *axes, int n) {
  Arena *a = r->l->a;
  Tree *index = NULL;
  for (int i = 0; i < n; i++) {
    const Iteration *at = iteration_of(r, axes[i]);
    Tree *number = at && at->number ? at->number : tree_int(a, TYPE_INT, 0);
    if (index && at && at->of_both) index = at->of_both;
    else index = index ? build_add(a, build_mul(a, index, nest_extent(a, axes[i])), number) : number;
  }
  return index;
}

Tree *iterations_in_tile(const Realising *r, const NestValue *tile) {
  return build_element(r->l->a, tile->symbol, iterations_in_array(r, tile->kept.at, tile->kept.n));
}

/* The position of this iteration's element; what is repeated beyond the end is another part's. */
Tree *iterations_position(const Realising *r) {
  Tree *at = r->at;
  for (int i = 0; i < r->above.n; i++) {
    const Iteration *x = &r->above.at[i];
    const bool loops = x->axis->binding == BINDING_WORKERS || x->axis->binding == BINDING_LOOP;
    if (loops || !x->number || x->axis->tail == TAIL_REPEAT) continue;
    at = build_add(r->l->a, at, build_mul(r->l->a, x->number, x->axis->stride));
  }
  return at;
}

/* What of a tile a codelet goes through: the iterations that are not written. */
View *iterations_in_registers(Realising *r, const NestValue *tile) {
  Arena *a = r->l->a;
  Tree *first = iterations_in_array(r, tile->kept.at, tile->kept.n), *size = NULL;
  for (int i = 0; i < tile->kept.n; i++)
    if (!iterations_number_of(r, tile->kept.at[i]))
      size = size ? build_mul(a, size, tile->kept.at[i]->extent) : tile->kept.at[i]->extent;
  return view_new(r->l, (View){.source.base = tile->symbol, .begin = first, .end = build_add(a, first, size),
                               .step = build_index(a, 1), .size = size});
}

/* An element of memory that is not lifted. */
Tree *iterations_as_it_lies(Lowering *l, const View *v, Tree *index) {
  Tree *position = build_add(l->a, v->begin, build_mul(l->a, index, v->step));
  return build_element(l->a, v->source.base, view_in_base(l, v, position));
}

Tree *iterations_added(Lowering *l, Tree *before, Tree *x) {
  return tree_binary(l->a, OP_ADD, before->type, before, x);
}
