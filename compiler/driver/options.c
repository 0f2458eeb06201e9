/* options.c: the element types of `--types'. options_check.c judges the values of the others. */
#include "driver/options.h"

#include <ctype.h>
#include <string.h>

#include "support/nearest.h"

static const char *unknown_type(Arena *a, const char *name) {
  const char *names[16];
  int count = 0;
  Buffer all = buffer_new(a);
  for (; count < 16 && element_at(count); count++) {
    names[count] = element_at(count)->name;
    buffer_printf(&all, "%s%s", count ? ", " : "", names[count]);
  }
  if (isupper((unsigned char)*name))
    return arena_printf(
        a, "unknown element type `%.60s': structs are elements of an operator of your own, `--operator NAME'", name);
  const char *near = nearest_name(name, names, count);
  return near ? arena_printf(a, "unknown element type `%.60s'; did you mean `%s'?", name, near)
              : arena_printf(a, "unknown element type `%.60s'; there are %s", name, all.text);
}

/* Those that it can be accumulated in: "float, double". */
static const char *accumulators_of(Arena *a, const ElementType *e) {
  Buffer all = buffer_new(a);
  for (int i = 0; element_at(i); i++)
    if (element_fits(e, element_at(i))) buffer_printf(&all, "%s%s", all.length ? ", " : "", element_at(i)->name);
  return all.text;
}

/* "half", "half:double". NULL with *why. */
static const ElementType *read_type(Arena *a, const char *text, const char **why) {
  const char *colon = strchr(text, ':'), *name = colon ? arena_strndup(a, text, (size_t)(colon - text)) : text;
  const ElementType *e = element_by_name(name), *in = colon ? element_by_name(colon + 1) : NULL;
  if (!e) { *why = unknown_type(a, name); return NULL; }
  if (!colon) return e;
  if (in && element_fits(e, in)) return element_accumulated_in(a, e, in);
  *why = arena_printf(a, "`%s' cannot be accumulated in `%.60s'; it can be in %s", e->name, colon + 1,
                      accumulators_of(a, e));
  return NULL;
}

bool options_types(Arena *a, const char *list, const ElementType ***types, int *ntypes, const char **why) {
  VEC(const ElementType *) found = {0};
  for (const char *s = list; ; s++) {
    size_t n = strcspn(s, ",");
    char *name = arena_strndup(a, s, n);
    *why = arena_printf(a, "an empty name in the element types `%.60s'", list);
    const ElementType *e = n ? read_type(a, name, why) : NULL;
    if (!e) return false;
    for (int i = 0; i < found.n; i++)
      if (strcmp(found.at[i]->name, e->name) == 0) {
        const bool anyway = strchr(list, ':') && element_by_name(e->name);
        *why = arena_printf(a, "element type `%s' is given twice", name);
        if (anyway)
          *why = arena_printf(a, "%s: `%s' is accumulated in %s anyway", *why, e->name, element_accumulator(e)->name);
        return false;
      }
    vec_push(a, &found, e);
    s += n;
    if (!*s) break;
  }
  *types = found.at;
  *ntypes = found.n;
  return true;
}
