/* names.c: the names that generated text has for its own, by who declares them. */
#include "ir/names.h"

#include <string.h>

static const char *const taken[] = {
    /* template parameters and types of the text; Array to cdouble: the prelude's */
    "T", "E", "M", "R", "Index", "Word", "Words", "Range", "complex", "Array", "Map", "Vector", "Sequence", "Parts",
    "Identity", "Same", "tgc", "cfloat", "cdouble",
    /* parameters, constants and variables of the host and of every kernel */
    "in", "n", "out", "count", "most", "workspace", "workspace_bytes", "stream", "error", "args", "need", "early",
    "how", "c", "own", "block", "grid", "cluster", "rank", "thread", "lane", "warp", "threads", "blocks", "loads",
    /* functions and macros: of the host; of the reference; of kernels (runtime/device, emit/variant.c) */
    "run", "configured", "serves", "RUN", "ROW", "in_clusters", "may_begin_early", "start_from", "sequential",
    "min_index", "min_of_int", "min_unsigned", "min_long", "min_unsigned_long", "min_of_float", "min_of_double",
    "max_of_int", "max_unsigned", "max_long", "max_unsigned_long", "max_of_float", "max_of_double",
    "max_index", "lowest", "highest", "lowest_value", "highest_value", "half_of", "reduces", "load_wide", "to_aligned",
    "arrives_last", "begins_last", "after_earlier_grids", "in_block", "put_word", "get_word", "post", "collect",
    "alike",
    "bits_of", "float_of_bits", "double_of_bits", "shuffle", "shuffle_down", "shuffle_up", "shuffle_xor", "atomic_add",
    "atomic_max", "atomic_min", "atomic_mul", "atomic_and", "atomic_or", "atomic_xor", "atomic_op", "atomic_add_block",
    "atomic_max_block", "atomic_min_block", "atomic_mul_block", "atomic_and_block", "atomic_or_block",
    "atomic_xor_block", "atomic_op_block",
    /* of runtime/device/wide.cuh and look_back.cuh */
    "load_row", "load_several", "load_run", "store_run", "shift_words", "element_in",
    "store_wide", "load_wide_anywhere", "load_wide_apart", "store_wide_anywhere", "store_wide_shared",
    "copy_rows", "copy_run", "copy_runs",
    "resident", "take_ticket", "set_word", "see_word", "Posted", "NOTHING", "OWN", "ALL", "Total", "words_of",
    "words_each", "PostedPair", "set_pair", "see_pair", "post_at", "posted_at", "combined_lanes",
    "place_of", "mark_of", "post_total", "Seen", "see", "holds_total", "see_total", "combine", "look_back", "PATIENCE",
    "GIVEN_UP", "scan_from", "scan_totals", "prior_total", "handed", "copy_ahead", "close_copies", "await_copies",
    "captured", "opened", "closed", "LoopNode", "repeat_node", "fetch_ahead",
    "in_boxes", "Boxes", "make_boxes", "encode_boxes", "arrivals_of", "open_panels", "copy_panel", "copy_chunk",
    "await_panel", "open_products", "await_products", "matrix_at", "element_at", "multiply_group", "add_pair",
    "tf32", "half16", "half_sum", "Sum", "SumOf", "in_unit", "row_of_words", "load_words", "take_words",
    "store_pair", "packed", "load_parts", "load_a", "load_b", "part_of_a", "Near", "load_near", "keep_near",
    "multiply", "multiply_quads", "multiply_tile", "load_sixteen", "PackedPair", "packed_pair", "unit_load",
    "unit_store", "unit_rows", "unit_sums", "unit_triangle", "unit_scan",
    "UnitRegisters", "UnitWide", "UnitElements", "unit_rows_to", "unit_upto",
    "unit_multiplied", "unit_exchanged", "unit_pairs", "SHARED_ARRAY", "shared_memory",
    "ask_for_shared", "evenly_shared", "shared_bytes", "shared", "allowed", "blocks_at_once", "all_at_once", "come",
    "have_come", "wait_for", "meet", "comes_last", "go_on", "disperse", "Counter", "append", "append_here",
    "append_held", "reserve", "reserve_here", "next_place", "add_of_block", "Summed", "claim", "appended",
    /* macros and functions of a CPU's text (runtime/cpu, emit/c_text.c), and what a macro of it declares */
    "TYPE", "NONE", "LOWEST", "HIGHEST", "LOADS", "EXCHANGE", "EXCHANGE_4", "EXCHANGE_8",
    "at_once", "alone", "processors", "quota",
    "numbers", "CGROUP", "next_tile", "first_word", "words", "team", "rest", "isnan", "moved", "whose", "unseen",
    "alignas", "LIST", "LOAD_ROWS", "LOAD_ROWS_ANY", "LOAD_ROWS_4", "FOR_EACH_CALL", "APART", "next_part", "line",
    "lines", "weaving", "woven",
    /* C's that are no words of C++, and macros of the headers that it includes */
    "restrict", "EINVAL", "ENOTSUP", "INFINITY", "NAN", "HUGE_VAL", "INT_MIN", "INT_MAX", "UINT_MAX", "LLONG_MIN",
    "LLONG_MAX", "ULLONG_MAX", "FILE", "EOF", "BUFSIZ", "stdin", "stdout", "stderr", "fopen", "fclose", "fscanf",
    "omp_get_num_procs", "omp_get_max_threads", "omp_get_thread_num", "omp_get_num_threads",
    /* CUDA's and C++'s that the text uses, and words that compilers define as macros */
    "min", "max", "memcpy", "atomicAdd", "atomicSub", "atomicMax", "atomicMin", "atomicAnd", "atomicOr", "atomicXor",
    "atomicAdd_block", "atomicSub_block", "atomicMax_block", "atomicMin_block", "atomicAnd_block", "atomicOr_block",
    "atomicXor_block", "atomicCAS", "atomicCAS_block", "atomicExch", "atomicInc", "threadIdx", "blockIdx", "blockDim",
    "gridDim", "warpSize", "dim3", "uint2", "uint4", "size_t", "uint64_t", "uintptr_t", "std", "cudaError_t",
    "cudaStream_t", "cudaLaunchKernel", "cudaLaunchKernelEx", "cudaLaunchConfig_t", "cudaLaunchAttribute",
    "cudaSuccess", "cudaFuncSetAttribute", "cudaErrorInvalidValue", "cudaErrorLaunchTimeout", "asks_after",
    "wait_and_ask", "wait_for_end", "is_left", "TGC_MOST_TURNS", "ETIMEDOUT", "NULL", "assert", "errno", "linux",
    "unix"};

bool name_is_taken(const char *name) {
  for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
    if (taken[i][0] == name[0] && strcmp(taken[i], name) == 0) return true; /* asked thousands of times */
  return false;
}
