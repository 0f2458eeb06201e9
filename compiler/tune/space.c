/* space.c: what is measured, and in which order.
 *
 * The whole product of variants, configurations and sizes would take hours. So it goes in two rounds.
 *
 *   coarse  at every fourth power of two: every variant as it comes, a quick look; of the best few every
 *           configuration that is compiled; of the best of those, several values of what is chosen at launch: how many
 *           blocks there are. A variant that is far behind and falls back
 *           further from size to size is left out.
 *   fine    at every size: the leaders of the coarse sizes around it, in turns. A CPU's turns come in several visits to
 *           each size, with all other sizes in between: a machine may be another one for a second.
 *
 * What the database knows is not measured again, so a run that was stopped goes on where it was. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tune/tune.h"

enum { MOST_BLOCKS = 16 };
enum { LEADERS = 8, OF_ONE_VARIANT = 3, OF_ONE_KIND = 5, UNEVEN = 3, EACH_WAY = 8, CONFIGURED = 6, SPREAD = 6 };
static const double quick_us = 1500, turn_us = 4000, far_behind = 3;
/* Calls of a CPU that take less have more turns: these are no longer than twice their budget, and new data soon
 * made. */
static const double short_us = 2000;
/* On a CPU that many elements are too few for all threads, or too many for one, to be looked at in vain. */
static const uint64_t too_few = 1 << 9, too_many = 1 << 21;

typedef struct Quick { Candidate c; double us; } Quick;
typedef VEC(Quick) Quicks;

typedef struct Coarse { Shape at; Quicks leaders; } Coarse;

typedef struct Round {
  Search *s;
  const char *type;
  double *ratio, *before;  /* of each variant at the last coarse size and the one before; 0: not measured */
  bool failed;             /* no worker any more, or interrupted */
} Round;

/* ---- one measurement ---- */

static bool measure(Round *r, const Candidate *c, Shape at, int turn, Measured *m) {
  Search *s = r->s;
  const char *modes = s->folder->cpu ? "g" : turn ? "gsy" : "gs";
  if (s->interrupted && s->interrupted()) { r->failed = true; return false; }
  if (database_find(s->database, s->device, s->folder, r->type, c, at, modes, turn, m)) s->known++;
  else {
    if (!worker_measure(s->worker, s->folder, r->type, c, at, modes, turn ? turn_us : quick_us, s->timeout, m)) {
      r->failed = true;
      return false;
    }
    s->measured++;
    s->failures[m->failed] += m->failed != FAILED_NOT;
    if (!database_store(s->database, s->device, s->folder, r->type, c, at, turn, m)) {
      s->unwritable = arena_strdup(s->arena, database_error(s->database));
      r->failed = true;
      return false;
    }
  }
  return m->failed == FAILED_NOT;
}

/* What is chosen at launch: how many blocks there are, on a CPU how many threads; NULL: nothing is. */
static const Tunable *at_launch(const TunedVariant *v) {
  for (int i = 0; i < v->tunables.n; i++)
    if (v->tunables.at[i].at_launch) return &v->tunables.at[i];
  return NULL;
}

static int64_t launched(const Candidate *c) {
  const Tunable *t = at_launch(c->variant);
  return t ? tunables_value(&c->set, t->name) : 0;
}

/* .. in that number. */
static Candidate launched_in(Arena *a, const Candidate *c, int64_t number) {
  const Tunable *t = at_launch(c->variant);
  Candidate other = {c->variant, tunables_copy(a, &c->set)};
  if (t) tunables_set(a, &other.set, t->name, number);
  return other;
}

/* Does it wake threads? One part wakes none, and a plan without parts has one thread for all. */
static bool wakes_threads(const Search *s, const Candidate *c) {
  return s->folder->cpu && at_launch(c->variant) && launched(c) != 1;
}

/* What is measured are calls one after the other, whose threads stay awake. One call in five hundred is taken to find
 * them asleep, which costs some 50 microseconds: so threads come in where they gain more than that part of it. */
static double waiting_for_threads(const Search *s, const Candidate *c) {
  const double waking_us = 50, one_in = 500;
  return wakes_threads(s, c) ? waking_us / one_in : 0;
}

static int by_time(const void *x, const void *y) {
  const Quick *a = x, *b = y;
  return a->us < b->us ? -1 : a->us > b->us;
}

static void look(Round *r, Quicks *to, const Candidate *c, Shape at) {
  Measured m;
  if (r->failed || !measure(r, c, at, 0, &m)) return;
  Quick q = {*c, objective_time(m.mode, r->s->objective) + waiting_for_threads(r->s, c)};
  vec_push(r->s->arena, to, q);
}

static bool is_among(const Quicks *q, const Candidate *c) {
  for (int i = 0; i < q->n; i++)
    if (candidate_equal(&q->at[i].c, c)) return true;
  return false;
}

static void sort(Quicks *q) {
  if (q->n) qsort(q->at, (size_t)q->n, sizeof *q->at, by_time);
}

/* ---- coarse ---- */

static bool keeps_promise(const Search *s, const TunedVariant *v, const char *type) {
  Determinism has;
  if (folder_is_exact(s->folder, type)) return true;
  return determinism_by_name(v->determinism, &has) && has >= s->determinism;
}

/* With other values of tunables it may add up in another order: what is to be the same on every GPU keeps its
 * own. */
static bool may_be_configured(const Round *r) {
  return folder_is_exact(r->s->folder, r->type) || r->s->determinism < DETERMINISM_GPU_TO_GPU;
}

/* May it have a text for parts of that size, in some configuration? */
static bool may_be_even(const Round *r, TunedVariant *v, uint64_t n) {
  const Configurations *all = build_configurations(r->s->arena, v);
  for (int i = 0; v->even && i < all->n; i++) {
    const Candidate c = {v, all->at[i]};
    if (candidate_is_even(r->s->folder, r->type, &c, n)) return true;
  }
  return false;
}

static bool is_for(const TunedVariant *v, const char *type) {
  for (int i = 0; i < v->ntypes; i++)
    if (strcmp(v->types[i], type) == 0) return true;
  return false;
}

static bool left_out(const Round *r, int variant, uint64_t n) {
  TunedVariant *v = &r->s->folder->variants[variant];
  if (v->broken || !v->object || !is_for(v, r->type) || !keeps_promise(r->s, v, r->type)) return true;
  if (r->s->folder->cpu) return false; /* who is far behind alone may lead where there is work for all threads */
  if (may_be_even(r, v, n)) return false;
  return r->ratio[variant] > far_behind && r->before[variant] > 0 && r->ratio[variant] >= r->before[variant];
}

/* On a CPU also by one thread: to wake others costs more than a small problem. */
static bool may_serve(const Search *s, const TunedVariant *v, int64_t blocks, Shape at) {
  const uint64_t n = shape_elements(at);
  if (blocks == 0) return !s->folder->cpu || !at_launch(v) || n > too_few;
  return s->folder->cpu && at_launch(v) && s->device->units > 1 && n < too_many;
}

/* Every variant in its own configuration. */
static void all_variants(Round *r, Shape at, Quicks *q) {
  const Folder *f = r->s->folder;
  for (int i = 0; i < f->nvariants; i++) {
    TunedVariant *v = &f->variants[i];
    if (left_out(r, i, at.n)) continue;
    const Candidate own = {v, build_configurations(r->s->arena, v)->at[0]};
    for (int64_t blocks = 0; blocks <= 1; blocks++) {
      const Candidate c = launched_in(r->s->arena, &own, blocks);
      if (may_serve(r->s, v, blocks, at)) look(r, q, &c, at);
    }
  }
  sort(q);
  for (int i = 0; i < f->nvariants; i++) r->before[i] = r->ratio[i];
  for (int i = q->n - 1; i >= 0; i--) /* the best of each is the last to count */
    r->ratio[q->at[i].c.variant - f->variants] = q->at[i].us / q->at[0].us;
}

/* The best few variants in all their configurations. */
static void all_configurations(Round *r, Shape at, Quicks *q) {
  Quicks more = {0};
  for (int i = 0; i < q->n && i < CONFIGURED; i++) {
    TunedVariant *v = q->at[i].c.variant;
    const Configurations *all = build_configurations(r->s->arena, v);
    for (int j = 1; j < all->n; j++) { /* the first is its own */
      const Candidate one = {v, all->at[j]}, c = launched_in(r->s->arena, &one, launched(&q->at[i].c));
      look(r, &more, &c, at);
    }
  }
  for (int i = 0; i < more.n; i++) vec_push(r->s->arena, q, more.at[i]);
  sort(q);
}

/* The numbers of blocks that are tried: of a GPU by its multiprocessors, and of parts as many as there may be, one turn
 * each; of a CPU powers of two of threads, fewer than all, which are the variant's own. */
static int numbers_of_blocks(const Search *s, const Tunable *t, int64_t *to) {
  static const double per_unit[] = {0.25, 0.5, 1, 2, 4, 8};
  int n = 0;
  for (int64_t threads = 1; s->folder->cpu && threads < s->device->units && n < MOST_BLOCKS; threads *= 2)
    to[n++] = threads;
  for (size_t k = 0; !s->folder->cpu && k < sizeof per_unit / sizeof *per_unit; k++) {
    int64_t blocks = (int64_t)(per_unit[k] * s->device->units);
    if (t->max && blocks > t->max) blocks = t->max >> k;
    if (blocks >= 2 && blocks != t->value) to[n++] = blocks;
  }
  if (s->folder->by_shape && !s->folder->cpu && t->max > t->value && n < MOST_BLOCKS) to[n++] = t->max;
  return n;
}

/* The best of those with other numbers of blocks. */
static void all_blocks(Round *r, Shape at, Quicks *q) {
  Quicks more = {0};
  int tried = 0;
  for (int i = 0; i < q->n && tried < SPREAD; i++) {
    const Tunable *t = at_launch(q->at[i].c.variant);
    if (!t) continue;
    tried++;
    int64_t numbers[MOST_BLOCKS];
    const int count = numbers_of_blocks(r->s, t, numbers);
    for (int k = 0; k < count; k++) {
      const Candidate c = launched_in(r->s->arena, &q->at[i].c, numbers[k]);
      if (!is_among(q, &c) && !is_among(&more, &c)) look(r, &more, &c, at);
    }
  }
  for (int i = 0; i < more.n; i++) vec_push(r->s->arena, q, more.at[i]);
  sort(q);
}

/* Do both begin alike, as in "grid.tiled!atomic("? Then they use the grid alike. */
static bool same_kind(const TunedVariant *x, const TunedVariant *y) {
  size_t n = strcspn(x->plan, "(");
  return n == strcspn(y->plan, "(") && strncmp(x->plan, y->plan, n) == 0;
}

/* The best by one thread and the best by more stay on a CPU, some of each: which of them are the better ones a quick
 * look tells badly where the machine has other work, or has for a while what one processor has. */
static void add_best_by(const Search *s, Quicks *to, const Quicks *all, bool threads) {
  for (int i = 0, found = 0; i < all->n && found < EACH_WAY; i++) {
    if (wakes_threads(s, &all->at[i].c) != threads) continue;
    if (!is_among(to, &all->at[i].c)) vec_push(s->arena, to, all->at[i]);
    found++;
  }
}

/* Those whose text is for parts of exactly this size need others beside them, for the sizes around. */
static void add_best_uneven(const Round *r, Shape at, Quicks *to, const Quicks *all) {
  const Folder *f = r->s->folder;
  int uneven = 0;
  for (int i = 0; i < to->n; i++) uneven += !candidate_is_even(f, r->type, &to->at[i].c, at.n);
  if (uneven == to->n) return;
  for (int i = 0; i < all->n && uneven < UNEVEN; i++) {
    if (candidate_is_even(f, r->type, &all->at[i].c, at.n) || is_among(to, &all->at[i].c)) continue;
    vec_push(r->s->arena, to, all->at[i]);
    uneven++;
  }
}

/* Of one variant and of one kind only some: a quick look tells nothing of a call alone, where two grids cost the host
 * more than one. */
static Quicks best_few(const Round *r, Shape at, const Quicks *all) {
  Arena *a = r->s->arena;
  const Folder *f = r->s->folder;
  Quicks few = {0};
  for (int i = 0; i < all->n && few.n < LEADERS; i++) {
    int alike = 0, kind = 0;
    for (int j = 0; j < few.n; j++) {
      alike += few.at[j].c.variant == all->at[i].c.variant;
      kind += same_kind(few.at[j].c.variant, all->at[i].c.variant);
    }
    if (alike < OF_ONE_VARIANT && kind < OF_ONE_KIND) vec_push(a, &few, all->at[i]);
  }
  for (int threads = 0; f->cpu && threads <= 1; threads++) add_best_by(r->s, &few, all, threads);
  add_best_uneven(r, at, &few, all);
  return few;
}

static Quicks leaders_at(Round *r, Shape at) {
  Quicks q = {0};
  all_variants(r, at, &q);
  if (may_be_configured(r)) {
    all_configurations(r, at, &q);
    all_blocks(r, at, &q);
  }
  return best_few(r, at, &q);
}

/* ---- fine ---- */

static void add_unique(Arena *a, Quicks *to, const Quicks *from) {
  for (int i = 0; i < from->n; i++)
    if (!is_among(to, &from->at[i].c)) vec_push(a, to, from->at[i]);
}

/* What turns say of a candidate. A GPU's is the best of them, since what disturbs a measurement only adds to it. A
 * CPU's is the middle one: its calls find more or less in the last cache as it happens, and the best of a few had
 * luck. */
static int which_counts(const Search *s, const Turns *t) { return s->folder->cpu ? t->n / 2 : 0; }

/* .. and by how much others may be off: of a GPU's turns the worst; of a middle one, which more turns tell better, as
 * much as it takes to the nearer quartile, less by the root of how many there are. The other quartile may be of a visit
 * at a bad moment. */
static double off_by(const Search *s, const Turns *t, Mode m) {
  const double one = turns_by_time(t, m, which_counts(s, t))->median;
  if (!s->folder->cpu) return turns_by_time(t, m, t->n - 1)->median - one;
  const double above = turns_by_time(t, m, t->n - 1 - t->n / 4)->median - one;
  const double below = one - turns_by_time(t, m, t->n / 4)->median;
  return fmin(above, below) * 2 / sqrt(t->n);
}

static void conclude(const Search *s, const Turns *t, Finding *f) {
  for (Mode m = MODE_GRAPH; m < MODES; m++) {
    f->mode[m] = *turns_by_time(t, m, which_counts(s, t));
    f->worst[m] = t->n > 1 ? f->mode[m].median + off_by(s, t, m) : 0;
  }
}

/* The k-th of a candidate's turns so far: of each way to call, by time. */
static double shown(const Search *s, const Turns *t, const Candidate *c, int k) {
  Timing mode[MODES];
  for (Mode m = MODE_GRAPH; m < MODES; m++) mode[m] = *turns_by_time(t, m, k);
  return objective_time(mode, s->objective) + waiting_for_threads(s, c);
}

/* The least that counts so far. */
static double least_shown(const Search *s, const Turns *all, const Quicks *candidates) {
  double least = INFINITY;
  for (int i = 0; i < candidates->n; i++)
    if (all[i].n > 0) least = fmin(least, shown(s, &all[i], &candidates->at[i].c, which_counts(s, &all[i])));
  return least;
}

/* Candidates of the second round at one size, and what they took. */
typedef struct Final { Quicks candidates; Turns *turns; } Final;

/* In how many visits do a size's turns come? A CPU's processors may have what one of them has, or other work, for a
 * second or more; which of its turns that spoils, others are of another moment. */
static int visits(const Search *s) { return s->folder->cpu ? MOST_VISITS : 1; }

/* Does one take part that far behind, and by which of its turns? Of a GPU each candidate has one turn, and those
 * that are not far behind then two more. On a CPU each has those of the first visit and one of the second; those whose
 * best one is close go on, and to the last visits those that may still be the best one. */
static bool goes_on(const Search *s, const Turns *t, const Candidate *c, int visit, int turn, double best) {
  const bool cpu = s->folder->cpu;
  if (turn <= (cpu ? CPU_TURNS + 1 : 1)) return true;
  if (!cpu) return shown(s, t, c, 0) <= 1.25 * best;
  return visit < CPU_VISITS ? shown(s, t, c, 0) <= 1.15 * best : shown(s, t, c, (t->n - 1) / 4) <= 1.05 * best;
}

/* Candidates take turns. */
static void take_turns(Round *r, Shape at, Final *f, int visit) {
  const int each = r->s->folder->cpu ? CPU_TURNS : GPU_TURNS;
  if (visit >= CPU_VISITS && least_shown(r->s, f->turns, &f->candidates) > short_us) return;
  for (int turn = visit * each + 1; turn <= (visit + 1) * each; turn++) {
    const double best = least_shown(r->s, f->turns, &f->candidates);
    for (int k = 0; k < f->candidates.n && !r->failed; k++) {
      const int i = (k + turn) % f->candidates.n; /* another one begins, where others left the caches cold */
      const Candidate *c = &f->candidates.at[i].c;
      Turns *t = &f->turns[i];
      Measured m;
      if (t->n < turn - 1) continue; /* left out, or failed */
      if (goes_on(r->s, t, c, visit, turn, best) && measure(r, c, at, turn, &m)) t->of[t->n++] = m;
    }
  }
}

/* Of a CPU: the turns of those that wake threads, and of those that wake none, in usual moments of the machine. */
static void even_out(const Search *s, const Final *f) {
  Turns **alike = arena_many(s->arena, Turns *, f->candidates.n);
  for (int wakes = 0; wakes < 2; wakes++) {
    int n = 0;
    for (int i = 0; i < f->candidates.n; i++)
      if (wakes_threads(s, &f->candidates.at[i].c) == wakes) alike[n++] = &f->turns[i];
    turns_even_out(s->arena, alike, n);
  }
}

static void find(Round *r, Shape at, const Final *f, SizeFindings *to) {
  const bool cpu = r->s->folder->cpu;
  double *good = arena_many(r->s->arena, double, f->candidates.n);
  to->at = at;
  for (int i = 0; cpu && i < f->candidates.n; i++)
    if (f->turns[i].n > 0) good[i] = turns_by_time(&f->turns[i], MODE_GRAPH, f->turns[i].n / 4)->median;
  if (cpu) even_out(r->s, f);
  for (int i = 0; i < f->candidates.n; i++) {
    const Candidate *c = &f->candidates.at[i].c;
    Finding one = {.candidate = *c, .good = good[i], .waiting = waiting_for_threads(r->s, c)};
    if (f->turns[i].n == 0) continue;
    conclude(r->s, &f->turns[i], &one);
    vec_push(r->s->arena, &to->list, one);
  }
}

/* Coarse sizes are the even powers of two among those asked for, and the first and the last; every shape is one. */
static bool is_coarse(const Search *s, int i) {
  const uint64_t n = s->shapes.at[i].n;
  bool power = n && (n & (n - 1)) == 0;
  return s->folder->by_shape || i == 0 || i == s->shapes.n - 1 || (power && __builtin_ctzll(n) % 2 == 0);
}

/* Who falls back does so with the elements of each part, from few to many; with another number of parts all are in the
 * race again. */
static void begin_line(Round *r, int i) {
  const Search *s = r->s;
  const size_t n = (size_t)s->folder->nvariants;
  if (i == 0 || s->shapes.at[i].count == s->shapes.at[i - 1].count) return;
  memset(r->ratio, 0, n * sizeof *r->ratio);
  memset(r->before, 0, n * sizeof *r->before);
}

typedef VEC(Coarse) CoarseSizes;

static void look_around(Round *r, CoarseSizes *coarse) {
  Search *s = r->s;
  const Shapes *all = &s->shapes;
  for (int i = 0; i < all->n && !r->failed; i++) {
    if (!is_coarse(s, i)) continue;
    begin_line(r, i);
    Coarse c = {all->at[i], leaders_at(r, all->at[i])};
    vec_push(s->arena, coarse, c);
    const char *what = arena_printf(s->arena, "%s, coarse search", r->type);
    if (s->progress) s->progress(s->context, 0.6 * (i + 1) / all->n, what);
  }
}

/* Who is in the second round at each size: the leaders at the coarse sizes around it. */
static Final *finals(Round *r, const CoarseSizes *coarse) {
  Arena *a = r->s->arena;
  const Shapes *all = &r->s->shapes;
  Final *f = arena_many(a, Final, all->n);
  for (int i = 0, next = 0; i < all->n && !r->failed; i++) {
    const Shape at = all->at[i];
    if (r->s->folder->by_shape) next = i;
    while (next + 1 < coarse->n && coarse->at[next].at.n < at.n) next++;
    add_unique(a, &f[i].candidates, &coarse->at[next].leaders);
    if (next > 0 && coarse->at[next].at.n != at.n) add_unique(a, &f[i].candidates, &coarse->at[next - 1].leaders);
    f[i].turns = arena_many(a, Turns, f[i].candidates.n);
  }
  return f;
}

bool search_type(Search *s, const char *type, SizeFindings *findings) {
  Arena *a = s->arena;
  const Shapes *all = &s->shapes;
  const int nv = s->folder->nvariants;
  Round r = {.s = s, .type = type, .ratio = arena_many(a, double, nv), .before = arena_many(a, double, nv)};
  CoarseSizes coarse = {0};
  look_around(&r, &coarse);
  Final *f = finals(&r, &coarse);
  const int steps = visits(s) * all->n;
  for (int k = 0; k < steps && !r.failed; k++) {
    take_turns(&r, all->at[k % all->n], &f[k % all->n], k / all->n);
    if (s->progress) s->progress(s->context, 0.6 + 0.4 * (k + 1) / steps, arena_printf(a, "%s, fine search", type));
  }
  for (int i = 0; i < all->n && !r.failed; i++) find(&r, all->at[i], &f[i], &findings[i]);
  return !r.failed;
}
