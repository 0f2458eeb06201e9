/* tables.c: ranges that are read at run time: from a table, or from what the environment says (runtime/library/tables.h). */
#include "emit/dispatch.h"
#include "emit/template.h"

/* A piece for each type. */
static void of_each(Buffer *to, const Output *o, const char *piece) {
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
  of_each(to, o, "USE_COMPILED_TYPE");
  paste_template(to, o, NULL, library_tables, "READ", "1", "TYPES", arena_printf(to->arena, "%d", o->ntypes), NULL);
  of_each(to, o, "ROW");
  paste_template(to, o, NULL, library_tables, "END_OF_ROWS", "1", NULL);
  of_each(to, o, "WHOLE");
  paste_template(to, o, NULL, library_tables, "LACKS", "1", NULL);
  of_each(to, o, "TAKE");
}

void emit_environment(Buffer *to, const Output *o) {
  paste_template(to, o, NULL, library_tables, "PIN", "1", NULL);
  of_each(to, o, "PIN_TYPE");
  paste_template(to, o, NULL, library_tables, "ONCE", "1", NULL);
  of_each(to, o, "ONCE_TYPE");
  paste_template(to, o, NULL, library_tables, "ASK", "1", NULL);
}
