/* specialise.c: program rules that the levels of a machine can carry out (MICRO III-C, Figs. 5 and 6).
 *
 *   an autonomous codelet    a level with scalar capability; one that multiplies (mma): with a matrix unit
 *   a cooperative codelet    a level with vector capability
 *   Devolve, Distribute      a level with a subordinate
 *   Serialize ("T4s")        a level with a capability: the map becomes a loop there
 *   Split ("B4x", "G3xT")    a level whose subordinate has one: the map runs over both; parts whose number the
 *                            codelet's text gives may go from a grid to a level further down
 *   "G1C", "G3C"             the same by way of an optional level, here C, that others pass over
 *   Spread ("B4g")          a part of many, of a block or a lane: the map runs over several of the grid's
 *   Slice ("T4w")           a part of many, of a lane: the map runs over the warps of the block
 *   Equal ("G3eT")          parts of any lengths: the grid's blocks have equal shares of all elements, and workers
 *                           further down what a share has of a part
 *   Bounded ("G3bT")        the same parts: workers further down have those of up to so many elements, and several
 *                           warps each longer one
 *
 * Register slots (ilp) are iterations of an unrolled loop: they compute and do nothing else. */
#include <string.h>

#include "compose/search.h"
#include "ir/element.h"

/* The rule at a level, its map run as `map', its parts or its work handed to workers of `below', or of `parts' of those
 * where it is split. */
static Rule *at_level(Arena *a, const Rule *program, const Level *level, StepKind map, const Level *below,
                      const Level *parts) {
  Rule *r = arena_one(a, Rule);
  const char *through = below && below->optional ? below->letter : "";
  *r = *program;
  const bool further_down = map == STEP_SPLIT && parts != level_below(below);
  if (map == STEP_EQUAL || map == STEP_BOUNDED || further_down) through = parts->letter;
  r->name = arena_printf(a, "%s%s%s%s", level->letter, program->name, step_labels[map].suffix, through);
  r->level = level;
  r->below = below;
  r->parts = parts;
  r->map = map;
  r->steps = arena_many(a, Step, program->nsteps);
  r->nsteps = 0;
  for (int i = 0; i < program->nsteps; i++) {
    Step s = program->steps[i];
    if (s.kind == STEP_SYNC && !level->sub) continue; /* nobody to wait for */
    if (s.kind == STEP_DISTRIBUTE) {
      s.kind = map;
      s.level = map == STEP_SERIALIZE ? level : below;
    } else {
      s.level = s.below ? parts : level;
    }
    s.below = 0;
    r->steps[r->nsteps++] = s;
  }
  return r;
}

/* Devolve and Distribute, to workers of that level. */
static void hand_down(Arena *a, Rules *to, const Rule *r, const Level *l, const Level *below) {
  bool maps = r->map == STEP_DISTRIBUTE;
  vec_push(a, &to->list, at_level(a, r, l, maps ? STEP_DISTRIBUTE : STEP_COMPUTE, below, below));
}

/* Who combines what a part's pieces gave: a worker of the grid; for the results of few workers one lane is enough. */
static const Level *combining(const Arch *m) {
  return m->levels[0].can.few ? arch_lane(m) : level_below(&m->levels[0]);
}

/* The parts of a part: of several workers of the grid, so many as share it. */
static void spread(Arena *a, Rules *to, const Rule *program, const Level *l, const Arch *m) {
  const Level *grid = &m->levels[0];
  Rule *r = at_level(a, program, l, STEP_SPREAD, grid, l);
  for (int i = 0, composed = 0; i < r->nsteps; i++) {
    Step *s = &r->steps[i];
    if (s->kind == STEP_SYNC || s->kind == STEP_REGROUP) s->level = grid;
    if (s->kind == STEP_COMPOSE && composed++ > 0) s->level = combining(m);
  }
  vec_push(a, &to->list, r);
}

/* The parts of a lane's part: of the same lane of all of a block's warps. */
static void slice(Arena *a, Rules *to, const Rule *program, const Level *l, const Arch *m) {
  const Level *block = arch_sharing(m), *warp = block ? level_below(block) : NULL;
  if (!warp || !warp->can.exchanges || l->can.lanes != LANES_ONE || program->slides) return;
  Rule *r = at_level(a, program, l, STEP_SLICE, warp, l);
  for (int i = 0; i < r->nsteps; i++)
    if (r->steps[i].kind == STEP_SYNC || r->steps[i].kind == STEP_REGROUP) r->steps[i].level = block;
  vec_push(a, &to->list, r);
}

/* The rule of a grid over parts that follow one another, each of which is reduced; it composes the reduction once more,
 * of pieces, at some level below, and, where they are bounded, what it maps. NULL: they are other parts. */
static Rule *over_pieces(Arena *a, const Rule *program, const Level *l, StepKind map, const Level *parts) {
  const Spectrum *const more[] = {equal_reduction(program), rule_composed(program, 0)};
  const int n = map == STEP_BOUNDED ? 2 : 1;
  const Level *block = level_below(l);
  Rule longer = *program;
  if (!more[0]) return NULL;
  longer.steps = arena_many(a, Step, program->nsteps + n);
  for (int i = 0; i < program->nsteps; i++) longer.steps[i] = program->steps[i];
  for (int i = 0; i < n; i++) longer.steps[longer.nsteps++] = (Step){.kind = STEP_COMPOSE, .spectrum = more[i]};
  Rule *r = at_level(a, &longer, l, map, block, parts);
  for (int i = 1; i <= n; i++) r->steps[r->nsteps - i].level = l->can.few ? block : level_below(block);
  return r;
}

/* Equal shares of the elements of all parts: workers of `parts' reduce what a block's share has of one; a warp combines
 * the pieces of a part, or a thread of a process, which has a share itself. */
static void equal(Arena *a, Rules *to, const Rule *program, const Level *l, const Level *parts) {
  Rule *r = over_pieces(a, program, l, STEP_EQUAL, parts);
  if (r) vec_push(a, &to->list, r);
}

/* Parts of bounded lengths to workers of `parts'; a warp each reduces the pieces of a longer one, and combines them. */
static void bounded(Arena *a, Rules *to, const Rule *program, const Level *l, const Level *parts) {
  Rule *r = over_pieces(a, program, l, STEP_BOUNDED, parts);
  if (r) vec_push(a, &to->list, r);
}

/* Does a codelet's text say how many parts there are? */
static bool has_explicit_count(const Rules *program) {
  for (int i = 0; i < program->list.n; i++)
    if (program->list.at[i]->explicit_count) return true;
  return false;
}

static bool may_spread(const Rule *r, const Level *l, const Arch *m) {
  if (r->map != STEP_DISTRIBUTE || r->explicit_count || r->privatises) return false;
  if (r->slides) return l->can.shares && !m->levels[0].can.few; /* tile by tile; few workers have parts of their own */
  return rule_steps(r, STEP_COMPOSE) == 2 && (l->can.shares || l->can.lanes == LANES_ONE);
}

/* Is a cooperative codelet right for as many lanes as the level has? Tuned ones are one of several numbers (threads.c),
 * a vector's at least; some of a vector's lanes serve any smaller power of two, too. */
static bool serves(const Codelet *c, const Level *l, const Arch *m) {
  const int64_t least = l->can.factor ? l->width_max : m->vector_width;
  if (c->lanes_max && c->lanes_max < least) return false;
  if (l->can.lanes == LANES_TUNED) return true;
  if (!l->can.factor) return number_list_has(c->lanes, m->vector_width);
  for (int64_t lanes = 2; lanes <= l->width_max; lanes *= 2)
    if (!number_list_has(c->lanes, lanes)) return false;
  return true;
}

/* Why the machine's matrix unit does not multiply what the spectrum is compiled for; NULL: it does. */
static const char *no_unit(Arena *a, const Codelet *c, const Arch *m) {
  enum { BYTE = 1 };
  const Spectrum *s = c->spectrum;
  const RowProduct *p = c->rows;
  for (int i = 0; i < s->elements.n; i++)
    if (!arch_matrix(m, s->elements.at[i]))
      return arena_printf(a, "the matrix unit of %s does not multiply `%s'", m->name, s->elements.at[i]);
  if (p && s->narrowest == BYTE && s->broadest > BYTE)
    return "a matrix unit multiplies rows of bytes in a variant for bytes alone, where they stay words";
  for (int i = 0; i < s->elements.n && p && p->carry; i++)
    if (element_by_name(s->elements.at[i])->bytes != sizeof(uint16_t))
      return "a lane has as many of a tile's sums in 16 bytes as a row of its unit's, where elements have 16 bits";
  const bool own = p && (p->from->type != TYPE_ELEM || (p->to && p->to->type != TYPE_ELEM));
  return s->elements.n && !own ? NULL : "a matrix unit multiplies elements of `--types'";
}

static void specialise(Arena *a, Rules *to, const Rule *r, const Level *l, const Arch *m) {
  const Codelet *c = r->codelet;
  const Level *below = level_below(l);
  if (c && c->kind != CLASS_COMPOUND) {
    if (c->kind == CLASS_COOPERATIVE && !serves(c, l, m)) return;
    if (!(l->capability & plan_capability(c))) return;
    Rule *made = at_level(a, r, l, STEP_COMPUTE, NULL, NULL);
    if (c->matrix) made->unfit = no_unit(a, c, m);
    if (m->is_cpu && tree_contains(c->body, OP_ALIKE)) made->unfit = "the lanes of a CPU's vector have no votes";
    vec_push(a, &to->list, made);
    return;
  }
  if (l->can.holds) return;
  bool maps = r->map == STEP_DISTRIBUTE;
  if (below || (c && !maps)) hand_down(a, to, r, l, below); /* Devolve; a codelet that only calls spectra; a map */
  if (!c || maps)
    for (const Level *o = l->sub; o != below; o = o->sub) hand_down(a, to, r, l, o);
  if (maps && l->capability) vec_push(a, &to->list, at_level(a, r, l, STEP_SERIALIZE, below, l));
  if (maps && below && level_below(below))
    vec_push(a, &to->list, at_level(a, r, l, STEP_SPLIT, below, level_below(below)));
  if (!r->explicit_count || !l->can.launched || !below) return;
  for (const Level *o = below->sub; o && !o->can.holds; o = o->sub) /* segments, rows: to all of that level */
    if (o != level_below(below)) vec_push(a, &to->list, at_level(a, r, l, STEP_SPLIT, below, o));
  if (l->can.few) equal(a, to, r, l, below);
  for (const Level *o = below->sub; o && !o->can.holds && !l->can.few; o = o->sub) {
    equal(a, to, r, l, o);
    bounded(a, to, r, l, o);
  }
}

Rules rules_specialise(Arena *a, const Rules *program, const Arch *m) {
  Rules rules = {0};
  const bool many = m->levels[0].can.launched && has_explicit_count(program);
  for (int i = 0; i < m->nlevels; i++)
    for (int k = 0; k < program->list.n; k++)
      if (natives_for_machine(program->list.at[k]->codelet, m)) {
        specialise(a, &rules, program->list.at[k], &m->levels[i], m);
        if (!many || !may_spread(program->list.at[k], &m->levels[i], m)) continue;
        spread(a, &rules, program->list.at[k], &m->levels[i], m);
        slice(a, &rules, program->list.at[k], &m->levels[i], m);
      }
  return rules;
}
