// A table of what a rank keeps for each rank that it hears of.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace nowsim {

/// By senders, in a table of twice their number at least, probed one place after another.
template <class Kept>
class BySender {
 public:
  [[nodiscard]] const Kept* find(int from) const {
    if (places_.empty()) return nullptr;
    const Place& at = places_[place_of(from)];
    return at.from == from ? &at.kept : nullptr;
  }
  [[nodiscard]] Kept* find(int from) { return const_cast<Kept*>(std::as_const(*this).find(from)); }
  Kept& operator[](int from) {
    if (places_.size() < 2 * (count_ + 1)) grow();
    Place& at = places_[place_of(from)];
    if (at.from != from) {
      at.from = from;
      ++count_;
    }
    return at.kept;
  }
  template <class Action>
  void for_each(Action action) {
    for (Place& at : places_)
      if (at.from >= 0) action(at.kept);
  }

 private:
  struct Place {
    int from = -1;
    Kept kept;
  };
  /// Where it is, or belongs.
  [[nodiscard]] std::size_t place_of(int from) const {
    const std::size_t mask = places_.size() - 1;
    std::size_t at = static_cast<std::size_t>(from) & mask;
    while (places_[at].from >= 0 && places_[at].from != from) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    const std::vector<Place> before(std::exchange(places_, {}));
    places_.resize(std::max<std::size_t>(2, 2 * before.size()));
    for (const Place& it : before)
      if (it.from >= 0) places_[place_of(it.from)] = it;
  }

  std::vector<Place> places_;  ///< a power of two of them
  std::size_t count_ = 0;
};

}  // namespace nowsim
