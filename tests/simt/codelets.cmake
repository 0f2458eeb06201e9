# Codelets that were compiled wrongly once, or are near to what passes rewrite: written for a machine, run against their
# sequential codelet; two of them for one that has the instructions
# of reduce, and sub-warps. TGC, SOURCES and OUT come from -D.
file(GLOB codelets ${SOURCES}/*.cdl)
foreach(codelet ${codelets})
  get_filename_component(name ${codelet} NAME_WE)
  file(REMOVE_RECURSE ${OUT}/${name})
  set(arch sm_60)
  if(name MATCHES "exchanges|widths")
    set(arch sm_90)
  endif()
  foreach(arguments "${codelet};--arch;${arch};--types;int;--keep;60;-o;${OUT}/${name}"
          "check;${OUT}/${name};--sizes;0,1,33,257,1025;--seeds;1")
    execute_process(COMMAND ${TGC} ${arguments} RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
    if(NOT status EQUAL 0)
      message(FATAL_ERROR "tgc ${arguments}: status ${status}\n${text}")
    endif()
  endforeach()
endforeach()
