# Installs BUILD, moves the prefix, and builds and runs EXAMPLE with it; the same machine must be found there from Python,
# where it is built. The data has a number here that no other place has.
set(moved ${FOLDER}/moved)
file(REMOVE_RECURSE ${FOLDER})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${FOLDER}/first OUTPUT_QUIET
                COMMAND_ERROR_IS_FATAL ANY)
file(RENAME ${FOLDER}/first ${moved})
set(machine ${moved}/share/narrows/machines/bluegene-l.yaml)
file(READ ${machine} text)
string(REPLACE "clock: 700 MHz" "clock: 350 MHz" slower "${text}")
if(slower STREQUAL text)
  message(FATAL_ERROR "the machine file has no such clock: ${text}")
endif()
file(WRITE ${machine} "${slower}")

execute_process(COMMAND ${CMAKE_COMMAND} -S ${EXAMPLE} -B ${FOLDER}/example -DCMAKE_PREFIX_PATH=${moved}
                        -DCMAKE_CXX_COMPILER=${CXX} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${FOLDER}/example OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} -E env --unset=NARROWS_DATA ${FOLDER}/example/grown_torus
                WORKING_DIRECTORY / OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
if(NOT printed MATCHES "torus 64x32x32: bisection 2048 links, [0-9.]+ GUPS, held back by network")
  message(FATAL_ERROR "the example prints something else: ${printed}")
endif()

if(PYTHON)
  set(question "import narrows; print(narrows.machine('bluegene-l')['node.clock'].value)")
  execute_process(COMMAND ${CMAKE_COMMAND} -E env --unset=NARROWS_DATA PYTHONPATH=${moved}/${PYTHON_DIRECTORY}
                          ${PYTHON} -c "${question}"
                  WORKING_DIRECTORY / OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
  if(NOT printed STREQUAL "350000000.0\n")
    message(FATAL_ERROR "Python finds another machine: ${printed}")
  endif()
endif()
file(REMOVE_RECURSE ${FOLDER})
