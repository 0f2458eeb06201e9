# embed.cmake: text files that the compiler carries, each as a C array.
#
#   include(cmake/embed.cmake)
#   tgc_embed(sources witness/lanes.h witness_lanes_text)   appends to `sources' a C file that defines that array
#
# As a script it writes one such C file: cmake -DINPUT=f -DOUTPUT=f.c -DNAME=array -P embed.cmake
if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(TGC_EMBED ${CMAKE_CURRENT_LIST_FILE})
  function(tgc_embed sources file name)
    get_filename_component(from ${file} ABSOLUTE)
    set(to ${CMAKE_CURRENT_BINARY_DIR}/embedded/${name}.c)
    add_custom_command(
      OUTPUT ${to}
      COMMAND ${CMAKE_COMMAND} -DINPUT=${from} -DOUTPUT=${to} -DNAME=${name} -P ${TGC_EMBED}
      DEPENDS ${from} ${TGC_EMBED}
      VERBATIM)
    set(${sources} ${${sources}} ${to} PARENT_SCOPE)
  endfunction()
  return()
endif()

file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE ${OUTPUT}
     "/* from ${NAME}'s source text */\nextern const char ${NAME}[];\nconst char ${NAME}[] = {\n${bytes}0};\n")
