/* shape.c: what `__shape' and `__like' say of a parameter's sizes.
 *
 *   __shape(A.Size(1), _)       an expression for each dimension, or _ where the size is free
 *   __like(x), __like(A, 0)     short for __shape(x.Size()), __shape(A.Size(0)); of A itself: each of its sizes
 *
 *   expression = term { ("+" | "-") term }
 *   term       = factor { "*" factor }
 *   factor     = number | "-" factor | "(" expression ")" | parameter "." ("Size" | "size") "(" [number] ")"
 *              | parameter, a whole number, which is a size by that
 *
 * What comes of an expression is one product of at most two sizes, so many times, another size, so many times, and a
 * constant: sizes that follow from others can then be checked by C functions, and drawn by whoever makes problems. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "front/convert.h"

enum { MOST_DEPTH = 32, MOST_CONSTANT = 1 << 30 };

/* One text that is read. */
typedef struct Reading {
  Converter *c;
  const Codelet *codelet;
  CXCursor where;
  const Symbol *parameter; /* whose sizes these are */
  const char *text, *at;   /* all of it; what is next */
  int depth;
  bool failed;
} Reading;

static void refuse(Reading *r, const char *hint, const char *message) {
  if (!r->failed) convert_refuse(r->c, r->where, hint, "%s", message);
  r->failed = true;
}

static void blanks(Reading *r) { r->at += strspn(r->at, " \t\n"); }

static bool take(Reading *r, char what) {
  blanks(r);
  if (*r->at != what) return false;
  r->at++;
  return true;
}

static void unclear(Reading *r) {
  if (strchr(r->text, '/') || strchr(r->text, '%'))
    refuse(r, "the shorter container first, and `__shape(2 * y.Size())'; or _, any size",
           arena_printf(r->c->a, "`%.60s' divides: what a size is to be follows from + - *", r->text));
  refuse(r, "__shape(A.Size(1), _), __shape(offsets.Size() - 1), __shape(2 * x.Size())",
         arena_printf(r->c->a,
                      "`%.60s' is not a size: sizes are + - * of earlier parameters, of their sizes and of integers",
                      r->text));
}

/* The earlier parameter of that name, which is a whole number; NULL: there is none. */
static const Symbol *earlier_number(const Reading *r, const char *name, size_t length) {
  for (int i = 0; i < r->codelet->nparams; i++) {
    const Symbol *p = r->codelet->params[i];
    if (!p->rank && !p->writable && (type_is_whole(p->type)) && strlen(p->name) == length &&
        strncmp(p->name, name, length) == 0)
      return p;
  }
  return NULL;
}

/* The earlier parameter of that name, which has such a dimension; NULL after an error. -1: it is not said which. */
static const Symbol *earlier(Reading *r, const char *name, size_t length, long dim) {
  const Symbol *of = NULL;
  Arena *a = r->c->a;
  for (int i = 0; i < r->codelet->nparams; i++) {
    const Symbol *p = r->codelet->params[i];
    if (strlen(p->name) == length && strncmp(p->name, name, length) == 0) of = p;
  }
  const char *called = arena_strndup(a, name, length);
  const bool itself = strcmp(called, r->parameter->name) == 0;
  if (itself)
    refuse(r, "__shape(x.Size()), with x before it", arena_printf(a, "`%s' has its own size as its size", called));
  else if (!of)
    refuse(r, "only earlier parameters can be named",
           arena_printf(a, "this codelet has no earlier parameter `%.60s'", called));
  else if (!of->rank)
    refuse(r, "__like(x), with a container x", arena_printf(a, "`%s' is not a container", called));
  else if (dim < 0 && of->rank > 1)
    refuse(r, of->rank == 2 ? "0, the rows, or 1, the columns" : "0, 1, ..: one of its dimensions",
           arena_printf(a, "`%.60s' does not say which dimension", r->text));
  else if (dim >= of->rank)
    refuse(r, of->rank == 2 ? "0, the rows, or 1, the columns"
              : of->rank > 2 ? "0, 1, ..: one of its dimensions" : arena_printf(a, "__like(%s)", called),
           arena_printf(a, "`%s' has no dimension %ld", called, dim));
  return r->failed ? NULL : of;
}

static ShapeRule of_parameter(const Symbol *of, long dim) {
  return (ShapeRule){.said = true, .times = 1, .of = {of}, .dim = {dim < 0 ? 0 : (int)dim}};
}

/* ---- arithmetic of rules ---- */

/* A rule is a sum of terms, one product of at most two sizes each. */
typedef struct Term { int64_t times; const Symbol *of[2]; int dim[2]; } Term;
typedef struct Terms { Term at[4]; int n; } Terms;

static bool is_constant(const ShapeRule *x) { return !x->of[0]; }

static ShapeRule number(int64_t n) { return (ShapeRule){.said = true, .plus = n}; }

static bool same_product(const Term *x, const Term *y) {
  return x->of[0] == y->of[0] && x->of[1] == y->of[1] && x->dim[0] == y->dim[0] &&
         (!x->of[1] || x->dim[1] == y->dim[1]);
}

static void add_term(Terms *to, Term x) {
  for (int i = 0; i < to->n; i++)
    if (same_product(&to->at[i], &x)) {
      to->at[i].times += x.times;
      return;
    }
  if (x.of[0]) to->at[to->n++] = x;
}

static void add_terms(Terms *to, const ShapeRule *x) {
  add_term(to, (Term){x->times, {x->of[0], x->of[1]}, {x->dim[0], x->dim[1]}});
  add_term(to, (Term){x->more, {x->of[SHAPE_ADDEND]}, {x->dim[SHAPE_ADDEND]}});
}

/* The first one is a product, or is added. */
static int rank(const Term *x) { return x->of[1] ? 2 : x->times > 0; }

static ShapeRule sum(Reading *r, ShapeRule x, ShapeRule y) {
  Terms all = {.n = 0};
  add_terms(&all, &x);
  add_terms(&all, &y);
  Term left[4];
  int n = 0;
  for (int i = 0; i < all.n; i++)
    if (all.at[i].times) left[n++] = all.at[i];
  if (n == 2 && rank(&left[1]) > rank(&left[0])) {
    const Term first = left[0];
    left[0] = left[1];
    left[1] = first;
  }
  if (n > 2 || (n == 2 && left[1].of[1]))
    refuse(r, "__shape(2 * x.Size() + 1), __shape(A.Size(0) * A.Size(1))",
           "a size is one product of sizes, another size, and a constant");
  ShapeRule made = number(x.plus + y.plus);
  if (n > 0) {
    made.times = left[0].times;
    for (int k = 0; k < 2; k++) made.of[k] = left[0].of[k], made.dim[k] = left[0].dim[k];
  }
  if (n > 1) made.more = left[1].times, made.of[SHAPE_ADDEND] = left[1].of[0], made.dim[SHAPE_ADDEND] = left[1].dim[0];
  return made;
}

static ShapeRule product(Reading *r, ShapeRule x, ShapeRule y) {
  if (is_constant(&y)) { ShapeRule other = x; x = y; y = other; }
  if (is_constant(&x)) { /* .. and y may be one too */
    y.times *= x.plus;
    y.more *= x.plus;
    y.plus *= x.plus;
    return x.plus ? y : number(0);
  }
  if (x.plus || y.plus || x.more || y.more || x.of[1] || y.of[1]) {
    refuse(r, "__shape(A.Size(0) * A.Size(1))", "a size is a product of two sizes at most");
    return x;
  }
  x.of[1] = y.of[0];
  x.dim[1] = y.dim[0];
  x.times *= y.times;
  return x;
}

static void bounded(Reading *r, const ShapeRule *x) {
  if (llabs(x->times) > MOST_CONSTANT || llabs(x->more) > MOST_CONSTANT || llabs(x->plus) > MOST_CONSTANT)
    refuse(r, NULL, arena_printf(r->c->a, "a number in `%.60s' is too large", r->text));
}

/* ---- reading ---- */

static ShapeRule expression(Reading *r);

static long whole_number(Reading *r) {
  char *end;
  long n = strtol(r->at, &end, 0);
  r->at = end + strspn(end, "uUlL");
  return n;
}

static ShapeRule size(Reading *r) {
  const char *name = r->at;
  size_t length = 0;
  while (isalnum((unsigned char)name[length]) || name[length] == '_') length++;
  r->at += length;
  long dim = -1;
  blanks(r);
  const Symbol *number_of = length && *r->at != '.' ? earlier_number(r, name, length) : NULL;
  if (number_of) return of_parameter(number_of, 0);
  bool well = length && take(r, '.');
  blanks(r);
  well = well && (strncmp(r->at, "Size", 4) == 0 || strncmp(r->at, "size", 4) == 0);
  if (well) r->at += 4;
  well = well && take(r, '(');
  blanks(r);
  if (well && isdigit((unsigned char)*r->at)) dim = whole_number(r);
  if (!well || !take(r, ')')) {
    unclear(r);
    return number(0);
  }
  const Symbol *of = earlier(r, name, length, dim);
  return of ? of_parameter(of, dim) : number(0);
}

static ShapeRule factor(Reading *r) {
  ShapeRule x = number(0);
  if (r->failed || ++r->depth > MOST_DEPTH) {
    unclear(r);
    return x;
  }
  blanks(r);
  if (take(r, '-')) {
    x = product(r, number(-1), factor(r));
  } else if (take(r, '(')) {
    x = expression(r);
    if (!take(r, ')')) unclear(r);
  } else if (isdigit((unsigned char)*r->at)) {
    x = number(whole_number(r));
  } else {
    x = size(r);
  }
  r->depth--;
  bounded(r, &x);
  return x;
}

static ShapeRule term(Reading *r) {
  ShapeRule x = factor(r);
  while (!r->failed && take(r, '*')) {
    x = product(r, x, factor(r));
    bounded(r, &x);
  }
  return x;
}

static ShapeRule expression(Reading *r) {
  ShapeRule x = term(r);
  for (;;) {
    if (r->failed) return x;
    if (take(r, '+')) x = sum(r, x, term(r));
    else if (take(r, '-')) x = sum(r, x, product(r, number(-1), term(r)));
    else return x;
    bounded(r, &x);
  }
}

/* ---- what a parameter declares ---- */

static Reading reading(Converter *c, const Codelet *k, CXCursor p, const Symbol *s, const char *text) {
  return (Reading){.c = c, .codelet = k, .where = p, .parameter = s, .text = text, .at = text};
}

bool shape_said(Converter *c, const Codelet *k, CXCursor p, Symbol *s, const char *text) {
  Reading r = reading(c, k, p, s, text);
  if (!s->rank) refuse(&r, "it says what sizes a container has", "`__shape' is for containers");
  for (int dim = 0; dim < s->rank && !r.failed; dim++) {
    blanks(&r);
    const char *after = r.at + 1 + strspn(r.at + (*r.at != 0), " \t\n");
    if (*r.at == '_' && (*after == ',' || !*after)) r.at = after; /* free */
    else s->shape[dim] = expression(&r);
    const ShapeRule *x = &s->shape[dim];
    if (!r.failed && (x->times < 0 || (x->said && is_constant(x) && x->plus < 0)))
      refuse(&r, NULL, arena_printf(c->a, "`%.60s' is a size below zero", text));
    const bool last = dim == s->rank - 1;
    blanks(&r);
    if (!r.failed && (*r.at == '/' || *r.at == '%')) unclear(&r);
    if (!r.failed && (last ? (blanks(&r), *r.at != 0) : !take(&r, ',')))
      refuse(&r, s->rank == 1 ? "__shape(x.Size() - 1)" : "__shape(A.Size(1), _): one for each dimension",
             arena_printf(c->a, "`%s' has %d dimension%s, and `%.60s' is not as many sizes", s->name, s->rank,
                          s->rank > 1 ? "s" : "", text));
  }
  return !r.failed;
}

bool shape_like(Converter *c, const Codelet *k, CXCursor p, Symbol *s, const char *text) {
  Reading r = reading(c, k, p, s, arena_printf(c->a, "__like(%.60s)", text));
  size_t length = strcspn(text, ", ");
  const char *rest = text + length + strspn(text + length, ", ");
  char *end;
  long dim = strtol(rest, &end, 10);
  bool which = end != rest;
  if (!s->rank) refuse(&r, "it says what sizes a container has", "`__like' is for containers");
  if (*end)
    refuse(&r, "0, the rows, or 1, the columns", arena_printf(c->a, "`%s' does not say which dimension", r.text));
  if (r.failed) return false;
  const Symbol *of = earlier(&r, text, length, which ? dim : s->rank > 1 ? 0 : -1);
  if (!of) return false;
  if (s->rank > 1 && (which || of->rank != s->rank)) {
    refuse(&r, "__like(A), of as many dimensions; __shape(x.Size(), _)",
           arena_printf(c->a, "`%s' has %d dimensions, and `%s' gives one size", s->name, s->rank, r.text));
    return false;
  }
  for (int i = 0; i < s->rank; i++) s->shape[i] = of_parameter(of, s->rank > 1 ? i : dim);
  return true;
}
