/* linear_turns.c: loops whose turns are linear in what they go on with (affine.c),
 *
 *     T run = begin;                                Array<1, State> turns(x.Size());
 *     for (i ..) {                                  turns_over<LinearTurn>(transform(turn, x), of(0, begin), turns);
 *       run = a * run + b * x[i];                   map(put<T>, elements(iota), elements(turns), y);
 *       y[i] = run;
 *     }
 *
 * as scans of what a turn makes of any number: two numbers, a factor and what is added. Where y keeps its factor, only
 * what is added is scanned. If nothing is stored, turns are combined in a reduction. What the turn stores may be
 * computed of what it comes to. */
#include "front/recurrence_parts.h"

#include "front/loop_sums.h"
#include "front/own_elements.h"
#include "ir/build.h"
#include "ir/operator.h"

/* ---- turns that are linear ---- */

static bool changes_state(Recurrence *x, const Tree *t, Affine *now);

static bool changes_by_condition(Recurrence *x, const Tree *t, Affine *now) {
  Affine then = *now, other = *now;
  Tree *holds = recurrence_without_names(x, t->kid[0]);
  if (tree_mentions(holds, x->state)) return false;
  for (int k = 1; k < t->nkids; k++) {
    if (t->kid[k]->op != OP_SEQ) return false;
    for (int i = 0; i < t->kid[k]->nkids; i++)
      if (!changes_state(x, t->kid[k]->kid[i], k == 1 ? &then : &other)) return false;
  }
  *now = affine_choice(&x->by, holds, then, other);
  return true;
}

/* `run = a * run + v', `run += v', also if something holds. */
static bool changes_state(Recurrence *x, const Tree *t, Affine *now) {
  if (t->op == OP_IF) return changes_by_condition(x, t, now);
  if (t->op != OP_ASSIGN || !tree_is_symbol(t->kid[0], x->state)) return false;
  Tree *value = recurrence_without_names(x, t->kid[1]);
  if (t->compound) value = tree_binary(x->a, t->compound, x->state->type, tree_ref(x->a, x->state), value);
  return affine_of(&x->by, value, *now, now);
}

/* `out[j] = ..', of what the state has come to. */
static bool reads_result(Recurrence *x, const Tree *t) {
  const Tree *place = t->op == OP_ASSIGN && !t->compound ? t->kid[0] : NULL;
  if (!place || place->op != OP_INDEX || place->nkids != 2 || place->kid[0]->op != OP_REF) return false;
  const Symbol *to = place->kid[0]->symbol;
  if (divide_place(x->codelet, to) < 0 || to->rank != 1 || !to->writable || to->atomic) return false;
  Tree *value = recurrence_without_names(x, t->kid[1]);
  if (!tree_is_symbol(place->kid[1], x->head.index)) return false;
  vec_push(x->a, &x->stores, build_assign(x->a, t->kid[0], value));
  x->stores.at[x->stores.n - 1]->where = t->where;
  return true;
}

/* What is made of the state stays true until that changes. */
static void forget_names(Recurrence *x) {
  for (int i = 0; i < x->known.n; i++)
    if (x->known.at[i].is && tree_mentions(x->known.at[i].is, x->state)) x->known.at[i].is = NULL;
}

static bool reads_linear_turn(Recurrence *x, const Tree *body) {
  Affine now = x->turn = affine_same(&x->by);
  for (int i = 0; i < body->nkids; i++) {
    const Tree *t = body->kid[i];
    if (t->op == OP_DECLARE) {
      if (!t->nkids || !loop_is_number(t->symbol) || tree_assigns(body, t->symbol)) return false;
      const Known one = {t->symbol, recurrence_without_names(x, t->kid[0])};
      vec_push(x->a, &x->known, one);
    } else if (x->stores.n || !changes_state(x, t, &now)) {
      if (!x->changed || !reads_result(x, t)) return false;
    } else {
      x->changed = true;
      forget_names(x);
    }
  }
  x->turn = affine_whole(&x->by, now);
  for (int i = 0; i < x->stores.n; i++) {
    const Symbol *to = x->stores.at[i]->kid[0]->kid[0]->symbol;
    if (tree_mentions(x->turn.by, to) || tree_mentions(x->turn.add, to)) return false;
    for (int k = 0; k < x->stores.n; k++)
      if (tree_mentions(x->stores.at[k]->kid[1], to) || (k < i && x->stores.at[k]->kid[0]->kid[0]->symbol == to))
        return false;
  }
  return x->changed;
}

/* The state, where the text has the number that its loop goes on with. */
typedef struct Scanned { const Symbol *of; Tree *is; } Scanned;

static Tree *as_scanned(void *context, Arena *a, Tree *t) {
  const Scanned *s = context;
  return tree_is_symbol(t, s->of) ? tree_clone(a, s->is) : t;
}

/* A number of a turn; where only what is added is scanned, that. */
static Tree *field_of(const Recurrence *x, Symbol *turns, const char *name) {
  if (!type_is_state(turns->type)) return tree_ref(x->a, turns);
  Tree *t = tree_unary(x->a, OP_FIELD, x->state->type, tree_ref(x->a, turns));
  t->text = name;
  return t;
}

static Tree *with_number(const Recurrence *x, const Tree *t, Tree *is) {
  Scanned s = {x->state, is};
  return tree_rewrite(x->a, tree_clone(x->a, (Tree *)t), as_scanned, &s);
}

/* Is all of it a function of the turn's elements? */
static bool is_of_elements(const Recurrence *x) {
  Function turn = {.of = x, .ok = true}, put = {.of = x, .ok = true};
  Symbol *run = symbol_new(x->a, SYMBOL_PARAM, x->state->name, x->state->type);
  recurrence_of_element(&turn, x->turn.by);
  recurrence_of_element(&turn, x->turn.add);
  for (int i = 0; i < x->stores.n; i++)
    recurrence_of_element(&put, with_number(x, x->stores.at[i]->kid[1], field_of(x, run, "add")));
  return turn.ok && put.ok && put.n + 2 + x->stores.n <= MOST_OPERANDS;
}

/* Does it keep its factor? Then turns only add, or choose the greatest. */
static bool only_adds(const Recurrence *x) { return tree_equal(x->turn.by, affine_same(&x->by).by); }

/* Has it a part in what the turn makes of it? And of the greatest, or the least, is that of it and something else? Else
 * turns add up, as in the first algebra. */
static bool goes_on(const Recurrence *x) {
  const Affine none = affine_whole(&x->by, (Affine){NULL, NULL});
  return !tree_equal(x->turn.by, none.by) && (x->by.kind == AFFINE_SUMS || !tree_equal(x->turn.add, none.add));
}

bool linear_turns_read(Recurrence *x) {
  const Tree *body = own_elements_as_number(x->a, x->codelet, loops_sized(x->a, x->codelet));
  const int at = recurrence_reads_numbers(x, body), rest = body->nkids - at - 1;
  if (at < 0 || rest > 1 || !recurrence_is_scanned_type(x->state->type)) return false;
  if (!loops_head(x->a, body->kid[at], &x->head)) return false;
  recurrence_end_as_size(x->a, x->codelet, body->kid[at], &x->head);
  if (!recurrence_counts_elements(x)) return false;
  x->by.y = x->state;
  if (body->kid[at]->kid[3]->op != OP_SEQ || !reads_linear_turn(x, body->kid[at]->kid[3])) return false;
  if (rest && (body->kid[at + 1]->op != OP_RETURN || tree_contains(body->kid[at + 1], OP_INDEX))) return false;
  if (rest) x->result = recurrence_without_names(x, body->kid[at + 1]->kid[0]);
  /* what a scan returns is returned as it is, and no state is */
  if (rest && x->stores.n && !(only_adds(x) && tree_is_symbol(x->result, x->state))) return false;
  for (int i = 0; i < x->stores.n; i++)
    if (!recurrence_is_as_long(x, x->stores.at[i]->kid[0]->kid[0]->symbol)) return false;
  return goes_on(x) && (x->stores.n || (rest && !only_adds(x))) && is_of_elements(x);
}

/* ---- turns that are linear, as a scan of turns ---- */

static Tree *turn_of(const Recurrence *x, Type states, Tree *by, Tree *add) {
  return tree_binary(x->a, OP_STATE, states, by, add);
}

/* map(put, elements(iota), .., elements(turns), y); NULL: what is stored is no function of a turn's elements. */
static Tree *stored_turns(const Recurrence *x, Unit *u, const Spectrum *of, Symbol *runs) {
  Arena *a = x->a;
  Function f = {.of = x, .ok = true};
  DivideStatements all = {0};
  VEC(Symbol *) to = {0};
  Symbol *run = symbol_new(a, SYMBOL_PARAM, x->state->name, runs->type);
  Tree *at = recurrence_parameter(&f, recurrence_positions(x), "at", TYPE_INDEX);
  run->declared = runs->type;
  for (int i = 0; i < x->stores.n; i++) {
    const Tree *t = x->stores.at[i];
    Symbol *out = arena_one(a, Symbol);
    *out = *t->kid[0]->kid[0]->symbol;
    out->atomic = ATOMIC_ONCE;
    for (int d = 0; d < MOST_RANK; d++) out->shape[d] = (ShapeRule){.said = false};
    vec_push(a, &to, out);
    Tree *value = recurrence_of_element(&f, with_number(x, t->kid[1], field_of(x, run, "add")));
    vec_push(a, &all, build_assign(a, build_element(a, out, tree_clone(a, at)), value));
    all.at[i]->where = t->where;
  }
  const int n = f.n + 1 + to.n;
  if (!f.ok || n > MOST_OPERANDS) return NULL;
  Tree *text = tree_seq(a, all.at, all.n);
  Spectrum *s = recurrence_spectrum(x, divide_spectrum(a, u, of, "put"), &f, 1 + to.n, text, TYPE_VOID);
  Tree *map = tree_new(a, OP_MAP, TYPE_CONTAINER, x->codelet->body->where, n);
  map->spectrum = s;
  for (int i = 0; i < f.n; i++)
    map->kid[i] = f.given[i]->op == OP_REPEAT ? f.given[i]->kid[0]
                                              : tree_unary(a, OP_ELEMENTS, TYPE_CONTAINER, f.given[i]);
  s->codelets[0]->own_places = true;
  s->codelets[0]->params[f.n] = run;
  map->kid[f.n] = tree_unary(a, OP_ELEMENTS, TYPE_CONTAINER, tree_ref(a, runs));
  for (int i = 0; i < to.n; i++) {
    s->codelets[0]->params[f.n + 1 + i] = to.at[i];
    map->kid[f.n + 1 + i] = x->stores.at[i]->kid[0]->kid[0];
  }
  return map;
}

/* What scans the turns, or combines them. */
static Spectrum *scan_of(const Recurrence *x, const ScanText *text) {
  static const OperatorKind ops[] = {OPERATOR_ADD, OPERATOR_MAX, OPERATOR_MIN};
  const SourceRange where = x->codelet->where;
  if (only_adds(x)) return text->get(text->context, "scan_over", ops[x->by.kind], x->state->type, where);
  const char *name = x->stores.n ? "turns_over" : "turns_total";
  return text->of_states(text->context, name, affine_operator(x->by.kind), x->state->type, where);
}

static Symbol *local_of(const Recurrence *x, const char *name, Type type) {
  Symbol *s = symbol_new(x->a, SYMBOL_LOCAL, name, type);
  s->declared = type;
  return s;
}

/* The scan of what turns make of any number, from what makes `begin' of it; or, of what they add, from `begin'. */
static Tree *call_of(const Recurrence *x, Unit *u, const Spectrum *of, Spectrum *scan, Symbol *runs) {
  Arena *a = x->a;
  const Type type = scan->result;
  const bool adds = only_adds(x);
  const Affine begin = affine_whole(&x->by, (Affine){NULL, (Tree *)x->begin});
  Tree *turn = adds ? x->turn.add : turn_of(x, type, x->turn.by, x->turn.add);
  Tree *in = recurrence_view(x, u, of, turn, type);
  Tree *call = tree_new(a, OP_CALL, type, x->codelet->body->where, x->stores.n ? 3 : 1);
  if (!in) return NULL;
  call->spectrum = scan;
  call->kid[0] = in;
  if (!x->stores.n) return call;
  call->kid[1] = adds ? (Tree *)x->begin : turn_of(x, type, begin.by, begin.add);
  call->kid[2] = tree_ref(a, runs);
  return call;
}

/* The statements of a scan of turns, or of a reduction. */
static bool add_turns(const Recurrence *x, Unit *u, const ScanText *text, const Spectrum *of, DivideStatements *all) {
  Arena *a = x->a;
  Spectrum *scan = scan_of(x, text);
  if (!scan) return false;
  Symbol *runs = local_of(x, "turns", scan->result), *last = local_of(x, "last", scan->result);
  runs->rank = 1;
  runs->writable = true;
  runs->length = recurrence_size(x);
  Tree *map = x->stores.n ? stored_turns(x, u, of, runs) : NULL, *call = call_of(x, u, of, scan, runs);
  if (!call || (x->stores.n && !map)) return false;
  if (map) vec_push(a, all, build_declare(a, runs, NULL));
  vec_push(a, all, x->result ? build_declare(a, last, call) : tree_unary(a, OP_RUN, TYPE_VOID, call));
  if (map) vec_push(a, all, tree_unary(a, OP_MAP_RUN, TYPE_VOID, map));
  if (!x->result) return true;
  const Affine made = {field_of(x, last, "by"), field_of(x, last, "add")};
  Tree *number = map ? made.add : affine_apply(&x->by, made, (Tree *)x->begin);
  vec_push(a, all, tree_unary(a, OP_RETURN, TYPE_VOID, with_number(x, x->result, number)));
  return true;
}

Codelet *linear_turns_made(Arena *a, Unit *u, const ScanText *text, const Spectrum *of, const Codelet *alone) {
  for (int kind = 0; kind < AFFINE_KINDS; kind++) {
    Recurrence x = {.a = a, .codelet = alone, .by = {a, (AffineKind)kind, NULL, text->real}};
    DivideStatements all = {0};
    if (!linear_turns_read(&x)) continue;
    if (!add_turns(&x, u, text, of, &all)) return NULL;
    return recurrence_codelet(&x, &all, "turns");
  }
  return NULL;
}
