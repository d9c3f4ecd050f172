// What the program says, as transcripts: text files of commands, with what each prints and ends with (transcripts/README.md).
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/paths.hpp"
#include "tests/tools/program_fixture.hpp"
#include "tools/line/arguments.hpp"

using namespace nowsim::test;

namespace {

using Lines = std::vector<std::string>;

Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

constexpr std::string_view kAny = "...";

/// Whether a line is as told, where "..." stands for any text.
bool is_like(std::string_view line, std::string_view told) {
  const auto any = told.find(kAny);
  if (any == told.npos) return line == told;
  if (!line.starts_with(told.substr(0, any))) return false;
  const std::string_view rest = told.substr(any + kAny.size());
  for (std::size_t at = any; at <= line.size(); ++at)
    if (is_like(line.substr(at), rest)) return true;
  return false;
}

/// The same of lines; a line "..." stands for any number of them.
bool are_like(std::span<const std::string> lines, std::span<const std::string> told) {
  if (told.empty()) return lines.empty();
  if (told.front() == kAny)
    return are_like(lines, told.subspan(1)) || (!lines.empty() && are_like(lines.subspan(1), told));
  return !lines.empty() && is_like(lines.front(), told.front()) && are_like(lines.subspan(1), told.subspan(1));
}

/// A command, and what is told of it.
struct Step {
  std::size_t at = 0;  ///< the line where it stands, from 1
  std::string command;
  int status = 0;
  Lines out, error;

  /// The status where none is told.
  [[nodiscard]] int usual_status() const {
    return std::ranges::any_of(error, [](const auto& line) { return line.starts_with("error: "); }) ? 2 : 0;
  }
  [[nodiscard]] bool is_as_told(const ProgramRun& run) const {
    return run.status == status && are_like(lines_of(run.out), out) && are_like(lines_of(without_progress(run.error)), error);
  }
  [[nodiscard]] Lines text() const {
    Lines lines{"$ " + command};
    if (status != usual_status()) lines.push_back("! " + std::to_string(status));
    for (const auto& line : out) lines.push_back("> " + line);
    for (const auto& line : error) lines.push_back("2> " + line);
    return lines;
  }
};

std::string text_of(const Lines& lines) {
  std::string text;
  for (const auto& line : lines) text += line + "\n";
  return text;
}

/// Does what is typed: nowsim is called in a child, and its output may go to a file; a shell does anything else.
ProgramRun typed(const std::string& command, const Folder& folder) {
  if (!command.starts_with("nowsim ") || command.find(" | ") != command.npos || command.find('$') != command.npos)
    return run_shell(command, folder.path());
  auto words = nowsim::words_of_line(command);
  words.erase(words.begin());
  std::string file;
  if (words.size() > 2 && words.end()[-2] == ">") {
    file = words.back();
    words.resize(words.size() - 2);
  }
  ProgramRun run = run_program(words, folder.path());
  if (!file.empty()) folder.file(file, std::exchange(run.out, ""));
  return run;
}

/// Runs a transcript in a folder of its own; gives its lines as they would be if all were as the program says now.
Lines rerun(const Lines& lines, const std::string& name) {
  const Folder folder;
  Lines now;
  for (std::size_t k = 0; k < lines.size();) {
    if (lines[k].starts_with("<<< ")) {
      std::string content;
      const std::string file = lines[k].substr(4);
      for (now.push_back(lines[k++]); k < lines.size() && lines[k] != ">>>"; ++k) {
        content += lines[k] + "\n";
        now.push_back(lines[k]);
      }
      INFO(name << ": no >>> ends the file " << file);
      CHECK(k < lines.size());
      std::filesystem::create_directories((std::filesystem::path(folder.path()) / file).parent_path());
      folder.file(file, content);
    } else if (lines[k].starts_with("$ ")) {
      Step step{k + 1, lines[k].substr(2)};
      const auto take = [&](const std::string& mark, Lines& to) {
        for (; k < lines.size() && lines[k].starts_with(mark); ++k) to.push_back(lines[k].substr(mark.size()));
      };
      const bool has_status = ++k < lines.size() && lines[k].starts_with("! ");
      if (has_status) step.status = std::atoi(lines[k++].c_str() + 2);
      take("> ", step.out);
      take("2> ", step.error);
      if (!has_status) step.status = step.usual_status();
      const ProgramRun run = typed(step.command, folder);
      INFO(name << ":" << step.at << ": " << step.command);
      for (const auto* stream : {&run.out, &run.error}) CHECK((stream->empty() || stream->ends_with('\n')));
      const Step said{step.at, step.command, run.status, lines_of(run.out), lines_of(without_progress(run.error))};
      const bool is_as_told = step.is_as_told(run);
      if (!is_as_told) CHECK(text_of(said.text()) == text_of(step.text()));
      for (const auto& line : (is_as_told ? step : said).text()) now.push_back(line);
      continue;
    } else {
      INFO(name << ":" << k + 1 << ": " << lines[k]);
      CHECK((lines[k].empty() || lines[k].starts_with("#")));
    }
    if (k < lines.size()) now.push_back(lines[k++]);
  }
  return now;
}

/// Those of a folder, each in a section of its name.
void check_transcripts(const std::string& folder) {
  std::size_t found = 0;
  for (const auto& entry : std::filesystem::directory_iterator(source_folder() + "/tests/tools/" + folder)) {
    if (entry.path().extension() != ".txt") continue;
    ++found;
    const std::string name = entry.path().filename().string(), text = content_of(entry.path().string());
    DYNAMIC_SECTION(name) {
      CHECK(text.starts_with("# "));
      const std::string now = text_of(rerun(lines_of(text), name));
      if (std::getenv("NOWSIM_REWRITE_TRANSCRIPTS") != nullptr && now != text) std::ofstream(entry.path()) << now;
    }
  }
  CHECK(found > 0);
}

}  // namespace

TEST_CASE("What is refused, and what is read, is told as transcripts tell", "[computes][reads][transcripts]") {
  check_transcripts("transcripts");
}

TEST_CASE("What is simulated is told as transcripts tell", "[slow][transcripts]") { check_transcripts("transcripts/runs"); }

TEST_CASE("Three dots stand for any text, and alone in a line for any lines", "[transcripts]") {
  CHECK(is_like("error: a.yaml:3: no", "error: ...: no"));
  CHECK(is_like("", "..."));
  CHECK_FALSE(is_like("error: yes", "error: ...no"));
  CHECK_FALSE(is_like("error: no more", "error: no"));
  const Lines lines{"a", "b", "c"};
  CHECK(are_like(lines, Lines{"a", "...", "c"}));
  CHECK(are_like(lines, Lines{"a", "b", "c", "..."}));
  CHECK_FALSE(are_like(lines, Lines{"a", "c"}));
  CHECK_FALSE(are_like(lines, Lines{"...", "b"}));
}
