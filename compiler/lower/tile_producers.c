/* tile_producers.c: panels that lanes beside the block's ask for, where groups of warps multiply (tile_groups.c): a
 * warp that does nothing else, so that nobody waits for the slowest warp before a copy begins.
 *
 *     lanes beside       for each panel
 *                          await room     until all warps have freed the panel that was in the buffer before
 *                          copies         by boxes
 *     the block's lanes  for each panel
 *                          await panel    .. which counts the bytes that come to the buffer
 *                          products       .. await those of the panel before: it is free
 *                        to memory      .. by boxes, too, if it lies so: what a group holds of 64 rows and 32 columns
 *                                       goes to shared memory, from where the machine stores it, or adds it to what is
 *                                       there, while the next columns go there: whole lines, which take less time
 *
 * So a buffer is handed over and back by two barriers in shared memory, and the block has none of its own: groups go
 * on each at its own pace. Where boxes cannot be copied there are no lanes beside, and all is as in tile_groups.c.
 *
 * Requires what tile_groups.c does. Keeps what it keeps. */
#include "lower/tiles.h"

static Tree *number(const Tiles *t, int64_t x) { return tree_int(t->l->a, TYPE_INT, x); }

static NestNode *hand_over(const Tiles *t, Op op, Tree *panel) {
  return nest_sync(t->l->a, tree_binary(t->l->a, op, TYPE_VOID, t->stages, panel));
}

static NestNode *await_panel(const Tiles *t, Tree *panel) {
  Arena *a = t->l->a;
  Tree *const kids[] = {t->stages, panel, tree_int(a, TYPE_BOOL, 1)};
  return nest_sync(a, build_tree(a, OP_AWAIT_PANEL, TYPE_VOID, kids, 3));
}

static NestNode *ask(Tiles *t) {
  Arena *a = t->l->a;
  NestNode *each = nest_node(a, NEST_SEQ, NULL);
  nest_add(a, each, hand_over(t, OP_AWAIT_ROOM, t->panel_number));
  for (int i = 0; i < t->codelet->nparams; i++) {
    const Staged *s = &t->staged[i];
    if (s->value) nest_add(a, each, open_copy(a, s->value, s->box[BOX_AT_HAND]));
  }
  each->comment = "a warp beside the others: copies of panels, as soon as there is room";
  return nest_over(a, t->over, each);
}

/* Of words, those of the next panel come to registers behind the products of the one at hand. */
static NestNode *use_words(Tiles *t) {
  Arena *a = t->l->a;
  NestNode *all = nest_node(a, NEST_SEQ, NULL), *each = nest_node(a, NEST_SEQ, NULL);
  Tree *next = build_add(a, t->panel_number, number(t, 1)), *none = build_index(a, 0);
  Tree *begin = build_mul(a, build_cast(a, TYPE_INDEX, next), t->panel);
  nest_add(a, all, nest_when(a, build_compare(a, OP_LT, none, t->panelled), await_panel(t, number(t, 0)), NULL));
  nest_add(a, all, tile_groups_load(t, true));
  nest_add(a, each, tile_groups_products(t));
  nest_add(a, each, nest_when(a, build_compare(a, OP_LT, begin, t->panelled), await_panel(t, next), NULL));
  nest_add(a, each, tile_groups_load(t, false));
  nest_add(a, each, tile_groups_close(t));
  nest_add(a, each, hand_over(t, OP_FREE_PANEL, t->panel_number));
  nest_add(a, all, nest_over(a, t->over, each));
  return all;
}

static NestNode *use(Tiles *t) {
  if (t->words) return use_words(t);
  Arena *a = t->l->a;
  NestNode *each = nest_node(a, NEST_SEQ, NULL);
  Tree *one = number(t, 1), *before = build_sub(a, t->panel_number, one);
  each->comment = arena_printf(a, "%s: %s, one part after another", t->plan.loop->rule->level->name,
                               lowering_source(t->l, t->plan.loop->rule->codelet));
  nest_add(a, each, await_panel(t, t->panel_number));
  nest_add(a, each, tile_groups_products(t)); /* .. and the wait for those of the panel before */
  Tree *later = build_compare(a, OP_GE, t->panel_number, one);
  nest_add(a, each, nest_when(a, later, hand_over(t, OP_FREE_PANEL, before), NULL));
  return nest_over(a, t->over, each);
}

/* ---- to memory ---- */

enum { LINE = 32, ROOMS = 2 }; /* columns of a box, of sums of 4 bytes; boxes of a group at once */

bool tile_producers_deliver(const Tiles *t) {
  const int written = t->plan.written;
  const AtomicOp by = t->codelet->params[written]->atomic;
  const bool of_rows = !t->across && t->plan.rank == PLANE && tiles_unit(t, written) == PLANE - 1;
  return t->plan.produced && of_rows && !t->plan.sum && !t->codelet->spectrum->adds_halves &&
         (by == ATOMIC_NONE || by == ATOMIC_ADD || by == ATOMIC_SUB);
}

void tile_producers_ask(Tiles *t, Tree *asked) {
  Lowering *l = t->l;
  const char *name = tiles_operand(t, t->plan.written)->source.base->name;
  Symbol *by = symbol_new(l->a, SYMBOL_LOCAL, lowering_name(l, arena_printf(l->a, "%s_by_boxes", name)), TYPE_BOOL);
  by->constant = true;
  vec_push(l->a, &l->now.launches, build_declare(l->a, by, asked));
  t->goes_by_boxes = tree_ref(l->a, by);
}

/* A row of fragments after the other, then until shared memory is not read any more. */
static NestNode *deliver_boxes(Tiles *t, NestNode *home) {
  Arena *a = t->l->a;
  Tree *groups = build_div(a, tree_ref(a, t->l->now.threads), number(t, GROUP_WARPS * WARP_LANES));
  Tree *box = number(t, ROOMS * GROUP_M * LINE);
  t->boxed = tiles_memory(t, t->plan.written);
  const Symbol *to = tiles_operand(t, t->plan.written)->source.base;
  t->room = nest_shared(a, home, arena_printf(a, "%s_room", to->name), to->type, build_mul(a, groups, box));
  t->room->symbol->aligned = t->room->symbol->swizzled = t->room->symbol->exclusive = true;
  t->room->symbol->buffer = box;
  NestNode *all = nest_node(a, NEST_SEQ, NULL);
  nest_add(a, all, nest_over(a, t->axis[t->plan.row], open_copy(a, t->boxed, t->held)));
  nest_add(a, all, nest_sync(a, tree_unary(a, OP_AWAIT_READS, TYPE_VOID, number(t, 0))));
  return all;
}

bool tile_producers_write(Realising *r, Tiles *t, const NestStage *stage) {
  if (!t->boxed || stage->at.at[0].value != t->boxed) return false;
  Arena *a = t->l->a;
  const LaneTile *rows = &t->of[0], *columns = &t->of[1];
  const View *to = tiles_operand(t, t->plan.written);
  Tree *row = iterations_number(r, t->axis[t->plan.row]), *many = build_div(a, columns->each, columns->unit);
  Tree *held = build_mul(a, row, build_mul(a, many, number(t, t->fragment.c)));
  Tree *down = build_mul(a, row, rows->unit), *begin[PLANE];
  for (int d = 0; d < PLANE; d++) begin[d] = to->plane.from[d] ? to->plane.from[d] : build_index(a, 0);
  Tree *const kids[] = {build_element(a, t->room->symbol, build_mul(a, rows->number, t->room->symbol->buffer)),
                        tree_ref(a, t->staged[t->plan.written].boxes),
                        build_element(a, t->held->symbol, held),
                        build_add(a, begin[1], columns->first),
                        build_add(a, begin[0], build_add(a, rows->first, down)),
                        columns->each,
                        tree_int(a, TYPE_BOOL, tiles_begin_in_memory(t) || !to->plane.alone)};
  Tree *made = build_tree(a, OP_DELIVER_BOXES, TYPE_VOID, kids, 7);
  lowering_add(r->l, build_if(a, build_compare(a, OP_LT, down, rows->left), made));
  return true;
}

NestNode *tile_producers_open(Tiles *t, Tree *wide, NestNode *home, NestNode *deliver, NestNode *otherwise) {
  Arena *a = t->l->a;
  NestNode *own = nest_node(a, NEST_SEQ, NULL);
  NestNode *begin = nest_sync(a, tree_new(a, OP_BEGIN_SUMS, TYPE_VOID, (SourceRange){0}, 0));
  nest_access(a, begin, t->held, USE_ACCUMULATE);
  nest_add(a, own, begin);
  nest_add(a, own, use(t));
  nest_add(a, own, tile_groups_end(t));
  if (t->goes_by_boxes) deliver = nest_when(a, t->goes_by_boxes, deliver_boxes(t, home), deliver);
  nest_add(a, own, deliver);
  t->l->now.kernel->beside = build_choice(a, wide, number(t, WARP_LANES), number(t, 0));
  Tree *beside = tree_unary(a, OP_BESIDE, TYPE_BOOL, tree_ref(a, t->l->now.threads));
  return nest_when(a, wide, nest_when(a, beside, ask(t), own), otherwise);
}
