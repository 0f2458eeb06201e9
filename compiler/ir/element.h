/* element.h: the element types that a user can ask for (--types), as a table.
 *
 * ELEMENT(name, C type, in kernels, bytes, sort, its Type, accumulated in): name is what the user writes and what
 * functions end in; in kernels is what generated text calls the type, where that is not C's name for it. A codelet's T
 * is the type that it accumulates in; other elements are lifted to it as they are loaded. Types that nothing is
 * accumulated in have no Type of their own. */
#ifndef TGC_IR_ELEMENT_H
#define TGC_IR_ELEMENT_H

#include "ir/tree.h"

#define ELEMENTS(ELEMENT)                                                                                             \
  ELEMENT("int8",     "signed char",        "signed char",        1,  SORT_SIGNED,   TYPE_COUNT,   TYPE_INT)     \
  ELEMENT("uint8",    "unsigned char",      "unsigned char",      1,  SORT_UNSIGNED, TYPE_COUNT,   TYPE_UINT)    \
  ELEMENT("int16",    "short",              "short",              2,  SORT_SIGNED,   TYPE_COUNT,   TYPE_INT)     \
  ELEMENT("uint16",   "unsigned short",     "unsigned short",     2,  SORT_UNSIGNED, TYPE_COUNT,   TYPE_UINT)    \
  ELEMENT("int",      "int",                "int",                4,  SORT_SIGNED,   TYPE_INT,     TYPE_INT)     \
  ELEMENT("uint",     "unsigned",           "unsigned",           4,  SORT_UNSIGNED, TYPE_UINT,    TYPE_UINT)    \
  ELEMENT("int64",    "long long",          "long long",          8,  SORT_SIGNED,   TYPE_LONG,    TYPE_LONG)    \
  ELEMENT("uint64",   "unsigned long long", "unsigned long long", 8,  SORT_UNSIGNED, TYPE_ULONG,   TYPE_ULONG)   \
  ELEMENT("half",     "__half",             "__half",             2,  SORT_REAL,     TYPE_COUNT,   TYPE_FLOAT)   \
  ELEMENT("half16",   "__half",             "half16",             2,  SORT_REAL,     TYPE_COUNT,   TYPE_FLOAT)   \
  ELEMENT("bfloat16", "__nv_bfloat16",      "__nv_bfloat16",      2,  SORT_REAL,     TYPE_COUNT,   TYPE_FLOAT)   \
  ELEMENT("float",    "float",              "float",              4,  SORT_REAL,     TYPE_FLOAT,   TYPE_FLOAT)   \
  ELEMENT("tf32",     "float",              "tf32",               4,  SORT_REAL,     TYPE_COUNT,   TYPE_FLOAT)   \
  ELEMENT("double",   "double",             "double",             8,  SORT_REAL,     TYPE_DOUBLE,  TYPE_DOUBLE)  \
  ELEMENT("cfloat",   "cuFloatComplex",     "complex<float>",     8,  SORT_COMPLEX,  TYPE_CFLOAT,  TYPE_CFLOAT)  \
  ELEMENT("cdouble",  "cuDoubleComplex",    "complex<double>",    16, SORT_COMPLEX,  TYPE_CDOUBLE, TYPE_CDOUBLE)

typedef enum ElementSort {
  SORT_SIGNED, SORT_UNSIGNED, SORT_REAL, SORT_COMPLEX,
  SORT_STRUCT /* in a user's own operator */
} ElementSort;

typedef struct ElementType {
  const char *name, *c_type, *text;
  int bytes;
  ElementSort sort;
  Type own;  /* TYPE_COUNT: it has none */
  Type type; /* what it is accumulated in */
} ElementType;

/* Is it another type in memory than what it is accumulated in? */
bool element_is_lifted(const ElementType *e);

/* The type that it is accumulated in; itself where it is not lifted. */
const ElementType *element_accumulator(const ElementType *e);

/* Is it another type whose name promises less: what a matrix unit makes of it? .. of the sums, which are halves? */
bool element_is_of_units(const ElementType *e);
bool element_adds_halves(const ElementType *e);

/* Are its results rounded? */
bool element_is_floating(const ElementType *e);

/* Does a shuffle of the machine's take its results as they are? */
bool element_is_shuffled_whole(const ElementType *e);

/* Can `e' be accumulated in `in'? Where that has a Type of its own and all of e's values. */
bool element_fits(const ElementType *e, const ElementType *in);

/* `e' accumulated in `in', which it fits, by the name "float_double"; e itself where it is accumulated so anyway. */
const ElementType *element_accumulated_in(Arena *a, const ElementType *e, const ElementType *in);

/* The one of that name, or NULL. */
const ElementType *element_by_name(const char *name);
/* The one that is itself of that Type; NULL when there is none. */
const ElementType *element_by_type(Type type);
/* Number i, from 0; NULL past the end. */
const ElementType *element_at(int i);

/* What composing and lowering need to know of the types that a generic spectrum is compiled for; noted in it. */
void element_note(Arena *a, Spectrum *s, const ElementType *const *types, int ntypes);

#endif
