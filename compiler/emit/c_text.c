/* c_text.c: a variant's file in C11: its kernels and the functions that run them, instantiated for each element type
 * and each unroll factor. C has no templates: the file includes itself, with other macros each time.
 *
 *     #ifndef TYPE                   common to all types; for each type: #define T float, TYPE float
 *                                    and the functions with external linkage
 *     #elif !defined loads           one type; for each unroll factor: #define loads 4
 *     #else                          one type and one factor: the kernels, and the functions that run them
 *     #endif */
#include <inttypes.h>
#include <string.h>

#include "emit/paste.h"
#include "emit/variant.h"

static const ProgramConstant *static_loads(const Program *p) {
  const ProgramConstant *c = program_constant(p, "loads");
  return c && !c->at_launch ? c : NULL;
}

/* ---- one type ---- */

/* The macros that instantiate the file for a type. */
enum { MOST_MACROS = 12 };
typedef struct Macro { const char *name, *value; } Macro;

static int type_macros(const Output *o, const Program *p, const ElementType *e, const TemplateTypes *t,
                     Macro out[MOST_MACROS]) {
  int n = 0;
  out[n++] = (Macro){"TYPE", e->name};
  if (p->monoid) out[n++] = (Macro){"M", output_monoid(o, e)->monoid};
  if (p->element == TYPE_STORED) out[n++] = (Macro){"E", t->element};
  out[n++] = (Macro){"T", p->generic ? t->state : type_name(p->element)};
  if (p->out && p->out->type == TYPE_FINAL) out[n++] = (Macro){"R", t->result};
  if (kernels_use(p, OP_EXCHANGE)) {
    Type type = p->generic ? e->type : TYPE_VOID;
    int bytes = type == TYPE_INT || type == TYPE_UINT || type == TYPE_FLOAT    ? 4
                : type == TYPE_LONG || type == TYPE_ULONG || type == TYPE_DOUBLE ? 8 : 0;
    out[n++] = (Macro){"EXCHANGE", bytes == 4 ? "EXCHANGE_4" : bytes == 8 ? "EXCHANGE_8" : "EXCHANGE_ANY"};
  }
  if (kernels_use(p, OP_LOAD_ROWS)) {
    Type type = p->generic && !p->monoid ? e->type : TYPE_VOID;
    bool four = type == TYPE_INT || type == TYPE_UINT || type == TYPE_FLOAT;
    out[n++] = (Macro){"LOAD_ROWS", four ? "LOAD_ROWS_4" : "LOAD_ROWS_ANY"};
  }
  if (kernels_use(p, OP_FUSED)) {
    Type type = p->generic ? e->type : TYPE_VOID;
    const char *how = type == TYPE_FLOAT ? "FUSED_FLOAT" : type == TYPE_DOUBLE ? "FUSED_DOUBLE" : "FUSED_NOT";
    out[n++] = (Macro){"FUSED", how};
  }
  if (program_uses_typed(p, OP_MIN, TYPE_ELEM) || program_uses_typed(p, OP_MAX, TYPE_ELEM))
    out[n++] = (Macro){"NONE(x)", e->type == TYPE_FLOAT || e->type == TYPE_DOUBLE ? "isnan(x)" : "false"};
  if (program_uses_typed(p, OP_LIMIT, TYPE_ELEM)) {
    out[n++] = (Macro){"LOWEST", c_limit(e->type, LIMIT_LOWEST)};
    out[n++] = (Macro){"HIGHEST", c_limit(e->type, LIMIT_HIGHEST)};
  }
  return n;
}

static void include_self(Buffer *to, const Output *o, const Program *p) {
  buffer_printf(to, "#include \"%s.%s\"\n", p->id, o->spectrum->monoid ? "cc" : "c");
}

static void launch_out_of_range(Buffer *to, const ProgramConstant *launch) {
  buffer_printf(to, "c->%s < 0", launch->symbol->name);
  if (launch->max > 0) buffer_printf(to, " || c->%s > %" PRId64, launch->symbol->name, launch->max);
}

/* For NAME.c's shortcuts: returns a configuration's function without checks. */
static void shortcut(Buffer *to, const Output *o, const Program *p, const ElementType *e) {
  const ProgramConstant *launch = variant_launch_tunable(p), *loads = static_loads(p);
  buffer_puts(to, "\n");
  emit_work_type(to, o, e);
  buffer_printf(to, "// The work alone, in a configuration that was compiled; else NULL.\n"
                    "%1$s_%2$s_work *%1$s_%3$s_%2$s_work(const %1$s_configuration *c) {\n", p->name, e->name, p->id);
  if (program_constant(p, "threads")) buffer_puts(to, "  if (c->threads && c->threads != threads) return NULL;\n");
  if (launch) {
    buffer_puts(to, "  if (");
    launch_out_of_range(to, launch);
    buffer_puts(to, ") return NULL;\n");
  }
  if (!loads) {
    buffer_printf(to, "  return JOIN(alone, %s);\n}\n", e->name);
    return;
  }
  buffer_puts(to, "#define WORK(");
  emit_static_tunables(to, p, constant_macro);
  buffer_printf(to, ") if (c->loads == 0 || c->loads == LOADS) return JOIN3(alone, %s, LOADS);\n  ", e->name);
  emit_configurations_macro(to, p);
  buffer_puts(to, "(WORK)\n#undef WORK\n  return NULL;\n}\n");
}

static void entry_point(Buffer *to, const Output *o, const Program *p, const ElementType *e) {
  Arena *a = to->arena;
  const TemplateTypes t = output_template_types(a, o, p, e, "");
  Macro macros[MOST_MACROS];
  int n = type_macros(o, p, e, &t, macros);
  buffer_puts(to, "\n");
  for (int i = 0; i < n; i++) buffer_printf(to, "#define %s %s\n", macros[i].name, macros[i].value);
  include_self(to, o, p);
  for (int i = 0; i < n; i++) buffer_printf(to, "#undef %.*s\n", (int)strcspn(macros[i].name, "("), macros[i].name);
  buffer_printf(to, "\n%sint %s_%s_%s(", p->monoid ? "extern \"C\" " : "", p->name, p->id, e->name);
  emit_variant_signature(to, o, e);
  buffer_printf(to, ") {\n  return configured_%s(c, workspace, workspace_bytes, ", e->name);
  emit_cast_operands(to, o, p, e, "");
  buffer_puts(to, ");\n}\n");
  if (variant_has_shortcut(o, p)) shortcut(to, o, p, e);
}

static void host_parameters(Buffer *to, const Program *p) {
  buffer_puts(to, "void *workspace, size_t *workspace_bytes, ");
  emit_kernel_operands(to, &p->signature);
}

/* Dispatches a caller's configuration to the instance that was compiled for it. */
static void configured(Buffer *to, const Program *p) {
  const ProgramConstant *launch = variant_launch_tunable(p), *loads = static_loads(p);
  buffer_puts(to, "\n// The same in the configuration c; NULL: the variant's own.\nstatic int JOIN(configured, TYPE)(");
  buffer_printf(to, "const %s_configuration *c, ", p->name);
  host_parameters(to, p);
  buffer_printf(to, ") {\n  const %s_configuration own = {0, 0, 0};\n  if (c == NULL) c = &own;\n", p->name);
  if (program_constant(p, "threads")) buffer_puts(to, "  if (c->threads && c->threads != threads) return ENOTSUP;\n");
  if (launch) {
    const char *name = launch->symbol->name;
    buffer_puts(to, "  if (");
    launch_out_of_range(to, launch);
    buffer_puts(to, ") return ENOTSUP; // ");
    constant_range(to, launch);
    buffer_printf(to, "\n  const %s %s = c->%s ? c->%s : processors();\n", type_name(launch->symbol->type),
                  name, name, name);
  }
  const char *call = arena_printf(to->arena, "(%s%sworkspace, workspace_bytes, ", launch ? launch->symbol->name : "",
                                  launch ? ", " : "");
  if (!loads) {
    buffer_printf(to, "  return OF(run)%s", call);
    emit_operand_names(to, &p->signature);
    buffer_puts(to, ");\n}\n");
    return;
  }
  buffer_puts(to, "#define RUN(");
  emit_static_tunables(to, p, constant_macro);
  buffer_printf(to, ") if (c->loads == 0 || c->loads == LOADS) return JOIN3(run, TYPE, LOADS)%s", call);
  emit_operand_names(to, &p->signature);
  buffer_puts(to, ");\n  ");
  emit_configurations_macro(to, p);
  buffer_puts(to, "(RUN)\n#undef RUN\n  return ENOTSUP;\n}\n");
}

/* ---- one type, one unroll factor ---- */

/* Half of the range is left free: sizes are rounded up before they are divided, which must not overflow. */
static void sizes_out_of_range(Buffer *to, const Signature *s) {
  for (int i = 0; i < s->n; i++)
    if (s->at[i].kind == OPERAND_SIZE)
      buffer_printf(to, "%1$s < 0 || %1$s > PTRDIFF_MAX / 2 || ", s->at[i].symbol->name);
}

/* A variant without workspace: OF(work) runs it unchecked, OF(alone) is its entry point for shortcuts. */
static void unchecked_run(Buffer *to, const Output *o, const Program *p) {
  const ProgramConstant *launch = variant_launch_tunable(p);
  const Signature *s = &p->signature;
  buffer_puts(to, "\nstatic int OF(work)(");
  if (launch) buffer_printf(to, "%s %s, ", type_name(launch->symbol->type), launch->symbol->name);
  emit_kernel_operands(to, s);
  buffer_puts(to, ") {\n");
  c_statements(to, p->sizes, 1, p, o->line_directives);
  c_statements(to, p->launches, 1, p, o->line_directives);
  buffer_puts(to, "  return 0;\n}\n"
                  "\n// The same for who has checked what it is given.\n"
                  "static int OF(alone)(int64_t blocks");
  for (int i = 0; i < s->n; i++) {
    buffer_puts(to, ", ");
    emit_parameter(to, &s->at[i], s->at[i].kind == OPERAND_SIZE ? "uint64_t" : type_name(s->at[i].symbol->type));
  }
  buffer_puts(to, ") {\n");
  const char *type = launch ? type_name(launch->symbol->type) : NULL;
  if (launch) buffer_printf(to, "  return OF(work)(blocks ? (%s)blocks : processors(), ", type);
  else buffer_puts(to, "  (void)blocks;\n  return OF(work)(");
  for (int i = 0; i < s->n; i++) {
    buffer_puts(to, i ? ", " : "");
    emit_cast_operand(to, &s->at[i], "", "", "");
  }
  buffer_puts(to, ");\n}\n");
}

static void run(Buffer *to, const Output *o, const Program *p) {
  const ProgramConstant *launch = variant_launch_tunable(p);
  const bool alone = variant_has_shortcut(o, p);
  if (alone) unchecked_run(to, o, p);
  buffer_puts(to, "\n// With no workspace: says how many bytes one needs. With one: does the work.\nstatic int "
              "OF(run)(");
  if (launch) buffer_printf(to, "%s %s, ", type_name(launch->symbol->type), launch->symbol->name);
  host_parameters(to, p);
  buffer_puts(to, ") {\n");
  emit_constant_checks(to, p);
  buffer_puts(to, "  if (");
  sizes_out_of_range(to, &p->signature);
  buffer_puts(to, "workspace_bytes == NULL) return EINVAL;\n");
  if (!alone) c_statements(to, p->sizes, 1, p, o->line_directives);
  if (p->tickets) buffer_puts(to, "  const size_t need = first_word + words * sizeof(OF(Word));\n");
  else if (p->workspace_elements) {
    buffer_printf(to, "  const size_t need = %d", p->workspace_head);
    if (p->partial) {
      buffer_puts(to, " + (size_t)");
      c_expression(to, p->workspace_elements);
      buffer_printf(to, " * sizeof(%s)", variant_partial_type(p));
    }
    buffer_puts(to, ";\n");
  } else buffer_puts(to, "  const size_t need = 1; // none, but never zero\n");
  buffer_puts(to, "  if (workspace == NULL) {\n    *workspace_bytes = need;\n    return 0;\n  }\n"
                  "  if (*workspace_bytes < need) return EINVAL;\n");
  if (alone) {
    buffer_printf(to, "  return OF(work)(%s%s", launch ? launch->symbol->name : "", launch ? ", " : "");
    emit_operand_names(to, &p->signature);
    buffer_puts(to, ");\n}\n");
    return;
  }
  if (p->tickets) {
    buffer_printf(to, "  unsigned long long *%1$s = (unsigned long long *)workspace;\n  OF(clear)(%1$s, ",
                  p->tickets->name);
    c_expression(to, p->workspace_tiles);
    buffer_puts(to, ");\n");
  }
  if (p->partial)
    buffer_printf(to, "  %1$s *%2$s = (%1$s *)((char *)workspace + %3$d);\n", variant_partial_type(p),
                  p->partial->name, p->workspace_head);
  c_statements(to, p->launches, 1, p, o->line_directives);
  if (p->tickets) buffer_printf(to, "  %s[0] = 0;\n", p->tickets->name);
  buffer_puts(to, "  return 0;\n}\n");
}

static void kernels(Buffer *to, const Output *o, const Program *p) {
  for (int i = 0; i < p->nkernels; i++) {
    buffer_puts(to, i ? "\n" : "");
    c_kernel(to, p->kernels[i], p, o->line_directives);
  }
  run(to, o, p);
}

/* An unroll factor is instantiated only if a configuration in the list has it. */
static void include_each_unroll(Buffer *to, const Output *o, const Program *p, const ProgramConstant *loads) {
  for (int64_t n = 1; n <= loads->max; n *= 2) {
    buffer_puts(to, "#if 0 ");
    emit_configurations_macro(to, p);
    buffer_printf(to, "(HAS_%" PRId64 ")\n#define loads %" PRId64 "\n", n, n);
    include_self(to, o, p);
    buffer_puts(to, "#undef loads\n#endif\n");
  }
}

static void unroll_tests(Buffer *to, const Program *p, const ProgramConstant *loads) {
  for (int64_t n = 1; n <= loads->max; n *= 2) {
    buffer_printf(to, "#define HAS_%" PRId64 "(", n);
    emit_static_tunables(to, p, constant_macro);
    buffer_printf(to, ") || LOADS == %" PRId64 "\n", n);
  }
}

static void preamble(Buffer *to, const Output *o, const Program *p) {
  const ProgramConstant *loads = static_loads(p), *threads = program_constant(p, "threads");
  buffer_puts(to, "#include <assert.h>\n#include <errno.h>\n#include <limits.h>\n#include <math.h>\n"
                  "#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n");
  if (variant_launch_tunable(p)) buffer_puts(to, "#include <stdio.h>\n");
  buffer_puts(to, "#include <string.h>\n");
  paste(to, cpu_team, "OPENMP", "1", "TEAM", paste_if(p->tickets), NULL);
  buffer_puts(to, output_includes(to->arena, o));
  if (kernels_have_private_arrays(p) && !p->monoid) buffer_puts(to, "#include <stdalign.h>\n");
  paste(to, cpu_team, "REST", paste_if(p->tickets), NULL);
  if (p->monoid) buffer_puts(to, "#include <limits>\n#define restrict __restrict__ // C's word\n");
  paste(to, cpu_compilers, "COPYING", "1", "SINGLE_POINTER", paste_if(kernels_use_half_vectors(p)), NULL);
  emit_configurations(to, o, p);
  emit_monoid_structs(to, o);
  if (p->monoid) buffer_printf(to, "\nnamespace %s_%s {\n", p->name, p->id);
  buffer_puts(to, "\ntypedef long long Index; // sizes and positions\n");
  if (threads) buffer_printf(to, "enum { threads = %" PRId64 " }; // lanes of a vector\n", threads->value);
  emit_c_functions(to, o, p);
  buffer_puts(to, "\n// What follows is included for each type");
  buffer_puts(to, loads ? ", and for each number of vectors in flight that a configuration has:\n" : ":\n");
  buffer_puts(to, "// OF(name) is a function's name there.\n"
                  "#define JOIN_(x, y) x##_##y\n#define JOIN(x, y) JOIN_(x, y)\n");
  if (loads) buffer_puts(to, "#define JOIN3(x, y, z) JOIN(JOIN(x, y), z)\n#define OF(name) JOIN3(name, TYPE, loads)\n");
  else buffer_puts(to, "#define OF(name) JOIN(name, TYPE)\n");
  if (loads) unroll_tests(to, p, loads);
}

void emit_c_text(Buffer *to, const Output *o, const Program *p) {
  const ProgramConstant *loads = static_loads(p);
  buffer_puts(to, "#ifndef TYPE\n\n");
  preamble(to, o, p);
  for (int i = 0; i < o->ntypes; i++) entry_point(to, o, p, o->types[i]);
  emit_configuration_rows(to, p, p->monoid ? "extern \"C\" " : "extern ");
  if (p->monoid) buffer_printf(to, "\n} // namespace %s_%s\n", p->name, p->id);
  if (loads) {
    buffer_puts(to, "\n#elif !defined loads // one type\n\n");
    include_each_unroll(to, o, p, loads);
    configured(to, p);
    buffer_puts(to, "\n#else // one type, so many vectors in flight\n\n");
  } else buffer_puts(to, "\n#else // one type\n\n");
  emit_c_type_functions(to, p);
  kernels(to, o, p);
  if (!loads) configured(to, p);
  buffer_puts(to, "\n#endif\n");
}
