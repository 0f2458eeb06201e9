/* ranges.c: from measurements to a table.
 *
 * At each measured size the candidate with the least time wins: the geometric mean of a call's in a graph and on a stream. A winner stays for the next size as long as it is within the noise of the best. Between two sizes the border is
 * their geometric mean. */
#include <math.h>
#include <string.h>

#include "tune/tune.h"

/* Within so much of the best nobody can tell; more where a measurement's own spread is more. */
static const double noise_least = 0.01, noise_most = 0.03;

double objective_time(const Timing *mode, Objective o) {
  double graph = mode[MODE_GRAPH].median, stream = mode[MODE_STREAM].median;
  if (graph <= 0 || stream <= 0) return INFINITY;
  return o == OBJECTIVE_GRAPH ? graph : o == OBJECTIVE_STREAM ? stream : sqrt(graph * stream);
}

static bool same(const Candidate *x, const Candidate *y) {
  return x->variant == y->variant && x->c.threads == y->c.threads && x->c.loads == y->c.loads && x->c.blocks == y->c.blocks;
}

static double noise_of(const Finding *f) {
  const Timing *t = &f->mode[MODE_GRAPH];
  double spread = t->median > 0 ? (t->high - t->low) / t->median : 0;
  return spread < noise_least ? noise_least : spread > noise_most ? noise_most : spread;
}

static const Finding *winner(const SizeFindings *s, const Finding *before, Objective o) {
  const Finding *best = NULL, *stays = NULL;
  for (int i = 0; i < s->list.n; i++) {
    const Finding *f = &s->list.at[i];
    if (isinf(objective_time(f->mode, o))) continue;
    if (!best || objective_time(f->mode, o) < objective_time(best->mode, o)) best = f;
    if (before && same(&f->candidate, &before->candidate)) stays = f;
  }
  if (best && stays && objective_time(stays->mode, o) <= objective_time(best->mode, o) * (1 + noise_of(best))) return stays;
  return best;
}

void ranges_add(Arena *a, Table *t, const char *type, const SizeFindings *findings, int n, Objective objective) {
  const Finding *before = NULL;
  uint64_t size = 0;
  for (int i = 0; i < n; i++) {
    const Finding *f = winner(&findings[i], before, objective);
    if (!f) continue;
    uint64_t border = (uint64_t)sqrt((double)size * (double)findings[i].n);
    if (before && same(&f->candidate, &before->candidate)) {
      size = findings[i].n;
      continue;
    }
    if (before) t->rows.at[t->rows.n - 1].up_to = border;
    const Configuration *c = &f->candidate.c;
    TableRow r = {.type = type, .variant = f->candidate.variant->id, .up_to = UINT64_MAX, .threads = c->threads, .loads = c->loads,
                  .blocks = c->blocks};
    r.comment = arena_printf(a, "at %llu: %.2f us in a graph, %.2f on a stream", (unsigned long long)findings[i].n,
                             f->mode[MODE_GRAPH].median, f->mode[MODE_STREAM].median);
    vec_push(a, &t->rows, r);
    before = f;
    size = findings[i].n;
  }
}
