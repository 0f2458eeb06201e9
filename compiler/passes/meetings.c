/* meetings.c: where the blocks of a grid that stays have to wait for one another.
 *
 *     look(a); store(b);                  no meeting: they have nothing to do with one another
 *     meet(met, due);
 *     store(a);                           a was looked at: nobody may be looking still
 *     if (many != 0) {                    a number that all blocks know: they agree
 *       look(b);
 *       since |= 1;
 *     }
 *     if ((since & 1) != 0) {             what may have been done since the last meeting
 *       meet(met, due);
 *       since = 0;
 *     }
 *     store(b);
 *
 * A meeting costs as much as hundreds of loads, and a step that is not taken needs none. Blocks meet before a part of
 * the text that reads what one since the last meeting stores, or stores what that reads or stores. Where it is not
 * known when the text is made whether such a part was done, a bit tells when it runs; all blocks have the same bits.
 *
 * Requires: parts in the order in which they run, each of which all blocks do, or none. */
#include "passes/meetings.h"

#include "ir/build.h"

enum { MOST_BITS = 32 };

/* ---- what a part has to do with memory ---- */

typedef struct Touching { Arena *a; Touched *to; bool one_block; } Touching;

static void add_symbol(Arena *a, const Symbol *s, Touched *to, bool stored) {
  if (stored) vec_push(a, &to->stored, s);
  vec_push(a, &to->seen, s);
}

static const Symbol *base_of(const Tree *place) {
  while (place->op == OP_INDEX || place->op == OP_SEE_ANY) place = place->kid[0];
  return place->op == OP_REF ? place->symbol : NULL;
}

static bool in_common(const Touching *x, const Symbol *s) {
  return s->pointer || (x->one_block && s->kind == SYMBOL_SHARED);
}

static bool touch(void *context, const Tree *t) {
  static const Op known[] = {OP_SEQ, OP_DECLARE, OP_IF, OP_FOR, OP_WHILE, OP_BREAK, OP_CONTINUE, OP_COMMENT, OP_BARRIER,
                             OP_LOAD_WIDE, OP_APPEND_HELD};
  Touching *x = context;
  const bool stores = t->op == OP_ASSIGN || t->op == OP_ATOMIC || t->op == OP_STORE_WIDE || t->op == OP_CLAIM ||
                      t->op == OP_RESERVE || t->op == OP_ADD_OF_BLOCK;
  bool is_known = stores || !op_is_statement(t->op);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) is_known |= t->op == known[i];
  if (!is_known || t->op == OP_ADDRESS) x->to->any = true;
  const Symbol *to = stores ? base_of(t->kid[0]) : NULL;
  if (stores && !to) x->to->any = true;
  for (int i = 4; t->op == OP_APPEND_HELD && i < 6; i++) add_symbol(x->a, base_of(t->kid[i]), x->to, true);
  if (to && in_common(x, to)) add_symbol(x->a, to, x->to, true);
  for (int i = 2; t->op == OP_ATOMIC && i < t->nkids; i++) /* a queue */
    if (t->kid[i]->op == OP_INDEX) add_symbol(x->a, base_of(t->kid[i]), x->to, true);
  if (t->op == OP_REF && in_common(x, t->symbol)) add_symbol(x->a, t->symbol, x->to, false);
  return true;
}

static Touched touched_by(const Meetings *m, const Tree *text) {
  Touched own = {.any = false};
  Touching x = {m->a, &own, !m->met};
  tree_visit(text, touch, &x);
  return own;
}

static bool share(const Touched *x, const Touched *y) {
  for (int i = 0; i < x->stored.n; i++)
    for (int k = 0; k < y->seen.n; k++)
      if (x->stored.at[i] == y->seen.at[k]) return true;
  return false;
}

static bool conflict(const Touched *x, const Touched *y) {
  return (x->any && y->seen.n) || (y->any && x->seen.n) || (x->any && y->any) || share(x, y) || share(y, x);
}

/* ---- bits ---- */

/* Its bit, by number; -1: it has none. */
static int bit_of(const Meetings *m, int site) {
  for (int i = 0; i < m->asked.n; i++)
    if (m->asked.at[i] == site) return i;
  return -1;
}

static Tree *bits(Meetings *m, uint32_t which) { return tree_int(m->a, TYPE_UINT, which); }

/* No part was done since. */
static void begin_again(Meetings *m, TreeList *to) {
  bool any = false;
  for (int i = 0; i < m->open.n; i++) any |= bit_of(m, m->open.at[i].number) >= 0;
  if (any) vec_push(m->a, to, build_assign(m->a, tree_ref(m->a, m->since), bits(m, 0)));
}

/* ---- meetings ---- */

static Tree *of_meeting(Meetings *m, Op op, Type type) {
  if (!m->met) {
    Tree *barrier = tree_new(m->a, OP_BARRIER, TYPE_VOID, (SourceRange){0}, 0);
    barrier->scope = SCOPE_BLOCK;
    return barrier;
  }
  return build_tree(m->a, op, type, (Tree *[]){tree_clone(m->a, m->met), tree_ref(m->a, m->due)}, 2);
}

void meetings_add(Meetings *m, TreeList *to, Tree *alone, Symbol *last) {
  Arena *a = m->a;
  if (alone) {
    vec_push(a, to, build_declare(a, last, of_meeting(m, OP_COMES_LAST, TYPE_BOOL)));
    vec_push(a, to, build_if(a, tree_ref(a, last), alone));
    Tree *kids[] = {tree_clone(a, m->met), tree_ref(a, last)};
    vec_push(a, to, build_tree(a, OP_GO_ON, TYPE_VOID, kids, 2));
  } else vec_push(a, to, of_meeting(m, OP_MEET, TYPE_VOID));
  begin_again(m, to);
  m->open.n = 0;
  m->any = false;
}

/* If one of these was done. */
static void meet_if(Meetings *m, TreeList *to, uint32_t which) {
  Arena *a = m->a;
  TreeList then = {0};
  vec_push(a, &then, of_meeting(m, OP_MEET, TYPE_VOID));
  begin_again(m, &then);
  Tree *set = tree_binary(a, OP_AND, TYPE_UINT, tree_ref(a, m->since), bits(m, which));
  vec_push(a, to, build_if(a, build_compare(a, OP_NE, set, bits(m, 0)), tree_seq(a, then.at, then.n)));
}

void meetings_before(Meetings *m, TreeList *to, const Tree *text) {
  const Touched own = touched_by(m, text);
  bool surely = m->any && (own.any || own.seen.n);
  uint32_t which = 0;
  VEC(Site) left = {0};
  for (int i = 0; i < m->open.n; i++) {
    Site s = m->open.at[i];
    const bool meets = conflict(&own, &s.touched);
    s.surely |= !m->met; /* a barrier costs less than a bit */
    if (meets && !s.surely && bit_of(m, s.number) < 0) vec_push(m->a, &m->asked, s.number);
    const int bit = bit_of(m, s.number);
    surely |= meets && (s.surely || bit >= MOST_BITS);
    if (meets && bit >= 0 && bit < MOST_BITS) which |= (uint32_t)1 << bit;
    s.surely = false; /* a meeting may be now */
    if (!meets) vec_push(m->a, &left, s);
  }
  if (surely) meetings_add(m, to, NULL, NULL);
  else if (which) {
    meet_if(m, to, which);
    vec_copy(m->a, &m->open, &left);
  }
}

void meetings_behind(Meetings *m, TreeList *to, const Tree *text) {
  Arena *a = m->a;
  const Site s = {m->sites++, touched_by(m, text), true};
  vec_push(a, &m->open, s);
  const int bit = bit_of(m, s.number);
  if (bit < 0 || bit >= MOST_BITS) return;
  Tree *set = build_assign(a, tree_ref(a, m->since), bits(m, (uint32_t)1 << bit));
  set->compound = OP_OR;
  vec_push(a, to, set);
}

Meetings meetings_copy(const Meetings *m) {
  Meetings copy = *m;
  vec_copy(m->a, &copy.open, &m->open);
  return copy;
}

static const Site *open_site(const Meetings *m, int number) {
  for (int i = 0; i < m->open.n; i++)
    if (m->open.at[i].number == number) return &m->open.at[i];
  return NULL;
}

void meetings_may_be(Meetings *m, const Meetings *around) {
  VEC(Site) all = {0};
  for (int i = 0; i < m->open.n; i++) {
    const Site *before = open_site(around, m->open.at[i].number);
    vec_push(m->a, &all, m->open.at[i]);
    all.at[i].surely &= before && before->surely;
  }
  for (int i = 0; i < around->open.n; i++) {
    if (open_site(m, around->open.at[i].number)) continue;
    vec_push(m->a, &all, around->open.at[i]);
    all.at[all.n - 1].surely = false;
  }
  vec_copy(m->a, &m->open, &all);
  m->any |= around->any;
}
