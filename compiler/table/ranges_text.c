/* ranges_text.c: a table as the text of a generated library: arrays of ranges between two marks, which the tuner
 * replaces. */
#include <inttypes.h>
#include <string.h>

#include "table/table.h"

/* What stands in a row for its variant, and ahead of a type's rows. */
static void print_served(Buffer *to, const char *spectrum, const TableRow *r, RangesOf of) {
  if (of == RANGES_OF_FUNCTIONS) buffer_printf(to, "%s_%s_%s", spectrum, r->variant, r->type);
  else buffer_printf(to, "%s_variants + V_%s", spectrum, r->variant);
}

static void print_array(Buffer *to, const char *type, RangesOf of) {
  if (of == RANGES_OF_FUNCTIONS) buffer_printf(to, "const Range<%s_function> %s_ranges[] = {\n", type, type);
  else buffer_printf(to, "static const Range %s_ranges[] = {\n", type);
}

/* A number that is the most of a range. */
static void print_most(Buffer *to, uint64_t most) {
  if (most == UINT64_MAX) buffer_puts(to, "UINT64_MAX, ");
  else buffer_printf(to, "%10" PRIu64 ", ", most);
}

/* How many rows of the i-th one's type and size there are from it on. */
static int rows_of_size(const Table *t, int i) {
  int n = 0;
  for (int k = i; k < t->rows.n; k++)
    n += strcmp(t->rows.at[k].type, t->rows.at[i].type) == 0 && t->rows.at[k].up_to == t->rows.at[i].up_to;
  return n;
}

void table_print_ranges(Buffer *to, const char *spectrum, const char *const *types, int ntypes, const Table *t,
                        RangesOf of, bool by_shape) {
  buffer_printf(to, "%s. Up to so many elements%s, that variant: threads, loads, blocks; 0 is its own.\n", TABLE_BEGIN,
                by_shape ? " each, up to so many results" : "");
  if (t->heading) buffer_printf(to, "// %s\n", t->heading);
  for (int i = 0; i < ntypes; i++) {
    print_array(to, types[i], of);
    for (int j = 0; j < t->rows.n; j++) {
      const TableRow *r = &t->rows.at[j];
      if (strcmp(r->type, types[i]) != 0) continue;
      buffer_puts(to, "  {");
      print_most(to, r->up_to);
      if (by_shape) print_most(to, r->count ? r->count : UINT64_MAX);
      if (by_shape) buffer_printf(to, "%2d, ", rows_of_size(t, j));
      print_served(to, spectrum, r, of);
      buffer_printf(to, ", {%4d, %2d, %4" PRId64 "}},", r->threads, r->loads, r->blocks);
      if (r->comment) buffer_printf(to, " // %s", r->comment);
      buffer_puts(to, "\n");
    }
    buffer_puts(to, "};\n");
  }
  buffer_printf(to, "%s\n", TABLE_END);
}

static void configuration(Buffer *to, int threads, int loads, bool has_loads) {
  if (has_loads) buffer_printf(to, " C(%d, %d)", threads, loads);
  else buffer_printf(to, " C(%d)", threads);
}

/* Row i's, with a variant's own values for what is 0. */
static void effective(const TableRow *r, int threads, int loads, int *t, int *l) {
  *t = r->threads ? r->threads : threads;
  *l = r->loads ? r->loads : loads;
}

void table_print_configurations(Buffer *to, const Table *t, const char *variant, int threads, int loads,
                                bool has_loads) {
  configuration(to, threads, loads, has_loads);
  for (int i = 0; i < t->rows.n; i++) {
    int th, lo, oth, olo;
    if (strcmp(t->rows.at[i].variant, variant) != 0) continue;
    effective(&t->rows.at[i], threads, loads, &th, &lo);
    bool known = th == threads && lo == loads;
    for (int j = 0; j < i && !known; j++) {
      if (strcmp(t->rows.at[j].variant, variant) != 0) continue;
      effective(&t->rows.at[j], threads, loads, &oth, &olo);
      known = oth == th && olo == lo;
    }
    if (!known) configuration(to, th, lo, has_loads);
  }
}
