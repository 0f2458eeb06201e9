/* language.c: the language of an output: CUDA for GPUs; C11 for CPUs, or C++17 with a user's operator. A library's
 * text differs between them in the words of this table. */
#include "emit/language.h"

#include <string.h>

enum { LANGUAGES = LANGUAGE_CPP + 1 };

static const struct { const char *word, *in[LANGUAGES]; } words[] = {
  /* word             CUDA                              C                 C++ */
    {"CUDA",          {"1",                             "0",              "0"}},
    {"ERROR",         {"cudaError_t",                   "int",            "int"}},
    {"SUCCESS",       {"cudaSuccess",                   "0",              "0"}},
    {"INVALID",       {"cudaErrorInvalidValue",         "EINVAL",         "EINVAL"}},
    {"MISSING",       {"cudaErrorInvalidConfiguration", "ENOTSUP",        "ENOTSUP"}},
    {"IN_WORDS(error)", {"cudaGetErrorString(error)",   "strerror(error)", "strerror(error)"}},
    {"NIL",           {"nullptr",                       "NULL",           "NULL"}},
    {"ZERO",          {"{}",                            "0",              "{}"}}, /* the zero of any type */
    {"STD(x)",        {"std::x",                        "x",              "x"}},
    {"PUBLIC",        {"extern \"C\"",                  "",               ""}},
        /* C++: the header declares the linkage */
    {"SHARED",        {"extern \"C\"",                  "static",         "static"}},
        /* called from the other files of the folder */
    {"PRIVATE",       {"",                              "static",         "static"}}, /* called in the same file */
    {"BEGIN_C",       {"extern \"C\" {\n",              "",               "extern \"C\" {\n"}},
    {"END_C",         {"}\n",                           "",               "}\n"}},
    {"NO_PARAMETERS", {"",                              "void",           ""}},
    {"ON_STREAM",     {", cudaStream_t stream",         "",               ""}}, /* the last parameter */
    {"STREAM",        {", stream",                      "",               ""}}, /* the last argument */
    {"OF_THREAD",     {"thread_local",                  "_Thread_local",  "thread_local"}},
    {"ALIGN_OF",      {"alignof",                       "_Alignof",       "alignof"}},
};

Language output_language(const Output *o) {
  if (!o->machine->is_cpu) return LANGUAGE_CUDA;
  return o->spectrum->monoid || o->spectrum->states ? LANGUAGE_CPP : LANGUAGE_C;
}

const char *output_extension(const Output *o) {
  static const char *const extensions[LANGUAGES] = {"cu", "c", "cc"};
  return extensions[output_language(o)];
}

bool output_is_for_cpu(const Output *o) { return output_language(o) != LANGUAGE_CUDA; }

const char *output_word(const Output *o, const char *word) {
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(words[i].word, word) == 0) return words[i].in[output_language(o)];
  return NULL;
}

/* ---- types ---- */

/* CPU types in place of CUDA's: typedefs in the header. A C++ compiler without half gets an incomplete type:
 * pointers to it are enough. */
static const char half_made[] =
"#ifdef __FLT16_MANT_DIG__\n__extension__ typedef _Float16 tgc_half;\n"
"#else\ntypedef struct tgc_half tgc_half; /* of 16 bits; this compiler has none */\n#endif\n";
static const char complex_made[] =
"__extension__ typedef float _Complex tgc_cfloat;\n__extension__ typedef double _Complex tgc_cdouble;\n";

static const struct { const char *cuda, *include, *cpu, *made; } types[] = {
    {"__half", "#include <cuda_fp16.h>\n", "tgc_half", half_made},
    {"__nv_bfloat16", "#include <cuda_bf16.h>\n", NULL, NULL},
    {"cuFloatComplex", "#include <cuComplex.h>\n", "tgc_cfloat", complex_made},
    {"cuDoubleComplex", "#include <cuComplex.h>\n", "tgc_cdouble", complex_made},
};
enum { TYPES = sizeof types / sizeof *types };

const char *language_cpu_type(const char *c_type) {
  for (int i = 0; i < TYPES; i++)
    if (strcmp(types[i].cuda, c_type) == 0) return types[i].cpu;
  return c_type;
}

const char *output_c_type(const Output *o, const char *c_type) {
  return output_is_for_cpu(o) ? language_cpu_type(c_type) : c_type;
}

const char *output_kernel_type(const Output *o, const ElementType *e) {
  return output_is_for_cpu(o) ? output_c_type(o, e->c_type) : e->text;
}

/* Has the output that type, by its name in CUDA? */
static bool has_type(const Output *o, const char *cuda) {
  for (int i = 0; i < o->ntypes; i++)
    if (strcmp(o->types[i]->c_type, cuda) == 0) return true;
  return false;
}

const char *output_includes(Arena *a, const Output *o) {
  Buffer b = buffer_new(a);
  const char *last = "";
  for (int i = 0; i < TYPES; i++) {
    const char *line = output_is_for_cpu(o) ? types[i].made : types[i].include;
    if (!has_type(o, types[i].cuda) || strcmp(line, last) == 0) continue;
    buffer_puts(&b, line);
    last = line;
  }
  return b.length ? b.text : "";
}

/* ---- text ---- */

void language_define(Arena *a, Defines *to, Language language) {
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    const Define one = {words[i].word, words[i].in[language]};
    vec_push(a, to, one);
  }
}
