# What a build consists of. sunder::core is always built; each of the other parts, and each format of
# sunder::io that needs somebody else's library, has an option.
include(CMakeDependentOption)

# sunder_part(OPTION TEXT NEEDED): an option that is ON by default, and OFF where the option NEEDED is. Who asks
# for the part without what it needs is told so. sunder_lacks_OPTION is NEEDED where that is OFF.
macro(sunder_part option text needed)
  set(sunder_lacks_${option} "")
  if(NOT ${needed})
    set(sunder_lacks_${option} ${needed})
    # The user asks on the command line or in a preset (CMake's own text of help says so until the option
    # has one), a project above in a variable. A value that the cache has from before is nobody's wish.
    get_property(origin CACHE ${option} PROPERTY HELPSTRING)
    if(${option} AND (origin MATCHES "specified on the command line" OR NOT DEFINED CACHE{${option}}))
      message(FATAL_ERROR "${option}=ON needs ${needed}, which is OFF: turn ${needed} on, or ${option} off.")
    endif()
  endif()
  cmake_dependent_option(${option} "${text}" ON "${needed}" OFF)
endmacro()

option(SUNDER_IO "Build sunder::io, which reads and writes files; needs zlib and nlohmann-json" ON)
sunder_part(SUNDER_HDF5 "Read HDF5 files; needs HDF5" SUNDER_IO)
sunder_part(SUNDER_MATIO "Read .mat files; needs matio, which is built on HDF5" SUNDER_HDF5)
sunder_part(SUNDER_VIDEO "Build sunder::video and read videos; needs FFmpeg's libraries" SUNDER_IO)
sunder_part(SUNDER_REPORT "Build sunder::report and the command; needs Chart.js and CLI11" SUNDER_IO)
option(SUNDER_LEARN "Build sunder::learn" ON)
option(SUNDER_MPI "Build sunder::mpi and a command for several machines, where MPI is found" ON)
sunder_part(SUNDER_PYTHON "Build the Python module, where Python's headers and pybind11 are found" SUNDER_REPORT)

# The same for the compiler, as 0 or 1. Only the table of formats (src/io/files/formats.cpp), the list
# of commands and the tests look at it.
add_library(sunder_built_parts INTERFACE)
set(sunder_left_out "")
foreach(part IN ITEMS IO HDF5 MATIO VIDEO REPORT LEARN)
  target_compile_definitions(sunder_built_parts INTERFACE SUNDER_WITH_${part}=$<BOOL:${SUNDER_${part}}>)
  if(NOT SUNDER_${part})
    set(reason "")
    if(sunder_lacks_SUNDER_${part})
      set(reason " (needs ${sunder_lacks_SUNDER_${part}})")
    endif()
    list(APPEND sunder_left_out "SUNDER_${part}${reason}")
  endif()
endforeach()
if(sunder_left_out)
  list(JOIN sunder_left_out ", " sunder_left_out)
  message(STATUS "Left out of sunder: ${sunder_left_out}")
endif()
