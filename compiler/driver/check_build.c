/* check_build.c: from variants to runs: units of a few variants each are compiled with the executor's hooks,
 * linked with the executor, the harness and the reference, and run, a process a variant.
 *
 *   support: executor, harness, references.cc ---------+
 *                                                    +--> unit: link --> a run for each of its variants
 *   unit: u0.cc: a few variants, their table ----------+
 *
 * A unit that does not compile is taken apart, so that one bad variant costs the others nothing. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver/check_parts.h"

enum { UNIT_VARIANTS = 8 };

static const char *const executor_parts[] = {"atomics", "cluster", "copies", "fiber", "graph", "groups", "hooks",
                                             "launch", "memory", "report", "shadow", "together", "warp"};
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
  CheckSupport support;
  CheckHeaders *headers; /* that units begin with */
  VEC(Unit *) units;
};

/* ---- finding compilers ---- */

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
                    "no C++ compiler was found");
  c->clang = found && strstr(found, "clang") != NULL;
  return found;
}

/* ---- texts ---- */

/* The table of the configurations that the variant's text compiles; NULL: it has none, as it was written by hand. */
static const char *configurations_of(const Check *c, const CheckVariant *v) {
  const char *name = arena_printf(c->arena, "%s_%s_configurations", c->spectrum, v->id);
  const SourceFile *text = source_read(c->arena, v->file);
  return text && strstr(text->text, name) ? name : NULL;
}

static bool write_unit(Check *c, const Unit *u, const char *path) {
  Buffer b = buffer_new(c->arena);
  int rows = 0;
  buffer_puts(&b, "// A few variants, a table of them. Made by tgc check.\n#include \"check/harness.h\"\n");
  check_include_types(c, &b);
  for (int i = 0; i < u->count; i++)
    buffer_printf(&b, "#include \"%s\"\n", check_linked(c, c->variants[u->first + i].file));
  buffer_puts(&b, "\nconst check::Entry check::entries[] = {\n");
  for (int i = 0; i < u->count; i++) {
    const CheckVariant *v = &c->variants[u->first + i];
    const char *configurations = configurations_of(c, v);
    for (int k = 0; k < v->nfunctions; k++, rows++)
      buffer_printf(&b, "  CHECK_%s(\"%s\", \"%s\", check::%s, %s%s%s),\n", configurations ? "CONFIGURED" : "VARIANT",
                    v->id, v->functions[k].type, check_promise(v), v->functions[k].name, configurations ? ", " : "",
                    configurations ? configurations : "");
  }
  buffer_printf(&b, "};\nconst int check::entry_count = %d;\n", rows);
  return check_write_text(c, path, &b);
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
    Words a = {0};
    PUSH(c->arena, &a, u->program, v->id, arena_printf(c->arena, "%d", c->options.seeds),
             arena_printf(c->arena, "%d", c->options.orders),
             arena_printf(c->arena, "%d", c->options.timeout));
    check_push_sizes(c, &a, &v->sizes);
    PUSH(c->arena, &a, NULL);
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
  if (!u->compiled || u->linking || u->build->support.left) return;
  u->linking = true;
  u->program = check_temporary(c, arena_printf(c->arena, "u%d", u->number));
  Words a = {0};
  PUSH(c->arena, &a, c->compiler, "-o", u->program, check_temporary(c, arena_printf(c->arena, "u%d.o", u->number)));
  words_push(c->arena, &a, u->build->support.objects.at, u->build->support.objects.n);
  if (!c->options.device) PUSH(c->arena, &a, "-pie");
  if (c->clang && check_in_path("ld.lld")) PUSH(c->arena, &a, "-fuse-ld=lld"); /* links in half the time */
  PUSH(c->arena, &a, NULL);
  Job job = {.argv = a.at, .timeout = CHECK_COMPILE_SECONDS, .done = link_done, .context = u};
  jobs_add(c->jobs, &job, true);
}

/* ---- compilations ---- */

static void common_arguments(Check *c, Words *a, bool device_code) {
  PUSH(c->arena, a, c->compiler);
  if (c->options.device) {
    PUSH(c->arena, a, "-std=c++17", "-O2", "-I", c->simt, "-arch", c->device_arch);
    if (device_code) PUSH(c->arena, a, "-x", "cu");
    return;
  }
  PUSH(c->arena, a, "-std=c++17", "-fPIE", "-w", c->clang ? "-gline-tables-only" : "-g1", "-gdwarf-4", "-I",
       arena_printf(c->arena, "%s/include", c->simt), "-I", c->simt);
  if (!device_code) {
    PUSH(c->arena, a, "-O2", "-fno-strict-aliasing", "-ffp-contract=off");
    return;
  }
  PUSH(c->arena, a, "-x", "c++", "-O1", "-fno-strict-aliasing");
  if (c->options.plain) return;
  PUSH(c->arena, a, "-fsanitize=thread");
  /* a read before a write to the same place counts too; calls need no hooks */
  if (c->clang)
    PUSH(c->arena, a, "-mllvm", "-tsan-compound-read-before-write=1", "-mllvm", "-tsan-instrument-func-entry-exit=0");
  else PUSH(c->arena, a, "--param=tsan-instrument-func-entry-exit=0");
}

static const char *const *compilation(Check *c, const char *source, const char *object, bool device_code) {
  Words a = {0};
  common_arguments(c, &a, device_code);
  const bool runs = !device_code && strstr(source, "check/harness.cc"); /* what else there is, is the same in every
                                                                           check */
  if (runs && c->options.plain) PUSH(c->arena, &a, "-DTGC_CHECK_PLAIN");
  PUSH(c->arena, &a, "-c", source, "-o", object, NULL);
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
  const char *source = arena_printf(c->arena, "u%d.cc", u->number);
  if (!write_unit(c, u, check_temporary(c, source))) return false;
  Job job = {.argv = compilation(c, source, arena_printf(c->arena, "u%d.o", u->number), true), .done = unit_done,
             .context = u};
  c->steps += 2;
  check_queue_compilation(c, &job, b->headers, soon);
  return true;
}

static const char *const *compile_support(Check *c, const char *source, const char *object) {
  return compilation(c, source, object, false);
}

static void support_ready(void *context) {
  Build *b = context;
  check_link_codelets(&b->support);
  for (int i = 0; i < b->units.n; i++) link_when_ready(b->units.at[i]);
}

bool check_queue(Check *c) {
  Build *b = arena_one(c->arena, Build);
  *b = (Build){.check = c, .support = {c, compile_support, support_ready, b}};
  if (!check_queue_support(&b->support, executor_parts, c->options.device ? 0 : EXECUTOR_PARTS) ||
      !check_queue_codelets(&b->support))
    return false;
  b->headers = check_queue_headers(c, compilation(c, "", "", true),
                                   arena_printf(c->arena, "%s/include/cuda_runtime.h", c->simt), "unit");
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
  Job job = {.argv = argv, .timeout = CHECK_COMPILE_SECONDS, .done = probe_done, .context = &p};
  jobs_add(jobs, &job, false);
  jobs_run(jobs, NULL, NULL);
  return p;
}

bool check_find_device(Check *c) {
  c->compiler = getenv("TGC_NVCC") ? getenv("TGC_NVCC") : "nvcc";
  const char *why = NULL;
  if (!check_in_path(c->compiler)) why = arena_printf(c->arena, "cannot find `%s'", c->compiler);
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
