/* tables.c: ranges that replace the compiled ones at run time, from a file or the environment
 * (runtime/library/tables.h). */
#include "emit/dispatch.h"
#include "emit/template.h"

/* Pastes a piece once for each type. */
static void paste_for_each_type(Buffer *to, const Output *o, const char *piece) {
  for (int i = 0; i < o->ntypes; i++)
    paste_template(to, o, o->types[i], library_tables, piece, "1", "NUMBER", arena_printf(to->arena, "%d", i), NULL);
}

void emit_load_table(Buffer *to, const Output *o) {
  Buffer nothing = buffer_new(to->arena);
  emit_null_operands(&nothing, o);
  paste_template(to, o, NULL, library_tables, "FIND", "1", "NOTHING", nothing.text, NULL);
  for (int i = 0; i < o->ntypes; i++)
    paste_template(to, o, o->types[i], library_tables, "HAS", "1", "NOTHING", nothing.text, NULL);
  paste_template(to, o, NULL, library_tables, "USE_COMPILED", "1", NULL);
  paste_for_each_type(to, o, "USE_COMPILED_TYPE");
  paste_template(to, o, NULL, library_tables, "READ", "1", "TYPES", arena_printf(to->arena, "%d", o->ntypes), NULL);
  paste_for_each_type(to, o, "ROW");
  paste_template(to, o, NULL, library_tables, "END_OF_ROWS", "1", NULL);
  paste_for_each_type(to, o, "WHOLE");
  paste_template(to, o, NULL, library_tables, "LACKS", "1", NULL);
  paste_for_each_type(to, o, "TAKE");
}

void emit_environment(Buffer *to, const Output *o) {
  paste_template(to, o, NULL, library_tables, "PIN", "1", NULL);
  paste_for_each_type(to, o, "PIN_TYPE");
  paste_template(to, o, NULL, library_tables, "ONCE", "1", NULL);
  paste_for_each_type(to, o, "ONCE_TYPE");
  paste_template(to, o, NULL, library_tables, "ASK", "1", NULL);
}
