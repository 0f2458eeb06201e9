/* stages.c: what is done with an element, or 16 bytes of them, as statements of the loops that realise.c has written
 * around.
 *
 * Requires that realise.c says which iterations those are. Keeps the nest as it is. */
#include "lower/stages.h"

#include "ir/operator.h"
#include "lower/counts.h"
#include "lower/handed.h"
#include "lower/packed.h"
#include "lower/rescan_stages.h"
#include "lower/scan.h"
#include "lower/tiles.h"
#include "lower/unit_rows.h"

/* ---- positions ---- */

/* What guards a stage: the iterations of written-out axes that may lie beyond the end. */
static Tree *guard(Realising *r, StageKind kind) {
  Tree *all = NULL;
  for (int i = 0; i < r->above.n; i++) {
    const NestAxis *x = r->above.at[i].axis;
    const bool guarded = x->tail == TAIL_GUARD || (x->tail == TAIL_IDENTITY && kind == STAGE_COPY);
    if (x->binding != BINDING_UNROLL || !guarded) continue;
    Tree *exists = tails_exists(r->l, x, &r->bounds, r->at, r->above.at[i].number);
    all = all ? build_both(r->l->a, all, exists) : exists;
  }
  return all;
}

/* ---- codelets and copies ---- */

/* A container whose memory is what tiles have of it; `place': where this iteration's element stands in it, which is
 * meant by its number in the tiles; NULL: by its position. */
static View *in_tiles(Realising *r, const NestStage *s, View *v, Tree *place) {
  Lowering *l = r->l;
  View *made = view_new(l, *v);
  made->place = place;
  for (int i = v->source.kind == VIEW_GATHER; i < v->source.nof; i++) {
    const View *of = v->source.of[i];
    Tree *there = place ? build_add(l->a, of->begin, build_mul(l->a, place, of->step)) : NULL;
    made->source.of[i] = in_tiles(r, s, v->source.of[i], there);
    if (place && of->source.nof) made->source.of[i]->begin = build_index(l->a, 0); /* a tile's memory has it */
  }
  for (int i = 0; place && i < s->at.n; i++) {
    const NestValue *tile = s->at.at[i].value;
    if (!tile->of || tile->of->view != v) continue;
    made->source.base = tile->symbol;
    made->source.origin = NULL;
    made->begin = build_index(l->a, 0);
  }
  return made;
}

static bool reads_tiles(const NestStage *s) {
  for (int i = 0; i < s->at.n; i++)
    if (s->at.at[i].value->of) return true;
  return false;
}

/* A container as a slot's part has it: so far `ahead' of the first one (NULL: there is one), and its memory is what
 * tiles have. `here': the element's number; NULL: any, and wherever it lies. */
static View *in_slot(Realising *r, const NestStage *s, View *v, Tree *ahead, Tree *here) {
  Arena *a = r->l->a;
  View *made = view_new(r->l, *v);
  if (v->source.interleaved && ahead) {
    made->size = view_size(r->l, v);
    made->begin = build_add(a, v->begin, ahead);
    made->end = build_add(a, v->end, ahead);
  }
  Tree *there = here ? build_add(a, made->begin, build_mul(a, here, v->step)) : NULL;
  for (int i = v->source.kind == VIEW_GATHER; i < v->source.nof; i++)
    made->source.of[i] = in_slot(r, s, v->source.of[i], ahead, there);
  for (int i = 0; here && v->source.kind == VIEW_MEMORY && i < s->at.n; i++) {
    const NestValue *tile = s->at.at[i].value;
    if (!tile->of || tile->of->view != v) continue;
    made->place = there;
    made->by_position = true;
    made->source.base = tile->symbol;
    made->source.origin = NULL;
    made->begin = iterations_in_array(r, tile->kept.at, tile->kept.n);
    made->step = build_index(a, 0);
    break;
  }
  return made;
}

/* Of rows that steps hold: do tiles have something where there is no element, too? It is computed with; a conversion in
 * the branch of a load would keep compilers from loading several at once. */
static bool is_filled(const Realising *r) { return r->o && r->o->item && !r->bounds.ragged; }

static Tree *nothing(Lowering *l, Type type) {
  return tree_unary(l->a, OP_CAST, type, tree_int(l->a, TYPE_INT, 0));
}

/* Can it be computed where there is no element: of registers, without a division? */
static bool is_harmless(const Tree *t) {
  if (t->op == OP_DIV || t->op == OP_REM || t->op == OP_CALL) return false;
  if (t->op == OP_INDEX) return t->kid[0]->op == OP_REF && !t->kid[0]->symbol->pointer;
  for (int i = 0; i < t->nkids; i++)
    if (t->kid[i] && !is_harmless(t->kid[i])) return false;
  return true;
}

/* A condition around each element keeps compilers from computing several at once. So what is one assignment is computed
 * ahead of it; what goes into a register of the element's own needs none. False: it is something else. */
static bool ahead_of(Lowering *l, Block *b, Tree *exists) {
  Tree *t = b->inner.n == 1 ? b->inner.at[0] : NULL;
  if (!t || t->op != OP_ASSIGN || !is_harmless(t->kid[0]) || !is_harmless(t->kid[1])) return false;
  block_close(l, b);
  const Tree *to = t->kid[0];
  const bool own = !t->compound && to->op == OP_INDEX && !tree_mentions(t->kid[1], to->kid[0]->symbol);
  if (own) {
    lowering_add(l, t);
    return true;
  }
  Tree *value = tree_ref(l->a, lowering_fixed(l, "value", t->kid[1]->type, t->kid[1]));
  const bool adds = t->compound == OP_ADD; /* nothing does no harm; compilers move what is used in a branch there */
  if (adds) value = build_choice(l->a, exists, value, nothing(l, value->type));
  Tree *made = tree_with_kids(l->a, t, (Tree *[]){t->kid[0], value}, 2);
  lowering_add(l, adds ? made : build_if(l->a, exists, made));
  return true;
}

/* What is contributed to at the place of the element at hand is not in tiles: it is that place, whatever the index. */
static void stay_at_place(Kept *k, Environment *e, Tree *here) {
  const Tree *loop = k->loop;
  for (int i = 0; i < e->arguments.n; i++) {
    const View *v = e->arguments.at[i].view;
    const Symbol *s = k->codelet->params[i];
    if (!v || !s->atomic || !view_aligned(v, k->in)) continue;
    if (!plan_uses_elements(loop->kid[3], s, loop->kid[0]->symbol)) continue;
    View *made = view_new(k->l, *v);
    made->begin = here;
    made->step = build_index(k->l->a, 0);
    e->arguments.at[i].view = made;
  }
}

/* The codelet's loop body on the element of this iteration: in memory, or in tiles; or all of it, on a slot's part. */
static void codelet(Realising *r, const NestStage *s) {
  Lowering *l = r->l;
  Kept *k = &r->o->kept;
  const bool parts = r->o->element != NULL, tiles = reads_tiles(s) && !parts, whole = s->kind == STAGE_WHOLE;
  Tree *slot = k->slots ? iterations_number_of(r, r->o->slot) : NULL, *here = whole ? NULL : iterations_position(r);
  Tree *item = r->o->item ? iterations_number_of(r, r->o->item) : NULL;
  if (k->slots && item) slot = tree_binary(l->a, OP_REM, TYPE_INT, item, k->slots);
  if (k->slots && !slot) slot = tree_int(l->a, TYPE_INT, 0);
  NestAxis *const element[] = {r->o->load, r->o->slot};
  Block b;
  Tree *exists = guard(r, STAGE_CODELET), *ahead = parts && slot ? tails_register(l, slot, false) : NULL;
  if (exists) block_open(l, &b);
  if (whole) ahead = lowering_size(l, "ahead", ahead);
  Environment e = kept_environment(k, slot);
  for (int i = 0; i < e.arguments.n; i++) {
    View *old = e.arguments.at[i].view;
    if (!old || k->codelet->params[i]->atomic || (!parts && !view_aligned(old, k->in))) continue;
    View *made = parts ? in_slot(r, s, old, ahead, here) : in_tiles(r, s, old, tiles ? here : NULL);
    if (!parts) made->begin = k->in->begin; /* aligned: meant by position from here on */
    e.arguments.at[i].view = made;
    if (old == k->in) e.view = made;
  }
  if (tiles) stay_at_place(k, &e, here);
  if (!parts) inline_by_position(l, &e, k->in, tiles ? here : NULL);
  if (whole) {
    Destination to = {.kind = TO_PLACE, .place = view_element(l, s->at.at[0].value->view, slot)};
    inline_codelet(l, k->codelet, &k->codelet->plain, r->o->place, &e.arguments, &to);
  } else {
    const int naxes = r->o->slot == r->o->load ? 1 : 2;
    Tree *in_tile = item ? item : iterations_in_array(r, element, naxes);
    inline_bind(l, &e, k->loop->kid[0]->symbol, tiles ? in_tile : here, NULL);
    inline_statements(l, &e, k->loop->kid[3], NULL);
  }
  if (exists && reads_tiles(s) && is_filled(r) && ahead_of(l, &b, exists)) return;
  if (exists) block_close_guarded(l, &b, exists);
}

/* As many elements of each lane's row as there are lanes: vectors are read, not elements here and there. */
static void copy_rows(Realising *r, const NestValue *tile, const View *row) {
  Tree *from = build_element(r->l->a, row->source.base, build_add(r->l->a, row->line.first, r->at));
  Tree *kids[] = {tree_ref(r->l->a, tile->symbol), from, row->line.step};
  lowering_add(r->l, build_tree(r->l->a, OP_LOAD_ROWS, TYPE_VOID, kids, 3));
}

/* Elements of slots' parts into a tile: of all at once, or of one, or one that is the same for all. */
static void copy_in_slot(Realising *r, const NestStage *s) {
  Lowering *l = r->l;
  Arena *a = l->a;
  const NestValue *tile = s->at.at[0].value, *memory = s->at.at[1].value;
  if (memory->view->line.first) { copy_rows(r, tile, memory->view); return; }
  Tree *slot = iterations_number_of(r, r->o->slot), *at = iterations_position(r);
  Tree *there = build_with(a, memory->begin, r->o->element, at);
  Tree *to = iterations_in_tile(r, tile);
  if (slot) there = build_add(a, there, tails_register(l, slot, r->otherwise));
  Tree *from = build_element(a, memory->view->source.base, there);
  const bool wide = memory->view->source.interleaved && !slot;
  Tree *load = wide ? tree_binary(a, OP_LOAD_WIDE, TYPE_VOID, to, from) : build_assign(a, to, from);
  if (wide) load->move = WIDE_ONCE;
  lowering_add(l, load);
}

/* An element of a container that is a copy of another one; or what a slot gave, to where all can see it. */
static void copy_element(Realising *r, const NestStage *s) {
  Lowering *l = r->l;
  View *to = s->at.at[0].value->view;
  Tree *index = to->source.copying ? iterations_position(r) : iterations_number_of(r, r->o->slot);
  Tree *place = to->source.copying ? build_element(l->a, to->source.base, index) : view_element(l, to, index);
  lowering_add(l, build_assign(l->a, place, view_element(l, s->at.at[1].value->view, index)));
  if (to->source.copying) to->source.copying->made = true;
}

/* What is stored as the tile has it: some tiles have elements as codelets compute with them. */
static Tree *as_in(Lowering *l, const Tree *tile, Tree *element) {
  return element->type == tile->type ? element : tree_unary(l->a, OP_CAST, tile->type, element);
}

/* An element between memory and a tile, if there is one. */
static void copy_guarded(Realising *r, const NestStage *s) {
  Lowering *l = r->l;
  const bool store = !s->at.at[0].value->of;
  const NestValue *tile = s->at.at[store].value, *memory = s->at.at[!store].value;
  Tree *exists = guard(r, STAGE_COPY), *at = iterations_position(r), *own = iterations_in_tile(r, tile);
  if (memory->begin) at = build_add(l->a, memory->begin, at);
  Tree *there = build_element(l->a, memory->view->source.base, at);
  if (exists && !store && is_filled(r)) lowering_add(l, build_assign(l->a, own, nothing(l, own->type)));
  Tree *copy = store ? build_assign(l->a, there, own) : build_assign(l->a, own, as_in(l, own, there));
  lowering_add(l, exists ? build_if(l->a, exists, copy) : copy);
}

/* An element of one tile to another, of the same iterations. */
static void copy_held(Realising *r, const NestStage *s) {
  Tree *to = iterations_in_tile(r, s->at.at[0].value);
  lowering_add(r->l, build_assign(r->l->a, to, as_in(r->l, to, iterations_in_tile(r, s->at.at[1].value))));
}

static void fill_wide(Realising *r, const NestAxis *wide, const NestValue *tile) {
  Lowering *l = r->l;
  Block b;
  Symbol *s = block_open_counted(l, &b, "s");
  iterations_enter(r, wide, tree_ref(l->a, s));
  Tree *own = iterations_in_tile(r, tile);
  lowering_add(l, build_assign(l->a, own, nothing(l, own->type)));
  iterations_leave(r, r->above.n - 1);
  block_close_unrolled(l, &b, s, wide->extent);
}

/* The element at hand of memory and of its tile, and `more' behind it. */
static void wide_places(Realising *r, const NestValue *memory, const NestValue *tile, Tree *more, Tree **there,
                        Tree **own) {
  Arena *a = r->l->a;
  Tree *at = build_add(a, iterations_position(r), more);
  iterations_enter(r, tile->kept.at[tile->kept.n - 1], more);
  *own = iterations_in_tile(r, tile);
  iterations_leave(r, r->above.n - 1);
  *there = build_element(a, memory->view->source.base, memory->begin ? build_add(a, memory->begin, at) : at);
}

/* The workers, whole vectors of a GPU's lanes, whose elements of `wide' lie side by side; NULL: there are none. */
static const NestAxis *side_by_side(const Realising *r, const NestAxis *wide) {
  const Arch *m = r->l->plan->machine;
  for (int i = 0; i < r->above.n && !m->is_cpu; i++) {
    const NestAxis *axis = r->above.at[i].axis;
    int64_t lanes;
    if (axis->binding != BINDING_WORKERS || !axis->stride || !tree_equal(axis->stride, wide->extent)) continue;
    return tree_constant(axis->extent, &lanes) && lanes < m->vector_width ? NULL : axis;
  }
  return NULL;
}

/* Elements that are larger than those that were read, 32 bytes of each lane: if each lane stored 16 of these at once,
 * the warp would write half of each sector, twice. Neighbours exchange, so that each store is of whole sectors. */
static bool store_side_by_side(Realising *r, const NestValue *memory, const NestValue *tile, const NestAxis *wide) {
  Arena *a = r->l->a;
  const NestAxis *lanes = memory->view->source.base->type < TYPE_STRUCT ? side_by_side(r, wide) : NULL;
  Tree *there, *own;
  if (!lanes) return false;
  wide_places(r, memory, tile, tree_int(a, TYPE_INT, 0), &there, &own);
  Tree *n = wide->extent, *yes = tree_int(a, TYPE_BOOL, 1), *none = tree_int(a, TYPE_INT, 0);
  Tree *const kids[] = {there, own, n, yes, lanes->number, lanes->extent, n, none};
  lowering_add(r->l, build_tree(a, OP_STORE_RUN, TYPE_VOID, kids, 8));
  return true;
}

/* 16 bytes between memory and a tile; of a type whose elements are larger, several times as many; as many elements of
 * another type. */
static void copy_wide(Realising *r, const NestStage *s) {
  Lowering *l = r->l;
  Arena *a = l->a;
  const bool store = !s->at.at[0].value->of;
  const NestValue *memory = s->at.at[store ? 0 : 1].value, *tile = s->at.at[store ? 1 : 0].value;
  const NestAxis *wide = tile->kept.at[tile->kept.n - 1];
  const NestValue *first = wide->dim->aligned_by;
  const Type type = memory->view->source.base->type;
  Tree *width = build_width(a, type), *more = tree_int(a, TYPE_INT, 0);
  const bool another = first && !vectorise_in_16_bytes(memory, first);
  const bool several = first && !another && type != first->view->source.base->type;
  Block guarded, parts;
  Tree *exists = guard(r, STAGE_COPY);
  const bool aligned = r->ahead || memory == first || memory->aligned;
  if (several && store && !exists && aligned && store_side_by_side(r, memory, tile, wide)) return;
  Symbol *part = several ? block_counter(l, "part", TYPE_INT) : NULL;
  if (several) more = build_mul(a, tree_ref(a, part), width);
  Tree *there, *own;
  wide_places(r, memory, tile, more, &there, &own);
  Tree *move = store ? tree_binary(a, OP_STORE_WIDE, TYPE_VOID, there, own)
                     : tree_binary(a, OP_LOAD_WIDE, TYPE_VOID, own, there);
  const bool counts = r->o->scan && r->o->scan->counts; /* rows are 16 bytes as they are read */
  const bool rows = !first && !store; /* iterations are aligned by what is read, as it is written */
  move->move = aligned ? WIDE_ALIGNED
               : rows  ? (type == TYPE_STORED && !counts ? WIDE_ROW : WIDE_ALIGNED)
                       : WIDE_ANYWHERE;
  if (another) move = build_tree(a, OP_LOAD_SEVERAL, TYPE_VOID, (Tree *[]){own, there, wide->extent}, 3);
  if (exists && !store && is_filled(r)) fill_wide(r, wide, tile);
  if (exists) block_open(l, &guarded);
  if (several) block_open(l, &parts);
  lowering_add(l, move);
  if (several) block_close_unrolled(l, &parts, part, build_div(a, wide->extent, width));
  if (exists) block_close_guarded(l, &guarded, exists);
}

/* An element of a view, of which some memory is held: `at' is its number there. `whole': all of the tile is there. */
static Tree *of_held(Realising *r, const NestValue *from, Tree *at, Tree *element, bool whole) {
  Lowering *l = r->l;
  const NestValue *held = r->o->scan->held;
  if (!held || from->of || from->view->source.kind == VIEW_MEMORY) return element;
  const Tree *own = counts_element(l, from->view, at);
  Tree *k = iterations_in_array(r, held->kept.at, held->kept.n);
  if (whole) element = counts_near_held(l, element, own, held->symbol, k, r->o->scan->per);
  return counts_of_held(l, element, own, build_element(l->a, held->symbol, k));
}

/* One element between memory and a tile, or of two tiles. Where it may be outside of the dimension, stores leave it
 * out, and loads give the identity. */
static void copy_item(Realising *r, const NestStage *s) {
  Lowering *l = r->l;
  Arena *a = l->a;
  const NestAxis *row = r->above.at[r->above.n > 1 ? r->above.n - 2 : 0].axis;
  Tree *element[2], *exists = NULL;
  const NestValue *to = s->at.at[0].value;
  const bool held = to->of && to->type == TYPE_VOID, as_stored = held || to->type == TYPE_STORED;
  Tree *at = NULL;
  for (int i = 0; i < 2; i++) {
    const NestValue *v = s->at.at[i].value;
    View tile = {.source.base = v->symbol, .begin = build_index(a, 0), .step = build_index(a, 1)};
    at = v->of ? iterations_in_array(r, v->kept.at, v->kept.n) : lowering_size(l, "i", iterations_position(r));
    const bool handed = !v->of && handed_is(v->view);
    const bool tiled = i == 0 && v->of;
    element[i] = handed ? at : tiled ? iterations_in_tile(r, v) : view_element(l, v->of ? &tile : v->view, at);
    if (as_stored && !v->of) element[i] = iterations_as_it_lies(l, v->view, at);
    if (!v->of && row->tail == TAIL_IDENTITY) exists = tails_within(l, row->dim, at);
  }
  const bool load = exists && to->of;
  if (!to->of && handed_is(to->view)) {
    Block b;
    if (exists) block_open(l, &b);
    if (s->at.n > 2) element[1] = iterations_added(l, s->at.at[2].value->now, element[1]); /* and before the tile */
    handed_put(l, to->view, element[0], element[1], NULL);
    if (exists) block_close_guarded(l, &b, exists);
    return;
  }
  if (to->of && !held && r->o->scan) element[1] = of_held(r, s->at.at[1].value, at, element[1], !exists);
  const Spectrum *op = row->dim->op;
  if (load && held) { /* nobody reads it elsewhere */
    lowering_add(l, build_if(a, exists, build_assign(a, element[0], element[1])));
    return;
  }
  Tree *identity = load ? operator_identity(a, op->op, op->result) : NULL;
  if (load && as_stored) identity = tree_unary(a, OP_CAST, TYPE_STORED, identity);
  if (load) element[1] = build_choice(a, exists, element[1], identity);
  Tree *store = build_assign(a, element[0], element[1]);
  lowering_add(l, exists && !load ? build_if(a, exists, store) : store);
}

/* ---- numbers, and codelets on tiles ---- */

/* A matrix unit's part of a tile: what is read of memory; what it says of that; or the items, of that, from a number
 * on, or from nothing: in registers, or where they go in memory. */
static void by_unit(Realising *r, const NestStage *s) {
  enum { TO, FROM, PARTS, WHOLE, NUMBER, SUMS = 2, LOAD = 3 };
  Lowering *l = r->l;
  Arena *a = l->a;
  const NestValue *to = s->at.at[TO].value, *from = s->at.at[FROM].value, *memory = to->of ? from : to;
  Tree *rows = (to->of ? to : from)->kept.at[0]->extent, *at = iterations_position(r);
  Tree *end = r->above.at[0].axis->dim->end;
  if (s->at.n == SUMS) {
    Tree *const kids[] = {from->kept.at[0]->extent, tree_ref(a, to->symbol), tree_ref(a, from->symbol)};
    lowering_add(l, build_tree(a, OP_UNIT_SUMS, TYPE_VOID, kids, 3));
    return;
  }
  Tree *there = memory->of ? NULL : build_element(a, memory->view->source.base,
                                                  memory->begin ? build_add(a, memory->begin, at) : at);
  if (s->at.n == LOAD) {
    Tree *const kids[] = {rows, tree_ref(a, to->symbol), there, at, end, s->at.at[PARTS].value->now};
    lowering_add(l, build_tree(a, OP_UNIT_LOAD, TYPE_VOID, kids, 6));
    return;
  }
  const Spectrum *op = s->codelet->spectrum;
  Tree *first = s->at.n > NUMBER ? s->at.at[NUMBER].value->now : operator_identity(a, op->op, op->result);
  Tree *own = tree_ref(a, from->symbol), *parts = tree_ref(a, s->at.at[PARTS].value->symbol);
  Tree *const scan[] = {rows, there ? NULL : tree_ref(a, to->symbol), own, parts, first};
  Tree *const store[] = {there, own, parts, first, at, end, s->at.at[WHOLE].value->now, rows};
  lowering_add(l, there ? build_tree(a, OP_UNIT_STORE, TYPE_VOID, store, 8)
                        : build_tree(a, OP_UNIT_SCAN, TYPE_VOID, scan, 5));
}

/* All of a scan's codelet on a lane's items, in place, from a number on, or from nothing; it may give a total. */
static void on_tiles(Realising *r, const NestStage *s) {
  Lowering *l = r->l;
  const Codelet *c = s->codelet;
  Tree *number = operator_identity(l->a, c->spectrum->op, c->spectrum->result);
  View *items = iterations_in_registers(r, s->at.at[0].value), *read = items;
  NestValue *total = NULL;
  for (int i = 1; i < s->at.n; i++) {
    NestValue *v = s->at.at[i].value;
    if (s->at.at[i].use == USE_ACCUMULATE) total = v;
    else if (v->of) read = iterations_in_registers(r, v);
    else number = v->now;
  }
  Arguments in = {.n = c->nparams};
  for (int i = 0; i < c->nparams; i++)
    in.at[i] = c->params[i]->rank ? (Argument){.view = i ? items : read} : (Argument){.number = number};
  const Place lane = lowering_place(l, arch_lane(l->plan->machine));
  NestValue found = {.name = "total"};
  Destination to = {.kind = total ? TO_REGISTER : TO_NOWHERE, .value = &found};
  inline_codelet(l, c, &c->plain, &lane, &in, &to);
  if (total) total->now = found.now;
}

/* Of an item of each lane, and of totals. */
static void number(Realising *r, const NestStage *s) {
  Lowering *l = r->l;
  Arena *a = l->a;
  NestValue *to = s->at.at[0].value;
  const NestValue *from = s->at.at[1].value;
  Tree *own = r->above.n ? r->above.at[r->above.n - 1].number : NULL;
  Tree *value = from->of ? iterations_in_tile(r, from) : from->view ? view_element(l, from->view, own) : from->now;
  const bool two = s->at.n > 2;
  if (two) value = tree_binary(a, operator_op(s->op), value->type, value, s->at.at[2].value->now);
  if (to->of || to->view)
    lowering_add(l, build_assign(a, to->of ? iterations_in_tile(r, to) : view_element(l, to->view, own), value));
  else if (to->space == NEST_SHARED) { /* of lanes that all have it the first one's */
    const NestAxis *workers = to->kept.at[0];
    to->symbol = lowering_shared(l, to->name, value->type, workers->extent);
    Tree *store = build_assign(a, build_element(a, to->symbol, workers->number), value);
    lowering_add(l, build_if(a, lowering_is_first(l, OP_LANE), store));
  } else if (two) to->now = tree_ref(a, lowering_fixed(l, to->name, value->type, value));
  else if (from->of) {
    Symbol *item = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, to->name), value->type);
    lowering_add(l, build_declare(a, item, value));
    to->now = tree_ref(a, item);
  } else to->now = value;
}

static Tree *element(Realising *r, const NestValue *v) {
  return view_element(r->l, v->view, r->at ? iterations_position(r) : build_index(r->l->a, 0));
}

static void fill(Realising *r, const NestStage *s) {
  Tree *to = element(r, s->at.at[0].value);
  lowering_add(r->l, build_assign(r->l->a, to, operator_identity(r->l->a, s->op, to->type)));
}

/* Where copies of an element lie side by side, each lane begins with a copy of its own: in another bank than its
 * neighbours. */
static Tree *place_of_copy(Realising *r, const NestValue *from, Tree *at, Tree *k) {
  Arena *a = r->l->a;
  const NestAxis *copy = from->kept.at[0], *lane = r->above.at[r->above.n - 1].axis;
  if (from->copy_stride) return build_add(a, build_mul(a, build_cast(a, TYPE_INDEX, k), from->copy_stride), at);
  Tree *which = build_add(a, k, lane->number);
  return build_add(a, build_mul(a, at, copy->extent), tree_binary(a, OP_REM, TYPE_INT, which, copy->extent));
}

static void combine(Realising *r, const NestStage *s) {
  Lowering *l = r->l;
  Arena *a = l->a;
  Tree *to = element(r, s->at.at[0].value), *at = iterations_position(r), *zero = tree_int(a, TYPE_INT, 0);
  const NestValue *from = s->at.at[1].value;
  const NestAxis *copy = from->kept.at[0];
  Symbol *k = block_counter(l, "k", TYPE_INT), *sum = block_counter(l, "sum", to->type);
  Tree *all = tree_ref(a, sum), *which = place_of_copy(r, from, at, tree_ref(a, k));
  Tree *add = tree_binary(a, operator_op(s->op), to->type, all, view_element(l, from->view, which));
  add = build_assign(a, all, add);
  lowering_add(l, build_declare(a, sum, operator_identity(a, s->op, to->type)));
  lowering_add(l, build_for(a, k, zero, copy->extent, tree_int(a, TYPE_INT, 1), tree_seq(a, &add, 1)));
  lowering_add(l, build_assign(a, to, all));
}

static void deliver(Realising *r, const NestNode *n) {
  const NestValue *v = n->stage->at.at[0].value;
  Kept *k = r->o ? &r->o->kept : NULL;
  Tree *value = v->now ? v->now : inline_expression(r->l, &k->shared, (Tree *)k->result);
  lowering_deliver(r->l, &n->work->place, value, n->work->to);
}

/* All of a codelet, by a place's lanes together. */
static void run(Realising *r, const NestNode *n) {
  Work *w = n->work;
  inline_codelet(r->l, n->stage->codelet, w->form, &w->place, &w->in, w->to);
}

/* Is one element of a tile meant, or 16 bytes? */
static bool has_element(const Realising *r, const NestStage *s) {
  const NestValue *tile = s->at.at[s->at.at[0].value->of ? 0 : 1].value;
  return iterations_number_of(r, tile->kept.at[tile->kept.n - 1]) != NULL;
}

/* Of products that begin, or are waited for, the array that they are added up in, too: it has a name only now. */
static void tell(Realising *r, const NestStage *s) {
  Arena *a = r->l->a;
  const bool begins = s->sync->op == OP_BEGIN_SUMS;
  if ((!begins && s->sync->op != OP_AWAIT_PRODUCTS) || !s->at.n) { lowering_add(r->l, s->sync); return; }
  Tree *sums = tree_ref(a, s->at.at[0].value->symbol), *kids[] = {begins ? sums : s->sync->kid[0], sums};
  lowering_add(r->l, tree_with_kids(a, s->sync, kids, begins ? 1 : 2));
}

/* Is it from one tile of a run to another? */
static bool is_held(const Realising *r, const NestStage *s) {
  return r->o && !r->o->scan && s->at.at[0].value->of && s->at.at[1].value->of;
}

static bool by_elements(const Realising *r) {
  return r->o && (r->o->how == BY_ELEMENTS || (r->o->item && iterations_number_of(r, r->o->item)));
}

void stages_write(Realising *r, const NestNode *n) {
  const NestStage *s = n->stage;
  const bool parts = r->o && r->o->element;
  if (r->o && r->o->tiles && s->kind != STAGE_SYNC) {
    const bool written = r->o->tiles->windows && window_stages_write(r, s);
    if (!written) (r->o->tiles->packed ? packed_stages_write : tile_stages_write)(r, n);
    return;
  }
  if (r->o && r->o->rows && s->kind != STAGE_DELIVER) { unit_rows_write(r, n); return; }
  switch (s->kind) {
    case STAGE_CODELET: codelet(r, s); break;
    case STAGE_NUMBER: number(r, s); break;
    case STAGE_WHOLE:
      if (n->work) run(r, n);
      else (!r->o->scan ? codelet : s->codelet->rows ? by_unit : r->o->scan->again ? rescan_row : on_tiles)(r, s);
      break;
    case STAGE_BEGIN: kept_declare(&r->o->kept); break;
    case STAGE_RESULT: *s->at.at[0].value->view = kept_results(&r->o->kept); break;
    case STAGE_FILL: fill(r, s); break;
    case STAGE_COMBINE: combine(r, s); break;
    case STAGE_COPY:
      if (s->sync) lowering_add(r->l, s->sync);
      else if (r->o && r->o->scan && s->at.at[1].value->space == NEST_SHARED) rescan_store_beside(r, s);
      else if (!s->at.at[0].value->of && !s->at.at[1].value->of) copy_element(r, s);
      else if (parts) copy_in_slot(r, s);
      else if (is_held(r, s)) copy_held(r, s);
      else if (by_elements(r)) copy_guarded(r, s);
      else (has_element(r, s) ? copy_item : copy_wide)(r, s);
      break;
    case STAGE_DELIVER: deliver(r, n); break;
    case STAGE_SYNC: tell(r, s); break;
  }
}
