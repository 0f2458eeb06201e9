/* hash.h: FNV-1a, for names that are stable across runs and machines. */
#ifndef TGC_SUPPORT_HASH_H
#define TGC_SUPPORT_HASH_H

#include <stdint.h>

#include "support/arena.h"

#define HASH_START UINT64_C(14695981039346656037)

/* Continues a hash with a text's bytes. */
uint64_t hash_text(uint64_t hash, const char *text);

/* Of a variant's text, in hexadecimal: without its head, where the configurations are, and without comments and #line,
 * which name lines of the codelets. */
const char *hash_code(Arena *a, const char *text);

#endif
