/* arch.c: finding machines by name or path, and reading them. */
#include "arch/arch.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "arch/host.h"
#include "arch/spec.h"
#include "support/buffer.h"
#include "support/nearest.h"

static const char SUFFIX[] = ".yaml", HOST[] = "cpu";

/* A machine takes a few kilobytes; what is far above that is another kind of file. */
enum { MOST_BYTES = 1 << 18 };

Arch *arch_parse(Arena *a, const SourceFile *f, Diagnostics *d) {
  SpecDocument doc;
  if (f->size > MOST_BYTES) {
    diagnostics_add(
        d, DIAG_ERROR, (SourceRange){f, 0, 0}, "docs/reference/machines.md has the format and an example",
        "%zu bytes are too many for a machine: at most %d will do", f->size, MOST_BYTES);
    return NULL;
  }
  if (!spec_document(&doc, f, d)) return NULL;
  Spec *s = spec_shape(&doc, &spec_schema) ? spec_load(a, &doc) : NULL;
  Arch *m = s ? spec_check(a, &doc, s) : NULL;
  spec_document_free(&doc);
  return m;
}

/* ---- files ---- */

static bool ends_in_suffix(const char *s) {
  size_t n = strlen(s), k = sizeof SUFFIX - 1;
  return n > k && strcmp(s + n - k, SUFFIX) == 0;
}

/* A place for errors about a file as such: its first byte. */
static SourceRange no_text(Arena *a, const char *path) {
  SourceFile *f = arena_one(a, SourceFile);
  *f = (SourceFile){.path = arena_strdup(a, path), .text = ""};
  return (SourceRange){f, 0, 0};
}

static const SourceFile *read_spec(Arena *a, const char *path, Diagnostics *d) {
  struct stat s;
  const char *why = NULL,
             *hint =
                 "a machine is a YAML file; `tgc archs' lists the names of those that are shipped";
  if (stat(path, &s) != 0)
    why = strerror(errno);
  else if (S_ISDIR(s.st_mode))
    why = "it is a directory";
  else if (!S_ISREG(s.st_mode))
    why = "it is not a regular file";
  else if (s.st_size > MOST_BYTES)
    why = arena_printf(a, "%lld bytes are too many for a machine", (long long)s.st_size);
  const SourceFile *f = why ? NULL : source_read(a, path);
  if (!f && !why) why = strerror(errno);
  if (!f)
    diagnostics_add(d, DIAG_ERROR, no_text(a, path), hint, "cannot read the machine: %s", why);
  return f;
}

static int by_name(const void *x, const void *y) {
  return strverscmp(*(char *const *)x, *(char *const *)y);
}

const char **arch_names(Arena *a, const char *dir, int *count) {
  VEC(const char *) names = {0};
  DIR *open = dir ? opendir(dir) : NULL;
  for (struct dirent *e; open && (e = readdir(open));)
    if (e->d_name[0] != '.' && ends_in_suffix(e->d_name))
      vec_push(a, &names, arena_strndup(a, e->d_name, strlen(e->d_name) - (sizeof SUFFIX - 1)));
  if (open) closedir(open);
  if (names.n) qsort(names.at, (size_t)names.n, sizeof *names.at, by_name);
  if (count) *count = names.n;
  vec_push(a, &names, NULL);
  return names.at;
}

static void unknown(Arena *a, const char *name, const char *dir, Diagnostics *d) {
  int n;
  const char **names = arch_names(a, dir, &n), *near, *hint;
  if (n) names[n] = HOST; /* in place of the end */
  near = nearest_name(name, names, n ? n + 1 : 0);
  if (near)
    hint = arena_printf(a, "did you mean `%s'?", near);
  else if (n == 0)
    hint = arena_printf(a, "there are no machines in `%s'", dir ? dir : "");
  else {
    Buffer all = buffer_new(a);
    for (int i = 0; i < n; i++) buffer_printf(&all, "%s%s", i ? ", " : "there are ", names[i]);
    buffer_printf(&all, ", and `%s', which is this host; or give a file's path", HOST);
    hint = all.text;
  }
  diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, hint, "unknown machine `%s'", name);
}

Arch *arch_load(Arena *a, const char *name_or_path, const char *dir, Diagnostics *d) {
  if (strchr(name_or_path, '/') || ends_in_suffix(name_or_path)) {
    const SourceFile *f = read_spec(a, name_or_path, d);
    return f ? arch_parse(a, f, d) : NULL;
  }
  struct stat s;
  const char *path =
      dir && *name_or_path ? arena_printf(a, "%s/%s%s", dir, name_or_path, SUFFIX) : NULL;
  if (!path || stat(path, &s) != 0) {
    if (strcmp(name_or_path, HOST) == 0) {
      HostFacts f = host_facts(a, "", host_affinity(a));
      return host_arch(a, &f, d);
    }
    unknown(a, name_or_path, dir, d);
    return NULL;
  }
  const SourceFile *f = read_spec(a, path, d);
  Arch *m = f ? arch_parse(a, f, d) : NULL;
  if (!m || strcmp(m->name, name_or_path) == 0) return m;
  diagnostics_add(d, DIAG_ERROR, (SourceRange){f, 0, 0}, "name the file after its machine",
                  "this is not `%s': it names itself `%s'", name_or_path, m->name);
  return NULL;
}

const Level *level_below(const Level *l) {
  const Level *below = l->sub;
  while (below && below->optional) below = below->sub;
  return below;
}

const Level *arch_sharing(const Arch *m) {
  for (int i = 0; i < m->nlevels; i++)
    if (m->levels[i].can.shares) return &m->levels[i];
  return NULL;
}

const Level *arch_reaching(const Arch *m) {
  for (int i = 0; i < m->nlevels; i++)
    if (m->levels[i].can.reaches) return &m->levels[i];
  return NULL;
}

static const MatrixUnit *unit_of(const Arch *m, const char *elements, int warps, bool deep) {
  for (int i = 0; i < m->nmatrix; i++) {
    const MatrixUnit *u = &m->matrix[i];
    const bool is_deep = u->warps == 1 && u->k == MATRIX_DEEP;
    if (u->warps == warps && is_deep == deep && strcmp(u->elements, elements) == 0) return u;
  }
  return NULL;
}

const MatrixUnit *arch_matrix(const Arch *m, const char *elements) { return unit_of(m, elements, 1, false); }

const MatrixUnit *arch_deep_matrix(const Arch *m, const char *elements) { return unit_of(m, elements, 1, true); }

bool arch_has_quads(const Arch *m) { return m->nmatrix && m->matrix[0].lanes == QUAD_PAIR; }

const MatrixUnit *arch_group_matrix(const Arch *m, const char *elements) {
  return unit_of(m, elements, GROUP_WARPS, false);
}

const Level *arch_lane(const Arch *m) {
  for (int i = 0; i < m->nlevels; i++)
    if (m->levels[i].can.lanes == LANES_ONE) return &m->levels[i];
  return NULL;
}

bool arch_posts(const Arch *m) {
  for (int i = 0; i < m->nlevels; i++)
    for (int k = 0; k < m->levels[i].nsync; k++)
      if (m->levels[i].sync[k].kind == SYNC_POST) return true;
  return false;
}

bool arch_is_called(const Arch *m, const char *word) {
  char capability[32];
  snprintf(capability, sizeof capability, "sm_%d", m->compute);
  if (strcmp(word, m->name) == 0 || (m->compute && strcmp(word, capability) == 0)) return true;
  for (int i = 0; i < m->nfeatures; i++)
    if (strcmp(word, m->features[i]) == 0) return true;
  return false;
}

bool arch_knows(Arena *a, const char *dir, const char *word, const char ***known, int *nknown) {
  static const char *const features[] = {"sse2", "avx2", "fma", "avx512f", "avx512bw", "avx512dq", "avx512vl",
                                         "avx512_vnni", "avx512_bf16", "neon", "sve"};
  enum { FEATURES = sizeof features / sizeof *features };
  int n = 0;
  const char **names = dir ? arch_names(a, dir, &n) : NULL;
  const char **all = arena_many(a, const char *, n + FEATURES);
  for (int i = 0; i < n; i++) all[i] = names[i];
  for (int i = 0; i < FEATURES; i++) all[n + i] = features[i];
  *known = all;
  *nknown = n + FEATURES;
  for (int i = 0; i < n + FEATURES; i++)
    if (strcmp(all[i], word) == 0) return true;
  const size_t digits = strncmp(word, "sm_", 3) == 0 ? strspn(word + 3, "0123456789") : 0;
  return (digits == 2 || digits == 3) && !word[3 + digits];
}

const Level *arch_level(const Arch *m, const char *name) {
  for (int i = 0; i < m->nlevels; i++)
    if (strcmp(m->levels[i].name, name) == 0 || strcmp(m->levels[i].letter, name) == 0)
      return &m->levels[i];
  return NULL;
}
