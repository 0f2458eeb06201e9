/* element.c: the table of element types, and which may be accumulated in which. */
#include "ir/element.h"

#include <string.h>

static const ElementType elements[] = {
#define ELEMENT(name, c_type, text, bytes, sort, own, type) {name, c_type, text, bytes, sort, own, type},
    ELEMENTS(ELEMENT)
#undef ELEMENT
};
enum { COUNT = sizeof elements / sizeof *elements };

bool element_is_lifted(const ElementType *e) { return e->own != e->type; }

const ElementType *element_accumulator(const ElementType *e) {
  return element_is_lifted(e) ? element_by_type(e->type) : e;
}

bool element_is_of_units(const ElementType *e) {
  return strcmp(e->text, "tf32") == 0 || strcmp(e->text, "half16") == 0;
}

bool element_adds_halves(const ElementType *e) { return strcmp(e->text, "half16") == 0 && e->type == TYPE_FLOAT; }

bool element_is_floating(const ElementType *e) { return element_accumulator(e)->sort >= SORT_REAL; }

bool element_is_shuffled_whole(const ElementType *e) { return element_accumulator(e)->sort < SORT_COMPLEX; }

/* Integers of fewer bytes than a floating type are exact in it; an unsigned one is no more than a wider signed one. */
bool element_fits(const ElementType *e, const ElementType *in) {
  if (in->own == TYPE_COUNT) return false;
  if (e->sort == in->sort) return in->bytes >= e->bytes;
  bool wider = in->bytes > e->bytes;
  if (e->sort == SORT_UNSIGNED) return wider && in->sort != SORT_COMPLEX;
  return e->sort == SORT_SIGNED && in->sort == SORT_REAL && wider;
}

const ElementType *element_accumulated_in(Arena *a, const ElementType *e, const ElementType *in) {
  if (e->type == in->own) return e;
  ElementType *made = arena_one(a, ElementType);
  *made = *e;
  made->name = arena_printf(a, "%s_%s", e->name, in->name);
  made->type = in->own;
  return made;
}

const ElementType *element_at(int i) { return i >= 0 && i < COUNT ? &elements[i] : NULL; }

const ElementType *element_by_name(const char *name) {
  for (int i = 0; i < COUNT; i++)
    if (strcmp(elements[i].name, name) == 0) return &elements[i];
  return NULL;
}

const ElementType *element_by_type(Type type) {
  for (int i = 0; i < COUNT; i++)
    if (elements[i].own == type && type != TYPE_COUNT) return &elements[i];
  return NULL;
}

/* A sum of complex numbers is one of each of their parts, and atomics may add these one by one. */
static int bytes_at_once(const ElementType *in, OperatorKind op) {
  return in->sort == SORT_COMPLEX && op == OPERATOR_ADD ? in->bytes / 2 : in->bytes;
}

/* Is the operator's identity for what it is accumulated in no number of the element's? */
static bool lacks_identity(const ElementType *e, OperatorKind op) {
  bool extreme = op == OPERATOR_MAX || op == OPERATOR_MIN || op == OPERATOR_AND;
  if (op == OPERATOR_MAX && element_accumulator(e)->sort == SORT_UNSIGNED) return false; /* zero */
  return extreme && element_is_lifted(e) && e->sort < SORT_REAL;
}

void element_note(Arena *a, Spectrum *s, const ElementType *const *types, int ntypes) {
  memset(&s->elements, 0, sizeof s->elements);
  s->lifted = s->adds_halves = s->real = s->lacks_identity = false;
  s->widest = s->narrowest = s->broadest = s->atom = 0;
  for (int i = 0; i < ntypes; i++) {
    vec_push(a, &s->elements, types[i]->name);
    const ElementType *in = element_accumulator(types[i]);
    int at_once = bytes_at_once(in, s->op);
    s->lifted |= element_is_lifted(types[i]);
    s->adds_halves |= element_adds_halves(types[i]);
    s->real |= element_is_floating(types[i]);
    s->lacks_identity |= lacks_identity(types[i], s->op);
    if (in->bytes > s->widest) s->widest = in->bytes;
    if (!s->narrowest || types[i]->bytes < s->narrowest) s->narrowest = types[i]->bytes;
    if (types[i]->bytes > s->broadest) s->broadest = types[i]->bytes;
    if (at_once > s->atom) s->atom = at_once;
  }
}
