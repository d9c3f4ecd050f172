// Remembering what was read: most points of a sweep differ in one key, and most of what they say is the same.
#pragma once

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "experiments/driver/reading/reader.hpp"

namespace nowsim {

/// Something read, with a number that nothing else read by the same memo has.
template <class T>
struct Remembered {
  T value;
  std::size_t number;
};

/// The results of one kind of reading, by the values of those keys that it asked for. What is asked for may depend on
/// values, but on nothing else: where the keys of an earlier reading have its values, the same would be read again.
template <class T>
class ReadingMemo {
 public:
  /// `varying`: the keys whose values are not the same at all points, and must have one at each.
  explicit ReadingMemo(const std::vector<std::string>& varying) : varying_(varying) {}

  /// What read(reading) gives. `inputs` says all that it depends on besides keys. What throws is not remembered, and
  /// what notes problems not for long.
  template <class Read>
  const Remembered<T>& get(Reading& reading, const std::string& inputs, const Read& read) {
    for (auto& kind : kinds_) {
      const auto known = kind.results.find(text_of(kind.keys, reading.settings, inputs));
      if (known != kind.results.end()) return known->second;
    }
    Asked asked{{}, reading.asked};
    Reading own{reading.settings, reading.problems, asked.keys, reading.formulas, reading.variables, {},
                reading.files,    reading.machines};
    const std::size_t problems = reading.problems.found();
    T value = read(own);
    if (reading.problems.found() > problems) return faulty_ = {std::move(value), count_++};
    Kind& kind = kind_of(asked.keys);
    if (kind.results.size() >= kMost) kind.results.clear();
    std::string text = text_of(kind.keys, reading.settings, inputs);
    return kind.results.insert_or_assign(std::move(text), Remembered<T>{std::move(value), count_++}).first->second;
  }

 private:
  static constexpr std::size_t kMost = 1000;  // of a kind: they are found again soon, or never

  /// Readings that asked for the same of the varying keys.
  struct Kind {
    std::vector<std::string> keys;
    std::unordered_map<std::string, Remembered<T>> results;
  };
  /// Keys that a reading asked for; the others learn of them at its end, however it ends.
  struct Asked {
    std::set<std::string> keys;
    std::set<std::string>& all;
    ~Asked() { all.insert(keys.begin(), keys.end()); }
  };

  static std::string text_of(const std::vector<std::string>& keys, const Settings& settings,
                             const std::string& inputs) {
    std::string text = inputs;
    for (const auto& key : keys) {
      const auto found = settings.find(key);
      text += found == settings.end() ? "\n-" : "\n=";
      if (found != settings.end())
        for (const auto& part : found->second.texts) text += part + "\n";
    }
    return text;
  }

  Kind& kind_of(const std::set<std::string>& asked) {
    std::vector<std::string> keys;
    for (const auto& key : varying_)
      if (asked.contains(key)) keys.push_back(key);
    for (auto& kind : kinds_)
      if (kind.keys == keys) return kind;
    return kinds_.emplace_back(std::move(keys), std::unordered_map<std::string, Remembered<T>>{});
  }

  const std::vector<std::string>& varying_;
  std::vector<Kind> kinds_;
  Remembered<T> faulty_{};  // the last that noted problems: others may want to note them too
  std::size_t count_ = 0;
};

}  // namespace nowsim
