# The variants of codelets/sum.cdl whose blocks are a cluster: they pass, and no mutant does. TGC, SOURCE,
# PYTHON and OUT come from -D.
file(REMOVE_RECURSE ${OUT})
foreach(command "${TGC};${SOURCE}/codelets/sum.cdl;--arch;sm_90;--types;int;-o;${OUT}"
        "${PYTHON};${SOURCE}/tests/simt/mutate.py;${TGC};--clusters;${OUT}")
  execute_process(COMMAND ${command} RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${command}: status ${status}\n${text}")
  endif()
  message(STATUS "${text}")
endforeach()
