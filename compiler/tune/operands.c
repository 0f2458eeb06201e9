/* operands.c: what a folder's functions take, from its manifest: a table that the measuring process (runtime/measure)
 * is compiled with, which calls them with operands of any sort. */
#include <inttypes.h>
#include <string.h>

#include <jansson.h>

#include "support/manifest.h"
#include "tune/tune.h"

/* A word of the manifest, and what arrays.h has for it. */
typedef struct Spelling { const char *word, *name; } Spelling;

static const Spelling kinds[] = {{"array", "ARRAY"}, {"size", "SIZE"}, {"number", "NUMBER"}, {0}};
static const Spelling contents[] = {{"", "DATA"}, {"data", "DATA"}, {"offsets", "OFFSETS"}, {"indices", "INDICES"},
                                    {"places", "PLACES"}, {"queue", "QUEUE"}, {"counter", "COUNTER"},
                                    {"lengths", "RUN_LENGTHS"}, {"ends", "RUN_ENDS"}, {0}};
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

static bool is_word(const char *s) {
  return *s && s[strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")] == '\0';
}

static const char *yes_or_no(const json_t *operand, const char *key) {
  return json_is_true(json_object_get(operand, key)) ? "true" : "false";
}

/* How often the product of its factors a size is: folders of an earlier tgc do not say it, and mean once. */
static int times_of(const json_t *operand) {
  const json_t *times = json_object_get(operand, KEY_TIMES);
  return times ? (int)json_integer_value(times) : json_array_size(json_object_get(operand, KEY_FACTORS)) > 0;
}

static const char *all_sizes(Arena *a, const json_t *operands, const json_t *operand) {
  Buffer b = buffer_new(a);
  for (int i = 0; i < MANIFEST_SIZES; i++)
    buffer_printf(&b, "%s%d", i ? ", " : "", listed(operands, operand, KEY_SIZES, i));
  return b.text;
}

/* One row of the table. */
static bool print_operand(Buffer *to, const json_t *operands, const json_t *o) {
  const char *name = word_of(o, KEY_NAME), *kind = spelled(o, KEY_KIND, kinds);
  const char *holds = spelled(o, KEY_HOLDS, contents), *means = spelled(o, KEY_MEANS, meanings);
  if (!is_word(name) || !kind || !holds || !means) return false;
  buffer_printf(to, "    {\"%s\", %s, {%s}, %s, %s, %s, %s, %d, %s, {%d, %d}, %d, %d, %d, %d, %d, %d, %d},\n",
                name, kind,
                all_sizes(to->arena, operands, o),
                yes_or_no(o, KEY_BY_COLUMNS), yes_or_no(o, KEY_READ), yes_or_no(o, KEY_WRITTEN), holds,
                number_of(operands, json_string_value(json_object_get(o, KEY_INTO))), means,
                listed(operands, o, KEY_FACTORS, 0), listed(operands, o, KEY_FACTORS, 1),
                times_of(o),
                (int)json_integer_value(json_object_get(o, KEY_PLUS)),
                number_of(operands, json_string_value(json_object_get(o, KEY_ADDEND))),
                (int)json_integer_value(json_object_get(o, KEY_MORE)),
                (int)json_integer_value(json_object_get(o, KEY_EVERY)),
                (int)json_integer_value(json_object_get(o, KEY_LOW)),
                (int)json_integer_value(json_object_get(o, KEY_HIGH)));
  return true;
}

/* Which operand says how many rows or segments there are. */
static void read_parts(const json_t *manifest, Operands *to) {
  const json_t *parts = json_object_get(manifest, KEY_PARTS);
  to->parts = number_of(json_object_get(manifest, KEY_OPERANDS), json_string_value(json_object_get(parts, KEY_COUNT)));
  to->results =
      number_of(json_object_get(manifest, KEY_OPERANDS), json_string_value(json_object_get(parts, KEY_RESULTS)));
  to->less = (int)json_integer_value(json_object_get(parts, KEY_LESS));
}

/* in, n, out: the only operands for which there are elements and results of a user's operator
 * (runtime/measure/own.h). */
static bool is_reduction(const json_t *operands) {
  const json_t *in = json_array_get(operands, 0), *out = json_array_get(operands, 2);
  return json_array_size(operands) == 3 && json_array_size(json_object_get(in, KEY_SIZES)) == 1 &&
         strcmp(word_of(out, KEY_TYPE), "result") == 0;
}

const Operands *operands_read(Arena *a, const char *dir, const void *manifest, Diagnostics *d) {
  const json_t *operands = json_object_get(manifest, KEY_OPERANDS);
  Operands *o = arena_one(a, Operands);
  Buffer rows = buffer_new(a);
  bool ok = json_array_size(operands) > 0;
  for (size_t i = 0; i < json_array_size(operands) && ok; i++)
    ok = print_operand(&rows, operands, json_array_get(operands, i));
  o->rows = rows.text;
  read_parts(manifest, o);
  const bool own = strcmp(word_of(manifest, KEY_OPERATOR), "user") == 0;
  const bool on_cpu = strcmp(word_of(manifest, KEY_FAMILY), "cpu") == 0;
  if (ok && (!own || (on_cpu && is_reduction(operands)))) return o;
  if (ok)
    diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, "TGC_VARIANT, or a table of your own, picks variants by hand",
                    "`%s' reduces by an operator of your own: with such operands it cannot be tuned yet",
                    word_of(manifest, KEY_SPECTRUM));
  else
    diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, "compile it again with this tgc",
                    "the manifest of `%s' has operands that no call can be made of", dir);
  return NULL;
}

static const char own_operator[] = "#include \"measure/own.h\"\n#include \"check/types.h\"\n"
                                   "#include \"check/operator.h\"\n"
                                   "const char *const check::operation = CHECK_OPERATION;\n"
                                   "const bool check::zeros_have_signs = false;\n"
                                   "const bool check::numbers_alone = false;\n";

const char *operands_table(Arena *a, const Folder *f) {
  Buffer b = buffer_new(a);
  const bool own = strcmp(f->operation, "user") == 0;
  buffer_printf(&b,
                "// The operands of %s and its element types. Made by tgc tune.\n"
                "#include \"check/reference.cc\"\n#include \"measure/arrays%s.h\"\n%s"
                "const Operand operands[] = {\n%s};\n"
                "const int operand_count = sizeof operands / sizeof *operands;\n"
                "const Parts parts = {%s, %d, %d, %d};\nconst bool rounds = %s;\n"
                "const char *const operation = \"%s\";\nconst Entry entries[] = {\n",
                f->spectrum, f->cpu ? "" : "_cuda", own ? own_operator : "", f->operands->rows,
                f->by_shape ? "true" : "false", f->operands->parts, f->operands->less, f->operands->results,
                f->rounds ? "true" : "false", f->operation);
  for (int i = 0; i < f->ntypes; i++) {
    const char *t = f->types[i], *s = f->spectrum;
    if (own) buffer_printf(&b, "    MEASURE_OWN(\"%s\", %s_sequential_%s, %s_operator::Of_%s),\n", t, s, t, s, t);
    else buffer_printf(&b, "    MEASURE_TYPE(\"%s\", %s_sequential_%s),\n", t, s, t);
  }
  buffer_puts(&b, "};\nconst int entry_count = sizeof entries / sizeof *entries;\n");
  return b.text;
}
