// sizes.cc: what sizes runtime/measure/arrays.cc gives the operands of -DTRANSPOSE, -DCONVOLVE2 or -DCONVOLVE of n elements, or
// of `count' parts of n each: arguments n:all. A line for each: the sizes in their order.
#include <cstdio>
#include <cstdlib>

#include "measure/arrays.h"


// A container's row, whose sizes are the operands behind it; the row of a size, free or what the numbers say.
#define ARRAY_OF(name, ...) {name, ARRAY, __VA_ARGS__, false, true, false, DATA, -1, NO_SIZE, {-1, -1}, 0, 0, -1, 0}
#define SIZE_OF(name, means, factor, times, plus, addend, more) \
  {name, SIZE, {-1, -1, -1, -1, -1, -1, -1}, false, true, false, DATA, -1, means, {factor, -1}, times, plus, addend, more}
#define FREE(name, means) SIZE_OF(name, means, -1, 0, 0, -1, 0)
#define ONE(n) {n, -1, -1, -1, -1, -1, -1}
#define TWO(a, b, c) {a, b, c, -1, -1, -1, -1}

const bool rounds = false;
const char *const operation = "";

#if defined TRANSPOSE
const Operand operands[] = {ARRAY_OF("A", TWO(1, 2, 3)), FREE("rows", ROWS), FREE("columns", COLUMNS),
                            FREE("leading", LEADING), ARRAY_OF("B", TWO(2, 1, 5)), FREE("B_leading", LEADING)};
const Parts parts = {false, -1, 0, -1};
static void call(const float *, uint64_t a, uint64_t b, uint64_t c, const float *, uint64_t d) {
  std::printf("%d %d %d %d\n", (int)a, (int)b, (int)c, (int)d);
}
#elif defined CONVOLVE2
const Operand operands[] = {ARRAY_OF("in", TWO(1, 2, 3)), FREE("rows", ROWS), FREE("columns", COLUMNS),
                            FREE("leading", LEADING), ARRAY_OF("w", TWO(5, 6, 7)), FREE("w_rows", ROWS),
                            FREE("w_columns", COLUMNS), FREE("w_leading", LEADING),
                            SIZE_OF("out_rows", ROWS, 1, 1, 1, 5, -1), SIZE_OF("out_columns", COLUMNS, 2, 1, 1, 6, -1)};
const Parts parts = {false, -1, 0, -1};
static void call(const float *, uint64_t a, uint64_t b, uint64_t c, const float *, uint64_t d, uint64_t e, uint64_t f,
                 uint64_t g, uint64_t h) {
  std::printf("%d %d %d %d %d %d %d %d\n", (int)a, (int)b, (int)c, (int)d, (int)e, (int)f, (int)g, (int)h);
}
#elif defined CONVOLVE
const Operand operands[] = {ARRAY_OF("in", ONE(1)), FREE("n", ELEMENTS), ARRAY_OF("w", ONE(3)), FREE("w_n", ELEMENTS),
                            SIZE_OF("out_n", ELEMENTS, 1, 1, 1, 3, -1)};
const Parts parts = {true, 4, 0, -1};
static void call(const float *, uint64_t a, const float *, uint64_t b, uint64_t c) {
  std::printf("%d %d %d\n", (int)a, (int)b, (int)c);
}
#endif
const int operand_count = sizeof operands / sizeof *operands;
const Entry entries[] = {MEASURE_TYPE("float", call)};
const int entry_count = 1;

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    char *s = argv[i];
    const uint64_t n = std::strtoull(s, &s, 10), all = *s == ':' ? std::strtoull(s + 1, &s, 10) : 0;
    Problem problem(entries[0], n, all);
  }
  return 0;
}
