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

#include "support/diagnostics.h"

/* C_l of MICRO Fig. 3, as a set. */
typedef enum Capability {
  CAP_NONE = 0,
  CAP_SCALAR = 1, /* SE: runs autonomous codelets */
  CAP_VECTOR = 2, /* VE: runs cooperative codelets */
  CAP_MATRIX = 4  /* ME: runs codelets on tiles (later) */
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

/* Ways that the compiler knows to carry out; it takes any other for the plain end of a grid, a barrier or a join. */
typedef enum SyncKind {
  SYNC_PLAIN,
  SYNC_TICKET, /* "last-block ticket": the last worker to arrive goes on alone, in the same launch */
  SYNC_CHAIN,  /* "chained": a worker waits for what the one before it has found (a CPU's threads) */
  SYNC_POST    /* "posted results": the last worker to begin waits for what each of the others posts, in the same
                  launch */
} SyncKind;

/* One way for a level to synchronise its subordinates (S_l); a level may have several. */
typedef struct SyncWay {
  SyncKind kind;
  const char *name; /* as printed: "terminate/launch", "__syncthreads()", "barrier/join" */
} SyncWay;

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
  Realisation real;
  SyncWay *sync;
  int nsync;      /* 0 exactly when sub is NULL */
  Tiling prefer;  /* of the partitions that distribute over its subordinates (MICRO IV-B) */
  int64_t width_min, width_max, width_default; /* workers (subordinates) one instance can have; max 0 = unbounded */
  int64_t width_multiple; /* width is a multiple of this; 1 when anything goes */
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
  bool independent_threads; /* no lockstep: warp barriers are needed */
  bool dependent_launch;  /* a grid may begin while the one before it in the stream runs, and wait for it */
  bool cluster;           /* thread-block clusters, distributed shared memory */
} Instructions;

/* Of a CPU whose vectors are larger: what reads several runs of memory side by side may get more from vectors of so many
 * bytes (bench/results: measured on two AMD EPYCs). */
enum { HALF_BYTES = 32 };

typedef struct Arch {
  const char *name;   /* "sm_60" */
  const char *title;  /* "Pascal (Tesla P100)" */
  const char *family; /* "cuda" or "cpu" */
  bool is_cpu;
  int compute;        /* compute capability times ten, 0 on a cpu */
  Level *levels;      /* top first; levels[i].sub == &levels[i + 1] */
  int nlevels;
  int vector_width;   /* MaxSize() of a Vector: 32 */
  Instructions can;
  int64_t shared_bytes_block; /* shared memory one block may take statically; what a thread of a cpu may keep */
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
  const char *source;         /* where the figures come from */
  const char *detected;       /* of the host: its spec's text; NULL: it was read from a file */
} Arch;

/* Loads a machine by name ("sm_60", searched in `dir`) or by path (anything with a '/' or ending in .yaml); `cpu' is the
 * host (host.h), unless `dir' has a file of that name. On failure returns NULL and says why in `d`, with the nearest
 * shipped name as the hint when the name is unknown, and with file:line:col when the file is malformed, cyclic or
 * impossible. */
Arch *arch_load(Arena *a, const char *name_or_path, const char *dir, Diagnostics *d);

/* The machine that the text of `f` specifies, or NULL with every error that was found in `d`. The machine
 * keeps nothing of `f`. docs/machines.md has the format. */
Arch *arch_parse(Arena *a, const SourceFile *f, Diagnostics *d);

/* The names of all machines in `dir`, sorted (sm_35 before sm_120), NULL-terminated. */
const char **arch_names(Arena *a, const char *dir, int *count);

/* The machine cut down to some of its levels, in order: "grid,block,thread". Errors: an unknown level
 * (nearest name as hint), the wrong order, or no level that can compute. */
Arch *arch_with_levels(Arena *a, const Arch *full, const char *levels, Diagnostics *d);

/* The level of that name or letter, or NULL. */
const Level *arch_level(const Arch *m, const char *name);

/* The nearest level below that the machine cannot do without; NULL at the bottom. */
const Level *level_below(const Level *l);

/* Can the blocks of its grids post their results? */
bool arch_posts(const Arch *m);

#endif
