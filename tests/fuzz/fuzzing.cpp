// Seeds from the environment, and the files that inputs are made of.
#include "tests/fuzz/fuzzing.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "sim/base/text.hpp"
#include "sim/base/user_file.hpp"
#include "tests/fuzz/guarded.hpp"
#include "tests/fuzz/verdict.hpp"
#include "tests/paths.hpp"

namespace nowsim::test {
namespace {

namespace fs = std::filesystem;

/// A number that the environment may give.
std::optional<std::uint64_t> from_environment(const char* name) {
  const char* text = std::getenv(name);
  if (text == nullptr) return {};
  return std::stoull(text);
}

/// Bytes as they can be read and pasted, long ones cut short.
std::string shown(const std::string& bytes) {
  const std::size_t kMost = bytes.find('\0') == std::string::npos ? 4000 : 200;
  std::string out;
  for (const char c : bytes.substr(0, kMost)) {
    const auto code = static_cast<unsigned char>(c);
    constexpr const char* kDigits = "0123456789abcdef";
    if ((code >= 32 && code < 127) || c == '\n')
      out += c;
    else
      out += std::string("\\x") + kDigits[code >> 4] + kDigits[code & 15];
  }
  return out + (bytes.size() > kMost ? "... of " + std::to_string(bytes.size()) + " bytes" : "");
}

}  // namespace

std::vector<std::string> texts_in(const std::string& folder, const std::vector<std::string>& endings) {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(source_folder()) / folder))
    if (entry.is_regular_file() && std::ranges::count(endings, entry.path().extension().string()) > 0)
      files.push_back(entry.path());
  std::ranges::sort(files);  // the file system's order is not the same everywhere
  std::vector<std::string> texts;
  for (const auto& file : files) texts.push_back(read_user_file(file, kMostDataBytes));
  return texts;
}

std::vector<std::string> words_in(const std::string& name) {
  const std::string file = source_folder() + "/tests/fuzz/seeds/words/" + name;
  const std::string text = read_user_file(file, kMostDataBytes);
  std::vector<std::string> words;
  for (const auto line : TextLines(text, file)) words.emplace_back(line);
  return words;
}

std::vector<std::string> together(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

void fuzz(std::size_t inputs, const std::function<std::string(Draw&)>& make_input,
          const std::function<std::string(const std::string&)>& fault_of_input) {
  inputs = from_environment("NOWSIM_FUZZ_INPUTS").value_or(inputs);
  const std::uint64_t seed = from_environment("NOWSIM_FUZZ_SEED").value_or(1);
  const auto input = [&](std::size_t i) {
    Draw draw(seed + i);
    return make_input(draw);
  };
  for (const Fault& fault : faults_among(inputs, [&](std::size_t i) { return fault_of_input(input(i)); })) {
    INFO("repeat with NOWSIM_FUZZ_SEED=" << seed + fault.input << " NOWSIM_FUZZ_INPUTS=1; the input is\n"
                                         << shown(input(fault.input)));
    FAIL_CHECK(fault.what);
  }
  SUCCEED(inputs << " inputs from seed " << seed);
}

void fuzz_reader(std::size_t inputs, const std::vector<std::string>& texts, Dialect dialect,
                 void (*read)(std::string_view)) {
  REQUIRE_FALSE(texts.empty());
  fuzz(
      inputs, [&](Draw& draw) { return mutated(texts, dialect, draw); },
      [&](const std::string& input) { return fault_of([&] { read(input); }, input); });
}

}  // namespace nowsim::test
