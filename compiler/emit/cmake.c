/* cmake.c: CMakeLists.txt, which builds the folder as a library and installs it as a package.
 * CMAKE_CUDA_ARCHITECTURES picks the targets; for a CPU, a variable of the library's own. */
#include <ctype.h>
#include <string.h>

#include "emit/machines.h"

/* The head comment. %1$s: the library's name; %2$s: the codelets' file; %3$s: the machines. */
static const char beginning[] =
"# Builds %1$s as a library, tgc::%1$s. Made by tgc from %2$s for %3$s; this text is yours.\n"
"#   add_subdirectory(out)  and then  target_link_libraries(app PRIVATE tgc::%1$s)\n"
"# It is static, or shared where BUILD_SHARED_LIBS says so. Installed, it is a package: find_package(tgc_%1$s).\n"
"#\n";

/* %1$s: the library's name; %2$s: the machines' compute capabilities; %3$s: of_groups, or nothing. */
static const char cuda[] =
"# CMAKE_CUDA_ARCHITECTURES decides what is compiled: of its entries, those that a machine's kernels serve; a machine\n"
"# of which it names none is compiled for itself. Kernels are never compiled for what is older than their machine.\n"
"cmake_minimum_required(VERSION 3.18)\n"
"if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)\n  set(CMAKE_CUDA_ARCHITECTURES %2$s)\nendif()\n"
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
"%3$s"
"  set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES \"${found}\")\n"
"  target_compile_features(${target} PRIVATE cuda_std_17)\n"
"  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-lineinfo>)\n"
"  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)\n"
"endfunction()\n";

static const char of_groups[] =
"  # Groups of warps multiply on 9.0 alone, by instructions that are compiled for 90a.\n"
"  if(90 IN_LIST found)\n"
"    list(REMOVE_ITEM found 90)\n"
"    list(APPEND found 90a-real 90-virtual)\n"
"  endif()\n"
"  list(TRANSFORM found REPLACE \"^90-real$\" \"90a-real\")\n";

/* %1$s: the library's name; %2$s: in capitals; %3$s: the options; %4$s: the language. */
static const char cpu[] =
"# TGC_%2$s_OPTIONS tells the compiler what CPU it compiles for.\n"
"cmake_minimum_required(VERSION 3.18)\n"
"project(tgc_%1$s LANGUAGES %4$s)\n"
"find_package(OpenMP REQUIRED COMPONENTS %4$s)\n"
"set(TGC_%2$s_OPTIONS %3$s CACHE STRING \"what CPU the library tgc::%1$s is compiled for\")\n";

/* No contraction to fused multiply-add, and signed overflow wraps: the same bits from every compiler and CPU. %1$s:
 * the library's name; %2$s: in capitals; %3$s: the language; %4$s: its standard. */
static const char compiled_for_cpu[] =
")\n"
"target_compile_features(tgc_%1$s PRIVATE %4$s)\n"
"target_compile_options(tgc_%1$s PRIVATE ${TGC_%2$s_OPTIONS} -ffp-contract=off -fwrapv $<$<CONFIG:>:-O3>)\n"
"set_target_properties(tgc_%1$s PROPERTIES POSITION_INDEPENDENT_CODE ON)\n"
"target_link_libraries(tgc_%1$s PRIVATE OpenMP::OpenMP_%3$s $<$<PLATFORM_ID:Linux>:m>)\n";

/* %1$s: the library's name. */
static const char cuda_runtime[] =
"if(CMAKE_CUDA_RUNTIME_LIBRARY STREQUAL \"Shared\")\n"
"  target_link_libraries(tgc_%1$s PUBLIC CUDA::cudart)\n"
"else()\n"
"  target_link_libraries(tgc_%1$s PUBLIC CUDA::cudart_static)\n"
"endif()\n";

/* %1$s: the library's name. */
static const char named[] =
"add_library(tgc::%1$s ALIAS tgc_%1$s)\n"
"set_target_properties(tgc_%1$s PROPERTIES EXPORT_NAME %1$s)\n"
"target_include_directories(tgc_%1$s PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}>\n"
"                           $<INSTALL_INTERFACE:include>)\n";

/* %1$s: the library's name. */
static const char of_cplusplus[] =
"# What a C compiler that links it does not link by itself.\n"
"target_link_libraries(tgc_%1$s PRIVATE $<$<PLATFORM_ID:Linux>:stdc++>)\n";

/* %1$s: the library's name; %2$s: in capitals; %3$s: the package that it needs. */
static const char package[] =
"\n# ---- as a package of its own ----\n\n"
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
"       \"include(CMakeFindDependencyMacro)\\nfind_dependency(%3$s)\\n\"\n"
"       \"include(\\${CMAKE_CURRENT_LIST_DIR}/tgc_%1$sTargets.cmake)\\n\")\n"
"  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tgc_%1$sConfig.cmake\n"
"          DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tgc_%1$s)\n";

/* Behind that, inside of its condition. %1$s: the package's name; %2$s: in capitals; %3$s: its libraries; %4$s: one of
 * them; %5$s: what a program links beside static ones. Until 1.0 each minor version of tgc may change the functions. */
static const char versions[] =
"  set(TGC_%2$s_VERSION " TGC_VERSION " CACHE STRING \"the version of the package tgc_%1$s\")\n"
"  include(CMakePackageConfigHelpers)\n"
"  write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/tgc_%1$sConfigVersion.cmake\n"
"                                   VERSION ${TGC_%2$s_VERSION} COMPATIBILITY SameMinorVersion)\n"
"  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tgc_%1$sConfigVersion.cmake\n"
"          DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tgc_%1$s)\n"
"  # For pkg-config. The prefix is found from the file's own place, so that the package may be moved.\n"
"  file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)\n"
"  get_target_property(type %4$s TYPE)\n"
"  set(beside \"\")\n"
"  if(type STREQUAL STATIC_LIBRARY)\n"
"    set(beside \" %5$s\")\n"
"  endif()\n"
"  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/tgc_%1$s.pc\n"
"       \"prefix=\\${pcfiledir}/${up}\\nName: tgc_%1$s\\nDescription: %1$s, a library that tgc wrote\\n\"\n"
"       \"Version: ${TGC_%2$s_VERSION}\\nCflags: -I\\${prefix}/include\\n\"\n"
"       \"Libs: -L\\${prefix}/${CMAKE_INSTALL_LIBDIR}%3$s${beside}\\n\")\n"
"  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tgc_%1$s.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)\n";

static const char *upper(Arena *a, const char *s) {
  char *u = arena_strdup(a, s);
  for (char *c = u; *c; c++) *c = (char)toupper((unsigned char)*c);
  return u;
}

void emit_package_versions(Buffer *to, const char *name, const char *libraries, const char *one, const Output *o) {
  const char *beside = !output_is_for_cpu(o)                  ? "-L${CUDAToolkit_LIBRARY_DIR} -lcudart -lstdc++"
                       : output_language(o) == LANGUAGE_CPP ? "${OpenMP_CXX_FLAGS} -lm -lstdc++"
                                                            : "${OpenMP_C_FLAGS} -lm";
  buffer_printf(to, versions, name, upper(to->arena, name), libraries, one, beside);
}

/* One library as a package of its own; `needs': another package. */
static void package_of(Buffer *to, const Output *o, const char *name, const char *needs) {
  const char *target = arena_printf(to->arena, "tgc_%s", name);
  buffer_printf(to, package, name, upper(to->arena, name), needs);
  emit_package_versions(to, name, arena_printf(to->arena, " -l%s", target), target, o);
  buffer_puts(to, "endif()\n");
}

/* A machine's source files, one a line, under the folder `under'. */
static void sources(Buffer *to, const Output *o, const char *under) {
  const char *extension = output_extension(o);
  buffer_printf(to, "  %s%s.%s\n", under, o->name, extension);
  if (output_starts_from(o)) buffer_printf(to, "  %s%s_from.%s\n", under, o->name, extension);
  if (output_counts(o)) buffer_printf(to, "  %s%s_counted.%s\n", under, o->name, extension);
  for (int v = 0; v < o->nvariants; v++)
    buffer_printf(to, "  %svariants/%s.%s\n", under, o->variants[v].plan->id, extension);
}

/* ---- GPUs ---- */

static bool multiplies_by_groups(const Output *o) {
  bool found = false;
  for (int i = 0; i < o->nvariants; i++) found |= plan_multiplies_by_groups(o->variants[i].plan->root);
  return found;
}

static void begin_cuda(Buffer *to, const char *name, const Output *o, const char *machines, const char *computes,
                       bool groups) {
  buffer_printf(to, beginning, name, output_source_name(o), machines);
  buffer_printf(to, cuda, name, computes, groups ? of_groups : "");
}

static void end_cuda(Buffer *to, const Output *o, const char *name) {
  buffer_printf(to, named, name);
  buffer_printf(to, cuda_runtime, name);
  buffer_printf(to, of_cplusplus, name);
  package_of(to, o, name, "CUDAToolkit");
}

static void library_for_gpu(Buffer *to, const Output *o) {
  const char *name = o->name, *compute = arena_printf(to->arena, "%d", o->machine->compute);
  begin_cuda(to, name, o, o->machine->name, compute, multiplies_by_groups(o));
  buffer_printf(to, "\nadd_library(tgc_%s\n", name);
  sources(to, o, "");
  buffer_printf(to, ")\ntgc_%s_architectures(tgc_%s %s 1000)\n", name, name, compute);
  end_cuda(to, o, name);
}

/* ---- CPUs ---- */

const char *emit_options_for(const char *machine, int lanes) {
  static const struct { const char *machine, *options; } rows[] = {
      {"avx2", "-mavx2 -mfma -mf16c"},
      {"avx512", "-mavx512f -mavx512bw -mavx512dq -mavx512vl -mfma -mf16c -mprefer-vector-width=512"},
      {"neon", "-march=armv8-a"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strcmp(rows[i].machine, machine) == 0) return rows[i].options;
#if defined(__x86_64__)
  enum { BITS = 512, LANE_BITS = 32 };
  if (lanes * LANE_BITS == BITS) /* gcc prefers vectors of 256 bits on some CPUs */
    return "-march=native -mprefer-vector-width=512";
#else
  (void)lanes;
#endif
  return "-march=native";
}

const char *emit_options_of(Arena *a, const Arch *m) {
  const char *options = emit_options_for(m->name, m->vector_width);
  return m->tune ? arena_printf(a, "%s -mtune=%s", options, m->tune) : options;
}

static void library_for_cpu(Buffer *to, const Output *o) {
  bool cplusplus = output_language(o) == LANGUAGE_CPP;
  const char *name = o->name, *capitals = upper(to->arena, name), *language = cplusplus ? "CXX" : "C";
  buffer_printf(to, beginning, name, output_source_name(o), o->machine->name);
  buffer_printf(to, cpu, name, capitals, emit_options_of(to->arena, o->machine), language);
  buffer_printf(to, "\nadd_library(tgc_%s\n", name);
  sources(to, o, "");
  buffer_printf(to, compiled_for_cpu, name, capitals, language, cplusplus ? "cxx_std_17" : "c_std_11");
  buffer_printf(to, named, name);
  if (cplusplus) buffer_printf(to, of_cplusplus, name);
  package_of(to, o, name, arena_printf(to->arena, "OpenMP COMPONENTS %s", language));
}

void emit_cmake(Buffer *to, const Output *o) {
  if (output_is_for_cpu(o)) library_for_cpu(to, o);
  else library_for_gpu(to, o);
}

void emit_machines_cmake(Buffer *to, const MachineOutputs *m) {
  Arena *a = to->arena;
  Buffer machines = buffer_new(a), computes = buffer_new(a), objects = buffer_new(a);
  bool groups = false;
  for (int i = 0; i < m->n; i++) {
    buffer_printf(&machines, "%s%s", i ? ", " : "", m->each[i]->machine->name);
    groups |= multiplies_by_groups(m->each[i]);
    buffer_printf(&computes, "%s%d", i ? " " : "", m->each[i]->machine->compute);
    buffer_printf(&objects, "  $<TARGET_OBJECTS:tgc_%s>\n", m->each[i]->name);
  }
  begin_cuda(to, m->name, m->each[0], machines.text, computes.text, groups);
  for (int i = 0; i < m->n; i++) {
    const Output *o = m->each[i];
    int next = i + 1 < m->n ? m->each[i + 1]->machine->compute : 1000;
    buffer_printf(to, "\nadd_library(tgc_%s OBJECT\n", o->name);
    sources(to, o, arena_printf(a, "%s/", o->machine->name));
    buffer_printf(to, ")\ntgc_%s_architectures(tgc_%s %d %d)\n", m->name, o->name, o->machine->compute, next);
  }
  buffer_printf(to, "\nadd_library(tgc_%s\n  %s.cu\n%s)\ntgc_%s_architectures(tgc_%s %d 1000)\n", m->name, m->name,
                objects.text, m->name, m->name, m->each[0]->machine->compute);
  end_cuda(to, m->each[0], m->name);
}
