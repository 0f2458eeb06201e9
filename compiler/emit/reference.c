/* reference.c: the spectrum's own sequential codelet as C++, which `tgc check' compares every variant with.
 *
 * Integers are computed in their own type; what is accumulated in a floating type is in double here. A second function
 * for each type accumulates as the variants do: what promises the sequential codelet's bits is held to that one. All
 * of it is in a namespace with a name: in one without, C's own functions would vie with a struct of the user's. */
#include <string.h>

#include "emit/emit.h"
#include "lower/lower.h"

/* The widest of the kind that e is accumulated in. */
static const ElementType *reference_accumulator(const ElementType *e) {
  const ElementType *in = element_accumulator(e);
  return in->sort == SORT_REAL      ? element_by_type(TYPE_DOUBLE)
         : in->sort == SORT_COMPLEX ? element_by_type(TYPE_CDOUBLE)
                                    : in;
}

/* ---- reductions: in, n, out ---- */

/* What the reference accumulates in; NULL: what the spectrum says, whatever the elements are. */
static const ElementType *accumulator(const Output *o, const ElementType *e, bool own) {
  if (o->spectrum->result != TYPE_ELEM) return NULL;
  return own ? element_accumulator(e) : reference_accumulator(e);
}

static void function(Buffer *to, const Output *o, const ElementType *e, bool own, const char *within) {
  const ElementType *in = accumulator(o, e, own);
  const char *element = output_element(o, e), *text = text_in_namespace(to->arena, within, output_element_text(o, e));
  const char *result = in ? output_type(o, in->c_type) : type_name(o->spectrum->result);
  const char *result_text = text_in_namespace(to->arena, within, in ? output_text(o, in) : result);
  buffer_printf(to, "\nextern \"C\" void %s_%s_%s(const %s *in, uint64_t n, %s *out) {\n  %ssequential(",
                o->name, own ? "sequential" : "reference", e->name, element, result, within);
  if (strcmp(element, text) != 0) buffer_printf(to, "(const %s *)", text);
  buffer_puts(to, "in, (long long)n, ");
  if (strcmp(result, result_text) != 0) buffer_printf(to, "(%s *)", result_text);
  buffer_puts(to, "out);\n}\n");
}

/* The user's operator is computed as it is, in its own state. */
static void monoid_function(Buffer *to, const Output *o, const Program *p, const ElementType *e, bool own,
                            const char *within) {
  const EntryTypes t = output_entry(to->arena, o, p, e, within);
  buffer_printf(to, "\nextern \"C\" void %s_%s_%s(const %s *in, uint64_t n, %s *out) {\n"
                    "  %ssequential<%s>(\n      %sin, (long long)n, %sout);\n}\n",
                o->name, own ? "sequential" : "reference", e->name, output_element(o, e),
                output_result(to->arena, o, e), within, t.arguments, t.cast_in, t.cast_out);
}

/* ---- other operands ---- */

/* In the types of the variants, or with a wider T. */
static void operands_function(Buffer *to, const Output *o, const Program *p, const ElementType *e, bool own,
                              const char *within) {
  Arena *a = to->arena;
  const Signature *s = &p->signature;
  const EntryTypes t = output_entry(a, o, p, e, within);
  const ElementType *in = own ? element_accumulator(e) : reference_accumulator(e);
  buffer_printf(to, "\nextern \"C\" void %s_%s_%s(", o->name, own ? "sequential" : "reference", e->name);
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < s->n; i++) {
      const Operand *x = &s->at[i];
      const char *type = operand_type(a, o, s, x, e), *text = operand_text(a, o, p, x, e, within);
      bool wide = !p->monoid && x->symbol->type == TYPE_ELEM && (x->written || x->kind == OPERAND_NUMBER);
      if (wide) type = output_type(o, in->c_type), text = text_in_namespace(a, within, output_text(o, in));
      if (i) buffer_puts(to, ", ");
      if (pass == 0) emit_parameter(to, x, type);
      else emit_operand_as(to, x, type, text, within);
    }
    if (pass == 0) buffer_printf(to, ") {\n  %ssequential<", within);
    if (pass == 0 && p->monoid) buffer_puts(to, t.arguments);
    else if (pass == 0) buffer_printf(to, "%s, %s", t.element, text_in_namespace(a, within, output_text(o, in)));
    buffer_puts(to, pass == 0 ? ">(" : ");\n}\n");
  }
}

/* The function that all types share, up to its body. */
static void operands_head(Buffer *to, const Program *p) {
  if (p->monoid) buffer_printf(to, "\ntemplate <%s> void sequential(", cuda_generic(to->arena, p));
  else buffer_puts(to, "\n// T is the type it accumulates in.\ntemplate <typename E, typename T> void sequential(");
  emit_own_operands(to, &p->signature, p->monoid ? NULL : "E");
  buffer_puts(to, ") {\n");
  for (int i = 0; i < p->signature.n; i++)
    if (p->signature.at[i].kind == OPERAND_SIZE) buffer_printf(to, "  (void)%s;\n", p->signature.at[i].symbol->name);
}

/* ---- all of it ---- */

static void example_function(Buffer *to, const Output *o, const ElementType *e, const char *within) {
  const MonoidType *m = output_monoid(o, e);
  bool is_struct = m->element.type == TYPE_STRUCT;
  buffer_printf(to, "\nextern \"C\" void %s_example_%s(unsigned random, %s *to) {\n  *", o->name, e->name,
                output_element(o, e));
  if (is_struct) buffer_printf(to, "(%s%s *)", within, m->element.text);
  buffer_printf(to, "to = %s%s::example(random);\n}\n", within, m->monoid);
}

void emit_reference(Buffer *to, const Output *o) {
  Diagnostics *d = diagnostics_new(to->arena);
  const Codelet *c = lower_sequential_codelet(o->spectrum);
  buffer_printf(to, "// %s, computed by its sequential codelet: what every variant is checked against.\n"
                    "// Made by tgc from %s; this text is yours.\n", o->spectrum->name, output_source_name(o));
  if (!c) {
    buffer_printf(to, "#error \"%s " EMIT_NO_REFERENCE "\"\n", o->spectrum->name);
    return;
  }
  Spectrum s = *o->spectrum;
  s.lifted |= output_has_complex(o); /* what is loaded is converted where it is used */
  emit_reference_program(to, o, lower_sequential(to->arena, &s, c, d));
}

void emit_reference_program(Buffer *to, const Output *o, const Program *p) {
  buffer_puts(to, output_includes(to->arena, o));
  buffer_puts(to, "#include <cmath>\n#include <limits>\n#include <math.h>\n#include <stddef.h>\n#include <stdint.h>\n"
                  "#include <string.h>\n\n"
                  "#ifndef __host__\n#define __host__\n#define __device__\n#endif\n");
  emit_monoid_structs(to, o);
  buffer_printf(to, "\nnamespace %s_reference {\n\ntypedef long long Index; // sizes and positions\n\n", o->name);
  if (output_has_complex(o) && !output_is_for_cpu(o)) {
    emit_complex(to, "");
    buffer_puts(to, "\n");
  }
  buffer_puts(to, "// NaN is passed over; +0 is greater than -0.\n"
                  "template <typename T, typename U> inline T max(T x, U v) {\n"
                  "  const T y = T(v);\n"
                  "  if (x == y) return x == 0 && std::signbit((double)x) ? y : x;\n"
                  "  return x > y || y != y ? x : y;\n}\n"
                  "template <typename T, typename U> inline T min(T x, U v) {\n"
                  "  const T y = T(v);\n"
                  "  if (x == y) return x == 0 && std::signbit((double)x) ? x : y;\n"
                  "  return x < y || y != y ? x : y;\n}\n"
                  "inline Index least(Index x, Index y) { return x < y ? x : y; }\n"
                  "inline Index greatest(Index x, Index y) { return x > y ? x : y; }\n");
  emit_limits(to, "__host__ __device__ ");
  emit_monoid(to, o);
  bool reduces = signature_is_reduction(&p->signature);
  if (!reduces) operands_head(to, p);
  else if (!p->monoid)
    buffer_puts(to, "\n// T is the type it accumulates in.\n"
                    "template <typename E, typename T> void sequential(const E *in, Index n, T *out) {\n");
  else
    buffer_printf(to, "\ntemplate <%s> void sequential(const %s *in, Index n, %s *out) {\n",
                  cuda_generic(to->arena, p), type_name(p->element), type_name(p->out->type));
  if (reduces) buffer_puts(to, "  (void)n;\n");
  cuda_statements(to, p->kernels[0]->body, 1, p, false);
  buffer_printf(to, "}\n\n} // namespace %s_reference\n", o->name);
  const char *within = arena_printf(to->arena, "%s_reference::", o->name);
  for (int i = 0; i < o->ntypes; i++) {
    for (int own = 0; own < 2; own++) {
      if (!reduces) operands_function(to, o, p, o->types[i], own, within);
      else if (!p->monoid) function(to, o, o->types[i], own, within);
      else monoid_function(to, o, p, o->types[i], own, within);
    }
    if (p->monoid && p->monoid->makes_examples) example_function(to, o, o->types[i], within);
  }
}
