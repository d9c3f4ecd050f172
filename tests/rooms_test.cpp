// Includes go down: between floors, and between the rooms of a floor, as the tables in the floors' READMEs list them.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/paths.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim::test;
namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

/// From the ground up. Each has a README with a table of its rooms.
const Words kFloors{"sim", "workloads", "experiments/driver", "tools"};

/// A folder of sources; what it includes lies in itself or in rooms before it.
struct Room {
  std::string folder;
  std::string packages;  ///< those that only some rooms may include, as the table lists them
};

/// A line `#include "header"` or `#include <header>` of a file.
struct Include {
  std::string file;
  std::string header;
  bool of_nowsim = true;
};

/// Packages that are kept in few rooms, by how their headers begin.
struct Package {
  const char* begins;
  const char* name;
};
constexpr Package kPackages[] = {{"simgrid/", "SimGrid"},
                                 {"xbt/", "SimGrid"},
                                 {"yaml-cpp/", "yaml-cpp"},
                                 {"sqlite3", "SQLite"},
                                 {"SQLiteCpp/", "SQLite"},
                                 {"pugixml", "pugixml"},
                                 {"muParser", "muParser"},
                                 {"nlopt", "NLopt"},
                                 {"hwy/", "Highway"},
                                 {"boost/program_options", "Boost.Program_options"},
                                 {"cmark", "cmark"},
                                 {"kainjow/", "Mustache"},
                                 {"boost/asio", "Boost.Asio"},
                                 {"boost/beast", "Boost.Beast"},
                                 {"zlib.h", "zlib"},
                                 {"zstd.h", "zstd"},
                                 {"catch2/", "Catch2"},
                                 {"pybind11/", "pybind11"},
                                 {"Python.h", "pybind11"},
                                 {"archive", "libarchive"},
                                 {"sha2.h", "libmd"},
                                 {"seccomp.h", "libseccomp"}};

/// Headers that one file alone includes, by how they begin.
struct KeptInOneFile {
  const char* begins;
  const char* file;
};
constexpr KeptInOneFile kKeptInOneFile[] = {
    {"simgrid/kernel/", "sim/engines/simgrid/simgrid_version.hpp"},  // what changes with SimGrid's releases
    {"boost/program_options", "tools/line/arguments.cpp"},                   // slow to compile
    {"kainjow/", "experiments/driver/text/html.hpp"}};

std::string package_of(const std::string& header) {
  for (const Package& package : kPackages)
    if (header.starts_with(package.begins)) return package.name;
  return "";
}

std::string folder_of(const std::string& file) { return fs::path(file).parent_path().string(); }

/// Between the first two marks of a text; "" where they are not there.
std::string between(const std::string& text, char open, char close) {
  const auto begin = text.find(open);
  const auto end = text.find(close, begin + 1);
  return begin == text.npos || end == text.npos ? "" : text.substr(begin + 1, end - begin - 1);
}

/// The rooms of a README: of its table whose header begins with `| room |`, each row's first and last cell.
std::vector<Room> rooms_of(const std::string& readme) {
  std::vector<Room> rooms;
  std::istringstream in(readme);
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("| room |"))
      inside = true;
    else if (!line.starts_with("|"))
      inside = false;
    else if (inside && !line.starts_with("|---"))
      rooms.push_back({between(line, '`', '`'), line.substr(line.rfind('|', line.size() - 2) + 1)});
  }
  return rooms;
}

/// What a source includes.
std::vector<Include> includes_of(const std::string& file, const std::string& source) {
  std::vector<Include> includes;
  std::istringstream in(source);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("#include ")) continue;
    const bool of_nowsim = line.find('"') != line.npos;
    includes.push_back({file, of_nowsim ? between(line, '"', '"') : between(line, '<', '>'), of_nowsim});
  }
  return includes;
}

/// What is wrong with these includes and rooms, a sentence each. Since rooms stand in a row and every include stays in
/// its room or goes to one before it, no circle of rooms is left.
std::set<std::string> complaints(const std::vector<Room>& rooms, const std::vector<Include>& includes,
                                 const std::set<std::string>& folders_with_sources) {
  std::set<std::string> wrong;
  const auto find = [&](const std::string& folder) { return std::ranges::find(rooms, folder, &Room::folder); };
  for (const Room& room : rooms)
    if (!folders_with_sources.contains(room.folder)) wrong.insert(room.folder + " is in a table and holds no sources");
  for (const std::string& folder : folders_with_sources)
    if (find(folder) == rooms.end()) wrong.insert(folder + " is in no README's table of rooms");
  for (const Include& include : includes) {
    const auto from = find(folder_of(include.file));
    if (from == rooms.end()) continue;  // said above
    const std::string what = include.file + " includes " + include.header;
    const std::string package = package_of(include.header);
    if (!package.empty() && from->packages.find(package) == std::string::npos)
      wrong.insert(what + ", but " + from->folder + " is no room for " + package);
    if (!include.of_nowsim) continue;
    const auto to = find(folder_of(include.header));
    if (to == rooms.end())
      wrong.insert(what + ", which lies in no room");
    else if (to > from)
      wrong.insert(what + ": up from " + from->folder + " to " + to->folder);
  }
  return wrong;
}

bool is_source(const fs::path& file) { return file.extension() == ".cpp" || file.extension() == ".hpp"; }

}  // namespace

TEST_CASE("Every include goes down, between floors and between rooms", "[computes][rooms]") {
  std::vector<Room> rooms;
  std::vector<Include> includes;
  std::set<std::string> folders;
  for (const std::string& floor : kFloors) {
    for (const Room& room : rooms_of(content_of(source_folder() + "/" + floor + "/README.md"))) {
      CHECK(std::ranges::count(rooms, room.folder, &Room::folder) == 0);
      CHECK((room.folder + "/").starts_with(floor + "/"));
      rooms.push_back(room);
    }
    for (const auto& entry : fs::recursive_directory_iterator(source_folder() + "/" + floor)) {
      if (!is_source(entry.path())) continue;
      const std::string file = entry.path().lexically_relative(source_folder()).string();
      folders.insert(folder_of(file));
      for (const Include& include : includes_of(file, content_of(entry.path().string()))) includes.push_back(include);
    }
  }
  CHECK(includes.size() > 1000);
  for (const Include& include : includes)
    for (const auto& [begins, file] : kKeptInOneFile)
      if (include.header.starts_with(begins))
        CHECK(include.file + " includes " + include.header == file + (" includes " + include.header));
  for (const std::string& complaint : complaints(rooms, includes, folders)) FAIL_CHECK(complaint);
}

TEST_CASE("An include that goes up is told, and so is a room that no table knows", "[rooms]") {
  const std::vector<Room> rooms = rooms_of(
      "Words.\n\n| room | what | packages |\n|---|---|---|\n"
      "| [`sim/base`](base/README.md) | text | muParser |\n"
      "| [`sim/owners`](owners/README.md) | owners, of `sim/base` | |\n"
      "\n| another | table |\n|---|---|\n| `sim/none` | no room |\n");
  REQUIRE(rooms.size() == 2);
  CHECK(rooms[1].folder == "sim/owners");
  const auto of = [&](const std::string& file, const std::string& line) {
    return complaints(rooms, includes_of(file, "// Words.\n" + line + "\n"), {"sim/base", "sim/owners"});
  };
  using Told = std::set<std::string>;
  const std::string down = "#include \"sim/base/text.hpp\"", up = "#include \"sim/owners/load_series.hpp\"";
  CHECK(of("sim/owners/load_series.cpp", down).empty());
  CHECK(of("sim/owners/load_series.cpp", up + "  // its own room").empty());
  CHECK(of("sim/base/text.cpp", up) ==
        Told{"sim/base/text.cpp includes sim/owners/load_series.hpp: up from sim/base to sim/owners"});
  CHECK(of("sim/owners/load_series.cpp", "#include \"tests/paths.hpp\"") ==
        Told{"sim/owners/load_series.cpp includes tests/paths.hpp, which lies in no room"});
  CHECK(of("sim/base/formula.cpp", "#include <muParser.h>").empty());
  CHECK(of("sim/base/formula.cpp", "#include <vector>").empty());
  CHECK(of("sim/owners/load_series.cpp", "#include <muParser.h>") ==
        Told{"sim/owners/load_series.cpp includes muParser.h, but sim/owners is no room for muParser"});
  CHECK(of("sim/owners/load_series.cpp", "#include <simgrid/s4u.hpp>").size() == 1);
  CHECK(complaints(rooms, {}, {"sim/base", "sim/cellar"}) ==
        Told{"sim/cellar is in no README's table of rooms", "sim/owners is in a table and holds no sources"});

  std::vector<Include> circle = includes_of("sim/owners/load_series.cpp", down);
  circle.push_back({"sim/base/text.cpp", "sim/owners/load_series.hpp"});
  CHECK(complaints(rooms, circle, {"sim/base", "sim/owners"}).size() == 1);  // one of a circle's includes goes up
}
