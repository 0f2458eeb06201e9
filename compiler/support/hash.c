#include "support/hash.h"

#include <inttypes.h>
#include <string.h>

#include "support/buffer.h"

uint64_t hash_text(uint64_t hash, const char *text) {
  for (; *text; text++) hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
  return hash;
}

/* Behind the configurations: a namespace in C++; in C, which has none, what is declared first. */
static const char *code_of(const char *text) {
  const char *begin = strstr(text, "\nnamespace ");
  return begin ? begin : strstr(text, "\ntypedef long long Index;");
}

const char *hash_code(Arena *a, const char *text) {
  const char *s = code_of(text);
  Buffer bare = buffer_new(a);
  for (s = s ? s : text; *s;) {
    size_t n = strcspn(s, "\n") + 1;
    if (!s[n - 1]) n--;
    size_t kept = strncmp(s, "#line ", 6) == 0 ? 0 : n;
    for (size_t i = 0; i + 1 < kept; i++)
      if (s[i] == '/' && s[i + 1] == '/') kept = i;
    buffer_putn(&bare, s, kept);
    s += n;
  }
  return arena_printf(a, "%016" PRIx64, hash_text(HASH_START, bare.length ? bare.text : ""));
}
