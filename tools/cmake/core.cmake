# Which sources are of the core: what needs neither SimGrid nor SQLite, nor processes and threads of its own. Where the
# core does something in another way, X.core.cpp stands in for X.cpp.
set(nowsim_beyond_core
  # processes, and what only they do
  sim/platform/forking.cpp
  experiments/driver/text/run_program.cpp
  experiments/driver/studies/mpi_recording.cpp
  experiments/driver/studies/mpi_smpirun.cpp
  experiments/driver/sweeps/cost_measurement.cpp
  experiments/driver/labs/confined_code.cpp
  experiments/driver/labs/confined_process.cpp
  experiments/driver/labs/confined_script.cpp
  experiments/driver/labs/confinement.cpp
  experiments/driver/labs/refused_calls.cpp
  experiments/driver/labs/start_code.cpp
  # comparing the direct engine with SimGrid
  sim/engines/engine_agreement.cpp
  sim/engines/random/random_case.cpp
  sim/engines/random/random_network.cpp
  sim/engines/random/random_program.cpp
  # the store, and what is read from it
  experiments/driver/running/batch_store.cpp
  experiments/driver/running/store_database.cpp
  experiments/driver/running/store_lock.cpp
  experiments/driver/running/store_seal.cpp
  experiments/driver/running/stored_rows.cpp
  experiments/driver/running/replication_rows.cpp
  experiments/driver/running/result_comparison.cpp
  experiments/driver/running/comparison_output.cpp
  experiments/driver/running/written_files.cpp
  experiments/driver/sweeps/experiment_store.cpp
  experiments/driver/sweeps/stored_code.cpp
  experiments/driver/sweeps/stored_origin.cpp
  experiments/driver/sweeps/stored_sweep.cpp
  experiments/driver/reports/experiment_listing.cpp
  experiments/driver/bundles/archive.cpp
  experiments/driver/bundles/bundle.cpp
  experiments/driver/bundles/bundle_json.cpp
  experiments/driver/bundles/bundle_page.cpp
  experiments/driver/bundles/bundle_script.cpp
  experiments/driver/bundles/bundled_experiment.cpp
  experiments/driver/bundles/bundled_flags.cpp
  experiments/driver/bundles/file_tree.cpp
  experiments/driver/bundles/rehearsal.cpp
  experiments/driver/text/sha256.cpp
  experiments/driver/reports/report_file.cpp
  experiments/driver/reports/reproduction.cpp)

# nowsim_choose_sources(SOURCES): takes out of a list of paths what this build does not have.
function(nowsim_choose_sources list)
  set(chosen ${${list}})
  if(NOWSIM_CORE)
    foreach(source IN LISTS ${list})
      if((source MATCHES "/engines/simgrid/" AND NOT source MATCHES "/simgrid/engine\\.cpp$") OR source MATCHES "/driver/shards/")
        list(REMOVE_ITEM chosen ${source})
      elseif(source MATCHES "\\.core\\.cpp$")
        string(REPLACE ".core.cpp" ".cpp" replaced ${source})
        list(REMOVE_ITEM chosen ${replaced})
      endif()
    endforeach()
    list(TRANSFORM nowsim_beyond_core PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE beyond)
    list(REMOVE_ITEM chosen ${beyond})
  else()
    list(FILTER chosen EXCLUDE REGEX "\\.core\\.cpp$")
  endif()
  set(${list} ${chosen} PARENT_SCOPE)
endfunction()
