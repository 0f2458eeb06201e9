/* rows.h: loads a square of elements, one row a lane, and transposes it. Numbers of 4 bytes are transposed in
 * registers, by macros that are composed for the number of lanes (emit/transpose.c); all else goes element by
 * element. */
#include "alone.h"
// ---- pasted from here on ----

// Each lane gets so many elements of a row of its own, which lie side by side: element k of all rows is a vector then.
#define LOAD_ROWS_ANY(to, from, apart) do { \
    for (int line = 0; line < threads; ++line) \
      for (int lane = 0; lane < threads; ++lane) \
        (to)[line * threads + lane] = (from)[lane * (apart) + line]; \
  } while (0)
