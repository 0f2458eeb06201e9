/* frames.h: messages as they go over the wire, each behind "Content-Length: N\r\n\r\n". */
#ifndef TGC_LSP_FRAMES_H
#define TGC_LSP_FRAMES_H

#include <jansson.h>
#include <stdbool.h>

#include "support/arena.h"

/* What came in and is not yet taken. Whatever it is, no more than the longest message is kept. */
typedef struct Frames {
  char *bytes;
  size_t size, capacity;
  size_t skip; /* bytes of a message that is too long, still to come */
} Frames;

/* Reads what there is. False: it ended. */
bool frames_read(Frames *f, int fd);
/* The text of the next message, of *size bytes, good until the next call; NULL: it is not all there. A header that says
 * no length is skipped; *too_long: so was a message. */
const char *frames_next(Frames *f, size_t *size, bool *too_long);
void frames_end(Frames *f);

/* False: the other end is gone. */
bool frames_write(int fd, const json_t *message);

#endif
