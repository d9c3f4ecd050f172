// The same program behind another description.
#include "experiments/driver/studies/placed_program.hpp"

#include <memory>
#include <utility>

namespace nowsim {
namespace {

class PlacedProgram final : public Workload {
 public:
  PlacedProgram(std::shared_ptr<const Workload> program, const std::vector<int>& machines)
      : Workload(placed(program->program(), machines)), program_(std::move(program)) {}

  Process run(Rank& self) const override { return program_->run(self); }
  void check_ended() const override { program_->check_ended(); }

 private:
  static ProgramDescription placed(ProgramDescription description, const std::vector<int>& machines) {
    description.placement = [machines](std::span<const Workstation>) { return machines; };
    return description;
  }
  std::shared_ptr<const Workload> program_;
};

}  // namespace

Scenario with_placement(const Scenario& scenario, const Placement& placement) {
  std::vector<int> machines;
  std::string identity = " placed=";
  for (const std::size_t machine : placement) {
    machines.push_back(static_cast<int>(machine));
    identity += std::to_string(machine) + ",";
  }
  Scenario out = scenario;
  out.workload = std::make_shared<const PlacedProgram>(scenario.workload, machines);
  out.workload_identity += identity;
  return out;
}

}  // namespace nowsim
