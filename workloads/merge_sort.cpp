// Merge sort: every rank sorts a part, then sorted runs are merged up a binomial tree (ZY 4.2).
#include "workloads/merge_sort.hpp"

#include <any>
#include <cmath>

#include "workloads/paging.hpp"
#include "workloads/spawning.hpp"
#include "workloads/whole_parts.hpp"

namespace nowsim {
namespace {

/// One element passing one merge: a comparison, a move, two increments of indices and the loop's test.
constexpr double kPerElement = 5;

struct Parameters {
  std::int64_t elements;
  double element_bytes;
  double work_per_element_flop;
  double spawn_s;
  Paging paging;
};

class MergeSort final : public Workload {
 public:
  explicit MergeSort(const Parameters& parameters) : p_(parameters) {}
  double work_flop() const override { return sort_flop(p_.elements); }
  bool communicates() const override { return true; }

  /// What the ranks sort and merge. Never less than work_flop(), and the same where 2^k ranks have equal parts: an
  /// element passes as many merges as its rank lies deep in the tree, and no tree beats the parts' entropy (Kraft).
  double work_of(std::span<const double> share_flop) const override {
    if (share_flop.size() == 1) return share_flop.front();
    auto runs = whole_parts(p_.elements, share_flop);
    double work = 0;
    for (const auto run : runs) work += sort_flop(run);
    for (std::size_t half = 1; half < runs.size(); half *= 2)
      for (std::size_t left = 0; left + half < runs.size(); left += 2 * half) {
        work += merge_flop(runs[left], runs[left + half]);
        runs[left] += runs[left + half];
      }
    return work;
  }
  double paging_alone_s(const Workstation& host) const override {
    return p_.paging.wait_s(host, work_flop(), footprint_bytes(p_.elements));
  }

  /// Ranks without elements get and send empty messages: others' runs may go through them.
  Process run(Rank& self) const override {
    co_await begin_after_spawning(self, p_.spawn_s);
    if (self.count() == 1) {
      co_await compute_in_memory(self, self.share(), footprint_bytes(p_.elements), p_.paging);
      co_return;
    }
    const std::int64_t mine = co_await scatter_elements(self);
    co_await compute_in_memory(self, sort_flop(mine), footprint_bytes(mine), p_.paging);
    co_await merge_up(self, mine);
  }

 private:
  /// How many elements this rank gets of rank 0, which has them all.
  Task<std::int64_t> scatter_elements(Rank& self) const {
    if (self.index() > 0) {
      const Message part = co_await self.receive(0);
      co_return std::any_cast<std::int64_t>(part.content);
    }
    const auto parts = whole_parts(p_.elements, self.shares());
    for (int rank = 1; rank < self.count(); ++rank) {
      const std::int64_t part = parts[static_cast<std::size_t>(rank)];
      co_await self.send(rank, bytes(part), part);
    }
    co_return parts.front();
  }

  /// In round k rank r with r mod 2^(k+1) = 2^k sends its run to r - 2^k, and is done.
  Process merge_up(Rank& self, std::int64_t mine) const {
    for (int half = 1; half < self.count(); half *= 2) {
      if (self.index() % (2 * half) == half) {
        co_await self.send(self.index() - half, bytes(mine), mine);
        co_return;
      }
      if (self.index() + half >= self.count()) continue;
      const Message run = co_await self.receive(self.index() + half);
      const auto other = std::any_cast<std::int64_t>(run.content);
      co_await compute_in_memory(self, merge_flop(mine, other), footprint_bytes(mine + other), p_.paging);
      mine += other;
    }
  }

  [[nodiscard]] double sort_flop(std::int64_t elements) const {
    const auto n = static_cast<double>(elements);
    return elements > 1 ? n * std::log2(n) * p_.work_per_element_flop : 0;
  }
  [[nodiscard]] double merge_flop(std::int64_t a, std::int64_t b) const {
    return a > 0 && b > 0 ? static_cast<double>(a + b) * p_.work_per_element_flop : 0;
  }
  [[nodiscard]] double bytes(std::int64_t elements) const { return static_cast<double>(elements) * p_.element_bytes; }
  /// The elements, and a buffer to merge them into.
  [[nodiscard]] double footprint_bytes(std::int64_t elements) const { return 2 * bytes(elements); }

  Parameters p_;
};

}  // namespace

WorkloadInfo merge_sort() {
  return {"merge-sort", "each rank sorts its part, then sorted runs are merged up a binomial tree (ZY 4.2)",
          "size, element, work_per_element, spawn, page_wait", [](ParameterReader& read) {
            return std::make_shared<MergeSort>(
                Parameters{read.count("size", std::nullopt, 1), read.bytes("element", 4),
                           read.work("work_per_element", kPerElement), read.time("spawn", 0),
                           Paging{read.time("page_wait", 0)}});
          }};
}

}  // namespace nowsim
