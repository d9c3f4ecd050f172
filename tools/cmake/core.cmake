# Which sources are of the core: what needs neither SimGrid nor SQLite, nor processes and threads of its own. Where the
# core does something in another way, X.core.cpp stands in for X.cpp.
set(nowsim_beyond_core
  # processes, and what only they do
  experiments/driver/text/run_program.cpp
  experiments/driver/mpi/mpi_recording.cpp
  # comparing the direct engine with SimGrid
  sim/engines/engine_agreement.cpp
  # the store, and what is read from it
  experiments/driver/running/batch_store.cpp
  experiments/driver/running/store_database.cpp
  experiments/driver/running/stored_rows.cpp
  experiments/driver/running/stored_tables.cpp
  experiments/driver/running/replication_rows.cpp
  experiments/driver/running/result_comparison.cpp
  experiments/driver/running/written_files.cpp
  experiments/driver/sweeps/experiment_store.cpp
  experiments/driver/sweeps/stored_origin.cpp
  experiments/driver/sweeps/stored_sweep.cpp
  experiments/driver/bundles/archive.cpp
  experiments/driver/bundles/tar_members.cpp
  experiments/driver/bundles/zip_members.cpp
  experiments/driver/bundles/bundle.cpp
  experiments/driver/bundles/bundled_files.cpp
  experiments/driver/reports/report_files.cpp
  experiments/driver/reports/reproduction.cpp)

# nowsim_choose_sources(SOURCES CORE): takes out of a list of paths what this build does not have, and puts those of the
# core into another. What stands in for others there is for tests of the core: global property nowsim_core_stand_ins.
function(nowsim_choose_sources list core)
  set(chosen ${${list}})
  set(stand_ins ${chosen})
  list(FILTER stand_ins INCLUDE REGEX "\\.core\\.cpp$")
  list(TRANSFORM stand_ins REPLACE "\\.core\\.cpp$" ".cpp" OUTPUT_VARIABLE replaced)
  list(TRANSFORM nowsim_beyond_core PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE beyond)
  set(of_core ${chosen})
  set(with_simgrid ${chosen})
  list(FILTER with_simgrid INCLUDE REGEX "/engines/simgrid/")
  list(FILTER with_simgrid EXCLUDE REGEX "/engines/simgrid/engine\\.cpp$")
  list(REMOVE_ITEM of_core ${beyond} ${replaced} ${with_simgrid})
  list(FILTER of_core EXCLUDE REGEX "/driver/shards/")
  if(NOWSIM_CORE)
    set(chosen ${of_core})
  else()
    list(REMOVE_ITEM chosen ${stand_ins})
    list(REMOVE_ITEM of_core ${stand_ins})
    list(FILTER of_core EXCLUDE REGEX "^${PROJECT_SOURCE_DIR}/tools/")  # the browser page has a part of it
    set_property(GLOBAL APPEND PROPERTY nowsim_core_stand_ins ${stand_ins})
  endif()
  set(${list} ${chosen} PARENT_SCOPE)
  set(${core} ${of_core} PARENT_SCOPE)
endfunction()
