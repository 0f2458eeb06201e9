/* linear.c: sums of atoms, and their ranges, by the atoms' own and by what is known. */
#include "passes/linear.h"

bool atom_equal(const Atom *x, const Atom *y) {
  return x->kind == y->kind && x->symbol == y->symbol && x->time == y->time && tree_equal(x->tree, y->tree);
}

Linear linear_single(Facts *f, Atom atom, int64_t factor) {
  Linear x = {arena_one(f->a, Term), 1, 0};
  x.term[0] = (Term){atom, factor};
  return x;
}

/* x + factor * y, in `room', which has places for the terms of both; false when a number would overflow. */
static bool combine_in(Term *room, const Linear *x, const Linear *y, int64_t factor, Linear *sum) {
  Linear r = {room, x->n, 0};
  for (int i = 0; i < x->n; i++) r.term[i] = x->term[i];
  for (int i = 0; i < y->n; i++) {
    int64_t more;
    if (__builtin_mul_overflow(y->term[i].factor, factor, &more)) return false;
    int at = 0;
    while (at < r.n && !atom_equal(&r.term[at].atom, &y->term[i].atom)) at++;
    if (at == r.n) r.term[r.n++] = (Term){y->term[i].atom, more};
    else if (__builtin_add_overflow(r.term[at].factor, more, &r.term[at].factor)) return false;
  }
  int64_t more;
  if (__builtin_mul_overflow(y->constant, factor, &more)) return false;
  if (__builtin_add_overflow(x->constant, more, &r.constant)) return false;
  int kept = 0;
  for (int i = 0; i < r.n; i++)
    if (r.term[i].factor) r.term[kept++] = r.term[i];
  r.n = kept;
  *sum = r;
  return true;
}

bool linear_combine(Facts *f, const Linear *x, const Linear *y, int64_t factor, Linear *sum) {
  return combine_in(arena_many(f->a, Term, x->n + y->n), x, y, factor, sum);
}

Linear facts_difference(Facts *f, const Linear *x, const Linear *y) {
  Linear r;
  if (linear_combine(f, x, y, -1, &r)) return r;
  return linear_single(f, (Atom){.kind = ATOM_TREE, .time = ++f->clock, .range = everything}, 1);
}

/* An unknown bound absorbs everything that is added to it. */
static void add_term(__int128 *lo, __int128 *hi, int64_t factor, Range r) {
  const int64_t least = factor > 0 ? r.lo : r.hi, most = factor > 0 ? r.hi : r.lo;
  *lo = !bounded(least) || *lo <= RANGE_LOW ? (__int128)INT64_MIN * 2 : *lo + (__int128)factor * least;
  *hi = !bounded(most) || *hi >= RANGE_HIGH ? (__int128)INT64_MAX * 2 : *hi + (__int128)factor * most;
}

/* From the ranges of the atoms alone, but for term number `without'. */
static Range plain_range(const Linear *x, int without) {
  __int128 lo = x->constant, hi = x->constant;
  for (int i = 0; i < x->n; i++)
    if (i != without) add_term(&lo, &hi, x->term[i].factor, x->term[i].atom.range);
  return range_of(clamp(lo), clamp(hi));
}

static bool shares_atom(const Linear *x, const Linear *y) {
  for (int i = 0; i < x->n; i++)
    for (int j = 0; j < y->n; j++)
      if (atom_equal(&x->term[i].atom, &y->term[j].atom)) return true;
  return false;
}

/* c * atom + rest <= 0 bounds the atom by itself, rounded towards what is possible. */
static Range known_range(const Facts *f, const Atom *atom) {
  Range r = everything;
  for (int i = 0; i < f->known.n; i++) {
    const Linear *rest = &f->known.at[i];
    int at = 0;
    while (at < rest->n && !atom_equal(&rest->term[at].atom, atom)) at++;
    if (at == rest->n) continue;
    int64_t c = rest->term[at].factor;
    int64_t least = plain_range(rest, at).lo; /* c * atom <= -least */
    if (!bounded(least)) continue;
    int64_t q = -least / c;
    if (c > 0) q -= -least % c < 0;      /* atom <= floor(-least / c) */
    else q += least % c != 0 && least > 0; /* atom >= ceil(least / -c) */
    r = intersect(r, c > 0 ? range_of(RANGE_LOW, q) : range_of(q, RANGE_HIGH));
  }
  return r;
}

static Range narrowed(const Facts *f, const Atom *atom) {
  struct Found *all = f->found;
  if (all->knowledge != knowledge(f)) all->n = 0;
  all->knowledge = knowledge(f);
  for (int i = 0; i < all->n; i++)
    if (atom_equal(&all->at[i].atom, atom)) return intersect(atom->range, all->at[i].range);
  const Range r = known_range(f, atom);
  if (all->n < FEW) {
    all->at[all->n].atom = *atom;
    all->at[all->n++].range = r;
  }
  return intersect(atom->range, r);
}

static Range narrowed_range(const Facts *f, const Linear *x) {
  __int128 lo = x->constant, hi = x->constant;
  for (int i = 0; i < x->n; i++) add_term(&lo, &hi, x->term[i].factor, narrowed(f, &x->term[i].atom));
  return range_of(clamp(lo), clamp(hi));
}

Range facts_range(Facts *f, const Linear *x) {
  Term few[FEW];
  Range r = narrowed_range(f, x);
  for (int i = 0; i < f->known.n && x->n; i++) {
    const Linear *k = &f->known.at[i]; /* k <= 0, so x = k + rest <= rest, and x = rest - k >= rest */
    Linear rest;
    if (!shares_atom(x, k)) continue;
    Term *room = x->n + k->n <= FEW ? few : arena_many(f->a, Term, x->n + k->n);
    if (combine_in(room, x, k, -1, &rest)) r = intersect(r, range_of(RANGE_LOW, narrowed_range(f, &rest).hi));
    if (combine_in(room, x, k, 1, &rest)) r = intersect(r, range_of(narrowed_range(f, &rest).lo, RANGE_HIGH));
  }
  return r;
}
