/* order.c: does an atomic codelet combine the elements of its container in their order?
 *
 *   requires  a body in codelet form, shared atomics explicit; what it accumulates by is a user's operator
 *   keeps     all of it: this pass only looks
 *
 * The codelet is run, lane by lane, in lockstep, on elements of which nothing is known but where they stand: a value
 * is the run of neighbouring elements that were combined to it. The operator joins two runs that meet; anything else
 * is out of order. In order is a codelet whose result is all elements from the first to the last, for every number of
 * them and of lanes that is tried. What is refused so: CGO 1(c)'s tree, which pairs lane 0 with lane 16; MICRO 2(b),
 * which has left and right the other way round; atomics. */
#include "passes/codelet_passes.h"
#include "passes/trial.h"

enum { FEW_ELEMENTS = 70, MANY_LANES = 1024 };

/* NULL when all elements were combined in their order; else why not. */
static const char *try(Arena *scratch, const Codelet *c, int64_t lanes, int64_t width, int64_t elements) {
  arena_reset(scratch);
  Trial t = {.codelet = c, .body = c->plain.body, .lanes = lanes, .width = width, .elements = elements,
             .what = TRIAL_OF_PLACES};
  trial_run(scratch, &t);
  if (t.why) return t.why;
  const TrialValue *all = &t.result;
  bool in_order = all->kind == TRIAL_RUN && all->end - all->begin == elements && (!elements || all->begin == 0);
  return in_order ? NULL : "it combines them in another order";
}

typedef struct Failure { const char *why; int64_t elements, lanes; } Failure;

static bool fails(Arena *scratch, const Codelet *c, int64_t lanes, int64_t width, int64_t elements, Failure *f) {
  *f = (Failure){try(scratch, c, lanes, width, elements), elements, lanes};
  return f->why != NULL;
}

/* Every number of elements for a few lanes; some for many. */
static bool lanes_fail(Arena *scratch, const Codelet *c, int64_t lanes, int64_t width, Failure *f) {
  static const int64_t some[] = {1, 31, 32, 33, 63, 65, 95, 96, 500, 993, 1023, 1024};
  if ((c->lanes_max && lanes > c->lanes_max) || !number_list_has(c->lanes, lanes)) return false;
  if (lanes <= FEW_ELEMENTS) {
    for (int64_t n = 0; n <= lanes; n++)
      if (fails(scratch, c, lanes, width, n, f)) return true;
    return false;
  }
  for (size_t i = 0; i < sizeof some / sizeof *some; i++)
    if (some[i] <= lanes && fails(scratch, c, lanes, width, some[i], f)) return true;
  return false;
}

bool pass_order(const Codelet *c, int vector_width, Diagnostics *d) {
  Arena *scratch = arena_new();
  Failure f = {0};
  bool failed = false;
  if (c->kind == CLASS_AUTONOMOUS)
    for (int64_t n = 0; n <= FEW_ELEMENTS && !failed; n++) failed = fails(scratch, c, 1, 1, n, &f);
  else {
    const int64_t many[] = {vector_width, 2 * vector_width, 3 * vector_width, MANY_LANES};
    for (int64_t width = 2; width < vector_width && !failed; width *= 2)
      failed = lanes_fail(scratch, c, width, width, &f);
    for (size_t i = 0; i < sizeof many / sizeof *many && !failed; i++)
      failed = lanes_fail(scratch, c, many[i], vector_width, &f);
  }
  if (failed)
    diagnostics_remark(d, REMARK_MISSED, "order", c->where,
                       "`%s' does not keep the order of the elements: with %lld of "
                       "them in %lld lane%s, %s", c->tag, (long long)f.elements, (long long)f.lanes,
                       f.lanes == 1 ? "" : "s", f.why);
  else diagnostics_remark(d, REMARK_PASSED, "order", c->where, "`%s' keeps the order of the elements", c->tag);
  arena_free(scratch);
  return !failed;
}
