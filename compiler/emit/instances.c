/* instances.c: the template that a kernel is in CUDA, and its instances: by the tunables that are compiled, its flag,
 * and its cases. */
#include "emit/instances.h"

#include "emit/emit.h"
#include "emit/printer.h"

/* Those of M, E, T, R that the program has: the parameters of all its templates. */
static void type_parameters(Buffer *to, const Program *p, const char *keyword) {
  bool final = p->out && p->out->type == TYPE_FINAL;
  if (p->monoid) buffer_printf(to, "%sM, ", keyword);
  if (p->element == TYPE_STORED) buffer_printf(to, "%sE, ", keyword);
  buffer_printf(to, "%sT", keyword);
  if (final) buffer_printf(to, ", %sR", keyword);
}

const char *cuda_template_parameters(Arena *a, const Program *p) {
  Buffer b = buffer_new(a);
  type_parameters(&b, p, "typename ");
  return b.text;
}

const char *cuda_template_arguments(Arena *a, const Program *p) {
  Buffer b = buffer_new(a);
  type_parameters(&b, p, "");
  return b.text;
}

/* sum_blocks<T, threads, loads, true>; `flag' is "true" or "false" where the kernel has one. Of its cases that one
 * holds, or none does. */
static void print_instance(Buffer *to, const Program *p, const Kernel *k, const char *flag, int holds) {
  const char *before = "<";
  buffer_puts(to, k->name);
  if (p->generic) { buffer_printf(to, "<%s", cuda_template_arguments(to->arena, p)); before = ", "; }
  for (int i = 0; i < p->nconstants; i++) {
    if (!kernel_takes(k, &p->constants[i])) continue;
    buffer_printf(to, "%s%s", before, p->constants[i].symbol->name);
    before = ", ";
  }
  if (k->flag) { buffer_printf(to, "%s%s", before, flag); before = ", "; }
  for (int i = 0; i < kernel_cases(k); i++, before = ", ")
    buffer_printf(to, "%s%s", before, i == holds ? "true" : "false");
  if (*before == ',') buffer_puts(to, ">");
}

/* A choice among its cases. */
static void launched_case(Buffer *to, const Program *p, const Kernel *k, const char *flag) {
  const int n = kernel_cases(k);
  for (int i = 0; i < n; i++) {
    buffer_printf(to, "%s%s ? ", i ? " : " : "(", k->cases[i]->name);
    print_instance(to, p, k, flag, i);
  }
  if (n) buffer_puts(to, " : ");
  print_instance(to, p, k, flag, n);
  if (n) buffer_puts(to, ")");
}

void instances_choose(Buffer *to, const Program *p, const Kernel *k) {
  if (k->flag) {
    buffer_printf(to, "%s ? ", k->flag->name);
    if (k->cases_instead) print_instance(to, p, k, "true", kernel_cases(k));
    else launched_case(to, p, k, "true");
    buffer_puts(to, " : ");
  }
  launched_case(to, p, k, "false");
}

void instances_head(Buffer *to, const Program *p, const Kernel *k) {
  const char *before = "template <";
  if (p->generic) { buffer_printf(to, "%s%s", before, cuda_template_parameters(to->arena, p)); before = ", "; }
  for (int i = 0; i < p->nconstants; i++) {
    const Symbol *s = p->constants[i].symbol;
    if (!kernel_takes(k, &p->constants[i])) continue;
    buffer_printf(to, "%s%s %s", before, type_name(s->type), s->name);
    before = ", ";
  }
  if (k->flag) { buffer_printf(to, "%sbool %s", before, k->flag->name); before = ", "; }
  for (int i = 0; i < kernel_cases(k); i++, before = ", ") buffer_printf(to, "%sbool %s", before, k->cases[i]->name);
  if (*before == ',') buffer_puts(to, ">\n");
}
