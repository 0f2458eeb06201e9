/* collective.h: loops of kernel form in which the lanes of a warp combine their values by exchanges, and what is left
 * of such a loop's result. */
#ifndef TGC_PASSES_COLLECTIVE_H
#define TGC_PASSES_COLLECTIVE_H

#include "ir/program.h"

/*   for (int offset = 16; offset > 0; offset /= 2) {      or from 1 up
 *     T other = shuffle_down(value, offset);              or xor
 *     value += lane + offset < 32 ? other : 0;            or another operator; or no guard
 *   }
 *
 * In a sub-warp of 8 lanes the guard is `lane % 8 + offset < 8'.
 *
 * Lane 0 ends with what the lanes below 32 had, each once; of an xor every lane does. Lanes are halved by powers of
 * two. */
typedef struct Collective {
  const Tree *loop;
  Symbol *value, *other, *offset;
  ShuffleMode mode;
  OperatorKind op;
  bool rises;        /* the offsets double, instead */
  int warp;          /* lanes of a warp: 32; those of a CPU's vector */
  int64_t lanes;     /* of the vectors that its guard keeps apart: a warp's, or a sub-warp's */
  int64_t widest;    /* the largest offset: half of the lanes that lane 0 hears of */
  bool guarded;      /* with the guard; what it keeps out never reaches lane 0 */
} Collective;

/* Is the loop one, where a warp has so many lanes? Fills *c; or *why with the condition that fails, NULL where the loop
 * exchanges nothing. */
bool collective_recognise(const Tree *loop, int warp, Collective *c, const char **why);

/* Does no lane but the first of a warp, or of a sub-warp whose guard the loop has, read what the loop leaves in the
 * variable? `body' is the kernel's. */
bool collective_is_for_leader(const Tree *body, const Collective *c);

/* Calls `rewrite' for each loop of a body that contains no loop, and gives the body with what it returns in their
 * place. */
typedef Tree *(*CollectiveRewrite)(void *context, Tree *loop);
Tree *collective_each(Arena *a, Tree *body, CollectiveRewrite rewrite, void *context);

#endif
