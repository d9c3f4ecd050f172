// The names of the choices of an engine.
#include "experiments/driver/points/run_plan.hpp"

namespace nowsim {

const std::vector<std::string>& engine_names() {
  static const std::vector<std::string> names{"auto", "direct", "simgrid"};
  return names;
}

const char* engine_name(EngineChoice choice) { return engine_names()[static_cast<std::size_t>(choice)].c_str(); }

}  // namespace nowsim
