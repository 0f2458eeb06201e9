/* Many variants: their texts and manifest entries wait on disk and are those of a few; what stays in memory of each is
 * little. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "driver/compile.h"
#include "golden.h"

/* More than are kept whole, and of those few. */
enum { MANY = 290, MORE = 330, FEW = 40 };

static Compilation sums(int keep) {
  Arena *a = arena_new();
  Options *o = arena_one(a, Options);
  *o = (Options){.file = golden_path(a, "codelets/sum.cdl"), .arch = "sm_60", .keep = arena_printf(a, "%d", keep),
                 .types = "int", .table = "none"};
  Compilation c = {.arena = a, .options = o, .diagnostics = diagnostics_new(a)};
  if (!compile_variants(&c)) fail_msg("%s", golden_diagnostics(a, c.diagnostics, 0));
  return c;
}

static void end(Compilation *c) {
  compile_end(c);
  arena_free(c->arena);
}

static const Variant *same(const Compilation *c, const Variant *v) {
  for (int i = 0; i < c->output.nvariants; i++)
    if (strcmp(c->output.variants[i].plan->id, v->plan->id) == 0) return &c->output.variants[i];
  return NULL;
}

/* Each of a few, that is among the many too, in both forms. */
static void texts_are_the_same(void **state) {
  (void)state;
  Compilation few = sums(FEW), many = sums(MANY);
  assert_null(few.spool);
  int compared = 0, named = 0;
  for (int i = 0; i < few.output.nvariants; i++) {
    const Variant *v = &few.output.variants[i], *w = same(&many, v);
    if (!w) continue;
    if (!w->written.spool) { /* the table may name it */
      named++;
      continue;
    }
    Buffer entry = buffer_new(few.arena);
    emit_manifest_entry(&entry, &few.output, v);
    assert_string_equal(spool_read(many.arena, w->written), v->text.text);
    assert_string_equal(spool_read(many.arena, w->entry), entry.text);
    assert_int_equal(w->program->nkernels, 0);
    compared++;
  }
  assert_true(compared > FEW / 4 && named > 0);
  end(&few);
  end(&many);
}

static void each_takes_little_memory(void **state) {
  (void)state;
  enum { MOST_BYTES = 24 << 10 };
  Compilation many = sums(MANY), more = sums(MORE);
  assert_int_equal(more.output.nvariants, MORE);
  const size_t each = (arena_used(more.arena) - arena_used(many.arena)) / (MORE - MANY);
  if (each > MOST_BYTES) fail_msg("a variant takes %zu bytes", each);
  end(&many);
  end(&more);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(texts_are_the_same),
      cmocka_unit_test(each_takes_little_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
