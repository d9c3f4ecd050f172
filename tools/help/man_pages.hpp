// The pages that `man` shows: of the program, of each command and its parts, and of the files that people write.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "tools/line/command.hpp"

namespace nowsim {

struct ManPage {
  std::string name;  ///< nowsim-trace-fit
  int section = 1;
  std::string text;  ///< roff
};

/// nowsim(1); one for each command and each part of one, by the tables that --help shows and by the manual's pages; and
/// nowsim-experiment(5) and nowsim-platform(5), of which the former has all keys.
std::vector<ManPage> man_pages(std::span<const Command> commands, const Registries& registries);

/// For write_output_file(): whether the file that is there is such a page, of another version.
bool is_man_page(const std::filesystem::path& there, const std::filesystem::path& made);

}  // namespace nowsim
