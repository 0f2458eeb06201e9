/* serves.c: for which numbers of lanes is a cooperative codelet right?
 *
 *   requires  a body in codelet form, shared atomics explicit; a spectrum with an autonomous codelet
 *   keeps     all of it: this pass only looks
 *
 * A loop that halves the lanes leaves some out where they are no power of two; exchanges between two vectors want an
 * even number of these. The codelet is run (trial.h) for a few numbers of lanes, and for all that a block or a sub-warp
 * may have where it is wrong for some of these, with an element for each lane, and what it gives and writes is compared
 * with what one lane that runs the autonomous codelet does. Plans offer no other numbers.
 *
 * A codelet that is right for none of the first few is left to `tgc check', which says what is wrong with it: it is no
 * matter of lanes. So is one that cannot be run here. */
#include <string.h>

#include "support/buffer.h"
#include "passes/codelet_passes.h"
#include "passes/trial.h"

enum { SEEDS = 3, BITS = 5 };

typedef struct Serves {
  Arena *scratch;
  const Codelet *codelet, *reference;
  int64_t width, most;
  int64_t wrong; /* the first number of lanes, as they were tried, for which it is not right; 0: none so far */
} Serves;

/* ---- one number of lanes ---- */

/* Small numbers: sums of many do not wrap around. In any order; the greatest first; the greatest last. */
static uint64_t mixed(uint64_t x) {
  x = (x + UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}
static int64_t random_number(uint64_t i) { return (int64_t)(mixed(i) >> 44) + 1; }
static int64_t falling(uint64_t i) { return 4000000 - 1000 * (int64_t)i - (int64_t)(mixed(i) % 1000); }
static int64_t rising(uint64_t i) { return 1000 * (int64_t)i + (int64_t)(mixed(i) % 1000); }

/* Of `or' and `and' a number that is lost shows where its bit is no other's: all have one; then one in 4, in 16, .. */
static int64_t bit(uint64_t i, int apart) {
  return mixed(i + (uint64_t)apart) % (uint64_t)apart ? 0 : 1 << mixed(3 * i + 1) % 30;
}
#define ONE_IN(many) \
  static int64_t one_in_##many(uint64_t i) { return bit(i, many); } \
  static int64_t not_one_in_##many(uint64_t i) { return ~bit(i, many); }
ONE_IN(1)
ONE_IN(4)
ONE_IN(16)
ONE_IN(32)
ONE_IN(33)
#undef ONE_IN

static bool same_value(const TrialValue *x, const TrialValue *y, int words) {
  if (x->kind != y->kind) return false;
  if (x->kind == TRIAL_SET) return memcmp(x->set, y->set, (size_t)words * sizeof *x->set) == 0;
  return x->kind == TRIAL_NUMBER && x->number == y->number;
}

static bool same(const Trial *x, const Trial *y) {
  if (x->codelet->spectrum->result != TYPE_VOID && !same_value(&x->result, &y->result, x->words)) return false;
  for (int i = 0; i < x->codelet->nparams; i++)
    for (int64_t k = 0; x->containers[i] && k < x->elements; k++)
      if (!same_value(&x->containers[i][k], &y->containers[i][k], x->words)) return false;
  return true;
}

typedef enum Verdict { RIGHT, WRONG, NO_TELLING } Verdict;

static Verdict compare(const Serves *s, Trial t) {
  Trial alone = t;
  arena_reset(s->scratch);
  t.codelet = s->codelet;
  t.body = s->codelet->plain.body;
  alone.codelet = s->reference;
  alone.body = s->reference->body;
  alone.lanes = alone.width = 1;
  trial_run(s->scratch, &alone);
  if (alone.why) return NO_TELLING;
  trial_run(s->scratch, &t);
  return t.outside ? WRONG : t.why ? NO_TELLING : same(&t, &alone) ? RIGHT : WRONG;
}

typedef int64_t (*Number)(uint64_t);

/* Where only elements' presence counts, it is followed; a great one that is lost would show no other way. */
static Verdict on_elements(const Serves *s, Trial t) {
  static const Number numbers[SEEDS] = {random_number, falling, rising},
                      or[BITS] = {one_in_1, one_in_4, one_in_16, one_in_32, one_in_33},
                      and[BITS] = {not_one_in_1, not_one_in_4, not_one_in_16, not_one_in_32, not_one_in_33};
  const OperatorKind op = s->codelet->spectrum->op;
  const bool extreme = op == OPERATOR_MAX || op == OPERATOR_MIN, bitwise = op == OPERATOR_AND || op == OPERATOR_OR;
  const Number *wanted = !bitwise ? numbers : op == OPERATOR_OR ? or : and;
  t.what = TRIAL_OF_SETS;
  Verdict v = extreme || bitwise ? compare(s, t) : NO_TELLING;
  if (v != NO_TELLING) return v;
  t.what = TRIAL_OF_NUMBERS;
  for (int i = 0; i < (bitwise ? BITS : extreme ? SEEDS : 1); i++) {
    t.number = wanted[i];
    v = compare(s, t);
    if (v != RIGHT) return v;
  }
  return RIGHT;
}

/* With an element for each of them. */
static Verdict on_lanes(Serves *s, int64_t lanes) {
  const int64_t width = lanes < s->width ? lanes : s->width;
  Verdict v = on_elements(s, (Trial){.lanes = lanes, .width = width, .elements = lanes});
  if (v == WRONG && !s->wrong) s->wrong = lanes;
  return v;
}

/* ---- all of them ---- */

/* A sub-warp's lanes; then whole vectors: a few of them, and, where it is wrong for some of these, all. */
static Verdict on_all(Arena *a, Serves *s, NumberList *to) {
  VEC(int64_t) right = {0};
  Verdict v = RIGHT;
  for (int64_t lanes = 2; lanes < s->width && v != NO_TELLING; lanes *= 2)
    if ((v = on_lanes(s, lanes)) == RIGHT) vec_push(a, &right, lanes);
  const int64_t most = s->most / s->width, few[] = {1, 3, 5, most};
  const int64_t wrong_subwarp = s->wrong;
  int tried = 0, wrong = 0;
  s->wrong = 0;
  for (size_t i = 0; i < sizeof few / sizeof *few && v != NO_TELLING; i++) {
    if (few[i] < 1 || few[i] > most) continue;
    v = on_lanes(s, few[i] * s->width);
    tried++;
    wrong += v == WRONG;
  }
  if (v == NO_TELLING || wrong == tried) return NO_TELLING;
  for (int64_t lanes = s->width; lanes <= s->most && v != NO_TELLING; lanes += s->width)
    if (!wrong || (v = on_lanes(s, lanes)) == RIGHT) vec_push(a, &right, lanes);
  *to = (NumberList){right.at, right.n};
  if (!s->wrong) s->wrong = wrong_subwarp;
  return v == NO_TELLING ? v : s->wrong ? WRONG : RIGHT;
}

/* The place in the text: what a loop has to do with the number of lanes. */
static bool find_lanes(void *context, const Tree *t) {
  const Tree **found = context;
  if (*found) return false;
  if (t->op == OP_COOP_DIM || t->op == OP_VECTOR_SIZE || t->op == OP_VECTOR_MAX) *found = t;
  return !*found;
}

static bool find_loop(void *context, const Tree *t) {
  const Tree **found = context;
  for (int i = 0; t->op == OP_FOR && i < 3 && !*found; i++)
    if (t->kid[i]) tree_visit(t->kid[i], find_lanes, found);
  return !*found;
}

/* Those of whole vectors: "32, 64 or 128 lanes"; "multiples of 64 lanes". */
static const char *listed(Arena *a, NumberList all, int64_t width, int64_t most) {
  enum { FEW = 8 };
  Buffer b = buffer_new(a);
  for (; all.at[0] < width; all.n--) all.at++;
  if (all.n > 1 && all.n == most / all.at[0] && all.at[all.n - 1] == all.n * all.at[0])
    return arena_printf(a, "multiples of %lld lanes", (long long)all.at[0]);
  for (int i = 0; i < all.n && i < FEW; i++)
    buffer_printf(&b, "%s%lld", !i ? "" : i + 1 == all.n ? " or " : ", ", (long long)all.at[i]);
  buffer_puts(&b, all.n > FEW ? ", .. lanes" : " lanes");
  return b.text;
}

NumberList pass_serves(Arena *a, const Codelet *c, int vector_width, int64_t most, Diagnostics *d) {
  Serves s = {.codelet = c, .reference = spectrum_reference(c->spectrum), .width = vector_width, .most = most};
  if (c->lanes_max && c->lanes_max < most) s.most = c->lanes_max;
  if (!s.reference || !c->plain.body) return (NumberList){0};
  s.scratch = arena_new();
  NumberList right = {0};
  if (on_all(a, &s, &right) != WRONG) right.n = 0;
  arena_free(s.scratch);
  const Tree *because = NULL;
  if (right.n) tree_visit(c->body, find_loop, &because);
  if (right.n)
    diagnostics_remark(d, REMARK_MISSED, "lanes", because ? because->where : c->where,
                       "`%s' is correct only for %s: with %lld its result is not that of `%s'", c->tag,
                       listed(a, right, s.width, s.most), (long long)s.wrong, s.reference->tag);
  return right;
}
