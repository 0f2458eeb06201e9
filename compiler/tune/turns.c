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

/* How much longer than in the middle one of their turns did candidates take in the k-th? Those tell that had all turns;
 * 1, where they are few. */
static double moment(Arena *a, Turns *const *all, int n, Mode m, int k, int turns) {
  double *ratios = arena_many(a, double, n);
  int many = 0;
  for (int i = 0; i < n; i++) {
    const double usual = all[i]->n == turns ? turns_by_time(all[i], m, turns / 2)->median : 0;
    if (usual > 0) ratios[many++] = all[i]->of[k].mode[m].median / usual;
  }
  return many < FEWEST_TO_COMPARE ? 1 : middle_of(ratios, many);
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
