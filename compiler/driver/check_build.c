/* check_build.c: from variants to runs: units of a few variants each are compiled with the executor's hooks,
 * linked with the executor, the harness and the reference, and run, a process a variant.
 *
 *   support: executor, harness, references.cc ---------+
 *                                                     +--> unit: link --> a run for each of its variants
 *   unit: u0.cc, #includes ten variants, their table -+
 *
 * A unit that does not compile is taken apart, so that one bad variant costs the others nothing. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver/check_parts.h"

enum { UNIT_VARIANTS = 8, COMPILE_SECONDS = 300 };

static const char *const executor_parts[] = {"atomics", "cluster", "fiber", "graph", "hooks", "launch",
                                             "memory", "report", "shadow", "warp"};
enum { EXECUTOR_PARTS = sizeof executor_parts / sizeof *executor_parts };

typedef struct Build Build;

typedef struct Unit {
  Build *build;
  int number, first, count; /* of the variants */
  const char *program;
  bool compiled, linking;
} Unit;

struct Build {
  Check *check;
  VEC(Unit *) units;
  VEC(const char *) objects; /* of the support */
  int support_left;
};

typedef VEC(const char *) Arguments;

static void push(Check *c, Arguments *a, const char *text) { vec_push(c->arena, a, text); }
#define PUSH_ALL(c, a, ...)                                                                     \
  do {                                                                                          \
    const char *const all[] = {__VA_ARGS__};                                                    \
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) push(c, a, all[k]);                   \
  } while (0)

/* ---- finding compilers ---- */

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

const char *check_find_compiler(Check *c) {
  static const char *const usual[] = {"clang++-19", "clang++", "g++", "c++"};
  const char *found = getenv("TGC_CXX");
  if (found && !check_in_path(found)) {
    diagnostics_add(c->diagnostics, DIAG_ERROR, (SourceRange){0}, NULL, "TGC_CXX is `%s', which cannot be run", found);
    return NULL;
  }
  for (size_t i = 0; !found && i < sizeof usual / sizeof *usual; i++)
    if (check_in_path(usual[i])) found = usual[i];
  if (!found)
    diagnostics_add(c->diagnostics, DIAG_ERROR, (SourceRange){0}, "install clang++ 19, or name one in TGC_CXX",
                    "no C++ compiler is to be found");
  c->clang = found && strstr(found, "clang") != NULL;
  return found;
}

/* ---- texts ---- */

const char *check_temporary(Check *c, const char *name) { return arena_printf(c->arena, "%s/%s", c->temporary, name); }

bool check_write_text(Check *c, const char *path, const Buffer *text) {
  FILE *f = fopen(path, "w");
  bool ok = f && fwrite(text->text, 1, text->length, f) == text->length;
  if (f && fclose(f) != 0) ok = false;
  if (!ok)
    diagnostics_add(c->diagnostics, DIAG_ERROR, (SourceRange){0}, NULL, "cannot write `%s': %s", path,
                    strerror(errno));
  return ok;
}

/* What the functions take, as a table of the harness's. */
static void put_operands(Buffer *to, const Check *c) {
  if (!c->noperands) return;
  buffer_puts(to, "static const check::Operand operand_rows[] = {\n");
  for (int i = 0; i < c->noperands; i++) {
    const CheckOperand *o = &c->operands[i];
    buffer_printf(to, "  {\"%s\", check::%s, {%d, %d, %d}, %s, %s, %s, check::%s, %d, check::%s, {%d, %d}, %d},\n",
                  o->name, o->kind, o->sizes[0], o->sizes[1], o->sizes[2], o->by_columns ? "true" : "false",
                  o->read ? "true" : "false", o->written ? "true" : "false", o->holds, o->into, o->means,
                  o->factors[0], o->factors[1], o->plus);
  }
  buffer_printf(to, "};\nstatic const check::Operands operands = {operand_rows, %d};\n"
                    "#undef CHECK_OPERANDS\n#define CHECK_OPERANDS &operands\n", c->noperands);
}

/* The sequential codelet's own bits are asked for where they are promised. */
bool check_write_references(Check *c, const char *path) {
  Buffer b = buffer_new(c->arena);
  bool own = false;
  for (int i = 0; i < c->nvariants; i++) own |= c->variants[i].promise == DETERMINISM_SEQUENTIAL;
  buffer_printf(&b, "// The sequential codelets, a table of them. Made by tgc check.\n#include \"check/harness.h\"\n"
                    "#if __has_include(\"%s/check/types.h\")\n#include \"%s/check/types.h\"\n#endif\n\n"
                    "#include \"%s/check/reference.cc\"\n\n"
                    "#ifndef CHECK_OPERATION\n#define CHECK_OPERATION \"%s\"\n#define CHECK_EXAMPLE(function) nullptr\n"
                    "#define CHECK_STATE nullptr\n#endif\n"
                    "const check::Layout *const check::state = CHECK_STATE;\n"
                    "const char *const check::operation = CHECK_OPERATION;\n"
                    "const size_t check::workspace_head = %d;\n",
                c->dir, c->dir, c->dir, c->operation, c->workspace_head);
  put_operands(&b, c);
  buffer_puts(&b, "const check::Reference check::references[] = {\n");
  for (int i = 0; i < c->ntypes; i++)
    buffer_printf(&b,
        own ? "  CHECK_REFERENCE(\"%s\", %s_reference_%s, CHECK_OWN(%s_sequential_%s), CHECK_EXAMPLE(%s_example_%s)),\n"
                          : "  CHECK_REFERENCE(\"%s\", %s_reference_%s, nullptr, CHECK_EXAMPLE(%s_example_%s)),\n",
                  c->types[i], c->spectrum, c->types[i], c->spectrum, c->types[i], c->spectrum, c->types[i]);
  buffer_printf(&b, "};\nconst int check::reference_count = %d;\n", c->ntypes);
  return check_write_text(c, path, &b);
}

const char *check_promise(const CheckVariant *v) {
  static const char *const promises[] = {"NOTHING", "RUN_TO_RUN", "GPU_TO_GPU", "SEQUENTIAL"};
  return promises[v->promise];
}

static bool write_unit(Check *c, const Unit *u, const char *path) {
  Buffer b = buffer_new(c->arena);
  int rows = 0;
  buffer_puts(&b, "// A few variants, a table of them. Made by tgc check.\n#include \"check/harness.h\"\n");
  buffer_printf(&b, "#if __has_include(\"%s/check/types.h\")\n#include \"%s/check/types.h\"\n#endif\n\n", c->dir,
                c->dir);
  for (int i = 0; i < u->count; i++) buffer_printf(&b, "#include \"%s\"\n", c->variants[u->first + i].file);
  buffer_puts(&b, "\nconst check::Entry check::entries[] = {\n");
  for (int i = 0; i < u->count; i++) {
    const CheckVariant *v = &c->variants[u->first + i];
    for (int k = 0; k < v->nfunctions; k++, rows++)
      buffer_printf(&b, "  CHECK_VARIANT(\"%s\", \"%s\", check::%s, %s),\n", v->id, v->functions[k].type,
                    check_promise(v), v->functions[k].name);
  }
  buffer_printf(&b, "};\nconst int check::entry_count = %d;\n", rows);
  return check_write_text(c, path, &b);
}

/* ---- what went wrong, in a line ---- */

const char *check_first_error(Check *c, const Job *job) {
  const char *text = job->output.length ? job->output.text : "";
  if (job->status == JOB_NOT_STARTED) return arena_printf(c->arena, "`%s' cannot be run", job->argv[0]);
  if (job->status == JOB_TIMED_OUT) return arena_printf(c->arena, "no end after %d s", job->timeout);
  const char *at = strstr(text, "error");
  if (!at) at = text;
  while (at > text && at[-1] != '\n') at--;
  size_t n = strcspn(at, "\n");
  return n ? arena_strndup(c->arena, at, n) : "no message";
}

void check_break_off(Check *c, const Job *job, const char *what) {
  diagnostics_add(c->diagnostics, DIAG_ERROR, (SourceRange){0}, NULL, "%s: %s", what, check_first_error(c, job));
  c->broken = true;
  jobs_cancel(c->jobs);
}

/* ---- runs ---- */

static void run_done(Job *job) {
  Unit *u = job->context;
  Check *c = u->build->check;
  check_take_output(c, &c->variants[job->number], job, NULL);
}

static void queue_runs(Unit *u) {
  Check *c = u->build->check;
  for (int i = 0; i < u->count; i++) {
    CheckVariant *v = &c->variants[u->first + i];
    v->programs = 1;
    Arguments a = {0};
    PUSH_ALL(c, &a, u->program, v->id, arena_printf(c->arena, "%d", c->options.seeds),
             arena_printf(c->arena, "%d", c->options.orders),
             arena_printf(c->arena, "%d", c->options.timeout));
    for (int k = 0; k < c->options.nsizes; k++) push(c, &a, c->options.sizes[k]);
    push(c, &a, NULL);
    Job job = {.argv = a.at, .done = run_done, .context = u, .number = u->first + i};
    jobs_add(c->jobs, &job, true);
  }
}

/* ---- links ---- */

static void link_done(Job *job) {
  Unit *u = job->context;
  Check *c = u->build->check;
  c->steps_done++;
  if (job->status == 0) queue_runs(u);
  else check_break_off(c, job, "the harness does not link");
}

static void link_when_ready(Unit *u) {
  Check *c = u->build->check;
  if (!u->compiled || u->linking || u->build->support_left) return;
  u->linking = true;
  u->program = check_temporary(c, arena_printf(c->arena, "u%d", u->number));
  Arguments a = {0};
  PUSH_ALL(c, &a, c->compiler, "-o", u->program, check_temporary(c, arena_printf(c->arena, "u%d.o", u->number)));
  for (int i = 0; i < u->build->objects.n; i++) push(c, &a, u->build->objects.at[i]);
  if (!c->options.device) push(c, &a, "-pie");
  push(c, &a, NULL);
  Job job = {.argv = a.at, .timeout = COMPILE_SECONDS, .done = link_done, .context = u};
  jobs_add(c->jobs, &job, true);
}

/* ---- compilations ---- */

static void common_arguments(Check *c, Arguments *a, bool device_code) {
  push(c, a, c->compiler);
  if (c->options.device) {
    PUSH_ALL(c, a, "-std=c++17", "-O2", "-I", c->simt, "-arch", c->device_arch);
    if (device_code) PUSH_ALL(c, a, "-x", "cu");
    return;
  }
  PUSH_ALL(c, a, "-std=c++17", "-fPIE", "-w", "-I", arena_printf(c->arena, "%s/include", c->simt), "-I", c->simt);
  if (!device_code) {
    PUSH_ALL(c, a, "-O2", "-fno-strict-aliasing", "-ffp-contract=off");
    if (c->options.plain) push(c, a, "-DTGC_CHECK_PLAIN");
    return;
  }
  PUSH_ALL(c, a, "-x", "c++", "-O1", "-fno-strict-aliasing", c->clang ? "-gline-tables-only" : "-g1", "-gdwarf-4");
  if (c->options.plain) return;
  push(c, a, "-fsanitize=thread");
  /* a read before a write to the same place counts too; calls need no hooks */
  if (c->clang)
    PUSH_ALL(c, a, "-mllvm", "-tsan-compound-read-before-write=1", "-mllvm", "-tsan-instrument-func-entry-exit=0");
  else PUSH_ALL(c, a, "--param=tsan-instrument-func-entry-exit=0");
}

static const char *const *compilation(Check *c, const char *source, const char *object, bool device_code) {
  Arguments a = {0};
  common_arguments(c, &a, device_code);
  PUSH_ALL(c, &a, "-c", source, "-o", object, NULL);
  return a.at;
}

static bool queue_unit(Build *b, int first, int count, bool soon);

static void unit_done(Job *job) {
  Unit *u = job->context;
  Check *c = u->build->check;
  c->steps_done++;
  if (job->status == 0) {
    u->compiled = true;
    link_when_ready(u);
    return;
  }
  c->steps_done++; /* its link */
  if (u->count > 1) {
    for (int i = 0; i < u->count && !c->broken; i++) c->broken = !queue_unit(u->build, u->first + i, 1, false);
    return;
  }
  CheckVariant *v = &c->variants[u->first];
  check_fail(c, v, (CheckFailure){.kind = "compile", .what = check_first_error(c, job)});
  v->ended = true;
  c->ended++;
}

static bool queue_unit(Build *b, int first, int count, bool soon) {
  Check *c = b->check;
  Unit *u = arena_one(c->arena, Unit);
  *u = (Unit){.build = b, .number = b->units.n, .first = first, .count = count};
  vec_push(c->arena, &b->units, u);
  const char *source = check_temporary(c, arena_printf(c->arena, "u%d.cc", u->number));
  if (!write_unit(c, u, source)) return false;
  Job job = {.argv = compilation(c, source, check_temporary(c, arena_printf(c->arena, "u%d.o", u->number)), true),
             .timeout = COMPILE_SECONDS, .done = unit_done, .context = u};
  c->steps += 2;
  jobs_add(c->jobs, &job, soon);
  return true;
}

static void support_done(Job *job) {
  Build *b = job->context;
  Check *c = b->check;
  c->steps_done++;
  b->support_left--;
  if (job->status != 0) {
    bool reference = job->number == 1;
    check_break_off(c, job, reference ? "the sequential codelet's C++ does not compile" : "the harness does not compile");
    return;
  }
  for (int i = 0; i < b->units.n; i++) link_when_ready(b->units.at[i]);
}

static void queue_support(Build *b, const char *source, const char *name, int number) {
  Check *c = b->check;
  const char *object = check_temporary(c, arena_printf(c->arena, "%s.o", name));
  vec_push(c->arena, &b->objects, object);
  b->support_left++;
  c->steps++;
  Job job = {.argv = compilation(c, source, object, false), .timeout = COMPILE_SECONDS, .done = support_done,
             .context = b, .number = number};
  jobs_add(c->jobs, &job, false);
}

bool check_queue(Check *c) {
  Build *b = arena_one(c->arena, Build);
  b->check = c;
  const char *references = check_temporary(c, "references.cc");
  if (!check_write_references(c, references)) return false;
  queue_support(b, references, "references", 1);
  queue_support(b, arena_printf(c->arena, "%s/check/harness.cc", c->simt), "harness", 0);
  queue_support(b, arena_printf(c->arena, "%s/check/problem.cc", c->simt), "problem", 0);
  queue_support(b, arena_printf(c->arena, "%s/check/data.cc", c->simt), "data", 0);
  queue_support(b, arena_printf(c->arena, "%s/check/layout.cc", c->simt), "layout", 0);
  for (int i = 0; !c->options.device && i < EXECUTOR_PARTS; i++)
    queue_support(b, arena_printf(c->arena, "%s/%s.cc", c->simt, executor_parts[i]), executor_parts[i], 0);
  int size = c->nvariants / (2 * c->options.jobs) + 1;
  if (size > UNIT_VARIANTS) size = UNIT_VARIANTS;
  for (int i = 0; i < c->nvariants; i += size)
    if (!queue_unit(b, i, c->nvariants - i < size ? c->nvariants - i : size, false)) return false;
  return true;
}

/* ---- the device ---- */

typedef struct Probe { Check *check; const char *text; bool ok; } Probe;

static void probe_done(Job *job) {
  Probe *p = job->context;
  p->ok = job->status == 0;
  p->text = p->ok && job->output.length
              ? arena_strndup(p->check->arena, job->output.text, strcspn(job->output.text, "\n"))
              : check_first_error(p->check, job);
}

static Probe run_probe(Check *c, const char *const *argv) {
  Probe p = {.check = c};
  Jobs *jobs = jobs_new(c->arena, 1);
  Job job = {.argv = argv, .timeout = COMPILE_SECONDS, .done = probe_done, .context = &p};
  jobs_add(jobs, &job, false);
  jobs_run(jobs, NULL, NULL);
  return p;
}

bool check_find_device(Check *c) {
  c->compiler = getenv("TGC_NVCC") ? getenv("TGC_NVCC") : "nvcc";
  const char *why = NULL;
  if (!check_in_path(c->compiler)) why = arena_printf(c->arena, "`%s' is not to be found", c->compiler);
  if (!why) {
    const char *program = check_temporary(c, "device");
    const char *source = arena_printf(c->arena, "%s/check/device.cu", c->simt);
    Probe made = run_probe(c, (const char *const[]){c->compiler, "-o", program, source, NULL});
    Probe asked = made.ok ? run_probe(c, (const char *const[]){program, NULL}) : made;
    if (asked.ok) c->device_arch = asked.text;
    else why = asked.text ? asked.text : "no answer";
  }
  if (!why) return true;
  diagnostics_add(c->diagnostics, DIAG_ERROR, (SourceRange){0}, "without `--device' the check runs on the CPU",
                  "no device: %s", why);
  return false;
}
