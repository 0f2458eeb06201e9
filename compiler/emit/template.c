/* template.c: a library's text, the same for all languages and element types but for some words and names. These are
 * macros, as in the files of runtime/library. */
#include "emit/template.h"

#include <stdarg.h>

#include "emit/conditions.h"
#include "emit/language.h"

static void define(Arena *a, Defines *to, const char *macro, const char *value) {
  const Define one = {macro, value};
  vec_push(a, to, one);
}

/* What tells how long the tiles of a range's results take. */
static void define_tiles(Arena *a, Defines *to, const Output *o, const OutputTiles *t) {
  Buffer sides = buffer_new(a), extents = buffer_new(a);
  for (int d = 0; d < t->rank; d++) {
    buffer_printf(&sides, "%s%s", d ? ", " : "", t->side[d]);
    buffer_printf(&extents, "%sc.%s", d ? ", " : "", t->member[d]);
  }
  buffer_printf(&sides, ", %s", t->inner ? t->inner : "UINT32_MAX");
  define(a, to, "RANK", arena_printf(a, "%d", t->rank));
  define(a, to, "SIDES_OF_CALL", sides.text);
  define(a, to, "EXTENTS", extents.text);
  define(a, to, "PANEL", t->panel ? arena_printf(a, "c.%s", t->panel) : "0");
  define(a, to, "ADDED", arena_printf(a, "%d", (int)o->machine->measured.product_added));
  define(a, to, "UNITS", arena_printf(a, "%d", (int)o->machine->units));
}

/* What finds a range: a size, or a shape, and what else a call is like. */
static void define_keys(Arena *a, Defines *to, const Output *o) {
  const unsigned conditions = output_conditions(o);
  const bool shapes = output_by_shape(o);
  define(a, to, "CONDITIONS", paste_if(conditions != 0));
  define(a, to, "ALIGNED", paste_if(conditions & ROWS_ALIGNED));
  define(a, to, "SIDES", paste_if(conditions & RESULTS_TALL));
  OutputTiles tiles;
  const bool turns = output_tiles(a, o, &tiles);
  define(a, to, "TURNS", paste_if(turns));
  if (turns) define_tiles(a, to, o, &tiles);
  define(a, to, "SKEW", arena_printf(a, "%d", CONDITION_SKEW));
  define(a, to, "KEYS",
         arena_printf(a, "uint64_t n%s%s", shapes ? ", uint64_t count" : "", conditions ? ", int like" : ""));
  define(a, to, "ROOM_PARAMETERS",
         arena_printf(a, "uint64_t up_to%s%s%s", shapes ? ", uint64_t most" : "", conditions ? ", int when" : "",
                      turns ? ", int turn" : ""));
  define(a, to, "ROOM", arena_printf(a, "n%s%s%s", shapes ? ", most" : "", conditions ? ", when" : "",
                                      turns ? ", turn" : ""));
  define(a, to, "ANY_ROOM", arena_printf(a, "UINT64_MAX%s%s%s", shapes ? ", UINT64_MAX" : "",
                                          conditions ? ", 0" : "", turns ? ", 0" : ""));
}

/* NAME(failed) is sum_failed; for the type float OF_TYPE(loaded) is float_loaded. */
static Defines defines_of(Arena *a, const Output *o, const ElementType *e) {
  Defines all = {0};
  language_define(a, &all, output_language(o));
  define(a, &all, "NAME(x)", arena_printf(a, "%s_##x", o->name));
  define(a, &all, "BY_SHAPE", paste_if(output_by_shape(o)));
  define_keys(a, &all, o);
  define(a, &all, "SHORTCUTS", paste_if(output_has_shortcuts(o)));
  define(a, &all, "ONLINE", paste_if(o->order != NULL));
  define(a, &all, "PARTIAL", paste_if(output_is_partial(o)));
  if (!e) return all;
  define(a, &all, "TYPE", e->name);
  define(a, &all, "OF_TYPE(x)", arena_printf(a, "%s_##x", e->name));
  define(a, &all, "RUN", arena_printf(a, "run_%s", e->name));
  define(a, &all, "USE_TYPE", arena_printf(a, "use_%s", e->name));
  define(a, &all, "COMPILED", arena_printf(a, "compiled_%s", e->name));
  define(a, &all, "CHECKED", arena_printf(a, "checked_%s", e->name));
  define(a, &all, "FUNCTION", arena_printf(a, "%s_%s", o->name, e->name));
  define(a, &all, "WORK", arena_printf(a, "%s_%s_work", o->name, e->name));
  return all;
}

static void expand(Buffer *to, const Output *o, const ElementType *e, const char *text, bool has_head, va_list given) {
  Arena *a = to->arena;
  Defines all = defines_of(a, o, e);
  for (const char *macro; (macro = va_arg(given, const char *)) != NULL;)
    define(a, &all, macro, va_arg(given, const char *));
  paste_with(to, text, has_head, &all);
}

void emit_template(Buffer *to, const Output *o, const ElementType *e, const char *text, ...) {
  va_list given;
  va_start(given, text);
  expand(to, o, e, text, false, given);
  va_end(given);
}

void paste_template(Buffer *to, const Output *o, const ElementType *e, const char *file, ...) {
  va_list given;
  va_start(given, file);
  expand(to, o, e, file, true, given);
  va_end(given);
}
