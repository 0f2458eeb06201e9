/* moves.c: many files of a folder replaced at once, also when the process is killed in between.
 *
 *   staging folder, PREFIX PID-NUMBER     new/PATH   what is to be moved in, complete and flushed
 *                                         old/N      what was moved aside
 *                                         moves      the journal: the renames in order, flushed before the first one
 *
 * A child process in a session of its own does the renames, and its signals are blocked: a tgc that is killed, by name,
 * with its process group or by a terminal that is closed, does not end it. It also holds the lock, which it inherits,
 * so that the next process waits for it. Only a machine that stops leaves renames half done, and the journal with them:
 * the next process reads it backwards. */
#include "emit/moves.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/diagnostics.h"

enum { LOCK_SECONDS = 60, LOCK_TRIES_PER_SECOND = 100, STAGES = 1000 };

static const char journal_name[] = "moves";

static int remove_one(const char *path, const struct stat *s, int kind, struct FTW *f) {
  (void)s;
  (void)kind;
  (void)f;
  (void)remove(path); /* failures are ignored: leftovers are harmless */
  return 0;
}

void moves_remove_tree(const char *path) { nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT); }

/* ---- the lock ---- */

/* Locks the folder itself, so that no lock file remains. */
int moves_lock(const char *dir, bool *held) {
  int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return -1;
  for (int tries = 0; tries < LOCK_SECONDS * LOCK_TRIES_PER_SECOND; tries++) {
    *held = flock(fd, LOCK_EX | LOCK_NB) == 0;
    if (*held || (errno != EWOULDBLOCK && errno != EINTR)) return fd;
    nanosleep(&(struct timespec){0, 1000000000 / LOCK_TRIES_PER_SECOND}, NULL);
  }
  close(fd);
  errno = ETIMEDOUT;
  return -1;
}

/* ---- staging folders ---- */

/* The process that made a staging folder; 0: it is not the name of one. */
static long staging_owner(const char *name, const char *prefix) {
  size_t n = strlen(prefix);
  if (strncmp(name, prefix, n) != 0 || !isdigit((unsigned char)name[n])) return 0;
  char *end;
  errno = 0;
  long pid = strtol(name + n, &end, 10);
  if (errno || *end != '-' || !isdigit((unsigned char)end[1])) return 0;
  return end[1 + strspn(end + 1, "0123456789")] == '\0' ? pid : 0;
}

bool moves_is_stage(const char *name, const char *prefix) { return staging_owner(name, prefix) > 0; }

const char *moves_make_stage(Arena *a, const char *parent, const char *prefix) {
  for (int i = 0; i < STAGES; i++) {
    const char *path = arena_printf(a, "%s/%s%ld-%d", parent, prefix, (long)getpid(), i);
    if (mkdir(path, 0777) == 0) return path;
    if (errno != EEXIST) return NULL;
  }
  return NULL;
}

/* ---- the journal ---- */

/* Is the path inside `root`, without `..' or links, to a file or to nothing? The journal is untrusted: others may
 * have written to the folder. */
static bool is_inside(Arena *a, const char *root, const char *path) {
  struct stat s;
  for (const char *name = path, *end; ; name = end + 1) {
    end = strchrnul(name, '/');
    size_t n = (size_t)(end - name);
    if (n == 0 || (n == 1 && name[0] == '.') || (n == 2 && name[0] == '.' && name[1] == '.')) return false;
    const char *upto = arena_printf(a, "%s/%.*s", root, (int)(end - path), path);
    if (lstat(upto, &s) != 0) return errno == ENOENT;
    if (!*end) return S_ISREG(s.st_mode);
    if (!S_ISDIR(s.st_mode)) return false;
  }
}

static bool is_there(const char *path) {
  struct stat s;
  return lstat(path, &s) == 0;
}

static bool write_journal(Arena *a, const char *stage, const Moves *moves) {
  FILE *f = fopen(arena_printf(a, "%s/%s", stage, journal_name), "wx");
  if (!f) return false;
  bool ok = true;
  for (int i = 0; i < moves->list.n && ok; i++)
    ok = fprintf(f, "%s\t%s\n", moves->list.at[i].staged, moves->list.at[i].place) > 0;
  ok = fflush(f) == 0 && ok;
  if (ok && fsync(fileno(f)) != 0 && errno != EINVAL && errno != ENOTSUP && errno != EROFS) ok = false;
  return fclose(f) == 0 && ok;
}

/* Undoes the journal's renames that were done. Idempotent: each line checks whether it is needed. */
static void roll_back(Arena *a, const char *dir, const char *stage, const SourceFile *journal) {
  VEC(char *) lines = {0};
  char *text = arena_strndup(a, journal->text, journal->size);
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) vec_push(a, &lines, line);
  for (int i = lines.n - 1; i >= 0; i--) {
    char *staged = lines.at[i], *tab = strchr(staged, '\t');
    if (!tab) continue;
    *tab = '\0';
    const char *place = tab + 1;
    const bool aside = strncmp(staged, "old/", 4) == 0;
    if (!aside && strncmp(staged, "new/", 4) != 0) continue;
    if (!is_inside(a, stage, staged) || !is_inside(a, dir, place)) continue;
    const char *from = arena_printf(a, "%s/%s", stage, staged), *to = arena_printf(a, "%s/%s", dir, place);
    if (aside && is_there(from)) (void)rename(from, to);
    if (!aside && !is_there(from)) (void)rename(to, from);
  }
}

void moves_recover(Arena *a, const char *parent, const char *prefix, bool held) {
  DIR *d = opendir(parent);
  if (!d) return;
  for (struct dirent *e; (e = readdir(d));) {
    const long pid = staging_owner(e->d_name, prefix);
    struct stat s;
    if (pid <= 0) continue;
    const char *stage = arena_printf(a, "%s/%s", parent, e->d_name);
    if (lstat(stage, &s) != 0 || !S_ISDIR(s.st_mode) || s.st_uid != geteuid()) continue;
    /* With the lock held, a folder of this process's pid was made by an earlier process with that pid. */
    const bool dead = (kill((pid_t)pid, 0) != 0 && errno == ESRCH) || (held && pid == (long)getpid());
    const char *journal = arena_printf(a, "%s/%s", stage, journal_name);
    SourceFile *text = (dead || held) && lstat(journal, &s) == 0 && S_ISREG(s.st_mode) ? source_read(a, journal) : NULL;
    if (text) roll_back(a, parent, stage, text);
    if (dead || text) moves_remove_tree(stage);
  }
  closedir(d);
}

/* ---- the moves ---- */

typedef struct Path { const char *from, *to; } Path;
typedef struct Result { int error, failed; } Result;

/* Renames all, and back after a failure. Runs in a forked child: nothing else is safe. */
static Result rename_all(const Path *paths, int n, const char *journal) {
  Result r = {0, -1};
  for (int i = 0; i < n; i++) {
    if (rename(paths[i].from, paths[i].to) == 0) continue;
    r = (Result){errno, i};
    for (int k = i - 1; k >= 0; k--) (void)rename(paths[k].to, paths[k].from);
    break;
  }
  (void)unlink(journal);
  return r;
}

static Result rename_in_child(const Path *paths, int n, const char *stage, const char *journal) {
  Result r = {0, -1};
  int ends[2];
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &before);
  const bool has_pipe = pipe2(ends, O_CLOEXEC) == 0;
  pid_t child = has_pipe ? fork() : -1;
  if (child == 0) {
    setsid();
    r = rename_all(paths, n, journal);
    if (r.error == 0) moves_remove_tree(stage);
    _exit(write(ends[1], &r, sizeof r) == (ssize_t)sizeof r ? 0 : 1); /* no reader if tgc was killed */
  }
  if (child < 0) { /* fork failed: rename here, with signals blocked */
    r = rename_all(paths, n, journal);
    if (r.error == 0) moves_remove_tree(stage);
  }
  sigprocmask(SIG_SETMASK, &before, NULL);
  if (has_pipe) close(ends[1]);
  if (child > 0) {
    ssize_t got;
    while ((got = read(ends[0], &r, sizeof r)) < 0 && errno == EINTR) continue;
    if (got != (ssize_t)sizeof r) r = (Result){ECHILD, -1};
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
  }
  if (has_pipe) close(ends[0]);
  return r;
}

int moves_commit(Arena *a, const char *dir, const char *stage, const Moves *moves, int *failed) {
  *failed = -1;
  const char *journal = arena_printf(a, "%s/%s", stage, journal_name);
  Path *paths = arena_many(a, Path, moves->list.n);
  for (int i = 0; i < moves->list.n; i++) {
    const Move *m = &moves->list.at[i];
    const char *staged = arena_printf(a, "%s/%s", stage, m->staged), *place = arena_printf(a, "%s/%s", dir, m->place);
    paths[i] = m->aside ? (Path){place, staged} : (Path){staged, place};
  }
  if (!write_journal(a, stage, moves)) return errno ? errno : EIO;
  Result r = rename_in_child(paths, moves->list.n, stage, journal);
  if (r.error == ECHILD && r.failed < 0) { /* the child was killed */
    SourceFile *text = source_read(a, journal);
    if (text) roll_back(a, dir, stage, text);
    else if (!is_there(stage)) return 0;
  }
  *failed = r.failed;
  return r.error;
}
