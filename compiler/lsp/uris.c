/* uris.c: paths and URIs (RFC 8089, RFC 3986). */
#include "lsp/uris.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "support/buffer.h"

static int hex(char c) {
  if (isdigit((unsigned char)c)) return c - '0';
  c = (char)tolower((unsigned char)c);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

const char *uri_path(Arena *a, const char *uri) {
  static const char scheme[] = "file://";
  if (strncmp(uri, scheme, sizeof scheme - 1) != 0) return arena_strdup(a, uri);
  const char *at = strchr(uri + sizeof scheme - 1, '/'); /* behind the host's name, which is empty */
  if (!at) return arena_strdup(a, uri);
  char *path = arena_strdup(a, at), *to = path;
  for (const char *s = path; *s; s++) {
    const int high = *s == '%' ? hex(s[1]) : -1, low = high >= 0 ? hex(s[2]) : -1;
    if (low >= 0 && (high || low)) {
      *to++ = (char)(16 * high + low);
      s += 2;
    } else *to++ = *s;
  }
  *to = '\0';
  return path;
}

const char *uri_of(Arena *a, const char *path) {
  Buffer b = buffer_new(a);
  char here[PATH_MAX];
  if (path[0] != '/' && !strstr(path, ":") && getcwd(here, sizeof here)) path = arena_printf(a, "%s/%s", here, path);
  if (path[0] != '/') return arena_strdup(a, path); /* "untitled:1" */
  buffer_puts(&b, "file://");
  for (const char *s = path; *s; s++) {
    if (isalnum((unsigned char)*s) || strchr("/-._~", *s)) buffer_putn(&b, s, 1);
    else buffer_printf(&b, "%%%02X", (unsigned char)*s);
  }
  return b.text;
}
