// The table of commands; errors become sentences on the error stream and exit statuses.
#include "tools/line/command_line.hpp"

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <new>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "experiments/driver/claims/verdicts.hpp"
#include "experiments/driver/pictures/resolved_figure.hpp"
#include "experiments/driver/running/runner.hpp"
#include "experiments/driver/text/document.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/stream_manner.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "sim/base/error.hpp"
#include "sim/base/registry.hpp"
#include "sim/base/text.hpp"
#include "tools/line/command.hpp"
#include "tools/line/command_table.hpp"
#include "tools/shipped/manual.hpp"
#include "tools/terminal/interruption.hpp"
#include "tools/terminal/messages.hpp"
#include "tools/terminal/parting.hpp"
#include "tools/terminal/shown_stream.hpp"

namespace nowsim {

namespace fs = std::filesystem;

using CommandMaker = Command();

// clang-format off
/// In the order of `nowsim help`.
NOWSIM_LISTED(CommandMaker, kCommands,
              run_command,
              sweep_command,
              submit_command, status_command,
              show_command,
              reproduce_command,
              compare_command,
              bundle_command,
              plan_command,
              contrast_command,
              isoefficiency_command,
              new_command,
              check_command,
              verify_command,
              list_command,
              platform_command,
              trace_command,
              lab_command,
              help_command,
              version_command,
              complete_command);
// clang-format on

const std::vector<Command>& commands() {
  static const std::vector<Command> all = made(kCommands);
  return all;
}

const Command* find_command(const std::string& name) {
  for (const auto& command : commands())
    if (name == command.name) return &command;
  return nullptr;
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const auto& command : commands())
    if (!command.is_for_programs) names.emplace_back(command.name);
  return names;
}

void print_overview(std::ostream& out) {
  std::string what = kWhatNowsimDoes;
  if (columns_of(out) > 0) std::ranges::replace(what, '\n', ' ');  // which breaks its lines itself
  out << what << "\n\ncommands:\n";
  DefinitionList names;
  for (const auto& command : commands())
    if (!command.is_for_programs) names.add(command.name, command.summary);
  names.write(out);
  out << "\npages:\n";
  DefinitionList pages;
  for (const HelpTopic& topic : help_topics(manual_pages())) pages.add(topic.names.front(), std::string(topic.title));
  pages.write(out);
  out << "\ntry:  nowsim run huang-lee-2007/fig05 --replications 200\n";
}

namespace {

/// What other programs call these two, besides what they are called here.
std::string command_of_flag(const std::string& word) {
  if (word == "--help" || word == "-h") return "help";
  if (word == "--version" || word == "-v" || word == "-V") return "version";
  return word;
}

int carry_out_command(std::vector<std::string> words, Session& session) {
  if (words.empty()) {
    print_overview(session.error);
    return 2;
  }
  const std::string name = command_of_flag(words.front());
  words.erase(words.begin());
  if (const Command* command = find_command(name)) return carry_out(*command, words, session);
  throw UsageError("there is no command '" + name + "'" + did_you_mean(name, command_names()) + " ('nowsim help' lists them)");
}

/// A message for each of its lines.
void report(const std::string& text) {
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) spdlog::error("{}", line);
}

Value problem_value(const InputProblem& problem) {
  const Place& place = problem.place;
  return Object{{{"file", place.file.empty() ? Value() : place.file},
                 {"line", place.line > 0 ? Value(static_cast<std::uint64_t>(place.line)) : Value()},
                 {"key", place.key.empty() ? Value() : place.key},
                 {"sentence", problem.sentence}}};
}

/// Bad usage or input, for people or, where they asked for JSON, for programs.
int refuse(const InputError& bad, const std::vector<std::string>& words) {
  const Command* const command = words.empty() ? nullptr : find_command(words.front());
  if (command != nullptr && asks_for_json(*command, {words.begin() + 1, words.end()}))
    write_document({{}, {}, {}, Object{{{"problems", list_of(bad.problems(), problem_value)}}}}, Format::json, std::cerr);
  else report(bad.what());
  return 2;
}

constexpr int kFaultStatus = 70;  // EX_SOFTWARE of sysexits.h

/// The command and its words, to be repeated in a report.
std::string command_text(int argc, const char* const* argv) {
  std::string text = "nowsim";
  for (int k = 1; k < argc; ++k) text += std::string(" ") + argv[k];
  return text;
}

int report_memory(const std::string& command) {
  report("memory ended, and with it '" + command +
         "': fewer workstations, points, replications or processes need less");
  return 1;
}

/// Files and streams: which, and what the system says of them.
int report_system(const std::system_error& e) {
  const auto* of_files = dynamic_cast<const fs::filesystem_error*>(&e);
  const std::string file = of_files != nullptr ? of_files->path1().string() : "";
  const std::string said = e.what();  // the call, a colon and the reason
  report(file.empty() ? "the system refuses to go on: " + said : "'" + file + "': " + e.code().message());
  return 1;
}

/// Whatever no part of nowsim has made a sentence of is nobody's mistake but its own.
int report_fault(const std::string& what, const std::string& command) {
  report("this is a fault of nowsim, not of its input: " + what);
  report("please report it, with the files that are read and this command (nowsim " + std::string(version()) +
         "): " + command);
  return kFaultStatus;
}

/// What a signal is answered with that no command waits for: it ends the program, and nothing is kept.
std::string words_when_ended(int argc, const char* const* argv) {
  std::vector<std::string> command{argv, argv + argc};
  const Command* known = argc > 1 ? find_command(argv[1]) : nullptr;
  if (known == nullptr || known->keeping == nullptr) return parting_text(kNothingKept, false, command);
  const std::vector<std::string> words = known->keeping({argv + 1, argv + argc});
  command.erase(command.begin() + 1, command.end());
  command.insert(command.end(), words.begin(), words.end());
  return parting_text(std::string(kNothingKept) + "; a sweep keeps what is done, and goes on after a stop", false, command);
}

}  // namespace

Registries registries_with(const Additions& additions) { return {additions, builtin_checks(), builtin_figures()}; }

int carry_out_words(const std::vector<std::string>& words, Session& session) {
  const int status = carry_out_command(words, session);
  session.out.flush();
  if (!session.out) throw RunError("the output could not be written");
  return status;
}

int command_line(int argc, const char* const* argv, const Additions& additions) {
  set_up_messages();
  const ShownStream out(std::cout, manner_of_descriptor(STDOUT_FILENO)),
      error(std::cerr, manner_of_descriptor(STDERR_FILENO));
  const LastWords last_words(words_when_ended(argc, argv));
  const std::vector<std::string> words{argv + 1, argv + argc};
  try {
    const Registries known = registries_with(additions);
    Session session{known, std::cout, std::cerr};
    return carry_out_words(words, session);
  } catch (const UsageError& e) {
    return refuse(InputError(e.what()), words);
  } catch (const InputError& e) {
    return refuse(e, words);
  } catch (const RunError& e) {
    report(e.what());
    return 1;
  } catch (const Stopped& e) {
    std::vector<std::string> command{argv, argv + argc};
    command.insert(command.end(), e.more().begin(), e.more().end());
    const std::string text = parting_text(e.kept(), e.goes_on(), command);
    std::fputs(text.c_str(), stderr);  // a command to copy is not broken between words
    return e.exit_status();
  } catch (const Interrupted&) {  // by a function of the user's, where nothing has to be left in good order
    return 128 + SIGINT;
  } catch (const std::bad_alloc&) {
    return report_memory(command_text(argc, argv));
  } catch (const std::length_error&) {  // more elements than any memory holds
    return report_memory(command_text(argc, argv));
  } catch (const std::system_error& e) {
    return report_system(e);
  } catch (const std::exception& e) {
    return report_fault(e.what(), command_text(argc, argv));
  }
}

}  // namespace nowsim
