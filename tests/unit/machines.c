/* machines.c: machines for tests: read, changed, refused. */
#include "machines.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"

int machines_set_up(void **state) {
  Fixture *f = malloc(sizeof *f);
  f->a = arena_new();
  f->d = diagnostics_new(f->a);
  *state = f;
  return 0;
}

int machines_tear_down(void **state) {
  Fixture *f = *state;
  arena_free(f->a);
  free(f);
  return 0;
}

Arch *machines_load(Fixture *f, const char *path) {
  Arch *m = arch_load(f->a, golden_path(f->a, path), NULL, f->d);
  if (!m) diagnostics_print(f->d, stderr, 0, false);
  assert_non_null(m);
  assert_int_equal(f->d->errors, 0);
  return m;
}

Arch *machines_shipped(Fixture *f, const char *name) {
  return machines_load(f, arena_printf(f->a, "archspec/%s.yaml", name));
}

const Diagnostic *machines_error(const Diagnostics *d, const char *message) {
  for (int i = 0; i < d->list.n; i++)
    if (d->list.at[i].level == DIAG_ERROR && strstr(d->list.at[i].message, message))
      return &d->list.at[i];
  return NULL;
}

Arch *machines_parse(Fixture *f, const char *text, size_t size) {
  SourceFile *s = arena_one(f->a, SourceFile);
  *s = (SourceFile){.path = "user.yaml", .text = arena_strndup(f->a, text, size), .size = size};
  memcpy((char *)s->text, text, size); /* NUL bytes too */
  return arch_parse(f->a, s, f->d);
}

/* A shipped machine with `from` replaced by `to`. */
const char *machines_edited(Fixture *f, const char *name, const char *from, const char *to) {
  SourceFile *s = source_read(f->a, golden_path(f->a, arena_printf(f->a, "archspec/%s.yaml", name)));
  assert_non_null(s);
  char *at = strstr(s->text, from);
  if (!at) fail_msg("the spec has no `%s'", from);
  return arena_printf(f->a, "%.*s%s%s", (int)(at - s->text), s->text, to, at + strlen(from));
}
