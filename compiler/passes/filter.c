/* filter.c: a loop that does something where it finds something looks at several elements at once.
 *
 *     for (e = first; e < end; e += 32) {       for (e = first; e + 96 < end; e += 128) {
 *       to = columns[e];                          unsigned found = 0;
 *       if (see_any(levels[to]) < 0) {            for s in 0..4 unrolled: {
 *         ..                                        ahead = e + s * 32;
 *       }                                           to = columns[ahead];
 *     }                                             found |= (see_any(levels[to]) < 0) << s;
 *                                                 }
 *                                                 for (; found != 0; found &= found - 1) {
 *                                                   at = e + first_of(found) * 32;
 *                                                   to = columns[at];
 *                                                   ..
 *                                                 }
 *                                               }
 *                                               the loop as it was, of what is left
 *
 * A compiler does not take a load over a branch in whose other way memory is stored to: so each element waited for the
 * one before it. And where few of a warp's lanes find something, each of its elements was an iteration of all of them.
 *
 * Requires: kernel form, of a GPU; what is looked at the loop does not store to, but for containers of which any value
 * that comes may be read (__accum(Any)).
 * Keeps: which elements something is done for, and their order.
 * Breaks: nothing. */
#include "passes/filter.h"

#include "ir/build.h"
#include "passes/fresh.h"
#include "passes/predicate.h"

enum { LOOKS = 4 };

typedef struct Filtering { Arena *a; Fresh fresh; } Filtering;

static bool leaves(const Tree *t, bool inside) {
  if (t->op == OP_RETURN) return true;
  if (t->op == OP_CONTINUE || t->op == OP_BREAK) return !inside;
  for (int i = 0; i < t->nkids; i++)
    if (t->kid[i] && leaves(t->kid[i], inside || t->op == OP_FOR || t->op == OP_WHILE)) return true;
  return false;
}

static const Symbol *stored(const Tree *t) {
  const bool stores = t->op == OP_ASSIGN || t->op == OP_ATOMIC || t->op == OP_CLAIM || t->op == OP_STORE_WIDE;
  const Tree *place = stores ? t->kid[0] : NULL;
  while (place && place->op == OP_INDEX) place = place->kid[0];
  return place && place->op == OP_REF ? place->symbol : NULL;
}

static bool stores_to(const Tree *t, const Symbol *s) {
  if (stored(t) == s) return true;
  if (t->op == OP_ATOMIC && t->atomic == ATOMIC_APPEND && tree_mentions(t->kid[2], s)) return true;
  for (int i = 0; i < t->nkids; i++)
    if (t->kid[i] && stores_to(t->kid[i], s)) return true;
  return false;
}

/* Has it the same value before the loop does something as behind that? */
static bool stays(const Tree *t, const Tree *does) {
  static const Op known[] = {OP_INT, OP_BOOL, OP_FLOAT, OP_LIMIT, OP_REF, OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_REM,
                             OP_SHL, OP_SHR, OP_AND, OP_OR, OP_XOR, OP_LT, OP_LE, OP_GT, OP_GE, OP_EQ, OP_NE, OP_LAND,
                             OP_LOR, OP_NEG, OP_NOT, OP_BNOT, OP_COND, OP_CAST, OP_MIN, OP_MAX, OP_INDEX, OP_SEE_ANY,
                             OP_THREAD, OP_LANE, OP_WARP, OP_BLOCK_ID, OP_GRID_DIM, OP_WIDTH};
  bool is_known = false;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) is_known |= t->op == known[i];
  if (!is_known || (t->op == OP_REF && (t->symbol->kind == SYMBOL_SHARED || stores_to(does, t->symbol)))) return false;
  if (t->op == OP_SEE_ANY) return t->kid[0]->op == OP_INDEX && stays(t->kid[0]->kid[1], does);
  for (int i = 0; i < t->nkids; i++)
    if (!stays(t->kid[i], does)) return false;
  return true;
}

static bool reads_memory(const Tree *t) {
  if (t->op == OP_INDEX && t->kid[0]->op == OP_REF && t->kid[0]->symbol->pointer) return true;
  for (int i = 0; i < t->nkids; i++)
    if (reads_memory(t->kid[i])) return true;
  return false;
}

static bool is_local(const Tree *t, const Symbol *s) { return t && t->op == OP_REF && t->symbol == s; }

/* for (counter = ..; counter < end; counter += step), of which end and step stay. */
static bool counts(const Tree *t, const Tree *does) {
  if (t->op != OP_FOR || !t->kid[0] || t->kid[0]->op != OP_DECLARE || !t->kid[0]->nkids || t->unroll == UNROLL_ALL)
    return false;
  const Symbol *counter = t->kid[0]->symbol;
  const Tree *below = t->kid[1], *step = t->kid[2];
  return counter->type == TYPE_INDEX && below && below->op == OP_LT && is_local(below->kid[0], counter) && step &&
         step->op == OP_ASSIGN && step->compound == OP_ADD && is_local(step->kid[0], counter) &&
         !tree_mentions(step->kid[1], counter) && !tree_mentions(below->kid[1], counter) &&
         !tree_contains(below->kid[1], OP_SEE_ANY) && stays(step->kid[1], does) && stays(below->kid[1], does) &&
         !reads_memory(step->kid[1]);
}

/* The condition under which an iteration does something; NULL: it is another loop. */
static const Tree *filtered(const Tree *t) {
  if (t->op != OP_FOR) return NULL;
  const Tree *body = t->kid[3], *branch = body->nkids ? body->kid[body->nkids - 1] : NULL;
  if (!branch || branch->op != OP_IF || branch->nkids != 2 || leaves(branch->kid[1], false)) return NULL;
  const Tree *does = branch->kid[1];
  if (!counts(t, does) || !stays(branch->kid[0], does)) return NULL;
  bool reads = reads_memory(branch->kid[0]);
  for (int i = 0; i + 1 < body->nkids; i++) {
    const Tree *s = body->kid[i];
    if (s->op == OP_COMMENT) continue;
    if (s->op != OP_DECLARE || !s->nkids || s->symbol->array || !stays(s->kid[0], does)) return NULL;
    if (stores_to(does, s->symbol)) return NULL;
  }
  return reads && !stores_to(does, t->kid[0]->symbol) ? branch : NULL;
}

static Symbol *named(Filtering *f, const char *name, Type type) {
  Symbol *made = symbol_new(f->a, SYMBOL_LOCAL, fresh_name(&f->fresh, name), type);
  made->constant = true;
  return made;
}

/* e + k steps. */
static Tree *further(Arena *a, const Tree *loop, Tree *k) {
  Tree *step = tree_clone(a, loop->kid[2]->kid[1]);
  if (step->type != TYPE_INDEX) step = build_cast(a, TYPE_INDEX, step);
  return build_add(a, tree_ref(a, loop->kid[0]->symbol), build_mul(a, k, step));
}

/* The iteration's own numbers, of an element at `at', and behind them that. */
static Tree *with_numbers(Filtering *f, const Tree *loop, Symbol *at, Tree *position, const Tree *then) {
  Arena *a = f->a;
  const Tree *body = loop->kid[3];
  TreeList all = {0};
  for (int i = 0; i + 1 < body->nkids; i++)
    if (body->kid[i]->op == OP_DECLARE) vec_push(a, &all, body->kid[i]);
  vec_push(a, &all, (Tree *)then);
  Tree *text = build_with(a, tree_seq(a, all.at, all.n), loop->kid[0]->symbol, tree_ref(a, at));
  TreeList behind = {0};
  vec_push(a, &behind, build_declare(a, at, position));
  for (int i = 0; i < text->nkids; i++) vec_push(a, &behind, text->kid[i]);
  return tree_seq(a, behind.at, behind.n);
}

static Tree *several(Filtering *f, const Tree *loop, const Tree *branch, Symbol *counter) {
  Arena *a = f->a;
  Symbol *found = symbol_new(a, SYMBOL_LOCAL, fresh_name(&f->fresh, "found"), TYPE_UINT);
  Symbol *k = symbol_new(a, SYMBOL_LOCAL, fresh_name(&f->fresh, "look"), TYPE_INT);
  Symbol *ahead = named(f, "ahead", TYPE_INDEX), *at = named(f, "at", TYPE_INDEX);
  found->writable = k->writable = true;
  Tree *is = build_choice(a, branch->kid[0], tree_int(a, TYPE_UINT, 1), tree_int(a, TYPE_UINT, 0));
  Tree *note = build_assign(a, tree_ref(a, found), tree_binary(a, OP_SHL, TYPE_UINT, is, tree_ref(a, k)));
  note->compound = OP_OR;
  Tree *look = with_numbers(f, loop, ahead, further(a, loop, build_cast(a, TYPE_INDEX, tree_ref(a, k))), note);
  Tree *looks = build_for(a, k, tree_int(a, TYPE_INT, 0), tree_int(a, TYPE_INT, LOOKS), tree_int(a, TYPE_INT, 1), look);
  looks->unroll = UNROLL_ALL;
  Tree *first = tree_unary(a, OP_FIRST_OF, TYPE_INT, tree_ref(a, found));
  Tree *does = with_numbers(f, loop, at, further(a, loop, build_cast(a, TYPE_INDEX, first)), branch->kid[1]);
  Tree *less = tree_binary(a, OP_SUB, TYPE_UINT, tree_ref(a, found), tree_int(a, TYPE_UINT, 1));
  TreeList each = {0};
  vec_push(a, &each, does);
  vec_push(a, &each, build_assign(a, tree_ref(a, found), less));
  each.at[1]->compound = OP_AND;
  Tree *some = build_compare(a, OP_NE, tree_ref(a, found), tree_int(a, TYPE_UINT, 0));
  Tree *all[] = {build_declare(a, found, tree_int(a, TYPE_UINT, 0)), looks,
                 tree_binary(a, OP_WHILE, TYPE_VOID, some, tree_seq(a, each.at, each.n))};
  Tree *end = build_sub(a, loop->kid[1]->kid[1], build_mul(a, build_index(a, LOOKS - 1), loop->kid[2]->kid[1]));
  Tree *steps = build_mul(a, build_index(a, LOOKS), tree_clone(a, loop->kid[2]->kid[1]));
  return build_onward(a, tree_ref(a, counter), build_compare(a, OP_LT, tree_ref(a, counter), end), steps,
                      tree_seq(a, all, 3), UNROLL_NONE);
}

static Tree *searched(void *context, Arena *a, Tree *t) {
  if (t->op != OP_SEQ) return t;
  Filtering *f = context;
  TreeList all = {0};
  bool any = false;
  for (int i = 0; i < t->nkids; i++) {
    const Tree *loop = t->kid[i], *branch = filtered(loop);
    if (!branch) {
      vec_push(a, &all, t->kid[i]);
      continue;
    }
    any = true;
    Symbol *counter = loop->kid[0]->symbol;
    Tree *rest = build_onward(a, tree_ref(a, counter), loop->kid[1], loop->kid[2]->kid[1], loop->kid[3], loop->unroll);
    Tree *both[] = {loop->kid[0], several(f, loop, branch, counter), rest};
    vec_push(a, &all, tree_seq(a, both, 3));
  }
  return any ? tree_seq(a, all.at, all.n) : t;
}

Tree *pass_filter(Arena *a, const Kernel *k, Tree *body) {
  if (!k->threads) return body;
  Filtering f = {a, fresh_begin(a, k, body)};
  return tree_rewrite_statements(a, body, searched, &f);
}
