# Python's module `nowsim`: the extension _nowsim beside the package's files, in the build folder as it is installed.
option(NOWSIM_PYTHON "Build the Python module, where Debian's python3-dev and pybind11-dev are there" ON)
if(NOT NOWSIM_PYTHON OR NOWSIM_SANITIZE OR NOWSIM_FUZZERS)  # a Python without sanitizers cannot load a module with them
  return()
endif()
if(NOT DEFINED Python3_EXECUTABLE AND EXISTS /usr/bin/python3)
  set(Python3_EXECUTABLE /usr/bin/python3)  # Debian's, whose packages these are, whatever comes first on the PATH
endif()
find_package(Python3 3.10 COMPONENTS Interpreter Development.Module)
find_package(pybind11 2.10 CONFIG)
set(NOWSIM_PYTHON_MISSING OFF CACHE INTERNAL "tools/debian/set-up.sh configures again where packages were missing")
if(NOT Python3_FOUND OR NOT pybind11_FOUND)
  set(NOWSIM_PYTHON_MISSING ON CACHE INTERNAL "")
  message(STATUS "no Python module: Debian's python3-dev and pybind11-dev are not here")
  return()
endif()

set(nowsim_python_folder ${PROJECT_BINARY_DIR}/python/nowsim)
file(GLOB nowsim_python_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tools/python/*.cpp)
file(GLOB nowsim_python_files CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/tools/python/nowsim ${PROJECT_SOURCE_DIR}/tools/python/nowsim/*.py)
pybind11_add_module(nowsim_python MODULE NO_EXTRAS ${nowsim_python_sources} ${nowsim_fast_objects})
set_target_properties(nowsim_python PROPERTIES UNITY_BUILD ${NOWSIM_UNITY} UNITY_BUILD_BATCH_SIZE 12 OUTPUT_NAME _nowsim LIBRARY_OUTPUT_DIRECTORY ${nowsim_python_folder}
                      CXX_VISIBILITY_PRESET default  # what the SimGrid module uses is looked up here
                      INSTALL_RPATH "$ORIGIN/../../../../${CMAKE_INSTALL_LIBDIR}/nowsim")
target_compile_options(nowsim_python PRIVATE $<$<CONFIG:Release>:-Og>
                       -Wno-attributes  # pybind11's types are hidden, classes that hold them are not
                       $<$<NOT:$<CONFIG:Release>>:-Wno-mismatched-new-delete>)  # GCC 12, unoptimised, of coroutines with a frame pool
target_link_libraries(nowsim_python PRIVATE nowsim_tools nowsim_options spdlog::spdlog fmt::fmt nlohmann_json::nlohmann_json)

foreach(file IN LISTS nowsim_python_files)
  configure_file(${PROJECT_SOURCE_DIR}/tools/python/nowsim/${file} ${nowsim_python_folder}/${file} COPYONLY)
endforeach()

list(TRANSFORM nowsim_python_files PREPEND ${nowsim_python_folder}/ OUTPUT_VARIABLE nowsim_python_built)
set(nowsim_python_stubs ${nowsim_python_folder}/questions.pyi ${nowsim_python_folder}/running.pyi ${nowsim_python_folder}/py.typed)
add_custom_command(OUTPUT ${nowsim_python_stubs}  # for type checkers
                   COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tools/python/make_stubs.py ${nowsim_python_folder}
                   DEPENDS nowsim_python ${nowsim_python_built} ${PROJECT_SOURCE_DIR}/tools/python/make_stubs.py)
add_custom_target(nowsim_python_stubs ALL DEPENDS ${nowsim_python_stubs})

# Where the Python of this system looks for packages below the prefix that is installed to: known only when that is done.
install(CODE "execute_process(COMMAND ${Python3_EXECUTABLE} \"${PROJECT_SOURCE_DIR}/tools/cmake/python_folder.py\" \"\${CMAKE_INSTALL_PREFIX}\"
                              OUTPUT_VARIABLE nowsim_python_folder OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)" COMPONENT python)
install(TARGETS nowsim_python LIBRARY DESTINATION "\${nowsim_python_folder}/nowsim" COMPONENT python)
install(DIRECTORY tools/python/nowsim/ DESTINATION "\${nowsim_python_folder}/nowsim" COMPONENT python FILES_MATCHING PATTERN "*.py")
install(FILES ${nowsim_python_stubs} DESTINATION "\${nowsim_python_folder}/nowsim" COMPONENT python)
install(DIRECTORY tools/python/examples DESTINATION ${CMAKE_INSTALL_DATADIR}/nowsim/python COMPONENT python FILES_MATCHING PATTERN "*.py")
