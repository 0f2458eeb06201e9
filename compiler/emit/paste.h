/* paste.h: text that is not composed, pasted from the files under runtime/device, runtime/cpu and runtime/library
 * (paste.c). */
#ifndef TGC_EMIT_PASTE_H
#define TGC_EMIT_PASTE_H

#include <stdbool.h>

#include "support/buffer.h"

/* The files, as the build embeds them: device_NAME is runtime/device/NAME.cuh, cpu_NAME is runtime/cpu/NAME.h,
 * library_NAME is runtime/library/NAME.h. */
extern const char device_append[], device_atomics[], device_bits[], device_clusters[], device_collectives[],
    device_complex[], device_copies[], device_integers[], device_limits[], device_look_back[], device_loops[],
    device_half16[], device_matrix[], device_matrix_groups[], device_matrix_quads[], device_order[], device_overlap[],
    device_places[], device_posts[], device_resident[], device_rows[], device_shared[], device_shuffles[],
    device_tf32[], device_ticket[], device_together[], device_votes[], device_wide[];

extern const char cpu_chain[], cpu_compilers[], cpu_exchange[], cpu_extremes[], cpu_functions[], cpu_order[],
    cpu_rows[], cpu_select[], cpu_team[];
extern const char library_calls[], library_counted[], library_errors[], library_machines[], library_online[],
    library_ranges[], library_saving[], library_tables[], library_trials[];

/* Appends the part of `file` below its line of dashes. The file's parameters are the macros that its head defines;
 * the rest of the arguments are pairs of strings, a parameter and its value, NULL behind the last.
 *   - `#if` of parameters alone is resolved: "0", or not given, is false.
 *   - A parameter elsewhere is replaced by its value; if it has arguments, the value names them as the head does. An
 *     empty value takes the space behind it along.
 *   - ## joins what is on both sides.
 * A parameter that the head does not define, or one in the text that is not given, is an error of the caller's
 * (assert). */
void paste(Buffer *to, const char *file, ...) __attribute__((sentinel));

/* The same with parameters that a file's head need not define, as those that many files share: each macro as #define
 * has it, "STD(x)", and its value, "std::x", in which ## joins. A text without a head is pasted whole, and its #if
 * are the compiler's. */
typedef struct Define { const char *macro, *value; } Define;
typedef VEC(Define) Defines;
void paste_with(Buffer *to, const char *text, bool has_head, const Defines *given);

/* The value of a parameter that says whether a piece is pasted. */
const char *paste_if(bool wanted);

#endif
