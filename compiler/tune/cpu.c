/* cpu.c: what tuning on a CPU has of its own. Any spectrum can be measured there: the manifest's operands become a
 * table that the measuring process (runtime/measure/cpu.cc) is compiled with; texts are C's, with OpenMP. */
#include <inttypes.h>
#include <string.h>

#include <jansson.h>

#include "support/hash.h"
#include "support/manifest.h"
#include "tune/tune.h"

/* A word of the manifest, and what cpu.h has for it. */
typedef struct Spelling { const char *word, *name; } Spelling;

static const Spelling kinds[] = {{"array", "ARRAY"}, {"size", "SIZE"}, {"number", "NUMBER"}, {0}};
static const Spelling contents[] = {{"", "DATA"}, {"data", "DATA"}, {"offsets", "OFFSETS"}, {"indices", "INDICES"},
                                    {0}};
static const Spelling meanings[] = {{"", "NO_SIZE"}, {"elements", "ELEMENTS"}, {"rows", "ROWS"},
                                    {"columns", "COLUMNS"}, {"leading", "LEADING"}, {"number", "COUNT"}, {0}};

static const char *word_of(const json_t *object, const char *key) {
  const char *s = json_string_value(json_object_get(object, key));
  return s ? s : "";
}

static const char *spelled(const json_t *operand, const char *key, const Spelling *rows) {
  for (const char *word = word_of(operand, key); rows->word; rows++)
    if (strcmp(rows->word, word) == 0) return rows->name;
  return NULL;
}

/* The number of the operand of that name; -1: there is none. */
static int number_of(const json_t *operands, const char *name) {
  for (size_t i = 0; name && i < json_array_size(operands); i++)
    if (strcmp(word_of(json_array_get(operands, i), KEY_NAME), name) == 0) return (int)i;
  return -1;
}

/* .. of the i-th name in a list of the operand's. */
static int listed(const json_t *operands, const json_t *operand, const char *key, size_t i) {
  return number_of(operands, json_string_value(json_array_get(json_object_get(operand, key), i)));
}

static bool is_array(const json_t *operand) { return strcmp(word_of(operand, KEY_KIND), "array") == 0; }

/* The operand that says how many rows or segments have a result each, and so many more: a matrix's rows, the elements of
 * an array that is written, where they are not those of the first, or those of the segments' offsets. A number among
 * the sizes says how long segments are. Bins are no segments. */
static void look_for_parts(const json_t *operands, CpuFolder *to) {
  int first = -1;
  for (size_t i = 0; i < json_array_size(operands); i++) {
    const json_t *o = json_array_get(operands, i);
    const char *holds = word_of(o, KEY_HOLDS);
    const int elements = listed(operands, o, KEY_SIZES, 0);
    const bool found = to->parts >= 0;
    if (strcmp(word_of(o, KEY_MEANS), "number") == 0) to->in_parts = true;
    if (!is_array(o)) continue;
    if (strcmp(holds, "indices") == 0) return;
    const bool matrix = listed(operands, o, KEY_SIZES, 1) >= 0, offsets = strcmp(holds, "offsets") == 0;
    const bool written = json_is_true(json_object_get(o, KEY_WRITTEN));
    if (first < 0) first = elements;
    const bool free = !json_array_size(json_object_get(json_array_get(operands, (size_t)elements), KEY_FACTORS));
    if (elements >= 0 && !found && (matrix || (offsets && free) || (written && elements != first))) {
      to->parts = elements;
      to->less = offsets;
    }
  }
  to->in_parts |= to->parts >= 0;
}

static bool is_word(const char *s) {
  return *s && s[strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")] == '\0';
}

static const char *yes_or_no(const json_t *operand, const char *key) {
  return json_is_true(json_object_get(operand, key)) ? "true" : "false";
}

/* One row of the table. */
static bool print_operand(Buffer *to, const json_t *operands, const json_t *o) {
  const char *name = word_of(o, KEY_NAME), *kind = spelled(o, KEY_KIND, kinds);
  const char *holds = spelled(o, KEY_HOLDS, contents), *means = spelled(o, KEY_MEANS, meanings);
  if (!is_word(name) || !kind || !holds || !means) return false;
  buffer_printf(to, "    {\"%s\", %s, {%d, %d, %d}, %s, %s, %s, %s, %d, %s, {%d, %d}, %d},\n", name, kind,
                listed(operands, o, KEY_SIZES, 0), listed(operands, o, KEY_SIZES, 1), listed(operands, o, KEY_SIZES, 2),
                yes_or_no(o, KEY_BY_COLUMNS), yes_or_no(o, KEY_READ), yes_or_no(o, KEY_WRITTEN), holds,
                number_of(operands, json_string_value(json_object_get(o, KEY_INTO))), means,
                listed(operands, o, KEY_FACTORS, 0), listed(operands, o, KEY_FACTORS, 1),
                (int)json_integer_value(json_object_get(o, KEY_PLUS)));
  return true;
}

const CpuFolder *cpu_read(Arena *a, const char *dir, const void *manifest, Diagnostics *d) {
  const json_t *operands = json_object_get(manifest, KEY_OPERANDS);
  CpuFolder *cpu = arena_one(a, CpuFolder);
  Buffer rows = buffer_new(a);
  bool ok = json_array_size(operands) > 0;
  for (size_t i = 0; i < json_array_size(operands) && ok; i++)
    ok = print_operand(&rows, operands, json_array_get(operands, i));
  *cpu = (CpuFolder){.operands = rows.text, .parts = -1};
  look_for_parts(operands, cpu);
  if (ok && strcmp(word_of(manifest, KEY_OPERATOR), "user") != 0) return cpu;
  if (ok)
    diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, "TGC_VARIANT, or a table of your own, picks variants by hand",
                    "`%s' reduces by an operator of your own: on a CPU it cannot be tuned yet",
                    word_of(manifest, KEY_SPECTRUM));
  else
    diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, "let tgc write the folder again",
                    "the manifest of `%s' has operands that no call can be made of", dir);
  return NULL;
}

const char *cpu_table(Arena *a, const Folder *f) {
  Buffer b = buffer_new(a);
  buffer_printf(&b, "// The operands of %s and its element types. Made by tgc tune.\n"
                    "#include \"check/reference.cc\"\n#include \"measure/cpu.h\"\n"
                    "const Operand operands[] = {\n%s};\n"
                    "const int operand_count = sizeof operands / sizeof *operands;\n"
                    "const Parts parts = {%s, %d, %d};\n"
                    "const char *const operation = \"%s\";\nconst Entry entries[] = {\n",
                f->spectrum, f->cpu->operands, f->cpu->in_parts ? "true" : "false", f->cpu->parts, f->cpu->less,
                f->operation);
  for (int i = 0; i < f->ntypes; i++)
    buffer_printf(&b, "    MEASURE_TYPE(\"%s\", %s_sequential_%s),\n", f->types[i], f->spectrum, f->types[i]);
  buffer_puts(&b, "};\nconst int entry_count = sizeof entries / sizeof *entries;\n");
  return b.text;
}

Words cpu_worker_command(Arena *a, const BuildOptions *o, const Folder *f, const char *to) {
  Words w = {0};
  PUSH(a, &w, o->cxx, "-std=gnu++17", "-O2", "-ffp-contract=off", "-fopenmp", arena_printf(a, "-I%s", f->dir),
       arena_printf(a, "-I%s", o->runtime), "-o", to);
  return w;
}

/* As the folder's own CMakeLists.txt has them compiled. */
Words cpu_variant_command(Arena *a, const BuildOptions *o, const Folder *f, const char *to) {
  const bool is_c = strcmp(f->suffix, "c") == 0;
  Words w = {0};
  PUSH(a, &w, is_c ? o->cc : o->cxx, is_c ? "-std=gnu11" : "-std=gnu++17", "-O3", "-ffp-contract=off", "-fwrapv", "-fopenmp");
  for (const char *s = o->options; *(s += strspn(s, " ")); s += strcspn(s, " "))
    vec_push(a, &w, arena_strndup(a, s, strcspn(s, " ")));
  PUSH(a, &w, "-o", to);
  return w;
}

const char *cpu_target(Arena *a, const BuildOptions *o, const DeviceInfo *device) {
  uint64_t hash = HASH_START;
  const char *const all[] = {o->cc, o->cxx, o->options, device->name, device->toolkit};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) hash = hash_text(hash, all[i]);
  return arena_printf(a, "cpu-%016" PRIx64, hash);
}
