# cmake -DPROGRAM=program -DEXPECTED=file -P expect_output.cmake
# Fails unless the program ends well and prints just what is in the file.
execute_process(COMMAND ${PROGRAM} RESULT_VARIABLE code OUTPUT_VARIABLE output)
if(NOT code STREQUAL 0)
  message(FATAL_ERROR "exit code ${code}\n${output}")
endif()
file(READ ${EXPECTED} expected)
if(NOT output STREQUAL expected)
  message(FATAL_ERROR "printed\n${output}\nwanted\n${expected}")
endif()
