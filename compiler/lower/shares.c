/* shares.c: maps whose parts are as many as the text says, as nests: places of a level go through their shares of the
 * parts, iteration by iteration.
 *
 *     parts.turn      a loop; of a CPU's lanes in pieces: whole vectors of parts, then what is less than one
 *       parts.group   groups of workers that iterate: the grid's blocks
 *         parts.own   workers in step: all of them take as many iterations, so that they can exchange
 *           a part    the plan's node for one part
 *
 * Workers of the last iteration may have no part; the tail of `own' says what becomes of them (idle.c, in_step.c).
 *
 * Requires as many parts as the text says. Keeps: each part is one worker's, and workers that exchange take as many
 * iterations. */
#include "lower/jam.h"
#include "lower/maps.h"

typedef struct Own { int64_t bytes; bool unknown; } Own;

static bool add_array(void *context, const Tree *t) {
  enum { WIDEST = 8 };
  Own *own = context;
  int64_t length = 0;
  if (t->op != OP_DECLARE || !t->symbol->array) return true;
  own->unknown |= !tree_constant(t->symbol->length, &length);
  own->bytes += length * WIDEST;
  return true;
}

/* How many vectors an iteration may take: each of its lanes has the codelet's arrays, which lie on a thread's stack. */
static int64_t most_vectors(const Map *m, const Codelet *each) {
  enum { MOST = 1024, ROOM = 256 << 10 };
  Own own = {0};
  tree_visit(each->body, add_array, &own);
  int64_t most = own.unknown ? 1 : MOST;
  while (most > 1 && most * own.bytes * m->l->plan->machine->vector_width > ROOM) most /= 2;
  return most;
}

/* May an iteration of lanes take several vectors? It does where a lane goes through a row by itself and neighbours'
 * elements lie side by side, as those of a column do: then more of a column is read while one is there. Many of them
 * are a run in memory as long as a page; what their lanes accumulate then lies in the cache. */
static bool takes_vectors(Map *m) {
  Lowering *l = m->l;
  const Regroup *r = &m->regroup;
  const PlanNode *spread = plan_spread(m->node);
  const Codelet *each = plan_work((spread ? spread : m->node)->kid[0])->rule->codelet;
  if (m->node->traversal == TRAVERSE_TRANSPOSED) return false; /* the rows that are copied are one vector's */
  if (r->few || m->sub.level->real != REAL_THREAD || !each || each->kind != CLASS_AUTONOMOUS) return false;
  const int64_t most = most_vectors(m, each);
  for (int i = 0; i < r->map->nkids && most > 1; i++) {
    const Tree *t = r->map->kid[i];
    View *v = t->op == OP_ROWS || t->op == OP_COLUMNS ? inline_view(l, &m->e, t->kid[0]) : NULL;
    if (!v || !build_is(t->op == OP_ROWS ? v->plane.row_step : v->plane.column_step, 1)) continue;
    Tunable size = l->plan->sizes.at[1 + m->sub.level->depth].tunable;
    const int64_t alone = l->plan->machine->measured.loads_alone;
    size.value = alone < most ? alone : most;
    size.max = most;
    lowering_constant(l, &size, "vectors in flight", TYPE_INT);
    return true;
  }
  return false;
}

/* What is below the loop over iterations. */
static NestNode *workers(Map *m, NestAxis *group, const NestAxis *own, NestAxis *slots, NestTail tail) {
  Arena *a = m->l->a;
  NestNode *each = open_plan(m->l, m->node->kid[0], &m->sub, NULL, arena_one(a, Destination));
  each->work->part = (Part){.cut = &m->regroup, .e = &m->e, .who = "part"};
  each->work->part.transposed = m->node->traversal == TRAVERSE_TRANSPOSED;
  if (slots) each = nest_over(a, slots, each);
  NestNode *made = nest_over(a, nest_again(a, own, own->name, own->binding, tail), each);
  return group ? nest_over(a, group, made) : made;
}

/* A vector whose lanes all have a part does the same in all of them; then there is one whose lanes may not. */
static NestNode *in_vectors(Map *m, NestAxis *iterations, const NestAxis *own, NestTail tail) {
  Arena *a = m->l->a;
  NestNode *pieces = nest_node(a, NEST_PIECES, NULL);
  NestAxis *rest = nest_again(a, iterations, iterations->name, BINDING_LOOP, TAIL_GUARD);
  pieces->axis = iterations;
  iterations->until = UNTIL_WHOLE;
  iterations->tail = TAIL_NONE;
  iterations->unroll = takes_vectors(m) ? UNROLL_VECTORS : UNROLL_FREE;
  rest->until = UNTIL_ONCE;
  nest_add(a, pieces, nest_over(a, iterations, workers(m, NULL, own, NULL, TAIL_NONE)));
  nest_add(a, pieces, nest_over(a, rest, workers(m, NULL, own, NULL, tail)));
  return pieces;
}

/* Several parts at a time, and then one. */
static NestNode *jammed(Map *m, NestAxis *iterations, const NestAxis *own) {
  enum { JAMMED_PARTS = 4 };
  Arena *a = m->l->a;
  NestNode *pieces = nest_node(a, NEST_PIECES, NULL);
  NestAxis *row = nest_split(a, iterations, "row", tree_int(a, TYPE_INT, JAMMED_PARTS), BINDING_UNROLL);
  NestAxis *rest = nest_again(a, row, iterations->name, BINDING_LOOP, TAIL_CLIP);
  row->unroll = UNROLL_JAM;
  rest->extent = NULL;
  iterations->until = UNTIL_WHOLE;
  iterations->tail = TAIL_NONE;
  pieces->axis = iterations;
  nest_add(a, pieces, nest_over(a, iterations, nest_over(a, row, workers(m, NULL, own, NULL, TAIL_NONE))));
  nest_add(a, pieces, nest_over(a, rest, workers(m, NULL, own, NULL, TAIL_NONE)));
  return pieces;
}

/* ---- rows in shared memory ----
 *
 *     when they fit
 *       parts.turn
 *         copies              of the iteration's rows, by all lanes, in the order of memory
 *         parts.own           lanes: a part's row is there
 *     else                    as without: rows are read where they lie
 *
 * What all parts have, if lanes take several of its rows at once (jam.c), is copied before all iterations, where there
 * are few of them; else it is read where it lies. */

/* An argument of the map whose parts are lines in memory, element by element: how many elements each has, and from one
 * to the next. */
typedef struct Lines { const View *of; bool rows; Tree *length, *stride; } Lines;

/* `of' NULL: it is another. */
static Lines lines_of(Map *m, int argument) {
  const Tree *t = m->regroup.map->kid[argument];
  const Symbol *as = m->node->kid[0]->rule->codelet->params[argument];
  if (as->writable || as->atomic) return (Lines){0};
  const bool rows = t->op == OP_ROWS;
  const View *v = rows || t->op == OP_COLUMNS ? inline_view(m->l, &m->e, t->kid[0]) : NULL;
  if (!v || v->source.kind != VIEW_MEMORY || !build_is(rows ? v->plane.column_step : v->plane.row_step, 1))
    return (Lines){0};
  return rows ? (Lines){v, true, v->plane.columns, v->plane.row_step}
              : (Lines){v, false, v->size, v->plane.column_step};
}

/* .. which all parts have, all of its rows. */
static Lines lines_of_all(Map *m, int argument) {
  const Tree *t = m->regroup.map->kid[argument];
  const Symbol *as = m->node->kid[0]->rule->codelet->params[argument];
  const View *v = as->rank == 2 && !as->writable && !as->atomic && t->op == OP_REF ? inline_view(m->l, &m->e, t) : NULL;
  if (!v || v->source.kind != VIEW_MEMORY || !v->plane.columns || !build_is(v->plane.column_step, 1))
    return (Lines){0};
  return (Lines){v, true, v->plane.columns, v->plane.row_step};
}

/* Where lines are copied to, and how many elements after one another they begin there. */
typedef struct Copied { const NestValue *to; Tree *apart; } Copied;

/* Lines of one argument from one on, so many, which lanes copy together. */
static Tree *copy_rows(Map *m, const Shares *s, const Lines *lines, Copied by, Tree *begin, Tree *left) {
  Lowering *l = m->l;
  Arena *a = l->a;
  Tree *none = build_index(a, 0), *const first[] = {lines->rows ? begin : none, lines->rows ? none : begin};
  Tree *from = view_element_at(l, lines->of, first, 2);
  if (from->op == OP_CAST) from = from->kid[0]; /* of another type than is computed in: it is copied as it is */
  Tree *const kids[] = {build_element(a, by.to->symbol, none), from, lines->stride, left, lines->length, s->own,
                        s->many, by.apart, by.to->copy_stride};
  return build_tree(a, OP_COPY_ROWS, TYPE_VOID, kids, 9);
}

/* How a map's rows are copied: the memory of those of an iteration, by argument, how far apart they are there, NULL: as
 * there is room for them, and are those copied, too, that all parts have? */
typedef struct Staging { NestValue *rows[MOST_OPERANDS]; Symbol *apart[MOST_OPERANDS]; bool all_have; } Staging;

/* From a row to the next in shared memory, of elements of that type: jam.c says how far that is. */
static Tree *pitch_of(Map *m, const Staging *how, Type type) {
  for (int i = 0; i < MOST_OPERANDS; i++)
    if (how->rows[i] && how->rows[i]->symbol->type == type) return how->rows[i]->copy_stride;
  Symbol *pitch = symbol_new(m->l->a, SYMBOL_CONSTANT, lowering_name(m->l, "pitch"), TYPE_INT);
  pitch->constant = true;
  return tree_ref(m->l->a, pitch);
}

static NestValue *rows_in_shared(Map *m, const Staging *how, const Lines *lines, const char *name, Tree *many) {
  const Symbol *of = lines->of->source.base;
  Arena *a = m->l->a;
  Tree *pitch = pitch_of(m, how, of->type);
  NestValue *v = nest_shared(a, NULL, arena_printf(a, name, of->name), of->type, build_mul(a, many, pitch));
  v->copy_stride = pitch;
  v->symbol->exclusive = true; /* each element is one lane's */
  return v;
}

/* As far apart as in memory, where rows lie there one behind another: then they are one run of it (!run). Not where an
 * even number of 16 bytes is one: lanes that read one each would meet in a bank. */
static NestNode *rows_apart(Map *m, const Staging *how, int argument) {
  Arena *a = m->l->a;
  const Lines lines = lines_of(m, argument);
  const NestValue *v = how->rows[argument];
  Tree *run = build_compare(a, OP_EQ, lines.stride, lines.length);
  if (jam_has_widths(m->l)) {
    Tree *pair = build_mul(a, build_width(a, v->symbol->type), tree_int(a, TYPE_INT, 2));
    Tree *rest = tree_binary(a, OP_REM, TYPE_INDEX, lines.length, build_cast(a, TYPE_INDEX, pair));
    run = build_both(a, run, build_compare(a, OP_NE, rest, build_index(a, 0)));
  }
  Tree *apart = build_choice(a, run, build_cast(a, TYPE_INT, lines.length), v->copy_stride);
  return nest_sync(a, build_declare(a, how->apart[argument], apart));
}

static Tree *room_of_group(Map *m) { return lowering_tunable(m->l, plan_jam_name); }

/* Rows that all parts have: as many as there is room for. */
static Tree *room_of_all(Map *m) {
  enum { TIMES = 4 };
  return build_mul(m->l->a, room_of_group(m), tree_int(m->l->a, TYPE_INT, TIMES));
}

/* Lanes take `jam' of them at once (jam.c): those that a last group has not are zeros. */
static NestNode *fill_group(Map *m, const Shares *s, const Lines *lines, const NestValue *v) {
  Lowering *l = m->l;
  Arena *a = l->a;
  Tree *many = build_cast(a, TYPE_INT, lines->of->size), *jam = room_of_group(m), *one = tree_int(a, TYPE_INT, 1);
  Tree *groups = build_div(a, build_sub(a, build_add(a, many, jam), one), jam);
  Symbol *i = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, "i"), TYPE_INT);
  i->writable = true;
  Tree *first = build_add(a, build_mul(a, many, v->copy_stride), s->own);
  Tree *end = build_mul(a, build_mul(a, groups, jam), v->copy_stride), *zero = tree_int(a, TYPE_INT, 0);
  if (v->symbol->type == TYPE_STORED) zero = tree_unary(a, OP_CAST, TYPE_STORED, zero);
  Tree *clear = build_assign(a, build_element(a, v->symbol, tree_ref(a, i)), zero);
  v->symbol->padded = true;
  return nest_sync(a, build_for(a, i, first, end, build_cast(a, TYPE_INT, s->many), tree_seq(a, &clear, 1)));
}

/* .. are copied once. */
static View *rows_of_all(Map *m, const Shares *s, const Staging *how, const Lines *lines, NestNode *home,
                         Tree **first) {
  Lowering *l = m->l;
  Arena *a = l->a;
  NestValue *v = rows_in_shared(m, how, lines, "all_%s", room_of_all(m));
  vec_push(a, &home->home, v);
  Tree *const extents[] = {lines->of->size, lines->length};
  View *made = view_new(l, view_of_array(l, v->symbol, extents, 2, build_index(a, 1)));
  *view_step_of(made, 0) = v->copy_stride;
  v->view = made;
  const Copied by = {v, v->copy_stride};
  nest_add(a, home, nest_sync(a, copy_rows(m, s, lines, by, build_index(a, 0), lines->of->size)));
  nest_add(a, home, fill_group(m, s, lines, v));
  *first = build_element(a, v->symbol, build_index(a, 0));
  return made;
}

/* What an iteration begins with. Lanes know their rows from there on. */
static NestNode *iteration_of_rows(Map *m, const Shares *s, const Staging *how, NestNode *home, Tree *iteration) {
  Lowering *l = m->l;
  Arena *a = l->a;
  NestNode *all = nest_node(a, NEST_SEQ, NULL);
  View **together = arena_many(a, View *, MOST_OPERANDS);
  Tree *left = build_min(a, build_cast(a, TYPE_INDEX, s->many), build_sub(a, s->end, iteration));
  Tree *wait[1 + MOST_OPERANDS] = {tree_int(a, TYPE_INT, 0)};
  int n = 1;
  for (int i = 0; i < m->regroup.map->nkids; i++) {
    const Lines lines = lines_of(m, i), same = how->all_have ? lines_of_all(m, i) : (Lines){0};
    if (same.of) together[i] = rows_of_all(m, s, how, &same, home, &wait[n++]);
    if (!lines.of) continue;
    NestValue *v = how->rows[i];
    Tree *apart = how->apart[i] ? tree_ref(a, how->apart[i]) : v->copy_stride;
    if (how->apart[i]) nest_add(a, home, rows_apart(m, how, i));
    together[i] = view_new(l, view_of_memory(l, v->symbol, lines.length));
    v->view = together[i];
    together[i]->begin = build_mul(a, s->own, apart);
    together[i]->end = build_add(a, together[i]->begin, lines.length);
    nest_add(a, all, nest_sync(a, copy_rows(m, s, &lines, (Copied){v, apart}, iteration, left)));
    wait[n++] = build_element(a, v->symbol, build_index(a, 0));
  }
  m->regroup.together = together;
  if (!l->plan->machine->can.async_copy) return all;
  nest_add(a, all, nest_sync(a, tree_new(a, OP_CLOSE_COPIES, TYPE_VOID, (SourceRange){0}, 0)));
  nest_add(a, all, nest_sync(a, build_tree(a, OP_AWAIT_COPIES, TYPE_VOID, wait, n)));
  return all;
}

/* Has shared memory room for its rows? NULL: it has none. */
static Tree *rows_fit(Map *m) {
  Lowering *l = m->l;
  Arena *a = l->a;
  Tree *fit = NULL, *row = build_cast(a, TYPE_INDEX, lowering_tunable(l, plan_row_name));
  for (int i = 0; i < m->regroup.map->nkids; i++) {
    const Lines lines = lines_of(m, i);
    if (!lines.of) continue;
    Tree *one = build_compare(a, OP_LE, lines.length, row);
    fit = fit ? build_both(a, fit, one) : one;
  }
  return fit;
}

/* .. and for all of those that all parts have? NULL: they have none. */
static Tree *rows_of_all_fit(Map *m) {
  Arena *a = m->l->a;
  Tree *fit = NULL, *row = build_cast(a, TYPE_INDEX, lowering_tunable(m->l, plan_row_name));
  for (int i = 0; i < m->regroup.map->nkids && plan_jams(m->node); i++) {
    const Lines lines = lines_of_all(m, i);
    if (!lines.of) continue;
    Tree *few = build_compare(a, OP_LE, lines.of->size, build_cast(a, TYPE_INDEX, room_of_all(m)));
    Tree *one = build_both(a, build_compare(a, OP_LE, lines.length, row), few);
    fit = fit ? build_both(a, fit, one) : one;
  }
  return fit;
}

static NestNode *shares_of(Map *m, const Shares *s, const Staging *rows);

static NestNode *with_rows(const Map *m, const Shares *s, const Staging *how) {
  Map *staged = arena_one(m->l->a, Map);
  *staged = *m;
  return shares_of(staged, s, how);
}

/* As it is where they have no room. */
static NestNode *in_rows(Map *m, const Shares *s) {
  Arena *a = m->l->a;
  Tree *fit = rows_fit(m), *all_fit = fit ? rows_of_all_fit(m) : NULL;
  if (!fit)
    lowering_fail(m->l, m->regroup.map->where, "rows that are copied together lie in memory, element by element");
  if (!fit) return shares_of(m, s, NULL);
  NestNode *all = nest_node(a, NEST_SEQ, NULL);
  Staging how = {.all_have = false};
  for (int i = 0; i < m->regroup.map->nkids; i++) {
    const Lines lines = lines_of(m, i);
    how.rows[i] = lines.of ? rows_in_shared(m, &how, &lines, "%s_rows", s->many) : NULL;
    if (!how.rows[i]) continue;
    vec_push(a, &all->home, how.rows[i]);
    if (m->node->traversal != TRAVERSE_RUN) continue;
    how.apart[i] = symbol_new(a, SYMBOL_LOCAL, lowering_name(m->l, "apart"), TYPE_INT);
    how.apart[i]->constant = true;
  }
  NestNode *own = with_rows(m, s, &how);
  how.all_have = true;
  if (all_fit) own = nest_when(a, all_fit, with_rows(m, s, &how), own);
  nest_add(a, all, nest_when(a, fit, own, shares_of(m, s, NULL)));
  return all;
}

NestNode *shares_open(Map *m, const Shares *s) {
  if (m->node->traversal == TRAVERSE_FLAT) return flat_open(m, s);
  return plan_in_rows(m->node) ? in_rows(m, s) : shares_of(m, s, NULL);
}

static NestNode *shares_of(Map *m, const Shares *s, const Staging *rows) {
  Arena *a = m->l->a;
  const bool cpu = m->l->plan->machine->is_cpu, alone = build_is(s->own, 0);
  NestAxis *iterations = nest_dimension(a, "parts", ROLE_MAP, s->first, s->end), *group = NULL;
  iterations->dim->each = s->each;
  iterations->name = s->iteration ? s->iteration : "turn";
  if (s->groups) group = nest_split_workers(a, iterations, "group", s->groups, "group", s->group);
  NestAxis *own = nest_split(a, group ? group : iterations, "own", s->many, BINDING_IN_STEP);
  nest_bind(own, BINDING_IN_STEP, m->sub.level->name, s->own);
  NestTail tail = s->slots ? TAIL_REPEAT : alone ? TAIL_CLIP : idle_tail(m->node, &m->regroup, &m->sub);
  if (tail == TAIL_REPEAT && !cpu && idle_meets(m->node))
    lowering_fail(m->l, m->regroup.map->where, "workers without a part would read what those of the last part write");
  if (cpu && !alone) /* under one condition, all lanes go through the same loops */
    return in_vectors(m, iterations, own, tail == TAIL_REPEAT ? tail : TAIL_GUARD);
  if (m->node->traversal == TRAVERSE_JAMMED) return jammed(m, iterations, own);
  if (rows) {
    NestNode *home = nest_node(a, NEST_SEQ, NULL);
    Tree *iteration = nest_count(a, iterations, iterations->name, TYPE_INDEX);
    NestNode *each = iteration_of_rows(m, s, rows, home, iteration);
    nest_add(a, each, workers(m, NULL, own, NULL, TAIL_GUARD));
    nest_add(a, home, nest_over(a, iterations, group ? nest_over(a, group, each) : each));
    return home;
  }
  /* alone, every iteration has a part */
  return nest_over(a, iterations, workers(m, group, own, s->slots, cpu ? TAIL_NONE : tail));
}
