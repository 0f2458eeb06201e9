/* manifest_calls.h: the C functions of a folder as the manifest describes them, for callers in other languages. */
#ifndef TGC_EMIT_MANIFEST_CALLS_H
#define TGC_EMIT_MANIFEST_CALLS_H

#include <jansson.h>

#include "emit/emit.h"

/* One object for each element type: the function, and the type of each of its operands, in their order. */
json_t *manifest_calls(Arena *a, const Output *o);

/* The structs among these types, with the layout that C gives them. NULL if there are none. */
json_t *manifest_structs(Arena *a, const Output *o);

/* What the functions of these codelets (ir/native.h) ask of a CPU, by their __env; NULL: nothing. */
json_t *manifest_features(const Codelet *const *codelets, int n, const Arch *m);

#endif
