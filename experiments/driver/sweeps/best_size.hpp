// The size of a range at which a metric is best: all are tried.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/sweeps/size_search.hpp"

namespace nowsim {

class BestSize final : public SizeSearch {
 public:
  explicit BestSize(const SizeTask& task) : task_(task) {}
  [[nodiscard]] std::vector<double> wanted() const override;
  void learn(const std::vector<SizeTrial>& trials) override { trials_ = trials; }
  [[nodiscard]] SizeAnswer answer() const override;

 private:
  [[nodiscard]] const SizeTrial* best() const;
  [[nodiscard]] std::string remark(const SizeTrial& best) const;

  SizeTask task_;
  std::vector<SizeTrial> trials_;
};

}  // namespace nowsim
