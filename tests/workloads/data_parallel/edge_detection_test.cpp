// Edge detection: operations, messages and times against closed forms.
#include <algorithm>

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

}  // namespace

TEST_CASE("An image goes out with its halo and comes back without", "[computes][workloads][edge_detection]") {
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
