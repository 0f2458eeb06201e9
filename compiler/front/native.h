/* native.h: functions of a codelet file that the C compiler reads (ir/native.h): `inline' and `static' ones, and the
 * headers that they need. */
#ifndef TGC_FRONT_NATIVE_H
#define TGC_FRONT_NATIVE_H

#include "front/convert.h"
#include "front/scan.h"
#include "ir/native.h"

/* Is the declaration that has this offset one of them? */
bool native_is_at(const Scan *s, unsigned at);

/* Adds the function that the cursor declares; an error where C has no such. */
void native_read(Converter *c, const Scan *s, CXCursor function, Natives *to);

/* Adds the headers of the file, each once. */
void native_read_headers(Arena *a, const SourceFile *f, Natives *to);

/* What is read ahead of a codelet: that text, and for stand-ins of T templates with the functions' names. */
const char *native_prelude(Arena *a, const char *text, const Natives *all);

/* A call of one; NULL, without an error, where none is called. */
Tree *convert_native(Converter *c, CXCursor call, CXCursor function);

/* A codelet file that has been read, for the types that T stands for. */
typedef struct NativeFile {
  Arena *a;
  const SourceFile *file;
  const Scan *scan;
  const Unit *unit;
  const char **types;
  int ntypes;
  bool types_asked; /* did the user name them? */
  Diagnostics *d;
} NativeFile;

/* Of codelets and functions together: who calls which for what types; and are they right, as the C compiler will have
 * them? Codelets that call what is not there for all types are left out. */
bool native_check(const NativeFile *n, CXIndex index);

/* What `__env(sm_60, avx2)' says of the codelet; NULL: nothing. */
void convert_machines(Converter *c, Codelet *k, const char *list);

#endif
