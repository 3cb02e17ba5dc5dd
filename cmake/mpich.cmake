# The same source serves every MPI. A build is for one of them, mostly Open MPI; where MPICH is installed too, the files
# that know MPI are compiled once more for it, into programs of the tests. Sanitizers have seen them with the other.
find_path(MPICH_INCLUDE_DIR mpich/mpi.h)
find_library(MPICH_LIBRARY mpich)
find_program(MPICH_EXECUTABLE mpiexec.mpich)
mark_as_advanced(MPICH_INCLUDE_DIR MPICH_LIBRARY MPICH_EXECUTABLE)
set(narrows_mpich_found OFF)
if(MPICH_INCLUDE_DIR AND MPICH_LIBRARY AND MPICH_EXECUTABLE AND NOT NARROWS_MPI STREQUAL "OFF" AND NOT NARROWS_SANITIZE)
  set(narrows_mpich_found ON)
endif()

set(narrows_mpi_sources kernels/gups/mpi_gups.cpp kernels/messages/mpi_job.cpp kernels/sweep3d/mpi_sweep.cpp
                        transport/mpi_endpoint.cpp)

# What these files define comes before the library made of them for the other MPI, whose own is then not needed.
if(narrows_mpich_found AND NOT TARGET narrows_mpich_parts)
  list(TRANSFORM narrows_mpi_sources PREPEND ${PROJECT_SOURCE_DIR}/calibrate/ OUTPUT_VARIABLE sources)
  add_library(narrows_mpich_parts OBJECT ${sources})
  target_include_directories(narrows_mpich_parts SYSTEM PUBLIC ${MPICH_INCLUDE_DIR}/mpich)
  target_compile_definitions(narrows_mpich_parts PUBLIC MPICH_SKIP_MPICXX)
  target_link_libraries(narrows_mpich_parts PUBLIC ${MPICH_LIBRARY} narrows_calibrate)
endif()

# narrows_mpich_executable(NAME SOURCES ... LIBRARIES ...)
function(narrows_mpich_executable name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_options(${name} PRIVATE -Wl,--as-needed)
  target_link_libraries(${name} PRIVATE narrows_mpich_parts ${arg_LIBRARIES})
endfunction()
