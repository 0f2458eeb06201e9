/* front_parts.h: what the files that read a codelet file share.
 *
 *   front.c       all of it, in order
 *   operations.c  the operators that its codelets are read with
 *   states.c      what stands between a codelet that names a user's operator and the codelets over that */
#ifndef TGC_FRONT_FRONT_PARTS_H
#define TGC_FRONT_FRONT_PARTS_H

#include "front/convert.h"
#include "front/front.h"
#include "front/mask.h"
#include "front/monoid.h"
#include "front/scan.h"
#include "front/wraps.h"

#define STAND_IN "long double"
/* Where only whole numbers will do. */
#define STAND_IN_WHOLE "__int128"

/* A function of the file, as the outline shows it. */
typedef struct Function {
  const char *name, *signature;
  const char *element; /* what a generic one calls its element type; NULL: it has no name */
  bool generic, operators, codelet; /* operators: a template over the operator and the element type */
  SourceRange where; /* its name */
  unsigned end;      /* offset behind its declaration */
  int body;          /* index into the scan's bodies, or -1 */
} Function;

struct Front {
  Arena *a;
  const SourceFile *file;
  const char **types; /* the user's element types, in C's words */
  int ntypes;
  const char *operation; /* the operator that the user asks for; NULL: none */
  const char *spectrum;  /* the spectrum, if he asks for one */
  Diagnostics *d;
  Scan scan;
  const char *outline; /* the text without bodies */
  Masks *masks;
  CXIndex index;
  Unit *unit;
  VEC(Function) functions;
  VEC(Written) written;
  Structs structs;
  VEC(Operation *) operations; /* all that codelets are read with, */
  const Operation *over;       /* .. and the one at hand; NULL: none */
  Mentions *mentions;          /* NULL: nobody asks for them */
  bool any_types; /* nobody asked for types */
  const char *prelude;         /* what is read ahead */
  bool wants_scans;            /* a loop could be scanned, if the text of scans were read, too .. */
  bool wants_totals;           /* .. or reduced, if that of reductions were */
};

/* ---- front.c ---- */

/* The text behind an outline; NULL: it is the outline, which takes no notice of tags. */
CXTranslationUnit front_clang(Front *f, const char *text, const char *outline);
bool front_is_real(const char *type);

/* ---- operations.c ---- */

bool operations_any(const Front *f);
/* The operator that the user asks for, which the compiled codelets are over; false after an error. */
bool operations_choose(Front *f);
/* The operator of that name, which a codelet names at `where'; NULL after an error. */
const Operation *operations_named(Front *f, const char *name, SourceRange where);
/* The type of its states over elements of that type; TYPE_COUNT after an error. */
Type operations_state(Front *f, const Operation *o, Type element, SourceRange where);
/* .. and is there room for them? */
bool operations_have_room(const Front *f, const Operation *o, Type element);
/* What a codelet that names an operator sees of a spectrum over operators. */
const char *operations_declaration(const Front *f, const Function *x);

/* ---- states.c ---- */

/* `inner', which is of states, as a spectrum of elements: each becomes a state, and the state of all the result. NULL
 * after an error. */
Spectrum *states_wrap(Front *f, const Spectrum *inner, const Operation *over, Type element, const char *name,
                      SourceRange where);

#endif
