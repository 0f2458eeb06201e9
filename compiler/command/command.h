/* command.h: the command line as one table (verbs.c): what each verb takes. From it come parsing (parse.c), `tgc help'
 * and man pages (help.c, man.c), and completion for shells (complete.c), in tgc and in tgc-tune alike.
 *
 * A verb's options are rows of a macro, OPTION(field, "--name", "-s" or "", "ARGUMENT" or "", older spelling or "",
 * what it does). A row is a switch without an argument; "[=KIND]" may be given bare. Each field of the struct that the
 * macro makes is NULL where the option was not given, "" where it was given bare, else its value. An older spelling
 * keeps working and is not shown. What can be completed follows from the argument: "FILE", "DIR", or its words
 * "graph|stream|all". */
#ifndef TGC_COMMAND_COMMAND_H
#define TGC_COMMAND_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "support/arena.h"
#include "support/buffer.h"

#define COLOR_OPTION(OPTION)                                                                                           \
  OPTION(color, "--color", "", "auto|always|never", "",                                                                \
         "color diagnostics; auto: on a terminal, unless NO_COLOR is set")
#define HELP_OPTION(OPTION) OPTION(help, "--help", "-h", "", "", "print this help")
#define QUIET_OPTIONS(OPTION)                                                                                          \
  OPTION(quiet, "--quiet", "-q", "", "", "print errors and what was asked for, nothing else")                          \
  COLOR_OPTION(OPTION)                                                                                                 \
  HELP_OPTION(OPTION)

#define COMPILE_OPTIONS(OPTION)                                                                                        \
  OPTION(arch, "--arch", "-a", "LIST", "",                                                                             \
         "target: a machine (`tgc archs' lists them), `cpu' for this host, or a spec file; several GPUs with commas")  \
  OPTION(out, "--out", "-o", "DIR", "", "output folder (default: out)")                                                \
  OPTION(types, "--types", "-t", "LIST", "",                                                                           \
         "element types (default: int,float,double); half:double accumulates half in double")                          \
  OPTION(spectrum, "--spectrum", "", "LIST", "",                                                                       \
         "spectrum to compile (default: the first of the file); several with commas share a folder (--name)")          \
  OPTION(operation, "--operator", "", "NAME", "",                                                                      \
         "operator of a generic spectrum: Sum, Max, ArgMax, .. or one that the files define")                          \
  OPTION(by_columns, "--by-columns", "", "LIST", "",                                                                   \
         "matrices, by their parameters' names, that are column-major, as with __by_columns: A,B")                     \
  OPTION(name, "--name", "", "NAME", "",                                                                               \
         "name of the library, its header and its C functions (default: the spectrum's)")                              \
  OPTION(levels, "--levels", "", "LIST", "", "use only these levels, top first: grid,block,thread")                    \
  OPTION(iterations, "--iterations", "", "N", "", "depth of the search (MICRO, Fig. 7)")                               \
  OPTION(keep, "--keep", "", "N|all", "", "number of variants to keep after pruning")                                  \
  OPTION(limit, "--limit", "", "N", "", "upper bound for `--keep all' (default: 8192)")                                \
  OPTION(determinism, "--determinism", "", "not_guaranteed|run_to_run|gpu_to_gpu|sequential", "",                      \
         "the weakest guarantee that floating-point results may have")                                                 \
  OPTION(space, "--space", "", "cgo", "", "preset of codelets, levels and choices")                                    \
  OPTION(table, "--table", "", "FILE|none", "", "dispatch table to use in place of the shipped one")                   \
  OPTION(online, "--online", "", "", "",                                                                               \
         "the library can select variants while a program runs: NAME_select_online")                                   \
  OPTION(list, "--list", "-l", "[=json]", "", "list the variants; without -o nothing is written")                      \
  OPTION(json, "--json", "", "", "", "print the manifest as JSON; without -o nothing is written")                      \
  OPTION(remarks, "--remarks", "", "[=passed|missed|all]", "", "print optimization remarks of the passes")             \
  OPTION(pruned, "--pruned", "", "", "", "print which plans were pruned, and why")                                     \
  OPTION(trace, "--trace", "", "", "", "print the search step by step")                                                \
  OPTION(print_after, "--print-after", "", "PASS", "", "print kernels after a pass: nest, lower, fold, .., all")       \
  OPTION(without, "--without", "", "LIST", "", "disable optional passes")                                              \
  OPTION(time, "--time", "", "", "", "print the time of each phase and pass")                                          \
  OPTION(line, "--line", "", "", "", "emit #line directives that refer to the codelets")                               \
  OPTION(columns, "--columns", "", "N|none", "",                                                                       \
         "fold the lines of headers and variants that are longer (default: 120; with `--line' none)")                  \
  OPTION(depfile, "--depfile", "", "FILE", "", "write a dependency file for make or ninja with the codelet files")     \
  OPTION(verbose, "--verbose", "-v", "", "", "same as `--remarks=all --time'")                                         \
  QUIET_OPTIONS(OPTION)                                                                                                \
  OPTION(version, "--version", "", "", "", "print the version")

#define RULES_OPTIONS(OPTION)                                                                                          \
  OPTION(arch, "--arch", "-a", "NAME", "", "also print the rules specialized for this machine")                        \
  OPTION(types, "--types", "-t", "LIST", "", "element types (default: int,float,double)")                              \
  OPTION(spectrum, "--spectrum", "", "NAME", "", "spectrum whose rules are printed (default: the first of the file)")  \
  OPTION(operation, "--operator", "", "NAME", "", "operator of a generic spectrum")                                    \
  OPTION(levels, "--levels", "", "LIST", "", "use only these levels, top first")                                       \
  OPTION(space, "--space", "", "cgo", "", "preset of codelets, levels and choices")                                    \
  OPTION(json, "--json", "", "", "", "print JSON")                                                                     \
  QUIET_OPTIONS(OPTION)

#define ARCHS_OPTIONS(OPTION)                                                                                          \
  OPTION(json, "--json", "", "", "", "print JSON")                                                                     \
  COLOR_OPTION(OPTION)                                                                                                 \
  HELP_OPTION(OPTION)

#define EXPLAIN_OPTIONS(OPTION)                                                                                        \
  OPTION(dot, "--dot", "", "", "", "print the plan as a Graphviz graph")                                               \
  OPTION(nest, "--nest", "", "", "", "print the loops, workers and registers that its kernels are written from")       \
  OPTION(svg, "--svg", "", "FILE", "", "draw the plan into FILE (needs Graphviz)")                                     \
  OPTION(json, "--json", "", "", "", "print the variant's entry of the manifest as JSON")                              \
  COLOR_OPTION(OPTION)                                                                                                 \
  HELP_OPTION(OPTION)

#define CHECK_OPTIONS(OPTION)                                                                                          \
  OPTION(quick, "--quick", "", "", "",                                                                                 \
         "a sample of the variants at a few sizes, in under 20 s: each category, and what the dispatch selects first") \
  OPTION(variant, "--variant", "", "ID", "", "check only variants whose id begins with ID")                            \
  OPTION(sizes, "--sizes", "", "LIST", "",                                                                             \
         "numbers of elements, 0,33,2^10 (default: the edge cases of each variant, and random ones)")                  \
  OPTION(seed, "--seed", "", "N", "", "seed of the random sizes, to repeat an earlier check")                          \
  OPTION(seeds, "--seeds", "", "N", "", "data sets, and orders of execution, for each small size (default: 3)")        \
  OPTION(orders, "--orders", "", "N", "", "calls with each data set, each in another order (default: 2)")              \
  OPTION(plain, "--plain", "", "", "", "do not instrument memory accesses: faster, finds fewer errors")                \
  OPTION(sanitize, "--sanitize", "", "LIST", "", "CPU: sanitizers: thread, address, or both (default: thread)")        \
  OPTION(flags, "--flags", "", "FLAGS", "", "CPU: compiler flags after -O3 (default: the machine's vectors)")          \
  OPTION(no_codelets, "--no-codelets", "", "", "", "do not check each codelet by itself")                              \
  OPTION(device, "--device", "", "", "", "run on the GPU, with nvcc, instead of on the CPU")                           \
  OPTION(compile, "--compile", "", "", "", "only compile the variants, for their own and every later machine")         \
  OPTION(all, "--all", "", "", "", "print every failure, not only the first few")                                      \
  OPTION(timeout, "--timeout", "", "SECONDS", "", "time limit of one run (default: 60)")                               \
  OPTION(keep_harness, "--keep-harness", "", "", "--keep", "keep the test harness and print its folder")               \
  OPTION(jobs, "--jobs", "-j", "N", "", "number of processes at a time (default: the number of processors)")           \
  OPTION(json, "--json", "", "", "", "print the result as JSON")                                                       \
  OPTION(verbose, "--verbose", "-v", "", "", "also print a line for each variant")                                     \
  QUIET_OPTIONS(OPTION)

#define TUNE_OPTIONS(OPTION)                                                                                           \
  OPTION(types, "--types", "-t", "LIST", "", "element types to tune (default: all types of the folder)")               \
  OPTION(sizes, "--sizes", "", "LIST", "",                                                                             \
         "numbers of elements: 64,96,2^10, powers of two 2^6..2^30, with the midpoints 2^6..2^30/2; of rows or "       \
         "segments: of each, with 1, 16, 256, .. of them, which takes long: --shapes names few")                       \
  OPTION(shapes, "--shapes", "", "LIST", "",                                                                           \
         "of rows or segments: elements of each x how many, 2^4x2^20,2^8..2^12x64")                                    \
  OPTION(conditions, "--conditions", "", "LIST", "",                                                                   \
         "of matrices: measure calls that meet these and calls that do not apart, for rows of their own: some of "     \
         "aligned,tall,wide (default: calls as they come, which are aligned where sizes are)")                         \
  OPTION(determinism, "--determinism", "", "not_guaranteed|run_to_run|gpu_to_gpu|sequential", "",                      \
         "the weakest guarantee that floating-point results may have (default: run_to_run)")                           \
  OPTION(objective, "--objective", "", "graph|stream|all", "",                                                         \
         "GPU: what to minimize: the time of a call in a graph, on a stream, or the geometric mean of these and of a " \
         "single call (default: all)")                                                                                 \
  OPTION(flags, "--flags", "", "FLAGS", "--options", "CPU: compiler flags after -O3 (default: as in CMakeLists.txt)")  \
  OPTION(database, "--database", "", "FILE", "", "where measurements are stored (default: DIR/tune.db)")               \
  OPTION(merge, "--merge", "", "FILE", "", "only add the measurements of another database")                            \
  OPTION(retry, "--retry", "", "", "", "measure again what failed before")                                             \
  OPTION(timeout, "--timeout", "", "SECONDS", "", "time limit of one measurement (default: 30)")                       \
  OPTION(jobs, "--jobs", "-j", "N", "", "number of compilations at a time (default: the number of processors)")        \
  OPTION(json, "--json", "", "", "", "print the resulting table as JSON")                                              \
  OPTION(verbose, "--verbose", "-v", "", "", "also print each variant that fails, with the reason")                    \
  QUIET_OPTIONS(OPTION)

#define BENCH_OPTIONS(OPTION)                                                                                          \
  OPTION(types, "--types", "-t", "LIST", "", "element types to measure (default: all types of the folder)")            \
  OPTION(sizes, "--sizes", "", "LIST", "", "powers of two: 2^10,2^16..2^24 (default: 2^6..2^30, CPU: 2^6..2^27)")      \
  OPTION(odd, "--odd", "", "", "", "also 3 * 2^k + 1 elements, one past an aligned address")                           \
  OPTION(variants, "--variants", "", "", "", "also each variant by itself")                                            \
  OPTION(quick, "--quick", "", "", "", "fewer sizes (2^6, 2^8, .., 2^28) and 5 rounds")                                \
  OPTION(rounds, "--rounds", "", "N", "", "measurements of each (default: 9, CPU: 11)")                                \
  OPTION(results, "--results", "", "DIR", "", "where the record is written (default: DIR/bench)")                      \
  OPTION(arch, "--arch", "-a", "NAME", "", "GPU: what nvcc compiles for (default: the GPU at hand)")                   \
  OPTION(build, "--build", "", "DIR", "", "where object files are kept (default: DIR/build-bench)")                    \
  OPTION(flags, "--flags", "", "FLAGS", "--options", "CPU: compiler flags after -O3 (default: as in CMakeLists.txt)")  \
  OPTION(build_only, "--build-only", "", "", "", "build, run nothing: needs no GPU")                                   \
  OPTION(timeout, "--timeout", "", "SECONDS", "", "time limit of the comparison (default: 600, CPU: 3600)")            \
  OPTION(jobs, "--jobs", "-j", "N", "", "number of compilations at a time (default: the number of processors)")        \
  OPTION(json, "--json", "", "", "", "print the record as JSON in place of the table")                                 \
  QUIET_OPTIONS(OPTION)

#define DIFF_OPTIONS(OPTION)                                                                                           \
  OPTION(json, "--json", "", "", "", "print the differences as JSON")                                                  \
  OPTION(verbose, "--verbose", "-v", "", "", "also print the lines that differ")                                       \
  OPTION(quiet, "--quiet", "-q", "", "", "print nothing: the exit status tells")                                       \
  COLOR_OPTION(OPTION)                                                                                                 \
  HELP_OPTION(OPTION)

#define VIEW_OPTIONS(OPTION)                                                                                           \
  OPTION(out, "--out", "-o", "FILE", "", "where the page is written (default: DIR/view.html)")                         \
  OPTION(database, "--database", "", "FILE", "", "measurements to show (default: DIR/tune.db, if it is there)")        \
  QUIET_OPTIONS(OPTION)

#define SHIP_OPTIONS(OPTION)                                                                                           \
  OPTION(out, "--out", "-o", "DIR", "", "output folder (default: release)")                                            \
  OPTION(json, "--json", "", "", "", "print what is shipped as JSON")                                                  \
  OPTION(verbose, "--verbose", "-v", "", "", "also print each variant and the configurations that it is compiled for") \
  QUIET_OPTIONS(OPTION)

#define NEW_OPTIONS(OPTION)                                                                                            \
  OPTION(out, "--out", "-o", "DIR", "", "output folder (default: NAME)")                                               \
  OPTION(json, "--json", "", "", "", "print the folder and its files as JSON")                                         \
  QUIET_OPTIONS(OPTION)

#define LSP_OPTIONS(OPTION)                                                                                            \
  OPTION(arch, "--arch", "-a", "NAME", "", "machine that spectra are composed for (default: cpu, this host)")          \
  OPTION(types, "--types", "-t", "LIST", "", "element types to check codelets with (default: int,float,double)")       \
  OPTION(operation, "--operator", "", "NAME", "",                                                                      \
         "operator of generic spectra (default: Sum, and each that a file defines)")                                   \
  OPTION(timeout, "--timeout", "", "SECONDS", "", "time limit of the analysis of one text (default: 30)")              \
  OPTION(stdio, "--stdio", "", "", "", "use standard input and output, as always: some editors say so")                \
  HELP_OPTION(OPTION)

#define HELP_OPTIONS(OPTION)                                                                                           \
  OPTION(as, "--as", "", "text|man|bash|zsh|fish", "", "form: text, a man page, or a completion script")               \
  OPTION(out, "--out", "-o", "DIR", "", "write all man pages and completion scripts into DIR")                         \
  OPTION(json, "--json", "", "", "", "print verbs and options as JSON")                                                \
  HELP_OPTION(OPTION)

#define VERSION_OPTIONS(OPTION) HELP_OPTION(OPTION)

/* What is given beside options, in order: every struct below begins with it. */
typedef struct CommandOperands {
  const char **at;
  int n;
} CommandOperands;

#define OPTION(field, name, short_name, argument, older, what) const char *field;
typedef struct CompileArguments { CommandOperands operands; COMPILE_OPTIONS(OPTION) } CompileArguments;
typedef struct RulesArguments { CommandOperands operands; RULES_OPTIONS(OPTION) } RulesArguments;
typedef struct ArchsArguments { CommandOperands operands; ARCHS_OPTIONS(OPTION) } ArchsArguments;
typedef struct ExplainArguments { CommandOperands operands; EXPLAIN_OPTIONS(OPTION) } ExplainArguments;
typedef struct CheckArguments { CommandOperands operands; CHECK_OPTIONS(OPTION) } CheckArguments;
typedef struct TuneArguments { CommandOperands operands; TUNE_OPTIONS(OPTION) } TuneArguments;
typedef struct BenchArguments { CommandOperands operands; BENCH_OPTIONS(OPTION) } BenchArguments;
typedef struct DiffArguments { CommandOperands operands; DIFF_OPTIONS(OPTION) } DiffArguments;
typedef struct ViewArguments { CommandOperands operands; VIEW_OPTIONS(OPTION) } ViewArguments;
typedef struct ShipArguments { CommandOperands operands; SHIP_OPTIONS(OPTION) } ShipArguments;
typedef struct NewArguments { CommandOperands operands; NEW_OPTIONS(OPTION) } NewArguments;
typedef struct LspArguments { CommandOperands operands; LSP_OPTIONS(OPTION) } LspArguments;
typedef struct HelpArguments { CommandOperands operands; HELP_OPTIONS(OPTION) } HelpArguments;
typedef struct VersionArguments { CommandOperands operands; VERSION_OPTIONS(OPTION) } VersionArguments;
#undef OPTION

typedef struct CommandOption {
  const char *name, *short_name, *argument, *older, *what;
  size_t field;
} CommandOption;

typedef struct CommandOperand {
  const char *name;  /* "FILE", "DIR", "ID", "NAME", "VERB" */
  const char *usual; /* what stands for it when it is left out; NULL: it must be given */
  bool several;      /* the last one may be repeated */
} CommandOperand;

typedef struct Command {
  const char *name, *summary;
  const char *about;                  /* paragraphs, separated by "\n\n"; a line that begins with a blank is kept */
  const CommandOperand *operands;     /* ends with a row without a name */
  const CommandOption *options;
  int noptions;
  size_t size; /* of its struct */
} Command;

/* All verbs, in the order of `tgc help'; the last has no name. */
extern const Command commands[];
/* NULL: there is no such verb. */
const Command *command_by_name(const char *name);
/* The verb that a mistyped word was meant to be, or NULL. */
const char *command_nearest(const char *word);

/* Reads argv[0..argc) into the struct of the verb. NULL, or why it cannot be read; --help makes missing operands
 * right. */
const char *command_parse(Arena *a, const Command *c, int argc, char **argv, void *arguments);
/* The same in canonical words: "--name=value", operands last, "--" before them where one begins with a dash; ends with
 * NULL; *n: how many. */
const char **command_words(Arena *a, const Command *c, const void *arguments, int *n);
/* Was that option given? By its name. */
bool command_given(const Command *c, const void *arguments, const char *name);

/* Prints why, and where help is, on standard error; returns the exit status of misuse, 2. */
int command_misuse(const Command *c, const char *why);

/* ---- what is printed; width 0: lines are not broken ---- */

void command_help(Buffer *to, const Command *c, int width);
void command_overview(Buffer *to, int width);
void command_man(Buffer *to, const Command *c);
void command_man_overview(Buffer *to);
void command_complete(Buffer *to, const char *shell); /* "bash", "zsh", "fish" */

/* "tgc check [DIR] [options]" */
const char *command_usage(Arena *a, const Command *c);
/* A summary with a capital and a full stop. */
const char *command_sentence(Arena *a, const char *summary);
/* The words of an argument of choices, "a|b|c", one after the other: how many. 0: it is none. */
int command_choices(Arena *a, const CommandOption *o, const char ***words);
/* What the argument is called: "FILE", "N", "KIND" of choices. */
bool command_takes_value(const CommandOption *o);

#endif
