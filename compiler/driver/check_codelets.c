/* check_codelets.c: each codelet by itself, also one that no plan uses, against the sequential one of its spectrum: a
 * program of the folder's check/codelets.cc and runtime/simt/check/codelets.cc, in which nothing of a variant is. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver/check_parts.h"

enum { FIELDS = 9 };

typedef struct Part { Check *check; const char *program; } Part;

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
  Part *p = job->context;
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
  check_break_off(c, job, job->status == JOB_TIMED_OUT ? "the codelets by themselves come to no end"
                                                       : "the codelets by themselves cannot be run");
}

static void compile_done(Job *job) {
  Part *p = job->context;
  Check *c = p->check;
  c->steps_done++;
  if (job->status != 0) {
    check_break_off(c, job, "the codelets' C++ does not compile");
    return;
  }
  Words a = {0};
  PUSH(c->arena, &a, p->program, NULL);
  Job run = {.argv = a.at, .timeout = c->options.timeout * 4, .done = run_done, .context = p};
  jobs_add(c->jobs, &run, true);
}

bool check_queue_codelets(Check *c) {
  if (c->options.no_codelets || c->options.variant || c->options.device || c->options.compile) return true;
  const char *file = arena_printf(c->arena, "%s/check/codelets.cc", c->dir);
  if (access(file, R_OK) != 0) return true; /* a folder of an earlier tgc, or one's own */
  Buffer b = buffer_new(c->arena);
  buffer_printf(&b, "// Each codelet by itself. Made by tgc check.\n#include \"check/harness.h\"\n"
                    "const char *const check::operation = \"\";\nconst check::Layout *const check::state = nullptr;\n"
                    "const size_t check::workspace_head = 0;\n#include \"check/layout.cc\"\n#include \"check/data.cc\"\n"
                    "#include \"check/problem.cc\"\n#include \"check/codelets.cc\"\n"
                    "#include \"%s\" // last: codelets may call their variables as C's macros are called\n", file);
  const char *source = check_temporary(c, "codelets.cc");
  if (!check_write_text(c, source, &b)) return false;
  Part *p = arena_one(c->arena, Part);
  *p = (Part){c, check_temporary(c, "codelets")};
  Words a = {0};
  PUSH(c->arena, &a, c->compiler, "-std=c++17", "-O0", "-w", "-fno-strict-aliasing", "-ffp-contract=off", "-fwrapv", "-I",
       arena_printf(c->arena, "%s/include", c->simt), "-I", c->simt, source, "-o", p->program, NULL);
  Job job = {.argv = a.at, .timeout = CHECK_COMPILE_SECONDS, .done = compile_done, .context = p};
  c->steps++;
  jobs_add(c->jobs, &job, false);
  return true;
}
