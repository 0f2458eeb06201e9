/* reference.c: the spectrum's own sequential codelet as C++, which `tgc check' compares every variant with.
 *
 * Integers are computed in their own type; floating elements are accumulated in double. A second function for each type
 * accumulates as the variants do: what promises the sequential codelet's bits is held to that one. */
#include "emit/emit.h"
#include "lower/lower.h"

static const char *accumulator(const Output *o, const ElementType *e, bool own) {
  if (o->spectrum->result != TYPE_ELEM) return type_name(o->spectrum->result);
  return e->floating && !own ? "double" : e->accumulator;
}

static void entry(Buffer *to, const Output *o, const ElementType *e, bool own) {
  buffer_printf(to, "\nextern \"C\" void %s_%s_%s(const %s *in, uint64_t n, %s *out) {\n"
                    "  sequential(in, (Index)n, out);\n}\n", o->spectrum->name, own ? "sequential" : "reference",
                e->name, output_element(o, e), accumulator(o, e, own));
}

void emit_reference(Buffer *to, const Output *o) {
  const char *name = o->spectrum->name;
  Diagnostics *d = diagnostics_new(to->arena);
  const Codelet *c = NULL;
  for (int i = 0; i < o->spectrum->ncodelets && !c; i++)
    if (o->spectrum->codelets[i]->kind == CLASS_AUTONOMOUS) c = o->spectrum->codelets[i];
  buffer_printf(to, "// %s, computed by its sequential codelet: what every variant is checked against.\n"
                    "// Made by tgc from %s; this text is yours.\n", name, output_source_name(o));
  if (!c) {
    buffer_printf(to, "#error \"%s has no sequential codelet to check against\"\n", name);
    return;
  }
  Program *p = lower_sequential(to->arena, o->spectrum, c, d);
  buffer_puts(to, output_includes(o));
  buffer_puts(to, "#include <limits>\n#include <stddef.h>\n#include <stdint.h>\n\nnamespace {\n\n"
                  "typedef long long Index; // sizes and positions\n\n"
                  "template <typename T> constexpr T lowest = std::numeric_limits<T>::has_infinity\n"
                  "                                             ? -std::numeric_limits<T>::infinity()\n"
                  "                                             : std::numeric_limits<T>::lowest();\n"
                  "template <typename T> constexpr T highest = std::numeric_limits<T>::has_infinity\n"
                  "                                              ? std::numeric_limits<T>::infinity()\n"
                  "                                              : std::numeric_limits<T>::max();\n"
                  "// A NaN gives way to any number; +0 is more than -0.\n"
                  "template <typename T, typename U> inline T max(T x, U y) {\n"
                  "  const T z = T(y);\n"
                  "  return x == 0 && z == 0 ? x + z : x > z || z != z ? x : z;\n}\n"
                  "template <typename T, typename U> inline T min(T x, U y) {\n"
                  "  const T z = T(y);\n"
                  "  return x == 0 && z == 0 ? -(-x - z) : x < z || z != z ? x : z;\n}\n"
                  "inline Index least(Index x, Index y) { return x < y ? x : y; }\n"
                  "inline Index greatest(Index x, Index y) { return x > y ? x : y; }\n\n"
                  "// T is the type it accumulates in.\n"
                  "template <typename E, typename T> void sequential(const E *in, Index n, T *out) {\n"
                  "  (void)n;\n");
  cuda_statements(to, p->kernels[0]->body, 1, p, false);
  buffer_puts(to, "}\n\n} // namespace\n");
  for (int i = 0; i < o->ntypes; i++) {
    entry(to, o, o->types[i], false);
    entry(to, o, o->types[i], true);
  }
}
