/* The front end on any bytes: it must end with a unit or with errors that have places. */
#include <stdlib.h>

#include "front/front.h"
#include "passes/codelet_passes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *types[] = {"int", "float"}, *operators[] = {NULL, "Max", "ArgMax", "Mine"};
  Arena *a = arena_new();
  Diagnostics *d = diagnostics_new(a);
  SourceFile *f = arena_one(a, SourceFile);
  *f = (SourceFile){.path = "fuzz.cdl", .text = arena_strndup(a, (const char *)data, size), .size = size};
  Unit *u = front_parse(a, f, types, 2, operators[size % 4], d);
  if (!u && d->errors == 0) abort();
  if (u) codelet_passes_run(a, u, 32, 1024, d);
  arena_free(a);
  return 0;
}
