/* program.h: a variant in kernel form: its kernels, and what the host does to run them.
 *
 * The host part is kernel form too: declarations of sizes, LAUNCHes. The printer prints; it decides nothing.
 *
 * Words are those of a GPU. On a CPU a grid is the process's parallel loop, or a team of threads that take tiles, a
 * block a thread of it, which is one vector (kernel_is_one_vector), and shared memory is on that thread's stack. */
#ifndef TGC_IR_PROGRAM_H
#define TGC_IR_PROGRAM_H

#include "ir/signature.h"

/* A number that is known to be no more than another: of elements that a codelet gets, of lanes that serve it. */
typedef struct Bounded { const Tree *number, *most; } Bounded;

enum { MOST_CASES = 4 };

struct Kernel {
  const char *name;     /* "sum_block": the program's name and what one of its workers is */
  const char *note;     /* a line of comment above it */
  Symbol **params;
  int nparams;
  Symbol *threads;      /* the block's size, a SYMBOL_CONSTANT of the program; NULL: one thread */
  int vector;           /* lanes of a vector, of which a block has several; 0: 32 */
  int step_bytes;       /* of a CPU: of the vectors that lanes in step go by; 0: as many as the machine's have; */
  int stream_bytes;     /* .. where they read several runs of memory at once */
  Symbol *flag;         /* SYMBOL_CONSTANT: what the launcher sees of the sizes; the text is compiled for both
                           cases: on a GPU, `once', each worker's part is one round of its loop, or `even', each
                           of many parts is; on a CPU, `whole', each run is whole rounds; NULL: none */
  Tree *flag_when;      /* .. for the host: when it holds */
  Symbol *cases[MOST_CASES]; /* of a GPU, beside it: others, of which at most one holds, the first that does: what takes
                           so many registers that other sizes should not pay for it is compiled by itself; NULL: none */
  Tree *cases_when[MOST_CASES];
  bool cases_instead;   /* they hold only where the flag does not */
  int even_lanes;       /* of the flag `even': whose loads make up that round; 0: it is another flag */
  bool overlaps;        /* may be launched while the grid before it runs: its body has an AFTER_GRIDS */
  bool panels;          /* copies panels to shared memory ahead of what is computed of them */
  Tree *beside;         /* .. which so many lanes do that are launched beside its threads; NULL: none are */
  int64_t even_over;    /* a launch's blocks are shared out evenly over so many multiprocessors: they ask for more .. */
  int64_t even_bytes;   /* .. shared memory, of which a block may have so much. 0: that is not looked at */
  Tree *takers;         /* so many threads of a CPU take its launch's blocks one by one; NULL: each has one */
  Tree *cluster;        /* REF: so many blocks of its launch are a cluster; NULL: there are no clusters */
  Tree *kept;           /* rows of 16 bytes that a block keeps while it waits for others; NULL: none waits */
  Type kept_type;       /* .. of such elements */
  int lane_registers;   /* .. of 32 bits, that a lane of it works with, were they of 4 bytes; 0: that is not looked
                           at */
  int resident_lanes;   /* lanes that a multiprocessor has room for, of all its blocks; 0: of one block, at least */
  Tree *resident_cases; /* .. in its cases, which take fewer registers; NULL: as many */
  Tree *resident_when;  /* .. where these constants of the kernel are so: registers hold more. NULL: in any case */
  const Tree *unless;   /* of a GPU: it does nothing where this element is not 0, a word that no other kernel of the
                           launch's writes; NULL: there is none (leave.c) */
  bool together;        /* all blocks of its launch run at once, and wait for one another: no more are launched than
                           can; kid 0 of the launch is how many have something to do */
  bool goes_on;         /* its last block, or the one that there is, goes on with other steps, which read what was
                           stored before */
  VEC(Bounded) bounded; /* what composition has seen to and the text does not say */
  Tree *body;           /* SEQ, kernel form */
};

/* A tunable of the variant: fixed when its text is compiled, for as many values as are listed there, or chosen at each
 * call. */
typedef struct ProgramConstant {
  Tunable tunable;      /* at launch: a parameter of the host function; else of the kernels' template */
  Symbol *symbol;       /* SYMBOL_CONSTANT, of that name */
} ProgramConstant;

/* So many elements in shared memory. */
typedef struct SharedArray { Type type; Tree *length; } SharedArray;

/* An array of the workspace: so many elements, in terms of `sizes'. */
typedef struct WorkspaceArray { Symbol *array; Tree *elements; } WorkspaceArray;

typedef struct Program {
  const char *name;      /* what its C names begin with: "sum" */
  const char *id;
  bool generic;          /* a template over T */
  const Monoid *monoid;  /* .. and over this operator; NULL: a built-in one */
  bool states;           /* it has states of operators that codelets name */
  int widest;            /* bytes of the widest T; 0: not noted */
  Type element, result;  /* element: TYPE_STORED, and a template over E too, where elements are lifted */
  ProgramConstant *constants;
  int nconstants;
  struct NestNode *nest; /* what its kernels were written from, as far as they were (nest.h) */
  Kernel **kernels;
  int nkernels;
  Signature signature;   /* what the host function takes; of it: */
  Symbol *in, *n, *out;  /* the first container, its first size; the result's place, or NULL */
  Symbol *count;         /* of the host function: points to how many elements there are, n being the most that there may
                            be (passes/counted.h); NULL: there are n */
  Symbol *arrived;       /* of the host function: the counter at the workspace's start; NULL: none is needed */
  Symbol *queued;        /* .. and behind that 64 bits that count what a kernel leaves to the next; NULL: none does */
  Symbol *met;           /* .. and the word there by which blocks of a grid that stays meet; NULL: none does */
  Symbol *posts;         /* of the host function: the words behind it that blocks post to; NULL: none are needed */
  Symbol *tickets;       /* of the host function: the same word, for blocks or threads that take tiles; NULL: not
                            needed */
  OperatorKind chained_by; /* of tiles that threads take in order: how their totals are combined */
  Symbol *words;         /* of the host function: the words that blocks of tiles post to, behind the workspace's start;
                            all zero at first, then of earlier calls; NULL: none are needed */
  Type totals;           /* of tiles, what they post or pass on; VOID: elements */
  Tree *workspace_tiles; /* how many tiles are taken, in terms of `sizes'; NULL: none */
  VEC(WorkspaceArray) workspace; /* of the host function, behind the workspace's head: each begins at a multiple of 16
                            bytes from there */
  Symbol *partial;       /* .. of these, what partial results are in, the last such; NULL: there is none */
  bool needs_workspace;  /* for such arrays, or for what its head has */
  Tree *sizes;           /* SEQ: the host's sizes, functions of n */
  Tree *launches;        /* SEQ: LAUNCHes, in stream order */
  bool compares;         /* `sizes' refuses calls whose sizes do not fit together */
  int workspace_head;    /* bytes that a workspace starts with, the same for all variants */
  uint64_t helpers;      /* atomics that some element type lacks on the machine: HELPER() bits (atomics.c) */
  /* What a block has in shared memory, in terms of the constants, where configurations that take more than
   * `most_shared' bytes are left out. None: each configuration takes less. */
  SharedArray *shared;
  int nshared;
  int64_t most_shared;
  const Kernel *asks_for_shared; /* its launch does: it may be more than what is declared may be; NULL: none does */
} Program;

/* Has it operators that are structs of C++, so that its text for a CPU is no C? */
static inline bool program_is_cpp(const Program *p) { return p->monoid || p->states; }

enum { WARP_LANES = 32 };
static inline int kernel_vector(const Kernel *k) { return k->vector ? k->vector : WARP_LANES; }
/* Is a block one vector, as on a CPU? */
static inline bool kernel_is_one_vector(const Kernel *k) {
  return k->threads && k->threads->max == kernel_vector(k);
}

/* What other files than the program's own text say of it, in `a', where the program itself may go: its names, its
 * tunables, and which of the rest it has. No kernels; instead of trees and symbols, where there are some, others. */
Program *program_outline(Arena *a, const Program *p);

/* One more array of its workspace. */
void program_add_array(Arena *a, Program *p, Symbol *array, Tree *elements);

/* The tunable of that name, or NULL. */
const ProgramConstant *program_constant(const Program *p, const char *name);

/* A workspace starts with a counter, the words of a grid that stays and, on machines whose grids post results, words
 * for each of the blocks that may do so: 32 bits of a result in a word of 64, two of them or as many as the widest T
 * needs. Every call leaves all this zero, whether it uses it or not; other results lie behind it, at a multiple of 16.
 * The block that collects has all results in its shared memory, which is why fewer blocks may post wide ones. */
enum { WORKSPACE_MET = 8, WORKSPACE_COUNTER = 16, POSTING_BLOCKS = 2048, POSTED_BYTES = 24 << 10 };

/* Of a CPU's lower/chained_scan.c: bytes from the next tile's number to the first of the words that tiles
 * pass on, how many of these there are, of which tiles take one after the other, and the bytes behind each that belong
 * to nobody. Processors fetch lines of 64 bytes, two at a time. */
enum { CHAIN_APART = 128, CHAIN_WORDS = 64, CHAIN_ALONE = 112 };

/* For results of so many bytes: how many blocks may post, and the bytes of all their words. */
int posting_blocks(int result_bytes);
int posting_bytes(int result_bytes);

/* The bit of Program.helpers for one atomic at one scope. */
#define HELPER(atomic, scope) (UINT64_C(1) << ((atomic) * SCOPE_DEVICE + (scope) - 1))
_Static_assert(ATOMIC_COUNT * SCOPE_DEVICE <= 64, "a bit for every atomic at every scope");

#endif
