/* types.c: names of types: of elements, results and operands, in C and in the namespace of a variant's templates. */
#include <string.h>

#include "emit/emit.h"

const char *output_element(const Output *o, const ElementType *e) {
  Type t = o->spectrum->codelets[0]->params[0]->type;
  return t == TYPE_ELEM ? output_c_type(o, e->c_type) : type_name(t);
}

/* `Index' is declared in variants only. */
static const char *fixed_result(const Output *o) {
  return o->spectrum->result == TYPE_INDEX ? "long long" : type_name(o->spectrum->result);
}

const char *output_result(Arena *a, const Output *o, const ElementType *e) {
  if (o->spectrum->monoid) return monoid_result(a, o, e);
  if (o->spectrum->result != TYPE_ELEM) return fixed_result(o);
  return output_c_type(o, element_accumulator(e)->c_type);
}

const char *output_element_kernel_type(const Output *o, const ElementType *e) {
  Type t = o->spectrum->codelets[0]->params[0]->type;
  return t == TYPE_ELEM ? output_kernel_type(o, e) : type_name(t);
}

const char *output_result_kernel_type(const Output *o, const ElementType *e) {
  return o->spectrum->result == TYPE_ELEM ? output_kernel_type(o, element_accumulator(e)) : fixed_result(o);
}

/* complex<float>, tf32 and half16 are declared in each variant's namespace. */
const char *type_in_namespace(Arena *a, const char *within, const char *type) {
  const bool own = strncmp(type, "complex<", 8) == 0 || strcmp(type, "tf32") == 0 ||
                   strcmp(type, "half16") == 0;
  return own ? arena_printf(a, "%s%s", within, type) : type;
}

TemplateTypes output_template_types(Arena *a, const Output *o, const Program *p, const ElementType *e,
                                    const char *within) {
  if (p->monoid) return monoid_template_types(a, o, p, e, within);
  bool reduces = signature_is_reduction(&p->signature);
  const char *element = reduces ? output_element_kernel_type(o, e) : output_kernel_type(o, e);
  const char *from = type_in_namespace(a, within, element);
  const char *out = type_in_namespace(a, within, output_result_kernel_type(o, e));
  bool adds_up = reduces && o->spectrum->result == TYPE_ELEM; /* a count of elements has a type of its own */
  const char *in = adds_up ? out : type_in_namespace(a, within, output_kernel_type(o, element_accumulator(e)));
  bool same_in = strcmp(from, output_element(o, e)) == 0, same_out = strcmp(out, output_result(a, o, e)) == 0;
  return (TemplateTypes){p->element == TYPE_STORED ? arena_printf(a, "%s, %s", from, in) : reduces ? from : in, from,
                         in,
                      out, same_in ? "" : arena_printf(a, "(const %s *)", from),
                      same_out ? "" : arena_printf(a, "(%s *)", out)};
}

/* Is the operand the spectrum's result? A user's operator may finish its state to another type. */
static bool is_result(const Signature *s, const Operand *x) { return s->result >= 0 && x == &s->at[s->result]; }

static bool is_stored(const Operand *x) {
  Type t = x->symbol->type;
  return x->kind == OPERAND_ARRAY && !x->written && (t == TYPE_STORED || t == TYPE_ELEM);
}

const char *operand_type(Arena *a, const Output *o, const Signature *s, const Operand *x, const ElementType *e) {
  Type t = x->symbol->type;
  if (x->kind == OPERAND_SIZE) return "uint64_t";
  if (is_result(s, x)) return output_result(a, o, e);
  if (t == TYPE_STORED || is_stored(x)) return output_c_type(o, e->c_type);
  if (t == TYPE_INDEX) return "long long"; /* Index */
  if (t != TYPE_ELEM) return type_name(t);
  return o->spectrum->monoid ? monoid_state(a, o, e) : output_c_type(o, element_accumulator(e)->c_type);
}

const char *operand_kernel_type(Arena *a, const Output *o, const Program *p, const Operand *x, const ElementType *e,
                         const char *within) {
  const TemplateTypes t = output_template_types(a, o, p, e, within);
  if (is_result(&p->signature, x)) return t.result;
  if (x->symbol->type == TYPE_STORED || is_stored(x)) return t.element;
  if (x->symbol->type == TYPE_INDEX) return "long long";
  return x->symbol->type == TYPE_ELEM ? t.state : type_name(x->symbol->type);
}
