/* cmake.c: CMakeLists.txt, which builds the folder as a library. */
#include "emit/emit.h"

void emit_cmake(Buffer *to, const Output *o) {
  const char *name = o->name;
  buffer_printf(to,
                "# Builds %s as a static library, tgc::%s. Made by tgc from %s for %s; this text is yours.\n"
                "#   add_subdirectory(out)  and then  target_link_libraries(app PRIVATE tgc::%s)\n"
                "cmake_minimum_required(VERSION 3.18)\n"
                "if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)\n  set(CMAKE_CUDA_ARCHITECTURES %d)\nendif()\n"
                "project(tgc_%s LANGUAGES CUDA)\n\n"
                "add_library(tgc_%s STATIC\n  %s.cu\n%s  %s_counted.cu\n",
                name, name, output_source_name(o), o->machine->name, name, o->machine->compute, name, name,
                name, output_sequential(o) ? arena_printf(to->arena, "  %s_from.cu\n", name) : "", name);
  for (int v = 0; v < o->nvariants; v++) buffer_printf(to, "  variants/%s.cu\n", o->variants[v].plan->id);
  buffer_printf(to,
    ")\nadd_library(tgc::%s ALIAS tgc_%s)\n"
    "target_include_directories(tgc_%s PUBLIC ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES})\n"
    "target_compile_features(tgc_%s PUBLIC cuda_std_17)\n"
    "target_compile_options(tgc_%s PRIVATE -lineinfo)\n"
    "set_target_properties(tgc_%s PROPERTIES POSITION_INDEPENDENT_CODE ON)\n", name, name, name, name, name, name);
}
