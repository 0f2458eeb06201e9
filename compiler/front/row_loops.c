/* row_loops.c: a loop over the rows of matrices, in each turn of which other loops add up numbers of the row, and
 * perhaps store elements of it,
 *
 *     for (i ..) {
 *       T sum = 0;
 *       for (j ..) sum += X(i, j) * X(i, j);
 *       for (j ..) Y(i, j) = X(i, j) / sqrt(sum) * gain[j];
 *       norms[i] = sqrt(sum);
 *     }
 *
 * as a map over rows:
 *
 *     T norm_row(X, Y, gain) { T sum = 0; for (j ..) sum += X[j] * X[j]; ..; return sqrt(sum); }
 *     Map m(norm_row, rows(X), rows(Y), gain); m.to(norms);
 *
 * A row is one lane's, by the text of a turn; or that of lanes together, each of which has every so many turns of each
 * loop: they exchange what they have added up, so that all of them have the sum (together.c). So neighbouring lanes
 * read neighbouring elements.
 *
 * A matrix is in rows where each of its elements is of row i; a container of one dimension is in elements where each is
 * element i. Others are the same for all rows. What is stored of a row is stored by the lane that has that turn. */
#include "front/row_loops.h"

#include <string.h>

#include "front/divide.h"
#include "front/loop_sums.h"
#include "front/loops.h"
#include "front/together.h"
#include "ir/build.h"
#include "ir/operator.h"

/* What a row has of a parameter. */
typedef enum RowPart { ROW_UNKNOWN, ROW_COMMON, ROW_LINE, ROW_ELEMENT, ROW_RESULT } RowPart;

typedef struct RowLoops {
  Arena *a;
  const Codelet *codelet;
  const Tree *body;        /* its own, sizes written where they are used */
  const Symbol *row;       /* the loop's variable */
  const Tree *turn;        /* what it does to a row */
  const Symbol *of;        /* the matrix whose rows they are, of this dimension */
  RowPart part[MOST_OPERANDS];
  Symbol *params[MOST_OPERANDS]; /* what the row's codelet has for each */
  Symbol *result;                /* .. and the variable that holds what is stored of it */
  bool ok;
} RowLoops;

static bool is_row(const RowLoops *x, const Tree *index) {
  while (index->op == OP_CAST && index->type == TYPE_INDEX) index = index->kid[0];
  return index->op == OP_REF && index->symbol == x->row;
}

static bool same_size(const Symbol *s, int d, const Symbol *other, int of_other) {
  shape_first(&s, &d);
  shape_first(&other, &of_other);
  return s == other && d == of_other;
}

/* ---- what a codelet has ---- */

/* What the row has of this parameter, by one of its elements. */
static RowPart part_by(const RowLoops *x, const Tree *element, const Symbol *s) {
  const bool row = is_row(x, element->kid[1]);
  if (!row) return ROW_COMMON;
  if (!same_size(s, 0, x->of, 0)) return ROW_UNKNOWN;
  if (s->rank == 2) return s->by_columns ? ROW_UNKNOWN : ROW_LINE;
  return s->rank > 1 ? ROW_UNKNOWN : s->writable ? ROW_RESULT : ROW_ELEMENT;
}

static bool find_parts(void *context, const Tree *t) {
  RowLoops *x = context;
  const Tree *of = t->op == OP_INDEX || t->op == OP_SIZE ? t->kid[0] : NULL;
  const int p = of && of->op == OP_REF ? divide_place(x->codelet, of->symbol) : -1;
  if (t->op == OP_SIZE) {
    x->ok &= p >= 0;
    return false;
  }
  if (t->op == OP_STRIDE || (t->op == OP_REF && (t->symbol->rank || t->symbol == x->row))) x->ok = false;
  if (p < 0 || !x->ok) return x->ok;
  const RowPart part = part_by(x, t, x->codelet->params[p]);
  x->ok &= part != ROW_UNKNOWN && (!x->part[p] || x->part[p] == part);
  x->ok &= part != ROW_COMMON || !x->codelet->params[p]->writable;
  x->part[p] = part;
  for (int i = part == ROW_COMMON ? 1 : 2; i < t->nkids; i++) tree_visit(t->kid[i], find_parts, x);
  return false;
}

/* Sizes are of lines and of what is common, and of neither how many rows there are. */
static bool find_sizes(void *context, const Tree *t) {
  RowLoops *x = context;
  if (t->op != OP_SIZE) return x->ok;
  const RowPart part = x->part[divide_place(x->codelet, t->kid[0]->symbol)];
  x->ok &= part == ROW_COMMON || (part == ROW_LINE && t->dimension == 1);
  return false;
}

typedef struct Stored { const RowLoops *rows; const Symbol *index; bool ok; } Stored;

/* Elements of a row that is stored are those of the loop's turn: the lane's own. */
static bool find_stored(void *context, const Tree *t) {
  Stored *s = context;
  const int p = t->op == OP_INDEX && t->kid[0]->op == OP_REF ? divide_place(s->rows->codelet, t->kid[0]->symbol) : -1;
  if (p < 0 || !s->rows->codelet->params[p]->writable) return s->ok;
  const Tree *at = s->rows->part[p] == ROW_LINE ? t->kid[2] : NULL;
  while (at && at->op == OP_CAST && at->type == TYPE_INDEX) at = at->kid[0];
  s->ok &= at && at->op == OP_REF && s->index && at->symbol == s->index;
  return s->ok;
}

/* A loop through a line, whose turns lanes may share. */
static bool can_share(const RowLoops *x, const Tree *t, LoopSums *sums) {
  LoopHead head;
  int64_t begin;
  if (!loops_head(x->a, t, &head) || head.step != 1 || !tree_constant(head.begin, &begin) || begin) return false;
  const Tree *end = head.end;
  if (end->op != OP_SIZE || !loop_sums_find(t, sums)) return false;
  Stored s = {x, head.index, true};
  tree_visit(t->kid[3], find_stored, &s);
  return s.ok && (sums->n > 0 || sums->stores);
}

/* Numbers, loops, and one element for the row. */
static bool find_turn(RowLoops *x) {
  int adds = 0, results = 0;
  for (int i = 0; i < x->turn->nkids; i++) {
    const Tree *t = x->turn->kid[i];
    LoopSums sums = {.n = 0};
    if (t->op == OP_FOR) {
      if (!can_share(x, t, &sums)) return false;
      for (int k = 0; k < sums.n; k++)
        if (!loop_declares(x->turn, sums.at[k].of) || !operator_identity(x->a, sums.at[k].op, sums.at[k].of->type))
          return false;
      adds += sums.n;
      continue;
    }
    const Tree *to = t->op == OP_ASSIGN ? t->kid[0] : NULL;
    const int p = to && to->op == OP_INDEX && to->kid[0]->op == OP_REF
                      ? divide_place(x->codelet, to->kid[0]->symbol) : -1;
    Stored s = {x, NULL, true};
    if (p >= 0 && x->part[p] == ROW_RESULT && !t->compound) {
      results++;
      tree_visit(t->kid[1], find_stored, &s);
    } else if ((t->op == OP_DECLARE && loop_is_number(t->symbol)) || (to && to->op == OP_REF)) {
      tree_visit(t, find_stored, &s);
      if (to && !loop_declares(x->turn, to->symbol)) return false;
    } else return false;
    if (!s.ok) return false;
  }
  int stored = 0;
  for (int p = 0; p < x->codelet->nparams; p++) stored += x->part[p] == ROW_RESULT;
  return adds > 0 && results == stored && results <= 1;
}

static bool find_rows(Arena *a, const Codelet *c, RowLoops *x) {
  *x = (RowLoops){.a = a, .codelet = c, .body = loops_sized(a, c), .ok = true};
  const Tree *t = x->body;
  while (t->op == OP_SEQ && t->nkids == 1) t = t->kid[0];
  LoopHead head;
  int64_t begin;
  if (!loops_head(a, t, &head) || head.step != 1 || !tree_constant(head.begin, &begin) || begin) return false;
  if (head.end->op != OP_SIZE || head.end->kid[0]->op != OP_REF || head.end->dimension) return false;
  x->row = head.index;
  x->of = head.end->kid[0]->symbol;
  x->turn = t->kid[3];
  if (x->turn->op != OP_SEQ || divide_place(c, x->of) < 0) return false;
  tree_visit(x->turn, find_parts, x);
  if (x->ok) tree_visit(x->turn, find_sizes, x);
  bool lines = false;
  for (int p = 0; p < c->nparams; p++) {
    lines |= x->part[p] == ROW_LINE;
    x->ok &= !c->params[p]->writable || x->part[p] == ROW_LINE || x->part[p] == ROW_RESULT;
  }
  return x->ok && lines && find_turn(x);
}

/* ---- the row's spectrum ---- */

/* Lines first: lanes go through the first container round by round. */
static void make_parameters(RowLoops *x, Codelet *k) {
  const Codelet *c = x->codelet;
  k->params = arena_many(x->a, Symbol *, MOST_OPERANDS);
  k->nparams = 0;
  for (int lines = 1; lines >= 0; lines--)
    for (int p = 0; p < c->nparams; p++) {
      if (x->part[p] == ROW_RESULT || (x->part[p] == ROW_LINE) != lines) continue;
      if (x->part[p] == ROW_UNKNOWN && c->params[p]->rank) continue;
      Symbol *s = arena_one(x->a, Symbol);
      *s = *c->params[p];
      memset(s->shape, 0, sizeof s->shape);
      if (lines) s->rank = 1;
      if (x->part[p] == ROW_ELEMENT) s->rank = 0;
      k->params[k->nparams++] = x->params[p] = s;
      for (int d = 0; d < s->rank; d++) /* as long as another, where the caller says so */
        for (int q = 0; q < c->nparams && !s->shape[d].said; q++) {
          const bool line = x->part[q] == ROW_LINE;
          bool before = false;
          for (int n = 0; n + 1 < k->nparams; n++) before |= k->params[n] == x->params[q];
          for (int e = line; e < c->params[q]->rank && before && !s->shape[d].said; e++)
            if (x->params[q]->rank && same_size(c->params[p], d + lines, c->params[q], e))
              s->shape[d] = (ShapeRule){.said = true, .times = 1, .of = {x->params[q]}, .dim = {e - line}};
        }
    }
}

static Tree *of_row(RowLoops *x, const Tree *t) {
  Arena *a = x->a;
  const Tree *of = t->op == OP_INDEX || t->op == OP_SIZE ? t->kid[0] : t;
  const int p = of->op == OP_REF ? divide_place(x->codelet, of->symbol) : -1;
  if (p >= 0 && t->op == OP_REF) return tree_ref(a, x->params[p]);
  if (p >= 0 && t->op == OP_SIZE)
    return divide_size(a, x->params[p], t->dimension - (x->part[p] == ROW_LINE));
  if (p >= 0 && x->part[p] == ROW_ELEMENT) return tree_ref(a, x->params[p]);
  if (p >= 0 && x->part[p] == ROW_LINE) return build_element(a, x->params[p], of_row(x, t->kid[2]));
  Tree **kids = arena_many(a, Tree *, t->nkids);
  for (int i = 0; i < t->nkids; i++) kids[i] = t->kid[i] ? of_row(x, t->kid[i]) : NULL;
  return tree_with_kids(a, t, kids, t->nkids);
}

/* norms[i] = v;  is  T norms = v;  .. return norms; */
static Tree *statement(RowLoops *x, const Tree *t) {
  const Tree *to = t->op == OP_ASSIGN && t->kid[0]->op == OP_INDEX ? t->kid[0]->kid[0] : NULL;
  const int p = to && to->op == OP_REF ? divide_place(x->codelet, to->symbol) : -1;
  if (p < 0 || x->part[p] != ROW_RESULT) return of_row(x, t);
  x->result = symbol_new(x->a, SYMBOL_LOCAL, to->symbol->name, to->symbol->type);
  x->result->declared = to->symbol->declared;
  x->result->writable = true;
  Tree *value = of_row(x, t->kid[1]);
  return build_declare(x->a, x->result, value->type == x->result->type ? value
                                                                       : build_cast(x->a, x->result->type, value));
}

/* The statement `best = best op first': of what the variable held before the loop. */
static Tree *with_first(Arena *a, const Tree *combine, const Symbol *best, Symbol *first) {
  Tree *t = tree_clone(a, combine);
  Tree **value = &t->kid[1];
  if (t->compound) *value = tree_ref(a, first);
  else (*value)->kid[(*value)->kid[0]->op != OP_REF || (*value)->kid[0]->symbol != best ? 0 : 1] = tree_ref(a, first);
  return t;
}

/* A loop whose turns lanes share; each sum begins at the operator's identity, and what the variable held is added when
 * they have exchanged theirs. */
static void share_loop(RowLoops *x, const Tree *t, int *number, DivideStatements *to) {
  Arena *a = x->a;
  LoopSums sums;
  LoopHead head;
  loop_sums_find(t, &sums);
  loops_head(a, t, &head);
  Symbol *first[MOST_LOOP_SUMS], *arrays[MOST_LOOP_SUMS][EXCHANGE_ARRAYS];
  Exchange e[MOST_LOOP_SUMS];
  for (int i = 0; i < sums.n; i++) {
    Symbol *best = sums.at[i].of;
    Tree *none = operator_identity(a, sums.at[i].op, best->type);
    first[i] = symbol_new(a, SYMBOL_LOCAL, arena_printf(a, "first_%s", best->name), best->type);
    first[i]->declared = best->declared;
    vec_push(a, to, build_declare(a, first[i], tree_ref(a, best)));
    vec_push(a, to, build_assign(a, tree_ref(a, best), tree_clone(a, none)));
    e[i] = (Exchange){a, best, sums.at[i].combine, none, t->where, true};
    together_share(&e[i], *number ? arena_printf(a, "%d", *number + 1) : "", to, arrays[i]);
    ++*number;
  }
  Tree *loop = tree_new(a, OP_FOR, TYPE_VOID, t->where, 4);
  Symbol *index = (Symbol *)head.index;
  loop->kid[0] = build_declare(a, index, tree_int(a, TYPE_INDEX, 0));
  loop->kid[1] = tree_binary(a, OP_LT, TYPE_BOOL, tree_ref(a, index), tree_clone(a, head.end));
  loop->kid[2] = build_assign(a, tree_ref(a, index), tree_int(a, TYPE_INDEX, 1));
  loop->kid[2]->compound = OP_ADD;
  loop->kid[3] = (Tree *)t->kid[3];
  Tree *turns = of_row(x, loop);
  vec_push(a, to, together_turns(a, turns, turns->kid[1]->kid[1]));
  for (int i = 0; i < sums.n; i++) {
    together_exchange(&e[i], arrays[i], to);
    vec_push(a, to, with_first(a, sums.at[i].combine, sums.at[i].of, first[i]));
  }
}

static void end_row(RowLoops *x, Spectrum *s, Codelet *k, DivideStatements *all) {
  if (x->result) {
    Tree *last = tree_unary(x->a, OP_RETURN, TYPE_VOID, tree_ref(x->a, x->result));
    last->where = k->where;
    vec_push(x->a, all, last);
  }
  k->body = tree_clone(x->a, tree_seq(x->a, all->at, all->n));
  k->body->where = x->turn->where;
  divide_add(x->a, s, k);
}

static void add_codelets(RowLoops *x, Spectrum *s) {
  Arena *a = x->a;
  for (int together = 0; together < 2; together++) {
    Codelet *k = divide_codelet(a, x->codelet, s, together ? "together" : "serial");
    DivideStatements all = {0};
    int number = 0;
    make_parameters(x, k);
    for (int i = 0; i < x->turn->nkids; i++) {
      const Tree *t = x->turn->kid[i];
      if (together && t->op == OP_FOR) share_loop(x, t, &number, &all);
      else vec_push(a, &all, statement(x, t));
    }
    end_row(x, s, k, &all);
  }
}

/* ---- the map ---- */

static void add_map(RowLoops *x, Spectrum *s, Spectrum *rows) {
  Arena *a = x->a;
  Codelet *k = divide_codelet(a, x->codelet, s, divide_tag(a, s, "each"));
  const Codelet *of = rows->codelets[0];
  Tree *map = tree_new(a, OP_MAP, TYPE_CONTAINER, k->where, of->nparams), *run = NULL;
  map->spectrum = rows;
  for (int lines = 1, n = 0; lines >= 0; lines--)
    for (int p = 0; p < k->nparams; p++) {
      Tree *whole = tree_ref(a, k->params[p]);
      if (x->part[p] == ROW_RESULT) {
        run = tree_binary(a, OP_MAP_TO, TYPE_VOID, map, whole);
        continue;
      }
      if ((x->part[p] == ROW_LINE) != lines || (x->part[p] == ROW_UNKNOWN && k->params[p]->rank)) continue;
      const Op op = x->part[p] == ROW_LINE ? OP_ROWS : x->part[p] == ROW_ELEMENT ? OP_ELEMENTS : OP_REF;
      map->kid[n++] = op == OP_REF ? whole : tree_unary(a, op, TYPE_CONTAINER, whole);
    }
  if (!run) run = tree_unary(a, OP_MAP_RUN, TYPE_VOID, map);
  run->where = k->where;
  k->body = tree_seq(a, &run, 1);
  k->body->where = x->codelet->body->where;
  divide_add(a, s, k);
}

static bool can_have_rows(const Spectrum *s) {
  const Codelet *c = s->ncodelets == 1 ? s->codelets[0] : NULL;
  if (!c || !c->body || c->nenv || c->matrix || c->native || c->elements || c->coop_declared || c->tunables.n ||
      s->operators || s->monoid || s->result != TYPE_VOID)
    return false;
  for (int i = 0; i < c->nparams; i++)
    if (c->params[i]->atomic || c->params[i]->counter) return false;
  return true;
}

void row_loops_divide(Arena *a, Unit *u) {
  const int n = u->nspectra;
  for (int i = 0; i < n; i++) {
    Spectrum *s = u->spectra[i];
    RowLoops x;
    if (!can_have_rows(s) || !find_rows(a, s->codelets[0], &x) || divide_is_left(u, s)) continue;
    Spectrum *rows = divide_spectrum(a, u, s, "row");
    for (int p = 0; p < x.codelet->nparams; p++)
      if (x.part[p] == ROW_RESULT) rows->result = x.codelet->params[p]->type;
    add_codelets(&x, rows);
    add_map(&x, s, rows);
  }
}
