/* monoid.c: a user's operator in generated text: its source as device code, and C structs of the same layout for the
 * interface. */
#include <ctype.h>
#include <string.h>

#include "emit/monoid.h"
#include "emit/paste.h"

/* ---- C ---- */

static void put_struct(Buffer *to, const Carrier *c, const char *name) {
  int natural = 1;
  for (int i = 0; i < c->nfields; i++)
    if (c->fields[i].bytes > natural) natural = c->fields[i].bytes;
  buffer_puts(to, "typedef struct ");
  if (c->alignment > natural) buffer_printf(to, "__attribute__((aligned(%d))) ", c->alignment);
  buffer_printf(to, "%s {\n", name);
  for (int i = 0; i < c->nfields; i++) {
    const Field *f = &c->fields[i];
    buffer_printf(to, "  %s %s%s;\n", strcmp(f->c_type, "bool") == 0 ? "unsigned char" : f->c_type, f->name,
                  f->dimensions);
  }
  buffer_printf(to, "} %s;\n", name);
}

void emit_monoid_structs(Buffer *to, const Output *o) {
  const Monoid *m = o->spectrum->monoid;
  if (!m) return;
  Buffer b = buffer_new(to->arena);
  for (int i = 0; i < o->ntypes; i++) {
    const Carrier *all[3];
    const int n = monoid_structs(o, &m->types[i], all);
    for (int k = 0; k < n; k++)
      put_struct(&b, all[k], monoid_struct_name(to->arena, m, o->library, all[k], o->types[i]->name));
  }
  if (!b.length) return;
  const char *guard = arena_printf(to->arena, "%s_STRUCTS", o->library);
  Buffer upper = buffer_new(to->arena);
  for (; *guard; guard++) buffer_printf(&upper, "%c", toupper((unsigned char)*guard));
  buffer_printf(to, "#ifndef %s\n#define %s\n%s#endif\n", upper.text, upper.text, b.text);
}

/* ---- C++ ---- */

static bool has_word(const char *text, const char *name) {
  size_t n = strlen(name);
  for (const char *at = text; (at = strstr(at, name)) != NULL; at += n)
    if ((at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_')) && !isalnum((unsigned char)at[n]) &&
        at[n] != '_')
      return true;
  return false;
}

static const char both[] = "__host__ __device__ ";

const char *monoid_qualifiers(const Output *o) { return output_is_for_cpu(o) ? "" : both; }

static void put_qualified(Buffer *to, const Output *o, const char *text) {
  for (const char *at; output_is_for_cpu(o) && (at = strstr(text, both)) != NULL; text = at + strlen(both))
    buffer_putn(to, text, (size_t)(at - text));
  buffer_puts(to, text);
}

void emit_limits(Buffer *to, const Output *o) {
  Buffer limits = buffer_new(to->arena);
  paste(&limits, device_limits, NULL);
  put_qualified(to, o, limits.text);
}

/* Operators as structs, and what these call. */
static void put_operators(Buffer *to, const Output *o, const char *what, const char *text) {
  Buffer bits = buffer_new(to->arena);
  paste(&bits, device_bits, "BITS_OF", paste_if(has_word(text, "bits_of")),
        "FLOAT_OF_BITS", paste_if(has_word(text, "float_of_bits")),
        "DOUBLE_OF_BITS", paste_if(has_word(text, "double_of_bits")), NULL);
  if (bits.length) put_qualified(to, o, bits.text);
  if (output_is_for_cpu(o) && (has_word(text, "min") || has_word(text, "max"))) paste(to, cpu_extremes, NULL);
  buffer_printf(to, "\n// %s, as %s has it.\n", what, output_source_name(o));
  put_qualified(to, o, text);
}

/* What `Operator1<T>::op' and `State1<T>' mean. */
static void put_states(Buffer *to, const Unit *u) {
  for (int i = 0; i < 2 * MOST_STATES; i++) {
    const NamedState *s = &u->states[i];
    if (!s->monoid) continue;
    const char *head = i < MOST_STATES ? "template <typename Element> " : "", *of = i < MOST_STATES ? "<Element>" : "";
    const char *element = i < MOST_STATES ? "Element" : type_name(s->element);
    const char *arguments = s->monoid->generic ? arena_printf(to->arena, "<%s>", element) : "";
    buffer_printf(to, "%susing Operator%d = %s%s;\n%susing State%d = decltype(Operator%d%s::id());\n", head, i + 1,
                  s->monoid->name, arguments, head, i + 1, i + 1, of);
  }
}

void emit_monoid(Buffer *to, const Output *o) {
  const Monoid *m = o->spectrum->monoid;
  if (m) put_operators(to, o, "The operator", m->text);
  if (!o->spectrum->states) return;
  put_operators(to, o, "Operators that codelets name", o->unit->states_text);
  put_states(to, o->unit);
}
