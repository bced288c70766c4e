# Installs the build BUILD under the folder WORK, then configures, builds and runs the project
# CONSUMER against it, with the compiler and the flags of the build.
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --config ${CONFIGURATION} --prefix ${WORK}/prefix)

# A moved package must still work: nothing in it may remember where it was installed.
file(RENAME ${WORK}/prefix ${WORK}/moved)
run(${CMAKE_COMMAND}
    -S ${CONSUMER}
    -B ${WORK}/build
    -G ${GENERATOR}
    -DCMAKE_PREFIX_PATH=${WORK}/moved
    -DCMAKE_CXX_COMPILER=${CXX_COMPILER}
    "-DCMAKE_CXX_FLAGS=${CXX_FLAGS}"
    -DCMAKE_BUILD_TYPE=${CONFIGURATION})
run(${CMAKE_COMMAND} --build ${WORK}/build --config ${CONFIGURATION})
run(${CMAKE_COMMAND} --build ${WORK}/build --config ${CONFIGURATION} --target run)
run(${WORK}/moved/bin/sunder --version)

# Where something that sunder needs is missing, an optional find_package() goes on without it.
run(${CMAKE_COMMAND}
    -S ${CONSUMER}/../optional
    -B ${WORK}/optional
    -G ${GENERATOR}
    -DCMAKE_PREFIX_PATH=${WORK}/moved
    -DCMAKE_CXX_COMPILER=${CXX_COMPILER}
    -DCMAKE_DISABLE_FIND_PACKAGE_fmt=ON)
file(REMOVE_RECURSE ${WORK})
