/* rows.h: as many rows as a vector has lanes, each lane a row of its own: transposed where they are loaded. Numbers of 4 bytes
 * go by vectors, by text that is composed for their lanes (emit/transpose.c); all else goes one by one. */
#include "alone.h"
// ---- pasted from here on ----

// Each lane gets so many elements of a row of its own, which lie side by side: element k of all rows is a vector then.
#define LOAD_ROWS_ANY(to, from, apart) do { \
    for (int line = 0; line < threads; ++line) \
      for (int lane = 0; lane < threads; ++lane) \
        (to)[line * threads + lane] = (from)[lane * (apart) + line]; \
  } while (0)
