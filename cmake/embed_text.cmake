# Writes a .cpp that holds text files, joined, as one sunder::PageAsset. Run as a script, at build time:
#   cmake -DNAME=page_script -DFILES=a.js|b.js -DOUTPUT=page_script.cpp -P embed_text.cmake
string(REPLACE "|" ";" files "${FILES}")
set(text "")
foreach(file IN LISTS files)
  file(READ "${file}" part)
  string(APPEND text "${part}")
endforeach()

# A closing tag would end the element that the text is put into; the marker would end the literal.
string(TOLOWER "${text}" lower)
foreach(forbidden "</script" "</style" "<!--" ")sunder_text\"")
  string(FIND "${lower}" "${forbidden}" position)
  if(NOT position EQUAL -1)
    message(FATAL_ERROR "cannot embed ${FILES}: it holds ${forbidden}")
  endif()
endforeach()

# The policy of the page admits exactly this text, by its hash.
string(SHA256 hash "${text}")
file(
  WRITE "${OUTPUT}"
  "#include \"report/page_assets.hpp\"\n
// clang counts the characters of a literal.
#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n
namespace sunder {\n
const PageAsset ${NAME}{R\"sunder_text(${text})sunder_text\", \"${hash}\"};\n
}  // namespace sunder\n")
