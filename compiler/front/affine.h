/* affine.h: what a turn of a loop makes of a number that it goes on with, where that is linear in it (affine.c). */
#ifndef TGC_FRONT_AFFINE_H
#define TGC_FRONT_AFFINE_H

#include "ir/tree.h"

/* By which operations: y * by + add; max(y + by, add); min(y + by, add). */
typedef enum AffineKind { AFFINE_SUMS, AFFINE_GREATEST, AFFINE_LEAST, AFFINE_KINDS } AffineKind;

/* Of the number y; NULL: y has no part in it, or nothing else has. */
typedef struct Affine { Tree *by, *add; } Affine;

/* y, and by which operations. `real': are there no whole numbers among what T stands for? */
typedef struct Affines { Arena *a; AffineKind kind; const Symbol *y; bool real; } Affines;

/* y itself. */
Affine affine_same(const Affines *l);
/* What the expression makes of y, where `now' is what y has come to; false: it is not linear in y. */
bool affine_of(const Affines *l, const Tree *t, Affine now, Affine *out);
/* One or the other, as the condition says, which does not know y. */
Affine affine_choice(const Affines *l, Tree *condition, Affine x, Affine z);
/* Both as trees. */
Affine affine_whole(const Affines *l, Affine x);
/* The name of the operator that combines them (codelets/common/scans_over.cdl). */
const char *affine_operator(AffineKind kind);
/* What it makes of a number. */
Tree *affine_apply(const Affines *l, Affine x, Tree *number);

#endif
