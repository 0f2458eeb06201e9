# tgcCodelets.cmake: codelets as a library of a CMake project.
#
#   find_package(tgc CONFIG REQUIRED)      or add_subdirectory(tgc), or FetchContent
#   tgc_add_codelets(TARGET mysum SOURCES sum.cdl ARCHS sm_80;sm_90 TYPES float)
#   target_link_libraries(app PRIVATE mysum)
#
#   TARGET    the library that is made: static, or shared where BUILD_SHARED_LIBS says so
#   SOURCES   the codelets' .cdl files, which are read as one; tgc runs again when one changes, or one that they include
#   ARCHS     machines: names that `tgc archs' lists, or spec files; left out: those that serve CMAKE_CUDA_ARCHITECTURES;
#             or one CPU: avx2, a spec file, or cpu, which is the CPU that tgc runs on
#   TYPES     element types; left out: tgc's own choice
#   SPECTRUM  the spectrum that is compiled; left out: the first of the files. Several share a header, which NAME names
#   OPERATOR  as tgc's option of that name
#   NAME      what the header and the C functions are called: NAME.h. Left out: SPECTRUM, or the name of the first file
#             without .cdl; with an operator, that one's behind it: reduce_arg_max
#   OPTIONS   more of tgc's options: OPTIONS --keep 20
#   DEPENDS   files that OPTIONS name, such as a table: tgc runs again when one changes
#   EXECUTOR  compile for tgc's CPU executor in place of a GPU: tests run where there is none. Needs clang++.
#
# tgc runs when the project is built, since it may be built there itself; so what it writes is not known when CMake
# runs, and the names of the variants follow their text. The library is therefore compiled from sources of fixed names
# (tgcGenerate.cmake), which include the generated ones; compilers say which those are, so that a variant that changes
# is compiled again, alone with those in the same source, and one that is gone is gone. (Texts as they are, each a
# source, would need CMake to run again for each change, with a tgc that was built before.) A CPU's texts share no source:
# the folder's own CMakeLists.txt builds them, as a step of the project's build, and the library is made of one object.
include_guard(GLOBAL)
cmake_policy(SET CMP0116 NEW) # of files that say what was read

set(TGC_PARTS 8 CACHE STRING "sources that the texts of a library of tgc's are spread over, each machine's")
mark_as_advanced(TGC_PARTS)

# The spec of a machine, into ${path}; "" of the CPU that tgc runs on.
function(_tgc_spec path arch data)
  set(spec ${data}/archspec/${arch}.yaml)
  if(arch MATCHES "/|[.]yaml$")
    get_filename_component(spec ${arch} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${spec})
  elseif(arch STREQUAL "cpu")
    set(spec)
  endif()
  if(spec AND NOT EXISTS ${spec})
    message(FATAL_ERROR "tgc_add_codelets: there is no machine `${arch}'; `tgc archs' lists those that are shipped")
  endif()
  set(${path} ${spec} PARENT_SCOPE)
endfunction()

# The one CPU that is among the machines, as tgc takes it, into ${name}; "" where they are GPUs.
function(_tgc_cpu name archs data)
  set(found)
  foreach(arch IN LISTS archs)
    _tgc_spec(spec ${arch} ${data})
    set(family "family: cpu")
    if(spec)
      file(STRINGS ${spec} family REGEX "^family: *\"?cpu" LIMIT_COUNT 1)
    endif()
    if(family)
      set(found ${arch})
      if(arch MATCHES "/|[.]yaml$")
        set(found ${spec})
      endif()
    endif()
  endforeach()
  list(LENGTH archs count)
  if(found AND count GREATER 1)
    message(FATAL_ERROR "tgc_add_codelets: ARCHS is one CPU, or some GPUs, and not `${archs}'")
  endif()
  set(${name} ${found} PARENT_SCOPE)
endfunction()

# The machines, as tgc takes them, into ${names}; their compute capabilities, times ten, ascending, into ${numbers}.
function(_tgc_machines names numbers archs data)
  set(found)
  set(all)
  foreach(arch IN LISTS archs)
    _tgc_spec(spec ${arch} ${data})
    if(arch MATCHES "/|[.]yaml$")
      set(arch ${spec})
    endif()
    file(STRINGS ${spec} line REGEX "^compute:" LIMIT_COUNT 1)
    if(NOT line MATCHES "^compute: *\"?([0-9]+)[.]([0-9])")
      message(FATAL_ERROR "tgc_add_codelets: `${spec}' has no line `compute: 8.0'")
    endif()
    set(number ${CMAKE_MATCH_1}${CMAKE_MATCH_2})
    if(arch IN_LIST found OR number IN_LIST all)
      message(FATAL_ERROR "tgc_add_codelets: ARCHS has two machines of compute capability "
                          "${CMAKE_MATCH_1}.${CMAKE_MATCH_2}")
    endif()
    list(APPEND found ${arch})
    list(APPEND all ${number})
  endforeach()
  list(SORT all COMPARE NATURAL)
  set(${names} ${found} PARENT_SCOPE)
  set(${numbers} ${all} PARENT_SCOPE)
endfunction()

# The shipped machines that serve CMAKE_CUDA_ARCHITECTURES: for each entry the newest that is not newer.
function(_tgc_default_machines result data)
  set(found)
  file(GLOB specs RELATIVE ${data}/archspec ${data}/archspec/sm_*.yaml)
  foreach(entry IN LISTS CMAKE_CUDA_ARCHITECTURES)
    string(REGEX MATCH "^[0-9]+" wanted "${entry}")
    set(best)
    foreach(spec IN LISTS specs)
      string(REGEX MATCH "[0-9]+" number ${spec})
      if(wanted AND NOT number GREATER wanted AND (NOT best OR number GREATER best))
        set(best ${number})
      endif()
    endforeach()
    if(best)
      list(APPEND found sm_${best})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES found)
  set(${result} ${found} PARENT_SCOPE)
endfunction()

# What the sources of one machine, serving from `first' to below `next', are compiled for.
function(_tgc_architectures target first next)
  set(found)
  foreach(entry IN LISTS CMAKE_CUDA_ARCHITECTURES)
    string(REGEX MATCH "^[0-9]+" number "${entry}")
    if(number AND number GREATER_EQUAL first AND number LESS next)
      list(APPEND found ${entry})
    endif()
  endforeach()
  if(DEFINED CMAKE_CUDA_ARCHITECTURES AND NOT CMAKE_CUDA_ARCHITECTURES) # OFF: the flags say it
    set(found OFF)
  elseif(NOT found)
    set(found ${first})
  endif()
  set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES "${found}")
endfunction()

# The CPU's executor, once a project.
function(_tgc_executor data)
  if(TARGET tgc_executor)
    return()
  endif()
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "tgc_add_codelets: EXECUTOR needs clang++ as the C++ compiler, not ${CMAKE_CXX_COMPILER}")
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${data}/runtime/simt/*.cc)
  add_library(tgc_executor STATIC EXCLUDE_FROM_ALL ${sources})
  target_include_directories(tgc_executor PUBLIC ${data}/runtime/simt/include ${data}/runtime/simt)
  target_compile_features(tgc_executor PUBLIC cxx_std_17)
  set_target_properties(tgc_executor PROPERTIES POSITION_INDEPENDENT_CODE ON)
endfunction()

# How one target's generated sources are compiled.
function(_tgc_language target executor)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  if(NOT executor)
    target_compile_features(${target} PRIVATE cuda_std_17)
    return()
  endif()
  target_link_libraries(${target} PUBLIC tgc_executor)
  target_compile_options(${target} PRIVATE -w -fno-strict-aliasing)
endfunction()

# The library of a CPU's folder: what tgc writes is configured and built with the project's compilers, and comes back as
# one object. The rest as in tgc_add_codelets.
function(_tgc_library_for_cpu target sources folder into header arguments depends)
  set(settings -DCMAKE_BUILD_TYPE=$<CONFIG> -DBUILD_SHARED_LIBS=OFF)
  foreach(language C CXX)
    if(CMAKE_${language}_COMPILER_LOADED) # in this folder; ENABLED_LANGUAGES has those of every other, too
      set(last ${language})
      list(APPEND settings -DCMAKE_${language}_COMPILER=${CMAKE_${language}_COMPILER}
           "-DCMAKE_${language}_FLAGS=${CMAKE_${language}_FLAGS}")
    endif()
  endforeach()
  if(NOT last)
    message(FATAL_ERROR "tgc_add_codelets: the project has neither C nor C++: project(.. LANGUAGES C)")
  endif()
  if(CMAKE_TOOLCHAIN_FILE)
    list(APPEND settings -DCMAKE_TOOLCHAIN_FILE=${CMAKE_TOOLCHAIN_FILE})
  endif()
  string(REPLACE " Multi-Config" "" generator ${CMAKE_GENERATOR})
  set(object ${into}/all${CMAKE_${last}_OUTPUT_EXTENSION})
  string(REPLACE ";" "|" settings "${settings}")
  add_custom_command(
    OUTPUT ${object}
    BYPRODUCTS ${header}
    COMMAND ${CMAKE_COMMAND} -DTGC=$<TARGET_FILE:tgc::tgc> "-DSOURCES=${sources}" "-DARGUMENTS=${arguments}"
            -DFOLDER=${folder} -DINTO=${into} -DOBJECT=${object} -DDEPFILE=${object}.d
            "-DSETTINGS=${settings}"
            -DCOMPILER=${CMAKE_${last}_COMPILER} -DLANGUAGE=${last} "-DGENERATOR=${generator}"
            -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/tgcGenerate.cmake
    DEPENDS ${depends}
    DEPFILE ${object}.d
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
    COMMENT "tgc: ${target}"
    VERBATIM)
  add_custom_target(${target}_codelets DEPENDS ${object})
  set_source_files_properties(${object} PROPERTIES GENERATED TRUE EXTERNAL_OBJECT TRUE)
  add_library(${target} ${object})
  add_dependencies(${target} ${target}_codelets)
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE ${last})
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${folder}>)
  find_package(OpenMP REQUIRED COMPONENTS ${last})
  target_link_libraries(${target} PUBLIC ${OpenMP_${last}_LIBRARIES} $<$<PLATFORM_ID:Linux>:m>)
  if(last STREQUAL "CXX") # a program in C may call it
    target_link_libraries(${target} PUBLIC ${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES})
  endif()
endfunction()

# What the header and the C functions are called, into ${result}: it is told to tgc, so that both say the same.
function(_tgc_name result)
  set(name ${arg_NAME})
  list(LENGTH arg_SPECTRUM count)
  if(NOT name AND count GREATER 1)
    message(FATAL_ERROR "tgc_add_codelets: NAME is missing: several spectra share the header NAME.h")
  endif()
  if(NOT name)
    set(name ${arg_SPECTRUM})
    if(NOT name)
      list(GET arg_SOURCES 0 first)
      get_filename_component(name ${first} NAME_WE)
    endif()
    if(arg_OPERATOR) # ArgMax: _arg_max
      string(REGEX REPLACE "([a-z])([A-Z])" "\\1_\\2" operator ${arg_OPERATOR})
      string(TOLOWER ${operator} operator)
      string(APPEND name _${operator})
    endif()
  endif()
  if(NOT name MATCHES "^[A-Za-z_][A-Za-z0-9_]*$")
    message(FATAL_ERROR "tgc_add_codelets: `${name}' cannot be the name of C functions: give another one with NAME")
  endif()
  set(${result} ${name} PARENT_SCOPE)
endfunction()

function(tgc_add_codelets)
  cmake_parse_arguments(PARSE_ARGV 0 arg "EXECUTOR" "TARGET;OPERATOR;NAME"
                        "SOURCES;SPECTRUM;ARCHS;TYPES;OPTIONS;DEPENDS")
  foreach(needed TARGET SOURCES)
    if(NOT arg_${needed})
      message(FATAL_ERROR "tgc_add_codelets: ${needed} is missing")
    endif()
  endforeach()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tgc_add_codelets: what is `${arg_UNPARSED_ARGUMENTS}'?")
  endif()
  if(arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "tgc_add_codelets: no value follows ${arg_KEYWORDS_MISSING_VALUES}")
  endif()
  set(sources)
  foreach(file IN LISTS arg_SOURCES)
    get_filename_component(file ${file} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
    list(APPEND sources ${file})
  endforeach()
  list(LENGTH arg_SPECTRUM spectra)
  get_property(data GLOBAL PROPERTY TGC_DATA)
  if(NOT arg_ARCHS)
    _tgc_default_machines(arg_ARCHS ${data})
  endif()
  if(NOT arg_ARCHS)
    message(FATAL_ERROR "tgc_add_codelets: ARCHS is missing, and CMAKE_CUDA_ARCHITECTURES names no machine: "
                        "ARCHS sm_80;sm_90")
  endif()
  _tgc_cpu(machines "${arg_ARCHS}" ${data})
  set(on_cpu ${machines})
  if(on_cpu AND arg_EXECUTOR)
    message(FATAL_ERROR "tgc_add_codelets: EXECUTOR is for GPUs: a CPU's library runs as it is")
  endif()
  if(NOT on_cpu AND NOT arg_EXECUTOR AND NOT CMAKE_CUDA_COMPILER)
    message(FATAL_ERROR "tgc_add_codelets: the project has no CUDA: project(.. LANGUAGES CUDA), or EXECUTOR")
  endif()
  if(NOT on_cpu)
    _tgc_machines(machines numbers "${arg_ARCHS}" ${data})
  endif()

  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${arg_TARGET}.codelets)
  set(parts ${CMAKE_CURRENT_BINARY_DIR}/${arg_TARGET}.parts) # not inside: the folder is tgc's own
  set(stamp ${parts}/stamp)
  list(JOIN machines "," arch)
  set(arguments --arch ${arch} ${arg_OPTIONS})
  if(arg_TYPES)
    list(JOIN arg_TYPES "," types)
    list(APPEND arguments --types ${types})
  endif()
  if(arg_SPECTRUM)
    list(JOIN arg_SPECTRUM "," names)
    list(APPEND arguments --spectrum ${names})
  endif()
  if(arg_OPERATOR)
    list(APPEND arguments --operator ${arg_OPERATOR})
  endif()
  _tgc_name(name)
  list(APPEND arguments --name ${name})

  # Users include the header; a build tool has to know that it is made here.
  set(header ${folder}/${name}.h)

  set(specs)
  foreach(machine IN LISTS machines)
    _tgc_spec(spec ${machine} ${data})
    list(APPEND specs ${spec})
  endforeach()
  set(depends ${sources} ${specs} tgc::tgc ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/tgcGenerate.cmake)
  foreach(file IN LISTS arg_DEPENDS)
    get_filename_component(file ${file} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
    list(APPEND depends ${file})
  endforeach()
  if(on_cpu)
    _tgc_library_for_cpu(${arg_TARGET} "${sources}" ${folder} ${parts} ${header} "${arguments}" "${depends}")
    return()
  endif()

  # The sources, by machine: known now, written when the project is built.
  list(LENGTH numbers count)
  if(spectra GREATER 1) # .. or by spectrum
    if(count GREATER 1)
      message(FATAL_ERROR "tgc_add_codelets: several spectra are for one machine: ARCHS is `${arg_ARCHS}'")
    endif()
    foreach(more RANGE 2 ${spectra})
      list(APPEND numbers ${numbers})
    endforeach()
    list(SUBLIST numbers 0 ${spectra} numbers)
  endif()
  list(LENGTH numbers groups)
  math(EXPR last_machine "${groups} - 1")
  math(EXPR last_part "${TGC_PARTS} - 1")
  set(made)
  foreach(m RANGE ${last_machine})
    set(sources_${m})
    foreach(p RANGE ${last_part})
      list(APPEND sources_${m} ${parts}/${m}.${p}.cu)
    endforeach()
    list(APPEND made ${sources_${m}})
  endforeach()
  set(top)
  if(count GREATER 1)
    set(top ${parts}/top.cu)
    list(APPEND made ${top})
  endif()

  # The whole of the arguments is part of the command: other options, another run.
  add_custom_command(
    OUTPUT ${stamp}
    BYPRODUCTS ${made} ${header}
    COMMAND ${CMAKE_COMMAND} -DTGC=$<TARGET_FILE:tgc::tgc> "-DSOURCES=${sources}" "-DARGUMENTS=${arguments}"
            -DFOLDER=${folder} -DPARTS=${TGC_PARTS} -DINTO=${parts} -DDEPFILE=${stamp}.d
            -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/tgcGenerate.cmake
    DEPENDS ${depends}
    DEPFILE ${stamp}.d
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
    COMMENT "tgc: ${arg_TARGET}"
    VERBATIM)
  add_custom_target(${arg_TARGET}_codelets DEPENDS ${stamp})
  set_source_files_properties(${made} PROPERTIES GENERATED TRUE)
  if(arg_EXECUTOR)
    _tgc_executor(${data})
    set(hooks -fsanitize=thread)
    foreach(option compound-read-before-write=1 instrument-func-entry-exit=0 instrument-atomics=0)
      list(APPEND hooks -mllvm -tsan-${option})
    endforeach()
    set_source_files_properties(${made} PROPERTIES LANGUAGE CXX COMPILE_OPTIONS "${hooks}")
  endif()

  set(objects)
  foreach(m RANGE ${last_machine})
    math(EXPR after "${m} + 1")
    set(next 1000)
    if(after LESS count)
      list(GET numbers ${after} next)
    endif()
    list(GET numbers ${m} first)
    add_library(${arg_TARGET}_${m} OBJECT ${sources_${m}})
    add_dependencies(${arg_TARGET}_${m} ${arg_TARGET}_codelets)
    _tgc_language(${arg_TARGET}_${m} "${arg_EXECUTOR}")
    _tgc_architectures(${arg_TARGET}_${m} ${first} ${next})
    list(APPEND objects $<TARGET_OBJECTS:${arg_TARGET}_${m}>)
  endforeach()
  add_library(${arg_TARGET} ${top} ${objects})
  add_dependencies(${arg_TARGET} ${arg_TARGET}_codelets)
  _tgc_language(${arg_TARGET} "${arg_EXECUTOR}")
  list(GET numbers 0 first)
  _tgc_architectures(${arg_TARGET} ${first} 1000)
  target_include_directories(${arg_TARGET} PUBLIC $<BUILD_INTERFACE:${folder}>)
  if(arg_EXECUTOR)
    set_target_properties(${arg_TARGET} PROPERTIES LINKER_LANGUAGE CXX)
    return()
  endif()
  find_package(CUDAToolkit REQUIRED)
  if(CMAKE_CUDA_RUNTIME_LIBRARY STREQUAL "Shared")
    target_link_libraries(${arg_TARGET} PUBLIC CUDA::cudart)
  else()
    target_link_libraries(${arg_TARGET} PUBLIC CUDA::cudart_static)
  endif()
  set_target_properties(${arg_TARGET} PROPERTIES LINKER_LANGUAGE CUDA)
endfunction()
