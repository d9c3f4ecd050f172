// `nowsim status`: how far a sweep in shards is, by what is published.
#include <algorithm>
#include <filesystem>
#include <ostream>

#include "experiments/driver/shards/shard_report.hpp"
#include "sim/base/error.hpp"
#include "sim/base/utf8.hpp"
#include "tools/line/common_flags.hpp"

namespace nowsim {
namespace fs = std::filesystem;
namespace {

void add_status_flags(Flags& flags) { add_format_flag(flags); }

/// The folder itself and those in it, which reproductions have one of for each paper, as far as shards have published there.
std::vector<ShardStatus> status_below(const fs::path& out, bool& has_shards, std::vector<std::string>& remarks) {
  std::vector<fs::path> folders{out};
  std::error_code error;
  for (fs::directory_iterator it(out, error), end; !error && it != end; it.increment(error)) folders.push_back(it->path());
  std::ranges::sort(folders);
  std::vector<ShardStatus> all;
  for (const auto& path : folders) {
    const ShardFolder folder(path);
    if (!folder.exists()) continue;
    has_shards = true;
    for (auto& status : status_of(folder, remarks)) {
      if (path != out) status.experiment = (path.filename() / status.experiment).string();
      all.push_back(std::move(status));
    }
  }
  return all;
}

int do_status(const Arguments& arguments, Session& session) {
  const Format format = format_of(arguments);
  const std::string& out = arguments.words.front();
  std::vector<std::string> remarks;
  bool has_shards = false;
  const auto status = status_below(out, has_shards, remarks);
  for (const auto& remark : remarks) session.error << "note: " << shown_line(remark) << '\n';
  if (std::error_code ignored; !fs::is_directory(out, ignored)) throw InputError("there is no folder " + out);
  if (!has_shards)
    throw InputError("nothing was published in " + out + ": 'nowsim sweep SPEC.yaml --out " + out + " --shard 1/4' begins a sweep in shards");
  if (status.empty())
    session.error << "note: all that shards have published in " << shown_line(out) << " is taken in; 'nowsim show' says what is there\n";
  write_status(status, format, session.out);
  return 0;
}

}  // namespace

Command status_command() {
  return {.name = "status",
          .summary = "how far a sweep in shards is",
          .places = Places{{.kinds = {Kind::folder}}},
          .add_flags = add_status_flags,
          .run = do_status,
          .page = "shards"};
}

}  // namespace nowsim
