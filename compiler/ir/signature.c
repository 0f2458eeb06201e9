/* signature.c: operands from a codelet's parameters. */
#include "ir/signature.h"

#include "ir/steps.h"

static Symbol *named(Arena *a, const char *name, Type type, bool pointer) {
  Symbol *s = symbol_new(a, SYMBOL_PARAM, name, type);
  s->pointer = pointer;
  return s;
}

static int add(Arena *a, Signature *s, Operand o) {
  Operand *more = arena_many(a, Operand, s->n + 1);
  for (int i = 0; i < s->n; i++) more[i] = s->at[i];
  more[s->n] = o;
  s->at = more;
  return s->n++;
}

static Operand without_sizes(Operand x) {
  for (int i = 0; i < MOST_SIZES; i++) x.size[i] = -1;
  return x;
}

int operand_rank(const Operand *x) {
  int sizes = 0;
  while (sizes < MOST_SIZES && x->size[sizes] >= 0) sizes++;
  return (sizes + 1) / 2;
}

const Operand *signature_operand(const Signature *s, const Symbol *param, int dim) {
  for (int i = 0; i < s->n; i++) {
    const Operand *o = &s->at[i];
    if (o->param == param && (o->kind == OPERAND_SIZE ? o->dim == dim : dim < 0)) return o;
  }
  return NULL;
}

/* The operand that is a size of a parameter, or a parameter that is a size; -1: there is none. */
static int size_of(const Signature *s, const Symbol *param, int dim) {
  for (int i = 0; i < s->n && !param->rank; i++)
    if (s->at[i].param == param) return i;
  for (int i = 0; i < s->n; i++)
    if (s->at[i].kind == OPERAND_ARRAY && s->at[i].param == param) return s->at[i].size[dim];
  return -1;
}

/* The size that a parameter shares with one before it; -1: it has one of its own. */
static int shared_size(const Signature *s, const Symbol *param, int dim) {
  if (dim >= param->rank) return -1;
  const Symbol *same = shape_same(&param->shape[dim]);
  return same ? size_of(s, same, param->shape[dim].dim[0]) : -1;
}

/* What is said of a size, in operands. */
static SizeRule size_rule(const Signature *s, const Symbol *param, int dim) {
  SizeRule none = {.factor = {-1, -1}, .addend = -1};
  if (dim >= param->rank || !param->shape[dim].said) return none;
  const ShapeRule *r = &param->shape[dim];
  SizeRule rule = {true, r->times, r->plus, {-1, -1}, 0, -1};
  for (int k = 0; k < 2 && r->of[k]; k++) rule.factor[k] = size_of(s, r->of[k], r->dim[k]);
  rule.more = r->more;
  if (r->more) rule.addend = size_of(s, r->of[SHAPE_ADDEND], r->dim[SHAPE_ADDEND]);
  return rule;
}

/* The first container's sizes have the plain names. */
static const char *size_name(Arena *a, const Symbol *param, int dim, bool first) {
  static const char *const of_one[] = {"n"}, *const of_two[] = {"rows", "columns", "leading"};
  const int rank = param->rank;
  const char *plain = rank == 1 ? of_one[dim] : rank == 2 ? of_two[dim]
                      : arena_printf(a, dim < rank ? "size%d" : "stride%d", dim % rank);
  return first ? plain : arena_printf(a, "%s_%s", param->name, plain);
}

static void add_container(Arena *a, Signature *s, const Symbol *param, const char *name, Type element, bool first) {
  Operand array = without_sizes((Operand){.kind = OPERAND_ARRAY, .param = param});
  bool stored = param->type == TYPE_ELEM && !param->writable;
  array.symbol = named(a, name, stored ? element : param->type, true);
  array.written = param->writable;
  array.read = true;
  array.symbol->constant = !param->writable;
  int at = add(a, s, array), sizes = 2 * param->rank - 1;
  for (int dim = 0; dim < sizes; dim++) {
    int which = shared_size(s, param, dim);
    if (which < 0) {
      Operand size = without_sizes((Operand){.kind = OPERAND_SIZE, .param = param, .dim = dim});
      size.symbol = named(a, size_name(a, param, dim, first), TYPE_INDEX, false);
      size.rule = size_rule(s, param, dim);
      which = add(a, s, size);
    }
    s->at[at].size[dim] = which;
  }
}

Signature signature_of(Arena *a, const Spectrum *spectrum, Type element, Type result) {
  Signature s = {.result = -1};
  const Codelet *c = spectrum->codelets[0];
  bool first = true;
  for (int i = 0; i < c->nparams; i++) {
    const Symbol *param = c->params[i];
    if (param->rank) {
      add_container(a, &s, param, c->nparams == 1 ? "in" : param->name, element, first);
      first = false;
      continue;
    }
    const bool size = param->type == TYPE_INDEX && !param->number;
    Operand number = without_sizes((Operand){.kind = size ? OPERAND_SIZE : OPERAND_NUMBER, .param = param, .dim = -1});
    number.symbol = named(a, param->name, param->number ? TYPE_LONG : param->type, false);
    add(a, &s, number);
  }
  if (result == TYPE_VOID) return s;
  Operand out = without_sizes((Operand){.kind = OPERAND_ARRAY, .written = true});
  out.symbol = named(a, "out", result, true);
  s.result = add(a, &s, out);
  return s;
}

bool signature_is_reduction(const Signature *s) {
  return s->n == 3 && s->result == 2 && s->at[0].kind == OPERAND_ARRAY && s->at[1].kind == OPERAND_SIZE;
}

bool spectrum_is_scan(const Spectrum *s) {
  const Codelet *c = s->ncodelets ? s->codelets[0] : NULL;
  if (!c || c->nparams != 3 || s->op == OPERATOR_NONE) return false;
  const Symbol *in = c->params[0], *carry = c->params[1], *out = c->params[2];
  return in->rank == 1 && !in->writable && !carry->rank && carry->type == s->result && out->rank == 1 && out->writable;
}

/* Whether a loop's turn stores, in `out', what it has before it accumulates. */
static bool stores_first(const Tree *body, const Symbol *out, const Symbol *result) {
  for (int i = 0; i < body->nkids; i++) {
    if (tree_mentions(body->kid[i], out)) return true;
    if (tree_assigns(body->kid[i], result)) return false;
  }
  return false;
}

/* As the loop of an autonomous codelet has it. */
bool spectrum_excludes(const Spectrum *s) {
  for (int i = 0; i < s->ncodelets; i++) {
    const Codelet *c = s->codelets[i];
    const Tree *last = c->body->nkids ? c->body->kid[c->body->nkids - 1] : NULL;
    if (c->kind != CLASS_AUTONOMOUS || c->nparams != 3 || !last || last->op != OP_RETURN || !last->nkids) continue;
    for (int k = 0; k < c->body->nkids && last->kid[0]->op == OP_REF; k++) {
      const Tree *t = c->body->kid[k];
      if (t->op == OP_FOR || t->op == OP_WHILE)
        return stores_first(t->kid[t->nkids - 1], c->params[2], last->kid[0]->symbol);
    }
  }
  return false;
}

/* ---- parts ---- */

/* A size, or a number of the caller's, and how much less than it a value is; -1: the value is none. */
typedef struct Given { int operand; int64_t less; } Given;

static int operand_of(const Signature *s, const Codelet *first, const Codelet *c, const Symbol *param, int dim) {
  for (int p = 0; p < c->nparams; p++) { /* names are each codelet's own */
    const Operand *o = c->params[p] == param ? signature_operand(s, first->params[p], -1) : NULL;
    if (o) return dim < 0 ? (int)(o - s->at) : o->size[dim];
  }
  return -1;
}

static Given given(const Signature *s, const Codelet *first, const Codelet *c, const Tree *t) {
  int64_t constant;
  switch (t->op) {
    case OP_CAST: return given(s, first, c, t->kid[0]);
    case OP_SIZE: {
      bool known = t->kid[0]->op == OP_REF && t->dimension >= 0 && t->dimension < MOST_SIZES;
      return (Given){known ? operand_of(s, first, c, t->kid[0]->symbol, t->dimension) : -1, 0};
    }
    case OP_ADD: case OP_SUB: {
      Given x = given(s, first, c, t->kid[0]);
      if (!tree_constant(t->kid[1], &constant)) return (Given){-1, 0};
      x.less += t->op == OP_SUB ? constant : -constant;
      return x;
    }
    case OP_MAX: case OP_MIN: /* size, or 1 where that is 0, or as many as there are */
      if (!tree_constant(t->kid[1], &constant) && given(s, first, c, t->kid[1]).operand < 0) return (Given){-1, 0};
      return given(s, first, c, t->kid[0]);
    case OP_REF: {
      const Tree *value = tree_declared(c->body, t->symbol);
      if (value) return given(s, first, c, value);
      return (Given){t->symbol->rank ? -1 : operand_of(s, first, c, t->symbol, -1), 0};
    }
    default: return (Given){-1, 0};
  }
}

static const Tree *meant(const Tree *t) {
  return t->op == OP_REF && t->symbol->kind == SYMBOL_SEQUENCE && t->symbol->init ? t->symbol->init : t;
}

static const PartsGiven none = {-1, -1, -1, 0};

/* .. of its map's rows, or columns. */
static PartsGiven lines(const Signature *s, const Codelet *first, const Codelet *c, const Tree *map) {
  for (int i = 0; i < map->nkids; i++) {
    const Tree *x = map->kid[i];
    if ((x->op != OP_ROWS && x->op != OP_COLUMNS) || x->kid[0]->op != OP_REF) continue;
    const int many = operand_of(s, first, c, x->kid[0]->symbol, x->op == OP_COLUMNS);
    if (many >= 0) return (PartsGiven){many, -1, -1, 0};
  }
  return none;
}

/* The parts of a codelet without a result a part: of its map's first partition. */
static PartsGiven parts_cut(const Signature *s, const Codelet *first, const Codelet *c) {
  const Tree *cut = NULL;
  for (int k = 0; k < c->body->nkids; k++) {
    const Tree *t = c->body->kid[k];
    if (t->op == OP_DECLARE && t->symbol->kind == SYMBOL_TUNABLE) return none; /* as many as are wanted */
    const PartsGiven of = t->op == OP_MAP_RUN ? lines(s, first, c, t->kid[0]) : none;
    if (of.parts >= 0) return of;
    for (int i = 0; t->op == OP_MAP_RUN && !cut && i < t->kid[0]->nkids; i++)
      if (t->kid[0]->kid[i]->op == OP_PARTITION) cut = t->kid[0]->kid[i];
  }
  if (!cut) return none;
  Given parts = given(s, first, c, cut->kid[1]);
  if (parts.operand >= 0 && parts.less >= 0) return (PartsGiven){parts.operand, -1, -1, parts.less};
  const Tree *start = meant(cut->kid[2]);
  Given each = start->nkids == 3 ? given(s, first, c, start->kid[1]) : (Given){-1, 0};
  return each.less ? none : (PartsGiven){-1, each.operand, -1, 0};
}

static bool has_size(const Operand *x, int size) {
  for (int d = 0; d < operand_rank(x); d++)
    if (x->size[d] == size) return true;
  return false;
}

/* A container of several dimensions that is accumulated into, and what its elements are made of. */
static PartsGiven contributed(const Signature *s) {
  PartsGiven found = none;
  for (int i = 0; i < s->n; i++) {
    if (s->at[i].kind != OPERAND_ARRAY || !s->at[i].written) continue;
    if (found.results >= 0 || operand_rank(&s->at[i]) < 2 || !s->at[i].param || !s->at[i].param->atomic) return none;
    found.results = i;
  }
  for (int i = 0; i < s->n && found.results >= 0; i++) {
    bool shares = false;
    int others = 0;
    for (int d = 0; s->at[i].kind == OPERAND_ARRAY && d < operand_rank(&s->at[i]); d++) {
      const int size = s->at[i].size[d];
      const bool own = has_size(&s->at[found.results], size);
      shares |= own;
      others += !own;
      if (own) continue;
      if (found.elements >= 0 && found.elements != size) return none;
      found.elements = size;
    }
    if (others && !shares) return none; /* each of its elements has a place of its own: a histogram */
  }
  return found.elements >= 0 ? found : none;
}

/* How many results each of so many parts combines, if a codelet stores all of these between its steps: the size that
 * is the columns of a container of its own; -1: none does. */
static int combined(const Signature *s, const Spectrum *spectrum, int parts) {
  const Codelet *first = spectrum->codelets[0];
  for (int i = 0; i < spectrum->ncodelets; i++) {
    const Codelet *c = spectrum->codelets[i];
    for (int k = 0; k < c->body->nkids; k++) {
      const Tree *t = c->body->kid[k];
      const Symbol *own = t->op == OP_DECLARE ? t->symbol : NULL;
      if (!own || own->kind != SYMBOL_LOCAL || own->rank != 2 || !own->length || own->within) continue;
      const Given rows = given(s, first, c, symbol_extent(own, 0)), each = given(s, first, c, symbol_extent(own, 1));
      if (rows.operand == parts && !rows.less && each.operand >= 0 && !each.less) return each.operand;
    }
  }
  return -1;
}

bool signature_goes_together(const Spectrum *s) {
  bool any = false;
  for (int i = 0; i < s->ncodelets; i++) any |= s->codelets[i]->together;
  return any;
}

/* The map of a statement that stores what its parts come to, or has them store it; NULL: it is another statement. */
static const Tree *map_stored(const Tree *t) {
  if (t->op != OP_MAP_TO && t->op != OP_MAP_RUN) return NULL;
  const Tree *map = t->kid[0]->op == OP_REF ? t->kid[0]->symbol->init : t->kid[0];
  return map && map->op == OP_MAP ? map : NULL;
}

static bool has_own_container(const Tree *call) {
  bool own = false;
  for (int i = 0; i < call->nkids; i++)
    own |= call->kid[i]->op == OP_REF && call->kid[i]->symbol->kind == SYMBOL_LOCAL && call->kid[i]->symbol->rank > 0;
  return own;
}

/* The rows that a map of `of', which is called so, has of a container that is the caller's. */
static PartsGiven rows_called(const Signature *s, const Codelet *first, const Codelet *c, const Tree *call,
                              const Codelet *of, const Tree *map) {
  for (int i = 0; i < map->nkids; i++) {
    const Tree *x = map->kid[i];
    if ((x->op != OP_ROWS && x->op != OP_COLUMNS) || x->kid[0]->op != OP_REF) continue;
    for (int p = 0; p < of->nparams && p < call->nkids; p++) {
      if (of->params[p] != x->kid[0]->symbol || call->kid[p]->op != OP_REF) continue;
      const int many = operand_of(s, first, c, call->kid[p]->symbol, x->op == OP_COLUMNS);
      if (many >= 0) return (PartsGiven){many, -1, -1, 0};
    }
  }
  return none;
}

/* Of steps, one of which stores in a container between them what each of so many rows comes to, by several lanes. */
static PartsGiven rows_between(const Signature *s, const Codelet *first, const Codelet *c) {
  const Steps steps = steps_any(c) ? steps_of(c) : (Steps){.n = 0};
  for (int n = 0; n < steps.n && n < MOST_STEPS; n++) {
    const Tree *call = steps.call[n];
    for (int k = 0; has_own_container(call) && k < call->spectrum->ncodelets; k++) {
      const Codelet *of = call->spectrum->codelets[k];
      for (int i = 0; i < of->body->nkids; i++) {
        const Tree *map = map_stored(of->body->kid[i]);
        if (!map || !signature_goes_together(map->spectrum)) continue;
        const PartsGiven found = rows_called(s, first, c, call, of, map);
        if (found.parts >= 0) return found;
      }
    }
  }
  return none;
}

/* A step, in whichever loop, that works on rows of a container that is the caller's: those. */
typedef struct Within { const Signature *s; const Codelet *first, *codelet; PartsGiven found; } Within;

static bool find_step_of_rows(void *context, const Tree *t) {
  Within *x = context;
  const Spectrum *of = t->op == OP_CALL ? t->spectrum : NULL;
  for (int i = 0; of && i < of->ncodelets; i++)
    for (int k = 0; k < of->codelets[i]->body->nkids && x->found.parts < 0; k++) {
      const Tree *map = map_stored(of->codelets[i]->body->kid[k]);
      if (map) x->found = rows_called(x->s, x->first, x->codelet, t, of->codelets[i], map);
    }
  return x->found.parts < 0;
}

/* The parts of a codelet of steps: those of the first step that has some. */
static PartsGiven parts_of_steps(const Signature *s, const Codelet *first, const Codelet *c) {
  Within x = {s, first, c, none};
  tree_visit(c->body, find_step_of_rows, &x);
  return x.found;
}

PartsGiven signature_parts(const Signature *s, const Spectrum *spectrum) {
  const Codelet *first = spectrum->codelets[0];
  for (int i = 0; i < spectrum->ncodelets; i++) {
    const Codelet *c = spectrum->codelets[i];
    for (int k = 0; k < c->body->nkids; k++) {
      const Tree *t = c->body->kid[k];
      if (t->op != OP_MAP_TO || t->kid[1]->op != OP_REF) continue;
      int out = operand_of(s, first, c, t->kid[1]->symbol, 0);
      if (out >= 0) return (PartsGiven){out, combined(s, spectrum, out), -1, 0};
    }
    PartsGiven cut = c->kind == CLASS_COMPOUND ? parts_cut(s, first, c) : none;
    if (cut.parts < 0 && cut.elements < 0 && c->kind == CLASS_COMPOUND) cut = rows_between(s, first, c);
    if (cut.parts >= 0 || cut.elements >= 0) return cut;
  }
  const PartsGiven results = contributed(s);
  if (results.elements >= 0) return results;
  for (int i = 0; i < spectrum->ncodelets; i++) {
    const PartsGiven steps = parts_of_steps(s, first, spectrum->codelets[i]);
    if (steps.parts >= 0) return steps;
  }
  return none;
}

const Operand *signature_results(const Signature *s, const Spectrum *spectrum) {
  const PartsGiven parts = signature_parts(s, spectrum);
  if (parts.results >= 0) return &s->at[parts.results];
  const Operand *found = NULL;
  for (int i = 0; i < s->n && parts.parts < 0 && parts.elements < 0; i++) {
    const Operand *x = &s->at[i];
    if (x->kind != OPERAND_ARRAY || !x->written) continue;
    if (found || operand_rank(x) < 2) return NULL;
    found = x;
  }
  return found;
}
