/* check_compile.c: tgc check DIR --compile: does the text compile, for every machine from the manifest's own on?
 *
 * With clang's NVPTX back end, which needs no SDK (runtime/simt/include-nvptx stands in for its header), and with nvcc
 * where there is one, for the machines that it still knows. All variants are one file; one that does not compile is
 * compiled variant by variant, to tell which it is. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver/check_parts.h"
#include "support/target.h"

typedef struct Target {
  int number;          /* 60: sm_60 */
  const char *feature; /* the PTX version that its instructions take */
} Target;

static const Target targets[] = {{35, "+ptx63"}, {52, "+ptx63"}, {60, "+ptx63"}, {70, "+ptx64"},
                                 {75, "+ptx65"}, {80, "+ptx71"}, {86, "+ptx71"}, {90, "+ptx78"}};
enum { TARGETS = sizeof targets / sizeof *targets };

typedef struct Compile {
  Check *check;
  const char *tool;    /* a clang++, or nvcc */
  bool nvcc;
  Target target;
  int first, count;    /* of the variants */
} Compile;

static bool queue(Check *c, Compile one);

static void compiled(Job *job) {
  Compile *one = job->context;
  Check *c = one->check;
  c->steps_done++;
  if (job->status == 0) {
    for (int i = 0; i < one->count; i++) c->variants[one->first + i].runs++;
    return;
  }
  for (int i = 0; one->count > 1 && i < one->count; i++) {
    Compile part = *one;
    part.first = one->first + i;
    part.count = 1;
    if (!queue(c, part)) c->broken = true;
  }
  if (one->count > 1) return;
  check_fail(c, &c->variants[one->first],
             (CheckFailure){.kind = "compile",
                            .what = arena_printf(c->arena, "sm_%d with %s: %s", one->target.number, one->tool,
                                                 check_first_error(c, job))});
}

/* One file that includes them all. */
static const char *write_source(Check *c, const Compile *one) {
  const char *path = arena_printf(c->arena, "%s/%d-%d.cu", c->temporary, one->first, one->count);
  if (access(path, R_OK) == 0) return path;
  FILE *f = fopen(path, "w");
  if (f)
    for (int i = 0; i < one->count; i++) fprintf(f, "#include \"%s\"\n", c->variants[one->first + i].file);
  if (f && fclose(f) == 0) return path;
  diagnostics_add(c->diagnostics, DIAG_ERROR, (SourceRange){0}, NULL, "cannot write `%s'", path);
  return NULL;
}

static bool queue(Check *c, Compile one) {
  const char *source = write_source(c, &one);
  if (!source) return false;
  VEC(const char *) a = {0};
  const char *arch = one.nvcc ? arena_printf(c->arena, "-arch=%s", target_of_compute(c->arena, one.target.number))
                              : arena_printf(c->arena, "--cuda-gpu-arch=sm_%d", one.target.number);
  const char *object = arena_printf(c->arena, "%s/%d-%d-%d-%d.o", c->temporary, one.first, one.count, one.target.number,
                                    one.nvcc);
  const char *const with_nvcc[] = {one.tool, "-std=c++17", "-O2", arch, "-c", "-o", object, source};
  const char *feature = arena_printf(c->arena, "--cuda-feature=%s", one.target.feature);
  const char *headers = arena_printf(c->arena, "%s/include-nvptx", c->simt);
  const char *const with_clang[] = {one.tool, "-x", "cuda", "-std=c++17", "-O2", "--cuda-device-only",
                                    arch, "-nocudainc", "-nocudalib", "--cuda-path=/nonexistent", feature,
                                    "-I", headers, "-S", "-o", object, source};
  const char *const *all = one.nvcc ? with_nvcc : with_clang;
  size_t n = one.nvcc ? sizeof with_nvcc / sizeof *with_nvcc : sizeof with_clang / sizeof *with_clang;
  for (size_t i = 0; i < n; i++) vec_push(c->arena, &a, all[i]);
  vec_push(c->arena, &a, NULL);
  Compile *kept = arena_one(c->arena, Compile);
  *kept = one;
  Job job = {.argv = a.at, .timeout = 600, .done = compiled, .context = kept};
  c->steps++;
  jobs_add(c->jobs, &job, false);
  return true;
}

/* ---- which machines ---- */

/* "sm_60" -> 60; a machine of another name gives 0: every target. */
static int machine_number(const char *name) {
  return strncmp(name, "sm_", 3) == 0 && isdigit((unsigned char)name[3]) ? atoi(name + 3) : 0;
}

typedef struct Listing { Arena *arena; const char *text; } Listing;

static void listed(Job *job) {
  Listing *l = job->context;
  l->text = job->status == 0 && job->output.length ? arena_strdup(l->arena, job->output.text) : "";
}

static const char *nvcc_targets(Check *c, const char *nvcc) {
  const char *const argv[] = {nvcc, "--list-gpu-code", NULL};
  Listing l = {c->arena, ""};
  Jobs *jobs = jobs_new(c->arena, 1);
  Job job = {.argv = argv, .timeout = 60, .done = listed, .context = &l};
  jobs_add(jobs, &job, false);
  jobs_run(jobs, NULL, NULL);
  return l.text;
}

bool check_queue_compile(Check *c) {
  const char *clang = getenv("TGC_CLANG");
  if (!clang) clang = check_in_path("clang++-19") ? "clang++-19" : "clang++";
  const char *nvcc = getenv("TGC_NVCC") ? getenv("TGC_NVCC") : "nvcc";
  bool has_clang = check_in_path(clang), has_nvcc = check_in_path(nvcc);
  int machine = machine_number(c->machine);
  const char *known = has_nvcc ? nvcc_targets(c, nvcc) : "";
  for (int i = 0; i < TARGETS; i++) {
    if (targets[i].number < machine) continue;
    Compile one = {c, clang, false, targets[i], 0, c->nvariants};
    if (has_clang && !queue(c, one)) return false;
    one.tool = nvcc;
    one.nvcc = true;
    if (strstr(known, arena_printf(c->arena, "sm_%d\n", targets[i].number)) && !queue(c, one)) return false;
  }
  if (c->steps) return true;
  diagnostics_add(c->diagnostics, DIAG_ERROR, (SourceRange){0}, "install clang++ 19, or name one in TGC_CLANG",
                  has_clang ? "no compiler here knows `%s' or later"
                            : "found neither clang++ nor nvcc for `%s'", c->machine);
  return false;
}
