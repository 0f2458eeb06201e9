/* dispatch.h: the parts of NAME.cu, of a CPU NAME.c or NAME.cc (dispatch.c), in the order in which they stand there. */
#ifndef TGC_EMIT_DISPATCH_H
#define TGC_EMIT_DISPATCH_H

#include "emit/emit.h"

/* The ranges of sizes or shapes that are compiled in, those in use, and what finds a call's (ranges.c). */
void emit_ranges(Buffer *to, const Output *o);

/* NAME_load_table, and what the environment says before the first call (tables.c). */
void emit_load_table(Buffer *to, const Output *o);
void emit_environment(Buffer *to, const Output *o);

/* What users call, for one of the output's types (calls.c). */
void emit_calls(Buffer *to, const Output *o, const ElementType *e);

#endif
