/* native.h: functions of a codelet file whose bodies are the C compiler's: what intrinsics are used in.
 *
 *     #include <immintrin.h>
 *
 *     inline void row(long n, const float *x, float *y) { .. _mm512_storeu_ps(y, _mm512_loadu_ps(x)) .. }
 *
 * Codelets for certain machines (__env) call them with numbers and with addresses of elements. Generated text has them
 * as they are written. Of several of one name, each for another type of what its pointers point to, a codelet over T
 * calls the one for T; C has no such functions, so each is named for its type there: row_float. */
#ifndef TGC_IR_NATIVE_H
#define TGC_IR_NATIVE_H

#include "ir/tree.h"

typedef struct Natives Natives;

typedef struct Native {
  const char *name;
  const char *element;  /* what its first pointer points to, in C's words; NULL: it has none */
  const char *text;     /* all of it, without `static' and `inline' */
  unsigned name_at;     /* where its name is in that */
  bool by_element;      /* codelets over T call it, by the name of all that are called so */
  SourceRange where;    /* its name */
  const Natives *all;
} Native;

struct Natives {
  VEC(const char *) headers; /* each once */
  VEC(Native *) list;
};

/* The natives that the trees of a program call; NULL: they call none. */
const Natives *native_called(const Tree *t);

/* Is an element's address among what it is called with? */
bool native_takes_addresses(const Tree *call);

#endif
