/* turns.c: what candidates that take turns took, each by itself and beside the others. */
#include "tune/tune.h"

enum { FEWEST_TO_COMPARE = 3 };

const Timing *turns_by_time(const Turns *t, Mode m, int k) {
  for (int i = 0; i < t->n; i++) {
    int before = 0;
    for (int j = 0; j < t->n; j++) {
      const double x = t->of[j].mode[m].median, y = t->of[i].mode[m].median;
      before += x < y || (x == y && j < i);
    }
    if (before == k) return &t->of[i].mode[m];
  }
  return NULL;
}

static double middle_of(double *numbers, int n) {
  for (int i = 1; i < n; i++)
    for (int k = i; k > 0 && numbers[k] < numbers[k - 1]; k--) {
      const double above = numbers[k];
      numbers[k] = numbers[k - 1];
      numbers[k - 1] = above;
    }
  return n % 2 ? numbers[n / 2] : (numbers[n / 2 - 1] + numbers[n / 2]) / 2;
}

/* What is in the middle of a candidate's first turns. */
static double usual(Arena *a, const Turns *t, Mode m, int first) {
  double *us = arena_many(a, double, first);
  for (int k = 0; k < first; k++) us[k] = t->of[k].mode[m].median;
  return middle_of(us, first);
}

/* How much longer than in the middle one of all turns did candidates take in the k-th? All tell that had it, by those
 * turns that they have in common; how far off these are from all of the turns those tell that had all. */
static double moment(Arena *a, Turns *const *all, int n, Mode m, int k, int turns) {
  double *ratios = arena_many(a, double, n), *common = arena_many(a, double, n);
  int first = turns, telling = 0, to_the_end = 0;
  for (int i = 0; i < n; i++)
    if (all[i]->n > k && all[i]->n < first) first = all[i]->n;
  for (int i = 0; i < n; i++) {
    const double us = all[i]->n > k ? usual(a, all[i], m, first) : 0;
    if (us <= 0) continue;
    ratios[telling++] = all[i]->of[k].mode[m].median / us;
    if (all[i]->n == turns) common[to_the_end++] = us / usual(a, all[i], m, turns);
  }
  const double off = to_the_end ? middle_of(common, to_the_end) : 1;
  return off * (telling < FEWEST_TO_COMPARE ? 1 : middle_of(ratios, telling));
}

void turns_even_out(Arena *a, Turns *const *all, int n) {
  int turns = 0;
  for (int i = 0; i < n; i++) turns = all[i]->n > turns ? all[i]->n : turns;
  for (Mode m = MODE_GRAPH; m < MODES; m++) {
    double moments[MOST_TURNS];
    for (int k = 0; k < turns; k++) moments[k] = moment(a, all, n, m, k, turns);
    for (int i = 0; i < n; i++)
      for (int k = 0; k < all[i]->n; k++) {
        Timing *t = &all[i]->of[k].mode[m];
        *t = (Timing){t->median / moments[k], t->low / moments[k], t->high / moments[k]};
      }
  }
}
