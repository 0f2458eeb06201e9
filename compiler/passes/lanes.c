/* lanes.c: how many lanes a cooperative codelet can serve, from its shared arrays and their indices.
 *
 *   requires  a cooperative body, as written
 *   keeps     all of it: this pass only looks
 *
 *   partial[MaxSize()] at VectorId()       MaxSize() vectors: MaxSize() squared lanes
 *   tmp[in.Size()], tmp[coopDim()]         sized by the lanes: no limit
 *   t[64] at ThreadId()                    64 lanes
 *   t[64] at ThreadId() where that is < 64 no limit
 *   t[MaxSize()] at LaneId(), t[8] at 3    no limit: the index does not grow with the lanes */
#include "passes/codelet_passes.h"
#include "passes/lane_facts.h"

typedef struct Lanes {
  LaneFacts facts;
  int width;
  int64_t most; /* 0: any */
  const Tree *because;
  const Symbol *array;
} Lanes;

enum { LARGEST = 1 << 30 };

/* The value of a length that does not depend on the lanes; false when it does, or cannot be told. */
static bool fixed_length(const Lanes *l, const Tree *t, int64_t *value) {
  t = lane_strip(&l->facts, t);
  int64_t x, y;
  if (t->op == OP_VECTOR_MAX || t->op == OP_VECTOR_SIZE) { *value = l->width; return true; }
  if (t->op == OP_INT) { *value = t->number; return t->number >= 0 && t->number < LARGEST; }
  if (t->nkids != 2 || !fixed_length(l, t->kid[0], &x) || !fixed_length(l, t->kid[1], &y)) return false;
  switch (t->op) {
    case OP_ADD: *value = x + y; break;
    case OP_SUB: *value = x - y; break;
    case OP_MUL: *value = x * y; break;
    case OP_DIV: if (!y) return false; *value = x / y; break;
    case OP_SHL: if (y > 20) return false; *value = x << y; break;
    case OP_SHR: if (y > 30) return false; *value = x >> y; break;
    default: return false;
  }
  return *value >= 0 && *value < LARGEST;
}

static void limit(Lanes *l, int64_t lanes, const Tree *because, const Symbol *array) {
  if (lanes < 1) lanes = 1;
  if (l->most && l->most <= lanes) return;
  l->most = lanes;
  l->because = because;
  l->array = array;
}

/* Where something stands: under VectorId() == 0; where ThreadId() is less than `below', 0: than anything. */
typedef struct Around { bool first_vector; int64_t below; } Around;

/* x < y, of a sum with ThreadId() and a number: what ThreadId() is less than. 0: it says no such thing. */
static int64_t less_than(const Lanes *l, const Tree *x, const Tree *y, bool or_equal) {
  int64_t value;
  if (!fixed_length(l, y, &value)) return 0;
  LaneSum s = lane_sum(&l->facts, x, (LaneContext){.as = PART_LANE});
  s.factor[PART_THREAD]--;
  const int64_t below = value - s.constant + or_equal;
  return lane_sum_is_constant(&s) && below > 0 ? below : 0;
}

static int64_t below(const Lanes *l, const Tree *t) {
  switch (t->op) {
    case OP_LT: case OP_LE: return less_than(l, t->kid[0], t->kid[1], t->op == OP_LE);
    case OP_GT: case OP_GE: return less_than(l, t->kid[1], t->kid[0], t->op == OP_GE);
    case OP_LAND: {
      const int64_t x = below(l, t->kid[0]), y = below(l, t->kid[1]);
      return x && (!y || x < y) ? x : y;
    }
    default: return 0;
  }
}

/* Within what is done where the condition holds. */
static Around within(const Lanes *l, Around around, const Tree *condition) {
  const int64_t limit = below(l, condition);
  if (limit && (!around.below || limit < around.below)) around.below = limit;
  around.first_vector |= lane_is_first_vector(&l->facts, condition);
  return around;
}

static void element(Lanes *l, const Tree *t, Around around) {
  const Symbol *array = t->kid[0]->symbol;
  int64_t length;
  if (!array->length || !fixed_length(l, array->length, &length)) return;
  LaneSum s = lane_sum(&l->facts, t->kid[1], (LaneContext){.first_vector = around.first_vector, .as = PART_LANE});
  int64_t room = length - s.constant;
  if (around.below && around.below <= room) return;
  if (s.factor[PART_THREAD] == 1) limit(l, room, t, array);
  else if (s.factor[PART_ID] == 1) limit(l, room > 0 ? room * l->width : 1, t, array);
}

static void walk(Lanes *l, const Tree *t, Around around) {
  if (!t) return;
  if (t->op == OP_INDEX && t->kid[0]->op == OP_REF && t->kid[0]->symbol->kind == SYMBOL_SHARED)
    element(l, t, around);
  const bool enters = t->op == OP_IF || t->op == OP_COND || t->op == OP_LAND;
  for (int i = 0; i < t->nkids; i++) walk(l, t->kid[i], enters && i == 1 ? within(l, around, t->kid[0]) : around);
}

int64_t pass_lanes(const Codelet *c, int vector_width, Diagnostics *d) {
  Lanes l = {.facts = lane_facts(d->arena, c->body), .width = vector_width};
  walk(&l, c->body, (Around){0});
  if (l.most)
    diagnostics_remark(d, REMARK_PASSED, "lanes", l.because->where, "`%s' limits `%s' to %lld lanes", l.array->name,
                       c->tag ? c->tag : c->spectrum->name, (long long)l.most);
  return l.most;
}
