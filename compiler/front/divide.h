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
/* `Array<1, T> name(of.Size());', as large as `of': a container of its own. */
Symbol *divide_own(Arena *a, DivideStatements *to, Symbol *of, const char *name);
/* The container cut in each dimension by one of these; whole where that is NULL. */
Tree *divide_container(Arena *a, Symbol *of, Symbol *const *cut);
/* Adds `map(f, ..);', of those arguments. */
void divide_map(Arena *a, DivideStatements *to, Spectrum *f, Tree *const *arguments, int n);
/* for (i = 0; i < size; i += 1) body */
Tree *divide_loop(Arena *a, Symbol *i, Tree *size, Tree *body);

/* ---- what is divided ---- */

/* Which parameter of the codelet it is; -1: none. */
int divide_place(const Codelet *c, const Symbol *s);
/* Is it what lanes do together, what has effects of its own, or a return? */
bool divide_never(const Tree *t);
/* What the place of an assignment is an element of, or the variable itself; NULL: something else. */
const Symbol *divide_changed(const Tree *place);
/* Is it an element of a parameter, or a variable that is declared in the turn? Then no later turn knows of it, unless
 * that has the same element. */
bool divide_keeps_to_turn(const Tree *turn, const Tree *place);

/* ---- spectra ---- */

/* Does a map divide it among as many workers as there are: is the number of parts a tunable? Rows, segments and such
 * may be few, and long. */
bool divide_is_shared_out(const Unit *u, const Spectrum *s);

/* Does another spectrum apply it, which may divide its own work? */
bool divide_is_applied(const Unit *u, const Spectrum *s);
/* Is it left as it is, since one of these does? */
bool divide_is_left(const Unit *u, const Spectrum *s);

/* A new one of the unit, which returns nothing, NAME_what. */
Spectrum *divide_spectrum(Arena *a, Unit *u, const Spectrum *of, const char *what);
void divide_add(Arena *a, Spectrum *s, Codelet *k);
/* The codelet under another tag, as that spectrum's, with copies of its parameters. */
Codelet *divide_codelet(Arena *a, const Codelet *from, Spectrum *s, const char *tag);

/* The tag, or NAME_parts where the spectrum has a codelet of that. */
const char *divide_tag(Arena *a, const Spectrum *s, const char *tag);
/* What a part's codelet says of sizes. `of': by parameter and dimension, which cut it gets; negative: none. Sizes are
 * those of the first parameter with the same cut, and what was said of those that are not cut. */
void divide_say_sizes(Codelet *k, const int (*of)[MOST_RANK]);
/* Is what the codelet says of sizes true of its parts, cut so? */
bool divide_sizes_fit(const Codelet *c, const int (*of)[MOST_RANK]);

#endif
