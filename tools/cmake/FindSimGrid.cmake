# Finds SimGrid (header simgrid/s4u.hpp, library simgrid) of a release that nowsim knows; defines SimGrid::SimGrid.
find_path(SimGrid_INCLUDE_DIR simgrid/s4u.hpp)
find_library(SimGrid_LIBRARY simgrid)
if(SimGrid_INCLUDE_DIR AND EXISTS ${SimGrid_INCLUDE_DIR}/simgrid/version.h)
  file(STRINGS ${SimGrid_INCLUDE_DIR}/simgrid/version.h lines REGEX "define SIMGRID_VERSION_M(AJOR|INOR) ")
  string(REGEX REPLACE ".*MAJOR ([0-9]+).*MINOR ([0-9]+).*" "\\1.\\2" SimGrid_VERSION "${lines}")
endif()
# Kernel headers are included (sim/engines/simgrid/simgrid_version.hpp), which may change with any release.
if(SimGrid_INCLUDE_DIR AND NOT (SimGrid_VERSION VERSION_GREATER_EQUAL 3.32 AND SimGrid_VERSION VERSION_LESS_EQUAL 4.0))
  message(FATAL_ERROR "nowsim needs SimGrid 3.32 (Debian 12) to 4.0 (Debian 13), and ${SimGrid_INCLUDE_DIR} holds "
                      "SimGrid ${SimGrid_VERSION} (or does not say which), which it has not been tried with. Name another one's prefix with "
                      "-DCMAKE_PREFIX_PATH=...; what differs between releases is in sim/engines/simgrid/simgrid_version.hpp.")
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SimGrid REQUIRED_VARS SimGrid_LIBRARY SimGrid_INCLUDE_DIR
                                  VERSION_VAR SimGrid_VERSION)
if(SimGrid_FOUND AND NOT TARGET SimGrid::SimGrid)
  add_library(SimGrid::SimGrid SHARED IMPORTED)
  set_target_properties(SimGrid::SimGrid PROPERTIES IMPORTED_LOCATION ${SimGrid_LIBRARY}
                        INTERFACE_INCLUDE_DIRECTORIES ${SimGrid_INCLUDE_DIR})
endif()
