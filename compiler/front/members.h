/* members.h: variables of structs of numbers (members.c). */
#ifndef TGC_FRONT_MEMBERS_H
#define TGC_FRONT_MEMBERS_H

#include "front/convert.h"

typedef VEC(Tree *) MemberTrees;

/* The declarations of a variable for each member; false: it is no variable of a struct of numbers, or begins as
 * something else than `{a, b}' or another such variable. */
bool members_declare(Converter *c, CXCursor v, MemberTrees *to);
/* `p.x'; NULL: p is no such variable. */
Tree *members_find(Converter *c, CXCursor member);
/* `p = q;', `p = {a, b};'; NULL: it is none of these, or there was an error. */
Tree *members_assign(Converter *c, CXCursor at, CXCursor place, CXCursor from);

#endif
