/* check_quick.c: `tgc check --quick': a few variants at a few sizes, in the time that somebody waits.
 *
 * Which: of each category one, which the dispatch selects if it selects one of that category; then others that it
 * selects, in its order; then any. Where: none, one, few, a block and more, and the least border of each variant and
 * one past it. Memory accesses are watched and codelets run by themselves as in any check. */
#include <string.h>

#include "driver/check_parts.h"
#include "support/manifest.h"

enum { QUICK_VARIANTS = 6, QUICK_LARGEST = 4096 };

static const int64_t quick_sizes[] = {0, 1, 33, 1025};

/* The place of a variant in the dispatch, from 0; the number of rows where it is not there. */
static size_t place_of(const json_t *dispatch, const char *id) {
  size_t i = 0;
  for (; i < json_array_size(dispatch); i++) {
    const char *own = json_string_value(json_object_get(json_array_get(dispatch, i), KEY_VARIANT));
    if (own && strcmp(own, id) == 0) break;
  }
  return i;
}

/* Of those that are not taken, of the category or of any (NULL), the first in the dispatch; -1: none is left. */
static int best(const Check *c, const json_t *dispatch, const bool *taken, const char *category) {
  int found = -1;
  for (int i = 0; i < c->nvariants; i++) {
    if (taken[i] || (category && strcmp(c->variants[i].category, category) != 0)) continue;
    if (found < 0 || place_of(dispatch, c->variants[i].id) < place_of(dispatch, c->variants[found].id)) found = i;
  }
  return found;
}

void check_pick_quick(Check *c, const json_t *dispatch) {
  bool *taken = arena_many(c->arena, bool, c->nvariants);
  int count = 0;
  for (int i = 0; i < c->nvariants; i++) {
    bool seen = false;
    for (int k = 0; k < i; k++) seen |= strcmp(c->variants[k].category, c->variants[i].category) == 0;
    if (!seen) taken[best(c, dispatch, taken, c->variants[i].category)] = true, count++;
  }
  for (int i; count < QUICK_VARIANTS && (i = best(c, dispatch, taken, NULL)) >= 0; count++) taken[i] = true;
  int kept = 0;
  for (int i = 0; i < c->nvariants; i++)
    if (taken[i]) c->variants[kept++] = c->variants[i];
  c->left_out = c->nvariants - kept;
  c->nvariants = kept;
}

void check_quick_sizes(Check *c) {
  for (int i = 0; i < c->nvariants; i++) {
    CheckVariant *v = &c->variants[i];
    for (size_t k = 0; k < sizeof quick_sizes / sizeof *quick_sizes; k++) vec_push(c->arena, &v->sizes, quick_sizes[k]);
    int64_t least = 0;
    for (int k = 0; k < v->borders.n; k++)
      if (v->borders.at[k] > 33 && (!least || v->borders.at[k] < least)) least = v->borders.at[k];
    for (int64_t n = least; least && n <= least + 1 && n <= QUICK_LARGEST; n++)
      if (n != 1025) vec_push(c->arena, &v->sizes, n);
  }
}
