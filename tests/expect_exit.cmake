# cmake -DRUNNER=program -DDIRECTORY=argument -DCODE=exit code -P expect_exit.cmake
execute_process(COMMAND ${RUNNER} ${DIRECTORY} RESULT_VARIABLE code ERROR_VARIABLE message)
if(NOT code STREQUAL CODE)
  message(FATAL_ERROR "exit code ${code}, wanted ${CODE}\n${message}")
endif()
if(CODE EQUAL 2 AND NOT message MATCHES "${DIRECTORY}")
  message(FATAL_ERROR "the message does not name the file: ${message}")
endif()
