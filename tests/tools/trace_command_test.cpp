// nowsim trace from a user's chair: recordings that are stopped, flags by formats, a measured speed, shipped traces.
#include <algorithm>
#include <catch2/catch.hpp>
#include <csignal>
#include <nlohmann/json.hpp>

#include "tests/cache_fixture.hpp"
#include "tests/gzipped.hpp"
#include "tests/paths.hpp"
#include "tests/skips.hpp"
#include "tests/tools/program_fixture.hpp"

using namespace nowsim::test;

namespace {

std::size_t lines_in(const std::string& file) {
  const std::string text = content_of(file);
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
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
  const std::string sysstat = "Linux 6.1 (lab) \t2026-03-02 \t_x86_64_\t(4 CPU)\n\n10:00:00 CPU %iowait ";
  std::string sar = sysstat + "%steal %idle\n", bad_sar = sar, mpstat = sysstat + "%irq %idle\n", bad_mpstat = mpstat;
  std::string top, bad_top, stat, bad_stat, dstat = "\"Dstat 0.8.0 CSV output\"\n\"epoch\",\"usr\",\"idl\",\"wai\"\n", bad_dstat = dstat;
  std::string perfmon = "\"(PDH-CSV 4.0)\",\"\\\\A\\Processor(_Total)\\% Processor Time\"\n", bad_perfmon = perfmon;
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
    const std::string row = "10:00:" + second + " all 0 0 ", lines = "top - 10:00:" + second + " up 1 day\n%Cpu(s): 1.0 us, ";
    const std::string ticks = "2026-03-02T10:00:" + second + "Z cpu " + std::to_string(i * i) + " 0 0 ";
    sar += row + load + "\n";
    bad_sar += row + bad + "\n";
    mpstat += row + load + "\n";
    bad_mpstat += row + bad + "\n";
    top += lines + load + " id, 0.0 wa\n";
    bad_top += lines + bad + " id, 0.0 wa\n";
    stat += ticks + time + " 0\n";
    bad_stat += ticks + (i == 25 ? "x" : time) + " 0\n";
    dstat += "17724384" + second + ",0," + load + ",0\n";
    bad_dstat += "17724384" + second + ",0," + bad + ",0\n";
    perfmon += "\"03/02/2026 10:00:" + second + ".000\",\"" + load + "\"\n";
    bad_perfmon += "\"03/02/2026 10:00:" + second + ".000\",\"" + bad + "\"\n";
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
          {"prometheus", answer(json), answer(bad_json), {}},
          {"sar", sar, bad_sar, {}},
          {"mpstat", mpstat, bad_mpstat, {}},
          {"top", top, bad_top, {}},
          {"dstat", dstat, bad_dstat, {}},
          {"proc-stat", stat, bad_stat, {}},
          {"perfmon", perfmon, bad_perfmon, {}}};
}

}  // namespace

TEST_CASE("Every flag of every format changes what is read, or is refused in a sentence", "[cli][trace]") {
  struct Given {
    std::string flag, value;
    bool of_bad = false;
  };
  const Given flags[] = {{"column", "other"}, {"measures", "idle-percent"}, {"columns", "time,-,value"},
                         {"interval", "7s"},  {"invalid", "skip", true},    {"gaps", "off"},
                         {"unpacked", "10B"}, {"hosts", "lab"},             {"from", "profile"},    {"zone", "Europe/Berlin"}};
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
