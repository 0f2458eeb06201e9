/* lowering.h: what the parts of lower/ share. A plan is lowered node by node, towards a destination:
 * whoever combines a result says where its leader is to put it, so that no value is copied about.
 *
 *   lower.c    a plan                  -> a program: its operands, its root, which is opened
 *   realise.c  a nest                  -> statements; a plan's node in it is opened when the text comes to it.
 *              realise.h has the files that open, and those that write
 *   context.c  what all files write with; launch.c: kernels and the host's numbers
 *   fit.c      blocks                  -> as many lanes as shared memory allows
 *   view.c     containers and partitions -> positions in memory
 *   parts.c    a map's arguments       -> those of each worker
 *   contract.c what arguments must have in common -> a call that breaks it is refused
 *   cuts.c     maps over cuts, each of one dimension -> parts by dimension, and an axis for each
 *   inline.c   a codelet's body        -> statements for the lanes of one place; inline.h has the files between them */
#ifndef TGC_LOWER_LOWERING_H
#define TGC_LOWER_LOWERING_H

#include "compose/plan.h"
#include "ir/build.h"
#include "ir/nest.h"
#include "ir/operator.h"
#include "ir/program.h"

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

/* Where a container's elements come from (PACXX 4): memory, or a function of others' elements, of positions. */
typedef enum ViewKind { VIEW_MEMORY, VIEW_TRANSFORM, VIEW_REPEAT, VIEW_IOTA, VIEW_GENERATE, VIEW_GATHER,
               VIEW_HANDED /* none: who would store them hands them on (handed.h) */ } ViewKind;

/* A container, as seen from one place. */
typedef struct View View;

/* A copy that is made while it is read for the first time; `made': somebody has done so. */
typedef struct Copying { const View *from; bool made; } Copying;

typedef struct Handing Handing;
typedef struct Handover Handover;

typedef struct Lowering Lowering;

/* What is done with element number `index' of a container that is handed on, in place of storing it. */
typedef struct Handing {
  void (*put)(Lowering *l, const View *v, Tree *index, Tree *value, const Handover *how);
  union {
    struct HandedTo *to;   /* handed.c */
    struct Rescan *row;    /* rescan.c */
  };
} Handing;

/* What element i of it is, wherever its positions come from. */
typedef struct Source {
  ViewKind kind;
  Symbol *base;             /* MEMORY: a pointer or a shared array; or: */
  Tree *origin;             /* .. where in it position 0 is; NULL: at its beginning */
  Symbol *register_of;      /* each lane's own element: element i is lane i's variable */
  const Spectrum *function; /* TRANSFORM: of the elements of `of'; GENERATE: of positions */
  View *of[MOST_OPERANDS];  /* TRANSFORM: containers whose element i stands where this one's does: at i of their own
                               count from their `begin'; GATHER: a container, and the container of positions in it */
  int nof;
  union {
    Tree *number;           /* REPEAT: each element; IOTA: the first */
    const struct Handing *handing; /* HANDED: to whom */
  };
  Copying *copying;         /* MEMORY: element i of base is to become element i of another container; NULL: it has
                               some */
  bool interleaved;              /* MEMORY: the same element of the next part stands beside each */
} Source;

/* A view of several dimensions: element (r, c) is at begin + r * row_step + c * column_step, and the view's `size' is
 * rows. */
typedef struct Plane {
  Tree *columns;               /* NULL: it has one dimension */
  Tree *row_step, *column_step;
  bool alone;                  /* one worker contributes to it */
  bool fresh;                  /* it has no values yet, and is to have the operator's identity */
  const struct ElementStep *begins, *ends; /* what each element is made of before others contribute to it, and behind
                                  (finished.h); NULL: it is as it is */
  const View *copied;          /* it is a copy of that, for one of those who contribute, and nobody has set it to
                                  anything; NULL: it is none */
  Tree *at[MOST_DIMENSIONS];   /* which row, or column, stands for the one at hand; NULL: itself */
  Tree *from[MOST_DIMENSIONS]; /* which row and column of the whole it begins with; NULL: the first */
  Tree *box;                   /* where in the base that whole begins; NULL: at its beginning */
  Tree *early;                 /* that of `from' which may be before the first; NULL: none */
  struct { Tree *size, *step; } deep[MOST_RANK - 2]; /* the third dimension, and the fourth; NULL: it has none */
} Plane;

struct View {
  Source source;
  Tree *begin, *end;     /* positions begin, begin + step, .. below end */
  Tree *step;
  Tree *size;            /* elements, as an expression; made when first asked for */
  Plane plane;
  const NestAxis *spread; /* when not NULL: it is one worker's share of a run, which begins where that dimension does:
                            every extent-th element, from its number on */
  struct { Tree *first, *step; bool counted;
  } line;                /* a lane's row, whose elements lie side by side: where the first
lane's begins, and how far the next one's is from it; NULL: it is read where it lies. counted:
lanes go through neighbouring rows, whose elements lie apart: together, element by element */
  bool by_position;      /* of a part: its elements are named by where they stand, not by their number; a loop over it
                            inside the loop that does so counts */
  Tree *place;           /* of a view of one element: where that stands in `in'; NULL: at its position in base */
};

/* What stands for a codelet's parameters, in their order: a container each, or a number. */
typedef struct Argument { View *view; Tree *number; } Argument;
typedef struct Arguments { Argument at[MOST_OPERANDS]; int n; } Arguments;

/* Where a result goes. The place's leader delivers it. */
typedef enum DestinationKind { TO_NOWHERE, TO_PLACE, TO_ATOMIC, TO_REGISTER, TO_FIRST_BLOCK, TO_POST } DestinationKind;
typedef struct Destination {
  DestinationKind kind;
  Tree *place;     /* TO_PLACE, TO_ATOMIC: an INDEX or REF; TO_FIRST_BLOCK: an INDEX of a shared array, meant in the
                      cluster's first block; TO_POST: an INDEX of the posts, by block */
  AtomicOp atomic; /* TO_ATOMIC */
  Scope scope;
  NestValue *value; /* TO_REGISTER: it is found there, on every lane of the place */
} Destination;

typedef struct Environment Environment;

/* A number that the host does not have, since a kernel before finds it: kernels whose text mentions it begin with
 * `const T symbol = is;'. */
typedef struct Computed {
  Symbol *symbol;
  Tree *is;   /* NULL: they are given it, since it is the counter of a loop of the host's */
  Tree *most; /* of how many elements there are: as many as that there may be, for which the host launches; NULL: it is
                 another number */
} Computed;

/* The kernel that is being written, and what is known in it. */
typedef struct Writing {
  Kernel *kernel;        /* NULL: it is the host's part */
  Statements shared;     /* declarations for the kernel's head */
  Statements start;      /* initialisations of shared memory, before everything else */
  VEC(const char *) names; /* taken in the kernel or, on the host, in the host function */
  Symbol *threads;       /* lanes of a block */
  Statements launches;   /* of kernels, on the host */
  VEC(Computed) numbers; /* that kernels compute for themselves */
  const Tree *left;      /* of the host's loop around, which kernels do nothing behind (NestAxis.left); NULL: there is
                            none */
} Writing;

/* Writes a lane's loop over a row of its own: inline.c comes upon it, and stands below those who open nests. */
typedef void WriteRows(Lowering *l, Environment *e, const Tree *loop);

struct Lowering {
  Arena *a;
  Diagnostics *d;
  const Plan *plan;
  Program *program;
  NestNode *nest; /* the plan, as far as it is opened: the node that is being opened, or written */
  Writing now;
  Statements *to; /* where statements go */
  WriteRows *rows;
  struct Held *held; /* of the steps that are being written (realise.h); NULL: there are none */
  bool failed;
};

/* What a compound codelet's text says for one choice of workers: its locals are declared where statements go now;
 * the sequences of its map's first partition come back in kernel form. */
typedef struct Regroup {
  const Tree *map;              /* the MAP or SLIDE */
  const Tree *first;            /* its first PARTITION, .. */
  const Tree *start, *inc, *end; /* .. whose sequences these are */
  Tree *parts;
  bool explicit_count;                   /* its text says how many parts there are: each one's result is for itself */
  bool sequential;                 /* one worker has them all, one after another */
  bool within;                  /* all workers have one: none is beyond the last part */
  bool few;                     /* they have few elements each */
  struct CutAxes *cuts;         /* it is over these (cuts.c); NULL: it is over parts of one dimension */
  const View *copies;           /* of what parts contribute to together, the first of the copies that they have each;
                                   NULL: all of them contribute to it where it is (partial.c) */
  Tree *takers;                 /* of a CPU: so many threads take its parts one by one; NULL: each has one */
  bool again;                   /* .. which begin as what it holds: that may be contributed once more */
  bool clustered;               /* what parts contribute to together is added by a cluster's blocks, which have these */
  Tree *copied;                 /* lanes' rows are copied: the first lane's part has this number; NULL: they are not */
  View *const *together;        /* .. by a block: what a lane has of each argument; NULL: they are not, or it is not */
} Regroup;

/* A part of a map, which is cut where its worker comes to it. */
typedef struct Part {
  const Regroup *cut; /* NULL: what is worked on is known */
  Environment *e;
  Tree *which;
  const char *who;    /* names of its positions begin so */
  Tree *exists;       /* partitions' parts are empty where this does not hold; NULL: they are as they are cut */
  bool transposed;    /* the rows of its lanes are copied */
  Tree *from, *most;  /* where the container begins that it is cut from, and most elements of it; NULL: not known */
} Part;

/* Opens a plan's node: its nest, whose kids may be nodes that are yet to be opened. NULL: it cannot, and has said
 * so. */
typedef struct Work Work;
typedef NestNode *Open(Lowering *l, const PlanNode *n, Work *w);

/* What a plan's node is opened with, or a codelet run, a result delivered. */
struct Work {
  Place place;      /* who does it, */
  Arguments in;     /* on what: */
  Part part;        /* a part of a map, */
  bool block;       /* which is all that a block goes through; */
  Destination *to;  /* where its result goes */
  const Form *form; /* of the codelet */
  Open *again;      /* it has been opened, and goes on so in its kernel; NULL: it has not */
  void *begun;      /* .. what is known of it since */
};

/* What the names of a codelet's text stand for where it is inlined. */
typedef struct Binding {
  const Symbol *from;
  Tree *to;
  Tree *offset; /* of a shared array cut into a slice a warp: added to every index; else NULL */
} Binding;
/* A container of a codelet's text, and what it stands for. */
typedef struct Standing { const Symbol *from; View *to; } Standing;
struct Environment {
  VEC(Binding) bound;
  const Codelet *codelet;
  Arguments arguments;     /* what its parameters stand for */
  const Symbol *private;       /* a container of its own, */
  View *private_view;          /* and what that stands for; NULL: it has none */
  VEC(Standing) between;   /* containers between a codelet's steps */
  const Symbol *container; /* its first container parameter, */
  View *view;              /* and what that stands for */
  const Tree *body;        /* all of an atomic codelet's text: what it assigns to is a variable; NULL: no
                              statement does */
  const Place *place;
};

/* ---- context.c ---- */
const char *lowering_name(Lowering *l, const char *wanted); /* not yet taken; takes it */
void lowering_add(Lowering *l, Tree *statement);
/* Declares a constant, by that name or one like it, where statements go now; a size or position. */
Symbol *lowering_fixed(Lowering *l, const char *name, Type type, Tree *value);
Tree *lowering_size(Lowering *l, const char *name, Tree *value);
/* The same of a number that kernels compute for themselves, where the value is one, or made of such. */
Tree *lowering_number(Lowering *l, const char *name, Type type, Tree *value);
/* .. of how many elements there are, of at most so many; and what the host has in place of such numbers. */
Tree *lowering_count(Lowering *l, const char *name, Tree *value, Tree *most);
Tree *lowering_of_host(Lowering *l, Tree *value);
/* Is it made of such numbers? */
bool lowering_is_computed(const Lowering *l, const Tree *value);
void lowering_comment(Lowering *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void lowering_deliver(Lowering *l, const Place *p, Tree *value, Destination *to);
Symbol *lowering_pointer(Lowering *l, const char *name, Type type); /* to what a call is given */
Symbol *lowering_array(Lowering *l, const char *name, Type type, Tree *length); /* a lane's own, in registers */
Symbol *lowering_shared(Lowering *l, const char *name, Type type, Tree *length);
const char *lowering_source(Lowering *l, const Codelet *c); /* "tiled (sum.cdl:24)" */

/* What the nest says of the node that is being opened, or written:
 *
 *   axis_of_parts  of a map whose parts are as many as its text says: the axis of these, at the one at hand; NULL:
 *                  there is none
 *   there          workers that have no part do again what the last part's does: is this one not of these? They write
 *                  nothing. NULL: all have a part, or somebody above sees to it
 *   apart          is this what workers that have a part alone do?
 *   kernel         that it is in; NULL: none is known
 *   work           the plan that launches it: the whole one, or of a grid's steps the one at hand */
const NestAxis *lowering_axis_of_parts(const Lowering *l);
Tree *lowering_there(const Lowering *l);
bool lowering_apart(const Lowering *l);
NestKernel *lowering_kernel(const Lowering *l);
const PlanNode *lowering_work(const Lowering *l);

/* A plan's node, yet to be opened. `in' NULL: a part, which the caller says. */
NestNode *open_plan(Lowering *l, const PlanNode *n, const Place *p, const Arguments *in, Destination *to);
/* A value's result, where the leader of a place is to put it. */
NestNode *open_deliver(Lowering *l, const Place *p, NestValue *value, Destination *to);
/* A container in memory, and a copy of one value to another. */
NestValue *open_memory(Arena *a, const char *name, View *v);
NestNode *open_copy(Arena *a, NestValue *to, NestValue *from);

/* The first container among them: what a reduction is of. */
View *lowering_container(const Arguments *in);
/* One container as arguments. */
Arguments lowering_of(View *v);
/* What the spectrum is applied to that a codelet applies as it is. */
Arguments lowering_applied(Lowering *l, const Codelet *c, const Place *p, Arguments *in);

/* Says what cannot be lowered, once; false. */
bool lowering_fail(Lowering *l, SourceRange where, const char *what);
/* Elements of a container's memory from one index of a dimension to the next: an operand, or 1. */
Tree *lowering_stride(Lowering *l, const Operand *container, int dimension);
/* On the host: a call for which that holds is refused. */
void lowering_refuse_where(Lowering *l, Tree *condition);
/* Is it lane 0, of its warp (OP_LANE) or of its block (OP_THREAD)? */
Tree *lowering_is_first(Lowering *l, Op lane);
/* Who runs the work of one instance of a level. */
Place lowering_place(Lowering *l, const Level *level);
/* Of places of a level in a block: this one's number, and how many there are. */
void lowering_workers(Lowering *l, const Level *level, Tree **own, Tree **many);
/* Most elements that a node at `level` can serve, as an expression; NULL: any number. */
Tree *lowering_serves(Lowering *l, const PlanNode *n, const Level *level);

/* ---- launch.c ---- */
/* A tunable of the program, one of the plan's, made if need be; and what it is, in words. */
const ProgramConstant *lowering_constant(Lowering *l, const Tunable *v, const char *what, Type type);
/* .. the plan's tunable by its name, 1: it has none. */
Tree *lowering_tunable(Lowering *l, const char *name);
/* Codelets' own that the program uses, in its kernels or on the host. */
void lowering_local_constants(Lowering *l, const Tree *sizes, const Tree *launches);
/* A kernel is written between these; the second one launches it. */
void kernel_open(Lowering *l, const NestKernel *how);
void kernel_close(Lowering *l, const NestKernel *how, const Statements *body);
/* Rounds adjacent tiles up to whole grains of `grain' elements, so that only the last has a ragged end; a tile's
 * elements, or NULL for other partitions. */
Tree *grid_keep_grain(Lowering *l, Regroup *r, Tree *grain);
/* The elements of each adjacent tile but the last; NULL: it is cut otherwise. */
Tree *grid_tile(const Regroup *r);
/* Declares, for the host, the elements that one 16-byte load of every lane of a block takes. */
Tree *grid_declare_grain(Lowering *l);

/* The host's part: sizes may ask for more blocks than a grid can have; such a call is refused. */
void grid_refuse_above(Lowering *l, Tree *many, Tree *most);

/* So many elements are worth another worker. */
Tree *grid_enough_work(Lowering *l);

const Level *grid_level_of_blocks(const Lowering *l);
/* "threads"; and "maximum number of threads": the workers of a level. */
const char *grid_plural(Lowering *l, const Level *level);
/* A sentence, "Each %s ..", about one of them. */
const char *grid_worded(Lowering *l, const char *sentence, const Level *level);
const char *grid_most_workers(Lowering *l);

/* ---- fit.c ---- */
/* Fewer lanes a block where what they share would be more than a block has; false when even the fewest are too many. */
bool lowering_fit(Lowering *l);

/* ---- view.c ---- */
View *view_new(Lowering *l, View v);
Tree *view_size(Lowering *l, View *v);
Tree *view_element(Lowering *l, const View *v, Tree *index);
/* Where in its base a position of a view in memory is. */
Tree *view_in_base(Lowering *l, const View *v, Tree *position);
/* A run in memory from its own position 0 on, so that it is aligned with others, wherever each begins; itself: it is
 * none, or begins there already. */
View *view_from_origin(Lowering *l, View *v);
/* Of two dimensions. */
Tree *view_element_of_plane(Lowering *l, const View *v, Tree *row, Tree *column);
/* Of any number of dimensions: its position in each. */
Tree *view_element_at(Lowering *l, const View *v, Tree *const *at, int n);
/* How many elements a dimension has, and how far neighbours in it lie apart. _of: where that is kept. */
Tree *view_extent(Lowering *l, View *v, int dimension);
Tree *view_elements(Lowering *l, View *v); /* of all dimensions */
Tree **view_extent_of(View *v, int dimension);
Tree **view_step_of(View *v, int dimension);
int view_rank(const View *v);
/* A whole container of one dimension in memory. */
View view_of_memory(Lowering *l, Symbol *base, Tree *size);
/* .. of so many dimensions, the last of which has its elements `step' apart. */
View view_of_array(Lowering *l, Symbol *base, Tree *const *extents, int rank, Tree *step);
/* Do elements of the same number stand at the same positions? */
bool view_aligned(const View *v, const View *w);
/* The same positions of another container that is aligned with the one that `part' is a part of. */
View view_like(const View *part, const View *v);
/* The containers' elements, a function of those of the same number. */
View *view_transform(Lowering *l, const Spectrum *function, View **of, int n);
/* Workers, and which one this is, of a run that begins there. */
const NestAxis *view_spread(Lowering *l, Tree *origin, Tree *worker, Tree *workers);
/* Are two cut by the same sequences? */
bool view_cut_alike(const Tree *x, const Tree *y);
/* How a container is cut: into so many parts, by SEQUENCE trees whose expressions are already in kernel form. */
typedef struct Cut { Tree *parts; const Tree *start, *inc, *end; } Cut;
/* The part that worker number `worker' gets. Declares its begin and end under names made from `who'. */
View view_part(Lowering *l, View *v, Tree *worker, const Cut *cut, const char *who);

/* ---- inline.c ---- */
/* Statements that compute an atomic codelet's body for the lanes of `p` on `in`; delivers the result. */
void inline_codelet(Lowering *l, const Codelet *c, const Form *form, const Place *p, Arguments *in, Destination *to);

/* `body' NULL: of a compound codelet. */
Environment inline_environment(Lowering *l, const Codelet *c, const Arguments *in, const Tree *body, const Place *p);
/* What a container of the codelet's text, or a view made of some, stands for. */
View *inline_view(Lowering *l, Environment *e, const Tree *t);
Regroup lowering_regroup(Lowering *l, const PlanNode *n, Environment *e, Tree *parts); /* parts.c */
/* The same for its second map, whose locals are those of the first. */
Regroup lowering_regroup_again(Lowering *l, const PlanNode *n, Environment *e);
/* What the codelet applies a spectrum to in that call; its map stands for `results'. */
Arguments lowering_called(Lowering *l, Environment *e, const Tree *call, View *results);
/* Where a compound codelet's `m.to(out)' has the map's results stored; NULL: it has none of this kind. Where worker
 * number `worker' delivers, when they are not combined. */
View *lowering_stored(Lowering *l, Environment *e);
Destination lowering_place_of(Lowering *l, Environment *e, Tree *worker); /* parts.c */

/* Are all of the map's parts cut by the same sequences? Then others will do as well. */
bool lowering_cut_once(const Regroup *r);
/* What worker number `worker' applies the map's spectrum to. */
Arguments lowering_parts(Lowering *l, const Regroup *r, Environment *e, Tree *worker, const char *who);

/* The map of a compound codelet, or what slides. */
const Tree *lowering_map(const Codelet *c); /* parts.c */
const Tree *lowering_second_map(const Codelet *c);
/* The call of one that applies a spectrum as it is. */
const Tree *lowering_call(const Codelet *c);

/* ---- contract.c ---- */
/* On the host: refuses calls whose sizes do not fit together as the map, or the call of a spectrum, takes for
 * granted. */
void contract_of_map(Lowering *l, Environment *e, const Regroup *r);
void contract_of_call(Lowering *l, Environment *e, const Tree *call);

Tree *inline_expression(Lowering *l, Environment *e, Tree *t);
void inline_bind(Lowering *l, Environment *e, const Symbol *from, Tree *to, Tree *offset);
/* Statements of a body that has no shared variables; `to' is where its return value goes. */
void inline_statements(Lowering *l, Environment *e, const Tree *t, Destination *to);
/* Elements of all containers that are aligned with `v' are meant by their positions; `place': where the one that is
 * meant stands, NULL: at its position. */
void inline_by_position(Lowering *l, Environment *e, const View *v, Tree *place);
/* Is it `for (i = 0; i < in.Size(); ++i)', which uses, of what it goes through, the element at hand and nothing else:
 * not in[0], not in[i - 1]? */
bool inline_takes_elements(Lowering *l, Environment *e, const Tree *t);
/* .. with i used for nothing but in[i], and out[i] of what is aligned with it? */
bool inline_loops_over_container(Lowering *l, Environment *e, const Tree *t);
void inline_declaration(Lowering *l, Environment *e, const Tree *declare);

/* Does the body read its container only at its own lane, in[ThreadId()]? */
bool inline_reads_own_lane(const Codelet *c, const Form *form);

#endif
