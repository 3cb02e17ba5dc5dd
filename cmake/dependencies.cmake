# Every library that narrows uses, found once. A missing one is named with the Debian package that brings it.
function(narrows_require name package)
  find_package(${name} QUIET ${ARGN})
  if(NOT ${name}_FOUND)
    set(missing "${missing}\n  ${name}: apt-get install ${package}" CACHE INTERNAL "")
  endif()
endfunction()

set(missing "" CACHE INTERNAL "")
narrows_require(Eigen3 libeigen3-dev NO_MODULE)
narrows_require(CLI11 libcli11-dev)
narrows_require(yaml-cpp libyaml-cpp-dev)
narrows_require(fmt libfmt-dev)
narrows_require(nlohmann_json nlohmann-json3-dev)
narrows_require(Boost libboost-context-dev COMPONENTS context)
narrows_require(Threads libc6-dev)
if(NARROWS_TESTS)
  narrows_require(Catch2 catch2)
endif()

find_path(LEMON_INCLUDE_DIR lemon/list_graph.h)
if(NOT LEMON_INCLUDE_DIR)
  set(missing "${missing}\n  LEMON: apt-get install liblemon-dev" CACHE INTERNAL "")
endif()
find_path(HWLOC_INCLUDE_DIR hwloc.h)
find_library(HWLOC_LIBRARY hwloc)
if(NOT HWLOC_INCLUDE_DIR OR NOT HWLOC_LIBRARY)
  set(missing "${missing}\n  hwloc: apt-get install libhwloc-dev" CACHE INTERNAL "")
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
target_link_libraries(narrows_hwloc INTERFACE ${HWLOC_LIBRARY})

if(NOT TARGET yaml-cpp::yaml-cpp)
  add_library(yaml-cpp::yaml-cpp ALIAS yaml-cpp)
endif()
