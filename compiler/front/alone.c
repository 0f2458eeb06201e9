/* alone.c: what combines the results of given parts, by one lane, which stores none of them.
 *
 *   return reduce<ArgMin, T>(map(distance<T>, rows(centres), point)).place;
 *
 *   State best = id();                                 the combining spectrum's loop, of one lane
 *   for (i = 0; i < centres.Size(0); ++i) {
 *     T d = 0;                                         in place of its element i: the map's spectrum, of one lane
 *     for (j = 0; j < centres.Size(1); ++j) d += ..;
 *     best = op(best, lift(d, i));
 *   }
 *   return best.place;
 *
 * So such a spectrum can be mapped itself, a lane a part. The codelets that are written out are as their texts have
 * them: an autonomous one of each spectrum, or one that applies another spectrum to a view. */
#include "front/alone.h"

#include <string.h>

#include "front/divide.h"
#include "front/together.h"
#include "ir/function.h"

typedef DivideStatements Statements;

/* What a name of a text that is written out stands for. */
typedef struct Bound {
  const Symbol *name;
  Tree *is;                 /* a number; of a container what the text above gives: that is read with .. */
  const struct Names *from; /* .. its names; NULL: it is read as it is */
  Op line;                  /* OP_ROWS, OP_COLUMNS: a line of the matrix `is' .. */
  Tree *at;                 /* .. with that number */
} Bound;

typedef struct Names { VEC(Bound) list; } Names;

typedef struct Alone {
  Arena *a;
  Statements *to; /* where what comes before an expression goes; NULL: nothing may */
  bool refused;
  int depth;
} Alone;

enum { DEEPEST = 8 }; /* texts in texts */

static Tree *value(Alone *x, Names *in, const Tree *t);
static Tree *written_out(Alone *x, Names *in, const Tree *call);

static Tree *refuse(Alone *x) {
  x->refused = true;
  return tree_int(x->a, TYPE_INDEX, 0);
}

static const Bound *bound(const Names *in, const Symbol *s) {
  for (int i = in->list.n - 1; i >= 0; i--)
    if (in->list.at[i].name == s) return &in->list.at[i];
  return NULL;
}

const Tree *alone_map_of(const Tree *t) {
  if (t->op == OP_REF && t->symbol->kind == SYMBOL_MAP) t = t->symbol->init;
  return t && t->op == OP_MAP ? t : NULL;
}

/* ---- containers ---- */

/* The parameter that a name comes down to, as a container or as a matrix of which it is a line. */
static const Bound *root(const Names *in, const Tree *t) {
  const Bound *b = t->op == OP_REF ? bound(in, t->symbol) : NULL;
  while (b && b->from && !b->line && b->is->op == OP_REF) b = bound(b->from, b->is->symbol);
  return b;
}

static Tree *size_at(Alone *x, Tree *of, int dimension) {
  Tree *t = tree_unary(x->a, OP_SIZE, TYPE_INDEX, of);
  t->dimension = dimension;
  return t;
}

/* How many elements it has in a dimension. */
static Tree *size(Alone *x, const Names *in, const Tree *t, int dimension) {
  const Tree *map = alone_map_of(t);
  if (map) { /* as many as parts */
    for (int i = 0; i < map->nkids; i++) {
      const Op op = map->kid[i]->op;
      if (op == OP_ROWS || op == OP_COLUMNS || op == OP_ELEMENTS)
        return size(x, in, map->kid[i]->kid[0], op == OP_COLUMNS);
    }
    return refuse(x);
  }
  if (t->op == OP_TRANSFORM) return size(x, in, t->kid[0], 0);
  if (t->op == OP_REPEAT || t->op == OP_IOTA) return value(x, (Names *)in, t->kid[1]);
  const Bound *b = root(in, t);
  if (!b) return refuse(x);
  if (b->line) return size(x, b->from, b->is, b->line == OP_ROWS);
  return b->from ? size(x, b->from, b->is, dimension) : size_at(x, b->is, dimension);
}

static Tree *element(Alone *x, Names *in, const Tree *t, Tree *i);

/* What the map gives part i: the spectrum's call, whose arguments are names of that. */
static Tree *given(Alone *x, Names *in, const Tree *map, Tree *i, Names *of) {
  Tree *call = tree_new(x->a, OP_CALL, map->spectrum->result, map->where, map->nkids);
  call->spectrum = map->spectrum;
  for (int k = 0; k < map->nkids; k++) {
    const Tree *is = map->kid[k];
    const bool line = is->op == OP_ROWS || is->op == OP_COLUMNS;
    const bool is_element = is->op == OP_ELEMENTS;
    if (is->op == OP_PARTITION || is->op == OP_PARTS) return refuse(x);
    Symbol *name = symbol_new(x->a, SYMBOL_PARAM, "given", is->type);
    name->rank = is_element || !tree_is_container(is) ? 0 : 1;
    Bound b = {.name = name, .is = (Tree *)(line || is_element ? is->kid[0] : is), .from = in};
    if (line) b.line = is->op, b.at = i;
    if (!line && !name->rank) { /* a number */
      b.is = is_element ? element(x, in, is->kid[0], i) : value(x, in, is);
      b.from = NULL;
    }
    vec_push(x->a, &of->list, b);
    call->kid[k] = tree_ref(x->a, name);
  }
  return call;
}

/* The map's spectrum of part i, written out. */
static Tree *part(Alone *x, Names *in, const Tree *map, Tree *i) {
  Names *of = arena_one(x->a, Names);
  Tree *call = given(x, in, map, i, of);
  return x->refused ? refuse(x) : written_out(x, of, call);
}

/* An element: of what is computed, by what stands there. `i' is already a value. */
static Tree *element(Alone *x, Names *in, const Tree *t, Tree *i) {
  const Tree *map = alone_map_of(t);
  if (map) return part(x, in, map, i);
  if (t->op == OP_TRANSFORM) {
    Tree *of[MOST_OPERANDS];
    for (int k = 0; k < t->nkids; k++) of[k] = element(x, in, t->kid[k], i);
    return x->refused ? refuse(x) : function_apply(x->a, t->spectrum, of, t->nkids);
  }
  if (t->op == OP_REPEAT) return value(x, in, t->kid[0]);
  if (t->op == OP_IOTA) return tree_binary(x->a, OP_ADD, t->type, value(x, in, t->kid[0]), i);
  const Bound *b = root(in, t);
  if (!b) return refuse(x);
  if (b->from && !b->line) return element(x, (Names *)b->from, b->is, i);
  const Bound *matrix = b->line ? root(b->from, b->is) : b;
  if (!matrix || matrix->from) return refuse(x);
  Tree *e = tree_new(x->a, OP_INDEX, matrix->is->symbol->type, t->where, b->line ? 3 : 2);
  e->kid[0] = matrix->is;
  e->kid[1] = !b->line || b->line == OP_COLUMNS ? i : b->at;
  if (b->line) e->kid[2] = b->line == OP_COLUMNS ? b->at : i;
  return e;
}

/* x[i], A(i, j) */
static Tree *indexed(Alone *x, Names *in, const Tree *t) {
  if (t->nkids == 2) return element(x, in, t->kid[0], value(x, in, t->kid[1]));
  const Bound *b = root(in, t->kid[0]);
  if (!b || b->from) return refuse(x);
  Tree *e = tree_with_kids(x->a, t, t->kid, t->nkids);
  e->kid[0] = b->is;
  for (int k = 1; k < t->nkids; k++) e->kid[k] = value(x, in, t->kid[k]);
  return e;
}

/* ---- texts ---- */

/* The expression by the names of the text that is made; what it applies is written out before it. */
static Tree *value(Alone *x, Names *in, const Tree *t) {
  if (!t || x->refused) return refuse(x);
  const Bound *b = t->op == OP_REF ? bound(in, t->symbol) : NULL;
  switch (t->op) {
    case OP_REF: return b && !t->symbol->rank ? b->is : refuse(x);
    case OP_CALL: return written_out(x, in, t);
    case OP_SIZE: return size(x, in, t->kid[0], t->dimension);
    case OP_INDEX: return indexed(x, in, t);
    case OP_STRIDE: return tree_int(x->a, TYPE_INDEX, 1); /* of one dimension */
    case OP_MAP: case OP_TRANSFORM: case OP_SLIDE: case OP_APART: case OP_CLAIM: return refuse(x);
    default: break;
  }
  Statements *before = x->to;
  if (t->op == OP_COND || t->op == OP_LAND || t->op == OP_LOR) x->to = NULL; /* not whatever the condition is */
  Tree *made = tree_with_kids(x->a, t, t->kid, t->nkids);
  for (int k = 0; k < t->nkids; k++) made->kid[k] = value(x, in, t->kid[k]);
  x->to = before;
  return made;
}

static void statements(Alone *x, Names *in, const Tree *seq, Statements *to, Tree **returned);

static Tree *block(Alone *x, Names *in, const Tree *seq) {
  Statements inner = {0};
  Tree *returned = NULL;
  statements(x, in, seq, &inner, &returned);
  if (returned) x->refused = true; /* from the middle */
  Tree *t = tree_seq(x->a, inner.at, inner.n);
  t->where = seq->where;
  return t;
}

static Tree *declaration(Alone *x, Names *in, const Tree *t) {
  Symbol *s = arena_one(x->a, Symbol);
  *s = *t->symbol;
  if (s->kind != SYMBOL_LOCAL || s->array || s->rank) return refuse(x);
  Tree *made = tree_new(x->a, OP_DECLARE, TYPE_VOID, t->where, t->nkids);
  made->symbol = s;
  if (t->nkids) made->kid[0] = value(x, in, t->kid[0]);
  vec_push(x->a, &in->list, ((Bound){.name = t->symbol, .is = tree_ref(x->a, s)}));
  return made;
}

static Tree *loop(Alone *x, Names *in, const Tree *t) {
  x->to = NULL;
  Tree *made = tree_with_kids(x->a, t, t->kid, t->nkids);
  if (!t->kid[0] || t->kid[0]->op != OP_DECLARE || !t->kid[1] || !t->kid[2]) return refuse(x);
  made->kid[0] = declaration(x, in, t->kid[0]);
  made->kid[1] = value(x, in, t->kid[1]);
  Tree *step = tree_with_kids(x->a, t->kid[2], t->kid[2]->kid, t->kid[2]->nkids);
  for (int k = 0; k < step->nkids; k++) step->kid[k] = value(x, in, t->kid[2]->kid[k]);
  made->kid[2] = step;
  made->kid[3] = block(x, in, t->kid[3]);
  return made;
}

static Tree *statement(Alone *x, Names *in, const Tree *t) {
  Tree *made;
  switch (t->op) {
    case OP_DECLARE: return declaration(x, in, t);
    case OP_FOR: return loop(x, in, t);
    case OP_BREAK: case OP_CONTINUE: return (Tree *)t;
    case OP_IF: case OP_ASSIGN:
      made = tree_with_kids(x->a, t, t->kid, t->nkids);
      for (int k = 0; k < t->nkids; k++)
        made->kid[k] = t->op == OP_IF && k ? block(x, in, t->kid[k]) : value(x, in, t->kid[k]);
      if (t->op == OP_ASSIGN && made->kid[0]->op != OP_REF) x->refused = true; /* it writes a container */
      return made;
    default: return refuse(x);
  }
}

static void statements(Alone *x, Names *in, const Tree *seq, Statements *to, Tree **returned) {
  Statements *before = x->to;
  for (int i = 0; i < seq->nkids && !x->refused; i++) {
    const Tree *t = seq->kid[i];
    x->to = to;
    if (*returned) x->refused = true;
    else if (t->op == OP_DECLARE && t->symbol->kind == SYMBOL_MAP) continue; /* it stands for what it is */
    else if (t->op == OP_RETURN && t->nkids) *returned = value(x, in, t->kid[0]);
    else if (t->op == OP_SEQ) vec_push(x->a, to, block(x, in, t));
    else {
      Tree *made = statement(x, in, t);
      vec_push(x->a, to, made);
    }
  }
  x->to = before;
}

/* Is it one lane's, or does it apply others, and nothing else? */
static bool finds_more(const Tree *t, const Spectrum *own) {
  if (!t) return false;
  switch (t->op) {
    case OP_VECTOR_SIZE: case OP_VECTOR_MAX: case OP_VECTOR_THREAD: case OP_VECTOR_LANE: case OP_VECTOR_ID:
    case OP_COOP_DIM: case OP_MAP: case OP_SLIDE: case OP_ATOMIC: case OP_ALIKE: case OP_RUN: case OP_MAP_RUN:
    case OP_MAP_TO: case OP_MAP_ATOMIC: return true;
    case OP_CALL: if (t->spectrum == own) return true; break;
    case OP_DECLARE: if (t->symbol->kind != SYMBOL_LOCAL || t->symbol->rank) return true; break;
    default: break;
  }
  for (int i = 0; i < t->nkids; i++)
    if (finds_more(t->kid[i], own)) return true;
  return false;
}

static const Codelet *plain(const Spectrum *s) {
  for (int i = 0; i < s->ncodelets; i++)
    if (!s->codelets[i]->nenv && !s->codelets[i]->matrix && !finds_more(s->codelets[i]->body, s)) return s->codelets[i];
  return NULL;
}

/* The call's spectrum written out before what is at hand; what it returns. */
static Tree *written_out(Alone *x, Names *in, const Tree *call) {
  const Codelet *c = plain(call->spectrum);
  if (!c || !x->to || c->nparams != call->nkids || ++x->depth > DEEPEST) return refuse(x);
  Names *of = arena_one(x->a, Names);
  for (int i = 0; i < c->nparams; i++) {
    const Symbol *p = c->params[i];
    if (p->writable) return refuse(x);
    Bound b = {.name = p, .is = call->kid[i], .from = in};
    if (!p->rank) {
      b.is = value(x, in, call->kid[i]);
      b.from = NULL;
    }
    vec_push(x->a, &of->list, b);
  }
  Tree *returned = NULL;
  statements(x, of, c->body, x->to, &returned);
  x->depth--;
  if (!returned || x->refused) return refuse(x);
  Symbol *s = symbol_new(x->a, SYMBOL_LOCAL, call->spectrum->name, call->spectrum->result);
  s->declared = s->type;
  Tree *t = tree_new(x->a, OP_DECLARE, TYPE_VOID, call->where, 1);
  t->symbol = s;
  t->kid[0] = returned;
  vec_push(x->a, x->to, t);
  return tree_ref(x->a, s);
}

/* ---- codelets ---- */

const Tree *alone_map(const Tree *t) {
  const Tree *found = NULL;
  if (!t) return NULL;
  for (int i = 0; t->op == OP_CALL && i < t->nkids; i++) {
    const Tree *map = alone_map_of(t->kid[i]);
    for (int k = 0; map && k < map->nkids; k++)
      if (map->kid[k]->op == OP_ROWS || map->kid[k]->op == OP_COLUMNS || map->kid[k]->op == OP_ELEMENTS) return map;
  }
  for (int i = 0; i < t->nkids && !found; i++) found = alone_map(t->kid[i]);
  return found;
}

const Codelet *alone_combines(const Spectrum *s) {
  if (plain(s) || function_is(s)) return NULL;
  for (int k = 0; k < s->ncodelets; k++)
    if (alone_map(s->codelets[k]->body)) return s->codelets[k];
  return NULL;
}

Tree *alone_result(Arena *a, const Codelet *outer, Symbol *const *params, const AlonePart *of, DivideStatements *to) {
  Names in = {{0}}, part = {{0}}, each = {{0}};
  Alone x = {.a = a, .to = to};
  for (int i = 0; i < outer->nparams; i++)
    vec_push(a, &in.list, ((Bound){.name = outer->params[i], .is = tree_ref(a, params[i])}));
  const Tree *call = given(&x, &in, of->map, of->part, &part);
  const Codelet *c = alone_combines(of->map->spectrum);
  for (int i = 0; !x.refused && i < c->nparams; i++) {
    const Bound *is = bound(&part, call->kid[i]->symbol);
    vec_push(a, &each.list, *is);
    each.list.at[i].name = c->params[i];
  }
  if (x.refused) return NULL;
  *of->parts = size(&x, &in, of->map, 0);
  *of->combined = size(&x, &each, of->inner, 0);
  Tree *result = element(&x, &each, of->inner, of->at);
  return x.refused ? NULL : result;
}

static Codelet *alone(Arena *a, const Codelet *c) {
  Codelet *k = arena_one(a, Codelet);
  *k = *c;
  k->tag = "alone";
  k->params = arena_many(a, Symbol *, c->nparams);
  Names in = {{0}};
  for (int i = 0; i < c->nparams; i++) {
    k->params[i] = divide_parameter(a, c, k->params, c->params[i]);
    vec_push(a, &in.list, ((Bound){.name = c->params[i], .is = tree_ref(a, k->params[i])}));
  }
  Alone x = {.a = a};
  Statements all = {0};
  Tree *returned = NULL;
  statements(&x, &in, c->body, &all, &returned);
  if (x.refused || !returned) return NULL;
  Tree *last = tree_unary(a, OP_RETURN, TYPE_VOID, returned);
  last->where = c->body->where;
  vec_push(a, &all, last);
  k->body = tree_seq(a, all.at, all.n);
  k->body->where = c->body->where;
  return k;
}

/* The spectrum's codelets, and one more. */
static void add_codelet(Arena *a, Spectrum *s, Codelet *made) {
  Codelet **more = arena_many(a, Codelet *, s->ncodelets + 1);
  memcpy(more, s->codelets, (size_t)s->ncodelets * sizeof *more);
  more[s->ncodelets++] = made;
  s->codelets = more;
}

void alone_add(Arena *a, Unit *u) {
  for (int i = 0; i < u->nspectra; i++) {
    Spectrum *s = u->spectra[i];
    if (plain(s) || function_is(s)) continue;
    for (int k = 0; k < s->ncodelets; k++) {
      Codelet *made = alone_map(s->codelets[k]->body) ? alone(a, s->codelets[k]) : NULL;
      if (!made) continue;
      Codelet *together = together_made(a, u, alone(a, s->codelets[k])); /* with names of its own */
      add_codelet(a, s, made);
      if (together) add_codelet(a, s, together);
      break;
    }
  }
}
