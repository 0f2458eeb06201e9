/* variant.c: one variant's file: what it is, its tunables, its kernels, the host function that runs them.
 *
 * The file stands alone: it needs the CUDA toolkit, or a C compiler with OpenMP, and nothing of ours. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "emit/variant.h"

const char *output_source_name(const Output *o) {
  const char *slash = o->file->nparts ? NULL : strrchr(o->file->path, '/');
  return slash ? slash + 1 : o->file->path;
}

static void upper(Buffer *to, const char *s) {
  for (; *s; s++) buffer_printf(to, "%c", toupper((unsigned char)*s));
}

/* SUM_3FA9C1D2_CONFIGURATIONS: what the file is compiled for. */
void emit_configurations_macro(Buffer *to, const Program *p) {
  upper(to, p->name);
  buffer_puts(to, "_");
  upper(to, p->id);
  buffer_puts(to, "_CONFIGURATIONS");
}

/* ---- the head ---- */

static void codelet_lines(Buffer *to, const Output *o, const PlanNode *n, const Codelet **seen, int *nseen) {
  const Codelet *c = n->rule->codelet;
  bool known = !c;
  for (int i = 0; i < *nseen; i++) known |= seen[i] == c;
  if (!known) {
    seen[(*nseen)++] = c;
    int line = 0, column;
    if (c->where.file) source_position(c->where.file, c->where.begin, &line, &column);
    const char *path = c->where.file ? source_path(c->where.file, c->where.begin) : o->file->path;
    const char *slash = strrchr(path, '/');
    buffer_printf(to, "//   %-12s %s:%d\n", c->tag, slash ? slash + 1 : path, line);
  }
  for (int i = 0; i < n->nkids; i++) codelet_lines(to, o, n->kid[i], seen, nseen);
}

static void commented(Buffer *to, const char *text) {
  while (*text) {
    size_t n = strcspn(text, "\n");
    buffer_puts(to, "//   ");
    buffer_putn(to, text, n);
    buffer_puts(to, "\n");
    text += n + (text[n] == '\n');
  }
}

static void head(Buffer *to, const Output *o, const Variant *v) {
  const Plan *plan = v->plan;
  Buffer tree = buffer_new(to->arena);
  plan_print_tree(&tree, plan);
  buffer_printf(to, "// %s, variant %s", o->spectrum->name, plan->id);
  if (plan->letter) buffer_printf(to, " (%s)", plan->letter);
  buffer_printf(to, ": %s\n", plan->text);
  buffer_printf(to, "// Made by tgc from %s for %s; this text is yours.\n//\n", output_source_name(o),
                o->machine->name);
  buffer_printf(to, "// %s, %d kernel%s, determinism %s: %s\n", category_name(plan->category), plan->kernels,
                plan->kernels == 1 ? "" : "s", determinism_name(plan->determinism), plan->determinism_why);
  buffer_printf(to, "// %sbatch-invariant: %s\n//\n", plan->batch_invariant ? "" : "not ", plan->batch_invariant_why);
  commented(to, tree.text ? tree.text : "");
  buffer_puts(to, "//\n// codelets\n");
  const Codelet **seen = arena_many(to->arena, const Codelet *, 256);
  int nseen = 0;
  codelet_lines(to, o, plan->root, seen, &nseen);
}

/* ---- configurations ---- */

/* "512, 2": the tunables that are fixed when the text is compiled, each as `print' has it. */
void emit_compiled(Buffer *to, const Program *p, void (*print)(Buffer *to, const ProgramConstant *c)) {
  bool first = true;
  for (int i = 0; i < p->nconstants; i++) {
    if (p->constants[i].at_launch) continue;
    if (!first) buffer_puts(to, ", ");
    first = false;
    print(to, &p->constants[i]);
  }
}

void constant_value(Buffer *to, const ProgramConstant *c) { buffer_printf(to, "%" PRId64, c->value); }
void constant_name(Buffer *to, const ProgramConstant *c) { buffer_puts(to, c->symbol->name); }
void constant_macro(Buffer *to, const ProgramConstant *c) { upper(to, c->symbol->name); }
void constant_parameter(Buffer *to, const ProgramConstant *c) {
  buffer_printf(to, "%s %s", type_name(c->symbol->type), c->symbol->name);
}

void constant_range(Buffer *to, const ProgramConstant *c) {
  buffer_printf(to, "%s, ", c->what);
  program_print_range(to, c);
}

/* The type that a caller's configuration has, the same in every file of an output. */
void emit_configuration_type(Buffer *to, const char *name) {
  buffer_puts(to, "#ifndef ");
  upper(to, name);
  buffer_puts(to, "_CONFIGURATION\n#define ");
  upper(to, name);
  buffer_printf(to, "_CONFIGURATION\n"
                    "/* What a variant's tunables are set to; a member that is 0: the variant's own. */\n"
                    "typedef struct %s_configuration {\n  int threads, loads;\n  int64_t blocks;\n"
                    "} %s_configuration;\n#endif\n",
                name, name);
}

/* The list of configurations, which a table or a build may replace. */
void emit_configurations(Buffer *to, const Output *o, const Program *p) {
  int64_t own[2] = {0, 0};
  bool loads = false;
  for (int i = 0; i < p->nconstants; i++) {
    const ProgramConstant *c = &p->constants[i];
    bool is_loads = strcmp(c->symbol->name, "loads") == 0;
    if (!c->at_launch) own[is_loads] = c->value;
    loads |= is_loads;
  }
  buffer_puts(to, "\n// The configurations that are compiled, C(");
  emit_compiled(to, p, constant_name);
  buffer_puts(to, "); the first is the variant's own.\n");
  for (int i = 0; i < p->nconstants; i++) {
    if (p->constants[i].at_launch) continue;
    buffer_printf(to, "//   %s: ", p->constants[i].symbol->name);
    constant_range(to, &p->constants[i]);
    buffer_puts(to, "\n");
  }
  buffer_puts(to, "#ifndef ");
  emit_configurations_macro(to, p);
  buffer_puts(to, "\n#define ");
  emit_configurations_macro(to, p);
  buffer_puts(to, "(C)");
  table_print_configurations(to, &o->table, p->id, (int)own[0], (int)own[1], loads);
  buffer_puts(to, "\n#endif\n\n");
  emit_configuration_type(to, p->name);
}

const ProgramConstant *variant_bound_at_launch(const Program *p) {
  for (int i = 0; i < p->nconstants; i++)
    if (p->constants[i].at_launch) return &p->constants[i];
  return NULL;
}

/* n < 0 || rows < 0 .. */
void emit_impossible_sizes(Buffer *to, const Signature *s) {
  for (int i = 0; i < s->n; i++)
    if (s->at[i].kind == OPERAND_SIZE) buffer_printf(to, "%s < 0 || ", s->at[i].symbol->name);
}

/* What the workspace is an array of. */
const char *variant_partial_type(const Program *p) {
  return type_name(p->result == TYPE_VOID ? p->partial->type : p->result);
}

void emit_constant_checks(Buffer *to, const Program *p) {
  for (int i = 0; i < p->nconstants; i++) {
    const ProgramConstant *c = &p->constants[i];
    const char *name = c->symbol->name;
    if (c->at_launch) continue;
    buffer_printf(to, "  static_assert(%s >= %" PRId64, name, c->min);
    if (c->max > 0) buffer_printf(to, " && %s <= %" PRId64, name, c->max);
    if (c->multiple > 1) buffer_printf(to, " && %s %% %" PRId64 " == 0", name, c->multiple);
    for (int k = 0; k < c->among.n; k++)
      buffer_printf(to, "%s%s == %" PRId64 "%s", k ? " || " : " && (", name, c->among.at[k], k + 1 < c->among.n ? "" : ")");
    buffer_printf(to, ", \"%s: ", name);
    constant_range(to, c);
    buffer_puts(to, "\");\n");
  }
}

void emit_configuration_rows(Buffer *to, const Program *p, const char *declared) {
  static const char *const members[] = {"threads", "loads", "blocks"};
  buffer_puts(to, "\n#define ROW(");
  emit_compiled(to, p, constant_macro);
  buffer_puts(to, ") {");
  for (int m = 0; m < 3; m++) {
    if (m) buffer_puts(to, ", ");
    const ProgramConstant *found = program_constant(p, members[m]);
    if (!found) buffer_puts(to, "0");
    else if (found->at_launch) constant_value(to, found);
    else constant_macro(to, found);
  }
  buffer_printf(to, "},\n// Those that were compiled; zeros end them.\n"
                    "%sconst %s_configuration %s_%s_configurations[];\n"
                    "const %s_configuration %s_%s_configurations[] = {",
                declared, p->name, p->name, p->id, p->name, p->name, p->id);
  emit_configurations_macro(to, p);
  buffer_puts(to, "(ROW) {0, 0, 0}};\n#undef ROW\n");
}

void emit_variant(Buffer *to, const Output *o, const Variant *v) {
  head(to, o, v);
  if (o->machine->is_cpu) emit_c_text(to, o, v->program);
  else emit_cuda_text(to, o, v->program);
}
