# A library of a few variants, some of which post their results, built for the CPU executor and run by turns.cc. TGC,
# SOURCE, CLANGXX and OUT come from -D.
file(REMOVE_RECURSE ${OUT})
set(simt ${SOURCE}/runtime/simt)
set(hooks "-fsanitize=thread -mllvm -tsan-compound-read-before-write=1 -mllvm -tsan-instrument-func-entry-exit=0")
string(CONCAT build
  "set -e; cd ${OUT}; n=0; mkdir o; one() { case $1 in variants/*) hooks='${hooks}' ;; *) hooks= ;; esac; "
  "${CLANGXX} $hooks -x c++ -std=c++17 -O1 -w -fPIE -gline-tables-only -fno-strict-aliasing -I . -I ${simt}/include -I ${simt} "
  "-c $1 -o o/$2.o; }; "
  "for f in sum.cu variants/*.cu ${simt}/*.cc ${SOURCE}/tests/simt/turns.cc; do "
  "n=$((n + 1)); one $f $n & if [ $((n % 2)) = 0 ]; then wait; fi; done; wait; ${CLANGXX} -pie o/*.o -o turns")
foreach(command "${TGC};${SOURCE}/codelets/sum.cdl;--arch;sm_90;--types;int,double;--keep;14;-o;${OUT}" "${OUT}/turns")
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
