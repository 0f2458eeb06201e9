/* nearest.h: the name that a mistyped one was meant to be. */
#ifndef TGC_SUPPORT_NEAREST_H
#define TGC_SUPPORT_NEAREST_H

/* The one of `names` that is nearest to `wanted` by edit distance; NULL when none is near. */
const char *nearest_name(const char *wanted, const char *const *names, int n);

#endif
