// What monitors write, as files that they have written (monitors/README.md): which format each is taken for, and the series
// that are read of it.
#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <set>

#include "experiments/driver/reading/load_formats.hpp"
#include "experiments/driver/reading/monitor_clock.hpp"
#include "sim/base/error.hpp"
#include "tests/paths.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

using Numbers = std::vector<double>;

std::string recorded(const std::string& name) { return source_folder() + "/tests/experiments/driver/reading/monitors/" + name; }

LoadReading at_interval(double interval_s) {
  LoadReading reading;
  reading.interval_s = interval_s;
  return reading;
}
LoadReading skipping() {
  LoadReading reading;
  reading.invalid = InvalidRule::skip;
  return reading;
}

LoadFile read_text(const std::string& text, const LoadReading& reading = {}) {
  const Folder folder;
  return read_load_file(folder.file("load", text), reading);
}
std::string refusal(const std::string& text, const LoadReading& reading = {}) {
  const Folder folder;
  const std::string file = folder.file("load", text);
  try {
    read_load_file(file, reading);
    return "accepted";
  } catch (const InputError& e) {
    std::string said = e.what();
    return said.replace(0, said.starts_with(file) ? file.size() : 0, said.starts_with(file) ? "~" : "");
  }
}

Numbers eight_times(const Numbers& numbers) {
  Numbers all;
  for (int i = 0; i < 8; ++i) all.insert(all.end(), numbers.begin(), numbers.end());
  return all;
}

void check_numbers(const LoadSeries& trace, const Numbers& availability) {
  REQUIRE(trace.availability.size() == availability.size());
  for (std::size_t i = 0; i < availability.size(); ++i) CHECK(trace.availability[i] == Approx(availability[i]).margin(1e-6));
}

}  // namespace

TEST_CASE("Files that monitors have written are told apart, and read", "[reads][trace][monitors]") {
  struct Recorded {
    std::string file, told, first;  ///< how the sentence on the format begins, and the first stamp
    Numbers availability;
    double step_s = 1;
    LoadReading reading = {};
  };
  // By hand: idle and wait of each row, at the stamp of the row before; of /proc/stat the share of idle and iowait in what
  // the counts differ by.
  const Recorded files[] = {
      {"sar.txt", "sar (a table with %idle); shares in per cent", "2026-11-30 22:29:39",
       {0, 0, 0.4874, 0.4824, 0, 0, 0.4874, 0, 0.6396, 0.485, 0, 0.005, 0.5025}},
      {"sar-german.txt", "sar (a table with %idle)", "2026-11-30 22:29:39",
       {0, 0, 0.4874, 0.4824, 0, 0, 0.4874, 0, 0.6396, 0.485, 0, 0.005, 0.5025}},
      {"sar-restart.txt", "sar (a table with %idle)", "2026-11-30 22:29:39",
       {0, 0, 0.4874, 0.4824, 0, 0, 0.4874, 0, 0.6396, 0.485, 0, 0.005, 0.5025}},
      {"sar-everything.txt", "sar (a table with %idle)", "2026-11-30 22:29:39",
       {0, 0, 0.4874, 0.4824, 0, 0, 0.4874}},
      {"sar-half.txt", "sar (a table with %idle)", "2026-03-02 08:00:00",
       {0.85, 0.75}, 600},
      {"sadf.txt", "sadf (its header '# hostname;interval;...')", "2026-11-30T22:29:40Z",
       {0, 0.4874, 0.4824, 0, 0, 0.4874, 0.6396, 0.485, 0, 0.005, 0.5025}},
      {"sadf-comments.txt", "sadf", "2026-11-30 22:29:40",
       {0, 0.4874, 0.4824, 0, 0, 0.4874, 0.6396, 0.485, 0, 0.005, 0.5025}},
      {"mpstat.txt", "mpstat (a table with %irq and %idle)", "2026-11-30 22:29:39",
       {0, 0.035, 0.4848, 0.4523, 0, 0.03, 0.4824, 0.455, 0, 0.315}},
      {"mpstat-all.txt", "mpstat", "2026-11-30 22:29:39",
       {0, 0.025, 0.4848, 0.4623, 0, 0.0199}},
      {"vmstat.txt", "vmstat (its header 'r b ... id wa')", "2026-11-30T22:29:39Z",
       {0, 0.04, 0.48, 0.45, 0, 0.04, 0.48, 0.46, 0}},
      {"vmstat-tw.txt", "vmstat", "2026-11-30T22:29:39Z",
       {0, 0.04, 0.49, 0.44, 0, 0.04, 0.48, 0.44, 0}},
      {"vmstat-w.txt", "vmstat", "0",
       {0, 0.03, 0.48, 0.46, 0, 0.02, 0.48, 0.47, 0}, 1, at_interval(1)},
      {"vmstat-n.txt", "vmstat", "0",
       {0, 0.04, 0.49, 0.44, 0, 0.04, 0.48, 0.45, 0}, 1, at_interval(1)},
      {"top.txt", "top (its lines 'top - ...')", "80979",
       {0, 0.12, 0.48, 0.367, 0, 0.12, 0.48, 0.368, 0}},
      {"top-german.txt", "top", "80979",
       {0, 0.12, 0.48, 0.367}},
      {"dstat.csv", "dstat (what it says of itself)", "2026-11-30T22:29:39Z",
       {0, 0.16, 0.48241, 0.32663, 0, 0.155, 0.485, 0.33, 0}},
      {"dstat-epoch.csv", "dstat", "1796077779.595",
       {0, 0.1791, 0.48744, 0.30151, 0, 0.18, 0.48, 0.31, 0}},
      {"dstat-plain.csv", "dstat", "0",
       {0, 0.16, 0.48241, 0.32663, 0, 0.155, 0.48, 0.335, 0}, 1, at_interval(1)},
      {"proc-stat.txt", "proc-stat (its line 'cpu'); ticks", "2026-11-30T22:29:39Z",
       {0, 0.039604, 0.485, 0.431373, 0, 0.064356, 0.482587, 0.411765, 0}},
      {"proc-stat-line.txt", "proc-stat", "2026-11-30T22:29:39+00:00",
       {0, 0.05, 0.480198, 0.425743, 0}},
      {"proc-stat-whole.txt", "proc-stat", "0",
       {0, 0.04, 0.485, 0.433498}, 1, at_interval(1)},
      {"typeperf.csv", "perfmon (its header \"(PDH-CSV 4.0)\")", "2016-09-15 09:20:56.002",
       {0.99469634, 0.5, 0.99990454}, 3},
      {"newest-first.tsv", "csv (columns between tabs); column 'value' holds", "2026-03-02T09:00:00+01:00",
       {0.875, 0.775, 0.675}, 300},
      {"bitbrains.csv", "csv (columns between semicolons); column 'CPU usage [%]' holds utilisation-percent", "1376314846",
       {0.068, 0.07, 0.109}, 300},
      {"planetlab.txt", "values (a number a line); values are utilisation-percent", "0",
       {0.8, 0.7, 0.9}, 300, at_interval(300)},
      {"lab.profile", "profile (PERIODICITY)", "0",
       {0.5, 1}, 10},
      {"mine.csv", "csv (columns between commas); column 'availability' holds availability", "2026-11-21T18:00:40Z",
       {0.115607, 0.5}, 10},
  };
  for (const Recorded& file : files) {
    INFO(file.file);
    const LoadFile read = read_load_file(recorded(file.file), file.reading);
    CHECK_THAT(read.assumptions.front(), Catch::StartsWith("this is " + file.told));
    REQUIRE(read.loads.size() == 1);
    const LoadSeries& trace = read.loads.front().trace;
    CHECK(stamp_text(trace.first) == file.first);
    check_numbers(trace, file.availability);
    CHECK(median_step_s(trace) == Approx(file.step_s).margin(1e-3));
  }
}

TEST_CASE("Files of several machines are read as all of them at once", "[trace][monitors]") {
  struct Recorded {
    std::string file, told, first;
    std::vector<std::pair<std::string, Numbers>> machines;
  };
  const Recorded files[] = {
      {"lab.csv", "csv (columns between commas); column 'value' holds", "2026-11-26T10:00:00Z",
       {{"alder", eight_times({0.875, 0.8, 1})}, {"birch", eight_times({0.2, 0, 0.6})}}},
      {"columns.csv", "csv (columns between commas); each column is a machine's, by their names; they hold utilisation-percent",
       "2026-11-26T10:00:00+01:00", {{"lab1", {0.875, 0.8, 1}}, {"lab2", {0.2, 0, 0.6}}, {"lab3", {1, 0.5, 0}}}},
      {"semicolons.csv", "csv (columns between semicolons); each column is perhaps a machine's", "2026-03-02 09:00:00",
       {{"alder", {0.875, 0.775, 0.675}}, {"birch", {0.2, 0, 1}}}},
      {"grafana.csv", "csv (columns between commas); each column is a machine's", "2026-03-02 09:00:00",
       {{"lab3:9100", {0.875, 0.865, 0.855}}, {"lab4:9100", {0.5, 0, 1}}}},
      {"grafana-plain.csv", "csv (columns between commas); each column is a machine's, by their names; they hold utilisation-percent; "
                            "stamps are milliseconds since 1970",
       "1772438400", {{"lab3:9100", {0.875, 0.865, 0.855, 0.855}}, {"lab4:9100", {0.2, 0.4, 0.6}}}},
      {"perfmon.csv", "perfmon (its header \"(PDH-CSV 4.0)\")", "2026-11-30T09:20:56.002+01:00",
       {{"LAB3", {0.875, 0, 1}}, {"LAB4", {1e-8, 1, 0.5}}}},
  };
  for (const Recorded& file : files) {
    INFO(file.file);
    const LoadFile read = read_load_file(recorded(file.file), {});
    CHECK_THAT(read.assumptions.front(), Catch::StartsWith("this is " + file.told));
    CHECK(read.names_machines);
    REQUIRE(read.loads.size() == file.machines.size());
    for (std::size_t i = 0; i < file.machines.size(); ++i) {
      CHECK(read.loads[i].machine == file.machines[i].first);
      check_numbers(read.loads[i].trace, file.machines[i].second);
    }
    CHECK(stamp_text(read.loads.front().trace.first) == file.first);
  }
  // The same answer in JSON and as rows.
  const LoadFile json = read_load_file(recorded("prometheus.json"), {}), rows = read_load_file(recorded("prometheus.csv"), {});
  REQUIRE(json.loads.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(json.loads[i].machine == rows.loads[i].machine);
    CHECK(json.loads[i].trace.availability == rows.loads[i].trace.availability);
    CHECK(json.loads[i].trace.availability.size() > 10);
  }
  LoadReading one;
  one.machines = {"127.0.0.1:29101"};
  CHECK(read_load(recorded("prometheus.json"), one).loads.front().trace.availability == json.loads[1].trace.availability);
  CHECK(read_load(recorded("prometheus-one.json"), {}).loads.front().trace.availability.size() > 10);
}

TEST_CASE("Recordings of the same seconds agree, whoever made them", "[trace][monitors]") {
  // Of the seconds that all have, at any part of them.
  const auto mean = [](const std::string& file) {
    constexpr std::size_t kCommon = 6;
    const Numbers shares = read_load_file(recorded(file), {}).loads.front().trace.availability;
    return std::accumulate(shares.begin(), shares.begin() + kCommon, 0.0) / kCommon;
  };
  const double counted = mean("proc-stat.txt");
  for (const char* file : {"mpstat.txt", "mpstat-all.txt", "vmstat.txt", "vmstat-tw.txt", "top.txt", "sar.txt", "dstat-epoch.csv"}) {
    INFO(file);
    CHECK(mean(file) == Approx(counted).margin(0.03));
  }
}

TEST_CASE("What was no load is told, and what nobody knows is shown as it was understood", "[trace][monitors][error]") {
  const auto said = [](const std::string& file) {
    try {
      read_load_file(recorded(file), {});
      return std::string("accepted");
    } catch (const InputError& e) {
      return std::string(e.what());
    }
  };
  CHECK_THAT(said("jobs.gwf"), Contains("this is a log of jobs in the Grid Workloads Format, no load"));
  CHECK_THAT(said("event_trace.tab"), Contains("Failure Trace Archive has them (up and down), no load"));
  CHECK_THAT(refusal("hello world\n1 x 3\n"),
             Catch::StartsWith("~: it is not clear what this file is. It begins with line 1: 'hello' | 'world' (between blanks); line 2: '1' | "
                               "'x' | '3' (between blanks). Formats that are read: csv, values, profile, sadf, ") &&
                 Contains("'nowsim help monitors'"));
  CHECK_THAT(refusal("x;y\nhello;world\n"), Contains("line 1: 'x' | 'y' (between semicolons)"));
  CHECK_THAT(refusal("\x96\xd5\x21\x75 binary"), Contains("this is a binary file of sysstat's; 'sadf -d FILE -- -u > day.txt'"));
  CHECK_THAT(refusal("Linux 6.1.0 (lab3) \t03/02/2026 \t_x86_64_\t(4 CPU)\n\navg-cpu:  %user   %nice %system %iowait  %steal   %idle\n"),
             Contains("this is what iostat writes"));
  CHECK_THAT(refusal("Linux 6.1.0 (lab3) \t03/02/2026 \t_x86_64_\t(4 CPU)\n\n08:00:00 kbmemfree\n08:10:00 5\n"),
             Contains("~:3: there is no column 'CPU'; 'sar -u 10' writes what is needed. (The file is taken for sar, by the head of "
                      "sysstat's tables; --from says what else it is.)"));
}

TEST_CASE("What writers round beyond a range is at its end", "[trace][monitors]") {
  const std::string head = " r  b id wa UTC\n";
  check_numbers(read_text(head + "0 0 95 1 2026-03-02 08:00:00\n0 0 100 1 2026-03-02 08:00:10\n0 0 97 0 2026-03-02 08:00:20\n").loads[0].trace,
                {1, 0.97});
  check_numbers(read_text("time,value\n0,-1e-10\n10,100.00000000000001\n20,50\n").loads[0].trace, {1, 0, 0.5});
  CHECK_THAT(refusal("time,value\n0,-0.1\n10,100\n20,50\n"), Contains("the value '-0.1' is out of range"));
  CHECK_THAT(refusal(head + "0 0 95 1 2026-03-02 08:00:00\n0 0 100 3 2026-03-02 08:00:10\n"), Contains("103 % together"));
}

TEST_CASE("A wrong sample is left out in every format, counted and said", "[trace][monitors]") {
  const std::string sar = "Linux 6.1.0 (lab3) \t2026-03-02 \t_x86_64_\t(4 CPU)\n\n08:00:00 CPU %user %iowait %steal %idle\n"
                          "08:10:00 all 10 0 0 85\n08:20:00 all 10 0 0 184\n08:30:00 all 10 0 0 70\n08:40:00 all 1\n08:50:00 all 1 0 0 60\n"
                          "09:00:00 all 1 0 0 50\n";
  CHECK_THAT(refusal(sar), Contains("~:5: the share '184' is no number from 0 to 100"));
  const LoadFile read = read_text(sar, skipping());
  check_numbers(read.loads[0].trace, {0.85, 0.7, 0.5});
  CHECK(std::ranges::count(read.assumptions, "2 rows are left out whose values are missing or out of range") == 1);
  const LoadFile csv = read_text("time,value\n0,10\n10,20\n20\nx,30\n40,300\n50,60\n", skipping());
  check_numbers(csv.loads[0].trace, {0.9, 0.8, 0.4});
  CHECK(std::ranges::count(csv.assumptions, "2 rows are left out that are cut off, or whose stamps cannot be read") == 1);
  CHECK(std::ranges::count(csv.assumptions, "1 row is left out whose value is missing or out of range") == 1);
  const LoadFile stat = read_text("cpu 0 0 0 0 0\ncpu 5 0 0 5 0\ncpu x\ncpu 9 0 0 21 0\ncpu 9 0 0 31 0\n",
                                  [] { LoadReading r = skipping(); r.interval_s = 10; return r; }());
  check_numbers(stat.loads[0].trace, {0.5, 1});
  CHECK(stat.loads[0].trace.start_s == Numbers{0, 30});
}

TEST_CASE("A row that is left out lasts its interval", "[trace][monitors]") {
  LoadReading reading = skipping();
  reading.interval_s = 10;
  const LoadFile vmstat = read_text("r b id wa\n0 0 95 0\n0 0 90 0\n0 0 80\n0 0 70 0\n0 0 60 0\n", reading);
  check_numbers(vmstat.loads[0].trace, {0.9, 0.6});
  CHECK(vmstat.loads[0].trace.start_s == Numbers{0, 30});
  reading.columns = "host,value";
  for (const char* cut : {"b", "b,", ""}) {
    const LoadFile rows = read_text(std::string("a,10\nb,50\nb,60\na,x\n") + (*cut == '\0' ? "b,x" : cut) + "\na,30\nb,70\n", reading);
    CHECK(rows.loads[0].trace.start_s == Numbers{0, 20});
    CHECK(rows.loads[1].trace.start_s == (std::string(cut) == "b" ? Numbers{0, 10, 20} : Numbers{0, 10, 30}));
  }
}

TEST_CASE("A row of sar's that is cut off is no header", "[trace][monitors][error]") {
  const auto text = [](const std::string& cut) {
    return "Linux 6.1.0 (lab3) \t2026-03-02 \t_x86_64_\t(4 CPU)\n\n08:00:00 CPU %user %iowait %steal %idle\n"
           "08:10:00 all 10 0 0 85\n08:20:00 all 10 0 0 80\n08:30:00 " + cut + "\n08:40:00 all 1 0 0 60\n08:50:00 all 1 0 0 50\n";
  };
  for (const char* cut : {"all", "a", ""}) {
    CHECK_THAT(refusal(text(cut)), Contains("~:6: this row has"));
    const LoadSeries trace = read_text(text(cut), skipping()).loads[0].trace;
    check_numbers(trace, {0.85, 0.8, 0.5});
    CHECK(trace.start_s == Numbers{0, 600, 2400});
  }
  CHECK_THAT(refusal("Linux\n08:00:00 CPU %iowait %steal %idle\n"), Contains("at least two samples are needed"));
}

TEST_CASE("sadf says how long an interval is, and of which machine", "[trace][monitors][error]") {
  const std::string head = "# hostname;interval;timestamp;CPU;%user;%iowait;%idle\n";
  const auto row = [](const std::string& time, const std::string& idle, const std::string& host = "a") {
    return host + ";600;2026-03-02 " + time + " UTC;-1;1;0;" + idle + "\n";
  };
  const LoadFile read = read_text(head + row("10:00:01", "10") + row("10:10:01", "20") + row("12:00:02", "30") + row("12:10:01", "40") + row("12:20:01", "50"));
  check_numbers(read.loads[0].trace, {0.2, 0.3, 0.4, 0.5});
  CHECK(read.loads[0].trace.gaps.count == 1);
  CHECK(read.loads[0].trace.gaps.missing_s == 6601 - 600);
  CHECK_THAT(refusal(head + row("10:00:01", "10") + row("10:10:01", "20") + row("10:20:01", "20", "b"), skipping()),
             Contains("~:4: this is of 'b', and what stands before is of 'a': give each machine's rows a file of its own."));
  const auto sar = [](const std::string& machine) {
    return "Linux 6.1 (" + machine + ") \t03/02/2026 \t_x86_64_\t(4 CPU)\n\n08:00:00 PM CPU %iowait %steal %idle\n08:10:00 PM all 0 0 85\n";
  };
  CHECK_THAT(refusal(sar("a") + sar("b")), Contains("this is of '(b)', and what stands before is of '(a)'"));
}

TEST_CASE("sar's times are of the days that they stand for", "[trace][monitors]") {
  const auto first = [](const std::string& date, const std::string& half) {
    return stamp_text(read_text("Linux 6.1 (a) \t" + date + " \t_x86_64_\t(4 CPU)\n\n08:00:00 " + half + " CPU %iowait %steal %idle\n08:10:00 " + half +
                                " all 0 0 85\n08:20:00 " + half + " all 0 0 75\n").loads[0].trace.first);
  };
  CHECK(first("03/02/2026", "PM") == "2026-03-02 20:00:00");
  CHECK(first("03/02/26", "") == "2026-03-02 08:00:00");
  CHECK(first("02/03/2026", "") == "2026-03-02 08:00:00");
  CHECK(first("02.03.2026", "") == "2026-03-02 08:00:00");
  CHECK(first("2026-03-02", "AM") == "2026-03-02 08:00:00");
  CHECK(first("30/11/2026", "PM") == "2026-11-30 20:00:00");
  CHECK(first("31-11-30", "") == "2031-11-30 08:00:00");
  CHECK(first("11-30-26", "") == "2026-11-30 08:00:00");
  CHECK_THAT(refusal("Linux 6.1 (a) \t26-11-30 \t_x86_64_\n\n08:00:00 CPU %iowait %steal %idle\n"),
             Contains("~:1: the date '26-11-30' may be 2026-11-30 or 2030-11-26: write its year with four digits"));
  const LoadFile night = read_text(
      "Linux 6.1 (a) \t2026-02-28 \t_x86_64_\t(4 CPU)\n\n23:30:00 CPU %iowait %steal %idle\n23:45:00 all 0 0 85\n00:00:00 all 0 0 75\n00:15:00 all 0 0 60\n");
  CHECK(night.loads[0].trace.duration_s == Numbers{900, 900, 900});
  CHECK(std::ranges::count(read_load_file(recorded("sar-half.txt"), {}).assumptions,
                           "the date 03/02/2026 is taken for 2026-03-02, with the month first") == 1);
}

TEST_CASE("A run that dstat writes behind another begins anew, also in another year", "[trace][monitors]") {
  const std::string head = "\"Host:\",\"vm\",,,,\"User:\",\"root\"\n\"Cmdline:\",\"dstat\",,,,\"Date:\",\"31 Dec 2026 23:59:40 UTC\"\n"
                           "\"system\",\"total cpu usage\",,,,\n\"time\",\"usr\",\"sys\",\"idl\",\"wai\",\"stl\"\n";
  std::string next = head;
  next.replace(next.find("31 Dec 2026 23:59:40"), 20, "01 Jan 2027 00:00:10");
  const LoadFile read = read_text("\"Dstat 0.8.0 CSV output\"\n" + head + "31-12 23:59:40,1,1,98,0,0\n31-12 23:59:50,1,1,90,8,0\n01-01 00:00:00,1,1,50,0,0\n\n\n" +
                                  next + "01-01 00:00:10,1,1,20,0,0\n01-01 00:00:20,1,1,60,0,0\n");
  CHECK(stamp_text(read.loads[0].trace.first) == "2026-12-31T23:59:40Z");
  CHECK(read.loads[0].trace.start_s == Numbers{0, 10, 30});
  CHECK(read.loads[0].trace.availability.size() == 3);
  check_numbers(read.loads[0].trace, {0.98, 0.5, 0.6});
}

TEST_CASE("dstat's idle time is that of all cores, wherever it stands", "[trace][monitors][error]") {
  const std::string rows = "0,1,1,10,80,0,2,2,60,20,0\n10,1,1,10,80,0,2,2,60,20,0\n20,1,1,5,90,0,2,2,40,20,0\n";
  const std::string names = "\"epoch\",\"usr\",\"sys\",\"idl\",\"wai\",\"stl\",\"usr\",\"sys\",\"idl\",\"wai\",\"stl\"\n";
  const auto text = [&](const std::string& second) {
    return "\"Dstat 0.8.0 CSV output\"\n\"epoch\",\"cpu0 usage\",,,,,\"" + second + " usage\",,,,\n" + names + rows;
  };
  check_numbers(read_text(text("total cpu")).loads[0].trace, {0.8, 0.6});
  CHECK_THAT(refusal(text("cpu1")), Contains("~:3: idle time is that of single cores (cpu0 usage, cpu1 usage), and not that of all of them"));
  const std::string pcp = "\"pcp-dstat 6.0 CSV output\"\n\"epoch\",\"cpu0 usage:idl\",\"cpu0 usage:wai\",\"total usage:idl\",\"total usage:wai\"\n";
  check_numbers(read_text(pcp + "0,1,2,70,3\n10,1,2,70,3\n20,1,2,60,4\n").loads[0].trace, {0.73, 0.64});
  const LoadFile one = read_text("\"Dstat 0.8.0 CSV output\"\n\"epoch\",\"cpu0 usage\",\n\"epoch\",\"idl\",\"wai\"\n0,10,0\n10,20,0\n20,30,0\n");
  check_numbers(one.loads[0].trace, {0.2, 0.3});
  CHECK(std::ranges::count(one.assumptions, "idle time is that of 'cpu0 usage', the only core that is told") == 1);
}

TEST_CASE("Counters of several machines hold the same, of all cores where these are there", "[trace][monitors][error]") {
  const auto text = [](const std::string& a, const std::string& b, const std::string& rows) {
    return std::string("\"(PDH-CSV 4.0)\",") + a + "," + b + "\n" + rows;
  };
  const std::string rows = "\"03/02/2026 08:00:00.000\",\"1\",\"1\"\n\"03/02/2026 08:00:10.000\",\"10\",\"20\"\n\"03/02/2026 08:00:20.000\",\"30\",\"40\"\n";
  const std::string a_total = R"("\\A\Processor(_Total)\% Processor Time")";
  CHECK_THAT(refusal(text(a_total, R"("\\B\Processor(_Total)\% Idle Time")", rows)), Contains("do not hold the same; say by --column which is read."));
  const LoadFile read = read_text(text(a_total, R"("\\B\Processor(0)\% Processor Time")", rows));
  REQUIRE(read.loads.size() == 2);
  check_numbers(read.loads[1].trace, {0.8, 0.6});
  // Windows in German writes decimal commas between quotation marks.
  const std::string german = "\"03/02/2026 08:00:00.000\",\" \",\" \"\n\"03/02/2026 08:00:10.000\",\"10,5\",\"20\"\n\"03/02/2026 08:00:20.000\",\"30,25\",\"1,5E-01\"\n";
  const LoadFile commas = read_text(text(a_total, R"("\\B\Processor(_Total)\% Processor Time")", german));
  check_numbers(commas.loads[0].trace, {0.895, 0.6975});
  check_numbers(commas.loads[1].trace, {0.8, 0.9985});
  CHECK_THAT(refusal(text(a_total, R"("\\B\Processor(_Total)\% Processor Time")", german + "\"03/02/2026 08:00:30.000\",\"10.5\",\"20\"\n")),
             Contains("~:5: the value '10.5' has a decimal point, and values before have decimal commas."));
}

TEST_CASE("Lines of date are moments", "[trace][monitors]") {
  const std::pair<const char*, const char*> lines[] = {{"Mon Nov 30 22:15:24 UTC 2026", "2026-11-30 22:15:24Z"},
                                                       {"Mon Nov 30 10:15:24 PM CET 2026", "2026-11-30 22:15:24"},
                                                       {"Mo 30. Nov 22:15:24 CET 2026", "2026-11-30 22:15:24"},
                                                       {"Di 1. Dez 00:05:00 CET 2026", "2026-12-01 00:05:00"},
                                                       {"2026-11-30T22:15:24+01:00", "2026-11-30T22:15:24+01:00"},
                                                       {"1796077779", "1796077779"}};
  for (const auto& [line, stamp] : lines) CHECK(moment_of_date(line) == std::optional<std::string>(stamp));
  for (const char* line : {"", "intr 5 6 7", "Mon Nov 31 22:15:24 UTC 2026", "Mon Nov 30 UTC 2026", "btime 1796060694"})
    CHECK_FALSE(moment_of_date(line));
}

TEST_CASE("Rows without stamps ask for an interval, and those with stamps refuse one", "[trace][monitors][error]") {
  CHECK_THAT(refusal("r b id wa\n0 0 95 1\n0 0 90 0\n0 0 80 0\n"),
             Contains("~:1: the rows have no stamps: say by --interval how long each lasts; 'vmstat -t 10' writes stamps."));
  check_numbers(read_text("r b id wa\n0 0 95 1\n0 0 90 0\n0 0 80 0\n", at_interval(10)).loads[0].trace, {0.9, 0.8});
  CHECK_THAT(refusal("r b id wa UTC\n0 0 95 1 2026-03-02 08:00:00\n", at_interval(10)), Contains("these rows have stamps"));
  CHECK_THAT(refusal("cpu 1 2 3 4\ncpu 2 3 4 5\n"), Contains("~:1: the rows have no stamps: say by --interval"));
}

TEST_CASE("Rows go from the newest to the oldest, all of them or none", "[trace][monitors]") {
  const LoadFile read = read_text("time,value\n30,10\n20,20\n0,30\n");
  CHECK(read.loads[0].trace.start_s == Numbers{0, 20, 30});
  check_numbers(read.loads[0].trace, {0.7, 0.8, 0.9});
  CHECK_THAT(refusal("time,value\n30,10\n20,20\n25,30\n"), Contains("~:3: the stamp '20' is earlier than the one of line 2"));
  CHECK_THAT(refusal("time,value\n30,10\n20,20\n"), Contains("~:3: the stamp '20' is earlier than the one of line 2"));
  LoadReading berlin;
  berlin.zone = TimeZone::named("Europe/Berlin");
  const LoadFile night = read_text("time,value\n2026-10-25 03:00,1\n2026-10-25 02:30,2\n2026-10-25 02:00,3\n2026-10-25 01:30,4\n", berlin);
  CHECK(stamp_text(night.loads[0].trace.first) == "2026-10-25T01:30:00+02:00");
  const std::string twice = "time,value\n2026-10-25 03:00,1\n2026-10-25 02:30,2\n2026-10-25 02:00,3\n2026-10-25 02:30,4\n2026-10-25 02:00,5\n2026-10-25 01:30,6\n";
  const LoadSeries hour = read_text(twice, berlin).loads[0].trace;
  CHECK(stamp_text(hour.first) == "2026-10-25T01:30:00+02:00");
  CHECK(hour.start_s == Numbers{0, 1800, 3600, 5400, 7200, 9000});
  check_numbers(hour, {0.94, 0.95, 0.96, 0.97, 0.98, 0.99});
  std::string summer = twice;
  for (std::size_t at; (at = summer.find("-10-")) != std::string::npos;) summer.replace(at, 4, "-07-");
  CHECK_THAT(refusal(summer, berlin), Contains("is earlier than the one of line"));
  CHECK_THAT(refusal(twice), Contains("~:3: the stamp '2026-10-25 02:30:00' is earlier than the one of line 2"));
}

TEST_CASE("Series that no label tells apart are named by what they differ in", "[trace][monitors][error]") {
  const auto answer = [](const std::string& first, const std::string& second) {
    return "{\"data\":{\"resultType\":\"matrix\",\"result\":[{\"metric\":{" + first + "},\"values\":[[0,\"1\"],[9,\"2\"]]},{\"metric\":{" + second +
           "},\"values\":[[0,\"1\"],[9,\"NaN\"]]}]}}";
  };
  CHECK_THAT(refusal(answer("\"instance\":\"a\",\"cpu\":\"0\"", "\"instance\":\"a\",\"cpu\":\"1\"")),
             Contains("the answer holds 2 series, and no label such as instance names a machine of each (they differ in cpu); ask for one"));
  CHECK_THAT(refusal(answer("\"instance\":\"a\"", "\"instance\":\"b\"")), Contains("~: b: sample 2: the value 'NaN' is not a finite number"));
  CHECK(read_text(answer("\"node\":\"a\"", "\"node\":\"b\""), skipping()).loads.size() == 1);
}
