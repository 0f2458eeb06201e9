/* monoid.h: structs of a codelet file: states, and the operators on them (ir/monoid.h). */
#ifndef TGC_FRONT_MONOID_H
#define TGC_FRONT_MONOID_H

#include <clang-c/Index.h>

#include "front/convert.h"
#include "front/scan.h"
#include "ir/monoid.h"

/* A struct of the file's top level. */
typedef struct Struct {
  const char *name;
  SourceRange where;
  bool generic;      /* a template over one type */
  const char *text;  /* its declaration as device code */
  Monoid *monoid;    /* NULL: no operator */
  CXCursor cursor;   /* of the outline */
} Struct;

typedef VEC(Struct) Structs;

/* Reads a struct's cursor of the outline: numbers, nested structs and static functions only. False, with errors, for
 * what else there is. */
bool monoid_read_struct(Converter *c, const Scan *scan, CXCursor cursor, Struct *out);

/* Completes the operator's text: the structs that it mentions come first. */
void monoid_gather_text(Arena *a, Monoid *m, const Structs *all);

/* The text of all these, each struct once. */
const char *monoid_join_text(Arena *a, const Structs *all, const NamedState *states, int n);

/* The declarations that have clang say what the monoid's types are, for the element type number i (in C++'s words; of
 * no template: any). */
void monoid_probe(Buffer *to, const Monoid *m, const char *element, int i);

/* Reads what the probe number i says into `out'. */
bool monoid_read_types(Converter *c, const Monoid *m, const char *element, int i, MonoidType *out);

/* The state's type of probe number i in clang's words. */
const char *monoid_carrier(Converter *c, const Monoid *m, int i);

/* The type of a number that the variable `tgc_WHAT_i' of the probes points to; TYPE_COUNT: it is a struct. */
Type monoid_stands_for(Converter *c, const char *what, int i);

/* "ArgMax<float>", "Welford". */
const char *monoid_instance(Arena *a, const Monoid *m, const char *element);

#endif
