// The owner model `dedicated`: nobody else uses the machine.
#include "sim/owners/owner_models.hpp"

namespace nowsim {
namespace {

class Dedicated final : public OwnerModel {
 public:
  std::unique_ptr<Path> path(const StreamKey&) const override { return constant_path(1); }
  double mean() const override { return 1; }
  double sd() const override { return 0; }
  std::optional<IntervalModel> intervals() const override { return IntervalModel{1, 0, 1, 1}; }
  bool is_dedicated() const override { return true; }
  std::string describe() const override { return "dedicated"; }
};

}  // namespace

OwnerPtr dedicated_owner() { return std::make_shared<Dedicated>(); }

OwnerModelInfo dedicated_model() {
  return {"dedicated", "no owner: the whole machine, always (A = 1)", {},
          [](KeyReader&, const OwnerContext&) { return dedicated_owner(); }};
}

}  // namespace nowsim
