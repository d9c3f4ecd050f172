// Tests of measured load series: the steps a CSV gives, gaps, stamps, what is refused and where, six real servers.
#include "sim/owners/load_table.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>

#include "sim/base/error.hpp"
#include "sim/base/user_file.hpp"
#include "tests/skips.hpp"

using namespace nowsim;

namespace {

LoadSeries trace_of(const std::string& text, LoadMeasure measure = LoadMeasure::availability, GapRule gaps = GapRule::hold,
               const std::string& column = "value") {
  return LoadTable(text, "f", {.column = column, .measure = measure, .gaps = gaps}).series();
}

struct Bad {
  std::string text;
  int line;
  std::string says;
};
void check_refused(const std::vector<Bad>& table, LoadMeasure measure = LoadMeasure::availability,
                   GapRule gaps = GapRule::hold) {
  for (const auto& bad : table) {
    CAPTURE(bad.text.substr(0, 200), bad.says);
    try {
      static_cast<void>(LoadTable(bad.text, "f", {.measure = measure, .gaps = gaps}).series());
      FAIL_CHECK("nothing was refused");
    } catch (const InputError& e) {
      CHECK(e.place().file == "f");
      CHECK(e.place().line == bad.line);
      CHECK_THAT(e.what(), Catch::Contains(bad.says));
      CHECK_THAT(e.what(), Catch::EndsWith("."));
      CHECK(std::string(e.what()).size() < 600);
    }
  }
}

/// "t,value" and rows of these stamps with the value 0.5.
std::string with_stamps(const std::vector<std::string>& stamps) {
  std::string text = "t,value\n";
  for (const auto& s : stamps) text += s + ",0.5\n";
  return text;
}

using Numbers = std::vector<double>;

}  // namespace

TEST_CASE("Each value lasts until the next sample and the last one for a median step", "[reads][trace]") {
  const LoadSeries t = trace_of("t,value\n10,1\n12,0.5\n15,0\n17,0.25\n");  // steps of 2, 3, 2
  CHECK(t.duration_s == Numbers{2, 3, 2, 2});
  CHECK(t.availability == Numbers{1, 0.5, 0, 0.25});
  CHECK(t.start_s == Numbers{0, 2, 5, 7});
  CHECK(t.total_s == 9);
  CHECK(t.mean() == Approx((2 + 1.5 + 0 + 0.5) / 9));  // by hand: 4/9
  CHECK(t.sd() == Approx(std::sqrt((2 + 0.75 + 0.125) / 9 - 16.0 / 81)));
}

TEST_CASE("The median of an even number of steps lies between the middle two", "[trace]") {
  CHECK(trace_of("t,value\n0,1\n2,1\n5,1\n").duration_s == Numbers{2, 3, 2.5});
  CHECK(trace_of("t,value\n0,1\n9,1\n10,1\n12,1\n15,1\n").duration_s == Numbers{9, 1, 2, 3, 2.5});
}

TEST_CASE("Two samples are enough", "[trace]") {
  const LoadSeries t = trace_of("t,value\n0,0.25\n4,0.75\n");
  CHECK(t.duration_s == Numbers{4, 4});
  CHECK(t.mean() == 0.5);
  CHECK(t.sd() == 0.25);
}

TEST_CASE("A utilisation leaves the rest", "[trace]") {
  CHECK(trace_of("t,value\n0,25\n1,100\n2,0\n", LoadMeasure::utilisation_percent).availability == Numbers{0.75, 0, 1});
  CHECK(trace_of("t,value\n0,0.25\n1,1\n2,0\n", LoadMeasure::utilisation).availability == Numbers{0.75, 0, 1});
  CHECK(trace_of("t,value\n0,0.25\n1,1\n2,0\n", LoadMeasure::availability).availability == Numbers{0.25, 1, 0});
}

TEST_CASE("Gaps are held, dropped or refused as asked", "[trace]") {
  const std::string text = "t,value\n0,1\n10,0.5\n20,0.25\n50,0.75\n60,0\n";  // 30 s before line 5
  CHECK(trace_of(text, LoadMeasure::availability, GapRule::hold).duration_s == Numbers{10, 10, 30, 10, 10});
  const LoadSeries dropped = trace_of(text, LoadMeasure::availability, GapRule::drop);
  CHECK(dropped.duration_s == Numbers{10, 10, 10, 10, 10});
  CHECK(dropped.start_s == Numbers{0, 10, 20, 30, 40});
  CHECK(dropped.total_s == 50);
  check_refused({{text, 5, "a gap of 30 s before this sample, where samples come every 10 s"}},
                LoadMeasure::availability, GapRule::fail);
}

TEST_CASE("A long gap is left out, switched off or held, as asked", "[trace]") {
  const std::string text = "t,value\n0,1\n10,0.5\n20,0.25\n120,0.75\n130,0\n";  // of 140 s 90 have no data
  const auto with = [&](GapRule gaps) { return trace_of(text, LoadMeasure::availability, gaps); };
  const LoadSeries left = with(GapRule::left_out);
  CHECK(left.duration_s == Numbers{10, 10, 10, 10, 10});
  CHECK(left.start_s == Numbers{0, 10, 20, 30, 40});
  CHECK(left.clock_s() == Numbers{0, 10, 20, 120, 130});
  CHECK(left.total_s == 50);
  CHECK(left.clock_end_s() == 140);
  CHECK(left.mean() == Approx(0.5));
  CHECK(gaps_text(left.gaps) == "64.3 % of the span has no data (1 gap): left out");
  const LoadSeries off = with(GapRule::off);
  CHECK(off.duration_s == Numbers{10, 10, 10, 90, 10, 10});
  CHECK(off.availability == Numbers{1, 0.5, 0.25, 0, 0.75, 0});
  CHECK(off.clock_s() == off.start_s);
  CHECK(off.mean() == Approx(25.0 / 140));
  CHECK(gaps_text(off.gaps) == "64.3 % of the span has no data (1 gap): counted as switched off");
  const LoadSeries held = with(GapRule::hold);
  CHECK(held.duration_s == Numbers{10, 10, 100, 10, 10});
  CHECK(held.mean() == Approx((25 + 0.25 * 90) / 140));
  CHECK(gaps_text(held.gaps) == "64.3 % of the span has no data (1 gap): held at the value before");
  for (const LoadSeries& trace : {left, off, held}) {
    CHECK(trace.gaps.count == 1);
    CHECK(trace.gaps.span_s == 140);
    CHECK(trace.gaps.missing_s == 90);
  }
  CHECK(gaps_text(trace_of("t,value\n0,1\n10,1\n20,1\n").gaps).empty());
}

TEST_CASE("The value holds through a gap of up to five steps where longer ones are left out, or off", "[trace]") {
  const std::string text = "t,value\n0,1\n10,1\n20,0.5\n70,1\n80,1\n90,0.5\n141,1\n151,1\n";
  CHECK(trace_of(text, LoadMeasure::availability, GapRule::left_out).duration_s == Numbers{10, 10, 50, 10, 10, 10, 10, 10});
  CHECK(trace_of(text, LoadMeasure::availability, GapRule::off).duration_s == Numbers{10, 10, 50, 10, 10, 10, 41, 10, 10});
  CHECK(gaps_text(trace_of(text, LoadMeasure::availability, GapRule::left_out).gaps) ==
        "50.3 % of the span has no data (2 gaps): 25.5 % left out, 24.8 % held at the value before");
}

TEST_CASE("Time before a restart is switched off, whatever other gaps are", "[trace]") {
  const auto at = [](double t, double a, bool after_restart = false) {
    return LoadSample{1, after_restart, {StampKind::seconds, 0, t}, a};
  };
  const std::vector<LoadSample> samples{at(0, 1), at(10, 0.5), at(20, 0.5), at(50, 1, true), at(60, 1), at(160, 0.5), at(170, 0.5)};
  const LoadSeries trace = series_of_samples(samples, GapRule::left_out, "f");
  CHECK(trace.availability == Numbers{1, 0.5, 0.5, 0, 1, 1, 0.5, 0.5});
  CHECK(trace.duration_s == Numbers{10, 10, 10, 20, 10, 10, 10, 10});
  CHECK(trace.clock_s() == Numbers{0, 10, 20, 30, 50, 60, 160, 170});
  CHECK(gaps_text(trace.gaps) == "61.1 % of the span has no data (2 gaps): 50 % left out, 11.1 % switched off, for the "
                                 "file tells of a restart");
}

TEST_CASE("A step is a gap from above 1.5 medians on", "[trace]") {
  const auto with_step = [](const std::string& end) { return "t,value\n0,1\n10,1\n20,1\n" + end + ",1\n"; };
  CHECK(trace_of(with_step("35"), LoadMeasure::availability, GapRule::fail).duration_s == Numbers{10, 10, 15, 10});
  CHECK(trace_of(with_step("35.1"), LoadMeasure::availability, GapRule::drop).duration_s == Numbers{10, 10, 10, 10});
  check_refused({{with_step("35.1"), 5, "gap"}}, LoadMeasure::availability, GapRule::fail);
}

TEST_CASE("Civil stamps are understood in all their spellings", "[trace]") {
  const auto step = [](const std::string& a, const std::string& b) {
    return trace_of(with_stamps({a, b})).total_s / 2;
  };
  CHECK(step("2014-02-14 14:30:00", "2014-02-14 14:35:00") == 300);
  CHECK(step("2014-02-14T14:30", "2014-02-14 14:30:01") == 1);
  CHECK(step("2014-02-14 14:30:00Z", "2014-02-14T14:31Z") == 60);
  CHECK(step("2014-02-14 14:30:00.25", "2014-02-14 14:30:00.5") == 0.25);
  CHECK(step("2014-02-14 14:30:59.999999999", "2014-02-14 14:31:00") == Approx(1e-9).epsilon(1e-6));
  CHECK(step("2014-12-31 23:59:59", "2015-01-01 00:00:00") == 1);
  CHECK(step("2016-02-28 00:00", "2016-03-01 00:00") == 2 * 86400);  // a leap year
  CHECK(step("2015-02-28 00:00", "2015-03-01 00:00") == 86400);
  CHECK(step("1969-12-31 23:59:58", "1970-01-01 00:00:01") == 3);
  CHECK(step("2000-01-01 00:00", "2400-01-01 00:00") == 146097.0 * 86400);  // a full Gregorian cycle
}

TEST_CASE("Plain seconds may start anywhere", "[trace]") {
  CHECK(trace_of(with_stamps({"-5", "-3.5", "0", "1e1"})).duration_s == Numbers{1.5, 3.5, 10, 3.5});
  CHECK(trace_of(with_stamps({"1392388200", "1392388500"})).duration_s == Numbers{300, 300});
}

TEST_CASE("Stamps that cannot be read are refused with their line", "[trace]") {
  for (const char* stamp :
       {"", "noon", "nan", "inf", "1e300", "2014-02", "2014-02-30 00:00", "2015-02-29 12:00:00", "2014-13-01 00:00",
        "2014-00-10 00:00", "2014-01-00 00:00", "2014-01-01 24:00", "2014-01-01 10:60", "2014-01-01 10:00:60",
        "2014-01-01 10:00:00.", "2014-01-01 10:00:00.5x", "2014-01-01 10:00:00+1", "2014-01-01 10:00:00+25:00", "2014-01-01  10:00",
        "14-01-01 10:00:00", "2014/01/01 10:00:00", "2014-1-1 10:00", "2014-01-01 10:00.5", "2014-01-01 1-:00", "Z",
        "2014-01-01 10:00:00ZZ", "2014-01-01 10:00:"})
    check_refused({{with_stamps({"2013-01-01 00:00", stamp}), 3, "is neither a moment that exists"}});
}

TEST_CASE("Stamps in milliseconds are refused, not taken for seconds", "[trace]") {
  check_refused({{with_stamps({"1700000000000", "1700000010000"}), 2,
                  "the stamp '1700000000000' is beyond the year 5000 if it is in seconds, as stamps have to be: divide "
                  "what is in milliseconds by 1000."},
                 {with_stamps({"1700000000000000000"}), 2, "the stamp '1700000000000000000' is beyond the year 5000"},
                 {with_stamps({"0", "1e11"}), 3, "the stamp '1e11' is beyond the year 5000"}});
  CHECK(trace_of(with_stamps({"1700000000", "1700000010.5"})).duration_s.front() == 10.5);
  CHECK(trace_of(with_stamps({"0", "9e10"})).duration_s.front() == 9e10);
}

TEST_CASE("Stamps that are unsorted, repeated or of several kinds are refused with their lines", "[trace]") {
  check_refused({
      {with_stamps({"2014-01-01 00:00", "300"}), 3,
       "is plain seconds while the first one is a date and time without Z"},
      {with_stamps({"0", "300", "2014-01-01 00:00"}), 4, "is a date and time without Z while the first one is plain"},
      {with_stamps({"2014-01-01 00:00", "2014-01-01 00:05Z"}), 3, "with Z while"},
      {with_stamps({"0", "5", "4"}), 4, "the stamp '4' is earlier than the one of line 3"},
      {with_stamps({"0", "5", "5"}), 4, "the stamp '5' repeats the one of line 3"},
      {with_stamps({"2014-01-01 00:05", "2014-01-01 00:05:00"}), 3, "repeats the one of line 2"},
      {with_stamps({"2014-01-01 00:05", "2013-01-01 00:05:00"}), 3, "is earlier than the one of line 2"},
      {"t,value\n0,1\n\n\n0,1\n", 5, "repeats the one of line 2"},
  });
}

TEST_CASE("The form of the CSV does not matter", "[trace]") {
  for (const char* text :
       {"t,value\n0,0.5\n10,0.25\n", "t,value\r\n0,0.5\r\n10,0.25\r\n", "\xEF\xBB\xBFt,value\n0,0.5\n10,0.25",
        "\n\n t , value \n\n 0 ,\t0.5\n  \n10,0.25\n\n\n", "\"t\",\"value\"\n\"0\",\"0.5\"\n \"10\" ,\" 0.25\" \n",
        "t,\"a, \"\"b\"\"\",value\n0,\"x,y\",0.5\n10,,0.25\n", "value,other,value\n0,7,5e-1\n10,text,+0.25\n",
        "t,value\r0,0.5\r10,0.25\r"}) {
    CAPTURE(text);
    const LoadSeries t = trace_of(text);
    CHECK(t.duration_s == Numbers{10, 10});
    CHECK(t.availability == Numbers{0.5, 0.25});
  }
}

TEST_CASE("A column is chosen by its name", "[trace]") {
  const std::string text = "t,a,value,\"b c\"\n0,0.1,0.2,0.3\n1,0.4,0.5,0.6\n";
  CHECK(trace_of(text).availability == Numbers{0.2, 0.5});
  CHECK(trace_of(text, LoadMeasure::availability, GapRule::hold, "b c").availability == Numbers{0.3, 0.6});
}

TEST_CASE("A column that is not there is refused with the known ones", "[trace]") {
  std::string wide = "t";
  for (int i = 0; i < 1000; ++i) wide += ",c" + std::to_string(i);
  check_refused({
      {"t,cpu,\"mem ory\"\n0,1,1\n", 1, "there is no column 'value'; values are in 'cpu', 'mem ory'"},
      {"\n\nvalue,cpu\n0,1\n", 3, "the column 'value' comes first and so holds the stamps; values are in 'cpu'"},
      {"t,Value\n0,1\n", 1, "values are in 'Value'"},
      {"t,value,x,value\n0,1,1,1\n", 1, "there are 2 columns 'value'"},
      {"t value\n0 1\n1 1\n", 1, "the only column is 't value'; stamps and values are needed, separated by commas, semicolons or tabs"},
      {"0,1\n1,1\n", 1, "the first line is data already"},
      {"2014-02-14 14:30:00,1\n", 1, "the first line is data already"},
      {wide + "\n", 1, "'c19' and 980 more"},
  });
}

TEST_CASE("Rows that do not fit the header are refused with their line", "[trace]") {
  check_refused({
      {"t,value\n0,1\n1\n", 3, "this row has 1 field where the header names 2"},
      {"t,value\n0,1\n1,1,1\n", 3, "this row has 3 fields where the header names 2"},
      {"t,value\n0,1\n1,1,\n", 3, "3 fields"},
      {"t,value\n0,0,5\n", 2, "3 fields"},
      {"t,value\n0,\"1\n1,1\n", 2, "never closes it"},
      {"t,value\n0,\"1\"x\n1,1\n", 2, "goes on after its closing quotation mark"},
      {"t,value\n0,\"\n", 2, "never closes it"},
  });
}

TEST_CASE("Values that are no numbers in range are refused with line and column", "[trace]") {
  check_refused({
      {"t,value\n0,1\n1,\n", 3, "value: the value is missing; an availability is a number from 0 to 1"},
      {"t,value\n0,1\n1,  \n", 3, "the value is missing"},
      {"t,value\n0,1\n1,\"\"\n", 3, "the value is missing"},
      {"t,value\n0,high\n", 2, "the value 'high' is not a finite number"},
      {"t,value\n0,nan\n", 2, "the value 'nan' is not a finite number"},
      {"t,value\n0,inf\n", 2, "the value 'inf'"},
      {"t,value\n0,-inf\n", 2, "the value '-inf'"},
      {"t,value\n0,1e999\n", 2, "the value '1e999'"},
      {"t,value\n0,5%0\n", 2, "the value '5%0'"},
      {"t,value\n0,0x1\n", 2, "the value '0x1'"},
      {"t,value\n0,1 2\n", 2, "the value '1 2'"},
      {"t,value\n0,-0.1\n", 2, "the value '-0.1' is out of range; an availability is a number from 0 to 1."},
      {"t,value\n0,50\n", 2, "from 0 to 1, and per cent are another measure."},
      {"t,value\n0," + std::string(1000000, '9') + "\n", 2, "..."},
  });
  check_refused({{"t,value\n0,1.5\n", 2, "a utilisation is a number from 0 to 1"}}, LoadMeasure::utilisation);
  check_refused({{"t,value\n0,50\n1,100.1\n", 3, "the value '100.1' is out of range; a utilisation in per cent is a"},
                 {"t,value\n0,-1\n", 2, "from 0 to 100"}},
                LoadMeasure::utilisation_percent);
}

TEST_CASE("Files without two samples are refused, and those that are no text with the byte's line", "[trace]") {
  check_refused({
      {"", 0, "this file is empty"},
      {"\n \r\n\t\n", 0, "this file is empty"},
      {"\xEF\xBB\xBF", 0, "this file is empty"},
      {"t,value\n", 0, "a header and no sample"},
      {"t,value\n0,1\n", 0, "a header and one sample"},
      {std::string("t,value\n0,1\n1\0,1\n", 17), 3, "the byte 0 at position 2"},
      {"\x89PNG\r\n\x1A\n", 2, "the byte 26 at position 1"},
      {std::string("\xFF\xFEt\0,\0v\0", 8), 1, "the byte 0 at position 4"},  // UTF-16
  });
}

namespace {

/// One of six servers of the Numenta Anomaly Benchmark.
LoadSeries server(const std::string& name, GapRule gaps) {
  const std::string file = test::measured_traces() + "/ec2_cpu_utilization_" + name + ".csv";
  return LoadTable(read_user_file(file, kMostDataBytes), file, {.gaps = gaps}).series();
}

}  // namespace

TEST_CASE("Six real servers have their known moments", "[trace]") {
  if (test::measured_traces().empty()) return;
  struct Known {
    const char* name;
    double mean, sd;
  };
  // Sample-weighted, to three digits, as the folder's README gives them.
  for (const auto& known :
       {Known{"24ae8d", 0.999, 0.001}, Known{"53ea38", 0.982, 0.001}, Known{"5f5533", 0.569, 0.043},
        Known{"77c1ca", 0.895, 0.269}, Known{"ac20cd", 0.590, 0.219}, Known{"fe7f93", 0.942, 0.118}}) {
    CAPTURE(known.name);
    const LoadSeries t = server(known.name, GapRule::drop);  // every sample lasts one step
    CHECK(t.duration_s.size() == 4032);
    CHECK(t.total_s == 4032 * 300.0);
    CHECK(t.mean() == Approx(known.mean).margin(0.0005001));
    CHECK(t.sd() == Approx(known.sd).margin(0.0005001));
    CHECK(t.total_s == std::accumulate(t.duration_s.begin(), t.duration_s.end(), 0.0));
  }
}

TEST_CASE("The one real server with gaps has two, of 900 and 1200 s", "[trace]") {
  if (test::measured_traces().empty()) return;
  const LoadSeries held = server("ac20cd", GapRule::hold);
  std::vector<double> gaps;
  for (const double d : held.duration_s)
    if (d != 300) gaps.push_back(d);
  std::sort(gaps.begin(), gaps.end());
  CHECK(gaps == Numbers{900, 1200});
  CHECK(held.total_s == 4032 * 300.0 + 600 + 900);
  CHECK(server("ac20cd", GapRule::left_out).duration_s == held.duration_s);  // of three and four steps
  CHECK_THROWS_WITH(server("ac20cd", GapRule::fail), Catch::Contains("a gap of"));
  CHECK_NOTHROW(server("fe7f93", GapRule::fail));
}
