/* parse.c: a verb's words, read by its table. */
#include <stdio.h>
#include <string.h>

#include "command/command.h"
#include "support/nearest.h"

enum { MISUSE = 2 };

static const char **field_of(void *arguments, const CommandOption *o) {
  return (const char **)((char *)arguments + o->field);
}

static const char *value_of(const void *arguments, const CommandOption *o) {
  return *(const char *const *)((const char *)arguments + o->field);
}

static bool may_take_value(const CommandOption *o) { return o->argument[0] == '['; }
bool command_takes_value(const CommandOption *o) { return o->argument[0] && !may_take_value(o); }

static bool is_named(const char *name, const char *text, size_t n) {
  return name[0] && strlen(name) == n && strncmp(name, text, n) == 0;
}

/* The option that a word names, with how long its name is. A short one may have its value at once: -j4. */
static const CommandOption *find(const Command *c, const char *text, size_t *n) {
  *n = strcspn(text, "=");
  for (int i = 0; i < c->noptions; i++) {
    const CommandOption *o = &c->options[i];
    if (is_named(o->name, text, *n) || is_named(o->short_name, text, *n) || is_named(o->older, text, *n)) return o;
  }
  if (text[1] == '-') return NULL;
  for (int i = 0; i < c->noptions; i++) {
    const CommandOption *o = &c->options[i];
    *n = 2;
    if (command_takes_value(o) && is_named(o->short_name, text, 2)) return o;
  }
  return NULL;
}

static const char *unknown(Arena *a, const Command *c, const char *text) {
  const char **names = arena_many(a, const char *, c->noptions);
  for (int i = 0; i < c->noptions; i++) names[i] = c->options[i].name;
  const char *near = nearest_name(text, names, c->noptions);
  return near ? arena_printf(a, "unknown option `%.60s'; did you mean `%s'?", text, near)
              : arena_printf(a, "unknown option `%.60s'", text);
}

int command_choices(Arena *a, const CommandOption *o, const char ***words) {
  const char *s = o->argument + (may_take_value(o) ? 2 : 0); /* "[=a|b]" */
  const size_t end = strcspn(s, "]");
  VEC(const char *) found = {0};
  for (const char *at = s; at < s + end;) {
    size_t n = strcspn(at, "|]");
    vec_push(a, &found, (const char *)arena_strndup(a, at, n));
    at += n + 1;
  }
  bool any = false, placeholder = false; /* N|all, FILE|none: a word among others stands for what is no word */
  for (int i = 0; i < found.n; i++) {
    const bool capital = found.at[i][0] >= 'A' && found.at[i][0] <= 'Z';
    any |= !capital;
    placeholder |= capital;
  }
  *words = found.at;
  return any && !placeholder ? found.n : 0;
}

static const char *check_choice(Arena *a, const CommandOption *o, const char *value) {
  const char **words;
  const int n = command_choices(a, o, &words);
  Buffer all = buffer_new(a);
  for (int i = 0; i < n; i++) {
    if (strcmp(words[i], value) == 0) return NULL;
    buffer_printf(&all, "%s%s", !i ? "" : i + 1 < n ? ", " : " or ", words[i]);
  }
  if (!n) return NULL;
  const char *near = nearest_name(value, words, n);
  return arena_printf(a, "`%s' takes %s, not `%.60s'%s", o->name, all.text, value,
                      near ? arena_printf(a, "; did you mean `%s'?", near) : "");
}

/* One option, at argv[*i]. */
static const char *read_option(Arena *a, const Command *c, int argc, char **argv, int *i, void *arguments) {
  const char *text = argv[*i], *value = NULL;
  size_t n;
  const CommandOption *o = find(c, text, &n);
  if (!o) return unknown(a, c, text);
  const char **field = field_of(arguments, o);
  if (*field) return arena_printf(a, "`%s' is given twice", o->name);
  if (text[n] && !o->argument[0]) return arena_printf(a, "`%s' takes no value", o->name);
  if (text[n]) value = text + n + (text[n] == '=');
  else if (command_takes_value(o)) value = *i + 1 < argc ? argv[++*i] : "";
  if (value && !*value) return arena_printf(a, "`%s' needs a value: %s", o->name, o->argument);
  *field = value ? value : "";
  return value ? check_choice(a, o, value) : NULL;
}

static int most_operands(const Command *c, bool *several) {
  int n = 0;
  for (*several = false; c->operands[n].name; n++) *several |= c->operands[n].several;
  return n;
}

static const char *missing(Arena *a, const Command *c, const CommandOperand *o) {
  static const struct { const char *name, *why; } rows[] = {{"FILE", "no input file"}, {"ID", "no variant given"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strcmp(o->name, rows[i].name) == 0)
      return arena_printf(a, "%s; usage: %s", rows[i].why, command_usage(a, c));
  return arena_printf(a, "%s is missing; usage: %s", o->name, command_usage(a, c));
}

/* What is left out is what is usual. */
static const char *complete(Arena *a, const Command *c, CommandOperands *given) {
  bool several;
  const int most = most_operands(c, &several);
  if (given->n > most && !several)
    return most ? arena_printf(a, "too many arguments: `%.60s'; usage: %s", given->at[most], command_usage(a, c))
                : arena_printf(a, "`tgc %s' takes no arguments", c->name);
  for (int i = 0; i < given->n; i++)
    if (!*given->at[i])
      return arena_printf(a, "an empty name in place of %s", c->operands[i < most ? i : most - 1].name);
  for (int i = given->n; i < most; i++) {
    if (!c->operands[i].usual) return missing(a, c, &c->operands[i]);
    if (*c->operands[i].usual) given->at[given->n++] = c->operands[i].usual;
  }
  return NULL;
}

const char *command_parse(Arena *a, const Command *c, int argc, char **argv, void *arguments) {
  CommandOperands *given = arguments;
  memset(arguments, 0, c->size);
  given->at = arena_many(a, const char *, (argc > 0 ? argc : 0) + 4); /* .. and what is usual */
  bool options = true;
  for (int i = 0; i < argc; i++) {
    const char *why = NULL;
    if (options && strcmp(argv[i], "--") == 0) options = false;
    else if (options && argv[i][0] == '-' && argv[i][1]) why = read_option(a, c, argc, argv, &i, arguments);
    else given->at[given->n++] = argv[i];
    if (why) return why;
  }
  return command_given(c, arguments, "--help") || command_given(c, arguments, "--version") ? NULL
                                                                                           : complete(a, c, given);
}

bool command_given(const Command *c, const void *arguments, const char *name) {
  for (int i = 0; i < c->noptions; i++)
    if (strcmp(c->options[i].name, name) == 0) return value_of(arguments, &c->options[i]) != NULL;
  return false;
}

const char **command_words(Arena *a, const Command *c, const void *arguments, int *n) {
  const CommandOperands *given = arguments;
  const char **words = arena_many(a, const char *, c->noptions + given->n + 2);
  *n = 0;
  for (int i = 0; i < c->noptions; i++) {
    const char *value = value_of(arguments, &c->options[i]);
    if (value) words[(*n)++] = *value ? arena_printf(a, "%s=%s", c->options[i].name, value) : c->options[i].name;
  }
  words[(*n)++] = "--";
  for (int i = 0; i < given->n; i++) words[(*n)++] = given->at[i];
  return words;
}

int command_misuse(const Command *c, const char *why) {
  fputs("tgc: error: ", stderr);
  for (; *why; why++) /* words of the command line may be anything, and none is obeyed by a terminal */
    fputc((unsigned char)*why < ' ' || *why == 127 ? '?' : *why, stderr);
  fprintf(stderr, "\nhint: `tgc help%s%s' %s\n", c ? " " : "", c ? c->name : "",
          c ? "lists its options" : "lists the verbs");
  return MISUSE;
}
