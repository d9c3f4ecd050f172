// Values of successive replications, kept one by one, or as means of as many as there is room for.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "sim/statistics/fit_steps.hpp"

namespace nowsim {

/// So many entries a column may have, at most; of more replications successive ones are one entry. Even.
inline constexpr std::uint64_t kMostEntries = 16384;

/// One entry per span() successive replications, from the first on; the last may be of fewer. The span doubles when there
/// are too many entries. Columns are variables that are observed together. A column that somebody else holds is never
/// changed: whoever adds gets a copy.
class Observations {
 public:
  /// Of the first replications: their values, and those of the ones that were run again a step of measured parameters
  /// away (fit_steps.hpp).
  struct Stepped;
  using Column = std::shared_ptr<const std::vector<double>>;

  Observations() = default;
  /// @param span replications per entry to begin with, at least 1.
  Observations(std::size_t columns, std::uint64_t span) : span_(span), columns_(columns) {
    for (auto& column : columns_) column = std::make_shared<std::vector<double>>();
  }
  /// Adds the means over the next so many replications, one per column: always of as many, but for the last. Entries are
  /// of whole such numbers.
  void add(std::span<const double> means, std::uint64_t replications = 1);

  [[nodiscard]] bool is_kept() const { return !columns_.empty(); }
  [[nodiscard]] std::uint64_t span() const { return span_; }
  [[nodiscard]] std::uint64_t replications() const { return replications_; }
  [[nodiscard]] std::size_t columns() const { return columns_.size(); }
  [[nodiscard]] Column column(std::size_t i) const { return columns_[i]; }
  /// The columns' sum with these factors (missing ones are 0), entry by entry.
  [[nodiscard]] Column combined(std::span<const double> factors) const;
  void set_stepped(std::shared_ptr<const Stepped> stepped) { stepped_ = std::move(stepped); }
  /// What the mean of the columns' sum with these factors is moved by; nothing where nothing was run again.
  [[nodiscard]] std::shared_ptr<const FitSteps> steps(std::span<const double> factors) const;

 private:
  void double_span();

  std::uint64_t span_ = 1, replications_ = 0;
  std::vector<std::shared_ptr<std::vector<double>>> columns_;
  std::shared_ptr<const Stepped> stepped_;
};

struct Observations::Stepped {
  std::shared_ptr<const std::vector<Measurement>> measurements;
  std::shared_ptr<const Observations> values, stepped;
};

template <class Owner, class Part>
std::shared_ptr<const Observations::Stepped> stepped_observations(
    const std::shared_ptr<const std::vector<Measurement>>& measurements, const std::shared_ptr<Owner>& first,
    const Part& of_first, const std::shared_ptr<Owner>& stepped, const Part& of_stepped) {
  return std::make_shared<const Observations::Stepped>(
      Observations::Stepped{measurements, {first, &of_first.observed()}, {stepped, &of_stepped.observed()}});
}

/// Replications per entry once so many were added one by one, or in units (pairs).
inline std::uint64_t span_of(std::uint64_t replications, std::uint64_t unit) {
  std::uint64_t span = std::max<std::uint64_t>(1, unit);
  while (replications / span > kMostEntries) span *= 2;
  return span;
}

}  // namespace nowsim
