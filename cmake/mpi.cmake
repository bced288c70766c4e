# MPI where all of it is there. A machine that has the programs of MPI without its headers is common
# (the compiler wrapper comes with mpirun), and find_package(MPI) stops the configuration there.
set(MPI_CXX_FOUND FALSE)
if(SUNDER_MPI)
  find_program(SUNDER_MPI_COMPILER NAMES mpicxx mpic++)
  if(SUNDER_MPI_COMPILER)
    set(sunder_mpi_probe ${PROJECT_BINARY_DIR}/mpi_probe.cpp)
    file(WRITE ${sunder_mpi_probe} "#include <mpi.h>\n")
    execute_process(
      COMMAND ${SUNDER_MPI_COMPILER} -fsyntax-only ${sunder_mpi_probe}
      RESULT_VARIABLE sunder_mpi_status
      OUTPUT_QUIET ERROR_QUIET)
    if(sunder_mpi_status EQUAL 0)
      find_package(MPI QUIET COMPONENTS CXX)
    endif()
  endif()
endif()
