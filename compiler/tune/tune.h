/* tune.h: what the parts of `tgc tune' share.
 *
 *   main.c       options, the order of things
 *   sizes.c      sizes and shapes: lists of them, and those that are usual
 *   calls.c      calls that meet conditions of a table's rows, and calls that do not, apart
 *   folder.c     the generated folder: its manifest read, its tables rewritten
 *   space.c      what is measured: variants x configurations x sizes, coarse first
 *   build.c      the compiler: a shared object a variant, the measuring process
 *   operands.c   operands of any sort: of a CPU's folder all, of a GPU's what is no reduction
 *   cpu.c        what a CPU's folder needs of its own: command lines of a C compiler
 *   worker.c     the measuring process (runtime/measure): requests, answers, hangs, deaths
 *   database.c   SQLite: every measurement and every failure
 *   ranges.c     measurements -> a table of ranges (table/table.h)
 *
 * It runs where there is a GPU, or on the CPU that a folder is for, and needs neither libclang nor the codelets. */
#ifndef TGC_TUNE_TUNE_H
#define TGC_TUNE_TUNE_H

#include <stdbool.h>
#include <stdint.h>

#include "support/determinism.h"
#include "support/buffer.h"
#include "support/diagnostics.h"
#include "support/jobs.h"
#include "support/tunables.h"
#include "table/table.h"

/* ---- what is tuned ---- */

typedef VEC(Tunables) Configurations;

typedef struct TunedVariant {
  const char *id, *plan, *text_hash, *file, *macro;
  const char *determinism;
  const char **types;    /* those of the folder that it is for */
  int ntypes;
  Tunables tunables, compiled; /* all; those that its text is compiled for */
  const Configurations *configurations; /* NULL: not made yet */
  const int64_t *even;   /* by type of the folder: rows or segments of so many elements, times loads, have a text of
                            their own; NULL: there is none */
  const char *object;    /* its shared object; NULL: not built */
  bool broken;           /* it does not compile */
  const char *why;       /* what the compiler said of it; NULL: it was killed */
} TunedVariant;

/* What a folder's functions take besides workspace and stream. */
typedef struct Operands {
  const char *rows;      /* of runtime/measure/arrays.h's table */
  int parts, less;       /* the operand that says how many rows or segments there are, and `less' more; -1: none does */
  int results;           /* the container whose elements are made of so many each; -1: there is none */
} Operands;

typedef struct Folder {
  const char *dir, *spectrum, *machine, *operation;
  const char *suffix;    /* of its texts: "cu"; "c" or "cc" for a CPU */
  bool cpu;              /* is it for one? */
  const Operands *operands; /* NULL: it is for GPUs, and a reduction */
  const char *options;   /* of a CPU: what its library is compiled with */
  int compute;           /* 90; 0 of a CPU */
  const char **types, **exact; /* exact: those for which the order does not matter */
  int ntypes, nexact;
  bool rounds;           /* are results rounded even where operands are small whole numbers? */
  unsigned conditions;   /* what rows of a table may ask of calls beside their size: bits of table/conditions.h */
  bool by_shape;         /* are a table's ranges of the elements of each row or segment, and of how many there are? */
  Tunables members;      /* of a configuration */
  TunedVariant *variants;
  int nvariants;
} Folder;

/* Reads DIR/manifest.json, and the variants' texts for their hashes. False, with errors in `d'. */
bool folder_read(Arena *a, const char *dir, Folder *f, Diagnostics *d);
/* Does the operator give the same bits in any order of elements of the type? */
bool folder_is_exact(const Folder *f, const char *type);
/* Puts the table into DIR: NAME.table, the rows of NAME.cu, the manifest's dispatch, the configurations of the variants
 * that it names. Nothing is written where a file cannot be rewritten; every file is replaced whole. False, with errors
 * in `d'. */
bool folder_rewrite(Arena *a, const Folder *f, const Table *t, Diagnostics *d);
/* The C function of a variant for a type: "sum_53feb26c_float". */
const char *folder_function(Arena *a, const Folder *f, const TunedVariant *v, const char *type);

/* Calls that meet the conditions `like' of a table's rows (table/conditions.h), and none of `unlike'; neither: as they
 * come. */
typedef struct Calls { unsigned like, unlike; } Calls;

/* How much there is to do: n elements; or n of each of `count' rows or segments; by such calls. */
typedef struct Shape { uint64_t n, count; Calls calls; } Shape; /* count 0: there are none */
typedef VEC(Shape) Shapes;
/* Reads "64,2^10..2^14/2", or with counts "2^4x2^20,2^2..2^8x1": in order, each once. False: it is no such list. */
bool shapes_of(Arena *a, const char *s, bool with_counts, Shapes *to);

typedef struct Candidate {
  TunedVariant *variant;
  Tunables set; /* its configuration; vectors are shared: tunables_copy before one is changed */
} Candidate;
bool candidate_equal(const Candidate *x, const Candidate *y);
/* Is what was measured there, on rows or segments of n elements, a text that serves no other size? */
bool candidate_is_even(const Folder *f, const char *type, const Candidate *c, uint64_t n);

/* ---- the device and its measurements ---- */

typedef struct DeviceInfo {
  const char *name, *driver, *toolkit;
  const char *more;      /* of a CPU: its caches and governor, for people; NULL */
  double meeting;        /* of a CPU: microseconds that threads take to begin and end together; 0: there is one */
  int compute, units;    /* units: multiprocessors; of a CPU as many threads as run at a time */
  uint64_t l2_bytes, memory_bytes;
} DeviceInfo;

/* What is measured where nobody says it: sizes, or for each of `sizes' (none: those that are usual) several numbers of
 * rows or segments, as far as all of them are no more than a part of the memory. */
void shapes_usual(Arena *a, const Folder *f, const DeviceInfo *d, const Shapes *sizes, Shapes *to);
uint64_t shape_elements(Shape s);                /* of all of them */
const char *shape_text(Arena *a, Shape s);       /* "1024", "16x4096", "16x4096 aligned" */

/* ---- calls.c ---- */

/* "aligned, not tall, not wide": what the measuring process and the database are told; "": as they come. */
const char *calls_text(Arena *a, Calls c);
/* What is measured apart where these conditions are asked for: each combination that a call can meet, those that meet
 * most ahead, as their rows stand in a table; how many. Without any, calls as they come. */
enum { MOST_CALLS = 6 };
int calls_apart(unsigned conditions, Calls to[MOST_CALLS]);
/* The shapes that such calls can have: few results are neither tall nor wide. */
Shapes calls_shapes(Arena *a, const Folder *f, const Shapes *all, Calls c);
/* The conditions of a list, "aligned,tall"; 0: it is none. */
unsigned calls_conditions(const char *list);

/* Which rows of a type those that were measured without conditions replace: those that the table before has for calls
 * as they were measured, which are aligned where sizes are multiples of 16 bytes. All others stay, as long as the
 * folder has their variants. */
unsigned rows_replaced(const Folder *f, const Table *before, const char *type);
/* Appends the rows of a type that stay and are ahead of those that ask for `when', or behind them. */
void rows_keep(Arena *a, const Folder *f, const Table *before, const char *type, unsigned when, bool behind,
               Table *to);

/* Ways to call; of a CPU there is one, the first. */
typedef enum Mode { MODE_GRAPH, MODE_STREAM, MODE_SYNC, MODES } Mode;
const char *mode_name(const Folder *f, Mode m); /* "graph", "stream", "sync"; "call" */

typedef enum FailureKind { FAILED_NOT, FAILED_COMPILE, FAILED_LAUNCH, FAILED_WRONG, FAILED_TIMEOUT } FailureKind;
extern const char *const failure_names[]; /* "", "compile", "launch", "wrong", "timeout" */

/* microseconds a call, quartiles; median < 0: not measured */
typedef struct Timing { double median, low, high; } Timing;

/* What is to be least: a call's time in a graph, on a stream, or the geometric mean of these and of its time alone,
 * with a synchronisation behind it (where that was measured): two kernels may be fast in a graph and cost the host
 * twice as much. Of a CPU's calls, OBJECTIVE_GRAPH is the one way there is. */
typedef enum Objective { OBJECTIVE_ALL, OBJECTIVE_GRAPH, OBJECTIVE_STREAM } Objective;
double objective_time(const Timing *mode, Objective o); /* infinite: not measured */

/* In which each of the best candidates is measured; on a CPU so many in each of the visits to a size: some to all
 * sizes, and more to those whose calls are short. */
enum { GPU_TURNS = 3, CPU_TURNS = 3, CPU_VISITS = 3, MOST_VISITS = 9, MOST_TURNS = CPU_TURNS * MOST_VISITS };

typedef struct Measured {
  FailureKind failed;
  const char *message;     /* of a failure */
  Timing mode[MODES];
} Measured;

/* ---- worker.c ---- */

typedef struct Worker Worker;
/* Starts the measuring process. NULL, with an error in `d': it does not start, or there is no GPU. */
Worker *worker_new(Arena *a, const Folder *f, const char *program, DeviceInfo *device, Diagnostics *d);
/* One measurement. `modes': "g", "gs", "gsy"; `budget': microseconds a mode. A process that hangs or dies is replaced.
 * False only when none can be started any more. */
bool worker_measure(Worker *w, const Folder *f, const char *type, const Candidate *c, Shape at, const char *modes,
                    double budget, double timeout_seconds, Measured *m);
void worker_free(Worker *w);

/* ---- database.c ---- */

typedef struct Database Database;
/* Opens or makes the database. NULL, with an error in `d', for a file that is none, of another version, or that cannot
 * be written. */
Database *database_open(Arena *a, const char *path, Diagnostics *d);
void database_close(Database *db);
/* What is known of a candidate on that device for that text; turn 0: a quick look, 1 .. MOST_TURNS: a turn of
 * the second round. */
bool database_find(Database *db, const DeviceInfo *device, const Folder *f, const char *type, const Candidate *c,
                   Shape at, const char *modes, int turn, Measured *m);
/* False where it, or what was stored before, cannot be written: database_error says why. */
bool database_store(Database *db, const DeviceInfo *device, const Folder *f, const char *type, const Candidate *c,
                    Shape at, int turn, const Measured *m);
/* Many rows are written at once: this writes those that wait. */
bool database_commit(Database *db);
/* Adds what another database has and this one lacks; how many rows, or -1 after an error in `d'. */
int64_t database_merge(Database *db, const char *path, Diagnostics *d);
/* Forgets that something failed. */
void database_forget_failures(Database *db);
const char *database_error(const Database *db);

/* ---- build.c ---- */

typedef struct BuildOptions {
  const char *nvcc, *cc, *cxx; /* compilers: a GPU's, a CPU's */
  const char *options;         /* more words for a CPU's variants, between blanks: "-march=native" */
  const char *cache, *runtime; /* folders */
  const char *target;          /* part of what variants' objects are called: "sm_90"; of a CPU what tells it apart */
  int jobs;
} BuildOptions;
/* Builds the measuring process for the folder's operator. Its path; NULL after an error in `d'. */
const char *build_worker(Arena *a, const BuildOptions *o, const Folder *f, Diagnostics *d);
/* Builds the shared objects that are not there yet, several at a time; `tick' is told how many of how many are done. A
 * variant that does not compile is marked broken, with what nvcc said in `why'; those that are marked are left out.
 * False when interrupted, or after an error in `d': no compiler, a file that cannot be written. */
bool build_variants(Arena *a, const BuildOptions *o, const Folder *f,
                    void (*tick)(void *context, int done, int all, int failed), void *context, Diagnostics *d);
/* The configurations that a variant is compiled for: all that values of its tunables make, its own first. They are made
 * once. */
const Configurations *build_configurations(Arena *a, TunedVariant *v);

/* ---- operands.c ---- */

/* Reads the operands of a manifest (json_t). NULL, with an error in `d': no call can be made of them. */
const Operands *operands_read(Arena *a, const char *dir, const void *manifest, Diagnostics *d);
/* The text that the measuring process is compiled with: the folder's operands and element types. */
const char *operands_table(Arena *a, const Folder *f);

/* ---- cpu.c ---- */

/* A compiler's command line up to the sources, of the measuring process and of a variant. */
Words cpu_worker_command(Arena *a, const BuildOptions *o, const Folder *f, const char *to);
Words cpu_variant_command(Arena *a, const BuildOptions *o, const Folder *f, const char *to);
/* What tells objects of this CPU, compiler and options apart from others. */
const char *cpu_target(Arena *a, const BuildOptions *o, const DeviceInfo *device);

/* ---- turns.c ---- */

/* All turns of a candidate at one size, in the order of the candidates' turns; who is left out of one has none any
 * more. */
typedef struct Turns { Measured of[MOST_TURNS]; int n; } Turns;
/* The k-th of the turns in a way to call, in their order by time. */
const Timing *turns_by_time(const Turns *t, Mode m, int k);
/* A turn in which most of n candidates took longer, or less, than they usually do was another moment of the machine:
 * its times become those of a usual one. What disturbs one of them disturbs all alike: they have as many threads. Who
 * left early is compared with who stayed by the turns that both had. */
void turns_even_out(Arena *a, Turns *const *all, int n);

/* ---- space.c ---- */

typedef struct Search {
  Arena *arena;
  const Folder *folder;
  const DeviceInfo *device;
  Database *database;
  Worker *worker;
  Determinism determinism; /* what floating results must keep, at least */
  Objective objective;
  Shapes shapes;
  double timeout;          /* seconds that one measurement may take */
  int measured, known, failures[5];
  const char *unwritable;  /* why the database took no more; NULL: it does */
  void (*progress)(void *context, double fraction, const char *what);
  void *context;
  bool (*interrupted)(void);
} Search;

/* A candidate at a size: the turn that counts, and the median of a bad one (0: there was one turn); of a CPU that of a
 * good one (0: not known), a quarter of them being better or as good; microseconds that each call is taken to wait for
 * threads. */
typedef struct Finding { Candidate candidate; Timing mode[MODES]; double worst[MODES], good, waiting; } Finding;
typedef struct SizeFindings { Shape at; VEC(Finding) list; } SizeFindings;

/* Measures for one type; fills findings[i] for the i-th shape with the candidates of the second round. False when
 * interrupted, when no worker starts any more, or when the database takes no more. */
bool search_type(Search *s, const char *type, SizeFindings *findings);

/* ---- ranges.c ---- */

/* The rows of one type that ask for `when', for the best candidate at each size, or shape; what lies in between belongs
 * to the nearer one (by ratio), and a shape that was not measured to the nearest that was. */
void ranges_add(Arena *a, const Folder *f, Table *t, const char *type, unsigned when, const SizeFindings *findings,
                int n, Objective objective);

/* ---- before.c ---- */

/* Warns of each shape of one type that the table before names with a time on the same device, and whose best candidate
 * now takes over 3% longer. */
void before_compare(Arena *a, const Table *before, const char *device, const char *type, const SizeFindings *findings,
                    int n, Diagnostics *d);

#endif
