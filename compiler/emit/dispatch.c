/* dispatch.c: NAME.cu: which variant serves which size, by the ranges that are compiled in or loaded at run time, and
 * the functions that users call. */
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
  const char *name = o->name;
  buffer_puts(to, "extern \"C\" {\n");
  for (int v = 0; v < o->nvariants; v++) {
    buffer_printf(to, "extern const %s_configuration %s_%s_configurations[];\n", name, name, o->variants[v].plan->id);
    for (int i = 0; i < o->ntypes; i++) {
      buffer_printf(to, "cudaError_t %s_%s_%s(", name, o->variants[v].plan->id, o->types[i]->name);
      emit_variant_signature(to, o, o->types[i]);
      buffer_puts(to, ");\n");
    }
  }
  buffer_puts(to, "}\n");
}

static void variants_table(Buffer *to, const Output *o) {
  const char *name = o->name;
  buffer_printf(to, "\nextern \"C\" const %s_variant %s_variants[] = {\n", name, name);
  for (int v = 0; v < o->nvariants; v++) {
    const Plan *p = o->variants[v].plan;
    buffer_printf(to, "  {\"%s\", \"%s\", \"%s\", \"%s\", %s_%s_configurations", p->id, p->text,
                  category_name(p->category), determinism_name(p->determinism), name, p->id);
    for (int i = 0; i < o->ntypes; i++) buffer_printf(to, ", %s_%s_%s", name, p->id, o->types[i]->name);
    buffer_puts(to, "},\n");
  }
  buffer_printf(to, "};\nextern \"C\" const int %s_variant_count = %d;\n", name, o->nvariants);
}

/* ---- ranges of sizes ---- */

static void ranges(Buffer *to, const Output *o) {
  const char *name = o->name;
  buffer_printf(to, "\nnamespace {\n\n"
                    "// Up to so many elements, that function in that configuration.\n"
                    "template <typename F> struct Range {\n"
                    "  uint64_t up_to;\n  F run;\n  %s_configuration c;\n};\n", name);
  const char **types = arena_many(to->arena, const char *, o->ntypes);
  for (int i = 0; i < o->ntypes; i++) {
    types[i] = o->types[i]->name;
    buffer_printf(to, "typedef decltype(%s_variant::run_%s) %s_function;\n", name, types[i], types[i]);
  }
  buffer_puts(to, "\n");
  table_print_ranges(to, name, types, o->ntypes, &o->table);
  buffer_puts(to, "\n// Those in use: the ranges above, or what was loaded at run time.\nenum { MOST_RANGES = 96 };\n");
  for (int i = 0; i < o->ntypes; i++)
    buffer_printf(to, "Range<%s_function> %s_loaded[MOST_RANGES];\n"
                      "const Range<%s_function> *%s_in_use = %s_ranges;\n",
                  types[i], types[i], types[i], types[i], types[i]);
  buffer_puts(to, "\ntemplate <typename F> const Range<F> *range_of(const Range<F> *r, uint64_t n) {\n"
                  "  while (n > r->up_to) ++r;\n  return r;\n}\n");
}

/* One row of a table into the ranges of its type. %s: the output's name, each time; last, no operands. */
static const char loading[] =
"\nconst %s_variant *variant_of(const char *id) {\n"
"  for (int i = 0; i < %s_variant_count; i++)\n"
"    if (std::strcmp(%s_variants[i].id, id) == 0) return &%s_variants[i];\n"
"  return nullptr;\n"
"}\n"
"\n// Adds a range to those of its type; false where sizes do not ascend, or there are too many.\n"
"template <typename F> bool add_range(Range<F> *to, int *count, uint64_t up_to, F run, const %s_configuration &c) {\n"
"  if (*count == MOST_RANGES || (*count > 0 && to[*count - 1].up_to >= up_to)) return false;\n"
"  to[(*count)++] = {up_to, run, c};\n"
"  return true;\n"
"}\n"
"\n// Does the function have that configuration?\n"
"template <typename F> bool compiled(F run, const %s_configuration &c) {\n"
"  size_t bytes = 0;\n"
"  return run(&c, nullptr, &bytes, %s, nullptr) == cudaSuccess;\n"
"}\n";

static void load_table(Buffer *to, const Output *o) {
  const char *name = o->name;
  Buffer nothing = buffer_new(to->arena);
  emit_no_operands(&nothing, output_operands(o));
  buffer_printf(to, loading, name, name, name, name, name, name, nothing.text);
  buffer_puts(to, "\nvoid use_compiled_ranges() {\n");
  for (int i = 0; i < o->ntypes; i++)
    buffer_printf(to, "  %s_in_use = %s_ranges;\n", o->types[i]->name, o->types[i]->name);
  buffer_puts(to, "}\n");
  buffer_printf(to, "\n// The rest of a line that is longer than its buffer.\n"
                    "void skip_line(std::FILE *file) {\n"
                    "  for (int c; (c = std::fgetc(file)) != EOF && c != '\\n';) {}\n"
                    "}\n"
                    "\n} // namespace\n"
                    "\n// Reads `type up_to variant threads loads blocks' a line; # begins a comment.\n"
                    "extern \"C\" cudaError_t %s_load_table(const char *path) {\n"
                    "  std::FILE *file = path ? std::fopen(path, \"r\") : nullptr;\n"
                    "  if (file == nullptr)\n"
                    "    return %s_failed(cudaErrorInvalidValue, \"cannot read the table `%%.200s'\", "
                    "path ? path : \"\");\n"
                    "  use_compiled_ranges();\n"
                    "  int count[%d] = {0};\n"
                    "  bool ok = true;\n"
                    "  int number = 0;\n"
                    "  char line[512];\n"
                    "  while (ok && std::fgets(line, sizeof line, file) != nullptr) {\n"
                    "    ++number;\n"
                    "    if (std::strchr(line, '\\n') == nullptr) skip_line(file);\n"
                    "    line[std::strcspn(line, \"#\\n\")] = 0;\n"
                    "    char type[sizeof line], up_to[32], id[32], more, *end = up_to;\n"
                    "    long long blocks = 0;\n"
                    "    %s_configuration c = {0, 0, 0};\n"
                    "    const int fields = std::sscanf(line, \"%%511s %%31s %%31s %%d %%d %%lld %%c\", "
                    "type, up_to, id,\n"
                    "                                   &c.threads, &c.loads, &blocks, &more);\n"
                    "    if (fields <= 0) continue;\n"
                    "    c.blocks = blocks;\n"
                    "    const %s_variant *v = fields == 6 ? variant_of(id) : nullptr;\n"
                    "    const bool any = std::strcmp(up_to, \"inf\") == 0;\n"
                    "    const uint64_t n = any ? UINT64_MAX : std::strtoull(up_to, &end, 10);\n"
                    "    ok = v != nullptr && (any || (up_to[0] >= '0' && up_to[0] <= '9' && *end == 0));\n",
                name, name, o->ntypes, name, name);
  for (int i = 0; i < o->ntypes; i++) {
    const char *t = o->types[i]->name;
    buffer_printf(to, "    if (ok && std::strcmp(type, \"%s\") == 0) "
                      "ok = add_range(%s_loaded, &count[%d], n, v->run_%s, c) && compiled(v->run_%s, c);\n",
                  t, t, i, t, t);
  }
  buffer_printf(to, "  }\n  std::fclose(file);\n"
                    "  if (!ok)\n"
                    "    return %s_failed(cudaErrorInvalidConfiguration, \"line %%d of the table `%%.120s': \"\n"
                    "                     \"no row, or out of order, or a variant or configuration that is not here\", "
                    "number, path);\n", name);
  for (int i = 0; i < o->ntypes; i++)
    buffer_printf(to, "  ok = ok && (count[%d] == 0 || %s_loaded[count[%d] - 1].up_to == UINT64_MAX);\n",
                  i, o->types[i]->name, i);
  buffer_printf(to, "  if (!ok)\n"
                    "    return %s_failed(cudaErrorInvalidConfiguration, "
                    "\"the table `%%.120s' lacks a type's last row, inf\", path);\n", name);
  for (int i = 0; i < o->ntypes; i++)
    buffer_printf(to, "  if (count[%d] > 0) %s_in_use = %s_loaded;\n", i, o->types[i]->name, o->types[i]->name);
  buffer_puts(to, "  return cudaSuccess;\n}\n");
}

/* TGC_TABLE names a table; TGC_VARIANT=id[:threads[:loads[:blocks]]] has one variant serve all. */
static void environment(Buffer *to, const Output *o) {
  const char *name = o->name;
  buffer_printf(to, "\nnamespace {\n\n"
                    "cudaError_t read_environment() {\n"
                    "  const char *table = std::getenv(\"TGC_TABLE\"), *pinned = std::getenv(\"TGC_VARIANT\");\n"
                    "  if (table != nullptr && *table && !(pinned != nullptr && *pinned)) "
                    "return %s_load_table(table);\n"
                    "  if (pinned == nullptr || *pinned == 0) return cudaSuccess;\n"
                    "  char id[32] = \"\";\n"
                    "  int end[4] = {0, 0, 0, 0};\n"
                    "  long long blocks = 0;\n"
                    "  %s_configuration c = {0, 0, 0};\n"
                    "  const int fields = std::sscanf(pinned, \"%%31[^:]%%n:%%d%%n:%%d%%n:%%lld%%n\", id, &end[0],\n"
                    "                                   &c.threads, &end[1], &c.loads, &end[2], &blocks, &end[3]);\n"
                    "  c.blocks = blocks;\n"
                    "  const %s_variant *v = fields >= 1 && pinned[end[fields - 1]] == 0 ? variant_of(id) : nullptr;\n"
                    "  if (v == nullptr) return cudaErrorInvalidConfiguration;\n", name, name, name);
  for (int i = 0; i < o->ntypes; i++) {
    const char *t = o->types[i]->name;
    buffer_printf(to, "  %s_loaded[0] = {UINT64_MAX, v->run_%s, c};\n  %s_in_use = %s_loaded;\n", t, t, t, t);
  }
  buffer_puts(to, "  return cudaSuccess;\n}\n"
                  "\n// Read once, at the first call.\n"
                  "cudaError_t environment() {\n"
                  "  static const cudaError_t result = read_environment();\n"
                  "  return result;\n}\n"
                  "cudaError_t in_environment(const char *who) {\n"
                  "  if (environment() == cudaSuccess) return cudaSuccess;\n"
                  "  const char *pinned = std::getenv(\"TGC_VARIANT\");\n"
                  "  const char *which = pinned != nullptr && *pinned ? \"TGC_VARIANT\" : \"TGC_TABLE\";\n");
  buffer_printf(to, "  return %s_failed(environment(), \"%%s: what %%s names is not in this library\", "
                    "who, which);\n}\n"
                    "\n} // namespace\n", name);
}

/* ---- what users call ---- */

/* %1$s: the function's name; %2$s: the type; %3$s: the output's name; %4$s: the operands' names; %5$s: how much work
 * there is; %6$s: what is looked at of them; %7$s: what ranges are of: work, or work for each part. */
static const char sized[] =
") {\n"
"  cudaError_t error = %3$s_arguments(\"%1$s\", workspace, workspace_bytes, %6$s);\n"
"  if (error == cudaSuccess) error = in_environment(\"%1$s\");\n"
"  if (error != cudaSuccess) return error;\n"
"  const Range<%2$s_function> *r = range_of(%2$s_in_use, %7$s);\n"
"  error = r->run(&r->c, workspace, workspace_bytes, %4$s, stream);\n"
"  if (error == cudaSuccess) return error;\n"
"  size_t need = 0;\n"
"  if (r->run(&r->c, nullptr, &need, %4$s, stream) != cudaSuccess) need = 0;\n"
"  return %3$s_refused(\"%1$s\", error, %5$s, workspace, *workspace_bytes, need);\n}\n";

/* %1$s: the function that takes a workspace; %2$s: the output's name; %3$s, %4$s: as above. What is wrong with the
 * pointers is found before memory is asked for: `ready' stands for a workspace. */
static const char pooled[] =
") {\n"
"  alignas(16) static char ready[16];\n"
"  void *workspace = nullptr;\n  size_t bytes = sizeof ready;\n"
"  cudaError_t error = %2$s_arguments(\"%1$s_async\", ready, &bytes, %4$s);\n"
"  if (error == cudaSuccess) error = %1$s(nullptr, &bytes, %3$s, stream);\n"
"  if (error != cudaSuccess) return error;\n"
"  error = cudaMallocAsync(&workspace, bytes, stream);\n"
"  if (error != cudaSuccess)\n"
"    return %2$s_failed(error, \"%1$s_async: %%zu bytes of workspace: %%s\", bytes, cudaGetErrorString(error));\n"
"  error = %2$s_workspace_init(workspace, bytes, stream);\n"
"  if (error == cudaSuccess) error = %1$s(workspace, &bytes, %3$s, stream);\n"
"  const cudaError_t freed = cudaFreeAsync(workspace, stream);\n"
"  return error != cudaSuccess ? error : freed;\n}\n";

static void entry(Buffer *to, const Output *o, const ElementType *e) {
  const Signature *s = output_operands(o);
  const char *function = arena_printf(to->arena, "%s_%s", o->name, e->name);
  Buffer names = buffer_new(to->arena), looked_at = buffer_new(to->arena);
  emit_operand_names(&names, s);
  emit_argument_checks(&looked_at, s);
  const char *work = output_work(to->arena, s), *size = work;
  const PartsGiven parts = signature_parts(s, o->spectrum);
  if (parts.elements >= 0) size = s->at[parts.elements].symbol->name;
  if (parts.parts >= 0) {
    const char *many = s->at[parts.parts].symbol->name, *less = many;
    if (parts.less) less = arena_printf(to->arena, "(%s - %" PRId64 ")", many, parts.less);
    size = arena_printf(to->arena, "%s > %" PRId64 " ? (%s) / %s : 0", many, parts.less, work, less);
  }
  buffer_printf(to, "\nextern \"C\" cudaError_t %s(", function);
  emit_signature(to, o, e);
  buffer_printf(to, sized, function, e->name, o->name, names.text, work, looked_at.text, size);
  buffer_printf(to, "\nextern \"C\" cudaError_t %s_async(", function);
  emit_async_signature(to, o, e);
  buffer_printf(to, pooled, function, o->name, names.text, looked_at.text);
}

int output_workspace_zero(const Output *o) {
  for (int i = 0; i < o->nvariants; i++)
    if (o->variants[i].program->words) return INT_MAX;
  return o->nvariants ? o->variants[0].program->workspace_head : 0;
}

static void workspace_init(Buffer *to, const Output *o) {
  const int head = output_workspace_zero(o);
  bool posts = arch_posts(o->machine);
  const char *starts = posts ? "a counter of blocks and places for their results" : "a counter of blocks";
  if (head < INT_MAX) buffer_printf(to, "\n// A workspace starts with %s, which every call leaves at zero.\n", starts);
  else
    buffer_puts(to, "\n// A workspace has the number of the call, and places for tiles' totals that say of which call they "
                    "are.\n");
  buffer_printf(to, "extern \"C\" cudaError_t %s_workspace_init("
                    "void *workspace, size_t workspace_bytes, cudaStream_t stream) {\n"
                    "  if (workspace == nullptr || workspace_bytes == 0)\n"
                    "    return %s_failed(cudaErrorInvalidValue, \"%s_workspace_init: there is no workspace\");\n",
                o->name, o->name, o->name);
  if (head < INT_MAX)
    buffer_printf(to, "  return cudaMemsetAsync(workspace, 0, workspace_bytes < %d ? workspace_bytes : %d, stream);\n"
                      "}\n", head, head);
  else buffer_puts(to, "  return cudaMemsetAsync(workspace, 0, workspace_bytes, stream);\n}\n");
}

void emit_dispatch(Buffer *to, const Output *o) {
  const char *name = o->name;
  buffer_printf(to, "// %s.cu: which variant serves which size. Made by tgc from %s for %s; this text is yours.\n"
                    "#include \"%s.h\"\n\n#include <cstdarg>\n#include <cstdio>\n#include <cstdlib>\n"
                    "#include <cstring>\n\n",
                name, output_source_name(o), o->machine->name, name);
  emit_error_declarations(to, o);
  declarations(to, o);
  variants_table(to, o);
  emit_errors(to, o);
  ranges(to, o);
  load_table(to, o);
  environment(to, o);
  for (int i = 0; i < o->ntypes; i++) entry(to, o, o->types[i]);
  workspace_init(to, o);
}

void emit_table(Buffer *to, const Output *o) { table_print(to, &o->table); }
