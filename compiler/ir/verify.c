/* verify.c: is a tree what ops.h says? Runs between passes, so that a pass's mistake is named at once. */
#include "ir/tree.h"

typedef struct Check {
  unsigned form;
  const char *after;
  Diagnostics *d;
  VEC(const Symbol *) scope; /* declared and visible */
  bool ok;
} Check;

static void fault(Check *c, const Tree *t, const char *what) {
  if (!c->ok) return;
  c->ok = false;
  diagnostics_internal(c->d, t->where, "after %s: %s at `%s'", c->after, what, op_spelling(t->op));
}

static bool declared(const Check *c, const Symbol *s) {
  if (s->kind == SYMBOL_CONSTANT) return true;
  for (int i = c->scope.n - 1; i >= 0; i--)
    if (c->scope.at[i] == s) return true;
  return false;
}

static bool may_be_absent(const Tree *t, int i) { return t->op == OP_FOR && i < 3; }

/* A condition, an index or an operand is a value; a body is a statement. */
static bool wants_statement(const Tree *t, int i) {
  switch (t->op) {
    case OP_SEQ: return true;
    case OP_IF: case OP_WHILE: return i > 0;
    case OP_FOR: return i != 1;
    case OP_TOGETHER: return i == 1;
    case OP_LOOP_NODE: return i == 2;
    case OP_LANES: return i == 0;
    default: return false;
  }
}

static void check(Check *c, const Tree *t);

static void check_kids(Check *c, const Tree *t) {
  int outer = c->scope.n;
  for (int i = 0; i < t->nkids && c->ok; i++) {
    const Tree *k = t->kid[i];
    if (!k) {
      if (!may_be_absent(t, i)) fault(c, t, "a child is missing");
      continue;
    }
    if (op_is_statement(k->op) != wants_statement(t, i))
      fault(c, k, wants_statement(t, i) ? "a value where a statement belongs" : "a statement where a value belongs");
    check(c, k);
  }
  if (t->op == OP_SEQ || t->op == OP_FOR) c->scope.n = outer;
}

static bool is_shared_element(const Tree *t) {
  return t && t->op == OP_INDEX && t->kid[0] && t->kid[0]->op == OP_REF && t->kid[0]->symbol->kind == SYMBOL_SHARED;
}

/* A MAP's arguments say what each part gets; a SLIDE's stand behind its carry and the spectrum of a part alone. */
static bool belongs_to_map(Op op) {
  return op == OP_PARTITION || op == OP_PARTS || op == OP_ROWS || op == OP_COLUMNS || op == OP_ELEMENTS;
}

static void check_argument(Check *c, const Tree *t, int i) {
  const Tree *k = t->kid[i];
  if (!k) return;
  bool given = t->op == OP_MAP || (t->op == OP_SLIDE && i >= 2);
  if (belongs_to_map(k->op) && !given) fault(c, k, "outside of a map");
  if (k->op == OP_SPECTRUM && !(t->op == OP_SLIDE && i == 1)) fault(c, k, "a spectrum where a value belongs");
  if (k->op == OP_ZIP) fault(c, k, "elements side by side, outside of a transform");
}

static bool is_named_cut(const Tree *t) { return t->op == OP_REF && t->symbol->kind == SYMBOL_CUT; }
static bool is_cut(const Tree *t) { return t && (is_named_cut(t) || t->op == OP_HALO || t->op == OP_WHOLE); }

/* The kids of what takes a container, and of what is run for what it writes. */
static void check_shape(Check *c, const Tree *t) {
  const Tree *first = t->nkids ? t->kid[0] : NULL;
  switch (t->op) {
    case OP_INDEX: {
      int rank = first && first->op == OP_REF ? first->symbol->rank : 1;
      if (t->nkids != rank + (rank ? 1 : 2)) fault(c, t, "a wrong number of positions");
      break;
    }
    case OP_ROWS: case OP_COLUMNS:
      if (first && (first->op != OP_REF || first->symbol->rank != 2)) fault(c, t, "no container of two dimensions");
      break;
    case OP_PARTS:
      if (!first || first->op != OP_REF || t->nkids != 1 + first->symbol->rank)
        fault(c, t, "no cut for each dimension");
      for (int i = 1; i < t->nkids; i++)
        if (!is_cut(t->kid[i])) fault(c, t, "this is no cut");
      break;
    case OP_BOX:
      if (!first || first->op != OP_REF || t->nkids != 1 + 2 * first->symbol->rank)
        fault(c, t, "no place and size for each dimension");
      break;
    case OP_HALO: if (first && !is_named_cut(first)) fault(c, t, "a halo of no cut"); break;
    case OP_CUT: if (t->nkids != 2 && t->nkids != 4) fault(c, t, "a wrong number of children"); break;
    case OP_ELEMENTS:
      if (first && !tree_is_container(first)) fault(c, t, "no container");
      break;
    case OP_SLIDE: if (t->nkids < 3 || t->kid[1]->op != OP_SPECTRUM) fault(c, t, "no spectrum of a part"); break;
    case OP_NATIVELY: if (first && first->op != OP_NATIVE) fault(c, t, "no call"); break;
    case OP_MAP_RUN: if (first && first->op != OP_MAP) fault(c, t, "no map"); break;
    case OP_RUN: if (first && first->op != OP_CALL && first->op != OP_SLIDE) fault(c, t, "no call"); break;
    case OP_MAP_TO:
      if (first && (first->op != OP_REF || first->symbol->kind != SYMBOL_MAP)) fault(c, t, "no map");
      break;
    default: break;
  }
  const ViewRow *view = op_view(t->op);
  for (int i = 0; view && view->of >= 0 && i < t->nkids; i++)
    if (i != view->count && t->kid[i] && !tree_is_container(t->kid[i])) fault(c, t, "no container");
  for (int i = 0; i < t->nkids; i++) check_argument(c, t, i);
}

static void check(Check *c, const Tree *t) {
  const OpRow *row = op_row(t->op);
  if (!(row->form & c->form))
    fault(c, t, c->form == FORM_KERNEL ? "an op of the codelet form" : "an op of the kernel form");
  if (row->kids >= 0 && row->kids != t->nkids) fault(c, t, "a wrong number of children");
  if (row->statement && t->type != TYPE_VOID) fault(c, t, "a statement with a type");
  if (!row->statement && t->type == TYPE_VOID && t->op != OP_CALL && t->op != OP_NATIVE)
    fault(c, t, "a value without a type");
  if (t->op == OP_REF && !declared(c, t->symbol)) fault(c, t, "an undeclared name");
  if (t->op == OP_ASSIGN && t->kid[0] && t->kid[0]->op != OP_REF && t->kid[0]->op != OP_INDEX)
    fault(c, t, "an assignment to what is no place");
  if (t->op == OP_IF && t->nkids != 2 && t->nkids != 3) fault(c, t, "a wrong number of children");
  if (t->op == OP_BARRIER && (t->scope < SCOPE_WARP || t->scope > SCOPE_CLUSTER)) fault(c, t, "no scope");
  if (t->op == OP_ATOMIC && t->atomic == ATOMIC_NONE) fault(c, t, "an atomic by no operator");
  if (t->op == OP_PUSH && !is_shared_element(t->kid[0])) fault(c, t, "a push to what is no element of a shared array");
  if (t->op == OP_PULL && !is_shared_element(t->kid[0])) fault(c, t, "a pull of what is no element of a shared array");
  if (c->form == FORM_CODELET && c->ok) check_shape(c, t);
  check_kids(c, t);
  if (t->op == OP_DECLARE && c->form == FORM_CODELET) {
    if (t->symbol->init) check(c, t->symbol->init);
    if (t->symbol->length) check(c, t->symbol->length);
  }
  if (t->op == OP_DECLARE) vec_push(c->d->arena, &c->scope, t->symbol);
}

bool tree_verify(const Tree *t, unsigned form, Symbol **params, int nparams, const char *after, Diagnostics *d) {
  Check c = {.form = form, .after = after, .d = d, .ok = true};
  for (int i = 0; i < nparams; i++) vec_push(d->arena, &c.scope, params[i]);
  check(&c, t);
  return c.ok;
}

/* A statement of the host's looks at no memory of a device's, but for its address. */
static bool gives_address(const Tree *t) {
  return t->op == OP_TO_ALIGNED || t->op == OP_ASK || t->op == OP_ASK_END || t->op == OP_LOOP_NODE ||
         t->op == OP_MAKE_BOXES || t->op == OP_LAUNCH;
}

bool tree_verify_host(const Tree *t, const char *after, Diagnostics *d) {
  if (t->op == OP_TOGETHER) return true; /* a kernel's text */
  for (int i = 0; i < t->nkids; i++) {
    if (!t->kid[i]) continue;
    if (t->kid[i]->op == OP_INDEX && !gives_address(t)) {
      diagnostics_internal(d, t->where, "after %s: the host reads an element at `%s'", after, op_spelling(t->op));
      return false;
    }
    if (!tree_verify_host(t->kid[i], after, d)) return false;
  }
  return true;
}
