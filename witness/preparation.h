/* preparation.h: what the files of the preparation share: a codelet file's words, the codelets found in it, and the
 * edits that become of them (prepare.h). */
#ifndef TGC_WITNESS_PREPARATION_H
#define TGC_WITNESS_PREPARATION_H

#include <string.h>

#include "prepare.h"

/* ---- words.c: text that grows, words, brackets, edits ---- */

typedef struct Text { char *at; size_t n, room; } Text;

#define MORE(list, count) \
  ((list) = ((count) & ((count) - 1)) ? (list) \
            : words_grown((list), sizeof *(list) * (size_t)((count) ? 2 * (count) : 1)))
typedef enum WordKind { WORD_NAME, WORD_NUMBER, WORD_TEXT, WORD_SIGN, WORD_END } WordKind;
typedef struct Word {
  WordKind kind;
  const char *at;
  int length, line;
  int mate; /* of a bracket: the other one; -1 */
} Word;

/* An edit of a file's text: so many bytes there are replaced. Those at one place stand in the order that they were
 * made. */
typedef struct Edit { const char *at; size_t length; char *text; int order; } Edit;

typedef struct Codelet {
  PreparedCodelet is;
  int first, template_first, template_end; /* words: of all of it; of `template <..>', if there is one, or -1 */
  int result_first, name, open, close;     /* of the result's type; of the parameters' parentheses */
  int body, end;                           /* of the braces; -1: a declaration, or defined alike in an earlier file */
  bool has_coop;
  Word *local; /* names of parameters and variables, sorted */
  int nlocals;
  const char *tag;
  int tag_length;
} Codelet;

typedef struct Span { int first, last; } Span;

typedef struct File {
  const PrepareFile *is;
  Word *word;
  int n;
  Codelet *codelet;
  int ncodelets;
  Span *structure; /* of structs: their words */
  int nstructures;
  Word *native; /* names of functions that the C compiler reads */
  int nnatives;
  Edit *edit;
  int nedits;
} File;

typedef struct Preparation {
  File *file;
  int nfiles;
  char **spectrum; /* names, each once */
  int nspectra;
  char *error;
  int point;       /* the last one in a cooperative body */
  int depth;       /* statements in statements there */
  int place;       /* the last shared variable */
} Preparation;

enum { DEEPEST = 256 }; /* brackets, and statements in statements */

static inline bool is(const Word *w, const char *text) {
  size_t n = strlen(text);
  return w->kind != WORD_END && (size_t)w->length == n && memcmp(w->at, text, n) == 0;
}
static inline bool same(const Word *x, const Word *y) {
  return x->kind == y->kind && x->length == y->length && memcmp(x->at, y->at, (size_t)x->length) == 0;
}
static inline bool begins(const Word *w, const char *text) {
  size_t n = strlen(text);
  return w->kind == WORD_NAME && (size_t)w->length >= n && memcmp(w->at, text, n) == 0;
}
static inline bool is_one_of(const Word *w, const char *const *list) {
  for (; *list; list++)
    if (is(w, *list)) return true;
  return false;
}

static inline bool is_note(const Word *w) { return begins(w, "__"); }
static inline const char *before(const File *f, int word) { return f->word[word].at; }
static inline const char *behind(const File *f, int word) { return f->word[word].at + f->word[word].length; }


void text_put(Text *t, const char *from, size_t n);
__attribute__((format(printf, 2, 3))) void text_say(Text *t, const char *format, ...);
/* More room for a list; it does not return without. */
void *words_grown(void *list, size_t bytes);
/* The first error that is told stays. */
void words_fail(Preparation *p, const File *f, int line, const char *what);
void words_read(Preparation *p, File *f);
void words_match_brackets(Preparation *p, File *f);
/* The word behind a template's arguments, `i' being its `<'; -1: they do not end. */
int words_behind_arguments(const File *f, int i);
char *words_copy(const Word *w); /* the caller's */
int words_by_name(const void *x, const void *y); /* for qsort */
/* What stands in place of the words from `first' to `last', or is inserted where `at' points. Edits of parts of what
 * another edit replaces are left out. */
__attribute__((format(printf, 4, 5))) void edit_replace(File *f, int first, int last, const char *format, ...);
__attribute__((format(printf, 3, 4))) void edit_insert(File *f, const char *at, const char *format, ...);
int edit_by_place(const void *x, const void *y); /* for qsort */

/* ---- codelets.c: the codelets of a file, and of which sort they are ---- */

void codelets_read(Preparation *p, File *f);
/* Of several files: what a later one defines as an earlier one does is taken out; names are unique. */
/* Codelets that call functions of the C compiler's become declarations. */
void codelets_without_natives(Preparation *p);
void codelets_merge(Preparation *p);
void codelets_classify(const Preparation *p, const File *f, Codelet *c);
bool codelets_is_local(const Codelet *c, const Word *name); /* a parameter, or a variable of the body */
bool codelets_is_declared_here(const File *f, const Codelet *c, int at);
/* Is the word at `at' a spectrum that is applied? */
bool codelets_applies(const Preparation *p, const File *f, const Codelet *c, int at);
/* What stands for a spectrum where it is applied; NULL: nothing does. */
Codelet *codelets_applied(Preparation *p, const char *spectrum, File **of);

/* ---- positions.c: whole numbers that are positions become as wide as Index ---- */

bool positions_is_whole_type(const Word *w);
void positions_widen(File *f, Codelet *c);

/* ---- lockstep.c: cooperative bodies ---- */

void lockstep_cooperate(Preparation *p, File *f, const Codelet *c);

#endif
