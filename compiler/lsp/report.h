/* report.h: what an analysis found, as JSON that goes from its process to the server:
 *
 *   diagnostics  as they are published
 *   declared     {"name", "kind", "hover", "places": [Location, ..]}
 *   mentions     [line, character, declared]
 *   symbols      DocumentSymbols
 *   includes     {"range", "path", "uri"} of each #include
 *   reads        paths of the files that were read
 *   read         whether names were found: the file could be read so far */
#ifndef TGC_LSP_REPORT_H
#define TGC_LSP_REPORT_H

#include <jansson.h>

#include "lsp/lines.h"
#include "lsp/lsp.h"

/* What the parts of a report share. */
typedef struct Report {
  Arena *a;
  const LspAnalysis *of;
  const LspText *text; /* the one that was analysed */
  Lines lines;         /* .. as they are shown */
  unsigned begin;      /* where it stands in the analysis's file */
} Report;

json_t *report_make(Arena *a, const LspText *text, const LspAnalysis *of);

/* A JSON string of any bytes. */
json_t *report_string(Arena *a, const char *text);
/* A place in any of the files. */
json_t *report_location(const Report *r, SourceSpan at);
/* Does it lie in the text that was analysed? */
bool report_is_own(const Report *r, const SourceFile *f, unsigned offset);
json_t *report_range(const Report *r, SourceSpan at);

/* ---- hover.c ---- */
/* What is shown of a name, in Markdown. */
const char *hover_of(const Report *r, const Declared *d);
/* A codelet's class: "cooperative codelet"; NULL: it is not known. */
const char *hover_class(const Report *r, const Declared *d);

#endif
