# WebAssembly, where emscripten compiles the core: how, and the libraries, which tools/build-page has put into the folder
# NOWSIM_PAGE_LIBRARIES. What of them is headers alone is there without packages of CMake's.
list(APPEND CMAKE_FIND_ROOT_PATH ${NOWSIM_PAGE_LIBRARIES})
include_directories(SYSTEM ${NOWSIM_PAGE_LIBRARIES}/include)
link_directories(${NOWSIM_PAGE_LIBRARIES}/lib)  # cmark-gfm is known by its name
foreach(headers Boost::headers fmt::fmt nlohmann_json::nlohmann_json)
  add_library(${headers} INTERFACE IMPORTED)
endforeach()
target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY)
set(CMAKE_POSITION_INDEPENDENT_CODE OFF)

add_compile_options(-fwasm-exceptions -msimd128)
add_link_options(-fwasm-exceptions)
