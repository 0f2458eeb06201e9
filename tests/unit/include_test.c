/* include_test.c: files that include files: which are read, in which order, where errors are; what two define alike. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../witness/prepare.h"
#include "front/front.h"
#include "front/include.h"
#include "golden.h"

#define SUM(tag, body) "template <typename T> __codelet " tag " T sum(const Array<1, T> in) {" body "}\n"
#define LOOP "T a = 0; for (unsigned i = 0; i < in.Size(); ++i) a += in[i]; return a;"

typedef struct Place {
  Arena *a;
  char *root;
  Diagnostics *d;
} Place;

static int remove_one(const char *path, const struct stat *s, int kind, struct FTW *f) {
  (void)s, (void)kind, (void)f;
  return remove(path);
}

static int set_up(void **state) {
  Arena *a = arena_new();
  Place *p = arena_one(a, Place);
  *p = (Place){a, arena_strdup(a, "/tmp/tgc-include-XXXXXX"), diagnostics_new(a)};
  *state = p;
  return mkdtemp(p->root) ? 0 : -1;
}

static int tear_down(void **state) {
  Place *p = *state;
  nftw(p->root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
  arena_free(p->a);
  return 0;
}

static const char *in_root(Place *p, const char *name) { return arena_printf(p->a, "%s/%s", p->root, name); }

static void put(Place *p, const char *name, const char *text) {
  FILE *f = fopen(in_root(p, name), "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
}

static SourceFile *read_named(Place *p, const char *name) {
  const char *path = in_root(p, name);
  return include_read(p->a, &path, 1, NULL, p->d);
}

static Unit *parse(Place *p, const char *name) {
  static const char *types[] = {"int", "float"};
  SourceFile *f = read_named(p, name);
  return f ? front_parse(p->a, f, types, 2, NULL, p->d) : NULL;
}

/* The names of the parts, without folders: "b.cdl a.cdl". */
static const char *parts_of(Place *p, const SourceFile *f) {
  Buffer b = buffer_new(p->a);
  for (int i = 0; i < f->nparts; i++) {
    const char *slash = strrchr(f->parts[i].path, '/');
    buffer_printf(&b, "%s%s", i ? " " : "", slash ? slash + 1 : f->parts[i].path);
  }
  return b.text;
}

static void a_file_stands_behind_what_it_includes(void **state) {
  Place *p = *state;
  put(p, "a.cdl", "// of a\n/* and\n more */ #include \"b.cdl\"\n#\tinclude \"sub/c.cdl\" // too\n");
  put(p, "b.cdl", "#include \"./sub/c.cdl\" /* again */\n" SUM("__tag(b)", LOOP));
  mkdir(in_root(p, "sub"), 0777);
  put(p, "sub/c.cdl", "#include \"d.cdl\"");
  put(p, "sub/d.cdl", SUM("__tag(d)", LOOP));
  const SourceFile *f = read_named(p, "a.cdl");
  assert_non_null(f);
  assert_string_equal(parts_of(p, f), "d.cdl c.cdl b.cdl a.cdl");
  assert_string_equal(f->path, in_root(p, "a.cdl"));
  const Unit *u = parse(p, "a.cdl");
  if (!u) fail_msg("%s", golden_diagnostics(p->a, p->d, 0));
  assert_int_equal(u->nspectra, 1);
  assert_int_equal(u->spectra[0]->ncodelets, 2);
  int line, column;
  source_position(f, f->parts[2].begin + 37, &line, &column);
  assert_int_equal(line, 2);
}

static void one_file_stays_what_it_is(void **state) {
  Place *p = *state;
  put(p, "a.cdl", "// #include \"b.cdl\"\n" SUM("", LOOP) "/* no end of line */");
  const SourceFile *f = read_named(p, "a.cdl");
  assert_int_equal(f->nparts, 0);
  assert_int_equal(f->size, strlen("// #include \"b.cdl\"\n" SUM("", LOOP) "/* no end of line */"));
}

/* What the user names comes first, and what it includes is another spectrum. */
static void spectra_of_the_file_come_first(void **state) {
  Place *p = *state;
  put(p, "a.cdl", "#include \"sum.cdl\"\n"
                  "template <typename T> __codelet T twice(const Array<1, T> in) { return sum(in) + sum(in); }\n");
  const Unit *u = parse(p, "a.cdl");
  if (!u) fail_msg("%s", golden_diagnostics(p->a, p->d, 0));
  assert_int_equal(u->nspectra, 2);
  assert_string_equal(u->spectra[0]->name, "twice");
  assert_int_equal(u->spectra[1]->ncodelets, 8); /* of the shipped one */
  put(p, "sum.cdl", SUM("", LOOP));
  u = parse(p, "a.cdl");
  assert_int_equal(u->spectra[1]->ncodelets, 1); /* of the one beside it */
}

static void circles_are_harmless(void **state) {
  Place *p = *state;
  put(p, "a.cdl", "#include \"a.cdl\"\n#include \"b.cdl\"\n");
  put(p, "b.cdl", "#include \"a.cdl\"\n#include \"./b.cdl\"\n#include \"link.cdl\"\n" SUM("", LOOP));
  assert_int_equal(symlink("a.cdl", in_root(p, "link.cdl")), 0);
  const Unit *u = parse(p, "a.cdl");
  if (!u) fail_msg("%s", golden_diagnostics(p->a, p->d, 0));
  assert_int_equal(u->spectra[0]->ncodelets, 2); /* the second reduces as a shipped file says */
  assert_string_equal(parts_of(p, u->file), "b.cdl a.cdl totals_over.cdl");
}

/* ---- what two files define ---- */

#define MONOID "template <typename T> struct __monoid(associative, commutative) Plus {\n" \
               "  static T id() { return 0; }\n  static T op(T a, T b) { return a + b; }\n};\n"

static void what_is_defined_alike_is_defined_once(void **state) {
  Place *p = *state;
  put(p, "a.cdl", "#include \"b.cdl\"\n" MONOID SUM("__tag(x)", " /* as there */\n " LOOP) SUM("__tag(y)", LOOP)
                  "template <typename T> __codelet T g(T x) { return x + x; }\n");
  put(p, "b.cdl", MONOID SUM("__tag(x)", LOOP " ") "template <typename T> __codelet T g(T x) { return x + x; }\n");
  const Unit *u = parse(p, "a.cdl");
  if (!u) fail_msg("%s", golden_diagnostics(p->a, p->d, 0));
  assert_int_equal(u->nspectra, 2);
  assert_int_equal(u->spectra[0]->ncodelets, 2);
  assert_int_equal(u->spectra[1]->ncodelets, 1);

  /* The witness sees the same. */
  const SourceFile *f = u->file;
  PrepareFile files[] = {{"b.cdl", f->text, f->parts[1].begin},
                         {"a.cdl", f->text + f->parts[1].begin, f->size - f->parts[1].begin}};
  Prepared prepared = prepare(files, 2);
  if (prepared.error) fail_msg("%s", prepared.error);
  assert_int_equal(prepared.ncodelets, 3);
  assert_null(strstr(prepared.text, "#include"));
  const char *monoid = strstr(prepared.text, "Plus");
  assert_non_null(monoid);
  assert_null(strstr(monoid + 1, "Plus"));
  prepared_free(&prepared);

  /* Words that differ are two definitions. */
  put(p, "b.cdl", SUM("__tag(x)", "T b = 0; for (unsigned i = 0; i < in.Size(); ++i) b += in[i]; return b;"));
  assert_null(parse(p, "a.cdl"));
  const char *said = golden_diagnostics(p->a, p->d, 0);
  if (!strstr(said, "a.cdl:6:") || !strstr(said, "the codelet on line 1 of ")) fail_msg("%s", said);
}

/* Without a tag, the witness names codelets for their lines, which files share. */
static void codelets_without_tags_have_names(void **state) {
  (void)state;
  static const char first[] = SUM("", LOOP), second[] = SUM("__coop", "return in[coopIdx()];");
  PrepareFile files[] = {{"b.cdl", first, sizeof first - 1}, {"a.cdl", second, sizeof second - 1}};
  Prepared prepared = prepare(files, 2);
  if (prepared.error) fail_msg("%s", prepared.error);
  assert_string_equal(prepared.codelets[0].name, "sum__1");
  assert_string_equal(prepared.codelets[1].name, "sum__1_2");
  assert_string_equal(prepared.codelets[1].file, "a.cdl");
  prepared_free(&prepared);
}

/* ---- what is refused ---- */

static const char *refused(Place *p, const char *name) {
  p->d = diagnostics_new(p->a);
  if (parse(p, name)) fail_msg("%s is taken", name);
  return golden_diagnostics(p->a, p->d, 0);
}

static void bad_directives_are_located(void **state) {
  Place *p = *state;
  static const struct { const char *text, *says[2]; } rows[] = {
      {"\n  #include \"no.cdl\"\n", {"a.cdl:2:13: error: cannot find `no.cdl'", "/codelets/no.cdl'"}},
      {"#include \"no.cdl\"", {"/no.cdl' and `", "looked for `"}},
      {"#include <b.cdl>", {"a.cdl:1:10: error: `#include' takes the name of a codelet file", "hint"}},
      {"#include", {"a.cdl:1:9: error: `#include' takes the name of a codelet file", "hint"}},
      {"#include \"b.cdl", {"a.cdl:1:10: error: `#include' takes the name of a codelet file", "hint"}},
      {"#include \"\"", {"a.cdl:1:10: error: `#include' takes the name of a codelet file", "hint"}},
      {"#include \"b.cdl\" b", {"a.cdl:1:18: error: unexpected text after", "hint"}},
      {"#include \"/etc/b.cdl\"", {"no absolute path", "hint"}},
      {"#include \"../b.cdl\"", {"below the folder", "hint: move it there"}},
      {"#include \"sub/../../b.cdl\"", {"below the folder", "hint: move it there"}},
      {"#include \"sub/..\"", {"below the folder", "hint: move it there"}},
      {"#include \"stdio.h\"", {"no codelet file", "hint"}},
      {"#include \".cdl\"", {"no codelet file", "hint"}},
      {"#include \"a\033[2J.cdl\"", {"no name of a file", "hint"}},
      {"#include \"a\\b.cdl\"", {"no name of a file", "hint"}},
      {"#include \"sub.cdl\"", {"a.cdl:1:11: error: this is a folder", "/sub.cdl'"}},
      {"#include \"zero.cdl\"", {"a.cdl:1:11: error: this is no file of text", "/zero.cdl'"}},
      {"#include \"gone.cdl\"", {"cannot find `gone.cdl'", "hint"}},
      {"#include \"large.cdl\"", {"a.cdl:1:11: error: the files are too large", "at most 4 MB"}},
      {"#define A\n#include \"b.cdl\"", {"a.cdl:2:1: error: only comments may come before an #include", "hint: move it up"}},
      {"#if 0\n#include \"b.cdl\"\n#endif", {"a.cdl:2:1: error: only comments may come before an #include", "hint: move it up"}},
      {SUM("", "\n#include \"b.cdl\"\n"), {"a.cdl:2:1: error: only comments may come before an #include", "hint: move it up"}},
      {"#include_next \"b.cdl\"", {"a.cdl:1:1: error: this directive is not allowed", "hint"}},
      {"#inc\\\nlude \"b.cdl\"", {"a.cdl:1:1: error: this directive is not allowed", "hint"}},
      {"#import \"b.cdl\"", {"a.cdl:1:1: error: this directive is not allowed", "hint"}}};
  put(p, "b.cdl", SUM("", LOOP));
  mkdir(in_root(p, "sub.cdl"), 0777);
  assert_int_equal(symlink("/dev/zero", in_root(p, "zero.cdl")), 0);
  assert_int_equal(symlink("nowhere", in_root(p, "gone.cdl")), 0);
  put(p, "large.cdl", "");
  assert_int_equal(truncate(in_root(p, "large.cdl"), (4 << 20) + 1), 0);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    put(p, "a.cdl", rows[i].text);
    const char *said = refused(p, "a.cdl");
    if (!strstr(said, rows[i].says[0]) || !strstr(said, rows[i].says[1]))
      fail_msg("%s\n--- lacks `%s', `%s':\n%s", rows[i].text, rows[i].says[0], rows[i].says[1], said);
    assert_null(strchr(said, '\033'));
  }
  Buffer b = buffer_new(p->a);
  buffer_puts(&b, "#include \"");
  buffer_fill(&b, 'x', 100000);
  buffer_puts(&b, ".cdl\"\n");
  put(p, "a.cdl", b.text);
  assert_non_null(strstr(refused(p, "a.cdl"), "this name is too long"));
}

/* Of files that are included: the place is theirs, and who includes them is told. */
static void errors_inside_are_located(void **state) {
  Place *p = *state;
  static const struct { const char *text, *says;
  } rows[] = {{"\n" SUM("", "return nothing;"), "b.cdl:2:"},
              {SUM("", LOOP) "/* on and on", "b.cdl:2:"},
              {SUM("", LOOP) "// on \\", "a comment or a line continues past the end of its file"},
              {"template <typename T> __codelet T sum(const Array<1, T> in) {\n",
               "b.cdl:1:61: error: its file never closes this bracket"},
              {"template <typename T>", "b.cdl:1:1: error: a declaration that its file does not end"},
              {"\n\n@ 1", "b.cdl:3:"}};
  put(p, "a.cdl", "// a\n#include \"b.cdl\"\n" SUM("__tag(a)", LOOP) "/* a comment */\n");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    put(p, "b.cdl", rows[i].text);
    const char *said = refused(p, "a.cdl");
    const char *by = arena_printf(p->a, "included at %s:2\n", in_root(p, "a.cdl"));
    if (!strstr(said, rows[i].says) || !strstr(said, by))
      fail_msg("%s\n--- lacks `%s':\n%s", rows[i].text, rows[i].says, said);
  }
  FILE *f = fopen(in_root(p, "b.cdl"), "w");
  for (int i = 0; i < 100000; i++) fputc(i * 7919 >> 3 & 255, f);
  fclose(f);
  assert_non_null(strstr(refused(p, "a.cdl"), "a NUL byte"));
  put(p, "b.cdl", "// nothing\n");
  put(p, "a.cdl", "#include \"b.cdl\"\n");
  assert_non_null(strstr(refused(p, "a.cdl"), "a.cdl:1:1: error: the file has no codelet")); /* it is true of all */
}

static void many_files_are_bounded(void **state) {
  Place *p = *state;
  Buffer all = buffer_new(p->a);
  for (int i = 0; i < 300; i++) {
    put(p, arena_printf(p->a, "n%d.cdl", i), arena_printf(p->a, "#include \"n%d.cdl\"\n", i + 1));
    put(p, arena_printf(p->a, "m%d.cdl", i), "// empty\n");
    buffer_printf(&all, "#include \"m%d.cdl\"\n", i);
  }
  assert_non_null(strstr(refused(p, "n0.cdl"), "n32.cdl:1:11: error: too many files that include one another"));
  put(p, "a.cdl", all.text);
  assert_non_null(strstr(refused(p, "a.cdl"), "a.cdl:200:11: error: too many files are included"));
  all.length = 0;
  for (int i = 0; i < 10000; i++) buffer_printf(&all, "#include \"no%d.cdl\"\n", i);
  put(p, "a.cdl", all.text);
  refused(p, "a.cdl");
  assert_int_equal(p->d->errors, 201); /* the last says that there are too many */
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(a_file_stands_behind_what_it_includes), TEST(one_file_stays_what_it_is),
      TEST(spectra_of_the_file_come_first),        TEST(circles_are_harmless),
      TEST(what_is_defined_alike_is_defined_once), TEST(codelets_without_tags_have_names),
      TEST(bad_directives_are_located),            TEST(errors_inside_are_located),
      TEST(many_files_are_bounded)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
