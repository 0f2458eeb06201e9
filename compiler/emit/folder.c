/* folder.c: the folder that the output goes to, written whole or not at all.
 *
 *   out does not exist     .out.tgc-PID-0 beside it gets every file, and then out's name
 *   out exists             out/.tgc-PID-0/new gets the files that differ; then each takes its place, and what stood
 *                          there waits in out/.tgc-PID-0/old until the last one is in. One that fails puts all back.
 *
 * Staging inside a folder that exists keeps to its file system, whatever is mounted there. A file whose text is what it
 * should be is not touched, so that builds do not rebuild it. The folder is locked meanwhile. The manifest leaves first
 * and comes last: a folder without one is in between. What a killed run leaves is ended by the next one (moves.c). */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>

#include "emit/emit.h"
#include "emit/moves.h"
#include "support/manifest.h"
#include "support/manifest_file.h"

static const char stage_prefix[] = ".tgc-";

typedef struct Writing {
  Arena *a;
  Diagnostics *d;
  const char *dir;
  const char *stage; /* NULL: not made yet */
  VEC(const char *) made;  /* directories made on the way, outermost first */
  bool held;               /* the folder is locked */
} Writing;

static bool refuse(Writing *w, const char *hint, const char *message) {
  diagnostics_add(w->d, DIAG_ERROR, (SourceRange){0}, hint, "%s", message);
  return false;
}

static const char *hint_for(int error) {
  switch (error) {
    case ENOSPC: case EDQUOT: return "make room, or choose a folder on another disk; nothing was changed";
    case EFBIG: return "the limit on the size of a file (ulimit -f) is too low; nothing was changed";
    case EMFILE: case ENFILE: return "the limit on open files (ulimit -n) is too low; nothing was changed";
    default: return "choose a folder that you can write into; nothing was changed";
  }
}

static bool refuse_errno(Writing *w, const char *what, const char *path) {
  return refuse(w, hint_for(errno), arena_printf(w->a, "cannot %s `%s': %s", what, path, strerror(errno)));
}

static const char *join(Arena *a, const char *dir, const char *name) { return arena_printf(a, "%s/%s", dir, name); }

/* "a/b" of "a/b/c", "." of "c", "/" of "/c". */
static const char *parent_of(Arena *a, const char *path) {
  const char *slash = strrchr(path, '/');
  if (!slash) return ".";
  while (slash > path && slash[-1] == '/') slash--;
  return slash == path ? "/" : arena_strndup(a, path, (size_t)(slash - path));
}

/* ---- directories ---- */

static bool is_folder(const char *path) {
  struct stat s;
  return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

/* mkdir -p; records what it makes. */
static bool make_folders(Writing *w, const char *path) {
  if (is_folder(path)) return true;
  const char *parent = parent_of(w->a, path);
  if (strcmp(parent, path) != 0 && !make_folders(w, parent)) return false;
  if (mkdir(path, 0777) != 0) return (errno == EEXIST && is_folder(path)) || refuse_errno(w, "make the folder", path);
  vec_push(w->a, &w->made, path);
  return true;
}

/* The prefix of staging folders beside `dir`. */
static const char *prefix_beside(Writing *w) {
  const char *slash = strrchr(w->dir, '/');
  return arena_printf(w->a, ".%.200s.tgc-", slash ? slash + 1 : w->dir);
}

static bool make_stage(Writing *w, const char *parent, const char *prefix) {
  w->stage = moves_make_stage(w->a, parent, prefix);
  return w->stage || refuse_errno(w, "write into", parent);
}

/* ---- files ---- */

static bool write_all(int fd, const char *text, size_t n) {
  while (n > 0) {
    ssize_t done = write(fd, text, n);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return false;
    text += done;
    n -= (size_t)done;
  }
  return true;
}

typedef struct Piece {
  char bytes[1 << 16];
  size_t length;
} Piece;

/* The next piece of the file's text, from that offset on. False with errno. */
static bool next_piece(const OutputFile *f, size_t from, Piece *p) {
  p->length = f->length - from < sizeof p->bytes ? f->length - from : sizeof p->bytes;
  if (f->spooled.spool) return spool_part(f->spooled, from, p->bytes, p->length);
  if (p->length) memcpy(p->bytes, f->text + from, p->length);
  return true;
}

static bool write_text(int fd, const OutputFile *f) {
  Piece p;
  for (size_t done = 0; done < f->length; done += p.length)
    if (!next_piece(f, done, &p) || !write_all(fd, p.bytes, p.length)) return false;
  return true;
}

/* Writes one staged file; `path` is the name it will have, for what is said. */
static bool stage_file(Writing *w, const char *root, const OutputFile *f) {
  const char *staged = join(w->a, root, f->path), *path = join(w->a, w->dir, f->path);
  if (!make_folders(w, parent_of(w->a, staged))) return false;
  int fd = open(staged, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) return refuse_errno(w, "write", path);
  bool ok = write_text(fd, f);
  if (ok) (void)sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WRITE); /* flush_file waits for it */
  int error = errno;
  if (close(fd) != 0 && ok) {
    ok = false;
    error = errno;
  }
  errno = error;
  return ok || refuse_errno(w, "write", path);
}

/* Flushed, or a crash could leave names without text: each text is brought to the disk, and what is known of all of
 * them with the last one, since a turn of the journal for each of hundreds takes most of tgc's time (git's
 * core.fsyncMethod=batch). Some file systems have no such calls. */
static bool flush_file(Writing *w, const char *root, const OutputFile *f, bool last) {
  enum { WRITTEN = SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER };
  int fd = open(join(w->a, root, f->path), O_RDONLY | O_CLOEXEC);
  bool ok = fd >= 0 && (last ? fsync(fd) : sync_file_range(fd, 0, 0, WRITTEN)) == 0;
  const int error = errno;
  if (fd >= 0) close(fd);
  ok |= fd >= 0 && (error == EINVAL || error == ENOTSUP || error == ENOSYS || error == ESPIPE || error == EROFS);
  errno = error;
  return ok || refuse_errno(w, "write", join(w->a, w->dir, f->path));
}

/* Writes those that differ; NULL: all. */
static bool stage_files(Writing *w, const char *root, const OutputFile *files, int n, const bool *differs) {
  while (n > 0 && differs && !differs[n - 1]) n--;
  for (int i = 0; i < n; i++)
    if ((!differs || differs[i]) && !stage_file(w, root, &files[i])) return false;
  for (int i = 0; i < n; i++)
    if ((!differs || differs[i]) && !flush_file(w, root, &files[i], i == n - 1)) return false;
  return true;
}

static bool same_text(const char *path, const OutputFile *f) {
  struct stat s;
  if (lstat(path, &s) != 0 || !S_ISREG(s.st_mode) || (size_t)s.st_size != f->length) return false;
  FILE *there = fopen(path, "re");
  bool same = there != NULL;
  Piece ours, theirs;
  for (size_t done = 0; same && done < f->length; done += ours.length)
    same = next_piece(f, done, &ours) && fread(theirs.bytes, 1, ours.length, there) == ours.length &&
           memcmp(ours.bytes, theirs.bytes, ours.length) == 0;
  if (there) fclose(there);
  return same;
}

/* Removes the staging folder and the directories made. */
static bool undo(Writing *w) {
  if (w->stage) moves_remove_tree(w->stage);
  for (int i = w->made.n - 1; i >= 0; i--) (void)rmdir(w->made.at[i]);
  return false;
}

/* ---- a folder that is there already ---- */

/* May the file be replaced? Not if a folder, a link or a device has its name. */
static bool check_place(Writing *w, const char *relative) {
  struct stat s;
  for (size_t i = 1; relative[i - 1]; i++) {
    if (relative[i] != '/' && relative[i]) continue;
    const char *path = join(w->a, w->dir, arena_strndup(w->a, relative, i));
    if (lstat(path, &s) != 0) {
      if (errno == ENOENT) return true;
      return refuse_errno(w, "look at", path);
    }
    bool last = relative[i] == '\0';
    const char *wanted = last ? "file" : "folder";
    if (S_ISLNK(s.st_mode))
      return refuse(w, "remove it, or choose another folder",
                    arena_printf(w->a, "`%s' is a symbolic link, and a %s has to go there", path, wanted));
    if (last ? !S_ISREG(s.st_mode) : !S_ISDIR(s.st_mode))
      return refuse(w, "remove it, or choose another folder",
                    arena_printf(w->a, "`%s' is in the way: a %s has to go there", path, wanted));
  }
  return true;
}

/* Whether the folder holds anything but staging folders. */
static bool holds_nothing(const char *dir, bool *empty) {
  DIR *d = opendir(dir);
  if (!d) return false;
  *empty = true;
  for (struct dirent *e; (e = readdir(d));)
    if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0 && !moves_is_stage(e->d_name, stage_prefix))
      *empty = false;
  closedir(d);
  return true;
}

typedef struct Names { VEC(const char *) list; } Names;

/* A variant's file as a manifest may name it: variants/NAME, nothing that leads elsewhere. */
static bool plain_variant(const char *file) {
  static const char folder[] = "variants/";
  if (strncmp(file, folder, sizeof folder - 1) != 0) return false;
  file += sizeof folder - 1;
  return *file && *file != '.' && !strchr(file, '/');
}

/* What the files of an earlier run that are called after the spectrum end in, up to NULL: its texts were CUDA, C or
 * C++, as its variants' are. */
static const char *const *named_endings(const json_t *manifest) {
  static const char *const cuda[] = {".h", ".table", ".cu", "_from.cu", "_counted.cu", NULL};
  static const char *const c[] = {".h", ".table", ".c", NULL}, *const cplusplus[] = {".h", ".table", ".cc", NULL};
  const json_t *first = json_array_get(json_object_get(manifest, KEY_VARIANTS), 0);
  const char *file = json_string_value(json_object_get(first, KEY_FILE)), *dot = file ? strrchr(file, '.') : NULL;
  return dot && strcmp(dot, ".c") == 0 ? c : dot && strcmp(dot, ".cc") == 0 ? cplusplus : cuda;
}

/* What an earlier run wrote for one machine, under `under' ("", or "sm_80/"). */
static void note_machine(Writing *w, const json_t *manifest, const char *under, Names *earlier) {
  static const char *const fixed[] = {"CMakeLists.txt", "check/reference.cc", "check/codelets.h", "check/codelets.cc",
                                      "check/number.h", "check/mathematics.h", "check/containers.h",
                                      "check/language.h", "check/lanes.h", "check/entry.h",
                                      "check/types.h", "check/operator.h",
                                      CODELETS_FILE, MANIFEST_FILE};
  const char *const *named = named_endings(manifest);
  const json_t *variants = json_object_get(manifest, KEY_VARIANTS);
  const char *name = json_string_value(json_object_get(manifest, KEY_SPECTRUM));
  for (size_t i = 0; i < json_array_size(variants); i++) {
    const char *file = json_string_value(json_object_get(json_array_get(variants, i), KEY_FILE));
    if (file && plain_variant(file)) vec_push(w->a, &earlier->list, arena_printf(w->a, "%s%s", under, file));
  }
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
    vec_push(w->a, &earlier->list, arena_printf(w->a, "%s%s", under, fixed[i]));
  for (size_t i = 0; name && !strchr(name, '/') && named[i]; i++)
    vec_push(w->a, &earlier->list, arena_printf(w->a, "%s%s%s", under, name, named[i]));
}

/* A manifest, of whose variants the files alone are kept; NULL: it cannot be read. */
static json_t *read_earlier(const char *path) {
  struct stat s;
  FILE *f = lstat(path, &s) == 0 && S_ISREG(s.st_mode) ? fopen(path, "re") : NULL;
  json_t *manifest = f ? manifest_files(f) : NULL;
  if (f) fclose(f);
  return manifest;
}

/* .. and for each of several. */
static void note_earlier(Writing *w, const json_t *manifest, Names *earlier) {
  const json_t *machines = json_object_get(manifest, KEY_MACHINES);
  if (!machines) machines = json_object_get(manifest, KEY_SPECTRA);
  note_machine(w, manifest, "", earlier);
  for (size_t i = 0; i < json_array_size(machines); i++) {
    const char *folder = json_string_value(json_object_get(json_array_get(machines, i), KEY_FOLDER));
    if (!manifest_is_folder_name(folder)) continue;
    json_t *own = read_earlier(arena_printf(w->a, "%s/%s/%s", w->dir, folder, MANIFEST_FILE));
    if (own) note_machine(w, own, arena_printf(w->a, "%s/", folder), earlier);
    json_decref(own);
  }
}

/* The folder's own manifest says that it is tgc's, and what an earlier run wrote. */
static bool check_ours(Writing *w, Names *earlier) {
  static const char hint[] = "choose another folder, or empty this one";
  const char *path = join(w->a, w->dir, MANIFEST_FILE);
  bool empty;
  if (!holds_nothing(w->dir, &empty)) return refuse_errno(w, "read the folder", w->dir);
  if (empty) return true;
  struct stat s;
  if (lstat(path, &s) != 0)
    return refuse(w, hint, arena_printf(w->a, "`%s' holds files that tgc did not make", w->dir));
  json_t *manifest = read_earlier(path);
  const char *generator = json_string_value(json_object_get(manifest, KEY_GENERATOR));
  bool ours = generator && strcmp(generator, MANIFEST_GENERATOR) == 0;
  if (ours) note_earlier(w, manifest, earlier);
  json_decref(manifest);
  return ours || refuse(w, hint, arena_printf(w->a, "`%s' is not a manifest of tgc", path));
}

static int by_path(const void *x, const void *y) {
  return strcmp(((const OutputFile *)x)->path, ((const OutputFile *)y)->path);
}

/* Files of an earlier run that this one does not write. */
static void find_stale(Writing *w, const Names *earlier, const OutputFile *files, int n, Names *stale) {
  OutputFile *sorted = arena_many(w->a, OutputFile, n);
  memcpy(sorted, files, (size_t)n * sizeof *sorted);
  qsort(sorted, (size_t)n, sizeof *sorted, by_path);
  for (int i = 0; i < earlier->list.n; i++) {
    const char *relative = earlier->list.at[i], *path = join(w->a, w->dir, relative);
    const OutputFile same = {.path = relative};
    struct stat s;
    if (!bsearch(&same, sorted, (size_t)n, sizeof *sorted, by_path) && lstat(path, &s) == 0 && S_ISREG(s.st_mode))
      vec_push(w->a, &stale->list, relative);
  }
}

/* The renames in order: the old manifest out first, the new one in last. */
static void plan_moves(Writing *w, const OutputFile *files, const bool *differs, int n, const Names *stale, Moves *to) {
  struct stat s;
  int last = -1;
  for (int i = 0; i < n; i++)
    if (strcmp(files[i].path, MANIFEST_FILE) == 0) last = i;
  for (int turn = 0; turn < 2; turn++)
    for (int i = 0; i < n; i++) {
      if (!differs[i] || (i == last) != (turn == 0)) continue;
      Move aside = {arena_printf(w->a, "old/%d", i), files[i].path, true};
      Move in = {arena_printf(w->a, "new/%s", files[i].path), files[i].path, false};
      if (lstat(join(w->a, w->dir, files[i].path), &s) == 0) vec_push(w->a, &to->list, aside);
      if (i != last) vec_push(w->a, &to->list, in);
    }
  for (int i = 0; i < stale->list.n; i++) {
    Move aside = {arena_printf(w->a, "old/%d", n + i), stale->list.at[i], true};
    vec_push(w->a, &to->list, aside);
  }
  if (last < 0 || !differs[last]) return;
  Move in = {arena_printf(w->a, "new/%s", MANIFEST_FILE), MANIFEST_FILE, false};
  vec_push(w->a, &to->list, in);
}

static bool commit(Writing *w, const Moves *moves) {
  int failed;
  int error = moves_commit(w->a, w->dir, w->stage, moves, &failed);
  if (error == 0) return true;
  const Move *m = failed >= 0 ? &moves->list.at[failed] : NULL;
  errno = error;
  return refuse_errno(w, !m ? "write into" : m->aside ? "replace" : "write", m ? join(w->a, w->dir, m->place) : w->dir);
}

/* Removes a folder inside ours, and its parents, while they are empty. */
static void remove_empty(Writing *w, const char *path) {
  while (strcmp(path, w->dir) != 0 && strlen(path) > strlen(w->dir) && rmdir(path) == 0) path = parent_of(w->a, path);
}

/* Stages the files that differ, and renames them in; removes the stale ones. */
static bool replace(Writing *w, const OutputFile *files, int n, const Names *stale) {
  bool *differs = arena_many(w->a, bool, n), any = stale->list.n > 0;
  for (int i = 0; i < n; i++) {
    if (!check_place(w, files[i].path)) return false;
    differs[i] = !same_text(join(w->a, w->dir, files[i].path), &files[i]);
    any |= differs[i];
  }
  if (!any) return true;
  if (!make_stage(w, w->dir, stage_prefix)) return false;
  const char *root = join(w->a, w->stage, "new"), *old = join(w->a, w->stage, "old");
  if (mkdir(old, 0777) != 0) return refuse_errno(w, "write into", w->dir);
  const int before = w->made.n;
  if (!stage_files(w, root, files, n, differs)) return false;
  w->made.n = before; /* the staged ones go with the stage */
  for (int i = 0; i < n; i++)
    if (differs[i] && !make_folders(w, parent_of(w->a, join(w->a, w->dir, files[i].path)))) return false;
  Moves moves = {0};
  plan_moves(w, files, differs, n, stale, &moves);
  if (!commit(w, &moves)) return false;
  for (int i = 0; i < stale->list.n; i++)
    remove_empty(w, parent_of(w->a, join(w->a, w->dir, stale->list.at[i])));
  return true;
}

static bool update(Writing *w, const OutputFile *files, int n) {
  Names earlier = {0}, stale = {0};
  moves_recover(w->a, parent_of(w->a, w->dir), prefix_beside(w), false);
  moves_recover(w->a, w->dir, stage_prefix, w->held);
  if (!check_ours(w, &earlier)) return false;
  find_stale(w, &earlier, files, n, &stale);
  return replace(w, files, n, &stale);
}

/* Runs `act` with the folder locked. */
static bool locked(Writing *w, const OutputFile *files, int n, bool (*act)(Writing *, const OutputFile *, int)) {
  int lock = moves_lock(w->dir, &w->held);
  if (lock < 0 && errno == ETIMEDOUT)
    return refuse(w, "wait for it, or choose another folder",
                  arena_printf(w->a, "another process keeps `%s' locked", w->dir));
  if (lock < 0) return refuse_errno(w, "read the folder", w->dir);
  bool ok = act(w, files, n) || undo(w);
  close(lock);
  return ok;
}

static bool replace_some(Writing *w, const OutputFile *files, int n) {
  moves_recover(w->a, w->dir, stage_prefix, w->held);
  return replace(w, files, n, &(Names){0});
}

bool folder_replace(Arena *a, const char *dir, const OutputFile *files, int n, Diagnostics *d) {
  Writing w = {.a = a, .d = d, .dir = dir};
  return locked(&w, files, n, replace_some);
}

/* ---- a folder that is not there yet ---- */

static bool create(Writing *w, const OutputFile *files, int n) {
  const char *parent = parent_of(w->a, w->dir), *prefix = prefix_beside(w);
  if (!make_folders(w, parent)) return false;
  moves_recover(w->a, parent, prefix, false);
  if (!make_stage(w, parent, prefix)) return false;
  if (!stage_files(w, w->stage, files, n, NULL)) return false;
  if (rename(w->stage, w->dir) == 0) return true;
  if (errno != EEXIST && errno != ENOTEMPTY) return refuse_errno(w, "make the folder", w->dir);
  undo(w); /* another process was faster */
  w->stage = NULL;
  w->made.n = 0;
  return locked(w, files, n, update);
}

bool folder_write(Arena *a, const char *dir, const OutputFile *files, int n, Diagnostics *d) {
  size_t length = strlen(dir);
  while (length > 1 && (dir[length - 1] == '/' || (dir[length - 1] == '.' && dir[length - 2] == '/'))) length--;
  Writing w = {.a = a, .d = d, .dir = arena_strndup(a, dir, length)};
  struct stat s;
  bool ok;
  if (length == 0) ok = refuse(&w, NULL, "the output folder has no name");
  else if (stat(w.dir, &s) == 0)
    ok = S_ISDIR(s.st_mode) ? locked(&w, files, n, update)
                            : refuse(&w, "choose another name", arena_printf(a, "`%s' is a file, not a folder", w.dir));
  else if (errno != ENOENT) ok = refuse_errno(&w, "write into", w.dir);
  else if (lstat(w.dir, &s) == 0)
    ok = refuse(&w, "remove it, or choose another name", arena_printf(a, "`%s' is a symbolic link to nothing", w.dir));
  else ok = create(&w, files, n);
  return ok || undo(&w);
}
