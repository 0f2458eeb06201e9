/* files.h: codelet files with those that they include, for a program of its own. */
#ifndef TGC_WITNESS_FILES_H
#define TGC_WITNESS_FILES_H

#include "prepare.h"

/* Owned by the caller: files_free. `error' is what went wrong. */
typedef struct Files {
  PrepareFile *at;
  int n;
  char *error;
} Files;

/* Each file once, behind those that it includes (`#include "sum.cdl"', before everything else in the file but comments;
 * beside it, else among the shipped codelets). */
Files files_read(char *const *paths, int n);
void files_free(Files *f);

#endif
