// `nowsim lab serve`: the browser page with this program behind it, for what a browser alone cannot do.
#include <chrono>
#include <filesystem>
#include <ostream>
#include <memory>
#include <optional>
#include <thread>

#include "experiments/driver/reading/shipped_files.hpp"
#include "sim/base/user_file.hpp"
#include "tools/commands/lab_command.hpp"
#include "tools/commands/page_server.hpp"
#include "tools/commands/question_process.hpp"
#include "tools/shipped/shipped_experiments.hpp"
#include "tools/terminal/interruption.hpp"

namespace nowsim {

namespace fs = std::filesystem;

namespace {

constexpr double kMostAnswer_s = 1800;
constexpr const char* kPageFile = "nowsim-labs.html";

/// Nothing: the usual one, or any.
std::optional<int> port_of(const Arguments& arguments) {
  const auto port = arguments.whole("port");
  return port ? std::optional(static_cast<int>(*port)) : std::nullopt;
}

/// Installed it is beside the experiments; in the sources where tools/build-page puts it.
std::string page_of(const Arguments& arguments) {
  if (const auto file = arguments.text_or_none("page")) {
    std::string page = read_user_file(*file, kMostPlatformBytes);
    if (page.find(kServedMark) != page.npos) return page;  // which its scripts look for
    throw InputError(flag_place("page", *file) + ": this is no " + kPageFile);
  }
  const fs::path beside = fs::path(shipped_experiments_folder()).parent_path();
  std::error_code ignored;
  for (const fs::path& file : {beside / kPageFile, beside / "build" / "page" / kPageFile})
    if (fs::is_regular_file(file, ignored)) return read_user_file(file.string(), kMostPlatformBytes);
  throw InputError(std::string("there is no ") + kPageFile + " in " + beside.string() +
                   ": tools/build-page makes it, or name it by --page FILE");
}

std::unique_ptr<PageServer> listening_server(std::optional<int> port, const std::string& page,
                                             QuestionProcess& questions) {
  if (port) return std::make_unique<PageServer>(*port, page, questions);
  try {
    return std::make_unique<PageServer>(kUsualPort, page, questions);
  } catch (const InputError&) {
    return std::make_unique<PageServer>(0, page, questions);
  }
}

void add_lab_serve_flags(Flags& flags) {
  const std::string port_help = "where to listen, 0: any port that is free; by default " + std::to_string(kUsualPort) +
                                ", or where that is taken any that is free";
  flags.add({{"port", whole(0, 65535, ", or 0 for any that is free"), port_help},
             {"page", taking(Kind::file), "the page's file; by default the one that came with nowsim"}});
  add_lab_flags(flags);
}

int do_lab_serve(const Arguments& arguments, Session& session) {
  const std::optional<int> port = port_of(arguments);
  const std::string labs = labs_folder(arguments), page = page_of(arguments);
  const InterruptionWatch watch;
  QuestionProcess questions({shipped_experiments_folder(), labs}, session.known, {.jobs = fact_options(arguments).jobs},
                            kMostAnswer_s);
  const std::unique_ptr<PageServer> server = listening_server(port, page, questions);
  server->begin();
  session.out << server->address() << "\nOpen this address in a browser on this machine. Ctrl-C ends it.\n";
  if (!port && server->port() != kUsualPort)
    session.out << "Port " << kUsualPort << " is taken, by another 'nowsim lab serve' perhaps: the browser does not find "
              << "here what it has kept at the usual address.\n";
  session.out << std::flush;
  while (!interruption_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  questions.end();
  server->end();
  return 0;
}

}  // namespace

Command lab_serve() {
  return {.name = "serve",
          .summary = "the browser page with this program behind it",
          .main = {"port"},
          .add_flags = add_lab_serve_flags,
          .run = do_lab_serve,
          .of = "lab"};
}

}  // namespace nowsim
