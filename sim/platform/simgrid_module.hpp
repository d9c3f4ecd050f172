// What only SimGrid can do, behind the functions of a module that is loaded when one of them is wanted: the dynamic
// linker takes longer over SimGrid's libraries than most commands take.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/platform/platform.hpp"

namespace nowsim {

struct Batch;
struct Scenario;

/// What SimGrid makes of a machine in a file.
struct DescribedMachine {
  std::string name;
  double speed_flops = 1;
  int cores = 1;
  double memory_bytes = -1;              ///< less than 0: not said
  std::vector<std::string> properties{};  ///< each one's name, then its value
  template <class All>
  void fields(All& all) {
    all(name, speed_flops, cores, memory_bytes, properties);
  }
};

/// What it makes of a file.
struct PlatformDescription {
  std::vector<DescribedMachine> machines;  ///< in the file's order
  std::vector<Link> links;
  template <class All>
  void fields(All& all) {
    all(machines, links);
  }
};

/// Functions that make SimGrid's engine, of which a process can have one: to be called in a child. What they return is
/// packed. They throw InputError for what SimGrid rejects; some mistakes make SimGrid end the process.
struct SimGridModule {
  using Pairs = std::span<const std::pair<std::size_t, std::size_t>>;

  const char* stamp;  ///< what it was built from, to be compared before anything else is looked at
  /// A PlatformDescription of a platform's XML; the name stands for it in errors.
  std::string (*describe)(const std::string& xml, const std::string& name);
  /// FoundRoutes (routes.hpp) between pairs of workstations.
  std::string (*routes)(const Platform& platform, Pairs pairs);
  /// A BatchPart (sim/engines/simgrid/engine.hpp): of the first replications of a batch as many as one engine can.
  std::string (*run)(const Scenario& scenario, const Batch& batch, double typical_time_s);
  /// The release of SimGrid that is loaded, such as 3.32 or 4.0.1: no engine is made.
  std::string (*version)();
};

/// Loads it, once per process: before children are forked that need it, or each would. @throws RunError where it cannot
/// be loaded, or belongs to another build of nowsim.
const SimGridModule& simgrid_module();

/// As SimGridModule::describe() and routes(), to the bit, of platforms that are made of zones whose routing is Full, Floyd,
/// Cluster or None, flat clusters and cabinets. @throws InputError for any other, of which SimGrid would be needed.
std::string native_description(const std::string& xml, const std::string& source);
std::string native_routes(const Platform& platform, SimGridModule::Pairs pairs);

}  // namespace nowsim
