/* manifest_file.h: manifest.json read back. support/manifest.h says what is in it. */
#ifndef TGC_SUPPORT_MANIFEST_FILE_H
#define TGC_SUPPORT_MANIFEST_FILE_H

#include <stdio.h>

#include <jansson.h>

#include "support/buffer.h"
#include "support/diagnostics.h"
#include "support/tunables.h"

/* The manifest of the folder `dir`, every key that support/manifest.h lists present and of its type, so that
 * a reader need not look again; the caller gives it back with json_decref. NULL after an error in `d`: no
 * such file, no JSON (with line and column), made by no tgc or by one of another version, a key that is
 * missing or wrong (with its path, "variants[3].launches[0].threads"); or a folder of several machines, with the
 * folders to name in its place as the hint. */
json_t *manifest_read(Arena *a, const char *dir, Diagnostics *d);

/* The folders of the machines in the folder `dir', as "dir/sm_80", and how many; of one with a single machine, `dir'
 * itself. 0 after an error in `d', as of manifest_read. */
int manifest_folders(Arena *a, const char *dir, const char ***folders, Diagnostics *d);

/* What check/codelets.json says: the codelets' text and remarks. An empty object: there is no such file, as in folders
 * of before. NULL after an error in `d'. */
json_t *manifest_read_codelets(Arena *a, const char *dir, Diagnostics *d);

/* Is the folder of several spectra? No error where it cannot be read. */
bool manifest_is_of_spectra(Arena *a, const char *dir);

/* Are its functions' operands in, n elements of it, and one result? */
bool manifest_is_reduction(const json_t *manifest);

/* The members of a configuration, and what a row of the dispatch sets them to. */
Tunables manifest_members(Arena *a, const json_t *manifest);
Tunables manifest_configuration(Arena *a, const Tunables *members, const json_t *row);
/* A variant's tunables with their ranges, in its order; of these, those that its text is compiled for. */
Tunables manifest_tunables(Arena *a, const json_t *variant);
Tunables manifest_compiled(Arena *a, const json_t *variant);

/* A name of a machine's folder in a manifest that leads nowhere else. */
bool manifest_is_folder_name(const char *name);
/* .. of a variant's file: "variants/NAME.cu". */
bool manifest_is_variants_file(const char *s);

/* A manifest, unchecked, of whose variants nothing is kept but their files, if the text is as tgc prints it: there may
 * be thousands. NULL: it is no JSON. */
json_t *manifest_files(FILE *f);

/* A text as JSON; NULL is null. JSON is UTF-8, file names need not be: then bytes beyond ASCII become '?'. */
json_t *manifest_text(Arena *a, const char *s);
/* The lines of a text as an array. */
json_t *manifest_lines(Arena *a, const char *s);

/* Prints one as the file has it. */
void manifest_print(Buffer *to, const json_t *manifest);
/* .. and a part of one, as it stands there: its lines but the first behind so many blanks, no end of line behind it. */
void manifest_print_inside(Buffer *to, const json_t *part, const char *indent);

#endif
