#include "compiled.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "golden.h"

Compilation compiled(Options *o) { return compiled_plans(o, NULL); }

Compilation compiled_plans(Options *o, const char *const *plans) {
  Arena *a = arena_new();
  o->file = golden_path(a, o->file);
  Compilation c = {.arena = a, .options = o, .whole = true, .only = plans, .diagnostics = diagnostics_new(a)};
  if (!compile_variants(&c)) fail_msg("%s", golden_diagnostics(a, c.diagnostics, 0));
  return c;
}

const Variant *compiled_plan(const Compilation *c, const char *text) {
  for (int i = 0; i < c->output.nvariants; i++)
    if (strcmp(c->output.variants[i].plan->text, text) == 0) return &c->output.variants[i];
  fail_msg("no plan %s", text);
  return NULL;
}

const char *compiled_text(const Compilation *c, const Variant *v) {
  Buffer b = buffer_new(c->arena);
  emit_variant(&b, &c->output, v);
  return b.text;
}
