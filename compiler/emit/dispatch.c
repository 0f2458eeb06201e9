/* dispatch.c: NAME.cu, for a CPU NAME.c or NAME.cc: dispatch by size to the variants, and the functions that users
 * call. */
#include <limits.h>
#include <string.h>

#include "emit/dispatch.h"
#include "emit/template.h"

static void declaration(Buffer *to, const Output *o, const Variant *v) {
  const char *id = v->plan->id;
  emit_template(to, o, NULL, "extern const NAME(configuration) NAME(ID)##_configurations[];\n", "ID", id, NULL);
  for (int i = 0; i < v->ntypes; i++) {
    emit_template(to, o, v->types[i], "ERROR NAME(ID)##_##TYPE(", "ID", id, NULL);
    emit_variant_signature(to, o, v->types[i]);
    buffer_puts(to, ");\n");
  }
}

/* Declarations of the variants' functions, of which there may be thousands: what a template takes goes after each. */
static void declarations(Buffer *to, const Output *o) {
  Arena *scratch = arena_new();
  buffer_puts(to, output_word(o, "BEGIN_C"));
  for (int v = 0; v < o->nvariants; v++) {
    Buffer one = buffer_new(scratch);
    declaration(&one, o, &o->variants[v]);
    buffer_putn(to, one.text, one.length);
    arena_reset(scratch);
  }
  buffer_puts(to, output_word(o, "END_C"));
  arena_free(scratch);
}

static void variants_table(Buffer *to, const Output *o) {
  const char *name = o->name;
  emit_template(to, o, NULL, "\nPUBLIC const NAME(variant) NAME(variants)[] = {\n", NULL);
  for (int v = 0; v < o->nvariants; v++) {
    const Variant *variant = &o->variants[v];
    const Plan *p = variant->plan;
    buffer_printf(to, "  {\"%s\", \"%s\", \"%s\", \"%s\", %s_%s_configurations", p->id, p->text,
                  category_name(p->category, output_is_for_cpu(o)), determinism_name(p->determinism), name, p->id);
    for (int i = 0; i < o->ntypes; i++)
      buffer_puts(to, variant_is_for(variant, o->types[i]->name)
                          ? arena_printf(to->arena, ", %s_%s_%s", name, p->id, o->types[i]->name)
                          : ", nullptr");
    buffer_puts(to, "},\n");
  }
  emit_template(to, o, NULL, "};\nPUBLIC const int NAME(variant_count) = ", NULL);
  buffer_printf(to, "%d;\n", o->nvariants);
}

/* A comment on the layout of a workspace's head. */
static const char *workspace_comment(const Output *o) {
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
  paste_template(to, o, NULL, library_calls, "READY", "1", "SAYS", workspace_comment(o), "BYTES", bytes, NULL);
}

static const char *includes(const Output *o) {
  if (o->order)
    return output_is_for_cpu(o) ? "#include <errno.h>\n#include <stdarg.h>\n#include <stdbool.h>\n#include <stdio.h>\n"
                                  "#include <stdlib.h>\n#include <string.h>\n#include <time.h>\n\n"
                                : "#include <errno.h>\n#include <time.h>\n\n#include <atomic>\n#include <cstdarg>\n"
                                  "#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n#include <mutex>\n\n";
  return output_is_for_cpu(o) ? "#include <errno.h>\n#include <stdarg.h>\n#include <stdbool.h>\n#include <stdio.h>\n"
                                "#include <stdlib.h>\n#include <string.h>\n\n"
                              : "#include <cstdarg>\n#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n\n";
}

/* What a library asks of a C library beyond C11: a clock that is not set. */
static const char *feature(const Output *o) {
  return o->order && output_is_for_cpu(o) ? "#ifndef _POSIX_C_SOURCE\n#define _POSIX_C_SOURCE 200809L\n#endif\n" : "";
}

void emit_dispatch(Buffer *to, const Output *o) {
  emit_template(to, o, NULL, "// OUTPUT.EXTENSION: which variant serves which size. Made by tgc from SOURCE for "
                "MACHINE; "
                     "this text is yours.\nFEATURE#include \"OUTPUT.h\"\n\nINCLUDED",
              "OUTPUT", o->name, "EXTENSION", output_extension(o), "SOURCE", output_source_name(o),
              "MACHINE", o->machine->name, "INCLUDED", includes(o), "FEATURE", feature(o), NULL);
  if (output_is_for_cpu(o)) paste_template(to, o, NULL, library_calls, "NOT_INLINED", "1", NULL);
  emit_error_declarations(to, o);
  declarations(to, o);
  variants_table(to, o);
  emit_errors(to, o);
  if (output_has_shortcuts(o)) emit_is_sound(to, o);
  emit_ranges(to, o);
  emit_online_classes(to, o);
  emit_load_table(to, o);
  emit_environment(to, o);
  emit_online_candidates(to, o);
  for (int i = 0; i < o->ntypes; i++) emit_calls(to, o, o->types[i]);
  workspace_init(to, o);
  emit_online_functions(to, o);
}

void emit_table(Buffer *to, const Output *o) { table_print(to, &o->table); }
