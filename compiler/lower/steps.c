/* steps.c: spectra that a codelet applies one after another, all by the lanes of one place, or by a grid.
 *
 *     the plan of step 1       into a variable, or shared memory
 *     the plan of step 2       when the text comes to it, each lane has what step 1 gave, by a name
 *     ..
 *     deliver                  what the codelet returns
 *
 * A grid's steps are kernels, one after another, and what a step gives is in the workspace: kernels behind it begin
 * with its name, and with those of the numbers that are made of it (launch.c). Else what a step gives its leader has:
 * the lanes of a warp get it by a shuffle, those of a block from shared memory. Each lane computes the numbers between
 * the steps for itself.
 *
 * A step that reads what one before it wrote, or writes what one before it read, comes behind a barrier: other lanes
 * may have to do with the same elements.
 *
 * Requires a codelet's steps as front/compound.c takes them. Keeps their order. */
#include "ir/operator.h"
#include "ir/signature.h"
#include "ir/spectrum_tunables.h"
#include "ir/steps.h"
#include "lower/finished.h"
#include "lower/inline.h"
#include "lower/realise.h"

/* A codelet's steps that are being taken. They live as long as their nest. */
typedef struct Taking {
  const PlanNode *node;
  Steps steps;
  Environment e;
  Place place;              /* whose leader has what a step gives */
  Destination *to;          /* where what the codelet returns goes */
  StepStatements statements; /* of the codelet's text, */
  int statement;            /* .. the next one of them */
  int together;             /* the first step since the last barrier */
  VEC(View *) whole;        /* of the containers between them: as the text declares them */
  int shared;               /* so many steps' results all lanes have */
  Held held;                /* what lanes hold of rows */
  Tree *found[MOST_STEPS];  /* where a step's leader puts what it gives; NULL: it gives nothing */
  Tree *result[MOST_STEPS]; /* .. and what it is on all lanes, once that is so */
} Taking;

/* A step, by its number of all, behind the last one; or, where there is an axis, what ends that loop: whether the
 * condition holds behind the steps before `number'; or an element that is kept as it is there, by its declaration. */
typedef struct OneStep {
  Taking *all;
  int number;
  NestAxis *loop;
  const Tree *condition, *kept;
} OneStep;

/* An expression of the codelet's text, with what the steps gave for the calls in it. */
static Tree *with_results(const Taking *t, Arena *a, const Tree *x) {
  Tree *kids[MOST_OPERANDS];
  for (int i = 0; i < t->steps.n; i++)
    if (t->steps.call[i] == x) return t->result[i];
  if (!x->nkids || !tree_contains(x, OP_CALL)) return (Tree *)x;
  for (int i = 0; i < x->nkids; i++) kids[i] = with_results(t, a, x->kid[i]);
  return tree_with_kids(a, x, kids, x->nkids);
}

/* ---- what a step gives ---- */

/* The variable that the text declares it to be; NULL: there is none, or one of another type. */
static const Symbol *declared_by(const Taking *t, int step) {
  const Tree *call = t->steps.call[step];
  for (int i = 0; i < t->statements.n; i++) {
    const Tree *x = t->statements.at[i];
    if (x->op == OP_DECLARE && x->nkids && x->kid[0] == call && x->symbol->type == call->spectrum->result)
      return x->symbol;
  }
  return NULL;
}

static bool is_step(const Taking *t, const Tree *declare) {
  for (int i = 0; i < t->steps.n; i++)
    if (declared_by(t, i) == declare->symbol) return true;
  return false;
}

static const char *name_of(const Taking *t, int step) {
  const Symbol *s = declared_by(t, step);
  return s ? s->name : t->steps.call[step]->spectrum->name;
}

/* Whatever it may be as long as nobody has put anything there. */
static Tree *nothing(Lowering *l, Type type) {
  const bool state = type_is_state(type) || (type == TYPE_ELEM && l->program->monoid);
  return operator_identity(l->a, state ? OPERATOR_USER : OPERATOR_ADD, type);
}

static bool by_grid(const Taking *t) { return t->place.level->can.launched; }

/* Has the host not got it? Kernels compute it for themselves: it is made of what steps give, or lies in memory. */
static bool is_of_kernels(const Lowering *l, const Taking *t, const Tree *number) {
  return by_grid(t) && (lowering_is_computed(l, number) || tree_contains(number, OP_INDEX));
}

/* Of a grid: where kernels behind the step's find it; where it is what the codelet returns, where that goes. */
static Destination *make_room_in_memory(Lowering *l, Taking *t, int step, Type type) {
  if (steps_result(t->e.codelet) == t->steps.call[step]) return t->to;
  Arena *a = l->a;
  Destination *to = arena_one(a, Destination);
  Symbol *memory = lowering_pointer(l, arena_printf(a, "%s_found", name_of(t, step)), type);
  program_add_array(a, l->program, memory, build_index(a, 1));
  t->found[step] = build_element(a, memory, build_index(a, 0));
  *to = (Destination){.kind = TO_PLACE, .place = t->found[step]};
  return to;
}

/* Where the leader is to put it. */
static Destination *make_room(Lowering *l, Taking *t, int step) {
  Arena *a = l->a;
  const Type type = t->steps.call[step]->spectrum->result;
  Destination *to = arena_one(a, Destination);
  if (type == TYPE_VOID) return to;
  if (by_grid(t)) return make_room_in_memory(l, t, step, type);
  const char *name = t->place.leader ? arena_printf(a, "%s_found", name_of(t, step)) : name_of(t, step);
  Symbol *s;
  if (t->place.level->real == REAL_BLOCK) s = lowering_shared(l, name, type, NULL);
  else {
    s = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, name), type);
    s->writable = true;
    lowering_add(l, build_declare(a, s, nothing(l, type)));
  }
  t->found[step] = tree_ref(a, s);
  *to = (Destination){.kind = TO_PLACE, .place = t->found[step]};
  return to;
}

/* All lanes get what the leader has. */
static void share(Lowering *l, Taking *t, int step) {
  Arena *a = l->a;
  const Place *p = &t->place;
  Tree *value = t->found[step];
  if (!value) return;
  if (p->leader && p->level->real != REAL_BLOCK && p->level->real != REAL_CLUSTER) {
    const bool part = p->level->real == REAL_SUBWARP;
    Tree *first = part ? build_sub(a, build_lane(a, OP_LANE), p->lane) : tree_int(a, TYPE_INT, 0);
    value = tree_binary(a, OP_SHUFFLE, value->type, value, first);
    value->mode = SHUFFLE_INDEX;
  }
  if (p->leader) value = tree_ref(a, lowering_fixed(l, name_of(t, step), value->type, value));
  if (by_grid(t)) value = lowering_number(l, name_of(t, step), value->type, value);
  if (p->level->real == REAL_BLOCK) t->together = step + 1; /* there is a barrier between its store and their loads */
  t->result[step] = value;
  const Symbol *s = declared_by(t, step);
  if (s) inline_bind(l, &t->e, s, value, NULL);
}

/* Lanes wait for one another. */
static void wait(Lowering *l, const Taking *t, SourceRange where) {
  if (!t->place.leader) return;
  Tree *barrier = tree_new(l->a, OP_BARRIER, TYPE_VOID, where, 0);
  barrier->scope = t->place.level->real == REAL_BLOCK ? SCOPE_BLOCK : SCOPE_WARP;
  lowering_add(l, barrier);
}

/* Where lanes that exchange elements with others' could meet these in another step. */
static void separate(Lowering *l, Taking *t, int step) {
  bool meets = false;
  for (int i = t->together; i < step; i++) meets |= steps_conflict(t->steps.call[i], t->steps.call[step]);
  if (!meets || !t->place.leader) return;
  wait(l, t, t->steps.call[step]->where);
  t->together = step;
}

/* ---- the text ---- */

/* Is it how large an operand is? */
static bool is_size(const Lowering *l, const Tree *number) {
  const Signature *s = &l->program->signature;
  for (int i = 0; i < s->n; i++)
    if (s->at[i].kind == OPERAND_SIZE && number->op == OP_REF && number->symbol == s->at[i].symbol) return true;
  return false;
}

/* A container between a grid's steps, in the workspace. */
static void declare_container(Lowering *l, Taking *t, const Symbol *s) {
  Arena *a = l->a;
  const View *within = s->within ? inline_container(&t->e, s->within) : NULL;
  Symbol *memory = within ? within->source.base : lowering_pointer(l, s->name, s->type);
  Tree *extents[MOST_RANK], *all = build_index(a, 1);
  for (int d = 0; d < s->rank; d++) {
    Tree *many = inline_expression(l, &t->e, (Tree *)symbol_extent(s, d));
    if (many->op != OP_REF && many->op != OP_INT)
      many = lowering_size(l, arena_printf(a, s->rank > 1 ? "%s_size%d" : "%s_size", s->name, d), many);
    if (!is_size(l, many)) lowering_refuse_where(l, build_compare(a, OP_LT, many, build_index(a, 0)));
    extents[d] = many;
    all = d ? build_mul(a, all, many) : many;
  }
  if (!within) program_add_array(a, l->program, memory, all);
  View *whole = view_new(l, view_of_array(l, memory, extents, s->rank, build_index(a, 1)));
  whole->plane.alone = l->plan->spectrum->cuts && s->rank >= 2;
  vec_push(a, &t->whole, whole);
  vec_push(a, &t->e.between, ((Standing){s, view_new(l, *whole)}));
}

/* The numbers, and the containers, that are declared before the statement with that expression; NULL: all of them. */
static void declare_numbers(Lowering *l, Taking *t, const Tree *before) {
  for (; t->statement < t->statements.n; t->statement++) {
    const Tree *x = t->statements.at[t->statement];
    if (x->op == OP_FOR) continue; /* its counter is declared (add_steps) */
    if (before && tree_holds(x, before)) return;
    if (x->op == OP_DECLARE && x->symbol->rank) {
      declare_container(l, t, x->symbol);
      continue;
    }
    if (x->op != OP_DECLARE || x->symbol->kind != SYMBOL_LOCAL || is_step(t, x)) continue;
    Tree *value = with_results(t, l->a, x->kid[0]), *is = by_grid(t) ? inline_expression(l, &t->e, value) : NULL;
    if (is && is_of_kernels(l, t, is)) {
      const bool in_memory = !lowering_is_computed(l, is) && type_is_whole(x->symbol->type);
      Tree *number = in_memory ? build_cast(l->a, x->symbol->type, is) /* it may say how many elements there are */
                               : lowering_number(l, x->symbol->name, x->symbol->type, is);
      inline_bind(l, &t->e, x->symbol, number, NULL);
      continue;
    }
    const bool kept = !by_grid(t) && steps_keep(t->e.codelet, x); /* others wrote it, and will again */
    if (kept) wait(l, t, x->where);
    inline_declaration(l, &t->e, tree_with_kids(l->a, x, &value, 1));
    if (kept) wait(l, t, x->where);
  }
}

/* What the codelet returns, if anything, where it has to go. */
static NestNode *finish(Lowering *l, const Taking *t, const PlanNode *n, const Work *w) {
  const Tree *body = t->e.codelet->body, *last = body->kid[body->nkids - 1];
  if (last->op != OP_RETURN || !last->nkids || (by_grid(t) && steps_result(t->e.codelet))) return NULL;
  Environment e = t->e;
  const NestKernel one = {.name = "result", .note = "One thread computes the result.",
                          .blocks = build_index(l->a, 1), .alone = true};
  NestNode *made = by_grid(t) ? nest_kernel(l->a, &one) : nest_node(l->a, NEST_SEQ, NULL);
  Tree *is = inline_expression(l, &e, with_results(t, l->a, last->kid[0]));
  NestValue *value = nest_number(l->a, made, "result", n->rule->spectrum->result, is);
  nest_add(l->a, made, open_deliver(l, &w->place, value, w->to));
  return made;
}

/* What is computed for a parameter is computed once, before the step's loops. Positions are not named: they are
 * compared. */
static void name_numbers(Lowering *l, const Taking *t, const Spectrum *s, Arguments *in) {
  for (int i = 0; i < in->n && i < s->codelets[0]->nparams; i++) {
    Tree *number = in->at[i].number;
    if (!number || !number->nkids || type_is_whole(number->type)) continue;
    const char *name = s->codelets[0]->params[i]->name;
    in->at[i].number = is_of_kernels(l, t, number) ? lowering_number(l, name, number->type, number)
                                                   : tree_ref(l->a, lowering_fixed(l, name, number->type, number));
  }
}

/* Containers as they were handed: a step may give their sizes names, which are known in it alone. */
static void begin_anew(Lowering *l, Taking *t) {
  const Arguments *in = t->held.in;
  for (int i = 0; i < in->n; i++) {
    View *v = in->at[i].view ? view_new(l, *in->at[i].view) : NULL;
    if (v && t->e.view == t->e.arguments.at[i].view) t->e.view = v;
    t->e.arguments.at[i].view = v;
  }
  for (int i = 0; i < t->e.between.n; i++) t->e.between.at[i].to = view_new(l, *t->whole.at[i]);
}

/* A kernel of one thread that stores a number. */
static NestNode *store_number(Lowering *l, const Place *p, const NestKernel *one, Tree *place, Tree *is) {
  NestNode *made = nest_kernel(l->a, one);
  made->kernel->blocks = build_index(l->a, 1);
  made->kernel->alone = true;
  Destination *to = arena_one(l->a, Destination);
  *to = (Destination){.kind = TO_PLACE, .place = place};
  NestValue *value = nest_number(l->a, made, "done", place->type, is);
  nest_add(l->a, made, open_deliver(l, p, value, to));
  return made;
}

/* An element that a step will write again: kernels behind find it in the workspace, as it is now. */
static NestNode *keep(Lowering *l, Taking *t, const Tree *declare) {
  Arena *a = l->a;
  const Symbol *s = declare->symbol;
  declare_numbers(l, t, declare->kid[0]);
  t->statement++;
  Symbol *memory = lowering_pointer(l, arena_printf(a, "%s_kept", s->name), s->type);
  program_add_array(a, l->program, memory, build_index(a, 1));
  Tree *is = inline_expression(l, &t->e, with_results(t, a, declare->kid[0]));
  Tree *place = build_element(a, memory, build_index(a, 0));
  Tree *number = type_is_whole(s->type) ? place : lowering_number(l, s->name, s->type, place);
  inline_bind(l, &t->e, s, number, NULL);
  const NestKernel k = {.name = "keep", .note = arena_printf(a, "One thread keeps `%s'.", s->name)};
  return store_number(l, &t->place, &k, place, build_cast(a, s->type, is));
}

static NestNode *leave(Lowering *l, Taking *t, const OneStep *one) {
  declare_numbers(l, t, one->condition);
  Tree *is = inline_expression(l, &t->e, with_results(t, l->a, one->condition));
  const NestKernel k = {.name = "leave", .note = "One thread decides whether the loop ends.", .leaves = one->loop};
  return store_number(l, &t->place, &k, one->loop->left, build_cast(l->a, TYPE_INT, is));
}

/* What a step is called with. */
static Arguments handed(Lowering *l, Taking *t, int step) {
  const Tree *call = t->steps.call[step];
  Tree *given[MOST_OPERANDS];
  for (int k = 0; k < call->nkids; k++) given[k] = with_results(t, l->a, call->kid[k]);
  Arguments in = lowering_called(l, &t->e, tree_with_kids(l->a, call, given, call->nkids), NULL);
  name_numbers(l, t, call->spectrum, &in);
  return in;
}

/* ---- a step that is done by tiles of the one beside it ---- */

/* The step, as the tiles of number `by' do it, which hold that argument. */
static const ElementStep *finished(Lowering *l, Taking *t, int step, int by, int argument) {
  const Arguments in = handed(l, t, step);
  return finished_step(l, t->steps.call[step], t->steps.call[by], argument, &in);
}

/* What the tiles of step i hold, as its views have it: with what the steps around make of it. */
static void hand_over(Lowering *l, Taking *t, const PlanNode *n, int i, Arguments *in) {
  const Steps *all = &t->steps;
  bool zero;
  const int begun = finished_by_next(l, n, all, i - 1, &zero), ended = finished_by_last(l, n, all, i + 1);
  const int held = begun >= 0 ? begun : ended;
  if (held < 0) return;
  Plane *to = &(in->at[held].view = view_new(l, *in->at[held].view))->plane;
  to->fresh = begun >= 0 && zero;
  if (begun >= 0 && !zero) to->begins = finished(l, t, i - 1, i, held);
  if (ended >= 0) to->ends = finished(l, t, i + 1, i, held);
}

/* What was to be in the workspace is nowhere. */
static void forget(Lowering *l, Taking *t, const Symbol *s) {
  const View *v = inline_container(&t->e, s);
  WorkspaceArray *all = l->program->workspace.at;
  int n = 0;
  for (int i = 0; i < l->program->workspace.n; i++)
    if (!v || all[i].array != v->source.base) all[n++] = all[i];
  l->program->workspace.n = n;
}

/* Is step i done by the tiles of one beside it? */
static bool is_done_by_tiles(Lowering *l, Taking *t, const PlanNode *n, int i) {
  bool zero;
  const int ended = by_grid(t) ? finished_by_last(l, n, &t->steps, i) : -1;
  if (ended >= 0) {
    const Symbol *held = t->steps.call[i - 1]->kid[ended]->symbol;
    if (held->kind == SYMBOL_LOCAL && !steps_writes(t->steps.call[i], held)) forget(l, t, held);
  }
  return ended >= 0 || (by_grid(t) && finished_by_next(l, n, &t->steps, i, &zero) >= 0);
}

/* Does a block have a piece of the only step, and leave what is behind it to the kernel that combines the pieces? */
static bool leaves_pieces(const Lowering *l, const Taking *t) {
  return t->steps.n == 1 && plan_work_of_step(t->node)->rule->map == STEP_SPREAD && !grid_parts_combine(l);
}

static NestNode *open_step(Lowering *l, const PlanNode *n, Work *w) {
  const OneStep *one = w->begun;
  Taking *t = one->all;
  const int i = one->number;
  const bool leaves = leaves_pieces(l, t);
  if (leaves && i == t->steps.n) return nest_node(l->a, NEST_SEQ, NULL);
  begin_anew(l, t);
  l->held = i < t->steps.n && !by_grid(t) ? &t->held : NULL;
  t->held.step = i;
  for (; t->shared < i; t->shared++) share(l, t, t->shared);
  if (one->loop) return leave(l, t, one);
  if (one->kept) return keep(l, t, one->kept);
  declare_numbers(l, t, i < t->steps.n ? t->steps.call[i] : NULL);
  if (i == t->steps.n) return finish(l, t, n, w);
  separate(l, t, i);
  if (is_done_by_tiles(l, t, n, i)) {
    contract_of_call(l, &t->e, t->steps.call[i]);
    return nest_node(l->a, NEST_SEQ, NULL);
  }
  const Tree *call = t->steps.call[i];
  Arguments in = handed(l, t, i);
  if (by_grid(t)) hand_over(l, t, n, i, &in);
  if (by_grid(t)) contract_of_call(l, &t->e, call);
  return l->failed ? NULL : open_plan(l, n->kid[i], &t->place, &in, leaves ? w->to : make_room(l, t, i));
}

/* ---- the host ---- */

static bool is_known(const Environment *e, const Symbol *s) {
  for (int i = 0; i < e->bound.n; i++)
    if (e->bound.at[i].from == s) return true;
  return s->kind != SYMBOL_LOCAL;
}

/* Is it made of what the host has, and of nothing that a step finds? */
static bool host_has(const Environment *e, const Tree *t) {
  if (t->op == OP_CALL || (t->op == OP_REF && !is_known(e, t->symbol))) return false;
  for (int i = 0; i < t->nkids; i++)
    if (!host_has(e, t->kid[i])) return false;
  return true;
}

/* .. and all numbers of elements that views in it have? */
static bool host_counts(const Environment *e, const Tree *t) {
  const ViewRow *view = op_view(t->op);
  if (view && view->count >= 0 && !host_has(e, t->kid[view->count])) return false;
  for (int i = 0; i < t->nkids; i++)
    if (!host_counts(e, t->kid[i])) return false;
  return true;
}

void steps_demand(Lowering *l, const PlanNode *n, const Arguments *in) {
  while (!n->rule->codelet) n = n->kid[0];
  if (!plan_in_steps(n)) return;
  const Codelet *c = n->rule->codelet;
  const Steps steps = steps_of(c);
  const Place p = lowering_place(l, n->rule->level);
  Environment e = inline_environment(l, c, in, NULL, &p);
  for (int i = 0; i < c->body->nkids; i++) {
    const Tree *t = c->body->kid[i];
    if (t->op == OP_DECLARE && t->symbol->kind == SYMBOL_LOCAL && host_has(&e, t->kid[0]))
      inline_bind(l, &e, t->symbol, inline_expression(l, &e, t->kid[0]), NULL);
  }
  for (int i = 0; i < steps.n; i++)
    if (host_counts(&e, steps.call[i])) contract_of_call(l, &e, steps.call[i]);
}

/* ---- all steps ---- */

/* The parameter before it that is declared to have as many elements; -1: there is none. */
static int like(const Codelet *c, int param) {
  const Symbol *s = c->params[param]->rank == 1 ? shape_same(&c->params[param]->shape[0]) : NULL;
  for (int i = 0; s && i < param; i++)
    if (c->params[i] == s && s->rank == 1) return i;
  return -1;
}

/* Rows of several matrices are aligned with one another then: the same lane has the same elements of all, and they are
 * as long by one name. A scan's tiles go by positions in memory. */
static void align(Lowering *l, const Codelet *c, Arguments *in) {
  const Spectra all = spectrum_applied(l->a, c->spectrum);
  for (int i = 0; i < all.n; i++)
    if (spectrum_is_scan(all.at[i])) return;
  for (int i = 0; i < in->n; i++) {
    View *v = in->at[i].view ? view_from_origin(l, in->at[i].view) : NULL;
    const int as = like(c, i);
    if (as >= 0 && held_is_row(v) && !v->spread) {
      v = view_new(l, *v);
      v->size = v->end = view_size(l, in->at[as].view);
    }
    if (v) in->at[i].view = v;
  }
}

static void add_step(Lowering *l, Work *w, NestNode *to, const OneStep *is) {
  NestNode *step = nest_add(l->a, to, open_plan(l, is->all->node, &w->place, &w->in, w->to));
  OneStep *one = arena_one(l->a, OneStep);
  *one = *is;
  step->work->again = open_step;
  step->work->begun = one;
}

/* A number that the host has, without the names of numbers that are declared before it. */
static Tree *in_full(const Taking *t, Arena *a, const Tree *x) {
  Tree *kids[MOST_OPERANDS];
  for (int i = 0; x->op == OP_REF && i < t->statements.n; i++) {
    const Tree *declare = t->statements.at[i];
    if (declare->op == OP_DECLARE && declare->symbol == x->symbol && !x->symbol->rank)
      return in_full(t, a, declare->kid[0]);
  }
  for (int i = 0; i < x->nkids; i++) kids[i] = in_full(t, a, x->kid[i]);
  return x->nkids ? tree_with_kids(a, x, kids, x->nkids) : (Tree *)x;
}

/* A loop that a condition alone ends: its iterations are counted all the same. */
static NestNode *repeat_on(Lowering *l) {
  Arena *a = l->a;
  Symbol *most = symbol_new(a, SYMBOL_CONSTANT, "TGC_MOST_TURNS", TYPE_INDEX);
  NestAxis *x = nest_dimension(a, "turn", ROLE_ORDER, build_index(a, 0), tree_ref(a, most));
  x->at = tree_ref(a, symbol_new(a, SYMBOL_LOCAL, lowering_name(l, "turn"), TYPE_INDEX));
  x->stride = build_index(a, 1);
  x->endless = true;
  return nest_over(a, x, NULL);
}

/* A loop of the host's: kernels are given its counter. */
static NestNode *repeat(Lowering *l, Taking *t, const StepLoop *loop) {
  if (!loop->counter) return repeat_on(l);
  Arena *a = l->a;
  Tree *end = inline_expression(l, &t->e, in_full(t, a, loop->end));
  if (loop->with) end = build_add(a, build_cast(a, TYPE_INDEX, end), build_index(a, 1));
  Tree *first = inline_expression(l, &t->e, in_full(t, a, loop->first));
  NestAxis *x = nest_dimension(a, loop->counter->name, ROLE_ORDER, first, end);
  Symbol *counter = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, loop->counter->name), loop->counter->type);
  counter->writable = true;
  vec_push(a, &l->now.numbers, ((Computed){.symbol = counter}));
  x->at = tree_ref(a, counter);
  x->stride = tree_int(a, counter->type, loop->by);
  inline_bind(l, &t->e, loop->counter, x->at, NULL);
  return nest_over(a, x, NULL);
}

/* A statement's steps, in the order of the text; of a grid, what it keeps. */
static void add_steps(Lowering *l, Taking *t, Work *w, const Tree *statement, NestNode *to, int *number) {
  for (int i = 0; i < t->steps.n; i++)
    if (tree_holds(statement, t->steps.call[i])) add_step(l, w, to, &(OneStep){.all = t, .number = (*number)++});
  if (by_grid(t) && steps_keep(t->e.codelet, statement))
    add_step(l, w, to, &(OneStep){.all = t, .number = *number, .kept = statement});
}

/* A loop: its steps, and what ends it. */
static void add_loop(Lowering *l, Taking *t, Work *w, const Tree *loop, NestNode *to, int *number) {
  Arena *a = l->a;
  StepLoop is;
  steps_loop(loop, &is);
  NestNode *again = repeat(l, t, &is);
  NestAxis *x = again->axis;
  const bool stays = to->kind == NEST_AXIS ? to->axis->binding == BINDING_GRID
                                           : plan_is_persistent(t->node) && steps_may_stay(loop);
  x->binding = stays ? BINDING_GRID : BINDING_HOST;
  if (steps_may_leave(loop)) {
    Symbol *left = lowering_pointer(l, "left", TYPE_INT);
    const bool numbered = !stays && !l->plan->machine->is_cpu; /* the number of an iteration stands beside it */
    program_add_array(a, l->program, left, build_index(a, numbered ? 2 : 1));
    x->left = build_element(a, left, build_index(a, 0));
  }
  if (x->left && (!stays || x->endless)) { /* a grid that stays asks behind the step that decides */
    const NestKernel enter = {.name = "enter", .note = "One thread notes that the loop has not ended."};
    nest_add(a, to, store_number(l, &t->place, &enter, x->left, tree_int(a, TYPE_INT, 0)));
  }
  nest_add(a, to, again);
  for (int i = 0; i < loop->kid[3]->nkids; i++) {
    const Tree *s = loop->kid[3]->kid[i], *condition = steps_leave(s);
    if (s->op == OP_FOR) add_loop(l, t, w, s, again, number);
    else add_steps(l, t, w, s, again, number);
    if (condition) add_step(l, w, again, &(OneStep){.all = t, .number = *number, .loop = x, .condition = condition});
  }
}

/* All steps are one kernel of one block. */
static NestNode *in_one_block(Lowering *l) {
  NestAxis *x = nest_dimension(l->a, "all", ROLE_ORDER, build_index(l->a, 0), build_index(l->a, 1));
  x->binding = BINDING_GRID;
  x->stride = build_index(l->a, 1);
  return nest_over(l->a, x, NULL);
}

NestNode *steps_open(Lowering *l, const PlanNode *n, Work *w) {
  Arena *a = l->a;
  Taking *t = arena_one(a, Taking);
  NestNode *all = nest_node(a, NEST_SEQ, NULL);
  all->comment = arena_printf(a, "%s: %s", w->place.level->name, lowering_source(l, n->rule->codelet));
  *t = (Taking){.node = n, .steps = steps_of(n->rule->codelet), .place = w->place, .to = w->to};
  t->place.leader = lowering_place(l, w->place.level).leader;
  align(l, n->rule->codelet, &w->in);
  t->e = inline_environment(l, n->rule->codelet, &w->in, NULL, &t->place);
  t->held = (Held){.steps = n, .in = &w->in};
  t->statements = steps_statements(a, n->rule->codelet);
  int steps = 0;
  const Tree *body = n->rule->codelet->body;
  NestNode *in = plan_is_of_one_block(n) ? nest_add(a, all, in_one_block(l)) : all;
  for (int i = 0; i < body->nkids; i++)
    (body->kid[i]->op == OP_FOR ? add_loop : add_steps)(l, t, w, body->kid[i], in, &steps);
  add_step(l, w, in, &(OneStep){.all = t, .number = steps});
  return all;
}
