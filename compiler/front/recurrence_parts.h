/* recurrence_parts.h: what the files that make scans of loops share (recurrences.c, linear_turns.c). */
#ifndef TGC_FRONT_RECURRENCE_PARTS_H
#define TGC_FRONT_RECURRENCE_PARTS_H

#include "front/affine.h"
#include "front/divide.h"
#include "front/loops.h"
#include "front/recurrences.h"

typedef struct Known { const Symbol *name; Tree *is; } Known;

typedef struct Recurrence {
  Arena *a;
  const Codelet *codelet;
  const Tree *begin;          /* what the loop goes on from .. */
  Symbol *state;              /* .. in this variable */
  LoopHead head;
  OperatorKind op;
  Tree *value;                /* what a turn adds to it; NULL: not read yet */
  Symbol *to;                 /* where it is stored; NULL: not read yet .. */
  bool before;                /* .. before that */
  bool returns;               /* the codelet returns it */
  bool totals;                /* .. and stores nothing, which is asked for */
  const Tree *keeps;          /* `if (..) { out[n] = v; n += 1; }'; NULL: it is no compaction .. */
  Tree *kept;                 /* .. and its condition */
  VEC(Known) known;           /* variables of a turn; NULL: what it was made of has changed */
  Affines by;                 /* of a turn that is linear: its algebra, .. */
  Affine turn;                /* .. what it makes of the state, */
  bool changed;               /* .. whether it has done so yet, */
  DivideStatements stores;    /* .. and what it stores behind that */
  const Tree *result;         /* what is returned of it; NULL: nothing */
} Recurrence;

/* ---- reading (recurrence_parts.c) ---- */

/* The expression, in which a turn's variables are what they were made of. */
Tree *recurrence_without_names(Recurrence *x, const Tree *t);
/* Numbers that an operator of that name may have. */
bool recurrence_is_scanned_type(Type t);
/* A constant end of a loop over all elements of a container that is declared to have so many: its size. */
void recurrence_end_as_size(Arena *a, const Codelet *c, const Tree *loop, LoopHead *head);
/* Does the loop count all elements of a container? */
bool recurrence_counts_elements(Recurrence *x);
/* Numbers before the loop, one of which it goes on with. Gives where the loop stands; -1: they are others. */
int recurrence_reads_numbers(Recurrence *x, const Tree *body);
/* Is it as long as the loop? */
bool recurrence_is_as_long(const Recurrence *x, const Symbol *s);

/* ---- what a turn adds, as a function of elements ---- */

typedef struct Function {
  const Recurrence *of;
  Symbol *params[MOST_OPERANDS];
  Tree *given[MOST_OPERANDS]; /* what the view is of */
  int n;
  bool ok;
} Function;

/* Of so many elements: all of the loop's. */
Tree *recurrence_size(const Recurrence *x);
Tree *recurrence_positions(const Recurrence *x);
/* The parameter that stands for it. */
Tree *recurrence_parameter(Function *f, Tree *given, const char *name, Type type);
/* The expression by the function's parameters; `ok' says whether it is one of elements. */
Tree *recurrence_of_element(Function *f, Tree *t);
/* The spectrum with one codelet, of those parameters and that text. */
Spectrum *recurrence_spectrum(const Recurrence *x, Spectrum *s, const Function *f, int more, Tree *text, Type result);
/* What is scanned: a container, or a view of several. NULL: no such function. */
Tree *recurrence_view(const Recurrence *x, Unit *u, const Spectrum *of, Tree *is, Type type);

/* The codelet of these statements, by copies of the parameters. */
Codelet *recurrence_codelet(const Recurrence *x, const DivideStatements *all, const char *tag);
/* What these copies are of. */
typedef struct Copies { const Codelet *of; Symbol *const *params; } Copies;
Tree *recurrence_of_copies(void *context, Arena *a, Tree *t);

/* ---- linear_turns.c ---- */

/* Is each turn linear in what it goes on with, in that algebra? */
bool linear_turns_read(Recurrence *x);
/* The codelet that scans such turns, or reduces them; NULL: it has no such loop. */
Codelet *linear_turns_made(Arena *a, Unit *u, const ScanText *text, const Spectrum *of, const Codelet *alone);

#endif
