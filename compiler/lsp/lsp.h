/* lsp.h: a language server: an editor at the other end of two files speaks the Language Server Protocol (3.17).
 *
 *   frames.c     bytes to messages and back
 *   server.c     the loop: messages, the analysis that runs, who waits for it
 *   methods.c    what each message asks for
 *   documents.c  the texts that are open, and their edits
 *   worker.c     one analysis in a process of its own, which may crash or hang
 *   report.c     what an analysis found, as JSON: diagnostics, names, symbols
 *   hover.c      .. what is shown of a name
 *   answers.c    hover, definition, highlights, symbols and completion, from such a report
 *   words.c      the words of the language and their meanings
 *   lines.c      offsets and places
 *   uris.c       paths and URIs
 *
 * No file is ever written. */
#ifndef TGC_LSP_LSP_H
#define TGC_LSP_LSP_H

#include "front/mentions.h"
#include "ir/tree.h"
#include "support/diagnostics.h"

/* A text that an editor has open. */
typedef struct LspText {
  const char *path, *text;
  size_t size;
} LspText;

/* What was found in one. */
typedef struct LspAnalysis {
  const SourceFile *file;   /* with those that it includes; NULL: they cannot be read */
  Diagnostics *diagnostics; /* where they have a file, it is `file', or one that is read with it */
  Mentions mentions;
  const Unit *unit;         /* NULL after errors */
} LspAnalysis;

/* Who analyses. In a process of its own: it may take its time, and crash. */
typedef struct LspAnalyser {
  void (*analyse)(const void *context, Arena *a, const LspText *texts, int n, int which, LspAnalysis *to);
  const void *context;
  int seconds; /* how much time an analysis has */
} LspAnalyser;

/* Serves until the editor says `exit' or ends the file `in'. The exit status: 0 if it said `shutdown' first, else 1. */
int lsp_serve(const LspAnalyser *analyser, int in, int out);

#endif
