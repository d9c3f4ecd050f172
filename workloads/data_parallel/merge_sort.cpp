// Merge sort: every rank sorts a part, then sorted runs are merged up a binomial tree (ZY 4.2).
#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

#include "sim/base/text.hpp"
#include "sim/statistics/portable.hpp"
#include "workloads/parts/master.hpp"
#include "workloads/parts/whole_parts.hpp"

namespace nowsim {
namespace {

/// One element passing one merge: a comparison, a move, two increments of indices and the loop's test.
constexpr double kPerElement = 5;

/// Elements per rank.
using Parts = std::vector<std::int64_t>;

/// The run that a rank has after merging those of `ranks` ranks, itself the first.
std::int64_t run_of(const Parts& parts, std::size_t rank, std::size_t ranks) {
  const std::size_t end = std::min(parts.size(), rank + ranks);
  return std::accumulate(parts.begin() + static_cast<std::ptrdiff_t>(rank),
                         parts.begin() + static_cast<std::ptrdiff_t>(end), std::int64_t{0});
}

struct MergeSortParameters {
  std::int64_t elements;
  double element_bytes;
  double work_per_element_flop;

  [[nodiscard]] double sort_flop(std::int64_t count) const {
    const auto n = static_cast<double>(count);
    return count > 1 ? n * portable::log2(n) * work_per_element_flop : 0;
  }
  [[nodiscard]] double merge_flop(std::int64_t a, std::int64_t b) const {
    return a > 0 && b > 0 ? static_cast<double>(a + b) * work_per_element_flop : 0;
  }
  [[nodiscard]] double bytes(std::int64_t count) const { return static_cast<double>(count) * element_bytes; }
  /// The elements, and a buffer to merge them into.
  [[nodiscard]] double footprint_bytes(std::int64_t count) const { return 2 * bytes(count); }

  /// What the ranks sort and merge. Never less than work_flop, and the same where 2^k ranks have equal parts: an
  /// element passes as many merges as its rank lies deep in the tree, and no tree beats the parts' entropy (Kraft).
  [[nodiscard]] double split_work_flop(std::span<const double> share_flop) const {
    if (share_flop.size() == 1) return share_flop.front();
    const Parts parts = whole_parts(elements, share_flop);
    double work = 0;
    for (const auto part : parts) work += sort_flop(part);
    for (std::size_t half = 1; half < parts.size(); half *= 2)
      for (std::size_t left = 0; left + half < parts.size(); left += 2 * half)
        work += merge_flop(run_of(parts, left, half), run_of(parts, left + half, half));
    return work;
  }
};

class MergeSort final : public MasterProgram {
 public:
  MergeSort(const MergeSortParameters& p, const MasterCosts& costs)
      : MasterProgram({.work_flop = p.sort_flop(p.elements),
                       .messages = [](int ranks) { return 2.0 * (ranks - 1); },  // a part to each rank, a run from each
                       .split_work_flop = [p](std::span<const double> shares) { return p.split_work_flop(shares); }},
                      costs, p.footprint_bytes(p.elements)),
        p_(p) {}

 private:
  /// Ranks without elements take part in nothing but passing others' runs up the tree.
  Process run_with_others(Rank& self) const override {
    const Parts parts = whole_parts(p_.elements, self.shares());
    const std::int64_t mine = parts[index_of(self.index())];
    co_await deal_out(self, [&](int rank) { return p_.bytes(parts[index_of(rank)]); });
    co_await compute(self, p_.sort_flop(mine), p_.footprint_bytes(mine));
    co_await merge_up(self, parts);
  }

  /// In round k rank r with r mod 2^(k+1) = 2^k sends its run to r - 2^k, and is done. Empty runs are not sent.
  Process merge_up(Rank& self, const Parts& parts) const {
    const std::size_t me = index_of(self.index());
    for (int half = 1; half < self.count(); half *= 2) {
      const std::int64_t mine = run_of(parts, me, index_of(half));
      if (self.index() % (2 * half) == half) {
        if (mine > 0) co_await send(self, self.index() - half, p_.bytes(mine));
        co_return;
      }
      if (self.index() + half >= self.count()) continue;
      const std::int64_t other = run_of(parts, me + index_of(half), index_of(half));
      if (other == 0) continue;
      co_await receive(self, self.index() + half);
      co_await compute(self, p_.merge_flop(mine, other), p_.footprint_bytes(mine + other));
    }
  }

  MergeSortParameters p_;
};

}  // namespace

WorkloadInfo merge_sort() {
  return master_program(
      {"merge-sort", "each rank sorts its part, then sorted runs are merged up a binomial tree (ZY 4.2)",
       {{"size", KeyType::count, kMustBeGiven, "elements", {1}},
        {"element", KeyType::bytes, "4B", "size of an element", kPositive},
        {"work_per_element", KeyType::work, number_text(kPerElement), "of an element that passes a merge"}},
       [](KeyReader& read) {
         const MergeSortParameters p{read.whole("size"), read_size(read, "element", "an element"),
                                     read.value("work_per_element")};
         return std::make_shared<MergeSort>(p, read_master_costs(read));
       }});
}

}  // namespace nowsim
