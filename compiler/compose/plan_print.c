/* plan_print.c: plans for people: an indented tree, and a diagram in the manner of CGO Fig. 6. */
#include "compose/search.h"

static void indent(Buffer *to, int depth) { buffer_fill(to, ' ', 2 * depth); }

static const char *over(const PlanNode *n) {
  if (step_labels[n->rule->map].over) return step_labels[n->rule->map].over;
  if (n->axis.level->can.holds) return "register slots";
  return n->axis.second ? "lanes" : n->axis.level->name;
}

/* Lanes that iterate add to what their thread alone sees: no atomics are behind it. */
static void put_tree(Buffer *to, const PlanNode *n, bool in_order, int depth, const char *role) {
  const Rule *r = n->rule;
  indent(to, depth);
  if (*role) buffer_printf(to, "%s: ", role);
  if (!r->codelet) {
    buffer_printf(to, "%s: one %s acts for all (%s)\n", r->level->name, r->below->name, r->name);
    put_tree(to, n->kid[0], in_order, depth + 1, "");
  } else if (plan_applies(n)) {
    buffer_printf(to, "%s: `%s' applies (%s)\n", r->level->name, r->codelet->tag, r->name);
    put_tree(to, n->kid[0], in_order, depth + 1, "");
  } else if (plan_in_steps(n)) {
    buffer_printf(to, "%s: `%s' takes %d steps%s (%s)\n", r->level->name, r->codelet->tag, n->nkids,
                  plan_is_persistent(n)     ? ", those of a loop in one launch"
                  : plan_is_of_one_block(n) ? ", all by one block"
                                            : "", r->name);
    for (int i = 0; i < n->nkids; i++)
      put_tree(to, n->kid[i], in_order, depth + 1, arena_printf(to->arena, "step %d", i + 1));
  } else if (r->codelet->kind != CLASS_COMPOUND) {
    buffer_printf(to, "%s: computes by `%s'%s (%s)\n", r->level->name, r->codelet->tag,
                  n->shuffled ? ", exchanging registers" : "", r->name);
  } else {
    buffer_printf(to, "%s: regroups by `%s', over its %s%s (%s)\n", r->level->name, r->codelet->tag, over(n),
                  r->map != STEP_DISTRIBUTE || n->axis.level->can.holds ? "" : "s", r->name);
    put_tree(to, n->kid[0], in_order, depth + 1, traversal_labels[n->traversal].part);
    if (n->combine == COMBINE_ATOMIC) {
      indent(to, depth + 1);
      if (r->map == STEP_SPREAD) buffer_puts(to, "results: accumulated atomically where the part's is stored\n");
      else if (in_order && r->level->depth > 0)
        buffer_printf(to, "results: added by each lane in turn, at the %s\n", r->level->name);
      else buffer_printf(to, "results: accumulated atomically at the %s\n", r->level->name);
    } else if (n->combine == COMBINE_PARTIAL) {
      indent(to, depth + 1);
      buffer_printf(to, "results: a copy for each %s, added by a second kernel\n", r->below->name);
    } else if (n->combine == COMBINE_CLUSTER) {
      indent(to, depth + 1);
      buffer_printf(to, "results: a copy for each %s of a cluster, added in their shared memory\n", r->below->name);
    } else if (n->nkids > 1)
      put_tree(to, n->kid[1], in_order, depth + 1,
               r->slides                           ? "its total, before"
               : n->traversal == TRAVERSE_IN_BLOCK ? "a long part"
                                                   : sync_labels[plan_sync(n)].results);
    for (int i = 2; i < n->nkids; i++)
      put_tree(to, n->kid[i], in_order, depth + 1,
               r->privatises            ? sync_labels[SYNC_PLAIN].results
               : r->map == STEP_BOUNDED ? "pieces of long parts"
                                        : "each part, from there");
  }
}

void plan_print_tree(Buffer *to, const Plan *p) { put_tree(to, p->root, p->machine->lanes_in_order, 0, ""); }

static int put_dot(Buffer *to, const PlanNode *n, int *next) {
  const Rule *r = n->rule;
  int me = (*next)++;
  if (!r->codelet) {
    buffer_printf(to, "  n%d [shape=plaintext, label=\"one %s\"];\n", me, r->below->name);
  } else if (r->codelet->kind == CLASS_COMPOUND) {
    buffer_printf(to, "  n%d [shape=triangle, label=\"%s\\n%s\"];\n", me, r->codelet->tag, r->level->name);
  } else {
    bool vector = r->codelet->kind == CLASS_COOPERATIVE;
    buffer_printf(to, "  n%d [shape=%s, label=\"%s%s\\n%s\"];\n", me, vector ? "Mcircle" : "circle", r->codelet->tag,
                  n->shuffled ? "\\nshuffle" : "", r->level->name);
  }
  for (int i = 0; plan_in_steps(n) && i < n->nkids; i++) {
    const int step = put_dot(to, n->kid[i], next);
    buffer_printf(to, "  n%d -> n%d [label=\"%d\"];\n", me, step, i + 1);
  }
  if (plan_in_steps(n)) return me;
  int first = n->nkids ? put_dot(to, n->kid[0], next) : -1;
  if (first >= 0) buffer_printf(to, "  n%d -> n%d;\n", me, first);
  if (n->combine == COMBINE_ATOMIC) {
    int up = (*next)++;
    buffer_printf(to, "  n%d [shape=house, label=\"atomic\\n%s\"];\n  n%d -> n%d [dir=back];\n", up,
                  r->level->name, me, up);
  } else if (n->combine == COMBINE_PARTIAL) { /* its copies are added by a kernel of their own */
    int second = (*next)++;
    buffer_printf(to, "  n%d [shape=house, label=\"second kernel\\nadds the copies\"];\n  n%d -> n%d [style=dashed, "
                  "label=\"a copy each\"];\n", second, me, second);
  } else if (n->combine == COMBINE_CLUSTER) {
    int second = (*next)++;
    buffer_printf(to, "  n%d [shape=house, label=\"cluster\\nadds the copies\"];\n  n%d -> n%d [style=dashed, "
                  "label=\"a copy each\"];\n", second, me, second);
  } else if (n->nkids > 1) {
    int second = put_dot(to, n->kid[1], next);
    buffer_printf(to, "  n%d -> n%d [style=dashed, label=\"results\"];\n", me, second);
  }
  for (int i = 2; i < n->nkids; i++) {
    const char *label = r->privatises            ? "style=dashed, label=\"results\""
                        : r->map == STEP_BOUNDED ? "label=\"of long parts\""
                                                 : "label=\"from there\"";
    int third = put_dot(to, n->kid[i], next);
    buffer_printf(to, "  n%d -> n%d [%s];\n", me, third, label);
  }
  return me;
}

void plan_print_dot(Buffer *to, const Plan *p) {
  buffer_printf(to, "digraph plan {\n  label=\"%s %s: %s\";\n", p->spectrum->name, p->id, p->text);
  buffer_puts(to, "  // triangle: distributes; circle: computes scalar; crossed circle: computes as a vector; "
                  "house: combines upwards\n");
  buffer_puts(to, "  node [fontname=\"sans-serif\"];\n");
  int next = 0;
  put_dot(to, p->root, &next);
  buffer_puts(to, "}\n");
}
