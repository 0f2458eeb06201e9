/* language.h: the words in which languages differ, as macros (language.c). */
#ifndef TGC_EMIT_LANGUAGE_H
#define TGC_EMIT_LANGUAGE_H

#include "emit/emit.h"
#include "emit/paste.h"

/* Adds the language's words. */
void language_define(Arena *a, Defines *to, Language language);

#endif
