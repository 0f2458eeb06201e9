/* cuts.c: do the cuts of a map fit the containers that they cut, and each other?
 *
 *   - a tunable of its own counts each cut's parts, so that workers can be divided among the cuts in any way
 *   - tiles are of as many elements as the dimension that they cut: an error where declarations say otherwise; where
 *     they say nothing the C functions compare (lower/contract.c)
 *   - what is written is cut by every cut of the map, once, in parts that have nothing in common
 *   - parts have the sizes that the spectrum's parameters are declared to have */
#include "front/cuts.h"

#include <inttypes.h>

#include "front/sizes.h"
#include "front/writes.h"

typedef struct Check {
  const Codelet *codelet;
  const Tree *map;
  Diagnostics *d;
  VEC(const Symbol *) cuts; /* each of them once */
  bool ok;
} Check;

static void refuse(Check *k, SourceRange where, const char *hint, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
static void refuse(Check *k, SourceRange where, const char *hint, const char *fmt, ...) {
  va_list list;
  va_start(list, fmt);
  diagnostics_add(k->d, DIAG_ERROR, where, hint, "%s", arena_vprintf(k->d->arena, fmt, list));
  va_end(list);
  k->ok = false;
}

bool cuts_any(const Tree *map) {
  for (int i = 0; i < map->nkids; i++)
    if (map->kid[i]->op == OP_PARTS) return true;
  return false;
}

static bool is_tiles(const Symbol *cut) { return cut->init->nkids == 2; }

/* ---- sizes ---- */

/* How many elements more than its cut's has a part of this dimension? */
static Size halo_of(const Check *k, const Tree *t) {
  if (t->op != OP_HALO) return size_constant(0);
  const Size before = size_of(k->codelet->body, t->kid[1]), after = size_of(k->codelet->body, t->kid[2]);
  return size_sum(before, &after, 1);
}

static const char *size_in_words(const Check *k, const Size *s) {
  Buffer b = buffer_new(k->d->arena);
  if (!s->n) buffer_printf(&b, "%" PRId64, s->plus);
  for (int pass = 0; pass < 2; pass++) /* what is added, and then what is taken off */
    for (int i = 0; i < s->n; i++) {
      const SizeTerm *t = &s->at[i];
      if ((t->times > 0) != (pass == 0)) continue;
      if (b.length || t->times < 0) buffer_puts(&b, t->times < 0 ? b.length ? " - " : "-" : " + ");
      if (t->times != 1 && t->times != -1) buffer_printf(&b, "%" PRId64 " * ", t->times < 0 ? -t->times : t->times);
      buffer_printf(&b, t->of->rank > 1 ? "%s.Size(%d)" : "%s.Size()", t->of->name, t->dim);
    }
  if (s->n && s->plus) buffer_printf(&b, " %c %" PRId64, s->plus < 0 ? '-' : '+', s->plus < 0 ? -s->plus : s->plus);
  return b.text;
}

/* Tiles of so many elements cut what has as many, and its halo. */
static void check_extent(Check *k, const Tree *parts, int dim) {
  const Tree *t = parts->kid[1 + dim];
  const Symbol *cut = tree_cut(t);
  if (!cut || !is_tiles(cut)) return;
  const char *name = parts->kid[0]->symbol->name;
  Size tiles = size_of(k->codelet->body, cut->init->kid[1]), have = size_of_parameter(parts->kid[0]->symbol, dim);
  if (!tiles.known) {
    refuse(k, cut->init->kid[1]->where, "tiles(p, A.Size(0)): the size of a parameter, and a constant",
           "nothing says that `%s' has as many elements as `%s' cuts", name, cut->name);
    return;
  }
  const Size halo = halo_of(k, t);
  tiles = size_sum(tiles, &halo, 1);
  const Size more = size_difference(&have, &tiles);
  if (size_is_number(&more) && more.plus == 0) return;
  const char *hint =
      more.n          ? "another cut, of that dimension's size; or __shape on a parameter, to say that they are as many"
      : more.plus > 0 ? "halo(i, before, after), of what has so many elements more"
                      : "tiles of the smaller size, and halo(i, before, after) of what has more";
  refuse(k, t->where, hint, "`%s' cuts %s elements, and `%s' has %s in this dimension", cut->name,
         size_in_words(k, &tiles), name, size_in_words(k, &have));
}

/* ---- cuts ---- */

static const Symbol *tunable_of(const Symbol *cut) {
  const Tree *n = tree_uncast(cut->init->kid[0]);
  return n->op == OP_REF && n->symbol->kind == SYMBOL_TUNABLE ? n->symbol : NULL;
}

static void check_numbers(Check *k) {
  for (int i = 0; i < k->cuts.n; i++) {
    const Symbol *n = tunable_of(k->cuts.at[i]);
    if (!n)
      refuse(k, k->cuts.at[i]->init->kid[0]->where, "`__tunable unsigned p;', then tiles(p, ..)",
             "the number of parts is not a tunable: there are as many as workers");
    for (int other = 0; n && other < i; other++)
      if (tunable_of(k->cuts.at[other]) == n)
        refuse(k, k->cuts.at[i]->init->kid[0]->where, "a `__tunable' for each, by which workers are divided",
               "`%s' is the number of parts of two cuts", n->name);
  }
  for (int i = 0; i < k->codelet->body->nkids && k->ok; i++) {
    const Tree *t = k->codelet->body->kid[i];
    bool counts = t->op != OP_DECLARE || t->symbol->kind != SYMBOL_TUNABLE;
    for (int n = 0; n < k->cuts.n; n++) counts |= tunable_of(k->cuts.at[n]) == t->symbol;
    if (!counts)
      refuse(k, t->where, "leave it out", "`%s' is not the number of parts of any cut of the map", t->symbol->name);
  }
}

/* Sequences are of numbers: how many elements a part has is known where it begins. */
static void check_sequences(Check *k, const Symbol *cut) {
  for (int i = 1; i < cut->init->nkids && !is_tiles(cut); i++) {
    const Tree *s = cut->init->kid[i];
    if (s->op == OP_REF && s->symbol->init) s = s->symbol->init;
    if (s->nkids == 4)
      refuse(k, s->where, "sequence(start, inc, end)", "a cut by elements of `%s' is not supported",
             s->kid[0]->op == OP_REF ? s->kid[0]->symbol->name : "a view");
  }
}

static bool is_negative(const Check *k, const Tree *t) {
  const Size size = size_of(k->codelet->body, t);
  return size_is_number(&size) && size.plus < 0;
}

static void check_dimension(Check *k, const Tree *parts, int dim) {
  const Tree *t = parts->kid[1 + dim];
  const Symbol *cut = tree_cut(t);
  if (!cut || !cut->init) return;
  bool known = false;
  for (int i = 0; i < k->cuts.n; i++) known |= k->cuts.at[i] == cut;
  if (!known) {
    vec_push(k->d->arena, &k->cuts, cut);
    check_sequences(k, cut);
  }
  if (t->op == OP_HALO && !is_tiles(cut))
    refuse(k, t->where, "a cut that is made by tiles(p, n)", "a halo is around tiles, and `%s' is cut by sequences",
           cut->name);
  else if (t->op == OP_HALO && !halo_of(k, t).known)
    refuse(k, t->where, "halo(i, 1, 1), halo(i, 0, w.Size() - 1)",
           "a halo is as wide as constants and parameters' sizes say");
  else if (t->op == OP_HALO && (is_negative(k, t->kid[1]) || is_negative(k, t->kid[2])))
    refuse(k, t->where, "shift(c, k), or a smaller cut", "a halo of a negative number of elements");
  else check_extent(k, parts, dim);
}

/* ---- what is written ---- */

/* The parts of a cut by sequences: sequence(0, 1, p), sequence(p), sequence(..) surely have nothing in common. */
static bool is_strided(const Symbol *cut) {
  const Tree *s[3];
  int64_t zero, one;
  for (int i = 0; i < 3; i++) {
    s[i] = cut->init->kid[1 + i];
    if (s[i]->op == OP_REF && s[i]->symbol->init) s[i] = s[i]->symbol->init;
  }
  return s[0]->nkids == 3 && s[1]->nkids == 1 && s[2]->nkids == 1 && tree_constant(s[0]->kid[0], &zero) && zero == 0 &&
         tree_constant(s[0]->kid[1], &one) && one == 1 && tree_equal(s[0]->kid[2], cut->init->kid[0]) &&
         tree_equal(s[1]->kid[0], cut->init->kid[0]);
}

/* A cut by sequences that ends before its container: nobody writes the rest. */
static void check_end(Check *k, const Tree *x, int dim) {
  const Symbol *cut = tree_cut(x->kid[1 + dim]), *container = x->kid[0]->symbol;
  const Tree *end = cut->init->kid[3];
  if (end->op == OP_REF && end->symbol->init) end = end->symbol->init;
  const Size to = size_of(k->codelet->body, end->kid[0]), have = size_of_parameter(container, dim);
  const Size left = size_difference(&have, &to);
  if (!size_is_number(&left) || left.plus <= 0 || !writes_by_one_map(k->codelet, k->map)) return;
  diagnostics_add(
      k->d, DIAG_WARNING, end->where, "sequence(n), of the size of what is written",
      "these parts leave elements out that the sequential codelet writes: they end at %s, and `%s' has %s in this "
      "dimension",
      size_in_words(k, &to), container->name, size_in_words(k, &have));
}

/* `one': of one dimension; its parts are looked at as any partition's are. */
static void check_written(Check *k, const Tree *x, const Symbol *param, bool one) {
  const char *name = x->kid[0]->symbol->name;
  for (int i = 0; i < k->cuts.n; i++) {
    int times = 0;
    for (int dim = 1; dim < x->nkids; dim++) times += tree_cut(x->kid[dim]) == k->cuts.at[i];
    if (times > 1)
      refuse(k, x->where, "a cut for each dimension", "`%s' is written, and cut by `%s' in two dimensions", name,
             k->cuts.at[i]->name);
    if (times == 0 && !param->atomic)
      refuse(k, x->where, "a cut in one of its dimensions, or __accum(Add), of what parts may share",
             "all parts of `%s' would write the same elements of `%s'", k->cuts.at[i]->name, name);
  }
  for (int dim = 1; dim < x->nkids; dim++) {
    const Symbol *cut = tree_cut(x->kid[dim]);
    const Size halo = halo_of(k, x->kid[dim]);
    if (!size_is_number(&halo) || halo.plus > 0)
      refuse(k, x->kid[dim]->where, "a halo around what is read only",
             "`%s' is written, and parts with a halo have elements in common", name);
    else if (cut && !one && !is_tiles(cut) && !is_strided(cut))
      refuse(k, cut->init->where, "tiles(p, n), or cut(p, sequence(0, 1, p), sequence(p), sequence(n))",
             "`%s' is written, and these parts may have elements in common", name);
    else if (cut && !one && !is_tiles(cut)) check_end(k, x, dim - 1);
  }
}

/* ---- what the spectrum is told of sizes ---- */

static int argument_for(const Check *k, const Symbol *param) {
  for (int i = 0; i < k->map->nkids; i++)
    if (writes_parameter_for(k->map, i) == param) return i;
  return -1;
}

static const Tree *dimension_of(const Tree *x, int dim) {
  return x->op == OP_PARTS && 1 + dim < x->nkids ? x->kid[1 + dim] : NULL;
}

/* Cut by sequences, parts of two dimensions are as long as each other where the dimensions are. */
static bool cut_alike(const Symbol *cut, const Tree *x, int x_dim, const Tree *y, int y_dim) {
  const Size a = size_of_parameter(x->kid[0]->symbol, x_dim), b = size_of_parameter(y->kid[0]->symbol, y_dim);
  return is_tiles(cut) || size_is_same(&a, &b);
}

/* The elements of an argument in one dimension: a part's are its cut's, and a halo. */
static Size argument_size(const Check *k, const Tree *x, int dim) {
  const Tree *of = dimension_of(x, dim);
  const Tree *container = x->op == OP_PARTS ? x->kid[0] : x;
  if (of && tree_cut(of)) {
    const Size cut = size_once(tree_cut(of), 0), halo = halo_of(k, of);
    return size_sum(cut, &halo, 1);
  }
  const bool known = container->op == OP_REF && container->symbol->kind == SYMBOL_PARAM;
  return known ? size_of_parameter(container->symbol, dim) : (Size){0};
}

/* The size that is said of argument i, as the others have it. any: is one of these cut? alike: as its own, where by the
 * same? */
static Size wanted_size(const Check *k, int i, int dim, const ShapeRule *r, bool *any, bool *alike) {
  const Tree *x = k->map->kid[i], *mine = dimension_of(x, dim);
  Size of[SHAPE_SIZES] = {{0}};
  for (int f = 0; f < SHAPE_SIZES; f++) {
    const int n = r->of[f] ? argument_for(k, r->of[f]) : -1;
    if (n < 0) continue;
    of[f] = argument_size(k, k->map->kid[n], r->dim[f]);
    const Tree *its = dimension_of(k->map->kid[n], r->dim[f]);
    if (!its || !tree_cut(its)) continue;
    *any = true;
    if (mine && tree_cut(mine) == tree_cut(its)) *alike &= cut_alike(tree_cut(its), x, dim, k->map->kid[n], r->dim[f]);
  }
  return r->of[1] ? (Size){0} : size_by_rule(r, &of[0], &of[SHAPE_ADDEND]);
}

/* Sizes that are not cut are compared as those of any map are. */
static void check_shape(Check *k, int i, const Symbol *param, int dim) {
  const ShapeRule *r = &param->shape[dim];
  const Tree *x = k->map->kid[i], *mine = dimension_of(x, dim);
  bool any = mine && tree_cut(mine), alike = true;
  const Size wanted = wanted_size(k, i, dim, r, &any, &alike), have = argument_size(k, x, dim);
  if (!any || (alike && size_is_same(&wanted, &have))) return;
  const Size more = size_difference(&have, &wanted);
  const char *of = r->of[0] ? r->of[0]->name : "a number";
  if (alike && size_is_number(&more))
    refuse(k, mine->where, "halo(i, before, after) around the one that is longer",
           "a part of `%s' has %" PRId64 " elements more than one of `%s', and `%s' wants %" PRId64, param->name,
           more.plus + r->plus, of, k->map->spectrum->name, r->plus);
  else
    refuse(k, mine ? mine->where : x->where, "the same cut of both",
           "`%s' of `%s' has a size that follows from `%s', and these parts have not", param->name,
           k->map->spectrum->name, of);
}

/* ---- a map ---- */

static void check_argument(Check *k, int i, bool one) {
  const Tree *x = k->map->kid[i];
  const Symbol *param = writes_parameter_for(k->map, i);
  if (x->op == OP_PARTS && param && param->writable) check_written(k, x, param, one);
  for (int dim = 0; param && dim < param->rank && dim < MOST_RANK; dim++)
    if (param->shape[dim].said) check_shape(k, i, param, dim);
}

/* The cut of containers that have one dimension; NULL: there are others. */
static const Symbol *only_cut(const Tree *map) {
  const Symbol *only = NULL;
  for (int i = 0; i < map->nkids; i++) {
    const Tree *x = map->kid[i];
    const Symbol *cut = x->op == OP_PARTS && x->nkids == 2 ? tree_cut(x->kid[1]) : NULL;
    if (x->op == OP_PARTS && (!cut || (only && cut != only))) return NULL;
    if (cut) only = cut;
  }
  return only;
}

bool cuts_check(const Codelet *c, const Tree *map, Diagnostics *d) {
  Check k = {.codelet = c, .map = map, .d = d, .ok = true};
  const bool one = only_cut(map) != NULL;
  if (map->op == OP_SLIDE && !one)
    refuse(&k, map->where, "partition(in, i), partition(out, i)", "a slide is over parts of one dimension");
  else if (map->spectrum->result != TYPE_VOID && !one)
    refuse(&k, map->where, "let it write what it finds, or accumulate it: __accum(Add)",
           "a map over cuts has no results");
  for (int i = 0; i < map->nkids && k.ok; i++) {
    const Tree *x = map->kid[i];
    const bool other = x->op == OP_PARTITION || x->op == OP_ROWS || x->op == OP_COLUMNS || x->op == OP_ELEMENTS;
    if (other && !one)
      refuse(&k, x->where, "partition(x, i), with the cut of another", "a map is over cuts, or over other parts");
    for (int dim = 0; x->op == OP_PARTS && dim < x->nkids - 1; dim++) check_dimension(&k, x, dim);
  }
  if (k.ok && !k.cuts.n)
    refuse(&k, map->where, "partition(A, i, whole())", "a map all of whose arguments are the same");
  if (k.ok && !one) check_numbers(&k);
  for (int i = 0; i < map->nkids && k.ok; i++) check_argument(&k, i, one);
  return k.ok;
}

/* ---- cuts of one dimension ---- */

static Tree *op(Arena *a, Op op, const Tree *x, const Tree *y) {
  return tree_binary(a, op, TYPE_INDEX, (Tree *)x, (Tree *)y);
}

static Tree *number(Arena *a, SourceRange where, int64_t n) {
  Tree *t = tree_int(a, TYPE_INDEX, n);
  t->where = where;
  return t;
}

static Tree *sequence(Arena *a, SourceRange where, Tree *start, Tree *inc, Tree *end) {
  Tree *t = tree_new(a, OP_SEQUENCE, TYPE_INDEX, where, inc ? 3 : 1);
  t->kid[0] = start;
  if (inc) t->kid[1] = inc;
  if (inc) t->kid[2] = end;
  return t;
}

/* So many elements more than its cut's has a part; NULL: none. */
static Tree *halo_in_all(Arena *a, const Tree *t) {
  int64_t before, after;
  if (t->op != OP_HALO) return NULL;
  if (!tree_constant(t->kid[1], &before) || !tree_constant(t->kid[2], &after))
    return op(a, OP_ADD, t->kid[1], t->kid[2]);
  return before + after ? number(a, t->where, before + after) : NULL;
}

/* Tiles begin at 0, tile, .. and end a tile, and a halo, behind that. */
static Tree *partition_of(Arena *a, const Tree *parts) {
  const Symbol *cut = tree_cut(parts->kid[1]);
  const Tree *init = cut->init;
  const SourceRange where = parts->where;
  Tree *t = tree_new(a, OP_PARTITION, TYPE_CONTAINER, where, 5);
  t->kid[0] = parts->kid[0];
  t->kid[1] = init->kid[0];
  for (int i = 1; i < 4 && !is_tiles(cut); i++) t->kid[1 + i] = init->kid[i];
  if (!is_tiles(cut)) return t;
  const Tree *n = init->kid[0], *all = init->kid[1];
  Tree *tile = op(a, OP_DIV, op(a, OP_SUB, op(a, OP_ADD, all, n), number(a, where, 1)), n);
  Tree *more = halo_in_all(a, parts->kid[1]);
  t->kid[2] = sequence(a, where, number(a, where, 0), tile, (Tree *)all);
  t->kid[3] = sequence(a, where, number(a, where, 1), NULL, NULL);
  t->kid[4] =
      sequence(a, where, more ? op(a, OP_ADD, tile, more) : tile, tile, more ? op(a, OP_ADD, all, more) : (Tree *)all);
  return t;
}

bool cuts_as_sequences(Arena *a, Codelet *c, Tree *map) {
  const Symbol *only = only_cut(map);
  if (!only) return false;
  const bool writes = map->op == OP_MAP && map->spectrum->result == TYPE_VOID;
  if (writes && is_tiles(only) && tree_contains(map, OP_HALO) && !c->by_cuts) {
    Tree **kids = arena_many(a, Tree *, map->nkids);
    for (int i = 0; i < map->nkids; i++) kids[i] = map->kid[i];
    c->by_cuts = tree_with_kids(a, map, kids, map->nkids);
  }
  for (int i = 0; i < map->nkids; i++)
    if (map->kid[i]->op == OP_PARTS) map->kid[i] = partition_of(a, map->kid[i]);
  return true;
}
