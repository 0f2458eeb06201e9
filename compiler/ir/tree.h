/* tree.h: the one tree of the compiler, in its two forms (ops.h), and what owns trees.
 *
 *   Unit      one .cdl file          > Spectrum  a computation, by name
 *   Spectrum  its codelets           > Codelet   one way to compute it: parameters and a body in codelet form
 *   Program   one variant, lowered   > Kernel    parameters and a body in kernel form, and the host's part
 *
 * Trees are immutable by convention once built: a pass that changes one returns a new one and shares what
 * it did not touch. Everything lives in the arena of its compilation. */
#ifndef TGC_IR_TREE_H
#define TGC_IR_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "support/buffer.h"
#include "support/diagnostics.h"
#include "support/tunables.h"

typedef enum Op {
#define OP(name, spelling, form, kids, class) OP_##name,
#include "ir/ops.h"
  OP_COUNT
} Op;

enum { FORM_CODELET = 1, FORM_KERNEL = 2 };

/* Value types. Complex ones are in no codelet's text: they are what T may stand for. TYPE_ELEM is a generic codelet's
 * T; TYPE_STORED is what its elements are in memory, where that may be something else (E); TYPE_FINAL is what the whole
 * result is finished to (R); TYPE_INDEX is a 64-bit size or position, whatever the codelet's text calls it; TYPE_SUM is
 * what a matrix unit adds elements up in, where that may be something else than T. */
typedef enum Type {
  TYPE_VOID, TYPE_BOOL, TYPE_INT, TYPE_UINT, TYPE_LONG, TYPE_ULONG, TYPE_FLOAT, TYPE_DOUBLE,
  TYPE_CFLOAT, TYPE_CDOUBLE,
  TYPE_ELEM, TYPE_STORED, TYPE_FINAL, TYPE_INDEX, TYPE_SUM,
  TYPE_STRUCT,    /* of an element: a user's struct */
  /* The states of operators that codelets name (Unit.states), over T's elements, then over those of other types. */
  TYPE_STATE, TYPE_STATE_2, TYPE_STATE_3, TYPE_STATE_4,
  TYPE_FIXED_STATE, TYPE_FIXED_STATE_2, TYPE_FIXED_STATE_3, TYPE_FIXED_STATE_4,
  TYPE_CONTAINER, /* an Array, a map's results: not a value */
  TYPE_BOXES,     /* kernel form: what of an operand is copied at once (OP_MAKE_BOXES) */
  TYPE_COUNT
} Type;

enum { MOST_STATES = TYPE_FIXED_STATE - TYPE_STATE };
static inline bool type_is_state(Type t) { return t >= TYPE_STATE && t <= TYPE_FIXED_STATE_4; }
/* Is it T, or made of T? */
static inline bool type_is_generic(Type t) { return t == TYPE_ELEM || (t >= TYPE_STATE && t < TYPE_FIXED_STATE); }

/* ATOMIC_USER: by the user's own operator. Of containers alone (__accum), which are written by place: ATOMIC_ONCE: each
 * place at most once; ATOMIC_ANY: one of the values that come stays; ATOMIC_APPEND: a queue, whose next place
 * another container's element counts (Symbol.counter). */
typedef enum AtomicOp {
  ATOMIC_NONE, ATOMIC_ADD, ATOMIC_SUB, ATOMIC_MAX, ATOMIC_MIN, ATOMIC_MUL, ATOMIC_AND, ATOMIC_OR, ATOMIC_XOR,
  ATOMIC_USER, ATOMIC_ONCE, ATOMIC_ANY, ATOMIC_APPEND,
  ATOMIC_COUNT
} AtomicOp;
typedef enum ShuffleMode { SHUFFLE_DOWN, SHUFFLE_UP, SHUFFLE_XOR, SHUFFLE_INDEX } ShuffleMode;
/* What a LOAD_WIDE or a STORE_WIDE moves, in memory: 16 bytes at a multiple of 16; the same anywhere; as many elements
 * as 16 bytes of T's are, which are fewer bytes, at a multiple of as many; the first of these, of what nobody reads
 * again; to shared memory. */
typedef enum WideMove { WIDE_ALIGNED, WIDE_ANYWHERE, WIDE_ROW, WIDE_ONCE, WIDE_APART, WIDE_SHARED } WideMove;
/* How often a loop's body is written out: as the compiler of the text likes; wholly, so that its arrays are registers;
 * once, since it runs a few times at most and its text costs more than its jumps; a few times, since that keeps as many
 * loads in flight as there are registers for. */
/* UNROLL_VECTORS: on a CPU, turns of a vector each, several of which may go at once (simd.c); UNROLL_JAM: parts that
 * are taken together (nest_sink), which stay a loop; UNROLL_STREAMS: several turns at once, each of which reads a run
 * of memory (simd_turns.c). */
typedef enum ForUnroll {
  UNROLL_FREE, UNROLL_ALL, UNROLL_NONE, UNROLL_FEW, UNROLL_VECTORS, UNROLL_JAM, UNROLL_STREAMS
} ForUnroll;
enum { LANES_OF_VECTORS = -1, LANES_OF_STREAMS = -2 };
typedef enum Limit { LIMIT_LOWEST, LIMIT_HIGHEST } Limit;

/* The operator of a reduction: a monoid (operator.h). OPERATOR_USER: the one that the user declared
 * (Spectrum.monoid). */
typedef enum OperatorKind {
  OPERATOR_NONE, OPERATOR_ADD, OPERATOR_MUL, OPERATOR_MAX, OPERATOR_MIN, OPERATOR_AND, OPERATOR_OR, OPERATOR_XOR,
  OPERATOR_USER
} OperatorKind;

/* Whose conflicting accesses a barrier or an atomic orders. */
typedef enum Scope { SCOPE_NONE, SCOPE_WARP, SCOPE_BLOCK, SCOPE_CLUSTER, SCOPE_DEVICE } Scope;

typedef struct Tree Tree;
typedef struct Symbol Symbol;
typedef struct Codelet Codelet;
typedef struct Spectrum Spectrum;
typedef struct Kernel Kernel;
typedef struct Monoid Monoid; /* ir/monoid.h */
typedef struct Native Native; /* ir/native.h */

struct Tree {
  Op op;
  Type type; /* of the value; TYPE_VOID on statements */
  SourceRange where; /* the codelet text it came from; file NULL when the compiler made it */
  int nkids;
  Tree **kid;
  union {
    Symbol *symbol;     /* REF, DECLARE */
    Spectrum *spectrum; /* CALL, MAP, TRANSFORM, GENERATE, SLIDE, SPECTRUM */
    Kernel *kernel;     /* LAUNCH */
    const Native *native; /* NATIVE */
    const char *text;   /* COMMENT; FIELD: its name */
    double real;        /* FLOAT */
    int64_t number;     /* INT, BOOL */
    Op compound;        /* ASSIGN: of x += y, OP_ADD; 0: a plain one */
    Limit limit;        /* LIMIT */
    int dimension;      /* SIZE */
    struct { ShuffleMode mode; bool words; }; /* SHUFFLE; words: word by word (legalise_shuffles.c) */
    AtomicOp atomic;    /* ATOMIC, MAP_ATOMIC */
    OperatorKind combines; /* REDUCE, LOOK_BACK, PRIOR_TOTAL, CHAIN */
    Type element;       /* WIDTH, REDUCES, ORDER_SIZE */
    ForUnroll unroll;   /* FOR */
    WideMove move;      /* LOAD_WIDE, STORE_WIDE */
    struct { int vectors, bytes; }; /* LANES: of so many, negative; LANES_OF_VECTORS, LANES_OF_STREAMS; 0: of one
                                       (simd.c).
                           They go by vectors of so many bytes; 0: by the machine's */
    bool relaxed;       /* CLUSTER_ARRIVE: it orders no memory */
    bool present;       /* COND: all that both values read is there, whichever is taken */
  };
  Scope scope; /* BARRIER, ATOMIC */
};

typedef enum SymbolKind {
  SYMBOL_PARAM,    /* of a codelet or kernel */
  SYMBOL_LOCAL,    /* an ordinary variable (or small array) of one lane */
  SYMBOL_TUNABLE,  /* __tunable */
  SYMBOL_SHARED,   /* __shared: one for all lanes of a cooperative codelet */
  SYMBOL_MAP,      /* Map m(f, partition(..)) */
  SYMBOL_SEQUENCE, /* Sequence s(..) */
  SYMBOL_CUT,      /* Cut i = tiles(..) */
  SYMBOL_CONSTANT  /* a compile-time constant of the variant: its block size, a codelet's own tunable */
} SymbolKind;

enum { MOST_RANK = 4 }; /* of a container: its dimensions */

/* What `__shape' and `__like' say of one size of a container parameter: times * x * y + more * z + plus, where x, y and
 * z are sizes of earlier parameters, of[k] in its dimension dim[k]; NULL: there is no such size. Not said: the size is
 * its own. */
enum { SHAPE_ADDEND = 2, SHAPE_SIZES };
typedef struct ShapeRule {
  bool said;
  int64_t times, more, plus;
  const Symbol *of[SHAPE_SIZES];
  int dim[SHAPE_SIZES];
} ShapeRule;

struct Symbol {
  const char *name; /* as in the codelet's text */
  SymbolKind kind;
  Type type;     /* element type of arrays and containers */
  int rank;      /* dimensions of a container (Array<n, T>); 0 for all else */
  bool array;    /* a built-in array, `int tmp[n]` */
  Tree *length;  /* its length, in elements; also of a compound codelet's own container, `Array<1, T> c(n)', and of one
                    of several dimensions their EXTENTS */
  struct Symbol *within; /* .. which lies where this parameter does, row by row, and has no memory of its own */
  bool writable; /* __mutable parameter; true for locals and shared */
  bool pointer;  /* kernel form: a parameter that points to global memory */
  bool constant; /* declared const */
  const char *room; /* SYMBOL_SHARED, kernel form, of a CPU: a large array, meant by a pointer; the array's own name */
  bool enumerated; /* declared const, kernel form, of a CPU: C takes it for the length of an array */
  bool handed;   /* SYMBOL_SHARED, kernel form, of a CPU: its thread has it for all parts that it takes, and hands it to
                    the kernel */
  bool exclusive;    /* SYMBOL_SHARED: an element that different lanes store is read in between, and stored before it is
                        read (__shared_once) */
  bool padded;   /* SYMBOL_SHARED, kernel form: behind the last of its rows stand zeros for those that a group of rows
                    that are taken together lacks */
  bool aligned;  /* SYMBOL_SHARED, kernel form: an array that begins at a multiple of 16 bytes, */
  bool swizzled; /* .. or of 1024 */
  Tree *buffer;  /* SYMBOL_SHARED, kernel form, of several buffers that a loop uses by turns: the length of one. An
                    access stays within that of its turn. NULL: nothing is known */
  bool asked;    /* SYMBOL_SHARED, kernel form: the launch asks for it, more than may be declared; it begins where .. */
  const Symbol *behind; /* .. this array ends; NULL: it is the first */
  bool passing;  /* SYMBOL_SHARED, kernel form: it holds nothing when the text ends: other steps' texts may have it */
  bool slices;   /* SYMBOL_SHARED, kernel form: each warp has a part of its own, and keeps to it */
  AtomicOp atomic; /* SYMBOL_SHARED: every write is this atomic (CGO III-B). A container parameter marked __accum: only
                      contributions by it are written. Else ATOMIC_NONE */
  const Symbol *counter; /* container parameter, a queue (__append): the parameter that counts its elements */
  ShapeRule shape[MOST_RANK]; /* container parameter: what its sizes are said to be */
  bool by_columns;    /* container parameter of two dimensions: its columns are contiguous, not its rows */
  Tree *init;    /* SYMBOL_MAP: its MAP tree; SYMBOL_SEQUENCE: its SEQUENCE tree; SYMBOL_CUT: its CUT */
  int64_t min, max; /* kernel form: known range of the value when 0 < max and min <= max, else unknown */
  int64_t multiple; /* kernel form: the value is a multiple of this (0, 1: unknown) */
  Type declared; /* of a whole number: its type in the text; `type' may be wider (front/index_types.h) */
  bool number;   /* declared `long', and neither a size nor a position: it may be below 0 */
  SourceRange where;
};

/* How many elements a compound codelet's own container has in a dimension. */
static inline Tree *symbol_extent(const Symbol *s, int dimension) {
  return s->rank > 1 ? s->length->kid[dimension] : s->length;
}

typedef enum CodeletClass {
  CLASS_AUTONOMOUS,  /* atomic autonomous: one lane's work */
  CLASS_COOPERATIVE, /* atomic cooperative: lanes exchange data */
  CLASS_COMPOUND     /* composes work by primitives and spectrum calls */
} CodeletClass;

/* A cooperative or autonomous body in one of the forms that the codelet passes found for it. */
typedef struct Form {
  Tree *body;
  int shuffles;       /* SHUFFLE nodes in it */
  int shared_atomics; /* ATOMIC statements on shared variables in it */
  int shared_arrays;  /* shared variables left in it */
} Form;

enum { MOST_PARAMETERS = 8 }; /* of a codelet that a text has */
enum { MOST_OPERANDS = 12 };  /* .. of one that is made, too; containers of a transform */
enum { MOST_STEPS = 24 };   /* spectra that a compound codelet applies one after another (steps.h) */

/* How the results of a compound codelet's map can be combined; both: the same computation in two ways, of which a plan
 * takes one. */
typedef struct MapChoice {
  bool atomic;       /* accumulated by an atomic API */
  bool spectrum;     /* by a spectrum call on the map, or not at all */
  AtomicOp op;       /* of the atomic version */
} MapChoice;

/* What a matrix unit computes of a container seen as a matrix of so many columns, a variable of its codelet's: each row
 * times ones is an element of another container, times a triangle of ones a row of one; or the sum of all, `to' and
 * `columns' NULL: of any matrix; or the scan of all, from `carry' on, `columns' NULL (front/row_product.c). */
typedef enum ConstantMatrix { CONSTANT_ONES, CONSTANT_TRIANGLE } ConstantMatrix;
typedef struct RowProduct {
  Symbol *from, *to;
  const Symbol *columns, *carry; /* carry NULL: rows begin with nothing */
  ConstantMatrix by;
} RowProduct;

struct Codelet {
  Spectrum *spectrum;
  const char *tag;    /* its __tag, or one made from its class: "serial", "coop2", .. (unique in the spectrum) */
  char letter;        /* 'a', 'b', ..: its place among the spectrum's codelets, the papers' c_a, p_c */
  CodeletClass kind;
  bool coop_declared;
  bool together;      /* cooperative: made of one lane's text, for any number of lanes (front/together.c) */
  bool matrix;        /* autonomous: one mma(), which a level with a matrix unit computes (front/product.c) */
  const RowProduct *rows; /* .. of a container's rows; NULL: of two matrices, or it is none */
  bool elements;      /* autonomous: nothing but a map of a function over elements (front/elements.c) */
  bool own_places;    /* made of a loop's text: each part stores at places of its own (front/recurrences.c) */
  bool generic;       /* a template over T */
  Symbol **params;
  int nparams;
  Tree *body;         /* SEQ in codelet form, as written */
  Tunables tunables;  /* its own: each __tunable that has a value; those without are numbers of parts */
  const char **env;   /* __env machines; nenv 0 = all */
  int nenv;
  bool native;        /* it calls functions that the C compiler reads (ir/native.h) */
  SourceRange where;  /* its name in the definition */
  SourceRange extent; /* the whole definition */
  /* What the codelet passes found (passes/codelet_passes.h); plain.body is NULL for a compound codelet. */
  Form plain;         /* shared atomics made explicit, exchanges through shared memory */
  Form shuffled;      /* the same with shuffles; body NULL when the detection refused it */
  int64_t lanes_max;  /* cooperative: most lanes that its arrays and indices allow; 0 = any */
  NumberList lanes;  /* .. it is right for these of the machine's */
  bool rounds;        /* .. its lanes go through any number of elements, round by round (passes/rounds.c) */
  MapChoice results;  /* compound */
  const Tree *by_cuts; /* compound: its map over the cut of containers of one dimension, whose parts overlap, as the
                          text has it: in the body it is by sequences. NULL: it has none */
  bool strides;       /* compound: each of p parts surely has every p-th element, and none is left out */
  bool keeps_order;   /* it combines the elements in their order: fit for operators that do not commute */
};

struct Spectrum {
  const char *name;
  Type result;     /* TYPE_ELEM for a generic one */
  Codelet **codelets;
  int ncodelets;
  bool states;     /* it, or one that it applies, has states of operators that codelets name */
  bool refused;    /* a definition of it had errors, which were reported: no second complaint where it is called */
  bool operators;  /* a template over the operator too */
  const struct Spectrum *instance_of; /* it is this generic one, with that for T, since a codelet that is not generic
                                         applies it so; NULL: it is what its text says */
  Type instance_type;
  const char *instance_over; /* .. and this operator for M, which a codelet names: its name; NULL: it has none */
  const char *unknown_why, *unknown_hint; /* why `op' is not known, though it is a reduction; NULL: nothing was looked
                                             at */
  SourceRange unknown_at;
  bool cuts;       /* it, or one that it applies, has codelets that cut containers of several dimensions */
  Tunables tunables; /* of its codelets' own and of all that they apply (spectrum_tunables.h) */
  const Monoid *monoid; /* the user's operator that it is compiled with; NULL: a built-in one */
  /* Of a generic one, for the element types that are asked for (element_note): */
  bool lifted;         /* some are others in memory than T */
  bool unaligned;      /* some may lie so that 16-byte loads never meet them: a user's structs */
  bool adds_halves;    /* a matrix unit adds up some of these in halves */
  bool lacks_identity; /* the operator's identity is not among the values of some of these */
  int widest, atom;    /* bytes of the widest T; of the most that an atomic has to change at once; 0: not noted */
  VEC(const char *) elements; /* their names */
  int narrowest, broadest; /* bytes of the smallest element in memory, and of the largest; 0: not noted */
  OperatorKind op; /* inferred from its codelets; OPERATOR_NONE when there is no telling */
  bool real;       /* some element types asked for are rounded, or have a -0 */
  bool exact;      /* of all element types asked for: the operator gives the same bits in any order */
  SourceRange where;
};

/* A tunable of codelets' own, and what stands for it in their text: the same in all. */
typedef struct OwnTunable { Symbol *symbol; Tunable tunable; } OwnTunable;

/* An operator that codelets name, on elements of a type: of a TYPE_STATE, TYPE_FIXED_STATE, .. */
typedef struct NamedState {
  Monoid *monoid; /* NULL: nobody has that type */
  Type element;
} NamedState;

typedef struct Unit {
  const SourceFile *file;
  Spectrum **spectra;
  int nspectra;
  OperatorKind operation; /* that codelets over operators are compiled with; OPERATOR_NONE: there are none */
  Monoid *monoid;         /* of OPERATOR_USER */
  NamedState states[2 * MOST_STATES]; /* of the operators that codelets name, from TYPE_STATE on */
  const char *states_text; /* these operators, and the structs that they use, as device code; NULL: there are none */
  VEC(OwnTunable) tunables;
  struct Natives *natives; /* functions that the C compiler reads (ir/native.h) */
} Unit;

/* The autonomous codelet that the others are compared with: the first, of those for all machines; NULL: there is
 * none. */
const Codelet *spectrum_reference(const Spectrum *s);
/* Bytes of a value of that type, where elements are the narrowest that it is compiled for, or the widest; 0: not
 * noted. */
int64_t spectrum_bytes(const Spectrum *s, Type t, bool narrow);

/* The parameter whose size a rule is, as it is; NULL: it is none, or more than one. */
const Symbol *shape_same(const ShapeRule *r);
/* Of the parameters that share this dimension's size the first, and its dimension. */
void shape_first(const Symbol **s, int *dim);
/* Are both dimensions declared to be as long as one and the same? */
bool shape_is_same(const Symbol *x, int x_dim, const Symbol *y, int y_dim);

/* ---- making trees (tree.c) ---- */

Tree *tree_new(Arena *a, Op op, Type type, SourceRange where, int nkids);
Tree *tree_int(Arena *a, Type type, int64_t number);
Tree *tree_ref(Arena *a, Symbol *s);
Tree *tree_unary(Arena *a, Op op, Type type, Tree *x);
Tree *tree_binary(Arena *a, Op op, Type type, Tree *x, Tree *y); /* `where` spans both */
Tree *tree_with_kids(Arena *a, const Tree *t, Tree **kids, int n); /* a copy of t with other kids */
Tree *tree_seq(Arena *a, Tree **statements, int n);
/* A copy that shares nothing with t but the symbols that t does not declare. */
Tree *tree_clone(Arena *a, const Tree *t);
Symbol *symbol_new(Arena *a, SymbolKind kind, const char *name, Type type);

/* Structural equality: same ops, symbols and constants; places in the text do not count. NULL equals NULL. */
bool tree_equal(const Tree *x, const Tree *y);

/* Rewrites bottom-up: `f` gets each node with its kids already rewritten and returns the node to use. */
typedef Tree *(*TreeRewrite)(void *context, Arena *a, Tree *t);
Tree *tree_rewrite(Arena *a, Tree *t, TreeRewrite f, void *context);
/* The same of statements alone: their expressions stay as they are. */
Tree *tree_rewrite_statements(Arena *a, Tree *t, TreeRewrite f, void *context);

/* Visits pre-order; `f` returns false to leave out a node's kids. */
typedef bool (*TreeVisit)(void *context, const Tree *t);
void tree_visit(const Tree *t, TreeVisit f, void *context);

/* Does the tree contain a REF to s / any node of that op? */
bool tree_mentions(const Tree *t, const Symbol *s);
bool tree_contains(const Tree *t, Op op);
/* Is `part' the tree, or a node of it? */
bool tree_holds(const Tree *t, const Tree *part);

/* Is it a container: a REF to one, a map's results, a view? */
bool tree_is_container(const Tree *t);
/* Is it told of a container without its elements: how many there are, how far apart they lie? */
bool tree_is_extent(const Tree *t);

/* Does a statement of it assign to the variable s, after its declaration? */
bool tree_assigns(const Tree *t, const Symbol *s);

/* What a statement of the body declares the variable s to begin as; NULL: none does, or as nothing. */
const Tree *tree_declared(const Tree *body, const Symbol *s);

/* Is it `for (i = 0; i < end; ++i)'? Whose i, and up to where. */
bool tree_counts(const Tree *t, const Symbol **i, const Tree **end);
/* How many loops stand in one another there. */
int tree_loops(const Tree *t);
/* Is that kernel launched in it? */
bool tree_launches(const Tree *t, const Kernel *k);

/* The sequence that an argument of a PARTITION is, by its name or as it is. */
const Tree *tree_sequence(const Tree *t);

/* Is it an element of the container of that name? */
bool tree_is_element_of(const Tree *t, const Symbol *container);

/* The cut of a dimension, of a PARTS, without its halo; NULL: it is whole. */
const Symbol *tree_cut(const Tree *dimension);
/* How many cuts an argument of a map has. */
int tree_cuts(const Tree *argument);
/* What casts are made of; NULL of NULL. */
const Tree *tree_uncast(const Tree *t);
/* Is it that symbol, cast or not? */
bool tree_is_symbol(const Tree *t, const Symbol *s);
/* Does evaluation have no side effect and the tree, an expression, only constants and compile-time ops?
 * If so gives its value in *value. Of floats too, where that is a whole number, and nothing is rounded. */
bool tree_constant(const Tree *t, int64_t *value);

/* Is it one of TYPE_INT to TYPE_ULONG, or TYPE_INDEX? */
bool type_is_whole(Type t);
bool type_is_unsigned(Type t);

/* What ops.h says of an operation. */
typedef struct OpRow { const char *spelling; unsigned form; int kids; bool statement; } OpRow;
const OpRow *op_row(Op op);
const char *op_spelling(Op op);
/* What is known of a view (ops.h). */
typedef struct ViewRow {
  Op op;
  const char *name;
  int of;       /* the kid whose elements it has; -1: it is made of numbers */
  bool whole;   /* .. as many as that? */
  int count;    /* the kid that counts elements; -1: none */
  bool applies; /* .spectrum, a function */
  const char *call;
} ViewRow;
const ViewRow *op_view(Op op); /* NULL: it is none */
const ViewRow *op_views(int *n);
/* .. of a function of mathematics. */
typedef struct FunctionRow { Op op; const char *name; int arguments; const char *what; } FunctionRow;
const FunctionRow *op_function(Op op); /* NULL: it is none */
const FunctionRow *op_functions(int *n);
bool op_is_statement(Op op);
const char *type_name(Type t); /* "int", "T", "Index" */
const char *state_operator(Type t); /* of a state: "Operator1<T>"; of T: "M" */

/* The tree as text, C-like, for --print-after and golden tests. */
void tree_print(Buffer *to, const Tree *t, int indent);

/* Checks a tree against ops.h: form, number of kids, types where they are fixed, every REF declared or a
 * parameter. Adds an error "internal: .." to `d` for the first fault and returns false. */
bool tree_verify(const Tree *t, unsigned form, Symbol **params, int nparams, const char *after, Diagnostics *d);
bool tree_verify_host(const Tree *t, const char *after, Diagnostics *d); /* .. of a device's program */

/* The spectrum of that name, no instance of it, or NULL; one more, without codelets. */
Spectrum *unit_spectrum(const Unit *u, const char *name);
Spectrum *unit_add(Arena *a, Unit *u, const char *name, SourceRange where);

const char *atomic_name(AtomicOp op); /* "Add" */
/* Is what is contributed stored, without regard to what is there? */
static inline bool atomic_stores(AtomicOp op) { return op >= ATOMIC_ONCE; }

#endif
