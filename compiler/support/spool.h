/* spool.h: texts that wait on disk until they are needed, in a temporary file that nobody else sees. */
#ifndef TGC_SUPPORT_SPOOL_H
#define TGC_SUPPORT_SPOOL_H

#include <stdbool.h>
#include <stdint.h>

#include "support/arena.h"

typedef struct Spool Spool;

/* A stretch of a spool; spool NULL: there is none. */
typedef struct Spooled {
  const Spool *spool;
  uint64_t at, length;
} Spooled;

/* An empty one, in $TMPDIR or /tmp; NULL with errno when it cannot be made. The caller ends it with spool_end, which
 * takes NULL too. */
Spool *spool_new(void);
void spool_end(Spool *s);

/* Adds a text. False with errno when it cannot be written. */
bool spool_add(Spool *s, const char *text, size_t n, Spooled *to);
/* Makes `to', which was added last, longer by a text; `to' of no spool: begins it. */
bool spool_append(Spool *s, const char *text, size_t n, Spooled *to);

/* The text, NUL-terminated, in the arena; NULL with errno when it cannot be read. */
char *spool_read(Arena *a, Spooled from);

#endif
