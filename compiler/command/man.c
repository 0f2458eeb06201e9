/* man.c: man pages in the man(7) macros, from the table: tgc(1), and tgc-VERB(1) for each verb. */
#include <string.h>

#include "command/command.h"

/* Text in which nothing is a request or an escape to roff. */
static void put_text(Buffer *to, const char *s, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (s[i] == '\\') buffer_puts(to, "\\e");
    else if (s[i] == '-') buffer_puts(to, "\\-");
    else if (s[i] == '`') buffer_puts(to, "\\(oq");
    else if (s[i] == '\'') buffer_puts(to, "\\(cq");
    else if (s[i] == '^') buffer_puts(to, "\\(ha");
    else if (s[i] == '~') buffer_puts(to, "\\(ti");
    else if (i == 0 && s[i] == '.') buffer_puts(to, "\\&.");
    else buffer_putn(to, s + i, 1);
  }
}

static void put_line(Buffer *to, const char *before, const char *s) {
  buffer_puts(to, before);
  put_text(to, s, strlen(s));
  buffer_puts(to, "\n");
}

static void title(Buffer *to, const char *name, const char *summary) {
  buffer_printf(to,
                ".\\\" Printed by tgc from the table of its command line.\n.TH %s 1 \"\" \"tgc %s\" \"User "
                "Commands\"\n.SH NAME\n",
                name, TGC_VERSION);
  put_text(to, name, strlen(name));
  put_line(to, " \\- ", summary);
}

static void put_paragraphs(Buffer *to, const char *s) {
  bool example = false;
  while (*s) {
    const size_t n = strcspn(s, "\n");
    if (n && (*s == ' ') != example) {
      buffer_puts(to, example ? ".EE\n" : ".EX\n");
      example = !example;
    }
    if (!n) buffer_puts(to, example ? "" : ".PP\n");
    else {
      put_text(to, s, n);
      buffer_puts(to, "\n");
    }
    s += n;
    if (*s) s++;
  }
  if (example) buffer_puts(to, ".EE\n");
}

static const char statuses[] =
  ".SH EXIT STATUS\n.TP\n0\nsuccess\n.TP\n1\nan error in the input, or a failure\n.TP\n2\nwrong usage\n";
static const char environment[] =
  ".SH ENVIRONMENT\n"
  ".TP\nNO_COLOR\nif set and not empty, nothing is colored unless \\-\\-color=always is given\n"
  ".TP\nCOLUMNS\nthe width that listings and help are wrapped to; without it the terminal's, and in a pipe none\n"
  ".TP\nTGC_DATA_DIR\nwhere machines, tables and the runtime are found\n"
  ".TP\nTMPDIR\nwhere temporary files are made\n";

void command_man(Buffer *to, const Command *c) {
  title(to, arena_printf(to->arena, "tgc-%s", c->name), c->summary);
  put_line(to, ".SH SYNOPSIS\n", command_usage(to->arena, c));
  buffer_puts(to, ".SH DESCRIPTION\n");
  put_line(to, "", command_sentence(to->arena, c->summary));
  if (*c->about) buffer_puts(to, ".PP\n");
  put_paragraphs(to, c->about);
  buffer_puts(to, ".SH OPTIONS\n");
  for (int i = 0; i < c->noptions; i++) {
    const CommandOption *o = &c->options[i];
    buffer_puts(to, ".TP\n.B ");
    if (o->short_name[0]) put_text(to, o->short_name, strlen(o->short_name));
    if (o->short_name[0]) buffer_puts(to, ", ");
    put_text(to, o->name, strlen(o->name));
    put_line(to, command_takes_value(o) ? " " : "", o->argument);
    put_line(to, "", o->what);
  }
  if (strcmp(c->name, "diff") != 0) buffer_puts(to, statuses);
  buffer_puts(to, environment);
  buffer_puts(to, ".SH SEE ALSO\n.BR tgc (1)\n");
}

void command_man_overview(Buffer *to) {
  title(to, "tgc", "compile codelets to CUDA and C variants, check them and tune them");
  buffer_puts(
      to,
      ".SH SYNOPSIS\ntgc VERB [arguments]\n.br\ntgc FILE.. [options]\n.SH DESCRIPTION\n"
      "tgc compiles codelets to many CUDA or C variants, composed over the levels of a machine, checks each of\n"
      "them, and selects the fastest for each size. Without DIR a verb works on the folder\n.IR out .\n.SH VERBS\n");
  for (const Command *c = commands; c->name; c++) {
    buffer_printf(to, ".TP\n.BR tgc\\-%s (1)\n", c->name);
    put_line(to, "", c->summary);
  }
  buffer_puts(to, statuses);
  buffer_puts(to, environment);
}
