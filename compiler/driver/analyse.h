/* analyse.h: a codelet file in an editor. */
#ifndef TGC_DRIVER_ANALYSE_H
#define TGC_DRIVER_ANALYSE_H

#include "driver/options.h"
#include "lsp/lsp.h"

/* LspAnalyser's: the options have a machine, types and, for codelets over an operator, perhaps that. */
void analyse(const void *options, Arena *a, const LspText *texts, int n, int which, LspAnalysis *to);

#endif
