// Ways to get narrower intervals from as many replications, by name, and a scenario prepared for one; among them
// control variates: numbers of a replication, correlated with its makespan, whose means are exactly 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nowsim {

struct Scenario;

/// A line of `nowsim list variance-reductions`, and of what `run.variance_reduction` can be.
struct VarianceReduction {
  const char* name;
  const char* summary;
  bool antithetic;  ///< replications come in pairs, 2k and 2k + 1 (antithetic_owner())
  bool controls;    ///< replications record control variates

  /// How many replications make up one independent observation.
  [[nodiscard]] std::uint64_t unit() const { return antithetic ? 2 : 1; }
};

inline constexpr VarianceReduction kVarianceReductions[] = {
    {"none", "independent replications, plain means", false, false},
    {"antithetic", "replications in pairs, the second with owners' values mirrored", true, false},
    {"control-variates", "means corrected by how the owners happened to deviate from theirs", false, true},
    {"both", "antithetic pairs, and control variates of pairs", true, true},
};
inline constexpr const VarianceReduction& kNoVarianceReduction = kVarianceReductions[0];

/// Gives a scenario the owners and the control variates that this takes; to be called once, when all else is in place.
/// @throws InputError naming the workstation whose owner does not allow it.
void reduce_variance(Scenario& scenario, const VarianceReduction& how);

// What is used, and why its mean is known. On a workstation whose owner is of the model `intervals` (lengths L, values
// A, mean a) let e be the end of the interval that holds at the makespan T, and
//   M = (integral of A from 0 to e) - a·e = the sum of L·(A - a) over the intervals begun by T.
// The intervals begun by T are a random number of independent ones, but whether one more begins depends only on what
// came before it: the number is a stopping time, for any program. So by Wald's identities, exactly and from the first
// interval on, E[M] = 0 and E[M²] = E[number]·E[L²]·Var A, and E[e] = E[number]·E[L], which gives
//   Q = M² - e·Var A·E[L²]/E[L],   E[Q] = 0;
// and of two workstations, which are independent, E[M_i·M_j] = 0.
// The work done by T itself, the integral to T less a·T, has no such mean: E differs from 0 by the interval that is cut
// off. Work done by a time fixed beforehand has the mean a times that time, but few fixed times tell as much of T.
//
// Other owner models are not served. Duty cycles and traces that begin at a random moment are stationary from 0 on, so
// that a fixed time would do for them; but all their chance lies in that moment, and nothing of it is left for a random
// T. Profiles begin with a value that is not drawn, aligned duty cycles with the free part: not stationary. Owner jobs
// react to the task.
//
// A finish time of mean t_i falls by M_i/a_i. So of T = max_i T_i three sums tell most, as Taylor's series of tau does:
// of x_i = P_i·M_i/a_i, where P_i, the first derivative of tau to t_i, is the chance that workstation i is the last; of
// D_i·Q_i/a_i², D_i the second derivative; and of x_i·x_j over all pairs, in place of the mixed ones. P_i and D_i are
// those of independent normals with the renewal-reward moments. Whether they are right decides how much is gained; the
// means are 0 with any weights that are fixed beforehand.

/// The sums' weights. Immutable.
class ControlVariates {
 public:
  /// Of a scenario whose owners all are dedicated or of the model intervals; owners and shares are in place.
  explicit ControlVariates(const Scenario& scenario);

  /// How many there are: all three sums; or the first alone where E[L⁴] is infinite somewhere, and with it Var Q.
  [[nodiscard]] std::size_t count() const { return count_; }
  /// Adds a workstation's part: the integral of A to the end of the step that holds at the makespan, and that end [s].
  void add(std::size_t workstation, double integral_s, double end_s, std::vector<double>& sums) const {
    const Weights& w = weights_[workstation];
    const double deviation_s = integral_s - w.mean * end_s;
    const double x = w.linear * deviation_s;
    if (count_ > 1) {
      sums[1] += w.quadratic * (deviation_s * deviation_s - w.growth_s * end_s);
      sums[2] += sums[0] * x;  // with all workstations before
    }
    sums[0] += x;
  }
  /// The sums of a replication that ended at T, from its paths drawn anew.
  [[nodiscard]] std::vector<double> sums(const Scenario& scenario, std::uint64_t replication, double makespan_s) const;

 private:
  struct Weights {
    double mean = 1;       ///< a; of a dedicated machine all others are 0
    double growth_s = 0;   ///< Var A·E[L²]/E[L]
    double linear = 0;     ///< P/a
    double quadratic = 0;  ///< D/a² [1/s]
  };
  std::vector<Weights> weights_;
  std::size_t count_ = 3;
};

}  // namespace nowsim
