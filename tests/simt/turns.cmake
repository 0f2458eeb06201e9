# A library of a few variants built for the CPU executor, and a program that calls them by turns. TGC, SOURCE, CLANGXX and
# OUT come from -D, and what is compiled: CODELETS (sum), TYPES, KEEP, the library's NAME, and the PROGRAM beside this.
file(REMOVE_RECURSE ${OUT})
set(simt ${SOURCE}/runtime/simt)
set(hooks "-fsanitize=thread -mllvm -tsan-compound-read-before-write=1 -mllvm -tsan-instrument-func-entry-exit=0")
set(once "")
find_program(CCACHE ccache)
if(CCACHE)
  set(once "env CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1 ${CCACHE}")
endif()
string(CONCAT build
  "set -e; cd ${OUT}; n=0; mkdir o; one() { case $1 in unit*) hooks='${hooks}' ;; *) hooks= ;; esac; "
  "${once} ${CLANGXX} $hooks -x c++ -std=c++17 -O1 -w -fPIE -gline-tables-only -fno-strict-aliasing -I . -I ${simt}/include -I ${simt} "
  "-c $1 -o o/$2.o -MD; }; "
  "${SOURCE}/tests/executor.sh o ${CLANGXX}; "
  "ls variants/*.cu | sed 's/.*/#include \"&\"/' | split -l 7 --additional-suffix=.cu - unit; " # as tgc check does
  "for f in ${NAME}.cu unit*.cu ${SOURCE}/tests/simt/${PROGRAM}; do "
  "n=$((n + 1)); one $f $n & if [ $((n % 2)) = 0 ]; then wait; fi; done; wait; ${CLANGXX} -pie o/*.o -o turns")
foreach(command "${TGC};${SOURCE}/codelets/${CODELETS}.cdl;--arch;sm_90;--types;${TYPES};--keep;${KEEP};-o;${OUT}" "${OUT}/turns")
  if(command STREQUAL "${OUT}/turns")
    execute_process(COMMAND sh -c "${build}" RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
    if(NOT status EQUAL 0)
      message(FATAL_ERROR "the library does not build: status ${status}\n${text}")
    endif()
  endif()
  execute_process(COMMAND ${command} RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${command}: status ${status}\n${text}")
  endif()
  message(STATUS "${text}")
endforeach()
