/* verbs.c: the table of verbs. command.h has their options. */
#include <string.h>

#include "command/command.h"
#include "support/nearest.h"

#define OPTION(field, name, short_name, argument, older, what)                                                         \
  {name, short_name, argument, older, what, offsetof(ARGUMENTS, field)},
#define ARGUMENTS CompileArguments
static const CommandOption compile_options[] = {COMPILE_OPTIONS(OPTION)};
#undef ARGUMENTS
#define ARGUMENTS RulesArguments
static const CommandOption rules_options[] = {RULES_OPTIONS(OPTION)};
#undef ARGUMENTS
#define ARGUMENTS ArchsArguments
static const CommandOption archs_options[] = {ARCHS_OPTIONS(OPTION)};
#undef ARGUMENTS
#define ARGUMENTS ExplainArguments
static const CommandOption explain_options[] = {EXPLAIN_OPTIONS(OPTION)};
#undef ARGUMENTS
#define ARGUMENTS CheckArguments
static const CommandOption check_options[] = {CHECK_OPTIONS(OPTION)};
#undef ARGUMENTS
#define ARGUMENTS TuneArguments
static const CommandOption tune_options[] = {TUNE_OPTIONS(OPTION)};
#undef ARGUMENTS
#define ARGUMENTS BenchArguments
static const CommandOption bench_options[] = {BENCH_OPTIONS(OPTION)};
#undef ARGUMENTS
#define ARGUMENTS DiffArguments
static const CommandOption diff_options[] = {DIFF_OPTIONS(OPTION)};
#undef ARGUMENTS
#define ARGUMENTS ViewArguments
static const CommandOption view_options[] = {VIEW_OPTIONS(OPTION)};
#undef ARGUMENTS
#define ARGUMENTS ShipArguments
static const CommandOption ship_options[] = {SHIP_OPTIONS(OPTION)};
#undef ARGUMENTS
#define ARGUMENTS NewArguments
static const CommandOption new_options[] = {NEW_OPTIONS(OPTION)};
#undef ARGUMENTS
#define ARGUMENTS LspArguments
static const CommandOption lsp_options[] = {LSP_OPTIONS(OPTION)};
#undef ARGUMENTS
#define ARGUMENTS HelpArguments
static const CommandOption help_options[] = {HELP_OPTIONS(OPTION)};
#undef ARGUMENTS
#define ARGUMENTS VersionArguments
static const CommandOption version_options[] = {VERSION_OPTIONS(OPTION)};
#undef ARGUMENTS
#undef OPTION

static const CommandOperand files[] = {{"FILE", NULL, true}, {0}}, file[] = {{"FILE", NULL, true}, {0}},
                            folder[] = {{"DIR", "out", false}, {0}}, nothing[] = {{0}},
                            id_and_folder[] = {{"ID", NULL, false}, {"DIR", "out", false}, {0}},
                            two_folders[] = {{"DIR", NULL, false}, {"DIR", "out", false}, {0}},
                            name[] = {{"NAME", NULL, false}, {0}}, verb[] = {{"VERB", "", false}, {0}};

#define OPTIONS_OF(verb, Arguments) verb##_options, sizeof verb##_options / sizeof *verb##_options, sizeof(Arguments)

const Command commands[] = {
    {"compile", "compile codelets to CUDA or C variants",
     "Composes the codelets of the files over the levels of a machine, and writes the variants, a header and the "
     "dispatch "
     "between them into the output folder. Several files are read as one. `tgc FILE..' is short for `tgc compile "
     "FILE..'.\n\n"
     "  tgc compile codelets/sum.cdl --arch sm_90\n"
     "  tgc compile codelets/reduce.cdl --operator ArgMax --arch cpu -o out-cpu\n"
     "  tgc compile codelets/sum.cdl --arch sm_90 --list",
     files, OPTIONS_OF(compile, CompileArguments)},
    {"check", "run the variants on the CPU and compare them with the sequential codelet",
     "Compiles every variant in DIR for the CPU executor, runs it at the sizes where its control flow changes, and "
     "compares the "
     "results with the sequential codelet. Races, missing fences, divergent barriers and accesses out of bounds are "
     "errors. "
     "No GPU and no CUDA toolkit are needed.\n\n"
     "TGC_CXX names the C++ compiler, TGC_CC the C compiler for CPUs.",
     folder, OPTIONS_OF(check, CheckArguments)},
    {"tune", "measure the variants on this machine and select the fastest for each size",
     "Builds the variants in DIR, measures them on the GPU or CPU at hand, and writes the dispatch table into DIR: "
     "NAME.table, "
     "the ranges in NAME.cu (CPU: NAME.c), and the manifest. An interrupted run continues where it stopped.\n\n"
     "TGC_NVCC names the CUDA compiler, TGC_CC and TGC_CXX those of a CPU.",
     folder, OPTIONS_OF(tune, TuneArguments)},
    {"bench", "compare the library with CUB, Thrust and PyTorch; on a CPU with OpenMP and OpenBLAS",
     "Builds the library in DIR and the comparison, measures both in one run, checks every result, prints a table, and "
     "writes a record (NAME-DEVICE-DATE.json) and a plot, on a CPU a .csv. On a CPU a spectrum for which no library "
     "is known is measured alone.",
     folder, OPTIONS_OF(bench, BenchArguments)},
    {"explain", "print one variant: its plan, kernels, memory and determinism",
     "ID is a variant's id, the beginning of one, or a letter of CGO, Fig. 6.", id_and_folder,
     OPTIONS_OF(explain, ExplainArguments)},
    {"diff", "compare two output folders: plans, text, dispatch and measurements",
     "Prints which variants only one of the folders has, which have another text, which sizes are served by another "
     "variant or "
     "configuration, and which variants were measured faster or slower. Exit status: 0 if the folders are the same, 1 "
     "if they "
     "differ, 2 on an error.",
     two_folders, OPTIONS_OF(diff, DiffArguments)},
    {"view", "write an HTML page of an output folder: variants, plans, kernels, measurements",
     "The page is one file and needs no server and no network. It shows each variant's plan as a drawing, its kernels "
     "beside the codelets, the remarks of the passes, and what `tgc tune' measured.\n\n"
     "  tgc view out && xdg-open out/view.html",
     folder, OPTIONS_OF(view, ViewArguments)},
    {"ship", "write a release folder with only the variants that the dispatch can select",
     "Copies from DIR the header, the dispatch and the variants that it can select, compiled only for the "
     "configurations that "
     "the dispatch names. The release is a library of its own, with a manifest and a CMakeLists.txt, and builds much "
     "faster "
     "than DIR. The result of `tgc tune' is kept.\n\n"
     "  tgc ship out -o release",
     folder, OPTIONS_OF(ship, ShipArguments)},
    {"new", "write a new spectrum with its test",
     "Writes NAME.cdl, a spectrum with a sequential, a cooperative and a compound codelet; NAME_test.c, a program that "
     "tests the library "
     "which tgc makes of it; a CMakeLists.txt that builds and runs both for this CPU; and a .clangd for "
     "editors that use clangd.\n\n"
     "  tgc new norm2 && cmake -S norm2 -B norm2/build && cmake --build norm2/build && ctest --test-dir norm2/build",
     name, OPTIONS_OF(new, NewArguments)},
    {"rules", "print the composition rules of a spectrum, in the notation of MICRO",
     "Without --arch the rules of the program; with it, also those that the levels of the machine can carry out.", file,
     OPTIONS_OF(rules, RulesArguments)},
    {"archs", "list the machines that --arch takes, and this host",
     "A machine is a file of archspec/; a spec file of your own can be given to --arch too.", nothing,
     OPTIONS_OF(archs, ArchsArguments)},
    {"lsp", "serve an editor: errors and remarks while typing, hover, go to definition",
     "Editors start it and speak the Language Server Protocol over its standard input and output. It shows what `tgc "
     "compile' would say of a text, saved or not, and writes no files. The installation has what VS Code, Vim and "
     "Emacs need, in share/tgc/editors.",
     nothing, OPTIONS_OF(lsp, LspArguments)},
    {"help", "print help on a verb",
     "Man pages and completion scripts are printed from the same table, and installed with tgc. By hand:\n\n"
     "  tgc help --as bash > ~/.local/share/bash-completion/completions/tgc\n"
     "  tgc help check --as man | man -l -",
     verb, OPTIONS_OF(help, HelpArguments)},
    {"version", "print the version", "", nothing, OPTIONS_OF(version, VersionArguments)},
    {0}};

const Command *command_by_name(const char *wanted) {
  for (const Command *c = commands; c->name; c++)
    if (strcmp(c->name, wanted) == 0) return c;
  return NULL;
}

const char *command_nearest(const char *word) {
  enum { MOST = sizeof commands / sizeof *commands };
  const char *names[MOST];
  int n = 0;
  for (const Command *c = commands; c->name; c++) names[n++] = c->name;
  return nearest_name(word, names, n);
}
