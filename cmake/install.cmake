include(CMakePackageConfigHelpers)

set(SUNDER_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/sunder)

install(TARGETS sunder EXPORT sunderTargets)
install(TARGETS sunder_cli)
install(DIRECTORY include/sunder DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT sunderTargets NAMESPACE sunder:: DESTINATION ${SUNDER_PACKAGE_DIR})
if(TARGET sunder_mpi)
  install(TARGETS sunder_mpi EXPORT sunderMpiTargets)
  install(EXPORT sunderMpiTargets NAMESPACE sunder:: DESTINATION ${SUNDER_PACKAGE_DIR})
endif()

configure_package_config_file(cmake/sunderConfig.cmake.in ${PROJECT_BINARY_DIR}/sunderConfig.cmake
                              INSTALL_DESTINATION ${SUNDER_PACKAGE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/sunderConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(
  FILES ${PROJECT_BINARY_DIR}/sunderConfig.cmake ${PROJECT_BINARY_DIR}/sunderConfigVersion.cmake
        cmake/dependencies.cmake
  DESTINATION ${SUNDER_PACKAGE_DIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
