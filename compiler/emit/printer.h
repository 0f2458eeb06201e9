/* printer.h: kernel form as text: what CUDA and C have in common (printer.c). Dialects print what differs
 * (cuda.c, c.c). */
#ifndef TGC_EMIT_PRINTER_H
#define TGC_EMIT_PRINTER_H

#include "emit/emit.h"

typedef struct Printer Printer;

typedef struct Dialect {
  /* Print what differs from the other dialects; false: nothing does. */
  bool (*expression)(const Printer *p, const Tree *t);
  bool (*statement)(const Printer *p, const Tree *t, int indent);
  const char *constant;  /* a number of the element type: "T(%s)" */
  const char *shared;    /* the qualifier of a block's shared variables */
  const char *invalid;   /* the error for impossible arguments */
  bool unrolls;          /* has it #pragma unroll? */
  const char *(*native)(const Printer *p, const Tree *call); /* the name of what a NATIVE calls */
} Dialect;

struct Printer {
  Buffer *to;
  const Program *program;
  const Kernel *kernel; /* NULL: it is the host's part */
  const char *line_folder; /* as an Output's */
  const Dialect *dialect;
};

/* Precedence, from the loosest. */
enum { LOOSEST = 0, CONDITIONAL, LOGICAL_OR, LOGICAL_AND, BIT_OR, BIT_XOR, BIT_AND, EQUALITY, RELATION, SHIFT, SUM,
       PRODUCT, PREFIX, POSTFIX };

/* An expression, in parentheses if its precedence is below `around'. */
void print_expression(const Printer *p, const Tree *t, int around);
/* Is it a real number whose text C takes for an int: 1, -1, `b ? 1 : 2'? */
bool print_is_whole(const Tree *t);
/* name(a, b): all kids as arguments. */
void print_call(const Printer *p, const char *name, const Tree *t);
/* The right-hand side of a declaration or an assignment. */
void print_value(const Printer *p, const Tree *t);
/* &in[3], or in where it is in[0]. */
void print_address(const Printer *p, const Tree *place);
/* A SEQ's statements, each on lines of its own; or the one statement that it is. */
void print_statements(const Printer *p, const Tree *seq, int indent);
/* A body behind if (..) or for (..): braces where it is not one short statement. */
void print_body(const Printer *p, const Tree *t, int indent);
/* const Index n, T *out: one parameter, or a variable. */
void print_variable(const Printer *p, const Symbol *s, const char *restrict_);

/* Is that tunable a template parameter of the kernel? */
bool kernel_takes(const Kernel *k, const ProgramConstant *c);
/* How many cases a kernel has. */
int kernel_cases(const Kernel *k);

/* Launch bounds, behind the block's threads (resident.c). */
void print_resident(const Printer *p, const Kernel *k);

/* What C calls a function that NATIVE calls (natives.c). */
const char *emit_native_name(const Printer *p, const Tree *call);

#endif
