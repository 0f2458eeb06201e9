/* refuse.c: why a rule that a level could carry out does not apply where compose(s, L) stands. Every reason is
 * counted, and printed by `--pruned'. */
#include "compose/search.h"
#include "ir/monoid.h"
#include "ir/operator.h"
#include "ir/signature.h"
#include "ir/steps.h"

/* Are 16 bytes a whole number of elements, and of results, whatever their types? */
static bool in_16_bytes(const Spectrum *s) {
  for (int i = 0; s->monoid && i < s->monoid->ntypes; i++)
    if (16 % s->monoid->types[i].state.bytes) return false;
  return !s->unaligned;
}

typedef struct Widths { int64_t lanes; bool found; } Widths;

/* A number that may be a vector's width, or a distance between lanes. Halves and doubles are neither. */
static bool find_width(void *context, const Tree *t) {
  Widths *w = context;
  bool by_two = t->op == OP_DIV || t->op == OP_MUL ||
                (t->op == OP_ASSIGN && (t->compound == OP_DIV || t->compound == OP_MUL));
  if (t->op == OP_INT && t->number >= w->lanes) w->found = true;
  for (int i = 0; i < t->nkids; i++) {
    const Tree *k = t->kid[i];
    bool two = k && by_two && k->op == OP_INT && k->number == 2;
    if (k && !two) tree_visit(k, find_width, w);
  }
  return false;
}

/* Of a codelet that serves an element a lane. */
static const char *factor_refused(const Codelet *codelet, const Level *l) {
  if (!codelet->shuffled.body) return "the lanes of a sub-warp exchange registers, and the codelet does not";
  Widths w = {l->width_max, codelet->nenv > 0};
  if (!codelet->together) tree_visit(codelet->shuffled.body, find_width, &w);
  return w.found ? "a codelet that may depend on the width of a vector, on a sub-warp" : NULL;
}

const char refuse_too_wide[] = "no atomic is as wide as the results of these element types";
static const char disorderly[] = "the operator does not commute, and the codelet does not keep the elements' order";

static bool disorders(const Rule *r) { return !spectrum_commutes(r->spectrum) && !r->codelet->keeps_order; }

const char *refuse_atomics(const Spectrum *s, const Level *l) {
  if (!spectrum_commutes(s)) return "the operator does not commute, and atomics accumulate in any order";
  if (l->can.launched && s->monoid && s->monoid->finishes)
    return "blocks accumulate in what is returned, and the operator finishes its result";
  return s->atom > REFUSE_WIDEST_ATOMIC ? refuse_too_wide : NULL;
}

static const char *compute_refused(const Rule *r, const Level *l, Context c) {
  const char *native = natives_refused(
      r->codelet, !c.apart && !c.tile && !c.private && !l->can.holds);
  if (native) return native;
  if (r->codelet->plain.shared_atomics && r->spectrum->atom > REFUSE_WIDEST_ATOMIC) return refuse_too_wide;
  if (disorders(r)) return disorderly;
  if (r->unfit) return r->unfit;
  if (r->codelet->matrix && !r->codelet->rows) {
    const bool part = c.tile_part && c.serialized;
    return part ? NULL : "a matrix unit multiplies panels of what a warp has of a block's tile";
  }
  if (r->codelet->rows && c.combination) return "a matrix unit multiplies elements, and results are wider";
  if (l->can.lanes == LANES_SEPARATE) return "a cluster computes by its blocks: a codelet's lanes are one block's";
  if (r->codelet->kind == CLASS_AUTONOMOUS) return NULL;
  if (r->codelet->rounds) return l->can.factor ? factor_refused(r->codelet, l) : NULL;
  if (l->can.factor && (c.bound != BOUND_VECTOR || c.vector > l->width_max))
    return "a sub-warp processes at most as many elements as it has lanes";
  if (l->can.factor) return factor_refused(r->codelet, l);
  bool fits = c.adaptive || c.bound == BOUND_VECTOR || (c.bound == BOUND_LANES && l->can.lanes == LANES_TUNED);
  return fits ? NULL : "a cooperative codelet processes one element per lane, and the container may have more";
}

static const char *devolve_refused(const Rule *r, const Level *l, Context c) {
  if (r->below->can.holds) return "a register slot does not act for its thread";
  if (r->below->can.reaches && c.combination) return "a cluster for the few results of a grid's blocks";
  if (l->can.reaches && !c.combination) return "one block of a cluster does what one block of the grid does";
  if (r->below->can.factor && (c.bound != BOUND_VECTOR || c.vector > r->below->width_max))
    return "a sub-warp processes at most as many elements as it has lanes";
  if (l->can.factor) return "a sub-warp leaves nothing to one lane: it computes";
  return NULL;
}

int rule_steps(const Rule *r, StepKind kind) {
  int n = 0;
  for (int i = 0; i < r->nsteps; i++) n += r->steps[i].kind == kind;
  return n;
}

static const Step *composing(const Rule *r, int which) {
  for (int i = 0; i < r->nsteps; i++)
    if (r->steps[i].kind == STEP_COMPOSE && which-- == 0) return &r->steps[i];
  return NULL;
}

const Spectrum *rule_composed(const Rule *r, int which) {
  const Step *s = composing(r, which);
  return s ? s->spectrum : NULL;
}

const Level *rule_composes_at(const Rule *r, int which) { return composing(r, which)->level; }

bool rule_scans_twice(const Rule *r) {
  enum { SUMS, THEIR_SCAN, PARTS, STEPS };
  const bool users = r->spectrum->monoid && !type_is_state(r->spectrum->result);
  if (r->slides || r->explicit_count || users || rule_steps(r, STEP_COMPOSE) != STEPS) return false;
  const Spectrum *sum = rule_composed(r, SUMS), *scan = rule_composed(r, THEIR_SCAN);
  return !spectrum_is_scan(sum) && spectrum_is_scan(scan) && spectrum_excludes(scan) &&
         rule_composed(r, PARTS) == r->spectrum && r->tiling == TILING_ADJACENT;
}

/* The same for codelets with containers of their own, which are no scans'. */
static const char *private_refused(const Rule *r, const Level *l, Context c) {
  if (!l->can.shares) return "a codelet's temporary container is in a block's shared memory";
  if (c.private) return "a block that has temporary containers already";
  const bool lanes = (r->map == STEP_SPLIT || r->map == STEP_DISTRIBUTE) && r->parts->can.lanes == LANES_ONE;
  const bool vectors = plan_private_by_vector(r); /* whose lanes may cut other dimensions than the parts are cut in */
  return lanes || vectors ? NULL : "a block's temporary containers are shared by its lanes";
}

/* What scans the sums of a grid's parts: as many as its lanes serve, or any number. Of a block of one vector a lane
 * may. */
static const char *scan_of_sums_refused(const Rule *r, const Level *l) {
  static const char why[] = "one block scans the sums of a grid's parts";
  const bool block = l->can.lanes == LANES_TUNED;
  if (!r->codelet) {
    const bool one_block = l->can.launched && r->below->can.lanes == LANES_TUNED;
    const bool one_lane = block && l->sub == r->below && r->below->can.lanes == LANES_ONE;
    return one_block || one_lane ? NULL : why;
  }
  if (r->codelet->kind == CLASS_AUTONOMOUS) return l->can.lanes == LANES_ONE ? NULL : why;
  const bool loop = r->slides && r->map == STEP_SERIALIZE;
  return block && (loop || r->codelet->kind == CLASS_COOPERATIVE) ? NULL : why;
}

/* Lanes scan together what a codelet cuts into tiles, by one that is cooperative. */
static bool scans_tiles(const Spectrum *s) {
  bool together = false, tiles = false;
  for (int i = 0; i < s->ncodelets; i++) {
    together |= s->codelets[i]->kind == CLASS_COOPERATIVE;
    tiles |= s->codelets[i]->kind == CLASS_COMPOUND;
  }
  return together && tiles;
}

/* Without one of them one lane goes through the whole, as it does of a spectrum that is no scan. It may where results
 * are handed on by a CPU. */
static bool scans_alone(const Rule *r, Context c) {
  return (c.handed || !scans_tiles(r->spectrum)) && (!r->codelet || r->codelet->kind == CLASS_AUTONOMOUS);
}

/* .. of the totals of a tile's parts. */
static const char *scan_of_totals_refused(const Rule *r, const Level *l) {
  static const char why[] = "a vector scans the totals of parts";
  if (!r->codelet) return l->can.lanes == LANES_TUNED && r->below->can.lanes == LANES_FIXED ? NULL : why;
  return l->can.lanes == LANES_FIXED && r->codelet->kind == CLASS_COOPERATIVE ? NULL : why;
}

/* .. of a container of any size, or of a segment: a loop over tiles, or the grid's blocks. */
static const char *scan_of_any_refused(const Rule *r, const Level *l, Context c) {
  const Codelet *x = r->codelet;
  const Lanes lanes = l->can.lanes;
  if (x && x->rows && x->rows->carry) return "a matrix unit scans what a warp's lanes hold of a tile";
  if (!c.segment && scans_alone(r, c)) {
    const char *no = x ? lanes == LANES_ONE ? NULL : "a lane scans its own items" : devolve_refused(r, l, c);
    if (!no || !c.handed) return no;
  }
  if (!x) return lanes >= LANES_TUNED && r->below->can.lanes >= LANES_FIXED ? NULL : "one lane for a whole container";
  if (c.segment && lanes == LANES_ONE && x->kind == CLASS_AUTONOMOUS) return NULL; /* there are many more */
  bool loop = r->map == STEP_SERIALIZE && (lanes == LANES_TUNED || lanes == LANES_FIXED);
  bool blocks = r->map == STEP_DISTRIBUTE && l->can.launched && r->below->can.lanes == LANES_TUNED;
  bool scans = r->slides ? loop || blocks : blocks && rule_scans_twice(r);
  return scans ? NULL : "a container of any size is scanned tile by tile";
}

/* .. of a tile, which the lanes hold. */
static const char *scan_of_tile_refused(const Rule *r, const Level *l, Context c) {
  const Codelet *x = r->codelet;
  const Lanes lanes = l->can.lanes;
  if (!x) return "all lanes hold a part of the tile";
  if (x->rows && x->rows->carry && r->unfit) return r->unfit;
  if (x->rows && x->rows->carry) return c.row ? "a matrix unit scans all of a warp's rows of a tile" : NULL;
  if (x->kind == CLASS_AUTONOMOUS) return lanes == LANES_ONE ? NULL : "a lane scans its own items";
  if (x->kind == CLASS_COOPERATIVE)
    return lanes == LANES_TUNED || lanes == LANES_FIXED ? NULL : "lanes exchange their items in a block or a warp";
  bool rows = r->map == STEP_SERIALIZE && lanes == LANES_FIXED && !c.row;
  if (r->slides) return rows ? NULL : "a warp slides over the rows of its tile";
  if (rule_composed(r, 0) != r->spectrum) return "in registers scanning is as cheap as summing: scan, scan, add";
  bool vectors = lanes == LANES_TUNED && r->below->can.lanes == LANES_FIXED;
  bool items = lanes == LANES_FIXED && r->below->can.lanes == LANES_ONE;
  return r->map == STEP_DISTRIBUTE && (vectors || items) ? NULL : "parts of a tile go to warps, and theirs to lanes";
}

/* The same for scans. A container of any size is scanned tile by tile; the lanes hold a tile. */
static const char *scan_refused(const Rule *r, const Level *l, Context c) {
  const Codelet *x = r->codelet;
  if (r->map == STEP_SPREAD)
    return c.spread ? NULL : "the grid's workers only share one of its many parts, all as long";
  if (l->can.reaches || (r->below && r->below->can.reaches)) return "blocks of a cluster do not scan";
  if (r->below && r->below->can.factor) return "sub-warps only scan segments";
  const char *factor = l->can.factor && x && x->kind == CLASS_COOPERATIVE ? factor_refused(x, l) : NULL;
  if (factor) return factor;
  const bool one_vector = l->can.lanes == LANES_FIXED || l->can.lanes == LANES_NONE;
  if (c.combination && c.bound == BOUND_NONE && !one_vector) return scan_of_sums_refused(r, l);
  if (c.combination) return scan_of_totals_refused(r, l);
  return c.tile ? scan_of_tile_refused(r, l, c) : scan_of_any_refused(r, l, c);
}

static const char strided_vectorised[] = "vectors in flight of a strided row";

/* The same for a map over register slots. */
static const char *vectorised_refused(const Rule *r, Context c) {
  if (!r->codelet->strides) return "register slots take adjacent elements without gaps: strided";
  if (c.few) return "many loads in flight for the few results of a grid's blocks";
  if (c.strided) return strided_vectorised;
  if (r->spectrum->unaligned) return "16-byte loads of structs, which may have any alignment";
  return c.serialized ? "register slots inside a serialized map" : NULL;
}

/* The same for a map's parts that several workers of a grid, or of a block, share. */
static const char *shared_part_refused(const Rule *r, Context c) {
  if (r->map == STEP_SLICE && !c.interleaved) return "a block's warps only share adjacent parts of its lanes";
  if (r->map == STEP_SLICE) return in_16_bytes(r->spectrum) ? NULL : "16-byte loads of adjacent parts' structs";
  if (!c.spread) return "the grid's workers only share one of its many parts";
  return r->tiling == TILING_ADJACENT ? NULL : "workers that share a part take adjacent elements";
}

/* The same for a map of a whole grid, by way of blocks that reach each other. */
static const char *clusters_refused(const Rule *r) {
  if (!r->explicit_count) return "a grid of several clusters is not composed yet";
  return rule_composed(r, 0)->result != TYPE_VOID ? NULL : "a cluster for each of parts that return nothing";
}

/* The same for a map over the level below. */
static const char *map_refused(const Rule *r, const Level *l, Context c) {
  const Lanes lanes = l->can.lanes;
  if (r->map == STEP_SPREAD || r->map == STEP_SLICE) return shared_part_refused(r, c);
  if (r->map == STEP_EQUAL || r->map == STEP_BOUNDED) return NULL;
  if (l->can.factor || (r->below && r->below->can.factor)) {
    bool items = l->can.factor && c.segment && r->map == STEP_DISTRIBUTE && r->below->can.lanes == LANES_ONE;
    if (!items || r->tiling != TILING_STRIDED) return "a sub-warp's lanes take every element in turn";
  }
  if (r->explicit_count && r->map == STEP_SPLIT && l->can.launched) return NULL;
  if (r->explicit_count && lanes <= LANES_FIXED) return "many parts for a few lanes";
  if (l->can.launched && r->below->can.reaches) return clusters_refused(r);
  if (l->can.reaches && !rule_composed(r, 1)) return "a cluster whose results are not combined";
  if (c.combination && l->can.launched) return "partial results are not distributed over the grid once more";
  if (c.combination && c.bound != BOUND_NONE) return "the container already has one element per worker";
  if (c.combination && lanes == LANES_ONE) return "the container already has one element per slot";
  if (r->map == STEP_SERIALIZE) {
    if (l->can.multiplies && c.tile_part && !c.serialized) return NULL; /* of what its lanes multiply together */
    if (lanes != LANES_ONE) return "a serialized map is a loop of one lane: it waits for the thread";
    return c.serialized ? "a serialized map inside a serialized map" : NULL;
  }
  if (r->map == STEP_DISTRIBUTE && r->below->can.holds) return vectorised_refused(r, c);
  if (c.strided && r->parts->can.holds) return strided_vectorised;
  if (r->map == STEP_SPLIT && lanes != LANES_TUNED) return "a map is split over a block's warps and threads only";
  return NULL;
}

/* The same for spectra that are applied one after another. */
static const char *steps_refused(const Rule *r, const Level *l, Context c) {
  if (spectrum_is_scan(r->spectrum)) return "a scan in several steps";
  if (!l->can.launched && steps_repeat(r->codelet)) return "steps that are repeated, which are a grid's";
  if (!l->can.launched && steps_own(r->codelet)) return "containers between steps, which are a grid's";
  if (l->can.launched && steps_decide_sizes(r->codelet)) return "a grid's step whose size a step or a loop decides";
  if (c.private && l->can.lanes == LANES_ONE && spectrum_reference(r->spectrum))
    return "a lane that contributes to a block's own containers takes no steps, but the codelet that does all at once";
  if (l->can.lanes == LANES_SEPARATE && !l->can.launched && steps_of(r->codelet).n > 1)
    return "blocks of a cluster do not take steps together";
  return c.combination ? "one spectrum after another does not combine a map's results" : NULL;
}

const char *refuse_rule(const Rule *r, const Level *l, Context c, int left) {
  bool atomic_codelet = r->codelet && r->codelet->kind != CLASS_COMPOUND;
  if (left <= 1 && !atomic_codelet) return "the iteration limit is reached";
  if (c.tile_part && c.serialized && l->can.multiplies && !(atomic_codelet && r->codelet->matrix))
    return "a warp takes panels one after another only to multiply them";
  if (r->in_steps) return steps_refused(r, l, c);
  if (spectrum_is_scan(r->spectrum) && !plan_rule_applies(r)) return scan_refused(r, l, c);
  if (spectrum_is_scan(r->spectrum) && (c.tile || (c.combination && c.bound != BOUND_NONE)))
    return "a scan within a tile, or of its parts' totals, by another spectrum's codelets";
  if (atomic_codelet) return compute_refused(r, l, c);
  if (!r->codelet) return devolve_refused(r, l, c);
  if (r->privatises) return private_refused(r, l, c);
  if (rule_steps(r, STEP_REGROUP) > 1) return "several maps in one codelet are only composed for scans";
  if (plan_rule_applies(r)) return c.devolved ? "what is applied at a lower level can be applied above it" : NULL;
  return disorders(r) ? disorderly : map_refused(r, l, c);
}
