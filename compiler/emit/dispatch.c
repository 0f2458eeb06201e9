/* dispatch.c: NAME.cu, of a CPU NAME.c or NAME.cc: which variant serves which size, by the ranges that are compiled in
 * or loaded at run time, and the functions that users call. */
#include <inttypes.h>
#include <limits.h>

#include "emit/emit.h"

#include <string.h>

const Variant *output_variant(const Output *o, const char *id) {
  for (int i = 0; i < o->nvariants; i++)
    if (strcmp(o->variants[i].plan->id, id) == 0) return &o->variants[i];
  return NULL;
}

int64_t output_number(const TableRow *r, const ProgramConstant *c) {
  const char *name = c->symbol->name;
  int64_t number = strcmp(name, "threads") == 0 ? r->threads : strcmp(name, "loads") == 0 ? r->loads : r->blocks;
  return number ? number : c->value;
}

/* Every variant's functions, declared. */
static void declarations(Buffer *to, const Output *o) {
  emit_worded(to, o, "$begin_c", NULL);
  for (int v = 0; v < o->nvariants; v++) {
    const char *id = o->variants[v].plan->id;
    emit_worded(to, o, "extern const $name_configuration $name_$id_configurations[];\n", "id", id, NULL);
    for (int i = 0; i < o->ntypes; i++) {
      emit_worded(to, o, "$error $name_$id_$type(", "id", id, "type", o->types[i]->name, NULL);
      emit_variant_signature(to, o, o->types[i]);
      buffer_puts(to, ");\n");
    }
  }
  emit_worded(to, o, "$end_c", NULL);
}

static void variants_table(Buffer *to, const Output *o) {
  const char *name = o->name;
  emit_worded(to, o, "\n$public_const $name_variant $name_variants[] = {\n", NULL);
  for (int v = 0; v < o->nvariants; v++) {
    const Plan *p = o->variants[v].plan;
    buffer_printf(to, "  {\"%s\", \"%s\", \"%s\", \"%s\", %s_%s_configurations", p->id, p->text,
                  category_name(p->category), determinism_name(p->determinism), name, p->id);
    for (int i = 0; i < o->ntypes; i++) buffer_printf(to, ", %s_%s_%s", name, p->id, o->types[i]->name);
    buffer_puts(to, "},\n");
  }
  emit_worded(to, o, "};\n$public_const int $name_variant_count = ", NULL);
  buffer_printf(to, "%d;\n", o->nvariants);
}

/* ---- ranges of sizes, or of shapes: of functions in CUDA, by templates; in C of variants ---- */

bool output_by_shape(const Output *o) {
  const PartsGiven parts = signature_parts(output_operands(o), o->spectrum);
  return parts.parts >= 0 || parts.elements >= 0;
}

/* The text where ranges are of shapes; else "". */
static const char *of_shapes(const Output *o, const char *text) { return output_by_shape(o) ? text : ""; }

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

/* The type of a range in the text, for one of the output's types; and what a range of it calls. */
static const char *range_type(Arena *a, const Output *o, const char *type) {
  return output_is_for_cpu(o) ? "Range" : arena_printf(a, "Range<%s_function>", type);
}

static const char *range_call(Arena *a, const Output *o, const char *type) {
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

/* Does a range say all that there is of sizes? */
static bool has_one_size(const Output *o) {
  const Signature *s = output_operands(o);
  int sizes = 0;
  for (int i = 0; i < s->n; i++) sizes += s->at[i].kind == OPERAND_SIZE;
  return sizes == 1;
}

bool output_works_alone(const Output *o, const Program *p) {
  const bool sized = has_one_size(o) || output_by_shape(o);
  return output_is_for_cpu(o) && sized && !p->monoid && !p->workspace_elements && !p->tickets;
}

void emit_work_type(Buffer *to, const Output *o, const ElementType *e) {
  buffer_printf(to, "typedef int %s_%s_work(int64_t blocks, ", o->name, e->name);
  emit_operands(to, o, e);
  buffer_puts(to, ");\n");
}

bool output_has_shortcuts(const Output *o) {
  bool any = false;
  for (int v = 0; v < o->nvariants; v++) any |= output_works_alone(o, o->variants[v].program);
  return any;
}

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

static void ranges(Buffer *to, const Output *o) {
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

/* ---- tables that are loaded ---- */

/* One row of a table into the ranges of its type. */
static const char finding[] =
"\n$private_const $name_variant *variant_of(const char *id) {\n"
"  for (int i = 0; i < $name_variant_count; i++)\n"
"    if ($std_strcmp($name_variants[i].id, id) == 0) return &$name_variants[i];\n"
"  return $null;\n"
"}\n"
"\n// Adds a range to those of its type; false where sizes do not ascend, or there are too many.\n";

static const char adding_functions[] =
"template <typename F> bool add_range(Range<F> *to, int *count, uint64_t up_to, $most_typedF run, "
"const $name_configuration &c) {\n"
"  if (*count == MOST_RANGES || (*count > 0 && $late)) return false;\n"
"  to[(*count)++] = {up_to, $filledrun, c};\n$grown"
"  return true;\n"
"}\n"
"\n// Does the function have that configuration?\n"
"template <typename F> bool compiled(F run, const $name_configuration &c) {\n"
"  size_t bytes = 0;\n"
"  return run(&c, nullptr, &bytes, $none, nullptr) == cudaSuccess;\n"
"}\n";

static const char adding_variants[] =
"static bool add_range(Range *to, int *count, uint64_t up_to, $most_typedconst $name_variant *v, "
"$name_configuration c) {\n"
"  if (*count == MOST_RANGES || (*count > 0 && $late)) return false;\n"
"  to[*count].up_to = up_to;\n$kept"
"  to[*count].variant = v;\n"
"  to[*count].c = c;\n"
"  ++*count;\n$grown"
"  return true;\n"
"}\n"
"\n// Does the variant have that configuration?\n";

static const char has_variant[] =
"static bool compiled_$type(const $name_variant *v, $name_configuration c) {\n"
"  size_t bytes = 0;\n"
"  return v->run_$type(&c, NULL, &bytes, $none) == 0;\n"
"}\n";

/* Of a range that is added: does it stand where it must not, behind the last one? */
static const char late_size[] = "to[*count - 1].up_to >= up_to";
static const char late_shape[] =
"(to[*count - 1].count == UINT64_MAX ? to[*count - 1].up_to >= up_to\n"
"                                                     : to[*count - 1].up_to != up_to || "
"to[*count - 1].count >= most)";

/* .. and the others of its size have one more. */
static const char one_more[] =
"  for (int i = *count - 1; i > 0 && to[i - 1].up_to == up_to; --i) ++to[i - 1].rows;\n";

static void adding(Buffer *to, const Output *o) {
  Buffer none = buffer_new(to->arena);
  emit_no_operands(&none, o);
  emit_worded(to, o, finding, NULL);
  emit_worded(to, o, output_is_for_cpu(o) ? adding_variants : adding_functions, "none", none.text,
              "most_typed", of_shapes(o, "uint64_t most, "), "most", of_shapes(o, "most, "),
              "filled", of_shapes(o, "most, 1, "), "grown", of_shapes(o, one_more),
              "kept", of_shapes(o, "  to[*count].count = most;\n  to[*count].rows = 1;\n"),
              "late", output_by_shape(o) ? late_shape : late_size, NULL);
  for (int i = 0; i < o->ntypes && output_is_for_cpu(o); i++)
    emit_worded(to, o, has_variant, "type", o->types[i]->name, "none", none.text, NULL);
}

static const char reading[] =
"\n// The rest of a line that is longer than its buffer.\n"
"$private_void skip_line($std_FILE *file) {\n"
"  for (int c; (c = $std_fgetc(file)) != EOF && c != '\\n';) {}\n"
"}\n"
"$end_own"
"\n// Reads `type up_to variant threads loads blocks' a line; # begins a comment.\n"
"$public_$error $name_load_table(const char *path) {\n"
"  $std_FILE *file = path ? $std_fopen(path, \"r\") : $null;\n"
"  if (file == $null)\n"
"    return $name_failed($invalid, \"cannot read the table `%.200s'\", path ? path : \"\");\n"
"  use_compiled_ranges();\n"
"  int count[$types] = {0};\n"
"  bool ok = true;\n"
"  int number = 0;\n"
"  char line[512];\n"
"  while (ok && $std_fgets(line, sizeof line, file) != $null) {\n"
"    ++number;\n"
"    if ($std_strchr(line, '\\n') == $null) skip_line(file);\n"
"    line[$std_strcspn(line, \"#\\n\")] = 0;\n"
"    char type[sizeof line], up_to[$room], id[32], more, *end = up_to;\n"
"    long long blocks = 0;\n"
"    $name_configuration c = {0, 0, 0};\n"
"    const int fields = $std_sscanf(line, \"%511s %$digitss %31s %d %d %lld %c\", type, up_to, id,\n"
"                                   &c.threads, &c.loads, &blocks, &more);\n"
"    if (fields <= 0) continue;\n"
"    c.blocks = blocks;\n"
"    const $name_variant *v = fields == 6 ? variant_of(id) : $null;\n";

static const char reading_size[] =
"    const bool any = $std_strcmp(up_to, \"inf\") == 0;\n"
"    const uint64_t n = any ? UINT64_MAX : $std_strtoull(up_to, &end, 10);\n"
"    ok = v != $null && (any || (up_to[0] >= '0' && up_to[0] <= '9' && *end == 0));\n";

/* "64", "inf", "16x4096", "infx8" */
static const char reading_shape[] =
"    const bool any = $std_strncmp(up_to, \"inf\", 3) == 0;\n"
"    const uint64_t n = any ? UINT64_MAX : $std_strtoull(up_to, &end, 10);\n"
"    if (any) end = up_to + 3;\n"
"    const bool counts = *end == 'x' && up_to[0] != '0' && end[1] >= '1' && end[1] <= '9';\n"
"    const uint64_t most = counts ? $std_strtoull(end + 1, &end, 10) : UINT64_MAX;\n"
"    ok = v != $null && (any || (up_to[0] >= '0' && up_to[0] <= '9')) && *end == 0 && counts == (most < UINT64_MAX);\n";

static const char read_all[] =
"  }\n  $std_fclose(file);\n"
"  if (!ok)\n"
"    return $name_failed($missing, \"line %d of the table `%.120s': \"\n"
"                     \"no row, or out of order, or a variant or configuration that is not here\", number, path);\n";

static const char lacks_last[] =
"  if (!ok)\n"
"    return $name_failed($missing, \"the table `%.120s' lacks a type's last row, inf\", path);\n";

/* Of each type: a row into its ranges; are they whole; take them in use. */
static const char row_of_function[] =
"    if (ok && std::strcmp(type, \"$type\") == 0) "
"ok = add_range($type_loaded, &count[$number], n, $mostv->run_$type, c) && compiled(v->run_$type, c);\n";
static const char row_of_variant[] =
"    if (ok && strcmp(type, \"$type\") == 0) "
"ok = add_range($type_loaded, &count[$number], n, $mostv, c) && compiled_$type(v, c);\n";
static const char whole[] =
"  ok = ok && (count[$number] == 0 || $type_loaded[count[$number] - 1].up_to == UINT64_MAX);\n";
static const char whole_shapes[] =
"  if (ok && count[$number] > 0)\n"
"    ok = $type_loaded[count[$number] - 1].up_to == UINT64_MAX && "
"$type_loaded[count[$number] - 1].count == UINT64_MAX;\n";
static const char taken[] = "  if (count[$number] > 0) $type_in_use = $type_loaded;\n";
static const char taken_in_c[] = "  if (count[$number] > 0) use_$type($type_loaded);\n";

/* A text of each type, which has a $number; $most and $all: of ranges of shapes, two arguments; $alone: the members of one
 * for all. */
static void of_each(Buffer *to, const Output *o, const char *text) {
  for (int i = 0; i < o->ntypes; i++)
    emit_worded(to, o, text, "type", o->types[i]->name, "number", arena_printf(to->arena, "%d", i),
                "most", of_shapes(o, "most, "), "all", of_shapes(o, "UINT64_MAX, "), "alone", of_shapes(o, "UINT64_MAX, 1, "),
                NULL);
}

static void load_table(Buffer *to, const Output *o) {
  adding(to, o);
  emit_worded(to, o, "\n$private_void use_compiled_ranges($no_parameters) {\n", NULL);
  for (int i = 0; i < o->ntypes; i++)
    buffer_printf(to, output_is_for_cpu(o) ? "  use_%s(%s_ranges);\n" : "  %s_in_use = %s_ranges;\n",
                  o->types[i]->name, o->types[i]->name);
  buffer_puts(to, "}\n");
  const bool by_shape = output_by_shape(o);
  emit_worded(to, o, reading, "types", arena_printf(to->arena, "%d", o->ntypes), "room", by_shape ? "48" : "32",
              "digits", by_shape ? "47" : "31", NULL);
  emit_worded(to, o, by_shape ? reading_shape : reading_size, NULL);
  of_each(to, o, output_is_for_cpu(o) ? row_of_variant : row_of_function);
  emit_worded(to, o, read_all, NULL);
  of_each(to, o, by_shape ? whole_shapes : whole);
  emit_worded(to, o, lacks_last, NULL);
  of_each(to, o, output_is_for_cpu(o) ? taken_in_c : taken);
  emit_worded(to, o, "  return $success;\n}\n", NULL);
}

/* ---- the environment: TGC_TABLE names a table; TGC_VARIANT=id[:threads[:loads[:blocks]]] has one variant serve all */

static const char pinning[] =
"\n$begin_own$private_$error read_environment($no_parameters) {\n"
"  const char *table = $std_getenv(\"TGC_TABLE\"), *pinned = $std_getenv(\"TGC_VARIANT\");\n"
"  if (table != $null && *table && !(pinned != $null && *pinned)) return $name_load_table(table);\n"
"  if (pinned == $null || *pinned == 0) return $success;\n"
"  char id[32] = \"\";\n"
"  int end[4] = {0, 0, 0, 0};\n"
"  long long blocks = 0;\n"
"  $name_configuration c = {0, 0, 0};\n"
"  const int fields = $std_sscanf(pinned, \"%31[^:]%n:%d%n:%d%n:%lld%n\", id, &end[0],\n"
"                                   &c.threads, &end[1], &c.loads, &end[2], &blocks, &end[3]);\n"
"  c.blocks = blocks;\n"
"  const $name_variant *v = fields >= 1 && pinned[end[fields - 1]] == 0 ? variant_of(id) : $null;\n"
"  if (v == $null) return $missing;\n";

static const char pin_function[] =
"  $type_loaded[0] = {UINT64_MAX, $alonev->run_$type, c};\n  $type_in_use = $type_loaded;\n";
static const char pin_variant[] =
"  count = 0;\n  add_range($type_loaded, &count, UINT64_MAX, $allv, c);\n  use_$type($type_loaded);\n";

static const char once_in_cuda[] = "  static const cudaError_t result = read_environment();\n  return result;\n";
static const char once_in_c[] =
"  static int known, result;\n"
"#pragma omp critical($name_environment)\n"
"  if (!known) {\n"
"    result = read_environment();\n"
"    known = 1;\n";

static const char all_in_use[] = "    use_$type($type_in_use);\n";

static const char may_begin_in_c[] =
"    if (result == 0) {\n"
"#pragma omp atomic write seq_cst\n"
"      may_begin = 1;\n"
"    }\n"
"  }\n"
"  return result;\n";

static const char has_begun[] =
"\nstatic inline bool has_begun(void) {\n"
"  int known;\n"
"#pragma omp atomic read seq_cst\n"
"  known = may_begin;\n"
"  return known;\n"
"}\n";

static const char asking[] =
"$private_$error in_environment(const char *who) {\n"
"  if (environment() == $success) return $success;\n"
"  const char *pinned = $std_getenv(\"TGC_VARIANT\");\n"
"  const char *which = pinned != $null && *pinned ? \"TGC_VARIANT\" : \"TGC_TABLE\";\n"
"  return $name_failed(environment(), \"%s: what %s names is not in this library\", who, which);\n}\n"
"$end_own";

static void environment(Buffer *to, const Output *o) {
  bool cpu = output_is_for_cpu(o);
  emit_worded(to, o, pinning, NULL);
  if (cpu) buffer_puts(to, "  int count;\n");
  of_each(to, o, cpu ? pin_variant : pin_function);
  emit_worded(to, o, "  return $success;\n}\n"
                     "\n$note// Read once, at the first call.\n"
                     "$private_$error environment($no_parameters) {\n",
              "note", cpu ? "// Has that been done, and is all that it names here?\nstatic int may_begin;\n\n" : "", NULL);
  emit_worded(to, o, cpu ? once_in_c : once_in_cuda, NULL);
  if (cpu) of_each(to, o, all_in_use);
  if (cpu) emit_worded(to, o, may_begin_in_c, NULL);
  buffer_puts(to, "}\n");
  if (cpu) buffer_puts(to, has_begun);
  emit_worded(to, o, asking, NULL);
}

/* ---- what users call ---- */

/* $function: its name; $operands: their names; $looked_at: what is looked at of them; $work: how much there is; $size:
 * what ranges are of: work; or work for each part, and how many parts there are. */
static const char sized[] =
") {\n"
"  $error error = $name_arguments(\"$function\", workspace, workspace_bytes, $looked_at);\n"
"  if (error == $success) error = in_environment(\"$function\");\n"
"  if (error != $success) return error;\n"
"  const $Range *r = range_of($type_in_use, $size);\n"
"  error = $call(&r->c, workspace, workspace_bytes, $operands$stream);\n"
"  if (error == $success) return error;\n"
"  size_t need = 0;\n"
"  if ($call(&r->c, $null, &need, $operands$stream) != $success) need = 0;\n"
"  return $name_refused(\"$function\", error, $work, workspace, *workspace_bytes, need);\n}\n";

/* Of a CPU. */
static const char sized_in_c[] =
") {\n"
"  int error = $name_arguments(\"$function\", workspace, workspace_bytes, $looked_at);\n"
"  if (error == 0 && !has_begun()) error = in_environment(\"$function\");\n"
"  if (error != 0) return error;\n"
"  const Range *r = range_of($type_in_use, $size);\n"
"  error = $call(&r->c, workspace, workspace_bytes, $operands);\n"
"  if (error == 0) return 0;\n"
"  size_t need = 0;\n"
"  if ($call(&r->c, NULL, &need, $operands) != 0) need = 0;\n"
"  return $name_refused(\"$function\", error, $work, workspace, *workspace_bytes, need);\n}\n";

/* .. where variants do their work alone. What a call of a few elements waits for is the way to it: a call that nothing
 * can be wrong with has the shortest one, and what any other needs is in a function of its own. */
static const char shortest_in_c[] =
") {\n"
"  if (has_begun() && !has_failed() && is_sound(workspace, workspace_bytes, $looked_at)) {\n"
"    const $type_shortcut *s = $type_shortcuts;\n$found"
"    if (s->work != NULL && *workspace_bytes > 0) return s->work(s->blocks, $operands);\n"
"  }\n"
"  return checked_$type(workspace, workspace_bytes, $operands);\n}\n";

static const char aside[] =
"\n// A call that something may be wrong with, that is the first one, or that has a failure to forget.\n"
"APART static int checked_$type(";

/* What is wrong with the pointers is found before memory is asked for: `ready' stands for a workspace. */
static const char pooled[] =
") {\n"
"  alignas(16) static char ready[16];\n"
"  void *workspace = nullptr;\n  size_t bytes = sizeof ready;\n"
"  cudaError_t error = $name_arguments(\"$function_async\", ready, &bytes, $looked_at);\n"
"  if (error == cudaSuccess) error = $function(nullptr, &bytes, $operands, stream);\n"
"  if (error != cudaSuccess) return error;\n"
"  error = cudaMallocAsync(&workspace, bytes, stream);\n"
"  if (error != cudaSuccess)\n"
"    return $name_failed(error, \"$function_async: %zu bytes of workspace: %s\", bytes, cudaGetErrorString(error));\n"
"  error = $name_workspace_init(workspace, bytes, stream);\n"
"  if (error == cudaSuccess) error = $function(workspace, &bytes, $operands, stream);\n"
"  const cudaError_t freed = cudaFreeAsync(workspace, stream);\n"
"  return error != cudaSuccess ? error : freed;\n}\n";

/* What ranges of shapes are of: how many elements each part has, or has on average, and how many parts there are. */
static const char *shape(Arena *a, const Output *o, const char *work) {
  const Signature *s = output_operands(o);
  const PartsGiven parts = signature_parts(s, o->spectrum);
  if (parts.parts < 0) {
    const char *each = s->at[parts.elements].symbol->name;
    return arena_printf(a, "%s, %s > 0 ? (%s) / %s + ((%s) %% %s > 0) : 0", each, each, work, each, work, each);
  }
  const char *many = s->at[parts.parts].symbol->name, *less = many;
  if (!parts.less) return arena_printf(a, "%s > 0 ? (%s) / %s : 0, %s", many, work, less, less);
  less = arena_printf(a, "(%s - %" PRId64 ")", many, parts.less);
  return arena_printf(a, "%s > %" PRId64 " ? (%s) / %s : 0, %s > %" PRId64 " ? %s : 0", many, parts.less, work, less,
                      many, parts.less, less);
}

/* The shortcut that serves a call: what its range says of sizes, or of shapes. Rows have as many elements as there are
 * columns, which need no division. */
static const char *shortcut(Arena *a, const Output *o, const char *size) {
  const Signature *s = output_operands(o);
  if (!output_by_shape(o)) return arena_printf(a, "    while (%s > s->up_to) ++s;\n", size);
  const PartsGiven parts = signature_parts(s, o->spectrum);
  const Operand *first = signature_first_array(s);
  for (int d = 0; first && first->size[1] >= 0 && d < 2; d++)
    if (first->size[d] == parts.parts && !parts.less)
      size = arena_printf(a, "%s, %s", s->at[first->size[!d]].symbol->name, s->at[parts.parts].symbol->name);
  return arena_printf(a, "    const uint64_t shape[] = {%s};\n"
                         "    while (shape[0] > s->up_to) s += s->rows;\n"
                         "    while (shape[1] > s->count) ++s; // the last of a size is for any\n", size);
}

/* The words of a function's text. */
typedef struct Entry { const char *function, *type, *operands, *looked_at, *work, *size, *range, *call, *found; } Entry;

static Entry entry_of(Arena *a, const Output *o, const ElementType *e) {
  const Signature *s = output_operands(o);
  Buffer operands = buffer_new(a), looked_at = buffer_new(a);
  emit_operand_names(&operands, s);
  emit_argument_checks(&looked_at, o, e);
  const char *work = output_work(a, s), *size = output_by_shape(o) ? shape(a, o, work) : work;
  return (Entry){.function = arena_printf(a, "%s_%s", o->name, e->name), .type = e->name, .operands = operands.text,
                 .looked_at = looked_at.text, .work = work, .size = size,
                 .range = range_type(a, o, e->name), .call = range_call(a, o, e->name),
                 .found = shortcut(a, o, size)};
}

static void entry_text(Buffer *to, const Output *o, const ElementType *e, const Entry *x, const char *begins,
                       const char *text) {
  emit_worded(to, o, begins, "function", x->function, "type", x->type, NULL);
  emit_signature(to, o, e);
  emit_worded(to, o, text, "function", x->function, "type", x->type, "operands", x->operands, "looked_at", x->looked_at,
              "work", x->work, "size", x->size, "Range", x->range, "call", x->call, "found", x->found, NULL);
}

static void entry(Buffer *to, const Output *o, const ElementType *e) {
  static const char begins[] = "\n$public_$error $function(";
  const Entry x = entry_of(to->arena, o, e);
  const bool cpu = output_is_for_cpu(o), shortest = output_has_shortcuts(o);
  if (shortest) entry_text(to, o, e, &x, aside, sized_in_c);
  entry_text(to, o, e, &x, begins, shortest ? shortest_in_c : cpu ? sized_in_c : sized);
  if (cpu) return;
  emit_worded(to, o, "\n$public_$error $function_async(", "function", x.function, NULL);
  emit_async_signature(to, o, e);
  emit_worded(to, o, pooled, "function", x.function, "operands", x.operands, "looked_at", x.looked_at, NULL);
}

int output_workspace_zero(const Output *o) {
  for (int i = 0; i < o->nvariants; i++)
    if (o->variants[i].program->words) return INT_MAX;
  return o->nvariants ? o->variants[0].program->workspace_head : 0;
}

/* What a workspace begins with, in words. */
static const char *workspace_words(const Output *o) {
  if (output_workspace_zero(o) == INT_MAX)
    return "A workspace has the number of the call, and places for tiles' totals that say of which call they are.";
  if (output_is_for_cpu(o)) return "Every call leaves at zero what a workspace starts with.";
  if (!arch_posts(o->machine)) return "A workspace starts with a counter of blocks, which every call leaves at zero.";
  return "A workspace starts with a counter of blocks and places for their results, which every call leaves at zero.";
}

static void workspace_init(Buffer *to, const Output *o) {
  const int head = output_workspace_zero(o);
  const char *bytes = "workspace_bytes";
  if (head < INT_MAX) bytes = arena_printf(to->arena, "%s < %d ? %s : %d", bytes, head, bytes, head);
  emit_worded(to, o, "\n// $words\n"
                     "$public_$error $name_workspace_init(void *workspace, size_t workspace_bytes$on_stream) {\n"
                     "  if (workspace == $null || workspace_bytes == 0)\n"
                     "    return $name_failed($invalid, \"$name_workspace_init: there is no workspace\");\n",
              "words", workspace_words(o), NULL);
  if (!output_is_for_cpu(o)) buffer_printf(to, "  return cudaMemsetAsync(workspace, 0, %s, stream);\n}\n", bytes);
  else buffer_printf(to, "  memset(workspace, 0, %s);\n  return 0;\n}\n", bytes);
}

/* .. and functions that compilers do not put into those that call them. */
static const char apart[] =
"#ifdef __GNUC__\n#define APART __attribute__((noinline))\n#else\n#define APART\n#endif\n\n";

static const char *included(const Output *o) {
  return output_is_for_cpu(o) ? "#include <errno.h>\n#include <stdarg.h>\n#include <stdbool.h>\n#include <stdio.h>\n"
                                "#include <stdlib.h>\n#include <string.h>\n\n"
                              : "#include <cstdarg>\n#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n\n";
}

void emit_dispatch(Buffer *to, const Output *o) {
  emit_worded(to, o, "// $name.$extension: which variant serves which size. Made by tgc from $source for $machine; "
                     "this text is yours.\n#include \"$name.h\"\n\n$included",
              "extension", output_extension(o), "source", output_source_name(o), "machine", o->machine->name,
              "included", included(o), NULL);
  if (output_is_for_cpu(o)) buffer_puts(to, apart);
  emit_error_declarations(to, o);
  declarations(to, o);
  variants_table(to, o);
  emit_errors(to, o);
  if (output_has_shortcuts(o)) emit_is_sound(to, o);
  ranges(to, o);
  load_table(to, o);
  environment(to, o);
  for (int i = 0; i < o->ntypes; i++) entry(to, o, o->types[i]);
  workspace_init(to, o);
}

void emit_table(Buffer *to, const Output *o) { table_print(to, &o->table); }
