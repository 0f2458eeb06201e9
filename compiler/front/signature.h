/* signature.h: what codelets of one spectrum have in common, as text that can be compared. */
#ifndef TGC_FRONT_SIGNATURE_H
#define TGC_FRONT_SIGNATURE_H

#include <clang-c/Index.h>
#include <stdbool.h>

#include "support/arena.h"

/* `T (Array<1, T>)' of a template has its parameter's own name in it; all templates are compared under one. NULL: it
 * has none or too many parameters. `parameters': of the template; `element': the name of the last one, NULL: it has
 * none. */
const char *signature_text(Arena *a, CXCursor function, bool generic, int *parameters, const char **element);

/* Such a template's in the codelet's own words; `operators': it has an operator for a parameter, too. */
const char *signature_shown(Arena *a, const char *text, bool operators, const char *element);

#endif
