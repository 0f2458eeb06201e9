/* natives.c: functions of a codelet file that the C compiler reads (ir/native.h), in generated text: the headers that
 * they need, and they as they are written. */
#include <ctype.h>
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

typedef struct Wanted { const Natives *all; bool *is; } Wanted;

static bool find_call(void *context, const Tree *t) {
  Wanted *w = context;
  for (int i = 0; t->op == OP_NATIVE && i < w->all->list.n; i++)
    w->is[i] |= strcmp(w->all->list.at[i]->name, t->native->name) == 0;
  return true;
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static bool mentions(const char *text, const char *word) {
  const size_t n = strlen(word);
  for (const char *at = text; (at = strstr(at, word)) != NULL; at += n)
    if ((at == text || !is_word(at[-1])) && !is_word(at[n])) return true;
  return false;
}

/* Those that kernels call, and that these call. */
static const bool *wanted(Arena *a, const Natives *all, const Program *p) {
  Wanted w = {all, arena_many(a, bool, all->list.n + 1)};
  for (int i = 0; i < p->nkernels; i++) tree_visit(p->kernels[i]->body, find_call, &w);
  for (bool more = true; more;) {
    more = false;
    for (int i = 0; i < all->list.n; i++)
      for (int k = 0; k < all->list.n && w.is[i]; k++)
        if (!w.is[k] && mentions(all->list.at[i]->text, all->list.at[k]->name)) w.is[k] = more = true;
  }
  return w.is;
}

void emit_natives(Buffer *to, const Output *o, const Program *p) {
  const Natives *all = called(p);
  const bool cpu = output_is_for_cpu(o), *is = all ? wanted(to->arena, all, p) : NULL;
  bool before = false;
  for (int i = 0; all && i < all->list.n; i++) {
    const Native *n = all->list.at[i];
    if (!is[i] || !is_for(o, n)) continue;
    const char *first = cpu ? "static inline " : "static __device__ inline ";
    buffer_printf(to, before ? "\n%s" : "\n// As %2$s has it.\n%1$s", first,
                  output_source_name(o));
    before = true;
    buffer_putn(to, n->text, n->name_at + strlen(n->name));
    if (cpu && n->by_element) buffer_printf(to, "_%s", ending(n->element));
    buffer_printf(to, "%s\n", n->text + n->name_at + strlen(n->name));
  }
}
