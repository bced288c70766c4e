# A layer is a folder of src/ with the folder of the same name in include/sunder/. Each layer has an
# include root of its own in the build tree, made of two symbolic links:
#     layers/NAME/NAME        -> src/NAME               its private headers, "NAME/file.hpp"
#     layers/NAME/sunder/NAME -> include/sunder/NAME    its public ones, "sunder/NAME/file.hpp"
# A layer sees its own root and those of the layers it USES, and nothing else. A file that includes
# a header of a higher layer therefore does not compile.
add_library(sunder_common INTERFACE)
target_compile_features(sunder_common INTERFACE cxx_std_20)
# The engine deals out the threads (src/engine/pass). Eigen's own threads would block its products
# by their number, and so change the last bits.
target_compile_definitions(sunder_common INTERFACE EIGEN_DONT_PARALLELIZE)
target_link_libraries(sunder_common INTERFACE Eigen3::Eigen OpenMP::OpenMP_CXX fmt::fmt sunder_warnings)

# sunder_headers(NAME USES lower layers...): the target headers_NAME.
function(sunder_headers name)
  cmake_parse_arguments(PARSE_ARGV 1 layer "" "" "USES")
  set(root ${PROJECT_BINARY_DIR}/layers/${name})
  file(MAKE_DIRECTORY ${root}/sunder)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/src/${name} ${root}/${name} SYMBOLIC)
  if(EXISTS ${PROJECT_SOURCE_DIR}/include/sunder/${name})
    file(CREATE_LINK ${PROJECT_SOURCE_DIR}/include/sunder/${name} ${root}/sunder/${name} SYMBOLIC)
  endif()
  add_library(headers_${name} INTERFACE)
  target_include_directories(headers_${name} INTERFACE ${root})
  list(TRANSFORM layer_USES PREPEND headers_)
  target_link_libraries(headers_${name} INTERFACE sunder_common ${layer_USES})
  set_property(GLOBAL APPEND PROPERTY sunder_headers headers_${name})
endfunction()

# sunder_layer(NAME USES lower layers... LIBRARIES others' libraries... EXCEPT folders...): the objects
# layer_NAME, made of all sources below src/NAME but those in the folders of EXCEPT.
function(sunder_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 layer "" "" "USES;LIBRARIES;EXCEPT")
  sunder_headers(${name} USES ${layer_USES})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  foreach(folder IN LISTS layer_EXCEPT)
    list(FILTER sources EXCLUDE REGEX "/src/${name}/${folder}/")
  endforeach()
  add_library(layer_${name} OBJECT ${sources})
  set_target_properties(layer_${name} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(layer_${name} PRIVATE headers_${name} ${layer_LIBRARIES})
  if(name STREQUAL core)
    sunder_precompiled(layer_core)
  elseif(SUNDER_PRECOMPILED_HEADERS)
    target_precompile_headers(layer_${name} REUSE_FROM layer_core)
  endif()
endfunction()

# sunder_library(NAME LAYERS ... LIBRARIES ... USES ...): the installed library sunder::NAME, made of these
# layers. USES names other libraries of sunder.
function(sunder_library name)
  cmake_parse_arguments(PARSE_ARGV 1 library "" "" "LAYERS;LIBRARIES;USES")
  add_library(sunder_${name})
  add_library(sunder::${name} ALIAS sunder_${name})
  foreach(layer IN LISTS library_LAYERS)
    target_sources(sunder_${name} PRIVATE $<TARGET_OBJECTS:layer_${layer}>)
  endforeach()
  set_property(GLOBAL APPEND PROPERTY sunder_installed_layers ${library_LAYERS})
  set_property(GLOBAL PROPERTY sunder_uses_${name} ${library_USES})
  set_target_properties(
    sunder_${name}
    PROPERTIES EXPORT_NAME ${name}
               LINKER_LANGUAGE CXX
               VERSION ${PROJECT_VERSION}
               SOVERSION ${PROJECT_VERSION_MAJOR}
               ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  target_compile_features(sunder_${name} PUBLIC cxx_std_20)
  target_include_directories(
    sunder_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                          $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  list(TRANSFORM library_USES PREPEND sunder_)
  target_link_libraries(sunder_${name} PUBLIC Eigen3::Eigen ${library_USES} PRIVATE ${library_LIBRARIES})
  set_property(GLOBAL APPEND PROPERTY sunder_libraries ${name})
endfunction()
