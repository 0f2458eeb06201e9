/* jam.c: results of an inner map that one lane keeps several of in registers (unroll and jam).
 *
 *     for k                              for k by `jam'
 *       sum = 0                            for s unrolled   sum[s] = 0
 *       for j                              for j
 *         sum += f(x[j], y(k, j))            x[j] is read
 *       rest(k, sum)                         for s unrolled   sum[s] += f(x[j], y(k + s or the last, j))
 *                                          for s unrolled   if k + s is one   rest(k + s, sum[s])
 *
 * What all parts share is read once for several of them, and their sums do not wait for one another. The last group may
 * have fewer parts: its other slots repeat the last one, and nothing comes of it. Where rows lie in shared memory
 * (shares.c), rows of zeros stand behind the last one, and elements are read 16 bytes at a time:
 *
 *       for j by width                     rows are an odd number of 16 bytes apart there, so that lanes that read
 *         near[width] = x[j ..]            one each meet in no bank
 *         for s unrolled
 *           far[width] = y(k + s, j ..)
 *           for e unrolled   sum[s] += f(near[e], far[e])
 *       for j .. of what is left
 *
 * One sum, without an outer loop, is read so, too. A lane that has every so many of the parts takes `jam' of these.
 *
 * Requires: a kernel's text as it is lowered, before its shared memory is counted; of a GPU. Keeps: each sum's own
 * order, and that of what is done with them. */
#include "lower/jam.h"

#include "ir/build.h"
#include "passes/fresh.h"

/* Who waits for copies to shared memory lets others work: each lane has few enough registers for so many. */
enum { RESIDENT_LANES = 1024 };
enum { JAMMED = 4 }; /* at a time, where a plan does not say */

/* Rows in shared memory, so far apart, each with such room; `apart' NULL: that is how far. Are they read 16 bytes at a
 * time? */
typedef struct Staged { Symbol *array, *pitch, *apart; bool wide; } Staged;

typedef struct Jam {
  Lowering *l;
  Arena *a;
  Fresh fresh;
  VEC(Staged) staged;
} Jam;

/* An element that is read: of all parts the same, or of a part its own; and the registers that hold it, with what
 * follows it. */
typedef struct Load { const Tree *element; bool common; Symbol *held; } Load;

/* One loop over elements, for each of an outer loop's parts. */
typedef struct Inner {
  Jam *jam;
  const Tree *outer, *loop;    /* `outer' NULL: there is one part */
  const Symbol *k, *j;
  const Tree *parts, *n;
  const Tree *step;            /* from a lane's part to its next one; NULL: 1 */
  int at;                      /* which of the outer loop's statements it is */
  VEC(const Symbol *) locals;  /* what each part has, and */
  VEC(Symbol *) arrays;        /* the registers that hold it, in parallel */
  Symbol *s, *last;            /* which of the parts that are taken together; the last part of all */
  VEC(Load) loads;
} Inner;

/* ---- what may be taken together ---- */

/* A value; of a user's operator, too: states are variables of a lane as numbers are. */
static bool computes(const Tree *t) {
  bool is = t->op <= OP_INDEX || op_function(t->op) || t->op == OP_THREAD || t->op == OP_LANE || t->op == OP_WARP;
  is |= t->op == OP_LIFT || t->op == OP_STATE || t->op == OP_FINISH || t->op == OP_FIELD;
  for (int i = 0; i < t->nkids; i++)
    if (!t->kid[i] || !computes(t->kid[i])) return false;
  return is;
}

/* Does it change nothing but a lane's own variables? */
static bool keeps_to_itself(const Tree *t) {
  switch (t->op) {
    case OP_COMMENT: return true;
    case OP_DECLARE: return t->symbol->kind == SYMBOL_LOCAL && !t->symbol->array && (!t->nkids || computes(t->kid[0]));
    case OP_ASSIGN: return t->kid[0]->op == OP_REF && computes(t->kid[1]);
    case OP_SEQ: case OP_IF: case OP_FOR:
      for (int i = 0; i < t->nkids; i++) {
        const Tree *kid = t->kid[i];
        if (kid && !(op_is_statement(kid->op) ? keeps_to_itself(kid) : computes(kid))) return false;
      }
      return true;
    default: return false;
  }
}

static bool has_local(const Inner *x, const Symbol *s) {
  for (int i = 0; i < x->locals.n; i++)
    if (x->locals.at[i] == s) return true;
  return false;
}

typedef struct Foreign { const Inner *inner; const Tree *in; bool found; } Foreign;

/* An assignment to a variable of all parts that is mentioned there. */
static bool find_foreign(void *context, const Tree *t) {
  Foreign *f = context;
  if (t->op != OP_ASSIGN) return true;
  const Symbol *s = t->kid[0]->symbol;
  if (!has_local(f->inner, s) && tree_mentions(f->in, s)) f->found = true;
  return true;
}

static bool changes(const Inner *x, const Tree *statement, const Tree *what) {
  Foreign f = {x, what, false};
  if (what) tree_visit(statement, find_foreign, &f);
  return f.found;
}

/* Does it accumulate in parts' variables alone, or in its own? */
static bool accumulates_in_parts(const Inner *x, const Tree *body, const Tree *t) {
  if (t->op == OP_ASSIGN) return has_local(x, t->kid[0]->symbol) || tree_declared(body, t->kid[0]->symbol);
  for (int i = 0; op_is_statement(t->op) && i < t->nkids; i++)
    if (t->kid[i] && !accumulates_in_parts(x, body, t->kid[i])) return false;
  return true;
}

static bool mentions_local(const Inner *x, const Tree *t) {
  for (int i = 0; i < x->locals.n; i++)
    if (tree_mentions(t, x->locals.at[i])) return true;
  return false;
}

static bool find_load(void *context, const Tree *t) {
  Inner *x = context;
  if (t->op != OP_INDEX || t->nkids != 2 || t->kid[0]->op != OP_REF || !tree_mentions(t->kid[1], x->j)) return true;
  for (int i = 0; i < x->loads.n; i++)
    if (tree_equal(x->loads.at[i].element, t)) return false;
  const bool own = (x->k && tree_mentions(t, x->k)) || mentions_local(x, t);
  vec_push(x->jam->a, &x->loads, ((Load){.element = t, .common = !own}));
  return false;
}

static bool find_declared(void *context, const Tree *t) {
  *(bool *)context |= t->op == OP_DECLARE;
  return true;
}

/* The loop over elements: what it reads; false: it is none that parts may share. */
static bool takes_elements(Inner *x, const Tree *t) {
  if (t->op != OP_FOR || !tree_counts(t, &x->j, &x->n) || !keeps_to_itself(t->kid[3])) return false;
  const Tree *body = t->kid[3];
  bool declares = false, common = false;
  tree_visit(body, find_declared, &declares);
  if (declares || tree_contains(body, OP_FOR) || tree_assigns(body, x->j) || !computes(x->n)) return false;
  if (tree_contains(x->n, OP_INDEX) || mentions_local(x, x->n) || (x->k && tree_mentions(x->n, x->k))) return false;
  if (x->outer && !accumulates_in_parts(x, body, body)) return false;
  x->loop = t;
  tree_visit(body, find_load, x);
  for (int i = 0; i < x->loads.n; i++) common |= x->loads.at[i].common;
  return common;
}

/* All parts, or every so many of them: for (k = first; k < parts; k += step). */
static bool goes_through_parts(Inner *x, const Tree *t) {
  if (t->op != OP_FOR) return false;
  if (tree_counts(t, &x->k, &x->parts)) return true;
  const Tree *first = t->kid[0], *below = t->kid[1], *step = t->kid[2];
  if (!first || first->op != OP_DECLARE || !first->nkids || !below || below->op != OP_LT || !step) return false;
  x->k = first->symbol;
  if (below->kid[0]->op != OP_REF || below->kid[0]->symbol != x->k || step->op != OP_ASSIGN) return false;
  if (step->compound != OP_ADD || step->kid[0]->op != OP_REF || step->kid[0]->symbol != x->k) return false;
  x->parts = below->kid[1];
  x->step = step->kid[1];
  return computes(x->parts) && computes(x->step) && !tree_contains(x->step, OP_INDEX) &&
         !tree_mentions(x->step, x->k) && !tree_mentions(x->parts, x->k);
}

/* An outer loop whose parts may be taken together. */
static bool takes_parts(Inner *x, const Tree *t) {
  if (!goes_through_parts(x, t) || !keeps_to_itself(t)) return false;
  const Tree *body = t->kid[3];
  if (tree_contains(x->parts, OP_INDEX) || tree_assigns(body, x->k) || body->op != OP_SEQ) return false;
  x->outer = t;
  while (x->at < body->nkids && body->kid[x->at]->op != OP_FOR) {
    const Tree *head = body->kid[x->at++];
    if (head->op == OP_COMMENT) continue;
    if (head->op != OP_DECLARE) return false;
    vec_push(x->jam->a, &x->locals, head->symbol);
  }
  if (x->at == body->nkids || !takes_elements(x, body->kid[x->at])) return false;
  for (int i = x->at + 1; i < body->nkids; i++)
    for (int k = 0; k <= x->at; k++)
      if (changes(x, body->kid[i], body->kid[k])) return false;
  for (int i = 0; i < body->nkids; i++)
    if (changes(x, body->kid[i], x->parts) || changes(x, body->kid[i], x->n) || changes(x, body->kid[i], x->step))
      return false;
  return true;
}

/* ---- the same of several parts ---- */

typedef struct Instead { const Inner *inner; Tree *slot, *part, *j; } Instead;

static Tree *instead(void *context, Arena *a, Tree *t) {
  const Instead *i = context;
  const Inner *x = i->inner;
  if (t->op != OP_REF) return t;
  if (t->symbol == x->k && i->part) return tree_clone(a, i->part);
  if (t->symbol == x->j && i->j) return tree_clone(a, i->j);
  for (int n = 0; n < x->arrays.n && i->slot; n++)
    if (t->symbol == x->locals.at[n]) return build_element(a, x->arrays.at[n], tree_clone(a, i->slot));
  return t;
}

/* The text as a part has it: of the slot at hand, at `j', NULL: as it was. */
static Tree *of_part(const Inner *x, const Tree *t, Tree *part, Tree *j) {
  Arena *a = x->jam->a;
  const Instead i = {x, x->s ? tree_ref(a, x->s) : NULL, part, j};
  return tree_rewrite(a, tree_clone(a, t), instead, (void *)&i);
}

static Tree *over_slots(const Inner *x, Tree *extent, Tree *const *statements, int n) {
  Arena *a = x->jam->a;
  if (!x->outer) return tree_seq(a, (Tree **)statements, n);
  Tree *body = tree_seq(a, (Tree **)statements, n);
  Tree *t = build_for(a, x->s, tree_int(a, TYPE_INT, 0), tree_clone(a, extent), tree_int(a, TYPE_INT, 1), body);
  t->unroll = UNROLL_ALL;
  return t;
}

/* The number of the slot's part, which may be none; */
static Tree *part_of(const Inner *x) {
  Arena *a = x->jam->a;
  if (!x->outer) return NULL;
  Tree *further = build_cast(a, x->k->type, tree_ref(a, x->s));
  if (x->step) further = build_mul(a, further, build_cast(a, x->k->type, tree_clone(a, x->step)));
  return build_add(a, tree_ref(a, (Symbol *)x->k), further);
}

typedef struct Beyond { const Inner *inner; bool found; } Beyond;

/* An element of a part that has none beyond the last part's. */
static bool find_beyond(void *context, const Tree *t) {
  Beyond *b = context;
  if (t->op != OP_INDEX || !tree_mentions(t, b->inner->k)) return true;
  b->found |= t->kid[0]->op != OP_REF || !t->kid[0]->symbol->padded || b->inner->step;
  return !b->found;
}

/* .. of that or, where it reads what is not there for others, of the last part. */
static Tree *part_for(const Inner *x, const Tree *reads) {
  Tree *part = part_of(x);
  Beyond b = {x, false};
  if (part) tree_visit(reads, find_beyond, &b);
  return b.found ? build_min(x->jam->a, part, tree_ref(x->jam->a, x->last)) : part;
}

typedef struct Held { const Inner *inner; Tree *element; } Held;

static Tree *held(void *context, Arena *a, Tree *t) {
  const Held *h = context;
  for (int i = 0; t->op == OP_INDEX && i < h->inner->loads.n; i++) {
    const Load *load = &h->inner->loads.at[i];
    if (!load->held || !tree_equal(t, load->element)) continue;
    return h->element ? build_element(a, load->held, tree_clone(a, h->element)) : tree_ref(a, load->held);
  }
  return t;
}

/* The loop's body, by what registers hold; `element': which of a run. */
static Tree *by_registers(const Inner *x, Tree *element, Tree *j) {
  Held h = {x, element};
  Tree *body = tree_rewrite(x->jam->a, tree_clone(x->jam->a, x->loop->kid[3]), held, &h);
  return of_part(x, body, part_for(x, x->loop->kid[3]), j);
}

static void add_all(Arena *a, Statements *to, const Tree *seq) {
  for (int i = 0; i < seq->nkids; i++) vec_push(a, to, seq->kid[i]);
}

static Tree *statements(Arena *a, const Statements *s) { return tree_seq(a, s->at, s->n); }

static void add_over_slots(const Inner *x, Tree *extent, Statements *each, Statements *to) {
  Tree *t = over_slots(x, extent, each->at, each->n);
  if (x->outer) vec_push(x->jam->a, to, t);
  else add_all(x->jam->a, to, t);
}

/* Element by element. */
static Tree *by_elements(Inner *x, Tree *extent, Tree *j) {
  Arena *a = x->jam->a;
  Statements body = {0}, each = {0};
  for (int i = 0; i < x->loads.n; i++) {
    Load *load = &x->loads.at[i];
    load->held = NULL;
    if (!load->common || !x->outer) continue;
    load->held = symbol_new(a, SYMBOL_LOCAL, fresh_name(&x->jam->fresh, "same"), load->element->type);
    load->held->constant = true;
    vec_push(a, &body, build_declare(a, load->held, of_part(x, load->element, NULL, j)));
  }
  add_all(a, &each, by_registers(x, NULL, j));
  add_over_slots(x, extent, &each, &body);
  Tree *kids[] = {x->loop->kid[0], x->loop->kid[1], x->loop->kid[2], statements(a, &body)};
  return tree_with_kids(a, x->loop, kids, 4);
}

/* ---- 16 bytes at a time ---- */

/* Is the position `rows + j', of rows that are `row' elements apart? */
static bool goes_along(const Tree *position, const Symbol *row, const Symbol *j, int *along) {
  const Tree *t = tree_uncast(position);
  if (t->op == OP_ADD) return goes_along(t->kid[0], row, j, along) && goes_along(t->kid[1], row, j, along);
  if (tree_is_symbol(t, j)) return ++*along == 1;
  return t->op == OP_MUL && (tree_is_symbol(t->kid[0], row) || tree_is_symbol(t->kid[1], row)) && !tree_mentions(t, j);
}

static Staged *staged_of(Jam *m, const Tree *element) {
  for (int i = 0; i < m->staged.n; i++)
    if (m->staged.at[i].array == element->kid[0]->symbol) return &m->staged.at[i];
  return NULL;
}

/* The rows that an element is read from 16 bytes at a time; NULL: it is not. */
static Staged *wide_of(const Inner *x, const Load *load) {
  Staged *s = staged_of(x->jam, load->element);
  int along = 0;
  return s && goes_along(load->element->kid[1], s->apart ? s->apart : s->pitch, x->j, &along) && along == 1 ? s : NULL;
}

static Type type_of_wide(const Inner *x) {
  for (int i = 0; i < x->loads.n; i++)
    if (wide_of(x, &x->loads.at[i])) return x->loads.at[i].element->type;
  return TYPE_VOID;
}

/* Loads of those elements that registers hold, with what follows them. */
static void load_runs(Inner *x, Tree *width, Tree *j, bool common, Statements *to) {
  Arena *a = x->jam->a;
  for (int i = 0; i < x->loads.n; i++) {
    Load *load = &x->loads.at[i];
    if (!load->held || load->common != common) continue;
    Tree *from = of_part(x, load->element, part_for(x, load->element), j);
    Tree *first = build_element(a, load->held, tree_int(a, TYPE_INT, 0));
    load->held->length = tree_clone(a, width);
    vec_push(a, to, build_declare(a, load->held, NULL));
    Tree *move = tree_binary(a, OP_LOAD_WIDE, TYPE_VOID, first, from);
    move->move = WIDE_ALIGNED;
    vec_push(a, to, move);
  }
}

/* Whole runs of 16 bytes. */
static Tree *by_runs(Inner *x, Tree *extent, Type type, Symbol *at, Symbol *n) {
  Jam *m = x->jam;
  Arena *a = m->a;
  Tree *width = build_width(a, type), *j = tree_ref(a, at);
  for (int i = 0; i < x->loads.n; i++) {
    Load *load = &x->loads.at[i];
    Staged *s = wide_of(x, load);
    load->held = NULL;
    if (!s || load->element->type != type) continue;
    s->wide = true;
    load->held = symbol_new(a, SYMBOL_LOCAL, fresh_name(&m->fresh, load->common ? "near" : "far"), type);
    load->held->array = load->held->writable = true;
  }
  Symbol *e = symbol_new(a, SYMBOL_LOCAL, fresh_name(&m->fresh, "e"), TYPE_INT);
  Tree *next = build_add(a, tree_clone(a, j), tree_ref(a, e));
  Tree *body = by_registers(x, tree_ref(a, e), next);
  Tree *elements = build_for(a, e, tree_int(a, TYPE_INT, 0), tree_clone(a, width), tree_int(a, TYPE_INT, 1), body);
  elements->unroll = UNROLL_ALL;
  Statements run = {0}, each = {0};
  load_runs(x, width, j, true, &run);
  load_runs(x, width, j, false, &each);
  vec_push(a, &each, elements);
  add_over_slots(x, extent, &each, &run);
  Tree *more = build_compare(a, OP_LE, build_add(a, tree_clone(a, j), tree_clone(a, width)), tree_ref(a, n));
  return build_onward(a, j, more, tree_clone(a, width), statements(a, &run), UNROLL_FREE);
}

/* May elements of these types be read 16 bytes at a time? */
bool jam_has_widths(const Lowering *l) {
  const Spectrum *s = l->plan->spectrum;
  const int all[] = {s->widest, s->narrowest, s->broadest};
  for (int i = 0; i < 3; i++)
    if (all[i] <= 0 || all[i] > 16 || (all[i] & (all[i] - 1))) return i > 0 && all[i] == 0;
  return !s->unaligned && !s->monoid;
}

static void add_elements(Inner *x, Tree *extent, Statements *to) {
  Arena *a = x->jam->a;
  const Type type = type_of_wide(x);
  if (type == TYPE_VOID || !jam_has_widths(x->jam->l)) {
    vec_push(a, to, by_elements(x, extent, NULL));
    return;
  }
  /* no row there is longer than an int says */
  Symbol *j = symbol_new(a, SYMBOL_LOCAL, x->j->name, TYPE_INT);
  Symbol *n = symbol_new(a, SYMBOL_LOCAL, fresh_name(&x->jam->fresh, "length"), TYPE_INT);
  n->constant = true;
  vec_push(a, to, build_declare(a, n, build_cast(a, TYPE_INT, tree_clone(a, x->n))));
  vec_push(a, to, build_declare(a, j, tree_int(a, TYPE_INT, 0)));
  vec_push(a, to, by_runs(x, extent, type, j, n));
  Tree *step = tree_with_kids(a, x->loop->kid[2], (Tree *[]){tree_ref(a, j), tree_int(a, TYPE_INT, 1)}, 2);
  Tree *each = by_elements(x, extent, tree_ref(a, j));
  Tree *kids[] = {NULL, build_compare(a, OP_LT, tree_ref(a, j), tree_ref(a, n)), step, each->kid[3]};
  vec_push(a, to, tree_with_kids(a, each, kids, 4));
}

/* ---- the loops ---- */

static Symbol *array_of(const Inner *x, const char *name, Type type, const Tree *extent) {
  Symbol *s = symbol_new(x->jam->a, SYMBOL_LOCAL, name, type);
  s->array = s->writable = true;
  s->length = tree_clone(x->jam->a, extent);
  return s;
}

static Tree *take(Jam *m, Tree *t);

/* An outer loop's parts, `extent' at a time: a group of them. */
static Tree *group_of(Inner *x, Tree *extent) {
  Arena *a = x->jam->a;
  const Tree *body = x->outer->kid[3];
  Statements all = {0}, begin = {0}, rest = {0};
  for (int i = 0; i < x->locals.n; i++) {
    Symbol *array = array_of(x, x->locals.at[i]->name, x->locals.at[i]->type, extent);
    vec_push(a, &x->arrays, array);
    vec_push(a, &all, build_declare(a, array, NULL));
  }
  for (int i = 0, n = 0; i < x->at; i++) {
    const Tree *t = body->kid[i];
    if (t->op != OP_DECLARE) continue;
    Tree *array = build_element(a, x->arrays.at[n++], tree_ref(a, x->s));
    if (t->nkids) vec_push(a, &begin, build_assign(a, array, of_part(x, t->kid[0], part_for(x, t->kid[0]), NULL)));
  }
  if (begin.n) vec_push(a, &all, over_slots(x, extent, begin.at, begin.n));
  add_elements(x, extent, &all);
  Tree *behind = of_part(x, tree_seq(a, body->kid + x->at + 1, body->nkids - x->at - 1), part_of(x), NULL);
  Tree *is_one = build_compare(a, OP_LT, part_of(x), tree_clone(a, x->parts));
  if (behind->nkids) vec_push(a, &rest, build_if(a, is_one, behind));
  if (rest.n) vec_push(a, &all, over_slots(x, extent, rest.at, rest.n));
  return statements(a, &all);
}

/* All groups: slots of the last one that have no part repeat the last part. */
static void jammed(Inner *x, Tree *extent, Statements *to) {
  Arena *a = x->jam->a;
  const Type type = x->k->type;
  Tree *k = tree_ref(a, (Symbol *)x->k);
  x->s = symbol_new(a, SYMBOL_LOCAL, fresh_name(&x->jam->fresh, "s"), TYPE_INT);
  x->last = symbol_new(a, SYMBOL_LOCAL, fresh_name(&x->jam->fresh, "last"), type);
  x->last->constant = true;
  x->outer->kid[0]->symbol->constant = false;
  Tree *one = tree_int(a, type, 1), *parts = build_cast(a, type, tree_clone(a, x->parts));
  vec_push(a, to, build_declare(a, x->last, build_sub(a, parts, one)));
  Tree *group = build_cast(a, type, tree_clone(a, extent));
  if (x->step) group = build_mul(a, group, build_cast(a, type, tree_clone(a, x->step)));
  Tree *next = build_onward(a, k, x->outer->kid[1], group, group_of(x, extent), UNROLL_FREE);
  next->kid[0] = x->outer->kid[0];
  vec_push(a, to, next);
}

static bool is_wide(const Inner *x) { return jam_has_widths(x->jam->l) && type_of_wide(x) != TYPE_VOID; }

static void add(Jam *m, Statements *to, Tree *t) {
  Inner parts = {.jam = m}, alone = {.jam = m};
  if (takes_parts(&parts, t)) {
    Tree *many = lowering_tunable(m->l, plan_jam_name);
    Statements all = {0};
    jammed(&parts, build_is(many, 1) ? tree_int(m->a, TYPE_INT, JAMMED) : many, &all);
    vec_push(m->a, to, tree_seq(m->a, all.at, all.n));
  } else if (takes_elements(&alone, t) && is_wide(&alone)) {
    Statements all = {0};
    add_elements(&alone, NULL, &all);
    vec_push(m->a, to, tree_seq(m->a, all.at, all.n));
  } else vec_push(m->a, to, take(m, t));
}

static Tree *take(Jam *m, Tree *t) {
  if (!op_is_statement(t->op) || !tree_contains(t, OP_FOR)) return t;
  if (t->op == OP_SEQ) {
    Statements all = {0};
    for (int i = 0; i < t->nkids; i++) add(m, &all, t->kid[i]);
    return tree_seq(m->a, all.at, all.n);
  }
  Tree **kids = arena_many(m->a, Tree *, t->nkids);
  for (int i = 0; i < t->nkids; i++) kids[i] = t->kid[i] && t->kid[i]->op == OP_SEQ ? take(m, t->kid[i]) : t->kid[i];
  return tree_with_kids(m->a, t, kids, t->nkids);
}

static bool find_staged(void *context, const Tree *t) {
  Jam *m = context;
  if (t->op != OP_COPY_ROWS) return true;
  Staged s = {.array = t->kid[0]->kid[0]->symbol, .pitch = tree_uncast(t->kid[8])->symbol,
              .apart = tree_uncast(t->kid[7])->symbol};
  if (s.apart == s.pitch) s.apart = NULL;
  if (!staged_of(m, t->kid[0])) vec_push(m->a, &m->staged, s);
  return false;
}

/* Who wrote the text may read them so, too. */
static bool find_wide(void *context, const Tree *t) {
  Jam *m = context;
  Staged *s = t->op == OP_LOAD_WIDE && t->kid[1]->op == OP_INDEX ? staged_of(m, t->kid[1]) : NULL;
  if (s) s->wide = true;
  return true;
}

/* From a row to the next there are at least as many elements as one may have; of rows that are read 16 bytes at a time
 * an odd number of 16 bytes. */
static Tree *elements_apart(const Jam *m, const Symbol *pitch) {
  Arena *a = m->a;
  Tree *row = lowering_tunable(m->l, plan_row_name), *one = tree_int(a, TYPE_INT, 1);
  const Staged *wide = NULL;
  for (int i = 0; i < m->staged.n; i++)
    if (m->staged.at[i].pitch == pitch && m->staged.at[i].wide) wide = &m->staged.at[i];
  if (!wide) return row;
  Tree *width = build_width(a, wide->array->type), *pair = build_mul(a, width, tree_int(a, TYPE_INT, 2));
  Tree *whole = build_div(a, build_sub(a, build_add(a, row, width), one), pair);
  return build_add(a, build_mul(a, whole, tree_clone(a, pair)), tree_clone(a, width));
}

/* Pitches, by name, each once. */
static void declare_pitches(const Jam *m, Statements *to) {
  for (int i = 0; i < m->staged.n; i++) {
    Symbol *pitch = m->staged.at[i].pitch;
    bool known = false;
    for (int k = 0; k < i; k++) known |= m->staged.at[k].pitch == pitch;
    if (!known) vec_push(m->a, to, build_declare(m->a, pitch, elements_apart(m, pitch)));
    pitch->kind = SYMBOL_LOCAL; /* its value is known now */
    m->staged.at[i].array->aligned |= m->staged.at[i].wide;
  }
}

/* Rows that are as far apart as in memory begin at a multiple of that. */
static Tree *load_apart(void *context, Arena *a, Tree *t) {
  const Staged *s = t->op == OP_LOAD_WIDE && t->kid[1]->op == OP_INDEX ? staged_of(context, t->kid[1]) : NULL;
  if (!s || !s->apart) return t;
  Tree *made = build_tree(a, OP_LOAD_WIDE, TYPE_VOID, (Tree *[]){t->kid[0], t->kid[1], tree_ref(a, s->apart)}, 3);
  made->move = WIDE_APART;
  return made;
}

void jam_kernel(Lowering *l, Kernel *k) {
  Jam m = {.l = l, .a = l->a, .fresh = fresh_begin(l->a, k, k->body)};
  tree_visit(k->body, find_staged, &m);
  if (m.staged.n) tree_visit(k->body, find_wide, &m);
  k->body = take(&m, k->body);
  if (!m.staged.n) return;
  k->body = tree_rewrite_statements(l->a, k->body, load_apart, &m);
  if (!k->resident_lanes) k->resident_lanes = RESIDENT_LANES;
  Statements all = {0};
  declare_pitches(&m, &all);
  add_all(l->a, &all, k->body);
  k->body = statements(l->a, &all);
}
