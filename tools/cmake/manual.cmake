# Help where one looks for it: the manual in the program, manual pages, completion in shells, and what --version says.

# Builds the manual into the program: every page, a Markdown file of the sources, becomes a string of manual_pages().
file(GLOB_RECURSE pages CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} sim/*.md workloads/*.md experiments/*.md
     platforms/*.md tools/*.md tests/*.md)
list(FILTER pages EXCLUDE REGEX "/handout\\.md$")  # of labs: for students, with their numbers
string(CONCAT code "// Made by tools/cmake/manual.cmake.\n#include \"tools/shipped/manual.hpp\"\n\n"
       "using namespace std::string_view_literals;  // counted by the compiler: clang does not count a page to its end\n\n"
       "std::span<const nowsim::ManualPage> nowsim::manual_pages() {\n  static constexpr ManualPage kPages[] = {\n")
foreach(page IN LISTS pages ITEMS README.md)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${page})
  file(READ ${PROJECT_SOURCE_DIR}/${page} text)
  string(APPEND code "      {\"${page}\", R\"page(${text})page\"sv},\n")
endforeach()
string(APPEND code "  };\n  return kPages;\n}\n")
set(nowsim_manual ${PROJECT_BINARY_DIR}/manual_pages.cpp)
file(WRITE ${nowsim_manual}.new "${code}")
configure_file(${nowsim_manual}.new ${nowsim_manual} COPYONLY)  # nothing is compiled anew where nothing has changed

# What the source of `nowsim version` is told of the build.
function(nowsim_tell_build source)
  set(build "${CMAKE_BUILD_TYPE}, ${CMAKE_SYSTEM_PROCESSOR}")
  if(NOWSIM_SANITIZE)
    string(APPEND build ", with sanitizers")
  endif()
  set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON COMPILE_DEFINITIONS "NOWSIM_BUILD=\"${build}\"")
endfunction()

# Manual pages, which the program writes as soon as it is built, and completion. Of zsh's folders for the latter a
# distribution's is read in /usr alone, and in /usr/local the other one.
function(nowsim_install_help)
  if(NOT NOWSIM_SANITIZE AND NOT NOWSIM_FUZZERS AND NOT CMAKE_CROSSCOMPILING)
    add_custom_command(TARGET nowsim POST_BUILD COMMAND ${CMAKE_COMMAND} -E rm -rf ${PROJECT_BINARY_DIR}/man
                       COMMAND nowsim help --man ${PROJECT_BINARY_DIR}/man VERBATIM)
  endif()
  install(DIRECTORY ${PROJECT_BINARY_DIR}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR} OPTIONAL)
  set(scripts ${PROJECT_SOURCE_DIR}/tools/completion)
  install(FILES ${scripts}/nowsim.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME nowsim)
  install(FILES ${scripts}/nowsim.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  install(CODE "
    if(CMAKE_INSTALL_PREFIX STREQUAL \"/usr\")
      set(folder vendor-completions)
    else()
      set(folder site-functions)
    endif()
    file(INSTALL \"${scripts}/_nowsim\" DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/zsh/\${folder}\")")
endfunction()
