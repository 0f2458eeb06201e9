/* configurations.c: a variant's tunables: the configurations that it is compiled for, as a macro that a table or a
 * build may replace, and the C struct by which a caller picks one. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

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

void emit_static_tunables(Buffer *to, const Program *p, void (*print)(Buffer *to, const ProgramConstant *c)) {
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
  emit_static_tunables(to, p, constant_name);
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

const ProgramConstant *variant_launch_tunable(const Program *p) {
  for (int i = 0; i < p->nconstants; i++)
    if (p->constants[i].at_launch) return &p->constants[i];
  return NULL;
}

void emit_impossible_sizes(Buffer *to, const Signature *s) {
  for (int i = 0; i < s->n; i++)
    if (s->at[i].kind == OPERAND_SIZE) buffer_printf(to, "%s < 0 || ", s->at[i].symbol->name);
}

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
      buffer_printf(to, "%s%s == %" PRId64 "%s", k ? " || " : " && (", name, c->among.at[k],
                    k + 1 < c->among.n ? "" : ")");
    buffer_printf(to, ", \"%s: ", name);
    constant_range(to, c);
    buffer_puts(to, "\");\n");
  }
}

void emit_configuration_rows(Buffer *to, const Program *p, const char *declared) {
  static const char *const members[] = {"threads", "loads", "blocks"};
  buffer_puts(to, "\n#define ROW(");
  emit_static_tunables(to, p, constant_macro);
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
