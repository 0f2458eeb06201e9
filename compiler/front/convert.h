/* convert.h: libclang's cursors -> trees in codelet form.
 *
 *   convert.c     types, declarations, statements, whole codelets
 *   expression.c  expressions
 *   apply.c       those that apply spectra: calls, maps, slides; views
 *   elements.c    maps of functions over elements
 *   product.c     what a matrix unit computes; row_product.c: of rows and constants
 *   parameter.c   parameters
 *   container.c   a compound codelet's own containers */
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

typedef VEC(CXCursor) Cursors;

/* `Map m(f, x)' of a function f, whose results are used or not yet. */
typedef struct ElementMap { const Symbol *symbol; bool used; } ElementMap;

typedef struct Front Front; /* front.c */

/* What codelets over operators are read with. */
typedef struct Operation {
  const char *word;    /* as the text has it */
  OperatorKind kind;
  Monoid *monoid;      /* of OPERATOR_USER; else NULL */
  const char *carrier; /* of that: its state's type in clang's words, for the stand-in of the element type */
  bool holds;          /* .. which is a struct */
  Type result;         /* .. what it finishes its state to; of a struct TYPE_COUNT */
} Operation;

/* A generic spectrum with that type for T; `over': with the operator of that name for M, which is named at `where';
 * NULL: it is over none. NULL, with an error, where there is no such operator. */
typedef Spectrum *Instantiate(Front *f, Spectrum *generic, Type type, const char *over, SourceRange where);

typedef struct Converter {
  Arena *a;
  const SourceFile *file;
  Unit *unit;            /* spectra by name; new ones are added as they are met */
  Diagnostics *d;
  CXTranslationUnit tu;
  const Operation *over; /* the codelet at hand is a template over the operator too, and read with this one; or NULL */
  bool for_machines;     /* the codelet at hand is for certain machines (__env) */
  bool native;           /* .. and calls functions that the C compiler reads */
  bool generic;          /* the codelet at hand is an instantiation for the stand-in of T */
  Spectrum *instance;    /* .. which is read once more, and is this spectrum's; NULL: it is not */
  Instantiate *instantiate; /* makes what codelets that are not generic apply */
  Front *front;
  VEC(Symbol *) symbols; /* of the codelet at hand */
  Cursors cursors;       /* their declarations, in parallel */
  Tunables tunables;     /* of the codelet's own */
  const Tree *product;   /* of the codelet at hand: its mma(); NULL: there is none */
  const RowProduct *rows; /* .. of a container's rows; NULL: of two matrices */
  VEC(ElementMap) maps;  /* of the codelet at hand: those over elements (elements.c) */
  int stores;            /* .. how many of their results are stored */
  bool failed;
} Converter;

/* ---- services ---- */
SourceRange convert_range(const Converter *c, CXCursor cursor);
/* "three dimensions" */
const char *convert_dimensions(Arena *a, int rank);
void convert_refuse(Converter *c, CXCursor at, const char *hint, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
Cursors convert_children(Arena *a, CXCursor cursor);
const char *convert_text(Arena *a, CXString s); /* a copy; disposes of s */
Qualities convert_qualities(const Converter *c, CXCursor declaration);

/* The type of a scalar, or of a container's elements with *rank set. The stand-in for T is convert_element.
 * TYPE_COUNT for what codelets do not have. */
Type convert_type(const Converter *c, CXType t, int *rank);

/* What T is in the codelet at hand: TYPE_ELEM, or an instance's type. */
Type convert_element(const Converter *c);

/* The symbol that a cursor refers to, or NULL. */
Symbol *convert_symbol(const Converter *c, CXCursor reference);

/* Is it a variable or value of the prelude's class of that name ("Vector", "Map")? */
bool convert_is_class(CXType t, const char *name);

/* ---- shape.c ---- */

/* What `__shape(text)', `__like(text)' say of a parameter's sizes, into its shape. False after an error. */
bool shape_said(Converter *c, const Codelet *k, CXCursor parameter, Symbol *s, const char *text);
bool shape_like(Converter *c, const Codelet *k, CXCursor parameter, Symbol *s, const char *text);

/* ---- expression.c ---- */
/* NULL, with an error, for what codelets do not have. */
Tree *convert_expression(Converter *c, CXCursor cursor);
/* The same, its value converted to `type` as C would. */
Tree *convert_value(Converter *c, CXCursor cursor, Type type);
/* The tree with the cursor's place; NULL stays NULL. */
Tree *convert_at(Converter *c, Tree *t, CXCursor cursor);
/* An expression's type; TYPE_CONTAINER for a container. */
Type convert_type_of(Converter *c, CXCursor expression);
/* Without the casts, copies and temporaries around what was written. */
CXCursor convert_bare(Converter *c, CXCursor cursor);
/* The last child that is an expression: casts name their type first. */
bool convert_last_expression(Converter *c, CXCursor cursor, CXCursor *found);
/* The object of a member call `object.name(..)'; false when it is not one. */
bool convert_object(Converter *c, CXCursor call, CXCursor *object);
/* Does the function come from the prelude rather than from the user's file? */
bool convert_from_prelude(CXCursor function);

/* ---- apply.c ---- */
/* Each gives NULL, with an error, for what codelets do not have. */
Tree *convert_sequence(Converter *c, CXCursor call);
/* What a `Cut i = tiles(..)' is declared as. */
Tree *convert_cut(Converter *c, CXCursor init);
/* `map(f, ..)', or the initial value of a `Map m(f, ..)'. */
Tree *convert_map(Converter *c, CXCursor call);
/* An argument of a map without its conversion to what the prelude calls Given. */
CXCursor convert_given(Converter *c, CXCursor argument);
/* What each part of a map gets for one parameter. */
Tree *convert_map_argument(Converter *c, CXCursor argument);
/* A spectrum applied to arguments. A function's call is replaced by its value. */
Tree *convert_call(Converter *c, CXCursor call);
/* The prelude's slide() and views by name; NULL, without an error, for others. */
Tree *convert_applied(Converter *c, CXCursor call, const char *name);
/* Does the prelude's function of that name stand in maps and slides only? */
bool convert_belongs_to_map(const char *name);
/* `m.atomicAdd()', `m.to(y)', `map(f, ..)', `f(x, y)', `slide(..)' as a statement; NULL, without an error, when it is
 * none of these. */
Tree *convert_run(Converter *c, CXCursor call);

/* ---- product.c ---- */
/* `mma(A, B, C)' as the loops that it stands for; NULL, with an error, where its operands are others. */
Tree *convert_product(Converter *c, CXCursor call);
/* Is it all that its codelet does, of all that it is given? */
bool convert_is_product_alone(Converter *c, const Codelet *k, CXCursor function);
/* for (i = 0; i < of.Size(dimension); ++i), of a parameter; such an i. */
Tree *convert_loop(Converter *c, Symbol *i, Tree *of, int dimension, Tree *body);
Symbol *convert_index_named(Converter *c, const char *name);

/* ---- row_product.c ---- */
/* Does the prelude's function of that name stand in mma() only? */
bool convert_belongs_to_product(const char *name);
/* Is one of its operands a container seen as a matrix, or a constant? The same for such; Converter.rows says what. */
bool convert_is_row_product(Converter *c, CXCursor call);
Tree *convert_row_product(Converter *c, CXCursor call);
/* .. of ones on both sides, `return mma(ones<T>(), matrix(in), ones<T>());': all that the codelet does. */
bool convert_is_total_product(Converter *c, CXCursor returned);
Tree *convert_total_product(Converter *c, CXCursor returned);
/* .. of a scan, `return mma(carry, matrix(in), triangle<T>(), matrix(out));': the same. */
bool convert_is_scan_product(Converter *c, CXCursor returned);
Tree *convert_scan_product(Converter *c, CXCursor returned);

/* ---- parameter.c ---- */
/* Adds the function's parameter to the codelet's; false after an error. */
bool convert_parameter(Converter *c, Codelet *k, CXCursor parameter);

/* ---- container.c ---- */
/* `Array<1, T> c(n)', `Array<2, T> c(n, m)': is a variable that begins so a container of its codelet's own? And how
 * many elements that has, by dimension if it has several; NULL after an error. */
bool convert_is_sized(CXCursor init);
Tree *convert_extents(Converter *c, CXCursor v, int rank, CXCursor init);

/* ---- convert.c ---- */
/* From here on the symbol is what the declaration declares. */
void convert_remember(Converter *c, CXCursor declaration, Symbol *s);
/* A function definition as a codelet of its spectrum: parameters and body. NULL, with errors in `d`, when it holds
 * what codelets cannot. */
Codelet *convert_codelet(Converter *c, CXCursor function, bool generic);

/* The spectrum of that name, made if need be. */
Spectrum *convert_spectrum(Converter *c, const char *name, CXCursor where);

/* ---- tunables (tunable.c) ---- */

/* What stands for a tunable that has a value, a constant of the variant: `s', or what another codelet of that name has.
 * NULL after an error. */
Symbol *convert_tunable(Converter *c, CXCursor v, Symbol *s, const Tree *value);

#endif
