/* meetings.h: where the blocks of a grid that stays have to wait for one another (persist.c). */
#ifndef TGC_PASSES_MEETINGS_H
#define TGC_PASSES_MEETINGS_H

#include "passes/predicate.h"

/* What a part of the text has to do with memory: what it stores to, and all that it mentions; `any': what is not
 * known. Memory is what those that wait have in common: of one block, its shared memory too. */
typedef struct Touched { VEC(const Symbol *) stored, seen; bool any; } Touched;

/* A part of the text that no meeting of all lies behind for certain; by its number, in the order of the text. */
typedef struct Site {
  int number;
  Touched touched;
  bool surely; /* it was done, and no meeting was since; else a bit of `since' says whether that is so */
} Site;

typedef struct Meetings {
  Arena *a;
  Tree *met;         /* the word that blocks come to; NULL: there is one block, whose lanes wait at a barrier */
  Symbol *due;       /* how often they have */
  Symbol *since;     /* a bit for each of some sites: was it done since the last meeting? */
  VEC(Site) open;
  bool any;          /* who knows what was done since */
  int sites;         /* so many were met */
  VEC(int) asked;    /* sites that have a bit, by number */
} Meetings;

/* The text of a site comes next, and where it needs one a meeting before it. */
void meetings_before(Meetings *m, TreeList *to, const Tree *text);
/* .. and has been. */
void meetings_behind(Meetings *m, TreeList *to, const Tree *text);

/* All meet, and before they go on one thread does that; NULL: none does anything. */
void meetings_add(Meetings *m, TreeList *to, Tree *alone, Symbol *last);

/* Where a text begins that is done under a condition, or again; .. */
Meetings meetings_copy(const Meetings *m);
/* .. and behind it: it may have been done, or not. */
void meetings_may_be(Meetings *m, const Meetings *around);

#endif
