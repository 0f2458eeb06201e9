/* terminal.h: how wide what is printed may be, and whether it is colored: COLUMNS and NO_COLOR. */
#ifndef TGC_SUPPORT_TERMINAL_H
#define TGC_SUPPORT_TERMINAL_H

#include <stdbool.h>

/* Columns of standard output: $COLUMNS, else the terminal's; 0: as wide as may be, since it is no terminal. */
int terminal_columns(void);
/* .. of running text, which is wrapped in a pipe too: 80 there. */
int terminal_text_columns(void);

/* Is what is printed to that file colored? `wish': "always", "never", "auto", or NULL, which is auto: on a terminal,
 * unless $NO_COLOR is set and not empty, or $TERM is dumb. */
bool terminal_color(const char *wish, int fd);

#endif
