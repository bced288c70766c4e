# Symbolic links in TO for every file of FROM, so that an edit needs no build.
file(GLOB files ${FROM}/*)
foreach(file IN LISTS files)
  get_filename_component(name ${file} NAME)
  if(NOT IS_DIRECTORY ${file})
    file(CREATE_LINK ${file} ${TO}/${name} SYMBOLIC)
  endif()
endforeach()
