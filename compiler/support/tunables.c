/* tunables.c: numbers by name, as a vector. */
#include "support/tunables.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const UsualTunable usual_tunables[USUAL_TUNABLES] = {
    {"threads", false, 4}, {"loads", false, 2}, {"blocks", true, 4}};

int64_t tunable_most(bool at_launch) {
  enum { MOST_COMPILED = 1024 };
  return at_launch ? INT32_MAX : MOST_COMPILED;
}

static const Tunable *find(const Tunables *t, const char *name, size_t length) {
  for (int i = 0; i < t->n; i++)
    if (strncmp(t->at[i].name, name, length) == 0 && t->at[i].name[length] == '\0') return &t->at[i];
  return NULL;
}

const Tunable *tunables_find(const Tunables *t, const char *name) { return find(t, name, strlen(name)); }

int64_t tunables_value(const Tunables *t, const char *name) {
  const Tunable *found = tunables_find(t, name);
  return found ? found->value : 0;
}

/* The number among the usual ones; as many as there are: it is another. */
static int usual_number(const char *name) {
  int i = 0;
  while (i < USUAL_TUNABLES && strcmp(usual_tunables[i].name, name) != 0) i++;
  return i;
}

bool tunable_is_usual(const char *name) { return usual_number(name) < USUAL_TUNABLES; }

static bool comes_before(const char *x, const char *y) {
  const int i = usual_number(x), k = usual_number(y);
  return i != k ? i < k : i == USUAL_TUNABLES && strcmp(x, y) < 0;
}

void tunables_add(Arena *a, Tunables *t, const Tunable *one) {
  int i = 0;
  while (i < t->n && comes_before(t->at[i].name, one->name)) i++;
  vec_push(a, t, *one);
  memmove(t->at + i + 1, t->at + i, (size_t)(t->n - 1 - i) * sizeof *t->at);
  t->at[i] = *one;
}

void tunables_set(Arena *a, Tunables *t, const char *name, int64_t value) {
  for (int i = 0; i < t->n; i++)
    if (strcmp(t->at[i].name, name) == 0) {
      t->at[i].value = value;
      return;
    }
  const int usual = usual_number(name);
  const Tunable one = {.name = name,
                       .value = value,
                       .at_launch = usual < USUAL_TUNABLES && usual_tunables[usual].at_launch};
  tunables_add(a, t, &one);
}

Tunables tunables_copy(Arena *a, const Tunables *t) {
  Tunables copy = {0};
  vec_copy(a, &copy, t);
  return copy;
}

Tunables tunables_compiled(Arena *a, const Tunables *t) {
  Tunables compiled = {0};
  for (int i = 0; i < t->n; i++)
    if (!t->at[i].at_launch) vec_push(a, &compiled, t->at[i]);
  return compiled;
}

/* Is all that x sets so in y? */
static bool agrees(const Tunables *x, const Tunables *y) {
  for (int i = 0; i < x->n; i++)
    if (x->at[i].value != tunables_value(y, x->at[i].name)) return false;
  return true;
}

bool tunables_equal(const Tunables *x, const Tunables *y) { return agrees(x, y) && agrees(y, x); }

void tunables_print(Buffer *to, const Tunables *t) {
  const char *before = "";
  for (int i = 0; i < t->n; i++) {
    if (t->at[i].value == 0) continue;
    buffer_printf(to, "%s%s=%" PRId64, before, t->at[i].name, t->at[i].value);
    before = " ";
  }
}

static size_t name_length(const char *s) {
  size_t n = 0;
  while (isalnum((unsigned char)s[n]) || s[n] == '_') n++;
  return isdigit((unsigned char)*s) ? 0 : n;
}

bool tunables_parse(Arena *a, const char *text, Tunables *t) {
  for (const char *s = text; *(s += strspn(s, " "));) {
    const size_t n = name_length(s);
    char *end;
    if (n == 0 || s[n] != '=' || !isdigit((unsigned char)s[n + 1]) || find(t, s, n)) return false;
    errno = 0;
    const long long value = strtoll(s + n + 1, &end, 10);
    if (errno || (*end && *end != ' ')) return false;
    tunables_set(a, t, arena_strndup(a, s, n), value);
    s = end;
  }
  return true;
}

Tunables tunables_members(Arena *a, const Tunables *own) {
  Tunables all = {0};
  for (int i = 0; i < USUAL_TUNABLES; i++) tunables_set(a, &all, usual_tunables[i].name, 0);
  for (int i = 0; i < own->n; i++) tunables_set(a, &all, own->at[i].name, 0);
  return all;
}

void tunables_print_names(Buffer *to, const Tunables *t, const char *between) {
  for (int i = 0; i < t->n; i++) buffer_printf(to, "%s%s", i ? between : "", t->at[i].name);
}

bool tunable_takes(const Tunable *t, int64_t number) {
  return number >= t->min && (t->max <= 0 || number <= t->max) && (t->multiple <= 1 || number % t->multiple == 0) &&
         number_list_has(t->among, number);
}

int64_t tunable_below(const Tunable *t, int64_t number) {
  for (number--; number > t->min && !tunable_takes(t, number);) number--;
  return number;
}

void tunable_print_range(Buffer *to, const Tunable *t) {
  if (t->max == t->min) {
    buffer_printf(to, "%" PRId64, t->min);
    return;
  }
  for (int i = 0; i < t->among.n && t->among.at[i] <= t->max; i++) {
    const bool last = i + 1 == t->among.n || t->among.at[i + 1] > t->max;
    buffer_printf(to, "%s%" PRId64, !i ? "" : last ? " or " : ", ", t->among.at[i]);
  }
  if (t->among.n) return;
  if (t->max > 0) buffer_printf(to, "%" PRId64 " to %" PRId64, t->min, t->max);
  else buffer_printf(to, "at least %" PRId64, t->min);
  if (t->multiple > 1) buffer_printf(to, ", a multiple of %" PRId64, t->multiple);
}
