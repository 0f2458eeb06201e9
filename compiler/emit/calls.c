/* calls.c: the functions that users call: each checks its arguments, finds the range of its size, and calls that
 * range's variant (runtime/library/calls.h). */
#include <inttypes.h>

#include "emit/conditions.h"
#include "emit/dispatch.h"
#include "emit/template.h"

/* The elements of each row, or column, of the first matrix, as many of which there are parts; NULL: parts are something
 * else. */
static const char *elements_of_line(const Signature *s, const PartsGiven *parts) {
  const Operand *first = signature_first_array(s);
  for (int d = 0; first && operand_rank(first) == 2 && d < 2; d++)
    if (first->size[d] == parts->parts && !parts->less) return s->at[first->size[!d]].symbol->name;
  return NULL;
}

/* A call's shape: elements a part (on average, where parts differ) and number of parts. */
static const char *call_shape(Arena *a, const Output *o, const char *work) {
  const Signature *s = output_operands(o);
  const PartsGiven parts = signature_parts(s, o->spectrum);
  const char *line = elements_of_line(s, &parts);
  if (parts.parts >= 0 && parts.elements >= 0)
    return arena_printf(a, "%s, %s", s->at[parts.elements].symbol->name, s->at[parts.parts].symbol->name);
  if (line) return arena_printf(a, "%s, %s", line, s->at[parts.parts].symbol->name);
  if (parts.results >= 0)
    return arena_printf(a, "%s, %s", s->at[parts.elements].symbol->name, operand_elements(a, s, &s->at[parts.results]));
  if (parts.parts < 0) {
    const char *each = s->at[parts.elements].symbol->name;
    return arena_printf(a, "%s, %s > 0 ? (%s) / %s + ((%s) %% %s > 0) : 0", each, each, work, each, work, each);
  }
  const char *many = s->at[parts.parts].symbol->name, *less = many;
  if (!parts.less) return arena_printf(a, "%s > 0 ? (%s) / %s : 0, %s", many, work, less, less);
  less = arena_printf(a, "(%s - %" PRId64 ")", many, parts.less);
  return arena_printf(a, "%s > %" PRId64 " ? (%s) / %s : 0, %s > %" PRId64 " ? %s : 0", many, parts.less, work, less,
                      many, parts.less, less);
}

/* Finds the shortcut of a call's size or shape, and of what else it is like. */
static const char *find_shortcut(Arena *a, const Output *o, const char *size, const char *like) {
  if (output_conditions(o) && !output_by_shape(o))
    return arena_printf(a, "const int like_ = %s;\n"
                           "    while (%s > shortcut_->up_to || (shortcut_->when & ~like_))\n"
                           "      shortcut_ += shortcut_->when & ~like_ ? shortcut_->past : 1;", like, size);
  if (output_conditions(o))
    return arena_printf(a, "const uint64_t shape_[] = {%s};\n    const int like_ = %s;\n"
                           "    while (shape_[0] > shortcut_->up_to || shape_[1] > shortcut_->count ||\n"
                           "           (shortcut_->when & ~like_))\n"
                           "      shortcut_ += shortcut_->when & ~like_ ? shortcut_->past :\n"
                           "                   shape_[0] > shortcut_->up_to ? shortcut_->rows : 1;", size, like);
  if (!output_by_shape(o)) return arena_printf(a, "while (%s > shortcut_->up_to) ++shortcut_;", size);
  return arena_printf(a, "const uint64_t shape_[] = {%s};\n"
                         "    while (shape_[0] > shortcut_->up_to) shortcut_ += shortcut_->rows;\n"
                         "    while (shape_[1] > shortcut_->count) ++shortcut_; // the last of a size is for any",
                      size);
}

void emit_calls(Buffer *to, const Output *o, const ElementType *e) {
  Arena *a = to->arena;
  const Signature *s = output_operands(o);
  Buffer operands = buffer_new(a), looked_at = buffer_new(a), signature = buffer_new(a),
      async_signature = buffer_new(a);
  emit_operand_names(&operands, s);
  buffer_puts(&operands, output_word(o, "STREAM"));
  emit_checked_arguments(&looked_at, o, e);
  emit_signature(&signature, o, e);
  const char *work = output_element_count(a, s), *size = output_by_shape(o) ? call_shape(a, o, work) : work;
  const char *like = output_call_is_like(a, o, e);
  const SizedCall call = {signature.text, operands.text, work, size, like};
  emit_online_call(to, o, e, &call);
  paste_template(to, o, e, library_calls, "SIZED", "1", "SIGNATURE", signature.text, "OPERANDS", operands.text,
               "LOOKED_AT", looked_at.text, "WORK_SIZE", work, "SIZE", size, "LIKE", like,
                 "FIND_SHORTCUT", find_shortcut(a, o, size, like), NULL);
  if (output_is_for_cpu(o)) return;
  emit_async_signature(&async_signature, o, e);
  paste_template(to, o, e, library_calls, "POOLED", "1", "ASYNC", arena_printf(a, "%s_%s_async", o->name, e->name),
               "ASYNC_SIGNATURE", async_signature.text, "OPERANDS", operands.text, "LOOKED_AT", looked_at.text, NULL);
}
