/* documents.h: the texts that are open in the editor, as it has them. */
#ifndef TGC_LSP_DOCUMENTS_H
#define TGC_LSP_DOCUMENTS_H

#include <jansson.h>

#include "lsp/lines.h"

typedef struct Document {
  bool open;
  Arena *own;        /* for the text and its names, which go with each edit */
  const char *uri, *path;
  Lines lines;       /* with the text */
  json_int_t version;
  int generation;    /* of all edits of all documents, this one's last */
  bool changed;      /* since it was last analysed */
  long long due;     /* when it is to be analysed, in ms: editors send an edit for each key */
  json_t *report;    /* of the last analysis that could read it (report.h); NULL: there was none */
  int reported;      /* the generation that it is of */
  json_t *reads;     /* paths of the files that the last analysis read with it; NULL: none */
} Document;

typedef struct Documents {
  Arena *arena;
  VEC(Document *) all; /* closed ones are used again */
  int edits;
} Documents;

/* NULL: it is not open. */
Document *documents_find(const Documents *all, const char *uri);
/* Opens it, or gives it another text. NULL: too many are open. */
Document *documents_open(Documents *all, const char *uri, const char *text, size_t size);
/* Applies `contentChanges', up to the first that is none. */
void documents_edit(Documents *all, Document *d, const json_t *changes);
void documents_close(Document *d);
void documents_end(Documents *all);

#endif
