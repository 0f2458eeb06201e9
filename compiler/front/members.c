/* members.c: variables of structs of numbers, `Point p = {x[i], y[i]};', as a variable for each member. */
#include "front/members.h"

#include <string.h>

typedef struct Fields { Converter *c; VEC(const char *) name; VEC(Type) type; bool ok; } Fields;

static enum CXVisitorResult find_field(CXCursor field, CXClientData data) {
  Fields *f = data;
  int rank = 0;
  const CXType type = clang_getCursorType(field);
  const enum CXTypeKind kind = clang_getCanonicalType(type).kind;
  const Type t = kind == CXType_Record || kind == CXType_ConstantArray ? TYPE_COUNT : convert_type(f->c, type, &rank);
  f->ok &= t != TYPE_COUNT && t < TYPE_STRUCT && !rank;
  vec_push(f->c->a, &f->name, convert_text(f->c->a, clang_getCursorSpelling(field)));
  vec_push(f->c->a, &f->type, t);
  return CXVisit_Continue;
}

static bool has_fields(Converter *c, CXType type, Fields *f) {
  *f = (Fields){.c = c, .ok = true};
  const CXType canonical = clang_getCanonicalType(type);
  if (canonical.kind != CXType_Record || convert_from_prelude(clang_getTypeDeclaration(canonical))) return false;
  int rank;
  if (convert_type(c, type, &rank) != TYPE_COUNT) return false; /* a state */
  clang_Type_visitFields(canonical, find_field, f);
  return f->ok && f->name.n > 0;
}

/* The variables that stand for one of a struct, in a SEQ; each is named after it and the member. NULL: it is none. */
static const Tree *members_of(const Converter *c, CXCursor of) {
  of = convert_bare((Converter *)c, of);
  if (clang_getCursorKind(of) != CXCursor_DeclRefExpr) return NULL;
  const Symbol *s = convert_symbol(c, of);
  return s && s->kind == SYMBOL_LOCAL && s->init && s->init->op == OP_SEQ ? s->init : NULL;
}

static CXCursor object_of(Converter *c, CXCursor member) {
  CXCursor object;
  return convert_last_expression(c, member, &object) ? object : clang_getNullCursor();
}

Tree *members_find(Converter *c, CXCursor member) {
  const CXCursor object = object_of(c, member);
  const Tree *all = clang_Cursor_isNull(object) ? NULL : members_of(c, object);
  const char *name = convert_text(c->a, clang_getCursorSpelling(member));
  const char *of = all ? convert_symbol(c, convert_bare(c, object))->name : "";
  for (int i = 0; all && i < all->nkids; i++)
    if (strcmp(all->kid[i]->symbol->name, arena_printf(c->a, "%s_%s", of, name)) == 0)
      return convert_at(c, tree_ref(c->a, all->kid[i]->symbol), member);
  return NULL;
}

/* What the i-th member is given by `{a, b}', or by another variable; NULL after an error. */
static Tree *given(Converter *c, CXCursor from, const Tree *other, int i, Type type) {
  if (other) return tree_ref(c->a, other->kid[i]->symbol);
  Cursors k = convert_children(c->a, from);
  if (i < k.n) return convert_value(c, k.at[i], type);
  Tree *none = tree_int(c->a, type, 0);
  if (type == TYPE_BOOL) none->op = OP_BOOL;
  return none;
}

static bool is_list(Converter *c, CXCursor from, CXCursor *list) {
  *list = convert_bare(c, from);
  return clang_getCursorKind(*list) == CXCursor_InitListExpr;
}

bool members_declare(Converter *c, CXCursor v, MemberTrees *to) {
  Fields f;
  CXCursor init = clang_Cursor_getVarDeclInitializer(v), list = init;
  const bool has_init = !clang_Cursor_isNull(init) && !clang_isInvalid(clang_getCursorKind(init));
  if (clang_getCursorKind(v) != CXCursor_VarDecl || !has_fields(c, clang_getCursorType(v), &f)) return false;
  const Tree *other = has_init ? members_of(c, init) : NULL;
  const bool listed = has_init && is_list(c, init, &list);
  const bool made = has_init && clang_getCursorKind(init) == CXCursor_CallExpr &&
                    clang_getCursorKind(clang_getCursorReferenced(init)) == CXCursor_Constructor;
  const bool nothing = !has_init || (made && clang_Cursor_getNumArguments(init) == 0);
  if (!other && !listed && !nothing) return false;
  const char *name = convert_text(c->a, clang_getCursorSpelling(v));
  Tree *all = tree_new(c->a, OP_SEQ, TYPE_VOID, convert_range(c, v), f.name.n);
  for (int i = 0; i < f.name.n; i++) {
    Symbol *s = symbol_new(c->a, SYMBOL_LOCAL, arena_printf(c->a, "%s_%s", name, f.name.at[i]), f.type.at[i]);
    s->where = convert_range(c, v);
    s->writable = true;
    s->declared = s->type;
    s->number = s->type == TYPE_INDEX;
    Tree *value = nothing ? NULL : given(c, list, other, i, s->type);
    if (!nothing && !value) return true;
    Tree *t = tree_new(c->a, OP_DECLARE, TYPE_VOID, convert_range(c, v), value != NULL);
    t->symbol = s;
    if (value) t->kid[0] = value;
    vec_push(c->a, to, t);
    all->kid[i] = tree_ref(c->a, s);
  }
  Symbol *whole = symbol_new(c->a, SYMBOL_LOCAL, name, TYPE_COUNT);
  whole->init = all;
  convert_remember(c, v, whole);
  return true;
}

Tree *members_assign(Converter *c, CXCursor at, CXCursor place, CXCursor from) {
  const Tree *to = members_of(c, place), *other = members_of(c, from);
  CXCursor list = from;
  if (!to || (!other && !is_list(c, from, &list))) return NULL;
  MemberTrees all = {0};
  for (int i = 0; i < to->nkids; i++) { /* all are read before one is written */
    const Symbol *s = to->kid[i]->symbol;
    Symbol *now = symbol_new(c->a, SYMBOL_LOCAL, arena_printf(c->a, "%s_now", s->name), s->type);
    now->declared = s->declared;
    now->number = s->number;
    Tree *value = given(c, list, other, i, s->type);
    if (!value) return NULL;
    Tree *t = tree_new(c->a, OP_DECLARE, TYPE_VOID, convert_range(c, at), 1);
    t->symbol = now;
    t->kid[0] = value;
    vec_push(c->a, &all, t);
  }
  for (int i = 0; i < to->nkids; i++) {
    Tree *t = tree_new(c->a, OP_ASSIGN, TYPE_VOID, convert_range(c, at), 2);
    t->kid[0] = tree_ref(c->a, to->kid[i]->symbol);
    t->kid[1] = tree_ref(c->a, all.at[i]->symbol);
    vec_push(c->a, &all, t);
  }
  return convert_at(c, tree_seq(c->a, all.at, all.n), at);
}
