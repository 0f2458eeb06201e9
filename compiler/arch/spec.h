/* spec.h: a machine's YAML file while it is read, before it is an Arch.
 *
 *     text -> YAML nodes (spec_document) -> their shape checked against the schema (spec_shape)
 *          -> Spec by libcyaml (spec_load) -> its sense checked, made an Arch (spec_check, with spec_limits and
 *          spec_figures)
 *
 * The nodes stay beside the values, so that every complaint has a place. */
#ifndef TGC_ARCH_SPEC_H
#define TGC_ARCH_SPEC_H

#include <cyaml/cyaml.h>
#include <yaml.h>

#include "arch/arch.h"

typedef struct SpecWidth {
  int64_t min, max, preset, multiple; /* 0: not given */
} SpecWidth;

typedef struct SpecLevel {
  const char *name, *letter, *subordinate, *launches;
  unsigned capability;
  const char **sync;
  int nsync;
  Tiling prefer;
  Realisation realised;
  SpecWidth *width;
} SpecLevel;

typedef struct SpecMatrix {
  const char *elements, *instruction;
  int m, n, k, warps, lanes; /* 0: not given: one warp, all of its lanes */
} SpecMatrix;

typedef enum Family { FAMILY_CUDA, FAMILY_CPU, FAMILY_ANY } Family;

/* The limits: the field of SpecLimits and key in the files, the family that has it, the least and the most that it can
 * be, and a hint for what is not (or NULL). */
#define SPEC_LIMITS(X)                                                                                     \
  X(shared_bytes_block, FAMILY_CUDA, 1, 49152, "what a block may declare statically: at most 49152")       \
  X(shared_bytes_most, FAMILY_CUDA, 0, 1 << 20, "what a launch may ask for; 0: what is declared, no more")  \
  X(threads_block, FAMILY_CUDA, 1, 1 << 20, NULL)                                                          \
  X(threads_unit, FAMILY_CUDA, 1, 1 << 20, NULL)                                                           \
  X(blocks_unit, FAMILY_CUDA, 1, 1 << 20, NULL)                                                            \
  X(registers_unit, FAMILY_CUDA, 1, 1 << 24, "of 32 bits; most multiprocessors have 65536")                \
  X(registers_lane, FAMILY_CUDA, 0, 255, "at most 255; 0: whatever as many lanes as there is room for get") \
  X(units, FAMILY_CUDA, 1, 1 << 20, NULL)                                                                  \
  X(grid_max, FAMILY_CUDA, 1, INT32_MAX, "blocks in x: at most 2147483647")                                \
  X(cores, FAMILY_CPU, 1, 1 << 16, NULL)                                                                   \
  X(l1_bytes, FAMILY_CPU, 1, (int64_t)1 << 40, "the level-1 data cache of one core")                       \
  X(l2_bytes, FAMILY_CPU, 1, (int64_t)1 << 40, "one core's part of the level-2 cache")                     \
  X(l3_bytes, FAMILY_CPU, 0, (int64_t)1 << 40, "the level-3 cache of all cores; 0 where there is none")    \
  X(vector_bytes, FAMILY_CPU, 4, 4096, "bytes of a vector register: 32 with AVX2, 4 where there is none")

typedef struct SpecLimits {
#define FIELD(field, family, least, most, hint) int64_t field;
  SPEC_LIMITS(FIELD)
#undef FIELD
} SpecLimits;

typedef struct Spec {
  const char *name, *title, *compute, *tune, *tables, *source;
  Family family;
  int vector_width;
  SpecLevel *levels;
  int nlevels;
  unsigned instructions; /* bit i: the i-th of SPEC_INSTRUCTIONS */
  const char **features;
  int nfeatures;
  SpecMatrix *matrix;
  int nmatrix;
  SpecLimits *limits;    /* or NULL */
  Figures *measured;     /* or NULL; of it what is 0 is not given */
} Spec;

/* The instructions: the field of Instructions and key in the files, the first compute capability
 * (times ten) that has it, the one that it builds on, and its words in a listing (NULL: goes
 * without saying). */
#define SPEC_INSTRUCTIONS(X)                                          \
  X(shuffle, 30, shuffle, "shuffles")                                 \
  X(shuffle_sync, 30, shuffle, NULL)                                  \
  X(reduce_sync, 80, shuffle_sync, "warp reductions")                 \
  X(atomic_block_scope, 60, atomic_block_scope, "block atomics")      \
  X(atomic_add_double, 60, atomic_add_double, "double atomics")       \
  X(shared_atomic_native, 50, shared_atomic_native, "shared atomics") \
  X(async_copy, 80, async_copy, "asynchronous copies")                \
  X(bulk_copy, 90, bulk_copy, "bulk copies")                          \
  X(independent_threads, 70, shuffle_sync, "independent threads")     \
  X(dependent_launch, 90, dependent_launch, "dependent launches")     \
  X(cluster, 90, cluster, "clusters")

/* Errors after which reading a file is given up. */
enum { SPEC_MOST_ERRORS = 50 };

typedef struct SpecDocument {
  const SourceFile *file;
  yaml_document_t yaml;
  Diagnostics *d;
  int errors; /* found in this file */
} SpecDocument;

extern const cyaml_schema_value_t spec_schema;

/* Parses the text into nodes. False, with errors said, when it is no YAML document; else the caller
 * ends it with spec_document_free. */
bool spec_document(SpecDocument *doc, const SourceFile *f, Diagnostics *d);
void spec_document_free(SpecDocument *doc);

/* The node of a key of mapping `n`, of an item of sequence `n`; NULL when there is none. The root
 * is node 1. */
const yaml_node_t *spec_root(SpecDocument *doc);
const yaml_node_t *spec_key(SpecDocument *doc, const yaml_node_t *n, const char *key);
const yaml_node_t *spec_item(SpecDocument *doc, const yaml_node_t *n, int i);

/* The node of a key of the machine, of its i-th level (key NULL: the level itself), of that one's width; where there is
 * none, the mapping that it belongs in. */
const yaml_node_t *spec_at(SpecDocument *doc, const char *key);
const yaml_node_t *spec_at_level(SpecDocument *doc, int i, const char *key);
const yaml_node_t *spec_at_width(SpecDocument *doc, int i, const char *key);

/* An error at a node, or at the mapping around it when the key is not there. */
void spec_error(SpecDocument *doc, const yaml_node_t *n, const char *hint, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* Says what in the nodes does not fit the schema: unknown, doubled and missing keys, wrong types,
 * words that are not among those allowed. True when all fits. */
bool spec_shape(SpecDocument *doc, const cyaml_schema_value_t *schema);

/* The values, in the arena, of a document that fits the schema; NULL, with an error said,
 * otherwise. */
Spec *spec_load(Arena *a, SpecDocument *doc);

/* A number of the mapping that `section' names: the family that has it, its value, the least and the most that it can
 * be, a hint for what is not (or NULL). */
typedef struct SpecNumber {
  const char *key;
  Family family;
  int64_t value, least, most;
  const char *hint;
} SpecNumber;

/* Says what is wrong with it, where it is given. False after an error. */
bool spec_check_number(SpecDocument *doc, const Spec *s, const char *section, const SpecNumber *x);

/* Says what is wrong with the figures that were measured. */
void spec_check_figures(SpecDocument *doc, const Spec *s);

/* The machine's figures: those that its file gives, the usual ones for the others. */
void spec_take_figures(Arch *m, const Spec *s);

/* Says what is wrong with the limits, and with the widths that they limit. */
void spec_check_limits(SpecDocument *doc, const Spec *s);

/* The machine's limits, from a spec that was found good. Those of a CPU stand for what the compiler asks of any
 * machine (spec_limits.c). */
void spec_take_limits(Arch *m, const Spec *s);

/* The machine, when the values make sense together; NULL, with all errors said, otherwise. */
Arch *spec_check(Arena *a, SpecDocument *doc, const Spec *s);

#endif
