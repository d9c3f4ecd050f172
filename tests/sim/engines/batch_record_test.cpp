// Packed batches: the same bits come back, in an amount that is bounded, and bytes that are no batch are refused.
#include "sim/engines/batch_record.hpp"

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Bits, so that NaN equals itself and -0.0 is not 0.0.
std::vector<std::uint64_t> bits(const std::vector<double>& values) {
  std::vector<std::uint64_t> out;
  for (const double x : values) out.push_back(std::bit_cast<std::uint64_t>(x));
  return out;
}

std::string bits(const std::vector<Moments>& all) {
  std::string out(all.size() * sizeof(Moments), '\0');
  if (!all.empty()) std::memcpy(out.data(), all.data(), out.size());
  return out;
}

void check_same(const BatchRecord& a, const BatchRecord& b) {
  CHECK(a.range.first == b.range.first);
  CHECK(a.range.count == b.range.count);
  CHECK(a.workstations == b.workstations);
  CHECK(bits(a.makespan_s) == bits(b.makespan_s));
  CHECK(bits(a.effective_s) == bits(b.effective_s));
  for (const Quantity q : kAllQuantities) {
    INFO(quantity_kind(q).name);
    CHECK(bits(a.totals[q]) == bits(b.totals[q]));
    CHECK(bits(a.per_workstation[q].values) == bits(b.per_workstation[q].values));
    CHECK(bits(a.per_workstation[q].moments) == bits(b.per_workstation[q].moments));
  }
}

/// How a column of one value per replication and workstation looks.
using Column = double (*)(std::size_t replication, std::size_t workstation);
double varying(std::size_t r, std::size_t i) { return 1.0 / static_cast<double>(1 + 7 * r + 3 * i); }
double same(std::size_t, std::size_t) { return 0.1; }
double per_workstation(std::size_t, std::size_t i) { return 0.3 * static_cast<double>(i + 1); }
double odd(std::size_t r, std::size_t i) {
  const double values[] = {kNaN, -0.0, 0.0, std::numeric_limits<double>::infinity(), 5e-324, -kNaN};
  return values[(r + i) % 6];
}
double minus_zero(std::size_t r, std::size_t) { return r == 0 ? 0.0 : -0.0; }  // equal numbers, other bits

struct Columns {
  Column finish, work, active, owner, messages, bytes;
};

/// A batch's results as an engine would give them, with made-up numbers.
std::vector<RunResult> results_of(std::size_t replications, std::size_t n, const Columns& c) {
  std::vector<RunResult> all(replications);
  for (std::size_t r = 0; r < replications; ++r) {
    RunResult& run = all[r];
    run.replication = 300 + r;
    for (std::size_t i = 0; i < n; ++i) {
      run[Quantity::finish_s].push_back(c.finish(r, i));
      run[Quantity::work_flop].push_back(c.work(r, i));
      run[Quantity::active_s].push_back(c.active(r, i));
      run[Quantity::owner_s].push_back(c.owner(r, i));
      run[Quantity::messages].push_back(c.messages(r, i));
      run[Quantity::sent_bytes].push_back(c.bytes(r, i));
    }
    run.makespan_s = 100 + c.finish(r, 0);
  }
  return all;
}

Scenario of_size(std::size_t n) {
  auto platform = std::make_shared<Platform>();
  for (std::size_t i = 0; i < n; ++i) platform->workstations.push_back({"ws" + std::to_string(i + 1), 2.0});
  Scenario s;
  s.workload = std::make_shared<const LambdaWorkload>(compute_share);
  s.platform = std::move(platform);
  return s;
}

BatchRecord record_of(std::size_t replications, std::size_t n, const Columns& c) {
  return make_record(of_size(n), {300, replications}, results_of(replications, n, c));
}

const Columns kVarying{varying, varying, varying, varying, varying, varying};
const Columns kTypical{varying, per_workstation, varying, varying, same, same};

}  // namespace

TEST_CASE("Packing a batch and unpacking it gives back the same bits, whatever the columns",
          "[computes][reads][batch_record]") {
  const std::vector<Columns> kinds{
      kVarying,
      kTypical,
      {same, same, same, same, same, same},
      {per_workstation, per_workstation, per_workstation, same, varying, odd},
      {odd, odd, odd, odd, odd, odd},
      {minus_zero, minus_zero, varying, minus_zero, odd, same},
  };
  for (const std::size_t n : {1, 3, 32, 33, 4096, 4097})
    for (const std::size_t replications : {1, n > 1000 ? 3 : 7})
      for (std::size_t k = 0; k < kinds.size(); ++k) {
        CAPTURE(n, replications, k);
        const BatchRecord record = record_of(replications, n, kinds[k]);
        check_same(unpack_record(pack(record), record.range, n), record);
      }
}

TEST_CASE("A record holds values on up to 32 workstations, moments on up to 4096, neither on more", "[batch_record]") {
  for (const std::size_t n : {1, 32, 33, 4096, 4097}) {
    const BatchRecord record = record_of(3, n, kVarying);
    INFO(n << " workstations");
    for (const Quantity q : kAllQuantities) {
      const bool is_kept = quantity_kind(q).is_per_workstation;
      CHECK(record.of(q).values.size() == (is_kept && n <= 32 ? 3 * n : 0));
      CHECK(record.of(q).moments.size() == (is_kept && n > 32 && n <= 4096 ? n : 0));
    }
    CHECK(record.makespan_s.size() == 3);
    CHECK(record.moments(Quantity::finish_s).size() == (n <= 4096 ? n : 0));
  }
}

TEST_CASE("A record's sums over the workstations are those of its replications", "[batch_record]") {
  const BatchRecord record = record_of(2, 3, kTypical);
  // Work of 0.3, 0.6 and 0.9 flop at 2 flop/s; one tenth of a message from each.
  CHECK(record.effective_s[1] == Approx(0.9));
  CHECK(record.totals[Quantity::owner_s][1] == Approx(1.0 / 8 + 1.0 / 11 + 1.0 / 14));
  CHECK(record.totals[Quantity::messages][0] == Approx(0.3));
  CHECK(record.makespan_s[1] == 100 + 1.0 / 8);
  CHECK(record.of(Quantity::active_s).values[4] == 1.0 / 11);  // replication 1, workstation 2
}

TEST_CASE("Moments are the same bits whether values were kept or moments", "[batch_record]") {
  for (const Column column : {varying, same, per_workstation, odd}) {
    const Columns all{column, column, column, column, column, column};
    const BatchRecord small = record_of(9, 32, all), large = record_of(9, 33, all);
    REQUIRE_FALSE(small.of(Quantity::owner_s).values.empty());
    REQUIRE(large.of(Quantity::owner_s).values.empty());
    for (const auto q : {Quantity::finish_s, Quantity::work_flop, Quantity::active_s, Quantity::owner_s,
                         Quantity::messages, Quantity::sent_bytes}) {
      auto of_large = large.moments(q);
      of_large.resize(32);
      CHECK(bits(small.moments(q)) == bits(of_large));
    }
  }
}

TEST_CASE("Totals that only some scenarios have, and control variates, come back", "[batch_record]") {
  BatchRecord record = record_of(3, 2, kTypical);
  const std::string plain = pack(record);
  record.totals[Quantity::owner_jobs] = {2, 5, 0};
  record.totals[Quantity::owner_slowdown] = {2.5, 9, 0};
  check_same(unpack_record(pack(record), record.range, 2), record);
  record.controls = {{0.1, -0.2, 0.3}, {1, 1, 1}};
  const BatchRecord read = unpack_record(pack(record), record.range, 2);
  check_same(read, record);
  CHECK(read.controls == record.controls);

  // Those of owner jobs come without a mark. Behind one: the quantity's number, here theirs, and a column of one value.
  const std::string sevens = std::string("\xc1\6\0", 3) + std::string("\0\0\0\0\0\0\x1c\x40", 8);
  CHECK_THROWS_AS(unpack_record(plain + sevens, record.range, 2), std::runtime_error);  // they come both or not at all
  const std::string of_none = std::string("\xc1\x8", 2) + sevens.substr(2);
  CHECK_THROWS_AS(unpack_record(plain + of_none, record.range, 2), std::runtime_error);
}

TEST_CASE("What repeats itself is packed once, and no batch is larger than its workstations allow", "[batch_record]") {
  constexpr std::size_t kReplications = 100, kKept = 6, kDouble = sizeof(double);
  const auto size = [](std::size_t n, const Columns& c) { return pack(record_of(kReplications, n, c)).size(); };
  const std::size_t heads = 1 + 5 + kKept;  // the format, and the form of each column
  CHECK(size(8, {same, same, same, same, same, same}) == heads + (5 + 1) * kDouble);  // five columns equal the finish times
  CHECK(size(8, {per_workstation, per_workstation, same, same, same, same}) == heads + (5 + 8 + 4) * kDouble);
  // All columns vary, and all but the finish times' own are equal to these.
  CHECK(size(8, kVarying) == heads + (5 * kReplications + 8 * kReplications) * kDouble);
  // A typical job: two scalars and three columns vary.
  CHECK(size(32, kTypical) <= heads + (5 * kReplications + 32 * kReplications + 32 + 2) * kDouble);
  for (const std::size_t n : {33, 4096})
    CHECK(size(n, kVarying) <= heads + 5 * kReplications * kDouble + kKept * n * sizeof(Moments));
  CHECK(size(4097, kVarying) <= heads + 5 * kReplications * kDouble);
}

TEST_CASE("Bytes that end early, go on too long or are of another size are refused", "[batch_record][error]") {
  for (const std::size_t n : {3, 33, 4097}) {
    const BatchRecord record = record_of(4, n, kVarying);
    const std::string bytes = pack(record);
    INFO(n << " workstations");
    CHECK_NOTHROW(unpack_record(bytes, record.range, n));
    for (std::size_t length = 0; length < bytes.size(); length += 1 + length / 7)
      CHECK_THROWS_AS(unpack_record(bytes.substr(0, length), record.range, n), std::runtime_error);
    CHECK_THROWS_AS(unpack_record(bytes.substr(0, bytes.size() - 1), record.range, n), std::runtime_error);
    CHECK_THROWS_AS(unpack_record(bytes + '\0', record.range, n), std::runtime_error);
    CHECK_THROWS_AS(unpack_record(bytes + bytes, record.range, n), std::runtime_error);
    CHECK_THROWS_AS(unpack_record(bytes, {300, 5}, n), std::runtime_error);
    CHECK_THROWS_AS(unpack_record(bytes, {300, 3}, n), std::runtime_error);
    if (n <= 4096) CHECK_THROWS_AS(unpack_record(bytes, record.range, n + 1), std::runtime_error);
  }
}

TEST_CASE("Work without the times beside it, or few bytes for many values, are no batch", "[batch_record][error]") {
  for (const Quantity q : {Quantity::owner_s, Quantity::active_s})
    for (const std::size_t n : {3, 40})
      for (const bool is_gone : {true, false}) {
        BatchRecord record = record_of(4, n, kVarying), other = record_of(4, n, kVarying);
        WorkstationValues& column = record.per_workstation[q];
        const auto moments = record.moments(q);
        column = is_gone ? WorkstationValues{} : WorkstationValues{{}, moments};
        if (!is_gone && n > 32) column = {std::vector<double>(4 * n, 0.5), {}};
        CHECK_NOTHROW(unpack_record(pack(other), other.range, n));
        CHECK_THROWS_AS(unpack_record(pack(record), record.range, n), std::runtime_error);
      }
  BatchRecord wide = record_of(4, 4096, kVarying);
  wide.per_workstation[Quantity::finish_s] = {std::vector<double>(std::size_t{4} * 4096, 0.5), {}};
  CHECK_THROWS_AS(unpack_record(pack(wide), wide.range, 4096), std::runtime_error);
}

TEST_CASE("Bytes in another format, in an unknown form or at random are refused", "[batch_record][error]") {
  const BatchRecord record = record_of(4, 3, kVarying);
  std::string bytes = pack(record);
  for (const char format : {'\0', '\2', '\x7f', '\xff'}) {
    bytes[0] = format;
    CHECK_THROWS_AS(unpack_record(bytes, record.range, 3), std::runtime_error);
  }
  for (const char form : {'\3', '\4', '\6', '\xff'}) {  // none of them is a scalar column's
    bytes = pack(record);
    bytes[1] = form;
    CHECK_THROWS_AS(unpack_record(bytes, record.range, 3), std::runtime_error);
  }
  const std::size_t finish = 1 + 5 * (1 + 4 * sizeof(double));  // where the finish times' form stands
  bytes = pack(record);
  REQUIRE(bytes[finish] == '\2');
  for (const char form : {'\6', '\x40', '\xff'}) {
    bytes[finish] = form;
    CHECK_THROWS_AS(unpack_record(bytes, record.range, 3), std::runtime_error);
  }
  // The finish times cannot be equal to themselves: there would be none.
  bytes = pack(record);
  bytes.erase(finish + 1, 4 * 3 * sizeof(double));
  bytes[finish] = '\3';
  CHECK_THROWS_AS(unpack_record(bytes, record.range, 3), std::runtime_error);

  std::mt19937_64 random(1);
  for (int k = 0; k < 2000; ++k) {
    std::string garbage(random() % 400, '\0');
    for (char& c : garbage) c = static_cast<char>(random());
    if (!garbage.empty() && k % 2 == 0) garbage[0] = '\1';
    CHECK_THROWS_AS(unpack_record(garbage, record.range, 3), std::runtime_error);
  }
}
