/* tile_part.c: what a block's tiles (tiles.c) and a CPU's packed ones (packed.c) have in common: the part at hand, and
 * a loop over panels of its inner dimension.
 *
 * Requires a plan of plan_tiles. Keeps the order of panels. */
#include "lower/tiles.h"

NestNode *tiles_begin(Tiles *t, const PlanNode *n, Work *w, const char *what) {
  Lowering *l = t->l;
  Arena *a = l->a;
  if (!plan_tiles(lowering_work(l), &t->plan)) {
    lowering_fail(l, n->rule->codelet->where, "its tiles have no extents that are known");
    return NULL;
  }
  t->codelet = t->plan.leaf->rule->codelet;
  t->in = &w->in;
  t->lane = lowering_place(l, n->rule->parts);
  t->memory = tiles_memory(t, t->plan.written);
  t->panels = plan_tile_panels(&t->plan);
  lowering_comment(l, "%s > %s: %s, %s; %s", n->rule->level->name, n->rule->parts->name,
                   lowering_source(l, n->rule->codelet), what, lowering_source(l, t->codelet));
  NestNode *all = nest_node(a, NEST_SEQ, NULL);
  Opened *o = all->opened = arena_one(a, Opened);
  *o = (Opened){.l = l, .plan = n, .place = &w->place, .tiles = t};
  return all;
}

/* The dimension that panels cut has so many elements. */
static Tree *panelled_size(const Tiles *t) {
  for (int i = 0; i < t->codelet->nparams; i++) {
    const int d = plan_tile_panelled(&t->plan, i);
    if (d >= 0) return tiles_size(t, i, d);
  }
  return NULL;
}

Tree *tiles_panel_left(const Tiles *t, Tree *number) {
  Arena *a = t->l->a;
  number = build_cast(a, TYPE_INT, number);
  Tree *rest = build_choice(a, build_compare(a, OP_EQ, number, t->full), t->rest, tree_int(a, TYPE_INT, 0));
  return build_choice(a, build_compare(a, OP_LT, number, t->full), t->panel, rest);
}

/* Numbers of 32 bits: of the panels that are whole, and of what is left. */
static void count_panels(Tiles *t) {
  Arena *a = t->l->a;
  const char *name = t->panels->name;
  Tree *full = build_div(a, t->panelled, t->panel);
  Tree *rest = tree_binary(a, OP_REM, TYPE_INDEX, t->panelled, build_cast(a, TYPE_INDEX, t->panel));
  t->full = tiles_constant(t, arena_printf(a, "%s_full", name), tiles_as_int(t, full));
  t->rest = tiles_constant(t, arena_printf(a, "%s_rest", name), tiles_as_int(t, rest));
}

NestNode *tiles_over_panels(Tiles *t, NestNode *to) {
  Arena *a = t->l->a;
  const char *name = t->panels->name;
  Tree *all = t->panelled = panelled_size(t);
  if (t->stages && !t->plan.groups) count_panels(t);
  Tree *more = t->full ? build_compare(a, OP_GT, t->rest, tree_int(a, TYPE_INT, 0)) : NULL;
  Tree *many = !t->full      ? build_ceil_div(a, all, t->panel)
               : t->stepwise && !t->plan.multiplies ? t->full
                             : build_add(a, t->full, build_choice(a, more, tree_int(a, TYPE_INT, 1),
                                                                  tree_int(a, TYPE_INT, 0)));
  NestAxis *x = nest_dimension(a, "panels", ROLE_MAP, build_index(a, 0), many);
  Tree *number = nest_count(a, x, name, t->stages ? TYPE_INT : TYPE_INDEX); /* the grid's map sees to it */
  t->over = x;
  NestNode *each = nest_node(a, NEST_SEQ, NULL);
  Tree *place = build_mul(a, t->stages ? build_cast(a, TYPE_INDEX, number) : number, t->panel);
  t->panel_number = number;
  t->panel_begin = nest_number(a, each, arena_printf(a, "%s_begin", name), TYPE_INDEX, place)->now;
  const Type type = t->packed ? TYPE_INDEX : TYPE_INT; /* a CPU's vectors have no use for narrow numbers */
  Tree *left = build_sub(a, all, t->panel_begin);
  Tree *size = t->packed ? build_min(a, build_cast(a, type, t->panel), left)
               : t->full ? tiles_panel_left(t, number)
                         : build_cast(a, type, build_min(a, t->panel, left));
  if (t->stepwise) t->panel_size = t->panel;
  else t->panel_size = nest_number(a, each, arena_printf(a, "%s_size", name), type, size)->now;
  each->comment = arena_printf(a, "%s: %s, one part after another", t->plan.loop->rule->level->name,
                               lowering_source(t->l, t->plan.loop->rule->codelet));
  nest_add(a, to, nest_over(a, x, each));
  return each;
}
