/* compiled.h: what tgc makes of a .cdl file, for tests. */
#ifndef TGC_TESTS_COMPILED_H
#define TGC_TESTS_COMPILED_H

#include "driver/compile.h"

/* The file of the options, which is named from the repository's root; fails the test where that does not compile. All
 * variants have their trees. The caller frees the arena. */
Compilation compiled(Options *o);
/* .. of a few plans, by their texts or ids, NULL behind the last: what tests of these alone need. `plans' has all
 * that the search found. */
Compilation compiled_plans(Options *o, const char *const *plans);
/* .. of one. */
#define COMPILED_PLAN(options, plan) compiled_plans(options, (const char *const[]){plan, NULL})
/* The variant of that plan; fails the test where there is none. */
const Variant *compiled_plan(const Compilation *c, const char *text);
/* The text of a variant, in the compilation's arena. */
const char *compiled_text(const Compilation *c, const Variant *v);

#endif
