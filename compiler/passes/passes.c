/* passes.c: the passes over kernel form, their order, and why it is so. */
#include "passes/passes.h"

#include <string.h>
#include <time.h>

#include "ir/nest.h"
#include "passes/add_up.h"
#include "passes/atomics.h"
#include "passes/collect.h"
#include "passes/defer.h"
#include "passes/dependent_launch.h"
#include "passes/fuse.h"
#include "passes/graph_node.h"
#include "passes/hoist.h"
#include "passes/if_convert.h"
#include "passes/kernel_passes.h"
#include "passes/lane_sums.h"
#include "passes/last_block.h"
#include "passes/leave.h"
#include "passes/legalise_shuffles.h"
#include "passes/loads_first.h"
#include "passes/look_ahead.h"
#include "passes/persist.h"
#include "passes/reduce.h"
#include "passes/reserve.h"
#include "passes/search.h"
#include "passes/simd.h"
#include "passes/squares.h"
#include "passes/strips.h"
#include "passes/trim_exchange.h"

typedef struct Run {
  Arena *a, *keep; /* for what the passes think by; for what they make of the host's part */
  Program *program;
  const Arch *machine;
  const ElementType **types;
  int ntypes;
  bool fuses;
  const Tree **checked; /* the kernels' bodies that are known to be in order, .. */
  const Tree **folded;  /* .. and that folding would leave as they are */
  Diagnostics *d;
} Run;

static bool each_kernel_folded(Run *r) {
  for (int i = 0; i < r->program->nkernels; i++) {
    Kernel *k = r->program->kernels[i];
    if (k->body != r->folded[i]) r->folded[i] = k->body = pass_fold(r->a, k, k->body);
  }
  return true;
}

static bool each_kernel_ordered(Run *r) {
  for (int i = 0; i < r->program->nkernels; i++) {
    Kernel *k = r->program->kernels[i];
    const bool folded = k->body == r->folded[i];
    bool apart;
    k->body = pass_barriers(r->a, k, k->body, &apart, r->d);
    if (!k->body) return false;
    if (folded && !apart) r->folded[i] = k->body; /* nothing comes of barriers alone */
  }
  return true;
}

static bool each_kernel_reduced(Run *r) {
  const ReduceTarget target = {r->machine, r->types, r->ntypes};
  for (int i = 0; i < r->program->nkernels; i++) {
    Kernel *k = r->program->kernels[i];
    k->body = pass_reduce(r->a, &target, k->body, r->d);
  }
  return true;
}

static bool each_kernel_summing_lanes(Run *r) {
  for (int i = 0; !r->program->monoid && i < r->program->nkernels; i++) {
    Kernel *k = r->program->kernels[i];
    k->body = pass_lane_sums(r->a, k, k->body);
  }
  return true;
}

static bool each_kernel_in_lanes(Run *r) {
  const ProgramConstant *loads = program_constant(r->program, "loads");
  for (int i = 0; i < r->program->nkernels; i++) {
    Kernel *k = r->program->kernels[i];
    if (!k->threads) continue;
    k->body = pass_simd(r->a, k, loads ? loads->symbol : NULL, k->body, r->d);
    if (!k->body) return false;
  }
  return true;
}

static bool each_kernel_if_converted(Run *r) {
  for (int i = 0; i < r->program->nkernels; i++) {
    Kernel *k = r->program->kernels[i];
    if (k->threads) k->body = pass_if_convert(r->a, k, k->body);
  }
  return true;
}

static bool each_kernel_by_strips(Run *r) {
  for (int i = 0; !r->program->monoid && i < r->program->nkernels; i++) {
    Kernel *k = r->program->kernels[i];
    if (k->threads) k->body = pass_strips(r->a, k, k->body);
  }
  return true;
}

static bool each_kernel_by_squares(Run *r) {
  for (int i = 0; !r->program->monoid && i < r->program->nkernels; i++) {
    Kernel *k = r->program->kernels[i];
    if (k->threads) k->body = pass_squares(r->a, k, k->body);
  }
  return true;
}

static bool each_kernel_trimmed(Run *r) {
  for (int i = 0; i < r->program->nkernels; i++) {
    Kernel *k = r->program->kernels[i];
    k->body = pass_trim_exchange(r->a, k, k->body, r->d);
  }
  return true;
}

static bool each_kernel_halved(Run *r) {
  for (int i = 0; i < r->program->nkernels; i++) {
    Kernel *k = r->program->kernels[i];
    if (k->cluster) k->body = pass_cluster(r->a, k->body);
  }
  return true;
}

static bool hoisted(Run *r) {
  pass_hoist(r->a, r->keep, r->program);
  return true;
}

static bool each_kernel_fused(Run *r) {
  for (int i = 0; r->fuses && !r->program->monoid && i < r->program->nkernels; i++) {
    Kernel *k = r->program->kernels[i];
    k->body = pass_fuse(r->a, k->body);
  }
  return true;
}

static bool each_kernel_adding_up(Run *r) {
  for (int i = 0; i < r->program->nkernels; i++) {
    Kernel *k = r->program->kernels[i];
    k->body = pass_add_up(r->a, k, k->body);
  }
  return true;
}

static bool each_kernel_looking_ahead(Run *r) {
  for (int i = 0; i < r->program->nkernels; i++) {
    Kernel *k = r->program->kernels[i];
    k->body = pass_look_ahead(r->a, k, k->body);
  }
  return true;
}

static bool each_kernel_searching(Run *r) {
  for (int i = 0; i < r->program->nkernels; i++) {
    Kernel *k = r->program->kernels[i];
    k->body = pass_search(r->a, k, k->body);
  }
  return true;
}

static bool each_kernel_deferred(Run *r) {
  for (int i = 0; i < r->program->nkernels; i++) {
    Kernel *k = r->program->kernels[i];
    k->body = pass_defer(r->a, k, k->body);
  }
  return true;
}

static bool each_kernel_collecting(Run *r) {
  for (int i = 0; i < r->program->nkernels; i++) {
    Kernel *k = r->program->kernels[i];
    k->body = pass_collect(r->a, k, k->body);
  }
  return true;
}

static bool each_kernel_reserving(Run *r) {
  for (int i = 0; i < r->program->nkernels; i++) {
    Kernel *k = r->program->kernels[i];
    k->body = pass_reserve(r->a, k, k->body);
  }
  return true;
}

static bool each_kernel_loading_first(Run *r) {
  for (int i = 0; i < r->program->nkernels; i++) {
    Kernel *k = r->program->kernels[i];
    k->body = pass_loads_first(r->a, k, k->body);
  }
  return true;
}

static bool made_one(Run *r) { return pass_persist(r->keep, r->program, r->d); }

static bool repeated_by_graphs(Run *r) {
  pass_graph_node(r->keep, r->program);
  return true;
}

static bool followed_by_the_last(Run *r) {
  pass_last_block(r->keep, r->program, r->machine);
  return true;
}

static bool left_early(Run *r) {
  pass_leave(r->a, r->program);
  return true;
}

static bool launched_early(Run *r) {
  pass_dependent_launch(r->a, r->program, r->machine);
  return true;
}

static bool atomics_selected(Run *r) {
  pass_atomics(r->a, r->program, r->machine, r->types, r->ntypes);
  return true;
}

static bool shuffles_legalised(Run *r) {
  pass_legalise_shuffles(r->a, r->program, r->types, r->ntypes);
  return true;
}

typedef enum Where { ANYWHERE, ON_GPUS, ON_CPUS } Where;

typedef struct Pass {
  const char *name;
  bool (*run)(Run *r);
  bool optional;
  Where where;
  const char *why_here;
} Pass;

static const Pass order[] = {
    {"simplify", each_kernel_folded, true, ANYWHERE, "first, so that conditions that are always true divide no lanes"},
    {"barriers", each_kernel_ordered, false, ANYWHERE, "on the simplest text, so that the fewest are needed"},
    {"cluster", each_kernel_halved, false, ON_GPUS, "when it is known which barriers there are"},
    {"fold", each_kernel_folded, true, ANYWHERE, "again: a split statement may leave copies behind"},
    {"reduce", each_kernel_reduced, true, ON_GPUS, "when the exchanges stand as they will be, over all lanes"},
    {"trim-exchange", each_kernel_trimmed, true, ANYWHERE, "behind reduce, which wants all lanes"},
    {"hoist", hoisted, true, ANYWHERE, "when all that stays is known"},
    {"lane-sums", each_kernel_summing_lanes, true, ON_CPUS, "while lanes may still exchange what each has summed up"},
    {"simd", each_kernel_in_lanes, false, ON_CPUS, "when all that is done once stands before the loops"},
    {"strips", each_kernel_by_strips, true, ON_CPUS, "when it is known what lanes go through, and what one does alone"},
    {"if-convert", each_kernel_if_converted, true, ON_CPUS, "when lanes are loops"},
    {"fuse", each_kernel_fused, true, ON_CPUS, "when all sums stand as they will be"},
    {"squares", each_kernel_by_squares, true, ON_CPUS, "when it is known what one thread does"},
    {"add-up", each_kernel_adding_up, true, ON_GPUS, "when it is known what a loop does not change"},
    {"look-ahead", each_kernel_looking_ahead, true, ON_GPUS, "when loops stand as they will be"},
    {"search", each_kernel_searching, true, ON_GPUS, "when loops stand as they will be"},
    {"defer", each_kernel_deferred, true, ON_GPUS, "when all stores stand as they will be"},
    {"collect", each_kernel_collecting, true, ON_GPUS, "when all appends stand as they will be"},
    {"reserve", each_kernel_reserving, true, ON_GPUS, "when it is known where a warp collects them"},
    {"loads-first", each_kernel_loading_first, true, ON_GPUS, "when it is known what loops store, and append"},
    {"persist", made_one, false, ON_GPUS, "when each step's kernel stands as it will be"},
    {"graph-node", repeated_by_graphs, true, ON_GPUS, "on the loops that are still the host's"},
    {"last-block", followed_by_the_last, true, ON_GPUS, "behind graph-node, which wants what enters a loop by itself"},
    {"leave", left_early, false, ON_GPUS, "behind all that looks at which lanes run"},
    {"dependent-launch", launched_early, true, ON_GPUS, "when no access to global memory moves any more"},
    {"legalise-shuffles", shuffles_legalised, false, ON_GPUS, "when nothing looks at what a shuffle does any more"},
    {"atomics", atomics_selected, false, ANYWHERE, "last: nothing after it looks at what an atomic means"},
};
_Static_assert(sizeof order / sizeof *order == PASS_COUNT, "PASS_COUNT is how many passes there are");

const char *passes_name(int i) { return i < PASS_COUNT ? order[i].name : NULL; }
bool passes_optional(int i) { return i < PASS_COUNT && order[i].optional; }

static bool in_list(const char *list, const char *name) {
  size_t n = strlen(name);
  while (list && *list) {
    size_t m = strcspn(list, ",");
    if (m == n && strncmp(list, name, n) == 0) return true;
    list += m + (list[m] == ',');
  }
  return false;
}

static bool verified(const Run *r, const char *after) {
  for (int i = 0; i < r->program->nkernels; i++) {
    const Kernel *k = r->program->kernels[i];
    if (k->body == r->checked[i]) continue; /* a pass makes another tree of what it changes */
    if (!tree_verify(k->body, FORM_KERNEL, k->params, k->nparams, after, r->d)) return false;
    r->checked[i] = k->body;
  }
  return true;
}

static void dump_after(Buffer *to, const Run *r, const char *after, Tree *const *before) {
  for (int i = 0; i < r->program->nkernels; i++) {
    const Kernel *k = r->program->kernels[i];
    bool same = before && tree_equal(before[i], k->body);
    buffer_printf(to, "// after %s: %s of variant %s%s\n", after, k->name, r->program->id, same ? " (unchanged)" : "");
    if (!same) tree_print(to, k->body, 0);
  }
}

static void dump_nest(Buffer *to, const Run *r) {
  buffer_printf(to, "// after nest: variant %s\n", r->program->id);
  nest_print(to, r->program->nest);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool run_all(Run *r, const PassOptions *o, PassTimes *times, Buffer *dump) {
  bool all = o->print_after && strcmp(o->print_after, "all") == 0;
  if (r->program->nest && (all || in_list(o->print_after, "nest"))) dump_nest(dump, r);
  if (!verified(r, "lower")) return false;
  if (!r->machine->is_cpu && !tree_verify_host(r->program->sizes, "lower", r->d)) return false;
  if (!r->machine->is_cpu && !tree_verify_host(r->program->launches, "lower", r->d)) return false;
  if (all || in_list(o->print_after, "lower")) dump_after(dump, r, "lower", NULL);
  for (int i = 0; i < PASS_COUNT; i++) {
    if (order[i].optional && in_list(o->without, order[i].name)) continue;
    if (order[i].where == (r->machine->is_cpu ? ON_GPUS : ON_CPUS)) continue;
    bool dumps = all || in_list(o->print_after, order[i].name);
    Tree **before = arena_many(r->a, Tree *, r->program->nkernels);
    for (int k = 0; dumps && k < r->program->nkernels; k++) before[k] = r->program->kernels[k]->body;
    double start = now();
    if (!order[i].run(r)) return false;
    times->seconds[i] += now() - start;
    if (!verified(r, order[i].name)) return false;
    if (dumps) dump_after(dump, r, order[i].name, before);
  }
  return true;
}

bool passes_run(Arena *a, Arena *scratch, Program *p, const Arch *m, const ElementType **types, int ntypes,
                const PassOptions *o, PassTimes *times, Buffer *dump, Diagnostics *d) {
  Run r = {scratch, a, p, m, types, ntypes, o->fuses, arena_many(scratch, const Tree *, p->nkernels),
           arena_many(scratch, const Tree *, p->nkernels), d};
  bool ok = run_all(&r, o, times, dump);
  for (int i = 0; i < p->nkernels; i++) p->kernels[i]->body = ok ? tree_clone(a, p->kernels[i]->body) : NULL;
  arena_reset(scratch); /* what passes think by outweighs what they make */
  return ok;
}
