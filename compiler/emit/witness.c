/* witness.c: the headers that execute codelets (witness/), carried as texts. */
#include "emit/emit.h"

extern const char witness_number_text[], witness_mathematics_text[], witness_containers_text[],
    witness_language_text[], witness_lanes_text[], witness_entry_text[];

const struct EmbeddedFile emit_witness_files[] = {
    {"check/number.h", witness_number_text},         {"check/mathematics.h", witness_mathematics_text},
    {"check/containers.h", witness_containers_text}, {"check/language.h", witness_language_text},
    {"check/lanes.h", witness_lanes_text},           {"check/entry.h", witness_entry_text},
    {0}};
