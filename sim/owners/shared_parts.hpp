// What owner models of many workstations and points have in common in memory.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <typeindex>
#include <typeinfo>
#include <utility>
#include <vector>

namespace nowsim {

enum class NoteOn { gaps, partial_jobs, weekends, replays };

/// Files that were read, models that are equal, and the like: each made once, found by its type and an exact name.
class SharedParts {
 public:
  /// The part of that name, or else what `make` returns, a std::shared_ptr<const T>. What throws is not kept.
  template <class T, class Make>
  std::shared_ptr<const T> get(const std::string& name, const Make& make) {
    const auto key = std::pair(std::type_index(typeid(T)), name);
    if (const auto known = parts_.find(key); known != parts_.end())
      return std::static_pointer_cast<const T>(known->second);
    std::shared_ptr<const T> made = make();
    parts_.emplace(key, made);
    return made;
  }

  /// Keeps what is worth saying of them, each sentence once, and some of many of a kind: points of a sweep, or machines,
  /// may differ in a name or a number alone.
  void note(NoteOn what, const std::string& sentence) {
    constexpr std::size_t kMost = 4;
    if (std::ranges::count(notes_, sentence) == 0 && ++noted_[what] <= kMost) notes_.push_back(sentence);
  }
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

 private:
  std::map<std::pair<std::type_index, std::string>, std::shared_ptr<const void>> parts_;
  std::vector<std::string> notes_;
  std::map<NoteOn, std::size_t> noted_;
};

}  // namespace nowsim
