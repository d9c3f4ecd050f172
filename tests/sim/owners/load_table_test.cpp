// Tables of loads: several machines, without headers or stamps, in the forms of public traces; and what /proc/stat says.
#include "sim/owners/load_table.hpp"

#include <catch2/catch.hpp>

#include "sim/base/error.hpp"
#include "sim/owners/proc_stat.hpp"
#include "tests/thrown.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

using Numbers = std::vector<double>;
using Names = std::vector<std::string>;

LoadTable table(const std::string& text, const TableReading& reading = {}) { return {text, "f", reading}; }

std::string message(const std::string& text, const TableReading& reading = {}) {
  return sentence_of([&] { static_cast<void>(table(text, reading).series()); });
}

std::string stat_text(const std::string& times, int cores, const std::string& running = "3") {
  std::string text = "cpu  " + times + "\n";
  for (int i = 0; i < cores; ++i) text += "cpu" + std::to_string(i) + " 1 2 3 4\n";
  return text + "intr 5 6\nctxt 9\nprocs_running " + running + "\nprocs_blocked 0\n";
}

MachineLoad load(int cores, double busy_cores, double runnable) {
  constexpr std::uint64_t kTicks = 100000;
  const ProcStat before{1000, 2000, cores, 1};
  const auto busy = static_cast<std::uint64_t>(busy_cores * kTicks);
  return load_between(before, {1000 + busy, 2000 + cores * kTicks - busy, cores, 1}, runnable);
}

}  // namespace

TEST_CASE("Rows of several machines make a series of each, in whatever order they come", "[reads][trace][table]") {
  const LoadTable t = table("time,host,value\n0,b,10\n0,a,50\n20,a,0\n10,b,20\n10,a,100\n");
  CHECK(t.names_machines());
  CHECK(t.machines() == Names{"b", "a"});
  CHECK(t.series("a").availability == Numbers{0.5, 0, 1});
  CHECK(t.series("a").start_s == Numbers{0, 10, 20});
  CHECK(t.series("b").availability == Numbers{0.9, 0.8});
  CHECK(t.remarks() == Names{"rows of a machine are put in the order of time, and rows with the same stamp and value are kept once"});
  CHECK(table("time,host,value\n0,b,10\n10,b,20\n").remarks().empty());
}

TEST_CASE("Blank lines are no samples, and a line's fields are not without end", "[trace][table]") {
  CHECK(table("time,value\n0,10\n" + std::string(100'000, '\n') + "10,20\n").series().availability == Numbers{0.9, 0.8});
  const std::string commas(2'000'000, ',');
  CHECK_THAT(message(commas), Contains("f:1: this line has more than 1000000 fields"));
  CHECK_THAT(message("time,value\n0,10\n" + commas), Contains("f:3: this line has more than 1000000 fields"));
}

TEST_CASE("Columns of moments and machines are found by their names", "[trace][table]") {
  for (const char* header : {"host,time,value", "Machine_ID,Time Stamp,value", "vm id,timestamp,value", "node,when,value"}) {
    CAPTURE(header);
    const LoadTable t = table(std::string(header) + "\nx,0,25\nx,10,75\ny,0,5\ny,10,5\n");
    CHECK(t.machines() == Names{"x", "y"});
    CHECK(t.series("x").availability == Numbers{0.75, 0.25});
  }
  CHECK(load_columns("machine,cpu,time,memory\n", "f") == Names{"cpu", "memory"});
}

TEST_CASE("Alibaba's machine_usage.csv is read by the names of its columns", "[trace][table]") {
  // cluster-trace-v2018: machine, seconds, CPU, memory, two that are empty, network in and out, disk. Made up.
  const std::string usage = "m_7,386640,41,92,,,43.04,33.08,5\nm_7,386670,43,92,,,43.04,33.08,5\nm_8,386640,-1,90,,,1,2,3\n"
                            "m_8,386650,20,90,,,1,2,3\nm_8,386660,30,90,,,1,2,3\n";
  TableReading reading{.column = "cpu_util_percent", .columns = "machine_id,time_stamp,cpu_util_percent"};
  CHECK_THROWS_WITH(table(usage, reading), Contains("f:3: cpu_util_percent: the value '-1' is out of range"));
  reading.invalid = InvalidRule::skip;
  const LoadTable t = table(usage, reading);
  CHECK(t.series("m_7").availability == Numbers{1 - 0.41, 1 - 0.43});
  CHECK(t.series("m_8").availability == Numbers{0.8, 0.7});
  CHECK(t.remarks() == Names{"1 row is left out whose value is missing or out of range"});
  reading.machines = {"m_7"};
  CHECK(table(usage, reading).machines() == Names{"m_7"});
}

TEST_CASE("Azure's vm_cpu_readings are read by the names of their columns", "[trace][table]") {
  const std::string readings = "0,yNf/R+X=,19.8,21.1,20\n0,b,1,2,1.5\n300,yNf/R+X=,2.9,3.7,3\n300,b,1,2,2.5\n";
  const LoadTable t = table(readings, {.column = "avg", .columns = "timestamp,vm id,min,max,avg"});
  CHECK(t.machines() == Names{"yNf/R+X=", "b"});
  CHECK(t.series("yNf/R+X=").availability == Numbers{0.8, 0.97});
  CHECK(t.series("b").duration_s == Numbers{300, 300});
  CHECK(table(readings, {.columns = "time,host,-,-,value"}).series("b").availability == t.series("b").availability);
}

TEST_CASE("PlanetLab's files of a value a line are read with an interval", "[trace][table]") {
  const LoadTable t = table("20\n30\n0\n100\n", {.interval_s = 300});
  CHECK_FALSE(t.names_machines());
  CHECK(t.series().availability == Numbers{0.8, 0.7, 1, 0});
  CHECK(t.series().start_s == Numbers{0, 300, 600, 900});
  const LoadTable both = table("host,value\na,20\nb,0\na,30\nb,0\n", {.interval_s = 5});
  CHECK(both.series("a").availability == Numbers{0.8, 0.7});
  CHECK(both.series("b").start_s == Numbers{0, 5});
}

TEST_CASE("A row that is left out is a gap, also where there are no stamps", "[trace][table]") {
  const TableReading skip{.interval_s = 10, .invalid = InvalidRule::skip};
  CHECK(table("20\n101\n40\n50\n60\n", skip).series().duration_s == Numbers{20, 10, 10, 10});
  TableReading drop = skip;
  drop.gaps = GapRule::drop;
  CHECK(table("20\n101\n40\n50\n60\n", drop).series().duration_s == Numbers{10, 10, 10, 10});
}

TEST_CASE("A blank line among values without stamps is a value that is missing", "[trace][table]") {
  const std::string values = "value\n\n1\n2\n\n4\n5\n\n\n";  // nothing before the first, and behind the last
  CHECK(message(values, {.interval_s = 10}) ==
        "f:5: value: the value is missing; a utilisation in per cent is a number from 0 to 100.");
  const LoadTable skipped = table(values, {.interval_s = 10, .invalid = InvalidRule::skip});
  CHECK(skipped.series().start_s == Numbers{0, 10, 30, 40});
  CHECK(skipped.series().availability == Numbers{0.99, 0.98, 0.96, 0.95});
  CHECK(skipped.remarks() == Names{"1 row is left out whose value is missing or out of range"});
  CHECK(table("host,value\na,1\nb,5\n\na,2\nb,5\n", {.interval_s = 10}).series("a").start_s == Numbers{0, 10});  // whose?
}

TEST_CASE("A blank line, or a row that is cut off, lasts an interval of every machine's column", "[trace][table]") {
  TableReading reading{.column = kEachColumn, .interval_s = 10, .invalid = InvalidRule::skip};
  for (const char* left_out : {"", "25"}) {
    const LoadTable t = table(std::string("lab1,lab2\n10,20\n") + left_out + "\n30,40\n50,60\n\n", reading);
    CHECK(t.series("lab1").start_s == Numbers{0, 20, 30});
    CHECK(t.series("lab2").availability == Numbers{0.8, 0.6, 0.4});
  }
  const LoadTable one = table("v\n10\n20,1\n30\n40\n", {.column = "v", .interval_s = 10, .invalid = InvalidRule::skip});
  CHECK(one.series().start_s == Numbers{0, 20, 30});
  CHECK(one.remarks() == Names{"1 row is left out that is cut off, or whose stamp cannot be read"});
}

TEST_CASE("Columns of several machines hold the same", "[trace][table][error]") {
  const std::string text = "time,lab1:%idle,lab2:availability\n0,10,0.5\n10,20,1\n";
  CHECK_THAT(sentence_of([&] { table(text, {.column = kEachColumn}); }),
             Contains("f:1: by their names the columns 'lab1:%idle' and 'lab2:availability' do not hold the same; say which"));
  CHECK(table(text, {.column = kEachColumn, .measure = LoadMeasure::idle_percent}).series("lab2:availability").availability == Numbers{0.005, 0.01});
}

TEST_CASE("Parts of a load, and what else is measured of it, are called as no machine is", "[trace][table]") {
  for (const Names& names : {Names{"p50", "p95", "p99"}, {"user1", "user2"}, {"CPU util 1", "CPU util 2"}, {"core0", "core1"}, {"q25", "q75"}}) {
    CAPTURE(names);
    CHECK_FALSE(are_called_as_machines(names));
    CHECK(is_called_as_a_quantity(names.front()));
  }
  for (const Names& names : {Names{"lab1", "lab2"}, {"netlab1", "netlab2"}, {"user-pc1", "user-pc2"}, {"cpu1.lab.org", "cpu2.lab.org"}, {"a:9100", "b:9100"}}) {
    CAPTURE(names);
    CHECK(are_called_as_machines(names));
  }
  CHECK(is_called_as_a_quantity("p99.9"));
  CHECK_FALSE(is_called_as_a_quantity("pc1"));
}

TEST_CASE("What separates columns stands outside of quotation marks", "[trace][table]") {
  CHECK(separator_of("\"Time\";\"{__name__=\"\"up\"\", instance=\"\"a\"\", job=\"\"b\"\"}\"\n", "f") == ';');
  CHECK(separator_of("\"a;b\",c\n", "f") == ',');
  CHECK(separator_of("5\" disk;b\n", "f") == ';');
}

TEST_CASE("Names of columns say what values are", "[trace][table]") {
  const auto mean = [](const std::string& name, const std::string& value) {
    return table("time," + name + "\n0," + value + "\n10," + value + "\n", {.column = ""}).series().mean();
  };
  for (const char* name : {"idle", "idl", "%idle", "Idle %", "idle_percent", "\\\\HOST\\Processor(_Total)\\% Idle Time", "total cpu usage:idl"})
    CHECK(mean(name, "68") == Approx(0.68));
  for (const char* name : {"utilisation", "CPU_utilization", "cpu_util_percent", "% Processor Time", "load", "CPU usage [%]"})
    CHECK(mean(name, "68") == Approx(0.32));
  CHECK(mean("available", "0.68") == Approx(0.68));
  const std::string dstat = "time,usr,sys,idl\n1772438400,10,5,85\n1772438410,20,5,75\n1772438420,30,5,65\n";
  CHECK(table(dstat, {.column = ""}).series().availability == Numbers{0.85, 0.75, 0.65});
  CHECK(table(dstat, {.column = "idl", .measure = LoadMeasure::utilisation_percent}).series().availability.front() ==
        Approx(0.15));  // as it is said
  CHECK(table("time,a,value\n0,1,85\n1,1,75\n", {.measure = LoadMeasure::idle_percent}).series().availability ==
        Numbers{0.85, 0.75});
}

TEST_CASE("Values that contradict their column's name are an error that says what was assumed", "[trace][table][error]") {
  CHECK(message("time,availability\n0,0.5\n10,85\n", {.column = ""}) ==
        "f:3: availability: the value '85' is out of range; by the name of its column it is an availability, a number from "
        "0 to 1, and per cent are another measure.");
  CHECK_THAT(message("time,availability\n0,0.5\n10,85\n", {.column = "", .invalid = InvalidRule::skip}),
             Contains("by the name of its column it is an availability"));
  CHECK(table("time,availability\n0,0.5\n10,1.0001\n20,0.7\n30,0.9\n", {.column = "", .invalid = InvalidRule::skip})
            .series()
            .availability == Numbers{0.5, 0.7, 0.9});
  const auto doubt = [](const std::string& text, std::optional<LoadMeasure> measure = {}) {
    return table(text, {.column = "", .measure = measure}).doubt(" in f", "by ");
  };
  CHECK(doubt("time,utilisation_percent\n0,0.5\n10,0.4\n") ==
        "the column 'utilisation_percent' is taken for a utilisation in per cent, but no value in f is above 1: say whether "
        "they are per cent (by utilisation-percent) or fractions (utilisation, availability)");
  CHECK(doubt("time,idle\n0,0.5\n10,0.4\n") ==
        "the column 'idle' is taken for idle time in per cent, but no value in f is above 1: say whether they are per cent "
        "(by idle-percent) or fractions (availability)");
  CHECK(doubt("time,value\n0,0.5\n10,1\n").starts_with("no value in f is above 1: say whether they are per cent (by "));
  CHECK(doubt("time,value\n0,0.5\n10,1.01\n").empty());
  CHECK(doubt("time,value\n0,0\n10,0\n").empty());  // the same in both
  CHECK(doubt("time,utilisation_percent\n0,0.5\n10,0.4\n", LoadMeasure::utilisation).empty());
  const LoadTable recorded("timestamp,availability,utilisation_percent,waiting\n0,1,0.5,0\n10,1,0.4,0\n", "f",
                            {.column = "utilisation_percent"});
  CHECK(recorded.doubt("", "").empty());  // as 'trace record' writes it
}

TEST_CASE("A header may be named anew, also where there are no stamps", "[trace][table]") {
  const LoadTable t = table("Zeit,Rechner,Last\n0,a,20\n5,a,40\n", {.columns = "time,host,value"});
  CHECK(t.series("a").availability == Numbers{0.8, 0.6});
  CHECK(t.remarks() == Names{"the first line names columns, which are called otherwise here"});
  TableReading reading{.columns = "host,value", .interval_s = 5, .invalid = InvalidRule::skip};
  const LoadTable without_stamps = table("host,value\na,5\nb,0\na,7\n", reading);
  CHECK(without_stamps.machines() == Names{"a", "b"});
  CHECK(without_stamps.remarks() == t.remarks());
  for (const char* missing : {"a,\n", "a,nan\n", "a,NA\n", "a,-\n"})  // a row without a value is no header
    CHECK(table(missing + std::string("a,5\na,5\n"), reading).remarks() ==
          Names{"1 row is left out whose value is missing or out of range"});
}

TEST_CASE("A log of jobs is no trace, and what it is is said", "[trace][table][error]") {
  const std::string job = "1 0 5 120 4 -1 -1 4 600 -1 1 3 1 -1 1 -1 -1 -1\n";
  for (const std::string& text : {"; Version: 2.2\n; Computer: made up\n\n" + job, job})
    CHECK(message(text) ==
          "f: this is a log of jobs in the Standard Workload Format (when each was submitted, how long it ran, on how many "
          "processors), no trace of what a machine has left; the owner model 'jobs' replays it: {model: jobs, log: FILE, "
          "u: 0.4}.");
}

TEST_CASE("Tables that mean nothing, or several things, are refused in a sentence", "[trace][table][error]") {
  const std::string two = "time,host,value\n0,a,1\n5,a,2\n0,b,1\n";
  CHECK(message(two) == "f: this file holds rows of 2 machines, a, b; one of them is needed.");
  CHECK_THROWS_WITH(table(two).series("b"), "f: this file holds a header and one sample of 'b'; at least two samples are needed.");
  CHECK_THROWS_WITH(table("time,host,value\n0,a,1\n5,a,2\n0,a,3\n").series("a"),
                    "f:4: the stamp '0' repeats the one of line 2; each sample has to be later than the one before.");
  CHECK(message("m_7,386640,41\nm_7,386650,43\n") ==
        "f:1: the first line is data already; it has to name the columns, as in 'timestamp,value', or something else has "
        "to (columns: \"host,time,value\", --columns).");
  CHECK(message("0,1\n", {.columns = "time,host,value"}) == "f:1: this row has 2 fields where 3 columns are named.");
  CHECK(message("0,a,1\n1,a\n", {.columns = "time,host,value"}) == "f:2: this row has 2 fields where the first row has 3.");
  CHECK(message("0,a,1\n", {.columns = "time,host,cpu"}) == "f: there is no column 'value'; values are in 'cpu'.");
  CHECK(message("0,a\n", {.columns = "time,host"}) == "f: no column holds values: the columns are 'time', 'host'.");
  CHECK(message("20\nx\n", {.interval_s = 5}) ==
        "f:2: the value 'x' is not a finite number; a utilisation in per cent is a number from 0 to 100.");
  CHECK(message("time,host,value\n") == "f: this file holds a header and no sample; at least two samples are needed.");
  const LoadTable header_alone = table("timestamp,value\n");
  CHECK(header_alone.has(""));
  CHECK_THROWS_WITH(header_alone.series(""), "f: this file holds a header and no sample; at least two samples are needed.");
}

TEST_CASE("The column that is asked for holds the load, also where it is called as machines are", "[trace][table]") {
  const std::string cores = "timestamp,server,web\n0,20,1\n10,40,1\n";
  CHECK(table(cores, {.column = "server"}).series().availability == Numbers{0.8, 0.6});
  CHECK(table("timestamp,host\n0,20\n10,40\n", {.column = "host"}).series().availability == Numbers{0.8, 0.6});
  const TableReading times{.column = "time", .columns = "time", .interval_s = 5};
  CHECK(table("20\n40\n", times).series().availability == Numbers{0.8, 0.6});
  CHECK(message("server,web\n0,1\n", {.column = "server"}) ==
        "f:1: the column 'server' comes first and so holds the stamps; values are in 'web'.");
  CHECK(message("time,value\n0,1\n", {.column = "time"}) ==
        "f:1: the column 'time' comes first and so holds the stamps; values are in 'value'.");
}

TEST_CASE("Where no column is asked for, it is `value` or the only one there is", "[trace][table]") {
  CHECK(table("time,host,cpu\n0,a,20\n10,a,40\n", {.column = ""}).series().availability == Numbers{0.8, 0.6});
  CHECK(table("time,cpu,value\n0,1,20\n10,1,40\n", {.column = ""}).series().availability == Numbers{0.8, 0.6});
  CHECK(table("20\n40\n", {.column = "", .interval_s = 5}).series().availability == Numbers{0.8, 0.6});
  CHECK(message("time,a,b\n0,1,2\n", {.column = ""}) == "f:1: there is no column 'value'; values are in 'a', 'b'.");
  CHECK(message("value,cpu\n0,1\n", {.column = ""}) ==
        "f:1: the column 'value' comes first and so holds the stamps; values are in 'cpu'.");
  CHECK(message("time,cpu\n0,x\n", {.column = ""}).starts_with("f:2: cpu: the value 'x'"));
}

TEST_CASE("Steal and interrupts are busy time, waiting for disks is idle time, guests are not counted twice",
          "[trace]") {
  const ProcStat s = parse_proc_stat(stat_text("10 20 30 1000 200 1 2 4 7 8", 4), "/proc/stat");
  CHECK(s.busy == 10 + 20 + 30 + 1 + 2 + 4);
  CHECK(s.idle == 1200);
  CHECK(s.cores == 4);
  CHECK(s.runnable == 3);
}

TEST_CASE("What is no /proc/stat is refused in a sentence", "[trace][error]") {
  const auto message = [](const std::string& text) { return sentence_of([&] { parse_proc_stat(text, "f"); }); };
  const std::string wanted = "f: the lines 'cpu', 'cpu0' and 'procs_running' of Linux's /proc/stat are needed.";
  CHECK(message("") == wanted);
  CHECK(message("cpu  1 2 3 4\nprocs_running 1\n") == wanted);
  CHECK(message("cpu  1 2 3 4\ncpu0 1 2 3 4\n") == wanted);
  CHECK(message("cpu  1 2 x 4\ncpu0 1 2 3 4\nprocs_running 1\n") == "f:1: 'x' is no count.");
  CHECK(message("cpu  1 2 3\ncpu0 1 2 3 4\nprocs_running 1\n") == "f:1: the line 'cpu' holds too few counts.");
}

TEST_CASE("n tasks that compute leave min(1, C/(n+1)) of a core", "[trace]") {
  for (const int cores : {1, 2, 8})
    for (const int n : {0, 1, 2, 3, 7, 20}) {
      INFO(n << " tasks on " << cores << " cores");
      CHECK(load(cores, std::min(n, cores), n).availability == Approx(std::min(1.0, cores / (n + 1.0))));
    }
}

TEST_CASE("A core that is busy half of the time by one task leaves three quarters, by two tasks two thirds",
          "[trace]") {
  CHECK(load(1, 0.5, 0.5).availability == Approx(0.75));
  CHECK(load(1, 0.5, 1).availability == Approx(0.5 + 0.5 / 3));
  CHECK(load(4, 3, 3).availability == 1);
  CHECK(load(4, 3.5, 3.5).availability == Approx(0.5 + 0.5 * 4.0 / 5));
  CHECK(load(2, 1, 1).utilisation == Approx(0.5));
  CHECK(load(2, 2, 5).waiting == Approx(3));
}

TEST_CASE("Counters that stand still or fall leave everything", "[trace]") {
  const ProcStat s{100, 200, 2, 1};
  CHECK(load_between(s, s, 0).availability == 1);
  CHECK(load_between({100, 205, 2, 1}, s, 0).utilisation == 0);
}

TEST_CASE("A job that is watched tells what it is left; one that sleeps leaves that to the load", "[trace]") {
  ProcStat before{1000, 2000, 1, 1}, after{1100, 2000, 1, 1};
  before.job["7"] = parse_schedstat("1000000000 5000000000 7\n", "f");
  before.job["8"] = {900, 100};  // ends meanwhile
  after.job["7"] = parse_schedstat("1250000000 5750000000 9\n", "f");
  after.job["9"] = {3, 0};  // new
  CHECK(load_between(before, after, 2).availability == Approx(0.25));
  CHECK(load_between(before, after, 2).utilisation == 1);
  ProcStat asleep = after;
  asleep.job["7"] = {1.001, 5};
  CHECK(load_between(before, asleep, 2).availability == Approx(1.0 / 3));  // beside two that compute
  ProcStat ended = after;
  ended.job.clear();
  CHECK(load_between(before, ended, 2).availability == Approx(1.0 / 3));
  CHECK_THROWS_WITH(parse_schedstat("12\n", "f"), "f:1: a thread's times on cores and in wait for one are needed.");
}
