/* tables.c: ranges that replace the compiled ones at run time, from a file or the environment
 * (runtime/library/tables.h). */
#include "emit/dispatch.h"
#include "emit/template.h"

/* Pastes a piece once for each type. */
static void paste_for_each_type(Buffer *to, const Output *o, const char *piece) {
  for (int i = 0; i < o->ntypes; i++)
    paste_template(to, o, o->types[i], library_tables, piece, "1", "NUMBER", arena_printf(to->arena, "%d", i), NULL);
}

/* Pastes a piece that reads or makes configurations. */
static void paste_configured(Buffer *to, const Output *o, const char *piece, const char *types, const char *nothing) {
  const Tunables all = output_members(to->arena, o);
  Buffer names = buffer_new(to->arena), members = buffer_new(to->arena);
  for (int i = USUAL_TUNABLES; i < all.n; i++) {
    buffer_printf(&names, "%s\"%s\"", names.length ? ", " : "", all.at[i].name);
    buffer_printf(&members, "%s&c->%s", members.length ? ", " : "", all.at[i].name);
  }
  paste_template(to, o, NULL, library_tables, piece, "1", "TYPES", types, "NOTHING", nothing, "OTHERS",
                 paste_if(names.length > 0), "NAMES", names.text, "MEMBERS", members.text, "NO_CONFIGURATION",
                 output_no_configuration(to->arena, o), NULL);
}

void emit_load_table(Buffer *to, const Output *o) {
  Buffer nothing = buffer_new(to->arena);
  emit_null_operands(&nothing, o);
  const char *types = arena_printf(to->arena, "%d", o->ntypes);
  paste_configured(to, o, "FIND", types, nothing.text);
  for (int i = 0; i < o->ntypes; i++)
    paste_template(to, o, o->types[i], library_tables, "HAS", "1", "NOTHING", nothing.text, NULL);
  paste_template(to, o, NULL, library_tables, "USE_COMPILED", "1", NULL);
  paste_for_each_type(to, o, "USE_COMPILED_TYPE");
  paste_configured(to, o, "READ", types, nothing.text);
  paste_for_each_type(to, o, "ROW");
  paste_template(to, o, NULL, library_tables, "END_OF_ROWS", "1", NULL);
  paste_for_each_type(to, o, "WHOLE");
  paste_template(to, o, NULL, library_tables, "LACKS", "1", NULL);
  paste_for_each_type(to, o, "TAKE");
}

void emit_environment(Buffer *to, const Output *o) {
  paste_configured(to, o, "PIN", "", "");
  paste_for_each_type(to, o, "PIN_TYPE");
  paste_template(to, o, NULL, library_tables, "ONCE", "1", NULL);
  paste_for_each_type(to, o, "ONCE_TYPE");
  paste_template(to, o, NULL, library_tables, "ASK", "1", NULL);
}
