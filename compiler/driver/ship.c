/* ship.c: what a release of a folder holds: files as they are, and those that name variants without the others. */
#include "driver/ship.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "support/manifest.h"
#include "support/manifest_file.h"

typedef struct Shipping {
  Arena *a;
  Diagnostics *d;
  Shipped *to;
  const char *dir;   /* of this machine */
  const char *under; /* "", or "sm_80/": where its files go */
  const json_t *manifest;
  ShippedMachine *machine;
} Shipping;

static const char *string_of(const json_t *j, const char *key) { return json_string_value(json_object_get(j, key)); }

static bool refuse(Shipping *s, const char *message) {
  diagnostics_add(s->d, DIAG_ERROR, (SourceRange){0}, "compile it again with this tgc", "%s", message);
  return false;
}

static bool impossible(Shipping *s, const char *what, const char *value) {
  return refuse(s, arena_printf(s->a, "`%s/%s' has the invalid %s `%.100s'", s->dir, MANIFEST_FILE, what, value));
}

/* ---- files ---- */

static SourceFile *read_file(Shipping *s, const char *path) {
  const char *whole = arena_printf(s->a, "%s/%s", s->dir, path);
  SourceFile *f = source_read(s->a, whole);
  if (!f) refuse(s, arena_printf(s->a, "cannot read `%s': %s", whole, strerror(errno)));
  return f;
}

static void put_file(Shipping *s, const char *path, const char *text, size_t length) {
  OutputFile f = {.path = arena_printf(s->a, "%s%s", s->under, path), .text = length ? text : "", .length = length};
  vec_push(s->a, &s->to->files, f);
}

static bool copy_file(Shipping *s, const char *path) {
  const SourceFile *f = read_file(s, path);
  if (f) put_file(s, path, f->text, f->size);
  return f != NULL;
}

/* .. if it is there. */
static bool copy_if_any(Shipping *s, const char *path) {
  return access(arena_printf(s->a, "%s/%s", s->dir, path), F_OK) != 0 || copy_file(s, path);
}

/* ---- what is selected ---- */

static bool is_name(const char *s) {
  if (!s || !*s) return false;
  for (; *s; s++)
    if (!isalnum((unsigned char)*s) && *s != '_') return false;
  return true;
}

static bool is_selected(const json_t *dispatch, const char *id) {
  for (size_t i = 0; i < json_array_size(dispatch); i++)
    if (strcmp(string_of(json_array_get(dispatch, i), KEY_VARIANT), id) == 0) return true;
  return false;
}

/* The configurations that the dispatch has the variant run in. A row that leaves a number to the variant runs in the
 * first configuration of the list that fits: there the variant's own comes first. */
static const char *configurations(Shipping *s, const json_t *variant, const char *id) {
  const json_t *dispatch = json_object_get(s->manifest, KEY_DISPATCH);
  const Tunables members = manifest_members(s->a, s->manifest);
  Tunables first = manifest_compiled(s->a, variant); /* the variant's own, unless all rows say others */
  Table t = {0};
  bool own = false;
  for (size_t i = 0; i < json_array_size(dispatch); i++) {
    const json_t *row = json_array_get(dispatch, i);
    if (strcmp(string_of(row, KEY_VARIANT), id) != 0) continue;
    TableRow r = {.type = string_of(row, KEY_TYPE), .variant = id, .set = manifest_configuration(s->a, &members, row)};
    for (int k = 0; k < first.n; k++) {
      const Tunable *one = &first.at[k];
      if (tunables_value(&r.set, one->name)) continue;
      tunables_set(s->a, &r.set, one->name, one->value);
      own = true;
    }
    vec_push(s->a, &t.rows, r);
  }
  for (int k = 0; k < first.n && !own; k++) first.at[k].value = tunables_value(&t.rows.at[0].set, first.at[k].name);
  Buffer b = buffer_new(s->a);
  table_print_configurations(&b, &t, id, &first);
  return b.length ? b.text : "";
}

/* Sorts the variants into those that are kept and those that are not. */
static bool select_variants(Shipping *s) {
  const json_t *variants = json_object_get(s->manifest, KEY_VARIANTS),
               *dispatch = json_object_get(s->manifest, KEY_DISPATCH);
  for (size_t i = 0; i < json_array_size(variants); i++) {
    const json_t *v = json_array_get(variants, i);
    const char *id = string_of(v, KEY_ID), *file = string_of(v, KEY_FILE),
               *macro = string_of(v, KEY_CONFIGURATIONS_MACRO);
    if (!is_name(id)) return impossible(s, "id", id);
    if (!manifest_is_variants_file(file)) return impossible(s, "file", file);
    if (!is_name(macro)) return impossible(s, "macro", macro);
    if (is_selected(dispatch, id)) {
      ShippedVariant kept = {id, string_of(v, KEY_PLAN), file, macro, configurations(s, v, id)};
      vec_push(s->a, &s->machine->kept, kept);
      continue;
    }
    vec_push(s->a, &s->machine->dropped, id);
    vec_push(s->a, &s->machine->dropped_files, (const char *)arena_printf(s->a, "%s%s", s->under, file));
  }
  for (size_t i = 0; i < json_array_size(dispatch); i++) {
    const char *id = string_of(json_array_get(dispatch, i), KEY_VARIANT);
    bool known = false;
    for (int k = 0; k < s->machine->kept.n; k++) known |= strcmp(s->machine->kept.at[k].id, id) == 0;
    if (!known) return impossible(s, arena_printf(s->a, "variant in dispatch[%zu],", i), id);
  }
  return s->machine->kept.n || refuse(s, arena_printf(s->a, "the dispatch of `%s' selects no variant", s->dir));
}

/* ---- what names variants ---- */

/* Every variant that is kept is named, and no other one. */
static bool check_dispatch(Shipping *s, const char *path, const Buffer *text) {
  for (int i = 0; i < s->machine->kept.n; i++)
    if (!strstr(text->text, s->machine->kept.at[i].id))
      return refuse(s, arena_printf(s->a, "`%s/%s' does not have the variant %s of the manifest", s->dir, path,
                                    s->machine->kept.at[i].id));
  for (int i = 0; i < s->machine->dropped.n; i++)
    if (strstr(text->text, s->machine->dropped.at[i]))
      return refuse(
          s, arena_printf(s->a, "cannot take the variant %s out of `%s/%s'", s->machine->dropped.at[i], s->dir, path));
  return true;
}

static bool ship_library(Shipping *s) {
  const char *name = s->machine->spectrum, *dot = strrchr(s->machine->kept.at[0].file, '.');
  const char *path = arena_printf(s->a, "%s%s", name, dot ? dot : ".cu");
  const SourceFile *f = read_file(s, path);
  if (!f) return false;
  if (strlen(f->text) != f->size || !f->size)
    return refuse(s, arena_printf(s->a, "`%s/%s' is not a text", s->dir, path));
  Buffer b = ship_dispatch(s->a, f->text, s->machine->dropped.at, s->machine->dropped.n, s->machine->kept.n);
  if (!b.length || !check_dispatch(s, path, &b)) return b.length ? false : refuse(s, "the dispatch is empty");
  put_file(s, path, b.text, b.length);
  return true;
}

/* A variant's text, compiled for the configurations that the dispatch names. */
static bool ship_variant(Shipping *s, const ShippedVariant *v) {
  const SourceFile *f = read_file(s, v->file);
  if (!f) return false;
  const char *start = arena_printf(s->a, "#define %s(C)", v->macro), *line = strstr(f->text, start);
  if (!line || !*v->configurations) {
    put_file(s, v->file, f->text, f->size);
    return line != NULL || !*v->configurations ||
           refuse(s, arena_printf(s->a, "`%s/%s' does not define `%s'", s->dir, v->file, v->macro));
  }
  Buffer b = buffer_new(s->a);
  buffer_putn(&b, f->text, (size_t)(line - f->text) + strlen(start));
  buffer_puts(&b, v->configurations);
  buffer_puts(&b, line + strcspn(line, "\n"));
  put_file(s, v->file, b.text, b.length);
  return true;
}

static bool ship_variants(Shipping *s) {
  for (int i = 0; i < s->machine->kept.n; i++)
    if (!ship_variant(s, &s->machine->kept.at[i])) return false;
  return true;
}

/* A CMakeLists.txt without the lines that are files of variants which are dropped. The first
 * `skip' bytes of their paths are the machine's folder, which its own file does not have. */
static Buffer without_files(Arena *a, const char *text, const ShippedMachine *machines, int n_machines, size_t skip) {
  Buffer b = buffer_new(a);
  for (const char *line = text; *line;) {
    size_t n = strcspn(line, "\n");
    const size_t blanks = strspn(line, " ");
    n += line[n] == '\n';
    bool dropped = false;
    for (int m = 0; m < n_machines && blanks < n; m++)
      for (int i = 0; i < machines[m].dropped_files.n && !dropped; i++) {
        const char *file = machines[m].dropped_files.at[i] + skip;
        const size_t length = strlen(file);
        dropped = strncmp(line + blanks, file, length) == 0 && line[blanks + length] == '\n';
      }
    if (!dropped) buffer_putn(&b, line, n);
    line += n;
  }
  return b;
}

static bool ship_cmake(Shipping *s, const ShippedMachine *machines, int n, size_t skip) {
  const SourceFile *f = read_file(s, "CMakeLists.txt");
  if (!f) return false;
  const Buffer left = without_files(s->a, f->text, machines, n, skip), b = ship_as_one(s->a, left.text);
  put_file(s, "CMakeLists.txt", b.text, b.length);
  return true;
}

static void ship_manifest(Shipping *s) {
  json_t *all = json_copy((json_t *)s->manifest), *variants = json_array();
  const json_t *from = json_object_get(s->manifest, KEY_VARIANTS);
  for (size_t i = 0; i < json_array_size(from); i++) {
    json_t *one = json_array_get(from, i);
    if (is_selected(json_object_get(s->manifest, KEY_DISPATCH), string_of(one, KEY_ID)))
      json_array_append(variants, one);
  }
  json_object_set_new(all, KEY_VARIANTS, variants);
  Buffer b = buffer_new(s->a);
  manifest_print(&b, all);
  json_decref(all);
  put_file(s, MANIFEST_FILE, b.text, b.length);
}

/* ---- the folder ---- */

static bool ship_others(Shipping *s) {
  static const char *const checks[] = {"check/reference.cc", "check/codelets.h", "check/codelets.cc",
                                       "check/types.h",      "check/operator.h", CODELETS_FILE};
  const char *name = s->machine->spectrum;
  bool ok = copy_file(s, arena_printf(s->a, "%s.h", name)) && copy_if_any(s, arena_printf(s->a, "%s_from.cu", name)) &&
            copy_if_any(s, arena_printf(s->a, "%s_counted.cu", name)) &&
            copy_if_any(s, arena_printf(s->a, "%s.table", name)) &&
            copy_if_any(s, arena_printf(s->a, "%s.yaml", s->machine->machine));
  for (size_t i = 0; ok && i < sizeof checks / sizeof *checks; i++) ok = copy_if_any(s, checks[i]);
  for (const struct EmbeddedFile *f = emit_witness_files; ok && f->path; f++) ok = copy_if_any(s, f->path);
  return ok;
}

static bool ship_machine(Shipping *s) {
  ShippedMachine machine = {string_of(s->manifest, KEY_SPECTRUM), string_of(s->manifest, KEY_MACHINE), {0}, {0}, {0}};
  s->machine = &machine;
  if (!is_name(machine.spectrum)) return impossible(s, "spectrum", machine.spectrum);
  if (!manifest_is_folder_name(machine.machine)) return impossible(s, "machine", machine.machine);
  if (!select_variants(s) || !ship_library(s) || !ship_variants(s) || !ship_others(s)) return false;
  if (!ship_cmake(s, &machine, 1, strlen(s->under))) return false;
  vec_push(s->a, &s->to->machines, machine);
  ship_manifest(s);
  return true;
}

static bool ship_read(Shipping *s) {
  json_t *j = manifest_read(s->a, s->dir, s->d);
  if (!j) return false;
  vec_push(s->a, &s->to->manifests, j);
  s->manifest = j;
  return ship_machine(s);
}

/* What several machines, or several spectra, have in common: of these no text names a variant. */
static bool ship_common(Shipping *s, const Shipped *to) {
  json_t *j = json_load_file(arena_printf(s->a, "%s/%s", s->dir, MANIFEST_FILE), 0, NULL);
  if (!j) return impossible(s, "text", MANIFEST_FILE); /* it could be read a moment ago */
  vec_push(s->a, &s->to->manifests, j);
  const char *name = string_of(j, KEY_SPECTRUM);
  if (!is_name(name)) return impossible(s, "spectrum", name ? name : "");
  const bool spectra = json_object_get(j, KEY_SPECTRA) != NULL;
  return copy_file(s, arena_printf(s->a, "%s.h", name)) &&
         (spectra || copy_file(s, arena_printf(s->a, "%s.cu", name))) && copy_file(s, MANIFEST_FILE) &&
         ship_cmake(s, to->machines.at, to->machines.n, 0);
}

bool ship_folder(Arena *a, const char *dir, Shipped *to, Diagnostics *d) {
  const char **folders;
  const int n = manifest_folders(a, dir, &folders, d);
  *to = (Shipped){0};
  const bool several = n > 0 && strcmp(folders[0], dir) != 0;
  for (int i = 0; i < n; i++) {
    const char *under = several ? arena_printf(a, "%s/", strrchr(folders[i], '/') + 1) : "";
    Shipping s = {.a = a, .d = d, .to = to, .dir = folders[i], .under = under};
    if (!ship_read(&s)) return false;
  }
  Shipping s = {.a = a, .d = d, .to = to, .dir = dir, .under = ""};
  return n > 0 && (!several || ship_common(&s, to));
}

void ship_end(Shipped *s) {
  for (int i = 0; i < s->manifests.n; i++) json_decref(s->manifests.at[i]);
}
