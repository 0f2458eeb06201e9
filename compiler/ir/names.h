/* names.h: the names that generated text has for its own. */
#ifndef TGC_IR_NAMES_H
#define TGC_IR_NAMES_H

#include <stdbool.h>

/* Is it one of them? A codelet's variable of such a name gets another; a struct may not have one. */
bool name_is_taken(const char *name);

#endif
