/* space.c: preset spaces. `cgo' is the space of CGO IV-B: its codelets, levels and choices, as a table.
 *
 *   grid      tiled, strided                                  x
 *   block     a finisher at once, or tiled or strided threads x
 *   finisher  serial, tree, V1, V2, tree+shuffle, V2+shuffle
 *
 * With a global atomic these are 36 single kernels; with a second kernel, strided over the threads of one
 * block and free to choose its own finisher, 36 x 6 pairs. */
#include <string.h>

#include "compose/search.h"

const char *space_levels(const char *space) { return strcmp(space, "cgo") == 0 ? "grid,block,thread" : NULL; }

typedef struct Finisher { const char *tag; bool shuffled; } Finisher;

static const Finisher finishers[] = {{"serial", false}, {"tree", false},     {"shared_V1", false},
                                     {"shared_V2", false}, {"tree", true}, {"shared_V2", true}};
static const char *const structures[] = {"tiled", "strided"};
enum { FINISHERS = sizeof finishers / sizeof *finishers, STRUCTURES = 2 };

typedef struct Preset {
  Arena *a;
  const Spectrum *s;
  const Arch *m;
  const Rules *rules;
  const Level *grid, *block, *thread;
} Preset;

/* The rule of a codelet at a level; tag NULL: Devolve. */
static const Rule *rule_of(const Preset *p, const Level *l, const char *tag) {
  for (int i = 0; i < p->rules->list.n; i++) {
    const Rule *r = p->rules->list.at[i];
    if (r->level != l || r->map == STEP_SERIALIZE || r->map == STEP_SPLIT) continue;
    if (tag ? r->codelet && strcmp(r->codelet->tag, tag) == 0 : !r->codelet) return r;
  }
  return NULL;
}

static PlanNode *serial(const Preset *p) { return plan_node(p->a, rule_of(p, p->thread, "serial")); }

/* What one block does with a container that it can hold: a finisher. */
static PlanNode *finish(const Preset *p, const Finisher *f) {
  if (strcmp(f->tag, "serial") == 0) return plan_devolve(p->a, rule_of(p, p->block, NULL), serial(p));
  PlanNode *n = plan_node(p->a, rule_of(p, p->block, f->tag));
  n->shuffled = f->shuffled;
  return n;
}

/* One block's work: structure -1 is the finisher at once. */
static PlanNode *block_work(const Preset *p, int structure, const Finisher *f) {
  if (structure < 0) return finish(p, f);
  return plan_map(p->a, rule_of(p, p->block, structures[structure]), serial(p), finish(p, f), COMBINE_SPECTRUM);
}

static void add(const Preset *p, Plans *to, PlanNode *root) {
  Plan *made = plan_finish(p->a, root, p->s, p->m);
  if (made) vec_push(p->a, &to->list, made);
}

static bool complete(const Preset *p, Diagnostics *d) {
  static const char *const tags[] = {"serial", "tiled", "strided", "tree", "shared_V1", "shared_V2"};
  Buffer missing = buffer_new(p->a);
  for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
    const Codelet *c = NULL;
    for (int k = 0; k < p->s->ncodelets; k++)
      if (strcmp(p->s->codelets[k]->tag, tags[i]) == 0) c = p->s->codelets[k];
    const Level *where = i == 0 ? p->thread : i < 3 ? p->grid : p->block;
    bool shuffles = i != 3 && i != 5;
    if (c && rule_of(p, where, tags[i]) && (shuffles || c->shuffled.body)) continue;
    buffer_printf(&missing, "%s%s", missing.length ? ", " : "", tags[i]);
  }
  if (!missing.length) return true;
  diagnostics_add(d, DIAG_ERROR, p->s->where, "codelets/sum.cdl has them all",
                  "the space `cgo' needs codelets that `%s' lacks: %s", p->s->name, missing.text);
  return false;
}

bool space_plans(Arena *a, const Spectrum *s, const Arch *m, const Rules *rules, Plans *out, Diagnostics *d) {
  Preset p = {.a = a, .s = s, .m = m, .rules = rules};
  for (int i = 0; i < m->nlevels; i++) {
    const Level *l = &m->levels[i];
    if (l->can.launched) p.grid = l;
    if (l->can.shares) p.block = l;
    if (l->can.lanes == LANES_ONE) p.thread = l;
  }
  if (m->nlevels != 3 || !p.grid || !p.block || !p.thread) {
    diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, "leave out `--levels'",
                    "the space `cgo' is over grid, block and thread");
    return false;
  }
  if (!complete(&p, d)) return false;
  for (int g = 0; g < STRUCTURES; g++)
    for (int b = -1; b < STRUCTURES; b++)
      for (int f = 0; f < FINISHERS; f++) {
        const Rule *grid = rule_of(&p, p.grid, structures[g]);
        add(&p, out, plan_map(a, grid, block_work(&p, b, &finishers[f]), NULL, COMBINE_ATOMIC));
        for (int k = 0; k < FINISHERS; k++) {
          PlanNode *second = plan_devolve(a, rule_of(&p, p.grid, NULL), block_work(&p, 1, &finishers[k]));
          add(&p, out, plan_map(a, grid, block_work(&p, b, &finishers[f]), second, COMBINE_SPECTRUM));
        }
      }
  return true;
}
