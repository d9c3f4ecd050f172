// Merge sort: operations, messages and times against closed forms.
#include <algorithm>
#include <cmath>

#include "tests/workloads/job_fixture.hpp"
#include "workloads/parts/whole_parts.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

double sort_work(double n) { return n > 1 ? n * std::log2(n) : 0; }

/// The merges of the tree over [begin, end), from its root down: the left half is the largest power of two below all.
double merge_work(const std::vector<std::int64_t>& parts, std::size_t begin, std::size_t end) {
  if (end - begin < 2) return 0;
  std::size_t half = 1;
  while (2 * half < end - begin) half *= 2;
  const auto total = [&](std::size_t b, std::size_t e) {
    double sum = 0;
    for (std::size_t i = b; i < e; ++i) sum += static_cast<double>(parts[i]);
    return sum;
  };
  const double left = total(begin, begin + half), right = total(begin + half, end);
  return (left > 0 && right > 0 ? left + right : 0) + merge_work(parts, begin, begin + half) +
         merge_work(parts, begin + half, end);
}

double elements_sent_up(const std::vector<std::int64_t>& parts, std::size_t rank) {
  double sum = 0;
  for (std::size_t i = rank; i < std::min(parts.size(), rank + (rank & (~rank + 1))); ++i)
    sum += static_cast<double>(parts[i]);
  return sum;
}

const std::map<std::string, double> kPlain{{"work_per_element", 1}};

std::map<std::string, double> sorting(double size, std::map<std::string, double> more = kPlain) {
  more["size"] = size;
  return more;
}

}  // namespace

TEST_CASE("Two ranks sort halves, and the first merges them", "[computes][workloads][merge_sort]") {
  // 16 B each way: 17 ms. 4·2 flop to sort, 8 to merge.
  const RunResult r = run_on_both(job("merge-sort", sorting(8), machines({1, 1}, NetworkKind::bus)));
  CHECK(r[Quantity::finish_s][1] == near(0.017 + 8 + 0.017));
  CHECK(r.makespan_s == near(0.017 + 8 + 0.017 + 8));
  CHECK(r[Quantity::work_flop] == std::vector<double>{16, 8});
  CHECK(r[Quantity::sent_bytes] == std::vector<double>{16, 16});
}

TEST_CASE("Of three ranks the third waits until the first two are merged", "[workloads][merge_sort]") {
  // 3, 3 and 6 elements: 12, 12 and 24 B to scatter.
  const RunResult r = run_on_both(job("merge-sort", sorting(12), machines({1, 1, 2}, NetworkKind::bus), {1, 1, 2}));
  const double scattered = 0.013 + 0.025, sorted = scattered + 3 * std::log2(3), merged = sorted + 0.013 + 6;
  CHECK(r[Quantity::finish_s][1] == near(sorted + 0.013));
  CHECK(scattered + 6 * std::log2(6) / 2 < merged);  // rank 2 is ready before: it waits
  CHECK(r[Quantity::finish_s][2] == near(merged + 0.025));
  CHECK(r.makespan_s == near(merged + 0.025 + 12));
}

TEST_CASE("Merge sort's operations, messages and bytes are those of its tree for any split",
          "[workloads][merge_sort][property]") {
  for (const std::size_t p : {2, 3, 5, 7, 8})
    for (const auto& split : splits_among(p)) {
      const auto all = machines(rising_speeds(p), NetworkKind::network_switch);
      const Scenario s = job("merge-sort", sorting(203), all, split);
      const auto parts = whole_parts(203, s.share_flop);
      double work = merge_work(parts, 0, p);
      for (const auto part : parts) work += sort_work(static_cast<double>(part));

      const RunResult r = run_on_both(s);
      CHECK(sum_of(r[Quantity::work_flop]) == near(work));
      CHECK(s.workload->program().work_of(s.share_flop) == near(work));
      CHECK(work >= s.workload->program().work_flop * (1 - 1e-12));
      CHECK(r.makespan_s >= work / sum_of(rising_speeds(p)));
      const auto workers = std::count_if(parts.begin() + 1, parts.end(), [](std::int64_t part) { return part > 0; });
      CHECK(r[Quantity::messages].front() == static_cast<double>(workers));
      CHECK(r[Quantity::sent_bytes].front() == 4 * static_cast<double>(203 - parts.front()));
      for (std::size_t i = 1; i < p; ++i) {
        CHECK(r[Quantity::messages][i] == (elements_sent_up(parts, i) > 0 ? 1 : 0));
        CHECK(r[Quantity::sent_bytes][i] == 4 * elements_sent_up(parts, i));
      }
    }
}

TEST_CASE("A power of two of equal parts costs no more operations than sorting alone", "[workloads][merge_sort]") {
  for (const std::size_t p : {2, 4, 8, 16}) {
    const Scenario s = job("merge-sort", sorting(160), machines(std::vector<double>(p, 1), NetworkKind::bus));
    CHECK(s.workload->program().work_of(s.share_flop) == near(160 * std::log2(160)));
  }
  const Scenario three = job("merge-sort", sorting(160), machines({1, 1, 1}, NetworkKind::bus));
  CHECK(three.workload->program().work_of(three.share_flop) > 160 * std::log2(160) * 1.01);
}

TEST_CASE("One run in the tree is merged with nothing: it costs sorting and its messages", "[workloads][merge_sort]") {
  // All on rank 3 of four, 8 elements of 4 B: down to it at once, up through ranks 2 and 0.
  const RunResult r = run_on_both(
      job("merge-sort", sorting(8), machines({1, 1, 1, 1}, NetworkKind::bus), {0, 0, 0, 1}));
  CHECK(r.makespan_s == near(0.033 + 24 + 2 * 0.033));
  CHECK(r[Quantity::messages] == std::vector<double>{1, 0, 1, 1});
}

TEST_CASE("A merge sort pages for what a rank holds: its part, then its run", "[workloads][merge_sort]") {
  // 2·4·4 B to sort, 2·8·4 B to merge, 8 flop each; the job alone: 24 flop on 64 B.
  const auto extra = [](double memory_bytes) {
    const auto pair = with_memory(*machines({1, 1}, NetworkKind::bus), {memory_bytes, memory_bytes});
    const auto time = [&](double page_wait) {
      return run_on_both(job("merge-sort", sorting(8, {{"work_per_element", 1}, {"page_wait", page_wait}}), pair))
          .makespan_s;
    };
    return time(2) - time(0);
  };
  CHECK(extra(64) == near(0));
  CHECK(extra(40) == near(2 * 8 * (1 - 40. / 64)));
  CHECK(extra(16) == near(2 * 8 * (1 - 16. / 32) + 2 * 8 * (1 - 16. / 64)));

  const auto paging = sorting(8, {{"work_per_element", 1}, {"page_wait", 2}});
  const Scenario alone = job("merge-sort", paging, with_memory(*machines({1}, NetworkKind::none), {16}));
  CHECK(alone.workload->program().paging_alone_s(alone.platform->workstations[0]) == near(2 * 24 * (1 - 16. / 64)));
  CHECK(run_on_both(alone).makespan_s == near(24 + 36));
}

TEST_CASE("A merge sort alone that computes more than its job, as much as some split, waits for the job's pages",
          "[workloads][merge_sort]") {
  Scenario s = job("merge-sort", sorting(12, {{"work_per_element", 1}, {"page_wait", 2}}),
                   with_memory(*machines({1}, NetworkKind::none), {24}));
  const double job_flop = 12 * std::log2(12), pages_s = 2 * job_flop * (1 - 24. / 96);
  CHECK(s.workload->program().paging_alone_s(s.platform->workstations[0]) == near(pages_s));
  const std::vector<double> split(3, job_flop / 3);
  s.share_flop = {s.workload->program().work_of(split)};
  CHECK(s.share_flop[0] > 1.01 * job_flop);
  CHECK(s.workload->program().work_of(s.share_flop) == s.share_flop[0]);
  CHECK(run_on_both(s).makespan_s == near(s.share_flop[0] + pages_s));
}
