/* compile_parts.h: what the files of a compilation share. */
#ifndef TGC_DRIVER_COMPILE_PARTS_H
#define TGC_DRIVER_COMPILE_PARTS_H

#include "driver/compile.h"

/* An error in the input. Returns false. */
bool compile_refuse(Compilation *c, SourceRange where, const char *hint, const char *message);

/* ---- types.c ---- */

/* The element types that are asked for, or the usual ones. False after an error. */
bool compile_pick_types(Compilation *c);
/* Each as codelets see it: what it is accumulated in, in the prelude's words. */
const char **compile_seen_types(Compilation *c);
/* Can the operator that the chosen spectrum is compiled with take them? Leaves out usual ones that it rounds; an error
 * for those that were asked for. */
bool compile_suit_types(Compilation *c);
/* Notes in every spectrum what follows from them. */
void compile_note_types(Compilation *c);

/* ---- table.c ---- */

/* Sets output.table, for the variants of the output. False when the measured table is malformed. */
bool compile_choose(Compilation *c);
/* Why the row of a measured table, of another folder perhaps, cannot serve (choose.h): no such variant; a number that
 * its text would not compile with; more blocks than there is room for. NULL: it can. */
const char *compile_why_not(const void *compilation, const TableRow *r);

#endif
