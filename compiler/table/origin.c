/* origin.c: where a table's rows come from, in words: for the listing, the header and those who compile. */
#include <stdbool.h>
#include <string.h>

#include "table/table.h"

static const char not_measured[] = "not measured on this machine: run `tgc tune'";

/* A table without a row of the type has nothing to measure: the spectrum has one variant, or none. */
static bool is_guess(const Table *t, const char *type) {
  for (int i = 0; i < t->rows.n; i++) {
    const TableRow *r = &t->rows.at[i];
    if (strcmp(r->type, type) == 0)
      return r->comment && strncmp(r->comment, TABLE_GUESSED_ROW, strlen(TABLE_GUESSED_ROW)) == 0;
  }
  return false;
}

const char *table_origin(Arena *a, const Table *t, const char *const *types, int ntypes, int *guessed) {
  Buffer names = buffer_new(a);
  int n = 0;
  for (int i = 0; i < ntypes; i++) {
    if (!is_guess(t, types[i])) continue;
    buffer_printf(&names, "%s%s", n++ ? ", " : "", types[i]);
  }
  if (guessed) *guessed = n;
  if (n == ntypes) return not_measured;
  const char *where = t->heading ? strstr(t->heading, "measured on ") : NULL;
  if (!where) where = "from a table that does not say where it was measured";
  return n ? arena_printf(a, "%s; %s: %s", where, names.text, not_measured) : where;
}

void table_print_origin(Buffer *to, const char *name, const char *origin) {
  buffer_put_paragraph(to, " * ", arena_printf(to->arena, "Dispatch by size (%s.table): %s.", name, origin));
}
