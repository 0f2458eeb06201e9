/* type_sets.c: element types that are composed together.
 *
 * A variant is one text for several element types, so a plan has to suit them all. A matrix unit multiplies some of
 * `--types' only, and halves in another way than doubles: composed together they would have only the plans that suit
 * every one. So types are composed several times: all of them together; those that matrix units multiply; and those
 * that are multiplied alike. Of the narrower sets only the plans that multiply are added, and those that the table
 * names: a variant says which types it is for. */
#include <inttypes.h>
#include <string.h>

#include "driver/compile_parts.h"
#include "support/hash.h"

/* What the machine multiplies elements by. */
typedef struct Units { const MatrixUnit *warp, *group, *deep; int bytes; } Units;

static Units units_for(const Arch *m, const ElementType *e) {
  return (Units){arch_matrix(m, e->name), arch_group_matrix(m, e->name), arch_deep_matrix(m, e->name), e->bytes};
}

static bool are_alike(const Arch *m, const ElementType *e, const ElementType *f) {
  const Units x = units_for(m, e), y = units_for(m, f);
  if (!x.warp || !y.warp) return !x.warp && !y.warp;
  return x.bytes == y.bytes && !x.group == !y.group && !x.deep == !y.deep;
}

static void add_type(Arena *a, Types *to, const ElementType *e) { vec_push(a, to, e); }

/* May a matrix unit of the machine's multiply elements of `--types'? */
static bool multiplies(const Compilation *c) {
  const Spectrum *s = c->output.spectrum;
  return c->output.machine && s->ncodelets && s->codelets[0]->generic && compile_multiplies(c);
}

static void add_set(Compilation *c, const Types *types, bool chooses) {
  TypeSet made = {.types = *types};
  if (chooses) made.chosen = *types;
  vec_push(c->arena, &c->sets, made);
}

void type_sets_find(Compilation *c) {
  const Output *o = &c->output;
  Types all = {0}, none = {0}, multiplied = {0};
  const bool units = multiplies(c);
  c->sets.n = 0;
  for (int i = 0; i < o->ntypes; i++) {
    const bool has = units && arch_matrix(o->machine, o->types[i]->name);
    add_type(c->arena, &all, o->types[i]);
    add_type(c->arena, has ? &multiplied : &none, o->types[i]);
  }
  bool alike = true;
  for (int i = 1; i < multiplied.n; i++) alike &= are_alike(o->machine, multiplied.at[0], multiplied.at[i]);
  add_set(c, &all, !multiplied.n || (!none.n && alike));
  if (!multiplied.n || (!none.n && alike)) return;
  c->sets.at[0].chosen = none;
  if (!alike && none.n) add_set(c, &multiplied, false);
  for (int i = 0; i < multiplied.n; i++) {
    Types own = {0};
    bool first = true;
    for (int k = 0; k < multiplied.n; k++) {
      if (!are_alike(o->machine, multiplied.at[i], multiplied.at[k])) continue;
      first &= k >= i;
      add_type(c->arena, &own, multiplied.at[k]);
    }
    if (first) add_set(c, &own, true);
  }
}

void type_sets_note(Compilation *c, const TypeSet *set) {
  if (c->sets.n == 1) return; /* it was noted, and what there is to say of it said */
  Diagnostics *d = c->diagnostics;
  c->diagnostics = diagnostics_new(c->arena);
  compile_note_types(c, set->types.at, set->types.n);
  c->diagnostics = d;
}

bool type_sets_wants(const TypeSet *set, const Compilation *c, const Plan *plan) {
  if (set == c->sets.at) return true;
  return plan_multiplies(plan->root) || plan_multiplies_rows(plan->root);
}

const TypeSet *type_sets_choosing(const Compilation *c, const ElementType *e) {
  for (int i = 0; i < c->sets.n; i++)
    for (int k = 0; k < c->sets.at[i].chosen.n; k++)
      if (c->sets.at[i].chosen.at[k] == e) return &c->sets.at[i];
  return c->sets.at;
}

void type_sets_rename(Compilation *c, TypeSet *set, Plan *plan) {
  const char *before = plan->id;
  uint64_t h = hash_text(hash_text(hash_text(HASH_START, plan->text), " of "), set->types.at[0]->name);
  plan->id = arena_printf(c->arena, "%016" PRIx64, h);
  for (int i = 0; i < set->measured.rows.n; i++)
    if (strcmp(set->measured.rows.at[i].variant, before) == 0) set->measured.rows.at[i].variant = plan->id;
}

Plans type_sets_plans(const Compilation *c) {
  Plans all = {0};
  for (int i = 0; i < c->sets.n; i++)
    for (int k = 0; k < c->sets.at[i].plans.list.n; k++) {
      Plan *plan = c->sets.at[i].plans.list.at[k];
      bool known = false;
      for (int x = 0; x < all.list.n && i; x++) known |= strcmp(all.list.at[x]->id, plan->id) == 0;
      if (!known) vec_push(c->arena, &all.list, plan);
    }
  return all;
}
