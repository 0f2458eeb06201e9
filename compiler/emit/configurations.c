/* configurations.c: a variant's tunables: the configurations that it is compiled for, as a macro that a table or a
 * build may replace, and the C struct by which a caller picks one. */
#include <ctype.h>
#include <inttypes.h>

#include "emit/variant.h"

static void upper(Buffer *to, const char *s) {
  for (; *s; s++) buffer_printf(to, "%c", toupper((unsigned char)*s));
}

/* SUM_3FA9C1D2_CONFIGURATIONS */
void emit_configurations_macro(Buffer *to, const Program *p) {
  upper(to, p->name);
  buffer_puts(to, "_");
  upper(to, p->id);
  buffer_puts(to, "_CONFIGURATIONS");
}

void emit_static_tunables(Buffer *to, const Program *p, void (*print)(Buffer *to, const Tunable *t)) {
  bool first = true;
  for (int i = 0; i < p->nconstants; i++) {
    if (p->constants[i].tunable.at_launch) continue;
    if (!first) buffer_puts(to, ", ");
    first = false;
    print(to, &p->constants[i].tunable);
  }
}

void tunable_default(Buffer *to, const Tunable *t) { buffer_printf(to, "%" PRId64, t->value); }
void tunable_name(Buffer *to, const Tunable *t) { buffer_puts(to, t->name); }
void tunable_macro(Buffer *to, const Tunable *t) { upper(to, t->name); }
void tunable_parameter(Buffer *to, const Tunable *t) { buffer_printf(to, "int %s", t->name); }

void tunable_meaning(Buffer *to, const Tunable *t) {
  buffer_printf(to, "%s, ", t->what);
  tunable_print_range(to, t);
}

Tunables variant_compiled(Arena *a, const Program *p) {
  Tunables all = {0};
  for (int i = 0; i < p->nconstants; i++) vec_push(a, &all, p->constants[i].tunable);
  return tunables_compiled(a, &all);
}

/* "  int threads, loads;\n  int64_t blocks;\n" */
static void members(Buffer *to, const Tunables *all) {
  for (int i = 0; i < all->n; i++) {
    const bool launch = all->at[i].at_launch, goes_on = i > 0 && all->at[i - 1].at_launch == launch;
    buffer_printf(to, "%s%s", goes_on ? ", " : launch ? "  int64_t " : "  int ", all->at[i].name);
    if (i + 1 == all->n || all->at[i + 1].at_launch != launch) buffer_puts(to, ";\n");
  }
}

void emit_configuration_type(Buffer *to, const Output *o) {
  const Tunables all = output_members(to->arena, o);
  buffer_puts(to, "#ifndef ");
  upper(to, o->name);
  buffer_puts(to, "_CONFIGURATION\n#define ");
  upper(to, o->name);
  buffer_printf(to, "_CONFIGURATION\n"
                    "/* What a variant's tunables are set to; a member that is 0: the variant's own. */\n"
                    "typedef struct %s_configuration {\n", o->name);
  members(to, &all);
  buffer_printf(to, "} %s_configuration;\n#endif\n", o->name);
}

void emit_configurations(Buffer *to, const Output *o, const Program *p) {
  const Tunables compiled = variant_compiled(to->arena, p);
  buffer_puts(to, "\n// The configurations that are compiled, C(");
  emit_static_tunables(to, p, tunable_name);
  buffer_puts(to, "); the first is the variant's own.\n");
  for (int i = 0; i < compiled.n; i++) {
    buffer_printf(to, "//   %s: ", compiled.at[i].name);
    tunable_meaning(to, &compiled.at[i]);
    buffer_puts(to, "\n");
  }
  buffer_puts(to, "#ifndef ");
  emit_configurations_macro(to, p);
  buffer_puts(to, "\n#define ");
  emit_configurations_macro(to, p);
  buffer_puts(to, "(C)");
  table_print_configurations(to, &o->table, p->id, &compiled);
  buffer_puts(to, "\n#endif\n\n");
  emit_configuration_type(to, o);
}

const ProgramConstant *variant_launch_tunable(const Program *p) {
  for (int i = 0; i < p->nconstants; i++)
    if (p->constants[i].tunable.at_launch) return &p->constants[i];
  return NULL;
}

void emit_impossible_sizes(Buffer *to, const Signature *s) {
  for (int i = 0; i < s->n; i++)
    if (s->at[i].kind == OPERAND_SIZE) buffer_printf(to, "%s < 0 || ", s->at[i].symbol->name);
}

/* The bytes of one of the workspace's arrays; but of the last one those to the next one. */
static void array_bytes(Buffer *to, const Program *p, int which, const char *cast, PrintExpression *expression) {
  const WorkspaceArray *x = &p->workspace.at[which];
  const bool last = which == p->workspace.n - 1, product = x->elements->op == OP_MUL || !x->elements->nkids;
  buffer_printf(to, "%s%s%s", last ? "" : "(", cast, product ? "" : "(");
  expression(to, x->elements);
  buffer_printf(to, "%s", product ? "" : ")");
  buffer_printf(to, " * sizeof(%s)%s", type_name(x->array->type), last ? "" : " + 15) / 16 * 16");
}

void variant_workspace_bytes(Buffer *to, const Program *p, const char *cast, PrintExpression *expression) {
  buffer_printf(to, "%d", p->workspace_head);
  for (int i = 0; i < p->workspace.n; i++) {
    buffer_puts(to, " + ");
    array_bytes(to, p, i, cast, expression);
  }
}

void variant_workspace_arrays(Buffer *to, const Program *p, PrintExpression *expression) {
  for (int i = 0; i < p->workspace.n; i++) {
    const Symbol *s = p->workspace.at[i].array;
    buffer_printf(to, "  %1$s *%2$s = (%1$s *)((char *)", type_name(s->type), s->name);
    if (!i) buffer_printf(to, "workspace + %d", p->workspace_head);
    else {
      buffer_printf(to, "%s + ", p->workspace.at[i - 1].array->name);
      array_bytes(to, p, i - 1, "(size_t)", expression);
    }
    buffer_puts(to, ");\n");
  }
}

void emit_constant_checks(Buffer *to, const Program *p) {
  for (int i = 0; i < p->nconstants; i++) {
    const Tunable *c = &p->constants[i].tunable;
    if (c->at_launch) continue;
    buffer_printf(to, "  static_assert(%s >= %" PRId64, c->name, c->min);
    if (c->max > 0) buffer_printf(to, " && %s <= %" PRId64, c->name, c->max);
    if (c->multiple > 1) buffer_printf(to, " && %s %% %" PRId64 " == 0", c->name, c->multiple);
    for (int k = 0; k < c->among.n; k++)
      buffer_printf(to, "%s%s == %" PRId64 "%s", k ? " || " : " && (", c->name, c->among.at[k],
                    k + 1 < c->among.n ? "" : ")");
    buffer_printf(to, ", \"%s: ", c->name);
    tunable_meaning(to, c);
    buffer_puts(to, "\");\n");
  }
}

/* What a row of the configurations has for a member. */
static void row_member(Buffer *to, const Program *p, const char *member) {
  const ProgramConstant *found = program_constant(p, member);
  if (!found) buffer_puts(to, "0");
  else if (found->tunable.at_launch) tunable_default(to, &found->tunable);
  else tunable_macro(to, &found->tunable);
}

void emit_configuration_rows(Buffer *to, const Output *o, const Program *p, const char *declared) {
  const Tunables all = output_members(to->arena, o);
  buffer_puts(to, "\n#define ROW(");
  emit_static_tunables(to, p, tunable_macro);
  buffer_puts(to, ") {");
  for (int m = 0; m < all.n; m++) {
    if (m) buffer_puts(to, ", ");
    row_member(to, p, all.at[m].name);
  }
  buffer_printf(to, "},\n// Those that were compiled; zeros end them.\n"
                    "%sconst %s_configuration %s_%s_configurations[];\n"
                    "const %s_configuration %s_%s_configurations[] = {",
                declared, p->name, p->name, p->id, p->name, p->name, p->id);
  emit_configurations_macro(to, p);
  buffer_printf(to, "(ROW) %s};\n#undef ROW\n", output_no_configuration(to->arena, o));
}
