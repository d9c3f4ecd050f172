// EP, edge detection and merge sort: operations, messages and times against closed forms.
#include <algorithm>
#include <cmath>

#include "sim/base/error.hpp"
#include "tests/workloads/job_fixture.hpp"
#include "workloads/parts/whole_parts.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

/// 4 x 4 pixels of 10 B, a mask of 3 x 3: 23 operations per pixel and a row around each strip.
std::map<std::string, double> small_image(std::map<std::string, double> more) {
  more.insert({{"size", 4}, {"pixel", 10}, {"mask", 3}});
  return more;
}
constexpr double kHalf = 2 * 4 * 23;  ///< flop of two rows

/// Rows that belong to a strip or lie within `halo` of it, one by one.
std::int64_t rows_within(std::int64_t side, std::int64_t first, std::int64_t rows, std::int64_t halo) {
  std::int64_t count = 0;
  for (std::int64_t row = 0; row < side; ++row)
    if (rows > 0 && row >= first - halo && row < first + rows + halo) ++count;
  return count;
}

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

TEST_CASE("EP counts 26.68e9 operations for the pairs of class A", "[computes][workloads][ep]") {
  const Scenario s = job("ep", {{"size", std::ldexp(1.0, 28)}}, machines({1}, NetworkKind::none));
  CHECK(s.workload->program().work_flop == near(26.68e9));
}

TEST_CASE("EP's master sends orders in turn, works, and takes counts in turn", "[workloads][ep]") {
  // Orders of 16 B: 17 ms each; counts of 96 B: 97 ms each. 100 flop per rank, at 1, 1 and 2 flop/s.
  const std::map<std::string, double> parameters{{"size", 30}, {"work_per_pair", 10}};
  const auto bus = machines({1, 1, 2}, NetworkKind::bus);
  const RunResult r = run_on_both(job("ep", parameters, bus));
  const double works_from = 2 * 0.017;  // rank 0, when both have their orders
  CHECK(r[Quantity::finish_s][1] == near(works_from + 100 + 0.097));  // ready at 100.017, the master at 100.034
  CHECK(r[Quantity::finish_s][2] == near(works_from + 100 + 2 * 0.097));
  CHECK(r.makespan_s == near(works_from + 100 + 2 * 0.097));
  CHECK(r[Quantity::messages] == std::vector<double>{2, 1, 1});
  CHECK(r[Quantity::sent_bytes] == std::vector<double>{32, 96, 96});
}

TEST_CASE("EP begins when the tasks are started", "[workloads][ep]") {
  const auto pair = machines({1, 2}, NetworkKind::bus);
  const RunResult r =
      run_on_both(job("ep", {{"size", 30}, {"work_per_pair", 10}, {"spawn", 0.5}}, pair, {1, 2}));
  CHECK(r.makespan_s == near(0.5 + 0.017 + 100 + 0.097));
}

TEST_CASE("EP's operations are the job's and its messages constant for any split", "[workloads][ep][property]") {
  for (const std::size_t p : {2, 3, 5, 7, 8})
    for (const auto& split : splits_among(p)) {
      const Scenario s = job("ep", {{"size", 1001}, {"work_per_pair", 3}},
                             machines(rising_speeds(p), NetworkKind::bus), split);
      const RunResult r = run_on_both(s);
      CHECK(sum_of(r[Quantity::work_flop]) == near(3003));
      CHECK(s.workload->program().work_of(s.share_flop) == near(3003));
      const auto workers = static_cast<double>(p - 1);
      CHECK(sum_of(r[Quantity::messages]) == 2 * workers);
      CHECK(sum_of(r[Quantity::sent_bytes]) == (16 + 96) * workers);
      CHECK(r.makespan_s >= 3003 / sum_of(rising_speeds(p)));
    }
}

TEST_CASE("EP gives whole pairs, as near to the shares as they go", "[workloads][ep]") {
  const RunResult r = run_on_both(
      job("ep", {{"size", 10}, {"work_per_pair", 3}}, machines({1, 1, 1}, NetworkKind::bus), {1, 2, 0}));
  CHECK(r[Quantity::work_flop] == std::vector<double>{9, 21, 0});
}

TEST_CASE("An image goes out with its halo and comes back without", "[workloads][edge_detection]") {
  // Two rows and one around them: 120 B, 121 ms. Two rows back: 81 ms.
  const RunResult r = run_on_both(job("edge-detection", small_image({}), machines({1, 1}, NetworkKind::bus)));
  CHECK(r.makespan_s == near(0.121 + kHalf + 0.081));
  CHECK(r[Quantity::sent_bytes] == std::vector<double>{120, 80});
}

TEST_CASE("Between passes halo rows meet on a bus, and pass each other on a switch", "[workloads][edge_detection]") {
  // A row each way: 40 B on a switch, 80 on a bus.
  const auto time = [](NetworkKind network) {
    return run(job("edge-detection", small_image({{"passes", 3}}), machines({1, 1}, network)))[0].makespan_s;
  };
  CHECK(time(NetworkKind::network_switch) == near(0.121 + 3 * kHalf + 2 * 0.041 + 0.081));
  CHECK(time(NetworkKind::bus) == near(0.121 + 3 * kHalf + 2 * 0.081 + 0.081));
}

TEST_CASE("A mask of one pixel has no halo to exchange", "[workloads][edge_detection]") {
  const RunResult r = run_on_both(
      job("edge-detection", small_image({{"mask", 1}, {"passes", 3}}), machines({1, 1}, NetworkKind::bus)));
  CHECK(sum_of(r[Quantity::messages]) == 2);  // a strip out and back
}

TEST_CASE("Three strips come back in the order of ranks", "[workloads][edge_detection]") {
  // Rows 1, 1 and 2 at speeds 1, 2 and 2; the middle strip has two rows around it: 121 ms, the last one: 121 ms.
  const RunResult r = run_on_both(
      job("edge-detection", small_image({}), machines({1, 2, 2}, NetworkKind::bus), {1, 1, 2}));
  const double sent = 2 * 0.121, worked = sent + 4 * 23;  // ranks 0 and 2; rank 1 is ready long before
  CHECK(r[Quantity::finish_s][1] == near(worked + 0.041));
  CHECK(r.makespan_s == near(worked + 0.041 + 0.081));
}

TEST_CASE("Edge detection's operations, messages and bytes are its image's for any split",
          "[workloads][edge_detection][property]") {
  constexpr std::int64_t kSide = 37, kHalo = 2, kPasses = 3;
  for (const std::size_t p : {2, 3, 5, 7, 8})
    for (const auto& split : splits_among(p)) {
      const Scenario s = job("edge-detection", {{"size", kSide}, {"passes", kPasses}, {"pixel", 2}},
                             machines(rising_speeds(p), NetworkKind::network_switch), split);
      const auto parts = whole_parts(kSide, s.share_flop);
      const RunResult r = run(s)[0];
      const double work = kPasses * kSide * kSide * 55;
      CHECK(sum_of(r[Quantity::work_flop]) == near(work));
      CHECK(s.workload->program().work_of(s.share_flop) == near(work));
      CHECK(r.makespan_s >= work / sum_of(rising_speeds(p)));

      const auto with_rows = static_cast<double>(
          std::count_if(parts.begin(), parts.end(), [](std::int64_t rows) { return rows > 0; }));
      const double workers = with_rows - (parts[0] > 0 ? 1 : 0);
      CHECK(sum_of(r[Quantity::messages]) == 2 * workers + (kPasses - 1) * 2 * (with_rows - 1));
      const double row_bytes = kSide * 2;
      std::int64_t out = 0, first = parts[0];
      for (std::size_t i = 1; i < p; first += parts[i++]) out += rows_within(kSide, first, parts[i], kHalo);
      std::int64_t exchanged = 0;  // a strip sends to two sides but at the image's ends
      for (const auto rows : parts) exchanged += 2 * std::min(kHalo, rows);
      const auto has_rows = [](std::int64_t rows) { return rows > 0; };
      exchanged -= std::min(kHalo, *std::find_if(parts.begin(), parts.end(), has_rows));
      exchanged -= std::min(kHalo, *std::find_if(parts.rbegin(), parts.rend(), has_rows));
      CHECK(sum_of(r[Quantity::sent_bytes]) ==
            row_bytes * static_cast<double>(out + (kSide - parts[0]) + (kPasses - 1) * exchanged));
    }
}

TEST_CASE("Rows are exchanged over the head of a rank that has none, which gets and sends nothing",
          "[workloads][edge_detection]") {
  const RunResult r = run(job("edge-detection", small_image({{"passes", 2}}),
                              machines({1, 1, 1}, NetworkKind::network_switch), {1, 0, 1}))[0];
  CHECK(r[Quantity::work_flop] == std::vector<double>{2 * kHalf, 0, 2 * kHalf});
  CHECK(r[Quantity::sent_bytes] == std::vector<double>{120 + 40, 0, 40 + 80});
  CHECK(r[Quantity::messages] == std::vector<double>{1 + 1, 0, 1 + 1});
}

TEST_CASE("Edge detection pages for its strip twice and its halo", "[workloads][edge_detection]") {
  // (2·2 + 1)·40 B per rank in each pass, 2·4·40 B alone.
  const auto paging = small_image({{"passes", 2}, {"page_wait", 3}}), none = small_image({{"passes", 2}});
  const auto extra = [&](double memory_bytes) {
    const auto pair = with_memory(*machines({1, 1}, NetworkKind::bus), {memory_bytes, memory_bytes});
    const auto time = [&](const auto& given) { return run(job("edge-detection", given, pair))[0].makespan_s; };
    return time(paging) - time(none);
  };
  CHECK(extra(200) == 0);
  CHECK(extra(150) == near(2 * 3 * kHalf * (1 - 150. / 200)));

  const Scenario alone = job("edge-detection", paging, with_memory(*machines({1}, NetworkKind::none), {150}));
  const double waits = 3 * 4 * kHalf * (1 - 150. / 320);
  CHECK(alone.workload->program().paging_alone_s(alone.platform->workstations[0]) == near(waits));
  CHECK(run_on_both(alone).makespan_s == near(4 * kHalf + waits));
}

TEST_CASE("A mask without a middle, or larger than the image, is refused", "[workloads][edge_detection][error]") {
  const auto made = [](double size, double mask) {
    return job("edge-detection", {{"size", size}, {"mask", mask}}, machines(1));
  };
  CHECK_THROWS_AS(made(4, 4), InputError);
  CHECK_NOTHROW(made(4, 1));
  CHECK_THROWS_WITH(made(4, 5), "mask must not be larger than the image: it is 5 pixels wide, and size is 4");
  CHECK_NOTHROW(made(5, 5));
}

TEST_CASE("Two ranks sort halves, and the first merges them", "[workloads][merge_sort]") {
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
