// Many workstations' availability paths side by side: where each stands, computing along it, and waiting along it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sim/base/infinity.hpp"
#include "sim/owners/owner.hpp"

namespace nowsim {
namespace lane_kernels {
struct Kernels;
struct LaneView;
}  // namespace lane_kernels
class ControlVariates;

/// The numbers of many lanes, each kind side by side, as SIMD registers read them.
struct LaneColumns {
  std::array<std::vector<std::uint64_t>, 4> stream;  ///< of the draws to come; or the step to come, its time and value
  std::vector<double> position_s, end_s;             ///< on the path, and where the step ends that holds there
  std::vector<double> value;                         ///< A in that step
  std::vector<double> integral_s;                    ///< of A from 0 to the position
  std::vector<double> begin_s, work_s;               ///< what is asked for
};

/// A law's parameters, per lane or one for all lanes.
struct LawColumns {
  std::vector<double> low, other;
  std::vector<TableCells> cells;       ///< of tables
  std::vector<const QuantileFunction*> functions;  ///< of those that are called
  std::vector<std::uint64_t> mirror;   ///< what draws are XORed with; none where no law is mirrored
  void set(std::size_t at, const InverseTransform& law);
};

/// Lanes whose laws are of the same forms can share registers.
struct LaneGroup {
  InverseTransform::Form length_form, value_form;
  bool takes_turns = false;  ///< draws nothing: its law's columns are two steps in turn
  bool operator==(const LaneGroup&) const = default;
};

/// What the streams of one replication's lanes are seeded with, and the first of these lanes.
struct LaneSeeds {
  Stream::Family family;
  std::size_t first_lane;
};

/// Lanes that have asked for a compute, each at most once.
class PendingLanes {
 public:
  explicit PendingLanes(std::size_t lanes) : lanes_(lanes) {}
  void add(std::size_t lane) { lanes_[count_++] = static_cast<std::uint32_t>(lane); }
  void clear() { count_ = 0; }
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] std::span<const std::uint32_t> lanes() const { return {lanes_.data(), count_}; }

 private:
  std::vector<std::uint32_t> lanes_;
  std::size_t count_ = 0;
};

/// One lane per workstation and replication under way. Lanes of intervals, of two steps in turn, and dedicated ones are
/// served together, in SIMD registers of whatever width the machine has, with the same bits as one by one; other owners'
/// lanes one by one.
class AvailabilityLanes {
 public:
  /// @param owners one per workstation, which outlive the object. (Owners that feel the job have no paths.)
  /// @param slots how many replications may be under way at a time. Lane slot·N + i is workstation i's in that slot.
  /// @param purpose of the paths' streams: `owner`, or `bandwidth` where the paths are links'.
  AvailabilityLanes(const std::vector<OwnerPtr>& owners, std::uint64_t seed, std::size_t slots,
                    Purpose purpose = Purpose::owner);

  struct Opening {
    std::size_t slot;
    std::uint64_t replication;
  };
  /// Begins slots' paths anew, at t = 0 of their replications.
  void open(std::span<const Opening> openings);

  /// Computes at once where the step that holds at the lane's position suffices: from `begin_s`, at least that position,
  /// `work_s` seconds of undisturbed work, which end at the position then. False where it has to be asked for.
  bool compute_at_once(std::size_t lane, double begin_s, double work_s) {
    LaneColumns& c = columns_;
    if (!(begin_s <= c.end_s[lane] && work_s <= c.value[lane] * (c.end_s[lane] - begin_s)) || is_stuck(lane))
      return false;
    wait_within(lane, begin_s);
    end_within(lane, work_s);
    return true;
  }
  /// Asks for a compute, which serve() does.
  void ask(std::size_t lane, double begin_s, double work_s) {
    columns_.begin_s[lane] = begin_s;
    columns_.work_s[lane] = work_s;
  }
  /// The columns of what is asked for, per lane, to be written at once.
  [[nodiscard]] std::span<double> begins_s() { return columns_.begin_s; }
  [[nodiscard]] std::span<double> works_s() { return columns_.work_s; }
  /// Does what these lanes have asked for. position_s() is then the end of each; infinity where the owner leaves it
  /// nothing for ever.
  void serve(std::span<const std::uint32_t> lanes);
  /// Takes these lanes' integrals up to a time each, which ask() has given as `begin_s`. The last that is done with them
  /// before they are opened anew.
  void integrate(std::span<const std::uint32_t> lanes);

  /// Whether some lanes' owners might leave a rank nothing for ever.
  [[nodiscard]] bool has_paths() const { return !paths_.empty(); }
  [[nodiscard]] std::size_t count() const { return columns_.position_s.size(); }
  [[nodiscard]] double position_s(std::size_t lane) const { return columns_.position_s[lane]; }
  [[nodiscard]] const double* positions_s() const { return columns_.position_s.data(); }
  /// The integral of A from 0 to the position [s].
  [[nodiscard]] double integral_s(std::size_t lane) const { return columns_.integral_s[lane]; }
  [[nodiscard]] const double* integrals_s() const { return columns_.integral_s.data(); }
  /// The control variates of a replication whose lanes begin there, and have been served until its makespan.
  void write_controls(const ControlVariates& controls, std::size_t first_lane, std::vector<double>& sums) const;
  /// Steps of paths begun so far: what benchmarks count.
  [[nodiscard]] std::uint64_t steps() const { return steps_; }

  /// The widths of the SIMD registers [bytes] that this machine has; 0 stands for the scalar code.
  static std::vector<std::size_t> widths_here();
  /// Uses another width than the fastest, for tests and benchmarks.
  void use_width(std::size_t register_bytes);

 private:
  [[nodiscard]] bool is_stuck(std::size_t lane) const {
    return columns_.value[lane] <= kLeastAvailability && columns_.end_s[lane] == kInfinity;
  }
  void wait_within(std::size_t lane, double time_s) {
    columns_.integral_s[lane] += columns_.value[lane] * (time_s - columns_.position_s[lane]);
    columns_.position_s[lane] = time_s;
  }
  void end_within(std::size_t lane, double work_s) {
    columns_.position_s[lane] += work_s / columns_.value[lane];
    columns_.integral_s[lane] += work_s;
  }
  [[nodiscard]] bool have_one_law() const;
  void form_groups(std::size_t slots);
  std::uint8_t group_number(const LaneGroup& group);
  [[nodiscard]] const LaneGroup& group_of(std::size_t lane) const {
    return one_law_ ? groups_[0] : groups_[group_of_[lane % owners_->size()]];
  }
  void open_apart(std::size_t workstation, const Opening& opening);
  void set_laws(std::size_t workstation, const InverseTransform& length_s, const InverseTransform& value,
                std::size_t slots);
  [[nodiscard]] bool is_on_path(std::size_t lane) const { return !paths_.empty() && paths_[lane] != nullptr; }
  template <auto kLoop, auto kOneByOne>
  void for_groups(std::span<const std::uint32_t> lanes);
  void open_one(std::size_t lane, const Stream& stream);
  std::uint64_t choose_side(const Opening& opening);
  void find_intervals(std::span<const Opening> openings);
  lane_kernels::LaneView view(const LaneGroup& group);
  Step draw_step(std::size_t lane);
  Step take_turn(std::size_t lane);
  double go_steps(std::size_t lane, double left_s);
  double go_turns(std::size_t lane, double left_s);
  double next_step(std::size_t lane);
  void wait_one(std::size_t lane);
  void serve_one(std::size_t lane);

  const std::vector<OwnerPtr>* owners_;
  std::uint64_t seed_;
  Purpose purpose_;
  LaneColumns columns_;
  std::vector<LaneSeeds> seeds_;                           ///< while slots are opened
  std::vector<LaneGroup> groups_;
  std::vector<std::uint8_t> group_of_;  ///< per workstation, in groups_; of all where they have one law
  LawColumns length_, value_;
  bool one_law_ = false;
  struct Row {
    LaneForm form;
    std::size_t first, end;
  };
  std::vector<Row> rows_;   ///< workstations in a row of one owner, and how that can be followed
  bool has_pairs_ = false;  ///< whether replications of some are antithetic
  std::vector<std::unique_ptr<Path>> paths_;               ///< per lane, of owners that are in no group
  std::vector<std::vector<std::uint32_t>> lists_;          ///< lanes to be served, by groups
  std::uint64_t steps_ = 0;
  const lane_kernels::Kernels* kernels_ = nullptr;  ///< null: one by one
};

}  // namespace nowsim
