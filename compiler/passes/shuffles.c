/* shuffles.c: exchanges through a shared array, within a vector, become shuffles (CGO III-C, Fig. 4).
 *
 *   requires  a body in codelet form after shared_atomics
 *   keeps     what every lane computes, in lockstep; the guards
 *   breaks    nothing: a SHUFFLE is the initial value of a variable of its own, a statement that all lanes of a
 *             vector run; never an operand of ?: or &&, where only some would
 *
 *   val += LaneId() + offset < Size()        ->   T other = shuffle_down(val, offset);
 *          ? tmp[ThreadId() + offset] : 0;        val += LaneId() + offset < Size() ? other : 0;
 *   tmp[ThreadId()] = val;
 *
 * Behind such a loop a single read of another lane's slot is one too: before = LaneId() > 0 ? tmp[ThreadId() - 1] : 0.
 *
 * The conditions are in exchange.c and exchange_entry.c. Afterwards the stores that nothing reads go, and with the last
 * use of an array its declaration. */
#include "passes/codelet_passes.h"
#include "passes/exchange.h"

typedef struct Shuffles {
  ExchangeSearch search;
  Exchanges reads; /* of single statements */
  Diagnostics *diagnostics;
} Shuffles;

/* ---- one loop ---- */

typedef struct Substitution { const Tree *from; Tree *to; } Substitution;

static Tree *substitute(void *context, Arena *a, Tree *t) {
  (void)a;
  Substitution *s = context;
  return t == s->from ? s->to : t;
}

/* `T other = shuffle(value, offset)', and what stands for the array's element from there on. */
static Tree *declare_other(Shuffles *s, const Exchange *x, Tree **use) {
  Arena *a = s->search.arena;
  Symbol *other = symbol_new(a, SYMBOL_LOCAL, "other", x->value->type);
  other->where = x->read->where;
  Tree *by = x->offset ? tree_ref(a, x->offset) : tree_int(a, TYPE_INT, x->distance);
  Tree *shuffle = tree_binary(a, OP_SHUFFLE, x->value->type, tree_ref(a, x->value), by);
  shuffle->mode = x->mode;
  shuffle->where = x->read->where;
  Tree *declare = tree_new(a, OP_DECLARE, TYPE_VOID, x->read->where, 1);
  declare->symbol = other;
  declare->kid[0] = shuffle;
  *use = tree_ref(a, other);
  (*use)->where = x->read->where;
  return declare;
}

/* The loop with the shuffle before the statement that read the array. */
static Tree *with_shuffle(Shuffles *s, Tree *loop, const Exchange *x) {
  Arena *a = s->search.arena;
  Tree *body = loop->kid[3], *use;
  Tree *declare = declare_other(s, x, &use);
  Substitution swap = {x->read, use};
  Tree *statements = tree_new(a, OP_SEQ, TYPE_VOID, body->where, body->nkids + 1);
  for (int i = 0, n = 0; i < body->nkids; i++) {
    if (i == x->statement) statements->kid[n++] = declare;
    statements->kid[n++] = i == x->statement ? tree_rewrite(a, body->kid[i], substitute, &swap) : body->kid[i];
  }
  Tree *kids[4] = {loop->kid[0], loop->kid[1], loop->kid[2], statements};
  return tree_with_kids(a, loop, kids, 4);
}

enum { MOST_ARRAYS = 8 };

/* A loop that reads one shared array is a candidate. */
static Tree *try_loop(Shuffles *s, Tree *loop, const Frame *f) {
  Symbol *arrays[MOST_ARRAYS];
  int n = exchange_arrays(loop, arrays, MOST_ARRAYS);
  Exchange x;
  Refusal why = {0};
  if (n == 0) return loop;
  if (n > 1) {
    diagnostics_remark(s->diagnostics, REMARK_MISSED, "shuffle", loop->where,
                       "not a shuffle: the loop reads several shared arrays");
    return loop;
  }
  if (!exchange_recognise(&s->search, loop, f, arrays[0], &x, &why)) {
    diagnostics_remark(s->diagnostics, REMARK_MISSED, "shuffle", why.where.file ? why.where : loop->where,
                       "not a shuffle: %s", why.reason);
    return loop;
  }
  vec_push(s->search.arena, &s->search.found, x);
  return with_shuffle(s, loop, &x);
}

/* A statement behind an exchange that reads the array once more; NULL: it is none, or refused. */
static Tree *try_read(Shuffles *s, Tree *t, const Frame *f, Tree **declare) {
  Exchange x;
  Refusal why = {0};
  if (!exchange_read(&s->search, t, f, &x, &why)) {
    if (why.reason)
      diagnostics_remark(s->diagnostics, REMARK_MISSED, "shuffle", why.where.file ? why.where : t->where,
                         "not a shuffle: %s", why.reason);
    return NULL;
  }
  Tree *use;
  *declare = declare_other(s, &x, &use);
  Substitution swap = {x.read, use};
  vec_push(s->search.arena, &s->reads, x);
  return tree_rewrite(s->search.arena, t, substitute, &swap);
}

/* ---- all loops ---- */

static Tree *statement(Shuffles *s, Tree *t, const Frame *f);

static Tree *block(Shuffles *s, Tree *t, const Frame *outer, bool repeated, const Tree *under, bool then) {
  const LaneFacts *facts = &s->search.facts;
  Frame f = {.up = outer, .repeated = repeated};
  if (outer) {
    f.first_vector = outer->first_vector;
    f.divider = outer->divider;
  }
  if (under && then && lane_is_first_vector(facts, under)) f.first_vector = true;
  if (under && !f.divider && lane_variance(facts, under) == BY_LANE) f.divider = under;
  if (t->op != OP_SEQ) t = tree_seq(s->search.arena, &t, 1);
  f.seq = t;
  VEC(Tree *) all = {0};
  bool changed = false;
  for (int i = 0; i < t->nkids; i++) {
    Tree *declare = NULL;
    f.index = i;
    Tree *k = try_read(s, t->kid[i], &f, &declare);
    if (declare) vec_push(s->search.arena, &all, declare);
    if (!k) k = statement(s, t->kid[i], &f);
    changed |= k != t->kid[i];
    vec_push(s->search.arena, &all, k);
  }
  return changed ? tree_with_kids(s->search.arena, t, all.at, all.n) : t;
}

static Tree *statement(Shuffles *s, Tree *t, const Frame *f) {
  Tree *kids[4] = {NULL};
  switch (t->op) {
    case OP_SEQ: return block(s, t, f, false, NULL, false);
    case OP_FOR: {
      Tree *loop = try_loop(s, t, f);
      if (loop != t) return loop;
      for (int i = 0; i < 4; i++) kids[i] = t->kid[i];
      kids[3] = block(s, t->kid[3], f, true, t->kid[1], false);
      break;
    }
    case OP_IF: case OP_WHILE:
      for (int i = 0; i < t->nkids; i++)
        kids[i] = i == 0 ? t->kid[0] : block(s, t->kid[i], f, t->op == OP_WHILE, t->kid[0], t->op == OP_IF && i == 1);
      break;
    default: return t;
  }
  for (int i = 0; i < t->nkids; i++)
    if (kids[i] != t->kid[i]) return tree_with_kids(s->search.arena, t, kids, t->nkids);
  return t;
}

/* ---- stores that nothing reads ---- */

static bool stores_to(const Tree *t, const Symbol *array) {
  return t->op == OP_ASSIGN && !t->compound && t->kid[0]->op == OP_INDEX && t->kid[0]->kid[0]->op == OP_REF &&
         t->kid[0]->kid[0]->symbol == array;
}

/* Is the array used otherwise than by plain stores to it? */
static bool is_read(const Tree *t, const Symbol *array) {
  if (!t) return false;
  if (t->op == OP_REF) return t->symbol == array;
  bool store = stores_to(t, array);
  if (store && tree_mentions(t->kid[0]->kid[1], array)) return true;
  for (int i = store ? 1 : 0; i < t->nkids; i++)
    if (is_read(t->kid[i], array)) return true;
  return false;
}

/* Drops the array's stores after which it is not read. Works backwards: `read_later' is whether anything that runs
 * after t reads it. NULL when nothing is left of t. */
static Tree *drop_stores(Arena *a, Tree *t, const Symbol *array, bool read_later) {
  switch (t->op) {
    case OP_SEQ: {
      VEC(Tree *) kept = {0};
      bool changed = false;
      for (int i = t->nkids - 1; i >= 0; i--) {
        Tree *k = drop_stores(a, t->kid[i], array, read_later);
        if (k) vec_push(a, &kept, k);
        changed = changed || k != t->kid[i];
        read_later = read_later || is_read(t->kid[i], array);
      }
      if (!changed) return t;
      for (int i = 0; i < kept.n / 2; i++) {
        Tree *swap = kept.at[i];
        kept.at[i] = kept.at[kept.n - 1 - i];
        kept.at[kept.n - 1 - i] = swap;
      }
      return tree_with_kids(a, t, kept.at, kept.n);
    }
    case OP_IF: {
      Tree *kids[3];
      bool changed = false, left = false;
      for (int i = 0; i < t->nkids; i++) {
        kids[i] = i == 0 ? t->kid[0] : drop_stores(a, t->kid[i], array, read_later);
        if (!kids[i]) kids[i] = tree_seq(a, NULL, 0);
        changed = changed || kids[i] != t->kid[i];
        left = left || (i > 0 && !(kids[i]->op == OP_SEQ && kids[i]->nkids == 0));
      }
      if (!changed) return t;
      return left ? tree_with_kids(a, t, kids, t->nkids) : NULL;
    }
    case OP_FOR: case OP_WHILE: {
      int last = t->nkids - 1;
      Tree *body = drop_stores(a, t->kid[last], array, read_later || is_read(t, array));
      if (body == t->kid[last]) return t;
      Tree *r = tree_with_kids(a, t, t->kid, t->nkids);
      r->kid[last] = body ? body : tree_seq(a, NULL, 0);
      return r;
    }
    default: return stores_to(t, array) && !read_later ? NULL : t;
  }
}

typedef struct Removal { const Symbol *array; } Removal;

static Tree *drop_declaration(void *context, Arena *a, Tree *t) {
  Removal *r = context;
  if (t->op != OP_SEQ) return t;
  for (int i = 0; i < t->nkids; i++) {
    if (t->kid[i]->op != OP_DECLARE || t->kid[i]->symbol != r->array) continue;
    Tree *shorter = tree_new(a, OP_SEQ, TYPE_VOID, t->where, t->nkids - 1);
    for (int k = 0, n = 0; k < t->nkids; k++)
      if (k != i) shorter->kid[n++] = t->kid[k];
    return shorter;
  }
  return t;
}

Tree *pass_shuffles(Arena *a, const Codelet *c, Tree *body, Diagnostics *d) {
  static const char *const modes[] = {"down", "up", "xor", "index"};
  Shuffles s = {.search = {.arena = a, .codelet = c, .body = body, .facts = lane_facts(a, body)}, .diagnostics = d};
  Tree *r = block(&s, body, NULL, false, NULL, false);
  const Exchanges *found = &s.search.found;
  if (!found->n) return NULL;
  for (int i = 0; i < found->n; i++) {
    Removal gone = {found->at[i].array};
    r = drop_stores(a, r, gone.array, false);
    if (!tree_mentions(r, gone.array)) r = tree_rewrite(a, r, drop_declaration, &gone);
  }
  for (int i = 0; i < s.reads.n; i++) {
    const Exchange *x = &s.reads.at[i];
    diagnostics_remark(d, REMARK_PASSED, "shuffle", x->read->where, "shuffle %s of `%s' by %d; array `%s' is %s needed",
                       modes[x->mode], x->value->name, (int)x->distance, x->array->name,
                       tree_mentions(r, x->array) ? "still" : "no longer");
  }
  for (int i = 0; i < found->n; i++) {
    const Exchange *x = &found->at[i];
    diagnostics_remark(d, REMARK_PASSED, "shuffle", x->loop->where,
                       "shuffle %s of `%s' by `%s'; array `%s' is %s needed", modes[x->mode], x->value->name,
                       x->offset->name, x->array->name, tree_mentions(r, x->array) ? "still" : "no longer");
  }
  return r;
}
