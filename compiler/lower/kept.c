/* kept.c: a codelet's variables in as many copies as there are slots.
 *
 * Requires a body that take_apart takes. Keeps what each slot computes apart from all others: only sizes and
 * positions, which nothing changes, are shared. */
#include "ir/operator.h"
#include "lower/block.h"
#include "lower/kept.h"

/* The container's loop and the return of `declarations; for (..) ..; return x;'; false for other bodies. */
static bool take_apart(const Codelet *c, const Tree **loop, const Tree **result) {
  const Tree *b = c->plain.body ? c->plain.body : c->body;
  *loop = *result = NULL;
  for (int i = 0; i < b->nkids; i++) {
    const Tree *t = b->kid[i];
    if (t->op == OP_DECLARE && !*loop && !t->symbol->array) continue;
    if (t->op == OP_FOR && !*loop) { *loop = t; continue; }
    if (t->op == OP_RETURN && *loop && t->nkids && i == b->nkids - 1) { *result = t->kid[0]; continue; }
    return false;
  }
  if (!*loop || (!*result && c->spectrum->result != TYPE_VOID)) return false;
  const Tree *body = (*loop)->kid[3];
  return !tree_contains(body, OP_BREAK) && !tree_contains(body, OP_CONTINUE) && !tree_contains(body, OP_FOR) &&
         !tree_contains(body, OP_WHILE) && !tree_contains(body, OP_DECLARE);
}

Kept kept_of(Lowering *l, const Codelet *c, const Arguments *in, const Place *p) {
  Kept k = {.l = l, .codelet = c, .body = c->plain.body ? c->plain.body : c->body, .in = lowering_container(in)};
  if (!take_apart(c, &k.loop, &k.result)) k.loop = NULL;
  k.shared = inline_environment(l, c, in, k.body, p);
  return k;
}

/* Is what the body declares before its loop the same for all slots: a size or a position, which nothing changes? */
static bool is_shared(const Tree *body, const Tree *declaration) {
  return declaration->symbol->type == TYPE_INDEX && !tree_assigns(body, declaration->symbol);
}

/* The number of a part's slot among those of all parts that are taken together. */
static Tree *slot_of_row(const Kept *k, Tree *slot) {
  return k->row ? build_add(k->l->a, build_mul(k->l->a, k->row->at, k->slots), slot) : slot;
}

Environment kept_environment(Kept *k, Tree *slot) {
  Environment e = k->shared;
  if (k->slots) slot = slot_of_row(k, slot);
  e.bound.at = NULL;
  e.bound.n = e.bound.capacity = 0;
  for (int i = 0; i < k->shared.bound.n; i++) vec_push(k->l->a, &e.bound, k->shared.bound.at[i]);
  for (int i = 0; i < k->locals.n; i++)
    inline_bind(k->l, &e, k->locals.at[i], build_element(k->l->a, k->arrays.at[i], slot), NULL);
  return e;
}

/* array[s] = value, as each slot sees it. */
static void set_each(Kept *k, Symbol *array, const Tree *value, bool of_row) {
  Lowering *l = k->l;
  Block b;
  Symbol *s = block_open_counted(l, &b, "s");
  Tree *slot = tree_ref(l->a, s);
  Environment e = kept_environment(k, slot);
  e.view = k->in;
  Tree *set = inline_expression(l, &e, (Tree *)value);
  lowering_add(l, build_assign(l->a, build_element(l->a, array, of_row ? slot_of_row(k, slot) : slot), set));
  block_close_unrolled(l, &b, s, k->slots);
}

void kept_declare(Kept *k) {
  Lowering *l = k->l;
  Statements *here = l->to, *once = k->row ? &k->row->before : here;
  Tree *many = k->row ? build_mul(l->a, k->row->extent, k->slots) : k->slots;
  for (int i = 0; i < k->body->nkids && k->body->kid[i]->op == OP_DECLARE; i++) {
    const Tree *t = k->body->kid[i];
    l->to = once;
    if (!k->slots || is_shared(k->body, t)) inline_declaration(l, &k->shared, t);
    else {
      Symbol *array = lowering_array(l, t->symbol->name, t->symbol->type, many);
      vec_push(l->a, &k->locals, t->symbol);
      vec_push(l->a, &k->arrays, array);
      l->to = here;
      if (t->nkids) set_each(k, array, t->kid[0], true);
    }
    l->to = here;
  }
}

View kept_results(Kept *k) {
  Lowering *l = k->l;
  Arena *a = l->a;
  View v = {.begin = build_index(a, 0), .end = k->slots, .step = build_index(a, 1), .size = k->slots};
  for (int i = 0; i < k->locals.n; i++)
    if (k->result->op == OP_REF && k->result->symbol == k->locals.at[i]) v.source.base = k->arrays.at[i];
  if (v.source.base && k->row) {
    v.begin = slot_of_row(k, v.begin);
    v.end = slot_of_row(k, v.end);
    v.line.counted = true; /* compilers see better so that its elements are registers */
  }
  if (v.source.base) return v;
  v.source.base = lowering_array(l, "part", k->codelet->spectrum->result, k->slots);
  set_each(k, v.source.base, k->result, false);
  return v;
}

bool kept_loop_is(const Kept *k, LoopTest *test) {
  Lowering trial = *k->l;
  Statements nowhere = {0};
  trial.to = &nowhere;
  View view = *k->in;
  Arguments tried = k->shared.arguments;
  for (int i = 0; i < tried.n; i++)
    if (tried.at[i].view == k->in) tried.at[i].view = &view;
  Environment e = inline_environment(&trial, k->codelet, &tried, k->body, NULL);
  for (int i = 0; i < k->body->nkids && k->body->kid[i]->op == OP_DECLARE; i++)
    if (is_shared(k->body, k->body->kid[i])) inline_declaration(&trial, &e, k->body->kid[i]);
  return test(&trial, &e, k->loop);
}
