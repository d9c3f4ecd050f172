// Functions that genetic algorithms are tried on, by name.
#pragma once

#include <span>
#include <string_view>

#include "workloads/genetic/genome.hpp"

namespace nowsim {

/// An objective function of a genome, to be minimised; never negative, and 0 at its optimum alone.
struct BenchmarkFunction {
  std::string_view name;
  int least_genes;
  double (*objective)(const Genome& genome, const GenomeShape& shape);
};

/// sphere: sum x², on [-5.12, 5.12] (De Jong's F1, "An analysis of the behavior of a class of genetic adaptive
///   systems", University of Michigan, 1975);
/// rastrigin: 10 n + sum (x² - 10 cos 2 pi x), on [-5.12, 5.12] (Muehlenbein, Schomisch & Born, "The parallel genetic
///   algorithm as function optimizer", Parallel Computing 17, 1991);
/// rosenbrock: sum 100 (x_{i+1} - x_i²)² + (1 - x_i)², on [-2.048, 2.048] (De Jong's F2 in n dimensions);
/// one-max: the bits that are 0, so that minimising it maximises those that are 1 (Schaffer & Eshelman, Proc. ICGA 4,
///   1991).
std::span<const BenchmarkFunction> benchmark_functions();

}  // namespace nowsim
