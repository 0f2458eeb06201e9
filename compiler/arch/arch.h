/* arch.h: a machine as a chain of levels and a list of instructions (MICRO III-A, III-C).
 *
 *     grid > block > warp > thread > ilp          each: (capability, (subordinate, ways to synchronise))
 *     process > thread > lane > ilp               of a CPU
 *
 * Levels are data. The compiler asks what a level can do, never what it is called. */
#ifndef TGC_ARCH_ARCH_H
#define TGC_ARCH_ARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/figures.h"
#include "support/diagnostics.h"

/* C_l of MICRO Fig. 3, as a set. */
typedef enum Capability {
  CAP_NONE = 0,
  CAP_SCALAR = 1, /* SE: runs autonomous codelets */
  CAP_VECTOR = 2, /* VE: runs cooperative codelets */
  CAP_MATRIX = 4  /* ME: multiplies tiles (MatrixUnit)  */
} Capability;

/* How one of a level's workers is realised in the text that comes out. */
typedef enum Realisation {
  REAL_HOST,     /* the host's own code */
  REAL_GRID,     /* a kernel launch; subordinates are blocks */
  REAL_CLUSTER,  /* a thread-block cluster */
  REAL_BLOCK,    /* a thread block */
  REAL_WARP,     /* lanes that can exchange registers */
  REAL_SUBWARP,  /* so many of them: a factor of the warp */
  REAL_THREAD,   /* one hardware thread */
  REAL_LOOP,     /* iterations of a loop */
  REAL_SLOTS,    /* register slots of an unrolled loop (ilp) */
  REAL_SIMD      /* lanes of a vector unit */
} Realisation;

/* When a number is settled: by the machine, when a variant is compiled, at each launch, on the device. */
typedef enum BindTime { BIND_CONSTANT, BIND_COMPILE, BIND_LAUNCH, BIND_DEVICE } BindTime;

/* The lanes that one worker of a level has. Ordered: those up to LANES_FIXED are some of a block's, the others all of
 * one or of several. */
typedef enum Lanes {
  LANES_NONE,  /* it is a part of what one lane does */
  LANES_ONE,   /* it computes alone */
  LANES_FIXED, /* as many as the machine says: its width */
  LANES_TUNED, /* as many as the variant's `threads' says */
  LANES_SEPARATE /* its workers have lanes of their own, which no barrier of a codelet holds together */
} Lanes;

/* What a level can do (abilities.c). A rule of composition asks for what it needs, not for what a level is called or
 * realised as. */
typedef struct Abilities {
  Lanes lanes;    /* one that serves an element a lane serves so many at most (refuse.c); the lanes of one that has
                     tuned ones are limited by the codelets they run (threads.c); left to one worker, work of lanes
                     apart costs no more (prune.c) */
  BindTime bind;  /* when the number of its workers is settled (finish.c) */
  bool launched;  /* it begins with memory as the one before it left it, and leaves its results there when it ends: a
                     second one combines them, the caller sees them change, each of many parts goes to workers of any
                     level below it (specialise.c, refuse.c) */
  bool reaches;   /* its workers run at the same time, each with memory that the others reach: one of them combines the
                     results of all without a second launch (refuse.c) */
  bool shares;    /* its lanes share memory of its own: a codelet's own container lies there (refuse.c), and several
                     workers of a launch share a part so (specialise.c) */
  bool exchanges; /* its lanes exchange registers: it combines the results of a block's vectors (threads.c), holds
                     rows of a scan (prune.c), and its lanes' neighbouring parts are cut into slices (specialise.c) */
  bool factor;    /* its lanes are some of the level's above, and take part in the exchanges of all of those: it
                     computes by exchanges alone, and serves what has no more elements than that (refuse.c). It is
                     reached besides, by no iteration of its own (expand.c) */
  bool holds;     /* it holds a vector of a lane's in registers, and does nothing else: nothing goes further down, and
                     strides cannot be left out (specialise.c, refuse.c) */
  bool few;       /* its workers are no more than the machine runs at once: one lane combines what they leave, and
                     each has parts of its own before they share one (specialise.c, expand.c, workers.c) */
  bool multiplies; /* it has a matrix unit: its lanes multiply tiles together (specialise.c, refuse.c) */
  bool copies;    /* its lanes can copy what they read to an array of their own, near them, and jam parts
                     (placement.c, expand.c) */
} Abilities;

/* Ways that the compiler knows to carry out; it takes any other for the plain end of a grid, a barrier or a join. */
typedef enum SyncKind {
  SYNC_PLAIN,
  SYNC_TICKET, /* "last-block ticket": the last worker to arrive goes on alone, in the same launch */
  SYNC_CHAIN,  /* "chained": a worker waits for what the one before it has found (a CPU's threads) */
  SYNC_POST,   /* "posted results": the last worker to begin waits for what each of the others posts, in the same
                  launch */
  SYNC_TOGETHER, /* "cooperative launch": all workers are there at once, and wait for one another: of steps (steps.c) */
  SYNC_ONE_BLOCK /* "one block": one of them alone does what all would: of all of a codelet's steps (steps.c) */
} SyncKind;

/* One way for a level to synchronise its subordinates (S_l); a level may have several. */
typedef struct SyncWay {
  SyncKind kind;
  const char *name; /* as printed: "terminate/launch", "__syncthreads()", "barrier/join" */
} SyncWay;

/* What a level with CAP_MATRIX multiplies by one instruction of a warp's lanes together: m x k elements by k x n of
 * that type, named as for `--types', added to what such are accumulated in. Lanes hold the elements as the PTX manual
 * has it for mma.sync (runtime/device/matrix.cuh); of several warps, those of C alone, as it has it for wgmma: A and B
 * are in shared memory, of words B, of bytes both along the inner dimension, and n is any multiple of 8 up to that
 * (runtime/device/matrix_groups.cuh); of a few lanes, in each quad pair of a warp's, as it has it for mma.m8n8k4 of
 * halves (runtime/device/matrix_quads.cuh). */
typedef struct MatrixUnit {
  const char *elements;
  int m, n, k, warps;
  int lanes; /* that have one product: all of its warps', or those of a quad pair */
  const char *instruction; /* "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32" */
} MatrixUnit;
/* A product is one or several of them. */
enum { MATRIX_M = 16, MATRIX_N = 8, MATRIX_K = 16 };
/* .. of tiles of bytes alone, where the machine has an instruction for that. */
enum { MATRIX_DEEP = 32 };
/* .. of tiles where a quad pair has one: of so many rows, and columns, a quarter of them. */
enum { QUAD_PAIR = 8, QUADS_N = 16 };
/* .. of a group of warps, of at most so many columns, of elements of one of these sizes, all of the same. */
enum { GROUP_WARPS = 4, GROUP_M = 64, GROUP_N = 256, GROUP_BYTE = 1, GROUP_HALF = 2, GROUP_WORD = 4 };

typedef enum Tiling { TILING_ANY, TILING_ADJACENT, TILING_STRIDED } Tiling;

typedef struct Level Level;
struct Level {
  const char *name;   /* "block" */
  const char *letter; /* the papers' short name, unique in its machine: "B" */
  unsigned capability; /* Capability bits */
  const Level *sub;   /* subordinate level, NULL at the bottom */
  bool optional;      /* the level above can do without it and count its subordinates: blocks need not be in clusters,
                         and a warp need not be cut up */
  int depth;          /* 0 at the top */
  Realisation real;   /* for what carries plans out (lower/, emit/); rules ask `can' */
  Abilities can;
  SyncWay *sync;
  int nsync;      /* 0 exactly when sub is NULL */
  Tiling prefer;  /* of the partitions that distribute over its subordinates (MICRO IV-B) */
  int64_t width_min, width_max, width_default; /* workers (subordinates) one instance can have; max 0 = unbounded */
  int64_t width_multiple; /* width is a multiple of this; 1 when anything goes */
  int64_t width_usual;    /* the default of any machine that has such a level: what depends on it is the same on all */
  const Level *launches;  /* the grid level that its workers can launch (dynamic parallelism), or NULL */
};

/* Instructions and limits that the passes and printers ask for; `source` in the files says whence. */
typedef struct Instructions {
  bool shuffle;           /* __shfl_* exists */
  bool shuffle_sync;      /* the _sync forms (toolkit 9 on) */
  bool reduce_sync;       /* __reduce_add_sync and kin */
  bool atomic_block_scope; /* atomicAdd_block */
  bool atomic_add_double; /* native atomicAdd(double *) */
  bool shared_atomic_native; /* shared-memory atomics without lock/update/unlock */
  bool async_copy;           /* lanes copy from global to shared memory while they go on */
  bool bulk_copy;            /* .. one lane has a rectangle copied, whose rows are swizzled */
  bool independent_threads; /* no lockstep: warp barriers are needed */
  bool dependent_launch;  /* a grid may begin while the one before it in the stream runs, and wait for it */
  bool cluster;           /* thread-block clusters, distributed shared memory */
} Instructions;

typedef struct Arch {
  const char *name;   /* "sm_60" */
  const char *title;  /* "Pascal (Tesla P100)" */
  const char *tune;   /* of a CPU, what C compilers are told to tune its text for (-mtune); NULL: they know */
  const char *tables; /* the folder of the tables that were measured on such a machine: its name, or what the spec
                         says */
  const char *family; /* "cuda" or "cpu" */
  bool is_cpu;
  int compute;        /* compute capability times ten, 0 on a cpu */
  Level *levels;      /* top first; levels[i].sub == &levels[i + 1] */
  int nlevels;
  int vector_width;   /* MaxSize() of a Vector: 32 */
  Instructions can;
  const char **features; /* what codelets may ask for by name (__env): "avx2" */
  int nfeatures;
  const MatrixUnit *matrix; /* one for each type of elements */
  int nmatrix;
  bool one_vector;    /* lanes that share memory are those of one vector: they go through neighbouring elements side
                         by side, be these one part's or several parts', and are too few for the results of all
                         workers (expand.c) */
  bool lanes_in_order; /* .. and take turns, in order: their atomics arrive in one order (order.c) */
  bool loads_align;   /* vectors of 16 bytes are loaded from multiples of that: where they begin depends on the address
                         (order.c) */
  bool orders_zeros;  /* its min and max tell -0 from 0, so that they give the same bits in any order (order.c) */
  int64_t shared_bytes_block; /* shared memory one block may take statically; what a thread of a cpu may keep */
  int64_t shared_bytes_most;  /* .. and where the launch asks for it */
  int64_t threads_block;      /* at most; lanes of a vector on a cpu */
  int64_t threads_unit;       /* resident threads a multiprocessor; lanes of a core's hardware threads */
  int64_t blocks_unit;        /* resident blocks a multiprocessor; 0 on a cpu, as the next two */
  int64_t registers_unit;     /* registers of 32 bits a multiprocessor */
  int64_t registers_lane;     /* that a lane works with which scans its part of a tile, of elements of 4 bytes; 0: a
                                 multiprocessor is filled with lanes, whatever they spill */
  int64_t units;              /* multiprocessors of the machine named in title, or cores */
  int64_t grid_max;           /* blocks in x; parts that a process hands out */
  int64_t l1_bytes, l2_bytes; /* of a cpu's core; 0 else */
  int64_t l3_bytes;           /* of all its cores; 0: none */
  int64_t vector_bytes;       /* of a vector register of a cpu; 0 else */
  Figures measured;
  const Figures *usual;       /* what follows from a figure of these is the same on all machines of the family
                                 (order.c) */
  const char *source;         /* where the figures come from */
  const char *detected;       /* of the host: its spec's text; NULL: it was read from a file */
} Arch;

/* Loads a machine by name ("sm_60", searched in `dir`) or by path (anything with a '/' or ending in .yaml); `cpu' is
 * the host (host.h), unless `dir' has a file of that name. On failure returns NULL and says why in `d`, with the
 * nearest shipped name as the hint when the name is unknown, and with file:line:col when the file is malformed,
 * cyclic or impossible. */
Arch *arch_load(Arena *a, const char *name_or_path, const char *dir, Diagnostics *d);

/* The machine that the text of `f` specifies, or NULL with every error that was found in `d`. The machine
 * keeps nothing of `f`. docs/reference/machines.md has the format. */
Arch *arch_parse(Arena *a, const SourceFile *f, Diagnostics *d);

/* The names of all machines in `dir`, sorted (sm_35 before sm_120), NULL-terminated. */
const char **arch_names(Arena *a, const char *dir, int *count);

/* The machine cut down to some of its levels, in order: "grid,block,thread". Errors: an unknown level
 * (nearest name as hint), the wrong order, or no level that can compute. */
Arch *arch_with_levels(Arena *a, const Arch *full, const char *levels, Diagnostics *d);

/* Does a codelet for certain machines mean this one: is it its name, its compute capability (sm_80), or one of its
 * features? */
bool arch_is_called(const Arch *m, const char *word);

/* Has some machine that name: a shipped one in `dir', or a feature that is known? `known', not NULL, gets all of
 * these, to choose the nearest from. */
bool arch_knows(Arena *a, const char *dir, const char *word, const char ***known, int *nknown);

/* The level of that name or letter, or NULL. */
const Level *arch_level(const Arch *m, const char *name);

/* The nearest level below that the machine cannot do without; NULL at the bottom. */
const Level *level_below(const Level *l);

/* The first level of a machine whose lanes share memory; whose workers reach each other's; that is one lane; NULL:
 * there is none. */
const Level *arch_sharing(const Arch *m);
const Level *arch_reaching(const Arch *m);
const Level *arch_lane(const Arch *m);

/* The machine's for elements of that name, of a warp and of a group of warps; NULL: it has none. */
const MatrixUnit *arch_matrix(const Arch *m, const char *elements);
const MatrixUnit *arch_deep_matrix(const Arch *m, const char *elements); /* .. of a warp, of k MATRIX_DEEP */
const MatrixUnit *arch_group_matrix(const Arch *m, const char *elements);

/* Are the machine's products of a warp those of its quad pairs? Then all are. */
bool arch_has_quads(const Arch *m);

/* Fills in what follows from the levels' realisation: abilities, which levels are optional, the usual widths. */
void arch_derive(Arch *m);

/* Can the blocks of its grids post their results? */
bool arch_posts(const Arch *m);

#endif
