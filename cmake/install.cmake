include(CMakePackageConfigHelpers)

set(SUNDER_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/sunder)

# Two parts: the command for those who use it, the libraries for those who build on them. Each library
# is exported for itself, so that a project that finds only some of them needs only what these need.
get_property(sunder_built GLOBAL PROPERTY sunder_libraries)
set(sunder_uses "")
foreach(library IN LISTS sunder_built ITEMS sunder)
  set(target sunder_${library})
  if(library STREQUAL sunder)
    set(target sunder)
  endif()
  install(TARGETS ${target} EXPORT sunder_${library} COMPONENT library)
  install(EXPORT sunder_${library} NAMESPACE sunder:: DESTINATION ${SUNDER_PACKAGE_DIR} COMPONENT library)
  get_property(uses GLOBAL PROPERTY sunder_uses_${library})
  string(APPEND sunder_uses "set(sunder_uses_${library} ${uses})\n")
endforeach()
get_property(layers GLOBAL PROPERTY sunder_installed_layers)
foreach(layer IN LISTS layers)
  if(EXISTS ${PROJECT_SOURCE_DIR}/include/sunder/${layer})
    install(DIRECTORY include/sunder/${layer} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/sunder COMPONENT library)
  endif()
endforeach()
# sunder.hpp includes the headers of what was built.
file(READ include/sunder/sunder.hpp all_headers)
file(GLOB folders RELATIVE ${PROJECT_SOURCE_DIR}/include/sunder ${PROJECT_SOURCE_DIR}/include/sunder/*)
foreach(folder IN LISTS folders)
  if(NOT folder IN_LIST layers)
    string(REGEX REPLACE "#include \"sunder/${folder}/[^\n]*\n" "" all_headers "${all_headers}")
  endif()
endforeach()
file(WRITE ${PROJECT_BINARY_DIR}/sunder.hpp "${all_headers}")
install(FILES ${PROJECT_BINARY_DIR}/sunder.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/sunder COMPONENT library)

configure_package_config_file(cmake/sunderConfig.cmake.in ${PROJECT_BINARY_DIR}/sunderConfig.cmake
                              INSTALL_DESTINATION ${SUNDER_PACKAGE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/sunderConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(
  FILES ${PROJECT_BINARY_DIR}/sunderConfig.cmake ${PROJECT_BINARY_DIR}/sunderConfigVersion.cmake
        cmake/dependencies.cmake
  DESTINATION ${SUNDER_PACKAGE_DIR}
  COMPONENT library)
# Under the name that Debian looks for, in a folder for each package.
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/libsunder-dev RENAME copyright COMPONENT library)

if(TARGET sunder_cli)
  install(TARGETS sunder_cli COMPONENT command)
  # Written by the command itself when it was built (src/cli/CMakeLists.txt).
  if(NOT CMAKE_CROSSCOMPILING)
    install(DIRECTORY ${PROJECT_BINARY_DIR}/share/ DESTINATION ${CMAKE_INSTALL_DATAROOTDIR} COMPONENT command)
    install(DIRECTORY ${PROJECT_BINARY_DIR}/share/doc/sunder/ DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/libsunder-dev
            COMPONENT library)
  endif()
  # The command holds Chart.js.
  file(READ LICENSE SUNDER_LICENCE)
  configure_file(cmake/copyright.in ${PROJECT_BINARY_DIR}/copyright @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT command)
endif()
