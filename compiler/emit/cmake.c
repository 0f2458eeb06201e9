/* cmake.c: CMakeLists.txt, which builds the folder as a library, and installs it as a package. */
#include <ctype.h>

#include "emit/machines.h"

/* What the top of every such file says. %1$s: the library's name; %2$s: the codelets' file; %3$s: the machines. */
static const char beginning[] =
"# Builds %1$s as a library, tgc::%1$s. Made by tgc from %2$s for %3$s; this text is yours.\n"
"#   add_subdirectory(out)  and then  target_link_libraries(app PRIVATE tgc::%1$s)\n"
"# It is static, or shared where BUILD_SHARED_LIBS says so. Installed, it is a package: find_package(tgc_%1$s).\n"
"#\n"
"# CMAKE_CUDA_ARCHITECTURES decides what is compiled: of its entries, those that a machine's kernels serve; a machine\n"
"# of which it names none is compiled for itself. Kernels are never compiled for what is older than their machine.\n"
"cmake_minimum_required(VERSION 3.18)\n"
"if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)\n  set(CMAKE_CUDA_ARCHITECTURES %4$s)\nendif()\n"
"project(tgc_%1$s LANGUAGES CUDA)\n"
"find_package(CUDAToolkit REQUIRED)\n\n"
"# The entries of CMAKE_CUDA_ARCHITECTURES from `first' on and below `next'; else `first' itself.\n"
"function(tgc_%1$s_architectures target first next)\n"
"  set(found)\n"
"  foreach(entry IN LISTS CMAKE_CUDA_ARCHITECTURES)\n"
"    string(REGEX MATCH \"^[0-9]+\" number \"${entry}\")\n"
"    if(number AND number GREATER_EQUAL first AND number LESS next)\n"
"      list(APPEND found ${entry})\n"
"    endif()\n"
"  endforeach()\n"
"  if(DEFINED CMAKE_CUDA_ARCHITECTURES AND NOT CMAKE_CUDA_ARCHITECTURES) # OFF: the flags say it\n"
"    set(found OFF)\n"
"  elseif(NOT found)\n"
"    set(found ${first})\n"
"  endif()\n"
"  set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES \"${found}\")\n"
"  target_compile_features(${target} PRIVATE cuda_std_17)\n"
"  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-lineinfo>)\n"
"  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)\n"
"endfunction()\n";

/* %1$s: the library's name; %2$s: in capitals. */
static const char ending[] =
"add_library(tgc::%1$s ALIAS tgc_%1$s)\n"
"set_target_properties(tgc_%1$s PROPERTIES EXPORT_NAME %1$s)\n"
"target_include_directories(tgc_%1$s PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}>\n"
"                           $<INSTALL_INTERFACE:include>)\n"
"if(CMAKE_CUDA_RUNTIME_LIBRARY STREQUAL \"Shared\")\n"
"  target_link_libraries(tgc_%1$s PUBLIC CUDA::cudart)\n"
"else()\n"
"  target_link_libraries(tgc_%1$s PUBLIC CUDA::cudart_static)\n"
"endif()\n"
"# What a C compiler that links it does not link by itself.\n"
"target_link_libraries(tgc_%1$s PRIVATE $<$<PLATFORM_ID:Linux>:stdc++>)\n\n"
"# ---- as a package of its own ----\n\n"
"if(CMAKE_SOURCE_DIR STREQUAL CMAKE_CURRENT_SOURCE_DIR)\n"
"  set(TGC_%2$s_ALONE ON)\n"
"else()\n"
"  set(TGC_%2$s_ALONE OFF)\n"
"endif()\n"
"option(TGC_%2$s_INSTALL \"install tgc::%1$s as the package tgc_%1$s\" ${TGC_%2$s_ALONE})\n"
"if(TGC_%2$s_INSTALL)\n"
"  include(GNUInstallDirs)\n"
"  install(TARGETS tgc_%1$s EXPORT tgc_%1$s)\n"
"  install(FILES %1$s.h DESTINATION include)\n"
"  install(EXPORT tgc_%1$s NAMESPACE tgc:: FILE tgc_%1$sTargets.cmake\n"
"          DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tgc_%1$s)\n"
"  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/tgc_%1$sConfig.cmake\n"
"       \"include(CMakeFindDependencyMacro)\\nfind_dependency(CUDAToolkit)\\n\"\n"
"       \"include(\\${CMAKE_CURRENT_LIST_DIR}/tgc_%1$sTargets.cmake)\\n\")\n"
"  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tgc_%1$sConfig.cmake\n"
"          DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tgc_%1$s)\n"
"endif()\n";

static const char *upper(Arena *a, const char *s) {
  char *u = arena_strdup(a, s);
  for (char *c = u; *c; c++) *c = (char)toupper((unsigned char)*c);
  return u;
}

/* A machine's files, a line each, their paths behind `under'. */
static void sources(Buffer *to, const Output *o, const char *under) {
  buffer_printf(to, "  %s%s.cu\n", under, o->name);
  if (output_starts_from(o)) buffer_printf(to, "  %s%s_from.cu\n", under, o->name);
  if (output_counts(o)) buffer_printf(to, "  %s%s_counted.cu\n", under, o->name);
  for (int v = 0; v < o->nvariants; v++) buffer_printf(to, "  %svariants/%s.cu\n", under, o->variants[v].plan->id);
}

void emit_cmake(Buffer *to, const Output *o) {
  const char *name = o->name, *compute = arena_printf(to->arena, "%d", o->machine->compute);
  buffer_printf(to, beginning, name, output_source_name(o), o->machine->name, compute);
  buffer_printf(to, "\nadd_library(tgc_%s\n", name);
  sources(to, o, "");
  buffer_printf(to, ")\ntgc_%s_architectures(tgc_%s %s 1000)\n", name, name, compute);
  buffer_printf(to, ending, name, upper(to->arena, name));
}

void emit_machines_cmake(Buffer *to, const MachineOutputs *m) {
  Arena *a = to->arena;
  Buffer machines = buffer_new(a), computes = buffer_new(a), objects = buffer_new(a);
  for (int i = 0; i < m->n; i++) {
    buffer_printf(&machines, "%s%s", i ? ", " : "", m->each[i]->machine->name);
    buffer_printf(&computes, "%s%d", i ? " " : "", m->each[i]->machine->compute);
    buffer_printf(&objects, "  $<TARGET_OBJECTS:tgc_%s>\n", m->each[i]->name);
  }
  buffer_printf(to, beginning, m->name, output_source_name(m->each[0]), machines.text, computes.text);
  for (int i = 0; i < m->n; i++) {
    const Output *o = m->each[i];
    int next = i + 1 < m->n ? m->each[i + 1]->machine->compute : 1000;
    buffer_printf(to, "\nadd_library(tgc_%s OBJECT\n", o->name);
    sources(to, o, arena_printf(a, "%s/", o->machine->name));
    buffer_printf(to, ")\ntgc_%s_architectures(tgc_%s %d %d)\n", m->name, o->name, o->machine->compute, next);
  }
  buffer_printf(to, "\nadd_library(tgc_%s\n  %s.cu\n%s)\ntgc_%s_architectures(tgc_%s %d 1000)\n", m->name, m->name,
                objects.text, m->name, m->name, m->each[0]->machine->compute);
  buffer_printf(to, ending, m->name, upper(a, m->name));
}
