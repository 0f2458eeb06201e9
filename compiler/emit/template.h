/* template.h: text of a library, in each language and for each element type (template.c). */
#ifndef TGC_EMIT_TEMPLATE_H
#define TGC_EMIT_TEMPLATE_H

#include "emit/emit.h"
#include "emit/paste.h"

/* Text in which the language's words (language.c), NAME(x) and, where it is of an element type (`e', or NULL), TYPE,
 * OF_TYPE(x) and that type's functions are macros, besides those that are given: pairs of a macro and its value,
 * NULL behind the last. */
void emit_template(Buffer *to, const Output *o, const ElementType *e, const char *text, ...) __attribute__((sentinel));
/* The same of a file of runtime/library: its pieces are parameters, too. */
void paste_template(Buffer *to, const Output *o, const ElementType *e, const char *file, ...) __attribute__((sentinel));

#endif
