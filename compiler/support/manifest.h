/* manifest.h: the names in manifest.json, shared by what writes it and by all that read it.
 *
 * The file is one object, UTF-8, with its keys in this order. Within one MANIFEST_VERSION keys are only ever added:
 * a reader ignores those that it does not know, and refuses another version. Nothing in it depends on the day or on
 * the machine that it was made on: the same compiler, text and options give the same bytes.
 *
 *   version      1
 *   generator    "tgc"
 *   spectrum     what generated names and files begin with: "sum"; what `--name' says
 *   operator     "add" .. "xor"; null when the compiler could not tell
 *   source       the codelets' file, its last part: "sum.cdl"
 *   algorithm    what `spectrum' is without `--name' and without a machine's name: what it computes, for who compares
 *                it
 *   machine      "sm_60"
 *   family       "cuda"; "cpu": its texts are C, or C++ with an operator of the user's
 *   options      of a CPU: what its CMakeLists.txt tells the C compiler: "-march=native"; else there is no such key
 *   workspace_head  how many bytes at a workspace's start are zero before a call and after it
 *   types        the element types asked for: ["int", "float"]
 *   exact        those of them for which the operator gives the same bits in any order: ["int"]
 *   operands     what the functions take besides workspace and stream, in their order:
 *     name
 *     kind             "array", "size" (64 bits), "number" (by value)
 *     type             of an array's elements, of a number: "element", one of `types' as it is in memory;
 *                      "accumulator", what that is accumulated in; "result"; else a C type
 *     sizes            of an array: the operands that say how many elements it has, or how many rows and columns and
 *                      how far rows lie apart; of three or more dimensions, how many elements each has and how far
 *                      neighbours lie apart in each but the last; none: one element
 *     by_columns       are an array's columns contiguous, not its rows?
 *     read, written    an array's elements
 *     in_place         does the result depend on what an array that is written holds before the call?
 *     holds            an array: "data", "offsets" (ascending) or "indices" into another, "lengths" or "ends" of what
 *                      begins at another's indices
 *     into             that one's name, of several dimensions that of the size that it indexes, or null
 *     every, low, high  .. of indices and places: an element e stands for the positions from every * e + low to
 *                      every * e + high; missing: 1, 0, 0
 *     means            a size: "elements", "rows", "columns", "leading", "number"
 *     factors, times, plus  a size is `times' the product of these operands, plus `plus'; times 0: it is free
 *     addend, more     .. and plus `more' times this one; else there are no such keys
 *   calls        the C functions, one for each element type: {"type": "float"; "function": "sum_float"; "operands": the
 *                type of each, in their order: ["float", "uint64", "float"], one of those that `--types' has, "bool",
 *                or a struct's name}
 *   structs      with an operator of the user's, its structs: {"name"; "bytes"; "members": [{"name"; "type"; "offset";
 *                "dimensions": [2, 2] of an array}]}; else there is no such key
 *   parts        where the work is in parts, each of which has a result or is scanned by itself: {"count": the operand
 *                that says how many there are, or null; "less": and by how many that is too large; "each": the one that
 *                says how many elements each has, or null}; else there is no such key
 *   conditions   what rows of the dispatch may ask of a call beside its size: ["aligned", "tall", "wide"], as far as
 *                calls can tell it; where they can tell none, there is no such key
 *   turns        true where rows of the dispatch may be rivals: calls tell the sides of results in tiles
 *   configuration  the members of a configuration, in order: the tunables of all variants; there is no such key where
 *                they are the usual ones: ["threads", "loads", "blocks"]
 *   dispatch     which variant serves which size, in order of type and size: {"type"; "up_to": elements, of each part
 *                where there are parts, or null for any number; "count": up to so many parts, missing for any number;
 *                "when": what else it asks of a call, ["aligned", "tall"], missing for nothing; "turn": what one of its
 *                tiles takes, where rows with the same room are rivals, else missing; "variant": id; and each member of
 *                a configuration by name: what the row sets that tunable to, 0 for the variant's own}
 *   variants     one object each, in listing order:
 *     id               "3fa9c1d2", the same in every run
 *     plan             its canonical text: "grid.tiled!atomic(..)"
 *     letter           "l" .. "p": its letter in CGO Fig. 6; else null
 *     category         "baseline", "global-atomic", "shared-atomic", "shuffle"; of a CPU "accumulated",
 *                      "lane-accumulated"
 *     determinism      "not_guaranteed", "run_to_run", "gpu_to_gpu", "sequential"
 *     determinism_why  a sentence
 *     batch_invariant  does the result depend on the number of elements and their values alone?
 *     batch_invariant_why  a sentence
 *     kernels          how many grids compute; one that only sets an accumulator to the identity is not counted
 *     launches         every grid, in stream order: {"name": "sum_block"; "note": a sentence or null; "threads": lanes
 *                      of a block as preset; "shared_bytes": an object, bytes of shared memory a block by element type,
 *                      as preset}
 *     levels           the levels that do something, top first: ["grid", "block", "thread"]
 *     choices          where the plan could have gone another way: {"level": "grid"; "codelet": tag, or null where a
 *                      level devolves; "what": "map", "combination", "exchange", "synchronisation", "carry",
 *                      of a CPU "placement"; "choice": what was taken}
 *     atomics          each sort once: {"op": "add"; "scope": "block" or "device"; "space": "shared" or "global";
 *                      "count": how often it stands in the text}
 *     shuffles         how many stand in the text
 *     barriers         the same: {"warp": 0, "block": 2, "cluster": 0}; of a cluster's, the halves that wait
 *     even             by element type: of as many elements, times `loads', each row or segment is one round of loads,
 *                      for which there is a text of its own: {"float": 32}; null: of none
 *     workspace        how many bytes of device memory a call needs, in the words of the variant's file; null: none
 *     tunables         {"name"; "what": a phrase; "default"; "min"; "max": null when unbounded; "multiple"; "values":
 *                      those that it may have, where not all of these serve, else there is no such key; "bind":
 *                      "compile" (the text is compiled for some values) or "launch" (any value, at each call)}
 *     configurations_macro  lists what the text is compiled for: SUM_3FA9C1D2_CONFIGURATIONS(C) is C(512, 2)
 *                      C(256, 4) .., the tunables bound by "compile" in their order here
 *     codelets         each once, in the plan's order: {"tag"; "line" in `source', 0 when unknown; "source":
 *                      the file, where another one includes it; "class": "autonomous", "cooperative", "compound"}
 *     features         of a CPU: what its codelets' own functions (ir/native.h) ask of the machine: ["avx512f"];
 *                      else there is no such key
 *     tree             the plan, drawn: an array of lines
 *     dot              the plan as a Graphviz graph
 *     text_hash        16 hex digits of its text without comments and configurations: what a measurement of it stays
 *                      valid for
 *     file             its text, in this folder: "variants/3fa9c1d2.cu"; of a CPU .c or .cc
 *     functions        its C functions by element type: {"float": "sum_3fa9c1d2_float"}
 *
 * A folder of several machines has, in place of machine, workspace_head, dispatch and variants,
 *   machines     one object each, ascending: {"machine": "sm_80"; "compute": 80, its compute capability times ten;
 *                "folder": "sm_80", a folder of one machine, with a manifest of its own}
 *
 * One of several spectra has version, generator, spectrum (the name of the whole), source, and
 *   spectra      one object each: {"spectrum": "sum"; "folder": "sum", a folder with a manifest of its own}
 *
 * Beside it, check/codelets.json has what the compiler read and said, for `tgc view':
 *   files        the codelets' files: {"name": "sum.cdl"; "text": its lines}
 *   remarks      of the passes: {"file": "sum.cdl"; "line": 13, 0 where it is about no line; "pass": "shuffle";
 *                "kind": "passed" or "missed"; "message"} */
#ifndef TGC_SUPPORT_MANIFEST_H
#define TGC_SUPPORT_MANIFEST_H

#define MANIFEST_FILE "manifest.json"
#define CODELETS_FILE "check/codelets.json"
#define MANIFEST_VERSION 1
#define MANIFEST_GENERATOR "tgc"

/* of the whole */
#define KEY_VERSION "version"
#define KEY_GENERATOR "generator"
#define KEY_SPECTRUM "spectrum"
#define KEY_OPERATOR "operator"
#define KEY_SOURCE "source"
#define KEY_ALGORITHM "algorithm"
#define KEY_MACHINE "machine"
#define KEY_FAMILY "family"
#define KEY_OPTIONS "options"
#define KEY_MACHINES "machines"
#define KEY_SPECTRA "spectra"
#define KEY_COMPUTE "compute"
#define KEY_FOLDER "folder"
#define KEY_WORKSPACE_HEAD "workspace_head"
#define KEY_TYPES "types"
#define KEY_EXACT "exact"
#define KEY_OPERANDS "operands"
#define KEY_KIND "kind"
#define KEY_SIZES "sizes"
#define KEY_BY_COLUMNS "by_columns"
#define KEY_READ "read"
#define KEY_WRITTEN "written"
#define KEY_IN_PLACE "in_place"
#define KEY_HOLDS "holds"
#define KEY_INTO "into"
#define KEY_MEANS "means"
#define KEY_FACTORS "factors"
enum { MANIFEST_SIZES = 7 }; /* most sizes of an operand: of four dimensions */
#define KEY_TIMES "times"
#define KEY_PLUS "plus"
#define KEY_ADDEND "addend"
#define KEY_MORE "more"
#define KEY_EVERY "every"
#define KEY_LOW "low"
#define KEY_HIGH "high"
#define KEY_CALLS "calls"
#define KEY_FUNCTION "function"
#define KEY_STRUCTS "structs"
#define KEY_BYTES "bytes"
#define KEY_MEMBERS "members"
#define KEY_OFFSET "offset"
#define KEY_DIMENSIONS "dimensions"
#define KEY_PARTS "parts"
#define KEY_LESS "less"
#define KEY_EACH "each"
#define KEY_RESULTS "results"
#define KEY_ROUNDS "rounds"
#define KEY_CONFIGURATION "configuration"
#define KEY_DISPATCH "dispatch"
#define KEY_TYPE "type"
#define KEY_UP_TO "up_to"
#define KEY_WHEN "when"
#define KEY_TURN "turn"
#define KEY_TURNS "turns"
#define KEY_CONDITIONS "conditions"
#define KEY_VARIANT "variant"
#define KEY_VARIANTS "variants"
/* of a variant */
#define KEY_ID "id"
#define KEY_PLAN "plan"
#define KEY_LETTER "letter"
#define KEY_CATEGORY "category"
#define KEY_DETERMINISM "determinism"
#define KEY_DETERMINISM_WHY "determinism_why"
#define KEY_BATCH_INVARIANT "batch_invariant"
#define KEY_BATCH_INVARIANT_WHY "batch_invariant_why"
#define KEY_KERNELS "kernels"
#define KEY_LAUNCHES "launches"
#define KEY_LEVELS "levels"
#define KEY_CHOICES "choices"
#define KEY_ATOMICS "atomics"
#define KEY_SHUFFLES "shuffles"
#define KEY_BARRIERS "barriers"
#define KEY_EVEN "even"
#define KEY_WORKSPACE "workspace"
#define KEY_TUNABLES "tunables"
#define KEY_CONFIGURATIONS_MACRO "configurations_macro"
#define KEY_CODELETS "codelets"
#define KEY_FEATURES "features"
#define KEY_TREE "tree"
#define KEY_NEST "nest"
#define KEY_DOT "dot"
#define KEY_TEXT_HASH "text_hash"
#define KEY_FILE "file"
#define KEY_FUNCTIONS "functions"
/* of a kernel, a choice, an atomic, the barriers, a tunable, a codelet */
#define KEY_NAME "name"
#define KEY_NOTE "note"
#define KEY_THREADS "threads"
#define KEY_SHARED_BYTES "shared_bytes"
#define KEY_LEVEL "level"
#define KEY_CODELET "codelet"
#define KEY_WHAT "what"
#define KEY_CHOICE "choice"
#define KEY_OP "op"
#define KEY_SCOPE "scope"
#define KEY_SPACE "space"
#define KEY_COUNT "count"
#define KEY_WARP "warp"
#define KEY_BLOCK "block"
#define KEY_CLUSTER "cluster"
#define KEY_DEFAULT "default"
#define KEY_MIN "min"
#define KEY_MAX "max"
#define KEY_MULTIPLE "multiple"
#define KEY_VALUES "values"
#define KEY_BIND "bind"
#define KEY_TAG "tag"
#define KEY_LINE "line"
#define KEY_CLASS "class"
/* of check/codelets.json */
#define KEY_FILES "files"
#define KEY_TEXT "text"
#define KEY_REMARKS "remarks"
#define KEY_PASS "pass"
#define KEY_MESSAGE "message"

#endif
