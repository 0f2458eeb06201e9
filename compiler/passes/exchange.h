/* exchange.h: is a loop an exchange of a local variable through a shared array, within each vector? */
#ifndef TGC_PASSES_EXCHANGE_H
#define TGC_PASSES_EXCHANGE_H

#include "passes/lane_facts.h"

/* Where a statement stands: statement `index` of `seq`, inside `up`. */
typedef struct Frame Frame;
struct Frame {
  const Frame *up;
  const Tree *seq;
  int index;
  bool repeated;       /* the SEQ is the body of a loop */
  bool first_vector;   /* under VectorId() == 0 */
  const Tree *divider; /* the condition around it that splits a vector's lanes, or NULL */
};

/* Each turn of the loop reads array[own slot +- offset] (or ^) into `value`, by the guard within the vector, and then
 * every lane stores value in its own slot; so what is read is another lane's value. */
typedef struct Exchange {
  const Tree *loop;      /* the loop, or the one statement that reads */
  Symbol *array, *value, *offset; /* offset: the loop's variable; NULL: `distance' */
  int64_t distance;
  ShuffleMode mode;
  const Tree *read;      /* the INDEX */
  int statement;         /* of the loop's body: the one that has the read in it */
  LaneSum own;           /* the slot of a lane */
  bool keeps_identity;   /* accumulates by the spectrum's operator, the identity where the guard fails */
} Exchange;

typedef VEC(Exchange) Exchanges;

/* What the recognition works on. */
typedef struct ExchangeSearch {
  Arena *arena;
  const Codelet *codelet;
  const Tree *body;       /* of the whole codelet */
  LaneFacts facts;
  Exchanges found;        /* the earlier ones, in the order of the text */
} ExchangeSearch;

/* Why a loop is none, and where. */
typedef struct Refusal { const char *reason; SourceRange where; } Refusal;

/* A loop that all lanes of a vector run alike. */
typedef struct LoopHeader {
  Symbol *variable;
  bool below_max; /* 0 <= variable < MaxSize() in the body, else only 0 <= variable */
} LoopHeader;
bool exchange_header(const LaneFacts *f, const Tree *loop, LoopHeader *h, Refusal *why);

/* Fills *why; false, so that a condition can return it. */
bool exchange_refuse(Refusal *why, const Tree *at, const char *reason);

/* Shared arrays that the loop's own statements (no inner loop's) read by element; at most `most`. */
int exchange_arrays(const Tree *loop, Symbol **arrays, int most);

/* Is `loop`, at `f`, an exchange through `array`? Fills *x, or *why. CGO III-C, Fig. 4. */
bool exchange_recognise(ExchangeSearch *s, const Tree *loop, const Frame *f, Symbol *array, Exchange *x, Refusal *why);

/* Behind an exchange: is `x = guard ? array[own slot - 1] : ..', or + 1, once and by all lanes, another lane's value of
 * the variable that the exchange has left there? Fills *x, or *why; *why stays empty for other statements. */
bool exchange_read(ExchangeSearch *s, const Tree *statement, const Frame *f, Exchange *x, Refusal *why);

/* Does the array (of an accepted exchange) hold `value` in each lane's own slot when the loop begins?
 * (exchange_entry.c) */
bool exchange_entry(ExchangeSearch *s, const Frame *f, const Exchange *x, Refusal *why);

/* The first statement in t that writes the symbol or an element of it (a local's declaration counts), or NULL. */
const Tree *exchange_write(const Tree *t, const Symbol *s);

/* The context of lane_sum for slots at that place. */
LaneContext exchange_slots(const Frame *f, const Symbol *loop);

#endif
