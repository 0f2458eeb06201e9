# Codelets that were compiled wrongly once: written for a machine, run against their sequential codelet. TGC, SOURCES and
# OUT come from -D.
file(GLOB codelets ${SOURCES}/*.cdl)
foreach(codelet ${codelets})
  get_filename_component(name ${codelet} NAME_WE)
  file(REMOVE_RECURSE ${OUT}/${name})
  foreach(arguments "${codelet};--arch;sm_60;--types;int;--keep;60;-o;${OUT}/${name}"
          "check;${OUT}/${name};--sizes;0,1,33,257,1025;--seeds;1")
    execute_process(COMMAND ${TGC} ${arguments} RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
    if(NOT status EQUAL 0)
      message(FATAL_ERROR "tgc ${arguments}: status ${status}\n${text}")
    endif()
  endforeach()
endforeach()
