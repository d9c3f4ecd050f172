// Hashing whose problem it is, and drawing from a stream of that seed.
#include "experiments/driver/labs/problem.hpp"

#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "experiments/driver/text/checksum.hpp"
#include "sim/base/text.hpp"
#include "sim/statistics/random.hpp"

namespace nowsim {
namespace {

constexpr std::uint64_t kMostJudgeSeeds = 1'000'000'000;

/// The texts in one, each with its length before it.
std::uint64_t hash_of(const std::vector<std::string>& texts) {
  std::string all;
  for (const auto& text : texts) all += fmt::format("{}:{}", text.size(), text);
  return std::bit_cast<std::uint64_t>(checksum(all));
}

/// What all students of a course have in common.
std::vector<std::string> course_texts(const Lab& lab, const LabOwner& owner) {
  return {"nowsim-lab", lab.name, owner.course, std::to_string(owner.seed)};
}

std::uint64_t with(std::vector<std::string> texts, const std::vector<std::string>& more) {
  texts.insert(texts.end(), more.begin(), more.end());
  return hash_of(texts);
}

}  // namespace

std::string signature_of(const std::vector<std::string>& texts) { return fmt::format("{:016x}", hash_of(texts)); }

Problem draw_problem(const Lab& lab, const LabOwner& owner, std::uint64_t attempt) {
  const auto common = course_texts(lab, owner);
  Problem problem{owner, {}, attempt, 1 + with(common, {"judge", owner.id}) % kMostJudgeSeeds,
                  1 + with(common, {"grade"}) % kMostJudgeSeeds, ""};
  auto signed_texts = common;
  signed_texts.insert(signed_texts.end(), {owner.id, std::to_string(attempt)});
  for (const auto& number : lab.problem) {
    // Each has a stream of its own, named by its name: adding a number to a lab leaves the others as they were.
    const std::uint64_t seed = with(common, {number.of_course ? "" : owner.id, number.name});
    Stream stream({seed, number.of_course ? 0 : attempt, kAllWorkstations, Purpose::workload});
    const auto place = static_cast<std::size_t>(stream.uniform() * static_cast<double>(number.values.size()));
    problem.numbers[number.name] = number.values[place];
    signed_texts.push_back(number.name + "=" + number_text(number.values[place]));
  }
  problem.signature = signature_of(signed_texts);
  return problem;
}

}  // namespace nowsim
