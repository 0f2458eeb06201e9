/* simd_turns.c: several turns of a loop at once, where lanes are those of many vectors.
 *
 *     for (Index i = 0; i < columns; ++i)          Index i = 0;
 *       accum += A[row + i * leading] * x[i];      for (; many > 512 && i + 8 <= columns; i += 8) {
 *                                            ->      accum += A[row + (i + 0) * leading] * x[i + 0];
 *                                                    .. accum += A[row + (i + 7) * leading] * x[i + 7]; }
 *                                                  for (; i < columns; ++i) ..
 *
 * Registers hold what a few vectors' lanes accumulate. That of many lies in the cache: it is read and written once for
 * eight columns, and eight runs of memory are read side by side. Short runs are faster one after another. Each lane
 * does the same in the same order. */
#include "ir/build.h"
#include "passes/simd.h"

enum { TURNS = 8, VECTORS = 32 }; /* at once; from more than so many on */

/* for (i = .., i < end; ++i), whose body does nothing but assign elements or variables of others, and not the end? */
static bool goes_by_one(const Tree *t) {
  if (t->op != OP_FOR || !t->kid[0] || t->kid[0]->op != OP_DECLARE || !t->kid[0]->nkids || !t->kid[1] || !t->kid[2])
    return false;
  const Symbol *i = t->kid[0]->symbol;
  const Tree *condition = t->kid[1], *step = t->kid[2], *body = t->kid[3];
  bool below = condition->op == OP_LT && condition->kid[0]->op == OP_REF && condition->kid[0]->symbol == i &&
               condition->kid[1]->op == OP_REF && !tree_assigns(body, condition->kid[1]->symbol);
  bool by_one = step->op == OP_ASSIGN && step->compound == OP_ADD && step->kid[0]->op == OP_REF &&
                step->kid[0]->symbol == i && build_is(step->kid[1], 1) && !tree_assigns(body, i);
  if (!below || !by_one || body->op != OP_SEQ || !body->nkids) return false;
  for (int k = 0; k < body->nkids; k++)
    if (body->kid[k]->op != OP_ASSIGN || tree_contains(body->kid[k], OP_SHUFFLE)) return false;
  return true;
}

typedef struct Turn { const Symbol *i; int more; } Turn;

static Tree *at_turn(void *context, Arena *a, Tree *t) {
  const Turn *turn = context;
  return t->op == OP_REF && t->symbol == turn->i ? build_add(a, t, tree_int(a, TYPE_INT, turn->more)) : t;
}

static Tree *several_turns(Arena *a, const Kernel *kernel, Symbol *lanes, Tree *loop) {
  Tree *i = loop->kid[2]->kid[0], *end = loop->kid[1]->kid[1], *turns = build_index(a, TURNS);
  Tree *many = build_compare(a, OP_GT, tree_ref(a, lanes), tree_int(a, TYPE_INT, VECTORS * kernel_vector(kernel)));
  Tree *room = build_compare(a, OP_LE, build_add(a, i, turns), end);
  Tree *at_once[TURNS];
  for (int k = 0; k < TURNS; k++) {
    Turn turn = {i->symbol, k};
    at_once[k] = k ? tree_rewrite(a, loop->kid[3], at_turn, &turn) : loop->kid[3];
  }
  Tree *rest = tree_with_kids(a, loop, loop->kid, loop->nkids);
  rest->kid[0] = NULL;
  Tree *all[] = {loop->kid[0],
                 build_onward(a, i, tree_binary(a, OP_LAND, TYPE_BOOL, many, room), turns, tree_seq(a, at_once, TURNS),
                              UNROLL_STREAMS),
                 rest};
  return tree_seq(a, all, 3);
}

Tree *simd_several_turns(Arena *a, const Kernel *k, Symbol *many, Tree *body) {
  Tree *made = tree_with_kids(a, body, body->kid, body->nkids);
  for (int i = 0; body->op == OP_SEQ && i < body->nkids; i++)
    made->kid[i] = goes_by_one(body->kid[i]) ? several_turns(a, k, many, body->kid[i])
                   : body->kid[i]->op == OP_SEQ ? simd_several_turns(a, k, many, body->kid[i]) : body->kid[i];
  return made;
}

Tree *simd_lanes_left(Arena *a, Symbol *vectors, Tree *left, Tree *step, Tree **room) {
  Tree *many = build_compare(a, OP_GT, tree_ref(a, vectors), tree_int(a, TYPE_INT, SIMD_IN_REGISTERS));
  *room = build_choice(a, many, tree_int(a, TYPE_INT, 1), step);
  return build_choice(a, many, build_min(a, step, left), step);
}
