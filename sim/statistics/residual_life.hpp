// What is left of an interval at a moment that has nothing to do with it.
#pragma once

#include <memory>

#include "sim/statistics/distribution.hpp"

namespace nowsim {

/// The law of residual life: with the density P[L > x]/E[L], what a renewal process of lengths L that has run for ever has
/// before it at any moment (Cox, Renewal Theory, 1962, 5.3).
class ResidualLife {
 public:
  virtual ~ResidualLife() = default;
  /// At two independent uniform numbers in [0, 1): of an interval that is as likely as it is long, a uniform part; by laws
  /// whose residual life has a formula of its own the first number alone. Exact to 1e-10 of the probability.
  [[nodiscard]] virtual double at(double u, double part) const = 0;
};

/// Of lengths of a law that is never negative. Exact for each law of length_laws() and for histograms; of formulas as exactly
/// as their mean. @throws std::logic_error for laws that no length has.
ResidualLifePtr residual_life(const Distribution& length);

/// For the laws' own files: of the size-biased law, whose value at u is value(u).
template <class Value>
ResidualLifePtr part_of(Value value) {
  class Part final : public ResidualLife {
   public:
    explicit Part(Value value) : value_(std::move(value)) {}
    [[nodiscard]] double at(double u, double part) const override { return part * value_(u); }

   private:
    Value value_;
  };
  return std::make_shared<const Part>(std::move(value));
}

/// Where residual life has a quantile function of its own.
template <class Quantile>
ResidualLifePtr residual_at(Quantile quantile) {
  class Whole final : public ResidualLife {
   public:
    explicit Whole(Quantile quantile) : quantile_(std::move(quantile)) {}
    [[nodiscard]] double at(double u, double) const override { return quantile_(u); }

   private:
    Quantile quantile_;
  };
  return std::make_shared<const Whole>(std::move(quantile));
}

}  // namespace nowsim
