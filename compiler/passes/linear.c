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

bool linear_combine(Facts *f, const Linear *x, const Linear *y, int64_t factor, Linear *sum) {
  Linear r = {arena_many(f->a, Term, x->n + y->n), x->n, 0};
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

/* A sum x and a fact k <= 0 that has atoms of it. */
typedef struct Meeting {
  const Linear *x, *k;
  const Range *of_x, *of_k; /* their atoms' ranges */
  const int *in_x;          /* k's atoms' places in x; -1: it is not there */
} Meeting;

/* x = (x - k) + k <= x - k, and x = (x + k) - k >= x + k: the range that x +- k leaves to x. */
static Range bounded_by(const Meeting *m, int sign) {
  const Linear *x = m->x, *k = m->k;
  int64_t more, constant;
  if (__builtin_mul_overflow(k->constant, sign, &more) || __builtin_add_overflow(x->constant, more, &constant))
    return everything;
  __int128 lo = constant, hi = constant;
  for (int i = 0; i < x->n; i++) {
    int64_t factor = x->term[i].factor;
    for (int j = 0; j < k->n; j++) {
      if (m->in_x[j] != i) continue;
      if (__builtin_mul_overflow(k->term[j].factor, sign, &more) || __builtin_add_overflow(factor, more, &factor))
        return everything;
    }
    if (factor) add_term(&lo, &hi, factor, m->of_x[i]);
  }
  for (int j = 0; j < k->n; j++) {
    if (m->in_x[j] >= 0) continue;
    if (__builtin_mul_overflow(k->term[j].factor, sign, &more)) return everything;
    add_term(&lo, &hi, more, m->of_k[j]);
  }
  return sign < 0 ? range_of(RANGE_LOW, clamp(hi)) : range_of(clamp(lo), RANGE_HIGH);
}

/* k's atoms in x; false: none is. */
static bool find_atoms(const Linear *x, const Linear *k, int *in_x) {
  bool any = false;
  for (int j = 0; j < k->n; j++) {
    in_x[j] = x->n - 1;
    while (in_x[j] >= 0 && !atom_equal(&x->term[in_x[j]].atom, &k->term[j].atom)) in_x[j]--;
    any |= in_x[j] >= 0;
  }
  return any;
}

Range facts_range(Facts *f, const Linear *x) {
  Range few_of_x[FEW], few_of_k[FEW], *of_x = x->n <= FEW ? few_of_x : arena_many(f->a, Range, x->n);
  __int128 lo = x->constant, hi = x->constant;
  for (int i = 0; i < x->n; i++) {
    of_x[i] = narrowed(f, &x->term[i].atom);
    add_term(&lo, &hi, x->term[i].factor, of_x[i]);
  }
  Range r = range_of(clamp(lo), clamp(hi));
  for (int i = 0; i < f->known.n && x->n; i++) {
    const Linear *k = &f->known.at[i];
    int few_in_x[FEW], *in_x = k->n <= FEW ? few_in_x : arena_many(f->a, int, k->n);
    Range *of_k = k->n <= FEW ? few_of_k : arena_many(f->a, Range, k->n);
    if (!find_atoms(x, k, in_x)) continue;
    for (int j = 0; j < k->n; j++)
      if (in_x[j] < 0) of_k[j] = narrowed(f, &k->term[j].atom);
    const Meeting m = {x, k, of_x, of_k, in_x};
    r = intersect(intersect(r, bounded_by(&m, -1)), bounded_by(&m, 1));
  }
  return r;
}
