/* spec.c: the schema of a machine's file, and its values through libcyaml. */
#include "arch/spec.h"

#include <string.h>

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof *(array)))

static const cyaml_strval_t families[] = {{"cuda", FAMILY_CUDA}, {"cpu", FAMILY_CPU}};

static const cyaml_strval_t capabilities[] = {
    {"none", CAP_NONE}, {"scalar", CAP_SCALAR}, {"vector", CAP_VECTOR}, {"matrix", CAP_MATRIX}};

static const cyaml_strval_t tilings[] = {
    {"any", TILING_ANY}, {"adjacent", TILING_ADJACENT}, {"strided", TILING_STRIDED}};

static const cyaml_strval_t realisations[] = {
    {"host", REAL_HOST},   {"grid", REAL_GRID},   {"cluster", REAL_CLUSTER},
    {"block", REAL_BLOCK}, {"warp", REAL_WARP},   {"subwarp", REAL_SUBWARP}, {"thread", REAL_THREAD},
    {"loop", REAL_LOOP},   {"slots", REAL_SLOTS}, {"simd", REAL_SIMD}};

enum {
#define ORDINAL(field, from, needs, words) ORDINAL_##field,
  SPEC_INSTRUCTIONS(ORDINAL)
#undef ORDINAL
};

static const cyaml_strval_t instructions[] = {
#define BIT(field, from, needs, words) {#field, 1 << ORDINAL_##field},
    SPEC_INSTRUCTIONS(BIT)
#undef BIT
};

enum {
  MOST_TEXT = 4000, MOST_WORD = 64, MOST_INSTRUCTION = 200, MOST_LEVELS = 16, MOST_WAYS = 8, MOST_MATRIX = 16,
  MOST_FEATURES = 64
};

#define OPTIONAL (CYAML_FLAG_OPTIONAL)

static const cyaml_schema_value_t word = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char *, 1, MOST_WORD)};

static const cyaml_schema_field_t width_fields[] = {
    CYAML_FIELD_INT("min", OPTIONAL, SpecWidth, min),
    CYAML_FIELD_INT("max", OPTIONAL, SpecWidth, max),
    CYAML_FIELD_INT("default", OPTIONAL, SpecWidth, preset),
    CYAML_FIELD_INT("multiple", OPTIONAL, SpecWidth, multiple), CYAML_FIELD_END};

static const cyaml_schema_field_t level_fields[] = {
    CYAML_FIELD_STRING_PTR("name", CYAML_FLAG_POINTER, SpecLevel, name, 1, MOST_WORD),
    CYAML_FIELD_STRING_PTR("letter", CYAML_FLAG_POINTER, SpecLevel, letter, 1, MOST_WORD),
    CYAML_FIELD_FLAGS("capability", OPTIONAL | CYAML_FLAG_STRICT, SpecLevel, capability,
                      capabilities, COUNT(capabilities)),
    CYAML_FIELD_STRING_PTR("subordinate", CYAML_FLAG_POINTER | OPTIONAL, SpecLevel, subordinate, 1,
                           MOST_WORD),
    CYAML_FIELD_STRING_PTR("launches", CYAML_FLAG_POINTER | OPTIONAL, SpecLevel, launches, 1,
                           MOST_WORD),
    CYAML_FIELD_SEQUENCE_COUNT("sync", CYAML_FLAG_POINTER | OPTIONAL, SpecLevel, sync, nsync, &word,
                               0, MOST_WAYS),
    CYAML_FIELD_ENUM("prefer", OPTIONAL | CYAML_FLAG_STRICT, SpecLevel, prefer, tilings,
                     COUNT(tilings)),
    CYAML_FIELD_ENUM("realised", CYAML_FLAG_STRICT, SpecLevel, realised, realisations,
                     COUNT(realisations)),
    CYAML_FIELD_MAPPING_PTR("width", CYAML_FLAG_POINTER | OPTIONAL, SpecLevel, width, width_fields),
    CYAML_FIELD_END};

static const cyaml_schema_value_t level = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, SpecLevel, level_fields)};

static const cyaml_schema_field_t matrix_fields[] = {
    CYAML_FIELD_STRING_PTR("elements", CYAML_FLAG_POINTER, SpecMatrix, elements, 1, MOST_WORD),
    CYAML_FIELD_INT("m", CYAML_FLAG_DEFAULT, SpecMatrix, m),
    CYAML_FIELD_INT("n", CYAML_FLAG_DEFAULT, SpecMatrix, n),
    CYAML_FIELD_INT("k", CYAML_FLAG_DEFAULT, SpecMatrix, k),
    CYAML_FIELD_INT("warps", OPTIONAL, SpecMatrix, warps),
    CYAML_FIELD_INT("lanes", OPTIONAL, SpecMatrix, lanes),
    CYAML_FIELD_STRING_PTR("instruction", CYAML_FLAG_POINTER, SpecMatrix, instruction, 1, MOST_INSTRUCTION),
    CYAML_FIELD_END};

static const cyaml_schema_value_t matrix = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, SpecMatrix, matrix_fields)};

/* Which of them a machine needs depends on its family (spec_limits.c). */
static const cyaml_schema_field_t limit_fields[] = {
#define LIMIT(field, family, least, most, hint) CYAML_FIELD_INT(#field, OPTIONAL, SpecLimits, field),
    SPEC_LIMITS(LIMIT)
#undef LIMIT
    CYAML_FIELD_END};

static const cyaml_schema_field_t figure_fields[] = {
#define FIGURE(figure, family, least, most, usual) CYAML_FIELD_INT(#figure, OPTIONAL, Figures, figure),
    FIGURES(FIGURE)
#undef FIGURE
    CYAML_FIELD_END};

static const cyaml_schema_field_t fields[] = {
    CYAML_FIELD_STRING_PTR("name", CYAML_FLAG_POINTER, Spec, name, 1, MOST_WORD),
    CYAML_FIELD_STRING_PTR("title", CYAML_FLAG_POINTER, Spec, title, 1, MOST_WORD),
    CYAML_FIELD_ENUM("family", CYAML_FLAG_STRICT, Spec, family, families, COUNT(families)),
    CYAML_FIELD_STRING_PTR("compute", CYAML_FLAG_POINTER | OPTIONAL, Spec, compute, 1, MOST_WORD),
    CYAML_FIELD_INT("vector_width", CYAML_FLAG_DEFAULT, Spec, vector_width),
    CYAML_FIELD_SEQUENCE_COUNT("levels", CYAML_FLAG_POINTER, Spec, levels, nlevels, &level, 1,
                               MOST_LEVELS),
    CYAML_FIELD_FLAGS("instructions", OPTIONAL | CYAML_FLAG_STRICT, Spec, instructions,
                      instructions, COUNT(instructions)),
    CYAML_FIELD_SEQUENCE_COUNT("features", CYAML_FLAG_POINTER | OPTIONAL, Spec, features, nfeatures, &word, 0,
                               MOST_FEATURES),
    CYAML_FIELD_SEQUENCE_COUNT("matrix", CYAML_FLAG_POINTER | OPTIONAL, Spec, matrix, nmatrix, &matrix, 0, MOST_MATRIX),
    CYAML_FIELD_MAPPING_PTR("limits", CYAML_FLAG_POINTER | OPTIONAL, Spec, limits, limit_fields),
    CYAML_FIELD_MAPPING_PTR("measured", CYAML_FLAG_POINTER | OPTIONAL, Spec, measured, figure_fields),
    CYAML_FIELD_STRING_PTR("tune", CYAML_FLAG_POINTER | OPTIONAL, Spec, tune, 1, MOST_WORD),
    CYAML_FIELD_STRING_PTR("tables", CYAML_FLAG_POINTER | OPTIONAL, Spec, tables, 1, MOST_WORD),
    CYAML_FIELD_STRING_PTR("source", CYAML_FLAG_POINTER, Spec, source, 1, MOST_TEXT),
    CYAML_FIELD_END};

const cyaml_schema_value_t spec_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, Spec, fields)};

/* ---- values ---- */

/* libcyaml's memory from an arena. A block's size stands before it, since growing must know what to
 * copy. */
enum { BLOCK_HEAD = 16 };

static void *arena_memory(void *context, void *old, size_t size) {
  if (size == 0) return NULL;
  char *block = arena_alloc(context, size + BLOCK_HEAD);
  memcpy(block, &size, sizeof size);
  if (old) {
    size_t had;
    memcpy(&had, (char *)old - BLOCK_HEAD, sizeof had);
    memcpy(block + BLOCK_HEAD, old, had < size ? had : size);
  }
  return block + BLOCK_HEAD;
}

Spec *spec_load(Arena *a, SpecDocument *doc) {
  cyaml_config_t config = {.mem_fn = arena_memory, .mem_ctx = a, .log_level = CYAML_LOG_ERROR};
  cyaml_data_t *data = NULL;
  cyaml_err_t e = cyaml_load_data((const uint8_t *)doc->file->text, doc->file->size, &config,
                                  &spec_schema, &data, NULL);
  if (e == CYAML_OK && data) return data;
  /* The shape has been found good: what is left are uses of YAML that libcyaml does not know. */
  spec_error(doc, spec_root(doc), "write it without anchors, aliases and tags",
             "cannot read the machine: %s", cyaml_strerror(e));
  return NULL;
}
