/* moves.h: many files of a folder replaced at once, also when the process is killed in between (moves.c). */
#ifndef TGC_EMIT_MOVES_H
#define TGC_EMIT_MOVES_H

#include <stdbool.h>

#include "support/arena.h"

/* One rename. `staged` is relative to the staging folder, "new/..." or "old/..."; `place` is relative to the output
 * folder. What is staged as new goes to its place; what is in the place of an old one goes aside. */
typedef struct Move { const char *staged, *place; bool aside; } Move;
typedef struct Moves { VEC(Move) list; } Moves;

/* Waits for the lock of the folder `dir`: a descriptor, closed to unlock; -1 with errno, ETIMEDOUT where another
 * process keeps it. `held` is false where the file system has no locks: then there is nothing to wait for. */
int moves_lock(const char *dir, bool *held);

/* Whether the name is one of a staging folder: `prefix`PID-NUMBER, and nothing else. */
bool moves_is_stage(const char *name, const char *prefix);

/* Makes a staging folder of this process in `parent`; NULL with errno. */
const char *moves_make_stage(Arena *a, const char *parent, const char *prefix);

/* Ends what killed processes began in `parent`: moves half done are undone, their staging folders are removed. Those of
 * processes that live stay. `held`: whether `parent` is locked. */
void moves_recover(Arena *a, const char *parent, const char *prefix, bool held);

/* Does all of the moves, or none; then the staging folder is gone, if they are done. 0, or the errno of the move
 * *failed (-1: it is none of them). */
int moves_commit(Arena *a, const char *dir, const char *stage, const Moves *moves, int *failed);

void moves_remove_tree(const char *path);

#endif
