/* operands.c: a program's operands (ir/signature.h) in generated text: as parameters, as arguments, in comments. All
 * parameter and argument lists are printed here.
 *
 *   in sum.h           const float *in, uint64_t n, float *out          emit_operands
 *   in a variant       const E *in, Index n, T *out                     emit_kernel_operands
 *   a call of its      (const complex<float> *)in, (sum_3f::Index)n,    emit_cast_operands
 *   template           (complex<float> *)out
 *   as arguments       in, n, out                                       emit_operand_names */
#include <stdlib.h>
#include <string.h>

#include "emit/emit.h"
#include "ir/roles.h"

/* ---- lists ---- */

void emit_parameter(Buffer *to, const Operand *x, const char *type) {
  if (x->kind != OPERAND_ARRAY) buffer_printf(to, "%s %s", type, x->symbol->name);
  else buffer_printf(to, "%s%s *%s", x->written ? "" : "const ", type, x->symbol->name);
}

void emit_operands(Buffer *to, const Output *o, const ElementType *e) {
  const Signature *s = output_operands(o);
  for (int i = 0; i < s->n; i++) {
    if (i) buffer_puts(to, ", ");
    emit_parameter(to, &s->at[i], operand_type(to->arena, o, s, &s->at[i], e));
  }
}

void emit_kernel_operands(Buffer *to, const Signature *s) {
  for (int i = 0; i < s->n; i++) {
    if (i) buffer_puts(to, ", ");
    emit_parameter(to, &s->at[i], type_name(s->at[i].symbol->type));
  }
}

void emit_operand_names(Buffer *to, const Signature *s) {
  for (int i = 0; i < s->n; i++) buffer_printf(to, "%s%s", i ? ", " : "", s->at[i].symbol->name);
}

void emit_null_operands(Buffer *to, const Output *o) {
  const Signature *s = output_operands(o);
  const char *const nothing[] = {[OPERAND_ARRAY] = output_word(o, "NIL"), [OPERAND_SIZE] = "0",
                                 [OPERAND_NUMBER] = output_word(o, "ZERO")};
  for (int i = 0; i < s->n; i++) buffer_printf(to, "%s%s", i ? ", " : "", nothing[s->at[i].kind]);
}

void emit_cast_operand(Buffer *to, const Operand *x, const char *type, const char *own, const char *within) {
  const char *name = x->symbol->name, *constant = x->written ? "" : "const ";
  if (x->kind == OPERAND_SIZE) buffer_printf(to, "(%sIndex)%s", within, name);
  else if (strcmp(type, own) == 0) buffer_puts(to, name);
  else if (x->kind == OPERAND_ARRAY) buffer_printf(to, "(%s%s *)%s", constant, own, name);
  else buffer_printf(to, "*(const %s *)&%s", own, name);
}

void emit_cast_operands(Buffer *to, const Output *o, const Program *p, const ElementType *e, const char *within) {
  const Signature *s = &p->signature;
  for (int i = 0; i < s->n; i++) {
    const Operand *x = &s->at[i];
    if (i) buffer_puts(to, ", ");
    emit_cast_operand(to, x, operand_type(to->arena, o, s, x, e), operand_kernel_type(to->arena, o, p, x, e, within),
                      within);
  }
}

/* ---- sizes ---- */

static const char *name_of(const Signature *s, int i) { return s->at[i].symbol->name; }

const char *operand_elements(Arena *a, const Signature *s, const Operand *x) {
  if (x->size[0] < 0) return NULL;
  Buffer b = buffer_new(a);
  for (int d = 0; d < operand_rank(x); d++) buffer_printf(&b, "%s%s", d ? " * " : "", name_of(s, x->size[d]));
  return b.text;
}

const Operand *signature_first_array(const Signature *s) {
  for (int i = 0; i < s->n; i++)
    if (s->at[i].kind == OPERAND_ARRAY && i != s->result) return &s->at[i];
  return NULL;
}

const char *output_element_count(Arena *a, const Signature *s) {
  const Operand *first = signature_first_array(s);
  const char *elements = first ? operand_elements(a, s, first) : NULL;
  return elements ? elements : "1";
}

/* ---- comments ---- */

/* "x, y": the arrays whose length is that size. */
static const char *arrays_of_size(Arena *a, const Signature *s, int size) {
  Buffer b = buffer_new(a);
  for (int i = 0; i < s->n; i++)
    if (s->at[i].kind == OPERAND_ARRAY && s->at[i].size[0] == size && s->at[i].size[1] < 0)
      buffer_printf(&b, "%s%s", b.length ? ", " : "", name_of(s, i));
  return b.length ? b.text : NULL;
}

/* The matrix that has that size, or NULL. */
static const Operand *matrix_of(const Signature *s, int size) {
  for (int i = 0; i < s->n; i++)
    for (int d = 0; d < MOST_SIZES; d++)
      if (s->at[i].kind == OPERAND_ARRAY && s->at[i].size[1] >= 0 && s->at[i].size[d] == size) return &s->at[i];
  return NULL;
}

static void describe_size(Buffer *to, const Signature *s, int i) {
  static const char *const dimensions[] = {"rows", "columns"};
  const Operand *x = &s->at[i], *matrix = matrix_of(s, i);
  const char *arrays = arrays_of_size(to->arena, s, i);
  const int rank = matrix ? operand_rank(matrix) : 0;
  int which = 0;
  while (matrix && which < MOST_SIZES && matrix->size[which] != i) which++;
  if (rank > 2) {
    const char *const name = matrix->symbol->name;
    if (which < rank) buffer_printf(to, "number of elements of %s in dimension %d", name, which);
    else buffer_printf(to, "stride of dimension %d of %s, in elements", which - rank, name);
    if (arrays) buffer_printf(to, ", and number of elements of %s", arrays);
    return;
  }
  if (matrix && matrix->size[2] == i) {
    bool columns = matrix->param && matrix->param->by_columns;
    buffer_printf(to, "leading dimension of %s: the distance between %s, in elements", matrix->symbol->name,
                  columns ? "columns" : "rows");
    return;
  }
  if (matrix) buffer_printf(to, "number of %s of %s", dimensions[x->dim > 0], matrix->symbol->name);
  if (arrays) buffer_printf(to, "%snumber of elements of %s", matrix ? ", and " : "", arrays);
  if (!matrix && !arrays) buffer_puts(to, "a number");
}

static void describe_array(Buffer *to, const Output *o, int i) {
  const Signature *s = output_operands(o);
  const Operand *x = &s->at[i];
  const char *elements = operand_elements(to->arena, s, x);
  bool columns = x->param && x->param->by_columns;
  buffer_printf(to, "%s element%s", elements ? elements : "one", elements ? "s" : "");
  if (operand_rank(x) > 2) buffer_puts(to, ", the last dimension contiguous");
  else if (x->size[1] >= 0) buffer_puts(to, columns ? ", column-major" : ", row-major");
  const bool once = x->param && x->param->atomic == ATOMIC_ONCE;
  buffer_puts(to, !x->written            ? ", read"
                  : once                 ? ", written by place: others stay as they are"
                  : output_changes(o, x) ? ", read and written"
                                         : ", written");
}

/* Indices of a container, from each of which on positions are used as far as that. */
static void describe_reach(Buffer *to, const Reach *r, const char *of, const char *size, bool places) {
  const int64_t every = r->every ? r->every : 1, apart = (r->high - r->low) / every + 1;
  if (every == 1) {
    buffer_printf(to, ": indices of %s, at least %lld and less than %s", of, (long long)-r->low, size);
    if (r->high) buffer_printf(to, r->high < 0 ? " + %lld" : " - %lld", llabs(r->high));
  } else {
    buffer_printf(to, ": each i of these stands for positions in %s from %lld i", of, (long long)every);
    if (r->low) buffer_printf(to, r->low < 0 ? " - %lld" : " + %lld", llabs(r->low));
    if (r->high != r->low) buffer_printf(to, " to %lld i", (long long)every);
    if (r->high != r->low && r->high) buffer_printf(to, r->high < 0 ? " - %lld" : " + %lld", llabs(r->high));
    buffer_printf(to, ", at least 0 and less than %s", size);
  }
  if (places && apart > 1) buffer_printf(to, ", no two of them less than %lld apart", (long long)apart);
  else if (places) buffer_puts(to, ", no two of them the same");
}

/* What callers promise of an array's elements: nothing checks it when it runs. */
static void describe_role(Buffer *to, const Signature *s, const OperandRole *role, const char *own) {
  if (role->role == ROLE_DATA || role->of < 0) return;
  const Operand *of = &s->at[role->of];
  if (role->role == ROLE_QUEUE) {
    buffer_printf(to, ": a queue, appended to in any order; what %s has no room for is counted only",
                  own);
    return;
  }
  if (role->role == ROLE_COUNTER) {
    buffer_printf(to, ": how many elements %s has; 0 of an empty one", of->symbol->name);
    return;
  }
  if (role->role == ROLE_LENGTHS || role->role == ROLE_ENDS) {
    const char *what = role->role == ROLE_ENDS ? ": where what begins at each of %s ends, within the same"
                                               : ": how many elements from each of %s on, none beyond the end";
    buffer_printf(to, what, of->symbol->name);
    return;
  }
  const char *size = of->size[0] >= 0 ? name_of(s, of->size[role->dimension]) : "1";
  if (role->role != ROLE_OFFSETS)
    describe_reach(to, &role->reach, of->symbol->name, size, role->role == ROLE_PLACES);
  else if (role->within)
    buffer_printf(to, ": offsets into %s, ascending, at least 0 and at most %s", of->symbol->name, size);
  else
    buffer_printf(to, ": offsets into %s, ascending, at least 0; larger ones than %s count as %s", of->symbol->name,
                  size, size);
}

void emit_operand_descriptions(Buffer *to, const Output *o, const char *before) {
  const Signature *s = output_operands(o);
  const OperandRole *roles = roles_of(to->arena, o->spectrum, s);
  size_t widest = 0;
  for (int i = 0; i < s->n; i++)
    if (strlen(name_of(s, i)) > widest) widest = strlen(name_of(s, i));
  for (int i = 0; i < s->n; i++) {
    buffer_printf(to, "%s%-*s  ", before, (int)widest, name_of(s, i));
    if (s->at[i].kind == OPERAND_ARRAY) {
      describe_array(to, o, i);
      describe_role(to, s, &roles[i], name_of(s, i));
    } else if (s->at[i].kind == OPERAND_SIZE) describe_size(to, s, i);
    else buffer_puts(to, "a number");
    buffer_puts(to, "\n");
  }
}

/* ---- signatures ---- */

void emit_signature(Buffer *to, const Output *o, const ElementType *e) {
  buffer_puts(to, "void *workspace, size_t *workspace_bytes, ");
  emit_async_signature(to, o, e);
}

void emit_async_signature(Buffer *to, const Output *o, const ElementType *e) {
  emit_operands(to, o, e);
  buffer_puts(to, output_word(o, "ON_STREAM"));
}

void emit_variant_signature(Buffer *to, const Output *o, const ElementType *e) {
  buffer_printf(to, "const %s_configuration *c, ", o->name);
  emit_signature(to, o, e);
}

void emit_from_signature(Buffer *to, const Output *o, const ElementType *e) {
  buffer_printf(to, "void *workspace, size_t *workspace_bytes, const %s *in, uint64_t n, %s init,\n    %s *out, "
                    "cudaStream_t stream", output_element(o, e), output_result(to->arena, o, e),
                    output_result(to->arena, o, e));
}

void emit_counted_signature(Buffer *to, const Output *o, const ElementType *e) {
  buffer_printf(to, "void *workspace, size_t *workspace_bytes, const %s *in, const uint64_t *n,\n    uint64_t most, "
                    "%s *out, cudaStream_t stream", output_element(o, e), output_result(to->arena, o, e));
}

void emit_work_type(Buffer *to, const Output *o, const ElementType *e) {
  buffer_printf(to, "typedef int %s_%s_work(int64_t blocks, ", o->name, e->name);
  emit_operands(to, o, e);
  buffer_puts(to, ");\n");
}
