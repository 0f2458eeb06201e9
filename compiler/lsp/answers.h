/* answers.h: what an editor asks about a place in a text, answered from the text's last report. Each gives a result as
 * the protocol has it, JSON null where there is none. */
#ifndef TGC_LSP_ANSWERS_H
#define TGC_LSP_ANSWERS_H

#include "lsp/documents.h"

json_t *answer_hover(const Document *d, LinesPlace at);
json_t *answer_definition(const Document *d, LinesPlace at);
json_t *answer_highlights(const Document *d, LinesPlace at);
json_t *answer_symbols(const Document *d);
json_t *answer_completion(const Document *d, LinesPlace at);

#endif
