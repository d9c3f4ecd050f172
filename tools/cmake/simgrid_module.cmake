# What talks to SimGrid is a module that programs load when they need it. It uses the functions and types of the program
# that loads it, for which programs export these; the stamp, of all headers, its own sources and how they are compiled, tells others'.
set(CMAKE_BUILD_RPATH "$ORIGIN" "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}/nowsim" ${PROJECT_BINARY_DIR})
file(GLOB nowsim_simgrid_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/sim/engines/simgrid/*.cpp)
list(FILTER nowsim_simgrid_sources EXCLUDE REGEX "/engine\\.cpp$")
file(GLOB_RECURSE nowsim_sim_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/sim/*.hpp)
set(nowsim_stamped ${nowsim_sim_headers} ${nowsim_simgrid_sources} ${PROJECT_SOURCE_DIR}/sim/engines/simgrid/engine.cpp)

# nowsim_simgrid_module(MODULE): the target of that name, and MODULE_stamp, which puts the stamp into the folder stamp/MODULE.
function(nowsim_simgrid_module module)
  set(stamp ${PROJECT_BINARY_DIR}/stamp/${module}/simgrid_module_stamp.hpp)
  add_custom_command(OUTPUT ${stamp} DEPENDS ${nowsim_stamped} ${PROJECT_SOURCE_DIR}/tools/cmake/stamp.cmake VERBATIM
    COMMAND ${CMAKE_COMMAND} "-DSOURCES=${nowsim_stamped}" -DSTAMP=${stamp} -DMODULE=${module}${CMAKE_SHARED_MODULE_SUFFIX}
            "-DBUILD=${PROJECT_VERSION} ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} ${CMAKE_CXX_FLAGS} ${NOWSIM_SANITIZE} ${module}"
            -P ${PROJECT_SOURCE_DIR}/tools/cmake/stamp.cmake)
  add_custom_target(${module}_stamp DEPENDS ${stamp})
  add_library(${module} MODULE ${nowsim_simgrid_sources})
  add_dependencies(${module} ${module}_stamp)
  set_target_properties(${module} PROPERTIES PREFIX "" UNITY_BUILD ${NOWSIM_UNITY} UNITY_BUILD_BATCH_SIZE 30
                        LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  target_include_directories(${module} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/stamp/${module})
  target_link_libraries(${module} PRIVATE SimGrid::SimGrid nowsim_options)
  # Its own copies of what headers define, which are compiled like it.
  target_link_options(${module} PRIVATE LINKER:-z,now LINKER:-Bsymbolic-functions)
endfunction()
nowsim_simgrid_module(nowsim_simgrid)
install(TARGETS nowsim_simgrid LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/nowsim)

# What is loaded with MPI programs that are recorded (nowsim trace mpi), beside the module too.
find_path(NOWSIM_SMPI_INCLUDE mpi.h PATHS ${SimGrid_INCLUDE_DIR} /usr/include PATH_SUFFIXES smpi NO_DEFAULT_PATH)
if(NOWSIM_SMPI_INCLUDE)
  enable_language(C)
  add_library(nowsim_mpi_notes MODULE experiments/driver/mpi/mpi_notes.c)
  set_target_properties(nowsim_mpi_notes PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  target_include_directories(nowsim_mpi_notes PRIVATE ${NOWSIM_SMPI_INCLUDE})
  install(TARGETS nowsim_mpi_notes LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/nowsim)
endif()

# What nowsim_sim needs for it. Tests with sanitizers have a module of their own.
function(nowsim_use_simgrid_module)
  target_include_directories(nowsim_sim_checked_objects PRIVATE ${PROJECT_BINARY_DIR}/stamp/nowsim_simgrid)
  add_dependencies(nowsim_sim_checked_objects nowsim_simgrid_stamp)
  if(TARGET nowsim_sim_checked_objects_sanitized)
    nowsim_simgrid_module(nowsim_simgrid_sanitized)
    nowsim_sanitize(nowsim_simgrid_sanitized)
    target_include_directories(nowsim_sim_checked_objects_sanitized PRIVATE ${PROJECT_BINARY_DIR}/stamp/nowsim_simgrid_sanitized)
    add_dependencies(nowsim_sim_checked_objects_sanitized nowsim_simgrid_sanitized_stamp)
  endif()
  target_link_options(nowsim_sim INTERFACE LINKER:--export-dynamic-symbol=_ZN6nowsim*
                      LINKER:--export-dynamic-symbol=_ZNK6nowsim* LINKER:--export-dynamic-symbol=_ZT[ISV]N6nowsim*)
  set_source_files_properties(sim/platform/simgrid_module.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)  # fuzzers have another
  add_dependencies(nowsim_sim nowsim_simgrid)
  if(TARGET nowsim_mpi_notes)
    add_dependencies(nowsim_sim nowsim_mpi_notes)
  endif()
endfunction()
