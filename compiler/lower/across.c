/* across.c: rows that lanes contribute, added up by columns in registers.
 *
 *     for turn                                 slice, column = this lane's, of the block's rows and of their columns,
 *       copy rows to shared memory                             16 bytes of neighbours a lane
 *       if this lane has a row                 for turn
 *         ..                                     copy rows to shared memory
 *         for j                                  keys[lane] = -1
 *           add rows[lane][j] to                 if this lane has a row
 *             sums[key][j]                         ..
 *                                                  keys[lane] = key
 *                                                for t of the slice
 *                                                  for s unrolled   if keys[t] is s   sum[s] += rows[t][column ..]
 *                                                if there are more keys   for t of the slice
 *                                                  if keys[t] is one   add rows[t][column ..] to sums[keys[t]]
 *                                              for s unrolled   add sum[s] to sums[s][column ..]
 *
 * Lanes that add their own rows meet in the few elements of `sums', by atomics. So a lane adds up a few columns of rows
 * that other lanes have gone through: its sums, of as many keys as there are registers for, stay there until the end.
 * What a row's lane knows of it beside the key is given in shared memory, too.
 *
 * Requires: a kernel's text as it is lowered, before its shared memory is counted and barriers are found; of a GPU,
 * whose blocks copy rows together (shares.c). Keeps what is added, to which element. Breaks the order of contributions,
 * which atomics have none of. */
#include "lower/across.h"

#include <string.h>

#include "ir/build.h"
#include "lower/jam.h"
#include "passes/fresh.h"

/* Each lane has few enough registers for so many to be on a multiprocessor: sums take some. On an H200 a turn of
 * k-means took 43.9 us with so many, 48.3 us with 1024, which have to put registers aside, and 51.7 us with 1280. */
enum { RESIDENT_LANES = 768 };

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
  Symbol *keys, *sum, *slice, *slices, *column, *e;
  Tree *many, *width;            /* keys that have registers; columns of a lane */
  bool wide;                     /* .. which it reads at once */
  VEC(Lent) lent;                /* what the kernel begins with */
} Across;

/* ---- what may be added by columns ---- */

static const Symbol *rows_of(const Across *x) { return x->copy->kid[0]->kid[0]->symbol; }

/* Is it the lane's own row, and element j of it? */
static bool is_own(const Across *x, const Tree *t) {
  if (t->op != OP_INDEX || t->kid[0]->op != OP_REF || t->kid[0]->symbol != rows_of(x)) return false;
  const Tree *at = tree_uncast(t->kid[1]);
  if (at->op != OP_ADD) return false;
  const Tree *row = tree_uncast(at->kid[0]), *j = tree_uncast(at->kid[1]);
  return row->op == OP_MUL && tree_uncast(row->kid[0])->op == OP_THREAD &&
         tree_equal(tree_uncast(row->kid[1]), tree_uncast(x->copy->kid[7])) && j->op == OP_REF && j->symbol == x->j;
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
    const bool known = t->symbol == x->j || t->symbol == x->key || !is_of_turn(x, t->symbol);
    if (known) return t->symbol != x->loop->kid[0]->symbol;
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

static Tree *value(const Across *x, const Tree *what, Tree *row, Tree *column) {
  const Instead i = {x, row, NULL, column};
  return tree_rewrite(x->a, tree_clone(x->a, what), instead, (void *)&i);
}

static Tree *contribute(const Across *x, Tree *key, Tree *column, Tree *what) {
  return tree_with_kids(x->a, x->atomic, (Tree *[]){place(x, key, column), what}, 2);
}

static Tree *unrolled(const Across *x, Symbol *s, Tree *extent, Tree *does) {
  Tree *t = build_for(x->a, s, number(x, 0), tree_clone(x->a, extent), number(x, 1), tree_seq(x->a, &does, 1));
  t->unroll = UNROLL_ALL;
  return t;
}

static Tree *none(const Across *x, Type type) {
  return type == TYPE_STORED ? build_cast(x->a, type, number(x, 0)) : tree_int(x->a, type, 0);
}

/* The sum of key s and of the lane's column e. */
static Tree *sum_of(const Across *x, Symbol *s) {
  Tree *first = build_mul(x->a, ref(x, s), tree_clone(x->a, x->width));
  return build_element(x->a, x->sum, build_add(x->a, first, ref(x, x->e)));
}

static Tree *column_of(const Across *x) { return build_add(x->a, ref(x, x->column), ref(x, x->e)); }

/* Before all turns: which columns are this lane's, and of which rows; more columns than lanes have no slices. What rows
 * there do not reach is read, too. */
static void begin(Across *x, Statements *to) {
  Arena *a = x->a;
  Symbol *groups, *s = local(x, "s", TYPE_INT), *i = local(x, "i", TYPE_INT);
  Tree *lane = build_lane(a, OP_THREAD), *lanes = x->copy->kid[6], *one = number(x, 1);
  Tree *most = build_max(a, tree_clone(a, x->columns), tree_int(a, x->columns->type, 1));
  Tree *all = build_sub(a, build_add(a, build_cast(a, TYPE_INT, most), tree_clone(a, x->width)), one);
  Tree *many = build_div(a, all, tree_clone(a, x->width));
  vec_push(a, to, fixed(x, &groups, "groups", TYPE_INT, many));
  vec_push(a, to, fixed(x, &x->slices, "slices", TYPE_INT, build_div(a, tree_clone(a, lanes), ref(x, groups))));
  vec_push(a, to, fixed(x, &x->slice, "slice", TYPE_INT, build_div(a, lane, ref(x, groups))));
  Tree *group = tree_binary(a, OP_REM, TYPE_INT, tree_clone(a, lane), ref(x, groups));
  vec_push(a, to, fixed(x, &x->column, "column", TYPE_INT, build_mul(a, group, tree_clone(a, x->width))));
  Symbol *rows = (Symbol *)rows_of(x);
  Tree *clear = build_assign(a, build_element(a, rows, ref(x, i)), none(x, rows->type));
  Tree *room = build_mul(a, tree_clone(a, lanes), tree_clone(a, x->copy->kid[8]));
  vec_push(a, to, build_for(a, i, tree_clone(a, lane), room, tree_clone(a, lanes), tree_seq(a, &clear, 1)));
  x->sum = local(x, "sum", x->atomic->kid[0]->type);
  x->sum->array = x->sum->writable = true;
  x->sum->length = build_mul(a, tree_clone(a, x->many), tree_clone(a, x->width));
  vec_push(a, to, build_declare(a, x->sum, NULL));
  Tree *zero = build_assign(a, build_element(a, x->sum, ref(x, s)), none(x, x->sum->type));
  vec_push(a, to, unrolled(x, s, x->sum->length, zero));
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

typedef struct Near { const Across *x; Symbol *near; } Near;

/* Element j of row t as registers have it. */
static Tree *near_of(void *context, Arena *a, Tree *t) {
  const Near *n = context;
  return is_own(n->x, t) ? build_element(a, n->near, ref(n->x, n->x->e)) : t;
}

/* What a row adds to a lane's columns, to registers. */
static void elements_of(Across *x, Symbol *t, Symbol **element, Statements *to) {
  Arena *a = x->a;
  Symbol *rows = (Symbol *)rows_of(x);
  *element = local(x, "element", x->sum->type);
  (*element)->array = (*element)->writable = true;
  (*element)->length = tree_clone(a, x->width);
  Tree *what = x->atomic->kid[1];
  Near near = {x, local(x, "near", rows->type)};
  if (x->wide) {
    near.near->array = near.near->writable = true;
    near.near->length = tree_clone(a, x->width);
    vec_push(a, to, build_declare(a, near.near, NULL));
    Tree *row = build_mul(a, ref(x, t), tree_clone(a, x->copy->kid[7]));
    Tree *from = build_element(a, rows, build_add(a, row, ref(x, x->column)));
    Tree *move = tree_binary(a, OP_LOAD_WIDE, TYPE_VOID, build_element(a, near.near, number(x, 0)), from);
    move->move = WIDE_ALIGNED;
    vec_push(a, to, move);
    what = tree_rewrite(a, tree_clone(a, what), near_of, &near);
  }
  vec_push(a, to, build_declare(a, *element, NULL));
  Tree *is = build_cast(a, x->sum->type, value(x, what, ref(x, t), column_of(x)));
  vec_push(a, to, unrolled(x, x->e, x->width, build_assign(a, build_element(a, *element, ref(x, x->e)), is)));
}

/* .. by keys that have registers. */
static Tree *in_registers(Across *x, Symbol *most) {
  Arena *a = x->a;
  Symbol *t = local(x, "t", TYPE_INT), *s = local(x, "s", TYPE_INT), *element, *key = local(x, "key", TYPE_INT);
  Statements does = {0};
  elements_of(x, t, &element, &does);
  Tree *sum = build_assign(a, sum_of(x, s), build_element(a, element, ref(x, x->e)));
  sum->compound = OP_ADD;
  Statements own = {0};
  vec_push(a, &own, build_declare(a, key, build_element(a, x->keys, ref(x, t))));
  key->constant = true;
  for (int i = 0; i < does.n; i++) vec_push(a, &own, does.at[i]);
  Tree *is = build_compare(a, OP_EQ, ref(x, key), ref(x, s)), *add = unrolled(x, x->e, x->width, sum);
  vec_push(a, &own, unrolled(x, s, x->many, build_if(a, is, tree_seq(a, &add, 1))));
  if (most) vec_push(a, &own, build_assign(a, ref(x, most), build_max(a, ref(x, most), ref(x, key))));
  return build_for(a, t, ref(x, x->slice), tree_clone(a, x->copy->kid[6]), ref(x, x->slices),
                   tree_seq(a, own.at, own.n));
}

/* .. by keys from one on, one by one. */
static Tree *one_by_one(Across *x, Tree *from, Tree *step, Tree *least, Tree *column) {
  Arena *a = x->a;
  Symbol *t = local(x, "t", TYPE_INT), *key = local(x, "key", TYPE_INT);
  key->constant = true;
  Tree *declared = build_declare(a, key, build_element(a, x->keys, ref(x, t)));
  Tree *what = value(x, x->atomic->kid[1], ref(x, t), column);
  Tree *has = build_if(a, build_compare(a, OP_GE, ref(x, key), least), contribute(x, ref(x, key), column, what));
  Tree *body = tree_seq(a, (Tree *[]){declared, has}, 2);
  return build_for(a, t, from, tree_clone(a, x->copy->kid[6]), step, body);
}

static Tree *if_column(const Across *x, Tree *does) {
  Arena *a = x->a;
  return build_if(a, build_compare(a, OP_LT, column_of(x), build_cast(a, TYPE_INT, tree_clone(a, x->columns))), does);
}

/* What the block does when all lanes have gone through their rows. */
static void add_columns(Across *x, Statements *to) {
  Arena *a = x->a;
  Symbol *c = local(x, "c", TYPE_INT), *most = x->key ? local(x, "most", TYPE_INT) : NULL;
  Statements own = {0};
  if (most) vec_push(a, &own, build_declare(a, most, number(x, -1)));
  vec_push(a, &own, in_registers(x, most));
  if (most) {
    Tree *rest = one_by_one(x, ref(x, x->slice), ref(x, x->slices), tree_clone(a, x->many), column_of(x));
    Tree *each = unrolled(x, x->e, x->width, if_column(x, tree_seq(a, &rest, 1)));
    Tree *others = build_compare(a, OP_GE, ref(x, most), tree_clone(a, x->many));
    vec_push(a, &own, build_if(a, others, tree_seq(a, &each, 1)));
  }
  vec_push(a, to, build_if(a, has_column(x), tree_seq(a, own.at, own.n)));
  Tree *each = one_by_one(x, number(x, 0), number(x, 1), number(x, 0), ref(x, c));
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
      for (int k = 0; k < x->given.n; k++) {
        Symbol *array = x->given.at[k].array;
        vec_push(a, &all, build_assign(a, build_element(a, array, build_lane(a, OP_THREAD)), none(x, array->type)));
      }
      waits = true;
    }
    vec_push(a, &all, tree_rewrite_statements(a, t, replace, &r));
  }
  add_columns(x, &all);
  Tree *kids[] = {x->loop->kid[0], x->loop->kid[1], x->loop->kid[2], tree_seq(a, all.at, all.n)};
  return tree_with_kids(a, x->loop, kids, 4);
}

/* Is the lane's row all that has an element for each column? */
static bool rows_alone(const Across *x, const Tree *t) {
  if (is_own(x, t)) return true;
  if (t->op == OP_REF && t->symbol == x->j) return false;
  for (int i = 0; i < t->nkids; i++)
    if (!rows_alone(x, t->kid[i])) return false;
  return true;
}

static void transposed(Across *x, Statements *to) {
  Arena *a = x->a;
  x->many = x->key ? lowering_tunable(x->l, plan_jam_name) : number(x, 1);
  if (build_is(x->many, 1)) x->many = number(x, 1);
  x->wide = jam_has_widths(x->l) && rows_alone(x, x->atomic->kid[1]);
  x->width = x->wide ? build_width(a, rows_of(x)->type) : number(x, 1);
  x->keys = shared(x, "keys", TYPE_INT);
  for (int i = 0; i < x->given.n; i++) {
    Given *g = &x->given.at[i];
    g->array = shared(x, arena_printf(a, "%s_of", g->of->name), g->of->type);
  }
  x->e = local(x, "e", TYPE_INT);
  begin(x, to);
  vec_push(a, to, turns(x));
  Symbol *s = local(x, "s", TYPE_INT);
  Tree *some = build_compare(a, OP_NE, sum_of(x, s), none(x, x->sum->type));
  Tree *add = build_if(a, some, contribute(x, ref(x, s), column_of(x), sum_of(x, s)));
  Tree *each = if_column(x, unrolled(x, s, x->many, add));
  Tree *all = unrolled(x, x->e, x->width, each);
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
  if (x.lent.n) k->resident_lanes = RESIDENT_LANES;
  Statements all = {0};
  for (int i = 0; i < x.lent.n; i++) vec_push(l->a, &all, build_declare(l->a, x.lent.at[i].array, NULL));
  for (int i = 0; i < body->nkids; i++) vec_push(l->a, &all, body->kid[i]);
  k->body = tree_seq(l->a, all.at, all.n);
}
