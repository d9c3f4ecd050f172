// The list of techniques, and what all of them have in common.
//
// Where a paper leaves a choice, that of two published implementations decides: DLS4LB (Mohammed & Ciorba, after Carino
// & Banicescu's DLB_tool) and LB4OMP (Korndoerfer et al., "LB4OMP: a dynamic load balancing library for multithreaded
// applications", IEEE TPDS 33(4), 2022). Where they differ from what is published or from one another, the techniques
// have versions (`as`). Lines that are named here and in the techniques' files are those of DLS.c of
// github.com/unibas-dmi-hpc/DLS4LB at commit 7e6cfeb1, and of runtime/src/kmp_dispatch.cpp of
// github.com/unibas-dmi-hpc/LB4OMP at commit bd45b1ef. DLS4LB as where its workers ask at a chunk's end (requestWhen 0)
// and minChunk is not given; its foreman works too, a farm's server does not.
#include "workloads/farm/self_scheduling.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "sim/base/registry.hpp"

namespace nowsim {

using TechniqueFamily = std::vector<Technique>();

// clang-format off
NOWSIM_LISTED(TechniqueFamily, kFamilies,
              equal_chunks,
              decreasing_chunks,
              factoring,
              bold_strategy,
              weighted_factoring,
              adaptive_factoring,
              formula_technique);
// clang-format on

namespace {

/// Of mean 1.
std::vector<double> normalised(std::vector<double> weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& w : weights) w = sum > 0 ? w * static_cast<double>(weights.size()) / sum : 1;
  return weights;
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

LoopState::LoopState(std::int64_t n, std::span<const double> given, const TechniqueParameters& p,
                     std::vector<double> speeds)
    : parameters(p), tasks(n), remaining(n), weights(normalised({given.begin(), given.end()})),
      speeds_flops(speeds.empty() ? std::vector(weights.size(), p.mean_flop) : std::move(speeds)),
      mean_speed_flops(mean(speeds_flops)), records(weights.size()) {
  if (parameters.min_chunk > 0) return;
  const std::int64_t usual = size_for_chunks_of_factoring(tasks, workers()) / 2;  // DLS4LB, lines 666-669
  parameters.min_chunk = std::max<std::int64_t>(1, std::min(usual, parameters.whole_or("max_chunk", usual)));
}

std::string Technique::parameters() const {
  std::vector<std::string> names = words_in(keys);
  if (!versions.empty()) names.emplace_back("as");
  if (versions.empty() ? has_least : versions.front().has_least) names.emplace_back("min_chunk");
  std::string text;
  for (const auto& each : names) text += (text.empty() ? "" : ", ") + each;
  return text;
}

void Technique::become(const Technique& version) {
  next = version.next;
  learns = version.learns;
  has_least = version.has_least;
  usual_least = version.usual_least;
}

Registry<Technique> builtin_techniques() {
  Registry<Technique> all;
  for (const auto family : kFamilies)
    for (Technique& technique : family()) {
      if (!technique.versions.empty()) technique.become(technique.versions.front());
      all.add(std::move(technique));
    }
  all.add({.name = "static",  // nothing to schedule: what the others are compared with
           .summary = "each worker gets the share that the split gives it, at once",
           .has_least = false,
           .uses_shares = true});
  return all;
}

std::int64_t next_chunk(const Technique& technique, LoopState& state, std::size_t worker) {
  if (state.remaining == 0) return 0;
  const std::int64_t asked = technique.next(state, worker);
  const std::int64_t least = technique.has_least ? state.parameters.min_chunk : 1;
  const std::int64_t chunk = std::min(state.remaining, std::max(asked, least));
  state.remaining -= chunk;
  ++state.chunks;
  return chunk;
}

double about_chunks(const Technique& technique, const TechniqueParameters& parameters, std::int64_t tasks, int workers) {
  constexpr std::int64_t kMostChunks = 100'000;
  const std::vector<double> alike(static_cast<std::size_t>(workers), 1.0);
  LoopState state(tasks, alike, parameters);
  std::int64_t chunk = 1;
  while (state.remaining > 0 && state.chunks < kMostChunks) {
    const std::size_t worker = static_cast<std::size_t>(state.chunks) % alike.size();
    chunk = next_chunk(technique, state, worker);
    const auto n = static_cast<double>(chunk);  // tasks of 1 s in the mean
    if (technique.learns != Technique::Learns::nothing)
      state.records.add(worker, {chunk, n, (n - 1) * parameters.cv * parameters.cv});
  }
  return static_cast<double>(state.chunks) + static_cast<double>(state.remaining) / static_cast<double>(chunk);
}

}  // namespace nowsim
