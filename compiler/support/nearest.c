/* nearest.c: edit distance with insertion, deletion, substitution. */
#include "support/nearest.h"

#include <string.h>

enum { LONGEST = 64 };

static int distance(const char *x, size_t nx, const char *y, size_t ny) {
  int row[LONGEST + 1];
  for (size_t j = 0; j <= ny; j++) row[j] = (int)j;
  for (size_t i = 1; i <= nx; i++) {
    int diagonal = row[0];
    row[0] = (int)i;
    for (size_t j = 1; j <= ny; j++) {
      int change = diagonal + (x[i - 1] != y[j - 1]);
      int drop = row[j] + 1, insert = row[j - 1] + 1;
      diagonal = row[j];
      row[j] = change < drop ? change : drop;
      if (insert < row[j]) row[j] = insert;
    }
  }
  return row[ny];
}

const char *nearest_name(const char *wanted, const char *const *names, int n) {
  size_t length = strlen(wanted);
  if (length == 0 || length > LONGEST) return NULL;
  int best = (int)length / 3 + 2; /* at least this far is not near */
  const char *found = NULL;
  for (int i = 0; i < n; i++) {
    size_t m = strlen(names[i]);
    if (m > LONGEST) continue;
    int d = distance(wanted, length, names[i], m);
    if (d < best) {
      best = d;
      found = names[i];
    }
  }
  return found;
}
