// Edge detection: an image's rows are divided, smoothed with a mask, and marked where the gradient is steep (ZY 4.2).
//
// ZY 4.2 take it from Zhang & Deng, "Distributed methods and performance of image edge detection", Proc. 6th IEEE SPDP,
// 1994, and do not say how large the mask is: a parameter.
#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "workloads/parts/master.hpp"
#include "workloads/parts/whole_parts.hpp"

namespace nowsim {
namespace {

constexpr int kNoRank = -1;

/// A rank's part of the image.
struct Strip {
  std::int64_t rows = 0;
  std::int64_t halo_rows = 0;                      ///< around them, which the mask reads; none beyond the image's ends
  int rank_above = kNoRank, rank_below = kNoRank;  ///< whose strips border on it
};

struct EdgeDetectionParameters {
  std::int64_t side;   ///< of a square image [pixels]
  double pixel_bytes;
  std::int64_t mask;   ///< side of the convolution's mask, odd [pixels]
  std::int64_t passes;

  [[nodiscard]] std::int64_t halo() const { return (mask - 1) / 2; }
  [[nodiscard]] double bytes(std::int64_t rows) const {
    return static_cast<double>(rows) * static_cast<double>(side) * pixel_bytes;
  }
  /// The strip with its halo, and what becomes of it.
  [[nodiscard]] double footprint_bytes(const Strip& strip) const { return bytes(2 * strip.rows + strip.halo_rows); }

  /// Per pixel: the convolution (mask² multiplications, one addition fewer), two differences, the squared magnitude
  /// of the gradient (two multiplications, an addition), and a comparison with the threshold: 2·mask² + 5.
  [[nodiscard]] double pass_flop(std::int64_t rows) const {
    const auto width = static_cast<double>(mask);
    return static_cast<double>(rows) * static_cast<double>(side) * (2 * width * width + 5);
  }
  [[nodiscard]] double work_flop() const { return static_cast<double>(passes) * pass_flop(side); }
  [[nodiscard]] double messages(int ranks) const {
    const double with_halo = halo() > 0 ? 2 * static_cast<double>(passes - 1) : 0;
    return (kMessagesOfMaster + with_halo) * (ranks - 1);
  }
};

class EdgeDetection final : public MasterProgram {
 public:
  EdgeDetection(const EdgeDetectionParameters& p, const MasterCosts& costs)
      : MasterProgram({.work_flop = p.work_flop(), .messages = [p](int ranks) { return p.messages(ranks); }}, costs,
                      p.footprint_bytes({p.side})),
        p_(p) {}

 private:
  /// Ranks without rows take part in nothing; neighbours are those with rows.
  Process run_with_others(Rank& self) const override {
    const std::vector<Strip> parts = strips(self.shares());
    const Strip& mine = parts[index_of(self.index())];
    co_await deal_out(self, [&](int rank) {
      const Strip& part = parts[index_of(rank)];
      return p_.bytes(part.rows + part.halo_rows);
    });
    for (std::int64_t pass = 0; pass < p_.passes; ++pass) {
      if (pass > 0 && p_.halo() > 0) co_await exchange_halo(self, mine);
      co_await compute(self, p_.pass_flop(mine.rows), p_.footprint_bytes(mine));
    }
    co_await take_back(self, [&](int rank) { return p_.bytes(parts[index_of(rank)].rows); });
  }

  /// The outermost rows to both sides at once, as many as the mask reads. (Where a neighbour has fewer, the rows beyond
  /// it would be owed by the next one; they are not sent.)
  Process exchange_halo(Rank& self, const Strip& mine) const {
    const std::array<int, 2> neighbours{mine.rank_above, mine.rank_below};
    for (const int neighbour : neighbours)
      if (neighbour != kNoRank) co_await isend(self, neighbour, p_.bytes(std::min(p_.halo(), mine.rows)));
    for (const int neighbour : neighbours)
      if (neighbour != kNoRank) co_await receive(self, neighbour);
  }

  [[nodiscard]] std::vector<Strip> strips(std::span<const double> shares) const {
    const auto rows = whole_parts(p_.side, shares);
    std::vector<Strip> out(rows.size());
    std::int64_t first_row = 0;
    int above = kNoRank;
    for (int rank = 0; rank < static_cast<int>(rows.size()); ++rank) {
      Strip& strip = out[index_of(rank)];
      strip.rows = rows[index_of(rank)];
      if (strip.rows == 0) continue;
      const std::int64_t rows_below = p_.side - first_row - strip.rows;
      strip.halo_rows = std::min(p_.halo(), first_row) + std::min(p_.halo(), rows_below);
      strip.rank_above = above;
      if (above != kNoRank) out[index_of(above)].rank_below = rank;
      above = rank;
      first_row += strip.rows;
    }
    return out;
  }

  EdgeDetectionParameters p_;
};

std::shared_ptr<const Workload> make_edge_detection(KeyReader& read) {
  const EdgeDetectionParameters p{read.whole("size"), read_size(read, "pixel", "a pixel"), read.whole("mask"),
                                  read.whole("passes")};
  const MasterCosts costs = read_master_costs(read);
  if (p.mask % 2 == 0)
    throw InputError("mask must be an odd number of pixels, so that it has a middle; it is " + std::to_string(p.mask));
  if (p.mask > p.side)
    throw InputError("mask must not be larger than the image: it is " + std::to_string(p.mask) +
                     " pixels wide, and size is " + std::to_string(p.side));
  return std::make_shared<EdgeDetection>(p, costs);
}

}  // namespace

WorkloadInfo edge_detection() {
  return master_program(
      {"edge-detection", "each rank convolves its rows of an image; halo rows are exchanged between passes (ZY 4.2)",
       {{"size", KeyType::count, kMustBeGiven, "rows and columns of the image", {1}},
        {"pixel", KeyType::bytes, "1B", "size of a pixel", kPositive},
        {"mask", KeyType::count, "5", "rows and columns of the mask, an odd number", {1}},
        {"passes", KeyType::count, "1", "between which halo rows are exchanged", {1}}},
       make_edge_detection});
}

}  // namespace nowsim
