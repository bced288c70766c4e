# Debian packages, by scripts/package: sunder, the command, and libsunder-dev, the library.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME sunder)
set(CPACK_PACKAGE_CONTACT "The sunder developers")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL command library)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SECTION math)

set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME sunder)
set(CPACK_COMPONENT_COMMAND_DESCRIPTION
    "A corrupted tensor T is split into a low-rank part L, held in CP form, and
 a sparse part S. This is the command, with its manual pages and completion.")
set(CPACK_DEBIAN_COMMAND_PACKAGE_SHLIBDEPS ON)
# FFmpeg's libraries are loaded when a video is opened, so that nothing finds them in the command. Debian names a
# package after a library and the first part of its version.
set(video_packages "")
if(SUNDER_VIDEO)
  foreach(library IN ITEMS libavformat libavcodec libswscale libavutil)
    string(REGEX MATCH "^[0-9]+" version "${LIBAV_${library}_VERSION}")
    list(APPEND video_packages ${library}${version})
  endforeach()
  list(JOIN video_packages ", " video_packages)
  set(CPACK_DEBIAN_COMMAND_PACKAGE_DEPENDS "${video_packages}")
endif()

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libsunder-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION
    "A corrupted tensor T is split into a low-rank part L, held in CP form, and
 a sparse part S. These are the libraries: headers, archives, CMake package.")
# What find_package(sunder) looks for, cmake/dependencies.cmake.
set(packages libeigen3-dev libfmt-dev libhwy-dev zlib1g-dev)
if(SUNDER_HDF5)
  list(APPEND packages libhdf5-dev)
endif()
if(SUNDER_MATIO)
  list(APPEND packages libmatio-dev)
endif()
list(JOIN packages ", " packages)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS "${packages}, pkg-config")
set(recommended libopenmpi-dev ${video_packages})
list(JOIN recommended ", " CPACK_DEBIAN_LIBRARY_PACKAGE_RECOMMENDS)
include(CPack)
