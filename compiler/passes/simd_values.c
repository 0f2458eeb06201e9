/* simd_values.c: what numbers are where a loop's variable is known, for the simd pass. */
#include "passes/simd.h"

bool simd_value_at(const Tree *t, const SimdTurn *turn, int64_t *value) {
  int64_t l, r;
  if (t->op == OP_REF && t->symbol == turn->symbol) { *value = turn->value; return true; }
  if (t->nkids != 2) return tree_constant(t, value);
  if (!simd_value_at(t->kid[0], turn, &l) || !simd_value_at(t->kid[1], turn, &r)) return false;
  if ((t->op == OP_DIV && r == 0) || l > INT32_MAX || l < INT32_MIN || r > INT32_MAX || r < INT32_MIN) return false;
  switch (t->op) {
    case OP_ADD: *value = l + r; return true;
    case OP_SUB: *value = l - r; return true;
    case OP_MUL: *value = l * r; return true;
    case OP_DIV: *value = l / r; return true;
    case OP_LT: *value = l < r; return true;
    case OP_LE: *value = l <= r; return true;
    case OP_GT: *value = l > r; return true;
    case OP_GE: *value = l >= r; return true;
    case OP_NE: *value = l != r; return true;
    default: return false;
  }
}
