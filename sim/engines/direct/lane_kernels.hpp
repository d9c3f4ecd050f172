// The SIMD loops over lanes whose laws are inverse transforms, for every instruction set, chosen when the program runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/engines/direct/availability_lanes.hpp"

namespace nowsim::lane_kernels {

/// The laws of lanes as bare pointers.
struct LawView {
  InverseTransform::Form form;
  bool one_for_all;  ///< the columns have one element, not one per lane
  const double *low, *other;
  const TableCells* cells;           ///< of Form::table
  const QuantileFunction* const* functions;  ///< of Form::function
  const std::uint64_t* mirror;       ///< what draws are XORed with; null: none are
};

/// The columns and laws of lanes as bare pointers: what is compiled for several instruction sets must not instantiate
/// templates of the standard library, of which the linker would keep any one copy for the whole program.
struct LaneView {
  std::uint64_t* stream[4];
  double *position_s, *end_s, *value, *integral_s;
  const double *begin_s, *work_s;
  LawView length, value_law;
  bool takes_turns = false;  ///< LaneGroup::takes_turns
};

/// Streams to be seeded; and what all of them are for.
struct SeedList {
  const LaneSeeds* seeds;
  std::size_t count;
  std::uint64_t purpose;
};

/// The loops for one width of register. Each serves as many of some lanes, from the first on, as fill whole registers,
/// returns how many those are, and adds the steps they began.
struct Kernels {
  using Loop = std::size_t (*)(const LaneView&, const std::uint32_t* lanes, std::size_t count, std::uint64_t& steps);
  std::size_t register_bytes;
  /// Begins replications of `workstations` lanes each, side by side: streams seeded as Stream is, value 1, all else 0. Returns for
  /// how many workstations of each, from the first on.
  std::size_t (*open)(const LaneView& view, SeedList list, std::size_t workstations);
  Loop serve;      ///< computes what is asked for
  Loop integrate;  ///< adds to integral_s what there is until begin_s; the lanes stay where they are
};

/// Those that this machine can run, the widest last. Empty where it has none.
const std::vector<Kernels>& kernels_here();
/// Of these the one that serves lanes fastest, as measured once, in some 50 us: the widest registers are not, where the
/// processor does their operations in halves. Null where there are none.
const Kernels* fastest_here();

}  // namespace nowsim::lane_kernels
