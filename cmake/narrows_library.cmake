# What every target of narrows is compiled with, and the one way in which a folder becomes a library.
add_library(narrows_options INTERFACE)
target_include_directories(narrows_options INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                                                    $<INSTALL_INTERFACE:include/narrows>)
target_compile_features(narrows_options INTERFACE cxx_std_20)
# Of this build alone: who links the installed libraries has options of their own.
function(narrows_compile_options)
  target_compile_options(narrows_options INTERFACE "$<BUILD_INTERFACE:${ARGN}>")
endfunction()
narrows_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # gcc 12 warns falsely of std::string concatenation (its bug 105651).
  narrows_compile_options(-Wno-restrict)
endif()
if(NARROWS_WERROR)
  narrows_compile_options(-Werror)
endif()
if(NARROWS_NATIVE)
  narrows_compile_options(-march=native)
endif()
if(NARROWS_SANITIZE)
  narrows_compile_options(-fsanitize=${NARROWS_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  if(NARROWS_SANITIZE MATCHES "address")
    # What is touched at null or beyond an object is found anyway; to ask before each access too is a third of compiling.
    narrows_compile_options(-fno-sanitize=null,object-size,pointer-overflow)
  endif()
  target_link_options(narrows_options INTERFACE -fsanitize=${NARROWS_SANITIZE})
endif()

# Where CMAKE_UNITY_BUILD is set a first build takes half the time: many files are compiled as one, so that they may not
# share a name in unnamed namespaces. Elsewhere each is compiled alone, after headers that were compiled once for all.
function(narrows_precompile target)
  if(NOT CMAKE_UNITY_BUILD)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()

# Whether what takes long to load is in a module and a program of its own: sanitizers are for one program.
set(narrows_on_demand ON)
if(NARROWS_SANITIZE)
  set(narrows_on_demand OFF)
endif()

# narrows_library(FOLDER SOURCES ... PUBLIC libraries ... PRIVATE libraries ...): the static library narrows_FOLDER.
function(narrows_library folder)
  cmake_parse_arguments(arg "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  add_library(narrows_${folder} STATIC ${arg_SOURCES})
  target_link_libraries(narrows_${folder} PUBLIC narrows_options ${arg_PUBLIC} PRIVATE ${arg_PRIVATE})
  if(narrows_on_demand)
    # Modules are shared libraries of them; hidden symbols are called and inlined as in a program.
    set_target_properties(narrows_${folder} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
                                                       VISIBILITY_INLINES_HIDDEN ON)
  endif()
  narrows_precompile(narrows_${folder} <algorithm> <functional> <map> <optional> <string> <vector> <fmt/format.h>)
endfunction()

# Seconds that a test may take: many times what it takes, as sanitizers, slow machines and busy ones each cost a factor.
set(narrows_test_timeout 3600)

# narrows_test(FOLDER SOURCES ... LIBRARIES ... PROPERTIES ...): the executable test_FOLDER, each of its cases a test of
# CTest with these properties. Under a sanitizer a program takes half a second to start: there many cases share a process.
function(narrows_test folder)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBRARIES;PROPERTIES" ${ARGN})
  add_executable(test_${folder} ${arg_SOURCES})
  target_link_libraries(test_${folder} PRIVATE ${arg_LIBRARIES} Catch2::Catch2WithMain)
  # Tests are compiled longer than they run.
  target_compile_options(test_${folder} PRIVATE $<$<CONFIG:Release>:-O1>)
  if(NARROWS_SANITIZE)
    target_compile_options(test_${folder} PRIVATE -O0)
  endif()
  narrows_precompile(test_${folder} <catch2/catch.hpp>)
  if(NARROWS_SANITIZE)
    set(parts 6)
    foreach(part RANGE 1 ${parts})
      set(name "${folder}, part ${part} of ${parts}")
      add_test(NAME "${name}" COMMAND sh ${PROJECT_SOURCE_DIR}/tests/part.sh $<TARGET_FILE:test_${folder}> ${part} ${parts})
      set_tests_properties("${name}" PROPERTIES LABELS ${folder} TIMEOUT ${narrows_test_timeout} ${arg_PROPERTIES})
    endforeach()
  else()
    catch_discover_tests(test_${folder} EXTRA_ARGS -w NoTests PROPERTIES LABELS ${folder}
                         TIMEOUT ${narrows_test_timeout} ${arg_PROPERTIES})
  endif()
endfunction()
