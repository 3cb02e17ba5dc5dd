# What `find_package(narrows)` finds: the libraries of networks, predictions and machine files, with their headers.
include(CMakePackageConfigHelpers)
set(place lib/cmake/narrows)
set(libraries narrows_options narrows_topologies narrows_model narrows_data narrows_muparser narrows_sodium)
foreach(folder topologies model data)
  set_target_properties(narrows_${folder} PROPERTIES EXPORT_NAME ${folder})
endforeach()
install(TARGETS ${libraries} EXPORT narrows ARCHIVE DESTINATION lib COMPONENT development)
install(EXPORT narrows NAMESPACE narrows:: FILE narrows_targets.cmake DESTINATION ${place} COMPONENT development)
foreach(folder topologies model data)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder} DESTINATION include/narrows COMPONENT development
          FILES_MATCHING PATTERN "*.hpp" REGEX "/(eigen|lemon|largest_eigenvalue)\\.hpp$" EXCLUDE  # of sources alone
          PATTERN search EXCLUDE PATTERN machines EXCLUDE PATTERN published EXCLUDE
          PATTERN workloads EXCLUDE)
endforeach()
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/narrows-config.cmake.in
                              ${PROJECT_BINARY_DIR}/narrows-config.cmake INSTALL_DESTINATION ${place})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/narrows-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/narrows-config.cmake ${PROJECT_BINARY_DIR}/narrows-config-version.cmake
        DESTINATION ${place} COMPONENT development)
