/* check_parts.h: what the files of `tgc check' share. */
#ifndef TGC_DRIVER_CHECK_PARTS_H
#define TGC_DRIVER_CHECK_PARTS_H

#include <jansson.h>
#include <stdint.h>

#include "support/determinism.h"
#include "support/manifest.h"
#include "support/jobs.h"
#include "support/diagnostics.h"

typedef VEC(int64_t) CheckSizes; /* numbers of elements */

typedef struct CheckOptions {
  const char *dir;
  const char *variant;   /* id or its beginning; NULL: all */
  CheckSizes sizes;      /* none: each variant's own, check_sizes.c */
  int seed;              /* that they are drawn from; 0: by the clock */
  int seeds, orders, jobs, timeout;
  bool device, compile, plain, keep, all, no_codelets, quick;
  bool json, quiet, verbose;
  const char *color;     /* as terminal_color takes it */
  const char *flags;     /* of a CPU: what the C compiler is told; NULL: as a user's build */
  const char *sanitize;  /* of a CPU: "thread", "address", both with a comma between; NULL: thread */
} CheckOptions;

typedef struct CheckFunction { const char *type, *name; } CheckFunction;

/* An operand of the functions, as the manifest lists it. Other operands are meant by their number; -1: none. */
typedef struct CheckOperand {
  const char *name, *kind, *holds, *means; /* the last three in the harness's words: "ARRAY", "OFFSETS", "ROWS" */
  bool by_columns, read, written;
  int sizes[MANIFEST_SIZES], into, factors[2], times, plus, addend, more, every, low, high;
} CheckOperand;

typedef struct CheckVariant {
  const char *id, *plan, *category, *file; /* file: absolute */
  Determinism promise;
  CheckFunction *functions;
  int nfunctions;
  const char *configurations; /* of a CPU: what is compiled, as an option: "-DSUM_3FA9C1D2_CONFIGURATIONS(C)=C(8, 2)" */
  const char *features;  /* of a CPU, options that have the compiler know what it asks for: "-mavx512f" */
  CheckSizes borders;    /* where it may take another way */
  CheckSizes sizes;      /* that it is run with */
  int programs;          /* that it is yet to run in */
  long runs;
  int failures; /* of them or of its compilation */
  bool ended;
} CheckVariant;

/* One thing that went wrong. Texts are "-" where there is nothing to say. */
typedef struct CheckFailure {
  const CheckVariant *variant;
  const char *kind; /* compile, crash, timeout, wrong, order, error, contract, race, bounds, .. (simt::Fault) */
  const char *type, *sizes, *seed, *offset, *data, *got, *want, *what; /* sizes: "n = 33" */
  const char *program; /* how it was compiled, where there are several ways */
} CheckFailure;

/* A codelet that was run by itself. */
typedef struct CheckCodelet {
  const char *spectrum, *name, *where; /* "sum", "tiled", "sum.cdl:21" */
  long runs;
  const char *wrong; /* how, and with what; NULL: it agrees */
} CheckCodelet;

typedef struct Check {
  Arena *arena;
  CheckOptions options;
  Diagnostics *diagnostics;
  int workspace_head;  /* bytes of a workspace that a call finds zero and leaves zero */
  const char *spectrum, *operation, *machine; /* operation: "" when unknown */
  const char *dir;                            /* absolute */
  const char **types;
  int ntypes;
  CheckOperand *operands;                     /* none: in, n, out */
  int noperands;
  CheckVariant *variants;                     /* those chosen */
  int nvariants;
  int lacking;                                /* variants that ask for what this machine has not, .. */
  const char *lacks;                          /* .. such as this; NULL: none does */
  int left_out;                               /* variants that `--quick' does not check */
  CheckSizes literals;                        /* that the codelets name */
  CheckSizes own_sizes; /* of codelets by themselves, besides those that they are always run with */
  const char *simt, *temporary, *compiler;    /* the first two are absolute */
  const char *link;                           /* `dir' as compilations in `temporary' name it: a link there */
  bool clang;
  bool native;                                /* a CPU's: variants are C, run by this machine's threads */
  const char *c_compiler;                     /* of these; `compiler' links */
  const char *cxx;                            /* .. and of what is C++: the harness, the sequential codelets */
  const char *device_arch;                    /* "sm_90" with --device */
  Jobs *jobs;
  int steps, steps_done;                      /* compilations and links */
  int ended;                                  /* variants */
  double started, last_progress;
  bool broken;                                /* the check itself could not be made; `diagnostics' say why */
  VEC(CheckFailure) failures;
  VEC(CheckCodelet) codelets;                 /* those that have been run */
} Check;

/* check_native.c: how a compiler is told of a feature of the machine; NULL: this machine does not have it. */
const char *check_feature(const char *word);

/* check_manifest.c: reads DIR; fills spectrum to nvariants. False after an error in `diagnostics`. */
bool check_read(Check *c);

/* check_sizes.c: notes a variant's borders, from its object in the manifest, and the ranges that the dispatch has. */
void check_read_borders(Check *c, CheckVariant *v, const json_t *variant, const json_t *dispatch);
/* .. the whole numbers that the codelets' text names, into c->literals. */
void check_read_literals(Check *c);
/* Once all is read: how many elements each variant is run with, and the codelets by themselves. Sets the seed. */
void check_set_sizes(Check *c);
/* check_quick.c: leaves a few of the variants, and gives each a few sizes. */
void check_pick_quick(Check *c, const json_t *dispatch);
void check_quick_sizes(Check *c);
/* Appends them in decimal. */
void check_push_sizes(Check *c, Words *to, const CheckSizes *sizes);

/* check_support.c: what all programs of a check are linked with. */
enum { CHECK_COMPILE_SECONDS = 300 };
typedef struct CheckSupport {
  Check *check;
  const char *const *(*compile)(Check *c, const char *source, const char *object); /* the compiler's words, then NULL */
  void (*ready)(void *build); /* called when one object more is there */
  void *build;
  Words objects;              /* that programs of variants are linked with */
  int left;                   /* compilations that are not done */
  struct Codelets *codelets;  /* by themselves: check_codelets.c; NULL: they are not run, or are linked */
} CheckSupport;
/* Queues the compilation of the harness, of the sequential codelets and of `parts': sources in runtime/simt, without
 * their ".cc". False after an error in `diagnostics'. */
bool check_queue_support(CheckSupport *s, const char *const *parts, int n);
/* Queues one more, which does not go into `objects'; its object's path. */
const char *check_support_part(CheckSupport *s, const char *part);
/* check_compilations.c: headers that many compilations begin with, compiled once.
 * Queues their compilation, the harness's and `header', an absolute path, into NAME.pch. `words': what compiles a text
 * that begins with them, NULL at the end. NULL: nothing is compiled, since there is no `header' or it would not pay. */
typedef struct CheckHeaders CheckHeaders;
CheckHeaders *check_queue_headers(Check *c, const char *const *words, const char *header, const char *name);
/* The header that executes codelets; NULL: it is not to be found, or the folder's own copies say something else. */
const char *check_witness_header(Check *c);
/* Queues a compilation in c->temporary; job->argv: the compiler's words, which name what lies there without its folder.
 * Texts that include `dir' by c->link are equal in every check of equal folders: ccache, where there is one, has them
 * compiled once. `headers': what the text begins with, which is waited for; NULL: nothing that is compiled by
 * itself. */
void check_queue_compilation(Check *c, const Job *job, CheckHeaders *headers, bool first);
/* Includes the types of elements that the folder has of its own, if it has any. */
void check_include_types(const Check *c, Buffer *to);
/* A file of `dir' as compilations in `temporary' name it. */
const char *check_linked(Check *c, const char *path);
/* A file's path in c->temporary; writing one, false after an error. */
const char *check_temporary(Check *c, const char *name);
bool check_write_text(Check *c, const char *path, const Buffer *text);
/* The end of a check whose own parts do not compile. */
void check_break_off(Check *c, const Job *job, const char *what);
/* Of a failed compilation's output the first line that says "error"; else the first. */
const char *check_first_error(Check *c, const Job *job);
const char *check_promise(const CheckVariant *v); /* in the harness's words: "RUN_TO_RUN" */
/* Is there a program of that name in $PATH? */
bool check_in_path(const char *program);

/* check_build.c: writes the sources of the harness into c->temporary and queues their compilation, links and runs. */
bool check_queue(Check *c);
/* With --device: finds nvcc and a GPU; sets device_arch. False after an error in `diagnostics`. */
bool check_find_device(Check *c);
/* The C++ compiler: $TGC_CXX, clang++-19, clang++, c++; NULL after an error. Sets c->clang. */
const char *check_find_compiler(Check *c);

/* check_native.c: the same for a CPU's folder: variants are compiled as C with OpenMP, several times. */
bool check_queue_native(Check *c);
/* The C and the C++ compiler, from $TGC_CC, $TGC_CXX or $PATH; false after an error. */
bool check_find_c_compiler(Check *c);

/* check_codelets.c: queues the compilation of what runs each codelet by itself, where all of a folder is checked on the
 * CPU; links and runs it once support is there. */
typedef struct Codelets Codelets;
bool check_queue_codelets(CheckSupport *s);
void check_link_codelets(CheckSupport *s);

/* check_compile.c: --compile: queues compilations of every variant for every machine from its own on. */
bool check_queue_compile(Check *c);

/* check_report.c: notes a failure of a variant. */
void check_fail(Check *c, CheckVariant *v, CheckFailure f);
/* What a program of a variant printed: its runs and failures. `program' as in CheckFailure. */
void check_take_output(Check *c, CheckVariant *v, const Job *job, const char *program);
/* The line of progress on standard error, for jobs_run; and its end. */
void check_progress(void *c);
void check_progress_end(void);
/* How many codelets do not agree by themselves. */
int check_wrong_codelets(const Check *c);
/* The failures and the table of categories; with `--json' one object of all. False: it cannot be written. */
bool check_print(const Check *c, FILE *to);
double check_clock(void); /* seconds, monotonic */

#endif
