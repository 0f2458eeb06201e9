/* monoid.h: what the printers of a user's operator have in common (monoid.c, monoid_types.c, monoid_check.c). */
#ifndef TGC_EMIT_MONOID_H
#define TGC_EMIT_MONOID_H

#include "emit/emit.h"

/* A struct's name in C: "reduce_arg_max_State_float"; of no template "reduce_product2x2_Matrix_t", since functions are
 * named for it, too. */
const char *monoid_struct_name(Arena *a, const Monoid *m, const char *prefix, const Carrier *c, const char *type);
/* The structs that callers see, each once: of elements, of results, of states that are stored. How many there are. */
int monoid_structs(const Output *o, const MonoidType *t, const Carrier *structs[3]);
/* What it is called outside of the namespace `within'. */
const char *monoid_qualified(Arena *a, const Carrier *c, const char *within);
/* Before functions for both sides of a GPU's machine; a CPU has one. */
const char *monoid_qualifiers(const Output *o);

#endif
