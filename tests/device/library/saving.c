/* What was decided, as a table: read again, it dispatches as it was decided, and elsewhere as before. What cannot be written
 * leaves nothing behind.
 *
 * variant: -DBY_SHAPE=0
 * variant: -DBY_SHAPE=1
 * variant: -DBY_SHAPE=0 -DCONDITIONS=1
 * variant: -DBY_SHAPE=1 -DCONDITIONS=1
 * mutant: the table in use alone: if (slot >= 0 && (word & 255) != 0) => if (false)
 * mutant: borders of classes: if (last > above && last < next) next = last;\n  }\n  for => }\n  for
 * mutant: all rows: if (b->made > b->band && b->to[b->made - 1].id == id) => if (false)
 * mutant: all sizes: if (b->band > before && bands_are_alike(b, before)) => if (false)
 * mutant: half a table: if (!written) STD(remove)(part); => ;
 * mutant: whatever happens: if (!written) return NAME(failed) => if (false) return NAME(failed)
 * mutant: while it is off: if (selects_among() == 0) => if (false)
 */
#include "clock.h"

#include "calls.h"

#include "library.h"

static float call(uint64_t n, const float *in) {
  char workspace[16] = {0};
  size_t bytes = 16;
  float out = 0;
  return FUNCTION(workspace, &bytes, in, n, &out) == 0 ? out : 0;
}

static bool refuses(const char *path, const char *why) {
  return NAME(select_save)(path) == EINVAL && strstr(NAME(error_text)(EINVAL), why);
}

static bool exists(const char *path) {
  FILE *file = fopen(path, "r");
  if (file) fclose(file);
  return file != NULL;
}

static int rows_of(const char *path) {
  char line[256];
  int rows = 0;
  FILE *file = fopen(path, "r");
  while (file && fgets(line, sizeof line, file)) rows += line[0] != '#';
  if (file) fclose(file);
  return rows;
}

bool test(void) {
  _Alignas(16) float in[8] = {0};
  if (!table_is("TYPE 100 a 8 1 0\nTYPE inf b 0 5 0\n") || NAME(load_table)("table") != 0) return false;
  if (!refuses("saved", "off")) return false;
  if (NAME(select_online)(4, "not_guaranteed") != 0) return false;
  for (int i = 0; i < 600; i++)
    if (call(20, in) == 0) return false;
  second_takes = 40;
  for (int i = 0; i < 600; i++)
    if (call(200, in) == 0) return false;
  const float of_20 = call(20, in), of_200 = call(200, in);
  second_takes = 3;
  if (of_20 == 1 || of_200 != 1) return false;
  if (!refuses(NULL, "no path") || !refuses("", "no path") || !refuses("no/such/folder/x", "cannot write")) return false;
  remove("saved.part");
  remove("saved");
  if (NAME(select_save)("saved") != 0 || exists("saved.part") || !exists("saved")) return false;
#if !CONDITIONS
  if (rows_of("saved") > (BY_SHAPE ? 12 : 6)) return false; // those that differ
#endif
  if (NAME(select_online)(0, NULL) != 0 || NAME(load_table)("saved") != 0) return false;
  if (call(16, in) != of_20 || call(31, in) != of_20 || call(15, in) != 1 || call(32, in) != 1) return false;
  if (call(128, in) != 1 || call(255, in) != 1 || call(256, in) != 7 || call(127, in) != 7) return false;
  /* a folder in its place: nothing is left of what was begun */
  if (NAME(load_table)("table") != 0 || NAME(select_online)(4, "not_guaranteed") != 0) return false;
  return refuses(".", "cannot write") && !exists("..part");
}
