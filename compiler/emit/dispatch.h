/* dispatch.h: the parts of NAME.cu, of a CPU NAME.c or NAME.cc (dispatch.c), in the order in which they stand there. */
#ifndef TGC_EMIT_DISPATCH_H
#define TGC_EMIT_DISPATCH_H

#include "emit/emit.h"

/* The ranges of sizes or shapes that are compiled in, those in use, and what finds a call's (ranges.c). */
void emit_ranges(Buffer *to, const Output *o);

/* NAME_load_table, and what the environment says before the first call (tables.c). */
void emit_load_table(Buffer *to, const Output *o);
void emit_environment(Buffer *to, const Output *o);

/* `--online' (online.c): its state, ahead of tables; the candidates of calls; what serves a call while selection is on;
 * the functions that users have. Nothing where the output does not select. */
void emit_online_classes(Buffer *to, const Output *o);
void emit_online_candidates(Buffer *to, const Output *o);
typedef struct SizedCall {
  const char *signature, *operands, *work, *size, *like; /* as runtime/library/calls.h has them */
} SizedCall;
void emit_online_call(Buffer *to, const Output *o, const ElementType *e, const SizedCall *call);
void emit_online_functions(Buffer *to, const Output *o);

/* What users call, for one of the output's types (calls.c). */
void emit_calls(Buffer *to, const Output *o, const ElementType *e);

#endif
