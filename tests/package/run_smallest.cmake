# Configures the smallest build of SOURCE under the folder WORK, where no package is found but those that
# sunder::core needs; builds and installs it, and links a stranger's project with it. Without optimisation, and
# with kernels for one kind of processor: what counts is that it compiles and links.
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

set(hidden "")
foreach(package IN ITEMS ZLIB nlohmann_json CLI11 MPI Python pybind11)
  list(APPEND hidden -DCMAKE_DISABLE_FIND_PACKAGE_${package}=ON)
endforeach()
set(tools -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${CXX_COMPILER} -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_CXX_FLAGS=${CXX_FLAGS}"
          "-DCMAKE_CXX_FLAGS_DEBUG=-O0 -DHWY_COMPILE_ONLY_STATIC")

# pkg-config sees a folder with a single file.
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK}/pkgconfig)
execute_process(COMMAND pkg-config --variable=pcfiledir libhwy OUTPUT_VARIABLE folder OUTPUT_STRIP_TRAILING_WHITESPACE
                COMMAND_ERROR_IS_FATAL ANY)
file(COPY ${folder}/libhwy.pc DESTINATION ${WORK}/pkgconfig)
set(ENV{PKG_CONFIG_LIBDIR} ${WORK}/pkgconfig)
set(ENV{PKG_CONFIG_PATH} "")

run(${CMAKE_COMMAND}
    -S ${SOURCE}
    -B ${WORK}/build
    ${tools}
    ${hidden}
    -DSUNDER_IO=OFF
    -DSUNDER_LEARN=OFF
    -DSUNDER_MPI=OFF
    -DSUNDER_BUILD_TESTS=OFF
    -DSUNDER_PRECOMPILED_HEADERS=ON)
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${CMAKE_COMMAND} --install ${WORK}/build --prefix ${WORK}/prefix)
if(EXISTS ${WORK}/prefix/include/sunder/io OR EXISTS ${WORK}/prefix/bin)
  message(FATAL_ERROR "the smallest package holds more than sunder::core")
endif()
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/core -B ${WORK}/consumer ${tools} ${hidden}
    -DCMAKE_PREFIX_PATH=${WORK}/prefix)
run(${CMAKE_COMMAND} --build ${WORK}/consumer)
run(${CMAKE_COMMAND} --build ${WORK}/consumer --target run)
file(REMOVE_RECURSE ${WORK})
