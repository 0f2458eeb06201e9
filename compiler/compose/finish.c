/* finish.c: what follows from a plan's nodes: its text (labels.c) and id, its category, its sizes, what it promises. */
#include <inttypes.h>
#include <string.h>

#include "compose/search.h"
#include "ir/steps.h"
#include "support/hash.h"

/* ---- text ---- */

static void put_list(Buffer *to, const PlanNode *n) {
  for (int i = 0; i < n->nkids; i++) {
    buffer_puts(to, i ? "; " : "(");
    plan_put(to, n->kid[i]);
  }
  buffer_puts(to, ")");
}

void plan_put(Buffer *to, const PlanNode *n) {
  const Rule *r = n->rule;
  buffer_puts(to, r->level->name);
  if (!r->codelet) {
    buffer_puts(to, ">");
    plan_put(to, n->kid[0]);
    return;
  }
  buffer_printf(to, ".%s", r->codelet->tag);
  if (r->codelet->kind != CLASS_COMPOUND) {
    if (n->shuffled) buffer_puts(to, "+shuffle");
    return;
  }
  if (n->copies == COPIES_OF_WARPS) buffer_printf(to, "*%ss", r->parts->name);
  else if (n->copies > 1) buffer_printf(to, "*%d", n->copies);
  if (plan_applies(n)) {
    buffer_puts(to, "=");
    plan_put(to, n->kid[0]);
    return;
  }
  if (plan_in_steps(n)) {
    buffer_printf(to, "%s=", sync_labels[plan_steps_by(n)].text);
    put_list(to, n);
    return;
  }
  buffer_puts(to, step_labels[r->map].text);
  const bool whose = r->map == STEP_SPLIT ? r->level->can.launched : r->map == STEP_EQUAL || r->map == STEP_BOUNDED;
  if (whose) buffer_printf(to, "-%ss", r->parts->name);
  if (plan_slides_over_blocks(n)) buffer_puts(to, sync_labels[plan_slides_by(n)].slide);
  else
    buffer_puts(to, n->combine == COMBINE_ATOMIC    ? "!atomic"
                    : n->combine == COMBINE_PARTIAL ? "!partial"
                    : n->combine == COMBINE_CLUSTER ? "!clustered"
                                                    : sync_labels[plan_sync(n)].text);
  buffer_puts(to, traversal_labels[n->traversal].text);
  put_list(to, n);
}

/* ---- category ---- */

static bool may_round(Type t) { return t == TYPE_ELEM || t == TYPE_FLOAT || t == TYPE_DOUBLE; }

/* Do workers contribute to the same elements of a container (__accum)? `floats': so that the order in which they do is
 * part of it. */
static bool contributes(const Codelet *c, const Sharing *s, bool floats) {
  for (int i = 0; i < c->nparams; i++) {
    const Symbol *p = c->params[i];
    if (p->rank && p->atomic && !atomic_stores(p->atomic) && (!floats || may_round(p->type)) &&
        contributions_meet(c, s, i))
      return true;
  }
  return false;
}

/* Does it write to places of which one of the values stays that come? Does it append? */
static bool leaves(const Codelet *c, AtomicOp by) {
  bool any = false;
  for (int i = 0; i < c->nparams; i++) any |= c->params[i]->atomic == by;
  return any;
}

/* Does it make numbers that round, and by other operations than the codelet that it is compared with, or in another
 * order? */
static bool computes_otherwise(const Spectrum *s, const Codelet *c) {
  const Codelet *reference = spectrum_reference(s);
  bool rounds = s->real || s->result == TYPE_FLOAT || s->result == TYPE_DOUBLE;
  for (int i = 0; i < c->nparams; i++) rounds |= c->params[i]->type == TYPE_FLOAT || c->params[i]->type == TYPE_DOUBLE;
  if (!rounds || !reference || reference == c || c->kind == CLASS_COOPERATIVE) return false;
  if (c->kind == CLASS_AUTONOMOUS) return true;
  const bool whole = s->result != TYPE_ELEM && type_is_whole(s->result); /* it counts, in any order */
  return !whole && !applied_as_reference(c, reference);
}

static bool find_rounding(void *context, const Tree *t) {
  bool *found = context;
  const Type declared = t->op == OP_DECLARE || t->op == OP_REF ? t->symbol->type : TYPE_INT;
  *found |= may_round(t->type) || may_round(declared);
  return !*found;
}

static bool find_rounding_atomic(void *context, const Tree *t) {
  bool *found = context;
  *found |= t->op == OP_ATOMIC && may_round(t->kid[0]->type);
  return !*found;
}

/* Does it have any numbers that are not whole? T may be. */
static bool has_rounding(const Codelet *c) {
  bool found = may_round(c->spectrum->result);
  for (int i = 0; i < c->nparams; i++) found |= may_round(c->params[i]->type);
  if (!found) tree_visit(c->body, find_rounding, &found);
  return found;
}

/* Are workers' own containers added to one another in the order in which they come, of numbers that round? */
static bool owns_rounding(const Codelet *c) {
  for (int i = 0; i < c->body->nkids; i++) {
    const Tree *t = c->body->kid[i];
    const bool own = t->op == OP_DECLARE && t->symbol->kind == SYMBOL_LOCAL && t->symbol->rank;
    if (own && may_round(t->symbol->type)) return true;
  }
  return false;
}

static void gather(Constructs *f, const PlanNode *n, const Sharing *sharing) {
  const Rule *r = n->rule;
  const Codelet *c = r->codelet;
  const Sharing below = contributions_below(n, sharing);
  if (c) f->rounds |= has_rounding(c);
  if (plan_applies(n)) {
    f->otherwise |= computes_otherwise(r->spectrum, c);
    gather(f, n->kid[0], &below);
    return;
  }
  if (plan_in_steps(n)) {
    f->steps = true;
    f->otherwise |= computes_otherwise(r->spectrum, c);
  } else if (c && c->kind == CLASS_COMPOUND) {
    f->maps++;
    if (r->privatises) f->shared_atomics = true, f->rounding_atomics |= owns_rounding(c);
    if (n->axis.level->can.holds) f->vectorised = true;
    if (n->combine == COMBINE_ATOMIC) f->map_atomics = true;
    const bool of_grid = r->level->can.launched || r->map == STEP_SPREAD;
    if (n->combine == COMBINE_ATOMIC && of_grid) f->grid_atomics = true;
    if (plan_adds_copies(n)) f->partial = true;
    if (r->map == STEP_EQUAL) f->equal = true;
    if (r->map == STEP_BOUNDED) f->bounded = true;
    if (n->combine != COMBINE_NONE && !(r->privatises && !owns_rounding(c))) f->combines = true;
    if (r->slides) f->slides = true;
    f->otherwise |= contributions_reorder(n);
    if (plan_slides_over_blocks(n)) f->looks_back |= plan_slides_by(n) == SYNC_TICKET;
  } else if (c) {
    f->computes++;
    f->contributes |= contributes(c, sharing, false);
    f->any |= leaves(c, ATOMIC_ANY);
    f->appends |= leaves(c, ATOMIC_APPEND);
    if (contributes(c, sharing, true)) f->map_atomics = f->grid_atomics = f->combines = true;
    if (c->kind == CLASS_COOPERATIVE) f->combines = f->together = true;
    f->otherwise |= computes_otherwise(r->spectrum, c);
    f->multiplies |= c->matrix;
    f->native |= c->native;
    const Form *form = n->shuffled ? &c->shuffled : &c->plain;
    if (n->shuffled && form->shuffles) f->shuffles = true;
    if (form->shared_atomics) f->shared_atomics = true;
    if (form->shared_atomics) tree_visit(form->body, find_rounding_atomic, &f->rounding_atomics);
  }
  for (int i = 0; i < n->nkids; i++) {
    const bool step = plan_in_steps(n);
    const Sharing of_step =
        step ? contributions_of_step(n, sharing, i) : i && r->privatises ? contributions_all() : below;
    gather(f, n->kid[i], i && !step && !r->privatises ? sharing : &of_step);
  }
  /* which may have no steps, and round otherwise */
  if (f->steps && spectrum_reference(r->spectrum)) f->otherwise = true;
}

static Category category_of(const Constructs *f) {
  return f->shuffles ? CATEGORY_SHUFFLE : f->shared_atomics ? CATEGORY_SHARED_ATOMIC
         : f->map_atomics || f->contributes ? CATEGORY_GLOBAL_ATOMIC : CATEGORY_BASELINE;
}

/* Lanes that iterate, those of a CPU, add to what their thread alone sees: no atomics are behind it. */
const char *category_name(Category c, bool in_order) {
  static const char *const names[][2] = {[CATEGORY_BASELINE] = {"baseline", "baseline"},
                                         [CATEGORY_GLOBAL_ATOMIC] = {"global-atomic", "accumulated"},
                                         [CATEGORY_SHARED_ATOMIC] = {"shared-atomic", "lane-accumulated"},
                                         [CATEGORY_SHUFFLE] = {"shuffle", "shuffle"}};
  return names[c][in_order];
}

/* CGO Fig. 6 (l) to (p): tiles over the grid, added atomically, each by a cooperative codelet of the block. */
static const char *letter_of(const PlanNode *root) {
  static const struct { const char *tag; bool shuffled; const char *letter; } rows[] = {
      {"tree", false, "l"}, {"tree", true, "m"}, {"shared_V1", false, "n"}, {"shared_V2", false, "o"},
      {"shared_V2", true, "p"}};
  const Codelet *c = root->rule->codelet;
  if (!c || strcmp(c->tag, "tiled") != 0 || !root->rule->level->can.launched ||
      root->combine != COMBINE_ATOMIC)
    return NULL;
  const PlanNode *block = root->kid[0];
  if (!block->rule->codelet || !block->rule->level->can.shares) return NULL;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strcmp(block->rule->codelet->tag, rows[i].tag) == 0 && block->shuffled == rows[i].shuffled)
      return rows[i].letter;
  return NULL;
}

/* ---- sizes ---- */

/* Blocks of a grid to begin with. Where they settle the order in which floats are combined, as many on every machine.
 * Else as many as the machine holds at once; with 16-byte loads fewer are enough to keep its memory busy, and leave
 * fewer results to combine. */
static void first_blocks(const Plan *p, const Constructs *f, int64_t threads, SizeVar *v) {
  enum { BLOCKS_EVERYWHERE = 1024, MOVING = 8192 };
  const Arch *m = p->machine;
  bool everywhere = !f->vectorised && !f->map_atomics && !f->shared_atomics && BLOCKS_EVERYWHERE <= m->grid_max;
  int64_t resident = m->threads_unit / threads;
  if (f->vectorised && resident > m->measured.blocks_wide) resident = m->measured.blocks_wide;
  int64_t blocks = everywhere ? BLOCKS_EVERYWHERE : m->units * resident;
  if (!m->levels[0].can.few && plan_moves_rows(p->root) && MOVING <= m->grid_max) blocks = MOVING;
  v->tunable.max = m->grid_max;
  v->tunable.value = blocks < 1 ? 1 : blocks;
  v->source = everywhere ? SOURCE_CONSTANT : SOURCE_MACHINE;
}

/* The width that a level's description gives. */
static void first_width(const Level *l, SizeVar *v) {
  v->tunable.max = l->width_max;
  v->tunable.value = l->width_default;
  v->source = v->tunable.value == l->width_usual ? SOURCE_CONSTANT : SOURCE_MACHINE;
}

/* What the width of a level is called where it is tuned: how many are launched, what one lane has in flight, the lanes
 * of a block. */
static const char *width_name(const Level *l) {
  if (l->can.bind == BIND_LAUNCH) return "blocks";
  if (l->can.lanes == LANES_ONE || l->can.holds) return "loads";
  return l->can.lanes == LANES_TUNED ? "threads" : l->name;
}

static SizeVar size_of_level(const Plan *p, const Constructs *f, const Level *l) {
  enum { MOST_LOADS = 16 };
  const Arch *m = p->machine;
  const SizeVar *threads = &p->sizes.at[0];
  SizeVar v = {.tunable = {.name = width_name(l), .at_launch = l->can.bind == BIND_LAUNCH, .min = 1, .multiple = 1}};
  if (l->can.launched) {
    first_blocks(p, f, threads->tunable.value, &v);
  } else if (l->can.lanes == LANES_ONE) {
    v.tunable.max = MOST_LOADS;
    v.tunable.value = m->measured.loads;
    v.source = v.tunable.value == m->usual->loads ? SOURCE_CONSTANT : SOURCE_MACHINE;
  } else if (l->can.lanes == LANES_TUNED) {
    v.tunable.max = l->width_max;
    v.tunable.value = threads->tunable.value;
    v.source = threads->source;
  } else {
    if (l->can.bind == BIND_LAUNCH) v.tunable.min = l->width_min;
    first_width(l, &v);
  }
  return v;
}

/* Are elements of the cut's dimension neighbours in memory, of what is read or of what is written? */
static bool has_neighbours(const PlanTiles *t, const Symbol *cut) {
  bool found = false;
  for (int i = 0; i < t->leaf->rule->codelet->nparams; i++) {
    const Symbol *s = t->leaf->rule->codelet->params[i];
    const Tree *last = s->rank ? t->cut[i][s->rank == PLANE && s->by_columns ? 0 : s->rank - 1].grid : NULL;
    found |= last && tree_cut(last) == cut;
  }
  return found;
}

/* What the extent of tiles by a cut may be, by a lane's loop or by the grid, and is at first. Of what is staged whole
 * there is room for less. Lanes share what is above rows and columns, so that small ones keep a block busy. */
static NumberList extents_of(const PlanTiles *t, const Tree *cut, bool panel, int64_t *preset) {
  static const int64_t extents[] = {16, 32, 64, 128, 256};
  static const int64_t panels[] = {8, 16, 32, 64, 128, 256}, above[] = {1, 2, 4, 8, 16};
  static const int64_t small[] = {16, 32, 64, 128}, rows[] = {8, 16, 32, 64, 128, 256};
  static const int64_t lines[] = {512, 1024, 2048, 4096}, moved[] = {8, 32, 64, 128, 256};
  if (panel) {
    const Spectrum *s = t->leaf->rule->codelet->spectrum;
    const int line = s->narrowest == GROUP_WORD ? 2 : s->narrowest == GROUP_HALF ? 3 : 4; /* of 128 bytes */
    const int least = !t->multiplies ? 0 : s->broadest == GROUP_BYTE ? 2 : 1; /* 16, of bytes alone MATRIX_DEEP */
    const NumberList rows = {panels + (t->groups ? line : least), t->groups ? 2 : 3};
    *preset = t->groups || least > 1 ? rows.at[0] : panels[1];
    return rows;
  }
  if (plan_tiles_move(t) && has_neighbours(t, tree_cut(cut))) { /* 256 bytes of floats in each row, of both */
    *preset = extents[2];
    return t->rank > PLANE ? (NumberList){small, 3} : (NumberList){moved, 5};
  }
  if (plan_tiles_move(t) && t->rank > PLANE) {
    *preset = above[0];
    return (NumberList){above, 4};
  }
  if (plan_tile_is_above(t, tree_cut(cut))) {
    *preset = above[t->loop ? 0 : 2];
    return (NumberList){above, t->groups ? 3 : t->loop ? 5 : 4};
  }
  if (t->rank < PLANE) { /* a group or two of each lane: with four, five weights take 1.3 times as long */
    *preset = lines[1];
    return (NumberList){lines, 4};
  }
  if (plan_tiles_hold_windows(t)) { /* 16 bytes a lane, by four rows; of three dimensions one element, by 4 x 4: vectors
                                       of all planes at once take more registers than an inside leaves */
    const bool along = plan_tile_lanes(t, tree_cut(cut)), streamed = t->block->traversal == TRAVERSE_STREAMED;
    *preset = rows[!along ? 1 : t->rank > PLANE && !streamed ? 2 : 4];
    return (NumberList){rows + (along ? 2 : 0), 4};
  }
  *preset = extents[t->groups ? 3 : t->loop ? 2 : 1];
  if (t->multiplies) return (NumberList){extents + 1 + t->groups, t->groups ? 3 : 4};
  if (t->rank > PLANE) return (NumberList){small, t->loop ? 4 : 3};
  return t->loop ? (NumberList){extents, 5} : (NumberList){extents + 1, 2}; /* of panels: a few columns, too */
}

/* How wide the halos of what is staged may be, of those that only sizes say. A window's are in registers. */
static bool size_halos(Arena *a, Plan *p, const PlanTiles *t) {
  enum { REGISTERS = 4, SHARED = 7 };
  static const int64_t widths[] = {2, 4, 6, 8, 16, 30, 32};
  const bool windows = plan_tiles_hold_windows(t);
  const int first = p->sizes.n, many = windows && t->rank > 1 ? REGISTERS : SHARED;
  const int64_t preset = widths[windows ? 2 : 3];
  for (int i = 0; i < t->leaf->rule->codelet->nparams; i++)
    for (int d = 0; d < MOST_DIMENSIONS && plan_tile_keeps_halo(t, i); d++) {
      const char *name = plan_tile_halo_name(a, &t->cut[i][d]);
      bool known = !name;
      for (int n = first; n < p->sizes.n && name; n++) known |= strcmp(p->sizes.at[n].tunable.name, name) == 0;
      if (known) continue;
      if (tunables_find(&p->spectrum->tunables, name)) return false;
      const Tunable v = {.name = name, .value = preset, .min = widths[0], .max = widths[many - 1],
                         .multiple = 1, .among = {widths, many}, .what = "elements around a block's tile"};
      vec_push(a, &p->sizes, ((SizeVar){.tunable = v, .source = SOURCE_CONSTANT}));
    }
  return true;
}

/* The extents of tiles, by cut: of a block's parts, and of panels. */
static bool size_tiles(Arena *a, Plan *p) {
  enum { GROUPS = 2, BLOCKS = 256 /* everywhere: they settle an order */ };
  static const int64_t rows_of_lanes[] = {8, 16, 32}, rows_of_warps[] = {1, 2, 4}, buffers[] = {2, 3, 4, 5, 6, 8};
  const PlanNode *work = plan_tiled(p->root);
  PlanTiles t;
  if (!work || !plan_tiles(work, &t)) return true;
  if (t.packs) {
    plan_size_packed(a, p, &t);
    return true;
  }
  const int first = p->sizes.n;
  for (int i = 0; i < t.leaf->rule->codelet->nparams; i++)
    for (int d = 0; d < MOST_DIMENSIONS; d++) {
      const Tree *of[] = {t.cut[i][d].grid, t.cut[i][d].panel};
      for (int k = 0; k < 2; k++) {
        if (!of[k] || plan_tile_is_share(&t, tree_cut(of[k]))) continue;
        const char *name = plan_tile_name(a, tree_cut(of[k]));
        bool known = false;
        if (tunables_find(&p->spectrum->tunables, name)) return false;
        for (int n = first; n < p->sizes.n; n++) known |= strcmp(p->sizes.at[n].tunable.name, name) == 0;
        int64_t preset;
        const NumberList among = extents_of(&t, of[k], k == 1, &preset);
        const Tunable v = {.name = name, .value = preset, .min = among.at[0], .max = among.at[among.n - 1],
                           .multiple = 1, .among = among,
                           .what = k ? "elements of a panel" : "elements of a block's tile"};
        if (!known) vec_push(a, &p->sizes, ((SizeVar){.tunable = v, .source = SOURCE_CONSTANT}));
      }
    }
  Tunable *threads = &p->sizes.at[0].tunable;
  if (plan_tiles_share(&t)) p->sizes.at[work->axis.size].tunable.value = BLOCKS;
  enum { THREADS_OF_WINDOWS = 128 };
  const bool windows = plan_tiles_hold_windows(&t);
  if ((t.rank < PLANE || windows) && tunable_takes(threads, THREADS_OF_WINDOWS)) threads->value = THREADS_OF_WINDOWS;
  const int64_t most = p->machine->measured.threads_tiles; /* .. that have a rectangle of 8 x 4 each */
  if (t.loop && tunable_takes(threads, most)) threads->value = most;
  const int64_t *rows = t.multiplies ? rows_of_warps : rows_of_lanes;
  const char *name = plan_tile_workers_name(t.multiplies);
  const Tunable workers = {.name = name, .value = rows[t.loop ? 1 : 2], .min = rows[0], .max = rows[2],
                           .multiple = 1, .among = {rows, 3},
                           .what = arena_printf(a, "%s with neighbouring parts", name)};
  if (!t.groups && t.rank > 1) vec_push(a, &p->sizes, ((SizeVar){.tunable = workers, .source = SOURCE_CONSTANT}));
  const NumberList many = t.groups ? (NumberList){buffers + 1, 5} : (NumberList){buffers, 5};
  const bool bytes = t.leaf->rule->codelet->spectrum->narrowest == GROUP_BYTE; /* whose products take half as long */
  const int64_t preset = buffers[!t.groups ? 1 : bytes ? 4 : 2];
  const Tunable stages = {.name = plan_tile_stages_name, .value = preset, .min = many.at[0],
                          .max = many.at[many.n - 1], .multiple = 1, .among = many, .what = "panels in shared memory"};
  if (t.block->traversal >= TRAVERSE_PIPED)
    vec_push(a, &p->sizes, ((SizeVar){.tunable = stages, .source = SOURCE_CONSTANT}));
  if (t.multiplies) threads->min = rows[2] * p->machine->vector_width; /* a row of warps at least, or a group */
  if (t.groups) threads->multiple = threads->min;
  if (t.groups) threads->value = GROUPS * threads->min;
  return !tunables_find(&p->spectrum->tunables, name) && size_halos(a, p, &t);
}

static bool has_bounds(const PlanNode *n) { return plan_bounds(n) != NULL; }

/* Numbers that plans with such a node ask for (plan.h has their names), and which there are to be tried. */
static const struct NodeTunable {
  const char *name, *what;
  bool (*wants)(const PlanNode *root);
  int preset, many;
  int64_t among[9];
} node_tunables[] = {
    /* odd numbers, so that lanes read from different banks */
    {plan_row_name, "elements of a row that shared memory has room for", plan_copies_rows, 3, 9,
     {9, 17, 25, 35, 49, 65, 97, 129, 193}},
    /* 1: one after another */
    {plan_jam_name, "results of a lane at once", plan_jams, 3, 9, {1, 2, 3, 4, 5, 6, 8, 12, 16}},
    {plan_own_name, "kilobytes of a block's own containers", plan_tunes_own, 3, 5, {2, 4, 8, 16, 32}},
    /* as long as that takes, others may wait */
    {plan_longest_name, "elements of a part that one lane goes through", has_bounds, 2, 6, {8, 16, 32, 64, 128, 256}},
};

/* A number that is one of some, in ascending order; not where a codelet has one of that name. */
static void add_choice(Arena *a, Plan *p, const char *name, const char *what, NumberList among, int preset) {
  if (tunables_find(&p->spectrum->tunables, name)) return;
  const Tunable v = {.name = name, .value = among.at[preset], .min = among.at[0], .max = among.at[among.n - 1],
                     .multiple = 1, .among = among, .what = what};
  vec_push(a, &p->sizes, ((SizeVar){.tunable = v, .source = SOURCE_CONSTANT}));
}

static void size_nodes(Arena *a, Plan *p) {
  enum { SPANS = 3 };
  if (plan_tunes_unit(p->root)) {
    int64_t *columns = arena_many(a, int64_t, SPANS);
    for (int i = 0; i < SPANS; i++) columns[i] = (int64_t)plan_unit_span(p->spectrum) << i;
    add_choice(a, p, plan_unit_name, "elements of a row at once", (NumberList){columns, SPANS}, 0);
  }
  for (size_t i = 0; i < sizeof node_tunables / sizeof *node_tunables; i++) {
    const struct NodeTunable *t = &node_tunables[i];
    if (t->wants(p->root)) add_choice(a, p, t->name, t->what, (NumberList){t->among, t->many}, t->preset);
  }
}

/* The lanes of a block, the width of each level, the tunables of codelets' own. */
static bool size_plan(Arena *a, Plan *p, const Constructs *f) {
  const Arch *m = p->machine;
  SizeVar threads = {.tunable = {.name = "threads", .min = m->vector_width, .multiple = m->vector_width}};
  if (!threads_first(a, p, &threads)) return false;
  vec_push(a, &p->sizes, threads);
  for (int i = 0; i < m->nlevels; i++) {
    SizeVar v = size_of_level(p, f, &m->levels[i]);
    vec_push(a, &p->sizes, v);
  }
  for (int i = 0; i < p->spectrum->tunables.n; i++) {
    SizeVar v = {.tunable = p->spectrum->tunables.at[i], .source = SOURCE_CONSTANT};
    vec_push(a, &p->sizes, v);
  }
  size_nodes(a, p);
  return size_tiles(a, p);
}

/* ---- plans ---- */

/* Grids that are launched for what a grid's plan computes. */
static int kernels_of(const PlanNode *root) {
  const PlanNode *work = plan_work(root), *combined = plan_spread(work) ? plan_spread(work) : work;
  int n = combined->combine == COMBINE_SPECTRUM && !plan_goes_on(combined) ? combined->nkids : 1;
  if (plan_is_bounded(work)) return plan_is_bounded_in_block(work) ? 1 : 2;
  if (work->combine == COMBINE_PARTIAL || (plan_is_equal(work) && !work->rule->level->can.few)) n++;
  if (!plan_in_steps(work) || !work->rule->level->can.launched) return n;
  const bool computes = work->rule->spectrum->result != TYPE_VOID && !steps_result(work->rule->codelet);
  if (plan_is_of_one_block(work)) return 1;
  const bool stays = plan_is_persistent(work); /* a loop is one, then */
  n = computes + steps_kept(work->rule->codelet, stays); /* the result, of numbers; and those that are kept */
  for (int i = 0; i < work->nkids; i++)
    if (!stays || !steps_staying(work->rule->codelet, i)) n += kernels_of(work->kid[i]);
  return stays ? n + steps_staying(work->rule->codelet, -1) : n;
}

Plan *plan_finish(Arena *a, PlanNode *root, const Spectrum *s, const Arch *m) {
  Plan *p = arena_one(a, Plan);
  p->root = root;
  p->spectrum = s;
  p->machine = m;
  Buffer text = buffer_new(a);
  plan_put(&text, root);
  p->text = text.text;
  p->letter = letter_of(root);
  p->kernels = kernels_of(root);
  Constructs f = {0};
  const Sharing sharing = contributions_at_root(s);
  gather(&f, root, &sharing);
  p->category = category_of(&f);
  if (!size_plan(a, p, &f)) return NULL;
  order_judge(p, &f);
  return p;
}

static uint64_t hash_of(const Plan *p) {
  uint64_t h = hash_text(hash_text(hash_text(HASH_START, p->spectrum->name), ":"), p->text);
  return h ^ (h >> 32);
}

void plan_number(Arena *a, Plans *plans) {
  enum { SLOTS_PER_PLAN = 4 };
  int n = plans->list.n, room = 16;
  while (room < n * SLOTS_PER_PLAN) room *= 2;
  Plan **table = arena_many(a, Plan *, room);
  for (int i = 0; i < n; i++) {
    Plan *p = plans->list.at[i];
    uint64_t h = hash_of(p);
    p->id = arena_printf(a, "%08" PRIx64, h & 0xffffffffu);
    for (int at = (int)(h % (uint64_t)room);; at = (at + 1) % room) {
      if (!table[at]) { table[at] = p; break; }
      if (strcmp(table[at]->id, p->id) == 0) { /* both get all their digits */
        table[at]->id = arena_printf(a, "%016" PRIx64, hash_of(table[at]));
        p->id = arena_printf(a, "%016" PRIx64, h);
      }
    }
  }
}
