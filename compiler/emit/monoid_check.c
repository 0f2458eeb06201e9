/* monoid_check.c: a user's operator for `tgc check', `tgc tune' and `tgc bench': check/operator.h and check/types.h. */
#include <string.h>

#include "emit/monoid.h"

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

/* The state with the most padding: copies of it read bytes that were never written. */
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

/* One interface for all monoids: lift takes the position, finish is always there. The user's structs are qualified,
 * as they may be named like the members. */
static void put_operator(Buffer *to, const Output *o, const ElementType *e) {
  const char *function = arena_printf(to->arena, "  %sstatic", monoid_qualifiers(o));
  Arena *a = to->arena;
  const Monoid *m = o->spectrum->monoid;
  const MonoidType *t = output_monoid(o, e);
  const char *within = arena_printf(a, "::%s_operator::", o->name);
  const bool is_struct = t->element.type == TYPE_STRUCT;
  const char *element = is_struct ? monoid_qualified(a, &t->element, within) : output_kernel_type(o, e);
  buffer_printf(to, "\nstruct Of_%s {\n  typedef %s%s Operator;\n  typedef %s Element;\n  typedef %s State;\n"
                    "  typedef %s Result;\n",
                e->name, within, t->monoid, element, monoid_qualified(a, &t->state, within),
                monoid_qualified(a, &t->result, within));
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

/* What kernels exchange of a monoid, if it is a struct: as number k. */
static bool put_state(Buffer *to, const Monoid *m, int k) {
  const Carrier *state = padded_state(m);
  if (state->type != TYPE_STRUCT) return false;
  buffer_printf(to, "\nconstexpr check::Member state_members%d[] = {", k);
  put_members(to, state);
  buffer_printf(to, "};\nconstexpr check::Layout state_layout%d = {%d, state_members%d, %d};\n", k, state->bytes, k,
                state->nfields);
  return true;
}

/* .. of the spectrum's own operator, and of those that codelets name. */
static void put_states(Buffer *to, const Output *o) {
  int n = 0;
  if (o->spectrum->monoid) n += put_state(to, o->spectrum->monoid, n);
  for (int i = 0; o->spectrum->states && i < 2 * MOST_STATES; i++) {
    const Monoid *m = o->unit->states[i].monoid;
    if (m) n += put_state(to, m, n);
  }
  buffer_puts(to, "\n#define CHECK_STATES");
  for (int i = 0; i < n; i++) buffer_printf(to, " &state_layout%d,", i);
  buffer_puts(to, "\n");
}

static void put_layouts(Buffer *to, const Output *o, const Monoid *m) {
  emit_monoid_structs(to, o);
  buffer_puts(to, "\n");
  for (int i = 0; i < o->ntypes; i++) {
    const Carrier *all[3];
    const int n = monoid_structs(o, &m->types[i], all);
    for (int k = 0; k < n; k++)
      put_layout(to, all[k], monoid_struct_name(to->arena, m, o->library, all[k], o->types[i]->name));
  }
}

void emit_monoid_layouts(Buffer *to, const Output *o) {
  const Monoid *m = o->spectrum->monoid;
  buffer_printf(to, "// The structs of %s, as `tgc check' sees them. Made by tgc from %s; this text is yours.\n",
                o->name, output_source_name(o));
  if (m) put_layouts(to, o, m);
  put_states(to, o);
  if (!m) return;
  buffer_printf(to, "\n#define CHECK_OPERATION \"%s\"\n", m->rounded ? "rounded" : "user");
  buffer_puts(to, m->makes_examples
                    ? "#define CHECK_EXAMPLE(function) &check::Erased<decltype(&function), &function>::run\n"
                    : "#define CHECK_EXAMPLE(function) nullptr\n");
}
