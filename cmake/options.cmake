# What a build consists of. sunder::core is always built; each of the other parts, and each format of
# sunder::io that needs somebody else's library, has an option.
include(CMakeDependentOption)

option(SUNDER_IO "Build sunder::io, which reads and writes files; needs zlib and nlohmann-json" ON)
cmake_dependent_option(SUNDER_HDF5 "Read HDF5 files; needs HDF5" ON "SUNDER_IO" OFF)
cmake_dependent_option(SUNDER_MATIO "Read .mat files; needs matio, which is built on HDF5" ON
                       "SUNDER_IO;SUNDER_HDF5" OFF)
cmake_dependent_option(SUNDER_VIDEO "Build sunder::video and read videos; needs FFmpeg's libraries" ON "SUNDER_IO" OFF)
cmake_dependent_option(SUNDER_REPORT "Build sunder::report and the command; needs Chart.js and CLI11" ON "SUNDER_IO" OFF)
option(SUNDER_LEARN "Build sunder::learn" ON)
option(SUNDER_MPI "Build sunder::mpi and a command for several machines, where MPI is found" ON)
cmake_dependent_option(SUNDER_PYTHON "Build the Python module, where Python's headers and pybind11 are found" ON
                       "SUNDER_REPORT" OFF)

# The same for the compiler, as 0 or 1. Only the table of formats (src/io/files/formats.cpp), the list
# of commands and the tests look at it.
add_library(sunder_built_parts INTERFACE)
set(sunder_parts "")
foreach(part IN ITEMS IO HDF5 MATIO VIDEO REPORT LEARN)
  target_compile_definitions(sunder_built_parts INTERFACE SUNDER_WITH_${part}=$<BOOL:${SUNDER_${part}}>)
  if(NOT SUNDER_${part})
    list(APPEND sunder_parts "SUNDER_${part}")
  endif()
endforeach()
if(sunder_parts)
  list(JOIN sunder_parts ", " sunder_parts)
  message(STATUS "Left out of sunder: ${sunder_parts}")
endif()
