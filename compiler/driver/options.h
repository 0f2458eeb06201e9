/* options.h: what `tgc compile' was asked for, with its input files. command/command.h has the table. */
#ifndef TGC_DRIVER_OPTIONS_H
#define TGC_DRIVER_OPTIONS_H

#include "command/command.h"
#include "ir/element.h"
#include "support/diagnostics.h"

typedef struct Options {
#define OPTION(field, name, short_name, argument, older, what) const char *field; /* as in CompileArguments */
  COMPILE_OPTIONS(OPTION)
#undef OPTION
  const char *file;  /* the .cdl */
  const char **more; /* others that are read with it */
  int nmore;
} Options;

/* What was parsed, as options. NULL, or why it cannot be: a file given twice, a count that is none, an unknown pass or
 * type. */
const char *options_read(Arena *a, const CompileArguments *given, Options *o);

/* "float,half:double" -> elements; false with *why for an unknown, repeated or empty one, and for an accumulator that
 * cannot be. */
bool options_types(Arena *a, const char *list, const ElementType ***types, int *ntypes, const char **why);

#endif
