/* ops.c: what ops.h says of each operation; the names of types. */
#include "ir/tree.h"

enum { C = FORM_CODELET, K = FORM_KERNEL, EXPR = 0, STMT = 1 };

static const OpRow rows[OP_COUNT] = {
#define OP(name, spelling, form, kids, class) {spelling, form, kids, class},
#include "ir/ops.h"
};

enum { PART = false, WHOLE = true };

static const ViewRow views[] = {
#define VIEW(name, spelling, kids, of, extent, count, applies, form, kinds, what) \
  {OP_##name, spelling, of, extent, count, applies, form ", " kinds},
#include "ir/ops.h"
};
enum { NVIEWS = sizeof views / sizeof *views };

static const FunctionRow functions[] = {
#define FUNCTION(name, spelling, kids, what) {OP_##name, spelling, kids, what},
#include "ir/ops.h"
};
enum { NFUNCTIONS = sizeof functions / sizeof *functions };

static const char *const type_names[TYPE_COUNT] = {"void", "bool", "int", "unsigned", "long long",
  "unsigned long long", "float", "double", "complex<float>", "complex<double>", "T", "E", "R", "Index", "Sum<E, T>",
  "struct", "State1<T>", "State2<T>", "State3<T>", "State4<T>", "State5", "State6", "State7", "State8", "Array",
  "Boxes"};

const OpRow *op_row(Op op) { return &rows[op]; }
const char *op_spelling(Op op) { return rows[op].spelling; }

const ViewRow *op_views(int *n) {
  *n = NVIEWS;
  return views;
}

const ViewRow *op_view(Op op) {
  for (int i = 0; i < NVIEWS; i++)
    if (views[i].op == op) return &views[i];
  return NULL;
}

const FunctionRow *op_functions(int *n) {
  *n = NFUNCTIONS;
  return functions;
}

const FunctionRow *op_function(Op op) {
  for (int i = 0; i < NFUNCTIONS; i++)
    if (functions[i].op == op) return &functions[i];
  return NULL;
}

bool op_is_statement(Op op) { return rows[op].statement; }
const char *type_name(Type t) { return type_names[t]; }

const char *state_operator(Type t) {
  static const char *const names[] = {"Operator1<T>", "Operator2<T>", "Operator3<T>", "Operator4<T>",
                                      "Operator5",    "Operator6",    "Operator7",    "Operator8"};
  return type_is_state(t) ? names[t - TYPE_STATE] : "M";
}
