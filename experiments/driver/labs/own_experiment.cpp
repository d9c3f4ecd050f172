// A lab's file as it is handed out: the line of its `let:` with the student's own numbers, everything else as it is.
#include <filesystem>
#include <sstream>

#include "experiments/driver/labs/facts.hpp"
#include "experiments/driver/reading/yaml_tree.hpp"
#include "experiments/driver/text/output_file.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

constexpr std::string_view kLet = "let: {";

/// The line's map with the problem's numbers in place of the examples; what follows it stays.
std::string own_let(const std::string& line, const Problem& problem, const std::string& file) {
  const std::size_t end = line.find('}');
  if (end == std::string::npos) throw InputError(file + ": 'let: {...}' is to stand on one line in a lab");
  const YamlNode root = parse_yaml(line.substr(0, end + 1) + "\n", file);
  std::string out;
  for (const auto& [name, node] : root.entries.front().second.entries) {
    const auto own = problem.numbers.find(name);
    out += (out.empty() ? "" : ", ") + name + ": " + (own != problem.numbers.end() ? number_text(own->second) : node.text);
  }
  return std::string(kLet) + out + line.substr(end);
}

}  // namespace

std::string own_experiment(const Lab& lab, const Problem& problem, const std::string& file) {
  const auto path = std::filesystem::path(lab.folder) / file;
  std::istringstream in(bytes_of(path));
  std::string out;
  for (std::string line; std::getline(in, line); out += '\n')
    out += line.starts_with(kLet) ? own_let(line, problem, path.string()) : line;
  return out;
}

}  // namespace nowsim
