/* transpose.c: LOAD_ROWS_4 of a CPU: as many rows as a vector has lanes, of numbers of 4 bytes, transposed in registers. Which
 * elements a shuffle takes depends on the lanes: the macros are composed. */
#include "emit/variant.h"

/* z = of each `chunk' elements of x and y, `many' of x and as many of y in turn, from the first or the middle one on. */
static void weave(Buffer *to, const char *z, const char *x, const char *y, int chunk, int many, int second, int lanes) {
  buffer_printf(to, "    %s = __builtin_shufflevector(%s, %s", z, x, y);
  for (int i = 0; i < lanes; i++) {
    int first = i / chunk * chunk + second * chunk / 2, inside = i % chunk;
    buffer_printf(to, ", %d", first + inside / (2 * many) * many + inside % many + (inside / many % 2) * lanes);
  }
  buffer_puts(to, "); \\\n");
}

/* FOUR(a, b, c, d): blocks of 4 by 4 elements are transposed where they stand. SWAP_4(x, y): blocks of as many on both
 * sides of the diagonal take each other's place. Each line is one instruction of AVX2 and AVX-512. */
static void weaves(Buffer *to, int lanes) {
  buffer_puts(to, "#define FOUR(a, b, c, d) do { \\\n");
  weave(to, "woven[0]", "a", "b", 4, 1, 0, lanes);
  weave(to, "woven[1]", "a", "b", 4, 1, 1, lanes);
  weave(to, "woven[2]", "c", "d", 4, 1, 0, lanes);
  weave(to, "woven[3]", "c", "d", 4, 1, 1, lanes);
  weave(to, "a", "woven[0]", "woven[2]", 4, 2, 0, lanes);
  weave(to, "b", "woven[0]", "woven[2]", 4, 2, 1, lanes);
  weave(to, "c", "woven[1]", "woven[3]", 4, 2, 0, lanes);
  weave(to, "d", "woven[1]", "woven[3]", 4, 2, 1, lanes);
  buffer_puts(to, "  } while (0)\n");
  for (int block = 4; block < lanes; block *= 2) {
    buffer_printf(to, "#define SWAP_%d(x, y) do { \\\n", block);
    weave(to, "woven[0]", "x", "y", 2 * block, block, 0, lanes);
    weave(to, "y", "x", "y", 2 * block, block, 1, lanes);
    buffer_puts(to, "    x = woven[0]; \\\n  } while (0)\n");
  }
}

void emit_transposition(Buffer *to, int lanes) {
  buffer_puts(to, "#if defined __clang__ || (defined __GNUC__ && __GNUC__ >= 12)\n");
  weaves(to, lanes);
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
