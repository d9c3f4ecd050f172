// Finding a lab's parts by name.
#include "experiments/driver/labs/lab.hpp"

#include <algorithm>

namespace nowsim {
namespace {

template <class Named>
const Named* lab_part(const std::vector<Named>& parts, const std::string& name) {
  const auto found = std::ranges::find(parts, name, &Named::name);
  return found == parts.end() ? nullptr : &*found;
}

}  // namespace

const LabExperiment* Lab::experiment(const std::string& name_) const { return lab_part(experiments, name_); }
const LabFact* Lab::fact(const std::string& name_) const { return lab_part(facts, name_); }

std::string Lab::check_command() const {
  return std::string("nowsim lab check .") + (by_flag ? " --labs DIR" : "");
}

double Lab::marks() const {
  double sum = 0;
  for (const auto& s : steps)
    for (const auto& asked : s.questions) sum += asked.marks;
  return sum;
}

}  // namespace nowsim
