/* diff_measured.c: the times in two databases of `tgc tune', side by side: of each type and size the best one.
 *
 * Of each candidate its best median counts, in a graph (of a CPU: of a call). Times that differ by less than NOISE are
 * the same. Databases are opened to be read alone. */
#include "driver/diff.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

static const double noise = 0.03;

typedef struct Best {
  const char *type, *variant;
  int64_t n, count;
  double us;
} Best;

typedef VEC(Best) Bests;

static bool take_rows(Arena *a, sqlite3_stmt *rows, Bests *to) {
  int step;
  while ((step = sqlite3_step(rows)) == SQLITE_ROW) {
    const char *type = (const char *)sqlite3_column_text(rows, 0),
               *variant = (const char *)sqlite3_column_text(rows, 3);
    Best b = {arena_strdup(a, type ? type : ""), arena_strdup(a, variant ? variant : ""), sqlite3_column_int64(rows, 1),
              sqlite3_column_int64(rows, 2), sqlite3_column_double(rows, 4)};
    vec_push(a, to, b);
  }
  return step == SQLITE_DONE;
}

/* The best of each type and size, in order; none where there is no database. */
static bool read_bests(Arena *a, const char *dir, Bests *to, Diagnostics *d) {
  /* since version 4 a row says which conditions of a table's rows its calls met: such are told apart like types */
  static const char *const bests[] = {
      "SELECT type || CASE calls WHEN '' THEN '' ELSE ' (' || calls || ')' END AS kind, n, count, variant, MIN(median) "
      "FROM measurement WHERE mode IN ('graph', 'call') GROUP BY kind, n, count ORDER BY kind, n, count",
      "SELECT type, n, count, variant, MIN(median) FROM measurement WHERE mode IN ('graph', 'call') "
      "GROUP BY type, n, count ORDER BY type, n, count"};
  const char *path = arena_printf(a, "%s/tune.db", dir);
  sqlite3 *db = NULL;
  sqlite3_stmt *rows = NULL;
  if (access(path, F_OK) != 0) return true;
  const bool ok = sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
                  (sqlite3_prepare_v2(db, bests[0], -1, &rows, NULL) == SQLITE_OK ||
                   sqlite3_prepare_v2(db, bests[1], -1, &rows, NULL) == SQLITE_OK) && take_rows(a, rows, to);
  if (!ok)
    diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, NULL, "cannot read the measurements `%s': %s", path,
                    sqlite3_errmsg(db));
  sqlite3_finalize(rows);
  sqlite3_close(db);
  return ok;
}

static const Best *of_size(const Bests *all, const Best *b) {
  for (int i = 0; i < all->n; i++)
    if (strcmp(all->at[i].type, b->type) == 0 && all->at[i].n == b->n && all->at[i].count == b->count)
      return &all->at[i];
  return NULL;
}

static const char *time_of(Arena *a, const Best *b) { return arena_printf(a, "%.4g us (%s)", b->us, b->variant); }

bool diff_measurements(Arena *a, FolderDiff *to, Diagnostics *d) {
  Bests one = {0}, other = {0};
  if (!read_bests(a, to->one, &one, d) || !read_bests(a, to->other, &other, d)) return false;
  to->sizes_measured = one.n && other.n ? 0 : -1;
  for (int i = 0; i < one.n && other.n; i++) {
    const Best *b = &one.at[i], *same = of_size(&other, b);
    if (!same) continue;
    to->sizes_measured++;
    if (same->us <= b->us * (1 + noise) && b->us <= same->us * (1 + noise)) continue;
    const char *size = b->count ? arena_printf(a, "%s, %" PRId64 "x%" PRId64, b->type, b->n, b->count)
                                : arena_printf(a, "%s, %" PRId64, b->type, b->n);
    Difference x = {size, time_of(a, b), time_of(a, same)};
    vec_push(a, &to->measured, x);
  }
  return true;
}
