/* element.h: the element types that a user can ask for (--types), as a table.
 *
 * ELEMENT(name, C type, bytes, accumulator's C type, its Type, floating): name is what the user writes and what
 * functions end in. A codelet's T is the type that it accumulates in; narrower elements are lifted to it as they are
 * loaded. */
#ifndef TGC_IR_ELEMENT_H
#define TGC_IR_ELEMENT_H

#include "ir/tree.h"

#define ELEMENTS(ELEMENT)                                                                        \
  ELEMENT("int",    "int",                4, "int",                TYPE_INT,    false) \
  ELEMENT("uint",   "unsigned",           4, "unsigned",           TYPE_UINT,   false) \
  ELEMENT("int64",  "long long",          8, "long long",          TYPE_LONG,   false) \
  ELEMENT("uint64", "unsigned long long", 8, "unsigned long long", TYPE_ULONG,  false) \
  ELEMENT("half",   "__half",             2, "float",              TYPE_FLOAT,  true)  \
  ELEMENT("float",  "float",              4, "float",              TYPE_FLOAT,  true)  \
  ELEMENT("double", "double",             8, "double",             TYPE_DOUBLE, true)

typedef struct ElementType {
  const char *name, *c_type;
  int bytes;
  const char *accumulator; /* its C type */
  Type type;               /* the accumulator's */
  bool floating;
} ElementType;

/* Is it narrower in memory than what it is accumulated in? */
bool element_is_lifted(const ElementType *e);

/* The one of that name, or NULL. */
const ElementType *element_by_name(const char *name);
/* The one that is itself of that Type; NULL when there is none. */
const ElementType *element_by_type(Type type);
/* Number i, from 0; NULL past the end. */
const ElementType *element_at(int i);

#endif
