/* tunable.c: a tunable of a codelet's own, `__tunable unsigned tile = 8;': a constant of the variant, by its name. One
 * without a value is a number of parts, as many as there are workers. */
#include <string.h>

#include "front/convert.h"
#include "ir/names.h"

enum { MOST = 1024, LEAST_RANGE = 16, TIMES = 8 };

/* Powers of two up to some times the value, and the value. */
static NumberList values_of(Arena *a, int64_t value) {
  VEC(int64_t) all = {0};
  int64_t most = LEAST_RANGE;
  while (most < TIMES * value && most < MOST) most *= 2;
  for (int64_t power = 1; power <= most; power *= 2) {
    if (value > power / 2 && value < power) vec_push(a, &all, value);
    vec_push(a, &all, power);
  }
  return (NumberList){all.at, all.n};
}

/* The names of what a table's row has besides, and of other tunables. */
static bool is_of_a_row(const char *name) {
  static const char *const words[] = {"type", "up_to", "count", "when", "turn", "variant"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(words[i], name) == 0) return true;
  return false;
}

static const OwnTunable *known(const Unit *u, const char *name) {
  for (int i = 0; i < u->tunables.n; i++)
    if (strcmp(u->tunables.at[i].tunable.name, name) == 0) return &u->tunables.at[i];
  return NULL;
}

/* What is wrong with it; NULL: nothing. */
static const char *complaint(const Symbol *s, const Tree *value, int64_t *number) {
  if (s->array || !type_is_whole(s->type)) return "is a tunable: it must be an integer";
  if (!tree_constant((Tree *)value, number) || *number < 1 || *number > MOST)
    return "is a tunable: its default must be from 1 to 1024";
  if (name_is_taken(s->name) || tunable_is_usual(s->name) || is_of_a_row(s->name))
    return "is a name that generated code uses";
  return NULL;
}

Symbol *convert_tunable(Converter *c, CXCursor v, Symbol *s, const Tree *value) {
  int64_t number;
  const char *wrong = complaint(s, value, &number);
  const OwnTunable *other = known(c->unit, s->name);
  if (!wrong && other && (other->tunable.value != number || other->symbol->type != s->type))
    wrong = "has another value, or type, in an earlier codelet, and is one tunable with that";
  if (wrong) {
    convert_refuse(c, v, "__tunable unsigned tile = 8;", "`%s' %s", s->name, wrong);
    return NULL;
  }
  OwnTunable own = {s, {.name = s->name, .value = number, .min = 1, .among = values_of(c->a, number)}};
  own.tunable.max = own.tunable.among.at[own.tunable.among.n - 1];
  own.tunable.what = "of the codelets' own";
  if (other) own = *other;
  else {
    *s = (Symbol){.name = s->name, .kind = SYMBOL_CONSTANT, .type = s->type, .declared = s->declared, .constant = true,
                  .min = own.tunable.min, .max = own.tunable.max, .where = s->where};
    vec_push(c->a, &c->unit->tunables, own);
  }
  if (!tunables_find(&c->tunables, s->name)) tunables_add(c->a, &c->tunables, &own.tunable);
  return own.symbol;
}
