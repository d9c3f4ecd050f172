// Quantities with units, read and refused, and what people are told: estimates in units that they read, times side
// by side, names near to one that is not there.
#include "experiments/driver/text/units.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <string>
#include <vector>

#include "experiments/driver/text/duration_text.hpp"
#include "experiments/driver/text/estimate_text.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/error.hpp"
#include "tests/thrown.hpp"

using namespace nowsim;

namespace {

struct Reading {
  std::string text;
  double value;
};

void check_readings(Dimension dimension, const std::vector<Reading>& readings) {
  for (const auto& [text, value] : readings) {
    INFO("text: " << text);
    CHECK(parse_quantity(text, dimension) == value);
  }
}

std::string error_of(const std::string& text, Dimension dimension) {
  return nowsim::test::sentence_of([&] { parse_quantity(text, dimension); });
}

void check_refused(Dimension dimension, const std::vector<std::string>& texts, const std::string& words) {
  for (const auto& text : texts) {
    INFO("text: " << text);
    CHECK_THAT(error_of(text, dimension), Catch::StartsWith("'" + text + "' is not "));
    CHECK_THAT(error_of(text, dimension), Catch::Contains(words));
  }
}

struct Print {
  double value;
  std::string text;
};

void check_prints(Dimension dimension, const std::vector<Print>& prints) {
  for (const auto& [value, text] : prints) CHECK(format_quantity(value, dimension) == text);
}

const std::vector<Dimension> all_dimensions{Dimension::number, Dimension::count,    Dimension::fraction,
                                            Dimension::speed,  Dimension::work,     Dimension::time,
                                            Dimension::bytes,  Dimension::bandwidth};

Estimate exact(double value) { return {value, value, value}; }

TimeRange range(std::initializer_list<double> times_s) {
  TimeRange out;
  for (const double t_s : times_s) out.add(t_s);
  return out;
}

std::string unit(std::initializer_list<double> times_s) { return unit_of_times(range(times_s)).name; }

const Words kKeys{"title", "owner.TH", "owner.SH", "owner.model", "bandwidth.TH", "job.technique", "run.replications", "run.seed"};

}  // namespace

TEST_CASE("Numbers are plain decimals", "[reads][quantity]") {
  check_readings(Dimension::number, {{"1e3", 1000},
                                     {"-0.5", -0.5},
                                     {"+2", 2},
                                     {".5", 0.5},
                                     {"5.", 5},
                                     {"0", 0},
                                     {"0.010", 0.01},
                                     {"1E+2", 100},
                                     {" 7\t", 7},
                                     {"1e-308", 1e-308}});
}

TEST_CASE("Counts are whole, with k, M and G", "[quantity]") {
  check_readings(Dimension::count, {{"512", 512},
                                    {"0", 0},
                                    {"1e3", 1000},
                                    {"1.5k", 1500},
                                    {"3M", 3e6},
                                    {"2 G", 2e9},
                                    {"1.001k", 1001},  // 1.001 * 1000 is not 1001 in doubles
                                    {"9007199254740992", 9007199254740992.0}});
}

TEST_CASE("Fractions may be percentages", "[quantity]") {
  check_readings(Dimension::fraction, {{"0.28", 0.28}, {"28%", 0.28}, {"28 %", 0.28}, {"100%", 1}, {"1", 1}});
}

TEST_CASE("Speeds and works count flops", "[quantity]") {
  for (const auto dimension : {Dimension::speed, Dimension::work})
    check_readings(dimension, {{"5f", 5},
                               {"5kf", 5e3},
                               {"25Mf", 25e6},
                               {"1.5 Gf", 1.5e9},
                               {"2Tf", 2e12},
                               {"3Pf", 3e15},
                               {"5Ef", 5e18},
                               {"1e2Ef", 1e20},
                               {"25Mflops", 25e6},
                               {"7", 7}});
  CHECK(parse_quantity("25 Mflop/s", Dimension::speed) == 25e6);
  CHECK(parse_quantity("25 Mflop", Dimension::work) == 25e6);
}

TEST_CASE("Times have units from ns to w", "[quantity]") {
  check_readings(Dimension::time, {{"3ns", 3e-9},
                                   {"2.5us", 2.5e-6},
                                   {"0.1ms", 0.1e-3},
                                   {"10s", 10},
                                   {"10", 10},
                                   {"2min", 120},
                                   {"1.5h", 5400},
                                   {"2d", 172800},
                                   {"1w", 604800}});
}

TEST_CASE("Times are read as they are printed, and sums of several units", "[quantity]") {
  check_readings(Dimension::time, {{"4 h 39 min", 16740},
                                   {"1h30min", 5400},
                                   {" 2 d 3 h ", 183600},
                                   {"1 hour 5 minutes 7.5 s", 3907.5},
                                   {"3 years", 3 * 31557600.0}});
  for (const double seconds : {0.5e-6, 0.02, 45.3, 200.0, 3600.0, 6720.0, 16740.0, 183600.0, 1e6}) {
    const std::string printed = nowsim::duration_text(seconds);
    INFO(printed);
    CHECK(nowsim::duration_text(parse_quantity(printed, Dimension::time)) == printed);
    CHECK(parse_quantity(format_quantity(seconds, Dimension::time), Dimension::time) == Approx(seconds).epsilon(1e-3));
  }
  check_refused(Dimension::time, {"39 min 4 h", "1 h 2 h", "1.5 h 30 min", "-1 h 30 min", "1 h -30 min", "1 ms 5 us"},
                "each is smaller than the one before, such as 1 d 4 h or 4 h 39 min");
  check_refused(Dimension::time, {"1h30", "1 500 s", "4:39", "4 h and 39 min", "4 h 39 mins"}, "such as 10s or 1 h 30 min");
  check_refused(Dimension::bytes, {"1 MB 3 kB"}, "such as 4MB");  // nothing prints sums of others
}

TEST_CASE("Bytes have decimal and binary prefixes", "[quantity]") {
  check_readings(Dimension::bytes, {{"1B", 1},
                                    {"4kB", 4e3},
                                    {"4MB", 4e6},
                                    {"4GB", 4e9},
                                    {"4TB", 4e12},
                                    {"1KiB", 1024},
                                    {"4MiB", 4194304},
                                    {"1GiB", 1073741824},
                                    {"1TiB", 1099511627776},
                                    {"0.5 KiB", 512}});
}

TEST_CASE("Bandwidths are in bytes or bits per second", "[quantity]") {
  check_readings(Dimension::bandwidth, {{"1Bps", 1},
                                        {"1kBps", 1e3},
                                        {"125MBps", 125e6},
                                        {"1GBps", 1e9},
                                        {"1KiBps", 1024},
                                        {"1MiBps", 1048576},
                                        {"8bps", 1},
                                        {"8kbps", 1e3},
                                        {"10Mbps", 1.25e6},
                                        {"1.5Gbps", 187.5e6},
                                        {"187.5 MB/s", 187.5e6}});
}

TEST_CASE("A refusal says what was found, what is wanted and an example", "[quantity]") {
  CHECK_THAT(error_of("25 Mb", Dimension::bytes),
             Catch::StartsWith("'25 Mb' is not a size in bytes: write a number with B, kB, MB, GB, TB, KiB, "
                                         "MiB, GiB or TiB, such as 4MB"));
  check_refused(Dimension::number, {"abc", "10s", "", " ", "-", ".", "1e", "1 e3", "--5", "1.2.3"},
                "such as 1e3");
  check_refused(Dimension::count, {"2.5", "-1", "1.0005k", "x"}, "such as 512");
  check_refused(Dimension::fraction, {"28pc", "28%%"}, "such as 0.28 or 28%");
  check_refused(Dimension::speed, {"25Mb", "f", "25fs"}, "such as 25Mf");
  check_refused(Dimension::work, {"25Mb", "25 Mflop/s"}, "such as 25Mf");
  check_refused(Dimension::time, {"10secss", "s", "10s10", "hours", "3 hourss", "3 fortnights"}, "such as 10s");
  check_refused(Dimension::bandwidth, {"10Tbps", "10MB", "10Kibps"}, "such as 1.5Gbps");
}

TEST_CASE("What is no decimal number is refused in every dimension", "[quantity]") {
  for (const auto dimension : all_dimensions)
    check_refused(dimension, {"nan", "inf", "-inf", "infinity", "0x10", "0x1p3", "1e5x"}, "");
}

TEST_CASE("Control characters are shown, and do not act", "[quantity]") {
  CHECK_THAT(error_of("1\n2s", Dimension::time), Catch::StartsWith("'1\\n2s' is not a time"));
  CHECK_THAT(error_of(std::string("1\0s", 3), Dimension::time), Catch::StartsWith("'1\\x00s' is not a time"));
}

TEST_CASE("Leading zeros are refused", "[quantity]") {
  check_refused(Dimension::number, {"010"}, "010 has a leading zero; write 10");
  check_refused(Dimension::number, {"-007.5"}, "write -7.5");
  check_refused(Dimension::count, {"00"}, "write 0");
  check_refused(Dimension::number, {"00.5"}, "write 0.5");
  check_refused(Dimension::bytes, {"010MB"}, "010 has a leading zero; write 10");
}

TEST_CASE("What a double cannot hold is refused", "[quantity]") {
  check_refused(Dimension::number, {"1e999", "1e-999", "1e99999999999", "1e-99999999999"}, "beyond the numbers");
  check_refused(Dimension::speed, {"1e300Ef"}, "beyond the numbers");
  check_refused(Dimension::bytes, {"1e300TiB"}, "beyond the numbers");
  check_refused(Dimension::count, {"1e16", "9007199254740994"}, "2^53");
}

TEST_CASE("What vanishes in its unit is refused as well", "[quantity]") {
  check_refused(Dimension::bandwidth, {"5e-324bps"}, "beyond the numbers");
  check_refused(Dimension::time, {"1e-330s", "5e-324ns"}, "beyond the numbers");
  check_readings(Dimension::time, {{"0ns", 0}, {"0e-999s", 0}});
  check_readings(Dimension::time, {{"1 second", 1},
                                   {"2500 sec", 2500},
                                   {"90 minutes", 5400},
                                   {"1hour", 3600},
                                   {"3 days", 259200},
                                   {"2 weeks", 1209600}});
}

TEST_CASE("A comma in place of the decimal point is named", "[quantity]") {
  check_refused(Dimension::time, {"1917,5", "-1,5 h"}, "it holds ',' where a decimal point is wanted");
  check_refused(Dimension::number, {"1,5"}, "it holds ',' where a decimal point is wanted");
  check_refused(Dimension::time, {"1,500,000", "a,5", ",5"}, "such as 10s");
}

TEST_CASE("A character that only looks like one of a number is named", "[quantity]") {
  const std::vector<std::pair<std::string, std::string>> table{
      {"\xE2\x88\x92" "5", "it holds '\xE2\x88\x92' (U+2212, a typographic minus, where '-' is wanted)"},
      {"\xE2\x80\x93" "5", "(U+2013, a typographic dash, where '-' is wanted)"},
      {"1\xC2\xA0" "000", "(U+00A0, a blank that does not break, where a plain one or none is wanted)"},
      {"\xEF\xBC\x91\xEF\xBC\x90", "(U+FF11, a wide digit, where '1' is wanted)"},
      {"\xD9\xA3", "(U+0663, an Arabic digit, where '3' is wanted)"},
      {"10\xC2\xB5s", "(U+00B5, a micro sign, where 'u' is wanted)"},
      {"3\xE2\x82\xAC", "it holds '\xE2\x82\xAC' (U+20AC)"},
      {"3\xFF", "it holds the byte 0xff"},
      {"3\xE2\x82", "it holds the byte 0xe2"},
      {"3\xE0\x80\xAF", "it holds the byte 0xe0"},   // longer than it need be
      {"3\xED\xA0\x80", "it holds the byte 0xed"}};  // half of a pair of UTF-16
  for (const auto& [text, named] : table)
    for (const Dimension dimension : {Dimension::number, Dimension::count, Dimension::time}) {
      INFO(text);
      CHECK_THAT(error_of(text, dimension), Catch::Contains(named));
    }
}

TEST_CASE("A long text is not repeated whole", "[quantity]") {
  const std::string nines(5'000'000, '9');
  for (const auto& text : {nines, nines + "x", "0" + nines, "1e" + nines, nines + "mf", std::string(1'000'000, ' ') + "x"})
    for (const Dimension dimension : {Dimension::number, Dimension::count, Dimension::work})
      CHECK(error_of(text, dimension).size() < 250);
}

TEST_CASE("A unit that misses only by case is suggested", "[quantity]") {
  check_refused(Dimension::bytes, {"25 Mb"}, "; did you mean 25MB?");
  check_refused(Dimension::bytes, {"4e3KB"}, "; did you mean 4e3kB?");
  check_refused(Dimension::speed, {"25mf"}, "; did you mean 25Mf?");
  check_refused(Dimension::time, {"5H"}, "; did you mean 5h?");
  check_refused(Dimension::count, {"1K"}, "; did you mean 1k?");
  check_refused(Dimension::bandwidth, {"1MBPS"}, "; did you mean 1MBps or 1Mbps?");
  CHECK(error_of("5q", Dimension::time).find("did you mean") == std::string::npos);
}

TEST_CASE("Every dimension has its SI unit", "[quantity]") {
  const std::vector<std::string> units{"", "", "", "flop/s", "flop", "s", "B", "B/s"};
  for (std::size_t i = 0; i < units.size(); ++i) CHECK(nowsim::unit_name(all_dimensions[i]) == units[i]);
}

TEST_CASE("Quantities are printed with the prefix that leaves one to three digits", "[quantity]") {
  check_prints(Dimension::speed, {{25e6, "25 Mflop/s"}, {1, "1 flop/s"}, {0.5, "0.5 flop/s"}, {999, "999 flop/s"}});
  check_prints(Dimension::speed, {{1000, "1 kflop/s"}, {5e18, "5 Eflop/s"}, {1e22, "10000 Eflop/s"}, {0, "0 flop/s"}});
  check_prints(Dimension::work, {{1.5e9, "1.5 Gflop"}, {-25e6, "-25 Mflop"}});
  check_prints(Dimension::bytes, {{4e6, "4 MB"}, {4194304, "4.194 MB"}, {0, "0 B"}, {-0.0, "0 B"}, {5e15, "5000 TB"}});
  check_prints(Dimension::bandwidth, {{187.5e6, "187.5 MB/s"}, {1, "1 B/s"}});
}

TEST_CASE("A value that rounds up to the next prefix takes it", "[quantity]") {
  check_prints(Dimension::bytes, {{999940, "999.9 kB"}, {999960, "1 MB"}});
  check_prints(Dimension::time, {{0.99996, "1 s"}, {0.9999, "999.9 ms"}});
}

TEST_CASE("Times are printed as people read them", "[quantity]") {
  check_prints(Dimension::time, {{0, "0 s"},
                                 {3e-9, "3 ns"},
                                 {2.5e-6, "2.5 us"},
                                 {1e-3, "1 ms"},
                                 {1, "1 s"},
                                 {90, "90 s"},
                                 {119, "119 s"},
                                 {120, "2 min"},
                                 {7140, "119 min"},
                                 {7200, "2 h"},
                                 {5400, "90 min"},
                                 {169200, "47 h"},
                                 {172800, "2 d"},
                                 {604800, "7 d"},
                                 {-3, "-3 s"},
                                 {5e-10, "0.5 ns"},
                                 {12345.678, "3.429 h"}});
}

TEST_CASE("Plain numbers, counts and fractions have no unit", "[quantity]") {
  check_prints(Dimension::fraction, {{0.28, "0.28"}, {1.0 / 3, "0.3333"}, {1, "1"}, {0, "0"}});
  check_prints(Dimension::number,
               {{12, "12"}, {-0.5, "-0.5"}, {3.14159, "3.142"}, {123456, "123500"}, {1e10, "1e+10"}});
  check_prints(
      Dimension::count,
      {{0, "0"}, {512, "512"}, {1024, "1024"}, {9999, "9999"}, {12345, "12.35k"}, {2.5e5, "250k"}, {3e6, "3M"}});
}

TEST_CASE("Infinities and not-a-numbers are printed, too", "[quantity]") {
  const double infinite = std::numeric_limits<double>::infinity();
  check_prints(Dimension::time, {{infinite, "inf s"}, {-infinite, "-inf s"}});
  check_prints(Dimension::speed, {{infinite, "inf flop/s"}});
  CHECK(format_quantity(std::numeric_limits<double>::quiet_NaN(), Dimension::time) == "nan s");
}

TEST_CASE("What is printed can be read back", "[quantity]") {
  for (const auto dimension : all_dimensions)
    for (const double value : {0.0, 1.0, 250.0, 4000.0, 2.5e6, 7e9, 6e12}) {
      INFO(format_quantity(value, dimension));
      CHECK(parse_quantity(format_quantity(value, dimension), dimension) == Approx(value).epsilon(1e-3));
    }
}

TEST_CASE("Times are told in units that people read", "[estimate_text]") {
  CHECK(quantity_text(exact(7200), " s") == "2 h");
  CHECK(quantity_text(exact(7199.4), " s") == "119.99 min");
  CHECK(quantity_text(exact(600), " s") == "10 min");
  CHECK(quantity_text(exact(599), " s") == "599 s");
  CHECK(quantity_text(exact(0.1), " s") == "0.1 s");
  CHECK(quantity_text(exact(0.05), " s") == "50 ms");
  CHECK(quantity_text(exact(5e-5), " s") == "50 us");
  CHECK(quantity_text(exact(-36000), " s") == "-10 h");
  CHECK(quantity_text(exact(0), " s") == "0 s");
  CHECK(quantity_text({61200, 60840, 61560}, " s") == "17.00 ± 0.10 h");
  CHECK(quantity_text({0, -0.02, 0.02}, " s") == "0 ± 20 ms");  // the interval's size, where the value has none
}

TEST_CASE("Other units are told as they are", "[estimate_text]") {
  CHECK(quantity_text(exact(7200), " %") == "7200 %");
  CHECK(quantity_text(exact(0.01), "") == "0.01");
  CHECK(quantity_text(exact(36000), told_unit(60, " s")) == "36000 s");  // as the largest of a sentence wants it
}

TEST_CASE("What has no value has no unit, and what is infinite or has no interval keeps its own", "[estimate_text]") {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  CHECK(quantity_text({nan, nan, nan}, " s") == "-");
  CHECK(quantity_text({1800, nan, nan}, " s") == "30 ± ? min");
  CHECK(quantity_text(exact(infinity), " s") == "inf ± ? s");
}

TEST_CASE("Times are told in minutes or more where each is of ten minutes at least", "[told_times]") {
  CHECK(unit({}) == "s");
  CHECK(unit({599, 40000}) == "s");
  CHECK(unit({600, 40000}) == "min");
  CHECK(unit({600, 50000}) == "h");
  CHECK(unit({1e4, 2e6}) == "d");
  CHECK(unit({0, -700, 900}) == "min");  // differences have a size too, and 0 has none
  CHECK(unit({700, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) == "min");
  CHECK(unit_of_times(range({700})).seconds == 60);
}

TEST_CASE("Of ranges side by side the longest decides, and very short ones stay in seconds", "[told_times]") {
  const auto units = units_of_times({range({100, 200}), range({6000, 7000}), range({5, 900}), range({})});
  REQUIRE(units.size() == 4);
  CHECK(std::string(units[0].name) == "min");
  CHECK(std::string(units[1].name) == "min");
  CHECK(std::string(units[2].name) == "s");  // 5 s are less than a tenth of a minute
  CHECK(std::string(units[3].name) == "min");
  // The longest is told in seconds: so are all.
  for (const auto& u : units_of_times({range({700, 800}), range({100, 5000})})) CHECK(std::string(u.name) == "s");
  CHECK(units_of_times({}).empty());
}

TEST_CASE("Of names with parts a bare last part, or one in a wrong block, finds the whole", "[near_names]") {
  CHECK(near_names("replications", kKeys) == Words{"run.replications"});
  CHECK(near_names("TH", kKeys) == Words{"owner.TH", "bandwidth.TH"});
  CHECK(near_names("job.replications", kKeys) == Words{"run.replications"});
  CHECK(near_names("model", kKeys) == Words{"owner.model"});
  CHECK(near_names("lab-night", {"labs/lab-night", "self-scheduling/lab-now"}) == Words{"labs/lab-night"});
}

TEST_CASE("Few letters off are forgiven in each part of a name", "[near_names]") {
  CHECK(near_names("ownr.TH", kKeys) == Words{"owner.TH"});
  CHECK(near_names("owner.THH", kKeys) == Words{"owner.TH"});
  CHECK(near_names("jobs.tecnique", kKeys) == Words{"job.technique"});
  CHECK(near_names("replication", kKeys) == Words{"run.replications"});
  CHECK(near_names("runs.replication", kKeys) == Words{"run.replications"});
  CHECK(near_names("OWNER.th", kKeys) == Words{"owner.TH"});
  CHECK(near_names("owner.XYZ", kKeys).empty());  // three letters of three: nothing is left of them
  CHECK(near_names("x", {"y"}).empty());
  CHECK(near_names("zzzzzz", kKeys).empty());
}

TEST_CASE("Of several equally near names at most three are told, and the nearest alone where there is one",
          "[near_names]") {
  CHECK(near_names("ab", {"ac", "ad", "ae", "af"}) == Words{"ac", "ad", "ae"});
  CHECK(near_names("abcdef", {"abcdxx", "abcdex"}) == Words{"abcdex"});
  CHECK(near_names("gss", {"SS", "GSS"}) == Words{"GSS"});
  CHECK(near_names("ab", {"ac", "ac"}) == Words{"ac"});
  CHECK(did_you_mean("ab", {"ac"}) == "; did you mean 'ac'?");
  CHECK(did_you_mean("ab", {"ac", "ad"}) == "; did you mean 'ac' or 'ad'?");
  CHECK(did_you_mean("ab", {"ac", "ad", "ae"}, "x.") == "; did you mean 'x.ac', 'x.ad' or 'x.ae'?");
  CHECK(did_you_mean("ab", {"cd"}).empty());
}

TEST_CASE("Beginnings of names, and words within them, find them where nothing is nearer", "[near_names]") {
  CHECK(near_names("--form", {"--set", "--format"}) == Words{"--format"});
  CHECK(near_names("lab-ni", {"labs/lab-night"}) == Words{"labs/lab-night"});
  CHECK(near_names("night", {"labs/lab-night", "labs/clock"}) == Words{"labs/lab-night"});
  CHECK(near_names("la", {"labs/lab-night"}).empty());  // too short to tell
  CHECK(near_names("", {"labs/lab-night"}).empty());
}
