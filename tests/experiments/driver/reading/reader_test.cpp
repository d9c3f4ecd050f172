// Settings: documents flattened into dotted keys, flags that change them, and typed reading with the sentences for what
// is wrong.
#include "experiments/driver/reading/reader.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "experiments/driver/reading/settings.hpp"
#include "tests/experiments/driver/reading_fixture.hpp"
#include "tests/experiments/driver/sentences.hpp"

using namespace nowsim;
using Catch::Contains;
using namespace nowsim::test;

namespace {

/// The document after flags, flattened.
Settings with_flags(const std::string& yaml, const std::vector<std::string>& flags) {
  YamlNode document = parse_yaml(yaml, "e.yaml");
  for (const auto& flag : flags) apply_override(document, parse_override(flag));
  Settings out;
  Problems problems;
  flatten(document, "e.yaml", "", out, problems);
  CHECK(problems.empty());
  return out;
}

Settings flattened(const std::string& yaml) { return with_flags(yaml, {}); }

std::vector<std::string> keys_of(const Settings& settings) {
  std::vector<std::string> keys;
  for (const auto& entry : settings) keys.push_back(entry.first);
  return keys;
}

/// The value of a.x, a number, in a document.
double number_in(const std::string& yaml) {
  ReadingOf r(yaml);
  const double value = Reader(r.reading, {"a"}).quantity("x", Dimension::number, kAnyNumber);
  CHECK(r.found().empty());
  return value;
}

/// What is said of a.x where a fraction between 0 and 1 is wanted.
std::string complaint(const std::string& yaml) {
  ReadingOf r(yaml);
  Reader(r.reading, {"a"}).quantity("x", Dimension::fraction, {0, 1});
  return r.found();
}

}  // namespace

TEST_CASE("Maps become dotted keys with the lines of their values", "[reads][settings]") {
  const Settings s = flattened("a: 1\nb:\n  c: {d: x}\n  e: [2, 3s]\nf: '4'\n");
  REQUIRE(keys_of(s) == std::vector<std::string>{"a", "b.c.d", "b.e", "f"});
  CHECK(s.at("b.c.d").texts == std::vector<std::string>{"x"});
  CHECK(s.at("b.c.d").place.text() == "e.yaml:3: b.c.d");
  CHECK(s.at("b.e").texts == std::vector<std::string>{"2", "3s"});
  CHECK(s.at("b.e").is_list);
  CHECK(s.at("f").quoted);
  CHECK_FALSE(s.at("a").quoted);
}

TEST_CASE("What is no value is a broken setting, and each is reported where it stands", "[settings]") {
  Settings s;
  Problems problems;
  flatten(parse_yaml("a:\nb: 1\nc: [1,\n 2, [3]]\n", "e.yaml"), "e.yaml", "x", s, problems);
  REQUIRE(problems.list().size() == 2);
  CHECK(problems.list()[0].text() == "e.yaml:1: x.a: there is no value behind this key");
  CHECK_THAT(problems.list()[1].text(), Contains("e.yaml:4: x.c: a list here holds plain values"));
  CHECK(s.at("x.a").broken);
  CHECK(s.at("x.c").broken);
  CHECK_FALSE(s.at("x.b").broken);
}

TEST_CASE("A formula begins with an equals sign and is not quoted", "[settings]") {
  const Settings s = flattened("a: = 1 + 2\nb: '= 1'\nc: [=1]\nd: 1\n");
  CHECK(is_formula(s.at("a")));
  CHECK_FALSE(is_formula(s.at("b")));
  CHECK_FALSE(is_formula(s.at("c")));
  CHECK_FALSE(is_formula(s.at("d")));
  CHECK_FALSE(is_formula(broken_setting({})));
}

TEST_CASE("A flag is key=value, the value YAML", "[settings]") {
  const Override plain = parse_override("owner.TH=0.3");
  CHECK(plain.key == "owner.TH");
  CHECK(plain.value.text == "0.3");
  CHECK(parse_override("job.work== 3 * N").value.text == "= 3 * N");
  CHECK(parse_override("  a.b = 1").key == "a.b");
  CHECK(parse_override("metrics=[tau, RF]").value.items.size() == 2);
  CHECK(parse_override("owner={model: dedicated}").value.entries.size() == 1);
  CHECK(parse_override("title=a=b").value.text == "a=b");
}

TEST_CASE("Flags that are none are refused with what would be right", "[settings][error]") {
  const std::vector<std::pair<std::string, std::string>> table{
      {"owner.TH", "--set: 'owner.TH' is not of the form key=value"},
      {"", "--set: '' is not of the form key=value"},
      {"=3", "--set: '=3' is not of the form key=value"},
      {"  =3", "is not of the form key=value"},
      {".TH=3", "--set: '.TH' is not a key"},
      {"owner.=3", "--set: 'owner.' is not a key"},
      {"owner..TH=3", "--set: 'owner..TH' is not a key"},
      {"owner.TH=", "--set: owner.TH: there is no value behind '='"},
      {"owner.TH=~", "--set: owner.TH: there is no value behind '='"},
      {"owner.TH=010", "--set: owner.TH: 010 could mean 8 or 10"},
      {"figure.size=16:9", "--set: figure.size: single, double, a width or [width, height] in mm"},
      {"owner.TH=[1", "--set: owner.TH: the '[' of line 1 is not closed"},
      {"owner={a: 1, a: 2}", "--set: owner: the key 'a' is given twice"},
  };
  for (const auto& [flag, sentence] : table) {
    INFO(flag);
    CHECK_THROWS_WITH(parse_override(flag), Catch::StartsWith(sentence) || (Contains("--set: ") && Contains(sentence)));
  }
}

TEST_CASE("A flag replaces, adds, and reaches into sections that the file lacks", "[settings]") {
  const std::string file = "owner: {model: intervals, TH: 0.1}\njob: {work: 3}\n";
  CHECK(with_flags(file, {"owner.TH=0.5"}).at("owner.TH").texts.front() == "0.5");
  CHECK(with_flags(file, {"owner.TH=0.5", "owner.TH=0.7"}).at("owner.TH").texts.front() == "0.7");
  CHECK(with_flags(file, {"run.seed=3"}).at("run.seed").texts.front() == "3");
  CHECK(keys_of(with_flags(file, {"owner={model: dedicated}"})) == std::vector<std::string>{"job.work", "owner.model"});
  CHECK(keys_of(with_flags(file, {"a.b.c=1"})) ==
        std::vector<std::string>{"a.b.c", "job.work", "owner.TH", "owner.model"});
}

TEST_CASE("What a flag set says so in its place, and what the file set keeps its own", "[settings]") {
  const Settings s = with_flags("owner:\n  model: intervals\n  TH: 0.1\n", {"owner.TH=0.5", "metrics=[tau]"});
  CHECK(s.at("owner.TH").place.text() == "--set: owner.TH");
  CHECK(s.at("metrics").place.text() == "--set: metrics");
  CHECK(s.at("owner.model").place.text() == "e.yaml:2: owner.model");
}

TEST_CASE("Keys with dots of their own are met whole", "[settings]") {
  const std::string hosts = "owner: {hosts: {a.b: {TH: 0.1}, a: {TH: 0.2}}}\n";
  const Settings s = with_flags(hosts, {"owner.hosts.a.b.TH=0.5"});
  CHECK(s.at("owner.hosts.a.b.TH").texts.front() == "0.5");
  CHECK(s.at("owner.hosts.a.TH").texts.front() == "0.2");
  const YamlNode swept = [] {
    YamlNode document = parse_yaml("sweep: {owner.TH: [1], zip: {a.b: [1]}}\nlet: {x.y: 1}\n", "e.yaml");
    for (const char* flag : {"sweep.owner.TH=[2]", "sweep.owner.SH=[3]", "let.x.y=4", "sweep.zip.a.b=[5]"})
      apply_override(document, parse_override(flag));
    return document;
  }();
  const YamlNode& sweep = *swept.find("sweep");
  CHECK(sweep.find("owner.TH")->items.front().text == "2");
  CHECK(sweep.find("owner.SH")->items.front().text == "3");
  CHECK(sweep.find("zip")->find("a.b")->items.front().text == "5");
  CHECK(swept.find("let")->find("x.y")->text == "4");
}

TEST_CASE("Axes and variables that only flags name are whole keys too", "[settings]") {
  YamlNode document = parse_yaml("a: 1\n", "e.yaml");
  for (const char* flag : {"sweep.owner.TH=[2]", "sweep.owner.SH=[3]", "let.u.v=4"})
    apply_override(document, parse_override(flag));
  CHECK(document.find("sweep")->find("owner.TH") != nullptr);
  CHECK(document.find("sweep")->find("owner.SH") != nullptr);
  CHECK(document.find("let")->find("u.v") != nullptr);
}

TEST_CASE("Quantities are read with their units, or their default taken", "[reader]") {
  ReadingOf r("a: {t: 2min, s: 25Mf, p: 28%, n: 1k}\n");
  const KeyTable keys{{"n", KeyType::count, kMustBeGiven, ""}, {"none", KeyType::count, "8", ""}};
  Reader read(r.reading, {"a"}, keys);
  CHECK(read.quantity("t", Dimension::time) == 120);
  CHECK(read.quantity("s", Dimension::speed) == 25e6);
  CHECK(read.quantity("p", Dimension::fraction) == 0.28);
  CHECK(read.whole("n") == 1000);
  CHECK(read.quantity("none", Dimension::time, {}, 7.0) == 7);
  CHECK(read.whole("none") == 8);
  CHECK(read.whole_or("none", 9) == 9);
  CHECK(read.text("none", "x") == "x");
  CHECK(r.found().empty());
  CHECK(r.asked == std::set<std::string>{"a.n", "a.none", "a.p", "a.s", "a.t"});
}

TEST_CASE("What is wrong with a value is one sentence with file, line and key", "[reader][error]") {
  const std::vector<std::pair<std::string, std::string>> table{
      {"\na: {x: 2}", "e.yaml:2: a.x: 2 is out of range: it must be at least 0 and at most 1\n"},
      {"\na: {x: -0.1}", "e.yaml:2: a.x: -0.1 is out of range: it must be at least 0 and at most 1\n"},
      {"a: {x: = 1 + 1}",
       "e.yaml:1: a.x: '= 1 + 1' comes to 2, which is out of range: it must be at least 0 and at most 1\n"},
      {"a: {x: = 100 * 3600 * y}\nlet: {y: -2}",
       "e.yaml:1: a.x: '= 100 * 3600 * y' with y = -2 comes to -720000, which is out of range: it must be at least 0 "
       "and at most 1\n"},
      {"a: {x: 120%}", "e.yaml:1: a.x: 120% (1.2) is out of range: it must be at least 0 and at most 1\n"},
      {"a: {y: 3}", "e.yaml:1: a.x: this key is missing\n"},
      {"\nb: 3", "e.yaml: a.x: this key is missing\n"},
      {"a: {x: [1, 2]}",
       "e.yaml:1: a.x: one value is wanted here, not a list (to sweep it, put the list under 'sweep:')\n"},
      {"a:\n  x: {from: 1, to: 2}",
       "e.yaml:2: a.x: one value is wanted here, not a map (to sweep it, put the map under 'sweep:')\n"},
      {"a: {x: '0.5'}", "e.yaml:1: a.x: '0.5' is in quotes, so it is text; a number is wanted\n"},
  };
  for (const auto& [yaml, sentence] : table) CHECK(complaint(yaml) == sentence);
  for (const char* text : {"high", "0.1s", "nan", "inf", ".inf", "1e999", "--1"})
    CHECK_THAT(complaint(std::string("a: {x: ") + text + "}"),
               Catch::StartsWith("e.yaml:1: a.x: '") && Contains("is not a fraction"));
}

TEST_CASE("What is in quotes is text, in a list too", "[reader][error]") {
  ReadingOf r("a: {x: [1, '2', \"3\"], names: ['1', 2]}\n");
  const KeyTable keys{{"x", KeyType::number, "", "", {}, {}, true}};
  Reader read(r.reading, {"a"}, keys);
  CHECK(read.values("x").size() == 3);
  CHECK(r.found() == "e.yaml:1: a.x: '2' is in quotes, so it is text; a number is wanted\n"
                     "e.yaml:1: a.x: '3' is in quotes, so it is text; a number is wanted\n");
  CHECK(read.texts("names") == std::vector<std::string>{"1", "2"});
}

TEST_CASE("A value that could not be read is reported once, and is not missing", "[reader][error]") {
  CHECK(complaint("a: {x: }\n") == "e.yaml:1: a.x: there is no value behind this key\n");
  CHECK(complaint("a: 5\n").empty());  // that the section is no map is somebody else's to say
}

TEST_CASE("Bounds can leave out the lower limit", "[reader]") {
  ReadingOf r("a: {x: 0, y: 1}\n");
  Reader read(r.reading, {"a"});
  CHECK(read.quantity("x", Dimension::number, kPositive) > 0);
  CHECK(r.found() == "e.yaml:1: a.x: 0 is out of range: it must be more than 0\n");
  CHECK(read.quantity("y", Dimension::number, {0, 1, true}) == 1);
  CHECK(r.problems.list().size() == 1);
}

TEST_CASE("Counts are whole, also those that formulas give", "[reader]") {
  ReadingOf r("a: {half: = 5 / 2, whole: = 5 * 2, low: 1, text: 2.5}\n");
  KeyTable keys;
  for (const char* name : {"half", "whole", "low", "text"}) keys.push_back({name, KeyType::count, kMustBeGiven, ""});
  Reader read(r.reading, {"a"}, keys);
  CHECK(read.whole("whole") == 10);
  CHECK(r.found().empty());
  read.whole("half");
  read.whole_within("low", {2});
  read.whole("text");
  CHECK_THAT(r.found(), Contains("a.half: '= 5 / 2' comes to 2.5, which is not a whole number\n") &&
                              Contains("a.low: 1 is out of range") &&
                            Contains("a.text: '2.5' is not a count"));
}

TEST_CASE("Formulas use keys, units included, variables of let, and other formulas", "[reader][formula]") {
  CHECK(number_in("a: {x: = 2 * b.speed, y: 1}\nb: {speed: 2Mf}\n") == 4e6);
  CHECK(number_in("a: {x: = b.t + b.p + b.d}\nb: {t: 2min, p: 50%, d: 1kB}\n") == 1120.5);
  CHECK(number_in("a: {x: = y + let.y}\nlet: {y: = z / 2, z: 10}\n") == 10);
  CHECK(number_in("a: {x: = b.c}\nb: {c: = b.d, d: = b.e, e: 3}\n") == 3);
  ReadingOf r("a: {x: = N + 1}\n");
  r.reading.variables["N"] = 8;
  CHECK(Reader(r.reading, {"a"}).quantity("x", Dimension::number) == 9);
}

TEST_CASE("What formulas use counts as known", "[reader][formula]") {
  ReadingOf r("a: {x: = y + b.c}\nlet: {y: 1, unused: 2}\nb: {c: 3}\n");
  Reader(r.reading, {"a"}).quantity("x", Dimension::number);
  CHECK(r.asked == std::set<std::string>{"a.x", "b.c", "let.y"});
}

TEST_CASE("Formulas that cannot be evaluated say why, at the key that holds them", "[reader][formula][error]") {
  check_said(complaint, "e.yaml:", {
      {"a: {x: = a.x}", "e.yaml:1: a.x: the formula depends on itself"},
      {"a: {x: = p}\nlet: {p: = q, q: = p}", "the formula depends on itself"},
      {"a: {x: = p + q}\nlet: {p: = q + q, q: = p + p}", "the formula depends on itself"},
      {"a: {x: = sped}\nlet: {speed: 3}", "did you mean 'speed'?"},
      {"a: {x: = let.sped}\nlet: {speed: 3}", "'let.sped', which is neither a key"},
      {"a: {x: = b}\nb: [1, 2]", "the formula uses 'b', which is a list"},
      {"a: {x: = 1 / 0}", "no finite value"},
      {"a: {x: = }", "a formula is empty"},
      {"a: {x: = 2 *}", "e.yaml:1: a.x: the formula ' 2 *' is wrong"},
      {"a: {x: = p}\nlet:\n  p: = 2 *", "e.yaml:3: let.p: the formula ' 2 *' is wrong"},
      {"a: {x: = p}\nlet:\n  p: 1e-400", "e.yaml:3: let.p: '1e-400' is not a number, so a formula cannot use it"},
      {"a: {x: = b}\nb: word", "e.yaml:1: a.x: 'word' is not a number, so a formula cannot use it"},
  });
}

TEST_CASE("Chains of formulas are no circles, however deep and however often each is used", "[reader][formula]") {
  const auto chain = [](int length, const std::string& formula) {
    std::string yaml = "a: {x: = v" + std::to_string(length) + "}\nlet:\n  v0: 1\n  v1: 1\n";
    for (int i = 2; i <= length; ++i) {
      std::string text = formula;
      for (std::size_t at; (at = text.find('#')) != std::string::npos;)
        text.replace(at, 2, "v" + std::to_string(i - (text[at + 1] - '0')));
      yaml += "  v" + std::to_string(i) + ": " + text + "\n";
    }
    return yaml;
  };
  const auto value = [](const std::string& yaml) {
    ReadingOf of(yaml);
    const double x = Reader(of.reading, {"a"}).quantity("x", Dimension::number, kAnyNumber);
    CHECK(of.found() == "");
    return x;
  };
  CHECK(value(chain(61, "= 2 * #1")) == 0x1p60);
  CHECK(value(chain(61, "= #1 + #1")) == 0x1p60);
  CHECK(value(chain(90, "= #1 + #2")) == Approx(4.66004661037553e18));  // the 91st of Fibonacci's, each once
  CHECK(value(chain(900, "= #1 + #2 - #2")) == 1);
  ReadingOf of(chain(1500, "= #1"));
  Reader(of.reading, {"a"}).quantity("x", Dimension::number);
  CHECK(of.found() ==
        "e.yaml:1: a.x: the formula depends on one that depends on another, and so on, more than 1000 "
        "deep\n");
  ReadingOf deep(chain(90, "= #1 + #2"));
  CHECK_FALSE(Reader(deep.reading, {"a"}).depends_on("x", "i"));
  std::string on_i = chain(5000, "= #1");
  on_i.replace(on_i.find("v1: 1"), 5, "v1: = i");
  ReadingOf deeper(on_i);
  CHECK(Reader(deeper.reading, {"a"}).depends_on("x", "i"));
}

TEST_CASE("What ints have to hold is refused beyond them, and nothing wraps", "[reader][error]") {
  const auto problem = [](const std::string& text) {
    ReadingOf of("a: {x: " + text + "}");
    const KeyTable keys{{"x", KeyType::count, "1", "", {1, 2147483647}}};
    CHECK(Reader(of.reading, {"a"}, keys).whole("x") >= 1);
    return of.found();
  };
  CHECK(problem("2147483647") == "");
  for (const char* text : {"2147483648", "4294967297", "1e15", "= 2^32 + 1"})
    CHECK_THAT(problem(text), Contains(" is out of range: it must be at least 1 and at most 2147483647"));
  CHECK_THAT(problem("0"), Contains("out of range"));
}

TEST_CASE("What was found is quoted in its beginning only", "[reader][error]") {
  const std::string much(5'000'000, '9');
  for (const std::string& yaml :
       {"a: {x: " + much + "}", "a: {x: '" + much + "'}", "a: {x: = " + much + "}", "a: {x: = v" + much + "}",
        "a: {x: = " + much + " + y}", "a: {x: = y, y: " + much + "z}"}) {
    ReadingOf of(yaml);
    const KeyTable keys{{"x", KeyType::word, kMustBeGiven, "", {}, {"one", "two"}}};
    Reader read(of.reading, {"a"}, keys);
    read.quantity("x", Dimension::number);
    read.known_word("x");
    CHECK(!of.found().empty());
    CHECK(of.found().size() < 600);
  }
}

TEST_CASE("Choices are words of a list, the nearest suggested", "[reader]") {
  ReadingOf r("a: {x: switch, y: swich, z: nonsense}\n");
  const auto key = [](const char* name, std::optional<std::string> fallback) {
    return Key{name, KeyType::word, std::move(fallback), "", {}, {"bus", "switch"}};
  };
  Reader read(r.reading, {"a"});
  CHECK(read.word_at(key("x", kMustBeGiven)) == 1);
  CHECK(read.word_at(key("none", "switch")) == 1);
  CHECK(r.found().empty());
  CHECK_FALSE(read.known_word(key("y", "bus")));
  CHECK_FALSE(read.known_word(key("z", kMustBeGiven)));
  CHECK_FALSE(read.known_word(key("none", kMustBeGiven)));
  CHECK(r.found() ==
        "e.yaml:1: a.y: 'swich' is not one of: bus, switch; did you mean 'switch'?\n"
        "e.yaml:1: a.z: 'nonsense' is not one of: bus, switch\n"
        "e.yaml:1: a.none: this key is missing; it is one of: bus, switch\n");
}

TEST_CASE("Lists of quantities keep their length when one is wrong", "[reader]") {
  ReadingOf r("a: {x: [1s, two, 3s], y: 4s, z: {k: 1}}\n");
  KeyTable keys;
  for (const char* name : {"x", "y", "none"}) keys.push_back({name, KeyType::time, "", "", {}, {}, true});
  Reader read(r.reading, {"a"}, keys);
  const auto values = read.values("x");
  REQUIRE(values.size() == 3);
  CHECK(values[2] == 3);
  CHECK_THAT(r.found(), Contains("'two' is not a time"));
  CHECK(read.values("y") == std::vector<double>{4});
  CHECK(read.values("none").empty());
  CHECK(read.texts("z").empty());
  CHECK_THAT(r.found(), Contains("e.yaml:1: a.z: a list of values is wanted here, not a map"));
}

TEST_CASE("The first scope that has a key wins", "[reader]") {
  ReadingOf r("o: {x: 1, y: 2, h: {w: {x: 3}}}\n");
  Reader read(r.reading, {"o.h.w", "o"});
  CHECK(read.quantity("x", Dimension::number) == 3);
  CHECK(read.quantity("y", Dimension::number) == 2);
  CHECK(r.asked.contains("o.x"));
  CHECK(r.asked.contains("o.h.w.y"));
}

TEST_CASE("Paths are relative to the file that names them, to here where a flag does", "[reader]") {
  ReadingOf r("a: {near: p.xml, up: ../p.xml, far: /x/p.xml, empty: ''}\n", "dir/sub/e.yaml");
  r.settings["a.flag"] = Setting{{"p.xml"}, false, false, {kOverridePlace, 0, "a.flag"}};
  Reader read(r.reading, {"a"});
  CHECK(read.path("near") == "dir/sub/p.xml");
  CHECK(read.path("up") == "dir/p.xml");
  CHECK(read.path("far") == "/x/p.xml");
  CHECK(read.path("flag") == "p.xml");
  CHECK(read.path("empty").empty());
  CHECK(r.found() == "dir/sub/e.yaml:1: a.empty: a path is wanted here, not an empty text\n");
}

TEST_CASE("The same problem of many points is reported once", "[reader]") {
  ReadingOf r("a: {x: 2}\n");
  for (int point = 0; point < 3; ++point) Reader(r.reading, {"a"}).quantity("x", Dimension::fraction, {0, 1});
  CHECK(r.problems.list().size() == 1);
}

TEST_CASE("After a problem all keys of a block can be excused", "[reader]") {
  ReadingOf r("a: {x: 1, b: {y: 2}}\nab: {z: 3}\n");
  Reader(r.reading, {"a"}).excuse_all();
  CHECK(r.asked == std::set<std::string>{"a.b.y", "a.x"});
}
