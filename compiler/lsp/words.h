/* words.h: the words of the codelet language, with what docs/reference/language.md says of them in a line.
 * WORD(word, kind, how it is written, meaning); tests compare the table with the prelude, the page and the grammars of
 * editors/. */
#ifndef TGC_LSP_WORDS_H
#define TGC_LSP_WORDS_H

#include <stdbool.h>

typedef enum WordKind { WORD_QUALIFIER, WORD_TYPE, WORD_FUNCTION, WORD_MEMBER, WORD_OPERATOR } WordKind;

typedef struct Word {
  const char *word;
  WordKind kind;
  const char *usage, *meaning;
} Word;

/* All; the last has no name. */
extern const Word words[];
/* NULL: it is none. `member': it stands behind a dot. */
const Word *word_called(const char *name, bool member);

#endif
