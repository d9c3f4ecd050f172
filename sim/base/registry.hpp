// Lists of what there is of a kind (workloads, policies, metrics, commands): a line for each, declared nowhere else,
// and by their names those that a program adds.
#pragma once

#include <boost/iterator/indirect_iterator.hpp>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// NOWSIM_LISTED(Maker, kList, first, second, ...) declares the functions `first`, `second`, ... of the function type
/// Maker, each defined in a file of its own, and makes kList the array of them in that order.
#define NOWSIM_LISTED(Maker, kList, ...) \
  Maker __VA_ARGS__;                     \
  constexpr Maker* kList[] = {__VA_ARGS__}

namespace nowsim {

/// What the functions of such a list make, in its order.
template <class Thing, std::size_t Count>
std::vector<Thing> made(Thing (*const (&makers)[Count])()) {
  std::vector<Thing> all;
  for (const auto make : makers) all.push_back(make());
  return all;
}

/// Things with a `name` each, none twice. Copies share what they hold: an address that find() gives is good as long as
/// any of them is there.
template <class Thing>
class Registry {
 public:
  Registry() = default;
  explicit Registry(std::vector<Thing> things) {
    for (Thing& thing : things) add(std::move(thing));
  }

  /// @throws std::invalid_argument where the name is taken.
  void add(Thing thing) {
    if (find(thing.name) != nullptr) throw std::invalid_argument("there is already one named " + std::string(thing.name));
    all_.push_back(std::make_shared<const Thing>(std::move(thing)));
  }
  /// Null where there is none of that name.
  [[nodiscard]] const Thing* find(const std::string& name) const {
    for (const auto& thing : all_)
      if (thing->name == name) return thing.get();
    return nullptr;
  }
  [[nodiscard]] auto begin() const { return boost::indirect_iterator(all_.begin()); }
  [[nodiscard]] auto end() const { return boost::indirect_iterator(all_.end()); }
  [[nodiscard]] const Thing& front() const { return *all_.front(); }
  [[nodiscard]] const Thing& operator[](std::size_t k) const { return *all_[k]; }
  [[nodiscard]] std::size_t size() const { return all_.size(); }

 private:
  std::vector<std::shared_ptr<const Thing>> all_;
};

}  // namespace nowsim
