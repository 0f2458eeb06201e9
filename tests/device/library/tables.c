/* Tables that are read at run time: those that are right are taken in use, and all else is refused, with its line.
 * Alone the element type is called TYPE.
 *
 * variant: -DBY_SHAPE=0
 * variant: -DBY_SHAPE=1
 * variant: -DBY_SHAPE=0 -DCONDITIONS=1
 * variant: -DBY_SHAPE=1 -DCONDITIONS=1
 * mutant: out of order: to[*count - 1].up_to >= up_to)) return => false)) return
 * mutant: shapes out of order: to[*count - 1].up_to != up_to || => false ||
 * mutant: rows that are not counted: ++to[i - 1].rows => ;
 * mutant: no such variant: ok = v != NIL && => ok =
 * mutant: no such configuration: && COMPILED(v, c); => ;
 * mutant: no last row: ok = ok && (count[NUMBER] == 0 || => ok = ok && (true ||
 * mutant: no last row of shapes: .count == UINT64_MAX;\n#else => .count > 0;\n#else
 * mutant: comments: STD(strcspn)(line, "# => STD(strcspn)(line, "
 * mutant: unknown conditions: if (i == many || => if (
 * mutant: twice: || (*when & all[i].like)) return false; => ) return false;
 * mutant: tall and wide: return (*when & (RESULTS_TALL | RESULTS_WIDE)) != (RESULTS_TALL | RESULTS_WIDE); => return true;
 * mutant: conditions in any order: if ((to[i].when & ~when) == 0 && => if (false &&
 * mutant: conditions and no last row: .when == 0;\n#endif\n#if BY_SHAPE\n  if (ok => .when >= 0;\n#endif\n#if BY_SHAPE\n  if (ok
 * mutant: those that ask for the same are not counted: ++to[i - 1].past => ;
 * mutant: sizes of one condition: if (!more && !(any && to[before].up_to < up_to)) return false; => ;
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
#if CONDITIONS
  if (!loads("TYPE 8,aligned,tall a 8 1 0\nTYPE inf,tall a 8 2 0\nTYPE 8,aligned a 8 3 0\nTYPE inf b 0 4 0\n")) return false;
#if BY_SHAPE
  if (range_of(float_in_use, 8, 1, RESULTS_TALL | ROWS_ALIGNED)->c.loads != 1) return false;
  if (range_of(float_in_use, 9, 1, RESULTS_TALL | ROWS_ALIGNED)->c.loads != 2) return false;
  if (range_of(float_in_use, 8, 1, ROWS_ALIGNED)->c.loads != 3 || range_of(float_in_use, 8, 1, 0)->c.loads != 4) return false;
  if (!loads("TYPE 8x4,tall a 8 1 0\nTYPE 9x2,tall a 8 2 0\nTYPE 8x4 a 8 1 0\nTYPE 8 a 8 2 0\nTYPE inf b 0 4 0\n")) return false;
  if (range_of(float_in_use, 8, 4, RESULTS_TALL)->past != 2 || range_of(float_in_use, 8, 4, 0)->past != 3) return false;
  if (range_of(float_in_use, 8, 4, 0)->rows != 2 || range_of(float_in_use, 8, 4, RESULTS_TALL)->rows != 1) return false;
  if (!refuses("TYPE 8x4,tall a 8 1 0\nTYPE 8x4,tall a 8 1 0\nTYPE inf b 0 0 0\n", "line 2") ||
      !refuses("TYPE 8x4 a 8 1 0\nTYPE inf b 0 0 0\n", "line 2")) return false;
#else
  if (!loads("TYPE 8,tall a 8 1 0\nTYPE 9,tall a 8 2 0\nTYPE inf b 0 4 0\n") || float_loaded[0].past != 2) return false;
  if (!loads("TYPE 8,aligned,tall a 8 1 0\nTYPE inf,tall a 8 2 0\nTYPE 8,aligned a 8 3 0\nTYPE inf b 0 4 0\n")) return false;
  if (range_of(float_in_use, 8, RESULTS_TALL | ROWS_ALIGNED)->c.loads != 1) return false;
  if (range_of(float_in_use, 9, RESULTS_TALL | ROWS_ALIGNED)->c.loads != 2) return false;
  if (range_of(float_in_use, 8, ROWS_ALIGNED)->c.loads != 3 || range_of(float_in_use, 8, 0)->c.loads != 4) return false;
  if (!refuses("TYPE 8,tall a 8 1 0\nTYPE 8,tall a 8 1 0\nTYPE inf b 0 0 0\n", "line 2")) return false;
#endif
  return refuses("TYPE 8,high a 8 1 0\nTYPE inf b 0 0 0\n", "line 1") &&
         refuses("TYPE 8,tall,tall a 8 1 0\nTYPE inf b 0 0 0\n", "line 1") &&
         refuses("TYPE 8,tall,wide a 8 1 0\nTYPE inf b 0 0 0\n", "line 1") &&
         refuses("TYPE 8, a 8 1 0\nTYPE inf b 0 0 0\n", "line 1") && refuses("TYPE inf,tall b 0 0 0\n", "inf") &&
         refuses("TYPE inf a 8 1 0\nTYPE inf,tall b 0 0 0\n", "line 2") &&
         refuses("TYPE 8,tall a 8 1 0\nTYPE 8,tall,aligned a 8 1 0\nTYPE inf b 0 0 0\n", "line 2") &&
         refuses("TYPE 8,tall a 8 1 0\nTYPE 8,wide a 8 1 0\nTYPE 9,tall a 8 1 0\nTYPE inf b 0 0 0\n", "line 3");
#elif BY_SHAPE
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
