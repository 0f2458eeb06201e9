/* convert.h: libclang's cursors -> trees in codelet form. */
#ifndef TGC_FRONT_CONVERT_H
#define TGC_FRONT_CONVERT_H

#include <clang-c/Index.h>

#include "front/qualifiers.h"
#include "ir/tree.h"

/* What the annotations of a declaration say (qualifiers.h). */
typedef struct Qualities {
#define QUALIFIER(field, annotation, what) const char *field; /* NULL, or what follows the annotation's name */
  QUALIFIERS(QUALIFIER)
#undef QUALIFIER
} Qualities;

typedef struct Converter {
  Arena *a;
  const SourceFile *file;
  Unit *unit;            /* spectra by name; new ones are added as they are met */
  Diagnostics *d;
  CXTranslationUnit tu;
  VEC(Symbol *) symbols; /* of the codelet at hand */
  VEC(CXCursor) cursors; /* their declarations, in parallel */
  bool failed;
} Converter;

SourceRange convert_range(const Converter *c, CXCursor cursor);
Qualities convert_qualities(const Converter *c, CXCursor declaration);

/* The type of a scalar, or of a container's elements with *rank set. The stand-in for T is TYPE_ELEM. TYPE_COUNT for
 * what codelets do not have. */
Type convert_type(CXType t, int *rank);

/* A function definition as a codelet of its spectrum: parameters and body. `generic`: it is an instantiation for the
 * stand-in type. NULL, with errors in `d`, when it holds what codelets cannot. */
Codelet *convert_codelet(Converter *c, CXCursor function, bool generic);

/* The spectrum of that name, made if need be. */
Spectrum *convert_spectrum(Converter *c, const char *name, CXCursor where);

#endif
