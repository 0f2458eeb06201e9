/* access.h: accesses to shared memory, who makes them, and whose may meet. */
#ifndef TGC_PASSES_ACCESS_H
#define TGC_PASSES_ACCESS_H

#include "passes/facts.h"
#include "passes/uniform.h"

/* Of an index  factor * ((counter + offset) % count) + rest  with 0 <= rest < factor: one of `count' buffers, which a
 * loop goes through by turns. */
typedef struct Ring {
  const Symbol *counter; /* NULL: the index is not known to be of this form */
  int64_t time;          /* of the counter's last change */
  const Symbol *by;      /* the constant that is `count', which is then the least that it can be; NULL: it is that */
  int64_t count, factor, offset; /* factor 1: the length of the symbol's `buffer' */
  bool carried;          /* from an earlier iteration: `offset' has what the counter has moved since */
} Ring;

/* Of an index  row * length + d,  d being THREAD or that and multiples of the block's size: lanes never have one
 * another's columns; or LANE and multiples of a warp's: those of one warp. length 0: d alone. */
typedef struct Columns {
  bool any, of_warp;    /* the index is known to be of this form, and d not negative; it is LANE and so on */
  int64_t length, most; /* d is no more than that */
} Columns;

typedef struct Access {
  const Tree *at;       /* the INDEX or REF */
  const Symbol *symbol;
  bool write;
  AtomicOp atomic;
  Linear index;         /* 0 for a scalar */
  Range position;       /* the index's range, */
  Range in_warp;        /* without its multiple of WARP, */
  Range varying;        /* and without what is the same for all lanes, too */
  Range lane, warp;     /* which lanes of which warps make it */
  VEC(Linear) above, below; /* position <= above, position >= below, in terms the same for all lanes */
  bool warp_ordered;    /* a warp barrier stands behind it */
  bool exposed;         /* other blocks of the cluster store to that memory, or load from it */
  bool block_ordered;   /* a block's barrier stands behind it; kept only while it is exposed */
  bool remote;          /* it is such a store, or a load of theirs */
  bool wide;            /* it stores more elements than the one it names */
  Ring ring;
  Columns columns;
} Access;

typedef VEC(Access) Accesses;

typedef VEC(const Symbol *) SymbolList;

/* What the walk that gathers accesses needs and finds. */
typedef struct Gather {
  Arena *a;
  Facts *facts;
  const Uniform *uniform;
  const SymbolList *strided; /* variables that start at THREAD and do nothing but step by the block's size */
  const SymbolList *strided_by_warp; /* .. at LANE, and step by a warp's lanes */
  const SymbolList *exposed; /* shared variables that other blocks of the cluster store to */
} Gather;

/* Notes the variable of a loop that lanes go through by a block's steps, or by a warp's. */
void access_note_stride(Arena *a, const Kernel *k, const Tree *loop, SymbolList *block, SymbolList *warp);

/* Adds the loads of shared memory in an expression, under what is known here and by its own conditions. */
void access_loads(Gather *g, const Tree *value, Accesses *to);
/* Adds a store or an atomic on `place` if it is shared memory. */
void access_store(Gather *g, const Tree *place, AtomicOp atomic, Accesses *to);

/* Without those of buffers that a loop uses by turns. */
void access_leave_out_buffers(Accesses *x);

/* Adds a store of 16 bytes, if they are shared memory's. */
void access_store_wide(Gather *g, const Tree *place, Accesses *to);

/* Adds a store to the cluster's first block, of a PUSH. */
void access_push(Gather *g, const Tree *place, Accesses *to);
bool access_is_exposed(const Gather *g, const Symbol *s);

/* Who must wait when `x` comes before `y`: SCOPE_NONE when they never meet, or in one lane only. */
Scope access_conflict(Gather *g, const Access *x, const Access *y);

/* Is all that is kept of them the same, but for what is known of their indices? */
bool access_equal(const Access *x, const Access *y);

/* A loop's counter moves on, by `step', from what it was at `time': accesses of the iteration that ends are carried
 * into the next. 0: it moves in a way that is not known. */
void access_carry(Accesses *all, const Symbol *counter, int64_t time, int64_t step);
/* .. and that one begins, at `time'. */
void access_carried(Accesses *all, const Symbol *counter, int64_t time);
/* The loop is left: its counter stands for nothing any more. */
void access_leave(Accesses *all, const Symbol *counter);

/* Does the tree, statement or value, touch shared memory? */
bool access_any(const Tree *t);

#endif
