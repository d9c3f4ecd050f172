// Random streams: one per (seed, replication, workstation, purpose), the same on every engine and however work is cut up.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <initializer_list>

namespace nowsim {

/// What a stream is for; two purposes never share random numbers. Values are part of the results: append, never renumber.
enum class Purpose : std::uint32_t {
  owner = 1,         ///< the owner's availability path
  owner_offset = 2,  ///< where a path starts: duty-cycle phase, trace offset
  bandwidth = 3,     ///< a link's bandwidth path
  workload = 4,      ///< what a parallel program draws itself
  state = 5,         ///< switching off and on
  latency = 6,       ///< a link's latency path
  common_factor = 7, ///< what correlated owners have in common: its path
  common_offset = 8, ///< the same, where it is a moment at which paths start
  clock = 9,         ///< the hour of the week at which a job starts
  common_bandwidth = 10, common_bandwidth_offset = 11,  ///< what correlated links have in common, likewise
  resampling = 12,   ///< what intervals draw, of seed and replication 0 whatever is simulated
  measured = 13,     ///< what an owner's measured parameters may be; the replication is the draw's number
  seen = 15,         ///< for how long an owner goes on with what a job under way has found
  machines = 16,     ///< what machines that are drawn are like
  first_interval = 17,  ///< of a path that starts at a random moment: what it finds, of `owner`
  first_common = 18, first_bandwidth = 19, first_common_bandwidth = 20,  ///< of the other paths of intervals, likewise
  habits = 32,  ///< to 63: the normals behind owners' habits (habits.cpp)
};

/// Of a path of intervals: the stream of what it finds where it starts at a random moment.
constexpr Purpose first_of(Purpose path) {
  if (path == Purpose::common_factor) return Purpose::first_common;
  if (path == Purpose::bandwidth) return Purpose::first_bandwidth;
  return path == Purpose::common_bandwidth ? Purpose::first_common_bandwidth : Purpose::first_interval;
}

/// In place of a workstation's index: a stream that all workstations share.
inline constexpr std::uint64_t kAllWorkstations = ~std::uint64_t{0};

/// Names a stream. Nothing else (no sweep point, worker, batch or engine) enters it, so sweep points share their random
/// numbers (common random numbers) and both engines see the same paths.
struct StreamKey {
  std::uint64_t seed = 1;
  std::uint64_t replication = 0;
  std::uint64_t workstation = 0;
  Purpose purpose = Purpose::owner;
  bool operator==(const StreamKey&) const = default;
};

/// SplitMix64 (Steele, Lea & Flood, OOPSLA 2014), which the seeding of streams is made of: its constants and finaliser.
struct SplitMix64 {
  static constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15ULL;
  static constexpr std::uint64_t kFirst = 0xbf58476d1ce4e5b9ULL, kSecond = 0x94d049bb133111ebULL;
  /// A bijection.
  static constexpr std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * kFirst;
    z = (z ^ (z >> 27)) * kSecond;
    return z ^ (z >> 31);
  }
};

/// A stream of uniform draws: xoshiro256+ (Blackman & Vigna, ACM TOMS 47(4), 2021), seeded by a SplitMix64 hash of its
/// key. Only the upper 53 bits are used, where the generator passes every known test.
class Stream {
 public:
  explicit Stream(const StreamKey& key)
      : Stream(Family(key.seed, key.replication), key.workstation, static_cast<std::uint64_t>(key.purpose)) {}

  /// What the streams of one replication have in common, hashed once.
  class Family {
   public:
    Family(std::uint64_t seed, std::uint64_t replication) : hash_(step(step(0, seed), replication)) {}
    [[nodiscard]] std::uint64_t hash() const { return hash_; }
    [[nodiscard]] Stream stream(std::uint64_t workstation, Purpose purpose) const {
      return Stream(*this, workstation, static_cast<std::uint64_t>(purpose));
    }

   private:
    std::uint64_t hash_;
  };

  /// Uniform on [0, 1), in steps of 2^-53.
  double uniform() { return static_cast<double>(word()) * 0x1.0p-53; }
  /// The same as a whole number, uniform on 0 .. 2^53 - 1.
  std::uint64_t word() {
    const std::uint64_t result = state_[0] + state_[3];
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = std::rotl(state_[3], 45);
    return result >> 11;
  }

  /// For engines that keep many streams side by side: the state, and a stream that goes on from one.
  using State = std::array<std::uint64_t, 4>;
  explicit Stream(const State& state) : state_(state) {}
  [[nodiscard]] const State& state() const { return state_; }

 private:
  Stream(const Family& family, std::uint64_t workstation, std::uint64_t purpose) {
    std::uint64_t h = step(step(family.hash(), workstation), purpose);
    for (auto& s : state_) {
      h += SplitMix64::kGolden;
      s = SplitMix64::mix(h);
    }
  }
  static std::uint64_t step(std::uint64_t h, std::uint64_t word) { return SplitMix64::mix(h + SplitMix64::kGolden + word); }
  State state_{};
};

}  // namespace nowsim
