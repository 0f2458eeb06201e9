/* divide.h: parts of codelets that nobody has written: what elements.c and sums.c make, divided by cuts. */
#ifndef TGC_FRONT_DIVIDE_H
#define TGC_FRONT_DIVIDE_H

#include "ir/tree.h"

/* A copy of a codelet's parameter, which says of its sizes what that says, by the copies of those before it. */
Symbol *divide_parameter(Arena *a, const Codelet *from, Symbol *const *copies, const Symbol *s);
/* `__tunable unsigned p;' and `Cut i = tiles(p, size);', or every p-th: both are added to the statements. */
typedef VEC(Tree *) DivideStatements;
Symbol *divide_cut(Arena *a, DivideStatements *to, const char *const *names, Tree *size, bool strided);
/* size(of, dimension) */
Tree *divide_size(Arena *a, Symbol *of, int dimension);
/* The container cut in each dimension by one of these; whole where that is NULL. */
Tree *divide_container(Arena *a, Symbol *of, Symbol *const *cut);
/* Adds `map(f, ..);', of those arguments. */
void divide_map(Arena *a, DivideStatements *to, Spectrum *f, Tree *const *arguments, int n);

/* ---- what is divided ---- */

/* Which parameter of the codelet it is; -1: none. */
int divide_place(const Codelet *c, const Symbol *s);
/* `for (i = 0; i < of.Size(dimension); ++i)', `of' a parameter, and i not assigned to. */
typedef struct DivideLoop { const Symbol *index, *of; int dimension; } DivideLoop;
bool divide_counts(const Tree *t, DivideLoop *loop);
/* Is it a statement that leaves a loop, or a codelet, or what lanes do together? */
bool divide_never(const Tree *t);

/* ---- spectra ---- */

/* A new one of the unit, which returns nothing, NAME_what. */
Spectrum *divide_spectrum(Arena *a, Unit *u, const Spectrum *of, const char *what);
void divide_add(Arena *a, Spectrum *s, Codelet *k);
/* Is it what a map divides, which has the whole machine already? */
bool divide_is_mapped(const Unit *u, const Spectrum *s);
/* The tag, or one like it, where one of the spectrum's codelets has that. */
const char *divide_tag(Arena *a, const Spectrum *s, const char *tag);
/* The codelet under another tag, as that spectrum's, with copies of its parameters. */
Codelet *divide_codelet(Arena *a, const Codelet *from, Spectrum *s, const char *tag);

#endif
