/* element.h: the element types that a user can ask for (--types), as a table.
 *
 * ELEMENT(name, C type, Type, floating): name is what the user writes and what functions end in. */
#ifndef TGC_IR_ELEMENT_H
#define TGC_IR_ELEMENT_H

#include "ir/tree.h"

#define ELEMENTS(ELEMENT)                                  \
  ELEMENT("int",    "int",                TYPE_INT,    false) \
  ELEMENT("uint",   "unsigned",           TYPE_UINT,   false) \
  ELEMENT("int64",  "long long",          TYPE_LONG,   false) \
  ELEMENT("uint64", "unsigned long long", TYPE_ULONG,  false) \
  ELEMENT("float",  "float",              TYPE_FLOAT,  true)  \
  ELEMENT("double", "double",             TYPE_DOUBLE, true)

typedef struct ElementType {
  const char *name, *c_type;
  Type type;
  bool floating;
} ElementType;

/* The one of that name, or of that Type; NULL when there is none. */
const ElementType *element_by_name(const char *name);
const ElementType *element_by_type(Type type);
/* Number i, from 0; NULL past the end. */
const ElementType *element_at(int i);

#endif
