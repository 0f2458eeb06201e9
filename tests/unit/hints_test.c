/* Each hint leads somewhere: tests/hints/followed.txt has for each a codelet that shows it, and what becomes of that
 * once the hint is followed, which compiles. A hint that the sources have and neither that file nor
 * tests/hints/elsewhere.txt, which says where else it is followed or why not, is a failure; so is one that the sources
 * no longer have. */
#include <fnmatch.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "front/front.h"
#include "golden.h"
#include "emit/emit.h"
#include "front/include.h"
#include "ir/element.h"
#include "passes/codelet_passes.h"
#include "plans.h"

typedef struct Case {
  const char *hint, *operation;
  const char *text[2]; /* broken, followed */
  int line;
} Case;
typedef VEC(Case) Cases;
typedef VEC(const char *) Texts;

/* ---- what there is ---- */

/* "@(broken@|followed@)": one of the two. */
static const char *side(Arena *a, const char *text, size_t n, int which) {
  Buffer b = buffer_new(a);
  int in = -1;
  for (size_t i = 0; i < n; i++) {
    if (text[i] == '@' && i + 1 < n && strchr("(|)", text[i + 1])) {
      in = text[i + 1] == '(' ? 0 : text[i + 1] == '|' ? 1 : -1;
      i++;
    } else if (in < 0 || in == which) {
      buffer_putn(&b, &text[i], 1);
    }
  }
  return b.length ? b.text : "";
}

static const char *rest_of_line(Arena *a, const char *at) { return arena_strndup(a, at, strcspn(at, "\n")); }

/* "hint: ..", perhaps "operator: ..", then the text, up to the next hint. */
static Cases cases(Arena *a) {
  static const char hint[] = "hint: ", operation[] = "operator: ";
  const char *all = golden_source(a, "tests/hints/followed.txt")->text;
  Cases found = {0};
  for (const char *at = strstr(all, hint); at;) {
    Case c = {.hint = rest_of_line(a, at + sizeof hint - 1), .line = 1};
    for (const char *k = all; k < at; k++) c.line += *k == '\n';
    at += strcspn(at, "\n") + 1;
    if (strncmp(at, operation, sizeof operation - 1) == 0) {
      c.operation = rest_of_line(a, at + sizeof operation - 1);
      at += strcspn(at, "\n") + 1;
    }
    const char *end = strstr(at, "\nhint: ");
    const size_t n = end ? (size_t)(end - at) : strlen(at);
    for (int which = 0; which < 2; which++) c.text[which] = side(a, at, n, which);
    vec_push(a, &found, c);
    at = end ? end + 1 : NULL;
  }
  return found;
}

/* Hints as the sources have them, a line each; "#" begins a remark. */
static Texts elsewhere(Arena *a) {
  Texts found = {0};
  const char *at = golden_source(a, "tests/hints/elsewhere.txt")->text;
  for (; *at; at += strcspn(at, "\n") + 1)
    if (*at != '#' && *at != '\n') vec_push(a, &found, rest_of_line(a, at));
  return found;
}

/* ---- what the sources have ---- */

static const char *past_quoted(const char *at) {
  const char quote = *at++;
  while (*at != quote) at += *at == '\\' ? 2 : 1;
  return at + 1;
}

/* The texts in [at, end), those that stand side by side as one, without escapes. */
static void add_texts(Arena *a, const char *at, const char *end, Texts *to) {
  while (at < end) {
    if (*at == '\'') at = past_quoted(at);
    else if (*at == '"') {
      Buffer b = buffer_new(a);
      while (at < end && *at == '"') {
        const char *past = past_quoted(at);
        for (const char *k = at + 1; k < past - 1; k++)
          if (*k != '\\' || *++k != '\0') buffer_putn(&b, k, 1);
        at = past + strspn(past, " \n");
      }
      if (b.length) vec_push(a, to, b.text);
    } else at++;
  }
}

/* Behind the argument that begins at `at'. */
static const char *past_argument(const char *at) {
  for (int deep = 0; deep || !strchr(",)};", *at);) {
    if (*at == '"' || *at == '\'') {
      at = past_quoted(at);
      continue;
    }
    deep += (strchr("([{", *at) != NULL) - (strchr(")]}", *at) != NULL);
    at++;
  }
  return at;
}

static void add_arguments(Arena *a, const char *text, const char *call, int which, Texts *to) {
  for (const char *at = text; (at = strstr(at, call)) != NULL;) {
    const bool whole = at == text || !(strchr("_", at[-1]) || (at[-1] >= 'a' && at[-1] <= 'z'));
    at += strlen(call);
    const char *begin = at;
    int k = 0;
    for (; whole && k < which; k++) {
      const char *end = past_argument(begin);
      if (*end != ',') break;
      begin = end + 1;
    }
    if (whole && k == which) add_texts(a, begin, past_argument(begin), to);
  }
}

/* The last of each row of a table. */
static void add_rows(Arena *a, const char *text, const char *table, Texts *to) {
  const char *at = strstr(text, table);
  const char *end = at ? strstr(at, "};") : NULL;
  for (at = at ? strchr(at, '{') + 1 : NULL; at && (at = strchr(at, '{')) != NULL && at < end;) {
    const char *row = at + 1, *last = row;
    for (row = past_argument(row); *row == ','; row = past_argument(last)) last = row + 1;
    add_texts(a, last, row, to);
    at = row;
  }
}

static Texts hints_of_sources(Arena *a) {
  static const struct { const char *ending, *call; int which;
  } calls[] = {{".c", "diagnostics_add(", 3}, {".c", "convert_refuse(", 2}, {".c", "refuse_at(", 3},
               {".c", "compile_refuse(", 2},  {"/front.c", "refuse(", 2},   {"/classify.c", "refuse(", 2},
               {"/writes.c", "refuse(", 2},   {"/shape.c", "refuse(", 1},   {"/scan.c", "refuse(", 3}};
  static const char *const folders[] = {"compiler/front", "compiler/compose", "compiler/driver"};
  Texts found = {0};
  for (int f = 0; f < 3; f++) {
    int n;
    const char **files = golden_files(a, folders[f], ".c", &n);
    for (int i = 0; i < n; i++) {
      const char *text = golden_source(a, files[i])->text;
      for (size_t k = 0; k < sizeof calls / sizeof *calls; k++) {
        const size_t own = strlen(files[i]), ending = strlen(calls[k].ending);
        if (own > ending && strcmp(files[i] + own - ending, calls[k].ending) == 0 && (f == 0 || k < 4))
          add_arguments(a, text, calls[k].call, calls[k].which, &found);
      }
      for (const char *at = text; (at = strstr(at, " hint =")) != NULL;) {
        const char *end = past_argument(at);
        add_texts(a, at, end, &found);
        at = end;
      }
      if (f) continue;
      add_rows(a, text, "rewordings[] = {", &found);
      add_rows(a, text, "} rows[] = {", &found);
    }
  }
  return found;
}

/* "did you mean `%s'?" as a pattern of names. */
static const char *pattern_of(Arena *a, const char *hint) {
  Buffer b = buffer_new(a);
  for (; *hint; hint++) {
    if (*hint == '%') {
      hint += 1 + strspn(hint + 1, ".*0123456789l");
      buffer_puts(&b, "*");
    } else {
      if (strchr("*?[]\\", *hint)) buffer_puts(&b, "\\");
      buffer_putn(&b, hint, 1);
    }
  }
  return b.text;
}

/* ---- the tests ---- */

/* The last spectrum of the text, which maps between steps are not (front/extract.c). */
static Spectrum *last_declared(const Unit *u, const SourceFile *f) {
  Spectrum *last = u->spectra[0];
  for (int i = 1; i < u->nspectra; i++) {
    Spectrum *s = u->spectra[i];
    if (strncmp(f->text + s->where.begin, s->name, strlen(s->name)) == 0) last = s;
  }
  return last;
}

/* As far as tgc would get before it writes texts: some plan for sm_60 completes. The last spectrum is compiled. */
static bool compiles(Arena *a, const Case *c, int which, Diagnostics *d) {
  static const char *names[] = {"int", "float"};
  const ElementType *both[] = {element_by_name("int"), element_by_name("float")}, **types = both;
  int n = 2;
  SourceFile *f = arena_one(a, SourceFile);
  *f = (SourceFile){.path = "hint.cdl", .text = c->text[which], .size = strlen(c->text[which])};
  f = include_follow(a, &f, 1, d);
  Unit *u = f ? front_parse(a, f, names, n, c->operation, d) : NULL;
  if (!u) return false;
  Spectrum *s = last_declared(u, f);
  if (s->monoid) types = monoid_elements(a, s->monoid, "hint", types, &n);
  element_note(a, s, types, n);
  SearchReport report;
  for (int i = 0; i < u->nspectra; i++)
    for (int k = 0; k < u->spectra[i]->ncodelets; k++) {
      const Codelet *x = u->spectra[i]->codelets[k];
      if (x->kind == CLASS_COMPOUND && !front_compound(x, d)) return false;
    }
  return codelet_passes_run(a, u, 32, 1024, d) &&
         plan_search(a, s, spectra_machine(a, "sm_60", NULL), &(SearchOptions){0}, &report, d).list.n && !d->errors;
}

static bool shows(const Diagnostics *d, const char *hint) {
  for (int i = 0; i < d->list.n; i++)
    if (d->list.at[i].hint && strcmp(d->list.at[i].hint, hint) == 0) return true;
  return false;
}

static void hints_that_are_followed_lead_to_codelets_that_compile(void **state) {
  (void)state;
  int wrong = 0;
  Arena *a = arena_new();
  const Cases all = cases(a);
  assert_true(all.n > 0);
  for (int i = 0; i < all.n; i++) {
    const Case *c = &all.at[i];
    Diagnostics *d = diagnostics_new(a), *after = diagnostics_new(a);
    compiles(a, c, 0, d);
    if (!shows(d, c->hint)) {
      print_error("line %d: \"%s\" is not shown:\n%s\n", c->line, c->hint, golden_diagnostics(a, d, 0));
      wrong++;
    }
    if (!compiles(a, c, 1, after)) {
      print_error("line %d: \"%s\" leads nowhere:\n%s\n", c->line, c->hint, golden_diagnostics(a, after, 0));
      wrong++;
    }
  }
  arena_free(a);
  assert_int_equal(wrong, 0);
}

static void each_hint_is_followed(void **state) {
  (void)state;
  Arena *a = arena_new();
  const Cases followed = cases(a);
  const Texts other = elsewhere(a), sources = hints_of_sources(a);
  int wrong = 0;
  assert_true(sources.n > 100);
  for (int i = 0; i < sources.n; i++) {
    const char *pattern = pattern_of(a, sources.at[i]);
    bool known = false;
    for (int k = 0; k < followed.n && !known; k++) known = fnmatch(pattern, followed.at[k].hint, 0) == 0;
    for (int k = 0; k < other.n && !known; k++) known = strcmp(sources.at[i], other.at[k]) == 0;
    if (!known) print_error("tests/hints/followed.txt lacks: %s\n", sources.at[i]), wrong++;
  }
  for (int k = 0; k < other.n; k++) {
    bool there = false;
    for (int i = 0; i < sources.n && !there; i++) there = strcmp(sources.at[i], other.at[k]) == 0;
    if (!there) print_error("tests/hints/elsewhere.txt has what is no hint: %s\n", other.at[k]), wrong++;
  }
  arena_free(a);
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hints_that_are_followed_lead_to_codelets_that_compile),
      cmocka_unit_test(each_hint_is_followed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
