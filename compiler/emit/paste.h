/* paste.h: text that is not composed, pasted from the files under runtime/device and runtime/cpu (paste.c). */
#ifndef TGC_EMIT_PASTE_H
#define TGC_EMIT_PASTE_H

#include <stdbool.h>

#include "support/buffer.h"

/* The files, as the build embeds them: device_NAME is runtime/device/NAME.cuh, cpu_NAME is runtime/cpu/NAME.h. */
extern const char device_atomics[], device_bits[], device_clusters[], device_collectives[], device_complex[],
    device_integers[], device_limits[], device_look_back[], device_overlap[], device_posts[], device_resident[],
    device_shuffles[], device_ticket[], device_wide[];

extern const char cpu_chain[], cpu_compilers[], cpu_exchange[], cpu_extremes[], cpu_rows[], cpu_select[], cpu_team[];

/* Appends the part of `file` below its line of dashes. The file's parameters are the macros that its head defines; the
 * rest of the arguments are pairs of strings, a parameter and its value, NULL behind the last.
 *   - `#if` of parameters alone is resolved: "0", or not given, is false.
 *   - A parameter elsewhere is replaced by its value; of one with arguments the value names them as the head does.
 * A parameter that the head does not define, or one in the text that is not given, is an error of the caller's (assert). */
void paste(Buffer *to, const char *file, ...) __attribute__((sentinel));

/* The value of a parameter that says whether a piece is pasted. */
const char *paste_if(bool wanted);

#endif
