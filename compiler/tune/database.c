/* database.c: measurements in SQLite.
 *
 * Every measurement and every failure is a row of its own; nothing is overwritten, the newest counts, by its time: rows
 * that are merged come later and may be older. A row is valid for a variant as
 * long as the hash of its text is the same, on the device, driver and toolkit that it was made with. */
#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tune/tune.h"

/* 1 had no column `count'; 1 and 2 had a column for each of three tunables, in place of `configuration'; 1 to 3 had no
 * column `calls'. */
enum { VERSION = 4 };

const char *mode_name(const Folder *f, Mode m) {
  static const char *const of_gpu[MODES] = {"graph", "stream", "sync"};
  return f->cpu ? "call" : of_gpu[m];
}
const char *const failure_names[] = {"", "compile", "launch", "wrong", "timeout"};

struct Database {
  Arena *arena;
  sqlite3 *sql;
  sqlite3_stmt *find, *find_failure, *store, *fail;
  int pending; /* rows since the last commit */
  bool written; /* it is ours, and has a write-ahead log while it is open */
};

/* What the two tables have in common, and what is their own. `configuration': what the variant's tunables are set to,
 * as tunables_print has it; `count': of rows or segments, of n elements each, 0: there are none; `calls': which
 * conditions of a table's rows they meet, as calls_text has it, '': as they come. */
#define COMMON \
  " device TEXT NOT NULL, compute INTEGER NOT NULL, driver TEXT NOT NULL, toolkit TEXT NOT NULL," \
  " spectrum TEXT NOT NULL, variant TEXT NOT NULL, text_hash TEXT NOT NULL, configuration TEXT NOT NULL," \
  " type TEXT NOT NULL, n INTEGER NOT NULL,"
#define LAST \
  " at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ')), count INTEGER NOT NULL DEFAULT 0," \
  " calls TEXT NOT NULL DEFAULT '');"
static const char schema[] =
    "CREATE TABLE measurement (" COMMON " mode TEXT NOT NULL, precise INTEGER NOT NULL,"
    " median REAL NOT NULL, low REAL NOT NULL, high REAL NOT NULL," LAST /* microseconds; quartiles */
    "CREATE INDEX measurement_of ON measurement (text_hash, type, n, configuration, mode);"
    "CREATE TABLE failure (" COMMON " kind TEXT NOT NULL, message TEXT NOT NULL," LAST
    "CREATE INDEX failure_of ON failure (text_hash, type, n, configuration);";

static const struct { const char *name, *own; } tables[] = {
    {"measurement", "mode, precise, median, low, high"}, {"failure", "kind, message"}};
enum { TABLES = sizeof tables / sizeof *tables };

/* The columns of a table of a database of that version, as those of this one. */
static const char *columns(Arena *a, int table, int64_t version) {
  const char *configuration = "configuration";
  if (version < 3) { /* "threads=256 loads=4", without what is 0 */
    Buffer b = buffer_new(a);
    buffer_puts(&b, "trim(''");
    for (int i = 0; i < USUAL_TUNABLES; i++)
      buffer_printf(&b, " || CASE WHEN %1$s THEN ' %1$s=' || %1$s ELSE '' END", usual_tunables[i].name);
    buffer_puts(&b, ")");
    configuration = b.text;
  }
  return arena_printf(a, "device, compute, driver, toolkit, spectrum, variant, text_hash, %s, type, n, %s, at, %s, %s",
                      configuration, tables[table].own, version > 1 ? "count" : "0", version > 3 ? "calls" : "''");
}

#define NEWEST " ORDER BY at DESC, rowid DESC LIMIT 1"
#define WHERE                                                                                                          \
  " WHERE text_hash=?1 AND type=?2 AND n=?3 AND configuration=?4 AND device=?5 AND driver=?6 AND toolkit=?7 AND "      \
  "count=?8 AND calls=?9"

static bool refuse(Database *db, const char *path, const char *what, Diagnostics *d) {
  diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, what ? NULL : "is it a database of `tgc tune'?",
                  "the database `%s': %s", path, what ? what : sqlite3_errmsg(db->sql));
  return false;
}

static bool execute(Database *db, const char *text) {
  return sqlite3_exec(db->sql, text, NULL, NULL, NULL) == SQLITE_OK;
}

static bool prepare(Database *db, const char *text, sqlite3_stmt **s) {
  return sqlite3_prepare_v2(db->sql, text, -1, s, NULL) == SQLITE_OK;
}

/* A column as text; "" for NULL. */
static const char *text_of(sqlite3_stmt *s, int column) {
  const char *text = (const char *)sqlite3_column_text(s, column);
  return text ? text : "";
}

static int64_t number_of(Database *db, const char *query) {
  sqlite3_stmt *s = NULL;
  int64_t n = -1;
  if (prepare(db, query, &s) && sqlite3_step(s) == SQLITE_ROW) n = sqlite3_column_int64(s, 0);
  sqlite3_finalize(s);
  return n;
}

static bool is_sound(Database *db) {
  sqlite3_stmt *s = NULL;
  bool ok = prepare(db, "PRAGMA quick_check(1)", &s) && sqlite3_step(s) == SQLITE_ROW &&
            strcmp(text_of(s, 0), "ok") == 0;
  sqlite3_finalize(s);
  return ok;
}

/* What the schema of ours rules out, and another program may have put there: views and triggers, which would run with
 * what is asked here, and values that are no measurement. NULL: none of it; else what to say. SQLite takes any type in
 * any column, and a table that others made need not refuse NULL. */
static const char *foreign(Database *db) {
  static const struct { const char *query, *said; } all[] = {
      {"SELECT count(*) FROM sqlite_master WHERE type NOT IN ('table', 'index') OR sql LIKE 'CREATE VIRTUAL%'",
       "it has views, triggers or virtual tables, which tgc does not make"},
      {"SELECT count(*) FROM measurement WHERE typeof(median) NOT IN ('real', 'integer') OR typeof(low) NOT IN"
       " ('real', 'integer') OR typeof(high) NOT IN ('real', 'integer') OR NOT (median >= 0 AND median < 1e15)"
       " OR NOT (low >= 0 AND low < 1e15) OR NOT (high >= 0 AND high < 1e15)",
       "its table `measurement' has an invalid time"},
      {"SELECT count(*) FROM failure WHERE typeof(kind) <> 'text' OR typeof(message) <> 'text'",
       "its table `failure' has a row without a kind and a message"}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    int64_t n = number_of(db, all[i].query);
    if (n != 0) return n > 0 ? all[i].said : "";
  }
  return NULL;
}

/* One of an earlier version becomes one of this version: its tables are made anew. What is only read (a merge) stays as
 * it is; that it can be read is seen here. */
static bool bring_up(Database *db, int64_t version, bool writable) {
  for (int i = 0; i < TABLES; i++)
    if (!execute(db,
                 arena_printf(db->arena, "SELECT %s FROM %s LIMIT 0", columns(db->arena, i, version), tables[i].name)))
      return false;
  if (!writable) return true;
  if (!execute(db, "BEGIN IMMEDIATE")) return false;
  bool ok = true;
  for (int i = 0; i < TABLES; i++)
    ok = ok && execute(db, arena_printf(db->arena, "DROP INDEX IF EXISTS %1$s_of; ALTER TABLE %1$s RENAME TO old_%1$s",
                                        tables[i].name));
  ok = ok && execute(db, schema);
  for (int i = 0; i < TABLES; i++)
    ok = ok && execute(db, arena_printf(db->arena, "INSERT INTO %1$s SELECT %2$s FROM old_%1$s ORDER BY rowid;"
                                        " DROP TABLE old_%1$s", tables[i].name, columns(db->arena, i, version)));
  ok = ok && execute(db, arena_printf(db->arena, "PRAGMA user_version=%d", VERSION)) && execute(db, "COMMIT");
  if (!ok) execute(db, "ROLLBACK");
  return ok;
}

static bool look_over(Database *db, const char *path, Diagnostics *d) {
  const char *what = foreign(db);
  return !what || refuse(db, path, *what ? what : NULL, d);
}

static bool start(Database *db, const char *path, bool writable, Diagnostics *d) {
  sqlite3_busy_timeout(db->sql, 5000);
  sqlite3_db_config(db->sql, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite3_db_config(db->sql, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL); /* its schema may call no functions */
  int64_t version = number_of(db, "PRAGMA user_version"), there = number_of(db, "SELECT count(*) FROM sqlite_master");
  if (version < 0 || there < 0) return refuse(db, path, NULL, d);
  if (version == 0 && there == 0) {
    char *number = arena_printf(db->arena, "PRAGMA user_version=%d", VERSION);
    if (!execute(db, "BEGIN") || !execute(db, schema) || !execute(db, number) || !execute(db, "COMMIT"))
      return refuse(db, path, NULL, d);
  } else if (version >= 1 && version < VERSION && there > 1) {
    if (!is_sound(db)) return refuse(db, path, "it is damaged", d);
    if (!look_over(db, path, d)) return false;
    if (!bring_up(db, version, writable)) return refuse(db, path, NULL, d);
    if (!writable) return true;
  } else if (version != VERSION) return refuse(db, path, "made by another version, or by another program", d);
  if (!is_sound(db)) return refuse(db, path, "it is damaged", d);
  if (!look_over(db, path, d)) return false;
  bool ok = prepare(db, "SELECT median, low, high FROM measurement" WHERE " AND mode=?10 AND precise=?11" NEWEST,
                    &db->find) &&
            prepare(db, "SELECT kind, message FROM failure" WHERE NEWEST, &db->find_failure) &&
            prepare(db, "INSERT INTO measurement (text_hash, type, n, configuration, device, driver, toolkit, count,"
                        " calls, mode, precise, compute, spectrum, variant, median, low, high)"
                        " VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17)",
                    &db->store) &&
            prepare(db, "INSERT INTO failure (text_hash, type, n, configuration, device, driver, toolkit, count,"
                        " calls, compute, spectrum, variant, kind, message)"
                        " VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14)",
                    &db->fail);
  return ok || refuse(db, path, NULL, d);
}

static Database *open_with(Arena *a, const char *path, int flags, Diagnostics *d) {
  Database *db = arena_one(a, Database);
  db->arena = a;
  bool ok = sqlite3_open_v2(path, &db->sql, flags, NULL) == SQLITE_OK;
  if (!ok) refuse(db, path, sqlite3_errmsg(db->sql), d);
  if (ok && start(db, path, flags & SQLITE_OPEN_READWRITE, d)) return db;
  database_close(db);
  return NULL;
}

Database *database_open(Arena *a, const char *path, Diagnostics *d) {
  Database *db = open_with(a, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, d);
  if (!db) return NULL;
  execute(db, "PRAGMA journal_mode=WAL"); /* only of what is ours */
  execute(db, "PRAGMA synchronous=NORMAL");
  db->written = true;
  return db;
}

bool database_commit(Database *db) {
  bool ok = !db->pending || execute(db, "COMMIT");
  db->pending = 0;
  return ok;
}

/* A database that stays in WAL mode needs two more files wherever it is read, and a reader that may not write leaves
 * them behind: so it leaves that mode. If another process has it open it stays, and the next run tries again. */
static void leave_log(Database *db) {
  sqlite3_busy_timeout(db->sql, 0);
  execute(db, "PRAGMA journal_mode=DELETE");
}

void database_close(Database *db) {
  database_commit(db);
  sqlite3_finalize(db->find);
  sqlite3_finalize(db->find_failure);
  sqlite3_finalize(db->store);
  sqlite3_finalize(db->fail);
  if (db->written) leave_log(db);
  sqlite3_close(db->sql);
}

static void text(sqlite3_stmt *s, int i, const char *value) { sqlite3_bind_text(s, i, value, -1, SQLITE_TRANSIENT); }

/* Parameters 1 to 9, which every statement has. */
static void bind(Database *db, sqlite3_stmt *s, const DeviceInfo *device, const char *type, const Candidate *c,
                 Shape at) {
  sqlite3_reset(s);
  text(s, 1, c->variant->text_hash);
  text(s, 2, type);
  sqlite3_bind_int64(s, 3, (int64_t)at.n);
  Buffer set = buffer_new(db->arena);
  tunables_print(&set, &c->set);
  text(s, 4, set.length ? set.text : "");
  text(s, 5, device->name);
  text(s, 6, device->driver);
  text(s, 7, device->toolkit);
  sqlite3_bind_int64(s, 8, (int64_t)at.count);
  text(s, 9, calls_text(db->arena, at.calls));
}

static FailureKind kind_of(const char *name) {
  for (int k = FAILED_COMPILE; k <= FAILED_TIMEOUT; k++)
    if (strcmp(failure_names[k], name) == 0) return (FailureKind)k;
  return FAILED_LAUNCH;
}

const char *database_error(const Database *db) { return sqlite3_errmsg(db->sql); }

bool database_find(Database *db, const DeviceInfo *device, const Folder *f, const char *type, const Candidate *c,
                   Shape at, const char *modes, int turn, Measured *m) {
  *m = (Measured){.mode = {{-1, -1, -1}, {-1, -1, -1}, {-1, -1, -1}}};
  bind(db, db->find_failure, device, type, c, at);
  if (sqlite3_step(db->find_failure) == SQLITE_ROW) {
    m->failed = kind_of(text_of(db->find_failure, 0));
    m->message = arena_strdup(db->arena, text_of(db->find_failure, 1));
  }
  sqlite3_reset(db->find_failure);
  if (m->failed) return true;
  bool all = true;
  for (int mode = 0; mode < MODES; mode++) {
    if (!strchr(modes, "gsy"[mode])) continue;
    bind(db, db->find, device, type, c, at);
    text(db->find, 10, mode_name(f, (Mode)mode));
    sqlite3_bind_int(db->find, 11, turn);
    bool found = sqlite3_step(db->find) == SQLITE_ROW;
    if (found)
      m->mode[mode] = (Timing){sqlite3_column_double(db->find, 0), sqlite3_column_double(db->find, 1),
                               sqlite3_column_double(db->find, 2)};
    all &= found;
    sqlite3_reset(db->find);
  }
  return all;
}

static bool insert(Database *db, sqlite3_stmt *s) {
  enum { AT_ONCE = 64 };
  if (!db->pending && !execute(db, "BEGIN")) return false;
  db->pending++;
  bool ok = sqlite3_step(s) == SQLITE_DONE;
  sqlite3_reset(s);
  if (db->pending < AT_ONCE) return ok;
  return database_commit(db) && ok;
}

bool database_store(Database *db, const DeviceInfo *device, const Folder *f, const char *type, const Candidate *c,
                    Shape at, int turn, const Measured *m) {
  if (m->failed) {
    bind(db, db->fail, device, type, c, at);
    sqlite3_bind_int(db->fail, 10, device->compute);
    text(db->fail, 11, f->spectrum);
    text(db->fail, 12, c->variant->id);
    text(db->fail, 13, failure_names[m->failed]);
    text(db->fail, 14, m->message ? m->message : "");
    return insert(db, db->fail);
  }
  bool ok = true;
  for (int mode = 0; mode < MODES && ok; mode++) {
    if (m->mode[mode].median < 0) continue;
    sqlite3_stmt *s = db->store;
    bind(db, s, device, type, c, at);
    text(s, 10, mode_name(f, (Mode)mode));
    sqlite3_bind_int(s, 11, turn);
    sqlite3_bind_int(s, 12, device->compute);
    text(s, 13, f->spectrum);
    text(s, 14, c->variant->id);
    sqlite3_bind_double(s, 15, m->mode[mode].median);
    sqlite3_bind_double(s, 16, m->mode[mode].low);
    sqlite3_bind_double(s, 17, m->mode[mode].high);
    ok = insert(db, s);
  }
  return ok;
}

int64_t database_merge(Database *db, const char *path, Diagnostics *d) {
  if (access(path, R_OK) != 0) return refuse(db, path, strerror(errno), d), -1;
  Database *other = open_with(db->arena, path, SQLITE_OPEN_READONLY, d); /* is it one of ours? */
  if (!other) return -1;
  const int64_t version = number_of(other, "PRAGMA user_version");
  database_close(other);
  database_commit(db);
  char *attach = sqlite3_mprintf("ATTACH %Q AS other", path);
  bool ok = execute(db, attach) && execute(db, "BEGIN");
  sqlite3_free(attach);
  int64_t before = sqlite3_total_changes(db->sql);
  for (int i = 0; i < TABLES && ok; i++)
    ok = execute(db, arena_printf(db->arena,
                                  "INSERT INTO main.%1$s SELECT %2$s FROM other.%1$s EXCEPT SELECT * FROM main.%1$s",
                                  tables[i].name, columns(db->arena, i, version)));
  ok = ok && execute(db, "COMMIT");
  if (!ok) {
    refuse(db, path, NULL, d);
    execute(db, "ROLLBACK");
  }
  int64_t added = sqlite3_total_changes(db->sql) - before;
  execute(db, "DETACH other");
  return ok ? added : -1;
}

void database_forget_failures(Database *db) {
  database_commit(db);
  execute(db, "DELETE FROM failure");
}
