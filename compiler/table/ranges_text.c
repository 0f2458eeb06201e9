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

/* How many rows of the i-th one's type and conditions there are from it on; of its size alone? */
static int rows_alike(const Table *t, int i, bool of_size) {
  const TableRow *r = &t->rows.at[i];
  int n = 0;
  for (int k = i; k < t->rows.n; k++) {
    const TableRow *other = &t->rows.at[k];
    n += strcmp(other->type, r->type) == 0 && other->when == r->when && (!of_size || other->up_to == r->up_to);
  }
  return n;
}

static void print_configuration(Buffer *to, const Tunables *members, const Tunables *set) {
  buffer_puts(to, "{");
  for (int i = 0; i < members->n; i++) {
    const int width = i < USUAL_TUNABLES ? usual_tunables[i].width : 0;
    buffer_printf(to, "%s%*" PRId64, i ? ", " : "", width, tunables_value(set, members->at[i].name));
  }
  buffer_puts(to, "}");
}

void table_print_ranges(Buffer *to, const Ranged *l, const Table *t) {
  buffer_printf(to, "%s. Up to so many elements%s%s, that variant: ", TABLE_BEGIN,
                l->by_shape ? " each, up to so many results" : "", l->conditions ? ", where a call is so" : "");
  tunables_print_names(to, &l->members, ", ");
  buffer_puts(to, l->turns ? "; 0 is its own; what a tile takes.\n" : "; 0 is its own.\n");
  if (t->heading) buffer_printf(to, "// %s\n", t->heading);
  for (int i = 0; i < l->ntypes; i++) {
    print_array(to, l->types[i], l->of);
    for (int j = 0; j < t->rows.n; j++) {
      const TableRow *r = &t->rows.at[j];
      if (strcmp(r->type, l->types[i]) != 0) continue;
      buffer_puts(to, "  {");
      print_most(to, r->up_to);
      if (l->by_shape) print_most(to, r->count ? r->count : UINT64_MAX);
      if (l->by_shape) buffer_printf(to, "%2d, ", rows_alike(t, j, true));
      if (l->conditions) conditions_print_constants(to, r->when);
      if (l->conditions) buffer_printf(to, ", %d, ", rows_alike(t, j, false));
      print_served(to, l->spectrum, r, l->of);
      buffer_puts(to, ", ");
      print_configuration(to, &l->members, &r->set);
      if (l->turns) buffer_printf(to, ", %" PRId64, r->turn);
      buffer_puts(to, "},");
      if (r->comment) buffer_printf(to, " // %s", r->comment);
      buffer_puts(to, "\n");
    }
    buffer_puts(to, "};\n");
  }
  buffer_printf(to, "%s\n", TABLE_END);
}

/* What row i sets those tunables to, with a variant's own values for what is 0: NULL, the own ones alone. */
static int64_t effective(const TableRow *r, const Tunable *own) {
  const int64_t set = r ? tunables_value(&r->set, own->name) : 0;
  return set ? set : own->value;
}

static bool same(const TableRow *x, const TableRow *y, const Tunables *own) {
  for (int i = 0; i < own->n; i++)
    if (effective(x, &own->at[i]) != effective(y, &own->at[i])) return false;
  return true;
}

static void print_compiled(Buffer *to, const TableRow *r, const Tunables *own) {
  for (int i = 0; i < own->n; i++) buffer_printf(to, "%s%" PRId64, i ? ", " : " C(", effective(r, &own->at[i]));
  buffer_puts(to, own->n ? ")" : "");
}

void table_print_configurations(Buffer *to, const Table *t, const char *variant, const Tunables *own) {
  print_compiled(to, NULL, own);
  for (int i = 0; i < t->rows.n; i++) {
    if (strcmp(t->rows.at[i].variant, variant) != 0) continue;
    bool known = same(&t->rows.at[i], NULL, own);
    for (int j = 0; j < i && !known; j++)
      known = strcmp(t->rows.at[j].variant, variant) == 0 && same(&t->rows.at[j], &t->rows.at[i], own);
    if (!known) print_compiled(to, &t->rows.at[i], own);
  }
}
