/* tables.c: ranges that are read at run time: from a table, or from what the environment says. */
#include "emit/dispatch.h"

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

void emit_load_table(Buffer *to, const Output *o) {
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

void emit_environment(Buffer *to, const Output *o) {
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
