/* fuse.h: products that are added to something, as one operation. */
#ifndef TGC_PASSES_FUSE_H
#define TGC_PASSES_FUSE_H

#include "ir/tree.h"

/* x * y + z of T's becomes a FUSED, which a CPU rounds once. For plans that promise no more than the same result in
 * every run: how often a value was rounded depends on the machine then. */
Tree *pass_fuse(Arena *a, Tree *body);

#endif
