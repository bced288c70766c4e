# Lets the command COMMAND write its manual pages and the completion of the shells under SHARE, at build time; the list of
# CHANGES goes with them.
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${SHARE})
run(${COMMAND} man -o ${SHARE}/man/man1)
find_program(GZIP gzip)
if(GZIP)
  file(MAKE_DIRECTORY ${SHARE}/doc/sunder)
  file(COPY_FILE ${CHANGES} ${SHARE}/doc/sunder/changelog)
  run(${GZIP} -9n ${SHARE}/doc/sunder/changelog)
  file(GLOB pages ${SHARE}/man/man1/*.1)
  run(${GZIP} -9n ${pages})
endif()

# Zsh looks in site-functions; Debian's, under /usr, in vendor-completions.
foreach(place bash-completion/completions/sunder zsh/site-functions/_sunder zsh/vendor-completions/_sunder
              fish/vendor_completions.d/sunder.fish)
  string(REGEX MATCH "^[a-z]+" shell ${place})
  get_filename_component(folder ${SHARE}/${place} DIRECTORY)
  file(MAKE_DIRECTORY ${folder})
  run(${COMMAND} completion ${shell} OUTPUT_FILE ${SHARE}/${place})
endforeach()
