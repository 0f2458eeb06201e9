/* manifest.c: manifest.json, the contents of a folder for programs (keys: support/manifest.h). */
#include <ctype.h>
#include <math.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "emit/conditions.h"
#include "emit/emit.h"
#include "emit/variant.h"
#include "ir/spectrum_tunables.h"
#include "ir/nest.h"
#include "ir/operator.h"
#include "emit/machines.h"
#include "emit/manifest_calls.h"
#include "emit/spectra.h"
#include "ir/roles.h"
#include "support/hash.h"
#include "support/manifest.h"
#include "support/manifest_file.h"
#include "table/dispatch.h"

/* ---- values ---- */

static void put(json_t *object, const char *key, json_t *value) { json_object_set_new(object, key, value); }

static void add(json_t *array, json_t *value) { json_array_append_new(array, value); }

/* ---- what kernels contain ---- */

static int bytes_of(const Program *p, Type t) {
  if (type_is_state(t)) return p->widest;
  const ElementType *e = element_by_type(t);
  if (e) return e->bytes;
  switch (t) {
    case TYPE_BOOL: return 1;
    default: return 8;
  }
}

/* A program with its tunables preset, for one element type: bytes of an element in memory, and of its accumulator; what
 * the kernel's head declares as constants, NULL: nothing. */
typedef struct Presets { const Program *program; int stored, accumulated; const Tree *body; } Presets;

static Tree *preset(void *context, Arena *a, Tree *t) {
  const Presets *of = context;
  const Program *p = of->program;
  if (t->op == OP_WIDTH) {
    const Type type = t->element;
    const int bytes = type == TYPE_STORED ? of->stored : type == TYPE_ELEM ? of->accumulated : bytes_of(p, type);
    return tree_int(a, TYPE_INDEX, 16 / bytes);
  }
  if (t->op != OP_REF) return t;
  const Tree *is = of->body && t->symbol->constant ? tree_declared(of->body, t->symbol) : NULL;
  if (is) return tree_rewrite(a, (Tree *)is, preset, context);
  for (int i = 0; i < p->nconstants; i++)
    if (p->constants[i].symbol == t->symbol) return tree_int(a, TYPE_INDEX, p->constants[i].tunable.value);
  return t;
}

/* An expression's value with preset tunables; 0 if it depends on more. */
static int64_t value_with_presets(Arena *a, const Presets *of, Tree *t) {
  int64_t value;
  return t && tree_constant(tree_rewrite(a, t, preset, (void *)of), &value) ? value : 0;
}

/* Where an atomic's variable is. */
typedef enum Space { SPACE_SHARED, SPACE_GLOBAL } Space;

typedef struct AtomicSort { AtomicOp op; Scope scope; Space space; int count; } AtomicSort;

/* Counts over kernels. */
typedef struct Counts {
  Arena *arena;
  Presets of;           /* for `shared` */
  int64_t shared;       /* bytes a block */
  int shuffles, warp_barriers, block_barriers, cluster_barriers;
  VEC(AtomicSort) atomics;
} Counts;

/* The memory space of an lvalue's variable. */
static Space space_of(const Tree *place) {
  while (place->nkids && place->op != OP_REF) place = place->kid[0];
  return place->op == OP_REF && place->symbol->kind == SYMBOL_SHARED ? SPACE_SHARED : SPACE_GLOBAL;
}

static void count_atomic(Counts *c, const Tree *t) {
  AtomicSort sort = {t->atomic, t->scope, space_of(t->kid[0]), 1};
  for (int i = 0; i < c->atomics.n; i++) {
    AtomicSort *known = &c->atomics.at[i];
    if (known->op != sort.op || known->scope != sort.scope || known->space != sort.space) continue;
    known->count++;
    return;
  }
  vec_push(c->arena, &c->atomics, sort);
}

static void count_shared(Counts *c, const Symbol *s) {
  const Type type = s->type;
  const Presets *of = &c->of;
  int64_t each = type == TYPE_ELEM ? of->accumulated : type == TYPE_STORED ? of->stored : bytes_of(of->program, type);
  int64_t length = s->array ? value_with_presets(c->arena, &c->of, s->length) : 1;
  c->shared = (c->shared + each - 1) / each * each + each * length;
}

static bool count(void *context, const Tree *t) {
  Counts *c = context;
  if (t->op == OP_SHUFFLE) c->shuffles++;
  if (t->op == OP_BARRIER && t->scope == SCOPE_WARP) c->warp_barriers++;
  if (t->op == OP_BARRIER && t->scope == SCOPE_BLOCK) c->block_barriers++;
  if (t->op == OP_CLUSTER_WAIT) c->cluster_barriers++;
  if ((t->op == OP_ATOMIC && t->atomic != ATOMIC_ANY) || t->op == OP_RESERVE || t->op == OP_ADD_OF_BLOCK)
    count_atomic(c, t);
  if (t->op == OP_DECLARE && t->symbol->kind == SYMBOL_SHARED) count_shared(c, t->symbol);
  return true;
}

static json_t *kernel(Arena *a, const Output *o, const Program *p, const Kernel *k) {
  json_t *j = json_object(), *shared = json_object();
  int64_t threads = 1;
  if (k->threads) threads = value_with_presets(a, &(Presets){.program = p}, tree_ref(a, k->threads));
  put(j, KEY_NAME, manifest_text(a, k->name));
  put(j, KEY_NOTE, manifest_text(a, k->note));
  put(j, KEY_THREADS, json_integer(threads));
  for (int i = 0; i < o->ntypes; i++) {
    const MonoidType *m = o->spectrum->monoid ? output_monoid(o, o->types[i]) : NULL;
    const int accumulated = m ? m->state.bytes : element_accumulator(o->types[i])->bytes;
    Counts c = {.arena = a, .of = {p, m ? m->element.bytes : o->types[i]->bytes, accumulated, k->body}};
    tree_visit(k->body, count, &c);
    for (int s = 0; s < k->nparams; s++)
      if (k->params[s]->handed) count_shared(&c, k->params[s]);
    put(shared, o->types[i]->name, json_integer(c.shared));
  }
  put(j, KEY_SHARED_BYTES, shared);
  return j;
}

static const char *lower_case(Arena *a, const char *s) {
  char *l = arena_strdup(a, s);
  for (char *c = l; *c; c++) *c = (char)tolower((unsigned char)*c);
  return l;
}

static void counts(json_t *variant, Arena *a, const Program *p) {
  Counts c = {.arena = a, .of = {p, 4, 4}};
  for (int i = 0; i < p->nkernels; i++) tree_visit(p->kernels[i]->body, count, &c);
  json_t *atomics = json_array(), *barriers = json_object();
  for (int i = 0; i < c.atomics.n; i++) {
    const AtomicSort *s = &c.atomics.at[i];
    json_t *j = json_object();
    put(j, KEY_OP, manifest_text(a, lower_case(a, atomic_name(s->op))));
    put(j, KEY_SCOPE, manifest_text(a, s->scope == SCOPE_BLOCK ? "block" : s->scope == SCOPE_WARP ? "warp" : "device"));
    put(j, KEY_SPACE, manifest_text(a, s->space == SPACE_SHARED ? "shared" : "global"));
    put(j, KEY_COUNT, json_integer(s->count));
    add(atomics, j);
  }
  put(variant, KEY_ATOMICS, atomics);
  put(variant, KEY_SHUFFLES, json_integer(c.shuffles));
  put(barriers, KEY_WARP, json_integer(c.warp_barriers));
  put(barriers, KEY_BLOCK, json_integer(c.block_barriers));
  put(barriers, KEY_CLUSTER, json_integer(c.cluster_barriers));
  put(variant, KEY_BARRIERS, barriers);
}

/* ---- what the plan contains ---- */

typedef struct Walk {
  Arena *arena;
  unsigned levels; /* bits by depth */
  VEC(const Codelet *) codelets;
  json_t *choices;
  bool on_cpu;
} Walk;

static void add_choice(Walk *w, const PlanNode *n, const char *what, const char *taken) {
  json_t *j = json_object();
  put(j, KEY_LEVEL, manifest_text(w->arena, n->rule->level ? n->rule->level->name : NULL));
  put(j, KEY_CODELET, manifest_text(w->arena, n->rule->codelet ? n->rule->codelet->tag : NULL));
  put(j, KEY_WHAT, manifest_text(w->arena, what));
  put(j, KEY_CHOICE, manifest_text(w->arena, taken));
  add(w->choices, j);
}

static bool synchronises(const Rule *r) {
  for (int i = 0; i < r->nsteps; i++)
    if (r->steps[i].kind == STEP_SYNC) return true;
  return false;
}

/* The name of one worker of a level. */
static const char *worker(const Level *l) {
  if (!l) return "worker";
  return l->real == REAL_SLOTS ? "register slot" : l->name;
}

static const char *map_choice(Walk *w, const PlanNode *n) {
  const char *sub = worker(n->axis.level), *second = worker(n->axis.second);
  switch (n->rule->map) {
    case STEP_SERIALIZE: return arena_printf(w->arena, "a loop of the %s", worker(n->rule->level));
    case STEP_SPLIT: return arena_printf(w->arena, "split over the %ss and their %ss", sub, second);
    case STEP_DISTRIBUTE:
      return arena_printf(w->arena, "distributed over the %ss%s", sub, traversal_labels[n->traversal].map);
    case STEP_SPREAD: return arena_printf(w->arena, "spread over several %ss of the %s", worker(n->rule->level), sub);
    case STEP_SLICE: return arena_printf(w->arena, "sliced over the %ss of a block", sub);
    case STEP_EQUAL:
      return arena_printf(w->arena, "equal shares of the elements over the %ss, of a part over the %ss of each", sub,
                          worker(n->rule->parts));
    case STEP_BOUNDED:
      return arena_printf(w->arena, "parts of bounded length over the %ss of the %ss, %s over %ss",
                          worker(n->rule->parts), sub, n->nkids > 2 ? "pieces of longer ones" : "longer ones",
                          worker(n->kid[n->nkids - 1]->rule->level));
    default: return NULL;
  }
}

/* How lanes and threads of a CPU, or a GPU's, combine and exchange. Lanes of a CPU add to what their thread alone
 * sees. */
typedef struct ChoiceWords {
  const char *combination, *shuffles_and_adds, *shuffles_and_memory, *adds, *memory;
} ChoiceWords;

static const ChoiceWords *words_of(const Walk *w, const PlanNode *n) {
  static const ChoiceWords of_gpu = {"atomics, as results come", "shuffles, then shared-memory atomics",
                                     "shuffles, and shared memory between warps", "shared-memory atomics",
                                     "shared memory"},
                           of_process = {"atomics, as results come", NULL, NULL, NULL, NULL},
                           of_lanes = {"added by each lane in turn", "shuffles, then an accumulator of the thread",
                                       "shuffles, and an array of the thread", "an accumulator of the thread",
                                       "an array of the thread"};
  if (!w->on_cpu) return &of_gpu;
  return n->rule->level && n->rule->level->depth == 0 ? &of_process : &of_lanes;
}

static void node_choices(Walk *w, const PlanNode *n) {
  const Codelet *c = n->rule->codelet;
  const Level *level = n->rule->level;
  const char *map = map_choice(w, n);
  if (map) add_choice(w, n, "map", map);
  if (n->combine == COMBINE_SPECTRUM)
    add_choice(w, n, "combination", plan_scans_twice(n) ? "a scan of the map's results, and a second map from "
               "there" : "a second step on the map's results");
  if (n->combine == COMBINE_ATOMIC) add_choice(w, n, "combination", words_of(w, n)->combination);
  if (n->combine == COMBINE_PARTIAL) add_choice(w, n, "combination", "copies, added by a second kernel");
  if (n->combine == COMBINE_CLUSTER) add_choice(w, n, "combination", "copies, added in a cluster's shared memory");
  if (c && c->kind == CLASS_COOPERATIVE) {
    const Form *f = n->shuffled ? &c->shuffled : &c->plain;
    const ChoiceWords *words = words_of(w, n);
    const char *how = f->shuffles && f->shared_atomics ? words->shuffles_and_adds
                      : f->shuffles && f->shared_arrays ? words->shuffles_and_memory
                      : n->shuffled ? "shuffles"
                      : f->shared_atomics ? words->adds : words->memory;
    add_choice(w, n, "exchange", how);
  }
  if (plan_slides_over_blocks(n))
    add_choice(w, n, "carry", sync_labels[plan_slides_by(n)].carry);
  else if (level && synchronises(n->rule) && n->sync >= 0 && n->sync < level->nsync)
    add_choice(w, n, "synchronisation", level->sync[n->sync].name);
}

static void walk(Walk *w, const PlanNode *n) {
  const Codelet *c = n->rule->codelet;
  if (n->rule->level) w->levels |= 1u << n->rule->level->depth;
  if (n->rule->map == STEP_SPLIT && n->axis.level && n->axis.second)
    w->levels |= 1u << n->axis.level->depth | 1u << n->axis.second->depth;
  bool known = !c;
  for (int i = 0; i < w->codelets.n; i++) known |= w->codelets.at[i] == c;
  if (!known) vec_push(w->arena, &w->codelets, c);
  node_choices(w, n);
  for (int i = 0; i < n->nkids; i++) walk(w, n->kid[i]);
}

static json_t *level_names(Arena *a, const Arch *m, unsigned bits) {
  json_t *j = json_array();
  for (int i = 0; i < m->nlevels; i++)
    if (bits & 1u << m->levels[i].depth) add(j, manifest_text(a, m->levels[i].name));
  return j;
}

static json_t *codelet(Arena *a, const Codelet *c) {
  static const char *const classes[] = {"autonomous", "cooperative", "compound"};
  int line = 0, column;
  if (c->where.file) source_position(c->where.file, c->where.begin, &line, &column);
  const SourcePart *part = c->where.file ? source_part(c->where.file, c->where.begin) : NULL;
  const char *slash = part ? strrchr(part->path, '/') : NULL;
  json_t *j = json_object();
  put(j, KEY_TAG, manifest_text(a, c->tag));
  put(j, KEY_LINE, json_integer(line));
  if (part && part->by) put(j, KEY_SOURCE, manifest_text(a, slash ? slash + 1 : part->path));
  put(j, KEY_CLASS, manifest_text(a, classes[c->kind]));
  return j;
}

/* ---- a variant ---- */

static json_t *tunable(Arena *a, const Tunable *c) {
  json_t *j = json_object();
  put(j, KEY_NAME, manifest_text(a, c->name));
  put(j, KEY_WHAT, manifest_text(a, c->what));
  put(j, KEY_DEFAULT, json_integer(c->value));
  put(j, KEY_MIN, json_integer(c->min));
  put(j, KEY_MAX, c->max > 0 ? json_integer(c->max) : json_null());
  put(j, KEY_MULTIPLE, json_integer(c->multiple > 1 ? c->multiple : 1));
  json_t *values = c->among.n ? json_array() : NULL;
  for (int i = 0; i < c->among.n && c->among.at[i] <= c->max; i++)
    json_array_append_new(values, json_integer(c->among.at[i]));
  if (values) put(j, KEY_VALUES, values);
  put(j, KEY_BIND, manifest_text(a, c->at_launch ? "launch" : "compile"));
  return j;
}

static json_t *names_of(Arena *a, const Tunables *t) {
  json_t *j = json_array();
  for (int i = 0; i < t->n; i++) add(j, manifest_text(a, t->at[i].name));
  return j;
}

static json_t *workspace(Arena *a, const Program *p) {
  if (p->chained_by != OPERATOR_NONE)
    return manifest_text(a, arena_printf(a, "%d + %d * sizeof(OF(Word))", CHAIN_APART, CHAIN_WORDS));
  if (p->workspace_tiles) {
    Buffer tiles = buffer_new(a);
    cuda_expression(&tiles, p->workspace_tiles);
    return manifest_text(a, arena_printf(a, "%d + %s * words_of<T>() * 8", p->workspace_head, tiles.text));
  }
  if (!p->needs_workspace) return json_null();
  Buffer b = buffer_new(a);
  variant_workspace_bytes(&b, p, "", cuda_expression);
  return manifest_text(a, b.text);
}

static json_t *even(const Output *o, const Program *p) {
  enum { LOAD_BYTES = 16 };
  int lanes = 0;
  for (int i = 0; i < p->nkernels; i++) lanes |= p->kernels[i]->even_lanes;
  json_t *j = lanes ? json_object() : json_null();
  for (int i = 0; lanes && i < o->ntypes; i++)
    put(j, o->types[i]->name, json_integer(lanes * LOAD_BYTES / o->types[i]->bytes));
  return j;
}

static json_t *variant(Arena *a, const Output *o, const Variant *v) {
  const Plan *plan = v->plan;
  const Program *p = v->program;
  json_t *j = json_object(), *launches = json_array(), *tunables = json_array(), *codelets = json_array();
  Walk w = {.arena = a, .choices = json_array(), .on_cpu = output_is_for_cpu(o)};
  walk(&w, plan->root);
  const PlanNode *placed = plan_placed(plan->root);
  if (plan->machine->is_cpu) add_choice(&w, placed, "placement", traversal_labels[placed->traversal].placement);
  put(j, KEY_ID, manifest_text(a, plan->id));
  put(j, KEY_PLAN, manifest_text(a, plan->text));
  put(j, KEY_LETTER, manifest_text(a, plan->letter));
  put(j, KEY_CATEGORY, manifest_text(a, category_name(plan->category, output_is_for_cpu(o))));
  put(j, KEY_DETERMINISM, manifest_text(a, determinism_name(plan->determinism)));
  put(j, KEY_DETERMINISM_WHY, manifest_text(a, plan->determinism_why));
  put(j, KEY_BATCH_INVARIANT, json_boolean(plan->batch_invariant));
  put(j, KEY_BATCH_INVARIANT_WHY, manifest_text(a, plan->batch_invariant_why));
  for (int i = 0; i < p->nkernels; i++) add(launches, kernel(a, o, p, p->kernels[i]));
  put(j, KEY_KERNELS, json_integer(plan->kernels));
  put(j, KEY_LAUNCHES, launches);
  put(j, KEY_LEVELS, level_names(a, plan->machine, w.levels));
  put(j, KEY_CHOICES, w.choices);
  counts(j, a, p);
  put(j, KEY_EVEN, even(o, p));
  put(j, KEY_WORKSPACE, workspace(a, p));
  for (int i = 0; i < p->nconstants; i++) add(tunables, tunable(a, &p->constants[i].tunable));
  put(j, KEY_TUNABLES, tunables);
  Buffer macro = buffer_new(a);
  emit_configurations_macro(&macro, p);
  put(j, KEY_CONFIGURATIONS_MACRO, manifest_text(a, macro.text));
  for (int i = 0; i < w.codelets.n; i++) add(codelets, codelet(a, w.codelets.at[i]));
  put(j, KEY_CODELETS, codelets);
  json_t *asked = manifest_features(w.codelets.at, w.codelets.n, plan->machine);
  if (asked) put(j, KEY_FEATURES, asked);
  Buffer tree = buffer_new(a), dot = buffer_new(a), nest = buffer_new(a);
  plan_print_tree(&tree, plan);
  plan_print_dot(&dot, plan);
  if (v->program->nest) nest_print(&nest, v->program->nest);
  put(j, KEY_TREE, manifest_lines(a, tree.text));
  put(j, KEY_NEST, manifest_lines(a, nest.text));
  put(j, KEY_DOT, manifest_text(a, dot.length ? dot.text : ""));
  put(j, KEY_TEXT_HASH, manifest_text(a, hash_code(a, v->text.text)));
  put(j, KEY_FILE, manifest_text(a, arena_printf(a, "variants/%s.%s", plan->id, output_extension(o))));
  json_t *functions = json_object();
  for (int i = 0; i < o->ntypes; i++)
    put(functions, o->types[i]->name,
        manifest_text(a, arena_printf(a, "%s_%s_%s", o->name, plan->id, o->types[i]->name)));
  put(j, KEY_FUNCTIONS, functions);
  return j;
}

/* The first keys, the same for one machine and for several. */
static json_t *manifest_head(Arena *a, const Output *o, const char *name) {
  json_t *j = json_object();
  OperatorKind op = o->spectrum->op;
  put(j, KEY_VERSION, json_integer(MANIFEST_VERSION));
  put(j, KEY_GENERATOR, manifest_text(a, MANIFEST_GENERATOR));
  put(j, KEY_SPECTRUM, manifest_text(a, name));
  put(j, KEY_OPERATOR, op == OPERATOR_NONE ? json_null() : manifest_text(a, operator_name(op)));
  put(j, KEY_SOURCE, manifest_text(a, output_source_name(o)));
  return j;
}

static json_t *type_names(Arena *a, const Output *o) {
  json_t *types = json_array();
  for (int i = 0; i < o->ntypes; i++) add(types, manifest_text(a, o->types[i]->name));
  return types;
}

/* ---- operands ---- */

static const char *operand_kind(const Operand *x) {
  static const char *const kinds[] = {[OPERAND_ARRAY] = "array", [OPERAND_SIZE] = "size", [OPERAND_NUMBER] = "number"};
  return kinds[x->kind];
}

static const char *operand_word(const Signature *s, const Operand *x) {
  Type t = x->symbol->type;
  if (x->kind == OPERAND_SIZE) return "uint64_t";
  if (s->result >= 0 && x == &s->at[s->result]) return t == TYPE_ELEM || t == TYPE_FINAL ? "result" : type_name(t);
  if (t == TYPE_STORED || (t == TYPE_ELEM && x->kind == OPERAND_ARRAY && !x->written)) return "element";
  return t == TYPE_ELEM ? "accumulator" : type_name(t);
}

static const char *size_meaning(const Operand *x) {
  static const char *const matrix[] = {"rows", "columns", "leading"};
  if (x->kind != OPERAND_SIZE) return NULL;
  if (x->dim < 0 || !x->param) return "number";
  const int rank = x->param->rank;
  return rank == 2 ? matrix[x->dim] : x->dim < rank ? "elements" : matrix[2];
}

_Static_assert((int)MOST_SIZES == (int)MANIFEST_SIZES, "an operand's sizes are listed");

static json_t *operand(Arena *a, const Output *o, const Operand *x, const OperandRole *r) {
  const Signature *s = output_operands(o);
  static const char *const roles[] = {"data", "offsets", "indices", "places", "queue", "counter", "lengths", "ends"};
  json_t *j = json_object(), *sizes = json_array(), *factors = json_array();
  bool array = x->kind == OPERAND_ARRAY;
  for (int i = 0; i < MOST_SIZES && array; i++)
    if (x->size[i] >= 0) add(sizes, manifest_text(a, s->at[x->size[i]].symbol->name));
  const bool follows = r->rule.said, fixed = follows && r->rule.factor[0] < 0;
  for (int i = 0; i < 2 && follows; i++)
    if (r->rule.factor[i] >= 0) add(factors, manifest_text(a, s->at[r->rule.factor[i]].symbol->name));
  put(j, KEY_NAME, manifest_text(a, x->symbol->name));
  put(j, KEY_KIND, manifest_text(a, operand_kind(x)));
  put(j, KEY_TYPE, manifest_text(a, operand_word(s, x)));
  put(j, KEY_SIZES, sizes);
  put(j, KEY_BY_COLUMNS, json_boolean(array && x->param && x->param->by_columns));
  put(j, KEY_READ, json_boolean(!array || x->read));
  put(j, KEY_WRITTEN, json_boolean(array && x->written));
  put(j, KEY_IN_PLACE, json_boolean(output_changes(o, x)));
  put(j, KEY_HOLDS, array ? manifest_text(a, roles[r->role]) : json_null());
  put(j, KEY_INTO, manifest_text(a, role_into(s, r) >= 0 ? s->at[role_into(s, r)].symbol->name : NULL));
  put(j, KEY_MEANS, manifest_text(a, size_meaning(x)));
  put(j, KEY_FACTORS, factors);
  put(j, KEY_TIMES, json_integer(!follows ? 0 : fixed ? r->rule.plus : r->rule.times));
  put(j, KEY_PLUS, json_integer(follows && !fixed ? r->rule.plus : 0));
  if (r->reach.every > 1) put(j, KEY_EVERY, json_integer(r->reach.every));
  if (r->reach.low) put(j, KEY_LOW, json_integer(r->reach.low));
  if (r->reach.high) put(j, KEY_HIGH, json_integer(r->reach.high));
  if (!follows || !r->rule.more) return j;
  put(j, KEY_ADDEND, manifest_text(a, s->at[r->rule.addend].symbol->name));
  put(j, KEY_MORE, json_integer(r->rule.more));
  return j;
}

static json_t *operands(Arena *a, const Output *o) {
  const Signature *s = output_operands(o);
  const OperandRole *roles = roles_of(a, o->spectrum, s);
  json_t *array = json_array();
  for (int i = 0; i < s->n; i++) add(array, operand(a, o, &s->at[i], &roles[i]));
  return array;
}

/* Is it a number that is rounded even where all operands are small whole numbers? */
static bool find_rounding(void *context, const Tree *t) {
  bool *found = context;
  *found |= op_function(t->op) || (t->op == OP_DIV && !type_is_whole(t->type));
  *found |= t->op == OP_FLOAT && t->real != floor(t->real);
  if (t->op == OP_DECLARE && t->symbol->kind == SYMBOL_MAP) tree_visit(t->symbol->init, find_rounding, context);
  return !*found;
}

static bool rounds(Arena *a, const Output *o) {
  const Spectra all = spectrum_applied(a, o->spectrum);
  bool found = false;
  for (int n = 0; n < all.n && !found; n++)
    for (int i = 0; i < all.at[n]->ncodelets && !found; i++)
      tree_visit(all.at[n]->codelets[i]->body, find_rounding, &found);
  return found;
}

/* The operands that hold the number of parts, and the elements of each. */
static json_t *parts(Arena *a, const Output *o) {
  const Signature *s = output_operands(o);
  const PartsGiven p = signature_parts(s, o->spectrum);
  json_t *j = json_object();
  put(j, KEY_COUNT, manifest_text(a, p.parts >= 0 ? s->at[p.parts].symbol->name : NULL));
  put(j, KEY_LESS, json_integer(p.less));
  put(j, KEY_EACH, manifest_text(a, p.elements >= 0 ? s->at[p.elements].symbol->name : NULL));
  if (p.results >= 0) put(j, KEY_RESULTS, manifest_text(a, s->at[p.results].symbol->name));
  return j;
}

/* ---- the manifest ---- */

/* The variants come last, so that they can be printed incrementally. */
static const char no_variants[] = "[]\n}\n";

void emit_manifest_begin(Buffer *to, const Output *o) {
  Arena *a = to->arena;
  json_t *j = manifest_head(a, o, o->name), *exact = json_array(), *variants = json_array();
  put(j, KEY_ALGORITHM, manifest_text(a, o->usual));
  put(j, KEY_MACHINE, manifest_text(a, o->machine->name));
  put(j, KEY_FAMILY, manifest_text(a, o->machine->family));
  if (output_is_for_cpu(o))
    put(j, KEY_OPTIONS, manifest_text(a, emit_options_of(a, o->machine)));
  put(j, KEY_WORKSPACE_HEAD, json_integer(output_workspace_zero(o)));
  for (int i = 0; i < o->ntypes; i++)
    if (output_is_exact(o, o->types[i])) add(exact, manifest_text(a, o->types[i]->name));
  put(j, KEY_TYPES, type_names(a, o));
  put(j, KEY_EXACT, exact);
  put(j, KEY_OPERANDS, operands(a, o));
  put(j, KEY_CALLS, manifest_calls(a, o));
  if (o->spectrum->monoid) put(j, KEY_STRUCTS, manifest_structs(a, o));
  if (output_by_shape(o)) put(j, KEY_PARTS, parts(a, o));
  if (rounds(a, o)) put(j, KEY_ROUNDS, json_true());
  if (output_conditions(o)) put(j, KEY_CONDITIONS, conditions_array(output_conditions(o)));
  if (output_tiles(a, o, &(OutputTiles){0})) put(j, KEY_TURNS, json_true());
  const Tunables members = output_members(a, o);
  if (members.n > USUAL_TUNABLES) put(j, KEY_CONFIGURATION, names_of(a, &members));
  put(j, KEY_DISPATCH, table_dispatch(&o->table, &members));
  put(j, KEY_VARIANTS, variants);
  manifest_print(to, j);
  to->length -= sizeof no_variants - 1;
  buffer_puts(to, "[");
  json_decref(j);
}

void emit_manifest_entry(Buffer *to, const Output *o, const Variant *v) {
  json_t *j = variant(to->arena, (Output[]){output_of_variant(o, v)}, v);
  manifest_print_inside(to, j, "    ");
  json_decref(j);
}

bool emit_manifest_variant(Buffer *to, const Output *o, int number) {
  const Variant *v = &o->variants[number];
  buffer_puts(to, number ? ",\n    " : "\n    ");
  const char *entry = v->entry.spool ? spool_read(to->arena, v->entry) : NULL;
  if (entry) buffer_putn(to, entry, v->entry.length);
  else if (!v->entry.spool) emit_manifest_entry(to, o, v);
  return entry || !v->entry.spool;
}

void emit_manifest_end(Buffer *to, const Output *o) { buffer_puts(to, o->nvariants ? "\n  ]\n}\n" : "]\n}\n"); }

bool emit_manifest(Buffer *to, const Output *o) {
  emit_manifest_begin(to, o);
  for (int i = 0; i < o->nvariants; i++)
    if (!emit_manifest_variant(to, o, i)) return false;
  emit_manifest_end(to, o);
  return true;
}

void emit_machines_manifest(Buffer *to, const MachineOutputs *m) {
  Arena *a = to->arena;
  json_t *j = manifest_head(a, m->each[0], m->name), *machines = json_array();
  put(j, KEY_TYPES, type_names(a, m->each[0]));
  for (int i = 0; i < m->n; i++) {
    json_t *one = json_object();
    put(one, KEY_MACHINE, manifest_text(a, m->each[i]->machine->name));
    put(one, KEY_COMPUTE, json_integer(m->each[i]->machine->compute));
    put(one, KEY_FOLDER, manifest_text(a, m->each[i]->machine->name));
    add(machines, one);
  }
  put(j, KEY_MACHINES, machines);
  manifest_print(to, j);
  json_decref(j);
}

void emit_spectra_manifest(Buffer *to, const SpectraOutputs *s) {
  Arena *a = to->arena;
  json_t *j = json_object(), *spectra = json_array();
  put(j, KEY_VERSION, json_integer(MANIFEST_VERSION));
  put(j, KEY_GENERATOR, manifest_text(a, MANIFEST_GENERATOR));
  put(j, KEY_SPECTRUM, manifest_text(a, s->name));
  put(j, KEY_SOURCE, manifest_text(a, output_source_name(s->each[0])));
  for (int i = 0; i < s->n; i++) {
    json_t *one = json_object();
    put(one, KEY_SPECTRUM, manifest_text(a, s->each[i]->name));
    put(one, KEY_FOLDER, manifest_text(a, s->each[i]->name));
    add(spectra, one);
  }
  put(j, KEY_SPECTRA, spectra);
  manifest_print(to, j);
  json_decref(j);
}
