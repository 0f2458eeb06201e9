/* ship.h: a release of an output folder: what the dispatch can select, and nothing else. */
#ifndef TGC_DRIVER_SHIP_H
#define TGC_DRIVER_SHIP_H

#include <jansson.h>

#include "emit/emit.h"

/* One machine's variants that are shipped. */
typedef struct ShippedVariant {
  const char *id, *plan, *file, *macro;
  const char *configurations; /* " C(512, 8) C(256, 16)"; "": it has none */
} ShippedVariant;

typedef struct ShippedMachine {
  const char *spectrum, *machine;
  VEC(ShippedVariant) kept;
  VEC(const char *) dropped, dropped_files; /* ids; files, with the machine's folder ahead where there are several */
} ShippedMachine;

typedef struct Shipped {
  VEC(ShippedMachine) machines;
  VEC(OutputFile) files;
  VEC(json_t *) manifests; /* that texts of the machines lie in */
} Shipped;

/* Reads the folder `dir', of one machine, several machines or several spectra, and says what its release holds; writes
 * nothing. False after an error in `d': no folder of tgc's, one whose texts and manifest do not belong together, or
 * whose dispatch selects nothing. */
bool ship_folder(Arena *a, const char *dir, Shipped *to, Diagnostics *d);
/* Gives back what a release holds beside the arena, after success and after failure. */
void ship_end(Shipped *s);

/* The text of NAME.cu (NAME.c, NAME.cc) without what it says of these variants. */
Buffer ship_dispatch(Arena *a, const char *text, const char *const *dropped, int ndropped, int kept);
/* A CMakeLists.txt, changed so that a library of few CUDA texts is compiled as one text. */
Buffer ship_as_one(Arena *a, const char *text);

#endif
