# Installs BUILD, moves the prefix to another place and runs the program there: it must find its own data, which has a
# machine here that no other place has.
set(first ${FOLDER}/first)
set(moved ${FOLDER}/moved/further)
file(REMOVE_RECURSE ${FOLDER})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${first} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(MAKE_DIRECTORY ${FOLDER}/moved)
file(RENAME ${first} ${moved})
foreach(file bin/narrows share/narrows/machines/bluegene-l.yaml share/narrows/published/garg2006/table5.csv
             share/doc/narrows/LICENSE share/man/man1/narrows.1 share/man/man1/narrows-predict.1
             share/bash-completion/completions/narrows share/zsh/site-functions/_narrows
             share/fish/vendor_completions.d/narrows.fish)
  if(NOT EXISTS ${moved}/${file})
    message(FATAL_ERROR "${file} is not installed")
  endif()
endforeach()
configure_file(${moved}/share/narrows/machines/torus-pod.yaml ${moved}/share/narrows/machines/moved-along.yaml COPYONLY)
file(CREATE_LINK ${moved}/bin/narrows ${FOLDER}/linked SYMBOLIC)
foreach(program ${moved}/bin/narrows ${FOLDER}/linked)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env --unset=NARROWS_DATA ${program} show moved-along
                  WORKING_DIRECTORY / OUTPUT_VARIABLE shown COMMAND_ERROR_IS_FATAL ANY)
  if(NOT shown MATCHES "moved-along")
    message(FATAL_ERROR "${program} shows another machine: ${shown}")
  endif()
endforeach()
# As in a pipe.
execute_process(COMMAND ${CMAKE_COMMAND} -E cat ${moved}/share/narrows/machines/torus-pod.yaml
                COMMAND ${moved}/bin/narrows show - -o - OUTPUT_VARIABLE shown COMMAND_ERROR_IS_FATAL ANY)
if(NOT shown MATCHES "stdin")
  message(FATAL_ERROR "standard input is not read: ${shown}")
endif()
file(REMOVE_RECURSE ${FOLDER})
