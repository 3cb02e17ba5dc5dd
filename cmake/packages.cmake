# Debian packages by `cpack` (`./bootstrap package`): the program with its data, the libraries, the Python package.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_COMPONENTS_ALL program development)
if(NARROWS_WITH_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE zstd)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "The developers of narrows <maintainers@localhost>")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(version ${PROJECT_VERSION})
if(NARROWS_NATIVE)
  string(APPEND version +native) # for this machine's processor alone: others lack instructions of it
endif()
set(CPACK_DEBIAN_PACKAGE_VERSION ${version})

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME narrows)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS gnuplot-nox)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "predicts how communication-bound programs scale
It names what holds a program back on a parallel machine, which may not exist yet.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libnarrows-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "narrows (= ${version}), libfmt-dev, libpugixml-dev, libtbb-dev, \
libyaml-cpp-dev, libmuparser-dev, libsodium-dev")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "libraries of narrows: networks, predictions, machine files
Static libraries and headers, which find_package(narrows) of CMake finds.")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-narrows)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "narrows (= ${version}), python3 (>= ${Python_VERSION_MAJOR}.${Python_VERSION_MINOR}), python3-numpy")
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS python3-pandas)
set(CPACK_COMPONENT_PYTHON_DESCRIPTION "predictions of narrows in Python
Machines, networks, predictions and sweeps as NumPy arrays and pandas frames.")
include(CPack)
