/* conditions.h: what rows of a table may ask of an output's calls beside their size. */
#ifndef TGC_EMIT_CONDITIONS_H
#define TGC_EMIT_CONDITIONS_H

#include "emit/emit.h"

/* What calls can tell: bits of table/conditions.h. */
unsigned output_conditions(const Output *o);

/* .. and a C expression of what a call is like, of those bits by name, for one of the output's types. */
const char *output_call_is_like(Arena *a, const Output *o, const ElementType *e);

#endif
