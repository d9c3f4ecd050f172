// An owner whose parameters were measured: every few replications see another of those that it may as well be.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/owners/owner.hpp"
#include "sim/statistics/parameter_steps.hpp"

namespace nowsim {

/// So many successive replications see one draw of the parameters: few, for many draws; enough to tell what varies within
/// a draw from what varies between draws (input_uncertainty.hpp). A power of two, as spans of observations are.
inline constexpr std::uint64_t kReplicationsPerDraw = 4;

/// What was fitted of the model `intervals`.
struct FittedParameters {
  double mean = 1, th = 0, interval_s = 0;
};

/// How far off that may be.
struct FitErrors {
  double worth = 0;          ///< independent observations that the measurement is worth (LoadFit)
  double mean_se = 0;        ///< standard error of the mean
  double th_share = 0;       ///< standard errors of TH and of the interval's length over themselves
  double interval_share = 0;
};

/// Student's law has at least so many degrees of freedom: with fewer it has no variance, and no estimate of T converges.
/// A measurement that is worth fewer than four observations is taken for one of four.
inline constexpr double kLeastFitFreedom = 3;

/// Makes the owner on intervals of given parameters.
using OwnerOfParameters = std::function<OwnerPtr(const FittedParameters&)>;

/// A parameter that was measured: its standard error, and that over the error on the scale on which it is drawn. Owners
/// with the same words see the same draws of it.
struct MeasuredParameter {
  MeasuredKind kind;
  double se, scale;
  std::string words;
};

/// What an owner's parameters were fitted to, and how far off that may be. The owner that has it has the parameters as
/// they were fitted: what moments, theory and splits go by.
struct OwnerFit {
  std::vector<MeasuredParameter> parameters;
  double worth;  ///< independent observations that the measurement is worth
  /// The owner whose parameters are off by so much, each on its scale; those that no law holds were brought to the nearest
  /// that it does.
  std::function<OwnerPtr(const std::vector<double>& off)> make;
  std::string identity;  ///< all that `make` and the errors depend on
};

/// One of the owners that a measured one may be: a draw's, or one that is a step to its side in the way of a block
/// (parameter_steps.hpp).
struct FitDraw {
  FitDraw(std::uint64_t number_, std::uint64_t block_ = 0, int step_ = 0)  // NOLINT: a number alone will do
      : number(number_), block(block_), step(step_) {}
  std::uint64_t number, block;
  int step;  ///< 1 up, -1 down
};

/// Parametric bootstrap over a fit: draw number d of a seed has the mean at a·exp(x)/(1 - a + a·exp(x)), x its standard
/// error on the scale of logit times a draw of Student's law of worth - 1 degrees of freedom; TH and the interval at
/// exp(standard error times a draw each), within factors of 3 and 20. Draws are cut at probability 0.0005 to
/// either side. Owners of which the same is said of a parameter's measurement see the same draws of it: the machines that
/// one measurement stands for are off together, whatever else differs between them. `make` makes owners on intervals.
OwnerPtr measured_owner(const OwnerPtr& fitted, const FittedParameters& at, const FitErrors& errors,
                        OwnerOfParameters make, std::string identity);
/// Of any model, whose parameters are off by as much on their scales.
OwnerPtr measured_owner(const OwnerPtr& fitted, OwnerFit fit);
/// The owner that a measured one is in the replications of a draw, with all that is laid over it.
OwnerPtr drawn(const Owner& measured, std::uint64_t seed, const FitDraw& draw);
/// An owner as replications see it, one after another: a measured one as the draw has it that some of them share.
class OwnerDraws {
 public:
  /// The owner outlives it.
  explicit OwnerDraws(const Owner& owner) : owner_(owner) {}
  /// Until that of another draw is asked for.
  const Owner& of(std::uint64_t seed, std::uint64_t replication);

 private:
  const Owner& owner_;
  OwnerPtr drawn_;
  std::uint64_t number_ = 0;
};

/// What was measured with errors, and how far a step of it leads: one standard error, of the mean and the interval more
/// where that is little, up to eight, so that what a step changes is more than how the last interval happens to end.
/// None of those whose error is 0.
std::vector<Measurement> measurements(const OwnerFit& fit);
std::vector<Measurement> measurements(const FittedParameters& at, const FitErrors& errors);

/// The parameters of a draw, or of a step to its side.
FittedParameters drawn_parameters(const FittedParameters& at, const FitErrors& errors, std::uint64_t seed,
                                  const FitDraw& draw);

}  // namespace nowsim
