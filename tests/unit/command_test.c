/* command_test.c: the table of the command line: parsing, help, man pages and completion made from it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "command/command.h"
#include "golden.h"

static int set_up(void **state) {
  *state = arena_new();
  return 0;
}

static int tear_down(void **state) {
  arena_free(*state);
  return 0;
}

static const char *parse(Arena *a, const char *verb, void *to, int n, const char **words) {
  return command_parse(a, command_by_name(verb), n, (char **)words, to);
}

#define PARSE(a, verb, to, ...) \
  parse(a, verb, to, sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *), (const char *[]){__VA_ARGS__})

static void refuses(const char *why, const char *part) {
  if (!why || !strstr(why, part)) fail_msg("`%s' is not in: %s", part, why ? why : "(it was read)");
}

static void reads_each_way_to_give_a_value(void **state) {
  Arena *a = *state;
  CheckArguments c;
  assert_null(PARSE(a, "check", &c, "--jobs", "3", "--sizes=1,2", "out2", "-q"));
  assert_string_equal(c.jobs, "3");
  assert_string_equal(c.sizes, "1,2");
  assert_string_equal(c.quiet, "");
  assert_null(c.verbose);
  assert_int_equal(c.operands.n, 1);
  assert_string_equal(c.operands.at[0], "out2");
  assert_null(PARSE(a, "check", &c, "-j4"));
  assert_string_equal(c.jobs, "4");
  assert_null(PARSE(a, "check", &c, "-j=5"));
  assert_string_equal(c.jobs, "5");
  CompileArguments m;
  assert_null(PARSE(a, "compile", &m, "--list", "--remarks=missed", "--out=-dash", "x.cdl", "--", "-y.cdl", "--list"));
  assert_string_equal(m.list, "");
  assert_string_equal(m.remarks, "missed");
  assert_string_equal(m.out, "-dash");
  assert_int_equal(m.operands.n, 3);
  assert_string_equal(m.operands.at[1], "-y.cdl");
  assert_string_equal(m.operands.at[2], "--list");
  assert_null(
      PARSE(a, "tune", &(TuneArguments){0}, "--flags", "-O2 -march=native")); /* a value may begin with a dash */
}

static void fills_in_what_is_usual(void **state) {
  Arena *a = *state;
  ExplainArguments e;
  DiffArguments d;
  HelpArguments h;
  assert_null(PARSE(a, "explain", &e, "3f"));
  assert_string_equal(e.operands.at[1], "out");
  assert_null(PARSE(a, "diff", &d, "one"));
  assert_string_equal(d.operands.at[1], "out");
  assert_null(parse(a, "help", &h, 0, NULL));
  assert_int_equal(h.operands.n, 0);
  assert_null(PARSE(a, "explain", &e, "--help")); /* whatever else is missing */
}

static void refuses_what_is_none(void **state) {
  Arena *a = *state;
  CheckArguments c;
  TuneArguments t;
  CompileArguments m;
  refuses(PARSE(a, "check", &c, "--jos", "3"), "unknown option `--jos'; did you mean `--jobs'?");
  refuses(PARSE(a, "check", &c, "--jobs"), "`--jobs' needs a value: N");
  refuses(PARSE(a, "check", &c, "--jobs="), "`--jobs' needs a value: N");
  refuses(PARSE(a, "check", &c, "--plain=yes"), "`--plain' takes no value");
  refuses(PARSE(a, "check", &c, "-j1", "--jobs", "2"), "`--jobs' is given twice");
  refuses(PARSE(a, "check", &c, "--keep", "--keep-harness"), "`--keep-harness' is given twice");
  refuses(PARSE(a, "check", &c, "a", "b"), "too many arguments: `b'; usage: tgc check [DIR] [options]");
  refuses(PARSE(a, "check", &c, "-qv"), "unknown option `-qv'");
  refuses(PARSE(a, "tune", &t, "--objective", "grap"),
          "`--objective' takes graph, stream or all, not `grap'; did you mean `graph'?");
  refuses(PARSE(a, "compile", &m, "x", "--remarks=some"), "takes passed, missed or all");
  refuses(PARSE(a, "compile", &m, "x", "--remarks="), "needs a value");
  refuses(PARSE(a, "compile", &m), "no input file");
  refuses(PARSE(a, "archs", &(ArchsArguments){0}, "x"), "`tgc archs' takes no arguments");
  assert_null(PARSE(a, "compile", &m, "x", "--keep", "anything")); /* N|all: what N is the verb says */
}

static void gives_canonical_words(void **state) {
  Arena *a = *state;
  BenchArguments b;
  int n;
  assert_null(PARSE(a, "bench", &b, "-j", "2", "dir", "--options", "-O2", "--odd"));
  const char **words = command_words(a, command_by_name("bench"), &b, &n);
  static const char *const wanted[] = {"--odd", "--flags=-O2", "--jobs=2", "--", "dir"};
  assert_int_equal(n, 5);
  for (int i = 0; i < n; i++) assert_string_equal(words[i], wanted[i]);
  assert_null(words[n]);
  BenchArguments again;
  assert_null(command_parse(a, command_by_name("bench"), n, (char **)words, &again));
  assert_string_equal(again.flags, "-O2");
}

/* A name, short or long, is one option of a verb; everything is told in words; nobody shows an older spelling. */
static void is_a_table_without_contradictions(void **state) {
  Arena *a = *state;
  int verbs = 0;
  for (const Command *c = commands; c->name; c++, verbs++) {
    assert_true(c->summary[0] >= 'a' && c->summary[0] <= 'z');
    assert_true(c->summary[strlen(c->summary) - 1] != '.');
    for (int i = 0; i < c->noptions; i++) {
      const CommandOption *o = &c->options[i];
      assert_true(strncmp(o->name, "--", 2) == 0 && *o->what && strlen(o->short_name) != 1 &&
                  strlen(o->short_name) < 3);
      assert_true(o->field >= sizeof(CommandOperands) && o->field + sizeof(char *) <= c->size);
      for (int k = 0; k < i; k++) {
        const CommandOption *p = &c->options[k];
        assert_true(o->field != p->field && strcmp(o->name, p->name) != 0 && strcmp(o->name, p->older) != 0);
        assert_true(!*o->short_name || strcmp(o->short_name, p->short_name) != 0);
      }
      Buffer help = buffer_new(a);
      command_help(&help, c, 80);
      assert_non_null(strstr(help.text, o->name));
      if (*o->older && strcmp(o->older, "--keep") != 0) assert_null(strstr(help.text, o->older));
    }
  }
  assert_int_equal(verbs, 14);
  assert_null(command_by_name("chekc"));
  assert_string_equal(command_nearest("chekc"), "check");
  assert_null(command_nearest("something else"));
}

static void knows_choices(void **state) {
  Arena *a = *state;
  const char **words;
  CommandOption o = {.argument = "graph|stream|all"};
  assert_int_equal(command_choices(a, &o, &words), 3);
  assert_string_equal(words[1], "stream");
  o.argument = "[=passed|missed]";
  assert_int_equal(command_choices(a, &o, &words), 2);
  assert_string_equal(words[1], "missed");
  static const char *const none[] = {"", "N", "N|all", "FILE|none", "DIR"};
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
    o.argument = none[i];
    assert_int_equal(command_choices(a, &o, &words), 0);
  }
}

static void wraps_help(void **state) {
  Arena *a = *state;
  for (const Command *c = commands; c->name; c++)
    for (int width = 60; width <= 200; width += 35) {
      Buffer b = buffer_new(a);
      command_help(&b, c, width);
      for (const char *line = b.text; *line; line += strcspn(line, "\n") + 1) {
        const size_t n = strcspn(line, "\n");
        const bool kept = strncmp(line, "  tgc ", 6) == 0 || strncmp(line, "      --determinism", 19) == 0;
        if (n > (size_t)width && !kept) fail_msg("%d columns: %.*s", width, (int)n, line);
        assert_true(n == 0 || line[n - 1] != ' ');
      }
    }
}

/* What people see, whole. */
static void golden(void **state) {
  Arena *a = *state;
  Buffer overview = buffer_new(a), help = buffer_new(a), man = buffer_new(a), bash = buffer_new(a);
  command_overview(&overview, 80);
  golden_compare(a, "tests/golden/command/overview.txt", overview.text);
  command_help(&help, command_by_name("ship"), 80);
  golden_compare(a, "tests/golden/command/ship.txt", help.text);
  command_man(&man, command_by_name("ship"));
  golden_compare(a, "tests/golden/command/tgc-ship.1", man.text);
  command_complete(&bash, "bash");
  assert_non_null(strstr(bash.text, "complete -o filenames -F _tgc tgc\n"));
  Buffer zsh = buffer_new(a), fish = buffer_new(a);
  command_complete(&zsh, "zsh");
  assert_true(strncmp(zsh.text, "#compdef tgc\n", 13) == 0);
  assert_non_null(strstr(zsh.text, "'--objective=[GPU\\: what"));
  assert_non_null(strstr(zsh.text, ":value:(graph stream all)'"));
  command_complete(&fish, "fish");
  assert_non_null(strstr(fish.text, "-l objective -x -a 'graph stream all' -d 'GPU"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(reads_each_way_to_give_a_value, set_up, tear_down),
      cmocka_unit_test_setup_teardown(fills_in_what_is_usual, set_up, tear_down),
      cmocka_unit_test_setup_teardown(refuses_what_is_none, set_up, tear_down),
      cmocka_unit_test_setup_teardown(gives_canonical_words, set_up, tear_down),
      cmocka_unit_test_setup_teardown(is_a_table_without_contradictions, set_up, tear_down),
      cmocka_unit_test_setup_teardown(knows_choices, set_up, tear_down),
      cmocka_unit_test_setup_teardown(wraps_help, set_up, tear_down),
      cmocka_unit_test_setup_teardown(golden, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
