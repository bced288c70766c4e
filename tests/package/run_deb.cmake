# Packs the build BUILD into Debian packages under the folder WORK, unpacks them there and runs what is in them.
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(require_match text pattern)
  if(NOT text MATCHES "${pattern}")
    message(FATAL_ERROR "'${pattern}' is not in:\n${text}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
# Not compressed, which takes longer than the rest.
run(${CPACK} -G DEB -C ${CONFIGURATION} --config ${BUILD}/CPackConfig.cmake -B ${WORK} -D CPACK_DEBIAN_COMPRESSION_TYPE=none)
file(GLOB command ${WORK}/sunder_*.deb)
file(GLOB library ${WORK}/libsunder-dev_*.deb)
run(dpkg-deb -x ${command} ${WORK}/root)
run(dpkg-deb -x ${library} ${WORK}/root)

execute_process(COMMAND dpkg-deb -f ${command} OUTPUT_VARIABLE fields COMMAND_ERROR_IS_FATAL ANY)
require_match("${fields}" "Package: sunder\n")
require_match("${fields}" "Maintainer: The sunder developers")
require_match("${fields}" "Depends: [^\n]*libhwy") # from the shared libraries that it is linked with
foreach(
  file
  include/sunder/core/shape.hpp
  share/bash-completion/completions/sunder
  share/doc/libsunder-dev/changelog.gz
  share/doc/libsunder-dev/copyright
  share/doc/sunder/changelog.gz
  share/doc/sunder/copyright
  share/fish/vendor_completions.d/sunder.fish
  share/man/man1/sunder-decompose.1.gz
  share/man/man1/sunder.1.gz
  share/zsh/vendor-completions/_sunder)
  if(NOT EXISTS ${WORK}/root/usr/${file})
    message(FATAL_ERROR "the packages have no ${file}")
  endif()
endforeach()

set(sunder ${WORK}/root/usr/bin/sunder)
run(${sunder} --version)
run(${sunder} generate --shape 8,8,8 --rank 1 --quiet -o ${WORK}/data)
run(${sunder} decompose ${WORK}/data/T.npy --rank 1 --truth ${WORK}/data/truth)
file(REMOVE_RECURSE ${WORK})
