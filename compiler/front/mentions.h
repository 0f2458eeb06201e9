/* mentions.h: what each name in codelet files stands for, for editors: hover, go to definition, outlines.
 *
 * front_read fills it from the texts that libclang parses anyway, also from those with errors in them. Names of the
 * language (prelude.h) are not in it, and neither is what depends on T alone, `in.Size()'. */
#ifndef TGC_FRONT_MENTIONS_H
#define TGC_FRONT_MENTIONS_H

#include "support/diagnostics.h"

typedef enum MentionKind {
  MENTION_CODELET, /* or a spectrum's declaration */
  MENTION_PARAMETER,
  MENTION_VARIABLE,
  MENTION_TYPE_PARAMETER,
  MENTION_STRUCT,
  MENTION_OPERATOR, /* a struct __monoid */
  MENTION_FIELD,
  MENTION_FUNCTION, /* of a struct */
  MENTION_CONSTANT,
  MENTION_MACRO
} MentionKind;

/* What the file declares. */
typedef struct Declared {
  MentionKind kind;
  const char *name;
  const char *tag;    /* of a codelet, from its text; NULL: none */
  bool defined;       /* a codelet, not a declaration of a spectrum */
  SourceSpan at;      /* its name */
  SourceSpan extent;  /* all of it, without qualifiers before it */
} Declared;

/* A place where it is named; its own name is one. */
typedef struct Mention {
  SourceSpan at;
  int of; /* into `declared' */
} Mention;

typedef struct Mentions {
  Arena *arena;
  VEC(Declared) declared;
  VEC(Mention) list;
  bool operators;            /* some codelets are templates over the operator */
  bool read;                 /* the outline was, without errors */
  int codelets;              /* declarations and definitions of functions */
  VEC(const char *) monoids; /* the operators that the file defines */
  int *by_offset;            /* at a declared name, its index + 1 */
  bool *seen;                /* at a mention */
} Mentions;

/* Empty, for texts that take no more than `size' bytes. */
void mentions_begin(Mentions *m, Arena *a, size_t size);
/* What a macro's name stands for, from here on. */
void mentions_macro(Mentions *m, const SourceFile *f, SourceSpan name);

struct CXTranslationUnitImpl;
/* Adds what is declared and named in a text that was parsed under the name `main', whose places are those of `f'. Other
 * texts under the name `outline' have the same places. */
void mentions_add(Mentions *m, struct CXTranslationUnitImpl *tu, const SourceFile *f, const char *const names[2]);

#endif
