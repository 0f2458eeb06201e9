/* frames.c: framing that takes whatever comes: lengths that lie, headers that are none, bytes one by one. */
#include "lsp/frames.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { LONGEST_HEADER = 4 << 10, LONGEST_MESSAGE = 64 << 20, AT_ONCE = 64 << 10 };

static void drop(Frames *f, size_t n) {
  memmove(f->bytes, f->bytes + n, f->size - n);
  f->size -= n;
}

bool frames_read(Frames *f, int fd) {
  if (f->capacity - f->size < AT_ONCE) {
    const size_t wanted = f->capacity ? 2 * f->capacity : AT_ONCE;
    char *grown = realloc(f->bytes, wanted);
    if (!grown) return false;
    f->bytes = grown;
    f->capacity = wanted;
  }
  const ssize_t n = read(fd, f->bytes + f->size, f->capacity - f->size);
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return true;
  if (n <= 0) return false;
  f->size += (size_t)n;
  return true;
}

/* How many bytes a header has, its empty line included; 0: it is not all there. */
static size_t header_end(const Frames *f) {
  size_t line = 0;
  for (size_t i = 0; i < f->size; i++) {
    if (f->bytes[i] != '\n') continue;
    const size_t n = i - line - (i > line && f->bytes[i - 1] == '\r');
    if (n == 0) return i + 1;
    line = i + 1;
  }
  return 0;
}

/* The number of its Content-Length; false: it has none. Behind a message whose length was a lie, the header follows
 * somewhere in a line. */
static bool content_length(const Frames *f, size_t header, size_t *length) {
  static const char name[] = "Content-Length:";
  const size_t n = sizeof name - 1;
  size_t at = header;
  while (at > 0 && (at + n > header || strncasecmp(f->bytes + at, name, n) != 0)) at--;
  if (n > header || strncasecmp(f->bytes + at, name, n) != 0) return false;
  size_t i = at + n, digits = 0;
  while (i < header && (f->bytes[i] == ' ' || f->bytes[i] == '\t')) i++;
  for (*length = 0; i < header && isdigit((unsigned char)f->bytes[i]) && digits < 18; i++, digits++)
    *length = 10 * *length + (size_t)(f->bytes[i] - '0');
  return digits > 0 && i < header && (f->bytes[i] == '\r' || f->bytes[i] == '\n');
}

/* Of what is no header, all but what may begin one. */
static void drop_noise(Frames *f) {
  size_t last = f->size;
  while (last > 0 && f->bytes[last - 1] != '\n') last--;
  drop(f, f->size - last < LONGEST_HEADER ? last : f->size);
}

const char *frames_next(Frames *f, size_t *size, bool *too_long) {
  *too_long = false;
  for (;;) {
    const size_t skipped = f->skip < f->size ? f->skip : f->size;
    drop(f, skipped);
    f->skip -= skipped;
    const size_t header = header_end(f);
    size_t length;
    if (!header) {
      if (f->size > LONGEST_HEADER) drop_noise(f);
      return NULL;
    }
    if (!content_length(f, header, &length)) {
      drop(f, header);
      continue;
    }
    if (length > LONGEST_MESSAGE) {
      drop(f, header);
      f->skip = length;
      *too_long = true;
      return NULL;
    }
    if (f->size - header < length) return NULL;
    f->skip = header + length; /* with the next call */
    *size = length;
    return f->bytes + header;
  }
}

void frames_end(Frames *f) {
  free(f->bytes);
  *f = (Frames){0};
}

static bool write_all(int fd, const char *text, size_t n) {
  while (n > 0) {
    const ssize_t done = write(fd, text, n);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    text += done;
    n -= (size_t)done;
  }
  return true;
}

bool frames_write(int fd, const json_t *message) {
  char *text = json_dumps(message, JSON_COMPACT);
  if (!text) return true; /* nothing that can be said */
  char header[64];
  const size_t length = strlen(text);
  const int n = snprintf(header, sizeof header, "Content-Length: %zu\r\n\r\n", length);
  const bool ok = write_all(fd, header, (size_t)n) && write_all(fd, text, length);
  free(text);
  return ok;
}
