// A lab of the tests' own, in a folder of labs: steady machines, so that its answers are known to everybody.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/paths.hpp"
#include "tests/sim/scenario_fixture.hpp"

namespace nowsim::test {

inline void write_text(const std::string& file, const std::string& text) {
  std::filesystem::create_directories(std::filesystem::path(file).parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

/// A folder with labs/tiny: two machines at 1 Gflop/s that share 100, 200 or 300 Gflop, drawn for each student.
struct TinyLabs : Folder {
  TinyLabs() {
    const std::filesystem::path source = source_folder();
    std::filesystem::create_directories(lab());
    std::filesystem::copy(source / "tests/experiments/driver/labs/tiny", lab(),
                          std::filesystem::copy_options::recursive);
    std::filesystem::copy(source / "experiments/labs/texts.yaml", labs());
  }

  [[nodiscard]] std::string labs() const { return path() + "/labs"; }
  [[nodiscard]] std::string lab() const { return labs() + "/tiny"; }
};

}  // namespace nowsim::test
