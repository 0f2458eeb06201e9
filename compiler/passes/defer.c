/* defer.c: what all lanes store in one place, or add there -> one store of a block's, behind all else.
 *
 *     set_any(last, level + 1);      any = true;
 *     atomicAdd(many[0], 1);         sum += 1;
 *                                    ..
 *                                    if (any_of_block(any)) if (thread == 0) set_any(last, level + 1);
 *                                    add_of_block(many[0], sum);
 *
 * Such a store says that something happened, or how often. Where it happens often, in all blocks, memory takes these
 * stores one by one: a search of a graph spent half of its time so on an H200.
 *
 * Requires: kernel form, of a GPU; whole blocks come to the end of a kernel's text.
 * Keeps: which places are stored to by the end of the kernel, and what: where it goes, and a number that is stored, are
 * the same for all lanes, and nothing else in the kernel names that memory. Whole numbers alone are added so: those of
 * other types would be rounded otherwise.
 * Breaks: nothing. */
#include "passes/defer.h"

#include "ir/build.h"
#include "passes/fresh.h"
#include "passes/predicate.h"

/* .. total: of the block's lanes, of what is added. */
typedef struct Stored { const Tree *store; Symbol *any, *total; } Stored;

typedef struct Deferring {
  Arena *a;
  const Kernel *kernel;
  VEC(Stored) stored;    /* one of each kind */
  Fresh fresh;
  int loops;             /* around the statement at hand */
} Deferring;

static Tree *truth(Arena *a, bool is) {
  Tree *t = tree_new(a, OP_BOOL, TYPE_BOOL, (SourceRange){0}, 0);
  t->number = is;
  return t;
}

static bool is_number(const Deferring *d, const Symbol *s) {
  if (s->kind == SYMBOL_CONSTANT) return true;
  for (int i = 0; i < d->kernel->nparams; i++)
    if (d->kernel->params[i] == s) return !s->pointer && !s->array;
  return false;
}

/* Is it made of what the kernel is given? */
static bool is_given(const Deferring *d, const Tree *t) {
  switch (t->op) {
    case OP_INT: case OP_BOOL: return true;
    case OP_REF: return is_number(d, t->symbol);
    case OP_ADD: case OP_SUB: case OP_MUL: case OP_CAST:
      for (int i = 0; i < t->nkids; i++)
        if (!is_given(d, t->kid[i])) return false;
      return true;
    default: return false;
  }
}

static const Symbol *memory(const Tree *store) { return store->kid[0]->kid[0]->symbol; }

static bool is_flag(const Deferring *d, const Tree *t) {
  if (t->op != OP_ATOMIC || t->atomic != ATOMIC_ANY || t->kid[0]->op != OP_INDEX) return false;
  const Tree *place = t->kid[0];
  return place->kid[0]->op == OP_REF && place->kid[0]->symbol->pointer && is_given(d, place->kid[1]) &&
         is_given(d, t->kid[1]);
}

static bool is_count(const Deferring *d, const Tree *t) {
  if (t->op != OP_ATOMIC || t->atomic != ATOMIC_ADD || t->kid[0]->op != OP_INDEX) return false;
  const Tree *place = t->kid[0];
  return place->kid[0]->op == OP_REF && place->kid[0]->symbol->pointer && place->nkids == 2 &&
         is_given(d, place->kid[1]) && type_is_whole(place->type) && place->type != TYPE_INDEX;
}

static int mentions(const Tree *t, const Symbol *s) {
  int n = t->op == OP_REF && t->symbol == s;
  for (int i = 0; i < t->nkids; i++)
    if (t->kid[i]) n += mentions(t->kid[i], s);
  return n;
}

/* Is it the same store, or added to the same place? */
static bool is_like(const Tree *t, const Tree *like) {
  const bool adds = t->op == OP_ATOMIC && t->atomic == ATOMIC_ADD && like->atomic == ATOMIC_ADD;
  return adds ? tree_equal(t->kid[0], like->kid[0]) : t->op == OP_ATOMIC && tree_equal(t, like);
}

static int stores(const Tree *t, const Tree *like) {
  int n = is_like(t, like);
  for (int i = 0; i < t->nkids; i++)
    if (t->kid[i]) n += stores(t->kid[i], like);
  return n;
}

static Symbol *flag_of(const Deferring *d, const Tree *store) {
  for (int i = 0; i < d->stored.n; i++)
    if (is_like(store, d->stored.at[i].store)) return d->stored.at[i].any;
  return NULL;
}

static Symbol *total_of(Deferring *d, Type type) {
  Symbol *s = symbol_new(d->a, SYMBOL_SHARED, fresh_name(&d->fresh, "total"), type);
  s->array = s->writable = s->passing = true;
  s->length = tree_int(d->a, TYPE_INT, 1);
  return s;
}

static void find(Deferring *d, const Tree *body, const Tree *t) {
  const bool loop = t->op == OP_FOR || t->op == OP_WHILE;
  d->loops += loop;
  const bool counts = is_count(d, t);
  if (d->loops && (counts || is_flag(d, t)) && !flag_of(d, t) && mentions(body, memory(t)) == stores(body, t)) {
    const Type type = counts ? t->kid[0]->type : TYPE_BOOL;
    Symbol *any = symbol_new(d->a, SYMBOL_LOCAL, fresh_name(&d->fresh, counts ? "sum" : "any"), type);
    any->writable = counts;
    vec_push(d->a, &d->stored, ((Stored){t, any, counts ? total_of(d, type) : NULL}));
  }
  for (int i = 0; i < t->nkids; i++)
    if (t->kid[i]) find(d, body, t->kid[i]);
  d->loops -= loop;
}

static Tree *noted(void *context, Arena *a, Tree *t) {
  Symbol *any = t->op == OP_ATOMIC ? flag_of(context, t) : NULL;
  if (!any) return t;
  if (t->atomic != ATOMIC_ADD) return build_assign(a, tree_ref(a, any), truth(a, true));
  Tree *more = build_assign(a, tree_ref(a, any), t->kid[1]);
  more->compound = OP_ADD;
  return more;
}

Tree *pass_defer(Arena *a, const Kernel *k, Tree *body) {
  if (!k->threads || tree_contains(body, OP_RETURN)) return body;
  Deferring d = {.a = a, .kernel = k, .fresh = fresh_begin(a, k, body)};
  find(&d, body, body);
  if (!d.stored.n) return body;
  TreeList all = {0};
  for (int i = 0; i < d.stored.n; i++) {
    Symbol *s = d.stored.at[i].any;
    if (d.stored.at[i].total) vec_push(a, &all, build_declare(a, d.stored.at[i].total, NULL));
    vec_push(a, &all, build_declare(a, s, s->type == TYPE_BOOL ? truth(a, false) : tree_int(a, s->type, 0)));
  }
  const Tree *does = tree_rewrite_statements(a, body, noted, &d);
  for (int i = 0; i < does->nkids; i++) vec_push(a, &all, does->kid[i]);
  for (int i = 0; i < d.stored.n; i++) {
    const Tree *added = d.stored.at[i].store;
    if (added->atomic == ATOMIC_ADD) {
      Tree *kids[] = {tree_clone(a, added->kid[0]), tree_ref(a, d.stored.at[i].any), tree_ref(a, d.stored.at[i].total)};
      Tree *add = build_tree(a, OP_ADD_OF_BLOCK, TYPE_VOID, kids, 3);
      add->atomic = ATOMIC_ADD;
      add->scope = added->scope;
      vec_push(a, &all, add);
      continue;
    }
    Tree *some = tree_unary(a, OP_ANY_OF_BLOCK, TYPE_BOOL, tree_ref(a, d.stored.at[i].any));
    Symbol *s = symbol_new(a, SYMBOL_LOCAL, fresh_name(&d.fresh, "any_of_all"), TYPE_BOOL);
    s->constant = true;
    vec_push(a, &all, build_declare(a, s, some));
    Tree *first = build_compare(a, OP_EQ, build_lane(a, OP_THREAD), tree_int(a, TYPE_INT, 0));
    Tree *store = tree_clone(a, d.stored.at[i].store);
    vec_push(a, &all, build_if(a, build_both(a, tree_ref(a, s), first), tree_seq(a, &store, 1)));
  }
  return tree_seq(a, all.at, all.n);
}
