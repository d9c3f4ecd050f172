// Flattening documents into dotted keys, and flags that change them.
#include "experiments/driver/reading/settings.hpp"

#include <catch2/catch.hpp>

using namespace nowsim;
using Catch::Contains;

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

Settings flattened(const std::string& yaml) {
  return with_flags(yaml, {});
}

std::vector<std::string> keys_of(const Settings& settings) {
  std::vector<std::string> keys;
  for (const auto& entry : settings) keys.push_back(entry.first);
  return keys;
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
