/* labels.c: how plans are told: in their texts, which ids are made from, in the notation of rules, as trees, in the
 * manifest. A row for each way to map, to synchronise, and to go through a part.
 *
 *   node  = level "." codelet ["+shuffle"]                          compute
 *         | level ">" node                                          devolve: one worker of the next level acts
 *         | level "." codelet "=" node                              what the codelet applies as it is
 *         | level "." codelet ["*" copies] [map] [how] "(" node {"; " node} ")"
 *
 * The nodes of a map are its parts, what combines its results, if anything, and a map of each part from there; of a
 * slide a part's scan and its total; of a codelet with containers of its own what merges each. copies: of these, or
 * "warps". map: "/all", "/equal" and "/bounded" of a grid say whose lanes, "/all-warps"; the last node of the third is
 * what is done with a piece of a long part, with "!in_block" with all of it. how: "!atomic", where results are
 * accumulated, or as below. */
#include "compose/plan.h"

const StepLabels step_labels[] = {
    [STEP_SYNC] = {"S_", NULL, NULL, NULL},
    [STEP_DEVOLVE] = {"devolve(", "", NULL, NULL},
    [STEP_REGROUP] = {"regroup(", NULL, NULL, NULL},
    [STEP_DISTRIBUTE] = {"distribute(", "", "", NULL},
    [STEP_SERIALIZE] = {"serialize(", "s", "/loop", "iterations of a loop"},
    [STEP_SPLIT] = {"split(", "x", "/all", NULL},
    [STEP_SPREAD] = {"spread(", "g", "/spread", "share of the grid"},
    [STEP_SLICE] = {"slice(", "w", "/slices", "block's warps"},
    [STEP_EQUAL] = {"equal(", "e", "/equal", "equal shares of the elements"},
    [STEP_BOUNDED] = {"bounded(", "b", "/bounded", NULL},
    [STEP_COMPOSE] = {"compose(", NULL, NULL, NULL},
    [STEP_COMPUTE] = {"compute(", "", NULL, NULL}};

const SyncLabels sync_labels[] = {[SYNC_PLAIN] = {"", NULL, "results", NULL},
                                [SYNC_TICKET] = {"!ticket", "!look_back", "results, by the last to arrive",
                                                 "blocks look back at those before them"},
                                [SYNC_POST] = {"!post", "!scanner", "results, posted to the last to begin",
                                               "one block gives the others their prefixes"},
                                [SYNC_CHAIN] = {NULL, "!chained", NULL, "each thread waits for the one before it"},
                                [SYNC_TOGETHER] = {"!persistent", NULL, NULL, NULL},
                                [SYNC_ONE_BLOCK] = {"!one_block", NULL, NULL, NULL}};

/* Vectors are read where lanes would read far apart; what parts have in common is read once for several of them; half
 * vectors are twice as many loads: what caches near the core hold comes slower; a copied part's elements are stored
 * first. Tiles are read from memory once, and a loop over panels is what that takes. */
const TraversalLabels traversal_labels[] = {
    [TRAVERSE_PLAIN] = {"", "each part", "", "caching", 0, true},
    [TRAVERSE_COPYING] = {"!copy", "each part, from a copy", "", "copying", 2, false},
    [TRAVERSE_TRANSPOSED] = {"!transposed", "each part, from a copy", "", "copying, transposed", -1, false},
    [TRAVERSE_JAMMED] = {"!jammed", "each part, beside others", ", several at once", "caching", -1, false},
    [TRAVERSE_HALVES] = {"!halves", "each part, by half vectors", ", by half vectors", "caching", 1, true},
    [TRAVERSE_PACKED] = {"!packed", "each part, its panels packed", ", panels packed", "copying, packed", -24, true},
    [TRAVERSE_FLAT] = {"!flat", "each part, its elements shared by a warp", ", elements shared by a warp", "caching",
                       -1, true},
    [TRAVERSE_ROWS] = {"!rows", "each part, from shared memory", ", rows copied to shared memory together",
                       "shared memory, row by row", -1, true},
    [TRAVERSE_RUN] = {"!run", "each part, from shared memory, rows as one run of it",
                      ", rows copied to shared memory as one run where they lie so", "shared memory, as one run", -2,
                      true},
    [TRAVERSE_IN_BLOCK] = {"!in_block", "each part", ", long ones by all of their block", "caching", 0, true},
    [TRAVERSE_COMPACTED] = {"!compacted", "each part, its stores side by side in shared memory first",
                            ", stores side by side in shared memory first", "registers", -4, true},
    [TRAVERSE_HELD] = {"!held", "each part, held in registers", ", results held in registers", "registers", -2, true},
    [TRAVERSE_WINDOWED] = {"!windowed", "each part, windows in registers", ", windows held in registers",
                           "registers, windows", -14, true},
    [TRAVERSE_STREAMED] = {"!streamed", "each part, windows in registers, row by row",
                           ", windows held in registers, row by row", "registers, windows row by row", -14, true},
    [TRAVERSE_STAGED] = {"!staged", "each part, staged in shared memory", ", operands staged in shared memory",
                         "shared memory", -11, true},
    [TRAVERSE_PREFETCHED] = {"!prefetched", "each part, prefetched and staged in shared memory",
                             ", operands prefetched and staged", "shared memory, prefetched", -20, true},
    [TRAVERSE_PIPED] = {"!piped", "each part, copied ahead to shared memory", ", operands copied ahead",
                        "shared memory, copied ahead", -20, true},
    [TRAVERSE_BULK] = {"!bulk", "each part, copied ahead to shared memory by rectangles",
                       ", operands copied ahead by rectangles", "shared memory, copied ahead by rectangles", -24,
                       true},
    [TRAVERSE_PRODUCED] = {"!producer", "each part, copied ahead to shared memory by rectangles, by a warp beside them",
                           ", operands copied ahead by rectangles, by a warp beside",
                           "shared memory, copied ahead by rectangles, by a warp beside", -23, true}};
