/* errors.c: what the functions that users call look at before they queue anything, and how a failure is told in words.
 *
 * NAME.cu has the definitions; the other files of the folder declare them. */
#include <string.h>

#include "emit/emit.h"

/* ---- NAME_arguments: sizes, then arrays, each with the alignment of its type ---- */

/* uint64_t n,
 *                                    const void *in, size_t in_aligned, const void *out, size_t out_aligned */
static void argument_parameters(Buffer *to, const Signature *s) {
  static const char next[] = ",\n                                   ";
  int sizes = 0, arrays = 0;
  for (int i = 0; i < s->n; i++) sizes += s->at[i].kind == OPERAND_SIZE;
  buffer_puts(to, sizes > 1 ? next + 1 : sizes ? " " : "");
  for (int i = 0, k = 0; i < s->n; i++)
    if (s->at[i].kind == OPERAND_SIZE) buffer_printf(to, "%suint64_t %s", k++ ? ", " : "", s->at[i].symbol->name);
  for (int i = 0; i < s->n; i++) {
    if (s->at[i].kind != OPERAND_ARRAY) continue;
    const char *name = s->at[i].symbol->name, *between = arrays % 2 == 0 ? next : ", ";
    buffer_printf(to, "%sconst void *%s, size_t %s_aligned", !sizes && !arrays ? next + 1 : between, name, name);
    arrays++;
  }
}

void emit_argument_checks(Buffer *to, const Signature *s) {
  int sizes = 0, arrays = 0;
  for (int i = 0; i < s->n; i++)
    if (s->at[i].kind == OPERAND_SIZE) buffer_printf(to, "%s%s", sizes++ ? ", " : "", s->at[i].symbol->name);
  for (int i = 0; i < s->n; i++) {
    if (s->at[i].kind != OPERAND_ARRAY) continue;
    const char *name = s->at[i].symbol->name;
    buffer_printf(to, "%s%s,%salignof(decltype(*%s))", sizes || arrays ? ", " : "", name,
                  arrays ? "\n                                  " : " ", name);
    arrays++;
  }
}

/* `"%s: n = %llu is more .."' of one size. */
static void check_size(Buffer *to, const char *output, const char *name) {
  buffer_printf(to, "  if (%s > INT64_MAX) return %s_failed(wrong, \"%%s: %s = %%llu is more than any memory holds\", "
                    "who, (unsigned long long)%s);\n", name, output, name, name);
}

/* Rows of a matrix, or its columns, do not overlap, and their distance leads nowhere that no memory is. */
static void check_leading(Buffer *to, const char *output, const Signature *s, const Operand *x) {
  bool by_columns = x->param && x->param->by_columns;
  const char *within = s->at[x->size[!by_columns]].symbol->name, *lines = s->at[x->size[by_columns]].symbol->name;
  const char *leading = s->at[x->size[2]].symbol->name;
  buffer_printf(to, "  if (%s < %s)\n"
                    "    return %s_failed(wrong, \"%%s: %s = %%llu is less than %s = %%llu\", who, "
                    "(unsigned long long)%s,\n                     (unsigned long long)%s);\n",
                leading, within, output, leading, within, leading, within);
  buffer_printf(to, "  if (%s > 0 && %s > INT64_MAX / %s)\n"
                    "    return %s_failed(wrong, \"%%s: %s * %s is more than any memory holds\", who);\n",
                lines, leading, lines, output, lines, leading);
}

static void check_alignment(Buffer *to, const char *output, const char *name, bool one_line) {
  buffer_printf(to, "  if (!lies_at(%s, %s_aligned))%s"
                    "return %s_failed(wrong, \"%%s: %s is not aligned to %%zu bytes\", who, %s_aligned);\n",
                name, name, one_line ? " " : "\n    ", output, name, name);
}

/* An array may be NULL where it has no elements. */
static void check_array(Buffer *to, const char *output, const Signature *s, const Operand *x) {
  const char *name = x->symbol->name;
  const char *n = x->size[0] < 0 ? NULL : s->at[x->size[0]].symbol->name;
  if (!n) {
    buffer_printf(to, "  if (%s == nullptr) return %s_failed(wrong, \"%%s: %s is NULL\", who);\n", name, output, name);
    check_alignment(to, output, name, false);
    return;
  }
  if (x->size[1] < 0)
    buffer_printf(to, "  if (%s == nullptr && %s > 0) "
                      "return %s_failed(wrong, \"%%s: %s is NULL, and %s = %%llu\", who, (unsigned long long)%s);\n",
                  name, n, output, name, n, n);
  else {
    const char *columns = s->at[x->size[1]].symbol->name;
    buffer_printf(to, "  if (%s == nullptr && %s > 0 && %s > 0)\n"
                      "    return %s_failed(wrong, \"%%s: %s is NULL, and %s = %%llu, %s = %%llu\", who, "
                      "(unsigned long long)%s,\n                     (unsigned long long)%s);\n",
                  name, n, columns, output, name, n, columns, n, columns);
  }
  check_alignment(to, output, name, true);
}

static void arguments(Buffer *to, const Output *o) {
  const Signature *s = output_operands(o);
  buffer_puts(to, "  const cudaError_t wrong = cudaErrorInvalidValue;\n"
                  "  failure.error = cudaSuccess;\n");
  buffer_printf(to, "  if (workspace_bytes == nullptr) "
                    "return %s_failed(wrong, \"%%s: workspace_bytes is NULL\", who);\n", o->name);
  for (int i = 0; i < s->n; i++)
    if (s->at[i].kind == OPERAND_SIZE) check_size(to, o->name, s->at[i].symbol->name);
  for (int i = 0; i < s->n; i++)
    if (s->at[i].kind == OPERAND_ARRAY && s->at[i].size[2] >= 0) check_leading(to, o->name, s, &s->at[i]);
  buffer_printf(to, "  if (workspace == nullptr) return cudaSuccess;\n"
                    "  if (!lies_at(workspace, 16)) "
                    "return %s_failed(wrong, \"%%s: workspace is not aligned to 16 bytes\", who);\n", o->name);
  if (s->result >= 0) check_array(to, o->name, s, &s->at[s->result]);
  for (int i = 0; i < s->n; i++)
    if (s->at[i].kind == OPERAND_ARRAY && i != s->result) check_array(to, o->name, s, &s->at[i]);
  buffer_puts(to, "  return cudaSuccess;\n}\n");
}

/* ---- all of them ---- */

/* %1$s: the output's name; %2$s: the operands. */
static const char declarations[] =
"// Notes, for %1$s_error_text, why a call failed; gives the error back.\n"
"extern \"C\" cudaError_t %1$s_failed(cudaError_t error, const char *format, ...);\n"
"// What can be told of a call's arguments before anything is queued. Without a workspace only the size is asked for.\n"
"extern \"C\" cudaError_t %1$s_arguments(const char *who, const void *workspace, const size_t *workspace_bytes,"
"%2$s);\n"
"// Says why a variant refused a call whose arguments were right: it needs so many bytes; 0: it cannot serve so many.\n"
"extern \"C\" cudaError_t %1$s_refused(const char *who, cudaError_t error, uint64_t n, const void *workspace,\n"
"                                 size_t bytes, size_t need);\n";

static const char definitions[] =
"\nnamespace {\n\n"
"// Of this thread's last call that failed.\n"
"struct Failure {\n  cudaError_t error;\n  char text[256];\n};\n"
"thread_local Failure failure;\n\n"
"bool lies_at(const void *place, size_t multiple) { return (uintptr_t)place %% multiple == 0; }\n\n"
"} // namespace\n"
"\nextern \"C\" cudaError_t %1$s_failed(cudaError_t error, const char *format, ...) {\n"
"  va_list arguments;\n"
"  va_start(arguments, format);\n"
"  std::vsnprintf(failure.text, sizeof failure.text, format, arguments);\n"
"  va_end(arguments);\n"
"  return failure.error = error;\n}\n"
"\nextern \"C\" const char *%1$s_error_text(cudaError_t error) {\n"
"  return error != cudaSuccess && error == failure.error ? failure.text : cudaGetErrorString(error);\n}\n"
"\nextern \"C\" cudaError_t %1$s_arguments(const char *who, const void *workspace, const size_t *workspace_bytes,"
"%2$s) {\n";

/* %1$s: the output's name; %2$s: what stands ahead of the number of elements; %3$s to %5$s: behind it. */
static const char refusal[] =
"\nextern \"C\" cudaError_t %1$s_refused(const char *who, cudaError_t error, uint64_t n, const void *workspace,\n"
"                                 size_t bytes, size_t need) {\n"
"  const unsigned long long many = n;\n"
"  if (need == 0 && error == cudaErrorInvalidValue)\n"
"    return %1$s_failed(error, \"%%s: %2$s%%llu%3$s too large for the variant that serves it\", who, many);\n"
"  if (workspace != nullptr && bytes < need)\n"
"    return %1$s_failed(error, \"%%s: the workspace has %%zu bytes, and %2$s%%llu%4$s %%zu\", who, bytes, many,\n"
"                     need);\n"
"  return %1$s_failed(error, \"%%s: launching for %2$s%%llu%5$s: %%s\", who, many, cudaGetErrorString(error));\n}\n";

static const char *parameters_of(Arena *a, const Output *o) {
  Buffer b = buffer_new(a);
  argument_parameters(&b, output_operands(o));
  return b.text;
}

void emit_error_declarations(Buffer *to, const Output *o) {
  buffer_printf(to, declarations, o->name, parameters_of(to->arena, o));
}

void emit_errors(Buffer *to, const Output *o) {
  bool is_n = strcmp(output_work(to->arena, output_operands(o)), "n") == 0;
  buffer_printf(to, definitions, o->name, parameters_of(to->arena, o));
  arguments(to, o);
  if (is_n) buffer_printf(to, refusal, o->name, "n = ", " is", " needs", "");
  else buffer_printf(to, refusal, o->name, "", " elements are", " elements need", " elements");
}
