/* printer.h: kernel form as text: what CUDA and C have in common (printer.c). What a language has of its own, its
 * dialect prints (cuda.c, c.c). */
#ifndef TGC_EMIT_PRINTER_H
#define TGC_EMIT_PRINTER_H

#include "emit/emit.h"

typedef struct Printer Printer;

typedef struct Dialect {
  /* Prints what is not the same everywhere; false: it is. */
  bool (*expression)(const Printer *p, const Tree *t);
  bool (*statement)(const Printer *p, const Tree *t, int indent);
  const char *constant;  /* a number of the element type: "T(%s)" */
  const char *shared;    /* before what a block's lanes share */
  const char *invalid;   /* what is returned where there is nothing to do it with */
  bool unrolls;          /* has it a pragma for loops to unroll? */
} Dialect;

struct Printer {
  Buffer *to;
  const Program *program;
  const Kernel *kernel; /* NULL: it is the host's part */
  bool line_directives;
  const Dialect *dialect;
};

/* How tightly operators bind, from the loosest. */
enum { LOOSEST = 0, CONDITIONAL, LOGICAL_OR, LOGICAL_AND, BIT_OR, BIT_XOR, BIT_AND, EQUALITY, RELATION, SHIFT, SUM,
       PRODUCT, PREFIX, POSTFIX };

/* An expression; in parentheses where it binds less tightly than `around'. */
void print_expression(const Printer *p, const Tree *t, int around);
/* Is it a real number whose text C takes for an int: 1, -1, `b ? 1 : 2'? */
bool print_is_whole(const Tree *t);
/* name(a, b): all kids as arguments. */
void print_call(const Printer *p, const char *name, const Tree *t);
/* The value of a declaration or an assignment, whose type is plain. */
void print_value(const Printer *p, const Tree *t);
/* &in[3], or in where it is in[0]. */
void print_address(const Printer *p, const Tree *place);
/* A SEQ's statements, each on lines of its own; or the one statement that it is. */
void print_statements(const Printer *p, const Tree *seq, int indent);
/* A body behind if (..) or for (..): braces where it is not one short statement. */
void print_body(const Printer *p, const Tree *t, int indent);
/* const Index n, T *out: one parameter, or a variable. */
void print_variable(const Printer *p, const Symbol *s, const char *restrict_);

/* Does a kernel's text name that constant, as a type's or a loop's size? */
bool kernel_takes(const Kernel *k, const ProgramConstant *c);

#endif
