/* element.c: the table of element types. */
#include "ir/element.h"

#include <string.h>

static const ElementType elements[] = {
#define ELEMENT(name, c_type, bytes, accumulator, type, floating) {name, c_type, bytes, accumulator, type, floating},
    ELEMENTS(ELEMENT)
#undef ELEMENT
};
enum { COUNT = sizeof elements / sizeof *elements };

bool element_is_lifted(const ElementType *e) { return strcmp(e->c_type, e->accumulator) != 0; }

const ElementType *element_at(int i) { return i >= 0 && i < COUNT ? &elements[i] : NULL; }

const ElementType *element_by_name(const char *name) {
  for (int i = 0; i < COUNT; i++)
    if (strcmp(elements[i].name, name) == 0) return &elements[i];
  return NULL;
}

const ElementType *element_by_type(Type type) {
  for (int i = 0; i < COUNT; i++)
    if (elements[i].type == type && !element_is_lifted(&elements[i])) return &elements[i];
  return NULL;
}
