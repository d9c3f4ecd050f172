# Writes the header ${STAMP}: what two parts that are loaded into one process must have in common, the ${SOURCES} and
# how they are compiled, ${BUILD}; and the file name of the ${MODULE} that is loaded.
# Not an inline constant: the program's would be taken for the module's.
set(all "${BUILD}")
foreach(source IN LISTS SOURCES)
  file(SHA256 ${source} hash)
  string(APPEND all "${hash}")
endforeach()
string(SHA256 hash "${all}")
file(WRITE ${STAMP}.new "// Made by tools/cmake/stamp.cmake.
#pragma once
#define NOWSIM_SIMGRID_MODULE \"${MODULE}\"
namespace nowsim {
constexpr char kSimGridModuleStamp[] = \"${hash}\";
}
")
file(COPY_FILE ${STAMP}.new ${STAMP} ONLY_IF_DIFFERENT)
