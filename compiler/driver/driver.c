/* driver.c: the command: which verb is meant, its arguments read by its table, exit status out. */
#include "driver/driver.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "driver/verbs.h"
#include "support/terminal.h"

/* A verb of the table. */
typedef struct Carried {
  const char *name;
  int (*run)(Arena *a, const void *arguments);
} Carried;

#define CARRY(verb, Arguments)                                                                                         \
  static int run_##verb(Arena *a, const void *arguments) { return verb_##verb(a, (const Arguments *)arguments); }
CARRY(compile, CompileArguments)
CARRY(rules, RulesArguments)
CARRY(archs, ArchsArguments)
CARRY(explain, ExplainArguments)
CARRY(check, CheckArguments)
CARRY(tune, TuneArguments)
CARRY(bench, BenchArguments)
CARRY(diff, DiffArguments)
CARRY(view, ViewArguments)
CARRY(ship, ShipArguments)
CARRY(new, NewArguments)
CARRY(lsp, LspArguments)
CARRY(help, HelpArguments)
CARRY(version, VersionArguments)

static const Carried carried[] = {
    {"compile", run_compile}, {"rules", run_rules}, {"archs", run_archs}, {"explain", run_explain},
    {"check", run_check},     {"tune", run_tune},   {"bench", run_bench}, {"diff", run_diff},
    {"view", run_view},       {"ship", run_ship},   {"new", run_new},     {"lsp", run_lsp},
    {"help", run_help},
    {"version", run_version}};

static int run(Arena *a, const Command *c, int argc, char **argv) {
  void *arguments = arena_alloc(a, c->size);
  const char *why = command_parse(a, c, argc, argv, arguments);
  if (why) return command_misuse(c, why);
  if (command_given(c, arguments, "--help")) {
    Buffer text = buffer_new(a);
    command_help(&text, c, terminal_text_columns());
    return verbs_print(&text);
  }
  if (command_given(c, arguments, "--version")) return verb_version(a, NULL);
  for (size_t i = 0; i < sizeof carried / sizeof *carried; i++)
    if (strcmp(carried[i].name, c->name) == 0) return carried[i].run(a, arguments);
  return STATUS_FAILED; /* every verb of the table is carried: tests/cli runs each */
}

/* A verb that was mistyped would be taken for a file that is not there. */
static const char *mistyped_verb(Arena *a, const char *word) {
  if (strpbrk(word, "./-") || access(word, F_OK) == 0) return NULL;
  const char *near = command_nearest(word);
  return near ? arena_printf(a, "unknown verb `%s'; did you mean `%s'?", word, near)
              : arena_printf(a, "`%.60s' is neither a verb nor a file", word);
}

static int begin(Arena *a, int argc, char **argv) {
  const char *word = argc > 1 ? argv[1] : "";
  const Command *c = command_by_name(word);
  if (c) return run(a, c, argc - 2, argv + 2);
  if (argc < 2) return command_misuse(NULL, "no verb, and no input file");
  if (argc == 2 && (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)) return verb_help(a, &(HelpArguments){0});
  const char *why = mistyped_verb(a, word);
  return why ? command_misuse(NULL, why) : run(a, command_by_name("compile"), argc - 1, argv + 1);
}

int driver_main(int argc, char **argv) {
  signal(SIGPIPE, SIG_IGN); /* a write that fails is told by its error, */
  signal(SIGXFSZ, SIG_IGN); /* so that nothing half-written stays behind */
  Arena *a = arena_new();
  const int status = begin(a, argc, argv);
  arena_free(a);
  return status;
}
