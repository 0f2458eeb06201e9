/* ranges.c: from measurements to a table.
 *
 * At each measured size the candidate with the least time wins: the geometric mean of a call's in a graph, on a stream
 * and alone, each as far as it is beyond the noise between turns. A winner stays for the next size as long as it is
 * within the noise of the best. Between two sizes the border is their geometric mean.
 *
 * Of shapes it is the same both ways: a band for each size of the parts, cut by how many there are. A shape that was
 * not measured is served as the nearest one that was, by the powers of two of its parts and of all. What has a text for
 * parts of exactly the size that was measured serves that size alone, in a band of its own; around it is what wins
 * without. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tune/tune.h"

/* Within so much of the best nobody can tell; more where a measurement's own spread is more. */
static const double noise_least = 0.01, noise_most = 0.03;

double objective_time(const Timing *mode, Objective o) {
  double graph = mode[MODE_GRAPH].median, stream = mode[MODE_STREAM].median, sync = mode[MODE_SYNC].median;
  if (o == OBJECTIVE_GRAPH) return graph > 0 ? graph : INFINITY;
  if (graph <= 0 || stream <= 0) return INFINITY;
  if (o == OBJECTIVE_STREAM) return stream;
  return sync > 0 ? cbrt(graph * stream * sync) : sqrt(graph * stream);
}

bool candidate_equal(const Candidate *x, const Candidate *y) {
  return x->variant == y->variant && tunables_equal(&x->set, &y->set);
}

bool candidate_is_even(const Folder *f, const char *type, const Candidate *c, uint64_t n) {
  const TunedVariant *v = c->variant;
  const int64_t set = tunables_value(&c->set, "loads");
  const uint64_t loads = (uint64_t)(set ? set : tunables_value(&v->tunables, "loads"));
  for (int i = 0; v->even && i < f->ntypes; i++)
    if (strcmp(f->types[i], type) == 0) return n > 0 && n == (uint64_t)v->even[i] * loads;
  return false;
}

static double noise_of(const Finding *f) {
  const Timing *t = &f->mode[MODE_GRAPH];
  double spread = t->median > 0 ? (t->high - t->low) / t->median : 0;
  return spread < noise_least ? noise_least : spread > noise_most ? noise_most : spread;
}

static int ascending(const void *x, const void *y) {
  double a = *(const double *)x, b = *(const double *)y;
  return a < b ? -1 : a > b;
}

/* By how much a candidate's turns differ at this size: the median over all candidates, of the time. The host's share of
 * a call on a stream may differ by a tenth from one turn to the next. */
static double noise_between_turns(const SizeFindings *s, Mode m) {
  enum { MOST = 256 };
  double apart[MOST];
  int n = 0;
  for (int i = 0; i < s->list.n && n < MOST; i++) {
    const Finding *f = &s->list.at[i];
    if (f->worst[m] > 0 && f->mode[m].median > 0) apart[n++] = f->worst[m] / f->mode[m].median - 1;
  }
  qsort(apart, (size_t)n, sizeof *apart, ascending);
  return n ? apart[n / 2] : 0;
}

static double least(const SizeFindings *s, Mode m) {
  double best = INFINITY;
  for (int i = 0; i < s->list.n; i++) {
    const Finding *f = &s->list.at[i];
    if (f->mode[m].median > 0) best = fmin(best, f->mode[m].median + f->waiting);
  }
  return best;
}

/* The objective, what waiting costs in it, with what is as good as the best within the noise taken for the best. */
static double time_beyond_noise(const SizeFindings *s, const Finding *f, Objective o) {
  Timing mode[MODES];
  memcpy(mode, f->mode, sizeof mode);
  for (Mode m = MODE_GRAPH; m < MODES; m++)
    if (mode[m].median > 0)
      mode[m].median = fmax((mode[m].median + f->waiting) / (1 + noise_between_turns(s, m)), least(s, m));
  return objective_time(mode, o);
}

/* Which of two that are equal beyond the noise? One that wakes threads: where memory is slow for a while one thread is
 * as fast as all, and it is not always slow. Else the least time in a graph, which the host does not disturb. */
static bool comes_first(const Finding *f, const Finding *g) {
  const bool wakes_f = f->waiting > 0, wakes_g = g->waiting > 0;
  return wakes_f != wakes_g ? wakes_f : f->mode[MODE_GRAPH].median < g->mode[MODE_GRAPH].median;
}

/* Who takes part: `uneven': but those whose text is for parts of that size. */
typedef struct Race { const Folder *folder; const char *type; Objective objective; bool uneven; unsigned when; } Race;

/* Where one thread leads, is there one that wakes threads and is the better one when both are at their best? Two
 * processors may have what one has, and memory its neighbours, in most of the visits to a size: then one thread loses
 * nothing, and threads lose all they gain. */
static const Finding *better_at_best(const Race *race, const SizeFindings *s, const Finding *one) {
  const Finding *best = NULL;
  for (int i = 0; i < s->list.n; i++) {
    const Finding *f = &s->list.at[i];
    if (race->uneven && candidate_is_even(race->folder, race->type, &f->candidate, s->at.n)) continue;
    if (f->waiting <= 0 || f->good <= 0 || f->good + f->waiting >= one->good / (1 + noise_most)) continue;
    if (!best || f->good < best->good) best = f;
  }
  return best;
}

static const Finding *winner(const Race *race, const SizeFindings *s, const Finding *before) {
  const Objective o = race->objective;
  const Finding *best = NULL, *stays = NULL;
  double least = INFINITY, stay = INFINITY;
  for (int i = 0; i < s->list.n; i++) {
    const Finding *f = &s->list.at[i];
    if (race->uneven && candidate_is_even(race->folder, race->type, &f->candidate, s->at.n)) continue;
    double t = time_beyond_noise(s, f, o);
    if (isinf(t)) continue;
    if (!best || t < least || (t == least && comes_first(f, best))) {
      best = f;
      least = t;
    }
    if (before && candidate_equal(&f->candidate, &before->candidate)) { stays = f; stay = t; }
  }
  const Finding *woken = best && best->waiting <= 0 ? better_at_best(race, s, best) : NULL;
  if (woken) return woken;
  if (best && stays && stay <= least * (1 + noise_of(best))) return stays;
  return best;
}

/* What was measured, for people. */
static const char *comment_of(Arena *a, const Folder *folder, Shape at, const Timing *mode) {
  const double first = mode[MODE_GRAPH].median, second = mode[MODE_STREAM].median;
  const char *where = shape_text(a, at);
  if (folder->cpu) return arena_printf(a, "at %s: %.3f us", where, first);
  return arena_printf(a, "at %s: %.2f us in a graph, %.2f on a stream", where, first, second);
}

/* A row for what won there, without an end. */
static TableRow row_for(Arena *a, const Race *race, const Finding *f, Shape at) {
  const Folder *folder = race->folder;
  const TunedVariant *v = f->candidate.variant;
  Tunables set = tunables_copy(a, &f->candidate.set);
  for (int i = 0; i < v->compiled.n && folder->cpu; i++) /* a CPU's vector has the lanes that it has */
    if (v->compiled.at[i].max == v->compiled.at[i].min) tunables_set(a, &set, v->compiled.at[i].name, 0);
  return (TableRow){.type = race->type, .variant = v->id, .up_to = UINT64_MAX, .when = race->when, .set = set,
                    .comment = comment_of(a, folder, at, f->mode)};
}

static uint64_t border(uint64_t x, uint64_t y) { return (uint64_t)sqrt((double)x * (double)y); }

/* ---- sizes ---- */

static void add_sizes(Arena *a, const Race *race, Table *t, const SizeFindings *findings, int n) {
  const Finding *before = NULL;
  uint64_t size = 0;
  for (int i = 0; i < n; i++) {
    const Finding *f = winner(race, &findings[i], before);
    if (!f) continue;
    if (!before || !candidate_equal(&f->candidate, &before->candidate)) {
      if (before) t->rows.at[t->rows.n - 1].up_to = border(size, findings[i].at.n);
      TableRow r = row_for(a, race, f, findings[i].at);
      vec_push(a, &t->rows, r);
      before = f;
    }
    size = findings[i].at.n;
  }
}

/* ---- shapes ---- */

/* What serves one: what won there or, where nothing was measured, at the nearest shape; and what serves parts of that
 * very size, since its text is for them; NULL: nothing else does. */
typedef struct Cell { const Finding *wins, *even; Shape at, even_at; } Cell;
typedef VEC(uint64_t) Axis;

/* All sizes that were measured, and all numbers of parts; cells by size, then by number. */
typedef struct Plane { Axis n, count; Cell *cells; } Plane;

static void put(Arena *a, Axis *axis, uint64_t value) {
  int i = 0;
  while (i < axis->n && axis->at[i] < value) i++;
  if (i < axis->n && axis->at[i] == value) return;
  vec_push(a, axis, value);
  memmove(axis->at + i + 1, axis->at + i, (size_t)(axis->n - 1 - i) * sizeof *axis->at);
  axis->at[i] = value;
}

static Cell *cell(const Plane *p, int i, int k) { return &p->cells[i * p->count.n + k]; }

/* By the size of the parts, and by all of their elements: it is these that keep a machine busy. */
static double distance(Shape x, Shape y) {
  const double n = log2((double)x.n) - log2((double)y.n);
  return hypot(n, n + log2((double)x.count) - log2((double)y.count));
}

static Cell nearest(const SizeFindings *findings, int n, const Cell *won, Shape at) {
  Cell best = {0};
  double least = INFINITY;
  for (int i = 0; i < n; i++) {
    const double d = distance(findings[i].at, at);
    if (!won[i].wins || d >= least) continue;
    best = won[i];
    least = d;
  }
  return best;
}

/* What has a text for parts of that size, where as many of them were not measured: as with the number next to
 * theirs. */
static void take_even(Cell *c, const SizeFindings *findings, int n, const Cell *won, Shape at) {
  double least = INFINITY;
  c->even = NULL;
  for (int i = 0; i < n; i++) {
    if (findings[i].at.n != at.n || !won[i].wins || distance(findings[i].at, at) >= least) continue;
    least = distance(findings[i].at, at);
    c->even = won[i].even;
    c->even_at = findings[i].at;
  }
}

/* What wins at each shape that was measured: where it can be, what wins with fewer parts, or else with smaller ones. */
static Cell *winners(Arena *a, const Plane *p, const SizeFindings *findings, int n, Race race) {
  Cell *won = arena_many(a, Cell, n);
  for (int i = 0; i < p->n.n; i++)
    for (int k = 0; k < p->count.n; k++)
      for (int j = 0; j < n; j++) {
        const SizeFindings *f = &findings[j];
        if (f->at.n != p->n.at[i] || f->at.count != p->count.at[k]) continue;
        const Finding *before = k > 0 ? cell(p, i, k - 1)->wins : NULL;
        if (!before && i > 0) before = cell(p, i - 1, k)->wins;
        race.uneven = false;
        const Finding *best = winner(&race, f, NULL);
        const bool even = best && candidate_is_even(race.folder, race.type, &best->candidate, f->at.n);
        race.uneven = true;
        const Finding *wins = winner(&race, f, before);
        won[j] = (Cell){wins ? wins : best, even ? best : NULL, f->at, f->at};
        *cell(p, i, k) = won[j];
      }
  return won;
}

static const Finding *served(const Cell *c, bool even) { return even && c->even ? c->even : c->wins; }

static bool same(const Cell *x, const Cell *y, bool even) {
  return candidate_equal(&served(x, even)->candidate, &served(y, even)->candidate);
}

static bool same_band(const Plane *p, int i, int j) {
  for (int k = 0; k < p->count.n; k++)
    if (!same(cell(p, i, k), cell(p, j, k), false)) return false;
  return true;
}

static bool has_even(const Plane *p, int i) {
  for (int k = 0; k < p->count.n; k++)
    if (cell(p, i, k)->even) return true;
  return false;
}

/* Up to that size, unless smaller ones are served up to there. */
static void add_band(Arena *a, const Race *race, Table *t, const Plane *p, int i, uint64_t up_to, bool even) {
  const int last = p->count.n - 1;
  const TableRow *before = t->rows.n ? &t->rows.at[t->rows.n - 1] : NULL;
  const bool follows = before && strcmp(before->type, race->type) == 0 && before->when == race->when;
  if (up_to == 0 || (follows && before->up_to >= up_to)) return;
  for (int k = 0; k <= last; k++) {
    const Cell *c = cell(p, i, k);
    if (k < last && same(c, c + 1, even)) continue;
    TableRow r = row_for(a, race, served(c, even), even && c->even ? c->even_at : c->at);
    r.up_to = up_to;
    if (k < last) r.count = border(p->count.at[k], p->count.at[k + 1]);
    vec_push(a, &t->rows, r);
  }
}

static void add_shapes(Arena *a, const Race *race, Table *t, const SizeFindings *findings, int n) {
  Plane p = {0};
  for (int i = 0; i < n; i++) {
    put(a, &p.n, findings[i].at.n);
    put(a, &p.count, findings[i].at.count);
  }
  p.cells = arena_many(a, Cell, p.n.n * p.count.n);
  const Cell *won = winners(a, &p, findings, n, *race);
  for (int i = 0; i < p.n.n; i++)
    for (int k = 0; k < p.count.n; k++) {
      const Shape at = {.n = p.n.at[i], .count = p.count.at[k]};
      Cell *c = cell(&p, i, k);
      if (!c->wins) *c = nearest(findings, n, won, at);
      if (!c->wins) return; /* nothing won anywhere */
      if (c->at.n != at.n) take_even(c, findings, n, won, at);
    }
  for (int i = 0; i < p.n.n; i++) {
    const bool last = i + 1 == p.n.n;
    if (has_even(&p, i)) {
      add_band(a, race, t, &p, i, p.n.at[i] - 1, false);
      add_band(a, race, t, &p, i, p.n.at[i], true);
    }
    if (last || !same_band(&p, i, i + 1))
      add_band(a, race, t, &p, i, last ? UINT64_MAX : border(p.n.at[i], p.n.at[i + 1]), false);
  }
}

void ranges_add(Arena *a, const Folder *folder, Table *t, const char *type, unsigned when, const SizeFindings *findings,
                int n, Objective objective) {
  const Race race = {folder, type, objective, false, when};
  if (folder->by_shape) add_shapes(a, &race, t, findings, n);
  else add_sizes(a, &race, t, findings, n);
}
