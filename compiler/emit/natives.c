/* natives.c: functions of a codelet file that the C compiler reads (ir/native.h), in generated text: the headers that
 * they need, and they as they are written. */
#include <string.h>

#include "emit/printer.h"
#include "emit/variant.h"
#include "ir/element.h"
#include "ir/native.h"

static const Natives *called(const Program *p) {
  const Natives *found = NULL;
  for (int i = 0; i < p->nkernels && !found; i++) found = native_called(p->kernels[i]->body);
  return found;
}

void emit_native_headers(Buffer *to, const Program *p) {
  const Natives *all = called(p);
  for (int i = 0; all && i < all->headers.n; i++) buffer_printf(to, "#include <%s>\n", all->headers.at[i]);
}

/* What functions' names end in for that type, in C's words. */
static const char *ending(const char *element) {
#define ROW(name, c_type, text, bytes, sort, own, type) \
  if (own != TYPE_COUNT && strcmp(element, c_type) == 0) return name;
  ELEMENTS(ROW)
#undef ROW
  return element;
}

const char *emit_native_name(const Printer *p, const Tree *call) {
  const Native *n = call->native;
  bool of_elements = false;
  for (int i = 0; i < call->nkids; i++) of_elements |= call->kid[i]->type == TYPE_ELEM;
  if (!n->by_element) return n->name;
  return of_elements ? arena_printf(p->to->arena, "JOIN(%s, TYPE)", n->name)
                     : arena_printf(p->to->arena, "%s_%s", n->name, ending(n->element));
}

static bool is_for(const Output *o, const Native *n) {
  if (!n->by_element) return true;
  for (int i = 0; i < o->ntypes; i++)
    if (strcmp(n->element, o->types[i]->c_type) == 0) return true;
  return false;
}

void emit_natives(Buffer *to, const Output *o, const Program *p) {
  const Natives *all = called(p);
  const bool cpu = output_is_for_cpu(o);
  for (int i = 0; all && i < all->list.n; i++) {
    const Native *n = all->list.at[i];
    if (!is_for(o, n)) continue;
    buffer_printf(to, i ? "\n%s" : "\n// As %2$s has it.\n%1$s", cpu ? "static inline " : "static __device__ inline ",
                  output_source_name(o));
    buffer_putn(to, n->text, n->name_at + strlen(n->name));
    if (cpu && n->by_element) buffer_printf(to, "_%s", ending(n->element));
    buffer_printf(to, "%s\n", n->text + n->name_at + strlen(n->name));
  }
}
