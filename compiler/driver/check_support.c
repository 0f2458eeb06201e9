/* check_support.c: what every program of a check is linked with, whatever runs its variants: the harness, what stands
 * in for the machine, and the sequential codelets; and the texts and messages that all sorts of checks share. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver/check_parts.h"
#include "emit/emit.h"

static const char own_link[] = "folder";

bool check_in_path(const char *program) {
  if (strchr(program, '/')) return access(program, X_OK) == 0;
  const char *path = getenv("PATH");
  char file[4096];
  while (path && *path) {
    size_t n = strcspn(path, ":");
    snprintf(file, sizeof file, "%.*s/%s", (int)n, path, program);
    if (access(file, X_OK) == 0) return true;
    path += n + (path[n] == ':');
  }
  return false;
}

/* ---- texts ---- */

const char *check_temporary(Check *c, const char *name) { return arena_printf(c->arena, "%s/%s", c->temporary, name); }

const char *check_linked(Check *c, const char *path) {
  const size_t n = strlen(c->dir);
  return strncmp(path, c->dir, n) == 0 && path[n] == '/' ? arena_printf(c->arena, "%s%s", c->link, path + n) : path;
}

bool check_write_text(Check *c, const char *path, const Buffer *text) {
  FILE *f = fopen(path, "w");
  bool ok = f && fwrite(text->text, 1, text->length, f) == text->length;
  if (f && fclose(f) != 0) ok = false;
  if (!ok)
    diagnostics_add(c->diagnostics, DIAG_ERROR, (SourceRange){0}, NULL, "cannot write `%s': %s", path,
                    strerror(errno));
  return ok;
}

static const char *all_sizes(Arena *a, const CheckOperand *o) {
  Buffer b = buffer_new(a);
  for (int i = 0; i < MANIFEST_SIZES; i++) buffer_printf(&b, "%s%d", i ? ", " : "", o->sizes[i]);
  return b.text;
}

/* What the functions take, as a table of the harness's. */
static void put_operands(Buffer *to, const Check *c) {
  if (!c->noperands) return;
  buffer_puts(to, "static const check::Operand operand_rows[] = {\n");
  for (int i = 0; i < c->noperands; i++) {
    const CheckOperand *o = &c->operands[i];
    buffer_printf(to, "  {\"%s\", check::%s, {%s}, %s, %s, %s, check::%s, %d, check::%s, {%d, %d}, %d, %d, %d, %d, %d, "
                  "%d, %d},\n", o->name, o->kind, all_sizes(c->arena, o), o->by_columns ? "true" : "false",
                  o->read ? "true" : "false", o->written ? "true" : "false", o->holds, o->into, o->means,
                  o->factors[0], o->factors[1], o->times, o->plus, o->addend, o->more, o->every, o->low,
                  o->high);
  }
  buffer_printf(to, "};\nstatic const check::Operands operands = {operand_rows, %d};\n"
                    "#undef CHECK_OPERANDS\n#define CHECK_OPERANDS &operands\n", c->noperands);
}

/* Not by __has_include: what ccache keeps does not depend on files that were not there. */
void check_include_types(const Check *c, Buffer *to) {
  if (access(arena_printf(c->arena, "%s/check/types.h", c->dir), R_OK) == 0)
    buffer_printf(to, "#include \"%s/check/types.h\"\n", c->link);
}

/* The sequential codelet's own bits are asked for where they are promised. */
static bool write_references(Check *c, const char *path) {
  Buffer b = buffer_new(c->arena);
  bool own = false;
  for (int i = 0; i < c->nvariants; i++) own |= c->variants[i].promise == DETERMINISM_SEQUENTIAL;
  buffer_printf(&b, "// The sequential codelets, a table of them. Made by tgc check.\n#include \"check/harness.h\"\n");
  check_include_types(c, &b);
  buffer_printf(
      &b,
      "\n#include \"%s/check/reference.cc\"\n\n"
      "#ifndef CHECK_OPERATION\n#define CHECK_OPERATION \"%s\"\n#define CHECK_EXAMPLE(function) nullptr\n"
      "#endif\n#ifndef CHECK_STATES\n#define CHECK_STATES\n#endif\n#ifndef CHECK_SIGNED_ZEROS\n"
      "#define CHECK_SIGNED_ZEROS false\n#endif\n#ifndef CHECK_NUMBERS_ALONE\n#define CHECK_NUMBERS_ALONE false\n"
      "#endif\n#ifndef CHECK_BOUND\n#define CHECK_BOUND(function) nullptr\n#endif\n"
      "const check::Layout *const check::states[] = {CHECK_STATES nullptr};\n"
      "const char *const check::operation = CHECK_OPERATION;\n"
      "const bool check::zeros_have_signs = CHECK_SIGNED_ZEROS;\n"
      "const bool check::numbers_alone = CHECK_NUMBERS_ALONE;\n"
      "const size_t check::workspace_head = %d;\n",
      c->link, c->operation, c->workspace_head);
  put_operands(&b, c);
  buffer_puts(&b, "const check::Reference check::references[] = {\n");
  for (int i = 0; i < c->ntypes; i++) {
    const char *s = c->spectrum, *t = c->types[i];
    const char *bits = own ? arena_printf(c->arena, "CHECK_OWN(%s_sequential_%s)", s, t) : "nullptr";
    buffer_printf(
        &b, "  CHECK_BOUNDED(\"%s\", %s_reference_%s, CHECK_BOUND(%s_bound_%s), %s, CHECK_EXAMPLE(%s_example_%s)),\n",
        t, s, t, s, t, bits, s, t);
  }
  buffer_printf(&b, "};\nconst int check::reference_count = %d;\n", c->ntypes);
  return check_write_text(c, path, &b);
}

const char *check_promise(const CheckVariant *v) {
  static const char *const promises[] = {"NOTHING", "RUN_TO_RUN", "GPU_TO_GPU", "SEQUENTIAL"};
  return promises[v->promise];
}

/* ---- what went wrong, in a line ---- */

const char *check_first_error(Check *c, const Job *job) {
  const char *text = job->output.length ? job->output.text : "";
  if (job->status == JOB_NOT_STARTED) return arena_printf(c->arena, "`%s' cannot be run", job->argv[0]);
  if (job->status == JOB_TIMED_OUT) return arena_printf(c->arena, "no end after %d s", job->timeout);
  const char *at = strstr(text, "error");
  if (!at) at = text;
  while (at > text && at[-1] != '\n') at--;
  size_t n = strcspn(at, "\n"), in_link = sizeof own_link - 1;
  if (!n) return "no message";
  const bool linked = strncmp(at, own_link, in_link) == 0 && at[in_link] == '/';
  return linked ? arena_printf(c->arena, "%s%.*s", c->dir, (int)(n - in_link), at + in_link)
                : arena_strndup(c->arena, at, n);
}

void check_break_off(Check *c, const Job *job, const char *what) {
  diagnostics_add(c->diagnostics, DIAG_ERROR, (SourceRange){0}, NULL, "%s: %s", what, check_first_error(c, job));
  c->broken = true;
  jobs_cancel(c->jobs);
}

/* ---- objects ---- */

typedef struct Part {
  CheckSupport *support;
  bool references; /* the sequential codelets, a folder's own */
} Part;

/* Why it could not be compiled. */
static const char *what_is_wrong(const Part *p, const Job *job) {
  if (!p->references) return "the harness does not compile";
  const bool none = job->output.length && strstr(job->output.text, EMIT_NO_REFERENCE);
  return none ? "there is nothing to check against" : "the sequential codelet's C++ does not compile";
}

static void part_done(Job *job) {
  Part *p = job->context;
  CheckSupport *s = p->support;
  Check *c = s->check;
  c->steps_done++;
  s->left--;
  if (job->status != 0) {
    check_break_off(c, job, what_is_wrong(p, job));
    return;
  }
  s->ready(s->build);
}

/* `name': the object's, without its ".o". */
static const char *add(CheckSupport *s, const char *source, const char *name, bool references) {
  Check *c = s->check;
  Part *p = arena_one(c->arena, Part);
  *p = (Part){s, references};
  const char *object = arena_printf(c->arena, "%s.o", name);
  Words command = {0};
  for (const char *const *word = s->compile(c, source, object); *word; word++) PUSH(c->arena, &command, *word);
  /* As quick as with -O2, sooner compiled; the executor itself is slower. */
  const bool executor = !references && !strstr(source, "/check/");
  if (!executor && !c->options.device) PUSH(c->arena, &command, "-O1");
  PUSH(c->arena, &command, NULL);
  s->left++;
  c->steps++;
  CheckHeaders *witness = references ? check_queue_headers(c, command.at, check_witness_header(c), name) : NULL;
  Job job = {.argv = command.at, .done = part_done, .context = p};
  check_queue_compilation(c, &job, witness, false);
  return check_temporary(c, object);
}

const char *check_support_part(CheckSupport *s, const char *part) {
  const char *slash = strrchr(part, '/');
  return add(s, arena_printf(s->check->arena, "%s/%s.cc", s->check->simt, part), slash ? slash + 1 : part, false);
}

bool check_queue_support(CheckSupport *s, const char *const *parts, int n) {
  static const char *const harness[] = {"check/harness", "check/problem", "check/data", "check/layout",
                                        "check/lines"};
  enum { HARNESS_PARTS = sizeof harness / sizeof *harness };
  Check *c = s->check;
  c->link = symlink(c->dir, check_temporary(c, own_link)) == 0 ? own_link : c->dir;
  if (!write_references(c, check_temporary(c, "references.cc"))) return false;
  vec_push(c->arena, &s->objects, add(s, "references.cc", "references", true));
  for (int i = 0; i < HARNESS_PARTS + n; i++)
    vec_push(c->arena, &s->objects, check_support_part(s, i < HARNESS_PARTS ? harness[i] : parts[i - HARNESS_PARTS]));
  return true;
}
