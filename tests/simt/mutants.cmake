# The variants of codelets/sum.cdl whose blocks are a cluster (WHAT: clusters) or post their results (posts), those of
# codelets/segmented_sum.cdl of which each segment is a cluster's (clusters_of_parts), two of codelets/scan.cdl (scans), or
# those of codelets/gemv_columns.cdl whose warps have slices of neighbouring rows (slices): they pass, and no mutant
# does. TGC, SOURCE, PYTHON, WHAT and OUT come from -D.
file(REMOVE_RECURSE ${OUT})
set(arch sm_90)
set(codelets sum)
if(WHAT STREQUAL posts)
  set(arch sm_80)
elseif(WHAT STREQUAL scans)
  set(codelets scan)
elseif(WHAT STREQUAL slices)
  set(codelets gemv_columns)
elseif(WHAT STREQUAL clusters_of_parts)
  set(codelets segmented_sum)
  set(WHAT clusters)
  set(sizes 33,200)
endif()
foreach(command "${TGC};${SOURCE}/codelets/${codelets}.cdl;--arch;${arch};--types;int;-o;${OUT}"
        "${PYTHON};${SOURCE}/tests/simt/mutate.py;${TGC};--${WHAT};${OUT};${sizes}")
  execute_process(COMMAND ${command} RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${command}: status ${status}\n${text}")
  endif()
  message(STATUS "${text}")
endforeach()
