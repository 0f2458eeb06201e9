/* levels.c: a machine cut down to some of its levels.
 *
 *     block of 1..32 warps, warp of 32 threads     without warp: block of 32..1024 threads, by 32
 *
 * A width counts subordinates. When a level goes, the one above it counts what it counted: their
 * widths multiply. Above an optional level it counts that level's subordinates from the start. */
#include "arch/arch.h"

#include <string.h>

#include "support/nearest.h"

/* Products stop at the largest number; 0, unbounded, stays so. */
static int64_t times(int64_t x, int64_t y) {
  int64_t product;
  return __builtin_mul_overflow(x, y, &product) ? INT64_MAX : product;
}

static void absorb(Level *above, const Level *gone) {
  if (gone->optional) return;
  above->width_min = times(above->width_min, gone->width_min);
  above->width_max = times(above->width_max, gone->width_max);
  above->width_default = times(above->width_default, gone->width_default);
  above->width_multiple = times(above->width_multiple, gone->width_multiple);
}

static int find(const Arch *m, const char *name) {
  const Level *l = arch_level(m, name);
  return l ? (int)(l - m->levels) : -1;
}

static const char *nearest_level(Arena *a, const Arch *m, const char *wanted) {
  const char **names = arena_many(a, const char *, m->nlevels);
  const char *all = "";
  for (int i = 0; i < m->nlevels; i++) {
    names[i] = m->levels[i].name;
    all = arena_printf(a, "%s%s%s", all, i ? "," : "", names[i]);
  }
  const char *near = nearest_name(wanted, names, m->nlevels);
  return near ? arena_printf(a, "did you mean `%s'?", near)
              : arena_printf(a, "%s has %s", m->name, all);
}

/* Marks the levels that the list names. False, with errors said, when it is no such list. */
static bool choose(Arena *a, const Arch *m, const char *list, bool *kept, Diagnostics *d) {
  const SourceRange nowhere = {0};
  int last = -1, errors = d->errors;
  for (const char *s = list;; s++) {
    size_t n = strcspn(s, ",");
    const char *name = arena_strndup(a, s, n);
    int i = find(m, name);
    if (n == 0)
      diagnostics_add(d, DIAG_ERROR, nowhere, "as in `grid,block,thread'",
                      "an empty name in the levels `%s'", list);
    else if (i < 0)
      diagnostics_add(d, DIAG_ERROR, nowhere, nearest_level(a, m, name), "%s has no level `%s'",
                      m->name, name);
    else if (kept[i])
      diagnostics_add(d, DIAG_ERROR, nowhere, NULL, "the level `%s' is named twice", name);
    else if (i < last)
      diagnostics_add(d, DIAG_ERROR, nowhere, "name them from the top down",
                      "the level `%s' is above `%s'", name, m->levels[last].name);
    if (i >= 0) kept[i] = true;
    if (i > last) last = i;
    s += n;
    if (*s == '\0') break;
  }
  return d->errors == errors;
}

/* The lowest level has nobody to count or to wait for. */
static void make_lowest(Level *l) {
  l->sub = NULL;
  l->nsync = 0;
  l->width_min = l->width_max = l->width_default = l->width_multiple = 1;
}

/* A factor goes with what it is a factor of. */
static bool factors_stand(const Arch *full, const bool *kept, Diagnostics *d) {
  bool whole = false;
  for (int i = 0; i < full->nlevels; i++) {
    const Level *l = &full->levels[i];
    if (!l->can.factor) whole = kept[i] && l->can.exchanges;
    if (!l->can.factor || !kept[i] || whole) continue;
    diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, "keep the warp, too",
                    "`%s' is a factor of a level that is left out", l->name);
    return false;
  }
  return true;
}

Arch *arch_with_levels(Arena *a, const Arch *full, const char *levels, Diagnostics *d) {
  bool *kept = arena_many(a, bool, full->nlevels);
  if (!choose(a, full, levels, kept, d) || !factors_stand(full, kept, d)) return NULL;
  Arch *m = arena_one(a, Arch);
  *m = *full;
  m->levels = arena_many(a, Level, full->nlevels);
  m->nlevels = 0;
  for (int i = 0; i < full->nlevels; i++) {
    if (kept[i])
      m->levels[m->nlevels++] = full->levels[i];
    else if (m->nlevels)
      absorb(&m->levels[m->nlevels - 1], &full->levels[i]);
  }
  for (int i = 0; i < m->nlevels; i++) {
    Level *l = &m->levels[i];
    l->depth = i;
    l->sub = l + 1;
    l->launches = l->launches ? arch_level(m, l->launches->name) : NULL;
  }
  Level *lowest = &m->levels[m->nlevels - 1];
  make_lowest(lowest);
  arch_derive(m);
  if (lowest->capability & (CAP_SCALAR | CAP_MATRIX)) return m;
  diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, "keep a level with scalar capability",
                  "nothing can compute at `%s', the lowest of the levels `%s'", lowest->name,
                  levels);
  return NULL;
}
