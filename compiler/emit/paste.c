/* paste.c: a small preprocessor. It expands the parameters of one file and leaves all else (other macros, #ifdef
 * __CUDA_ARCH__, #pragma) to the compiler that gets the text. So a file compiled alone, where its head defines the
 * parameters, means the same as pasted (runtime/device/README.md). */
#include "emit/paste.h"

#include <assert.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ARGUMENTS = 4 };

typedef struct Slice { const char *at; size_t length; } Slice;

typedef struct Parameter {
  Slice name;
  Slice arguments[MOST_ARGUMENTS]; /* their names */
  int narguments;                  /* -1: an object-like macro */
  const char *value;               /* NULL: not given */
} Parameter;

typedef VEC(Parameter) Parameters;

/* ---- text ---- */

static bool in_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static Slice word_at(const char *at) {
  Slice s = {at, 0};
  while (in_word(at[s.length])) s.length++;
  return s;
}

static bool slices_equal(Slice x, Slice y) { return x.length == y.length && memcmp(x.at, y.at, x.length) == 0; }
static bool begins(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

static const char *next_line(const char *at) {
  const char *end = strchr(at, '\n');
  return end ? end + 1 : at + strlen(at);
}

/* ---- the head: which parameters there are ---- */

static Parameter defined_at(const char *at) {
  Parameter p = {.name = word_at(at), .narguments = -1};
  const char *c = at + p.name.length;
  if (*c != '(') return p;
  p.narguments = 0;
  while (*c != ')') {
    c += 1 + strspn(c + 1, " ");
    assert(p.narguments < MOST_ARGUMENTS);
    p.arguments[p.narguments] = word_at(c);
    c += p.arguments[p.narguments++].length;
  }
  return p;
}

static Parameter *find(const Parameters *all, Slice name) {
  for (int i = 0; i < all->n; i++)
    if (slices_equal(all->at[i].name, name)) return &all->at[i];
  return NULL;
}

/* Reads the head; returns where the text to be pasted begins. */
static const char *read_head(Arena *a, const char *file, Parameters *all) {
  static const char define[] = "#define ";
  for (const char *line = file; *line; line = next_line(line)) {
    if (begins(line, "// ----")) return next_line(line);
    const char *at = line + strspn(line, " ");
    if (!begins(at, define)) continue;
    const Parameter p = defined_at(at + strlen(define));
    if (!find(all, p.name)) vec_push(a, all, p);
  }
  assert(!"no line of dashes ends the file's head");
  return "";
}

/* ---- #if ---- */

typedef struct Condition {
  const Parameters *all;
  const char *at, *end;
  bool known; /* only parameters so far */
} Condition;

static bool any_of(Condition *c);

static void skip_spaces(Condition *c) {
  while (c->at < c->end && *c->at == ' ') c->at++;
}

static bool skip(Condition *c, const char *sign) {
  skip_spaces(c);
  if (!begins(c->at, sign)) return false;
  c->at += strlen(sign);
  return true;
}

static bool term(Condition *c) {
  if (skip(c, "!")) return !term(c);
  if (skip(c, "(")) {
    const bool value = any_of(c);
    c->known &= skip(c, ")");
    return value;
  }
  skip_spaces(c);
  const Slice name = word_at(c->at);
  const Parameter *p = find(c->all, name);
  c->at += name.length;
  c->known &= p != NULL;
  return p && p->value && strcmp(p->value, "0") != 0;
}

static bool all_of(Condition *c) {
  bool value = term(c);
  while (skip(c, "&&")) value &= term(c);
  return value;
}

static bool any_of(Condition *c) {
  bool value = all_of(c);
  while (skip(c, "||")) value |= all_of(c);
  return value;
}

/* Is it a condition on parameters alone? Then *holds is its value. */
static bool resolve(const Parameters *all, const char *at, bool *holds) {
  Condition c = {all, at, strchr(at, '\n'), true};
  *holds = any_of(&c);
  skip_spaces(&c);
  return c.known && c.at == c.end;
}

/* ---- words ---- */

static void expand(Buffer *to, const Parameters *all, Slice text);

/* `value` with the arguments' texts in place of their names, joined where ## stands. */
static void put_call(Buffer *to, const Parameter *p, const char *const *texts) {
  for (const char *at = p->value; *at;) {
    if (begins(at, "##")) {
      at += 2;
      continue;
    }
    const Slice word = word_at(at);
    int i = 0;
    while (i < p->narguments && !slices_equal(word, p->arguments[i])) i++;
    if (word.length && i < p->narguments) buffer_puts(to, texts[i]);
    else buffer_putn(to, at, word.length ? word.length : 1);
    at += word.length ? word.length : 1;
  }
}

/* The call's arguments, which begin at `at`, behind the parenthesis; returns where it ends. */
static const char *read_arguments(Buffer *to, const Parameters *all, const Parameter *p, const char *at) {
  const char *texts[MOST_ARGUMENTS], *begin = at;
  int depth = 0, n = 0;
  for (;; at++) {
    assert(*at);
    if ((*at == ',' || *at == ')') && depth == 0) {
      Buffer text = buffer_new(to->arena);
      expand(&text, all, (Slice){begin, (size_t)(at - begin)});
      assert(n < p->narguments);
      texts[n++] = text.length ? text.text : "";
      begin = at + 1 + strspn(at + 1, " ");
      if (*at == ')') break;
    }
    depth += (*at == '(') - (*at == ')');
  }
  assert(n == p->narguments);
  put_call(to, p, texts);
  return at + 1;
}

static void expand(Buffer *to, const Parameters *all, Slice text) {
  for (const char *at = text.at, *end = at + text.length; at < end;) {
    const Slice word = word_at(at);
    const Parameter *p = word.length ? find(all, word) : NULL;
    if (!p || (p->narguments >= 0 && word.at[word.length] != '(')) {
      const size_t joins = begins(at, "##") ? 2 : 0;
      if (!joins) buffer_putn(to, at, word.length ? word.length : 1);
      at += joins ? joins : word.length ? word.length : 1;
      continue;
    }
    assert(p->value && "a parameter of the text is not given");
    at += word.length;
    if (p->narguments >= 0) at = read_arguments(to, all, p, at + 1);
    else if (*p->value) buffer_puts(to, p->value);
    else if (*at == ' ') at++;
  }
}

/* ---- files ---- */

/* One #if that is open. */
typedef struct Open {
  bool resolved; /* on parameters alone: the directives are dropped */
  bool taken;    /* has a branch been taken? */
  bool outside;  /* are the lines around it pasted? */
} Open;

/* A line that begins with #; pasted if it is the compiler's. Returns whether the lines after it are pasted. */
static bool directive(Buffer *to, const Parameters *all, Open *stack, int *depth, Slice line, bool pasting) {
  bool holds = false;
  if (begins(line.at, "#if")) {
    const bool resolved = begins(line.at, "#if ") && resolve(all, line.at + strlen("#if "), &holds);
    stack[(*depth)++] = (Open){resolved, holds, pasting};
    if (resolved) return pasting && holds;
  } else if (*depth && begins(line.at, "#el")) {
    Open *o = &stack[*depth - 1];
    if (o->resolved) {
      if (begins(line.at, "#else")) holds = true;
      else resolve(all, line.at + strlen("#elif "), &holds);
      const bool now = holds && !o->taken;
      o->taken |= now;
      return o->outside && now;
    }
  } else if (*depth && begins(line.at, "#endif")) {
    const Open o = stack[--*depth];
    if (o.resolved) return o.outside;
  }
  if (pasting) expand(to, all, line);
  return pasting;
}

static void paste_lines(Buffer *to, const Parameters *all, const char *text) {
  enum { DEEPEST = 8 };
  Open stack[DEEPEST];
  int depth = 0;
  bool pasting = true;
  while (*text) {
    const char *next = next_line(text);
    const Slice line = {text, (size_t)(next - text)};
    assert(depth < DEEPEST);
    if (*text == '#') pasting = directive(to, all, stack, &depth, line, pasting);
    else if (pasting) expand(to, all, line);
    text = next;
  }
  assert(depth == 0);
}

void paste(Buffer *to, const char *file, ...) {
  Parameters all = {0};
  const char *text = read_head(to->arena, file, &all);
  va_list given;
  va_start(given, file);
  for (const char *name; (name = va_arg(given, const char *)) != NULL;) {
    Parameter *p = find(&all, (Slice){name, strlen(name)});
    assert(p && "the file's head does not define it");
    p->value = va_arg(given, const char *);
  }
  va_end(given);
  paste_lines(to, &all, text);
}

void paste_with(Buffer *to, const char *text, bool has_head, const Defines *given) {
  Parameters all = {0};
  if (has_head) text = read_head(to->arena, text, &all);
  for (int i = 0; i < given->n; i++) {
    Parameter own = defined_at(given->at[i].macro), *p = find(&all, own.name);
    if (!p) vec_push(to->arena, &all, own);
    if (!p) p = &all.at[all.n - 1];
    p->value = given->at[i].value;
  }
  if (has_head) paste_lines(to, &all, text);
  else expand(to, &all, (Slice){text, strlen(text)});
}

const char *paste_if(bool wanted) { return wanted ? "1" : "0"; }
