# Builds the manual into the program: every page, a Markdown file of the sources, becomes a string of manual_pages().
file(GLOB_RECURSE pages CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} sim/*.md workloads/*.md experiments/*.md
     platforms/*.md tools/*.md tests/*.md)
list(FILTER pages EXCLUDE REGEX "/handout\\.md$")  # of labs: for students, with their numbers
string(CONCAT code "// Made by tools/cmake/manual.cmake.\n#include \"tools/manual.hpp\"\n\n"
       "std::span<const nowsim::ManualPage> nowsim::manual_pages() {\n  static constexpr ManualPage kPages[] = {\n")
foreach(page IN LISTS pages ITEMS README.md)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${page})
  file(READ ${PROJECT_SOURCE_DIR}/${page} text)
  string(APPEND code "      {\"${page}\", R\"page(${text})page\"},\n")
endforeach()
string(APPEND code "  };\n  return kPages;\n}\n")
set(nowsim_manual ${PROJECT_BINARY_DIR}/manual_pages.cpp)
file(WRITE ${nowsim_manual}.new "${code}")
configure_file(${nowsim_manual}.new ${nowsim_manual} COPYONLY)  # nothing is compiled anew where nothing has changed
