/* recurrences.c: loops whose turns go on from what the ones before have combined,
 *
 *     T sum = begin;                                  scan_over<Sum, T>(transform(f, zip(a, b)), begin, out);
 *     for (j ..) {
 *       T v = a[j] * b[j];                            T f(T a, T b) { return a * b; }
 *       sum += v;
 *       out[j] = sum;
 *     }
 *
 * are scans, if the operator is associative: sums, products, maxima, minima, bits. What is stored before it is added
 * to is an exclusive one, scan_before. A turn that only adds if something holds adds the identity else.
 *
 * So lanes, warps and blocks have parts of them, or a grid looks back. The scans' codelets are text, as any
 * other's (codelets/common/scans_over.cdl); the loop stays its spectrum's codelet of one lane. Rows have such a loop
 * each (each_row.c).
 *
 *     long n = 0;                                   Array<1, long> place(x.Size());
 *     for (i ..)                                    long n = scan_before<Sum, long>(transform(kept, x), 0, place);
 *       if (x[i] > bound) {                         map(put<T>, elements(x), bound, elements(place), out);
 *         out[n] = x[i];                            return n;
 *         n += 1;
 *       }
 *     return n;
 *
 * Turns that make something else of it, run = a * run + x[i], are linear_turns.c's.
 *
 * A turn that stores where it counts is a compaction, where the container is __accum(Once): places are the exclusive
 * scan of flags, and each element that is kept is put to its own.
 *
 *     T sum = 0;                                    return total_over<Sum, T>(transform(f, zip(a, b)));
 *     for (i ..)
 *       if (a[i] > 0)
 *         sum += a[i] * b[i];                       T f(T a, T b) { return a > 0 ? a * b : 0; }
 *     return sum;
 *
 * A loop that stores nothing, and is all there is, is a reduction (codelets/common/totals_over.cdl). */
#include "front/recurrences.h"

#include "front/loop_sums.h"
#include "front/recurrence_parts.h"
#include "ir/build.h"
#include "ir/operator.h"

/* ---- the loop ---- */

/* `sum += v', alone or if something holds. */
static bool reads_addition(Recurrence *x, const Tree *t) {
  const Tree *condition = NULL;
  if (t->op == OP_IF && t->nkids == 2 && t->kid[1]->op == OP_SEQ && t->kid[1]->nkids == 1) {
    condition = t->kid[0];
    t = t->kid[1]->kid[0];
  }
  OperatorKind op;
  const Tree *added = operator_accumulated(t, &op);
  if (!added || t->kid[0]->symbol != x->state || x->value || op == OPERATOR_USER) return false;
  x->op = op;
  x->value = recurrence_without_names(x, added);
  if (!condition) return true;
  Tree *holds = recurrence_without_names(x, condition), *none = operator_identity(x->a, op, x->state->type);
  x->value = build_choice(x->a, holds, x->value, none);
  return true;
}

/* `out[j] = sum', cast or not. */
static bool reads_store(Recurrence *x, const Tree *t) {
  const Tree *place = t->kid[0];
  if (t->op != OP_ASSIGN || t->compound || place->op != OP_INDEX || place->nkids != 2 || x->to) return false;
  if (place->kid[0]->op != OP_REF || divide_place(x->codelet, place->kid[0]->symbol) < 0) return false;
  if (!tree_is_symbol(place->kid[1], x->head.index) || t->kid[1]->op != OP_REF) return false;
  if (t->kid[1]->symbol != x->state) return false;
  x->to = place->kid[0]->symbol;
  x->before = !x->value;
  return x->to->rank == 1 && x->to->writable && !x->to->atomic && x->to->type == x->state->type;
}

/* `if (..) { out[n] = v; n += 1; }': stores to containers that are written once, and the count of them last. */
static bool reads_kept(Recurrence *x, const Tree *t) {
  const Tree *then = t->op == OP_IF && t->nkids == 2 ? t->kid[1] : NULL;
  const int last = then && then->op == OP_SEQ ? then->nkids - 1 : 0;
  int64_t one;
  OperatorKind op;
  if (last < 1 || x->keeps || x->value || x->to) return false;
  const Tree *counted = operator_accumulated(then->kid[last], &op);
  if (!counted || op != OPERATOR_ADD || then->kid[last]->kid[0]->symbol != x->state) return false;
  if (!tree_constant(counted, &one) || one != 1 || tree_mentions(t->kid[0], x->state)) return false;
  for (int i = 0; i < last; i++) {
    const Tree *s = then->kid[i], *place = s->op == OP_ASSIGN && !s->compound ? s->kid[0] : NULL;
    if (!place || place->op != OP_INDEX || place->nkids != 2 || place->kid[0]->op != OP_REF) return false;
    const Symbol *to = place->kid[0]->symbol;
    if (divide_place(x->codelet, to) < 0 || to->rank != 1 || to->atomic != ATOMIC_ONCE) return false;
    if (!tree_is_symbol(place->kid[1], x->state) || tree_mentions(s->kid[1], x->state)) return false;
  }
  x->keeps = then;
  x->kept = recurrence_without_names(x, t->kid[0]);
  return true;
}

static bool reads_turn(Recurrence *x, const Tree *body) {
  if (body->op != OP_SEQ) return false;
  for (int i = 0; i < body->nkids; i++) {
    const Tree *t = body->kid[i];
    if (t->op == OP_DECLARE) {
      if (!t->nkids || !loop_is_number(t->symbol) || tree_assigns(body, t->symbol)) return false;
      const Known one = {t->symbol, recurrence_without_names(x, t->kid[0])};
      if (tree_mentions(one.is, x->state)) return false;
      vec_push(x->a, &x->known, one);
    } else if (!reads_kept(x, t) && (x->keeps || (!reads_addition(x, t) && !reads_store(x, t)))) return false;
  }
  if (x->keeps) return !x->totals;
  if (x->totals) return x->value && !x->to && !tree_mentions(x->value, x->state) && x->value->type == x->state->type;
  return x->value && x->to && !tree_mentions(x->value, x->state) && !tree_mentions(x->value, x->to) &&
         x->value->type == x->state->type;
}

static bool recurrences_read(Recurrence *x) {
  const Tree *body = loops_sized(x->a, x->codelet);
  const int at = recurrence_reads_numbers(x, body), rest = body->nkids - at - 1;
  if (at < 0 || rest > 1) return false;
  const Tree *last = rest ? body->kid[at + 1] : NULL;
  if (last && (last->op != OP_RETURN || !tree_is_symbol(last->kid[0], x->state))) return false;
  x->returns = last != NULL;
  if (!loops_head(x->a, body->kid[at], &x->head)) return false;
  recurrence_end_as_size(x->a, x->codelet, body->kid[at], &x->head);
  if (!recurrence_counts_elements(x)) return false;
  if (!reads_turn(x, body->kid[at]->kid[3])) return false;
  int64_t none;
  return x->keeps ? tree_constant(x->begin, &none) && none == 0 : recurrence_is_scanned_type(x->state->type);
}

/* ---- the codelet ---- */

/* 1 if it is kept: what is scanned, and what is asked of what is put, in the same words. */
static Tree *flag_of(Arena *a, Tree *kept) {
  return build_choice(a, kept, tree_int(a, TYPE_LONG, 1), tree_int(a, TYPE_LONG, 0));
}

/* map(put, elements(x), bound, elements(place), out); NULL: what is stored is no function of the turn's elements. */
static Tree *stored_places(const Recurrence *x, Unit *u, const Spectrum *of, Symbol *place) {
  Arena *a = x->a;
  Function f = {.of = x, .ok = true};
  const int stores = x->keeps->nkids - 1;
  Tree *holds = recurrence_of_element(&f, x->kept);
  DivideStatements all = {0};
  Symbol *at = symbol_new(a, SYMBOL_PARAM, "place", TYPE_INDEX);
  VEC(Symbol *) to = {0};
  at->declared = TYPE_LONG;
  for (int i = 0; i < stores; i++) {
    const Tree *t = x->keeps->kid[i];
    Symbol *out = arena_one(a, Symbol);
    *out = *t->kid[0]->kid[0]->symbol;
    for (int d = 0; d < MOST_RANK; d++) out->shape[d] = (ShapeRule){.said = false};
    vec_push(a, &to, out);
    Tree *value = recurrence_of_element(&f, recurrence_without_names((Recurrence *)x, t->kid[1]));
    vec_push(a, &all, build_assign(a, build_element(a, out, tree_ref(a, at)), value));
    all.at[i]->where = t->where;
  }
  if (!f.ok || f.n + 1 + stores > MOST_OPERANDS) return NULL;
  Tree *set = tree_binary(a, OP_NE, TYPE_BOOL, flag_of(a, holds), tree_int(a, TYPE_LONG, 0));
  Tree *put = build_if(a, set, tree_seq(a, all.at, all.n));
  Spectrum *s = recurrence_spectrum(x, divide_spectrum(a, u, of, "put"), &f, 1 + stores, put, TYPE_VOID);
  Tree *map = tree_new(a, OP_MAP, TYPE_CONTAINER, x->codelet->body->where, f.n + 1 + stores);
  map->spectrum = s;
  for (int i = 0; i < f.n; i++)
    map->kid[i] = f.given[i]->op == OP_REPEAT ? f.given[i]->kid[0]
                                              : tree_unary(a, OP_ELEMENTS, TYPE_CONTAINER, f.given[i]);
  s->codelets[0]->params[f.n] = at;
  map->kid[f.n] = tree_unary(a, OP_ELEMENTS, TYPE_CONTAINER, tree_ref(a, place));
  for (int i = 0; i < stores; i++) {
    s->codelets[0]->params[f.n + 1 + i] = to.at[i];
    map->kid[f.n + 1 + i] = x->keeps->kid[i]->kid[0]->kid[0];
  }
  return map;
}

/* The statements of a compaction. */
static bool add_places(const Recurrence *x, Unit *u, const ScanText *text, const Spectrum *of, DivideStatements *all) {
  Arena *a = x->a;
  Spectrum *scan = text->get(text->context, "scan_before", OPERATOR_ADD, TYPE_LONG, x->codelet->where);
  Symbol *place = symbol_new(a, SYMBOL_LOCAL, "place", TYPE_LONG);
  Symbol *count = symbol_new(a, SYMBOL_LOCAL, "count", TYPE_LONG);
  Tree *map = scan ? stored_places(x, u, of, place) : NULL;
  Tree *in = map ? recurrence_view(x, u, of, flag_of(a, x->kept), TYPE_LONG) : NULL;
  if (!in) return false;
  place->declared = count->declared = TYPE_LONG;
  place->rank = 1;
  place->writable = true;
  place->length = recurrence_size(x);
  Tree *call = tree_new(a, OP_CALL, TYPE_LONG, x->codelet->body->where, 3);
  call->spectrum = scan;
  call->kid[0] = in;
  call->kid[1] = tree_int(a, TYPE_LONG, 0);
  call->kid[2] = tree_ref(a, place);
  vec_push(a, all, build_declare(a, place, NULL));
  vec_push(a, all, x->returns ? build_declare(a, count, call) : tree_unary(a, OP_RUN, TYPE_VOID, call));
  vec_push(a, all, tree_unary(a, OP_MAP_RUN, TYPE_VOID, map));
  if (x->returns) vec_push(a, all, tree_unary(a, OP_RETURN, TYPE_VOID, tree_ref(a, count)));
  return true;
}

static Codelet *compaction(const Recurrence *x, Unit *u, const ScanText *text, const Spectrum *of) {
  DivideStatements all = {0};
  return add_places(x, u, text, of, &all) ? recurrence_codelet(x, &all, "placed") : NULL;
}

Codelet *recurrences_made(Arena *a, Unit *u, const ScanText *text, const Spectrum *of, const Codelet *alone) {
  Recurrence x = {.a = a, .codelet = alone};
  if (alone->nenv || alone->native || !alone->body) return NULL;
  if (!recurrences_read(&x)) return linear_turns_made(a, u, text, of, alone);
  if (x.keeps) return compaction(&x, u, text, of);
  if (!recurrence_is_as_long(&x, x.to)) return NULL;
  Spectrum *scan = text->get(text->context, x.before ? "scan_before" : "scan_over", x.op, x.state->type, alone->where);
  Tree *in = scan ? recurrence_view(&x, u, of, x.value, x.state->type) : NULL;
  if (!in) return NULL;
  Codelet *k = divide_codelet(a, alone, alone->spectrum, "scanned");
  Tree *call = tree_new(a, OP_CALL, x.state->type, x.value->where, 3);
  call->spectrum = scan;
  call->kid[0] = in;
  call->kid[1] = (Tree *)x.begin;
  call->kid[2] = tree_ref(a, x.to);
  Tree *run = tree_unary(a, x.returns ? OP_RETURN : OP_RUN, TYPE_VOID, call);
  run->where = x.value->where;
  const Copies copies = {alone, k->params};
  k->body = tree_rewrite(a, tree_clone(a, tree_seq(a, &run, 1)), recurrence_of_copies, (void *)&copies);
  k->body->where = alone->body->where;
  return k;
}

/* The codelet that returns what a reduction makes of a view; NULL: the loop is no such. */
static Codelet *total(Arena *a, Unit *u, const ScanText *text, const Spectrum *of, const Codelet *alone) {
  Recurrence x = {.a = a, .codelet = alone, .totals = true};
  if (alone->nenv || alone->native || alone->coop_declared || alone->matrix || !alone->body || !recurrences_read(&x))
    return NULL;
  if (!x.returns || x.state->type != of->result || !operator_is_identity(x.op, x.begin)) return NULL;
  Spectrum *totals = text->get(text->context, "total_over", x.op, x.state->type, alone->where);
  Tree *in = totals ? recurrence_view(&x, u, of, x.value, x.state->type) : NULL;
  if (!in) return NULL;
  Codelet *k = divide_codelet(a, alone, alone->spectrum, "totalled");
  Tree *call = tree_unary(a, OP_CALL, x.state->type, in), *result = tree_unary(a, OP_RETURN, TYPE_VOID, call);
  call->spectrum = totals;
  call->where = result->where = alone->body->where;
  const Copies copies = {alone, k->params};
  k->body = tree_rewrite(a, tree_clone(a, tree_seq(a, &result, 1)), recurrence_of_copies, (void *)&copies);
  k->body->where = alone->body->where;
  return k;
}

void recurrences_add_totals(Arena *a, Unit *u, const ScanText *text) {
  for (int i = 0, n = u->nspectra; i < n; i++) {
    Spectrum *s = u->spectra[i];
    if (s->ncodelets != 1 || s->operators || s->monoid || s->result == TYPE_VOID || divide_is_left(u, s)) continue;
    Codelet *k = total(a, u, text, s, s->codelets[0]);
    if (k) divide_add(a, s, k);
  }
}

bool recurrences_whole(Arena *a, const Codelet *alone, bool real) {
  Recurrence x = {.a = a, .codelet = alone};
  if (recurrences_read(&x)) return true;
  for (int kind = 0; kind < AFFINE_KINDS; kind++) {
    Recurrence y = {.a = a, .codelet = alone, .by = {a, (AffineKind)kind, NULL, real}};
    if (linear_turns_read(&y)) return true;
  }
  return false;
}

bool recurrences_fit(Arena *a, const Codelet *alone, bool real) {
  Recurrence x = {.a = a, .codelet = alone};
  if (recurrences_read(&x)) return !x.keeps && recurrence_is_as_long(&x, x.to);
  for (int kind = 0; kind < AFFINE_KINDS; kind++) {
    Recurrence y = {.a = a, .codelet = alone, .by = {a, (AffineKind)kind, NULL, real}};
    if (linear_turns_read(&y)) return y.stores.n > 0;
  }
  return false;
}

void recurrences_add(Arena *a, Unit *u, const ScanText *text) {
  for (int i = 0, n = u->nspectra; i < n; i++) {
    Spectrum *s = u->spectra[i];
    if (s->ncodelets != 1 || divide_is_shared_out(u, s)) continue;
    Codelet *k = recurrences_made(a, u, text, s, s->codelets[0]);
    if (k) divide_add(a, s, k);
  }
}
