// Mutated inputs of every kind: each is read, or refused with a sentence for people, in bounds of time and memory; and
// what finds faults finds them.
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/driver/bundles/archive.hpp"
#include "experiments/driver/text/checksum.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/base/user_file.hpp"
#include "tests/fuzz/fuzzing.hpp"
#include "tests/fuzz/guarded.hpp"
#include "tests/fuzz/mutations.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/fuzz/verdict.hpp"
#include "tests/paths.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

/// Of a reader that reads what stands in the sources too: experiments name platform files, answers a lab.
std::string fault_in_sources(void (*read)(std::string_view), const std::string& input) {
  std::filesystem::current_path(source_folder());  // of the child alone
  return fault_of([&] { read(input); }, input);
}

/// A ZIP archive with another name of the same length, in all headers.
std::string renamed(std::string zip, const std::string& from, const std::string& to) {
  for (std::size_t at = zip.find(from); at != zip.npos; at = zip.find(from, at + to.size()))
    zip.replace(at, from.size(), to);
  return zip;
}

/// One whose files all have this size [bytes], in both headers of each.
std::string resized(std::string zip, std::uint32_t size) {
  for (const auto& [header, place] : {std::pair("PK\3\4", 22U), std::pair("PK\1\2", 24U)})
    for (std::size_t at = zip.find(header); at != zip.npos; at = zip.find(header, at + 4))
      for (unsigned byte = 0; byte < 4; ++byte) zip.at(at + place + byte) = static_cast<char>(size >> (8 * byte));
  return zip;
}

}  // namespace

TEST_CASE("Mutated quantities, formulas and host patterns are read or refused", "[reads][fuzz]") {
  fuzz_reader(100, words_in("quantity"), Dialect::words, fuzz_quantity);
  fuzz_reader(150, words_in("formula"), Dialect::words, fuzz_formula);
  fuzz_reader(50, words_in("pattern"), Dialect::words, fuzz_pattern);
}

TEST_CASE("Mutated words of --set are read or refused", "[fuzz]") {
  fuzz_reader(200, words_in("set"), Dialect::yaml, fuzz_set);
}

TEST_CASE("Mutated experiments are read or refused", "[fuzz]") {
  auto shipped = texts_in("experiments", {".yaml"});
  fuzz_reader(200, shipped, Dialect::yaml, fuzz_yaml);
  // Of a million machines: right, but too slow to be read so often.
  std::erase_if(shipped, [](const std::string& text) { return text.find("1000000") != std::string::npos; });
  fuzz(
      300, [&](Draw& draw) { return mutated(shipped, Dialect::yaml, draw); },
      [](const std::string& input) { return fault_in_sources(fuzz_experiment, input); });
}

TEST_CASE("Mutated answers of students are read or refused", "[fuzz]") {
  const auto answers = texts_in("tests/fuzz/seeds/answers", {".yaml"});
  fuzz(
      200, [&](Draw& draw) { return mutated(answers, Dialect::yaml, draw); },
      [](const std::string& input) { return fault_in_sources(fuzz_answers, input); });
}

TEST_CASE("Mutated messages of students' code are read or make no sense", "[fuzz]") {
  const auto messages = texts_in("tests/fuzz/seeds/sandbox", {".txt"});
  fuzz_reader(300, messages, Dialect::table, fuzz_sandbox);
  fuzz_reader(100, messages, Dialect::bytes, fuzz_sandbox);
}

TEST_CASE("Mutated platform files are read or refused", "[fuzz]") {
  fuzz_reader(150, texts_in("platforms", {".xml"}), Dialect::xml, fuzz_platform);
}

TEST_CASE("Mutated availability profiles are read or refused", "[fuzz]") {
  const auto profiles = together(texts_in("platforms", {".profile"}), texts_in("tests/fuzz/seeds/load", {".profile"}));
  fuzz_reader(250, profiles, Dialect::table, fuzz_profile);
}

TEST_CASE("Mutated bundles are whole or refused", "[fuzz]") {
  const auto archive = [](const std::string& name) {
    std::ostringstream out;
    ArchiveWriter writer(name, out);
    writer.add("b/a", "1\n");
    writer.add("b/SHA256SUMS", sha256("1\n") + "  a\n");
    writer.finish();
    return out.str();
  };
  const std::string packed = archive("b.tar.gz"), zip = archive("b.zip");
  fuzz_reader(200, {packed, unpack_all(packed, "b.tar.gz", kMostDataBytes), zip}, Dialect::bytes, fuzz_bundle);
  // What only differs from header to header gets no further.
  fuzz_reader(100,
              {renamed(zip, "b/a", "../"), renamed(zip, "b/a", "/ba"), renamed(zip, "b/a", "b/\n"), resized(zip, 0),
               resized(zip, 3), resized(zip, 0x7fffffff), resized(zip, 0xffffffff)},
              Dialect::bytes, fuzz_bundle);
}

TEST_CASE("Mutated load traces and what monitors write are read or refused", "[fuzz]") {
  const auto csv = texts_in("tests/fuzz/seeds/load", {".csv"});
  const auto monitors = texts_in("tests/fuzz/seeds/load", {".txt", ".json"});
  fuzz_reader(150, csv, Dialect::table, fuzz_trace);
  fuzz_reader(150, monitors, Dialect::table, fuzz_monitor);
  fuzz_reader(100, together(csv, monitors), Dialect::table, fuzz_load);
  fuzz_reader(50, {read_user_file(source_folder() + "/tests/fuzz/seeds/words/proc_stat", kMostDataBytes)}, Dialect::table, fuzz_proc_stat);
}

TEST_CASE("Changed compiled traces are taken, or known to be no trace's", "[fuzz]") {
  const std::vector<std::string> changes{"", std::string("\0\x41\0\xff", 4),
                                         std::string("\0\x90\x01\x07\x91\x01\x80", 7),
                                         std::string("\0\x38\x05\x01\x50\x05\x10", 7)};
  fuzz_reader(300, changes, Dialect::bytes, fuzz_compiled_trace);
}

TEST_CASE("Inputs that crash, never end or take all memory are named, and the others are judged", "[fuzz]") {
  const auto fault_of_input = [](std::size_t i) -> std::string {
    if (i == 1) std::abort();
    if (i == 2)
      for (volatile bool forever = true; forever;) {
      }
    if (i == 3)
      for (std::vector<std::vector<char>> kept;;) kept.emplace_back(std::size_t{1} << 20, 'x');
    return i == 5 ? "a fault" : "";
  };
  const auto faults = faults_among(7, fault_of_input, {0.5, std::uint64_t{1} << 30});
  REQUIRE(faults.size() == 4);
  CHECK(faults[0].input == 1);
  CHECK_THAT(faults[0].what, Contains("its process failed"));
  CHECK(faults[1].input == 2);
  CHECK_THAT(faults[1].what, Contains("not ended"));
  CHECK(faults[2].input == 3);
  CHECK_THAT(faults[2].what, Contains("memory") || Contains("not ended"));
  CHECK(faults[3].input == 5);
  CHECK(faults[3].what == "a fault");
}

TEST_CASE("Only sentences for people may be thrown", "[fuzz]") {
  CHECK(fault_of([] {}, "") == "");
  CHECK(fault_of([] { throw InputError("a number is wanted"); }, "") == "");
  CHECK(fault_of([] { throw RunError("a process ended"); }, "") == "");
  CHECK_THAT(fault_of([] { throw InputError(""); }, ""), Contains("without words"));
  CHECK_THAT(fault_of([] { throw InputError("stoi"); }, "x"), Contains("speaks of 'stoi'"));
  CHECK(fault_of([] { throw InputError("'stoi' is no number"); }, "speed: stoi") == "");
  CHECK_THAT(fault_of([] { throw InputError("at 0x55e0a1b2"); }, ""), Contains("address"));
  CHECK_THAT(fault_of([] { throw InputError(std::string(50'000, '9')); }, ""), Contains("50000 bytes"));
  CHECK_THAT(fault_of([] { throw std::bad_alloc(); }, ""), Contains("no InputError"));
}

TEST_CASE("A mutated input depends on its seed alone", "[fuzz]") {
  const std::vector<std::string> texts{"a: 1\nb: {c: 2, d: [3, 4]}\n", "<a b=\"1\"><c/></a>\n"};
  for (const auto dialect : {Dialect::words, Dialect::table, Dialect::yaml, Dialect::xml, Dialect::bytes})
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      Draw one(seed), other(seed);
      CHECK(mutated(texts, dialect, one) == mutated(texts, dialect, other));
    }
  Draw empty(1);
  for (int i = 0; i < 1000; ++i) mutated({""}, Dialect::yaml, empty);
}
