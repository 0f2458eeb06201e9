/* prepare.h: the small textual preparation after which codelets are C++ that language.h executes.
 *
 * It knows words, brackets and statements, not types, and uses nothing of the compiler. It
 *
 *   * gives each codelet a name, `sum__tiled' by its tag, `sum__12' by its line; what applies a spectrum, `sum(m)',
 *     `map(sum<T>, ..)', applies its sequential codelet, or, where it has none, its first compound one, as
 *     `apply_sum<T>{}';
 *   * makes positions 64 bits wide: whole numbers that come from a size, are compared with one, or index a container;
 *   * writes `Vector v();' as an object, `__tunable' as what the caller chose, shared variables as the team's, `float'
 *     and `double' as Float and Double, which may be numbers that know their rounding (number.h);
 *   * checks `__like' and `__shape' where a codelet begins;
 *   * puts points into cooperative bodies: ahead of each statement, and between its reads and its writes (lanes.h).
 *
 * Everything else stays as it is, in its place, under #line directives that lead a debugger to the codelets' own
 * file. */
#ifndef TGC_WITNESS_PREPARE_H
#define TGC_WITNESS_PREPARE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct PrepareFile {
  const char *name; /* for #line and messages */
  const char *text;
  size_t length;
} PrepareFile;

typedef enum PreparedKind {
  PREPARED_FUNCTION, PREPARED_AUTONOMOUS, PREPARED_COMPOUND, PREPARED_COOPERATIVE
} PreparedKind;

typedef struct PreparedCodelet {
  char *spectrum, *name; /* "sum", "sum__tiled" */
  PreparedKind kind;
  const char *file;      /* as given */
  int line;              /* of its name */
  bool generic;          /* template <typename T> */
  bool operators;        /* template <typename M, typename T> */
  bool applied;          /* it stands for its spectrum where that is applied */
} PreparedCodelet;

/* Owned by the caller: prepared_free. `error' is "FILE:LINE: what is wrong", and the rest is then empty. */
typedef struct Prepared {
  char *text; /* NUL behind it */
  size_t length;
  PreparedCodelet *codelets;
  int ncodelets;
  char *error;
} Prepared;

/* Several files are read as one: an #include is blank, the caller gives what it names before the file that has it; what two
 * files define alike is defined once. The text belongs into a namespace that sees ::tgc, Float and Double. Whatever the
 * bytes are, it ends, with text or an error. */
Prepared prepare(const PrepareFile *files, int n);
void prepared_free(Prepared *p);

#endif
