/* build.h: making kernel-form expressions, tidied as they are made (x + 0, x * 1, constants). */
#ifndef TGC_IR_BUILD_H
#define TGC_IR_BUILD_H

#include "ir/tree.h"

Tree *build_index(Arena *a, int64_t number); /* an Index constant */
Tree *build_add(Arena *a, Tree *x, Tree *y);
Tree *build_sub(Arena *a, Tree *x, Tree *y);
Tree *build_mul(Arena *a, Tree *x, Tree *y);
Tree *build_div(Arena *a, Tree *x, Tree *y);
Tree *build_min(Arena *a, Tree *x, Tree *y);
Tree *build_max(Arena *a, Tree *x, Tree *y);
Tree *build_cast(Arena *a, Type type, Tree *x);
Tree *build_compare(Arena *a, Op op, Tree *x, Tree *y);
Tree *build_choice(Arena *a, Tree *condition, Tree *x, Tree *y); /* condition ? x : y */
Tree *build_both(Arena *a, Tree *x, Tree *y); /* x && y */
Tree *build_element(Arena *a, Symbol *array, Tree *position);
Tree *build_width(Arena *a, Type type); /* how many elements of that type 16 bytes hold */
Tree *build_lane(Arena *a, Op op); /* OP_THREAD, OP_LANE, OP_WARP, OP_BLOCK_ID, OP_RANK */

Tree *build_tree(Arena *a, Op op, Type type, Tree *const *kids, int n); /* from no text */
Tree *build_declare(Arena *a, Symbol *s, Tree *init); /* init may be NULL */
Tree *build_assign(Arena *a, Tree *place, Tree *value);
Tree *build_if(Arena *a, Tree *condition, Tree *then);
Tree *build_either(Arena *a, Tree *condition, Tree *then, Tree *otherwise); /* SEQs both */
/* for (; condition; at += step) body */
Tree *build_onward(Arena *a, Tree *at, Tree *condition, Tree *step, Tree *body, ForUnroll unroll);
/* for (k = from; k < below; k += step) body; its `number' says how it is unrolled: UNROLL_FREE, to begin with. */
Tree *build_for(Arena *a, Symbol *k, Tree *from, Tree *below, Tree *step, Tree *body);
Tree *build_comment(Arena *a, const char *text);

/* The same expression with `number' in the place of a symbol. */
Tree *build_with(Arena *a, Tree *t, const Symbol *symbol, Tree *number);

/* ceil(x / y) for y > 0 and x >= 0. */
Tree *build_ceil_div(Arena *a, Tree *x, Tree *y);

/* Whether x is a multiple of a number, in the type of x. */
Tree *build_is_multiple(Arena *a, Tree *x, Tree *of);

/* Is it the integer constant `number`? */
bool build_is(const Tree *t, int64_t number);

#endif
