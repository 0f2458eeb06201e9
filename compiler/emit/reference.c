/* reference.c: the spectrum's own sequential codelet as C++, which `tgc check' compares every variant with.
 *
 * Integers are computed in their own type; floating elements are accumulated in double. */
#include "emit/emit.h"
#include "lower/lower.h"

static const char *accumulator(const Output *o, const ElementType *e) {
  if (o->spectrum->result != TYPE_ELEM) return type_name(o->spectrum->result);
  return e->floating ? "double" : e->accumulator;
}

void emit_reference(Buffer *to, const Output *o) {
  const char *name = o->name;
  Diagnostics *d = diagnostics_new(to->arena);
  const Codelet *c = output_sequential(o);
  buffer_printf(to, "// %s, computed by its sequential codelet: what every variant is checked against.\n"
                    "// Made by tgc from %s; this text is yours.\n", o->spectrum->name, output_source_name(o));
  if (!c) {
    buffer_printf(to, "#error \"%s has no sequential codelet to check against\"\n", o->spectrum->name);
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
                  "template <typename T, typename U> inline T max(T x, U y) { return x > T(y) ? x : T(y); }\n"
                  "template <typename T, typename U> inline T min(T x, U y) { return x < T(y) ? x : T(y); }\n"
                  "inline Index least(Index x, Index y) { return x < y ? x : y; }\n"
                  "inline Index greatest(Index x, Index y) { return x > y ? x : y; }\n\n"
                  "// T is the type it accumulates in.\n"
                  "template <typename E, typename T> void sequential(const E *in, Index n, T *out) {\n"
                  "  (void)n;\n");
  cuda_statements(to, p->kernels[0]->body, 1, p, false);
  buffer_puts(to, "}\n\n} // namespace\n");
  for (int i = 0; i < o->ntypes; i++) {
    const ElementType *e = o->types[i];
    buffer_printf(to, "\nextern \"C\" void %s_reference_%s(const %s *in, uint64_t n, %s *out) {\n"
                      "  sequential(in, (Index)n, out);\n}\n",
                  name, e->name, output_element(o, e), accumulator(o, e));
  }
}
