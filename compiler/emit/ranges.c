/* ranges.c: which variant serves which size: ranges of sizes, or of shapes; of functions in CUDA, by templates; in C of
 * variants. */
#include "emit/dispatch.h"

const char *of_shapes(const Output *o, const char *text) { return output_by_shape(o) ? text : ""; }

static const char rows_member[] = "  int rows; // of this size, from this one on\n";

static void ranges_of_functions(Buffer *to, const Output *o, const char *const *types) {
  emit_worded(to, o, "// Up to so many elements$each, that function in that configuration.\n"
                     "template <typename F> struct Range {\n"
                     "  uint64_t up_to$count;\n$rows  F run;\n  $name_configuration c;\n};\n",
              "each", of_shapes(o, " each, up to so many results"), "count", of_shapes(o, ", count"), "rows", of_shapes(o, rows_member), NULL);
  for (int i = 0; i < o->ntypes; i++)
    buffer_printf(to, "typedef decltype(%s_variant::run_%s) %s_function;\n", o->name, types[i], types[i]);
}

static void ranges_of_variants(Buffer *to, const Output *o) {
  emit_worded(to, o, "// Up to so many elements$each, that variant in that configuration.\n"
                     "typedef struct Range {\n"
                     "  uint64_t up_to$count;\n$rows  const $name_variant *variant;\n  $name_configuration c;\n} Range;\n\n"
                     "// The variants by their places in the table above.\nenum {",
              "each", of_shapes(o, " each, up to so many results"), "count", of_shapes(o, ", count"), "rows", of_shapes(o, rows_member), NULL);
  for (int v = 0; v < o->nvariants; v++)
    buffer_printf(to, "%sV_%s", !v ? " " : v % 8 ? ", " : ",\n       ", o->variants[v].plan->id);
  buffer_puts(to, " };\n");
}

const char *range_type(Arena *a, const Output *o, const char *type) {
  return output_is_for_cpu(o) ? "Range" : arena_printf(a, "Range<%s_function>", type);
}

const char *range_call(Arena *a, const Output *o, const char *type) {
  return output_is_for_cpu(o) ? arena_printf(a, "r->variant->run_%s", type) : "r->run";
}

static const char range_of_size[] =
"\n$generic_const $Range *range_of(const $Range *r, uint64_t n) {\n"
"  while (n > r->up_to) ++r;\n  return r;\n}\n";

static const char range_of_shape[] =
"\n$generic_const $Range *range_of(const $Range *r, uint64_t n, uint64_t count) {\n"
"  while (n > r->up_to) r += r->rows;\n"
"  while (count > r->count) ++r; // the last of a size is for any\n"
"  return r;\n}\n";

/* .. of all variants of a type, by their places. */
static void works_of(Buffer *to, const Output *o, const ElementType *e) {
  buffer_puts(to, "\n// What variants that need no workspace do apart from what they check, in a configuration.\n");
  emit_work_type(to, o, e);
  for (int v = 0; v < o->nvariants; v++)
    if (output_works_alone(o, o->variants[v].program))
      emit_worded(to, o, "$name_$type_work *$name_$id_$type_work(const $name_configuration *c);\n", "id",
                  o->variants[v].plan->id, "type", e->name, NULL);
  emit_worded(to, o, "static $name_$type_work *(*const $type_works[sizeof $name_variants / sizeof *$name_variants])(\n"
                     "    const $name_configuration *c) = {\n", "type", e->name, NULL);
  for (int v = 0; v < o->nvariants; v++)
    if (output_works_alone(o, o->variants[v].program))
      emit_worded(to, o, "  [V_$id] = $name_$id_$type_work,\n", "id", o->variants[v].plan->id, "type", e->name, NULL);
  buffer_puts(to, "};\n");
}

/* Of a CPU. What variants that need no workspace cannot refuse is told ahead of all calls. */
static const char used[] =
"\nstatic void use_$type(const Range *ranges) {\n"
"  $type_in_use = ranges;\n"
"}\n";
static const char used_alone[] =
"\n// .. which of them no call is refused by: the work alone, in so many parts; else NULL.\n"
"typedef struct $type_shortcut {\n"
"  uint64_t up_to$count;\n$rows"
"  $name_$type_work *work;\n"
"  int64_t blocks;\n"
"} $type_shortcut;\n"
"static $type_shortcut $type_shortcuts[MOST_RANGES];\n"
"static void use_$type(const Range *ranges) {\n"
"  $type_in_use = ranges;\n"
"  for (int i = 0; i < MOST_RANGES; i++) {\n"
"    const Range *r = ranges + i;\n"
"    $type_shortcut *s = $type_shortcuts + i;\n"
"    const bool alone = $type_works[r->variant - $name_variants] != NULL$limited;\n"
"    s->up_to = r->up_to;\n$kept"
"    s->work = alone ? $type_works[r->variant - $name_variants](&r->c) : NULL;\n"
"    s->blocks = r->c.blocks;\n"
"    if (r->up_to == UINT64_MAX$and_last) break;\n"
"  }\n"
"}\n";

static void taking_in_use(Buffer *to, const Output *o) {
  const bool shortcuts = output_has_shortcuts(o);
  for (int i = 0; i < o->ntypes; i++) {
    if (shortcuts) works_of(to, o, o->types[i]);
    emit_worded(to, o, shortcuts ? used_alone : used, "type", o->types[i]->name,
                "count", of_shapes(o, ", count"), "rows", of_shapes(o, rows_member),
                "kept", of_shapes(o, "    s->count = r->count;\n    s->rows = r->rows;\n"),
                "and_last", of_shapes(o, " && r->count == UINT64_MAX"),
                "limited", output_by_shape(o) ? "" : " && r->up_to <= INT64_MAX / 4", NULL);
  }
}

void emit_ranges(Buffer *to, const Output *o) {
  bool cpu = output_is_for_cpu(o);
  const char **types = arena_many(to->arena, const char *, o->ntypes);
  for (int i = 0; i < o->ntypes; i++) types[i] = o->types[i]->name;
  emit_worded(to, o, "\n$begin_own", NULL);
  if (cpu) ranges_of_variants(to, o);
  else ranges_of_functions(to, o, types);
  buffer_puts(to, "\n");
  table_print_ranges(to, o->name, types, o->ntypes, &o->table, cpu ? RANGES_OF_VARIANTS : RANGES_OF_FUNCTIONS,
                     output_by_shape(o));
  emit_worded(to, o, "\n// Those in use: the ranges above, or what was loaded at run time.\nenum { MOST_RANGES = $most };\n",
              "most", output_by_shape(o) ? "512" : "96", NULL);
  for (int i = 0; i < o->ntypes; i++)
    emit_worded(to, o, "$private_$Range $type_loaded[MOST_RANGES];\n"
                       "$private_const $Range *$type_in_use = $type_ranges;\n",
                "Range", range_type(to->arena, o, types[i]), "type", types[i], NULL);
  emit_worded(to, o, output_by_shape(o) ? range_of_shape : range_of_size,
              "generic_", cpu ? "static " : "template <typename F> ", "Range", cpu ? "Range" : "Range<F>", NULL);
  if (cpu) taking_in_use(to, o);
}
