/* options_check.c: the values of options that can be judged by themselves, before any file is read. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "compose/search.h"
#include "driver/options.h"
#include "passes/passes.h"
#include "support/buffer.h"
#include "support/nearest.h"

enum { MOST = 1000000, MOST_NAMES = 32, LONGEST_NAME = 60 };

/* NULL, or why the text is no number from 1 to MOST nor the one word that may stand for it. */
static const char *check_count(Arena *a, const char *name, const char *text, const char *word) {
  if (!text || (word && strcmp(text, word) == 0)) return NULL;
  size_t n = strspn(text, "0123456789");
  long value = n > 0 && n <= 9 && !text[n] ? strtol(text, NULL, 10) : 0;
  if (value >= 1 && value <= MOST) return NULL;
  return arena_printf(a, "`%s' takes a number from 1 to %d%s%s, not `%.60s'", name, MOST, word ? ", or " : "",
                      word ? word : "", text);
}

/* "; did you mean `fold'?", or else all the names: "; there are lower, fold". */
static const char *suggestion(Arena *a, const char *wanted, const char **names, int n) {
  const char *near = nearest_name(wanted, names, n);
  if (near) return arena_printf(a, "; did you mean `%s'?", near);
  Buffer all = buffer_new(a);
  for (int i = 0; i < n; i++) buffer_printf(&all, "%s%s", i ? ", " : "; there are ", names[i]);
  return all.text;
}

/* NULL, or which part of the comma-separated list is not among the names. */
static const char *check_list(Arena *a, const char *list, const char *what, const char **names, int n) {
  for (const char *s = list; s; ) {
    size_t length = strcspn(s, ",");
    const char *word = arena_strndup(a, s, length);
    bool known = false;
    for (int i = 0; i < n; i++) known |= strcmp(names[i], word) == 0;
    if (!known) return arena_printf(a, "`%.60s' is not a pass %s%s", word, what, suggestion(a, word, names, n));
    s = s[length] ? s + length + 1 : NULL;
  }
  return NULL;
}

static const char *check_passes(Arena *a, const Options *o) {
  const char *optional[MOST_NAMES], *printed[MOST_NAMES] = {"nest", "lower", "all"};
  int noptional = 0, nprinted = 3;
  for (int i = 0; passes_name(i) && nprinted < MOST_NAMES; i++) {
    printed[nprinted++] = passes_name(i);
    if (passes_optional(i)) optional[noptional++] = passes_name(i);
  }
  const char *why = check_list(a, o->without, "that can be left out", optional, noptional);
  return why ? why : check_list(a, o->print_after, "to print after", printed, nprinted);
}

/* NULL, or what is wrong with a list of machines as such. */
static const char *check_machines(Arena *a, const Options *o) {
  const char *list = o->arch;
  if (!list || !strchr(list, ',')) return NULL;
  for (const char *s = list;; s++) {
    size_t n = strcspn(s, ",");
    if (!n) return arena_printf(a, "an empty name in the machines `%.60s'", list);
    for (const char *before = list; before < s; before += strcspn(before, ",") + 1)
      if (strcspn(before, ",") == n && strncmp(before, s, n) == 0)
        return arena_printf(a, "machine `%.*s' is given twice", (int)n, s);
    s += n;
    if (!*s) break;
  }
  if (o->table && strcmp(o->table, "none") != 0)
    return "a table belongs to one machine: with several machines only `--table none' can be given";
  return NULL;
}

/* C's identifiers and files' names begin with it: neither may be another's. */
static const char *check_name(Arena *a, const char *name) {
  static const char *const headers[] = {
      "assert",  "complex", "ctype",   "errno",    "fenv",   "float",     "inttypes",  "iso646",  "limits",
      "locale",  "math",    "omp",     "setjmp",   "signal", "stdalign",  "stdarg",    "stdbool", "stdatomic",
      "stddef",  "stdint",  "stdio",   "stdlib",   "string", "stdnoreturn", "tgmath",  "threads", "time",
      "uchar",   "wchar",   "wctype",  "cuda_runtime"};
  if (!name) return NULL;
  bool ok = isalpha((unsigned char)name[0]) && strlen(name) <= LONGEST_NAME;
  for (const char *s = name; *s; s++) ok &= isalnum((unsigned char)*s) || *s == '_';
  if (!ok)
    return arena_printf(a, "`--name' takes a letter, then letters, digits and `_', %d in all, not `%.80s'",
                        LONGEST_NAME, name);
  for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
    if (strcmp(headers[i], name) == 0)
      return arena_printf(a, "`--name %s': programs that include <%s.h> would get the library's header", name, name);
  return NULL;
}

/* NULL, or what is wrong with a list of spectra as such. */
static const char *check_spectra(Arena *a, const Options *o) {
  const char *list = o->spectrum;
  if (!list || !strchr(list, ',')) return NULL;
  for (const char *s = list;; s++) {
    const size_t n = strcspn(s, ",");
    if (!n) return arena_printf(a, "an empty name in the spectra `%.60s'", list);
    for (const char *before = list; before < s; before += strcspn(before, ",") + 1)
      if (strcspn(before, ",") == n && strncmp(before, s, n) == 0)
        return arena_printf(a, "spectrum `%.*s' is given twice", (int)n, s);
    s += n;
    if (!*s) break;
  }
  if (!o->arch) return NULL;
  if (!o->name) return "several spectra share a folder: `--name NAME' says what the library is called";
  if (strchr(o->arch, ',')) return "several spectra share a folder of one machine: write a folder for each machine";
  if (o->table && strcmp(o->table, "none") != 0)
    return "a table belongs to one spectrum: with several spectra only `--table none' can be given";
  return NULL;
}

static const char *check(Arena *a, const Options *o) {
  const char *why = check_count(a, "--iterations", o->iterations, NULL);
  if (!why) why = check_name(a, o->name);
  if (!why) why = check_count(a, "--keep", o->keep, "all");
  if (!why) why = check_count(a, "--limit", o->limit, NULL);
  if (!why) why = check_count(a, "--columns", o->columns, "none");
  if (!why && o->limit && (!o->keep || strcmp(o->keep, "all") != 0)) why = "`--limit' is for `--keep all'";
  if (!why && o->line && o->columns && strcmp(o->columns, "none") != 0)
    why = "`--columns' folds lines, which `--line' counts: give one of them";
  if (!why) why = check_passes(a, o);
  if (!why) why = check_machines(a, o);
  if (!why) why = check_spectra(a, o);
  if (why || !o->types) return why;
  const ElementType **types;
  int ntypes;
  return options_types(a, o->types, &types, &ntypes, &why) ? NULL : why;
}

/* `-v' and `--json' are short for other options. */
static void spell_out(Options *o) {
  if (o->verbose && !o->remarks) o->remarks = "all";
  if (o->verbose) o->time = "";
  if (o->json) o->list = "json";
  if (!o->columns) o->columns = o->line ? "none" : "120";
}

const char *options_read(Arena *a, const CompileArguments *given, Options *o) {
  *o = (Options){0};
#define OPTION(field, name, short_name, argument, older, what) o->field = given->field;
  COMPILE_OPTIONS(OPTION)
#undef OPTION
  const CommandOperands *files = &given->operands;
  for (int i = 0; i < files->n; i++)
    for (int k = 0; k < i; k++)
      if (strcmp(files->at[i], files->at[k]) == 0) return arena_printf(a, "`%s' is given twice", files->at[i]);
  o->file = files->at[0];
  o->more = files->at + 1;
  o->nmore = files->n - 1;
  if (o->verbose && o->quiet) return "`--quiet' and `--verbose' contradict each other";
  spell_out(o);
  return check(a, o);
}
