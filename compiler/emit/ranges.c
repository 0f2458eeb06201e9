/* ranges.c: which variant serves which size or shape: arrays of ranges (runtime/library/ranges.h), each with a
 * function in CUDA, with a variant in C. */
#include "emit/conditions.h"
#include "emit/dispatch.h"
#include "emit/template.h"

/* The target of a range: in CUDA a function of that type; in C an index into the table of variants. */
static void range_targets(Buffer *to, const Output *o) {
  if (!output_is_for_cpu(o)) {
    for (int i = 0; i < o->ntypes; i++)
      emit_template(to, o, o->types[i], "typedef decltype(NAME(variant)::RUN) OF_TYPE(function);\n", NULL);
    return;
  }
  buffer_puts(to, "\n// The variants by their places in the table above.\nenum {");
  for (int v = 0; v < o->nvariants; v++)
    buffer_printf(to, "%sV_%s", !v ? " " : v % 8 ? ", " : ",\n       ", o->variants[v].plan->id);
  buffer_puts(to, " };\n");
}

/* The variants' shortcuts for one type, by the variant's index. */
static void shortcut_functions(Buffer *to, const Output *o, const ElementType *e) {
  buffer_puts(to, "\n// What variants that need no workspace do apart from what they check, in a configuration.\n");
  emit_work_type(to, o, e);
  for (int v = 0; v < o->nvariants; v++)
    if (variant_has_shortcut(o, o->variants[v].program))
      emit_template(to, o, e, "WORK *NAME(ID)##_##TYPE##_work(const NAME(configuration) *c);\n",
                  "ID", o->variants[v].plan->id, NULL);
  emit_template(to, o, e, "static WORK *(*const OF_TYPE(works)[sizeof NAME(variants) / sizeof *NAME(variants)])(\n"
                        "    const NAME(configuration) *c) = {\n", NULL);
  for (int v = 0; v < o->nvariants; v++)
    if (variant_has_shortcut(o, o->variants[v].program))
      emit_template(to, o, e, "  [V_##ID] = NAME(ID)##_##TYPE##_work,\n", "ID", o->variants[v].plan->id, NULL);
  buffer_puts(to, "};\n");
}

void emit_ranges(Buffer *to, const Output *o) {
  const bool cpu = output_is_for_cpu(o);
  const char **types = arena_many(to->arena, const char *, o->ntypes);
  for (int i = 0; i < o->ntypes; i++) types[i] = o->types[i]->name;
  paste_template(to, o, NULL, library_ranges, "RANGE", "1", NULL);
  range_targets(to, o);
  buffer_puts(to, "\n");
  OutputTiles tiles;
  const Ranged ranged = {.spectrum = o->name, .types = types, .ntypes = o->ntypes,
                         .of = cpu ? RANGES_OF_VARIANTS : RANGES_OF_FUNCTIONS, .by_shape = output_by_shape(o),
                         .conditions = output_conditions(o) != 0,
                         .turns = output_tiles(to->arena, o, &tiles), .members = output_members(to->arena, o)};
  table_print_ranges(to, &ranged, &o->table);
  const bool shapes = output_by_shape(o), conditions = output_conditions(o) != 0;
  paste_template(to, o, NULL, library_ranges, "IN_USE", "1", "MOST",
                 shapes && conditions ? "1024" : shapes || conditions ? "512" : "96", NULL);
  for (int i = 0; i < o->ntypes; i++) paste_template(to, o, o->types[i], library_ranges, "TYPE_IN_USE", "1", NULL);
  paste_template(to, o, NULL, library_ranges, "RANGE_OF", "1", NULL);
  for (int i = 0; i < o->ntypes && cpu; i++) {
    if (output_has_shortcuts(o)) shortcut_functions(to, o, o->types[i]);
    paste_template(to, o, o->types[i], library_ranges, "USE", "1", NULL);
  }
}
