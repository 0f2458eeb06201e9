/* operations.c: the operators that codelets over operators are read with: the one that the user asks for, and those
 * that other codelets name, `reduce<ArgMin, T>(x)'. */
#include <string.h>

#include "front/complaints.h"
#include "front/front_parts.h"
#include "ir/operator.h"
#include "support/nearest.h"

bool operations_any(const Front *f) {
  for (int i = 0; i < f->functions.n; i++)
    if (f->functions.at[i].operators) return true;
  return false;
}

/* The name of the first codelet that is compiled with an operator. */
static SourceRange first_with_operator(const Front *f) {
  for (int i = 0; i < f->functions.n; i++)
    if (f->functions.at[i].operators) return f->functions.at[i].where;
  return source_whole(f->file);
}

/* The operators there are, for a user who has named none of them, or another: NULL. */
static const Operation *refuse_operator(Front *f, const char *name, SourceRange where) {
  Buffer all = buffer_new(f->a);
  VEC(const char *) names = {0};
  for (int i = OPERATOR_ADD; i < OPERATOR_USER; i++) vec_push(f->a, &names, operator_word((OperatorKind)i));
  for (int i = 0; i < f->structs.n; i++)
    if (f->structs.at[i].monoid) vec_push(f->a, &names, f->structs.at[i].name);
  for (int i = 0; i < names.n; i++) buffer_printf(&all, "%s%s", i ? ", " : "", names.at[i]);
  if (!name) {
    diagnostics_add(f->d, DIAG_ERROR, where, arena_printf(f->a, "`--operator NAME': %s", all.text),
                    "these codelets are compiled with an operator, and none is given");
    return NULL;
  }
  const char *near = nearest_name(name, names.at, names.n);
  diagnostics_add(f->d, DIAG_ERROR, where,
                  near ? arena_printf(f->a, "did you mean `%s'?", near) : arena_printf(f->a, "there are %s", all.text),
                  "there is no operator `%.60s'", name);
  return NULL;
}

/* Has clang say what the operator's types are, for the types of elements, and in `o' for the stand-in. */
static bool probe_monoid(Front *f, Operation *o, Monoid *m, const char *const *types, int ntypes) {
  int n = m->generic ? ntypes : 1;
  Buffer b = buffer_new(f->a);
  buffer_printf(&b, "%s\n", f->outline);
  monoid_probe(&b, m, STAND_IN, n);
  for (int i = 0; i < n; i++) monoid_probe(&b, m, types[i], i);
  CXTranslationUnit tu = front_clang(f, b.text, NULL);
  if (!tu) return false;
  int before = f->d->errors;
  complaints_add(f->a, tu, f->file, m->where, NULL, f->d);
  if (f->d->errors == before) {
    Converter c = {.a = f->a, .file = f->file, .d = f->d, .tu = tu, .generic = true};
    m->types = arena_many(f->a, MonoidType, n);
    m->ntypes = n;
    o->carrier = monoid_carrier(&c, m, n);
    o->holds = monoid_stands_for(&c, "state", n) == TYPE_COUNT;
    o->result = monoid_stands_for(&c, m->finishes ? "result" : "state", n);
    for (int i = 0; i < n && o->carrier; i++)
      if (!monoid_read_types(&c, m, types[i], i, &m->types[i])) break;
  }
  clang_disposeTranslationUnit(tu);
  return f->d->errors == before;
}

bool front_is_real(const char *type) { return strcmp(type, "float") == 0 || strcmp(type, "double") == 0; }

/* Complex numbers have no order; And, Or and Xor are for integers. */
static bool check_operands(Front *f, const Operation *o, SourceRange where) {
  bool ordered = o->kind == OPERATOR_MAX || o->kind == OPERATOR_MIN;
  bool bitwise = o->kind == OPERATOR_AND || o->kind == OPERATOR_OR || o->kind == OPERATOR_XOR;
  for (int i = 0; i < f->ntypes; i++) {
    const char *type = f->types[i];
    bool complex = strstr(type, "::") != NULL;
    if (!(ordered && complex) && !(bitwise && (complex || front_is_real(type)))) continue;
    if (bitwise)
      diagnostics_add(f->d, DIAG_ERROR, where, "`--types' says what T is",
                      "`%s' is for integers, which T is not for all of `--types'", o->word);
    else
      diagnostics_add(f->d, DIAG_ERROR, where, "leave cfloat and cdouble out of `--types'",
                      "`%s': complex numbers have no order", o->word);
    return false;
  }
  return true;
}

const Operation *operations_named(Front *f, const char *name, SourceRange where) {
  for (int i = 0; i < f->operations.n; i++)
    if (strcmp(f->operations.at[i]->word, name) == 0) return f->operations.at[i];
  Operation *o = arena_one(f->a, Operation);
  *o = (Operation){.word = name, .kind = operator_by_name(name)};
  for (int i = 0; i < f->structs.n; i++)
    if (f->structs.at[i].monoid && strcmp(f->structs.at[i].name, name) == 0) o->monoid = f->structs.at[i].monoid;
  if (o->monoid) {
    o->kind = OPERATOR_USER;
    monoid_gather_text(f->a, o->monoid, &f->structs);
    if (!probe_monoid(f, o, o->monoid, f->types, f->ntypes)) return NULL;
  } else if (o->kind == OPERATOR_NONE) return refuse_operator(f, name, where);
  else if (!check_operands(f, o, where)) return NULL;
  vec_push(f->a, &f->operations, o);
  return o;
}

/* The first of those that T's operators have, or others'. */
static int first_state(const Operation *o, Type element) {
  return element == TYPE_ELEM && o->monoid->generic ? 0 : MOST_STATES;
}

bool operations_have_room(const Front *f, const Operation *o, Type element) {
  const NamedState *of = f->unit->states + first_state(o, element);
  for (int i = 0; i < MOST_STATES; i++)
    if (!of[i].monoid || (strcmp(of[i].monoid->name, o->word) == 0 && of[i].element == element)) return true;
  return false;
}

Type operations_state(Front *f, const Operation *o, Type element, SourceRange where) {
  const bool generic = element == TYPE_ELEM && o->monoid->generic;
  const int first = first_state(o, element);
  NamedState *all = f->unit->states;
  for (int i = first; i < first + MOST_STATES; i++) {
    if (all[i].monoid && (strcmp(all[i].monoid->name, o->word) != 0 || all[i].element != element)) continue;
    if (all[i].monoid) return (Type)(TYPE_STATE + i);
    Monoid *m = arena_one(f->a, Monoid);
    *m = *o->monoid;
    m->types = arena_many(f->a, MonoidType, m->ntypes);
    memcpy(m->types, o->monoid->types, (size_t)m->ntypes * sizeof *m->types);
    const char *word = type_name(element);
    Operation same = *o;
    if (m->generic && !generic && !probe_monoid(f, &same, m, &word, 1)) return TYPE_COUNT;
    all[i] = (NamedState){m, element};
    f->unit->states_text = monoid_join_text(f->a, &f->structs, all, 2 * MOST_STATES);
    return (Type)(TYPE_STATE + i);
  }
  diagnostics_add(f->d, DIAG_ERROR, where, NULL, "more than %d operators with states are named in these files",
                  MOST_STATES);
  return TYPE_COUNT;
}

/* A function of the spectrum that is compiled: the one asked for, or the first. */
static const Function *compiled(const Front *f) {
  const SourceFile *file = f->file;
  const Function *first = &f->functions.at[0];
  for (int i = 0; i < f->functions.n; i++) {
    const Function *x = &f->functions.at[i];
    if (f->spectrum && strcmp(x->name, f->spectrum) == 0) return x;
    if (!file->nparts) continue;
    if (source_part(file, x->where.begin)->order < source_part(file, first->where.begin)->order) first = x;
  }
  return first;
}

bool operations_choose(Front *f) {
  if (!operations_any(f)) {
    if (!f->operation) return true;
    diagnostics_add(f->d, DIAG_ERROR, source_whole(f->file), "template <typename M, typename T>",
                    "no codelet of this file is compiled with an operator");
    return false;
  }
  const Function *x = compiled(f);
  if (!f->operation) return !x->operators || refuse_operator(f, NULL, x->where);
  f->over = operations_named(f, f->operation, first_with_operator(f));
  if (!f->over) return false;
  f->unit->operation = f->over->kind;
  f->unit->monoid = f->over->monoid;
  return true;
}

/* ---- what names an operator ---- */

/* What the prelude's Over says it returns, where it returns an element; else the type that it has. */
static const char *result_of(Arena *a, const Function *x, const char *over) {
  const char *text = x->signature + strlen("template "), *open = strchr(text, '(');
  const char *type = arena_strndup(a, text, open ? (size_t)(open - text) : strlen(text));
  if (!strstr(type, "type-parameter")) return type;
  return arena_printf(a, "typename tgc::Over<%s, %s>::Result", over, x->element);
}

const char *operations_declaration(const Front *f, const Function *x) {
  const unsigned begin = x->where.begin + (unsigned)strlen(x->name);
  const char *parameters = arena_strndup(f->a, f->outline + begin, x->end - begin), *e = x->element;
  const char *generic = arena_printf(f->a, "tgc_operator<%s>", e);
  return arena_printf(f->a,
                      "template <typename tgc_operator, typename %s, typename tgc_over = tgc_operator> %s %s%s;\n"
                      "template <template <class> class tgc_operator, typename %s, typename tgc_over = %s> %s %s%s;\n",
                      e, result_of(f->a, x, "tgc_operator"), x->name, parameters, e, generic,
                      result_of(f->a, x, generic), x->name, parameters);
}
