/* map_atomics.c: maps whose results are accumulated by atomics in global memory (CGO III-A).
 *
 *   requires  a compound codelet, as written; the operators of the spectra inferred
 *   keeps     all of it: this pass only looks; the plan takes one of the two choices
 *
 *   Map m(sum, partition(..));
 *   m.atomicAdd();     the atomic version
 *   return sum(m);     the spectrum version; both: the two compute the same and exclude each other
 *
 * The atomic version exists when its operator is that of the codelet's spectrum, it is called once, in every run, and
 * nothing but the spectrum call looks at the map. m.atomicSub() takes sums from nothing: in any order the same, but no
 * reduction, so that the codelet's spectrum is none and there is no spectrum version. Otherwise a spectrum call stays
 * as it is (a missed remark says why); with no spectrum call the codelet has no result, which is an error. */
#include "ir/operator.h"
#include "passes/codelet_passes.h"

typedef struct MapUses {
  const Symbol *map;
  const Tree *atomic, *second;  /* m.atomicX(), and another one */
  bool conditional;             /* the first is under a condition or in a loop */
  const Tree *call;             /* `return f(m)' */
  const Tree *other;            /* any other use */
} MapUses;

/* A value that mentions the map; maps keep their trees at their symbols. */
static void use_value(MapUses *u, const Tree *t) {
  if (!t) return;
  if (t->op == OP_REF && t->symbol == u->map) u->other = u->other ? u->other : t;
  for (int i = 0; i < t->nkids; i++) use_value(u, t->kid[i]);
}

static bool is_call_on(const Tree *t, const Symbol *map) {
  return t && t->op == OP_CALL && t->nkids == 1 && t->kid[0]->op == OP_REF && t->kid[0]->symbol == map;
}

static void uses(MapUses *u, const Tree *t, bool conditional) {
  if (!t) return;
  if (!op_is_statement(t->op)) { use_value(u, t); return; }
  bool on_map = t->op == OP_MAP_ATOMIC && t->kid[0]->op == OP_REF && t->kid[0]->symbol == u->map;
  if (on_map) {
    if (u->atomic) u->second = t;
    else {
      u->atomic = t;
      u->conditional = conditional;
    }
    return;
  }
  if (t->op == OP_RETURN && t->nkids && is_call_on(t->kid[0], u->map) && !u->call) {
    u->call = t->kid[0];
    return;
  }
  if (t->op == OP_DECLARE && t->symbol != u->map) use_value(u, t->symbol->init);
  bool branches = t->op == OP_IF || t->op == OP_FOR || t->op == OP_WHILE;
  for (int i = 0; i < t->nkids; i++) uses(u, t->kid[i], conditional || branches);
}

typedef struct Maps { const Symbol *first; bool inline_map; const Tree *atomic; } Maps;

static bool find_maps(void *context, const Tree *t) {
  Maps *m = context;
  if (t->op == OP_MAP_ATOMIC && !m->atomic) m->atomic = t;
  if (t->op == OP_MAP) m->inline_map = true;
  return true;
}

/* Why m.atomicSub() is none: it is for a spectrum without an operator, of results that are sums. */
static const char *no_difference(Arena *a, const Codelet *c, const MapUses *u, SourceRange *where) {
  const Spectrum *of = u->map->init ? u->map->init->spectrum : NULL;
  if (c->spectrum->op != OPERATOR_NONE)
    return arena_printf(a, "`%s' is a reduction by %s, not by atomicSub", c->spectrum->name,
                        operator_name(c->spectrum->op));
  if (!of || of->op != OPERATOR_ADD)
    return arena_printf(a, "the results of `%s' are no sums, which could be taken away in any order", u->map->name);
  if (!u->call) return NULL;
  *where = u->call->where;
  return arena_printf(a, "`%s(%s)' is not what atomicSub leaves", u->call->spectrum->name, u->map->name);
}

/* Why the atomic version is none, with a place and a hint; NULL when it is one. */
static const char *objection(Arena *a, const Codelet *c, const MapUses *u, SourceRange *where) {
  OperatorKind op = operator_of_atomic(u->atomic->atomic), whole = c->spectrum->op;
  const char *name = atomic_name(u->atomic->atomic);
  *where = u->atomic->where;
  const bool subtracts = u->atomic->atomic == ATOMIC_SUB;
  if (op == OPERATOR_NONE && !subtracts)
    return arena_printf(a, "atomic%s is no reduction: the order of the parts would matter", name);
  if (u->second) {
    *where = u->second->where;
    return arena_printf(a, "`%s' is accumulated atomically twice", u->map->name);
  }
  if (u->conditional) return arena_printf(a, "atomic%s is not called unconditionally", name);
  const char *why = subtracts ? no_difference(a, c, u, where) : NULL;
  if (why) return why;
  if (!subtracts && u->call && u->call->spectrum->op != op) {
    *where = u->call->where;
    return arena_printf(a, "`%s' is a reduction by %s, and `%s.atomic%s()' is by %s", u->call->spectrum->name,
                        operator_name(u->call->spectrum->op), u->map->name, name, operator_name(op));
  }
  if (!subtracts && whole != op)
    return arena_printf(a, "`%s' is a reduction by %s, not by atomic%s", c->spectrum->name, operator_name(whole), name);
  if (u->other) {
    *where = u->other->where;
    return arena_printf(a, "`%s' is used for something else than `return %s(%s)'", u->map->name,
                        c->spectrum->name, u->map->name);
  }
  return NULL;
}

MapChoice pass_map_atomics(const Codelet *c, Diagnostics *d) {
  Maps m = {0};
  MapUses u = {0};
  SourceRange where;
  tree_visit(c->body, find_maps, &m);
  if (!m.atomic || m.atomic->kid[0]->op != OP_REF) return (MapChoice){.spectrum = true};
  u.map = m.atomic->kid[0]->symbol;
  uses(&u, c->body, false);
  const char *why = objection(d->arena, c, &u, &where);
  bool returns = u.call || tree_contains(c->body, OP_RETURN);
  AtomicOp op = u.atomic->atomic;
  if (why && !returns) {
    const char *call = arena_printf(d->arena, "or `return %s(%s);'", c->spectrum->name, u.map->name);
    diagnostics_add(d, DIAG_ERROR, where, op == ATOMIC_SUB ? "map a spectrum that is a reduction by add" : call,
                    "the codelet has no result: %s", why);
    return (MapChoice){0};
  }
  if (why) {
    diagnostics_remark(d, REMARK_MISSED, "map-atomic", where, "not a global atomic: %s", why);
    return (MapChoice){.spectrum = true};
  }
  const char *instead = "";
  if (u.call)
    instead = arena_printf(d->arena, "; or else `%s(%s)', as the plan chooses", u.call->spectrum->name, u.map->name);
  diagnostics_remark(d, REMARK_PASSED, "map-atomic", u.atomic->where, "atomic%s on the results of `%s'%s",
                     atomic_name(op), u.map->name, instead);
  return (MapChoice){.atomic = true, .spectrum = u.call != NULL, .op = op};
}
