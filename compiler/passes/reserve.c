/* reserve.c: a lane's loop that appends an element in each iteration takes the places of all of them at once.
 *
 *     for (at = first; at < behind; at += most)       const Index end = behind, taken_n = first < end ? .. : 0;
 *       append(many, at, queue, room);                Index taken[3];
 *                                                     reserve(many, taken_n, taken);
 *                                                     for (at = first; at < end; at += most)
 *                                                       append_next(taken, at, queue, room);
 *
 * An append waits for what counts the places. Where the lanes of a warp have hundreds of elements each, as those that
 * come to the hubs of a graph do, such waits were most of a search's time on an H200.
 *
 * Requires: kernel form, of a GPU. Keeps: which elements are appended, and what is counted of those that there is no
 * room for. Breaks: nothing; their order was not determined. */
#include "passes/reserve.h"

#include "ir/build.h"
#include "passes/fresh.h"
#include "passes/predicate.h"

enum { TAKEN = 3 }; /* numbers: append.cuh */

typedef struct Reserving { Arena *a; Fresh fresh; } Reserving;

static const Symbol *memory_of(const Tree *first) { return first->kid[0]->symbol; }

/* Does it have the same value in all iterations of a loop that appends so? */
static bool stays(const Tree *t, const Tree *append, const Symbol *counter) {
  return !tree_contains(t, OP_SEE_ANY) && !tree_contains(t, OP_CLAIM) && !tree_mentions(t, counter) &&
         !tree_mentions(t, memory_of(append->kid[0])) && !tree_mentions(t, memory_of(append->kid[2]));
}

/* The append that the loop does in each iteration, and nothing else; NULL: it is another loop. */
static const Tree *appended(const Tree *t) {
  if (t->op != OP_FOR || !t->kid[0] || t->kid[0]->op != OP_DECLARE || !t->kid[0]->nkids) return NULL;
  const Symbol *counter = t->kid[0]->symbol;
  const Tree *below = t->kid[1], *step = t->kid[2], *body = t->kid[3];
  const Tree *append = body->nkids == 1 ? body->kid[0] : NULL;
  if (!append || append->op != OP_ATOMIC || append->atomic != ATOMIC_APPEND) return NULL;
  const bool counts = type_is_whole(counter->type) && below && below->op == OP_LT && below->kid[0]->op == OP_REF &&
                      below->kid[0]->symbol == counter && step && step->op == OP_ASSIGN && step->compound == OP_ADD &&
                      step->kid[0]->op == OP_REF && step->kid[0]->symbol == counter;
  if (!counts || !stays(below->kid[1], append, counter) || !stays(step->kid[1], append, counter)) return NULL;
  return append->kid[0]->op == OP_INDEX && append->kid[2]->op == OP_INDEX ? append : NULL;
}

static Tree *as_index(Arena *a, Tree *x) {
  if (x->op == OP_INT) return build_index(a, x->number);
  return x->type == TYPE_INDEX ? x : build_cast(a, TYPE_INDEX, x);
}

static Tree *fixed(Reserving *r, TreeList *to, const char *name, Tree *value) {
  if (value->op == OP_INT || value->op == OP_REF) return value; /* the loop changes no other variable */
  Symbol *s = symbol_new(r->a, SYMBOL_LOCAL, fresh_name(&r->fresh, name), TYPE_INDEX);
  s->constant = true;
  vec_push(r->a, to, build_declare(r->a, s, value));
  return tree_ref(r->a, s);
}

/* From `first' on, below `end', by steps: one that is taken at most needs no division. */
static Tree *how_many(Arena *a, Tree *first, Tree *end, Tree *step) {
  Tree *one = build_index(a, 1), *left = build_sub(a, end, first);
  Tree *more = build_div(a, build_sub(a, build_add(a, left, step), one), step);
  if (!build_is(step, 1)) more = build_choice(a, build_compare(a, OP_LE, left, step), one, more);
  return build_choice(a, build_compare(a, OP_LT, first, end), more, build_index(a, 0));
}

static void at_once(Reserving *r, TreeList *to, const Tree *loop, const Tree *append) {
  Arena *a = r->a;
  Tree *first = fixed(r, to, "first_of_all", as_index(a, loop->kid[0]->kid[0]));
  Tree *end = fixed(r, to, "end_of_all", as_index(a, loop->kid[1]->kid[1]));
  Tree *step = fixed(r, to, "step_of_all", as_index(a, loop->kid[2]->kid[1]));
  Symbol *taken = symbol_new(a, SYMBOL_LOCAL, fresh_name(&r->fresh, "taken"), TYPE_INDEX);
  taken->array = taken->writable = true;
  taken->length = tree_int(a, TYPE_INT, TAKEN);
  vec_push(a, to, build_declare(a, taken, NULL));
  TreeList kids = {0}, next = {0};
  vec_push(a, &kids, append->kid[0]);
  vec_push(a, &kids, how_many(a, first, end, step));
  vec_push(a, &kids, tree_ref(a, taken));
  for (int i = 4; i < append->nkids; i++)
    if (i != 5) vec_push(a, &kids, append->kid[i]);
  Tree *reserve = build_tree(a, OP_RESERVE, TYPE_VOID, kids.at, kids.n);
  reserve->atomic = ATOMIC_APPEND;
  reserve->scope = append->scope;
  vec_push(a, to, reserve);
  vec_push(a, &next, tree_ref(a, taken));
  for (int i = 1; i < 4; i++) vec_push(a, &next, append->kid[i]);
  if (append->nkids > 4) vec_push(a, &next, append->kid[5]);
  Tree *does = build_tree(a, OP_APPEND_NEXT, TYPE_VOID, next.at, next.n);
  Symbol *counter = loop->kid[0]->symbol;
  vec_push(a, to, build_for(a, counter, tree_clone(a, first), tree_clone(a, end), tree_clone(a, step),
                            tree_seq(a, &does, 1)));
}

static Tree *reserved(void *context, Arena *a, Tree *t) {
  if (t->op != OP_SEQ) return t;
  TreeList all = {0};
  bool any = false;
  for (int i = 0; i < t->nkids; i++) {
    const Tree *append = appended(t->kid[i]);
    any |= append != NULL;
    if (append) at_once(context, &all, t->kid[i], append);
    else vec_push(a, &all, t->kid[i]);
  }
  return any ? tree_seq(a, all.at, all.n) : t;
}

Tree *pass_reserve(Arena *a, const Kernel *k, Tree *body) {
  if (!k->threads || !tree_contains(body, OP_ATOMIC)) return body;
  Reserving r = {a, fresh_begin(a, k, body)};
  return tree_rewrite_statements(a, body, reserved, &r);
}
