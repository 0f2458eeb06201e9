/* sizes.h: sizes that follow from what parameters are declared to have: sums of other sizes, and of constants. */
#ifndef TGC_FRONT_SIZES_H
#define TGC_FRONT_SIZES_H

#include "ir/tree.h"

/* A sum of sizes of parameters, `times' each, and a number. A part's: its cut's, whose `of' is the cut. Not known: it
 * is something else. */
typedef struct SizeTerm { const Symbol *of; int dim; int64_t times; } SizeTerm;
enum { MOST_TERMS = 8 };
typedef struct Size { bool known; SizeTerm at[MOST_TERMS]; int n; int64_t plus; } Size;

Size size_constant(int64_t n);
Size size_once(const Symbol *of, int dim);
Size size_sum(Size x, const Size *y, int64_t times); /* x + times * y */
Size size_difference(const Size *x, const Size *y);
bool size_is_number(const Size *x);
bool size_is_same(const Size *x, const Size *y);
/* What `__shape' says, of sizes that are told by others. */
Size size_by_rule(const ShapeRule *r, const Size *first, const Size *addend);
Size size_of_parameter(const Symbol *s, int dim);
/* What an expression in the codelet's body is, whose variables are declared there. */
Size size_of(const Tree *body, const Tree *t);

#endif
