include(CMakePackageConfigHelpers)

set(SUNDER_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/sunder)

# Two parts: the command for those who use it, the library for those who build on it.
install(TARGETS sunder_cli COMPONENT command)
get_property(libraries GLOBAL PROPERTY sunder_libraries)
list(REMOVE_ITEM libraries sunder_mpi)
install(TARGETS sunder ${libraries} EXPORT sunderTargets COMPONENT library)
install(DIRECTORY include/sunder DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library)
install(EXPORT sunderTargets NAMESPACE sunder:: DESTINATION ${SUNDER_PACKAGE_DIR} COMPONENT library)
if(TARGET sunder_mpi)
  install(TARGETS sunder_mpi EXPORT sunderMpiTargets COMPONENT library)
  install(EXPORT sunderMpiTargets NAMESPACE sunder:: DESTINATION ${SUNDER_PACKAGE_DIR} COMPONENT library)
endif()

configure_package_config_file(cmake/sunderConfig.cmake.in ${PROJECT_BINARY_DIR}/sunderConfig.cmake
                              INSTALL_DESTINATION ${SUNDER_PACKAGE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/sunderConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(
  FILES ${PROJECT_BINARY_DIR}/sunderConfig.cmake ${PROJECT_BINARY_DIR}/sunderConfigVersion.cmake
        cmake/dependencies.cmake
  DESTINATION ${SUNDER_PACKAGE_DIR}
  COMPONENT library)

# Written by the command itself when it was built (src/cli/CMakeLists.txt).
if(NOT CMAKE_CROSSCOMPILING)
  install(DIRECTORY ${PROJECT_BINARY_DIR}/share/ DESTINATION ${CMAKE_INSTALL_DATAROOTDIR} COMPONENT command)
  install(DIRECTORY ${PROJECT_BINARY_DIR}/share/doc/sunder/ DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/libsunder-dev
          COMPONENT library)
endif()

# Under the name that Debian looks for, in a folder for each package. The command holds Chart.js.
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/libsunder-dev RENAME copyright COMPONENT library)
file(READ LICENSE SUNDER_LICENCE)
configure_file(cmake/copyright.in ${PROJECT_BINARY_DIR}/copyright @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT command)
