/* machines.h: machines for tests: read, changed, refused. */
#ifndef TGC_TESTS_MACHINES_H
#define TGC_TESTS_MACHINES_H

#include "arch/arch.h"

/* A test's own, from machines_set_up to machines_tear_down. */
typedef struct Fixture {
  Arena *a;
  Diagnostics *d;
} Fixture;

int machines_set_up(void **state);
int machines_tear_down(void **state);
#define MACHINE_TEST(name) cmocka_unit_test_setup_teardown(name, machines_set_up, machines_tear_down)

/* A machine by its spec's path in the source tree; a shipped one by name. The test fails where there is an error. */
Arch *machines_load(Fixture *f, const char *path);
Arch *machines_shipped(Fixture *f, const char *name);

/* A text as a user's machine, which may be refused. */
Arch *machines_parse(Fixture *f, const char *text, size_t size);
/* A shipped machine's text with `from` replaced by `to`. */
const char *machines_edited(Fixture *f, const char *name, const char *from, const char *to);
/* The first error that says so; NULL: there is none. */
const Diagnostic *machines_error(const Diagnostics *d, const char *message);

#endif
