/* monoid.c: the user's operator in generated text: its own text as device code, and C structs of the same layout for
 * what C sees of it. */
#include <ctype.h>
#include <string.h>

#include "emit/emit.h"
#include "emit/paste.h"

/* "State" of "ArgMax<float>::State". */
static const char *last_part(Arena *a, const char *text) {
  const char *part = text;
  int depth = 0;
  for (const char *c = text; *c; c++) {
    depth += (*c == '<') - (*c == '>');
    if (depth == 0 && c[0] == ':' && c[1] == ':') part = c + 2;
  }
  return arena_strndup(a, part, strcspn(part, "<"));
}

/* A struct's name in C: "reduce_arg_max_State_float"; of no template "reduce_product2x2_Matrix_t", since functions are
 * named for it, too. */
static const char *c_name(Arena *a, const Monoid *m, const char *prefix, const Carrier *c, const char *type) {
  if (c->type != TYPE_STRUCT) return c->text;
  const char *name = arena_printf(a, "%s_%s", prefix, last_part(a, c->text));
  return m->generic ? arena_printf(a, "%s_%s", name, type) : arena_printf(a, "%s_t", name);
}

static bool same_carrier(const Carrier *x, const Carrier *y) { return strcmp(x->text, y->text) == 0; }

/* The name that functions end in: the element type that was asked for; of no template, what its elements are. */
static const char *type_name_of(Arena *a, const Monoid *m, const MonoidType *t, const ElementType *asked) {
  if (m->generic) return asked->name;
  if (t->element.type == TYPE_STRUCT) return last_part(a, t->element.text);
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
    bool of_user = m->generic && m->lifts; /* what is asked for is what is stored, lifted or not */
    e->name = type_name_of(a, m, t, asked[i]);
    e->c_type = of_user ? asked[i]->c_type : c_name(a, m, prefix, &t->element, e->name);
    e->text = e->c_type;
    e->bytes = of_user ? asked[i]->bytes : t->element.bytes;
    e->sort = SORT_STRUCT;
    e->own = e->type = TYPE_STRUCT; /* nothing is said here of what it is accumulated in */
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
    const MonoidType *t = &m->types[i];
    const Carrier *all[] = {&t->element, &t->result};
    for (int k = 0; k < 2; k++) {
      if (all[k]->type != TYPE_STRUCT || (k == 1 && same_carrier(&t->element, &t->result))) continue;
      put_struct(&b, all[k], c_name(to->arena, m, o->library, all[k], o->types[i]->name));
    }
  }
  if (!b.length) return;
  const char *guard = arena_printf(to->arena, "%s_STRUCTS", o->library);
  Buffer upper = buffer_new(to->arena);
  for (; *guard; guard++) buffer_printf(&upper, "%c", toupper((unsigned char)*guard));
  buffer_printf(to, "#ifndef %s\n#define %s\n%s#endif\n", upper.text, upper.text, b.text);
}

/* ---- C++ ---- */

static bool mentions(const char *text, const char *name) {
  size_t n = strlen(name);
  for (const char *at = text; (at = strstr(at, name)) != NULL; at += n)
    if ((at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_')) && !isalnum((unsigned char)at[n]) &&
        at[n] != '_')
      return true;
  return false;
}

/* Before functions for both sides of a GPU's machine; a CPU has one. */
static const char both[] = "__host__ __device__ ";

static const char *both_sides(const Output *o) { return output_is_for_cpu(o) ? "" : both; }

static void put_text(Buffer *to, const Output *o, const char *text) {
  for (const char *at; output_is_for_cpu(o) && (at = strstr(text, both)) != NULL; text = at + strlen(both))
    buffer_putn(to, text, (size_t)(at - text));
  buffer_puts(to, text);
}

void emit_limits(Buffer *to, const Output *o) {
  Buffer limits = buffer_new(to->arena);
  paste(&limits, device_limits, NULL);
  put_text(to, o, limits.text);
}

void emit_monoid(Buffer *to, const Output *o) {
  const Monoid *m = o->spectrum->monoid;
  if (!m) return;
  Buffer bits = buffer_new(to->arena);
  paste(&bits, device_bits, "BITS_OF", paste_if(mentions(m->text, "bits_of")),
        "FLOAT_OF_BITS", paste_if(mentions(m->text, "float_of_bits")),
        "DOUBLE_OF_BITS", paste_if(mentions(m->text, "double_of_bits")), NULL);
  if (bits.length) put_text(to, o, bits.text);
  if (output_is_for_cpu(o) && (mentions(m->text, "min") || mentions(m->text, "max"))) paste(to, cpu_extremes, NULL);
  buffer_printf(to, "\n// The operator, as %s has it.\n", output_source_name(o));
  put_text(to, o, m->text);
}

static const char *qualified(Arena *a, const Carrier *c, const char *within) {
  return c->type == TYPE_STRUCT ? arena_printf(a, "%s%s", within, c->text) : c->text;
}

EntryTypes monoid_entry(Arena *a, const Output *o, const Program *p, const ElementType *e, const char *within) {
  const MonoidType *m = output_monoid(o, e);
  EntryTypes t = {.element = output_text(o, e), .state = qualified(a, &m->state, within),
                  .result = qualified(a, &m->result, within), .cast_in = "", .cast_out = ""};
  if (m->element.type == TYPE_STRUCT) t.element = qualified(a, &m->element, within);
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
  return c_name(a, o->spectrum->monoid, o->library, &m->result, e->name);
}

const char *monoid_state(Arena *a, const Output *o, const ElementType *e) {
  return c_name(a, o->spectrum->monoid, o->library, &output_monoid(o, e)->state, e->name);
}

/* ---- for `tgc check' ---- */

static const char *kind_of(const char *c_type) {
  static const struct { const char *c_type, *kind; } rows[] = {
      {"signed char", "INT8"}, {"char", "INT8"}, {"bool", "UINT8"}, {"unsigned char", "UINT8"}, {"short", "INT16"},
      {"unsigned short", "UINT16"}, {"int", "INT"}, {"unsigned", "UINT"}, {"long long", "INT64"},
      {"unsigned long long", "UINT64"}, {"float", "FLOAT"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strcmp(rows[i].c_type, c_type) == 0) return rows[i].kind;
  return "DOUBLE";
}

static void put_members(Buffer *to, const Carrier *c) {
  for (int i = 0; i < c->nfields; i++) {
    const Field *f = &c->fields[i];
    buffer_printf(to, "%s{check::%s, \"%s\", %d, %d}", i ? ", " : "", kind_of(f->c_type), f->name, f->offset, f->count);
  }
}

static void put_layout(Buffer *to, const Carrier *c, const char *name) {
  buffer_printf(to, "template <>\nstruct check::KindOf<%s> {\n  static constexpr Kind kind = STRUCT;\n"
                    "  static constexpr Member members[] = {", name);
  put_members(to, c);
  buffer_printf(to, "};\n  static constexpr Layout layout = {sizeof(%s), members, %d};\n};\n", name, c->nfields);
}

/* The state that a copy reads most of without a member having it. */
static const Carrier *padded_state(const Monoid *m) {
  const Carrier *found = &m->types[0].state;
  int most = -1;
  for (int i = 0; i < m->ntypes; i++) {
    const Carrier *c = &m->types[i].state;
    int padding = c->bytes;
    for (int k = 0; k < c->nfields; k++) padding -= c->fields[k].bytes * c->fields[k].count;
    if (padding > most) found = c;
    if (padding > most) most = padding;
  }
  return found;
}

/* All in one shape, whatever the monoid has: an element is lifted with its place, a state finished. The user's structs
 * may be named as the members are: they are told with their namespace. */
static void put_operator(Buffer *to, const Output *o, const ElementType *e) {
  const char *function = arena_printf(to->arena, "  %sstatic", both_sides(o));
  Arena *a = to->arena;
  const Monoid *m = o->spectrum->monoid;
  const MonoidType *t = output_monoid(o, e);
  const char *within = arena_printf(a, "::%s_operator::", o->name);
  const char *element = t->element.type == TYPE_STRUCT ? qualified(a, &t->element, within) : output_text(o, e);
  buffer_printf(to, "\nstruct Of_%s {\n  typedef %s%s Operator;\n  typedef %s Element;\n  typedef %s State;\n"
                    "  typedef %s Result;\n",
                e->name, within, t->monoid, element, qualified(a, &t->state, within),
                qualified(a, &t->result, within));
  buffer_printf(to, "  static constexpr bool commutes = %s, takes_place = %s;\n", m->commutative ? "true" : "false",
                m->lifts_place ? "true" : "false");
  buffer_printf(to, "%s State id() { return Operator::id(); }\n", function);
  buffer_printf(to, "%s State op(State a, State b) { return Operator::op(a, b); }\n", function);
  if (m->lifts_place)
    buffer_printf(to, "%s State lift(Element x, long long place) { return Operator::lift(x, place); }\n", function);
  else if (m->lifts)
    buffer_printf(to, "%s State lift(Element x, long long) { return Operator::lift(x); }\n", function);
  else buffer_printf(to, "%s State lift(Element x, long long) { return x; }\n", function);
  if (m->finishes) buffer_printf(to, "%s Result finish(State a) { return Operator::finish(a); }\n", function);
  else buffer_printf(to, "%s Result finish(State a) { return a; }\n", function);
  if (m->makes_examples)
    buffer_puts(to, "  static Element example(unsigned random) { return Operator::example(random); }\n");
  buffer_puts(to, "};\n");
}

void emit_monoid_operator(Buffer *to, const Output *o) {
  buffer_printf(to, "// The operator of %s for programs in %s, a struct for each element type: what `tgc tune' and\n"
                    "// `tgc bench' compare with. Made by tgc from %s; this text is yours.\n", o->name,
                output_is_for_cpu(o) ? "C++" : "CUDA", output_source_name(o));
  buffer_puts(to, output_includes(to->arena, o));
  buffer_puts(to, "#include <limits>\n#include <math.h>\n#include <stdint.h>\n#include <string.h>\n\n");
  if (output_is_for_cpu(o)) buffer_puts(to, "#ifndef __host__\n#define __host__\n#define __device__\n#endif\n");
  emit_monoid_structs(to, o);
  buffer_printf(to, "\nnamespace %s_operator {\n", o->name);
  emit_limits(to, o);
  emit_monoid(to, o);
  for (int i = 0; i < o->ntypes; i++) put_operator(to, o, o->types[i]);
  buffer_printf(to, "\n} // namespace %s_operator\n", o->name);
}

void emit_monoid_layouts(Buffer *to, const Output *o) {
  const Monoid *m = o->spectrum->monoid;
  buffer_printf(to, "// The structs of %s, as `tgc check' sees them. Made by tgc from %s; this text is yours.\n",
                o->name,
                output_source_name(o));
  emit_monoid_structs(to, o);
  buffer_puts(to, "\n");
  for (int i = 0; i < o->ntypes; i++) {
    const MonoidType *t = &m->types[i];
    const Carrier *all[] = {&t->element, &t->result};
    for (int k = 0; k < 2; k++)
      if (all[k]->type == TYPE_STRUCT && !(k == 1 && same_carrier(&t->element, &t->result)))
        put_layout(to, all[k], c_name(to->arena, m, o->library, all[k], o->types[i]->name));
  }
  const Carrier *state = padded_state(m);
  if (state->type == TYPE_STRUCT) {
    buffer_puts(to, "\nconstexpr check::Member state_members[] = {");
    put_members(to, state);
    buffer_printf(to,
        "};\nconstexpr check::Layout state_layout = {%d, state_members, %d};\n#define CHECK_STATE &state_layout\n",
                  state->bytes, state->nfields);
  } else buffer_puts(to, "\n#define CHECK_STATE nullptr\n");
  buffer_printf(to, "\n#define CHECK_OPERATION \"%s\"\n", m->rounded ? "rounded" : "user");
  buffer_puts(to, m->makes_examples
                    ? "#define CHECK_EXAMPLE(function) &check::Erased<decltype(&function), &function>::run\n"
                    : "#define CHECK_EXAMPLE(function) nullptr\n");
}
