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
