// Tests of taking in: results of one batch that differ, pieces that are read again, and what is published.
#include "experiments/driver/shards/merged_store.hpp"

#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/experiments/driver/store_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

const ScenarioRow kScenario{"key", "direct", 4, 1, 2, "two machines", ""};

Attempt attempt_on(const std::string& host, std::size_t shard = 1) {
  return {unique_name(), "e", shard, 2, 0, host, "a processor of " + host, "0123", "1.2.3", "", "2026-01-01T00:00:00Z"};
}

/// A batch with a mean of its own, so that its bytes are too.
struct OneBatch {
  explicit OneBatch(double value, std::uint64_t first = 0) : bytes("results of " + std::to_string(value)), range{first, 2} {
    moments.add(value);
    moments.add(value + 1);
  }
  [[nodiscard]] BatchRow row() const { return batch_row(range, moments, bytes, 0.5); }
  std::string bytes;
  Batch range;
  Moments moments;
};

void publish(const ShardFolder& folder, const Attempt& attempt, const std::vector<OneBatch>& batches) {
  PieceWriter writer(folder, attempt);
  for (const auto& batch : batches) writer.keep(kScenario, batch.row());
  writer.publish();
}

struct Taken : Folder {
  Taken() : folder(path()) { folder.make(); }
  /// What is in the store after taking in: the means of its batches.
  std::vector<std::string> means() {
    MergedStore store(folder, attempt_on("here", 0));
    taken = store.take_in();
    conflicts = store.conflicts();
    store.publish();
    return sql(path(), "SELECT mean_makespan_s FROM batch ORDER BY first");
  }
  ShardFolder folder;
  TakenIn taken;
  std::vector<Conflict> conflicts;
};

}  // namespace

TEST_CASE("Batches count once, however often they are published and taken in", "[reads][shards]") {
  Taken t;
  publish(t.folder, attempt_on("a"), {OneBatch(1), OneBatch(2, 2)});
  publish(t.folder, attempt_on("b"), {OneBatch(2, 2), OneBatch(3, 4)});
  const std::vector<std::string> all{"1.5", "2.5", "3.5"};
  CHECK(t.means() == all);
  CHECK(t.taken.pieces == 2);
  CHECK(t.taken.batches == 3);
  CHECK(t.taken.again == 1);
  CHECK(t.conflicts.empty());
  CHECK(t.means() == all);
  CHECK(t.taken.pieces == 0);
}

TEST_CASE("Of results that differ the same ones count in whatever order they come, and both machines are named", "[shards]") {
  const bool first_is_lower = OneBatch(1).row().checksum < OneBatch(2).row().checksum;
  const std::string lower = first_is_lower ? "1.5" : "2.5", lower_host = first_is_lower ? "a" : "b";
  for (const bool a_first : {true, false}) {
    Taken t;
    const auto from_a = [&] { publish(t.folder, attempt_on("a"), {OneBatch(1)}); };
    const auto from_b = [&] { publish(t.folder, attempt_on("b", 2), {OneBatch(2)}); };
    if (a_first) from_a();
    else from_b();
    t.means();
    if (a_first) from_b();
    else from_a();
    CHECK(t.means() == std::vector<std::string>{lower});
    REQUIRE(t.conflicts.size() == 1);
    CHECK_THAT(t.conflicts[0].kept_by, Contains("on " + lower_host + " (a processor of " + lower_host + ", nowsim 1.2.3, program 0123)"));
    CHECK_THAT(t.conflicts[0].other_by, !Contains("on " + lower_host + " "));
    CHECK(t.conflicts[0].kept_checksum < t.conflicts[0].other_checksum);
    CHECK(sql(t.path(), "SELECT results FROM quarantine") == std::vector<std::string>{first_is_lower ? OneBatch(2).bytes : OneBatch(1).bytes});
    CHECK(t.means() == std::vector<std::string>{lower});  // for good
    CHECK(t.conflicts.size() == 1);
  }
}

TEST_CASE("A piece says whose it is without being taken in", "[shards]") {
  const Taken t;
  publish(t.folder, attempt_on("a"), {OneBatch(1), OneBatch(2, 2)});
  const auto names = t.folder.names(kPieceEnding);
  REQUIRE(names.size() == 1);
  CHECK_THAT(names[0], Catch::EndsWith("-e-r0-1of2.piece"));
  const auto info = info_of(t.folder, names[0]);
  REQUIRE(info);
  CHECK(info->attempt.host == "a");
  CHECK(info->batches == 2);
  CHECK(info->replications == 4);
  CHECK(info->seconds == 1);
  CHECK_FALSE(info_of(t.folder, "none.piece"));
}

TEST_CASE("What is published twice is there once, and is known when it is not whole", "[shards]") {
  const Taken t;
  const std::string name = t.folder.publish("bytes", "x.round");
  CHECK(t.folder.publish("bytes", "x.round") == name);
  CHECK(t.folder.names(".round") == std::vector<std::string>{name});
  CHECK(t.folder.whole(name) == "bytes");
  std::filesystem::resize_file(t.folder.path() / name, 3);
  CHECK_FALSE(t.folder.whole(name));
  const std::string aside = t.folder.set_aside(name);
  CHECK(std::filesystem::file_size(aside) == 3);
  CHECK(t.folder.names(".round").empty());
}

TEST_CASE("Leftovers of attempts that were killed go after a day by the file system's clock", "[shards]") {
  const Taken t;
  for (const char* name : {"old", "new"}) t.file(std::string("shards/incoming/") + name, "x");
  std::filesystem::last_write_time(t.folder.path() / "incoming/old", t.folder.now() - std::chrono::hours(25));
  t.folder.remove_leftovers();
  CHECK_FALSE(std::filesystem::exists(t.folder.path() / "incoming/old"));
  CHECK(std::filesystem::exists(t.folder.path() / "incoming/new"));
}
