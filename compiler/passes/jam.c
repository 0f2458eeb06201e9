/* jam.c: turns of a CPU's loop over parts, side by side (unroll and jam).
 *
 *     for (turn = first; turn < last; ++turn) {       for (; turn + 4 <= last; turn += 4) {
 *       T accum[8];                                     T accum[4 * 8];
 *       for each lane: accum[lane] = 0;                 for (row = 0; row < 4; ++row)
 *                                                         for each lane: accum[row * 8 + lane] = 0;
 *       for (i = 0; i + 8 <= columns; i += 8)    ->     for (i = 0; i + 8 <= columns; i += 8)
 *         for each lane:                                  for (row = 0; row < 4; ++row)
 *           accum[lane] += A[turn * leading                 for each lane:
 *             + i + lane] * x[i + lane];                      accum[row * 8 + lane] += A[(turn + row) * leading
 *       ..                                                      + i + lane] * x[i + lane];
 *     }                                                 .. } for (; turn < last; ++turn) ..
 *
 * Requires: kernel form behind the simd pass; turns that neither read nor write what another one writes, as those of a
 * map over parts are. Keeps: what each turn computes, to the last bit. Breaks: that turns come in order.
 * What turns have in common is read once for all of them, and as many runs of memory are read side by side. Loops that
 * read memory, and that all turns run alike, are jammed: their turns are taken together. All else is run for one row
 * after another; a variable that is used in several of these places has an element, or as many as it had, for each. */
#include "passes/jam.h"

#include "ir/build.h"
#include "passes/fresh.h"

/* A variable of the loop's body that differs from turn to turn. */
typedef struct Own {
  const Symbol *from;
  Symbol *to;     /* what has an element for each turn; NULL: one place alone uses it */
  int place;      /* the last one that used it; -1: none yet */
  bool declared;  /* in the body */
} Own;

typedef struct Jam {
  Arena *a;
  const Tree *loop;
  const Symbol *turn;
  Symbol *row;
  VEC(Own) own;
  int place;    /* which one we are in: a place is run for one turn after another, or is a loop's head */
  int inside;   /* of so many loops and branches that are jammed */
  bool crossed; /* is one of them used where it has no element for each: whole, or from outside, in a jammed loop? */
  bool counts;  /* are places looked at, before anything is written? */
} Jam;

typedef VEC(Tree *) Statements;

/* ---- what differs from turn to turn ---- */

static Own *own_of(const Jam *j, const Symbol *s) {
  for (int i = 0; i < j->own.n; i++)
    if (j->own.at[i].from == s) return &j->own.at[i];
  return NULL;
}

typedef struct Look { const Jam *jam; bool found; } Look;

static bool find_own(void *context, const Tree *t) {
  Look *look = context;
  if (t->op == OP_REF || t->op == OP_DECLARE)
    look->found |= t->symbol == look->jam->turn || own_of(look->jam, t->symbol) != NULL;
  return !look->found;
}

static bool differs(const Jam *j, const Tree *t) {
  Look look = {j, false};
  if (t) tree_visit(t, find_own, &look);
  return look.found;
}

static const Symbol *written(const Tree *t) {
  if (t->op == OP_DECLARE) return t->symbol;
  if (t->op != OP_ASSIGN && t->op != OP_EXCHANGE && t->op != OP_LOAD_ROWS && t->op != OP_ATOMIC) return NULL;
  const Tree *place = t->kid[0]->op == OP_INDEX ? t->kid[0]->kid[0] : t->kid[0];
  return place->op == OP_REF ? place->symbol : NULL;
}

typedef struct Growing { Jam *jam; bool guarded, more; } Growing;

static bool grow(void *context, const Tree *t) {
  Growing *g = context;
  Jam *j = g->jam;
  const Symbol *s = written(t);
  /* all turns alike begin and add to a shared one; but one turn after another */
  bool own = s && (g->guarded || s->kind == SYMBOL_SHARED || differs(j, t)) && s->kind != SYMBOL_PARAM && !own_of(j, s);
  if (own) {
    vec_push(j->a, &j->own, ((Own){.from = s, .place = -1}));
    g->more = true;
  }
  const bool control = t->op == OP_IF || t->op == OP_WHILE || t->op == OP_FOR;
  if (g->guarded || !control) return true;
  g->guarded = t->op == OP_FOR ? differs(j, t->kid[1]) || differs(j, t->kid[2]) : differs(j, t->kid[0]);
  for (int i = 0; g->guarded && i < t->nkids; i++)
    if (t->kid[i]) tree_visit(t->kid[i], grow, g);
  g->guarded = false;
  return true;
}

/* All that differs, directly or by way of others. */
static void find_all(Jam *j, const Tree *body) {
  Growing g = {j, false, true};
  while (g.more) {
    g.more = false;
    tree_visit(body, grow, &g);
  }
}

static bool find_memory(void *context, const Tree *t) {
  bool *found = context;
  *found |= t->op == OP_INDEX && t->kid[0]->op == OP_REF && t->kid[0]->symbol->kind == SYMBOL_PARAM;
  return !*found;
}

static bool find_effect(void *context, const Tree *t) {
  bool *found = context;
  const Symbol *s = written(t);
  *found |= t->op == OP_ATOMIC || (s && s->kind != SYMBOL_LOCAL);
  return !*found;
}

/* What all turns do alike, in variables that are theirs: once is enough. */
static bool is_common(const Jam *j, const Tree *t) {
  bool effect = t->op == OP_COMMENT || differs(j, t);
  tree_visit(t, find_effect, &effect);
  return !effect;
}

/* A loop or a branch that all turns run alike, and that reads memory. */
static bool is_jammed(const Jam *j, const Tree *t) {
  if (t->op != OP_FOR && t->op != OP_IF) return false;
  if (tree_contains(t, OP_BREAK) || tree_contains(t, OP_CONTINUE)) return false;
  for (int i = 0; i < (t->op == OP_FOR ? 3 : 1); i++)
    if (differs(j, t->kid[i])) return false;
  bool memory = false;
  tree_visit(t, find_memory, &memory);
  return memory;
}

/* ---- places ---- */

static bool note_use(void *context, const Tree *t) {
  Jam *j = context;
  Own *own = t->op == OP_REF || t->op == OP_DECLARE ? own_of(j, t->symbol) : NULL;
  if (!own) return true;
  if (t->op == OP_DECLARE) own->declared = true;
  j->crossed |= !own->declared && j->inside > 0; /* it may be carried from one of its turns to the next */
  if (own->place >= 0 && own->place != j->place && !own->to) {
    own->to = arena_one(j->a, Symbol);
    *own->to = *own->from;
    own->to->array = own->to->writable = true;
    own->to->constant = false;
    Tree *parts = tree_int(j->a, TYPE_INT, JAMMED_PARTS);
    own->to->length = own->from->array ? tree_binary(j->a, OP_MUL, TYPE_INT, parts, own->from->length) : parts;
  }
  own->place = j->place;
  return true;
}

/* Whole arrays are not told apart: an exchange has no elements. */
static bool find_crossed(void *context, const Tree *t) {
  Jam *j = context;
  if (t->op == OP_INDEX && t->kid[0]->op == OP_REF) {
    tree_visit(t->kid[1], find_crossed, j);
    return false;
  }
  const Own *own = t->op == OP_REF ? own_of(j, t->symbol) : NULL;
  j->crossed |= own && own->to && own->from->array;
  return true;
}

/* ---- what comes out ---- */

static Tree *row_of(const Jam *j) { return tree_ref(j->a, j->row); }

static Tree *element_of(const Jam *j, const Own *own, Tree *index, const Tree *was) {
  Tree *t = tree_new(j->a, OP_INDEX, was->type, was->where, 2);
  t->kid[0] = tree_ref(j->a, own->to);
  t->kid[1] = index ? build_add(j->a, tree_binary(j->a, OP_MUL, TYPE_INT, row_of(j), own->from->length), index) : row_of(j);
  return t;
}

/* The same of turn + row. */
static Tree *of_row(const Jam *j, Tree *t) {
  if (!t) return NULL;
  if (t->op == OP_REF && t->symbol == j->turn) return build_add(j->a, t, row_of(j));
  const bool element = t->op == OP_INDEX && t->kid[0]->op == OP_REF;
  const Own *own = element ? own_of(j, t->kid[0]->symbol) : t->op == OP_REF ? own_of(j, t->symbol) : NULL;
  if (own && own->to) return element_of(j, own, element ? of_row(j, t->kid[1]) : NULL, t);
  Tree *copy = tree_with_kids(j->a, t, t->kid, t->nkids);
  for (int i = 0; i < t->nkids; i++) copy->kid[i] = of_row(j, t->kid[i]);
  return copy;
}

/* A place's statements, for one turn after another; comments at its end are of what comes next. */
static void end_place(Jam *j, Statements *place, Statements *to) {
  int n = place->n;
  while (n > 0 && place->at[n - 1]->op == OP_COMMENT) n--;
  for (int i = 0; i < n && j->counts; i++) tree_visit(place->at[i], note_use, j);
  Statements body = {0};
  for (int i = 0; i < n && !j->counts; i++) vec_push(j->a, &body, of_row(j, place->at[i]));
  if (body.n)
    vec_push(j->a, to, build_for(j->a, j->row, tree_int(j->a, TYPE_INT, 0), tree_int(j->a, TYPE_INT, JAMMED_PARTS),
                                 tree_int(j->a, TYPE_INT, 1), tree_seq(j->a, body.at, body.n)));
  for (int i = n; i < place->n; i++) vec_push(j->a, to, place->at[i]);
  *place = (Statements){0};
  j->place++;
}

static Tree *jammed(Jam *j, Tree *body);

static Tree *jammed_inside(Jam *j, Tree *t) {
  Tree *copy = tree_with_kids(j->a, t, t->kid, t->nkids);
  j->inside++;
  for (int i = t->op == OP_FOR ? 3 : 1; i < t->nkids; i++)
    if (t->kid[i]) copy->kid[i] = jammed(j, t->kid[i]);
  j->inside--;
  return copy;
}

/* T accum[8] of several places: one that has room for each turn, before them; what it begins with is assigned. */
static void declaration(Jam *j, const Own *own, Tree *t, Statements *place, Statements *to) {
  vec_push(j->a, to, build_declare(j->a, own->to, NULL));
  if (t->nkids) vec_push(j->a, place, build_assign(j->a, tree_ref(j->a, t->symbol), t->kid[0]));
}

static Tree *jammed(Jam *j, Tree *body) {
  Statements all = {0}, place = {0};
  Tree *seq = body->op == OP_SEQ ? body : tree_seq(j->a, &body, 1);
  for (int i = 0; i < seq->nkids; i++) {
    Tree *t = seq->kid[i];
    const Own *own = t->op == OP_DECLARE ? own_of(j, t->symbol) : NULL;
    if (own && own->to && !j->counts) declaration(j, own, t, &place, &all);
    else if (is_jammed(j, t)) {
      end_place(j, &place, &all);
      vec_push(j->a, &all, jammed_inside(j, t));
    } else if (is_common(j, t)) {
      end_place(j, &place, &all);
      vec_push(j->a, &all, t);
    } else vec_push(j->a, &place, t);
  }
  end_place(j, &place, &all);
  return tree_seq(j->a, all.at, all.n);
}

/* Does it leave the loop that it stands in, or one of its turns? */
static bool find_leaving(void *context, const Tree *t) {
  bool *leaves = context;
  *leaves |= t->op == OP_BREAK || t->op == OP_CONTINUE || t->op == OP_RETURN;
  return t->op != OP_FOR && t->op != OP_WHILE && !*leaves;
}

/* May the turns be told apart? */
static bool can_jam(Jam *j) {
  const Tree *body = j->loop->kid[3];
  find_all(j, body);
  j->counts = true;
  jammed(j, (Tree *)body);
  j->counts = false;
  tree_visit(body, find_crossed, j);
  bool outside = false, leaves = false;
  tree_visit(body, find_leaving, &leaves);
  for (int i = 0; i < j->own.n; i++) outside |= j->own.at[i].to && !j->own.at[i].declared;
  return !j->crossed && !outside && !leaves;
}

/* The loop in two: so many turns at once, and those that are left. */
static void jam_loop(const Kernel *k, Arena *a, Tree *t, Statements *to, Diagnostics *d) {
  Tree *declare = t->kid[0], *at = t->kid[2]->kid[0], *many = build_index(a, JAMMED_PARTS);
  Fresh fresh = fresh_begin(a, k, k->body);
  Jam j = {.a = a, .loop = t, .turn = declare->symbol};
  j.row = symbol_new(a, SYMBOL_LOCAL, fresh_name(&fresh, "row"), TYPE_INT);
  if (!can_jam(&j)) {
    diagnostics_remark(d, REMARK_MISSED, "jam", t->where, "parts go one by one: they share what has no element for each");
    vec_push(a, to, t);
    return;
  }
  Tree *rest = tree_with_kids(a, t, t->kid, t->nkids);
  rest->kid[0] = NULL;
  rest->unroll = UNROLL_FREE;
  vec_push(a, to, declare);
  vec_push(a, to, build_onward(a, at, build_compare(a, OP_LE, build_add(a, at, many), t->kid[1]->kid[1]), many,
                               jammed(&j, t->kid[3]), UNROLL_FREE));
  vec_push(a, to, rest);
}

static Tree *in_statements(const Kernel *k, Arena *a, Tree *t, Diagnostics *d) {
  if (!t || (t->op != OP_SEQ && t->op != OP_IF)) return t;
  Statements all = {0};
  if (t->op == OP_IF) {
    Tree *copy = tree_with_kids(a, t, t->kid, t->nkids);
    for (int i = 1; i < t->nkids; i++) copy->kid[i] = in_statements(k, a, t->kid[i], d);
    return copy;
  }
  for (int i = 0; i < t->nkids; i++) {
    Tree *kid = t->kid[i];
    if (kid->op == OP_FOR && kid->unroll == UNROLL_JAM) jam_loop(k, a, kid, &all, d);
    else vec_push(a, &all, in_statements(k, a, kid, d));
  }
  return tree_seq(a, all.at, all.n);
}

Tree *pass_jam(Arena *a, const Kernel *k, Tree *body, Diagnostics *d) { return in_statements(k, a, body, d); }
