/* reserve.c: a lane's loop that appends an element in each iteration takes the places of all of them at once.
 *
 *     for (at = first; at < end; at += most)          if (first < end)
 *       append(many, at, queue, room);                  if (end - first <= most)
 *                                                         append(many, first, queue, room);
 *                                                       else {
 *                                                         reserve(many, ceil((end - first) / most), taken, room);
 *                                                         at = first;
 *                                                         for (i = 0; i < taken[3]; ++i, at += most)
 *                                                           queue[taken[2] + i] = at;
 *                                                       }
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

/* append.cuh: where, and how many there, of what a warp collects, and of the queue. */
enum { HERE, MANY_HERE, THERE, MANY_THERE, TAKEN };

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

/* Elements that stand one behind the other from that place on, each made of where the loop is. */
static Tree *store_all(Reserving *r, Symbol *taken, int from, Tree *first, Tree *value, Symbol *at, Tree *step) {
  Arena *a = r->a;
  Symbol *i = symbol_new(a, SYMBOL_LOCAL, fresh_name(&r->fresh, "i"), TYPE_INDEX);
  i->writable = true;
  Tree *begin = build_element(a, taken, tree_int(a, TYPE_INT, from));
  Tree *many = build_element(a, taken, tree_int(a, TYPE_INT, from + 1));
  Tree *place = tree_binary(a, OP_INDEX, first->type, tree_clone(a, first), build_add(a, begin, tree_ref(a, i)));
  Tree *onward = build_assign(a, tree_ref(a, at), tree_clone(a, step));
  onward->compound = OP_ADD;
  Tree *does[] = {build_assign(a, place, value), onward};
  return build_for(a, i, build_index(a, 0), many, build_index(a, 1), tree_seq(a, does, 2));
}

/* Several: their places first. */
static Tree *all_of_them(Reserving *r, const Tree *loop, const Tree *append, Tree *first, Tree *left, Tree *step) {
  Arena *a = r->a;
  Symbol *counter = loop->kid[0]->symbol;
  Symbol *taken = symbol_new(a, SYMBOL_LOCAL, fresh_name(&r->fresh, "taken"), TYPE_INDEX);
  Symbol *at = symbol_new(a, SYMBOL_LOCAL, fresh_name(&r->fresh, counter->name), counter->type);
  taken->array = taken->writable = at->writable = true;
  taken->length = tree_int(a, TYPE_INT, TAKEN);
  TreeList all = {0}, kids = {0};
  vec_push(a, &all, build_declare(a, taken, NULL));
  vec_push(a, &kids, append->kid[0]);
  vec_push(a, &kids, build_ceil_div(a, left, step));
  vec_push(a, &kids, tree_ref(a, taken));
  vec_push(a, &kids, append->kid[3]);
  for (int i = 4; i < append->nkids; i++)
    if (i != 5) vec_push(a, &kids, append->kid[i]);
  Tree *reserve = build_tree(a, OP_RESERVE, TYPE_VOID, kids.at, kids.n);
  reserve->atomic = ATOMIC_APPEND;
  reserve->scope = append->scope;
  vec_push(a, &all, reserve);
  vec_push(a, &all, build_declare(a, at, first));
  Tree *value = build_with(a, append->kid[1], counter, tree_ref(a, at));
  if (append->nkids > 4) vec_push(a, &all, store_all(r, taken, HERE, append->kid[5], value, at, step));
  Tree *queue = append->kid[2]->kid[0];
  vec_push(a, &all, store_all(r, taken, THERE, queue, tree_clone(a, value), at, step));
  return tree_seq(a, all.at, all.n);
}

static void at_once(Reserving *r, TreeList *to, const Tree *loop, const Tree *append) {
  Arena *a = r->a;
  Tree *first = fixed(r, to, "first_of_all", as_index(a, loop->kid[0]->kid[0]));
  Tree *end = fixed(r, to, "end_of_all", as_index(a, loop->kid[1]->kid[1]));
  Tree *step = fixed(r, to, "step_of_all", as_index(a, loop->kid[2]->kid[1]));
  Tree *left = build_sub(a, end, first);
  Tree *one = build_with(a, (Tree *)append, loop->kid[0]->symbol, first);
  Tree *either = build_either(a, build_compare(a, OP_LE, left, step), tree_seq(a, &one, 1),
                              all_of_them(r, loop, append, first, left, step));
  vec_push(a, to, build_if(a, build_compare(a, OP_LT, first, end), tree_seq(a, &either, 1)));
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
