/* look_ahead.c: elements that written-out iterations look up, before they decide anything by them: all at once.
 *
 *     for s in 0..8 unrolled:                     for s in 0..8 unrolled: seen[s] = see_any(levels[wide[s]]);
 *       if (see_any(levels[wide[s]]) == level)    for s in 0..8 unrolled:
 *         ..                                        if (seen[s] == level)
 *                                                     ..
 *
 * A compiler does not take a load over a branch in whose other way memory is stored to: so each iteration waited for
 * its own load, where a lane can have eight under way.
 *
 * Requires: kernel form, of a GPU; iterations that are written out are parts of a map, in any order.
 * Keeps: that one of the values is read that come to an element whose writers are others too (__accum(Any)): that of
 * before this lane's own iterations is one.
 * Breaks: nothing. */
#include "passes/look_ahead.h"

#include "ir/build.h"
#include "passes/fresh.h"
#include "passes/predicate.h"

typedef struct Looking {
  Arena *a;
  Fresh *fresh;
  const Tree *see;    /* what is looked up, */
  const Tree *slot;   /* .. by this element of a lane's array, the positions */
  Symbol *seen;
} Looking;

/* The first in a chain of &&. */
static const Tree *first_seen(const Tree *condition) {
  if (condition->op == OP_SEE_ANY) return condition;
  if (condition->op == OP_LAND || condition->op == OP_EQ || condition->op == OP_NE || condition->op == OP_LT ||
      condition->op == OP_LE || condition->op == OP_GT || condition->op == OP_GE)
    for (int i = 0; i < condition->nkids; i++) {
      const Tree *found = first_seen(condition->kid[i]);
      if (found) return found;
    }
  return NULL;
}

/* What must hold before it is looked up; NULL: nothing. */
static Tree *before(Arena *a, const Tree *condition, const Tree *see) {
  if (condition->op != OP_LAND) return NULL;
  const Tree *left = condition->kid[0];
  if (tree_holds(left, see)) return before(a, left, see);
  Tree *more = before(a, condition->kid[1], see), *is = tree_clone(a, left);
  return more ? build_both(a, is, more) : is;
}

/* wide[..] of levels[wide[..]], of an array that has a value for each iteration. */
static const Tree *slot_of(const Tree *see) {
  const Tree *place = see->kid[0];
  if (place->op != OP_INDEX || place->nkids != 2 || place->kid[0]->op != OP_REF || !place->kid[0]->symbol->pointer)
    return NULL;
  const Tree *at = tree_uncast(place->kid[1]);
  const bool array = at->op == OP_INDEX && at->nkids == 2 && at->kid[0]->op == OP_REF && at->kid[0]->symbol->array &&
                     at->kid[0]->symbol->kind == SYMBOL_LOCAL;
  return array ? at : NULL;
}

static bool is_condition(const Tree *t) { return t->op == OP_IF && t->nkids == 2; }

/* Loops that are written out, one in another, down to the condition; `inside': one at least is met. */
static bool find(Looking *l, const Tree *t, bool inside) {
  if (t->op == OP_SEQ) return t->nkids == 1 && find(l, t->kid[0], inside);
  if (t->op == OP_FOR) return t->unroll == UNROLL_ALL && find(l, t->kid[3], true);
  if (!is_condition(t) || !inside) return false;
  l->see = first_seen(t->kid[0]);
  if (!l->see) return find(l, t->kid[1], true);
  l->slot = slot_of(l->see);
  return l->slot;
}

static Tree *seen_of(const Looking *l) {
  return build_element(l->a, l->seen, tree_clone(l->a, l->slot->kid[1]));
}

/* The same loops, which look up. */
static Tree *looking(const Looking *l, const Tree *t) {
  Arena *a = l->a;
  if (t->op == OP_SEQ) return looking(l, t->kid[0]);
  if (t->op == OP_FOR) {
    Tree *body = looking(l, t->kid[3]);
    return tree_with_kids(a, t, (Tree *[]){t->kid[0], t->kid[1], t->kid[2], tree_seq(a, &body, 1)}, 4);
  }
  Tree *guard = tree_holds(t->kid[0], l->see) ? before(a, t->kid[0], l->see) : t->kid[0];
  Tree *does = tree_holds(t->kid[0], l->see) ? build_assign(a, seen_of(l), tree_clone(a, l->see))
                                             : looking(l, t->kid[1]);
  return guard ? build_if(a, guard, tree_seq(a, &does, 1)) : does;
}

static Tree *is_seen(void *context, Arena *a, Tree *t) {
  (void)a;
  const Looking *l = context;
  return t->op == OP_SEE_ANY && tree_equal(t, l->see) ? seen_of(l) : t;
}

/* .. and which have looked. */
static Tree *deciding(Looking *l, const Tree *t) {
  Arena *a = l->a;
  if (t->op == OP_SEQ) {
    Tree *only = deciding(l, t->kid[0]);
    return tree_seq(a, &only, 1);
  }
  if (t->op == OP_FOR)
    return tree_with_kids(a, t, (Tree *[]){t->kid[0], t->kid[1], t->kid[2], deciding(l, t->kid[3])}, 4);
  if (!tree_holds(t->kid[0], l->see)) return build_if(a, t->kid[0], deciding(l, t->kid[1]));
  return build_if(a, tree_rewrite(a, tree_clone(a, t->kid[0]), is_seen, l), t->kid[1]);
}

static bool changes(const Tree *t, const Symbol *array) {
  const bool moves = t->op == OP_ASSIGN || t->op == OP_LOAD_WIDE || t->op == OP_LOAD_SEVERAL ||
                     t->op == OP_LOAD_RUN;
  if (moves && tree_mentions(t->kid[0], array)) return true;
  for (int i = 0; i < t->nkids; i++)
    if (t->kid[i] && changes(t->kid[i], array)) return true;
  return false;
}

static Symbol *array_like(Looking *l, const Symbol *array) {
  Symbol *s = symbol_new(l->a, SYMBOL_LOCAL, fresh_name(l->fresh, "seen"), l->see->type);
  s->array = true;
  s->length = tree_clone(l->a, array->length);
  return s;
}

static Tree *ahead(Looking *l, Tree *t);

static void add(Looking *l, TreeList *to, Tree *t) {
  Arena *a = l->a;
  Looking here = {.a = a, .fresh = l->fresh};
  if (t->op != OP_FOR || !find(&here, t, false) || changes(t, here.slot->kid[0]->symbol)) {
    vec_push(a, to, ahead(l, t));
    return;
  }
  here.seen = array_like(&here, here.slot->kid[0]->symbol);
  vec_push(a, to, build_declare(a, here.seen, NULL));
  vec_push(a, to, tree_clone(a, looking(&here, t)));
  vec_push(a, to, deciding(&here, t));
}

static Tree *ahead(Looking *l, Tree *t) {
  Arena *a = l->a;
  if (!tree_contains(t, OP_SEE_ANY) || !op_is_statement(t->op) || !t->nkids) return t;
  if (t->op == OP_SEQ) {
    TreeList all = {0};
    for (int i = 0; i < t->nkids; i++) add(l, &all, t->kid[i]);
    return tree_seq(a, all.at, all.n);
  }
  if (t->op != OP_FOR && t->op != OP_IF && t->op != OP_WHILE) return t;
  Tree **kids = arena_many(a, Tree *, t->nkids);
  for (int i = 0; i < t->nkids; i++) kids[i] = t->kid[i] && t->kid[i]->op == OP_SEQ ? ahead(l, t->kid[i]) : t->kid[i];
  return tree_with_kids(a, t, kids, t->nkids);
}

Tree *pass_look_ahead(Arena *a, const Kernel *k, Tree *body) {
  if (!tree_contains(body, OP_SEE_ANY)) return body;
  Fresh fresh = fresh_begin(a, k, body);
  return ahead(&(Looking){.a = a, .fresh = &fresh}, body);
}
