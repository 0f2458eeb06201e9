/* view_measured.c: what `tgc tune' stored, for the page.
 *
 * Of each candidate (a variant in a configuration) at a size the median of its turns in the second round counts; its
 * quick look where it had none. Of a variant the best configuration at each size is shown. As JSON:
 *
 *   path         of the database
 *   devices      {"name", "driver", "toolkit"}
 *   configurations   "threads=256 loads=4"
 *   series       {"device": its number; "type"; "mode"; "variant": its id; "points": [n, count (0: there are no parts),
 *                median, low, high (microseconds), the configuration's number, 1 of a second round]}
 *   stale        how many rows are of texts that no variant has any more */
#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver/view.h"
#include "support/manifest.h"
#include "support/manifest_file.h"

enum { MOST_TURNS = 64 }; /* of one candidate at one size; the tuner has fewer */

typedef struct Point {
  int64_t n, count;
  double median, low, high;
  int configuration;
  bool precise;
} Point;

/* The columns of a row, in the query's order. */
enum { DEVICE, DRIVER, TOOLKIT, TYPE, MODE, VARIANT, N, COUNT, CONFIGURATION, PRECISE, MEDIAN, LOW, HIGH, HASH };
enum { KEYS = N };

typedef struct Reading {
  Arena *a;
  const json_t *manifest;
  json_t *devices, *configurations, *series, *numbers; /* numbers: of configurations, by text */
  const char *key[KEYS];  /* of the series at hand; key[0] NULL: there is none */
  const char *configuration;
  json_t *points;
  Point best, one;        /* of a size: of the candidates so far; of the candidate at hand */
  double turns[MOST_TURNS], low[MOST_TURNS], high[MOST_TURNS];
  int nturns, turn;       /* of the second round; which was the last */
  bool has_best, has_one;
  int64_t stale;
} Reading;

/* ---- a size ---- */

static double median_of(const double *of, int n) {
  double sorted[MOST_TURNS];
  for (int i = 0; i < n; i++) {
    int at = i;
    for (; at > 0 && sorted[at - 1] > of[i]; at--) sorted[at] = sorted[at - 1];
    sorted[at] = of[i];
  }
  return n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

static int configuration_number(Reading *r, const char *text) {
  json_t *known = json_object_get(r->numbers, text);
  if (known) return (int)json_integer_value(known);
  const int n = (int)json_array_size(r->configurations);
  json_array_append_new(r->configurations, json_string(text));
  json_object_set_new(r->numbers, text, json_integer(n));
  return n;
}

/* A quick look is compared with no turn of a second round: it is taken once, and so is often too good. */
static void end_candidate(Reading *r) {
  if (!r->has_one) return;
  Point *p = &r->one;
  if (r->nturns) {
    p->median = median_of(r->turns, r->nturns);
    p->low = median_of(r->low, r->nturns);
    p->high = median_of(r->high, r->nturns);
    p->precise = true;
  }
  const bool better = !r->has_best || (p->precise && !r->best.precise) ||
                      (p->precise == r->best.precise && p->median < r->best.median);
  if (better) {
    r->best = *p;
    r->best.configuration = configuration_number(r, r->configuration);
  }
  r->has_best = true;
  r->has_one = false;
  r->nturns = 0;
}

static double digits(double us) { /* four, of which a page has tens of thousands */
  char text[32];
  snprintf(text, sizeof text, "%.4g", us);
  return strtod(text, NULL);
}

static void end_size(Reading *r) {
  end_candidate(r);
  const Point *p = &r->best;
  if (r->has_best)
    json_array_append_new(r->points, json_pack("[I, I, f, f, f, i, i]", (json_int_t)p->n, (json_int_t)p->count,
                                               digits(p->median), digits(p->low), digits(p->high), p->configuration,
                                               p->precise ? 1 : 0));
  r->has_best = false;
}

/* ---- a series ---- */

static json_int_t device_number(Reading *r) {
  json_t *device = json_pack("{s:s, s:s, s:s}", "name", r->key[DEVICE], "driver", r->key[DRIVER], "toolkit",
                             r->key[TOOLKIT]);
  for (size_t i = 0; i < json_array_size(r->devices); i++)
    if (json_equal(json_array_get(r->devices, i), device)) {
      json_decref(device);
      return (json_int_t)i;
    }
  json_array_append_new(r->devices, device);
  return (json_int_t)json_array_size(r->devices) - 1;
}

static void end_series(Reading *r) {
  if (!r->key[0]) return;
  end_size(r);
  json_array_append_new(r->series, json_pack("{s:I, s:s, s:s, s:s, s:o}", "device", device_number(r), "type",
                                             r->key[TYPE], "mode", r->key[MODE], "variant", r->key[VARIANT], "points",
                                             r->points));
  r->key[0] = NULL;
}

static const char *column(sqlite3_stmt *s, int i) {
  const char *text = (const char *)sqlite3_column_text(s, i);
  return text ? text : "";
}

static bool begin_series(Reading *r, sqlite3_stmt *s) {
  bool same = r->key[0] != NULL;
  for (int i = 0; i < KEYS && same; i++) same = strcmp(r->key[i], column(s, i)) == 0;
  if (same) return true;
  end_series(r);
  for (int i = 0; i < KEYS; i++) { /* what is no UTF-8 is no name of ours */
    json_t *text = json_string(column(s, i));
    if (!text) return false;
    json_decref(text);
    r->key[i] = arena_strdup(r->a, column(s, i));
  }
  r->points = json_array();
  return true;
}

/* Has a variant of the folder that text? */
static bool is_of_folder(const Reading *r, const char *id, const char *hash) {
  const json_t *all = json_object_get(r->manifest, KEY_VARIANTS);
  for (size_t i = 0; i < json_array_size(all); i++) {
    const json_t *v = json_array_get(all, i);
    if (strcmp(json_string_value(json_object_get(v, KEY_ID)), id) == 0)
      return strcmp(json_string_value(json_object_get(v, KEY_TEXT_HASH)), hash) == 0;
  }
  return false;
}

static bool take_row(Reading *r, sqlite3_stmt *s) {
  if (!begin_series(r, s)) return false;
  const int64_t n = sqlite3_column_int64(s, N), count = sqlite3_column_int64(s, COUNT);
  const bool same_size = (r->has_one || r->has_best) && r->one.n == n && r->one.count == count;
  if (!same_size) end_size(r);
  if (r->has_one && strcmp(r->configuration, column(s, CONFIGURATION)) != 0) end_candidate(r);
  if (!r->has_one) {
    json_t *text = json_string(column(s, CONFIGURATION));
    if (!text) return false;
    json_decref(text);
    r->configuration = arena_strdup(r->a, column(s, CONFIGURATION));
    r->one = (Point){.n = n, .count = count};
    r->turn = 0;
  }
  r->has_one = true;
  const int turn = sqlite3_column_int(s, PRECISE);
  const double median = sqlite3_column_double(s, MEDIAN), low = sqlite3_column_double(s, LOW),
               high = sqlite3_column_double(s, HIGH);
  if (turn == 0) { r->one.median = median; r->one.low = low; r->one.high = high; }
  if (turn <= 0) return true;
  if (turn != r->turn && r->nturns < MOST_TURNS) r->nturns++; /* the same turn again: the newer one counts */
  r->turn = turn;
  const int at = r->nturns - 1;
  r->turns[at] = median;
  r->low[at] = low;
  r->high[at] = high;
  return true;
}

/* ---- the database ---- */

/* Is there what the tuner's own schema has, and nothing that runs with what is asked? */
static const char *foreign(sqlite3 *db) {
  static const struct { const char *query, *wanted, *said; } all[] = {
      {"PRAGMA quick_check(1)", "ok", "it is damaged"},
      {"SELECT user_version IN (3, 4) FROM pragma_user_version", "1", "made by another version, or by another program"},
      {"SELECT count(*) FROM sqlite_master WHERE type NOT IN ('table', 'index') OR sql LIKE 'CREATE VIRTUAL%'", "0",
       "it has views, triggers or virtual tables, which tgc does not make"},
      {"SELECT count(*) FROM measurement WHERE NOT (typeof(median) IN ('real', 'integer') AND median >= 0 AND "
       "median < 1e15 AND low >= 0 AND low < 1e15 AND high >= 0 AND high < 1e15)", "0",
       "its table `measurement' has an invalid time"}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    sqlite3_stmt *s = NULL;
    const bool read = sqlite3_prepare_v2(db, all[i].query, -1, &s, NULL) == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW;
    const bool right = read && strcmp(column(s, 0), all[i].wanted) == 0;
    sqlite3_finalize(s);
    if (!read) return "";
    if (!right) return all[i].said;
  }
  return NULL;
}

static bool refuse(Diagnostics *d, const char *path, const char *why) {
  diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, "is it a database of `tgc tune'? `--database' names another one",
                  "cannot read the measurements `%s': %s", path, why);
  return false;
}

/* Does it tell calls apart by the conditions of a table's rows? Since version 4. */
static bool tells_calls(sqlite3 *db) {
  sqlite3_stmt *s = NULL;
  static const char query[] = "SELECT count(*) FROM pragma_table_info('measurement') WHERE name = 'calls'";
  const bool read = sqlite3_prepare_v2(db, query, -1, &s, NULL) == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW;
  const bool tells = read && sqlite3_column_int(s, 0) > 0;
  sqlite3_finalize(s);
  return tells;
}

/* False with `why', or SQLite knows why. Only calls as they come are shown: others have other times at the same
 * sizes. */
static bool read_rows(Reading *r, sqlite3 *db, const char **why) {
  const char *query = arena_printf(
      r->a,
      "SELECT device, driver, toolkit, type, mode, variant, n, count, configuration, precise, median, low, high,"
      " text_hash FROM measurement%s ORDER BY device, driver, toolkit, type, mode, variant, n, count, configuration,"
      " precise, at, rowid", tells_calls(db) ? " WHERE calls = ''" : "");
  sqlite3_stmt *s = NULL;
  int step = sqlite3_prepare_v2(db, query, -1, &s, NULL);
  if (step == SQLITE_OK)
    while ((step = sqlite3_step(s)) == SQLITE_ROW && !*why) {
      if (!is_of_folder(r, column(s, VARIANT), column(s, HASH))) r->stale++;
      else if (!take_row(r, s)) *why = "it has a name that is not text";
    }
  sqlite3_finalize(s);
  end_series(r);
  return step == SQLITE_DONE;
}

static bool read_database(Reading *r, const char *path, Diagnostics *d) {
  if (access(path, R_OK) != 0) return refuse(d, path, strerror(errno));
  sqlite3 *db = NULL;
  bool ok = sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK;
  sqlite3_busy_timeout(db, 5000);
  sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL); /* its schema may call no functions */
  const char *why = ok ? foreign(db) : "";
  if (!why && !read_rows(r, db, &why)) why = why ? why : "";
  ok = !why || refuse(d, path, *why ? why : sqlite3_errmsg(db));
  sqlite3_close(db);
  return ok;
}

json_t *view_measured(Arena *a, const char *path, const json_t *manifest, Diagnostics *d) {
  Reading r = {.a = a, .manifest = manifest, .devices = json_array(), .configurations = json_array(),
               .series = json_array(), .numbers = json_object()};
  const bool ok = read_database(&r, path, d);
  json_decref(r.numbers);
  json_t *all = json_pack("{s:o, s:o, s:o, s:o, s:I}", "path", manifest_text(a, path), "devices", r.devices,
                          "configurations", r.configurations, "series", r.series, "stale", (json_int_t)r.stale);
  if (ok) return all;
  json_decref(all);
  return NULL;
}
