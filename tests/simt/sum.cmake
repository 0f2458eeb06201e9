# Writes codelets/sum.cdl for two machines and checks the folders. TGC, SOURCE and OUT come from -D.
foreach(arch sm_60 sm_35)
  set(dir ${OUT}-${arch})
  file(REMOVE_RECURSE ${dir})
  foreach(arguments "${SOURCE}/codelets/sum.cdl;--arch;${arch};-o;${dir}"
          "check;${dir};--sizes;0,1,33,1025,65537;--seeds;1" "check;${dir};--compile")
    execute_process(COMMAND ${TGC} ${arguments} RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
    if(NOT status EQUAL 0)
      message(FATAL_ERROR "tgc ${arguments}: status ${status}\n${text}")
    endif()
  endforeach()
endforeach()
