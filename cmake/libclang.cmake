# libclang.cmake: LIBCLANG_INCLUDE and LIBCLANG_LIBRARY, the headers and the library of libclang.
#
# -DLLVM_ROOT=PREFIX says where they are. Else the versioned folders of Debian and Ubuntu are searched, the version first
# that most tests run with, then the places where CMake looks by itself: Fedora's, or one of CMAKE_PREFIX_PATH.
set(TGC_LLVM_OLDEST 17) # clang_getCursorBinaryOperatorKind
set(TGC_LLVM_TESTED "17, 18, 19, 21 and 22")
set(LLVM_ROOT "" CACHE PATH "where LLVM is installed: its include/clang-c and lib/libclang.so are used")

# The major version of the library, by its own words, into ${version}; "" where a program cannot be run.
function(_tgc_libclang_version version)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/libclang_version.c)
  file(WRITE ${source} "#include <clang-c/Index.h>\n#include <stdio.h>\n"
                       "int main(void) { puts(clang_getCString(clang_getClangVersion())); return 0; }\n")
  set(${version} "" PARENT_SCOPE)
  if(CMAKE_CROSSCOMPILING)
    return()
  endif()
  try_run(TGC_LIBCLANG_RAN TGC_LIBCLANG_COMPILED ${CMAKE_CURRENT_BINARY_DIR}/libclang_version ${source}
          CMAKE_FLAGS -DINCLUDE_DIRECTORIES=${LIBCLANG_INCLUDE} LINK_LIBRARIES ${LIBCLANG_LIBRARY}
          RUN_OUTPUT_VARIABLE said)
  unset(TGC_LIBCLANG_RAN CACHE) # another library may be given next time
  unset(TGC_LIBCLANG_COMPILED CACHE)
  string(REGEX MATCH "version ([0-9]+)" found "${said}")
  set(${version} "${CMAKE_MATCH_1}" PARENT_SCOPE)
endfunction()

set(_tgc_llvm_places ${LLVM_ROOT})
if(NOT LLVM_ROOT)
  foreach(version 19 20 18 17 21 22 23 16 15 14)
    list(APPEND _tgc_llvm_places /usr/lib/llvm-${version} /usr/lib64/llvm${version})
  endforeach()
endif()
foreach(place IN LISTS _tgc_llvm_places)
  find_path(LIBCLANG_INCLUDE clang-c/Index.h PATHS ${place}/include NO_DEFAULT_PATH)
  if(LIBCLANG_INCLUDE) # and the library that belongs to it
    find_library(LIBCLANG_LIBRARY NAMES clang PATHS ${place}/lib ${place}/lib64 NO_DEFAULT_PATH)
    break()
  endif()
endforeach()
if(NOT LLVM_ROOT AND NOT LIBCLANG_INCLUDE)
  find_path(LIBCLANG_INCLUDE clang-c/Index.h)
  find_library(LIBCLANG_LIBRARY NAMES clang)
endif()

set(_tgc_llvm_wanted "tgc needs libclang of LLVM ${TGC_LLVM_OLDEST} or later (tested: ${TGC_LLVM_TESTED}): Debian's and \
Ubuntu's libclang-19-dev, Fedora's clang-devel; elsewhere -DLLVM_ROOT=PREFIX")

# Forgets what was found, so that the next try searches again.
macro(_tgc_refuse_libclang why)
  unset(LIBCLANG_INCLUDE CACHE)
  unset(LIBCLANG_LIBRARY CACHE)
  message(FATAL_ERROR "${why}. ${_tgc_llvm_wanted}")
endmacro()

if(NOT LIBCLANG_INCLUDE OR NOT LIBCLANG_LIBRARY)
  _tgc_refuse_libclang("no libclang was found")
endif()
if(NOT TGC_LIBCLANG_VERSION OR NOT TGC_LIBCLANG_OF STREQUAL LIBCLANG_LIBRARY)
  _tgc_libclang_version(_tgc_version)
  set(TGC_LIBCLANG_VERSION "${_tgc_version}" CACHE INTERNAL "LLVM's major version")
  set(TGC_LIBCLANG_OF ${LIBCLANG_LIBRARY} CACHE INTERNAL "the library of that version")
endif()
if(TGC_LIBCLANG_VERSION AND TGC_LIBCLANG_VERSION LESS TGC_LLVM_OLDEST)
  _tgc_refuse_libclang("${LIBCLANG_LIBRARY} is of LLVM ${TGC_LIBCLANG_VERSION}")
endif()
