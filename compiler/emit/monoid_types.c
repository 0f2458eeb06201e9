/* monoid_types.c: names of the types of a user's operator: of the C structs of the same layout, and in the namespace
 * that has the operator's source. */
#include <string.h>

#include "emit/monoid.h"

/* "State" of "ArgMax<float>::State". */
static const char *unqualified_name(Arena *a, const char *text) {
  const char *part = text;
  int depth = 0;
  for (const char *c = text; *c; c++) {
    depth += (*c == '<') - (*c == '>');
    if (depth == 0 && c[0] == ':' && c[1] == ':') part = c + 2;
  }
  return arena_strndup(a, part, strcspn(part, "<"));
}

const char *monoid_struct_name(Arena *a, const Monoid *m, const char *prefix, const Carrier *c, const char *type) {
  if (c->type != TYPE_STRUCT) return c->text;
  const char *name = arena_printf(a, "%s_%s", prefix, unqualified_name(a, c->text));
  return m->generic ? arena_printf(a, "%s_%s", name, type) : arena_printf(a, "%s_t", name);
}

static bool stores_states(const Output *o) {
  const Signature *s = output_operands(o);
  for (int i = 0; i < s->n; i++)
    if (i != s->result && s->at[i].written && s->at[i].symbol->type == TYPE_ELEM) return true;
  return false;
}

int monoid_structs(const Output *o, const MonoidType *t, const Carrier *structs[3]) {
  const Carrier *all[] = {&t->element, &t->result, stores_states(o) ? &t->state : NULL};
  int n = 0;
  for (int i = 0; i < 3; i++) {
    bool fresh = all[i] && all[i]->type == TYPE_STRUCT;
    for (int k = 0; k < n && fresh; k++) fresh = strcmp(structs[k]->text, all[i]->text) != 0;
    if (fresh) structs[n++] = all[i];
  }
  return n;
}

/* The suffix of C functions: the element type asked for; without a template, the operator's element type. */
static const char *function_suffix(Arena *a, const Monoid *m, const MonoidType *t, const ElementType *asked) {
  if (m->generic) return asked->name;
  if (t->element.type == TYPE_STRUCT) return unqualified_name(a, t->element.text);
  for (int i = 0; element_at(i); i++)
    if (strcmp(element_at(i)->c_type, t->element.text) == 0) return element_at(i)->name;
  return asked->name;
}

const ElementType **monoid_elements(Arena *a, const Monoid *m, const char *prefix, const ElementType *const *asked,
                                    int *n) {
  const ElementType **types = arena_many(a, const ElementType *, m->ntypes);
  *n = m->ntypes;
  for (int i = 0; i < m->ntypes; i++) {
    const MonoidType *t = &m->types[i];
    ElementType *e = arena_one(a, ElementType);
    bool of_user = m->generic && m->lifts; /* the type asked for is the type stored */
    e->name = function_suffix(a, m, t, asked[i]);
    e->c_type = of_user ? asked[i]->c_type : monoid_struct_name(a, m, prefix, &t->element, e->name);
    e->text = e->c_type;
    e->bytes = of_user ? asked[i]->bytes : t->element.bytes;
    e->sort = SORT_STRUCT;
    e->own = e->type = TYPE_STRUCT; /* the accumulator is the monoid's state */
    types[i] = e;
  }
  return types;
}

const MonoidType *output_monoid(const Output *o, const ElementType *e) {
  const Monoid *m = o->spectrum->monoid;
  for (int i = 0; m && i < o->ntypes; i++)
    if (o->types[i] == e) return &m->types[i];
  return NULL;
}

const char *monoid_qualified(Arena *a, const Carrier *c, const char *within) {
  return c->type == TYPE_STRUCT ? arena_printf(a, "%s%s", within, c->text) : c->text;
}

TemplateTypes monoid_template_types(Arena *a, const Output *o, const Program *p, const ElementType *e,
                                    const char *within) {
  const MonoidType *m = output_monoid(o, e);
  TemplateTypes t = {.element = output_kernel_type(o, e), .state = monoid_qualified(a, &m->state, within),
                  .result = monoid_qualified(a, &m->result, within), .cast_in = "", .cast_out = ""};
  if (m->element.type == TYPE_STRUCT) t.element = monoid_qualified(a, &m->element, within);
  if (m->element.type == TYPE_STRUCT) t.cast_in = arena_printf(a, "(const %s *)", t.element);
  if (m->result.type == TYPE_STRUCT) t.cast_out = arena_printf(a, "(%s *)", t.result);
  Buffer b = buffer_new(a);
  buffer_printf(&b, "%s%s, ", within, m->monoid);
  if (p->element == TYPE_STORED) buffer_printf(&b, "%s, ", t.element);
  buffer_puts(&b, t.state);
  if (p->out && p->out->type == TYPE_FINAL) buffer_printf(&b, ", %s", t.result);
  t.arguments = b.text;
  return t;
}

const char *monoid_result(Arena *a, const Output *o, const ElementType *e) {
  const MonoidType *m = output_monoid(o, e);
  return monoid_struct_name(a, o->spectrum->monoid, o->library, &m->result, e->name);
}

const char *monoid_state(Arena *a, const Output *o, const ElementType *e) {
  return monoid_struct_name(a, o->spectrum->monoid, o->library, &output_monoid(o, e)->state, e->name);
}
