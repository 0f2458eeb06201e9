/* read.c: check/codelets.json, the codelets as they were read, and what the passes remarked on them: `tgc view' shows
 * both beside the kernels. */
#include <string.h>

#include <jansson.h>

#include "emit/emit.h"
#include "support/manifest.h"
#include "support/manifest_file.h"

static json_t *name_of(Arena *a, const char *path) {
  const char *slash = strrchr(path, '/');
  return manifest_text(a, slash ? slash + 1 : path);
}

static json_t *file(Arena *a, const char *path, const char *text, size_t n) {
  return json_pack("{s:o, s:o}", KEY_NAME, name_of(a, path), KEY_TEXT, manifest_lines(a, arena_strndup(a, text, n)));
}

/* Each file in the order in which they were met: the user's own before those that it includes. */
static json_t *files(Arena *a, const SourceFile *f) {
  json_t *all = json_array();
  if (!f->nparts) json_array_append_new(all, file(a, f->path, f->text, f->size));
  for (int order = 0; order < f->nparts; order++)
    for (int i = 0; i < f->nparts; i++) {
      if (f->parts[i].order != order) continue;
      const size_t begin = f->parts[i].begin, end = i + 1 < f->nparts ? f->parts[i + 1].begin : f->size;
      json_array_append_new(all, file(a, f->parts[i].path, f->text + begin, end - begin));
    }
  return all;
}

static json_t *remark(Arena *a, const Output *o, const Diagnostic *d) {
  const SourceFile *f = d->where.file;
  int line = 0, column;
  if (f) source_position(f, d->where.begin, &line, &column);
  return json_pack("{s:o, s:i, s:o, s:s, s:o}", KEY_FILE,
                   name_of(a, f ? source_path(f, d->where.begin) : o->file->path), KEY_LINE, line, KEY_PASS,
                   manifest_text(a, d->pass), KEY_KIND, d->remark == REMARK_MISSED ? "missed" : "passed", KEY_MESSAGE,
                   manifest_text(a, d->message));
}

void emit_read(Buffer *to, const Output *o, const Diagnostics *said) {
  json_t *remarks = json_array();
  for (int i = 0; i < said->list.n; i++)
    if (said->list.at[i].level == DIAG_REMARK)
      json_array_append_new(remarks, remark(to->arena, o, &said->list.at[i]));
  json_t *all = json_pack("{s:o, s:o}", KEY_FILES, files(to->arena, o->file), KEY_REMARKS, remarks);
  manifest_print(to, all);
  json_decref(all);
}
