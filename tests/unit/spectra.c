#include "spectra.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "front/front.h"
#include "passes/codelet_passes.h"

Unit *spectra_parse(Arena *a, const char *relative) {
  static const char *types[] = {"int", "float", "double"};
  Diagnostics *d = diagnostics_new(a);
  Unit *u = front_parse(a, golden_source(a, relative), types, 3, NULL, d);
  if (!u || !codelet_passes_run(a, u, 32, 1024, d)) fail_msg("%s: %s", relative, golden_diagnostics(a, d, 0));
  return u;
}

Unit *spectra_parse_text(Arena *a, const char *text, const char *operation, Diagnostics *d) {
  SourceFile *file = arena_one(a, SourceFile);
  *file = (SourceFile){.path = "made.cdl", .text = arena_strdup(a, text), .size = strlen(text)};
  return spectra_parse_source(a, file, operation, d);
}

Unit *spectra_parse_source(Arena *a, const SourceFile *file, const char *operation, Diagnostics *d) {
  static const char *types[] = {"int"};
  Unit *u = front_parse(a, file, types, 1, operation, d);
  if (!u || !codelet_passes_run(a, u, 32, 1024, d)) fail_msg("%s", golden_diagnostics(a, d, 0));
  return u;
}

Arch *spectra_machine(Arena *a, const char *name, const char *levels) {
  Diagnostics *d = diagnostics_new(a);
  const char *what = strchr(name, '/') ? golden_path(a, name) : name;
  Arch *m = arch_load(a, what, golden_path(a, "archspec"), d);
  if (m && levels) m = arch_with_levels(a, m, levels, d);
  if (!m) fail_msg("%s: %s", name, golden_diagnostics(a, d, 0));
  return m;
}
