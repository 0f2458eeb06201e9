/* mask.h: the texts that one body is parsed from. */
#ifndef TGC_FRONT_MASK_H
#define TGC_FRONT_MASK_H

#include "front/scan.h"
#include "support/buffer.h"

typedef struct Masks Masks;

/* Of a scanned file and its outline (scan_masked). */
Masks *masks_new(Arena *a, const SourceFile *f, const Scan *s, const char *outline);

/* The outline has a function of this name, which stands at this offset; of one over operators, `named' is what bodies
 * see of it that name an operator. Functions are added in their order. */
void masks_add(Masks *m, const char *name, unsigned at, const char *named);

/* What a parse of one body sees; good until the next call. */
typedef struct Masked {
  Buffer *text;        /* the file with this function alone; what is put behind it goes with the next call */
  const char *outline; /* structs, and one declaration of a function each */
} Masked;

/* The texts for the function with that body, at that offset, which may be over operators itself. The outline has the
 * functions that the body names, or `all' of them. */
Masked masks_for(Masks *m, unsigned at, Body body, bool all, bool operators);

#endif
