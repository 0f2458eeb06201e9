/* verb_new.c: tgc new NAME: a spectrum to begin with, its test, a CMakeLists.txt, and what clangd has to know. Their
 * texts are the files of template/, in which @NAME@ stands for the name. */
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include <jansson.h>

#include "driver/verbs.h"
#include "emit/emit.h"
#include "support/manifest_file.h"
#include "support/paths.h"

extern const char new_cdl_text[], new_test_text[], new_cmake_text[], new_clangd_text[], front_prelude_text[];

enum { LONGEST = 60 };

/* Is it a function of the prelude, "map("? The name would be two things. */
static bool is_in_prelude(const char *name) {
  const size_t n = strlen(name);
  for (const char *at = front_prelude_text; (at = strstr(at, name)); at += n)
    if (at > front_prelude_text && !isalnum((unsigned char)at[-1]) && at[-1] != '_' && at[n] == '(') return true;
  return false;
}

static bool is_keyword(const char *name) {
  static const char *const words[] = {
      "alignas",   "alignof",   "and",      "asm",      "auto",   "bitand",   "bitor",    "bool",     "break",
      "case",      "catch",     "char",     "class",    "compl",  "const",    "continue", "decltype", "default",
      "delete",    "do",        "double",   "else",     "enum",   "explicit", "export",   "extern",   "false",
      "float",     "for",       "friend",   "goto",     "if",     "inline",   "int",      "long",     "main",
      "mutable",   "namespace", "new",      "noexcept", "not",    "nullptr",  "operator", "or",       "private",
      "protected", "public",    "register", "restrict", "return", "short",    "signed",   "sizeof",   "static",
      "struct",    "switch",    "template", "test",     "this",   "throw",    "true",     "try",      "typedef",
      "typeid",    "typename",  "union",    "unsigned", "using",  "virtual",  "void",     "volatile", "while",
      "xor"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(words[i], name) == 0) return true;
  return false;
}

/* NULL, or why no spectrum can be called so. */
static const char *check_name(Arena *a, const char *name) {
  bool ok = islower((unsigned char)name[0]) && strlen(name) <= LONGEST;
  for (const char *s = name; *s; s++) ok &= islower((unsigned char)*s) || isdigit((unsigned char)*s) || *s == '_';
  if (!ok)
    return arena_printf(
        a, "`%.80s' cannot be the name of a spectrum: a lower-case letter, then letters, digits and `_', %d in all",
        name, LONGEST);
  if (is_keyword(name) || is_in_prelude(name))
    return arena_printf(a, "`%s' has a meaning of its own in C, C++ or the codelet language: choose another name",
                        name);
  return NULL;
}

static OutputFile file(Arena *a, const char *name, const char *path, const char *text) {
  const char *own = text_replaced(a, text, "@NAME@", name);
  return (OutputFile){.path = path, .text = own, .length = strlen(own)};
}

/* Where the declarations of the language are: installed, or in the source tree. */
static OutputFile clangd(Arena *a) {
  const char *installed = path_of_data(a, "include/tgc"), *source = path_of_data(a, "compiler/front"),
             *codelets = path_of_data(a, "codelets"), *folder = installed ? installed : source ? source : ".";
  const char *text = text_replaced(a, new_clangd_text, "@PRELUDE@", arena_printf(a, "%s/prelude.h", folder));
  return file(a, "", ".clangd", text_replaced(a, text, "@CODELETS@", codelets ? codelets : "."));
}

static void print_json(Buffer *to, const char *out, const OutputFile *files, size_t n) {
  json_t *names = json_array();
  for (size_t i = 0; i < n; i++) json_array_append_new(names, json_string(files[i].path));
  json_t *all = json_pack("{s:o, s:o}", "folder", manifest_text(to->arena, out), "files", names);
  manifest_print(to, all);
  json_decref(all);
}

/* The command as the user's shell finds it, which need not have it in its PATH. */
static const char *command(Arena *a) {
  const char *name = program_invocation_name;
  if (!strchr(name, '/')) return "tgc";
  return name[strcspn(name, " '\"$\\`")] ? arena_printf(a, "'%s'", text_replaced(a, name, "'", "'\\''")) : name;
}

int verb_new(Arena *a, const NewArguments *given) {
  const char *name = given->operands.at[0], *out = verbs_folder(a, given->out ? given->out : name);
  const char *why = check_name(a, name);
  if (why) return verbs_misuse("new", why);
  Diagnostics *d = diagnostics_new(a);
  const char *codelets = arena_printf(a, "%s.cdl", name), *test = arena_printf(a, "%s_test.c", name);
  const OutputFile files[] = {file(a, name, codelets, new_cdl_text), file(a, name, test, new_test_text),
                              file(a, name, "CMakeLists.txt", new_cmake_text), clangd(a)};
  struct stat s;
  if (lstat(out, &s) == 0)
    diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, "choose another folder with `-o'", "`%s' exists already", out);
  Buffer text = buffer_new(a);
  if (given->json) print_json(&text, out, files, sizeof files / sizeof *files);
  else if (!given->quiet)
    buffer_printf(&text,
                  "%s/%s, its test %s and a CMakeLists.txt\nnext: %s compile %s/%s --arch cpu --types float && %s "
                  "check --quick\n",
                  out, codelets, test, command(a), out, codelets, command(a));
  const bool ok = !d->errors && folder_write(a, out, files, sizeof files / sizeof *files, d);
  const int status = ok ? verbs_print(&text) : STATUS_FAILED;
  verbs_say(d, given->color, given->quiet != NULL);
  return status;
}
