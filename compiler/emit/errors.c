/* errors.c: what the functions that users call look at before they queue anything, and how a failure is told in words.
 *
 * NAME.cu has the definitions; the other files of the folder declare them. */
#include "emit/emit.h"

/* %s: the output's name, each time. */
static const char declarations[] =
"// Notes, for %s_error_text, why a call failed; gives the error back.\n"
"extern \"C\" cudaError_t %s_failed(cudaError_t error, const char *format, ...);\n"
"// What can be told of a call's arguments before anything is queued. Without a workspace only the size is asked for.\n"
"extern \"C\" cudaError_t %s_arguments(const char *who, const void *workspace, const size_t *workspace_bytes, "
"uint64_t n,\n"
"                                   const void *in, size_t in_aligned, const void *out, size_t out_aligned);\n"
"// Says why a variant refused a call whose arguments were right: it needs so many bytes; 0: it cannot serve so many.\n"
"extern \"C\" cudaError_t %s_refused(const char *who, cudaError_t error, uint64_t n, const void *workspace,\n"
"                                 size_t bytes, size_t need);\n";

static const char definitions[] =
"\nnamespace {\n\n"
"// Of this thread's last call that failed.\n"
"struct Failure {\n  cudaError_t error;\n  char text[256];\n};\n"
"thread_local Failure failure;\n\n"
"bool lies_at(const void *place, size_t multiple) { return (uintptr_t)place %% multiple == 0; }\n\n"
"} // namespace\n"
"\nextern \"C\" cudaError_t %s_failed(cudaError_t error, const char *format, ...) {\n"
"  va_list arguments;\n"
"  va_start(arguments, format);\n"
"  std::vsnprintf(failure.text, sizeof failure.text, format, arguments);\n"
"  va_end(arguments);\n"
"  return failure.error = error;\n}\n"
"\nextern \"C\" const char *%s_error_text(cudaError_t error) {\n"
"  return error != cudaSuccess && error == failure.error ? failure.text : cudaGetErrorString(error);\n}\n"
"\nextern \"C\" cudaError_t %s_arguments(const char *who, const void *workspace, const size_t *workspace_bytes, "
"uint64_t n,\n"
"                                   const void *in, size_t in_aligned, const void *out, size_t out_aligned) {\n"
"  const cudaError_t wrong = cudaErrorInvalidValue;\n"
"  failure.error = cudaSuccess;\n"
"  if (workspace_bytes == nullptr) return %s_failed(wrong, \"%%s: workspace_bytes is NULL\", who);\n"
"  if (n > INT64_MAX) return %s_failed(wrong, \"%%s: n = %%llu is more than any memory holds\", who, "
"(unsigned long long)n);\n"
"  if (workspace == nullptr) return cudaSuccess;\n"
"  if (!lies_at(workspace, 16)) return %s_failed(wrong, \"%%s: workspace is not aligned to 16 bytes\", who);\n"
"  if (out == nullptr) return %s_failed(wrong, \"%%s: out is NULL\", who);\n"
"  if (!lies_at(out, out_aligned))\n"
"    return %s_failed(wrong, \"%%s: out is not aligned to %%zu bytes\", who, out_aligned);\n"
"  if (in == nullptr && n > 0) return %s_failed(wrong, \"%%s: in is NULL, and n = %%llu\", who, "
"(unsigned long long)n);\n"
"  if (!lies_at(in, in_aligned)) return %s_failed(wrong, \"%%s: in is not aligned to %%zu bytes\", who, in_aligned);\n"
"  return cudaSuccess;\n}\n"
"\nextern \"C\" cudaError_t %s_refused(const char *who, cudaError_t error, uint64_t n, const void *workspace,\n"
"                                 size_t bytes, size_t need) {\n"
"  const unsigned long long many = n;\n"
"  if (need == 0 && error == cudaErrorInvalidValue)\n"
"    return %s_failed(error, \"%%s: n = %%llu is too large for the variant that serves it\", who, many);\n"
"  if (workspace != nullptr && bytes < need)\n"
"    return %s_failed(error, \"%%s: the workspace has %%zu bytes, and n = %%llu needs %%zu\", who, bytes, many,\n"
"                     need);\n"
"  return %s_failed(error, \"%%s: launching for n = %%llu: %%s\", who, many, cudaGetErrorString(error));\n}\n";

void emit_error_declarations(Buffer *to, const Output *o) {
  const char *n = o->name;
  buffer_printf(to, declarations, n, n, n, n);
}

void emit_errors(Buffer *to, const Output *o) {
  const char *n = o->name;
  buffer_printf(to, definitions, n, n, n, n, n, n, n, n, n, n, n, n, n, n);
}
