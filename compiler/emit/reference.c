/* reference.c: the spectrum's own sequential codelet as C++, which `tgc check' compares every variant with.
 *
 * Integers are computed in their own type; what is accumulated in a floating type is in double here. */
#include <string.h>

#include "emit/emit.h"
#include "lower/lower.h"

/* What the reference accumulates in; NULL: what the spectrum says, whatever the elements are. */
static const ElementType *accumulator(const Output *o, const ElementType *e) {
  if (o->spectrum->result != TYPE_ELEM) return NULL;
  const ElementType *in = element_accumulator(e);
  return in->sort == SORT_REAL      ? element_by_type(TYPE_DOUBLE)
         : in->sort == SORT_COMPLEX ? element_by_type(TYPE_CDOUBLE)
                                    : in;
}

static void function(Buffer *to, const Output *o, const ElementType *e) {
  const ElementType *in = accumulator(o, e);
  const char *element = output_element(o, e), *text = output_element_text(o, e);
  const char *result = in ? in->c_type : type_name(o->spectrum->result), *result_text = in ? in->text : result;
  buffer_printf(to, "\nextern \"C\" void %s_reference_%s(const %s *in, uint64_t n, %s *out) {\n  sequential(",
                o->spectrum->name, e->name, element, result);
  if (strcmp(element, text) != 0) buffer_printf(to, "(const %s *)", text);
  buffer_puts(to, "in, (Index)n, ");
  if (strcmp(result, result_text) != 0) buffer_printf(to, "(%s *)", result_text);
  buffer_puts(to, "out);\n}\n");
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
  Spectrum s = *o->spectrum;
  s.lifted |= output_has_complex(o); /* what is loaded is converted where it is used */
  Program *p = lower_sequential(to->arena, &s, c, d);
  buffer_puts(to, output_includes(to->arena, o));
  buffer_puts(to, "#include <limits>\n#include <stddef.h>\n#include <stdint.h>\n\nnamespace {\n\n"
                  "typedef long long Index; // sizes and positions\n\n");
  if (output_has_complex(o)) {
    emit_complex(to, "");
    buffer_puts(to, "\n");
  }
  buffer_puts(to, "template <typename T> constexpr T lowest = std::numeric_limits<T>::has_infinity\n"
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
  for (int i = 0; i < o->ntypes; i++) function(to, o, o->types[i]);
}
