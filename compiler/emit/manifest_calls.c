/* manifest_calls.c: the C functions of a folder as data. A caller in another language, such as Python, needs the type
 * of each operand and the layout of each struct, and should not have to parse the header. Numbers have the names that
 * `--types' has for them, whatever the header calls them: "half" is __half on a GPU and _Float16 on a CPU. */
#include "emit/manifest_calls.h"

#include <stdlib.h>
#include <string.h>

#include "emit/monoid.h"
#include "support/manifest.h"

/* The name of a C type: "int64" of `long long'. A struct has its own. */
static const char *type_word(const Output *o, const char *c_type) {
  for (int i = 0; element_at(i); i++) {
    const char *known = output_c_type(o, element_at(i)->c_type); /* NULL: this machine has no such type */
    if (known && strcmp(known, c_type) == 0) return element_at(i)->name;
  }
  if (strcmp(c_type, "uint64_t") == 0) return "uint64";
  return strcmp(c_type, "char") == 0 ? "int8" : c_type;
}

static json_t *call(Arena *a, const Output *o, const ElementType *e) {
  const Signature *s = output_operands(o);
  json_t *j = json_object(), *operands = json_array();
  for (int i = 0; i < s->n; i++)
    json_array_append_new(operands, json_string(type_word(o, operand_type(a, o, s, &s->at[i], e))));
  json_object_set_new(j, KEY_TYPE, json_string(e->name));
  json_object_set_new(j, KEY_FUNCTION, json_string(arena_printf(a, "%s_%s", o->name, e->name)));
  json_object_set_new(j, KEY_OPERANDS, operands);
  return j;
}

json_t *manifest_calls(Arena *a, const Output *o) {
  json_t *j = json_array();
  for (int i = 0; i < o->ntypes; i++) json_array_append_new(j, call(a, o, o->types[i]));
  return j;
}

/* "[2][3]": an array of both numbers. */
static json_t *dimensions(const char *text) {
  json_t *j = json_array();
  for (const char *c = text ? strchr(text, '[') : NULL; c; c = strchr(c + 1, '['))
    json_array_append_new(j, json_integer(strtol(c + 1, NULL, 10)));
  return j;
}

static json_t *layout(const Output *o, const Carrier *c, const char *name) {
  json_t *j = json_object(), *members = json_array();
  for (int i = 0; i < c->nfields; i++) {
    const Field *f = &c->fields[i];
    json_t *m = json_object();
    json_object_set_new(m, KEY_NAME, json_string(f->name));
    json_object_set_new(m, KEY_TYPE, json_string(type_word(o, f->c_type)));
    json_object_set_new(m, KEY_OFFSET, json_integer(f->offset));
    json_object_set_new(m, KEY_DIMENSIONS, dimensions(f->dimensions));
    json_array_append_new(members, m);
  }
  json_object_set_new(j, KEY_NAME, json_string(name));
  json_object_set_new(j, KEY_BYTES, json_integer(c->bytes));
  json_object_set_new(j, KEY_MEMBERS, members);
  return j;
}

static bool is_known(const json_t *structs, const char *name) {
  size_t i;
  json_t *one;
  json_array_foreach(structs, i, one)
    if (strcmp(json_string_value(json_object_get(one, KEY_NAME)), name) == 0) return true;
  return false;
}

json_t *manifest_structs(Arena *a, const Output *o) {
  const Monoid *m = o->spectrum->monoid;
  if (!m) return NULL;
  json_t *j = json_array();
  for (int i = 0; i < o->ntypes; i++) {
    const MonoidType *t = &m->types[i];
    const Carrier *all[] = {&t->element, &t->state, &t->result};
    for (int k = 0; k < 3; k++) {
      if (all[k]->type != TYPE_STRUCT) continue;
      const char *name = monoid_struct_name(a, m, o->library, all[k], o->types[i]->name);
      if (!is_known(j, name)) json_array_append_new(j, layout(o, all[k], name));
    }
  }
  return j;
}

static bool has_word(const json_t *all, const char *word) {
  for (size_t i = 0; i < json_array_size(all); i++)
    if (strcmp(json_string_value(json_array_get(all, i)), word) == 0) return true;
  return false;
}

json_t *manifest_features(const Codelet *const *codelets, int n, const Arch *m) {
  json_t *all = json_array();
  for (int i = 0; i < n && m->is_cpu; i++) {
    bool met = !codelets[i]->native;
    for (int k = 0; k < codelets[i]->nenv && !met; k++) {
      const char *word = codelets[i]->env[k];
      met = arch_is_called(m, word);
      if (met && !has_word(all, word)) json_array_append_new(all, json_string(word));
    }
  }
  if (json_array_size(all)) return all;
  json_decref(all);
  return NULL;
}
