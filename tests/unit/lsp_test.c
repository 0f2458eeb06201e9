/* lsp_test.c: what the language server is made of: frames, places, edits, URIs. tests/cli/lsp.py has the server. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>
#include <unistd.h>

#include "lsp/documents.h"
#include "lsp/frames.h"
#include "lsp/uris.h"
#include "lsp/words.h"
#include "support/buffer.h"

/* ---- frames ---- */

/* Sends bytes, `step' at a time; the messages that come out, each in brackets; `!' for one that is too long. */
static const char *received(Arena *a, const char *bytes, size_t n, size_t step) {
  Buffer out = buffer_new(a);
  Frames f = {0};
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  for (size_t at = 0; at < n; at += step) {
    const size_t part = n - at < step ? n - at : step;
    assert_int_equal(write(ends[1], bytes + at, part), part);
    assert_true(frames_read(&f, ends[0]));
    size_t size;
    bool too_long;
    for (const char *text; (text = frames_next(&f, &size, &too_long)) != NULL || too_long;)
      if (too_long) buffer_puts(&out, "!");
      else buffer_printf(&out, "[%.*s]", (int)size, text);
  }
  close(ends[1]);
  assert_false(frames_read(&f, ends[0]));
  close(ends[0]);
  frames_end(&f);
  return out.text;
}

static void test_frames(void **state) {
  (void)state;
  static const struct { const char *bytes, *messages; } rows[] = {
      {"Content-Length: 2\r\n\r\n{}Content-Length: 3\r\n\r\n{1}", "[{}][{1}]"},
      {"content-length:2\n\n{}", "[{}]"},
      {"Content-Type: x\r\nContent-Length: 2\r\n\r\n{}", "[{}]"},
      {"Content-Length: 2\r\nContent-Type: x\r\n\r\n{}", "[{}]"},
      {"Content-Length: 0\r\n\r\nContent-Length: 1\r\n\r\n3", "[][3]"},
      {"noise\r\n\r\nContent-Length: 2\r\n\r\n{}", "[{}]"},
      {"Content-Length: -2\r\n\r\nContent-Length: x\r\n\r\nContent-Length: 2\r\n\r\n{}", "[{}]"},
      {"Content-Length: 2 3\r\n\r\nContent-Length: 2\r\n\r\n{}", "[{}]"},
      {"Content-Length: 3\r\n\r\n{longer}Content-Length: 2\r\n\r\n{}", "[{lo][{}]"},
      {"Content-Length: 99999999999999999999\r\n\r\nContent-Length: 2\r\n\r\n{}", "[{}]"},
      {"Content-Length: 99999999999999999\r\n\r\n{}", "!"},
      {"Content-Length: 9\r\n\r\n{}", ""},
      {"Content-Length: 2\r\n", ""},
      {"\n\n\n\r\n", ""}};
  Arena *a = arena_new();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (size_t step = 1; step < 40; step += 6)
      assert_string_equal(received(a, rows[i].bytes, strlen(rows[i].bytes), step), rows[i].messages);
  arena_free(a);
}

/* Bytes without end that are no header are not kept. */
static void test_noise_is_dropped(void **state) {
  (void)state;
  Frames f = {0};
  int ends[2];
  char noise[4096];
  memset(noise, 'x', sizeof noise);
  assert_int_equal(pipe(ends), 0);
  for (int i = 0; i < 100; i++) {
    size_t size;
    bool too_long;
    assert_int_equal(write(ends[1], noise, sizeof noise), sizeof noise);
    assert_true(frames_read(&f, ends[0]));
    assert_null(frames_next(&f, &size, &too_long));
    assert_true(f.size <= 8192);
  }
  frames_end(&f);
  close(ends[0]);
  close(ends[1]);
}

/* ---- places ---- */

static void test_places(void **state) {
  (void)state;
  static const char text[] = "a\u00e4b\r\n\U0001F600c\rd\n\ne"; /* 2 bytes for one unit, 4 for two */
  static const struct { size_t offset; LinesPlace at; } rows[] = {
      {0, {0, 0}}, {1, {0, 1}}, {3, {0, 2}}, {4, {0, 3}}, {6, {1, 0}},  {10, {1, 2}},
      {11, {1, 3}}, {12, {2, 0}}, {13, {2, 1}}, {14, {3, 0}}, {15, {4, 0}}, {16, {4, 1}}};
  Arena *a = arena_new();
  const Lines l = lines_of(a, text, sizeof text - 1);
  assert_int_equal(l.starts.n, 5);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const LinesPlace at = lines_place(&l, rows[i].offset);
    assert_int_equal(at.line, rows[i].at.line);
    assert_int_equal(at.character, rows[i].at.character);
    assert_int_equal(lines_offset(&l, rows[i].at), rows[i].offset);
  }
  static const struct { LinesPlace at; size_t offset; } outside[] = {
      {{-1, 5}, 0}, {{0, -7}, 0}, {{0, 99}, 4}, {{1, 1}, 6}, {{1, 99}, 11}, {{99, 0}, 16}, {{4, 99}, 16}};
  for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
    assert_int_equal(lines_offset(&l, outside[i].at), outside[i].offset);
  assert_int_equal(lines_place(&l, 1000).line, 4);
  arena_free(a);
}

/* ---- edits ---- */

#define PLACE(l, c) "{\"line\": " #l ", \"character\": " #c "}"

static void test_edits(void **state) {
  (void)state;
  static const struct { const char *changes, *text; } rows[] = {
      {"[{\"text\": \"x\"}]", "x"},
      {"[{\"range\": {\"start\": " PLACE(0, 1) ", \"end\": " PLACE(1, 1) "}, \"text\": \"-\"}]", "a-d\n"},
      {"[{\"range\": {\"start\": " PLACE(1, 1) ", \"end\": " PLACE(0, 0) "}, \"text\": \"-\"}]", "ab\nc-d\n"},
      {"[{\"range\": null, \"text\": \"y\"}]", "y"},
      {"[{\"text\": \"1\"}, {\"range\": {\"start\": " PLACE(9, 9) ", \"end\": " PLACE(9, 9) "}, \"text\": \"2\"}]",
       "12"},
      {"[{\"text\": \"1\"}, {\"range\": {}, \"text\": \"2\"}, {\"text\": \"3\"}]", "1"},
      {"[3, {\"text\": \"x\"}]", "ab\ncd\n"},
      {"{\"text\": \"x\"}", "ab\ncd\n"}};
  Documents all = {.arena = arena_new()};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Document *d = documents_open(&all, "file:///a", "ab\ncd\n", 6);
    json_t *changes = json_loads(rows[i].changes, 0, NULL);
    assert_non_null(changes);
    documents_edit(&all, d, changes);
    json_decref(changes);
    assert_string_equal(d->lines.text, rows[i].text);
    assert_ptr_equal(documents_find(&all, "file:///a"), d);
    assert_string_equal(d->path, "/a");
  }
  documents_close(documents_find(&all, "file:///a"));
  assert_null(documents_find(&all, "file:///a"));
  assert_non_null(documents_open(&all, "file:///b", "", 0));
  assert_int_equal(all.all.n, 1);
  documents_end(&all);
  arena_free(all.arena);
}

/* ---- names ---- */

static void test_uris(void **state) {
  (void)state;
  static const struct { const char *uri, *path; } rows[] = {
      {"file:///a/b.cdl", "/a/b.cdl"},           {"file:///a%20b/%C3%A4.cdl", "/a b/\u00e4.cdl"},
      {"file://localhost/a", "/a"},              {"file:///a%2", "/a%2"},
      {"file:///a%zz%00", "/a%zz%00"},           {"untitled:Untitled-1", "untitled:Untitled-1"},
      {"file://", "file://"},                    {"", ""}};
  Arena *a = arena_new();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) assert_string_equal(uri_path(a, rows[i].uri), rows[i].path);
  assert_string_equal(uri_of(a, "/a b/\u00e4.cdl"), "file:///a%20b/%C3%A4.cdl");
  assert_string_equal(uri_of(a, "untitled:1"), "untitled:1");
  assert_string_equal(uri_path(a, uri_of(a, "/%#?&+.cdl")), "/%#?&+.cdl");
  arena_free(a);
}

static void test_words(void **state) {
  (void)state;
  assert_null(word_called("Size", false));
  assert_non_null(word_called("Size", true));
  assert_non_null(word_called("__tunable", false));
  for (const Word *w = words; w->word; w++) {
    assert_ptr_equal(word_called(w->word, w->kind == WORD_MEMBER), w); /* each once */
    assert_non_null(strstr(w->usage, w->word));
    assert_int_equal(w->meaning[strlen(w->meaning) - 1], '.');
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_frames), cmocka_unit_test(test_noise_is_dropped),
                                     cmocka_unit_test(test_places), cmocka_unit_test(test_edits),
                                     cmocka_unit_test(test_uris),   cmocka_unit_test(test_words)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
