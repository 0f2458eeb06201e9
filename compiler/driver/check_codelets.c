/* check_codelets.c: each codelet by itself, also one that no plan uses, against the sequential one of its spectrum: a
 * program of the folder's check/codelets.cc and runtime/simt/check/codelets.cc, in which nothing of a variant is. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver/check_parts.h"

enum { FIELDS = 9 };

struct Codelets {
  Check *check;
  CheckSupport *support;
  const char *program;
  bool compiled;
};

/* What of the harness it is linked with; support has them too. */
static const char *const shared[] = {"layout", "data", "problem", "lines"};

/* Fields of a line, with tabs between; "" where there are fewer. */
static void split(Check *c, const char *line, size_t length, const char *field[FIELDS]) {
  char *rest = arena_strndup(c->arena, line, length);
  for (int i = 0; i < FIELDS; i++) {
    field[i] = rest ? rest : "";
    char *tab = rest && i < FIELDS - 1 ? strchr(rest, '\t') : NULL;
    if (tab) *tab = '\0';
    rest = tab ? tab + 1 : NULL;
  }
}

static CheckCodelet *codelet_at(Check *c, const char *where, const char *spectrum, const char *name) {
  for (int i = 0; i < c->codelets.n; i++)
    if (strcmp(c->codelets.at[i].where, where) == 0) return &c->codelets.at[i];
  const size_t n = strlen(spectrum); /* "sum__tiled": tiled */
  CheckCodelet one = {.where = where, .name = strncmp(name, spectrum, n) == 0 && name[n] == '_' ? name + n + 2 : name,
                      .spectrum = spectrum};
  vec_push(c->arena, &c->codelets, one);
  return &c->codelets.at[c->codelets.n - 1];
}

static void run_done(Job *job) {
  Codelets *p = job->context;
  Check *c = p->check;
  const char *text = job->output.length ? job->output.text : "";
  bool said = false;
  while (*text) {
    const size_t n = strcspn(text, "\n");
    const char *field[FIELDS];
    if (strncmp(text, "codelet ", 8) == 0) {
      split(c, text + 8, n - 8, field);
      codelet_at(c, field[2], field[0], field[1])->runs += atol(field[4]);
    } else if (strncmp(text, "wrong ", 6) == 0) {
      split(c, text + 6, n - 6, field);
      CheckCodelet *x = codelet_at(c, field[2], field[0], field[1]);
      if (!x->wrong)
        x->wrong = arena_printf(c->arena, "%s, %s, %s%s%s%s%s%s%s", field[3], field[5], field[4],
                                strcmp(field[6], "-") ? "\n    got " : "", strcmp(field[6], "-") ? field[6] : "",
                                strcmp(field[6], "-") ? ", want " : "", strcmp(field[6], "-") ? field[7] : "",
                                *field[8] ? "\n    " : "", field[8]);
      said = true;
    }
    text += n + (text[n] == '\n');
  }
  if (job->status == 0 || said) return;
  check_break_off(c, job, job->status == JOB_TIMED_OUT ? "the codelets, run by themselves, do not terminate"
                                                       : "the codelets cannot be run by themselves");
}

static void link_done(Job *job) {
  Codelets *p = job->context;
  Check *c = p->check;
  c->steps_done++;
  if (job->status != 0) {
    check_break_off(c, job, "the program that runs codelets by themselves does not link");
    return;
  }
  Words a = {0};
  PUSH(c->arena, &a, p->program);
  check_push_sizes(c, &a, &c->own_sizes);
  PUSH(c->arena, &a, NULL);
  Job run = {.argv = a.at, .timeout = c->options.timeout * 4, .done = run_done, .context = p};
  jobs_add(c->jobs, &run, true);
}

void check_link_codelets(CheckSupport *s) {
  Check *c = s->check;
  Codelets *p = s->codelets;
  if (!p || !p->compiled || s->left) return;
  s->codelets = NULL; /* once */
  Words a = {0};
  PUSH(c->arena, &a, c->compiler, "-o", p->program, check_temporary(c, "codelets-own.o"),
       check_temporary(c, "codelets.o"));
  for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
    PUSH(c->arena, &a, check_temporary(c, arena_printf(c->arena, "%s.o", shared[i])));
  PUSH(c->arena, &a, "-pie");
  if (c->clang && check_in_path("ld.lld")) PUSH(c->arena, &a, "-fuse-ld=lld");
  PUSH(c->arena, &a, NULL);
  Job job = {.argv = a.at, .timeout = CHECK_COMPILE_SECONDS, .done = link_done, .context = p};
  jobs_add(c->jobs, &job, true);
}

static void compile_done(Job *job) {
  Codelets *p = job->context;
  p->check->steps_done++;
  p->compiled = job->status == 0;
  if (p->compiled) check_link_codelets(p->support);
  else check_break_off(p->check, job, "the codelets' C++ does not compile");
}

/* Loops in loops over a matrix: these take longer than a compilation does, and a third with -O1. Of other codelets,
 * which run with few elements, compiling takes longer than running. */
static bool has_matrix(const Check *c) {
  for (int i = 0; i < c->noperands; i++)
    if (strcmp(c->operands[i].means, "ROWS") == 0) return true;
  return false;
}

bool check_queue_codelets(CheckSupport *s) {
  Check *c = s->check;
  if (c->options.no_codelets || c->options.variant || c->options.device) return true;
  const char *file = arena_printf(c->arena, "%s/check/codelets.cc", c->dir);
  if (access(file, R_OK) != 0) return true; /* a folder of an earlier tgc, or one's own */
  Buffer b = buffer_new(c->arena);
  buffer_printf(
      &b,
      "// Each codelet by itself. Made by tgc check.\n#include \"check/harness.h\"\n"
      "const char *const check::operation = \"\";\nconst check::Layout *const check::states[] = {nullptr};\n"
      "const size_t check::workspace_head = 0;\n"
      "#include \"%s/check/codelets.cc\" // last: codelets may call their variables as C's macros are called\n"
      "#ifndef CHECK_SIGNED_ZEROS\n#define CHECK_SIGNED_ZEROS false\n#endif\n"
      "const bool check::zeros_have_signs = CHECK_SIGNED_ZEROS;\n"
      "const bool check::numbers_alone = false;\n",
      c->link);
  if (!check_write_text(c, check_temporary(c, "codelets-own.cc"), &b)) return false;
  s->codelets = arena_one(c->arena, Codelets);
  *s->codelets = (Codelets){.check = c, .support = s, .program = check_temporary(c, "codelets")};
  check_support_part(s, "check/codelets");
  Words a = {0};
  for (const char *const *word = s->compile(c, "codelets-own.cc", "codelets-own.o"); *word; word++)
    PUSH(c->arena, &a, *word);
  PUSH(c->arena, &a, has_matrix(c) ? "-O1" : "-O0", "-fwrapv", NULL);
  Job job = {.argv = a.at, .done = compile_done, .context = s->codelets};
  c->steps += 2;
  check_queue_compilation(c, &job, check_queue_headers(c, a.at, check_witness_header(c), "codelets-own"), false);
  return true;
}
