/* options.c: the command line, by one table. */
#include "driver/options.h"

#include <stddef.h>
#include <string.h>

#include "support/nearest.h"

typedef struct OptionRow {
  const char *name, *short_name, *argument, *what;
  size_t field;
} OptionRow;

static const OptionRow rows[] = {
#define OPTION(field, name, short_name, argument, what) {name, short_name, argument, what, offsetof(Options, field)},
    OPTIONS(OPTION)
#undef OPTION
};
enum { COUNT = sizeof rows / sizeof *rows };

static bool takes_argument(const OptionRow *r) { return r->argument[0] && r->argument[0] != '['; }
static bool may_take_argument(const OptionRow *r) { return r->argument[0] == '['; }

static const char **field_of(Options *o, const OptionRow *r) { return (const char **)((char *)o + r->field); }

static const OptionRow *find(const char *text, size_t n) {
  for (int i = 0; i < COUNT; i++) {
    const OptionRow *r = &rows[i];
    if (strlen(r->name) == n && strncmp(r->name, text, n) == 0) return r;
    if (r->short_name[0] && strlen(r->short_name) == n && strncmp(r->short_name, text, n) == 0) return r;
  }
  return NULL;
}

static const char *unknown(Arena *a, const char *text) {
  const char *names[COUNT];
  for (int i = 0; i < COUNT; i++) names[i] = rows[i].name;
  const char *near = nearest_name(text, names, COUNT);
  return near ? arena_printf(a, "unknown option `%s'; did you mean `%s'?", text, near)
              : arena_printf(a, "unknown option `%s'", text);
}

bool options_parse(Arena *a, int argc, char **argv, Options *o, const char **why) {
  const char **more = arena_many(a, const char *, argc > 0 ? argc : 1);
  *o = (Options){.more = more};
  for (int i = 1; i < argc; i++) {
    const char *text = argv[i];
    if (text[0] != '-' || !text[1]) {
      bool twice = o->file && strcmp(o->file, text) == 0;
      for (int k = 0; k < o->nmore; k++) twice |= strcmp(more[k], text) == 0;
      if (twice) { *why = arena_printf(a, "`%s' is given twice", text); return false; }
      if (o->file) more[o->nmore++] = text;
      else o->file = text;
      continue;
    }
    size_t n = strcspn(text, "=");
    const OptionRow *r = find(text, n);
    if (!r) { *why = unknown(a, text); return false; }
    const char **field = field_of(o, r);
    if (*field) { *why = arena_printf(a, "`%s' is given twice", r->name); return false; }
    if (text[n] == '=') {
      if (!r->argument[0]) { *why = arena_printf(a, "`%s' takes no value", r->name); return false; }
      *field = text + n + 1;
    } else if (takes_argument(r)) {
      if (i + 1 == argc) { *why = arena_printf(a, "`%s' needs a value: %s", r->name, r->argument); return false; }
      *field = argv[++i];
    } else *field = "";
    if ((takes_argument(r) || (may_take_argument(r) && text[n] == '=')) && !**field) {
      *why = arena_printf(a, "`%s' needs a value: %s", r->name, r->argument);
      return false;
    }
  }
  return true;
}

void options_help(Buffer *to) {
  buffer_puts(to,
    "tgc: compiles codelets into many kernels, CUDA or C, composed over a machine's levels.\n\n"
    "  tgc FILE.cdl.. --arch NAME -o DIR   write every variant into DIR; several files are read as one\n"
    "  tgc FILE.cdl --arch NAME --list     say what the variants would be\n"
    "  tgc rules FILE.cdl [--arch NAME]    the composition rules, in the papers' notation\n"
    "  tgc archs                           the machines that are shipped, and this host\n"
    "  tgc explain ID [DIR]                one variant: its plan, choices, kernels, determinism\n"
    "  tgc check DIR                       run every variant on the CPU against the sequential codelet\n"
    "  tgc tune DIR                        measure the variants here; write which serves which size\n"
    "  tgc bench DIR                       compare it with CUB, thrust and torch; on a CPU with OpenMP\n\n"
    "options\n");
  for (int i = 0; i < COUNT; i++) {
    const OptionRow *r = &rows[i];
    const char *gap = r->argument[0] && r->argument[0] != '[' ? " " : "";
    char *left = arena_printf(to->arena, "%s%s%s%s%s", r->short_name, r->short_name[0] ? ", " : "", r->name,
                              gap, r->argument);
    buffer_printf(to, "  %-24s %s\n", left, r->what);
  }
  buffer_puts(to, "\nExit status: 0 done, 1 an error in the input, 2 misuse of the command line.\n");
}

static const char *unknown_type(Arena *a, const char *name) {
  const char *names[16];
  int count = 0;
  Buffer all = buffer_new(a);
  for (; count < 16 && element_at(count); count++) {
    names[count] = element_at(count)->name;
    buffer_printf(&all, "%s%s", count ? ", " : "", names[count]);
  }
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
        *why = arena_printf(a, "element type `%s' is given twice", name);
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
