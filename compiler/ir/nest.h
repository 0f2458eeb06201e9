/* nest.h: the form between a plan and its kernels: which loops, workers and registers go through a problem's elements,
 * and what is done with each.
 *
 *   dimension  of the problem, a container's elements say; its role says which orders give the same result
 *   axis       a factor of a dimension: `extent' iterations, `stride' elements apart, bound to a loop, to workers, ..
 *   value      memory, a tile of it in registers, an accumulator
 *   stage      what is done with one element: a codelet's loop body, a copy. It has no conditions of its own: which
 *              iterations there are is said by the axes' tails
 *   join       makes one result of those that the iterations of an axis have kept apart
 *   node       the tree of all that, in the order of the text
 *
 * Edits make axes (nest.c); lower/tails.c says what becomes of iterations beyond the end; lower/realise.c writes
 * statements. Sizes, strides and positions are kernel-form expressions, in elements. */
#ifndef TGC_IR_NEST_H
#define TGC_IR_NEST_H

#include "ir/tree.h"

/* Of a dimension's iterations: which orders give the same result. A greater one allows less. */
typedef enum NestRole {
  ROLE_MAP,    /* any order, any number at once                           */
  ROLE_REDUCE, /* combined: any grouping                                  */
  ROLE_SCAN,   /* combined, and each needs what stands before: in order   */
  ROLE_ORDER   /* each needs all of the one before: one after another     */
} NestRole;

typedef VEC(Tree *) Statements;

typedef struct NestAxis NestAxis;
typedef struct NestValue NestValue;
typedef struct NestNode NestNode;

/* What parts have in common, as far as the host can tell: how many elements, and how many from one's beginning to the
 * next one's, where `when' holds (NULL: always); NULL: they differ. */
typedef struct NestEach { Tree *elements, *stride, *when; } NestEach;

typedef struct NestDim {
  const char *name;
  NestRole role;
  const Spectrum *op;    /* REDUCE, SCAN: whose operator combines; else NULL */
  Tree *origin, *end;    /* the position of its first element, and the one behind its last */
  const struct NestDim *ends_of; /* its elements are those that whole iterations of this one leave, before the first and
                            behind the last; NULL: it has some of its own */
  NestValue *aligned_by; /* memory: iterations are whole from its first multiple of 16 bytes on; NULL: from the origin
                            on */
  NestEach each;
  VEC(NestAxis *) axes;  /* a mixed radix, the outermost first: each stride is the next one's stride times its extent */
} NestDim;

typedef enum NestBinding {
  BINDING_LOOP,    /* one iteration after another                                           */
  BINDING_UNROLL,  /* written out                                                           */
  BINDING_CODELET, /* gone through by the codelet's own loop, or by one with the axis above */
  BINDING_WORKERS, /* those of a level: iteration `number' is this worker's                  */
  BINDING_IN_STEP, /* workers that take as many turns each: lanes of a CPU's vector, or such as exchange there */
  BINDING_WIDE,    /* one access to memory                                                  */
  BINDING_SKEWED,  /* in each iteration of loops above the one that `number' says, if any   */
  BINDING_HOST,    /* of the host: kernels are launched again in each iteration             */
  BINDING_GRID     /* of a grid that stays: its blocks go through each iteration's kernels   */
} NestBinding;

/* What becomes of iterations beyond the end of a dimension. */
typedef enum NestTail {
  TAIL_NONE,     /* there are none: it is proved                                                    */
  TAIL_CLIP,     /* the loop, or what a worker is handed, ends where the dimension does             */
  TAIL_EMPTY,    /* what a worker is handed there is made empty                                     */
  TAIL_PEEL,     /* whole iterations, then what is left, as the next axis says                      */
  TAIL_GUARD,    /* a condition around the stage: no exchange may be in it                          */
  TAIL_SKIP,     /* the same around all that a written-out iteration does                           */
  TAIL_IDENTITY, /* loads leave the operator's identity there, stores are guarded: stages run on    */
  TAIL_REPEAT,   /* the last iteration is done again, and delivered once                            */
  TAIL_FIRST,    /* of workers: the first one acts for all                                          */
  TAIL_ALL       /* .. each does the same, and the first one's result counts                        */
} NestTail;

/* How far a loop goes on from where its dimension is. */
typedef enum NestUntil {
  UNTIL_END,     /* to the end                                      */
  UNTIL_ALIGNED, /* to the first multiple of 16 bytes, or the end   */
  UNTIL_WHOLE,   /* as long as all of an iteration lies within      */
  UNTIL_ONCE     /* one iteration                                   */
} NestUntil;

struct NestAxis {
  const char *name;
  NestDim *dim;
  NestBinding binding;
  const char *level;     /* WORKERS, IN_STEP: whose, "thread"; else NULL */
  Tree *extent, *stride; /* iterations, NULL: as many as the dimension has; elements from one to the next */
  Tree *rounds;          /* .. as many as the dimension has, where a constant of the kernel says that; else NULL */
  Tree *number;          /* WORKERS, IN_STEP: which iteration this one's is; SKEWED, of `many': this one; else NULL */
  Tree *many;            /* it counts iterations, so many, those of axes below with them, and not elements; else NULL */
  Tree *first, *next;    /* .. of workers that go on: with which this one begins, and the next one that nobody has */
  Tree *at;              /* LOOP, IN_STEP: the position of the iteration that is being written; NULL: none is. WORKERS:
                            where this one begins, if that has a name. UNROLL_JAM: its number */
  Tree *exists;          /* FIRST: is this worker the first? REPEAT: has it an iteration of its own? NULL: it is, it
                            has. SKEWED: is there one? */
  const NestAxis *skewed; /* SKEWED: whose iteration that is */
  Statements before;     /* LOOP, UNROLL_JAM: what is to be done ahead of it, until it is written */
  Statements *here;      /* UNROLL_JAM: where an iteration's statements go; NULL: none is being written */
  int bytes;             /* WORKERS, IN_STEP: .. of a CPU's vector, of which they have an element each; 0: the
                            machine's */
  NestTail tail;
  NestUntil until;       /* LOOP */
  Tree *left;            /* HOST: an element of the workspace, not 0 once a kernel has ended the loop
                            (NestKernel.leaves); NULL: none does */
  bool endless;          /* HOST: .. and nothing else ends it */
  ForUnroll unroll;      /* LOOP: what passes may do to it; UNROLL: whether nests below may sink it (UNROLL_JAM) */
};

typedef enum NestSpace { NEST_MEMORY, NEST_SHARED, NEST_REGISTERS } NestSpace;

struct NestValue {
  const char *name;
  NestSpace space;
  struct View *view;     /* the container there (lower/lowering.h), of all copies; its elements are of the dimensions at
                            hand; NULL: of tiles, accumulators, and what is shared but a plan's to know */
  Tree *begin;           /* MEMORY: where these are counted from, when another view is made of it; else NULL */
  bool aligned;          /* MEMORY: whole iterations begin at multiples of 16 bytes of it too */
  NestValue *of;         /* REGISTERS: the memory that it is a tile of; NULL: an accumulator, a number */
  Type type;             /* .. of the tile's elements, which it is declared with all else for; VOID: that of memory's */
  Tree *is;              /* of a number, what it begins as; of a variable that a block shares, what one lane sets it to
                            before all else. NULL: a stage or a join says so */
  Tree *now;             /* .. and what it is, once that is written */
  VEC(NestAxis *) kept;  /* it has one copy for each iteration of these, the outer one first */
  Tree *copy_stride;           /* .. elements from one copy to the next; NULL: copies of an element lie side by side */
  VEC(NestAxis *) partial; /* axes whose iterations' contributions are not combined in it yet */
  Symbol *symbol;        /* the array or the variable that holds it, a pointer that the call is given: it is named, and
                            declared, where it begins to live; NULL: a view has it */
};

typedef enum StageKind {
  STAGE_CODELET, /* a codelet's loop body                                */
  STAGE_WHOLE,   /* all of a codelet                                     */
  STAGE_BEGIN,   /* a codelet's variables, which its loop body goes on with */
  STAGE_RESULT,  /* what a codelet returns in all its slots              */
  STAGE_COPY,
  STAGE_NUMBER,  /* one number as another, or as two of them combined, on each worker */
  STAGE_FILL,    /* with an operator's identity                          */
  STAGE_COMBINE, /* all copies of a value, by an operator                */
  STAGE_DELIVER, /* a result, to where the leader of a place has to put it */
  STAGE_SYNC     /* what workers tell one another: one statement         */
} StageKind;
typedef enum NestUse { USE_READ, USE_WRITE, USE_ACCUMULATE } NestUse;
typedef struct NestAccess {
  NestValue *value;
  NestUse use;
} NestAccess;

typedef struct NestStage {
  StageKind kind;
  const Codelet *codelet; /* CODELET, WHOLE, RESULT: whose it is */
  OperatorKind op;        /* FILL, COMBINE, NUMBER of two */
  Tree *sync;             /* SYNC; COPY: its text, NULL: it follows from what is accessed */
  VEC(NestAccess) at;     /* COPY, NUMBER, COMBINE, RESULT: first what is written, then what is read */
} NestStage;

/* How what workers found becomes one result. */
typedef enum NestWay {
  WAY_CODELET, /* a codelet has all of it as a container                             */
  WAY_ATOMIC,  /* workers accumulate it where it is wanted                           */
  WAY_LAUNCH,  /* a next kernel combines it                                          */
  WAY_TICKET,  /* the last block to arrive combines it                               */
  WAY_POST,    /* the last block to begin waits for what each of the others posts    */
  WAY_PUSH,    /* a cluster's blocks push it to the first, which combines it         */
  WAY_LANES,   /* lanes combine the copies of some elements each                     */
  /* of a scan, within the iteration whose total is `from': */
  WAY_CARRY,     /* the next iteration has it in a register                          */
  WAY_LOOK_BACK, /* workers look back at what those before them have posted          */
  WAY_SCANNER,   /* one worker tells all others                                      */
  WAY_CHAIN      /* each waits for the one before it                                 */
} NestWay;

typedef struct NestJoin {
  NestValue *from;        /* partial over .. */
  NestAxis *over;
  NestWay way;
  NestValue *to, *all;    /* of a scan: gets what stands before each iteration, CARRY: before the next one; and the
                             total of all, NULL: nobody asks */
} NestJoin;

typedef struct NestKernel {
  const char *name, *note;
  Tree *blocks, *cluster; /* of these so many are a cluster; NULL: there are none */
  Tree *when;             /* it is launched where this holds; NULL: always */
  bool alone;             /* of one thread */
  Tree *takers;           /* of a CPU: so many threads take the blocks one by one; NULL: each has one */
  NestAxis *leaves;       /* it says whether that loop of the host's, which it is in, goes on; NULL: of none */
  NestValue *part;        /* what each block goes through, counted from where its container begins; NULL: not known */
  Tree *most;             /* .. and most elements of that, for the host; NULL: not known */
} NestKernel;

typedef enum NestKind {
  NEST_SEQ,
  NEST_AXIS,   /* its kids, in each iteration */
  NEST_PIECES, /* its axis' iterations: its kids go on from one another */
  NEST_STAGE,
  NEST_JOIN,   /* its kid combines; of atomics none does */
  NEST_KERNEL, /* a launch of its kids */
  NEST_WHEN,   /* a flag that the launcher computes, or a condition: kid 0 where it holds, else kid 1 */
  NEST_AHEAD,  /* before the loop around that goes through parts: what is the same for all of them. Of an axis: its
                  iterations go through these loops together, each between what it does before and behind them */
  NEST_UNLESS, /* kid 0, then kid 1; where kid 1 has seen to what kid 0 does, that is left out */
  NEST_OPEN    /* a plan's node: it is opened when the text comes to it, and its kid is what it was opened into */
} NestKind;

struct NestNode {
  NestKind kind;
  NestAxis *axis;
  NestStage *stage;      /* STAGE; of an OPEN, what it accesses, NULL: nothing of the nest's */
  NestJoin *join;
  NestKernel *kernel;
  Tree *when;
  const struct PlanNode *plan;
  struct Work *work;     /* OPEN, WHOLE, DELIVER: who does it, on what, and where its result goes (lower/lowering.h) */
  struct Opened *opened; /* what the stages below are of (lower/realise.h); NULL: as above */
  const bool *made;      /* UNLESS: kid 1 has seen to it */
  VEC(NestValue *) home; /* values that begin to live here */
  VEC(NestNode *) kids;
  NestNode *above;       /* whose kid it is, at last; NULL: nobody's */
  const char *comment;   /* above its text; of an OPEN: its plan's text */
};

/* ---- making and editing (nest.c) ---- */

NestNode *nest_node(Arena *a, NestKind kind, const char *comment);
NestNode *nest_add(Arena *a, NestNode *to, NestNode *kid); /* kid */
NestNode *nest_over(Arena *a, NestAxis *axis, NestNode *kid); /* kid NULL: none yet */
NestNode *nest_stage(Arena *a, StageKind kind, const Codelet *c);
/* What an operator gives is written to one value: its identity; or, of another value (NULL: there is none), all
 * copies. */
NestNode *nest_operate(Arena *a, StageKind kind, OperatorKind op, NestValue *to, NestValue *from);
void nest_access(Arena *a, NestNode *stage, NestValue *value, NestUse use);
/* by NULL: the way does it */
NestNode *nest_join(Arena *a, NestValue *from, NestAxis *over, NestWay way, NestNode *by);
NestNode *nest_kernel(Arena *a, const NestKernel *k);
NestNode *nest_when(Arena *a, Tree *flag, NestNode *then, NestNode *otherwise); /* NULL: nothing is done */
NestValue *nest_value(Arena *a, const char *name, NestSpace space);
/* Numbers that live there, and begin as that; and what a block shares: so many, NULL: one. `home' NULL: the caller
 * says. */
NestValue *nest_number(Arena *a, NestNode *home, const char *name, Type type, Tree *is);
NestValue *nest_shared(Arena *a, NestNode *home, const char *name, Type type, Tree *length);
NestNode *nest_sync(Arena *a, Tree *statement);

/* A dimension as one loop over its elements. */
NestAxis *nest_dimension(Arena *a, const char *name, NestRole role, Tree *origin, Tree *end);

/* .. of so many, one for each iteration of a loop that is written out: all are there. */
NestAxis *nest_unrolled(Arena *a, const char *name, Tree *many);

/* The only edit that makes axes: a new factor of `extent' iterations right below `axis', which takes its stride; those
 * of `axis' and of all above it grow by that factor. So a dimension is covered, whatever it is cut into. */
NestAxis *nest_split(Arena *a, NestAxis *axis, const char *name, Tree *extent, NestBinding binding);

/* Gives the position of its iterations a name, before they are written. */
Tree *nest_count(Arena *a, NestAxis *axis, const char *name, Type type);

/* Unroll and jam: an axis around `loops', of independent iterations, goes below them, right above the axis `lane' of
 * theirs. Requires that the loops are the same for all of its iterations. */
NestNode *nest_sink(Arena *a, NestNode *loops, NestAxis *axis, const NestAxis *lane);

static inline bool nest_is_nothing(const NestNode *n) { return n->kind == NEST_SEQ && !n->kids.n; }

/* The nearest axis above that is bound so; NULL: there is none. */
NestAxis *nest_above(const NestNode *n, NestBinding binding);

/* How many iterations it has, where its dimension begins at 0. */
Tree *nest_extent(Arena *a, const NestAxis *axis);

/* Iterations become workers' of a level; `number' is this one's. */
void nest_bind(NestAxis *axis, NestBinding binding, const char *level, Tree *number);

/* A dimension of so many iterations, one a worker; and a factor of workers. */
NestAxis *nest_workers(Arena *a, const char *name, NestRole role, Tree *many, const char *level, Tree *number);
NestAxis *nest_split_workers(Arena *a, NestAxis *axis, const char *name, Tree *many, const char *level, Tree *number);

/* The same factor, bound otherwise, for another stage; the end of a dimension may be another matter there. */
NestAxis *nest_again(Arena *a, const NestAxis *axis, const char *name, NestBinding binding, NestTail tail);

/* One iteration of an axis in each of those of loops above: `number', where it `exists'. These loops say each number
 * once. */
NestAxis *nest_skewed(Arena *a, const NestAxis *axis, Tree *number, Tree *exists);

/* A copy of the value for each iteration of the axis, and what is to be joined where these contribute to one result. */
void nest_keep(Arena *a, NestValue *value, NestAxis *axis);
void nest_partial(Arena *a, NestValue *value, NestAxis *axis);

/* ---- nest_print.c, nest_verify.c ---- */

/* One line a node, indented. */
void nest_print(Buffer *to, const NestNode *n);

/* Are these true? The first that is not is an error, "internal: ..", and the answer false.
 *
 *   cover   from a stage up, a dimension's axes are a mixed radix: strides 1, extent, extent * extent, .., and the last
 *           one goes as far as the dimension: each element is met once
 *   worker  no two axes above a stage are bound to the same worker's number
 *   role    what goes on in order is not bound to workers; what workers reduce, or what is kept apart, is
 *           partial over these
 *   scan    iterations whose totals a stage finds are joined: loops carry what stands before, workers ask one another
 *   join    what lives in a nest, and is kept over an axis that it is partial over or is no lane's own, meets one join
 *           over that, outside of the axis, and nobody reads it before; atomics join what is kept once, others what is
 *           kept apart
 *   home    registers are used below the node that they live at, and have one home
 *   tail    no join stands below workers that a guard or a clipped end keeps out, or of which one acts for all
 *   first   what one worker alone found nobody else reads
 *   left    a kernel that may end a loop of the host's is in it; a loop without another end has such a word
 *   shape   nodes have what their kind says */
bool nest_verify(const NestNode *n, Diagnostics *d);

#endif
