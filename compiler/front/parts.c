/* parts.c: loops that are divided among workers,
 *
 *     for (i ..) for (j ..) G(i, j) += A(k, i) * A(k, j) * w[i + j];
 *
 * A container is cut where each index is the same loop's variable, as G is, and its size is declared to be as long as
 * that loop. Where the variable is used in any other way a part has to know which of the whole's turns it has: what is
 * cut then is a spectrum of its own, which gets positions, cut as the loop is, and what is read:
 *
 *     void gram_parts(i_at, j_at, A, w, G) { for (i ..) for (j ..) G(i, j) += A(k, i_at[i]) * A(k, j_at[j]) * ..; }
 *     void gram(A, w, G) { gram_parts(iota(0, G.Size(0)), iota(0, G.Size(1)), A, w, G); }
 *
 * If nothing asks where a part lies, the cuts are the spectrum's own codelets. A part's size is not the whole's, which
 * goes in as a number. */
#include "front/parts.h"

#include <string.h>

/* ---- what a codelet has ---- */

static bool is_variable(const Tree *t) {
  return t->op == OP_DECLARE && t->symbol->kind == SYMBOL_LOCAL && !t->symbol->rank;
}

/* `for (i = 0; i < of.Size(dimension); ++i)', however it is written. */
static bool goes_through(Arena *a, const Codelet *c, const Tree *t, PartLoop *loop) {
  LoopHead head;
  int64_t begin;
  if (!loops_head(a, t, &head) || head.step != 1 || !tree_constant(head.begin, &begin) || begin) return false;
  const Tree *end = head.end;
  if (end->op != OP_SIZE || end->kid[0]->op != OP_REF || divide_place(c, end->kid[0]->symbol) < 0) return false;
  *loop = (PartLoop){head.index, end->kid[0]->symbol, end->dimension};
  return true;
}

bool parts_find_loops(Arena *a, const Codelet *c, Parts *x) {
  Tree *body = loops_sized(a, c);
  *x = (Parts){.codelet = c, .body = body, .inner = body};
  memset(x->of, PART_UNKNOWN, sizeof x->of);
  for (const Tree *t = body; x->loops < MOST_RANK;) {
    for (; t->op == OP_SEQ && t->nkids; t = t->kid[t->nkids - 1])
      for (int i = 0; i < t->nkids - 1; i++)
        if (!is_variable(t->kid[i])) return x->loops > 0;
    if (!goes_through(a, c, t, &x->loop[x->loops])) break;
    x->at[x->loops] = t;
    x->cut[x->loops++] = true;
    t = x->inner = t->kid[3];
  }
  return x->loops > 0;
}

int parts_loop_of(const Parts *x, const Tree *index) {
  while (index->op == OP_CAST && index->type == TYPE_INDEX) index = index->kid[0];
  for (int i = 0; index->op == OP_REF && i < x->loops; i++)
    if (x->loop[i].index == index->symbol) return i;
  return PART_WHOLE;
}

typedef struct Indices { Parts *parts; bool ok; } Indices;

static bool find_indices(void *context, const Tree *t) {
  Indices *n = context;
  Parts *x = n->parts;
  if (t->op == OP_SIZE || t->op == OP_STRIDE) return false;
  if (t->op == OP_REF && t->symbol->rank) n->ok = false;
  const int p = t->op == OP_INDEX && t->kid[0]->op == OP_REF ? divide_place(x->codelet, t->kid[0]->symbol) : -1;
  if (p < 0) return n->ok;
  for (int d = 0; d < t->nkids - 1; d++) {
    const int loop = parts_loop_of(x, t->kid[1 + d]);
    x->of[p][d] = x->of[p][d] == PART_UNKNOWN || x->of[p][d] == loop ? loop : PART_WHOLE;
    tree_visit(t->kid[1 + d], find_indices, n);
  }
  return false;
}

bool parts_find_indices(Parts *x, const Tree *t) {
  Indices n = {x, true};
  tree_visit(t, find_indices, &n);
  return n.ok;
}

static bool same_size(const Symbol *s, int d, const Symbol *other, int of_other) {
  shape_first(&s, &d);
  shape_first(&other, &of_other);
  return s == other && d == of_other;
}

void parts_keep_lengths(Parts *x) {
  const Codelet *c = x->codelet;
  for (int p = 0; p < c->nparams; p++) {
    int of[MOST_RANK];
    memcpy(of, x->of[p], sizeof of);
    for (int d = 0; d < c->params[p]->rank; d++) {
      bool fits = of[d] >= 0 && same_size(c->params[p], d, x->loop[of[d]].of, x->loop[of[d]].dimension);
      for (int k = 0; k < c->params[p]->rank; k++) fits &= k == d || of[k] != of[d]; /* a diagonal */
      if (!fits) x->of[p][d] = PART_WHOLE;
    }
  }
}

/* ---- the text of parts ---- */

typedef struct Text {
  Arena *a;
  const Parts *parts;
  Symbol **params;             /* copies of the codelet's */
  Symbol *position[MOST_RANK]; /* by loop: which of the whole's turns they are, .. */
  Symbol *size[MOST_RANK];     /* .. and how many the whole has; NULL: nothing asks */
} Text;

/* The loop that cuts this dimension; PART_WHOLE: none. */
static int cuts(const Parts *x, int p, int d) {
  const int loop = p >= 0 ? x->of[p][d] : PART_WHOLE;
  return loop >= 0 && x->cut[loop] ? loop : PART_WHOLE;
}

static Symbol *given(Text *t, int loop, const char *what, int rank) {
  Symbol *s = symbol_new(t->a, SYMBOL_PARAM, arena_printf(t->a, "%s_%s", t->parts->loop[loop].index->name, what),
                         TYPE_INDEX);
  s->declared = TYPE_LONG;
  s->rank = rank;
  return s;
}

static Tree *position(Text *t, int loop) {
  if (!t->position[loop]) t->position[loop] = given(t, loop, "at", 1);
  return tree_binary(t->a, OP_INDEX, TYPE_INDEX, tree_ref(t->a, t->position[loop]),
                     tree_ref(t->a, (Symbol *)t->parts->loop[loop].index));
}

static Tree *whole_size(Text *t, int loop) {
  if (!t->size[loop]) t->size[loop] = given(t, loop, "size", 0);
  return tree_ref(t->a, t->size[loop]);
}

static Tree *of_part(Text *t, Tree *x);

static Tree *kids_of_part(Text *t, const Tree *x) {
  Tree **kids = arena_many(t->a, Tree *, x->nkids);
  for (int i = 0; i < x->nkids; i++) kids[i] = x->kid[i] ? of_part(t, x->kid[i]) : NULL;
  return tree_with_kids(t->a, x, kids, x->nkids);
}

/* As many turns as the first container has that is cut so; else as there are positions. */
static Tree *length(Text *t, int loop) {
  const Codelet *c = t->parts->codelet;
  for (int p = 0; p < c->nparams; p++)
    for (int d = 0; d < c->params[p]->rank; d++)
      if (cuts(t->parts, p, d) == loop) return divide_size(t->a, t->params[p], d);
  position(t, loop);
  return divide_size(t->a, t->position[loop], 0);
}

static Tree *of_part(Text *t, Tree *x) {
  const Parts *s = t->parts;
  for (int i = 0; i < s->loops; i++) {
    if (!s->cut[i]) continue;
    if (x->op == OP_REF && x->symbol == s->loop[i].index) return position(t, i);
    if (x != s->at[i]) continue;
    Tree *below = tree_binary(t->a, OP_LT, TYPE_BOOL, tree_ref(t->a, (Symbol *)s->loop[i].index), length(t, i));
    Tree *kids[] = {x->kid[0], below, x->kid[2], of_part(t, x->kid[3])};
    return tree_with_kids(t->a, x, kids, 4);
  }
  const Tree *of = x->op == OP_REF ? x : x->op == OP_SIZE || x->op == OP_INDEX ? x->kid[0] : NULL;
  const int p = of && of->op == OP_REF ? divide_place(s->codelet, of->symbol) : -1;
  if (p < 0) return kids_of_part(t, x);
  if (x->op == OP_REF) return tree_ref(t->a, t->params[p]);
  if (x->op == OP_SIZE) {
    const int loop = cuts(s, p, x->dimension);
    return loop >= 0 ? whole_size(t, loop) : kids_of_part(t, x);
  }
  Tree **kids = arena_many(t->a, Tree *, x->nkids);
  kids[0] = tree_ref(t->a, t->params[p]);
  for (int i = 1; i < x->nkids; i++) {
    const int loop = cuts(s, p, i - 1);
    kids[i] = loop >= 0 ? tree_ref(t->a, (Symbol *)s->loop[loop].index) : of_part(t, x->kid[i]);
  }
  return tree_with_kids(t->a, x, kids, x->nkids);
}

/* ---- the spectrum ---- */

/* Positions, then what the codelet has, then numbers, as sizes are said by earlier parameters. */
static bool find_part(Text *t, Spectrum *s, PartSpectrum *part) {
  const Parts *x = t->parts;
  const Codelet *c = x->codelet;
  Codelet *k = part->codelet = divide_codelet(t->a, c, s, "serial");
  t->params = k->params;
  k->body = tree_clone(t->a, of_part(t, (Tree *)x->body));
  k->params = arena_many(t->a, Symbol *, c->nparams + 2 * MOST_RANK);
  k->nparams = 0;
  int all = c->nparams;
  for (int i = 0; i < x->loops; i++) all += (t->position[i] != NULL) + (t->size[i] != NULL);
  if (all > MOST_OPERANDS) return false;
  memset(part->of, PART_WHOLE, sizeof part->of);
  for (int i = 0; i < x->loops; i++)
    if (t->position[i]) part->of[k->nparams][0] = i, k->params[k->nparams++] = t->position[i];
  for (int p = 0; p < c->nparams; p++) {
    for (int d = 0; d < c->params[p]->rank; d++) part->of[k->nparams][d] = cuts(x, p, d);
    k->params[k->nparams++] = t->params[p];
  }
  for (int i = 0; i < x->loops; i++)
    if (t->size[i]) k->params[k->nparams++] = t->size[i];
  divide_say_sizes(k, part->of);
  return true;
}

/* Which loop cuts each dimension of the codelet's parameters. */
static void find_cuts(const Parts *x, int (*of)[MOST_RANK]) {
  for (int p = 0; p < MOST_OPERANDS; p++)
    for (int d = 0; d < MOST_RANK; d++) {
      const bool has = p < x->codelet->nparams && d < x->codelet->params[p]->rank;
      of[p][d] = has ? cuts(x, p, d) : PART_WHOLE;
    }
}

/* Is a part the same codelet? */
static bool is_plain(const Text *t, const int (*of)[MOST_RANK]) {
  for (int i = 0; i < t->parts->loops; i++)
    if (t->position[i] || t->size[i]) return false;
  return divide_sizes_fit(t->parts->codelet, of);
}

static void end_codelet(Arena *a, const Codelet *whole, Codelet *k, Tree **statements, int n) {
  k->body = tree_seq(a, statements, n);
  k->body->where = whole->body->where;
  divide_add(a, k->spectrum, k);
}

/* The spectrum of parts, applied to all of it. */
static void add_whole(const Text *t, Spectrum *s, Spectrum *parts) {
  const Parts *x = t->parts;
  Arena *a = t->a;
  Codelet *k = divide_codelet(a, x->codelet, s, divide_tag(a, s, "parts"));
  Tree *call = tree_new(a, OP_CALL, TYPE_VOID, k->where, parts->codelets[0]->nparams), *size[MOST_RANK];
  call->spectrum = parts;
  for (int i = 0; i < x->loops; i++)
    size[i] = divide_size(a, k->params[divide_place(x->codelet, x->loop[i].of)], x->loop[i].dimension);
  int n = 0;
  for (int i = 0; i < x->loops; i++)
    if (t->position[i])
      call->kid[n++] = tree_binary(a, OP_IOTA, TYPE_INDEX, tree_int(a, TYPE_INDEX, 0), tree_clone(a, size[i]));
  for (int i = 0; i < k->nparams; i++) call->kid[n++] = tree_ref(a, k->params[i]);
  for (int i = 0; i < x->loops; i++)
    if (t->size[i]) call->kid[n++] = size[i];
  Tree *run = tree_unary(a, OP_RUN, TYPE_VOID, call);
  run->where = k->where;
  end_codelet(a, x->codelet, k, &run, 1);
}

PartSpectrum parts_spectrum(Arena *a, Unit *u, const Parts *x) {
  Spectrum *s = x->codelet->spectrum, of = *s;
  Text text = {.a = a, .parts = x};
  PartSpectrum part = {x, NULL, {{0}}};
  if (!find_part(&text, &of, &part)) return (PartSpectrum){x, NULL, {{0}}};
  int of_whole[MOST_OPERANDS][MOST_RANK];
  find_cuts(x, of_whole);
  if (is_plain(&text, (const int(*)[MOST_RANK])of_whole)) {
    part.codelet = s->codelets[0];
    memcpy(part.of, of_whole, sizeof part.of);
    return part;
  }
  Spectrum *parts = part.codelet->spectrum = divide_spectrum(a, u, s, "parts");
  divide_add(a, parts, part.codelet);
  add_whole(&text, s, parts);
  return part;
}

/* ---- cuts ---- */

void parts_cut(Arena *a, const PartSpectrum *x, const Codelet *k, const bool *loops, bool strided, DivideStatements *to,
               Tree **arguments) {
  static const char *const names[] = {"p", "q", "r", "s"};
  Symbol *of_loop[MOST_RANK] = {NULL}, *cut[MOST_RANK];
  for (int i = 0; i < x->parts->loops; i++) {
    const char *const both[] = {names[i], x->parts->loop[i].index->name};
    for (int p = 0; p < k->nparams && loops[i] && !of_loop[i]; p++)
      for (int d = 0; d < k->params[p]->rank && !of_loop[i]; d++)
        if (x->of[p][d] == i) of_loop[i] = divide_cut(a, to, both, divide_size(a, k->params[p], d), strided);
  }
  for (int p = 0; p < k->nparams; p++) {
    for (int d = 0; d < k->params[p]->rank; d++) cut[d] = x->of[p][d] >= 0 ? of_loop[x->of[p][d]] : NULL;
    arguments[p] = k->params[p]->rank ? divide_container(a, k->params[p], cut) : tree_ref(a, k->params[p]);
  }
}

void parts_add_cut(Arena *a, const PartSpectrum *x, const char *tag, const bool *loops, bool strided) {
  Spectrum *s = x->codelet->spectrum;
  Codelet *k = divide_codelet(a, x->codelet, s, divide_tag(a, s, tag));
  DivideStatements all = {0};
  Tree *arguments[MOST_OPERANDS];
  parts_cut(a, x, k, loops, strided, &all, arguments);
  divide_map(a, &all, s, arguments, k->nparams);
  end_codelet(a, x->parts->codelet, k, all.at, all.n);
}
