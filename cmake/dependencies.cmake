# Every library that narrows uses, found once. A missing one is named with the Debian package that brings it.
function(narrows_require name package)
  find_package(${name} QUIET ${ARGN})
  if(NOT ${name}_FOUND)
    set(missing "${missing}\n  ${name}: apt-get install ${package}" CACHE INTERNAL "")
  elseif(${name}_VERSION)
    string(JOIN ", " libraries ${found_libraries} "${name} ${${name}_VERSION}")
    set(found_libraries "${libraries}" CACHE INTERNAL "")
  endif()
endfunction()

set(missing "" CACHE INTERNAL "")
set(found_libraries "" CACHE INTERNAL "")
narrows_require(Eigen3 libeigen3-dev NO_MODULE)
narrows_require(CLI11 libcli11-dev)
narrows_require(yaml-cpp libyaml-cpp-dev)
narrows_require(fmt libfmt-dev)
narrows_require(nlohmann_json nlohmann-json3-dev)
narrows_require(Boost libboost-context-dev COMPONENTS context)
narrows_require(Threads libc6-dev)
narrows_require(pugixml libpugixml-dev)
narrows_require(TBB libtbb-dev)
set(narrows_libraries "${found_libraries}")  # that `--version` tells of
if(NARROWS_TESTS)
  narrows_require(Catch2 catch2)
  # Only the importers' tests use it, as a second reader of DOT.
  narrows_require(Boost libboost-graph-dev COMPONENTS graph)
endif()

# narrows_find(NAME package HEADER header [LIBRARIES library...] [SUFFIX folder]): what has no package of its own for CMake.
# Sets NAME_INCLUDE_DIR and NAME_LIBRARIES.
function(narrows_find name package)
  cmake_parse_arguments(arg "" "HEADER;SUFFIX" "LIBRARIES" ${ARGN})
  find_path(${name}_INCLUDE_DIR ${arg_HEADER} PATH_SUFFIXES ${arg_SUFFIX})
  set(found ${${name}_INCLUDE_DIR})
  set(libraries)
  foreach(library IN LISTS arg_LIBRARIES)
    find_library(${name}_${library}_LIBRARY ${library})
    list(APPEND libraries ${${name}_${library}_LIBRARY})
    if(NOT ${name}_${library}_LIBRARY)
      set(found FALSE)
    endif()
  endforeach()
  set(${name}_LIBRARIES ${libraries} PARENT_SCOPE)
  if(NOT found)
    set(missing "${missing}\n  ${name}: apt-get install ${package}" CACHE INTERNAL "")
  endif()
endfunction()

narrows_find(BOOST_MATH libboost-dev HEADER boost/math/distributions/students_t.hpp)
narrows_find(LEMON liblemon-dev HEADER lemon/list_graph.h)
narrows_find(HWLOC libhwloc-dev HEADER hwloc.h LIBRARIES hwloc)
narrows_find(MUPARSER libmuparser-dev HEADER muParser.h LIBRARIES muparser)
narrows_find(SODIUM libsodium-dev HEADER sodium.h LIBRARIES sodium)
narrows_find(CLP coinor-libclp-dev HEADER ClpSimplex.hpp SUFFIX coin LIBRARIES Clp CoinUtils)
narrows_find(METIS libmetis-dev HEADER metis.h LIBRARIES metis)
narrows_find(SCOTCH libscotch-dev HEADER scotch.h SUFFIX scotch LIBRARIES scotch scotcherr)
include(mpi)
if(NARROWS_MPI STREQUAL "ON" AND NOT MPI_CXX_FOUND)
  set(missing "${missing}\n  MPI: apt-get install libopenmpi-dev openmpi-bin" CACHE INTERNAL "")
endif()
if(missing)
  message(FATAL_ERROR "narrows needs libraries that are not here (./bootstrap installs them all):${missing}\n"
                      "Installed elsewhere? Name the place: cmake --preset release -DCMAKE_PREFIX_PATH=DIR")
endif()

# LEMON's own algorithms are header templates; its library (LP solvers, C++98 sources) is not linked.
add_library(narrows_lemon INTERFACE)
target_include_directories(narrows_lemon SYSTEM INTERFACE ${LEMON_INCLUDE_DIR})
target_compile_definitions(narrows_lemon INTERFACE LEMON_ONLY_TEMPLATES)

# gcc 12 takes the masked intrinsics behind Eigen's AVX-512 paths for uninitialised (its bug 105593).
add_library(narrows_eigen INTERFACE)
target_link_libraries(narrows_eigen INTERFACE Eigen3::Eigen)
target_compile_options(narrows_eigen INTERFACE -Wno-uninitialized -Wno-maybe-uninitialized)

add_library(narrows_hwloc INTERFACE)
target_include_directories(narrows_hwloc SYSTEM INTERFACE ${HWLOC_INCLUDE_DIR})
target_link_libraries(narrows_hwloc INTERFACE ${HWLOC_LIBRARIES})

add_library(narrows_sodium INTERFACE)
target_include_directories(narrows_sodium SYSTEM INTERFACE $<BUILD_INTERFACE:${SODIUM_INCLUDE_DIR}>)
target_link_libraries(narrows_sodium INTERFACE ${SODIUM_LIBRARIES})

add_library(narrows_muparser INTERFACE)
target_include_directories(narrows_muparser SYSTEM INTERFACE $<BUILD_INTERFACE:${MUPARSER_INCLUDE_DIR}>)
target_link_libraries(narrows_muparser INTERFACE ${MUPARSER_LIBRARIES})

add_library(narrows_clp INTERFACE)
target_include_directories(narrows_clp SYSTEM INTERFACE ${CLP_INCLUDE_DIR})
target_link_libraries(narrows_clp INTERFACE ${CLP_LIBRARIES})

add_library(narrows_partitioners INTERFACE)
target_include_directories(narrows_partitioners SYSTEM INTERFACE ${METIS_INCLUDE_DIR} ${SCOTCH_INCLUDE_DIR})
target_link_libraries(narrows_partitioners INTERFACE ${METIS_LIBRARIES} ${SCOTCH_LIBRARIES})

if(NOT TARGET yaml-cpp::yaml-cpp)
  add_library(yaml-cpp::yaml-cpp ALIAS yaml-cpp)
endif()
