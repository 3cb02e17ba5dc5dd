# Runs COMMAND and looks at the exit code and at what the processes of a job wrote together:
#   cmake -D "COMMAND=words" -D EXIT=2 [-D "SAID=text"] [-D "JSON=key=value key=value"] -P launched.cmake
# SAID stands once on the error stream, and nothing on the other; JSON is one document with these members.
separate_arguments(COMMAND UNIX_COMMAND "${COMMAND}")
separate_arguments(JSON UNIX_COMMAND "${JSON}")
execute_process(COMMAND ${COMMAND} RESULT_VARIABLE exit OUTPUT_VARIABLE out ERROR_VARIABLE err TIMEOUT 3000)
if(NOT exit EQUAL EXIT)
  message(FATAL_ERROR "exit code ${exit}, not ${EXIT}:\n${out}\n${err}")
endif()

if(SAID)
  string(FIND "${err}" "${SAID}" first)
  string(FIND "${err}" "${SAID}" last REVERSE)
  if(first EQUAL -1 OR NOT first EQUAL last)
    message(FATAL_ERROR "not said once: ${SAID}\n${err}")
  endif()
  if(NOT out STREQUAL "")
    message(FATAL_ERROR "printed beside an error:\n${out}")
  endif()
endif()

foreach(member IN LISTS JSON)
  string(REGEX MATCH "^([^=]+)=(.*)$" whole "${member}")
  set(key ${CMAKE_MATCH_1})
  set(value "${CMAKE_MATCH_2}")
  string(JSON found ERROR_VARIABLE wrong GET "${out}" ${key})  # an error too when there are two documents
  if(wrong OR NOT found STREQUAL value)
    message(FATAL_ERROR "${key} is ${found}, not ${value} (${wrong}):\n${out}\n${err}")
  endif()
endforeach()
