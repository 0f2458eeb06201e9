# tgcGenerate.cmake: what tgc_add_codelets (tgcCodelets.cmake) runs when something changed: tgc, then the sources that
# the library is compiled from, whose names do not depend on what tgc wrote:
#
#   INTO/M.P.cu     includes every PARTS-th text of machine number M, in ascending order, beginning at P
#   INTO/top.cu     of several machines: includes the library's own text, which picks one
#
# or, of a CPU, OBJECT: the library that the folder's own CMakeLists.txt makes, with SETTINGS, put together by COMPILER.
#
# Behind each text's name stands a hash of it: a build tool that looked at the times of files before this ran (ninja)
# has not seen that a text changed, but sees that the source did. A source that stays the same is not touched, and
# neither is what tgc leaves alone: only what changed is compiled again.
cmake_minimum_required(VERSION 3.20)

file(MAKE_DIRECTORY ${INTO})
execute_process(COMMAND ${TGC} ${SOURCE} ${ARGUMENTS} --depfile ${DEPFILE} -o ${FOLDER} RESULT_VARIABLE status OUTPUT_QUIET)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "tgc could not compile ${SOURCE}")
endif()

function(write path text)
  set(before)
  if(EXISTS ${path})
    file(READ ${path} before)
  endif()
  if(NOT "${before}" STREQUAL "${text}")
    file(WRITE ${path} "${text}")
  endif()
endfunction()

# A line that includes a text, into ${line}; what it includes itself is hashed with it.
function(include_line line folder file)
  file(SHA1 ${folder}/${file} hash)
  set(own)
  if(NOT file MATCHES "/")
    file(GLOB headers ${folder}/*.h ${folder}/*/*.h)
    foreach(header IN LISTS headers)
      file(SHA1 ${header} one)
      string(APPEND own " ${one}")
    endforeach()
  endif()
  set(${line} "#include \"${folder}/${file}\" // ${hash}${own}\n" PARENT_SCOPE)
endfunction()

# The texts of one machine's folder, in PARTS sources.
function(write_parts machine folder)
  file(READ ${folder}/manifest.json manifest)
  string(JSON name GET ${manifest} spectrum)
  set(texts ${name}.cu ${name}_counted.cu)
  if(EXISTS ${folder}/${name}_from.cu)
    list(APPEND texts ${name}_from.cu)
  endif()
  string(JSON count LENGTH ${manifest} variants)
  math(EXPR last "${count} - 1")
  foreach(i RANGE ${last})
    string(JSON file GET ${manifest} variants ${i} file)
    list(APPEND texts ${file})
  endforeach()
  list(LENGTH texts count)
  math(EXPR last "${PARTS} - 1")
  foreach(part RANGE ${last})
    set(text "// Made by tgc_add_codelets.\n")
    set(i ${part})
    while(i LESS count)
      list(GET texts ${i} file)
      include_line(line ${folder} ${file})
      string(APPEND text "${line}")
      math(EXPR i "${i} + ${PARTS}")
    endwhile()
    write(${INTO}/${machine}.${part}.cu "${text}")
  endforeach()
endfunction()

# The library of a CPU's folder as one object.
function(build_object)
  string(REPLACE "|" ";" settings "${SETTINGS}")
  file(READ ${FOLDER}/manifest.json manifest)
  string(JSON name GET ${manifest} spectrum)
  set(library ${INTO}/build/libtgc_${name}.a)
  foreach(step "${CMAKE_COMMAND};-S;${FOLDER};-B;${INTO}/build;-G;${GENERATOR};${settings}"
               "${CMAKE_COMMAND};--build;${INTO}/build;--target;tgc_${name}"
               "${COMPILER};-r;-nostdlib;-o;${OBJECT};-Wl,--whole-archive;${library};-Wl,--no-whole-archive")
    execute_process(COMMAND ${step} RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
    if(NOT status EQUAL 0)
      message(FATAL_ERROR "the library of ${FOLDER} cannot be built:\n${said}")
    endif()
  endforeach()
endfunction()

file(READ ${FOLDER}/manifest.json top)
string(JSON machines ERROR_VARIABLE one LENGTH ${top} machines)
if(OBJECT)
  build_object()
elseif(one)
  write_parts(0 ${FOLDER})
else()
  string(JSON name GET ${top} spectrum)
  include_line(line ${FOLDER} ${name}.cu)
  write(${INTO}/top.cu "// Made by tgc_add_codelets.\n${line}")
  math(EXPR last "${machines} - 1")
  foreach(i RANGE ${last})
    string(JSON folder GET ${top} machines ${i} folder)
    write_parts(${i} ${FOLDER}/${folder})
  endforeach()
endif()
# The header whose name was guessed when CMake ran has to be there, or ninja would run this each time.
if(NOT EXISTS ${HEADER})
  file(WRITE ${HEADER} "#error \"this spectrum has another name: tgc_add_codelets(.. SPECTRUM name)\"\n")
endif()
file(TOUCH ${INTO}/stamp)
