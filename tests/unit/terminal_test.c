/* terminal_test.c: COLUMNS and NO_COLOR. Standard output of a test is no terminal. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "support/terminal.h"

static void obeys_columns(void **state) {
  (void)state;
  static const struct { const char *said; int columns; } rows[] = {
      {"132", 132}, {"12", 40}, {"9999999", 10000}, {"", 0}, {"0", 0}, {"-5", 0}, {"wide", 0}, {"80x", 0}};
  const int saved = dup(STDOUT_FILENO), file = open("/dev/null", O_WRONLY);
  dup2(file, STDOUT_FILENO);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    setenv("COLUMNS", rows[i].said, 1);
    const int columns = terminal_columns(), text = terminal_text_columns();
    if (columns != rows[i].columns || text != (columns ? columns : 80))
      fail_msg("`%s' is %d columns", rows[i].said, columns);
  }
  unsetenv("COLUMNS");
  assert_int_equal(terminal_columns(), 0);
  dup2(saved, STDOUT_FILENO);
  close(saved);
  close(file);
}

static void obeys_no_color(void **state) {
  (void)state;
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY), file = open("/dev/null", O_WRONLY);
  setenv("TERM", "xterm", 1);
  unsetenv("NO_COLOR");
  assert_false(terminal_color(NULL, file));
  assert_true(terminal_color("always", file));
  if (terminal >= 0 && isatty(terminal)) {
    assert_true(terminal_color(NULL, terminal));
    assert_true(terminal_color("auto", terminal));
    assert_false(terminal_color("never", terminal));
    setenv("NO_COLOR", "", 1); /* which is not set, by its convention */
    assert_true(terminal_color(NULL, terminal));
    setenv("NO_COLOR", "1", 1);
    assert_false(terminal_color(NULL, terminal));
    assert_true(terminal_color("always", terminal));
    unsetenv("NO_COLOR");
    setenv("TERM", "dumb", 1);
    assert_false(terminal_color(NULL, terminal));
  }
  if (terminal >= 0) close(terminal);
  close(file);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(obeys_columns), cmocka_unit_test(obeys_no_color)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
