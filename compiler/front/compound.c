/* compound.c: what a compound codelet may say for the composition to carry it out.
 *
 * Sizes, maps, spectra of the maps' results or of containers, and where results go: composition takes a codelet apart
 * into these. It would leave out anything else, so anything else is refused. */
#include "front/front.h"
#include "front/steps.h"
#include "ir/handed.h"
#include "ir/owned.h"
#include "ir/signature.h"
#include "ir/steps.h"

typedef struct Maps { const Tree *first, *last; int n; } Maps;

static bool count_maps(void *context, const Tree *t) {
  Maps *m = context;
  if (t->op == OP_DECLARE && t->symbol->init) tree_visit(t->symbol->init, count_maps, m);
  if (t->op != OP_MAP) return true;
  if (m->n++ == 0) m->first = t;
  m->last = t;
  return true;
}

/* `f(m)', `f(map(..))', `f(transform(..))', `slide(..)': a spectrum of containers. */
static bool applies(const Codelet *c, const Tree *t) {
  return t->op == OP_SLIDE || (t->op == OP_CALL && !steps_go_on_forever(c, t));
}

/* A value that the codelet has from a spectrum: `T last = f(..);'. */
static bool is_result(const Codelet *c, const Tree *t) {
  if (t->op != OP_REF || t->symbol->kind != SYMBOL_LOCAL) return false;
  const Tree *value = tree_declared(c->body, t->symbol);
  return value && applies(c, value);
}

static bool holds_application(const Tree *t) {
  return tree_contains(t, OP_CALL) || tree_contains(t, OP_SLIDE) || tree_contains(t, OP_MAP);
}

static void check_statement(const Codelet *c, const Tree *t, Diagnostics *d) {
  bool number = t->op == OP_DECLARE && t->symbol->kind == SYMBOL_LOCAL && !t->symbol->rank;
  bool known = t->op == OP_RETURN || t->op == OP_DECLARE || t->op == OP_MAP_ATOMIC || t->op == OP_MAP_TO ||
               t->op == OP_MAP_RUN || t->op == OP_RUN;
  if (t->op == OP_RETURN && t->nkids && !applies(c, t->kid[0]) && !is_result(c, t->kid[0]))
    diagnostics_add(d, DIAG_ERROR, t->kid[0]->where,
                    holds_application(t->kid[0]) ? "compute it in a loop: what a spectrum gives is returned as it is"
                                                 : "return f(map)",
                    "a compound codelet returns a spectrum of its map");
  else if (t->op == OP_RUN && !applies(c, t->kid[0]))
    diagnostics_add(d, DIAG_ERROR, t->where, "a map over parts of them",
                    "`%s' applies itself to all of its containers, and so on", c->spectrum->name);
  else if (!known)
    diagnostics_add(d, DIAG_ERROR, t->where, "give sizes their values where they are declared: `unsigned tile = ..;'",
                    "a compound codelet has declarations, a map and a return only");
  else if (number && (!t->nkids || t->symbol->array || (holds_application(t->kid[0]) && !applies(c, t->kid[0]))))
    diagnostics_add(d, DIAG_ERROR, t->where, "`unsigned tile = ..;', made of sizes and tunables",
                    "`%s' has no value before the map", t->symbol->name);
}

/* Is the map's symbol mentioned behind its declaration? Maps and sequences keep their trees in their symbols. */
typedef struct Uses { const Symbol *s; bool any; } Uses;

static bool find_use(void *context, const Tree *t) {
  Uses *u = context;
  if (t->op == OP_REF && t->symbol == u->s) u->any = true;
  if (t->op == OP_DECLARE && t->symbol->init) tree_visit(t->symbol->init, find_use, u);
  return !u->any;
}

static const Tree *unused_map(const Codelet *c) {
  for (int i = 0; i < c->body->nkids; i++) {
    const Tree *t = c->body->kid[i];
    if (t->op != OP_DECLARE || t->symbol->kind != SYMBOL_MAP) continue;
    Uses u = {t->symbol, false};
    tree_visit(c->body, find_use, &u);
    if (!u.any) return t;
  }
  return NULL;
}

/* Has it a container of its own, which is merged into another? */
static bool has_own(const Codelet *c) {
  for (int i = 0; i < c->body->nkids; i++) {
    const Tree *t = c->body->kid[i];
    if (t->op == OP_DECLARE && t->symbol->kind == SYMBOL_LOCAL && t->symbol->rank) return true;
  }
  return false;
}

/* What is right, but comes in no plan. */
static void remark_left_out(const Codelet *c, const Maps *maps, Diagnostics *d) {
  if (maps->n > 1 && !has_own(c) && !spectrum_is_scan(c->spectrum))
    diagnostics_remark(d, REMARK_MISSED, "compound", maps->last->where,
                       "`%s' is left out: several maps in one codelet are only composed for scans", c->tag);
}

static bool is_of_map(const Tree *t) {
  if (t->op == OP_MAP || (t->op == OP_REF && t->symbol->kind == SYMBOL_MAP)) return true;
  for (int i = 0; i < t->nkids; i++)
    if (t->kid[i]->op != OP_CALL && is_of_map(t->kid[i])) return true;
  return false;
}

/* A call beside the only map, which has nothing to do with it; NULL: there is none. */
static const Tree *step_beside_map(const Codelet *c, const Maps *maps) {
  const Steps steps = steps_of(c);
  if (maps->n != 1 || has_own(c)) return NULL;
  for (int i = 0; i < steps.n && i < MOST_STEPS; i++)
    if (!is_of_map(steps.call[i])) return steps.call[i];
  return NULL;
}

typedef struct OwnElements { const Tree *found; } OwnElements;

/* Elements of the codelet's own container, in a map that cuts nothing else. */
static bool find_own_elements(void *context, const Tree *t) {
  OwnElements *x = context;
  if (t->op == OP_DECLARE && t->symbol->init) tree_visit(t->symbol->init, find_own_elements, x);
  if (t->op != OP_MAP) return !x->found;
  const Tree *own = NULL;
  bool cuts = false;
  for (int i = 0; i < t->nkids; i++) {
    const Tree *k = t->kid[i];
    const Symbol *s = k->op == OP_ELEMENTS && k->kid[0]->op == OP_REF ? k->kid[0]->symbol : NULL;
    if (s && s->kind == SYMBOL_LOCAL && s->rank) own = k;
    cuts |= k->op == OP_PARTITION || k->op == OP_PARTS || k->op == OP_ROWS || k->op == OP_COLUMNS;
  }
  if (own && !cuts) x->found = own;
  return !x->found;
}

/* What a map has of a container of the codelet's own, one by one, is written by a scan: it writes each element once,
 * and reads none. */
static bool check_handed(const Codelet *c, Diagnostics *d) {
  const Handed h = handed_of(c);
  if (spectrum_is_scan(c->spectrum)) return true;
  if (!h.container) {
    OwnElements own = {NULL};
    tree_visit(c->body, find_own_elements, &own);
    if (!own.found) return true;
    const char *name = own.found->kid[0]->symbol->name;
    diagnostics_add(d, DIAG_ERROR, own.found->where,
                    arena_printf(d->arena, "`T last = scan(x, 0, %s);', then `map(f, elements(%s), ..);', and no more",
                                 name, name),
                    "a map of the elements of `%s', the codelet's own, stands alone behind the scan that writes them",
                    name);
    return false;
  }
  if (!spectrum_is_scan(h.call->spectrum))
    diagnostics_add(d, DIAG_ERROR, h.call->where, "an inclusive or exclusive scan by a known operator",
                    "`%s' writes `%s', whose elements a map has, and is no scan", h.call->spectrum->name,
                    h.container->name);
  else if (!spectrum_reference(h.map->spectrum))
    diagnostics_add(d, DIAG_ERROR, h.map->where, "one that neither maps nor exchanges",
                    "one lane has each element of `%s', and `%s' has no codelet for one lane", h.container->name,
                    h.map->spectrum->name);
  else return true;
  return false;
}

/* Is it handed to the map as it is, for a parameter that parts accumulate into? */
static bool is_contributed_to(const Tree *map, const Symbol *own) {
  const Codelet *of = map->spectrum->ncodelets ? map->spectrum->codelets[0] : NULL;
  for (int i = 0; of && i < map->nkids && i < of->nparams; i++)
    if (map->kid[i]->op == OP_REF && map->kid[i]->symbol == own)
      return of->params[i]->atomic && !atomic_stores(of->params[i]->atomic);
  return false;
}

/* Containers to which a map's workers contribute: each is merged behind it, and nothing else is applied. Merges may
 * come in any order: none of them reads what another one writes. */
static bool check_owned(const Codelet *c, const Maps *maps, Diagnostics *d) {
  const Owned own = owned_of(c);
  const int before = d->errors;
  bool any = false;
  for (int k = 0; k < own.n && k < MOST_OPERANDS && maps->n == 1; k++)
    any |= own.merge[k] || is_contributed_to(maps->first, own.container[k]);
  if (!any || spectrum_is_scan(c->spectrum) || handed_of(c).container) return true;
  for (int k = 0; k < own.n && k < MOST_OPERANDS; k++) {
    const Symbol *s = own.container[k];
    if (!is_contributed_to(maps->first, s))
      diagnostics_add(d, DIAG_ERROR, s->where,
                      arena_printf(d->arena, "map(f<T>, partition(x, ..), %s), with an f that has a parameter "
                                   "`__accum(Add)' there", s->name),
                      "the map's workers do not accumulate into `%s', the codelet's own", s->name);
    else if (!own.merge[k])
      diagnostics_add(d, DIAG_ERROR, s->where,
                      arena_printf(d->arena, "merge<T>(%s, sums);, behind the map, with a parameter `sums' that is "
                                   "__accum", s->name),
                      "nothing says what `%s' is merged into", s->name);
  }
  for (int i = 0; i < c->body->nkids && d->errors == before; i++) {
    const Tree *t = c->body->kid[i];
    if (t->op != OP_RUN || t->kid[0]->op != OP_CALL) continue;
    bool merges = false;
    for (int k = 0; k < own.n && k < MOST_OPERANDS; k++) merges |= own.merge[k] == t->kid[0];
    if (!merges)
      diagnostics_add(d, DIAG_ERROR, t->where, "a spectrum of its own, which applies one after the other",
                      "`%s' merges none of the codelet's own containers", t->kid[0]->spectrum->name);
  }
  return d->errors == before;
}

bool front_compound(const Codelet *c, Diagnostics *d) {
  int before = d->errors;
  if (!check_handed(c, d)) return false;
  if (steps_any(c)) return front_steps(c, d);
  Maps maps = {0};
  tree_visit(c->body, count_maps, &maps);
  const Tree *unused = unused_map(c);
  const Steps steps = steps_of(c);
  bool alone = unused && maps.n == 1 && steps.n; /* what is said of the others' form would mean it */
  for (int i = 0; i < steps.n && i < MOST_STEPS; i++) alone &= applies(c, steps.call[i]);
  for (int i = 0; i < c->body->nkids && !alone; i++) check_statement(c, c->body->kid[i], d);
  if (d->errors > before) return false;
  if (!check_owned(c, &maps, d)) return false;
  const Tree *beside = step_beside_map(c, &maps);
  if (beside && !unused) {
    diagnostics_add(d, DIAG_ERROR, beside->where, "make the map a separate spectrum, so that there are only steps",
                    "`%s' is applied beside a map", beside->spectrum->name);
    return false;
  }
  if (!unused && (maps.n < 2 || !tree_contains(c->body, OP_MAP_ATOMIC))) {
    remark_left_out(c, &maps, d);
    return true;
  }
  if (maps.n < 2)
    diagnostics_add(d, DIAG_ERROR, unused->where, "`f(m)', `m.to(y)', or `map(f, ..)' without a name",
                    "the results of `%s' are not used", unused->symbol->name);
  else
    diagnostics_add(d, DIAG_ERROR, maps.first->where, "one map, then one spectrum of its results",
                    "a compound codelet with several maps%s is not supported",
                    unused ? " of which one's results are not used" : " and atomics");
  return false;
}
