/* ship_text.c: the dispatch of a library without some of its variants, and how few texts are compiled.
 *
 * The dispatch: requires NAME.cu as emit/dispatch.c prints it: whatever is said of a variant is said in a line of its
 * own, which has the variant's id; but for the places of variants, an enumeration over several lines (of a CPU). Keeps
 * all other lines. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "driver/ship.h"

static int by_text(const void *x, const void *y) { return strcmp(*(const char *const *)x, *(const char *const *)y); }

typedef struct Ids {
  const char **sorted;
  int n;
} Ids;

static bool is_among(const Ids *ids, const char *word, size_t length) {
  char key[64];
  if (!length || length >= sizeof key) return false;
  memcpy(key, word, length);
  key[length] = '\0';
  const char *wanted = key;
  return ids->n && bsearch(&wanted, ids->sorted, (size_t)ids->n, sizeof *ids->sorted, by_text) != NULL;
}

/* Has the text one of them as a word, between what is no letter and no digit? */
static bool names_one(const Ids *ids, const char *s, size_t n) {
  for (size_t i = 0, from = 0; i <= n; i++) {
    if (i < n && isalnum((unsigned char)s[i])) continue;
    if (is_among(ids, s + from, i - from)) return true;
    from = i + 1;
  }
  return false;
}

/* "enum { V_3fa9c1d2, .. };", which the text begins with: those that are left, eight in a line. Returns what is behind
 * it. */
static const char *put_places(Buffer *to, const Ids *ids, const char *s) {
  const char *end = strstr(s, "};");
  if (!end) return s;
  buffer_puts(to, "enum {");
  int count = 0;
  for (const char *at = strstr(s, "V_"); at && at < end; at = strstr(at, "V_")) {
    const size_t n = 2 + strcspn(at + 2, ", }\n");
    if (!is_among(ids, at + 2, n - 2))
      buffer_printf(to, "%s%.*s", !count ? " " : count % 8 ? ", " : ",\n       ", (int)n, at), count++;
    at += n;
  }
  buffer_puts(to, " };");
  return end + 2;
}

/* An array may have lost all that it was filled with: C wants something. */
static bool is_emptied(const Buffer *b, const char *line) {
  static const char filled[] = "= {\n";
  const size_t n = sizeof filled - 1;
  return strncmp(line, "};", 2) == 0 && b->length >= n && memcmp(b->text + b->length - n, filled, n) == 0;
}

Buffer ship_dispatch(Arena *a, const char *text, const char *const *dropped, int ndropped, int kept) {
  static const char places[] = "enum { V_", count[] = "_variant_count = ";
  Ids ids = {arena_many(a, const char *, ndropped + 1), ndropped};
  for (int i = 0; i < ndropped; i++) ids.sorted[i] = dropped[i];
  qsort(ids.sorted, (size_t)ndropped, sizeof *ids.sorted, by_text);
  Buffer b = buffer_new(a);
  for (const char *s = text; *s;) {
    if (strncmp(s, places, sizeof places - 1) == 0) s = put_places(&b, &ids, s);
    size_t n = strcspn(s, "\n");
    n += s[n] == '\n';
    const char *line = arena_strndup(a, s, n), *number = strstr(line, count);
    if (is_emptied(&b, line)) buffer_puts(&b, "  0\n");
    if (number) buffer_printf(&b, "%.*s%s%d;\n", (int)(number - line), line, count, kept);
    else if (!names_one(&ids, s, n)) buffer_putn(&b, s, n);
    s += n;
  }
  return b;
}

/* ---- few texts as one ---- */

enum { MOST_AS_ONE = 20 }; /* texts: about 15 seconds of nvcc on one processor; more are better shared by several */

/* %1$s: the target; %2$s: in capitals. */
static const char as_one[] =
"# nvcc takes more than a second for CUDA's own headers, in each text. So these few are compiled as one. With OFF\n"
"# they are compiled one by one, by several processors.\n"
"option(%2$s_AS_ONE \"compile the texts of %1$s as one\" ON)\n"
"if(%2$s_AS_ONE)\n"
"  get_target_property(texts %1$s SOURCES)\n"
"  list(TRANSFORM texts REPLACE \"(.+)\" \"#include \\\"${CMAKE_CURRENT_SOURCE_DIR}/\\\\1\\\"\")\n"
"  list(JOIN texts \"\\n\" texts)\n"
"  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/%1$s.cu CONTENT \"${texts}\\n\" @ONLY)\n"
"  set_target_properties(%1$s PROPERTIES SOURCES ${CMAKE_CURRENT_BINARY_DIR}/%1$s.cu)\n"
"endif()\n";

/* The lines of "add_library(TARGET ..", each a file, up to ")": how many CUDA texts, none where there is another file.
 * `end': behind them. */
static int texts_of(const char *list, const char **end) {
  int count = 0;
  for (const char *line = list;; line += strcspn(line, "\n") + 1) {
    const size_t n = strcspn(line, "\n");
    *end = line + n + (line[n] == '\n');
    if (!line[n] || line[0] == ')') return line[0] == ')' && n == 1 ? count : 0;
    if (n < 3 || strncmp(line + n - 3, ".cu", 3) != 0) return 0;
    count++;
  }
}

Buffer ship_as_one(Arena *a, const char *text) {
  static const char library[] = "add_library(tgc_";
  Buffer b = buffer_new(a);
  if (strstr(text, "_AS_ONE ")) { /* a release, shipped again */
    buffer_puts(&b, text);
    return b;
  }
  for (const char *s = text; *s;) {
    const size_t n = strcspn(s, "\n");
    const char *end = s + n + (s[n] == '\n'), *name = s + strlen("add_library(");
    const bool lists = strncmp(s, library, sizeof library - 1) == 0 && s[n] && !memchr(s, ')', n);
    const int texts = lists ? texts_of(end, &end) : 0;
    buffer_putn(&b, s, (size_t)(end - s));
    if (texts > 1 && texts <= MOST_AS_ONE) {
      char *target = arena_strndup(a, name, strcspn(name, " \n")), *upper = arena_strdup(a, target);
      for (char *c = upper; *c; c++) *c = (char)toupper((unsigned char)*c);
      buffer_printf(&b, as_one, target, upper);
    }
    s = end;
  }
  return b;
}
