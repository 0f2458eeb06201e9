/* lane_facts.h: what the codelet passes know about a cooperative body: what varies over which lanes, what
 * a variable is short for, and integer expressions of the lane as sums. */
#ifndef TGC_PASSES_LANE_FACTS_H
#define TGC_PASSES_LANE_FACTS_H

#include "ir/tree.h"

/* Over what a value differs: nothing, vectors (the same in all lanes of one), lanes. */
typedef enum LaneVariance { SAME, BY_VECTOR, BY_LANE } LaneVariance;

typedef struct LocalFact {
  const Symbol *symbol;
  const Tree *init;   /* of its declaration, or NULL */
  int assignments;    /* apart from the declaration */
  LaneVariance variance;
} LocalFact;

typedef struct LaneFacts {
  Arena *arena;
  VEC(LocalFact) locals;
  const Tree *ragged; /* a return, break or continue that only some lanes of a vector take, or NULL */
} LaneFacts;

/* The facts of a body in codelet form; storage in the arena. */
LaneFacts lane_facts(Arena *a, const Tree *body);

LaneVariance lane_variance(const LaneFacts *f, const Tree *expression);

/* Is it VectorId() == 0, or a conjunction with it? */
bool lane_is_first_vector(const LaneFacts *f, const Tree *condition);

/* The expression without integer casts, and with a variable that is set once replaced by what it is set to. */
const Tree *lane_strip(const LaneFacts *f, const Tree *t);

/* The first node with that op in t, or what stands for it in the text, or NULL. */
const Tree *lane_find(const LaneFacts *f, const Tree *t, Op op);

/* Is it MaxSize() or Size()? */
bool lane_is_width(const LaneFacts *f, const Tree *t);


/* Is it the identity of that operator? */
bool lane_is_identity(const LaneFacts *f, const Tree *t, OperatorKind op);

/* ---- sums ---- */

/* What a sum is made of. ID_MAX is VectorId() * MaxSize(), so that ID_MAX + LANE is THREAD. */
typedef enum LanePart {
  PART_THREAD, PART_LANE, PART_ID, PART_ID_MAX, PART_SIZE, PART_MAX, PART_LOOP, PART_COUNT
} LanePart;

typedef struct LaneTerm { const Tree *tree; int64_t factor; } LaneTerm;

/* constant + factor[part] * part + .. + terms that are none of these. */
typedef struct LaneSum {
  int64_t constant;
  int64_t factor[PART_COUNT];
  VEC(LaneTerm) others;
} LaneSum;

/* Where a sum stands: PART_LOOP is `loop' (or NULL); under VectorId() == 0 ThreadId() and LaneId() are one,
 * written as `as' (PART_THREAD or PART_LANE). */
typedef struct LaneContext {
  const Symbol *loop;
  bool first_vector;
  LanePart as;
} LaneContext;

LaneSum lane_sum(const LaneFacts *f, const Tree *t, LaneContext c);
LaneSum lane_sum_minus(const LaneFacts *f, LaneSum x, LaneSum y);
bool lane_sum_is_constant(const LaneSum *s); /* nothing but its constant */

#endif
