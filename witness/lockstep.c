/* lockstep.c: cooperative bodies: shared variables are the team's; a point ahead of each statement, and one between its
 * reads and its writes (lanes.h). */
#include "preparation.h"

#include <stdio.h>
#include <stdlib.h>

/* What shared variables of a spectrum start at, as its sequential codelet has it: the neutral value of what it
 * accumulates by. T: the variable's type. */
static const char *identity_of(Preparation *p, const char *spectrum) {
  File *f = NULL;
  const Codelet *c = codelets_applied(p, spectrum, &f);
  for (int i = c ? c->body + 1 : 0; c && i < c->end; i++) {
    const Word *w = &f->word[i], *next = &f->word[i + 1];
    if (c->is.operators && is(w, "M") && is(next, "::")) return "M::id()";
    if (c->is.kind != PREPARED_AUTONOMOUS) continue;
    if (is(w, "max") && is(next, "(")) return "::tgc::lowest<%s>()";
    if (is(w, "min") && is(next, "(")) return "::tgc::highest<%s>()";
    if (is(w, "*=")) return "%s(1)";
    if (is(w, "&=")) return "%s(-1)";
    if (is(w, "if") && is(next, "(")) { /* if (in[i] > best) best = in[i]; */
      for (int k = i + 2; k < f->word[i + 1].mate; k++) {
        const bool greater = is(&f->word[k], ">") || is(&f->word[k], ">=");
        if (!greater && !is(&f->word[k], "<") && !is(&f->word[k], "<=")) continue;
        const int close = f->word[i + 1].mate;
        const bool first = same(&f->word[i + 2], &f->word[close + 3 < c->end ? close + 3 : close]);
        return greater == first ? "::tgc::lowest<%s>()" : "::tgc::highest<%s>()";
      }
    }
  }
  return "%s(0)";
}

/* The words from `first' to `last' as they stand, on one line; of `float' and `double' what stands for them. */
static char *copy_type(const File *f, int first, int last) {
  Text t = {0};
  text_put(&t, "", 0);
  for (int i = first; i <= last; i++) {
    const Word *w = &f->word[i];
    const char *const apart = i > first && w->kind == WORD_NAME && f->word[i - 1].kind == WORD_NAME ? " " : "";
    if (is(w, "float")) text_say(&t, "%sFloat", apart);
    else if (is(w, "double")) text_say(&t, "%sDouble", apart);
    else text_say(&t, "%s%.*s", apart, w->length, w->at);
  }
  return t.at;
}

/* The operation of `__shared_atomicAdd', `__shared __atomicAdd', `__shared_atomic(M)': Add, M; NULL: plain. `*i' is the
 * word behind. */
static char *shared_operation(const File *f, int *i) {
  char *operation = NULL;
  for (; is_note(&f->word[*i]); ++*i) {
    const Word *w = &f->word[*i];
    const char *atomic = memmem(w->at, (size_t)w->length, "atomic", 6);
    const bool list = is(&f->word[*i + 1], "(") && f->word[*i + 1].mate > *i + 2;
    if (atomic && w->at + w->length > atomic + 6) {
      const Word name = {WORD_NAME, atomic + 6, (int)(w->at + w->length - (atomic + 6)), w->line, -1};
      free(operation);
      operation = words_copy(&name);
    } else if (list) {
      free(operation);
      operation = copy_type(f, *i + 2, f->word[*i + 1].mate - 1);
    }
    if (is(&f->word[*i + 1], "(")) *i = f->word[*i + 1].mate;
  }
  return operation;
}

/* `__shared T a[n];', `__shared_atomicAdd T x;': the team's. Gives the word behind the declaration's name and size. */
static int shared_declaration(Preparation *p, File *f, const Codelet *c, int first) {
  static const char *const known[] = {"Add", "Sub", "Max", "Min", NULL};
  int name = first;
  char *operation = shared_operation(f, &name);
  const int type = name;
  while (f->word[name + 1].kind == WORD_NAME || is(&f->word[name + 1], "::")) name++;
  if (name == type || name >= c->end) {
    words_fail(p, f, f->word[first].line, "a shared variable without a type and a name");
    free(operation);
    return first + 1;
  }
  char *of = copy_type(f, type, name - 1);
  const int place = ++p->place;
  const Word *n = &f->word[name], *next = &f->word[name + 1];
  const bool array = is(next, "["), once = is(&f->word[first], "__shared_once");
  Text start = {0}; /* the type of it, and what it starts from */
  for (int i = 0; operation && known[i]; i++)
    if (strcmp(operation, known[i]) == 0) text_say(&start, "::tgc::%s<%s>", i == 0 ? "Sum" : known[i], of);
  if (operation && !start.at) text_say(&start, "%s", operation);
  if (!operation) text_say(&start, identity_of(p, c->is.spectrum), of);
  if (array && operation)
    edit_replace(f, first, name, "::tgc::SharedAtomics<%s, %s> %.*s", start.at, of, n->length, n->at);
  else if (array && once) edit_replace(f, first, name, "::tgc::SharedOnce<%s> %.*s", of, n->length, n->at);
  else if (array) edit_replace(f, first, name, "::tgc::SharedArray<%s> %.*s", of, n->length, n->at);
  else if (operation)
    edit_replace(f, first, name, "::tgc::SharedAtomic<%s, %s> %.*s(%d)", start.at, of, n->length, n->at, place);
  else
    edit_replace(f, first, name, "%s &%.*s = ::tgc::shared_variable<%s>(%d, %s)", of, n->length, n->at, of, place,
                 start.at);
  if (array) {
    edit_replace(f, name + 1, name + 1, "(%d, ", place);
    if (operation || once) edit_replace(f, next->mate, next->mate, ")");
    else edit_replace(f, next->mate, next->mate, ", %s)", start.at);
  }
  free(start.at);
  free(of);
  free(operation);
  return array ? next->mate + 1 : name + 1;
}

/* ---- cooperative bodies: a point ahead of each statement, and one between its reads and its writes ---- */

static int lockstep(Preparation *p, File *f, const Codelet *c, int i);

static int statement_end(const File *f, int i) {
  for (; !is(&f->word[i], ";") && f->word[i].kind != WORD_END; i++) {
    if (is(&f->word[i], "}")) break;
    if (f->word[i].mate > i) i = f->word[i].mate;
  }
  return i;
}

static bool is_shared_name(const File *f, const Codelet *c, int word) {
  for (int i = c->body + 1; i < word; i++)
    if (begins(&f->word[i], "__shared") && !memmem(f->word[i].at, (size_t)f->word[i].length, "atomic", 6) &&
        !is_note(&f->word[i + 1])) {
      int k = i + 1;
      while (f->word[k + 1].kind == WORD_NAME || is(&f->word[k + 1], "::")) k++;
      if (same(&f->word[k], &f->word[word])) return true;
    }
  return false;
}

/* Does the index of what is written read the same container, `a[a[i]] = e'? */
static bool indexed_by_itself(const File *f, int first, int at) {
  for (int i = first + 1; i < at; i++)
    if (same(&f->word[i], &f->word[first])) return true;
  return false;
}

/* `x = e': x = then(n, e); of what is shared `x += e': x = then(n, x + (e)). */
static void split_assignment(Preparation *p, File *f, const Codelet *c, int first, int end) {
  static const char *const assigns[] = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", NULL};
  int at = first;
  for (; at < end && !is_one_of(&f->word[at], assigns); at++)
    if (f->word[at].mate > at) at = f->word[at].mate;
  if (at >= end || at == first || at + 1 == end) return;
  const int point = ++p->point;
  const Word *w = &f->word[at];
  if (w->length > 1 && is_shared_name(f, c, first))
    edit_replace(f, at, at, "= ::tgc::then(%d, (%.*s) %.*s (", point, (int)(behind(f, at - 1) - before(f, first)),
                 before(f, first), w->length - 1, w->at);
  else edit_insert(f, behind(f, at), " ::tgc::then(%d, %s", point, "(");
  edit_insert(f, behind(f, end - 1), "))");
  if (!indexed_by_itself(f, first, at)) return;
  edit_insert(f, before(f, first), "{ auto &&written = ");
  edit_insert(f, behind(f, at - 1), "; written");
  edit_insert(f, behind(f, end), " }");
}

/* The next `;' that stands in no brackets; `end' or behind: there is none. */
static int semicolon(const File *f, int i, int end) {
  while (i < end && !is(&f->word[i], ";")) i = f->word[i].mate > i ? f->word[i].mate + 1 : i + 1;
  return i;
}

static int lockstep_for(Preparation *p, File *f, const Codelet *c, int i) {
  const int open = i + 1, close = f->word[open].mate;
  const int first = semicolon(f, open + 1, close), second = semicolon(f, first + 1, close);
  if (second >= close) {
    words_fail(p, f, f->word[i].line, "a loop without a condition");
    return close + 1;
  }
  edit_insert(f, behind(f, first), " ::tgc::step(%d), %s", ++p->point, second == first + 1 ? "true" : "(");
  if (second > first + 1) edit_insert(f, before(f, second), ")");
  edit_insert(f, behind(f, close), " {");
  const int next = lockstep(p, f, c, close + 1);
  edit_insert(f, behind(f, next - 1), " ::tgc::step(%d); }", ++p->point);
  return next;
}

static int lockstep_if(Preparation *p, File *f, const Codelet *c, int i) {
  const int close = f->word[i + 1].mate;
  edit_insert(f, behind(f, close), " {");
  int next = lockstep(p, f, c, close + 1);
  edit_insert(f, behind(f, next - 1), " }");
  if (!is(&f->word[next], "else")) return next;
  edit_insert(f, behind(f, next), " {");
  next = lockstep(p, f, c, next + 1);
  edit_insert(f, behind(f, next - 1), " }");
  return next;
}

static bool declares(const File *f, int i) {
  while (is(&f->word[i], "const") || is(&f->word[i], "static")) i++;
  if (f->word[i].kind != WORD_NAME || is(&f->word[i], "return")) return false;
  for (i++; is(&f->word[i], "::") || is(&f->word[i], "<"); ) {
    if (is(&f->word[i], "<")) {
      i = words_behind_arguments(f, i);
      if (i < 0) return false;
    } else i += 2;
  }
  return f->word[i].kind == WORD_NAME;
}

static int lockstep_statement(Preparation *p, File *f, const Codelet *c, int i) {
  if (p->error) return i + 1;
  if (i >= c->end) {
    words_fail(p, f, f->word[i].line, "a statement is missing");
    return i + 1;
  }
  const Word *w = &f->word[i];
  if (is(w, "{")) {
    int at = i + 1;
    while (at < w->mate && !p->error) at = lockstep(p, f, c, at);
    return w->mate + 1;
  }
  if (is(w, ";")) return i + 1;
  edit_insert(f, before(f, i), "::tgc::step(%d); ", ++p->point);
  const bool head = is(&f->word[i + 1], "(") && f->word[i + 1].mate > 0;
  if (is(w, "if") && head) return lockstep_if(p, f, c, i);
  if (is(w, "for") && head) return lockstep_for(p, f, c, i);
  if (is(w, "while") || is(w, "do") || is(w, "switch") || is(w, "goto")) {
    words_fail(p, f, w->line, "lanes know `if' and `for'");
    return i + 1;
  }
  if (begins(w, "__shared")) {
    const int end = statement_end(f, shared_declaration(p, f, c, i));
    return end + 1;
  }
  const int end = statement_end(f, i);
  if (!is(&f->word[end], ";")) {
    words_fail(p, f, w->line, "a statement does not end");
    return end + 1;
  }
  if (!is(w, "return") && !declares(f, i)) split_assignment(p, f, c, i, end);
  return end + 1;
}

/* The word behind the statement that begins at word i. */
static int lockstep(Preparation *p, File *f, const Codelet *c, int i) {
  if (++p->depth > 2 * DEEPEST)
    words_fail(p, f, f->word[i].line, "statements in statements in statements: more than 512");
  const int next = lockstep_statement(p, f, c, i);
  --p->depth;
  return next;
}

void lockstep_cooperate(Preparation *p, File *f, const Codelet *c) {
  char *result = copy_type(f, c->result_first, c->name - 1);
  edit_insert(f, behind(f, c->body), " return ::tgc::together<%s>([=]() mutable -> %s {", result, result);
  free(result);
  p->point = 0;
  for (int i = c->body + 1; i < c->end && !p->error;) i = lockstep(p, f, c, i);
  edit_insert(f, before(f, c->end), "}); ");
}
