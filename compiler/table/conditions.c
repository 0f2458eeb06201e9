/* conditions.c: the words for what rows of a table ask of calls. */
#include "table/conditions.h"

#include <string.h>

const RowCondition row_conditions[ROW_CONDITIONS] = {
    {"aligned", "ROWS_ALIGNED", ROWS_ALIGNED},
    {"tall", "RESULTS_TALL", RESULTS_TALL},
    {"wide", "RESULTS_WIDE", RESULTS_WIDE},
};

void conditions_print(Buffer *to, unsigned when, const char *between) {
  const char *before = "";
  for (int i = 0; i < ROW_CONDITIONS; i++) {
    if (!(when & row_conditions[i].bit)) continue;
    buffer_printf(to, "%s%s", before, row_conditions[i].word);
    before = between;
  }
}

void conditions_print_constants(Buffer *to, unsigned when) {
  const char *before = "";
  if (!when) buffer_puts(to, "0");
  for (int i = 0; i < ROW_CONDITIONS; i++) {
    if (!(when & row_conditions[i].bit)) continue;
    buffer_printf(to, "%s%s", before, row_conditions[i].constant);
    before = " | ";
  }
}

unsigned condition_by_word(const char *s, size_t n) {
  for (int i = 0; i < ROW_CONDITIONS; i++)
    if (strlen(row_conditions[i].word) == n && memcmp(row_conditions[i].word, s, n) == 0) return row_conditions[i].bit;
  return 0;
}

bool conditions_agree(unsigned when) { return (when & (RESULTS_TALL | RESULTS_WIDE)) != (RESULTS_TALL | RESULTS_WIDE); }
