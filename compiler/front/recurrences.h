/* recurrences.h: loops that go on from element to element, as scans (recurrences.c). */
#ifndef TGC_FRONT_RECURRENCES_H
#define TGC_FRONT_RECURRENCES_H

#include "ir/tree.h"

/* Codelets of scans and reductions over operators (codelets/common/scans_over.cdl, totals_over.cdl): the spectrum of
 * that name over an operator, for elements of a type; NULL: their text is not read, which it notes, or it cannot be. */
typedef struct ScanText {
  void *context;
  Spectrum *(*get)(void *context, const char *name, OperatorKind op, Type type, SourceRange where);
  /* .. over a user's operator, by its word: the spectrum of its states, whose elements they are. */
  Spectrum *(*of_states)(void *context, const char *name, const char *word, Type type, SourceRange where);
  bool real; /* are there no whole numbers among what T stands for? */
} ScanText;

/* The codelet that applies a scan, where one of one lane is nothing but such a loop over all elements; NULL: it is not.
 * `of': whose parts new spectra are named after. */
Codelet *recurrences_made(Arena *a, Unit *u, const ScanText *text, const Spectrum *of, const Codelet *alone);

/* Is it such a loop, that stores for each element what it has come to? `real': of T there are no whole numbers. */
bool recurrences_fit(Arena *a, const Codelet *alone, bool real);

/* Is that all that the codelet does? Then no steps are needed. */
bool recurrences_whole(Arena *a, const Codelet *alone, bool real);

/* Adds it to each spectrum that has nothing but such a loop. */
void recurrences_add(Arena *a, Unit *u, const ScanText *text);
/* .. and a codelet that reduces a view to each that has nothing but a loop that adds up, and that no other applies. */
void recurrences_add_totals(Arena *a, Unit *u, const ScanText *text);

#endif
