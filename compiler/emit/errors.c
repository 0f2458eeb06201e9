/* errors.c: argument checks of the functions that users call, and error messages.
 *
 * They are defined in NAME.cu, for a CPU in NAME.c, and declared in the other files of the folder. What does not
 * depend on the operands is runtime/library/errors.h. */
#include <stdlib.h>
#include <string.h>

#include "emit/template.h"

/* ---- NAME_arguments: sizes, then arrays, each with the alignment of its type ---- */

/* uint64_t n,
 *                                    const void *in, size_t in_aligned, const void *out, size_t out_aligned */
static void checked_parameters(Buffer *to, const Signature *s) {
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

/* CUDA takes the alignment from the parameter's declaration. */
static const char *alignment(Arena *a, const Output *o, const Operand *x, const ElementType *e) {
  if (!output_is_for_cpu(o)) return arena_printf(a, "alignof(decltype(*%s))", x->symbol->name);
  return arena_printf(a, "%s(%s)", output_word(o, "ALIGN_OF"), operand_type(a, o, output_operands(o), x, e));
}

void emit_checked_arguments(Buffer *to, const Output *o, const ElementType *e) {
  const Signature *s = output_operands(o);
  int sizes = 0, arrays = 0;
  for (int i = 0; i < s->n; i++)
    if (s->at[i].kind == OPERAND_SIZE) buffer_printf(to, "%s%s", sizes++ ? ", " : "", s->at[i].symbol->name);
  for (int i = 0; i < s->n; i++) {
    if (s->at[i].kind != OPERAND_ARRAY) continue;
    buffer_printf(to, "%s%s,%s%s", sizes || arrays ? ", " : "", s->at[i].symbol->name,
                  arrays ? "\n                                  " : " ", alignment(to->arena, o, &s->at[i], e));
    arrays++;
  }
}

/* `"%s: n = %llu is more .."' of one size. */
static void check_size(Buffer *to, const Output *o, const char *name) {
  emit_template(to, o, NULL, "  if (SIZE > INT64_MAX) return NAME(failed)(wrong, \"%s: SIZE = %llu is more than any "
                "memory "
                     "holds\", who, (unsigned long long)SIZE);\n", "SIZE", name, NULL);
}

/* The value that a size must have, "offsets_n - 1", and a C condition that it has another. The condition divides, as
 * products may overflow. */
static const char *rule_in_words(Arena *a, const Signature *s, const SizeRule *r) {
  Buffer b = buffer_new(a);
  if (r->factor[0] < 0) return arena_printf(a, "%lld", (long long)r->plus);
  if (r->times != 1) buffer_printf(&b, "%lld * ", (long long)r->times);
  buffer_puts(&b, s->at[r->factor[0]].symbol->name);
  if (r->factor[1] >= 0) buffer_printf(&b, " * %s", s->at[r->factor[1]].symbol->name);
  if (r->more) buffer_printf(&b, " %c ", r->more < 0 ? '-' : '+');
  if (r->more && llabs((long long)r->more) != 1) buffer_printf(&b, "%lld * ", llabs((long long)r->more));
  if (r->more) buffer_puts(&b, s->at[r->addend].symbol->name);
  if (r->plus) buffer_printf(&b, " %c %lld", r->plus < 0 ? '-' : '+', llabs((long long)r->plus));
  return b.text;
}

/* What is added to the product, or (sign -1) taken off it, as " + w_n + 1"; "": nothing. */
static const char *rule_rest(Arena *a, const Signature *s, const SizeRule *r, int sign, const char *between) {
  Buffer b = buffer_new(a);
  const long long more = (long long)r->more * sign, plus = (long long)r->plus * sign;
  if (more > 1) buffer_printf(&b, "%s%lld * %s", between, more, s->at[r->addend].symbol->name);
  else if (more > 0) buffer_printf(&b, "%s%s", between, s->at[r->addend].symbol->name);
  if (plus > 0) buffer_printf(&b, "%s%lld", between, plus);
  return b.text;
}

static const char *rule_broken(Arena *a, const Signature *s, const Operand *x) {
  const SizeRule *r = &x->rule;
  const char *size = x->symbol->name;
  if (r->factor[0] < 0) return arena_printf(a, "%s != %lld", size, (long long)r->plus);
  const char *x0 = s->at[r->factor[0]].symbol->name;
  const char *added = rule_rest(a, s, r, 1, " + "), *taken = rule_rest(a, s, r, -1, " + ");
  if (r->times == 1 && r->factor[1] < 0) /* sizes are below 2^63, and constants far below it */
    return arena_printf(a, "%s%s != %s%s", size, taken, x0, added);
  Buffer b = buffer_new(a);
  const char *left = size;
  if (*added || *taken) left = arena_printf(a, "(%s%s%s)", size, taken, rule_rest(a, s, r, 1, " - "));
  if (*added) buffer_printf(&b, "%s%s < %s || ", size, taken, added + strlen(" + "));
  if (r->times != 1) {
    buffer_printf(&b, "%s %% %lld != 0 || ", left, (long long)r->times);
    left = arena_printf(a, "%s / %lld", left, (long long)r->times);
  }
  if (r->factor[1] < 0) buffer_printf(&b, "%s != %s", left, x0);
  else {
    const char *x1 = s->at[r->factor[1]].symbol->name;
    buffer_printf(&b, "(%1$s == 0 ? %2$s != 0 : %2$s %% %1$s != 0 || %2$s / %1$s != %3$s)", x1, left, x0);
  }
  return b.text;
}

/* The value is printed as the sizes make it, though that may be below zero. */
static void check_rule(Buffer *to, const Output *o, const Signature *s, const Operand *x) {
  const char *rule = rule_in_words(to->arena, s, &x->rule);
  const bool follows = x->rule.factor[0] >= 0;
  emit_template(to, o, NULL,
                "  if (BROKEN)\n"
                "    return NAME(failed)(wrong, \"%s: SIZE = %llu, and has to be RULE\", who, (unsigned long "
                "long)VALUES);\n",
                "SIZE", x->symbol->name, "BROKEN", rule_broken(to->arena, s, x), "RULE",
                follows ? arena_printf(to->arena, "%s = %%lld", rule) : rule, "VALUES",
                follows ? arena_printf(to->arena, "%s, (long long)(%s)", x->symbol->name, rule) : x->symbol->name,
                NULL);
}

/* The distance between neighbours in dimension d: the operand's name; "1": they lie side by side. */
static const char *stride(const Signature *s, const Operand *x, int d) {
  const int rank = operand_rank(x);
  if (rank == 2) return d == !(x->param && x->param->by_columns) ? "1" : s->at[x->size[2]].symbol->name;
  return d == rank - 1 ? "1" : s->at[x->size[rank + d]].symbol->name;
}

static const char *extent(const Signature *s, const Operand *x, int d) { return s->at[x->size[d]].symbol->name; }

/* What lies further apart than dimension d's neighbours, which have all of dimension d between them. */
static int outer_of(const Operand *x, int d) { return x->param && x->param->by_columns ? 1 - d : d - 1; }

/* "LEADING < WITHIN": what makes a distance too small for all that lies within; by a division, as products may
 * overflow. */
static const char *too_near(Arena *a, const Signature *s, const Operand *x, int d) {
  const char *apart = stride(s, x, outer_of(x, d)), *own = stride(s, x, d), *many = extent(s, x, d);
  if (strcmp(own, "1") == 0) return arena_printf(a, "%s < %s", apart, many);
  return arena_printf(a, "%s > 0 && %s / %s < %s", own, apart, own, many);
}

/* A distance is no less than what lies within, and the container fits the address space. */
static void check_strides(Buffer *to, const Output *o, const Signature *s, const Operand *x) {
  const int rank = operand_rank(x), outermost = x->param && x->param->by_columns ? 1 : 0;
  for (int d = rank - 1; d >= 0; d--) {
    if (d == outermost) continue;
    const char *own = stride(s, x, d), *within = extent(s, x, d), *value = within;
    if (strcmp(own, "1") != 0) {
      within = arena_printf(to->arena, "%s * %s", within, own);
      value = arena_printf(to->arena, "(%s)", within);
    }
    emit_template(to, o, NULL,
                  "  if (BROKEN)\n"
                  "    return NAME(failed)(wrong, \"%s: LEADING = %llu is less than WITHIN = %llu\", who, "
                  "(unsigned long long)LEADING,\n                     (unsigned long long)VALUE);\n",
                  "BROKEN", too_near(to->arena, s, x, d), "LEADING", stride(s, x, outer_of(x, d)), "WITHIN", within,
                  "VALUE", value, NULL);
  }
  emit_template(to, o, NULL,
                "  if (LINES > 0 && LEADING > INT64_MAX / LINES)\n"
                "    return NAME(failed)(wrong, \"%s: LINES * LEADING is more than any memory holds\", who);\n",
                "LEADING", stride(s, x, outermost), "LINES", extent(s, x, outermost), NULL);
}

/* A pointer may be NULL if the array is empty. COUNT: its elements, or rows; COLUMNS: its columns. */
static const char check_single[] =
"  if (ARRAY == NIL) return NAME(failed)(wrong, \"%s: ARRAY is NULL\", who);\n"
"  if (!lies_at(ARRAY, ARRAY##_aligned))\n    ";
static const char check_vector[] =
"  if (ARRAY == NIL && COUNT > 0) "
"return NAME(failed)(wrong, \"%s: ARRAY is NULL, and COUNT = %llu\", who, (unsigned long long)COUNT);\n"
"  if (!lies_at(ARRAY, ARRAY##_aligned)) ";
static const char check_volume[] =
"  if (ARRAY == NIL && ELEMENTS > 0)\n"
"    return NAME(failed)(wrong, \"%s: ARRAY is NULL, and ELEMENTS is not 0\", who);\n"
"  if (!lies_at(ARRAY, ARRAY##_aligned)) ";
static const char check_matrix[] =
"  if (ARRAY == NIL && COUNT > 0 && COLUMNS > 0)\n"
"    return NAME(failed)(wrong, \"%s: ARRAY is NULL, and COUNT = %llu, COLUMNS = %llu\", who, "
"(unsigned long long)COUNT,\n                     (unsigned long long)COLUMNS);\n"
"  if (!lies_at(ARRAY, ARRAY##_aligned)) ";

static void check_array(Buffer *to, const Output *o, const Signature *s, const Operand *x) {
  const char *array = x->symbol->name;
  const char *count = x->size[0] < 0 ? "" : s->at[x->size[0]].symbol->name;
  const char *columns = x->size[1] < 0 ? "" : s->at[x->size[1]].symbol->name;
  const char *check = !*count ? check_single : !*columns ? check_vector
                      : operand_rank(x) == 2 ? check_matrix : check_volume;
  emit_template(to, o, NULL, check, "ARRAY", array, "COUNT", count, "COLUMNS", columns, "ELEMENTS",
                *count ? operand_elements(to->arena, s, x) : "", NULL);
  emit_template(to, o, NULL, "return NAME(failed)(wrong, \"%s: ARRAY is not aligned to %zu bytes\", who, "
                "ARRAY##_aligned);\n",
              "ARRAY", array, NULL);
}

static void argument_checks(Buffer *to, const Output *o) {
  const Signature *s = output_operands(o);
  emit_template(to, o, NULL, "  const ERROR wrong = INVALID;\n"
                     "  failure.error = SUCCESS;\n"
                     "  if (workspace_bytes == NIL) "
                     "return NAME(failed)(wrong, \"%s: workspace_bytes is NULL\", who);\n", NULL);
  for (int i = 0; i < s->n; i++)
    if (s->at[i].kind == OPERAND_SIZE) check_size(to, o, s->at[i].symbol->name);
  for (int i = 0; i < s->n; i++)
    if (s->at[i].kind == OPERAND_SIZE && s->at[i].rule.said) check_rule(to, o, s, &s->at[i]);
  for (int i = 0; i < s->n; i++)
    if (s->at[i].kind == OPERAND_ARRAY && operand_rank(&s->at[i]) > 1) check_strides(to, o, s, &s->at[i]);
  emit_template(to, o, NULL, "  if (workspace == NIL) return SUCCESS;\n"
                     "  if (!lies_at(workspace, 16)) "
                     "return NAME(failed)(wrong, \"%s: workspace is not aligned to 16 bytes\", who);\n", NULL);
  if (s->result >= 0) check_array(to, o, s, &s->at[s->result]);
  for (int i = 0; i < s->n; i++)
    if (s->at[i].kind == OPERAND_ARRAY && i != s->result) check_array(to, o, s, &s->at[i]);
  emit_template(to, o, NULL, "  return SUCCESS;\n}\n", NULL);
}

static const char *checked_parameters_text(Arena *a, const Output *o) {
  Buffer b = buffer_new(a);
  checked_parameters(&b, output_operands(o));
  return b.text;
}

/* One test for all alignments: on a few elements the call takes little longer than the checks. With several sizes
 * each is kept below 2^31, so that no product overflows. */
void emit_is_sound(Buffer *to, const Output *o) {
  const Signature *s = output_operands(o);
  Buffer there = buffer_new(to->arena), bits = buffer_new(to->arena);
  for (int i = 0; i < s->n; i++) {
    const Operand *x = &s->at[i];
    const char *name = x->symbol->name;
    if (x->kind == OPERAND_SIZE) buffer_printf(&there, " && %s <= INT%d_MAX", name, output_by_shape(o) ? 32 : 64);
    if (x->kind == OPERAND_SIZE && x->rule.said) buffer_printf(&there, " && !(%s)", rule_broken(to->arena, s, x));
    if (x->kind != OPERAND_ARRAY) continue;
    buffer_printf(&there, " &&%s%s != NULL", output_by_shape(o) ? "\n         " : " ", name);
    for (int d = operand_rank(x) - 1, outermost = x->param && x->param->by_columns; d >= 0 && operand_rank(x) > 1; d--)
      if (d != outermost) buffer_printf(&there, " && !(%s)", too_near(to->arena, s, x, d));
    buffer_printf(&bits, " | (uintptr_t)%s %% %s_aligned", name, name);
  }
  emit_template(to, o, NULL,
              "\n// Is there surely nothing wrong with a call's arguments?\n"
              "static inline bool is_sound(const void *workspace, const size_t *workspace_bytes,PARAMETERS) {\n"
              "  return workspace_bytes != NULL && workspace != NULL##THERE &&\n"
              "         ((uintptr_t)workspace % 16##BITS) == 0;\n}\n",
              "PARAMETERS", checked_parameters_text(to->arena, o), "THERE", there.text, "BITS", bits.text, NULL);
}

/* ---- error reporting ---- */

/* A macro tells compilers that the returned error is not 0, so that they drop the code for success behind it. */
static const char failed_in_c[] =
"// Its value is the error, which is not 0: compilers can tell where they see which.\n"
"#define NAME(failed)(error, ...) (NAME(failed)(error, __VA_ARGS__), (error))\n";

static const char checks_head[] =
"\nSHARED ERROR NAME(arguments)(const char *who, const void *workspace, const size_t *workspace_bytes,"
"PARAMETERS) {\n";

void emit_error_declarations(Buffer *to, const Output *o) {
  paste_template(to, o, NULL, library_errors, "DECLARATIONS", "1", "PARAMETERS", checked_parameters_text(to->arena, o),
               "BEGUN", output_is_for_cpu(o) ? "done" : "queued", NULL);
}

void emit_errors(Buffer *to, const Output *o) {
  const bool is_n = strcmp(output_element_count(to->arena, output_operands(o)), "n") == 0;
  paste_template(to, o, NULL, library_errors, "STATE", "1", "DEFINITIONS", "1", NULL);
  if (output_is_for_cpu(o)) emit_template(to, o, NULL, failed_in_c, NULL);
  emit_template(to, o, NULL, checks_head, "PARAMETERS", checked_parameters_text(to->arena, o), NULL);
  argument_checks(to, o);
  paste_template(to, o, NULL, library_errors, "REFUSED", "1", "MANY", is_n ? "n = " : "", "IS",
                 is_n ? " is" : " elements are",
               "OR_UNLIKE", output_checks_sizes(o) ? ", or sizes differ that it takes to be the same" : "",
               "NEED", is_n ? " needs" : " elements need", "ELEMENTS", is_n ? "" : " elements",
               "DOING", output_is_for_cpu(o) ? "running" : "launching", NULL);
}
