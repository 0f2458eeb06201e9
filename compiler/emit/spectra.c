/* spectra.c: one library over those of several spectra: a header that includes theirs, a target that links them. */
#include "emit/spectra.h"

#include <ctype.h>

static const char *upper(Arena *a, const char *s) {
  char *u = arena_strdup(a, s);
  for (char *c = u; *c; c++) *c = (char)toupper((unsigned char)*c);
  return u;
}

/* "sum, dot" */
static const char *names(Arena *a, const SpectraOutputs *s) {
  Buffer b = buffer_new(a);
  for (int i = 0; i < s->n; i++) buffer_printf(&b, "%s%s", i ? ", " : "", s->each[i]->name);
  return b.text;
}

void emit_spectra_header(Buffer *to, const SpectraOutputs *s) {
  const char *guard = upper(to->arena, s->name);
  buffer_printf(to, "/* %s.h: %s. Made by tgc from %s for %s; this text is yours. */\n"
                    "#ifndef TGC_%s_H\n#define TGC_%s_H\n\n",
                s->name, names(to->arena, s), output_source_name(s->each[0]), s->each[0]->machine->name, guard, guard);
  for (int i = 0; i < s->n; i++) buffer_printf(to, "#include \"%s/%s.h\"\n", s->each[i]->name, s->each[i]->name);
  buffer_puts(to, "\n#endif\n");
}

/* %1$s: the library's name; %2$s: in capitals; %3$s: the package that it needs. */
static const char ending[] =
"add_library(tgc::%1$s ALIAS tgc_%1$s)\n"
"set_target_properties(tgc_%1$s PROPERTIES EXPORT_NAME %1$s)\n"
"target_include_directories(tgc_%1$s INTERFACE $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}>\n"
"                           $<INSTALL_INTERFACE:include>)\n"
"\n# ---- as a package of its own ----\n\n"
"if(CMAKE_SOURCE_DIR STREQUAL CMAKE_CURRENT_SOURCE_DIR)\n"
"  set(TGC_%2$s_ALONE ON)\n"
"else()\n"
"  set(TGC_%2$s_ALONE OFF)\n"
"endif()\n"
"option(TGC_%2$s_INSTALL \"install tgc::%1$s as the package tgc_%1$s\" ${TGC_%2$s_ALONE})\n"
"if(TGC_%2$s_INSTALL)\n"
"  include(GNUInstallDirs)\n"
"  install(FILES %1$s.h DESTINATION include)\n"
"  install(EXPORT tgc_%1$s NAMESPACE tgc:: FILE tgc_%1$sTargets.cmake\n"
"          DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tgc_%1$s)\n"
"  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/tgc_%1$sConfig.cmake\n"
"       \"include(CMakeFindDependencyMacro)\\nfind_dependency(%3$s)\\n\"\n"
"       \"include(\\${CMAKE_CURRENT_LIST_DIR}/tgc_%1$sTargets.cmake)\\n\")\n"
"  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tgc_%1$sConfig.cmake\n"
"          DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tgc_%1$s)\n"
"  install(TARGETS tgc_%1$s";

void emit_spectra_cmake(Buffer *to, const SpectraOutputs *s) {
  const Output *o = s->each[0];
  const char *name = s->name;
  bool cplusplus = false;
  for (int i = 0; i < s->n; i++) cplusplus |= output_language(s->each[i]) == LANGUAGE_CPP;
  const char *language = !output_is_for_cpu(o) ? "CUDA" : cplusplus ? "C CXX" : "C";
  buffer_printf(to, "# Builds %s as one library, tgc::%s. Made by tgc from %s for %s; this text is yours.\n"
                    "#   add_subdirectory(out)  and then  target_link_libraries(app PRIVATE tgc::%s)\n"
                    "# Each is a library of its own too, in its folder.\n"
                    "cmake_minimum_required(VERSION 3.18)\n",
                names(to->arena, s), name, output_source_name(o), o->machine->name, name);
  if (!output_is_for_cpu(o))
    buffer_printf(to, "if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)\n  set(CMAKE_CUDA_ARCHITECTURES %d)\nendif()\n",
                  o->machine->compute);
  buffer_printf(to, "project(tgc_%s LANGUAGES %s)\n\nadd_library(tgc_%s INTERFACE)\n", name, language, name);
  for (int i = 0; i < s->n; i++)
    buffer_printf(to, "add_subdirectory(%1$s)\ntarget_link_libraries(tgc_%2$s INTERFACE tgc_%1$s)\n", s->each[i]->name,
                  name);
  buffer_printf(to, ending, name, upper(to->arena, name),
                output_is_for_cpu(o) ? cplusplus ? "OpenMP COMPONENTS C CXX" : "OpenMP COMPONENTS C" : "CUDAToolkit");
  for (int i = 0; i < s->n; i++) buffer_printf(to, " tgc_%s", s->each[i]->name);
  buffer_printf(to, " EXPORT tgc_%s)\n", name);
  for (int i = 0; i < s->n; i++)
    buffer_printf(to, "  install(FILES %1$s/%1$s.h DESTINATION include/%1$s)\n", s->each[i]->name);
  Buffer libraries = buffer_new(to->arena);
  const Output *most = o; /* the one that needs most beside it */
  for (int i = 0; i < s->n; i++) {
    buffer_printf(&libraries, " -ltgc_%s", s->each[i]->name);
    if (output_language(s->each[i]) == LANGUAGE_CPP) most = s->each[i];
  }
  emit_package_versions(to, name, libraries.text, arena_printf(to->arena, "tgc_%s", o->name), most);
  buffer_puts(to, "endif()\n");
}
