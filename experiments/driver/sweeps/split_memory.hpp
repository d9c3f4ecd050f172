// Splits found before: where finding them again would cost simulations.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "sim/splitting/split_task.hpp"

namespace nowsim {

class BatchStore;

/// What was found, by key (of split_key() in resolve_splits.hpp).
class SplitMemory {
 public:
  virtual ~SplitMemory() = default;
  virtual std::optional<SplitReport> find(const std::string& key) = 0;
  virtual void keep(const std::string& key, const SplitReport& report) = 0;
};

/// In memory, for runs that keep nothing.
class PassingSplits final : public SplitMemory {
 public:
  std::optional<SplitReport> find(const std::string& key) override;
  void keep(const std::string& key, const SplitReport& report) override { known_[key] = report; }

 private:
  std::map<std::string, SplitReport> known_;
};

/// In a store, which outlives the object. One that is open for reading can be searched. What is kept is committed:
/// it cost seconds.
class StoredSplits final : public SplitMemory {
 public:
  explicit StoredSplits(BatchStore& store) : store_(&store) {}
  std::optional<SplitReport> find(const std::string& key) override;
  void keep(const std::string& key, const SplitReport& report) override;

 private:
  BatchStore* store_;
};

}  // namespace nowsim
