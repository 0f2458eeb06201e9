/* ops.c: what ops.h says of each operation; the names of types. */
#include "ir/tree.h"

enum { C = FORM_CODELET, K = FORM_KERNEL, EXPR = 0, STMT = 1 };

static const OpRow rows[OP_COUNT] = {
#define OP(name, spelling, form, kids, class) {spelling, form, kids, class},
#include "ir/ops.h"
#undef OP
};

static const char *const type_names[TYPE_COUNT] = {"void", "bool", "int", "unsigned", "long long",
  "unsigned long long", "float", "double", "complex<float>", "complex<double>", "T", "E", "R", "Index", "struct",
  "Array"};

const OpRow *op_row(Op op) { return &rows[op]; }
const char *op_spelling(Op op) { return rows[op].spelling; }
bool op_is_statement(Op op) { return rows[op].statement; }
const char *type_name(Type t) { return type_names[t]; }
