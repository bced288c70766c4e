# The targets that a build has, for the fuzzers and for their replay in tests/fuzz: a target goes with the
# parts that it reads or writes its files with.
set(fuzz_targets array checkpoint corpus options result_folder)
if(SUNDER_HDF5)
  list(APPEND fuzz_targets hdf5)
endif()
if(SUNDER_MATIO)
  list(APPEND fuzz_targets location)  # which makes its files with HDF5 and matio
endif()
if(SUNDER_VIDEO)
  list(APPEND fuzz_targets state video)  # among the saved states is that of a background
endif()
