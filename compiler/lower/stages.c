/* stages.c: what is done with an element, or 16 bytes of them, as statements of the loops that realise.c has written around.
 *
 * Requires that realise.c says which iterations those are. Keeps the nest as it is. */
#include "lower/stages.h"

#include "ir/operator.h"
#include "lower/block.h"

void stages_enter(Realising *r, const NestAxis *axis, Tree *number) {
  Iteration at = {axis, number};
  vec_push(r->l->a, &r->above, at);
}

void stages_leave(Realising *r) { r->above.n--; }

/* ---- positions ---- */

static bool is_same_factor(const NestAxis *x, const NestAxis *y) {
  return x->dim == y->dim && tree_equal(x->stride, y->stride) && tree_equal(x->extent, y->extent);
}

/* Which iteration of the axis is written; NULL: it is not among those above. */
static Tree *number_of(const Realising *r, const NestAxis *axis) {
  for (int i = r->above.n - 1; i >= 0; i--)
    if (is_same_factor(r->above.at[i].axis, axis)) return r->above.at[i].number;
  return NULL;
}

/* Where in an array that is kept by these axes its element of this iteration is. */
static Tree *in_array(const Realising *r, NestAxis *const *axes, int n) {
  Arena *a = r->l->a;
  Tree *index = NULL;
  for (int i = 0; i < n; i++) {
    Tree *number = number_of(r, axes[i]);
    if (!number) number = tree_int(a, TYPE_INT, 0);
    index = index ? build_add(a, build_mul(a, index, nest_extent(axes[i])), number) : number;
  }
  return index;
}

/* The position of this iteration's element; what is repeated beyond the end is another part's. */
static Tree *position(const Realising *r) {
  Tree *at = r->at;
  for (int i = 0; i < r->above.n; i++) {
    const Iteration *x = &r->above.at[i];
    const bool loops = x->axis->binding == BINDING_WORKERS || x->axis->binding == BINDING_LOOP;
    if (loops || !x->number || x->axis->tail == TAIL_REPEAT) continue;
    at = build_add(r->l->a, at, build_mul(r->l->a, x->number, x->axis->stride));
  }
  return at;
}

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

/* A container whose memory is what tiles have of it; `place': where this iteration's element stands in it, which is meant by
 * its number in the tiles; NULL: by its position. */
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
    made->begin = build_index(l->a, 0);
  }
  return made;
}

static bool reads_tiles(const NestStage *s) {
  for (int i = 0; i < s->at.n; i++)
    if (s->at.at[i].value->of) return true;
  return false;
}

/* A container as a slot's part has it: so far `ahead' of the first one (NULL: there is one), and its memory is what tiles
 * have. `here': the element's number; NULL: any, and wherever it lies. */
static View *in_slot(Realising *r, const NestStage *s, View *v, Tree *ahead, Tree *here) {
  Arena *a = r->l->a;
  View *made = view_new(r->l, *v);
  if (v->source.beside && ahead) {
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
    made->begin = in_array(r, tile->kept.at, tile->kept.n);
    made->step = build_index(a, 0);
    break;
  }
  return made;
}

/* The codelet's loop body on the element of this iteration: in memory, or in tiles; or all of it, on a slot's part. */
static void codelet(Realising *r, const NestStage *s) {
  Lowering *l = r->l;
  Kept *k = &r->o->kept;
  const bool parts = r->o->element != NULL, tiles = reads_tiles(s) && !parts, whole = s->kind == STAGE_WHOLE;
  Tree *slot = k->slots ? number_of(r, r->o->slot) : NULL, *here = whole ? NULL : position(r);
  if (k->slots && !slot) slot = tree_int(l->a, TYPE_INT, 0);
  NestAxis *const element[] = {r->o->load, r->o->slot};
  Block b;
  Tree *exists = guard(r, STAGE_CODELET), *ahead = parts && slot ? tails_slot(l, slot, false) : NULL;
  if (exists) block_open(l, &b);
  if (whole) ahead = lowering_size(l, "ahead", ahead);
  Environment e = kept_environment(k, slot);
  for (int i = 0; i < e.arguments.n; i++) {
    View *old = e.arguments.at[i].view;
    if (!old || k->codelet->params[i]->atomic) continue;
    View *made = parts ? in_slot(r, s, old, ahead, here) : in_tiles(r, s, old, tiles ? here : NULL);
    if (!parts) made->begin = k->in->begin; /* aligned: meant by position from here on */
    e.arguments.at[i].view = made;
    if (old == k->in) e.view = made;
  }
  if (!parts) inline_by_position(l, &e, k->in, tiles ? here : NULL);
  if (whole) {
    Destination to = {.kind = TO_PLACE, .place = view_element(l, s->at.at[0].value->view, slot)};
    inline_codelet(l, k->codelet, &k->codelet->plain, r->o->place, &e.arguments, &to);
  } else {
    inline_bind(l, &e, k->loop->kid[0]->symbol, tiles ? in_array(r, element, 2) : here, NULL);
    inline_statements(l, &e, k->loop->kid[3], NULL);
  }
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
  Tree *slot = number_of(r, r->o->slot), *there = build_with(a, memory->begin, r->o->element, position(r));
  Tree *to = build_element(a, tile->symbol, in_array(r, tile->kept.at, tile->kept.n));
  if (slot) there = build_add(a, there, tails_slot(l, slot, r->otherwise));
  Tree *from = build_element(a, memory->view->source.base, there);
  const bool wide = memory->view->source.beside && !slot;
  Tree *load = wide ? tree_binary(a, OP_LOAD_WIDE, TYPE_VOID, to, from) : build_assign(a, to, from);
  if (wide) load->move = WIDE_ONCE;
  lowering_add(l, load);
}

/* An element of a container that is a copy of another one; or what a slot gave, to where all can see it. */
static void copy_element(Realising *r, const NestStage *s) {
  Lowering *l = r->l;
  View *to = s->at.at[0].value->view;
  Tree *index = to->source.copying ? position(r) : number_of(r, r->o->slot);
  Tree *place = to->source.copying ? build_element(l->a, to->source.base, index) : view_element(l, to, index);
  lowering_add(l, build_assign(l->a, place, view_element(l, s->at.at[1].value->view, index)));
  if (to->source.copying) to->source.copying->made = true;
}

/* 16 bytes between memory and a tile; of a type whose elements are larger, several times as many. */
static void copy_wide(Realising *r, const NestStage *s) {
  Lowering *l = r->l;
  Arena *a = l->a;
  const bool store = s->at.at[0].value->space == NEST_MEMORY;
  const NestValue *memory = s->at.at[store ? 0 : 1].value, *tile = s->at.at[store ? 1 : 0].value;
  const NestValue *first = r->o->rounds->dim->aligned_by;
  const NestAxis *wide = tile->kept.at[1];
  Tree *width = build_width(a, memory->view->source.base->type), *more = tree_int(a, TYPE_INT, 0);
  const bool several = memory->view->source.base->type != first->view->source.base->type;
  Symbol *part = several ? block_counter(l, "part", TYPE_INT) : NULL;
  if (several) more = build_mul(a, tree_ref(a, part), width);
  Block guarded, parts;
  Tree *exists = guard(r, STAGE_COPY), *at = build_add(a, position(r), more);
  stages_enter(r, wide, more);
  Tree *own = build_element(a, tile->symbol, in_array(r, tile->kept.at, tile->kept.n));
  stages_leave(r);
  Tree *there = build_element(a, memory->view->source.base, memory->begin ? build_add(a, memory->begin, at) : at);
  Tree *move = store ? tree_binary(a, OP_STORE_WIDE, TYPE_VOID, there, own)
                     : tree_binary(a, OP_LOAD_WIDE, TYPE_VOID, own, there);
  move->move = r->ahead || memory == first ? WIDE_ALIGNED : WIDE_ANYWHERE;
  if (exists) block_open(l, &guarded);
  if (several) block_open(l, &parts);
  lowering_add(l, move);
  if (several) block_close_unrolled(l, &parts, part, build_div(a, wide->extent, width));
  if (exists) block_close_guarded(l, &guarded, exists);
}

static Tree *element(Realising *r, const NestValue *v) {
  return view_element(r->l, v->view, r->at ? position(r) : build_index(r->l->a, 0));
}

static void fill(Realising *r, const NestStage *s) {
  Tree *to = element(r, s->at.at[0].value);
  lowering_add(r->l, build_assign(r->l->a, to, operator_identity(r->l->a, s->op, to->type)));
}

/* Each lane begins with a copy of its own: in another bank than its neighbours. */
static void combine(Realising *r, const NestStage *s) {
  Lowering *l = r->l;
  Arena *a = l->a;
  Tree *to = element(r, s->at.at[0].value), *at = position(r), *zero = tree_int(a, TYPE_INT, 0);
  const NestValue *from = s->at.at[1].value;
  const NestAxis *copy = from->kept.at[0], *lane = r->above.at[r->above.n - 1].axis;
  Symbol *k = block_counter(l, "k", TYPE_INT), *sum = block_counter(l, "sum", to->type);
  Tree *which = build_add(a, tree_ref(a, k), lane->number), *all = tree_ref(a, sum);
  which = build_add(a, build_mul(a, at, copy->extent), tree_binary(a, OP_REM, TYPE_INT, which, copy->extent));
  Tree *add = tree_binary(a, operator_op(s->op), to->type, all, view_element(l, from->view, which));
  add = build_assign(a, all, add);
  lowering_add(l, build_declare(a, sum, operator_identity(a, s->op, to->type)));
  lowering_add(l, build_for(a, k, zero, copy->extent, tree_int(a, TYPE_INT, 1), tree_seq(a, &add, 1)));
  lowering_add(l, build_assign(a, to, all));
}

void stages_write(Realising *r, const NestStage *s) {
  const bool parts = r->o && r->o->element;
  switch (s->kind) {
    case STAGE_CODELET: case STAGE_WHOLE: codelet(r, s); break;
    case STAGE_RESULT: *s->at.at[0].value->view = kept_results(&r->o->kept); break;
    case STAGE_FILL: fill(r, s); break;
    case STAGE_COMBINE: combine(r, s); break;
    case STAGE_COPY:
      if (!s->at.at[0].value->of && !s->at.at[1].value->of) copy_element(r, s);
      else if (parts) copy_in_slot(r, s);
      else copy_wide(r, s);
      break;
    case STAGE_NUMBER: case STAGE_PLAN: break;
  }
}
