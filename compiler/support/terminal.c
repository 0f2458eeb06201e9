/* terminal.c: how wide what is printed may be, and whether it is colored. */
#include "support/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { NARROWEST = 40, WIDEST = 10000 };

int terminal_columns(void) {
  const char *said = getenv("COLUMNS");
  if (said && *said) {
    char *end;
    const long n = strtol(said, &end, 10);
    if (!*end && n > 0) return n < NARROWEST ? NARROWEST : n > WIDEST ? WIDEST : (int)n;
  }
  struct winsize w;
  if (!isatty(STDOUT_FILENO)) return 0;
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col >= NARROWEST ? w.ws_col : 80;
}

int terminal_text_columns(void) {
  const int n = terminal_columns();
  return n ? n : 80;
}

bool terminal_color(const char *wish, int fd) {
  if (wish && strcmp(wish, "always") == 0) return true;
  if (wish && strcmp(wish, "never") == 0) return false;
  const char *none = getenv("NO_COLOR"), *kind = getenv("TERM");
  return !(none && *none) && !(kind && strcmp(kind, "dumb") == 0) && isatty(fd);
}
