/* program.c: a program's tunables: which there are, and what they may be. */
#include "ir/program.h"

#include <inttypes.h>
#include <string.h>

const ProgramConstant *program_constant(const Program *p, const char *name) {
  for (int i = 0; i < p->nconstants; i++)
    if (strcmp(p->constants[i].symbol->name, name) == 0) return &p->constants[i];
  return NULL;
}

bool program_takes(const ProgramConstant *c, int64_t number) {
  return number >= c->min && (c->max <= 0 || number <= c->max) && (c->multiple <= 1 || number % c->multiple == 0);
}

void program_print_range(Buffer *to, const ProgramConstant *c) {
  if (c->max == c->min) {
    buffer_printf(to, "%" PRId64, c->min);
    return;
  }
  if (c->max > 0) buffer_printf(to, "%" PRId64 " to %" PRId64, c->min, c->max);
  else buffer_printf(to, "at least %" PRId64, c->min);
  if (c->multiple > 1) buffer_printf(to, ", a multiple of %" PRId64, c->multiple);
}
