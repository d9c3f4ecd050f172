// A sum of very many numbers that come and go.
#pragma once

namespace nowsim {

/// Kept in two doubles, the second of which is what rounding left of the first (Knuth's TwoSum): twice the digits, with
/// the same bits on every machine, which long double has not.
class RunningSum {
 public:
  void add(double x) {
    const double sum = high_ + x, of_x = sum - high_;
    const double rest = low_ + ((high_ - (sum - of_x)) + (x - of_x));
    high_ = sum + rest;
    low_ = rest - (high_ - sum);
  }
  [[nodiscard]] double value() const { return high_; }

 private:
  double high_ = 0, low_ = 0;
};

}  // namespace nowsim
