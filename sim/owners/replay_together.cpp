// Finding recordings that share time, clock by clock, and making sets of the machines that replay them.
#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

#include "sim/base/text.hpp"
#include "sim/owners/owner_models.hpp"

namespace nowsim {
namespace {

using NameOfMachine = std::function<std::string(std::size_t)>;

constexpr double kRoundingOfShare = 1e-9;
constexpr std::uint64_t kSetOfAll = 0;  ///< of `start: common`

std::string address_of(const void* it) { return std::to_string(reinterpret_cast<std::uintptr_t>(it)); }  // NOLINT

/// What is kept by the address of something, which lives as long.
template <class T>
struct Kept {
  std::shared_ptr<const void> of;
  T value;
};

/// An owner or a link, to be replaced by one that is replayed with others.
struct Replay {
  OwnerPtr* place;
  OwnerPtr model;  ///< that was there
  std::size_t machine;
};

/// A recording, and who replays it.
struct Recorded {
  RecordedSeries recording;
  std::vector<Replay> replays;
};

/// Recordings that share time.
struct Group {
  std::vector<const Recorded*> members;
  ClockSpans shared;        ///< since the first one's beginning
  double longest_s = 0, shortest_s = 0;
};

double seconds_since(const Recorded& first, const Recorded& r) {
  return seconds_between(first.recording.first, r.recording.first);
}

/// Each recording once, though several machines replay it, from one file or from copies of it; in the order in which they
/// are met.
std::vector<Recorded> recordings_of(Replays& replays, SharedParts& parts) {
  std::vector<Recorded> all;
  std::map<std::tuple<bool, RecordingClock, std::int64_t, double, std::uint64_t>, std::size_t> by_content;
  for (auto* models : {&replays.owners, &replays.links})
    for (std::size_t i = 0; i < models->size(); ++i) {
      OwnerPtr& model = (*models)[i];
      auto recording = model->recording();
      if (!recording) continue;
      const auto& [clock, first, spans, data, is_asked_for] = *recording;
      const auto hash = parts.get<Kept<std::uint64_t>>("content " + address_of(data.get()), [&] {
        return std::make_shared<const Kept<std::uint64_t>>(recording->data, model->content_hash());
      });
      const auto [known, is_new] =
          by_content.try_emplace({is_asked_for, clock, first.whole_s, first.rest_s, hash->value}, all.size());
      if (is_new) all.push_back({std::move(*recording), {}});
      all[known->second].replays.push_back({&model, model, i});
    }
  return all;
}

/// Of the machines that replay these.
std::string names_of(const std::vector<const Recorded*>& recordings, const NameOfMachine& machine) {
  std::set<std::size_t> machines;
  for (const Recorded* r : recordings)
    for (const Replay& replay : r->replays) machines.insert(replay.machine);
  std::vector<std::string> names;
  for (const std::size_t i : machines) names.push_back(machine(i));
  return some_names(names);
}

/// The groups of recordings that are by one clock. Each begins with the earliest that is in none, and takes those, one
/// after the other, with which it still shares so much time.
std::vector<Group> groups_of(std::vector<const Recorded*> left, double least_shared) {
  std::ranges::stable_sort(left, [](const Recorded* a, const Recorded* b) { return seconds_since(*a, *b) > 0; });
  std::vector<Group> groups;
  while (!left.empty()) {
    const double first_s = length_s(left.front()->recording.spans);
    Group group{{left.front()}, left.front()->recording.spans, first_s, first_s};
    std::vector<const Recorded*> others;
    for (const Recorded* r : left) {
      if (r == left.front()) continue;
      const ClockSpans spans = shifted(r->recording.spans, seconds_since(*left.front(), *r));
      ClockSpans both = in_both(group.shared, spans);
      const double own_s = length_s(spans), both_s = length_s(both);
      const double shortest_s = std::min(group.shortest_s, own_s);
      if (both_s > 0 && both_s >= (least_shared - kRoundingOfShare) * shortest_s) {
        group.members.push_back(r);
        group.shared = std::move(both);
        group.longest_s = std::max(group.longest_s, own_s);
        group.shortest_s = shortest_s;
      } else {
        others.push_back(r);
      }
    }
    groups.push_back(std::move(group));
    left = std::move(others);
  }
  return groups;
}

class Sets {
 public:
  explicit Sets(SharedParts& shared) : parts_(shared) {}

  /// The first member that cannot be replayed in what the group shares; null where all can.
  const Recorded* misfit(const Group& group) {
    if (group.members.size() < 2) return nullptr;
    const auto is_misfit = [&](const Recorded* r) {
      return std::ranges::any_of(r->replays, [&](const Replay& one) { return made(*r, one.model, group, kSetOfAll) == nullptr; });
    };
    const auto found = std::ranges::find_if(group.members, is_misfit);
    return found == group.members.end() ? nullptr : *found;
  }

  /// Puts into their places what its members make together.
  void decide(const Group& group, bool is_one_set) {
    std::size_t copies = 0;
    for (const Recorded* r : group.members) copies = std::max(copies, r->replays.size());
    for (std::size_t k = 0; k < (is_one_set ? 1 : copies); ++k) {
      const auto has_it = [&](const Recorded* r) { return is_one_set || k < r->replays.size(); };
      if (std::ranges::count_if(group.members, has_it) < 2) break;
      for (const Recorded* r : group.members)
        for (std::size_t i = 0; i < r->replays.size(); ++i)
          if (is_one_set || i == k)
            *r->replays[i].place = made(*r, r->replays[i].model, group, is_one_set ? kSetOfAll : next_ + k);
    }
    if (!is_one_set) next_ += copies;
  }

 private:
  /// Null where it cannot be replayed so.
  OwnerPtr made(const Recorded& r, const OwnerPtr& model, const Group& group, std::uint64_t set) {
    const ClockSpans kept = shifted(group.shared, -seconds_since(*group.members.front(), r));
    std::string name = "together " + address_of(model.get()) + " " + std::to_string(set);
    for (const auto& [from_s, to_s] : kept) name += " " + number_text(from_s) + " " + number_text(to_s);
    const auto together = parts_.get<Kept<OwnerPtr>>(name, [&] {
      return std::make_shared<const Kept<OwnerPtr>>(model, replayed_together(*model, kept, set, parts_));
    });
    return together->value;
  }

  SharedParts& parts_;
  std::uint64_t next_ = kSetOfAll + 1;
};

/// Recordings that are replayed alone though there are others, by why.
struct Alone {
  std::vector<const Recorded*> of_no_date, of_other_clock, apart, misfits;
};

void remark_on_cut(const Group& group, const NameOfMachine& machine, std::vector<std::string>& remarks) {
  constexpr double kNearlyAll = 0.9;
  const double shared_s = length_s(group.shared);
  if (shared_s < kNearlyAll * group.longest_s)
    remarks.push_back("the recordings of " + names_of(group.members, machine) + " share " + short_number(shared_s) +
                      " s, of " + short_number(group.longest_s) +
                      " s that the longest lasts: what is replayed of them is what they share");
}

void remark_on_alone(const Alone& alone, const NameOfMachine& machine, std::vector<std::string>& remarks) {
  const std::string so = ", as if their owners had nothing in common ('start: independent' says that they have not";
  const auto add = [&](const std::vector<const Recorded*>& recordings, const char* before, const std::string& after) {
    if (!recordings.empty()) remarks.push_back(before + names_of(recordings, machine) + after);
  };
  add(alone.of_no_date, "the stamps in the recordings of ",
      " are seconds from a beginning of their own, which do not say what was at the same time: each is replayed from a "
      "random moment of its own" + so + ", 'start: common' that they were recorded side by side)");
  add(alone.of_other_clock, "the stamps in the recordings of ",
      " are by other clocks than those of others (dates with Z or since 1970, dates without, seconds), so that it is not "
      "known what was at the same time: each is replayed from a random moment of its own" + so + ")");
  add(alone.apart, "the recordings of ",
      " share too little time with those of others: each is replayed from a random moment of its own" + so + ")");
  add(alone.misfits, "in the time that they share with others' the recordings of ",
      " have no owner jobs, or more than their cores can do: each is replayed whole, from a random moment of its own" + so + ")");
}

}  // namespace

Replays replayed_together(std::vector<OwnerPtr> owners, std::vector<OwnerPtr> links, const NameOfMachine& machine,
                          SharedParts& shared) {
  Replays out{std::move(owners), std::move(links), {}};
  const std::vector<Recorded> recordings = recordings_of(out, shared);
  const auto number_asked = [&](bool is_asked_for) {
    return std::ranges::count(recordings, is_asked_for, [](const Recorded& r) { return r.recording.is_asked_for; });
  };
  std::map<std::pair<bool, RecordingClock>, std::vector<const Recorded*>> by_clock;
  Alone alone;
  for (const auto& r : recordings) {
    if (number_asked(r.recording.is_asked_for) < 2) continue;
    if (r.recording.clock.kind == RecordingClock::Kind::unknown) alone.of_no_date.push_back(&r);
    else by_clock[{r.recording.is_asked_for, r.recording.clock}].push_back(&r);
  }
  Sets sets(shared);
  for (auto& [clock, of_clock] : by_clock) {
    const double least_shared = clock.first ? 0 : kLeastShared;
    const bool is_only_one = of_clock.size() < 2;
    std::vector<Group> groups = groups_of(of_clock, least_shared);
    for (auto group = groups.begin(); group != groups.end();) {
      const Recorded* misfit = sets.misfit(*group++);
      if (misfit == nullptr) continue;
      alone.misfits.push_back(misfit);
      std::erase(of_clock, misfit);
      groups = groups_of(of_clock, least_shared);
      group = groups.begin();
    }
    for (const Group& group : groups) {
      const bool lost_others = of_clock.size() < 2 && !is_only_one;  // they are misfits
      if (group.members.size() >= 2) {
        sets.decide(group, clock.first);
        remark_on_cut(group, machine, out.remarks);
      } else if (!clock.first && !lost_others) {
        const bool has_no_date = clock.second.kind == RecordingClock::Kind::own;
        auto& why = has_no_date ? alone.of_no_date : is_only_one ? alone.of_other_clock : alone.apart;
        why.push_back(group.members.front());
      }
    }
  }
  remark_on_alone(alone, machine, out.remarks);
  return out;
}

}  // namespace nowsim
