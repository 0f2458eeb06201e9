/* notation.c: rules in the papers' notation (MICRO Figs. 4 to 6), in ASCII: `l_L` is the subordinate of L.
 *
 * Specialised rules come level by level as in the figures; serialised and split maps, which the figures leave
 * out for want of space, and spread ones follow in a section of their own. */
#include <string.h>

#include "compose/plan.h"

static void put_level(Buffer *to, const Step *s) {
  if (s->level) buffer_puts(to, s->level->letter);
  else buffer_puts(to, s->below ? "l_L" : "L");
}

void step_print(Buffer *to, const Step *s) {
  buffer_puts(to, step_labels[s->kind].notation);
  if (s->kind == STEP_REGROUP) buffer_printf(to, "p_%c, ", s->codelet->letter);
  if (s->kind == STEP_COMPOSE) buffer_printf(to, "%s, ", s->spectrum->name);
  if (s->kind == STEP_COMPUTE)
    buffer_printf(to, "c_%c, %s_", s->codelet->letter,
                  s->capability == CAP_SCALAR ? "SE" : s->capability == CAP_MATRIX ? "ME" : "VE");
  put_level(to, s);
  if (s->kind == STEP_SPLIT) buffer_printf(to, ", %s", level_below(s->level)->letter);
  if (s->kind != STEP_SYNC) buffer_puts(to, ")");
}

static const char *right_side(Arena *a, const Rule *r) {
  Buffer b = buffer_new(a);
  for (int i = 0; i < r->nsteps; i++) {
    if (i) buffer_puts(&b, ", ");
    step_print(&b, &r->steps[i]);
  }
  return b.text;
}

static void pad(Buffer *to, size_t have, size_t want) {
  if (have < want) buffer_fill(to, ' ', (int)(want - have));
}

static bool has_atomic_map(const Rule *r) { return r->codelet && tree_contains(r->codelet->body, OP_MAP_ATOMIC); }

/* Rules of no machine, with where they come from. */
static void print_program(Buffer *to, const Rules *rules) {
  size_t name = 0, left = 0, right = 0;
  for (int i = 0; i < rules->list.n; i++) {
    const Rule *r = rules->list.at[i];
    size_t n = strlen(r->name), l = strlen(r->spectrum->name), g = strlen(right_side(to->arena, r));
    if (n > name) name = n;
    if (l > left) left = l;
    if (g > right) right = g;
  }
  for (int i = 0; i < rules->list.n; i++) {
    const Rule *r = rules->list.at[i];
    const char *steps = right_side(to->arena, r);
    buffer_printf(to, "Rule %s:", r->name);
    pad(to, strlen(r->name), name);
    buffer_printf(to, " compose(%s, L)", r->spectrum->name);
    pad(to, strlen(r->spectrum->name), left);
    buffer_printf(to, " -> %s", steps);
    pad(to, strlen(steps), right);
    if (r->codelet) buffer_printf(to, "  // Derived from codelet %c (c_%c)", r->codelet->letter, r->codelet->letter);
    else buffer_puts(to, "  // Derived from Devolve");
    if (has_atomic_map(r)) buffer_puts(to, ", its map may accumulate atomically");
    buffer_puts(to, "\n");
  }
}

static bool figures_show(const Rule *r) { return r->map == STEP_DISTRIBUTE || r->map == STEP_COMPUTE; }

/* The rules of each level under its name, either those that the figures show or the others. */
static void print_levels(Buffer *to, const Rules *rules, bool shown) {
  size_t heading = 0, name = 0;
  for (int i = 0; i < rules->list.n; i++) {
    const Rule *r = rules->list.at[i];
    if (figures_show(r) != shown) continue;
    if (strlen(r->level->letter) > heading) heading = strlen(r->level->letter);
    if (strlen(r->name) > name) name = strlen(r->name);
  }
  const Level *open = NULL;
  for (int i = 0; i < rules->list.n; i++) {
    const Rule *r = rules->list.at[i];
    if (figures_show(r) != shown) continue;
    if (r->level != open) buffer_printf(to, "%s rules:", r->level->letter);
    pad(to, r->level != open ? strlen(r->level->letter) + 7 : 0, heading + 8);
    open = r->level;
    buffer_printf(to, "%s:", r->name);
    pad(to, strlen(r->name), name + 1);
    buffer_printf(to, "compose(%s, %s) -> %s\n", r->spectrum->name, r->level->letter, right_side(to->arena, r));
  }
}

void rules_print(Buffer *to, const Rules *r) {
  if (!r->list.n) return;
  if (!r->list.at[0]->level) {
    print_program(to, r);
    return;
  }
  print_levels(to, r, true);
  bool others = false, spread = false, slice = false, equal = false, bounded = false;
  for (int i = 0; i < r->list.n; i++) {
    others |= !figures_show(r->list.at[i]);
    spread |= r->list.at[i]->map == STEP_SPREAD;
    slice |= r->list.at[i]->map == STEP_SLICE;
    equal |= r->list.at[i]->map == STEP_EQUAL;
    bounded |= r->list.at[i]->map == STEP_BOUNDED;
  }
  if (!others) return;
  const char *const words[] = {"Serialize", "Split", spread ? "Spread" : NULL, slice ? "Slice" : NULL,
                               equal ? "Equal" : NULL, bounded ? "Bounded" : NULL};
  const int last = bounded ? 5 : equal ? 4 : slice ? 3 : spread ? 2 : 1;
  for (int i = 0; i <= last; i++)
    if (words[i]) buffer_printf(to, "%s%s", i == 0 ? "\n" : i == last ? " and " : ", ", words[i]);
  buffer_puts(to, ":\n");
  print_levels(to, r, false);
}
