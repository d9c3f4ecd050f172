// The tables of the workloads' keys say what their programs read: the same names, kinds, defaults, bounds and words.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/driver/text/units.hpp"
#include "tests/paths.hpp"
#include "workloads/built_in.hpp"

using namespace nowsim;
using nowsim::test::source_folder;

namespace {

/// What a program asked for at a key.
struct Question {
  std::vector<KeyType> types;  ///< any of these
  std::optional<double> fallback;
  double least = 0, most = kInfinity;
  std::vector<std::string> words = {};
};
using Questions = std::vector<std::pair<std::string, Question>>;

/// Answers with defaults or small values, and every choice as it is told; notes what is asked.
class AskingReader final : public ParameterReader {
 public:
  AskingReader(std::vector<std::size_t>& choices, Questions& questions) : choices_(choices), questions_(questions) {}

  double work(const std::string& name, std::optional<double> f) override { return asked(name, {{KeyType::work}, f}, 1e6); }
  double bytes(const std::string& name, std::optional<double> f) override { return asked(name, {{KeyType::bytes}, f}, 1); }
  double time(const std::string& name, std::optional<double> f) override { return asked(name, {{KeyType::time}, f}, 1); }
  std::int64_t count(const std::string& name, std::optional<std::int64_t> f, std::int64_t least) override {
    std::optional<double> fallback;
    if (f) fallback = static_cast<double>(*f);
    return static_cast<std::int64_t>(asked(name, {{KeyType::count}, fallback, static_cast<double>(least)}, 8));
  }
  double number(const std::string& name, std::optional<double> f, double least, double most) override {
    return asked(name, {{KeyType::number, KeyType::share}, f, least, most}, least);
  }
  std::vector<double> numbers_of_file(const std::string& name) override {
    questions_.push_back({name, {{KeyType::path}, {}}});
    return {1, 2};
  }
  std::string path(const std::string& name) override {
    questions_.push_back({name, {{KeyType::path}, {}}});
    return source_folder() + "/experiments/traces/jacobi-4";
  }
  std::vector<std::string> texts(const std::string& name) override {
    questions_.push_back({name, {{KeyType::text}, 0.0}});
    return {};
  }
  WrittenFormula formula(const std::string& name, const std::vector<std::string>&, bool must_be_given) override {
    std::optional<double> fallback;
    if (!must_be_given) fallback = 0;
    questions_.push_back({name, {{KeyType::formula}, fallback}});
    return {"1", std::make_shared<const Formula>("1")};
  }
  std::size_t choice(const std::string& name, const std::vector<std::string>& words,
                     std::optional<std::size_t> f) override {
    std::optional<double> fallback;
    if (f) fallback = static_cast<double>(*f);
    questions_.push_back({name, {{KeyType::word}, fallback, 0, kInfinity, words}});
    if (const auto known = chosen_.find(name); known != chosen_.end()) return known->second;
    if (sizes_.size() == choices_.size()) choices_.push_back(0);
    sizes_.push_back(words.size());
    return chosen_[name] = choices_[sizes_.size() - 1];
  }

  /// Makes the next choices, like an odometer; false after the last ones.
  bool next() {
    while (!choices_.empty() && choices_.back() + 1 >= sizes_[choices_.size() - 1]) choices_.pop_back();
    if (choices_.empty()) return false;
    ++choices_.back();
    return true;
  }

 private:
  double asked(const std::string& name, Question question, double otherwise) {
    const double answer = question.fallback.value_or(otherwise);
    questions_.push_back({name, std::move(question)});
    return answer;
  }
  std::vector<std::size_t>& choices_;
  Questions& questions_;
  std::vector<std::size_t> sizes_;
  std::map<std::string, std::size_t> chosen_;
};

/// All that a workload asks, whatever it is told at the keys that choose.
Questions questions_of(const WorkloadInfo& info) {
  Questions questions;
  std::vector<std::size_t> choices;
  for (bool goes_on = true; goes_on;) {
    AskingReader reader(choices, questions);
    static_cast<void>(info.make(reader));
    goes_on = reader.next();
  }
  return questions;
}

std::optional<double> fallback_of(const Key& key) {
  if (key.fallback.value_or("").empty()) return std::nullopt;
  if (key.type == KeyType::word)
    return static_cast<double>(std::ranges::find(key.words, *key.fallback) - key.words.begin());
  const std::map<KeyType, Dimension> dimensions{{KeyType::number, Dimension::number}, {KeyType::share, Dimension::fraction},
                                                {KeyType::count, Dimension::count},   {KeyType::time, Dimension::time},
                                                {KeyType::work, Dimension::work},     {KeyType::bytes, Dimension::bytes}};
  return parse_quantity(*key.fallback, dimensions.at(key.type));
}

/// There may be two of a name, of values of two types.
bool is_of(const Key& key, const std::string& name, const Question& question) {
  return key.name == name && std::ranges::count(question.types, key.type) > 0;
}

void check_against(const Key& key, const Question& question) {
  // Where each value of another key has words of its own the table has all of them.
  for (const auto& word : question.words) CHECK(std::ranges::count(key.words, word) == 1);
  CHECK(key.words.empty() == question.words.empty());
  CHECK(question.least >= key.bounds.least);
  CHECK(question.most >= key.bounds.most);
  if (const auto fallback = fallback_of(key)) CHECK(question.fallback == fallback);
  else if (key.fallback) CHECK(question.fallback);  // what it is depends on others
}

}  // namespace

TEST_CASE("What a workload reads is what its table of keys says", "[computes][keys][workloads]") {
  const WorkloadRegistry workloads = builtin_workloads();
  for (const auto& info : workloads) {
    std::map<const Key*, int> asked, needed;
    std::map<const Key*, double> least;
    for (const auto& [name, question] : questions_of(info)) {
      INFO(info.name + "." + name);
      const auto key = std::ranges::find_if(info.keys, [&name, &question](const Key& k) { return is_of(k, name, question); });
      REQUIRE(key != info.keys.end());
      check_against(*key, question);
      ++asked[&*key];
      needed[&*key] += question.fallback ? 0 : 1;
      const auto [known, is_new] = least.try_emplace(&*key, question.least);
      if (!is_new) known->second = std::min(known->second, question.least);
    }
    for (const auto& key : info.keys) {
      INFO(info.name + "." + key.name);
      CHECK(asked[&key] > 0);
      CHECK((needed[&key] > 0) == !key.fallback);
      if (key.type == KeyType::count) CHECK(least[&key] == key.bounds.least);
    }
  }
}
