/* fresh.h: names for what a pass declares in a kernel. */
#ifndef TGC_PASSES_FRESH_H
#define TGC_PASSES_FRESH_H

#include "ir/program.h"

/* The symbols of a kernel's text, and the names that are taken there; all in `a'. */
typedef struct Fresh {
  Arena *a;
  VEC(const Symbol *) symbols;
  VEC(const char *) names;
} Fresh;

/* Those of k's parameters, of its body, and what the printer declares by itself. */
Fresh fresh_begin(Arena *a, const Kernel *k, const Tree *body);
/* `wanted', or that with a number behind it; it is taken from now on. */
const char *fresh_name(Fresh *f, const char *wanted);

typedef VEC(Symbol *) Symbols;
/* What a kernel's text has from the host: symbols that it does not declare, but for constants, as they come in it. */
Symbols fresh_used(Arena *a, const Tree *body);

#endif
