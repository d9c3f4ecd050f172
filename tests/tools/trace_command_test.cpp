// nowsim trace from a user's chair: recordings that are stopped, fits and conversions of files.
#include <algorithm>
#include <catch2/catch.hpp>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/cache_fixture.hpp"
#include "tests/gzipped.hpp"
#include "tests/paths.hpp"
#include "tests/skips.hpp"
#include "tests/tools/program_fixture.hpp"

using namespace nowsim::test;
namespace fs = std::filesystem;

namespace {

std::size_t lines_in(const std::string& file) {
  const std::string text = content_of(file);
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// A trace whose values change every fourth sample.
std::string some_trace(std::size_t samples) {
  std::string text = "timestamp,value\n";
  for (std::size_t i = 0; i < samples; ++i)
    text += std::to_string(10 * i) + "," + std::to_string(20 + (i / 4 * 37) % 60) + "\n";
  return text;
}

}  // namespace

TEST_CASE("A recording that a signal stops keeps every row, and says so by its exit status",
          "[reads][cli][trace][processes]") {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGKILL}) {
    const Folder folder;
    const std::string file = folder.path() + "/mine.csv";
    RunningProgram program({"trace", "record", "mine.csv", "--interval", "100ms"}, folder.path());
    REQUIRE(comes_true([&] { return lines_in(file) >= 4; }));
    kill(program.pid(), signal);
    const ProgramRun r = program.finish();
    INFO("signal " << signal << ": " << r.error);
    CHECK(r.status == 128 + signal);
    CHECK(r.out.empty());
    const std::string text = content_of(file);
    CHECK(lines_in(file) >= 4);
    CHECK(text.starts_with("timestamp,availability,utilisation_percent,waiting\n20"));
    CHECK(text.ends_with('\n'));
    if (signal != SIGKILL)
      CHECK(r.error == "stopped; " + std::to_string(lines_in(file) - 1) + " rows recorded: mine.csv\ngo on with:  " +
                           program_file() + " trace record mine.csv --interval 100ms --append\n");
    // What was written is a trace that goes on, and that is read.
    const ProgramRun more = run_program(
        {"trace", "record", "mine.csv", "--interval", "100ms", "--duration", "300ms", "--append"}, folder.path());
    CHECK(more.status == 0);
    CHECK(content_of(file).starts_with(text));
    CHECK(content_of(file).size() > text.size());
    CHECK(run_program({"trace", "convert", "mine.csv", "-", "--to", "profile"}, folder.path()).status == 0);
  }
}

TEST_CASE("A recording beside an older file keeps that", "[cli][trace]") {
  const Folder folder;
  folder.file("mine.csv", "important\n");
  const ProgramRun r =
      run_program({"trace", "record", "mine.csv", "--interval", "100ms", "--duration", "200ms"}, folder.path());
  CHECK(r.status == 0);
  CHECK(r.error == "note: there was another mine.csv; it is now mine.csv.~1~\n2 rows recorded: mine.csv\n");
  CHECK(content_of(folder.path() + "/mine.csv.~1~") == "important\n");
  CHECK(lines_in(folder.path() + "/mine.csv") == 3);
}

TEST_CASE("A second recording of the same file is refused, and the first goes on in its place",
          "[cli][trace][processes]") {
  const Folder folder;
  const std::string file = folder.path() + "/mine.csv";
  RunningProgram first({"trace", "record", "mine.csv", "--interval", "100ms"}, folder.path());
  REQUIRE(comes_true([&] { return lines_in(file) >= 2; }));
  for (const bool append : {false, true}) {
    std::vector<std::string> words{"trace", "record", "mine.csv"};
    if (append) words.emplace_back("--append");
    const ProgramRun second = run_program(words, folder.path());
    CHECK(second.status == 2);
    CHECK(second.out.empty());
    CHECK(second.error == "error: mine.csv: another process is writing this file.\n");
  }
  CHECK_FALSE(std::filesystem::exists(file + ".~1~"));
  const auto so_far = lines_in(file);
  CHECK(comes_true([&] { return lines_in(file) > so_far; }));
  kill(first.pid(), SIGINT);
  CHECK(first.finish().status == 128 + SIGINT);
}

TEST_CASE("A fit is a table, CSV or JSON, and files that nowsim reads", "[cli][trace]") {
  const Folder folder;
  folder.file("a.csv", some_trace(400));
  folder.file("b.csv", some_trace(300));
  const ProgramRun table = run_program(
      {"trace", "fit", "a.csv", "b.csv", "--owner", "owner.yaml", "--platform", "now.xml", "--picture", "fit.svg"},
      folder.path());
  INFO(table.error);
  REQUIRE(table.status == 0);
  CHECK(table.out.find("distance") != std::string::npos);
  CHECK(table.error ==
        "assumed: column 'value' holds utilisation-percent\n"
        "owner block: owner.yaml\nplatform: now.xml\nprofile: now-a.profile\nprofile: now-b.profile\n"
        "picture: fit.svg\n");
  CHECK(content_of(folder.path() + "/fit.svg").find("</svg>") != std::string::npos);
  const ProgramRun csv = run_program({"trace", "fit", "a.csv", "-f", "csv"}, folder.path());
  CHECK(csv.out.starts_with("trace,file,samples,step_s,span_s,gaps,mean,"));
  CHECK(csv.out.find("\na,a.csv,400,10,4000,0,") != std::string::npos);
  CHECK(run_program({"trace", "fit", "a.csv", "-f", "json"}, folder.path()).out.find("\"trace\": \"a\", ") !=
        std::string::npos);
  folder.file("e.yaml",
              "nowsim: 1\nplatform: {file: now.xml}\njob: {workload: base-task, work: 1Tf}\n"
              "run: {replications: 200}\nmetrics: [TH, tau]\n");
  const ProgramRun by_platform = run_program({"run", "e.yaml", "-f", "csv"}, folder.path());
  folder.file("e2.yaml",
              "nowsim: 1\nplatform: {names: [a, b], speed: 1Gf}\njob: {workload: base-task, work: 1Tf}\n"
              "run: {replications: 200}\nmetrics: [TH, tau]\n" +
                  content_of(folder.path() + "/owner.yaml"));
  const ProgramRun by_block = run_program({"run", "e2.yaml", "-f", "csv"}, folder.path());
  INFO(by_platform.error << by_block.error);
  CHECK(by_block.status == 0);
  CHECK(by_platform.out == by_block.out);
}

TEST_CASE("A fit says what it assumed, and of which files where it is not all", "[cli][trace]") {
  const Folder folder;
  folder.file("a.csv", some_trace(40));
  std::string shares = "timestamp,availability\n";
  for (int i = 0; i < 40; ++i) shares += std::to_string(10 * i) + (i / 4 % 2 == 0 ? ",0.5\n" : ",0.9\n");
  folder.file("b.csv", shares);
  const ProgramRun r = run_program({"trace", "fit", "a.csv", "b.csv", "-f", "csv"}, folder.path());
  CHECK(r.status == 0);
  CHECK(r.error == "assumed: a.csv: column 'value' holds utilisation-percent\n"
                   "assumed: b.csv: column 'availability' holds availability\n");
}

namespace {

/// Five days of 10 min each, from 7 to 22, of 29 % load in the mean.
std::string days_of_a_lab() {
  std::string text = "timestamp,value\n";
  for (int day = 2; day < 7; ++day)
    for (int step = 42; step < 132; ++step) {
      char stamp[32];
      std::snprintf(stamp, sizeof stamp, "2026-03-%02d %02d:%02d:00", day, step / 6, step % 6 * 10);
      text += std::string(stamp) + "," + (step / 3 % 2 == 0 ? "8" : "50") + "\n";
    }
  return text;
}

}  // namespace

TEST_CASE("Nights in which a machine was off are left out of its fit, or count, as asked", "[cli][trace]") {
  const Folder folder;
  folder.file("lab.csv", days_of_a_lab());
  const auto fit = [&](std::vector<std::string> flags) {
    std::vector<std::string> words{"trace", "fit", "lab.csv", "-f", "json"};
    words.insert(words.end(), flags.begin(), flags.end());
    const ProgramRun r = run_program(words, folder.path());
    REQUIRE(r.status == 0);
    return std::pair(double(nlohmann::json::parse(r.out)[0]["mean"]), r.error);
  };
  const std::string share = "32.4 % of the span has no data (4 gaps): ";  // 36 of 111 hours
  const auto [mean, error] = fit({});
  CHECK(mean == Approx(0.71));
  CHECK(error == "assumed: column 'value' holds utilisation-percent\nassumed: " + share +
                     "left out; --gaps off, left-out or hold says what the machine was doing then\n");
  CHECK(fit({"--gaps", "left-out"}).second.ends_with(share + "left out\n"));
  CHECK(fit({"--gaps", "off"}).first == Approx(0.71 * 75 / 111));
  CHECK(fit({"--gaps", "off"}).second.ends_with(share + "counted as switched off\n"));
  CHECK(fit({"--gaps", "hold"}).first == Approx((0.71 * 75 + 0.5 * 36) / 111));
  const std::string csv = run_program({"trace", "convert", "lab.csv", "-", "--to", "csv"}, folder.path()).out;
  CHECK_THAT(csv, Catch::Contains("\n2026-03-02 21:50:00,0.5\n2026-03-03 07:00:00,0.92\n"));  // by the clock
  const ProgramRun off = run_program({"trace", "convert", "lab.csv", "-", "--to", "csv", "--gaps", "off"}, folder.path());
  CHECK_THAT(off.out, Catch::Contains("\n2026-03-02 21:50:00,0.5\n2026-03-02 22:00:00,0\n2026-03-03 07:00:00,0.92\n"));
  CHECK_THAT(off.error, Catch::Contains("read what is written with --gaps hold"));
  const ProgramRun profile = run_program({"trace", "convert", "lab.csv", "-", "--to", "profile"}, folder.path());
  CHECK_THAT(profile.error, Catch::Contains("what is left out is no part of the profile: dates behind it are earlier by that"));
}

namespace {

/// A file of a format that is read with some flags: with a long gap, and with a value that cannot be.
struct Sample {
  std::string format, with_gap, with_bad;
  std::vector<std::string> needed;
};

std::vector<Sample> samples_of_formats() {
  std::string csv = "timestamp,value,other\n", sadf = "# hostname;interval;timestamp;CPU;%iowait;%idle\n";
  std::string vmstat = "r  b id wa UTC\n", bad_csv = csv, bad_sadf = sadf, bad_vmstat = vmstat;
  std::string values, bad_values, json, bad_json;
  for (int i = 0; i < 30; ++i) {
    if (i >= 10 && i < 20) continue;
    const std::string load = std::to_string(20 + i), bad = i == 25 ? "300" : load, second = std::to_string(10 + i);
    const std::string time = std::to_string(10 * i), clock = "2026-03-02 10:00:" + second;
    csv += time + "," + load + "," + std::to_string(i) + "\n";
    bad_csv += time + "," + bad + ",0\n";
    values += load + "\n";
    bad_values += bad + "\n";
    sadf += "lab;1;" + clock + " UTC;-1;0;" + load + "\n";
    bad_sadf += "lab;1;" + clock + " UTC;-1;0;" + bad + "\n";
    vmstat += "0 0 " + load + " 0 " + clock + "\n";
    bad_vmstat += "0 0 " + bad + " 0 " + clock + "\n";
    json += (i > 0 ? ",[" : "[") + time + ",\"" + load + "\"]";
    bad_json += (i > 0 ? ",[" : "[") + time + ",\"" + bad + "\"]";
  }
  for (int i = 0; i < 8; ++i) values += "\n";  // values that are missing
  values += "5\n6\n";
  const auto answer = [](const std::string& rows) {
    return "{\"data\":{\"resultType\":\"matrix\",\"result\":[{\"values\":[" + rows + "]}]}}";
  };
  const std::string profile = "0 0.5\n10 1\n20 0.25\n";
  return {{"csv", csv, bad_csv, {}},
          {"values", values, bad_values, {"--interval", "10s"}},
          {"profile", profile, profile, {}},
          {"sadf", sadf, bad_sadf, {}},
          {"vmstat", vmstat, bad_vmstat, {}},
          {"prometheus", answer(json), answer(bad_json), {}}};
}

}  // namespace

TEST_CASE("Every flag of every format changes what is read, or is refused in a sentence", "[cli][trace]") {
  struct Given {
    std::string flag, value;
    bool of_bad = false;
  };
  const Given flags[] = {{"column", "other"}, {"measures", "idle-percent"}, {"columns", "time,-,value"},
                         {"interval", "7s"},  {"invalid", "skip", true},    {"gaps", "off"},
                         {"unpacked", "10B"}, {"hosts", "lab"},             {"from", "profile"}};
  for (const Sample& sample : samples_of_formats()) {
    const Folder folder;
    folder.file("gap.gz", gzipped(sample.with_gap));
    folder.file("bad.gz", gzipped(sample.with_bad));
    const auto convert = [&](const std::string& file, const Given* given) {
      std::vector<std::string> words{"trace", "convert", file, "-", "--to", "csv"};
      if (given == nullptr || given->flag != "interval")
        words.insert(words.end(), sample.needed.begin(), sample.needed.end());
      if (sample.format == "values" && file == "gap.gz") words.insert(words.end(), {"--invalid", "skip"});
      if (given != nullptr) words.insert(words.end(), {"--" + given->flag, given->value});
      return run_program(words, folder.path());
    };
    REQUIRE(convert("gap.gz", nullptr).status == 0);
    for (const Given& given : flags) {
      const std::string file = given.of_bad ? "bad.gz" : "gap.gz";
      const ProgramRun without = convert(file, nullptr), with = convert(file, &given);
      INFO(sample.format << " --" << given.flag << ": " << with.error);
      const bool is_refused = with.status == 2 && with.error.starts_with("error: ") && with.error != without.error;
      const bool is_taken = with.status == 0 && with.out != without.out;
      if (sample.format == "profile" && given.flag == "from") continue;  // that is what it is
      CHECK((is_refused || is_taken));
    }
  }
}

TEST_CASE("A file of several machines is fitted machine by machine", "[cli][trace]") {
  const Folder folder;
  std::string text;
  for (int i = 0; i < 40; ++i)
    for (const char* machine : {"m_1", "x/2"})
      text += std::string(machine) + "," + std::to_string(10 * i) + "," + std::to_string(20 + (i / 4 * 37) % 60) + ",9,,\n";
  folder.file("usage.csv", text);
  const auto fit = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"trace", "fit", "usage.csv", "-f", "csv", "--columns", "machine_id,time_stamp,cpu",
                                 "--column", "cpu"});
    return run_program(words, folder.path()).out;
  };
  CHECK_THAT(fit({}), Catch::Contains("\nm_1,usage.csv,40,10,400,0,") && Catch::Contains("\nx_2,usage.csv,40,"));
  CHECK_THAT(fit({"--hosts", "m_1"}), !Catch::Contains("x_2"));
}

TEST_CASE("A value a line is converted with an interval, compressed or not", "[cli][trace]") {
  const Folder folder;
  folder.file("node_7", "20\n30\n10\n");
  folder.file("packed", gzipped("20\n30\n10\n"));
  folder.file("node_7.zst", zstd_stored("20\n30\n10\n"));
  for (const char* name : {"node_7", "packed", "node_7.zst"}) {
    const ProgramRun r = run_program({"trace", "convert", name, "-", "--to", "csv", "--interval", "5min"}, folder.path());
    CHECK(r.out == "timestamp,availability\n0,0.8\n300,0.7\n600,0.9\n");
    CHECK(r.error == "assumed: values are utilisation-percent\n");
  }
}

TEST_CASE("A speed is measured, told with its spread and what it is of, and kept where the machine was idle",
          "[cli][trace][machine_speed]") {
  const CacheFolder cache;
  const ProgramRun json = run_program({"trace", "speed", "--duration", "1s", "--format", "json"});
  INFO(json.error);
  REQUIRE(json.status == 0);
  const auto found = nlohmann::json::parse(json.out);
  const double speed = found["speed_flops"];
  CHECK(speed > 1e7);  // no machine that runs this is slower, and none computes a thousand numbers at once
  CHECK(speed < 1e12);
  CHECK(found["least_flops"] <= speed);
  CHECK(speed <= found["most_flops"]);
  CHECK(found["repeats"] >= 5);
  CHECK(found["cores"] >= 1);
  CHECK_THAT(std::string(found["kernel"]), Catch::Contains("double-precision"));
  CHECK(std::string(found["kept"]).empty() == bool(found["is_disturbed"]));
  const ProgramRun text = run_program({"trace", "speed", "-d", "1s"});
  CHECK_THAT(text.out, Catch::Contains("flop/s of one core: the median of ") && Catch::Contains("platform: {speed: ") &&
                           Catch::Contains("<host id=\"...\" speed=\"") && Catch::Contains("machine-hours"));
}

TEST_CASE("Fits of six measured servers", "[cli][trace][shipped]") {
  const std::string traces = measured_traces();
  if (traces.empty()) return;
  std::vector<std::string> words{"trace", "fit", "--hosts", "24ae8d,77c1ca,ac20cd", "-f", "csv"};
  for (const char* name : {"24ae8d", "77c1ca", "ac20cd"})
    words.push_back(traces + "/ec2_cpu_utilization_" + name + ".csv");
  const ProgramRun r = run_program(words);
  INFO(r.error);
  REQUIRE(r.status == 0);
  CHECK(r.out.find("\n24ae8d,") != std::string::npos);
  CHECK(r.out.find(",4032,300,1209600,0,0.8948") != std::string::npos);  // 77c1ca
  CHECK(r.out.find(",4032,300,1211100,2,0.590") != std::string::npos);   // ac20cd and its two gaps
}
