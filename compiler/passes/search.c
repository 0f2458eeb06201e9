/* search.c: a loop that ends where it finds something looks at several elements at once.
 *
 *     for (e = first; e < end; e += 1)          for (e = first; e < end; e += 4) {
 *       if (see_any(levels[tails[e]]) == 3) {     for s in 0..4 unrolled: {
 *         ..                                        ahead = e + s < end ? e + s : e;
 *         break;                                    found[s] = see_any(levels[tails[ahead]]) == 3 & e + s < end;
 *       }                                         }
 *                                                 if (found[0] | found[1] | ..) {
 *                                                   at = found[0] ? e : found[1] ? e + 1 : ..;
 *                                                   ..   of `at'
 *                                                   break;
 *                                                 }
 *                                               }
 *
 * A lane waits for one element, and for what that leads to, before it knows whether it needs the next one: memory has
 * one load of it under way. Here it has four. Only elements in the loop's range are looked at, though some behind the
 * first that is found.
 *
 * Requires: kernel form, of a GPU; a loop that does nothing but look, until it finds.
 * Keeps: which iteration finds, what it does, and that it is the last.
 * Breaks: nothing. */
#include "passes/search.h"

#include "ir/build.h"
#include "passes/fresh.h"
#include "passes/predicate.h"

enum { LOOKS = 4 };

typedef struct Searching { Arena *a; Fresh fresh; } Searching;

static bool ends_otherwise(const Tree *t, bool inside) {
  if (t->op == OP_CONTINUE || t->op == OP_BREAK) return !inside;
  for (int i = 0; i < t->nkids; i++)
    if (t->kid[i] && ends_otherwise(t->kid[i], inside || t->op == OP_FOR || t->op == OP_WHILE)) return true;
  return false;
}

/* Does it only look? What a lane's own variables are does not change in such a loop. */
static bool looks(const Tree *t) {
  static const Op acts[] = {OP_CLAIM, OP_NATIVE, OP_SHUFFLE, OP_ARRIVE, OP_BEGIN, OP_COLLECT, OP_TICKET, OP_LOOK_BACK,
                            OP_PRIOR_TOTAL, OP_NEXT_TILE, OP_CHAIN, OP_REDUCE, OP_ANY, OP_ANY_OF_BLOCK, OP_COMES_LAST};
  for (size_t i = 0; i < sizeof acts / sizeof *acts; i++)
    if (tree_contains(t, acts[i])) return false;
  return true;
}

static bool reads_memory(const Tree *t) {
  if (t->op == OP_INDEX && t->kid[0]->op == OP_REF && t->kid[0]->symbol->pointer) return true;
  for (int i = 0; i < t->nkids; i++)
    if (reads_memory(t->kid[i])) return true;
  return false;
}

/* What it does where it finds something; NULL: it is another loop. */
static const Tree *found_by(const Tree *t) {
  if (t->op != OP_FOR || !t->kid[0] || t->kid[0]->op != OP_DECLARE || !t->kid[0]->nkids || t->unroll == UNROLL_ALL)
    return NULL;
  const Symbol *counter = t->kid[0]->symbol;
  const Tree *below = t->kid[1], *step = t->kid[2], *body = t->kid[3];
  const Tree *branch = NULL;
  for (int i = 0; i < body->nkids; i++) {
    if (body->kid[i]->op == OP_COMMENT) continue;
    if (branch || body->kid[i]->op != OP_IF || body->kid[i]->nkids != 2) return NULL;
    branch = body->kid[i];
  }
  const bool counts = type_is_whole(counter->type) && below && below->op == OP_LT && below->kid[0]->op == OP_REF &&
                      below->kid[0]->symbol == counter && step && step->op == OP_ASSIGN && step->compound == OP_ADD &&
                      step->kid[0]->op == OP_REF && step->kid[0]->symbol == counter && step->kid[1]->op == OP_INT;
  const bool stays = counts && !tree_mentions(below->kid[1], counter) && !tree_contains(below->kid[1], OP_SEE_ANY);
  if (!branch || !stays) return NULL;
  const Tree *does = branch->kid[1];
  if (!does->nkids || does->kid[does->nkids - 1]->op != OP_BREAK) return NULL;
  for (int i = 0; i + 1 < does->nkids; i++)
    if (ends_otherwise(does->kid[i], false)) return NULL;
  const bool only = looks(below->kid[1]) && looks(branch->kid[0]) && reads_memory(branch->kid[0]);
  return only && tree_mentions(branch->kid[0], counter) ? branch : NULL;
}

static Tree *in_type(Arena *a, Type type, Tree *x) {
  return x->type == type ? x : x->op == OP_INT ? tree_int(a, type, x->number) : build_cast(a, type, x);
}

static Symbol *named(Searching *s, const char *name, Type type) {
  Symbol *made = symbol_new(s->a, SYMBOL_LOCAL, fresh_name(&s->fresh, name), type);
  made->constant = true;
  return made;
}

/* All looks: whether each finds something. */
static Tree *look(Searching *s, const Tree *loop, const Tree *branch, Tree *end, Symbol *found) {
  Arena *a = s->a;
  Symbol *counter = loop->kid[0]->symbol, *k = symbol_new(a, SYMBOL_LOCAL, fresh_name(&s->fresh, "look"), TYPE_INT);
  Symbol *ahead = named(s, "ahead", counter->type);
  k->writable = true;
  Tree *step = in_type(a, counter->type, loop->kid[2]->kid[1]);
  Tree *here = tree_ref(a, counter), *times = in_type(a, counter->type, tree_ref(a, k));
  Tree *there = tree_binary(a, OP_ADD, counter->type, here,
                            build_is(step, 1) ? times : tree_binary(a, OP_MUL, counter->type, times, step));
  Tree *is_there = build_compare(a, OP_LT, there, end);
  Tree *finds = build_with(a, branch->kid[0], counter, tree_ref(a, ahead));
  TreeList body = {0};
  vec_push(a, &body, build_declare(a, ahead, build_choice(a, is_there, there, here)));
  Tree *both = tree_binary(a, OP_AND, TYPE_BOOL, finds, tree_clone(a, is_there));
  vec_push(a, &body, build_assign(a, build_element(a, found, tree_ref(a, k)), both));
  Tree *looks = build_for(a, k, tree_int(a, TYPE_INT, 0), tree_int(a, TYPE_INT, LOOKS), tree_int(a, TYPE_INT, 1),
                          tree_seq(a, body.at, body.n));
  looks->unroll = UNROLL_ALL;
  return looks;
}

static void several(Searching *s, TreeList *to, const Tree *loop, const Tree *branch) {
  Arena *a = s->a;
  Symbol *counter = loop->kid[0]->symbol;
  Symbol *until = named(s, "until", counter->type), *at = named(s, "at", counter->type);
  vec_push(a, to, build_declare(a, until, in_type(a, counter->type, loop->kid[1]->kid[1])));
  Symbol *found = symbol_new(a, SYMBOL_LOCAL, fresh_name(&s->fresh, "found"), TYPE_BOOL);
  found->array = found->writable = true;
  found->length = tree_int(a, TYPE_INT, LOOKS);
  const int64_t step = loop->kid[2]->kid[1]->number;
  Tree *any = NULL, *first = NULL;
  for (int i = LOOKS - 1; i >= 0; i--) {
    Tree *is = build_element(a, found, tree_int(a, TYPE_INT, i)), *here = tree_ref(a, counter);
    if (i) here = tree_binary(a, OP_ADD, counter->type, here, tree_int(a, counter->type, i * step));
    any = any ? tree_binary(a, OP_OR, TYPE_BOOL, is, any) : is;
    first = first ? build_choice(a, tree_clone(a, is), here, first) : here;
  }
  TreeList does = {0}, body = {0};
  if (tree_mentions(branch->kid[1], counter)) vec_push(a, &does, build_declare(a, at, first));
  Tree *then = build_with(a, branch->kid[1], counter, tree_ref(a, at));
  for (int i = 0; i < then->nkids; i++) vec_push(a, &does, then->kid[i]);
  vec_push(a, &body, build_declare(a, found, NULL));
  vec_push(a, &body, look(s, loop, branch, tree_ref(a, until), found));
  vec_push(a, &body, build_if(a, any, tree_seq(a, does.at, does.n)));
  vec_push(a, to, build_for(a, counter, loop->kid[0]->kid[0], tree_ref(a, until),
                            tree_int(a, loop->kid[2]->kid[1]->type, step * LOOKS), tree_seq(a, body.at, body.n)));
}

static Tree *searched(void *context, Arena *a, Tree *t) {
  if (t->op != OP_SEQ) return t;
  TreeList all = {0};
  bool any = false;
  for (int i = 0; i < t->nkids; i++) {
    const Tree *branch = found_by(t->kid[i]);
    any |= branch != NULL;
    if (branch) several(context, &all, t->kid[i], branch);
    else vec_push(a, &all, t->kid[i]);
  }
  return any ? tree_seq(a, all.at, all.n) : t;
}

Tree *pass_search(Arena *a, const Kernel *k, Tree *body) {
  if (!k->threads || !tree_contains(body, OP_BREAK)) return body;
  Searching s = {a, fresh_begin(a, k, body)};
  return tree_rewrite_statements(a, body, searched, &s);
}
