# MPI is only needed to measure over MPI. Its C interface serves; every MPI has a compiler wrapper for C++ that finds it.
set(NARROWS_MPI AUTO CACHE STRING "Measure over MPI too: AUTO (when an MPI is found), ON or OFF")
set_property(CACHE NARROWS_MPI PROPERTY STRINGS AUTO ON OFF)
if(NOT NARROWS_MPI STREQUAL "OFF")
  set(MPI_CXX_SKIP_MPICXX ON)
  # Where several are installed, a wrapper named after one of them (-DMPI_CXX_COMPILER=mpicxx.mpich) is launched by its own.
  if(MPI_CXX_COMPILER MATCHES "\\.(mpich|openmpi)$")
    find_program(MPIEXEC_EXECUTABLE NAMES mpiexec.${CMAKE_MATCH_1})
  endif()
  find_package(MPI QUIET COMPONENTS CXX)
endif()
