/* resident.c: how many blocks of a kernel a multiprocessor has room for, as its launch bounds say: one, unless lowering
 * knows that more of them take few registers. Asked for more, ptxas limits registers, and loads are serialised. */
#include "emit/printer.h"

/* A lane's registers, the last argument of resident(). ptxas of CUDA 13 takes 24, and 8 for each byte of an element
 * (its row, the values carried in and out): 56 for float, 88 for double, 152 for complex<double>. */
static void print_lane_registers(Buffer *to, const Kernel *k) {
  enum { SPEC_BYTES = 4, A_BYTE = 8 };
  buffer_printf(to, ", %d + %d * (int)sizeof(%s)", k->lane_registers - SPEC_BYTES * A_BYTE, A_BYTE,
                type_name(k->kept_type));
}

/* As many blocks as these lanes are, in any case of a kernel; others have room for fewer, which hold more. */
static void print_cases(const Printer *p, const Kernel *k) {
  const char *threads = k->threads->name;
  buffer_printf(p->to, "%s <= %d ? (%s", threads, k->resident_lanes, k->cases[0]->name);
  for (int i = 1; i < MOST_CASES && k->cases[i]; i++) buffer_printf(p->to, " || %s", k->cases[i]->name);
  buffer_puts(p->to, " ? ");
  print_expression(p, k->resident_cases, CONDITIONAL);
  buffer_printf(p->to, " : %d) / %s : 1) ", k->resident_lanes, threads);
}

void print_resident(const Printer *p, const Kernel *k) {
  Buffer *to = p->to;
  buffer_puts(to, ", ");
  if (k->kept) {
    buffer_printf(to, "resident(%s, ", k->threads->name);
    print_expression(p, k->kept, LOOSEST);
    if (k->lane_registers) print_lane_registers(to, k);
    buffer_puts(to, ")) ");
  } else if (k->resident_cases && k->cases[0]) print_cases(p, k);
  else if (k->resident_lanes) {
    if (k->resident_when) print_expression(p, k->resident_when, LOOSEST);
    buffer_printf(to, "%s%s < %d ? %d / %s : 1) ", k->resident_when ? " && " : "", k->threads->name, k->resident_lanes,
                  k->resident_lanes, k->threads->name);
  } else buffer_puts(to, "1) ");
}
