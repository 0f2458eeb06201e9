/* recurrences.h: loops that go on from element to element, as scans (recurrences.c). */
#ifndef TGC_FRONT_RECURRENCES_H
#define TGC_FRONT_RECURRENCES_H

#include "ir/tree.h"

/* Codelets of scans and reductions over operators (codelets/common/scans_over.cdl, totals_over.cdl): the spectrum of
 * that name over an operator, for elements of a type; NULL: their text is not read, which it notes, or it cannot be. */
typedef struct ScanText {
  void *context;
  Spectrum *(*get)(void *context, const char *name, OperatorKind op, Type type, SourceRange where);
} ScanText;

/* The codelet that applies a scan, where one of one lane is nothing but such a loop over all elements; NULL: it is not.
 * `of': whose parts new spectra are named after. */
Codelet *recurrences_made(Arena *a, Unit *u, const ScanText *text, const Spectrum *of, const Codelet *alone);

/* Adds it to each spectrum that has nothing but such a loop. */
void recurrences_add(Arena *a, Unit *u, const ScanText *text);
/* .. and a codelet that reduces a view to each that has nothing but a loop that adds up, and that no other applies. */
void recurrences_add_totals(Arena *a, Unit *u, const ScanText *text);

#endif
