// What is recorded of each workstation of a replication: one enumeration and its table, from the engines to statistics.
#pragma once

#include <array>
#include <cstddef>

namespace nowsim {

struct Scenario;

/// What an engine records of each workstation: to add one, append it here and to quantity_kind()'s table, and record it.
/// Packed results know them by their numbers: never renumber.
enum class Quantity : std::size_t {
  finish_s,        ///< T_i: when the rank finished
  work_flop,       ///< work done; without what was lost when a machine switched off
  active_s,        ///< time spent in computing it
  owner_s,         ///< the CPU time the owner used in [0, T]: the integral of 1 - A, or what jobs got (which on several
                   ///< cores may be more than T)
  messages,        ///< messages sent
  sent_bytes,
  owner_jobs,      ///< owner jobs completed in [0, T]; 0 for owners of other models
  owner_slowdown,  ///< of these: the sum of response time / demand
  count_           ///< how many there are
};
inline constexpr std::size_t kQuantities = static_cast<std::size_t>(Quantity::count_);

/// A T of each quantity.
template <class T>
class PerQuantity {
 public:
  T& operator[](Quantity q) { return of_[static_cast<std::size_t>(q)]; }
  const T& operator[](Quantity q) const { return of_[static_cast<std::size_t>(q)]; }
  auto begin() { return of_.begin(); }
  auto begin() const { return of_.begin(); }
  auto end() { return of_.end(); }
  auto end() const { return of_.end(); }

 private:
  std::array<T, kQuantities> of_{};
};

/// All of them, in order.
inline constexpr auto kAllQuantities = [] {
  std::array<Quantity, kQuantities> all{};
  for (std::size_t q = 0; q < kQuantities; ++q) all[q] = static_cast<Quantity>(q);
  return all;
}();

/// What a quantity is, and what a batch's record keeps of it.
struct QuantityKind {
  const char* name;         ///< as sentences name that of a workstation: "finish time"
  const char* column;       ///< as a table's column is headed: "finish"
  const char* unit;         ///< "" of plain numbers
  bool is_per_workstation;  ///< values or moments of each workstation are kept
  bool has_total;           ///< of each replication the sum over the workstations is kept
  bool (*is_recorded)(const Scenario&) = nullptr;  ///< where that sum is; null: everywhere

  /// Times of a replication are measured against its makespan.
  [[nodiscard]] bool is_time() const { return unit[0] == 's'; }
};

const QuantityKind& quantity_kind(Quantity q);

}  // namespace nowsim
