// Sums over genes, and a count of bits.
#include "workloads/genetic/benchmark_functions.hpp"

#include <array>

#include "sim/statistics/portable.hpp"

namespace nowsim {
namespace {

constexpr double kDeJong = 5.12, kRosenbrock = 2.048;

double sphere(const Genome& genome, const GenomeShape& shape) {
  double sum = 0;
  for (const double x : decode(genome, shape, -kDeJong, kDeJong)) sum += x * x;
  return sum;
}

double rastrigin(const Genome& genome, const GenomeShape& shape) {
  double sum = 0;
  for (const double x : decode(genome, shape, -kDeJong, kDeJong))
    sum += x * x + 10 * (1 - portable::cos_of_turns(x));
  return sum;
}

double rosenbrock(const Genome& genome, const GenomeShape& shape) {
  const auto x = decode(genome, shape, -kRosenbrock, kRosenbrock);
  double sum = 0;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    const double off_valley = x[i + 1] - x[i] * x[i], off_one = 1 - x[i];
    sum += 100 * off_valley * off_valley + off_one * off_one;
  }
  return sum;
}

double zeros(const Genome& genome, const GenomeShape&) { return genome.bits() - genome.ones(); }

constexpr std::array<BenchmarkFunction, 4> kFunctions{
    {{"sphere", 1, sphere}, {"rastrigin", 1, rastrigin}, {"rosenbrock", 2, rosenbrock}, {"one-max", 1, zeros}}};

}  // namespace

std::span<const BenchmarkFunction> benchmark_functions() { return kFunctions; }

}  // namespace nowsim
