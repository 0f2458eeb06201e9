/* prefer.h: the better of two plans, without measurement. */
#ifndef TGC_COMPOSE_PREFER_H
#define TGC_COMPOSE_PREFER_H

#include "compose/plan.h"

/* Parts' lengths are not known: one long part must not hold up everything. Then the same result in every run before
 * everything else; then what the search expects to cost least. Products of matrices are a matrix unit's where it takes
 * the elements. That it adds up, or scans, rows, measurement alone chooses. */
bool prefer_plan(const Plan *p, const Plan *q);

/* Does one lane of a CPU's thread go alone through a part that is cut by cuts, and compute its elements each by itself?
 * It goes in the order of the codelet's loops, as compilers vectorise them; lanes with parts of their own would read
 * far apart, each in as many iterations as its part has (a stencil of 64^3 takes 7 times as long). */
bool prefer_one_lane(const Plan *p);

/* Does one worker act for the grid in each of its steps? */
bool prefer_one_worker(const Plan *p);

/* How well the workers that have a step's parts read them side by side: warps an adjacent row; neighbouring lanes
 * strided columns, which should be shared by several blocks, since there may be few, and by a block's warps. Many parts
 * are not for one block. */
int prefer_side_by_side(const PlanNode *step);

#endif
