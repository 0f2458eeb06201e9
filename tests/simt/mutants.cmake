# The variants of codelets/sum.cdl whose blocks are a cluster (WHAT: clusters) or post their results (posts), or two of
# codelets/scan.cdl (scans): they pass, and no mutant does. TGC, SOURCE, PYTHON, WHAT and OUT come from -D.
file(REMOVE_RECURSE ${OUT})
set(arch sm_90)
set(codelets sum)
if(WHAT STREQUAL posts)
  set(arch sm_80)
elseif(WHAT STREQUAL scans)
  set(codelets scan)
endif()
foreach(command "${TGC};${SOURCE}/codelets/${codelets}.cdl;--arch;${arch};--types;int;-o;${OUT}"
        "${PYTHON};${SOURCE}/tests/simt/mutate.py;${TGC};--${WHAT};${OUT}")
  execute_process(COMMAND ${command} RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${command}: status ${status}\n${text}")
  endif()
  message(STATUS "${text}")
endforeach()
