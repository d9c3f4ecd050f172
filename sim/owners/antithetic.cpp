// Two owner models in turn.
#include "sim/owners/antithetic.hpp"

#include <utility>

#include "sim/base/error.hpp"

namespace nowsim {
namespace {

class AntitheticOwner final : public OwnerModel {
 public:
  AntitheticOwner(OwnerPtr even, OwnerPtr odd) : even_(std::move(even)), odd_(std::move(odd)) {}

  std::unique_ptr<Path> path(const StreamKey& key) const override {
    if (key.replication % 2 == 0) return even_->path(key);
    StreamKey before = key;
    --before.replication;
    return odd_->path(before);
  }
  double mean() const override { return even_->mean(); }
  double sd() const override { return even_->sd(); }
  std::optional<IntervalModel> intervals() const override { return even_->intervals(); }
  std::optional<SimpleIntervals> simple_intervals() const override {
    auto simple = even_->simple_intervals();
    const auto odd = odd_->simple_intervals();
    if (!simple || !odd) return std::nullopt;
    simple->odd_value = odd->value;
    return simple;
  }
  bool is_measured() const override { return even_->is_measured(); }
  std::vector<Measurement> measurements() const override { return even_->measurements(); }
  OwnerPtr as_drawn(std::uint64_t seed, const FitDraw& draw) const override {
    const OwnerPtr even = even_->as_drawn(seed, draw);
    return even ? std::make_shared<const AntitheticOwner>(even, odd_->as_drawn(seed, draw)) : nullptr;
  }
  std::string in_common() const override { return even_->in_common(); }
  std::string describe() const override { return even_->describe(); }
  std::string identity() const override { return "antithetic " + even_->identity(); }

 private:
  OwnerPtr even_, odd_;
};

}  // namespace

OwnerPtr antithetic_owner(const OwnerPtr& owner) {
  if (owner->is_dedicated()) return owner;
  OwnerPtr odd = owner->reflected();
  if (!odd)
    throw InputError("antithetic replications need values drawn on intervals, not the owner " + owner->describe());
  return std::make_shared<const AntitheticOwner>(owner, std::move(odd));
}

}  // namespace nowsim
