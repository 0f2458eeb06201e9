/* verbs.h: what the verbs' files have in common. Each verb takes its parsed arguments and returns the exit status. */
#ifndef TGC_DRIVER_VERBS_H
#define TGC_DRIVER_VERBS_H

#include "command/command.h"
#include "support/diagnostics.h"

enum { STATUS_DONE = 0, STATUS_FAILED = 1, STATUS_MISUSE = 2, STATUS_INTERRUPTED = 130 };

int verb_compile(Arena *a, const CompileArguments *given);
int verb_rules(Arena *a, const RulesArguments *given);
int verb_archs(Arena *a, const ArchsArguments *given);
int verb_explain(Arena *a, const ExplainArguments *given);
int verb_check(Arena *a, const CheckArguments *given);
int verb_tune(Arena *a, const TuneArguments *given);
int verb_bench(Arena *a, const BenchArguments *given);
int verb_diff(Arena *a, const DiffArguments *given);
int verb_view(Arena *a, const ViewArguments *given);
int verb_ship(Arena *a, const ShipArguments *given);
int verb_new(Arena *a, const NewArguments *given);
int verb_lsp(Arena *a, const LspArguments *given);
int verb_help(Arena *a, const HelpArguments *given);
int verb_version(Arena *a, const VersionArguments *given);

/* Wrong usage of a verb: says why, and where its help is. Returns STATUS_MISUSE. */
int verbs_misuse(const char *verb, const char *why);

/* Writes a text to standard output; STATUS_DONE, or STATUS_FAILED with the reason on standard error. A reader that has
 * seen enough (head) gets none. */
int verbs_print(const Buffer *b);
/* The same of what may come from anywhere: nothing in it is obeyed by a terminal. */
int verbs_print_foreign(Buffer *b);

/* Prints them on standard error; `quiet': errors alone. */
void verbs_say(const Diagnostics *d, const char *color, bool quiet);

/* The path of a folder as it was given, without slashes at its end. */
const char *verbs_folder(Arena *a, const char *dir);

#endif
