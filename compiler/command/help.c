/* help.c: `tgc help' and `tgc VERB --help': one style for all verbs, broken at the width of the terminal. */
#include <string.h>

#include "command/command.h"

enum { LEFT = 26, MARGIN = 2 }; /* where the right column begins */

/* Words from `at' columns on, broken before `width', the further lines indented. */
static void put_wrapped(Buffer *to, const char *s, int at, int indent, int width) {
  for (int taken = at; *s; s += strspn(s, " ")) {
    const int n = (int)strcspn(s, " ");
    const bool first = taken == at, breaks = width && !first && taken + 1 + n > width;
    if (breaks) {
      buffer_puts(to, "\n");
      buffer_fill(to, ' ', indent);
      taken = indent;
    } else if (!first) {
      buffer_puts(to, " ");
      taken++;
    }
    buffer_putn(to, s, (size_t)n);
    taken += n;
    s += n;
    at = -1;
  }
  buffer_puts(to, "\n");
}

/* "  left      right" */
static void put_row(Buffer *to, const char *left, const char *right, int width) {
  const int n = MARGIN + (int)strlen(left);
  buffer_printf(to, "  %s", left);
  if (n + 2 > LEFT) {
    buffer_puts(to, "\n");
    buffer_fill(to, ' ', LEFT);
  } else buffer_fill(to, ' ', LEFT - n);
  put_wrapped(to, right, LEFT, LEFT, width);
}

/* Paragraphs; a line that begins with a blank is an example, and stays as it is. */
static void put_paragraphs(Buffer *to, const char *s, int width) {
  while (*s) {
    const size_t n = strcspn(s, "\n");
    const char *line = arena_strndup(to->arena, s, n);
    if (*line == ' ') buffer_printf(to, "%s\n", line);
    else put_wrapped(to, line, 0, 0, width);
    s += n;
    if (*s) s++;
    if (*s == '\n') {
      buffer_puts(to, "\n");
      s++;
    }
  }
}

const char *command_usage(Arena *a, const Command *c) {
  Buffer b = buffer_new(a);
  buffer_printf(&b, "tgc %s", c->name);
  for (const CommandOperand *o = c->operands; o->name; o++)
    buffer_printf(&b, o->usual ? " [%s%s]" : " %s%s", o->name, o->several ? ".." : "");
  buffer_puts(&b, " [options]");
  return b.text;
}

/* "-o, --out DIR" */
static const char *option_text(Arena *a, const CommandOption *o) {
  return arena_printf(a, "%s%s%s%s%s", o->short_name[0] ? o->short_name : "    ", o->short_name[0] ? ", " : "", o->name,
                      command_takes_value(o) ? " " : "", o->argument);
}

static const char exit_status[] = "Exit status: 0 success, 1 an error in the input or a failure, 2 wrong usage.";

const char *command_sentence(Arena *a, const char *summary) {
  return arena_printf(a, "%c%s.", summary[0] - 'a' + 'A', summary + 1);
}

void command_help(Buffer *to, const Command *c, int width) {
  buffer_printf(to, "Usage: %s\n\n", command_usage(to->arena, c));
  put_wrapped(to, command_sentence(to->arena, c->summary), 0, 0, width);
  for (const CommandOperand *o = c->operands; o->name; o++)
    if (o->usual && *o->usual) buffer_printf(to, "%s defaults to `%s'.\n", o->name, o->usual);
  if (*c->about) buffer_puts(to, "\n");
  put_paragraphs(to, c->about, width);
  buffer_puts(to, "\nOptions:\n");
  for (int i = 0; i < c->noptions; i++)
    put_row(to, option_text(to->arena, &c->options[i]), c->options[i].what, width);
  if (strcmp(c->name, "diff") == 0) return; /* whose statuses are those of diff(1), and told above */
  buffer_puts(to, "\n");
  put_wrapped(to, exit_status, 0, 0, width);
}

void command_overview(Buffer *to, int width) {
  put_wrapped(to,
              "tgc compiles codelets to many CUDA or C variants, composed over the levels of a machine, checks each of "
              "them, and selects the fastest for each size.",
              0, 0, width);
  buffer_puts(to, "\nUsage: tgc VERB [arguments]\n       tgc FILE.. [options]    same as tgc compile\n\nVerbs:\n");
  for (const Command *c = commands; c->name; c++) {
    Buffer left = buffer_new(to->arena);
    buffer_puts(&left, c->name);
    for (const CommandOperand *o = c->operands; o->name; o++)
      buffer_printf(&left, o->usual ? " [%s%s]" : " %s%s", o->name, o->several ? ".." : "");
    put_row(to, left.text, c->summary, width);
  }
  buffer_puts(to, "\n");
  put_wrapped(to, "Without DIR a verb works on the folder `out'. `tgc help VERB' lists the options of a verb.", 0, 0,
              width);
  put_wrapped(to, exit_status, 0, 0, width);
}
