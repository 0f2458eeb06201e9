/* c_text.c: a variant's file in C11: its kernels and the functions that run them, instantiated for each element type
 * and each value of the tunables that it is compiled for. C has no templates: the file includes itself, with other
 * macros each time.
 *
 *     #ifndef TYPE                   common to all types; for each type: #define T float, TYPE float
 *                                    and the functions with external linkage
 *     #elif !defined loads           one type; for each value of that tunable: #define loads 4
 *     #elif ..                       and so on, for each other tunable
 *     #else                          one type and one value of each: the kernels, and the functions that run them
 *     #endif */
#include <inttypes.h>
#include <string.h>

#include "emit/paste.h"
#include "emit/variant.h"

/* Tunables that the text is compiled for: with one value each (the lanes of a machine's vector), or with several. */
static Tunables with_values(Arena *a, const Program *p, bool several) {
  const Tunables all = variant_compiled(a, p);
  Tunables some = {0};
  for (int i = 0; i < all.n; i++)
    if ((all.at[i].max > all.at[i].min) == several) vec_push(a, &some, all.at[i]);
  return some;
}

/* The values that are instantiated: those that are listed, or powers of two; 0: no more. */
static int64_t next_value(const Tunable *t, int64_t before) {
  for (int i = 0; i < t->among.n; i++)
    if (t->among.at[i] > before && t->among.at[i] <= t->max) return t->among.at[i];
  if (t->among.n) return 0;
  const int64_t next = before ? 2 * before : 1;
  return next <= t->max ? next : 0;
}

/* JOIN3(run, TYPE, LOADS): a function's name in an instance, by macros that stand for the type and the values. */
static const char *instance_name(Arena *a, const Tunables *several, const char *function, const char *type,
                                 bool macros) {
  const char *name = several->n ? NULL : arena_printf(a, "JOIN(%s, %s)", function, type);
  for (int i = 0; i < several->n; i++) {
    Buffer value = buffer_new(a);
    (macros ? tunable_macro : tunable_name)(&value, &several->at[i]);
    name = name ? arena_printf(a, "JOIN(%s, %s)", name, value.text)
                : arena_printf(a, "JOIN3(%s, %s, %s)", function, type, value.text);
  }
  return name;
}

/* c->loads == 0 || c->loads == LOADS, of all. */
static void asked_for(Buffer *to, const Tunables *several) {
  for (int i = 0; i < several->n; i++) {
    const char *name = several->at[i].name, *open = several->n > 1 ? "(" : "", *close = several->n > 1 ? ")" : "";
    buffer_printf(to, "%s%sc->%s == 0 || c->%s == ", i ? " && " : "", open, name, name);
    tunable_macro(to, &several->at[i]);
    buffer_puts(to, close);
  }
}

/* A configuration asks for the one value that there is, or for none: else the function returns that. */
static void refuse_others(Buffer *to, const Program *p, const char *what) {
  const Tunables fixed = with_values(to->arena, p, false);
  for (int i = 0; i < fixed.n; i++)
    buffer_printf(to, "  if (c->%1$s && c->%1$s != %1$s) return %2$s;\n", fixed.at[i].name, what);
}

/* ---- one type ---- */

/* The macros that instantiate the file for a type. */
enum { MOST_MACROS = 13 };
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
    Type type = p->generic && !p->monoid ? e->type : TYPE_VOID;
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
  if (kernels_use_functions(p))
    out[n++] = (Macro){"REAL(name)", e->type == TYPE_FLOAT ? "name##f" : "name"};
  if (kernels_use(p, OP_ORDER_BITS)) out[n++] = (Macro){"ORDER_BITS", c_order_bits(e->type)};
  if (program_uses_typed(p, OP_MIN, TYPE_ELEM) || program_uses_typed(p, OP_MAX, TYPE_ELEM))
    out[n++] = (Macro){"NONE(x)", e->type == TYPE_FLOAT || e->type == TYPE_DOUBLE ? "isnan(x)" : "false"};
  if (program_uses_typed(p, OP_LIMIT, TYPE_ELEM)) {
    out[n++] = (Macro){"LOWEST", c_limit(e->type, LIMIT_LOWEST)};
    out[n++] = (Macro){"HIGHEST", c_limit(e->type, LIMIT_HIGHEST)};
  }
  return n;
}

static void include_self(Buffer *to, const Output *o, const Program *p) {
  buffer_printf(to, "#include \"%s.%s\"\n", p->id, output_language(o) == LANGUAGE_CPP ? "cc" : "c");
}

static void launch_out_of_range(Buffer *to, const ProgramConstant *launch) {
  const Tunable *t = &launch->tunable;
  buffer_printf(to, "c->%s < 0", t->name);
  if (t->max > 0) buffer_printf(to, " || c->%s > %" PRId64, t->name, t->max);
}

/* For NAME.c's shortcuts: returns a configuration's function without checks. */
static void shortcut(Buffer *to, const Output *o, const Program *p, const ElementType *e) {
  const ProgramConstant *launch = variant_launch_tunable(p);
  const Tunables several = with_values(to->arena, p, true);
  buffer_puts(to, "\n");
  emit_work_type(to, o, e);
  buffer_printf(to, "// The work alone, in a configuration that was compiled; else NULL.\n"
                    "%1$s_%2$s_work *%1$s_%3$s_%2$s_work(const %1$s_configuration *c) {\n", p->name, e->name, p->id);
  refuse_others(to, p, "NULL");
  if (launch) {
    buffer_puts(to, "  if (");
    launch_out_of_range(to, launch);
    buffer_puts(to, ") return NULL;\n");
  }
  const char *name = instance_name(to->arena, &several, "alone", e->name, true);
  if (!several.n) {
    buffer_printf(to, "  return %s;\n}\n", name);
    return;
  }
  buffer_puts(to, "#define WORK(");
  emit_static_tunables(to, p, tunable_macro);
  buffer_puts(to, ") if (");
  asked_for(to, &several);
  buffer_printf(to, ") return %s;\n  ", name);
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
  buffer_printf(to, "\n%sint %s_%s_%s(", program_is_cpp(p) ? "extern \"C\" " : "", p->name, p->id, e->name);
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
static void configured(Buffer *to, const Output *o, const Program *p) {
  const ProgramConstant *launch = variant_launch_tunable(p);
  const Tunables several = with_values(to->arena, p, true);
  buffer_puts(to, "\n// The same in the configuration c; NULL: the variant's own.\nstatic int JOIN(configured, TYPE)(");
  buffer_printf(to, "const %s_configuration *c, ", p->name);
  host_parameters(to, p);
  buffer_printf(to, ") {\n  const %s_configuration own = %s;\n  if (c == NULL) c = &own;\n", p->name,
                output_no_configuration(to->arena, o));
  refuse_others(to, p, "ENOTSUP");
  if (launch) {
    const char *name = launch->symbol->name;
    buffer_puts(to, "  if (");
    launch_out_of_range(to, launch);
    buffer_puts(to, ") return ENOTSUP; // ");
    tunable_meaning(to, &launch->tunable);
    buffer_printf(to, "\n  const %s %s = c->%s ? c->%s : processors();\n", type_name(launch->symbol->type),
                  name, name, name);
  }
  const char *call = arena_printf(to->arena, "(%s%sworkspace, workspace_bytes, ", launch ? launch->symbol->name : "",
                                  launch ? ", " : "");
  if (!several.n) {
    buffer_printf(to, "  return OF(run)%s", call);
    emit_operand_names(to, &p->signature);
    buffer_puts(to, ");\n}\n");
    return;
  }
  buffer_puts(to, "#define RUN(");
  emit_static_tunables(to, p, tunable_macro);
  buffer_puts(to, ") if (");
  asked_for(to, &several);
  buffer_printf(to, ") return %s%s", instance_name(to->arena, &several, "run", "TYPE", true), call);
  emit_operand_names(to, &p->signature);
  buffer_puts(to, ");\n  ");
  emit_configurations_macro(to, p);
  buffer_puts(to, "(RUN)\n#undef RUN\n  return ENOTSUP;\n}\n");
}

/* ---- one type, one value of each tunable ---- */

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
  c_statements(to, p->sizes, 1, p, o->line_folder);
  c_statements(to, p->launches, 1, p, o->line_folder);
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
  if (!alone) c_statements(to, p->sizes, 1, p, o->line_folder);
  if (p->tickets) buffer_puts(to, "  const size_t need = first_word + words * sizeof(OF(Word));\n");
  else if (p->needs_workspace) {
    buffer_puts(to, "  const size_t need = ");
    variant_workspace_bytes(to, p, "(size_t)", c_expression);
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
  variant_workspace_arrays(to, p, c_expression);
  c_statements(to, p->launches, 1, p, o->line_folder);
  if (p->tickets) buffer_printf(to, "  %s[0] = 0;\n", p->tickets->name);
  buffer_puts(to, "  return 0;\n}\n");
}

static void kernels(Buffer *to, const Output *o, const Program *p) {
  for (int i = 0; i < p->nkernels; i++) {
    buffer_puts(to, i ? "\n" : "");
    c_kernel(to, p->kernels[i], p, o->line_folder);
  }
  run(to, o, p);
}

/* The macro that tells whether a configuration has that value of the k-th tunable: HAS_4. */
static const char *test_name(Arena *a, const Tunables *several, int k, int64_t value) {
  Buffer name = buffer_new(a);
  if (k) tunable_macro(&name, &several->at[k]);
  return arena_printf(a, "HAS_%s%s%" PRId64, k ? name.text : "", k ? "_" : "", value);
}

/* A value is instantiated only if a configuration in the list has it: with the values of the tunables before it. */
static void include_each_value(Buffer *to, const Output *o, const Program *p, const Tunables *several, int k) {
  const char *name = several->at[k].name;
  for (int64_t n = 0; (n = next_value(&several->at[k], n)) != 0;) {
    buffer_puts(to, "#if 0 ");
    emit_configurations_macro(to, p);
    buffer_printf(to, "(%s)\n#define %s %" PRId64 "\n", test_name(to->arena, several, k, n), name, n);
    include_self(to, o, p);
    buffer_printf(to, "#undef %s\n#endif\n", name);
  }
}

static void value_tests(Buffer *to, const Program *p, const Tunables *several, int k) {
  for (int64_t n = 0; (n = next_value(&several->at[k], n)) != 0;) {
    buffer_printf(to, "#define %s(", test_name(to->arena, several, k, n));
    emit_static_tunables(to, p, tunable_macro);
    buffer_puts(to, k ? ") || (" : ") || ");
    for (int i = 0; i < k; i++) {
      tunable_macro(to, &several->at[i]);
      buffer_printf(to, " == %s && ", several->at[i].name);
    }
    tunable_macro(to, &several->at[k]);
    buffer_printf(to, " == %" PRId64 "%s\n", n, k ? ")" : "");
  }
}

/* "number of vectors in flight": what the text says of the values of tunables. */
static const char *values_of(Arena *a, const Tunables *several) {
  if (several->n == 1 && strcmp(several->at[0].name, "loads") == 0) return "number of vectors in flight";
  Buffer b = buffer_new(a);
  buffer_puts(&b, "value of ");
  tunables_print_names(&b, several, ", ");
  return b.text;
}

static void preamble(Buffer *to, const Output *o, const Program *p) {
  const Tunables fixed = with_values(to->arena, p, false), several = with_values(to->arena, p, true);
  buffer_puts(to, "#include <assert.h>\n#include <errno.h>\n#include <limits.h>\n#include <math.h>\n");
  if (kernels_use(p, OP_SEE_ANY) && !program_is_cpp(p)) buffer_puts(to, "#include <stdatomic.h>\n");
  buffer_puts(to, "#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n");
  if (variant_launch_tunable(p)) buffer_puts(to, "#include <stdio.h>\n");
  buffer_puts(to, "#include <string.h>\n");
  paste(to, cpu_team, "OPENMP", "1", "TEAM", paste_if(p->tickets), NULL);
  buffer_puts(to, output_includes(to->arena, o));
  const bool aligns = kernels_have_private_arrays(p) || kernels_are_handed_arrays(p);
  if (aligns && !program_is_cpp(p)) buffer_puts(to, "#include <stdalign.h>\n");
  paste(to, cpu_team, "REST", paste_if(p->tickets), NULL);
  if (program_is_cpp(p)) buffer_puts(to, "#include <limits>\n#define restrict __restrict__ // C's word\n");
  emit_native_headers(to, p);
  paste(to, cpu_compilers, "COPYING", "1", "NO_TRAPS", paste_if(c_has_lane_functions(o, p)), "SINGLE_POINTER",
        paste_if(kernels_use_half_vectors(p)), NULL);
  emit_configurations(to, o, p);
  emit_monoid_structs(to, o);
  if (program_is_cpp(p)) buffer_printf(to, "\nnamespace %s_%s {\n", p->name, p->id);
  buffer_puts(to, "\ntypedef long long Index; // sizes and positions\n");
  for (int i = 0; i < fixed.n; i++)
    buffer_printf(to, "enum { %s = %" PRId64 " }; // %s\n", fixed.at[i].name, fixed.at[i].value, fixed.at[i].what);
  emit_c_functions(to, o, p);
  emit_most_turns(to, p);
  emit_natives(to, o, p);
  buffer_puts(to, "\n// What follows is included for each type");
  if (several.n) buffer_printf(to, ", and for each %s that a configuration has", values_of(to->arena, &several));
  buffer_puts(to, ":\n// OF(name) is a function's name there.\n"
                  "#define JOIN_(x, y) x##_##y\n#define JOIN(x, y) JOIN_(x, y)\n");
  if (several.n) buffer_puts(to, "#define JOIN3(x, y, z) JOIN(JOIN(x, y), z)\n");
  buffer_printf(to, "#define OF(name) %s\n", instance_name(to->arena, &several, "name", "TYPE", false));
  for (int k = 0; k < several.n; k++) value_tests(to, p, &several, k);
}

void emit_c_text(Buffer *to, const Output *o, const Program *p) {
  const Tunables several = with_values(to->arena, p, true);
  buffer_puts(to, "#ifndef TYPE\n\n");
  preamble(to, o, p);
  for (int i = 0; i < o->ntypes; i++) entry_point(to, o, p, o->types[i]);
  emit_configuration_rows(to, o, p, program_is_cpp(p) ? "extern \"C\" " : "extern ");
  if (program_is_cpp(p)) buffer_printf(to, "\n} // namespace %s_%s\n", p->name, p->id);
  for (int k = 0; k < several.n; k++) {
    buffer_printf(to, "\n#elif !defined %s // one type\n\n", several.at[k].name);
    include_each_value(to, o, p, &several, k);
    if (k == 0) configured(to, o, p);
  }
  if (several.n == 1 && strcmp(several.at[0].name, "loads") == 0)
    buffer_puts(to, "\n#else // one type, so many vectors in flight\n\n");
  else buffer_puts(to, several.n ? "\n#else // one type, one value of each\n\n" : "\n#else // one type\n\n");
  emit_c_type_functions(to, p);
  kernels(to, o, p);
  if (!several.n) configured(to, o, p);
  buffer_puts(to, "\n#endif\n");
}
