/* vectorise.c: which loops go through memory wider than an element at a time, how their elements are cut into axes, and
 * the stage that runs on these: 16-byte loads of a GPU's lanes, vectors of a CPU. All of them are decided here.
 *
 *   loads    lanes read 16 bytes each, several loads in flight; each element of a load is a slot's, which runs the
 *            codelet with variables of its own. What the slots return is a container of results: it is the cover of the
 *            strided codelet, with a grain of 16 bytes
 *   vectors  of a CPU: a lane has one element of each; the vectors in flight are its slots
 *   alone    one lane has a run to itself: the same loads, its elements in their order, one set of variables
 *   elements a gather takes two loads, one after the other: a lane loads several elements before it uses the first one,
 *            in their order, with one set of variables; short runs need no multiple of 16 bytes
 *   parts    16 bytes of neighbouring parts' elements, a slot each
 *   rows     of a CPU's lanes, a row each: as many elements as there are lanes are read by rows, and transposed
 *
 * Requires a codelet that kept.c takes apart: it goes through its first container once, element by element, and what
 * its elements come from lies in runs of memory, cut like the first one; 16 bytes of what is written are 16 bytes, or
 * several times as many, of the first one. Of parts, it writes to none; of rows, any body that takes elements does.
 * Keeps each slot's own order, and what each element is used for. Breaks the order between slots. */
#include "lower/realise.h"

bool runs_are_known(const Tree *t) {
  const SymbolKind kind = t->op == OP_REF ? t->symbol->kind : SYMBOL_LOCAL;
  if (t->op == OP_REF) return kind == SYMBOL_CONSTANT || (kind == SYMBOL_PARAM && !t->symbol->pointer);
  if (t->op != OP_INT && t->nkids == 0) return false;
  for (int i = 0; i < t->nkids; i++)
    if (!runs_are_known(t->kid[i])) return false;
  return true;
}

/* Is the container read in the loop: in more than `out[i] = ..'? Is it written? */
typedef struct Use { const Symbol *container; bool read, written; } Use;

static bool find_use(void *context, const Tree *t) {
  Use *u = context;
  if (tree_is_element_of(t, u->container)) u->read = true;
  if (t->op != OP_ASSIGN || !tree_is_element_of(t->kid[0], u->container)) return true;
  u->written = true;
  u->read |= t->compound != 0;
  tree_visit(t->kid[1], find_use, u);
  return false;
}

/* Is each element stored, whatever it is? */
static bool surely_stores(const Tree *t, const Symbol *container) {
  if (t->op == OP_ASSIGN) return tree_is_element_of(t->kid[0], container);
  if (t->op == OP_IF)
    return t->nkids == 3 && surely_stores(t->kid[1], container) && surely_stores(t->kid[2], container);
  for (int i = 0; t->op == OP_SEQ && i < t->nkids; i++)
    if (surely_stores(t->kid[i], container)) return true;
  return false;
}

/* How the loop uses the container. An element that is not stored stays what it was, so it is read too where all of 16
 * bytes are stored. */
static Use use_in(const Tree *body, const Symbol *container) {
  Use use = {.container = container};
  tree_visit(body, find_use, &use);
  if (use.written)
    use.read |= !surely_stores(body, container) || tree_contains(body, OP_CONTINUE) || tree_contains(body, OP_BREAK);
  return use;
}

static bool add_memory(Lowering *l, View *v, Tree *before, const Use *use, Runs *to);

static bool add_inner(Lowering *l, const View *v, Tree *before, const Use *use, Runs *to) {
  for (int i = v->source.kind == VIEW_GATHER; i < v->source.nof; i++) /* what is gathered lies anywhere */
    if (!add_memory(l, v->source.of[i], before, use, to)) return false;
  return true;
}

/* Adds the memory that a view's elements come from; false where it does not lie element by element. Within another view
 * elements stand `before' further on; NULL: it is the outermost, and a position is one of its own. */
static bool add_memory(Lowering *l, View *v, Tree *before, const Use *use, Runs *to) {
  if (before && v->source.nof && !build_is(v->step, 1)) return false;
  switch (v->source.kind) {
    case VIEW_TRANSFORM:
    case VIEW_GATHER:
      return add_inner(l, v, before ? build_add(l->a, before, v->begin) : build_index(l->a, 0), use, to);
    case VIEW_MEMORY: {
      /* a thread's own copy */
      bool own = l->plan->machine->is_cpu && v->source.base && v->source.base->kind == SYMBOL_SHARED;
      if (!v->source.base || !(v->source.base->pointer || own) || v->plane.columns) return false;
      if (before && !build_is(v->step, 1)) return false;
      Run made = {nest_value(l->a, v->source.base->name, NEST_MEMORY), use->read, use->written};
      made.value->view = v;
      made.value->begin = before ? build_add(l->a, before, view_in_base(l, v, v->begin)) : v->source.origin;
      vec_push(l->a, to, made);
      return true;
    }
    default: return true;
  }
}

bool vectorise_in_16_bytes(const NestValue *other, const NestValue *first) {
  const Type own = other->view->source.base->type, of = first->view->source.base->type;
  return own == of || (of == TYPE_STORED && own == TYPE_ELEM);
}

static bool contributes(const Codelet *c) {
  for (int i = 0; i < c->nparams; i++)
    if (c->params[i]->rank && c->params[i]->atomic) return true;
  return false;
}

typedef struct AtHand { const Symbol *container, *index; bool found; } AtHand;

static bool find_at_hand(void *context, const Tree *t) {
  AtHand *x = context;
  x->found |= tree_is_element_of(t, x->container) && t->kid[1]->op == OP_REF && t->kid[1]->symbol == x->index;
  return !x->found;
}

/* What is contributed to, and lies as the first container: at the place of the element at hand, or at places that are
 * data. Not both: the loop's variable means an element of 16 bytes or a position. */
static bool contributes_in_one_way(const Tree *loop, const Symbol *to) {
  AtHand x = {to, loop->kid[0]->symbol, false};
  tree_visit(loop->kid[3], find_at_hand, &x);
  return !x.found || plan_uses_elements(loop->kid[3], to, x.index);
}

/* Is each element that the loop has of it the one at hand? in[2 * i] lies elsewhere than 16 bytes of in[i]. */
static bool is_at_hand(const Tree *loop, const Symbol *container) {
  return plan_uses_elements(loop->kid[3], container, loop->kid[0]->symbol);
}

static bool runs_of(Lowering *l, const Codelet *c, const Tree *loop, const Arguments *in, Runs *to) {
  const View *first = lowering_container(in);
  const bool by_place = contributes(c);
  for (int i = 0; i < c->nparams; i++) {
    const Use use = use_in(loop->kid[3], c->params[i]);
    View *v = in->at[i].view;
    if (!v || (!use.read && !use.written)) continue;
    const bool aligned = view_aligned(v, first);
    if (c->params[i]->atomic && aligned && !contributes_in_one_way(loop, c->params[i])) return false;
    if (c->params[i]->atomic) continue; /* it stays in memory */
    if (!aligned && by_place && !use.written && v->source.kind == VIEW_MEMORY) continue; /* looked up, wherever */
    if (!aligned || !is_at_hand(loop, c->params[i]) || !add_memory(l, v, NULL, &use, to)) return false;
  }
  for (int i = 1; i < to->n; i++)
    if (to->at[i].written && !vectorise_in_16_bytes(to->at[i].value, to->at[0].value)) return false;
  return to->n > 0;
}

/* Finds the memory that elements come from, one after the other; what is gathered lies anywhere. */
static void find_runs(Opened *o, View *v, Tree *at) {
  Arena *a = o->l->a;
  Tree *there = build_add(a, v->begin, build_mul(a, at, v->step));
  for (int i = v->source.kind == VIEW_GATHER; i < v->source.nof; i++) find_runs(o, v->source.of[i], there);
  if (v->source.kind != VIEW_MEMORY) return;
  Run made = {.value = nest_value(a, v->source.base->name, NEST_MEMORY), .read = true};
  made.value->view = v;
  made.value->begin = view_in_base(o->l, v, there);
  vec_push(a, &o->runs, made);
}

/* Does it go through its containers once, element by element, and write to none? */
static bool iterates_alike(const Kept *k) {
  const Codelet *c = k->codelet;
  for (int i = 0; i < c->nparams; i++) {
    const Symbol *p = c->params[i];
    if (p->rank && (p->writable || p->atomic)) return false;
    for (int n = 0; p->rank && n < k->body->nkids; n++) {
      const Tree *t = k->body->kid[n];
      if (!plan_uses_elements(t == k->loop ? t->kid[3] : t, p, t == k->loop ? t->kid[0]->symbol : NULL)) return false;
    }
  }
  return kept_loop_is(k, inline_takes_elements);
}

/* Is something gathered for its elements? */
static bool is_gathered(const View *v) {
  if (v->source.kind == VIEW_GATHER) return true;
  for (int i = 0; i < v->source.nof; i++)
    if (is_gathered(v->source.of[i])) return true;
  return false;
}

bool vectorise_gathers(const Arguments *in) {
  for (int i = 0; i < in->n; i++)
    if (in->at[i].view && is_gathered(in->at[i].view)) return true;
  return false;
}

bool vectorise(Opened *o, const Arguments *in) {
  Lowering *l = o->l;
  o->kept = kept_of(l, o->kept.codelet, in, o->place);
  const Kept *k = &o->kept;
  for (int i = 0; i < in->n && o->how == BY_PARTS; i++)
    if (in->at[i].view) find_runs(o, in->at[i].view, tree_ref(l->a, o->element));
  if (!k->in || !k->loop || l->program->element == TYPE_BOOL) return false;
  if (o->how == BY_PARTS) return iterates_alike(k);
  if (!k->in->spread || k->codelet->kind != CLASS_AUTONOMOUS) return false;
  if (!runs_of(l, k->codelet, k->loop, in, &o->runs)) return false;
  const bool there = lowering_there(l) != NULL;
  for (int i = 0; i < o->runs.n && there; i++) /* stores of whole rounds, by workers that have no part */
    if (o->runs.at[i].written) return false;
  return kept_loop_is(k, inline_loops_over_container);
}

/* ---- what identities do ---- */

/* Is the loop's body `x op= in[i]' or `x = max(x, in[i])' with the spectrum's operator? Then an identity changes
 * nothing. */
static bool absorbs_identity(const Opened *o) {
  const Spectrum *spectrum = o->plan->rule->spectrum;
  const Codelet *c = o->kept.codelet;
  const View *in = o->kept.in;
  if (o->runs.n != 1 || in->source.kind != VIEW_MEMORY ||
      (spectrum->lacks_identity && in->source.base->type == TYPE_STORED))
    return false;
  static const struct { OperatorKind kind; Op op; bool compound; } forms[] = {
      {OPERATOR_ADD, OP_ADD, true}, {OPERATOR_MUL, OP_MUL, true}, {OPERATOR_AND, OP_AND, true},
      {OPERATOR_OR, OP_OR, true}, {OPERATOR_XOR, OP_XOR, true}, {OPERATOR_MAX, OP_MAX, false},
      {OPERATOR_MIN, OP_MIN, false}, {OPERATOR_USER, OP_APPLY, false}};
  const Tree *t = o->kept.loop->kid[3];
  while (t->op == OP_SEQ && t->nkids == 1) t = t->kid[0];
  if (t->op != OP_ASSIGN || t->kid[0]->op != OP_REF) return false;
  const Tree *element = t->kid[1];
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    if (forms[i].kind != spectrum->op) continue;
    if (forms[i].compound && t->compound != forms[i].op) return false;
    if (!forms[i].compound) {
      if (t->compound || element->op != forms[i].op || !tree_equal(element->kid[0], t->kid[0])) return false;
      element = element->kid[1];
    }
    return element->op == OP_INDEX && element->kid[0]->op == OP_REF && element->kid[0]->symbol == c->params[0];
  }
  return false;
}

/* ---- axes ---- */

NestAxis *vectorise_dimension(const Opened *o) {
  Lowering *l = o->l;
  View *in = o->kept.in;
  const bool parts = o->how == BY_PARTS, rows = o->how == BY_ROWS;
  const NestRole role = rows ? ROLE_ORDER : o->kept.result ? ROLE_REDUCE : ROLE_MAP;
  Tree *origin = parts || rows ? build_index(l->a, 0) : in->spread->dim->origin;
  NestAxis *x = nest_dimension(l->a, "n", role, origin, parts || rows ? view_size(l, in) : in->end);
  x->name = rows ? o->element->name : "i";
  x->unroll = l->plan->machine->is_cpu ? UNROLL_FREE : UNROLL_NONE;
  x->tail = TAIL_PEEL;
  x->dim->op = role == ROLE_REDUCE ? o->plan->rule->spectrum : NULL;
  return x;
}

NestAxis *vectorise_lanes(const Opened *o, NestAxis *of) {
  const NestAxis *spread = o->kept.in->spread;
  return nest_split_workers(o->l->a, of, "lane", spread->extent, o->place->level->name, spread->number);
}

void vectorise_cut(Opened *o, Tree *per, Tree *loads) {
  static const NestTail tails[] = {[BY_LOADS] = TAIL_GUARD, [BY_VECTORS] = TAIL_PEEL, [BY_ONE_LANE] = TAIL_CLIP,
                                   [BY_ELEMENTS] = TAIL_GUARD, [BY_PARTS] = TAIL_SKIP, [BY_ROWS] = TAIL_CLIP};
  Arena *a = o->l->a;
  o->rounds = vectorise_dimension(o);
  const bool lanes = o->how == BY_ELEMENTS && !build_is(o->kept.in->spread->extent, 1);
  if (o->how == BY_LOADS || o->how == BY_VECTORS || lanes) o->lane = vectorise_lanes(o, o->rounds);
  if (o->how == BY_VECTORS) o->lane->binding = BINDING_IN_STEP;
  if (per) {
    o->rounds->dim->aligned_by = o->runs.at[0].value;
    o->wide = nest_split(a, o->lane ? o->lane : o->rounds, "wide", per, BINDING_WIDE);
    o->slot = nest_again(a, o->wide, "s", BINDING_UNROLL, TAIL_NONE);
  }
  o->load = nest_split(a, o->rounds, o->how == BY_VECTORS ? "s" : "k", loads, BINDING_UNROLL);
  o->load->tail = o->how == BY_LOADS && absorbs_identity(o) ? TAIL_IDENTITY : tails[o->how];
  if (!o->slot) o->slot = o->load;
  if (o->how == BY_ROWS) o->wide = nest_again(a, o->load, "wide", BINDING_WIDE, TAIL_NONE);
}

NestNode *vectorise_stage(const Opened *o, NestValue *const *tiles) {
  Arena *a = o->l->a;
  NestNode *stage = nest_stage(a, STAGE_CODELET, o->kept.codelet);
  for (int i = 0; i < o->runs.n; i++) {
    const Run *x = &o->runs.at[i];
    NestValue *v = tiles && tiles[i] ? tiles[i] : x->value;
    if (x->read) nest_access(a, stage, v, USE_READ);
    if (x->written) nest_access(a, stage, v, USE_WRITE);
  }
  if (o->accumulator) nest_access(a, stage, o->accumulator, USE_ACCUMULATE);
  return stage;
}
