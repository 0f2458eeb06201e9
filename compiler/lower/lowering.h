/* lowering.h: what the parts of lower/ share. A plan is lowered node by node, towards a destination:
 * whoever combines a result says where its leader is to put it, so that no value is copied about.
 *
 *   lower.c    the plan's nodes          -> statements of the kernel that is open
 *   grid.c     those of the grid         -> kernels and the host's part
 *   finish.c   the results of its blocks -> one of them that goes on and combines them
 *   cluster.c  those of a cluster        -> one kernel, whose blocks push to the first of them
 *   fit.c      blocks                     -> as many lanes as shared memory allows
 *   slots.c    maps over register slots  -> unrolled loops of 16-byte loads
 *   view.c     containers and partitions -> positions in memory
 *   inline.c   a codelet's body          -> statements for the lanes of one place */
#ifndef TGC_LOWER_LOWERING_H
#define TGC_LOWER_LOWERING_H

#include "compose/plan.h"
#include "ir/operator.h"
#include "ir/program.h"
#include "lower/build.h"

typedef VEC(Tree *) Statements;

/* Who runs the code that is being written: the lanes of one instance of a level. */
typedef struct Place {
  const Level *level;
  Tree *lane;   /* a lane's number among the place's lanes */
  Tree *lanes;  /* how many there are */
  Tree *first;  /* the number, in the block, of the place's lane 0; NULL: 0 */
  Tree *leader; /* true on lane 0 alone; NULL when there is one lane only */
  int width;    /* lanes of a vector: of a warp, or of the sub-warp that the place is */
  bool vectors; /* several vectors: VectorId() is the warp; else it is 0 */
} Place;

/* A container, as seen from one place. */
typedef struct View {
  Symbol *base;        /* memory: a pointer or a shared array, */
  Tree *begin, *end;   /* positions begin, begin + step, .. below end */
  Tree *step;
  Symbol *register_of; /* or, when not NULL, each lane's own element: element i is lane i's variable, */
  Tree *count;         /* and there are so many */
  Tree *size;          /* elements, as an expression; made when first asked for */
  Tree *from, *worker, *workers; /* when not NULL: it is every workers-th of the elements at from, from + 1, .. below
                                    end, the first of them at from + worker */
  Tree *place;         /* of a view of one element: where that stands in `in'; NULL: at its position in base */
} View;

/* Where a result goes. The place's leader delivers it. */
typedef enum DestinationKind { TO_PLACE, TO_ATOMIC, TO_REGISTER, TO_FIRST_BLOCK, TO_POST } DestinationKind;
typedef struct Destination {
  DestinationKind kind;
  Tree *place;     /* TO_PLACE, TO_ATOMIC: an INDEX or REF; TO_FIRST_BLOCK: an INDEX of a shared array, meant in the
                      cluster's first block; TO_POST: an INDEX of the posts, by block */
  AtomicOp atomic; /* TO_ATOMIC */
  Scope scope;
  Symbol *value;   /* TO_REGISTER: gets the symbol that holds it, on every lane of the place */
  const char *name; /* TO_REGISTER: name to give it */
} Destination;

typedef struct Lowering {
  Arena *a;
  Diagnostics *d;
  const Plan *plan;
  Program *program;
  Kernel *kernel;        /* being written; NULL on the host */
  Statements *to;        /* where statements go */
  Statements shared;     /* declarations for the kernel's head */
  Statements start;      /* initialisations of shared memory, before everything else */
  VEC(const char *) names; /* taken in the kernel or, on the host, in the host function */
  Symbol *threads;       /* lanes of a block */
  const struct View *part; /* what the block that is being written goes through; NULL: not known */
  Tree *part_most;       /* most elements that a block's part has, for the host; NULL: not known */
  Symbol *begun_last;    /* in the block's leader: is it the last block to begin, of those that post? */
  Tree *once_when;       /* when the kernel's flag `once' holds, for the host */
  bool failed;
} Lowering;

/* What a compound codelet's text says for one choice of workers: its locals are declared where statements go now;
 * the sequences of its partition come back in kernel form. */
typedef struct Regroup { const Tree *start, *inc, *end; Tree *parts; } Regroup;

/* ---- lower.c ---- */
const char *lowering_name(Lowering *l, const char *wanted); /* not yet taken; takes it */
void lowering_add(Lowering *l, Tree *statement);
void lowering_comment(Lowering *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void lowering_comment(Lowering *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
const char *lowering_source(Lowering *l, const Codelet *c); /* "tiled, sum.cdl:24" */
void lowering_deliver(Lowering *l, const Place *p, Tree *value, Destination *to);
Symbol *lowering_shared(Lowering *l, const char *name, Type type, Tree *length);
const char *lowering_source(Lowering *l, const Codelet *c); /* "tiled (sum.cdl:24)" */

void lowering_node(Lowering *l, const PlanNode *n, const Place *p, View *in, Destination *to);

/* Says what cannot be lowered, once; false. */
bool lowering_fail(Lowering *l, SourceRange where, const char *what);
/* Who runs the work of one instance of a level. */
Place lowering_place(Lowering *l, const Level *level);
/* Most elements that a node at `level` can serve, as an expression; NULL: any number. */
Tree *lowering_serves(Lowering *l, const PlanNode *n, const Level *level);

/* ---- grid.c ---- */
/* A tunable of the program by that name, made if need be. */
const ProgramConstant *lowering_constant(Lowering *l, const char *name, const char *what, const SizeVar *v, Type type);
/* A kernel is written between these; the second one launches it. */
Kernel *kernel_open(Lowering *l, const char *what, const char *note);
void kernel_close(Lowering *l, Statements *body, Statements *launches, Tree *blocks, Tree *threads);
/* A grid node on a view: its result goes to `place', a word of memory. */
void grid_lower(Lowering *l, const PlanNode *n, View *in, Tree *place, Statements *sizes, Statements *launches);

/* Rounds adjacent tiles up to whole grains of `grain' elements, so that only the last has a ragged end; a tile's
 * elements, or NULL for other partitions. */
Tree *grid_keep_grain(Lowering *l, Regroup *r, Tree *grain);
/* Declares, for the host, the elements that one 16-byte load of every lane of a block takes. */
Tree *grid_declare_grain(Lowering *l);

/* ---- finish.c ---- */
/* For a grid whose blocks' results are combined as `how' says: what its blocks do first, .. */
void finish_begin(Lowering *l, SyncKind how, const Place *block, Symbol *blocks);
/* .. where they put their results, .. */
Destination finish_destination(Lowering *l, SyncKind how);
/* .. and, unless they just end, what the one that goes on does: `n' devolves the work to it. */
void finish_lower(Lowering *l, SyncKind how, const PlanNode *n, const Place *block, Symbol *blocks, Tree *place);

/* ---- cluster.c ---- */
/* A node that leaves the grid's work to one cluster, likewise. */
void cluster_lower(Lowering *l, const PlanNode *n, View *in, Tree *place, Statements *sizes, Statements *launches);

/* ---- fit.c ---- */
/* Fewer lanes a block where what they share would be more than a block has; false when even the fewest are too many. */
bool lowering_fit(Lowering *l);

/* ---- slots.c ---- */
/* A map over register slots whose container is spread over the lanes: 16-byte loads, each slot with an
 * accumulator of its own. */
bool slots_fit(const Lowering *l, const PlanNode *n, const View *in);
void slots_lower(Lowering *l, const PlanNode *n, const Place *p, View *in, Destination *to);

/* ---- view.c ---- */
Tree *view_size(Lowering *l, View *v);
Tree *view_element(Lowering *l, const View *v, Tree *index);
/* The part that worker number `worker` of `parts` gets; start, inc and end are SEQUENCE trees whose expressions are
 * already in kernel form. Declares its begin and end under names made from `who`. */
View view_part(Lowering *l, View *v, Tree *worker, Tree *parts, const Tree *start, const Tree *inc,
               const Tree *end, const char *who);

/* ---- inline.c ---- */
/* Statements that compute an atomic codelet's body for the lanes of `p` on `in`; delivers the result. */
void inline_codelet(Lowering *l, const Codelet *c, const Form *form, const Place *p, View *in, Destination *to);

/* What the names of a codelet's text stand for where it is inlined. */
typedef struct Binding {
  const Symbol *from;
  Tree *to;
  Tree *offset; /* of a shared array cut into a slice a warp: added to every index; else NULL */
} Binding;
typedef struct Environment {
  VEC(Binding) bound;
  const Symbol *container; /* the codelet's container parameter */
  const Tree *body;        /* all of an atomic codelet's text: what it assigns to is a variable; NULL: no
                              statement does */
  View *view;              /* what it stands for */
  const Place *place;
} Environment;
Regroup lowering_regroup(Lowering *l, const PlanNode *n, Environment *e, Tree *parts); /* lower.c */

Tree *inline_expression(Lowering *l, Environment *e, Tree *t);
void inline_bind(Lowering *l, Environment *e, const Symbol *from, Tree *to, Tree *offset);
/* Statements of a body that has no shared variables; `to' is where its return value goes. */
void inline_statements(Lowering *l, Environment *e, const Tree *t, Destination *to);
/* Is it `for (i = 0; i < in.Size(); ++i)' with i used for nothing but in[i]? */
bool inline_loops_over_container(Lowering *l, Environment *e, const Tree *t);
void inline_declaration(Lowering *l, Environment *e, const Tree *declare);

/* Does the body read its container only at its own lane, in[ThreadId()]? */
bool inline_reads_own_lane(const Codelet *c, const Form *form);

#endif
