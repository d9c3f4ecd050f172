// `nowsim new`: an experiment and a platform to start from, with comments; or a copy of an experiment that there is.
#include <algorithm>
#include <filesystem>
#include <ostream>
#include <string>
#include <system_error>
#include <vector>

#include "experiments/driver/points/new_experiment.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/output_file.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "tools/line/common_flags.hpp"
#include "tools/shipped/shipped_experiments.hpp"

namespace nowsim {

namespace fs = std::filesystem;

namespace {

constexpr const char* kNewUsage = "nowsim new NAME [--from EXPERIMENT]";
constexpr const char* kMoreOnNew =
    "\nWrites NAME.yaml, an experiment whose comments say what each key is, and NAME.xml, its machines. With --from it is\n"
    "the text of an experiment that there is, such as labs/lab-night ('nowsim list experiments'). Nothing is overwritten.\n";
constexpr const char* kExperiment = ".yaml";
constexpr const char* kPlatform = ".xml";

void add_new_flags(Flags& flags) {
  flags.add({{"from", taking(Kind::experiment), "an experiment, by name or file, whose text is copied"}});
}

/// A file that is to be made.
struct NewFile {
  std::string path, text, summary;
};

/// The path without its ending. @throws UsageError where it ends in no name for a file.
std::string name_without_ending(std::string name) {
  const std::string given = name;
  if (name.ends_with(kExperiment)) name.erase(name.size() - std::string(kExperiment).size());
  const std::string file = fs::path(name).filename().string();
  const bool has_control = std::ranges::any_of(name, [](unsigned char c) { return c < ' ' || c == 127; });
  if (file.empty() || file == "." || file == ".." || has_control)
    throw UsageError(quoted(given) + " is no name for an experiment; a name such as mine is wanted; usage: " + kNewUsage);
  return name;
}

/// @throws InputError where something is there, or nothing can be.
void check_free(const std::string& path) {
  std::error_code ignored;
  if (fs::exists(fs::symlink_status(path, ignored)))
    throw InputError(quoted(path) + " is there already, and is left as it is; choose another name");
  check_output_file(path);
}

/// A shipped experiment's name for a new one: nearly always one that was meant to be copied.
void check_no_shipped_name(const std::string& name) {
  std::error_code ignored;
  if (contains(shipped_experiments(), name) && !fs::is_directory(fs::path(name).parent_path(), ignored))
    throw UsageError(quoted(name) + " comes with nowsim; a copy of it is made by 'nowsim new mine --from " + name + "'");
}

/// What has come there meanwhile is kept beside it.
void write_new(Session& session, const NewFile& file) {
  const std::string kept = write_output_file(file.path, [&](std::ostream& out) { out << file.text; });
  session.out << file.path << "  " << file.summary << '\n';
  if (!kept.empty()) session.out << "(what was there is kept as " << kept << ")\n";
}

std::vector<NewFile> from_tables(const std::string& name, Session& session) {
  const std::string title = fs::path(name).filename().string(), platform = name + kPlatform;
  return {{name + kExperiment,
           new_experiment_text(title, fs::path(platform).filename().string(), session.known), "the experiment"},
          {platform, new_platform_text(), "its machines, a SimGrid platform"}};
}

std::vector<NewFile> copy_of(const std::string& name, const std::string& original, Session& session) {
  const CopiedExperiment copy = copied_experiment(find_experiment(original), shipped_platforms_folder(), session.known);
  return {{name + kExperiment, copy.text,
           "a copy of " + original + (copy.files.empty() ? "" : "; it uses " + joined(copy.files))}};
}

void say_what_is_next(Session& session, const std::vector<NewFile>& files) {
  const std::string experiment = shell_word(files.front().path);
  session.out << "\nnext:\n  change what you want, then\n  nowsim check " << experiment << "\n  nowsim run " << experiment << '\n';
  if (files.front().text.find("\nfigure:") != std::string::npos)
    session.out << "  nowsim reproduce " << experiment << "  # draws its figure\n";
  if (files.size() > 1) session.out << "  nowsim platform show " << shell_word(files.back().path) << '\n';
  session.out << "  nowsim help experiment\n";
}

int do_new(const Arguments& arguments, Session& session) {
  const std::string name = name_without_ending(arguments.words.front());
  const auto from = arguments.text_or_none("from");
  if (!from) check_no_shipped_name(name);
  const std::vector<NewFile> files = from ? copy_of(name, *from, session) : from_tables(name, session);
  for (const NewFile& file : files) check_free(file.path);
  for (const NewFile& file : files) write_new(session, file);
  say_what_is_next(session, files);
  return 0;
}

}  // namespace

Command new_command() {
  return {.name = "new",
          .summary = "an experiment to start from: commented, or a copy",
          .usage = kNewUsage,
          .places = Places{{.kinds = {Kind::text}}},
          .add_flags = add_new_flags,
          .run = do_new,
          .more = kMoreOnNew,
          .page = "experiment"};
}

}  // namespace nowsim
