/* positions.c: what comes from a size, is compared with one or indexes a container is 64 bits wide; other whole numbers
 * stay as they are called. Where C++ would wrap an unsigned position, the compiler refuses the text, or it does not
 * show. */
#include "preparation.h"

#include <stdlib.h>

/* Whole numbers of a codelet's own and its parameters: the words of a type, and whether a name is a position's. Of one
 * name, all are or none. */
typedef struct Whole { int first, last; Word name; bool wide; } Whole;
typedef struct Wholes { Whole *at; int n; } Wholes; /* sorted by name, then by place */

bool positions_is_whole_type(const Word *w) {
  static const char *const types[] = {"unsigned", "int", "long", "short", "signed", NULL};
  return is_one_of(w, types);
}

static int by_whole(const void *x, const void *y) {
  const Whole *a = x, *b = y;
  const int order = words_by_name(&a->name, &b->name);
  return order ? order : a->first - b->first;
}

static void find_wholes(const File *f, const Codelet *c, Wholes *to) {
  for (int i = c->open + 1; i < c->end; i++) {
    if (!positions_is_whole_type(&f->word[i]) || is(&f->word[i - 1], "<")) continue;
    if (i > c->close && is(&f->word[i - 1], "(") && !is(&f->word[i - 2], "for")) continue; /* a cast */
    int first = i;
    while (positions_is_whole_type(&f->word[i])) i++;
    const Word *next = &f->word[i + 1];
    if (f->word[i].kind != WORD_NAME) continue;
    if (!(is(next, "=") || is(next, ";") || is(next, ",") || is(next, ")"))) continue;
    int last = i - 1;
    MORE(to->at, to->n);
    to->at[to->n++] = (Whole){first, last, f->word[i], false};
    for (int k = i; i > c->close && !is(&f->word[k], ";") && f->word[k].kind != WORD_END; k++) { /* int i = 0, n = .. */
      if (f->word[k].mate > k) k = f->word[k].mate;
      else if (is(&f->word[k], ",") && f->word[k + 1].kind == WORD_NAME) {
        MORE(to->at, to->n);
        to->at[to->n++] = (Whole){first, last, f->word[k + 1], false};
      }
    }
  }
  if (to->n) qsort(to->at, (size_t)to->n, sizeof *to->at, by_whole);
}

/* The first one of a word's name, which says whether all are positions; NULL: it is none. */
static Whole *whole_of(const File *f, Wholes *all, int word) {
  int low = 0, high = all->n;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (words_by_name(&all->at[middle].name, &f->word[word]) < 0) low = middle + 1;
    else high = middle;
  }
  return low < all->n && same(&all->at[low].name, &f->word[word]) ? &all->at[low] : NULL;
}

static bool is_position(const File *f, Wholes *all, int i) {
  static const char *const sizes[] = {"Size", "size", "Stride", "MaxSize", "LaneId", "VectorId", "ThreadId", "coopIdx",
                                      "coopDim", "Index", NULL};
  const Word *w = &f->word[i];
  if (w->kind != WORD_NAME) return false;
  if (is_one_of(w, sizes)) return true;
  const Whole *x = whole_of(f, all, i);
  return x && x->wide && !is(&f->word[i - 1], ".");
}

/* Where the brackets that begin at word i end, if they are an index or a call's arguments, which are others' affair;
 * else i. */
static int behind_others(const File *f, int first, int i) {
  const Word *w = &f->word[i], *callee = &f->word[i - 1];
  const bool call = is(w, "(") && i > first && callee->kind == WORD_NAME && !is(callee, "return");
  return w->mate > i && (is(w, "[") || call) ? w->mate : i;
}

/* From `first' to `last', one expression or statement without brackets around it: is there a position, or a call that
 * gives one? */
static bool has_position(const File *f, Wholes *all, int first, int last) {
  for (int i = first; i <= last; i = behind_others(f, first, i) + 1)
    if (is_position(f, all, i) ||
        (behind_others(f, first, i) > i && is(&f->word[i], "(") && is_position(f, all, i - 1)))
      return true;
  return false;
}

/* What is compared with a position or given one is a position, too. */
static bool widen_run(const File *f, Wholes *all, int first, int last) {
  static const char *const joins[] = {"=", "+=", "-=", "*=", "/=", "%=", "<", ">", "<=", ">=", "==", "!=", NULL};
  bool joined = false, changed = false;
  for (int i = first; i <= last; i = behind_others(f, first, i) + 1) joined |= is_one_of(&f->word[i], joins);
  if (!joined || !has_position(f, all, first, last)) return false;
  for (int i = first; i <= last; i = behind_others(f, first, i) + 1) {
    Whole *x = f->word[i].kind == WORD_NAME ? whole_of(f, all, i) : NULL;
    if (x && !x->wide) x->wide = changed = true;
  }
  return changed;
}

/* The word behind the `=' in `first' to `last', if there is one; else `first'. */
static int behind_assignment(const File *f, int first, int last) {
  for (int i = first; i <= last; i = behind_others(f, first, i) + 1)
    if (is(&f->word[i], "=")) return i + 1;
  return first;
}

/* Once through a body, run by run: expressions and statements up to what parts them. Of `n = c ? a : b', c is a run of
 * its own, and n is given a and b. */
static bool widen_body(const File *f, const Codelet *c, Wholes *all) {
  static const char *const parts[] = {";", "{", "}", "?", ":", "&&", "||", ",", NULL};
  static const char *const heads[] = {"for", "if", NULL};
  bool changed = false;
  int first = c->body + 1, given = -1; /* the n of `n = c ? ..' */
  for (int i = first; i <= c->end; i++) {
    const Word *w = &f->word[i];
    const bool opens = is(w, "(") && is_one_of(&f->word[i - 1], heads);
    const bool closes = is(w, ")") && w->mate > 0 && is_one_of(&f->word[w->mate - 1], heads);
    if (!opens && !closes && !is_one_of(w, parts)) continue;
    if (is(w, "?")) {
      const int behind_name = behind_assignment(f, first, i - 1);
      if (behind_name >= first + 2) given = behind_name - 2;
      first = behind_name;
    }
    if (i > first && !opens) {
      Whole *x = given >= 0 && !is(w, "?") ? whole_of(f, all, given) : NULL;
      if (x && !x->wide && has_position(f, all, first, i - 1)) x->wide = changed = true;
      changed |= widen_run(f, all, first, i - 1);
    }
    if (!is(w, "?") && !is(w, ":") && !is(w, "&&") && !is(w, "||")) given = -1;
    first = i + 1;
  }
  for (int i = c->body + 1; i < c->end; i++) /* conditions in parentheses of their own */
    if (is(&f->word[i], "(") && f->word[i].mate > i + 1 && !is_one_of(&f->word[i - 1], heads))
      changed |= widen_run(f, all, i + 1, f->word[i].mate - 1);
  return changed;
}

void positions_widen(File *f, Codelet *c) {
  Wholes all = {0};
  find_wholes(f, c, &all);
  for (int i = c->body + 1; i < c->end; i++) { /* what indexes a container */
    const Word *w = &f->word[i], *last = &f->word[i - 1];
    const bool index = is(w, "[") || (is(w, "(") && last->kind == WORD_NAME && codelets_is_local(c, last) &&
                                      !codelets_is_declared_here(f, c, i - 1));
    for (int k = i + 1; index && k < w->mate; k++) {
      Whole *x = f->word[k].kind == WORD_NAME ? whole_of(f, &all, k) : NULL;
      if (x) x->wide = true;
    }
  }
  while (widen_body(f, c, &all)) continue;
  bool *done = calloc((size_t)(c->end - c->open), sizeof *done); /* `int a, b;': one type */
  if (!done) abort();
  for (int i = 0, named = 0; i < all.n; i++) {
    const Whole *x = &all.at[i];
    if (!same(&all.at[named].name, &x->name)) named = i;
    if (!all.at[named].wide || done[x->first - c->open]) continue;
    done[x->first - c->open] = true;
    edit_replace(f, x->first, x->last, "Index");
  }
  free(done);
  free(all.at);
}
