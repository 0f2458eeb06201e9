/* operator.c: which monoid a spectrum's codelets compute, told from how its autonomous codelets accumulate.
 *
 * Only `accumulator = accumulator o in[i]', once for each element (accumulation.c), will do: what is accumulated must
 * be the element itself, since the combination of partial results applies the same spectrum to them. A sum of squares
 * is no reduction in this sense. Nor is a selection that treats a NaN otherwise than max() and min() do.
 *
 * A scan, `T scan(const Array<1, T> in, T carry, __mutable Array<1, T> out)', starts at what is carried into it, which
 * is the identity where nothing is. Other spectra of several containers have no operator, which is nothing to remark
 * on: their results are not combined by themselves. */
#include "front/accumulation.h"
#include "front/front.h"
#include "ir/function.h"
#include "ir/operator.h"

static bool is_real(Type t) { return t == TYPE_FLOAT || t == TYPE_DOUBLE; }

/* Is it the operator's neutral value? Where x o x is x any constant will do: it counts once, however often it comes. */
static bool neutral(OperatorKind op, const Tree *t) {
  int64_t number;
  if (t->op == OP_REF && t->symbol->kind == SYMBOL_PARAM) return true; /* what a scan is given to start with */
  if (tree_contains(t, OP_INDEX) || tree_contains(t, OP_SIZE) || tree_contains(t, OP_REF)) return false;
  if (op != OPERATOR_ADD && op != OPERATOR_MUL && op != OPERATOR_XOR) return true;
  int64_t wanted = op == OPERATOR_MUL;
  if (t->op == OP_CAST) return neutral(op, t->kid[0]);
  if (t->op == OP_FLOAT) return t->real == (double)wanted;
  return tree_constant(t, &number) && number == wanted;
}

static const char *identity_text(OperatorKind op) {
  switch (op) {
    case OPERATOR_MUL: return "1";
    case OPERATOR_AND: return "-1";
    case OPERATOR_MAX: return "lowest<T>()";
    case OPERATOR_MIN: return "highest<T>()";
    default: return "0";
  }
}

/* One container that is read, and perhaps a carry and what is written: a reduction or a scan. */
static bool may_accumulate(const Spectrum *s) {
  if (!s->ncodelets || s->result == TYPE_VOID || function_is(s)) return false;
  const Codelet *k = s->codelets[0];
  return k->nparams == 1 || (k->nparams == 3 && !k->params[0]->writable && !k->params[1]->rank && k->params[2]->rank &&
                             k->params[2]->writable && !k->params[2]->atomic);
}

/* For who combines its results all the same (compose/search.c). */
static OperatorKind unknown(Spectrum *s, SourceRange where, const char *why, const char *hint, Diagnostics *d) {
  diagnostics_remark(d, REMARK_MISSED, "operator", where, "no known operator: %s", why);
  s->unknown_why = why;
  s->unknown_at = where;
  s->unknown_hint = hint;
  return OPERATOR_NONE;
}

static const char *hint_for(const Accumulation *x) {
  if (!x->why) return NULL;
  return x->changes ? "a sum of what a function makes of each element: sum(transform(f<T>, in))"
                    : "one loop over all elements, which combines each with the result and does nothing else";
}

OperatorKind front_operator(Spectrum *s, bool real, Diagnostics *d) {
  OperatorKind found = OPERATOR_NONE;
  if (!may_accumulate(s)) return OPERATOR_NONE;
  for (int i = 0; i < s->ncodelets; i++) {
    const Codelet *k = s->codelets[i];
    if (k->kind != CLASS_AUTONOMOUS || k->native || k->nparams == 0 || !k->params[0]->rank) continue;
    Accumulation x = accumulation_of(k);
    bool keeps_nan = x.keeps_nan && (is_real(s->result) || (s->result == TYPE_ELEM && real));
    const char *why = x.why, *hint = hint_for(&x);
    SourceRange where = x.strange ? x.strange->where : k->where;
    if (!why && found != OPERATOR_NONE && found != x.op) {
      where = k->where;
      why = arena_printf(d->arena, "the codelets of `%s' accumulate differently", s->name);
    } else if (!why && (!x.start || !neutral(x.op, x.start))) {
      where = x.started ? x.started->where : k->where;
      why = arena_printf(d->arena,
                         "each part's result would start with this, and an empty part's be this, which only %s, the "
                         "operator's identity, may be",
                         identity_text(x.op));
      hint = "start at the operator's identity, and combine with another first value at the end";
    } else if (!why && keeps_nan) {
      where = x.keeps_nan->where;
      why = arena_printf(d->arena, "a NaN would be taken, and given up for what comes next, where `%s()' passes over "
                         "it; write that, or compare so that the accumulator stays where the comparison fails",
                         operator_name(x.op));
    }
    if (why) return unknown(s, where, why, hint, d);
    found = x.op;
    diagnostics_remark(d, REMARK_PASSED, "operator", x.at->where, "`%s' is a %s by %s", s->name,
                       k->nparams == 1 ? "reduction" : "scan", operator_name(found));
  }
  return found;
}
