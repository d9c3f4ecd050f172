// Tests of load traces in other programs' formats: samples as these programs write them, round trips, what is refused.
#include "experiments/driver/reading/load_formats.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "sim/base/error.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

using Numbers = std::vector<double>;

LoadFile read(const std::string& text, const LoadReading& reading = {}) {
  const Folder folder;
  return read_load(folder.file("load", text), reading);
}

/// What reading says, without the file's name; a '~' stands for it.
std::string message(const std::string& text, const LoadReading& reading = {}) {
  const Folder folder;
  const std::string file = folder.file("load", text);
  try {
    read_load(file, reading);
    return "accepted";
  } catch (const InputError& e) {
    std::string said = e.what();
    return said.replace(0, said.starts_with(file) ? file.size() : 0, said.starts_with(file) ? "~" : "");
  }
}

const char* const kSadf =
    "# hostname;interval;timestamp;CPU;%user;%nice;%system;%iowait;%steal;%idle\n"
    "vm;10;2026-11-21 17:14:00 UTC;-1;80.00;0.00;10.00;0.00;0.00;10.00\n"
    "vm;10;2026-11-21 17:14:00 UTC;0;90.00;0.00;10.00;0.00;0.00;0.00\n"
    "vm;10;2026-11-21 17:14:10 UTC;-1;40.00;0.00;10.00;5.00;0.00;45.00\n"
    "vm;10;2026-11-21 17:14:20 UTC;-1;0.00;0.00;0.00;0.00;0.00;100.00\n"
    "vm;-1;2026-11-21 17:20:00 UTC;LINUX-RESTART\t(2 CPU)\n"
    "vm;10;2026-11-21 17:20:10 UTC;-1;100.00;0.00;0.00;0.00;0.00;0.00\n";

const char* const kVmstat =
    "procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu----- -----timestamp-----\n"
    " r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st                 UTC\n"
    " 3  0      0 19802348  28004 4303568    0    0   165  1526  683 3933 56  6 38  0  0 2026-11-21 17:11:30\n"
    " 3  0      0 19802348  28004 4303568    0    0     4  5140  624  385 90  9  1  0  0 2026-11-21 17:11:40\n"
    "procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu----- -----timestamp-----\n"
    " r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st                 UTC\n"
    " 0  1      0 19802348  28004 4303568    0    0     4  5140  624  385 10  5 65 20  0 2026-11-21 17:11:50\n";

const char* const kPrometheus =
    "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[{\"metric\":{\"instance\":\"a:9100\"},"
    "\"values\":[[1435781430.781,\"12.5\"],[1435781445.781,\"100\"],[1435781460.781,\"0\"]]}]}}";

}  // namespace

TEST_CASE("What sadf writes is read: all cores, iowait as idle, values where their intervals begin",
          "[reads][trace][convert]") {
  const LoadFile series = read(kSadf);
  CHECK(series.format == LoadFormat::sadf);
  CHECK(series.loads[0].trace.availability == Numbers{0.5, 1, 0, 0});  // off before the restart at 17:20
  CHECK(series.loads[0].trace.start_s == Numbers{0, 10, 190, 360});    // behind a median step, of 10 s and 350 s
  CHECK(stamp_text(series.loads[0].trace.first) == "2026-11-21T17:14:00Z");
  CHECK(std::ranges::count(series.assumptions, "restarts of the machine in it: 1") == 1);
  CHECK(series.assumptions.back() ==
        "31.5 % of the span has no data (1 gap): switched off, for the file tells of a restart; --gaps off, "
        "left-out or hold says what the machine was doing then");
}

TEST_CASE("What vmstat writes is read, but for its first row", "[trace][convert]") {
  const LoadFile series = read(kVmstat);
  CHECK(series.format == LoadFormat::vmstat);
  CHECK(series.loads[0].trace.availability == Numbers{0.01, 0.85});
  CHECK(series.loads[0].trace.duration_s == Numbers{10, 10});
  CHECK(stamp_text(series.loads[0].trace.first) == "2026-11-21T17:11:30Z");
}

TEST_CASE("What Prometheus' answer holds besides, and in whatever order, does not matter", "[trace][convert]") {
  const std::string samples = "[[0,\"10\"],[1.5e1,20],[3E1,\"5e1\"]]";
  const std::string rest = "\"metric\":{\"values\":[[0,\"1\"]],\"result\":[]},\"x\":[[{\"values\":[[9,\"9\"]]}]]";
  for (const std::string& series : {"\"values\":" + samples + "," + rest, rest + ",\"values\":" + samples,
                                    "\"values\":[[7,\"7\"]],\"values\":" + samples}) {
    const std::string result = "\"result\":[{" + series + "}]", type = "\"resultType\":\"matrix\"";
    for (const std::string& data : {result + "," + type, type + "," + result})
      CHECK(read("{\"warnings\":[\"result\"],\"data\":{" + data + "},\"status\":\"success\"}").loads[0].trace.availability ==
            Numbers{0.9, 0.8, 0.5});
  }
}

TEST_CASE("Samples that are none, and JSON that is deep, are refused", "[trace][convert][error]") {
  const auto said = [](const std::string& values) {
    return message("{\"data\":{\"resultType\":\"matrix\",\"result\":[{\"values\":" + values + "}]}}");
  };
  for (const char* values : {"[1]", "[[1]]", "[[1,2,3]]", "[[[1],2]]", "[[1,{}]]", "{\"a\":[1,2]}", "5"})
    CHECK(said(values) == "~: a sample is [stamp, \"value\"].");
  const std::string deep = std::string(1'000'000, '[');
  CHECK(said(deep) == "~:1: this is no JSON.");
  CHECK(message("{\"a\":" + deep + std::string(1'000'000, ']') + "}") ==
        "~: a matrix is needed, as /api/v1/query_range gives it. (The file is taken for prometheus, by JSON; --from says what "
        "else it is.)");
  CHECK(said("[[1,1e999]]") == "~: a number in this JSON is beyond all bounds.");
}

TEST_CASE("Fields of what monitors write are not without end", "[trace][convert][error]") {
  const std::string many(2'000'000, ';');
  CHECK_THAT(message(many), Contains("~: it is not clear what this file is."));
  CHECK(message(kSadf + many) == "~:8: this line has more than 1000000 fields, as no table has.");
  std::string words = kVmstat;
  for (int i = 0; i < 1'000'001; ++i) words += "1 ";
  CHECK(message(words) == "~:8: this line has more than 1000000 fields, as no table has.");
}

TEST_CASE("What Prometheus answers is read", "[trace][convert]") {
  const LoadFile series = read(kPrometheus);
  CHECK(series.format == LoadFormat::prometheus);
  CHECK(series.loads[0].trace.availability == Numbers{0.875, 0, 1});
  CHECK(series.loads[0].trace.duration_s[0] == Approx(15));
  LoadReading availability;
  availability.measures = LoadMeasure::availability;
  CHECK(message(kPrometheus, availability) ==
        "~: sample 1: the value '12.5' is out of range; an availability is a number from 0 to 1, and per cent are "
        "another measure.");
}

TEST_CASE("A file of several machines is read as all of them, or those that are wanted", "[trace][convert]") {
  const Folder folder;
  const std::string file = folder.file("load", "time,host,value\n0,a,20\n0,b,0\n10,a,40\n10,b,0.5\n");
  const LoadFile all = read_load_file(file, {});
  CHECK(all.names_machines);
  REQUIRE(all.loads.size() == 2);
  CHECK(all.loads[0].machine == "a");
  CHECK(all.loads[1].trace.availability == Numbers{1, 0.995});  // idle beside a busy one: these are per cent
  LoadReading one;
  one.machines = {"b"};
  one.measures = LoadMeasure::utilisation_percent;
  CHECK(read_load(file, one).loads[0].trace.availability == Numbers{1, 0.995});
}

TEST_CASE("A machine without a series does not keep others from being read", "[trace][convert]") {
  const Folder folder;
  const std::string rows = "time,host,value\n0,a,20\n0,b,5\n0,c,5\n10,a,40\n10,d,5\n0,c,7\n20,d,7\n";
  const std::string file = folder.file("load", rows);
  const LoadFile some = read_load_file(file, {});
  REQUIRE(some.loads.size() == 2);
  CHECK(some.loads[1].machine == "d");
  CHECK(std::ranges::count(some.assumptions, "left out for fewer than two samples, or two at one moment: b, c") == 1);
  LoadReading asked;
  asked.machines = {"a", "b"};
  CHECK_THROWS_WITH(read_load_file(file, asked), Catch::Contains("one sample of 'b'"));
  CHECK_THROWS_WITH(read_load_file(folder.file("none", "time,host,value\n0,a,20\n0,b,5\n"), {}),
                    Catch::Contains("at least two samples are needed"));
}

TEST_CASE("A first line that says what separates columns is none of them, and wide tables are tables", "[trace][convert]") {
  const Folder folder;
  const std::string said = folder.file("said.csv", "sep=;\n\"Time\";\"alder\";\"birch\"\n1772438400000;12,5;80\n1772438700000;22,5;100\n");
  const LoadFile grafana = read_load_file(said, {});
  REQUIRE(grafana.loads.size() == 2);
  CHECK(stamp_text(grafana.loads[0].trace.first) == "1772438400");
  CHECK(grafana.loads[0].trace.availability == Numbers{0.875, 0.775});
  std::string header = "time", rows;
  for (int i = 0; i < 500; ++i) header += ",\"of lab " + std::string(1, static_cast<char>('a' + i % 26)) + std::string(static_cast<std::size_t>(i / 26 + 1), 'z') + "\"";
  for (int row = 0; row < 3; ++row) {
    rows += "\n" + std::to_string(10 * row);
    for (int i = 0; i < 500; ++i) rows += ",\"12.5\"";
  }
  const LoadFile wide = read_load_file(folder.file("wide.csv", header + rows + "\n"), {});
  CHECK(wide.loads.size() == 500);
  CHECK_THAT(wide.assumptions.front(), Catch::StartsWith("this is csv (columns between commas); each column is perhaps a machine's"));
}

TEST_CASE("A value a line is a load once it is said how long each lasts", "[trace][convert]") {
  LoadReading reading;
  reading.interval_s = 300;
  const LoadFile series = read("20\n30\n10\n", reading);
  CHECK(series.format == LoadFormat::values);
  CHECK(series.loads[0].trace.availability == Numbers{0.8, 0.7, 0.9});
  CHECK(series.loads[0].trace.total_s == 900);
  CHECK(series.assumptions == std::vector<std::string>{"this is values (a number a line); values are utilisation-percent"});
  CHECK(read("t,utilisation_percent,waiting\n0,0.25,3\n10,2.5,4\n").assumptions ==
        std::vector<std::string>{"this is csv (columns between commas); column 'utilisation_percent' holds utilisation-percent"});
}

TEST_CASE("Files are called after machines, also compressed ones", "[trace][convert]") {
  CHECK(machine_of_file("traces/alder.csv.gz") == "alder");
  CHECK(machine_of_file("alder.csv") == "alder");
  CHECK(machine_of_file("a.b.csv") == "a.b");
  CHECK(file_name_of("yNf/R+X=") == "yNf_R+X=");
}

TEST_CASE("Steps go from CSV to a profile and back as they are", "[trace][convert]") {
  LoadReading reading;
  reading.measures = LoadMeasure::availability;
  reading.gaps = GapRule::hold;
  const LoadFile csv = read(
      "timestamp,value\n2014-02-14 14:30:00,0.1\n2014-02-14 14:30:07,0.30000000000000004\n"
      "2014-02-14 14:30:14,1\n2014-02-14 14:32:00,0\n2014-02-14 14:32:07,0.7\n",
      reading);
  std::vector<std::string> assumed;
  const std::string profile = write_load(csv.loads[0].trace, LoadFormat::profile, assumed);
  const LoadFile there = read(profile);
  CHECK(there.format == LoadFormat::profile);
  CHECK(there.loads[0].trace.availability == csv.loads[0].trace.availability);
  CHECK(there.loads[0].trace.duration_s == csv.loads[0].trace.duration_s);
  LoadReading holding;
  holding.gaps = GapRule::hold;
  const LoadFile back = read(write_load(there.loads[0].trace, LoadFormat::csv, assumed), holding);
  CHECK(back.loads[0].trace.availability == csv.loads[0].trace.availability);
  CHECK(back.loads[0].trace.duration_s == csv.loads[0].trace.duration_s);
  CHECK(back.loads[0].trace.start_s == csv.loads[0].trace.start_s);
  REQUIRE(assumed.size() == 3);  // that a profile has no calendar, and what SimGrid makes of 0
  CHECK_THAT(assumed[2], Catch::Contains("looks like a gap: read what is written with --gaps hold"));
}

TEST_CASE("CSV keeps the stamps that it was read with", "[trace][convert]") {
  std::vector<std::string> assumed;
  const std::string text = "timestamp,availability\n2014-02-28T23:59:50.25Z,0.5\n2014-03-01T00:00:00.25Z,0.25\n";
  CHECK(write_load(read(text).loads[0].trace, LoadFormat::csv, assumed) == text);
  CHECK(assumed.empty());
}

TEST_CASE("A profile's round is a trace, and its first delay and its end are spoken of", "[trace][convert]") {
  const LoadFile periodic = read("PERIODICITY 10\n0 0.5\n4 1\n");
  CHECK(periodic.loads[0].trace.duration_s == Numbers{4, 6});
  const LoadFile late = read("LOOPAFTER 3\n2 0.5\n4 1\n");
  CHECK(late.loads[0].trace.duration_s == Numbers{2, 5});
  CHECK(late.assumptions ==
        std::vector<std::string>{
            "this is profile (LOOPAFTER); values are availability",
            "the trace begins with the first event; what was before, 2 s at full speed, is left out"});
  const LoadFile once = read("0 0.5\n4 1\n");
  CHECK(once.loads[0].trace.duration_s == Numbers{4, 4});
  CHECK(once.assumptions.size() == 2);
  std::vector<std::string> assumed;
  write_load(periodic.loads[0].trace, LoadFormat::csv, assumed);
  CHECK(assumed ==
        std::vector<std::string>{
            "CSV does not say how long the last value lasts, 6 s here; a reader takes the median step, 5 s"});
}

TEST_CASE("Load traces that mean nothing, or several things, are refused in a sentence", "[trace][convert][error]") {
  CHECK(message("") == "~: this file is empty; a load trace is needed.");
  CHECK(message("hello\n") ==
        "~: it is not clear what this file is. It begins with line 1: 'hello'. Formats that are read: csv, values, profile, "
        "sadf, vmstat, prometheus, sar, mpstat, dstat, top, proc-stat, perfmon; --from says which it is, 'nowsim help "
        "monitors' how each is recorded.");
  CHECK(message("12\n13\n") ==
        "~: this file holds a value a line and no stamps: say by --interval how long each lasts (5min in PlanetLab's).");
  CHECK(message("time,host,value\n0,a,5\n9,a,5\n0,b,5\n9,b,5\n") ==
        "~: this file holds rows of 2 machines, a, b; those of one are wanted here.");
  LoadReading missing;
  missing.machines = {"a", "c", "d"};
  CHECK(message("time,host,value\n0,a,5\n9,a,5\n", missing) == "~: this file holds no rows of c, d.");
  CHECK(message("t,load,other\n0,1,2\n") == "~:1: say by --column which column holds the load, or by --column '*' that each is a machine's: load, other.");
  CHECK(message("t,value\n0,0.5\n1,0.2\n") ==
        "~: no value is above 1: say whether they are per cent (--measures "
        "utilisation-percent) or fractions (utilisation, availability).");
  CHECK(message("t,utilisation_percent\n0,0.5\n1,0.2\n") ==
        "~: the column 'utilisation_percent' is taken for a utilisation in per cent, but no value is above 1: say whether "
        "they are per cent (--measures utilisation-percent) or fractions (utilisation, availability).");
  for (const char* cpu : {"t,cpu\n0,0.5\n1,1\n2,0\n", "t,cpu\n0,1\n1,1\n"})  // 1 - 0.99 is above 0.01
    CHECK_THAT(message(cpu), Catch::Contains("no value is above 1: say whether they are per cent"));
  CHECK(message("t,cpu\n0,0.5\n1,1.01\n") == "accepted");
  CHECK(message("STOCHASTIC LOOP\nEXP 1 UNIF 0 1\n") ==
        "~: this profile draws random numbers, so it is no trace; the owner model 'profile' runs it as it is.");
  CHECK(message("0 0.5\n") == "~: this profile has one event; a trace needs at least two. (The file is taken for profile, by a "
                               "date and a value a line; --from says what else it is.)");
  CHECK(message("LOOPAFTER 0\n0 0.5\n4 1\n") == "~: the last value of a round lasts no time, so that it is none.");
}

TEST_CASE("What monitors do not write is refused in a sentence that names the line", "[trace][convert][error]") {
  const std::string head = "# hostname;interval;timestamp;CPU;%user;%nice;%system;%iowait;%steal;%idle\n";
  CHECK_THAT(message("a;b\n"), Contains("line 1: 'a' | 'b' (between semicolons)"));
  CHECK(message("# hostname;interval;timestamp;kbmemfree\n") ==
        "~:1: there is no column 'CPU'; 'sadf -d FILE -- -u' writes what is needed.");
  CHECK(message(head + "vm;10;2026-11-21 17:14:00 UTC;-1;80\n") ==
        "~:2: this row has 5 fields where the header names 10.");
  CHECK(message(head + "vm;10;0;-1;0;0;0;0;0;nan\n") == "~:2: the share 'nan' is no number from 0 to 100 (per cent).");
  CHECK(message(head + "vm;10;0;-1;0;0;0;60;0;70\n") ==
        "~:2: idle time and waiting for disks are 130 % together; at most 100 % can be.");
  CHECK(message("procs ---\n r  b swpd us sy id wa st\n 1 0 0 1 2 3 4 5\n") ==
        "~:2: the rows have no stamps: say by --interval how long each lasts; 'vmstat -t 10' writes stamps.");
  CHECK(message("{]") != "accepted");
  CHECK(message("{\"status\":\"error\",\"error\":\"bad query\"}") == "~: Prometheus reports an error: bad query");
  CHECK(message("{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[]}}") ==
        "~: a matrix is needed, as /api/v1/query_range gives it.");
  CHECK(message("{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[]}}") ==
        "~: the answer holds no series: has the query's machine another name, or is the time another?");
  CHECK(message("{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[{\"values\":[]},{\"values\":[]"
                "}]}}") == "~: the answer holds 2 series, and no label such as instance names a machine of each; ask for one "
                           "series of each machine, as by 'avg by (instance) (...)'.");
}

TEST_CASE("What cannot be in a monitor's output is left out as asked", "[trace][convert]") {
  LoadReading skip;
  skip.invalid = InvalidRule::skip;
  const std::string left_out = "1 row is left out whose value is missing or out of range";
  const std::string nan =
      "{\"data\":{\"resultType\":\"matrix\",\"result\":[{\"values\":[[0,\"12.5\"],[15,\"NaN\"],[30,\"14.5\"],[45,\"14.5\"]]}]}}";
  CHECK(message(nan) == "~: sample 2: the value 'NaN' is not a finite number; a utilisation in per cent is a number from 0 to 100.");
  const LoadFile answer = read(nan, skip);
  CHECK(answer.loads[0].trace.start_s == Numbers{0, 30, 45});
  CHECK(std::ranges::count(answer.assumptions, left_out) == 1);
  std::string over = kSadf;
  over.replace(over.find("0.00;100.00\n") + 5, 6, "104.53");
  CHECK_THAT(message(over), Catch::Contains("~:5: the share '104.53' is no number from 0 to 100"));
  const LoadFile sadf = read(over, skip);
  CHECK(sadf.loads[0].trace.availability == Numbers{0.5, 0});
  CHECK(std::ranges::count(sadf.assumptions, left_out) == 1);
  std::string sum = kVmstat;
  sum.replace(sum.find(" 65 20  0"), 9, " 99 20  0");
  CHECK_THAT(message(sum), Catch::Contains("~:7: idle time and waiting for disks are 119 % together"));
  CHECK(message(sum, skip) == "~: this file holds a header and one sample; at least two samples are needed.");
}

TEST_CASE("A restart is seen also where the row behind it is left out", "[trace][convert]") {
  LoadReading skip;
  skip.invalid = InvalidRule::skip;
  std::string rows = kSadf;
  for (const char* second : {"20", "30", "40"})
    rows += "vm;10;2026-11-21 17:20:" + std::string(second) + " UTC;-1;50.00;0.00;0.00;0.00;0.00;50.00\n";
  CHECK(read(rows).loads[0].trace.start_s == Numbers{0, 10, 20, 360, 370, 380, 390});
  CHECK(read(rows).loads[0].trace.gaps.restart_s == 340);
  rows.replace(rows.find("100.00;0.00;0.00;0.00;0.00;0.00"), 31, "0.00;0.00;0.00;0.00;0.00;104.53");
  const LoadFile without = read(rows, skip);
  CHECK(without.loads[0].trace.availability == Numbers{0.5, 1, 0, 0.5, 0.5, 0.5});
  CHECK(without.loads[0].trace.gaps.restart_s == 350);
}

TEST_CASE("Gaps are handled by the named rule in every format", "[trace][convert]") {
  LoadReading reading;
  reading.gaps = GapRule::fail;
  CHECK(message(std::string(kSadf), reading).find("there is a gap of 350 s before this sample") != std::string::npos);
  reading.gaps = GapRule::hold;  // said for all gaps, also one that ends with a restart
  CHECK(read(kSadf, reading).loads[0].trace.duration_s == Numbers{10, 350, 180});
  reading.gaps = GapRule::drop;
  CHECK(read(kSadf, reading).loads[0].trace.total_s < 1000);
}
