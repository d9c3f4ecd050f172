# The page's part in WebAssembly: build/.../nowsim_page.js and .wasm, which tools/build-page puts into nowsim-labs.html.
add_executable(nowsim_page tools/page/wasm_main.cpp)
target_link_libraries(nowsim_page PRIVATE nowsim_session nowsim_options)
target_link_options(nowsim_page PRIVATE --bind -sMODULARIZE -sEXPORT_NAME=nowsimModule -sENVIRONMENT=worker
                    -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB -sSTACK_SIZE=4MB -sFORCE_FILESYSTEM -sEXPORTED_RUNTIME_METHODS=FS
                    -sDYNAMIC_EXECUTION=0)  # as the page's content security policy wants it
# xxHash takes the emulation of another processor's registers for one.
set_source_files_properties(experiments/driver/text/checksum.cpp workloads/mpi/mpi_trace_writer.cpp workloads/mpi/file_bytes.core.cpp
                            PROPERTIES COMPILE_OPTIONS -mno-simd128 SKIP_UNITY_BUILD_INCLUSION ON)
