/* parts.h: loops whose turns may be divided among workers: a spectrum of parts, and codelets that cut it (parts.c). */
#ifndef TGC_FRONT_PARTS_H
#define TGC_FRONT_PARTS_H

#include "front/divide.h"
#include "front/loops.h"

enum { PART_UNKNOWN = -1, PART_WHOLE = -2 };

/* A loop through all of a parameter's dimension. */
typedef struct PartLoop { const Symbol *index, *of; int dimension; } PartLoop;

/* What is divided: loops in one another, the outer ones of a codelet, and what its containers have to do with them. */
typedef struct Parts {
  const Codelet *codelet;
  const Tree *body;                 /* its own, sizes written where they are used */
  int loops;
  PartLoop loop[MOST_RANK];
  const Tree *at[MOST_RANK];        /* the loops themselves */
  const Tree *inner;                /* body of the last one */
  bool cut[MOST_RANK];              /* is it divided? */
  int of[MOST_OPERANDS][MOST_RANK]; /* by parameter: which loop's variable is each index; or PART_WHOLE */
} Parts;

/* Loops in one another from the codelet's body on, with variables between them, as many as there are. */
bool parts_find_loops(Arena *a, const Codelet *c, Parts *x);
/* Notes what the dimensions of each container are indexed by, in a tree inside the loops. False: a container is used in
 * another way. */
bool parts_find_indices(Parts *x, const Tree *t);
/* Whose variable is it? PART_WHOLE: it is no loop's. */
int parts_loop_of(const Parts *x, const Tree *index);
/* A dimension that is not as long as its loop, or has it twice, is not cut. */
void parts_keep_lengths(Parts *x);

/* The spectrum of parts: the codelet's own where a part is the same codelet, else a new one, which the codelet's is
 * applied by. Its parameters, and which loop each dimension is cut by. */
typedef struct PartSpectrum {
  const Parts *parts;
  Codelet *codelet; /* its sequential one; NULL: too many parameters */
  int of[MOST_OPERANDS][MOST_RANK];
} PartSpectrum;
PartSpectrum parts_spectrum(Arena *a, Unit *u, const Parts *x);
/* The cuts of these loops, and what each parameter is given to a map of it. */
void parts_cut(Arena *a, const PartSpectrum *x, const Codelet *k, const bool *loops, bool strided, DivideStatements *to,
               Tree **arguments);
/* A codelet of the spectrum that maps it so. */
void parts_add_cut(Arena *a, const PartSpectrum *x, const char *tag, const bool *loops, bool strided);

#endif
