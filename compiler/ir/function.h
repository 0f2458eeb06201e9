/* function.h: spectra of numbers alone, which codelets and views apply element by element.
 *
 *   template <typename T> __codelet T mul(T a, T b) { return a * b; } */
#ifndef TGC_IR_FUNCTION_H
#define TGC_IR_FUNCTION_H

#include "ir/tree.h"

/* Has the spectrum a codelet, and are all of its parameters numbers? */
bool function_is(const Spectrum *s);

/* Its value for these arguments, one a parameter and of the parameters' types: a new tree that shares them. A function
 * that mentions a parameter twice evaluates its argument twice, which has no side effects. */
Tree *function_apply(Arena *a, const Spectrum *function, Tree **arguments, int n);

#endif
