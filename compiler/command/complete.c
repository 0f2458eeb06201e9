/* complete.c: completion scripts for bash, zsh and fish, from the table. */
#include <string.h>

#include "command/command.h"

typedef enum Completed { NOTHING, FILES, FOLDERS, WORDS, MACHINES } Completed;

/* What can stand for an option's value. */
static Completed completed(Arena *a, const CommandOption *o, const char ***words, int *n) {
  *n = command_choices(a, o, words);
  if (*n) return WORDS;
  if (strcmp(o->name, "--arch") == 0) return MACHINES;
  if (strncmp(o->argument, "FILE", 4) == 0) return FILES;
  return strcmp(o->argument, "DIR") == 0 ? FOLDERS : NOTHING;
}

/* What its operands are; the file of codelets of `compile' and `rules'. */
static Completed operands_of(const Command *c) {
  for (const CommandOperand *o = c->operands; o->name; o++)
    if (strcmp(o->name, "DIR") == 0) return FOLDERS;
  if (!c->operands->name) return NOTHING;
  return strcmp(c->operands->name, "FILE") == 0 ? FILES : strcmp(c->operands->name, "VERB") == 0 ? WORDS : NOTHING;
}

static const char *verb_names(Arena *a, const char *between) {
  Buffer b = buffer_new(a);
  for (const Command *c = commands; c->name; c++) buffer_printf(&b, "%s%s", b.length ? between : "", c->name);
  return b.text;
}

static const char *joined(Arena *a, const char **words, int n) {
  Buffer b = buffer_new(a);
  for (int i = 0; i < n; i++) buffer_printf(&b, "%s%s", i ? " " : "", words[i]);
  return n ? b.text : "";
}

/* ---- bash ---- */

static const char bash_begin[] =
    "# bash completion for tgc, printed by `tgc help --as bash'.\n"
    "_tgc_machines() { tgc archs 2>/dev/null | sed -n '2,/^$/s/^\\([^ ][^ ]*\\) .*/\\1/p'; }\n"
    "_tgc() {\n"
    "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} verb=compile words= kind=file i\n"
    "  COMPREPLY=()\n"
    "  if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi # --name=value "
    "is three words\n";

static const char bash_end[] =
"  if [[ $COMP_CWORD -eq 1 ]]; then words=\"$verbs\"; fi\n"
"  if [[ $cur == -* ]]; then kind=none; fi\n"
"  if [[ -n $words ]]; then COMPREPLY+=($(compgen -W \"$words\" -- \"$cur\")); fi\n"
"  case $kind in\n"
"    dir) COMPREPLY+=($(compgen -d -- \"$cur\"));;\n"
"    file) COMPREPLY+=($(compgen -f -- \"$cur\"));;\n"
"  esac\n"
"}\n"
"complete -o filenames -F _tgc tgc\n";

static const char *const bash_kinds[] = {"none", "file", "dir", "none", "none"};

static void bash_values(Buffer *to, const Command *c) {
  for (int i = 0; i < c->noptions; i++) {
    const CommandOption *o = &c->options[i];
    const char **words;
    int n;
    if (!command_takes_value(o)) continue;
    const Completed what = completed(to->arena, o, &words, &n);
    buffer_printf(to, "        %s%s%s) words=\"%s\"; kind=%s;;\n", o->name, o->short_name[0] ? "|" : "", o->short_name,
                  what == MACHINES ? "$(_tgc_machines)" : joined(to->arena, words, n), bash_kinds[what]);
  }
}

static void bash(Buffer *to) {
  buffer_puts(to, bash_begin);
  buffer_printf(to, "  local verbs=\"%s\"\n", verb_names(to->arena, " "));
  buffer_puts(to,
              "  for i in $verbs; do if [[ ${COMP_WORDS[1]} == \"$i\" && $COMP_CWORD -gt 1 ]]; then verb=$i; fi; done\n"
              "  case $verb in\n");
  for (const Command *c = commands; c->name; c++) {
    buffer_printf(to, "    %s)\n      case $prev in\n", c->name);
    bash_values(to, c);
    buffer_printf(to, "        *) kind=%s; words=\"", bash_kinds[operands_of(c)]);
    if (operands_of(c) == WORDS) buffer_puts(to, "$verbs ");
    for (int i = 0; i < c->noptions; i++) buffer_printf(to, "%s%s", i ? " " : "", c->options[i].name);
    buffer_puts(to, "\"; if [[ $cur != -* && $kind != none ]]; then words=; fi;;\n      esac;;\n");
  }
  buffer_puts(to, "  esac\n");
  buffer_puts(to, bash_end);
}

/* ---- zsh ---- */

/* Inside '..', and where : [ ] have a meaning. */
static void put_zsh(Buffer *to, const char *s) {
  for (; *s; s++) {
    if (*s == '\'') buffer_puts(to, "'\\''");
    else if (strchr(":[]\\`", *s)) buffer_printf(to, "\\%c", *s);
    else buffer_putn(to, s, 1);
  }
}

static void zsh_action(Buffer *to, Completed what, const char *words) {
  switch (what) {
    case FILES: buffer_puts(to, "_files"); break;
    case FOLDERS: buffer_puts(to, "_files -/"); break;
    case WORDS: buffer_printf(to, "(%s)", words); break;
    case MACHINES: buffer_puts(to, "_tgc_machines"); break;
    case NOTHING: buffer_puts(to, " "); break;
  }
}

static void zsh_option(Buffer *to, const CommandOption *o, const char *name) {
  const char **words;
  int n;
  const Completed what = completed(to->arena, o, &words, &n);
  buffer_printf(to, "        '%s%s[", name, command_takes_value(o) && name[1] == '-' ? "=" : "");
  put_zsh(to, o->what);
  buffer_puts(to, "]");
  if (command_takes_value(o)) {
    buffer_puts(to, ":");
    put_zsh(to, n ? "value" : o->argument);
    buffer_puts(to, ":");
    zsh_action(to, what, joined(to->arena, words, n));
  }
  buffer_puts(to, "' \\\n");
}

static void zsh(Buffer *to) {
  const char *verbs = verb_names(to->arena, " ");
  buffer_puts(to, "#compdef tgc\n# zsh completion for tgc, printed by `tgc help --as zsh'.\n"
                  "_tgc_machines() {\n  local -a machines\n"
                  "  machines=(${(f)\"$(tgc archs 2>/dev/null | sed -n '2,/^$/s/^\\([^ ][^ ]*\\) .*/\\1/p')\"})\n"
                  "  _describe machine machines\n}\n"
                  "_tgc() {\n  local -a verbs\n  local verb=compile\n  verbs=(\n");
  for (const Command *c = commands; c->name; c++) {
    buffer_printf(to, "    '%s:", c->name);
    put_zsh(to, c->summary);
    buffer_puts(to, "'\n");
  }
  buffer_printf(
      to,
      "  )\n  if (( CURRENT == 2 )); then _describe verb verbs; _files -g '*.cdl'; return; fi\n"
      "  case $words[2] in\n    %s) verb=$words[2]; shift words; (( CURRENT-- ));;\n  esac\n  case $verb in\n",
      verb_names(to->arena, "|"));
  for (const Command *c = commands; c->name; c++) {
    buffer_printf(to, "    %s)\n      _arguments -S \\\n", c->name);
    for (int i = 0; i < c->noptions; i++) {
      zsh_option(to, &c->options[i], c->options[i].name);
      if (c->options[i].short_name[0]) zsh_option(to, &c->options[i], c->options[i].short_name);
    }
    buffer_puts(to, "        '*:argument:");
    zsh_action(to, operands_of(c), verbs);
    buffer_puts(to, "';;\n");
  }
  buffer_puts(to, "  esac\n}\n_tgc \"$@\"\n");
}

/* ---- fish ---- */

static void put_fish(Buffer *to, const char *s) {
  buffer_puts(to, "'");
  for (; *s; s++) {
    if (*s == '\'' || *s == '\\') buffer_puts(to, "\\");
    buffer_putn(to, s, 1);
  }
  buffer_puts(to, "'");
}

static void fish_option(Buffer *to, const Command *c, const CommandOption *o, const char *verbs) {
  const char **words;
  int n;
  const Completed what = completed(to->arena, o, &words, &n);
  if (strcmp(c->name, "compile") == 0)
    buffer_printf(to, "complete -c tgc -n 'not __fish_seen_subcommand_from %s; or __fish_seen_subcommand_from compile'",
                  verbs);
  else buffer_printf(to, "complete -c tgc -n '__fish_seen_subcommand_from %s'", c->name);
  buffer_printf(to, " -l %s", o->name + 2);
  if (o->short_name[0]) buffer_printf(to, " -s %s", o->short_name + 1);
  if (command_takes_value(o)) buffer_puts(to, what == FILES || what == FOLDERS ? " -r -F" : " -x");
  if (what == WORDS && command_takes_value(o)) buffer_printf(to, " -a '%s'", joined(to->arena, words, n));
  if (what == MACHINES) buffer_puts(to, " -a '(__tgc_machines)'");
  buffer_puts(to, " -d ");
  put_fish(to, o->what);
  buffer_puts(to, "\n");
}

static void fish(Buffer *to) {
  const char *verbs = verb_names(to->arena, " ");
  buffer_puts(to,
              "# fish completion for tgc, printed by `tgc help --as fish'.\n"
              "function __tgc_machines\n  tgc archs 2>/dev/null | sed -n '2,/^$/s/^\\([^ ][^ ]*\\) .*/\\1/p'\nend\n");
  for (const Command *c = commands; c->name; c++) {
    buffer_printf(to, "complete -c tgc -n __fish_use_subcommand -a %s -d ", c->name);
    put_fish(to, c->summary);
    buffer_puts(to, "\n");
  }
  buffer_printf(to, "complete -c tgc -n '__fish_seen_subcommand_from help' -x -a '%s'\n", verbs);
  for (const Command *c = commands; c->name; c++)
    for (int i = 0; i < c->noptions; i++) fish_option(to, c, &c->options[i], verbs);
}

void command_complete(Buffer *to, const char *shell) {
  if (strcmp(shell, "bash") == 0) bash(to);
  else if (strcmp(shell, "zsh") == 0) zsh(to);
  else fish(to);
}
