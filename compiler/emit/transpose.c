/* transpose.c: LOAD_ROWS_4 for CPUs: loads a square of 4-byte elements and transposes it in registers. The shuffles'
 * index lists depend on the number of lanes, so the macros are composed. */
#include "emit/variant.h"

typedef struct Macros { Buffer *to; int lanes; } Macros;

/* z = x and y interleaved, runs of `many' elements of each, from the low or the high half of every chunk of
 * elements. */
static void interleave(const Macros *m, const char *z, const char *x, const char *y, int many, bool high) {
  const int chunk = many > 1 ? 2 * many : 4;
  buffer_printf(m->to, "    %s = __builtin_shufflevector(%s, %s", z, x, y);
  for (int i = 0; i < m->lanes; i++) {
    const int first = i / chunk * chunk + high * chunk / 2, inside = i % chunk;
    buffer_printf(m->to, ", %d", first + inside / (2 * many) * many + inside % many + (inside / many % 2) * m->lanes);
  }
  buffer_puts(m->to, "); \\\n");
}

/* FOUR(a, b, c, d) transposes blocks of 4 by 4 elements in place. SWAP_4(x, y) exchanges the off-diagonal blocks of
 * 4. Each line compiles to one instruction of AVX2 and AVX-512. */
static void transposition_macros(Buffer *to, int lanes) {
  const Macros m = {to, lanes};
  buffer_puts(to, "#define FOUR(a, b, c, d) do { \\\n");
  interleave(&m, "woven[0]", "a", "b", 1, false);
  interleave(&m, "woven[1]", "a", "b", 1, true);
  interleave(&m, "woven[2]", "c", "d", 1, false);
  interleave(&m, "woven[3]", "c", "d", 1, true);
  interleave(&m, "a", "woven[0]", "woven[2]", 2, false);
  interleave(&m, "b", "woven[0]", "woven[2]", 2, true);
  interleave(&m, "c", "woven[1]", "woven[3]", 2, false);
  interleave(&m, "d", "woven[1]", "woven[3]", 2, true);
  buffer_puts(to, "  } while (0)\n");
  for (int block = 4; block < lanes; block *= 2) {
    buffer_printf(to, "#define SWAP_%d(x, y) do { \\\n", block);
    interleave(&m, "woven[0]", "x", "y", block, false);
    interleave(&m, "y", "x", "y", block, true);
    buffer_puts(to, "    x = woven[0]; \\\n  } while (0)\n");
  }
}

void emit_transposition(Buffer *to, int lanes) {
  buffer_puts(to, "#if defined __clang__ || (defined __GNUC__ && __GNUC__ >= 12)\n");
  transposition_macros(to, lanes);
  buffer_puts(to, "#define LOAD_ROWS_4(to, from, apart) do { \\\n"
                  "    typedef T Vector __attribute__((vector_size(threads * sizeof(T)))); \\\n"
                  "    Vector lines[threads], woven[4]; \\\n"
                  "    for (int line = 0; line < threads; ++line) \\\n"
                  "      memcpy(&lines[line], (from) + line * (apart), sizeof(Vector)); \\\n");
  for (int line = 0; line < lanes; line += 4)
    buffer_printf(to, "    FOUR(lines[%d], lines[%d], lines[%d], lines[%d]); \\\n", line, line + 1, line + 2, line + 3);
  for (int block = 4; block < lanes; block *= 2)
    for (int line = 0; line < lanes; line++)
      if (line % (2 * block) < block)
        buffer_printf(to, "    SWAP_%d(lines[%d], lines[%d]); \\\n", block, line, line + block);
  buffer_puts(to, "    memcpy(to, lines, sizeof lines); \\\n"
                  "  } while (0)\n"
                  "#else\n#define LOAD_ROWS_4 LOAD_ROWS_ANY\n#endif\n");
}
