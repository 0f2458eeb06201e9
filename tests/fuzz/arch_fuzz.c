/* arch_fuzz.c: any bytes as a machine's file. It must be refused with an error or give a machine
 * whose levels chain, can be cut down and listed; nothing may leak or crash. (libFuzzer:
 * -fsanitize=fuzzer,address,undefined) */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "arch/listing.h"

static void must(bool held) {
  if (!held) abort();
}

static void check_machine(Arena *a, const Arch *m) {
  must(m->nlevels >= 1);
  for (int i = 0; i < m->nlevels; i++) {
    const Level *l = &m->levels[i];
    must(l->depth == i && l->sub == (i + 1 < m->nlevels ? l + 1 : NULL));
    must((l->nsync == 0) == (l->sub == NULL));
    must(l->width_min >= 1 && l->width_default >= l->width_min && l->width_multiple >= 1);
    must(l->width_max == 0 || l->width_default <= l->width_max);
    must(l->width_default % l->width_multiple == 0 && arch_level(m, l->name) == l);
  }
  Buffer b = buffer_new(a);
  arch_print_table(&b, &m, 1, 80);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Arena *a = arena_new();
  Diagnostics *d = diagnostics_new(a);
  char *text = arena_alloc(a, size + 1);
  if (size) memcpy(text, data, size);
  SourceFile f = {"fuzz.yaml", text, size};
  Arch *m = arch_parse(a, &f, d);
  must((m == NULL) == (d->errors > 0));
  for (int i = 0; i < d->list.n; i++)
    must(d->list.at[i].where.file && d->list.at[i].where.begin <= size);
  if (m) {
    check_machine(a, m);
    const Level *lowest = &m->levels[m->nlevels - 1];
    Arch *one = arch_with_levels(a, m, lowest->name, d);
    must(one && one->nlevels == 1);
    check_machine(a, one);
  }
  arena_free(a);
  return 0;
}
