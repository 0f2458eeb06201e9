/* stencils.c: stencils as plain loops (stencil.c), cut as their user would cut them:
 *
 *     for (i = 0; i < y.Size(); ++i) y[i] = x[i] + x[i + 2];      Cut i = tiles(p, y.Size());
 *                                                                 map(f, partition(x, halo(i, 0, 2)), partition(y, i));
 *
 * where the loops go over all of what is stored, and all that is read around it is all of its container, by what
 * parameters are declared to have. Else the codelet applies a spectrum of its own, in which that is so, to the boxes of
 * its containers that it has to do with, whose places are counted from their beginnings:
 *
 *     for (i = 1; i + 1 < y.Size(); ++i) y[i] = x[i - 1] + x[i + 1];
 *
 *     void f_inside(x, y) { for (i = 0; i < y.Size(); ++i) y[i] = x[i] + x[i + 2]; }
 *     void f(x, y) { f_inside(box(x, 0, n), box(y, 1, n - 2)); } */
#include "front/stencils.h"

#include "front/divide.h"
#include "front/stencil.h"

/* A text that is being made, with parameters of its own. */
typedef struct Text {
  Arena *a;
  const Stencil *stencil;
  Symbol **params; /* copies of the codelet's */
  bool parts;      /* what is cut has the sizes of its parts, so that nobody may ask for them */
  bool failed;
} Text;

static bool is_cut(const Stencil *x, int p, int d) { return x->of[p][d].loop != NO_LOOP; }

static int first_stored(const Codelet *c) {
  int p = 0;
  while (!c->params[p]->writable) p++;
  return p;
}

/* ---- expressions ---- */

static Tree *add(Arena *a, Tree *x, Tree *y, bool less) {
  return !x ? less ? tree_binary(a, OP_SUB, TYPE_INDEX, tree_int(a, TYPE_INDEX, 0), y) : y
            : tree_binary(a, less ? OP_SUB : OP_ADD, TYPE_INDEX, x, y);
}

static Tree *term(Text *t, const SizeTerm *x) {
  Arena *a = t->a;
  Tree *made;
  if (x->dim == NO_DIMENSION) {
    made = tree_ref(a, (Symbol *)x->of);
    if (made->type != TYPE_INDEX) made = tree_unary(a, OP_CAST, TYPE_INDEX, made);
  } else {
    const int p = divide_place(t->stencil->codelet, x->of);
    t->failed |= t->parts && is_cut(t->stencil, p, x->dim);
    made = divide_size(a, t->params[p], x->dim);
  }
  const int64_t times = x->times < 0 ? -x->times : x->times;
  return times == 1 ? made : tree_binary(a, OP_MUL, TYPE_INDEX, tree_int(a, TYPE_INDEX, times), made);
}

/* What is added first, then what is taken off, and the number last. */
static Tree *written(Text *t, const Size *x) {
  Tree *all = NULL;
  for (int less = 0; less < 2; less++)
    for (int i = 0; i < x->n; i++)
      if ((x->at[i].times < 0) == less) all = add(t->a, all, term(t, &x->at[i]), less);
  if (!all) return tree_int(t->a, TYPE_INDEX, x->plus);
  if (!x->plus) return all;
  const int64_t plus = x->plus < 0 ? -x->plus : x->plus;
  return add(t->a, all, tree_int(t->a, TYPE_INDEX, plus), x->plus < 0);
}

/* ---- the text of parts ---- */

/* Does the loop begin elsewhere than at 0, or end otherwise than below a number or a size? */
static bool is_moved(const StencilLoop *loop) {
  const Symbol *index;
  const Tree *end;
  return size_is_number(&loop->from) && !tree_counts(loop->at, &index, &end);
}

/* A place, its loops counted from where they begin. */
static Size moved(const Stencil *x, Size place) {
  for (int i = 0; i < place.n; i++) {
    const SizeTerm *t = &place.at[i];
    const StencilLoop *loop = t->dim == NO_DIMENSION ? stencil_inner(x, t->of) : NULL;
    if (loop && is_moved(loop)) place.plus += t->times * loop->from.plus;
  }
  return place;
}

static Tree *of_part(Text *t, Tree *x);

static Tree *index_of_part(Text *t, int p, int d, Tree *index) {
  const Stencil *s = t->stencil;
  Size place = stencil_linear(s, index);
  if (!place.known) return of_part(t, index);
  place = moved(s, place);
  if (is_cut(s, p, d)) place = size_difference(&place, &s->of[p][d].least);
  for (int i = 1; i < place.n; i++) /* the own loop's comes first */
    for (int k = 0; k < s->nown; k++)
      if (place.at[i].of == s->own[k].index) {
        const SizeTerm first = place.at[0];
        place.at[0] = place.at[i];
        place.at[i] = first;
      }
  return written(t, &place);
}

/* `for (i = 0; i < end; ++i)' around the body. */
static Tree *counted(Text *t, const Tree *loop, const Symbol *index, Tree *end) {
  Arena *a = t->a;
  const Type type = index->type;
  Tree *begin = tree_int(a, type, 0), *one = tree_int(a, type, 1), *i = tree_ref(a, (Symbol *)index);
  if (end->type != type) end = tree_unary(a, OP_CAST, type, end);
  Tree *step = tree_binary(a, OP_ASSIGN, TYPE_VOID, i, one);
  step->compound = OP_ADD;
  Tree *kids[] = {tree_with_kids(a, loop->kid[0], &begin, 1),
                  tree_binary(a, OP_LT, TYPE_BOOL, tree_ref(a, (Symbol *)index), end), step,
                  of_part(t, loop->kid[3])};
  return tree_with_kids(a, loop, kids, 4);
}

static Tree *loop_of_part(Text *t, const Tree *x) {
  const Stencil *s = t->stencil;
  const int to = first_stored(s->codelet);
  for (int k = 0; k < s->nown; k++)
    for (int d = 0; s->own[k].at == x && d < s->nown; d++)
      if (s->of[to][d].loop == k) return counted(t, x, s->own[k].index, divide_size(t->a, t->params[to], d));
  for (int i = 0; i < s->ninner; i++) {
    if (s->inner[i].at != x || !is_moved(&s->inner[i])) continue;
    const Size turns = size_difference(&s->inner[i].to, &s->inner[i].from);
    return counted(t, x, s->inner[i].index, written(t, &turns));
  }
  return NULL;
}

static bool is_alias(const Stencil *s, const Tree *x) {
  bool is = false;
  for (int i = 0; i < s->naliases; i++) is |= x->op == OP_DECLARE && x->symbol == s->alias[i];
  return is;
}

static Tree *kids_of_part(Text *t, const Tree *x) {
  Tree **kids = arena_many(t->a, Tree *, x->nkids);
  int n = 0;
  for (int i = 0; i < x->nkids; i++)
    if (x->op != OP_SEQ || !is_alias(t->stencil, x->kid[i])) kids[n++] = x->kid[i] ? of_part(t, x->kid[i]) : NULL;
  return tree_with_kids(t->a, x, kids, n);
}

static Tree *of_part(Text *t, Tree *x) {
  const Stencil *s = t->stencil;
  Tree *loop = x->op == OP_FOR ? loop_of_part(t, x) : NULL;
  if (loop) return loop;
  const StencilLoop *inner = x->op == OP_REF ? stencil_inner(s, x->symbol) : NULL;
  if (inner && is_moved(inner) && inner->from.plus)
    return tree_binary(t->a, OP_ADD, x->type, x, tree_int(t->a, x->type, inner->from.plus));
  const Tree *of = x->op == OP_REF ? x : x->op == OP_INDEX ? x->kid[0] : NULL;
  const int p = of && of->op == OP_REF ? divide_place(s->codelet, of->symbol) : -1;
  if (p < 0) return kids_of_part(t, x);
  if (x->op == OP_REF) return tree_ref(t->a, t->params[p]);
  Tree **kids = arena_many(t->a, Tree *, x->nkids);
  kids[0] = tree_ref(t->a, t->params[p]);
  for (int d = 0; d < x->nkids - 1; d++) kids[1 + d] = index_of_part(t, p, d, x->kid[1 + d]);
  return tree_with_kids(t->a, x, kids, x->nkids);
}

/* The first parameter that is cut by that loop. */
static void first_cut(const Stencil *x, int loop, int *p, int *d) {
  for (*p = 0; *p < x->codelet->nparams; ++*p)
    for (*d = 0; *d < x->codelet->params[*p]->rank; ++*d)
      if (x->of[*p][*d].loop == loop) return;
}

/* A size that is cut is as the first one's that is cut so, and a halo more. */
static ShapeRule size_of_part(Text *t, int p, int d) {
  const Stencil *x = t->stencil;
  int first = p, of = d;
  first_cut(x, x->of[p][d].loop, &first, &of);
  if (first == p) return (ShapeRule){.said = false};
  const Size mine = stencil_halo(x, p, d), other = stencil_halo(x, first, of), more = size_difference(&mine, &other);
  ShapeRule r = {.said = true, .times = 1, .plus = more.plus, .of = {t->params[first]}, .dim = {of}};
  if (!more.n) return r;
  const int addend = divide_place(x->codelet, more.at[0].of);
  t->failed |= more.n > 1 || addend >= p || addend < 0 || is_cut(x, addend, more.at[0].dim);
  r.more = more.at[0].times;
  r.of[SHAPE_ADDEND] = addend < 0 ? NULL : t->params[addend];
  r.dim[SHAPE_ADDEND] = more.at[0].dim;
  return r;
}

/* Is something said of its size by that of one that is cut? */
static bool is_by_cut(const Stencil *x, int p, int d) {
  const ShapeRule *r = &x->codelet->params[p]->shape[d];
  bool found = false;
  for (int i = 0; i < SHAPE_SIZES && r->said; i++) {
    const int of = r->of[i] ? divide_place(x->codelet, r->of[i]) : -1;
    found |= of >= 0 && is_cut(x, of, r->dim[i]);
  }
  return found;
}

static void say_sizes(Text *t, Codelet *k) {
  const Stencil *x = t->stencil;
  int of[MOST_OPERANDS][MOST_RANK];
  for (int p = 0; p < MOST_OPERANDS; p++)
    for (int d = 0; d < MOST_RANK; d++) of[p][d] = x->of[p][d].loop;
  divide_say_sizes(k, of);
  for (int p = 0; p < k->nparams; p++)
    for (int d = 0; d < k->params[p]->rank; d++)
      if (is_cut(x, p, d)) k->params[p]->shape[d] = size_of_part(t, p, d);
}

static Codelet *inside(Arena *a, const Stencil *x, Spectrum *s) {
  Codelet *k = divide_codelet(a, x->codelet, s, "serial");
  Text t = {.a = a, .stencil = x, .params = k->params, .parts = true};
  k->body = tree_clone(a, of_part(&t, x->codelet->body));
  say_sizes(&t, k);
  return t.failed ? NULL : k;
}

/* ---- maps ---- */

static bool has_halo(const Stencil *x, int p, int d) {
  const Size halo = stencil_halo(x, p, d);
  return !size_is_number(&halo) || halo.plus != 0;
}

static Tree *part(Text *t, int p, Symbol *const *cuts) {
  const Stencil *x = t->stencil;
  Symbol *s = t->params[p], *cut[MOST_RANK];
  if (!s->rank) return tree_ref(t->a, s);
  for (int d = 0; d < s->rank; d++) cut[d] = is_cut(x, p, d) ? cuts[x->of[p][d].loop] : NULL;
  Tree *parts = divide_container(t->a, s, cut);
  for (int d = 0; d < s->rank; d++) {
    if (!is_cut(x, p, d) || !has_halo(x, p, d)) continue;
    Tree *halo = tree_new(t->a, OP_HALO, TYPE_INDEX, s->where, 3);
    const Size more = stencil_halo(x, p, d);
    halo->kid[0] = parts->kid[1 + d];
    halo->kid[1] = tree_int(t->a, TYPE_INDEX, 0);
    halo->kid[2] = written(t, &more);
    parts->kid[1 + d] = halo;
  }
  return parts;
}

/* A map over parts of what the codelet has. */
static Codelet *divided(Arena *a, const Stencil *x, const Codelet *of, Spectrum *s, bool strided) {
  static const char *const names[] = {"p", "q", "r", "s"};
  Codelet *k = divide_codelet(a, of, s, divide_tag(a, s, strided ? "strided" : "tiled"));
  Text t = {.a = a, .stencil = x, .params = k->params, .parts = true};
  Symbol *cuts[MOST_RANK];
  Tree *arguments[MOST_OPERANDS];
  DivideStatements all = {0};
  const int to = first_stored(x->codelet);
  for (int i = 0; i < x->nown; i++) {
    int d = 0;
    while (x->of[to][d].loop != i) d++;
    const char *const both[] = {names[i], x->own[i].index->name};
    cuts[i] = divide_cut(a, &all, both, divide_size(a, k->params[to], d), strided);
  }
  for (int p = 0; p < k->nparams; p++) arguments[p] = part(&t, p, cuts);
  divide_map(a, &all, s, arguments, k->nparams);
  k->body = tree_seq(a, all.at, all.n);
  k->body->where = x->codelet->body->where;
  return t.failed ? NULL : k;
}

/* ---- boxes ---- */

static bool is_all(const Stencil *x, int p, int d) {
  const Size start = stencil_start(x, p, d), extent = stencil_extent(x, p, d), none = size_constant(0);
  const Size have = size_of_parameter(x->codelet->params[p], d);
  return size_is_same(&start, &none) && size_is_same(&extent, &have);
}

static bool has_all(const Stencil *x) {
  bool all = true;
  for (int p = 0; p < x->codelet->nparams; p++)
    for (int d = 0; d < x->codelet->params[p]->rank; d++) all &= !is_cut(x, p, d) || is_all(x, p, d);
  return all;
}

/* What parts of a container have all together. Of fewer elements than a halo's there is no turn, and the box has more
 * than there are, which nobody reads. */
static Tree *box(Text *t, int p) {
  const Stencil *x = t->stencil;
  Arena *a = t->a;
  Symbol *s = t->params[p];
  bool cut = false;
  for (int d = 0; d < s->rank; d++) cut |= is_cut(x, p, d);
  if (!cut || has_all(x)) return tree_ref(a, s);
  Tree *made = tree_new(a, OP_BOX, TYPE_CONTAINER, s->where, 1 + 2 * s->rank);
  made->kid[0] = tree_ref(a, s);
  for (int d = 0; d < s->rank; d++) {
    Tree *start = tree_int(a, TYPE_INDEX, 0), *size = divide_size(a, s, d);
    if (is_cut(x, p, d)) {
      const Size begin = stencil_start(x, p, d), turns = stencil_turns(x, x->of[p][d].loop);
      const Size halo = stencil_halo(x, p, d);
      start = written(t, &begin);
      size = tree_binary(a, OP_MAX, TYPE_INDEX, written(t, &turns), tree_int(a, TYPE_INDEX, 0));
      if (has_halo(x, p, d)) size = tree_binary(a, OP_ADD, TYPE_INDEX, size, written(t, &halo));
    }
    made->kid[1 + 2 * d] = start;
    made->kid[2 + 2 * d] = size;
  }
  return made;
}

Tree *stencils_call(Arena *a, const Stencil *x, const Codelet *in, Spectrum *parts) {
  Text t = {.a = a, .stencil = x, .params = in->params};
  Tree *call = tree_new(a, OP_CALL, TYPE_VOID, in->where, in->nparams);
  call->spectrum = parts;
  for (int p = 0; p < in->nparams; p++) call->kid[p] = box(&t, p);
  Tree *run = tree_unary(a, OP_RUN, TYPE_VOID, call);
  run->where = in->where;
  return run;
}

Tree *stencils_size(Arena *a, const Stencil *x, const Codelet *in, const Size *size) {
  Text t = {.a = a, .stencil = x, .params = in->params};
  return written(&t, size);
}

static Codelet *applied(Arena *a, const Stencil *x, Spectrum *s, Spectrum *parts) {
  Codelet *k = divide_codelet(a, x->codelet, s, divide_tag(a, s, "inside"));
  Tree *run = stencils_call(a, x, k, parts);
  k->body = tree_seq(a, &run, 1);
  k->body->where = x->codelet->body->where;
  return k;
}

/* ---- spectra ---- */

/* Are the codelet's own loops those that parts have? And what is said of sizes is so of parts. */
static bool is_plain(const Stencil *x) {
  bool plain = !x->naliases;
  for (int p = 0; p < x->codelet->nparams; p++)
    for (int d = 0; d < x->codelet->params[p]->rank; d++) plain &= is_cut(x, p, d) || !is_by_cut(x, p, d);
  const Symbol *index;
  const Tree *end;
  for (int i = 0; i < x->nown; i++) {
    plain &= tree_counts(x->own[i].at, &index, &end);
    if (plain) end = tree_uncast(end);
    plain &= plain && end->op == OP_SIZE;
  }
  for (int i = 0; i < x->ninner; i++) plain &= !is_moved(&x->inner[i]);
  for (int p = 0; p < x->codelet->nparams; p++)
    for (int d = 0; d < x->codelet->params[p]->rank; d++) plain &= !(is_cut(x, p, d) && x->asked[p][d]);
  return plain && has_all(x);
}

bool stencils_reach(const Stencil *x) {
  bool halo = false;
  for (int p = 0; p < x->codelet->nparams; p++)
    for (int d = 0; d < x->codelet->params[p]->rank; d++) halo |= is_cut(x, p, d) && has_halo(x, p, d);
  return halo;
}

Spectrum *stencils_inside(Arena *a, Unit *u, const Spectrum *s, const Stencil *x) {
  Spectrum of = *s;
  if (!inside(a, x, &of)) return NULL;
  Spectrum *parts = divide_spectrum(a, u, s, "inside");
  divide_add(a, parts, inside(a, x, parts));
  for (int strided = 0; strided < (stencils_reach(x) ? 1 : 2); strided++) {
    Codelet *k = divided(a, x, parts->codelets[0], parts, strided);
    if (k) divide_add(a, parts, k);
  }
  return parts;
}

static void divide(Arena *a, Unit *u, Spectrum *s, const Stencil *x) {
  if (!stencils_reach(x) && has_all(x)) return;
  Codelet *whole = s->codelets[0];
  if (is_plain(x)) {
    Codelet *k = divided(a, x, whole, s, false);
    if (k) divide_add(a, s, k);
    return;
  }
  Spectrum *parts = stencils_inside(a, u, s, x);
  if (parts) divide_add(a, s, applied(a, x, s, parts));
}

void stencils_divide(Arena *a, Unit *u) {
  const int n = u->nspectra;
  for (int i = 0; i < n; i++) {
    Spectrum *s = u->spectra[i];
    Stencil x;
    if (s->ncodelets == 1 && !divide_is_shared_out(u, s) && stencil_find(a, s->codelets[0], NULL, &x))
      divide(a, u, s, &x);
  }
}
