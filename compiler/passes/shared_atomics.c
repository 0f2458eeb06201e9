/* shared_atomics.c: writes to shared variables with an atomic qualifier (CGO III-B).
 *
 *   requires  a body in codelet form, as written; the operator of the spectrum inferred
 *   keeps     everything but those writes; reads stay ordinary reads
 *   breaks    nothing: afterwards every write to such a variable is an ATOMIC of SCOPE_BLOCK
 *
 *   __shared_atomicAdd int total;   total = val;   ->   atomicAdd_block(total, val);
 *
 * A plain `x = v' contributes v. `x += v', `x = x + v' and `x = max(x, v)' say the operator as well, and it has to
 * be the qualifier's. Such a variable starts at the identity of the spectrum's operator, so another atomic than the
 * spectrum's would start at a wrong value. */
#include "ir/operator.h"
#include "passes/codelet_passes.h"

typedef struct Atomics {
  Arena *arena;
  const Codelet *codelet;
  Diagnostics *diagnostics;
} Atomics;

static const Symbol *atomic_place(const Tree *place) {
  if (place->op == OP_INDEX) place = place->kid[0];
  bool yes = place->op == OP_REF && place->symbol->kind == SYMBOL_SHARED && place->symbol->atomic;
  return yes ? place->symbol : NULL;
}

/* The operator that a write to such a variable may spell out. */
static Op spelled(AtomicOp op) {
  switch (op) {
    case ATOMIC_ADD: return OP_ADD;
    case ATOMIC_SUB: return OP_SUB;
    case ATOMIC_MAX: return OP_MAX;
    default: return OP_MIN;
  }
}

static bool says_an_operator(Op op) {
  return (op >= OP_ADD && op <= OP_XOR) || op == OP_MIN || op == OP_MAX;
}

/* What `x = value' or `x op= value' contributes to x; NULL, with an error, when it does not fit the qualifier. */
static Tree *contribution(const Atomics *c, const Tree *assign, const Symbol *x) {
  const Tree *place = assign->kid[0];
  Tree *value = assign->kid[1];
  Op wanted = spelled(x->atomic), said = assign->compound;
  if (place->op == OP_INDEX && tree_mentions(place->kid[1], x)) {
    diagnostics_add(c->diagnostics, DIAG_ERROR, place->kid[1]->where, "read it in a statement of its own",
                    "`%s' is read in the statement that writes it atomically", x->name);
    return NULL;
  }
  if (!said && says_an_operator(value->op) && value->nkids == 2) {
    bool left = tree_equal(value->kid[0], place), right = value->op != OP_SUB && tree_equal(value->kid[1], place);
    if (left || right) {
      said = value->op;
      value = value->kid[left ? 1 : 0];
    }
  }
  if (said && said != wanted) {
    diagnostics_add(c->diagnostics, DIAG_ERROR, assign->where,
                    arena_printf(c->arena, "write `%s = value': the qualifier says the rest", x->name),
                    "`%s' is written by atomic%s, not by `%s'", x->name, atomic_name(x->atomic), op_spelling(said));
    return NULL;
  }
  if (tree_mentions(value, x)) {
    diagnostics_add(c->diagnostics, DIAG_ERROR, value->where.file ? value->where : assign->where,
                    "read it in a statement of its own",
                    "`%s' is read in the statement that writes it atomically", x->name);
    return NULL;
  }
  return value;
}

static Tree *rewrite(void *context, Arena *a, Tree *t) {
  Atomics *c = context;
  const Symbol *x = t->op == OP_ASSIGN ? atomic_place(t->kid[0]) : NULL;
  if (!x) return t;
  Tree *value = contribution(c, t, x);
  if (!value) return t;
  Tree *atomic = tree_new(a, OP_ATOMIC, TYPE_VOID, t->where, 2);
  atomic->kid[0] = t->kid[0];
  atomic->kid[1] = value;
  atomic->atomic = x->atomic;
  atomic->scope = SCOPE_BLOCK;
  diagnostics_remark(c->diagnostics, REMARK_PASSED, "shared-atomic", t->where,
                     "atomic%s on shared `%s', for all lanes that share it", atomic_name(x->atomic), x->name);
  return atomic;
}

/* Subtraction starts at addition's identity; the others at their own. */
static OperatorKind starts_like(AtomicOp op) { return op == ATOMIC_SUB ? OPERATOR_ADD : operator_of_atomic(op); }

static bool check_declaration(void *context, const Tree *t) {
  Atomics *c = context;
  if (t->op == OP_DECLARE && t->symbol->kind == SYMBOL_SHARED && t->symbol->atomic) {
    OperatorKind whole = c->codelet->spectrum->op;
    if (whole != OPERATOR_NONE && whole != starts_like(t->symbol->atomic))
      diagnostics_add(c->diagnostics, DIAG_ERROR, t->where, NULL,
                      "`%s' is written by atomic%s, but `%s' is a reduction by %s", t->symbol->name,
                      atomic_name(t->symbol->atomic), c->codelet->spectrum->name, operator_name(whole));
  }
  return op_is_statement(t->op);
}

/* After an error the body is as it was, at least in part: the caller asks the diagnostics. */
Tree *pass_shared_atomics(Arena *a, const Codelet *c, Tree *body, Diagnostics *d) {
  Atomics context = {a, c, d};
  int errors = d->errors;
  tree_visit(body, check_declaration, &context);
  if (d->errors > errors) return body;
  return tree_rewrite(a, body, rewrite, &context);
}
