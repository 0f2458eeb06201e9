/* compile_parts.h: what the files of a compilation share. */
#ifndef TGC_DRIVER_COMPILE_PARTS_H
#define TGC_DRIVER_COMPILE_PARTS_H

#include "driver/compile.h"

/* An error in the input. Returns false. */
bool compile_refuse(Compilation *c, SourceRange where, const char *hint, const char *message);

/* Another spectrum of the unit that applies s; NULL: none does. */
const Spectrum *compile_applied_by(const Unit *u, const Spectrum *s);

/* ---- by_columns.c ---- */

/* Matrices of the chosen spectrum that the options say are column-major. False after an error. */
bool compile_by_columns(Compilation *c);

/* ---- types.c ---- */

/* The element types that are asked for, or the usual ones. False after an error. */
bool compile_pick_types(Compilation *c);
/* Each as codelets see it: what it is accumulated in, in the prelude's words. */
const char **compile_seen_types(Compilation *c);
/* Can the operator that the chosen spectrum is compiled with take them? Leaves out usual ones that it rounds; an error
 * for those that were asked for. */
bool compile_suit_types(Compilation *c);
/* Has the spectrum, or one that it applies, a codelet that a matrix unit may carry out? */
bool compile_multiplies(const Compilation *c);
/* Notes in every spectrum what follows from these, in place of what was noted before. */
void compile_note_types(Compilation *c, const ElementType *const *types, int ntypes);

/* ---- type_sets.c ---- */

/* Sets `sets', without plans: which types are composed together. */
void type_sets_find(Compilation *c);
/* Notes a set's types in every spectrum: before it is composed, lowered or chosen from. */
void type_sets_note(Compilation *c, const TypeSet *set);
/* Does the set's plan become a variant even where no table names it? All of the first set's do. */
bool type_sets_wants(const TypeSet *set, const Compilation *c, const Plan *plan);
/* Gives a plan an id of its own, since there is a variant of the same plan for other types; the set's table follows. */
void type_sets_rename(Compilation *c, TypeSet *set, Plan *plan);
/* The set whose plans serve a type. */
const TypeSet *type_sets_choosing(const Compilation *c, const ElementType *e);
/* Every plan of every set once. */
Plans type_sets_plans(const Compilation *c);

/* ---- variants.c ---- */

/* Lowers the plans, runs the passes, picks which variant serves which size and prints the variants' texts. */
bool compile_plans(Compilation *c);

/* ---- table.c ---- */

/* Sets each set's `measured'; which table it is follows from the first variant's operands. False when one is
 * malformed. */
bool compile_read_table(Compilation *c);
/* Sets output.table, for the variants of the output. */
void compile_choose(Compilation *c);
/* May output.table name the variant? Asked before there are variants. */
bool compile_may_choose(const Compilation *c, const Table *guess, const char *variant);
/* The rows that are guessed where nothing was measured. */
Table compile_guess(Compilation *c);
/* Why the row of a measured table, of another folder perhaps, cannot serve (choose.h): no such variant; a number that
 * its text would not compile with; more blocks than there is room for. NULL: it can. */
const char *compile_why_not(const void *compilation, const TableRow *r);

#endif
