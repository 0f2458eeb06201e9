/* ranges.c: from measurements to a table.
 *
 * At each measured size the candidate with the least time wins: the geometric mean of a call's in a graph, on a stream
 * and alone, each as far as it is beyond the noise between turns. A winner stays for the next size as long as it is
 * within the noise of the best. Between two sizes the border is their geometric mean. */
#include <inttypes.h>
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
  return x->variant == y->variant && x->c.threads == y->c.threads && x->c.loads == y->c.loads &&
         x->c.blocks == y->c.blocks;
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
  for (int i = 0; i < s->list.n; i++)
    if (s->list.at[i].mode[m].median > 0 && s->list.at[i].mode[m].median < best) best = s->list.at[i].mode[m].median;
  return best;
}

/* The objective, with what is as good as the best within the noise taken for the best, and what waiting costs. */
static double time_beyond_noise(const SizeFindings *s, const Finding *f, Objective o) {
  Timing mode[MODES];
  memcpy(mode, f->mode, sizeof mode);
  for (Mode m = MODE_GRAPH; m < MODES; m++)
    if (mode[m].median > 0) mode[m].median = fmax(mode[m].median / (1 + noise_between_turns(s, m)), least(s, m));
  return objective_time(mode, o) + f->waiting;
}

static const Finding *winner(const SizeFindings *s, const Finding *before, Objective o) {
  const Finding *best = NULL, *stays = NULL;
  double least = INFINITY, stay = INFINITY;
  for (int i = 0; i < s->list.n; i++) {
    const Finding *f = &s->list.at[i];
    double t = time_beyond_noise(s, f, o);
    if (isinf(t)) continue;
    /* among equals, the least time in a graph, which the host does not disturb */
    if (!best || t < least || (t == least && f->mode[MODE_GRAPH].median < best->mode[MODE_GRAPH].median)) {
      best = f;
      least = t;
    }
    if (before && candidate_equal(&f->candidate, &before->candidate)) { stays = f; stay = t; }
  }
  if (best && stays && stay <= least * (1 + noise_of(best))) return stays;
  return best;
}

/* What was measured, for people. */
static const char *comment_of(Arena *a, const Folder *folder, uint64_t n, const Timing *mode) {
  const double first = mode[MODE_GRAPH].median, second = mode[MODE_STREAM].median, third = mode[MODE_SYNC].median;
  if (!folder->cpu) return arena_printf(a, "at %" PRIu64 ": %.2f us in a graph, %.2f on a stream", n, first, second);
  if (!folder->cpu->in_parts) return arena_printf(a, "at %" PRIu64 ": %.3f us", n, first);
  return arena_printf(a, "at %" PRIu64 ": few in %.3f us, some in %.2f, many in %.1f", n, first, second, third);
}

void ranges_add(Arena *a, const Folder *folder, Table *t, const char *type, const SizeFindings *findings, int n,
                Objective objective) {
  const Finding *before = NULL;
  uint64_t size = 0;
  for (int i = 0; i < n; i++) {
    const Finding *f = winner(&findings[i], before, objective);
    if (!f) continue;
    uint64_t border = (uint64_t)sqrt((double)size * (double)findings[i].n);
    if (before && candidate_equal(&f->candidate, &before->candidate)) {
      size = findings[i].n;
      continue;
    }
    if (before) t->rows.at[t->rows.n - 1].up_to = border;
    const Configuration *c = &f->candidate.c;
    TableRow r = {.type = type, .variant = f->candidate.variant->id, .up_to = UINT64_MAX,
                  .threads = folder->cpu ? 0 : c->threads, /* a CPU's vector has the lanes that it has */
                  .loads = c->loads, .blocks = c->blocks};
    r.comment = comment_of(a, folder, findings[i].n, f->mode);
    vec_push(a, &t->rows, r);
    before = f;
    size = findings[i].n;
  }
}
