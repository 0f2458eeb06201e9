/* verb_help.c: tgc help, and tgc version: what the table of the command line says, in each form. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include <jansson.h>

#include "driver/verbs.h"
#include "support/manifest_file.h"
#include "support/terminal.h"

static const char *const shells[] = {"bash", "zsh", "fish"};
/* What shells look for, below the folder of their completions. */
static const char *const script_names[] = {"bash/tgc", "zsh/_tgc", "fish/tgc.fish"};

static bool is_shell(const char *form) {
  for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
    if (strcmp(form, shells[i]) == 0) return true;
  return false;
}

/* ---- every page and script, into a folder ---- */

typedef struct Pages {
  Arena *a;
  const char *dir;
  bool failed;
} Pages;

static void fail(Pages *p, const char *path) {
  fprintf(stderr, "tgc: error: cannot write `%s': %s\n", path, strerror(errno));
  p->failed = true;
}

static void make_folder(Pages *p, const char *name) {
  const char *path = arena_printf(p->a, "%s%s", p->dir, name);
  if (!p->failed && mkdir(path, 0777) != 0 && errno != EEXIST) fail(p, path);
}

static void write_page(Pages *p, const char *name, const Buffer *text) {
  if (p->failed) return;
  const char *path = arena_printf(p->a, "%s/%s", p->dir, name);
  FILE *f = fopen(path, "w");
  const bool written = f && fwrite(text->text, 1, text->length, f) == text->length;
  const bool closed = f && fclose(f) == 0;
  if (!written || !closed) fail(p, path);
}

static int write_pages(Arena *a, const char *dir) {
  static const char *const folders[] = {"", "/man1", "/bash", "/zsh", "/fish"};
  Pages p = {.a = a, .dir = dir};
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) make_folder(&p, folders[i]);
  Buffer overview = buffer_new(a);
  command_man_overview(&overview);
  write_page(&p, "man1/tgc.1", &overview);
  for (const Command *c = commands; c->name; c++) {
    Buffer page = buffer_new(a);
    command_man(&page, c);
    write_page(&p, arena_printf(a, "man1/tgc-%s.1", c->name), &page);
  }
  for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
    Buffer script = buffer_new(a);
    command_complete(&script, shells[i]);
    write_page(&p, script_names[i], &script);
  }
  return p.failed ? STATUS_FAILED : STATUS_DONE;
}

/* ---- as JSON ---- */

static json_t *verb_json(const Command *c) {
  json_t *operands = json_array(), *options = json_array();
  for (const CommandOperand *o = c->operands; o->name; o++)
    json_array_append_new(operands, json_pack("{s:s, s:s?, s:b}", "name", o->name, "default", o->usual, "several",
                                              o->several));
  for (int i = 0; i < c->noptions; i++) {
    const CommandOption *o = &c->options[i];
    json_array_append_new(options, json_pack("{s:s, s:s?, s:s?, s:s}", "name", o->name, "short",
                                             *o->short_name ? o->short_name : NULL, "argument",
                                             *o->argument ? o->argument : NULL, "what", o->what));
  }
  return json_pack("{s:s, s:s, s:o, s:o}", "name", c->name, "summary", c->summary, "operands", operands, "options",
                   options);
}

/* One verb, or all of them. */
static void print_json(Buffer *to, const Command *c) {
  json_t *all = c ? verb_json(c) : json_array();
  for (const Command *x = commands; !c && x->name; x++) json_array_append_new(all, verb_json(x));
  manifest_print(to, all);
  json_decref(all);
}

/* ---- the verbs ---- */

int verb_help(Arena *a, const HelpArguments *given) {
  const char *word = given->operands.n ? given->operands.at[0] : NULL, *form = given->as ? given->as : "text";
  const Command *c = word ? command_by_name(word) : NULL;
  if (word && !c) {
    const char *near = command_nearest(word);
    return command_misuse(NULL, near ? arena_printf(a, "unknown verb `%s'; did you mean `%s'?", word, near)
                                     : arena_printf(a, "unknown verb `%s'", word));
  }
  if (given->json && (given->as || given->out))
    return verbs_misuse("help", "`--json' is a form of its own: give neither `--as' nor `--out'");
  if (given->out) return word || given->as ? verbs_misuse("help", "`--out' writes all pages and scripts: give it alone")
                                           : write_pages(a, given->out);
  if (word && is_shell(form)) return verbs_misuse("help", "a completion script is for all verbs: give no VERB");
  Buffer text = buffer_new(a);
  if (given->json) print_json(&text, c);
  else if (is_shell(form)) command_complete(&text, form);
  else if (strcmp(form, "man") == 0 && c) command_man(&text, c);
  else if (strcmp(form, "man") == 0) command_man_overview(&text);
  else if (c) command_help(&text, c, terminal_text_columns());
  else command_overview(&text, terminal_text_columns());
  return verbs_print(&text);
}

int verb_version(Arena *a, const VersionArguments *given) {
  (void)given;
  Buffer text = buffer_new(a);
  buffer_printf(&text, "tgc %s\n", TGC_VERSION);
  return verbs_print(&text);
}
