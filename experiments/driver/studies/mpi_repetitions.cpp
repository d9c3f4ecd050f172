// Compute by compute.
#include "experiments/driver/studies/mpi_repetitions.hpp"

#include <algorithm>

#include "sim/base/error.hpp"

namespace nowsim {
namespace {

double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

double spread_of(const std::vector<double>& values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const double median = median_of(values);
  return median > 0 ? (*most - *least) / median : 0;
}

std::string told(const std::vector<MpiLine>& lines, std::size_t i) {
  if (i >= lines.size()) return "nothing more";
  return lines[i].is_compute() ? "'compute'" : "'" + lines[i].text + "'";
}

void check_alike(std::size_t rank, const std::vector<MpiLine>& first, const std::vector<MpiLine>& other,
                 std::size_t k) {
  std::size_t i = 0;
  while (i < first.size() && i < other.size() && first[i].text == other[i].text) ++i;
  if (i == first.size() && i == other.size()) return;
  throw RunError("the program's course depends on timing: rank " + std::to_string(rank) + " does " + told(first, i) +
                 " in line " + std::to_string(i + 1) + " of its trace the first time, and " + told(other, i) +
                 " in repetition " + std::to_string(k + 1) + "; without --repeat one of its courses is recorded");
}

/// What each repetition says.
template <class Tell>
std::vector<double> of_each(const std::vector<MpiRanks>& repetitions, Tell tell) {
  std::vector<double> values;
  for (const auto& ranks : repetitions) values.push_back(tell(ranks));
  return values;
}

}  // namespace

MpiMedian median_recording(std::vector<MpiRanks> repetitions) {
  MpiMedian out;
  std::vector<double> of_computes;
  out.ranks = repetitions.front();
  for (std::size_t r = 0; r < out.ranks.size(); ++r) {
    auto& lines = out.ranks[r].lines;
    for (std::size_t k = 1; k < repetitions.size(); ++k) check_alike(r, lines, repetitions[k][r].lines, k);
    for (std::size_t i = 0; i < lines.size(); ++i)
      if (lines[i].is_compute()) {
        const auto flop = of_each(repetitions, [&](const MpiRanks& ranks) { return ranks[r].lines[i].flop; });
        lines[i].flop = median_of(flop);
        of_computes.push_back(spread_of(flop));
      }
    out.spread.by_rank.push_back(spread_of(of_each(repetitions, [&](const MpiRanks& all) { return flop_of(all[r]); })));
  }
  out.spread.total = spread_of(of_each(repetitions, [](const MpiRanks& all) { return flop_of(all); }));
  out.spread.median_compute = median_of(std::move(of_computes));
  return out;
}

double flop_of(const MpiRankTrace& rank) {
  double sum = 0;
  for (const auto& line : rank.lines) sum += line.flop;
  return sum;
}

double flop_of(const MpiRanks& ranks) {
  double sum = 0;
  for (const auto& rank : ranks) sum += flop_of(rank);
  return sum;
}

void scale_flop(MpiRanks& ranks, double factor) {
  for (auto& rank : ranks)
    for (auto& line : rank.lines) line.flop *= factor;
}

double scale_to_total(MpiRanks& ranks, double total_flop) {
  const double there = flop_of(ranks);
  if (!(there > 0))
    throw InputError(
        "the recording has no computing that could be scaled: with --explicit a program says by "
        "smpi_execute_flops() what it computes");
  scale_flop(ranks, total_flop / there);
  return total_flop / there;
}

}  // namespace nowsim
