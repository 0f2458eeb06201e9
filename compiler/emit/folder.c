/* folder.c: the folder that the output goes to, written whole or not at all.
 *
 *   out does not exist     .out.tgc-PID-0 beside it gets every file, and then out's name
 *   out exists             out/.tgc-PID-0 gets the files that differ; then each takes its place, and what stood there
 *                          waits in out/.tgc-PID-0/old until the last one is in. One that fails puts all back.
 *
 * Staging inside a folder that exists keeps to its file system, whatever is mounted there. A file whose text is what it
 * should be is not touched, so that builds do not rebuild it. A run that is killed leaves its staging folder behind;
 * the next one sweeps it away once it is an hour old. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <jansson.h>

#include "emit/emit.h"
#include "support/manifest.h"
#include "support/manifest_file.h"

enum { STALE_SECONDS = 3600 };

typedef struct Move { const char *from, *to; } Move;

typedef struct Writing {
  Arena *a;
  Diagnostics *d;
  const char *dir;
  const char *stage; /* NULL as long as there is none */
  VEC(const char *) made;  /* directories made on the way, outermost first */
  VEC(Move) moved;         /* in order */
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

static bool cannot(Writing *w, const char *what, const char *path) {
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

/* mkdir -p; what it makes is noted. */
static bool make_folders(Writing *w, const char *path) {
  if (is_folder(path)) return true;
  const char *parent = parent_of(w->a, path);
  if (strcmp(parent, path) != 0 && !make_folders(w, parent)) return false;
  if (mkdir(path, 0777) != 0) return (errno == EEXIST && is_folder(path)) || cannot(w, "make the folder", path);
  vec_push(w->a, &w->made, path);
  return true;
}

static int remove_one(const char *path, const struct stat *s, int kind, struct FTW *f) {
  (void)s;
  (void)kind;
  (void)f;
  (void)remove(path); /* what cannot be removed is left: there is no better end to it */
  return 0;
}

static void remove_tree(const char *path) { nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT); }

/* Removes staging folders that killed runs left in `dir`: those whose name begins so and that are old. */
static void sweep(Writing *w, const char *dir, const char *prefix) {
  DIR *d = opendir(dir);
  if (!d) return;
  for (struct dirent *e; (e = readdir(d));) {
    struct stat s;
    if (strncmp(e->d_name, prefix, strlen(prefix)) != 0) continue;
    const char *path = join(w->a, dir, e->d_name);
    if (lstat(path, &s) == 0 && S_ISDIR(s.st_mode) && s.st_uid == geteuid() && time(NULL) - s.st_mtime > STALE_SECONDS)
      remove_tree(path);
  }
  closedir(d);
}

/* A new folder in `parent`, named after this process. */
static bool make_stage(Writing *w, const char *parent, const char *prefix) {
  sweep(w, parent, prefix);
  for (int i = 0;; i++) {
    const char *path = arena_printf(w->a, "%s/%s%ld-%d", parent, prefix, (long)getpid(), i);
    if (mkdir(path, 0777) == 0) {
      w->stage = path;
      return true;
    }
    if (errno != EEXIST || i == 1000) return cannot(w, "write into", parent);
  }
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

/* Writes one staged file; `path` is the name it will have, for what is said. */
static bool stage_file(Writing *w, const char *root, const OutputFile *f) {
  const char *staged = join(w->a, root, f->path), *path = join(w->a, w->dir, f->path);
  if (!make_folders(w, parent_of(w->a, staged))) return false;
  int fd = open(staged, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) return cannot(w, "write", path);
  bool ok = write_all(fd, f->text ? f->text : "", f->length);
  /* Flushed, or a crash could leave names without text; some file systems have no such call. */
  if (ok && fsync(fd) != 0 && errno != EINVAL && errno != ENOTSUP && errno != EROFS) ok = false;
  int error = errno;
  if (close(fd) != 0 && ok) {
    ok = false;
    error = errno;
  }
  errno = error;
  return ok || cannot(w, "write", path);
}

static bool same_text(Writing *w, const char *path, const OutputFile *f) {
  struct stat s;
  if (lstat(path, &s) != 0 || !S_ISREG(s.st_mode) || (size_t)s.st_size != f->length) return false;
  SourceFile *there = source_read(w->a, path);
  return there && there->size == f->length && memcmp(there->text, f->text ? f->text : "", f->length) == 0;
}

/* ---- moving in, and back ---- */

static bool move(Writing *w, const char *from, const char *to) {
  if (rename(from, to) != 0) return false;
  Move done = {from, to};
  vec_push(w->a, &w->moved, done);
  return true;
}

/* Puts everything back as it was. */
static bool undo(Writing *w) {
  for (int i = w->moved.n - 1; i >= 0; i--) (void)rename(w->moved.at[i].to, w->moved.at[i].from);
  if (w->stage) remove_tree(w->stage);
  for (int i = w->made.n - 1; i >= 0; i--) (void)rmdir(w->made.at[i]);
  return false;
}

/* Takes the file at `path` out of the folder, into the stage's `old`. */
static bool put_aside(Writing *w, const char *path, int number) {
  return move(w, path, arena_printf(w->a, "%s/old/%d", w->stage, number));
}

/* ---- a folder that is there already ---- */

/* May the files go there? A name that is taken by a folder, a link or a device is not ours to replace. */
static bool check_place(Writing *w, const char *relative) {
  struct stat s;
  for (size_t i = 1; relative[i - 1]; i++) {
    if (relative[i] != '/' && relative[i]) continue;
    const char *path = join(w->a, w->dir, arena_strndup(w->a, relative, i));
    if (lstat(path, &s) != 0) {
      if (errno == ENOENT) return true;
      return cannot(w, "look at", path);
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
    if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0 && strncmp(e->d_name, ".tgc-", 5) != 0)
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
  static const char *const fixed[] = {"CMakeLists.txt", "check/reference.cc", "check/codelets.h", "check/codelets.cc", "check/number.h", "check/language.h",
                                      "check/lanes.h", "check/entry.h", "check/types.h", "check/operator.h",
                                      MANIFEST_FILE};
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

/* .. and for each of several. */
static void note_earlier(Writing *w, const json_t *manifest, Names *earlier) {
  const json_t *machines = json_object_get(manifest, KEY_MACHINES);
  note_machine(w, manifest, "", earlier);
  for (size_t i = 0; i < json_array_size(machines); i++) {
    const char *folder = json_string_value(json_object_get(json_array_get(machines, i), KEY_FOLDER));
    if (!manifest_is_folder_name(folder)) continue;
    SourceFile *text = source_read(w->a, arena_printf(w->a, "%s/%s/%s", w->dir, folder, MANIFEST_FILE));
    json_t *own = text ? json_loadb(text->text, text->size, 0, NULL) : NULL;
    if (own) note_machine(w, own, arena_printf(w->a, "%s/", folder), earlier);
    json_decref(own);
  }
}

/* The folder's own manifest says that it is tgc's, and what an earlier run wrote. */
static bool check_ours(Writing *w, Names *earlier) {
  static const char hint[] = "choose another folder, or empty this one";
  const char *path = join(w->a, w->dir, MANIFEST_FILE);
  bool empty;
  if (!holds_nothing(w->dir, &empty)) return cannot(w, "read the folder", w->dir);
  if (empty) return true;
  struct stat s;
  if (lstat(path, &s) != 0)
    return refuse(w, hint, arena_printf(w->a, "`%s' holds files that tgc did not make", w->dir));
  SourceFile *text = S_ISREG(s.st_mode) ? source_read(w->a, path) : NULL;
  json_t *manifest = text ? json_loadb(text->text, text->size, 0, NULL) : NULL;
  const char *generator = json_string_value(json_object_get(manifest, KEY_GENERATOR));
  bool ours = generator && strcmp(generator, MANIFEST_GENERATOR) == 0;
  if (ours) note_earlier(w, manifest, earlier);
  json_decref(manifest);
  return ours || refuse(w, hint, arena_printf(w->a, "`%s' is no manifest of tgc's", path));
}

static bool is_among(const char *path, const OutputFile *files, int n) {
  for (int i = 0; i < n; i++)
    if (strcmp(files[i].path, path) == 0) return true;
  return false;
}

/* Moves one staged file in. */
static bool move_in(Writing *w, const OutputFile *f, int number) {
  const char *path = join(w->a, w->dir, f->path), *staged = arena_printf(w->a, "%s/new/%s", w->stage, f->path);
  struct stat s;
  if (!make_folders(w, parent_of(w->a, path))) return false;
  if (lstat(path, &s) == 0 && !put_aside(w, path, number)) return cannot(w, "replace", path);
  return move(w, staged, path) || cannot(w, "write", path);
}

/* Those that an earlier run wrote and this one does not. */
static void find_stale(Writing *w, const Names *earlier, const OutputFile *files, int n, Names *stale) {
  for (int i = 0; i < earlier->list.n; i++) {
    const char *relative = earlier->list.at[i], *path = join(w->a, w->dir, relative);
    struct stat s;
    if (!is_among(relative, files, n) && lstat(path, &s) == 0 && S_ISREG(s.st_mode)) vec_push(w->a, &stale->list, path);
  }
}

static bool remove_stale(Writing *w, const Names *stale, int first_number) {
  for (int i = 0; i < stale->list.n; i++)
    if (!put_aside(w, stale->list.at[i], first_number + i) && errno != ENOENT)
      return cannot(w, "remove", stale->list.at[i]);
  return true;
}

/* Removes a folder inside ours, and those above it, as far as there is nothing left in them. */
static void remove_empty(Writing *w, const char *path) {
  while (strcmp(path, w->dir) != 0 && strlen(path) > strlen(w->dir) && rmdir(path) == 0) path = parent_of(w->a, path);
}

static bool update(Writing *w, const OutputFile *files, int n) {
  Names earlier = {0}, stale = {0};
  if (!check_ours(w, &earlier)) return false;
  find_stale(w, &earlier, files, n, &stale);
  bool *differs = arena_many(w->a, bool, n), any = stale.list.n > 0;
  for (int i = 0; i < n; i++) {
    if (!check_place(w, files[i].path)) return false;
    differs[i] = !same_text(w, join(w->a, w->dir, files[i].path), &files[i]);
    any |= differs[i];
  }
  if (!any) return true;
  if (!make_stage(w, w->dir, ".tgc-")) return false;
  const char *root = join(w->a, w->stage, "new"), *old = join(w->a, w->stage, "old");
  if (mkdir(old, 0777) != 0) return cannot(w, "write into", w->dir);
  for (int i = 0; i < n; i++)
    if (differs[i] && !stage_file(w, root, &files[i])) return false;
  for (int i = 0; i < n; i++)
    if (differs[i] && !move_in(w, &files[i], i)) return false;
  if (!remove_stale(w, &stale, n)) return false;
  remove_tree(w->stage);
  for (int i = 0; i < stale.list.n; i++) remove_empty(w, parent_of(w->a, stale.list.at[i]));
  return true;
}

/* ---- a folder that is not there yet ---- */

static bool create(Writing *w, const OutputFile *files, int n) {
  const char *parent = parent_of(w->a, w->dir), *slash = strrchr(w->dir, '/');
  if (!make_folders(w, parent)) return false;
  if (!make_stage(w, parent, arena_printf(w->a, ".%.200s.tgc-", slash ? slash + 1 : w->dir))) return false;
  for (int i = 0; i < n; i++)
    if (!stage_file(w, w->stage, &files[i])) return false;
  return rename(w->stage, w->dir) == 0 || cannot(w, "make the folder", w->dir);
}

bool folder_write(Arena *a, const char *dir, const OutputFile *files, int n, Diagnostics *d) {
  size_t length = strlen(dir);
  while (length > 1 && (dir[length - 1] == '/' || (dir[length - 1] == '.' && dir[length - 2] == '/'))) length--;
  Writing w = {.a = a, .d = d, .dir = arena_strndup(a, dir, length)};
  struct stat s;
  bool ok;
  if (length == 0) ok = refuse(&w, NULL, "the output folder has no name");
  else if (stat(w.dir, &s) == 0)
    ok = S_ISDIR(s.st_mode) ? update(&w, files, n)
                            : refuse(&w, "choose another name", arena_printf(a, "`%s' is a file, not a folder", w.dir));
  else if (errno != ENOENT) ok = cannot(&w, "write into", w.dir);
  else if (lstat(w.dir, &s) == 0)
    ok = refuse(&w, "remove it, or choose another name", arena_printf(a, "`%s' is a symbolic link to nothing", w.dir));
  else ok = create(&w, files, n);
  return ok || undo(&w);
}
