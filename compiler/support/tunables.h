/* tunables.h: what may be set of a variant without composing it anew: numbers by name, as a vector.
 *
 * It is the same from a plan and its program (with the ranges of values) through the manifest, tables and the tuner's
 * database (what each is set to) to the struct that callers of a library fill in. Code that only hands tunables on asks
 * for none of them by name. */
#ifndef TGC_SUPPORT_TUNABLES_H
#define TGC_SUPPORT_TUNABLES_H

#include <stdbool.h>
#include <stdint.h>

#include "support/buffer.h"

/* Numbers in ascending order; none of them: any will do. */
typedef struct NumberList { const int64_t *at; int n; } NumberList;
static inline bool number_list_has(NumberList all, int64_t number) {
  bool has = all.n == 0;
  for (int i = 0; i < all.n; i++) has |= all.at[i] == number;
  return has;
}

typedef struct Tunable {
  const char *name;
  int64_t value;               /* of a variant: the default; of a configuration: what it is set to, 0: the default */
  int64_t min, max, multiple;  /* max 0: unbounded; multiple 0, 1: any */
  NumberList among;            /* .. and one of these */
  bool at_launch;              /* chosen at each call; else the text is compiled for some values */
  const char *what;            /* "lanes of a block"; NULL: the name says it */
} Tunable;

/* A variant's tunables, in an order of its own; or a configuration: what they are set to, in order (tunables_set). */
typedef VEC(Tunable) Tunables;

/* Those that every configuration has: the first columns of a table, the first members of a library's struct. Others
 * follow by name. */
enum { USUAL_TUNABLES = 3 };
typedef struct UsualTunable { const char *name; bool at_launch; int width; /* of its column in a library's text */ }
                                                                              UsualTunable;
extern const UsualTunable usual_tunables[USUAL_TUNABLES];
bool tunable_is_usual(const char *name);
/* The most that a table may set one to. */
int64_t tunable_most(bool at_launch);

const Tunable *tunables_find(const Tunables *t, const char *name); /* NULL: there is none */
int64_t tunables_value(const Tunables *t, const char *name);       /* 0: there is none */
/* Sets it, in a configuration. One that is new stands in order: the usual ones, then the others by name. */
void tunables_set(Arena *a, Tunables *t, const char *name, int64_t value);
/* Adds one with its range, in that order. */
void tunables_add(Arena *a, Tunables *t, const Tunable *one);
/* A vector's own storage, which may be changed without changing that of others. */
Tunables tunables_copy(Arena *a, const Tunables *t);
/* Those that a text is compiled for, in the order of a variant's: of these its configurations are made. */
Tunables tunables_compiled(Arena *a, const Tunables *t);
/* Are they set alike? What is not there is 0. */
bool tunables_equal(const Tunables *x, const Tunables *y);
/* A configuration as text: "threads=256 loads=4", without those that are 0; and back. False: it is no such text. */
void tunables_print(Buffer *to, const Tunables *t);
bool tunables_parse(Arena *a, const char *text, Tunables *t);

/* The members of a library's struct of configurations: the usual ones, then the others of `own', each 0. */
Tunables tunables_members(Arena *a, const Tunables *own);
/* "threads, loads, blocks": the names. */
void tunables_print_names(Buffer *to, const Tunables *t, const char *between);

/* May it have that value? The next smaller one that it may have. */
bool tunable_takes(const Tunable *t, int64_t number);
int64_t tunable_below(const Tunable *t, int64_t number);
/* What it may have: "32 to 1024, a multiple of 32". */
void tunable_print_range(Buffer *to, const Tunable *t);

#endif
