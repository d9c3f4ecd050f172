// Values that make an answer in a second, put into the tables of keys.
#include "experiments/driver/points/new_experiment.hpp"

#include <algorithm>
#include <sstream>

#include "experiments/driver/points/key_reference.hpp"
#include "experiments/driver/reading/experiment_keys.hpp"
#include "experiments/driver/text/formats.hpp"
#include "experiments/driver/text/name_lists.hpp"

namespace nowsim {
namespace {

struct GivenKey {
  std::string name, value;
};
/// What the experiment sets: values that are read by the tables, some of which stand in no block.
using GivenKeys = std::vector<GivenKey>;

GivenKeys given_keys(const std::string& title, const std::string& platform_file) {
  return {{"nowsim", "1"},
          {"title", json_text(title)},
          {"metrics", "[tau, sigma_T, RF, speedup]"},
          {"platform.file", json_text(platform_file)},
          {"job.workload", "augmented-task"},
          {"job.work", "2000Gf"},
          {"job.phases", "10"},
          {"owner.model", "intervals"},
          {"owner.mean", "60%"},
          {"owner.TH", "0.3"},
          {"owner.interval", "30s"},
          {"split.policy", "proportional"},
          {"run.replications", "1000"},
          {"run.seed", "1"},
          {"run.deadline", "11min"}};
}

/// Keys of choices that the experiment makes, beside those that the blocks have whatever is chosen.
bool is_chosen(const KeySection& section) {
  static const Words kChosen{"", "workload: augmented-task", "model: intervals", "over a model"};
  return contains(kChosen, section.title);
}

/// The experiment's axes: a product of both.
constexpr const char* kSweep =
    "  split.policy: [equal, proportional]\n"
    "  owner.TH: {from: 0, to: 0.3, step: 0.1}\n";

constexpr std::size_t kCommentColumn = 32, kWidth = 100;

/// What stands before a comment, and the comment, on as many lines as it takes.
void write_commented(const std::string& text, const std::string& comment, std::ostream& out) {
  std::string line = text;
  line.resize(std::max(kCommentColumn, text.size() + 2), ' ');
  line += '#';
  std::istringstream words(comment);
  for (std::string word; words >> word;) {
    if (line.size() + 1 + word.size() > kWidth) {
      out << line << '\n';
      line = std::string(kCommentColumn, ' ') + '#';
    }
    line += " " + word;
  }
  out << line << '\n';
}

void write_key(const Key& key, const std::string& block, const GivenKeys& given, std::ostream& out) {
  const std::string name = block.empty() ? key.name : block + "." + key.name, indent = block.empty() ? "" : "  ";
  const auto found = std::ranges::find(given, name, &GivenKey::name);
  const std::string text = found == given.end() ? indent + "# " + key.name + ": " + key.fallback.value_or("")
                                                : indent + key.name + ": " + found->value;
  const KeyTexts texts = key_texts(key);
  write_commented(text, texts.type + "; " + texts.help, out);
}

void write_keys(const KeyBlock& block, const GivenKeys& given, std::ostream& out) {
  for (const auto& section : block.sections)
    if (is_chosen(section))
      for (const Key& key : section.keys) write_key(key, block.name, given, out);
}

bool is_given(const std::string& block, const GivenKeys& given) {
  return std::ranges::any_of(given, [&](const GivenKey& key) { return key.name.starts_with(block + "."); });
}

/// A block with its keys where the experiment has it, else a line that says that there is one.
void write_block(const Key& key, const std::vector<KeyBlock>& blocks, const GivenKeys& given, std::ostream& out) {
  const auto block = std::ranges::find(blocks, key.name, &KeyBlock::name);
  const bool has_table = block != blocks.end(), is_sweep = key.name == "sweep";
  const bool is_written = is_sweep || (has_table && is_given(key.name, given));
  out << '\n';
  write_commented((is_written ? "" : "# ") + key.name + ":",
                  key.help + (has_table ? " (nowsim list keys " + key.name + ")" : ""), out);
  if (is_sweep) out << kSweep;
  else if (is_written) write_keys(*block, given, out);
}

}  // namespace

std::string new_experiment_text(const std::string& title, const std::string& platform_file,
                                const Registries& registries) {
  const GivenKeys given = given_keys(title, platform_file);
  const std::vector<KeyBlock> blocks = key_blocks(registries);
  std::ostringstream out;
  out << "# An experiment to start from. Keys behind a '#' show what counts without them; each comment says what\n"
         "# stands there, and what it is. More on blocks: nowsim help experiment, nowsim list keys BLOCK.\n";
  for (const Key& key : experiment_keys())
    if (key.type == KeyType::block) write_block(key, blocks, given, out);
    else write_key(key, "", given, key.is_list ? out << '\n' : out);
  return out.str();
}

std::string new_platform_text() {
  return R"(<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<!-- Four machines on a switch, to start from: a SimGrid platform. Say here what yours are. -->
<platform version="4.1">
  <zone id="lab" routing="Cluster">
    <!-- A machine: a name, the speed of one core [flop/s], and how many cores it has. -->
    <host id="ws1" speed="2Gf" core="4"/>
    <host id="ws2" speed="2Gf" core="4"/>
    <host id="ws3" speed="1Gf" core="2"/>
    <host id="ws4" speed="1Gf" core="2">
      <!-- Its memory, and its owner, which counts where the experiment has no block 'owner:' -->
      <prop id="memory" value="4GiB"/>
      <prop id="owner" value="{model: duty-cycle, period: 10min, u: 25%}"/>
    </host>
    <!-- Each machine's cable into the switch; one way does not disturb the other (SPLITDUPLEX). -->
    <link id="cable1" bandwidth="1Gbps" latency="50us" sharing_policy="SPLITDUPLEX"/>
    <link id="cable2" bandwidth="1Gbps" latency="50us" sharing_policy="SPLITDUPLEX"/>
    <link id="cable3" bandwidth="1Gbps" latency="50us" sharing_policy="SPLITDUPLEX"/>
    <link id="cable4" bandwidth="1Gbps" latency="50us" sharing_policy="SPLITDUPLEX"/>
    <host_link id="ws1" up="cable1_UP" down="cable1_DOWN"/>
    <host_link id="ws2" up="cable2_UP" down="cable2_DOWN"/>
    <host_link id="ws3" up="cable3_UP" down="cable3_DOWN"/>
    <host_link id="ws4" up="cable4_UP" down="cable4_DOWN"/>
    <router id="switch"/>
    <!-- One Ethernet that all share would be:  <backbone id="ethernet" bandwidth="100Mbps" latency="200us"/>  -->
  </zone>
</platform>
)";
}

}  // namespace nowsim
