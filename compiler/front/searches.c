/* searches.c: loops that look for something, as loops that add up, so that their turns may be taken in any order.
 *
 *     all = all && x[i] < bound;                   hit = max(hit, 1) under a condition; if (hit > 0) all = false;
 *     if (x[i] == v) found = true;
 *
 *     if (x[i] == v) { place = i; break; }         first = min(first, i) where it holds; if (first < n) place = first;
 *     if (x[i] == v) place = i;                    last = max(last, i), the same
 *
 *     if (x[i] < least) least = x[i];              least = min(least, x[i]);
 *
 *     if (x[i] > best) { best = x[i]; place = i; }       one loop for the greatest, top = max(top, x[i]), and one for
 *                                                        the first place that has it
 *     if (x[i] > x[place]) place = i;                    the same
 *
 * So `best' is computed twice, in two loops: it has to be the same in both, which elements as they are, and whole
 * numbers, are. Whatever else turns compute, a distance, they store first, in a container of the codelet's own between
 * steps (loop_steps.c), and its elements are compared. Of two zeros, and of NaN, the first place has what one lane would
 * choose; alone the greatest of numbers is as `max' has it.
 *
 * Behind the element that is found others are looked at, up to the end of the loop. */
#include "front/searches.h"

#include <string.h>

#include "front/divide.h"
#include "front/loop_sums.h"
#include "front/loops.h"
#include "front/turn_values.h"
#include "ir/build.h"
#include "ir/operator.h"

typedef DivideStatements Statements;

static Symbol *number(Arena *a, const char *name, const Symbol *of, Type type, Type declared) {
  Symbol *s = symbol_new(a, SYMBOL_LOCAL, arena_printf(a, "%s_%s", of->name, name), type);
  s->declared = declared;
  s->writable = true;
  s->where = of->where;
  return s;
}

static Tree *seq_of(Arena *a, Tree *t) { return tree_seq(a, &t, 1); }

static bool is_outside(const Tree *loop, const Tree *place) {
  return place->op == OP_REF && loop_is_number(place->symbol) && !loop_declares(loop, place->symbol);
}

/* ---- conditions that are combined, and choices ---- */

enum { MOST_KEPT = 4 };

/* What may be a NaN as the loop begins, and stays one then: the loop has another variable in its place. */
typedef struct Plain {
  const Tree *body, *loop;
  Symbol *of[MOST_KEPT], *as[MOST_KEPT];
  int n;
} Plain;

static Tree *negated(Arena *a, Tree *t) { return tree_unary(a, OP_NOT, TYPE_BOOL, t); }

/* `all = all && p': if (!p) all = false; */
static Tree *flag_of(Arena *a, const Tree *t) {
  const Tree *value = tree_uncast(t->kid[1]);
  const bool both = value->op == OP_LAND;
  const Symbol *s = t->kid[0]->symbol;
  if (t->compound || (!both && value->op != OP_LOR)) return NULL;
  for (int k = 0; k < 2; k++) {
    const Tree *own = tree_uncast(value->kid[k]);
    if (own->op == OP_NE && build_is(own->kid[1], 0)) own = tree_uncast(own->kid[0]);
    Tree *p = value->kid[1 - k];
    if (!tree_is_symbol(own, s) || tree_mentions(p, s)) continue;
    Tree *to = build_assign(a, t->kid[0], tree_int(a, s->type, both ? 0 : 1));
    if (s->type == TYPE_BOOL) to->kid[1]->op = OP_BOOL;
    to->where = t->where;
    Tree *made = build_if(a, both ? negated(a, p) : p, seq_of(a, to));
    made->where = t->where;
    return made;
  }
  return NULL;
}

/* The variable that the loop has in its place; NULL: there is no room for one more. */
static Symbol *kept_as(Plain *p, Arena *a, Symbol *s) {
  const Tree *start = tree_declared(p->body, s);
  const bool known = start && !tree_contains(start, OP_INDEX) && !tree_contains(start, OP_REF);
  if (type_is_whole(s->type) || known) return s;
  for (int i = 0; i < p->n; i++)
    if (p->of[i] == s) return p->as[i];
  if (p->n == MOST_KEPT) return NULL;
  p->of[p->n] = s;
  return p->as[p->n++] = number(a, "kept", s, s->type, s->declared);
}

/* `best = v < best ? v : best', or `if (v < best) best = v': the least. */
static Tree *extreme(Plain *p, Arena *a, const Tree *test, const Tree *to, const Tree *value, const Tree *other) {
  const bool above = test->op == OP_GT || test->op == OP_GE, below = test->op == OP_LT || test->op == OP_LE;
  if ((!above && !below) || !tree_is_symbol(other, to->symbol) || tree_mentions(value, to->symbol)) return NULL;
  if (value->type != to->type) return NULL;
  for (int k = 0; k < 2; k++) {
    if (!tree_equal(test->kid[k], to) || !tree_equal(test->kid[1 - k], value)) continue;
    Symbol *as = kept_as(p, a, to->symbol);
    if (!as) return NULL;
    Tree *made = build_assign(a, tree_ref(a, as), tree_binary(a, above == (k == 1) ? OP_MAX : OP_MIN, to->type,
                                                              tree_ref(a, as), (Tree *)value));
    made->where = test->where;
    return made;
  }
  return NULL;
}

static Tree *plain(void *context, Arena *a, Tree *t) {
  Plain *p = context;
  if (t->op == OP_ASSIGN && is_outside(p->loop, t->kid[0])) {
    Tree *made = flag_of(a, t);
    const Tree *v = t->kid[1];
    if (!made && !t->compound && v->op == OP_COND) made = extreme(p, a, v->kid[0], t->kid[0], v->kid[1], v->kid[2]);
    return made ? made : t;
  }
  if (t->op != OP_IF || t->nkids != 2 || t->kid[1]->op != OP_SEQ || t->kid[1]->nkids != 1) return t;
  const Tree *only = t->kid[1]->kid[0];
  if (only->op != OP_ASSIGN || only->compound || !is_outside(p->loop, only->kid[0])) return t;
  Tree *made = extreme(p, a, t->kid[0], only->kid[0], only->kid[1], only->kid[0]);
  return made ? made : t;
}

/* `T kept = least;' before the loop, and `if (least == least) least = kept;' behind it. */
static void keep(Arena *a, const Plain *p, Statements *before, Statements *behind) {
  for (int i = 0; i < p->n; i++) {
    Tree *is = tree_ref(a, p->of[i]), *same = build_compare(a, OP_EQ, is, tree_clone(a, is));
    vec_push(a, before, build_declare(a, p->as[i], tree_clone(a, is)));
    vec_push(a, behind, build_if(a, same, seq_of(a, build_assign(a, tree_clone(a, is), tree_ref(a, p->as[i])))));
  }
}

/* ---- flags ---- */

enum { MOST_FLAGS = 4 };

/* Variables to which turns assign one and the same constant. */
typedef struct Flags {
  const Tree *loop;
  Symbol *of[MOST_FLAGS], *hit[MOST_FLAGS];
  Tree *is[MOST_FLAGS];
  int times[MOST_FLAGS], mentions[MOST_FLAGS], n;
  bool ok;
} Flags;

static bool find_flags(void *context, const Tree *t) {
  Flags *f = context;
  int64_t value;
  f->ok &= t->op != OP_BREAK && t->op != OP_RETURN;
  if (t->op != OP_ASSIGN || t->compound || !is_outside(f->loop, t->kid[0]) || !tree_constant(t->kid[1], &value))
    return f->ok;
  int i = 0;
  while (i < f->n && f->of[i] != t->kid[0]->symbol) i++;
  if (i == MOST_FLAGS) return f->ok;
  if (i == f->n) f->of[i] = t->kid[0]->symbol, f->is[i] = t->kid[1], f->n++;
  if (tree_equal(tree_uncast(f->is[i]), tree_uncast(t->kid[1]))) f->times[i]++;
  return f->ok;
}

static bool count_mentions(void *context, const Tree *t) {
  Flags *f = context;
  for (int i = 0; i < f->n; i++) f->mentions[i] += t->op == OP_REF && t->symbol == f->of[i];
  return true;
}

static Tree *with_hits(void *context, Arena *a, Tree *t) {
  const Flags *f = context;
  if (t->op != OP_ASSIGN || t->kid[0]->op != OP_REF) return t;
  for (int i = 0; i < f->n; i++) {
    if (t->kid[0]->symbol != f->of[i] || !f->hit[i]) continue;
    Tree *hit = tree_ref(a, f->hit[i]), *one = tree_int(a, TYPE_INT, 1);
    Tree *made = build_assign(a, hit, tree_binary(a, OP_MAX, TYPE_INT, tree_clone(a, hit), one));
    made->where = t->where;
    return made;
  }
  return t;
}

static Tree *flags_as_sums(Arena *a, Tree *loop, Statements *before, Statements *behind) {
  Flags f = {.loop = loop, .ok = true};
  tree_visit(loop, find_flags, &f);
  if (!f.ok) return loop;
  tree_visit(loop, count_mentions, &f);
  for (int i = 0; i < f.n; i++) {
    if (f.mentions[i] != f.times[i]) continue; /* another value, or it is read */
    f.hit[i] = number(a, "hit", f.of[i], TYPE_INT, TYPE_INT);
    vec_push(a, before, build_declare(a, f.hit[i], tree_int(a, TYPE_INT, 0)));
    Tree *hit = build_compare(a, OP_GT, tree_ref(a, f.hit[i]), tree_int(a, TYPE_INT, 0));
    Tree *set = build_assign(a, tree_ref(a, f.of[i]), tree_clone(a, f.is[i]));
    vec_push(a, behind, build_if(a, hit, seq_of(a, set)));
  }
  return tree_rewrite(a, loop, with_hits, &f);
}

/* ---- places ---- */

/* The loop, which counts upwards one by one; what a turn declares; the condition; what is assigned where it holds. */
typedef struct Search {
  Arena *a;
  LoopHead head;
  const Tree *loop;
  Tree *test;
  Statements assigns;
  bool first;         /* it ends there */
} Search;

/* Turns that change nothing that is declared before the loop, but for what stands last. */
static bool changes_own(const Tree *loop) {
  const Tree *body = loop->kid[3];
  for (int i = 0; i + 1 < body->nkids; i++) {
    LoopSums sums;
    if (!loop_sums_find(body->kid[i], &sums) || sums.stores) return false;
    for (int k = 0; k < sums.n; k++)
      if (!loop_declares(loop, sums.at[k].of)) return false;
  }
  return true;
}

static bool finds(Arena *a, Tree *loop, Search *x) {
  const Tree *body = loop->kid[3], *last = body->op == OP_SEQ && body->nkids ? body->kid[body->nkids - 1] : NULL;
  *x = (Search){.a = a, .loop = loop};
  if (!last || last->op != OP_IF || last->nkids != 2 || last->kid[1]->op != OP_SEQ) return false;
  if (!loops_head(a, loop, &x->head) || x->head.step != 1 || !changes_own(loop)) return false;
  const Tree *then = last->kid[1];
  for (int i = 0; i < then->nkids; i++) {
    Tree *t = then->kid[i];
    x->first |= t->op == OP_BREAK && i == then->nkids - 1;
    if (t->op == OP_BREAK && i == then->nkids - 1) break;
    if (t->op != OP_ASSIGN || t->compound || !is_outside(loop, t->kid[0])) return false;
    for (int k = 0; k < then->nkids; k++)
      if (then->kid[k]->op == OP_ASSIGN && tree_mentions(then->kid[k]->kid[1], t->kid[0]->symbol)) return false;
    for (int k = 0; k < body->nkids - 1; k++)
      if (tree_mentions(body->kid[k], t->kid[0]->symbol)) return false;
    Tree *made = build_assign(a, t->kid[0], turn_by_elements(a, body, tree_clone(a, t->kid[1])));
    if (!turn_is_own(x->loop, x->head.index, made->kid[1])) return false;
    vec_push(a, &x->assigns, made);
  }
  x->test = last->kid[0];
  return x->assigns.n > 0;
}

/* One more loop of that text, with another last statement: its variables are its own. */
static Tree *with_last(Arena *a, const Tree *loop, Tree *last) {
  Tree *body = tree_with_kids(a, loop->kid[3], loop->kid[3]->kid, loop->kid[3]->nkids);
  body->kid[body->nkids - 1] = last;
  return tree_clone(a, tree_with_kids(a, loop, (Tree *[]){loop->kid[0], loop->kid[1], loop->kid[2], body}, 4));
}

/* The first turn, or the last, for which that holds; behind the loop, where there is one, and `besides' holds, what it
 * says. */
static void add_place(Search *x, Tree *test, Tree *besides, Statements *to) {
  Arena *a = x->a;
  Symbol *at = number(a, x->first ? "first" : "last", x->head.index, TYPE_LONG, TYPE_LONG);
  Tree *turn = build_cast(a, TYPE_LONG, tree_ref(a, (Symbol *)x->head.index));
  const Tree *none = x->first ? x->head.end : x->head.begin;
  Tree *begin = build_cast(a, TYPE_LONG, x->first ? tree_clone(a, none)
                                                  : build_sub(a, tree_clone(a, none), build_index(a, 1)));
  vec_push(a, to, build_declare(a, at, begin));
  Tree *note = build_assign(a, tree_ref(a, at), tree_binary(a, x->first ? OP_MIN : OP_MAX, TYPE_LONG,
                                                            tree_ref(a, at), turn));
  vec_push(a, to, with_last(a, x->loop, build_if(a, test, seq_of(a, note))));
  Tree *there = build_compare(a, x->first ? OP_LT : OP_GE, tree_ref(a, at),
                              build_cast(a, TYPE_LONG, tree_clone(a, none)));
  if (besides) there = build_both(a, there, besides);
  Tree *which = build_cast(a, TYPE_INDEX, tree_ref(a, at));
  for (int i = 0; i < x->assigns.n; i++)
    x->assigns.at[i]->kid[1] = build_with(a, x->assigns.at[i]->kid[1], x->head.index, which);
  vec_push(a, to, build_if(a, there, tree_seq(a, x->assigns.at, x->assigns.n)));
}

/* `p && place == n', of the place that begins as n: the first one for which p holds. */
static Tree *kept_first(const Search *x, const Tree *body) {
  for (int k = 0; k < 2 && x->test->op == OP_LAND && !x->first; k++) {
    const Tree *is = x->test->kid[k], *place = is->op == OP_EQ ? tree_uncast(is->kid[0]) : NULL;
    const Tree *start = place && is_outside(x->loop, place) ? tree_declared(body, place->symbol) : NULL;
    if (start && x->assigns.n == 1 && x->assigns.at[0]->kid[0]->symbol == place->symbol &&
        turn_is_own(x->loop, x->head.index, is->kid[1]) &&
        tree_equal(tree_uncast(start), tree_uncast(is->kid[1])) && !tree_mentions(x->test->kid[1 - k], place->symbol))
      return x->test->kid[1 - k];
  }
  return NULL;
}

static bool add_search(Arena *a, const Tree *body, Tree *loop, Statements *to) {
  Search x;
  if (!finds(a, loop, &x)) return false;
  Tree *first = kept_first(&x, body);
  if (first) x.first = true, x.test = first;
  for (int i = 0; i < x.assigns.n; i++)
    if (tree_mentions(x.test, x.assigns.at[i]->kid[0]->symbol)) return false;
  add_place(&x, tree_clone(a, x.test), NULL, to);
  return true;
}

/* ---- the greatest, and where it is ---- */

/* `if (v > best) { best = v; .. }' of whatever v the turn computes. */
static void add_greatest(Search *x, Symbol *best, Tree *value, Op op, Statements *to) {
  Arena *a = x->a;
  const bool greatest = op == OP_GT || op == OP_GE;
  x->first = op == OP_GT || op == OP_LT;
  Symbol *top = number(a, greatest ? "top" : "least", best, best->type, best->declared);
  const OperatorKind kind = greatest ? OPERATOR_MAX : OPERATOR_MIN;
  vec_push(a, to, build_declare(a, top, operator_identity(a, kind, best->type)));
  Tree *more = build_assign(a, tree_ref(a, top), tree_binary(a, operator_op(kind), best->type, tree_ref(a, top),
                                                             tree_clone(a, value)));
  vec_push(a, to, with_last(a, x->loop, more));
  Tree *is_top = build_compare(a, OP_EQ, tree_clone(a, value), tree_ref(a, top));
  Tree *beats = build_compare(a, op, tree_ref(a, top), tree_ref(a, best));
  add_place(x, is_top, beats, to);
}

/* `if (f(i) > f(place)) place = i;': of which f(place) is the best so far. */
static Tree *of_place(const Search *x, const Tree *value, const Tree *other) {
  if (x->assigns.n != 1 || !tree_is_symbol(x->assigns.at[0]->kid[1], x->head.index)) return NULL;
  const Symbol *place = x->assigns.at[0]->kid[0]->symbol;
  Tree *there = build_with(x->a, tree_clone(x->a, other), place, tree_ref(x->a, (Symbol *)x->head.index));
  return tree_mentions(other, place) && tree_equal(there, value) ? tree_clone(x->a, other) : NULL;
}

/* .. begins with f(place), where there is a turn. */
static Symbol *begin_best(Search *x, const Tree *value, Tree *there, Statements *to) {
  Arena *a = x->a;
  Symbol *best = number(a, "best", x->assigns.at[0]->kid[0]->symbol, value->type, value->type);
  if (value->type == TYPE_INDEX) best->declared = TYPE_LONG;
  Tree *any = build_compare(a, OP_LT, tree_clone(a, x->head.begin), tree_clone(a, x->head.end));
  vec_push(a, to, build_declare(a, best, build_choice(a, any, there, tree_int(a, value->type, 0))));
  return best;
}

static bool add_selection(Arena *a, Tree *loop, Statements *to) {
  static const Op turned[] = {[OP_LT] = OP_GT, [OP_LE] = OP_GE, [OP_GT] = OP_LT, [OP_GE] = OP_LE};
  Search x;
  if (!finds(a, loop, &x) || x.first || x.test->op < OP_LT || x.test->op > OP_GE) return false;
  const Tree *body = loop->kid[3];
  for (int side = 0; side < 2; side++) {
    Tree *value = turn_by_elements(a, body, tree_clone(a, x.test->kid[side]));
    const Tree *best = x.test->kid[1 - side];
    const Op op = side ? turned[x.test->op] : x.test->op;
    if (!turn_is_exact(value) || !turn_is_own(loop, x.head.index, value)) continue;
    Tree *there = of_place(&x, value, best);
    if (there) {
      add_greatest(&x, begin_best(&x, value, there, to), value, op, to);
      return true;
    }
    if (!is_outside(loop, best) || value->type != best->type) continue;
    int times = 0;
    bool others = false;
    for (int i = 0; i < x.assigns.n; i++) {
      const bool is = x.assigns.at[i]->kid[0]->symbol == best->symbol;
      times += is && tree_equal(tree_uncast(x.assigns.at[i]->kid[1]), tree_uncast(value));
      others |= tree_mentions(value, x.assigns.at[i]->kid[0]->symbol);
    }
    if (times != 1 || others) continue;
    add_greatest(&x, best->symbol, value, op, to);
    return true;
  }
  return false;
}

/* ---- what is computed, stored first ---- */

/* `if (v > best) { best = v; .. }' at the end of a turn, perhaps where something holds. */
typedef struct Keyed { const Tree *holds, *in, *choice, *value; bool greatest; } Keyed;

static bool find_keyed(Arena *a, const Tree *loop, Keyed *k) {
  const Tree *body = loop->kid[3], *last = body->nkids ? body->kid[body->nkids - 1] : NULL;
  *k = (Keyed){.in = body, .choice = last};
  if (!last || last->op != OP_IF || last->nkids != 2 || last->kid[1]->op != OP_SEQ) return false;
  const Tree *then = last->kid[1], *inner = then->nkids ? then->kid[then->nkids - 1] : NULL;
  if (inner && inner->op == OP_IF && inner->nkids == 2 && inner->kid[1]->op == OP_SEQ) {
    for (int i = 0; i + 1 < then->nkids; i++)
      if (then->kid[i]->op != OP_DECLARE) return false;
    *k = (Keyed){.holds = last->kid[0], .in = then, .choice = inner};
  }
  const Op op = k->choice->kid[0]->op;
  if (op < OP_LT || op > OP_GE || (k->holds && op != OP_LT && op != OP_GT)) return false;
  for (int side = 0; side < 2; side++) {
    const Tree *v = k->choice->kid[0]->kid[side], *best = k->choice->kid[0]->kid[1 - side];
    if (!is_outside(loop, best) || v->type != best->type || tree_mentions(v, best->symbol)) continue;
    k->value = turn_by_elements(a, k->in, tree_clone(a, (Tree *)v));
    k->greatest = (op == OP_GT || op == OP_GE) == (side == 0);
    LoopHead head;
    const bool plain = loops_head(a, loop, &head) && turn_is_exact(k->value) && turn_is_own(loop, head.index, k->value);
    return (!plain || k->holds) && !type_is_whole(v->type);
  }
  return false;
}

typedef struct Stands { const Tree *value, *text; Symbol *keys; const Symbol *index; } Stands;

static Tree *as_key(void *context, Arena *a, Tree *t) {
  const Stands *s = context;
  if (!tree_equal(t, s->text) && !tree_equal(t, s->value)) return t;
  return build_element(a, s->keys, tree_ref(a, (Symbol *)s->index));
}

/* The loop that looks for the greatest of what turns compute, as one that stores it, in a container of its own, and one
 * that looks for the greatest of its elements: these are the same whenever they are read. NULL: it is no such loop. */
static Tree *with_keys(Arena *a, Tree *loop, Statements *to) {
  Keyed k;
  LoopHead head;
  int64_t begin;
  if (!loops_head(a, loop, &head) || head.step != 1 || !tree_constant(head.begin, &begin) || begin) return NULL;
  if (head.end->op != OP_SIZE || head.end->kid[0]->op != OP_REF || !changes_own(loop)) return NULL;
  if (!find_keyed(a, loop, &k)) return NULL;
  const Tree *test = k.choice->kid[0];
  const int side = is_outside(loop, test->kid[0]);
  Symbol *keys = number(a, "key", head.index, test->kid[side]->type, test->kid[side]->type);
  keys->rank = 1;
  keys->writable = false; /* behind the loop that stores it */
  keys->length = tree_clone(a, head.end);
  vec_push(a, to, build_declare(a, keys, NULL));
  Tree *value = tree_clone(a, (Tree *)k.value);
  if (k.holds) value = build_choice(a, tree_clone(a, (Tree *)k.holds), value,
                                    operator_identity(a, k.greatest ? OPERATOR_MAX : OPERATOR_MIN, keys->type));
  Tree *place = build_element(a, keys, tree_ref(a, (Symbol *)head.index));
  vec_push(a, to, with_last(a, loop, build_assign(a, place, value)));
  Stands s = {k.value, test->kid[side], keys, head.index};
  Tree *choice = tree_rewrite(a, tree_clone(a, (Tree *)k.choice), as_key, &s);
  Tree *kids[] = {loop->kid[0], loop->kid[1], loop->kid[2], seq_of(a, choice)};
  return tree_clone(a, tree_with_kids(a, loop, kids, 4));
}

/* ---- all of it ---- */

static void add_loop(Arena *a, const Tree *body, Tree *t, Statements *all) {
  Statements keys = {0};
  Tree *of_keys = with_keys(a, t, &keys);
  if (of_keys && add_selection(a, of_keys, &keys)) {
    for (int i = 0; i < keys.n; i++) vec_push(a, all, keys.at[i]);
    return;
  }
  if (add_selection(a, t, all)) return;
  Plain p = {.body = body, .loop = t};
  t = tree_rewrite(a, tree_clone(a, t), plain, &p);
  if (add_search(a, body, t, all)) return;
  Statements behind = {0};
  keep(a, &p, all, &behind);
  t = flags_as_sums(a, t, all, &behind);
  vec_push(a, all, t);
  for (int k = 0; k < behind.n; k++) vec_push(a, all, behind.at[k]);
}

/* The statement where the condition holds; numbers are declared in any case. */
static Tree *guarded(Arena *a, const Tree *condition, Tree *t) {
  if (t->op == OP_DECLARE) {
    if (!t->nkids || !tree_contains(t->kid[0], OP_INDEX)) return t;
    Tree *init = build_choice(a, tree_clone(a, condition), t->kid[0], tree_int(a, t->kid[0]->type, 0));
    return tree_with_kids(a, t, &init, 1);
  }
  Tree *made = build_if(a, tree_clone(a, condition), seq_of(a, t));
  if (t->op == OP_IF) made = build_if(a, build_both(a, tree_clone(a, condition), t->kid[0]), t->kid[1]);
  made->where = t->where;
  return made;
}

static bool is_loop(const Tree *t) { return t->op == OP_FOR && t->kid[3]->op == OP_SEQ; }

Tree *searches_as_sums(Arena *a, const Tree *body) {
  Statements all = {0};
  for (int i = 0; i < body->nkids; i++) {
    Tree *t = body->kid[i];
    const bool under = t->op == OP_IF && t->nkids == 2 && t->kid[1]->op == OP_SEQ && t->kid[1]->nkids == 1;
    Statements inside = {0};
    if (is_loop(t)) add_loop(a, body, t, &all);
    else if (under && is_loop(t->kid[1]->kid[0])) add_loop(a, body, t->kid[1]->kid[0], &inside);
    else vec_push(a, &all, t);
    for (int k = 0; k < inside.n; k++) {
      Tree *made = guarded(a, t->kid[0], inside.at[k]);
      vec_push(a, &all, made);
    }
  }
  Tree *made = tree_seq(a, all.at, all.n);
  made->where = body->where;
  return made;
}
