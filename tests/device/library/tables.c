/* Tables that are read at run time: those that are right are taken in use, and all else is refused, with its line.
 * Alone the element type is called TYPE.
 *
 * variant: -DBY_SHAPE=0
 * variant: -DBY_SHAPE=1
 * mutant: out of order: to[*count - 1].up_to >= up_to)) return => false)) return
 * mutant: shapes out of order: to[*count - 1].up_to != up_to || => false ||
 * mutant: rows that are not counted: ++to[i - 1].rows => ;
 * mutant: no such variant: ok = v != NIL && => ok =
 * mutant: no such configuration: && COMPILED(v, c); => ;
 * mutant: no last row: ok = ok && (count[NUMBER] == 0 || => ok = ok && (true ||
 * mutant: no last row of shapes: .count == UINT64_MAX;\n#else => .count > 0;\n#else
 * mutant: comments: STD(strcspn)(line, "# => STD(strcspn)(line, "
 * mutant: not taken: if (count[NUMBER] > 0) USE_TYPE(OF_TYPE(loaded)); => ;
 */
#include "tables.h"

#include "library.h"

static bool loads(const char *text) { return table_is(text) && NAME(load_table)("table") == 0; }

static bool refuses(const char *text, const char *why) {
  return table_is(text) && NAME(load_table)("table") != 0 && strstr(NAME(error_text)(ENOTSUP), why);
}

bool test(void) {
  if (NAME(load_table)("there is none") != EINVAL) return false;
#if BY_SHAPE
  if (!loads("TYPE 8x4 a 8 1 0 # the first\nTYPE 8 a 8 1 0\nTYPE inf b 0 2 0\n")) return false;
  if (range_of(float_in_use, 8, 4)->rows != 2 || range_of(float_in_use, 9, 1)->c.loads != 2) return false;
  return refuses("TYPE 8x4 a 8 1 0\nTYPE 8x4 a 8 1 0\nTYPE inf b 0 0 0\n", "line 2") &&
         refuses("TYPE 8x4 a 8 1 0\nTYPE inf b 0 0 0\n", "line 2") && refuses("TYPE infx8 b 0 0 0\n", "inf") &&
         refuses("TYPE inf c 0 0 0\n", "line 1");
#else
  if (!loads("# a table\nTYPE 8 a 8 1 0 # the first\n\nTYPE inf b 0 2 0\n")) return false;
  if (range_of(float_in_use, 8)->c.threads != 8 || range_of(float_in_use, 9)->c.loads != 2) return false;
  return refuses("TYPE 8 a 8 1 0\nTYPE 8 a 8 1 0\nTYPE inf b 0 0 0\n", "line 2") && refuses("TYPE 8 a 8 1 0\n", "inf") &&
         refuses("TYPE inf c 0 0 0\n", "line 1") && refuses("TYPE inf a 4 1 0\n", "line 1") &&
         refuses("TYPE 0x8 a 8 1 0\n", "line 1");
#endif
}
