/* options.h: the command line. One table drives parsing and help (options.c). */
#ifndef TGC_DRIVER_OPTIONS_H
#define TGC_DRIVER_OPTIONS_H

#include "ir/element.h"
#include "support/diagnostics.h"

/* OPTION(field, "--name", "-s" or "", "ARGUMENT" or "", what it does) */
#define OPTIONS(OPTION)                                                                                                \
  OPTION(arch,        "--arch",        "-a", "LIST", "a machine (tgc archs), cpu, a spec file; or several of GPUs")    \
  OPTION(out,         "--out",         "-o", "DIR",  "write the variants there; without it nothing is written")        \
  OPTION(types,       "--types",       "-t", "LIST", "element types: int,half,..; half:double: results in double")     \
  OPTION(spectrum,    "--spectrum",    "",   "NAME", "the spectrum to compile, when the file has several")             \
  OPTION(operation,   "--operator",    "",   "NAME", \
         "what codelets over operators compute: Sum, Max, .. or one of the file's") \
  OPTION(levels,      "--levels",      "",   "LIST", "only these levels, top first: grid,block,thread")                \
  OPTION(iterations,  "--iterations",  "",   "N",    "rounds of the search (MICRO Fig. 7)")                            \
  OPTION(keep,        "--keep",        "",   "N|all", "variants to keep after pruning")                                \
  OPTION(limit,       "--limit",       "",   "N",    "how many `--keep all' keeps at most: 8192")                         \
  OPTION(determinism, "--determinism", "",   "LABEL", "what floating results must keep: run_to_run, gpu_to_gpu, ..")  \
  OPTION(space,       "--space",       "",   "NAME", "a preset of codelets, levels and choices: cgo")                  \
  OPTION(table,       "--table",       "",   "FILE|none",                                                              \
         "a measured table of ranges (tgc tune) in place of the shipped one")                                          \
  OPTION(list,        "--list",        "",   "[=json]", "print the variants: a table, or what manifest.json holds")    \
  OPTION(remarks,     "--remarks",     "",   "[=KIND]", "say what the passes did and did not do: passed, missed, all") \
  OPTION(pruned,      "--pruned",      "",   "",     "say what the search pruned, and why")                            \
  OPTION(trace,       "--trace",       "",   "",     "print the search step by step")                                  \
  OPTION(print_after, "--print-after", "",   "PASS", "print kernels after a pass (nest, lower, all, ..)")                    \
  OPTION(without,     "--without",     "",   "LIST", "leave out optional passes")                                      \
  OPTION(time,        "--time",        "",   "",     "print where the time went")                                      \
  OPTION(line,        "--line",        "",   "",     "#line directives to the codelets' text")                         \
  OPTION(help,        "--help",        "-h", "",     "this text")                                                      \
  OPTION(version,     "--version",     "",   "",     "the version")

typedef struct Options {
#define OPTION(field, name, short_name, argument, what) const char *field; /* NULL: not given; "": given bare */
  OPTIONS(OPTION)
#undef OPTION
  const char *file;  /* the .cdl */
  const char **more; /* others that are read with it */
  int nmore;
} Options;

/* Reads argv[1..]. On misuse returns false with the reason in *why (in the arena). */
bool options_parse(Arena *a, int argc, char **argv, Options *out, const char **why);

/* NULL, or why a value is misuse: a count that is none, an unknown space, pass, type or form of output. */
const char *options_check(Arena *a, const Options *o);

/* The help text. */
void options_help(Buffer *to);

/* "float,half:double" -> elements; false with *why for an unknown, repeated or empty one, and for an accumulator that
 * cannot be. */
bool options_types(Arena *a, const char *list, const ElementType ***types, int *ntypes, const char **why);

#endif
