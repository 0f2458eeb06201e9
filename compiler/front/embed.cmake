# embed.cmake: a text file as a C array.  cmake -DINPUT=f -DOUTPUT=f.c -DNAME=array -P embed.cmake
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE ${OUTPUT}
     "/* from ${NAME}'s source text */\nextern const char ${NAME}[];\nconst char ${NAME}[] = {\n${bytes}0};\n")
