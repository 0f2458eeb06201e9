/* steps.h: compound codelets that apply spectra one after another, with numbers of their own between them.
 *
 *   T top = greatest(x);
 *   T total = sum(transform(weight<T>, zip(x, repeat(top, x.Size()))));
 *   scaled(x, top, 1 / total, y);
 *
 * A step is one call. It comes behind those in its arguments, and behind all of the statements before its own. */
#ifndef TGC_IR_STEPS_H
#define TGC_IR_STEPS_H

#include "ir/tree.h"

typedef struct Steps { const Tree *call[MOST_STEPS]; int n; } Steps; /* n: of all; of these the first MOST_STEPS are
                                                                        here */

/* The calls of a codelet's text, in their order. */
Steps steps_of(const Codelet *c);

/* The statements of its text, in their order; behind a loop those of its body. */
typedef VEC(const Tree *) StepStatements;
StepStatements steps_statements(Arena *a, const Codelet *c);

/* `for (int k = first; k < end; k += by)', whose variable nothing else changes: kid[0] of a loop, its first value; what
 * it ends before, or with (`with'), and by how much it grows. Of a loop that only a condition ends, the counter is
 * NULL. False: it is no such loop. */
typedef struct StepLoop { const Symbol *counter; Tree *first, *end; int64_t by; bool with; } StepLoop;
bool steps_loop(const Tree *loop, StepLoop *is);
/* Has it loops? Is that step, by its number, in one that a condition ends? */
bool steps_repeat(const Codelet *c);
bool steps_is_searching(const Codelet *c, int step);
/* May a kernel stay for all of the loop? It gives up one that does not end, but of loops in it each has a counter. Of
 * the loops that are in no other, how many may, and hold that step; -1: any. */
bool steps_may_stay(const Tree *loop);
int steps_staying(const Codelet *c, int step);

/* The body with all of its loops in one form: a loop's condition is `if (!condition) break;' at the head of its body,
 * but for a counter that is compared first. */
Tree *steps_plain(Arena *a, Tree *body);
/* The condition of `if (condition) break;'; NULL: it is another statement. */
const Tree *steps_leave(const Tree *statement);
/* May a condition end that loop, other than one of a loop in it? */
bool steps_may_leave(const Tree *loop);

/* Has the codelet steps: no map, and more to do than to apply one spectrum once, whose result is the codelet's as it
 * is? */
bool steps_any(const Codelet *c);

/* The step whose result is the codelet's as it is, and nothing else; NULL: there is none. */
const Tree *steps_result(const Codelet *c);

/* Is that expression of the codelet's text made of what steps give, or a loop's counter? */
bool steps_decide(const Codelet *c, const Tree *t);
/* .. or how many elements a view has that a step is given? */
bool steps_decide_sizes(const Codelet *c);

/* Does the codelet, in that call, apply its own spectrum to what it has itself, and so on? */
bool steps_go_on_forever(const Codelet *c, const Tree *call);

/* Are elements of the container read, or written, in a call? */
bool steps_accesses(const Tree *call, const Symbol *container);
/* .. written, as an argument of its own? */
bool steps_writes(const Tree *call, const Symbol *container);
/* Does an expression read an element that a step writes? */
bool steps_read_written(const Codelet *c, const Tree *t);
/* Is the statement `T first = w[0];' of such an element, which is another one later: a step of its own, which keeps it?
 * How many there are; `stays': without those of loops for all of which a kernel may stay. */
bool steps_keep(const Codelet *c, const Tree *statement);
int steps_kept(const Codelet *c, bool stays);
/* Has the codelet containers between its steps? */
bool steps_own(const Codelet *c);
/* Does one of two calls write a container that the other one reads or writes? */
bool steps_conflict(const Tree *call, const Tree *other);

#endif
