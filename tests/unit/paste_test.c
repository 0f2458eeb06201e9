/* The small preprocessor that pastes files of runtime/ (emit/paste.c): what it resolves, and what it leaves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "emit/paste.h"

#define HEAD                                                                                                           \
  "// a file\n#ifndef A\n#define A 1\n#define B 0\n#define TYPE float\n#define OP(x, y) x + y\n#endif\n// ---- here "  \
  "----\n"

static Buffer fresh(void **state) { return buffer_new(*state); }

static int begin(void **state) {
  *state = arena_new();
  return 0;
}

static int end(void **state) {
  arena_free(*state);
  return 0;
}

/* The head itself is not pasted, and a parameter that is not given does not hold. */
static void pieces(void **state) {
  static const char text[] = HEAD "#if A\na\n#else\nnot a\n#endif\n#if B\nb\n#endif\nend\n";
  Buffer none = fresh(state), a = fresh(state), b = fresh(state);
  paste(&none, text, NULL);
  assert_string_equal(none.text, "not a\nend\n");
  paste(&a, text, "A", "1", "B", "0", NULL);
  assert_string_equal(a.text, "a\nend\n");
  paste(&b, text, "B", paste_if(true), "A", paste_if(false), NULL);
  assert_string_equal(b.text, "not a\nb\nend\n");
}

static void conditions(void **state) {
  static const char text[] = HEAD "#if A && !B\n1\n#elif A || B\n2\n#else\n3\n#endif\n#if !(A || B)\n4\n#endif\n";
  static const struct { const char *a, *b, *want; } rows[] = {
      {"1", "0", "1\n"}, {"1", "1", "2\n"}, {"0", "1", "2\n"}, {"0", "0", "3\n4\n"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Buffer to = fresh(state);
    paste(&to, text, "A", rows[i].a, "B", rows[i].b, NULL);
    assert_string_equal(to.text, rows[i].want);
  }
}

/* Conditions on other macros are the compiler's, within those that hold; within others all is left out. */
static void conditions_of_compilers(void **state) {
  static const char text[] =
      HEAD "#ifdef __CUDA_ARCH__\n#if A\na\n#endif\n#if A && __CUDA_ARCH__ > 700\nnew\n#else\nold\n#endif\n"
           "#endif\n#if B\n#ifdef X\n#if A\n#endif\n#else\n#endif\n#endif\n#pragma unroll\n";
  Buffer to = fresh(state);
  paste(&to, text, "A", "1", NULL);
  assert_string_equal(to.text,
                      "#ifdef __CUDA_ARCH__\na\n#if 1 && __CUDA_ARCH__ > 700\nnew\n#else\nold\n#endif\n#endif\n"
                      "#pragma unroll\n");
}

/* Whole words, in comments and strings too; what is no parameter stays. */
static void words(void **state) {
  static const char text[] = HEAD "// of TYPE\nTYPE x = MYTYPE(TYPE_, \"TYPE\");\n";
  Buffer to = fresh(state);
  paste(&to, text, "TYPE", "double", NULL);
  assert_string_equal(to.text, "// of double\ndouble x = MYTYPE(TYPE_, \"double\");\n");
}

/* Arguments take their places in the value, parameters in them first; the value is not looked at again. */
static void arguments(void **state) {
  static const char text[] = HEAD "OP(a, f(b, c)); OP(OP(1, 2), TYPE(3));\n";
  Buffer to = fresh(state);
  paste(&to, text, "OP", "max(y, x, xy, OP)", "TYPE", "T", NULL);
  assert_string_equal(to.text, "max(f(b, c), a, xy, OP); max(T(3), max(2, 1, xy, OP), xy, OP);\n");
}

/* ## joins; an empty value takes a space along; a function-like macro without arguments stays. */
static void joins(void **state) {
  static const char text[] = HEAD "TYPE x##_##TYPE; OP TYPE##OP(1, 2);\n";
  Buffer to = fresh(state), none = fresh(state);
  paste(&to, text, "TYPE", "int", "OP", "x##_##y", NULL);
  assert_string_equal(to.text, "int x_int; OP int1_2;\n");
  paste(&none, HEAD "TYPE x; (TYPE)\n", "TYPE", "", NULL);
  assert_string_equal(none.text, "x; ()\n");
}

/* Parameters beside those of the head; a text without a head keeps its #if. */
static void shared_parameters(void **state) {
  Define rows[] = {{"STD(x)", "std::x"}, {"A", "1"}, {"C", "0"}};
  const Defines given = {.at = rows, .n = 3, .capacity = 3};
  Buffer file = fresh(state), text = fresh(state);
  paste_with(&file, HEAD "#if A && !C\nSTD(move)(A);\n#endif\n", true, &given);
  assert_string_equal(file.text, "std::move(1);\n");
  paste_with(&text, "#if C\nSTD(move)\n", false, &given);
  assert_string_equal(text.text, "#if 0\nstd::move\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(pieces, begin, end),
      cmocka_unit_test_setup_teardown(conditions, begin, end),
      cmocka_unit_test_setup_teardown(conditions_of_compilers, begin, end),
      cmocka_unit_test_setup_teardown(words, begin, end),
      cmocka_unit_test_setup_teardown(arguments, begin, end),
      cmocka_unit_test_setup_teardown(joins, begin, end),
      cmocka_unit_test_setup_teardown(shared_parameters, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
