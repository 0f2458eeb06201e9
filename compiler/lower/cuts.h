/* cuts.h: maps over cuts, each of one dimension (cuts.c). */
#ifndef TGC_LOWER_CUTS_H
#define TGC_LOWER_CUTS_H

#include "lower/lowering.h"

/* The map's cuts, for workers of which there are `many', whose number is that of a part; on the host, where the grid's
 * workers are only as many as the cuts make them, NULL: `many' of the regroup says how many these are. Declares the
 * codelet's variables. */
void cuts_regroup(Lowering *l, const PlanNode *n, Environment *e, Regroup *r, Tree *many);
/* What part number `which' of the map applies its spectrum to. */
Arguments cuts_parts(Lowering *l, const Regroup *r, Environment *e, Tree *which);
/* What is the same for all of a map's parts, whatever it is over. */
Argument cuts_same(Lowering *l, const Regroup *r, Environment *e, const Tree *t);
/* The argument to which several parts contribute, those of one cut that it has not; and how many these are. */
const Tree *cuts_contributed(const Regroup *r);
Tree *cuts_contributing(const Regroup *r);
/* Adds a map's workers, an axis for each cut; the innermost one, below which is what a part does. `copies': what the
 * parts of the cut above have copies of, NULL: nothing; `over': its axis. */
NestNode *cuts_over(Lowering *l, const Regroup *r, const NestAxis *workers, NestNode *to, NestValue *copies,
                    NestAxis **over);

/* ---- cut_rows.c ---- */

/* Do lanes have each of a part's results between them, one after another? */
bool cuts_lanes_together(const PlanNode *n);
/* Does a lane of a map over so many cuts go through elements that are each one combination of parts', or contribute to
 * what the last cut does not divide? Then blocks are best given rows, of whose neighbours a lane has many. Of columns'
 * sums each has few. */
bool cuts_take_rows(const PlanNode *n, int many, const Symbol *last);
/* Which of `many' cuts has parts that are made of the same elements, as the nine taps of a patch are, a(i + k / 3,
 * j + k % 3); not the last one, nor number `rows'; -1: none. A block that has all of them reads memory once. */
int cuts_read_again(const PlanNode *n, int many, const Symbol *const *cuts, int rows);
enum { MANY_AGAIN = 8 }; /* so many blocks are as good as one whose elements are read once */
/* Which of n cuts is divided as number k: in their order, but that one last. */
int cuts_turn(int k, int n, int again);
/* Which of `n' cuts has parts that vectors of lanes are divided among, where the last one has a vector's lanes: one
 * whose parts are neighbours in another container, as of what is transposed, so that these read what lies side by side;
 * else the one before the last. The first one is often short: of the nine taps of a patch one vector of eight was busy
 * in every other turn. */
int cuts_rows(int n, const Symbol *const *cuts, const Tree *map);
/* Divides a number of workers that is known among so many cuts, the last one first, which gets no fewer than others:
 * powers of two, so that all of them have as many workers, and none is left. */
int64_t cuts_share(int64_t workers, int cuts);

#endif
