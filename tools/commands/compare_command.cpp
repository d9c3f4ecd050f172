// `nowsim compare`: how far two folders of results of the same experiments are apart.
#include <iostream>

#include "experiments/driver/running/result_comparison.hpp"
#include "experiments/driver/running/written_files.hpp"
#include "tools/line/command.hpp"

namespace nowsim {
namespace {

void add_compare_flags(Flags& flags) { add_format_flag(flags); }

int do_compare(const ParsedFlags& parsed, const Registries&) {
  const Format format = parse_format(parsed.flags.text("format"));
  const auto all = compare_results(parsed.words[0], parsed.words[1]);
  write_comparison(all, format, std::cout);
  std::vector<std::string> names;
  for (const auto& experiment : all) names.push_back(experiment.name);
  for (const auto& folder : parsed.words)
    for (const auto& remark : remarks_on_changed(folder, names)) std::cerr << "note: " << remark << '\n';
  if (compared_numbers(all) > 0) return 0;
  std::cerr << "nothing was compared: the folders have no estimate of the same metric at the same point\n";
  return 1;
}

}  // namespace

Command compare_command() {
  return {"compare", "how far two folders of results are apart", "nowsim compare DIR DIR [--format table|csv|json]",
          Places{{.kinds = {Kind::folder}}, {.kinds = {Kind::folder}}}, add_compare_flags, do_compare, "", {},
          "papers"};
}

}  // namespace nowsim
