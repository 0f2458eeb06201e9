/* across.c: rows that lanes contribute, added up by columns in registers.
 *
 *     for turn                                 slice, column = this lane's, of the block's rows and columns
 *       copy rows to shared memory             for turn
 *       if this lane has a row                   copy rows to shared memory
 *         ..                                     keys[lane] = -1
 *         for j                                  if this lane has a row
 *           add rows[lane][j] to                   ..
 *             sums[key][j]                         keys[lane] = key
 *                                                for t of the slice
 *                                                  for s unrolled   if keys[t] is s   sum[s] += rows[t][column]
 *                                                  if keys[t] is none of these   add rows[t][column] to sums[keys[t]]
 *                                              for s unrolled   add sum[s] to sums[s][column]
 *
 * Lanes that add their own rows meet in the few elements of `sums', by atomics. So a lane adds up one column of the rows
 * whose lanes have gone before: its sums, of as many keys as there are registers for, stay there until the end. What a
 * row's lane knows of it beside the key is given in shared memory, too.
 *
 * Requires: a kernel's text as it is lowered, before its shared memory is counted and barriers are found; of a GPU, whose
 * blocks copy rows together (shares.c). Keeps what is added, to which element. Breaks the order of contributions, which
 * atomics have none of. */
#include "lower/across.h"

#include <string.h>

#include "ir/build.h"
#include "passes/fresh.h"

/* What a row's lane knows, by lane. */
typedef struct Given { const Symbol *of; Symbol *array; } Given;

/* Shared memory that loops have one after another, by what they want it for. */
typedef struct Lent { const char *wanted; Symbol *array; } Lent;

typedef struct Across {
  Lowering *l;
  Arena *a;
  Fresh fresh;
  const Tree *loop, *copy;       /* over turns, and how its rows are copied */
  const Tree *adds, *atomic;     /* the loop over a row's elements, and what it does */
  const Symbol *j, *key;         /* key NULL: all rows are added to the same elements */
  const Tree *columns;
  VEC(Given) given;
  Symbol *keys, *sum, *slice, *slices, *column;
  Tree *many;                    /* keys that have registers */
  VEC(Lent) lent;                /* what the kernel begins with */
} Across;

/* ---- what may be added by columns ---- */

static const Tree *bare(const Tree *t) {
  while (t->op == OP_CAST) t = t->kid[0];
  return t;
}

static const Symbol *rows_of(const Across *x) { return x->copy->kid[0]->kid[0]->symbol; }

/* Is it the lane's own row, and element j of it? */
static bool is_own(const Across *x, const Tree *t) {
  if (t->op != OP_INDEX || t->kid[0]->op != OP_REF || t->kid[0]->symbol != rows_of(x)) return false;
  const Tree *at = bare(t->kid[1]);
  if (at->op != OP_ADD) return false;
  const Tree *row = bare(at->kid[0]), *j = bare(at->kid[1]);
  return row->op == OP_MUL && bare(row->kid[0])->op == OP_THREAD && tree_equal(bare(row->kid[1]), bare(x->copy->kid[7])) &&
         j->op == OP_REF && j->symbol == x->j;
}

typedef struct Declares { const Symbol *symbol; bool found; } Declares;

static bool find_declared(void *context, const Tree *t) {
  Declares *d = context;
  d->found |= t->op == OP_DECLARE && t->symbol == d->symbol;
  return !d->found;
}

/* Does the loop's body change it, or declare it? */
static bool is_of_turn(const Across *x, const Symbol *s) {
  const Tree *body = x->loop->kid[3];
  Declares d = {s, false};
  tree_visit(body, find_declared, &d);
  return s->kind == SYMBOL_LOCAL && !s->array && !s->pointer && (d.found || tree_assigns(body, s));
}

static void give(Across *x, const Symbol *s) {
  for (int i = 0; i < x->given.n; i++)
    if (x->given.at[i].of == s) return;
  vec_push(x->a, &x->given, ((Given){.of = s}));
}

/* A value that another lane can make of what is given: this row's elements, and numbers. */
static bool is_value(Across *x, const Tree *t) {
  if (is_own(x, t)) return true;
  if (t->op == OP_REF) {
    if (t->symbol == x->j || t->symbol->array || t->symbol->kind == SYMBOL_SHARED) return false;
    if (is_of_turn(x, t->symbol)) give(x, t->symbol);
    return true;
  }
  if (t->op >= OP_INDEX && !op_function(t->op)) return false;
  for (int i = 0; i < t->nkids; i++)
    if (!is_value(x, t->kid[i])) return false;
  return true;
}

/* Where it is added to: an element that follows from one number of the row's lane, and from j. */
static bool is_place(Across *x, const Tree *t) {
  if (t->op == OP_REF) {
    if (t->symbol == x->j || t->symbol == x->key || !is_of_turn(x, t->symbol)) return t->symbol != x->loop->kid[0]->symbol;
    if (x->key || !type_is_whole(t->symbol->type)) return false;
    x->key = t->symbol;
    return true;
  }
  if (t->op > OP_INDEX && t->op != OP_THREAD && t->op != OP_LANE && t->op != OP_WARP) return false;
  if (t->op == OP_INDEX && t->kid[0]->op != OP_REF) return false;
  for (int i = 0; i < t->nkids; i++)
    if (!is_place(x, t->kid[i])) return false;
  return true;
}

static bool is_number(Type t) { return t == TYPE_ELEM || t == TYPE_FLOAT || t == TYPE_DOUBLE || type_is_whole(t); }

static bool adds_row(Across *x, const Tree *t) {
  if (!tree_counts(t, &x->j, &x->columns)) return false;
  const Tree *does = t->kid[3];
  if (does->op == OP_SEQ && does->nkids == 1) does = does->kid[0];
  if (does->op != OP_ATOMIC || does->atomic != ATOMIC_ADD || does->nkids != 2) return false;
  const Tree *place = does->kid[0];
  x->key = NULL;
  x->given.n = 0;
  bool own = is_number(place->type) && place->op == OP_INDEX && tree_mentions(place->kid[1], x->j) &&
             place->kid[0]->symbol != rows_of(x) && is_place(x, place) && tree_mentions(does->kid[1], rows_of(x)) &&
             is_value(x, does->kid[1]) && !tree_contains(x->columns, OP_INDEX);
  for (int i = 0; i < x->given.n; i++) own = own && !tree_mentions(x->columns, x->given.at[i].of);
  x->adds = t;
  x->atomic = does;
  return own && !(x->key && tree_mentions(x->columns, x->key));
}

/* .. that stands under conditions alone. */
static bool find(Across *x, const Tree *t) {
  if (t->op == OP_FOR) return adds_row(x, t);
  if (t->op != OP_SEQ && t->op != OP_IF) return false;
  for (int i = 0; i < t->nkids; i++)
    if (op_is_statement(t->kid[i]->op) && find(x, t->kid[i])) return true;
  return false;
}

static const Tree *copy_in(const Tree *body) {
  for (int i = 0; i < body->nkids; i++)
    if (body->kid[i]->op == OP_COPY_ROWS) return body->kid[i];
  return NULL;
}

/* ---- the text ---- */

static Tree *number(const Across *x, int64_t n) { return tree_int(x->a, TYPE_INT, n); }
static Tree *ref(const Across *x, Symbol *s) { return tree_ref(x->a, s); }

static Symbol *local(Across *x, const char *name, Type type) {
  return symbol_new(x->a, SYMBOL_LOCAL, fresh_name(&x->fresh, name), type);
}

static Symbol *shared(Across *x, const char *name, Type type) {
  for (int i = 0; i < x->lent.n; i++)
    if (strcmp(x->lent.at[i].wanted, name) == 0 && x->lent.at[i].array->type == type) return x->lent.at[i].array;
  Symbol *s = symbol_new(x->a, SYMBOL_SHARED, fresh_name(&x->fresh, name), type);
  s->array = true;
  s->length = tree_clone(x->a, x->copy->kid[6]);
  vec_push(x->a, &x->lent, ((Lent){name, s}));
  return s;
}

static Tree *fixed(Across *x, Symbol **s, const char *name, Type type, Tree *value) {
  *s = local(x, name, type);
  (*s)->constant = true;
  return build_declare(x->a, *s, value);
}

/* Of which row, and for which key and column, the text is. */
typedef struct Instead { const Across *x; Tree *row, *key, *column; } Instead;

static Tree *instead(void *context, Arena *a, Tree *t) {
  const Instead *i = context;
  const Across *x = i->x;
  if (t->op == OP_THREAD && i->row) return tree_clone(a, i->row);
  if (t->op != OP_REF) return t;
  if (t->symbol == x->j) return build_cast(a, x->j->type, tree_clone(a, i->column));
  if (t->symbol == x->key && i->key) return build_cast(a, x->key->type, tree_clone(a, i->key));
  for (int k = 0; k < x->given.n && i->row; k++)
    if (t->symbol == x->given.at[k].of) return build_element(a, x->given.at[k].array, tree_clone(a, i->row));
  return t;
}

static Tree *place(const Across *x, Tree *key, Tree *column) {
  const Instead i = {x, NULL, key, column};
  return tree_rewrite(x->a, tree_clone(x->a, x->atomic->kid[0]), instead, (void *)&i);
}

static Tree *value(const Across *x, Tree *row, Tree *column) {
  const Instead i = {x, row, NULL, column};
  return tree_rewrite(x->a, tree_clone(x->a, x->atomic->kid[1]), instead, (void *)&i);
}

static Tree *contribute(const Across *x, Tree *key, Tree *column, Tree *what) {
  return tree_with_kids(x->a, x->atomic, (Tree *[]){place(x, key, column), what}, 2);
}

static Tree *for_each_sum(Across *x, Symbol *s, Tree *does) {
  Tree *t = build_for(x->a, s, number(x, 0), tree_clone(x->a, x->many), number(x, 1), tree_seq(x->a, &does, 1));
  t->unroll = UNROLL_ALL;
  return t;
}

static Tree *none(const Across *x) { return tree_int(x->a, x->sum->type, 0); }

/* Before all turns: which column is this lane's, and of which rows; more columns than lanes have no slices. */
static void begin(Across *x, Statements *to) {
  Arena *a = x->a;
  Symbol *width, *s = local(x, "s", TYPE_INT);
  Tree *most = build_max(a, tree_clone(a, x->columns), tree_int(a, x->columns->type, 1)), *lane = build_lane(a, OP_THREAD);
  vec_push(a, to, fixed(x, &width, "wide", TYPE_INT, build_cast(a, TYPE_INT, most)));
  vec_push(a, to, fixed(x, &x->slices, "slices", TYPE_INT, build_div(a, tree_clone(a, x->copy->kid[6]), ref(x, width))));
  vec_push(a, to, fixed(x, &x->slice, "slice", TYPE_INT, build_div(a, lane, ref(x, width))));
  Tree *column = tree_binary(a, OP_REM, TYPE_INT, tree_clone(a, lane), ref(x, width));
  vec_push(a, to, fixed(x, &x->column, "column", TYPE_INT, column));
  x->sum = local(x, "sum", x->atomic->kid[0]->type);
  x->sum->array = x->sum->writable = true;
  x->sum->length = tree_clone(a, x->many);
  vec_push(a, to, build_declare(a, x->sum, NULL));
  vec_push(a, to, for_each_sum(x, s, build_assign(a, build_element(a, x->sum, ref(x, s)), none(x))));
}

static Tree *has_column(const Across *x) {
  Arena *a = x->a;
  Tree *column = build_cast(a, x->columns->type, ref(x, x->column));
  return build_both(a, build_compare(a, OP_LT, ref(x, x->slice), ref(x, x->slices)),
                    build_compare(a, OP_LT, column, tree_clone(a, x->columns)));
}

/* What a lane does in place of its row's contributions: it gives what it knows. */
static Tree *gives(const Across *x) {
  Arena *a = x->a;
  Statements all = {0};
  Tree *lane = build_lane(a, OP_THREAD);
  Tree *key = x->key ? build_cast(a, TYPE_INT, tree_ref(a, (Symbol *)x->key)) : number(x, 0);
  vec_push(a, &all, build_assign(a, build_element(a, x->keys, lane), key));
  for (int i = 0; i < x->given.n; i++) {
    const Given *g = &x->given.at[i];
    vec_push(a, &all, build_assign(a, build_element(a, g->array, tree_clone(a, lane)), tree_ref(a, (Symbol *)g->of)));
  }
  return tree_seq(a, all.at, all.n);
}

typedef struct Replace { const Tree *what; Tree *by; } Replace;

static Tree *replace(void *context, Arena *a, Tree *t) {
  (void)a;
  const Replace *r = context;
  return t == r->what ? r->by : t;
}

/* The rows of a slice, from one on, by the lane of their column: under its key, of those with a row. */
static Tree *over_rows(Across *x, Symbol *t, Tree *from, Tree *step, Tree *column, bool in_registers) {
  Arena *a = x->a;
  Symbol *key, *element, *s = local(x, "s", TYPE_INT);
  Tree *declared = fixed(x, &key, "key", TYPE_INT, build_element(a, x->keys, ref(x, t)));
  Tree *what = value(x, ref(x, t), column);
  Statements added = {0};
  if (in_registers) {
    vec_push(a, &added, fixed(x, &element, "element", x->sum->type, build_cast(a, x->sum->type, what)));
    Tree *sum = build_assign(a, build_element(a, x->sum, ref(x, s)), ref(x, element));
    sum->compound = OP_ADD;
    vec_push(a, &added, for_each_sum(x, s, build_if(a, build_compare(a, OP_EQ, ref(x, key), ref(x, s)), sum)));
    Tree *others = build_compare(a, OP_GE, ref(x, key), tree_clone(a, x->many));
    if (x->key) vec_push(a, &added, build_if(a, others, contribute(x, ref(x, key), column, ref(x, element))));
  } else vec_push(a, &added, contribute(x, ref(x, key), column, what));
  Tree *has = build_if(a, build_compare(a, OP_GE, ref(x, key), number(x, 0)), tree_seq(a, added.at, added.n));
  Tree *body = tree_seq(a, (Tree *[]){declared, has}, 2);
  return build_for(a, t, from, tree_clone(a, x->copy->kid[6]), step, body);
}

/* What the block does when all lanes have gone through their rows. */
static void add_columns(Across *x, Statements *to) {
  Arena *a = x->a;
  Symbol *c = local(x, "column", TYPE_INT), *t = local(x, "t", TYPE_INT);
  Tree *rows = over_rows(x, local(x, "t", TYPE_INT), ref(x, x->slice), ref(x, x->slices), ref(x, x->column), true);
  vec_push(a, to, build_if(a, has_column(x), tree_seq(a, &rows, 1)));
  Tree *each = over_rows(x, t, number(x, 0), number(x, 1), ref(x, c), false);
  Tree *below = build_cast(a, TYPE_INT, tree_clone(a, x->columns));
  Tree *all = build_for(a, c, build_lane(a, OP_THREAD), below, tree_clone(a, x->copy->kid[6]), tree_seq(a, &each, 1));
  Tree *no_slices = build_compare(a, OP_EQ, ref(x, x->slices), number(x, 0));
  vec_push(a, to, build_if(a, no_slices, tree_seq(a, &all, 1)));
}

static Tree *turns(Across *x) {
  Arena *a = x->a;
  const Tree *body = x->loop->kid[3];
  Statements all = {0};
  bool waits = false;
  Replace r = {x->adds, gives(x)};
  for (int i = 0; i < body->nkids; i++) {
    Tree *t = body->kid[i];
    const bool copies = t->op == OP_COPY_ROWS || t->op == OP_CLOSE_COPIES || t->op == OP_AWAIT_COPIES;
    if (!copies && !waits) {
      vec_push(a, &all, build_assign(a, build_element(a, x->keys, build_lane(a, OP_THREAD)), number(x, -1)));
      waits = true;
    }
    vec_push(a, &all, tree_rewrite_statements(a, t, replace, &r));
  }
  add_columns(x, &all);
  Tree *kids[] = {x->loop->kid[0], x->loop->kid[1], x->loop->kid[2], tree_seq(a, all.at, all.n)};
  return tree_with_kids(a, x->loop, kids, 4);
}

static void transposed(Across *x, Statements *to) {
  Arena *a = x->a;
  x->many = x->key ? lowering_tunable(x->l, plan_jam_name) : number(x, 1);
  x->many = build_is(x->many, 1) ? number(x, 1) : x->many;
  x->keys = shared(x, "keys", TYPE_INT);
  for (int i = 0; i < x->given.n; i++) {
    Given *g = &x->given.at[i];
    g->array = shared(x, arena_printf(a, "%s_of", g->of->name), g->of->type);
  }
  begin(x, to);
  vec_push(a, to, turns(x));
  Symbol *s = local(x, "s", TYPE_INT);
  Tree *sum = build_element(a, x->sum, ref(x, s));
  Tree *some = build_compare(a, OP_NE, sum, none(x));
  Tree *all = for_each_sum(x, s, build_if(a, some, contribute(x, ref(x, s), ref(x, x->column), tree_clone(a, sum))));
  vec_push(a, to, build_if(a, has_column(x), tree_seq(a, &all, 1)));
}

static Tree *take(Across *x, Tree *t);

static void add(Across *x, Statements *to, Tree *t) {
  x->copy = t->op == OP_FOR && t->kid[3]->op == OP_SEQ ? copy_in(t->kid[3]) : NULL;
  x->loop = t;
  const bool turns = x->copy && t->kid[0] && t->kid[0]->op == OP_DECLARE;
  if (turns && find(x, t->kid[3])) transposed(x, to);
  else vec_push(x->a, to, take(x, t));
}

static Tree *take(Across *x, Tree *t) {
  if (!op_is_statement(t->op) || !tree_contains(t, OP_COPY_ROWS)) return t;
  if (t->op == OP_SEQ) {
    Statements all = {0};
    for (int i = 0; i < t->nkids; i++) add(x, &all, t->kid[i]);
    return tree_seq(x->a, all.at, all.n);
  }
  Tree **kids = arena_many(x->a, Tree *, t->nkids);
  for (int i = 0; i < t->nkids; i++) kids[i] = t->kid[i] && t->kid[i]->op == OP_SEQ ? take(x, t->kid[i]) : t->kid[i];
  return tree_with_kids(x->a, t, kids, t->nkids);
}

void across_kernel(Lowering *l, Kernel *k) {
  if (!tree_contains(k->body, OP_COPY_ROWS)) return;
  Across x = {.l = l, .a = l->a, .fresh = fresh_begin(l->a, k, k->body)};
  Tree *body = take(&x, k->body);
  Statements all = {0};
  for (int i = 0; i < x.lent.n; i++) vec_push(l->a, &all, build_declare(l->a, x.lent.at[i].array, NULL));
  for (int i = 0; i < body->nkids; i++) vec_push(l->a, &all, body->kid[i]);
  k->body = tree_seq(l->a, all.at, all.n);
}
