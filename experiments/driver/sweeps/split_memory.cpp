// The two memories.
#include "experiments/driver/sweeps/split_memory.hpp"

#include "experiments/driver/running/batch_store.hpp"

namespace nowsim {

std::optional<SplitReport> PassingSplits::find(const std::string& key) {
  const auto known = known_.find(key);
  return known == known_.end() ? std::nullopt : std::optional(known->second);
}

std::optional<SplitReport> StoredSplits::find(const std::string& key) { return store_->find_split(key); }

void StoredSplits::keep(const std::string& key, const SplitReport& report) {
  store_->keep_split(key, report);
  store_->commit();
}

}  // namespace nowsim
