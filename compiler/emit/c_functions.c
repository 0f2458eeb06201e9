/* c_functions.c: the functions and macros that a CPU's variant uses: pieces of the files of runtime/cpu. */
#include <inttypes.h>

#include "emit/paste.h"
#include "emit/variant.h"
#include "ir/operator.h"

/* ---- common to all types ---- */

/* Minimum and maximum of fixed types; those of T are OF(min) and OF(max) below. */
static void min_and_max(Buffer *to, const Program *p) {
  static const Type types[] = {TYPE_INDEX, TYPE_UINT, TYPE_INT, TYPE_LONG, TYPE_ULONG, TYPE_FLOAT, TYPE_DOUBLE};
  static const struct { Op op; const char *before; } ops[] = {{OP_MIN, "a < b"}, {OP_MAX, "a > b"}};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    for (int k = 0; k < 2; k++)
      if (program_uses_typed(p, ops[k].op, types[i]))
        paste(to, cpu_select, "OF_TYPE", "1", "REAL", paste_if(types[i] == TYPE_FLOAT || types[i] == TYPE_DOUBLE),
              "TYPE", type_name(types[i]), "NAME", c_minmax(to->arena, ops[k].op, types[i]),
              "BEFORE", ops[k].before, NULL);
}

/* Bits of numbers in their order, of each type. */
static void order_bits(Buffer *to) {
  static const struct { Type is_unsigned, is_signed, real; } sizes[] = {{TYPE_UINT, TYPE_INT, TYPE_FLOAT},
                                                                       {TYPE_ULONG, TYPE_LONG, TYPE_DOUBLE}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    const Type types[] = {sizes[i].is_unsigned, sizes[i].is_signed, sizes[i].real};
    for (int k = 0; k < 3; k++)
      paste(to, cpu_order, "UNSIGNED", paste_if(k == 0), "SIGNED", paste_if(k == 1), "REAL", paste_if(k == 2),
            "NAME", c_order_bits(types[k]), "TYPE", type_name(types[k]), "BITS", type_name(types[0]),
            "FROM", c_order_bits(types[0]), NULL);
  }
}

/* Loads a square of rows, one a lane, transposed: by vectors for numbers of 4 bytes, else element by element. */
static void row_loads(Buffer *to, const Program *p) {
  int lanes = 0;
  for (int i = 0; i < p->nkernels && !lanes; i++)
    if (tree_contains(p->kernels[i]->body, OP_LOAD_ROWS)) lanes = kernel_vector(p->kernels[i]);
  if (!lanes) return;
  paste(to, cpu_rows, NULL);
  if (!p->monoid) emit_transposition(to, lanes);
}

static bool uses_function(const Output *o, const Program *p, Op op, Type type) {
  bool of_elements = false;
  for (int i = 0; i < o->ntypes; i++) of_elements |= o->types[i]->type == type;
  return program_uses_typed(p, op, type) || (of_elements && program_uses_typed(p, op, TYPE_ELEM));
}

/* The choice of C's library in their place, which whoever compiles the text makes. */
static void library_functions(Buffer *to, const char *suffix, const bool *used) {
  static const char *const names[] = {"exp", "exp2", "expm1", "tanh", "log"};
  buffer_puts(to, "\n#ifdef LIBM // C's own functions, one number at a time, as -DLIBM asks\n");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (used[i]) buffer_printf(to, "#define lane_%s%s %s%s\n", names[i], suffix, names[i], suffix);
  buffer_puts(to, "#else\n");
}

/* Mathematical functions of a vector's lanes, of each type; how many types have some. */
static int lane_functions(Buffer *to, const Output *o, const Program *p) {
  static const Type types[] = {TYPE_FLOAT, TYPE_DOUBLE};
  int found = 0;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    const bool exp = uses_function(o, p, OP_EXP, types[i]), log = uses_function(o, p, OP_LOG, types[i]);
    const bool tanh = uses_function(o, p, OP_TANH, types[i]), expm1 = uses_function(o, p, OP_EXPM1, types[i]) || tanh;
    const bool exp2 = uses_function(o, p, OP_EXP2, types[i]);
    if (!exp && !exp2 && !log && !expm1) continue;
    found++;
    if (to) library_functions(to, types[i] == TYPE_FLOAT ? "f" : "", (bool[]){exp, exp2, expm1, tanh, log});
    if (to) paste(to, cpu_functions, "SINGLE", paste_if(types[i] == TYPE_FLOAT), "EXP", paste_if(exp), "EXP2",
                  paste_if(exp2), "EXPM1", paste_if(expm1), "TANH", paste_if(tanh), "LOG", paste_if(log), NULL);
    if (to) buffer_puts(to, "#endif\n");
  }
  return found;
}

bool c_has_lane_functions(const Output *o, const Program *p) { return lane_functions(NULL, o, p) > 0; }

static const char *number(Arena *a, int n) { return arena_printf(a, "%d", n); }

void emit_c_functions(Buffer *to, const Output *o, const Program *p) {
  Arena *a = to->arena;
  bool flags = false;
  for (int i = 0; i < p->nkernels; i++) flags |= p->kernels[i]->flag || c_adds_for_all(p->kernels[i]);
  min_and_max(to, p);
  if (kernels_use(p, OP_ORDER_BITS)) order_bits(to);
  paste(to, cpu_team, "PROCESSORS", paste_if(variant_launch_tunable(p)), "AT_ONCE",
        paste_if(launches_are_parallel(p)), NULL);
  if (program_is_cpp(p) && program_uses_limits(p)) emit_limits(to, o);
  emit_monoid(to, o);
  if (kernels_use(p, OP_EXCHANGE)) paste(to, cpu_exchange, NULL);
  row_loads(to, p);
  paste(to, cpu_compilers, "UNSEEN", paste_if(kernels_have_private_arrays(p)), "FOR_CALLS", paste_if(flags),
        "APART_FROM_CALLS", paste_if(kernels_are_handed_arrays(p)), "FUSED",
        paste_if(kernels_use(p, OP_FUSED) || c_has_lane_functions(o, p)), NULL);
  lane_functions(to, o, p);
  if (p->tickets) paste(to, cpu_chain, "TILES", "1", "HEAD", number(a, CHAIN_APART), "WORDS", number(a, CHAIN_WORDS),
                        NULL);
}

/* ---- one type ---- */

static void chained_scan(Buffer *to, const Program *p) {
  Arena *a = to->arena;
  const Type element = p->generic ? TYPE_ELEM : p->element, type = p->totals == TYPE_VOID ? element : p->totals;
  Symbol *x = symbol_new(a, SYMBOL_LOCAL, "x", type), *y = symbol_new(a, SYMBOL_LOCAL, "y", type);
  Buffer combined = buffer_new(a);
  c_expression(&combined, tree_binary(a, operator_op(p->chained_by), type, tree_ref(a, x), tree_ref(a, y)));
  paste(to, cpu_chain, "CHAIN", "1", "COMBINE", combined.text, "TOTAL", type == TYPE_ELEM ? "T" : type_name(type),
        "SPACE", number(a, CHAIN_ALONE), NULL);
}

void emit_c_type_functions(Buffer *to, const Program *p) {
  static const struct { Op op; const char *name, *plain, *before; } rows[] = {{OP_MIN, "min", "lesser", "a < b"},
                                                                              {OP_MAX, "max", "greater", "a > b"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (program_uses_typed(p, rows[i].op, TYPE_ELEM))
      paste(to, cpu_select, "OF_ELEMENTS", "1", "NAME", rows[i].name, "PLAIN", rows[i].plain, "BEFORE", rows[i].before,
            NULL);
  if (p->tickets) chained_scan(to, p);
}
