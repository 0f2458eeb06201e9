/* order.c: what a plan promises of the order in which elements are combined.
 *
 * Where the operator gives the same bits in any order there is nothing to ask. Else the order is settled, or not, by
 * who arrives first (atomics), by the address (16-byte loads), by widths; and a width is a constant of the variant, a
 * function of n, or it follows from the machine's figures. The first row that fits a plan is its promise. A
 * configuration of the caller's own is another order: promises are those of a variant as it comes. */
#include "compose/search.h"
#include "ir/monoid.h"

typedef enum Order {
  ORDER_FREE, ORDER_KEPT, ORDER_ONE_LANE, ORDER_OF_WHOLE_NUMBERS, ORDER_OF_MAPS_ATOMICS, ORDER_OF_SHARED_ATOMICS,
  ORDER_BY_ADDRESS,
  ORDER_BY_MACHINE, ORDER_OF_LOOK_BACK, ORDER_APART,
  ORDER_OTHERWISE, ORDER_OF_SHARES, ORDER_OF_EQUAL_SHARES, ORDER_OF_PIECES, ORDER_OF_UNITS, ORDER_OF_ARRIVAL,
  ORDER_OF_APPENDS, ORDER_FUSED, ORDER_OF_NATIVES, ORDER_GIVEN
} Order;

typedef struct Promise {
  Determinism label;
  const char *why;
  bool batch_invariant;
  const char *batch_invariant_why;
} Promise;

static const Promise promises[] = {
    [ORDER_FREE] = {DETERMINISM_SEQUENTIAL, "the operator gives the same bits in any order",
                    true, "the operator gives the same bits in any order"},
    [ORDER_KEPT] = {DETERMINISM_SEQUENTIAL, "the elements stay in their order, and the operator gives the same bits "
                    "however they are grouped",
                    true, "the operator gives the same bits however the elements are grouped"},
    [ORDER_OF_WHOLE_NUMBERS] = {DETERMINISM_SEQUENTIAL, "whole numbers, of which nothing is rounded in any order",
                               true, "whole numbers, of which nothing is rounded in any order"},
    [ORDER_ONE_LANE] = {DETERMINISM_SEQUENTIAL, "one lane processes the elements in order",
                        true, "one lane processes the elements in order"},
    [ORDER_OF_MAPS_ATOMICS] = {
        DETERMINISM_NOT_GUARANTEED,
        "atomics accumulate in the order of arrival: floating-point results differ from run to run (integers do not)",
        false, "the result depends on the order of arrival"},
    [ORDER_OF_SHARED_ATOMICS] = {
        DETERMINISM_NOT_GUARANTEED,
        "shared-memory atomics accumulate in the order of arrival: "
        "floating-point results differ from run to run (integers do not)",
        false, "the result depends on the order of arrival"},
    [ORDER_BY_ADDRESS] = {
        DETERMINISM_RUN_TO_RUN,
        "no atomics, but where 16-byte loads begin depends on the input's alignment: the same address, the same result",
        false, "the result depends on the address: 16-byte loads begin where it is aligned"},
    [ORDER_BY_MACHINE] = {
        DETERMINISM_RUN_TO_RUN,
        "no atomics, but the order depends on widths that follow from the machine's figures",
        false, "the result depends on the machine's figures"},
    [ORDER_OF_LOOK_BACK] = {
        DETERMINISM_NOT_GUARANTEED,
        "how far a block looks back depends on what the others have posted by then: "
        "floating-point results differ from run to run (integers do not)",
        false, "the result depends on what has been posted in time"},
    [ORDER_APART] = {DETERMINISM_SEQUENTIAL, "each element is computed by itself, as the sequential codelet does",
                     true, "each element is computed by itself"},
    [ORDER_OTHERWISE] = {DETERMINISM_GPU_TO_GPU, "a lane runs another codelet than the sequential one, which "
                         "may round differently", true, "results are combined only in the order that a codelet gives"},
    [ORDER_OF_UNITS] = {
        DETERMINISM_RUN_TO_RUN, "the order in which a matrix unit adds products is specific to the machine",
        true, "the order does not depend on what else is computed"},
    [ORDER_OF_ARRIVAL] = {
        DETERMINISM_NOT_GUARANTEED,
        "if several values are written to one place (__accum(Any)), any one of them stays",
        false, "which one stays depends on the order of arrival"},
    [ORDER_OF_APPENDS] = {
        DETERMINISM_NOT_GUARANTEED, "elements are appended to a queue in the order of arrival",
        false, "their order depends on the order of arrival"},
    [ORDER_FUSED] = {
        DETERMINISM_RUN_TO_RUN,
        "each element is computed by itself, in order; products and sums are one operation where the CPU has it",
        true, "each element is computed by itself"},
    [ORDER_OF_NATIVES] = {
        DETERMINISM_RUN_TO_RUN, "functions of the codelet file's own, for this machine, combine in an order of theirs",
        true, "the order does not depend on what else is computed"},
    [ORDER_OF_SHARES] = {
        DETERMINISM_GPU_TO_GPU,
        "no atomics; the order depends only on constants of the variant and on the sizes",
        false, "how many blocks share the contributions to an element depends on how many elements there are"},
    [ORDER_OF_EQUAL_SHARES] = {
        DETERMINISM_GPU_TO_GPU,
        "no atomics; the order depends only on constants of the variant and on the sizes",
        false, "where a part is cut depends on how many elements and parts stand before it"},
    [ORDER_OF_PIECES] = {
        DETERMINISM_GPU_TO_GPU,
        "atomics only count pieces of long parts, which are combined in their order; "
        "that depends only on constants of the variant and on a part's length",
        true, "the order depends on a part's length alone: not on the address, the order of arrival or the device"},
    [ORDER_GIVEN] = {
        DETERMINISM_GPU_TO_GPU,
        "no atomics; the order depends only on constants of the variant and on n",
        true, "the order depends on n alone: not on the address, the order of arrival or the device"},
};

/* Does a width that the order depends on follow from the machine's figures? So many blocks as n asks for, where each
 * serves a certain number of elements, are a function of n. */
static bool follows_from_machine(const Plan *p, const PlanNode *n) {
  bool function_of_n = n->axis.level && n->rule->level->can.launched && !plan_serves_any(n->kid[0]);
  if (n->axis.level && !function_of_n && p->sizes.at[n->axis.size].source == SOURCE_MACHINE) return true;
  for (int i = 0; i < n->nkids; i++)
    if (follows_from_machine(p, n->kid[i])) return true;
  return false;
}

/* Does the spectrum's operator give the same bits in any order there? The lesser of -0 and 0 may be the first of them
 * (on a CPU: runtime/cpu/select.h). */
static bool operator_exact(const Plan *p, const Spectrum *s) {
  const bool selects = s->real && (s->op == OPERATOR_MIN || s->op == OPERATOR_MAX);
  return s->exact && (p->machine->orders_zeros || !selects);
}

/* .. and that of all that is combined? */
static bool is_exact(const Plan *p, const PlanNode *n) {
  const Codelet *c = n->rule->codelet;
  bool combines = n->combine != COMBINE_NONE || n->rule->slides || (c && c->kind == CLASS_COOPERATIVE);
  /* parts' results are stored; their pieces are combined */
  const bool equal = n->rule->map == STEP_EQUAL || n->rule->map == STEP_BOUNDED;
  const Spectrum *s = equal ? rule_composed(n->rule, 1) : n->rule->spectrum;
  if (combines && !operator_exact(p, s) && !n->rule->privatises) return false;
  for (int i = 0; i < n->nkids; i++)
    if (!is_exact(p, n->kid[i])) return false;
  return true;
}

static Order order_of(const Plan *p, const Constructs *c) {
  const SizeVar *threads = &p->sizes.at[0];
  const bool in_order = p->machine->lanes_in_order;
  if (c->appends && (c->maps || c->combines)) return ORDER_OF_APPENDS;
  if (c->any && (c->maps || c->combines)) return ORDER_OF_ARRIVAL;
  if (!c->combines && !c->slides) return ORDER_APART;
  if (operator_exact(p, p->spectrum) || (!c->contributes && is_exact(p, p->root)))
    return spectrum_commutes(p->spectrum) ? ORDER_FREE : ORDER_KEPT;
  const bool alone = c->maps == 0 && c->computes == 1 && !c->together;
  if (alone && !c->shared_atomics && !c->map_atomics) return ORDER_ONE_LANE;
  if (!c->rounds && p->spectrum->op == OPERATOR_NONE) return ORDER_OF_WHOLE_NUMBERS;
  if (in_order ? c->grid_atomics : c->map_atomics) return ORDER_OF_MAPS_ATOMICS;
  if (c->rounding_atomics && !in_order) return ORDER_OF_SHARED_ATOMICS;
  if (c->looks_back) return ORDER_OF_LOOK_BACK;
  if ((c->vectorised || c->slides) && p->machine->loads_align) return ORDER_BY_ADDRESS;
  return threads->source == SOURCE_MACHINE || follows_from_machine(p, p->root) ? ORDER_BY_MACHINE
         : c->partial                                                                    ? ORDER_OF_SHARES
         : c->equal                                                                      ? ORDER_OF_EQUAL_SHARES
         : c->bounded                                                                    ? ORDER_OF_PIECES
                                                                                         : ORDER_GIVEN;
}

void order_judge(Plan *p, const Constructs *made_of) {
  const Promise *promise = &promises[order_of(p, made_of)];
  const bool otherwise = made_of->otherwise && made_of->rounds && !operator_exact(p, p->spectrum);
  if (otherwise && promise->label == DETERMINISM_SEQUENTIAL)
    promise = &promises[ORDER_OTHERWISE];
  const bool shares = promise == &promises[ORDER_OF_SHARES];
  const PlanNode *work = plan_tiled(p->root);
  const bool packed = work && work->kid[0]->traversal >= TRAVERSE_PACKED && p->machine->levels[0].can.few;
  if (packed && promise->label > DETERMINISM_RUN_TO_RUN && p->spectrum->real) promise = &promises[ORDER_FUSED];
  if (made_of->native && promise->label > DETERMINISM_RUN_TO_RUN && p->spectrum->real)
    promise = &promises[ORDER_OF_NATIVES];
  if (made_of->multiplies && promise->label > DETERMINISM_RUN_TO_RUN) promise = &promises[ORDER_OF_UNITS];
  p->determinism = promise->label;
  p->determinism_why = promise->why;
  if (shares) promise = &promises[ORDER_OF_SHARES];
  p->batch_invariant = promise->batch_invariant;
  p->batch_invariant_why = promise->batch_invariant_why;
}
