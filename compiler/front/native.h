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

/* For codelets over T: templates with the functions' names, for stand-ins of T. */
void native_templates(Buffer *to, const Scan *s, const Natives *all);

/* The text in which nothing but headers and these functions is left; places stay. */
char *native_alone(Arena *a, const SourceFile *f, const Scan *s);

/* A call of one; NULL, without an error, where none is called. */
Tree *convert_native(Converter *c, CXCursor call, CXCursor function);

/* Of codelets and functions together: who calls which for what types. */
bool native_check(const Unit *u, const SourceFile *f, const Scan *s, const char *const *types, int ntypes,
                  Diagnostics *d);

/* Can clang tell here whether they are right? It knows the intrinsics of the CPU that it runs on, none of CUDA's. */
bool native_is_known(const Unit *u);

#endif
